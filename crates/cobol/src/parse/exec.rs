//! EXEC CICS statements: arguments of the translated command as typed operands.

use super::Parser;
use super::cursor::Parsed;
use crate::diagnostics::meant;
use crate::exec_translate::{self, ExecCommand, ExecOption};
use crate::lexer::{ExecBlock, ExecLanguage, Token, TokenKind};
use crate::names::{Named, QualifiedName, Unresolved};
use crate::program::*;
use crate::report::Part;
use ::exec::{ArgumentKind, Direction, Numeric, OptionId, OptionSpec};

impl<'a> Parser<'a> {
    pub fn exec_statement(&mut self, block: &'a ExecBlock, span: Span) -> Parsed<StatementKind> {
        match &block.language {
            ExecLanguage::Cics => {
                let part = self.report.enter(Part::Command);
                let result = self.cics_statement(block, span);
                self.report.enter(part);
                result
            }
            ExecLanguage::Sql => self.sql_statement(block, span),
            ExecLanguage::Other(name) => self.fail_at(span, format!("EXEC {name} is not supported")),
        }
    }

    fn cics_statement(&mut self, block: &'a ExecBlock, span: Span) -> Parsed<StatementKind> {
        let Some(command) = exec_translate::translate(block, span, &mut self.report.diagnostics) else {
            return Err(super::Failed);
        };
        let mut arguments = Vec::with_capacity(command.options.len() + 2);
        let mut failed = false;
        for option in &command.options {
            match self.exec_argument(block, option) {
                Ok(value) => arguments.push(ExecArgument { option: option.spec.id, value }),
                Err(_) => failed = true,
            }
        }
        for (id, response) in [(::exec::option::RESP, &command.resp), (::exec::option::RESP2, &command.resp2)] {
            let Some(response) = response else { continue };
            match self.within(block, &response.argument, |parser| parser.integer_area("RESP", Numeric::Fullword, false)) {
                Ok(reference) => arguments.push(ExecArgument { option: id, value: ExecValue::IntegerOut(reference) }),
                Err(_) => failed = true,
            }
        }
        if failed {
            return Err(super::Failed);
        }
        self.supply_map_area(&command, &mut arguments)?;
        let flags = if command.handles_no_conditions() { ::exec::Block::NOHANDLE } else { 0 };
        Ok(StatementKind::ExecCics(Box::new(ExecCics { command: command.command, flags, arguments, text: (&*block.text).into() })))
    }

    /// SEND MAP without FROM and RECEIVE MAP without INTO name the symbolic map by the map's literal name and O or I, as the
    /// translator supplies them.
    fn supply_map_area(&mut self, command: &ExecCommand, arguments: &mut Vec<ExecArgument>) -> Parsed<()> {
        use ::exec::{command as commands, option};
        let (suffix, area, instead) = if command.command == commands::SEND_MAP {
            ('O', option::FROM, option::MAPONLY)
        } else if command.command == commands::RECEIVE_MAP {
            ('I', option::INTO, option::SET)
        } else {
            return Ok(());
        };
        if command.option(area).is_some() || command.option(instead).is_some() {
            return Ok(());
        }
        let Some([Token { kind: TokenKind::Literal(literal), span, .. }]) =
            command.option(option::MAP).and_then(|map| map.argument.as_deref())
        else {
            return Ok(());
        };
        let map = literal.text.trim_end().to_uppercase();
        let name = QualifiedName::simple(&format!("{map}{suffix}"), command.span);
        if let Err(Unresolved::Undefined) = self.unit.names.find(&self.unit.program, &name.name, &[]) {
            let near = meant(&map, self.symbolic_maps().into_iter());
            let text = format!("map {map} has no symbolic map in this program ({}){near}", name.name);
            self.report.unresolved_map(*span, text, format!("COPY of its mapset, {} or {}", area.name(), instead.name()));
            return Err(super::Failed);
        }
        let Named::Item(item) = self.resolve(&name)? else { return Err(super::Failed) };
        let reference = Reference::plain(item, command.span);
        let value = if suffix == 'I' { ExecValue::AreaOut(reference) } else { ExecValue::Area(Operand::Reference(reference)) };
        arguments.push(ExecArgument { option: area, value });
        Ok(())
    }

    /// The names of the maps whose symbolic maps the program has: data names in pairs, with I and O.
    fn symbolic_maps(&self) -> Vec<&str> {
        let data = &self.unit.names.data;
        let inputs = data.keys().filter_map(|name| name.strip_suffix('I'));
        inputs.filter(|map| data.contains_key(format!("{map}O").as_str())).collect()
    }

    /// Parses the tokens of an argument in place: the parenthesis after them ends them.
    fn within<T>(&mut self, block: &'a ExecBlock, argument: &[Token], parse: impl FnOnce(&mut Parser<'a>) -> Parsed<T>) -> Parsed<T> {
        let found = block.tokens.windows(argument.len()).position(|window| window == argument);
        let (Some(start), Some(first)) = (found, argument.first()) else {
            return Err(super::Failed);
        };
        let end = start + argument.len();
        if end >= block.tokens.len() {
            return self.fail_at(first.span, "this argument has no closing parenthesis");
        }
        let (tokens, at) = (std::mem::replace(&mut self.tokens, &block.tokens), std::mem::replace(&mut self.at, start));
        let result = parse(self);
        let stopped = self.at;
        let result = match result {
            Ok(_) if stopped < end => self.fail("')' or an operator"),
            other => other,
        };
        self.tokens = tokens;
        self.at = at;
        result
    }

    fn exec_argument(&mut self, block: &'a ExecBlock, option: &ExecOption) -> Parsed<ExecValue> {
        let Some(argument) = &option.argument else { return Ok(ExecValue::Flag) };
        let spec = option.spec;
        let longer = may_be_longer(spec);
        self.within(block, argument, |parser| match (spec.kind, spec.direction) {
            (ArgumentKind::Flag, _) => Ok(ExecValue::Flag),
            (ArgumentKind::Label, _) => {
                let procedure = parser.procedure_name()?;
                Ok(ExecValue::Label(parser.label(procedure)))
            }
            (ArgumentKind::PointerReference, Direction::Out | Direction::InOut) => parser.pointer_receiver().map(ExecValue::PointerOut),
            (ArgumentKind::PointerReference | ArgumentKind::PointerValue, _) => parser.pointer_value().map(ExecValue::Pointer),
            (_, Direction::In) if spec.numeric == Numeric::Pointer => parser.pointer_value().map(ExecValue::Pointer),
            (_, Direction::In | Direction::Flag) if spec.numeric.is_number() => {
                parser.integer_value(spec.name, spec.numeric, longer).map(ExecValue::Integer)
            }
            (_, Direction::Out) if spec.numeric == Numeric::Pointer => parser.pointer_receiver().map(ExecValue::PointerOut),
            (_, Direction::Out) if spec.numeric.is_number() => {
                parser.integer_area(spec.name, spec.numeric, longer).map(ExecValue::IntegerOut)
            }
            (_, Direction::InOut) if spec.numeric.is_number() => {
                // A constant length of an input-output option is input only.
                if parser.at_identifier() && !matches!(parser.word(), "DFHVALUE" | "DFHRESP") {
                    parser.integer_area(spec.name, spec.numeric, longer).map(ExecValue::IntegerInOut)
                } else {
                    parser.integer_value(spec.name, spec.numeric, longer).map(ExecValue::Integer)
                }
            }
            (_, Direction::InOut) if matches!(parser.token().kind, TokenKind::Literal(_)) => parser.area_value().map(ExecValue::Area),
            (_, Direction::Out | Direction::InOut) => parser.area_receiver(spec.id, spec.name),
            _ => parser.area_value().map(ExecValue::Area),
        })
    }

    /// A pointer item, ADDRESS OF a linkage item, or a 4-byte item of older programs.
    fn pointer_receiver(&mut self) -> Parsed<AddressTarget> {
        if self.accept("ADDRESS") {
            self.accept("OF");
            let reference = self.reference()?;
            return self.address_target(reference);
        }
        let reference = self.reference()?;
        self.check_pointer(&reference)?;
        Ok(AddressTarget::Item(reference))
    }

    fn check_pointer(&mut self, reference: &Reference) -> Parsed<()> {
        let item = self.item(reference.item);
        let binary = matches!(item.usage, Usage::Binary | Usage::NativeBinary) && item.length_max == 4;
        let fits = matches!(item.category, Category::Pointer | Category::FunctionPointer) || binary || item.length_max == 4;
        if fits {
            return Ok(());
        }
        let message = format!("{} is not a pointer", item.name);
        self.fail_at(reference.span, message)
    }

    fn pointer_value(&mut self) -> Parsed<Operand> {
        let span = self.span();
        let operand = self.operand()?;
        match &operand {
            Operand::Reference(reference) => {
                let reference = reference.clone();
                self.check_pointer(&reference)?;
            }
            Operand::AddressOf(_) | Operand::Figurative(Figurative::Null, _) => {}
            _ => return self.fail_at(span, "a pointer or ADDRESS OF is needed here"),
        }
        Ok(operand)
    }

    /// A number: item, literal, DFHVALUE, LENGTH OF, expression.
    fn integer_value(&mut self, option: &str, numeric: Numeric, longer: bool) -> Parsed<Operand> {
        let span = self.span();
        let operand = self.general_operand()?;
        if let Operand::Reference(reference) = &operand
            && self.is_binary_area(option, reference, numeric, longer)
        {
            return Ok(operand);
        }
        if self.numeric_type(&operand).is_none() {
            let message = match &operand {
                Operand::Reference(reference) => self.no_number(option, reference, numeric, longer),
                _ => format!("{option} needs a numeric argument"),
            };
            return self.fail_at(span, message);
        }
        Ok(self.typed(operand, 0))
    }

    /// A receiving number.
    fn integer_area(&mut self, option: &str, numeric: Numeric, longer: bool) -> Parsed<Reference> {
        let reference = self.reference()?;
        let item = self.item(reference.item);
        let fits = matches!(item.category, Category::Numeric | Category::Index) && reference.modification.is_none();
        if fits || self.is_binary_area(option, &reference, numeric, longer) {
            return Ok(reference);
        }
        let message = self.no_number(option, &reference, numeric, longer);
        self.fail_at(reference.span, message)
    }

    /// A group or alphanumeric item of exactly the length of the documented form is treated as that form. Of a `longer` one, where that is
    /// allowed, the first bytes are: the address is all that the command gets.
    fn is_binary_area(&mut self, option: &str, reference: &Reference, numeric: Numeric, longer: bool) -> bool {
        let item = self.item(reference.item);
        let width = numeric.width_bytes();
        if item.category == Category::Pointer && width == 4 {
            return true;
        }
        let bytes = matches!(item.category, Category::Group | Category::Alphanumeric) && reference.modification.is_none();
        if bytes && longer && item.length.is_fixed() && item.length_max > width {
            let (name, length) = (item.name.clone(), item.length_max);
            let text = format!("{option} is {width} bytes of packed decimal: the first {width} of the {length} bytes of {name} are used");
            self.report.warning(reference.span, text);
            return true;
        }
        bytes && item.length_max == width
    }

    /// Why an item is not the number that an option needs.
    fn no_number(&self, option: &str, reference: &Reference, numeric: Numeric, longer: bool) -> String {
        let item = self.item(reference.item);
        let category = super::expression::category_name(item.category);
        if longer && reference.modification.is_none() && item.length_max < numeric.width_bytes() {
            let (width, length) = (numeric.width_bytes(), item.length_max);
            return format!("{option} needs {width} bytes of packed decimal; {} is {category} and has {length}", item.name);
        }
        format!("{option} needs a numeric data item; {} is {category}", item.name)
    }

    /// An area that the command fills.
    fn area_receiver(&mut self, _id: OptionId, _name: &str) -> Parsed<ExecValue> {
        if self.is_word("ADDRESS") {
            // ADDRESS OF a linkage item if the option returns an address.
            return self.pointer_receiver().map(ExecValue::PointerOut);
        }
        let mut reference = self.reference()?;
        reference.maximum_length = true;
        Ok(ExecValue::AreaOut(reference))
    }

    /// An area or name: an item or an alphanumeric literal.
    fn area_value(&mut self) -> Parsed<Operand> {
        let span = self.span();
        if matches!(self.token().kind, TokenKind::Number(_)) {
            // A number where CICS expects characters: its digits.
            if let TokenKind::Number(number) = &self.token().kind {
                let bytes = self.encoder.text(&number.text);
                self.advance();
                return Ok(Operand::Literal(Literal { value: LiteralValue::Alphanumeric(bytes.into()), span }));
            }
        }
        let operand = self.operand()?;
        match &operand {
            Operand::Reference(_) => Ok(operand),
            Operand::Literal(literal) if !matches!(literal.value, LiteralValue::Numeric(_) | LiteralValue::Float(_)) => Ok(operand),
            Operand::Function(call) if matches!(call.result, FunctionResult::Alphanumeric { .. }) => Ok(operand),
            _ => self.fail_at(span, "a data item or an alphanumeric literal is needed here"),
        }
    }
}

/// Whether a longer area may stand for the number of an option: CICS knows no more of a packed decimal data area than its address. A binary
/// number is refused: an area longer than that is one of characters by mistake.
fn may_be_longer(spec: &OptionSpec) -> bool {
    spec.kind == ArgumentKind::DataArea && matches!(spec.numeric, Numeric::Abstime | Numeric::Hhmmss | Numeric::TaskNumber)
}
