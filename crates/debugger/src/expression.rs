//! Expressions of a user: items by their names, literals, relations and conditions, evaluated in a stopped program.
//!
//! The language is that of COBOL conditions: names qualified by OF or IN, subscripts, reference modification, literals, figurative
//! constants, condition-names, relations, the class conditions NUMERIC and ALPHABETIC, AND, OR, NOT, and `+ - *` between numbers. A `-`
//! within a word belongs to the word.
//!
//! Invariants: an expression is parsed without a program, so a breakpoint has its condition before its program is loaded; it is at most
//! [`TEXT_MAX`] characters long, nested [`NESTING_MAX`] deep and has at most [`OPERATORS_MAX`] operators, because the stopped task evaluates it
//! on its own stack, a level for each; evaluation reads storage and changes nothing.

mod evaluate;
mod parse;

pub use evaluate::{Value, constant_value, holds};
pub use parse::parse;

use le::Decimal;
use le::class::Class;
use le::movement::Figurative;
use std::cmp::Ordering;

pub const TEXT_MAX: usize = 4000;
const NESTING_MAX: usize = 40;
/// `A + B + C` is nested as deep as it has operators.
const OPERATORS_MAX: usize = 60;

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Item(Reference),
    Number(Decimal),
    Characters(String),
    /// N'...'
    National(String),
    /// X'...'
    Bytes(Vec<u8>),
    Figurative(Figurative),
    /// ALL 'literal'
    All(String),
    /// LENGTH OF item
    Length(Reference),
    /// ADDRESS OF item
    Address(Reference),
    Arithmetic(Box<Expression>, Operator, Box<Expression>),
    Relation(Box<Expression>, Relation, Box<Expression>),
    /// IS NUMERIC and the like.
    Class(Box<Expression>, Class),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
}

/// An item by its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    pub name: String,
    /// The groups it is in, innermost first.
    pub qualifiers: Vec<String>,
    pub subscripts: Vec<Expression>,
    /// First character from 1, and how many.
    pub modification: Option<(Box<Expression>, Option<Box<Expression>>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Relation {
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Relation::Equal => ordering.is_eq(),
            Relation::NotEqual => ordering.is_ne(),
            Relation::Less => ordering.is_lt(),
            Relation::LessOrEqual => ordering.is_le(),
            Relation::Greater => ordering.is_gt(),
            Relation::GreaterOrEqual => ordering.is_ge(),
        }
    }

    fn negated(self) -> Relation {
        match self {
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::Less => Relation::GreaterOrEqual,
            Relation::LessOrEqual => Relation::Greater,
            Relation::Greater => Relation::LessOrEqual,
            Relation::GreaterOrEqual => Relation::Less,
        }
    }
}
