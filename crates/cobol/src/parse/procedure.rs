//! PROCEDURE DIVISION: header, sections and paragraphs, sentences, declaratives.
//!
//! Invariants: all procedures exist, in source order, before the first statement is parsed; the parser enters each at
//! exactly the token where the scan found it.

use super::cursor::{Parsed, quoted};
use super::sql::unobserved;
use super::{Failed, Parser, words};
use crate::data::entry::{Entry as DataEntry, Section};
use crate::lexer::TokenKind;
use crate::names::Unresolved;
use crate::program::*;

impl Parser<'_> {
    pub fn procedure_division(&mut self) {
        self.advance();
        self.accept("DIVISION");
        if self.division_header().is_err() {
            self.skip_sentence();
        } else {
            self.expect_period("PROCEDURE DIVISION");
        }
        let headings = self.scan_procedures();
        self.scan_alters();
        self.number_altered();
        self.sql_declarations();
        let mut next = 0;
        self.declaratives(&headings, &mut next);
        self.body(&headings, &mut next, false);
        self.finish_procedures();
        self.reset_independent_segments();
    }

    fn division_header(&mut self) -> Parsed<()> {
        let mut parameters = Vec::new();
        if self.accept("USING") || self.accept("CHAINING") {
            parameters = self.parameters()?;
        }
        if self.accept("RETURNING") || self.accept("GIVING") {
            let reference = self.reference()?;
            if self.unit.program.base(self.item(reference.item).base).kind != BaseKind::Linkage {
                self.report.severe(reference.span, "RETURNING needs an item of the LINKAGE SECTION");
            }
            self.unit.program.returning = Some(reference.item);
        }
        if self.unit.program.cics {
            let registers = self.unit.program.registers;
            let mut all: Vec<Parameter> =
                [registers.eib, registers.commarea].into_iter().flatten().map(|item| Parameter { item, by_value: false }).collect();
            parameters.retain(|parameter: &Parameter| all.iter().all(|own| own.item != parameter.item));
            all.append(&mut parameters);
            parameters = all;
        }
        self.unit.program.parameters = parameters;
        Ok(())
    }

    /// Parameters of USING, for the division and ENTRY.
    pub fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut by_value = false;
        loop {
            self.accept("BY");
            match self.word() {
                "REFERENCE" => {
                    self.advance();
                    by_value = false;
                }
                "VALUE" => {
                    self.advance();
                    by_value = true;
                }
                _ => {}
            }
            if !self.at_identifier() {
                break;
            }
            let reference = self.reference()?;
            let item = self.item(reference.item);
            let linkage = matches!(self.unit.program.base(item.base).kind, BaseKind::Linkage);
            if !linkage || !matches!(item.level, 1 | 77) {
                let message = format!("{} is not a level 01 or 77 item of the LINKAGE SECTION", item.name);
                self.report.severe(reference.span, message);
            } else if parameters.iter().any(|parameter| parameter.item == reference.item) {
                let message = format!("{} is named twice in USING", item.name);
                self.report.severe(reference.span, message);
            } else {
                parameters.push(Parameter { item: reference.item, by_value });
            }
        }
        Ok(parameters)
    }

    /// DFHEIBLK and DFHCOMMAREA, as the CICS translator inserts them in the outermost program.
    pub fn insert_interface_block(&mut self) {
        if !self.cics || !self.outer.is_empty() {
            return;
        }
        self.unit.program.cics = true;
        let mut entries = Vec::new();
        if !self.unit.names.data.contains_key("DFHEIBLK") {
            entries.push(DataEntry { level: 1, name: Some("DFHEIBLK".into()), global: true, ..DataEntry::default() });
            for field in exec::eib::fields() {
                let (picture, usage) = split_usage(field.picture);
                entries.push(DataEntry {
                    level: 2,
                    name: Some(field.cobol_name.into()),
                    picture: Some((picture.into(), Span::NONE)),
                    usage,
                    ..DataEntry::default()
                });
            }
        }
        if !self.unit.names.data.contains_key("DFHCOMMAREA") {
            entries.push(DataEntry {
                level: 1,
                name: Some("DFHCOMMAREA".into()),
                picture: Some(("X(1)".into(), Span::NONE)),
                global: true,
                ..DataEntry::default()
            });
        }
        let unit = &mut self.unit;
        for entry in entries {
            unit.division.add(&mut unit.program, &mut unit.names, &mut self.report, entry, Section::Linkage);
        }
        unit.division.end_section(&mut unit.program);
        let find = |name: &str| {
            let item = unit.names.find(&unit.program, name, &[]).ok()?;
            if let crate::names::Named::Item(item) = item { Some(item) } else { None }
        };
        let (eib, commarea) = (find("DFHEIBLK"), find("DFHCOMMAREA"));
        unit.program.registers.eib = eib;
        unit.program.registers.commarea = commarea;
    }

    /// Finds all section and paragraph headers and creates their procedures. Returns the index of the token at which each begins.
    fn scan_procedures(&mut self) -> Vec<usize> {
        let mut headings = Vec::new();
        let mut sentence_begins = true;
        let mut in_declaratives = false;
        let mut at = self.at;
        while at + 1 < self.tokens.len() {
            let token = &self.tokens[at];
            let next = &self.tokens[at + 1];
            let starts = std::mem::replace(&mut sentence_begins, token.kind == TokenKind::Period);
            match &token.kind {
                TokenKind::Word(word) => match &**word {
                    "DECLARATIVES" if starts => in_declaratives = true,
                    "END" if next.is_word("DECLARATIVES") => {
                        in_declaratives = false;
                        // A paragraph behind this belongs to no section of the declaratives.
                        self.unit.section = None;
                    }
                    "END" if next.is_word("PROGRAM") || next.is_word("FUNCTION") => break,
                    "IDENTIFICATION" | "ID" if next.is_word("DIVISION") => break,
                    "PROGRAM-ID" | "FUNCTION-ID" if starts => break,
                    word if starts && !words::is_reserved(word) && self.add_heading(word, at, in_declaratives) => {
                        headings.push(at);
                    }
                    _ => {}
                },
                TokenKind::Number(number) if starts => {
                    let name = number.text.clone();
                    if self.add_heading(&name, at, in_declaratives) {
                        headings.push(at);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        headings
    }

    /// Creates a procedure if the token at `at` begins a header.
    fn add_heading(&mut self, name: &str, at: usize, in_declaratives: bool) -> bool {
        let next = &self.tokens[at + 1];
        let is_section = next.is_word("SECTION");
        if !is_section && next.kind != TokenKind::Period {
            return false;
        }
        let id = ProcedureId(self.unit.program.procedures.len() as u32);
        if is_section {
            self.unit.section = Some(id);
        }
        let segment = match self.tokens.get(at + 2).map(|token| &token.kind) {
            Some(TokenKind::Number(number)) if is_section => number.integer().and_then(|value| u8::try_from(value).ok()).unwrap_or(0),
            _ => 0,
        };
        let kind = if is_section { ProcedureKind::Section } else { ProcedureKind::Paragraph };
        self.unit.program.procedures.push(Procedure {
            name: name.into(),
            kind,
            section: self.unit.section,
            last: id,
            statements: Vec::new(),
            in_declaratives,
            segment,
            altered: None,
            span: self.tokens[at].span,
        });
        if let Some(section) = self.unit.section {
            self.unit.program.procedures[section.0 as usize].last = id;
        }
        self.unit.names.procedures.entry(name.into()).or_default().push(id);
        true
    }

    /// Notes the paragraphs that ALTER statements name.
    fn scan_alters(&mut self) {
        let mut at = self.at;
        while at + 1 < self.tokens.len() {
            if self.tokens[at].is_word("ALTER") {
                at = self.scan_alter(at + 1);
            } else if self.tokens[at].is_word("PROGRAM-ID") {
                break;
            } else {
                at += 1;
            }
        }
    }

    fn scan_alter(&mut self, mut at: usize) -> usize {
        let name_at = |at: usize| match self.tokens.get(at).map(|token| &token.kind) {
            Some(TokenKind::Word(word)) if !words::is_reserved(word) => Some(word.clone()),
            Some(TokenKind::Number(number)) => Some(number.text.clone()),
            _ => None,
        };
        let mut found = Vec::new();
        while let Some(name) = name_at(at) {
            at += 1;
            let mut section = None;
            if self.tokens.get(at).is_some_and(|token| token.is_word("OF") || token.is_word("IN")) {
                section = name_at(at + 1);
                at += 2;
            }
            found.push((name, section));
            for word in ["TO", "PROCEED", "TO"] {
                if self.tokens.get(at).is_some_and(|token| token.is_word(word)) {
                    at += 1;
                }
            }
            if name_at(at).is_none() {
                break;
            }
            at += 1;
            if self.tokens.get(at).is_some_and(|token| token.is_word("OF") || token.is_word("IN")) {
                at += 2;
            }
        }
        for (name, section) in found {
            if let Ok(id) = self.unit.names.find_procedure(&self.unit.program, &name, section.as_deref(), None) {
                self.unit.altered.push(id);
            }
        }
        at
    }

    fn number_altered(&mut self) {
        for id in std::mem::take(&mut self.unit.altered) {
            let procedure = &mut self.unit.program.procedures[id.0 as usize];
            if procedure.altered.is_none() {
                procedure.altered = Some(self.unit.alterable);
                self.unit.alterable += 1;
            }
        }
    }

    fn declaratives(&mut self, headings: &[usize], next: &mut usize) {
        if !self.accept("DECLARATIVES") {
            return;
        }
        self.expect_period("DECLARATIVES");
        self.body(headings, next, true);
        if self.accept_pair("END", "DECLARATIVES") {
            self.expect_period("END DECLARATIVES");
        } else {
            self.report.expected(self.span(), &quoted(self.token()), "END DECLARATIVES");
        }
        self.unit.section = None;
        self.unit.procedure = None;
        if headings.get(*next) == Some(&self.at) {
            let procedure = self.unit.program.procedure(self.procedure_of_heading(*next));
            if procedure.kind == ProcedureKind::Paragraph {
                let message = "with declaratives the whole PROCEDURE DIVISION is divided into sections";
                self.report.warning(procedure.span, format!("{} belongs to no section; {message}", procedure.name));
            }
        }
    }

    /// Procedures and sentences up to the end of the program or of the declaratives.
    fn body(&mut self, headings: &[usize], next: &mut usize, in_declaratives: bool) {
        self.unit.procedure = None;
        self.unit.section = None;
        while !self.at_end() && !self.report.is_full() {
            while headings.get(*next).is_some_and(|heading| *heading < self.at) {
                *next += 1;
            }
            if headings.get(*next) == Some(&self.at) {
                self.heading(*next);
                *next += 1;
                continue;
            }
            if self.at_division() || (self.is_word("END") && self.peek_word(1) == "DECLARATIVES") || self.is_word("PROGRAM-ID") {
                return;
            }
            if self.accept_kind(&TokenKind::Period) {
                continue;
            }
            if in_declaratives && self.is_word("USE") {
                if self.use_procedure().is_err() {
                    self.skip_sentence();
                }
                continue;
            }
            let before = self.at;
            self.sentence();
            if self.at == before {
                self.advance();
            }
        }
    }

    /// Enters the procedure whose header is here.
    fn heading(&mut self, index: usize) {
        let id = self.procedure_of_heading(index);
        let procedure = self.unit.program.procedure(id);
        let (kind, span) = (procedure.kind, procedure.span);
        if self.tokens[0].area_a && !self.token().area_a && self.token().first_on_line && span.file == 0 {
            let message = format!("the procedure name {} does not begin in area A", procedure.name);
            self.report.warning(span, message);
        }
        self.advance();
        if kind == ProcedureKind::Section {
            self.advance();
            self.integer();
            self.unit.section = Some(id);
        }
        self.unit.procedure = Some(id);
        self.expect_period("the procedure name");
    }

    /// The procedures created by the scan are in the order of their headings; a nameless one may precede them.
    fn procedure_of_heading(&self, index: usize) -> ProcedureId {
        ProcedureId(index as u32 + u32::from(self.implicit_made()))
    }

    /// Statements up to a period.
    fn sentence(&mut self) {
        let Some(id) = self.current_procedure() else {
            self.skip_sentence();
            return;
        };
        self.unit.sentence += 1;
        self.unit.next_sentence_used = false;
        self.unit.orphans.clear();
        let mut statements = Vec::new();
        loop {
            self.statements_into(&mut statements);
            if self.accept_kind(&TokenKind::Period) || self.at_end() || self.at_division() || self.report.is_full() {
                break;
            }
            let token = self.token();
            if self.is_word("END") && self.peek_word(1) == "DECLARATIVES" {
                self.report.error(token.span, "a period is missing before this; assumed");
                break;
            }
            self.report.expected(token.span, &quoted(token), "a statement or a period");
            self.advance();
            self.skip_statement();
        }
        if self.unit.next_sentence_used {
            let number = self.unit.sentence;
            let span = self.span();
            statements.push(self.statement_of(StatementKind::SentenceEnd(number), span));
        }
        let program = &mut self.unit.program;
        if let Some((index, encoded)) = unobserved(program, program.procedures[id.0 as usize].statements.last(), statements.first()) {
            program.sql[index] = encoded;
        }
        program.procedures[id.0 as usize].statements.append(&mut statements);
    }

    /// The procedure statements go to; statements before the first header get one without a name.
    fn current_procedure(&mut self) -> Option<ProcedureId> {
        if let Some(id) = self.unit.procedure {
            return Some(id);
        }
        // The statement precedes the first header of its part.
        let in_declaratives = false;
        let position = match self.unit.program.procedures.iter().position(|procedure| !procedure.in_declaratives) {
            Some(position) => position,
            None => self.unit.program.procedures.len(),
        };
        if position != 0 || self.implicit_made() {
            let span = self.span();
            self.report.severe(span, "a statement stands before the first section after the declaratives");
            return None;
        }
        self.insert_implicit(in_declaratives);
        self.unit.procedure = Some(ProcedureId(0));
        Some(ProcedureId(0))
    }

    fn implicit_made(&self) -> bool {
        self.unit.program.procedures.first().is_some_and(|procedure| procedure.name.is_empty())
    }

    /// Inserts a nameless procedure at the front and renumbers the others.
    fn insert_implicit(&mut self, in_declaratives: bool) {
        let shift = |id: ProcedureId| ProcedureId(id.0 + 1);
        for procedure in &mut self.unit.program.procedures {
            procedure.section = procedure.section.map(shift);
            procedure.last = shift(procedure.last);
        }
        for ids in self.unit.names.procedures.values_mut() {
            for id in ids {
                *id = shift(*id);
            }
        }
        let span = self.span();
        let implicit = Procedure {
            name: Box::default(),
            kind: ProcedureKind::Paragraph,
            section: None,
            last: ProcedureId(0),
            statements: Vec::new(),
            in_declaratives,
            segment: 0,
            altered: None,
            span,
        };
        self.unit.program.procedures.insert(0, implicit);
    }

    fn finish_procedures(&mut self) {
        let program = &mut self.unit.program;
        program.start = program.procedures.iter().position(|procedure| !procedure.in_declaratives).map(|index| ProcedureId(index as u32));
        if program.procedures.is_empty() {
            self.report.information(program.span, format!("{} has no statements", program.name));
        }
        if self.unit.names.data.contains_key("DEBUG-ITEM") {
            // Debugging mode has inserted its own statements into the paragraphs.
            return;
        }
        // An altered paragraph has a single sentence, a GO TO without DEPENDING ON (ALTER statement); a wrong one has none.
        let fits = |statement: &Statement| matches!(statement.kind, StatementKind::GoToAltered { .. } | StatementKind::SentenceEnd(_));
        let altered = program.procedures.iter().filter(|procedure| procedure.altered.is_some());
        for procedure in altered.filter(|procedure| !procedure.statements.iter().all(fits)) {
            let message = format!("ALTER changes {}, so nothing but one GO TO may stand in it", procedure.name);
            self.report.severe(procedure.span, message);
        }
    }

    fn use_procedure(&mut self) -> Parsed<()> {
        let span = self.span();
        self.advance();
        let Some(section) = self.unit.section else {
            return self.fail_at(span, "USE must follow a section header of the declaratives");
        };
        if self.accept("FOR") || self.is_word("DEBUGGING") {
            self.accept("DEBUGGING");
            if self.unit.names.data.contains_key("DEBUG-ITEM") {
                return self.debugging_section(section);
            }
            self.unit.program.declaratives.push(Declarative { section, trigger: Trigger::Debugging, global: false });
            self.report.information(span, "debugging sections are not executed; this one is skipped");
            self.skip_debugging_section();
            return Ok(());
        }
        let global = self.accept("GLOBAL");
        let after = self.accept("AFTER") || self.accept("BEFORE");
        self.accept("STANDARD");
        if !after || self.accept_any(&["ERROR", "EXCEPTION"]).is_none() {
            return self.fail("AFTER ERROR or AFTER EXCEPTION");
        }
        self.accept("PROCEDURE");
        self.accept("ON");
        let trigger_span = self.span();
        if let Some(mode) = self.open_mode() {
            self.check_used_once(trigger_span, |trigger| *trigger == Trigger::Mode(mode));
            self.unit.program.declaratives.push(Declarative { section, trigger: Trigger::Mode(mode), global });
        } else {
            let mut files = Vec::new();
            while let Some((name, span)) = self.user_word() {
                match self.unit.names.find_file(name) {
                    Some(file) => {
                        self.check_used_once(span, |trigger| matches!(trigger, Trigger::Files(files) if files.contains(&file)));
                        files.push(file);
                    }
                    None => self.report.unresolved(span, format!("{name} is not a file")),
                }
            }
            self.unit.program.declaratives.push(Declarative { section, trigger: Trigger::Files(files), global });
        }
        self.expect_period("USE");
        Ok(())
    }

    /// An error must not make more than one procedure run (Language Reference, "USE statement").
    fn check_used_once(&mut self, span: Span, is_same: impl Fn(&Trigger) -> bool) {
        let Some(earlier) = self.unit.program.declaratives.iter().find(|declarative| is_same(&declarative.trigger)) else { return };
        let message = format!("USE: section {} of the declaratives serves this already", self.unit.program.procedure(earlier.section).name);
        self.report.severe(span, message);
    }

    /// Skips to the next section or the end of the declaratives.
    fn skip_debugging_section(&mut self) {
        while !self.at_end() && !self.at_division() {
            if self.is_word("END") && self.peek_word(1) == "DECLARATIVES" {
                return;
            }
            if !self.accept_kind(&TokenKind::Period) {
                self.advance();
            } else if self.peek_word(1) == "SECTION" {
                return;
            }
        }
    }

    /// INPUT, OUTPUT, I-O or EXTEND.
    pub fn open_mode(&mut self) -> Option<OpenMode> {
        let mode = match self.word() {
            "INPUT" => OpenMode::Input,
            "OUTPUT" => OpenMode::Output,
            "I-O" => OpenMode::InputOutput,
            "EXTEND" => OpenMode::Extend,
            _ => return None,
        };
        self.advance();
        Some(mode)
    }

    /// Whether a procedure name could be next.
    pub fn at_procedure_name(&self) -> bool {
        match &self.token().kind {
            TokenKind::Word(word) => !words::is_reserved(word),
            TokenKind::Number(_) => true,
            _ => false,
        }
    }

    /// A procedure name, resolved.
    pub fn procedure_name(&mut self) -> Parsed<ProcedureId> {
        let span = self.span();
        let name: Box<str> = match &self.token().kind {
            TokenKind::Word(word) if !words::is_reserved(word) => (&**word).into(),
            TokenKind::Number(number) => (&*number.text).into(),
            _ => return self.fail("a paragraph or section name"),
        };
        self.advance();
        let mut section = None;
        if self.accept("OF") || self.accept("IN") {
            section = match &self.token().kind {
                TokenKind::Word(word) => Some(word.clone()),
                TokenKind::Number(number) => Some(number.text.clone()),
                _ => return self.fail("a section name"),
            };
            self.advance();
        }
        match self.unit.names.find_procedure(&self.unit.program, &name, section.as_deref(), self.unit.section) {
            Ok(id) => Ok(id),
            Err(Unresolved::Ambiguous(_)) => {
                self.fail_at(span, format!("the procedure name {name} is not unique; it needs qualification by a section"))
            }
            Err(_) => {
                let text = match section {
                    Some(section) => format!("{name} OF {section}"),
                    None => name.to_string(),
                };
                self.report.unresolved(span, format!("the procedure {text} is not defined"));
                Err(Failed)
            }
        }
    }

    /// The label number of a procedure, for EXEC CICS HANDLE.
    pub fn label(&mut self, procedure: ProcedureId) -> LabelNumber {
        self.add_label(Label::Procedure(procedure))
    }

    pub fn add_label(&mut self, label: Label) -> LabelNumber {
        let labels = &mut self.unit.program.labels;
        let index = labels.iter().position(|known| *known == label).unwrap_or_else(|| {
            labels.push(label);
            labels.len() - 1
        });
        LabelNumber(index as u32 + 1)
    }
}

/// `S9(7) COMP-3` as picture and usage.
fn split_usage(text: &str) -> (&str, Option<Usage>) {
    match text.split_once(' ') {
        Some((picture, "COMP-3")) => (picture, Some(Usage::Packed)),
        Some((picture, _)) => (picture, Some(Usage::Binary)),
        None => (text, None),
    }
}
