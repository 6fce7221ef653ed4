//! Reads bytes of any page character by character, with the shift state of mixed text.

use crate::double_byte::Characters;
use crate::taken::Taken;
use crate::unicode::{take_utf8, take_utf16};
use crate::{CodePage, DoubleByte, Encoding, SHIFT_IN, SHIFT_OUT, UNASSIGNED};

/// Takes characters off the front of bytes; initially unshifted.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    page: &'a CodePage,
    shifted: bool,
}

impl<'a> Reader<'a> {
    pub const fn new(page: &'a CodePage) -> Reader<'a> {
        Reader { page, shifted: false }
    }

    pub const fn page(&self) -> &'a CodePage {
        self.page
    }

    /// Double-byte characters come next.
    pub const fn is_shifted(&self) -> bool {
        self.shifted
    }

    /// Takes one character off the front of bytes that are not empty; returns it and its length, which is not 0.
    #[inline]
    pub fn take(&mut self, bytes: &[u8]) -> (Taken, usize) {
        match self.page.encoding {
            Encoding::Ebcdic | Encoding::Ascii => (self.single(bytes[0]), 1),
            Encoding::Utf8 => take_utf8(bytes),
            Encoding::Utf16 => take_utf16(bytes),
            Encoding::Mixed => self.take_mixed(bytes),
            Encoding::Double => self.take_double(bytes),
        }
    }

    fn single(&self, byte: u8) -> Taken {
        match self.page.to_unicode[byte as usize] {
            UNASSIGNED => Taken::Malformed,
            _ => Taken::One(self.page.character_of(byte)),
        }
    }

    fn take_mixed(&mut self, bytes: &[u8]) -> (Taken, usize) {
        let first = bytes[0];
        if first == SHIFT_OUT || first == SHIFT_IN {
            self.shifted = first == SHIFT_OUT;
            return (Taken::Shift, 1);
        }
        if self.shifted { self.take_double(bytes) } else { (self.single(first), 1) }
    }

    /// Only a code takes two bytes: the shift-in after half a character still ends the double-byte text.
    fn take_double(&self, bytes: &[u8]) -> (Taken, usize) {
        let Some(double) = self.page.double_byte else { return (Taken::Malformed, 1) };
        let Some(&[first, second]) = bytes.get(..2) else { return (Taken::Incomplete, 1) };
        if !DoubleByte::is_code(first, second) {
            return (Taken::Malformed, 1);
        }
        match double.decode(u16::from_be_bytes([first, second])) {
            Some(Characters::One(character)) => (Taken::One(character), 2),
            Some(Characters::Two(base, mark)) => (Taken::Two(base, mark), 2),
            None => (Taken::Malformed, 2),
        }
    }

    /// All of these bytes as text; malformed bytes become U+FFFD. Allocates.
    pub fn text(mut self, bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            let (taken, width) = self.take(&bytes[at..]);
            debug_assert!(width > 0);
            at += width;
            match taken {
                Taken::One(character) => text.push(character),
                Taken::Two(base, mark) => text.extend([base, mark]),
                Taken::Shift => {}
                Taken::Malformed | Taken::Incomplete => text.push('\u{FFFD}'),
            }
        }
        text
    }
}
