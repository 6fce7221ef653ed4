//! USAGE BINARY and COMP-5: big-endian two's complement of 1 to 8 bytes (and 16, for double-precision intermediates).
//!
//! `unsafe` here reads and writes binary items: see the parent module.

/// Value of a binary area.
///
/// # Safety
/// `area` must be readable for `length` bytes.
#[inline(always)]
pub unsafe fn load(area: *const u8, length: usize, signed: bool) -> i128 {
    match (length, signed) {
        (2, true) => i128::from(i16::from_be_bytes(area.cast::<[u8; 2]>().read())),
        (2, false) => i128::from(u16::from_be_bytes(area.cast::<[u8; 2]>().read())),
        (4, true) => i128::from(i32::from_be_bytes(area.cast::<[u8; 4]>().read())),
        (4, false) => i128::from(u32::from_be_bytes(area.cast::<[u8; 4]>().read())),
        (8, true) => i128::from(i64::from_be_bytes(area.cast::<[u8; 8]>().read())),
        (8, false) => i128::from(u64::from_be_bytes(area.cast::<[u8; 8]>().read())),
        _ => load_odd(area, length, signed),
    }
}

#[cold]
unsafe fn load_odd(area: *const u8, length: usize, signed: bool) -> i128 {
    let bytes = std::slice::from_raw_parts(area, length);
    let start = if signed && bytes.first().is_some_and(|byte| byte & 0x80 != 0) { -1 } else { 0 };
    bytes.iter().fold(start, |value: i128, &byte| value << 8 | i128::from(byte))
}

/// Writes the low-order bytes of a value.
///
/// # Safety
/// `area` must be writable for `length` bytes.
#[inline(always)]
pub unsafe fn store(area: *mut u8, length: usize, value: i128) {
    match length {
        2 => area.cast::<[u8; 2]>().write((value as u16).to_be_bytes()),
        4 => area.cast::<[u8; 4]>().write((value as u32).to_be_bytes()),
        8 => area.cast::<[u8; 8]>().write((value as u64).to_be_bytes()),
        _ => {
            for index in 0..length {
                let shift = 8 * (length - 1 - index) as u32;
                *area.add(index) = if shift < 128 { (value >> shift) as u8 } else { 0 };
            }
        }
    }
}

/// Whether a value fits the full binary range of the field.
#[inline]
pub fn fits(value: i128, length: usize, signed: bool) -> bool {
    let bits = 8 * length as u32;
    if bits >= 127 {
        return true;
    }
    if signed {
        let limit = 1i128 << (bits - 1);
        -limit <= value && value < limit
    } else {
        0 <= value && value < 1i128 << bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn big_endian_of_every_length() {
        for (length, value, bytes) in [
            (2usize, 1234i128, &[0x04u8, 0xD2][..]),
            (2, -1234, &[0xFB, 0x2E]),
            (4, -2, &[0xFF, 0xFF, 0xFF, 0xFE]),
            (8, 1 << 40, &[0, 0, 1, 0, 0, 0, 0, 0]),
            (1, -3, &[0xFD]),
            (3, 0x010203, &[1, 2, 3]),
        ] {
            let mut area = [0u8; 8];
            unsafe { store(area.as_mut_ptr(), length, value) };
            assert_eq!(&area[..length], bytes);
            assert_eq!(unsafe { load(area.as_ptr(), length, true) }, value);
        }
        assert!(fits(-32768, 2, true) && !fits(32768, 2, true) && fits(65535, 2, false) && !fits(-1, 2, false));
    }
}
