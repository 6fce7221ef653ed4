//! The order of records by keys: every key of a record is converted to bytes whose plain order is that of the keys, so that each is
//! converted once and comparisons are of integers.
//!
//! Invariant: the order is that of [`compare_keys`], and records with equal keys stay in sequence. Keys without such bytes (national items,
//! floating point, more than 18 digits, invalid digits) are compared directly.
//!
//! `unsafe` here reads the keys of the records: see `lib.rs`. The test below compares the order of random records with that of
//! [`compare_keys`].

use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::attributes::{Attributes, Usage};
use crate::exception::{Exception, Result};
use crate::keys::{SortKey, compare_keys};
use crate::numeric;
use crate::session::Session;

/// Bytes that a number becomes.
const NUMBER_LENGTH: usize = 8;

fn is_characters(attributes: &Attributes) -> bool {
    matches!(attributes.usage, Usage::Group | Usage::Alphanumeric | Usage::Alphabetic | Usage::AlphanumericEdited | Usage::NumericEdited)
        && !attributes.is_national()
        && !attributes.has(Attributes::NATIONAL_GROUP)
}

/// Length of a key's bytes; `None`: it has none.
fn length_of(attributes: &Attributes) -> Option<usize> {
    let length = attributes.length as usize;
    match attributes.usage {
        _ if is_characters(attributes) => Some(length),
        Usage::Packed if length <= 8 => Some(NUMBER_LENGTH),
        Usage::Zoned if attributes.digits <= 18 => Some(NUMBER_LENGTH),
        Usage::Binary | Usage::NativeBinary if length < 8 || (length == 8 && attributes.is_signed()) => Some(NUMBER_LENGTH),
        _ => None,
    }
}

/// Writes the bytes of one record's keys; whether all have some.
unsafe fn normalize(record: *const u8, keys: &[SortKey], session: &Session, out: &mut [u8]) -> bool {
    let mut at = 0;
    for key in keys {
        let attributes = &*key.attributes;
        let area = record.add(key.offset as usize);
        let begun = at;
        if is_characters(attributes) {
            let bytes = std::slice::from_raw_parts(area, attributes.length as usize);
            at += bytes.len();
            match session.collating.as_ref() {
                None => out[begun..at].copy_from_slice(bytes),
                Some(collating) => {
                    out[begun..at].iter_mut().zip(bytes).for_each(|(to, byte)| *to = collating[*byte as usize]);
                }
            }
        } else {
            let Some(Ok(value)) = numeric::load_short(area, attributes, session) else { return false };
            let value = if attributes.is_signed() { value } else { value.wrapping_abs() };
            at += NUMBER_LENGTH;
            out[begun..at].copy_from_slice(&(value as u64 ^ 1 << 63).to_be_bytes());
        }
        if key.descending == 1 {
            out[begun..at].iter_mut().for_each(|byte| *byte = !*byte);
        }
    }
    true
}

/// The sequence of `count` records by their keys: numbers of the records, from 0.
///
/// # Safety
/// Each record must be readable over its keys, and the keys' attributes valid.
pub unsafe fn sequence(count: usize, record: impl Fn(usize) -> *const u8, keys: &[SortKey], session: &Session) -> Result<Vec<u32>> {
    let total = keys.iter().try_fold(0, |sum, key| Some(sum + length_of(&*key.attributes)?));
    if let Some(total) = total
        && let Some(order) = sequence_of_bytes(count, &record, keys, session, total)?
    {
        return Ok(order);
    }
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut failed: Option<Exception> = None;
    sort_until_stopped(&mut order, session, |left, right| {
        compare_keys(record(*left as usize), record(*right as usize), keys, session).unwrap_or_else(|exception| {
            failed = Some(exception);
            Ordering::Equal
        })
    })?;
    failed.map_or(Ok(order), Err)
}

/// Elements sorted, and comparisons made, before it is tested whether the program is to be stopped.
const SORTED_AT_ONCE: usize = 1 << 18;
const COMPARED_AT_ONCE: u32 = 1 << 10;

/// A stable sort that gives up when the program is to be stopped. Only a panic ends the sort of the standard library.
fn sort_until_stopped<T>(items: &mut [T], session: &Session, mut order: impl FnMut(&T, &T) -> Ordering) -> Result<()> {
    let mut compared = 0u32;
    let sorted = catch_unwind(AssertUnwindSafe(|| {
        items.sort_by(|left, right| {
            compared = compared.wrapping_add(1);
            if compared.is_multiple_of(COMPARED_AT_ONCE) && session.is_stopped() {
                resume_unwind(Box::new(Exception::Stopped));
            }
            order(left, right)
        });
    }));
    sorted.or_else(|payload| if payload.is::<Exception>() { Err(Exception::Stopped) } else { resume_unwind(payload) })
}

/// Sorts elements none of which are equal. Many are sorted in parts by `sort_part`, which are then merged.
fn sort_different<T>(items: &mut [T], session: &Session, sort_part: impl Fn(&mut [T]), order: impl Fn(&T, &T) -> Ordering) -> Result<()> {
    for part in items.chunks_mut(SORTED_AT_ONCE) {
        session.check_stop()?;
        sort_part(part);
    }
    if items.len() > SORTED_AT_ONCE { sort_until_stopped(items, session, order) } else { Ok(()) }
}

/// `None`: a key of some record has no bytes.
unsafe fn sequence_of_bytes(
    count: usize,
    record: &impl Fn(usize) -> *const u8,
    keys: &[SortKey],
    session: &Session,
    total: usize,
) -> Result<Option<Vec<u32>>> {
    const HEAD: usize = 16;
    let length = total.max(HEAD);
    let mut one = vec![0u8; length];
    let mut heads: Vec<(u128, u32)> = Vec::with_capacity(count);
    // What does not fit the head is looked at only when heads are equal.
    let mut rests: Vec<u8> = Vec::with_capacity(count * (length - HEAD));
    for number in 0..count {
        if !normalize(record(number), keys, session, &mut one) {
            return Ok(None);
        }
        if number.is_multiple_of(COMPARED_AT_ONCE as usize) {
            session.check_stop()?;
        }
        let head = u128::from_be_bytes(one[..HEAD].try_into().expect("a head"));
        heads.push((head, number as u32));
        rests.extend_from_slice(&one[HEAD..]);
    }
    if length == HEAD {
        // The number of the record keeps equal ones in sequence. The comparison is the elements' own, which is faster than one of three outcomes.
        sort_different(&mut heads, session, |part| part.sort_unstable(), Ord::cmp)?;
    } else {
        let rest = |number: u32| &rests[number as usize * (length - HEAD)..][..length - HEAD];
        let order = |a: &(u128, u32), b: &(u128, u32)| a.0.cmp(&b.0).then_with(|| rest(a.1).cmp(rest(b.1))).then(a.1.cmp(&b.1));
        sort_different(&mut heads, session, |part| part.sort_unstable_by(order), order)?;
    }
    Ok(Some(heads.into_iter().map(|(_, number)| number).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Sign;

    /// Records of two letters, a packed and a zoned number and twelve more letters.
    fn records(invalid: bool) -> Vec<Vec<u8>> {
        let session = Session::ascii();
        let (packed, zoned) = (Attributes::packed(3, 0, true), Attributes::zoned(2, 0, Sign::Trailing));
        let mut random = testing::Random::new(11);
        let mut next = |bound: u64| random.below(bound);
        let mut made = Vec::new();
        for number in 0..400u32 {
            let mut record: Vec<u8> = (0..2).map(|_| b"AB "[next(3) as usize]).collect();
            record.extend([0; 4]);
            record.extend((0..12).map(|_| b"AB"[next(2) as usize]));
            record.extend(number.to_be_bytes());
            unsafe {
                numeric::store_integer(next(7) as i64 - 3, record.as_mut_ptr().add(2), &packed, &session);
                numeric::store_integer(next(5) as i64 - 2, record.as_mut_ptr().add(4), &zoned, &session);
            }
            made.push(record);
        }
        if invalid {
            made[17][2] = 0xFF;
        }
        made
    }

    fn compare_all(keys: &[SortKey], invalid: bool) {
        let session = Session::ascii();
        let records = records(invalid);
        let order = unsafe { sequence(records.len(), |at| records[at].as_ptr(), keys, &session) };
        if invalid {
            assert_eq!(order, Err(Exception::Data));
            return;
        }
        let mut expected: Vec<u32> = (0..records.len() as u32).collect();
        expected
            .sort_by(|a, b| unsafe { compare_keys(records[*a as usize].as_ptr(), records[*b as usize].as_ptr(), keys, &session) }.unwrap());
        assert_eq!(order, Ok(expected));
    }

    #[test]
    fn bytes_of_keys_have_the_order_of_the_keys() {
        let letters = Attributes::alphanumeric(2);
        let (packed, zoned) = (Attributes::packed(3, 0, true), Attributes::zoned(2, 0, Sign::Trailing));
        let long = Attributes::alphanumeric(12);
        let key = |offset, descending, attributes| SortKey { offset, descending, attributes };
        compare_all(&[key(0, 0, &letters), key(2, 1, &packed)], false);
        compare_all(&[key(2, 0, &packed), key(4, 0, &zoned)], false);
        compare_all(&[key(4, 1, &zoned), key(0, 1, &letters), key(6, 0, &long)], false);
        compare_all(&[key(6, 1, &long), key(2, 0, &packed), key(4, 0, &zoned)], false);
        compare_all(&[key(2, 0, &packed)], true);
    }
}
