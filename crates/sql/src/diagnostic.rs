//! A message about a statement.

/// A message about a statement. `offset` is a byte offset in its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub offset: usize,
    /// A warning: the statement is compiled all the same.
    pub warning: bool,
    pub text: String,
    /// What would be right here.
    pub expected: Option<String>,
}

impl Diagnostic {
    pub fn warning(offset: usize, text: impl Into<String>) -> Diagnostic {
        Diagnostic { offset, warning: true, text: text.into(), expected: None }
    }
}
