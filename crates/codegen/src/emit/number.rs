//! Arithmetic values: evaluating expressions, loading and storing numbers.
//!
//! A value of at most 18 digits is kept as a 64-bit coefficient with a constant scale, one of up to 38 in 128 bits. Items longer than 18
//! digits, and values that IBM's rules for intermediate results truncate, are an `le::Decimal` in memory; floating point is a double.

use super::field::Field;
use super::wide::Wide;
use super::*;
use cobol::program::{Expression, ExpressionKind, NumericType, Operator, Reference};
use cranelift_codegen::ir::condcodes::IntCC;
use le::{Attributes, Decimal, Usage};
use program::requests::check;

/// A numeric value.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// Coefficient below 10^digits in 64 bits.
    Short {
        value: Value,
        scale: i32,
        digits: u32,
    },
    /// Coefficient below 10^digits in 128 bits.
    Wide {
        value: Value,
        scale: i32,
        digits: u32,
    },
    /// Address of a `Decimal`.
    Long(Value),
    Float(Value),
}

impl Number {
    /// Decimal places, when they are known here.
    pub fn scale(&self) -> Option<i32> {
        match self {
            Number::Short { scale, .. } | Number::Wide { scale, .. } => Some(*scale),
            Number::Long(_) | Number::Float(_) => None,
        }
    }

    /// The bound of its digits, when it is known here.
    pub fn digits(&self) -> Option<u32> {
        match self {
            Number::Short { digits, .. } | Number::Wide { digits, .. } => Some(*digits),
            Number::Long(_) | Number::Float(_) => None,
        }
    }
}

/// Digits that surely fit 64 bits.
pub const SHORT_DIGITS: u32 = 18;

pub const fn power_of_ten(exponent: u32) -> i64 {
    10i64.pow(exponent)
}

/// An integer constant.
pub fn constant_integer(expression: &Expression) -> Option<i64> {
    match &expression.kind {
        ExpressionKind::Number(number) if number.scale == 0 => i64::try_from(number.value).ok(),
        ExpressionKind::Negate(inner) => constant_integer(inner).map(|value| -value),
        _ => None,
    }
}

/// Shape of a node, as slots take it.
pub fn packed_shape(numeric: NumericType) -> i64 {
    match numeric {
        NumericType::Fixed { digits, scale, .. } => {
            let all = i32::from(le::Shape::ALL_INTEGERS);
            let integers = if digits == ALL_DIGITS { all } else { (digits as i32 - scale as i32).max(0) };
            ((integers << 16) | (scale as i16 as u16 as i32)) as i64
        }
        NumericType::Float => (30 << 16) as i64,
    }
}

/// Digits of a type whose integer places are not truncated ([`last`]).
const ALL_DIGITS: u8 = u8::MAX;

/// The type of a statement's last operation, whose result itself decides size error and rounding: its integer places are not truncated,
/// where they could be, and a quotient shows whether it is exact.
pub fn last(operator: Operator, numeric: NumericType) -> NumericType {
    match numeric {
        NumericType::Fixed { scale, truncated, .. } if truncated || operator == Operator::Power => {
            NumericType::Fixed { digits: ALL_DIGITS, scale, truncated: true }
        }
        numeric => numeric,
    }
}

fn is_truncated(numeric: NumericType) -> bool {
    matches!(numeric, NumericType::Fixed { truncated: true, .. })
}

impl Emitter<'_, '_> {
    /// Value of an expression. With `failed`, a division by zero branches there instead of stopping the program.
    pub fn evaluate(&mut self, expression: &Expression, failed: Option<Block>) -> Number {
        match &expression.kind {
            ExpressionKind::Number(number) => self.constant_number(number.value, number.scale as i32),
            ExpressionKind::Float(value) => Number::Float(self.f64(*value)),
            ExpressionKind::Reference(reference) => self.reference_number(reference),
            ExpressionKind::Function(call) => self.function_number(call),
            ExpressionKind::LengthOf(reference) => {
                let value = self.length_of(reference);
                Number::Short { value, scale: 0, digits: 10 }
            }
            ExpressionKind::AddressOf(reference) => {
                let value = self.address_of(reference);
                Number::Short { value, scale: 0, digits: 10 }
            }
            ExpressionKind::Negate(inner) => {
                let value = self.evaluate(inner, failed);
                self.negate(value)
            }
            ExpressionKind::Binary { operator, left, right } => self.binary_operation(*operator, left, right, expression.numeric, failed),
        }
    }

    /// The value of a statement with one receiver: its last operation gives the final result, not an intermediate one, where that matters.
    pub fn evaluate_last(&mut self, expression: &Expression, is_last: impl Fn(Operator) -> bool, failed: Option<Block>) -> Number {
        match &expression.kind {
            ExpressionKind::Binary { operator, left, right } if is_last(*operator) => {
                self.binary_operation(*operator, left, right, last(*operator, expression.numeric), failed)
            }
            _ => self.evaluate(expression, failed),
        }
    }

    pub fn constant_number(&mut self, value: i128, scale: i32) -> Number {
        match i64::try_from(value) {
            Ok(short) if short.unsigned_abs() < power_of_ten(SHORT_DIGITS) as u64 => {
                let digits = short.unsigned_abs().checked_ilog10().map_or(1, |log| log + 1);
                Number::Short { value: self.i64(short), scale, digits }
            }
            _ => {
                let offset = self.constants.decimal(value, scale);
                Number::Long(self.constant_address(offset))
            }
        }
    }

    /// Value of a sending item.
    pub fn reference_number(&mut self, reference: &Reference) -> Number {
        let place = self.place(reference);
        if let super::resident::Place::Storage(field) = &place {
            self.check_sender(reference, field);
        }
        self.load_place(&place)
    }

    /// Value of a numeric field.
    pub fn load_number(&mut self, field: &Field) -> Number {
        let attributes = field.attributes;
        if super::float::is_internal_float(&attributes) && field.is_fixed() && self.is_inline() {
            return Number::Float(self.load_double(field.at, attributes.length));
        }
        if attributes.is_float() {
            let (area, described) = (self.field_address(field), self.attributes_address(field));
            let session = self.session;
            return Number::Float(self.slot_value(Slot::LoadFloat, &[session, area, described]));
        }
        if let Some(digits) = short_digits(&attributes)
            && field.is_fixed()
        {
            let value = self.load_short(field);
            return Number::Short { value, scale: attributes.scale as i32, digits };
        }
        let result = self.temporary_address(32);
        let (area, described) = (self.field_address(field), self.attributes_address(field));
        let session = self.session;
        self.slot(Slot::Load, &[session, area, described, result]);
        Number::Long(result)
    }

    /// Coefficient of a field of at most 18 digits.
    pub fn load_short(&mut self, field: &Field) -> Value {
        if let Some(value) = self.load_inline(field) {
            return value;
        }
        let mut whole = *field;
        whole.attributes.scale = 0;
        let (area, described) = (self.field_address(&whole), self.attributes_address(&whole));
        let session = self.session;
        self.slot_value(Slot::LoadInteger, &[session, area, described])
    }

    /// Integer value of a numeric field, decimals dropped.
    pub fn load_integer(&mut self, field: &Field) -> Value {
        if field.attributes.scale == 0 && short_digits(&field.attributes).is_some() {
            return self.load_short(field);
        }
        let (area, described) = (self.field_address(field), self.attributes_address(field));
        let session = self.session;
        self.slot_value(Slot::LoadInteger, &[session, area, described])
    }

    /// Integer value of an expression, decimals dropped.
    pub fn integer(&mut self, expression: &Expression) -> Value {
        let number = self.evaluate(expression, None);
        self.integer_of(number)
    }

    pub fn integer_of(&mut self, number: Number) -> Value {
        match number {
            Number::Short { value, scale: 0, .. } => value,
            Number::Short { value, scale, .. } if scale > 0 => {
                let power = power_of_ten(scale.min(18) as u32);
                self.b.ins().sdiv_imm_s(value, power)
            }
            Number::Short { value, scale, .. } => self.b.ins().imul_imm_s(value, power_of_ten((-scale).min(18) as u32)),
            other => {
                // Through a doubleword: TRUNC does not apply to COMP-5.
                let field = self.temporary_field(Attributes::native_binary(18, 0, true));
                self.store_number(other, &field, 0);
                self.load_short(&field)
            }
        }
    }

    /// The value as a `Decimal` in memory.
    pub fn long_of(&mut self, number: Number) -> Value {
        match number {
            Number::Long(address) => address,
            Number::Short { value, scale, .. } => {
                let address = self.temporary_address(32);
                let high = self.b.ins().sshr_imm_u(value, 63);
                let scale = self.i32(scale as i64);
                self.store(value, address, 0);
                self.store(high, address, 8);
                self.store(scale, address, offset_of!(Decimal, scale));
                address
            }
            Number::Wide { value, scale, .. } => {
                let address = self.temporary_address(32);
                let (low, high) = self.b.ins().isplit(value);
                let scale = self.i32(scale as i64);
                self.store(low, address, 0);
                self.store(high, address, 8);
                self.store(scale, address, offset_of!(Decimal, scale));
                address
            }
            Number::Float(value) => {
                let address = self.temporary_address(32);
                let (scale, rounding) = (self.i32(18), self.i32(1));
                self.slot(Slot::FromFloat, &[value, scale, rounding, address]);
                address
            }
        }
    }

    pub fn float_of(&mut self, number: Number) -> Value {
        match number {
            Number::Float(value) => value,
            Number::Short { value, scale: 0, .. } => self.b.ins().fcvt_from_sint(F64, value),
            other => {
                if self.is_inline()
                    && let Some(value) = self.inline_double(other)
                {
                    return value;
                }
                let address = self.long_of(other);
                self.slot_value(Slot::ToFloat, &[address])
            }
        }
    }

    fn negate(&mut self, number: Number) -> Number {
        match number {
            Number::Short { value, scale, digits } => Number::Short { value: self.b.ins().ineg(value), scale, digits },
            Number::Float(value) => Number::Float(self.b.ins().fneg(value)),
            Number::Wide { value, scale, digits } => Number::Wide { value: self.wide_negative(value), scale, digits },
            Number::Long(value) => {
                let result = self.temporary_address(32);
                self.slot(Slot::Negate, &[value, result]);
                Number::Long(result)
            }
        }
    }

    fn binary_operation(
        &mut self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
        numeric: NumericType,
        failed: Option<Block>,
    ) -> Number {
        let a = self.evaluate(left, failed);
        if operator == Operator::Power && numeric != NumericType::Float {
            return self.integer_power(a, right, numeric, failed);
        }
        let b = self.evaluate(right, failed);
        let is_float = |number: &Number| matches!(number, Number::Float(_));
        if numeric == NumericType::Float || is_float(&a) || is_float(&b) {
            return self.float_operation(operator, a, b, failed);
        }
        self.combine(operator, a, b, numeric, failed)
    }

    /// One fixed-point operation.
    pub fn combine(&mut self, operator: Operator, a: Number, b: Number, numeric: NumericType, failed: Option<Block>) -> Number {
        if !is_truncated(numeric)
            && let Some(result) = self.short_operation(operator, a, b, numeric).or_else(|| self.long_operation(operator, a, b, numeric))
        {
            return result;
        }
        if operator == Operator::Divide {
            return self.divide(a, b, numeric, failed);
        }
        Number::Long(self.operation_in_memory(operator, a, b, numeric))
    }

    /// A sum, difference or product by the run time: the address of a decimal.
    pub fn operation_in_memory(&mut self, operator: Operator, a: Number, b: Number, numeric: NumericType) -> Value {
        let (left, right) = (self.long_of(a), self.long_of(b));
        let result = self.temporary_address(32);
        let shape = self.i32(packed_shape(numeric));
        let slot = match operator {
            Operator::Add => Slot::Add,
            Operator::Subtract => Slot::Subtract,
            _ => Slot::Multiply,
        };
        self.slot(slot, &[left, right, shape, result]);
        result
    }

    /// In 64 bits, when all digits fit.
    fn short_operation(&mut self, operator: Operator, a: Number, b: Number, _: NumericType) -> Option<Number> {
        let (Number::Short { value: a, scale: a_scale, digits: a_digits }, Number::Short { value: b, scale: b_scale, digits: b_digits }) =
            (a, b)
        else {
            return None;
        };
        match operator {
            Operator::Add | Operator::Subtract => {
                let scale = a_scale.max(b_scale);
                let (a_lift, b_lift) = ((scale - a_scale) as u32, (scale - b_scale) as u32);
                // A sum of two values of 18 digits has its 19th digit in 64 bits as well.
                let digits = (a_digits + a_lift).max(b_digits + b_lift) + 1;
                if digits > SHORT_DIGITS + 1 {
                    return None;
                }
                let a = self.lift(a, a_lift);
                let b = self.lift(b, b_lift);
                let value = if operator == Operator::Add { self.b.ins().iadd(a, b) } else { self.b.ins().isub(a, b) };
                Some(Number::Short { value, scale, digits })
            }
            Operator::Multiply if a_digits + b_digits <= SHORT_DIGITS => {
                let value = self.b.ins().imul(a, b);
                Some(Number::Short { value, scale: a_scale + b_scale, digits: a_digits + b_digits })
            }
            _ => None,
        }
    }

    /// In 128 bits, where code is written inline.
    fn long_operation(&mut self, operator: Operator, a: Number, b: Number, numeric: NumericType) -> Option<Number> {
        if self.is_inline() { self.wide_operation(operator, a, b, numeric) } else { None }
    }

    pub fn lift(&mut self, value: Value, count: u32) -> Value {
        if count == 0 { value } else { self.b.ins().imul_imm_s(value, power_of_ten(count)) }
    }

    fn divide(&mut self, a: Number, b: Number, numeric: NumericType, failed: Option<Block>) -> Number {
        let is_last = matches!(numeric, NumericType::Fixed { digits: ALL_DIGITS, .. });
        if !is_last && let Some(result) = self.short_quotient(a, b, numeric, failed) {
            return result;
        }
        if self.is_inline()
            && let Some(result) = self.wide_quotient(a, b, numeric, failed)
        {
            return result;
        }
        Number::Long(self.quotient_in_memory(a, b, numeric, failed))
    }

    /// A quotient by the run time: the address of a decimal.
    pub fn quotient_in_memory(&mut self, a: Number, b: Number, numeric: NumericType, failed: Option<Block>) -> Value {
        let (left, right) = (self.long_of(a), self.long_of(b));
        let result = self.temporary_address(32);
        let (shape, keep) = (self.i32(packed_shape(numeric)), self.i32(failed.is_some() as i64));
        let zero = self.slot_value(Slot::Divide, &[left, right, shape, keep, result]);
        self.leave_if(zero, failed);
        result
    }

    /// The value of a 64-bit value that is a constant.
    pub fn constant_of(&self, value: Value) -> Option<i64> {
        use cranelift_codegen::ir::{InstructionData, Opcode, ValueDef};
        let ValueDef::Result(instruction, _) = self.b.func.dfg.value_def(value) else {
            return None;
        };
        match self.b.func.dfg.insts[instruction] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    }

    /// A constant other than zero, by which anything can be divided.
    pub fn is_nonzero_constant(&self, value: Value) -> bool {
        self.constant_of(value).is_some_and(|constant| constant != 0)
    }

    /// A quotient whose lifted dividend fits 64 bits.
    fn short_quotient(&mut self, a: Number, b: Number, numeric: NumericType, failed: Option<Block>) -> Option<Number> {
        let (
            Number::Short { value: a, scale: a_scale, digits: a_digits },
            Number::Short { value: b, scale: b_scale, .. },
            NumericType::Fixed { scale, .. },
        ) = (a, b, numeric)
        else {
            return None;
        };
        let lift = scale as i32 - a_scale + b_scale;
        if lift < 0 || a_digits + lift as u32 > SHORT_DIGITS {
            return None;
        }
        if !self.is_nonzero_constant(b) {
            self.check_divisor(b, failed);
        }
        let a = self.lift(a, lift as u32);
        let value = self.b.ins().sdiv(a, b);
        Some(Number::Short { value, scale: scale as i32, digits: a_digits + lift as u32 })
    }

    /// A division by zero branches to `failed`, or interrupts.
    pub fn check_divisor(&mut self, divisor: Value, failed: Option<Block>) {
        let zero = self.b.ins().icmp_imm_s(IntCC::Equal, divisor, 0);
        match failed {
            Some(_) => {
                let zero = self.b.ins().uextend(I32, zero);
                self.leave_if(zero, failed);
            }
            None => self.interrupt_if(zero, le::Exception::DecimalDivide as u8),
        }
    }

    /// Go to `failed` when the value is not zero.
    pub fn leave_if(&mut self, value: Value, failed: Option<Block>) {
        if let Some(failed) = failed {
            let next = self.b.create_block();
            self.branch(value, failed, next);
            self.begin(next);
        }
    }

    fn integer_power(&mut self, base: Number, exponent: &Expression, numeric: NumericType, failed: Option<Block>) -> Number {
        let exponent = self.integer(exponent);
        let exponent = self.b.ins().ireduce(I32, exponent);
        let base = self.long_of(base);
        let result = self.temporary_address(32);
        let (shape, keep) = (self.i32(packed_shape(numeric)), self.i32(failed.is_some() as i64));
        let found = self.slot_value(Slot::Power, &[base, exponent, shape, keep, result]);
        self.undefined_power(found, failed, &[check::ZERO_POWER]);
        Number::Long(result)
    }

    fn float_power(&mut self, base: Value, exponent: Value, failed: Option<Block>) -> Value {
        let result = self.temporary_address(8);
        let keep = self.i32(failed.is_some() as i64);
        let found = self.slot_value(Slot::FloatPower, &[base, exponent, keep, result]);
        self.undefined_power(found, failed, &[check::ZERO_POWER, check::NEGATIVE_BASE]);
        self.b.ins().load(F64, NOTRAP, result, 0)
    }

    /// A power without a result is a size error; without ON SIZE ERROR there is a message and a substitute result.
    fn undefined_power(&mut self, found: Value, failed: Option<Block>, kinds: &[u32]) {
        if failed.is_some() {
            return self.leave_if(found, failed);
        }
        for kind in kinds {
            self.report_power(found, *kind);
        }
    }

    pub fn float_operation(&mut self, operator: Operator, a: Number, b: Number, failed: Option<Block>) -> Number {
        let (a, b) = (self.float_of(a), self.float_of(b));
        let value = match operator {
            Operator::Add => self.b.ins().fadd(a, b),
            Operator::Subtract => self.b.ins().fsub(a, b),
            Operator::Multiply => self.b.ins().fmul(a, b),
            Operator::Divide => {
                let zero = self.f64(0.0);
                let is_zero = self.b.ins().fcmp(cranelift_codegen::ir::condcodes::FloatCC::Equal, b, zero);
                match failed {
                    Some(_) => {
                        let is_zero = self.b.ins().uextend(I32, is_zero);
                        self.leave_if(is_zero, failed);
                    }
                    None => self.interrupt_if(is_zero, le::Exception::FloatDivide as u8),
                }
                self.b.ins().fdiv(a, b)
            }
            Operator::Power => self.float_power(a, b, failed),
        };
        Number::Float(if self.single { self.single_of(value) } else { value })
    }

    /// Store a value with `store_flags`; the result is the size error (32 bits).
    pub fn store_number(&mut self, number: Number, field: &Field, flags: u32) -> Value {
        if let Some(size_error) = self.store_inline(number, field, flags) {
            return size_error;
        }
        if let Number::Wide { value, scale, digits } = number
            && self.is_inline()
            && self.has_inline_store(&field.attributes)
            && field.is_fixed()
        {
            let wide = self.lifted_to(Wide { value, scale, digits }, field.attributes.scale as i32);
            return self.with_narrow(wide, |emitter, number| emitter.store_number(number, field, flags));
        }
        if let Some(size_error) = self.store_double(number, field, flags) {
            return size_error;
        }
        if let Number::Float(value) = number {
            return self.store_float_in_memory(value, field, flags);
        }
        let session = self.session;
        let (area, described) = (self.field_address(field), self.attributes_address(field));
        let flags = self.i32(flags as i64);
        let value = self.long_of(number);
        self.slot_value(Slot::Store, &[session, value, area, described, flags])
    }

    /// Store an integer (count, pointer, result of a command); high-order digits are lost.
    pub fn store_integer(&mut self, value: Value, field: &Field) {
        let session = self.session;
        let (area, described) = (self.field_address(field), self.attributes_address(field));
        self.slot(Slot::StoreInteger, &[session, value, area, described]);
    }

    /// LENGTH OF, in bytes, or characters of a national item.
    pub fn length_of(&mut self, reference: &Reference) -> Value {
        let field = self.field(reference);
        let length = self.length_value(field.length);
        self.b.ins().uextend(I64, length)
    }

    /// ADDRESS OF: the 31-bit address.
    pub fn address_of(&mut self, reference: &Reference) -> Value {
        let field = self.field(reference);
        let address = self.address(field.at);
        self.known_address(address, reference.item)
    }

    fn function_number(&mut self, call: &cobol::program::FunctionCall) -> Number {
        if let Some(user) = call.user {
            let field = self.user_function(user, None);
            return self.load_number(&field);
        }
        self.numeric_function(call)
    }
}

/// Digits of a fixed-point field whose coefficient fits 64 bits with room for the operations of this file.
pub fn short_digits(attributes: &Attributes) -> Option<u32> {
    match attributes.usage {
        // An even number of digits leaves a pad digit that may be filled.
        Usage::Packed if attributes.length <= 8 => Some(2 * attributes.length - 1),
        Usage::Zoned if attributes.digits > 0 && attributes.digits as u32 <= SHORT_DIGITS => Some(attributes.digits as u32),
        Usage::Binary | Usage::NativeBinary => match (attributes.length, attributes.is_signed()) {
            (2, _) => Some(5),
            (4, _) => Some(10),
            (8, true) => Some(19),
            _ => None,
        },
        Usage::Index => Some(10),
        Usage::Pointer | Usage::FunctionPointer => Some(10),
        _ => None,
    }
}

const _: () = assert!(offset_of!(le::functions::Value, decimal) == 16);
