//! The data items of a stopped program: where they are, what they hold by their picture, and what is in them.
//!
//! Invariants: an item is read and written through the guarded copies of the region only, at an address that the program itself would use;
//! an occurrence outside the table is never found; of an item at most [`SHOWN_BYTES_MAX`] are read to show it. A table is shown
//! [`PAGE`] occurrences at a time.

use le::class::Class;
use le::{Attributes, Sign, Usage};
use program::copied::{self, Item};
use program::module::Area;
use program::module::debugging::{ConditionInfo, Debugging, ItemInfo, Section};
use program::readable::{self, Limits};
use program::rununit::FrameId;
use region::storage_access;

/// Occurrences of a table in one page.
pub const PAGE: u32 = 100;
/// Bytes of one item that are read to show it.
pub const SHOWN_BYTES_MAX: u32 = 32_000;
/// Of one value.
pub const LIMITS: Limits = Limits { characters: 2000, bytes: 64 };

/// Where an item is.
#[derive(Clone, Debug)]
pub struct Located {
    pub frame: FrameId,
    /// Index of the item.
    pub item: u32,
    pub subscripts: Vec<u32>,
    pub address: usize,
    pub attributes: Attributes,
    /// By reference modification: it is no longer the item that its picture describes.
    pub is_modified: bool,
}

impl Located {
    pub fn info(&self) -> &ItemInfo {
        &known(&self.frame).items[self.item as usize]
    }

    /// All its bytes.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        self.read_first(u32::MAX)
    }

    fn read_first(&self, most: u32) -> Result<Vec<u8>, String> {
        let area = storage_access::Area::new(self.address, self.attributes.length.min(most) as usize);
        area.read().map_err(|_| self.not_addressable())
    }

    pub fn write(&self, bytes: &[u8]) -> Result<(), String> {
        storage_access::write(self.address, bytes).map_err(|_| self.not_addressable())
    }

    fn not_addressable(&self) -> String {
        format!("{} is not addressable at {:08X}", self.info().name, self.address)
    }
}

/// What is known of the module of a program whose items are asked for: every [`Located`] was made from it.
fn known(frame: &FrameId) -> &Debugging {
    frame.module().debugging.as_ref().expect("items are located in programs compiled with TEST only")
}

/// The program itself or the one that contains it, of this index in the module.
fn owner(frame: FrameId, program: u32) -> Option<FrameId> {
    std::iter::successors(Some(frame), FrameId::outer).find(|frame| frame.program() == program as usize)
}

/// The tables that an item is in, outermost first, its own included.
pub fn dimensions(debugging: &Debugging, item: u32) -> Vec<u32> {
    let parents = std::iter::successors(Some(item), |item| debugging.items[*item as usize].parent);
    let mut tables: Vec<u32> = parents.filter(|item| debugging.items[*item as usize].occurs.is_some()).collect();
    tables.reverse();
    tables
}

/// The items directly in a group, but for level 66.
pub fn children(debugging: &Debugging, group: u32) -> impl Iterator<Item = u32> + '_ {
    // Items follow their group, and the items of a group their parent.
    let inside = (group + 1..debugging.items.len() as u32).take_while(move |item| is_within(debugging, *item, group));
    inside.filter(move |item| debugging.items[*item as usize].parent == Some(group))
}

fn is_within(debugging: &Debugging, item: u32, group: u32) -> bool {
    std::iter::successors(Some(item), |item| debugging.items[*item as usize].parent).any(|above| above == group)
}

/// The items of level 01 and 77 in one section of a program.
pub fn records(debugging: &Debugging, program: usize, section: Section) -> impl Iterator<Item = u32> + '_ {
    debugging.items_of(program).filter(move |(_, item)| item.parent.is_none() && item.section == section).map(|(index, _)| index)
}

/// The condition-names of an item.
pub fn conditions(debugging: &Debugging, item: u32) -> impl Iterator<Item = &ConditionInfo> + '_ {
    debugging.conditions.iter().filter(move |condition| condition.item == item)
}

/// How many occurrences a table has now.
pub fn occurrences(frame: FrameId, table: u32) -> u32 {
    let debugging = known(&frame);
    let Some(occurs) = debugging.items[table as usize].occurs else { return 1 };
    let depending = occurs.depending.and_then(|item| integer(&locate(frame, item, &[]).ok()?));
    depending.map_or(occurs.most, |count| count.clamp(0, i64::from(occurs.most)) as u32)
}

/// The value of an item that holds an integer.
pub fn integer(located: &Located) -> Option<i64> {
    let bytes = located.read().ok()?;
    copied::number(Item { bytes: &bytes, attributes: located.attributes }, located.frame.session()).ok()?.to_integer()
}

/// Finds an item: `frame` is of a program that has the item or is contained in that; one subscript for each of its dimensions.
pub fn locate(frame: FrameId, item: u32, subscripts: &[u32]) -> Result<Located, String> {
    let debugging = known(&frame);
    let info = &debugging.items[item as usize];
    let tables = dimensions(debugging, item);
    if tables.len() != subscripts.len() {
        return Err(format!("{} needs {} subscripts, not {}", info.name, tables.len(), subscripts.len()));
    }
    let own = owner(frame, info.program).ok_or_else(|| format!("the program of {} is not active", info.name))?;
    let start = match info.area {
        Area::WorkingStorage => own.working_storage().0,
        Area::LocalStorage => own.local_storage().0,
        Area::Linkage | Area::External => own.word(info.base),
    };
    if start == 0 {
        return Err(format!("{} has no storage: its address is NULL", info.name));
    }
    let varying = |list: &[program::module::debugging::Varying]| -> u64 {
        list.iter().map(|one| u64::from(one.stride) * u64::from(occurrences(frame, one.table))).sum()
    };
    let mut address = u64::from(start) + u64::from(info.offset) + varying(&info.moved_by);
    for (table, subscript) in tables.iter().zip(subscripts) {
        let table = &debugging.items[*table as usize];
        let occurs = table.occurs.expect("a dimension is a table");
        if *subscript < 1 || *subscript > occurs.most {
            return Err(format!("{} has no occurrence {subscript}: it has {}", table.name, occurs.most));
        }
        let stride = match (occurs.stride, subscript) {
            (Some(stride), _) => stride,
            (None, 1) => 0,
            (None, _) => return Err(format!("the occurrences of {} have no fixed length: only the first can be found", table.name)),
        };
        address += u64::from(subscript - 1) * u64::from(stride);
    }
    let length = match info.lengthened_by.as_slice() {
        [] => info.length,
        list => (u64::from(info.length_least) + varying(list)).min(u64::from(info.length)) as u32,
    };
    let attributes = Attributes { length, ..attributes_of(info) };
    Ok(Located { frame, item, subscripts: subscripts.to_vec(), address: address as usize, attributes, is_modified: false })
}

fn usage_of(info: &ItemInfo) -> Usage {
    Usage::of(info.usage).unwrap_or(Usage::Group)
}

fn attributes_of(info: &ItemInfo) -> Attributes {
    let (usage, sign) = (usage_of(info), Sign::of(info.sign).unwrap_or(Sign::Unsigned));
    Attributes { usage, sign, flags: info.flags, length: info.length, digits: info.digits, scale: info.scale, reserved: 0, edit: info.edit }
}

/// Level, picture and usage, as a programmer wrote them: `05 S9(5)V99 COMP-3`.
pub fn description(info: &ItemInfo) -> String {
    let usage = match usage_of(info) {
        Usage::NativeBinary if info.section == Section::Register && info.picture.is_empty() => Usage::Index,
        usage => usage,
    };
    let level = format!("{:02}", info.level);
    let redefines = if info.redefines { "REDEFINES" } else { "" };
    let parts = [level.as_str(), info.picture.as_str(), usage.word(), redefines];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The value as it is shown: a number, or characters in quotes; in hexadecimal what does not agree with its picture.
pub fn shown(located: &Located) -> Result<String, String> {
    let bytes = located.read_first(SHOWN_BYTES_MAX)?;
    let attributes = Attributes { length: bytes.len() as u32, ..located.attributes };
    Ok(shown_item(Item { bytes: &bytes, attributes }, located.frame))
}

/// The value of any item or literal, by the rules of the program.
pub fn shown_item(item: Item, frame: FrameId) -> String {
    let session = frame.session();
    let Item { bytes, attributes } = item;
    let invalid = || format!("{} (not a number)", LIMITS.hexadecimal(bytes));
    match attributes.usage {
        Usage::Zoned | Usage::Packed | Usage::NationalZoned if !copied::is_of_class(Class::Numeric, item, session) => invalid(),
        Usage::Zoned | Usage::Packed | Usage::NationalZoned | Usage::Binary | Usage::NativeBinary | Usage::Index => {
            copied::number(item, session).map_or_else(|_| invalid(), |value| readable::number(&value))
        }
        Usage::Float4 | Usage::Float8 => copied::float(item, session).map_or_else(|_| invalid(), |value| value.to_string()),
        Usage::Pointer | Usage::FunctionPointer if bytes.iter().all(|byte| *byte == 0) => "NULL".to_string(),
        Usage::Pointer | Usage::FunctionPointer => LIMITS.hexadecimal(bytes),
        Usage::National | Usage::NationalEdited | Usage::NationalNumericEdited => {
            let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
            LIMITS.quoted(&String::from_utf16_lossy(&units), bytes)
        }
        Usage::Utf8 => LIMITS.quoted(&String::from_utf8_lossy(bytes), bytes),
        Usage::Dbcs => {
            const SHIFT_OUT: u8 = 0x0E;
            const SHIFT_IN: u8 = 0x0F;
            let shifted = [&[SHIFT_OUT], bytes, &[SHIFT_IN]].concat();
            LIMITS.quoted(&session.code_page.decode(&shifted), bytes)
        }
        _ => LIMITS.quoted(&session.code_page.decode(bytes), bytes),
    }
}
