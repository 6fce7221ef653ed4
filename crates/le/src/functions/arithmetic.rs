//! Exact arithmetic and statistics. With fixed-point arguments results are fixed point ("mixed functions" of the
//! Programming Guide's appendix on intermediate results); with a floating-point argument they are floating point.
//!
//! `unsafe` here reads the collating sequence of the session: see the parent module.

use std::cmp::Ordering;

use super::{Call, Value, ValueKind, finite, floor};
use crate::code_page::CCSID_1208;
use crate::compare::{compare_bytes, compare_collated, compare_national};
use crate::decimal::{self, Decimal, Rounding};
use crate::exception::{Exception, Result};
use crate::shape::Shape;

const EXACT: Shape = Shape::new(38, 300);

pub fn abs(call: &mut Call<'_>) -> Result<Value> {
    if call.any_float() {
        return finite(call.float(0)?.abs());
    }
    let value = call.decimal(0)?;
    Ok(Value::decimal(Decimal::new(value.coefficient.abs(), value.scale)))
}

pub fn sign(call: &mut Call<'_>) -> Result<Value> {
    let value = call.get(0)?;
    let sign = if value.kind == ValueKind::Float {
        i64::from(value.float > 0.0) - i64::from(value.float < 0.0)
    } else {
        i64::from(call.decimal(0)?.signum())
    };
    Ok(Value::integer(sign))
}

/// The greatest integer not greater than the argument.
pub fn integer(call: &mut Call<'_>) -> Result<Value> {
    floor(&call.decimal(0)?).map(Value::decimal)
}

pub fn integer_part(call: &mut Call<'_>) -> Result<Value> {
    let part = decimal::at_scale(&call.decimal(0)?, 0, Rounding::Truncation).ok_or(Exception::FunctionArgument)?;
    Ok(Value::decimal(part))
}

/// argument-1 - argument-2 * INTEGER(argument-1 / argument-2), integers.
pub fn modulo(call: &mut Call<'_>) -> Result<Value> {
    let (a, b) = (call.decimal(0)?, call.decimal(1)?);
    let (a, b) = (whole(&a)?, whole(&b)?);
    if b == 0 {
        return Err(Exception::FunctionArgument);
    }
    let rest = a % b;
    let rest = if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest };
    Ok(Value::decimal(Decimal::new(rest, 0)))
}

fn whole(value: &Decimal) -> Result<i128> {
    Ok(decimal::at_scale(value, 0, Rounding::Truncation).ok_or(Exception::FunctionArgument)?.coefficient)
}

/// argument-1 - argument-2 * INTEGER-PART(argument-1 / argument-2).
pub fn rem(call: &mut Call<'_>) -> Result<Value> {
    if call.any_float() {
        return finite(call.float(0)? % call.float(1)?);
    }
    let (a, b) = (call.decimal(0)?, call.decimal(1)?);
    let scale = a.scale.max(b.scale);
    let (Some(a), Some(b)) = (decimal::at_scale(&a, scale, Rounding::Truncation), decimal::at_scale(&b, scale, Rounding::Truncation))
    else {
        return Err(Exception::FunctionArgument);
    };
    if b.is_zero() {
        return Err(Exception::FunctionArgument);
    }
    Ok(Value::decimal(Decimal::new(a.coefficient % b.coefficient, scale)))
}

/// Up to 28 with ARITH(COMPAT), 29 with EXTEND.
pub fn factorial(call: &mut Call<'_>) -> Result<Value> {
    let value = call.integer(0)?;
    let limit = i64::from(call.session.intermediate_digits()) - 2;
    if !(0..=limit).contains(&value) {
        return Err(Exception::FunctionArgument);
    }
    Ok(Value::decimal(Decimal::new((1..=i128::from(value)).product(), 0)))
}

/// Order of two arguments: numbers algebraically, characters as relation conditions do.
fn order(call: &Call<'_>, left: &Value, right: &Value) -> Ordering {
    use ValueKind::{Decimal, Float, National};
    match (left.kind, right.kind) {
        (Decimal, Decimal) => decimal::compare(&left.decimal, &right.decimal),
        (Decimal | Float, Decimal | Float) => left.as_float().partial_cmp(&right.as_float()).unwrap_or(Ordering::Equal),
        (National, National) => compare_national(left.bytes(), right.bytes()),
        (ValueKind::Utf8, ValueKind::Utf8) => compare_bytes(left.bytes(), right.bytes(), CCSID_1208.space),
        _ if call.session.collating.is_null() => compare_bytes(left.bytes(), right.bytes(), call.session.code_page.space),
        _ => {
            // SAFETY: a non-null collating sequence has 256 ordinals, by the contract of `Session`.
            let collating = unsafe { &*call.session.collating };
            compare_collated(left.bytes(), right.bytes(), call.session.code_page.space, collating)
        }
    }
}

/// Index of the first greatest (or least) argument.
fn extreme(call: &Call<'_>, wanted: Ordering) -> Result<usize> {
    call.get(0)?;
    let mut best = 0;
    for index in 1..call.count() {
        call.session.check_stop()?;
        if order(call, &call.arguments[index], &call.arguments[best]) == wanted {
            best = index;
        }
    }
    Ok(best)
}

pub fn max(call: &mut Call<'_>) -> Result<Value> {
    Ok(call.arguments[extreme(call, Ordering::Greater)?])
}

pub fn min(call: &mut Call<'_>) -> Result<Value> {
    Ok(call.arguments[extreme(call, Ordering::Less)?])
}

pub fn ord_max(call: &mut Call<'_>) -> Result<Value> {
    Ok(Value::integer(extreme(call, Ordering::Greater)? as i64 + 1))
}

pub fn ord_min(call: &mut Call<'_>) -> Result<Value> {
    Ok(Value::integer(extreme(call, Ordering::Less)? as i64 + 1))
}

fn total(call: &Call<'_>) -> Result<Decimal> {
    let mut sum = Decimal::ZERO;
    for index in 0..call.count() {
        call.session.check_stop()?;
        sum = decimal::add(&sum, &call.decimal(index)?, EXACT);
    }
    Ok(sum)
}

fn float_total(call: &Call<'_>) -> Result<f64> {
    (0..call.count()).map(|index| call.float(index)).sum()
}

pub fn sum(call: &mut Call<'_>) -> Result<Value> {
    if call.any_float() {
        return finite(float_total(call)?);
    }
    total(call).map(Value::decimal)
}

/// value / divisor with as many decimal places as the intermediate digits leave.
fn quotient(call: &Call<'_>, value: &Decimal, divisor: i64) -> Result<Value> {
    let digits = call.session.intermediate_digits() as i32;
    let integers = decimal::digit_count(value.coefficient.unsigned_abs()) as i32 - value.scale;
    let decimals = (digits - integers.max(0)).clamp(value.scale.max(0), digits) as i16;
    let shape = Shape::new(38 - decimals.min(37), decimals);
    decimal::divide(value, &Decimal::integer(divisor), shape).map(|value| Value::decimal(value.normalized()))
}

pub fn mean(call: &mut Call<'_>) -> Result<Value> {
    let count = call.count() as i64;
    if call.any_float() {
        return finite(float_total(call)? / count as f64);
    }
    quotient(call, &total(call)?, count)
}

pub fn midrange(call: &mut Call<'_>) -> Result<Value> {
    let (least, greatest) = (call.arguments[extreme(call, Ordering::Less)?], call.arguments[extreme(call, Ordering::Greater)?]);
    middle(call, &least, &greatest)
}

fn middle(call: &Call<'_>, a: &Value, b: &Value) -> Result<Value> {
    if a.kind == ValueKind::Float || b.kind == ValueKind::Float {
        return finite((a.as_float() + b.as_float()) / 2.0);
    }
    quotient(call, &decimal::add(&a.decimal, &b.decimal, EXACT), 2)
}

pub fn range(call: &mut Call<'_>) -> Result<Value> {
    let (least, greatest) = (call.arguments[extreme(call, Ordering::Less)?], call.arguments[extreme(call, Ordering::Greater)?]);
    if call.any_float() {
        return finite(greatest.as_float() - least.as_float());
    }
    Ok(Value::decimal(decimal::subtract(&greatest.decimal, &least.decimal, EXACT)))
}

/// The argument preceded by `rank` others in order (ties by position): found by counting, so nothing is sorted.
fn ranked(call: &Call<'_>, rank: usize) -> Result<Value> {
    let precedes = |other: usize, index: usize| match order(call, &call.arguments[other], &call.arguments[index]) {
        Ordering::Less => true,
        Ordering::Equal => other < index,
        Ordering::Greater => false,
    };
    for index in 0..call.count() {
        call.session.check_stop()?;
        if (0..call.count()).filter(|&other| other != index && precedes(other, index)).count() == rank {
            return Ok(call.arguments[index]);
        }
    }
    Ok(call.arguments[0])
}

pub fn median(call: &mut Call<'_>) -> Result<Value> {
    let count = call.count();
    if count % 2 == 1 {
        return ranked(call, count / 2);
    }
    let (a, b) = (ranked(call, count / 2 - 1)?, ranked(call, count / 2)?);
    middle(call, &a, &b)
}

fn spread(call: &Call<'_>) -> Result<f64> {
    let count = call.count() as f64;
    let mean = float_total(call)? / count;
    let squares: f64 = call.arguments.iter().map(|value| (value.as_float() - mean).powi(2)).sum();
    Ok(squares / count)
}

pub fn variance(call: &mut Call<'_>) -> Result<Value> {
    finite(spread(call)?)
}

pub fn standard_deviation(call: &mut Call<'_>) -> Result<Value> {
    finite(spread(call)?.sqrt())
}
