//! ADD, SUBTRACT, MULTIPLY, DIVIDE with one source and one target.
//!
//! `unsafe` here reads the source and changes the target: see the parent module.

use super::{load, load_float, load_short, short as decimal_path, store, store_float, store_short};
use crate::attributes::Attributes;
use crate::decimal::{self, Decimal, POWERS_SHORT, Rounding};
use crate::exception::{Exception, Result};
use crate::session::Session;
use crate::shape::Shape;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Operation {
    Add = 0,
    Subtract = 1,
    Multiply = 2,
    Divide = 3,
}

/// `ADD source TO target`, `SUBTRACT source FROM target`, `MULTIPLY source BY target`, `DIVIDE source INTO target`;
/// returns whether there was a size error. Dividing by zero is a size error when `keep_on_size_error`, else an
/// exception.
///
/// # Safety
/// `source` must be readable and `target` writable for the lengths of their attributes.
#[inline]
pub unsafe fn apply(
    operation: Operation,
    source: *const u8,
    source_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    rounding: Rounding,
    keep_on_size_error: bool,
    session: &Session,
) -> Result<bool> {
    apply_giving(
        operation,
        target,
        target_attributes,
        source,
        source_attributes,
        target,
        target_attributes,
        rounding,
        keep_on_size_error,
        session,
    )
}

/// The same with a separate result: left + right, left - right, left * right, left / right GIVING target.
///
/// # Safety
/// As [`apply`].
#[inline]
pub unsafe fn apply_giving(
    operation: Operation,
    left: *const u8,
    left_attributes: &Attributes,
    right: *const u8,
    right_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    rounding: Rounding,
    keep_on_size_error: bool,
    session: &Session,
) -> Result<bool> {
    if matches!(operation, Operation::Add | Operation::Subtract)
        && let Some(outcome) = decimal_path::try_add(
            operation == Operation::Subtract,
            (left, left_attributes),
            (right, right_attributes),
            (target, target_attributes),
            rounding,
            keep_on_size_error,
            session,
        )
    {
        return outcome;
    }
    let (left_scale, right_scale) = (i32::from(left_attributes.scale), i32::from(right_attributes.scale));
    if let Some(a) = load_short(left, left_attributes, session)
        && let Some(b) = load_short(right, right_attributes, session)
    {
        let (a, b) = (unsign(a?, left_attributes), unsign(b?, right_attributes));
        if let Some((value, scale)) = short(operation, a, left_scale, b, right_scale)
            && let Some(outcome) = store_short(value, scale, target, target_attributes, rounding, keep_on_size_error, session)
        {
            return Ok(outcome);
        }
    }
    general(operation, left, left_attributes, right, right_attributes, target, target_attributes, rounding, keep_on_size_error, session)
}

#[inline(always)]
fn unsign(value: i64, attributes: &Attributes) -> i64 {
    if attributes.is_signed() { value } else { value.wrapping_abs() }
}

/// The result in 64 bits, when it fits.
#[inline(always)]
fn short(operation: Operation, a: i64, a_scale: i32, b: i64, b_scale: i32) -> Option<(i64, i32)> {
    match operation {
        Operation::Add | Operation::Subtract => {
            let scale = a_scale.max(b_scale);
            let a = lift(a, scale - a_scale)?;
            let b = lift(b, scale - b_scale)?;
            let sum = if operation == Operation::Add { a.checked_add(b)? } else { a.checked_sub(b)? };
            Some((sum, scale))
        }
        Operation::Multiply => Some((a.checked_mul(b)?, a_scale + b_scale)),
        Operation::Divide => None,
    }
}

#[inline(always)]
fn lift(value: i64, count: i32) -> Option<i64> {
    if count == 0 {
        return Some(value);
    }
    let power = *POWERS_SHORT.get(count as usize).filter(|_| count < 19)?;
    value.checked_mul(power as i64)
}

unsafe fn general(
    operation: Operation,
    left: *const u8,
    left_attributes: &Attributes,
    right: *const u8,
    right_attributes: &Attributes,
    target: *mut u8,
    target_attributes: &Attributes,
    rounding: Rounding,
    keep_on_size_error: bool,
    session: &Session,
) -> Result<bool> {
    if left_attributes.is_float() || right_attributes.is_float() || target_attributes.is_float() {
        let a = load_float(left, left_attributes, session)?;
        let b = load_float(right, right_attributes, session)?;
        let value = match operation {
            Operation::Add => a + b,
            Operation::Subtract => a - b,
            Operation::Multiply => a * b,
            Operation::Divide if b == 0.0 => return divide_by_zero(Exception::FloatDivide, keep_on_size_error),
            Operation::Divide => a / b,
        };
        return store_float(value, target, target_attributes, rounding, keep_on_size_error, session);
    }
    let a = load(left, left_attributes, session)?;
    let b = load(right, right_attributes, session)?;
    // Sums and products keep the places the target sees and two more; they are cut by the receiving field only.
    let decimals = i16::from(target_attributes.scale).max(0) + 2;
    let shape = Shape::new(decimal::DIGITS_MAX as i16 - decimals, decimals);
    let (value, lost) = match operation {
        Operation::Add => decimal::add_checked(&a, &b, exact_shape(a.scale.max(b.scale), shape)),
        Operation::Subtract => decimal::add_checked(&a, &b.negated(), exact_shape(a.scale.max(b.scale), shape)),
        Operation::Multiply => decimal::multiply_checked(&a, &b, exact_shape(a.scale + b.scale, shape)),
        Operation::Divide => {
            if b.coefficient == 0 {
                return divide_by_zero(Exception::DecimalDivide, keep_on_size_error);
            }
            quotient(&a, &b, target_attributes, rounding)?
        }
    };
    if lost && keep_on_size_error {
        return Ok(true);
    }
    Ok(store(&value, target, target_attributes, rounding, keep_on_size_error, session) | lost)
}

/// All decimal places when 38 digits have room for them beside those of a 31-digit target, else those of `least`.
fn exact_shape(scale: i32, least: Shape) -> Shape {
    let scale = scale.max(0) as i16;
    if scale <= least.decimals {
        least
    } else if scale <= 18 {
        Shape::new(38 - scale, scale)
    } else {
        least
    }
}

fn divide_by_zero(exception: Exception, keep_on_size_error: bool) -> Result<bool> {
    if keep_on_size_error { Ok(true) } else { Err(exception) }
}

/// The quotient at one place more than the target's, with a sticky digit so that every rounding mode decides rightly.
fn quotient(a: &Decimal, b: &Decimal, target: &Attributes, rounding: Rounding) -> Result<(Decimal, bool)> {
    let decimals = i16::from(target.scale) + 1;
    let shape = Shape::new(37 - decimals.max(0), decimals);
    let (mut quotient, lost) = decimal::divide_checked(a, b, shape)?;
    if rounding == Rounding::Truncation || rounding == Rounding::NearestAwayFromZero {
        return Ok((quotient, lost));
    }
    let rest = decimal::remainder(a, b, &quotient);
    let negative = (a.coefficient < 0) != (b.coefficient < 0);
    quotient.coefficient *= 10;
    quotient.scale += 1;
    if !rest.is_zero() {
        quotient.coefficient += if negative { -1 } else { 1 };
    }
    Ok((quotient, lost))
}
