//! Terminal text: EBCDIC to Unicode and back. 3270 terminals are EBCDIC whatever the region's code page is; a region that
//! runs with ASCII data (LOCALCCSID 819) gives `Translation` to the mapping functions.

use crate::constants::CP037;

/// A single-byte EBCDIC code page.
#[derive(Clone)]
pub struct CodePage {
    to_unicode: [u16; 256],
    from_latin1: [u8; 256],
}

/// EBCDIC SUB, shown for what the code page does not have.
const SUBSTITUTE: u8 = 0x6F;

impl CodePage {
    /// EBCDIC 037, the default of a region and of 3270 emulators.
    pub fn cp037() -> &'static CodePage {
        static PAGE: std::sync::LazyLock<CodePage> = std::sync::LazyLock::new(|| CodePage::new(CP037));
        &PAGE
    }

    /// EBCDIC 1047: 037 with six characters elsewhere.
    pub fn cp1047() -> &'static CodePage {
        static PAGE: std::sync::LazyLock<CodePage> = std::sync::LazyLock::new(|| {
            let mut table = CP037;
            for (code, character) in [(0x5F, '^'), (0xB0, '¬'), (0xAD, '['), (0xBD, ']'), (0xBA, 'Ý'), (0xBB, '¨')] {
                table[code] = character as u16;
            }
            CodePage::new(table)
        });
        &PAGE
    }

    /// The code page with this CCSID, if it is one of those known here (37, 1047, 1140 taken as 37 with the euro sign).
    pub fn by_ccsid(ccsid: u32) -> Option<&'static CodePage> {
        static EURO: std::sync::LazyLock<CodePage> = std::sync::LazyLock::new(|| {
            let mut table = CP037;
            table[0x9F] = '€' as u16;
            CodePage::new(table)
        });
        match ccsid {
            37 => Some(Self::cp037()),
            1047 => Some(Self::cp1047()),
            1140 => Some(&EURO),
            _ => None,
        }
    }

    pub fn new(to_unicode: [u16; 256]) -> CodePage {
        let mut from_latin1 = [SUBSTITUTE; 256];
        for (code, &unicode) in to_unicode.iter().enumerate() {
            if unicode < 256 {
                from_latin1[unicode as usize] = code as u8;
            }
        }
        CodePage { to_unicode, from_latin1 }
    }

    pub fn to_char(&self, code: u8) -> char {
        char::from_u32(self.to_unicode[code as usize] as u32).unwrap_or('?')
    }

    /// None when the code page does not have the character.
    pub fn from_char(&self, character: char) -> Option<u8> {
        let value = character as u32;
        if value < 256 {
            let code = self.from_latin1[value as usize];
            return (self.to_unicode[code as usize] as u32 == value).then_some(code);
        }
        self.to_unicode.iter().position(|&unicode| unicode as u32 == value).map(|code| code as u8)
    }

    /// What the code page does not have becomes a question mark.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        text.chars().map(|character| self.from_char(character).unwrap_or(SUBSTITUTE)).collect()
    }

    pub fn decode(&self, bytes: &[u8]) -> String {
        bytes.iter().map(|&code| self.to_char(code)).collect()
    }

    /// As shown on a display: nulls and control codes are blanks.
    pub fn display(&self, code: u8) -> char {
        if code < 0x40 || code == 0xFF { ' ' } else { self.to_char(code) }
    }

    /// Folds letters to upper case (UCTRAN).
    pub fn upper(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let character = self.to_char(*byte);
            let mut upper = character.to_uppercase();
            if let (Some(folded), None) = (upper.next(), upper.next())
                && folded != character
                && let Some(code) = self.from_char(folded)
            {
                *byte = code;
            }
        }
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
    /// For a region whose data is ISO 8859-1 (CCSID 819).
    pub fn latin1(terminal: &CodePage) -> Translation {
        let mut translation = Translation { to_terminal: terminal.from_latin1, from_terminal: [b'?'; 256] };
        for code in 0..=255u8 {
            let unicode = terminal.to_unicode[code as usize];
            translation.from_terminal[code as usize] = if unicode < 256 { unicode as u8 } else { b'?' };
        }
        translation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_pages() {
        let page = CodePage::cp037();
        assert_eq!(page.encode("Az 09[]"), [0xC1, 0xA9, 0x40, 0xF0, 0xF9, 0xBA, 0xBB]);
        assert_eq!(CodePage::cp1047().encode("[]^"), [0xAD, 0xBD, 0x5F]);
        assert_eq!(CodePage::by_ccsid(1140).unwrap().from_char('€'), Some(0x9F));
        for code in 0..=255u8 {
            assert_eq!(page.from_char(page.to_char(code)), Some(code));
            assert_eq!(CodePage::cp1047().from_char(CodePage::cp1047().to_char(code)), Some(code));
        }
        let mut text = page.encode("abcé1-");
        page.upper(&mut text);
        assert_eq!(page.decode(&text), "ABCÉ1-");
        assert_eq!(page.from_char('€'), None);
        let ascii = Translation::latin1(page);
        assert_eq!((ascii.to_terminal[b'A' as usize], ascii.from_terminal[0xF5]), (0xC1, b'5'));
    }
}
