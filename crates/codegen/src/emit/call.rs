//! CALL and CANCEL. A call site that has already called a simple program enters it directly; everything else goes through the slot.

use super::field::Field;
use super::moves::Source;
use super::*;
use cobol::program::{Call, CallArgument, CallMode, CallReturning, CallTarget, Operand};
use cranelift_codegen::ir::condcodes::IntCC;
use le::{Attributes, Usage};
use program::abi::{CallCache, frame_flags};
use program::requests::{CallRequest, call_flags, call_outcome};

/// How the callee is named.
struct Callee {
    flags: u32,
    /// Address and length of the name or pointer.
    name: Value,
    length: Value,
    program: u32,
    /// Frame offset of the site's cache, when it may have one.
    cache: Option<u32>,
    /// The 8 bytes of a name that is data.
    identifier: Option<Value>,
}

impl<'a> Emitter<'_, 'a> {
    pub fn call(&mut self, statement: &'a Call) {
        let mut addresses: Vec<Value> = Vec::new();
        for argument in &statement.arguments {
            addresses.push(self.argument(argument));
        }
        let returned = self.returning(statement, &mut addresses);
        // Noted before the program is looked up, so that the abend of a missing program names this statement.
        self.note_statement(self.current.0);
        let callee = self.callee(&statement.target, statement.on_exception.is_some());
        self.set_guard();
        let (after, exception) = (self.b.create_block(), self.b.create_block());
        let invoke = self.b.create_block();
        for _ in 0..2 {
            self.b.append_block_param(invoke, I64);
        }
        let label_parameter = self.b.append_block_param(invoke, I32);
        let flags_parameter = self.b.append_block_param(invoke, I32);
        let slow = if callee.cache.is_some() { self.cold_block() } else { self.b.create_block() };
        match callee.cache {
            Some(cache) => self.direct_call(cache, &callee, &addresses, slow, invoke),
            None => self.goto(slow),
        }
        self.begin(slow);
        self.slow_call(&callee, &addresses, invoke, after, exception);

        self.begin(invoke);
        let parameters = self.b.block_params(invoke).to_vec();
        self.invoke(parameters[0], parameters[1], label_parameter, flags_parameter);
        self.take_return_code();
        self.goto(after);

        self.begin(after);
        self.check_guard(statement);
        if let Some((target, field)) = returned {
            let value = self.load_binary(field.at, 4, false);
            self.store_address(&target, value);
        }
        let next = self.b.create_block();
        if let Some(statements) = &statement.not_on_exception {
            self.statements(statements);
        }
        self.goto(next);
        self.begin(exception);
        if let Some(statements) = &statement.on_exception {
            self.statements(statements);
        }
        self.goto(next);
        self.begin(next);
    }

    /// A user-defined function: its arguments converted, the call made, the item of its result.
    pub fn user_function(&mut self, number: u32, modification: Option<Box<cobol::program::Modification>>) -> Field {
        let program: &'a Program = self.program;
        let user = &program.user_calls[number as usize];
        for (value, target) in &user.conversions {
            self.move_operand(value, target);
        }
        self.call(&user.call);
        let mut result = cobol::program::Reference::plain(user.item, Default::default());
        result.modification = modification;
        self.field(&result)
    }

    /// The 31-bit address an argument is passed by, 32 bits.
    fn argument(&mut self, argument: &CallArgument) -> Value {
        let address = match (argument.mode, &argument.value) {
            (CallMode::Omitted, _) => return self.i32(0),
            (CallMode::Reference, Operand::Reference(reference)) => {
                // Null for an item without storage: the callee sees a missing argument.
                let field = self.field(reference);
                let address = self.address(field.at);
                self.known_address(address, reference.item)
            }
            (CallMode::Reference, Operand::AddressOf(reference)) if self.base_slot(reference.item).is_some() => {
                // The base itself is passed: the callee may change it.
                self.copied_argument(&Operand::AddressOf(reference.clone()))
            }
            (_, operand) => self.copied_argument(operand),
        };
        self.b.ins().ireduce(I32, address)
    }

    /// A copy of the value in program storage.
    fn copied_argument(&mut self, operand: &Operand) -> Value {
        let source = self.source(operand);
        let field = match &source {
            Source::Field(field) => *field,
            Source::Literal(literal) => self.literal_field(literal),
            Source::Figurative(_) => self.as_field(source.clone()),
            Source::Number(number, attributes) => {
                let attributes = match attributes.usage {
                    Usage::Float4 | Usage::Float8 => *attributes,
                    // Integers are passed as fullwords.
                    _ if attributes.scale == 0 => Attributes::native_binary(9, 0, true),
                    _ => *attributes,
                };
                self.number_field(*number, attributes)
            }
        };
        let room = self.layout_mut().take_working(field.length.most().max(8));
        let (from, length) = self.bytes_of(&field);
        let to = self.b.ins().iadd_imm_s(self.working, room as i64);
        self.slot(Slot::Copy, &[to, from, length]);
        to
    }

    /// RETURNING is one more argument; RETURNING ADDRESS OF goes through a separate word.
    fn returning(&mut self, statement: &Call, addresses: &mut Vec<Value>) -> Option<(cobol::program::AddressTarget, Field)> {
        match &statement.returning {
            None => None,
            Some(CallReturning::Item(reference)) => {
                let field = self.field(reference);
                let address = self.address(field.at);
                addresses.push(self.b.ins().ireduce(I32, address));
                None
            }
            Some(CallReturning::Address(target)) => {
                let room = self.layout_mut().take_working(8) as i32;
                let at = super::field::At { base: self.working, offset: room };
                let address = self.address(at);
                addresses.push(self.b.ins().ireduce(I32, address));
                let attributes = Attributes::native_binary(9, 0, false);
                let length = super::field::Length::Fixed(4);
                Some((target.clone(), Field { at, length, attributes, extent: None }))
            }
        }
    }

    fn callee(&mut self, target: &CallTarget, on_exception: bool) -> Callee {
        let mut flags = if on_exception { call_flags::ON_EXCEPTION } else { 0 };
        let cache_length = std::mem::size_of::<CallCache>() as u32;
        let mut program = 0;
        let (name, length, cache, identifier) = match target {
            CallTarget::Literal(name) => {
                if !self.called.iter().any(|known| **known == **name) {
                    self.called.push(name.to_string());
                }
                let address = self.constant_bytes(name.as_bytes());
                let length = self.i32(name.len() as i64);
                (address, length, Some(self.layout_mut().take_frame(cache_length, 8)), None)
            }
            CallTarget::Name(reference) => {
                flags |= call_flags::DYNAMIC;
                let field = self.field(reference);
                let (address, length) = self.bytes_of(&field);
                let eight = Self::fixed_length(&field) == Some(8);
                let cache = eight.then(|| self.layout_mut().take_frame(cache_length, 8));
                let identifier = eight.then(|| self.b.ins().load(I64, NOTRAP, address, 0));
                (address, length, cache, identifier)
            }
            CallTarget::Pointer(reference) => {
                flags |= call_flags::POINTER;
                let field = self.field(reference);
                let (address, length) = self.bytes_of(&field);
                (address, length, None, None)
            }
            CallTarget::Nested { levels, path } => {
                flags |= call_flags::NESTED;
                program = self.nested_program(*levels, path);
                let cache = self.layout_mut().take_frame(cache_length, 8);
                (self.null(), self.i32(0), Some(cache), None)
            }
        };
        Callee { flags, name, length, program, cache, identifier }
    }

    /// Index in the module of a contained program.
    fn nested_program(&mut self, levels: u32, path: &[u32]) -> u32 {
        let mut index = self.index;
        for _ in 0..levels {
            index = self.layouts[index].parent.unwrap_or(0) as usize;
        }
        for step in path {
            let child =
                (0..self.layouts.len()).filter(|candidate| self.layouts[*candidate].parent == Some(index as u32)).nth(*step as usize);
            match child {
                Some(child) => index = child,
                None => self.refuse("a contained program is missing"),
            }
        }
        index as u32
    }

    /// Enter the program that the cache holds.
    fn direct_call(&mut self, cache: u32, callee: &Callee, addresses: &[Value], slow: Block, invoke: Block) {
        let at = |offset: usize| cache as i32 + offset as i32;
        let unit = self.unit();
        let current = self.b.ins().load(I64, NOTRAP, unit, offset_of!(UnitHeader, generation) as i32);
        let cached = self.b.ins().load(I64, NOTRAP, self.frame, at(offset_of!(CallCache, generation)));
        let mut valid = self.b.ins().icmp(IntCC::Equal, current, cached);
        if let Some(identifier) = callee.identifier {
            let name = self.b.ins().load(I64, NOTRAP, self.frame, at(offset_of!(CallCache, name)));
            let same = self.b.ins().icmp(IntCC::Equal, identifier, name);
            valid = self.b.ins().band(valid, same);
        }
        let (known, enter) = (self.b.create_block(), self.b.create_block());
        self.branch(valid, known, slow);
        self.begin(known);
        let frame = self.b.ins().load(I64, NOTRAP, self.frame, at(offset_of!(CallCache, frame)));
        let flags = self.b.ins().load(I32, NOTRAP, frame, offset_of!(Frame, flags) as i32);
        let active = self.b.ins().band_imm_u(flags, frame_flags::ACTIVE as i64);
        self.branch(active, slow, enter);
        self.begin(enter);
        let entered = self.b.ins().bor_imm_u(flags, frame_flags::ACTIVE as i64);
        self.store(entered, frame, offset_of!(Frame, flags));
        let own = self.frame;
        self.store(own, frame, offset_of!(Frame, caller));
        let count = self.i32(addresses.len() as i64);
        self.store(count, frame, offset_of!(Frame, argument_count));
        for (number, address) in addresses.iter().enumerate() {
            self.store(*address, frame, offset_of!(Frame, arguments) + 4 * number);
        }
        self.store(frame, unit, offset_of!(UnitHeader, current));
        let entry = self.b.ins().load(I64, NOTRAP, self.frame, at(offset_of!(CallCache, entry)));
        let label = self.b.ins().load(I32, NOTRAP, self.frame, at(offset_of!(CallCache, entry_label)));
        self.b.ins().jump(invoke, &[frame.into(), entry.into(), label.into(), flags.into()]);
    }

    fn slow_call(&mut self, callee: &Callee, addresses: &[Value], invoke: Block, after: Block, exception: Block) {
        let list = self.temporary_address((4 * addresses.len().max(1)) as u32);
        for (number, address) in addresses.iter().enumerate() {
            self.store(*address, list, 4 * number);
        }
        let request = self.temporary_address(std::mem::size_of::<CallRequest>() as u32);
        let cache = match callee.cache {
            Some(cache) => self.b.ins().iadd_imm_s(self.frame, cache as i64),
            None => self.null(),
        };
        self.store(cache, request, offset_of!(CallRequest, cache));
        self.store(callee.name, request, offset_of!(CallRequest, name));
        self.store(list, request, offset_of!(CallRequest, arguments));
        self.store(callee.length, request, offset_of!(CallRequest, name_length));
        for (value, offset) in [
            (addresses.len() as u32, offset_of!(CallRequest, argument_count)),
            (callee.flags, offset_of!(CallRequest, flags)),
            (callee.program, offset_of!(CallRequest, program)),
            (call_outcome::COMPLETE, offset_of!(CallRequest, outcome)),
        ] {
            let value = self.i32(value as i64);
            self.store(value, request, offset);
        }
        let own = self.frame;
        let frame = self.slot_value(Slot::Call, &[own, request]);
        let (enter, nothing) = (self.b.create_block(), self.b.create_block());
        self.branch(frame, enter, nothing);
        self.begin(enter);
        let entry = self.b.ins().load(I64, NOTRAP, request, offset_of!(CallRequest, entry) as i32);
        let label = self.b.ins().load(I32, NOTRAP, request, offset_of!(CallRequest, entry_label) as i32);
        let flags = self.b.ins().load(I32, NOTRAP, frame, offset_of!(Frame, flags) as i32);
        let flags = self.b.ins().band_imm_u(flags, !frame_flags::ACTIVE as i64);
        self.b.ins().jump(invoke, &[frame.into(), entry.into(), label.into(), flags.into()]);
        self.begin(nothing);
        let outcome = self.b.ins().load(I32, NOTRAP, request, offset_of!(CallRequest, outcome) as i32);
        let failed = self.b.ins().icmp_imm_u(IntCC::Equal, outcome, call_outcome::EXCEPTION as i64);
        let (complete, returned) = (self.b.create_block(), self.cold_block());
        self.branch(failed, exception, complete);
        self.begin(complete);
        let has_return_code = self.b.ins().icmp_imm_u(IntCC::Equal, outcome, call_outcome::RETURNED as i64);
        self.branch(has_return_code, returned, after);
        self.begin(returned);
        self.take_return_code();
        self.goto(after);
    }

    /// Runs a prepared callee and takes control back. `inactive`: its flags after it has ended, which do not change while it runs.
    fn invoke(&mut self, callee: Value, entry: Value, label: Value, inactive: Value) {
        let signature = match self.signatures.get(&u32::MAX) {
            Some(signature) => *signature,
            None => {
                let reference = self.b.import_signature(super::signature(Form::Entry));
                self.signatures.insert(u32::MAX, reference);
                reference
            }
        };
        let context = self.context;
        let call = self.b.ins().call_indirect(signature, entry, &[context, callee, label]);
        let completion = self.b.inst_results(call)[0];
        let unit = self.unit();
        let own = self.frame;
        self.store(own, unit, offset_of!(UnitHeader, current));
        self.store(inactive, callee, offset_of!(Frame, flags));
        let release = self.b.ins().band_imm_u(inactive, frame_flags::RELEASE as i64);
        let (give_back, check) = (self.cold_block(), self.b.create_block());
        self.branch(release, give_back, check);
        self.begin(give_back);
        self.slot(Slot::CallReturn, &[own, callee]);
        self.goto(check);
        self.begin(check);
        let (stopped, next) = (self.cold_block(), self.b.create_block());
        self.branch(completion, stopped, next);
        self.begin(stopped);
        self.leave_with(completion);
        self.begin(next);
    }

    /// The callee's RETURN-CODE becomes this program's.
    fn take_return_code(&mut self) {
        let Some(item) = self.program.registers.return_code.filter(|item| self.program.item(*item).referenced) else {
            return;
        };
        let unit = self.unit();
        let value = self.b.ins().load(I32, NOTRAP, unit, offset_of!(UnitHeader, return_code) as i32);
        let value = self.b.ins().sextend(I64, value);
        let field = self.item_field(item);
        self.store_number(super::number::Number::Short { value, scale: 0, digits: 10 }, &field, 0);
    }

    pub fn cancel(&mut self, names: &[Operand]) {
        for name in names {
            let field = self.source_field(name);
            let (address, length) = self.bytes_of(&field);
            let frame = self.frame;
            self.slot(Slot::Cancel, &[frame, address, length]);
        }
    }
}
