//! The value of a data item for the reader of a dump: a number with its sign and point, text in quotes, and hexadecimal digits for any
//! other content.
//!
//! Rules: Language Reference, USAGE clause. A number is what the program would compute with, but a zoned item has to have the zone of digits
//! (F, or 3 in ASCII) everywhere except in the byte with the sign: the program computes with blanks as if they were zeros, and the reader
//! looks for them.

use crate::code_page::RegionCodePage;
use le::{Attributes, Decimal, Session, Sign, Usage};
use program::copied::{self, Item};
use program::module::Symbol;
use program::readable::{self, Limits};

/// Of one value.
pub const LIMITS: Limits = Limits { characters: 60, bytes: 32 };

pub struct Value {
    pub text: String,
    /// False: a numeric item that holds no number.
    pub valid: bool,
}

/// `S9(5) COMP-3`, `X(8)`; a group has none.
pub fn description(symbol: &Symbol) -> String {
    let usage = Usage::of(symbol.usage).map_or("", Usage::word);
    [symbol.picture.as_str(), usage].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

pub fn is_group(symbol: &Symbol) -> bool {
    Usage::of(symbol.usage) == Some(Usage::Group)
}

/// The value of one occurrence.
pub fn value(symbol: &Symbol, bytes: &[u8], page: &RegionCodePage) -> Value {
    let valid = |text: String| Value { text, valid: true };
    match Usage::of(symbol.usage) {
        Some(Usage::Packed | Usage::Zoned | Usage::Binary | Usage::NativeBinary | Usage::Index) => match number(symbol, bytes, page) {
            Some(number) => valid(readable::number(&number)),
            None => Value { text: LIMITS.hexadecimal(bytes), valid: false },
        },
        Some(
            Usage::Group | Usage::Alphanumeric | Usage::Alphabetic | Usage::AlphanumericEdited | Usage::NumericEdited | Usage::FloatDisplay,
        ) => valid(LIMITS.quoted(&page.text(bytes), bytes)),
        _ => valid(LIMITS.hexadecimal(bytes)),
    }
}

/// The value of an item that holds an integer.
pub fn integer(symbol: &Symbol, bytes: &[u8], page: &RegionCodePage) -> Option<i64> {
    number(symbol, bytes, page).filter(|_| symbol.scale == 0)?.to_integer()
}

fn number(symbol: &Symbol, bytes: &[u8], page: &RegionCodePage) -> Option<Decimal> {
    let (usage, sign) = (Usage::of(symbol.usage)?, Sign::of(symbol.sign)?);
    // 31 digits.
    let length_max = match usage {
        Usage::Zoned => 32,
        Usage::Packed => 16,
        _ => 8,
    };
    if !(1..=length_max).contains(&bytes.len()) || usage == Usage::Zoned && !has_zones(bytes, sign, page) {
        return None;
    }
    let attributes = Attributes { sign, digits: symbol.digits, scale: symbol.scale, ..Attributes::new(usage, bytes.len() as u32) };
    copied::number(Item { bytes, attributes }, &Session::new(page.page())).ok()
}

/// The digits have their zone. The byte with the sign may have any; so may the last one of an unsigned item, whose sign is dropped.
fn has_zones(bytes: &[u8], sign: Sign, page: &RegionCodePage) -> bool {
    let digits = match sign {
        Sign::Leading | Sign::LeadingSeparate => &bytes[1..],
        Sign::Unsigned | Sign::Trailing | Sign::TrailingSeparate => &bytes[..bytes.len() - 1],
    };
    digits.iter().all(|byte| byte & 0xF0 == page.page().zone)
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
