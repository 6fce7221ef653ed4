//! The emitter's tools: constants, calls of slots, temporaries, control flow.

use super::*;

/// Stack slots for values that are too long for registers.
#[derive(Default)]
pub(super) struct Temporaries {
    /// Those that hold values, in the order in which they were taken.
    used: Vec<(u32, StackSlot)>,
    /// The others, by size.
    free: FxHashMap<u32, Vec<StackSlot>>,
    bytes: u64,
}

/// Bytes of temporaries of one function: several times the stack of a task, where such a function could not run.
const TEMPORARY_BYTES_MAX: u64 = 1 << 20;

impl Emitter<'_, '_> {
    pub(super) fn i32(&mut self, value: i64) -> Value {
        self.b.ins().iconst(I32, value as u32 as i32 as i64 & 0xFFFF_FFFF)
    }

    pub(super) fn i64(&mut self, value: i64) -> Value {
        self.b.ins().iconst(I64, value)
    }

    pub(super) fn null(&mut self) -> Value {
        self.i64(0)
    }

    pub(super) fn f64(&mut self, value: f64) -> Value {
        self.b.ins().f64const(value)
    }

    /// Call a slot.
    pub(super) fn slot(&mut self, slot: Slot, arguments: &[Value]) -> Option<Value> {
        let described = slot.signature();
        assert_eq!(described.arguments.len(), arguments.len(), "arguments of {}", described.name);
        if may_end(slot) {
            self.flush_residents();
        }
        let signature = match self.signatures.get(&(slot as u32)) {
            Some(signature) => *signature,
            None => {
                let mut signature = Signature::new(native::convention());
                signature.params.push(AbiParam::new(I64));
                for kind in described.arguments {
                    signature.params.push(AbiParam::new(type_of(*kind)));
                }
                if described.result != Kind::Nothing {
                    signature.returns.push(AbiParam::new(type_of(described.result)));
                }
                let reference = self.b.import_signature(signature);
                self.signatures.insert(slot as u32, reference);
                reference
            }
        };
        let table = match self.slots {
            Some(table) => table,
            None => self.b.ins().load(I64, FIXED, self.context, offset_of!(TaskContext, slots) as i32),
        };
        let function = self.b.ins().load(I64, FIXED, table, 8 * slot as i32);
        let mut all: SmallVec<[Value; 8]> = smallvec![self.context];
        all.extend_from_slice(arguments);
        let call = self.b.ins().call_indirect(signature, function, &all);
        self.b.inst_results(call).first().copied()
    }

    /// Call a slot that has a result.
    pub(super) fn slot_value(&mut self, slot: Slot, arguments: &[Value]) -> Value {
        self.slot(slot, arguments).expect("the slot has a result")
    }

    /// Reference to another native function of the module.
    pub(super) fn native_function(&mut self, number: u32, form: Form) -> FuncRef {
        if let Some(function) = self.native_functions.get(&number) {
            return *function;
        }
        let signature = self.b.import_signature(signature(form));
        let name = UserExternalName { namespace: native::FUNCTIONS, index: number };
        let name = self.b.func.declare_imported_user_function(name);
        let data = ExtFuncData { name: ExternalName::user(name), signature, colocated: true, patchable: false };
        let function = self.b.import_function(data);
        self.native_functions.insert(number, function);
        self.wanted.push(number);
        function
    }

    /// Address of a constant.
    pub(super) fn constant_address(&mut self, offset: u32) -> Value {
        let global = match self.constant_globals.get(&offset) {
            Some(global) => *global,
            None => {
                let name = UserExternalName { namespace: native::CONSTANTS, index: offset };
                let name = self.b.func.declare_imported_user_function(name);
                let data = GlobalValueData::Symbol { name: ExternalName::user(name), offset: 0.into(), colocated: true, tls: false };
                let global = self.b.create_global_value(data);
                self.constant_globals.insert(offset, global);
                global
            }
        };
        self.b.ins().symbol_value(I64, global)
    }

    pub(super) fn constant_bytes(&mut self, bytes: &[u8]) -> Value {
        let offset = self.constants.add(bytes, 1);
        self.constant_address(offset)
    }

    /// A stack area that lives until the statement ends.
    pub(super) fn temporary(&mut self, bytes: u32) -> StackSlot {
        let size = bytes.max(8).next_multiple_of(8);
        let slot = match self.temporaries.free.get_mut(&size).and_then(Vec::pop) {
            Some(slot) => slot,
            None => {
                self.temporaries.bytes += u64::from(size);
                if self.temporaries.bytes > TEMPORARY_BYTES_MAX {
                    self.refuse_temporaries();
                }
                self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4))
            }
        };
        self.temporaries.used.push((size, slot));
        slot
    }

    /// A mark for [`Self::free_temporaries`].
    pub(super) fn temporaries_used(&self) -> usize {
        self.temporaries.used.len()
    }

    /// The temporaries taken since the mark can be used again: no code written from now on reads them.
    pub(super) fn free_temporaries(&mut self, mark: usize) {
        for (size, slot) in self.temporaries.used.drain(mark..) {
            self.temporaries.free.entry(size).or_default().push(slot);
        }
    }

    #[cold]
    fn refuse_temporaries(&mut self) {
        let line = self.current.1;
        let text = format!(
            "the statement on line {line} is too long: the values it computes need more than \
            {TEMPORARY_BYTES_MAX} bytes of stack; divide it into several statements"
        );
        self.refuse(text);
    }

    pub(super) fn temporary_address(&mut self, bytes: u32) -> Value {
        let slot = self.temporary(bytes);
        self.b.ins().stack_addr(I64, slot, 0)
    }

    pub(super) fn store(&mut self, value: Value, address: Value, offset: usize) {
        self.b.ins().store(NOTRAP, value, address, offset as i32);
    }

    /// Continues in a block that nothing reaches yet.
    pub(super) fn start_dead_block(&mut self) {
        let block = self.b.create_block();
        self.b.switch_to_block(block);
    }

    pub(super) fn goto(&mut self, block: Block) {
        self.b.ins().jump(block, &[]);
    }

    pub(super) fn branch(&mut self, condition: Value, then: Block, otherwise: Block) {
        self.b.ins().brif(condition, then, &[], otherwise, &[]);
    }

    pub(super) fn begin(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    pub(super) fn cold_block(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        block
    }

    /// A program interruption when the value is not zero.
    pub(super) fn interrupt_if(&mut self, value: Value, code: u8) {
        if self.has_written_residents() {
            let (stopped, next) = (self.cold_block(), self.b.create_block());
            self.branch(value, stopped, next);
            self.begin(stopped);
            self.stop(code);
            self.begin(next);
            return;
        }
        self.b.ins().trapnz(value, TrapCode::unwrap_user(code));
    }

    /// Stop with a run-time error; the code after it is not reached.
    pub(super) fn fail(&mut self, code: u32) {
        self.flush_residents();
        let number = self.i32(code as i64);
        let frame = self.frame;
        self.slot(Slot::Fail, &[frame, number]);
        self.b.ins().trap(TrapCode::unwrap_user(1));
        self.start_dead_block();
    }

    pub(super) fn unit(&mut self) -> Value {
        self.b.ins().load(I64, FIXED, self.context, offset_of!(TaskContext, unit) as i32)
    }

    pub(super) fn set_unit_return_code(&mut self, value: Value) {
        let unit = self.unit();
        self.store(value, unit, offset_of!(UnitHeader, return_code));
    }

    pub(super) fn set_location(&mut self, number: u32, line: u32) {
        self.current = (number, line);
        let number = self.statement_base + number;
        if let Some(entry) = self.lines.get_mut(number as usize) {
            *entry = line;
        }
        self.location = SourceLoc::new(number);
        self.b.set_srcloc(self.location);
    }
}

/// Whether a slot may end the program or lets other code read its storage: the bytes of items in registers are written first.
fn may_end(slot: Slot) -> bool {
    use Slot::*;
    !matches!(
        slot,
        MoveFigurative
            | CompareBytes
            | DecimalCompare
            | Store
            | StoreInteger
            | Add
            | Subtract
            | Multiply
            | Remainder
            | Negate
            | ToFloat
            | IsClass
            | IsUserClass
            | Initialize
            | Copy
            | Fill
            | CopyPad
    )
}

fn type_of(kind: Kind) -> cranelift_codegen::ir::Type {
    match kind {
        Kind::Address | Kind::Long => I64,
        Kind::Word | Kind::Nothing => I32,
        Kind::Double => F64,
    }
}
