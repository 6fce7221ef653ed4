//! Conveniences on the typed program for listings and tests.

use super::{CompareKind, RelationOperator, Size};

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

impl CompareKind {
    /// Comparison of values rather than of characters.
    pub fn is_algebraic(self) -> bool {
        matches!(self, CompareKind::Numeric | CompareKind::Float | CompareKind::Index)
    }
}

impl Size {
    /// Adds a fixed number of bytes.
    pub fn plus(mut self, bytes: u32) -> Size {
        self.fixed += bytes;
        self
    }
}
