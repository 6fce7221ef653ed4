//! Moments in time as the database keeps them, and the dates that commands read and print.
//!
//! All dates are those of Coordinated Universal Time, so databases and their listings do not depend on where a region runs.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

pub(crate) const DAY_SECONDS: i64 = 86_400;

/// Seconds since 1 January 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub i64);

impl Moment {
    pub fn now() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
    }

    /// Days since 1 January 1970.
    pub fn day(self) -> i64 {
        self.0.div_euclid(DAY_SECONDS)
    }

    /// The day of the week, from Sunday, and the minute of the day.
    pub(crate) fn day_and_minute(self) -> (u32, u16) {
        // 1 January 1970 was a Thursday.
        let day = (self.day() + 4).rem_euclid(7);
        (day as u32, (self.0.rem_euclid(DAY_SECONDS) / 60) as u16)
    }

    /// The start of the day.
    pub fn midnight(self) -> Moment {
        Moment(self.day() * DAY_SECONDS)
    }

    /// Year and day of the year, which begins with 1.
    fn year_and_day(self) -> (i64, i64) {
        let mut year = 1969 + self.day().div_euclid(366);
        while first_day(year + 1) <= self.day() {
            year += 1;
        }
        (year, self.day() - first_day(year) + 1)
    }

    /// The date as listings print it: two digits of the year, a point, the day of the year.
    pub(crate) fn julian(self) -> String {
        let (year, day) = self.year_and_day();
        format!("{:02}.{day:03}", year.rem_euclid(100))
    }

    /// The time of day, hh:mm:ss.
    pub(crate) fn time_of_day(self) -> String {
        let second = self.0.rem_euclid(DAY_SECONDS);
        format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
    }

    /// The moment a day of a year begins, if there is such a day.
    pub(crate) fn of_year_and_day(year: i64, day: i64) -> Option<Moment> {
        let days = first_day(year + 1) - first_day(year);
        ((1900..=2999).contains(&year) && (1..=days).contains(&day)).then(|| Moment((first_day(year) + day - 1) * DAY_SECONDS))
    }

    /// The moment a day of a month begins, if there is such a day.
    pub(crate) fn of_date(year: i64, month: i64, day: i64) -> Option<Moment> {
        let is_leap = first_day(year + 1) - first_day(year) == 366;
        let lengths = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let before = usize::try_from(month - 1).ok().filter(|month| *month < 12)?;
        if !(1..=lengths[before]).contains(&day) {
            return None;
        }
        Moment::of_year_and_day(year, lengths[..before].iter().sum::<i64>() + day)
    }
}

/// Days from 1 January 1970 to 1 January of a year.
fn first_day(year: i64) -> i64 {
    let before = year - 1;
    365 * (year - 1970) + (before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400)) - 477
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(Moment(0).year_and_day(), (1970, 1));
        assert_eq!(Moment(-1).year_and_day(), (1969, 365));
        // 29 February 2024 and 31 December 2024.
        assert_eq!(Moment(1_709_164_800).julian(), "24.060");
        assert_eq!(Moment(1_735_603_200).julian(), "24.366");
        assert_eq!(Moment::of_date(2024, 2, 29), Some(Moment(1_709_164_800)));
        assert_eq!(Moment::of_date(2023, 2, 29), None);
        assert_eq!(Moment::of_date(2023, 13, 1), None);
        assert_eq!(Moment::of_year_and_day(2023, 366), None);
        for day in (-30_000..60_000).step_by(17) {
            let moment = Moment(day * DAY_SECONDS);
            let (year, of_year) = moment.year_and_day();
            assert_eq!(Moment::of_year_and_day(year, of_year).unwrap_or(moment), moment);
        }
        assert_eq!(Moment(3_723).time_of_day(), "01:02:03");
    }
}
