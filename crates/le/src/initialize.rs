//! INITIALIZE and initial values.
use crate::{Attributes, Session};
/// Sets an elementary item to its default: zero for numeric and numeric-edited, spaces for others, null for pointers.
/// # Safety
/// Area writable for its length.
pub unsafe fn initialize(area: *mut u8, attributes: &Attributes, session: &Session) { todo!() }
