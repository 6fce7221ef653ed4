//! The host variables of a statement, as the statement names them.

use crate::statement::Variable;

/// What a statement does with a host variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    In,
    Out,
    InOut,
    /// An SQLDA.
    Descriptor,
    /// Text of a statement, name of a table or procedure: a character string.
    Text,
}

/// One occurrence of a host variable, in the order of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostReference {
    /// As written, outermost qualifier first, upper case: `GROUP.ITEM` and `ITEM OF GROUP` are both `["GROUP", "ITEM"]`.
    pub name: Vec<String>,
    pub indicator: Option<Vec<String>>,
    pub offset: usize,
    /// Of the indicator, if there is one.
    pub indicator_offset: usize,
    pub role: Role,
    /// A host structure may stand here, in place of its elementary items.
    pub structure: bool,
    /// A host variable array may stand here (FETCH FOR n ROWS, INSERT FOR n ROWS).
    pub array: bool,
}

/// The elementary host variables that one reference stands for: one, or those of a structure.
pub type Expansion = Vec<Variable>;
