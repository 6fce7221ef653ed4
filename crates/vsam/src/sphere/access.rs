//! How a request accesses a sphere: its unit of work, and the locks it takes.

use crate::buffers::BufferPool;
use crate::error::FileError;
use crate::forward::ForwardLog;
use crate::store::{Table, UnitOfWork};
use crate::wait::LockWait;

/// One request's unit of work and manner.
#[derive(Clone, Copy)]
pub(crate) struct Access<'a> {
    pub unit: &'a UnitOfWork,
    pub recoverable: bool,
    /// The upgrade set follows: not through a path defined NOUPDATE.
    pub upgrade: bool,
    pub forward: Option<&'a ForwardLog>,
    /// The buffers used for counting what the upgrade set needs.
    pub pool: Option<&'a BufferPool>,
    pub wait: LockWait<'a>,
}

/// Locks newly taken by a request, released when it fails or the file is not recoverable.
pub(crate) struct LockScope<'a> {
    unit: &'a UnitOfWork,
    taken: Vec<(Table, Vec<u8>)>,
}

impl<'a> LockScope<'a> {
    pub(crate) fn new(unit: &'a UnitOfWork) -> LockScope<'a> {
        LockScope { unit, taken: Vec::new() }
    }

    pub(crate) fn lock(&mut self, table: &Table, key: &[u8], wait: LockWait<'_>) -> Result<(), FileError> {
        if self.unit.lock(table, key, wait)? {
            self.add(table, key);
        }
        Ok(())
    }

    /// Adds a lock just taken.
    pub(crate) fn add(&mut self, table: &Table, key: &[u8]) {
        self.taken.push((table.clone(), key.to_vec()));
    }

    /// Leaves the locks to the unit of work.
    pub(crate) fn keep(mut self) {
        self.taken.clear();
    }
}

impl Drop for LockScope<'_> {
    fn drop(&mut self) {
        for (table, key) in &self.taken {
            self.unit.unlock(table, key);
        }
    }
}
