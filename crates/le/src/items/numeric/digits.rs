//! Decimal digits to and from binary, eight or sixteen at a time in one 64-bit register.
//!
//! Byte form: one digit in each byte, the first digit in the least significant byte (a little-endian load of the area).
//! Nibble form: sixteen digits in a big-endian word, the last digit in the least significant nibble.
//!
//! `unsafe` here loads and stores up to eight bytes of an item, no byte beside them: see the parent module.

/// Reads `length` (1 to 8) bytes so that the last byte read becomes the most significant, the others zero. Reads and
/// [`write_tail`] touch an area in the same pieces, so that a value just stored is forwarded to the next load.
///
/// # Safety
/// `area` must be readable for `length` bytes.
#[inline(always)]
pub unsafe fn read_tail(area: *const u8, length: usize) -> u64 {
    debug_assert!((1..=8).contains(&length));
    if length == 8 {
        return u64::from_le_bytes(area.cast::<[u8; 8]>().read());
    }
    let mut word = 0u64;
    let mut at = 0;
    let mut shift = 8 * (8 - length) as u32;
    if length & 4 != 0 {
        word |= u64::from(u32::from_le_bytes(area.cast::<[u8; 4]>().read())) << shift;
        at = 4;
        shift += 32;
    }
    if length & 2 != 0 {
        word |= u64::from(u16::from_le_bytes(area.add(at).cast::<[u8; 2]>().read())) << shift;
        at += 2;
    }
    if length & 1 != 0 {
        word |= u64::from(*area.add(at)) << 56;
    }
    word
}

/// Writes the `length` (1 to 8) most significant bytes of `word`, in the order of [`read_tail`].
///
/// # Safety
/// `area` must be writable for `length` bytes.
#[inline(always)]
pub unsafe fn write_tail(area: *mut u8, length: usize, word: u64) {
    debug_assert!((1..=8).contains(&length));
    if length == 8 {
        area.cast::<[u8; 8]>().write(word.to_le_bytes());
        return;
    }
    let mut rest = word >> (8 * (8 - length) as u32);
    let mut at = 0;
    if length & 4 != 0 {
        area.cast::<[u8; 4]>().write((rest as u32).to_le_bytes());
        at = 4;
        rest >>= 32;
    }
    if length & 2 != 0 {
        area.add(at).cast::<[u8; 2]>().write((rest as u16).to_le_bytes());
        at += 2;
        rest >>= 16;
    }
    if length & 1 != 0 {
        *area.add(at) = rest as u8;
    }
}

/// Whether every byte's low four bits are a digit.
#[inline(always)]
pub const fn bytes_are_digits(word: u64) -> bool {
    ((word & 0x0F0F_0F0F_0F0F_0F0F) + 0x0606_0606_0606_0606) & 0x1010_1010_1010_1010 == 0
}

/// Value of eight digits in byte form; the high four bits of each byte do not matter.
#[inline(always)]
pub const fn bytes_to_binary(word: u64) -> u64 {
    let word = word & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = (word.wrapping_mul(10) + (word >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    (fours.wrapping_mul(10_000) + (fours >> 32)) & 0xFFFF_FFFF
}

/// Byte form of a value below 10^8.
#[inline(always)]
pub const fn binary_to_bytes(value: u64) -> u64 {
    debug_assert!(value < 100_000_000);
    let high = value / 10_000;
    let fours = high | (value - high * 10_000) << 32;
    let hundreds = (fours.wrapping_mul(5243) >> 19) & 0x0000_007F_0000_007F;
    let pairs = hundreds | (fours - hundreds * 100) << 16;
    let tens = (pairs.wrapping_mul(103) >> 10) & 0x000F_000F_000F_000F;
    tens | (pairs - tens * 10) << 8
}

/// Whether every nibble is a digit.
#[inline(always)]
pub const fn nibbles_are_digits(word: u64) -> bool {
    // A nibble above 9 has its high bit and one of the middle bits set.
    word & 0x8888_8888_8888_8888 & (word << 1 | word << 2) == 0
}

/// Value of sixteen digits in nibble form.
#[inline(always)]
pub const fn nibbles_to_binary(word: u64) -> u64 {
    let mut v = word;
    v -= 6 * (v >> 4 & 0x0F0F_0F0F_0F0F_0F0F);
    v -= 156 * (v >> 8 & 0x00FF_00FF_00FF_00FF);
    v -= 55_536 * (v >> 16 & 0x0000_FFFF_0000_FFFF);
    v - (0x1_0000_0000 - 100_000_000) * (v >> 32)
}

/// Nibble form of a value below 10^16.
#[inline(always)]
pub const fn binary_to_nibbles(value: u64) -> u64 {
    debug_assert!(value < 10_000_000_000_000_000);
    let high = value / 100_000_000;
    let low = value - high * 100_000_000;
    let (high_fours, low_fours) = (high / 10_000, low / 10_000);
    let even = (high - high_fours * 10_000) << 32 | (low - low_fours * 10_000);
    let odd = high_fours << 32 | low_fours;
    let even_hundreds = (even.wrapping_mul(5243) >> 19) & 0x0000_007F_0000_007F;
    let odd_hundreds = (odd.wrapping_mul(5243) >> 19) & 0x0000_007F_0000_007F;
    let pairs = (even + 156 * even_hundreds) | (odd + 156 * odd_hundreds) << 16;
    let even_tens = ((pairs & 0x00FF_00FF_00FF_00FF).wrapping_mul(103) >> 10) & 0x000F_000F_000F_000F;
    let odd_tens = ((pairs >> 8 & 0x00FF_00FF_00FF_00FF).wrapping_mul(103) >> 10) & 0x000F_000F_000F_000F;
    pairs + 6 * (even_tens | odd_tens << 8)
}

/// Nibble form (eight digits) of digits in byte form.
#[inline(always)]
pub const fn bytes_to_nibbles(word: u64) -> u64 {
    let v = word.swap_bytes() & 0x0F0F_0F0F_0F0F_0F0F;
    let v = (v | v >> 4) & 0x00FF_00FF_00FF_00FF;
    let v = (v | v >> 8) & 0x0000_FFFF_0000_FFFF;
    (v | v >> 16) & 0xFFFF_FFFF
}

/// Byte form of eight digits in nibble form (the low 32 bits).
#[inline(always)]
pub const fn nibbles_to_bytes(nibbles: u64) -> u64 {
    let v = nibbles & 0xFFFF_FFFF;
    let v = (v | v << 16) & 0x0000_FFFF_0000_FFFF;
    let v = (v | v << 8) & 0x00FF_00FF_00FF_00FF;
    let v = (v | v << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    v.swap_bytes()
}

const SIXES: u64 = 0x6666_6666_6666_6666;
const ONES: u64 = 0x1111_1111_1111_1110;

/// Sum of two numbers of at most fifteen digits in nibble form.
#[inline(always)]
pub const fn nibbles_add(a: u64, b: u64) -> u64 {
    debug_assert!(a >> 60 == 0 && b >> 60 == 0);
    // Six is added to every digit so that carries cross nibbles, and taken back where there was none.
    let biased = a + (SIXES >> 4);
    let sum = biased + b;
    let no_carry = !(sum ^ biased ^ b) & ONES;
    sum - (no_carry >> 2 | no_carry >> 3)
}

/// a - b in nibble form, where b <= a.
#[inline(always)]
pub const fn nibbles_subtract(a: u64, b: u64) -> u64 {
    debug_assert!(b <= a);
    let rest = a - b;
    let borrow = (a ^ b ^ rest) & ONES;
    rest - (borrow >> 2 | borrow >> 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> impl Iterator<Item = u64> {
        let mut random = testing::Random::new(7);
        (0..40_000).map(move |index| {
            let seed = random.number();
            let edges = [0, 9, 10, 99, 9_999, 10_000, 99_999_999, 9_999_999_999_999_999, 4_294_967_296];
            *edges.get(index).unwrap_or(&((seed >> 10) % 10u64.pow((index % 17) as u32)))
        })
    }

    #[test]
    fn nibble_form_round_trips_and_reads_as_text() {
        for value in samples() {
            let word = binary_to_nibbles(value);
            assert_eq!(format!("{word:016x}"), format!("{value:016}"));
            assert_eq!(nibbles_to_binary(word), value);
            assert!(nibbles_are_digits(word));
        }
    }

    #[test]
    fn byte_form_round_trips_and_reads_as_text() {
        for value in samples().map(|value| value % 100_000_000) {
            let word = binary_to_bytes(value);
            let text: String = word.to_le_bytes().iter().map(|digit| (b'0' + digit) as char).collect();
            assert_eq!(text, format!("{value:08}"));
            assert_eq!(bytes_to_binary(word | 0xF0F0_F0F0_F0F0_F0F0), value);
        }
    }

    #[test]
    fn nibble_arithmetic_is_decimal_arithmetic() {
        let values: Vec<u64> = samples().map(|value| value % 1_000_000_000_000_000).collect();
        for pair in values.windows(2) {
            let (a, b) = (pair[0].max(pair[1]), pair[0].min(pair[1]));
            assert_eq!(nibbles_add(binary_to_nibbles(a), binary_to_nibbles(b)), binary_to_nibbles(a + b), "{a} {b}");
            let rest = nibbles_subtract(binary_to_nibbles(a), binary_to_nibbles(b));
            assert_eq!(rest, binary_to_nibbles(a - b), "{a} {b}");
            let low = a % 100_000_000;
            assert_eq!(bytes_to_nibbles(binary_to_bytes(low)), binary_to_nibbles(low));
            assert_eq!(nibbles_to_bytes(binary_to_nibbles(low)), binary_to_bytes(low));
        }
    }

    #[test]
    fn every_invalid_nibble_is_seen() {
        for position in 0..16 {
            for digit in 0..16u64 {
                let word = 0x9999_9999_9999_9999 & !(15 << (4 * position)) | digit << (4 * position);
                assert_eq!(nibbles_are_digits(word), digit < 10, "{word:x}");
            }
        }
        for position in 0..8 {
            for digit in 0..16u64 {
                let word = 0xF9F9_F9F9_F9F9_F9F9 & !(15 << (8 * position)) | digit << (8 * position);
                assert_eq!(bytes_are_digits(word), digit < 10);
            }
        }
    }

    #[test]
    fn partial_reads_and_writes_touch_only_their_bytes() {
        let source = [1u8, 2, 3, 4, 5, 6, 7, 8];
        for length in 1..=8usize {
            let word = unsafe { read_tail(source.as_ptr(), length) };
            assert_eq!(word.to_le_bytes()[8 - length..], source[..length]);
            assert!(word.to_le_bytes()[..8 - length].iter().all(|&byte| byte == 0));
            let mut target = [0xAAu8; 10];
            unsafe { write_tail(target.as_mut_ptr().add(1), length, word) };
            assert_eq!(target[1..=length], source[..length]);
            assert!(target[length + 1..].iter().all(|&byte| byte == 0xAA) && target[0] == 0xAA);
        }
    }
}
