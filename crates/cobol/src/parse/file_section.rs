//! FILE SECTION: FD and SD entries, and the resolution of the names in SELECT.

use super::Parser;
use super::cursor::Parsed;
use crate::data::entry::Section;
use crate::data::tree::blank_item;
use crate::lexer::TokenKind;
use crate::names::{QualifiedName, Unresolved};
use crate::program::*;

/// LINAGE as written.
#[derive(Clone, Debug)]
pub enum LinageValue {
    Fixed(u32),
    Name(QualifiedName),
}

/// File, lines, footing, top, bottom.
pub type LinageClause = (FileId, LinageValue, Option<LinageValue>, Option<LinageValue>, Option<LinageValue>);

impl Parser<'_> {
    pub fn file_section(&mut self) {
        while !self.at_end() && !self.at_division() && !self.at_section() && !self.report.is_full() {
            let before = self.at;
            match self.word() {
                "FD" | "SD" => {
                    if let Ok(file) = self.file_description() {
                        let first = self.unit.program.items.len() as u32;
                        self.entries(Section::File(file));
                        self.finish_records(file, first);
                    } else {
                        self.skip_sentence();
                        self.entries(Section::Working);
                    }
                }
                _ => {
                    if let TokenKind::Exec(_) = self.token().kind {
                        self.advance();
                        self.accept_kind(&TokenKind::Period);
                    } else {
                        self.report.expected(self.span(), &super::cursor::quoted(self.token()), "FD or SD");
                        self.skip_sentence();
                    }
                }
            }
            if self.at == before {
                self.advance();
            }
        }
    }

    fn file_description(&mut self) -> Parsed<FileId> {
        let sort = self.is_word("SD");
        self.advance();
        let (name, span) = self.expect_user_word("a file name")?;
        let Some(id) = self.unit.names.find_file(name) else {
            return self.fail_at(span, format!("{name} has no SELECT in FILE-CONTROL"));
        };
        if !self.unit.program.file(id).records.is_empty() || self.unit.described.contains(&id) {
            self.report.severe(span, format!("{name} is described twice"));
        }
        self.unit.described.push(id);
        let index = id.0 as usize;
        self.unit.program.files[index].kind = if sort { FileKind::Sort } else { FileKind::File };
        let base = self.unit.program.files[index].base;
        while !self.at_period() && !self.at_end() {
            if self.file_clause(id).is_err() {
                while !self.at_period() && !self.at_end() {
                    self.advance();
                }
            }
        }
        self.expect_period("the file description");
        if self.unit.program.files[index].external {
            self.unit.program.bases[base.0 as usize].kind = BaseKind::ExternalRecord(id);
        }
        Ok(id)
    }

    fn file_clause(&mut self, id: FileId) -> Parsed<()> {
        let index = id.0 as usize;
        let _ = self.accept("IS") || self.accept("WITH");
        match self.word() {
            "EXTERNAL" => {
                self.advance();
                self.unit.program.files[index].external = true;
            }
            "GLOBAL" => {
                self.advance();
                self.unit.program.files[index].global = true;
            }
            "BLOCK" => self.block_clause(id)?,
            "RECORD" if self.at_record_clause() => self.record_clause(id)?,
            "LABEL" | "DATA" => {
                self.advance();
                let _ = self.accept("RECORD") || self.accept("RECORDS");
                self.record_names();
            }
            "RECORD" | "RECORDS" => {
                self.advance();
                self.record_names();
            }
            "RECORDING" => {
                self.begin_clause(&["MODE", "IS"]);
                let mode = self.word();
                self.unit.program.files[index].recording = match mode {
                    "F" | "FIXED" => Recording::Fixed,
                    "V" | "VARIABLE" => Recording::Variable,
                    "U" => Recording::Undefined,
                    "S" => Recording::Spanned,
                    _ => return self.fail("F, V, U or S"),
                };
                self.unit.recording_given.push(id);
                self.advance();
            }
            "VALUE" => {
                self.begin_clause(&["OF"]);
                while self.user_word().is_some() {
                    self.accept("IS");
                    if self.literal().is_none() {
                        self.user_word();
                    }
                }
            }
            "LINAGE" => self.linage(id)?,
            "CODE-SET" => {
                self.begin_clause(&["IS"]);
                let (name, span) = self.expect_user_word("an alphabet-name")?;
                match self.unit.names.special.get(name) {
                    Some(crate::names::Special::Alphabet(alphabet)) => self.unit.program.files[index].code_set = Some(*alphabet),
                    _ => self.report.severe(span, format!("{name} is not an alphabet-name")),
                }
            }
            _ => return self.fail("a clause of a file description"),
        }
        Ok(())
    }

    fn block_clause(&mut self, id: FileId) -> Parsed<()> {
        self.begin_clause(&["CONTAINS"]);
        let mut most = self.expect_integer("a block size")?;
        if self.accept("TO") {
            most = self.expect_integer("a block size")?;
        }
        let records = self.accept("RECORDS") || (!self.at_record_clause() && self.accept("RECORD"));
        self.accept("CHARACTERS");
        let file = &mut self.unit.program.files[id.0 as usize];
        (file.block_max, file.block_in_records) = (most, records);
        Ok(())
    }

    /// What stands behind LABEL RECORDS and DATA RECORDS; it has no effect.
    fn record_names(&mut self) {
        let _ = self.accept("IS") || self.accept("ARE");
        let _ = self.accept("STANDARD") || self.accept("OMITTED");
        while self.user_word().is_some() {}
    }

    /// RECORD begins the clause about record lengths.
    fn at_record_clause(&self) -> bool {
        self.is_word("RECORD")
            && (matches!(self.peek_word(1), "IS" | "VARYING" | "CONTAINS") || matches!(self.peek(1).kind, TokenKind::Number(_)))
    }

    fn record_clause(&mut self, id: FileId) -> Parsed<()> {
        let index = id.0 as usize;
        self.advance();
        self.accept("IS");
        if self.accept("VARYING") {
            self.unit.program.files[index].recording = Recording::Variable;
            self.unit.recording_given.push(id);
            self.accept("IN");
            self.accept("SIZE");
            self.accept("FROM");
            let mut least = self.integer().unwrap_or(0);
            let mut most = 0;
            if self.accept("TO") {
                most = self.expect_integer("the longest record")?;
            } else if least > 0 {
                // FROM n alone: no upper limit beyond the descriptions.
                most = 0;
            }
            self.accept("CHARACTERS");
            if self.accept("DEPENDING") {
                self.accept("ON");
                let name = self.qualified_name()?;
                if let Some((_, names)) = self.unit.select_names.iter_mut().find(|(file, _)| *file == id) {
                    names.record_depending = Some(name);
                }
            }
            if most > 0 && least > most {
                least = most;
            }
            let file = &mut self.unit.program.files[index];
            (file.record_min, file.record_max) = (least, most);
            return Ok(());
        }
        self.accept("CONTAINS");
        let first = self.expect_integer("a record length")?;
        let last = if self.accept("TO") { self.expect_integer("a record length")? } else { first };
        self.accept("CHARACTERS");
        let file = &mut self.unit.program.files[index];
        (file.record_min, file.record_max) = (first, last);
        if first != last {
            file.recording = Recording::Variable;
            self.unit.recording_given.push(id);
        }
        Ok(())
    }

    fn linage(&mut self, id: FileId) -> Parsed<()> {
        self.advance();
        self.accept("IS");
        let lines = self.linage_value()?;
        self.accept("LINES");
        let (mut footing, mut top, mut bottom) = (None, None, None);
        loop {
            let start = self.at;
            let _ = self.accept("WITH");
            let _ = self.accept("LINES");
            self.accept("AT");
            match self.word() {
                "FOOTING" => {
                    self.advance();
                    self.accept("AT");
                    footing = Some(self.linage_value()?);
                }
                "TOP" => {
                    self.advance();
                    top = Some(self.linage_value()?);
                }
                "BOTTOM" => {
                    self.advance();
                    bottom = Some(self.linage_value()?);
                }
                _ => {
                    self.at = start;
                    break;
                }
            }
        }
        self.unit.linages.push((id, lines, footing, top, bottom));
        Ok(())
    }

    fn linage_value(&mut self) -> Parsed<LinageValue> {
        match self.integer() {
            Some(value) => Ok(LinageValue::Fixed(value)),
            None => Ok(LinageValue::Name(self.qualified_name()?)),
        }
    }

    /// Makes the 01 entries created since `first` the records of the file.
    fn finish_records(&mut self, id: FileId, first: u32) {
        let program = &mut self.unit.program;
        let records: Vec<ItemId> = (first..program.items.len() as u32)
            .map(ItemId)
            .filter(|item| program.item(*item).parent.is_none() && program.item(*item).level == 1)
            .collect();
        let span = program.file(id).span;
        if records.is_empty() {
            self.report.unresolved(span, format!("{} has no record description", program.file(id).name));
            return;
        }
        let lengths: Vec<u32> = records.iter().map(|record| program.item(*record).length_max).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let shortest = records
            .iter()
            .map(|record| {
                let item = program.item(*record);
                least_length(&program.items, &item.length)
            })
            .min()
            .unwrap_or(0);
        if program.file(id).global {
            for index in first as usize..program.items.len() {
                program.items[index].global = true;
            }
        }
        let given = self.unit.recording_given.contains(&id);
        let file = &mut program.files[id.0 as usize];
        // RECORD CONTAINS n: both limits are that length.
        let exact = (file.record_min == file.record_max && file.record_max > 0).then_some(file.record_max);
        if file.record_max != 0 && file.record_max < longest {
            let message = format!("the longest record of {} has {longest} bytes, more than RECORD says ({})", file.name, file.record_max);
            self.report.warning(span, message);
        }
        if exact.is_some_and(|length| length > longest) && longest > 0 {
            let message = format!(
                "RECORD says {} bytes for each record of {}, but its longest record description has {longest}",
                file.record_max, file.name
            );
            self.report.warning(span, message);
        }
        file.record_max = file.record_max.max(longest);
        if file.record_min == 0 || file.record_min > shortest {
            file.record_min = if file.recording == Recording::Variable && file.record_min != 0 { file.record_min } else { shortest };
        }
        if !given && shortest != longest {
            file.recording = Recording::Variable;
        }
        file.records = records;
        let base = file.base;
        let most = file.record_max;
        let area = &mut program.bases[base.0 as usize];
        area.length = area.length.max(most);
    }

    /// Resolves the names of SELECT and FD.
    pub fn finish_files(&mut self) {
        for (file, names) in std::mem::take(&mut self.unit.select_names) {
            let index = file.0 as usize;
            if self.unit.program.files[index].records.is_empty() && !self.unit.described.contains(&file) {
                let span = self.unit.program.files[index].span;
                let message = format!("{} has no FD or SD", self.unit.program.files[index].name);
                self.report.severe(span, message);
            }
            let base = self.unit.program.files[index].base;
            let key = self.file_item(names.record_key.as_ref(), Some(base));
            self.unit.program.files[index].record_key = key;
            for (name, duplicates) in &names.alternate_keys {
                if let Some(item) = self.file_item(Some(name), Some(base)) {
                    self.unit.program.files[index].alternate_keys.push(AlternateKey { item, duplicates: *duplicates });
                }
            }
            self.unit.program.files[index].relative_key = self.file_item(names.relative_key.as_ref(), None);
            self.unit.program.files[index].status = self.file_item(names.status.as_ref(), None);
            self.unit.program.files[index].vsam_status = self.file_item(names.vsam_status.as_ref(), None);
            self.unit.program.files[index].password = self.file_item(names.password.as_ref(), None);
            self.unit.program.files[index].record_depending = self.file_item(names.record_depending.as_ref(), None);
            self.check_file(file);
            self.check_file_items(file);
        }
        for (file, lines, footing, top, bottom) in std::mem::take(&mut self.unit.linages) {
            let Some(lines) = self.linage_count(&lines) else { continue };
            let footing = footing.and_then(|value| self.linage_count(&value));
            let top = top.and_then(|value| self.linage_count(&value));
            let bottom = bottom.and_then(|value| self.linage_count(&value));
            if let (Count::Fixed(lines), Some(Count::Fixed(footing))) = (lines, footing)
                && (footing == 0 || footing > lines)
            {
                let (name, span) = (self.unit.program.file(file).name.clone(), self.unit.program.file(file).span);
                self.report.severe(span, format!("LINAGE of {name}: FOOTING {footing} is not within the {lines} lines of the page body"));
            }
            let counter = self.linage_counter();
            self.unit.program.files[file.0 as usize].linage = Some(Box::new(Linage { lines, footing, top, bottom, counter }));
        }
        self.unit.recording_given.clear();
    }

    fn linage_counter(&mut self) -> ItemId {
        let mut item = blank_item("LINAGE-COUNTER", 77, BaseId(0), Span::NONE);
        item.category = Category::Numeric;
        item.usage = Usage::Binary;
        item.digits = 9;
        self.unit.division.add_register(&mut self.unit.program, item, &1_u32.to_be_bytes())
    }

    fn linage_count(&mut self, value: &LinageValue) -> Option<Count> {
        match value {
            LinageValue::Fixed(value) => Some(Count::Fixed(*value)),
            LinageValue::Name(name) => self.file_item(Some(name), None).map(Count::Item),
        }
    }

    /// Resolves an item named by a file. Keys are searched in the file's records first.
    fn file_item(&mut self, name: Option<&QualifiedName>, base: Option<BaseId>) -> Option<ItemId> {
        let name = name?;
        let program = &self.unit.program;
        if let Some(base) = base {
            let mut within = program.items.iter().enumerate().filter(|(_, item)| item.base == base && item.name == name.name);
            if let (Some((only, _)), None) = (within.next(), within.next()) {
                return Some(ItemId(only as u32));
            }
        }
        match self.unit.names.find_item(program, name) {
            Ok(item) => Some(item),
            Err(Unresolved::Ambiguous(_)) => {
                self.report.severe(name.span, format!("{} is not unique; it needs qualification", name.text()));
                None
            }
            Err(_) => {
                self.report.unresolved(name.span, format!("{} is not defined", name.text()));
                None
            }
        }
    }

    fn check_file(&mut self, id: FileId) {
        let file = self.unit.program.file(id);
        let span = file.span;
        let name = file.name.clone();
        match file.organization {
            Organization::Indexed if file.record_key.is_none() => {
                self.report.severe(span, format!("{name} is indexed and needs RECORD KEY"))
            }
            Organization::Relative if file.relative_key.is_none() && file.access != Access::Sequential => {
                self.report.severe(span, format!("{name} is relative with ACCESS {:?} and needs RELATIVE KEY", file.access));
            }
            Organization::Sequential | Organization::LineSequential if file.access != Access::Sequential => {
                self.report.severe(span, format!("{name} is sequential; its ACCESS can be SEQUENTIAL only"));
            }
            _ => {}
        }
        if let Some(key) = file.record_key.filter(|key| self.unit.program.item(*key).base != file.base) {
            let message = format!("RECORD KEY {} of {name} is not in its record", self.unit.program.item(key).name);
            self.report.severe(span, message);
        }
    }
}

impl Parser<'_> {
    /// FILE STATUS holds two characters; RELATIVE KEY is an unsigned integer outside the file's records.
    fn check_file_items(&mut self, id: FileId) {
        let file = self.unit.program.file(id);
        let (span, name) = (file.span, file.name.clone());
        if let Some(status) = file.status.map(|status| self.unit.program.item(status))
            && status.length_max != 2
        {
            let message = format!("FILE STATUS {} of {name} must be an item of two bytes", status.name);
            self.report.severe(span, message);
        }
        let file = self.unit.program.file(id);
        if let Some(key) = file.relative_key.map(|key| self.unit.program.item(key)) {
            let message = match () {
                _ if key.category != Category::Numeric || key.scale > 0 => "must be an integer item",
                _ if key.base == file.base => "cannot be in the file's record",
                _ => return,
            };
            let message = format!("RELATIVE KEY {} of {name} {message}", key.name);
            self.report.severe(span, message);
        }
    }
}

/// Bytes of a record with every OCCURS DEPENDING table at its minimum.
fn least_length(items: &[Item], size: &Size) -> u32 {
    let mut total = size.fixed;
    for term in &size.terms {
        let least = items[term.table.0 as usize].occurs.as_ref().map_or(0, |occurs| occurs.min);
        total = total.saturating_add(least_length(items, &term.stride).saturating_mul(least));
    }
    total
}
