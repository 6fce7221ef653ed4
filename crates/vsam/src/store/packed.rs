//! Stored records of compressed tables.
//!
//! Only the pages hold them: log and overlay have plain stored records, and a record that compression does not make smaller is a plain one
//! in the pages too. Invariants: the checksum covers the stored bytes, so it is checked before anything is expanded; a record that does not
//! expand to exactly its original length is damaged.
//!
//! Stored record, version 2: crc32 u32 · version u8 (2) · three zero bytes · length of the record u32 · length of its head u32 · head,
//! uncompressed · the rest, as one LZ4 block. The CRC is computed as in version 1, over the key and everything after the first eight bytes.

use std::cell::Cell;

use super::engine::{SEAL_LENGTH, VERSION_AT, crc, crc_of, unseal};
use super::{TableId, VALUE_LENGTH_MAX};

const PACKED_VERSION: u8 = 2;
/// The two lengths.
const LENGTHS: usize = 8;

/// How the records of a table are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Compression {
    /// Bytes at the beginning of a record that are not compressed.
    pub head: u32,
}

impl Compression {
    /// As stored in the pages after the number of a table.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Compression> {
        Some(Compression { head: u32::from_le_bytes(bytes.try_into().ok()?) })
    }

    pub(crate) fn encode(self) -> [u8; 4] {
        self.head.to_le_bytes()
    }
}

/// In front of each record of a compressed data set, as VSAM counts it (a record is 10 bytes shorter than its control interval, not 7).
const PREFIX_BYTES: usize = 3;

/// The bytes that a record takes in a control interval, in its compressed form. The pages get it later, so it is compressed here only for
/// the length.
pub(crate) fn length_in_interval(compression: Option<Compression>, record: &[u8]) -> usize {
    let Some(compression) = compression else { return record.len() };
    let head = (compression.head as usize).min(record.len());
    let mut buffer = EXPANDED.take();
    buffer.resize(lz4_flex::block::get_maximum_output_size(record.len() - head), 0);
    let packed = lz4_flex::block::compress_into(&record[head..], &mut buffer).map_or(record.len(), |packed| head + packed);
    EXPANDED.set(buffer);
    PREFIX_BYTES + if packed + LENGTHS < record.len() { packed } else { record.len() }
}

/// Brings stored records into the form the pages have them in.
#[derive(Default)]
pub(crate) struct Packer {
    buffer: Vec<u8>,
}

impl Packer {
    /// The stored record of a table with this compression: compressed if that makes it smaller.
    #[inline]
    pub(crate) fn form<'a>(&'a mut self, compression: Option<Compression>, table: TableId, key: &[u8], stored: &'a [u8]) -> &'a [u8] {
        match compression {
            None => stored,
            Some(compression) if self.pack(compression, table, key, stored) => &self.buffer,
            Some(_) => stored,
        }
    }

    /// Fills the buffer; false if the record stays uncompressed.
    fn pack(&mut self, compression: Compression, table: TableId, key: &[u8], stored: &[u8]) -> bool {
        let data = &stored[SEAL_LENGTH..];
        let Some((head, rest)) = data.split_at_checked(compression.head as usize) else { return false };
        let start = SEAL_LENGTH + LENGTHS + head.len();
        self.buffer.clear();
        self.buffer.resize(start + lz4_flex::block::get_maximum_output_size(rest.len()), 0);
        let Ok(packed) = lz4_flex::block::compress_into(rest, &mut self.buffer[start..]) else { return false };
        if start + packed >= stored.len() {
            return false;
        }
        self.buffer.truncate(start + packed);
        self.buffer[VERSION_AT] = PACKED_VERSION;
        self.buffer[SEAL_LENGTH..SEAL_LENGTH + 4].copy_from_slice(&(data.len() as u32).to_le_bytes());
        self.buffer[SEAL_LENGTH + 4..SEAL_LENGTH + LENGTHS].copy_from_slice(&(head.len() as u32).to_le_bytes());
        self.buffer[SEAL_LENGTH + LENGTHS..start].copy_from_slice(head);
        let crc = crc(PACKED_VERSION, table, key, &self.buffer[SEAL_LENGTH..]);
        self.buffer[..4].copy_from_slice(&crc.to_le_bytes());
        true
    }
}

fn is_packed(stored: &[u8]) -> bool {
    stored.get(VERSION_AT) == Some(&PACKED_VERSION)
}

fn length_at(stored: &[u8], at: usize) -> Option<usize> {
    let bytes = stored.get(at..at + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
}

/// Expands a compressed record whose checksum is correct.
fn unpack(table: TableId, key: &[u8], stored: &[u8], data: &mut Vec<u8>) -> Result<(), &'static str> {
    const DAMAGED: &str = "the compressed record cannot be expanded";
    if crc_of(stored) != crc(PACKED_VERSION, table, key, &stored[SEAL_LENGTH..]) {
        return Err("checksum does not agree");
    }
    let length = length_at(stored, SEAL_LENGTH).filter(|length| *length <= VALUE_LENGTH_MAX).ok_or(DAMAGED)?;
    let head = length_at(stored, SEAL_LENGTH + 4).filter(|head| *head <= length).ok_or(DAMAGED)?;
    let (head, block) = stored[SEAL_LENGTH + LENGTHS..].split_at_checked(head).ok_or(DAMAGED)?;
    data.clear();
    data.extend_from_slice(head);
    data.resize(length, 0);
    match lz4_flex::block::decompress_into(block, &mut data[head.len()..]) {
        Ok(expanded) if head.len() + expanded == length => Ok(()),
        _ => Err(DAMAGED),
    }
}

thread_local! {
    /// Room for the record a thread has expanded, or compressed to see its length.
    static EXPANDED: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Checks a stored record of the pages and passes its data to `visit`, or reports why it is damaged.
#[inline]
pub(crate) fn opened<R>(table: TableId, key: &[u8], stored: &[u8], visit: impl FnOnce(&[u8]) -> R) -> Result<R, &'static str> {
    if !is_packed(stored) {
        return unseal(table, key, stored).map(visit);
    }
    if stored.len() < SEAL_LENGTH {
        return Err("stored record too short");
    }
    // Taken, not borrowed: the visitor may read other records.
    let mut data = EXPANDED.take();
    let result = unpack(table, key, stored, &mut data).map(|()| visit(&data));
    EXPANDED.set(data);
    result
}

/// Lengths of a record as written and as stored.
pub(crate) fn lengths(stored: &[u8]) -> (u64, u64) {
    let kept = stored.len().saturating_sub(SEAL_LENGTH) as u64;
    let written = if is_packed(stored) { length_at(stored, SEAL_LENGTH).unwrap_or(0) as u64 } else { kept };
    (written, kept)
}

#[cfg(test)]
mod tests {
    use super::super::engine::seal;
    use super::*;

    const TABLE: TableId = TableId(7);
    const KEY: &[u8] = b"KEY1";

    fn packed(record: &[u8], head: u32) -> Vec<u8> {
        Packer::default().form(Some(Compression { head }), TABLE, KEY, &seal(TABLE, KEY, record)).to_vec()
    }

    fn expanded(stored: &[u8]) -> Result<Vec<u8>, &'static str> {
        opened(TABLE, KEY, stored, <[u8]>::to_vec)
    }

    fn blanks() -> Vec<u8> {
        [b"KEY1SMITH".as_slice(), &[0x40; 300], b"END"].concat()
    }

    #[test]
    fn records_come_back_as_they_were_and_small_or_random_ones_stay() {
        let stored = packed(&blanks(), 4);
        assert!(stored.len() < 60 && is_packed(&stored), "{}", stored.len());
        assert_eq!(&stored[SEAL_LENGTH + LENGTHS..][..4], b"KEY1");
        assert_eq!(expanded(&stored).unwrap(), blanks());
        assert_eq!(lengths(&stored), (312, stored.len() as u64 - 8));
        let mut state = 1u32;
        let next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let noise: Vec<u8> = (0..300).map(next).collect();
        for record in [&b"KEY1"[..], b"K", b"", b"KEY1 short", &noise] {
            let stored = packed(record, 4);
            assert_eq!(stored, &seal(TABLE, KEY, record)[..]);
            assert_eq!((expanded(&stored).unwrap(), lengths(&stored)), (record.to_vec(), (record.len() as u64, record.len() as u64)));
        }
        let longest: Vec<u8> = (0..VALUE_LENGTH_MAX).map(|n| (n / 100) as u8).collect();
        assert_eq!(expanded(&packed(&longest, 0)).unwrap(), longest);
    }

    #[test]
    fn damage_is_found_by_the_checksum_or_by_expanding() {
        let stored = packed(&blanks(), 4);
        for bit in (0..stored.len() * 8).filter(|bit| !(40..64).contains(bit)) {
            let mut flipped = stored.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(expanded(&flipped).is_err(), "bit {bit}");
        }
        assert!(opened(TABLE, b"KEY2", &stored, |_| ()).is_err() && opened(TableId(8), KEY, &stored, |_| ()).is_err());
        for length in 0..stored.len() {
            assert!(expanded(&stored[..length]).is_err(), "{length} bytes");
        }
        // A correct checksum over data that cannot be expanded.
        for (at, value) in
            [(SEAL_LENGTH, 311u32), (SEAL_LENGTH, 313), (SEAL_LENGTH, u32::MAX), (SEAL_LENGTH + 4, 400), (SEAL_LENGTH + 4, 5)]
        {
            let mut wrong = stored.clone();
            wrong[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let crc = crc(PACKED_VERSION, TABLE, KEY, &wrong[SEAL_LENGTH..]);
            wrong[..4].copy_from_slice(&crc.to_le_bytes());
            assert_eq!(expanded(&wrong), Err("the compressed record cannot be expanded"), "{value} at {at}");
        }
    }

    #[test]
    fn a_record_may_be_read_while_another_is_seen() {
        let (outer, inner) = (packed(&blanks(), 4), packed(&[b'X'; 200], 0));
        let seen = opened(TABLE, KEY, &outer, |data| (expanded(&inner).unwrap(), data.to_vec())).unwrap();
        assert_eq!(seen, (vec![b'X'; 200], blanks()));
    }
}
