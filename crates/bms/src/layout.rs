//! The position of each item of a symbolic map: offsets of L, F/A, the extended attributes and the data, so that the region can map without
//! knowing the program's language. Structures are byte packed; the rules are those of `symbolic`, and a test compares the two. With DATA=BLOCK
//! the structure is an image of the screen ("Block data").

use crate::attribute::{EXTENDED_COUNT, Extended};
use crate::model::Map;

/// Bytes before the first field with TIOAPFX=YES.
pub const TIOA_PREFIX_LENGTH: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MapLayout {
    /// Of the whole structure.
    pub length: usize,
    pub entries: Vec<Entry>,
}

/// One field on the screen that is in the symbolic map: a named field, one occurrence of it, or a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entry {
    /// Index of the field in `Map::fields` (first member of a group).
    pub field: usize,
    /// One past the last member of a group; `field + 1` otherwise.
    pub field_end: usize,
    /// From 0.
    pub occurrence: u16,
    /// Of the attribute byte, relative to 0 in the map.
    pub position: u16,
    /// Of the data on the screen; of a group: of all members and the gaps between.
    pub length: u16,
    /// Of the halfword L; `None`: DATA=BLOCK, which has no lengths.
    pub length_offset: Option<usize>,
    /// Of F and A.
    pub flag_offset: usize,
    /// Of C, P, H, V, U, M, T; 0 when the map has no such item.
    pub extended_offsets: [usize; EXTENDED_COUNT],
    /// Of I and O. Members of a group are adjacent from here; with DATA=BLOCK they are as on the screen.
    pub data_offset: usize,
}

impl Entry {
    /// None when the symbolic map has no item of this kind.
    pub fn extended_offset(&self, kind: Extended) -> Option<usize> {
        Some(self.extended_offsets[kind as usize]).filter(|&offset| offset != 0)
    }
}

impl MapLayout {
    pub fn of(map: &Map) -> MapLayout {
        let mut layout = MapLayout { length: if map.tioa_prefix { TIOA_PREFIX_LENGTH } else { 0 }, entries: Vec::new() };
        let mut index = 0;
        while index < map.fields.len() {
            let members = map.group_members(index);
            let field = &map.fields[index];
            if !field.name.is_empty() || !field.group.is_empty() {
                for occurrence in 0..field.occurs {
                    layout.add(map, members.clone(), occurrence);
                }
            }
            index = members.end;
        }
        layout
    }

    fn add(&mut self, map: &Map, members: std::ops::Range<usize>, occurrence: u16) {
        let first = &map.fields[members.start];
        let last = &map.fields[members.end - 1];
        let mut entry = Entry {
            field: members.start,
            field_end: members.end,
            occurrence,
            position: first.position.saturating_add(occurrence.saturating_mul(first.length + 1)),
            length: (last.position + last.length).saturating_sub(first.position),
            length_offset: Some(self.length),
            flag_offset: self.length + 2,
            ..Entry::default()
        };
        if map.block {
            return self.add_to_image(map, entry);
        }
        let mut offset = self.length + 3;
        for kind in map.symbolic_attributes.iter() {
            entry.extended_offsets[kind as usize] = offset;
            offset += 1;
        }
        entry.data_offset = offset;
        let data_length: usize = map.fields[members].iter().map(|member| member.length as usize).sum();
        self.length = offset + data_length;
        self.entries.push(entry);
    }

    /// DATA=BLOCK: each item is where it is on the screen.
    fn add_to_image(&mut self, map: &Map, mut entry: Entry) {
        let prefix = if map.tioa_prefix { TIOA_PREFIX_LENGTH } else { 0 };
        entry.length_offset = None;
        entry.flag_offset = prefix + usize::from(entry.position);
        entry.data_offset = entry.flag_offset + 1;
        self.length = self.length.max(entry.data_offset + usize::from(entry.length));
        self.entries.push(entry);
    }

    /// The entry of a name (occurrence from 0), for tests and for tools.
    pub fn find(&self, map: &Map, name: &str, occurrence: u16) -> Option<&Entry> {
        self.entries.iter().find(|entry| {
            let field = &map.fields[entry.field];
            entry.occurrence == occurrence && (field.name.eq_ignore_ascii_case(name) || field.group.eq_ignore_ascii_case(name))
        })
    }
}
