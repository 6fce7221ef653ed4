//! DISPLAY: items as printed.
use crate::{Attributes, Result, Session};
/// Longest text of an elementary numeric item.
pub const NUMERIC_LENGTH_MAX: usize = 64;
/// Writes the item as DISPLAY prints it, in the session's code page; returns the length. Areas of characters come out as they are.
/// # Safety
/// Area readable for its length.
pub unsafe fn display(area: *const u8, attributes: &Attributes, out: &mut [u8], session: &Session) -> Result<usize> { todo!() }
