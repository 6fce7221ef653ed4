//! EXEC CICS: the argument block is built on the stack, the gate called, what it set is stored, its label obeyed.

use super::*;
use ::exec::block::{Argument, Block as CommandBlock, Representation};
use cobol::program::{AddressTarget, ExecArgument, ExecCics, ExecValue, Operand, Reference, Statement};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I16};

/// What has to be done with an argument after the command.
enum After {
    Integer(super::field::Field),
    Address(AddressTarget),
}

const ARGUMENT_LENGTH: usize = std::mem::size_of::<Argument>();

impl Emitter<'_, '_> {
    pub fn exec(&mut self, command: &ExecCics, statement: &Statement) {
        let count = command.arguments.len();
        let arguments = self.temporary_address((ARGUMENT_LENGTH * count.max(1)) as u32);
        let mut after = Vec::new();
        for (number, argument) in command.arguments.iter().enumerate() {
            let at = number * ARGUMENT_LENGTH;
            if let Some(what) = self.exec_argument(argument, arguments, at) {
                after.push((number, what));
            }
        }
        let block = self.temporary_address(std::mem::size_of::<CommandBlock>() as u32);
        self.store_small(I16, command.command.0 as i64, block, offset_of!(CommandBlock, command));
        self.store_small(I16, count as i64, block, offset_of!(CommandBlock, argument_count));
        self.store_small(I16, command.flags as i64, block, offset_of!(CommandBlock, flags));
        self.store_small(I16, 0, block, offset_of!(CommandBlock, reserved));
        self.store_small(I32, statement.span.line as i64, block, offset_of!(CommandBlock, line));
        self.store_small(I32, statement.number as i64, block, offset_of!(CommandBlock, statement));
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

    /// Fill one argument; what is to be stored afterwards.
    fn exec_argument(&mut self, argument: &ExecArgument, arguments: Value, at: usize) -> Option<After> {
        let (representation, value, area, after) = match &argument.value {
            ExecValue::Flag => (Representation::Flag, None, None, None),
            ExecValue::Integer(operand) => {
                let number = self.operand_number(operand);
                (Representation::Integer, Some(self.to_integer(number)), None, None)
            }
            ExecValue::IntegerOut(reference) => {
                let field = self.field(reference);
                (Representation::Integer, None, None, Some(After::Integer(field)))
            }
            ExecValue::IntegerInOut(reference) => {
                let field = self.field(reference);
                let value = self.load_integer(&field);
                (Representation::Integer, Some(value), None, Some(After::Integer(field)))
            }
            ExecValue::Area(operand) => (Representation::Area, None, Some(self.exec_area(operand)), None),
            ExecValue::AreaOut(reference) => (Representation::Area, None, Some(self.exec_target(reference)), None),
            ExecValue::Pointer(operand) => {
                let number = self.operand_number(operand);
                (Representation::Integer, Some(self.to_integer(number)), None, None)
            }
            ExecValue::PointerOut(target) => (Representation::Integer, None, None, Some(After::Address(target.clone()))),
            ExecValue::Label(label) => (Representation::Label, Some(self.i64(label.0 as i64)), None, None),
        };
        let value = value.unwrap_or_else(|| self.i64(0));
        let (address, length) = area.unwrap_or_else(|| (self.i64(0), self.i32(0)));
        let head = argument.option.0 as i64 | (representation as i64) << 16;
        self.store_small(I32, head, arguments, at + offset_of!(Argument, option));
        self.store(length, arguments, at + offset_of!(Argument, length));
        self.store(address, arguments, at + offset_of!(Argument, address));
        self.store(value, arguments, at + offset_of!(Argument, value));
        after
    }

    fn exec_area(&mut self, operand: &Operand) -> (Value, Value) {
        let field = self.source_field(operand);
        self.bytes_of(&field)
    }

    fn exec_target(&mut self, reference: &Reference) -> (Value, Value) {
        let field = self.field(reference);
        self.bytes_of(&field)
    }

    /// Store what the command returned, if it did.
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

const _: () = assert!(offset_of!(Argument, representation) == 2 && offset_of!(Argument, flags) == 3);
