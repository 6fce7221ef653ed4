//! Dates, times and timestamps: Db2's texts, and the server's counts of days and microseconds since 2000-01-01.

use super::Fault;

/// Format in which dates are given to the program (DATE bind option, or the subsystem's default).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DateFormat {
    /// yyyy-mm-dd, as JIS.
    #[default]
    Iso,
    /// mm/dd/yyyy.
    Usa,
    /// dd.mm.yyyy.
    Eur,
}

/// The same for times.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TimeFormat {
    /// hh.mm.ss, as EUR.
    #[default]
    Iso,
    /// hh:mm AM.
    Usa,
    /// hh:mm:ss.
    Jis,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DateTimeOptions {
    pub date: DateFormat,
    pub time: TimeFormat,
}

impl DateTimeOptions {
    pub const ISO: DateTimeOptions = DateTimeOptions { date: DateFormat::Iso, time: TimeFormat::Iso };
}

/// Days from 1970-01-01 to 2000-01-01.
const EPOCH_DAYS: i64 = 10_957;
const MICROSECONDS_PER_SECOND: i64 = 1_000_000;
const MICROSECONDS_PER_DAY: i64 = 86_400 * MICROSECONDS_PER_SECOND;
const YEAR_MAX: u32 = 9999;

/// Characters of a date, and of a time with and without seconds.
pub const DATE_LENGTH: usize = 10;
pub const TIME_LENGTH: usize = 8;
pub const TIME_LENGTH_SHORT: usize = 5;
/// Characters of a timestamp without fraction, and the most with one.
pub const TIMESTAMP_LENGTH_MIN: usize = 19;
pub const TIMESTAMP_LENGTH: usize = 26;
pub const TIMESTAMP_LENGTH_MAX: usize = 32;

/// A civil date to days since 2000-01-01.
fn days_of(year: u32, month: u32, day: u32) -> Result<i32, Fault> {
    let valid = (1..=YEAR_MAX).contains(&year) && (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    if !valid {
        return Err(Fault::DateTimeRange);
    }
    let year = i64::from(year) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Ok((days - EPOCH_DAYS) as i32)
}

fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Year, month and day of days since 2000-01-01.
fn civil_of(days: i32) -> (i64, u32, u32) {
    let shifted = i64::from(days) + EPOCH_DAYS + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month as u32, day as u32)
}

/// Numbers between separators. `None`: something else is there.
struct Scan<'a> {
    rest: &'a [u8],
}

impl Scan<'_> {
    fn number(&mut self, digits_max: usize) -> Option<u32> {
        let count = self.rest.iter().take(digits_max).take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        (count > 0).then(|| digits.iter().fold(0, |value, byte| value * 10 + u32::from(byte - b'0')))
    }

    fn mark(&mut self, marks: &[u8]) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        if !marks.contains(first) {
            return None;
        }
        self.rest = rest;
        Some(*first)
    }

    fn date(&mut self) -> Result<i32, Fault> {
        let invalid = Fault::InvalidDateTimeText;
        let first = self.number(4).ok_or(invalid)?;
        let mark = self.mark(b"-/.").ok_or(invalid)?;
        let second = self.number(2).ok_or(invalid)?;
        self.mark(&[mark]).ok_or(invalid)?;
        let third = self.number(4).ok_or(invalid)?;
        match mark {
            b'-' => days_of(first, second, third),
            b'/' => days_of(third, first, second),
            _ => days_of(third, second, first),
        }
    }

    /// Microseconds of the day.
    fn time(&mut self) -> Result<i64, Fault> {
        let invalid = Fault::InvalidDateTimeText;
        let hour = self.number(2).ok_or(invalid)?;
        let mark = self.mark(b".:");
        let minute = if mark.is_some() { self.number(2).ok_or(invalid)? } else { 0 };
        let has_seconds = mark.is_some_and(|mark| self.mark(&[mark]).is_some());
        let second = if has_seconds { self.number(2).ok_or(invalid)? } else { 0 };
        let hour = match self.rest {
            [b' ', b'A' | b'a', b'M' | b'm', ..] if !has_seconds => self.half_day(hour, 0)?,
            [b' ', b'P' | b'p', b'M' | b'm', ..] if !has_seconds => self.half_day(hour, 12)?,
            _ if mark.is_none() => return Err(invalid),
            _ => hour,
        };
        time_of(hour, minute, second)
    }

    fn half_day(&mut self, hour: u32, add: u32) -> Result<u32, Fault> {
        self.rest = &self.rest[3..];
        match (hour, add) {
            // 00:00 AM is midnight at the beginning of a day, 12:00 AM too.
            (0, 0) => Ok(0),
            (1..=12, _) => Ok(hour % 12 + add),
            _ => Err(Fault::DateTimeRange),
        }
    }

    fn fraction(&mut self) -> i64 {
        if self.mark(b".").is_none() {
            return 0;
        }
        let (mut value, mut count) = (0, 0);
        while let Some(byte) = self.rest.first().filter(|byte| byte.is_ascii_digit()) {
            if count < 6 {
                value = value * 10 + i64::from(byte - b'0');
                count += 1;
            }
            self.rest = &self.rest[1..];
        }
        value * 10i64.pow(6 - count)
    }

    fn end(&self) -> Result<(), Fault> {
        if self.rest.iter().all(|byte| *byte == b' ' || *byte <= 1) { Ok(()) } else { Err(Fault::InvalidDateTimeText) }
    }
}

fn time_of(hour: u32, minute: u32, second: u32) -> Result<i64, Fault> {
    let end_of_day = hour == 24 && minute == 0 && second == 0;
    if (hour > 23 && !end_of_day) || minute > 59 || second > 59 {
        return Err(Fault::DateTimeRange);
    }
    Ok((i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second)) * MICROSECONDS_PER_SECOND)
}

fn scan(text: &[u8]) -> Scan<'_> {
    let leading = text.iter().take_while(|byte| **byte == b' ').count();
    Scan { rest: &text[leading..] }
}

/// Days since 2000-01-01 of a date in any format, or of the date part of a timestamp.
pub fn parse_date(text: &[u8]) -> Result<i32, Fault> {
    let mut scan = scan(text);
    let days = scan.date()?;
    if scan.rest.len() >= TIMESTAMP_LENGTH_MIN - DATE_LENGTH && scan.mark(b"- T").is_some() && !scan.rest.starts_with(b" ") {
        scan.time()?;
        scan.fraction();
    }
    scan.end()?;
    Ok(days)
}

/// Microseconds of the day of a time in any format.
pub fn parse_time(text: &[u8]) -> Result<i64, Fault> {
    let mut scan = scan(text);
    if text.trim_ascii().len() >= TIMESTAMP_LENGTH_MIN {
        scan.date()?;
        scan.mark(b"- T").ok_or(Fault::InvalidDateTimeText)?;
    }
    let time = scan.time()?;
    scan.fraction();
    scan.end()?;
    Ok(time)
}

/// Microseconds since 2000-01-01 of a timestamp, or of a date's beginning.
pub fn parse_timestamp(text: &[u8]) -> Result<i64, Fault> {
    let mut scan = scan(text);
    let days = i64::from(scan.date()?);
    let mut time = 0;
    if scan.end().is_err() {
        scan.mark(b"- T").ok_or(Fault::InvalidDateTimeText)?;
        time = scan.time()? + scan.fraction();
        scan.end()?;
    }
    Ok(days * MICROSECONDS_PER_DAY + time)
}

fn put_digits(value: i64, count: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + count, b'0');
    let mut rest = value;
    for place in out[start..].iter_mut().rev() {
        *place = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
}

fn put_parts(parts: [(i64, usize); 3], mark: u8, out: &mut Vec<u8>) {
    for (index, (value, count)) in parts.into_iter().enumerate() {
        if index > 0 {
            out.push(mark);
        }
        put_digits(value, count, out);
    }
}

/// Appends a date in ASCII.
pub fn put_date(days: i32, format: DateFormat, out: &mut Vec<u8>) {
    let (year, month, day) = civil_of(days);
    let (year, month, day) = ((year.clamp(1, i64::from(YEAR_MAX)), 4), (i64::from(month), 2), (i64::from(day), 2));
    match format {
        DateFormat::Iso => put_parts([year, month, day], b'-', out),
        DateFormat::Usa => put_parts([month, day, year], b'/', out),
        DateFormat::Eur => put_parts([day, month, year], b'.', out),
    }
}

/// Appends a time in ASCII.
pub fn put_time(microseconds: i64, format: TimeFormat, out: &mut Vec<u8>) {
    let seconds = microseconds / MICROSECONDS_PER_SECOND;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match format {
        TimeFormat::Iso => put_parts([(hour, 2), (minute, 2), (second, 2)], b'.', out),
        TimeFormat::Jis => put_parts([(hour, 2), (minute, 2), (second, 2)], b':', out),
        TimeFormat::Usa => {
            put_digits(if hour == 0 { 0 } else { (hour + 11) % 12 + 1 }, 2, out);
            out.push(b':');
            put_digits(minute, 2, out);
            out.extend_from_slice(if (12..24).contains(&hour) { b" PM" } else { b" AM" });
        }
    }
}

/// Appends a timestamp with so many digits behind the second, yyyy-mm-dd-hh.mm.ss.nnnnnn.
pub fn put_timestamp(microseconds: i64, digits: usize, out: &mut Vec<u8>) {
    let (days, time) = (microseconds.div_euclid(MICROSECONDS_PER_DAY), microseconds.rem_euclid(MICROSECONDS_PER_DAY));
    put_date(days as i32, DateFormat::Iso, out);
    out.push(b'-');
    put_time(time, TimeFormat::Iso, out);
    if digits > 0 {
        let fraction = time % MICROSECONDS_PER_SECOND;
        out.push(b'.');
        let start = out.len();
        put_digits(fraction, 6, out);
        out.resize(start + digits, b'0');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(put: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        put(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn dates_in_every_format() {
        for given in ["2024-02-29", "02/29/2024", "29.02.2024", "2024-2-29", " 2/29/2024  "] {
            let days = parse_date(given.as_bytes()).unwrap();
            assert_eq!(text(|out| put_date(days, DateFormat::Iso, out)), "2024-02-29", "{given}");
            assert_eq!(text(|out| put_date(days, DateFormat::Usa, out)), "02/29/2024");
            assert_eq!(text(|out| put_date(days, DateFormat::Eur, out)), "29.02.2024");
        }
        assert_eq!(parse_date(b"2000-01-01"), Ok(0));
        assert_eq!(parse_date(b"2023-02-29"), Err(Fault::DateTimeRange));
        assert_eq!(parse_date(b"hello"), Err(Fault::InvalidDateTimeText));
        for given in ["0001-01-01", "9999-12-31", "1900-03-01", "1600-02-29"] {
            assert_eq!(text(|out| put_date(parse_date(given.as_bytes()).unwrap(), DateFormat::Iso, out)), given);
        }
    }

    #[test]
    fn times_in_every_format() {
        for given in ["13.05.09", "13:05:09", "13.05.09  "] {
            let time = parse_time(given.as_bytes()).unwrap();
            assert_eq!(text(|out| put_time(time, TimeFormat::Iso, out)), "13.05.09");
            assert_eq!(text(|out| put_time(time, TimeFormat::Usa, out)), "01:05 PM");
            assert_eq!(text(|out| put_time(time, TimeFormat::Jis, out)), "13:05:09");
        }
        assert_eq!(parse_time(b"1:05 PM"), parse_time(b"13.05.00"));
        assert_eq!(parse_time(b"12:30 AM"), parse_time(b"00.30.00"));
        assert_eq!(parse_time(b"24.00.00"), Ok(MICROSECONDS_PER_DAY));
        assert_eq!(parse_time(b"25.00.00"), Err(Fault::DateTimeRange));
    }

    #[test]
    fn timestamps() {
        let value = parse_timestamp(b"2024-02-29-13.05.09.123456").unwrap();
        assert_eq!(text(|out| put_timestamp(value, 6, out)), "2024-02-29-13.05.09.123456");
        assert_eq!(text(|out| put_timestamp(value, 12, out)), "2024-02-29-13.05.09.123456000000");
        assert_eq!(parse_timestamp(b"2024-02-29 13:05:09.123456"), Ok(value));
        assert_eq!(
            parse_timestamp(b"1999-12-31-23.59.59.000001").map(|value| text(|out| put_timestamp(value, 6, out))),
            Ok("1999-12-31-23.59.59.000001".into())
        );
        assert_eq!(parse_date(b"2024-02-29-13.05.09.123456"), parse_date(b"2024-02-29"));
        assert_eq!(parse_time(b"2024-02-29-13.05.09.123456"), parse_time(b"13.05.09"));
    }
}
