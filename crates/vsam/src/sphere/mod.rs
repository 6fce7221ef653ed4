//! An open base cluster with its alternate indexes: what changes when a record is written, rewritten or deleted.
//!
//! Invariants: a record and its entries in every upgrade alternate index change together, in one unit of work or one published change; a
//! unique alternate key is locked while its entry may change, so two units of work cannot both take it; the RBA of an ESDS record is
//! assigned once, at the request, and a backout leaves a hole.
//!
//! Table keys: KSDS: the key. ESDS and linear: RBA, 8 bytes big endian. RRDS: record number, 4 bytes big endian. Alternate indexes: see
//! `index`.

pub(crate) mod access;
mod address;
pub(crate) mod index;
pub(crate) mod index_intervals;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use self::access::{Access, LockScope};
use self::index::{Index, RBA_BYTES};
use self::index_intervals::IndexIntervals;
use crate::buffers::{BufferPool, Component};
use crate::catalog::{Attributes, ClusterEntry, IndexEntry, Organization, ci_table, data_table};
use crate::ci::{CiModel, Shape, SplitWait, Splits};
use crate::component::{ComponentStatistics, Count, Counters};
use crate::error::{FileError, StoreError};
use crate::forward::Changed;
use crate::holds::control::Intervals;
use crate::holds::openers::Openers;
use crate::holds::shares::Shares;
use crate::store::{Change, Direction, Store, Table, UnitOfWork};

pub(crate) const STATISTICS_TABLE: &str = "vsam.statistics";
/// SHAREOPTIONS(4): direct requests find nothing in buffers.
const SHARE_OPTION_OF_FRESH_BUFFERS: u32 = 4;
pub(crate) struct Sphere {
    pub store: Arc<Store>,
    pub name: String,
    pub organization: Organization,
    pub attributes: Attributes,
    pub data: Table,
    pub ci: Option<CiModel>,
    pub indexes: Vec<Index>,
    pub counters: Counters,
    pub openers: Openers,
    pub intervals: Arc<Intervals>,
    pub shares: Arc<Shares>,
    /// A record has been written since the sphere was opened, committed or not.
    loaded: AtomicBool,
    statistics_table: Table,
    shape: Shape,
    tail: Mutex<Option<self::address::EntryTail>>,
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
        let (attributes, organization) = (&entry.attributes, entry.organization);
        let ci = if organization.has_index() {
            Some(CiModel::open(attributes, organization, store, data.clone(), store.table(&ci_table(number))?)?)
        } else {
            None
        };
        let pointer_bytes = if organization == Organization::Esds { RBA_BYTES } else { attributes.key_length as usize };
        let mut open_indexes = Vec::new();
        for (name, index) in indexes {
            open_indexes.push(Index {
                name: name.clone(),
                table: store.table(&data_table(index.attributes.number))?,
                unique: index.unique,
                upgrade: index.upgrade,
                key_length: index.attributes.key_length as usize,
                key_position: index.attributes.key_position as usize,
                record_max: index.attributes.record_max as usize,
                intervals: IndexIntervals::new(&index.attributes, pointer_bytes),
            });
        }
        let statistics_table = store.table(STATISTICS_TABLE)?;
        let sphere = Sphere {
            store: store.clone(),
            name: name.to_string(),
            organization: entry.organization,
            attributes: entry.attributes.clone(),
            data,
            ci,
            indexes: open_indexes,
            counters: Counters::default(),
            openers: Openers::default(),
            intervals: Arc::default(),
            shares: Arc::default(),
            loaded: AtomicBool::new(false),
            statistics_table,
            shape: Shape::new(&entry.attributes, entry.organization),
            tail: Mutex::new(None),
        };
        let saved = store.get(&sphere.statistics_table, &number.to_be_bytes())?;
        sphere.counters.set(&saved.as_deref().and_then(ComponentStatistics::decode).unwrap_or_default());
        Ok(sphere)
    }

    /// A sphere over a separate table, without catalog entry, indexes and control intervals.
    pub(crate) fn over_table(
        store: &Arc<Store>,
        name: &str,
        organization: Organization,
        attributes: Attributes,
        data: Table,
    ) -> Result<Sphere, StoreError> {
        debug_assert_eq!(attributes.number, 0);
        Ok(Sphere {
            store: store.clone(),
            name: name.to_string(),
            organization,
            shape: Shape::new(&attributes, organization),
            attributes,
            data,
            ci: None,
            indexes: Vec::new(),
            counters: Counters::default(),
            openers: Openers::default(),
            intervals: Arc::default(),
            shares: Arc::default(),
            loaded: AtomicBool::new(false),
            statistics_table: store.table(STATISTICS_TABLE)?,
            tail: Mutex::new(None),
        })
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(crate) fn tail_slot(&self) -> &Mutex<Option<self::address::EntryTail>> {
        &self.tail
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
            excps: counters.get(Count::Excps),
            changed_at: std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs()),
        }
    }

    pub(crate) fn save_statistics(&self) -> Result<(), StoreError> {
        if self.attributes.number == 0 {
            return Ok(());
        }
        let key = self.attributes.number.to_be_bytes().to_vec();
        let value = Some(self.statistics().encode());
        self.store.publish_now(vec![Change { table: self.statistics_table.clone(), key, value }])
    }

    pub(crate) fn set_statistics(&self, statistics: &ComponentStatistics) -> Result<(), StoreError> {
        self.counters.set(statistics);
        self.save_statistics()
    }

    /// Counts the splits of a request. Splits are rare, and their counts must survive the process.
    fn count_splits(&self, splits: Splits) -> Result<(), StoreError> {
        if splits == Splits::default() {
            return Ok(());
        }
        for (count, amount) in
            [(Count::CiSplits, splits.ci), (Count::CaSplits, splits.ca), (Count::Cis, splits.new_cis), (Count::Cas, splits.new_cas)]
        {
            self.counters.add(count, amount);
        }
        self.save_statistics()
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
        let indexes = self.indexes.iter().filter(|index| index.upgrade).map(|index| &index.table);
        let tables: Vec<&Table> = [&self.data].into_iter().chain(self.ci.as_ref().map(|ci| ci.table())).chain(indexes).collect();
        self.store.clear_tables(&tables)?;
        if let Some(ci) = &self.ci {
            ci.forget();
        }
        self.indexes.iter().for_each(|index| index.intervals.forget());
        *self.tail.lock() = None;
        self.loaded.store(false, Ordering::Relaxed);
        self.set_statistics(&ComponentStatistics::default())
    }

    /// Counts a record that was written and deleted.
    pub(crate) fn prime(&self) -> Result<(), StoreError> {
        let before = self.statistics();
        self.set_statistics(&ComponentStatistics {
            records_inserted: before.records_inserted + 1,
            records_deleted: before.records_deleted + 1,
            ..before
        })?;
        self.loaded.store(true, Ordering::Relaxed);
        Ok(())
    }

    pub(crate) fn is_loaded(&self) -> bool {
        self.loaded.load(Ordering::Relaxed)
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
        let wrong = match self.organization {
            Organization::Ksds => length > max || length < key_end,
            Organization::Rrds => length != max,
            Organization::Linear => length != self.attributes.ci_size as usize,
            _ => length > max || length == 0,
        };
        if wrong { Err(FileError::Length(length)) } else { Ok(()) }
    }

    /// Makes the changes of one request, in the unit of work or immediately.
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

    /// The log records of a change, if the request's file has a forward recovery or replication log.
    fn log_forward(&self, access: Access<'_>, changed: Changed<'_>, changes: &mut Changes) {
        if let Some(log) = access.forward {
            let unit = access.recoverable.then(|| access.unit.id());
            log.changes(&self.store, unit, &self.name, &changed, changes);
        }
    }

    fn change(table: &Table, key: Vec<u8>, value: Option<Vec<u8>>) -> Change {
        Change { table: table.clone(), key, value }
    }

    /// The indexes that follow a request's changes.
    fn upgrade_set(&self, access: Access<'_>) -> impl Iterator<Item = &Index> {
        self.indexes.iter().filter(move |index| index.upgrade && access.upgrade)
    }

    /// The changes that move the entry of a record from one alternate key to another; no key means no entry. A unique key is locked in
    /// either case, and a new one must be free.
    fn move_entry(
        &self,
        access: Access<'_>,
        scope: &mut LockScope<'_>,
        index: &Index,
        base_key: &[u8],
        (before, after): (Option<&[u8]>, Option<&[u8]>),
        changes: &mut Changes,
    ) -> Result<(), FileError> {
        if before == after {
            return Ok(());
        }
        if let Some(pool) = access.pool {
            touch_entries(access.unit, pool, index, (before, after))?;
        }
        let mut stored = Vec::new();
        if index.unique {
            for key in [before, after].into_iter().flatten() {
                scope.lock(&index.table, key, access.wait)?;
            }
            if let Some(after) = after
                && access.unit.read(&index.table, after, &mut stored)?
                && stored != base_key
            {
                return Err(FileError::DuplicateRecord);
            }
            changes.extend(before.map(|before| Self::change(&index.table, before.to_vec(), None)));
        } else if let Some(before) = before {
            let reverse = index.reverse_key(before, base_key);
            if access.unit.read(&index.table, &reverse, &mut stored)?
                && let Some(bytes) = stored.first_chunk::<8>()
            {
                let entry = index.entry_key(before, u64::from_be_bytes(*bytes));
                changes.push(Self::change(&index.table, entry, None));
                changes.push(Self::change(&index.table, reverse, None));
            }
        }
        if let Some(after) = after {
            for (entry, value) in index.records_of(after, base_key, self.store.next_arrival()) {
                changes.push(Self::change(&index.table, entry, Some(value)));
            }
        }
        Ok(())
    }

    /// The changes that move a record's entries in all indexes of the upgrade set when the record changes (`None`: does not exist).
    fn move_entries(
        &self,
        access: Access<'_>,
        scope: &mut LockScope<'_>,
        key: &[u8],
        (old, new): (Option<&[u8]>, Option<&[u8]>),
        changes: &mut Changes,
    ) -> Result<(), FileError> {
        for index in self.upgrade_set(access) {
            let keys = (old.and_then(|record| index.key_of(record)), new.and_then(|record| index.key_of(record)));
            self.move_entry(access, scope, index, key, keys, changes)?;
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
        debug_assert!(access.unit.owns_lock(&self.data, key), "a record is changed with its lock");
        let mut changes = Vec::with_capacity(1 + 2 * self.indexes.len());
        changes.push(Self::change(&self.data, key.to_vec(), Some(record.to_vec())));
        self.move_entries(access, scope, key, (None, Some(record)), &mut changes)?;
        self.log_forward(access, Changed { key, before: None, after: Some(record) }, &mut changes);
        let splits = match &self.ci {
            Some(ci) => {
                let by = SplitWait { waiter: access.wait.waiter, data_set: &self.name };
                ci.insert(access.unit, key, self.data.length_in_interval(record), mass_insert, by)?
            }
            None => Splits::default(),
        };
        self.make(access, changes)?;
        self.counters.add(Count::Inserted, 1);
        self.loaded.store(true, Ordering::Relaxed);
        self.count_splits(splits)?;
        Ok(splits)
    }

    /// Replaces a record whose key is locked. The old record is needed only if there are upgrade indexes, or it is replicated or
    /// compressed; its length is always needed.
    pub(crate) fn replace(
        &self,
        access: Access<'_>,
        scope: &mut LockScope<'_>,
        key: &[u8],
        (old, old_length): (&[u8], usize),
        record: &[u8],
    ) -> Result<Splits, FileError> {
        debug_assert!(access.unit.owns_lock(&self.data, key), "a record is changed with its lock");
        let mut changes = Vec::new();
        self.move_entries(access, scope, key, (Some(old), Some(record)), &mut changes)?;
        self.log_forward(access, Changed { key, before: Some(old), after: Some(record) }, &mut changes);
        let splits = match &self.ci {
            Some(ci) => {
                let before = if self.attributes.compressed { self.data.length_in_interval(old) } else { old_length };
                let after = self.data.length_in_interval(record);
                let by = SplitWait { waiter: access.wait.waiter, data_set: &self.name };
                if before == after { Splits::default() } else { ci.resize(access.unit, key, (before, after), by)? }
            }
            None => Splits::default(),
        };
        if access.recoverable {
            access.unit.put(&self.data, key, record)?;
        } else {
            changes.push(Self::change(&self.data, key.to_vec(), Some(record.to_vec())));
        }
        self.make(access, changes)?;
        self.counters.add(Count::Updated, 1);
        self.count_splits(splits)?;
        Ok(splits)
    }

    /// Deletes a record whose key is locked.
    pub(crate) fn remove(&self, access: Access<'_>, scope: &mut LockScope<'_>, key: &[u8], old: &[u8]) -> Result<(), FileError> {
        debug_assert!(access.unit.owns_lock(&self.data, key), "a record is changed with its lock");
        let mut changes = vec![Self::change(&self.data, key.to_vec(), None)];
        self.move_entries(access, scope, key, (Some(old), None), &mut changes)?;
        self.log_forward(access, Changed { key, before: Some(old), after: None }, &mut changes);
        if let Some(ci) = &self.ci {
            ci.remove(&self.store, key, self.data.length_in_interval(old))?;
        }
        self.make(access, changes)?;
        self.counters.add(Count::Deleted, 1);
        Ok(())
    }
}

impl Drop for Sphere {
    fn drop(&mut self) {
        // Fails only when the store is already closed; the counters then keep the values saved before.
        let _ = self.save_statistics();
    }
}

/// Control intervals a request read, by component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    pub data: u64,
    pub index: u64,
}

impl Sphere {
    /// The place of a record's control interval as one number, and its control area.
    pub(crate) fn interval_of(&self, key: &[u8]) -> Result<(u64, u64), StoreError> {
        let shape = &self.shape;
        Ok(match (&self.ci, self.organization) {
            (Some(ci), _) => {
                let place = ci.place_of(&self.store, key)?.unwrap_or(crate::ci::Place { ca: 0, ci: 0 });
                ((place.ca as u64) << 32 | place.ci as u64, place.ca as u64)
            }
            (None, Organization::Rrds) => ((rrn_of(key) as u64).saturating_sub(1) / self.slots_per_ci(), 0),
            (None, _) => (rba_of(key) / shape.ci_size, 0),
        })
    }

    /// Needs the control intervals that lead to a record, those of the index from the top, in the buffers of a pool. Direct requests to
    /// a data set with SHAREOPTIONS(4) read them again even if they are there.
    pub(crate) fn touch(&self, pool: &BufferPool, key: &[u8], direct: bool) -> Result<Reads, StoreError> {
        let fresh = direct && self.attributes.share_cross_region == SHARE_OPTION_OF_FRESH_BUFFERS;
        let (interval, area) = self.interval_of(key)?;
        let number = self.attributes.number;
        let mut reads = Reads::default();
        if self.ci.is_some() {
            let areas = self.counters.get(Count::Cas);
            reads.index = pool.touch_levels(number, self.attributes.index_ci_size, (area, areas), fresh);
        }
        reads.data += !pool.need((number, Component::Data, interval), self.attributes.ci_size, fresh) as u64;
        if reads.data > 0 {
            self.counters.add(Count::Excps, reads.data);
        }
        Ok(reads)
    }
}

/// Counts the intervals of the index records that lose and get a pointer in the buffers of a pool, and their writes.
fn touch_entries(
    unit: &UnitOfWork,
    pool: &BufferPool,
    index: &Index,
    (before, after): (Option<&[u8]>, Option<&[u8]>),
) -> Result<(), StoreError> {
    if let Some(before) = before {
        index.intervals.remove(index, unit, before)?;
    }
    if let Some(after) = after {
        index.intervals.add(index, unit, after)?;
    }
    for key in [before, after].into_iter().flatten() {
        index.intervals.touch(index, unit, pool, key)?;
        pool.written(Component::Data, index.intervals.ci_size);
    }
    Ok(())
}

pub(crate) fn rba_of(key: &[u8]) -> u64 {
    key.first_chunk::<8>().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

pub(crate) fn rrn_of(key: &[u8]) -> u32 {
    key.first_chunk::<4>().map_or(0, |bytes| u32::from_be_bytes(*bytes))
}
