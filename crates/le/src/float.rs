//! COMP-1 and COMP-2. z/OS stores them as hexadecimal floating point: sign bit, 7-bit exponent of 16 in excess-64, fraction of 24 or 56
//! bits. An f64 has 53 significant bits, a long HFP number 53 to 56, so reading a long number may round and writing one is exact. IEEE
//! big-endian is used when the session's [`crate::FloatFormat`] says so.
//!
//! `unsafe` here reads and writes the four or eight bytes of an item: see `lib.rs`.

use crate::session::FloatFormat;

/// f64 of a long HFP number (8 bytes, big-endian, as an integer).
pub fn from_hexadecimal(word: u64) -> f64 {
    let fraction = word & 0x00FF_FFFF_FFFF_FFFF;
    if fraction == 0 {
        return 0.0;
    }
    let exponent = (word >> 56 & 0x7F) as i32 - 64;
    // 0.fraction * 16^exponent; the conversion to f64 rounds to nearest, the scaling is exact.
    let magnitude = fraction as f64 * power_of_two(4 * exponent - 56);
    if word >> 63 == 1 { -magnitude } else { magnitude }
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Long HFP number nearest to the f64. `None`: too large. Underflow results in zero.
pub fn to_hexadecimal(value: f64) -> Option<u64> {
    if value == 0.0 {
        return Some(0);
    }
    if !value.is_finite() {
        return None;
    }
    let bits = value.to_bits();
    let sign = bits & 1 << 63;
    let stored = (bits >> 52 & 0x7FF) as i32;
    if stored == 0 {
        return Some(0); // below 16^-65 by far
    }
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    // value = mantissa * 2^(stored - 1075) = (mantissa << shift) / 2^56 * 16^exponent, 0 <= shift <= 3
    let binary = stored - 1075 + 56;
    let exponent = binary.div_euclid(4);
    let mut fraction = mantissa << binary.rem_euclid(4);
    let mut exponent = exponent;
    if fraction >= 1 << 56 {
        fraction >>= 4; // cannot happen: 53 + 3 bits = 56
        exponent += 1;
    }
    while fraction < 1 << 52 {
        fraction <<= 4;
        exponent -= 1;
    }
    match exponent + 64 {
        0..=127 => Some(sign | ((exponent + 64) as u64) << 56 | fraction),
        exponent if exponent < 0 => Some(0),
        _ => None,
    }
}

/// Short HFP number nearest to the f64 (rounded at the low-order position).
pub fn to_hexadecimal_short(value: f64) -> Option<u32> {
    let long = to_hexadecimal(value)?;
    let mut fraction = (long & 0x00FF_FFFF_FFFF_FFFF) + (1 << 31);
    let mut high = long >> 56;
    if fraction >= 1 << 56 {
        fraction >>= 4;
        if high & 0x7F == 0x7F {
            return None;
        }
        high += 1;
    }
    if fraction >> 32 == 0 {
        return Some(0);
    }
    Some((high << 24) as u32 | (fraction >> 32) as u32)
}

/// Reads a COMP-1 (4 bytes) or COMP-2 (8 bytes) item.
///
/// # Safety
/// `area` must be readable for `length` bytes.
pub unsafe fn load(area: *const u8, length: u32, format: FloatFormat) -> f64 {
    if length == 4 {
        let word = u32::from_be_bytes(area.cast::<[u8; 4]>().read());
        return match format {
            FloatFormat::Hexadecimal => from_hexadecimal(u64::from(word) << 32),
            FloatFormat::Binary => f64::from(f32::from_bits(word)),
        };
    }
    let word = u64::from_be_bytes(area.cast::<[u8; 8]>().read());
    match format {
        FloatFormat::Hexadecimal => from_hexadecimal(word),
        FloatFormat::Binary => f64::from_bits(word),
    }
}

/// Writes a COMP-1 or COMP-2 item; false when the value is too large for it.
///
/// # Safety
/// `area` must be writable for `length` bytes.
pub unsafe fn store(area: *mut u8, length: u32, value: f64, format: FloatFormat) -> bool {
    if length == 4 {
        let word = match format {
            FloatFormat::Hexadecimal => to_hexadecimal_short(value),
            FloatFormat::Binary => Some((value as f32).to_bits()).filter(|_| (value as f32).is_finite()),
        };
        let Some(word) = word else { return false };
        area.cast::<[u8; 4]>().write(word.to_be_bytes());
        return true;
    }
    let word = match format {
        FloatFormat::Hexadecimal => to_hexadecimal(value),
        FloatFormat::Binary => Some(value.to_bits()).filter(|_| value.is_finite()),
    };
    let Some(word) = word else { return false };
    area.cast::<[u8; 8]>().write(word.to_be_bytes());
    true
}

/// Significant decimal digits, rounded half away from zero: |value| = 0.d1d2d3... * 10^exponent, as an integer of
/// `digits` (at most 18) digits.
pub fn significant(value: f64, digits: u32) -> (u64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (0, 0);
    }
    let mut text = crate::decimal::StackText::new();
    // 40 digits are enough to round correctly: Rust prints exactly.
    let _ = std::fmt::Write::write_fmt(&mut text, format_args!("{:.40e}", value.abs()));
    let mut whole = 0u64;
    let mut up = false;
    let mantissa = text.as_str().bytes().take_while(|&byte| byte != b'e').filter(u8::is_ascii_digit);
    for (taken, byte) in (0..).zip(mantissa) {
        if taken == digits {
            up = byte >= b'5';
            break;
        }
        whole = whole * 10 + u64::from(byte - b'0');
    }
    let leading = text.as_str().split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok()).unwrap_or(0) + 1;
    let whole = whole + u64::from(up);
    if whole == 10u64.pow(digits) { (whole / 10, leading + 1) } else { (whole, leading) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_representations() {
        // Programming Guide: COMP-1 and COMP-2 of +1234 and -1234.
        assert_eq!(to_hexadecimal_short(1234.0), Some(0x434D2000));
        assert_eq!(to_hexadecimal_short(-1234.0), Some(0xC34D2000));
        assert_eq!(to_hexadecimal(1234.0), Some(0x434D_2000_0000_0000));
        assert_eq!(to_hexadecimal(-1234.0), Some(0xC34D_2000_0000_0000));
        assert_eq!(to_hexadecimal(1.0), Some(0x4110_0000_0000_0000));
        assert_eq!(to_hexadecimal(0.1), Some(0x4019_9999_9999_999A));
        assert_eq!(to_hexadecimal(-118.625), Some(0xC276_A000_0000_0000));
    }

    #[test]
    fn round_trips_exactly() {
        let mut random = testing::Random::new(1);
        for _ in 0..20_000 {
            let seed = random.number();
            let value = (seed >> 11) as f64 * power_of_two((seed % 300) as i32 - 200);
            assert_eq!(from_hexadecimal(to_hexadecimal(value).unwrap()), value);
        }
        assert_eq!(to_hexadecimal(1e80), None);
        assert_eq!(to_hexadecimal(1e-90), Some(0));
        assert!(from_hexadecimal(0x7FFF_FFFF_FFFF_FFFF) > 7.2e75);
    }

    #[test]
    fn significant_digits() {
        assert_eq!(significant(1234.5, 8), (12345000, 4));
        assert_eq!(significant(0.00999999999, 4), (1000, -1));
        assert_eq!(significant(0.1, 17), (10000000000000001, 0));
        assert_eq!(significant(0.0, 5), (0, 0));
    }
}
