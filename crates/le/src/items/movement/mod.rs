//! MOVE between all categories (Language Reference, "MOVE statement").
//!
//! A move is a group move (bytes), a character move (padding, JUSTIFIED, editing, conversion between code page and UTF-16 or UTF-8), or a
//! numeric move (decimal point alignment, truncation). Where source and target overlap, bytes are moved one by one from the left, as MVC
//! does. No operation allocates.
//!
//! `unsafe` here and in the modules below reads the source and writes the target, each within the length of its attributes: see `lib.rs`.

mod characters;
mod digits;
mod figurative;
mod filled;

pub(crate) use characters::{Pad, conversion_page, digits_of, page_of, store_characters};
pub use characters::{copy_left_to_right, move_to_dynamic_utf8};
pub(crate) use digits::zoned_characters;
pub use figurative::{Figurative, move_all, move_figurative};
pub use filled::{Filled, compare_filled};

use crate::attributes::{Attributes, Sign, Usage};
use crate::decimal::{Decimal, Rounding};
use crate::edit;
use crate::exception::Result;
use crate::numeric::{self as number, zoned};
use crate::session::Session;
use characters::move_characters;

/// Longest zoned item: 31 digits, one byte each.
const ZONED_BYTES_MAX: usize = 31;

/// How an operand takes part in a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Characters,
    Number,
    /// Numeric-edited: characters as a source of characters, a number as a target or as a source of numbers.
    Edited,
    Address,
}

#[inline(always)]
fn class(usage: Usage) -> Class {
    match usage {
        Usage::Group
        | Usage::Alphanumeric
        | Usage::Alphabetic
        | Usage::AlphanumericEdited
        | Usage::National
        | Usage::NationalEdited
        | Usage::Utf8
        | Usage::Dbcs => Class::Characters,
        Usage::NumericEdited | Usage::NationalNumericEdited => Class::Edited,
        Usage::Zoned
        | Usage::Packed
        | Usage::Binary
        | Usage::NativeBinary
        | Usage::Float4
        | Usage::Float8
        | Usage::NationalZoned
        | Usage::FloatDisplay => Class::Number,
        Usage::Index | Usage::Pointer | Usage::FunctionPointer => Class::Address,
    }
}

/// MOVE source TO target for any categories that IBM allows; others are moved by the nearest rule.
///
/// # Safety
/// `source` must be readable and `target` writable for the lengths of their attributes.
#[inline]
pub unsafe fn move_field(
    source: *const u8,
    source_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    session: &Session,
) -> Result<()> {
    let from = source_attributes.usage;
    let to = target_attributes.usage;
    if from == Usage::Group || to == Usage::Group {
        move_group(source, source_attributes, target, target_attributes, session);
        return Ok(());
    }
    match (class(from), class(to)) {
        (Class::Characters, Class::Characters) => {
            return move_characters(source, source_attributes, target, target_attributes, session);
        }
        (Class::Number | Class::Edited, Class::Number | Class::Edited) => {
            return move_number(source, source_attributes, target, target_attributes, session);
        }
        (Class::Edited, Class::Characters) => {
            return move_characters(source, source_attributes, target, target_attributes, session);
        }
        (Class::Characters, Class::Number) if to == Usage::Zoned && !is_converted(from) => {
            digits::move_characters_to_zoned(source, source_attributes.length as usize, target, target_attributes, session);
        }
        (Class::Characters, Class::Number | Class::Edited) => {
            let value = digits_of(source, source_attributes)?;
            number::store(&value, target, target_attributes, Rounding::Truncation, false, session);
        }
        (Class::Number, Class::Characters) if from == Usage::Zoned => {
            return move_zoned_characters(source, source_attributes, target, target_attributes, session);
        }
        (Class::Number, Class::Characters) => {
            let value = number::load(source, source_attributes, session)?;
            move_decimal(&value, source_attributes, target, target_attributes, session)?;
        }
        (Class::Address, _) | (_, Class::Address) => {
            let value = number::load(source, source_attributes, session)?;
            number::store(&value, target, target_attributes, Rounding::Truncation, false, session);
        }
    }
    Ok(())
}

/// Characters that are not in the code page of alphanumeric data.
const fn is_converted(usage: Usage) -> bool {
    matches!(usage, Usage::National | Usage::NationalEdited | Usage::Utf8 | Usage::Dbcs)
}

/// A zoned item to characters: its digits unchanged, without sign and decimal point; P positions of integer zeros count.
#[inline]
unsafe fn move_zoned_characters(
    source: *const u8,
    source_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    session: &Session,
) -> Result<()> {
    let zeros = usize::from(source_attributes.scale.min(0).unsigned_abs()).min(ZONED_BYTES_MAX);
    let mut text = [0u8; 2 * ZONED_BYTES_MAX];
    let digits = zoned_characters(source, source_attributes, &mut text, session);
    if zeros == 0 {
        let from = Attributes::alphanumeric(digits.len() as u32);
        return move_characters(digits.as_ptr(), &from, target, target_attributes, session);
    }
    let mut padded = [session.code_page.zero; 2 * ZONED_BYTES_MAX];
    padded[..digits.len()].copy_from_slice(digits);
    let from = Attributes::alphanumeric((digits.len() + zeros) as u32);
    move_characters(padded.as_ptr(), &from, target, target_attributes, session)
}

/// A numeric move: aligned on the decimal point, truncated; floating point is rounded when it becomes fixed.
#[inline]
unsafe fn move_number(
    source: *const u8,
    source_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    session: &Session,
) -> Result<()> {
    if source_attributes.usage == Usage::Zoned && target_attributes.usage == Usage::Zoned {
        digits::move_zoned(source, source_attributes, target, target_attributes, session);
        return Ok(());
    }
    if let Some(outcome) = number::short::try_move(source, source_attributes, target, target_attributes, session) {
        return outcome;
    }
    let mut signed = [0u8; ZONED_BYTES_MAX];
    let source = match target_attributes.usage {
        Usage::NumericEdited => with_sign(source, source_attributes, &mut signed, session),
        _ => source,
    };
    if target_attributes.usage == Usage::NumericEdited
        && let Some(value) = number::short::try_edited(source, source_attributes, target_attributes, session)
    {
        edit::edit_short(value?, target, target_attributes, session);
        return Ok(());
    }
    if let Some(value) = number::load_short(source, source_attributes, session) {
        let value = value?;
        let value = if source_attributes.is_signed() { value } else { value.wrapping_abs() };
        let scale = i32::from(source_attributes.scale);
        let stored = number::store_short(value, scale, target, target_attributes, Rounding::Truncation, false, session);
        if stored.is_some() {
            return Ok(());
        }
        let value = Decimal::new(i128::from(value), scale);
        number::store(&value, target, target_attributes, Rounding::Truncation, false, session);
        return Ok(());
    }
    if source_attributes.is_float() {
        let value = number::load_float(source, source_attributes, session)?;
        if source_attributes.usage == Usage::Float4 && !target_attributes.is_float() {
            let value = number::float_to_decimal(value, number::FLOAT4_DIGITS);
            let rounding = Rounding::NearestAwayFromZero;
            number::store(&value, target, target_attributes, rounding, false, session);
            return Ok(());
        }
        number::store_float(value, target, target_attributes, Rounding::NearestAwayFromZero, false, session)?;
        return Ok(());
    }
    let value = number::load(source, source_attributes, session)?;
    number::store(&value, target, target_attributes, Rounding::Truncation, false, session);
    Ok(())
}

/// The source of editing with a valid sign. Editing a zoned item is PACK and ED, which take a sign position without a sign code as not
/// negative: low-values and spaces are edited as zero. Arithmetic with a signed one is a data exception.
#[inline]
unsafe fn with_sign(source: *const u8, attributes: &Attributes, copy: &mut [u8; ZONED_BYTES_MAX], session: &Session) -> *const u8 {
    let length = attributes.length as usize;
    let at = match attributes.sign {
        Sign::Unsigned | Sign::Trailing => length.wrapping_sub(1),
        Sign::Leading => 0,
        _ => return source,
    };
    let page = session.code_page;
    if attributes.usage != Usage::Zoned
        || at >= length
        || length > copy.len()
        || zoned::overpunch_is_minus(*source.add(at), page, false).is_ok()
    {
        return source;
    }
    std::ptr::copy_nonoverlapping(source, copy.as_mut_ptr(), length);
    copy[at] = copy[at] & 0x0F | page.zone;
    copy.as_ptr()
}

/// Unconverted bytes, cut or padded with spaces (of the target's encoding).
#[inline]
unsafe fn move_group(
    source: *const u8,
    source_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    session: &Session,
) {
    characters::place(
        source,
        source_attributes.length as usize,
        target,
        target_attributes.length as usize,
        target_attributes.has(Attributes::JUSTIFIED),
        Pad::of(target_attributes, session),
    );
}

/// MOVE of a numeric value (literal, function result) described by `value_attributes` (its digits, scale and sign).
///
/// # Safety
/// `target` must be writable for its length.
pub unsafe fn move_decimal(
    value: &Decimal,
    value_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    session: &Session,
) -> Result<()> {
    match class(target_attributes.usage) {
        Class::Characters => {
            // The digits without sign and decimal point; P positions that hold integer zeros count.
            let (mut magnitude, mut digits) = (value.coefficient.unsigned_abs(), shown_digits(value_attributes, session));
            if value_attributes.scale < 0 {
                let zeros = value_attributes.scale.unsigned_abs().into();
                magnitude = magnitude.saturating_mul(crate::decimal::power_of_ten(u32::min(zeros, 38)));
                digits += zeros;
            }
            store_characters(magnitude, digits, target, target_attributes, session);
        }
        Class::Number | Class::Edited | Class::Address => {
            number::store(value, target, target_attributes, Rounding::Truncation, false, session);
        }
    }
    Ok(())
}

/// Digits that a numeric item shows as characters: those of its picture, or of the full range of a native binary field.
pub(crate) fn shown_digits(attributes: &Attributes, session: &Session) -> u32 {
    let full =
        attributes.usage == Usage::NativeBinary || (attributes.usage == Usage::Binary && session.trunc == crate::session::Trunc::Bin);
    match (full, attributes.length) {
        (true, 1) => 3,
        (true, 2) => 5,
        (true, 4) => 10,
        (true, 8) if attributes.is_signed() => 19,
        (true, 8) => 20,
        _ => u32::from(attributes.digits).max(1),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
