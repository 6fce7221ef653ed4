//! The errors of a file request: one variant for each case that callers distinguish. Errors of the store itself are `StoreError`.

pub use crate::store::StoreError;
use crate::store::UnitId;

fn not_found(data_set: &str) -> String {
    if data_set.is_empty() { "the file has no DSNAME".to_string() } else { format!("data set {data_set} not found") }
}

/// The results of a file request other than success.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("{}", not_found(.0))]
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
    /// The operation is not possible on this organization, or through this path (NOUPDATE).
    #[error("request not possible: {0}")]
    NotAllowed(&'static str),
    /// A request by key for a record of an entry-sequenced data set.
    #[error("an entry-sequenced data set has no keys")]
    KeyedEntrySequenced,
    /// The record is identified in a way the data set or path does not have.
    #[error("the record cannot be identified this way: {0}")]
    Identification(&'static str),
    #[error("relative record number or RBA out of range")]
    RecordNumber,
    /// An alternate index entry points to no record (an index that is not upgraded).
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
    #[error("the unit of work already holds the control interval for which it would wait")]
    SelfDeadlock,
    /// The load of the data table has not reached the requested key.
    #[error("the data table is being loaded")]
    Loading,
    #[error("task purged")]
    Purged,
    /// Also: the unit of work may have no more uncommitted changes.
    #[error("no space in the data set")]
    NoSpace,
    /// The data set (or a member of its sphere) is open in a way that excludes this request.
    #[error("data set {0} is in use")]
    InUse(String),
    /// SHAREOPTIONS and the present users exclude this open.
    #[error("data set {0} is open elsewhere and its SHAREOPTIONS do not allow this")]
    NotShared(String),
    /// The LSR pool of the file has no buffers that hold its control intervals.
    #[error("data set {0}: no buffers of its control interval size in the LSR pool")]
    NoBuffers(String),
    /// The data set was made unavailable to the region (SET DSNAME UNAVAILABLE).
    #[error("data set {0} is unavailable (SET DSNAME UNAVAILABLE)")]
    Unavailable(String),
    /// The table of the pool was created with another KEYLENGTH or RECORDSIZE.
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
            StoreError::MemoryLimit(_) | StoreError::UnitLimit(_) => FileError::NoSpace,
            other => FileError::Store(other),
        }
    }
}
