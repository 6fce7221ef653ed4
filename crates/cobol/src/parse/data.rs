//! DATA DIVISION: sections and data description entries.

use super::Parser;
use super::cursor::Parsed;
use super::markup_registers::{DYNAMIC_LENGTH_DEFAULT, DYNAMIC_LENGTH_MAX};
use crate::data::entry::{Entry, OccursClause, Section, SignClause};
use crate::data::{image, layout, resolve};
use crate::lexer::{ExecLanguage, TokenKind};
use crate::program::*;

impl Parser<'_> {
    pub fn data_division(&mut self) {
        if self.is_word("DATA") && self.peek_word(1) == "DIVISION" {
            self.advance();
            self.advance();
            self.expect_period("DATA DIVISION");
            while !self.at_end() && !self.at_division() && !self.report.is_full() {
                let before = self.at;
                self.data_section();
                if self.at == before {
                    self.advance();
                }
            }
        }
        self.insert_interface_block();
        self.finish_data();
    }

    fn data_section(&mut self) {
        let name = self.word();
        match name {
            "FILE" | "WORKING-STORAGE" | "LOCAL-STORAGE" | "LINKAGE" | "COMMUNICATION" | "REPORT" | "SCREEN" => {
                self.advance();
                if !self.accept("SECTION") {
                    self.report.expected(self.span(), &super::cursor::quoted(self.token()), "SECTION");
                }
                self.expect_period("SECTION");
            }
            _ => {
                self.report.expected(self.span(), &super::cursor::quoted(self.token()), "a section of the DATA DIVISION");
                self.skip_sentence();
                return;
            }
        }
        match name {
            "FILE" => self.file_section(),
            "WORKING-STORAGE" => self.entries(Section::Working),
            "LOCAL-STORAGE" => self.entries(Section::Local),
            "LINKAGE" => self.entries(Section::Linkage),
            _ => {
                let span = self.span();
                self.report.severe(span, format!("the {name} SECTION is not supported"));
                while !self.at_end() && !self.at_division() && !self.at_section() {
                    self.advance();
                }
            }
        }
    }

    pub fn at_section(&self) -> bool {
        matches!(self.word(), "FILE" | "WORKING-STORAGE" | "LOCAL-STORAGE" | "LINKAGE" | "COMMUNICATION" | "REPORT" | "SCREEN")
            && self.peek_word(1) == "SECTION"
    }

    /// Data description entries up to the first token that begins none.
    pub fn entries(&mut self, section: Section) {
        while !self.at_end() && !self.report.is_full() {
            if let TokenKind::Exec(_) = self.token().kind {
                self.declarative_exec();
                continue;
            }
            if self.at_division() || self.at_section() || matches!(self.word(), "FD" | "SD" | "RD" | "CD") {
                break;
            }
            if self.accept_kind(&TokenKind::Period) {
                continue;
            }
            let before = self.at;
            match self.entry() {
                Ok(mut entry) => {
                    let unit = &mut self.unit;
                    let members = super::sql_type::describe(&mut entry);
                    for entry in std::iter::once(entry).chain(members) {
                        unit.division.add(&mut unit.program, &mut unit.names, &mut self.report, entry, section);
                    }
                }
                Err(_) => self.skip_entry(),
            }
            if self.at == before {
                self.advance();
            }
        }
        self.unit.division.end_section(&mut self.unit.program);
        self.lay_out();
    }

    /// Recovers at the next entry: a level number that begins a line, or behind a period.
    fn skip_entry(&mut self) {
        while !self.at_end() && !self.at_division() && !self.at_section() {
            if self.accept_kind(&TokenKind::Period) {
                return;
            }
            self.advance();
            let token = self.token();
            if token.first_on_line && matches!(&token.kind, TokenKind::Number(number) if number.digits.len() <= 2) {
                return;
            }
        }
    }

    pub fn lay_out(&mut self) {
        let unit = &mut self.unit;
        layout::lay_out(&mut unit.division, &mut unit.program, &mut self.report, &unit.rules, &self.options);
    }

    /// EXEC SQL in the data division: declarations.
    fn declarative_exec(&mut self) {
        if let TokenKind::Exec(block) = &self.token().kind {
            let span = self.span();
            match &block.language {
                ExecLanguage::Sql => self.sql_declaration(),
                ExecLanguage::Cics => self.report.severe(span, "EXEC CICS is not valid in the DATA DIVISION"),
                ExecLanguage::Other(name) => self.report.severe(span, format!("EXEC {name} is not supported")),
            }
        }
        self.advance();
        self.accept_kind(&TokenKind::Period);
    }

    fn entry(&mut self) -> Parsed<Entry> {
        let span = self.span();
        let Some(level) = self.integer().filter(|level| *level <= 99) else {
            return self.fail("a level number");
        };
        let mut entry = Entry { level: level as u8, span, ..Entry::default() };
        if !self.accept("FILLER")
            && let TokenKind::Word(word) = &self.token().kind
            && !starts_clause(word)
        {
            if super::words::is_reserved(word) {
                let message = format!("{word} is a reserved word and cannot name an item");
                self.report.severe(self.span(), message);
            }
            entry.span = self.span();
            entry.name = Some((&**word).into());
            self.advance();
        }
        if level == 88 {
            self.condition_values(&mut entry)?;
        } else {
            while !self.at_period() && !self.at_end() {
                let is_entry = matches!(self.token().kind, TokenKind::Number(_));
                if self.token().first_on_line && (is_entry || self.at_division() || self.at_section()) {
                    break;
                }
                self.clause(&mut entry)?;
            }
        }
        if !self.accept_kind(&TokenKind::Period) {
            let span = self.span();
            self.report.error(span, "a period is missing before this; assumed");
        }
        Ok(entry)
    }

    fn clause(&mut self, entry: &mut Entry) -> Parsed<()> {
        let span = self.span();
        match &self.token().kind {
            TokenKind::Picture(text) => {
                entry.picture = Some((self.unit.rules.ascii(text).into(), span));
                self.advance();
                return Ok(());
            }
            TokenKind::Word(_) => {}
            _ => return self.fail("a clause of a data description or a period"),
        }
        match self.word() {
            "PIC" | "PICTURE" => self.picture_clause(entry)?,
            "REDEFINES" => {
                self.advance();
                let (name, span) = self.expect_user_word("the name of the item to redefine")?;
                entry.redefines = Some((name.into(), span));
            }
            "RENAMES" => {
                self.advance();
                let first = self.qualified_name()?;
                let last = if self.accept("THROUGH") || self.accept("THRU") { Some(self.qualified_name()?) } else { None };
                entry.renames = Some((first, last));
            }
            "OCCURS" => {
                self.advance();
                let occurs = self.occurs(span)?;
                if entry.occurs.replace(occurs).is_some() {
                    self.report.severe(span, "a second OCCURS clause");
                }
            }
            "VALUE" | "VALUES" => {
                self.advance();
                let _ = self.accept("IS") || self.accept("ARE");
                self.value_clause(entry)?;
            }
            "USAGE" => {
                self.begin_clause(&["IS"]);
                if !self.is_word("SQL") {
                    entry.usage = Some(self.usage()?);
                }
            }
            "SQL" if self.peek_word(1) == "TYPE" => entry.sql_type = Some(self.sql_type()?),
            "GROUP-USAGE" => {
                entry.usage = Some(self.group_usage()?);
                entry.group_usage = entry.usage;
            }
            "SIGN" | "LEADING" | "TRAILING" => entry.sign = Some(self.sign_clause()?),
            "BYTE-LENGTH" => {
                self.begin_clause(&["IS"]);
                entry.byte_length = Some(self.expect_integer("the number of bytes")?);
            }
            "SAME" if self.peek_word(1) == "AS" => {
                self.begin_clause(&["AS"]);
                entry.same_as = Some(self.qualified_name()?);
            }
            "DYNAMIC" => entry.dynamic = Some(self.dynamic_length(span)?),
            _ => match self.usage_word() {
                Some(usage) => entry.usage = Some(usage),
                None => self.attribute_clause(entry)?,
            },
        }
        Ok(())
    }

    /// A clause that an item has or has not.
    fn attribute_clause(&mut self, entry: &mut Entry) -> Parsed<()> {
        match self.word() {
            "SYNC" | "SYNCHRONIZED" => {
                self.advance();
                let _ = self.accept("LEFT") || self.accept("RIGHT");
                entry.synchronized = true;
            }
            "JUST" | "JUSTIFIED" => {
                self.begin_clause(&["RIGHT"]);
                entry.justified = true;
            }
            "BLANK" => {
                self.begin_clause(&["WHEN"]);
                if self.accept_any(&["ZERO", "ZEROS", "ZEROES"]).is_none() {
                    return self.fail("ZERO");
                }
                entry.blank_when_zero = true;
            }
            "GLOBAL" => {
                self.advance();
                entry.global = true;
            }
            "EXTERNAL" => {
                self.advance();
                entry.external = true;
                if self.accept("AS") {
                    entry.external_name = self.program_name().map(|name| name.to_ascii_uppercase().into());
                }
            }
            "IS" | "VOLATILE" => self.advance(),
            _ => return self.fail("a clause of a data description or a period"),
        }
        Ok(())
    }

    fn picture_clause(&mut self, entry: &mut Entry) -> Parsed<()> {
        let span = self.span();
        self.begin_clause(&["IS"]);
        let TokenKind::Picture(text) = &self.token().kind else { return self.fail("a picture string") };
        if entry.picture.is_some() {
            self.report.severe(span, "a second PICTURE clause");
        }
        entry.picture = Some((self.unit.rules.ascii(text).into(), self.span()));
        self.advance();
        Ok(())
    }

    fn sign_clause(&mut self) -> Parsed<SignClause> {
        self.accept("SIGN");
        self.accept("IS");
        let leading = match self.accept_any(&["LEADING", "TRAILING"]) {
            Some(word) => word == "LEADING",
            None => return self.fail("LEADING or TRAILING"),
        };
        let separate = self.accept("SEPARATE");
        if separate {
            self.accept("CHARACTER");
        }
        Ok(SignClause { leading, separate })
    }

    fn group_usage(&mut self) -> Parsed<Usage> {
        self.begin_clause(&["IS"]);
        match self.accept_any(&["NATIONAL", "UTF-8"]) {
            Some("NATIONAL") => Ok(Usage::National),
            Some(_) => Ok(Usage::Utf8),
            None => self.fail("NATIONAL or UTF-8"),
        }
    }

    /// DYNAMIC LENGTH: the limit in characters.
    fn dynamic_length(&mut self, span: Span) -> Parsed<u32> {
        self.begin_clause(&["LENGTH"]);
        let limit = if self.accept("LIMIT") {
            self.accept("IS");
            self.expect_integer("the largest length")?
        } else {
            DYNAMIC_LENGTH_DEFAULT
        };
        if !(1..=DYNAMIC_LENGTH_MAX).contains(&limit) {
            self.report.severe(span, format!("DYNAMIC LENGTH LIMIT IS {limit}: it must be 1 to {DYNAMIC_LENGTH_MAX}"));
            return Ok(1);
        }
        Ok(limit)
    }

    fn usage(&mut self) -> Parsed<Usage> {
        match self.usage_word() {
            Some(usage) => Ok(usage),
            None => self.fail("a usage"),
        }
    }

    fn usage_word(&mut self) -> Option<Usage> {
        let usage = match self.word() {
            "DISPLAY" => Usage::Display,
            "DISPLAY-1" => Usage::Display1,
            "NATIONAL" => Usage::National,
            "UTF-8" => Usage::Utf8,
            "COMP" | "COMPUTATIONAL" | "COMP-4" | "COMPUTATIONAL-4" | "BINARY" => Usage::Binary,
            "COMP-5" | "COMPUTATIONAL-5" => Usage::NativeBinary,
            "COMP-3" | "COMPUTATIONAL-3" | "PACKED-DECIMAL" => Usage::Packed,
            "COMP-1" | "COMPUTATIONAL-1" => Usage::Float,
            "COMP-2" | "COMPUTATIONAL-2" => Usage::Double,
            "INDEX" => Usage::Index,
            "POINTER" | "POINTER-32" => Usage::Pointer,
            "PROCEDURE-POINTER" => Usage::ProcedurePointer,
            "FUNCTION-POINTER" => Usage::FunctionPointer,
            "OBJECT" => Usage::ObjectReference,
            _ => return None,
        };
        self.advance();
        match usage {
            Usage::ObjectReference => {
                let span = self.span();
                self.accept("REFERENCE");
                self.user_word();
                self.report.severe(span, "object-oriented COBOL (USAGE OBJECT REFERENCE) is not supported");
            }
            Usage::Binary | Usage::NativeBinary => {
                // A repeated usage word as in USAGE COMP BINARY is an error the next clause reports.
            }
            _ => {}
        }
        Some(usage)
    }

    fn occurs(&mut self, span: Span) -> Parsed<OccursClause> {
        let mut clause = OccursClause { min: 0, max: 0, depending: None, keys: Vec::new(), indexes: Vec::new(), unbounded: false, span };
        let first = self.expect_integer("the number of occurrences")?;
        (clause.min, clause.max) = (first, first);
        if self.accept("TO") {
            if self.accept("UNBOUNDED") {
                clause.unbounded = true;
                clause.max = first.max(1);
            } else {
                clause.max = self.expect_integer("the largest number of occurrences")?;
            }
        }
        self.accept("TIMES");
        loop {
            match self.word() {
                "DEPENDING" => {
                    self.advance();
                    self.accept("ON");
                    clause.depending = Some(self.qualified_name()?);
                    if clause.min == clause.max && !clause.unbounded {
                        // OCCURS n DEPENDING ON is OCCURS 1 TO n (an extension of IBM's).
                        clause.min = clause.min.min(1);
                    }
                }
                "ASCENDING" | "DESCENDING" => {
                    let ascending = self.is_word("ASCENDING");
                    self.advance();
                    self.accept("KEY");
                    self.accept("IS");
                    clause.keys.push((self.qualified_name()?, ascending));
                    while !super::words::is_reserved(self.word()) && self.word() != "" {
                        clause.keys.push((self.qualified_name()?, ascending));
                    }
                }
                "INDEXED" => {
                    self.advance();
                    self.accept("BY");
                    let (name, span) = self.expect_user_word("an index-name")?;
                    clause.indexes.push((name.into(), span));
                    while let Some((name, span)) = self.user_word() {
                        clause.indexes.push((name.into(), span));
                    }
                }
                _ => return Ok(clause),
            }
        }
    }

    /// VALUE of an item: one literal; more than one fill the occurrences of a table item.
    fn value_clause(&mut self, entry: &mut Entry) -> Parsed<()> {
        let first = self.value_literal()?;
        if entry.value.is_some() {
            self.report.severe(first.span, "a second VALUE clause");
        }
        let mut more = Vec::new();
        while matches!(self.token().kind, TokenKind::Literal(_))
            || (matches!(self.token().kind, TokenKind::Number(_)) && !self.token().first_on_line)
        {
            more.push(ValueRange { low: self.value_literal()?, high: None });
        }
        if more.is_empty() {
            entry.value = Some(first);
        } else {
            entry.values = vec![ValueRange { low: first, high: None }];
            entry.values.append(&mut more);
        }
        Ok(())
    }

    fn condition_values(&mut self, entry: &mut Entry) -> Parsed<()> {
        if !(self.accept("VALUE") || self.accept("VALUES")) {
            return self.fail("VALUE");
        }
        let _ = self.accept("IS") || self.accept("ARE");
        while !self.at_period() && !self.at_end() {
            if self.is_word("WHEN") || self.is_word("FALSE") {
                self.accept("WHEN");
                self.accept("SET");
                self.accept("TO");
                self.expect("FALSE")?;
                self.accept("IS");
                entry.false_value = Some(self.value_literal()?);
                let goes_on = matches!(self.token().kind, TokenKind::Number(_) | TokenKind::Literal(_)) && !self.token().first_on_line;
                return if goes_on { self.fail("a period: FALSE has one value") } else { Ok(()) };
            }
            let low = self.value_literal()?;
            let high = if self.accept("THROUGH") || self.accept("THRU") { Some(self.value_literal()?) } else { None };
            entry.values.push(ValueRange { low, high });
            if self.token().first_on_line
                && matches!(&self.token().kind, TokenKind::Number(number) if matches!(&*number.text, "88" | "01" | "05" | "10"))
                && matches!(self.peek(1).kind, TokenKind::Word(_))
            {
                break;
            }
        }
        Ok(())
    }

    /// Everything that needs the whole data division.
    fn finish_data(&mut self) {
        self.lay_out();
        let unit = &mut self.unit;
        unit.division.make_indexes(&mut unit.program, &mut unit.names);
        unit.division.laid_out = unit.program.items.len();
        resolve::resolve(&unit.division, &mut unit.program, &unit.names, &mut self.report);
        image::fill(&unit.division, &mut unit.program, &mut self.report, &self.encoder);
        self.make_dynamic_items();
        self.finish_files();
        self.check_condition_names();
        self.define_registers();
    }

    /// Values of condition-names must fit their items' categories.
    fn check_condition_names(&mut self) {
        for condition in &self.unit.program.condition_names {
            let item = self.unit.program.item(condition.item);
            for range in &condition.values {
                let numeric_literal = matches!(range.low.value, LiteralValue::Numeric(_) | LiteralValue::Float(_));
                if item.is_numeric() && matches!(range.low.value, LiteralValue::Alphanumeric(_)) {
                    let message = format!(
                        "{}: an alphanumeric literal is the value of a condition on the numeric item {}",
                        condition.name, item.name
                    );
                    self.report.diagnostics.error("DS1008", range.low.span, message);
                } else if !item.is_numeric()
                    && numeric_literal
                    && item.category != Category::Group
                    && item.category != Category::NumericEdited
                {
                    let message =
                        format!("{}: a numeric literal is the value of a condition on the alphanumeric item {}", condition.name, item.name);
                    self.report.diagnostics.warning("DS1004", range.low.span, message);
                }
            }
        }
    }
}

/// Words that begin a clause of a data description entry.
fn starts_clause(word: &str) -> bool {
    matches!(
        word,
        "PIC"
            | "PICTURE"
            | "REDEFINES"
            | "RENAMES"
            | "OCCURS"
            | "VALUE"
            | "VALUES"
            | "USAGE"
            | "SIGN"
            | "LEADING"
            | "TRAILING"
            | "SYNC"
            | "SYNCHRONIZED"
            | "JUST"
            | "JUSTIFIED"
            | "BLANK"
            | "GLOBAL"
            | "EXTERNAL"
            | "GROUP-USAGE"
            | "IS"
            | "DISPLAY"
            | "DISPLAY-1"
            | "NATIONAL"
            | "UTF-8"
            | "DYNAMIC"
            | "BYTE-LENGTH"
            | "COMP"
            | "COMPUTATIONAL"
            | "COMP-1"
            | "COMP-2"
            | "COMP-3"
            | "COMP-4"
            | "COMP-5"
            | "COMPUTATIONAL-1"
            | "COMPUTATIONAL-2"
            | "COMPUTATIONAL-3"
            | "COMPUTATIONAL-4"
            | "COMPUTATIONAL-5"
            | "BINARY"
            | "PACKED-DECIMAL"
            | "INDEX"
            | "POINTER"
            | "POINTER-32"
            | "PROCEDURE-POINTER"
            | "FUNCTION-POINTER"
            | "OBJECT"
    )
}
