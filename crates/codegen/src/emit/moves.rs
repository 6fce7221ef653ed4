//! MOVE, and operands as sending items.

use super::constant::{INLINE_BYTES_MAX, figurative_number};
use super::field::{At, Field, Length};
use super::float::is_internal_float;
use super::number::{Number, short_digits};
use super::resident::Place;
use super::*;
use cobol::program::{BaseKind, Figurative, FunctionResult, LiteralEncoding, LiteralValue, Move, Operand, Reference, varying_length};
use le::{Attributes, Usage};

/// A sending operand, evaluated.
#[derive(Clone, Debug)]
pub enum Source {
    Field(Field),
    Literal(cobol::program::Literal),
    Figurative(Figurative),
    /// A number with the description of its digits.
    Number(Number, Attributes),
}

/// Bytes that are moved as they are.
fn is_characters(attributes: &Attributes) -> bool {
    matches!(attributes.usage, Usage::Group | Usage::Alphanumeric | Usage::Alphabetic | Usage::AlphanumericEdited | Usage::NumericEdited)
        && !attributes.has(Attributes::NATIONAL_GROUP)
}

/// HIGH-VALUE: in UTF-8 the last code point.
fn high_value(usage: Usage) -> &'static [u8] {
    match usage {
        Usage::National => &[0xFF, 0xFF],
        Usage::Utf8 => &[0xF4, 0x8F, 0xBF, 0xBF],
        _ => &[0xFF],
    }
}

/// Digits without a sign: their bytes are the characters that they are.
fn is_digits(attributes: &Attributes) -> bool {
    attributes.usage == Usage::Zoned && !attributes.is_signed() && attributes.scale >= 0
}

fn is_plain_receiver(attributes: &Attributes) -> bool {
    matches!(attributes.usage, Usage::Group | Usage::Alphanumeric | Usage::Alphabetic)
        && !attributes.has(Attributes::JUSTIFIED | Attributes::NATIONAL_GROUP)
}

/// The result of moving a literal or figurative constant is made at compile time, if it is not longer. A longer one would make the load
/// module as long as the data.
const MOVED_BYTES_MAX: u32 = 4096;

impl Emitter<'_, '_> {
    pub fn source(&mut self, operand: &Operand) -> Source {
        match operand {
            Operand::Reference(reference) => Source::Field(self.field(reference)),
            Operand::Literal(literal) => match &literal.value {
                LiteralValue::Figurative(figurative) => Source::Figurative(figurative.clone()),
                LiteralValue::Null => Source::Figurative(Figurative::Null),
                _ => Source::Literal(literal.clone()),
            },
            Operand::Figurative(figurative, _) => Source::Figurative(figurative.clone()),
            Operand::Function(call) => self.function_source(call),
            Operand::AddressOf(reference) => {
                let value = self.address_of(reference);
                Source::Number(Number::Short { value, scale: 0, digits: 10 }, Attributes::new(Usage::Pointer, 4))
            }
            Operand::LengthOf(reference) => {
                // PIC 9(9) USAGE BINARY.
                let value = self.length_of(reference);
                Source::Number(Number::Short { value, scale: 0, digits: 9 }, Attributes::binary(9, 0, false))
            }
            Operand::Expression(expression) => {
                let number = self.evaluate(expression, None);
                let attributes = match expression.numeric {
                    cobol::program::NumericType::Fixed { digits, scale, .. } => Attributes::packed(digits.min(31), scale, true),
                    cobol::program::NumericType::Float => Attributes::float8(),
                };
                Source::Number(number, attributes)
            }
        }
    }

    fn function_source(&mut self, call: &cobol::program::FunctionCall) -> Source {
        if let Some(user) = call.user {
            return Source::Field(self.user_function(user, call.modification.clone()));
        }
        match call.result {
            FunctionResult::Alphanumeric { length_max } => {
                let value = self.call_function(call);
                Source::Field(self.function_text(value, call, length_max, Usage::Alphanumeric))
            }
            FunctionResult::National { length_max } => {
                let value = self.call_function(call);
                Source::Field(self.function_text(value, call, length_max, Usage::National))
            }
            FunctionResult::Utf8 { length_max } => {
                let value = self.call_function(call);
                Source::Field(self.function_text(value, call, length_max, Usage::Utf8))
            }
            FunctionResult::Fixed { digits, scale } => {
                Source::Number(self.numeric_function(call), Attributes::packed(digits.min(31), scale, true))
            }
            FunctionResult::Float => Source::Number(self.numeric_function(call), Attributes::float8()),
        }
    }

    /// A sending operand as a field: numbers and constants get an area of their own.
    pub fn source_field(&mut self, operand: &Operand) -> Field {
        match self.source(operand) {
            Source::Field(field) => field,
            Source::Literal(literal) => self.literal_field(&literal),
            Source::Figurative(figurative) => {
                let bytes = self.figurative_bytes(&figurative, Usage::Alphanumeric);
                let attributes = Attributes::alphanumeric(bytes.len() as u32).with_flags(Attributes::LITERAL);
                self.constant_field(&bytes, attributes)
            }
            Source::Number(number, attributes) => self.number_field(number, attributes),
        }
    }

    /// A number in an area of its own.
    pub fn number_field(&mut self, number: Number, attributes: Attributes) -> Field {
        let attributes = match attributes.usage {
            Usage::Pointer => Attributes::native_binary(9, 0, false).with_length(4),
            _ => attributes,
        };
        let field = self.temporary_field(attributes);
        self.store_number(number, &field, 0);
        field
    }

    /// One character (or the characters of ALL) of a figurative constant among characters of a usage.
    pub fn figurative_bytes(&self, figurative: &Figurative, usage: Usage) -> Vec<u8> {
        let page = self.layout().session.code_page;
        let byte = match figurative {
            Figurative::Zero => page.ascii(b'0'),
            Figurative::Space => page.space,
            Figurative::HighValue => return high_value(usage).to_vec(),
            Figurative::LowValue | Figurative::Null => 0,
            Figurative::Quote => self.layout().session.quote,
            Figurative::All { bytes, encoding } => return self.all_bytes(bytes, *encoding, usage),
        };
        let character = page.character_of(byte);
        match usage {
            Usage::National => (character as u16).to_be_bytes().to_vec(),
            Usage::Utf8 => character.to_string().into_bytes(),
            _ => vec![byte],
        }
    }

    /// The characters of an ALL literal among characters of a usage.
    pub fn all_bytes(&self, bytes: &[u8], encoding: LiteralEncoding, usage: Usage) -> Vec<u8> {
        let wanted = match usage {
            Usage::National | Usage::NationalEdited => LiteralEncoding::National,
            Usage::Utf8 => LiteralEncoding::Utf8,
            _ => LiteralEncoding::CodePage,
        };
        if encoding == wanted {
            return bytes.to_vec();
        }
        let page = self.layout().session.code_page;
        wanted.page(page).encode(&encoding.page(page).decode(bytes))
    }

    pub fn move_statement(&mut self, statement: &Move) {
        if let Operand::Reference(reference) = &statement.from
            && let Some(index) = self.resident_of(reference)
        {
            return self.move_resident(reference, index, &statement.to);
        }
        self.check_moved(&statement.from, &statement.to);
        let source = self.source(&statement.from);
        for target in &statement.to {
            self.move_to(&source, target);
        }
    }

    pub fn move_operand(&mut self, from: &Operand, to: &Reference) {
        let source = self.source(from);
        self.move_to(&source, to);
    }

    /// A number in a register to numbers; any other move uses its bytes.
    fn move_resident(&mut self, from: &Reference, index: usize, to: &[Reference]) {
        for target in to {
            let attributes = self.layout().descriptor(target.item);
            // The conversion of floating point to fixed point has its own rules.
            let float = is_internal_float(&self.layout().descriptor(from.item));
            let numeric = if float { is_internal_float(&attributes) } else { attributes.is_fixed() || attributes.usage == Usage::Index };
            if numeric && target.modification.is_none() {
                let number = self.load_place(&Place::Register(index));
                let place = self.place(target);
                self.store_place(number, &place, 0);
            } else {
                let field = self.field(from);
                self.move_to(&Source::Field(field), target);
            }
        }
    }

    /// A number to an item in a register.
    fn move_to_resident(&mut self, source: &Source, place: &Place) {
        let number = match source {
            Source::Field(field) => self.load_number(field),
            Source::Number(number, _) => *number,
            Source::Literal(literal) => match &literal.value {
                LiteralValue::Numeric(number) => self.constant_number(number.value, number.scale as i32),
                _ => return self.refuse("a MOVE of characters to an item in a register"),
            },
            Source::Figurative(_) => self.constant_number(0, 0),
        };
        self.store_place(number, place, 0);
    }

    pub fn move_to(&mut self, source: &Source, target: &Reference) {
        if let Some(index) = self.resident_of(target) {
            return self.move_to_resident(source, &Place::Register(index));
        }
        if self.layout().descriptor(target.item).usage == Usage::Utf8 && self.move_to_utf8(source, target) {
            return;
        }
        self.set_dynamic_length(source, target);
        let field = self.field(target);
        self.move_to_field(source, &field);
    }

    /// A dynamic-length item takes the length of the moved data, up to its limit; a figurative constant is one character.
    fn set_dynamic_length(&mut self, source: &Source, target: &Reference) {
        let program = self.program;
        let item = program.item(target.item);
        if target.modification.is_some() || item.length.is_fixed() || program.base(item.base).kind == BaseKind::Linkage {
            return;
        }
        let Some(register) = varying_length(program, target.item) else { return };
        let wide = item.category == cobol::program::Category::National;
        let (length, is_wide) = match source {
            Source::Figurative(_) => (self.i32(1), false),
            Source::Literal(literal) => {
                let field = self.literal_field(literal);
                (self.length_value(field.length), field.attributes.is_national())
            }
            Source::Field(field) if field.attributes.is_fixed() => (self.i32(i64::from(field.attributes.digits.max(1))), false),
            Source::Field(field) => (self.length_value(field.length), field.attributes.is_national()),
            Source::Number(_, attributes) => (self.i32(i64::from(attributes.digits.max(1))), false),
        };
        let length = if is_wide { self.b.ins().ushr_imm_u(length, 1) } else { length };
        let limit = self.i32(i64::from(item.length_max / if wide { 2 } else { 1 }));
        let least = self.b.ins().umin(length, limit);
        let value = self.b.ins().uextend(I64, least);
        let field = self.item_field(register);
        self.store_integer(value, &field);
    }

    pub fn move_to_field(&mut self, source: &Source, target: &Field) {
        match source {
            Source::Field(field) => self.move_field(field, target),
            Source::Literal(literal) => self.move_literal(literal, target),
            Source::Figurative(figurative) => self.move_figurative(figurative, target),
            Source::Number(number, attributes) => self.move_number(*number, attributes, target),
        }
    }

    fn move_literal(&mut self, literal: &cobol::program::Literal, target: &Field) {
        if let Some(length) = Self::fixed_length(target).filter(|length| *length <= MOVED_BYTES_MAX) {
            let attributes = target.attributes.with_length(length);
            if let Some(bytes) = self.moved_literal(literal, &attributes) {
                return self.store_constant(target.at, &bytes);
            }
        }
        let field = self.literal_field(literal);
        self.move_field(&field, target);
    }

    fn move_figurative(&mut self, figurative: &Figurative, target: &Field) {
        if let Some(length) = Self::fixed_length(target).filter(|length| *length <= MOVED_BYTES_MAX) {
            let attributes = target.attributes.with_length(length);
            if let Some(bytes) = self.moved_figurative(figurative, &attributes) {
                return self.store_constant(target.at, &bytes);
            }
        }
        let session = self.session;
        let (area, described) = (self.field_address(target), self.attributes_address(target));
        match (figurative, figurative_number(figurative)) {
            (_, Some(number)) => {
                let number = self.i32(number as i64);
                self.slot(Slot::MoveFigurative, &[session, number, area, described]);
            }
            (Figurative::All { bytes, encoding }, _) => {
                let bytes = self.all_bytes(bytes, *encoding, target.attributes.usage);
                let literal = self.constant_bytes(&bytes);
                let length = self.i32(bytes.len() as i64);
                self.slot(Slot::MoveAll, &[session, literal, length, area, described]);
            }
            _ => {}
        }
    }

    fn move_number(&mut self, number: Number, attributes: &Attributes, target: &Field) {
        let to = &target.attributes;
        if to.is_numeric() || matches!(to.usage, Usage::Pointer | Usage::FunctionPointer | Usage::Index) {
            self.store_number(number, target, 0);
            return;
        }
        if let Number::Float(_) = number {
            let field = self.number_field(number, *attributes);
            return self.call_move(&field, target);
        }
        let value = self.long_of(number);
        let from = self.constant_attributes(attributes);
        let session = self.session;
        let (area, described) = (self.field_address(target), self.attributes_address(target));
        self.slot(Slot::MoveDecimal, &[session, value, from, area, described]);
    }

    pub fn move_field(&mut self, from: &Field, to: &Field) {
        if self.move_characters(from, to) || self.move_numeric(from, to) || self.move_edited(from, to) {
            return;
        }
        self.call_move(from, to);
    }

    pub fn call_move(&mut self, from: &Field, to: &Field) {
        let session = self.session;
        let (source, source_attributes) = (self.field_address(from), self.attributes_address(from));
        let (target, target_attributes) = (self.field_address(to), self.attributes_address(to));
        self.slot(Slot::Move, &[session, source, source_attributes, target, target_attributes]);
    }

    /// Bytes to bytes, without conversion.
    fn move_characters(&mut self, from: &Field, to: &Field) -> bool {
        let (source, target) = (&from.attributes, &to.attributes);
        let group = source.usage == Usage::Group || target.usage == Usage::Group;
        let national = source.has(Attributes::NATIONAL_GROUP) || target.has(Attributes::NATIONAL_GROUP);
        let plain = (is_characters(source) || is_digits(source)) && is_plain_receiver(target);
        if !plain && (national || !group || target.has(Attributes::JUSTIFIED)) {
            return false;
        }
        let pad = self.space();
        match (from.length, to.length) {
            (Length::Fixed(source), Length::Fixed(target)) if target <= INLINE_BYTES_MAX => {
                self.copy_inline(to.at, target, from.at, source, pad);
            }
            (Length::Fixed(source), Length::Fixed(target)) if source == target && from.is_apart(to) => {
                self.copy_call(to.at, from.at, target);
            }
            _ => {
                let (to_address, to_length) = self.bytes_of(to);
                let (from_address, from_length) = self.bytes_of(from);
                let pad = self.i32(pad as i64);
                self.slot(Slot::CopyPad, &[to_address, to_length, from_address, from_length, pad]);
            }
        }
        true
    }

    fn copy_call(&mut self, to: At, from: At, length: u32) {
        let (to, from) = (self.address(to), self.address(from));
        let length = self.i32(length as i64);
        self.slot(Slot::Copy, &[to, from, length]);
    }

    /// Fixed-point to fixed-point in registers.
    fn move_numeric(&mut self, from: &Field, to: &Field) -> bool {
        if !self.is_inline() || !from.attributes.is_fixed() || !to.attributes.is_fixed() || !from.is_fixed() {
            return false;
        }
        // Zoned to zoned moves digits without looking at them and never interrupts.
        if from.attributes.usage == Usage::Zoned && to.attributes.usage == Usage::Zoned {
            return self.move_digits(from, to);
        }
        if short_digits(&from.attributes).is_none() || !self.is_stored_inline(&from.attributes, to) {
            return false;
        }
        let number = self.load_number(from);
        self.store_number(number, to, 0);
        true
    }

    /// Whether [`Self::store_inline`] accepts a value with this description.
    fn is_stored_inline(&self, from: &Attributes, to: &Field) -> bool {
        let digits = short_digits(from).unwrap_or(u32::MAX);
        let lift = (to.attributes.scale as i32 - from.scale as i32).max(0) as u32;
        let target = match to.attributes.usage {
            Usage::Binary | Usage::NativeBinary => true,
            Usage::Packed => to.attributes.length <= 8,
            Usage::Zoned => super::decimal::is_inline_zoned(&to.attributes),
            _ => false,
        };
        target && to.is_fixed() && digits + lift <= super::number::SHORT_DIGITS
    }
}
