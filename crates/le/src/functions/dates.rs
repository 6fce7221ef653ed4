//! Dates as integers, CURRENT-DATE, and expansion of two-digit years.

use super::{Call, Value};
use crate::calendar::{self, Date, INTEGER_DATE_MAX, LocalTime};
use crate::decimal::{self, Decimal};
use crate::exception::{Exception, Result};
use crate::shape::Shape;

/// Earliest year of integer dates.
const YEAR_MIN: i64 = 1601;
const YEAR_MAX: i64 = 9999;

fn integer_date(value: i64) -> Result<Date> {
    if (1..=INTEGER_DATE_MAX).contains(&value) { Ok(Date::from_integer_date(value)) } else { Err(Exception::FunctionArgument) }
}

pub fn date_of_integer(call: &mut Call<'_>) -> Result<Value> {
    let date = integer_date(call.integer(0)?)?;
    Ok(Value::integer(i64::from(date.year) * 10_000 + i64::from(date.month * 100 + date.day)))
}

pub fn day_of_integer(call: &mut Call<'_>) -> Result<Value> {
    let date = integer_date(call.integer(0)?)?;
    Ok(Value::integer(i64::from(date.year) * 1000 + i64::from(date.day_of_year())))
}

/// The parts of YYYYMMDD, or which of them is wrong (1 year, 2 month, 3 day).
fn date_of(value: i64) -> std::result::Result<Date, i64> {
    let (year, month, day) = (value / 10_000, value / 100 % 100, value % 100);
    if !(YEAR_MIN..=YEAR_MAX).contains(&year) {
        return Err(1);
    }
    if !(1..=12).contains(&month) {
        return Err(2);
    }
    Date::new(year as i32, month as u32, day as u32).ok_or(3)
}

fn ordinal_of(value: i64) -> std::result::Result<Date, i64> {
    let (year, day) = (value / 1000, value % 1000);
    if !(YEAR_MIN..=YEAR_MAX).contains(&year) {
        return Err(1);
    }
    Date::from_ordinal(year as i32, day as u32).ok_or(2)
}

/// 0 when the argument is no date.
pub fn integer_of_date(call: &mut Call<'_>) -> Result<Value> {
    Ok(Value::integer(date_of(call.integer(0)?).map_or(0, Date::integer_date)))
}

/// 0 when the argument is no date.
pub fn integer_of_day(call: &mut Call<'_>) -> Result<Value> {
    Ok(Value::integer(ordinal_of(call.integer(0)?).map_or(0, Date::integer_date)))
}

pub fn test_date_yyyymmdd(call: &mut Call<'_>) -> Result<Value> {
    Ok(Value::integer(date_of(call.integer(0)?).err().unwrap_or(0)))
}

pub fn test_day_yyyyddd(call: &mut Call<'_>) -> Result<Value> {
    Ok(Value::integer(ordinal_of(call.integer(0)?).err().unwrap_or(0)))
}

/// The current local time of the session.
pub fn local_now(call: &Call<'_>) -> LocalTime {
    let (seconds, nanoseconds) = calendar::now();
    LocalTime::of(seconds, nanoseconds, call.session.utc_offset_seconds)
}

/// The year of a two-digit year in the hundred years that end at the current year plus the window.
fn expand(call: &Call<'_>, year: i64, window_index: usize) -> Result<i64> {
    let window = call.integer_or(window_index, 50)?;
    let last = i64::from(local_now(call).date.year) + window;
    if !(0..=99).contains(&year) || !(1700..10_000).contains(&last) {
        return Err(Exception::FunctionArgument);
    }
    let century = if last % 100 >= year { last / 100 } else { last / 100 - 1 };
    Ok(century * 100 + year)
}

pub fn year_to_yyyy(call: &mut Call<'_>) -> Result<Value> {
    expand(call, call.integer(0)?, 1).map(Value::integer)
}

pub fn date_to_yyyymmdd(call: &mut Call<'_>) -> Result<Value> {
    let value = call.integer(0)?;
    if !(0..=999_999).contains(&value) {
        return Err(Exception::FunctionArgument);
    }
    Ok(Value::integer(expand(call, value / 10_000, 1)? * 10_000 + value % 10_000))
}

pub fn day_to_yyyyddd(call: &mut Call<'_>) -> Result<Value> {
    let value = call.integer(0)?;
    if !(0..=99_999).contains(&value) {
        return Err(Exception::FunctionArgument);
    }
    Ok(Value::integer(expand(call, value / 1000, 1)? * 1000 + value % 1000))
}

/// The program has no century window, so 0.
pub fn year_window(_: &mut Call<'_>) -> Result<Value> {
    Ok(Value::integer(0))
}

/// Date and time joined: integer date plus seconds / 100000.
pub fn combined_datetime(call: &mut Call<'_>) -> Result<Value> {
    let (date, seconds) = (call.decimal(0)?, call.decimal(1)?);
    let fraction = Decimal::new(seconds.coefficient, seconds.scale + 5);
    Ok(Value::decimal(decimal::add(&date, &fraction, Shape::new(10, 28))))
}

pub fn seconds_past_midnight(call: &mut Call<'_>) -> Result<Value> {
    let time = local_now(call);
    let seconds = i128::from(time.hour * 3600 + time.minute * 60 + time.second);
    Ok(Value::decimal(Decimal::new(seconds * 1_000_000 + i128::from(time.nanosecond / 1000), 6)))
}

pub fn current_date(call: &mut Call<'_>) -> Result<Value> {
    let text = local_now(call).text(call.session.utc_offset_seconds);
    call.text(&text)
}

pub fn when_compiled(call: &mut Call<'_>) -> Result<Value> {
    call.get(0).copied()
}
