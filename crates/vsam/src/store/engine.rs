//! The narrow trait in front of the pages, and the format of a stored record.
//!
//! Invariants: `apply` is atomic and durable when it returns; a read sees a batch as a whole or not at all, and every batch applied before
//! the read began; stored records carry a CRC over table, key and data, checked by `unseal`.
//!
//! Stored record, version 1 (compressed ones have version 2, see `packed`): crc32 (4 bytes, little endian), version (1 byte), 3 zero bytes,
//! data. The CRC is the IEEE one over key and data, started from the table's number and the version.

use super::{Direction, StoreError, TableId};

/// Bytes before the data in a stored record.
pub(crate) const SEAL_LENGTH: usize = 8;
const SEAL_VERSION: u8 = 1;
/// Where the version is.
pub(crate) const VERSION_AT: usize = 4;

/// The writer of a batch: it sees one engine transaction.
pub(crate) trait BatchWriter {
    fn put(&mut self, table: TableId, key: &[u8], stored: &[u8]) -> Result<(), StoreError>;
    /// As `put`, for a key greater than any in the table (the caller guarantees it): much faster.
    fn append(&mut self, table: TableId, key: &[u8], stored: &[u8]) -> Result<(), StoreError>;
    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<(), StoreError>;
    fn clear(&mut self, table: TableId) -> Result<(), StoreError>;
    fn put_meta(&mut self, key: &str, value: &[u8]) -> Result<(), StoreError>;
    fn delete_meta(&mut self, key: &str) -> Result<(), StoreError>;
}

/// Size of a table in the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableSize {
    pub records: u64,
    pub leaf_pages: u64,
    pub branch_pages: u64,
    pub overflow_pages: u64,
    pub depth: u32,
}

/// An ordered, durable, transactional key-value engine. Values are stored records.
pub(crate) trait Engine: Send + Sync {
    /// Visits the stored record of a key; false if there is none.
    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError>;
    /// Visits records from `from` (inclusive or not; `None`: from the end) until `visit` returns false.
    fn range(
        &self,
        table: TableId,
        from: Option<(&[u8], bool)>,
        direction: Direction,
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError>;
    /// Writes one atomic, durable batch.
    fn apply(&self, write: &mut dyn FnMut(&mut dyn BatchWriter) -> Result<(), StoreError>) -> Result<(), StoreError>;
    /// Creates the table with this number (an existing one is opened) together with a meta entry.
    fn create_table(&self, table: TableId, meta: (&str, &[u8])) -> Result<(), StoreError>;
    fn size(&self, table: TableId) -> Result<TableSize, StoreError>;
    fn meta(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError>;
    /// Meta entries whose key begins with `prefix`, in order.
    fn meta_entries(&self, prefix: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError>;
    /// Bytes the pages take on disk.
    fn disk_bytes(&self) -> u64;
}

/// The checksum of a stored record of this version.
pub(crate) fn crc(version: u8, table: TableId, key: &[u8], data: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(table.0 ^ ((version as u32) << 24));
    hasher.update(key);
    hasher.update(data);
    hasher.finalize()
}

/// The checksum in a stored record.
pub(crate) fn crc_of(stored: &[u8]) -> u32 {
    u32::from_le_bytes([stored[0], stored[1], stored[2], stored[3]])
}

/// Makes a stored record.
pub(crate) fn seal(table: TableId, key: &[u8], data: &[u8]) -> Box<[u8]> {
    let mut stored = Vec::with_capacity(SEAL_LENGTH + data.len());
    seal_into(&mut stored, table, key, data);
    stored.into_boxed_slice()
}

/// Appends a stored record to `stored`.
pub(crate) fn seal_into(stored: &mut Vec<u8>, table: TableId, key: &[u8], data: &[u8]) {
    stored.extend_from_slice(&crc(SEAL_VERSION, table, key, data).to_le_bytes());
    stored.extend_from_slice(&[SEAL_VERSION, 0, 0, 0]);
    stored.extend_from_slice(data);
}

/// Checks a stored record and answers its data, or why it is damaged.
#[inline]
pub(crate) fn unseal<'a>(table: TableId, key: &[u8], stored: &'a [u8]) -> Result<&'a [u8], &'static str> {
    if stored.len() < SEAL_LENGTH {
        return Err("stored record too short");
    }
    let (head, data) = stored.split_at(SEAL_LENGTH);
    if head[VERSION_AT] != SEAL_VERSION {
        return Err("unknown version of the stored record");
    }
    if crc_of(head) != crc(SEAL_VERSION, table, key, data) {
        return Err("checksum does not agree");
    }
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_flipped_bit_of_a_sealed_record_is_seen() {
        let stored = seal(TableId(7), b"KEY", b"some data");
        assert_eq!(unseal(TableId(7), b"KEY", &stored), Ok(&b"some data"[..]));
        assert!(unseal(TableId(8), b"KEY", &stored).is_err());
        assert!(unseal(TableId(7), b"KEX", &stored).is_err());
        for bit in (0..stored.len() * 8).filter(|bit| !(40..64).contains(bit)) {
            let mut flipped = stored.to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(unseal(TableId(7), b"KEY", &flipped).is_err(), "bit {bit}");
        }
    }
}
