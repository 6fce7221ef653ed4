//! Identifiers and operands: qualification, subscripts, reference modification, special registers.

use super::cursor::{Failed, Parsed};
use super::{Parser, words};
use crate::data::tree::blank_item;
use crate::diagnostics::meant;
use crate::lexer::TokenKind;
use crate::names::{Named, QualifiedName, Unresolved};
use crate::program::*;
use le::calendar::LocalTime;

/// The meaning of an identifier.
pub enum Noun {
    Item(Reference),
    /// A condition-name; its subscripts are those of the conditional item.
    Condition(ConditionNameId, Reference),
    File(FileId),
}

impl Parser<'_> {
    pub fn item(&self, id: ItemId) -> &Item {
        self.unit.program.item(id)
    }

    /// A data item as a receiver or sender.
    pub fn reference(&mut self) -> Parsed<Reference> {
        let span = self.span();
        match self.noun()? {
            Noun::Item(reference) => Ok(reference),
            Noun::Condition(condition, _) => {
                let name = self.unit.program.condition_names[condition.0 as usize].name.clone();
                self.fail_at(span, format!("{name} is a condition-name; a data item is needed here"))
            }
            Noun::File(file) => {
                let name = self.unit.program.file(file).name.clone();
                self.fail_at(span, format!("{name} is a file; a data item is needed here"))
            }
        }
    }

    /// Whether an identifier could begin here.
    pub fn at_identifier(&self) -> bool {
        match &self.token().kind {
            TokenKind::Word(word) => !words::is_reserved(word) || matches!(&**word, "LINAGE-COUNTER"),
            _ => false,
        }
    }

    /// Whether an operand (identifier, literal, figurative constant, function ...) could begin here.
    pub fn at_operand(&self) -> bool {
        match &self.token().kind {
            TokenKind::Word(word) => {
                !words::is_reserved(word)
                    || matches!(
                        &**word,
                        "ZERO"
                            | "ZEROS"
                            | "ZEROES"
                            | "SPACE"
                            | "SPACES"
                            | "HIGH-VALUE"
                            | "HIGH-VALUES"
                            | "LOW-VALUE"
                            | "LOW-VALUES"
                            | "QUOTE"
                            | "QUOTES"
                            | "NULL"
                            | "NULLS"
                            | "ALL"
                            | "FUNCTION"
                            | "LENGTH"
                            | "ADDRESS"
                            | "LINAGE-COUNTER"
                    )
            }
            TokenKind::Literal(_) | TokenKind::Number(_) => true,
            TokenKind::Plus | TokenKind::Minus => matches!(self.peek(1).kind, TokenKind::Number(_)) && !self.peek(1).spaced,
            _ => false,
        }
    }

    /// An identifier: name, qualifiers, subscripts, reference modification.
    pub fn noun(&mut self) -> Parsed<Noun> {
        if self.is_word("LINAGE-COUNTER") {
            return self.linage_counter_reference().map(Noun::Item);
        }
        let name = self.qualified_name()?;
        let span = name.span;
        match self.resolve(&name)? {
            Named::File(file) => Ok(Noun::File(file)),
            Named::Item(item) => {
                let reference = self.with_subscripts(item, span)?;
                self.unit.debugging.mention(&reference);
                Ok(Noun::Item(reference))
            }
            Named::Condition(condition) => {
                let item = self.unit.program.condition_names[condition.0 as usize].item;
                let reference = self.with_subscripts(item, span)?;
                Ok(Noun::Condition(condition, reference))
            }
        }
    }

    fn linage_counter_reference(&mut self) -> Parsed<Reference> {
        let span = self.span();
        self.advance();
        let file = if self.accept("OF") || self.accept("IN") {
            let (name, span) = self.expect_user_word("a file name")?;
            match self.unit.names.find_file(name) {
                Some(file) => Some(file),
                None => return self.fail_at(span, format!("{name} is not a file")),
            }
        } else {
            None
        };
        let found = self.unit.program.files.iter().enumerate().find_map(|(index, candidate)| {
            let counter = candidate.linage.as_ref()?.counter;
            (file.is_none() || file == Some(FileId(index as u32))).then_some(counter)
        });
        match found {
            Some(counter) => Ok(Reference::plain(counter, span)),
            None => self.fail_at(span, "LINAGE-COUNTER needs a file with LINAGE"),
        }
    }

    /// Finds the meaning of a name; reports it once if it is not defined.
    pub fn resolve(&mut self, name: &QualifiedName) -> Parsed<Named> {
        match self.unit.names.find(&self.unit.program, &name.name, &name.qualifiers) {
            Ok(named) => {
                if let Named::Item(item) = named {
                    self.unit.program.items[item.0 as usize].referenced = true;
                }
                Ok(named)
            }
            Err(Unresolved::Undefined) if name.qualifiers.is_empty() => match self.register(&name.name) {
                Some(item) => Ok(Named::Item(item)),
                None => self.undefined(name),
            },
            Err(Unresolved::Undefined) => self.undefined(name),
            Err(Unresolved::Unqualified) => {
                let message = format!("{} is not defined: {} exists, but not under these qualifiers", name.text(), name.name);
                self.report.unresolved(name.span, message);
                Err(Failed)
            }
            Err(Unresolved::Ambiguous(items)) => {
                if self.unit.reported.insert(format!("\u{1}{}", name.text()).into()) {
                    let message = format!("{} is not unique; it needs qualification", name.text());
                    match items.as_slice() {
                        [first, ..] => {
                            let other = self.item(*first).span;
                            self.report.related(name.span, message, other, "one of them");
                        }
                        [] => self.report.severe(name.span, message),
                    }
                }
                Err(Failed)
            }
        }
    }

    fn undefined(&mut self, name: &QualifiedName) -> Parsed<Named> {
        let text = name.text();
        if self.unit.reported.insert(text.as_str().into()) {
            let message = match text.as_str() {
                "JNIENVPTR" => "object-oriented COBOL (JNIENVPTR) is not supported".to_string(),
                _ => format!("{text} is not defined{}", meant(&name.name, self.unit.names.data.keys().map(|known| &**known))),
            };
            self.report.unresolved(name.span, message);
        }
        // The text after the name belongs to it.
        if self.is(&TokenKind::LeftParenthesis)
            && let Some(close) = self.matching_parenthesis(self.at)
        {
            self.at = close;
            self.advance();
        }
        Err(Failed)
    }

    /// Subscripts and reference modification that follow an item's name.
    fn with_subscripts(&mut self, item: ItemId, span: Span) -> Parsed<Reference> {
        let mut reference = Reference::plain(item, span);
        let dimensions = self.item(item).dimensions.len();
        if self.is(&TokenKind::LeftParenthesis) && !self.is_modification() {
            if dimensions == 0 && self.in_list && self.token().spaced {
                // In a list of arguments the parenthesis begins the next one.
                return Ok(reference);
            }
            if dimensions == 0 {
                let message = format!("{} is not a table element, so it takes no subscripts", self.item(item).name);
                self.report.severe(self.span(), message);
                if let Some(close) = self.matching_parenthesis(self.at) {
                    self.at = close;
                    self.advance();
                }
                return Err(Failed);
            }
            reference.subscripts = self.subscripts(item, dimensions)?;
        }
        if reference.subscripts.len() < dimensions && !self.subscripts_optional {
            let s = if dimensions == 1 { "" } else { "s" };
            let message = format!("{} needs {dimensions} subscript{s}: {}", self.item(item).name, self.occurrences(item));
            return self.fail_at(span, message);
        }
        if self.is(&TokenKind::LeftParenthesis) && self.is_modification() {
            reference.modification = Some(Box::new(self.modification(Some(item))?));
        }
        Ok(reference)
    }

    /// The parenthesis at hand contains a colon at its own level: reference modification.
    pub fn is_modification(&self) -> bool {
        let mut depth = 0_u32;
        for token in &self.tokens[self.at..] {
            match token.kind {
                TokenKind::LeftParenthesis => depth += 1,
                TokenKind::RightParenthesis => {
                    depth -= 1;
                    if depth == 0 {
                        return false;
                    }
                }
                TokenKind::Colon if depth == 1 => return true,
                TokenKind::Period | TokenKind::EndOfSource => return false,
                _ => {}
            }
        }
        false
    }

    fn subscripts(&mut self, item: ItemId, dimensions: usize) -> Parsed<Vec<Subscript>> {
        let open = self.span();
        self.expect_kind(&TokenKind::LeftParenthesis)?;
        let mut subscripts = Vec::with_capacity(dimensions);
        while !self.is(&TokenKind::RightParenthesis) {
            if self.accept("ALL") {
                subscripts.push(Subscript::All);
                continue;
            }
            let more_needed = subscripts.len() + 1 < dimensions;
            let span = self.span();
            let expression = self.subscript_expression(more_needed)?;
            let subscript = self.subscript(expression, span)?;
            subscripts.push(subscript);
        }
        self.expect_kind(&TokenKind::RightParenthesis)?;
        if subscripts.len() != dimensions {
            let (name, given) = (&self.item(item).name, subscripts.len());
            let message = format!("{name} needs {dimensions} subscripts, not {given}: {}", self.occurrences(item));
            return self.fail_at(open, message);
        }
        for (position, subscript) in subscripts.iter().enumerate() {
            let Subscript::Literal(number) = subscript else { continue };
            let table = self.item(item).dimensions[position];
            let most = self.item(table).occurs.as_ref().map_or(u32::MAX, |occurs| occurs.max);
            if *number == 0 || *number > most {
                let message = format!("subscript {number} is outside 1 to {most}, the occurrences of {}", self.item(table).name);
                self.report.severe(open, message);
            }
        }
        Ok(subscripts)
    }

    /// The tables an item is in, outermost first: `ROW OCCURS 10, COL OCCURS 3`.
    fn occurrences(&self, item: ItemId) -> String {
        let table = |table: &ItemId| {
            let table = self.item(*table);
            let most = table.occurs.as_ref().map_or(u32::MAX, |occurs| occurs.max);
            format!("{} OCCURS {most}", table.name)
        };
        self.item(item).dimensions.iter().map(table).collect::<Vec<_>>().join(", ")
    }

    /// Gives a subscript its simplest form.
    fn subscript(&mut self, expression: Expression, span: Span) -> Parsed<Subscript> {
        let whole = |expression: &Expression| match &expression.kind {
            ExpressionKind::Number(Number { value, scale: 0, .. }) => i32::try_from(*value).ok(),
            _ => None,
        };
        match &expression.kind {
            ExpressionKind::Number(number) if number.scale == 0 => {
                return match u32::try_from(number.value) {
                    Ok(value) => Ok(Subscript::Literal(value)),
                    Err(_) => self.fail_at(span, "a subscript must be a positive integer"),
                };
            }
            ExpressionKind::Reference(reference) => return Ok(self.item_subscript(reference.clone(), 0)),
            ExpressionKind::Binary { operator: Operator::Add, left, right } => {
                if let (ExpressionKind::Reference(reference), Some(plus)) = (&left.kind, whole(right)) {
                    return Ok(self.item_subscript(reference.clone(), plus));
                }
            }
            ExpressionKind::Binary { operator: Operator::Subtract, left, right } => {
                if let (ExpressionKind::Reference(reference), Some(plus)) = (&left.kind, whole(right)) {
                    return Ok(self.item_subscript(reference.clone(), plus.saturating_neg()));
                }
            }
            _ => {}
        }
        Ok(Subscript::Expression(Box::new(expression)))
    }

    fn item_subscript(&mut self, reference: Reference, plus: i32) -> Subscript {
        let item = self.item(reference.item);
        if item.category == Category::Index && reference.is_plain() && item.parent.is_none() && self.is_index_name(reference.item) {
            return Subscript::Index { index: reference.item, plus };
        }
        if item.category == Category::Numeric && item.scale > 0 {
            let message = format!("the subscript {} is not an integer item", item.name);
            self.report.severe(reference.span, message);
        }
        Subscript::Item { reference: Box::new(reference), plus }
    }

    /// The item is an index-name, not an item of usage INDEX.
    pub fn is_index_name(&self, item: ItemId) -> bool {
        let item = self.item(item);
        item.category == Category::Index && self.is_index_base(item.base)
    }

    fn is_index_base(&self, base: BaseId) -> bool {
        match self.unit.program.base(base).kind {
            BaseKind::Indexes => true,
            BaseKind::Outer { levels, base } => {
                let outer = self.outer.len().checked_sub(levels as usize).and_then(|at| self.outer.get(at));
                outer.is_some_and(|outer| outer.program.base(base).kind == BaseKind::Indexes)
            }
            _ => false,
        }
    }

    /// `(start : length)`.
    pub fn modification(&mut self, item: Option<ItemId>) -> Parsed<Modification> {
        let span = self.span();
        self.expect_kind(&TokenKind::LeftParenthesis)?;
        let start = self.arithmetic_expression()?;
        self.expect_kind(&TokenKind::Colon)?;
        let length = if self.is(&TokenKind::RightParenthesis) { None } else { Some(self.arithmetic_expression()?) };
        self.expect_kind(&TokenKind::RightParenthesis)?;
        if let Some(item) = item {
            self.check_modification(item, &start, length.as_ref(), span);
        }
        Ok(Modification { start, length })
    }

    fn check_modification(&mut self, item: ItemId, start: &Expression, length: Option<&Expression>, span: Span) {
        let described = self.item(item);
        let name = described.name.clone();
        let characters = match described.usage {
            Usage::National | Usage::Display1 => described.length_max / 2,
            Usage::Utf8 if described.characters > 0 => described.characters,
            _ => described.length_max,
        };
        let display = matches!(described.usage, Usage::Display | Usage::National | Usage::Utf8 | Usage::Display1 | Usage::Group);
        if !display {
            self.report.severe(span, format!("{name} is not of usage DISPLAY or NATIONAL, so it cannot be reference-modified"));
            return;
        }
        let constant = |expression: &Expression| match expression.kind {
            ExpressionKind::Number(number) if number.scale == 0 => Some(number.value),
            _ => None,
        };
        let first = constant(start);
        let count = length.and_then(constant);
        if first.is_some_and(|first| first < 1 || first > i128::from(characters)) {
            self.report.severe(span, format!("reference modification of {name} starts outside 1 to {characters}"));
        } else if count.is_some_and(|count| count < 1) {
            self.report.severe(span, format!("reference modification of {name} has a length less than 1"));
        } else if let (Some(first), Some(count)) = (first, count)
            && first + count - 1 > i128::from(characters)
        {
            self.report.severe(span, format!("reference modification of {name} goes past its end ({characters})"));
        }
    }

    /// Any operand.
    pub fn operand(&mut self) -> Parsed<Operand> {
        let span = self.span();
        match self.word() {
            "ADDRESS" => {
                self.advance();
                self.accept("OF");
                let reference = self.reference()?;
                return Ok(Operand::AddressOf(Box::new(reference)));
            }
            "LENGTH" if matches!(self.peek(1).kind, TokenKind::LeftParenthesis) && self.is_function_name("LENGTH") => {
                return self.function_operand();
            }
            "LENGTH" => {
                let expression = self.length_of()?;
                return Ok(as_operand(expression));
            }
            "FUNCTION" => return self.function_operand(),
            word if self.is_function_name(word) && !self.unit.names.data.contains_key(word) => return self.function_operand(),
            "DFHRESP" | "DFHVALUE" => {
                if let Some(literal) = self.cics_number() {
                    return literal.map(Operand::Literal);
                }
            }
            _ => {}
        }
        if let Some(figurative) = self.figurative() {
            return Ok(Operand::Figurative(figurative, span));
        }
        if let Some(literal) = self.literal() {
            return Ok(Operand::Literal(literal));
        }
        if self.at_identifier() {
            return self.reference().map(Operand::Reference);
        }
        self.fail("an identifier or a literal")
    }

    /// LENGTH OF item or literal: a constant unless the length varies.
    pub fn length_of(&mut self) -> Parsed<Expression> {
        let span = self.span();
        self.expect("LENGTH")?;
        self.accept("OF");
        if let Some(literal) = self.literal() {
            let length = match &literal.value {
                LiteralValue::Alphanumeric(bytes)
                | LiteralValue::National(bytes)
                | LiteralValue::Dbcs(bytes)
                | LiteralValue::Utf8(bytes) => bytes.len(),
                LiteralValue::Numeric(number) => usize::from(number.digits),
                _ => 0,
            };
            return Ok(number_expression(length as i128, 9, span));
        }
        // The element of a table may be named without subscripts here.
        let optional = std::mem::replace(&mut self.subscripts_optional, true);
        let reference = self.reference();
        self.subscripts_optional = optional;
        let reference = reference?;
        Ok(self.length_expression(reference, span))
    }

    /// The length of a reference as an expression.
    fn length_expression(&self, reference: Reference, span: Span) -> Expression {
        let item = self.item(reference.item);
        match &reference.modification {
            None if item.length.is_fixed() => number_expression(i128::from(item.length.fixed), 9, span),
            Some(modification) if matches!(&modification.length, Some(length) if matches!(length.kind, ExpressionKind::Number(_))) => {
                modification.length.clone().unwrap_or_else(|| number_expression(1, 9, span))
            }
            _ => Expression {
                kind: ExpressionKind::LengthOf(Box::new(reference)),
                numeric: NumericType::Fixed { digits: 9, scale: 0, truncated: false },
                span,
            },
        }
    }

    /// DFHRESP(condition) and DFHVALUE(cvda): numbers supplied by the CICS translator.
    pub fn cics_number(&mut self) -> Option<Parsed<Literal>> {
        let is_response = match self.word() {
            "DFHRESP" => true,
            "DFHVALUE" => false,
            _ => return None,
        };
        let span = self.span();
        if !matches!(self.peek(1).kind, TokenKind::LeftParenthesis) {
            return None;
        }
        self.advance();
        self.advance();
        let (name, name_span) = (self.word(), self.span());
        self.advance();
        if !self.accept_kind(&TokenKind::RightParenthesis) {
            return Some(self.fail("')'"));
        }
        let value = if is_response { response_number(name) } else { exec::dfhvalue(name).map(i128::from) };
        match value {
            Some(value) => {
                let digits = value.unsigned_abs().to_string().len() as u8;
                Some(Ok(Literal { value: LiteralValue::Numeric(Number::integer(value, digits)), span }))
            }
            None => {
                let message = match is_response {
                    true => format!("{name} is not a CICS condition{}", meant(name, exec::condition_names())),
                    false => format!("{name} is not a CICS value (CVDA){}", meant(name, exec::cvda::names())),
                };
                Some(self.fail_at(name_span, message))
            }
        }
    }

    /// The special register of that name, made when first used.
    pub fn register(&mut self, name: &str) -> Option<ItemId> {
        let present = {
            let registers = &self.unit.program.registers;
            match name {
                "RETURN-CODE" => registers.return_code,
                "TALLY" => registers.tally,
                "SORT-RETURN" => registers.sort_return,
                "SORT-CONTROL" => registers.sort_control,
                "SORT-CORE-SIZE" => registers.sort_core_size,
                "SORT-FILE-SIZE" => registers.sort_file_size,
                "SORT-MESSAGE" => registers.sort_message,
                "SORT-MODE-SIZE" => registers.sort_mode_size,
                "SHIFT-IN" => registers.shift_in,
                "SHIFT-OUT" => registers.shift_out,
                "WHEN-COMPILED" => registers.when_compiled,
                _ => return self.markup_register(name),
            }
        };
        if present.is_some() {
            return present;
        }
        let binary = |digits: u8, bytes: usize| (Category::Numeric, Usage::Binary, digits, vec![0; bytes]);
        let (category, usage, digits, image) = match name {
            "TALLY" => binary(5, 4),
            "RETURN-CODE" | "SORT-RETURN" => binary(4, 2),
            "SORT-CONTROL" => (Category::Alphanumeric, Usage::Display, 0, self.encoder.text("IGZSRTCD")),
            "SORT-MESSAGE" => (Category::Alphanumeric, Usage::Display, 0, self.encoder.text("SYSOUT  ")),
            "SHIFT-IN" => (Category::Alphanumeric, Usage::Display, 0, vec![0x0F]),
            "SHIFT-OUT" => (Category::Alphanumeric, Usage::Display, 0, vec![0x0E]),
            "WHEN-COMPILED" => (Category::Alphanumeric, Usage::Display, 0, self.encoder.text(&when_compiled(self.compiled_at()))),
            "SORT-CORE-SIZE" | "SORT-FILE-SIZE" => binary(8, 4),
            "SORT-MODE-SIZE" => binary(5, 4),
            _ => binary(9, 4),
        };
        let mut item = blank_item(name, 77, BaseId(0), Span::NONE);
        (item.category, item.usage, item.digits) = (category, usage, digits);
        item.sign = if category == Category::Numeric && name != "TALLY" { Sign::Trailing } else { Sign::Unsigned };
        item.referenced = true;
        // Programs contained in this one share RETURN-CODE.
        item.global = name == "RETURN-CODE";
        let id = self.unit.division.add_register(&mut self.unit.program, item, &image);
        let registers = &mut self.unit.program.registers;
        let slot = match name {
            "RETURN-CODE" => &mut registers.return_code,
            "TALLY" => &mut registers.tally,
            "SORT-RETURN" => &mut registers.sort_return,
            "SORT-CONTROL" => &mut registers.sort_control,
            "SORT-CORE-SIZE" => &mut registers.sort_core_size,
            "SORT-FILE-SIZE" => &mut registers.sort_file_size,
            "SORT-MESSAGE" => &mut registers.sort_message,
            "SORT-MODE-SIZE" => &mut registers.sort_mode_size,
            "SHIFT-IN" => &mut registers.shift_in,
            "SHIFT-OUT" => &mut registers.shift_out,
            _ => &mut registers.when_compiled,
        };
        Some(*slot.insert(id))
    }

    /// The moment of compilation in UTC.
    pub fn compiled_at(&self) -> LocalTime {
        LocalTime::of(self.options.compiled_at, 0, 0)
    }

    /// RETURN-CODE always exists.
    pub fn define_registers(&mut self) {
        self.register("RETURN-CODE");
    }
}

/// Register WHEN-COMPILED: MM/DD/YYhh.mm.ss.
fn when_compiled(time: LocalTime) -> String {
    let LocalTime { date, hour, minute, second, .. } = time;
    format!("{:02}/{:02}/{:02}{hour:02}.{minute:02}.{second:02}", date.month, date.day, date.year % 100)
}

/// Response number of a condition name.
fn response_number(name: &str) -> Option<i128> {
    if name == "NORMAL" {
        return Some(0);
    }
    exec::dfhresp(name).map(i128::from)
}

/// An integer constant.
pub fn number_expression(value: i128, digits: u8, span: Span) -> Expression {
    Expression {
        kind: ExpressionKind::Number(Number::integer(value, digits)),
        numeric: NumericType::Fixed { digits, scale: 0, truncated: false },
        span,
    }
}

/// The simplest operand for an expression.
pub fn as_operand(expression: Expression) -> Operand {
    match expression.kind {
        ExpressionKind::Number(number) => Operand::Literal(Literal { value: LiteralValue::Numeric(number), span: expression.span }),
        ExpressionKind::Float(value) => Operand::Literal(Literal { value: LiteralValue::Float(value), span: expression.span }),
        ExpressionKind::Reference(reference) => Operand::Reference(reference),
        ExpressionKind::Function(call) => Operand::Function(call),
        ExpressionKind::LengthOf(reference) => Operand::LengthOf(reference),
        ExpressionKind::AddressOf(reference) => Operand::AddressOf(reference),
        _ => Operand::Expression(Box::new(expression)),
    }
}
