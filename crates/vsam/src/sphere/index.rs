//! An open alternate index, and the layout of its entries in its table.
//!
//! Opened as a data set of its own, it shows the records of an alternate index cluster: flag (X'01': RBAs), length of a pointer, number of
//! pointers (2 bytes), length of the alternate key, alternate key, pointers.
//!
//! Unique: alternate key -> table key of the base. Non-unique: 0, alternate key, arrival number (8 bytes) -> table key of the base; and 1,
//! alternate key, table key of the base -> arrival number, to find the entry of a record. Invariant: either both records of an entry of a
//! non-unique index exist, or neither. Duplicates are therefore read in the order they were written, as in VSAM.

use crate::sphere::index_intervals::IndexIntervals;
use crate::store::Table;

const ENTRY: u8 = 0;
const REVERSE: u8 = 1;

/// An open alternate index.
pub(crate) struct Index {
    pub name: String,
    pub table: Table,
    pub unique: bool,
    pub upgrade: bool,
    pub key_length: usize,
    pub key_position: usize,
    /// Longest record of the alternate index cluster: pointers that find no room in it are left out.
    pub record_max: usize,
    /// The control intervals of the index records, for the buffers they need.
    pub intervals: IndexIntervals,
}

/// Bytes before the alternate key in a record of an alternate index.
pub(crate) const CONTROL_BYTES: usize = 5;
const RBA_POINTERS: u8 = 1;
pub(crate) const RBA_BYTES: usize = 4;

impl Index {
    /// The alternate key of a record, if the record is long enough to contain it.
    pub(crate) fn key_of<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        record.get(self.key_position..self.key_position + self.key_length)
    }

    pub(crate) fn entry_prefix(&self, key: &[u8]) -> Vec<u8> {
        let mut prefix = Vec::with_capacity(key.len() + 9);
        if !self.unique {
            prefix.push(ENTRY);
        }
        prefix.extend_from_slice(key);
        prefix
    }

    pub(crate) fn entry_key(&self, key: &[u8], arrival: u64) -> Vec<u8> {
        let mut entry = self.entry_prefix(key);
        if !self.unique {
            entry.extend_from_slice(&arrival.to_be_bytes());
        }
        entry
    }

    pub(crate) fn reverse_key(&self, key: &[u8], base_key: &[u8]) -> Vec<u8> {
        let mut reverse = Vec::with_capacity(1 + key.len() + base_key.len());
        reverse.push(REVERSE);
        reverse.extend_from_slice(key);
        reverse.extend_from_slice(base_key);
        reverse
    }

    /// The alternate key in a table key of an entry; `None` for keys of the other kind.
    pub(crate) fn display<'a>(&self, table_key: &'a [u8]) -> Option<&'a [u8]> {
        if self.unique {
            return Some(table_key);
        }
        (table_key.first() == Some(&ENTRY)).then(|| &table_key[1..1 + self.key_length])
    }

    /// The last possible table key of an entry with this alternate key.
    pub(crate) fn entry_end(&self, key: &[u8]) -> Vec<u8> {
        self.entry_key(key, u64::MAX)
    }

    /// Begins a record of the alternate index cluster.
    pub(crate) fn begin_record(&self, key: &[u8], record: &mut Vec<u8>) {
        record.clear();
        record.extend_from_slice(&[0; CONTROL_BYTES - 1]);
        record.push(key.len() as u8);
        record.extend_from_slice(key);
    }

    /// Adds a pointer to a base record; false if there is no room for it. `rba`: the base is an entry-sequenced data set.
    pub(crate) fn add_pointer(&self, base_key: &[u8], rba: bool, record: &mut Vec<u8>) -> bool {
        let pointer = if rba { &base_key[base_key.len().saturating_sub(RBA_BYTES)..] } else { base_key };
        if record.len() + pointer.len() > self.record_max.max(CONTROL_BYTES + self.key_length + pointer.len()) {
            return false;
        }
        let count = u16::from_be_bytes([record[2], record[3]]).saturating_add(1);
        record[..2].copy_from_slice(&[if rba { RBA_POINTERS } else { 0 }, pointer.len() as u8]);
        record[2..4].copy_from_slice(&count.to_be_bytes());
        record.extend_from_slice(pointer);
        true
    }

    /// The two records of an entry in the index's table.
    pub(crate) fn records_of(&self, key: &[u8], base_key: &[u8], arrival: u64) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut records = vec![(self.entry_key(key, arrival), base_key.to_vec())];
        if !self.unique {
            records.push((self.reverse_key(key, base_key), arrival.to_be_bytes().to_vec()));
        }
        records
    }
}
