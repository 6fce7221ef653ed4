//! Packed and zoned decimal inline, several digits at a time in one register (SWAR).
//!
//! Invariants: results equal `le::numeric`'s byte for byte (a property test compares them); an invalid digit traps with interruption code
//! 7, and so does an invalid sign of an item that has one, unless INVDATA(CLEANSIGN) takes it as plus; nothing is read or written outside
//! the field.

use super::binary::Magnitude;
use super::field::At;
use super::number::power_of_ten;
use super::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I16};
use le::{Attributes, Sign, Usage};

/// Interruption code of a data exception.
const DATA_EXCEPTION: u8 = 7;

pub fn is_inline_zoned(attributes: &Attributes) -> bool {
    attributes.usage == Usage::Zoned
        && matches!(attributes.sign, Sign::Unsigned | Sign::Trailing)
        && (1..=16).contains(&attributes.digits)
        && attributes.length == attributes.digits as u32
}

impl Emitter<'_, '_> {
    pub fn mask(&mut self, value: Value, mask: u64) -> Value {
        let mask = self.i64(mask as i64);
        self.b.ins().band(value, mask)
    }

    fn shift_right(&mut self, value: Value, bits: i64) -> Value {
        self.b.ins().ushr_imm_u(value, bits)
    }

    fn times(&mut self, value: Value, factor: i64) -> Value {
        self.b.ins().imul_imm_s(value, factor)
    }

    /// Sign and digits of a packed field, unconverted, right-aligned and checked.
    pub fn load_nibbles(&mut self, at: At, length: u32) -> Value {
        let word = self.load_big(at, length);
        let digits = self.shift_right(word, 4);
        let bad_digits = self.bad_nibbles(digits);
        let bad = if self.layout().session.signs_cleaned {
            // Only B and D are minus.
            bad_digits
        } else {
            let sign = self.mask(word, 15);
            let bad_sign = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, sign, 10);
            let bad_sign = self.b.ins().uextend(I64, bad_sign);
            self.b.ins().bor(bad_digits, bad_sign)
        };
        self.interrupt_if(bad, DATA_EXCEPTION);
        word
    }

    /// Not zero if one of up to 15 nibbles is not a digit.
    pub fn bad_nibbles(&mut self, digits: Value) -> Value {
        // A nibble above 9 carries into the next one when 6 is added.
        let six = self.i64(0x0666_6666_6666_6666);
        let sum = self.b.ins().iadd(digits, six);
        let plain = self.b.ins().bxor(digits, six);
        let carries = self.b.ins().bxor(sum, plain);
        self.mask(carries, 0x1111_1111_1111_1110)
    }

    /// All ones when the low nibble is a minus sign (B or D).
    pub fn nibble_minus(&mut self, word: Value) -> Value {
        // B and D are 1011 and 1101: of the codes A to F those with an odd number in the low three bits being 3 or 5.
        let sign = self.mask(word, 15);
        let is_d = self.b.ins().icmp_imm_u(IntCC::Equal, sign, 13);
        let is_b = self.b.ins().icmp_imm_u(IntCC::Equal, sign, 11);
        let either = self.b.ins().bor(is_d, is_b);
        let either = self.b.ins().uextend(I64, either);
        self.b.ins().ineg(either)
    }

    pub fn with_sign(&mut self, magnitude: Value, minus: Value) -> Value {
        let flipped = self.b.ins().bxor(magnitude, minus);
        self.b.ins().isub(flipped, minus)
    }

    pub fn load_packed(&mut self, at: At, attributes: &Attributes) -> Value {
        let word = self.load_nibbles(at, attributes.length);
        let digits = self.shift_right(word, 4);
        let magnitude = self.nibbles_to_binary(digits, 2 * attributes.length - 1);
        if !attributes.is_signed() {
            return magnitude;
        }
        let minus = self.nibble_minus(word);
        self.with_sign(magnitude, minus)
    }

    /// Binary value of up to 15 nibbles.
    pub fn nibbles_to_binary(&mut self, nibbles: Value, digits: u32) -> Value {
        let mut value = nibbles;
        let steps: [(u32, i64, u64, i64); 4] = [
            (1, 4, 0x0F0F_0F0F_0F0F_0F0F, 6),
            (2, 8, 0x00FF_00FF_00FF_00FF, 156),
            (4, 16, 0x0000_FFFF_0000_FFFF, 55_536),
            (8, 32, u64::MAX, 4_294_967_296 - 100_000_000),
        ];
        for (least, shift, mask, factor) in steps {
            if digits <= least {
                break;
            }
            let high = self.shift_right(value, shift);
            let high = if mask == u64::MAX { high } else { self.mask(high, mask) };
            let excess = self.times(high, factor);
            value = self.b.ins().isub(value, excess);
        }
        value
    }

    /// Eight nibbles of a value below 10^8.
    fn eight_nibbles(&mut self, value: Value) -> Value {
        let high = self.times(value, 109_951_163);
        let high = self.shift_right(high, 40);
        let part = self.times(high, 10_000);
        let low = self.b.ins().isub(value, part);
        let high = self.b.ins().ishl_imm_u(high, 32);
        let mut word = self.b.ins().bor(low, high);
        let hundreds = self.times(word, 5243);
        let hundreds = self.shift_right(hundreds, 19);
        let hundreds = self.mask(hundreds, 0x0000_007F_0000_007F);
        let carry = self.times(hundreds, 65_536 - 100);
        word = self.b.ins().iadd(word, carry);
        let tens = self.times(word, 103);
        let tens = self.shift_right(tens, 10);
        let tens = self.mask(tens, 0x000F_000F_000F_000F);
        let carry = self.times(tens, 6);
        word = self.b.ins().iadd(word, carry);
        let folded = self.shift_right(word, 8);
        word = self.b.ins().bor(word, folded);
        word = self.mask(word, 0x0000_FFFF_0000_FFFF);
        let folded = self.shift_right(word, 16);
        word = self.b.ins().bor(word, folded);
        self.mask(word, 0xFFFF_FFFF)
    }

    /// Nibbles of a value below 10^digits, at most 15.
    fn binary_to_nibbles(&mut self, value: Value, digits: u32) -> Value {
        if digits <= 8 {
            return self.eight_nibbles(value);
        }
        let (high, low) = self.halves(value);
        let (high, low) = (self.eight_nibbles(high), self.eight_nibbles(low));
        let high = self.b.ins().ishl_imm_u(high, 32);
        self.b.ins().bor(high, low)
    }

    /// Quotient and remainder by 10^8.
    pub fn halves(&mut self, value: Value) -> (Value, Value) {
        let high = self.b.ins().udiv_imm_u(value, power_of_ten(8));
        let part = self.times(high, power_of_ten(8));
        let low = self.b.ins().isub(value, part);
        (high, low)
    }

    /// Store a magnitude below 10^digits of the field.
    pub fn store_packed(&mut self, magnitude: Magnitude, at: At, attributes: &Attributes) {
        let nibbles = self.binary_to_nibbles(magnitude.value, magnitude.digits.min(attributes.digits as u32).max(1));
        self.store_nibbles(nibbles, magnitude.minus, at, attributes);
    }

    /// Store digits already in nibbles with the preferred sign; zero is plus.
    pub fn store_nibbles(&mut self, nibbles: Value, minus: Value, at: At, attributes: &Attributes) {
        let word = self.b.ins().ishl_imm_u(nibbles, 4);
        let word = if attributes.is_signed() {
            let nonzero = self.b.ins().icmp_imm_u(IntCC::NotEqual, nibbles, 0);
            let nonzero = self.b.ins().uextend(I64, nonzero);
            let negative = self.b.ins().band(nonzero, minus);
            let sign = self.b.ins().bor_imm_u(negative, 12);
            self.b.ins().bor(word, sign)
        } else {
            self.b.ins().bor_imm_u(word, 15)
        };
        self.store_big(word, at, attributes.length);
    }

    /// Sum of two nibble numbers of up to 15 digits; a carry out of the last stays in the result.
    pub fn add_nibbles(&mut self, a: Value, b: Value) -> Value {
        let six = self.i64(0x0666_6666_6666_6666);
        let lifted = self.b.ins().iadd(a, six);
        let sum = self.b.ins().iadd(lifted, b);
        let plain = self.b.ins().bxor(lifted, b);
        let carries = self.b.ins().bxor(sum, plain);
        // Where no carry came out of a nibble its 6 is taken back.
        let none = self.b.ins().bnot(carries);
        let none = self.mask(none, 0x1111_1111_1111_1110);
        let two = self.shift_right(none, 2);
        let four = self.shift_right(none, 3);
        let back = self.b.ins().bor(two, four);
        self.b.ins().isub(sum, back)
    }

    /// Difference of two nibble numbers, a >= b.
    pub fn subtract_nibbles(&mut self, a: Value, b: Value) -> Value {
        let difference = self.b.ins().isub(a, b);
        let plain = self.b.ins().bxor(a, b);
        let borrows = self.b.ins().bxor(plain, difference);
        let borrows = self.mask(borrows, 0x1111_1111_1111_1110);
        let two = self.shift_right(borrows, 2);
        let four = self.shift_right(borrows, 3);
        let back = self.b.ins().bor(two, four);
        self.b.ins().isub(difference, back)
    }

    /// Up to eight bytes in memory order, the last one on top; missing ones are zero.
    pub fn load_tail(&mut self, at: At, length: u32) -> Value {
        if length == 8 {
            return self.b.ins().load(I64, NOTRAP, at.base, at.offset);
        }
        let mut value: Option<Value> = None;
        let mut done = 0;
        for (size, ty) in [(4, I32), (2, I16), (1, I8)] {
            if length - done < size {
                continue;
            }
            let part = self.b.ins().load(ty, NOTRAP, at.base, at.offset + done as i32);
            let part = self.b.ins().uextend(I64, part);
            let position = 8 * (8 - length + done);
            let part = if position == 0 { part } else { self.b.ins().ishl_imm_u(part, position as i64) };
            value = Some(match value {
                None => part,
                Some(rest) => self.b.ins().bor(rest, part),
            });
            done += size;
        }
        value.unwrap_or_else(|| self.i64(0))
    }

    /// Store the last `length` bytes of such a word.
    pub fn store_tail(&mut self, word: Value, at: At, length: u32) {
        if length == 8 {
            self.b.ins().store(NOTRAP, word, at.base, at.offset);
            return;
        }
        let mut done = 0;
        for (size, ty) in [(4, I32), (2, I16), (1, I8)] {
            if length - done < size {
                continue;
            }
            let position = 8 * (8 - length + done);
            let part = if position == 0 { word } else { self.shift_right(word, position as i64) };
            let part = self.b.ins().ireduce(ty, part);
            self.b.ins().store(NOTRAP, part, at.base, at.offset + done as i32);
            done += size;
        }
    }

    /// Not zero if a low nibble of the bytes is not a digit; and the digits.
    pub fn check_bytes(&mut self, word: Value) -> (Value, Value) {
        let digits = self.mask(word, 0x0F0F_0F0F_0F0F_0F0F);
        let six = self.i64(0x0606_0606_0606_0606);
        let sum = self.b.ins().iadd(digits, six);
        let bad = self.mask(sum, 0x1010_1010_1010_1010);
        (bad, digits)
    }

    /// Value of eight digit bytes.
    pub fn bytes_to_binary(&mut self, digits: Value, count: u32) -> Value {
        if count == 1 {
            return self.shift_right(digits, 56);
        }
        let value = self.times(digits, 2561);
        let value = self.shift_right(value, 8);
        let value = self.mask(value, 0x00FF_00FF_00FF_00FF);
        let value = self.times(value, 6_553_601);
        let value = self.shift_right(value, 16);
        let value = self.mask(value, 0x0000_FFFF_0000_FFFF);
        let value = self.times(value, 42_949_672_960_001);
        self.shift_right(value, 32)
    }

    pub fn load_zoned(&mut self, at: At, attributes: &Attributes) -> Option<Value> {
        if !is_inline_zoned(attributes) {
            return None;
        }
        let (magnitude, bad, minus) = self.zoned_parts(at, attributes);
        self.interrupt_if(bad, DATA_EXCEPTION);
        Some(match minus {
            Some(minus) => self.with_sign(magnitude, minus),
            None => magnitude,
        })
    }

    /// Digits of an unsigned zoned item of at most eight bytes, checked, the first one on top.
    pub fn zoned_digits(&mut self, at: At, attributes: &Attributes) -> Option<Value> {
        if !is_inline_zoned(attributes) || attributes.length > 8 {
            return None;
        }
        let word = self.load_tail(at, attributes.length);
        let (bad, digits) = self.check_bytes(word);
        self.interrupt_if(bad, DATA_EXCEPTION);
        Some(self.b.ins().bswap(digits))
    }

    /// Magnitude of a zoned item; not zero if its digits or its sign are invalid; all ones for minus.
    pub fn zoned_parts(&mut self, at: At, attributes: &Attributes) -> (Value, Value, Option<Value>) {
        let length = attributes.length;
        let low_count = length.min(8);
        let low_at = At { offset: at.offset + (length - low_count) as i32, ..at };
        let low_word = self.load_tail(low_at, low_count);
        let (mut bad, low_digits) = self.check_bytes(low_word);
        let mut magnitude = self.bytes_to_binary(low_digits, low_count);
        if length > 8 {
            let high_word = self.load_tail(at, length - 8);
            let (high_bad, high_digits) = self.check_bytes(high_word);
            bad = self.b.ins().bor(bad, high_bad);
            let high = self.bytes_to_binary(high_digits, length - 8);
            let high = self.times(high, power_of_ten(8));
            magnitude = self.b.ins().iadd(high, magnitude);
        }
        // An unsigned item has only digits.
        if !attributes.is_signed() {
            return (magnitude, bad, None);
        }
        let zone = self.shift_right(low_word, 60);
        let minus = self.zone_minus(zone);
        if !self.layout().session.signs_cleaned {
            let bad_zone = self.zone_is_no_sign(zone);
            bad = self.b.ins().bor(bad, bad_zone);
        }
        (magnitude, bad, Some(minus))
    }

    /// All ones when the zone of the last digit is minus.
    fn zone_minus(&mut self, zone: Value) -> Value {
        if self.layout().session.code_page.is_ebcdic() {
            return self.nibble_minus(zone);
        }
        let minus = self.b.ins().icmp_imm_u(IntCC::Equal, zone, 7);
        let minus = self.b.ins().uextend(I64, minus);
        self.b.ins().ineg(minus)
    }

    /// Whether the zone of the last digit is not a sign (64 bits).
    fn zone_is_no_sign(&mut self, zone: Value) -> Value {
        let bad = if self.layout().session.code_page.is_ebcdic() {
            self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, zone, 10)
        } else {
            // Zone 3 is plus and 7 minus: they differ in one bit.
            let without = self.mask(zone, 0b1011);
            self.b.ins().icmp_imm_u(IntCC::NotEqual, without, 3)
        };
        self.b.ins().uextend(I64, bad)
    }

    /// Eight digit bytes of a value below 10^8, the last digit on top.
    pub fn eight_bytes(&mut self, value: Value) -> Value {
        let high = self.times(value, 109_951_163);
        let high = self.shift_right(high, 40);
        let part = self.times(high, 10_000);
        let low = self.b.ins().isub(value, part);
        let low = self.b.ins().ishl_imm_u(low, 32);
        let mut word = self.b.ins().bor(high, low);
        let hundreds = self.times(word, 5243);
        let hundreds = self.shift_right(hundreds, 19);
        let hundreds = self.mask(hundreds, 0x0000_007F_0000_007F);
        let part = self.times(hundreds, 100);
        let low = self.b.ins().isub(word, part);
        let low = self.b.ins().ishl_imm_u(low, 16);
        word = self.b.ins().bor(hundreds, low);
        let tens = self.times(word, 103);
        let tens = self.shift_right(tens, 10);
        let tens = self.mask(tens, 0x000F_000F_000F_000F);
        let part = self.times(tens, 10);
        let low = self.b.ins().isub(word, part);
        let low = self.b.ins().ishl_imm_u(low, 8);
        self.b.ins().bor(tens, low)
    }

    pub fn store_zoned(&mut self, magnitude: Magnitude, at: At, attributes: &Attributes) {
        let page = self.layout().session.code_page;
        let (zone, plus, minus) = (page.zone as u64, page.zone_plus as u64, page.zone_minus as u64);
        let length = attributes.length;
        let zones = u64::from_le_bytes([zone as u8; 8]);
        let (high, low) = if magnitude.digits > 8 {
            let (high, low) = self.halves(magnitude.value);
            (Some(high), low)
        } else {
            (None, magnitude.value)
        };
        let mut word = self.eight_bytes(low);
        if attributes.is_signed() {
            let nonzero = self.b.ins().icmp_imm_u(IntCC::NotEqual, magnitude.value, 0);
            let nonzero = self.b.ins().uextend(I64, nonzero);
            let nonzero = self.b.ins().ineg(nonzero);
            let negative = self.b.ins().band(nonzero, magnitude.minus);
            let flip = self.mask(negative, (plus ^ minus) << 56);
            let base = self.i64((zones & !(0xFF << 56) | plus << 56) as i64);
            let zoned = self.b.ins().bxor(flip, base);
            word = self.b.ins().bor(word, zoned);
        } else {
            let zones = self.i64(zones as i64);
            word = self.b.ins().bor(word, zones);
        }
        let low_count = length.min(8);
        let low_at = At { offset: at.offset + (length - low_count) as i32, ..at };
        self.store_tail(word, low_at, low_count);
        if length > 8 {
            let digits = match high {
                Some(high) => self.eight_bytes(high),
                None => self.i64(0),
            };
            let zones = self.i64(zones as i64);
            let word = self.b.ins().bor(digits, zones);
            self.store_tail(word, at, length - 8);
        }
    }
}
