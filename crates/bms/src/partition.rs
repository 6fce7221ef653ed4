//! Partition sets: a screen divided into areas that are written and read separately (8775, 3290), and their 3270 data streams.
//!
//! Rules (GA23-0059, "Partitions"; CICS, "Partition support"): a partition set has one to eight partitions that do not overlap; a partition shows a
//! part (viewport) of its own buffer, which is as wide and may be higher. Invariants: identifiers are the places in the set, from 0; names are
//! unique and upper case.

use crate::address::Addressing;
use crate::capabilities::ScreenSize;
use crate::constants::*;
use crate::object::{ObjectError, Reader, Writer, frame, unframe};

pub const PARTITIONS_MAX: usize = 8;
const MAGIC: [u8; 8] = *b"RGNTPSD\0";

/// Sizes of a character in picture elements.
pub type CharacterSize = (u16, u16);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartitionSet {
    pub name: String,
    pub suffix: Option<char>,
    pub partitions: Vec<Partition>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Empty only for the one of error messages.
    pub name: String,
    /// Line and column of the viewport on the screen, from 0.
    pub view_position: (u16, u16),
    pub view_size: ScreenSize,
    pub buffer_size: ScreenSize,
    pub character_size: Option<CharacterSize>,
    pub map_suffix: Option<char>,
    /// ATTRB=ERROR: messages about errors go there.
    pub is_for_errors: bool,
}

impl PartitionSet {
    /// The identifier of a partition.
    pub fn find(&self, name: &str) -> Option<u8> {
        let name = name.trim_end();
        let at = self.partitions.iter().position(|partition| !name.is_empty() && partition.name.eq_ignore_ascii_case(name));
        at.map(|at| at as u8)
    }

    pub fn get(&self, id: u8) -> Option<&Partition> {
        self.partitions.get(usize::from(id))
    }

    pub fn for_errors(&self) -> Option<u8> {
        self.partitions.iter().position(|partition| partition.is_for_errors).map(|at| at as u8)
    }

    /// The structured fields that make the partitions; all that were there go.
    pub fn create(&self) -> Vec<u8> {
        let mut out = base_state();
        for (id, partition) in self.partitions.iter().enumerate() {
            out.extend(field(SF_CREATE_PART, &partition.parameters(id as u8)));
        }
        out
    }
}

impl Partition {
    pub fn addressing(&self) -> Addressing {
        Addressing::for_positions(self.buffer_size.positions())
    }

    /// Parameters of Create Partition: identifier, units of character cells and addressing, flags, presentation space, viewport, window origin,
    /// lines of a scroll, and the size of a character.
    fn parameters(&self, id: u8) -> Vec<u8> {
        const ONE_LINE: u16 = 1;
        let (line, column) = self.view_position;
        let (buffer, view) = (self.buffer_size, self.view_size);
        let mut out = vec![id, 0, 0];
        for number in [buffer.rows, buffer.columns, line, column, view.rows, view.columns, 0, 0, ONE_LINE] {
            out.extend(number.to_be_bytes());
        }
        if let Some((vertical, horizontal)) = self.character_size {
            out.extend(0u16.to_be_bytes());
            out.extend(horizontal.to_be_bytes());
            out.extend(vertical.to_be_bytes());
        }
        out
    }
}

/// A structured field: length, identifier, contents.
fn field(id: u8, contents: &[u8]) -> Vec<u8> {
    let length = contents.len() as u16 + 3;
    [&length.to_be_bytes()[..], &[id], contents].concat()
}

/// The structured field that removes all partitions.
pub fn base_state() -> Vec<u8> {
    field(SF_ERASE_RESET, &[SF_ER_DEFAULT])
}

/// The structured field that writes a data stream (command, write control character, orders) to a partition.
pub fn write_to(id: u8, stream: &[u8]) -> Vec<u8> {
    field(SF_OUTBOUND_DS, &[&[id], stream].concat())
}

/// Whether a record of structured fields frees the keyboard of a partition.
pub fn unlocks(record: &[u8]) -> bool {
    let mut rest = record.get(1..).unwrap_or_default();
    while let [high, low, id, contents @ ..] = rest {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        let end = if length == 0 { rest.len() } else { length };
        let frees = |wcc: &u8| wcc & WCC_KEYBOARD_RESTORE_BIT != 0;
        if *id == SF_OUTBOUND_DS && contents.get(2).is_some_and(frees) {
            return true;
        }
        match rest.get(end.max(3)..) {
            Some(further) => rest = further,
            None => return false,
        }
    }
    false
}

/// The structured field that puts the cursor into a partition.
pub fn activate(id: u8) -> Vec<u8> {
    field(SF_ACTIVATE_PARTITION, &[id])
}

/// The record of an input from a partition as a display without partitions sends it (AID, cursor, data), and the partition. `None`: the record
/// is something else.
pub fn inbound(record: &[u8]) -> Option<(u8, Vec<u8>)> {
    let (&aid, rest) = record.split_first()?;
    if aid != AID_STRF {
        return None;
    }
    let [high, low, SFID_INBOUND_DS, id, data @ ..] = rest else { return None };
    let length = usize::from(u16::from_be_bytes([*high, *low]));
    // A length of zero is that of the rest.
    let end = if length == 0 { data.len() } else { length.checked_sub(4)? };
    let data = data.get(..end)?;
    (!data.is_empty()).then(|| (*id, data.to_vec()))
}

pub fn encode(set: &PartitionSet) -> Vec<u8> {
    let mut body = Writer::default();
    body.text(&set.name);
    body.u8(set.suffix.map_or(0, |suffix| suffix as u8));
    body.u8(set.partitions.len() as u8);
    for partition in &set.partitions {
        body.text(&partition.name);
        let (line, column) = partition.view_position;
        let sizes = [partition.view_size, partition.buffer_size];
        let (vertical, horizontal) = partition.character_size.unwrap_or_default();
        for number in [line, column].into_iter().chain(sizes.into_iter().flat_map(|size| [size.rows, size.columns])) {
            body.u16(number);
        }
        body.u16(vertical);
        body.u16(horizontal);
        body.u8(partition.map_suffix.map_or(0, |suffix| suffix as u8));
        body.u8(u8::from(partition.is_for_errors));
    }
    frame(MAGIC, body)
}

pub fn decode(bytes: &[u8]) -> Result<PartitionSet, ObjectError> {
    let mut reader = Reader(unframe(MAGIC, bytes)?);
    let name = reader.text()?;
    let suffix = Some(reader.u8()?).filter(|&suffix| suffix != 0).map(char::from);
    let count = usize::from(reader.u8()?);
    if !(1..=PARTITIONS_MAX).contains(&count) {
        return Err(ObjectError::Damaged("number of partitions"));
    }
    let mut set = PartitionSet { name, suffix, partitions: Vec::new() };
    for _ in 0..count {
        let name = reader.text()?;
        let view_position = (reader.u16()?, reader.u16()?);
        let view_size = ScreenSize::new(reader.u16()?, reader.u16()?);
        let buffer_size = ScreenSize::new(reader.u16()?, reader.u16()?);
        let (vertical, horizontal) = (reader.u16()?, reader.u16()?);
        let map_suffix = Some(reader.u8()?).filter(|&suffix| suffix != 0).map(char::from);
        let is_for_errors = reader.u8()? != 0;
        if view_size.positions() == 0 || buffer_size.positions() < view_size.positions() {
            return Err(ObjectError::Damaged("partition"));
        }
        let character_size = (vertical > 0).then_some((vertical, horizontal));
        set.partitions.push(Partition { name, view_position, view_size, buffer_size, character_size, map_suffix, is_for_errors });
    }
    if !reader.0.is_empty() {
        return Err(ObjectError::Damaged("contents too long"));
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves() -> PartitionSet {
        let partition = |name: &str, line: u16, is_for_errors: bool| Partition {
            name: name.to_string(),
            view_position: (line, 0),
            view_size: ScreenSize::new(12, 80),
            buffer_size: ScreenSize::new(20, 80),
            character_size: is_for_errors.then_some((12, 6)),
            map_suffix: Some('M'),
            is_for_errors,
        };
        PartitionSet { name: "HALVES".to_string(), suffix: None, partitions: vec![partition("P1", 0, false), partition("P2", 12, true)] }
    }

    #[test]
    fn a_set_is_written_and_read() {
        let set = halves();
        let bytes = encode(&set);
        assert_eq!(decode(&bytes), Ok(set.clone()));
        assert_eq!((set.find("p2 "), set.find("P3"), set.find(" "), set.for_errors()), (Some(1), None, None, Some(1)));
        let mut damaged = bytes.clone();
        damaged[20] ^= 1;
        assert_eq!(decode(&damaged), Err(ObjectError::Checksum));
        assert_eq!(decode(&bytes[..10]), Err(ObjectError::Magic));
        assert_eq!(decode(b"RGNTBMS\0nonsense of a mapset"), Err(ObjectError::Magic));
    }

    #[test]
    fn data_streams_are_those_of_the_architecture() {
        let created = halves().create();
        assert_eq!(created[..4], [0, 4, SF_ERASE_RESET, SF_ER_DEFAULT]);
        let first = [0, 24, SF_CREATE_PART, 0, 0, 0, 0, 20, 0, 80, 0, 0, 0, 0, 0, 12, 0, 80, 0, 0, 0, 0, 0, 1];
        assert_eq!(created[4..28], first);
        assert_eq!(created[28..32], [0, 30, SF_CREATE_PART, 1]);
        assert_eq!(created[52..], [0, 0, 0, 6, 0, 12]);
        assert_eq!(write_to(1, &[SNA_CMD_W, 0xC3]), [0, 6, SF_OUTBOUND_DS, 1, SNA_CMD_W, 0xC3]);
        assert_eq!(activate(1), [0, 4, SF_ACTIVATE_PARTITION, 1]);
        let record = |wcc: u8| [&[SNA_CMD_WSF][..], &activate(1), &write_to(1, &[SNA_CMD_W, wcc])].concat();
        assert!(unlocks(&record(0xC3)) && !unlocks(&record(0x40)) && !unlocks(&[SNA_CMD_WSF, 0, 9]) && !unlocks(&[]));
    }

    #[test]
    fn input_comes_from_a_partition() {
        let record = [AID_STRF, 0, 8, SFID_INBOUND_DS, 1, AID_ENTER, 0x40, 0x40, 0xC1];
        assert_eq!(inbound(&record), Some((1, vec![AID_ENTER, 0x40, 0x40, 0xC1])));
        let record = [AID_STRF, 0, 0, SFID_INBOUND_DS, 2, AID_ENTER];
        assert_eq!(inbound(&record), Some((2, vec![AID_ENTER])));
        for other in [&[AID_ENTER, 0x40, 0x40][..], &[AID_STRF], &[AID_STRF, 0, 9, SFID_INBOUND_DS, 1], &[AID_STRF, 0, 5, SFID_QREPLY, 1]] {
            assert_eq!(inbound(other), None);
        }
    }
}
