//! Reading and writing numeric items of every usage, and the arithmetic statements with one source and one target.
//!
//! Results are always stored with preferred signs (C, D, F), and zero is never negative. Values of up to 18 digits take a 64-bit path; it
//! gives the same results as the general one (a test compares them).
//!
//! `unsafe` here and in the modules below reads and writes items of every usage, each within the length of its attributes: see `lib.rs`.

pub(crate) mod binary;
pub(crate) mod digits;
mod national;
pub(crate) mod packed;
pub(crate) mod short;
mod statement;
pub(crate) mod zoned;

pub use statement::{Operation, apply, apply_giving};

use crate::attributes::{Attributes, Usage};
use crate::decimal::{self, Decimal, POWERS_SHORT, Rounding, drop_digits, power_of_ten};
use crate::exception::{Exception, Result};
use crate::session::{Session, Trunc};
use crate::{edit, float, movement};

/// Digits that a conversion from COMP-1 to fixed point keeps (Programming Guide, "Conversions and precision").
pub const FLOAT4_DIGITS: u32 = 9;
/// The same for COMP-2.
pub const FLOAT8_DIGITS: u32 = 18;

/// Coefficient of an item whose coefficient surely fits 64 bits; `None` for other items.
///
/// # Safety
/// As [`load`].
#[inline(always)]
pub(crate) unsafe fn load_short(area: *const u8, attributes: &Attributes, session: &Session) -> Option<Result<i64>> {
    let length = attributes.length as usize;
    match attributes.usage {
        Usage::Packed if length <= 8 => Some(packed::load_short(area, length, session.signs_cleaned)),
        Usage::Zoned if attributes.digits <= 18 => {
            Some(zoned::load_short(area, length, attributes.sign, session.code_page, session.signs_cleaned))
        }
        Usage::Binary | Usage::NativeBinary if length < 8 || (length == 8 && attributes.is_signed()) => {
            Some(Ok(binary::load(area, length, attributes.is_signed()) as i64))
        }
        _ => None,
    }
}

/// Value of a fixed-point item of any usage, an index, a pointer or a numeric-edited item; a floating-point item is
/// converted. Invalid digits or signs are a data exception. An unsigned item's value is never negative.
///
/// # Safety
/// `area` must be readable for `attributes.length` bytes.
#[inline]
pub unsafe fn load(area: *const u8, attributes: &Attributes, session: &Session) -> Result<Decimal> {
    let scale = i32::from(attributes.scale);
    if let Some(value) = load_short(area, attributes, session) {
        let value = value?;
        let value = if attributes.is_signed() { value } else { value.abs() };
        return Ok(Decimal::new(i128::from(value), scale));
    }
    load_long(area, attributes, session)
}

unsafe fn load_long(area: *const u8, attributes: &Attributes, session: &Session) -> Result<Decimal> {
    let length = attributes.length as usize;
    let scale = i32::from(attributes.scale);
    let coefficient = match attributes.usage {
        Usage::Packed => packed::load(area, length, session.signs_cleaned)?,
        Usage::Zoned => zoned::load(area, length, attributes.sign, session.code_page, session.signs_cleaned)?,
        Usage::Binary | Usage::NativeBinary => binary::load(area, length, attributes.is_signed()),
        Usage::Index | Usage::Pointer | Usage::FunctionPointer => binary::load(area, length, false),
        Usage::NationalZoned => national::load(area, length, attributes.sign)?,
        Usage::Float4 | Usage::Float8 => {
            let value = float::load(area, attributes.length, session.float_format);
            let digits = if attributes.usage == Usage::Float4 { FLOAT4_DIGITS } else { FLOAT8_DIGITS };
            return Ok(float_to_decimal(value, digits));
        }
        Usage::NumericEdited | Usage::NationalNumericEdited | Usage::FloatDisplay => {
            return edit::deedit(area, attributes, session);
        }
        _ => return movement::digits_of(area, attributes),
    };
    let coefficient = if attributes.is_signed() { coefficient } else { coefficient.abs() };
    Ok(Decimal::new(coefficient, scale))
}

/// A floating-point value as a decimal of at most `digits` significant digits.
pub fn float_to_decimal(value: f64, digits: u32) -> Decimal {
    let (whole, exponent) = float::significant(value, digits);
    let mut decimal = Decimal::new(if value < 0.0 { -i128::from(whole) } else { i128::from(whole) }, digits as i32 - exponent);
    // Large magnitudes become integers when they fit; the scale of small ones stays within what operations align.
    if decimal.scale < 0
        && let Some(integer) = decimal::at_scale(&decimal, 0, Rounding::Truncation)
    {
        decimal = integer;
    }
    decimal.normalized()
}

/// Value of any numeric item as an f64, for floating-point expressions.
///
/// # Safety
/// As [`load`].
pub unsafe fn load_float(area: *const u8, attributes: &Attributes, session: &Session) -> Result<f64> {
    match attributes.usage {
        Usage::Float4 | Usage::Float8 => Ok(float::load(area, attributes.length, session.float_format)),
        Usage::FloatDisplay => edit::deedit_float(area, attributes, session),
        _ => load(area, attributes, session).map(|value| decimal::to_float(&value)),
    }
}

/// Integer value (decimal places dropped), for subscripts, lengths and EXEC arguments. Out of range: `DecimalOverflow`.
///
/// # Safety
/// As [`load`].
#[inline]
pub unsafe fn load_integer(area: *const u8, attributes: &Attributes, session: &Session) -> Result<i64> {
    if attributes.scale == 0
        && let Some(value) = load_short(area, attributes, session)
    {
        return if attributes.is_signed() { value } else { value.map(i64::abs) };
    }
    load(area, attributes, session)?.to_integer().ok_or(Exception::DecimalOverflow)
}

/// How a value failed to fit, and what is stored then.
#[inline(always)]
fn is_full_range(attributes: &Attributes, session: &Session) -> bool {
    attributes.usage != Usage::Binary || session.trunc == Trunc::Bin
}

/// Stores a value in any numeric or numeric-edited item; returns whether there was a size error. With
/// `keep_on_size_error` (ON SIZE ERROR given) the item is then unchanged, otherwise high-order digits are lost
/// as TRUNC and the usage say.
///
/// # Safety
/// `area` must be writable for `attributes.length` bytes.
#[inline]
pub unsafe fn store(
    value: &Decimal,
    area: *mut u8,
    attributes: &Attributes,
    rounding: Rounding,
    keep_on_size_error: bool,
    session: &Session,
) -> bool {
    if let Ok(short) = i64::try_from(value.coefficient)
        && let Some(outcome) = store_short(short, value.scale, area, attributes, rounding, keep_on_size_error, session)
    {
        return outcome;
    }
    store_long(value, area, attributes, rounding, keep_on_size_error, session)
}

/// The 64-bit path of [`store`]; `None` (nothing stored) when it does not apply.
///
/// # Safety
/// As [`store`].
#[inline(always)]
pub(crate) unsafe fn store_short(
    value: i64,
    scale: i32,
    area: *mut u8,
    attributes: &Attributes,
    rounding: Rounding,
    keep_on_size_error: bool,
    session: &Session,
) -> Option<bool> {
    let digits = attributes.digits as usize;
    if digits > 18 || !matches!(attributes.usage, Usage::Packed | Usage::Zoned | Usage::Binary | Usage::NativeBinary) {
        return None;
    }
    let mut minus = value < 0;
    let mut magnitude = value.unsigned_abs();
    let target_scale = i32::from(attributes.scale);
    let mut size_error = false;
    if scale > target_scale {
        let (rest, inexact) = drop_digits(u128::from(magnitude), (scale - target_scale) as u32, minus, rounding);
        magnitude = rest as u64;
        size_error = inexact && rounding == Rounding::Prohibited;
    } else if scale < target_scale {
        let power = *POWERS_SHORT.get((target_scale - scale) as usize)?;
        magnitude = magnitude.checked_mul(power)?;
    }
    let length = attributes.length as usize;
    if matches!(attributes.usage, Usage::Packed | Usage::Zoned) {
        if magnitude >= POWERS_SHORT[digits] {
            size_error = true;
            magnitude %= POWERS_SHORT[digits];
        }
        if size_error && keep_on_size_error {
            return Some(true);
        }
        minus &= magnitude != 0;
        let signed = attributes.is_signed();
        if attributes.usage == Usage::Packed {
            if length > 8 {
                packed::store(area, length, u128::from(magnitude), sign_code(minus, signed));
            } else {
                packed::store_short(area, length, magnitude, sign_code(minus, signed));
            }
        } else {
            zoned::store(area, length, u128::from(magnitude), minus & signed, attributes.sign, session.code_page);
        }
        return Some(size_error);
    }
    Some(store_binary(u128::from(magnitude), minus, size_error, area, attributes, keep_on_size_error, session))
}

#[inline(always)]
fn sign_code(minus: bool, signed: bool) -> u8 {
    if !signed {
        0x0F
    } else if minus {
        0x0D
    } else {
        0x0C
    }
}

#[inline(always)]
unsafe fn store_binary(
    magnitude: u128,
    minus: bool,
    size_error: bool,
    area: *mut u8,
    attributes: &Attributes,
    keep_on_size_error: bool,
    session: &Session,
) -> bool {
    let length = attributes.length as usize;
    let signed = attributes.is_signed();
    let mut magnitude = magnitude;
    let value = |magnitude: u128| if minus && signed { (magnitude as i128).wrapping_neg() } else { magnitude as i128 };
    let too_large = if is_full_range(attributes, session) {
        magnitude >> 127 != 0 || !binary::fits(value(magnitude), length, signed)
    } else {
        magnitude >= power_of_ten(u32::from(attributes.digits))
    };
    let size_error = size_error | too_large;
    if size_error && keep_on_size_error {
        return true;
    }
    if too_large && attributes.usage == Usage::Binary && session.trunc == Trunc::Std {
        magnitude %= power_of_ten(u32::from(attributes.digits));
    }
    binary::store(area, length, value(magnitude));
    size_error
}

unsafe fn store_long(
    value: &Decimal,
    area: *mut u8,
    attributes: &Attributes,
    rounding: Rounding,
    keep_on_size_error: bool,
    session: &Session,
) -> bool {
    if matches!(attributes.usage, Usage::Float4 | Usage::Float8 | Usage::FloatDisplay) {
        let float = decimal::to_float(value);
        return store_float(float, area, attributes, rounding, keep_on_size_error, session).unwrap_or(true);
    }
    let full = matches!(attributes.usage, Usage::Index | Usage::Pointer | Usage::FunctionPointer);
    let digits = if full { 19 } else { u32::from(attributes.digits) };
    let (mut magnitude, mut size_error) = fit(value, i32::from(attributes.scale), digits, rounding);
    let minus = value.coefficient < 0;
    let length = attributes.length as usize;
    if matches!(attributes.usage, Usage::Binary | Usage::NativeBinary) || full {
        let binary = if full { attributes.with_flags(0) } else { *attributes };
        return store_binary(magnitude, minus, size_error, area, &binary, keep_on_size_error, session);
    }
    if magnitude >= power_of_ten(digits) {
        size_error = true;
        magnitude %= power_of_ten(digits);
    }
    if size_error && keep_on_size_error {
        return true;
    }
    let minus = minus && magnitude != 0;
    match attributes.usage {
        Usage::Packed => packed::store(area, length, magnitude, sign_code(minus, attributes.is_signed())),
        Usage::Zoned => {
            let minus = minus && attributes.is_signed();
            zoned::store(area, length, magnitude, minus, attributes.sign, session.code_page);
        }
        Usage::NationalZoned => national::store(area, length, magnitude, minus, attributes.sign),
        Usage::NumericEdited | Usage::NationalNumericEdited => {
            edit::edit_digits(magnitude, minus, area, attributes, session);
        }
        _ => movement::store_characters(magnitude, digits, area, attributes, session),
    }
    size_error
}

/// Magnitude at `scale`, and whether digits were lost at the high end (or rounding was prohibited). When scaling up
/// overflows, the low-order digits are right.
fn fit(value: &Decimal, scale: i32, digits: u32, rounding: Rounding) -> (u128, bool) {
    let minus = value.coefficient < 0;
    let magnitude = value.coefficient.unsigned_abs();
    if value.scale >= scale {
        let (magnitude, inexact) = drop_digits(magnitude, (value.scale - scale) as u32, minus, rounding);
        return (magnitude, inexact && rounding == Rounding::Prohibited);
    }
    let count = (scale - value.scale) as u32;
    if magnitude == 0 {
        return (0, false);
    }
    if decimal::digit_count(magnitude) + count <= decimal::DIGITS_MAX {
        return (magnitude * power_of_ten(count), false);
    }
    if count >= digits {
        return (0, true);
    }
    (magnitude % power_of_ten(digits - count) * power_of_ten(count), true)
}

/// As [`store`] for a floating-point value. A fixed-point target receives the value rounded at its low-order position
/// ("Conversions and precision": half and above rounds up), also without ROUNDED.
///
/// # Safety
/// As [`store`].
pub unsafe fn store_float(
    value: f64,
    area: *mut u8,
    attributes: &Attributes,
    rounding: Rounding,
    keep_on_size_error: bool,
    session: &Session,
) -> Result<bool> {
    match attributes.usage {
        Usage::Float4 | Usage::Float8 => {
            if float::store(area, attributes.length, value, session.float_format) {
                return Ok(false);
            }
            if keep_on_size_error { Ok(true) } else { Err(Exception::ExponentOverflow) }
        }
        Usage::FloatDisplay => {
            edit::edit_float(value, area, attributes, session);
            Ok(false)
        }
        _ => {
            let rounding = if rounding == Rounding::Truncation { Rounding::NearestAwayFromZero } else { rounding };
            let Some(decimal) = float_at_scale(value, i32::from(attributes.scale)) else {
                return if keep_on_size_error { Ok(true) } else { Err(Exception::ExponentOverflow) };
            };
            Ok(store(&decimal, area, attributes, rounding, keep_on_size_error, session))
        }
    }
}

/// The value with enough decimal places to round once more to `scale` and at most 18 significant digits.
fn float_at_scale(value: f64, scale: i32) -> Option<Decimal> {
    if !value.is_finite() {
        return None;
    }
    let decimal = float_to_decimal(value, FLOAT8_DIGITS);
    let fits = decimal.scale >= scale || decimal::at_scale(&decimal, scale.max(0), Rounding::Truncation).is_some();
    fits.then_some(decimal)
}

/// As [`store`] for an integer (counts, pointers, EXEC results), without rounding; high-order digits are lost.
///
/// # Safety
/// As [`store`].
pub unsafe fn store_integer(value: i64, area: *mut u8, attributes: &Attributes, session: &Session) {
    store(&Decimal::integer(value), area, attributes, Rounding::Truncation, false, session);
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
