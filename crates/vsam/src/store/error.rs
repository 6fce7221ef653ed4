//! The errors of the store. Damage is always reported as an error, never returned as data.

use std::io::ErrorKind;
use std::path::PathBuf;

use super::UnitId;

/// The advice for an unreadable log.
const ADVICE: &str =
    "restore the data directory from its backup; `regent vsam recover` brings data sets with forward recovery logs up to date";

/// The errors of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{0} is in use by another region (process {1})")]
    InUse(PathBuf, u32),
    /// A file in use was deleted or replaced.
    #[error("{0} was deleted while it was in use: no more work is accepted. End all that use the data directory and restore it")]
    Deleted(PathBuf),
    #[error(
        "{path} was given {found} bytes instead of {expected} while it was in use: no more work is accepted. End all that use the data \
         directory and restore it"
    )]
    Resized { path: PathBuf, found: u64, expected: u64 },
    /// The device is full, or the quota is used up; the operation may succeed later.
    #[error("{0}")]
    NoRoom(String),
    /// The account of the store has no room.
    #[error("what programs make the region keep may take {0} bytes of memory, by MEMLIMIT and the memory of the process")]
    MemoryLimit(u64),
    #[error(
        "the changes of a unit of work may take {0} bytes of memory (a quarter of MEMLIMIT, or an eighth of the memory of the process)"
    )]
    UnitLimit(u64),
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    /// A log record before the end of the log cannot be read: starting would lose committed work.
    #[error(
        "system log damaged: record at LSN {lsn} (segment {segment}, offset {offset}): {why}; later records are intact, so committed work \
         would be lost: {ADVICE}"
    )]
    LogDamaged { lsn: u64, segment: PathBuf, offset: u64, why: String },
    /// A segment in use cannot be read at all.
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
    /// The contents of the pages of a table contradict their own description.
    #[error("pages of table {table} damaged: {why}")]
    PagesDamaged { table: String, why: String },
    #[error("the data was written by format version {found}, this program reads up to {supported}")]
    Version { found: u32, supported: u32 },
    #[error("pages: {0}")]
    Engine(String),
    /// A limit on the address space of the process. Mapped pages take no memory before they are used.
    #[error(
        "the store's pages need {} GB of addresses, not of memory, and this process may not have so many: remove the limit \
         (ulimit -v, prlimit --as, LimitAS= of systemd); a control group (MemoryMax=, docker --memory) limits memory",
        .0 >> 30
    )]
    Addresses(usize),
    #[error("key of {0} bytes: keys have 1 to {max} bytes", max = super::KEY_LENGTH_MAX)]
    KeyLength(usize),
    #[error("value of {0} bytes is longer than {max}", max = super::VALUE_LENGTH_MAX)]
    ValueLength(usize),
    #[error("table {0} does not exist")]
    NoTable(String),
    /// Another unit of work holds the lock and the request may not wait.
    #[error("locked by unit of work {0}")]
    Busy(UnitId),
    /// A shunted unit of work holds the lock; the wait could last indefinitely.
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

    /// Whether the cause is lack of room on the device, a quota, or a limit on the size of files or on memory.
    pub fn is_no_room(&self) -> bool {
        match self {
            StoreError::NoRoom(_) | StoreError::MemoryLimit(_) | StoreError::UnitLimit(_) => true,
            StoreError::Io { source, .. } => {
                matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
            }
            _ => false,
        }
    }
}
