//! User-defined functions: FUNCTION-ID, the REPOSITORY paragraph, and their invocation (Language Reference, "User-defined functions").
//!
//! A call becomes a CALL whose result and converted arguments have their own items, so that two calls in one expression do not share them.

use super::Parser;
use super::cursor::Parsed;
use crate::data::tree::{Pending, blank_item, new_base};
use crate::lexer::TokenKind;
use crate::program::*;
use std::rc::Rc;

/// The part of a function that its callers need.
pub struct Signature {
    /// The name it is called by.
    pub external: Box<str>,
    pub parameters: Vec<Item>,
    pub returning: Item,
}

/// Functions that a program may use: from its REPOSITORY paragraph.
#[derive(Clone, Default)]
pub struct Repository {
    /// FUNCTION ALL INTRINSIC: no FUNCTION keyword needed.
    pub all_intrinsic: bool,
    /// Names that may stand without FUNCTION.
    pub names: Vec<Box<str>>,
}

impl Parser<'_> {
    /// REPOSITORY. {FUNCTION {ALL INTRINSIC | name ... INTRINSIC | name [AS literal]}} ...
    pub fn repository(&mut self) {
        self.advance();
        self.expect_period("REPOSITORY");
        while !self.at_end() && !self.at_paragraph() {
            if self.accept_kind(&TokenKind::Period) {
                continue;
            }
            if self.is_word("CLASS") || self.is_word("INTERFACE") {
                let span = self.span();
                self.report.severe(span, "object-oriented COBOL (CLASS in the REPOSITORY) is not supported");
                self.skip_sentence();
            } else if !self.accept("FUNCTION") {
                self.report.expected(self.span(), &super::cursor::quoted(self.token()), "FUNCTION");
                self.advance();
            } else if self.accept("ALL") {
                self.accept("INTRINSIC");
                self.unit.repository.all_intrinsic = true;
            } else {
                while let TokenKind::Word(word) = &self.token().kind {
                    if matches!(&**word, "FUNCTION" | "CLASS" | "INTERFACE") {
                        break;
                    }
                    self.advance();
                    if matches!(&**word, "INTRINSIC" | "IS") {
                        continue;
                    }
                    if &**word == "AS" {
                        self.literal();
                        continue;
                    }
                    self.unit.repository.names.push((&**word).into());
                }
            }
        }
    }

    /// The word names a function that needs no FUNCTION keyword here.
    pub fn is_function_name(&self, word: &str) -> bool {
        let repository = &self.unit.repository;
        if repository.names.iter().any(|name| **name == *word) {
            return true;
        }
        repository.all_intrinsic && super::functions::is_intrinsic(word)
    }

    /// Notes the signature of the function just compiled.
    pub fn note_function(&mut self) {
        let program = &self.unit.program;
        let Some(returning) = program.returning else {
            self.report.severe(program.span, format!("the function {} has no RETURNING item", program.name));
            return;
        };
        let returning = program.item(returning).clone();
        let parameters = program.parameters.iter().map(|parameter| program.item(parameter.item).clone()).collect();
        let signature = Signature { external: program.name.clone(), parameters, returning };
        self.functions.insert(program.name.clone(), Rc::new(signature));
    }

    /// name (arguments), with the name already known to be a user function's.
    pub fn user_function(&mut self, signature: &Rc<Signature>) -> Parsed<Operand> {
        let span = self.span();
        let name = self.word();
        self.advance();
        let mut values = Vec::new();
        if self.accept_kind(&TokenKind::LeftParenthesis) {
            while !self.is(&TokenKind::RightParenthesis) {
                let saved = std::mem::replace(&mut self.in_list, true);
                let argument =
                    if self.accept("OMITTED") { Ok(Operand::Figurative(Figurative::Null, span)) } else { self.general_operand() };
                self.in_list = saved;
                values.push(self.typed(argument?, 0));
            }
            self.expect_kind(&TokenKind::RightParenthesis)?;
        }
        if values.len() != signature.parameters.len() {
            let wanted = signature.parameters.len();
            return self.fail_at(span, format!("the function {name} has {wanted} parameters, not {}", values.len()));
        }
        let mut arguments = Vec::new();
        let mut conversions = Vec::new();
        for (value, parameter) in values.into_iter().zip(&signature.parameters) {
            if matches!(value, Operand::Figurative(Figurative::Null, _)) {
                arguments.push(CallArgument { mode: CallMode::Omitted, value });
            } else if self.conforms(&value, parameter) {
                arguments.push(CallArgument { mode: CallMode::Reference, value });
            } else {
                let copy = self.temporary_like(parameter);
                conversions.push((value, Reference::plain(copy, span)));
                let value = Operand::Reference(Reference::plain(copy, span));
                arguments.push(CallArgument { mode: CallMode::Reference, value });
            }
        }
        let item = self.temporary_like(&signature.returning);
        let call = Call {
            target: CallTarget::Literal(signature.external.clone()),
            arguments,
            returning: Some(CallReturning::Item(Reference::plain(item, span))),
            on_exception: None,
            not_on_exception: None,
        };
        let user = self.unit.program.user_calls.len() as u32;
        self.unit.program.user_calls.push(UserCall { call, conversions, item });
        let length_max = signature.returning.length_max;
        let result = match signature.returning.category {
            Category::Numeric => FunctionResult::Fixed { digits: signature.returning.digits.max(1), scale: signature.returning.scale },
            Category::InternalFloat | Category::ExternalFloat => FunctionResult::Float,
            Category::National | Category::NationalEdited => FunctionResult::National { length_max },
            _ => FunctionResult::Alphanumeric { length_max },
        };
        let mut call =
            FunctionCall { function: Function::UserDefined, arguments: Vec::new(), result, modification: None, user: Some(user), span };
        let text = matches!(result, FunctionResult::Alphanumeric { .. } | FunctionResult::National { .. });
        if text && self.is(&TokenKind::LeftParenthesis) && self.is_modification() {
            call.modification = Some(Box::new(self.modification(None)?));
        }
        Ok(Operand::Function(Box::new(call)))
    }

    /// The argument can be passed in place: it has the description of the parameter.
    fn conforms(&self, value: &Operand, parameter: &Item) -> bool {
        let Operand::Reference(reference) = value else { return false };
        let item = self.item(reference.item);
        if item.is_group() || parameter.is_group() {
            return reference.modification.is_none() && item.length_max >= parameter.length_max;
        }
        reference.modification.is_none()
            && (item.category, item.usage, item.digits, item.scale, item.sign, item.length_max)
                == (parameter.category, parameter.usage, parameter.digits, parameter.scale, parameter.sign, parameter.length_max)
    }

    /// An item of the program's own, described like another: in LOCAL-STORAGE when the program may be active more than once.
    fn temporary_like(&mut self, like: &Item) -> ItemId {
        let mut item = blank_item("", 77, BaseId(0), Span::NONE);
        (item.category, item.usage, item.digits, item.scale) = (like.category, like.usage, like.digits, like.scale);
        (item.sign, item.picture) = (like.sign, like.picture.clone());
        if like.is_group() {
            (item.category, item.usage) = (Category::Alphanumeric, Usage::Display);
        }
        item.referenced = true;
        let length = like.length_max;
        if !self.unit.program.recursive {
            return self.unit.division.add_register(&mut self.unit.program, item, &vec![0; length as usize]);
        }
        let program = &mut self.unit.program;
        let base = *self.unit.division.local.get_or_insert_with(|| new_base(program, BaseKind::Local, "LOCAL-STORAGE"));
        let area = &mut program.bases[base.0 as usize];
        let offset = area.length.next_multiple_of(8);
        area.length = offset + length;
        if !area.image.is_empty() {
            area.image.resize(area.length as usize, 0);
        }
        (item.base, item.offset, item.length, item.length_max) = (base, Size::fixed(offset), Size::fixed(length), length);
        let id = ItemId(program.items.len() as u32);
        item.end = ItemId(id.0 + 1);
        program.items.push(item);
        self.unit.division.pending.push(Pending::default());
        self.unit.division.laid_out = self.unit.program.items.len();
        id
    }
}
