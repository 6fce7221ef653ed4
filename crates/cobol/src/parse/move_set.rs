//! MOVE and SET.

use super::Parser;
use super::cursor::Parsed;
use super::operand::Noun;
use crate::check::movement::{Legality, Sender, legality};
use crate::names::Special;
use crate::program::*;

/// A receiver of SET.
enum Receiver {
    Address(Reference),
    Item(Reference),
    /// LENGTH OF a dynamic-length item, as the item that holds it.
    Length(Reference),
    Condition(ConditionNameId, Reference),
    Switch(u8),
}

impl Parser<'_> {
    pub fn move_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        if self.accept("CORRESPONDING") || self.accept("CORR") {
            return self.move_corresponding(span);
        }
        let from = self.operand()?;
        self.expect("TO")?;
        let mut to = Vec::with_capacity(1);
        loop {
            let reference = self.receiver()?;
            self.check_move(&from, &reference, reference.span);
            to.push(reference);
            if !self.at_identifier() {
                break;
            }
        }
        Ok(StatementKind::Move(Box::new(Move { from, to })))
    }

    /// A receiving item. One that holds the object of its own OCCURS DEPENDING ON counts with its maximum length, unless it is unbounded:
    /// then it has none. (Programming Guide, Working with unbounded tables and groups.)
    pub fn receiver(&mut self) -> Parsed<Reference> {
        let mut reference = self.reference()?;
        reference.maximum_length = self.holds_own_object(reference.item);
        Ok(reference)
    }

    fn holds_own_object(&self, id: ItemId) -> bool {
        let item = self.item(id);
        if item.length.is_fixed() {
            return false;
        }
        item.length.terms.iter().all(|term| {
            let object = self.item(term.table).occurs.as_ref().and_then(|occurs| occurs.depending);
            let unbounded = self.unit.division.pending.get(term.table.0 as usize).is_some_and(|pending| pending.unbounded);
            !unbounded && object.is_some_and(|object| object.0 > id.0 && object.0 < item.end.0)
        })
    }

    fn move_corresponding(&mut self, span: Span) -> Parsed<StatementKind> {
        let from = self.reference()?;
        self.expect("TO")?;
        let mut moves = Vec::new();
        loop {
            let to = self.reference()?;
            let pairs = self.corresponding_pairs(&from, &to, false)?;
            if pairs.is_empty() {
                self.report.warning(to.span, "no items correspond");
            }
            for (left, right) in pairs {
                let left = Operand::Reference(left);
                self.check_move(&left, &right, to.span);
                let kind = StatementKind::Move(Box::new(Move { from: left, to: vec![right] }));
                moves.push(self.statement_of(kind, span));
            }
            if !self.at_identifier() {
                break;
            }
        }
        Ok(StatementKind::Block(moves))
    }

    /// Reports a MOVE that the language does not allow.
    pub fn check_move(&mut self, from: &Operand, to: &Reference, span: Span) {
        let references = [Some(to), if let Operand::Reference(reference) = from { Some(reference) } else { None }];
        for reference in references.into_iter().flatten() {
            if self.unit.division.dynamic_groups.contains(&reference.item) {
                let message = format!("{} has a dynamic-length item and cannot be moved as a group", self.item(reference.item).name);
                self.report.severe(reference.span, message);
            }
        }
        let sender = self.sender(from);
        let integer = match from {
            Operand::Reference(reference) => self.item(reference.item).scale <= 0,
            _ => true,
        };
        let item = self.item(to.item);
        let category = match to.modification {
            Some(_) if item.usage == Usage::National => Category::National,
            Some(_) if item.usage == Usage::Utf8 => Category::Utf8,
            Some(_) => Category::Alphanumeric,
            None => item.category,
        };
        match legality(sender, integer, category) {
            Legality::Legal => {}
            Legality::Doubtful(message) => self.report.warning(span, message),
            Legality::Illegal(message) => self.report.severe(span, message),
        }
        if matches!(sender, Sender::Dbcs | Sender::Item(Category::Dbcs)) && category != Category::Dbcs {
            self.needs_double_bytes(span);
        }
        if category == Category::Numeric || category == Category::NumericEdited {
            self.check_digits(from, span);
        }
    }

    /// DBCS data become national only by a code page that has double-byte characters.
    pub fn needs_double_bytes(&mut self, span: Span) {
        let page = self.encoder.page;
        if page.graphic.is_none() {
            let message = format!(
                "code page {} has no double-byte characters to convert DBCS data with; compile with a mixed one such as CODEPAGE(939)",
                page.ccsid
            );
            self.report.severe(span, message);
        }
    }

    /// An alphanumeric literal moved to a number should hold digits only.
    fn check_digits(&mut self, from: &Operand, span: Span) {
        let Operand::Literal(Literal { value: LiteralValue::Alphanumeric(bytes), .. }) = from else { return };
        let page = self.encoder.page;
        if bytes.iter().any(|byte| !page.to_ascii(*byte).is_ascii_digit()) {
            self.report.warning(span, "the literal moved to a numeric item does not consist of digits");
        }
    }

    pub fn sender(&self, from: &Operand) -> Sender {
        match from {
            Operand::Reference(reference) => {
                let item = self.item(reference.item);
                match reference.modification {
                    Some(_) if item.usage == Usage::National => Sender::National,
                    Some(_) if item.usage == Usage::Utf8 => Sender::Utf8,
                    Some(_) => Sender::Text,
                    None => Sender::Item(item.category),
                }
            }
            Operand::Literal(literal) => match &literal.value {
                LiteralValue::Numeric(number) => Sender::Number { integer: number.scale <= 0 },
                LiteralValue::Float(_) => Sender::Float,
                LiteralValue::National(_) => Sender::National,
                LiteralValue::Utf8(_) => Sender::Utf8,
                LiteralValue::Dbcs(_) => Sender::Dbcs,
                _ => Sender::Text,
            },
            Operand::Figurative(figurative, _) => match figurative {
                Figurative::Zero => Sender::Zero,
                Figurative::Space => Sender::Space,
                Figurative::Null => Sender::Address,
                Figurative::All { encoding: LiteralEncoding::Utf8, .. } => Sender::Utf8,
                Figurative::All { bytes, .. } => {
                    let page = self.encoder.page;
                    if bytes.iter().all(|byte| page.to_ascii(*byte).is_ascii_digit()) { Sender::Zero } else { Sender::Figurative }
                }
                _ => Sender::Figurative,
            },
            Operand::Function(call) => match call.result {
                FunctionResult::Alphanumeric { .. } => Sender::Text,
                FunctionResult::National { .. } => Sender::National,
                FunctionResult::Utf8 { .. } => Sender::Utf8,
                FunctionResult::Fixed { scale, .. } => Sender::Number { integer: scale <= 0 },
                FunctionResult::Float => Sender::Float,
            },
            Operand::AddressOf(_) => Sender::Address,
            Operand::LengthOf(_) => Sender::Number { integer: true },
            Operand::Expression(expression) => match expression.numeric {
                NumericType::Fixed { scale, .. } => Sender::Number { integer: scale <= 0 },
                NumericType::Float => Sender::Float,
            },
        }
    }

    pub fn set_statement(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        self.advance();
        let mut blocks = Vec::new();
        loop {
            let kind = self.set_group()?;
            blocks.push(kind);
            // SET switch-1 TO ON switch-2 TO OFF: further groups follow.
            if !(self.at_identifier() || self.is_word("ADDRESS")) {
                break;
            }
        }
        if blocks.len() == 1 {
            return Ok(blocks.remove(0));
        }
        let statements = blocks.into_iter().map(|kind| self.statement_of(kind, span)).collect();
        Ok(StatementKind::Block(statements))
    }

    fn set_group(&mut self) -> Parsed<StatementKind> {
        let span = self.span();
        let mut receivers = vec![self.set_receiver()?];
        while !matches!(self.word(), "TO" | "UP" | "DOWN") {
            receivers.push(self.set_receiver()?);
        }
        if matches!(self.word(), "UP" | "DOWN") {
            let down = self.is_word("DOWN");
            self.advance();
            self.expect("BY")?;
            return self.set_by(receivers, down, span);
        }
        self.expect("TO")?;
        match &receivers[0] {
            Receiver::Switch(_) => self.set_switches(receivers, span),
            Receiver::Condition(..) => self.set_conditions(receivers, span),
            Receiver::Address(_) => self.set_addresses(receivers),
            Receiver::Length(_) => self.set_index(receivers),
            Receiver::Item(reference) => match self.item(reference.item).category {
                Category::Pointer => self.set_addresses(receivers),
                Category::ProcedurePointer | Category::FunctionPointer => self.set_entry(receivers),
                _ => self.set_index(receivers),
            },
        }
    }

    fn set_receiver(&mut self) -> Parsed<Receiver> {
        if self.is_word("LENGTH") && self.peek_word(1) == "OF" {
            self.advance();
            self.advance();
            let reference = self.reference()?;
            return match varying_length(&self.unit.program, reference.item) {
                Some(length) => Ok(Receiver::Length(Reference::plain(length, reference.span))),
                None => self.fail_at(reference.span, "SET LENGTH OF needs a dynamic-length item"),
            };
        }
        if self.accept("ADDRESS") {
            self.accept("OF");
            return self.reference().map(Receiver::Address);
        }
        if let Some(Special::Switch(switch)) = self.unit.names.special.get(self.word()) {
            let switch = *switch;
            self.advance();
            return Ok(Receiver::Switch(switch));
        }
        if !self.at_identifier() {
            return self.fail("an identifier, TO, UP BY or DOWN BY");
        }
        match self.noun()? {
            Noun::Item(reference) => Ok(Receiver::Item(reference)),
            Noun::Condition(condition, reference) => Ok(Receiver::Condition(condition, reference)),
            Noun::File(_) => self.fail("an identifier"),
        }
    }

    fn set_switches(&mut self, receivers: Vec<Receiver>, span: Span) -> Parsed<StatementKind> {
        let on = match self.accept_any(&["ON", "OFF"]) {
            Some(word) => word == "ON",
            None => return self.fail("ON or OFF"),
        };
        let mut kinds = Vec::new();
        for receiver in receivers {
            match receiver {
                Receiver::Switch(switch) => kinds.push(StatementKind::SetSwitch { switch, on }),
                _ => return self.fail_at(span, "only switches can be set ON or OFF"),
            }
        }
        Ok(self.block(kinds, span))
    }

    fn block(&mut self, mut kinds: Vec<StatementKind>, span: Span) -> StatementKind {
        if kinds.len() == 1 {
            return kinds.remove(0);
        }
        let statements = kinds.into_iter().map(|kind| self.statement_of(kind, span)).collect();
        StatementKind::Block(statements)
    }

    /// SET condition-name TO TRUE moves the first value to the item.
    fn set_conditions(&mut self, receivers: Vec<Receiver>, span: Span) -> Parsed<StatementKind> {
        let truth = match self.accept_any(&["TRUE", "FALSE"]) {
            Some(word) => word == "TRUE",
            None => return self.fail("TRUE or FALSE"),
        };
        let mut kinds = Vec::new();
        for receiver in receivers {
            let Receiver::Condition(condition, reference) = receiver else {
                return self.fail_at(span, "only condition-names can be set to TRUE or FALSE");
            };
            let condition = &self.unit.program.condition_names[condition.0 as usize];
            let literal = if truth { condition.values.first().map(|range| range.low.clone()) } else { condition.false_value.clone() };
            let Some(literal) = literal else {
                let message = format!("{} has no WHEN SET TO FALSE value", condition.name);
                return self.fail_at(span, message);
            };
            let from = super::condition::value_operand(&literal);
            kinds.push(StatementKind::Move(Box::new(Move { from, to: vec![reference] })));
        }
        Ok(self.block(kinds, span))
    }

    fn set_addresses(&mut self, receivers: Vec<Receiver>) -> Parsed<StatementKind> {
        let mut targets = Vec::with_capacity(receivers.len());
        for receiver in receivers {
            let target = match receiver {
                Receiver::Address(reference) => self.address_target(reference)?,
                Receiver::Item(reference) if self.item(reference.item).category == Category::Pointer => AddressTarget::Item(reference),
                _ => return self.fail("pointers only before TO"),
            };
            targets.push(target);
        }
        let value = self.address_value()?;
        Ok(StatementKind::SetAddress { targets, value })
    }

    /// ADDRESS OF an item as a receiver: a level 01 or 77 of the LINKAGE SECTION. Records that redefine each other have one address.
    pub fn address_target(&mut self, reference: Reference) -> Parsed<AddressTarget> {
        let item = self.item(reference.item);
        let kind = &self.unit.program.base(item.base).kind;
        let linkage = matches!(kind, BaseKind::Linkage | BaseKind::Outer { .. });
        if !linkage || !matches!(item.level, 1 | 77) {
            let message = format!("ADDRESS OF {} cannot be set: it is not a level 01 or 77 item of the LINKAGE SECTION", item.name);
            return self.fail_at(reference.span, message);
        }
        Ok(AddressTarget::Base(reference.item))
    }

    /// A pointer value: pointer item, ADDRESS OF, NULL.
    fn address_value(&mut self) -> Parsed<Operand> {
        let span = self.span();
        let value = self.operand()?;
        let fits = match &value {
            Operand::AddressOf(_) | Operand::Figurative(Figurative::Null, _) => true,
            Operand::Reference(reference) => {
                matches!(self.item(reference.item).category, Category::Pointer | Category::ProcedurePointer | Category::FunctionPointer)
            }
            _ => false,
        };
        if !fits {
            return self.fail_at(span, "a pointer, ADDRESS OF or NULL is needed here");
        }
        Ok(value)
    }

    fn set_entry(&mut self, receivers: Vec<Receiver>) -> Parsed<StatementKind> {
        let mut targets = Vec::with_capacity(receivers.len());
        for receiver in receivers {
            match receiver {
                Receiver::Item(reference) => targets.push(reference),
                _ => return self.fail("procedure-pointers only before TO"),
            }
        }
        if matches!(self.word(), "NULL" | "NULLS") {
            self.advance();
            return Ok(StatementKind::SetEntry { targets, value: EntryValue::Null });
        }
        if !self.accept("ENTRY") {
            let reference = self.reference()?;
            return Ok(StatementKind::SetEntry { targets, value: EntryValue::Pointer(reference) });
        }
        if let crate::lexer::TokenKind::Literal(literal) = &self.token().kind {
            let name: Box<str> = self.options.program_names.external(literal.text.trim_end()).into();
            self.advance();
            return Ok(StatementKind::SetEntry { targets, value: EntryValue::Literal(name) });
        }
        let reference = self.reference()?;
        Ok(StatementKind::SetEntry { targets, value: EntryValue::Name(reference) })
    }

    fn set_index(&mut self, receivers: Vec<Receiver>) -> Parsed<StatementKind> {
        let mut targets = Vec::with_capacity(receivers.len());
        let mut integer = None;
        for receiver in receivers {
            let reference = match receiver {
                Receiver::Length(reference) => {
                    targets.push(reference);
                    continue;
                }
                Receiver::Item(reference) => reference,
                _ => return self.fail("indexes only before TO"),
            };
            let item = self.item(reference.item);
            if item.category == Category::Numeric {
                integer = Some(reference.clone());
            }
            if item.category != Category::Index && !(item.category == Category::Numeric && item.scale <= 0) {
                let message = format!("SET {}: it is no index, integer item, pointer or condition-name", item.name);
                return self.fail_at(reference.span, message);
            }
            targets.push(reference);
        }
        let span = self.span();
        let value = self.general_operand()?;
        let value = self.typed(value, 0);
        self.check_set_to(integer.as_ref(), &value);
        let fits = match &value {
            Operand::Reference(reference) => {
                let item = self.item(reference.item);
                item.category == Category::Index || (item.category == Category::Numeric && item.scale <= 0)
            }
            other => matches!(self.numeric_type(other), Some(NumericType::Fixed { scale, .. }) if scale <= 0),
        };
        if !fits {
            return self.fail_at(span, "an index, an integer item or an integer is needed here");
        }
        Ok(StatementKind::SetIndex { targets, value })
    }

    /// An integer item gets its value from an index-name, an index data item from an index (Language Reference, "SET statement", the
    /// table of sending and receiving fields).
    fn check_set_to(&mut self, integer: Option<&Reference>, value: &Operand) {
        let is_index = matches!(value, Operand::Reference(reference) if self.item(reference.item).category == Category::Index);
        if let Some(target) = integer.filter(|_| !is_index) {
            let message =
                format!("SET {}: an integer item can be set to the value of an index only; use MOVE", self.item(target.item).name);
            self.report.severe(target.span, message);
        }
    }

    fn set_by(&mut self, receivers: Vec<Receiver>, down: bool, span: Span) -> Parsed<StatementKind> {
        let mut targets = Vec::with_capacity(receivers.len());
        for receiver in receivers {
            let Receiver::Item(reference) = receiver else {
                return self.fail_at(span, "only indexes and pointers can be set UP BY or DOWN BY");
            };
            targets.push(reference);
        }
        let categories: Vec<Category> = targets.iter().map(|target| self.item(target.item).category).collect();
        let by = self.general_operand()?;
        let by = self.numeric(by)?;
        let by = self.typed(super::operand::as_operand(by), 0);
        let is_expression = matches!(by, Operand::Expression(_));
        if !is_expression && !matches!(self.numeric_type(&by), Some(NumericType::Fixed { scale: ..=0, .. })) {
            self.report.severe(by.span(), "UP BY and DOWN BY need an integer");
        }
        if categories.iter().all(|category| *category == Category::Index) {
            return Ok(StatementKind::SetIndexBy { targets, by, down });
        }
        if categories.iter().all(|category| *category == Category::Pointer) {
            return Ok(StatementKind::SetPointerBy { targets, by, down });
        }
        self.fail_at(span, "only indexes and pointers can be set UP BY or DOWN BY")
    }
}
