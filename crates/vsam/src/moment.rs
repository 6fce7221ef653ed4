//! Calendar dates of catalog entries, expiration and listings, all in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// Calendar date and time of day, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub year: u32,
    pub month: u32,
    pub day: u32,
    pub day_of_year: u32,
    pub seconds: u32,
}

impl Moment {
    pub(crate) fn now() -> Moment {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
        Moment::at(seconds)
    }

    /// From seconds since 1970 (days to civil date by the usual era arithmetic).
    pub(crate) fn at(seconds: u64) -> Moment {
        let days = seconds / 86_400;
        let shifted = days + 719_468;
        let era = shifted / 146_097;
        let day_of_era = shifted % 146_097;
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_march_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_march_year + 2) / 153;
        let day = (day_of_march_year - (153 * march_month + 2) / 5 + 1) as u32;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 } as u32;
        let year = (year_of_era + era * 400 + (month <= 2) as u64) as u32;
        let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
        let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month as usize - 1];
        let day_of_year = before + day + (leap && month > 2) as u32;
        Moment { year, month, day, day_of_year, seconds: (seconds % 86_400) as u32 }
    }

    /// The moment this many days from now.
    pub(crate) fn after_days(days: u32) -> Moment {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
        Moment::at(now + u64::from(days) * 86_400)
    }

    /// The moment this many days ago.
    pub(crate) fn before_days(days: u32) -> Moment {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
        Moment::at(now.saturating_sub(u64::from(days) * 86_400))
    }

    /// Year x 1000 + day of the year.
    pub(crate) fn ordinal(self) -> u32 {
        self.year * 1000 + self.day_of_year
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_from_seconds() {
        // 2000-02-29 12:00:00 and 2026-12-31 00:00:01 UTC.
        let leap = Moment::at(951_825_600);
        assert_eq!((leap.year, leap.month, leap.day, leap.ordinal(), leap.seconds), (2000, 2, 29, 2_000_060, 43_200));
        assert_eq!(Moment::at(1_798_675_201).ordinal(), 2_026_365);
        assert_eq!(Moment::at(0).ordinal(), 1_970_001);
    }
}
