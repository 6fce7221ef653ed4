//! When a command's interval or time of day is due.
//!
//! Rules: INTERVAL is hhmmss from now. TIME is a time of day: one within the last six hours has just passed and is due now; an earlier one
//! is meant for tomorrow; hours above 23 are of following days. AFTER/FOR and AT/UNTIL give the same in HOURS, MINUTES, SECONDS; MINUTES or
//! SECONDS alone may exceed 59.

use crate::clock::Abstime;
use crate::{Arguments, Raised, raise};
use exec::resp2::interval_control as resp2;
use exec::{condition, option};

const SECONDS_PER_DAY: i64 = 86_400;
const RECENT_SECONDS: i64 = 6 * 3600;

/// When a request is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// No interval was given, or it is zero.
    Now,
    /// A time of day that has just passed.
    Expired,
    At(Abstime),
}

/// The keywords that give the time (DELAY has FOR and UNTIL, the others AFTER and AT).
pub fn due(arguments: &Arguments, now: Abstime) -> Result<Due, Raised> {
    if let Some(value) = arguments.integer(option::INTERVAL) {
        return after(now, hhmmss(value, 99)? * 1000);
    }
    if let Some(value) = arguments.integer(option::TIME) {
        return Ok(at(now, hhmmss(value, 99)?));
    }
    let relative = arguments.has(option::AFTER) || arguments.has(option::FOR);
    let absolute = arguments.has(option::AT) || arguments.has(option::UNTIL);
    if !relative && !absolute {
        return Ok(Due::Now);
    }
    let seconds = parts(arguments)?;
    if absolute { Ok(at(now, seconds)) } else { after(now, seconds * 1000 + milliseconds(arguments)?) }
}

/// Seconds of an 0HHMMSS value.
fn hhmmss(value: i64, hours_max: i64) -> Result<i64, Raised> {
    let (hours, minutes, seconds) = (value / 10_000, value / 100 % 100, value % 100);
    if !(0..=hours_max).contains(&hours) || value < 0 {
        return raise(condition::INVREQ, resp2::HOURS);
    }
    if minutes > 59 {
        return raise(condition::INVREQ, resp2::MINUTES);
    }
    if seconds > 59 {
        return raise(condition::INVREQ, resp2::SECONDS);
    }
    Ok(hours * 3600 + minutes * 60 + seconds)
}

fn parts(arguments: &Arguments) -> Result<i64, Raised> {
    let part = |option| arguments.integer(option);
    let (hours, minutes, seconds) = (part(option::HOURS), part(option::MINUTES), part(option::SECONDS));
    let minutes_max = if hours.is_none() && seconds.is_none() { 5_999 } else { 59 };
    let seconds_max = if hours.is_none() && minutes.is_none() { 359_999 } else { 59 };
    let checked = |value: Option<i64>, max: i64, fault: i32| match value.unwrap_or(0) {
        value if (0..=max).contains(&value) => Ok(value),
        _ => raise(condition::INVREQ, fault),
    };
    Ok(checked(hours, 99, resp2::HOURS)? * 3600
        + checked(minutes, minutes_max, resp2::MINUTES)? * 60
        + checked(seconds, seconds_max, resp2::SECONDS)?)
}

fn milliseconds(arguments: &Arguments) -> Result<i64, Raised> {
    match arguments.integer(option::MILLISECS).unwrap_or(0) {
        value if value >= 0 => Ok(value),
        _ => raise(condition::INVREQ, resp2::MILLISECONDS),
    }
}

fn after(now: Abstime, milliseconds: i64) -> Result<Due, Raised> {
    Ok(if milliseconds == 0 { Due::Now } else { Due::At(Abstime(now.0 + milliseconds)) })
}

fn at(now: Abstime, seconds_of_day: i64) -> Due {
    let midnight = now.0 - now.milliseconds_of_day();
    let now_seconds = now.milliseconds_of_day() / 1000;
    if seconds_of_day >= SECONDS_PER_DAY || seconds_of_day > now_seconds {
        return Due::At(Abstime(midnight + seconds_of_day * 1000));
    }
    if now_seconds - seconds_of_day <= RECENT_SECONDS {
        return Due::Expired;
    }
    Due::At(Abstime(midnight + (seconds_of_day + SECONDS_PER_DAY) * 1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_within_six_hours_have_expired() {
        // 10:00:00 on some day.
        let now = Abstime(36_000_000 + 40_000 * 86_400_000);
        let midnight = 40_000 * 86_400_000;
        assert_eq!(at(now, 36_000), Due::Expired);
        assert_eq!(at(now, 4 * 3600), Due::Expired);
        assert_eq!(at(now, 4 * 3600 - 1), Due::At(Abstime(midnight + (4 * 3600 - 1 + 86_400) * 1000)));
        assert_eq!(at(now, 36_001), Due::At(Abstime(midnight + 36_001_000)));
        assert_eq!(at(now, 25 * 3600), Due::At(Abstime(midnight + 25 * 3_600_000)));
    }

    #[test]
    fn intervals_are_checked_part_by_part() {
        assert_eq!(hhmmss(13_059, 99).unwrap(), 5459);
        assert_eq!(hhmmss(995_959, 99).unwrap(), 359_999);
        for (value, expected) in [(1_000_000, 4), (6_000, 5), (60, 6), (-1, 4)] {
            match hhmmss(value, 99) {
                Err(Raised::Condition { condition, resp2, .. }) => assert_eq!((condition, resp2), (condition::INVREQ, expected)),
                other => panic!("{value}: {other:?}"),
            }
        }
    }
}
