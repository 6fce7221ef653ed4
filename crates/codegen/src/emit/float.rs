//! COMP-1 and COMP-2 inline: hexadecimal floating point and doubles, both ways, and the doubles of fixed-point values.
//!
//! Invariants: results equal those of `le::float` and `le::decimal::to_float`; values too large for an item are left to the run time.

use super::field::{At, Field};
use super::number::Number;
use super::*;
use cobol::program::{Expression, ExpressionKind, Operand, Operator};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::F32;
use le::{Attributes, Decimal, FloatFormat, Usage};

/// Fixed-point coefficients below 10^this are doubles exactly.
const EXACT_DIGITS: u32 = 15;
/// Powers of ten up to this are doubles exactly.
const EXACT_POWER: i32 = 22;
/// Bits of the fraction of a double, and the bias of its exponent.
const FRACTION_BITS: i64 = 52;
const BIAS: i64 = 1023;
/// A double's stored exponent minus this is four times the characteristic of its hexadecimal form, plus the places that the
/// fraction is moved up: 1075 - 56 for the point left of the fraction, less 4 * 64 for the excess.
const HEXADECIMAL_BIAS: i64 = BIAS + FRACTION_BITS - 56 - 4 * 64;
/// Four times the first characteristic that is too large.
const HEXADECIMAL_LIMIT: i64 = 4 * 128;

/// COMP-1 or COMP-2.
pub fn is_internal_float(attributes: &Attributes) -> bool {
    matches!(attributes.usage, Usage::Float4 | Usage::Float8)
}

impl Emitter<'_, '_> {
    /// Whether expressions are computed in single precision: all operands are COMP-1 items, and none is multiplied or raised to a power
    /// (Programming Guide, "Floating-point data and intermediate results").
    pub fn is_single(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Reference(reference) => self.layout().descriptor(reference.item).usage == Usage::Float4,
            ExpressionKind::Negate(inner) => self.is_single(inner),
            ExpressionKind::Binary { operator, left, right } => {
                !matches!(operator, Operator::Multiply | Operator::Power) && self.is_single(left) && self.is_single(right)
            }
            _ => false,
        }
    }

    /// The same for a comparand.
    pub fn is_single_operand(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Reference(reference) => {
                self.layout().descriptor(reference.item).usage == Usage::Float4 && reference.modification.is_none()
            }
            Operand::Expression(expression) => self.is_single(expression),
            _ => false,
        }
    }

    /// The value that a COMP-1 item has of it.
    pub fn single_of(&mut self, value: Value) -> Value {
        let (bits, ..) = self.float_word(value, 4);
        self.as_double(bits)
    }

    fn is_hexadecimal(&self) -> bool {
        self.layout().session.float_format == FloatFormat::Hexadecimal
    }

    pub fn as_double(&mut self, bits: Value) -> Value {
        self.b.ins().bitcast(F64, MemFlagsData::new(), bits)
    }

    fn as_bits(&mut self, value: Value) -> Value {
        self.b.ins().bitcast(I64, MemFlagsData::new(), value)
    }

    /// The double of an item.
    pub fn load_double(&mut self, at: At, length: u32) -> Value {
        let word = self.load_big(at, length);
        self.double_of(word, length)
    }

    /// The double of an item's bytes as an integer.
    pub fn double_of(&mut self, word: Value, length: u32) -> Value {
        if !self.is_hexadecimal() {
            if length == 8 {
                return self.as_double(word);
            }
            let word = self.b.ins().ireduce(I32, word);
            let single = self.b.ins().bitcast(F32, MemFlagsData::new(), word);
            return self.b.ins().fpromote(F64, single);
        }
        let word = if length == 8 { word } else { self.b.ins().ishl_imm_u(word, 32) };
        let fraction = self.mask(word, 0x00FF_FFFF_FFFF_FFFF);
        let minus = self.b.ins().sshr_imm_u(word, 63);
        let fraction = self.with_sign(fraction, minus);
        let fraction = self.b.ins().fcvt_from_sint(F64, fraction);
        // The power of two is 4 * (characteristic - 64) - 56.
        let characteristic = self.mask(word, 0x7F << 56);
        let power = self.b.ins().ushr_imm_u(characteristic, 56 - FRACTION_BITS - 2);
        let power = self.b.ins().iadd_imm_s(power, (BIAS - 4 * 64 - 56) << FRACTION_BITS);
        let power = self.as_double(power);
        self.b.ins().fmul(fraction, power)
    }

    /// The bits of a double as the item stores it, the bytes of the item as an integer, and whether the value is too large.
    pub fn float_word(&mut self, value: Value, length: u32) -> (Value, Value, Value) {
        if !self.is_hexadecimal() {
            return self.binary_word(value, length);
        }
        let bits = self.as_bits(value);
        let mut place = self.hexadecimal_place(bits);
        let tiny = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, place, 0);
        let mut kept = bits;
        if length == 4 {
            kept = self.rounded_short(bits, place);
            place = self.hexadecimal_place(kept);
        }
        let fraction = self.mask(kept, (1 << FRACTION_BITS) - 1);
        let fraction = self.b.ins().bor_imm_u(fraction, 1 << FRACTION_BITS);
        let shift = self.b.ins().band_imm_u(place, 3);
        let fraction = self.b.ins().ishl(fraction, shift);
        let characteristic = self.b.ins().ushr_imm_u(place, 2);
        let characteristic = self.b.ins().ishl_imm_u(characteristic, 56);
        let sign = self.mask(kept, 1 << 63);
        let word = self.b.ins().bor(fraction, characteristic);
        let word = self.b.ins().bor(word, sign);
        // Zero, and values below the smallest number.
        let zero = self.i64(0);
        let word = self.b.ins().select(tiny, zero, word);
        let kept = self.b.ins().select(tiny, zero, kept);
        let large = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, place, HEXADECIMAL_LIMIT);
        let word = if length == 8 { word } else { self.b.ins().ushr_imm_u(word, 32) };
        (kept, word, large)
    }

    /// For a long hexadecimal item: whether it represents the value exactly, and whether the value is too large.
    pub fn hexadecimal_range(&mut self, value: Value, length: u32) -> Option<(Value, Value)> {
        if length != 8 || !self.is_hexadecimal() {
            return None;
        }
        let bits = self.as_bits(value);
        let place = self.hexadecimal_place(bits);
        let limit = self.i64(HEXADECIMAL_LIMIT);
        let usual = self.b.ins().icmp(IntCC::UnsignedLessThan, place, limit);
        Some((usual, self.b.ins().icmp(IntCC::SignedGreaterThanOrEqual, place, limit)))
    }

    /// Four times the characteristic, plus the places that the fraction is moved up by.
    fn hexadecimal_place(&mut self, bits: Value) -> Value {
        let exponent = self.b.ins().ushr_imm_u(bits, FRACTION_BITS);
        let exponent = self.b.ins().band_imm_u(exponent, 0x7FF);
        self.b.ins().iadd_imm_s(exponent, -HEXADECIMAL_BIAS)
    }

    /// The nearest double with 24 bits of hexadecimal fraction: half of the last place is added.
    fn rounded_short(&mut self, bits: Value, place: Value) -> Value {
        let shift = self.b.ins().band_imm_u(place, 3);
        let half = self.i64(1 << 31);
        let half = self.b.ins().ushr(half, shift);
        let sum = self.b.ins().iadd(bits, half);
        let lost = self.i64((1 << 32) - 1);
        let lost = self.b.ins().ushr(lost, shift);
        self.b.ins().band_not(sum, lost)
    }

    fn binary_word(&mut self, value: Value, length: u32) -> (Value, Value, Value) {
        let (kept, word) = if length == 8 {
            let bits = self.as_bits(value);
            (value, bits)
        } else {
            let single = self.b.ins().fdemote(F32, value);
            let word = self.b.ins().bitcast(I32, MemFlagsData::new(), single);
            (self.b.ins().fpromote(F64, single), self.b.ins().uextend(I64, word))
        };
        // Neither infinite nor no number.
        let magnitude = self.b.ins().fabs(kept);
        let most = self.f64(f64::MAX);
        let finite = self.b.ins().fcmp(FloatCC::LessThanOrEqual, magnitude, most);
        let large = self.b.ins().bxor_imm_u(finite, 1);
        (self.as_bits(kept), word, large)
    }

    /// Store a value in a floating-point item; the size error. `None`: not inline.
    pub fn store_double(&mut self, number: Number, field: &Field, flags: u32) -> Option<Value> {
        if !(self.is_inline() && is_internal_float(&field.attributes) && field.is_fixed()) {
            return None;
        }
        let value = self.inline_double(number)?;
        let length = field.attributes.length;
        let (_, word, large) = self.float_word(value, length);
        let (over, good, next) = (self.cold_block(), self.b.create_block(), self.b.create_block());
        let error = self.b.append_block_param(next, I32);
        self.branch(large, over, good);
        self.begin(good);
        self.store_big(word, field.at, length);
        let none = self.i32(0);
        self.b.ins().jump(next, &[none.into()]);
        self.begin(over);
        let failed = self.store_float_in_memory(value, field, flags);
        self.b.ins().jump(next, &[failed.into()]);
        self.begin(next);
        Some(error)
    }

    pub fn store_float_in_memory(&mut self, value: Value, field: &Field, flags: u32) -> Value {
        let session = self.session;
        let (area, described) = (self.field_address(field), self.attributes_address(field));
        let flags = self.i32(flags as i64);
        self.slot_value(Slot::StoreFloat, &[session, value, area, described, flags])
    }

    /// The double of a value in registers, if it can be computed without the run time.
    pub fn inline_double(&mut self, number: Number) -> Option<Value> {
        match number {
            Number::Float(value) => Some(value),
            Number::Short { value, scale, digits } => {
                if let Some(constant) = self.constant_of(value) {
                    return Some(self.f64(le::decimal::to_float(&Decimal::new(constant as i128, scale))));
                }
                let exact = scale == 0 || (digits <= EXACT_DIGITS && scale.abs() <= EXACT_POWER);
                if !exact {
                    return None;
                }
                let value = self.b.ins().fcvt_from_sint(F64, value);
                if scale == 0 {
                    return Some(value);
                }
                let power = self.f64(le::decimal::power_of_ten(scale.unsigned_abs()) as f64);
                Some(if scale > 0 { self.b.ins().fdiv(value, power) } else { self.b.ins().fmul(value, power) })
            }
            Number::Wide { .. } | Number::Long(_) => None,
        }
    }
}
