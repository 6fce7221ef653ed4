//! Overlapping fields of a map. BMS sends both, so the later one is displayed and the other loses its end; the assembler of a mapset does
//! not check this (DFHMDF, POS: "ensure that fields do not overlap").
//!
//! Invariant: `lines` has the line of each field of the map, in the map's order.

use crate::model::Map;

/// The cells of one field, or of the fields of one group.
struct Extent {
    index: usize,
    /// The attribute byte.
    from: u32,
    /// Behind the last cell of data.
    to: u32,
}

/// For each field that begins within the one before it: its index, and the message.
pub fn overlaps(map: &Map, lines: &[u32]) -> Vec<(usize, String)> {
    debug_assert_eq!(lines.len(), map.fields.len());
    let columns = u32::from(map.columns.max(1));
    let mut extents: Vec<Extent> = Vec::new();
    for (index, field) in map.fields.iter().enumerate() {
        let from = u32::from(field.position);
        let each = 1 + u32::from(field.length);
        let to = from + each * u32::from(field.occurs.max(1));
        match extents.last_mut() {
            // The later members of a group follow the first without attribute bytes.
            Some(group) if map.continues_group(index) => group.to = group.to.max(to),
            _ => extents.push(Extent { index, from, to }),
        }
    }
    extents.sort_by_key(|extent| (extent.from, extent.index));
    let name = |index: usize| match map.fields[index].name.as_str() {
        "" => format!("the field on line {}", lines[index]),
        name => format!("{name} on line {}", lines[index]),
    };
    let mut found = Vec::new();
    let mut before: Option<&Extent> = None;
    for extent in &extents {
        if let Some(other) = before.filter(|other| extent.from < other.to) {
            let (line, column) = (extent.from / columns + 1, extent.from % columns + 1);
            let text = format!("this field begins at ({line},{column}), within {}", name(other.index));
            found.push((extent.index, text));
        }
        before = before.filter(|other| other.to > extent.to).or(Some(extent));
    }
    found
}
