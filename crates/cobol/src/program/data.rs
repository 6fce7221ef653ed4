//! Data items and the areas that contain them, after layout.

use super::{BaseId, ConditionNameId, FileId, ItemId, Literal, Span};

/// An area of storage with one address at run time.
#[derive(Clone, Debug)]
pub struct Base {
    pub kind: BaseKind,
    /// Bytes, the maximum where OCCURS DEPENDING makes it vary.
    pub length: u32,
    /// Initial bytes (VALUE clauses, binary zeros elsewhere), `length` long; empty: nothing to initialize.
    pub image: Vec<u8>,
    /// Name for the data map: the section, the 01 level, the file or the external name.
    pub name: Box<str>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BaseKind {
    /// WORKING-STORAGE SECTION: one per program; lives as long as the run unit, `image` at first entry and after CANCEL
    /// (INITIAL: at each entry).
    Working,
    /// LOCAL-STORAGE SECTION: one per program, allocated and initialized at each entry.
    Local,
    /// A level 01 or 77 of the LINKAGE SECTION: no storage, an address set by USING, SET ADDRESS OF or EXEC CICS; 0 at entry.
    Linkage,
    /// Record area of a file: all records of an FD or SD share it.
    Record(FileId),
    /// EXTERNAL item, by name: one per run unit. Initialized with `image` by the first program that has it.
    External,
    /// EXTERNAL file's record area.
    ExternalRecord(FileId),
    /// Special registers, switches are elsewhere. Initialized with `image` like WORKING-STORAGE.
    Registers,
    /// Index-names: one occurrence number each, in 4 bytes (see [`Usage::Index`]). Lives like WORKING-STORAGE.
    Indexes,
    /// GLOBAL storage of a containing program: `levels` programs outwards (1 = the directly containing one), its base `base`.
    Outer { levels: u32, base: BaseId },
}

/// A byte count that may depend on OCCURS DEPENDING ON: `fixed` plus the sum of the terms.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Size {
    pub fixed: u32,
    /// Empty in nearly every program.
    pub terms: Vec<SizeTerm>,
}

/// The current occurrences of a table times the size of an occurrence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SizeTerm {
    /// The item with OCCURS DEPENDING ON; see its [`Occurs::depending`].
    pub table: ItemId,
    /// Size of one occurrence.
    pub stride: Size,
}

impl Size {
    pub const fn fixed(bytes: u32) -> Size {
        Size { fixed: bytes, terms: Vec::new() }
    }

    pub fn is_fixed(&self) -> bool {
        self.terms.is_empty()
    }
}

/// A data item: group, elementary, index-name, special register or RENAMES.
#[derive(Clone, Debug)]
pub struct Item {
    /// Upper case; "FILLER" for unnamed ones.
    pub name: Box<str>,
    /// 1 to 49, 66 or 77. Index-names and registers are 77.
    pub level: u8,
    pub parent: Option<ItemId>,
    /// One past the last descendant: descendants are the items `self+1 .. end`.
    pub end: ItemId,
    pub base: BaseId,
    /// Offset of the first occurrence from the start of the base. With terms: variably located (after an OCCURS DEPENDING
    /// table of the same record); otherwise `fixed` is all.
    pub offset: Size,
    /// Length of one occurrence now.
    pub length: Size,
    /// The most bytes one occurrence takes.
    pub length_max: u32,
    pub category: Category,
    pub usage: Usage,
    /// Numeric and edited items: total digits (the P positions not counted); 0 otherwise.
    pub digits: u8,
    /// Digits right of the decimal point; negative or greater than `digits` with P. Value = integer of the digits / 10^scale.
    pub scale: i8,
    pub sign: Sign,
    /// A national or UTF-8 group (GROUP-USAGE): category and usage are those of the elementary item it is treated as.
    pub unicode_group: bool,
    /// PICTURE U(n) without BYTE-LENGTH: it holds n characters, whose bytes are the first of the item's 4n; 0 otherwise.
    pub characters: u32,
    /// Edited items: the picture. Also kept, unexpanded, for the listing.
    pub picture: Option<Box<Picture>>,
    /// OCCURS of this item itself.
    pub occurs: Option<Box<Occurs>>,
    /// All items with OCCURS from the outermost group down to and including this item: the subscripts a reference needs.
    pub dimensions: Vec<ItemId>,
    pub redefines: Option<ItemId>,
    /// Level 66: the first and last item it covers.
    pub renames: Option<(ItemId, ItemId)>,
    pub justified: bool,
    pub blank_when_zero: bool,
    pub synchronized: bool,
    pub global: bool,
    pub external: bool,
    /// Value clause as written (images are already built from it); needed by INITIALIZE ... TO VALUE and the listing.
    pub value: Option<Box<Literal>>,
    /// SQL TYPE: how EXEC SQL uses the item, and its length in characters or bytes without that of its length field.
    pub sql_type: Option<(sql::VariableType, u32)>,
    /// Level-88 names of this item.
    pub conditions: Vec<ConditionNameId>,
    /// This item is referred to somewhere (for the cross reference and dead data).
    pub referenced: bool,
    pub span: Span,
}

impl Item {
    /// Has subordinate items (a level 66 over several items counts as a group too).
    pub fn is_group(&self) -> bool {
        self.category == Category::Group || self.unicode_group
    }

    /// The item's size or place depends on an OCCURS DEPENDING ON.
    pub fn is_variable(&self) -> bool {
        !self.length.is_fixed() || !self.offset.is_fixed()
    }

    pub fn is_numeric(&self) -> bool {
        matches!(self.category, Category::Numeric | Category::InternalFloat | Category::ExternalFloat)
    }
}

/// Category of a data item, as the standard's rules for MOVE and comparison use it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Category {
    /// A group: behaves as alphanumeric of its length.
    Group,
    Alphabetic,
    Alphanumeric,
    AlphanumericEdited,
    /// Fixed-point numeric, of any usage.
    Numeric,
    NumericEdited,
    /// COMP-1, COMP-2.
    InternalFloat,
    /// Display floating point (`+9.9E+99`).
    ExternalFloat,
    National,
    NationalEdited,
    Utf8,
    Dbcs,
    /// Index-name or USAGE INDEX item.
    Index,
    Pointer,
    ProcedurePointer,
    FunctionPointer,
    ObjectReference,
}

/// How an item is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Usage {
    Display,
    /// DISPLAY-1 (DBCS).
    Display1,
    /// UTF-16 big-endian.
    National,
    /// UTF-8: bytes of characters of one to four bytes; see [`Item::characters`].
    Utf8,
    /// COMP, COMP-4, BINARY: big-endian, 2, 4 or 8 bytes; a store truncates according to TRUNC.
    Binary,
    /// COMP-5: big-endian, 2, 4 or 8 bytes; full range of the field.
    NativeBinary,
    /// COMP-3.
    Packed,
    /// COMP-1: 4 bytes, hexadecimal floating point under EBCDIC, IEEE big-endian under ASCII.
    Float,
    /// COMP-2: 8 bytes, likewise.
    Double,
    /// 4 bytes. An index-name holds the occurrence number (1 = first) as a signed big-endian word; so does an index data
    /// item set from one.
    Index,
    /// 4 bytes, 31-bit address, big-endian.
    Pointer,
    /// 8 bytes on z/OS; the first word is the address.
    ProcedurePointer,
    /// 4 bytes.
    FunctionPointer,
    ObjectReference,
    /// Group without a usage of its own.
    Group,
}

/// Sign of a numeric item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Sign {
    /// No S in the picture: results are stored without sign (zone or sign nibble F).
    #[default]
    Unsigned,
    /// Signed: overpunched in the last digit, sign nibble of packed, two's complement.
    Trailing,
    /// Overpunched in the first digit (DISPLAY only).
    Leading,
    /// A separate character after the digits (counted in the length).
    TrailingSeparate,
    /// A separate character before the digits.
    LeadingSeparate,
}

/// A PICTURE character-string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// As written, upper case.
    pub text: Box<str>,
    /// Repetitions expanded, one symbol a byte in ASCII: `ZZZ,ZZ9.99-`, `XXBXX`, `$$,$$9.99CR`, `+999.99`. CR and DB take
    /// two bytes; V, P and S stay. The currency symbol is itself; `SpecialNames::currencies` gives its string.
    pub symbols: Box<[u8]>,
    /// Decimal places of the edited result (numeric-edited).
    pub scale: i8,
}

/// The OCCURS clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurs {
    pub min: u32,
    pub max: u32,
    /// The item that holds the current number of occurrences (not subscripted).
    pub depending: Option<ItemId>,
    /// Distance between occurrences, slack included.
    pub stride: Size,
    /// ASCENDING or DESCENDING KEY, major first.
    pub keys: Vec<TableKey>,
    /// INDEXED BY: index-names (items of usage Index in the Indexes base).
    pub indexes: Vec<ItemId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableKey {
    pub item: ItemId,
    pub ascending: bool,
}

/// A level-88 condition-name.
#[derive(Clone, Debug)]
pub struct ConditionName {
    pub name: Box<str>,
    pub item: ItemId,
    /// VALUE and VALUE THRU.
    pub values: Vec<ValueRange>,
    /// WHEN SET TO FALSE.
    pub false_value: Option<Literal>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct ValueRange {
    pub low: Literal,
    /// THRU.
    pub high: Option<Literal>,
}

/// The word that holds the length, in characters, of an item of varying length whose storage the run time gives (text registers
/// of XML PARSE, dynamic-length items); `None` for other items.
pub fn varying_length(program: &super::Program, item: ItemId) -> Option<ItemId> {
    let described = program.item(item);
    let [term] = described.length.terms.as_slice() else { return None };
    let table = program.item(term.table);
    let made = described.length.fixed == 0 && table.name.is_empty() && table.base == described.base;
    table.occurs.as_ref().filter(|_| made)?.depending
}
