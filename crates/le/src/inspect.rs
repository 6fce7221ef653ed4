//! INSPECT (Language Reference, "INSPECT statement").
//!
//! Each phrase acts on the part of the item delimited by BEFORE and AFTER, which is determined before the first comparison. Then the item
//! is scanned once from the left; at each position the phrases are tried in the order written, and the first match consumes its characters.
//! Signed numeric items are inspected as unsigned; the sign is kept.
//!
//! A program that is to be stopped meanwhile is left with part of the result: the caller looks at [`Session::is_stopped`] afterwards.
//!
//! `unsafe` here reads the operands of the phrases and changes the item that is inspected: see `lib.rs`.

use std::ops::Range;

use crate::attributes::{Attributes, Sign, Usage};
use crate::session::Session;
use crate::string::find;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum InspectKind {
    Characters = 0,
    All = 1,
    Leading = 2,
    First = 3,
}

/// One comparison of TALLYING or REPLACING, in the order written. Operands are in the item's encoding; addresses of
/// absent phrases are null. A replacement of one character for a longer comparand is repeated (figurative constant).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct InspectPhrase {
    pub kind: InspectKind,
    /// Index of the counter (TALLYING).
    pub counter: u32,
    pub comparand: *const u8,
    pub replacement: *const u8,
    /// BEFORE INITIAL.
    pub before: *const u8,
    /// AFTER INITIAL.
    pub after: *const u8,
    pub comparand_length: u32,
    pub replacement_length: u32,
    pub before_length: u32,
    pub after_length: u32,
    /// Working storage of the operation; any value.
    pub work: [u32; 4],
}

const START: usize = 0;
const END: usize = 1;
/// Where a LEADING phrase must match next; past the end when it can no longer match. FIRST uses it likewise.
const NEXT: usize = 2;
/// The first occurrence of a long comparand that has not been passed; the end of the item when there is none.
const FOUND: usize = 3;

/// A comparand of more bytes than this is searched for ahead; a shorter one is compared at each position.
const LONG: usize = 16;
/// Bytes after which it is tested whether the program is to be stopped.
const WINDOW: usize = 1 << 16;

const SIGNED_LENGTH_MAX: usize = 64;

#[inline(always)]
unsafe fn operand<'a>(address: *const u8, length: u32) -> &'a [u8] {
    if address.is_null() { &[] } else { std::slice::from_raw_parts(address, length as usize) }
}

#[inline(always)]
fn width_of(attributes: &Attributes) -> usize {
    if attributes.is_national() { 2 } else { 1 }
}

/// The part of the item on which a phrase acts, delimited by BEFORE and AFTER.
#[inline]
unsafe fn range(bytes: &[u8], phrase: &InspectPhrase, width: usize) -> (usize, usize) {
    let mut start = 0;
    let mut end = bytes.len();
    if !phrase.after.is_null() {
        let after = operand(phrase.after, phrase.after_length);
        start = find(bytes, after, width).map_or(bytes.len(), |at| at + after.len());
    }
    if !phrase.before.is_null() {
        let before = operand(phrase.before, phrase.before_length);
        end = find(bytes, before, width).unwrap_or(bytes.len());
    }
    (start, end.max(start))
}

/// The comparand is long and may occur anywhere.
fn is_searched_ahead(phrase: &InspectPhrase) -> bool {
    phrase.comparand_length as usize > LONG && matches!(phrase.kind, InspectKind::All | InspectKind::First)
}

/// Bytes matched by the phrase at a position; 0 when it does not match.
#[inline(always)]
unsafe fn match_length<const AHEAD: bool>(bytes: &[u8], at: usize, phrase: &mut InspectPhrase, width: usize, session: &Session) -> usize {
    let end = phrase.work[END] as usize;
    if at < phrase.work[START] as usize || at >= end {
        return 0;
    }
    if phrase.kind == InspectKind::Characters {
        return width;
    }
    if phrase.kind != InspectKind::All && phrase.work[NEXT] as usize == usize::MAX as u32 as usize {
        return 0;
    }
    if phrase.kind == InspectKind::Leading && phrase.work[NEXT] as usize != at {
        return 0;
    }
    let length = phrase.comparand_length as usize;
    if length == 0 || at + length > end {
        return 0;
    }
    if AHEAD && is_searched_ahead(phrase) {
        return if next_occurrence(bytes, at, phrase, width, session) == at { length } else { 0 };
    }
    let comparand = operand(phrase.comparand, phrase.comparand_length);
    if bytes[at] == comparand[0] && bytes[at..at + length] == *comparand { length } else { 0 }
}

/// The first occurrence of the comparand at or behind a position. REPLACING changes only bytes before the position, so an occurrence found
/// ahead remains one.
unsafe fn next_occurrence(bytes: &[u8], at: usize, phrase: &mut InspectPhrase, width: usize, session: &Session) -> usize {
    if (phrase.work[FOUND] as usize) < at {
        search_from(bytes, at, phrase, width, session);
    }
    phrase.work[FOUND] as usize
}

/// Searches for the comparand from a position; positions are of 32 bits, because no item is longer.
unsafe fn search_from(bytes: &[u8], at: usize, phrase: &mut InspectPhrase, width: usize, session: &Session) {
    if session.is_stopped() {
        return;
    }
    let comparand = operand(phrase.comparand, phrase.comparand_length);
    let found = find(&bytes[at..phrase.work[END] as usize], comparand, width);
    phrase.work[FOUND] = found.map_or(u32::MAX, |found| (at + found) as u32);
}

/// Scans the item and reports every match: phrase, position, length.
#[inline]
unsafe fn scan(
    bytes: *const u8,
    length: usize,
    phrases: &mut [InspectPhrase],
    width: usize,
    session: &Session,
    mut found: impl FnMut(&InspectPhrase, usize, usize),
) {
    let mut is_any_ahead = false;
    for phrase in phrases.iter_mut() {
        if session.is_stopped() {
            return;
        }
        let (start, end) = range(std::slice::from_raw_parts(bytes, length), phrase, width);
        phrase.work = [start as u32, end as u32, start as u32, 0];
        is_any_ahead |= is_searched_ahead(phrase);
    }
    if let [phrase] = phrases
        && phrase.kind == InspectKind::All
    {
        return scan_for_one(bytes, phrase, width, session, found);
    }
    if is_any_ahead {
        for phrase in phrases.iter_mut().filter(|phrase| is_searched_ahead(phrase)) {
            search_from(std::slice::from_raw_parts(bytes, length), phrase.work[START] as usize, phrase, width, session);
        }
    }
    let mut at = 0;
    while at < length && !session.is_stopped() {
        let end = length.min(at + WINDOW);
        at = match is_any_ahead {
            true => scan_window::<true>(bytes, length, at..end, phrases, width, session, &mut found),
            false => scan_window::<false>(bytes, length, at..end, phrases, width, session, &mut found),
        };
    }
}

/// The only phrase is ALL: from one occurrence to the next.
#[inline(always)]
unsafe fn scan_for_one(
    bytes: *const u8,
    phrase: &InspectPhrase,
    width: usize,
    session: &Session,
    mut found: impl FnMut(&InspectPhrase, usize, usize),
) {
    let (mut at, end) = (phrase.work[START] as usize, phrase.work[END] as usize);
    let comparand = operand(phrase.comparand, phrase.comparand_length);
    while let Some(next) = find(std::slice::from_raw_parts(bytes.add(at), end - at), comparand, width)
        && !session.is_stopped()
    {
        found(phrase, at + next, comparand.len());
        at += next + comparand.len();
    }
}

/// Scans positions of the item; returns the next one.
#[inline(always)]
unsafe fn scan_window<const AHEAD: bool>(
    bytes: *const u8,
    length: usize,
    window: Range<usize>,
    phrases: &mut [InspectPhrase],
    width: usize,
    session: &Session,
    found: &mut impl FnMut(&InspectPhrase, usize, usize),
) -> usize {
    let mut at = window.start;
    while at < window.end {
        let mut step = width;
        for phrase in phrases.iter_mut() {
            let matched = match_length::<AHEAD>(std::slice::from_raw_parts(bytes, length), at, phrase, width, session);
            if matched > 0 {
                found(phrase, at, matched);
                match phrase.kind {
                    InspectKind::Leading => phrase.work[NEXT] = (at + matched) as u32,
                    InspectKind::First => phrase.work[NEXT] = u32::MAX,
                    _ => {}
                }
                step = matched;
                break;
            }
        }
        at += step;
    }
    at
}

/// INSPECT TALLYING: adds the matches of each phrase to its counter.
///
/// # Safety
/// All areas must be valid for their lengths; the phrases' counters must be indexes of `counters`.
pub unsafe fn inspect_tally(
    area: *const u8,
    attributes: &Attributes,
    phrases: &mut [InspectPhrase],
    counters: &mut [i64],
    session: &Session,
) {
    let mut copy = [0u8; SIGNED_LENGTH_MAX];
    let (area, length) = match unsigned_copy(area, attributes, &mut copy, session) {
        Some(length) => (copy.as_ptr(), length),
        None => (area, attributes.length as usize),
    };
    if let [phrase] = phrases
        && phrase.kind == InspectKind::All
        && phrase.comparand_length == 1
    {
        let bytes = std::slice::from_raw_parts(area, length);
        let (start, end) = range(bytes, phrase, 1);
        let byte = *phrase.comparand;
        let count = bytes[start..end].iter().map(|&other| usize::from(other == byte)).sum::<usize>();
        counters[phrase.counter as usize] += count as i64;
        return;
    }
    scan(area, length, phrases, width_of(attributes), session, |phrase, _, _| {
        if let Some(counter) = counters.get_mut(phrase.counter as usize) {
            *counter += 1;
        }
    });
}

/// INSPECT REPLACING.
///
/// # Safety
/// All areas must be valid for their lengths.
pub unsafe fn inspect_replace(area: *mut u8, attributes: &Attributes, phrases: &mut [InspectPhrase], session: &Session) {
    let mut copy = [0u8; SIGNED_LENGTH_MAX];
    let signed = unsigned_copy(area, attributes, &mut copy, session);
    let (work, length) = match signed {
        Some(length) => (copy.as_mut_ptr(), length),
        None => (area, attributes.length as usize),
    };
    if let [phrase] = phrases
        && phrase.kind == InspectKind::All
        && phrase.comparand_length == 1
        && phrase.replacement_length == 1
    {
        let bytes = std::slice::from_raw_parts_mut(work, length);
        let (start, end) = range(bytes, phrase, 1);
        let (from, to) = (*phrase.comparand, *phrase.replacement);
        for byte in &mut bytes[start..end] {
            *byte = if *byte == from { to } else { *byte };
        }
    } else {
        let width = width_of(attributes);
        scan(work, length, phrases, width, session, |phrase, at, matched| {
            let given = phrase.replacement_length as usize;
            for index in 0..matched {
                let from = if given >= matched { index } else { index % given.max(1) };
                *work.add(at + index) = *phrase.replacement.add(from);
            }
        });
    }
    if signed.is_some() {
        restore(&copy[..length], area, attributes, session);
    }
}

/// INSPECT CONVERTING: `comparand` is the list of characters to convert, `replacement` the list of their replacements (or one character for
/// all), with BEFORE and AFTER. The first occurrence of a character in the list applies.
///
/// # Safety
/// All areas must be valid for their lengths.
pub unsafe fn inspect_convert(area: *mut u8, attributes: &Attributes, phrase: &InspectPhrase, session: &Session) {
    let mut copy = [0u8; SIGNED_LENGTH_MAX];
    let signed = unsigned_copy(area, attributes, &mut copy, session);
    let (work, length) = match signed {
        Some(length) => (copy.as_mut_ptr(), length),
        None => (area, attributes.length as usize),
    };
    let width = width_of(attributes);
    let from = operand(phrase.comparand, phrase.comparand_length);
    let to = operand(phrase.replacement, phrase.replacement_length);
    let bytes = std::slice::from_raw_parts_mut(work, length);
    let (start, end) = range(bytes, phrase, width);
    if width == 1 {
        convert_bytes(&mut bytes[start..end], from, to);
    } else {
        for pair in bytes[start..end].chunks_exact_mut(2) {
            // Each character may take a pass over a long list.
            if session.is_stopped() {
                return;
            }
            let found = from.chunks_exact(2).position(|candidate| candidate == pair);
            if let Some(index) = found {
                let index = if to.len() < from.len() { 0 } else { index };
                if let Some(replacement) = to.get(index * 2..index * 2 + 2) {
                    pair.copy_from_slice(replacement);
                }
            }
        }
    }
    if signed.is_some() {
        restore(&copy[..length], area, attributes, session);
    }
}

fn convert_bytes(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    if to.is_empty() {
        return;
    }
    let mut table = [0u8; 256];
    for (byte, entry) in table.iter_mut().enumerate() {
        *entry = byte as u8;
    }
    for (index, &byte) in from.iter().enumerate().rev() {
        table[byte as usize] = if to.len() < from.len() { to[0] } else { to[index] };
    }
    for byte in bytes {
        *byte = table[*byte as usize];
    }
}

/// Copies a signed zoned item without its sign; `None` for other items.
unsafe fn unsigned_copy(area: *const u8, attributes: &Attributes, copy: &mut [u8; SIGNED_LENGTH_MAX], session: &Session) -> Option<usize> {
    let length = attributes.length as usize;
    if attributes.usage != Usage::Zoned || !attributes.is_signed() || length > SIGNED_LENGTH_MAX || length == 0 {
        return None;
    }
    let bytes = std::slice::from_raw_parts(area, length);
    let zone = session.code_page.zone;
    match attributes.sign {
        Sign::LeadingSeparate => copy[..length - 1].copy_from_slice(&bytes[1..]),
        Sign::TrailingSeparate => copy[..length - 1].copy_from_slice(&bytes[..length - 1]),
        _ => copy[..length].copy_from_slice(bytes),
    }
    match attributes.sign {
        Sign::Trailing => copy[length - 1] = copy[length - 1] & 15 | zone,
        Sign::Leading => copy[0] = copy[0] & 15 | zone,
        _ => return Some(length - 1),
    }
    Some(length)
}

/// Stores inspected digits with the item's own sign.
unsafe fn restore(digits: &[u8], area: *mut u8, attributes: &Attributes, session: &Session) {
    let zone = session.code_page.zone;
    let target = if attributes.sign == Sign::LeadingSeparate { area.add(1) } else { area };
    let signed_at = match attributes.sign {
        Sign::Trailing => Some(digits.len() - 1),
        Sign::Leading => Some(0),
        _ => None,
    };
    for (index, &digit) in digits.iter().enumerate() {
        let kept = *target.add(index) & 0xF0;
        // A sign position keeps its zone while it contains a digit.
        let overpunched = signed_at == Some(index) && digit & 0xF0 == zone;
        *target.add(index) = if overpunched { kept | digit & 15 } else { digit };
    }
}

#[cfg(test)]
#[path = "inspect_tests.rs"]
mod tests;
