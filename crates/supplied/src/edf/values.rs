//! Values on displays: data as characters or hexadecimal digits, numbers, and the reading of what was typed over them.
//!
//! Rules ("Overtyping to make changes"): a byte that cannot be displayed is a period; a period typed over a character changes nothing; only
//! the bytes on display can be changed.

use exec::Numeric;
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

/// The hexadecimal digits of a number in the form that CICS documents for it: binary, or packed decimal.
pub fn digits_of(value: i64, numeric: Numeric) -> String {
    let digits = 2 * numeric.width_bytes().max(1) as usize;
    if is_packed(numeric) {
        let sign = if value < 0 { 'D' } else { 'C' };
        return format!("{:0width$}{sign}", value.unsigned_abs(), width = digits - 1);
    }
    format!("{:0digits$X}", value as u64 & (u64::MAX >> (64 - 4 * digits.min(16))))
}

/// The number that hexadecimal digits in its documented form stand for.
pub fn from_digits(digits: &str, numeric: Numeric) -> Option<i64> {
    if is_packed(numeric) {
        let (number, sign) = digits.split_at_checked(digits.len().checked_sub(1)?)?;
        let number: i64 = if number.is_empty() { 0 } else { number.parse().ok()? };
        return match sign.to_ascii_uppercase().as_str() {
            "A" | "C" | "E" | "F" => Some(number),
            "B" | "D" => Some(-number),
            _ => None,
        };
    }
    let bits = u64::from_str_radix(digits, 16).ok()?;
    Some(match numeric {
        Numeric::Halfword => i64::from(bits as u16 as i16),
        Numeric::Fullword => i64::from(bits as u32 as i32),
        _ => bits as i64,
    })
}

fn is_packed(numeric: Numeric) -> bool {
    matches!(numeric, Numeric::Abstime | Numeric::Hhmmss | Numeric::TaskNumber)
}

/// An address: eight digits, or sixteen of one above 4 GB.
pub fn address(address: usize) -> String {
    if u32::try_from(address).is_ok() { format!("{address:08X}") } else { format!("{address:016X}") }
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
    fn numbers_have_the_digits_of_their_form() {
        let forms = [
            (Numeric::Halfword, -3, "FFFD"),
            (Numeric::Fullword, 100, "00000064"),
            (Numeric::Doubleword, -1, "FFFFFFFFFFFFFFFF"),
            (Numeric::Abstime, 4_004_853_908_356, "004004853908356C"),
            (Numeric::Hhmmss, 10_000, "0010000C"),
            (Numeric::TaskNumber, -42, "0000042D"),
            (Numeric::Pointer, 0x0120_0160, "01200160"),
            (Numeric::Pointer64, 0x7E78_8300_0010, "00007E7883000010"),
        ];
        for (numeric, value, digits) in forms {
            assert_eq!(digits_of(value, numeric), digits, "{numeric:?}");
            assert_eq!(from_digits(digits, numeric), Some(value), "{numeric:?}");
        }
        for (numeric, wrong) in
            [(Numeric::Hhmmss, ""), (Numeric::Hhmmss, "00100000"), (Numeric::Abstime, "0A0C"), (Numeric::Fullword, "GG")]
        {
            assert_eq!(from_digits(wrong, numeric), None, "{wrong}");
        }
        assert_eq!((address(0x7FFF_FFFF), address(0x7E78_8300_0010)), ("7FFFFFFF".into(), "00007E7883000010".into()));
    }

    #[test]
    fn digits_come_in_pairs() {
        assert_eq!(from_hexadecimal("C1f0"), Some(vec![0xC1, 0xF0]));
        assert_eq!((from_hexadecimal("C"), from_hexadecimal("G0"), from_hexadecimal("Ä")), (None, None, None));
    }
}
