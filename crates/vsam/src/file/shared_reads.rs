//! Record locks as requests take them: exclusive locks, and the shared locks of requests with read integrity in RLS mode.
//!
//! Rules: readers share a record; a writer waits for the readers of other units of work. A CONSISTENT read holds its lock while it reads, a
//! REPEATABLE read to the end of its unit of work. The exclusive locks are those of the store. A reader takes the exclusive lock for a
//! moment, notes its share and releases the lock, so readers and writers are served in the order of the queue of that lock.
//!
//! Invariant: shares are noted and looked up only under the record's exclusive lock (see `holds::shares`).

use std::sync::Arc;
use std::time::Instant;

use super::{File, Found, RecordId, Search, count};
use crate::error::{FileError, StoreError};
use crate::holds::shares::Readers;
use crate::store::UnitOfWork;
use crate::wait::{LockWait, WaitEnd, WaitKind, WaitReason};

/// Times a read starts again because the record found was deleted meanwhile.
const RETRIES_MAX: usize = 100;

impl File {
    /// Locks a record of the base, and counts if another unit of work has it. True if newly locked.
    pub(crate) fn lock_record(&self, unit: &UnitOfWork, key: &[u8], wait: LockWait<'_>) -> Result<bool, FileError> {
        let new_lock = self.lock_for_share(unit, key, wait)?;
        let free = self.await_readers(unit, key, wait);
        if new_lock && free.is_err() {
            unit.unlock(&self.0.sphere.data, key);
        }
        free.map(|()| new_lock)
    }

    /// As `lock_record`, for a reader: other readers do not conflict.
    fn lock_for_share(&self, unit: &UnitOfWork, key: &[u8], wait: LockWait<'_>) -> Result<bool, FileError> {
        let data = &self.0.sphere.data;
        match unit.lock(data, key, LockWait { no_suspend: true, ..wait }) {
            Err(StoreError::Busy(owner)) => {
                count(&self.0.counters.record_waits);
                if wait.no_suspend { Err(FileError::RecordBusy(owner)) } else { Ok(unit.lock(data, key, wait)?) }
            }
            other => Ok(other?),
        }
    }

    /// Called with the exclusive lock of a record: waits until no other unit of work shares it.
    fn await_readers(&self, unit: &UnitOfWork, key: &[u8], wait: LockWait<'_>) -> Result<(), FileError> {
        debug_assert!(unit.owns_lock(&self.0.sphere.data, key), "shares are looked at with the record's lock");
        let shares = &self.0.sphere.shares;
        if !shares.any() {
            return Ok(());
        }
        let deadline = wait.timeout.map(|timeout| Instant::now() + timeout);
        let reason = WaitReason { kind: WaitKind::RecordLock, resource: &self.0.sphere.name };
        let mut counted = false;
        while let Some(other) = shares.in_the_way(key, unit.id(), || wait.waiter.waker()) {
            if !std::mem::replace(&mut counted, true) {
                count(&self.0.counters.record_waits);
            }
            if wait.no_suspend {
                return Err(FileError::RecordBusy(other));
            }
            let readers = Readers { shares: shares.clone(), key: key.to_vec(), unit: unit.id() };
            match unit.wait_for_owners(Arc::new(readers), || wait.waiter.wait(reason, deadline))? {
                WaitEnd::Woken => {}
                WaitEnd::TimedOut => return Err(FileError::LockTimeout(other)),
                WaitEnd::Cancelled => return Err(FileError::Purged),
            }
        }
        Ok(())
    }

    /// READ with read integrity: returns committed data, which with `repeatable` cannot change before the end of the unit of work.
    pub fn read_shared(
        &self,
        unit: &UnitOfWork,
        id: RecordId<'_>,
        search: Search,
        repeatable: bool,
        wait: LockWait<'_>,
        record: &mut Vec<u8>,
    ) -> Result<Found, FileError> {
        count(&self.0.counters.reads);
        let by_address = matches!(id, RecordId::Rba(_));
        let key = self.search_key(unit, id, search)?;
        if self.index().is_none() && search == Search::EQUAL {
            // The key is known, so this waits for a unit of work that is deleting the record.
            return match self.share_record(unit, &key, repeatable, wait, record)? {
                true => self.found_by(unit, &key, by_address),
                false => Err(FileError::NotFound),
            };
        }
        for _ in 0..RETRIES_MAX {
            let table_key = self.locate(unit, &key, search, record)?.ok_or(FileError::NotFound)?;
            if self.share_record(unit, &table_key, repeatable, wait, record)? {
                return self.found_by(unit, &table_key, by_address);
            }
        }
        Err(FileError::IndexPointer)
    }

    /// Reads the record at a table key of the view under its lock; false if it is not there any more. Through a path `record` has the base's
    /// table key first.
    pub(crate) fn share_record(
        &self,
        unit: &UnitOfWork,
        table_key: &[u8],
        repeatable: bool,
        wait: LockWait<'_>,
        record: &mut Vec<u8>,
    ) -> Result<bool, FileError> {
        if repeatable {
            unit.admit(table_key.len())?;
        }
        let base_key = if self.index().is_some() { std::mem::take(record) } else { table_key.to_vec() };
        let new_lock = self.lock_for_share(unit, &base_key, wait)?;
        let present = self.read_at(unit, table_key, &base_key, record);
        if new_lock {
            if repeatable && matches!(present, Ok(true)) {
                debug_assert!(unit.owns_lock(&self.0.sphere.data, &base_key), "a share is noted with the record's lock");
                self.0.sphere.shares.take(&base_key, unit.id()).into_iter().for_each(|share| unit.keep_share(share));
            }
            unit.unlock(&self.0.sphere.data, &base_key);
        }
        present
    }
}
