//! Binary items inline: big-endian loads and stores, and storing a short value to any usage that has inline code.

use super::field::{At, Field, Length};
use super::number::{Number, SHORT_DIGITS, power_of_ten};
use super::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I16};
use le::{Attributes, Rounding, Trunc, Usage};
use program::requests::store_flags;

/// Sign and magnitude of a value to be stored in a field.
#[derive(Clone, Copy)]
pub struct Magnitude {
    pub value: Value,
    /// All ones when negative, else zero (64 bits).
    pub minus: Value,
    /// Bound: the magnitude is below 10^digits.
    pub digits: u32,
}

impl Emitter<'_, '_> {
    /// Unsigned big-endian bytes, 1 to 8 of them, as 64 bits. Loads are cut as [`Self::store_bytes`] cuts stores, so that a value
    /// just stored is forwarded.
    pub fn load_big(&mut self, at: At, length: u32) -> Value {
        let mut value: Option<Value> = None;
        let mut done = 0;
        for (size, ty) in [(8, I64), (4, I32), (2, I16), (1, I8)] {
            if length - done < size {
                continue;
            }
            let part = self.b.ins().load(ty, NOTRAP, at.base, at.offset + done as i32);
            let part = if size > 1 { self.b.ins().bswap(part) } else { part };
            let part = if size < 8 { self.b.ins().uextend(I64, part) } else { part };
            value = Some(match value {
                None => part,
                Some(high) => {
                    let high = self.b.ins().ishl_imm_u(high, 8 * size as i64);
                    self.b.ins().bor(high, part)
                }
            });
            done += size;
        }
        value.unwrap_or_else(|| self.i64(0))
    }

    /// The low `length` bytes of a value, big-endian.
    pub fn store_big(&mut self, value: Value, at: At, length: u32) {
        let mut done = 0;
        for (size, ty) in [(8, I64), (4, I32), (2, I16), (1, I8)] {
            if length - done < size {
                continue;
            }
            let shift = 8 * (length - done - size);
            let part = if shift == 0 { value } else { self.b.ins().ushr_imm_u(value, shift as i64) };
            let part = if size < 8 { self.b.ins().ireduce(ty, part) } else { part };
            let part = if size > 1 { self.b.ins().bswap(part) } else { part };
            self.b.ins().store(NOTRAP, part, at.base, at.offset + done as i32);
            done += size;
        }
    }

    pub fn load_binary(&mut self, at: At, length: u32, signed: bool) -> Value {
        let ty = match length {
            2 => I16,
            4 => I32,
            _ => I64,
        };
        let value = self.b.ins().load(ty, NOTRAP, at.base, at.offset);
        let value = self.b.ins().bswap(value);
        match (length, signed) {
            (8, _) => value,
            (_, true) => self.b.ins().sextend(I64, value),
            (_, false) => self.b.ins().uextend(I64, value),
        }
    }

    pub fn store_binary(&mut self, value: Value, at: At, length: u32) {
        self.store_big(value, at, length);
    }

    /// The coefficient of a field in line.
    pub fn load_inline(&mut self, field: &Field) -> Option<Value> {
        let Length::Fixed(length) = field.length else {
            return None;
        };
        let attributes = &field.attributes;
        match attributes.usage {
            Usage::Binary | Usage::NativeBinary => Some(self.load_binary(field.at, length, attributes.is_signed())),
            Usage::Index | Usage::Pointer | Usage::FunctionPointer => Some(self.load_binary(field.at, 4, false)),
            Usage::Packed if self.is_inline() && length <= 8 => Some(self.load_packed(field.at, attributes)),
            Usage::Zoned if self.is_inline() => self.load_zoned(field.at, attributes),
            _ => None,
        }
    }

    /// Stores a short value inline; returns the size error, or `None` if there is no inline code for it.
    pub fn store_inline(&mut self, number: Number, field: &Field, flags: u32) -> Option<Value> {
        let Number::Short { value, scale, digits } = number else {
            return None;
        };
        if !field.is_fixed() || !self.has_inline_store(&field.attributes) {
            return None;
        }
        if field.attributes.usage == Usage::Index {
            if scale != 0 {
                return None;
            }
            let value = self.b.ins().iabs(value);
            self.store_binary(value, field.at, 4);
            return Some(self.i32(0));
        }
        let rounding = flags & 0xFF;
        if rounding > Rounding::NearestAwayFromZero as u32 {
            return None;
        }
        let target_scale = field.attributes.scale as i32;
        if scale < target_scale && digits + (target_scale - scale) as u32 > SHORT_DIGITS {
            return None;
        }
        if scale > target_scale + 18 {
            return None;
        }
        if scale == target_scale && self.is_full_range(&field.attributes) && digits <= 10 && field.attributes.is_signed() {
            return Some(self.store_full_range(value, digits, field, flags));
        }
        if scale == target_scale && self.is_decimal_binary(&field.attributes) {
            return Some(self.store_decimal_binary(value, digits, field, flags));
        }
        let magnitude = self.magnitude(value, digits, scale, target_scale, rounding);
        Some(self.store_magnitude(magnitude, field, flags))
    }

    /// A signed binary field that TRUNC(STD) keeps to its decimal digits.
    fn is_decimal_binary(&self, attributes: &Attributes) -> bool {
        attributes.usage == Usage::Binary && attributes.is_signed() && attributes.digits <= 18 && self.layout().session.trunc == Trunc::Std
    }

    /// The value itself while it is in range, which it nearly always is.
    fn store_decimal_binary(&mut self, value: Value, digits: u32, field: &Field, flags: u32) -> Value {
        let length = field.length.most();
        let limit = power_of_ten(field.attributes.digits as u32);
        if digits <= field.attributes.digits as u32 {
            self.store_binary(value, field.at, length);
            return self.i32(0);
        }
        let lifted = self.b.ins().iadd_imm_s(value, limit - 1);
        let bound = self.i64(2 * limit - 1);
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, lifted, bound);
        let (over, store) = (self.cold_block(), self.b.create_block());
        let stored = self.b.append_block_param(store, I64);
        let error = self.b.append_block_param(store, I32);
        let no_error = self.i32(0);
        self.b.ins().brif(inside, store, &[value.into(), no_error.into()], over, &[]);
        self.begin(over);
        let one = self.i32(1);
        if flags & store_flags::KEEP != 0 {
            let next = self.b.create_block();
            let result = self.b.append_block_param(next, I32);
            self.b.ins().jump(next, &[one.into()]);
            self.begin(store);
            self.store_binary(stored, field.at, length);
            self.b.ins().jump(next, &[error.into()]);
            self.begin(next);
            return result;
        }
        let cut = self.b.ins().srem_imm_s(value, limit);
        self.b.ins().jump(store, &[cut.into(), one.into()]);
        self.begin(store);
        self.store_binary(stored, field.at, length);
        error
    }

    pub fn has_inline_store(&self, attributes: &Attributes) -> bool {
        match attributes.usage {
            Usage::Binary | Usage::NativeBinary | Usage::Index => true,
            Usage::Packed => self.is_inline() && attributes.length <= 8,
            Usage::Zoned => self.is_inline() && super::decimal::is_inline_zoned(attributes),
            _ => false,
        }
    }

    /// The usage holds every value of its bytes: no cut to decimal digits.
    pub fn is_full_range(&self, attributes: &Attributes) -> bool {
        match attributes.usage {
            Usage::NativeBinary => true,
            Usage::Binary => self.layout().session.trunc == Trunc::Bin,
            _ => false,
        }
    }

    /// A signed full-range field: the value itself.
    fn store_full_range(&mut self, value: Value, digits: u32, field: &Field, flags: u32) -> Value {
        let length = field.length.most();
        let fits_always = length == 8 || (length == 4 && digits <= 9) || (length == 2 && digits <= 4);
        if fits_always {
            self.store_binary(value, field.at, length);
            return self.i32(0);
        }
        let shift = 64 - 8 * length as i64;
        let low = self.b.ins().ishl_imm_u(value, shift);
        let low = self.b.ins().sshr_imm_u(low, shift);
        let error = self.b.ins().icmp(IntCC::NotEqual, low, value);
        let error = self.b.ins().uextend(I32, error);
        self.store_unless(error, flags, |emitter| emitter.store_binary(value, field.at, length));
        error
    }

    /// Runs `store` unless there is a size error that keeps the target.
    pub fn store_unless(&mut self, error: Value, flags: u32, store: impl FnOnce(&mut Self)) {
        if flags & store_flags::KEEP == 0 {
            store(self);
            return;
        }
        let (good, next) = (self.b.create_block(), self.b.create_block());
        self.branch(error, next, good);
        self.begin(good);
        store(self);
        self.goto(next);
        self.begin(next);
    }

    /// Sign and magnitude at the target's scale.
    pub fn magnitude(&mut self, value: Value, digits: u32, scale: i32, target_scale: i32, rounding: u32) -> Magnitude {
        let minus = self.b.ins().sshr_imm_u(value, 63);
        let flipped = self.b.ins().bxor(value, minus);
        let mut magnitude = self.b.ins().isub(flipped, minus);
        let mut digits = digits;
        if scale > target_scale {
            let power = power_of_ten((scale - target_scale) as u32);
            if rounding == Rounding::NearestAwayFromZero as u32 {
                magnitude = self.b.ins().iadd_imm_s(magnitude, power / 2);
                digits += 1;
            }
            magnitude = self.b.ins().udiv_imm_u(magnitude, power);
            digits = digits.saturating_sub((scale - target_scale) as u32).max(1);
        } else if scale < target_scale {
            let lift = (target_scale - scale) as u32;
            magnitude = self.lift(magnitude, lift);
            digits += lift;
        }
        Magnitude { value: magnitude, minus, digits }
    }

    /// Store with the checks of the target's usage.
    fn store_magnitude(&mut self, magnitude: Magnitude, field: &Field, flags: u32) -> Value {
        let attributes = field.attributes;
        if self.is_full_range(&attributes) {
            return self.store_magnitude_full(magnitude, field, flags);
        }
        let digits = attributes.digits as u32;
        let keep = flags & store_flags::KEEP != 0;
        let (mut value, mut error) = (magnitude.value, None);
        if magnitude.digits > digits {
            let limit = self.i64(power_of_ten(digits));
            let over = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, value, limit);
            error = Some(self.b.ins().uextend(I32, over));
            let cut = attributes.usage != Usage::Binary || self.layout().session.trunc == Trunc::Std;
            if cut && !keep {
                value = self.cut(value, over, power_of_ten(digits));
            }
        }
        let stored = Magnitude { value, digits: digits.min(magnitude.digits), ..magnitude };
        match error {
            None => {
                self.store_digits(stored, field);
                self.i32(0)
            }
            Some(error) => {
                self.store_unless(error, flags, |emitter| emitter.store_digits(stored, field));
                error
            }
        }
    }

    /// The low-order digits, if there are too many.
    pub fn cut(&mut self, value: Value, over: Value, limit: i64) -> Value {
        let (long, next) = (self.cold_block(), self.b.create_block());
        let result = self.b.append_block_param(next, I64);
        self.b.ins().brif(over, long, &[], next, &[value.into()]);
        self.begin(long);
        let rest = self.b.ins().urem_imm_u(value, limit);
        self.b.ins().jump(next, &[rest.into()]);
        self.begin(next);
        result
    }

    fn store_digits(&mut self, magnitude: Magnitude, field: &Field) {
        let length = field.length.most();
        match field.attributes.usage {
            Usage::Packed => self.store_packed(magnitude, field.at, &field.attributes),
            Usage::Zoned => self.store_zoned(magnitude, field.at, &field.attributes),
            _ => {
                let value = if field.attributes.is_signed() { self.signed(magnitude) } else { magnitude.value };
                self.store_binary(value, field.at, length);
            }
        }
    }

    fn signed(&mut self, magnitude: Magnitude) -> Value {
        let flipped = self.b.ins().bxor(magnitude.value, magnitude.minus);
        self.b.ins().isub(flipped, magnitude.minus)
    }

    /// Full-range binary of either sign.
    fn store_magnitude_full(&mut self, magnitude: Magnitude, field: &Field, flags: u32) -> Value {
        let length = field.length.most();
        let signed = field.attributes.is_signed();
        let value = if signed { self.signed(magnitude) } else { magnitude.value };
        let error = if length == 8 {
            self.i32(0)
        } else {
            let shift = 64 - 8 * length as i64;
            let low = self.b.ins().ishl_imm_u(value, shift);
            let low = if signed { self.b.ins().sshr_imm_u(low, shift) } else { self.b.ins().ushr_imm_u(low, shift) };
            let differs = self.b.ins().icmp(IntCC::NotEqual, low, value);
            self.b.ins().uextend(I32, differs)
        };
        self.store_unless(error, flags, |emitter| emitter.store_binary(value, field.at, length));
        error
    }
}
