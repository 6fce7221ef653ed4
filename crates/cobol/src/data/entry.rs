//! Data description entries as parsed: clauses with names not yet resolved.

use crate::names::QualifiedName;
use crate::program::{Literal, Span, Usage, ValueRange};

#[derive(Clone, Debug)]
pub struct OccursClause {
    pub min: u32,
    pub max: u32,
    pub depending: Option<QualifiedName>,
    pub keys: Vec<(QualifiedName, bool)>,
    pub indexes: Vec<(Box<str>, Span)>,
    /// OCCURS n TO UNBOUNDED.
    pub unbounded: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct SignClause {
    pub leading: bool,
    pub separate: bool,
}

/// One data description entry.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    pub level: u8,
    /// `None`: FILLER or no name.
    pub name: Option<Box<str>>,
    pub span: Span,
    pub picture: Option<(Box<str>, Span)>,
    pub usage: Option<Usage>,
    pub sign: Option<SignClause>,
    pub occurs: Option<OccursClause>,
    pub redefines: Option<(Box<str>, Span)>,
    pub renames: Option<(QualifiedName, Option<QualifiedName>)>,
    pub justified: bool,
    pub blank_when_zero: bool,
    pub synchronized: bool,
    pub global: bool,
    pub external: bool,
    pub external_name: Option<Box<str>>,
    pub value: Option<Literal>,
    /// Level 88: VALUE literals; also several VALUES on a table item.
    pub values: Vec<ValueRange>,
    pub false_value: Option<Literal>,
    /// Described like this elementary item (SAME AS, of the report writer's saved controls).
    pub same_as: Option<QualifiedName>,
    /// BYTE-LENGTH of a UTF-8 item.
    pub byte_length: Option<u32>,
    /// DYNAMIC LENGTH: the limit in characters.
    pub dynamic: Option<u32>,
    /// GROUP-USAGE: NATIONAL or UTF-8.
    pub group_usage: Option<Usage>,
    /// SQL TYPE: the type of the host variable, and its length.
    pub sql_type: Option<(sql::VariableType, u32)>,
}

/// The section an entry stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    File(crate::program::FileId),
    Working,
    Local,
    Linkage,
}
