//! Output mapping: SEND MAP and SEND CONTROL. Rules (CICS Application Programming, "Where the values come from"):
//! * a data item whose first byte is null leaves the field to the map's INITIAL (or, with DATAONLY, to what is on the
//!   screen);
//! * a null attribute byte or extended attribute leaves it to the map (DATAONLY: to the screen); X'FF' asks for the
//!   terminal's default. A flag that RECEIVE MAP left in the attribute byte (X'80', X'02') counts as null: programs send the area that they
//!   received;
//! * attributes that the terminal does not support are left out;
//! * options of the command replace all of CTRL in the map;
//! * the cursor goes to CURSOR(n), or to the first field whose length item is -1, or to the map's last IC; otherwise to 0 with ERASE, and
//!   without ERASE it stays.

use crate::attribute::{EXTENDED_COUNT, Extended, ExtendedSet};
use crate::capabilities::{Capabilities, ScreenSize};
use crate::constants::*;
use crate::layout::{Entry, MapLayout};
use crate::model::{Control, Field, Map, Place, PrintLine};
use crate::outbound::{Outbound, Wcc};
use crate::text::Translation;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Erase {
    #[default]
    None,
    /// ERASE; whether to the alternate size is `ScreenUse::alternate`.
    Screen,
    /// ERASEAUP.
    Unprotected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CursorOption {
    /// No CURSOR option.
    #[default]
    Absent,
    /// CURSOR without a value.
    Symbolic,
    /// CURSOR(n), relative to 0.
    At(u16),
}

/// The terminal as a SEND or RECEIVE finds it.
#[derive(Clone, Copy)]
pub struct ScreenUse<'a> {
    pub capabilities: &'a Capabilities,
    /// The alternate size is in use (on input), or requested: with ERASE by PROFILE SCRNSIZE, DEFAULT or ALTERNATE; otherwise unchanged.
    pub alternate: bool,
    /// Conversion of a region with ASCII data; None with EBCDIC.
    pub translation: Option<&'a Translation>,
    /// Lines of text take the whole width: no attribute is in front of them (PRINTERCOMP of a printer).
    pub full_lines: bool,
}

impl ScreenUse<'_> {
    pub fn size(&self) -> ScreenSize {
        self.capabilities.size(self.alternate)
    }

    /// The part of the screen that a page of BMS takes: its width, and the lines of PAGESIZE or ALTPAGE.
    pub fn page(&self) -> ScreenSize {
        self.capabilities.page(self.alternate)
    }

    /// What a line of text has in front of it.
    pub fn line_prefix(&self) -> u16 {
        if self.full_lines { 0 } else { 1 }
    }

    fn outbound(&self, command: u8, wcc: Wcc) -> Outbound {
        let size = self.size();
        Outbound::write(command, wcc, size, self.capabilities.addressing_for(size))
    }

    fn body(&self) -> Outbound {
        let size = self.size();
        Outbound::body(size, self.capabilities.addressing_for(size))
    }
}

/// Common options of SEND MAP, SEND TEXT and SEND CONTROL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SendOptions {
    pub erase: Erase,
    /// None if no control option was given: then the map's CTRL applies.
    pub control: Option<Control>,
    pub cursor: CursorOption,
    pub form_feed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MapData<'a> {
    /// MAPONLY.
    #[default]
    MapOnly,
    /// Program data merged with the map. The area begins with the TIOAPFX filler if the map has it; positions past its end count as null.
    Merged(&'a [u8]),
    /// DATAONLY.
    DataOnly(&'a [u8]),
}

impl<'a> MapData<'a> {
    fn area(self) -> Option<&'a [u8]> {
        match self {
            MapData::MapOnly => None,
            MapData::Merged(area) | MapData::DataOnly(area) => Some(area),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// INVMPSZ.
    #[error("the map is {columns} columns wide from column {start}, the screen has {screen}")]
    TooWide { start: u16, columns: u16, screen: u16 },
}

/// A mapped output ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappedOutput {
    pub stream: Vec<u8>,
    /// The cursor position set by the stream, if any.
    pub cursor: Option<u16>,
    /// First line after the map, from 1 (LINE=NEXT of the following map).
    pub next_line: u16,
}

/// The position of the map on the screen; `next_line` is the first free line (from 1) for LINE=NEXT.
pub fn map_origin(map: &Map, size: ScreenSize, next_line: u16) -> Result<u16, MapError> {
    let line = match map.line {
        Place::At(line) => line,
        Place::Next => next_line,
        Place::Same => next_line.saturating_sub(1),
    };
    let line = if map.justify.bottom { (size.rows + 1).saturating_sub(map.lines.max(1)) } else { line }.max(1);
    let start = match map.column {
        Place::At(column) if map.justify.right => (size.columns + 2).saturating_sub(column + map.columns),
        Place::At(column) => column,
        Place::Next | Place::Same => 1,
    };
    let start = start.max(1);
    if start as u32 - 1 + map.columns as u32 > size.columns as u32 {
        return Err(MapError::TooWide { start, columns: map.columns, screen: size.columns });
    }
    Ok((line - 1).saturating_mul(size.columns).saturating_add(start - 1))
}

/// Screen address of a position in the map, or None if it is past the end of the screen.
pub fn screen_address(map: &Map, origin: u16, position: u16, size: ScreenSize) -> Option<u16> {
    let columns = map.columns.max(1);
    let address = origin as u32 + (position / columns) as u32 * size.columns as u32 + (position % columns) as u32;
    (address < size.positions() as u32).then_some(address as u16)
}

/// SEND MAP. `next_line` is 1 unless the map follows others on the page.
pub fn send_map(
    map: &Map,
    layout: &MapLayout,
    data: MapData,
    options: &SendOptions,
    screen: ScreenUse,
    next_line: u16,
) -> Result<MappedOutput, MapError> {
    let body = map_body(map, layout, data, options, screen, map_origin(map, screen.page(), next_line)?);
    let control = options.control.or(map.control).unwrap_or_default();
    let mut out = begin(options, control, screen);
    out.raw(&body.stream);
    place_cursor(&mut out, body.cursor);
    Ok(MappedOutput { stream: out.finish(), ..body })
}

/// SEND CONTROL.
pub fn send_control(options: &SendOptions, screen: ScreenUse) -> Vec<u8> {
    let mut out = begin(options, options.control.unwrap_or_default(), screen);
    match options.cursor {
        CursorOption::At(address) => place_cursor(&mut out, Some(address)),
        CursorOption::Symbolic => place_cursor(&mut out, Some(0)),
        CursorOption::Absent => {}
    }
    out.finish()
}

/// The command, the WCC and the initial orders for ERASEAUP and FORMFEED.
pub fn begin(options: &SendOptions, control: Control, screen: ScreenUse) -> Outbound {
    let command = match options.erase {
        Erase::Screen if screen.alternate => SNA_CMD_EWA,
        Erase::Screen => SNA_CMD_EW,
        _ => SNA_CMD_W,
    };
    let mut out = screen.outbound(command, wcc(control));
    if options.erase == Erase::Unprotected {
        out.set_address(0);
        out.erase_unprotected_to(0);
    }
    if options.form_feed {
        out.set_address(0);
        out.data(&[FCORDER_FF]);
    }
    out
}

pub fn place_cursor(out: &mut Outbound, cursor: Option<u16>) {
    if let Some(address) = cursor {
        out.set_address(address);
        out.insert_cursor();
    }
}

pub fn wcc(control: Control) -> Wcc {
    let flags = [
        (control.free_keyboard, WCC_KEYBOARD_RESTORE_BIT),
        (control.alarm, WCC_SOUND_ALARM_BIT),
        (control.reset_mdt, WCC_RESET_MDT_BIT),
        (control.print, WCC_START_PRINTER_BIT),
    ];
    let bits = flags.into_iter().filter(|&(given, _)| given).fold(0, |bits, (_, bit)| bits | bit);
    let format = match control.print_line {
        PrintLine::NewLineOrEndOfMedium => 0x00,
        PrintLine::Columns40 => 0x10,
        PrintLine::Columns64 => 0x20,
        PrintLine::Columns80 => 0x30,
    };
    Wcc(bits | format)
}

/// The meaning of a write control character.
pub fn control_of(wcc: u8) -> Control {
    let has = |bit| wcc & bit != 0;
    let print_line = match wcc & 0x30 {
        0x10 => PrintLine::Columns40,
        0x20 => PrintLine::Columns64,
        0x30 => PrintLine::Columns80,
        _ => PrintLine::NewLineOrEndOfMedium,
    };
    Control {
        print: has(WCC_START_PRINTER_BIT),
        print_line,
        free_keyboard: has(WCC_KEYBOARD_RESTORE_BIT),
        alarm: has(WCC_SOUND_ALARM_BIT),
        reset_mdt: has(WCC_RESET_MDT_BIT),
    }
}

/// The orders and data of one map that begins at `origin`, to be joined with others on a page (ACCUM) or sent at once.
pub fn map_body(map: &Map, layout: &MapLayout, data: MapData, options: &SendOptions, screen: ScreenUse, origin: u16) -> MappedOutput {
    let size = screen.size();
    let mut mapper =
        Mapper { map, data, screen, origin, size, erased: options.erase == Erase::Screen, cursor: Cursors::default(), out: screen.body() };
    let mut entries = layout.entries.iter().peekable();
    let mut index = 0;
    while index < map.fields.len() {
        let mut end = map.group_members(index).end;
        if entries.peek().is_some_and(|entry| entry.field == index) {
            while let Some(entry) = entries.next_if(|entry| entry.field == index) {
                end = entry.field_end;
                mapper.named(entry);
            }
        } else {
            mapper.unnamed(&map.fields[index]);
        }
        index = end;
    }
    let cursor = match options.cursor {
        CursorOption::At(address) => Some(address % size.positions() as u16),
        CursorOption::Symbolic => mapper.cursor.symbolic.or(mapper.cursor.initial).or(Some(0)),
        CursorOption::Absent if matches!(data, MapData::DataOnly(_)) => None,
        CursorOption::Absent => mapper.cursor.initial,
    };
    let first_line = origin / size.columns + 1;
    MappedOutput { stream: mapper.out.finish(), cursor, next_line: first_line + map.lines }
}

#[derive(Default)]
struct Cursors {
    /// First field with a length item of -1.
    symbolic: Option<u16>,
    /// Last field with IC.
    initial: Option<u16>,
}

struct Mapper<'a> {
    map: &'a Map,
    data: MapData<'a>,
    screen: ScreenUse<'a>,
    origin: u16,
    size: ScreenSize,
    erased: bool,
    cursor: Cursors,
    out: Outbound,
}

impl Mapper<'_> {
    fn address(&self, position: u16) -> Option<u16> {
        screen_address(self.map, self.origin, position, self.size)
    }

    fn translated(&self, byte: u8) -> u8 {
        match self.screen.translation {
            Some(translation) if byte != 0 && byte != 0xFF => translation.to_terminal[byte as usize],
            _ => byte,
        }
    }

    /// A field that is not in the symbolic map: nothing with DATAONLY, else the map's values.
    fn unnamed(&mut self, field: &Field) {
        if matches!(self.data, MapData::DataOnly(_)) {
            return;
        }
        let Some(address) = self.address(field.position) else { return };
        self.note_initial_cursor(field, address);
        self.start_field(field, address, &[None; EXTENDED_COUNT + 1]);
        self.text(field.initial.as_deref(), field.length, address + 1, false);
    }

    fn note_initial_cursor(&mut self, field: &Field, address: u16) {
        if field.initial_cursor {
            self.cursor.initial = Some((address + 1) % self.size.positions() as u16);
        }
    }

    fn named(&mut self, entry: &Entry) {
        let Some(address) = self.address(entry.position) else { return };
        let map = self.map;
        let field = &map.fields[entry.field];
        let area = self.data.area().unwrap_or_default();
        let byte = |offset: usize| area.get(offset).copied().filter(|&value| value != 0);
        if entry.occurrence == 0 {
            self.note_initial_cursor(field, address);
        }
        let length = entry.length_offset.and_then(|offset| area.get(offset..offset + 2));
        if length == Some(&[0xFF, 0xFF]) && self.cursor.symbolic.is_none() {
            self.cursor.symbolic = Some((address + 1) % self.size.positions() as u16);
        }
        let mut given = [None; EXTENDED_COUNT + 1];
        // The flags of RECEIVE MAP stand in the same byte, and are no attributes.
        let attribute = byte(entry.flag_offset).filter(|value| value & !(FLAG_ERASED | FLAG_CURSOR) != 0);
        given[0] = attribute.map(|value| self.translated(value));
        for kind in map.symbolic_attributes.iter() {
            let value = entry.extended_offset(kind).and_then(byte);
            given[1 + kind as usize] = value.map(|value| self.program_extended(kind, value));
        }
        match self.data {
            MapData::DataOnly(_) => self.change_attributes(field, address, &given),
            _ => self.start_field(field, address, &given),
        }
        self.members(entry, area);
    }

    /// Validation, outline and SO/SI values are bits, not characters, and are not converted.
    fn program_extended(&self, kind: Extended, value: u8) -> u8 {
        match kind {
            Extended::Validation | Extended::Outline | Extended::Sosi => value,
            _ => self.translated(value),
        }
    }

    /// Data of the field, or of each member of the group.
    fn members(&mut self, entry: &Entry, area: &[u8]) {
        let map = self.map;
        let mut offset = entry.data_offset;
        for member in &map.fields[entry.field..entry.field_end] {
            let length = member.length as usize;
            if map.block {
                offset = entry.data_offset + usize::from(member.position - map.fields[entry.field].position);
            }
            let position = if entry.field_end - entry.field > 1 { member.position } else { entry.position };
            let start = self.address(position).map(|address| address + 1);
            let value = area.get(offset..(offset + length).min(area.len())).filter(|value| value.first().is_some_and(|&first| first != 0));
            offset += length;
            let Some(start) = start else { continue };
            match (value, self.data) {
                (Some(value), _) => self.program_text(value, member.length, start),
                (None, MapData::DataOnly(_)) => {}
                (None, _) => self.text(member.initial.as_deref(), member.length, start, false),
            }
        }
    }

    fn program_text(&mut self, value: &[u8], length: u16, start: u16) {
        match self.screen.translation {
            Some(translation) => {
                let text: Vec<u8> = value.iter().map(|&b| if b == 0 { 0 } else { translation.to_terminal[b as usize] }).collect();
                self.text(Some(&text), length, start, true);
            }
            None => self.text(Some(value), length, start, true),
        }
    }

    /// Trailing nulls are sent only where they may have to overwrite something.
    fn text(&mut self, value: Option<&[u8]>, length: u16, start: u16, from_program: bool) {
        let Some(value) = value else { return };
        let positions = self.size.positions() as u16;
        let room = length.min(positions.saturating_sub(start)) as usize;
        let mut value = &value[..value.len().min(room)];
        if self.erased {
            let used = value.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
            value = &value[..used];
        }
        if value.is_empty() && (self.erased || !from_program) {
            return;
        }
        self.out.set_address(start);
        self.out.data_compressed(value);
        let rest = room - value.len();
        if rest > 0 && !self.erased && !from_program {
            let stop = (start as usize + room) % positions as usize;
            self.out.repeat_to(stop as u16, 0);
        }
    }

    /// Starts the field with the program's values (index 0: attribute byte; 1 + kind: extended) where given, else the map's.
    fn start_field(&mut self, field: &Field, address: u16, given: &[Option<u8>; EXTENDED_COUNT + 1]) {
        let mut pairs = [(0u8, 0u8); EXTENDED_COUNT];
        let mut count = 0;
        for kind in self.supported().iter() {
            let value = given[1 + kind as usize].or(field.extended_value(kind)).filter(|&value| value != 0 && value != 0xFF);
            if let Some(value) = value {
                pairs[count] = (kind.order_type(), value);
                count += 1;
            }
        }
        self.out.set_address(address);
        self.out.start_field_extended(given[0].unwrap_or(field.attribute), &pairs[..count]);
    }

    fn supported(&self) -> ExtendedSet {
        let capabilities = self.screen.capabilities;
        if capabilities.extended_data_stream { capabilities.extended } else { ExtendedSet::default() }
    }

    /// DATAONLY: attributes given by the program are changed, the others stay as on the screen (MF); on an erased screen or a terminal
    /// without extended attributes the field is started with the given ones.
    fn change_attributes(&mut self, field: &Field, address: u16, given: &[Option<u8>; EXTENDED_COUNT + 1]) {
        let mut pairs = [(0u8, 0u8); EXTENDED_COUNT + 1];
        let mut count = 0;
        if let Some(attribute) = given[0] {
            pairs[0] = (XA_3270, attribute);
            count = 1;
        }
        for kind in self.supported().iter() {
            if let Some(value) = given[1 + kind as usize] {
                pairs[count] = (kind.order_type(), if value == 0xFF { 0 } else { value });
                count += 1;
            }
        }
        if count == 0 {
            return;
        }
        self.out.set_address(address);
        if self.screen.capabilities.extended_data_stream && !self.erased {
            self.out.modify_field(&pairs[..count]);
        } else {
            let attribute = given[0].unwrap_or(field.attribute);
            let from = given[0].is_some() as usize;
            self.out.start_field_extended(attribute, &pairs[from..count]);
        }
    }
}
