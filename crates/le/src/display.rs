//! DISPLAY: the printed form of items (Language Reference, "DISPLAY statement"; Programming Guide, DISPSIGN).
//!
//! Binary and packed items are displayed as zoned decimal with all their digits, the sign of a negative value overpunched on the last
//! digit; zoned items are displayed as stored. With DISPSIGN(SEP) signed items show a leading separate sign instead. COMP-1 shows as
//! PICTURE -.9(8)E-99, COMP-2 as -.9(17)E-99, pointers and indexes as 9(10). National and UTF-8 items are converted to the code page.
//!
//! `unsafe` here reads the item that is displayed: see `lib.rs`.

use crate::attributes::{Attributes, Sign, Usage};
use crate::code_page::convert;
use crate::edit::{self, program};
use crate::exception::{Exception, Result};
use crate::movement::{conversion_page, shown_digits};
use crate::numeric::{self as number, zoned};
use crate::session::Session;

/// Longest text of an elementary numeric item.
pub const NUMERIC_LENGTH_MAX: usize = 64;

/// Writes the item as DISPLAY prints it, in the session's code page; returns the length. `out` must hold the item's length
/// or [`NUMERIC_LENGTH_MAX`], whichever is greater (three times the length for UTF-8 output pages).
///
/// # Safety
/// The area must be readable for the length of its attributes.
pub unsafe fn display(area: *const u8, attributes: &Attributes, out: &mut [u8], session: &Session) -> Result<usize> {
    let bytes = std::slice::from_raw_parts(area, attributes.contents_length(area));
    match attributes.usage {
        Usage::Packed | Usage::Binary | Usage::NativeBinary => {
            let value = number::load(area, attributes, session)?;
            let digits = shown_digits(attributes, session);
            // Only a negative value shows a sign in the compatible format.
            let minus = value.is_negative();
            display_number(value.coefficient.unsigned_abs(), minus, minus, digits, attributes, out, session)
        }
        Usage::Zoned if session.display_sign_separate && matches!(attributes.sign, Sign::Trailing | Sign::Leading) => {
            let value = number::load(area, attributes, session)?;
            let digits = u32::from(attributes.digits);
            display_number(value.coefficient.unsigned_abs(), value.is_negative(), true, digits, attributes, out, session)
        }
        Usage::Index | Usage::Pointer | Usage::FunctionPointer => {
            let value = number::load(area, attributes, session)?;
            display_number(value.coefficient.unsigned_abs(), false, false, 10, attributes, out, session)
        }
        Usage::Float4 | Usage::Float8 => {
            let value = number::load_float(area, attributes, session)?;
            let decimals = if attributes.usage == Usage::Float4 { 8 } else { 17 };
            let mut text = [0u8; 40];
            let length = edit::format_float(value, program::SIGN_MINUS, 0, decimals, true, program::SIGN_MINUS, &mut text);
            let target = out.get_mut(..length).ok_or(Exception::BufferLength)?;
            for (byte, &ascii) in target.iter_mut().zip(&text) {
                *byte = session.code_page.ascii(ascii);
            }
            Ok(length)
        }
        _ => convert(bytes, conversion_page(attributes, session), out, session.code_page),
    }
}

/// Digits with their sign in the format of DISPSIGN; `overpunch`: the compatible format marks the last digit.
fn display_number(
    magnitude: u128,
    minus: bool,
    overpunch: bool,
    digits: u32,
    attributes: &Attributes,
    out: &mut [u8],
    session: &Session,
) -> Result<usize> {
    let page = session.code_page;
    let signed = attributes.is_signed();
    let (sign, length) = match (session.display_sign_separate && signed, overpunch) {
        (true, _) => (Sign::LeadingSeparate, digits as usize + 1),
        (false, true) => (Sign::Trailing, digits as usize),
        (false, false) => (Sign::Unsigned, digits as usize),
    };
    let target = out.get_mut(..length).ok_or(Exception::BufferLength)?;
    // SAFETY: the slice is writable for `length` bytes.
    unsafe { zoned::store(target.as_mut_ptr(), length, magnitude, minus, sign, page) };
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bytes: &[u8], attributes: Attributes, session: &Session) -> String {
        let mut out = [0u8; 64];
        let length = unsafe { display(bytes.as_ptr(), &attributes, &mut out, session) }.unwrap();
        session.code_page.decode(&out[..length])
    }

    /// The table of the DISPSIGN option (Programming Guide).
    #[test]
    fn documented_formats() {
        let mut session = Session::ebcdic();
        let zoned = |sign| Attributes::zoned(3, 0, sign);
        let cases: [(&[u8], Attributes, &str, &str); 10] = [
            (&[0x00, 111], Attributes::binary(3, 0, false), "111", "111"),
            (&[0x00, 111], Attributes::binary(3, 0, true), "111", "+111"),
            (&[0xFF, 0x91], Attributes::binary(3, 0, true), "11J", "-111"),
            (&[0x22, 0x2F], Attributes::packed(3, 0, false), "222", "222"),
            (&[0x22, 0x2C], Attributes::packed(3, 0, true), "222", "+222"),
            (&[0x22, 0x2D], Attributes::packed(3, 0, true), "22K", "-222"),
            (&[0xF3, 0xF3, 0xF3], zoned(Sign::Unsigned), "333", "333"),
            (&[0xF3, 0xF3, 0xC3], zoned(Sign::Trailing), "33C", "+333"),
            (&[0xF3, 0xF3, 0xD3], zoned(Sign::Trailing), "33L", "-333"),
            (&[0xD3, 0xF3, 0xF3], zoned(Sign::Leading), "L33", "-333"),
        ];
        for (bytes, attributes, compatible, separate) in cases {
            session.display_sign_separate = false;
            assert_eq!(shown(bytes, attributes, &session), compatible);
            session.display_sign_separate = true;
            assert_eq!(shown(bytes, attributes, &session), separate);
        }
    }

    #[test]
    fn other_usages() {
        let session = Session::ebcdic();
        assert_eq!(shown(&[0x43, 0x4D, 0x20, 0x00], Attributes::float4(), &session), " .12340000E 04");
        assert_eq!(shown(&[0xC3, 0x4D, 0x20, 0, 0, 0, 0, 0], Attributes::float8(), &session), "-.12340000000000000E 04");
        assert_eq!(shown(&[0, 0, 0, 10], Attributes::new(Usage::Pointer, 4), &session), "0000000010");
        assert_eq!(shown(&[0, 0x41, 0, 0xE9], Attributes::national(4), &session), "Aé");
        assert_eq!(shown(&[0xC1, 0xF0], Attributes::group(2), &session), "A0");
        assert_eq!(shown(&[0x0F, 0xA0], Attributes::native_binary(4, 0, true), &session), "04000");
    }
}
