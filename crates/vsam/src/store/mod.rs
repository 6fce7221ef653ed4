//! The store: recoverable keyed tables in one directory, with units of work, record locks and the system log.
//!
//! A committed change goes to the log (synced, shared with others), is kept in the overlay, and reaches the pages within about 100 ms (a
//! second under load). A reader sees its own changes, then the overlay, then the pages. Directory: `lock`, `pages/` (LMDB), `log/`
//! (segments).
//!
//! Invariants are in each module: `log` (order and durability), `overlay` (no gap between layers), `core` (the cut), `locks`, `unit`
//! (isolation), `engine` (checksums, order of the keys), `replay` (restart), `directory_lock` (one store at a time).

mod account;
mod applier;
mod bulk;
mod core;
mod directory_lock;
mod engine;
mod error;
mod in_doubt;
mod lmdb;
mod locks;
mod log;
mod overlay;
mod packed;
mod page_faults;
mod record;
mod replay;
mod restart;
mod segment;
mod unit;
mod unsynced;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::Waker;
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::Mutex;

pub use self::account::{Account, Charge, Tally};
pub use self::bulk::BulkLoad;
pub use self::core::Table;
pub use self::engine::TableSize;
pub use self::error::StoreError;
pub use self::locks::LockView;
pub use self::page_faults::{tell_of_missing_pages, tell_of_wild_accesses};
pub use self::unit::UnitOfWork;
pub use crate::holds::UnitId;

use self::applier::Stop;
use self::core::{Core, check_key, sets_of};
use self::directory_lock::DirectoryLock;
use self::locks::LockName;
use self::packed::Compression;
use crate::disk::{Disk, RealDisk};
use crate::wait::{ThreadWaiter, WaitKind, WaitReason, Waiter};

/// Longest key of a table in bytes (LMDB's limit).
pub const KEY_LENGTH_MAX: usize = 511;
/// Longest value of a table in bytes.
pub const VALUE_LENGTH_MAX: usize = 1 << 20;
/// Smallest log segment in bytes. A change must fit in a segment: values of [`VALUE_LENGTH_MAX`] need four times their size.
pub const SEGMENT_SIZE_MIN: u64 = 256 << 10;

/// Number of a table in the pages and the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub u32);

/// Direction of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Backward,
}

/// Settings of a store; the defaults serve a region.
#[derive(Clone, Debug)]
pub struct StoreConfig {
    /// Size of a log segment in bytes; fixed when the store is created.
    pub segment_size: u64,
    /// How often committed changes go to the pages; up to ten times as long if applying takes long.
    pub apply_interval: Duration,
    /// Pause before a batch that failed is tried again.
    pub apply_retry_pause: Duration,
    /// Committed bytes not yet in the pages at which commits wait.
    pub overlay_bytes_max: usize,
    /// Address space reserved for the pages; the file grows only as needed.
    pub map_size: usize,
    /// The disk that the log and the pages are written to.
    pub disk: Arc<dyn Disk>,
    pub run: Run,
}

/// The kind of process that opens a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// A region: how it ends decides on the kind of the next start.
    Region,
    /// A utility or a batch job: it does not affect the start type of the next region.
    Utility,
}

impl Default for StoreConfig {
    fn default() -> StoreConfig {
        StoreConfig {
            segment_size: 32 << 20,
            apply_interval: Duration::from_millis(100),
            apply_retry_pause: Duration::from_millis(100),
            overlay_bytes_max: 256 << 20,
            map_size: 1 << 40,
            disk: Arc::new(RealDisk),
            run: Run::Region,
        }
    }
}

/// One change of a key: `value` None deletes it.
#[derive(Clone, Debug)]
pub struct Change {
    pub table: Table,
    pub key: Vec<u8>,
    pub value: Option<Vec<u8>>,
}

/// The findings of a restart, for the region's messages.
#[derive(Clone, Debug, Default)]
pub struct RestartReport {
    /// The last region was shut down in an orderly way, or there was none.
    pub clean: bool,
    /// No region has had the store before.
    pub created: bool,
    pub records_replayed: u64,
    /// Includes those that utilities have replayed since the last region ended.
    pub units_replayed: u64,
    /// Prepared units of work whose outcome is not known.
    pub units_in_doubt: u64,
    /// Bytes of an unfinished write cut from the end of the log.
    pub torn_bytes: u64,
    pub elapsed: Duration,
}

/// Counters of the store since it was opened.
#[derive(Clone, Debug, Default)]
pub struct StoreStatistics {
    pub commits: u64,
    pub log_syncs: u64,
    /// The total time of writing and syncing the log.
    pub log_flush_time: Duration,
    pub log_records: u64,
    pub log_bytes: u64,
    /// Times the log was cut.
    pub keypoints: u64,
    pub applied_batches: u64,
    pub applied_records: u64,
    pub lock_waits: u64,
    pub deadlocks: u64,
    /// Committed bytes not yet in the pages.
    pub overlay_bytes: u64,
    pub page_bytes: u64,
}

/// The store of a region: one directory.
pub struct Store {
    pub(crate) core: Arc<Core>,
    directory: PathBuf,
    report: RestartReport,
    /// Number of opens in the high bits; makes unit identifiers and arrival numbers unique forever.
    next_unit: AtomicU64,
    next_arrival: AtomicU64,
    threads: Mutex<Vec<JoinHandle<()>>>,
    in_doubt_taken: AtomicBool,
    /// Serializes creating and dropping tables.
    table_changes: Mutex<()>,
    directory_lock: Mutex<Option<Arc<DirectoryLock>>>,
    /// The end of the store is that of a region.
    is_of_region: AtomicBool,
    /// Why the end was not in order.
    end_failure: Mutex<Option<String>>,
}

impl Store {
    /// Opens or creates the store in `directory`, replaying the log. Fails with `InUse` if it is open elsewhere.
    pub fn open(directory: &Path, config: StoreConfig) -> Result<Arc<Store>, StoreError> {
        restart::open(directory, config)
    }

    /// From now on it is a region's: its end decides on the kind of the next start, and a device without room is waited for.
    pub fn begin_run(&self) -> Result<(), StoreError> {
        if !self.is_of_region.swap(true, Ordering::AcqRel) {
            self.core.engine.apply(&mut restart::note_region)?;
        }
        self.core.log.be_patient(true);
        Ok(())
    }

    /// Identifies the store: a copy has the same identifier, a new store another.
    pub fn identifier(&self) -> u64 {
        self.core.log.segments.store_id()
    }

    /// Why units of work cannot be committed, or do not reach the pages, at the moment: the device has no room. They will when it has.
    pub fn lacks_room(&self) -> Option<String> {
        self.core.log.check_room().and_then(|()| self.core.check_page_room()).err().map(|error| error.to_string())
    }

    /// Why not everything could be written that was to be, once the store is closed or has stopped.
    pub fn failure(&self) -> Option<String> {
        self.core.log.failure().or_else(|| self.end_failure.lock().clone())
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The page file, and where it is mapped: reading there fails by SIGBUS once the file has been cut short.
    pub fn mapped_pages(&self) -> Option<(PathBuf, std::ops::Range<usize>)> {
        let file = self.directory.join("pages").join("data.mdb");
        page_faults::addresses_of(&file).map(|addresses| (file, addresses))
    }

    /// The disk that the store is written to.
    pub fn disk(&self) -> Arc<dyn Disk> {
        self.core.config.disk.clone()
    }

    pub fn restart_report(&self) -> &RestartReport {
        &self.report
    }

    /// Opens a table, creating it if it is new (a region's own tables: "ts.items", "td.queue" ...).
    pub fn table(&self, name: &str) -> Result<Table, StoreError> {
        self.table_with(name, None)
    }

    /// As `table`; a new one has its records compressed in the pages, but for their first `head` bytes.
    pub(crate) fn compressed_table(&self, name: &str, head: u32) -> Result<Table, StoreError> {
        self.table_with(name, Some(Compression { head }))
    }

    fn table_with(&self, name: &str, compression: Option<Compression>) -> Result<Table, StoreError> {
        if let Some(table) = self.existing_table(name) {
            return Ok(table);
        }
        let _changing = self.table_changes.lock();
        if let Some(table) = self.existing_table(name) {
            return Ok(table);
        }
        let engine = &self.core.engine;
        let used: Vec<u32> = engine.meta_entries("table:")?.iter().map(|(_, value)| record::u32_at(value, 0)).collect();
        // A number may be listed as free and used if the region died between the two steps below.
        let free = engine.meta_entries("free:")?.into_iter().find(|(_, value)| !used.contains(&record::u32_at(value, 0)));
        let id = match &free {
            Some((_, value)) => TableId(record::u32_at(value, 0)),
            None => TableId(used.iter().max().map_or(1, |used| used + 1)),
        };
        let mut description = id.0.to_le_bytes().to_vec();
        description.extend(compression.iter().flat_map(|compression| compression.encode()));
        engine.create_table(id, (&format!("table:{name}"), &description))?;
        if let Some((key, _)) = free {
            engine.apply(&mut |writer| writer.delete_meta(&key))?;
        }
        let table = Table::new(id, name, compression);
        self.core.tables.write().insert(name.to_string(), table.clone());
        Ok(table)
    }

    pub fn existing_table(&self, name: &str) -> Option<Table> {
        self.core.tables.read().get(name).cloned()
    }

    pub fn table_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.core.tables.read().keys().cloned().collect();
        names.sort_unstable();
        names
    }

    /// Empties a table at once, durably, outside any unit of work. No one else may be changing it.
    pub fn clear_table(&self, table: &Table) -> Result<(), StoreError> {
        self.clear_tables(&[table])
    }

    /// As `clear_table` for several tables at once: after a failure either all or none are empty.
    pub fn clear_tables(&self, tables: &[&Table]) -> Result<(), StoreError> {
        self.core.apply_all()?;
        self.core.engine.apply(&mut |writer| tables.iter().try_for_each(|table| writer.clear(table.id())))?;
        tables.iter().for_each(|table| table.overlay().note_change());
        Ok(())
    }

    /// Removes a table and its records, durably. No one else may be using it.
    pub fn drop_table(&self, name: &str) -> Result<(), StoreError> {
        let _changing = self.table_changes.lock();
        let table = self.existing_table(name).ok_or_else(|| StoreError::NoTable(name.to_string()))?;
        // Afterwards no log record of the table will be replayed, so its number can be used again.
        self.core.apply_all()?;
        self.core.tables.write().remove(name);
        self.core.engine.apply(&mut |writer| {
            writer.clear(table.id())?;
            writer.delete_meta(&format!("table:{name}"))?;
            writer.put_meta(&format!("free:{:08}", table.id().0), &table.id().0.to_le_bytes())
        })
    }

    /// The account of uncommitted changes and of what the layers above reserve.
    pub fn account(&self) -> &Account {
        &self.core.account
    }

    /// False once the log has failed or the store was closed: no more work is accepted.
    pub fn is_working(&self) -> bool {
        self.core.log.check_open().is_ok()
    }

    /// Starts a unit of work. Dropping it without commit backs it out.
    pub fn begin(self: &Arc<Self>) -> UnitOfWork {
        UnitOfWork::new(self.clone(), UnitId(self.next_unit.fetch_add(1, Ordering::Relaxed)))
    }

    /// The prepared units of work of earlier runs, with the description given to `prepare`; they hold their locks. Called once, after the
    /// start: the caller finally commits or backs out each.
    pub fn take_in_doubt(self: &Arc<Self>) -> Result<Vec<(UnitOfWork, Vec<u8>)>, StoreError> {
        if self.in_doubt_taken.swap(true, Ordering::AcqRel) {
            return Ok(Vec::new());
        }
        let tables: std::collections::BTreeMap<TableId, Table> =
            self.core.tables.read().values().map(|table| (table.id(), table.clone())).collect();
        let mut units = Vec::new();
        for payloads in self.core.in_doubt.view() {
            let (mut sets, mut locks, mut description) = (core::WriteSets::new(), Vec::new(), Vec::new());
            let mut id = UnitId(0);
            for payload in &payloads {
                let payload = record::read_payload(payload)?;
                id = payload.unit;
                for (table, key, stored) in payload.changes {
                    let table = tables.get(&table).ok_or_else(|| StoreError::NoTable(table.0.to_string()))?;
                    core::set_for(&mut sets, table).insert(key.into(), stored.map(Into::into));
                }
                locks.extend(payload.locks.into_iter().map(|(table, key)| LockName::new(table, key)));
                description.extend_from_slice(payload.description.unwrap_or_default());
            }
            units.push((UnitOfWork::restored(self.clone(), id, sets, locks), description));
        }
        Ok(units)
    }

    /// Whether an in-doubt unit of work has changed a table: its outcome must still find the table as it was.
    pub fn is_in_doubt(&self, table: &Table) -> Result<bool, StoreError> {
        self.core.in_doubt.has_changed(table.id())
    }

    /// A number greater than any given before, also by earlier runs.
    pub fn next_arrival(&self) -> u64 {
        self.next_arrival.fetch_add(1, Ordering::Relaxed)
    }

    /// The first of `count` such numbers.
    pub fn next_arrivals(&self, count: u64) -> u64 {
        self.next_arrival.fetch_add(count, Ordering::Relaxed)
    }

    /// Reads the committed value.
    pub fn get(&self, table: &Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        check_key(key)?;
        let mut value = Vec::new();
        let found = self.core.get_with(table, key, &mut |data| value.extend_from_slice(data))?;
        Ok(found.then_some(value))
    }

    /// Visits committed records in order from `from` (inclusive; `None`: from the end) until `visit` returns false. The visitor must not
    /// change the table.
    pub fn scan(
        &self,
        table: &Table,
        from: Option<&[u8]>,
        direction: Direction,
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        self.core.scan_with(table, None, from.map(|key| (key, true)), direction, visit)
    }

    /// Makes changes at once outside any unit of work: not logged, not synced; durable with the next applied batch (about 100 ms, a second
    /// under load). All changes of one call become visible and durable together. For non-recoverable data. Waits only if the applier is
    /// behind.
    pub fn publish(&self, changes: Vec<Change>, waiter: &dyn Waiter) -> Result<(), StoreError> {
        self.core.publish_unlogged(sets_of(changes)?, waiter)
    }

    /// Waits until a small change of a resource needs no wait.
    pub(crate) fn wait_for_room(&self, resource: &str, waiter: &dyn Waiter) -> Result<(), StoreError> {
        self.core.wait_for_room(0, WaitReason { kind: WaitKind::Transfer, resource }, waiter).map(drop)
    }

    /// As `publish`, but never waits: for small changes of a caller that waited before.
    pub(crate) fn publish_now(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        self.core.publish_at_once(sets_of(changes)?)
    }

    pub fn lock_owner(&self, table: &Table, key: &[u8]) -> Option<UnitId> {
        self.core.locks.owner(&LockName::new(table.id(), key))
    }

    /// Every lock held now, with its waiters.
    pub fn locks(&self) -> Vec<LockView> {
        self.core.locks.view()
    }

    pub fn keypoint_frequency(&self) -> u64 {
        self.core.keypoint_frequency()
    }

    /// AKPFREQ: log records after which the log is cut up to what is in the pages; 0 lets it grow until the next start.
    pub fn set_keypoint_frequency(&self, records: u64) {
        self.core.set_keypoint_frequency(records);
    }

    /// Applies everything committed to the pages. Blocks the calling thread.
    pub fn keypoint(&self) -> Result<(), StoreError> {
        self.core.apply_all()
    }

    /// Size of a table in the pages (without commits since the last batch).
    pub fn table_size(&self, table: &Table) -> Result<TableSize, StoreError> {
        self.core.engine.size(table.id())
    }

    /// Bytes of a table's records in the pages, as written and as stored.
    pub(crate) fn record_bytes(&self, table: &Table) -> Result<(u64, u64), StoreError> {
        let (mut written, mut kept) = (0, 0);
        self.core.engine.range(table.id(), None, Direction::Forward, &mut |_, stored| {
            let (was, is) = packed::lengths(stored);
            (written, kept) = (written + was, kept + is);
            true
        })?;
        Ok((written, kept))
    }

    /// Starts a bulk load of a table that no one else changes meanwhile.
    pub fn bulk_load(&self, table: &Table) -> Result<BulkLoad, StoreError> {
        BulkLoad::new(self.core.clone(), table.clone())
    }

    /// Reads every record of a table and checks it; answers the number, or the first damaged record as an error.
    pub fn check_table(&self, table: &Table) -> Result<u64, StoreError> {
        let mut records = 0;
        self.scan(table, None, Direction::Forward, &mut |_, _| {
            records += 1;
            true
        })?;
        Ok(records)
    }

    /// Checks every record of every table; returns the number of records, and the damage found.
    pub fn check(&self) -> (u64, Vec<StoreError>) {
        let mut records = 0;
        let mut damage = Vec::new();
        for name in self.table_names() {
            let Some(table) = self.existing_table(&name) else { continue };
            match self.check_table(&table) {
                Ok(count) => records += count,
                Err(error) => damage.push(error),
            }
        }
        (records, damage)
    }

    pub fn statistics(&self) -> StoreStatistics {
        let core = &self.core;
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        StoreStatistics {
            commits: read(&core.counters.commits),
            log_syncs: read(&core.log.syncs),
            log_flush_time: Duration::from_nanos(read(&core.log.flush_nanoseconds)),
            log_records: read(&core.log.records),
            log_bytes: read(&core.log.bytes),
            keypoints: read(&core.counters.keypoints),
            applied_batches: read(&core.counters.applied_batches),
            applied_records: read(&core.counters.applied_records),
            lock_waits: read(&core.locks.wait_count),
            deadlocks: read(&core.locks.deadlock_count),
            overlay_bytes: core.overlay_bytes() as u64,
            page_bytes: core.engine.disk_bytes(),
        }
    }

    /// For the threads of a dispatcher whose tasks wait for the log.
    pub fn log_flushes(&self) -> LogFlushes {
        LogFlushes(self.core.clone())
    }

    /// Orderly shutdown: everything committed goes to the pages, the data is marked clean, threads end, the directory is unlocked. Open
    /// units of work lose their changes.
    pub fn close(&self) -> Result<(), StoreError> {
        self.stop(Stop::Orderly)
    }

    /// Stops like a crash, but keeps the process: nothing more is applied. For tests of recovery.
    pub fn abandon(&self) {
        let _ = self.stop(Stop::Abandon);
    }

    /// Records the orderly end of a region; how a utility ends does not matter. The log is closed.
    fn note_end(&self) -> Result<(), StoreError> {
        if !self.is_of_region.load(Ordering::Acquire) {
            return Ok(());
        }
        restart::note_orderly_end(&*self.core.engine, self.core.log.tail().end)
    }

    fn stop(&self, how: Stop) -> Result<(), StoreError> {
        let threads = std::mem::take(&mut *self.threads.lock());
        if threads.is_empty() {
            return Ok(());
        }
        self.core.stop_applier(how);
        self.core.log.close(&ThreadWaiter::new(), how == Stop::Orderly);
        self.core.log.stop_thread();
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("a thread of the store ended by a panic");
            }
        }
        let result = match how {
            Stop::Orderly => self.core.log.failure().map_or_else(|| self.note_end(), |why| Err(StoreError::Stopped(why))),
            Stop::Abandon => Ok(()),
        };
        *self.end_failure.lock() = result.as_ref().err().map(ToString::to_string);
        self.core.log.unwatch();
        *self.directory_lock.lock() = None;
        result
    }
}

/// The flushes of the system log that suspended tasks leave to the threads of their dispatcher: see `Flusher::Dispatcher`.
pub struct LogFlushes(Arc<core::Core>);

impl LogFlushes {
    /// A task waits, and no thread flushes yet. Every dispatcher thread checks this after each task it leaves.
    pub fn is_offered(&self) -> bool {
        self.0.log.is_flush_offered()
    }

    /// Writes and syncs the log; answers whom to wake. Blocks for the time of a sync.
    pub fn flush(&self) -> Vec<Waker> {
        self.0.log.flush_offered()
    }

    /// Instead of `flush`, by a thread that has other work.
    pub fn leave_to_log_thread(&self) {
        self.0.log.leave_offered();
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            tracing::error!("closing the store: {error}");
        }
    }
}
