//! Expressions: operators by precedence. Conditions and values share the grammar; [`Parser::value`] and [`Parser::condition`] tell them apart.

use super::Parser;
use crate::ast::{DurationUnit, Expression, ExpressionKind, Operator};
use crate::lexer::{Literal, TokenKind};
use crate::problem::Problem;

impl Parser<'_> {
    /// A value.
    pub fn value(&mut self) -> Result<Expression, Problem> {
        let value = self.nested(Self::additive)?;
        if value.kind.is_condition() {
            return Err(Problem::unexpected(value.offset, "(", "<EXPRESSION>"));
        }
        Ok(value)
    }

    /// A search condition.
    pub fn condition(&mut self) -> Result<Expression, Problem> {
        let condition = self.nested(Self::disjunction)?;
        if !condition.kind.is_condition() {
            return Err(self.unexpected("= <> < > <= >= BETWEEN IN LIKE IS"));
        }
        Ok(condition)
    }

    /// A value, NULL or DEFAULT, where a column is assigned.
    pub(super) fn assigned_value(&mut self) -> Result<Expression, Problem> {
        let offset = self.offset();
        if self.at_word("DEFAULT") && !self.ahead(1).is_symbol("(") && !self.ahead(1).is_symbol(".") {
            self.next();
            return Ok(Expression { offset, kind: ExpressionKind::Default });
        }
        self.value()
    }

    /// Operands of + - and CONCAT, from left to right.
    pub(super) fn additive(&mut self) -> Result<Expression, Problem> {
        let mut first = self.multiplicative()?;
        if self.duration_unit(0).is_some() && self.ahead(1).is_symbol("+") {
            first = self.duration(first);
        }
        let mut rest = Vec::new();
        while let Some(operator) = self.additive_operator() {
            let operand = self.multiplicative()?;
            let labelled = operator != Operator::Concatenate && self.duration_unit(0).is_some();
            rest.push((operator, if labelled { self.duration(operand) } else { operand }));
        }
        Ok(chain(first, rest))
    }

    fn additive_operator(&mut self) -> Option<Operator> {
        let operator = match &self.token().kind {
            TokenKind::Symbol("+") => Operator::Add,
            TokenKind::Symbol("-") => Operator::Subtract,
            TokenKind::Symbol("||") => Operator::Concatenate,
            TokenKind::Word(word) if word == "CONCAT" => Operator::Concatenate,
            _ => return None,
        };
        self.next();
        Some(operator)
    }

    fn multiplicative(&mut self) -> Result<Expression, Problem> {
        let first = self.unary()?;
        let mut rest = Vec::new();
        loop {
            let operator = match self.token().kind {
                TokenKind::Symbol("*") => Operator::Multiply,
                TokenKind::Symbol("/") => Operator::Divide,
                _ => return Ok(chain(first, rest)),
            };
            self.next();
            rest.push((operator, self.unary()?));
        }
    }

    fn unary(&mut self) -> Result<Expression, Problem> {
        let offset = self.offset();
        if self.take_symbol("-") {
            let value = self.nested(Self::unary)?;
            return Ok(Expression { offset, kind: ExpressionKind::Negative(Box::new(value)) });
        }
        if self.take_symbol("+") {
            return self.nested(Self::unary);
        }
        self.primary()
    }

    fn duration_unit(&self, ahead: usize) -> Option<DurationUnit> {
        Some(match self.ahead(ahead).word()? {
            "YEAR" | "YEARS" => DurationUnit::Years,
            "MONTH" | "MONTHS" => DurationUnit::Months,
            "DAY" | "DAYS" => DurationUnit::Days,
            "HOUR" | "HOURS" => DurationUnit::Hours,
            "MINUTE" | "MINUTES" => DurationUnit::Minutes,
            "SECOND" | "SECONDS" => DurationUnit::Seconds,
            "MICROSECOND" | "MICROSECONDS" => DurationUnit::Microseconds,
            _ => return None,
        })
    }

    /// `value` with the unit that is next.
    fn duration(&mut self, value: Expression) -> Expression {
        let unit = self.duration_unit(0).expect("the caller has seen the unit");
        self.next();
        Expression { offset: value.offset, kind: ExpressionKind::Duration { value: Box::new(value), unit } }
    }

    /// CASE ... END; CASE is taken.
    pub(super) fn case(&mut self, offset: usize) -> Result<Expression, Problem> {
        let operand = if self.at_word("WHEN") { None } else { Some(self.value()?) };
        let mut branches = Vec::new();
        while self.take("WHEN") {
            let when = if operand.is_some() { self.value()? } else { self.condition()? };
            self.expect("THEN")?;
            branches.push((when, self.value()?));
        }
        if branches.is_empty() {
            return Err(self.unexpected("WHEN"));
        }
        let otherwise = if self.take("ELSE") { Some(self.value()?) } else { None };
        self.expect("END")?;
        let case = crate::ast::Case { operand, branches, otherwise };
        Ok(Expression { offset, kind: ExpressionKind::Case(Box::new(case)) })
    }

    /// CAST(value AS type); CAST is taken.
    pub(super) fn cast(&mut self, offset: usize) -> Result<Expression, Problem> {
        self.expect_symbol("(")?;
        let value = self.value()?;
        self.expect("AS")?;
        let to = self.data_type()?;
        self.expect_symbol(")")?;
        Ok(Expression { offset, kind: ExpressionKind::Cast { value: Box::new(value), to } })
    }

    /// A constant, if one is next.
    pub(super) fn literal(&mut self) -> Option<Expression> {
        let TokenKind::Literal(literal) = &self.token().kind else { return None };
        let literal: Literal = literal.clone();
        let offset = self.next().offset;
        Some(Expression { offset, kind: ExpressionKind::Literal(literal) })
    }
}

/// The operands as one expression.
fn chain(first: Expression, rest: Vec<(Operator, Expression)>) -> Expression {
    if rest.is_empty() {
        return first;
    }
    Expression { offset: first.offset, kind: ExpressionKind::Chain { first: Box::new(first), rest } }
}
