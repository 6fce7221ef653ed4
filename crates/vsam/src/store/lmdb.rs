//! The engine on LMDB (crate `heed`).
//!
//! One named LMDB database for each table (`t` and its number), one named `meta`. Invariants: every commit is durable (no MDB_NOSYNC or
//! MDB_NOMETASYNC ever); a thread keeps its read snapshot only while no newer batch is committed; after each commit snapshots of idle
//! threads are dropped, so that their pages can be reused; no snapshot outlives a call of a visit function; keys of a scan ascend strictly
//! (or descend), and a scan of a whole table finds as many as LMDB counts. This is one of two places of the crate with unsafe code
//! (`page_faults` is the other): opening an LMDB environment is unsafe because no one else may change the file while it is mapped, which
//! the store's directory lock ensures. `vsam/tests/directory.rs` tests that lock.

use std::cell::Cell;
use std::io::ErrorKind;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use heed::types::Bytes;
use heed::{CommitOrAbort, Database, Env, EnvOpenOptions, OnCommit, PutFlags, RoTxn, RwTxn, WithoutTls};
use parking_lot::{Mutex, RwLock};

use super::engine::{BatchWriter, Engine, TableSize};
use super::{Direction, StoreError, TableId};
use crate::disk::Disk;
use crate::fault;

type Db = Database<'static, Bytes, Bytes>;
const SNAPSHOT_SLOTS: usize = 64;
const TABLES_MAX: u32 = 4096;
const READERS_MAX: u32 = 512;
/// A device with less room than this is full.
const FULL_BELOW_BYTES: u64 = 1 << 20;

struct Snapshot {
    generation: u64,
    tables: Arc<Vec<Option<Db>>>,
    txn: RoTxn<'static, WithoutTls>,
}

/// The LMDB environment of a store.
pub(crate) struct Lmdb {
    slots: Vec<Mutex<Option<Snapshot>>>,
    /// Counts committed batches and new tables; a snapshot of an older generation is stale.
    generation: AtomicU64,
    tables: RwLock<Arc<Vec<Option<Db>>>>,
    meta: Db,
    env: Env<WithoutTls>,
    disk: Arc<dyn Disk>,
    data_file: PathBuf,
}

/// Databases opened in one transaction.
struct Opened<'e>(Vec<(u32, Database<'e, Bytes, Bytes>)>, Database<'e, Bytes, Bytes>);

impl OnCommit for Opened<'_> {
    type Committed = (Vec<(u32, Db)>, Db);

    fn on_commit(self, token: &heed::CommitToken) -> Self::Committed {
        let tables = self.0.into_iter().map(|(id, db)| (id, db.on_commit(token))).collect();
        (tables, self.1.on_commit(token))
    }
}

fn engine_error(error: heed::Error) -> StoreError {
    StoreError::Engine(error.to_string())
}

/// Preserves the kind of the error.
fn io_error(error: heed::Error) -> std::io::Error {
    match error {
        heed::Error::Io(error) => error,
        other => std::io::Error::other(other),
    }
}

fn table_db_name(id: u32) -> String {
    format!("t{id}")
}

thread_local! {
    static SLOT: Cell<usize> = const { Cell::new(usize::MAX) };
}
static NEXT_SLOT: AtomicUsize = AtomicUsize::new(0);

fn own_slot() -> usize {
    SLOT.with(|slot| {
        if slot.get() == usize::MAX {
            slot.set(NEXT_SLOT.fetch_add(1, Ordering::Relaxed) % SNAPSHOT_SLOTS);
        }
        slot.get()
    })
}

#[allow(unsafe_code)]
fn open_environment(directory: &Path, map_size: usize) -> Result<Env<WithoutTls>, StoreError> {
    let mut options = EnvOpenOptions::new().read_txn_without_tls();
    options.map_size(map_size).max_dbs(TABLES_MAX + 1).max_readers(READERS_MAX);
    // Safety: the store holds the directory's lock, so no other process (and no other store of this one) has it open,
    // and nothing else writes to the file while it is mapped.
    unsafe { options.open(directory) }.map_err(|error| match &error {
        heed::Error::Io(io) if io.raw_os_error() == Some(libc::ENOMEM) => StoreError::Addresses(map_size),
        _ => engine_error(error),
    })
}

impl Lmdb {
    /// Opens or creates the environment, with `tables` of the numbers that `meta` lists.
    pub(crate) fn open(disk: Arc<dyn Disk>, directory: &Path, map_size: usize) -> Result<Lmdb, StoreError> {
        disk.create_directory(directory).map_err(|error| StoreError::io(directory, error))?;
        let env = open_environment(directory, map_size)?;
        super::page_faults::pages_are_mapped(&directory.join("data.mdb"));
        env.clear_stale_readers().map_err(engine_error)?;
        let txn = env.write_txn().map_err(engine_error)?;
        let opened = env
            .create_databases_and_commit(txn, |opener, txn| -> Result<_, heed::Error> {
                let meta: Database<Bytes, Bytes> = opener.create_database(txn, Some("meta"))?;
                let mut numbers = Vec::new();
                for entry in meta.prefix_iter(txn, &b"table:"[..])? {
                    let (_, value) = entry?;
                    numbers.extend(value.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes)));
                }
                for entry in meta.prefix_iter(txn, &b"free:"[..])? {
                    let (_, value) = entry?;
                    numbers.extend(value.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes)));
                }
                let mut tables = Vec::new();
                for number in numbers {
                    tables.push((number, opener.create_database(txn, Some(&table_db_name(number)))?));
                }
                Ok(CommitOrAbort::<_, ()>::Commit(Opened(tables, meta)))
            })
            .map_err(engine_error)?
            .unwrap_commit();
        let mut tables = Vec::new();
        for (number, db) in opened.0 {
            set_table(&mut tables, number, db);
        }
        let slots = (0..SNAPSHOT_SLOTS).map(|_| Mutex::new(None)).collect();
        let tables = RwLock::new(Arc::new(tables));
        let data_file = directory.join("data.mdb");
        Ok(Lmdb { slots, generation: AtomicU64::new(1), tables, meta: opened.1, env, disk, data_file })
    }

    fn new_snapshot(&self, generation: u64) -> Result<Snapshot, StoreError> {
        let tables = self.tables.read().clone();
        let txn = self.env.clone().static_read_txn().map_err(engine_error)?;
        Ok(Snapshot { generation, tables, txn })
    }

    /// Calls `read` with a snapshot at least as new as the last batch committed before the call.
    fn with_snapshot<R>(&self, read: impl FnOnce(&Snapshot) -> Result<R, StoreError>) -> Result<R, StoreError> {
        let generation = self.generation.load(Ordering::Acquire);
        match self.slots[own_slot()].try_lock() {
            Some(mut slot) => {
                if slot.as_ref().is_none_or(|snapshot| snapshot.generation != generation) {
                    *slot = None;
                    *slot = Some(self.new_snapshot(generation)?);
                }
                read(slot.as_ref().expect("just filled"))
            }
            // The slot is in use: a thread with the same number, or a read within a visit function.
            None => read(&self.new_snapshot(generation)?),
        }
    }

    /// A batch that could not be written. LMDB reports a full device like any other short write.
    fn failed(&self, error: &std::io::Error) -> StoreError {
        let room = rustix::fs::statvfs(&self.data_file).ok().map(|system| system.f_bavail * system.f_frsize);
        let file = self.data_file.display();
        let is_full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge);
        if is_full || room.is_some_and(|room| room < FULL_BELOW_BYTES) {
            StoreError::NoRoom(format!("{file}: no space left on the device ({error})"))
        } else {
            StoreError::Engine(format!("{file}: {error}"))
        }
    }

    fn new_generation(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        let generation = self.generation.load(Ordering::Acquire);
        for slot in &self.slots {
            if let Some(mut slot) = slot.try_lock()
                && slot.as_ref().is_some_and(|snapshot| snapshot.generation != generation)
            {
                *slot = None;
            }
        }
    }
}

fn set_table(tables: &mut Vec<Option<Db>>, number: u32, db: Db) {
    let index = number as usize;
    if tables.len() <= index {
        tables.resize(index + 1, None);
    }
    tables[index] = Some(db);
}

fn table_of(tables: &[Option<Db>], table: TableId) -> Result<Db, StoreError> {
    tables.get(table.0 as usize).copied().flatten().ok_or_else(|| StoreError::NoTable(table.0.to_string()))
}

/// The progress of a scan: LMDB has no checksums, so a page slot that leads to another record shows only in the order of the keys.
struct Order<'t> {
    table: TableId,
    direction: Direction,
    /// The last key, and whether the next may be equal to it (where the scan begins).
    last: Option<(&'t [u8], bool)>,
}

impl<'t> Order<'t> {
    fn check(&mut self, key: &'t [u8]) -> Result<(), StoreError> {
        let fits = self.last.is_none_or(|(last, may_be_equal)| match self.direction {
            _ if last == key => may_be_equal,
            Direction::Forward => last < key,
            Direction::Backward => last > key,
        });
        self.last = Some((key, false));
        if fits {
            return Ok(());
        }
        let key = key.iter().map(|byte| format!("{byte:02X}")).collect();
        Err(StoreError::RecordDamaged { table: self.table.0.to_string(), key, why: "the pages do not have it in the order of the keys" })
    }
}

/// Visits entries until `visit` answers false. Answers their number if the end was reached.
fn visit_in_order<'t>(
    mut entries: impl Iterator<Item = Result<(&'t [u8], &'t [u8]), heed::Error>>,
    mut order: Order<'t>,
    visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
) -> Result<Option<usize>, StoreError> {
    let mut records = 0;
    while let Some(entry) = entries.next() {
        let (key, stored) = entry.map_err(engine_error)?;
        order.check(key)?;
        records += 1;
        if !visit(key, stored) {
            // A later scan that continues from here would not notice that the same record comes twice.
            if let Some(next) = entries.next() {
                order.check(next.map_err(engine_error)?.0)?;
            }
            return Ok(None);
        }
    }
    Ok(Some(records))
}

fn check_count(table: TableId, read: usize, entries: usize) -> Result<(), StoreError> {
    if read == entries {
        return Ok(());
    }
    let why = format!("{read} records were read where the pages count {entries}");
    Err(StoreError::PagesDamaged { table: table.0.to_string(), why })
}

struct Writer<'a, 'e> {
    tables: &'a [Option<Db>],
    meta: Db,
    txn: &'a mut RwTxn<'e>,
}

impl BatchWriter for Writer<'_, '_> {
    fn put(&mut self, table: TableId, key: &[u8], stored: &[u8]) -> Result<(), StoreError> {
        table_of(self.tables, table)?.put(self.txn, key, stored).map_err(engine_error)
    }

    fn append(&mut self, table: TableId, key: &[u8], stored: &[u8]) -> Result<(), StoreError> {
        let db = table_of(self.tables, table)?;
        db.put_with_flags(self.txn, PutFlags::APPEND, key, stored).map_err(engine_error)
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<(), StoreError> {
        table_of(self.tables, table)?.delete(self.txn, key).map(|_| ()).map_err(engine_error)
    }

    fn clear(&mut self, table: TableId) -> Result<(), StoreError> {
        table_of(self.tables, table)?.clear(self.txn).map_err(engine_error)
    }

    fn put_meta(&mut self, key: &str, value: &[u8]) -> Result<(), StoreError> {
        self.meta.put(self.txn, key.as_bytes(), value).map_err(engine_error)
    }

    fn delete_meta(&mut self, key: &str) -> Result<(), StoreError> {
        self.meta.delete(self.txn, key.as_bytes()).map(|_| ()).map_err(engine_error)
    }
}

impl Engine for Lmdb {
    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        self.with_snapshot(|snapshot| {
            let db = table_of(&snapshot.tables, table)?;
            match db.get(&snapshot.txn, key).map_err(engine_error)? {
                Some(stored) => {
                    visit(stored);
                    Ok(true)
                }
                None => Ok(false),
            }
        })
    }

    fn range(
        &self,
        table: TableId,
        from: Option<(&[u8], bool)>,
        direction: Direction,
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        let bound = match from {
            None => Bound::Unbounded,
            Some((key, true)) => Bound::Included(key),
            Some((key, false)) => Bound::Excluded(key),
        };
        self.with_snapshot(|snapshot| {
            let db = table_of(&snapshot.tables, table)?;
            let order = Order { table, direction, last: from };
            let records = match direction {
                Direction::Forward => {
                    let range = (bound, Bound::Unbounded);
                    visit_in_order(db.range(&snapshot.txn, &range).map_err(engine_error)?, order, visit)?
                }
                Direction::Backward => {
                    let range = (Bound::Unbounded, bound);
                    visit_in_order(db.rev_range(&snapshot.txn, &range).map_err(engine_error)?, order, visit)?
                }
            };
            // After a scan of the whole table the number of records is known.
            match (from, records) {
                (None, Some(records)) => check_count(table, records, db.stat(&snapshot.txn).map_err(engine_error)?.entries),
                _ => Ok(()),
            }
        })
    }

    fn apply(&self, write: &mut dyn FnMut(&mut dyn BatchWriter) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let stop = |error: std::io::Error| self.failed(&error);
        let mut txn = self.env.write_txn().map_err(engine_error)?;
        let tables = self.tables.read().clone();
        write(&mut Writer { tables: &tables, meta: self.meta, txn: &mut txn })?;
        fault::point("pages.commit").map_err(stop)?;
        let mut txn = Some(txn);
        let mut commit = || txn.take().map_or(Ok(()), RwTxn::commit).map_err(io_error);
        self.disk.commit_pages(&self.data_file, &mut commit).map_err(stop)?;
        fault::point("pages.committed").map_err(stop)?;
        self.new_generation();
        Ok(())
    }

    fn create_table(&self, table: TableId, meta: (&str, &[u8])) -> Result<(), StoreError> {
        let name = table_db_name(table.0);
        let meta_db = self.meta;
        let mut opened = None;
        let mut create = || {
            let txn = self.env.write_txn().map_err(io_error)?;
            let created = self.env.create_databases_and_commit(txn, |opener, txn| -> Result<_, heed::Error> {
                meta_db.put(txn, meta.0.as_bytes(), meta.1)?;
                let db: Database<Bytes, Bytes> = opener.create_database(txn, Some(&name))?;
                Ok(CommitOrAbort::<_, ()>::Commit(db))
            });
            opened = Some(created.map_err(io_error)?.unwrap_commit());
            Ok(())
        };
        self.disk.commit_pages(&self.data_file, &mut create).map_err(|error| self.failed(&error))?;
        let opened = opened.ok_or_else(|| StoreError::Engine("the table was not created".into()))?;
        {
            let mut tables = self.tables.write();
            let mut list = tables.as_ref().clone();
            set_table(&mut list, table.0, opened);
            *tables = Arc::new(list);
        }
        self.new_generation();
        Ok(())
    }

    fn size(&self, table: TableId) -> Result<TableSize, StoreError> {
        self.with_snapshot(|snapshot| {
            let stat = table_of(&snapshot.tables, table)?.stat(&snapshot.txn).map_err(engine_error)?;
            Ok(TableSize {
                records: stat.entries as u64,
                leaf_pages: stat.leaf_pages as u64,
                branch_pages: stat.branch_pages as u64,
                overflow_pages: stat.overflow_pages as u64,
                depth: stat.depth,
            })
        })
    }

    fn meta(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.with_snapshot(|snapshot| {
            let value = self.meta.get(&snapshot.txn, key.as_bytes()).map_err(engine_error)?;
            Ok(value.map(<[u8]>::to_vec))
        })
    }

    fn meta_entries(&self, prefix: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.with_snapshot(|snapshot| {
            let mut entries = Vec::new();
            for entry in self.meta.prefix_iter(&snapshot.txn, prefix.as_bytes()).map_err(engine_error)? {
                let (key, value) = entry.map_err(engine_error)?;
                entries.push((String::from_utf8_lossy(key).into_owned(), value.to_vec()));
            }
            Ok(entries)
        })
    }

    fn disk_bytes(&self) -> u64 {
        self.env.real_disk_size().unwrap_or(0)
    }
}
