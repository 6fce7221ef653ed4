//! STRING and UNSTRING.

use super::Parser;
use super::cursor::Parsed;
use crate::program::*;
use crate::span::Span;

impl Parser<'_> {
    pub fn string_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut pieces: Vec<StringPiece> = Vec::new();
        // Operands since the last DELIMITED share the next delimiter.
        let mut open = 0;
        while self.at_operand() {
            let from = self.operand()?;
            self.check_text_operand(&from);
            pieces.push(StringPiece { from, delimiter: None });
            if self.accept("DELIMITED") {
                self.accept("BY");
                let delimiter = if self.accept("SIZE") { None } else { Some(self.operand()?) };
                for piece in &mut pieces[open..] {
                    piece.delimiter = delimiter.clone();
                }
                open = pieces.len();
            }
        }
        if pieces.is_empty() {
            return self.fail("a sending item of STRING");
        }
        self.expect("INTO")?;
        let into = self.receiver()?;
        self.check_text_receiver(&into);
        let pointer = self.pointer_phrase()?;
        let delimiters = pieces.iter().filter_map(|piece| piece.delimiter.as_ref());
        let operands: Vec<Operand> = pieces.iter().map(|piece| &piece.from).chain(delimiters).cloned().collect();
        self.check_all_utf8("STRING", &operands, std::slice::from_ref(&into));
        self.check_all_national("STRING", &operands, std::slice::from_ref(&into));
        let (on_overflow, not_on_overflow) = self.phrases(&[&["OVERFLOW"]]);
        self.end_scope("END-STRING");
        Ok(StatementKind::StringInto(Box::new(StringInto { pieces, into, pointer, on_overflow, not_on_overflow })))
    }

    fn check_all_utf8(&mut self, verb: &str, operands: &[Operand], receivers: &[Reference]) {
        let is_item = |item: &Item| item.category == Category::Utf8;
        if !self.check_all_alike(verb, "class UTF-8", operands, receivers, is_item, Parser::is_utf8) {
            return;
        }
        let modified = receivers.iter().find(|reference| reference.modification.is_some());
        if let Some(reference) = modified {
            let name = self.item(reference.item).name.clone();
            self.report.severe(reference.span, format!("{verb}: the UTF-8 receiver {name} cannot be reference-modified"));
        }
    }

    fn check_all_national(&mut self, verb: &str, operands: &[Operand], receivers: &[Reference]) {
        let is_item = |item: &Item| item.usage == Usage::National;
        self.check_all_alike(verb, "usage NATIONAL", operands, receivers, is_item, Parser::is_national);
    }

    /// If one operand is of a kind, all must be; a figurative constant takes the kind of the others. Returns whether one is.
    fn check_all_alike(
        &mut self,
        verb: &str,
        kind: &str,
        operands: &[Operand],
        receivers: &[Reference],
        is_item: impl Fn(&Item) -> bool,
        is_other: impl Fn(&Self, &Operand) -> bool,
    ) -> bool {
        let sender = |operand: &Operand| match operand {
            Operand::Figurative(..) => None,
            Operand::Literal(literal) if matches!(literal.value, LiteralValue::Figurative(_)) => None,
            Operand::Reference(reference) => Some((is_item(self.item(reference.item)), operand.span())),
            _ => Some((is_other(self, operand), operand.span())),
        };
        let receivers = receivers.iter().map(|reference| (is_item(self.item(reference.item)), reference.span));
        let counted: Vec<(bool, Span)> = operands.iter().filter_map(sender).chain(receivers).collect();
        if !counted.iter().any(|(is_alike, _)| *is_alike) {
            return false;
        }
        if let Some((_, span)) = counted.iter().find(|(is_alike, _)| !is_alike) {
            self.report.severe(*span, format!("{verb}: when one operand is of {kind} all must be"));
        }
        true
    }

    fn pointer_phrase(&mut self) -> Parsed<Option<Reference>> {
        if !(self.is_word("POINTER") || (self.is_word("WITH") && self.peek_word(1) == "POINTER")) {
            return Ok(None);
        }
        self.accept("WITH");
        self.accept("POINTER");
        let pointer = self.reference()?;
        self.check_integer_item(&pointer, "POINTER");
        Ok(Some(pointer))
    }

    /// Reports an item that is not an integer item.
    pub fn check_integer_item(&mut self, reference: &Reference, role: &str) {
        let item = self.item(reference.item);
        let fits = item.category == Category::Numeric && item.scale <= 0 && reference.modification.is_none();
        if !fits {
            let message = format!("{role} {}: it must be an integer item", item.name);
            self.report.severe(reference.span, message);
        }
    }

    /// A sender of STRING: text, or a number that can be represented by its digits.
    fn check_text_operand(&mut self, operand: &Operand) {
        let Operand::Reference(reference) = operand else { return };
        let item = self.item(reference.item);
        let wrong = match item.category {
            Category::Numeric => !matches!(item.usage, Usage::Display | Usage::National) || item.scale != 0,
            Category::InternalFloat | Category::ExternalFloat | Category::Index => true,
            Category::Pointer | Category::ProcedurePointer | Category::FunctionPointer | Category::ObjectReference => true,
            _ => false,
        };
        if wrong && reference.modification.is_none() {
            let message = format!("{} must be of usage DISPLAY or NATIONAL, and if numeric an integer", item.name);
            self.report.severe(reference.span, message);
        }
    }

    fn check_text_receiver(&mut self, reference: &Reference) {
        let item = self.item(reference.item);
        let wrong = matches!(
            item.category,
            Category::NumericEdited
                | Category::AlphanumericEdited
                | Category::InternalFloat
                | Category::ExternalFloat
                | Category::Index
                | Category::Pointer
        ) || (item.category == Category::Numeric && item.usage != Usage::Display);
        if (wrong || item.justified) && reference.modification.is_none() {
            let message = format!("{} cannot be the receiver of STRING", item.name);
            self.report.severe(reference.span, message);
        }
    }

    pub fn unstring_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let from = self.operand()?;
        self.check_text_operand(&from);
        let mut delimiters = Vec::new();
        if self.accept("DELIMITED") {
            self.accept("BY");
            loop {
                // ALL here means repeated delimiters, not the ALL literal.
                let all = self.accept("ALL");
                let value = self.operand()?;
                if matches!(&value, Operand::Literal(literal) if matches!(literal.value, LiteralValue::Numeric(_) | LiteralValue::Float(_)))
                {
                    self.report.severe(value.span(), "DELIMITED BY takes text, not a number");
                }
                delimiters.push(UnstringDelimiter { all, value });
                if !self.accept("OR") {
                    break;
                }
            }
        }
        self.expect("INTO")?;
        let mut into = Vec::new();
        loop {
            let receiver = self.reference()?;
            let mut delimiter = None;
            let mut count = None;
            if self.accept("DELIMITER") {
                self.accept("IN");
                delimiter = Some(self.reference()?);
            }
            if self.accept("COUNT") {
                self.accept("IN");
                let item = self.reference()?;
                self.check_integer_item(&item, "COUNT");
                count = Some(item);
            }
            if delimiters.is_empty() && (delimiter.is_some() || count.is_some()) {
                self.report.severe(receiver.span, "DELIMITER IN and COUNT IN need the DELIMITED BY phrase");
            }
            into.push(UnstringInto { into: receiver, delimiter, count });
            if !self.at_identifier() {
                break;
            }
        }
        let pointer = self.pointer_phrase()?;
        let tallying = if self.accept("TALLYING") {
            self.accept("IN");
            let item = self.reference()?;
            self.check_integer_item(&item, "TALLYING");
            Some(item)
        } else {
            None
        };
        let operands: Vec<Operand> = std::iter::once(&from).chain(delimiters.iter().map(|delimiter| &delimiter.value)).cloned().collect();
        let receivers = into.iter().flat_map(|target| std::iter::once(&target.into).chain(&target.delimiter)).cloned().collect::<Vec<_>>();
        self.check_all_utf8("UNSTRING", &operands, &receivers);
        self.check_all_national("UNSTRING", &operands, &receivers);
        let (on_overflow, not_on_overflow) = self.phrases(&[&["OVERFLOW"]]);
        self.end_scope("END-UNSTRING");
        Ok(StatementKind::Unstring(Box::new(Unstring { from, delimiters, into, pointer, tallying, on_overflow, not_on_overflow })))
    }
}
