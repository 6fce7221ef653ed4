//! The syntax tree of a statement. Names are folded; offsets are those of the first token of each part.

mod expression;
mod query;
mod statement;
mod types;

pub use expression::*;
pub use query::*;
pub use statement::*;
pub use types::*;

/// A name with its qualifiers, outermost first. An ordinary identifier is in upper case.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Name {
    pub offset: usize,
    /// At least one.
    pub parts: Vec<String>,
}

impl Name {
    /// The unqualified name.
    pub fn last(&self) -> &str {
        self.parts.last().expect("a name has a part")
    }

    pub fn qualifiers(&self) -> &[String] {
        &self.parts[..self.parts.len() - 1]
    }
}
