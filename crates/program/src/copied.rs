//! Operations of the language on copies of data items, for debuggers: the value of an item, a MOVE to it, a comparison.
//!
//! Invariant: an operation sees a copy that is as long as its attributes say, between margins that it may read too, so no item and no
//! literal of whatever contents leads it to other memory. The session is that of an active program of the caller, whose edit programs it
//! leads to.
//!
//! `unsafe` here hands areas of that kind to `le`. The tests below run the operations at the limits of the lengths; `regent/tests/debugging.rs` runs
//! them on the items of programs.

use le::movement::{self, Figurative};
use le::{Attributes, Decimal, Exception, Session};
use std::cmp::Ordering;

/// Bytes before and behind a copy: as around the storage of programs.
const MARGIN: usize = 16;

/// A data item or literal: its bytes and its description.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    pub bytes: &'a [u8],
    pub attributes: Attributes,
}

/// The bytes of an item between margins.
struct Copy {
    memory: Vec<u8>,
    attributes: Attributes,
}

impl Copy {
    /// An item shorter than its description is a caller's error, which becomes blanks of binary zeros.
    fn of(item: Item) -> Copy {
        let length = item.attributes.length as usize;
        let mut memory = vec![0; length + 2 * MARGIN];
        let given = length.min(item.bytes.len());
        memory[MARGIN..MARGIN + given].copy_from_slice(&item.bytes[..given]);
        Copy { memory, attributes: item.attributes }
    }

    fn area(&self) -> *const u8 {
        self.memory[MARGIN..].as_ptr()
    }

    fn area_mut(&mut self) -> *mut u8 {
        self.memory[MARGIN..].as_mut_ptr()
    }

    fn into_bytes(self) -> Vec<u8> {
        let length = self.attributes.length as usize;
        self.memory[MARGIN..MARGIN + length].to_vec()
    }
}

/// The value of a numeric item.
pub fn number(item: Item, session: &Session) -> Result<Decimal, Exception> {
    let copy = Copy::of(item);
    unsafe { le::numeric::load(copy.area(), &copy.attributes, session) }
}

/// The value of a floating-point item.
pub fn float(item: Item, session: &Session) -> Result<f64, Exception> {
    let copy = Copy::of(item);
    unsafe { le::numeric::load_float(copy.area(), &copy.attributes, session) }
}

/// Whether the item belongs to the class.
pub fn is_of_class(class: le::class::Class, item: Item, session: &Session) -> bool {
    let copy = Copy::of(item);
    unsafe { le::class::is_class(class, copy.area(), &copy.attributes, session) }
}

/// The target's bytes after MOVE source TO target.
pub fn moved(source: Item, target: Item, session: &Session) -> Result<Vec<u8>, Exception> {
    let (from, mut to) = (Copy::of(source), Copy::of(target));
    let attributes = to.attributes;
    unsafe { movement::move_field(from.area(), &from.attributes, to.area_mut(), &attributes, session)? };
    Ok(to.into_bytes())
}

/// The target's bytes after a MOVE of a number, of which it loses nothing; `None` if it does not hold the number.
pub fn stored(value: &Decimal, target: Item, session: &Session) -> Option<Vec<u8>> {
    let mut to = Copy::of(target);
    let attributes = to.attributes;
    let lost = unsafe { le::numeric::store(value, to.area_mut(), &attributes, le::Rounding::Prohibited, true, session) };
    (!lost).then(|| to.into_bytes())
}

/// The target's bytes after a MOVE of a floating-point number; `None` if it does not hold the number.
pub fn stored_float(value: f64, target: Item, session: &Session) -> Option<Vec<u8>> {
    let mut to = Copy::of(target);
    let length = to.attributes.length;
    let fits = unsafe { le::float::store(to.area_mut(), length, value, session.float_format) };
    fits.then(|| to.into_bytes())
}

/// The target's bytes after a MOVE of a figurative constant.
pub fn filled(figurative: Figurative, target: Item, session: &Session) -> Vec<u8> {
    let mut to = Copy::of(target);
    let attributes = to.attributes;
    unsafe { movement::move_figurative(figurative, to.area_mut(), &attributes, session) };
    to.into_bytes()
}

/// The target's bytes after MOVE ALL literal.
pub fn filled_with(literal: &[u8], target: Item, session: &Session) -> Result<Vec<u8>, Exception> {
    let mut to = Copy::of(target);
    let attributes = to.attributes;
    unsafe { movement::move_all(literal, to.area_mut(), &attributes, session)? };
    Ok(to.into_bytes())
}

/// The relation condition.
pub fn compared(left: Item, right: Item, session: &Session) -> Result<Ordering, Exception> {
    let (left, right) = (Copy::of(left), Copy::of(right));
    unsafe { le::compare::compare(left.area(), &left.attributes, right.area(), &right.attributes, session) }
}

/// The relation with a figurative constant.
pub fn compared_with(left: Item, figurative: Figurative, session: &Session) -> Result<Ordering, Exception> {
    let left = Copy::of(left);
    unsafe { le::compare::compare_figurative(left.area(), &left.attributes, figurative, session) }
}

/// The relation with ALL literal.
pub fn compared_with_all(left: Item, literal: &[u8], session: &Session) -> Result<Ordering, Exception> {
    let left = Copy::of(left);
    unsafe { le::compare::compare_all(left.area(), &left.attributes, literal, session) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use le::Sign;

    const PACKED: Attributes = Attributes::packed(5, 2, true);

    fn packed(bytes: &[u8]) -> Item<'_> {
        Item { bytes, attributes: PACKED }
    }

    #[test]
    fn numbers_are_loaded_and_stored_without_loss() {
        let session = Session::ebcdic();
        let value = number(packed(&[0x12, 0x34, 0x5D]), &session).unwrap();
        assert_eq!((value.coefficient, value.scale), (-12345, 2));
        assert_eq!(stored(&Decimal::new(-67, 1), packed(&[0; 3]), &session), Some(vec![0x00, 0x67, 0x0D]));
        // One digit too many on either side.
        assert_eq!(stored(&Decimal::new(1000, 0), packed(&[0; 3]), &session), None);
        assert_eq!(stored(&Decimal::new(999, 0), packed(&[0; 3]), &session), Some(vec![0x99, 0x90, 0x0C]));
        assert_eq!(stored(&Decimal::new(1, 3), packed(&[0; 3]), &session), None);
        assert!(number(packed(&[0xC1, 0xC2, 0xC3]), &session).is_err());
    }

    #[test]
    fn an_item_without_bytes_is_no_other_memory() {
        let session = Session::ebcdic();
        let long = Item { bytes: &[], attributes: Attributes::alphanumeric(40_000) };
        assert_eq!(compared(long, long, &session), Ok(Ordering::Equal));
        let text = Item { bytes: &[0xC1, 0xC2], attributes: Attributes::alphanumeric(2) };
        let moved = moved(text, Item { bytes: &[], attributes: Attributes::alphanumeric(3) }, &session).unwrap();
        assert_eq!(moved, [0xC1, 0xC2, 0x40]);
        assert_eq!(compared_with(Item { bytes: &moved[2..], ..text }, Figurative::Space, &session), Ok(Ordering::Less));
        let zoned = Item { bytes: &[0xF1, 0xC2], attributes: Attributes::zoned(2, 0, Sign::Trailing) };
        assert!(is_of_class(le::class::Class::Numeric, zoned, &session));
        assert_eq!(filled(Figurative::Zero, zoned, &session), [0xF0, 0xC0]);
    }
}
