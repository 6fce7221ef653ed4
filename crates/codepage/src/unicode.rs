//! UTF-8 and UTF-16: taking one character off the front, and appending one character.

use crate::taken::Taken;

/// Bytes of the first `characters` characters of UTF-8 that fit in `most` bytes, whole; a byte that begins no character counts as one.
pub fn utf8_prefix(bytes: &[u8], characters: u32, most: usize) -> usize {
    let mut at = 0;
    for _ in 0..characters {
        if at >= bytes.len() {
            break;
        }
        let (_, width) = take_utf8(&bytes[at..]);
        if at + width > most {
            break;
        }
        at += width;
    }
    at
}

/// Bytes a character takes in UTF-8.
pub const fn utf8_width(code: u32) -> usize {
    match code {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0x800..=0xFFFF => 3,
        _ => 4,
    }
}

/// Takes one character of UTF-8 off the front of bytes that are not empty.
pub(crate) fn take_utf8(bytes: &[u8]) -> (Taken, usize) {
    let first = bytes[0];
    if first < 0x80 {
        return (Taken::One(char::from(first)), 1);
    }
    let (width, low) = match first {
        0xC2..=0xDF => (2, u32::from(first & 0x1F)),
        0xE0..=0xEF => (3, u32::from(first & 0x0F)),
        0xF0..=0xF4 => (4, u32::from(first & 0x07)),
        _ => return (Taken::Malformed, 1),
    };
    let mut code = low;
    for index in 1..width {
        match bytes.get(index) {
            Some(&next) if next & 0xC0 == 0x80 => code = code << 6 | u32::from(next & 0x3F),
            Some(_) => return (Taken::Malformed, index),
            None => return (Taken::Incomplete, index),
        }
    }
    match char::from_u32(code) {
        Some(character) if utf8_width(code) == width => (Taken::One(character), width),
        _ => (Taken::Malformed, width),
    }
}

/// Takes one character of UTF-16 off the front of bytes that are not empty.
pub(crate) fn take_utf16(bytes: &[u8]) -> (Taken, usize) {
    let Some(&[high, low]) = bytes.get(..2) else { return (Taken::Incomplete, bytes.len()) };
    let unit = u32::from(u16::from_be_bytes([high, low]));
    if let Some(character) = char::from_u32(unit) {
        return (Taken::One(character), 2);
    }
    if unit >= 0xDC00 {
        return (Taken::Malformed, 2);
    }
    let Some(&[high, low]) = bytes.get(2..4) else { return (Taken::Incomplete, bytes.len().min(2)) };
    let second = u32::from(u16::from_be_bytes([high, low]));
    if !(0xDC00..0xE000).contains(&second) {
        return (Taken::Malformed, 2);
    }
    match char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00)) {
        Some(character) => (Taken::One(character), 4),
        None => (Taken::Malformed, 4),
    }
}

/// Writes the character at `at`, most significant byte first; its length, or `None` when it does not fit.
pub(crate) fn put_utf16(character: char, out: &mut [u8], at: usize) -> Option<usize> {
    let mut units = [0u16; 2];
    let units = character.encode_utf16(&mut units);
    let target = out.get_mut(at..at + 2 * units.len())?;
    for (pair, unit) in target.chunks_exact_mut(2).zip(units.iter()) {
        pair.copy_from_slice(&unit.to_be_bytes());
    }
    Some(2 * units.len())
}

/// Writes the character at `at`; its length, or `None` when it does not fit.
pub(crate) fn put_utf8(character: char, out: &mut [u8], at: usize) -> Option<usize> {
    let width = character.len_utf8();
    character.encode_utf8(out.get_mut(at..at + width)?);
    Some(width)
}
