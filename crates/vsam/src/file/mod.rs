//! Record-level requests as CICS file control defines them: open files, READ, WRITE, REWRITE, DELETE, UNLOCK.
//!
//! Invariants: a request either completes or changes nothing; a record read for update is locked until rewritten, deleted, unlocked or the
//! unit of work ends, and to the end of the unit of work if it was changed recoverably; data of a damaged record is never returned.
//! Browsing is in `browse`, changes are in `update`, their effect on the data in `sphere`.

pub mod browse;
mod control;
mod holds;
pub mod shape;
mod shared_reads;
mod update;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use self::browse::Browse;
use crate::buffers::{BufferPool, Counted, DataSetCounts};
use crate::catalog::{BackupOption, LogOption, Organization};
use crate::component::Count;
use crate::error::FileError;
use crate::forward::ForwardLog;
pub use crate::holds::Token;
use crate::holds::control::Resources;
use crate::holds::openers::Opener;
use crate::sphere::access::Access;
use crate::sphere::index::Index;
use crate::sphere::{Sphere, rba_of, rrn_of};
use crate::store::{Direction, Table, UnitOfWork};
use crate::wait::LockWait;

/// Times a read starts again because the record found was deleted meanwhile.
const RETRIES_MAX: usize = 100;

/// How a file is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions {
    /// RECOVERY(BACKOUTONLY|ALL) of the FILE; `None`: the cluster's LOG attribute applies (LOG(NONE) or no LOG: not recoverable).
    pub recoverable: Option<bool>,
    /// Empties a REUSE data set at open (batch OPEN OUTPUT).
    pub reset: bool,
}

/// What a program sees of an open file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileAttributes {
    /// Name of the data set opened.
    pub data_set: String,
    /// Name of the base cluster.
    pub base: String,
    pub organization: Organization,
    /// Opened through a path or alternate index.
    pub path: bool,
    /// Duplicate keys possible (path over a non-unique alternate index).
    pub duplicates: bool,
    /// Length and position of the key used (alternate key on a path); 8 and 0 for ESDS, 4 and 0 for RRDS.
    pub key_length: usize,
    pub key_position: usize,
    pub record_length_max: usize,
    pub record_length_average: usize,
    /// Average and maximum length are the same.
    pub fixed: bool,
    pub recoverable: bool,
    pub updates_allowed: bool,
    pub log: LogOption,
    /// LOGSTREAMID: the forward recovery log of LOG(ALL).
    pub log_stream: String,
    /// LOGREPLICATE: LOGSTREAMID is also the replication log.
    pub log_replicate: bool,
    pub backup: BackupOption,
}

/// Identifies a record: key bytes (also alternate key), or RBA, or RRN.
#[derive(Clone, Copy, Debug)]
pub enum RecordId<'a> {
    /// A key. For GENERIC at least the first `length` bytes of it; see `Search`.
    Key(&'a [u8]),
    Rba(u64),
    Rrn(u32),
}

/// EQUAL or GTEQ, and GENERIC with its key length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    pub greater_or_equal: bool,
    /// GENERIC: number of leading key bytes that count (0: any record).
    pub generic: Option<usize>,
}

impl Search {
    pub const EQUAL: Search = Search { greater_or_equal: false, generic: None };
    pub const GTEQ: Search = Search { greater_or_equal: true, generic: None };

    pub fn generic(length: usize, greater_or_equal: bool) -> Search {
        Search { greater_or_equal, generic: Some(length) }
    }
}

/// The result of a read besides the record itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The record's key as RIDFLD gets it: full primary key, alternate key on a path, 8 byte RBA (ESDS, and by address), 4 byte RRN
    /// (big endian).
    pub key: Vec<u8>,
    /// DUPKEY: more records with the same alternate key follow.
    pub duplicate_key: bool,
    /// RBA (ESDS, and any organization by address), relative record number (RRDS) or 0.
    pub number: u64,
}

/// Counters of a file, as file statistics report them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileStatistics {
    pub reads: u64,
    pub reads_for_update: u64,
    pub browses: u64,
    pub browse_updates: u64,
    pub adds: u64,
    pub updates: u64,
    pub deletes: u64,
    /// Splits by all users of the data set while the file was open, like the EXCPs.
    pub ci_splits: u64,
    pub ca_splits: u64,
    /// Requests that met a record locked by another.
    pub record_waits: u64,
    /// Requests that found a control interval under another's control.
    pub exclusive_waits: u64,
    /// Control intervals read and written, according to the model of the buffers.
    pub data_excps: u64,
    pub index_excps: u64,
}

#[derive(Default)]
pub(crate) struct FileCounters {
    pub(crate) reads: AtomicU64,
    pub(crate) reads_for_update: AtomicU64,
    pub(crate) browses: AtomicU64,
    pub(crate) browse_updates: AtomicU64,
    pub(crate) adds: AtomicU64,
    pub(crate) updates: AtomicU64,
    pub(crate) deletes: AtomicU64,
    pub(crate) record_waits: AtomicU64,
    pub(crate) exclusive_waits: AtomicU64,
}

pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// The context that a region gives a file it opens.
#[derive(Clone, Default)]
pub struct OpenContext {
    /// Whom SHAREOPTIONS concern.
    pub opener: Option<Opener>,
    /// The forward recovery log of the data set; only recoverable files write it.
    pub forward_log: Option<String>,
    /// The replication log of the data set, which may be the same.
    pub replication_log: Option<String>,
    /// The buffers used for counting look-asides and reads.
    pub pool: Option<Arc<BufferPool>>,
    /// The counts shared by users of the data set; `None`: the file has its own.
    pub counts: Option<Arc<DataSetCounts>>,
    /// Whether and how requests exclude each other from a control interval, and whether a READ UPDATE keeps control.
    pub resources: Resources,
    pub keep_control: bool,
}

pub(crate) struct OpenFile {
    pub(crate) attributes: FileAttributes,
    pub sphere: Arc<Sphere>,
    /// Alternate index of the path.
    index: Option<usize>,
    /// The alternate index is opened as a separate data set: its records, not those of the base.
    index_records: bool,
    pub(crate) number: u64,
    pub(crate) counters: FileCounters,
    /// Changes through this file are followed by the upgrade set: not through a path defined NOUPDATE.
    upgrade: bool,
    opener: Option<Opener>,
    pub(crate) forward: Option<ForwardLog>,
    pub(crate) pool: Option<Arc<BufferPool>>,
    pub(crate) resources: Resources,
    pub(crate) keep_control: bool,
    /// The counts of all users of the data set, and their values at the open.
    pub(crate) counts: Arc<DataSetCounts>,
    counts_before: Counted,
}

/// The parts of one open of a file.
pub(crate) struct OpenFileParts {
    /// The open file's own number.
    pub number: u64,
    pub index_records: bool,
    pub upgrade: bool,
    pub forward: Option<ForwardLog>,
    pub context: OpenContext,
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        if let Some(opener) = self.opener {
            self.sphere.openers.leave(opener);
        }
    }
}

/// An open file. Cheap to clone; requests of many tasks run at once. Record data is returned in `record` (cleared first).
#[derive(Clone)]
pub struct File(pub(crate) Arc<OpenFile>);

impl File {
    /// `index`: the alternate index of the sphere the file is read by.
    pub(crate) fn new(attributes: FileAttributes, sphere: Arc<Sphere>, index: Option<usize>, parts: OpenFileParts) -> File {
        let OpenFileParts { number, index_records, upgrade, forward, context } = parts;
        let OpenContext { opener, pool, resources, keep_control, counts, .. } = context;
        let counts = counts.unwrap_or_default();
        let counts_before = counts.since(Counted::default());
        let counters = FileCounters::default();
        let open = OpenFile {
            attributes,
            sphere,
            index,
            index_records,
            number,
            counters,
            upgrade,
            opener,
            forward,
            pool,
            resources,
            keep_control,
            counts,
            counts_before,
        };
        File(Arc::new(open))
    }

    /// A file over a table of its own.
    pub(crate) fn plain(attributes: FileAttributes, sphere: Arc<Sphere>, number: u64) -> File {
        let parts = OpenFileParts { number, index_records: false, upgrade: true, forward: None, context: OpenContext::default() };
        File::new(attributes, sphere, None, parts)
    }

    /// Needs the control intervals of a record in the file's buffers.
    pub(crate) fn touch(&self, key: &[u8]) {
        self.touch_for(key, true);
    }

    /// As `touch`, by a direct or by a sequential request.
    pub(crate) fn touch_for(&self, key: &[u8], direct: bool) {
        if let Some(pool) = &self.0.pool {
            // A map that cannot be read spoils a count; the read of the record will say what is wrong.
            let reads = self.0.sphere.touch(pool, key, direct).unwrap_or_default();
            self.count_excps(reads.data, reads.index);
        }
    }

    /// Needs the control intervals of the alternate index's record of a key in the file's buffers. Those of a path count with the pool only.
    pub(crate) fn touch_index(&self, unit: &UnitOfWork, index: &Index, key: &[u8]) {
        if let Some(pool) = &self.0.pool {
            let reads = index.intervals.touch(index, unit, pool, key).unwrap_or_default();
            if self.is_alternate_index() {
                self.count_excps(reads.data, reads.index);
            }
        }
    }

    pub(crate) fn count_excps(&self, data: u64, index: u64) {
        self.0.counts.add(Counted { data_excps: data, index_excps: index, ..Counted::default() });
    }

    /// Whether the data set has never had a record, so that the first ones load it. A data set with an upgrade set is loaded by batch jobs.
    pub fn is_to_be_loaded(&self) -> Result<bool, FileError> {
        let has_upgrade_set = self.0.sphere.indexes.iter().any(|index| index.upgrade);
        Ok(!self.is_alternate_index() && !has_upgrade_set && self.has_never_had_a_record()?)
    }

    /// Whether the base has never had a record since it was defined or reset.
    pub fn has_never_had_a_record(&self) -> Result<bool, FileError> {
        let sphere = &self.0.sphere;
        let statistics = sphere.statistics();
        // The map of control intervals may have been lost in a crash: the records decide.
        let unused = !sphere.is_loaded() && statistics.records_inserted == 0 && statistics.records_deleted == 0;
        Ok(unused && sphere.high_used_rba()? == 0 && sphere.is_empty()?)
    }

    /// Ends load mode as COBOL's run time does when it opens a data set for output: by writing and deleting a record.
    pub fn prime(&self) -> Result<(), FileError> {
        if self.attributes().organization == Organization::Esds || !self.has_never_had_a_record()? {
            return Ok(());
        }
        Ok(self.0.sphere.prime()?)
    }

    /// Size of the control intervals of the base's data.
    pub fn ci_size(&self) -> u32 {
        self.0.sphere.attributes.ci_size
    }

    pub fn attributes(&self) -> &FileAttributes {
        &self.0.attributes
    }

    pub fn statistics(&self) -> FileStatistics {
        let counters = &self.0.counters;
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let shared = self.0.counts.since(self.0.counts_before);
        FileStatistics {
            reads: get(&counters.reads),
            reads_for_update: get(&counters.reads_for_update),
            browses: get(&counters.browses),
            browse_updates: get(&counters.browse_updates),
            adds: get(&counters.adds),
            updates: get(&counters.updates),
            deletes: get(&counters.deletes),
            ci_splits: shared.ci_splits,
            ca_splits: shared.ca_splits,
            record_waits: get(&counters.record_waits),
            exclusive_waits: get(&counters.exclusive_waits),
            data_excps: shared.data_excps,
            index_excps: shared.index_excps,
        }
    }

    pub(crate) fn index(&self) -> Option<&Index> {
        self.0.index.map(|index| &self.0.sphere.indexes[index])
    }

    /// Whether the file is an alternate index opened as a separate data set.
    pub fn is_alternate_index(&self) -> bool {
        self.0.index_records
    }

    /// Records of an alternate index are changed only with those of the base.
    pub(crate) fn check_changes(&self) -> Result<(), FileError> {
        if self.0.index_records {
            return Err(FileError::NotAllowed("records of an alternate index change with those of its base"));
        }
        Ok(())
    }

    /// The alternate index's record of an alternate key, into `record`.
    pub(crate) fn index_record(&self, unit: &UnitOfWork, index: &Index, key: &[u8], record: &mut Vec<u8>) -> Result<(), FileError> {
        let rba = self.0.sphere.organization == Organization::Esds;
        let prefix = index.entry_prefix(key);
        index.begin_record(key, record);
        Ok(unit.scan_locked(&index.table, Some((&prefix, true)), Direction::Forward, &mut |entry, base_key| {
            entry.starts_with(&prefix) && index.add_pointer(base_key, rba, record)
        })?)
    }

    /// The table the file is read by: the alternate index's, or the data.
    pub(crate) fn view_table(&self) -> &Table {
        self.index().map_or(&self.0.sphere.data, |index| &index.table)
    }

    pub(crate) fn access<'a>(&'a self, unit: &'a UnitOfWork, wait: LockWait<'a>) -> Access<'a> {
        let OpenFile { attributes, upgrade, forward, pool, .. } = &*self.0;
        Access { unit, recoverable: attributes.recoverable, upgrade: *upgrade, forward: forward.as_ref(), pool: pool.as_deref(), wait }
    }

    /// The search key of a request: as many leading bytes of a table key (without an index's prefix) as count.
    pub(crate) fn search_key<'a>(&self, unit: &UnitOfWork, id: RecordId<'a>, search: Search) -> Result<Cow<'a, [u8]>, FileError> {
        let organization = self.0.sphere.organization;
        let full = self.0.attributes.key_length;
        match id {
            RecordId::Key(key) if self.index().is_some() || organization == Organization::Ksds => match search.generic {
                Some(length) if length >= full => Err(FileError::GenericKeyLength(length)),
                Some(length) => key.get(..length).map(Cow::Borrowed).ok_or(FileError::KeyLength(key.len())),
                None if key.len() == full => Ok(Cow::Borrowed(key)),
                None => Err(FileError::KeyLength(key.len())),
            },
            RecordId::Key(_) if organization == Organization::Esds => Err(FileError::KeyedEntrySequenced),
            RecordId::Key(_) => Err(FileError::Identification("the file has no keys")),
            _ if search.generic.is_some() => Err(FileError::GenericNotKeyed),
            _ if self.index().is_some() => Err(FileError::Identification("a path is read by its key")),
            RecordId::Rba(rba) => self.0.sphere.key_at_rba(unit, rba)?.map(Cow::Owned).ok_or(FileError::NotFound),
            RecordId::Rrn(number) if matches!(organization, Organization::Rrds | Organization::Vrrds) => {
                if number == 0 {
                    Err(FileError::RecordNumber)
                } else {
                    Ok(Cow::Owned(number.to_be_bytes().to_vec()))
                }
            }
            RecordId::Rrn(_) => Err(FileError::Identification("the file has no relative record numbers")),
        }
    }

    /// The key in a record of a KSDS, unless it is read by an alternate key.
    pub fn key_in<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        let keyed = self.0.sphere.organization == Organization::Ksds && self.index().is_none();
        keyed.then(|| self.0.sphere.key_of(record)).flatten()
    }

    /// The relative byte address of the record at a table key of the base.
    pub fn rba(&self, unit: &UnitOfWork, table_key: &[u8]) -> Result<u64, FileError> {
        self.0.sphere.rba_of_record(unit, table_key)
    }

    /// As `found`, with the RBA as number and key when the request was by address.
    pub(crate) fn found_by(&self, unit: &UnitOfWork, table_key: &[u8], by_address: bool) -> Result<Found, FileError> {
        let mut found = self.found(unit, table_key)?;
        if by_address && self.0.sphere.organization != Organization::Esds {
            found.number = self.rba(unit, table_key)?;
            found.key = found.number.to_be_bytes().to_vec();
        }
        Ok(found)
    }

    /// The first entry of the view in a direction from a table key (empty: from the end). `record` gets the value: a record, or
    /// the base's table key.
    pub(crate) fn step(
        &self,
        unit: &UnitOfWork,
        from: Option<(&[u8], bool)>,
        direction: Direction,
        record: &mut Vec<u8>,
    ) -> Result<Option<Vec<u8>>, FileError> {
        let index = self.index();
        // Entries of a non-unique index precede its reverse records, so a backward browse from the end starts between them.
        let border: [u8; 1] = [1];
        let from = from.filter(|(key, _)| !key.is_empty());
        let from = match (index, from, direction) {
            (Some(index), None, Direction::Backward) if !index.unique => Some((&border[..], false)),
            _ => from,
        };
        let mut found = None;
        unit.scan_locked(self.view_table(), from, direction, &mut |key, value| {
            if index.is_none_or(|index| index.display(key).is_some()) {
                record.clear();
                record.extend_from_slice(value);
                found = Some(key.to_vec());
            }
            false
        })?;
        Ok(found)
    }

    /// The table key of the view's first record that satisfies a search.
    pub(crate) fn locate<'a>(
        &self,
        unit: &UnitOfWork,
        key: &'a [u8],
        search: Search,
        record: &mut Vec<u8>,
    ) -> Result<Option<Cow<'a, [u8]>>, FileError> {
        let exact = !search.greater_or_equal && search.generic.is_none();
        match self.index() {
            None if exact => Ok(unit.read(self.view_table(), key, record)?.then_some(Cow::Borrowed(key))),
            Some(index) if exact && index.unique => Ok(unit.read(self.view_table(), key, record)?.then_some(Cow::Borrowed(key))),
            index => {
                let from = index.map_or_else(|| key.to_vec(), |index| index.entry_prefix(key));
                let found = self.step(unit, Some((&from, true)), Direction::Forward, record)?;
                Ok(found.filter(|found| search.greater_or_equal || found.starts_with(&from)).map(Cow::Owned))
            }
        }
    }

    /// The result of a request for the record at a table key of the view.
    pub(crate) fn found(&self, unit: &UnitOfWork, table_key: &[u8]) -> Result<Found, FileError> {
        match self.index() {
            None => {
                let number = match self.0.sphere.organization {
                    Organization::Esds | Organization::Linear => rba_of(table_key),
                    Organization::Rrds | Organization::Vrrds => rrn_of(table_key) as u64,
                    _ => 0,
                };
                Ok(Found { key: table_key.to_vec(), duplicate_key: false, number })
            }
            Some(index) => {
                let key = index.display(table_key).unwrap_or_default().to_vec();
                let mut duplicate_key = false;
                if !index.unique && !self.0.index_records {
                    let next = self.step(unit, Some((table_key, false)), Direction::Forward, &mut Vec::new())?;
                    duplicate_key = next.is_some_and(|next| index.display(&next) == Some(&key[..]));
                }
                Ok(Found { key, duplicate_key, number: 0 })
            }
        }
    }

    /// READ without UPDATE.
    pub fn read(&self, unit: &UnitOfWork, id: RecordId<'_>, search: Search, record: &mut Vec<u8>) -> Result<Found, FileError> {
        count(&self.0.counters.reads);
        self.0.sphere.counters.add(Count::Retrieved, 1);
        let by_address = matches!(id, RecordId::Rba(_));
        let key = self.search_key(unit, id, search)?;
        for _ in 0..RETRIES_MAX {
            let table_key = self.locate(unit, &key, search, record)?.ok_or(FileError::NotFound)?;
            if let Some(index) = self.index().filter(|_| self.0.index_records) {
                let alternate = index.display(&table_key).unwrap_or_default();
                self.touch_index(unit, index, alternate);
                self.index_record(unit, index, alternate, record)?;
            } else if let Some(index) = self.index() {
                self.touch_index(unit, index, index.display(&table_key).unwrap_or_default());
                let base_key = std::mem::take(record);
                self.touch(&base_key);
                if !unit.read(&self.0.sphere.data, &base_key, record)? {
                    continue;
                }
            } else {
                self.touch(&table_key);
            }
            return self.found_by(unit, &table_key, by_address);
        }
        Err(FileError::IndexPointer)
    }

    /// READ UPDATE: takes the record's lock (exclusive control) and returns a token for REWRITE, DELETE or UNLOCK.
    pub fn read_update(
        &self,
        unit: &UnitOfWork,
        id: RecordId<'_>,
        search: Search,
        wait: LockWait<'_>,
        record: &mut Vec<u8>,
    ) -> Result<(Found, Token), FileError> {
        self.check_changes()?;
        count(&self.0.counters.reads_for_update);
        self.0.sphere.counters.add(Count::Retrieved, 1);
        let by_address = matches!(id, RecordId::Rba(_));
        let key = self.search_key(unit, id, search)?;
        if self.index().is_none() && search == Search::EQUAL {
            // The key is known: lock, then read once.
            let token = self.hold(unit, &key, wait, record)?.ok_or(FileError::NotFound)?;
            return Ok((self.found_by(unit, &key, by_address)?, token));
        }
        for _ in 0..RETRIES_MAX {
            let table_key = self.locate(unit, &key, search, record)?.ok_or(FileError::NotFound)?;
            if let Some(token) = self.hold(unit, &table_key, wait, record)? {
                return Ok((self.found_by(unit, &table_key, by_address)?, token));
            }
        }
        Err(FileError::IndexPointer)
    }

    /// Reads the record at a table key of the view, whose base record is locked; false if it no longer exists.
    pub(crate) fn read_at(&self, unit: &UnitOfWork, table_key: &[u8], base_key: &[u8], record: &mut Vec<u8>) -> Result<bool, FileError> {
        let data = &self.0.sphere.data;
        if let Some(index) = self.index() {
            self.touch_index(unit, index, index.display(table_key).unwrap_or_default());
        }
        self.touch(base_key);
        Ok(match self.index() {
            None => unit.read(data, base_key, record)?,
            // The entry may have moved to another record while the lock was waited for.
            Some(index) => unit.read(&index.table, table_key, record)? && *record == base_key && unit.read(data, base_key, record)?,
        })
    }

    /// STARTBR. Positions without reading; NotFound if no record satisfies.
    pub fn start_browse(&self, unit: &UnitOfWork, id: RecordId<'_>, search: Search) -> Result<Browse, FileError> {
        Browse::start(self.clone(), unit, id, search)
    }

    pub(crate) fn count_browse(&self, update: bool) {
        count(if update { &self.0.counters.browse_updates } else { &self.0.counters.browses });
        self.0.sphere.counters.add(Count::Retrieved, 1);
    }
}
