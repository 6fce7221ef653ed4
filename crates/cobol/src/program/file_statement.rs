//! Operands of the file statements.

use super::{FileId, ItemId, Operand, Range, Reference, Statements};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenOptions {
    pub reversed: bool,
    pub no_rewind: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CloseOptions {
    pub unit: bool,
    pub lock: bool,
    pub no_rewind: bool,
}

#[derive(Clone, Debug)]
pub struct Read {
    pub file: FileId,
    /// NEXT or sequential access; otherwise by key.
    pub next: bool,
    pub previous: bool,
    /// KEY IS: the record key or an alternate key.
    pub key: Option<ItemId>,
    /// INTO: moved by the rules of MOVE after a successful read, from the record (variable records: of the read length).
    pub into: Option<Reference>,
    /// The record item whose description the INTO move uses.
    pub into_record: Option<ItemId>,
    pub handlers: FileHandlers,
}

/// AT END / INVALID KEY / AT EOP branches. AT END and INVALID KEY never both apply.
#[derive(Clone, Debug, Default)]
pub struct FileHandlers {
    pub at_end: Option<Statements>,
    pub not_at_end: Option<Statements>,
    pub invalid_key: Option<Statements>,
    pub not_invalid_key: Option<Statements>,
    pub end_of_page: Option<Statements>,
    pub not_end_of_page: Option<Statements>,
}

#[derive(Clone, Debug)]
pub struct Write {
    pub file: FileId,
    pub record: ItemId,
    /// Moved to the record first, by the rules of MOVE.
    pub from: Option<Operand>,
    pub advancing: Option<Advancing>,
    pub handlers: FileHandlers,
}

#[derive(Clone, Debug)]
pub struct Advancing {
    pub after: bool,
    pub amount: AdvancingAmount,
}

#[derive(Clone, Debug)]
pub enum AdvancingAmount {
    Lines(Operand),
    Page,
    /// Channel 1 to 12 (C01 ...); CSP is 0.
    Channel(u8),
}

#[derive(Clone, Debug)]
pub struct Rewrite {
    pub file: FileId,
    pub record: ItemId,
    pub from: Option<Operand>,
    pub handlers: FileHandlers,
}

#[derive(Clone, Debug)]
pub struct Delete {
    pub file: FileId,
    pub handlers: FileHandlers,
}

#[derive(Clone, Debug)]
pub struct Start {
    pub file: FileId,
    /// The key of reference: record or alternate key (`None` for relative files).
    pub key: Option<ItemId>,
    /// The item that holds the value: the key itself or an item that starts it (generic, its length counts).
    pub value: Option<Reference>,
    pub operator: super::RelationOperator,
    pub handlers: FileHandlers,
}

#[derive(Clone, Debug)]
pub struct Sort {
    pub file: FileId,
    pub keys: Vec<SortKey>,
    pub duplicates: bool,
    /// Index in `SpecialNames::alphabets`.
    pub collation: Option<u32>,
    pub input: SortInput,
    pub output: SortOutput,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SortKey {
    /// An item of the sort record (its offset within the base is the key's place) or of the table element.
    pub item: ItemId,
    pub ascending: bool,
}

#[derive(Clone, Debug)]
pub enum SortInput {
    Using(Vec<FileId>),
    Procedure(Range),
}

#[derive(Clone, Debug)]
pub enum SortOutput {
    Giving(Vec<FileId>),
    Procedure(Range),
}

#[derive(Clone, Debug)]
pub struct SortTable {
    /// Reference to the table's first element's group: subscripts for outer dimensions only, plus `Subscript::Literal(1)`.
    pub table: Reference,
    pub keys: Vec<SortKey>,
    pub duplicates: bool,
    pub collation: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct ReturnRecord {
    pub file: FileId,
    pub into: Option<Reference>,
    pub into_record: Option<ItemId>,
    pub at_end: Statements,
    pub not_at_end: Option<Statements>,
}
