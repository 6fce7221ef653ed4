//! Floating-point functions: trigonometry, logarithms, finance, RANDOM; and the constants E and PI.
//!
//! `unsafe` here reads and writes the state of RANDOM, to which the session leads and which one thread at a time uses: see the parent
//! module.

use super::{Call, Value, finite};
use crate::decimal::Decimal;
use crate::exception::{Exception, Result};

fn within(value: f64, low: f64, high: f64) -> Result<f64> {
    if (low..=high).contains(&value) { Ok(value) } else { Err(Exception::FunctionArgument) }
}

pub fn acos(call: &mut Call<'_>) -> Result<Value> {
    finite(within(call.float(0)?, -1.0, 1.0)?.acos())
}

pub fn asin(call: &mut Call<'_>) -> Result<Value> {
    finite(within(call.float(0)?, -1.0, 1.0)?.asin())
}

pub fn atan(call: &mut Call<'_>) -> Result<Value> {
    finite(call.float(0)?.atan())
}

pub fn cos(call: &mut Call<'_>) -> Result<Value> {
    finite(call.float(0)?.cos())
}

pub fn sin(call: &mut Call<'_>) -> Result<Value> {
    finite(call.float(0)?.sin())
}

pub fn tan(call: &mut Call<'_>) -> Result<Value> {
    finite(call.float(0)?.tan())
}

pub fn exp(call: &mut Call<'_>) -> Result<Value> {
    finite(call.float(0)?.exp())
}

pub fn exp10(call: &mut Call<'_>) -> Result<Value> {
    finite(10f64.powf(call.float(0)?))
}

fn positive(value: f64) -> Result<f64> {
    if value > 0.0 { Ok(value) } else { Err(Exception::FunctionArgument) }
}

pub fn log(call: &mut Call<'_>) -> Result<Value> {
    finite(positive(call.float(0)?)?.ln())
}

pub fn log10(call: &mut Call<'_>) -> Result<Value> {
    finite(positive(call.float(0)?)?.log10())
}

pub fn sqrt(call: &mut Call<'_>) -> Result<Value> {
    finite(within(call.float(0)?, 0.0, f64::MAX)?.sqrt())
}

/// 2.718281828459045235360287471352 (30 decimal places).
pub fn e(_: &mut Call<'_>) -> Result<Value> {
    Ok(Value::decimal(Decimal::new(2_718_281_828_459_045_235_360_287_471_352, 30)))
}

/// 3.141592653589793238462643383279 (30 decimal places).
pub fn pi(_: &mut Call<'_>) -> Result<Value> {
    Ok(Value::decimal(Decimal::new(3_141_592_653_589_793_238_462_643_383_279, 30)))
}

/// Ratio of an annuity paid at the end of each of n periods at an interest rate to an initial investment of one.
pub fn annuity(call: &mut Call<'_>) -> Result<Value> {
    let (rate, periods) = (call.float(0)?, call.integer(1)?);
    if rate < 0.0 || periods < 1 {
        return Err(Exception::FunctionArgument);
    }
    if rate == 0.0 {
        return finite(1.0 / periods as f64);
    }
    finite(rate / (1.0 - (1.0 + rate).powf(-(periods as f64))))
}

/// Sum of the amounts discounted at the rate, the first by one period.
pub fn present_value(call: &mut Call<'_>) -> Result<Value> {
    let rate = call.float(0)?;
    if rate <= -1.0 {
        return Err(Exception::FunctionArgument);
    }
    let mut sum = 0.0;
    for index in 1..call.count() {
        sum += call.float(index)? / (1.0 + rate).powi(index as i32);
    }
    finite(sum)
}

/// Pseudo-random number from 0 to below 1: the minimal standard generator (16807, modulus 2^31 - 1), its state in the run
/// unit. A seed starts a sequence; the same seed gives the same sequence.
pub fn random(call: &mut Call<'_>) -> Result<Value> {
    const MODULUS: u64 = 2_147_483_647;
    let state = call.session.random;
    let current = if call.has(0) {
        let seed = call.integer(0)?;
        if seed < 0 {
            return Err(Exception::FunctionArgument);
        }
        seed as u64 % (MODULUS - 1) + 1
    } else if state.is_null() {
        1
    } else {
        // SAFETY: a non-null state is valid for the run unit, by the contract of `Session`.
        (unsafe { *state }) % (MODULUS - 1) + if unsafe { *state } == 0 { 1 } else { 0 }
    };
    let next = current.max(1) * 16_807 % MODULUS;
    if !state.is_null() {
        // SAFETY: as above; a run unit runs on one thread at a time.
        unsafe { *state = next };
    }
    finite((next - 1) as f64 / (MODULUS - 1) as f64)
}
