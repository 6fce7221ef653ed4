//! The statements of one compilation unit: what they declare, and their translation one by one.

use crate::statement::Variable;

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
    pub role: Role,
    /// A host structure may stand here, in place of its elementary items.
    pub structure: bool,
    /// A host variable array may stand here (FETCH FOR n ROWS, INSERT FOR n ROWS).
    pub array: bool,
}

/// The elementary host variables that one reference stands for: one, or those of a structure.
pub type Expansion = Vec<Variable>;

/// Options of the coprocessor that change the translation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitOptions {
    /// DEC(15) or DEC(31).
    pub decimal_precision: u8,
    /// Decimal point is a comma.
    pub comma: bool,
    /// The program's CCSID, for literals in hexadecimal.
    pub ccsid: u16,
    /// APOSTSQL (the default) or QUOTESQL.
    pub quote_sql: bool,
    /// Characters compare and sort in the sequence of the EBCDIC code page.
    pub ebcdic_order: bool,
}

impl Default for UnitOptions {
    fn default() -> UnitOptions {
        UnitOptions { decimal_precision: 15, comma: false, ccsid: 37, quote_sql: false, ebcdic_order: true }
    }
}
