//! Bulk loading: records go directly to the pages in large durable batches, bypassing log and overlay.
//!
//! Invariants: no one else changes the table meanwhile (the caller has exclusive use of the file); each batch is atomic, so after a crash
//! the table holds a prefix of the load; the overlay of the table is empty when the load begins.

use std::sync::Arc;

use super::core::{Core, Table, check_key, check_value};
use super::engine::seal_into;
use super::packed::Packer;
use super::{Direction, StoreError};

const BATCH_BYTES: usize = 16 << 20;
const BATCH_RECORDS: usize = 100_000;

/// A bulk load in progress; `finish` makes the remaining records durable.
pub struct BulkLoad {
    core: Arc<Core>,
    table: Table,
    /// Keys and stored records one after the other.
    buffer: Vec<u8>,
    /// Key length and stored length of each record in the buffer.
    lengths: Vec<(u32, u32)>,
    last_key: Vec<u8>,
    /// Every key so far was greater than the one before and than the table's.
    sorted: bool,
    any: bool,
    records: u64,
}

impl BulkLoad {
    pub(crate) fn new(core: Arc<Core>, table: Table) -> Result<BulkLoad, StoreError> {
        core.apply_all()?;
        let mut last_key = Vec::new();
        let mut any = false;
        core.scan_with(&table, None, None, Direction::Backward, &mut |key, _| {
            last_key.extend_from_slice(key);
            any = true;
            false
        })?;
        let buffer = Vec::with_capacity(BATCH_BYTES + (1 << 16));
        Ok(BulkLoad { core, table, buffer, lengths: Vec::new(), last_key, sorted: true, any, records: 0 })
    }

    /// Adds or replaces a record. Ascending keys are several times faster.
    pub fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        check_key(key)?;
        check_value(value)?;
        if self.any && key <= &self.last_key[..] {
            if self.sorted {
                // The records buffered so far are in order, so they are written the fast way.
                self.flush()?;
                self.sorted = false;
            }
        } else {
            self.last_key.clear();
            self.last_key.extend_from_slice(key);
        }
        self.any = true;
        let start = self.buffer.len();
        self.buffer.extend_from_slice(key);
        seal_into(&mut self.buffer, self.table.id(), key, value);
        self.lengths.push((key.len() as u32, (self.buffer.len() - start - key.len()) as u32));
        self.records += 1;
        if self.buffer.len() >= BATCH_BYTES || self.lengths.len() >= BATCH_RECORDS {
            self.flush()?;
        }
        Ok(())
    }

    /// Records added so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        if self.lengths.is_empty() {
            return Ok(());
        }
        let (buffer, lengths, sorted, table) = (&self.buffer, &self.lengths, self.sorted, self.table.id());
        let compression = self.table.compression();
        self.core.engine.apply(&mut |writer| {
            let (mut at, mut packer) = (0, Packer::default());
            for (key_length, stored_length) in lengths {
                let value_at = at + *key_length as usize;
                let end = value_at + *stored_length as usize;
                let key = &buffer[at..value_at];
                let stored = packer.form(compression, table, key, &buffer[value_at..end]);
                if sorted {
                    writer.append(table, key, stored)?;
                } else {
                    writer.put(table, key, stored)?;
                }
                at = end;
            }
            Ok(())
        })?;
        self.buffer.clear();
        self.lengths.clear();
        self.table.overlay().note_change();
        Ok(())
    }

    /// Makes the rest durable.
    pub fn finish(mut self) -> Result<u64, StoreError> {
        self.flush()?;
        Ok(self.records)
    }
}
