//! The load module: one file holding the machine code of a compilation unit (a program and those nested in it), its
//! constants, the initial image of its storage, and the maps that dumps, traces and debuggers read.
//!
//! Layout of the file (all integers little-endian; [`format`] writes and reads it):
//!
//! | bytes | contents |
//! | --- | --- |
//! | 0..4096 | header: magic, versions, source hash, CPU features, CRC, then one (offset, length) pair for each section |
//! | page-aligned | code: position independent, no relocations; mapped readable and executable |
//! | page-aligned, directly after | constants: literals, attributes, edit programs; code reaches them PC-relative |
//! | | images: initial WORKING-STORAGE and LOCAL-STORAGE of each program |
//! | | programs, lines, traps, symbols, C program, source and operands, [`debugging`]: metadata, decoded once when the module is loaded |
//!
//! Invariants: a module is mapped once and shared by all tasks through an `Arc`; no page of it is ever writable; a file whose magic,
//! version, slot table version, features or CRC do not match is refused before any of its code is executed.

mod bytes;
pub mod debugging;
mod format;
mod map;

use std::any::Any;
use std::sync::{Arc, OnceLock};

pub use format::{FORMAT_VERSION, ModuleImage, constants_offset};
pub use map::{LoadError, Location, Module, loaded, locate};

/// Properties of a program (a set of bits).
pub mod attributes {
    /// Contains EXEC CICS: expects the EXEC interface block and a communication area.
    pub const CICS: u32 = 0x0001;
    /// PROGRAM-ID ... INITIAL: WORKING-STORAGE is initialized at each CALL.
    pub const INITIAL: u32 = 0x0002;
    /// PROGRAM-ID ... RECURSIVE.
    pub const RECURSIVE: u32 = 0x0004;
    /// PROGRAM-ID ... COMMON: may be called by its siblings.
    pub const COMMON: u32 = 0x0008;
    /// A user-defined function.
    pub const FUNCTION: u32 = 0x0020;
    /// Compiled with DYNAM.
    pub const DYNAM: u32 = 0x0040;
    /// DECIMAL-POINT IS COMMA.
    pub const DECIMAL_COMMA: u32 = 0x0080;
    /// Written in C: the module's [`super::CProgram`] describes how its copies are created.
    pub const C: u32 = 0x0100;
    /// Compiled with XPLINK: runs on a TCB of mode X8 or X9.
    pub const XPLINK: u32 = 0x0200;
    /// Compiled with DISPSIGN(SEP).
    pub const SIGN_SEPARATE: u32 = 0x0400;
    /// Compiled with VLR(COMPAT): file status 04 is not given.
    pub const LENGTH_CONFLICT_HIDDEN: u32 = 0x0800;
    /// Written in C without main: entered by CALL only.
    pub const C_SUBPROGRAM: u32 = 0x1000;
    /// Compiled with INVDATA.
    pub const ZONES_KEPT: u32 = 0x2000;
    /// Compiled with INVDATA(CLEANSIGN).
    pub const SIGNS_CLEANED: u32 = 0x4000;
    /// Translated with NOEDF: CEDF does not show its commands.
    pub const NOEDF: u32 = 0x8000;
    /// Compiled with TEST: while the task is watched, the program tells what it reaches.
    pub const TEST: u32 = 0x1_0000;
}

/// A place where control can enter a program from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    pub name: String,
    /// Entry label to pass: 0 for the program itself, n for an ENTRY statement.
    pub label: u32,
    /// Number of USING operands.
    pub parameter_count: u32,
}

/// A record addressed through the caller or by SET ADDRESS OF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkageRecord {
    pub name: String,
    /// Offset in the frame of its base address (u32).
    pub frame_offset: u32,
    pub length: u32,
}

/// An EXTERNAL record or file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalRecord {
    pub name: String,
    pub length: u32,
    /// Offset in the frame of its address (u32).
    pub frame_offset: u32,
    /// The initial contents, set by the first program of a run unit that has it.
    pub image: AreaImage,
}

/// Bytes an area starts with.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct AreaImage {
    pub length: u32,
    /// Offset in the images section of the bytes; the area is zero past `image_length`.
    pub image_offset: u32,
    pub image_length: u32,
}

/// A label that HANDLE can name, or a paragraph: for traces and dumps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelInfo {
    pub name: String,
    /// Number to pass as entry label; 0: not enterable.
    pub number: u32,
    pub line: u32,
}

/// Behind a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResumePoint {
    /// The statement's number in its program.
    pub statement: u32,
    /// Passed to the program's entry with [`crate::abi::entry_label::RESUME`].
    pub point: u32,
}

/// Options of the compilation that decide how data behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// CCSID of alphanumeric data: 37, 1047, 1140, 819 ...
    pub ccsid: u16,
    /// `le::Arith`, `le::Trunc`, `le::Numproc`, `le::FloatFormat` as their numbers.
    pub arith: u8,
    pub trunc: u8,
    pub numproc: u8,
    pub float_format: u8,
    pub currency: u8,
    pub quote: u8,
}

/// One program of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramInfo {
    pub name: String,
    /// Index of the program that contains it.
    pub parent: Option<u32>,
    /// [`attributes`].
    pub attributes: u32,
    pub options: Options,
    pub code_offset: u32,
    pub code_length: u32,
    pub frame_length: u32,
    pub argument_capacity: u32,
    pub entries: Vec<EntryPoint>,
    pub linkage: Vec<LinkageRecord>,
    pub external: Vec<ExternalRecord>,
    pub working_storage: AreaImage,
    pub local_storage: AreaImage,
    /// Offsets in the constants of the edit programs and of the collating sequence (`u32::MAX`: none).
    pub edit_programs: u32,
    pub collating: u32,
    pub called: Vec<String>,
    pub labels: Vec<LabelInfo>,
    /// Number of the program's first statement in the module, less one.
    pub statement_base: u32,
    /// Where the program can resume behind its statements, if it registers condition handlers.
    pub resume_points: Vec<ResumePoint>,
    pub files: Vec<FileInfo>,
    /// Pointers in WORKING-STORAGE to set when the area is created: see [`Fixup`].
    pub fixups: Vec<Fixup>,
    /// Its EXEC SQL statements.
    pub sql: Vec<SqlText>,
}

/// An SQL statement as the compiler encoded it. Whoever executes it first decodes it, for all users of the module.
#[derive(Clone, Default)]
pub struct SqlText {
    pub bytes: Box<[u8]>,
    decoded: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl SqlText {
    pub fn new(bytes: Vec<u8>) -> SqlText {
        SqlText { bytes: bytes.into(), decoded: OnceLock::new() }
    }

    /// The decoded form. All callers use the same type.
    pub fn decoded(&self, decode: impl FnOnce(&[u8]) -> Arc<dyn Any + Send + Sync>) -> &Arc<dyn Any + Send + Sync> {
        self.decoded.get_or_init(|| decode(&self.bytes))
    }
}

impl PartialEq for SqlText {
    fn eq(&self, other: &SqlText) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for SqlText {}

impl std::fmt::Debug for SqlText {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.bytes))
    }
}

/// A 4-byte address to store when a program's storage is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixup {
    /// Where in WORKING-STORAGE.
    pub offset: u32,
    /// The address to store, as an offset in WORKING-STORAGE.
    pub target: u32,
}

/// How a copy of a C program is created: the code section is mapped at a page boundary, directly followed by the static.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CProgram {
    /// Offset in the code of its entry, an [`crate::abi::Entry`].
    pub entry: u32,
    /// The static: its length, and the bytes it starts with.
    pub statics: AreaImage,
    /// Offset in the static of the [`crate::abi::CLink`].
    pub link: u32,
    pub stack_length: u32,
    /// Offsets in the static of words that hold an offset from the start of the code and are to hold the address.
    pub relocations: Vec<u32>,
}

/// ORGANIZATION of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Organization {
    Sequential,
    LineSequential,
    Relative,
    Indexed,
}

impl Organization {
    /// Its records are read one behind the other only.
    pub fn is_sequential(self) -> bool {
        matches!(self, Organization::Sequential | Organization::LineSequential)
    }
}

/// ACCESS MODE of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Sequential,
    Random,
    Dynamic,
}

/// A file of the FILE SECTION.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// The file's name in the program.
    pub name: String,
    /// The assignment name: DD name of the file.
    pub assignment: String,
    pub organization: Organization,
    pub access: Access,
    pub optional: bool,
    /// Record area in WORKING-STORAGE, or EXTERNAL record.
    pub record_offset: u32,
    pub record_minimum: u32,
    pub record_maximum: u32,
    /// Offset in WORKING-STORAGE of the FILE STATUS item (`u32::MAX`: none).
    pub status_offset: u32,
    /// Variable-length: the offset of the record length item's address is given by compiled code at each operation.
    pub variable: bool,
    /// Written with ADVANCING or LINAGE: records carry a control character, unless they are lines of text.
    pub print: bool,
    /// NOADV: the first byte of a printed record is the control character; the program keeps it free.
    pub control_in_record: bool,
    /// AS in the assignment name: sequential on an entry-sequenced data set.
    pub entry_sequenced: bool,
    /// Digits of the RELATIVE KEY item, 0 when there is none.
    pub relative_digits: u8,
    /// Prime record key within the record, and alternates.
    pub keys: Vec<FileKey>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKey {
    pub offset: u32,
    pub length: u32,
    pub duplicates: bool,
}

/// Code from `offset` on belongs to this statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineEntry {
    pub offset: u32,
    pub line: u32,
    pub statement: u32,
}

/// The instruction at `offset` stops with this interruption code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrapEntry {
    pub offset: u32,
    pub code: u8,
}

/// Where a data item lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Area {
    WorkingStorage = 0,
    LocalStorage = 1,
    /// Through the linkage base with this index.
    Linkage = 2,
    External = 3,
}

/// A data item, for dumps, CEDF and debuggers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub program: u32,
    pub level: u8,
    pub area: Area,
    /// Index of the linkage base or EXTERNAL record.
    pub base: u32,
    pub offset: u32,
    pub length: u32,
    pub usage: u8,
    pub sign: u8,
    pub digits: u8,
    pub scale: i8,
    /// Occurrences, 1 for an item that is not a table.
    pub occurs: u32,
    /// Distance between its own occurrences; 0 for an item that is not a table or whose occurrences have no fixed length.
    pub stride: u32,
    /// As written, upper case; empty for groups and items without a picture.
    pub picture: String,
    /// The redefined item begins at the same place: the value is shown there too.
    pub redefines: bool,
}

/// A data item that a statement uses, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementOperand {
    /// The statement's number in the module.
    pub statement: u32,
    /// Index in the module's symbols.
    pub symbol: u32,
    /// One for each table the item is in, outermost first.
    pub subscripts: Vec<OperandSubscript>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandSubscript {
    /// Distance between occurrences.
    pub stride: u32,
    pub occurs: u32,
    /// The item that holds the occurrence number, as an index in the module's symbols; `None`: `plus` is the number.
    pub symbol: Option<u32>,
    pub plus: i32,
}

#[cfg(test)]
mod tests;
