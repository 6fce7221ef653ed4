//! Code pages: what the bytes of character data mean, and conversion between them.
//!
//! The tables in `ebcdic`, `ebcdic_national` and `ascii` are generated (tables/generate.py). A page is referred to by
//! `&'static CodePage`. Single-byte pages map all 256 bytes one to one; UTF-8 (1208) and UTF-16 (1200) are pages whose
//! tables are those of ASCII and are converted by rule. A character without a counterpart becomes the substitute (SUB).

mod ascii;
mod convert;
mod ebcdic;
mod ebcdic_national;

pub use ascii::{CCSID_437, CCSID_819, CCSID_850, CCSID_1252};
pub(crate) use convert::take;
pub use convert::{convert, convert_prefix, from_utf8, from_utf16, to_utf8, to_utf16, utf8_prefix, utf8_width};
pub use ebcdic::{CCSID_037, CCSID_500, CCSID_1047, CCSID_1140};
pub use ebcdic_national::{CCSID_273, CCSID_285, CCSID_297, CCSID_1141};

/// UTF-8.
pub static CCSID_1208: CodePage = CCSID_819.as_encoding(1208, Encoding::Utf8);
/// UTF-16, big-endian.
pub static CCSID_1200: CodePage = CCSID_819.as_encoding(1200, Encoding::Utf16);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Encoding {
    Ebcdic = 0,
    Ascii = 1,
    Utf8 = 2,
    Utf16 = 3,
}

/// One code page. The named bytes are those the operations write or look for.
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
    /// Unicode of each byte.
    pub to_unicode: &'static [u16; 256],
    /// Byte of each Unicode character below 256; the substitute where there is none.
    pub from_latin: &'static [u8; 256],
    /// Bytes of the other Unicode characters of the page, ascending.
    pub from_other: &'static [(u16, u8)],
    pub upper: &'static [u8; 256],
    pub lower: &'static [u8; 256],
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

    const fn single_byte(
        ccsid: u16,
        ebcdic: bool,
        to_unicode: &'static [u16; 256],
        from_latin: &'static [u8; 256],
        from_other: &'static [(u16, u8)],
        upper: &'static [u8; 256],
        lower: &'static [u8; 256],
    ) -> CodePage {
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
        CodePage {
            ccsid,
            encoding: if ebcdic { Encoding::Ebcdic } else { Encoding::Ascii },
            zone: if ebcdic { 0xF0 } else { 0x30 },
            zone_plus: if ebcdic { 0xC0 } else { 0x30 },
            zone_minus: if ebcdic { 0xD0 } else { 0x70 },
            space: from_latin[b' ' as usize],
            zero: from_latin[b'0' as usize],
            plus: from_latin[b'+' as usize],
            minus: from_latin[b'-' as usize],
            period: from_latin[b'.' as usize],
            comma: from_latin[b',' as usize],
            asterisk: from_latin[b'*' as usize],
            slash: from_latin[b'/' as usize],
            dollar: if ebcdic { 0x5B } else { b'$' },
            quote: from_latin[b'"' as usize],
            apostrophe: from_latin[b'\'' as usize],
            substitute: if ebcdic { 0x3F } else { 0x1A },
            to_unicode,
            from_latin,
            from_other,
            upper,
            lower,
            class,
        }
    }

    const fn as_encoding(&self, ccsid: u16, encoding: Encoding) -> CodePage {
        let mut page = CodePage::single_byte(ccsid, false, self.to_unicode, self.from_latin, self.from_other, self.upper, self.lower);
        page.encoding = encoding;
        page
    }

    pub const fn is_ebcdic(&self) -> bool {
        matches!(self.encoding, Encoding::Ebcdic)
    }

    /// Every byte is a character.
    pub const fn is_single_byte(&self) -> bool {
        matches!(self.encoding, Encoding::Ebcdic | Encoding::Ascii)
    }

    /// The byte of a character, or `None` when the page does not have it.
    pub fn byte_of(&self, character: char) -> Option<u8> {
        let code = u32::from(character);
        if code < 256 {
            let byte = self.from_latin[code as usize];
            return (self.to_unicode[byte as usize] as u32 == code).then_some(byte);
        }
        let code = u16::try_from(code).ok()?;
        let index = self.from_other.binary_search_by_key(&code, |entry| entry.0).ok()?;
        Some(self.from_other[index].1)
    }

    /// The byte of an ASCII character; all pages have those the COBOL character set needs.
    pub const fn ascii(&self, character: u8) -> u8 {
        self.from_latin[character as usize]
    }

    /// The ASCII character of a byte, or 0 when it is none.
    pub const fn to_ascii(&self, byte: u8) -> u8 {
        let code = self.to_unicode[byte as usize];
        if code < 128 { code as u8 } else { 0 }
    }

    pub fn character_of(&self, byte: u8) -> char {
        char::from_u32(u32::from(self.to_unicode[byte as usize])).unwrap_or('\u{FFFD}')
    }

    /// The collating sequence that orders bytes of this page as `order` does (ALPHABET IS STANDARD-1, EBCDIC): the ordinal
    /// of each byte, for [`crate::Session::collating`].
    pub fn ordinals_by(&self, order: &CodePage) -> [u8; 256] {
        let mut ordinals = [0u8; 256];
        for (byte, ordinal) in ordinals.iter_mut().enumerate() {
            *ordinal = order.byte_of(self.character_of(byte as u8)).unwrap_or(order.substitute);
        }
        ordinals
    }

    /// The text in this page; characters it does not have become the substitute. Allocates.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        match self.encoding {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Utf16 => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            _ => text.chars().map(|c| self.byte_of(c).unwrap_or(self.substitute)).collect(),
        }
    }

    /// The text in this page, or the first character that the page does not have. Allocates.
    pub fn try_encode(&self, text: &str) -> Result<Vec<u8>, char> {
        if !self.is_single_byte() {
            return Ok(self.encode(text));
        }
        text.chars().map(|c| self.byte_of(c).ok_or(c)).collect()
    }

    /// These bytes as a Rust string. Allocates.
    pub fn decode(&self, bytes: &[u8]) -> String {
        match self.encoding {
            Encoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Encoding::Utf16 => {
                let units = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
                char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')).collect()
            }
            _ => bytes.iter().map(|&byte| self.character_of(byte)).collect(),
        }
    }
}

/// The page of a coded character set identifier.
pub fn by_ccsid(ccsid: u16) -> Option<&'static CodePage> {
    Some(match ccsid {
        37 => &CCSID_037,
        273 => &CCSID_273,
        285 => &CCSID_285,
        297 => &CCSID_297,
        437 => &CCSID_437,
        500 => &CCSID_500,
        819 => &CCSID_819,
        850 => &CCSID_850,
        1047 => &CCSID_1047,
        1140 => &CCSID_1140,
        1141 => &CCSID_1141,
        1200 => &CCSID_1200,
        1208 => &CCSID_1208,
        1252 => &CCSID_1252,
        _ => return None,
    })
}

/// All pages, in order of their identifiers.
pub static ALL: [&CodePage; 14] = [
    &CCSID_037,
    &CCSID_273,
    &CCSID_285,
    &CCSID_297,
    &CCSID_437,
    &CCSID_500,
    &CCSID_819,
    &CCSID_850,
    &CCSID_1047,
    &CCSID_1140,
    &CCSID_1141,
    &CCSID_1200,
    &CCSID_1208,
    &CCSID_1252,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_page_037_matches_its_published_chart() {
        assert_eq!(
            CCSID_037.encode("AIRSZ 059aijsz"),
            [0xC1, 0xC9, 0xD9, 0xE2, 0xE9, 0x40, 0xF0, 0xF5, 0xF9, 0x81, 0x89, 0x91, 0xA2, 0xA9]
        );
        assert_eq!(CCSID_037.encode("[]^|!¬¢"), [0xBA, 0xBB, 0xB0, 0x4F, 0x5A, 0x5F, 0x4A]);
        assert_eq!(CCSID_1047.encode("[]^|!¬¢"), [0xAD, 0xBD, 0x5F, 0x4F, 0x5A, 0xB0, 0x4A]);
        assert_eq!(CCSID_1140.encode("€"), [0x9F]);
        assert_eq!(CCSID_273.encode("ÄÖÜäöüß§"), [0x4A, 0xE0, 0x5A, 0xC0, 0x6A, 0xD0, 0xA1, 0x7C]);
    }

    #[test]
    fn every_single_byte_page_is_a_bijection_and_folds_within_itself() {
        for page in ALL.iter().filter(|page| page.is_single_byte()) {
            for byte in 0..=255u8 {
                assert_eq!(page.byte_of(page.character_of(byte)), Some(byte), "{} {byte:02X}", page.ccsid);
                let upper = page.upper[byte as usize];
                assert!(upper == byte || page.lower[upper as usize] == byte, "{} {byte:02X}", page.ccsid);
            }
            assert_eq!(by_ccsid(page.ccsid).unwrap().ccsid, page.ccsid);
        }
        assert!(by_ccsid(930).is_none());
    }

    #[test]
    fn orders_by_another_page() {
        let ordinals = CCSID_037.ordinals_by(&CCSID_819);
        assert_eq!((ordinals[0xC1], ordinals[0xF0], ordinals[0x40]), (b'A', b'0', b' '));
    }

    #[test]
    fn substitutes_what_a_page_does_not_have() {
        assert_eq!(CCSID_037.encode("a€b"), [0x81, 0x3F, 0x82]);
        assert_eq!(CCSID_037.try_encode("a€b"), Err('€'));
    }
}
