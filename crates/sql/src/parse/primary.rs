//! Operands: constants, host variables, names, registers, subqueries, rows.

use super::Parser;
use crate::ast::{DataType, Expression, ExpressionKind};
use crate::lexer::{Literal, TokenKind};
use crate::problem::Problem;
use crate::reference::Role;
use crate::registers::{CURRENT_REGISTERS, ONE_WORD_REGISTERS, canonical};

/// Words that are functions before a parenthesis although they cannot be names.
const STRUCTURAL_FUNCTIONS: &[&str] = &["LEFT", "RIGHT", "INSERT", "CONCAT"];

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Result<Expression, Problem> {
        let offset = self.offset();
        match &self.token().kind {
            TokenKind::Literal(_) => Ok(self.literal().expect("a literal is next")),
            TokenKind::Host { .. } => Ok(Expression { offset, kind: ExpressionKind::Host(self.host_or_structure(Role::In)?) }),
            TokenKind::Marker => Ok(Expression { offset, kind: ExpressionKind::Marker(self.marker()) }),
            TokenKind::Symbol("(") => self.nested(Self::parentheses),
            TokenKind::Word(word) => {
                let word = word.clone();
                self.word_operand(&word, offset)
            }
            TokenKind::Delimited(_) => self.name_operand(offset),
            _ => Err(self.unexpected("<EXPRESSION>")),
        }
    }

    /// The current token opens a fullselect in parentheses.
    pub(super) fn at_subquery(&self) -> bool {
        self.at_symbol("(") && ["SELECT", "WITH", "VALUES"].iter().any(|word| self.ahead(1).is_word(word))
    }

    /// A value, condition, row or fullselect in parentheses.
    fn parentheses(&mut self) -> Result<Expression, Problem> {
        let offset = self.offset();
        if self.at_subquery() {
            let query = Box::new(self.subquery()?);
            return Ok(Expression { offset, kind: ExpressionKind::Subquery(query) });
        }
        self.expect_symbol("(")?;
        let first = self.disjunction()?;
        let first = self.continued_subquery(first)?;
        if !self.at_symbol(",") {
            self.expect_symbol(")")?;
            return Ok(Expression { offset, kind: first.kind });
        }
        let mut row = vec![first];
        while self.take_symbol(",") {
            row.push(self.value()?);
        }
        self.expect_symbol(")")?;
        Ok(Expression { offset, kind: ExpressionKind::Row(row) })
    }

    /// A fullselect that began with one in parentheses goes on: `(SELECT ...) UNION ...`.
    pub(super) fn continued_subquery(&mut self, first: Expression) -> Result<Expression, Problem> {
        let ExpressionKind::Subquery(query) = first.kind else { return Ok(first) };
        let query = self.continued_query(*query)?;
        Ok(Expression { offset: first.offset, kind: ExpressionKind::Subquery(Box::new(query)) })
    }

    fn word_operand(&mut self, word: &str, offset: usize) -> Result<Expression, Problem> {
        let call = self.ahead(1).is_symbol("(");
        let kind = match word {
            "CASE" if !call || self.ahead(2).kind != TokenKind::Symbol(")") => {
                self.next();
                return self.nested(|parser| parser.case(offset));
            }
            "CAST" if call => {
                self.next();
                return self.nested(|parser| parser.cast(offset));
            }
            "NULL" => {
                self.next();
                ExpressionKind::Null
            }
            "CURRENT" => return self.register(offset),
            "NEXT" | "PREVIOUS" | "NEXTVAL" | "PREVVAL" if self.at_sequence() => self.sequence()?,
            "ROW" if self.ahead(1).is_word("CHANGE") => self.row_change()?,
            "SESSION" if self.ahead(1).is_word("TIME") || self.ahead(1).is_word("TIMEZONE") => {
                self.next();
                if self.take("TIME") {
                    self.expect("ZONE")?;
                } else {
                    self.next();
                }
                ExpressionKind::Register { name: "SESSION TIMEZONE".to_string(), precision: None }
            }
            "DATE" | "TIME" | "TIMESTAMP" if matches!(self.ahead(1).kind, TokenKind::Literal(Literal::String(_))) => {
                self.next();
                self.typed_literal(word)
            }
            _ if STRUCTURAL_FUNCTIONS.contains(&word) && call => {
                self.next();
                let name = crate::ast::Name { offset, parts: vec![word.to_string()] };
                return self.nested(|parser| parser.call(name));
            }
            _ => match ONE_WORD_REGISTERS.iter().find(|(own, _)| *own == word) {
                Some((_, name)) if !self.ahead(1).is_symbol(".") => {
                    self.next();
                    let precision = self.register_precision(name)?;
                    ExpressionKind::Register { name: name.to_string(), precision }
                }
                _ => return self.name_operand(offset),
            },
        };
        Ok(Expression { offset, kind })
    }

    /// DATE 'text'.
    fn typed_literal(&mut self, word: &str) -> ExpressionKind {
        let value = Box::new(self.literal().expect("the caller has seen the string"));
        let to = match word {
            "DATE" => DataType::Date,
            "TIME" => DataType::Time,
            _ => DataType::Timestamp { precision: 6, zone: false },
        };
        ExpressionKind::Cast { value, to }
    }

    fn name_operand(&mut self, offset: usize) -> Result<Expression, Problem> {
        let name = self.name()?;
        if self.at_symbol("(") {
            return self.nested(|parser| parser.call(name));
        }
        Ok(Expression { offset, kind: ExpressionKind::Column(name) })
    }

    /// CURRENT and the words of a register.
    fn register(&mut self, offset: usize) -> Result<Expression, Problem> {
        self.next();
        let Some(words) = CURRENT_REGISTERS.iter().find(|words| self.at_words(words)) else {
            return Err(self.unexpected("DATE TIME TIMESTAMP SQLID SERVER SCHEMA"));
        };
        self.take_words(words);
        let name = canonical(words);
        let precision = self.register_precision(&name)?;
        if name == "CURRENT TIMESTAMP" && (self.take_words(&["WITH", "TIME", "ZONE"]) || self.take_words(&["WITHOUT", "TIME", "ZONE"])) {
            self.warn(offset, "the time zone of CURRENT TIMESTAMP is ignored");
        }
        Ok(Expression { offset, kind: ExpressionKind::Register { name, precision } })
    }

    /// (n) behind CURRENT TIMESTAMP.
    fn register_precision(&mut self, name: &str) -> Result<Option<u8>, Problem> {
        if name != "CURRENT TIMESTAMP" || !self.take_symbol("(") {
            return Ok(None);
        }
        let precision = self.unsigned()?;
        self.expect_symbol(")")?;
        Ok(Some(precision.min(12) as u8))
    }

    fn at_sequence(&self) -> bool {
        self.ahead(1).is_word("FOR") || (self.ahead(1).is_word("VALUE") && self.ahead(2).is_word("FOR"))
    }

    /// NEXT VALUE FOR, NEXTVAL FOR, PREVIOUS VALUE FOR, PREVVAL FOR.
    fn sequence(&mut self) -> Result<ExpressionKind, Problem> {
        let next = self.next().word().is_some_and(|word| word.starts_with("NEXT"));
        self.take("VALUE");
        self.expect("FOR")?;
        Ok(ExpressionKind::Sequence { next, name: self.name()? })
    }

    fn row_change(&mut self) -> Result<ExpressionKind, Problem> {
        self.expect_words(&["ROW", "CHANGE"])?;
        let token = match self.take_one(&["TIMESTAMP", "TOKEN"]) {
            Some(word) => word == "TOKEN",
            None => return Err(self.unexpected("TIMESTAMP TOKEN")),
        };
        self.expect("FOR")?;
        Ok(ExpressionKind::RowChange { token, table: self.name()? })
    }
}
