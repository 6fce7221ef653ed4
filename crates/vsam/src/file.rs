//! Draft of the record level interface.
use std::sync::Arc;
use crate::catalog::{Catalog, Organisation};
use crate::error::FileError;
use crate::store::{Store, UnitOfWork};
use crate::wait::LockWait;

/// The data sets of a store: its VSAM catalog and what is open.
pub struct DataSets {}
impl DataSets {
    pub fn new(_store: Arc<Store>) -> Result<Arc<DataSets>, FileError> { unimplemented!() }
    pub fn store(&self) -> &Arc<Store> { unimplemented!() }
    pub fn catalog(&self) -> &Catalog { unimplemented!() }
    /// Opens a cluster, an alternate index or a path by its name (any case, dots and all).
    pub fn open(self: &Arc<Self>, _name: &str, _options: OpenOptions) -> Result<File, FileError> { unimplemented!() }
}

/// How a file is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions {
    /// RECOVERY(BACKOUTONLY|ALL) of the FILE; `None`: by the cluster's LOG attribute (LOG(NONE) and none: not recoverable).
    pub recoverable: Option<bool>,
    /// Empties a REUSE data set at open (batch OPEN OUTPUT).
    pub reset: bool,
}

/// What a program sees of an open file.
#[derive(Clone, Debug)]
pub struct FileAttributes {
    /// Name of the data set opened.
    pub data_set: String,
    /// Name of the base cluster.
    pub base: String,
    pub organisation: Organisation,
    /// Opened through a path or alternate index.
    pub path: bool,
    /// Duplicate keys possible (path over a non-unique alternate index).
    pub duplicates: bool,
    /// Length and position of the key used (alternate key on a path); 4 for RBA/RRN, 8 for XRBA.
    pub key_length: usize,
    pub key_position: usize,
    pub record_length_max: usize,
    pub record_length_average: usize,
    /// Records all have the maximum length (average = maximum).
    pub fixed: bool,
    pub recoverable: bool,
    pub updates_allowed: bool,
}

/// Identifies a record: key bytes (also alternate key), or RBA, or RRN.
#[derive(Clone, Copy, Debug)]
pub enum RecordId<'a> {
    /// A key. For GENERIC the first `length` bytes of it; see `Search`.
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
}

/// What a read answered, beside the record itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The record's key as RIDFLD gets it: full primary key, alternate key on a path, 4 byte RRN, 4 (or 8) byte RBA.
    pub key: Vec<u8>,
    /// DUPKEY: more records with the same alternate key follow.
    pub duplicate_key: bool,
    /// RBA (ESDS), relative record number (RRDS) or 0.
    pub number: u64,
}

/// Identifies a record held for update (TOKEN).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token(pub u32);

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
    pub ci_splits: u64,
    pub ca_splits: u64,
    pub exclusive_waits: u64,
}

/// An open file. Cheap to clone; requests of many tasks run at once. Record data is returned in `record` (cleared first).
#[derive(Clone)]
pub struct File {}
impl File {
    pub fn attributes(&self) -> &FileAttributes { unimplemented!() }
    pub fn statistics(&self) -> FileStatistics { unimplemented!() }
    /// READ without UPDATE.
    pub fn read(&self, _unit: &UnitOfWork, _id: RecordId<'_>, _search: Search, _record: &mut Vec<u8>) -> Result<Found, FileError> { unimplemented!() }
    /// READ UPDATE: takes the record's lock (exclusive control) and gives a token for REWRITE, DELETE or UNLOCK.
    pub fn read_update(&self, _unit: &UnitOfWork, _id: RecordId<'_>, _search: Search, _wait: LockWait<'_>, _record: &mut Vec<u8>)
        -> Result<(Found, Token), FileError> { unimplemented!() }
    pub fn rewrite(&self, _unit: &UnitOfWork, _token: Token, _record: &[u8], _wait: LockWait<'_>) -> Result<(), FileError> { unimplemented!() }
    /// WRITE. `id` is needed for RRDS (the number) and, when given for a KSDS, must agree with the key in the record.
    /// Answers the new record's identification (key, RBA, RRN).
    pub fn write(&self, _unit: &UnitOfWork, _id: Option<RecordId<'_>>, _record: &[u8], _mass_insert: bool, _wait: LockWait<'_>) -> Result<Found, FileError> { unimplemented!() }
    /// DELETE after READ UPDATE.
    pub fn delete(&self, _unit: &UnitOfWork, _token: Token, _wait: LockWait<'_>) -> Result<(), FileError> { unimplemented!() }
    /// DELETE RIDFLD.
    pub fn delete_record(&self, _unit: &UnitOfWork, _id: RecordId<'_>, _wait: LockWait<'_>) -> Result<(), FileError> { unimplemented!() }
    /// DELETE GENERIC: answers NUMREC. NotFound if none.
    pub fn delete_generic(&self, _unit: &UnitOfWork, _key: &[u8], _length: usize, _wait: LockWait<'_>) -> Result<u32, FileError> { unimplemented!() }
    /// UNLOCK of one token.
    pub fn unlock(&self, _unit: &UnitOfWork, _token: Token) -> Result<(), FileError> { unimplemented!() }
    /// The token of the record this unit of work holds for update through this file, if any (requests without TOKEN).
    pub fn held(&self, _unit: &UnitOfWork) -> Option<Token> { unimplemented!() }
    /// STARTBR. Positions without reading; NotFound if no record satisfies.
    pub fn start_browse(&self, _unit: &UnitOfWork, _id: RecordId<'_>, _search: Search) -> Result<Browse, FileError> { unimplemented!() }
}

/// A browse in progress. Owned by one task; ends when dropped (ENDBR).
pub struct Browse {}
impl Browse {
    /// READNEXT. `id` is the present content of RIDFLD: if it differs from what the last request returned, the browse skips to it.
    pub fn next(&mut self, _unit: &UnitOfWork, _id: RecordId<'_>, _record: &mut Vec<u8>) -> Result<Found, FileError> { unimplemented!() }
    /// READPREV.
    pub fn previous(&mut self, _unit: &UnitOfWork, _id: RecordId<'_>, _record: &mut Vec<u8>) -> Result<Found, FileError> { unimplemented!() }
    /// READNEXT UPDATE.
    pub fn next_update(&mut self, _unit: &UnitOfWork, _id: RecordId<'_>, _wait: LockWait<'_>, _record: &mut Vec<u8>) -> Result<(Found, Token), FileError> { unimplemented!() }
    /// READPREV UPDATE.
    pub fn previous_update(&mut self, _unit: &UnitOfWork, _id: RecordId<'_>, _wait: LockWait<'_>, _record: &mut Vec<u8>) -> Result<(Found, Token), FileError> { unimplemented!() }
    /// RESETBR.
    pub fn reset(&mut self, _unit: &UnitOfWork, _id: RecordId<'_>, _search: Search) -> Result<(), FileError> { unimplemented!() }
}
#[derive(Debug)]
pub(crate) struct Hold {}
