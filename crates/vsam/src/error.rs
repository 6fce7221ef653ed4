//! The errors of the store and of file requests.
//!
//! `StoreError` says what went wrong below; `FileError` is what a file request can answer, one variant for each
//! case a caller tells apart. Damage is always an error, never data.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::store::UnitId;

/// What to do about a log that cannot be read.
const ADVICE: &str =
    "restore the data directory from its backup; `regent vsam recover` brings data sets with forward recovery logs up to date";

/// What the store can fail with.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{0} is in use by another region (process {1})")]
    InUse(PathBuf, u32),
    /// Somebody deleted a file that is in use, or put another in its place.
    #[error("{0} was deleted while it was in use: no more work is accepted. End all that use the data directory and restore it")]
    Deleted(PathBuf),
    /// The device is full, or the quota used up: what cannot be done now may be possible later.
    #[error("{0}")]
    NoRoom(String),
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    /// A log record before the end of the log cannot be read: starting would lose committed work.
    #[error(
        "system log damaged: record at LSN {lsn} (segment {segment}, offset {offset}): {why}; later records are intact, so committed work \
         would be lost: {ADVICE}"
    )]
    LogDamaged { lsn: u64, segment: PathBuf, offset: u64, why: String },
    /// A segment that is in use cannot be read at all.
    #[error("system log damaged: segment {segment}: {why}. It may hold committed work: {ADVICE}")]
    SegmentDamaged { segment: PathBuf, why: String },
    #[error("log segment {0} is missing, and with it committed work: {ADVICE}")]
    LogSegmentMissing(PathBuf),
    #[error(
        "{pages} has no data, but {log} is the log of a store that had: restore the data directory (to begin anew remove the log, too)"
    )]
    PagesMissing { pages: PathBuf, log: PathBuf },
    /// A stored record does not agree with its checksum.
    #[error("record damaged in table {table}, key {key}: {why}")]
    RecordDamaged { table: String, key: String, why: &'static str },
    /// The pages of a table do not hold what they say they hold.
    #[error("pages of table {table} damaged: {why}")]
    PagesDamaged { table: String, why: String },
    #[error("the data was written by format version {found}, this program reads up to {supported}")]
    Version { found: u32, supported: u32 },
    #[error("pages: {0}")]
    Engine(String),
    /// A limit of the process's addresses. Nothing of what is mapped takes memory before it is used.
    #[error(
        "the store's pages need {} GB of addresses, not of memory, and this process may not have so many: remove the limit \
         (ulimit -v, prlimit --as, LimitAS= of systemd); a control group (MemoryMax=, docker --memory) limits memory",
        .0 >> 30
    )]
    Addresses(usize),
    #[error("key of {0} bytes: keys have 1 to {max} bytes", max = crate::store::KEY_LENGTH_MAX)]
    KeyLength(usize),
    #[error("value of {0} bytes is longer than {max}", max = crate::store::VALUE_LENGTH_MAX)]
    ValueLength(usize),
    #[error("table {0} does not exist")]
    NoTable(String),
    #[error("table {0} exists")]
    TableExists(String),
    /// Another unit of work holds the lock and the request may not wait.
    #[error("locked by unit of work {0}")]
    Busy(UnitId),
    /// A shunted unit of work holds the lock; waiting would be for nobody knows how long.
    #[error("locked by the shunted unit of work {0}")]
    Retained(UnitId),
    #[error("lock not obtained in time, held by unit of work {0}")]
    LockTimeout(UnitId),
    /// Waiting would close a circle of units of work waiting for each other.
    #[error("deadlock with unit of work {0}")]
    Deadlock(UnitId),
    #[error("the task was purged while waiting")]
    Purged,
    #[error("the unit of work has ended")]
    Ended,
    /// The log or the pages could not be written earlier; the store accepts no more work.
    #[error("the store has stopped: {0}")]
    Stopped(String),
    #[error("{0}")]
    Invalid(String),
}

impl StoreError {
    pub(crate) fn io(path: impl Into<PathBuf>, source: std::io::Error) -> StoreError {
        StoreError::Io { path: path.into(), source }
    }

    /// Whether it is for want of room on the device, of a quota, or of a limit on the size of files.
    pub fn is_no_room(&self) -> bool {
        match self {
            StoreError::NoRoom(_) => true,
            StoreError::Io { source, .. } => {
                matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
            }
            _ => false,
        }
    }
}

/// What a file request can answer other than success.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("data set {0} not found")]
    DataSetNotFound(String),
    #[error("data set {0} exists")]
    DataSetExists(String),
    #[error("record not found")]
    NotFound,
    #[error("duplicate record")]
    DuplicateRecord,
    #[error("end of file")]
    EndOfFile,
    /// Data is longer than the maximum, or not the fixed length, or has no room for its key.
    #[error("record length {0} not allowed")]
    Length(usize),
    #[error("REWRITE would change the key")]
    KeyChanged,
    #[error("key length {0} differs from the file's")]
    KeyLength(usize),
    #[error("generic key length {0} is not less than the full key length")]
    GenericKeyLength(usize),
    #[error("generic key length is negative")]
    GenericKeyNegative,
    #[error("generic request on a file without keys")]
    GenericNotKeyed,
    /// DELETE of a record of an ESDS.
    #[error("records of an ESDS cannot be deleted")]
    EsdsDelete,
    #[error("REWRITE, DELETE or UNLOCK without a record read for update")]
    NoUpdate,
    #[error("a record is already held for update")]
    UpdateHeld,
    #[error("READPREV after a generic STARTBR or RESETBR")]
    GenericPrevious,
    /// The operation is not possible on this organisation, or through this path (NOUPDATE).
    #[error("request not possible: {0}")]
    NotAllowed(&'static str),
    /// A record of an entry-sequenced data set was asked for by a key.
    #[error("an entry-sequenced data set has no keys")]
    KeyedEntrySequenced,
    /// The record is identified in a way the data set or path does not have.
    #[error("the record cannot be identified so: {0}")]
    Identification(&'static str),
    #[error("relative record number or RBA out of range")]
    RecordNumber,
    /// An alternate index entry leads to no record (an index that is not upgraded).
    #[error("alternate index entry without record")]
    IndexPointer,
    #[error("record busy")]
    RecordBusy(UnitId),
    /// A shunted unit of work has the record.
    #[error("record locked by a shunted unit of work")]
    Locked(UnitId),
    #[error("lock not obtained in time")]
    LockTimeout(UnitId),
    #[error("deadlock")]
    Deadlock(UnitId),
    /// The request would wait for a control interval its own unit of work has.
    #[error("the unit of work is in its own way")]
    SelfDeadlock,
    /// The load of the data table has not come as far as the request.
    #[error("the data table is being loaded")]
    Loading,
    #[error("task purged")]
    Purged,
    #[error("no space in the data set")]
    NoSpace,
    /// The data set (or a member of its sphere) is open in a way that excludes this request.
    #[error("data set {0} is in use")]
    InUse(String),
    /// SHAREOPTIONS and those who have it open exclude this open.
    #[error("data set {0} is open elsewhere and its SHAREOPTIONS do not allow this")]
    NotShared(String),
    /// The LSR pool of the file has no buffers that hold its control intervals.
    #[error("data set {0}: no buffers of its control interval size in the LSR pool")]
    NoBuffers(String),
    /// The region has been told to leave it alone.
    #[error("data set {0} is unavailable (SET DSNAME UNAVAILABLE)")]
    Unavailable(String),
    /// A table of a pool has been made with another KEYLENGTH or RECORDSIZE.
    #[error("the data table was made with other lengths")]
    TableLengths,
    /// RLS access to it has been quiesced.
    #[error("data set {0} is quiesced (SET DSNAME QUIESCED)")]
    Quiesced(String),
    #[error("{0} is not a VSAM data set")]
    NotVsam(String),
    /// Opened to be emptied.
    #[error("data set {0} is not REUSE and not empty")]
    NotReusable(String),
    #[error("{0}")]
    Store(StoreError),
}

impl From<StoreError> for FileError {
    fn from(error: StoreError) -> FileError {
        match error {
            StoreError::Busy(owner) => FileError::RecordBusy(owner),
            StoreError::Retained(owner) => FileError::Locked(owner),
            StoreError::LockTimeout(owner) => FileError::LockTimeout(owner),
            StoreError::Deadlock(owner) => FileError::Deadlock(owner),
            StoreError::Purged => FileError::Purged,
            other => FileError::Store(other),
        }
    }
}
