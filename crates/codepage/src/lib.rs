//! Code pages: the meaning of the bytes of character data, and conversion between pages. Compiler, run time, maps, terminals, utilities and
//! region all use these tables. This crate is below all others and uses none.
//!
//! # Finding a page
//!
//! [`by_ccsid`] finds a page by its coded character set identifier, [`ALL`] lists them. A page is a `&'static` [`CodePage`].
//!
//! | kind ([`Encoding`]) | pages |
//! | --- | --- |
//! | EBCDIC, one byte a character | 037 273 277 278 280 284 285 297 500 870 871 875 1025 1026 1047 1140-1149 1154 |
//! | ASCII, one byte a character | 437 819 850 923 1252 |
//! | EBCDIC, mixed: double-byte characters between shift-out and shift-in | 930 933 935 937 939 1364 1371 1388 1390 1399 |
//! | EBCDIC, double-byte only (DBCS data items) | 300 834 835 837 4930 4933 9027 16684 |
//! | Unicode | 1200 (UTF-16, most significant byte first), 1208 (UTF-8) |
//!
//! # Using it
//!
//! * One character: [`CodePage::byte_of`], [`CodePage::character_of`]; for double-byte codes [`CodePage::double_byte`].
//! * Text of the host: [`CodePage::encode`], [`CodePage::try_encode`] (or the character that the page does not have),
//!   [`CodePage::decode`].
//! * Bytes of one page to another, into the caller's buffer: [`Converter`], which keeps the shift state from piece to piece and counts
//!   substituted and malformed characters; [`convert_prefix`] for one piece without counts; [`expansion_max`] for the room needed.
//! * A fast path between single-byte pages: [`translation`], 256 bytes.
//! * Reading character by character in any page: [`Reader`].
//! * Classes and folding: `class`, `upper`, `lower` of [`CodePage`], [`CodePage::fold_upper`], [`CodePage::is_digit`].
//!
//! # Which mapping
//!
//! The tables are facts of IBM's Character Data Representation Architecture (CDRA), taken from the converters of ICU that carry
//! the CDRA names (`ibm-1047_P100-1995`). Sources differ in a few places:
//!
//! * **New line and line feed.** In EBCDIC pages X'15' is NL, U+0085, and X'25' is LF, U+000A. z/OS UNIX and Java exchange the two in some
//!   pages (`swaplfnl`), so that their new line is U+000A; CICS and COBOL convert data, and use CDRA's mapping.
//! * **Brackets and accents** are where each page has them: `[` is X'BA' in 037, X'AD' in 1047, X'63' in 273. So is the dollar
//!   sign: X'5B' in 037, X'4A' in 285, X'67' in 277, X'AD' in 1026.
//! * **Controls of ASCII pages** are those of ISO 646. CDRA's pages of the PC (437, 850) exchange X'1A', X'1C' and X'7F'.
//! * **1252 has the euro sign**, as CCSID 5348, and the C1 control of the same value where it has no character.
//! * **Bytes without a character** (in 875 and the single-byte parts of mixed pages, the shifts among them) are U+FFFD in `to_unicode`, and malformed.
//! * **Substitutes.** A character without a counterpart becomes X'3F' in EBCDIC, X'1A' in ASCII; in a mixed page X'FEFE' if it is
//!   U+0100 or above; U+FFFD in Unicode. CDRA's best-fit mappings (a wide A to A) are not used in single-byte pages.
//!
//! # Invariants
//!
//! * No character has two bytes in a page, and `byte_of(character_of(byte))` is `byte` for every byte that has a character.
//! * A table that maps single bytes to single bytes has 256 entries; `upper` and `lower` map letters of a page to the same page.
//! * Digits, A to Z, space and the characters COBOL needs (`+-*/=$,;."'()><:`) are in every page; the digits are contiguous.
//! * The output of a conversion to a mixed page is complete: shift-out and shift-in are paired once [`Converter::finish`] is done.
//! * A conversion writes at most [`expansion_max`] bytes, and reads and writes whole characters.
//! * No input causes a panic.

#![forbid(unsafe_code)]

mod convert;
mod double_byte;
mod reader;
mod single_byte;
mod taken;
mod unicode;

pub use convert::{Conversion, Converter, End, convert_prefix, convert_text, expansion_max, translation};
pub use double_byte::{BLANK as DOUBLE_BYTE_BLANK, Characters, DoubleByte, SUBSTITUTE as DOUBLE_BYTE_SUBSTITUTE};
pub use reader::Reader;
pub use single_byte::*;
pub use taken::Taken;
pub use unicode::{utf8_prefix, utf8_width};

use single_byte::Tables;

/// In `to_unicode`: the byte has no character.
pub const UNASSIGNED: u16 = 0xFFFD;
/// Shift-out, SO: double-byte characters follow.
pub const SHIFT_OUT: u8 = 0x0E;
/// Shift-in, SI: single-byte characters follow.
pub const SHIFT_IN: u8 = 0x0F;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Encoding {
    Ebcdic = 0,
    Ascii = 1,
    Utf8 = 2,
    Utf16 = 3,
    /// EBCDIC with double-byte characters between shift-out and shift-in.
    Mixed = 4,
    /// The double-byte characters of a mixed page without shifts.
    Double = 5,
}

impl Encoding {
    /// The byte for a character that a page does not have.
    pub(crate) const fn substitute(self) -> u8 {
        if self.is_ebcdic() { 0x3F } else { 0x1A }
    }

    pub(crate) const fn is_ebcdic(self) -> bool {
        matches!(self, Encoding::Ebcdic | Encoding::Mixed | Encoding::Double)
    }
}

/// One code page. A mixed page has the tables of its single-byte part; those of a double-byte page are unused. The named bytes are those
/// the operations of the run time write or look for.
#[derive(Debug)]
#[repr(C)]
pub struct CodePage {
    pub ccsid: u16,
    pub encoding: Encoding,
    /// Zone bits of a digit: F0 in EBCDIC, 30 in ASCII.
    pub zone: u8,
    /// Zone of the digit that carries a plus sign (C0; 30 in ASCII).
    pub zone_plus: u8,
    /// Zone of the digit that carries a minus sign (D0; 70 in ASCII).
    pub zone_minus: u8,
    pub space: u8,
    pub zero: u8,
    pub plus: u8,
    pub minus: u8,
    pub period: u8,
    pub comma: u8,
    pub asterisk: u8,
    pub slash: u8,
    pub dollar: u8,
    pub quote: u8,
    pub apostrophe: u8,
    /// The substitute for characters the page does not have.
    pub substitute: u8,
    /// Unicode of each byte; [`UNASSIGNED`] when it has no character.
    pub to_unicode: &'static [u16; 256],
    /// Byte of each Unicode character below 256; the substitute if there is none.
    pub from_latin: &'static [u8; 256],
    /// Bytes of the other Unicode characters of the page, ascending.
    pub from_other: &'static [(u16, u8)],
    pub upper: &'static [u8; 256],
    pub lower: &'static [u8; 256],
    /// The double-byte characters of a mixed or double-byte page.
    pub double_byte: Option<&'static DoubleByte>,
    /// The page of the double-byte part of a mixed page: DBCS data items and G literals are in it.
    pub graphic: Option<&'static CodePage>,
    /// Character classes of each byte: any of the class constants.
    pub class: [u8; 256],
}

impl CodePage {
    /// A to Z, in `class`.
    pub const UPPER: u8 = 0x01;
    /// a to z, in `class`.
    pub const LOWER: u8 = 0x02;
    /// 0 to 9, in `class`.
    pub const DIGIT: u8 = 0x04;
    /// Space, in `class`.
    pub const SPACE: u8 = 0x08;

    pub(crate) const fn new(
        ccsid: u16,
        encoding: Encoding,
        tables: Tables,
        double_byte: Option<&'static DoubleByte>,
        graphic: Option<&'static CodePage>,
    ) -> CodePage {
        let ebcdic = encoding.is_ebcdic();
        let latin = tables.from_latin;
        assert!(double_byte.is_some() == matches!(encoding, Encoding::Mixed | Encoding::Double));
        assert!(graphic.is_some() == matches!(encoding, Encoding::Mixed));
        CodePage {
            ccsid,
            encoding,
            zone: if ebcdic { 0xF0 } else { 0x30 },
            zone_plus: if ebcdic { 0xC0 } else { 0x30 },
            zone_minus: if ebcdic { 0xD0 } else { 0x70 },
            space: latin[b' ' as usize],
            zero: latin[b'0' as usize],
            plus: latin[b'+' as usize],
            minus: latin[b'-' as usize],
            period: latin[b'.' as usize],
            comma: latin[b',' as usize],
            asterisk: latin[b'*' as usize],
            slash: latin[b'/' as usize],
            dollar: latin[b'$' as usize],
            quote: latin[b'"' as usize],
            apostrophe: latin[b'\'' as usize],
            substitute: encoding.substitute(),
            to_unicode: tables.to_unicode,
            from_latin: tables.from_latin,
            from_other: tables.from_other,
            upper: tables.upper,
            lower: tables.lower,
            double_byte,
            graphic,
            class: classes_of(tables.to_unicode),
        }
    }

    /// Single-byte EBCDIC or mixed.
    pub const fn is_ebcdic(&self) -> bool {
        self.encoding.is_ebcdic()
    }

    /// Every byte is a character.
    pub const fn is_single_byte(&self) -> bool {
        matches!(self.encoding, Encoding::Ebcdic | Encoding::Ascii)
    }

    /// Whether character operations treat bytes as characters: in a mixed page too, as in COBOL.
    pub const fn is_byte_oriented(&self) -> bool {
        matches!(self.encoding, Encoding::Ebcdic | Encoding::Ascii | Encoding::Mixed)
    }

    /// Whether double-byte characters are enclosed in shift-out and shift-in.
    pub const fn is_mixed(&self) -> bool {
        matches!(self.encoding, Encoding::Mixed)
    }

    /// The byte of a character, or `None` when the page has no single byte for it.
    pub fn byte_of(&self, character: char) -> Option<u8> {
        let code = u32::from(character);
        if code < 256 {
            let byte = self.from_latin[code as usize];
            return (u32::from(self.to_unicode[byte as usize]) == code).then_some(byte);
        }
        let code = u16::try_from(code).ok()?;
        let index = self.from_other.binary_search_by_key(&code, |entry| entry.0).ok()?;
        Some(self.from_other[index].1)
    }

    /// The byte of an ASCII character; all pages have those the COBOL character set needs.
    pub const fn ascii(&self, character: u8) -> u8 {
        self.from_latin[character as usize]
    }

    /// The ASCII character of a byte, or 0 if there is none.
    pub const fn to_ascii(&self, byte: u8) -> u8 {
        let code = self.to_unicode[byte as usize];
        if code < 128 { code as u8 } else { 0 }
    }

    /// The character of a single byte; U+FFFD when it has none.
    pub fn character_of(&self, byte: u8) -> char {
        char::from_u32(u32::from(self.to_unicode[byte as usize])).unwrap_or('\u{FFFD}')
    }

    /// The byte is one of 0 to 9.
    pub const fn is_digit(&self, byte: u8) -> bool {
        self.class[byte as usize] & CodePage::DIGIT != 0
    }

    /// Folds letters to upper case. Double-byte characters of mixed text are unchanged.
    pub fn fold_upper(&self, bytes: &mut [u8]) {
        self.fold(bytes, self.upper);
    }

    /// Folds letters to lower case. Double-byte characters of mixed text are unchanged.
    pub fn fold_lower(&self, bytes: &mut [u8]) {
        self.fold(bytes, self.lower);
    }

    fn fold(&self, bytes: &mut [u8], table: &[u8; 256]) {
        let mut shifted = false;
        for byte in bytes {
            match *byte {
                SHIFT_OUT if self.is_mixed() => shifted = true,
                SHIFT_IN if self.is_mixed() => shifted = false,
                // A byte of UTF-8 or UTF-16 above 7F is not the Latin 1 character of that value.
                given
                    if shifted
                        || self.encoding == Encoding::Double
                        || (given >= 0x80 && matches!(self.encoding, Encoding::Utf8 | Encoding::Utf16)) => {}
                given => *byte = table[given as usize],
            }
        }
    }

    /// The text in this page; characters it does not have become the substitute. Allocates.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        match self.encoding {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Utf16 => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Encoding::Mixed | Encoding::Double => convert_text(text, self).0,
            Encoding::Ebcdic | Encoding::Ascii => text.chars().map(|c| self.byte_of(c).unwrap_or(self.substitute)).collect(),
        }
    }

    /// The text in this page, or the first character that the page does not have. Allocates.
    pub fn try_encode(&self, text: &str) -> Result<Vec<u8>, char> {
        match self.encoding {
            Encoding::Utf8 | Encoding::Utf16 => Ok(self.encode(text)),
            Encoding::Mixed | Encoding::Double => {
                let (bytes, conversion) = convert_text(text, self);
                match conversion.first_substituted {
                    Some(character) => Err(character),
                    None => Ok(bytes),
                }
            }
            Encoding::Ebcdic | Encoding::Ascii => text.chars().map(|c| self.byte_of(c).ok_or(c)).collect(),
        }
    }

    /// These bytes as a Rust string; malformed bytes become U+FFFD. Allocates.
    pub fn decode(&self, bytes: &[u8]) -> String {
        match self.encoding {
            Encoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Encoding::Utf16 => {
                let units = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
                char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')).collect()
            }
            Encoding::Mixed | Encoding::Double => Reader::new(self).text(bytes),
            Encoding::Ebcdic | Encoding::Ascii => bytes.iter().map(|&byte| self.character_of(byte)).collect(),
        }
    }
}

const fn classes_of(to_unicode: &[u16; 256]) -> [u8; 256] {
    let mut class = [0u8; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match to_unicode[byte] {
            0x41..=0x5A => CodePage::UPPER,
            0x61..=0x7A => CodePage::LOWER,
            0x30..=0x39 => CodePage::DIGIT,
            0x20 => CodePage::SPACE,
            _ => 0,
        };
        byte += 1;
    }
    class
}

/// The page of a coded character set identifier.
pub fn by_ccsid(ccsid: u16) -> Option<&'static CodePage> {
    let index = ALL.binary_search_by_key(&ccsid, |page| page.ccsid).ok()?;
    Some(ALL[index])
}
