//! Exact decimal values.
use std::cmp::Ordering;
use crate::{Exception, Result, Shape};

/// A fixed-point value: coefficient times ten to the power -scale. |coefficient| < 10^38.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Decimal { pub coefficient: i128, pub scale: i32 }
const _: () = assert!(std::mem::size_of::<Decimal>() == 32);

/// ROUNDED MODE; the default of ROUNDED is nearest away from zero, of no ROUNDED phrase truncation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Rounding { Truncation = 0, NearestAwayFromZero = 1, NearestEven = 2, NearestTowardZero = 3, AwayFromZero = 4, TowardGreater = 5, TowardLesser = 6, Prohibited = 7 }

impl Decimal {
    pub const fn new(coefficient: i128, scale: i32) -> Decimal { Decimal { coefficient, scale } }
    pub const fn integer(value: i64) -> Decimal { Decimal::new(value as i128, 0) }
}
/// left + right; digits beyond `shape` are dropped as IBM's intermediate results drop them.
pub fn add(left: &Decimal, right: &Decimal, shape: Shape) -> Decimal { todo!() }
pub fn subtract(left: &Decimal, right: &Decimal, shape: Shape) -> Decimal { todo!() }
pub fn multiply(left: &Decimal, right: &Decimal, shape: Shape) -> Decimal { todo!() }
/// left / right with `shape.decimals` decimal places, truncated. Zero divisor: `DecimalDivide`.
pub fn divide(left: &Decimal, right: &Decimal, shape: Shape) -> Result<Decimal> { todo!() }
/// left - right * truncated quotient (DIVIDE ... REMAINDER): quotient has `quotient_scale` decimals.
pub fn remainder(left: &Decimal, right: &Decimal, quotient: &Decimal) -> Decimal { todo!() }
/// base ** exponent, exponent an integer.
pub fn power(base: &Decimal, exponent: i32, shape: Shape) -> Result<Decimal> { todo!() }
pub fn compare(left: &Decimal, right: &Decimal) -> Ordering { todo!() }
pub fn negate(value: &Decimal) -> Decimal { todo!() }
/// Nearest f64.
pub fn to_float(value: &Decimal) -> f64 { todo!() }
/// The value at `scale` decimal places.
pub fn from_float(value: f64, scale: i32, rounding: Rounding) -> Result<Decimal> { todo!() }
