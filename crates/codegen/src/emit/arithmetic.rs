//! ADD, SUBTRACT, MULTIPLY, DIVIDE, COMPUTE.

use super::field::Field;
use super::number::{Number, SHORT_DIGITS, last, packed_shape};
use super::*;
use cobol::program::{
    Arithmetic, Combine, DivideRemainder, Expression, ExpressionKind, NumericType, Operation, Operator, Rounding, Statements, Target,
};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_frontend::Variable;
use le::Usage;
use program::requests::store_flags;

fn flags_of(rounding: Rounding, keep: bool) -> u32 {
    let rounding = match rounding {
        Rounding::Truncation => le::Rounding::Truncation,
        Rounding::NearestAwayFromZero => le::Rounding::NearestAwayFromZero,
        Rounding::NearestEven => le::Rounding::NearestEven,
        Rounding::NearestTowardZero => le::Rounding::NearestTowardZero,
        Rounding::AwayFromZero => le::Rounding::AwayFromZero,
        Rounding::TowardGreater => le::Rounding::TowardGreater,
        Rounding::TowardLesser => le::Rounding::TowardLesser,
        Rounding::Prohibited => le::Rounding::Prohibited,
    };
    rounding as u32 | if keep { store_flags::KEEP } else { 0 }
}

/// Whether a rounding mode depends on more than one place behind the receiver's.
fn sees_rest(rounding: Rounding) -> bool {
    !matches!(rounding, Rounding::Truncation | Rounding::NearestAwayFromZero)
}

impl<'a> Emitter<'_, 'a> {
    pub fn arithmetic(&mut self, statement: &'a Arithmetic) {
        let keep = statement.on_size_error.is_some() || statement.not_on_size_error.is_some();
        let error = keep.then(|| self.new_flag());
        for operation in &statement.operations {
            self.operation(operation, error);
        }
        self.size_error_branches(error, &statement.on_size_error, &statement.not_on_size_error);
    }

    /// A 32-bit variable that is zero.
    fn new_flag(&mut self) -> Variable {
        let variable = self.b.declare_var(I32);
        let zero = self.i32(0);
        self.b.def_var(variable, zero);
        variable
    }

    fn raise_flag(&mut self, variable: Variable, value: Value) {
        let known = self.b.use_var(variable);
        let both = self.b.ins().bor(known, value);
        self.b.def_var(variable, both);
    }

    fn size_error_branches(&mut self, error: Option<Variable>, on: &'a Option<Statements>, not_on: &'a Option<Statements>) {
        let Some(error) = error else {
            return;
        };
        let error = self.b.use_var(error);
        self.two_branches(error, on.as_deref(), not_on.as_deref());
    }

    /// IF value is not zero THEN yes ELSE no.
    pub fn two_branches(
        &mut self,
        value: Value,
        yes: Option<&'a [cobol::program::Statement]>,
        no: Option<&'a [cobol::program::Statement]>,
    ) {
        let next = self.b.create_block();
        let yes_block = if yes.is_some() { self.b.create_block() } else { next };
        let no_block = if no.is_some() { self.b.create_block() } else { next };
        self.branch(value, yes_block, no_block);
        for (statements, block) in [(yes, yes_block), (no, no_block)] {
            if let Some(statements) = statements {
                self.begin(block);
                self.statements(statements);
                self.goto(next);
            }
        }
        self.begin(next);
    }

    fn operation(&mut self, operation: &Operation, error: Option<Variable>) {
        // NUMCHECK checks each operand separately.
        let checked = self.program.options.numcheck.is_some();
        if !checked && (self.add_to_resident(operation, error) || self.add_in_place(operation, error) || self.applied(operation, error)) {
            return;
        }
        let done = self.b.create_block();
        let failed = error.map(|_| self.b.create_block());
        let receivers = |emitter: &Self| {
            operation.targets.iter().all(|target| emitter.layout().descriptor(target.reference.item).usage == Usage::Float4)
        };
        self.single = self.is_single(&operation.value) && receivers(self);
        // With several receivers the value is an intermediate result.
        let value = match operation.targets.as_slice() {
            [target] if operation.combine == Combine::Store => {
                let always = error.is_some();
                let is_last = |operator| always || operator == Operator::Divide && sees_rest(target.rounding);
                self.evaluate_last(&operation.value, is_last, failed)
            }
            _ => self.evaluate(&operation.value, failed),
        };
        self.single = false;
        for target in &operation.targets {
            self.store_result(operation.combine, value, target, error);
        }
        self.finish_operation(done, failed, error);
    }

    /// Combine a value with one target and store the result.
    fn store_result(&mut self, combine: Combine, value: Number, target: &Target, error: Option<Variable>) {
        let flags = flags_of(target.rounding, error.is_some());
        let place = self.place(&target.reference);
        if combine == Combine::Store {
            let size_error = self.store_place(value, &place, flags);
            return self.note_error(error, size_error);
        }
        let after = self.b.create_block();
        // A division by zero spares only the target it concerns.
        let spared = error.map(|_| self.b.create_block());
        if let super::resident::Place::Storage(field) = &place {
            self.check_sender(&target.reference, field);
        }
        let old = self.load_place(&place);
        let result = self.combined(combine, old, value, target, spared);
        let size_error = self.store_place(result, &place, flags);
        self.note_error(error, size_error);
        self.finish_operation(after, spared, error);
    }

    /// Continues at `done`; control that comes through `failed` has had a size error.
    fn finish_operation(&mut self, done: Block, failed: Option<Block>, error: Option<Variable>) {
        self.goto(done);
        if let Some(failed) = failed {
            self.begin(failed);
            let one = self.i32(1);
            self.note_error(error, one);
            self.goto(done);
        }
        self.begin(done);
    }

    fn note_error(&mut self, error: Option<Variable>, value: Value) {
        if let Some(error) = error {
            self.raise_flag(error, value);
        }
    }

    fn combined(&mut self, combine: Combine, old: Number, value: Number, target: &Target, failed: Option<Block>) -> Number {
        let float = |number: &Number| matches!(number, Number::Float(_));
        let operator = match combine {
            Combine::Add => Operator::Add,
            Combine::Subtract => Operator::Subtract,
            Combine::Multiply => Operator::Multiply,
            _ => Operator::Divide,
        };
        if float(&old) || float(&value) || target.numeric == NumericType::Float {
            return self.float_operation(operator, old, value, failed);
        }
        let is_last = failed.is_some() || operator == Operator::Divide && sees_rest(target.rounding);
        let numeric = if is_last { last(operator, target.numeric) } else { target.numeric };
        self.combine(operator, old, value, numeric, failed)
    }

    /// ADD and SUBTRACT of a constant to one item in a register.
    fn add_to_resident(&mut self, operation: &Operation, error: Option<Variable>) -> bool {
        let ([target], ExpressionKind::Number(number)) = (operation.targets.as_slice(), &operation.value.kind) else {
            return false;
        };
        let Some(index) = self.resident_of(&target.reference) else {
            return false;
        };
        let lift = self.layout().descriptor(target.reference.item).scale as i32 - number.scale as i32;
        let lifted = u32::try_from(lift).ok().filter(|lift| *lift <= SHORT_DIGITS).and_then(|lift| {
            let value = i64::try_from(number.value).ok()?.checked_mul(super::number::power_of_ten(lift))?;
            match operation.combine {
                Combine::Add => Some(value),
                Combine::Subtract => Some(-value),
                _ => None,
            }
        });
        let Some(constant) = lifted else {
            return false;
        };
        let Some(size_error) = self.add_constant(index, constant, flags_of(target.rounding, error.is_some())) else {
            return false;
        };
        self.note_error(error, size_error);
        true
    }

    /// ADD and SUBTRACT of packed items and constants: the digits are added directly, without conversion.
    fn add_in_place(&mut self, operation: &Operation, error: Option<Variable>) -> bool {
        if !self.is_inline() || !matches!(operation.combine, Combine::Add | Combine::Subtract) {
            return false;
        }
        let Some(plan) = self.packed_operand(&operation.value) else {
            return false;
        };
        let suits = operation.targets.iter().all(|target| self.takes_packed(target, &plan));
        if !suits || operation.targets.len() > 2 {
            return false;
        }
        let (nibbles, minus) = self.packed_value(&plan);
        for target in &operation.targets {
            let field = self.field(&target.reference);
            self.add_packed(&field, nibbles, minus, plan.scale, operation.combine, error);
        }
        true
    }

    /// In cold code: one item or constant to each target, by the run time in one call.
    fn applied(&mut self, operation: &Operation, error: Option<Variable>) -> bool {
        let code = match operation.combine {
            Combine::Add => le::numeric::Operation::Add,
            Combine::Subtract => le::numeric::Operation::Subtract,
            Combine::Multiply => le::numeric::Operation::Multiply,
            Combine::Divide => le::numeric::Operation::Divide,
            _ => return false,
        };
        // The value is evaluated once, before the first target changes: an item can be read again for one target only.
        let suits = |target: &Target| matches!(target.numeric, NumericType::Fixed { truncated: false, .. });
        let fixed = operation.targets.iter().all(|target| suits(target) && self.is_applied_item(&target.reference));
        if self.hot || !fixed {
            return false;
        }
        let source = match &operation.value.kind {
            ExpressionKind::Number(number) if number.digits <= SHORT_DIGITS as u8 => self.number_constant(number),
            ExpressionKind::Reference(reference) if operation.targets.len() == 1 && self.is_applied_item(reference) => {
                self.field(reference)
            }
            _ => return false,
        };
        for target in &operation.targets {
            let field = self.field(&target.reference);
            let flags = flags_of(target.rounding, error.is_some()) | (code as u32) << store_flags::OPERATION_SHIFT;
            let session = self.session;
            let flags = self.i32(flags as i64);
            let (from, from_attributes) = (self.field_address(&source), self.attributes_address(&source));
            let (to, to_attributes) = (self.field_address(&field), self.attributes_address(&field));
            let size_error = self.slot_value(Slot::Apply, &[session, flags, from, from_attributes, to, to_attributes]);
            self.note_error(error, size_error);
        }
        true
    }

    /// A fixed-point item that surely holds no more digits than intermediate results carry: a doubleword may, and then they are cut,
    /// which one call does not do.
    fn is_applied_item(&self, reference: &cobol::program::Reference) -> bool {
        let attributes = self.layout().descriptor(reference.item);
        let doubleword = matches!(attributes.usage, Usage::Binary | Usage::NativeBinary) && attributes.length == 8;
        self.is_fixed_item(reference) && !doubleword
    }

    /// A fixed-point item in storage.
    pub fn is_fixed_item(&self, reference: &cobol::program::Reference) -> bool {
        self.layout().descriptor(reference.item).is_fixed() && reference.modification.is_none() && self.resident_of(reference).is_none()
    }

    fn packed_operand(&self, value: &Expression) -> Option<PackedOperand> {
        match &value.kind {
            ExpressionKind::Number(number) => {
                let magnitude = u64::try_from(number.value.unsigned_abs()).ok()?;
                let digits = magnitude.checked_ilog10().map_or(1, |log| log + 1);
                (digits <= 15).then_some(PackedOperand {
                    scale: number.scale as i32,
                    digits,
                    constant: Some((magnitude, number.value < 0)),
                    reference: None,
                })
            }
            ExpressionKind::Reference(reference) => {
                let attributes = self.layout().descriptor(reference.item);
                let stored = reference.modification.is_none() && self.resident_of(reference).is_none();
                let suits = attributes.usage == Usage::Packed && attributes.length <= 8 && stored;
                suits.then(|| PackedOperand {
                    scale: attributes.scale as i32,
                    digits: 2 * attributes.length - 1,
                    constant: None,
                    reference: Some(reference.clone()),
                })
            }
            _ => None,
        }
    }

    fn takes_packed(&self, target: &Target, operand: &PackedOperand) -> bool {
        let attributes = self.layout().descriptor(target.reference.item);
        let lift = attributes.scale as i32 - operand.scale;
        attributes.usage == Usage::Packed
            && attributes.length <= 8
            && target.reference.modification.is_none()
            && self.resident_of(&target.reference).is_none()
            && lift >= 0
            // A carry out of the fifteenth digit must stay visible, so the sum of the operands has at most 15 digits.
            && operand.digits + lift as u32 <= 14
            && 2 * attributes.length - 1 <= 15
    }

    fn packed_value(&mut self, operand: &PackedOperand) -> (Value, Value) {
        if let Some((magnitude, minus)) = operand.constant {
            let nibbles = u64::from_str_radix(&magnitude.to_string(), 16).expect("at most 15 decimal digits");
            return (self.i64(nibbles as i64), self.i64(if minus { -1 } else { 0 }));
        }
        let reference = operand.reference.as_ref().expect("a constant or a reference");
        let field = self.field(reference);
        let word = self.load_nibbles(field.at, field.length.most());
        let minus = if field.attributes.is_signed() { self.nibble_minus(word) } else { self.i64(0) };
        (self.b.ins().ushr_imm_u(word, 4), minus)
    }

    fn add_packed(&mut self, field: &Field, nibbles: Value, minus: Value, scale: i32, combine: Combine, error: Option<Variable>) {
        let attributes = field.attributes;
        let lift = (attributes.scale as i32 - scale) as i64;
        let addend = if lift == 0 { nibbles } else { self.b.ins().ishl_imm_u(nibbles, 4 * lift) };
        let addend_minus = if combine == Combine::Subtract { self.b.ins().bnot(minus) } else { minus };
        let word = self.load_nibbles(field.at, field.length.most());
        let old = self.b.ins().ushr_imm_u(word, 4);
        let old_minus = if attributes.is_signed() { self.nibble_minus(word) } else { self.i64(0) };
        let (sum, sum_minus) = self.signed_nibble_sum(old, old_minus, addend, addend_minus);
        let keep = error.is_some();
        let limit = (1i64 << (4 * attributes.digits as i64)) - 1;
        let mut stored = sum;
        if attributes.digits < 16 {
            let inside = self.i64(limit);
            let over = self.b.ins().icmp(IntCC::UnsignedGreaterThan, sum, inside);
            if keep {
                let over = self.b.ins().uextend(I32, over);
                self.note_error(error, over);
                let field = *field;
                return self.store_unless(over, store_flags::KEEP, move |emitter| {
                    emitter.store_nibbles(sum, sum_minus, field.at, &field.attributes)
                });
            }
            stored = self.b.ins().band(sum, inside);
        }
        self.store_nibbles(stored, sum_minus, field.at, &attributes);
    }

    /// Sum of two signed nibble numbers: magnitude and sign.
    fn signed_nibble_sum(&mut self, a: Value, a_minus: Value, b: Value, b_minus: Value) -> (Value, Value) {
        let (same, opposite, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let sum = self.b.append_block_param(done, I64);
        let minus = self.b.append_block_param(done, I64);
        let differ = self.b.ins().bxor(a_minus, b_minus);
        self.branch(differ, opposite, same);
        self.begin(same);
        let added = self.add_nibbles(a, b);
        self.b.ins().jump(done, &[added.into(), a_minus.into()]);
        self.begin(opposite);
        let first = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, a, b);
        let larger = self.b.ins().select(first, a, b);
        let smaller = self.b.ins().select(first, b, a);
        let sign = self.b.ins().select(first, a_minus, b_minus);
        let difference = self.subtract_nibbles(larger, smaller);
        self.b.ins().jump(done, &[difference.into(), sign.into()]);
        self.begin(done);
        (sum, minus)
    }

    pub fn divide_remainder(&mut self, statement: &'a DivideRemainder) {
        let keep = statement.on_size_error.is_some() || statement.not_on_size_error.is_some();
        let error = keep.then(|| self.new_flag());
        let done = self.b.create_block();
        let failed = error.map(|_| self.b.create_block());
        let dividend = self.evaluate(&statement.dividend, failed);
        let divisor = self.evaluate(&statement.divisor, failed);
        let float = |number: &Number| matches!(number, Number::Float(_));
        if float(&dividend) || float(&divisor) {
            self.refuse("DIVIDE with REMAINDER takes no floating-point operand");
        }
        if let Some((quotient, remainder)) = self.short_division(dividend, divisor, &statement.quotient, failed) {
            self.store_division(statement, quotient, remainder, error, done);
            self.finish_operation(done, failed, error);
            return self.size_error_branches(error, &statement.on_size_error, &statement.not_on_size_error);
        }
        let (dividend, divisor) = (self.long_of(dividend), self.long_of(divisor));
        // With places for ROUNDED; the remainder uses the truncated quotient.
        let quotient = self.quotient(dividend, divisor, &statement.quotient, failed);
        let truncated = self.truncated_quotient(quotient, &statement.quotient);
        let remainder = self.temporary_address(32);
        self.slot(Slot::Remainder, &[dividend, divisor, truncated, remainder]);
        self.store_division(statement, Number::Long(quotient), Number::Long(remainder), error, done);
        self.finish_operation(done, failed, error);
        self.size_error_branches(error, &statement.on_size_error, &statement.not_on_size_error);
    }

    /// Stores quotient and remainder; ends at a point from which control continues at `done`.
    fn store_division(
        &mut self,
        statement: &'a DivideRemainder,
        quotient: Number,
        remainder: Number,
        error: Option<Variable>,
        done: Block,
    ) {
        let place = self.place(&statement.quotient.reference);
        let flags = flags_of(statement.quotient.rounding, error.is_some());
        let size_error = self.store_place(quotient, &place, flags);
        self.note_error(error, size_error);
        // After a size error of the quotient the remainder is unchanged.
        let store_remainder = self.b.create_block();
        if error.is_some() {
            self.branch(size_error, done, store_remainder);
        } else {
            self.goto(store_remainder);
        }
        self.begin(store_remainder);
        let place = self.place(&statement.remainder.reference);
        let flags = flags_of(statement.remainder.rounding, error.is_some());
        let size_error = self.store_place(remainder, &place, flags);
        self.note_error(error, size_error);
    }

    /// Quotient cut at the target's places and remainder, in 64 bits.
    fn short_division(&mut self, dividend: Number, divisor: Number, target: &Target, failed: Option<Block>) -> Option<(Number, Number)> {
        let (
            Number::Short { value: a, scale: a_scale, digits: a_digits },
            Number::Short { value: b, scale: b_scale, digits: b_digits },
            Rounding::Truncation,
        ) = (dividend, divisor, target.rounding)
        else {
            return None;
        };
        let scale = self.layout().descriptor(target.reference.item).scale as i32;
        let lift = scale - a_scale + b_scale;
        if lift < 0 || a_digits + lift as u32 > SHORT_DIGITS || b_digits > SHORT_DIGITS {
            return None;
        }
        self.check_divisor(b, failed);
        let a = self.lift(a, lift as u32);
        let quotient = self.b.ins().sdiv(a, b);
        let product = self.b.ins().imul(quotient, b);
        let remainder = self.b.ins().isub(a, product);
        let digits = a_digits + lift as u32;
        Some((
            Number::Short { value: quotient, scale, digits },
            Number::Short { value: remainder, scale: a_scale + lift, digits: b_digits.min(digits) },
        ))
    }

    fn quotient(&mut self, dividend: Value, divisor: Value, target: &Target, failed: Option<Block>) -> Value {
        let scale = self.layout().descriptor(target.reference.item).scale;
        let cut = NumericType::Fixed { digits: 38, scale: scale + 1, truncated: true };
        let numeric = if failed.is_some() || sees_rest(target.rounding) { last(Operator::Divide, cut) } else { cut };
        let (shape, keep) = (self.i32(packed_shape(numeric)), self.i32(failed.is_some() as i64));
        let result = self.temporary_address(32);
        let zero = self.slot_value(Slot::Divide, &[dividend, divisor, shape, keep, result]);
        self.leave_if(zero, failed);
        result
    }

    /// The quotient at the target's places, without rounding.
    fn truncated_quotient(&mut self, quotient: Value, target: &Target) -> Value {
        let scale = self.layout().descriptor(target.reference.item).scale;
        let attributes = le::Attributes::packed(31, scale, true);
        let field = self.temporary_field(attributes);
        self.store_number(Number::Long(quotient), &field, 0);
        let result = self.temporary_address(32);
        let (area, described) = (self.field_address(&field), self.attributes_address(&field));
        let session = self.session;
        self.slot(Slot::Load, &[session, area, described, result]);
        result
    }
}

/// An operand whose digits are available as nibbles.
struct PackedOperand {
    scale: i32,
    digits: u32,
    constant: Option<(u64, bool)>,
    reference: Option<cobol::program::Reference>,
}
