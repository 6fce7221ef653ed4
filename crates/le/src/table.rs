//! Tables: subscripts, reference modification, SEARCH ALL, SORT.
//!
//! `unsafe` here moves the elements of a table and reads their keys: see `lib.rs`.

use std::cmp::Ordering;

use crate::exception::{Exception, Result};
pub use crate::keys::{SortKey, compare_keys};
use crate::session::Session;
use crate::sort::sequence;

/// Checks a reference modification (start:length), 1-based, in characters of the item; `length` None means to the end.
/// Returns the length.
#[inline]
pub const fn check_reference(start: i64, length: Option<i64>, item_length: u32) -> Result<u32> {
    let available = item_length as i64 - start + 1;
    if start < 1 || available < 1 {
        return Err(Exception::ReferenceModification);
    }
    match length {
        None => Ok(available as u32),
        Some(length) if length < 1 || length > available => Err(Exception::ReferenceModification),
        Some(length) => Ok(length as u32),
    }
}

/// SEARCH ALL: the occurrence (1-based) for which `order` (of the element's keys to the wanted values, reversed for
/// DESCENDING) is equal.
pub fn search_all(occurrences: u32, mut order: impl FnMut(u32) -> Result<Ordering>) -> Result<Option<u32>> {
    let (mut low, mut high) = (1, occurrences + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        match order(middle)? {
            Ordering::Equal => return Ok(Some(middle)),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    Ok(None)
}

/// SORT of a table in place, keeping the order of equal elements (as with DUPLICATES). `scratch` is as large as the
/// table; keys are compared as relation conditions do.
///
/// # Safety
/// `base` and `scratch` must be writable for `count * element_length` bytes and not overlap.
pub unsafe fn sort(base: *mut u8, element_length: u32, count: u32, keys: &[SortKey], scratch: *mut u8, session: &Session) -> Result<()> {
    let (length, count) = (element_length as usize, count as usize);
    let order = sequence(count, |at| base.add(at * length), keys, session)?;
    for (to, from) in order.iter().enumerate() {
        std::ptr::copy_nonoverlapping(base.add(*from as usize * length), scratch.add(to * length), length);
    }
    std::ptr::copy_nonoverlapping(scratch, base, count * length);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::{Attributes, Sign};

    #[test]
    fn references_and_subscripts_at_their_bounds() {
        assert_eq!(check_reference(1, Some(10), 10), Ok(10));
        assert_eq!(check_reference(10, Some(1), 10), Ok(1));
        assert_eq!(check_reference(3, None, 10), Ok(8));
        for (start, length) in [(0, Some(1)), (11, None), (1, Some(0)), (1, Some(11)), (10, Some(2)), (-1, Some(3))] {
            assert_eq!(check_reference(start, length, 10), Err(Exception::ReferenceModification), "{start} {length:?}");
        }
    }

    #[test]
    fn binary_search_finds_every_element() {
        for occurrences in 0..40u32 {
            for wanted in 1..=occurrences + 1 {
                let found = search_all(occurrences, |index| Ok((index * 2).cmp(&(wanted * 2)))).unwrap();
                assert_eq!(found, (wanted <= occurrences).then_some(wanted));
            }
        }
        assert_eq!(search_all(9, |index| Ok((index * 2).cmp(&7))), Ok(None));
    }

    #[test]
    fn sorts_stably_by_several_keys() {
        let session = Session::ascii();
        let letter = Attributes::alphanumeric(1);
        let number = Attributes::zoned(2, 0, Sign::Unsigned);
        let keys = [SortKey { offset: 0, descending: 0, attributes: &letter }, SortKey { offset: 1, descending: 1, attributes: &number }];
        let mut table = *b"B01xA05aB07xA05bA09xC00xA05c";
        let mut scratch = [0u8; 28];
        unsafe { sort(table.as_mut_ptr(), 4, 7, &keys, scratch.as_mut_ptr(), &session) }.unwrap();
        assert_eq!(&table, b"A09xA05aA05bA05cB07xB01xC00x");
    }
}
