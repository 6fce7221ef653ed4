//! Units of work: private changes and locks, made durable together by `commit` or dropped by `backout`.
//!
//! Invariants: changes of an uncommitted unit of work are invisible to others; its locks live until it ends, or until they are released by
//! name; after it ends every request returns `Ended`. Locks are released once the changes have their place in the log, before the sync: a
//! unit of work that builds on them commits later in the log, so it is never durable without them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use super::account::Tally;
use super::core::{Table, WriteSets, check_key, check_value, set_for};
use super::engine::{SEAL_LENGTH, seal};
use super::locks::{LockName, Locked};
use super::overlay::{ENTRY_OVERHEAD_BYTES, Map, entry_bytes};
use super::{Direction, Store, StoreError, UnitId};
use crate::holds::control::Control;
use crate::holds::shares::Share;
use crate::holds::{Hold, Owners};
use crate::wait::{LockWait, WaitEnd, Waiter};

/// Records a scan copies before it calls its visitor, so that no lock is held meanwhile.
const SCAN_CHUNK_RECORDS: usize = 64;
/// Memory of a share besides its key.
const SHARE_OVERHEAD_BYTES: usize = 120;

/// A unit of work over any tables of the store (files, TS, TD, START data ...). Dropping it without commit backs it out.
pub struct UnitOfWork {
    store: Arc<Store>,
    id: UnitId,
    inner: Mutex<Inner>,
    /// Bytes of its changes and shares, as in the tally of `inner`; changed under the lock of `inner`.
    bytes: AtomicU64,
    /// Records held for update by requests of the file layer.
    pub(crate) holds: Mutex<Vec<Hold>>,
    /// Mass inserts in progress: number of the open file, and control of the interval they are at.
    pub(crate) mass_inserts: Mutex<Vec<(u64, Control)>>,
    /// Records read with REPEATABLE.
    pub(crate) shares: Mutex<Vec<Share>>,
}

#[derive(Default)]
struct Inner {
    ended: bool,
    /// Phase one is done: no more changes, and the outcome goes to the log.
    prepared: bool,
    sets: WriteSets,
    locks: Vec<LockName>,
    /// Memory of the changes and shares, in the account of the store until the changes are published or dropped.
    tally: Tally,
}

/// What a unit of work leaves when it ends.
struct Remains {
    prepared: bool,
    sets: WriteSets,
    locks: Vec<LockName>,
    tally: Tally,
}

impl Inner {
    fn set(&self, table: &Table) -> Option<&Map> {
        self.sets.iter().find(|(other, _)| other == table).map(|(_, map)| map)
    }
}

impl UnitOfWork {
    pub(crate) fn new(store: Arc<Store>, id: UnitId) -> UnitOfWork {
        UnitOfWork::over(store, id, Inner::default())
    }

    /// A prepared unit of work read from the log: its changes, its locks (retained since the store was opened).
    pub(crate) fn restored(store: Arc<Store>, id: UnitId, sets: WriteSets, locks: Vec<LockName>) -> UnitOfWork {
        let bytes = sets.iter().flat_map(|(_, map)| map).map(|(key, value)| entry_bytes(key, value.as_deref()) as u64).sum();
        let mut tally = Tally::default();
        tally.change(&store.core.account, bytes, 0);
        let inner = Inner { ended: false, prepared: true, sets, locks, tally };
        UnitOfWork::over(store, id, inner)
    }

    fn over(store: Arc<Store>, id: UnitId, inner: Inner) -> UnitOfWork {
        let (holds, mass_inserts, shares) = (Mutex::default(), Mutex::default(), Mutex::default());
        UnitOfWork { store, id, inner: Mutex::new(inner), bytes: AtomicU64::new(0), holds, mass_inserts, shares }
    }

    pub fn id(&self) -> UnitId {
        self.id
    }

    /// True after `prepare`, until the outcome.
    fn is_prepared(&self) -> bool {
        self.inner.lock().prepared
    }

    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// The values it has put into the tables whose names satisfy `wanted`.
    pub(crate) fn pending(&self, wanted: impl Fn(&str) -> bool) -> Vec<(Table, Vec<Vec<u8>>)> {
        let inner = self.inner.lock();
        let values = |map: &Map| map.values().flatten().map(|stored| stored[SEAL_LENGTH..].to_vec()).collect();
        inner.sets.iter().filter(|(table, _)| wanted(table.name())).map(|(table, map)| (table.clone(), values(map))).collect()
    }

    /// Number of locks held.
    pub fn lock_count(&self) -> usize {
        self.inner.lock().locks.len()
    }

    /// It has put or deleted something.
    pub fn has_changes(&self) -> bool {
        !self.inner.lock().sets.is_empty()
    }

    pub fn is_ended(&self) -> bool {
        self.inner.lock().ended
    }

    /// Reads a value: own changes first, then committed data.
    pub fn get(&self, table: &Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let mut value = Vec::new();
        Ok(self.read(table, key, &mut value)?.then_some(value))
    }

    /// As `get`, into a buffer (cleared first); false if there is no such key.
    pub fn read(&self, table: &Table, key: &[u8], value: &mut Vec<u8>) -> Result<bool, StoreError> {
        value.clear();
        {
            let inner = self.inner.lock();
            if inner.ended {
                return Err(StoreError::Ended);
            }
            if let Some(entry) = inner.set(table).and_then(|map| map.get(key)) {
                if let Some(stored) = entry {
                    value.extend_from_slice(&stored[SEAL_LENGTH..]);
                }
                return Ok(entry.is_some());
            }
        }
        self.store.core.get_with(table, key, &mut |data| value.extend_from_slice(data))
    }

    /// Visits records in order from `from` (inclusive; `None`: from the end) until `visit` returns false. The visitor may use the unit of
    /// work; the rest of the scan may or may not see its changes.
    pub fn scan(
        &self,
        table: &Table,
        from: Option<&[u8]>,
        direction: Direction,
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        let mut from = from.map(|key| (key.to_vec(), true));
        loop {
            let mut chunk: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
            let start = from.as_ref().map(|(key, inclusive)| (&key[..], *inclusive));
            self.scan_locked(table, start, direction, &mut |key, value| {
                chunk.push((key.to_vec(), value.to_vec()));
                chunk.len() < SCAN_CHUNK_RECORDS
            })?;
            for (key, value) in &chunk {
                if !visit(key, value) {
                    return Ok(());
                }
            }
            match chunk.pop() {
                Some((key, _)) if chunk.len() + 1 == SCAN_CHUNK_RECORDS => from = Some((key, false)),
                _ => return Ok(()),
            }
        }
    }

    /// The first record at or after a key: its key, and its value in a buffer (cleared first).
    pub fn first(&self, table: &Table, from: &[u8], value: &mut Vec<u8>) -> Result<Option<Vec<u8>>, StoreError> {
        value.clear();
        let mut found = None;
        self.scan_locked(table, Some((from, true)), Direction::Forward, &mut |key, data| {
            found = Some(key.to_vec());
            value.extend_from_slice(data);
            false
        })?;
        Ok(found)
    }

    /// Scans with the unit of work locked: the visitor must not use it.
    pub(crate) fn scan_locked(
        &self,
        table: &Table,
        from: Option<(&[u8], bool)>,
        direction: Direction,
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        let inner = self.inner.lock();
        if inner.ended {
            return Err(StoreError::Ended);
        }
        self.store.core.scan_with(table, inner.set(table), from, direction, visit)
    }

    /// Locks a key (it need not exist) until this unit of work ends or `unlock`. True if newly taken. Lock what protects the
    /// change: the key itself, or one name for many keys (a queue).
    pub fn lock(&self, table: &Table, key: &[u8], wait: LockWait<'_>) -> Result<bool, StoreError> {
        if self.is_ended() {
            return Err(StoreError::Ended);
        }
        let name = LockName::new(table.id(), key);
        let locked = self.store.core.locks.lock(self.id, &name, table.name(), wait)?;
        if locked == Locked::AlreadyOwned {
            return Ok(false);
        }
        let mut inner = self.inner.lock();
        if inner.ended {
            drop(inner);
            self.store.core.locks.unlock(self.id, &name);
            return Err(StoreError::Ended);
        }
        inner.locks.push(name);
        Ok(true)
    }

    /// Waits by `wait` for other units of work, which `owners` answers; fails at once if that closed a circle.
    pub(crate) fn wait_for_owners(&self, owners: Arc<dyn Owners>, wait: impl FnOnce() -> WaitEnd) -> Result<WaitEnd, StoreError> {
        self.store.core.locks.wait_for_owners(self.id, owners, wait)
    }

    /// Releases one lock before the end. Only for locks that protect no recoverable change.
    pub fn unlock(&self, table: &Table, key: &[u8]) {
        let name = LockName::new(table.id(), key);
        let mut inner = self.inner.lock();
        if let Some(index) = inner.locks.iter().rposition(|held| *held == name) {
            inner.locks.swap_remove(index);
            drop(inner);
            self.store.core.locks.unlock(self.id, &name);
        }
    }

    /// True if this unit of work owns the lock.
    pub fn owns_lock(&self, table: &Table, key: &[u8]) -> bool {
        self.store.lock_owner(table, key) == Some(self.id)
    }

    /// Refuses a request that will change `length` bytes if the account has no room for them. Called before the first change of the request:
    /// its changes are counted but not refused, so that a request is never done by halves.
    pub fn admit(&self, length: usize) -> Result<(), StoreError> {
        self.store.core.account.admit(self.bytes.load(Ordering::Relaxed), length + ENTRY_OVERHEAD_BYTES)
    }

    /// Sets a key's value in this unit of work; the caller holds a lock that covers it.
    pub fn put(&self, table: &Table, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        check_key(key)?;
        check_value(value)?;
        self.change(table, key, Some(seal(table.id(), key, value)))
    }

    /// Deletes a key (present or not) in this unit of work; the caller holds a lock that covers it.
    pub fn delete(&self, table: &Table, key: &[u8]) -> Result<(), StoreError> {
        check_key(key)?;
        self.change(table, key, None)
    }

    fn change(&self, table: &Table, key: &[u8], stored: Option<Box<[u8]>>) -> Result<(), StoreError> {
        let mut inner = self.inner.lock();
        if inner.ended || inner.prepared {
            return Err(StoreError::Ended);
        }
        let added = entry_bytes(key, stored.as_deref());
        let replaced = set_for(&mut inner.sets, table).insert(key.into(), stored);
        self.count(&mut inner, added, replaced.map_or(0, |replaced| entry_bytes(key, replaced.as_deref())));
        drop(inner);
        table.overlay().note_change();
        Ok(())
    }

    fn count(&self, inner: &mut Inner, added: usize, removed: usize) {
        inner.tally.change(&self.store.core.account, added as u64, removed as u64);
        self.bytes.store(inner.tally.bytes(), Ordering::Relaxed);
    }

    /// Keeps a share of a record to the end.
    pub(crate) fn keep_share(&self, share: Share) {
        // The key is here and in the table of the sphere.
        self.count(&mut self.inner.lock(), 2 * share.key_length() + SHARE_OVERHEAD_BYTES, 0);
        self.shares.lock().push(share);
    }

    /// Ends the unit of work.
    fn end(&self) -> Result<Remains, StoreError> {
        let mut inner = self.inner.lock();
        if inner.ended {
            return Err(StoreError::Ended);
        }
        let Inner { prepared, sets, locks, tally, .. } = std::mem::replace(&mut *inner, Inner { ended: true, ..Inner::default() });
        Ok(Remains { prepared, sets, locks, tally })
    }

    fn release(&self, locks: Vec<LockName>) {
        debug_assert!(self.is_ended(), "locks live until the unit of work ends");
        for name in &locks {
            self.store.core.locks.unlock(self.id, name);
        }
        self.holds.lock().clear();
        self.mass_inserts.lock().clear();
        self.shares.lock().clear();
    }

    /// Phase one of two-phase commit: changes and locks are made durable, and wait for `commit` or `backout`, also over a restart (see
    /// `Store::take_in_doubt`, which returns `description`). After an error the unit of work is unchanged.
    pub fn prepare(&self, description: &[u8], waiter: &dyn Waiter) -> Result<(), StoreError> {
        let lsn = {
            let mut inner = self.inner.lock();
            if inner.ended || inner.prepared {
                return Err(StoreError::Ended);
            }
            inner.prepared = true;
            let logged = self.store.core.prepare(self.id, &inner.sets, &inner.locks, description, waiter);
            inner.prepared = logged.is_ok();
            let lsn = logged?;
            // The payloads are kept for the pages until the outcome is known.
            let payloads = inner.tally.bytes();
            inner.tally.change(&self.store.core.account, payloads, 0);
            lsn
        };
        self.store.core.log.force(lsn, waiter)
    }

    /// The locks of a prepared unit of work become retained: requests for them fail at once instead of waiting. Its shared locks are
    /// released.
    pub fn retain_locks(&self) {
        self.shares.lock().clear();
        let locks = self.inner.lock().locks.clone();
        self.store.core.locks.retain(self.id, &locks);
    }

    /// Makes all changes durable and visible together, and releases all locks. Ends the unit of work. After an error none of its changes is
    /// visible. If the sync itself failed, its record may have reached the disk all the same, and the log decides at restart.
    pub fn commit(&self, waiter: &dyn Waiter) -> Result<(), StoreError> {
        let Remains { prepared, sets, locks, mut tally } = self.end()?;
        let core = &self.store.core;
        if sets.is_empty() && !prepared {
            tally.clear(&core.account);
            self.release(locks);
            return Ok(());
        }
        // While the commit waits for room, its changes still count.
        let result = if prepared { core.resolve(self.id, Some(sets)) } else { core.commit(self.id, sets, waiter) };
        tally.clear(&core.account);
        self.release(locks);
        core.log.force(result?, waiter)
    }

    /// Drops all changes and releases all locks. Ends the unit of work. For a prepared one the outcome is logged but not forced: if that
    /// record is lost, the unit of work is in doubt again and its coordinator backs it out again.
    pub fn backout(&self) {
        if let Ok(Remains { prepared, sets, locks, mut tally }) = self.end() {
            tally.clear(&self.store.core.account);
            if prepared && let Err(error) = self.store.core.resolve(self.id, None) {
                tracing::warn!("the backout of unit of work {} is not in the log: {error}", self.id);
            }
            for (table, _) in &sets {
                table.overlay().note_change();
            }
            self.release(locks);
        }
    }
}

impl Drop for UnitOfWork {
    /// Backs out, but leaves a prepared unit of work as it is for the next start.
    fn drop(&mut self) {
        if self.is_prepared() {
            self.inner.lock().tally.clear(&self.store.core.account);
        } else {
            self.backout();
        }
    }
}
