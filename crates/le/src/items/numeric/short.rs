//! The path of packed and zoned items of at most fifteen digits: values stay decimal, in nibble form, so that MOVE, ADD,
//! SUBTRACT, comparison and editing shift and add digits instead of converting to binary and back.
//!
//! Every function returns `None`, having stored nothing, when an operand does not qualify; the general path then does the work. Results are
//! the same (tests compare the paths).
//!
//! `unsafe` here reads and writes packed and zoned items: see the parent module.

use std::cmp::Ordering;

use super::digits::*;
use super::packed;
use super::zoned::overpunch_is_minus;
use crate::attributes::{Attributes, Sign, Usage};
use crate::code_page::CodePage;
use crate::decimal::Rounding;
use crate::exception::{Exception, Result};
use crate::session::Session;

pub const DIGITS_MAX: u8 = 15;
const MASK: u64 = (1 << 60) - 1;

/// Sign and at most fifteen digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Short {
    pub digits: u64,
    pub minus: bool,
}

/// Whether an item is packed or zoned with a trailing or no sign, and short.
#[inline(always)]
pub fn qualifies(attributes: &Attributes) -> bool {
    attributes.digits <= DIGITS_MAX
        && match attributes.usage {
            Usage::Packed => attributes.length <= 8,
            Usage::Zoned => matches!(attributes.sign, Sign::Unsigned | Sign::Trailing),
            _ => false,
        }
}

/// Reads an item that qualifies, or a binary item of up to four bytes.
///
/// # Safety
/// `area` must be readable for `attributes.length` bytes.
#[inline(always)]
pub unsafe fn load(area: *const u8, attributes: &Attributes, session: &Session) -> Option<Result<Short>> {
    let length = attributes.length as usize;
    match attributes.usage {
        Usage::Packed if length <= 8 => Some(load_packed(area, length, attributes.is_signed(), session)),
        Usage::Zoned if qualifies(attributes) => Some(load_zoned(area, length, attributes.is_signed(), session)),
        Usage::Binary | Usage::NativeBinary if length <= 4 => {
            let value = super::binary::load(area, length, attributes.is_signed()) as i64;
            Some(Ok(Short { digits: binary_to_nibbles(value.unsigned_abs()), minus: value < 0 }))
        }
        _ => None,
    }
}

#[inline(always)]
unsafe fn load_packed(area: *const u8, length: usize, signed: bool, session: &Session) -> Result<Short> {
    let word = read_tail(area, length).swap_bytes();
    let code = (word & 15) as u8;
    let digits = word >> 4;
    if !nibbles_are_digits(digits) || (code < 10 && !session.signs_cleaned) {
        return Err(Exception::Data);
    }
    Ok(Short { digits, minus: signed && packed::sign_is_minus(code) })
}

#[inline(always)]
unsafe fn load_zoned(area: *const u8, length: usize, signed: bool, session: &Session) -> Result<Short> {
    let low = read_tail(area.add(length.saturating_sub(8)), length.min(8));
    let mut valid = bytes_are_digits(low);
    let mut digits = bytes_to_nibbles(low);
    if length > 8 {
        let high = read_tail(area, length - 8);
        valid &= bytes_are_digits(high);
        digits |= bytes_to_nibbles(high) << 32;
    }
    let minus = signed && overpunch_is_minus((low >> 56) as u8, session.code_page, session.signs_cleaned)?;
    if valid { Ok(Short { digits, minus }) } else { Err(Exception::Data) }
}

impl Short {
    /// The digits with `count` zeros appended; the flag tells that digits beyond fifteen were lost.
    #[inline(always)]
    fn scaled_up(self, count: u32) -> (Short, bool) {
        if count > 15 {
            return (Short { digits: 0, minus: self.minus }, self.digits != 0);
        }
        let lost = count > 0 && self.digits >> (60 - 4 * count) != 0;
        (Short { digits: self.digits << (4 * count) & MASK, minus: self.minus }, lost)
    }

    /// At another scale; `None` for roundings other than truncation and nearest away from zero.
    #[inline(always)]
    fn at_scale(self, from: i8, to: i8, rounding: Rounding) -> Option<(Short, bool)> {
        if from <= to {
            return Some(self.scaled_up((to as i32 - from as i32) as u32));
        }
        let count = (from as i32 - to as i32) as u32;
        if count > 15 {
            return None;
        }
        let digits = self.digits >> (4 * count);
        let digits = match rounding {
            Rounding::Truncation => digits,
            Rounding::NearestAwayFromZero => {
                let up = self.digits >> (4 * count - 4) & 15 >= 5;
                nibbles_add(digits, u64::from(up))
            }
            _ => return None,
        };
        Some((Short { digits, minus: self.minus }, false))
    }

    #[inline(always)]
    fn add(self, other: Short) -> Short {
        if self.minus == other.minus {
            return Short { digits: nibbles_add(self.digits, other.digits), minus: self.minus };
        }
        if self.digits >= other.digits {
            Short { digits: nibbles_subtract(self.digits, other.digits), minus: self.minus }
        } else {
            Short { digits: nibbles_subtract(other.digits, self.digits), minus: other.minus }
        }
    }
}

/// Writes a value at the item's scale to an item that qualifies; returns whether high-order digits were lost.
///
/// # Safety
/// `area` must be writable for `attributes.length` bytes.
#[inline(always)]
unsafe fn store(value: Short, lost: bool, area: *mut u8, attributes: &Attributes, keep: bool, page: &CodePage) -> bool {
    let bits = 4 * u32::from(attributes.digits);
    let size_error = lost || value.digits >> bits != 0;
    if size_error && keep {
        return true;
    }
    let digits = value.digits & ((1 << bits) - 1);
    let minus = value.minus && digits != 0;
    let signed = attributes.is_signed();
    let length = attributes.length as usize;
    if attributes.usage == Usage::Packed {
        let code = if !signed { 0x0F } else { 0x0C | minus as u64 };
        write_tail(area, length, (digits << 4 | code).swap_bytes());
        return size_error;
    }
    let zones = u64::from_le_bytes([page.zone; 8]);
    let zone = if !signed {
        page.zone
    } else if minus {
        page.zone_minus
    } else {
        page.zone_plus
    };
    let low = (nibbles_to_bytes(digits) | zones) & !(0xF0 << 56) | u64::from(zone) << 56;
    if length > 8 {
        write_tail(area, length - 8, nibbles_to_bytes(digits >> 32) | zones);
        write_tail(area.add(length - 8), 8, low);
    } else {
        write_tail(area, length, low);
    }
    size_error
}

/// The digits of a zoned item as PACK and UNPK move them: neither digits nor sign are checked. An invalid sign is plus.
#[inline(always)]
unsafe fn load_unchecked(area: *const u8, attributes: &Attributes, page: &CodePage) -> Short {
    let length = attributes.length as usize;
    let low = read_tail(area.add(length.saturating_sub(8)), length.min(8));
    let mut digits = bytes_to_nibbles(low);
    if length > 8 {
        digits |= bytes_to_nibbles(read_tail(area, length - 8)) << 32;
    }
    let minus = attributes.is_signed() && overpunch_is_minus((low >> 56) as u8, page, true).unwrap_or(false);
    Short { digits, minus }
}

/// MOVE of a zoned item to a zoned item without looking at the digits, which get new zones; whether it was done.
///
/// # Safety
/// `source` must be readable and `target` writable for the lengths of their attributes; both qualify.
#[inline(always)]
pub unsafe fn move_unchecked(source: *const u8, from: &Attributes, target: *mut u8, to: &Attributes, session: &Session) -> bool {
    debug_assert!(qualifies(from) && qualifies(to) && from.usage == Usage::Zoned && to.usage == Usage::Zoned);
    let value = load_unchecked(source, from, session.code_page);
    let Some((value, lost)) = value.at_scale(from.scale, to.scale, Rounding::Truncation) else { return false };
    store(value, lost, target, to, false, session.code_page);
    true
}

/// MOVE to a packed or zoned item, but not from zoned to zoned. The outcome tells nothing of digits lost, as MOVE does not.
///
/// # Safety
/// `source` must be readable and `target` writable for the lengths of their attributes.
#[inline(always)]
pub unsafe fn try_move(
    source: *const u8,
    source_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    session: &Session,
) -> Option<Result<()>> {
    if !qualifies(target_attributes) {
        return None;
    }
    let value = match load(source, source_attributes, session)? {
        Ok(value) => value,
        Err(exception) => return Some(Err(exception)),
    };
    let (value, lost) = value.at_scale(source_attributes.scale, target_attributes.scale, Rounding::Truncation)?;
    store(value, lost, target, target_attributes, false, session.code_page);
    Some(Ok(()))
}

/// left + right or left - right to a packed or zoned item; returns whether there was a size error.
///
/// # Safety
/// Sources must be readable and `target` writable for the lengths of their attributes.
#[inline(always)]
pub unsafe fn try_add(
    subtract: bool,
    left: (*const u8, &Attributes),
    right: (*const u8, &Attributes),
    target: (*mut u8, &Attributes),
    rounding: Rounding,
    keep: bool,
    session: &Session,
) -> Option<Result<bool>> {
    if !qualifies(target.1) {
        return None;
    }
    let (a, b) = match (load(left.0, left.1, session)?, load(right.0, right.1, session)?) {
        (Ok(a), Ok(b)) => (a, b),
        _ => return Some(Err(Exception::Data)),
    };
    let b = Short { digits: b.digits, minus: b.minus != subtract };
    let scale = left.1.scale.max(right.1.scale);
    let (a, a_lost) = a.scaled_up((scale as i32 - left.1.scale as i32) as u32);
    let (b, b_lost) = b.scaled_up((scale as i32 - right.1.scale as i32) as u32);
    let sum = a.add(b);
    if a_lost || b_lost || sum.digits & !MASK != 0 {
        return None;
    }
    let (value, lost) = sum.at_scale(scale, target.1.scale, rounding)?;
    Some(Ok(store(value, lost, target.0, target.1, keep, session.code_page)))
}

/// Order of two packed or zoned items of the same scale.
///
/// # Safety
/// Both areas must be readable for the lengths of their attributes.
#[inline(always)]
pub unsafe fn try_compare(left: (*const u8, &Attributes), right: (*const u8, &Attributes), session: &Session) -> Option<Result<Ordering>> {
    if left.1.scale != right.1.scale || !qualifies(left.1) || !qualifies(right.1) {
        return None;
    }
    let (a, b) = match (load(left.0, left.1, session)?, load(right.0, right.1, session)?) {
        (Ok(a), Ok(b)) => (a, b),
        _ => return Some(Err(Exception::Data)),
    };
    let signed = |value: Short| if value.minus { -(value.digits as i64) } else { value.digits as i64 };
    Some(Ok(signed(a).cmp(&signed(b))))
}

/// Digits of a value for editing: at the target's scale and cut to its digits; `None` for longer targets.
///
/// # Safety
/// `source` must be readable for the length of its attributes.
#[inline(always)]
pub unsafe fn try_edited(
    source: *const u8,
    source_attributes: &Attributes,
    target_attributes: &Attributes,
    session: &Session,
) -> Option<Result<Short>> {
    if target_attributes.digits > DIGITS_MAX {
        return None;
    }
    let value = match load(source, source_attributes, session)? {
        Ok(value) => value,
        Err(exception) => return Some(Err(exception)),
    };
    let (value, _) = value.at_scale(source_attributes.scale, target_attributes.scale, Rounding::Truncation)?;
    let digits = value.digits & ((1 << (4 * u32::from(target_attributes.digits))) - 1);
    Some(Ok(Short { digits, minus: value.minus && digits != 0 }))
}
