//! What a debugger knows of programs compiled with TEST, beside the maps that every module has: the files of the source, the place of each
//! statement, the procedures, and all data items with the groups and tables that they are in.
//!
//! Invariants, checked when a module is loaded ([`Debugging::is_consistent`]): statements are in ascending order; every index leads to an
//! entry of the list it belongs to, and a parent stands before its children, so that no walk up a hierarchy is endless.

use super::Area;
use super::bytes::{Reader, Writer};

/// No index, no command.
const NONE: u32 = u32::MAX;

/// Of all programs of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Debugging {
    /// The main source, then each copied member: absolute paths; empty for text that the compiler supplies.
    pub sources: Vec<String>,
    /// Ascending by number.
    pub statements: Vec<StatementInfo>,
    pub procedures: Vec<ProcedureInfo>,
    pub items: Vec<ItemInfo>,
    pub conditions: Vec<ConditionInfo>,
}

/// A statement that tells when it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementInfo {
    /// Its number in the module.
    pub number: u32,
    /// Index of the program in the module.
    pub program: u32,
    /// Index of the procedure it stands in.
    pub procedure: u32,
    /// Index in [`Debugging::sources`].
    pub source: u32,
    pub line: u32,
    pub column: u32,
    /// The EXEC CICS command that it is, by its number in the catalogue.
    pub command: Option<u16>,
}

/// A paragraph or section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureInfo {
    pub program: u32,
    /// Empty for statements before the first name.
    pub name: String,
    pub is_section: bool,
    /// Number of its first statement, or of the first one behind it; none if there is no such statement.
    pub first_statement: Option<u32>,
}

/// The part of the program an item is described in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Section {
    File = 0,
    WorkingStorage = 1,
    LocalStorage = 2,
    Linkage = 3,
    /// Special registers and index-names.
    Register = 4,
}

const SECTIONS: [Section; 5] = [Section::File, Section::WorkingStorage, Section::LocalStorage, Section::Linkage, Section::Register];

/// A data item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemInfo {
    pub program: u32,
    /// `FILLER` for one without a name.
    pub name: String,
    pub level: u8,
    pub section: Section,
    /// The group it is in.
    pub parent: Option<u32>,
    pub area: Area,
    /// Offset in the frame of the address of its record, if it is reached by one.
    pub base: u32,
    /// Of its first occurrence, from the start of the area; the occurrences of `moved_by` come on top.
    pub offset: u32,
    /// The most bytes of one occurrence.
    pub length: u32,
    /// The tables of varying length in front of it or in it: their occurrences decide its place or length.
    pub moved_by: Vec<Varying>,
    pub lengthened_by: Vec<Varying>,
    /// Its length without those.
    pub length_least: u32,
    /// As in `le::Attributes`.
    pub usage: u8,
    pub sign: u8,
    pub flags: u16,
    pub digits: u8,
    pub scale: i8,
    pub edit: u32,
    pub picture: String,
    pub occurs: Option<OccursInfo>,
    pub redefines: bool,
    pub global: bool,
}

/// The occurrences of a table times the length of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Varying {
    pub table: u32,
    pub stride: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OccursInfo {
    pub least: u32,
    pub most: u32,
    /// Distance between occurrences; `None`: it varies, and no occurrence but the first can be found.
    pub stride: Option<u32>,
    /// The item of DEPENDING ON.
    pub depending: Option<u32>,
}

/// A condition-name (level 88).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionInfo {
    pub name: String,
    pub item: u32,
    /// Each value, or the first and last of a range.
    pub values: Vec<(Constant, Option<Constant>)>,
}

/// The value of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constant {
    /// As it is written with a point: `-12.50`.
    Number(String),
    /// The usage as in `le::Attributes`, and the characters.
    Characters(u8, Vec<u8>),
    /// ALL literal.
    All(Vec<u8>),
    /// As `le::movement::Figurative` numbers them.
    Figurative(u8),
}

impl Debugging {
    /// The statement of this number.
    pub fn statement(&self, number: u32) -> Option<&StatementInfo> {
        let at = self.statements.binary_search_by_key(&number, |statement| statement.number).ok()?;
        Some(&self.statements[at])
    }

    /// The items of one program, with their indexes.
    pub fn items_of(&self, program: usize) -> impl Iterator<Item = (u32, &ItemInfo)> {
        (0..).zip(&self.items).filter(move |(_, item)| item.program as usize == program)
    }

    pub(super) fn is_consistent(&self, programs: usize) -> bool {
        let program = |index: u32| (index as usize) < programs;
        let item = |index: u32| (index as usize) < self.items.len();
        let varying = |list: &[Varying]| list.iter().all(|one| item(one.table));
        self.statements.is_sorted_by(|one, next| one.number < next.number)
            && self.statements.iter().all(|statement| {
                program(statement.program)
                    && (statement.procedure as usize) < self.procedures.len()
                    && (statement.source as usize) < self.sources.len()
            })
            && self.procedures.iter().all(|procedure| program(procedure.program))
            && (0..).zip(&self.items).all(|(index, own)| {
                program(own.program)
                    && own.parent.is_none_or(|parent| parent < index)
                    && varying(&own.moved_by)
                    && varying(&own.lengthened_by)
                    && own.occurs.and_then(|occurs| occurs.depending).is_none_or(item)
            })
            && self.conditions.iter().all(|condition| item(condition.item))
    }
}

fn write_optional(w: &mut Writer, index: Option<u32>) {
    w.u32(index.unwrap_or(NONE));
}

fn read_optional(r: &mut Reader) -> Option<Option<u32>> {
    Some(Some(r.u32()?).filter(|index| *index != NONE))
}

pub(super) fn write(w: &mut Writer, debugging: &Debugging) {
    w.list(&debugging.sources, |w, source| w.text(source));
    w.list(&debugging.statements, |w, statement| {
        let command = statement.command.map_or(NONE, u32::from);
        for word in [statement.number, statement.program, statement.procedure, statement.source, statement.line, statement.column, command]
        {
            w.u32(word);
        }
    });
    w.list(&debugging.procedures, |w, procedure| {
        w.u32(procedure.program);
        w.text(&procedure.name);
        w.u8(procedure.is_section as u8);
        write_optional(w, procedure.first_statement);
    });
    w.list(&debugging.items, write_item);
    w.list(&debugging.conditions, |w, condition| {
        w.text(&condition.name);
        w.u32(condition.item);
        w.list(&condition.values, |w, (low, high)| {
            write_constant(w, low);
            w.list(high.as_slice(), write_constant);
        });
    });
}

pub(super) fn read(r: &mut Reader) -> Option<Debugging> {
    Some(Debugging {
        sources: r.list(|r| r.text())?,
        statements: r.list(|r| {
            Some(StatementInfo {
                number: r.u32()?,
                program: r.u32()?,
                procedure: r.u32()?,
                source: r.u32()?,
                line: r.u32()?,
                column: r.u32()?,
                command: u16::try_from(r.u32()?).ok(),
            })
        })?,
        procedures: r.list(|r| {
            let (program, name, is_section) = (r.u32()?, r.text()?, r.u8()? != 0);
            Some(ProcedureInfo { program, name, is_section, first_statement: read_optional(r)? })
        })?,
        items: r.list(read_item)?,
        conditions: r.list(|r| {
            let (name, item) = (r.text()?, r.u32()?);
            let values = r.list(|r| Some((read_constant(r)?, r.list(read_constant)?.pop())))?;
            Some(ConditionInfo { name, item, values })
        })?,
    })
}

fn write_varying(w: &mut Writer, varying: &Varying) {
    w.u32(varying.table);
    w.u32(varying.stride);
}

fn read_varying(r: &mut Reader) -> Option<Varying> {
    Some(Varying { table: r.u32()?, stride: r.u32()? })
}

fn write_item(w: &mut Writer, item: &ItemInfo) {
    w.u32(item.program);
    w.text(&item.name);
    for byte in [item.level, item.section as u8, item.area as u8, item.usage, item.sign, item.digits, item.scale as u8] {
        w.u8(byte);
    }
    write_optional(w, item.parent);
    for word in [item.base, item.offset, item.length, item.length_least, item.edit] {
        w.u32(word);
    }
    w.u16(item.flags);
    w.u8(item.redefines as u8 | (item.global as u8) << 1);
    w.text(&item.picture);
    w.list(&item.moved_by, write_varying);
    w.list(&item.lengthened_by, write_varying);
    w.list(item.occurs.as_slice(), |w, occurs| {
        w.u32(occurs.least);
        w.u32(occurs.most);
        write_optional(w, occurs.stride);
        write_optional(w, occurs.depending);
    });
}

fn read_item(r: &mut Reader) -> Option<ItemInfo> {
    let (program, name) = (r.u32()?, r.text()?);
    let (level, section, area) = (r.u8()?, *SECTIONS.get(usize::from(r.u8()?))?, super::format::area_of(r.u8()?)?);
    let (usage, sign, digits, scale) = (r.u8()?, r.u8()?, r.u8()?, r.u8()? as i8);
    let parent = read_optional(r)?;
    let (base, offset, length, length_least, edit) = (r.u32()?, r.u32()?, r.u32()?, r.u32()?, r.u32()?);
    let (flags, marks, picture) = (r.u16()?, r.u8()?, r.text()?);
    let (moved_by, lengthened_by) = (r.list(read_varying)?, r.list(read_varying)?);
    let occurs = r.list(|r| {
        let (least, most) = (r.u32()?, r.u32()?);
        Some(OccursInfo { least, most, stride: read_optional(r)?, depending: read_optional(r)? })
    })?;
    Some(ItemInfo {
        program,
        name,
        level,
        section,
        parent,
        area,
        base,
        offset,
        length,
        moved_by,
        lengthened_by,
        length_least,
        usage,
        sign,
        flags,
        digits,
        scale,
        edit,
        picture,
        occurs: occurs.into_iter().next(),
        redefines: marks & 1 != 0,
        global: marks & 2 != 0,
    })
}

fn write_constant(w: &mut Writer, constant: &Constant) {
    match constant {
        Constant::Number(text) => {
            w.u8(0);
            w.text(text);
        }
        Constant::Characters(usage, bytes) => {
            w.u8(1);
            w.u8(*usage);
            w.blob(bytes);
        }
        Constant::All(bytes) => {
            w.u8(2);
            w.blob(bytes);
        }
        Constant::Figurative(number) => {
            w.u8(3);
            w.u8(*number);
        }
    }
}

fn read_constant(r: &mut Reader) -> Option<Constant> {
    Some(match r.u8()? {
        0 => Constant::Number(r.text()?),
        1 => Constant::Characters(r.u8()?, r.blob()?.to_vec()),
        2 => Constant::All(r.blob()?.to_vec()),
        3 => Constant::Figurative(r.u8()?),
        _ => return None,
    })
}
