//! USAGE DISPLAY numeric: one digit a byte.
//!
//! Reading takes the low four bits of each byte as PACK does, so zones of digits other than the sign position do not
//! matter; a digit above 9 or an invalid sign zone is a data exception. In EBCDIC signs A, C, E, F are plus and
//! B, D minus; in ASCII zone 3 is plus and zone 7 minus.

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

/// Whether the overpunched byte is minus.
#[inline(always)]
pub fn overpunch_is_minus(byte: u8, page: &CodePage) -> Result<bool> {
    let zone = byte >> 4;
    if page.is_ebcdic() {
        if zone < 10 {
            return Err(Exception::Data);
        }
        return Ok(zone == 0x0D || zone == 0x0B);
    }
    match zone {
        3 => Ok(false),
        7 => Ok(true),
        _ => Err(Exception::Data),
    }
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
pub unsafe fn load(area: *const u8, length: usize, sign: Sign, page: &CodePage) -> Result<i128> {
    let (value, minus) = match sign {
        Sign::Unsigned => {
            // The sign position of an unsigned item must hold a valid sign, which is then ignored.
            overpunch_is_minus(*area.add(length - 1), page)?;
            (magnitude(area, length)?, false)
        }
        Sign::Trailing => {
            let minus = overpunch_is_minus(*area.add(length - 1), page)?;
            (magnitude(area, length)?, minus)
        }
        Sign::Leading => (magnitude(area, length)?, overpunch_is_minus(*area, page)?),
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
pub unsafe fn load_short(area: *const u8, length: usize, sign: Sign, page: &CodePage) -> Result<i64> {
    if !matches!(sign, Sign::Unsigned | Sign::Trailing) {
        return load(area, length, sign, page).map(|value| value as i64);
    }
    let minus = overpunch_is_minus(*area.add(length - 1), page)? && sign as u8 != 0;
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
        assert_eq!(unsafe { load(area.as_ptr(), length, sign, page) }, Ok(value));
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
        let load = |bytes: &[u8], sign| unsafe { load(bytes.as_ptr(), bytes.len(), sign, &CCSID_037) };
        assert_eq!(load(&[0x40, 0x40], Sign::Trailing), Err(Exception::Data));
        assert_eq!(load(&[0x40, 0x40], Sign::Unsigned), Err(Exception::Data));
        assert_eq!(load(&[0x40, 0xF2], Sign::Unsigned), Ok(2));
        assert_eq!(load(&[0xFA, 0xF2], Sign::Unsigned), Err(Exception::Data));
        assert_eq!(load(&[0xF1, 0xB2], Sign::Trailing), Ok(-12));
        assert_eq!(load(&[0xF1, 0x6F], Sign::TrailingSeparate), Err(Exception::Data));
    }
}
