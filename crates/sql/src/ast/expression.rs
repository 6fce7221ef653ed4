//! Expressions and search conditions.

use super::{DataType, Name, Query, SortKey};
use crate::lexer::Literal;

/// A value, a row of values or a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    pub offset: usize,
    pub kind: ExpressionKind,
}

/// Chains of one precedence are lists, so that their length costs no depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExpressionKind {
    Literal(Literal),
    Null,
    /// DEFAULT, where a value is assigned.
    Default,
    /// Index of the host reference.
    Host(usize),
    /// Number of the parameter marker, from 0.
    Marker(usize),
    Column(Name),
    /// `*` in COUNT(*).
    Star,
    Negative(Box<Expression>),
    /// Operators of one precedence from left to right.
    Chain {
        first: Box<Expression>,
        rest: Vec<(Operator, Expression)>,
    },
    Duration {
        value: Box<Expression>,
        unit: DurationUnit,
    },
    Case(Box<Case>),
    Cast {
        value: Box<Expression>,
        to: DataType,
    },
    Call(Box<Call>),
    /// A special register, its words separated by blanks: `CURRENT SQLID`; the precision of CURRENT TIMESTAMP(n).
    Register {
        name: String,
        precision: Option<u8>,
    },
    Subquery(Box<Query>),
    /// (a, b) of two or more.
    Row(Vec<Expression>),
    Sequence {
        next: bool,
        name: Name,
    },
    /// ROW CHANGE TIMESTAMP or TOKEN FOR table.
    RowChange {
        token: bool,
        table: Name,
    },
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
    Compare {
        left: Box<Expression>,
        operator: Comparison,
        right: Box<Expression>,
    },
    Quantified {
        left: Box<Expression>,
        operator: Comparison,
        all: bool,
        query: Box<Query>,
    },
    Between {
        value: Box<Expression>,
        negated: bool,
        low: Box<Expression>,
        high: Box<Expression>,
    },
    InList {
        value: Box<Expression>,
        negated: bool,
        list: Vec<Expression>,
    },
    InQuery {
        value: Box<Expression>,
        negated: bool,
        query: Box<Query>,
    },
    Like {
        value: Box<Expression>,
        negated: bool,
        pattern: Box<Expression>,
        escape: Option<Box<Expression>>,
    },
    Exists(Box<Query>),
    IsNull {
        value: Box<Expression>,
        negated: bool,
    },
    Distinct {
        left: Box<Expression>,
        negated: bool,
        right: Box<Expression>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Concatenate,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DurationUnit {
    Years,
    Months,
    Days,
    Hours,
    Minutes,
    Seconds,
    Microseconds,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// CASE operand WHEN value.
    pub operand: Option<Expression>,
    pub branches: Vec<(Expression, Expression)>,
    pub otherwise: Option<Expression>,
}

/// A function call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub name: Name,
    pub distinct: bool,
    pub arguments: Vec<Expression>,
    /// A keyword of the call: the unit of EXTRACT, TRIM's LEADING, CODEUNITS32.
    pub keyword: Option<String>,
    /// ORDER BY in LISTAGG's WITHIN GROUP or in ARRAY_AGG.
    pub order: Vec<SortKey>,
    pub over: Option<Window>,
}

/// OVER (...).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Window {
    pub partition: Vec<Expression>,
    pub order: Vec<SortKey>,
    /// ROWS or RANGE and its bounds, in the words of the standard.
    pub frame: Option<String>,
}

impl ExpressionKind {
    /// A search condition, not a value.
    pub fn is_condition(&self) -> bool {
        use ExpressionKind::*;
        matches!(
            self,
            And(_)
                | Or(_)
                | Not(_)
                | Compare { .. }
                | Quantified { .. }
                | Between { .. }
                | InList { .. }
                | InQuery { .. }
                | Like { .. }
                | Exists(_)
                | IsNull { .. }
                | Distinct { .. }
        )
    }
}
