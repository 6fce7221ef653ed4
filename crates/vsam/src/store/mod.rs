//! Draft of the store's public interface.
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::error::StoreError;
use crate::wait::{LockWait, Waiter};

/// Longest key of a table in bytes.
pub const KEY_LENGTH_MAX: usize = 511;
/// Longest value of a table in bytes.
pub const VALUE_LENGTH_MAX: usize = 16 << 20;

/// Identifies a unit of work; never reused while the data lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub u64);
impl std::fmt::Display for UnitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}

/// Direction of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Backward,
}

/// Settings of a store; the defaults serve a region.
#[derive(Clone, Debug)]
pub struct StoreConfig {
    pub segment_size: u64,
    pub apply_interval: Duration,
    pub overlay_bytes_max: usize,
    pub map_size: usize,
}

/// One change of a key: `value` None deletes it.
#[derive(Clone, Debug)]
pub struct Change {
    pub table: Table,
    pub key: Vec<u8>,
    pub value: Option<Vec<u8>>,
}

/// What a restart found, for the region's messages.
#[derive(Clone, Debug, Default)]
pub struct RestartReport {
    /// The store was closed in order the last time (or is new).
    pub clean: bool,
    pub created: bool,
    pub records_replayed: u64,
    pub units_replayed: u64,
    /// Bytes of an unfinished write cut from the end of the log.
    pub torn_bytes: u64,
    pub elapsed: Duration,
}

/// Counters of the store.
#[derive(Clone, Debug, Default)]
pub struct StoreStatistics {
    pub commits: u64,
    pub log_syncs: u64,
    pub log_bytes: u64,
    pub applied_batches: u64,
    pub applied_records: u64,
    pub lock_waits: u64,
    pub deadlocks: u64,
    pub overlay_bytes: u64,
}

/// A handle of a table: ordered byte keys to values. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Table {}
impl Table {
    pub fn name(&self) -> &str { unimplemented!() }
}

/// The store of a region: one directory.
pub struct Store {}
impl Store {
    /// Opens or creates the store in `directory`, replaying the log. Fails with `InUse` if it is open elsewhere.
    pub fn open(_directory: &Path, _config: StoreConfig) -> Result<Arc<Store>, StoreError> { unimplemented!() }
    pub fn directory(&self) -> &PathBuf { unimplemented!() }
    pub fn restart_report(&self) -> &RestartReport { unimplemented!() }
    /// Opens a table, creating it if it is new (a region's own tables: "ts.items", "td.queue", ...).
    pub fn table(&self, _name: &str) -> Result<Table, StoreError> { unimplemented!() }
    pub fn existing_table(&self, _name: &str) -> Option<Table> { unimplemented!() }
    /// Empties a table at once, durably, outside any unit of work.
    pub fn clear_table(&self, _table: &Table) -> Result<(), StoreError> { unimplemented!() }
    pub fn drop_table(&self, _name: &str) -> Result<(), StoreError> { unimplemented!() }
    /// Starts a unit of work. Dropping it without commit backs it out.
    pub fn begin(self: &Arc<Self>) -> UnitOfWork { unimplemented!() }
    /// Reads the committed value.
    pub fn get(&self, _table: &Table, _key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> { unimplemented!() }
    /// Scans committed records from `from` (inclusive; None: from the end) until `visit` answers false.
    pub fn scan(&self, _table: &Table, _from: Option<&[u8]>, _direction: Direction,
        _visit: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<(), StoreError> { unimplemented!() }
    /// Makes changes at once outside any unit of work: not logged, not synced; durable with the next applied batch
    /// (about 100 ms). All of one call become visible and durable together. For non-recoverable data.
    pub fn publish(&self, _changes: Vec<Change>) -> Result<(), StoreError> { unimplemented!() }
    pub fn lock_owner(&self, _table: &Table, _key: &[u8]) -> Option<UnitId> { unimplemented!() }
    /// Applies everything committed to the pages and cuts the log.
    pub fn keypoint(&self) -> Result<(), StoreError> { unimplemented!() }
    pub fn statistics(&self) -> StoreStatistics { unimplemented!() }
    /// Orderly shutdown: keypoint, mark clean, stop threads. Units of work still open are backed out.
    pub fn close(&self) -> Result<(), StoreError> { unimplemented!() }
}

/// A unit of work over any tables of the store (files, TS, TD, START data ...).
pub struct UnitOfWork {}
impl UnitOfWork {
    pub fn id(&self) -> UnitId { unimplemented!() }
    pub fn store(&self) -> &Arc<Store> { unimplemented!() }
    /// True if it has recoverable changes to commit.
    pub fn has_changes(&self) -> bool { unimplemented!() }
    /// Reads own changes first, then committed data.
    pub fn get(&self, _table: &Table, _key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> { unimplemented!() }
    pub fn scan(&self, _table: &Table, _from: Option<&[u8]>, _direction: Direction,
        _visit: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<(), StoreError> { unimplemented!() }
    /// Locks a key (need not exist) for this unit of work until it ends or `unlock`. True if newly taken.
    /// Lock whatever protects what you change: the key itself, or one name for many keys (a queue).
    pub fn lock(&self, _table: &Table, _key: &[u8], _wait: LockWait<'_>) -> Result<bool, StoreError> { unimplemented!() }
    pub fn unlock(&self, _table: &Table, _key: &[u8]) { unimplemented!() }
    /// Changes a key in this unit of work; the caller holds a lock that covers it.
    pub fn put(&self, _table: &Table, _key: &[u8], _value: &[u8]) -> Result<(), StoreError> { unimplemented!() }
    pub fn delete(&self, _table: &Table, _key: &[u8]) -> Result<(), StoreError> { unimplemented!() }
    /// Makes all changes durable and visible together, and releases all locks. Ends the unit of work.
    pub fn commit(&self, _waiter: &dyn Waiter) -> Result<(), StoreError> { unimplemented!() }
    /// Drops all changes and releases all locks. Ends the unit of work.
    pub fn backout(&self) { unimplemented!() }
}
