//! Tables: subscripts, reference modification, SEARCH ALL, SORT.
use std::cmp::Ordering;
use crate::{Attributes, Exception, Result, Session};
/// Checks a reference modification (start:length), 1-based; length < 0 means "to the end". Returns the length.
pub fn check_reference(start: i64, length: i64, item_length: u32) -> Result<u32> { todo!() }
/// One KEY of a SORT of a table.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SortKey { pub offset: u32, /** 1: DESCENDING. */ pub descending: u32, pub attributes: *const Attributes }
/// SORT of a table in place, stable. `scratch` is one element long.
/// # Safety
/// `base` writable for count * element_length bytes, `scratch` for element_length.
pub unsafe fn sort(base: *mut u8, element_length: u32, count: u32, keys: &[SortKey], scratch: *mut u8, session: &Session) -> Result<()> { todo!() }
/// Compares two records by keys.
/// # Safety
/// Both records readable over their keys.
pub unsafe fn compare_keys(left: *const u8, right: *const u8, keys: &[SortKey], session: &Session) -> Result<Ordering> { todo!() }
