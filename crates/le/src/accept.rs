//! ACCEPT (Language Reference, "ACCEPT statement").
//!
//! `unsafe` here stores into the item that receives the value: see `lib.rs`.

use crate::attributes::{Attributes, Sign};
use crate::calendar::LocalTime;
use crate::decimal::Decimal;
use crate::exception::Result;
use crate::movement::{move_decimal, move_field};
use crate::session::Session;

/// The source named by ACCEPT FROM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Clock {
    /// YYMMDD.
    Date = 0,
    /// YYYYMMDD.
    DateYyyymmdd = 1,
    /// YYDDD.
    Day = 2,
    /// YYYYDDD.
    DayYyyyddd = 3,
    /// 1 Monday to 7 Sunday.
    DayOfWeek = 4,
    /// HHMMSSss, hundredths of a second.
    Time = 5,
}

impl Clock {
    /// Value and number of digits of the conceptual unsigned integer.
    pub fn value(self, time: &LocalTime) -> (i64, u8) {
        let date = time.date;
        let year = i64::from(date.year);
        let month_day = i64::from(date.month * 100 + date.day);
        match self {
            Clock::Date => (year % 100 * 10_000 + month_day, 6),
            Clock::DateYyyymmdd => (year * 10_000 + month_day, 8),
            Clock::Day => (year % 100 * 1000 + i64::from(date.day_of_year()), 5),
            Clock::DayYyyyddd => (year * 1000 + i64::from(date.day_of_year()), 7),
            Clock::DayOfWeek => (i64::from(date.weekday()), 1),
            Clock::Time => {
                let clock = time.hour * 1_000_000 + time.minute * 10_000 + time.second * 100 + time.hundredths();
                (i64::from(clock), 8)
            }
        }
    }
}

/// ACCEPT target FROM DATE ...: the value is moved as an unsigned integer. `seconds` since 1970 UTC and `nanoseconds`
/// give the moment.
///
/// # Safety
/// The target must be writable for the length of its attributes.
pub unsafe fn accept_clock(
    clock: Clock,
    seconds: i64,
    nanoseconds: u32,
    target: *mut u8,
    attributes: &Attributes,
    session: &Session,
) -> Result<()> {
    let (value, digits) = clock.value(&LocalTime::of(seconds, nanoseconds, session.utc_offset_seconds));
    let source = Attributes::zoned(digits, 0, Sign::Unsigned);
    move_decimal(&Decimal::integer(value), &source, target, attributes, session)
}

/// ACCEPT target of a line of input, already in the code page: the bytes replace the content as in a group move, without
/// conversion; a numeric item receives the characters left-justified too.
///
/// # Safety
/// The target must be writable for the length of its attributes.
pub unsafe fn accept_line(line: &[u8], target: *mut u8, attributes: &Attributes, session: &Session) -> Result<()> {
    let source = Attributes::alphanumeric(line.len() as u32);
    if attributes.is_national() {
        return move_field(line.as_ptr(), &source, target, &Attributes::national(attributes.length), session);
    }
    move_field(line.as_ptr(), &source, target, &Attributes::group(attributes.length), session)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_move_as_unsigned_integers() {
        let session = Session::ebcdic();
        let accepted = |clock| {
            let mut area = [0u8; 10];
            // 2024-02-29 13:14:15.67 UTC, a Thursday.
            let target = Attributes::alphanumeric(10);
            unsafe { accept_clock(clock, 1_709_212_455, 670_000_000, area.as_mut_ptr(), &target, &session) }.unwrap();
            session.code_page.decode(&area)
        };
        assert_eq!(accepted(Clock::Date), "240229    ");
        assert_eq!(accepted(Clock::DateYyyymmdd), "20240229  ");
        assert_eq!(accepted(Clock::Day), "24060     ");
        assert_eq!(accepted(Clock::DayYyyyddd), "2024060   ");
        assert_eq!(accepted(Clock::DayOfWeek), "4         ");
        assert_eq!(accepted(Clock::Time), "13141567  ");
    }

    #[test]
    fn lines_fill_the_item() {
        let session = Session::ebcdic();
        let mut area = [0u8; 4];
        let line = session.code_page.encode("12");
        unsafe { accept_line(&line, area.as_mut_ptr(), &Attributes::zoned(4, 0, Sign::Unsigned), &session) }.unwrap();
        assert_eq!(area, [0xF1, 0xF2, 0x40, 0x40]);
    }
}
