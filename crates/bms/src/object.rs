//! Load module of a mapset: magic, version, length, CRC-32 of the contents, contents. Numbers are big-endian. Decoding takes
//! any bytes: it checks the CRC first and every bound after, so a damaged file is an error and never a wrong map.

use crate::attribute::{EXTENDED_COUNT, ExtendedSet, ExtendedValues};
use crate::layout::MapLayout;
use crate::model::*;

pub const MAGIC: [u8; 8] = *b"RGNTBMS\0";
pub const VERSION: u16 = 1;
const HEADER_LENGTH: usize = 18;
/// DFHMDF allows 1,023 named fields; unnamed ones are additional.
pub const FIELD_COUNT_MAX: usize = 16_384;
pub const MAP_COUNT_MAX: usize = 9_999;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObjectError {
    #[error("not a mapset load module")]
    Magic,
    #[error("mapset load module of version {0}, this is version {VERSION}")]
    Version(u16),
    #[error("mapset load module is damaged (checksum)")]
    Checksum,
    #[error("mapset load module is damaged ({0})")]
    Damaged(&'static str),
}

/// A mapset ready for use: the maps with their layouts worked out once.
#[derive(Debug, Clone)]
pub struct LoadedMapSet {
    pub set: MapSet,
    layouts: Vec<MapLayout>,
}

impl LoadedMapSet {
    pub fn new(set: MapSet) -> LoadedMapSet {
        let layouts = set.maps.iter().map(MapLayout::of).collect();
        LoadedMapSet { set, layouts }
    }

    pub fn decode(bytes: &[u8]) -> Result<LoadedMapSet, ObjectError> {
        decode(bytes).map(LoadedMapSet::new)
    }

    /// The map of this name and its layout; trailing blanks of the name are ignored.
    pub fn map(&self, name: &str) -> Option<(&Map, &MapLayout)> {
        let name = name.trim_end();
        let index = self.set.maps.iter().position(|map| map.name.eq_ignore_ascii_case(name))?;
        Some((&self.set.maps[index], &self.layouts[index]))
    }
}

pub fn encode(set: &MapSet) -> Vec<u8> {
    let mut body = Writer::default();
    body.text(&set.name);
    body.u8(set.suffix.map_or(0, |suffix| suffix as u8));
    body.u8(set.language as u8);
    body.u8(set.mode as u8);
    match &set.storage {
        Storage::Redefined => body.u8(0),
        Storage::Auto => body.u8(1),
        Storage::Base(area) => {
            body.u8(2);
            body.text(area);
        }
    }
    body.u16(set.maps.len() as u16);
    for map in &set.maps {
        encode_map(&mut body, map);
    }
    frame(MAGIC, body)
}

/// Magic, version, length and checksum in front of contents.
pub(crate) fn frame(magic: [u8; 8], body: Writer) -> Vec<u8> {
    let body = body.0;
    let mut out = Vec::with_capacity(HEADER_LENGTH + body.len());
    out.extend(magic);
    out.extend(VERSION.to_be_bytes());
    out.extend((body.len() as u32).to_be_bytes());
    out.extend(crc32fast::hash(&body).to_be_bytes());
    out.extend(body);
    out
}

pub fn decode(bytes: &[u8]) -> Result<MapSet, ObjectError> {
    let mut reader = Reader(unframe(MAGIC, bytes)?);
    let mut set = MapSet { name: reader.text()?, ..MapSet::default() };
    set.suffix = Some(reader.u8()?).filter(|&suffix| suffix != 0).map(char::from);
    set.language = match reader.u8()? {
        0 => Language::Assembler,
        1 => Language::Cobol,
        2 => Language::Pli,
        3 => Language::C,
        _ => return Err(ObjectError::Damaged("language")),
    };
    set.mode = match reader.u8()? {
        0 => Mode::Out,
        1 => Mode::In,
        2 => Mode::InOut,
        _ => return Err(ObjectError::Damaged("mode")),
    };
    set.storage = match reader.u8()? {
        0 => Storage::Redefined,
        1 => Storage::Auto,
        2 => Storage::Base(reader.text()?),
        _ => return Err(ObjectError::Damaged("storage")),
    };
    let count = reader.u16()? as usize;
    if count > MAP_COUNT_MAX {
        return Err(ObjectError::Damaged("number of maps"));
    }
    for _ in 0..count {
        set.maps.push(decode_map(&mut reader)?);
    }
    if !reader.0.is_empty() {
        return Err(ObjectError::Damaged("contents too long"));
    }
    Ok(set)
}

/// The contents of a load module, whose checksum is right.
pub(crate) fn unframe(magic: [u8; 8], bytes: &[u8]) -> Result<&[u8], ObjectError> {
    if !bytes.starts_with(&magic) || bytes.len() < HEADER_LENGTH {
        return Err(ObjectError::Magic);
    }
    let version = u16::from_be_bytes([bytes[8], bytes[9]]);
    if version != VERSION {
        return Err(ObjectError::Version(version));
    }
    let length = u32::from_be_bytes(bytes[10..14].try_into().expect("four bytes")) as usize;
    let checksum = u32::from_be_bytes(bytes[14..18].try_into().expect("four bytes"));
    let body = &bytes[HEADER_LENGTH..];
    if body.len() != length || crc32fast::hash(body) != checksum {
        return Err(ObjectError::Checksum);
    }
    Ok(body)
}

fn encode_map(out: &mut Writer, map: &Map) {
    out.text(&map.name);
    out.u16(map.lines);
    out.u16(map.columns);
    out.place(map.line);
    out.place(map.column);
    out.bits(&[map.justify.right, map.justify.first, map.justify.last, map.justify.bottom]);
    match map.control {
        None => out.u8(0xFF),
        Some(control) => {
            out.bits(&[control.print, control.free_keyboard, control.alarm, control.reset_mdt]);
            out.u8(control.print_line as u8);
        }
    }
    let has_partition = !map.partition.is_empty();
    out.bits(&[
        map.cursor_located,
        map.header,
        map.trailer,
        map.no_fields,
        map.tioa_prefix,
        has_partition,
        map.activates_partition,
        map.block,
    ]);
    if has_partition {
        out.text(&map.partition);
    }
    out.u8(map.map_attributes.0);
    out.u8(map.symbolic_attributes.0);
    out.u16(map.fields.len() as u16);
    for field in &map.fields {
        encode_field(out, field);
    }
}

fn decode_map(reader: &mut Reader) -> Result<Map, ObjectError> {
    let mut map = Map { name: reader.text()?, lines: reader.u16()?, columns: reader.u16()?, ..Map::default() };
    map.line = reader.place()?;
    map.column = reader.place()?;
    let [right, first, last, bottom, ..] = reader.bits()?;
    map.justify = MapJustify { right, first, last, bottom };
    map.control = match reader.u8()? {
        0xFF => None,
        bits => {
            let [print, free_keyboard, alarm, reset_mdt, ..] = unpack(bits);
            let print_line = match reader.u8()? {
                0 => PrintLine::NewLineOrEndOfMedium,
                1 => PrintLine::Columns40,
                2 => PrintLine::Columns64,
                3 => PrintLine::Columns80,
                _ => return Err(ObjectError::Damaged("print format")),
            };
            Some(Control { print, print_line, free_keyboard, alarm, reset_mdt })
        }
    };
    let [cursor_located, header, trailer, no_fields, tioa_prefix, has_partition, activates, block] = reader.bits()?;
    if has_partition {
        map.partition = reader.text()?;
    }
    map.activates_partition = activates;
    (map.cursor_located, map.header, map.trailer) = (cursor_located, header, trailer);
    (map.no_fields, map.tioa_prefix, map.block) = (no_fields, tioa_prefix, block);
    map.map_attributes = ExtendedSet(reader.u8()? & 0x7F);
    map.symbolic_attributes = ExtendedSet(reader.u8()? & 0x7F);
    let count = reader.u16()? as usize;
    if count > FIELD_COUNT_MAX {
        return Err(ObjectError::Damaged("number of fields"));
    }
    for _ in 0..count {
        map.fields.push(decode_field(reader)?);
    }
    Ok(map)
}

fn encode_field(out: &mut Writer, field: &Field) {
    out.text(&field.name);
    out.text(&field.group);
    out.u16(field.position);
    out.u16(field.length);
    out.u8(field.attribute);
    for value in field.extended.0 {
        out.u16(value.map_or(0x100, u16::from));
    }
    let given = [
        field.initial_cursor,
        field.detectable,
        field.initial.is_some(),
        field.justify.right,
        field.justify.zero_fill,
        field.case_mixed,
        field.picture_in.is_some(),
        field.picture_out.is_some(),
    ];
    out.bits(&given);
    let pictures = [&field.picture_in, &field.picture_out].map(|picture| picture.as_deref().map(str::as_bytes));
    for bytes in [field.initial.as_deref()].into_iter().chain(pictures).flatten() {
        out.u16(bytes.len() as u16);
        out.0.extend_from_slice(bytes);
    }
    out.u16(field.occurs);
    out.u8(field.occurs_given as u8);
}

fn decode_field(reader: &mut Reader) -> Result<Field, ObjectError> {
    let mut field = Field { name: reader.text()?, group: reader.text()?, ..Field::default() };
    field.position = reader.u16()?;
    field.length = reader.u16()?;
    field.attribute = reader.u8()?;
    let mut values = [None; EXTENDED_COUNT];
    for value in &mut values {
        *value = Some(reader.u16()?).filter(|&value| value < 0x100).map(|value| value as u8);
    }
    field.extended = ExtendedValues(values);
    let [cursor, detectable, initial, right, zero, mixed, picture_in, picture_out] = reader.bits()?;
    (field.initial_cursor, field.detectable, field.case_mixed) = (cursor, detectable, mixed);
    field.justify = FieldJustify { right, zero_fill: zero };
    field.initial = initial.then(|| reader.bytes()).transpose()?;
    field.picture_in = picture_in.then(|| reader.picture()).transpose()?;
    field.picture_out = picture_out.then(|| reader.picture()).transpose()?;
    field.occurs = reader.u16()?;
    field.occurs_given = reader.u8()? != 0;
    if field.length as u32 + field.position as u32 > u16::MAX as u32 || field.occurs == 0 {
        return Err(ObjectError::Damaged("field"));
    }
    if field.initial.as_ref().is_some_and(|initial| initial.len() > field.length as usize) {
        return Err(ObjectError::Damaged("initial value"));
    }
    Ok(field)
}

#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.0.extend(value.to_be_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.0.extend(value.to_be_bytes());
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(crate) fn text(&mut self, text: &str) {
        assert!(text.len() <= 255);
        self.u8(text.len() as u8);
        self.0.extend(text.bytes());
    }

    /// First flag in the lowest bit; never X'FF' for fewer than eight flags.
    fn bits(&mut self, flags: &[bool]) {
        self.u8(flags.iter().enumerate().fold(0, |bits, (index, &flag)| bits | (flag as u8) << index));
    }

    fn place(&mut self, place: Place) {
        self.u16(match place {
            Place::At(number) => number,
            Place::Next => 0xFFFE,
            Place::Same => 0xFFFF,
        });
    }
}

pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Result<&[u8], ObjectError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(ObjectError::Damaged("contents too short"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, ObjectError> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, ObjectError> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, ObjectError> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(crate) fn raw(&mut self, length: usize) -> Result<Vec<u8>, ObjectError> {
        self.take(length).map(<[u8]>::to_vec)
    }

    pub(crate) fn text(&mut self) -> Result<String, ObjectError> {
        let length = self.u8()? as usize;
        String::from_utf8(self.take(length)?.to_vec()).map_err(|_| ObjectError::Damaged("name"))
    }

    fn bytes(&mut self) -> Result<Vec<u8>, ObjectError> {
        let length = self.u16()? as usize;
        Ok(self.take(length)?.to_vec())
    }

    fn picture(&mut self) -> Result<String, ObjectError> {
        String::from_utf8(self.bytes()?).map_err(|_| ObjectError::Damaged("picture"))
    }

    fn bits(&mut self) -> Result<[bool; 8], ObjectError> {
        Ok(unpack(self.u8()?))
    }

    fn place(&mut self) -> Result<Place, ObjectError> {
        Ok(match self.u16()? {
            0xFFFE => Place::Next,
            0xFFFF => Place::Same,
            number => Place::At(number),
        })
    }
}

fn unpack(bits: u8) -> [bool; 8] {
    std::array::from_fn(|index| bits >> index & 1 != 0)
}
