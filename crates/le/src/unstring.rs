//! UNSTRING.
use crate::{Attributes, Result, Session};
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Delimiter { pub address: *const u8, pub length: u32, /** ALL phrase: 1. */ pub all: u32 }
/// One INTO operand; unused addresses are null.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct UnstringTarget {
    pub address: *mut u8,
    pub attributes: *const Attributes,
    /// DELIMITER IN.
    pub delimiter_address: *mut u8,
    pub delimiter_attributes: *const Attributes,
    /// COUNT IN.
    pub count_address: *mut u8,
    pub count_attributes: *const Attributes,
}
/// UNSTRING; `pointer` 1-based (1 without POINTER), `tallying` is added to. Returns overflow.
/// # Safety
/// All areas valid for their lengths.
pub unsafe fn unstring(source: *const u8, source_attributes: &Attributes, delimiters: &[Delimiter], targets: &[UnstringTarget], pointer: &mut i64, tallying: &mut i64, session: &Session) -> Result<bool> { todo!() }
