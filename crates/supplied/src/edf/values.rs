//! Values on displays: data as characters or hexadecimal digits, numbers, and the reading of what was typed over them.
//!
//! Rules ("Overtyping to make changes"): a byte that cannot be displayed is a period; a period typed over a character changes nothing; only
//! the bytes on display can be changed.

use region::code_page::RegionCodePage;

/// Stands for a byte that is no character of a display.
const UNDISPLAYABLE: char = '.';

/// One character for each byte.
pub fn characters(page: &RegionCodePage, bytes: &[u8]) -> String {
    let page = page.page();
    let shown = |byte: &u8| {
        let character = page.character_of(*byte);
        let displayable = *byte >= page.space && (*byte == page.space || !character.is_whitespace() && !character.is_control());
        if displayable { character } else { UNDISPLAYABLE }
    };
    bytes.iter().map(shown).collect()
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// The bytes of hexadecimal digits; `None` for anything else.
pub fn from_hexadecimal(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()).collect()
}

/// The bytes after characters were typed over those shown. What is missing at the end is blank.
pub fn overtyped(page: &RegionCodePage, bytes: &[u8], shown: &str, typed: &str) -> Vec<u8> {
    let mut typed = typed.chars();
    let mut result = bytes.to_vec();
    for (byte, shown) in result.iter_mut().zip(shown.chars()) {
        let now = typed.next().unwrap_or(' ');
        if now != shown && now != UNDISPLAYABLE {
            *byte = page.encode(&now.to_string()).first().copied().unwrap_or(*byte);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> RegionCodePage {
        RegionCodePage::new(RegionCodePage::by_ccsid(37).expect("CCSID 037"))
    }

    #[test]
    fn bytes_that_cannot_be_displayed_are_periods() {
        assert_eq!(characters(&page(), &[0xC1, 0x00, 0x40, 0xFF, 0x81, 0x0D]), "A. .a.");
        assert_eq!(characters(&page(), &[]), "");
    }

    #[test]
    fn a_period_typed_over_a_character_changes_nothing() {
        let page = page();
        let bytes = [0xC1, 0x00, 0xC3, 0xC4];
        assert_eq!(overtyped(&page, &bytes, "A.CD", "X..D"), [0xE7, 0x00, 0xC3, 0xC4]);
        assert_eq!(overtyped(&page, &bytes, "A.CD", "AB"), [0xC1, 0xC2, 0x40, 0x40]);
        assert_eq!(overtyped(&page, &bytes, "A.CD", "A.CDEFG"), bytes);
    }

    #[test]
    fn digits_come_in_pairs() {
        assert_eq!(from_hexadecimal("C1f0"), Some(vec![0xC1, 0xF0]));
        assert_eq!((from_hexadecimal("C"), from_hexadecimal("G0"), from_hexadecimal("Ä")), (None, None, None));
    }
}
