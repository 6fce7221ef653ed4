//! Requests that need control of control intervals, and wait for it, by the rules of `holds::control`.
//!
//! Invariant: no lock of a table is held while a request waits.

use std::sync::Arc;
use std::time::Instant;

use super::{File, RecordId, Search, count};
use crate::error::FileError;
use crate::holds::control::{Control, Intervals, Resources, WaitsForInterval, Wanted};
use crate::store::UnitOfWork;
use crate::wait::{LockWait, WaitEnd, WaitKind, WaitReason};

impl File {
    fn intervals(&self) -> &Arc<Intervals> {
        &self.0.sphere.intervals
    }

    fn is_controlled(&self) -> bool {
        self.0.resources != Resources::Uncontrolled
    }

    /// Waits until control of an interval is available, and takes it if `keep`.
    fn take(
        &self,
        unit: &UnitOfWork,
        interval: u64,
        exclusive: bool,
        keep: bool,
        wait: LockWait<'_>,
    ) -> Result<Option<Control>, FileError> {
        let intervals = self.intervals();
        let wanted = Wanted { interval, unit: unit.id(), exclusive, resources: self.0.resources };
        let deadline = wait.timeout.map(|timeout| Instant::now() + timeout);
        let reason = WaitReason { kind: WaitKind::ExclusiveControl, resource: &self.0.sphere.name };
        let mut counted = false;
        loop {
            let other = match intervals.try_take(&wanted, keep, || wait.waiter.waker()) {
                Ok(control) => return Ok(control),
                Err(owner) if owner == wanted.unit => return Err(FileError::SelfDeadlock),
                Err(other) => other,
            };
            if !std::mem::replace(&mut counted, true) {
                count(&self.0.counters.exclusive_waits);
            }
            if wait.no_suspend {
                return Err(FileError::RecordBusy(other));
            }
            let waits_for = WaitsForInterval { intervals: intervals.clone(), wanted };
            let end = unit.wait_for_owners(Arc::new(waits_for), || wait.waiter.wait(reason, deadline))?;
            match end {
                WaitEnd::Woken => {}
                WaitEnd::TimedOut => return Err(FileError::LockTimeout(other)),
                WaitEnd::Cancelled => return Err(FileError::Purged),
            }
        }
    }

    /// Exclusive control of a record's interval for a request that ends at once.
    pub(crate) fn claim(&self, unit: &UnitOfWork, key: &[u8], wait: LockWait<'_>) -> Result<(), FileError> {
        if !self.is_controlled() || !self.intervals().any_held() {
            return Ok(());
        }
        let (interval, _) = self.0.sphere.interval_of(key)?;
        self.take(unit, interval, true, false, wait).map(|_| ())
    }

    /// Exclusive control for a record being read for update; kept if the region keeps it.
    pub(crate) fn claim_for_update(&self, unit: &UnitOfWork, key: &[u8], wait: LockWait<'_>) -> Result<Option<Control>, FileError> {
        if !self.0.keep_control || !self.is_controlled() {
            return self.claim(unit, key, wait).map(|()| None);
        }
        let (interval, _) = self.0.sphere.interval_of(key)?;
        self.take(unit, interval, true, true, wait)
    }

    /// Exclusive control for a record of a mass insert; kept until the insert ends or moves to another interval.
    pub(crate) fn claim_for_mass_insert(&self, unit: &UnitOfWork, key: &[u8], wait: LockWait<'_>) -> Result<(), FileError> {
        if !self.is_controlled() {
            return Ok(());
        }
        let (interval, _) = self.0.sphere.interval_of(key)?;
        {
            let mut inserts = unit.mass_inserts.lock();
            if inserts.iter().any(|(file, control)| *file == self.0.number && control.interval == interval) {
                return Ok(());
            }
            inserts.retain(|(file, _)| *file != self.0.number);
        }
        if let Some(control) = self.take(unit, interval, true, true, wait)? {
            unit.mass_inserts.lock().push((self.0.number, control));
        }
        Ok(())
    }

    /// Ends a mass insert (UNLOCK): another request may have its interval.
    pub fn end_mass_insert(&self, unit: &UnitOfWork) {
        unit.mass_inserts.lock().retain(|(file, _)| *file != self.0.number);
    }

    /// Shared control of a record's interval for a browse. Also returns whether it had to wait.
    pub(crate) fn share(&self, unit: &UnitOfWork, interval: u64, wait: LockWait<'_>) -> Result<Option<Control>, FileError> {
        if self.0.resources != Resources::Shared {
            return Ok(None);
        }
        self.take(unit, interval, false, true, wait)
    }

    /// Whether anyone might keep a read from an interval; otherwise `await_interval` has nothing to do.
    #[inline]
    pub fn is_contended(&self) -> bool {
        self.0.resources == Resources::Shared && self.intervals().any_exclusive()
    }

    /// Waits until no one has exclusive control of the interval of the record a read will find.
    pub fn await_interval(&self, unit: &UnitOfWork, id: RecordId<'_>, search: Search, wait: LockWait<'_>) -> Result<(), FileError> {
        if self.is_alternate_index() {
            return Ok(());
        }
        let key = self.search_key(unit, id, search)?;
        let mut record = Vec::new();
        let Some(found) = self.locate(unit, &key, search, &mut record)? else { return Ok(()) };
        let base_key = if self.index().is_some() { record.into() } else { found };
        let (interval, _) = self.0.sphere.interval_of(&base_key)?;
        self.take(unit, interval, false, false, wait).map(|_| ())
    }
}
