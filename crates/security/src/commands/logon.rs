//! WHEN of ADDUSER and ALTUSER: the days of the week and the times of day at which a user may sign on at a terminal.

use super::operands::{Operands, folded, wrong};
use super::report::CommandError;
use crate::user::{ANY_DAY, Logon};

/// From Sunday, as bits of [`Logon`].
const DAYS: [&str; 7] = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];
const WEEKDAYS: u8 = 0b011_1110;

pub(super) fn alter(logon: &mut Option<Logon>, operands: &Operands) -> Result<(), CommandError> {
    let Some(given) = operands.segment("WHEN") else { return Ok(()) };
    if given.has("TERMINAL") {
        return Err(wrong("WHEN", "TERMINAL"));
    }
    let mut when = logon.clone().unwrap_or(Logon { days: ANY_DAY, minutes: None });
    if let Some(days) = given.values("DAYS") {
        when.days = days.iter().try_fold(0, |bits, day| day_bits(&folded(day)).map(|day| bits | day))?;
    }
    if let Some(time) = given.text("TIME") {
        when.minutes = minutes(&time).ok_or_else(|| wrong("TIME", &time))?;
    }
    *logon = Some(when).filter(|when| *when != Logon { days: ANY_DAY, minutes: None });
    Ok(())
}

fn day_bits(word: &str) -> Result<u8, CommandError> {
    match word {
        "ANYDAY" => Ok(ANY_DAY),
        "WEEKDAYS" => Ok(WEEKDAYS),
        day => DAYS.iter().position(|name| *name == day).map(|day| 1 << day).ok_or_else(|| wrong("DAYS", day)),
    }
}

/// ANYTIME, or hhmm:hhmm.
#[expect(clippy::option_option, reason = "the value, and whether it is one")]
fn minutes(text: &str) -> Option<Option<(u16, u16)>> {
    if text == "ANYTIME" {
        return Some(None);
    }
    let (from, to) = text.split_once(':')?;
    let (from, to) = (minute(from)?, minute(to)?);
    (from != to).then_some(Some((from, to)))
}

fn minute(text: &str) -> Option<u16> {
    let number: u16 = text.parse().ok().filter(|_| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()))?;
    let (hour, minute) = (number / 100, number % 100);
    (minute < 60 && (hour < 24 || number == 2400)).then_some(hour * 60 + minute)
}

/// The days and the times as LISTUSER prints them.
pub(super) fn listed(logon: Option<&Logon>) -> String {
    let days = match logon.map_or(ANY_DAY, |logon| logon.days) {
        ANY_DAY => "ANYDAY".to_string(),
        bits => {
            let names = DAYS.iter().enumerate().filter(|(day, _)| bits >> day & 1 == 1).map(|(_, name)| *name);
            names.collect::<Vec<_>>().join(" ")
        }
    };
    let time = match logon.and_then(|logon| logon.minutes) {
        None => "ANYTIME".to_string(),
        Some((from, to)) => format!("{:02}{:02}:{:02}{:02}", from / 60, from % 60, to / 60, to % 60),
    };
    format!(" {days:<31} {time}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_of_four_digits() {
        assert_eq!(minutes("0800:1730"), Some(Some((480, 1050))));
        assert_eq!(minutes("2200:0600"), Some(Some((1320, 360))));
        assert_eq!(minutes("0000:2400"), Some(Some((0, 1440))));
        assert_eq!(minutes("ANYTIME"), Some(None));
        for wrong in ["800:1730", "0800", "0860:0900", "2401:0100", "0800:0800", "A800:0900"] {
            assert_eq!(minutes(wrong), None, "{wrong}");
        }
    }
}
