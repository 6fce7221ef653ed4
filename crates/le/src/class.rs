//! Class and sign conditions (Language Reference, "Class condition").
//!
//! Valid signs are those of NUMCLS(PRIM): a signed item may have C, D or F under NUMPROC(NOPFD) and C or D under PFD, an
//! unsigned item only F.
//!
//! `unsafe` here reads the item that is examined: see `lib.rs`.

use crate::attributes::{Attributes, Sign, Usage};
use crate::code_page::CodePage;
use crate::numeric::packed;
use crate::session::{Numproc, Session};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Class {
    Numeric = 0,
    Alphabetic = 1,
    AlphabeticLower = 2,
    AlphabeticUpper = 3,
    Dbcs = 4,
    Kanji = 5,
}

/// Whether the item belongs to the class.
///
/// # Safety
/// The area must be readable for the length of its attributes.
pub unsafe fn is_class(class: Class, area: *const u8, attributes: &Attributes, session: &Session) -> bool {
    let bytes = std::slice::from_raw_parts(area, attributes.length as usize);
    let mask = match class {
        Class::Numeric => return is_numeric(bytes, attributes, session),
        Class::Alphabetic => CodePage::UPPER | CodePage::LOWER | CodePage::SPACE,
        Class::AlphabeticLower => CodePage::LOWER | CodePage::SPACE,
        Class::AlphabeticUpper => CodePage::UPPER | CodePage::SPACE,
        // First byte X'41' to X'FE' (KANJI to X'7F'), second byte X'41' to X'FE', or the DBCS space X'4040'.
        Class::Dbcs => return is_double_byte(bytes, 0xFE),
        Class::Kanji => return is_double_byte(bytes, 0x7F),
    };
    all_of(bytes, attributes, mask, session)
}

fn is_double_byte(bytes: &[u8], first_max: u8) -> bool {
    let pairs = bytes.chunks_exact(2);
    pairs.remainder().is_empty()
        && pairs.clone().all(|pair| pair == [0x40, 0x40] || ((0x41..=first_max).contains(&pair[0]) && (0x41..=0xFE).contains(&pair[1])))
}

/// Whether every character has one of the class bits.
fn all_of(bytes: &[u8], attributes: &Attributes, mask: u8, session: &Session) -> bool {
    let page = session.code_page;
    if attributes.is_national() {
        return bytes.chunks(2).all(|pair| match pair {
            [0, low] => page.class[page.from_latin[*low as usize] as usize] & mask != 0,
            _ => false,
        });
    }
    if attributes.usage == Usage::Utf8 {
        return bytes.iter().all(|&byte| byte < 128 && page.class[page.from_latin[byte as usize] as usize] & mask != 0);
    }
    bytes.iter().all(|&byte| page.class[byte as usize] & mask != 0)
}

fn is_numeric(bytes: &[u8], attributes: &Attributes, session: &Session) -> bool {
    match attributes.usage {
        Usage::Packed => {
            let allowed = sign_codes(attributes, session);
            // SAFETY: the slice is readable for its length.
            unsafe { packed::is_valid(bytes.as_ptr(), bytes.len(), attributes.digits.is_multiple_of(2), allowed) }
        }
        Usage::Zoned => is_zoned(bytes, attributes, session),
        Usage::NationalZoned => is_national_zoned(bytes, attributes),
        Usage::Binary | Usage::NativeBinary | Usage::Float4 | Usage::Float8 | Usage::Index => true,
        // SAFETY: the slice is readable for its length and the program is that of the item.
        Usage::FloatDisplay => unsafe { crate::edit::deedit_float(bytes.as_ptr(), attributes, session) }.is_ok(),
        _ => !bytes.is_empty() && all_of(bytes, attributes, CodePage::DIGIT, session),
    }
}

/// Bit set of the valid sign codes.
fn sign_codes(attributes: &Attributes, session: &Session) -> u16 {
    match (attributes.is_signed(), session.numproc) {
        (false, _) => 1 << 0xF,
        (true, Numproc::Pfd) => 1 << 0xC | 1 << 0xD,
        (true, Numproc::Nopfd) => 1 << 0xC | 1 << 0xD | 1 << 0xF,
    }
}

fn is_zoned(bytes: &[u8], attributes: &Attributes, session: &Session) -> bool {
    let page = session.code_page;
    let digits_only = |bytes: &[u8]| bytes.iter().all(|&byte| page.class[byte as usize] & CodePage::DIGIT != 0);
    let is_sign = |byte: u8| byte == page.plus || byte == page.minus;
    let overpunched = |byte: u8| {
        let zone = byte >> 4;
        let allowed = if page.is_ebcdic() { sign_codes(attributes, session) } else { 1 << 3 | 1 << 7 };
        byte & 15 < 10 && allowed >> zone & 1 == 1
    };
    match (attributes.sign, bytes) {
        (_, []) => false,
        (Sign::Unsigned, _) => digits_only(bytes),
        (Sign::Trailing, [rest @ .., last]) => digits_only(rest) && overpunched(*last),
        (Sign::Leading, [first, rest @ ..]) => digits_only(rest) && overpunched(*first),
        (Sign::TrailingSeparate, [rest @ .., last]) => digits_only(rest) && is_sign(*last),
        (Sign::LeadingSeparate, [first, rest @ ..]) => digits_only(rest) && is_sign(*first),
    }
}

fn is_national_zoned(bytes: &[u8], attributes: &Attributes) -> bool {
    let digit = |pair: &[u8]| matches!(pair, [0, b'0'..=b'9']);
    let sign = |pair: &[u8]| matches!(pair, [0, b'+' | b'-']);
    let count = bytes.len() / 2;
    bytes.chunks(2).enumerate().all(|(index, pair)| match attributes.sign {
        Sign::LeadingSeparate if index == 0 => sign(pair),
        Sign::TrailingSeparate if index + 1 == count => sign(pair),
        _ => digit(pair),
    })
}

/// A class-name of SPECIAL-NAMES: one bit for each of the 256 bytes; byte n is bit n % 8 of member n / 8.
///
/// # Safety
/// The area must be readable for the length of its attributes.
pub unsafe fn is_user_class(members: &[u8; 32], area: *const u8, attributes: &Attributes) -> bool {
    let bytes = std::slice::from_raw_parts(area, attributes.length as usize);
    bytes.iter().all(|&byte| members[byte as usize / 8] >> (byte % 8) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numeric(bytes: &[u8], attributes: Attributes, session: &Session) -> bool {
        unsafe { is_class(Class::Numeric, bytes.as_ptr(), &attributes.with_length(bytes.len() as u32), session) }
    }

    #[test]
    fn numeric_by_usage_and_sign() {
        let mut session = Session::ebcdic();
        let signed = Attributes::zoned(2, 0, Sign::Trailing);
        let unsigned = Attributes::zoned(2, 0, Sign::Unsigned);
        let cases: [([u8; 2], bool, bool); 5] = [
            ([0xF1, 0xF2], true, true),
            ([0xF1, 0xC2], true, false),
            ([0xF1, 0xD2], true, false),
            ([0xF1, 0xA2], false, false),
            ([0x40, 0xF2], false, false),
        ];
        for (bytes, as_signed, as_unsigned) in cases {
            assert_eq!(numeric(&bytes, signed, &session), as_signed, "{bytes:X?}");
            assert_eq!(numeric(&bytes, unsigned, &session), as_unsigned, "{bytes:X?}");
        }
        assert!(numeric(&[0x12, 0x3C], Attributes::packed(3, 0, true), &session));
        assert!(numeric(&[0x12, 0x3F], Attributes::packed(3, 0, true), &session));
        assert!(!numeric(&[0x12, 0x3C], Attributes::packed(3, 0, false), &session));
        assert!(!numeric(&[0x12, 0x3C], Attributes::packed(2, 0, true), &session), "digit in the unused nibble");
        session.numproc = Numproc::Pfd;
        assert!(!numeric(&[0x12, 0x3F], Attributes::packed(3, 0, true), &session));
        assert!(numeric(&[0x4E, 0xF3], Attributes::zoned(1, 0, Sign::LeadingSeparate), &session));
        assert!(numeric(&[0, 0x31, 0, 0x32], Attributes::national(4), &session));
    }

    #[test]
    fn alphabetic_classes() {
        let session = Session::ebcdic();
        let is = |class, text: &str| {
            let bytes = session.code_page.encode(text);
            unsafe { is_class(class, bytes.as_ptr(), &Attributes::alphanumeric(bytes.len() as u32), &session) }
        };
        assert!(is(Class::Alphabetic, "Ab cZ") && !is(Class::Alphabetic, "A1") && !is(Class::Alphabetic, "é"));
        assert!(is(Class::AlphabeticLower, "ab c") && !is(Class::AlphabeticLower, "aB"));
        assert!(is(Class::AlphabeticUpper, "AB C") && !is(Class::AlphabeticUpper, "aB"));
        assert!(!is(Class::Alphabetic, "A{"));
    }

    #[test]
    fn a_user_class_is_a_set_of_characters() {
        let mut members = [0u8; 32];
        members[0xC1 / 8] |= 1 << (0xC1 % 8);
        let is = |bytes: &[u8]| unsafe { is_user_class(&members, bytes.as_ptr(), &Attributes::alphanumeric(2)) };
        assert!(is(&[0xC1, 0xC1]) && !is(&[0xC1, 0xC2]));
    }
}
