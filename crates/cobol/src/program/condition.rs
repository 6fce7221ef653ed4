//! Conditions: every condition-name and abbreviation is expanded, and every relation has its kind of comparison.

use super::{Expression, Operand, Reference, Span};

#[derive(Clone, Debug)]
pub enum Condition {
    Relation(Box<Relation>),
    Class(Box<ClassCondition>),
    /// Sign of an arithmetic expression.
    Sign {
        expression: Box<Expression>,
        sign: SignTest,
        negated: bool,
    },
    /// A condition-name of an UPSI switch (0 to 7), or [`DEBUG_SWITCH`].
    Switch {
        switch: u8,
        on: bool,
    },
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
    Constant(bool),
}

/// Number of the object-time switch for debugging (run-time option DEBUG), beside the UPSI switches.
pub const DEBUG_SWITCH: u8 = 8;

#[derive(Clone, Debug)]
pub struct Relation {
    pub left: Operand,
    pub operator: RelationOperator,
    pub right: Operand,
    pub kind: CompareKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RelationOperator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl RelationOperator {
    /// The operator that holds exactly when this one does not.
    pub fn negated(self) -> RelationOperator {
        match self {
            RelationOperator::Equal => RelationOperator::NotEqual,
            RelationOperator::NotEqual => RelationOperator::Equal,
            RelationOperator::Less => RelationOperator::GreaterOrEqual,
            RelationOperator::LessOrEqual => RelationOperator::Greater,
            RelationOperator::Greater => RelationOperator::LessOrEqual,
            RelationOperator::GreaterOrEqual => RelationOperator::Less,
        }
    }

    /// The operator with the operands exchanged.
    pub fn swapped(self) -> RelationOperator {
        match self {
            RelationOperator::Less => RelationOperator::Greater,
            RelationOperator::LessOrEqual => RelationOperator::GreaterOrEqual,
            RelationOperator::Greater => RelationOperator::Less,
            RelationOperator::GreaterOrEqual => RelationOperator::LessOrEqual,
            same => same,
        }
    }
}

/// How two operands compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareKind {
    /// By algebraic value; both operands are numeric (items, literals, expressions, ZERO).
    Numeric,
    /// By value, in floating point (an operand is floating point).
    Float,
    /// Byte by byte, the shorter padded with spaces, by the collating sequence. An integer item (of any usage) or integer literal is
    /// compared by its digits (as moved to an alphanumeric item of as many characters; ZWB drops the sign). A figurative constant or ALL
    /// literal is repeated to the other's length.
    Alphanumeric,
    /// UTF-16 units, the shorter padded with national spaces; the alphanumeric operand is converted.
    National,
    /// Index-names and index data items against each other or integers: by occurrence number.
    Index,
    /// Pointers: equal or not; NULL is zero.
    Pointer,
}

#[derive(Clone, Debug)]
pub struct ClassCondition {
    pub operand: Operand,
    pub class: ClassTest,
    pub negated: bool,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassTest {
    /// By the item's usage and sign (and NUMPROC).
    Numeric,
    Alphabetic,
    AlphabeticLower,
    AlphabeticUpper,
    Dbcs,
    Kanji,
    /// Index in `SpecialNames::classes`.
    User(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignTest {
    Positive,
    Negative,
    Zero,
}

/// A receiver of an address: SET ADDRESS OF and EXEC CICS SET.
#[derive(Clone, Debug)]
pub enum AddressTarget {
    /// ADDRESS OF a level 01 or 77 of the LINKAGE SECTION: store into the base.
    Base(super::ItemId),
    /// A pointer item: 4 bytes. (Or an S9(8) COMP item in EXEC CICS: the old BLL style.)
    Item(Reference),
}
