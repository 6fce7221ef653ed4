//! Terminal text. 3270 terminals use EBCDIC whatever the region's code page is: the region's own page if that is EBCDIC, 037 otherwise. A
//! region with ASCII data (LOCALCCSID 819) passes `Translation` to the mapping functions.

pub use codepage::CodePage;
use codepage::{CCSID_037, SHIFT_IN, SHIFT_OUT};

/// A terminal's substitute for a character that its code page does not have: a question mark.
const QUESTION_MARK: char = '?';

/// The code page of terminals whose region has data in this one.
pub fn terminal_page(data: &'static CodePage) -> &'static CodePage {
    if data.is_ebcdic() { data } else { &CCSID_037 }
}

/// Text for a screen.
pub fn encode(page: &CodePage, text: &str) -> Vec<u8> {
    let known = |character: char| page.try_encode(character.encode_utf8(&mut [0; 4])).is_ok();
    let text: String = text.chars().map(|character| if known(character) { character } else { QUESTION_MARK }).collect();
    page.encode(&text)
}

/// A single byte as shown on a display: nulls and control codes are blanks.
pub fn shown(page: &CodePage, code: u8) -> char {
    if code < page.space || code == 0xFF { ' ' } else { page.character_of(code) }
}

/// Letters of 3270 text become capitals byte by byte (UCTRAN), those of double-byte characters do not.
pub struct Folding<'a> {
    page: &'a CodePage,
    shifted: bool,
}

impl<'a> Folding<'a> {
    pub fn new(page: &'a CodePage) -> Folding<'a> {
        Folding { page, shifted: false }
    }

    pub fn fold(&mut self, byte: u8) -> u8 {
        if self.page.is_mixed() && matches!(byte, SHIFT_OUT | SHIFT_IN) {
            self.shifted = byte == SHIFT_OUT;
        }
        if self.shifted { byte } else { self.page.upper[usize::from(byte)] }
    }
}

/// Conversion between the region's character data and the terminal's EBCDIC. Attribute values are characters in source and
/// in DFHBMSCA, so they are converted with the same tables.
#[derive(Clone)]
pub struct Translation {
    pub to_terminal: [u8; 256],
    pub from_terminal: [u8; 256],
}

impl Translation {
    /// For a region whose data are in a page that is not EBCDIC; a character that the other side does not have becomes a
    /// question mark.
    pub fn between(terminal: &CodePage, data: &CodePage) -> Translation {
        let table = |from: &CodePage, to: &CodePage| {
            let mut table = [to.ascii(QUESTION_MARK as u8); 256];
            for (byte, target) in table.iter_mut().enumerate() {
                if let Some(known) = to.byte_of(from.character_of(byte as u8)) {
                    *target = known;
                }
            }
            table
        };
        Translation { to_terminal: table(data, terminal), from_terminal: table(terminal, data) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codepage::{CCSID_273, CCSID_819, CCSID_939, CCSID_1140, CCSID_1252};

    #[test]
    fn unmappable_characters_become_question_marks() {
        assert_eq!(encode(&CCSID_037, "Az 09[]€"), [0xC1, 0xA9, 0x40, 0xF0, 0xF9, 0xBA, 0xBB, 0x6F]);
        assert_eq!(encode(&CCSID_1140, "€"), [0x9F]);
        assert_eq!(encode(&CCSID_273, "Ä"), [0x4A]);
        assert_eq!((shown(&CCSID_037, 0x15), shown(&CCSID_273, 0x4A)), (' ', 'Ä'));
    }

    #[test]
    fn folding_leaves_double_byte_characters() {
        let mut folding = Folding::new(&CCSID_939);
        let text = CCSID_939.encode("a海b");
        let folded: Vec<u8> = text.iter().map(|byte| folding.fold(*byte)).collect();
        assert_eq!(CCSID_939.decode(&folded), "A海B");
    }

    #[test]
    fn ascii_data_and_terminals_exchange_all_characters_both_have() {
        let ascii = Translation::between(&CCSID_037, &CCSID_819);
        assert_eq!((ascii.to_terminal[b'A' as usize], ascii.from_terminal[0xF5]), (0xC1, b'5'));
        for byte in 0..=255u8 {
            assert_eq!(ascii.from_terminal[usize::from(ascii.to_terminal[usize::from(byte)])], byte);
        }
        let windows = Translation::between(&CCSID_037, &CCSID_1252);
        assert_eq!((windows.to_terminal[0x80], windows.to_terminal[0xE9]), (0x6F, 0x51));
        assert!(std::ptr::eq(terminal_page(&CCSID_819), &CCSID_037));
        assert!(std::ptr::eq(terminal_page(&CCSID_273), &CCSID_273));
    }
}
