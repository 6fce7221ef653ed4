//! Code pages as conversions to and from UTF-8 need them: a table for each single-byte page, built when it is first used.
//!
//! The server has no character U+0000 in texts. X'00' of a host variable (LOW-VALUES) is therefore U+0001 in the database, which is lowest
//! too, and is X'00' again when it is read. X'01' becomes U+0001 as well.

use codepage::{CCSID_037, CCSID_1200, CCSID_1208, CodePage, Converter, Encoding, End, expansion_max};
use std::sync::OnceLock;

/// A code page with its table.
#[derive(Debug)]
pub struct Page {
    pub code_page: &'static CodePage,
    /// UTF-8 of each byte, and its length in the last place.
    utf8: Box<[[u8; 4]; 256]>,
}

const LOWEST: char = '\u{1}';

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
            let mut character = code_page.character_of(byte);
            if character == '\0' {
                character = LOWEST;
            }
            let length = character.encode_utf8(&mut entry[..3]).len();
            entry[3] = length as u8;
        }
        Page { code_page, utf8 }
    }

    /// Appends the UTF-8 of bytes in this page.
    pub fn to_utf8(&self, bytes: &[u8], out: &mut Vec<u8>) {
        if !self.code_page.is_single_byte() {
            return convert(bytes, self.code_page, &CCSID_1208, out);
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
            return convert(text, &CCSID_1208, self.code_page, out);
        }
        out.reserve(text.len());
        let mut rest = text;
        while let Some((&first, after)) = rest.split_first() {
            if first < 0x80 {
                let byte = if first == LOWEST as u8 { 0 } else { self.code_page.from_latin[first as usize] };
                out.push(byte);
                rest = after;
                continue;
            }
            let (character, after) = first_character(rest);
            out.push(self.code_page.byte_of(character).unwrap_or(self.code_page.substitute));
            rest = after;
        }
    }

    /// The text as this page has it, without blanks at the end.
    pub fn text(&self, bytes: &[u8]) -> String {
        let mut out = Vec::with_capacity(bytes.len() + 8);
        self.to_utf8(bytes, &mut out);
        String::from_utf8_lossy(&out).trim_end_matches([' ', '\0', LOWEST]).to_string()
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

/// Appends the bytes of one page in another.
pub fn convert(bytes: &[u8], from: &CodePage, to: &CodePage, out: &mut Vec<u8>) {
    if from.encoding == Encoding::Utf8 && to.encoding == Encoding::Utf8 {
        out.extend(bytes.iter().map(|byte| if *byte == 0 { LOWEST as u8 } else { *byte }));
        return;
    }
    let start = out.len();
    out.resize(start + expansion_max(bytes.len(), from, to) + 2, 0);
    let mut converter = Converter::new(from, to);
    let done = converter.convert(bytes, &mut out[start..], true);
    debug_assert_eq!(done.end, End::Complete);
    let written = done.written + converter.finish(&mut out[start..], done.written);
    out.truncate(start + written);
    if to.encoding == Encoding::Utf8 {
        out[start..].iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = LOWEST as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_returns_as_it_was() {
        for ccsid in [37, 1047, 1140, 273, 819] {
            let page = Page::of(ccsid);
            let bytes: Vec<u8> = (0..=255).filter(|byte| *byte != 1).collect();
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
}
