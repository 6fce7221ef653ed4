//! Conversion of bytes between code pages, into the caller's buffer.
//!
//! Invariants, asserted: only whole characters are read and written; the output never exceeds the room given, nor [`expansion_max`]; in a
//! mixed page, room for the closing shift-in is reserved, so [`Converter::finish`] always has it.

use crate::reader::Reader;
use crate::taken::Taken;
use crate::unicode::{put_utf8, put_utf16};
use crate::{CCSID_1208, CodePage, DOUBLE_BYTE_SUBSTITUTE, Encoding, SHIFT_IN, SHIFT_OUT};

/// Why a conversion ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All of the source is converted.
    Complete,
    /// The next character does not fit.
    Full,
    /// The source ends within a character, or before a mark that may belong to it, and more input follows.
    Incomplete,
}

/// The result of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    pub end: End,
    /// Bytes of the source that are converted.
    pub read: usize,
    /// Bytes of the target that are written.
    pub written: usize,
    /// Characters that the target page does not have.
    pub substituted: usize,
    /// The first of them.
    pub first_substituted: Option<char>,
    /// Codes of the source that its page does not have, or invalid codes; each is replaced by the substitute.
    pub malformed: usize,
}

impl Conversion {
    /// All of the source is converted, and each character has its counterpart.
    pub const fn is_exact(&self) -> bool {
        matches!(self.end, End::Complete) && self.substituted == 0 && self.malformed == 0
    }
}

/// Converts a text in pieces, and keeps the shift state of both sides between them.
#[derive(Clone, Copy, Debug)]
pub struct Converter<'a> {
    reader: Reader<'a>,
    to: &'a CodePage,
    shifted: bool,
}

impl<'a> Converter<'a> {
    pub const fn new(from: &'a CodePage, to: &'a CodePage) -> Converter<'a> {
        Converter { reader: Reader::new(from), to, shifted: false }
    }

    /// Converts the characters that fit. `last`: the end of the source, so that an incomplete character is malformed.
    pub fn convert(&mut self, source: &[u8], out: &mut [u8], last: bool) -> Conversion {
        let mut done = Conversion { end: End::Complete, read: 0, written: 0, substituted: 0, first_substituted: None, malformed: 0 };
        while done.read < source.len() {
            let before = self.reader;
            let (taken, width) = self.reader.take(&source[done.read..]);
            debug_assert!(width > 0 && done.read + width <= source.len());
            if !last && (taken == Taken::Incomplete || self.awaits_mark(taken, &source[done.read + width..])) {
                self.reader = before;
                done.end = End::Incomplete;
                break;
            }
            match self.put(taken, &source[done.read + width..], out, &mut done) {
                Some(more) => done.read += width + more,
                None => {
                    self.reader = before;
                    done.end = End::Full;
                    break;
                }
            }
        }
        debug_assert!(done.written <= out.len() && done.read <= source.len());
        done
    }

    /// A combining mark that may belong to the same code of the target page may follow.
    fn awaits_mark(&self, taken: Taken, rest: &[u8]) -> bool {
        let (Taken::One(base), Some(double)) = (taken, self.to.double_byte) else { return false };
        double.begins_pair(base) && (rest.is_empty() || self.reader.clone().take(rest).0 == Taken::Incomplete)
    }

    /// Writes the character. Returns the bytes of a combining mark consumed with it, or `None` if it does not fit.
    fn put(&mut self, taken: Taken, rest: &[u8], out: &mut [u8], done: &mut Conversion) -> Option<usize> {
        let (base, mark) = match taken {
            Taken::Shift => return Some(0),
            Taken::One(character) => (character, None),
            Taken::Two(base, mark) => (base, Some(mark)),
            Taken::Malformed | Taken::Incomplete => {
                done.written += self.put_substitute('\u{FFFD}', out, done.written)?;
                done.malformed += 1;
                return Some(0);
            }
        };
        if let Some(more) = self.put_pair(base, mark, rest, out, done)? {
            return Some(more);
        }
        let start = *done;
        for character in [Some(base), mark].into_iter().flatten() {
            if self.put_character(character, out, done).is_none() {
                *done = start;
                return None;
            }
        }
        Some(0)
    }

    /// Writes a base letter and its mark as one code, if the target page has it: the bytes of the mark in `rest`.
    fn put_pair(&mut self, base: char, mark: Option<char>, rest: &[u8], out: &mut [u8], done: &mut Conversion) -> Option<Option<usize>> {
        let Some(double) = self.to.double_byte.filter(|double| double.begins_pair(base)) else { return Some(None) };
        let (mark, width) = match mark {
            Some(mark) => (mark, 0),
            None if rest.is_empty() => return Some(None),
            None => match self.reader.clone().take(rest) {
                (Taken::One(mark), width) => (mark, width),
                _ => return Some(None),
            },
        };
        let Some(code) = double.encode_pair(base, mark) else { return Some(None) };
        done.written += self.put_double(code, out, done.written)?;
        Some(Some(width))
    }

    fn put_character(&mut self, character: char, out: &mut [u8], done: &mut Conversion) -> Option<()> {
        let written = match self.to.encoding {
            Encoding::Utf8 => put_utf8(character, out, done.written)?,
            Encoding::Utf16 => put_utf16(character, out, done.written)?,
            _ => match self.single_or_double(character) {
                (Some(byte), _) => self.put_single(byte, out, done.written)?,
                (None, Some(code)) => self.put_double(code, out, done.written)?,
                (None, None) => {
                    let written = self.put_substitute(character, out, done.written)?;
                    done.substituted += 1;
                    done.first_substituted.get_or_insert(character);
                    written
                }
            },
        };
        done.written += written;
        Some(())
    }

    /// The byte of a character in the target page, or its double-byte code.
    fn single_or_double(&self, character: char) -> (Option<u8>, Option<u16>) {
        let byte = if self.to.encoding == Encoding::Double { None } else { self.to.byte_of(character) };
        let code = if byte.is_some() { None } else { self.to.double_byte.and_then(|double| double.encode(character)) };
        (byte, code)
    }

    fn put_substitute(&mut self, character: char, out: &mut [u8], at: usize) -> Option<usize> {
        match self.to.encoding {
            Encoding::Utf8 => put_utf8('\u{FFFD}', out, at),
            Encoding::Utf16 => put_utf16('\u{FFFD}', out, at),
            Encoding::Double => self.put_double(DOUBLE_BYTE_SUBSTITUTE, out, at),
            Encoding::Mixed if u32::from(character) >= 0x100 && character != '\u{FFFD}' => self.put_double(DOUBLE_BYTE_SUBSTITUTE, out, at),
            _ => self.put_single(self.to.substitute, out, at),
        }
    }

    fn put_single(&mut self, byte: u8, out: &mut [u8], at: usize) -> Option<usize> {
        if !self.shifted {
            *out.get_mut(at)? = byte;
            return Some(1);
        }
        out.get_mut(at..at + 2)?.copy_from_slice(&[SHIFT_IN, byte]);
        self.shifted = false;
        Some(2)
    }

    fn put_double(&mut self, code: u16, out: &mut [u8], at: usize) -> Option<usize> {
        if self.to.encoding == Encoding::Double {
            out.get_mut(at..at + 2)?.copy_from_slice(&code.to_be_bytes());
            return Some(2);
        }
        let opening = usize::from(!self.shifted);
        let target = out.get_mut(at..at + opening + 3)?;
        if opening == 1 {
            target[0] = SHIFT_OUT;
        }
        target[opening..opening + 2].copy_from_slice(&code.to_be_bytes());
        self.shifted = true;
        Some(opening + 2)
    }

    /// Ends the text: closes the double-byte part with shift-in at `at` of the same target, and returns its length. A piece whose
    /// target is another one needs room for this byte there.
    pub fn finish(&mut self, out: &mut [u8], at: usize) -> usize {
        let closing = usize::from(std::mem::take(&mut self.shifted));
        if closing == 1 {
            out[at] = SHIFT_IN;
        }
        self.reader = Reader::new(self.reader.page());
        closing
    }
}

/// Converts as many whole characters as fit; returns the bytes read and the bytes written. Single-byte pages go the short way.
pub fn convert_prefix(source: &[u8], from: &CodePage, out: &mut [u8], to: &CodePage) -> (usize, usize) {
    if from.is_single_byte() && to.is_single_byte() {
        for (byte, &given) in out.iter_mut().zip(source) {
            *byte = single(from.to_unicode[given as usize], to);
        }
        let count = source.len().min(out.len());
        return (count, count);
    }
    let mut converter = Converter::new(from, to);
    let done = converter.convert(source, out, true);
    let written = done.written + converter.finish(out, done.written);
    debug_assert!(written <= expansion_max(source.len(), from, to));
    (done.read, written)
}

/// The byte of a value of `to_unicode`. No page has a byte for U+FFFD.
#[inline]
fn single(value: u16, to: &CodePage) -> u8 {
    if value < 256 {
        return to.from_latin[value as usize];
    }
    match to.from_other.binary_search_by_key(&value, |entry| entry.0) {
        Ok(index) => to.from_other[index].1,
        Err(_) => to.substitute,
    }
}

/// The text in a page, and the counts of substitutions. Allocates.
pub fn convert_text(text: &str, to: &CodePage) -> (Vec<u8>, Conversion) {
    let mut out = vec![0; expansion_max(text.len(), &CCSID_1208, to)];
    let mut converter = Converter::new(&CCSID_1208, to);
    let mut done = converter.convert(text.as_bytes(), &mut out, true);
    assert!(done.end == End::Complete && done.malformed == 0);
    done.written += converter.finish(&mut out, done.written);
    out.truncate(done.written);
    (out, done)
}

/// The maximum number of bytes in another page for that many bytes of one page, including the closing shift-in.
pub const fn expansion_max(length: usize, from: &CodePage, to: &CodePage) -> usize {
    match (from.encoding, to.encoding) {
        // One byte becomes a character below U+10000, or U+FFFD.
        (Encoding::Ebcdic | Encoding::Ascii | Encoding::Utf8, Encoding::Utf8) => 3 * length,
        // Two bytes become two characters; half a character becomes U+FFFD.
        (Encoding::Mixed | Encoding::Double | Encoding::Utf16, Encoding::Utf8) => 3 * length,
        (_, Encoding::Utf16 | Encoding::Double) => 2 * length,
        (_, Encoding::Ebcdic | Encoding::Ascii) => length,
        // Each character can be a double-byte one between single-byte ones, with both shifts; half a character a single one.
        (_, Encoding::Mixed) => 4 * length,
    }
}

/// The byte of `to` for each byte of `from`, both single-byte pages (or the single-byte parts of mixed ones): the substitute where
/// `to` does not have the character.
pub fn translation(from: &CodePage, to: &CodePage) -> [u8; 256] {
    let mut table = [0u8; 256];
    for (byte, target) in table.iter_mut().enumerate() {
        *target = single(from.to_unicode[byte], to);
    }
    table
}
