//! The outer structure: identification division, the four divisions in order, nested and consecutive programs.

use super::cursor::Parsed;
use super::{PROGRAM_DEPTH_MAX, Parser, Unit};
use crate::data::tree::new_base;
use crate::lexer::{ExecLanguage, Token, TokenKind};
use crate::names::Named;
use crate::options::ProgramNames;
use crate::program::*;
use crate::report::Part;

/// The source contains an EXEC CICS block, or declares DFHCOMMAREA: only a program that is compiled for CICS is given one.
pub fn has_cics(tokens: &[Token]) -> bool {
    let is_block = |token: &Token| matches!(&token.kind, TokenKind::Exec(block) if block.language == ExecLanguage::Cics);
    let declares = |pair: &[Token]| matches!(pair[0].kind, TokenKind::Number(_)) && pair[1].is_word("DFHCOMMAREA");
    tokens.iter().any(is_block) || tokens.windows(2).any(declares)
}

impl Parser<'_> {
    /// All programs of the source.
    pub fn source(&mut self) -> Vec<Program> {
        // The first program of a module is the one that is run, so functions come after the programs.
        let (mut programs, mut functions) = (Vec::new(), Vec::new());
        while !self.at_end() && !self.report.is_full() {
            let before = self.at;
            if matches!(self.word(), "PROCESS" | "CBL") {
                // Options between programs of one source: those at its start have been applied.
                let line = self.span().line;
                while !self.at_end() && self.span().line == line {
                    self.advance();
                }
            } else if self.at_program() {
                self.unit = Unit::new(&self.options);
                self.survey_sql();
                self.program_unit();
                if self.unit.is_function {
                    self.note_function();
                }
                let unit = std::mem::replace(&mut self.unit, Unit::new(&self.options));
                match (unit.is_prototype, unit.is_function) {
                    (true, _) => {}
                    (false, true) => functions.push(unit.program),
                    (false, false) => programs.push(unit.program),
                }
            } else if self.is_word("END") && self.peek_word(1) == "PROGRAM" {
                let span = self.span();
                self.report.severe(span, "END PROGRAM has no program to end");
                self.skip_sentence();
            } else {
                self.report.expected(self.span(), &super::cursor::quoted(self.token()), "IDENTIFICATION DIVISION");
                while !self.at_end() && !self.at_program() {
                    self.advance();
                }
            }
            if self.at == before {
                self.advance();
            }
        }
        programs.append(&mut functions);
        if programs.is_empty() && !self.report.is_full() && self.report.diagnostics.is_empty() {
            self.report.severe(Span::NONE, "the source contains no program");
        }
        programs
    }

    fn at_program(&self) -> bool {
        let bare = matches!(self.word(), "PROGRAM-ID" | "FUNCTION-ID");
        bare || (matches!(self.word(), "IDENTIFICATION" | "ID") && self.peek_word(1) == "DIVISION")
    }

    /// One program with everything contained in it, up to and including its END PROGRAM.
    fn program_unit(&mut self) {
        self.report.enter(Part::Identification);
        self.identification();
        self.import_outer();
        self.report.enter(Part::Environment);
        if self.is_word("ENVIRONMENT") {
            self.environment_division();
        }
        self.report.enter(Part::Data);
        self.data_division();
        self.report.enter(Part::Procedure);
        self.find_contained();
        if self.is_word("PROCEDURE") {
            self.procedure_division();
        } else if self.report.diagnostics.is_empty() && self.outer.is_empty() {
            self.report.information(self.unit.program.span, format!("{} has no PROCEDURE DIVISION", self.unit.program.name));
        }
        while self.at_program() && !self.report.is_full() {
            if !self.contains_next() {
                return;
            }
            if self.unit.program.recursive && self.unit.program.nested.is_empty() {
                let message = format!("{} is RECURSIVE; such a program cannot contain others", self.unit.program.name);
                self.report.severe(self.unit.program.span, message);
            }
            self.nested_program();
        }
        self.report.enter(Part::Identification);
        let end = if self.unit.is_function { "FUNCTION" } else { "PROGRAM" };
        if self.accept_pair("END", end) {
            let span = self.span();
            let name = self.program_name().unwrap_or_default();
            let expected = self.unit.written_name.clone();
            let names = self.options.program_names;
            if names.contained(&name) != names.contained(&expected) {
                self.report.error(span, format!("END {end} names {name}; {expected} is assumed"));
            }
            self.expect_period(&format!("END {end}"));
        } else if !self.at_end() && !self.report.is_full() && !self.at_program() && !matches!(self.word(), "PROCESS" | "CBL") {
            self.report.expected(self.span(), &super::cursor::quoted(self.token()), "END PROGRAM or a program");
            while !(self.at_end() || self.at_program() || self.is_word("END") && self.peek_word(1) == "PROGRAM") {
                self.advance();
            }
        }
    }

    /// Whether the program header that follows is contained in this program: then this program's END PROGRAM comes later.
    fn contains_next(&self) -> bool {
        let mut depth = 0_i32;
        for (offset, token) in self.tokens[self.at..].iter().enumerate() {
            match token.word() {
                Some("PROGRAM-ID") => depth += 1,
                Some("END") if self.tokens.get(self.at + offset + 1).is_some_and(|next| next.is_word("PROGRAM")) => {
                    depth -= 1;
                    if depth < 0 {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn nested_program(&mut self) {
        if self.outer.len() + 1 >= PROGRAM_DEPTH_MAX {
            self.report.severe(self.span(), format!("programs are nested more than {PROGRAM_DEPTH_MAX} deep"));
            self.at = self.tokens.len() - 1;
            return;
        }
        let mut unit = Unit::new(&self.options);
        unit.rules = self.unit.rules.clone();
        unit.program.special_names = self.unit.program.special_names.clone();
        unit.names.special = self.unit.names.special.clone();
        let outer = std::mem::replace(&mut self.unit, unit);
        self.outer.push(outer);
        self.program_unit();
        if let Some(outer) = self.outer.pop() {
            let inner = std::mem::replace(&mut self.unit, outer);
            self.unit.program.nested.push(inner.program);
        }
    }

    fn identification(&mut self) {
        if matches!(self.word(), "IDENTIFICATION" | "ID") {
            self.advance();
            self.accept("DIVISION");
            self.expect_period("IDENTIFICATION DIVISION");
        }
        self.unit.program.span = self.span();
        if self.identification_paragraph().is_err() {
            self.skip_sentence();
        }
        while !self.at_end() && !self.at_division() {
            // AUTHOR and the like: comment entries up to the next paragraph or division.
            if matches!(self.word(), "PROGRAM-ID" | "FUNCTION-ID") {
                return;
            }
            self.advance();
        }
    }

    fn identification_paragraph(&mut self) -> Parsed<()> {
        if matches!(self.word(), "CLASS-ID" | "INTERFACE-ID" | "METHOD-ID" | "FACTORY" | "OBJECT") {
            let span = self.span();
            let message = format!("object-oriented COBOL ({}) is not supported", self.word());
            self.at = self.tokens.len() - 1;
            return self.fail_at(span, message);
        }
        if self.accept("FUNCTION-ID") {
            self.unit.is_function = true;
            self.unit.program.recursive = true;
        } else {
            self.expect("PROGRAM-ID")?;
        }
        self.accept_kind(&TokenKind::Period);
        self.unit.program.span = self.span();
        self.identify()?;
        self.accept("IS");
        while let Some(word) = self.accept_any(&["INITIAL", "COMMON", "RECURSIVE", "PROGRAM", "AND", "PROTOTYPE"]) {
            match word {
                "INITIAL" => self.unit.program.initial = true,
                "COMMON" => self.unit.program.common = true,
                "RECURSIVE" => self.unit.program.recursive = true,
                "PROTOTYPE" => self.unit.is_prototype = true,
                _ => {}
            }
        }
        if self.unit.program.common && self.outer.is_empty() {
            self.report.error(self.unit.program.span, "COMMON is for contained programs; ignored");
            self.unit.program.common = false;
        }
        if self.unit.program.recursive && !self.outer.is_empty() {
            let message = "RECURSIVE is for the outermost program of a compilation unit; a contained program cannot be recursive";
            self.report.severe(self.unit.program.span, message);
        }
        // IBM's compiler continues without a message: sources without this period exist.
        if !self.accept_kind(&TokenKind::Period) {
            let span = self.span();
            self.report.warning(span, "a period is missing after PROGRAM-ID; assumed");
        }
        Ok(())
    }

    /// The name after PROGRAM-ID or FUNCTION-ID.
    fn identify(&mut self) -> Parsed<()> {
        let (span, names) = (self.span(), self.options.program_names);
        let is_literal = matches!(self.token().kind, TokenKind::Literal(_));
        let Some(written) = self.program_name() else { return self.fail("the name of the program") };
        if names == ProgramNames::LongMixed && !is_literal && !self.unit.is_function {
            self.report.severe(span, "PGMNAME(LONGMIXED) wants the name of a program as a literal");
        }
        self.unit.written_name = written.clone();
        let known = if self.accept("AS") { self.program_name().unwrap_or_default() } else { written };
        self.unit.program.name = match (self.unit.is_function, self.outer.is_empty()) {
            (true, _) => known.to_ascii_uppercase(),
            (false, true) => names.external(&known),
            (false, false) => names.contained(&known),
        }
        .into();
        Ok(())
    }

    /// A program name as written: word, literal or (as some programs are named) number.
    pub fn program_name(&mut self) -> Option<Box<str>> {
        let name: Box<str> = match &self.token().kind {
            TokenKind::Word(word) => (&**word).into(),
            TokenKind::Literal(literal) => (&*literal.text).into(),
            TokenKind::Number(number) => (&*number.text).into(),
            _ => return None,
        };
        self.advance();
        Some(name)
    }

    /// Finds the names of directly contained programs, so that CALL can refer to them.
    fn find_contained(&mut self) {
        let mut depth = 0_i32;
        let mut at = self.at;
        while at + 1 < self.tokens.len() {
            match self.tokens[at].word() {
                Some("PROGRAM-ID") => {
                    if depth == 0 {
                        self.add_contained(at);
                    }
                    depth += 1;
                }
                Some("END") if self.tokens[at + 1].is_word("PROGRAM") => {
                    depth -= 1;
                    if depth < 0 {
                        return;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        // Without an END PROGRAM here, the following programs are separate.
        self.unit.contained.clear();
        self.unit.contained_common.clear();
    }

    fn add_contained(&mut self, at: usize) {
        let mut next = at + 1;
        if matches!(self.tokens[next].kind, TokenKind::Period) {
            next += 1;
        }
        let name: Box<str> = match self.tokens.get(next).map(|token| &token.kind) {
            Some(TokenKind::Word(word)) => (&**word).into(),
            Some(TokenKind::Literal(literal)) => self.options.program_names.contained(&literal.text).into(),
            _ => return,
        };
        let end = self.tokens[next..].iter().position(|token| matches!(token.kind, TokenKind::Period)).unwrap_or(0);
        let common = self.tokens[next..next + end].iter().any(|token| token.is_word("COMMON"));
        self.unit.contained.push(name);
        self.unit.contained_common.push(common);
    }

    /// Imports the GLOBAL names of the containing program.
    fn import_outer(&mut self) {
        let Some(outer) = self.outer.last() else { return };
        let program = &mut self.unit.program;
        let mut bases = rustc_hash::FxHashMap::default();
        let mut index = 0;
        let mut moved: rustc_hash::FxHashMap<ItemId, ItemId> = rustc_hash::FxHashMap::default();
        let start = program.items.len() as u32;
        let mut taken = Vec::new();
        while index < outer.program.items.len() {
            let item = &outer.program.items[index];
            let is_register = Some(ItemId(index as u32)) == outer.program.registers.return_code;
            if item.global || is_register {
                moved.insert(ItemId(index as u32), ItemId(start + taken.len() as u32));
                taken.push(ItemId(index as u32));
            }
            index += 1;
        }
        if taken.is_empty() && !outer.program.files.iter().any(|file| file.global) {
            return;
        }
        for id in &taken {
            let mut item = outer.program.item(*id).clone();
            let base = *bases.entry(item.base).or_insert_with(|| {
                let source = outer.program.base(item.base);
                let kind = match source.kind {
                    BaseKind::Outer { levels, base } => BaseKind::Outer { levels: levels + 1, base },
                    _ => BaseKind::Outer { levels: 1, base: item.base },
                };
                let new = new_base(program, kind, &source.name);
                program.bases[new.0 as usize].length = source.length;
                new
            });
            item.base = base;
            let levels = match program.base(base).kind {
                BaseKind::Outer { levels, .. } => levels,
                _ => 1,
            };
            relocate(&mut item, &moved);
            item.value = None;
            let mut conditions = Vec::new();
            for condition in std::mem::take(&mut item.conditions) {
                let mut source = outer.program.condition_names[condition.0 as usize].clone();
                let new = ConditionNameId(program.condition_names.len() as u32);
                source.item = moved[id];
                self.unit.names.add_outer(levels, &source.name, Named::Condition(new));
                program.condition_names.push(source);
                conditions.push(new);
            }
            item.conditions = conditions;
            if &*item.name != "FILLER" {
                self.unit.names.add_outer(levels, &item.name, Named::Item(moved[id]));
            }
            program.items.push(item);
            let unbounded = outer.division.pending.get(id.0 as usize).is_some_and(|pending| pending.unbounded);
            self.unit.division.pending.push(crate::data::tree::Pending { unbounded, ..Default::default() });
        }
        if let Some(code) = outer.program.registers.return_code {
            program.registers.return_code = moved.get(&code).copied();
        }
        self.unit.division.laid_out = program.items.len();
        self.import_files(&moved, &bases);
    }

    fn import_files(&mut self, moved: &rustc_hash::FxHashMap<ItemId, ItemId>, bases: &rustc_hash::FxHashMap<BaseId, BaseId>) {
        let Some(outer) = self.outer.last() else { return };
        for (number, source) in outer.program.files.iter().enumerate() {
            let Some(base) = bases.get(&source.base).copied() else { continue };
            if !source.global {
                continue;
            }
            let mut file = source.clone();
            let id = |item: Option<ItemId>| item.and_then(|item| moved.get(&item).copied());
            let (levels, outer_file) = match source.outer {
                Some((levels, file)) => (levels + 1, file),
                None => (1, FileId(number as u32)),
            };
            file.outer = Some((levels, outer_file));
            file.base = base;
            file.records = source.records.iter().filter_map(|record| moved.get(record).copied()).collect();
            file.record_key = id(source.record_key);
            file.relative_key = id(source.relative_key);
            file.status = id(source.status);
            file.vsam_status = id(source.vsam_status);
            file.password = None;
            file.record_depending = id(source.record_depending);
            file.alternate_keys = source
                .alternate_keys
                .iter()
                .filter_map(|key| Some(AlternateKey { item: *moved.get(&key.item)?, duplicates: key.duplicates }))
                .collect();
            file.linage = None;
            let new = FileId(self.unit.program.files.len() as u32);
            let name = file.name.clone();
            self.unit.program.files.push(file);
            self.unit.names.add_outer(levels, &name, Named::File(new));
        }
    }
}

/// Renumbers the item references of an imported item.
fn relocate(item: &mut Item, moved: &rustc_hash::FxHashMap<ItemId, ItemId>) {
    let id = |item: ItemId| moved.get(&item).copied();
    item.parent = item.parent.and_then(id);
    // Descendants of a global item are global, so they are imported next to it.
    item.end = ItemId(item.end.0);
    if let Some(last) = item.end.0.checked_sub(1).and_then(|last| id(ItemId(last))) {
        item.end = ItemId(last.0 + 1);
    }
    item.redefines = item.redefines.and_then(id);
    item.renames = item.renames.and_then(|(first, last)| Some((id(first)?, id(last)?)));
    item.dimensions = item.dimensions.iter().filter_map(|item| id(*item)).collect();
    relocate_size(&mut item.offset, moved);
    relocate_size(&mut item.length, moved);
    if let Some(occurs) = &mut item.occurs {
        occurs.depending = occurs.depending.and_then(id);
        relocate_size(&mut occurs.stride, moved);
        occurs.indexes = occurs.indexes.iter().filter_map(|index| id(*index)).collect();
        occurs.keys = occurs.keys.iter().filter_map(|key| Some(TableKey { item: id(key.item)?, ascending: key.ascending })).collect();
    }
}

fn relocate_size(size: &mut Size, moved: &rustc_hash::FxHashMap<ItemId, ItemId>) {
    for term in &mut size.terms {
        if let Some(table) = moved.get(&term.table) {
            term.table = *table;
        }
        relocate_size(&mut term.stride, moved);
    }
}
