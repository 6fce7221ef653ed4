//! EXEC CICS: builds the argument block on the stack, calls the gate, stores the returned values and branches to the label.

use super::checks::CLASS_NUMERIC;
use super::field::Length;
use super::*;
use ::exec::Numeric;
use ::exec::block::{Argument, Block as CommandBlock, Representation};
use cobol::program::{AddressTarget, ExecArgument, ExecCics, ExecValue, Operand, Reference, Statement};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I8;
use le::{Attributes, Usage};

/// The processing of an argument after the command.
enum After {
    Integer(super::field::Field),
    Address(AddressTarget),
}

/// What the command gets for an argument that is no packed decimal.
const INVALID_PACKED: i64 = -1;

const ARGUMENT_LENGTH: usize = std::mem::size_of::<Argument>();

impl Emitter<'_, '_> {
    pub fn exec(&mut self, command: &ExecCics, statement: &Statement) {
        let count = command.arguments.len();
        let arguments = self.temporary_address((ARGUMENT_LENGTH * count.max(1)) as u32);
        let mut after = Vec::new();
        for (number, argument) in command.arguments.iter().enumerate() {
            let at = number * ARGUMENT_LENGTH;
            let form = command.command.spec().option(argument.option).map_or(Numeric::Fullword, |option| option.numeric);
            if let Some(what) = self.exec_argument(argument, form, arguments, at) {
                after.push((number, what));
            }
        }
        let block = self.temporary_address(std::mem::size_of::<CommandBlock>() as u32);
        let (head, place) = block_words(command, count, statement);
        self.store_small(I64, head, block, offset_of!(CommandBlock, command));
        self.store_small(I64, place, block, offset_of!(CommandBlock, line));
        self.store(arguments, block, offset_of!(CommandBlock, arguments));
        let frame = self.frame;
        let label = self.slot_value(Slot::Exec, &[frame, block]);
        for (number, what) in after {
            self.after_exec(arguments, number * ARGUMENT_LENGTH, what);
        }
        if self.program.labels.is_empty() {
            return;
        }
        let dispatch = self.label_block();
        let next = self.b.create_block();
        self.b.ins().brif(label, dispatch, &[label.into()], next, &[]);
        self.begin(next);
    }

    fn store_small(&mut self, ty: cranelift_codegen::ir::Type, value: i64, address: Value, offset: usize) {
        let value = self.b.ins().iconst(ty, value);
        self.store(value, address, offset);
    }

    /// Fills one argument, with CICS's documented form; returns what must be stored afterwards.
    fn exec_argument(&mut self, argument: &ExecArgument, form: Numeric, arguments: Value, at: usize) -> Option<After> {
        let (representation, value, area, after) = match &argument.value {
            ExecValue::Flag => (Representation::Flag, None, None, None),
            ExecValue::Integer(Operand::Reference(reference)) if form == Numeric::Abstime => {
                let field = in_form(self.field(reference), form);
                let value = if field.attributes.usage == Usage::Packed { self.exec_packed(&field) } else { self.load_integer(&field) };
                (Representation::Integer, Some(value), None, None)
            }
            ExecValue::Integer(operand) => (Representation::Integer, Some(self.exec_integer(operand, form)), None, None),
            ExecValue::IntegerOut(reference) => {
                let field = in_form(self.field(reference), form);
                (Representation::Integer, None, None, Some(After::Integer(field)))
            }
            ExecValue::IntegerInOut(reference) => {
                let field = in_form(self.field(reference), form);
                let value = self.load_integer(&field);
                (Representation::Integer, Some(value), None, Some(After::Integer(field)))
            }
            ExecValue::Area(operand) => (Representation::Area, None, Some(self.exec_area(operand)), None),
            ExecValue::AreaOut(reference) => (Representation::Area, None, Some(self.exec_target(reference)), None),
            ExecValue::Pointer(operand) => {
                let number = self.operand_number(operand);
                (Representation::Integer, Some(self.integer_of(number)), None, None)
            }
            ExecValue::PointerOut(target) => (Representation::Integer, None, None, Some(After::Address(target.clone()))),
            ExecValue::Label(label) => (Representation::Label, Some(self.i64(label.0 as i64)), None, None),
        };
        let value = value.unwrap_or_else(|| self.i64(0));
        let head = argument.option.0 as i64 | (representation as i64) << 16;
        let address = match area {
            Some((address, Length::Varying(length, _))) => {
                self.store_small(I32, head, arguments, at + offset_of!(Argument, option));
                self.store(length, arguments, at + offset_of!(Argument, length));
                address
            }
            Some((address, Length::Fixed(length))) => {
                self.store_small(I64, head | (length as i64) << 32, arguments, at + offset_of!(Argument, option));
                address
            }
            None => {
                self.store_small(I64, head, arguments, at + offset_of!(Argument, option));
                self.i64(0)
            }
        };
        self.store(address, arguments, at + offset_of!(Argument, address));
        self.store(value, arguments, at + offset_of!(Argument, value));
        after
    }

    fn exec_integer(&mut self, operand: &Operand, form: Numeric) -> Value {
        if let Operand::Reference(reference) = operand {
            let is_bytes = matches!(self.layout().descriptor(reference.item).usage, Usage::Group | Usage::Alphanumeric);
            if is_bytes || form == Numeric::Doubleword {
                let field = in_form(self.field(reference), form);
                return self.load_integer(&field);
            }
        }
        let number = self.operand_number(operand);
        self.integer_of(number)
    }

    /// A packed decimal that CICS reads, not the program: one that is not valid is no data exception but a number that no command takes.
    fn exec_packed(&mut self, field: &super::field::Field) -> Value {
        let digits = field.attributes.digits;
        let area = self.field_address(field);
        let (session, class) = (self.session, self.i32(CLASS_NUMERIC));
        let numeric = [true, false].map(|signed| {
            let attributes = Attributes::packed(digits, field.attributes.scale, signed);
            let described = self.attributes_address(&super::field::Field { attributes, ..*field });
            self.slot_value(Slot::IsClass, &[session, class, area, described])
        });
        let numeric = self.b.ins().bor(numeric[0], numeric[1]);
        let (valid, next) = (self.b.create_block(), self.b.create_block());
        let found = self.b.append_block_param(next, I64);
        let invalid = self.i64(INVALID_PACKED);
        self.b.ins().brif(numeric, valid, &[], next, &[invalid.into()]);
        self.begin(valid);
        let value = self.load_integer(field);
        self.b.ins().jump(next, &[value.into()]);
        self.begin(next);
        found
    }

    fn exec_area(&mut self, operand: &Operand) -> (Value, Length) {
        let field = self.source_field(operand);
        (self.address(field.at), field.length)
    }

    fn exec_target(&mut self, reference: &Reference) -> (Value, Length) {
        let field = self.field(reference);
        (self.address(field.at), field.length)
    }

    /// Stores the values that the command returned.
    fn after_exec(&mut self, arguments: Value, at: usize, what: After) {
        let flags = self.b.ins().load(I8, NOTRAP, arguments, (at + offset_of!(Argument, flags)) as i32);
        let set = self.b.ins().band_imm_u(flags, Argument::SET as i64);
        let is_set = self.b.ins().icmp_imm_u(IntCC::NotEqual, set, 0);
        let (store, next) = (self.b.create_block(), self.b.create_block());
        self.branch(is_set, store, next);
        self.begin(store);
        let value = self.b.ins().load(I64, NOTRAP, arguments, (at + offset_of!(Argument, value)) as i32);
        match what {
            After::Integer(field) => self.store_integer(value, &field),
            After::Address(target) => self.store_address(&target, value),
        }
        self.goto(next);
        self.begin(next);
    }
}

/// A data area as CICS sees it: bytes in the documented form, if it has as many. So a group or alphanumeric item of that length is one, the
/// first bytes of a longer one are a packed decimal (the front end lets no longer item pass for a binary number), and a binary item has the full range of its bytes, unsigned ones as bits (the doublewords of DCOUNTER).
fn in_form(field: super::field::Field, form: Numeric) -> super::field::Field {
    let attributes = match form {
        Numeric::Halfword => Attributes::native_binary(4, 0, true),
        Numeric::Fullword => Attributes::native_binary(9, 0, true),
        Numeric::Doubleword => Attributes::native_binary(18, 0, true),
        Numeric::Abstime => Attributes::packed(15, 0, true),
        Numeric::Hhmmss | Numeric::TaskNumber => Attributes::packed(7, 0, true),
        Numeric::Not | Numeric::Pointer | Numeric::Pointer64 => return field,
    };
    let is_form = match field.attributes.usage {
        Usage::Group | Usage::Alphanumeric => true,
        Usage::Binary | Usage::NativeBinary => attributes.usage == Usage::NativeBinary && field.attributes.scale == 0,
        _ => false,
    };
    let bytes = matches!(field.attributes.usage, Usage::Group | Usage::Alphanumeric);
    let longer = bytes && attributes.usage == Usage::Packed && field.attributes.length > attributes.length;
    if is_form && field.is_fixed() && (longer || field.attributes.length == attributes.length) {
        return super::field::Field { attributes, length: Length::Fixed(attributes.length), ..field };
    }
    field
}

/// The command block's first two doublewords: command, arguments, flags and reserved; line and statement.
fn block_words(command: &ExecCics, count: usize, statement: &Statement) -> (i64, i64) {
    let head = command.command.0 as u64 | (count as u64) << 16 | (command.flags as u64) << 32;
    let place = statement.span.line as u64 | (statement.number as u64) << 32;
    (head as i64, place as i64)
}

const _: () = assert!(offset_of!(CommandBlock, command) == 0 && offset_of!(CommandBlock, argument_count) == 2);
const _: () = assert!(offset_of!(CommandBlock, flags) == 4 && offset_of!(CommandBlock, reserved) == 6);
const _: () = assert!(offset_of!(CommandBlock, line) == 8 && offset_of!(CommandBlock, statement) == 12);
const _: () = assert!(offset_of!(Argument, option) == 0 && offset_of!(Argument, length) == 4);
const _: () = assert!(offset_of!(Argument, representation) == 2 && offset_of!(Argument, flags) == 3);
