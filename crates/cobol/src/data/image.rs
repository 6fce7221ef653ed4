//! Initial storage: writes every VALUE into the image of its base.
//!
//! Invariants: an image is empty or as long as its base; bytes without a VALUE are binary zeros; a VALUE of a table element is
//! written to every occurrence.

use super::tree::DataDivision;
use super::value::Encoder;
use crate::program::*;
use crate::report::Report;

/// The most bytes of initial storage one program may have.
const IMAGE_LENGTH_MAX: u32 = super::picture::ITEM_LENGTH_MAX;

/// Fills the images.
pub fn fill(division: &DataDivision, program: &mut Program, report: &mut Report, encoder: &Encoder) {
    for index in 0..program.items.len() {
        let id = ItemId(index as u32);
        let Some(literal) = program.items[index].value.clone() else { continue };
        if !has_image(program, id, report) {
            continue;
        }
        match encoder.initial(&program.items[index], &literal) {
            Err(message) => report.severe(literal.span, format!("VALUE of {}: {message}", program.items[index].name)),
            Ok(encoded) => {
                if encoded.truncated {
                    report.warning(literal.span, format!("VALUE of {} is longer than the item and is cut", program.items[index].name));
                }
                write_all(program, id, &encoded.bytes);
            }
        }
    }
    for (id, values) in &division.table_values {
        if !has_image(program, *id, report) {
            continue;
        }
        fill_table(program, *id, values, report, encoder);
    }
}

/// Several literals on one table item: consecutive occurrences.
fn fill_table(program: &mut Program, id: ItemId, values: &[ValueRange], report: &mut Report, encoder: &Encoder) {
    let places = places(program, id);
    let item = program.item(id).clone();
    for (place, value) in places.iter().zip(values) {
        match encoder.initial(&item, &value.low) {
            Err(message) => report.severe(value.low.span, format!("VALUE of {}: {message}", item.name)),
            Ok(encoded) => write(program, item.base, *place, &encoded.bytes),
        }
    }
}

fn has_image(program: &mut Program, id: ItemId, report: &mut Report) -> bool {
    let base = program.item(id).base;
    let area = &mut program.bases[base.0 as usize];
    if !matches!(area.kind, BaseKind::Working | BaseKind::Local | BaseKind::External) {
        return false;
    }
    if area.length > IMAGE_LENGTH_MAX {
        if area.image.is_empty() {
            let message = format!("{} has {} bytes; the most is {IMAGE_LENGTH_MAX}", area.name, area.length);
            report.severe(program.item(id).span, message);
        }
        return false;
    }
    area.image.resize(area.length as usize, 0);
    true
}

fn write(program: &mut Program, base: BaseId, at: u32, bytes: &[u8]) {
    let image = &mut program.bases[base.0 as usize].image;
    let at = at as usize;
    if let Some(room) = image.get_mut(at..at + bytes.len()) {
        room.copy_from_slice(bytes);
    }
}

fn write_all(program: &mut Program, id: ItemId, bytes: &[u8]) {
    let base = program.item(id).base;
    for place in places(program, id) {
        write(program, base, place, bytes);
    }
}

/// Offsets of all occurrences of the item, with every table at its maximum.
fn places(program: &Program, id: ItemId) -> Vec<u32> {
    let item = program.item(id);
    let mut places = vec![super::layout::size_max(&program.items, &item.offset) as u32];
    for table in &item.dimensions {
        let Some(occurs) = &program.item(*table).occurs else { continue };
        let stride = super::layout::size_max(&program.items, &occurs.stride) as u32;
        let total = u64::from(occurs.max) * places.len() as u64;
        if total > u64::from(IMAGE_LENGTH_MAX) {
            return Vec::new();
        }
        places = places.iter().flat_map(|place| (0..occurs.max).map(move |n| place.saturating_add(n.saturating_mul(stride)))).collect();
    }
    places
}
