//! Code pages as conversions to and from UTF-8 need them: a table for each single-byte page, built when it is first used.
//!
//! The server has no character U+0000 in texts. X'00' of a host variable (LOW-VALUES) is therefore U+0001 in the database, which is lowest
//! too, and X'01' is U+FDD1, a character that no page has. Each is what it was when it is read.

use codepage::{CCSID_037, CCSID_1200, CCSID_1208, CodePage, Converter, End, expansion_max};
use sql::names::{STORED_00, STORED_01};
use std::sync::OnceLock;

/// A code page with its table.
#[derive(Debug)]
pub struct Page {
    pub code_page: &'static CodePage,
    /// UTF-8 of each byte, and its length in the last place.
    utf8: Box<[[u8; 4]; 256]>,
}

static PAGES: OnceLock<Vec<OnceLock<Page>>> = OnceLock::new();

impl Page {
    /// The page of a CCSID; 037 if there is none.
    pub fn of(ccsid: u16) -> &'static Page {
        let pages = PAGES.get_or_init(|| codepage::ALL.iter().map(|_| OnceLock::new()).collect());
        let code_page = codepage::by_ccsid(ccsid).unwrap_or(&CCSID_037);
        let index = codepage::ALL.iter().position(|page| page.ccsid == code_page.ccsid).expect("every page is in the list of all");
        pages[index].get_or_init(|| Page::new(code_page))
    }

    fn new(code_page: &'static CodePage) -> Page {
        let mut utf8 = Box::new([[0u8; 4]; 256]);
        for (byte, entry) in (0..=255u8).zip(utf8.iter_mut()) {
            let character = match code_page.character_of(byte) {
                '\0' => STORED_00,
                '\u{1}' => STORED_01,
                character => character,
            };
            let length = character.encode_utf8(&mut entry[..3]).len();
            entry[3] = length as u8;
        }
        Page { code_page, utf8 }
    }

    /// Appends the UTF-8 of bytes in this page.
    pub fn to_utf8(&self, bytes: &[u8], out: &mut Vec<u8>) {
        if !self.code_page.is_single_byte() {
            return to_server(bytes, self.code_page, out);
        }
        let start = out.len();
        out.resize(start + 3 * bytes.len(), 0);
        let mut at = start;
        for byte in bytes {
            let [first, second, third, length] = self.utf8[*byte as usize];
            out[at] = first;
            if length > 1 {
                out[at + 1] = second;
                if length > 2 {
                    out[at + 2] = third;
                }
            }
            at += usize::from(length);
        }
        out.truncate(at);
    }

    /// Appends the bytes in this page of UTF-8 text that the server sent; a character the page does not have becomes the substitute.
    pub fn put_text(&self, text: &[u8], out: &mut Vec<u8>) {
        if !self.code_page.is_single_byte() {
            return from_server(text, self.code_page, out);
        }
        out.reserve(text.len());
        let mut rest = text;
        while let Some((&first, after)) = rest.split_first() {
            if first < 0x80 {
                let character = if first == STORED_00 as u8 { 0 } else { first };
                out.push(self.code_page.from_latin[character as usize]);
                rest = after;
                continue;
            }
            let (mut character, after) = first_character(rest);
            if character == STORED_01 {
                character = '\u{1}';
            }
            out.push(self.code_page.byte_of(character).unwrap_or(self.code_page.substitute));
            rest = after;
        }
    }

    /// The text as this page has it, without blanks at the end.
    pub fn text(&self, bytes: &[u8]) -> String {
        let mut out = Vec::with_capacity(bytes.len() + 8);
        self.to_utf8(bytes, &mut out);
        String::from_utf8_lossy(&out).trim_end_matches([' ', '\0', STORED_00]).to_string()
    }

    pub fn space(&self) -> u8 {
        self.code_page.space
    }

    /// The page of the double-byte characters (GRAPHIC) of programs in this page.
    pub fn graphic(&self) -> &'static CodePage {
        self.code_page.graphic.unwrap_or(&CCSID_1200)
    }
}

/// The first character of bytes in UTF-8 that are not empty, and the rest.
fn first_character(bytes: &[u8]) -> (char, &[u8]) {
    let width = match bytes[0] {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
    .min(bytes.len());
    let (first, rest) = bytes.split_at(width);
    let character = std::str::from_utf8(first).ok().and_then(|text| text.chars().next());
    (character.unwrap_or(char::REPLACEMENT_CHARACTER), rest)
}

/// Appends the text of the database for bytes in a page.
pub fn to_server(bytes: &[u8], from: &CodePage, out: &mut Vec<u8>) {
    let mut text = Vec::new();
    convert(bytes, from, &CCSID_1208, &mut text);
    for byte in text {
        match byte {
            0 => out.push(STORED_00 as u8),
            1 => out.extend_from_slice(STORED_01.encode_utf8(&mut [0; 4]).as_bytes()),
            _ => out.push(byte),
        }
    }
}

/// Appends the bytes in a page of a text of the database.
pub fn from_server(text: &[u8], to: &CodePage, out: &mut Vec<u8>) {
    let (mut plain, mut rest) = (Vec::with_capacity(text.len()), text);
    let mut buffer = [0; 4];
    let stored = STORED_01.encode_utf8(&mut buffer).as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = match rest.strip_prefix(stored) {
            Some(behind) => {
                plain.push(1);
                behind
            }
            None => {
                plain.push(if first == STORED_00 as u8 { 0 } else { first });
                after
            }
        };
    }
    convert(&plain, &CCSID_1208, to, out);
}

/// Appends the bytes of one page in another.
fn convert(bytes: &[u8], from: &CodePage, to: &CodePage, out: &mut Vec<u8>) {
    if from.encoding == to.encoding && from.ccsid == to.ccsid {
        return out.extend_from_slice(bytes);
    }
    let start = out.len();
    out.resize(start + expansion_max(bytes.len(), from, to) + 2, 0);
    let mut converter = Converter::new(from, to);
    let done = converter.convert(bytes, &mut out[start..], true);
    debug_assert_eq!(done.end, End::Complete);
    let written = done.written + converter.finish(&mut out[start..], done.written);
    out.truncate(start + written);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_returns_as_it_was() {
        for ccsid in [37, 1047, 1140, 273, 819] {
            let page = Page::of(ccsid);
            let bytes: Vec<u8> = (0..=255).collect();
            let (mut text, mut back) = (Vec::new(), Vec::new());
            page.to_utf8(&bytes, &mut text);
            assert!(std::str::from_utf8(&text).is_ok() && !text.contains(&0));
            page.put_text(&text, &mut back);
            assert_eq!(back, bytes, "{ccsid}");
        }
    }

    #[test]
    fn characters_of_other_pages_become_the_substitute() {
        let mut out = Vec::new();
        Page::of(37).put_text("A日€".as_bytes(), &mut out);
        assert_eq!(out, [0xC1, 0x3F, 0x3F]);
        assert_eq!(Page::of(1140).text(&[0xC1, 0x9F, 0x40, 0x40]), "A€");
    }

    #[test]
    fn mixed_text_keeps_its_shifts() {
        let page = Page::of(939);
        let bytes = page.code_page.encode("A日本");
        let (mut text, mut back) = (Vec::new(), Vec::new());
        page.to_utf8(&bytes, &mut text);
        assert_eq!(text, "A日本".as_bytes());
        page.put_text(&text, &mut back);
        assert_eq!(back, bytes);
    }

    #[test]
    fn low_characters_of_every_page_return() {
        for ccsid in [939, 1208, 1200] {
            let page = Page::of(ccsid);
            let bytes = page.code_page.encode("A\0\u{1}\u{2}B");
            let (mut text, mut back) = (Vec::new(), Vec::new());
            page.to_utf8(&bytes, &mut text);
            assert_eq!(text, "A\u{1}\u{FDD1}\u{2}B".as_bytes(), "{ccsid}");
            page.put_text(&text, &mut back);
            assert_eq!(back, bytes, "{ccsid}");
        }
    }
}
