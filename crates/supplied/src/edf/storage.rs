//! Storage on a display, in dump format: address, offset in working storage, four words, characters.
//!
//! Any address may be asked for; storage that the region cannot read is shown as such. Only storage of the task itself can be changed
//! ("Overtyping to make changes": the storage of your own task). Hexadecimal digits take precedence over characters of the same line.
//!
//! Working storage is the WORKING-STORAGE SECTION in COBOL and automatic storage in C ("Program storage"). Addresses above the bar have
//! sixteen digits; there, only dynamic storage areas and constants of the program are looked at, and nothing else of the process.

use super::display::{Line, Target};
use super::values;
use program::module::{self, Module, Symbol};
use program::rununit::{CStorage, FrameId};
use region::code_page::RegionCodePage;
use region::storage_access::Area;
use region::{Task, dump};
use std::sync::Arc;

const BYTES_OF_LINE: usize = 16;
const WORD_BYTES: usize = 4;
const ADDRESS_COLUMN: u16 = 2;
const OFFSET_COLUMN: u16 = 13;
const WORDS_COLUMN: u16 = 22;
const CHARACTERS_COLUMN: u16 = 61;
const TITLE_COLUMN: u16 = 45;
/// Characters of a data name with its subscript that may be typed instead of an address.
const NAME_LENGTH: u16 = 32;
/// The highest address below the bar.
const ADDRESS_31_MAX: usize = 0x7FFF_FFFF;
/// The highest address that there may be.
const ADDRESS_64_MAX: usize = 0x7FFF_FFFF_FFFF;

/// The last address that can be scrolled to from this one.
fn last_address(address: usize) -> usize {
    if address <= ADDRESS_31_MAX { ADDRESS_31_MAX } else { ADDRESS_64_MAX }
}

/// The data items of a running program, by name.
pub struct Items {
    module: Arc<Module>,
    program: usize,
    working_storage: Area,
    /// Where the records of other areas are: the area, its base, its address.
    records: Vec<(module::Area, u32, usize)>,
}

impl Items {
    /// Those of an active program.
    pub fn of(frame: FrameId) -> Items {
        let info = frame.program_info();
        let (address, length) = frame.working_storage();
        let mut records = vec![(module::Area::LocalStorage, 0, frame.local_storage().0 as usize)];
        let words = info.linkage.iter().map(|record| record.frame_offset).chain(info.external.iter().map(|record| record.frame_offset));
        // The compiler describes EXTERNAL records like linkage.
        records.extend(words.map(|base| (module::Area::Linkage, base, frame.word(base) as usize)));
        let working_storage = match frame.c_storage() {
            Some(CStorage { automatic: (address, length), .. }) => Area::new(address, length),
            None => Area::new(address as usize, length as usize),
        };
        Items { module: frame.module().clone(), program: frame.program(), working_storage, records }
    }

    pub fn working_storage(&self) -> Area {
        self.working_storage
    }

    /// An item, `NAME` or `NAME(3)`: where it is, and its description with its value.
    fn find(&self, typed: &str, page: &RegionCodePage) -> Option<(Area, String)> {
        let (name, subscript) = match typed.split_once('(') {
            Some((name, rest)) => (name.trim(), rest.trim_end_matches(')').trim().parse::<usize>().ok()?),
            None => (typed, 1),
        };
        let is_meant = |symbol: &&Symbol| symbol.program as usize == self.program && symbol.name.eq_ignore_ascii_case(name);
        let symbol = self.module.symbols.iter().find(is_meant)?;
        if !(1..=symbol.occurs as usize).contains(&subscript) {
            return None;
        }
        let start = self.start(symbol)? + symbol.offset as usize + (subscript - 1) * symbol.stride as usize;
        let area = Area::new(start, symbol.length as usize);
        let value = area.truncated(VALUE_BYTES_MAX).read().map(|bytes| dump::values::value(symbol, &bytes, page).text);
        Some((area, format!("{} {} {}", symbol.name, dump::values::description(symbol), value.unwrap_or_default())))
    }

    fn start(&self, symbol: &Symbol) -> Option<usize> {
        if symbol.area == module::Area::WorkingStorage {
            return Some(self.working_storage.address);
        }
        let kind = if symbol.area == module::Area::External { module::Area::Linkage } else { symbol.area };
        let record = self.records.iter().find(|(area, base, _)| *area == kind && *base == symbol.base);
        record.map(|(_, _, address)| *address).filter(|address| *address != 0)
    }
}

/// Bytes of a value that is described.
const VALUE_BYTES_MAX: usize = 64;

/// The part of storage on display.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The area that offsets are counted in: the program's working storage; length 0 if there is none.
    pub area: Area,
    pub address: usize,
}

impl View {
    pub fn of(area: Area) -> View {
        View { area, address: area.address }
    }

    pub fn scroll(&mut self, lines: isize) {
        let moved = self.address.saturating_add_signed(lines * BYTES_OF_LINE as isize);
        self.address = moved.min(last_address(self.address) - (BYTES_OF_LINE - 1));
    }

    /// Goes to a data item of the program, by its name, or to an address typed as hexadecimal digits. Returns what there is to say of it.
    ///
    /// # Errors
    ///
    /// The message for the operator if it is neither.
    pub fn go_to(&mut self, typed: &str, items: Option<&Items>, page: &RegionCodePage) -> Result<String, &'static str> {
        if let Some((area, description)) = items.and_then(|items| items.find(typed.trim(), page)) {
            self.address = area.address.min(ADDRESS_64_MAX);
            return Ok(description);
        }
        // Dumps and messages separate the halves of a long address by an underscore.
        let digits = typed.trim().replace('_', "");
        let address = usize::from_str_radix(&digits, 16).ok().filter(|address| *address <= ADDRESS_64_MAX);
        self.address = address.ok_or("THE ADDRESS IS NOT VALID")?;
        Ok(String::new())
    }

    pub fn status(&self) -> Line {
        let title = if self.area.length == 0 { "" } else { "WORKING STORAGE" };
        let address = values::address(self.address);
        Line::text(ADDRESS_COLUMN, "ADDRESS:").and_field(11, address, Target::Address, NAME_LENGTH).and_text(TITLE_COLUMN, title)
    }

    pub fn lines(&self, task: &Task, count: usize) -> Vec<Line> {
        if self.area.length == 0 && self.address == 0 {
            return vec![Line::text(ADDRESS_COLUMN, "WORKING STORAGE IS NOT AVAILABLE")];
        }
        let starts = (0..count).map(|line| self.address + line * BYTES_OF_LINE).take_while(|start| *start <= last_address(self.address));
        starts.map(|start| self.line(task, start)).collect()
    }

    fn line(&self, task: &Task, start: usize) -> Line {
        let line = Line::text(ADDRESS_COLUMN, values::address(start));
        let offset = start.checked_sub(self.area.address).filter(|offset| *offset < self.area.length);
        let line = match offset {
            Some(offset) => line.and_text(OFFSET_COLUMN, format!("{offset:06X}")),
            None => line,
        };
        let own = own_part(task, start);
        let read = (own.is_some() || may_be_shown(task, start)).then(|| Area::new(start, own.unwrap_or(BYTES_OF_LINE)).read());
        let Some(Ok(bytes)) = read else {
            return line.and_text(WORDS_COLUMN, "NOT ADDRESSABLE");
        };
        let words: Vec<String> = bytes.chunks(WORD_BYTES).map(values::hexadecimal).collect();
        let (words, characters) = (words.join(" "), values::characters(&task.region.code_page, &bytes));
        if own.is_none() {
            return line.and_text(WORDS_COLUMN, words).and_text(CHARACTERS_COLUMN, characters);
        }
        let field = |hexadecimal| Target::Storage { address: start, length: bytes.len(), hexadecimal };
        let (digits, places) = (words.len() as u16, bytes.len() as u16);
        line.and_field(WORDS_COLUMN, words, field(true), digits).and_field(CHARACTERS_COLUMN, characters, field(false), places)
    }
}

/// Above the bar the process has much that is no storage of CICS.
fn may_be_shown(task: &Task, start: usize) -> bool {
    let is_constant = |frame: FrameId| {
        let constants = frame.module().constants();
        (constants.as_ptr().addr()..constants.as_ptr().addr() + constants.len()).contains(&start)
    };
    start <= ADDRESS_31_MAX || task.region.storage.dsa_at(start).is_some() || task.frame.is_some_and(is_constant)
}

/// Bytes of a line that are storage of the task; `None` if its first byte is not. The variables of the running C program are not obtained
/// by GETMAIN, but they are storage of the task too.
fn own_part(task: &Task, start: usize) -> Option<usize> {
    let of_c = || {
        let CStorage { automatic, statics } = task.frame?.c_storage()?;
        [automatic, statics].into_iter().find(|(address, length)| (*address..address + length).contains(&start))
    };
    let (element, length) = task.storage.find(start).or_else(of_c)?;
    Some((element + length - start).min(BYTES_OF_LINE))
}

/// Changes storage by what was typed over a line.
///
/// # Errors
///
/// The message for the operator if the digits are not valid or the storage cannot be changed.
pub fn change(task: &Task, area: Area, shown: &str, typed: &str, hexadecimal: bool) -> Result<(), &'static str> {
    const REFUSED: &str = "THE STORAGE CANNOT BE CHANGED";
    if own_part(task, area.address).is_none_or(|length| length < area.length) {
        return Err(REFUSED);
    }
    let bytes = area.read().map_err(|_| REFUSED)?;
    let changed = if hexadecimal {
        let digits: String = typed.chars().filter(|c| *c != ' ').collect();
        values::from_hexadecimal(&digits).filter(|typed| typed.len() == bytes.len()).ok_or("THE DIGITS ARE NOT HEXADECIMAL")?
    } else {
        values::overtyped(&task.region.code_page, &bytes, shown, typed)
    };
    area.write(&changed).map_err(|_| REFUSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrolling_stays_in_31_bits() {
        let mut view = View::of(Area::new(0x10, 32));
        view.scroll(-5);
        assert_eq!(view.address, 0);
        view.scroll(isize::MAX / 32);
        assert_eq!(view.address, ADDRESS_31_MAX - 15);
        let page = RegionCodePage::new(RegionCodePage::by_ccsid(37).expect("CCSID 037"));
        let mut go_to = |typed: &str| view.go_to(typed, None, &page).map(|_| ());
        assert!(go_to("800000000000").is_err() && go_to("XYZ").is_err() && go_to("").is_err());
        assert_eq!(go_to("7fffffff"), Ok(()));
        assert_eq!(view.address, ADDRESS_31_MAX);
    }

    #[test]
    fn an_address_above_the_bar_has_sixteen_digits() {
        let mut view = View::of(Area::new(0x10, 32));
        let page = RegionCodePage::new(RegionCodePage::by_ccsid(37).expect("CCSID 037"));
        for typed in ["00007E7883000010", "00007E78_83000010", "7e7883000010"] {
            assert!(view.go_to(typed, None, &page).is_ok(), "{typed}");
            assert_eq!(view.address, 0x7E78_8300_0010);
        }
        view.scroll(isize::MAX / 32);
        assert_eq!(view.address, ADDRESS_64_MAX - 15);
    }
}
