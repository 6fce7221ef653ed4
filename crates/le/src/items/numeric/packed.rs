//! USAGE PACKED-DECIMAL: two digits per byte, the sign in the last nibble (C plus, D minus, F unsigned when written; A, C, E, F plus and B,
//! D minus when read).
//!
//! `unsafe` here reads and writes packed items: see the parent module.

use super::digits::{binary_to_nibbles, nibbles_are_digits, nibbles_to_binary, read_tail, write_tail};
use crate::exception::{Exception, Result};

const E16: u128 = 10_000_000_000_000_000;

/// Whether this sign code is minus; codes 0 to 9 are invalid.
#[inline(always)]
pub const fn sign_is_minus(code: u8) -> bool {
    code == 0x0D || code == 0x0B
}

/// Value of up to 15 digits (8 bytes). With `signs_cleaned` (INVDATA(CLEANSIGN)) a code that is no sign is plus.
///
/// # Safety
/// `area` must be readable for `length` bytes, 1 to 8.
#[inline(always)]
pub unsafe fn load_short(area: *const u8, length: usize, signs_cleaned: bool) -> Result<i64> {
    let word = read_tail(area, length).swap_bytes();
    let code = (word & 15) as u8;
    let digits = word >> 4;
    if !nibbles_are_digits(digits) || (code < 10 && !signs_cleaned) {
        return Err(Exception::Data);
    }
    let magnitude = nibbles_to_binary(digits) as i64;
    Ok(if sign_is_minus(code) { -magnitude } else { magnitude })
}

/// Value of up to 31 digits (16 bytes).
///
/// # Safety
/// `area` must be readable for `length` bytes, 1 to 16.
#[inline]
pub unsafe fn load(area: *const u8, length: usize, signs_cleaned: bool) -> Result<i128> {
    if length <= 8 {
        return load_short(area, length, signs_cleaned).map(i128::from);
    }
    let tail = u64::from_be_bytes(area.add(length - 8).cast::<[u8; 8]>().read());
    let head = read_tail(area, length - 8).swap_bytes();
    let code = (tail & 15) as u8;
    let digits = tail >> 4;
    if !nibbles_are_digits(digits) || !nibbles_are_digits(head) || (code < 10 && !signs_cleaned) {
        return Err(Exception::Data);
    }
    let magnitude = (u128::from(nibbles_to_binary(head)) * 1_000_000_000_000_000 + u128::from(nibbles_to_binary(digits))) as i128;
    Ok(if sign_is_minus(code) { -magnitude } else { magnitude })
}

/// Writes a magnitude below 10^15 with a sign code.
///
/// # Safety
/// `area` must be writable for `length` bytes, 1 to 8, which hold the magnitude.
#[inline(always)]
pub unsafe fn store_short(area: *mut u8, length: usize, magnitude: u64, code: u8) {
    let word = binary_to_nibbles(magnitude) << 4 | u64::from(code);
    write_tail(area, length, word.swap_bytes());
}

/// Writes a magnitude with a sign code.
///
/// # Safety
/// `area` must be writable for `length` bytes, 1 to 16, which hold the magnitude.
#[inline]
pub unsafe fn store(area: *mut u8, length: usize, magnitude: u128, code: u8) {
    if length <= 8 {
        return store_short(area, length, magnitude as u64, code);
    }
    let (high, low) = (magnitude / (E16 / 10), (magnitude % (E16 / 10)) as u64);
    let tail = binary_to_nibbles(low) << 4 | u64::from(code);
    area.add(length - 8).cast::<[u8; 8]>().write(tail.to_be_bytes());
    write_tail(area, length - 8, binary_to_nibbles(high as u64).swap_bytes());
}

/// Whether digits and sign are valid; `allowed` has a bit for each valid sign code.
///
/// # Safety
/// `area` must be readable for `length` bytes.
pub unsafe fn is_valid(area: *const u8, length: usize, even: bool, allowed: u16) -> bool {
    let bytes = std::slice::from_raw_parts(area, length);
    let Some((&last, rest)) = bytes.split_last() else { return false };
    let pad = even && bytes[0] >> 4 != 0;
    !pad && last >> 4 < 10 && allowed >> (last & 15) & 1 == 1 && rest.iter().all(|byte| byte >> 4 < 10 && byte & 15 < 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_every_length() {
        for length in 1..=16usize {
            let digits = 2 * length as u32 - 1;
            for value in [0, 1, 10i128.pow(digits) - 1, 123456789012345678901234567890 % 10i128.pow(digits)] {
                for code in [0x0C, 0x0D, 0x0F] {
                    let mut area = [0xEEu8; 18];
                    unsafe { store(area.as_mut_ptr().add(1), length, value as u128, code) };
                    let text: String = area[1..=length].iter().map(|byte| format!("{byte:02X}")).collect();
                    assert_eq!(text, format!("{value:0width$}{code:X}", width = digits as usize));
                    assert!(area[0] == 0xEE && area[length + 1] == 0xEE);
                    let got = unsafe { load(area.as_ptr().add(1), length, false) }.unwrap();
                    assert_eq!(got, if code == 0x0D { -value } else { value });
                }
            }
        }
    }

    #[test]
    fn invalid_data() {
        for bytes in [[0x40u8, 0x40, 0x40], [0x12, 0x34, 0x56], [0xA2, 0x34, 0x5C], [0x12, 0x3B, 0x5C]] {
            assert_eq!(unsafe { load(bytes.as_ptr(), 3, false) }, Err(Exception::Data), "{bytes:X?}");
        }
        let mut long = [0x11u8; 12];
        long[11] = 0x1B;
        assert_eq!(unsafe { load(long.as_ptr(), 12, false) }, Ok(-11111111111111111111111));
        long[2] = 0x1F;
        assert_eq!(unsafe { load(long.as_ptr(), 12, false) }, Err(Exception::Data));
    }
    /// INVDATA(CLEANSIGN) makes a sign code of what is none; digits are not cleaned (Programming Guide, "INVDATA").
    #[test]
    fn signs_that_are_none_are_plus_when_they_are_cleaned() {
        assert_eq!(unsafe { load([0x12u8, 0x34, 0x56].as_ptr(), 3, true) }, Ok(12345));
        assert_eq!(unsafe { load([0x12u8, 0x34, 0x5B].as_ptr(), 3, true) }, Ok(-12345));
        assert_eq!(unsafe { load([0x1Au8, 0x34, 0x5C].as_ptr(), 3, true) }, Err(Exception::Data));
        let mut long = [0x11u8; 12];
        long[11] = 0x10;
        assert_eq!(unsafe { load(long.as_ptr(), 12, true) }, Ok(11111111111111111111111));
    }
}
