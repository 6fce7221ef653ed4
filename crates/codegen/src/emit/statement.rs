//! One statement: its place for dumps, and the choice of the file that translates it.

use super::*;
use cobol::program::{Statement, StatementKind};
use program::requests::service;

impl<'a> Emitter<'_, 'a> {
    pub fn statements(&mut self, statements: &'a [Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    pub fn statement(&mut self, statement: &'a Statement) {
        self.set_location(statement.number, statement.span.line);
        let resumable = self.flow.resumable && !self.in_part;
        if resumable {
            self.note_statement(statement.number);
        }
        self.tell_statement(statement);
        let mark = self.temporaries_used();
        self.translate(statement);
        self.free_temporaries(mark);
        if resumable {
            self.resume_point(statement.number);
        }
    }

    /// The run time can see which statement this is.
    pub fn note_statement(&mut self, number: u32) {
        let number = self.i32(i64::from(self.statement_base + number));
        self.b.ins().store(NOTRAP, number, self.frame, offset_of!(Frame, statement) as i32);
    }

    /// Control can enter here, as behind a general PERFORM.
    fn resume_point(&mut self, statement: u32) {
        let behind = self.b.create_block();
        self.goto(behind);
        self.begin(behind);
        if let Some(point) = self.point_here(behind) {
            self.resume_points.push(ResumePoint { statement, point });
        }
    }

    fn translate(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Continue => {}
            StatementKind::Move(s) => self.move_statement(s),
            StatementKind::Block(s) => {
                let outer = self.whole.replace(statement.span);
                self.statements(s);
                self.whole = outer;
            }
            StatementKind::Arithmetic(s) => self.arithmetic(s),
            StatementKind::DivideRemainder(s) => self.divide_remainder(s),
            StatementKind::If(s) => self.if_statement(s),
            StatementKind::Evaluate(s) => self.evaluate_statement(s),
            StatementKind::Perform(s) => self.perform(s),
            StatementKind::StringInto(s) => self.string_statement(s),
            StatementKind::Unstring(s) => self.unstring_statement(s),
            StatementKind::Inspect(s) => self.inspect_statement(s),
            StatementKind::Initialize(steps) => self.initialize(steps),
            StatementKind::Search(s) => self.search(s),
            StatementKind::SearchAll(s) => self.search_all(s),
            StatementKind::SortTable(s) => self.sort_table(s),
            StatementKind::Call(s) => self.call(s),
            StatementKind::Cancel(names) => self.cancel(names),
            StatementKind::Accept(s) => self.accept(s),
            StatementKind::Display(s) => self.display(s),
            StatementKind::ExecCics(s) => self.exec(s, statement),
            StatementKind::ExecSql(s) => self.exec_sql(s, statement),
            StatementKind::Markup(s) => self.markup(s),
            StatementKind::XmlParse(s) => self.xml_parse(s, statement.number),
            StatementKind::Unsupported(text) => self.unsupported(text),
            other => self.translate_control(other),
        }
    }

    fn translate_control(&mut self, kind: &'a StatementKind) {
        match kind {
            StatementKind::GoTo(target) => {
                self.go_to(*target);
                self.start_dead_block();
            }
            StatementKind::GoToAltered { paragraph, initial } => {
                self.go_to_altered(*paragraph, *initial);
                self.start_dead_block();
            }
            StatementKind::GoToDepending { targets, selector } => self.go_to_depending(targets, selector),
            StatementKind::Alter(pairs) => self.alter(pairs),
            StatementKind::ResetAlter(paragraphs) => self.reset_alter(paragraphs),
            StatementKind::NextSentence(number) => {
                let block = self.sentence(*number);
                self.goto(block);
                self.start_dead_block();
            }
            StatementKind::SentenceEnd(number) => {
                let block = self.sentence(*number);
                self.goto(block);
                self.begin(block);
            }
            StatementKind::StopRun { return_code } => {
                self.stop_run(return_code);
                self.start_dead_block();
            }
            StatementKind::GoBack => {
                self.goback();
                self.start_dead_block();
            }
            StatementKind::ExitProgram => self.exit_program(),
            StatementKind::ExitPerform | StatementKind::ExitPerformCycle => self.exit_perform(kind),
            StatementKind::ExitProcedure(procedure) => {
                self.go_to_end(*procedure);
                self.start_dead_block();
            }
            StatementKind::Entry(entry) => {
                let block = self.b.create_block();
                self.goto(block);
                self.begin(block);
                self.entry_blocks.push((entry.0, block));
                self.tell_service_label(entry.0);
            }
            other => self.translate_data(other),
        }
    }

    fn translate_data(&mut self, kind: &'a StatementKind) {
        match kind {
            StatementKind::SetIndex { targets, value } => self.set_index(targets, value),
            StatementKind::SetIndexBy { targets, by, down } => self.set_index_by(targets, by, *down),
            StatementKind::SetAddress { targets, value } => self.set_address(targets, value),
            StatementKind::SetPointerBy { targets, by, down } => self.set_pointer_by(targets, by, *down),
            StatementKind::SetEntry { targets, value } => self.set_entry(targets, value),
            StatementKind::SetSwitch { switch, on } => self.set_switch(*switch, *on),
            StatementKind::StopLiteral(operand) => self.stop_literal(operand),
            StatementKind::Open(files) => self.open_files(files),
            StatementKind::Close(files) => self.close_files(files),
            StatementKind::Read(s) => self.read(s),
            StatementKind::Write(s) => self.write(s),
            StatementKind::Rewrite(s) => self.rewrite(s),
            StatementKind::Delete(s) => self.delete(s),
            StatementKind::Start(s) => self.start(s),
            StatementKind::Sort(s) | StatementKind::Merge(s) => self.sort(s),
            StatementKind::Release { file, record, from } => self.release(*file, *record, from),
            StatementKind::Return(s) => self.return_record(s),
            StatementKind::Allocate(s) => self.allocate(s),
            StatementKind::Free(targets) => self.free(targets),
            _ => self.refuse("a statement of unknown kind"),
        }
    }

    /// Passes the location of SERVICE LABEL to the run time: CEE3SRP, called before it, does not know it.
    fn tell_service_label(&mut self, entry: u32) {
        let program: &'a Program = self.program;
        let into = &program.entries[entry as usize];
        if into.is_service_label {
            let words = self.temporary_address(8);
            let label = self.i64(i64::from(into.label.0));
            self.store(label, words, 0);
            self.service(service::RESUME_LABEL, words, 1);
        }
    }

    fn exit_perform(&mut self, kind: &StatementKind) {
        let Some(innermost) = self.loops.last() else {
            return;
        };
        let block = if matches!(kind, StatementKind::ExitPerform) { innermost.exit } else { innermost.cycle };
        self.goto(block);
        self.start_dead_block();
    }

    fn sentence(&mut self, number: u32) -> Block {
        if let Some((_, block)) = self.sentences.iter().find(|(known, _)| *known == number) {
            return *block;
        }
        let block = self.b.create_block();
        self.sentences.push((number, block));
        block
    }

    pub fn unsupported(&mut self, text: &str) {
        let words = self.temporary_address(16);
        let address = self.constant_bytes(text.as_bytes());
        let length = self.i64(text.len() as i64);
        self.store(address, words, 0);
        self.store(length, words, 8);
        self.service(service::UNSUPPORTED, words, 2);
    }
}

/// The paragraph that holds an ENTRY statement.
pub fn entry_place(program: &Program, entry: u32) -> Option<u32> {
    fn holds(statements: &[Statement], entry: u32) -> bool {
        statements.iter().any(|statement| {
            matches!(statement.kind, StatementKind::Entry(known) if known.0 == entry)
                || cobol::program::nested_lists(&statement.kind).into_iter().any(|part| holds(part, entry))
        })
    }
    program.procedures.iter().position(|procedure| holds(&procedure.statements, entry)).map(|at| at as u32)
}
