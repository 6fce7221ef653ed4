//! PERFORM: ranges called, expanded or run in general form, and all loops.

use super::entry::{ENTRY_POINTS, point};
use super::*;
use crate::resident::Plan;
use cobol::program::{Condition, Operand, Perform, PerformBody, PerformControl, PerformVarying, Statement};
use cranelift_codegen::ir::condcodes::IntCC;

/// Expansions within expansions.
const EXPANSION_DEPTH_MAX: usize = 4;
/// Statements expanded into one function.
const EXPANDED_TOTAL_MAX: u32 = 300;

impl<'a> Emitter<'_, 'a> {
    pub fn perform(&mut self, statement: &'a Perform) {
        if matches!(statement.control, PerformControl::Once) {
            return self.perform_once(&statement.body);
        }
        if !self.hot
            && let Some(number) = self.heat.function_of(statement)
        {
            return self.call_native(self.numbers.loops + number, Form::Loop(number));
        }
        self.loop_depth += 1;
        let plans = self.loop_plan(statement);
        if plans.is_empty() {
            self.initialize_varying(statement);
            self.perform_loop(statement);
        } else {
            self.perform_twice(statement, &plans);
        }
        self.loop_depth -= 1;
    }

    /// A loop on numbers in registers, and its twin on storage.
    fn perform_twice(&mut self, statement: &'a Perform, plans: &[Plan]) {
        let (otherwise, done) = (self.cold_block(), self.b.create_block());
        self.initialize_varying(statement);
        self.enter_residents(plans, otherwise);
        self.perform_loop(statement);
        self.leave_residents();
        self.goto(done);
        self.begin(otherwise);
        match self.heat.function_of(statement) {
            Some(number) if !self.heat.all => self.call_native(self.numbers.twins + number, Form::Twin(number)),
            _ => self.perform_on_storage(statement),
        }
        self.goto(done);
        self.begin(done);
    }

    /// The turns of a loop, its variables set, with no item in a register.
    pub fn perform_on_storage(&mut self, statement: &'a Perform) {
        self.keeps_in_storage = true;
        self.loop_depth += 1;
        self.perform_loop(statement);
        self.loop_depth -= 1;
        self.keeps_in_storage = false;
    }

    /// A part of the VARYING phrase: the PERFORM is the statement.
    fn part(&mut self, part: &'a Statement) {
        let (number, line) = self.current;
        self.in_part = true;
        self.statement(part);
        self.in_part = false;
        self.set_location(number, line);
    }

    fn initialize_varying(&mut self, statement: &'a Perform) {
        if let PerformControl::Varying(varying) = &statement.control {
            for variable in &varying.loops {
                self.part(&variable.initialize);
            }
        }
    }

    fn perform_loop(&mut self, statement: &'a Perform) {
        match &statement.control {
            PerformControl::Once => {}
            PerformControl::Times(count) => self.perform_times(&statement.body, count),
            PerformControl::Until { condition, test_after } => self.perform_until(&statement.body, condition, *test_after),
            PerformControl::Varying(varying) => self.perform_varying(&statement.body, varying),
        }
    }

    fn perform_once(&mut self, body: &'a PerformBody) {
        let exit = self.b.create_block();
        self.body(body, exit, exit);
        self.goto(exit);
        self.begin(exit);
    }

    /// The body of a loop; EXIT PERFORM branches to `exit`, EXIT PERFORM CYCLE to `cycle`.
    fn body(&mut self, body: &'a PerformBody, cycle: Block, exit: Block) {
        match body {
            PerformBody::Range(range) => self.perform_range(*range),
            PerformBody::Inline(statements) => {
                self.loops.push(Loop { cycle, exit });
                self.statements(statements);
                self.loops.pop();
            }
        }
    }

    fn is_general(&self, body: &PerformBody) -> bool {
        matches!(body, PerformBody::Range(range) if !self.flow.closed.contains_key(range)) || has_general(body, self.flow)
    }

    fn perform_times(&mut self, body: &'a PerformBody, count: &'a Operand) {
        let number = self.operand_number(count);
        let count = self.integer_of(number);
        // A general range is left and entered through the dispatcher: the counter must be in the frame.
        let in_frame = (self.flow.resumable || self.is_general(body)).then(|| self.layout_mut().take_frame(8, 8));
        let counter = self.b.declare_var(I64);
        self.b.def_var(counter, count);
        if let Some(offset) = in_frame {
            self.b.ins().store(NOTRAP, count, self.frame, offset as i32);
        }
        let (head, run, cycle, exit) = (self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(head);
        self.begin(head);
        let left = match in_frame {
            Some(offset) => self.b.ins().load(I64, NOTRAP, self.frame, offset as i32),
            None => self.b.use_var(counter),
        };
        let more = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
        self.branch(more, run, exit);
        self.begin(run);
        let less = self.b.ins().iadd_imm_s(left, -1);
        match in_frame {
            Some(offset) => {
                self.b.ins().store(NOTRAP, less, self.frame, offset as i32);
            }
            None => self.b.def_var(counter, less),
        }
        self.body(body, cycle, exit);
        self.goto(cycle);
        self.begin(cycle);
        self.goto(head);
        self.begin(exit);
    }

    fn perform_until(&mut self, body: &'a PerformBody, condition: &'a Condition, test_after: bool) {
        let (head, run, cycle, exit) = (self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block());
        let number = self.current.0;
        self.goto(if test_after { run } else { head });
        self.begin(head);
        self.note_loop(number);
        self.condition(condition, exit, run);
        self.begin(run);
        self.body(body, cycle, exit);
        self.goto(cycle);
        self.begin(cycle);
        if !test_after && self.is_cheap(condition) {
            self.condition(condition, exit, run);
        } else {
            self.goto(head);
        }
        self.begin(exit);
    }

    /// The body has noted other statements than the PERFORM whose condition is evaluated now.
    fn note_loop(&mut self, number: u32) {
        if self.flow.resumable {
            self.note_statement(number);
        }
    }

    /// A condition worth repeating at the end of a loop, to save a jump in each iteration: a comparison of numbers in registers.
    fn is_cheap(&self, condition: &Condition) -> bool {
        let Condition::Relation(relation) = condition else {
            return false;
        };
        [&relation.left, &relation.right].into_iter().all(|operand| match operand {
            Operand::Reference(reference) => self.resident_of(reference).is_some(),
            operand => matches!(operand, Operand::Literal(_)),
        })
    }

    fn perform_varying(&mut self, body: &'a PerformBody, varying: &'a PerformVarying) {
        if varying.test_after {
            return self.varying_after(body, varying);
        }
        let number = self.current.0;
        let loops = &varying.loops;
        let heads: Vec<Block> = loops.iter().map(|_| self.b.create_block()).collect();
        let (run, cycle, exit) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(heads[0]);
        // Head n: when its condition holds, step the variable outside it and begin again with its own FROM value.
        for (depth, variable) in loops.iter().enumerate() {
            self.begin(heads[depth]);
            self.note_loop(number);
            let inner = heads.get(depth + 1).copied().unwrap_or(run);
            if depth == 0 {
                self.condition(&variable.until, exit, inner);
                continue;
            }
            let finished = self.b.create_block();
            self.condition(&variable.until, finished, inner);
            self.begin(finished);
            // The outer variable is augmented before the inner one is set again.
            self.part(&loops[depth - 1].step);
            self.part(&variable.initialize);
            self.goto(heads[depth - 1]);
        }
        self.begin(run);
        self.body(body, cycle, exit);
        self.goto(cycle);
        self.begin(cycle);
        let innermost = loops.last().expect("VARYING has a variable");
        self.part(&innermost.step);
        if loops.len() == 1 && self.is_cheap(&innermost.until) {
            self.condition(&innermost.until, exit, run);
        } else {
            self.goto(*heads.last().expect("VARYING has a variable"));
        }
        self.begin(exit);
    }

    fn varying_after(&mut self, body: &'a PerformBody, varying: &'a PerformVarying) {
        let number = self.current.0;
        let loops = &varying.loops;
        let (run, cycle, exit) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(run);
        self.begin(run);
        self.body(body, cycle, exit);
        self.goto(cycle);
        self.begin(cycle);
        // From the innermost outwards: the first variable whose condition is false is stepped.
        for (depth, variable) in loops.iter().enumerate().rev() {
            let (outer, again) = (self.b.create_block(), self.b.create_block());
            self.note_loop(number);
            self.condition(&variable.until, outer, again);
            self.begin(again);
            self.part(&variable.step);
            for inner in &loops[depth + 1..] {
                self.part(&inner.initialize);
            }
            self.goto(run);
            self.begin(outer);
        }
        self.goto(exit);
        self.begin(exit);
    }

    /// Runs a range once; control continues behind it.
    pub fn perform_range(&mut self, range: Range) {
        let number = self.current.0;
        self.tell_performing();
        self.run_range(range);
        self.tell_performed(number);
    }

    fn run_range(&mut self, range: Range) {
        let Some(closed) = self.flow.closed.get(&range) else {
            return self.perform_general(range);
        };
        let nested = self.expanding.contains(&range);
        let affordable = self.expanded_weight + closed.weight <= EXPANDED_TOTAL_MAX;
        if closed.expand && affordable && !nested && self.expanding.len() < EXPANSION_DEPTH_MAX {
            self.expanded_weight += closed.weight;
            let exit = self.b.create_block();
            self.expand_body(range, exit);
            self.begin(exit);
            return;
        }
        self.call_native(self.numbers.closed + closed.function, Form::Range(range));
    }

    /// Call a range or loop; a completion ends this function as well.
    fn call_native(&mut self, number: u32, form: Form) {
        let function = self.native_function(number, form);
        let (context, frame) = (self.context, self.frame);
        self.flush_residents();
        let call = self.b.ins().call(function, &[context, frame]);
        let result = self.b.inst_results(call)[0];
        let (ended, next) = (self.cold_block(), self.b.create_block());
        self.branch(result, ended, next);
        self.begin(ended);
        let completion = self.b.ins().iadd_imm_s(result, -1);
        self.leave_with(completion);
        self.begin(next);
        self.reload_residents();
    }

    /// Write a closed range's paragraphs here; its end is `exit`.
    pub fn expand_body(&mut self, range: Range, exit: Block) {
        let body = self.flow.closed[&range].body.clone();
        let blocks = self.paragraph_blocks(&body);
        let first = blocks[&range.first.0].0;
        self.goto(first);
        self.expanding.push(range);
        let loops = std::mem::take(&mut self.loops);
        self.scopes.push(Scope { paragraphs: blocks, closed: Some((range.last.0, exit)), labels: None });
        self.start_dead_block();
        for paragraph in body {
            self.paragraph(paragraph);
        }
        self.finish_labels();
        self.scopes.pop();
        self.loops = loops;
        self.expanding.pop();
    }

    /// The point of a block of the group this function holds, where control comes through the dispatcher.
    pub fn point_here(&mut self, block: Block) -> Option<u32> {
        let group = self.group()?;
        let index = (self.flow.groups[group as usize].paragraphs.len() + self.returns.len()) as u32;
        if index >= ENTRY_POINTS {
            return None;
        }
        self.returns.push(block);
        Some(point(group, index) as u32)
    }

    /// General form: set the cell of the range's end, go to its start, come back through the dispatcher.
    fn perform_general(&mut self, range: Range) {
        if self.group().is_none() {
            self.refuse("a PERFORM in a closed range leads outside");
            return;
        }
        let Some(cell) = self.flow.cells.get(&range.last.0).copied() else {
            self.refuse("a performed range has no end");
            return;
        };
        let back = self.b.create_block();
        let Some(at) = self.point_here(back) else {
            self.refuse("a paragraph is too long");
            return;
        };
        let cell = (self.cells_start() + 4 * cell) as i32;
        let saved = self.layout_mut().take_frame(4, 4) as i32;
        let old = self.b.ins().load(I32, NOTRAP, self.frame, cell);
        self.b.ins().store(NOTRAP, old, self.frame, saved);
        let here = self.i32(i64::from(at));
        self.b.ins().store(NOTRAP, here, self.frame, cell);
        self.go_to(range.first);
        self.begin(back);
        let old = self.b.ins().load(I32, NOTRAP, self.frame, saved);
        self.b.ins().store(NOTRAP, old, self.frame, cell);
    }
}

/// Statements of an inline body that perform a general range somewhere.
fn has_general(body: &PerformBody, flow: &Flow) -> bool {
    fn statements(list: &[cobol::program::Statement], flow: &Flow) -> bool {
        use cobol::program::StatementKind;
        list.iter().any(|statement| match &statement.kind {
            StatementKind::Perform(perform) => {
                matches!(&perform.body, PerformBody::Range(range) if !flow.closed.contains_key(range)) || has_general(&perform.body, flow)
            }
            StatementKind::Sort(_) | StatementKind::Merge(_) | StatementKind::XmlParse(_) => true,
            kind => (crate::flow::uses_files(kind)) || cobol::program::nested_lists(kind).into_iter().any(|part| statements(part, flow)),
        })
    }
    match body {
        PerformBody::Inline(list) => statements(list, flow),
        PerformBody::Range(_) => false,
    }
}
