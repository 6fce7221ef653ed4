//! Intrinsic functions: the arguments are passed as an array of values, the result is a value on the stack.

use super::field::{At, Field, Length};
use super::moves::Source;
use super::number::Number;
use super::*;
use cobol::program::{
    Expression, ExpressionKind, Function, FunctionCall, FunctionResult, ItemId, NumericType, Operand, Operator, Reference, Subscript,
};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_frontend::Variable;
use le::functions::{Value as FunctionValue, ValueKind};
use le::{Attributes, Usage};
use program::requests::service;

const VALUE_LENGTH: usize = std::mem::size_of::<FunctionValue>();
/// Result buffers and argument lists up to this size are on the stack, larger ones in program storage.
const STACK_BYTES_MAX: u32 = 8192;

/// Functions whose numeric arguments are treated as characters.
fn takes_characters(function: Function) -> bool {
    use Function::*;
    matches!(
        function,
        BitOf
            | BitToChar
            | ByteLength
            | Concatenate
            | HexOf
            | HexToChar
            | Length
            | LowerCase
            | NationalOf
            | DisplayOf
            | Numval
            | NumvalC
            | NumvalF
            | Ord
            | Reverse
            | StoredCharLength
            | Substitute
            | TestNumval
            | TestNumvalC
            | TestNumvalF
            | Trim
            | Ulength
            | Upos
            | UpperCase
            | Usubstr
            | Usupplementary
            | Uvalid
            | Uwidth
    )
}

/// Days from 15 October 1582, day 1 of INTDATE(LILIAN), to 1 January 1601, day 1 of INTDATE(ANSI).
const LILIAN_DAYS: i128 = 6653;

/// Which argument of a function is an integer date.
fn date_argument(function: Function) -> Option<usize> {
    match function {
        Function::DateOfInteger | Function::DayOfInteger => Some(0),
        Function::FormattedDate | Function::FormattedDatetime => Some(1),
        _ => None,
    }
}

fn gives_date(function: Function) -> bool {
    matches!(function, Function::IntegerOfDate | Function::IntegerOfDay | Function::IntegerOfFormattedDate)
}

/// The argument and so many days.
fn with_days(argument: &Operand, days: i128) -> Operand {
    let numeric = NumericType::Fixed { digits: 9, scale: 0, truncated: false };
    let node = |kind| Box::new(Expression { kind, numeric, span: argument.span() });
    let date = match argument {
        Operand::Expression(expression) => expression.clone(),
        Operand::Reference(reference) => node(ExpressionKind::Reference(reference.clone())),
        Operand::Function(function) => node(ExpressionKind::Function(function.clone())),
        Operand::Literal(cobol::program::Literal { value: cobol::program::LiteralValue::Numeric(number), .. }) => {
            node(ExpressionKind::Number(*number))
        }
        _ => return argument.clone(),
    };
    let days = node(ExpressionKind::Number(cobol::program::Number::integer(days, 4)));
    Operand::Expression(node(ExpressionKind::Binary { operator: Operator::Add, left: date, right: days }))
}

impl Emitter<'_, '_> {
    /// A numeric function's value, with dates counted according to INTDATE.
    pub fn numeric_function(&mut self, call: &FunctionCall) -> Number {
        let value = self.call_function(call);
        let number = self.function_value(value, call.result);
        if !self.program.options.lilian_dates || !gives_date(call.function) {
            return number;
        }
        let days = self.constant_number(LILIAN_DAYS, 0);
        let numeric = NumericType::Fixed { digits: 9, scale: 0, truncated: false };
        self.combine(Operator::Add, number, days, numeric, None)
    }

    /// Call a function: the address of its value.
    pub fn call_function(&mut self, call: &FunctionCall) -> Value {
        let Some(function) = le::functions::find(call.function.name()) else {
            self.refuse(format!("FUNCTION {} is not available", call.function.name()));
            return self.null();
        };
        let most = call.arguments.iter().fold(0_u32, |most, argument| most.saturating_add(self.argument_count(argument)));
        let list = self.scratch(most.max(1).saturating_mul(VALUE_LENGTH as u32));
        let position = self.b.declare_var(I64);
        self.b.def_var(position, list);
        for (number, argument) in call.arguments.iter().enumerate() {
            let counted;
            let argument = if self.program.options.lilian_dates && date_argument(call.function) == Some(number) {
                counted = with_days(argument, -LILIAN_DAYS);
                &counted
            } else {
                argument
            };
            // Only the first argument of these is text: a code page, positions and lengths follow.
            let followed =
                matches!(call.function, Function::NationalOf | Function::DisplayOf | Function::Upos | Function::Usubstr | Function::Uwidth);
            let function = if number > 0 && followed { Function::Abs } else { call.function };
            self.function_argument(function, argument, position);
        }
        let buffer_length = match call.result {
            FunctionResult::Alphanumeric { length_max } | FunctionResult::National { length_max } | FunctionResult::Utf8 { length_max } => {
                length_max.max(64)
            }
            _ => 64,
        };
        let buffer = self.scratch(buffer_length);
        let result = self.temporary_address(VALUE_LENGTH as u32);
        let end = self.b.use_var(position);
        let bytes = self.b.ins().isub(end, list);
        let count = self.b.ins().udiv_imm_u(bytes, VALUE_LENGTH as i64);
        let count = self.b.ins().ireduce(I32, count);
        let (number, length) = (self.i32(function.0 as i64), self.i32(buffer_length as i64));
        let frame = self.frame;
        self.slot(Slot::Function, &[frame, number, list, count, buffer, length, result]);
        result
    }

    /// A numeric function's value: of the kind the compiler expects, whatever kind the run time found.
    fn function_value(&mut self, value: Value, result: FunctionResult) -> Number {
        let kind = self.b.ins().load(I32, NOTRAP, value, offset_of!(FunctionValue, kind) as i32);
        let decimal = self.b.ins().iadd_imm_s(value, offset_of!(FunctionValue, decimal) as i64);
        let float_offset = offset_of!(FunctionValue, float) as i32;
        let is_float = self.b.ins().icmp_imm_u(IntCC::Equal, kind, ValueKind::Float as i64);
        let (float, fixed, next) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        if result == FunctionResult::Float {
            let found = self.b.append_block_param(next, F64);
            self.branch(is_float, float, fixed);
            self.begin(float);
            let own = self.b.ins().load(F64, NOTRAP, value, float_offset);
            self.b.ins().jump(next, &[own.into()]);
            self.begin(fixed);
            let converted = self.slot_value(Slot::ToFloat, &[decimal]);
            self.b.ins().jump(next, &[converted.into()]);
            self.begin(next);
            return Number::Float(found);
        }
        self.branch(is_float, float, next);
        self.begin(float);
        let own = self.b.ins().load(F64, NOTRAP, value, float_offset);
        let scale = match result {
            FunctionResult::Fixed { scale, .. } => scale as i64,
            _ => 0,
        };
        let (scale, rounding) = (self.i32(scale), self.i32(le::Rounding::NearestAwayFromZero as i64));
        self.slot(Slot::FromFloat, &[own, scale, rounding, decimal]);
        self.goto(next);
        self.begin(fixed);
        self.goto(next);
        self.begin(next);
        Number::Long(decimal)
    }

    pub fn scratch(&mut self, bytes: u32) -> Value {
        if bytes <= STACK_BYTES_MAX {
            return self.temporary_address(bytes);
        }
        if !self.layout_mut().has_room_for_temporary(bytes) {
            // The abend names this statement if there is no storage.
            self.note_statement(self.current.0);
            let words = self.temporary_address(16);
            let number = self.layout_mut().next_scratch_area();
            let (number, length) = (self.i64(i64::from(number)), self.i64(i64::from(bytes)));
            self.store(number, words, 0);
            self.store(length, words, 8);
            return self.service(service::SCRATCH, words, 2);
        }
        let room = self.layout_mut().take_working(bytes);
        self.b.ins().iadd_imm_s(self.working, room as i64)
    }

    /// The dimensions an argument runs through with ALL.
    fn all_dimensions(&self, argument: &Operand) -> Vec<(usize, ItemId)> {
        let Operand::Reference(reference) = argument else {
            return Vec::new();
        };
        let dimensions = &self.program.item(reference.item).dimensions;
        let pairs = dimensions.iter().zip(&reference.subscripts).enumerate();
        pairs.filter(|(_, (_, subscript))| matches!(subscript, Subscript::All)).map(|(at, (item, _))| (at, *item)).collect()
    }

    fn argument_count(&self, argument: &Operand) -> u32 {
        self.all_dimensions(argument)
            .iter()
            .map(|(_, item)| self.program.item(*item).occurs.as_ref().map_or(1, |occurs| occurs.max))
            .fold(1, u32::saturating_mul)
    }

    fn function_argument(&mut self, function: Function, argument: &Operand, position: Variable) {
        let dimensions = self.all_dimensions(argument);
        let Operand::Reference(reference) = argument else {
            return self.one_argument(function, argument, position);
        };
        let mut reference = reference.clone();
        self.each_occurrence(function, &mut reference, &dimensions, position);
    }

    /// Nested loops over the ALL dimensions.
    fn each_occurrence(&mut self, function: Function, reference: &mut Reference, dimensions: &[(usize, ItemId)], position: Variable) {
        let Some(((at, table), inner)) = dimensions.split_first() else {
            let operand = Operand::Reference(reference.clone());
            return self.one_argument(function, &operand, position);
        };
        let count = self.occurrences(*table);
        reference.subscripts[*at] = Subscript::Loop(self.loop_variables.len() as u32);
        self.counted_loop(count, |emitter, number| {
            emitter.loop_variables.push(number);
            emitter.each_occurrence(function, reference, inner, position);
            emitter.loop_variables.pop();
        });
    }

    /// Run the body with numbers from 1 to `count` (32 bits).
    pub fn counted_loop(&mut self, count: Value, body: impl FnOnce(&mut Self, Value)) {
        let (head, run, exit) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let number = self.b.append_block_param(head, I32);
        let one = self.i32(1);
        self.b.ins().jump(head, &[one.into()]);
        self.begin(head);
        let more = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, number, count);
        self.branch(more, run, exit);
        self.begin(run);
        body(self, number);
        let next = self.b.ins().iadd_imm_s(number, 1);
        self.b.ins().jump(head, &[next.into()]);
        self.begin(exit);
    }

    fn one_argument(&mut self, function: Function, argument: &Operand, position: Variable) {
        let at = self.b.use_var(position);
        match self.source(argument) {
            Source::Number(number, _) => self.number_argument(number, at),
            Source::Field(field) => {
                if let (Operand::Reference(reference), false) = (argument, takes_characters(function)) {
                    self.check_sender(reference, &field);
                }
                self.field_argument(function, &field, at);
            }
            Source::Literal(literal) => {
                if let cobol::program::LiteralValue::Numeric(constant) = &literal.value
                    // TRIM's second argument selects the side.
                    && (!takes_characters(function) || function == Function::Trim)
                {
                    let number = self.constant_number(constant.value, constant.scale as i32);
                    self.number_argument(number, at);
                } else {
                    let field = self.literal_field(&literal);
                    self.field_argument(function, &field, at);
                }
            }
            Source::Figurative(cobol::program::Figurative::Zero) if !takes_characters(function) => {
                let zero = self.constant_number(0, 0);
                self.number_argument(zero, at);
            }
            other => {
                let field = self.as_field(other);
                self.field_argument(function, &field, at);
            }
        }
        let next = self.b.ins().iadd_imm_s(at, VALUE_LENGTH as i64);
        self.b.def_var(position, next);
    }

    fn field_argument(&mut self, function: Function, field: &Field, at: Value) {
        let attributes = field.attributes;
        if (attributes.is_numeric() || attributes.usage == Usage::Index) && !takes_characters(function) {
            let number = self.load_number(field);
            return self.number_argument(number, at);
        }
        let kind = match attributes.usage {
            _ if attributes.is_national() => ValueKind::National,
            Usage::Utf8 => ValueKind::Utf8,
            _ => ValueKind::Alphanumeric,
        };
        let (address, length) = self.bytes_of(field);
        // The functions get the characters of a UTF-8 item, without the unused bytes behind them.
        let length = match attributes.edit {
            characters if attributes.usage == Usage::Utf8 && characters > 0 => {
                let characters = self.i64(i64::from(characters));
                let bytes = self.utf8_offset(address, length, characters);
                self.b.ins().ireduce(I32, bytes)
            }
            _ => length,
        };
        let kind = self.i32(kind as i64);
        self.store(kind, at, offset_of!(FunctionValue, kind));
        self.store(length, at, offset_of!(FunctionValue, length));
        self.store(address, at, offset_of!(FunctionValue, address));
    }

    fn number_argument(&mut self, number: Number, at: Value) {
        if let Number::Float(value) = number {
            let kind = self.i32(ValueKind::Float as i64);
            self.store(kind, at, offset_of!(FunctionValue, kind));
            self.store(value, at, offset_of!(FunctionValue, float));
            return;
        }
        let kind = self.i32(ValueKind::Decimal as i64);
        self.store(kind, at, offset_of!(FunctionValue, kind));
        let decimal = self.long_of(number);
        for offset in [0, 8, 16] {
            let part = self.b.ins().load(I64, NOTRAP, decimal, offset);
            self.store(part, at, offset_of!(FunctionValue, decimal) + offset as usize);
        }
    }

    /// The characters a function returned.
    pub fn function_text(&mut self, value: Value, call: &FunctionCall, length_max: u32, usage: Usage) -> Field {
        let address = self.b.ins().load(I64, NOTRAP, value, offset_of!(FunctionValue, address) as i32);
        let length = self.b.ins().load(I32, NOTRAP, value, offset_of!(FunctionValue, length) as i32);
        let attributes = Attributes::new(usage, length_max);
        let mut at = At { base: address, offset: 0 };
        let mut length = Length::Varying(length, length_max);
        if let Some(modification) = &call.modification {
            let width: i64 = if usage == Usage::National { 2 } else { 1 };
            let start = self.integer(&modification.start);
            let characters = modification.length.as_ref().map(|size| self.integer(size));
            // The result is not in the program's storage: no modifier may lead outside it, with or without SSRANGE. A result without length
            // is unchanged.
            let asked = match characters {
                Some(size) => {
                    let one = self.i64(1);
                    self.b.ins().smax(size, one)
                }
                None => self.i64(program::requests::REST_OF_ITEM),
            };
            let whole = self.length_value(length);
            let whole_characters = if width == 1 { whole } else { self.b.ins().ushr_imm_u(whole, 1) };
            self.slot(Slot::CheckReference, &[start, asked, whole_characters]);
            let before = self.b.ins().iadd_imm_s(start, -1);
            let before = self.b.ins().imul_imm_s(before, width);
            at = At { base: self.b.ins().iadd(address, before), offset: 0 };
            let size = match characters {
                Some(size) => {
                    let none = self.i64(0);
                    let size = self.b.ins().smax(size, none);
                    self.b.ins().imul_imm_s(size, width)
                }
                None => {
                    let whole = self.b.ins().uextend(I64, whole);
                    self.b.ins().isub(whole, before)
                }
            };
            length = Length::Varying(self.b.ins().ireduce(I32, size), length_max);
        }
        Field { at, length, attributes, extent: None }
    }
}
