//! EXEC SQL statements.

use super::{ProcedureId, Reference};

/// One executable EXEC SQL statement.
#[derive(Clone, Debug)]
pub struct ExecSql {
    /// Index of the compiled statement in [`super::Program::sql`].
    pub statement: u32,
    /// In the order of the compiled statement's variables.
    pub variables: Vec<SqlOperand>,
    pub result: SqlResult,
    pub whenever: Whenever,
    /// The statement as written, blanks compressed, for the listing.
    pub text: Box<str>,
}

/// A host variable: one elementary item, or the first element of an array.
#[derive(Clone, Debug)]
pub struct SqlOperand {
    pub data: Reference,
    pub indicator: Option<Reference>,
    /// The statement sets it.
    pub is_set: bool,
}

/// Where the statement tells how it ended.
#[derive(Clone, Debug, Default)]
pub struct SqlResult {
    pub sqlca: Option<Reference>,
    /// Without an SQLCA: a fullword SQLCODE and five characters SQLSTATE.
    pub sqlcode: Option<Reference>,
    pub sqlstate: Option<Reference>,
}

/// The WHENEVER statements in force: where control goes. `None`: CONTINUE.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whenever {
    pub not_found: Option<ProcedureId>,
    pub error: Option<ProcedureId>,
    pub warning: Option<ProcedureId>,
}

impl Whenever {
    /// Where control may go.
    pub fn targets(self) -> impl Iterator<Item = ProcedureId> {
        [self.not_found, self.error, self.warning].into_iter().flatten()
    }
}
