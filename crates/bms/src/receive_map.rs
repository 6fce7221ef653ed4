//! Input mapping: RECEIVE MAP. Rules: a field that was not modified is null with length 0; one modified to nothing has flag X'80' and
//! length 0; data longer than the field is truncated on the right; JUSTIFY gives the alignment and fill character of shorter data; with
//! CURSLOC=YES the field that holds the cursor has flag X'02' too; no mapped data at all, or data of an unformatted screen, raises MAPFAIL.

use crate::attribute::is_detectable;
use crate::constants::{FLAG_CURSOR, FLAG_ERASED};
use crate::inbound::{Body, Inbound};
use crate::layout::{Entry, MapLayout};
use crate::model::{Field, Map};
use crate::send_map::{MapError, ScreenUse, map_origin, screen_address};
use crate::text::CodePage;

/// Data of a field chosen by light pen or cursor select (DFHBMDET).
pub const DETECTED: u8 = 0xFF;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReceiveError {
    #[error("no data to map")]
    MapFail,
    #[error(transparent)]
    Map(#[from] MapError),
}

/// A symbolic input map, whole, with the TIOAPFX filler as nulls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappedInput {
    pub area: Vec<u8>,
    /// Fields of the record that belong to the map.
    pub field_count: usize,
}

/// `upper` folds letters (UCTRAN of profile or TYPETERM, no ASIS) except in fields with CASE=MIXED; None leaves them unchanged.
pub fn receive_map(
    map: &Map,
    layout: &MapLayout,
    inbound: &Inbound,
    screen: ScreenUse,
    upper: Option<&CodePage>,
) -> Result<MappedInput, ReceiveError> {
    let Body::Fields(fields) = &inbound.body else { return Err(ReceiveError::MapFail) };
    if fields.is_empty() {
        return Err(ReceiveError::MapFail);
    }
    let size = screen.size();
    let origin = map_origin(map, screen.page(), 1)?;
    let mut area = vec![0u8; layout.length];
    let mut field_count = 0;
    for entry in &layout.entries {
        let Some(start) = screen_address(map, origin, entry.position, size) else { continue };
        let start = (start as usize + 1) % size.positions();
        let range = start..start + (entry.length as usize).max(1);
        if let Some(field) = fields.iter().find(|field| range.contains(&(field.address as usize))) {
            let mut data = field.data.clone();
            if let Some(page) = upper.filter(|_| !map.fields[entry.field].case_mixed) {
                page.fold_upper(&mut data);
            }
            store(map, entry, &data, &mut area, screen);
            field_count += 1;
        }
        if map.cursor_located && inbound.cursor.is_some_and(|cursor| range.contains(&(cursor as usize))) {
            area[entry.flag_offset] |= FLAG_CURSOR;
        }
    }
    Ok(MappedInput { area, field_count })
}

fn store(map: &Map, entry: &Entry, data: &[u8], area: &mut [u8], screen: ScreenUse) {
    let field = &map.fields[entry.field];
    if field.detectable && is_detectable(field.attribute) && data.first().is_none_or(|&b| b == 0x40 || b == 0x6E) {
        area[entry.data_offset] = DETECTED;
        set_length(entry, 1, area);
        return;
    }
    let length = data.len().min(entry.length as usize);
    set_length(entry, length as u16, area);
    if length == 0 {
        area[entry.flag_offset] = FLAG_ERASED;
        return;
    }
    let data = &data[..length];
    let mut offset = entry.data_offset;
    for member in &map.fields[entry.field..entry.field_end] {
        if map.block {
            offset = entry.data_offset + usize::from(member.position - field.position);
        }
        let target = &mut area[offset..offset + member.length as usize];
        offset += member.length as usize;
        if entry.field_end - entry.field == 1 {
            fill(member, data, target, screen);
        } else {
            let from = (member.position - field.position) as usize;
            let part = data.get(from..data.len().min(from + member.length as usize)).unwrap_or_default();
            fill(&Field { justify: Default::default(), ..Field::default() }, part, target, screen);
        }
    }
}

fn set_length(entry: &Entry, length: u16, area: &mut [u8]) {
    if let Some(offset) = entry.length_offset {
        area[offset..offset + 2].copy_from_slice(&length.to_be_bytes());
    }
}

fn fill(field: &Field, data: &[u8], target: &mut [u8], screen: ScreenUse) {
    let blank = if field.justify.zero_fill { 0xF0 } else { 0x40 };
    target.fill(blank);
    let count = data.len().min(target.len());
    let from = if field.justify.right { target.len() - count } else { 0 };
    target[from..from + count].copy_from_slice(&data[..count]);
    if let Some(translation) = screen.translation {
        for byte in target {
            *byte = translation.from_terminal[*byte as usize];
        }
    }
}
