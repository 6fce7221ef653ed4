//! The code pages of the run time: those of the crate `codepage`, with conversions that report errors as the other operations do.

pub use codepage::*;

use crate::exception::{Exception, Result};

/// Takes one character off the front of bytes that are not empty; malformed input gives U+FFFD for one unit. A byte of a mixed page
/// represents itself: a [`Reader`] is needed for its double-byte characters.
pub(crate) fn take(page: &CodePage, bytes: &[u8]) -> (u32, usize) {
    if page.is_byte_oriented() {
        return (u32::from(page.to_unicode[bytes[0] as usize]), 1);
    }
    match Reader::new(page).take(bytes) {
        (Taken::One(character), width) => (u32::from(character), width),
        (_, width) => (u32::from(char::REPLACEMENT_CHARACTER), width),
    }
}

/// Converts `source` in page `from` to page `to`; returns the bytes written. `BufferLength` when they do not fit.
pub fn convert(source: &[u8], from: &CodePage, out: &mut [u8], to: &CodePage) -> Result<usize> {
    let (read, written) = convert_prefix(source, from, out, to);
    if read == source.len() { Ok(written) } else { Err(Exception::BufferLength) }
}

/// Length that a conversion has, found in pieces on the stack.
pub fn converted_length(source: &[u8], from: &CodePage, to: &CodePage) -> usize {
    let mut converter = Converter::new(from, to);
    let (mut read, mut written) = (0, 0);
    let mut piece = [0u8; 64];
    loop {
        let done = converter.convert(&source[read..], &mut piece, true);
        (read, written) = (read + done.read, written + done.written);
        debug_assert!(done.read > 0 || read == source.len());
        if done.end == End::Complete {
            return written + converter.finish(&mut piece, 0);
        }
    }
}

/// The bytes in another page. Allocates.
pub fn converted(source: &[u8], from: &CodePage, to: &CodePage) -> Vec<u8> {
    let mut out = vec![0; expansion_max(source.len(), from, to)];
    let (_, written) = convert_prefix(source, from, &mut out, to);
    out.truncate(written);
    out
}

/// Converts from UTF-8; returns the bytes written.
pub fn from_utf8(source: &[u8], out: &mut [u8], to: &CodePage) -> Result<usize> {
    convert(source, &CCSID_1208, out, to)
}

/// Converts from UTF-16, big-endian; returns the bytes written.
pub fn from_utf16(source: &[u8], out: &mut [u8], to: &CodePage) -> Result<usize> {
    convert(source, &CCSID_1200, out, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_that_overflow_are_exceptions() {
        let mut back = [0u8; 16];
        assert_eq!(convert(&[0x81; 4], &CCSID_037, &mut back[..3], &CCSID_1208), Err(Exception::BufferLength));
        assert_eq!(convert("a😀é".as_bytes(), &CCSID_1208, &mut back, &CCSID_1200), Ok(8));
    }

    #[test]
    fn lengths_of_conversions_count_the_shifts_once() {
        let text = "日本語".repeat(20);
        assert_eq!(converted_length(text.as_bytes(), &CCSID_1208, &CCSID_939), 122);
        assert_eq!(converted_length(&CCSID_939.encode(&text), &CCSID_939, &CCSID_1200), 120);
        assert_eq!(converted_length(b"", &CCSID_1208, &CCSID_037), 0);
    }
}
