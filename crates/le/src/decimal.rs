//! Exact decimal values and the arithmetic of intermediate results.
//!
//! A [`Decimal`] holds fewer than 39 digits: operands have up to 31, carried intermediate results up to 31, products and dividends are
//! computed wider and truncated to the shape the compiler computed ([`crate::shape`]). Truncation drops decimal places first, then
//! high-order digits, as in the tables of the Programming Guide's appendix.

use std::cmp::Ordering;

use crate::wide::Wide;
use crate::{Exception, Result, Shape};

/// A fixed-point value: coefficient times ten to the power -scale; |coefficient| < 10^38.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Decimal {
    pub coefficient: i128,
    pub scale: i32,
}

const _: () = assert!(std::mem::size_of::<Decimal>() == 32);

/// ROUNDED MODE. ROUNDED alone is nearest away from zero, no ROUNDED phrase is truncation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Rounding {
    Truncation = 0,
    NearestAwayFromZero = 1,
    NearestEven = 2,
    NearestTowardZero = 3,
    AwayFromZero = 4,
    TowardGreater = 5,
    TowardLesser = 6,
    /// A result that would need rounding is a size error.
    Prohibited = 7,
}

impl Rounding {
    /// That of a number as compiled code passes it.
    pub fn from_number(number: u32) -> Rounding {
        debug_assert!(number <= Rounding::Prohibited as u32, "there is no rounding {number}");
        match number {
            0 => Rounding::Truncation,
            1 => Rounding::NearestAwayFromZero,
            2 => Rounding::NearestEven,
            3 => Rounding::NearestTowardZero,
            4 => Rounding::AwayFromZero,
            5 => Rounding::TowardGreater,
            6 => Rounding::TowardLesser,
            _ => Rounding::Prohibited,
        }
    }
}

/// The most digits a coefficient has.
pub const DIGITS_MAX: u32 = 38;

const POWERS: [u128; 39] = powers();
pub(crate) const POWERS_SHORT: [u64; 20] = powers_short();

const fn powers() -> [u128; 39] {
    let mut table = [1u128; 39];
    let mut index = 1;
    while index < 39 {
        table[index] = table[index - 1] * 10;
        index += 1;
    }
    table
}

const fn powers_short() -> [u64; 20] {
    let mut table = [1u64; 20];
    let mut index = 1;
    while index < 20 {
        table[index] = table[index - 1] * 10;
        index += 1;
    }
    table
}

/// Ten to a power of at most 38.
#[inline]
pub const fn power_of_ten(exponent: u32) -> u128 {
    POWERS[exponent as usize]
}

/// magnitude / 10^count and the remainder; by 64-bit division if that is enough.
#[inline]
pub(crate) fn split(magnitude: u128, count: u32) -> (u128, u128) {
    if count > DIGITS_MAX {
        return (0, magnitude);
    }
    if count < 20
        && let Ok(short) = u64::try_from(magnitude)
    {
        let power = POWERS_SHORT[count as usize];
        return (u128::from(short / power), u128::from(short % power));
    }
    let power = POWERS[count as usize];
    (magnitude / power, magnitude % power)
}

/// Number of decimal digits; 0 has none.
#[inline]
pub fn digit_count(magnitude: u128) -> u32 {
    let bits = 128 - magnitude.leading_zeros();
    let estimate = (bits * 1233) >> 12;
    if estimate > DIGITS_MAX {
        return 39;
    }
    estimate + u32::from(magnitude >= POWERS[estimate as usize])
}

impl Decimal {
    pub const ZERO: Decimal = Decimal::new(0, 0);

    pub const fn new(coefficient: i128, scale: i32) -> Decimal {
        Decimal { coefficient, scale }
    }

    pub const fn integer(value: i64) -> Decimal {
        Decimal::new(value as i128, 0)
    }

    pub const fn is_zero(&self) -> bool {
        self.coefficient == 0
    }

    pub const fn is_negative(&self) -> bool {
        self.coefficient < 0
    }

    /// -1, 0 or 1.
    pub const fn signum(&self) -> i32 {
        self.coefficient.signum() as i32
    }

    /// The value without trailing zeros after the decimal point.
    pub fn normalized(mut self) -> Decimal {
        while self.scale > 0 && self.coefficient % 10 == 0 {
            self.coefficient /= 10;
            self.scale -= 1;
        }
        self
    }

    /// Integer part, truncated towards zero; `None` when it does not fit.
    pub fn to_integer(&self) -> Option<i64> {
        i64::try_from(at_scale(self, 0, Rounding::Truncation)?.coefficient).ok()
    }

    /// Whether there are no decimal places other than zeros.
    pub fn is_integer(&self) -> bool {
        self.scale <= 0 || split(self.coefficient.unsigned_abs(), self.scale as u32).1 == 0
    }

    pub fn negated(&self) -> Decimal {
        Decimal::new(-self.coefficient, self.scale)
    }
}

/// Whether dropping `rest` out of `unit` moves the quotient away from zero.
#[inline]
fn rounds_up(rest_doubled: Ordering, inexact: bool, odd: bool, negative: bool, rounding: Rounding) -> bool {
    inexact
        && match rounding {
            Rounding::Truncation | Rounding::Prohibited => false,
            Rounding::NearestAwayFromZero => rest_doubled != Ordering::Less,
            Rounding::NearestEven => rest_doubled == Ordering::Greater || (rest_doubled == Ordering::Equal && odd),
            Rounding::NearestTowardZero => rest_doubled == Ordering::Greater,
            Rounding::AwayFromZero => true,
            Rounding::TowardGreater => !negative,
            Rounding::TowardLesser => negative,
        }
}

/// Drops `count` low-order digits with rounding; the flag is set if any of them was not zero.
#[inline]
pub(crate) fn drop_digits(magnitude: u128, count: u32, negative: bool, rounding: Rounding) -> (u128, bool) {
    if count == 0 {
        return (magnitude, false);
    }
    let (quotient, rest) = split(magnitude, count);
    if rest == 0 {
        return (quotient, false);
    }
    // Above 38 digits the unit is more than twice any remainder.
    let half = if count > DIGITS_MAX { Ordering::Less } else { rest.cmp(&(POWERS[count as usize] - rest)) };
    let up = rounds_up(half, true, quotient & 1 == 1, negative, rounding);
    (quotient + u128::from(up), true)
}

#[inline]
fn signed(magnitude: u128, negative: bool) -> i128 {
    if negative { -(magnitude as i128) } else { magnitude as i128 }
}

/// The value at another scale. `None` when it does not fit 38 digits; with `Rounding::Prohibited` also when it is inexact.
pub fn at_scale(value: &Decimal, scale: i32, rounding: Rounding) -> Option<Decimal> {
    let negative = value.coefficient < 0;
    let magnitude = value.coefficient.unsigned_abs();
    if scale >= value.scale {
        let count = (scale - value.scale) as u32;
        if magnitude == 0 {
            return Some(Decimal::new(0, scale));
        }
        if digit_count(magnitude) + count > DIGITS_MAX {
            return None;
        }
        return Some(Decimal::new(signed(magnitude * POWERS[count as usize], negative), scale));
    }
    let (magnitude, inexact) = drop_digits(magnitude, (value.scale - scale) as u32, negative, rounding);
    if inexact && rounding == Rounding::Prohibited {
        return None;
    }
    Some(Decimal::new(signed(magnitude, negative), scale))
}

/// Truncates a magnitude at `scale` to the shape: decimal places first, then high-order digits; the flag is set if any of the latter were
/// lost.
fn cut(mut magnitude: Wide, negative: bool, mut scale: i32, shape: Shape) -> (Decimal, bool) {
    let decimals = i32::from(shape.decimals);
    if scale > decimals {
        let count = (scale - decimals) as u32;
        magnitude = magnitude.divide(&Wide::from_u128(1).scale_up(count.min(114))).0;
        scale = decimals;
    }
    let digits = (i32::from(shape.integers) + scale).clamp(1, DIGITS_MAX as i32) as u32;
    let limit = Wide::from_u128(POWERS[digits as usize]);
    let lost = magnitude.compare(&limit) != Ordering::Less;
    if lost && shape.integers == Shape::ALL_INTEGERS {
        return (leading(magnitude, negative, scale), false);
    }
    if lost {
        magnitude = magnitude.divide(&limit).1;
    }
    (Decimal::new(signed(magnitude.to_u128().unwrap_or(0), negative), scale), lost)
}

/// The 38 high-order digits of a longer coefficient: more than any item has, so a size error is sure when places before the point go.
#[cold]
fn leading(mut magnitude: Wide, negative: bool, mut scale: i32) -> Decimal {
    let limit = Wide::from_u128(POWERS[DIGITS_MAX as usize]);
    let ten = Wide::from_u128(10);
    while magnitude.compare(&limit) != Ordering::Less {
        magnitude = magnitude.divide(&ten).0;
        scale -= 1;
    }
    Decimal::new(signed(magnitude.to_u128().unwrap_or(0), negative), scale)
}

/// Cuts a coefficient that fits 38 digits.
#[inline]
fn cut_short(coefficient: i128, scale: i32, shape: Shape) -> (Decimal, bool) {
    let decimals = i32::from(shape.decimals);
    let negative = coefficient < 0;
    let mut magnitude = coefficient.unsigned_abs();
    let mut scale = scale;
    if scale > decimals {
        magnitude = split(magnitude, (scale - decimals) as u32).0;
        scale = decimals;
    }
    let digits = (i32::from(shape.integers) + scale).clamp(1, DIGITS_MAX as i32) as usize;
    let lost = magnitude >= POWERS[digits];
    if lost && shape.integers == Shape::ALL_INTEGERS {
        return (leading(Wide::from_u128(magnitude), negative, scale), false);
    }
    if lost {
        magnitude %= POWERS[digits];
    }
    (Decimal::new(signed(magnitude, negative), scale), lost)
}

/// left + right; digits beyond `shape` are dropped.
#[inline]
pub fn add(left: &Decimal, right: &Decimal, shape: Shape) -> Decimal {
    add_checked(left, right, shape).0
}

/// As [`add`]; the flag is set if high-order digits were lost.
#[inline]
pub(crate) fn add_checked(left: &Decimal, right: &Decimal, shape: Shape) -> (Decimal, bool) {
    if left.scale == right.scale {
        return cut_short(left.coefficient + right.coefficient, left.scale, shape);
    }
    let scale = left.scale.max(right.scale);
    match (at_scale(left, scale, Rounding::Truncation), at_scale(right, scale, Rounding::Truncation)) {
        (Some(left), Some(right)) => cut_short(left.coefficient + right.coefficient, scale, shape),
        _ => add_wide(left, right, scale, shape),
    }
}

#[cold]
fn add_wide(left: &Decimal, right: &Decimal, scale: i32, shape: Shape) -> (Decimal, bool) {
    let lift = |value: &Decimal| {
        let magnitude = Wide::from_u128(value.coefficient.unsigned_abs());
        (magnitude.scale_up((scale - value.scale).min(76) as u32), value.coefficient < 0)
    };
    let ((a, a_negative), (b, b_negative)) = (lift(left), lift(right));
    if a_negative == b_negative {
        return cut(a.add(&b), a_negative, scale, shape);
    }
    match a.compare(&b) {
        Ordering::Less => cut(b.subtract(&a), b_negative, scale, shape),
        _ => cut(a.subtract(&b), a_negative, scale, shape),
    }
}

/// left - right; digits beyond `shape` are dropped.
#[inline]
pub fn subtract(left: &Decimal, right: &Decimal, shape: Shape) -> Decimal {
    add(left, &right.negated(), shape)
}

/// left * right; digits beyond `shape` are dropped.
#[inline]
pub fn multiply(left: &Decimal, right: &Decimal, shape: Shape) -> Decimal {
    multiply_checked(left, right, shape).0
}

/// As [`multiply`]; the flag is set if high-order digits were lost.
#[inline]
pub(crate) fn multiply_checked(left: &Decimal, right: &Decimal, shape: Shape) -> (Decimal, bool) {
    let scale = left.scale + right.scale;
    if let (Ok(a), Ok(b)) = (i64::try_from(left.coefficient), i64::try_from(right.coefficient)) {
        return cut_short(i128::from(a) * i128::from(b), scale, shape);
    }
    let (a, b) = (left.coefficient.unsigned_abs(), right.coefficient.unsigned_abs());
    let negative = (left.coefficient < 0) != (right.coefficient < 0);
    if a.leading_zeros() + b.leading_zeros() > 130 {
        return cut_short(signed(a * b, negative), scale, shape);
    }
    cut(Wide::from_u128(a).multiply(&Wide::from_u128(b)), negative, scale, shape)
}

/// left / right with `shape.decimals` decimal places, truncated. A zero divisor is `DecimalDivide`.
pub fn divide(left: &Decimal, right: &Decimal, shape: Shape) -> Result<Decimal> {
    divide_checked(left, right, shape).map(|(quotient, _)| quotient)
}

/// As [`divide`]; the flag is set if high-order digits were lost.
pub(crate) fn divide_checked(left: &Decimal, right: &Decimal, shape: Shape) -> Result<(Decimal, bool)> {
    if right.coefficient == 0 {
        return Err(Exception::DecimalDivide);
    }
    let scale = i32::from(shape.decimals);
    let negative = (left.coefficient < 0) != (right.coefficient < 0);
    let (a, b) = (left.coefficient.unsigned_abs(), right.coefficient.unsigned_abs());
    // quotient * 10^scale = a * 10^(scale - left.scale + right.scale) / b
    let exponent = scale - left.scale + right.scale;
    if exponent >= 0 && digit_count(a) + exponent as u32 <= DIGITS_MAX {
        let dividend = a * POWERS[exponent as usize];
        let (quotient, rest) = match (u64::try_from(dividend), u64::try_from(b)) {
            (Ok(short), Ok(divisor)) => (u128::from(short / divisor), u128::from(short % divisor)),
            _ => (dividend / b, dividend % b),
        };
        let (quotient, lost) = cut_short(signed(quotient, negative), scale, shape);
        return Ok((with_rest(quotient, negative, rest != 0, shape), lost));
    }
    let (dividend, divisor) = if exponent >= 0 {
        (Wide::from_u128(a).scale_up(exponent.min(76) as u32), Wide::from_u128(b))
    } else {
        (Wide::from_u128(a), Wide::from_u128(b).scale_up((-exponent).min(76) as u32))
    };
    let (quotient, rest) = dividend.divide(&divisor);
    let (quotient, lost) = cut(quotient, negative, scale, shape);
    Ok((with_rest(quotient, negative, !rest.is_zero() || quotient.scale != scale, shape), lost))
}

/// Marks a statement's last quotient as inexact: every rounding mode depends on places behind the receiver's, and decides the same whatever
/// follows a digit that is neither 0 nor 5.
fn with_rest(quotient: Decimal, negative: bool, inexact: bool, shape: Shape) -> Decimal {
    let hidden = inexact && shape.integers == Shape::ALL_INTEGERS && quotient.coefficient % 5 == 0;
    let away = if negative { -1 } else { 1 };
    Decimal { coefficient: quotient.coefficient + if hidden { away } else { 0 }, ..quotient }
}

/// DIVIDE ... REMAINDER: left - quotient * right, exact, where `quotient` was truncated to the scale of its field.
pub fn remainder(left: &Decimal, right: &Decimal, quotient: &Decimal) -> Decimal {
    let wide = Shape::new(38, 38);
    let product = multiply(quotient, right, wide);
    let shape = Shape::new(DIGITS_MAX as i16, i16::MAX / 2);
    subtract(left, &product, shape)
}

/// base ** exponent for an integer exponent, each product cut to `shape`. Zero to a power not above zero is undefined.
pub fn power(base: &Decimal, exponent: i32, shape: Shape) -> Result<Decimal> {
    if exponent <= 0 && base.coefficient == 0 {
        return Err(Exception::Exponentiation);
    }
    let mut result = Decimal::integer(1);
    let mut square = *base;
    let mut left = exponent.unsigned_abs();
    while left > 0 {
        if left & 1 == 1 {
            result = multiply(&result, &square, shape);
        }
        left >>= 1;
        if left > 0 {
            square = multiply(&square, &square, shape);
        }
    }
    if exponent < 0 {
        return divide(&Decimal::integer(1), &result, shape);
    }
    Ok(result)
}

/// Algebraic comparison.
#[inline]
pub fn compare(left: &Decimal, right: &Decimal) -> Ordering {
    if left.scale == right.scale {
        return left.coefficient.cmp(&right.coefficient);
    }
    let signs = left.signum().cmp(&right.signum());
    if signs != Ordering::Equal || left.coefficient == 0 {
        return signs;
    }
    let scale = left.scale.max(right.scale);
    match (at_scale(left, scale, Rounding::Truncation), at_scale(right, scale, Rounding::Truncation)) {
        (Some(left), Some(right)) => left.coefficient.cmp(&right.coefficient),
        // Only the operand of smaller scale can overflow; its magnitude is then the greater one.
        (None, _) => {
            if left.coefficient < 0 {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (_, None) => {
            if right.coefficient < 0 {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
    }
}

/// The nearest f64.
pub fn to_float(value: &Decimal) -> f64 {
    let magnitude = value.coefficient.unsigned_abs();
    if magnitude < 1 << 53 && (-22..=22).contains(&value.scale) {
        let power = POWERS[value.scale.unsigned_abs() as usize] as f64;
        let float = magnitude as f64;
        let float = if value.scale >= 0 { float / power } else { float * power };
        return if value.coefficient < 0 { -float } else { float };
    }
    let mut text = StackText::new();
    let _ = std::fmt::Write::write_fmt(&mut text, format_args!("{}e{}", value.coefficient, -value.scale));
    text.as_str().parse().unwrap_or(0.0)
}

/// Text of bounded length on the stack, to format and parse numbers without the heap.
pub(crate) struct StackText {
    bytes: [u8; 64],
    length: usize,
}

impl StackText {
    pub(crate) fn new() -> StackText {
        StackText { bytes: [0; 64], length: 0 }
    }

    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or("")
    }
}

impl std::fmt::Write for StackText {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.length + text.len();
        self.bytes.get_mut(self.length..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// The exact value of the f64, brought to `scale` decimal places. Too large a value is `ExponentOverflow`.
pub fn from_float(value: f64, scale: i32, rounding: Rounding) -> Result<Decimal> {
    if !value.is_finite() {
        return Err(Exception::ExponentOverflow);
    }
    let bits = value.to_bits();
    let negative = bits >> 63 == 1;
    let exponent = (bits >> 52 & 0x7FF) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    if mantissa == 0 {
        return Ok(Decimal::new(0, scale));
    }
    let mut dividend = Wide::from_u128(u128::from(mantissa));
    let mut divisor = Wide::from_u128(1);
    if scale >= 0 {
        dividend = dividend.scale_up(scale.min(76) as u32);
    } else {
        divisor = divisor.scale_up((-scale).min(76) as u32);
    }
    if exponent >= 0 {
        if exponent > 74 {
            return Err(Exception::ExponentOverflow);
        }
        dividend = dividend.shift_left(exponent as u32);
    } else if exponent >= if scale >= 0 { -310 } else { -200 } {
        divisor = divisor.shift_left(-exponent as u32);
    } else {
        return from_tiny(scale, negative, rounding);
    }
    let (quotient, rest) = dividend.divide(&divisor);
    let magnitude = quotient.to_u128().filter(|&whole| whole < POWERS[38] - 1).ok_or(Exception::ExponentOverflow)?;
    let up = !rest.is_zero() && {
        let half = rest.compare(&divisor.subtract(&rest));
        rounds_up(half, true, magnitude & 1 == 1, negative, rounding)
    };
    Ok(Decimal::new(signed(magnitude + u128::from(up), negative), scale))
}

/// A value so small that only the direction of rounding matters.
fn from_tiny(scale: i32, negative: bool, rounding: Rounding) -> Result<Decimal> {
    let up = rounds_up(Ordering::Less, true, false, negative, rounding);
    Ok(Decimal::new(signed(u128::from(up), negative), scale))
}

#[cfg(test)]
#[path = "decimal_tests.rs"]
mod tests;
