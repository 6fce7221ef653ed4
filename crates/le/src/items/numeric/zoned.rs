//! USAGE DISPLAY numeric: one digit per byte.
//!
//! Reading takes the low four bits of each byte as PACK does, so the zones of digits are ignored. An unsigned item has only digits: its
//! sign is forced, so that blanks and low-values are zero. A digit above 9 is a data exception, and so is the sign position of a signed
//! item that holds no sign, unless INVDATA(CLEANSIGN) takes it as plus. (Programming Guide, "Sign representation of zoned and
//! packed-decimal data", "NUMPROC", "INVDATA".) In EBCDIC signs A, C, E, F are plus and B, D minus; in ASCII zone 3 is plus and zone 7
//! minus.
//!
//! `unsafe` here reads and writes zoned items: see the parent module.

use super::digits::{binary_to_bytes, bytes_are_digits, bytes_to_binary, read_tail, write_tail};
use crate::attributes::Sign;
use crate::code_page::CodePage;
use crate::exception::{Exception, Result};

const E8: u64 = 100_000_000;

/// Value of up to 18 digits without a sign.
#[inline(always)]
unsafe fn magnitude_short(area: *const u8, length: usize) -> Result<u64> {
    if length <= 8 {
        let word = read_tail(area, length);
        return if bytes_are_digits(word) { Ok(bytes_to_binary(word)) } else { Err(Exception::Data) };
    }
    let head = (length - 1) % 8 + 1;
    let word = read_tail(area, head);
    let mut valid = bytes_are_digits(word);
    let mut value = bytes_to_binary(word);
    let mut at = head;
    while at < length {
        let word = read_tail(area.add(at), 8);
        valid &= bytes_are_digits(word);
        value = value.wrapping_mul(E8).wrapping_add(bytes_to_binary(word));
        at += 8;
    }
    if valid { Ok(value) } else { Err(Exception::Data) }
}

/// Value of up to 38 digits without a sign.
#[inline]
unsafe fn magnitude(area: *const u8, length: usize) -> Result<u128> {
    if length == 0 {
        return Ok(0);
    }
    if length <= 18 {
        return magnitude_short(area, length).map(u128::from);
    }
    let high = magnitude_short(area, length - 16)?;
    let low = magnitude_short(area.add(length - 16), 16)?;
    Ok(u128::from(high) * 10_000_000_000_000_000 + u128::from(low))
}

/// Whether the overpunched byte is minus. With `signs_cleaned` (INVDATA(CLEANSIGN)) a zone that is no sign is plus.
#[inline(always)]
pub fn overpunch_is_minus(byte: u8, page: &CodePage, signs_cleaned: bool) -> Result<bool> {
    let zone = byte >> 4;
    let valid = if page.is_ebcdic() { zone >= 10 } else { zone == 3 || zone == 7 };
    if !valid && !signs_cleaned {
        return Err(Exception::Data);
    }
    Ok(if page.is_ebcdic() { zone == 0x0D || zone == 0x0B } else { zone == 7 })
}

#[inline]
fn separate_is_minus(byte: u8, page: &CodePage) -> Result<bool> {
    if byte == page.minus {
        Ok(true)
    } else if byte == page.plus || byte == page.space {
        Ok(false)
    } else {
        Err(Exception::Data)
    }
}

/// Magnitude and sign.
///
/// # Safety
/// `area` must be readable for `length` bytes; `length` at least 1.
#[inline]
pub unsafe fn load(area: *const u8, length: usize, sign: Sign, page: &CodePage, signs_cleaned: bool) -> Result<i128> {
    let (value, minus) = match sign {
        Sign::Unsigned => (magnitude(area, length)?, false),
        Sign::Trailing => {
            let minus = overpunch_is_minus(*area.add(length - 1), page, signs_cleaned)?;
            (magnitude(area, length)?, minus)
        }
        Sign::Leading => (magnitude(area, length)?, overpunch_is_minus(*area, page, signs_cleaned)?),
        Sign::TrailingSeparate => (magnitude(area, length - 1)?, separate_is_minus(*area.add(length - 1), page)?),
        Sign::LeadingSeparate => (magnitude(area.add(1), length - 1)?, separate_is_minus(*area, page)?),
    };
    Ok(if minus { -(value as i128) } else { value as i128 })
}

/// Value of an item of up to 18 digits.
///
/// # Safety
/// As [`load`].
#[inline(always)]
pub unsafe fn load_short(area: *const u8, length: usize, sign: Sign, page: &CodePage, signs_cleaned: bool) -> Result<i64> {
    if !matches!(sign, Sign::Unsigned | Sign::Trailing) {
        return load(area, length, sign, page, signs_cleaned).map(|value| value as i64);
    }
    let minus = sign == Sign::Trailing && overpunch_is_minus(*area.add(length - 1), page, signs_cleaned)?;
    let value = magnitude_short(area, length)? as i64;
    Ok(if minus { -value } else { value })
}

/// Writes a magnitude as digits without a sign.
///
/// # Safety
/// `area` must be writable for `length` bytes.
#[inline]
pub unsafe fn store_digits(area: *mut u8, length: usize, magnitude: u128, zone: u8) {
    let zones = u64::from_le_bytes([zone; 8]);
    let mut left = length;
    if let Ok(mut short) = u64::try_from(magnitude) {
        while left > 8 {
            let quotient = short / E8;
            left -= 8;
            write_tail(area.add(left), 8, binary_to_bytes(short - quotient * E8) | zones);
            short = quotient;
        }
        if left > 0 {
            write_tail(area, left, binary_to_bytes(short % E8) | zones);
        }
        return;
    }
    let mut rest = magnitude;
    while left > 0 {
        let size = left.min(8);
        left -= size;
        write_tail(area.add(left), size, binary_to_bytes((rest % u128::from(E8)) as u64) | zones);
        rest /= u128::from(E8);
    }
}

/// Writes a magnitude with its sign as the attributes of the item say; `length` includes a separate sign.
///
/// # Safety
/// `area` must be writable for `length` bytes; `length` at least 1.
#[inline]
pub unsafe fn store(area: *mut u8, length: usize, magnitude: u128, minus: bool, sign: Sign, page: &CodePage) {
    let zone = if minus { page.zone_minus } else { page.zone_plus };
    match sign {
        Sign::Unsigned => store_digits(area, length, magnitude, page.zone),
        Sign::Trailing => {
            store_digits(area, length, magnitude, page.zone);
            let last = area.add(length - 1);
            *last = *last & 15 | zone;
        }
        Sign::Leading => {
            store_digits(area, length, magnitude, page.zone);
            *area = *area & 15 | zone;
        }
        Sign::TrailingSeparate => {
            store_digits(area, length - 1, magnitude, page.zone);
            *area.add(length - 1) = if minus { page.minus } else { page.plus };
        }
        Sign::LeadingSeparate => {
            store_digits(area.add(1), length - 1, magnitude, page.zone);
            *area = if minus { page.minus } else { page.plus };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_page::{CCSID_037, CCSID_819};

    fn stored(length: usize, value: i128, sign: Sign, page: &CodePage) -> Vec<u8> {
        let mut area = vec![0u8; length];
        unsafe { store(area.as_mut_ptr(), length, value.unsigned_abs(), value < 0, sign, page) };
        assert_eq!(unsafe { load(area.as_ptr(), length, sign, page, false) }, Ok(value));
        area
    }

    /// Values of the Programming Guide's table "Internal representation of numeric items".
    #[test]
    fn documented_representations() {
        let page = &CCSID_037;
        assert_eq!(stored(4, 1234, Sign::Trailing, page), [0xF1, 0xF2, 0xF3, 0xC4]);
        assert_eq!(stored(4, -1234, Sign::Trailing, page), [0xF1, 0xF2, 0xF3, 0xD4]);
        assert_eq!(stored(4, 1234, Sign::Unsigned, page), [0xF1, 0xF2, 0xF3, 0xF4]);
        assert_eq!(stored(4, -1234, Sign::Leading, page), [0xD1, 0xF2, 0xF3, 0xF4]);
        assert_eq!(stored(5, 1234, Sign::LeadingSeparate, page), [0x4E, 0xF1, 0xF2, 0xF3, 0xF4]);
        assert_eq!(stored(5, -1234, Sign::TrailingSeparate, page), [0xF1, 0xF2, 0xF3, 0xF4, 0x60]);
        assert_eq!(stored(3, -123, Sign::Trailing, &CCSID_819), b"12s");
    }

    #[test]
    fn every_length() {
        for length in 1..=31usize {
            let value = 1234567890123456789012345678901i128 % 10i128.pow(length as u32);
            for value in [value, -value, 0, 10i128.pow(length as u32) - 1] {
                stored(length, value, Sign::Trailing, &CCSID_037);
            }
        }
    }

    #[test]
    fn invalid_data() {
        let load = |bytes: &[u8], sign| unsafe { load(bytes.as_ptr(), bytes.len(), sign, &CCSID_037, false) };
        assert_eq!(load(&[0x40, 0x40], Sign::Trailing), Err(Exception::Data));
        assert_eq!(load(&[0x00, 0x00], Sign::Leading), Err(Exception::Data));
        assert_eq!(load(&[0x40, 0xF2], Sign::Unsigned), Ok(2));
        assert_eq!(load(&[0xFA, 0xF2], Sign::Unsigned), Err(Exception::Data));
        assert_eq!(load(&[0xF1, 0xB2], Sign::Trailing), Ok(-12));
        assert_eq!(load(&[0xF1, 0x6F], Sign::TrailingSeparate), Err(Exception::Data));
    }

    /// The sign of an unsigned item is forced (Programming Guide, "Sign representation of zoned and packed-decimal data").
    #[test]
    fn blanks_and_low_values_are_zero_in_unsigned_items() {
        for page in [&CCSID_037, &CCSID_819] {
            for bytes in [[0x40u8; 20], [0x20; 20], [0; 20]] {
                for length in [1, 5, 18, 20] {
                    assert_eq!(unsafe { load(bytes.as_ptr(), length, Sign::Unsigned, page, false) }, Ok(0));
                    let short = unsafe { load_short(bytes.as_ptr(), length.min(18), Sign::Unsigned, page, false) };
                    assert_eq!(short, Ok(0));
                }
            }
            assert_eq!(unsafe { load([0xFFu8; 3].as_ptr(), 3, Sign::Unsigned, page, true) }, Err(Exception::Data));
        }
    }

    #[test]
    fn signs_that_are_none_are_plus_when_they_are_cleaned() {
        let load = |bytes: &[u8], sign, page| unsafe { load(bytes.as_ptr(), bytes.len(), sign, page, true) };
        assert_eq!(load(&[0x40, 0x42], Sign::Trailing, &CCSID_037), Ok(2));
        assert_eq!(load(&[0x01, 0x40], Sign::Leading, &CCSID_037), Ok(10));
        assert_eq!(load(&[0xF1, 0xD2], Sign::Trailing, &CCSID_037), Ok(-12));
        assert_eq!(load(&[0x20, 0x22], Sign::Trailing, &CCSID_819), Ok(2));
        assert_eq!(load(&[0x31, 0x72], Sign::Trailing, &CCSID_819), Ok(-12));
        assert_eq!(load(&[0x40, 0x4A], Sign::Trailing, &CCSID_037), Err(Exception::Data));
    }
}
