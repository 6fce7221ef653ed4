//! Keys of elements and records, and their order, for SORT, MERGE and SEARCH ALL.
//!
//! `unsafe` here reads the keys of two records: see `lib.rs`.

use std::cmp::Ordering;

use crate::attributes::Attributes;
use crate::exception::Result;
use crate::items::compare::compare;
use crate::session::Session;

/// One KEY of a SORT, MERGE or SEARCH ALL.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SortKey {
    /// Offset in the element or record.
    pub offset: u32,
    /// 1: DESCENDING.
    pub descending: u32,
    pub attributes: *const Attributes,
}

/// Compares two elements or records by keys.
///
/// # Safety
/// Both must be readable over their keys, and the keys' attributes valid.
pub unsafe fn compare_keys(left: *const u8, right: *const u8, keys: &[SortKey], session: &Session) -> Result<Ordering> {
    for key in keys {
        let attributes = &*key.attributes;
        let (a, b) = (left.add(key.offset as usize), right.add(key.offset as usize));
        let order = compare(a, attributes, b, attributes, session)?;
        if order != Ordering::Equal {
            return Ok(if key.descending == 1 { order.reverse() } else { order });
        }
    }
    Ok(Ordering::Equal)
}
