//! The binary formats of values (PostgreSQL's send and receive functions). Decoding takes the bytes of one value, and is `None` for bytes
//! that are no value of the type.

use bytes::BufMut;

/// Days from 1970-01-01 to 2000-01-01, the day 0 of the server.
pub const DAYS_TO_2000: i32 = 10_957;
/// Weights and signs of a numeric.
const NUMERIC_POSITIVE: u16 = 0x0000;
const NUMERIC_NEGATIVE: u16 = 0x4000;
const NUMERIC_NAN: u16 = 0xC000;
const NUMERIC_PLUS_INFINITY: u16 = 0xD000;
const NUMERIC_MINUS_INFINITY: u16 = 0xF000;
/// Decimal digits of one digit of a numeric, which is to base 10,000.
const GROUP_DIGITS: i32 = 4;
const GROUP: i128 = 10_000;
/// Groups of the largest coefficient, 39 digits, that do not begin at a group.
const GROUPS_MAX: usize = 11;

/// A numeric as its decimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numeric {
    /// `coefficient` divided by ten to the power `scale`.
    Decimal {
        coefficient: i128,
        scale: u16,
    },
    /// More digits than a coefficient has: its approximate value.
    Large {
        negative: bool,
        exponent: i32,
    },
    NotANumber,
    Infinity {
        negative: bool,
    },
}

pub fn decode_i16(bytes: &[u8]) -> Option<i16> {
    bytes.try_into().ok().map(i16::from_be_bytes)
}

pub fn decode_i32(bytes: &[u8]) -> Option<i32> {
    bytes.try_into().ok().map(i32::from_be_bytes)
}

pub fn decode_i64(bytes: &[u8]) -> Option<i64> {
    bytes.try_into().ok().map(i64::from_be_bytes)
}

pub fn decode_f32(bytes: &[u8]) -> Option<f32> {
    bytes.try_into().ok().map(f32::from_be_bytes)
}

pub fn decode_f64(bytes: &[u8]) -> Option<f64> {
    bytes.try_into().ok().map(f64::from_be_bytes)
}

pub fn decode_bool(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [value] => Some(*value != 0),
        _ => None,
    }
}

/// Days since 2000-01-01. `i32::MIN` and `i32::MAX` are minus and plus infinity.
pub fn decode_date(bytes: &[u8]) -> Option<i32> {
    decode_i32(bytes)
}

/// Microseconds since midnight.
pub fn decode_time(bytes: &[u8]) -> Option<i64> {
    decode_i64(bytes)
}

/// Microseconds since 2000-01-01 00:00.
pub fn decode_timestamp(bytes: &[u8]) -> Option<i64> {
    decode_i64(bytes)
}

/// A numeric: count of groups, weight of the first, sign, display scale, groups to base 10,000.
pub fn decode_numeric(bytes: &[u8]) -> Option<Numeric> {
    let half = |at: usize| bytes.get(at..at + 2).map(|half| u16::from_be_bytes([half[0], half[1]]));
    let (count, weight, sign, scale) = (usize::from(half(0)?), half(2)? as i16, half(4)?, half(6)?);
    let negative = match sign {
        NUMERIC_POSITIVE => false,
        NUMERIC_NEGATIVE => true,
        NUMERIC_NAN => return Some(Numeric::NotANumber),
        NUMERIC_PLUS_INFINITY => return Some(Numeric::Infinity { negative: false }),
        NUMERIC_MINUS_INFINITY => return Some(Numeric::Infinity { negative: true }),
        _ => return None,
    };
    if bytes.len() != 8 + 2 * count {
        return None;
    }
    let large = Numeric::Large { negative, exponent: GROUP_DIGITS * (i32::from(weight) + 1) };
    // The coefficient counts units of the last group; the display scale says how many places are wanted. The digits of the last group
    // behind the display scale are zero.
    let places = GROUP_DIGITS * (count as i32 - i32::from(weight) - 1);
    let dropped = (places - i32::from(scale)).clamp(0, GROUP_DIGITS) as u32;
    let mut coefficient: i128 = 0;
    for at in 0..count {
        let group = i128::from(half(8 + 2 * at)?);
        if group >= GROUP {
            return None;
        }
        let dropped = if at + 1 == count { dropped } else { 0 };
        let (factor, group) = (GROUP / 10i128.pow(dropped), group / 10i128.pow(dropped));
        match coefficient.checked_mul(factor).and_then(|value| value.checked_add(group)) {
            Some(value) => coefficient = value,
            None => return Some(large),
        }
    }
    let missing = u32::try_from(i32::from(scale) - places).unwrap_or(0);
    let scaled = match coefficient {
        0 => Some(0),
        _ => 10i128.checked_pow(missing).and_then(|power| coefficient.checked_mul(power)),
    };
    let Some(coefficient) = scaled else { return Some(large) };
    Some(Numeric::Decimal { coefficient: if negative { -coefficient } else { coefficient }, scale })
}

/// Appends the value `coefficient` divided by ten to the power `scale`.
pub fn encode_numeric(coefficient: i128, scale: u16, out: &mut impl BufMut) {
    let negative = coefficient < 0;
    let mut rest = coefficient.unsigned_abs();
    // The places fill whole groups.
    let padding = (GROUP_DIGITS - i32::from(scale) % GROUP_DIGITS) % GROUP_DIGITS;
    let mut groups = [0u16; GROUPS_MAX];
    let mut count = 0;
    // The last group has `4 - padding` digits of the value, in front of zeros.
    let low = 10u128.pow((GROUP_DIGITS - padding) as u32);
    let high = 10u128.pow(padding as u32);
    groups[0] = ((rest % low) * high) as u16;
    rest /= low;
    count += 1;
    while rest > 0 {
        // Most numbers are short, and a 128-bit division is slow.
        (groups[count], rest) = match u64::try_from(rest) {
            Ok(short) => ((short % GROUP as u64) as u16, u128::from(short / GROUP as u64)),
            Err(_) => ((rest % GROUP as u128) as u16, rest / GROUP as u128),
        };
        count += 1;
    }
    let fraction_groups = (i32::from(scale) + padding) / GROUP_DIGITS;
    let weight = count as i32 - fraction_groups - 1;
    let first_nonzero = groups[..count].iter().position(|group| *group != 0);
    let used = first_nonzero.map_or(0..0, |first| first..count);
    out.put_u16(used.len() as u16);
    out.put_i16(if used.is_empty() { 0 } else { weight as i16 });
    out.put_u16(if negative { NUMERIC_NEGATIVE } else { NUMERIC_POSITIVE });
    out.put_u16(scale);
    groups[used].iter().rev().for_each(|group| out.put_u16(*group));
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::BytesMut;
    use proptest::prelude::*;

    fn round_trip(coefficient: i128, scale: u16) -> Option<Numeric> {
        let mut bytes = BytesMut::new();
        encode_numeric(coefficient, scale, &mut bytes);
        decode_numeric(&bytes)
    }

    #[test]
    fn numerics_have_the_servers_form() {
        // From `numeric_send`: 12345.678 is the groups 1, 2345, 6780 with weight 1.
        let mut bytes = BytesMut::new();
        encode_numeric(12_345_678, 3, &mut bytes);
        let halves: Vec<u16> = bytes.chunks(2).map(|half| u16::from_be_bytes([half[0], half[1]])).collect();
        assert_eq!(halves, [3, 1, 0, 3, 1, 2345, 6780]);
        let mut bytes = BytesMut::new();
        encode_numeric(-5, 4, &mut bytes);
        let halves: Vec<u16> = bytes.chunks(2).map(|half| u16::from_be_bytes([half[0], half[1]])).collect();
        assert_eq!(halves, [1, 0xFFFF, 0x4000, 4, 5]);
        // 20000 has trailing zeros that are not sent.
        let mut bytes = BytesMut::new();
        encode_numeric(20_000, 0, &mut bytes);
        assert_eq!(&bytes[..], [0, 1, 0, 1, 0, 0, 0, 0, 0, 2]);
    }

    #[test]
    fn special_values_and_damage() {
        assert_eq!(decode_numeric(&[0, 0, 0, 0, 0xC0, 0, 0, 0]), Some(Numeric::NotANumber));
        assert_eq!(decode_numeric(&[0, 0, 0, 0, 0xF0, 0, 0, 0]), Some(Numeric::Infinity { negative: true }));
        assert_eq!(decode_numeric(&[0, 1, 0, 0, 0, 0, 0, 0]), None);
        assert_eq!(decode_numeric(&[0, 1, 0, 0, 0, 0, 0, 0, 0x27, 0x10]), None);
        assert_eq!(decode_numeric(&[]), None);
        assert!(matches!(decode_numeric(&[0, 1, 0x7F, 0xFF, 0, 0, 0, 0, 0, 1]), Some(Numeric::Large { negative: false, .. })));
    }

    proptest! {
        #[test]
        fn numerics_come_back(coefficient in -10i128.pow(37)..10i128.pow(37), scale in 0u16..32) {
            prop_assert_eq!(round_trip(coefficient, scale), Some(Numeric::Decimal { coefficient, scale }));
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = decode_numeric(&bytes);
        }
    }
}
