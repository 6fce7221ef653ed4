//! Files of the program: SELECT, FD and SD, resolved.

use super::{BaseId, FileId, ItemId, ProcedureId, Span};

/// A file of the program.
#[derive(Clone, Debug)]
pub struct File {
    pub name: Box<str>,
    /// External name: the DD name (last part of the ASSIGN name) or the literal.
    pub assign: Box<str>,
    /// The ASSIGN name contains AS: a sequential file on an entry-sequenced data set.
    pub entry_sequenced: bool,
    pub kind: FileKind,
    pub organization: Organization,
    pub access: Access,
    pub optional: bool,
    pub external: bool,
    pub global: bool,
    /// Declared in a containing program (GLOBAL): `levels` outwards, its file number there.
    pub outer: Option<(u32, FileId)>,
    /// RECORD KEY (indexed): an item of the record.
    pub record_key: Option<ItemId>,
    pub alternate_keys: Vec<AlternateKey>,
    /// RELATIVE KEY: an unsigned integer item outside the record.
    pub relative_key: Option<ItemId>,
    /// FILE STATUS: two bytes; the second item (VSAM return code, function and feedback codes) is 6 bytes.
    pub status: Option<ItemId>,
    pub vsam_status: Option<ItemId>,
    /// PASSWORD: accepted, not used.
    pub password: Option<ItemId>,
    /// All 01 records; they share `base`.
    pub records: Vec<ItemId>,
    pub base: BaseId,
    /// Bytes of the shortest and the longest record.
    pub record_min: u32,
    pub record_max: u32,
    pub recording: Recording,
    /// RECORD VARYING DEPENDING ON: length of the record read or to be written.
    pub record_depending: Option<ItemId>,
    /// BLOCK CONTAINS: largest, in records or characters; 0 = system.
    pub block_max: u32,
    pub block_in_records: bool,
    pub linage: Option<Box<Linage>>,
    /// A WRITE of the file has ADVANCING.
    pub printed: bool,
    pub code_set: Option<u32>,
    /// PADDING, RESERVE, LABEL RECORDS, DATA RECORDS, VALUE OF are checked and dropped.
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// FD.
    File,
    /// SD.
    Sort,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Organization {
    #[default]
    Sequential,
    /// Text lines with line ends (an extension: ORGANIZATION LINE SEQUENTIAL).
    LineSequential,
    Indexed,
    Relative,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Access {
    #[default]
    Sequential,
    Random,
    Dynamic,
}

/// RECORDING MODE, or the mode implied by the record descriptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Recording {
    #[default]
    Fixed,
    Variable,
    Undefined,
    Spanned,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlternateKey {
    pub item: ItemId,
    pub duplicates: bool,
}

/// LINAGE: each value is an integer or an unsigned integer item.
#[derive(Clone, Debug)]
pub struct Linage {
    pub lines: Count,
    pub footing: Option<Count>,
    pub top: Option<Count>,
    pub bottom: Option<Count>,
    /// LINAGE-COUNTER of the file, an item of the Registers base.
    pub counter: ItemId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    Fixed(u32),
    Item(ItemId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpenMode {
    Input,
    Output,
    InputOutput,
    Extend,
}

/// A procedure range, first to last inclusive (last is resolved: for a section its last paragraph).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    pub first: ProcedureId,
    pub last: ProcedureId,
}
