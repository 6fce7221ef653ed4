//! The bytes of the system log: record headers, and the change lists that are their payload.
//!
//! Invariants: a record begins at a multiple of 8, lies within one segment, and its header contains its own LSN, so bytes left from an
//! earlier use of a segment are never taken for records; header and payload have a CRC each. All integers are little endian.
//!
//! Header, 32 bytes: length u32 (header and payload) · header crc32 u32 (over bytes 0-3 and 8-31) · lsn u64 · synced u64 (every
//! byte below this LSN was known to be on disk when the record was written) · type u8 · version u8 · zero u16 · payload crc32 u32.
//!
//! Payload of `Unit`, `Part` and `Prepared`: unit of work u64 · parts before this record u32 · changes u32 · then each change: table u32
//! · key length u16 · kind u8 (see `change_kind`) · zero u8 · value length u32 · key · stored record (see `engine`). Payload of
//! `Committed` and `BackedOut`: unit of work u64.

use super::{StoreError, TableId, UnitId};

pub(crate) type Lsn = u64;
pub(crate) const HEADER_LENGTH: usize = 32;
/// Newest version read. Records of types that version 1 did not know are written as version 2, so that an older program refuses them.
pub(crate) const LOG_VERSION: u8 = 2;
const UNIT_HEAD_LENGTH: usize = 16;
const CHANGE_HEAD_LENGTH: usize = 12;

/// Kinds of changes.
mod change_kind {
    pub const DELETE: u8 = 0;
    pub const PUT: u8 = 1;
    /// A lock without a change, in a prepared unit of work.
    pub const LOCK: u8 = 2;
    /// The caller's description of a prepared unit of work, for use after a restart.
    pub const DESCRIPTION: u8 = 3;
}

/// Types of log records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum RecordType {
    /// The last (or only) record of a committed unit of work.
    Unit = 1,
    /// Changes of a unit of work too large for one record; counts only if its `Unit` follows.
    Part = 2,
    /// The rest of the segment is unused.
    SegmentEnd = 3,
    /// As `Unit`, for a unit of work whose outcome is in a later record or not yet known.
    Prepared = 4,
    /// A prepared unit of work is committed.
    Committed = 5,
    /// A prepared unit of work is backed out.
    BackedOut = 6,
}

impl RecordType {
    pub(crate) fn from_byte(byte: u8) -> Option<RecordType> {
        use RecordType::*;
        [Unit, Part, SegmentEnd, Prepared, Committed, BackedOut].into_iter().find(|kind| *kind as u8 == byte)
    }

    /// The version of the format that introduced the type.
    pub(crate) fn version(self) -> u8 {
        if self as u8 <= RecordType::SegmentEnd as u8 { 1 } else { 2 }
    }
}

/// The payload of `Committed` and `BackedOut`.
pub(crate) fn outcome_payload(unit: UnitId) -> [u8; 8] {
    unit.0.to_le_bytes()
}

pub(crate) fn outcome_unit(payload: &[u8]) -> Result<UnitId, StoreError> {
    let bytes = payload.try_into().map_err(|_| StoreError::Invalid("log record of an outcome without a unit of work".into()))?;
    Ok(UnitId(u64::from_le_bytes(bytes)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub length: u32,
    pub lsn: Lsn,
    pub synced: Lsn,
    pub kind: u8,
    pub version: u8,
    pub payload_crc: u32,
}

pub(crate) fn padded(length: usize) -> usize {
    length.next_multiple_of(8)
}

fn header_crc(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[0..4]);
    hasher.update(&bytes[8..HEADER_LENGTH]);
    hasher.finalize()
}

impl Header {
    pub(crate) fn encode(&self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0u8; HEADER_LENGTH];
        bytes[0..4].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.lsn.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.synced.to_le_bytes());
        bytes[24] = self.kind;
        bytes[25] = self.version;
        bytes[28..32].copy_from_slice(&self.payload_crc.to_le_bytes());
        let crc = header_crc(&bytes);
        bytes[4..8].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The header at `lsn`, if these bytes are one.
    pub(crate) fn decode(bytes: &[u8], lsn: Lsn) -> Option<Header> {
        let bytes = bytes.get(..HEADER_LENGTH)?;
        if u64_at(bytes, 8) != lsn || u32_at(bytes, 4) != header_crc(bytes) {
            return None;
        }
        let length = u32_at(bytes, 0);
        (length as usize >= HEADER_LENGTH).then(|| Header {
            length,
            lsn,
            synced: u64_at(bytes, 16),
            kind: bytes[24],
            version: bytes[25],
            payload_crc: u32_at(bytes, 28),
        })
    }
}

pub(crate) fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(bytes[offset..offset + 4].try_into().expect("four bytes"))
}

pub(crate) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(bytes[offset..offset + 8].try_into().expect("eight bytes"))
}

/// Builds the payloads of a unit of work, each at most about `payload_max` bytes unless one change is larger.
pub(crate) struct PayloadBuilder {
    unit: UnitId,
    payload_max: usize,
    finished: Vec<Vec<u8>>,
    current: Vec<u8>,
    changes: u32,
}

impl PayloadBuilder {
    pub(crate) fn new(unit: UnitId, payload_max: usize, size_hint: usize) -> PayloadBuilder {
        let mut current = Vec::with_capacity(size_hint.min(payload_max) + UNIT_HEAD_LENGTH);
        current.resize(UNIT_HEAD_LENGTH, 0);
        PayloadBuilder { unit, payload_max, finished: Vec::new(), current, changes: 0 }
    }

    pub(crate) fn add(&mut self, table: TableId, key: &[u8], stored: Option<&[u8]>) {
        let kind = if stored.is_some() { change_kind::PUT } else { change_kind::DELETE };
        self.add_kind(kind, table, key, stored.unwrap_or(&[]));
    }

    pub(crate) fn add_lock(&mut self, table: TableId, key: &[u8]) {
        self.add_kind(change_kind::LOCK, table, key, &[]);
    }

    pub(crate) fn add_description(&mut self, description: &[u8]) {
        self.add_kind(change_kind::DESCRIPTION, TableId(0), &[], description);
    }

    fn add_kind(&mut self, kind: u8, table: TableId, key: &[u8], value: &[u8]) {
        let length = CHANGE_HEAD_LENGTH + key.len() + value.len();
        if self.changes > 0 && self.current.len() + length > self.payload_max {
            self.finish_current();
        }
        self.current.extend_from_slice(&table.0.to_le_bytes());
        self.current.extend_from_slice(&(key.len() as u16).to_le_bytes());
        self.current.extend_from_slice(&[kind, 0]);
        self.current.extend_from_slice(&(value.len() as u32).to_le_bytes());
        self.current.extend_from_slice(key);
        self.current.extend_from_slice(value);
        self.changes += 1;
    }

    fn finish_current(&mut self) {
        let parts_before = self.finished.len() as u32;
        self.current[0..8].copy_from_slice(&self.unit.0.to_le_bytes());
        self.current[8..12].copy_from_slice(&parts_before.to_le_bytes());
        self.current[12..16].copy_from_slice(&self.changes.to_le_bytes());
        let next = vec![0; UNIT_HEAD_LENGTH];
        self.finished.push(std::mem::replace(&mut self.current, next));
        self.changes = 0;
    }

    /// All payloads in order; the last is that of the `Unit` record, the others those of `Part`s. Each with its CRC.
    pub(crate) fn finish(mut self) -> Vec<(Vec<u8>, u32)> {
        self.finish_current();
        self.finished
            .into_iter()
            .map(|payload| {
                let crc = crc32fast::hash(&payload);
                (payload, crc)
            })
            .collect()
    }
}

/// A payload read back.
pub(crate) struct UnitPayload<'a> {
    pub unit: UnitId,
    pub parts_before: u32,
    pub changes: Vec<(TableId, &'a [u8], Option<&'a [u8]>)>,
    pub locks: Vec<(TableId, &'a [u8])>,
    pub description: Option<&'a [u8]>,
}

/// Reads a payload whose CRC was correct; an inconsistency is then an error of the writer, which is reported and not skipped.
pub(crate) fn read_payload(payload: &[u8]) -> Result<UnitPayload<'_>, StoreError> {
    let bad = || StoreError::Invalid("log record with a right checksum but inconsistent lengths".into());
    if payload.len() < UNIT_HEAD_LENGTH {
        return Err(bad());
    }
    let count = u32_at(payload, 12) as usize;
    let mut changes = Vec::with_capacity(count.min(payload.len() / CHANGE_HEAD_LENGTH));
    let (mut locks, mut description) = (Vec::new(), None);
    let mut at = UNIT_HEAD_LENGTH;
    for _ in 0..count {
        let head = payload.get(at..at + CHANGE_HEAD_LENGTH).ok_or_else(bad)?;
        let key_length = u16::from_le_bytes([head[4], head[5]]) as usize;
        let value_length = u32_at(head, 8) as usize;
        let key_at = at + CHANGE_HEAD_LENGTH;
        let value_at = key_at + key_length;
        let key = payload.get(key_at..value_at).ok_or_else(bad)?;
        let value = payload.get(value_at..value_at + value_length).ok_or_else(bad)?;
        let table = TableId(u32_at(head, 0));
        match head[6] {
            change_kind::PUT => changes.push((table, key, Some(value))),
            change_kind::DELETE => changes.push((table, key, None)),
            change_kind::LOCK => locks.push((table, key)),
            change_kind::DESCRIPTION => description = Some(value),
            other => return Err(StoreError::Invalid(format!("log record with a change of unknown kind {other}"))),
        }
        at = value_at + value_length;
    }
    let unit = UnitId(u64_at(payload, 0));
    Ok(UnitPayload { unit, parts_before: u32_at(payload, 8), changes, locks, description })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_is_valid_only_at_its_own_lsn() {
        let header = Header { length: 40, lsn: 4096, synced: 4000, kind: 1, version: LOG_VERSION, payload_crc: 9 };
        let bytes = header.encode();
        assert_eq!(Header::decode(&bytes, 4096), Some(header));
        assert_eq!(Header::decode(&bytes, 4104), None);
        for bit in 0..HEADER_LENGTH * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Header::decode(&flipped, 4096), None, "bit {bit}");
        }
    }

    #[test]
    fn large_units_are_written_in_parts() {
        let mut builder = PayloadBuilder::new(UnitId(5), 100, 1000);
        for index in 0u8..10 {
            builder.add(TableId(1), &[index], (index % 2 == 0).then_some(&[7; 30][..]));
        }
        let payloads = builder.finish();
        assert!(payloads.len() > 1);
        let mut total = 0;
        for (index, (payload, crc)) in payloads.iter().enumerate() {
            assert_eq!(crc32fast::hash(payload), *crc);
            let read = read_payload(payload).unwrap();
            assert_eq!((read.unit, read.parts_before as usize), (UnitId(5), index));
            for (table, key, value) in read.changes {
                assert_eq!((table, key), (TableId(1), &[total][..]));
                assert_eq!(value.is_some(), total % 2 == 0);
                total += 1;
            }
        }
        assert_eq!(total, 10);
    }
}
