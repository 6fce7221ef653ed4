//! File statements: OPEN, CLOSE, READ, WRITE, REWRITE, DELETE, START, SORT, MERGE, RELEASE, RETURN.

use super::Parser;
use super::cursor::Parsed;
use crate::lexer::TokenKind;
use crate::names::{Device, Special};
use crate::program::*;

const END: &[&[&str]] = &[&["END"]];
const INVALID_KEY: &[&[&str]] = &[&["INVALID", "KEY"], &["INVALID"]];
const END_OF_PAGE: &[&[&str]] = &[&["END-OF-PAGE"], &["EOP"]];

impl Parser<'_> {
    /// A file name.
    fn file_name(&mut self) -> Parsed<FileId> {
        let (name, span) = self.expect_user_word("a file name")?;
        match self.unit.names.find_file(name) {
            Some(file) => Ok(file),
            None => self.fail_at(span, format!("{name} is not a file")),
        }
    }

    /// The file a record belongs to.
    fn file_of_record(&mut self, record: &Reference) -> Parsed<FileId> {
        let item = self.item(record.item);
        let found = self.unit.program.files.iter().position(|file| file.records.contains(&record.item));
        match found {
            Some(index) => Ok(FileId(index as u32)),
            None => {
                let message = format!("{} is not a record of a file", item.name);
                self.fail_at(record.span, message)
            }
        }
    }

    pub fn open_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut files = Vec::new();
        while let Some(mode) = self.open_mode() {
            while matches!(self.token().kind, TokenKind::Word(_)) && !super::words::is_reserved(self.word()) {
                let span = self.span();
                let file = self.file_name()?;
                let mut options = OpenOptions::default();
                if self.accept("REVERSED") {
                    options.reversed = true;
                } else if self.is_word("NO") || (self.is_word("WITH") && self.peek_word(1) == "NO") {
                    self.accept("WITH");
                    self.accept("NO");
                    self.accept("REWIND");
                    options.no_rewind = true;
                }
                self.check_open(span, file, mode, options);
                files.push((file, mode, options));
            }
        }
        if files.is_empty() { self.fail("INPUT, OUTPUT, I-O or EXTEND") } else { Ok(StatementKind::Open(files)) }
    }

    pub fn close_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut files = vec![];
        loop {
            let span = self.span();
            let file = self.file_name()?;
            self.check_close(span, file);
            let mut options = CloseOptions::default();
            loop {
                match self.word() {
                    "REEL" | "UNIT" => options.unit = true,
                    "LOCK" => options.lock = true,
                    "REWIND" => options.no_rewind = true,
                    "WITH" | "NO" | "FOR" | "REMOVAL" => {}
                    _ => break,
                }
                self.advance();
            }
            files.push((file, options));
            if !matches!(self.token().kind, TokenKind::Word(_)) || super::words::is_reserved(self.word()) {
                return Ok(StatementKind::Close(files));
            }
        }
    }

    /// AT END, INVALID KEY and AT END-OF-PAGE phrases with their opposites.
    fn handlers(&mut self) -> FileHandlers {
        let mut handlers = FileHandlers::default();
        loop {
            let before = self.at;
            if !(self.is_word("END") && matches!(self.peek_word(1), "PROGRAM" | "DECLARATIVES")) {
                let (positive, negative) = self.phrases(END);
                handlers.at_end = handlers.at_end.or(positive);
                handlers.not_at_end = handlers.not_at_end.or(negative);
            }
            let (positive, negative) = self.phrases(INVALID_KEY);
            handlers.invalid_key = handlers.invalid_key.or(positive);
            handlers.not_invalid_key = handlers.not_invalid_key.or(negative);
            let (positive, negative) = self.phrases(END_OF_PAGE);
            handlers.end_of_page = handlers.end_of_page.or(positive);
            handlers.not_end_of_page = handlers.not_end_of_page.or(negative);
            if self.at == before {
                return handlers;
            }
        }
    }

    pub fn read_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        let file = self.file_name()?;
        let next_word = self.accept("NEXT");
        let previous = self.accept("PREVIOUS");
        self.accept("RECORD");
        let mut into = None;
        let mut key = None;
        loop {
            if self.accept("INTO") {
                into = Some(self.receiver()?);
            } else if self.is_word("KEY") {
                self.advance();
                self.accept("IS");
                let reference = self.reference()?;
                key = Some(self.file_key(file, &reference)?);
            } else if self.accept("WITH") || self.accept("NO") || self.accept("LOCK") {
                // WITH NO LOCK and the like of other dialects.
            } else {
                break;
            }
        }
        let handlers = self.handlers();
        self.end_scope("END-READ");
        self.check_read(span, file, next_word || previous, &handlers);
        let described = self.unit.program.file(file);
        let next = next_word
            || previous
            || described.access == Access::Sequential
            || (described.access == Access::Dynamic && key.is_none() && handlers.at_end.is_some());
        let into_record = described.records.iter().copied().max_by_key(|record| self.item(*record).length_max);
        let into_record = if into.is_some() { into_record } else { None };
        Ok(StatementKind::Read(Box::new(Read { file, next, previous, key, into, into_record, handlers })))
    }

    /// The record key or alternate key that a KEY phrase names.
    fn file_key(&mut self, file: FileId, reference: &Reference) -> Parsed<ItemId> {
        let described = self.unit.program.file(file);
        let keys =
            described.record_key.into_iter().chain(described.alternate_keys.iter().map(|key| key.item)).chain(described.relative_key);
        let place = |item: &Item| (item.base, item.offset.fixed, item.length_max);
        let wanted = place(self.item(reference.item));
        for key in keys {
            if key == reference.item || place(self.item(key)) == wanted {
                return Ok(key);
            }
        }
        let message = format!("{} is not a key of {}", self.item(reference.item).name, described.name);
        self.fail_at(reference.span, message)
    }

    pub fn write_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        let record = self.reference()?;
        let file = self.file_of_record(&record)?;
        let from = self.phrase_from(&record)?;
        let advancing = if let Some(word) = self.accept_any(&["BEFORE", "AFTER"]) {
            self.accept("ADVANCING");
            let amount = self.advancing_amount()?;
            self.unit.program.files[file.0 as usize].printed = true;
            Some(Advancing { after: word == "AFTER", amount })
        } else {
            None
        };
        let handlers = self.handlers();
        self.end_scope("END-WRITE");
        self.check_write(span, file, advancing.is_some(), &handlers);
        Ok(StatementKind::Write(Box::new(Write { file, record: record.item, from, advancing, handlers })))
    }

    fn phrase_from(&mut self, record: &Reference) -> Parsed<Option<Operand>> {
        if !self.accept("FROM") {
            return Ok(None);
        }
        let from = self.operand()?;
        self.check_move(&from, record, from.span());
        Ok(Some(from))
    }

    fn advancing_amount(&mut self) -> Parsed<AdvancingAmount> {
        if self.accept("PAGE") {
            return Ok(AdvancingAmount::Page);
        }
        if let Some(Special::Device(device)) = self.unit.names.special.get(self.word()) {
            let device = *device;
            let span = self.span();
            self.advance();
            if let Device::Channel(channel) = device {
                return Ok(AdvancingAmount::Channel(channel));
            }
            self.report.error(span, "this mnemonic-name is no printer channel; one line is assumed");
            return Ok(AdvancingAmount::Lines(super::operand::as_operand(super::operand::number_expression(1, 1, span))));
        }
        let lines = self.operand()?;
        let _ = self.accept("LINES") || self.accept("LINE");
        Ok(AdvancingAmount::Lines(lines))
    }

    pub fn rewrite_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        let record = self.reference()?;
        let file = self.file_of_record(&record)?;
        let from = self.phrase_from(&record)?;
        let handlers = self.handlers();
        self.end_scope("END-REWRITE");
        self.check_rewrite(span, file, &handlers);
        Ok(StatementKind::Rewrite(Box::new(Rewrite { file, record: record.item, from, handlers })))
    }

    pub fn delete_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        let file = self.file_name()?;
        self.accept("RECORD");
        let handlers = self.handlers();
        self.end_scope("END-DELETE");
        self.check_delete(span, file, &handlers);
        Ok(StatementKind::Delete(Box::new(Delete { file, handlers })))
    }

    pub fn start_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        let file = self.file_name()?;
        self.check_start(span, file);
        let mut start = Start { file, key: None, value: None, operator: RelationOperator::Equal, handlers: FileHandlers::default() };
        let described = self.unit.program.file(file);
        start.key = described.record_key;
        if self.accept("KEY") {
            self.accept("IS");
            start.operator = self.start_operator()?;
            let value = self.reference()?;
            start.key = self.start_key(file, &value)?;
            start.value = Some(value);
        }
        start.handlers = self.handlers();
        self.end_scope("END-START");
        Ok(StatementKind::Start(Box::new(start)))
    }

    /// Keys are searched upwards: EQUAL, GREATER, or NOT LESS in either spelling.
    fn start_operator(&mut self) -> Parsed<RelationOperator> {
        let span = self.span();
        self.accept("IS");
        let not = self.accept("NOT");
        let operator = match &self.token().kind {
            TokenKind::Equal => RelationOperator::Equal,
            TokenKind::Greater => RelationOperator::Greater,
            TokenKind::GreaterEqual => RelationOperator::GreaterOrEqual,
            TokenKind::Less => RelationOperator::Less,
            TokenKind::LessEqual => RelationOperator::LessOrEqual,
            TokenKind::Word(word) if &**word == "EQUAL" => RelationOperator::Equal,
            TokenKind::Word(word) if &**word == "GREATER" => RelationOperator::Greater,
            TokenKind::Word(word) if &**word == "LESS" => RelationOperator::Less,
            _ => return self.fail("EQUAL, GREATER or NOT LESS"),
        };
        self.advance();
        self.accept("THAN");
        let or_equal = self.is_word("OR") && self.peek_word(1) == "EQUAL";
        if or_equal {
            self.advance();
            self.advance();
        }
        self.accept("TO");
        let operator = match (operator, or_equal) {
            (RelationOperator::Greater, true) => RelationOperator::GreaterOrEqual,
            (RelationOperator::Less, true) => RelationOperator::LessOrEqual,
            (operator, _) => operator,
        };
        match if not { operator.negated() } else { operator } {
            operator @ (RelationOperator::Equal | RelationOperator::Greater | RelationOperator::GreaterOrEqual) => Ok(operator),
            _ => self.fail_at(span, "the relation of START must be EQUAL, GREATER, NOT LESS or GREATER OR EQUAL"),
        }
    }

    /// The key of reference: a key itself, or the key that the item begins.
    fn start_key(&mut self, file: FileId, value: &Reference) -> Parsed<Option<ItemId>> {
        let described = self.unit.program.file(file);
        if described.organization == Organization::Relative {
            return Ok(None);
        }
        let item = self.item(value.item);
        let keys = described.record_key.into_iter().chain(described.alternate_keys.iter().map(|key| key.item));
        for key in keys {
            let described = self.item(key);
            let begins =
                described.base == item.base && described.offset.fixed == item.offset.fixed && item.length_max <= described.length_max;
            if key == value.item || begins {
                return Ok(Some(key));
            }
        }
        let message = format!("{} is not a key of the file nor the beginning of one", item.name);
        self.fail_at(value.span, message)
    }

    pub fn sort_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        if self.unit.names.find_file(self.word()).is_none() {
            return self.sort_table(span);
        }
        let file = self.file_name()?;
        let sort = self.sort_phrases(file, false)?;
        Ok(StatementKind::Sort(Box::new(sort)))
    }

    pub fn merge_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let file = self.file_name()?;
        let sort = self.sort_phrases(file, true)?;
        Ok(StatementKind::Merge(Box::new(sort)))
    }

    /// ASCENDING and DESCENDING KEY phrases; a phrase without names means `element`, if there is one.
    fn sort_keys(&mut self, element: Option<ItemId>) -> Parsed<Vec<SortKey>> {
        let mut keys = Vec::new();
        loop {
            let start = self.at;
            self.accept("ON");
            let ascending = match self.accept_any(&["ASCENDING", "DESCENDING"]) {
                Some(word) => word == "ASCENDING",
                None => {
                    self.at = start;
                    return Ok(keys);
                }
            };
            self.accept("KEY");
            self.accept("IS");
            let first = keys.len();
            while self.at_identifier() {
                let optional = std::mem::replace(&mut self.subscripts_optional, true);
                let reference = self.reference();
                self.subscripts_optional = optional;
                keys.push(SortKey { item: reference?.item, ascending });
            }
            if let Some(element) = element.filter(|_| keys.len() == first) {
                keys.push(SortKey { item: element, ascending });
            }
        }
    }

    /// DUPLICATES and COLLATING SEQUENCE.
    fn sort_options(&mut self) -> Parsed<(bool, Option<u32>)> {
        let mut duplicates = false;
        let mut collation = self.unit.program.special_names.collation;
        loop {
            if self.is_word("DUPLICATES") || (self.is_word("WITH") && self.peek_word(1) == "DUPLICATES") {
                self.accept("WITH");
                self.accept("DUPLICATES");
                self.accept("IN");
                self.accept("ORDER");
                duplicates = true;
            } else if self.is_word("COLLATING") || self.is_word("SEQUENCE") {
                self.accept("COLLATING");
                self.accept("SEQUENCE");
                self.accept("IS");
                let (name, span) = self.expect_user_word("an alphabet-name")?;
                match self.unit.names.special.get(name) {
                    Some(Special::Alphabet(index)) => collation = Some(*index),
                    _ => self.report.severe(span, format!("{name} is not an alphabet-name")),
                }
            } else {
                return Ok((duplicates, collation));
            }
        }
    }

    fn sort_phrases(&mut self, file: FileId, merge: bool) -> Parsed<Sort> {
        if self.unit.program.file(file).kind != FileKind::Sort {
            let message = format!("{} needs an SD entry to be sorted or merged", self.unit.program.file(file).name);
            self.report.severe(self.span(), message);
        }
        let keys = self.sort_keys(None)?;
        if keys.is_empty() {
            return self.fail("ASCENDING KEY or DESCENDING KEY");
        }
        let base = self.unit.program.file(file).base;
        if let Some(key) = keys.iter().find(|key| self.item(key.item).base != base) {
            let message = format!("the key {} is not in the record of {}", self.item(key.item).name, self.unit.program.file(file).name);
            self.report.severe(self.span(), message);
        }
        let (duplicates, collation) = self.sort_options()?;
        let span = self.span();
        let input = if self.accept("USING") {
            let files = self.file_list()?;
            self.check_sorted_files(span, "USING", &files);
            if merge && files.len() < 2 {
                self.report.severe(span, "MERGE needs two files or more behind USING");
            }
            SortInput::Using(files)
        } else if !merge && self.accept_pair("INPUT", "PROCEDURE") {
            self.accept("IS");
            SortInput::Procedure(self.procedure_range()?)
        } else {
            return self.fail("USING or INPUT PROCEDURE");
        };
        let span = self.span();
        let output = if self.accept("GIVING") {
            let files = self.file_list()?;
            self.check_sorted_files(span, "GIVING", &files);
            SortOutput::Giving(files)
        } else if self.accept_pair("OUTPUT", "PROCEDURE") {
            self.accept("IS");
            SortOutput::Procedure(self.procedure_range()?)
        } else {
            return self.fail("GIVING or OUTPUT PROCEDURE");
        };
        Ok(Sort { file, keys, duplicates, collation, input, output })
    }

    fn file_list(&mut self) -> Parsed<Vec<FileId>> {
        let mut files = vec![self.file_name()?];
        while matches!(self.token().kind, TokenKind::Word(_)) && !super::words::is_reserved(self.word()) {
            files.push(self.file_name()?);
        }
        Ok(files)
    }

    /// SORT of a table.
    fn sort_table(&mut self, span: Span) -> Parsed<StatementKind> {
        let optional = std::mem::replace(&mut self.subscripts_optional, true);
        let table = self.reference();
        self.subscripts_optional = optional;
        let mut table = table?;
        let item = self.item(table.item);
        let Some(occurs) = &item.occurs else {
            let message = format!("{} is neither a sort file nor a table", item.name);
            return self.fail_at(span, message);
        };
        let defaults: Vec<SortKey> = occurs.keys.iter().map(|key| SortKey { item: key.item, ascending: key.ascending }).collect();
        let dimensions = item.dimensions.len();
        let element = table.item;
        while table.subscripts.len() < dimensions {
            table.subscripts.push(Subscript::Literal(1));
        }
        let mut keys = self.sort_keys(Some(element))?;
        if keys.is_empty() {
            keys = defaults;
        }
        if keys.is_empty() {
            return self.fail("ASCENDING or DESCENDING");
        }
        let (duplicates, collation) = self.sort_options()?;
        Ok(StatementKind::SortTable(Box::new(SortTable { table, keys, duplicates, collation })))
    }

    pub fn release_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let record = self.reference()?;
        let file = self.file_of_record(&record)?;
        let from = self.phrase_from(&record)?;
        if self.unit.program.file(file).kind != FileKind::Sort {
            let message = format!("{} is not a record of a sort file", self.item(record.item).name);
            self.report.severe(record.span, message);
        }
        Ok(StatementKind::Release { file, record: record.item, from })
    }

    pub fn return_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        let file = self.file_name()?;
        self.accept("RECORD");
        let into = if self.accept("INTO") { Some(self.receiver()?) } else { None };
        let handlers = self.handlers();
        self.end_scope("END-RETURN");
        self.check_return(span, file, &handlers);
        let described = self.unit.program.file(file);
        let longest = described.records.iter().copied().max_by_key(|record| self.item(*record).length_max);
        let into_record = if into.is_some() { longest } else { None };
        let at_end = handlers.at_end.unwrap_or_default();
        Ok(StatementKind::Return(Box::new(ReturnRecord { file, into, into_record, at_end, not_at_end: handlers.not_at_end })))
    }
}
