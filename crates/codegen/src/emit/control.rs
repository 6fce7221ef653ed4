//! Paragraphs, GO TO, IF, EVALUATE, ALTER, the ends of programs.

use super::entry::point;
use super::*;
use cobol::program::{Evaluate, If, Label, Operand, ProcedureId, Reference};
use cranelift_codegen::ir::condcodes::IntCC;
use program::abi::completion;
use program::requests::failure;

impl<'a> Emitter<'_, 'a> {
    pub fn paragraph_blocks(&mut self, paragraphs: &[u32]) -> FxHashMap<u32, (Block, Block)> {
        paragraphs.iter().map(|paragraph| (*paragraph, (self.b.create_block(), self.b.create_block()))).collect()
    }

    /// Writes one paragraph of the current scope; control comes only from its block.
    pub fn paragraph(&mut self, paragraph: u32) {
        let (start, end) = self.scopes.last().expect("in a scope").paragraphs[&paragraph];
        let program: &'a Program = self.program;
        self.begin(start);
        let sentences = std::mem::take(&mut self.sentences);
        self.statements(&program.procedures[paragraph as usize].statements);
        self.sentences = sentences;
        self.goto(end);
        self.begin(end);
        self.paragraph_end(paragraph);
        self.start_dead_block();
    }

    fn paragraph_end(&mut self, paragraph: u32) {
        let closed = self.scopes.last().expect("in a scope").closed;
        if let Some((last, exit)) = closed {
            if paragraph == last {
                self.goto(exit);
            } else {
                self.fall_into(paragraph + 1);
            }
            return;
        }
        if let Some(cell) = self.flow.cells.get(&paragraph).copied() {
            let start = self.cells_start();
            let waiting = self.b.ins().load(I32, NOTRAP, self.frame, (start + 4 * cell) as i32);
            let (back, on) = (self.b.create_block(), self.b.create_block());
            self.branch(waiting, back, on);
            self.begin(back);
            self.go_to_point(waiting);
            self.begin(on);
        }
        self.fall_into(paragraph + 1);
    }

    /// Continue at a paragraph, or end the program behind the last one.
    fn fall_into(&mut self, paragraph: u32) {
        let behind_declaratives = (paragraph as usize) < self.program.procedures.len()
            && paragraph > 0
            && self.program.procedures[paragraph as usize - 1].in_declaratives
            && !self.program.procedures[paragraph as usize].in_declaratives;
        if paragraph as usize >= self.program.procedures.len() {
            self.goback();
        } else if behind_declaratives {
            self.fail(failure::FLOW);
            self.leave(completion::RETURNED);
        } else {
            self.go_to(ProcedureId(paragraph));
        }
    }

    /// Go to a point of the general form, 32 bits.
    fn go_to_point(&mut self, at: Value) {
        let Some(group) = self.group() else {
            self.b.ins().return_(&[at]);
            return;
        };
        if self.form == Form::Entry {
            // There is no other group.
            let index = self.b.ins().band_imm_u(at, 0xFFFF);
            let dispatch = self.dispatch.expect("a group has a dispatch block");
            self.b.ins().jump(dispatch, &[index.into()]);
            return;
        }
        let own = self.b.ins().ushr_imm_u(at, 16);
        let same = self.b.ins().icmp_imm_u(IntCC::Equal, own, group as i64 + 1);
        let (inside, outside) = (self.b.create_block(), self.b.create_block());
        self.branch(same, inside, outside);
        self.begin(outside);
        self.b.ins().return_(&[at]);
        self.begin(inside);
        let index = self.b.ins().band_imm_u(at, 0xFFFF);
        let dispatch = self.dispatch.expect("a group has a dispatch block");
        self.b.ins().jump(dispatch, &[index.into()]);
    }

    /// End the block by going to a paragraph.
    pub fn go_to(&mut self, target: ProcedureId) {
        let scope = self.scopes.last().expect("in a scope");
        if let Some((start, _)) = scope.paragraphs.get(&target.0) {
            let start = *start;
            self.goto(start);
            return;
        }
        match (self.form, self.flow.points.get(&target.0)) {
            (Form::General { .. }, Some((group, index))) if scope.closed.is_none() => {
                let at = self.i32(point(*group, *index));
                self.b.ins().return_(&[at]);
            }
            _ => {
                // The flow analysis found that control cannot reach this point.
                self.fail(failure::FLOW);
                self.leave(completion::RETURNED);
            }
        }
    }

    /// End the block by going to the end of a paragraph.
    pub fn go_to_end(&mut self, procedure: ProcedureId) {
        let last = self.program.procedure(procedure).last;
        let end = self.scopes.last().expect("in a scope").paragraphs.get(&last.0).map(|(_, end)| *end);
        match end {
            Some(end) => self.goto(end),
            None => self.end_elsewhere(last.0),
        }
    }

    /// The end of a paragraph of another group: its cell decides.
    fn end_elsewhere(&mut self, paragraph: u32) {
        self.paragraph_end(paragraph);
    }

    pub fn if_statement(&mut self, statement: &'a If) {
        let next = self.b.create_block();
        let then = self.b.create_block();
        let otherwise = if statement.otherwise.is_empty() { next } else { self.b.create_block() };
        self.condition(&statement.condition, then, otherwise);
        self.begin(then);
        self.statements(&statement.then);
        self.goto(next);
        if !statement.otherwise.is_empty() {
            self.begin(otherwise);
            self.statements(&statement.otherwise);
            self.goto(next);
        }
        self.begin(next);
    }

    pub fn evaluate_statement(&mut self, statement: &'a Evaluate) {
        let next = self.b.create_block();
        for branch in &statement.branches {
            let (taken, other) = (self.b.create_block(), self.b.create_block());
            self.condition(&branch.condition, taken, other);
            self.begin(taken);
            self.statements(&branch.statements);
            self.goto(next);
            self.begin(other);
        }
        self.statements(&statement.other);
        self.goto(next);
        self.begin(next);
    }

    pub fn go_to_depending(&mut self, targets: &[ProcedureId], selector: &Reference) {
        let field = self.field(selector);
        let value = self.load_integer(&field);
        let next = self.b.create_block();
        let blocks: Vec<Block> = targets.iter().map(|_| self.b.create_block()).collect();
        let index = self.b.ins().iadd_imm_s(value, -1);
        let in_range = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, index, targets.len() as i64);
        let select = self.b.create_block();
        self.branch(in_range, select, next);
        self.begin(select);
        let index = self.b.ins().ireduce(I32, index);
        self.table(index, &blocks, next);
        for (block, target) in blocks.iter().zip(targets) {
            self.begin(*block);
            self.go_to(*target);
        }
        self.begin(next);
    }

    /// Frame offset of the cell that holds an altered paragraph's target (its number plus 1; 0: as written).
    fn alter_cell(&mut self, paragraph: ProcedureId) -> u32 {
        let count = self.program.procedures.iter().filter(|procedure| procedure.altered.is_some()).count() as u32;
        if self.layout().frame.alters == 0 {
            let start = self.layout_mut().take_frame(4 * count.max(1), 8);
            self.layout_mut().frame.alters = start;
        }
        self.layout().frame.alters + 4 * self.program.procedure(paragraph).altered.unwrap_or(0)
    }

    pub fn alter(&mut self, pairs: &[(ProcedureId, ProcedureId)]) {
        for (paragraph, target) in pairs {
            let cell = self.alter_cell(*paragraph);
            let value = self.i32(target.0 as i64 + 1);
            self.b.ins().store(NOTRAP, value, self.frame, cell as i32);
        }
    }

    pub fn reset_alter(&mut self, paragraphs: &[ProcedureId]) {
        for paragraph in paragraphs {
            let cell = self.alter_cell(*paragraph);
            let zero = self.i32(0);
            self.b.ins().store(NOTRAP, zero, self.frame, cell as i32);
        }
    }

    pub fn go_to_altered(&mut self, paragraph: ProcedureId, initial: Option<ProcedureId>) {
        let cell = self.alter_cell(paragraph);
        let value = self.b.ins().load(I32, NOTRAP, self.frame, cell as i32);
        for target in self.flow.alters.get(&paragraph.0).cloned().unwrap_or_default() {
            let (taken, other) = (self.b.create_block(), self.b.create_block());
            let same = self.b.ins().icmp_imm_u(IntCC::Equal, value, target as i64 + 1);
            self.branch(same, taken, other);
            self.begin(taken);
            self.go_to(ProcedureId(target));
            self.begin(other);
        }
        match initial {
            Some(initial) => self.go_to(initial),
            None => {
                self.fail(failure::GO_TO_UNSET);
                self.leave(completion::RETURNED);
            }
        }
    }

    /// GOBACK: RETURN-CODE is passed to the caller.
    pub fn goback(&mut self) {
        self.pass_return_code();
        self.leave(completion::RETURNED);
    }

    fn pass_return_code(&mut self) {
        let Some(item) = self.program.registers.return_code.filter(|item| self.program.item(*item).referenced) else {
            return;
        };
        let value = self.item_integer(item);
        let value = self.b.ins().ireduce(I32, value);
        self.set_unit_return_code(value);
    }

    pub fn exit_program(&mut self) {
        let caller = self.b.ins().load(I64, NOTRAP, self.frame, offset_of!(Frame, caller) as i32);
        let (called, main) = (self.b.create_block(), self.b.create_block());
        self.branch(caller, called, main);
        self.begin(called);
        self.goback();
        self.begin(main);
    }

    pub fn stop_run(&mut self, return_code: &Option<Operand>) {
        match return_code {
            Some(operand) => {
                let number = self.operand_number(operand);
                let value = self.integer_of(number);
                let value = self.b.ins().ireduce(I32, value);
                self.set_unit_return_code(value);
            }
            None => self.pass_return_code(),
        }
        self.leave(completion::STOPPED);
    }

    /// The block that goes to a label by its number, shared by the commands of the scope.
    pub fn label_block(&mut self) -> Block {
        if let Some(block) = self.scopes.last().expect("in a scope").labels {
            return block;
        }
        let block = self.b.create_block();
        self.b.append_block_param(block, I32);
        self.b.set_cold_block(block);
        self.scopes.last_mut().expect("in a scope").labels = Some(block);
        block
    }

    /// Write the label dispatch of the scope, which ends.
    pub fn finish_labels(&mut self) {
        let Some(block) = self.scopes.last().expect("in a scope").labels else {
            return;
        };
        self.begin(block);
        let number = self.b.block_params(block)[0];
        let index = self.b.ins().iadd_imm_s(number, -1);
        let bad = self.cold_block();
        let program: &'a Program = self.program;
        let blocks: Vec<Block> = program.labels.iter().map(|_| self.b.create_block()).collect();
        self.table(index, &blocks, bad);
        for (block, label) in blocks.iter().zip(&program.labels) {
            self.begin(*block);
            match label {
                Label::Procedure(procedure) => self.go_to(*procedure),
                Label::Entry(_) => self.goto(bad),
            }
        }
        self.begin(bad);
        self.fail(failure::FLOW);
        self.leave(completion::RETURNED);
    }
}
