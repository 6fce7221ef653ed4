//! An open base cluster with its alternate indexes: what changes when a record is written, rewritten or deleted.
//!
//! Invariants: a record and its entries in every upgrade alternate index change together, in one unit of work or one published
//! change; a unique alternate key is locked while its entry may change, so two units of work cannot both take it; RBAs of an
//! ESDS are given once, at the request, and left as a hole if backed out.
//!
//! Table keys: KSDS: the key. ESDS: RBA, 8 bytes big endian. RRDS: record number, 4 bytes big endian. Unique alternate index:
//! alternate key -> table key of the base. Non-unique: 0, alternate key, arrival number (8 bytes) -> table key of the base; and 1,
//! alternate key, table key of the base -> arrival number, to find the entry of a record. Duplicates thus come in the order they
//! were written, as VSAM gives them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::catalog::{Attributes, ClusterEntry, IndexEntry, Organisation, ci_table, data_table};
use crate::ci::{CiModel, ComponentStatistics, Splits};
use crate::error::{FileError, StoreError};
use crate::store::{Change, Direction, Store, Table, UnitOfWork};
use crate::wait::LockWait;

pub(crate) const STATISTICS_TABLE: &str = "vsam.statistics";
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
}

impl Index {
    /// The alternate key of a record, if the record is long enough to have it.
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

    fn entry_key(&self, key: &[u8], arrival: u64) -> Vec<u8> {
        let mut entry = self.entry_prefix(key);
        if !self.unique {
            entry.extend_from_slice(&arrival.to_be_bytes());
        }
        entry
    }

    fn reverse_key(&self, key: &[u8], base_key: &[u8]) -> Vec<u8> {
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

    /// The two records of an entry in the index's table.
    pub(crate) fn records_of(&self, key: &[u8], base_key: &[u8], arrival: u64) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut records = vec![(self.entry_key(key, arrival), base_key.to_vec())];
        if !self.unique {
            records.push((self.reverse_key(key, base_key), arrival.to_be_bytes().to_vec()));
        }
        records
    }
}

/// Live counters of a component.
#[derive(Default)]
pub(crate) struct Counters {
    values: [AtomicU64; 8],
}

/// Index into `Counters`.
#[derive(Clone, Copy)]
pub(crate) enum Count {
    Inserted,
    Deleted,
    Updated,
    Retrieved,
    CiSplits,
    CaSplits,
    Cas,
    Cis,
}

impl Counters {
    pub(crate) fn add(&self, count: Count, amount: u64) {
        self.values[count as usize].fetch_add(amount, Ordering::Relaxed);
    }

    fn get(&self, count: Count) -> u64 {
        self.values[count as usize].load(Ordering::Relaxed)
    }

    fn set(&self, statistics: &ComponentStatistics) {
        let values = [
            statistics.records_inserted,
            statistics.records_deleted,
            statistics.records_updated,
            statistics.records_retrieved,
            statistics.ci_splits,
            statistics.ca_splits,
            statistics.ca_count,
            statistics.ci_count,
        ];
        for (counter, value) in self.values.iter().zip(values) {
            counter.store(value, Ordering::Relaxed);
        }
    }
}

/// Where the next record of an ESDS goes.
#[derive(Clone, Copy, Debug, Default)]
struct EsdsTail {
    ci_start: u64,
    bytes: u64,
    records: u64,
}

/// One request's unit of work and manner.
#[derive(Clone, Copy)]
pub(crate) struct Access<'a> {
    pub unit: &'a UnitOfWork,
    pub recoverable: bool,
    pub wait: LockWait<'a>,
}

/// Locks newly taken by a request, released when it failed or the file is not recoverable.
pub(crate) struct LockScope<'a> {
    unit: &'a UnitOfWork,
    taken: Vec<(Table, Vec<u8>)>,
}

impl<'a> LockScope<'a> {
    pub(crate) fn new(unit: &'a UnitOfWork) -> LockScope<'a> {
        LockScope { unit, taken: Vec::new() }
    }

    fn lock(&mut self, table: &Table, key: &[u8], wait: LockWait<'_>) -> Result<(), FileError> {
        if self.unit.lock(table, key, wait)? {
            self.add(table, key);
        }
        Ok(())
    }

    /// Adds a lock just taken.
    pub(crate) fn add(&mut self, table: &Table, key: &[u8]) {
        self.taken.push((table.clone(), key.to_vec()));
    }

    /// Leaves the locks to the unit of work.
    pub(crate) fn keep(mut self) {
        self.taken.clear();
    }
}

impl Drop for LockScope<'_> {
    fn drop(&mut self) {
        for (table, key) in &self.taken {
            self.unit.unlock(table, key);
        }
    }
}

pub(crate) struct Sphere {
    pub store: Arc<Store>,
    pub name: String,
    pub organisation: Organisation,
    pub attributes: Attributes,
    pub data: Table,
    pub ci: Option<CiModel>,
    pub indexes: Vec<Index>,
    pub counters: Counters,
    statistics_table: Table,
    esds_tail: Mutex<Option<EsdsTail>>,
}

type Changes = Vec<Change>;

impl Sphere {
    pub(crate) fn open(
        store: &Arc<Store>,
        name: &str,
        entry: &ClusterEntry,
        indexes: &[(String, IndexEntry)],
    ) -> Result<Sphere, StoreError> {
        let number = entry.attributes.number;
        let data = store.table(&data_table(number))?;
        let ci = match entry.organisation {
            Organisation::Ksds => Some(CiModel::new(&entry.attributes, data.clone(), store.table(&ci_table(number))?)),
            _ => None,
        };
        let mut open_indexes = Vec::new();
        for (name, index) in indexes {
            open_indexes.push(Index {
                name: name.clone(),
                table: store.table(&data_table(index.attributes.number))?,
                unique: index.unique,
                upgrade: index.upgrade,
                key_length: index.attributes.key_length as usize,
                key_position: index.attributes.key_position as usize,
            });
        }
        let statistics_table = store.table(STATISTICS_TABLE)?;
        let sphere = Sphere {
            store: store.clone(),
            name: name.to_string(),
            organisation: entry.organisation,
            attributes: entry.attributes.clone(),
            data,
            ci,
            indexes: open_indexes,
            counters: Counters::default(),
            statistics_table,
            esds_tail: Mutex::new(None),
        };
        let saved = store.get(&sphere.statistics_table, &number.to_be_bytes())?;
        sphere.counters.set(&saved.as_deref().and_then(ComponentStatistics::decode).unwrap_or_default());
        Ok(sphere)
    }

    pub(crate) fn statistics(&self) -> ComponentStatistics {
        let counters = &self.counters;
        ComponentStatistics {
            records_inserted: counters.get(Count::Inserted),
            records_deleted: counters.get(Count::Deleted),
            records_updated: counters.get(Count::Updated),
            records_retrieved: counters.get(Count::Retrieved),
            ci_splits: counters.get(Count::CiSplits),
            ca_splits: counters.get(Count::CaSplits),
            ca_count: counters.get(Count::Cas),
            ci_count: counters.get(Count::Cis),
            excps: 0,
            changed_at: std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs()),
        }
    }

    pub(crate) fn save_statistics(&self) -> Result<(), StoreError> {
        let key = self.attributes.number.to_be_bytes().to_vec();
        let value = Some(self.statistics().encode());
        self.store.publish_now(vec![Change { table: self.statistics_table.clone(), key, value }])
    }

    pub(crate) fn set_statistics(&self, statistics: &ComponentStatistics) -> Result<(), StoreError> {
        self.counters.set(statistics);
        self.save_statistics()
    }

    pub(crate) fn count_splits(&self, splits: Splits) {
        for (count, amount) in
            [(Count::CiSplits, splits.ci), (Count::CaSplits, splits.ca), (Count::Cis, splits.new_cis), (Count::Cas, splits.new_cas)]
        {
            if amount > 0 {
                self.counters.add(count, amount);
            }
        }
    }

    pub(crate) fn key_length(&self) -> usize {
        self.attributes.key_length as usize
    }

    pub(crate) fn key_of<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        let position = self.attributes.key_position as usize;
        record.get(position..position + self.key_length())
    }

    /// Empties the data set (REUSE at open, IDCAMS).
    pub(crate) fn clear(&self) -> Result<(), StoreError> {
        self.store.clear_table(&self.data)?;
        if let Some(ci) = &self.ci {
            self.store.clear_table(ci.table())?;
            ci.forget();
        }
        for index in self.indexes.iter().filter(|index| index.upgrade) {
            self.store.clear_table(&index.table)?;
        }
        *self.esds_tail.lock() = None;
        self.set_statistics(&ComponentStatistics::default())
    }

    pub(crate) fn is_empty(&self) -> Result<bool, StoreError> {
        let mut empty = true;
        self.store.scan(&self.data, None, Direction::Forward, &mut |_, _| {
            empty = false;
            false
        })?;
        Ok(empty)
    }

    pub(crate) fn check_length(&self, record: &[u8]) -> Result<(), FileError> {
        let (length, max) = (record.len(), self.attributes.record_max as usize);
        let key_end = (self.attributes.key_position + self.attributes.key_length) as usize;
        let wrong = match self.organisation {
            Organisation::Ksds => length > max || length < key_end,
            Organisation::Rrds => length != max,
            _ => length > max || length == 0,
        };
        if wrong { Err(FileError::Length(length)) } else { Ok(()) }
    }

    fn esds_needed(&self, tail: EsdsTail, length: u64) -> u64 {
        let records = tail.records + 1;
        let fixed = self.attributes.record_average == self.attributes.record_max;
        tail.bytes + length + if fixed { 3 * records.min(2) } else { 3 * records }
    }

    /// The RBA of the next record of an ESDS: records do not cross a CI unless spanned, then they begin one.
    pub(crate) fn next_rba(&self, length: usize) -> Result<u64, StoreError> {
        let ci_size = self.attributes.ci_size as u64;
        let mut slot = self.esds_tail.lock();
        let mut tail = match *slot {
            Some(tail) => tail,
            None => self.read_esds_tail()?,
        };
        let length = length as u64;
        if self.esds_needed(tail, length) > ci_size - 4 && tail.bytes > 0 {
            let spanned_cis = tail.bytes.div_ceil(ci_size).max(1);
            tail = EsdsTail { ci_start: tail.ci_start + spanned_cis * ci_size, bytes: 0, records: 0 };
        }
        let rba = tail.ci_start + tail.bytes;
        tail.bytes += length;
        tail.records += 1;
        *slot = Some(tail);
        Ok(rba)
    }

    fn read_esds_tail(&self) -> Result<EsdsTail, StoreError> {
        let ci_size = self.attributes.ci_size as u64;
        let mut tail: Option<EsdsTail> = None;
        self.store.scan(&self.data, None, Direction::Backward, &mut |key, record| {
            let rba = rba_of(key);
            let ci_start = rba - rba % ci_size;
            match &mut tail {
                None => {
                    let bytes = rba - ci_start + record.len() as u64;
                    tail = Some(EsdsTail { ci_start, bytes, records: 1 });
                    true
                }
                Some(tail) if tail.ci_start == ci_start => {
                    tail.records += 1;
                    true
                }
                Some(_) => false,
            }
        })?;
        Ok(tail.unwrap_or_default())
    }

    /// End of the used part of the data, as LISTCAT's HI-U-RBA.
    pub(crate) fn high_used_rba(&self) -> Result<u64, StoreError> {
        let ci_size = self.attributes.ci_size as u64;
        let ca_size = ci_size * self.attributes.cis_per_ca() as u64;
        match self.organisation {
            Organisation::Esds => {
                let tail = match *self.esds_tail.lock() {
                    Some(tail) => tail,
                    None => self.read_esds_tail()?,
                };
                let cis = if tail.bytes == 0 { 0 } else { tail.bytes.div_ceil(ci_size).max(1) };
                Ok(tail.ci_start + cis * ci_size)
            }
            Organisation::Rrds | Organisation::Vrrds => {
                let mut last = 0;
                self.store.scan(&self.data, None, Direction::Backward, &mut |key, _| {
                    last = rrn_of(key) as u64;
                    false
                })?;
                let slots = ((ci_size - 4) / (self.attributes.record_max as u64 + 3)).max(1);
                Ok((last.div_ceil(slots) * ci_size).next_multiple_of(ca_size))
            }
            _ => Ok(self.counters.get(Count::Cas) * ca_size),
        }
    }

    /// Makes the changes of one request, in the unit of work or at once.
    fn make(&self, access: Access<'_>, changes: Changes) -> Result<(), FileError> {
        if changes.is_empty() {
            return Ok(());
        }
        if access.recoverable {
            for change in &changes {
                match &change.value {
                    Some(value) => access.unit.put(&change.table, &change.key, value)?,
                    None => access.unit.delete(&change.table, &change.key)?,
                }
            }
            return Ok(());
        }
        Ok(self.store.publish(changes, access.wait.waiter)?)
    }

    fn change(table: &Table, key: Vec<u8>, value: Option<Vec<u8>>) -> Change {
        Change { table: table.clone(), key, value }
    }

    /// The entry a new alternate key gets; locks and checks a unique one.
    fn add_entry(
        &self,
        access: Access<'_>,
        scope: &mut LockScope<'_>,
        index: &Index,
        key: &[u8],
        base_key: &[u8],
        changes: &mut Changes,
    ) -> Result<(), FileError> {
        if index.unique {
            scope.lock(&index.table, key, access.wait)?;
            let mut owner = Vec::new();
            if access.unit.read(&index.table, key, &mut owner)? && owner != base_key {
                return Err(FileError::DuplicateRecord);
            }
        }
        for (entry, value) in index.records_of(key, base_key, self.store.next_arrival()) {
            changes.push(Self::change(&index.table, entry, Some(value)));
        }
        Ok(())
    }

    fn remove_entry(
        &self,
        access: Access<'_>,
        scope: &mut LockScope<'_>,
        index: &Index,
        key: &[u8],
        base_key: &[u8],
        changes: &mut Changes,
    ) -> Result<(), FileError> {
        if index.unique {
            scope.lock(&index.table, key, access.wait)?;
            changes.push(Self::change(&index.table, key.to_vec(), None));
            return Ok(());
        }
        let reverse = index.reverse_key(key, base_key);
        let mut arrival = Vec::new();
        if access.unit.read(&index.table, &reverse, &mut arrival)?
            && let Some(bytes) = arrival.first_chunk::<8>()
        {
            let entry = index.entry_key(key, u64::from_be_bytes(*bytes));
            changes.push(Self::change(&index.table, entry, None));
            changes.push(Self::change(&index.table, reverse, None));
        }
        Ok(())
    }

    /// Writes a new record. Its key is locked by the caller and known to be free.
    pub(crate) fn insert(
        &self,
        access: Access<'_>,
        scope: &mut LockScope<'_>,
        key: &[u8],
        record: &[u8],
        mass_insert: bool,
    ) -> Result<Splits, FileError> {
        let mut changes = Vec::with_capacity(1 + 2 * self.indexes.len());
        changes.push(Self::change(&self.data, key.to_vec(), Some(record.to_vec())));
        for index in self.indexes.iter().filter(|index| index.upgrade) {
            if let Some(alternate) = index.key_of(record) {
                self.add_entry(access, scope, index, alternate, key, &mut changes)?;
            }
        }
        let splits = match &self.ci {
            Some(ci) => ci.insert(&self.store, key, record.len(), mass_insert)?,
            None => Splits::default(),
        };
        self.make(access, changes)?;
        self.counters.add(Count::Inserted, 1);
        if splits != Splits::default() {
            // Splits are rare, and their counts must outlive the process.
            self.count_splits(splits);
            self.save_statistics()?;
        }
        Ok(splits)
    }

    /// Replaces a record whose key is locked. The old record is needed only if there are upgrade indexes, its length always.
    pub(crate) fn replace(
        &self,
        access: Access<'_>,
        scope: &mut LockScope<'_>,
        key: &[u8],
        (old, old_length): (&[u8], usize),
        record: &[u8],
    ) -> Result<(), FileError> {
        let mut changes = Vec::new();
        for index in self.indexes.iter().filter(|index| index.upgrade) {
            let (before, after) = (index.key_of(old), index.key_of(record));
            if before == after {
                continue;
            }
            if let Some(before) = before {
                self.remove_entry(access, scope, index, before, key, &mut changes)?;
            }
            if let Some(after) = after {
                self.add_entry(access, scope, index, after, key, &mut changes)?;
            }
        }
        if let Some(ci) = &self.ci
            && old_length != record.len()
        {
            ci.adjust(&self.store, key, record.len() as i64 - old_length as i64, 0)?;
        }
        if access.recoverable {
            access.unit.put(&self.data, key, record)?;
        } else {
            changes.push(Self::change(&self.data, key.to_vec(), Some(record.to_vec())));
        }
        self.make(access, changes)?;
        self.counters.add(Count::Updated, 1);
        Ok(())
    }

    /// Deletes a record whose key is locked.
    pub(crate) fn remove(&self, access: Access<'_>, scope: &mut LockScope<'_>, key: &[u8], old: &[u8]) -> Result<(), FileError> {
        let mut changes = vec![Self::change(&self.data, key.to_vec(), None)];
        for index in self.indexes.iter().filter(|index| index.upgrade) {
            if let Some(alternate) = index.key_of(old) {
                self.remove_entry(access, scope, index, alternate, key, &mut changes)?;
            }
        }
        if let Some(ci) = &self.ci {
            ci.adjust(&self.store, key, -(old.len() as i64), -1)?;
        }
        self.make(access, changes)?;
        self.counters.add(Count::Deleted, 1);
        Ok(())
    }
}

impl Drop for Sphere {
    fn drop(&mut self) {
        // Fails only when the store is closed already; the counters then keep what was saved before.
        let _ = self.save_statistics();
    }
}

pub(crate) fn rba_of(key: &[u8]) -> u64 {
    key.first_chunk::<8>().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

pub(crate) fn rrn_of(key: &[u8]) -> u32 {
    key.first_chunk::<4>().map_or(0, |bytes| u32::from_be_bytes(*bytes))
}
