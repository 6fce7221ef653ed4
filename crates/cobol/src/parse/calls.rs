//! CALL, CANCEL, ENTRY, ALLOCATE, FREE, ACCEPT, DISPLAY.

use super::Parser;
use super::cursor::Parsed;
use crate::lexer::TokenKind;
use crate::names::{Device, Special};
use crate::program::*;

impl Parser<'_> {
    pub fn call_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let target = self.call_target()?;
        let mut arguments = Vec::new();
        if self.accept("USING") {
            arguments = self.call_arguments()?;
        }
        let returning = if self.accept("RETURNING") || self.accept("GIVING") {
            if self.accept("ADDRESS") {
                self.accept("OF");
                let reference = self.reference()?;
                Some(CallReturning::Address(self.address_target(reference)?))
            } else {
                Some(CallReturning::Item(self.reference()?))
            }
        } else {
            None
        };
        let (on_exception, not_on_exception) = self.phrases(&[&["EXCEPTION"], &["OVERFLOW"]]);
        self.end_scope("END-CALL");
        Ok(StatementKind::Call(Box::new(Call { target, arguments, returning, on_exception, not_on_exception })))
    }

    fn call_target(&mut self) -> Parsed<CallTarget> {
        let span = self.span();
        if let TokenKind::Literal(literal) = &self.token().kind {
            let written = literal.text.trim_end().to_string();
            self.advance();
            if written.is_empty() {
                return self.fail_at(span, "the name of a program is empty");
            }
            let contained = self.options.program_names.contained(&written);
            if let Some(contained) = self.contained_program(&contained) {
                return Ok(contained);
            }
            let called = self.called_name(&written);
            if let Some(why) = le::callable::refused::why(&called) {
                self.report.warning(span, format!("CALL '{called}': this callable service of Language Environment is refused: {why}"));
            }
            return Ok(CallTarget::Literal(called));
        }
        let reference = self.reference()?;
        let item = self.item(reference.item);
        match item.category {
            Category::ProcedurePointer | Category::FunctionPointer => Ok(CallTarget::Pointer(reference)),
            Category::Alphanumeric | Category::Alphabetic | Category::Group | Category::AlphanumericEdited => {
                Ok(CallTarget::Name(reference))
            }
            Category::Numeric if item.usage == Usage::Display && item.scale == 0 => Ok(CallTarget::Name(reference)),
            _ => {
                let message = format!("CALL {}: it must be alphanumeric or a procedure-pointer", item.name);
                self.fail_at(span, message)
            }
        }
    }

    /// PGMNAME has no say in dynamic calls.
    fn called_name(&self, written: &str) -> Box<str> {
        let name = if self.options.dynam { le::program_name::compatible(written) } else { self.options.program_names.external(written) };
        name.into()
    }

    /// A program contained in this one, or a COMMON one contained in a containing program.
    fn contained_program(&self, name: &str) -> Option<CallTarget> {
        let find = |unit: &super::Unit| unit.contained.iter().position(|contained| **contained == *name);
        if let Some(index) = find(&self.unit) {
            return Some(CallTarget::Nested { levels: 0, path: vec![index as u32] });
        }
        for (levels, outer) in self.outer.iter().rev().enumerate() {
            if let Some(index) = find(outer)
                && outer.contained_common.get(index) == Some(&true)
            {
                return Some(CallTarget::Nested { levels: levels as u32 + 1, path: vec![index as u32] });
            }
        }
        None
    }

    fn call_arguments(&mut self) -> Parsed<Vec<CallArgument>> {
        let mut arguments = Vec::new();
        let mut mode = CallMode::Reference;
        loop {
            let by = self.accept("BY");
            match self.word() {
                "REFERENCE" => mode = CallMode::Reference,
                "CONTENT" => mode = CallMode::Content,
                "VALUE" => mode = CallMode::Value,
                "OMITTED" => {
                    let value = Operand::Figurative(Figurative::Null, self.span());
                    arguments.push(CallArgument { mode: CallMode::Omitted, value });
                    self.advance();
                    continue;
                }
                _ if by => return self.fail("REFERENCE, CONTENT or VALUE"),
                _ if !self.at_operand() => return Ok(arguments),
                _ => {
                    let argument = self.call_argument(mode)?;
                    arguments.push(argument);
                    continue;
                }
            }
            self.advance();
        }
    }

    fn call_argument(&mut self, mode: CallMode) -> Parsed<CallArgument> {
        let span = self.span();
        // A file name may be passed to an assembler program; it is not supported here.
        let value = self.operand()?;
        let constant = !matches!(value, Operand::Reference(_));
        // A literal or LENGTH OF BY REFERENCE is passed as a copy (an extension of IBM's); ADDRESS OF keeps its meaning.
        let mode =
            if mode == CallMode::Reference && constant && !matches!(value, Operand::AddressOf(_)) { CallMode::Content } else { mode };
        if mode == CallMode::Value
            && let Operand::Reference(reference) = &value
        {
            let item = self.item(reference.item);
            let fits = matches!(
                item.category,
                Category::Numeric
                    | Category::InternalFloat
                    | Category::Pointer
                    | Category::ProcedurePointer
                    | Category::FunctionPointer
                    | Category::Index
            ) || item.length_max == 1
                || item.length_max == 2 && item.usage == Usage::National;
            if !fits {
                let message = format!("{} cannot be passed BY VALUE", item.name);
                self.report.severe(span, message);
            }
        }
        Ok(CallArgument { mode, value })
    }

    pub fn cancel_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut names = Vec::new();
        while matches!(self.token().kind, TokenKind::Literal(_)) || self.at_identifier() {
            if let TokenKind::Literal(literal) = &self.token().kind {
                let (written, span) = (literal.text.trim_end().to_string(), self.span());
                let contained = self.options.program_names.contained(&written);
                let is_contained = self.contained_program(&contained).is_some();
                let name = if is_contained { contained } else { self.called_name(&written).into() };
                let bytes = self.encoder.text(&name);
                self.advance();
                names.push(Operand::Literal(Literal { value: LiteralValue::Alphanumeric(bytes.into()), span }));
            } else {
                names.push(Operand::Reference(self.reference()?));
            }
        }
        if names.is_empty() { self.fail("a program name") } else { Ok(StatementKind::Cancel(names)) }
    }

    pub fn entry_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        let TokenKind::Literal(literal) = &self.token().kind else { return self.fail("the name of the entry point as a literal") };
        let name: Box<str> = self.options.program_names.external(literal.text.trim_end()).into();
        self.advance();
        let parameters = if self.accept("USING") { self.parameters()? } else { Vec::new() };
        let id = EntryId(self.unit.program.entries.len() as u32);
        let label = self.add_label(Label::Entry(id));
        self.unit.program.entries.push(Entry { name, parameters, label, is_service_label: false, span });
        Ok(StatementKind::Entry(id))
    }

    /// SERVICE LABEL, where CEEMRCE resumes the program; SERVICE RELOAD has no effect.
    pub fn service_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        if !self.accept("LABEL") {
            self.accept("RELOAD");
            self.user_word();
            return Ok(StatementKind::Continue);
        }
        let id = EntryId(self.unit.program.entries.len() as u32);
        let label = self.add_label(Label::Entry(id));
        self.unit.program.entries.push(Entry { name: "".into(), parameters: Vec::new(), label, is_service_label: true, span });
        Ok(StatementKind::Entry(id))
    }

    pub fn allocate_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        let mut allocate =
            Allocate { characters: None, item: None, initialized: false, location_31: true, returning: None, initialize: Vec::new() };
        let operand = self.general_operand()?;
        if self.accept("CHARACTERS") {
            let mut characters = self.numeric(operand)?;
            crate::check::precision::assign(&mut characters, 0, &self.options);
            allocate.characters = Some(characters);
        } else {
            let Operand::Reference(reference) = operand else { return self.fail("CHARACTERS") };
            self.address_target(reference.clone())?;
            allocate.item = Some(reference.item);
        }
        allocate.initialized = self.accept("INITIALIZED");
        if self.accept("LOC") {
            allocate.location_31 = self.expect_integer("24 or 31")? != 24;
        }
        if self.accept("RETURNING") {
            let reference = self.reference()?;
            if self.item(reference.item).category != Category::Pointer {
                self.report.severe(reference.span, "ALLOCATE RETURNING needs a pointer");
            }
            allocate.returning = Some(AddressTarget::Item(reference));
        } else if allocate.characters.is_some() {
            self.report.severe(span, "ALLOCATE CHARACTERS needs RETURNING");
        }
        if let (Some(item), true) = (allocate.item, allocate.initialized) {
            allocate.initialize = self.default_initialization(&Reference::plain(item, span));
        }
        Ok(StatementKind::Allocate(Box::new(allocate)))
    }

    pub fn free_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut targets = Vec::new();
        loop {
            if self.accept("ADDRESS") {
                self.accept("OF");
                let reference = self.reference()?;
                targets.push(self.address_target(reference)?);
            } else if self.at_identifier() {
                let reference = self.reference()?;
                if self.item(reference.item).category == Category::Pointer {
                    targets.push(AddressTarget::Item(reference));
                } else {
                    targets.push(self.address_target(reference)?);
                }
            } else {
                break;
            }
        }
        if targets.is_empty() { self.fail("a pointer") } else { Ok(StatementKind::Free(targets)) }
    }

    pub fn accept_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let into = self.reference()?;
        if self.item(into.item).usage == Usage::Utf8 {
            let message = format!("{} is of usage UTF-8, which ACCEPT does not support", self.item(into.item).name);
            self.report.severe(into.span, message);
        }
        let mut from = AcceptSource::Device { console: false };
        if self.accept("FROM") {
            from = match self.word() {
                "DATE" => {
                    self.advance();
                    AcceptSource::Date { four_digit_year: self.accept("YYYYMMDD") }
                }
                "DAY" => {
                    self.advance();
                    AcceptSource::Day { four_digit_year: self.accept("YYYYDDD") }
                }
                word => {
                    let source = match word {
                        "DAY-OF-WEEK" => AcceptSource::DayOfWeek,
                        "TIME" => AcceptSource::Time,
                        "SYSIN" | "SYSIPT" => AcceptSource::Device { console: false },
                        "CONSOLE" => AcceptSource::Device { console: true },
                        "COMMAND-LINE" => AcceptSource::CommandLine,
                        "ENVIRONMENT-VALUE" => AcceptSource::EnvironmentValue,
                        other => match self.unit.names.special.get(other) {
                            Some(Special::Device(Device::Input)) => AcceptSource::Device { console: false },
                            Some(Special::Device(Device::Console)) => AcceptSource::Device { console: true },
                            Some(Special::Device(Device::CommandLine | Device::Arguments)) => AcceptSource::CommandLine,
                            Some(Special::Device(Device::EnvironmentValue)) => AcceptSource::EnvironmentValue,
                            _ => return self.fail("DATE, DAY, DAY-OF-WEEK, TIME or a mnemonic-name"),
                        },
                    };
                    self.advance();
                    source
                }
            };
        }
        self.end_scope("END-ACCEPT");
        Ok(StatementKind::Accept(Box::new(Accept { into, from })))
    }

    pub fn display_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut display = Display { values: Vec::new(), upon: DisplayTarget::SystemOutput, no_advancing: false };
        while self.at_operand() {
            let value = self.operand()?;
            self.check_displayed(&value);
            display.values.push(value);
        }
        if display.values.is_empty() {
            return self.fail("an identifier or a literal");
        }
        loop {
            if self.accept("UPON") {
                display.upon = self.display_target()?;
            } else if self.is_word("NO") || (self.is_word("WITH") && self.peek_word(1) == "NO") {
                self.accept("WITH");
                self.accept("NO");
                self.accept("ADVANCING");
                display.no_advancing = true;
            } else {
                break;
            }
        }
        self.end_scope("END-DISPLAY");
        Ok(StatementKind::Display(Box::new(display)))
    }

    fn check_displayed(&mut self, value: &Operand) {
        if let Operand::Reference(reference) = value {
            let item = self.item(reference.item);
            if item.category == Category::Index && self.is_index_name(reference.item) {
                let message = format!("{} is an index-name and cannot be displayed", item.name);
                self.report.error(reference.span, message);
            }
        }
    }

    fn display_target(&mut self) -> Parsed<DisplayTarget> {
        let target = match self.word() {
            "SYSOUT" | "SYSLST" | "SYSLIST" => DisplayTarget::SystemOutput,
            "CONSOLE" => DisplayTarget::Console,
            "SYSPUNCH" | "SYSPCH" => DisplayTarget::Punch,
            "ENVIRONMENT-NAME" => DisplayTarget::EnvironmentName,
            "ENVIRONMENT-VALUE" => DisplayTarget::EnvironmentValue,
            word => match self.unit.names.special.get(word) {
                Some(Special::Device(Device::Output)) => DisplayTarget::SystemOutput,
                Some(Special::Device(Device::Console)) => DisplayTarget::Console,
                Some(Special::Device(Device::Punch)) => DisplayTarget::Punch,
                Some(Special::Device(Device::EnvironmentName)) => DisplayTarget::EnvironmentName,
                Some(Special::Device(Device::EnvironmentValue)) => DisplayTarget::EnvironmentValue,
                _ => return self.fail("a mnemonic-name for output"),
            },
        };
        self.advance();
        Ok(target)
    }
}
