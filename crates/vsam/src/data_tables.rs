//! Data tables: keyed tables of records beside the data sets, read and written by the same requests.
//!
//! A user-maintained table `table.user.FILE` is a copy of its source made at open, and changes of it never reach the source. A coupling
//! facility table `table.POOL.NAME` belongs to a pool that outlives the regions: here the pool is local, in the store, so it outlives a
//! restart of the region. Record formats are those of a KSDS. Opening a table returns its load, which the caller runs beside the requests.
//! A user-maintained table must not be changed meanwhile; a table of a pool is valid up to the key that the load has reached.
//!
//! Invariants: all users of a table share one `Sphere`; the key and record lengths of a table are those it was created with; the progress
//! of the load of a pool table is stored together with its records, so an interrupted load continues at the next open.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::catalog::{Attributes, Organization};
use crate::codec::{Decoder, Encoder};
use crate::data_sets::DataSets;
use crate::error::{FileError, StoreError};
use crate::file::File;
use crate::sphere::Sphere;
use crate::store::{Change, Direction, Table};
use crate::wait::{ThreadWaiter, Waiter};

const USER_PREFIX: &str = "table.user.";
const POOL_PREFIX: &str = "table.";
/// The tables of pools: name -> description.
const POOL_TABLES: &str = "table.descriptions";
/// Records of a piece of the load of a pool's table.
const LOAD_PIECE_RECORDS: usize = 64;

/// Key, and the longest record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableShape {
    pub key_length: u32,
    pub key_position: u32,
    pub record_max: u32,
}

/// A table of a pool as `table.descriptions` has it: key length u32 · longest record u32 · key position u32 · loaded u8 · key the load
/// has reached. The first release ended before `loaded`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Description {
    shape: TableShape,
    loaded: bool,
    reached: Vec<u8>,
}

impl Description {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.u32(self.shape.key_length).u32(self.shape.record_max).u32(self.shape.key_position).bool(self.loaded);
        out.bytes.extend_from_slice(&self.reached);
        out.bytes
    }

    fn decode(bytes: &[u8]) -> Option<Description> {
        let mut input = Decoder { bytes };
        let (key_length, record_max, key_position) = (input.u32()?, input.u32()?, input.u32()?);
        let loaded = input.bool().unwrap_or(true);
        let shape = TableShape { key_length, key_position, record_max };
        Some(Description { shape, loaded, reached: input.bytes.to_vec() })
    }
}

/// The progress of a load, for requests that use the table meanwhile.
#[derive(Default)]
pub struct LoadProgress {
    records: AtomicU64,
    stop: AtomicBool,
    reached: Mutex<Vec<u8>>,
}

impl LoadProgress {
    pub fn records(&self) -> u64 {
        self.records.load(Ordering::Relaxed)
    }

    /// Asks the load to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Whether the load has reached a key or a partial key.
    pub fn has_reached(&self, key: &[u8]) -> bool {
        key <= &self.reached.lock()[..]
    }

    fn count(&self, key: &[u8]) {
        self.advance(1, key);
    }

    /// So many records more are in the table, up to this key.
    fn advance(&self, records: u64, key: &[u8]) {
        self.records.fetch_add(records, Ordering::Relaxed);
        let mut reached = self.reached.lock();
        reached.clear();
        reached.extend_from_slice(key);
    }
}

/// Why a load has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoadEnd {
    Complete,
    /// The table has reached its maximum number of records.
    Full,
    Stopped,
}

/// The target of a load.
enum Into {
    User(Table),
    Pool {
        table: Table,
        descriptions: Table,
        name: String,
        description: Description,
    },
    /// A CICS-maintained table: the records stay in the source, and the load only counts how many the table takes.
    Nothing,
}

/// The load of a data table from its source.
pub struct TableLoad {
    sets: Arc<DataSets>,
    pub source: File,
    into: Into,
    limit: u64,
}

impl TableLoad {
    /// Sets the position at which an interrupted load continues.
    pub fn begin(&self, progress: &LoadProgress) {
        if let Into::Pool { description, .. } = &self.into {
            progress.reached.lock().clone_from(&description.reached);
        }
    }

    /// Copies the records until there are no more or the table is full.
    pub fn run(&self, progress: &LoadProgress) -> Result<LoadEnd, FileError> {
        match &self.into {
            Into::User(table) => {
                let mut load = self.sets.store().bulk_load(table)?;
                let end = self.each(progress, &mut |key, record| Ok(load.put(key, record)?))?;
                load.finish()?;
                Ok(end)
            }
            Into::Pool { .. } => loop {
                self.sets.wait_for_room(&self.source.attributes().data_set, &ThreadWaiter::new())?;
                if let Some(end) = self.piece(progress)? {
                    return Ok(end);
                }
            },
            Into::Nothing => self.each(progress, &mut |_, _| Ok(())),
        }
    }

    /// Copies the next records to the table of a pool, without a wait; of any other table all. `None`: there are more. Requests find the
    /// records of a piece when it has been stored.
    pub fn piece(&self, progress: &LoadProgress) -> Result<Option<LoadEnd>, FileError> {
        let Into::Pool { table, descriptions, name, description } = &self.into else { return self.run(progress).map(Some) };
        if progress.is_stopped() {
            return Ok(Some(LoadEnd::Stopped));
        }
        let (from, room) = (progress.reached.lock().clone(), self.limit.saturating_sub(progress.records()));
        let (mut reached, mut changes, mut end) = (from.clone(), Vec::new(), Some(LoadEnd::Complete));
        let begin = Some(&from[..]).filter(|from| !from.is_empty());
        self.sets.store().scan(&self.source.0.sphere.data, begin, Direction::Forward, &mut |key, record| {
            if Some(key) == begin {
                return true;
            }
            if changes.len() as u64 >= room {
                end = Some(LoadEnd::Full);
            } else if changes.len() == LOAD_PIECE_RECORDS {
                end = None;
            } else {
                changes.push(Change { table: table.clone(), key: key.to_vec(), value: Some(record.to_vec()) });
                reached.clear();
                reached.extend_from_slice(key);
                return true;
            }
            false
        })?;
        let records = changes.len() as u64;
        let value = Description { loaded: end == Some(LoadEnd::Complete), reached: reached.clone(), ..description.clone() }.encode();
        changes.push(Change { table: descriptions.clone(), key: name.clone().into_bytes(), value: Some(value) });
        self.sets.store().publish_now(changes)?;
        progress.advance(records, &reached);
        Ok(end)
    }

    /// Visits the records of the source.
    fn each(&self, progress: &LoadProgress, put: &mut dyn FnMut(&[u8], &[u8]) -> Result<(), FileError>) -> Result<LoadEnd, FileError> {
        let mut end = LoadEnd::Complete;
        let mut failure = None;
        self.sets.store().scan(&self.source.0.sphere.data, None, Direction::Forward, &mut |key, record| {
            if progress.records() >= self.limit {
                end = LoadEnd::Full;
            } else if progress.is_stopped() {
                end = LoadEnd::Stopped;
            } else {
                failure = put(key, record).err();
                progress.count(key);
                return failure.is_none();
            }
            false
        })?;
        failure.map_or(Ok(end), Err)
    }
}

impl DataSets {
    fn table_file(self: &Arc<Self>, table: &Table, shown: &str, shape: TableShape, recoverable: bool) -> Result<File, FileError> {
        let mut attributes = Attributes::new(shape.key_length, shape.key_position, shape.record_max, shape.record_max);
        // Records of any length up to the longest.
        attributes.record_average = shape.record_max.div_ceil(2).max(1);
        attributes.spanned = true;
        let sphere = self.shared_sphere(&format!("{}:{shown}", table.name()), |store| {
            Sphere::over_table(store, shown, Organization::Ksds, attributes, table.clone())
        })?;
        let attributes = crate::data_sets::attributes(shown, &sphere, None, Some(recoverable));
        Ok(File::plain(attributes, sphere, self.next_file().fetch_add(1, Ordering::Relaxed)))
    }

    /// Waits until a piece of a load can be stored without a wait.
    pub fn wait_for_room(&self, resource: &str, waiter: &dyn Waiter) -> Result<(), FileError> {
        Ok(self.store().wait_for_room(resource, waiter)?)
    }

    /// The source of a data table, a KSDS or a path is not.
    fn table_source(self: &Arc<Self>, source: &str) -> Result<(File, TableShape), FileError> {
        let from = self.open(source, Default::default())?;
        let attributes = from.attributes();
        if attributes.organization != Organization::Ksds || attributes.path || from.is_alternate_index() {
            return Err(FileError::NotAllowed("the source of a data table is a KSDS"));
        }
        let shape = TableShape {
            key_length: attributes.key_length as u32,
            key_position: attributes.key_position as u32,
            record_max: attributes.record_length_max as u32,
        };
        Ok((from, shape))
    }

    /// Opens an empty user-maintained table. Returns the table and its load; the table must not be changed until the load has ended.
    pub fn open_user_table(
        self: &Arc<Self>,
        file: &str,
        source: &str,
        recoverable: bool,
        limit: u64,
    ) -> Result<(File, TableLoad), FileError> {
        let (source, shape) = self.table_source(source)?;
        let table = self.store().table(&format!("{USER_PREFIX}{file}"))?;
        self.store().clear_table(&table)?;
        let load = TableLoad { sets: self.clone(), source, into: Into::User(table.clone()), limit };
        Ok((self.table_file(&table, file, shape, recoverable)?, load))
    }

    /// The load of a CICS-maintained table over an open file: which of its records are in the table.
    pub fn load_cics_table(self: &Arc<Self>, source: &File, limit: u64) -> TableLoad {
        TableLoad { sets: self.clone(), source: source.clone(), into: Into::Nothing, limit }
    }

    /// Opens a table of a pool, making it if it is not there. Answers it, and its load from `source` if it is not loaded yet.
    pub fn open_pool_table(
        self: &Arc<Self>,
        (pool, name): (&str, &str),
        shape: TableShape,
        source: Option<&str>,
        recoverable: bool,
        limit: u64,
    ) -> Result<(File, Option<TableLoad>), FileError> {
        let shown = format!("{pool}.{name}");
        let descriptions = self.store().table(POOL_TABLES)?;
        let present = self.store().get(&descriptions, shown.as_bytes())?.as_deref().and_then(Description::decode);
        if present.as_ref().is_some_and(|present| present.shape != shape) {
            return Err(FileError::TableLengths);
        }
        let source = source.map(|source| self.table_source(source)).transpose()?;
        let table = self.store().table(&format!("{POOL_PREFIX}{shown}"))?;
        let is_new = present.is_none();
        let description = present.unwrap_or(Description { shape, loaded: source.is_none(), reached: Vec::new() });
        if is_new {
            let (key, value) = (shown.clone().into_bytes(), Some(description.encode()));
            self.store().publish_now(vec![Change { table: descriptions.clone(), key, value }])?;
        }
        let file = self.table_file(&table, &shown, shape, recoverable)?;
        let load = match source {
            Some((source, _)) if !description.loaded => {
                let into = Into::Pool { table, descriptions, name: shown, description };
                Some(TableLoad { sets: self.clone(), source, into, limit })
            }
            _ => None,
        };
        Ok((file, load))
    }

    /// The tables of the pools: name and lengths.
    pub fn pool_tables(&self) -> Result<Vec<(String, TableShape)>, StoreError> {
        let Some(descriptions) = self.store().existing_table(POOL_TABLES) else { return Ok(Vec::new()) };
        let mut tables = Vec::new();
        self.store().scan(&descriptions, None, Direction::Forward, &mut |name, lengths| {
            if let Some(Description { shape, .. }) = Description::decode(lengths) {
                tables.push((String::from_utf8_lossy(name).into_owned(), shape));
            }
            true
        })?;
        Ok(tables)
    }
}

impl File {
    /// Records in the table, as committed. For the limits of data tables.
    pub fn record_count(&self) -> Result<u64, FileError> {
        let mut records = 0;
        self.0.sphere.store.scan(&self.0.sphere.data, None, Direction::Forward, &mut |_, _| {
            records += 1;
            true
        })?;
        Ok(records)
    }
}
