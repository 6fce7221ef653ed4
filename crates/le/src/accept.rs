//! ACCEPT.
use crate::{Attributes, Result, Session};
/// What ACCEPT FROM names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Clock { Date = 0, DateYyyymmdd = 1, Day = 2, DayYyyyddd = 3, DayOfWeek = 4, Time = 5 }
/// ACCEPT target FROM DATE ...: `seconds` since 1970 UTC and `nanoseconds` give the moment.
/// # Safety
/// Target writable for its length.
pub unsafe fn accept_clock(clock: Clock, seconds: i64, nanoseconds: u32, target: *mut u8, attributes: &Attributes, session: &Session) -> Result<()> { todo!() }
/// ACCEPT target of a line of input, already in the code page.
/// # Safety
/// Target writable for its length.
pub unsafe fn accept_line(line: &[u8], target: *mut u8, attributes: &Attributes, session: &Session) -> Result<()> { todo!() }
