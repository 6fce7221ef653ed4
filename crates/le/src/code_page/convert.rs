//! Conversion of raw bytes between code pages, into the caller's buffer, without allocation.

use super::{CodePage, Encoding};
use crate::exception::{Exception, Result};

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

/// Writes the character at `at`, and returns its length there.
fn put_utf8(code: u32, out: &mut [u8], at: usize) -> Result<usize> {
    let width = utf8_width(code);
    let target = out.get_mut(at..at + width).ok_or(Exception::BufferLength)?;
    match width {
        1 => target[0] = code as u8,
        2 => {
            target[0] = 0xC0 | (code >> 6) as u8;
            target[1] = 0x80 | (code & 0x3F) as u8;
        }
        3 => {
            target[0] = 0xE0 | (code >> 12) as u8;
            target[1] = 0x80 | (code >> 6 & 0x3F) as u8;
            target[2] = 0x80 | (code & 0x3F) as u8;
        }
        _ => {
            target[0] = 0xF0 | (code >> 18) as u8;
            target[1] = 0x80 | (code >> 12 & 0x3F) as u8;
            target[2] = 0x80 | (code >> 6 & 0x3F) as u8;
            target[3] = 0x80 | (code & 0x3F) as u8;
        }
    }
    Ok(width)
}

/// Takes one character off the front; malformed input gives U+FFFD for one unit.
pub(crate) fn take(page: &CodePage, bytes: &[u8]) -> (u32, usize) {
    match page.encoding {
        Encoding::Ebcdic | Encoding::Ascii => (u32::from(page.to_unicode[bytes[0] as usize]), 1),
        Encoding::Utf16 => {
            let Some(&[high, low]) = bytes.get(..2) else { return (0xFFFD, bytes.len()) };
            let unit = u32::from(u16::from_be_bytes([high, low]));
            if (0xD800..0xDC00).contains(&unit)
                && let Some(&[high, low]) = bytes.get(2..4)
            {
                let second = u32::from(u16::from_be_bytes([high, low]));
                if (0xDC00..0xE000).contains(&second) {
                    return (0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00), 4);
                }
            }
            (if (0xD800..0xE000).contains(&unit) { 0xFFFD } else { unit }, 2)
        }
        Encoding::Utf8 => take_utf8(bytes),
    }
}

fn take_utf8(bytes: &[u8]) -> (u32, usize) {
    let first = bytes[0];
    if first < 0x80 {
        return (u32::from(first), 1);
    }
    let (width, low) = match first {
        0xC2..=0xDF => (2, u32::from(first & 0x1F)),
        0xE0..=0xEF => (3, u32::from(first & 0x0F)),
        0xF0..=0xF4 => (4, u32::from(first & 0x07)),
        _ => return (0xFFFD, 1),
    };
    let mut code = low;
    for index in 1..width {
        match bytes.get(index) {
            Some(&next) if next & 0xC0 == 0x80 => code = code << 6 | u32::from(next & 0x3F),
            _ => return (0xFFFD, index),
        }
    }
    if utf8_width(code) != width || char::from_u32(code).is_none() {
        return (0xFFFD, width);
    }
    (code, width)
}

/// Converts `source` in page `from` to page `to`; returns the bytes written. `BufferLength` when they do not fit.
pub fn convert(source: &[u8], from: &CodePage, out: &mut [u8], to: &CodePage) -> Result<usize> {
    let (read, written) = convert_prefix(source, from, out, to);
    if read == source.len() { Ok(written) } else { Err(Exception::BufferLength) }
}

/// Converts as many whole characters as fit; returns the bytes read and the bytes written.
pub fn convert_prefix(source: &[u8], from: &CodePage, out: &mut [u8], to: &CodePage) -> (usize, usize) {
    if from.is_single_byte() && to.is_single_byte() {
        for (byte, &given) in out.iter_mut().zip(source) {
            *byte = single(from.to_unicode[given as usize], to);
        }
        let count = source.len().min(out.len());
        return (count, count);
    }
    let mut at = 0;
    let mut read = 0;
    while read < source.len() {
        let (code, width) = take(from, &source[read..]);
        match put(code, out, at, to) {
            Ok(length) => at += length,
            Err(_) => break,
        }
        read += width;
    }
    (read, at)
}

/// Writes one character at `at`; returns its length there.
fn put(code: u32, out: &mut [u8], at: usize, to: &CodePage) -> Result<usize> {
    match to.encoding {
        Encoding::Utf8 => put_utf8(code, out, at),
        Encoding::Utf16 => {
            let mut units = [0u16; 2];
            let units = char::from_u32(code).unwrap_or('\u{FFFD}').encode_utf16(&mut units);
            let target = out.get_mut(at..at + 2 * units.len()).ok_or(Exception::BufferLength)?;
            for (pair, unit) in target.chunks_exact_mut(2).zip(units.iter()) {
                pair.copy_from_slice(&unit.to_be_bytes());
            }
            Ok(2 * units.len())
        }
        Encoding::Ebcdic | Encoding::Ascii => {
            let byte = u16::try_from(code).map_or(to.substitute, |code| single(code, to));
            *out.get_mut(at).ok_or(Exception::BufferLength)? = byte;
            Ok(1)
        }
    }
}

#[inline]
fn single(code: u16, to: &CodePage) -> u8 {
    if code < 256 {
        return to.from_latin[code as usize];
    }
    match to.from_other.binary_search_by_key(&code, |entry| entry.0) {
        Ok(index) => to.from_other[index].1,
        Err(_) => to.substitute,
    }
}

/// Converts to UTF-8; returns the bytes written.
pub fn to_utf8(source: &[u8], from: &CodePage, out: &mut [u8]) -> Result<usize> {
    convert(source, from, out, &super::CCSID_1208)
}

/// Converts from UTF-8; returns the bytes written.
pub fn from_utf8(source: &[u8], out: &mut [u8], to: &CodePage) -> Result<usize> {
    convert(source, &super::CCSID_1208, out, to)
}

/// Converts to UTF-16, big-endian; returns the bytes written.
pub fn to_utf16(source: &[u8], from: &CodePage, out: &mut [u8]) -> Result<usize> {
    convert(source, from, out, &super::CCSID_1200)
}

/// Converts from UTF-16, big-endian; returns the bytes written.
pub fn from_utf16(source: &[u8], out: &mut [u8], to: &CodePage) -> Result<usize> {
    convert(source, &super::CCSID_1200, out, to)
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;

    #[test]
    fn converts_between_every_pair_of_pages() {
        for from in ALL {
            for to in ALL {
                let source = from.encode("Regent 0123456789 (+-*/.,;:)");
                let mut out = [0u8; 128];
                let length = convert(&source, from, &mut out, to).unwrap();
                assert_eq!(to.decode(&out[..length]), "Regent 0123456789 (+-*/.,;:)", "{} {}", from.ccsid, to.ccsid);
            }
        }
    }

    #[test]
    fn astral_and_malformed_input() {
        let mut out = [0u8; 16];
        let length = to_utf16("a😀é".as_bytes(), &CCSID_1208, &mut out).unwrap();
        assert_eq!(out[..length], [0, 0x61, 0xD8, 0x3D, 0xDE, 0x00, 0, 0xE9]);
        let mut back = [0u8; 16];
        let length = to_utf8(&out[..length], &CCSID_1200, &mut back).unwrap();
        assert_eq!(&back[..length], "a😀é".as_bytes());
        let length = to_utf8(&[0xC3, 0x41, 0xFF], &CCSID_1208, &mut back).unwrap();
        assert_eq!(std::str::from_utf8(&back[..length]).unwrap(), "\u{FFFD}A\u{FFFD}");
        assert_eq!(to_utf8(&[0x81; 4], &CCSID_037, &mut back[..3]), Err(Exception::BufferLength));
    }
}
