//! Zoned digits treated as bytes: moves to zoned items, and the character form of a zoned item where characters are needed.
//!
//! The compiler assumes valid data and generates the fastest code (Programming Guide, "ZONEDATA", "INVDATA"): these moves and comparisons
//! examine no digit, so blanks, low-values and other contents of a zoned item are copied and compared without a data exception. Where
//! source and target have the same places, bytes are copied and only the sign position is converted to a sign; otherwise digits are shifted
//! by PACK and UNPK, which give them new zones, unless INVDATA asks for the zones that earlier compilers kept (APAR PH57790).
//!
//! `unsafe` here reads and writes the items of a MOVE: see the parent module.

use super::ZONED_BYTES_MAX;
use crate::attributes::{Attributes, Sign, Usage};
use crate::numeric::digits::{read_tail, write_tail};
use crate::numeric::{short, zoned};
use crate::session::{Numproc, Session};

/// Digits of a sending operand: bytes with the sign removed.
struct Digits {
    bytes: [u8; ZONED_BYTES_MAX],
    count: usize,
    scale: i32,
    minus: bool,
    /// The bytes come from an unsigned item, whose sign position NUMPROC(PFD) assumes to be F.
    unsigned: bool,
}

/// The position of the digits of a zoned item: distance from its start, and their number.
fn extent(attributes: &Attributes) -> (usize, usize) {
    let length = attributes.length as usize;
    match attributes.sign {
        Sign::LeadingSeparate => (1, length.saturating_sub(1)),
        Sign::TrailingSeparate => (0, length.saturating_sub(1)),
        _ => (0, length),
    }
}

/// Position of the digit that the sign is in.
fn overpunched(attributes: &Attributes, count: usize) -> Option<usize> {
    match attributes.sign {
        Sign::Trailing => count.checked_sub(1),
        Sign::Leading if count > 0 => Some(0),
        _ => None,
    }
}

impl Digits {
    unsafe fn of_item(area: *const u8, attributes: &Attributes, session: &Session) -> Digits {
        let page = session.code_page;
        let (first, count) = extent(attributes);
        let count = count.min(ZONED_BYTES_MAX);
        let mut bytes = [0u8; ZONED_BYTES_MAX];
        std::ptr::copy_nonoverlapping(area.add(first), bytes.as_mut_ptr(), count);
        let mut minus = match attributes.sign {
            Sign::LeadingSeparate => *area == page.minus,
            Sign::TrailingSeparate => *area.add(count) == page.minus,
            _ => false,
        };
        if let Some(at) = overpunched(attributes, count) {
            minus = zoned::overpunch_is_minus(bytes[at], page, true).unwrap_or(false);
            bytes[at] = bytes[at] & 15 | page.zone;
        }
        Digits { bytes, count, scale: i32::from(attributes.scale), minus, unsigned: !attributes.is_signed() }
    }

    /// Characters as an unsigned integer: the last ones, if there are more than a number has digits.
    unsafe fn of_characters(area: *const u8, length: usize) -> Digits {
        let count = length.min(ZONED_BYTES_MAX);
        let mut bytes = [0u8; ZONED_BYTES_MAX];
        std::ptr::copy_nonoverlapping(area.add(length - count), bytes.as_mut_ptr(), count);
        Digits { bytes, count, scale: 0, minus: false, unsigned: false }
    }

    unsafe fn store(&self, target: *mut u8, attributes: &Attributes, session: &Session) {
        let page = session.code_page;
        let (first, count) = extent(attributes);
        let alike = self.count == count && self.scale == i32::from(attributes.scale);
        let keeps_zones = alike || session.zones_kept;
        // Distance from a digit of the target to the one of the source with the same weight.
        let shift = self.count as i32 - self.scale - (count as i32 - i32::from(attributes.scale));
        let mut nonzero = 0u8;
        for index in 0..count {
            let from = usize::try_from(index as i32 + shift).ok().filter(|from| *from < self.count);
            let byte = from.map_or(page.zero, |from| self.bytes[from]);
            nonzero |= byte & 15;
            *target.add(first + index) = if keeps_zones { byte } else { byte & 15 | page.zone };
        }
        let minus = self.minus && nonzero != 0;
        let zone = if minus { page.zone_minus } else { page.zone_plus };
        let character = if minus { page.minus } else { page.plus };
        match attributes.sign {
            Sign::LeadingSeparate => *target = character,
            Sign::TrailingSeparate => *target.add(count) = character,
            _ => {}
        }
        let last = count.saturating_sub(1);
        match overpunched(attributes, count) {
            Some(at) => set_zone(target.add(at), zone),
            // "NUMPROC(PFD): no explicit sign repair is performed."
            None if !(attributes.is_signed() || alike && self.unsigned && session.numproc == Numproc::Pfd) => {
                set_zone(target.add(last), page.zone);
            }
            None => {}
        }
    }
}

unsafe fn set_zone(byte: *mut u8, zone: u8) {
    *byte = *byte & 15 | zone;
}

/// MOVE of a zoned item to a zoned item.
///
/// # Safety
/// `source` must be readable and `target` writable for the lengths of their attributes.
#[inline]
pub unsafe fn move_zoned(
    source: *const u8,
    source_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    session: &Session,
) {
    let alike = source_attributes.digits == target_attributes.digits && source_attributes.scale == target_attributes.scale;
    if short::qualifies(source_attributes) && short::qualifies(target_attributes) {
        if alike && session.numproc == Numproc::Nopfd {
            return move_alike(source, source_attributes, target, target_attributes, session);
        }
        if !alike && !session.zones_kept && short::move_unchecked(source, source_attributes, target, target_attributes, session) {
            return;
        }
    }
    Digits::of_item(source, source_attributes, session).store(target, target_attributes, session);
}

/// Short items with the same places, unsigned or with the sign in the last digit.
unsafe fn move_alike(source: *const u8, from: &Attributes, target: *mut u8, to: &Attributes, session: &Session) {
    const DIGITS: u64 = 0x0F0F_0F0F_0F0F_0F0F;
    const LAST: u64 = 0xF0 << 56;
    let page = session.code_page;
    let length = from.length as usize;
    debug_assert!(to.length == from.length && (1..=16).contains(&length));
    let low = read_tail(source.add(length.saturating_sub(8)), length.min(8));
    let high = if length > 8 { read_tail(source, length - 8) } else { 0 };
    let minus = from.is_signed() && (low | high) & DIGITS != 0 && zoned::overpunch_is_minus((low >> 56) as u8, page, true).unwrap_or(false);
    let zone = match (to.is_signed(), minus) {
        (false, _) => page.zone,
        (true, true) => page.zone_minus,
        (true, false) => page.zone_plus,
    };
    if length > 8 {
        write_tail(target, length - 8, high);
    }
    write_tail(target.add(length.saturating_sub(8)), length.min(8), low & !LAST | u64::from(zone) << 56);
}

/// MOVE of characters to a zoned item: they are the digits of an unsigned integer, and none is examined.
///
/// # Safety
/// `source` must be readable for `length` bytes and `target` writable for the length of its attributes.
pub unsafe fn move_characters_to_zoned(source: *const u8, length: usize, target: *mut u8, attributes: &Attributes, session: &Session) {
    Digits::of_characters(source, length).store(target, attributes, session);
}

/// The character form of a zoned item: its bytes without the sign. For an item with a sign the text is built in `text`.
///
/// # Safety
/// `area` must be readable for the length of its attributes, which are those of a zoned item.
pub unsafe fn zoned_characters<'a>(area: *const u8, attributes: &Attributes, text: &'a mut [u8], session: &Session) -> &'a [u8] {
    debug_assert!(attributes.usage == Usage::Zoned && text.len() >= ZONED_BYTES_MAX);
    if !attributes.is_signed() {
        return std::slice::from_raw_parts(area, attributes.length as usize);
    }
    let digits = Digits::of_item(area, attributes, session);
    let text = &mut text[..digits.count];
    text.copy_from_slice(&digits.bytes[..digits.count]);
    text
}
