//! Dates and times in the formats of ISO 8601 (Language Reference, "Date and time formats").
//!
//! A format is made of YYYY MM DD DDD Www D hh mm ss, the separators - : T, a fraction .sss (as many s as digits), and Z, +hhmm or +hh:mm
//! for the offset from UTC. Basic formats have no separators, extended ones have them. A fraction begins with a period, or with a comma
//! under DECIMAL-POINT IS COMMA; the value uses the character of the format.

use super::dates::local_now;
use super::{Call, Value};
use crate::calendar::two;
use crate::calendar::{Date, INTEGER_DATE_MAX, LocalTime};
use crate::decimal::{self, Decimal, Rounding};
use crate::exception::{Exception, Result};

const LENGTH_MAX: usize = 48;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Year,
    Month,
    DayOfMonth,
    DayOfYear,
    Week,
    DayOfWeek,
    Hour,
    Minute,
    Second,
    /// Its separator, and its digits.
    Fraction(u8, usize),
    /// Z.
    Utc,
    /// +hhmm or +hh:mm.
    Offset(bool),
    Literal(u8),
}

impl Part {
    /// Characters in the format and in the value (the same for all parts).
    fn width(self) -> usize {
        match self {
            Part::Year => 4,
            Part::DayOfYear | Part::Week => 3,
            Part::Month | Part::DayOfMonth | Part::Hour | Part::Minute | Part::Second => 2,
            Part::DayOfWeek | Part::Utc | Part::Literal(_) => 1,
            Part::Fraction(_, digits) => digits + 1,
            Part::Offset(extended) => {
                if extended {
                    6
                } else {
                    5
                }
            }
        }
    }
}

/// Parts of a format, in order.
struct Format<'a> {
    rest: &'a [u8],
    previous: Option<Part>,
    time: bool,
}

impl<'a> Format<'a> {
    fn new(text: &'a [u8]) -> Format<'a> {
        Format { rest: text.trim_ascii_end(), previous: None, time: false }
    }

    /// The next part; `Some(Err)` when the format is not one of those defined.
    fn part(&mut self) -> Option<Result<Part>> {
        let rest = self.rest;
        let first = *rest.first()?;
        let part = if rest.starts_with(b"YYYY") {
            Part::Year
        } else if rest.starts_with(b"MM") {
            Part::Month
        } else if rest.starts_with(b"DDD") {
            Part::DayOfYear
        } else if rest.starts_with(b"DD") {
            Part::DayOfMonth
        } else if rest.starts_with(b"Www") {
            Part::Week
        } else if first == b'D' {
            Part::DayOfWeek
        } else if rest.starts_with(b"+hh:mm") {
            Part::Offset(true)
        } else if rest.starts_with(b"+hhmm") {
            Part::Offset(false)
        } else if rest.starts_with(b"hh") {
            self.time = true;
            Part::Hour
        } else if rest.starts_with(b"mm") {
            Part::Minute
        } else if self.previous == Some(Part::Second) && matches!(first, b'.' | b',') {
            let digits = rest[1..].iter().take_while(|&&byte| byte == b's').count();
            if !(1..=9).contains(&digits) {
                return Some(Err(Exception::FunctionArgument));
            }
            Part::Fraction(first, digits)
        } else if rest.starts_with(b"ss") {
            Part::Second
        } else if first == b'Z' && self.time {
            Part::Utc
        } else if matches!(first, b'-' | b':' | b'T') {
            Part::Literal(first)
        } else {
            return Some(Err(Exception::FunctionArgument));
        };
        self.rest = &rest[part.width()..];
        self.previous = Some(part);
        Some(Ok(part))
    }
}

/// A moment to format: date, and time of day in seconds and nanoseconds with its offset from UTC.
#[derive(Clone, Copy)]
struct Moment {
    date: Date,
    seconds: u32,
    nanoseconds: u32,
    offset_minutes: i32,
}

impl Moment {
    /// The same moment in UTC.
    fn in_utc(mut self) -> Moment {
        let seconds = self.seconds as i64 - i64::from(self.offset_minutes) * 60;
        self.date = Date::from_civil_day(self.date.civil_day() + seconds.div_euclid(86_400));
        self.seconds = seconds.rem_euclid(86_400) as u32;
        self.offset_minutes = 0;
        self
    }
}

fn write(format: &[u8], moment: Moment, out: &mut [u8; LENGTH_MAX]) -> Result<usize> {
    let utc = format.trim_ascii_end().last() == Some(&b'Z');
    let moment = if utc { moment.in_utc() } else { moment };
    let mut parts = Format::new(format);
    let mut at = 0;
    while let Some(part) = parts.part() {
        let part = part?;
        let target = out.get_mut(at..at + part.width()).ok_or(Exception::FunctionArgument)?;
        let year = |year: i32, target: &mut [u8]| {
            target[..2].copy_from_slice(&two(year as u32 / 100));
            target[2..4].copy_from_slice(&two(year as u32));
        };
        match part {
            Part::Year if format.windows(3).any(|window| window == b"Www") => year(moment.date.iso_week().0, target),
            Part::Year => year(moment.date.year, target),
            Part::Month => target.copy_from_slice(&two(moment.date.month)),
            Part::DayOfMonth => target.copy_from_slice(&two(moment.date.day)),
            Part::DayOfYear => {
                let day = moment.date.day_of_year();
                target[0] = b'0' + (day / 100) as u8;
                target[1..].copy_from_slice(&two(day));
            }
            Part::Week => {
                target[0] = b'W';
                target[1..].copy_from_slice(&two(moment.date.iso_week().1));
            }
            Part::DayOfWeek => target[0] = b'0' + moment.date.weekday() as u8,
            Part::Hour => target.copy_from_slice(&two(moment.seconds / 3600)),
            Part::Minute => target.copy_from_slice(&two(moment.seconds / 60 % 60)),
            Part::Second => target.copy_from_slice(&two(moment.seconds % 60)),
            Part::Fraction(separator, digits) => {
                target[0] = separator;
                let mut rest = moment.nanoseconds;
                for byte in &mut target[1..=digits] {
                    *byte = b'0' + (rest / 100_000_000) as u8;
                    rest = rest % 100_000_000 * 10;
                }
            }
            Part::Utc => target[0] = b'Z',
            Part::Offset(extended) => {
                let minutes = moment.offset_minutes.unsigned_abs();
                target[0] = if moment.offset_minutes < 0 { b'-' } else { b'+' };
                target[1..3].copy_from_slice(&two(minutes / 60));
                if extended {
                    target[3] = b':';
                }
                let from = target.len() - 2;
                target[from..].copy_from_slice(&two(minutes % 60));
            }
            Part::Literal(byte) => target[0] = byte,
        }
        at += part.width();
    }
    Ok(at)
}

/// The contents of a formatted text.
#[derive(Clone, Copy, Default)]
struct Reading {
    year: i32,
    month: Option<u32>,
    day: u32,
    week: Option<u32>,
    ordinal: Option<u32>,
    seconds: u32,
    nanoseconds: u32,
    has_date: bool,
}

impl Reading {
    /// The number of days in the month, the days of the year or the weeks of the year that has been read.
    fn days_max(&self) -> u32 {
        (28..=31).rev().find(|day| Date::new(self.year, self.month.unwrap_or(1), *day).is_some()).unwrap_or(31)
    }

    fn ordinal_max(&self) -> u32 {
        if Date::from_ordinal(self.year, 366).is_some() { 366 } else { 365 }
    }

    fn week_max(&self) -> u32 {
        if Date::from_iso_week(self.year, 53, 1).is_some() { 53 } else { 52 }
    }

    fn date(&self) -> Option<Date> {
        match (self.month, self.week, self.ordinal) {
            (Some(month), _, _) => Date::new(self.year, month, self.day),
            // The last week of 9999 ends in a year that has no dates.
            (_, Some(week), _) => Date::from_iso_week(self.year, week, self.day).filter(|date| date.integer_date() <= INTEGER_DATE_MAX),
            (_, _, Some(ordinal)) => Date::from_ordinal(self.year, ordinal),
            _ => None,
        }
    }
}

/// Why a text does not fit its format: the position (1-based) of the first character in error.
enum Mismatch {
    Format,
    At(usize),
}

/// A number from `low` to `high`. In error is the first digit at which it can be determined that the number is outside: no number that
/// begins with these digits is in the range. (Language Reference, TEST-FORMATTED-DATETIME: 15990316 is in error at position 2.)
fn number(text: &[u8], start: usize, width: usize, low: u32, high: u32) -> std::result::Result<u32, Mismatch> {
    let (low, high) = (u64::from(low), u64::from(high));
    let mut value = 0;
    for index in 0..width {
        let Some(digit @ b'0'..=b'9') = text.get(start + index) else { return Err(Mismatch::At(start + index + 1)) };
        value = value * 10 + u64::from(digit - b'0');
        let open = 10u64.pow((width - 1 - index) as u32);
        if value * open > high || value * open + (open - 1) < low {
            return Err(Mismatch::At(start + index + 1));
        }
    }
    assert!((low..=high).contains(&value), "all digits are known");
    Ok(value as u32)
}

fn read(format: &[u8], text: &[u8]) -> std::result::Result<Reading, Mismatch> {
    let mut parts = Format::new(format);
    let mut reading = Reading::default();
    let mut at = 0;
    while let Some(part) = parts.part() {
        let part = part.map_err(|_| Mismatch::Format)?;
        match part {
            Part::Year => {
                reading.year = number(text, at, 4, 1601, 9999)? as i32;
                reading.has_date = true;
            }
            Part::Month => reading.month = Some(number(text, at, 2, 1, 12)?),
            Part::DayOfMonth => {
                reading.day = number(text, at, 2, 1, reading.days_max())?;
            }
            Part::DayOfYear => {
                reading.ordinal = Some(number(text, at, 3, 1, reading.ordinal_max())?);
            }
            Part::Week => {
                literal(text, at, b'W')?;
                reading.week = Some(number(text, at + 1, 2, 1, reading.week_max())?);
            }
            Part::DayOfWeek => {
                reading.day = number(text, at, 1, 1, 7)?;
                if reading.date().is_none() {
                    return Err(Mismatch::At(at + 1));
                }
            }
            Part::Hour => reading.seconds += number(text, at, 2, 0, 23)? * 3600,
            Part::Minute => reading.seconds += number(text, at, 2, 0, 59)? * 60,
            Part::Second => reading.seconds += number(text, at, 2, 0, 59)?,
            Part::Fraction(separator, digits) => {
                literal(text, at, separator)?;
                let value = number(text, at + 1, digits, 0, u32::MAX)?;
                reading.nanoseconds = value * 10u32.pow(9 - digits as u32);
            }
            Part::Utc => literal(text, at, b'Z')?,
            Part::Offset(extended) => {
                if !matches!(text.get(at), Some(b'+' | b'-' | b'0')) {
                    return Err(Mismatch::At(at + 1));
                }
                number(text, at + 1, 2, 0, 23)?;
                if extended {
                    literal(text, at + 3, b':')?;
                }
                number(text, at + 3 + usize::from(extended), 2, 0, 59)?;
            }
            Part::Literal(byte) => literal(text, at, byte)?,
        }
        at += part.width();
    }
    let rest = text.get(at..).unwrap_or(&[]);
    match rest.iter().position(|&byte| byte != b' ') {
        Some(offset) => Err(Mismatch::At(at + offset + 1)),
        None => Ok(reading),
    }
}

fn literal(text: &[u8], at: usize, byte: u8) -> std::result::Result<(), Mismatch> {
    if text.get(at) == Some(&byte) { Ok(()) } else { Err(Mismatch::At(at + 1)) }
}

/// Seconds and nanoseconds of a decimal from 0 to below 86400.
fn seconds_of(value: &Decimal) -> Result<(u32, u32)> {
    let nanoseconds = decimal::at_scale(value, 9, Rounding::Truncation).ok_or(Exception::FunctionArgument)?.coefficient;
    if !(0..86_400_000_000_000).contains(&nanoseconds) {
        return Err(Exception::FunctionArgument);
    }
    Ok(((nanoseconds / 1_000_000_000) as u32, (nanoseconds % 1_000_000_000) as u32))
}

fn date_argument(call: &Call<'_>, index: usize) -> Result<Date> {
    let day = call.integer(index)?;
    if !(1..=INTEGER_DATE_MAX).contains(&day) {
        return Err(Exception::FunctionArgument);
    }
    Ok(Date::from_integer_date(day))
}

/// The offset argument in minutes; the session's when absent.
fn offset_argument(call: &Call<'_>, index: usize) -> Result<i32> {
    let minutes = call.integer_or(index, i64::from(call.session.utc_offset_seconds / 60))?;
    if minutes.abs() >= 1440 { Err(Exception::FunctionArgument) } else { Ok(minutes as i32) }
}

fn formatted(call: &mut Call<'_>, moment: Moment) -> Result<Value> {
    let (mut format, mut out) = ([0u8; LENGTH_MAX], [0u8; LENGTH_MAX]);
    let length = write(call.ascii(0, &mut format)?, moment, &mut out)?;
    call.text(&out[..length])
}

const FIRST_DAY: Date = Date { year: 1601, month: 1, day: 1 };

pub fn formatted_date(call: &mut Call<'_>) -> Result<Value> {
    let date = date_argument(call, 1)?;
    formatted(call, Moment { date, seconds: 0, nanoseconds: 0, offset_minutes: 0 })
}

pub fn formatted_time(call: &mut Call<'_>) -> Result<Value> {
    let (seconds, nanoseconds) = seconds_of(&call.decimal(1)?)?;
    let offset_minutes = offset_argument(call, 2)?;
    // A day in the middle of the range, so that a time in UTC stays a valid one.
    let date = Date::from_integer_date(FIRST_DAY.integer_date() + 1);
    formatted(call, Moment { date, seconds, nanoseconds, offset_minutes })
}

pub fn formatted_datetime(call: &mut Call<'_>) -> Result<Value> {
    let date = date_argument(call, 1)?;
    let (seconds, nanoseconds) = seconds_of(&call.decimal(2)?)?;
    let offset_minutes = offset_argument(call, 3)?;
    formatted(call, Moment { date, seconds, nanoseconds, offset_minutes })
}

pub fn formatted_current_date(call: &mut Call<'_>) -> Result<Value> {
    let LocalTime { date, hour, minute, second, nanosecond } = local_now(call);
    let offset_minutes = call.session.utc_offset_seconds / 60;
    let seconds = hour * 3600 + minute * 60 + second;
    formatted(call, Moment { date, seconds, nanoseconds: nanosecond, offset_minutes })
}

fn reading(call: &Call<'_>) -> Result<std::result::Result<Reading, Mismatch>> {
    let (mut format, mut text) = ([0u8; LENGTH_MAX], [0u8; LENGTH_MAX]);
    Ok(read(call.ascii(0, &mut format)?, call.ascii(1, &mut text)?))
}

/// 0 when the text does not fit the format.
pub fn integer_of_formatted_date(call: &mut Call<'_>) -> Result<Value> {
    match reading(call)? {
        Ok(reading) => Ok(Value::integer(reading.date().map_or(0, Date::integer_date))),
        Err(Mismatch::Format) => Err(Exception::FunctionArgument),
        Err(Mismatch::At(_)) => Ok(Value::integer(0)),
    }
}

pub fn seconds_from_formatted_time(call: &mut Call<'_>) -> Result<Value> {
    match reading(call)? {
        Ok(reading) => {
            let value = i128::from(reading.seconds) * 1_000_000_000 + i128::from(reading.nanoseconds);
            Ok(Value::decimal(Decimal::new(value, 9).normalized()))
        }
        Err(Mismatch::Format) => Err(Exception::FunctionArgument),
        Err(Mismatch::At(_)) => Ok(Value::integer(0)),
    }
}

/// 0, or the position of the first character in error.
pub fn test_formatted_datetime(call: &mut Call<'_>) -> Result<Value> {
    match reading(call)? {
        Ok(_) => Ok(Value::integer(0)),
        Err(Mismatch::Format) => Err(Exception::FunctionArgument),
        Err(Mismatch::At(position)) => Ok(Value::integer(position as i64)),
    }
}
