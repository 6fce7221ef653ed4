//! Dates and times of the region: ABSTIME, EIBDATE and EIBTIME, local time.
//!
//! ABSTIME is milliseconds of local time since 1900-01-01 00:00. Invariant: conversions are exact for years 1900 to 9999.
//!
//! `unsafe` here lets localtime_r fill a local structure. The tests below cover it.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Days from 1900-01-01 to 1970-01-01.
pub const DAYS_1900_TO_1970: i64 = 25_567;
const MILLISECONDS_PER_DAY: i64 = 86_400_000;

/// A moment of local time, in milliseconds since 1900 (an ABSTIME).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Abstime(pub i64);

/// Year, month (1 to 12), day (1 to 31) and day of the year (1 to 366).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Date {
    pub year: i64,
    pub month: u32,
    pub day: u32,
    pub day_of_year: u32,
}

impl Abstime {
    pub fn days(self) -> i64 {
        self.0.div_euclid(MILLISECONDS_PER_DAY)
    }

    pub fn milliseconds_of_day(self) -> i64 {
        self.0.rem_euclid(MILLISECONDS_PER_DAY)
    }

    pub fn seconds_of_day(self) -> u32 {
        (self.milliseconds_of_day() / 1000) as u32
    }

    /// Hours, minutes, seconds.
    pub fn time(self) -> (u32, u32, u32) {
        let seconds = self.seconds_of_day();
        (seconds / 3600, seconds / 60 % 60, seconds % 60)
    }

    pub fn date(self) -> Date {
        civil_from_days(self.days() - DAYS_1900_TO_1970)
    }

    /// 0 Sunday to 6 Saturday; 1900-01-01 was a Monday.
    pub fn day_of_week(self) -> u32 {
        (self.days() + 1).rem_euclid(7) as u32
    }

    /// 0HHMMSS, as in EIBTIME.
    pub fn hhmmss(self) -> u32 {
        let (hours, minutes, seconds) = self.time();
        hours * 10_000 + minutes * 100 + seconds
    }

    /// 0CYYDDD, as in EIBDATE: C is 0 for 19xx and 1 for 20xx.
    pub fn cyyddd(self) -> u32 {
        let date = self.date();
        ((date.year - 1900).clamp(0, 999) as u32) * 1000 + date.day_of_year
    }

    /// For messages: 2026-11-21.
    pub fn date_text(self) -> String {
        let date = self.date();
        format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
    }

    /// For messages: 21:06:25.
    pub fn time_text(self) -> String {
        let (hours, minutes, seconds) = self.time();
        format!("{hours:02}:{minutes:02}:{seconds:02}")
    }
}

/// Days from the civil date; algorithm after Hinnant, "chrono-Compatible Low-Level Date Algorithms".
pub fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year - era * 400;
    let shifted = (i64::from(month) + 9) % 12;
    let day_of_year = (153 * shifted + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn civil_from_days(days: i64) -> Date {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted - era * 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month_index + 2) / 5 + 1) as u32;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 } as u32;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let day_of_year = (days - days_from_civil(year, 1, 1) + 1) as u32;
    Date { year, month, day, day_of_year }
}

/// EIBTIME and EIBDATE for a task that is attached now; computed once a second.
pub fn eib_time_and_date() -> (u32, u32) {
    // Packed, so that one load sees all: the second it is valid for (26 bits), 0CYYDDD (20), 0HHMMSS (18).
    static CACHED: AtomicU64 = AtomicU64::new(u64::MAX);
    let unix_seconds = kernel::clock::coarse_unix_seconds();
    let second = unix_seconds as u64 & 0x3FF_FFFF;
    let mut packed = CACHED.load(Ordering::Relaxed);
    if packed >> 38 != second || packed == u64::MAX {
        let now = local_from_unix_milliseconds(unix_seconds * 1000);
        packed = second << 38 | u64::from(now.cyyddd()) << 18 | u64::from(now.hhmmss());
        CACHED.store(packed, Ordering::Relaxed);
    }
    (packed as u32 & 0x3_FFFF, (packed >> 18) as u32 & 0xF_FFFF)
}

/// Local time now.
pub fn now_local() -> Abstime {
    local_from_system(SystemTime::now())
}

/// A system time as local ABSTIME.
pub fn local_from_system(time: SystemTime) -> Abstime {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    local_from_unix_milliseconds(since.as_millis() as i64)
}

fn local_from_unix_milliseconds(unix_milliseconds: i64) -> Abstime {
    let offset = utc_offset_seconds(unix_milliseconds / 1000);
    Abstime(unix_milliseconds + offset * 1000 + DAYS_1900_TO_1970 * MILLISECONDS_PER_DAY)
}

/// Added to a cached offset, so that it is not negative.
const OFFSET_BIAS: i64 = 0x8_0000;

/// Local time minus UTC, looked up once per quarter hour of the clock (offsets change on the quarter hour).
pub fn utc_offset_seconds(unix_seconds: i64) -> i64 {
    // Packed: the quarter hour it is valid for, and the offset, so that one load sees both.
    static CACHED: AtomicI64 = AtomicI64::new(i64::MIN);
    let quarter = unix_seconds.div_euclid(900);
    let cached = CACHED.load(Ordering::Relaxed);
    if cached >> 20 == quarter {
        return (cached & 0xF_FFFF) - OFFSET_BIAS;
    }
    let offset = zone_offset_seconds(unix_seconds);
    CACHED.store(quarter << 20 | (offset + OFFSET_BIAS), Ordering::Relaxed);
    offset
}

#[allow(unsafe_code)]
fn zone_offset_seconds(unix_seconds: i64) -> i64 {
    // SAFETY: localtime_r fills the structure it is given and keeps no reference to it; all zero is a valid value of it.
    unsafe {
        let mut parts: libc::tm = std::mem::zeroed();
        libc::localtime_r(&unix_seconds, &mut parts);
        parts.tm_gmtoff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(year: i64, month: u32, day: u32) -> Abstime {
        Abstime((days_from_civil(year, month, day) + DAYS_1900_TO_1970) * MILLISECONDS_PER_DAY)
    }

    #[test]
    fn known_days() {
        assert_eq!(at(1900, 1, 1), Abstime(0));
        assert_eq!(at(1900, 1, 1).day_of_week(), 1);
        assert_eq!(at(2000, 2, 29).date(), Date { year: 2000, month: 2, day: 29, day_of_year: 60 });
        // 21 November 2026 is a Saturday and the 325th day.
        assert_eq!((at(2026, 11, 21).day_of_week(), at(2026, 11, 21).cyyddd()), (6, 126_325));
        assert_eq!(at(1999, 12, 31).cyyddd(), 99_365);
    }

    #[test]
    fn the_time_of_an_attach_is_the_local_time() {
        for _ in 0..2 {
            let (before, (time, date), after) = (now_local(), eib_time_and_date(), now_local());
            // The coarse clock may lag by one timer interrupt.
            let before = Abstime(before.0 - 20);
            assert!((before.cyyddd()..=after.cyyddd()).contains(&date), "{date}");
            assert!(date != before.cyyddd() || time >= before.hhmmss(), "{time}");
            assert!(date != after.cyyddd() || time <= after.hhmmss(), "{time}");
        }
    }

    #[test]
    fn every_day_of_four_centuries_converts_back() {
        let first = days_from_civil(1900, 1, 1);
        for days in first..days_from_civil(2300, 1, 1) {
            let date = civil_from_days(days);
            assert_eq!(days_from_civil(date.year, date.month, date.day), days);
        }
    }
}
