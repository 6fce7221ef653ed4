//! The typed program: the output of the front end for the code generator. Names are resolved, layout is done, literals are encoded in the
//! program's code page, abbreviations are expanded; the code generator needs no knowledge of COBOL syntax.
//!
//! Invariants:
//! - Every identifier ([`ItemId`], [`BaseId`], [`FileId`], [`ProcedureId`] ...) indexes the arena of the same [`Program`]; a nested program
//!   has its own arenas and reaches an outer program's storage through [`BaseKind::Outer`].
//! - Items are in source order (preorder), so a group's descendants are the items `id+1 .. end`.
//! - Offsets and lengths are in bytes. A length or offset that depends on OCCURS DEPENDING ON is a [`Size`] with terms.
//! - Label numbers start at 1; number 0 means "none" and, as an entry label, the normal start.

mod condition;
mod data;
mod exec;
mod expression;
mod file;
mod file_statement;
mod markup;
mod nesting;
mod sql;
mod statement;

pub use condition::*;
pub use data::*;
pub use exec::*;
pub use expression::*;
pub use file::*;
pub use file_statement::*;
pub use markup::*;
pub use nesting::*;
pub use sql::*;
pub use statement::*;

use crate::options::Options;
pub use crate::span::Span;

/// One program: an outermost program or a nested one.
#[derive(Clone, Debug)]
pub struct Program {
    /// PROGRAM-ID as PGMNAME processes it.
    pub name: Box<str>,
    pub options: Options,
    pub initial: bool,
    pub recursive: bool,
    pub common: bool,
    /// The program was translated for CICS: its first two parameters are DFHEIBLK and DFHCOMMAREA.
    pub cics: bool,
    pub span: Span,

    /// Areas of storage; every item is in one.
    pub bases: Vec<Base>,
    pub items: Vec<Item>,
    /// Level-88 names. Conditions in statements are already expanded; kept for the data map and the listing.
    pub condition_names: Vec<ConditionName>,
    pub files: Vec<File>,
    pub special_names: SpecialNames,
    /// Special registers that the program has, by what they are.
    pub registers: Registers,

    /// Paragraphs and sections in source order; control falls from one into the next.
    pub procedures: Vec<Procedure>,
    /// The procedure where execution starts (after the declaratives). `None`: no procedure division.
    pub start: Option<ProcedureId>,
    /// PROCEDURE DIVISION USING.
    pub parameters: Vec<Parameter>,
    /// PROCEDURE DIVISION RETURNING: a linkage item.
    pub returning: Option<ItemId>,
    /// ENTRY statements; entry point number n of the program is `entries[n]`.
    pub entries: Vec<Entry>,
    /// Label table: label number n is `labels[n - 1]`. Used by EXEC CICS HANDLE and by ENTRY.
    pub labels: Vec<Label>,
    /// USE procedures.
    pub declaratives: Vec<Declarative>,
    /// The number of statements, which are numbered from 1 in source order.
    pub statement_count: u32,
    /// Calls of user-defined functions; see [`FunctionCall::user`].
    pub user_calls: Vec<UserCall>,
    /// EXEC SQL statements, as `sql::Statement::encode` gives them.
    pub sql: Vec<Vec<u8>>,

    pub nested: Vec<Program>,
}

/// Index of a [`Base`] of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct BaseId(pub u32);
/// Index of an [`Item`] of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ItemId(pub u32);
/// Index of a [`ConditionName`] of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ConditionNameId(pub u32);
/// Index of a [`File`] of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FileId(pub u32);
/// Index of a [`Procedure`] of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ProcedureId(pub u32);
/// Index of an [`Entry`] of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EntryId(pub u32);
/// Number of a label: index in [`Program::labels`] plus 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct LabelNumber(pub u32);

/// A parameter of PROCEDURE DIVISION USING or ENTRY USING.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// A level 01 or 77 item of the LINKAGE SECTION: its base takes the argument's address (BY REFERENCE) or the
    /// address of a private copy (BY VALUE).
    pub item: ItemId,
    pub by_value: bool,
}

/// A secondary entry point (ENTRY statement).
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: Box<str>,
    pub parameters: Vec<Parameter>,
    /// The label under which the compiled program is entered there; its [`Label`] is `Label::Entry` of this entry.
    pub label: LabelNumber,
    /// SERVICE LABEL: never called; a condition handler lets the program resume there.
    pub is_service_label: bool,
    pub span: Span,
}

/// The target of a label number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    Procedure(ProcedureId),
    /// The [`StatementKind::Entry`] statement of that entry.
    Entry(EntryId),
}

/// A paragraph or a section. A section's own statements are those before its first paragraph.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Empty for statements before the first paragraph name.
    pub name: Box<str>,
    pub kind: ProcedureKind,
    /// The section that contains it; for a section, itself.
    pub section: Option<ProcedureId>,
    /// Its last procedure: a section's last paragraph; a paragraph itself. A PERFORM of it returns after that one.
    pub last: ProcedureId,
    pub statements: Vec<Statement>,
    pub in_declaratives: bool,
    /// Segment number of a section; 50 to 99 are independent segments, whose ALTERs are reset on entry.
    pub segment: u8,
    /// An ALTER names it: its single GO TO is changed at run time. `alterable[n]` numbers them from 0.
    pub altered: Option<u32>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcedureKind {
    Section,
    Paragraph,
}

/// A USE procedure of the declaratives.
#[derive(Clone, Debug)]
pub struct Declarative {
    /// The section; performed from its first to its last paragraph.
    pub section: ProcedureId,
    pub trigger: Trigger,
    pub global: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// USE AFTER ERROR ON these files.
    Files(Vec<FileId>),
    /// USE AFTER ERROR ON INPUT, OUTPUT, I-O or EXTEND.
    Mode(OpenMode),
    /// USE FOR DEBUGGING: never taken (debugging sections run only WITH DEBUGGING MODE, which is not supported).
    Debugging,
}

/// Special registers present in the program (created when referred to, the first always).
#[derive(Clone, Copy, Default, Debug)]
pub struct Registers {
    /// S9(4) COMP.
    pub return_code: Option<ItemId>,
    /// 9(5) COMP.
    pub tally: Option<ItemId>,
    /// S9(4) COMP.
    pub sort_return: Option<ItemId>,
    pub sort_control: Option<ItemId>,
    pub sort_core_size: Option<ItemId>,
    pub sort_file_size: Option<ItemId>,
    pub sort_message: Option<ItemId>,
    pub sort_mode_size: Option<ItemId>,
    pub shift_in: Option<ItemId>,
    pub shift_out: Option<ItemId>,
    /// X(16), set when compiled.
    pub when_compiled: Option<ItemId>,
    /// DFHEIBLK of the CICS translator: a linkage item.
    pub eib: Option<ItemId>,
    pub commarea: Option<ItemId>,
}

/// Names of the SPECIAL-NAMES paragraph that matter at run time.
#[derive(Clone, Debug, Default)]
pub struct SpecialNames {
    pub decimal_point_is_comma: bool,
    /// Currency signs: the picture symbol and the string it edits to (code page bytes).
    pub currencies: Vec<Currency>,
    /// User-defined alphabets; `collation` names the one for PROGRAM COLLATING SEQUENCE.
    pub alphabets: Vec<Alphabet>,
    pub collation: Option<u32>,
    pub classes: Vec<CharacterClass>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Currency {
    pub symbol: u8,
    pub sign: Box<[u8]>,
}

/// An alphabet-name: the rank of each character of the code page. Rank order is the collating order.
#[derive(Clone, Debug)]
pub struct Alphabet {
    pub name: Box<str>,
    pub ranks: Box<[u8; 256]>,
    /// NATIVE or STANDARD in the order of the code page: no translation needed.
    pub native: bool,
}

/// CLASS name IS ...: which bytes belong to it.
#[derive(Clone, Debug)]
pub struct CharacterClass {
    pub name: Box<str>,
    pub members: Box<[bool; 256]>,
}

impl Program {
    pub fn item(&self, id: ItemId) -> &Item {
        &self.items[id.0 as usize]
    }

    /// The level 01 or 77 item that contains it.
    pub fn root(&self, id: ItemId) -> ItemId {
        let mut item = id;
        while let Some(parent) = self.item(item).parent {
            item = parent;
        }
        item
    }

    pub fn base(&self, id: BaseId) -> &Base {
        &self.bases[id.0 as usize]
    }

    pub fn file(&self, id: FileId) -> &File {
        &self.files[id.0 as usize]
    }

    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0 as usize]
    }

    /// The direct subordinates of a group, in order, without the level-66 names.
    pub fn children(&self, id: ItemId) -> Children<'_> {
        Children { items: &self.items, next: id.0 + 1, end: self.item(id).end.0 }
    }

    /// Like [`Program::children`] for a group that is still being built: its members so far.
    pub(crate) fn open_children(&self, id: ItemId) -> Children<'_> {
        Children { items: &self.items, next: id.0 + 1, end: self.items.len() as u32 }
    }
}

/// Iterator over the direct subordinates of a group.
pub struct Children<'a> {
    items: &'a [Item],
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = ItemId;

    fn next(&mut self) -> Option<ItemId> {
        if self.next >= self.end {
            return None;
        }
        let id = ItemId(self.next);
        self.next = self.items[self.next as usize].end.0.max(self.next + 1);
        Some(id)
    }
}
