//! Retention: how long an entry is protected from a DELETE without PURGE.
//!
//! Rules (TO and FOR of the access method services): an entry with an expiration date may be deleted on that day and after; the dates
//! 99365, 99366, 1999365 and 1999366 never come. Dates are year x 1000 + day of the year; 0 is none.

use crate::moment::Moment;

/// Dates that mean that an entry never expires.
const NEVER: [u32; 2] = [1_999_365, 1_999_366];
/// Days of FOR that mean the same.
const DAYS_FOREVER: [u32; 2] = [9999, 93_000];
const DAYS_MAX: u32 = 93_000;
const YEARS: std::ops::RangeInclusive<u32> = 1900..=2155;
/// The last date there is.
const DATE_MAX: u32 = 2_155_365;

/// The date of FOR(days); `None` if there are too many.
pub(crate) fn after(days: u32) -> Option<u32> {
    match days {
        _ if DAYS_FOREVER.contains(&days) => Some(NEVER[0]),
        0..=DAYS_MAX => Some(Moment::after_days(days).ordinal().min(DATE_MAX)),
        _ => None,
    }
}

/// The date of TO(yyddd or yyyyddd), two digits being years before 2000; `None` if the day does not exist.
pub(crate) fn date(value: u32) -> Option<u32> {
    let (year, day) = (value / 1000, value % 1000);
    let year = if year < 100 { year + 1900 } else { year };
    let date = year * 1000 + day;
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let exists = YEARS.contains(&year) && (1..=365 + u32::from(leap)).contains(&day);
    (exists || NEVER.contains(&date)).then_some(date)
}

/// The expiration date in a comparable form.
pub(crate) fn comparable(expires: u32) -> u32 {
    if NEVER.contains(&expires) { u32::MAX } else { expires }
}

/// Whether an entry with this expiration date needs PURGE to be deleted today.
pub(crate) fn keeps(expires: u32) -> bool {
    comparable(expires) > Moment::now().ordinal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_that_never_come_and_days_that_do_not_exist() {
        for (value, stored) in [(99_365, 1_999_365), (99_366, 1_999_366), (1_999_366, 1_999_366)] {
            assert_eq!(date(value), Some(stored));
            assert!(keeps(stored));
        }
        assert_eq!((date(99_364), date(2_100_365), date(2_000_366)), (Some(1_999_364), Some(2_100_365), Some(2_000_366)));
        for value in [0, 99_000, 99_367, 99_999, 98_366, 2_001_366, 1_899_001, 2_156_001] {
            assert_eq!(date(value), None, "{value}");
        }
        assert!(!keeps(0) && !keeps(1_999_364) && keeps(2_155_365));
        assert!(after(9999).is_some_and(keeps) && after(93_000) == after(9999) && after(93_001).is_none());
        assert!(after(0).is_some_and(|today| !keeps(today)) && after(1).is_some_and(keeps));
        assert_eq!(after(92_999), Some(DATE_MAX));
    }
}
