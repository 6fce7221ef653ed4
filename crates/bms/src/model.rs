//! The physical map: the contents of a BMS mapset in the form used for mapping. Invariants (kept by the assembler and checked by
//! `object::decode`): fields are in order of definition; an initial value is never longer than the field; every length fits the map; names
//! are upper case.

use crate::attribute::{Extended, ExtendedSet, ExtendedValues};

/// A mapset: a load module of kind "mapset".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MapSet {
    pub name: String,
    /// TERM or SUFFIX, blank when none.
    pub suffix: Option<char>,
    pub language: Language,
    pub mode: Mode,
    pub storage: Storage,
    pub c_text: CText,
    pub maps: Vec<Map>,
}

/// How names and brackets of the symbolic map for C are written; not part of the load module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CText {
    /// FOLD=UPPER.
    pub upper_case: bool,
    /// TRIGRAPH=YES.
    pub trigraphs: bool,
}

impl MapSet {
    /// The map of this name (up to 7 characters, trailing blanks ignored).
    pub fn map(&self, name: &str) -> Option<&Map> {
        let name = name.trim_end();
        self.maps.iter().find(|map| map.name.eq_ignore_ascii_case(name))
    }

    /// A name of the symbolic map for C.
    pub fn c_name(&self, name: &str, suffix: &str) -> String {
        let name = format!("{name}{suffix}");
        if self.c_text.upper_case { name.to_ascii_uppercase() } else { name.to_ascii_lowercase() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Language {
    #[default]
    Assembler,
    Cobol,
    Pli,
    C,
}

/// Which structures the symbolic map has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Mode {
    #[default]
    Out,
    In,
    InOut,
}

/// The storage of the symbolic maps of the mapset: each redefining the first, separate (AUTO), or all over one area (BASE).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Storage {
    #[default]
    Redefined,
    Auto,
    Base(String),
}

/// LINE and COLUMN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// From 1.
    At(u16),
    Next,
    Same,
}

impl Default for Place {
    fn default() -> Place {
        Place::At(1)
    }
}

/// Printout format, WCC bits 2 and 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum PrintLine {
    #[default]
    NewLineOrEndOfMedium,
    Columns40,
    Columns64,
    Columns80,
}

/// CTRL of the map or of the mapset, and the same options of SEND.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Control {
    pub print: bool,
    pub print_line: PrintLine,
    pub free_keyboard: bool,
    pub alarm: bool,
    pub reset_mdt: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MapJustify {
    pub right: bool,
    pub first: bool,
    pub last: bool,
    pub bottom: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Map {
    pub name: String,
    pub lines: u16,
    pub columns: u16,
    pub line: Place,
    pub column: Place,
    pub justify: MapJustify,
    /// None when neither map nor mapset has CTRL.
    pub control: Option<Control>,
    /// CURSLOC=YES.
    pub cursor_located: bool,
    pub header: bool,
    pub trailer: bool,
    /// FIELDS=NO: one field, the whole map, with data from the program.
    pub no_fields: bool,
    pub tioa_prefix: bool,
    /// DATA=BLOCK: the symbolic map is an image of the screen, without lengths and extended attributes.
    pub block: bool,
    /// PARTN: the partition the map belongs to; empty when none.
    pub partition: String,
    /// PARTN=(name,ACTIVATE).
    pub activates_partition: bool,
    pub map_attributes: ExtendedSet,
    pub symbolic_attributes: ExtendedSet,
    pub fields: Vec<Field>,
}

/// PIC clauses and blanks of an input field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FieldJustify {
    pub right: bool,
    pub zero_fill: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    /// Empty when the field is not in the symbolic map.
    pub name: String,
    /// GRPNAME, empty when none. The first member of a group has the attribute byte, the others follow it without one.
    pub group: String,
    /// Of the attribute byte (for later members of a group: one before the data), relative to 0 in the map.
    pub position: u16,
    /// Of the data, without the attribute byte.
    pub length: u16,
    /// The 3270 attribute byte as it is sent.
    pub attribute: u8,
    /// Colour and the like, map and mapset defaults applied.
    pub extended: ExtendedValues,
    /// ATTRB has IC.
    pub initial_cursor: bool,
    /// ATTRB has DET.
    pub detectable: bool,
    /// INITIAL, XINIT or GINIT in EBCDIC; None when not given.
    pub initial: Option<Vec<u8>>,
    pub justify: FieldJustify,
    pub case_mixed: bool,
    pub picture_in: Option<String>,
    pub picture_out: Option<String>,
    /// 1 if OCCURS is not given; `occurs_given` distinguishes OCCURS=1.
    pub occurs: u16,
    pub occurs_given: bool,
}

/// VALIDN=USEREXIT among the validation values of a map: a mark for the region, which no terminal is sent.
pub const USER_EXIT: u8 = 0x08;

impl Field {
    /// VALIDN=USEREXIT: exit programs see the field.
    pub fn has_user_exit(&self) -> bool {
        self.extended.get(Extended::Validation).is_some_and(|value| value & USER_EXIT != 0)
    }

    /// The value of the map for an extended attribute, as a terminal takes it.
    pub fn extended_value(&self, kind: Extended) -> Option<u8> {
        let mark = if kind == Extended::Validation { USER_EXIT } else { 0 };
        self.extended.get(kind).map(|value| value & !mark)
    }
}

impl Map {
    /// Members of the group that begins at field `index` (a run of fields of the same GRPNAME), or just the field.
    pub fn group_members(&self, index: usize) -> std::ops::Range<usize> {
        let group = &self.fields[index].group;
        if group.is_empty() {
            return index..index + 1;
        }
        let end = self.fields[index..].iter().position(|field| &field.group != group).map_or(self.fields.len(), |count| index + count);
        index..end
    }

    /// Whether field `index` continues a group and so has no attribute byte.
    pub fn continues_group(&self, index: usize) -> bool {
        index > 0 && !self.fields[index].group.is_empty() && self.fields[index - 1].group == self.fields[index].group
    }

    /// Calls `action` with each field of the symbolic map, or with the members of each group.
    pub fn for_each_symbolic(&self, mut action: impl FnMut(&[Field])) {
        let mut index = 0;
        while index < self.fields.len() {
            let members = self.group_members(index);
            let field = &self.fields[index];
            index = members.end;
            if !field.name.is_empty() || !field.group.is_empty() {
                action(&self.fields[members]);
            }
        }
    }
}

/// The L, F, A items of a group carry the name of its first named member.
pub fn control_name(members: &[Field]) -> &str {
    members.iter().map(|member| member.name.as_str()).find(|name| !name.is_empty()).unwrap_or(&members[0].group)
}
