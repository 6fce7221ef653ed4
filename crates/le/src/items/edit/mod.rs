//! Editing: pictures compiled to compact edit programs, and running them in either direction.
//!
//! The compiler calls [`compile`] for every PICTURE; programs of edited items go into the program's pool and are found by
//! [`Attributes::edit`]. A numeric edit program is a template with a map from digit to position ([`program`]), so running it means: copy
//! the template, place the digits, fill the suppressed part, place sign and currency.
//!
//! `unsafe` here and in the modules below reads and writes edited items, and reads their edit programs: [`compile`] has made these, and the
//! session leads to the pool that holds them. See `lib.rs` for the items.

mod characters;
mod edited;
mod floating;
mod numeric;
mod picture;
pub(crate) mod program;

pub(crate) use characters::edit_characters;
pub(crate) use floating::{deedit_float, edit_float, format as format_float};
pub use picture::{Currency, Picture, PictureError, PictureOptions, compile, compile_edited};

use crate::attributes::{Attributes, Usage};
use crate::decimal::{Decimal, Rounding};
use crate::exception::Result;
use crate::numeric::{self as number, short::Short};
use crate::session::Session;

/// Longest numeric-edited item in characters.
pub const NUMERIC_EDITED_LENGTH_MAX: usize = 249;

/// Edits a value into a numeric-edited item; digits that do not fit are lost.
///
/// # Safety
/// `target` must be writable for its length and `attributes.edit` name an edit program of the session's pool.
pub unsafe fn edit(value: &Decimal, target: *mut u8, attributes: &Attributes, session: &Session) {
    number::store(value, target, attributes, Rounding::Truncation, false, session);
}

/// Edits a magnitude that is at the item's scale and fits its digits.
///
/// # Safety
/// As [`edit`].
#[inline]
pub(crate) unsafe fn edit_digits(magnitude: u128, minus: bool, target: *mut u8, attributes: &Attributes, session: &Session) {
    let program = session.edit_programs.add(attributes.edit as usize);
    let blank = attributes.has(Attributes::BLANK_WHEN_ZERO);
    let page = session.code_page;
    let digits = numeric::Digits::of(magnitude, usize::from(attributes.digits), page);
    if attributes.usage != Usage::NationalNumericEdited {
        numeric::run(program, &digits, minus, target, attributes.length as usize, blank, page);
        return;
    }
    let mut narrow = [0u8; NUMERIC_EDITED_LENGTH_MAX + 7];
    let count = (attributes.length as usize / 2).min(NUMERIC_EDITED_LENGTH_MAX);
    numeric::run(program, &digits, minus, narrow.as_mut_ptr(), count, blank, page);
    for (index, &byte) in narrow[..count].iter().enumerate() {
        let unit = page.to_unicode[byte as usize].to_be_bytes();
        *target.add(2 * index) = unit[0];
        *target.add(2 * index + 1) = unit[1];
    }
}

/// The same for a short value, in a code page target.
///
/// # Safety
/// As [`edit`].
#[inline]
pub(crate) unsafe fn edit_short(value: Short, target: *mut u8, attributes: &Attributes, session: &Session) {
    let program = session.edit_programs.add(attributes.edit as usize);
    let blank = attributes.has(Attributes::BLANK_WHEN_ZERO);
    let digits = numeric::Digits::of_short(value.digits, usize::from(attributes.digits), session.code_page);
    numeric::run(program, &digits, value.minus, target, attributes.length as usize, blank, session.code_page);
}

/// The value of a numeric-edited item (MOVE from it de-edits) or of external floating point.
///
/// # Safety
/// `area` must be readable for its length and `attributes.edit` name an edit program of the session's pool.
pub unsafe fn deedit(area: *const u8, attributes: &Attributes, session: &Session) -> Result<Decimal> {
    if attributes.usage == Usage::FloatDisplay {
        let value = deedit_float(area, attributes, session)?;
        return Ok(number::float_to_decimal(value, number::FLOAT8_DIGITS));
    }
    let program = session.edit_programs.add(attributes.edit as usize);
    let scale = i32::from(attributes.scale);
    let page = session.code_page;
    if attributes.usage != Usage::NationalNumericEdited {
        let bytes = std::slice::from_raw_parts(area, attributes.length as usize);
        return Ok(Decimal::new(numeric::value(program, bytes, page), scale));
    }
    let mut narrow = [0u8; NUMERIC_EDITED_LENGTH_MAX];
    let count = (attributes.length as usize / 2).min(NUMERIC_EDITED_LENGTH_MAX);
    for (index, byte) in narrow[..count].iter_mut().enumerate() {
        let unit = u16::from_be_bytes([*area.add(2 * index), *area.add(2 * index + 1)]);
        *byte = char::from_u32(u32::from(unit)).and_then(|character| page.byte_of(character)).unwrap_or(page.substitute);
    }
    Ok(Decimal::new(numeric::value(program, &narrow[..count], page), scale))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
