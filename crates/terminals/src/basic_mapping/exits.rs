//! XBMIN and XBMOUT: the exit points for fields that their map defines with VALIDN=USEREXIT.
//!
//! Exit programs get a table of the fields that were received or are sent (DFHXBMDS) and may change their data, and the attributes of output
//! ("Basic mapping support exits"). They work on a copy of the symbolic map: data are in the code page of the region, and what they leave
//! there is mapped. Fields without a name, and the members of a group behind the first, are not in the table.

use crate::terminal_control::{DisplayTerminal, Input, terminal_entry};
use bms::ScreenSize;
use bms::constants::{FLAG_CURSOR, FLAG_ERASED};
use bms::layout::{Entry, MapLayout};
use bms::model::{Field, Map};
use bms::send_map::{MapData, map_origin, screen_address};
use bms::text::Translation;
use exec::{ExitPoint, exit_point};
use kernel::storage::{Getmain, Key, Line};
use region::control_blocks::exit_structure::ExitRecord;
use region::name::Name8;
use region::storage_access::{self, Area};
use region::{ExitArgument, Raised, Task};

/// The map of a request.
pub struct Mapping<'a> {
    pub mapset: Name8,
    pub map: &'a Map,
    pub layout: &'a MapLayout,
    pub size: ScreenSize,
    /// Conversion of a region whose data are not EBCDIC.
    pub translation: Option<&'a Translation>,
}

/// BMXFDFB.
mod indicator {
    pub const MIXED_CASE: u8 = 0x80;
    pub const DETECTABLE: u8 = 0x10;
    pub const ZERO_FILL: u8 = 0x08;
    pub const RIGHT: u8 = 0x04;
    pub const INITIAL: u8 = 0x02;
    pub const NAMED: u8 = 0x01;
}

/// A field of the table.
struct Element {
    entry: Entry,
    length: usize,
    has_attribute: bool,
}

impl Mapping<'_> {
    /// Exit programs at the point would see a field of the map.
    fn concerns(&self, task: &Task, point: ExitPoint) -> bool {
        task.has_exit(point) && self.layout.entries.iter().any(|entry| self.field(entry).has_user_exit())
    }

    fn field(&self, entry: &Entry) -> &Field {
        &self.map.fields[entry.field]
    }

    /// RECEIVE MAP: the symbolic map as exit programs at XBMIN leave it.
    pub fn received(&self, task: &mut Task, display: &DisplayTerminal, area: Vec<u8>) -> Result<Vec<u8>, Raised> {
        if !self.concerns(task, exit_point::XBMIN) {
            return Ok(area);
        }
        let entries = self.layout.entries.iter().filter(|entry| self.field(entry).has_user_exit());
        let element = |entry: &Entry| {
            let length = match entry.length_offset {
                Some(offset) => usize::from(u16::from_be_bytes([area[offset], area[offset + 1]])),
                // DATA=BLOCK has no lengths.
                None => {
                    area[entry.data_offset..].iter().take(self.data_length(entry)).rposition(|byte| *byte != 0).map_or(0, |last| last + 1)
                }
            };
            (length > 0).then(|| Element { entry: *entry, length: length.min(self.data_length(entry)), has_attribute: false })
        };
        let elements: Vec<Element> = entries.filter_map(element).collect();
        self.call(task, exit_point::XBMIN, Some(display), &elements, area)
    }

    /// SEND MAP: the symbolic map that is to be mapped in place of the program's, if exit programs at XBMOUT see a field of it.
    /// `display`: that of the task; `None` for a message that is routed.
    pub fn sent(&self, task: &mut Task, display: Option<&DisplayTerminal>, data: MapData) -> Result<Option<Vec<u8>>, Raised> {
        if !self.concerns(task, exit_point::XBMOUT) {
            return Ok(None);
        }
        let (given, is_data_only) = match data {
            MapData::MapOnly => (&[][..], false),
            MapData::Merged(area) => (area, false),
            MapData::DataOnly(area) => (area, true),
        };
        let mut area = given.to_vec();
        area.resize(self.layout.length, 0);
        let mut elements = Vec::new();
        for entry in self.layout.entries.iter().filter(|entry| self.field(entry).has_user_exit()) {
            if !is_data_only {
                self.fill_in(entry, &mut area);
            }
            let data = &area[entry.data_offset..entry.data_offset + self.data_length(entry)];
            let length = data.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            if is_data_only && data.first().is_none_or(|first| *first == 0) {
                continue;
            }
            elements.push(Element { entry: *entry, length, has_attribute: area[entry.flag_offset] != 0 });
        }
        self.call(task, exit_point::XBMOUT, display, &elements, area).map(Some)
    }

    /// Bytes of the data of a field, or of the first member of a group.
    fn data_length(&self, entry: &Entry) -> usize {
        usize::from(self.field(entry).length)
    }

    /// Puts there what the map sends for a field that the program leaves to it.
    fn fill_in(&self, entry: &Entry, area: &mut [u8]) {
        let field = self.field(entry);
        let own =
            |byte: u8| self.translation.filter(|_| byte != 0).map_or(byte, |translation| translation.from_terminal[usize::from(byte)]);
        let attribute = &mut area[entry.flag_offset];
        if *attribute & !(FLAG_ERASED | FLAG_CURSOR) == 0 {
            *attribute = own(field.attribute);
        }
        let data = &mut area[entry.data_offset..entry.data_offset + self.data_length(entry)];
        if let Some(initial) = field.initial.as_ref().filter(|_| data.first() == Some(&0)) {
            data.iter_mut().zip(initial).for_each(|(byte, initial)| *byte = own(*initial));
        }
    }

    /// Calls the exit programs; the area as they leave it.
    fn call(
        &self,
        task: &mut Task,
        point: ExitPoint,
        display: Option<&DisplayTerminal>,
        elements: &[Element],
        area: Vec<u8>,
    ) -> Result<Vec<u8>, Raised> {
        if elements.is_empty() {
            return Ok(area);
        }
        let request = Getmain { length: area.len(), line: Line::Below2G, key: Key::Cics, initial: None };
        let address = task.getmain(request, false)?;
        storage_access::write(address, &area)?;
        let table: Vec<u8> = elements.iter().flat_map(|element| self.record(task, element, address)).collect();
        let terminal = display.map(|display| terminal_entry(task, display, &Input::default()));
        let eib = task.eib.address() as usize;
        let mut arguments = task.exit_arguments(point, |name| {
            Some(match name {
                "UEPBMTCT" => terminal.as_ref().map_or(ExitArgument::Absent, |terminal| ExitArgument::bytes(terminal)),
                "UEPEXECB" => ExitArgument::Address(eib),
                "UEPBMCNT" => ExitArgument::bytes(&(elements.len() as u16).to_be_bytes()),
                "UEPBMTAB" => ExitArgument::bytes(&table),
                _ => return None,
            })
        });
        let called = task.call_exit(point, &mut arguments);
        let left = Area::new(address, area.len()).read();
        task.freemain(address);
        called?;
        Ok(left?)
    }

    /// DFHXBMDS for a field whose symbolic map is at an address.
    fn record(&self, task: &Task, element: &Element, address: usize) -> Vec<u8> {
        let (entry, field) = (&element.entry, self.field(&element.entry));
        let indicators = [
            (field.case_mixed, indicator::MIXED_CASE),
            (field.detectable, indicator::DETECTABLE),
            (field.justify.zero_fill, indicator::ZERO_FILL),
            (field.justify.right, indicator::RIGHT),
            (field.initial.is_some(), indicator::INITIAL),
            (!field.name.is_empty(), indicator::NAMED),
        ];
        let indicators = indicators.iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, bit)| all | bit);
        let origin = map_origin(self.map, self.size, 1).unwrap_or(0);
        let in_buffer = screen_address(self.map, origin, entry.position, self.size).unwrap_or(0);
        let attribute = if element.has_attribute { address + entry.flag_offset } else { 0 };
        ExitRecord::new("DFHXBMDS", &task.region.code_page)
            .text("BMXMAPST", self.mapset.as_str())
            .text("BMXMAP", &self.map.name)
            .number("BMXFDFB", indicators.into())
            .number("BMXMAPLN", field.length.into())
            .number("BMXACTLN", element.length as u64)
            .number("BMXDATA", (address + entry.data_offset) as u64)
            .number("BMXATTR", attribute as u64)
            .number("BMXMAPOF", entry.position.into())
            .number("BMXBUF", in_buffer.into())
            .into_bytes()
    }
}
