//! Partial changes of UTF-8 items: characters take one to four bytes, so the text behind a new character moves (Programming Guide, "COBOL
//! statements and UTF-8 data items": data is transferred by the rules of a MOVE between UTF-8 items).
//!
//! Invariants: a character in an item is never split; unused bytes of the item are X'20'; no operation uses the heap.

use crate::code_page::utf8_prefix;

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
pub(crate) fn splice(area: &mut [u8], at: usize, old: usize, new: &[u8]) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn following_text_shifts_and_is_cut_between_characters() {
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
