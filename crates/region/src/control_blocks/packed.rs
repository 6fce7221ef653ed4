//! Packed decimal numbers, as programs have them: PIC S9(n) COMP-3.
//!
//! Invariant: the sign is plus; digits that do not fit are cut.

const PLUS: u8 = 0x0C;

/// Fills a place with a number.
pub fn pack(place: &mut [u8], value: u64) {
    let mut rest = value;
    let mut digit = || {
        let digit = (rest % 10) as u8;
        rest /= 10;
        digit
    };
    let mut sign = Some(PLUS);
    for byte in place.iter_mut().rev() {
        let low = sign.take().unwrap_or_else(&mut digit);
        *byte = digit() << 4 | low;
    }
}

/// A number of `2 * N - 1` digits.
pub fn packed<const N: usize>(value: u64) -> [u8; N] {
    let mut bytes = [0; N];
    pack(&mut bytes, value);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_digit_in_each_half_byte_and_a_sign() {
        assert_eq!(packed(9_999_999), [0x99, 0x99, 0x99, 0x9C]);
        assert_eq!(packed(19_999_999), packed::<4>(9_999_999));
        assert_eq!(packed(3_800_000_000_123), [0x00, 0x38, 0x00, 0x00, 0x00, 0x00, 0x12, 0x3C], "an ABSTIME");
    }
}
