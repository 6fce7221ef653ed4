//! The three kinds of function: a program's entry with its driver loop, a group of general paragraphs, a closed range.
//!
//! A point of the general form is (group + 1) << 16 | index; a group returns the point to continue at, or a negative number: the complement
//! of the completion.

use super::*;
use cobol::program::{Label, Parameter, ProcedureId, Statement, StatementKind};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockCall, JumpTableData, ValueListPool};
use program::abi::completion;
use program::abi::entry_label::RESUME;
use program::requests::failure;

pub fn point(group: u32, index: u32) -> i64 {
    ((group + 1) << 16 | index) as i64
}

impl<'a> Emitter<'_, 'a> {
    /// Branches to one of the blocks by an index; to `other` if there is none.
    pub fn table(&mut self, index: Value, blocks: &[Block], other: Block) {
        let pool: &mut ValueListPool = &mut self.b.func.dfg.value_lists;
        let default = BlockCall::new(other, [], pool);
        let entries: Vec<BlockCall> = blocks.iter().map(|block| BlockCall::new(*block, [], pool)).collect();
        let data = JumpTableData::new(default, &entries);
        let table = self.b.create_jump_table(data);
        self.b.ins().br_table(index, table);
    }

    pub fn entry_function(&mut self) {
        let label = self.parameter.expect("an entry has a label");
        let next = self.b.declare_var(I32);
        let (driver, start, resume) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.branch(label, resume, start);

        self.begin(start);
        self.initial_state();
        let program: &'a Program = self.program;
        let parameters: Vec<Parameter> = program.parameters.clone();
        self.take_arguments(&parameters);
        let mut first = None;
        match program.start {
            Some(start) if self.flow.groups.len() == 1 => {
                let block = self.b.create_block();
                self.goto(block);
                first = Some((start.0, block));
            }
            Some(start) => {
                let at = self.point_of(start);
                self.b.def_var(next, at);
                self.goto(driver);
            }
            None => self.complete(completion::RETURNED),
        }

        self.begin(resume);
        if self.flow.resumable {
            let (behind, at_label) = (self.b.create_block(), self.b.create_block());
            let is_point = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, label, 0);
            self.branch(is_point, behind, at_label);
            self.begin(behind);
            // The program goes on as it was left.
            let at = self.b.ins().band_imm_u(label, i64::from(!RESUME));
            self.b.def_var(next, at);
            self.goto(driver);
            self.begin(at_label);
        }
        let bad = self.cold_block();
        let blocks: Vec<Block> = program.labels.iter().map(|_| self.b.create_block()).collect();
        let index = self.b.ins().iadd_imm_s(label, -1);
        self.table(index, &blocks, bad);
        for (block, target) in blocks.iter().zip(&program.labels) {
            self.begin(*block);
            let at = match target {
                Label::Procedure(procedure) => self.point_of(*procedure),
                Label::Entry(entry) => {
                    let into = &program.entries[entry.0 as usize];
                    // At SERVICE LABEL the program continues in its present state.
                    if !into.is_service_label {
                        self.initial_state();
                        let parameters = into.parameters.clone();
                        self.take_arguments(&parameters);
                    }
                    self.entry_point(entry.0)
                }
            };
            self.b.def_var(next, at);
            self.goto(driver);
        }
        self.begin(bad);
        self.fail(failure::FLOW);
        self.complete(completion::RETURNED);

        self.begin(driver);
        if self.flow.groups.len() == 1 {
            let at = self.b.use_var(next);
            let index = self.b.ins().band_imm_u(at, 0xFFFF);
            self.group_body(0, index, first);
        } else {
            self.drive(next, bad);
        }
    }

    /// Run groups until one completes.
    fn drive(&mut self, next: cranelift_frontend::Variable, bad: Block) {
        let check = self.b.create_block();
        let groups = self.flow.groups.len() as u32;
        let at = self.b.use_var(next);
        let group = self.b.ins().ushr_imm_u(at, 16);
        let group = self.b.ins().iadd_imm_s(group, -1);
        let index = self.b.ins().band_imm_u(at, 0xFFFF);
        let blocks: Vec<Block> = (0..groups).map(|_| self.b.create_block()).collect();
        let driver = self.b.current_block().expect("in the driver");
        self.table(group, &blocks, bad);
        for (number, block) in blocks.iter().enumerate() {
            self.begin(*block);
            let form = Form::General { group: number as u32 };
            let function = self.native_function(self.numbers.groups + number as u32, form);
            let (context, frame) = (self.context, self.frame);
            let call = self.b.ins().call(function, &[context, frame, index]);
            let result = self.b.inst_results(call)[0];
            self.b.def_var(next, result);
            self.goto(check);
        }
        self.begin(check);
        let at = self.b.use_var(next);
        let done = self.b.create_block();
        let ended = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, at, 0);
        self.branch(ended, done, driver);
        self.begin(done);
        let completion = self.b.ins().bnot(at);
        self.b.ins().return_(&[completion]);
    }

    fn complete(&mut self, completion: u32) {
        let value = self.i32(completion as i64);
        self.b.ins().return_(&[value]);
    }

    /// A program starts with no PERFORM active; ALTERs keep their last state.
    fn initial_state(&mut self) {
        let cells = self.flow.cells.len() as u32;
        if cells > 0 {
            let start = self.cells_start();
            let address = self.b.ins().iadd_imm_s(self.frame, start as i64);
            let (zero, length) = (self.i32(0), self.i32(4 * cells as i64));
            self.slot(Slot::Fill, &[address, zero, length]);
        }
        let zero = self.i32(0);
        self.set_unit_return_code(zero);
        self.tell_entered();
    }

    /// Frame offset of the PERFORM cells.
    pub fn cells_start(&mut self) -> u32 {
        let cells = self.flow.cells.len() as u32;
        if self.layout().frame.cells_length == 0 && cells > 0 {
            let start = self.layout_mut().take_frame(4 * cells, 8);
            let frame = &mut self.layout_mut().frame;
            frame.cells = start;
            frame.cells_length = 4 * cells;
        }
        self.layout().frame.cells
    }

    /// Linkage bases get the addresses the caller passed.
    fn take_arguments(&mut self, parameters: &[Parameter]) {
        let arguments = offset_of!(Frame, arguments) as i32;
        let returning = self.program.returning.into_iter();
        let items = parameters.iter().map(|parameter| parameter.item).chain(returning);
        for (number, item) in items.enumerate() {
            let Some(slot) = self.base_slot(item) else { continue };
            let passed = arguments + 4 * number as i32;
            let address = self.b.ins().load(I32, NOTRAP, self.frame, passed);
            let address = self.base_of(address);
            self.b.ins().store(NOTRAP, address, self.frame, slot as i32);
        }
    }

    fn point_of(&mut self, procedure: ProcedureId) -> Value {
        match self.flow.points.get(&procedure.0) {
            Some((group, index)) => self.i32(point(*group, *index)),
            None => {
                self.refuse("a procedure that control enters is not part of the general form");
                self.i32(0)
            }
        }
    }

    /// The point behind an ENTRY statement: entries follow the paragraphs among a group's points.
    fn entry_point(&mut self, entry: u32) -> Value {
        let place = super::statement::entry_place(self.program, entry);
        match place.and_then(|paragraph| self.flow.points.get(&paragraph)) {
            Some((group, _)) => self.i32(point(*group, ENTRY_POINTS + entry)),
            None => {
                self.refuse("ENTRY is not within a paragraph");
                self.i32(0)
            }
        }
    }

    pub fn group_function(&mut self, group: u32) {
        let index = self.parameter.expect("a group has a point");
        self.group_body(group, index, None);
    }

    /// The paragraphs of a group, entered at a point; or by `first` straight at a paragraph.
    fn group_body(&mut self, group: u32, index: Value, first: Option<(u32, Block)>) {
        let paragraphs = self.flow.groups[group as usize].paragraphs.clone();
        let dispatch = self.b.create_block();
        let selector = self.b.append_block_param(dispatch, I32);
        self.dispatch = Some(dispatch);
        self.b.ins().jump(dispatch, &[index.into()]);
        let blocks = self.paragraph_blocks(&paragraphs);
        let starts: Vec<Block> = paragraphs.iter().map(|paragraph| blocks[paragraph].0).collect();
        if let Some((paragraph, from)) = first {
            self.begin(from);
            self.goto(blocks[&paragraph].0);
        }
        self.scopes.push(Scope { paragraphs: blocks, closed: None, labels: None });
        self.start_dead_block();
        for paragraph in &paragraphs {
            self.paragraph(*paragraph);
        }
        self.finish_labels();
        self.scopes.pop();
        // Points: the paragraphs, then behind general PERFORMs, and from ENTRY_POINTS on the ENTRY statements.
        self.begin(dispatch);
        let mut targets = starts;
        targets.extend(self.returns.clone());
        let bad = self.cold_block();
        let entries = self.entry_blocks.clone();
        let other = if entries.is_empty() { bad } else { self.b.create_block() };
        self.table(selector, &targets, other);
        if !entries.is_empty() {
            self.begin(other);
            let number = self.b.ins().iadd_imm_s(selector, -(ENTRY_POINTS as i64));
            let count = self.program.entries.len();
            let blocks: Vec<Block> =
                (0..count as u32).map(|entry| entries.iter().find(|(known, _)| *known == entry).map_or(bad, |(_, block)| *block)).collect();
            self.table(number, &blocks, bad);
        }
        self.begin(bad);
        self.fail(failure::FLOW);
        self.leave(completion::RETURNED);
    }

    pub fn range_function(&mut self, range: Range) {
        let exit = self.b.create_block();
        self.expand_body(range, exit);
        self.begin(exit);
        let zero = self.i32(0);
        self.b.ins().return_(&[zero]);
    }

    pub fn loop_function(&mut self, number: u32) {
        let statement: &'a Statement = self.heat.bodies[number as usize];
        self.statement(statement);
        let zero = self.i32(0);
        self.b.ins().return_(&[zero]);
    }

    pub fn twin_function(&mut self, number: u32) {
        let statement: &'a Statement = self.heat.bodies[number as usize];
        self.set_location(statement.number, statement.span.line);
        if let StatementKind::Perform(perform) = &statement.kind {
            self.perform_on_storage(perform);
        }
        let zero = self.i32(0);
        self.b.ins().return_(&[zero]);
    }

    /// Return from the function with the program's completion.
    pub fn leave(&mut self, completion: u32) {
        self.flush_residents();
        let value = match self.form {
            Form::Entry => completion as i64,
            Form::General { .. } => !(completion as i64),
            Form::Range(_) | Form::Loop(_) | Form::Twin(_) => completion as i64 + 1,
        };
        let value = self.i32(value);
        self.b.ins().return_(&[value]);
    }

    /// Return a completion that a called range or program gave, 32 bits.
    pub fn leave_with(&mut self, completion: Value) {
        let value = match self.form {
            Form::Entry => completion,
            Form::General { .. } => self.b.ins().bnot(completion),
            Form::Range(_) | Form::Loop(_) | Form::Twin(_) => self.b.ins().iadd_imm_s(completion, 1),
        };
        self.b.ins().return_(&[value]);
    }
}

/// First point number of ENTRY statements in a group.
pub const ENTRY_POINTS: u32 = 0xF000;
