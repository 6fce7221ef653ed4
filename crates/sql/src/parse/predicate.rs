//! Search conditions: OR, AND, NOT and predicates.

use super::Parser;
use crate::ast::{Comparison, Expression, ExpressionKind};
use crate::lexer::TokenKind;
use crate::problem::Problem;

impl Parser<'_> {
    pub(super) fn disjunction(&mut self) -> Result<Expression, Problem> {
        let first = self.conjunction()?;
        if !self.at_word("OR") {
            return Ok(first);
        }
        let offset = first.offset;
        let mut parts = vec![self.is_condition(first)?];
        while self.take("OR") {
            let next = self.conjunction()?;
            parts.push(self.is_condition(next)?);
        }
        Ok(Expression { offset, kind: ExpressionKind::Or(parts) })
    }

    fn conjunction(&mut self) -> Result<Expression, Problem> {
        let first = self.negation()?;
        if !self.at_word("AND") {
            return Ok(first);
        }
        let offset = first.offset;
        let mut parts = vec![self.is_condition(first)?];
        while self.take("AND") {
            let next = self.negation()?;
            parts.push(self.is_condition(next)?);
        }
        Ok(Expression { offset, kind: ExpressionKind::And(parts) })
    }

    fn is_condition(&self, part: Expression) -> Result<Expression, Problem> {
        if part.kind.is_condition() { Ok(part) } else { Err(self.unexpected("= <> < > <= >= BETWEEN IN LIKE IS")) }
    }

    fn negation(&mut self) -> Result<Expression, Problem> {
        let offset = self.offset();
        if !self.take("NOT") {
            return self.predicate();
        }
        let condition = self.nested(Self::negation)?;
        let condition = self.is_condition(condition)?;
        Ok(Expression { offset, kind: ExpressionKind::Not(Box::new(condition)) })
    }

    fn predicate(&mut self) -> Result<Expression, Problem> {
        let offset = self.offset();
        if self.at_word("EXISTS") && self.ahead(1).is_symbol("(") {
            self.next();
            let query = Box::new(self.subquery()?);
            return Ok(Expression { offset, kind: ExpressionKind::Exists(query) });
        }
        if self.at_word("XMLEXISTS") {
            return Err(self.unsupported("XMLEXISTS"));
        }
        let left = self.additive()?;
        if left.kind.is_condition() {
            return Ok(left);
        }
        if let Some(operator) = self.comparison() {
            return self.compared(left, operator);
        }
        if self.take("IS") {
            return self.is_predicate(left);
        }
        let negated = self.at_word("NOT") && self.ahead(1).word().is_some_and(|word| matches!(word, "BETWEEN" | "IN" | "LIKE"));
        if negated {
            self.next();
        }
        let value = Box::new(left);
        let kind = match self.take_one(&["BETWEEN", "IN", "LIKE"]) {
            Some("BETWEEN") => {
                let low = Box::new(self.value()?);
                self.expect("AND")?;
                ExpressionKind::Between { value, negated, low, high: Box::new(self.value()?) }
            }
            Some("IN") => self.in_predicate(value, negated)?,
            Some(_) => {
                let pattern = Box::new(self.value()?);
                let escape = if self.take("ESCAPE") { Some(Box::new(self.value()?)) } else { None };
                ExpressionKind::Like { value, negated, pattern, escape }
            }
            None => return Ok(*value),
        };
        Ok(Expression { offset, kind })
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let operator = match self.token().kind {
            TokenKind::Symbol("=") => Comparison::Equal,
            TokenKind::Symbol("<>") => Comparison::NotEqual,
            TokenKind::Symbol("<") => Comparison::Less,
            TokenKind::Symbol("<=") => Comparison::LessOrEqual,
            TokenKind::Symbol(">") => Comparison::Greater,
            TokenKind::Symbol(">=") => Comparison::GreaterOrEqual,
            TokenKind::Word(ref word) if word == "NOT" => return self.negated_comparison(),
            _ => return None,
        };
        self.next();
        Some(operator)
    }

    /// NOT =, NOT < and NOT >, as old programs have it.
    fn negated_comparison(&mut self) -> Option<Comparison> {
        let operator = match self.ahead(1).kind {
            TokenKind::Symbol("=") => Comparison::NotEqual,
            TokenKind::Symbol("<") => Comparison::GreaterOrEqual,
            TokenKind::Symbol(">") => Comparison::LessOrEqual,
            _ => return None,
        };
        self.next();
        self.next();
        Some(operator)
    }

    fn compared(&mut self, left: Expression, operator: Comparison) -> Result<Expression, Problem> {
        let offset = left.offset;
        let left = Box::new(left);
        let quantified = self.ahead(1).is_symbol("(");
        if quantified && let Some(quantifier) = self.take_one(&["ALL", "ANY", "SOME"]) {
            let query = Box::new(self.subquery()?);
            return Ok(Expression { offset, kind: ExpressionKind::Quantified { left, operator, all: quantifier == "ALL", query } });
        }
        let right = Box::new(self.value()?);
        Ok(Expression { offset, kind: ExpressionKind::Compare { left, operator, right } })
    }

    /// Behind IS.
    fn is_predicate(&mut self, left: Expression) -> Result<Expression, Problem> {
        let offset = left.offset;
        let negated = self.take("NOT");
        if self.take("NULL") {
            return Ok(Expression { offset, kind: ExpressionKind::IsNull { value: Box::new(left), negated } });
        }
        if self.take_words(&["DISTINCT", "FROM"]) {
            let right = Box::new(self.value()?);
            return Ok(Expression { offset, kind: ExpressionKind::Distinct { left: Box::new(left), negated, right } });
        }
        Err(self.unexpected("NULL NOT DISTINCT"))
    }

    /// Behind IN: a fullselect or a list in parentheses, or one value.
    fn in_predicate(&mut self, value: Box<Expression>, negated: bool) -> Result<ExpressionKind, Problem> {
        if !self.at_symbol("(") {
            return Ok(ExpressionKind::InList { value, negated, list: vec![self.value()?] });
        }
        if self.at_subquery() {
            return Ok(ExpressionKind::InQuery { value, negated, query: Box::new(self.subquery()?) });
        }
        let mut list = self.parenthesized(Self::in_item)?;
        if let [Expression { kind: ExpressionKind::Subquery(_), .. }] = &list[..]
            && let Some(Expression { kind: ExpressionKind::Subquery(query), .. }) = list.pop()
        {
            return Ok(ExpressionKind::InQuery { value, negated, query });
        }
        Ok(ExpressionKind::InList { value, negated, list })
    }

    /// One item of IN (...). A fullselect may go on behind its first part.
    fn in_item(&mut self) -> Result<Expression, Problem> {
        let value = self.value()?;
        self.continued_subquery(value)
    }
}
