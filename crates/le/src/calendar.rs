//! Gregorian dates as day numbers and times as milliseconds, shared by intrinsic functions, ACCEPT and callable services.
//!
//! There are three day counts: days since 1970-01-01 (civil), COBOL integer dates (1601-01-01 is 1), Lilian days (1582-10-15 is 1). Years
//! are 1582 to 9999.

/// Civil day of COBOL integer date 0.
const INTEGER_DATE_EPOCH: i64 = -134_775; // 1600-12-31
/// Civil day of Lilian day 0.
const LILIAN_EPOCH: i64 = -141_428; // 1582-10-14
/// The last COBOL integer date: 9999-12-31.
pub const INTEGER_DATE_MAX: i64 = 3_067_671;
/// The last Lilian day: 9999-12-31.
pub const LILIAN_MAX: i64 = 3_074_324;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Date {
    pub year: i32,
    pub month: u32,
    pub day: u32,
}

pub const fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

const fn days_in_year(year: i32) -> u32 {
    if is_leap(year) { 366 } else { 365 }
}

impl Date {
    /// A date that exists; any year.
    pub const fn new(year: i32, month: u32, day: u32) -> Option<Date> {
        if month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) {
            return None;
        }
        Some(Date { year, month, day })
    }

    /// Days since 1970-01-01, by counting years from March.
    pub const fn civil_day(self) -> i64 {
        let year = self.year as i64 - if self.month <= 2 { 1 } else { 0 };
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month = (self.month as i64 + 9) % 12;
        let day_of_year = (153 * month + 2) / 5 + self.day as i64 - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468
    }

    pub const fn from_civil_day(day: i64) -> Date {
        let day = day + 719_468;
        let era = day.div_euclid(146_097);
        let day_of_era = day.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u32;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 } as u32;
        let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
        Date { year: year as i32, month, day }
    }

    /// 1 to 366.
    pub const fn day_of_year(self) -> u32 {
        let first = Date { year: self.year, month: 1, day: 1 };
        (self.civil_day() - first.civil_day() + 1) as u32
    }

    /// From year and day of year.
    pub const fn from_ordinal(year: i32, day: u32) -> Option<Date> {
        if day < 1 || day > days_in_year(year) {
            return None;
        }
        Some(Date::from_civil_day(Date { year, month: 1, day: 1 }.civil_day() + day as i64 - 1))
    }

    /// 1 Monday to 7 Sunday.
    pub const fn weekday(self) -> u32 {
        (self.civil_day() + 3).rem_euclid(7) as u32 + 1
    }

    pub const fn lilian(self) -> i64 {
        self.civil_day() - LILIAN_EPOCH
    }

    pub const fn from_lilian(day: i64) -> Date {
        Date::from_civil_day(day + LILIAN_EPOCH)
    }

    pub const fn integer_date(self) -> i64 {
        self.civil_day() - INTEGER_DATE_EPOCH
    }

    pub const fn from_integer_date(day: i64) -> Date {
        Date::from_civil_day(day + INTEGER_DATE_EPOCH)
    }

    /// ISO 8601 week: the year it belongs to and its number.
    pub const fn iso_week(self) -> (i32, u32) {
        // The week's Thursday decides the year.
        let thursday = Date::from_civil_day(self.civil_day() + 4 - self.weekday() as i64);
        (thursday.year, (thursday.day_of_year() - 1) / 7 + 1)
    }

    /// From ISO year, week and weekday.
    pub const fn from_iso_week(year: i32, week: u32, weekday: u32) -> Option<Date> {
        let fourth = Date { year, month: 1, day: 4 };
        let monday = fourth.civil_day() - (fourth.weekday() as i64 - 1);
        let date = Date::from_civil_day(monday + (week as i64 - 1) * 7 + weekday as i64 - 1);
        let (of_year, of_week) = date.iso_week();
        if of_year == year && of_week == week && weekday >= 1 && weekday <= 7 { Some(date) } else { None }
    }
}

/// A moment as shown on a local clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalTime {
    pub date: Date,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
    pub nanosecond: u32,
}

impl LocalTime {
    /// Of a moment since 1970-01-01 UTC.
    pub const fn of(seconds: i64, nanosecond: u32, utc_offset_seconds: i32) -> LocalTime {
        let local = seconds + utc_offset_seconds as i64;
        let second = local.rem_euclid(86_400) as u32;
        LocalTime {
            date: Date::from_civil_day(local.div_euclid(86_400)),
            hour: second / 3600,
            minute: second / 60 % 60,
            second: second % 60,
            nanosecond,
        }
    }

    pub const fn hundredths(self) -> u32 {
        self.nanosecond / 10_000_000
    }

    /// YYYYMMDDhhmmsscc and the difference from UTC as shhmm, in ASCII.
    pub fn text(self, utc_offset_seconds: i32) -> [u8; 21] {
        let mut text = [0u8; 21];
        let offset = utc_offset_seconds.unsigned_abs() / 60;
        let year = self.date.year as u32;
        let parts = [year / 100, year % 100, self.date.month, self.date.day, self.hour, self.minute, self.second, self.hundredths()];
        for (index, part) in parts.into_iter().enumerate() {
            text[2 * index..2 * index + 2].copy_from_slice(&two(part));
        }
        text[16] = if utc_offset_seconds < 0 { b'-' } else { b'+' };
        text[17..19].copy_from_slice(&two(offset / 60));
        text[19..21].copy_from_slice(&two(offset % 60));
        text
    }
}

/// Two digits in ASCII.
pub fn two(value: u32) -> [u8; 2] {
    [b'0' + (value / 10 % 10) as u8, b'0' + (value % 10) as u8]
}

/// Now, in seconds since 1970-01-01 UTC and nanoseconds.
pub fn now() -> (i64, u32) {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    (since.as_secs() as i64, since.subsec_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epochs() {
        assert_eq!(Date::new(1970, 1, 1).unwrap().civil_day(), 0);
        assert_eq!(Date::new(1601, 1, 1).unwrap().integer_date(), 1);
        assert_eq!(Date::new(1582, 10, 15).unwrap().lilian(), 1);
        assert_eq!(Date::new(9999, 12, 31).unwrap().integer_date(), INTEGER_DATE_MAX);
        assert_eq!(Date::new(9999, 12, 31).unwrap().lilian(), LILIAN_MAX);
        // Language Environment Programming Reference, CEEDAYS: May 16, 1988 is Lilian day 148138.
        assert_eq!(Date::new(1988, 5, 16).unwrap().lilian(), 148_138);
    }

    #[test]
    fn every_day_round_trips() {
        let mut previous = Date::from_lilian(1);
        for lilian in 2..=LILIAN_MAX {
            let date = Date::from_lilian(lilian);
            assert_eq!(date.lilian(), lilian);
            assert!(date > previous);
            previous = date;
        }
        assert_eq!(previous, Date { year: 9999, month: 12, day: 31 });
    }

    #[test]
    fn weeks() {
        // ISO 8601 examples.
        assert_eq!(Date::new(2005, 1, 1).unwrap().iso_week(), (2004, 53));
        assert_eq!(Date::new(2008, 12, 29).unwrap().iso_week(), (2009, 1));
        assert_eq!(Date::from_iso_week(2009, 53, 7), Date::new(2010, 1, 3));
        assert_eq!(Date::from_iso_week(2010, 53, 1), None);
        assert_eq!(Date::new(2000, 1, 1).unwrap().weekday(), 6);
        assert_eq!(Date::from_ordinal(2000, 366), Date::new(2000, 12, 31));
        assert_eq!(Date::from_ordinal(2001, 366), None);
    }

    #[test]
    fn local_clock() {
        let time = LocalTime::of(-1, 0, 3600);
        assert_eq!((time.date, time.hour, time.minute, time.second), (Date { year: 1970, month: 1, day: 1 }, 0, 59, 59));
    }
}
