//! What units of work and jobs hold of a data set besides the store's exclusive locks: `control` of intervals, `shares` of records, records
//! held for update, and `openers` of the data set.
//!
//! A unit of work releases its holds when it ends, so these tables are below the store. They never wait: the requests that use them, and
//! wait, are in `file`.

pub(crate) mod control;
pub(crate) mod openers;
pub(crate) mod shares;

use smallvec::SmallVec;

use self::control::Control;

/// Identifies a unit of work; never reused while the data lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub u64);

impl std::fmt::Display for UnitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}

/// The owners a unit of work waits for, if not of a lock of the store. Called with the list of waits locked.
pub(crate) trait Owners: Send + Sync {
    fn owners(&self) -> SmallVec<[UnitId; 4]>;
}

/// Identifies a record held for update (TOKEN).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token(pub u32);

/// A record held for update by a unit of work.
#[derive(Debug)]
pub(crate) struct Hold {
    pub(crate) token: Token,
    pub(crate) file: u64,
    /// Number of the base cluster's tables.
    pub(crate) base: u32,
    pub(crate) key: Vec<u8>,
    /// Length of the record when it was read.
    pub(crate) length: usize,
    /// The lock was taken for this hold, so it is released with it unless the record is changed.
    pub(crate) new_lock: bool,
    /// Control of the record's interval, if the region keeps it.
    pub(crate) control: Option<Control>,
}
