//! UTF-8 items that are changed in part: characters take one to four bytes, so what follows a new character moves (Programming Guide,
//! "COBOL statements and UTF-8 data items": data is transferred by the rules of a MOVE between UTF-8 items).
//!
//! Invariants: an item never holds part of a character that was whole; what is left of its bytes is X'20'; nothing uses the heap.

use crate::attributes::Attributes;
use crate::code_page::utf8_prefix;
use crate::string::{StringSource, find};

const SPACE: u8 = 0x20;

/// Characters in some bytes.
pub fn characters(bytes: &[u8]) -> u32 {
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        at += utf8_prefix(&bytes[at..], 1, bytes.len()).max(1);
        count += 1;
    }
    count
}

/// Puts `new` where `old` bytes are; answers how many bytes of it fitted, in whole characters.
fn splice(area: &mut [u8], at: usize, old: usize, new: &[u8]) -> usize {
    let written = utf8_prefix(new, u32::MAX, area.len() - at);
    let tail = at + old..area.len();
    let kept = utf8_prefix(&area[tail.clone()], u32::MAX, area.len() - at - written);
    area.copy_within(tail.start..tail.start + kept, at + written);
    area[at..at + written].copy_from_slice(&new[..written]);
    area[at + written + kept..].fill(SPACE);
    written
}

/// Replaces `count` characters from the 1-based position `start` by the first `count` of `new`.
pub fn replace(area: &mut [u8], start: i64, count: u32, new: &[u8]) {
    let before = u32::try_from(start.max(1) - 1).unwrap_or(u32::MAX);
    let at = utf8_prefix(area, before, area.len());
    let old = utf8_prefix(&area[at..], count, area.len());
    splice(area, at, old, &new[..utf8_prefix(new, count, new.len())]);
}

/// STRING into an item of UTF-8; as [`crate::string::string`], the pointer counts characters.
///
/// # Safety
/// All areas must be valid for their lengths.
pub unsafe fn string(sources: &[StringSource], target: *mut u8, attributes: &Attributes, pointer: &mut i64) -> bool {
    let area = std::slice::from_raw_parts_mut(target, attributes.length as usize);
    // An item whose bytes are counted has as many positions as it has characters now.
    let positions = if attributes.edit == 0 { characters(area) } else { attributes.edit };
    let Some(mut before) = u32::try_from(*pointer - 1).ok().filter(|before| *before < positions) else {
        return !sources.is_empty();
    };
    let mut at = utf8_prefix(area, before, area.len());
    let mut overflow = false;
    for source in sources {
        let mut bytes = std::slice::from_raw_parts(source.address, source.length as usize);
        if !source.delimiter.is_null() {
            let delimiter = std::slice::from_raw_parts(source.delimiter, source.delimiter_length as usize);
            bytes = &bytes[..find(bytes, delimiter, 1).unwrap_or(bytes.len())];
        }
        let room = attributes.characters_max() - before;
        let taken = &bytes[..utf8_prefix(bytes, room, area.len() - at)];
        let count = characters(taken);
        let old = utf8_prefix(&area[at..], count, area.len());
        at += splice(area, at, old, taken);
        before += count;
        if taken.len() < bytes.len() {
            overflow = true;
            break;
        }
    }
    *pointer = i64::from(before) + 1;
    overflow
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_moves_and_is_cut_between_characters() {
        let mut area = *b"abcdef";
        replace(&mut area, 2, 1, "é".as_bytes());
        assert_eq!(std::str::from_utf8(&area), Ok("aécde"));
        replace(&mut area, 2, 2, "xy".as_bytes());
        assert_eq!(std::str::from_utf8(&area), Ok("axyde "));
        replace(&mut area, 5, 1, "€".as_bytes());
        // Two bytes are too few for it: the character that was there is gone.
        assert_eq!(std::str::from_utf8(&area), Ok("axyd  "));
        assert_eq!(characters("aé€😀".as_bytes()), 4);
    }
}
