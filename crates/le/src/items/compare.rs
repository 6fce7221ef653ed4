//! Relation conditions (Language Reference, "Relation conditions").
//!
//! Numeric operands compare algebraically whatever their usages. Otherwise characters are compared, the shorter operand extended with
//! spaces: by the program's collating sequence when both are alphanumeric, by UTF-16 code units when one is national. A numeric operand
//! compared with characters is represented by its digits without sign. The digits of a zoned item are its bytes, whatever they are;
//! compared with a group, all its bytes count.
//!
//! `unsafe` here reads the two operands and the collating sequence of the session: see `lib.rs`.

use std::cmp::Ordering;

use crate::attributes::{Attributes, Usage};
use crate::code_page::{CCSID_1200, CodePage, Reader, Taken};
use crate::decimal::{self, Decimal};
use crate::exception::Result;
use crate::movement::{Figurative, Filled, compare_filled, conversion_page, page_of, shown_digits, zoned_characters};
use crate::numeric::{self as number, zoned};
use crate::session::Session;

/// Longest text of a numeric operand compared as characters.
const TEXT_MAX: usize = 64;

#[inline(always)]
fn is_number(attributes: &Attributes) -> bool {
    attributes.is_numeric() || matches!(attributes.usage, Usage::Index | Usage::Pointer | Usage::FunctionPointer)
}

/// Compares any two operands that may be compared.
///
/// # Safety
/// Both areas must be readable for the lengths of their attributes.
#[inline]
pub unsafe fn compare(
    left: *const u8,
    left_attributes: &Attributes,
    right: *const u8,
    right_attributes: &Attributes,
    session: &Session,
) -> Result<Ordering> {
    if is_number(left_attributes) && is_number(right_attributes) {
        return compare_numbers(left, left_attributes, right, right_attributes, session);
    }
    let mut left_text = [0u8; TEXT_MAX];
    let mut right_text = [0u8; TEXT_MAX];
    let left = characters(left, left_attributes, right_attributes, &mut left_text, session)?;
    let right = characters(right, right_attributes, left_attributes, &mut right_text, session)?;
    let (left_page, right_page) = (text_page(left_attributes, session), text_page(right_attributes, session));
    if std::ptr::eq(left_page, right_page) && left_page.is_byte_oriented() {
        return Ok(compare_native(left, right, session));
    }
    if std::ptr::eq(left_page, right_page) && std::ptr::eq(left_page, &CCSID_1200) {
        return Ok(compare_national(left, right));
    }
    let pages = (conversion_page(left_attributes, session), conversion_page(right_attributes, session));
    let left_page = if is_number(left_attributes) { left_page } else { pages.0 };
    let right_page = if is_number(right_attributes) { right_page } else { pages.1 };
    Ok(compare_converted(left, left_page, right, right_page))
}

#[inline]
unsafe fn compare_numbers(
    left: *const u8,
    left_attributes: &Attributes,
    right: *const u8,
    right_attributes: &Attributes,
    session: &Session,
) -> Result<Ordering> {
    let short = number::short::try_compare((left, left_attributes), (right, right_attributes), session);
    if let Some(order) = short {
        return order;
    }
    if left_attributes.scale == right_attributes.scale
        && let Some(a) = number::load_short(left, left_attributes, session)
        && let Some(b) = number::load_short(right, right_attributes, session)
    {
        let a = if left_attributes.is_signed() { a? } else { a?.wrapping_abs() };
        let b = if right_attributes.is_signed() { b? } else { b?.wrapping_abs() };
        return Ok(a.cmp(&b));
    }
    if left_attributes.is_float() || right_attributes.is_float() {
        let a = number::load_float(left, left_attributes, session)?;
        let b = number::load_float(right, right_attributes, session)?;
        return Ok(a.partial_cmp(&b).unwrap_or(Ordering::Equal));
    }
    let a = number::load(left, left_attributes, session)?;
    let b = number::load(right, right_attributes, session)?;
    Ok(decimal::compare(&a, &b))
}

/// The characters an operand is compared by; numeric ones are written to `text`.
unsafe fn characters<'a>(
    area: *const u8,
    attributes: &Attributes,
    other: &Attributes,
    text: &'a mut [u8; TEXT_MAX],
    session: &Session,
) -> Result<&'a [u8]> {
    let raw = !is_number(attributes) || (attributes.usage == Usage::Zoned && other.usage == Usage::Group);
    if raw {
        return Ok(std::slice::from_raw_parts(area, attributes.contents_length(area)));
    }
    if attributes.usage == Usage::Zoned {
        return Ok(zoned_characters(area, attributes, text, session));
    }
    let value = number::load(area, attributes, session)?;
    let digits = shown_digits(attributes, session).min(TEXT_MAX as u32) as usize;
    zoned::store_digits(text.as_mut_ptr(), digits, value.coefficient.unsigned_abs(), session.code_page.zone);
    Ok(&text[..digits])
}

fn text_page(attributes: &Attributes, session: &Session) -> &'static CodePage {
    if is_number(attributes) { session.code_page } else { page_of(attributes, session) }
}

#[inline]
fn compare_native(left: &[u8], right: &[u8], session: &Session) -> Ordering {
    let pad = session.code_page.space;
    if session.collating.is_null() {
        return compare_bytes(left, right, pad);
    }
    // SAFETY: a non-null collating sequence has 256 ordinals, by the contract of `Session`.
    compare_collated(left, right, pad, unsafe { &*session.collating })
}

/// Alphanumeric comparison with the shorter operand padded with `pad`, native sequence.
#[inline]
pub fn compare_bytes(left: &[u8], right: &[u8], pad: u8) -> Ordering {
    let common = left.len().min(right.len());
    match left[..common].cmp(&right[..common]) {
        Ordering::Equal if left.len() > common => compare_with_byte(&left[common..], pad),
        Ordering::Equal if right.len() > common => compare_with_byte(&right[common..], pad).reverse(),
        order => order,
    }
}

#[inline]
fn compare_with_byte(bytes: &[u8], byte: u8) -> Ordering {
    bytes.iter().find(|&&other| other != byte).map_or(Ordering::Equal, |other| other.cmp(&byte))
}

/// The same by a collating sequence of ordinals.
pub fn compare_collated(left: &[u8], right: &[u8], pad: u8, collating: &[u8; 256]) -> Ordering {
    let length = left.len().max(right.len());
    for index in 0..length {
        let a = collating[*left.get(index).unwrap_or(&pad) as usize];
        let b = collating[*right.get(index).unwrap_or(&pad) as usize];
        if a != b {
            return a.cmp(&b);
        }
    }
    Ordering::Equal
}

/// UTF-16 operands by code units; the shorter is padded with spaces.
pub fn compare_national(left: &[u8], right: &[u8]) -> Ordering {
    let unit = |bytes: &[u8], index: usize| match bytes.get(index..index + 2) {
        Some(pair) => u16::from_be_bytes([pair[0], pair[1]]),
        None => 0x20,
    };
    let length = left.len().max(right.len());
    let differing = (0..length).step_by(2).map(|at| unit(left, at).cmp(&unit(right, at))).find(|order| order.is_ne());
    differing.unwrap_or(Ordering::Equal)
}

/// Operands in different encodings, character by character as Unicode; the shorter is padded with spaces.
fn compare_converted(left: &[u8], left_page: &CodePage, right: &[u8], right_page: &CodePage) -> Ordering {
    let (mut left, mut right) = (Unicode::new(left, left_page), Unicode::new(right, right_page));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (x, y) => match x.unwrap_or(0x20).cmp(&y.unwrap_or(0x20)) {
                Ordering::Equal => {}
                order => return order,
            },
        }
    }
}

/// The characters of a text as Unicode; malformed ones are U+FFFD.
struct Unicode<'a> {
    bytes: &'a [u8],
    reader: Reader<'a>,
    /// The combining mark of a double-byte character.
    mark: Option<u32>,
}

impl<'a> Unicode<'a> {
    fn new(bytes: &'a [u8], page: &'a CodePage) -> Unicode<'a> {
        Unicode { bytes, reader: Reader::new(page), mark: None }
    }
}

impl Iterator for Unicode<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if let Some(mark) = self.mark.take() {
            return Some(mark);
        }
        while !self.bytes.is_empty() {
            let (taken, width) = self.reader.take(self.bytes);
            self.bytes = &self.bytes[width..];
            match taken {
                Taken::One(character) => return Some(u32::from(character)),
                Taken::Two(base, mark) => {
                    self.mark = Some(u32::from(mark));
                    return Some(u32::from(base));
                }
                Taken::Malformed | Taken::Incomplete => return Some(u32::from(char::REPLACEMENT_CHARACTER)),
                Taken::Shift => {}
            }
        }
        None
    }
}

/// Compares with a figurative constant; ZERO with a numeric operand is a numeric comparison.
///
/// # Safety
/// The area must be readable for the length of its attributes.
pub unsafe fn compare_figurative(
    left: *const u8,
    left_attributes: &Attributes,
    figurative: Figurative,
    session: &Session,
) -> Result<Ordering> {
    if is_number(left_attributes) && matches!(figurative, Figurative::Zero | Figurative::Null) {
        return compare_decimal(left, left_attributes, &Decimal::ZERO, session);
    }
    if left_attributes.usage == Usage::Utf8 {
        let contents = std::slice::from_raw_parts(left, left_attributes.contents_length(left));
        return Ok(compare_filled(contents, Filled::with(figurative, left_attributes.length as usize, left_attributes, session)));
    }
    let (character, width) = figurative.character(left_attributes.usage, session);
    compare_all(left, left_attributes, &character[..width], session)
}

/// Compares with ALL literal, given in the left operand's encoding.
///
/// # Safety
/// The area must be readable for the length of its attributes.
pub unsafe fn compare_all(left: *const u8, left_attributes: &Attributes, literal: &[u8], session: &Session) -> Result<Ordering> {
    let mut text = [0u8; TEXT_MAX];
    let left = characters(left, left_attributes, left_attributes, &mut text, session)?;
    if literal.is_empty() {
        return Ok(Ordering::Equal);
    }
    if left_attributes.usage == Usage::Utf8 {
        return Ok(compare_filled(left, Filled::with_all(literal, left_attributes.length as usize, left_attributes)));
    }
    let native = session.collating.is_null() || left_attributes.is_national();
    let ordinal = |byte: u8| if native { byte } else { (&*session.collating)[byte as usize] };
    if let &[byte] = literal
        && native
    {
        return Ok(compare_with_byte(left, byte));
    }
    let pairs = left.iter().zip(literal.iter().cycle());
    let differing = pairs.map(|(&a, &b)| ordinal(a).cmp(&ordinal(b))).find(|order| order.is_ne());
    Ok(differing.unwrap_or(Ordering::Equal))
}

/// Compares with a numeric literal or an evaluated expression.
///
/// # Safety
/// The area must be readable for the length of its attributes.
#[inline]
unsafe fn compare_decimal(left: *const u8, left_attributes: &Attributes, right: &Decimal, session: &Session) -> Result<Ordering> {
    if matches!(left_attributes.usage, Usage::Float4 | Usage::Float8 | Usage::FloatDisplay) {
        let value = number::load_float(left, left_attributes, session)?;
        return Ok(value.partial_cmp(&decimal::to_float(right)).unwrap_or(Ordering::Equal));
    }
    Ok(decimal::compare(&number::load(left, left_attributes, session)?, right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Sign;

    fn text(session: &Session, text: &str) -> Vec<u8> {
        session.code_page.encode(text)
    }

    #[test]
    fn characters_pad_with_spaces_and_collate_as_ebcdic() {
        let session = Session::ebcdic();
        let order = |a: &str, b: &str| {
            let (a, b) = (text(&session, a), text(&session, b));
            let (x, y) = (Attributes::alphanumeric(a.len() as u32), Attributes::alphanumeric(b.len() as u32));
            unsafe { compare(a.as_ptr(), &x, b.as_ptr(), &y, &session) }.unwrap()
        };
        assert_eq!(order("ABC", "ABC   "), Ordering::Equal);
        assert_eq!(order("ABC   ", "ABC"), Ordering::Equal);
        assert_eq!(order("ABC1", "ABC"), Ordering::Greater);
        assert_eq!(order("a", "A"), Ordering::Less, "lower case before upper case");
        assert_eq!(order("9", "Z"), Ordering::Greater, "digits after letters");
    }

    #[test]
    fn numbers_compare_algebraically_across_usages() {
        let session = Session::ebcdic();
        let packed = [0x12u8, 0x34, 0x5D]; // -123.45
        let zoned = [0xF1, 0xF2, 0xF3, 0xF4, 0xD0]; // -12.340
        let (a, b) = (Attributes::packed(5, 2, true), Attributes::zoned(5, 3, Sign::Trailing));
        let order = unsafe { compare(packed.as_ptr(), &a, zoned.as_ptr(), &b, &session) };
        assert_eq!(order, Ok(Ordering::Less));
        let float = [0xC2u8, 0x7B, 0x73, 0x33, 0x33, 0x33, 0x33, 0x33]; // about -123.45
        let order = unsafe { compare(float.as_ptr(), &Attributes::float8(), zoned.as_ptr(), &b, &session) };
        assert_eq!(order, Ok(Ordering::Less));
        let order = unsafe { compare_decimal(packed.as_ptr(), &a, &Decimal::new(-12345, 2), &session) };
        assert_eq!(order, Ok(Ordering::Equal));
        let order = unsafe { compare_figurative(packed.as_ptr(), &a, Figurative::Zero, &session) };
        assert_eq!(order, Ok(Ordering::Less));
    }

    #[test]
    fn numbers_with_characters_and_groups() {
        let session = Session::ebcdic();
        let packed = [0x01u8, 0x2D];
        let digits = text(&session, "012");
        let a = Attributes::packed(3, 0, true);
        let order = unsafe { compare(packed.as_ptr(), &a, digits.as_ptr(), &Attributes::alphanumeric(3), &session) };
        assert_eq!(order, Ok(Ordering::Equal), "the sign does not count");
        let zoned = [0xF0u8, 0xF1, 0xD2];
        let b = Attributes::zoned(3, 0, Sign::Trailing);
        let order = unsafe { compare(zoned.as_ptr(), &b, digits.as_ptr(), &Attributes::group(3), &session) };
        assert_eq!(order, Ok(Ordering::Less), "bytes with a group");
    }

    #[test]
    fn collating_sequence_and_national() {
        let mut session = Session::ebcdic();
        let mut ascii = [0u8; 256];
        for (byte, ordinal) in ascii.iter_mut().enumerate() {
            *ordinal = session.code_page.to_unicode[byte] as u8;
        }
        session.collating = &ascii;
        let (a, b) = (text(&session, "a"), text(&session, "A"));
        let one = Attributes::alphanumeric(1);
        let order = unsafe { compare(a.as_ptr(), &one, b.as_ptr(), &one, &session) };
        assert_eq!(order, Ok(Ordering::Greater));
        let national = [0x00u8, 0x41, 0x00, 0x20];
        let order = unsafe { compare(national.as_ptr(), &Attributes::national(4), b.as_ptr(), &one, &session) };
        assert_eq!(order, Ok(Ordering::Equal));
        let order = unsafe { compare_figurative(b.as_ptr(), &one, Figurative::LowValue, &session) };
        assert_eq!(order, Ok(Ordering::Greater));
    }

    #[test]
    fn all_literals() {
        let session = Session::ebcdic();
        let area = text(&session, "ABABA");
        let order = |literal: &str| unsafe { compare_all(area.as_ptr(), &Attributes::alphanumeric(5), &text(&session, literal), &session) };
        assert_eq!(order("AB"), Ok(Ordering::Equal));
        assert_eq!(order("AC"), Ok(Ordering::Less));
        assert_eq!(order("A"), Ok(Ordering::Greater));
    }
}
