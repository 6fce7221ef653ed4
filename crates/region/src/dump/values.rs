//! The value of a data item for the reader of a dump: a number with its sign and point, text in quotes, and hexadecimal digits for any
//! other content.
//!
//! Rules: Language Reference, USAGE clause. A packed item has a digit in each half byte and a sign, A to F, in the last half byte. A zoned
//! item has a digit in the low half of each byte and the zone F (3 in ASCII) in the high half, except in the byte with the sign.

use crate::code_page::RegionCodePage;
use le::{Sign, Usage};
use program::module::Symbol;

/// Characters of a text that are shown.
const TEXT_MAX: usize = 60;
/// Bytes shown in hexadecimal.
const HEXADECIMAL_MAX: usize = 32;

pub struct Value {
    pub text: String,
    /// False: a numeric item that holds no number.
    pub valid: bool,
}

/// `S9(5) COMP-3`, `X(8)`; a group has none.
pub fn description(symbol: &Symbol) -> String {
    let usage = match usage(symbol) {
        Some(Usage::Packed) => "COMP-3",
        Some(Usage::Binary) => "COMP",
        Some(Usage::NativeBinary) => "COMP-5",
        Some(Usage::Float4) => "COMP-1",
        Some(Usage::Float8) => "COMP-2",
        Some(Usage::Index) => "INDEX",
        Some(Usage::Pointer) => "POINTER",
        Some(Usage::FunctionPointer) => "FUNCTION-POINTER",
        Some(Usage::National | Usage::NationalZoned | Usage::NationalEdited | Usage::NationalNumericEdited) => "NATIONAL",
        _ => "",
    };
    [symbol.picture.as_str(), usage].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

pub fn is_group(symbol: &Symbol) -> bool {
    usage(symbol) == Some(Usage::Group)
}

/// The value of one occurrence.
pub fn value(symbol: &Symbol, bytes: &[u8], page: &RegionCodePage) -> Value {
    let number = |digits: Option<(bool, String)>| match digits {
        Some((minus, digits)) => Value { text: with_point(minus, &digits, symbol.scale), valid: true },
        None => Value { text: hexadecimal(bytes), valid: false },
    };
    match usage(symbol) {
        Some(Usage::Packed) => number(packed(bytes)),
        Some(Usage::Zoned) => number(zoned(symbol, bytes, page)),
        Some(Usage::Binary | Usage::NativeBinary | Usage::Index) => number(binary(symbol, bytes)),
        Some(Usage::Pointer | Usage::FunctionPointer) => Value { text: hexadecimal(bytes), valid: true },
        Some(
            Usage::Group | Usage::Alphanumeric | Usage::Alphabetic | Usage::AlphanumericEdited | Usage::NumericEdited | Usage::FloatDisplay,
        ) => Value { text: text(bytes, page), valid: true },
        _ => Value { text: hexadecimal(bytes), valid: true },
    }
}

/// The value of an item that holds an integer.
pub fn integer(symbol: &Symbol, bytes: &[u8], page: &RegionCodePage) -> Option<i64> {
    let (minus, digits) = match usage(symbol)? {
        Usage::Packed => packed(bytes)?,
        Usage::Zoned => zoned(symbol, bytes, page)?,
        Usage::Binary | Usage::NativeBinary | Usage::Index => binary(symbol, bytes)?,
        _ => return None,
    };
    let value: i64 = digits.parse().ok()?;
    (symbol.scale == 0).then_some(if minus { -value } else { value })
}

fn usage(symbol: &Symbol) -> Option<Usage> {
    const KNOWN: [Usage; 16] = [
        Usage::Group,
        Usage::Alphanumeric,
        Usage::Alphabetic,
        Usage::AlphanumericEdited,
        Usage::NumericEdited,
        Usage::Zoned,
        Usage::Packed,
        Usage::Binary,
        Usage::NativeBinary,
        Usage::Float4,
        Usage::Float8,
        Usage::National,
        Usage::Index,
        Usage::Pointer,
        Usage::FunctionPointer,
        Usage::FloatDisplay,
    ];
    KNOWN.into_iter().find(|usage| *usage as u8 == symbol.usage)
}

/// Sign codes of decimal items from here on; the two that mean minus; the zone of EBCDIC digits.
const SIGN_MIN: u8 = 0xA;
const MINUS: [u8; 2] = [0xB, 0xD];
const ZONE: u8 = 0xF;
/// Separate signs in EBCDIC.
const PLUS_CHARACTER: u8 = 0x4E;
const MINUS_CHARACTER: u8 = 0x60;

/// Sign and digits.
fn packed(bytes: &[u8]) -> Option<(bool, String)> {
    let (last, rest) = bytes.split_last()?;
    let mut digits = String::with_capacity(bytes.len() * 2);
    for half in rest.iter().flat_map(|byte| [byte >> 4, byte & 0xF]).chain([last >> 4]) {
        digits.push(char::from_digit(u32::from(half), 10)?);
    }
    let sign = last & 0xF;
    (sign >= SIGN_MIN).then_some((MINUS.contains(&sign), digits))
}

fn zoned(symbol: &Symbol, bytes: &[u8], page: &RegionCodePage) -> Option<(bool, String)> {
    let ascii = page.space() == b' ';
    let (plus, minus, zone) = if ascii { (b'+', b'-', 3) } else { (PLUS_CHARACTER, MINUS_CHARACTER, ZONE) };
    let sign = [Sign::Unsigned, Sign::Trailing, Sign::Leading, Sign::TrailingSeparate, Sign::LeadingSeparate]
        .into_iter()
        .find(|sign| *sign as u8 == symbol.sign)?;
    let (body, separate) = match sign {
        Sign::LeadingSeparate => bytes.split_first().map(|(sign, body)| (body, Some(*sign)))?,
        Sign::TrailingSeparate => bytes.split_last().map(|(sign, body)| (body, Some(*sign)))?,
        _ => (bytes, None),
    };
    let overpunched = match sign {
        Sign::Trailing => body.len().checked_sub(1),
        Sign::Leading => Some(0),
        _ => None,
    };
    let mut negative = separate == Some(minus);
    if separate.is_some_and(|sign| sign != plus && sign != minus) {
        return None;
    }
    let mut digits = String::with_capacity(body.len());
    for (index, byte) in body.iter().enumerate() {
        let high = byte >> 4;
        if overpunched == Some(index) {
            // C, F and the like are plus; D and B minus. ASCII signs keep 3 for plus and have 7 for minus.
            negative = if ascii { high == 7 } else { MINUS.contains(&high) };
            if !ascii && high < SIGN_MIN || ascii && !matches!(high, 3 | 7) {
                return None;
            }
        } else if high != zone && (ascii || index + 1 < body.len() || high < SIGN_MIN) {
            // Any sign of an unsigned item is dropped.
            return None;
        }
        digits.push(char::from_digit(u32::from(byte & 0xF), 10)?);
    }
    Some((negative, digits))
}

fn binary(symbol: &Symbol, bytes: &[u8]) -> Option<(bool, String)> {
    if bytes.is_empty() || bytes.len() > 8 {
        return None;
    }
    let signed = symbol.sign != Sign::Unsigned as u8;
    let start = if signed && bytes[0] & 0x80 != 0 { -1_i128 } else { 0 };
    let value = bytes.iter().fold(start, |value, byte| value << 8 | i128::from(*byte));
    Some((value < 0, value.unsigned_abs().to_string()))
}

/// Leading zeros are dropped, and the point is placed by the scale.
fn with_point(minus: bool, digits: &str, scale: i8) -> String {
    let places = usize::from(scale.max(0).unsigned_abs());
    let mut digits = format!("{digits:0>width$}", width = places + 1);
    digits.extend(std::iter::repeat_n('0', usize::from((-i16::from(scale)).max(0).unsigned_abs())));
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let zero = whole == "0" && fraction.bytes().all(|digit| digit == b'0');
    let sign = if minus && !zero { "-" } else { "" };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// In quotes without trailing blanks; in hexadecimal when not every byte is a character.
fn text(bytes: &[u8], page: &RegionCodePage) -> String {
    let shown = page.text(bytes);
    if shown.chars().any(|character| character.is_control() || character == '\u{FFFD}') {
        return hexadecimal(bytes);
    }
    let kept = shown.trim_end();
    match kept.char_indices().nth(TEXT_MAX) {
        Some((end, _)) => format!("'{}'...", &kept[..end]),
        None => format!("'{kept}'"),
    }
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().take(HEXADECIMAL_MAX).map(|byte| format!("{byte:02X}")).collect();
    format!("X'{digits}'{}", if bytes.len() > HEXADECIMAL_MAX { "..." } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::module::Area;

    fn symbol(usage: Usage, sign: Sign, scale: i8) -> Symbol {
        Symbol {
            name: "A".into(),
            program: 0,
            level: 1,
            area: Area::WorkingStorage,
            base: 0,
            offset: 0,
            length: 0,
            usage: usage as u8,
            sign: sign as u8,
            digits: 0,
            scale,
            occurs: 1,
            stride: 0,
            picture: String::new(),
            redefines: false,
        }
    }

    fn shown(usage: Usage, sign: Sign, scale: i8, bytes: &[u8]) -> (String, bool) {
        let page = RegionCodePage::new(RegionCodePage::by_ccsid(37).unwrap());
        let value = value(&symbol(usage, sign, scale), bytes, &page);
        (value.text, value.valid)
    }

    #[test]
    fn numbers_have_sign_and_point() {
        let is = |usage, sign, scale, bytes: &[u8], text: &str| assert_eq!(shown(usage, sign, scale, bytes), (text.to_string(), true));
        is(Usage::Packed, Sign::Trailing, 2, &[0x01, 0x25, 0x0D], "-12.50");
        is(Usage::Packed, Sign::Unsigned, 0, &[0x00, 0x7F], "7");
        is(Usage::Packed, Sign::Trailing, -2, &[0x5C], "500");
        is(Usage::Packed, Sign::Trailing, 3, &[0x5C], "0.005");
        is(Usage::Zoned, Sign::Trailing, 0, &[0xF1, 0xF2, 0xD3], "-123");
        is(Usage::Zoned, Sign::Leading, 1, &[0xD1, 0xF2, 0xF3], "-12.3");
        is(Usage::Zoned, Sign::LeadingSeparate, 0, &[0x60, 0xF4], "-4");
        is(Usage::Zoned, Sign::TrailingSeparate, 0, &[0xF4, 0x4E], "4");
        is(Usage::Binary, Sign::Trailing, 2, &[0xFF, 0x85], "-1.23");
        is(Usage::Binary, Sign::Unsigned, 0, &[0xFF, 0xFF], "65535");
    }

    #[test]
    fn invalid_numbers_are_shown_in_hexadecimal() {
        let is = |usage, bytes: &[u8], text: &str| assert_eq!(shown(usage, Sign::Trailing, 0, bytes), (text.to_string(), false));
        is(Usage::Packed, &[0x40, 0x40, 0x40], "X'404040'");
        is(Usage::Packed, &[0x12, 0x34], "X'1234'");
        is(Usage::Zoned, &[0x40, 0x40], "X'4040'");
        is(Usage::Zoned, &[0xF1, 0x12], "X'F112'");
        assert_eq!(shown(Usage::Alphanumeric, Sign::Unsigned, 0, &[0xC1, 0x40]), ("'A'".to_string(), true));
        assert_eq!(shown(Usage::Alphanumeric, Sign::Unsigned, 0, &[0xC1, 0x00]), ("X'C100'".to_string(), true));
    }
}
