//! File statements, SORT and MERGE.

use super::field::{Field, Length};
use super::number::Number;
use super::*;
use crate::flow::section_range;
use cobol::program::*;
use cranelift_codegen::ir::condcodes::IntCC;
use program::requests::{FileOperation, FileRequest, LinageValues, advancing, close_options, service};

/// READ by key in [`FileRequest::mode`]; next and previous are 0 and 1.
const READ_BY_KEY: u32 = 2;

impl<'a> Emitter<'_, 'a> {
    fn request(&mut self, operation: FileOperation, file: FileId, mode: u32) -> Value {
        let request = self.temporary_address(std::mem::size_of::<FileRequest>() as u32);
        for offset in (0..std::mem::size_of::<FileRequest>()).step_by(8) {
            let zero = self.i64(0);
            self.store(zero, request, offset);
        }
        let program = self.program;
        let description = program.file(file);
        let mut number = file.0;
        if let Some((levels, outer)) = description.outer {
            let mut owner = self.frame;
            for _ in 0..levels {
                owner = self.b.ins().load(I64, FIXED, owner, offset_of!(Frame, outer) as i32);
            }
            self.store(owner, request, offset_of!(FileRequest, owner));
            number = outer.0;
        }
        for (value, offset) in [
            (operation as u32, offset_of!(FileRequest, operation)),
            (number, offset_of!(FileRequest, file)),
            (mode, offset_of!(FileRequest, mode)),
        ] {
            let value = self.i32(value as i64);
            self.store(value, request, offset);
        }
        // Sequential access sets the relative key, which need not hold a number before.
        let by_number = match operation {
            FileOperation::Open | FileOperation::Close => false,
            FileOperation::Read => mode == READ_BY_KEY,
            FileOperation::Start => true,
            FileOperation::Write | FileOperation::Rewrite | FileOperation::Delete => description.access != Access::Sequential,
        };
        if let Some(item) = description.relative_key.filter(|_| by_number) {
            let value = self.item_integer(item);
            self.store(value, request, offset_of!(FileRequest, relative));
        }
        if matches!(operation, FileOperation::Open | FileOperation::Write) {
            self.linage_values(file, request);
        }
        request
    }

    fn linage_values(&mut self, file: FileId, request: Value) {
        let Some(linage) = self.program.file(file).linage.as_deref() else {
            return;
        };
        for (count, offset) in [
            (Some(linage.lines), offset_of!(LinageValues, lines)),
            (linage.footing, offset_of!(LinageValues, footing)),
            (linage.top, offset_of!(LinageValues, top)),
            (linage.bottom, offset_of!(LinageValues, bottom)),
        ] {
            let value = match count {
                Some(Count::Fixed(value)) => self.i32(value as i64),
                Some(Count::Item(item)) => {
                    let value = self.item_integer(item);
                    self.b.ins().ireduce(I32, value)
                }
                None => continue,
            };
            self.store(value, request, offset_of!(FileRequest, linage) + offset);
        }
        // The value of the counter if the operation fails.
        let counter = self.item_integer(linage.counter);
        let counter = self.b.ins().ireduce(I32, counter);
        self.store(counter, request, offset_of!(FileRequest, linage_counter));
    }

    fn linage_counter(&mut self, file: FileId, request: Value) {
        if let Some(linage) = self.program.file(file).linage.as_deref() {
            let value = self.b.ins().load(I32, NOTRAP, request, offset_of!(FileRequest, linage_counter) as i32);
            let value = self.b.ins().uextend(I64, value);
            self.set_integer(linage.counter, value);
        }
    }

    fn operate(&mut self, file: FileId, request: Value) -> Value {
        let frame = self.frame;
        let outcome = self.slot_value(Slot::File, &[frame, request]);
        self.status_elsewhere(file, request);
        self.access_status(file, request);
        outcome
    }

    /// The second item of FILE STATUS: the result of the access method.
    fn access_status(&mut self, file: FileId, request: Value) {
        let description = self.program.file(file);
        let Some(status) = description.vsam_status.filter(|_| description.outer.is_none()) else { return };
        let field = self.item_field(status);
        let target = self.field_address(&field);
        for at in (0..6).step_by(2) {
            let offset = (offset_of!(FileRequest, feedback) + at) as i32;
            let halfword = self.b.ins().uload16(I32, NOTRAP, request, offset);
            self.b.ins().istore16(NOTRAP, halfword, target, at as i32);
        }
    }

    /// The run time sets FILE STATUS items in the owner's WORKING-STORAGE; an item elsewhere (EXTERNAL, linkage) is set here.
    fn status_elsewhere(&mut self, file: FileId, request: Value) {
        let description = self.program.file(file);
        let Some(status) = description.status.filter(|_| description.outer.is_none()) else { return };
        let place = self.layout().places[self.program.item(status).base.0 as usize];
        if matches!(place, crate::layout::AreaPlace::Working(_)) {
            return;
        }
        // The digits of the request are ASCII.
        let zone = i64::from(self.layout().session.code_page.zone) - 0x30;
        let field = self.item_field(status);
        let target = self.field_address(&field);
        for at in 0..2 {
            let offset = (offset_of!(FileRequest, status) + at) as i32;
            let digit = self.b.ins().uload8(I32, NOTRAP, request, offset);
            let digit = self.b.ins().iadd_imm_s(digit, zone);
            self.b.ins().istore8(NOTRAP, digit, target, at as i32);
        }
    }

    /// The USE procedure for an error on the file by its name.
    fn declarative(&self, file: FileId) -> Option<Range> {
        let by_file = self.program.declaratives.iter().find(|declarative| match &declarative.trigger {
            Trigger::Files(files) => files.contains(&file),
            _ => false,
        });
        by_file.map(|declarative| section_range(self.program, declarative.section))
    }

    /// The handling of an error that no phrase of the statement handles: the USE procedure of the file, else that of the mode in which the
    /// file is (or was to be) open, else an abend, unless the program has a file status.
    fn unhandled(&mut self, file: FileId, request: Value) {
        if let Some(range) = self.declarative(file) {
            return self.perform_range(range);
        }
        let modes: Vec<(OpenMode, Range)> = self
            .program
            .declaratives
            .iter()
            .filter_map(|declarative| match &declarative.trigger {
                Trigger::Mode(mode) => Some((*mode, section_range(self.program, declarative.section))),
                _ => None,
            })
            .collect();
        let next = self.b.create_block();
        let is = self.b.ins().load(I32, NOTRAP, request, offset_of!(FileRequest, open_mode) as i32);
        for (mode, range) in modes {
            let (found, other) = (self.b.create_block(), self.b.create_block());
            let same = self.b.ins().icmp_imm_u(IntCC::Equal, is, mode as i64);
            self.branch(same, found, other);
            self.begin(found);
            self.perform_range(range);
            self.goto(next);
            self.begin(other);
        }
        self.outer_declaratives(file, request, next);
        if self.program.file(file).status.is_none() {
            self.note_statement(self.current.0);
            let words = self.temporary_address(8);
            self.store(request, words, 0);
            self.service(service::FILE_ERROR, words, 1);
        }
        self.goto(next);
        self.begin(next);
    }

    /// USE GLOBAL procedures of the containing programs, from the inside out; after one was performed, control continues at `next`.
    fn outer_declaratives(&mut self, file: FileId, request: Value, next: Block) {
        let connection = self.program.file(file).outer;
        let (mut frame, mut index, mut levels) = (self.frame, self.index, 0);
        while let Some(parent) = self.layouts[index].parent {
            index = parent as usize;
            levels += 1;
            frame = self.b.ins().load(I64, FIXED, frame, offset_of!(Frame, outer) as i32);
            let outer: &'a Program = self.layouts[index].program;
            for declarative in outer.declaratives.iter().filter(|declarative| declarative.global) {
                let range = section_range(outer, declarative.section);
                let Some(closed) = self.flows[index].closed.get(&range) else { continue };
                let number = self.all_numbers[index].closed + closed.function;
                match &declarative.trigger {
                    Trigger::Files(files) => {
                        // The file as the outer program numbers it.
                        let own = |candidate: &FileId| match (connection, outer.file(*candidate).outer) {
                            (Some((depth, id)), None) => depth == levels && id == *candidate,
                            (Some((depth, id)), Some((more, further))) => depth == levels + more && id == further,
                            _ => false,
                        };
                        if files.iter().any(own) {
                            self.call_outer(number, range, frame);
                            self.goto(next);
                            self.start_dead_block();
                        }
                    }
                    Trigger::Mode(mode) => {
                        let is = self.b.ins().load(I32, NOTRAP, request, offset_of!(FileRequest, open_mode) as i32);
                        let same = self.b.ins().icmp_imm_u(IntCC::Equal, is, *mode as i64);
                        let (found, other) = (self.b.create_block(), self.b.create_block());
                        self.branch(same, found, other);
                        self.begin(found);
                        self.call_outer(number, range, frame);
                        self.goto(next);
                        self.begin(other);
                    }
                    Trigger::Debugging => {}
                }
            }
        }
    }

    /// Run a closed range of a containing program on its frame.
    fn call_outer(&mut self, number: u32, range: Range, frame: Value) {
        let function = self.native_function(number, Form::Range(range));
        let context = self.context;
        let call = self.b.ins().call(function, &[context, frame]);
        let result = self.b.inst_results(call)[0];
        let (ended, go_on) = (self.cold_block(), self.b.create_block());
        self.branch(result, ended, go_on);
        self.begin(ended);
        let completion = self.b.ins().iadd_imm_s(result, -1);
        self.leave_with(completion);
        self.begin(go_on);
    }

    /// Choose the branch by the outcome.
    fn branches(&mut self, file: FileId, request: Value, outcome: Value, handlers: &'a FileHandlers) {
        let next = self.b.create_block();
        let blocks: Vec<Block> = (0..5).map(|_| self.b.create_block()).collect();
        let error = blocks[3];
        self.table(outcome, &blocks, error);
        let success = handlers.not_at_end.as_ref().or(handlers.not_invalid_key.as_ref()).or(handlers.not_end_of_page.as_ref());
        let choices = [
            (blocks[0], success),
            (blocks[1], handlers.at_end.as_ref()),
            (blocks[2], handlers.invalid_key.as_ref()),
            (blocks[4], handlers.end_of_page.as_ref()),
        ];
        for (number, (block, statements)) in choices.into_iter().enumerate() {
            self.begin(block);
            match statements {
                Some(statements) => self.statements(statements),
                None if number == 1 || number == 2 => self.unhandled(file, request),
                None => {}
            }
            self.goto(next);
        }
        self.begin(error);
        self.unhandled(file, request);
        self.goto(next);
        self.begin(next);
    }

    fn simple(&mut self, file: FileId, request: Value, outcome: Value) {
        let (bad, next) = (self.b.create_block(), self.b.create_block());
        self.branch(outcome, bad, next);
        self.begin(bad);
        self.unhandled(file, request);
        self.goto(next);
        self.begin(next);
    }

    pub fn open_files(&mut self, files: &[(FileId, OpenMode, OpenOptions)]) {
        for (file, mode, _) in files {
            let request = self.request(FileOperation::Open, *file, *mode as u32);
            let outcome = self.operate(*file, request);
            self.linage_counter(*file, request);
            self.simple(*file, request, outcome);
        }
    }

    pub fn close_files(&mut self, files: &[(FileId, CloseOptions)]) {
        for (file, options) in files {
            let flags =
                [(options.lock, close_options::LOCK), (options.unit, close_options::REEL), (options.no_rewind, close_options::NO_REWIND)];
            let mode = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum();
            let request = self.request(FileOperation::Close, *file, mode);
            let outcome = self.operate(*file, request);
            self.simple(*file, request, outcome);
        }
    }

    /// The record area, and its longest length.
    fn record_area(&mut self, file: FileId) -> (Value, u32) {
        let description = self.program.file(file);
        let at = self.area(description.base.0);
        (self.address(at), description.record_max)
    }

    fn put_record(&mut self, request: Value, address: Value, length: Value) {
        self.store(address, request, offset_of!(FileRequest, record));
        self.store(length, request, offset_of!(FileRequest, record_length));
    }

    fn key_number(&self, file: FileId, key: Option<ItemId>) -> u32 {
        let description = self.program.file(file);
        let alternates = description.alternate_keys.iter().position(|alternate| Some(alternate.item) == key);
        alternates.map_or(0, |at| at as u32 + 1)
    }

    pub fn read(&mut self, statement: &'a Read) {
        let file = statement.file;
        let mode = match (statement.next, statement.previous) {
            (true, _) => 0,
            (_, true) => 1,
            _ => READ_BY_KEY,
        };
        let request = self.request(FileOperation::Read, file, mode);
        let key = self.key_number(file, statement.key);
        let key = self.i32(key as i64);
        self.store(key, request, offset_of!(FileRequest, key));
        let (address, length) = self.record_area(file);
        let length = self.i32(length as i64);
        self.put_record(request, address, length);
        let outcome = self.operate(file, request);
        let (good, next) = (self.b.create_block(), self.b.create_block());
        let failed = self.b.ins().icmp_imm_u(IntCC::NotEqual, outcome, 0);
        self.branch(failed, next, good);
        self.begin(good);
        self.after_read(statement, request);
        self.goto(next);
        self.begin(next);
        self.branches(file, request, outcome, &statement.handlers);
    }

    fn after_read(&mut self, statement: &Read, request: Value) {
        let description = self.program.file(statement.file);
        let length = self.b.ins().load(I32, NOTRAP, request, offset_of!(FileRequest, record_length) as i32);
        if let Some(item) = description.record_depending {
            let value = self.b.ins().uextend(I64, length);
            self.set_integer(item, value);
        }
        if let Some(item) = description.relative_key {
            let value = self.b.ins().load(I64, NOTRAP, request, offset_of!(FileRequest, relative) as i32);
            self.set_integer(item, value);
        }
        let variable = description.record_min != description.record_max;
        self.read_into(&statement.into, statement.into_record, variable.then_some(length));
    }

    fn set_integer(&mut self, item: ItemId, value: Value) {
        let field = self.item_field(item);
        self.store_number(Number::Short { value, scale: 0, digits: 18 }, &field, 0);
    }

    /// INTO: the record, of the length read when it varies, moved by the rules of MOVE.
    fn read_into(&mut self, into: &Option<Reference>, record: Option<ItemId>, length: Option<Value>) {
        let (Some(into), Some(record)) = (into, record) else {
            return;
        };
        let mut from = self.item_field(record);
        if let Some(length) = length {
            from.length = Length::Varying(length, from.length.most());
            from.extent = None;
        }
        let to = self.field(into);
        self.move_field(&from, &to);
    }

    /// FROM, then the record to be written.
    fn record_to_write(&mut self, file: FileId, record: ItemId, from: &Option<Operand>) -> Field {
        let reference = Reference::plain(record, Default::default());
        if let Some(from) = from {
            self.move_operand(from, &reference);
        }
        let mut field = self.field(&reference);
        if let Some(item) = self.program.file(file).record_depending {
            let length = self.item_integer(item);
            let length = self.b.ins().ireduce(I32, length);
            field.length = Length::Varying(length, field.length.most());
        }
        field
    }

    pub fn write(&mut self, statement: &'a Write) {
        let field = self.record_to_write(statement.file, statement.record, &statement.from);
        let request = self.request(FileOperation::Write, statement.file, 0);
        let (address, length) = self.bytes_of(&field);
        self.put_record(request, address, length);
        if let Some(phrase) = &statement.advancing {
            let lines = match &phrase.amount {
                AdvancingAmount::Lines(operand) => {
                    let number = self.operand_number(operand);
                    let value = self.integer_of(number);
                    self.b.ins().ireduce(I32, value)
                }
                AdvancingAmount::Page => self.i32(advancing::PAGE as i64),
                AdvancingAmount::Channel(channel) => self.i32(-1 - *channel as i64),
            };
            let when = self.i32(if phrase.after { advancing::AFTER } else { advancing::BEFORE } as i64);
            self.store(when, request, offset_of!(FileRequest, advancing));
            self.store(lines, request, offset_of!(FileRequest, lines));
        }
        let outcome = self.operate(statement.file, request);
        self.linage_counter(statement.file, request);
        if let (Some(item), Organization::Relative) =
            (self.program.file(statement.file).relative_key, self.program.file(statement.file).organization)
        {
            let value = self.b.ins().load(I64, NOTRAP, request, offset_of!(FileRequest, relative) as i32);
            self.set_integer(item, value);
        }
        self.branches(statement.file, request, outcome, &statement.handlers);
    }

    pub fn rewrite(&mut self, statement: &'a Rewrite) {
        let field = self.record_to_write(statement.file, statement.record, &statement.from);
        let request = self.request(FileOperation::Rewrite, statement.file, 0);
        let (address, length) = self.bytes_of(&field);
        self.put_record(request, address, length);
        let outcome = self.operate(statement.file, request);
        self.branches(statement.file, request, outcome, &statement.handlers);
    }

    pub fn delete(&mut self, statement: &'a Delete) {
        let request = self.request(FileOperation::Delete, statement.file, 0);
        let (address, length) = self.record_area(statement.file);
        let length = self.i32(length as i64);
        self.put_record(request, address, length);
        let outcome = self.operate(statement.file, request);
        self.branches(statement.file, request, outcome, &statement.handlers);
    }

    pub fn start(&mut self, statement: &'a Start) {
        let request = self.request(FileOperation::Start, statement.file, statement.operator as u32);
        let key = self.key_number(statement.file, statement.key);
        let key = self.i32(key as i64);
        self.store(key, request, offset_of!(FileRequest, key));
        let (address, length) = self.record_area(statement.file);
        let length = self.i32(length as i64);
        self.put_record(request, address, length);
        if let Some(value) = &statement.value {
            let field = self.field(value);
            let length = self.length_value(field.length);
            self.store(length, request, offset_of!(FileRequest, key_length));
        }
        let outcome = self.operate(statement.file, request);
        self.branches(statement.file, request, outcome, &statement.handlers);
    }

    /// Address of an alphabet's ranks; null: the native sequence.
    pub fn collating(&mut self, alphabet: Option<u32>) -> Value {
        let program = self.program;
        let found = alphabet.and_then(|at| program.special_names.alphabets.get(at as usize)).filter(|alphabet| !alphabet.native);
        match found {
            Some(alphabet) => self.constant_bytes(&alphabet.ranks[..]),
            None => self.null(),
        }
    }

    /// A sort service on a sort file, with up to two words more.
    fn sort_service(&mut self, number: u32, file: FileId, first: Option<Value>, second: Option<Value>) -> Value {
        let words = self.temporary_address(24);
        let id = self.i64(file.0 as i64);
        let zero = self.i64(0);
        self.store(id, words, 0);
        self.store(first.unwrap_or(zero), words, 8);
        self.store(second.unwrap_or(zero), words, 16);
        self.service(number, words, 3)
    }

    /// SORT; MERGE is a sort of its inputs, which keeps their order for equal keys.
    pub fn sort(&mut self, statement: &'a Sort) {
        let keys = self.sort_keys(&statement.keys, 0);
        let count = self.i64(statement.keys.len() as i64);
        let words = self.temporary_address(40);
        let (id, own, table) = (self.i64(statement.file.0 as i64), self.i64(1), self.collating(statement.collation));
        for (at, value) in [id, keys, count, table, own].into_iter().enumerate() {
            self.store(value, words, 8 * at);
        }
        self.service(service::SORT_OPEN, words, 5);
        match &statement.input {
            SortInput::Procedure(range) => self.perform_range(*range),
            SortInput::Using(files) => {
                for file in files {
                    self.sort_from(statement.file, *file);
                }
            }
        }
        self.sort_service(service::SORT_PERFORM, statement.file, None, None);
        match &statement.output {
            SortOutput::Procedure(range) => self.perform_range(*range),
            SortOutput::Giving(files) => {
                for file in files {
                    self.sort_to(statement.file, *file);
                }
            }
        }
        self.sort_service(service::SORT_CLOSE, statement.file, None, None);
    }

    fn sort_from(&mut self, sort: FileId, file: FileId) {
        let open = self.request(FileOperation::Open, file, OpenMode::Input as u32);
        self.operate(file, open);
        let (head, good, exit) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(head);
        self.begin(head);
        let request = self.request(FileOperation::Read, file, 0);
        let (address, length) = self.record_area(file);
        let length = self.i32(length as i64);
        self.put_record(request, address, length);
        let outcome = self.operate(file, request);
        self.branch(outcome, exit, good);
        self.begin(good);
        let length = self.b.ins().load(I32, NOTRAP, request, offset_of!(FileRequest, record_length) as i32);
        let length = self.b.ins().uextend(I64, length);
        let (address, _) = self.record_area(file);
        self.sort_service(service::SORT_RELEASE, sort, Some(address), Some(length));
        self.goto(head);
        self.begin(exit);
        let close = self.request(FileOperation::Close, file, 0);
        self.operate(file, close);
    }

    fn sort_to(&mut self, sort: FileId, file: FileId) {
        // Several GIVING files each get all records: begin again at the first.
        self.sort_service(service::SORT_PERFORM, sort, None, None);
        let open = self.request(FileOperation::Open, file, OpenMode::Output as u32);
        self.operate(file, open);
        let (head, good, exit) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.goto(head);
        self.begin(head);
        let (address, room) = self.record_area(file);
        let room = self.i64(room as i64);
        let length = self.sort_service(service::SORT_RETURN, sort, Some(address), Some(room));
        let ended = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, length, 0);
        self.branch(ended, exit, good);
        self.begin(good);
        let request = self.request(FileOperation::Write, file, 0);
        let length = self.b.ins().ireduce(I32, length);
        let (address, _) = self.record_area(file);
        self.put_record(request, address, length);
        self.operate(file, request);
        self.goto(head);
        self.begin(exit);
        let close = self.request(FileOperation::Close, file, 0);
        self.operate(file, close);
    }

    pub fn release(&mut self, file: FileId, record: ItemId, from: &Option<Operand>) {
        let field = self.record_to_write(file, record, from);
        let (address, length) = self.bytes_of(&field);
        let length = self.b.ins().uextend(I64, length);
        self.sort_service(service::SORT_RELEASE, file, Some(address), Some(length));
    }

    pub fn return_record(&mut self, statement: &'a ReturnRecord) {
        let (address, room) = self.record_area(statement.file);
        let room = self.i64(room as i64);
        let length = self.sort_service(service::SORT_RETURN, statement.file, Some(address), Some(room));
        let (got, ended, next) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let at_end = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, length, 0);
        self.branch(at_end, ended, got);
        self.begin(got);
        let description = self.program.file(statement.file);
        let variable = description.record_min != description.record_max;
        let length = self.b.ins().ireduce(I32, length);
        self.read_into(&statement.into, statement.into_record, variable.then_some(length));
        if let Some(statements) = &statement.not_at_end {
            self.statements(statements);
        }
        self.goto(next);
        self.begin(ended);
        self.statements(&statement.at_end);
        self.goto(next);
        self.begin(next);
    }
}
