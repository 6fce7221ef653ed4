//! Record locks: exclusive, by table and key, owned by units of work, with waiters served in order and deadlock detection.
//!
//! Invariants: a name has at most one owner; waiters get it in the order of their requests; a unit of work waits for one thing at a time (a
//! lock, or a resource that others own in some other way), so a deadlock is found by following the chain of waiters; no shard stays locked
//! across a wait. Lock order: `waits`, then a shard or the lock of an `Owners`.

use std::collections::VecDeque;
use std::collections::hash_map::Entry as MapEntry;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::Waker;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use rustix::time::{ClockId, clock_gettime};
use smallvec::SmallVec;

use super::{StoreError, TableId, UnitId};
use crate::holds::Owners;
use crate::wait::{LockWait, WaitEnd, WaitKind, WaitReason};

const SHARDS: usize = 256;
/// Longer chains of waiters than this are not followed (no region has so many tasks).
const CHAIN_MAX: usize = 100_000;

/// The name of a lock: a key of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LockName {
    pub table: TableId,
    pub key: SmallVec<[u8; 32]>,
}

impl Hash for LockName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.table.0);
        state.write(&self.key);
    }
}

impl LockName {
    pub(crate) fn new(table: TableId, key: &[u8]) -> LockName {
        LockName { table, key: SmallVec::from_slice(key) }
    }

    fn shard(&self) -> usize {
        // High bits: the map inside the shard uses the low ones.
        (FxBuildHasher.hash_one(self) >> 40) as usize % SHARDS
    }
}

/// A clock with a resolution of a few milliseconds that is read in a few nanoseconds, because every lock is timed.
fn coarse_now() -> Duration {
    let time = clock_gettime(ClockId::MonotonicCoarse);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

struct Waiting {
    unit: UnitId,
    waker: Waker,
    granted: AtomicBool,
    since: Duration,
}

struct Entry {
    owner: UnitId,
    /// The owner is shunted: its end is unknown, so requests do not wait for it.
    retained: bool,
    /// When the owner got it, or it became a retained one.
    since: Duration,
    queue: VecDeque<Arc<Waiting>>,
}

/// How a lock request succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locked {
    New,
    AlreadyOwned,
}

/// A lock and its waiters, for inquiry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockView {
    pub table: TableId,
    pub key: Vec<u8>,
    pub owner: UnitId,
    /// Held by a shunted unit of work.
    pub retained: bool,
    /// How long it has been in this state.
    pub held_for: Duration,
    /// The waiters, and how long each has waited.
    pub waiters: Vec<(UnitId, Duration)>,
}

enum WaitsFor {
    Lock(LockName),
    Owners(Arc<dyn Owners>),
}

pub(crate) struct LockTable {
    shards: Vec<Mutex<FxHashMap<LockName, Entry>>>,
    /// What each waiting unit of work waits for.
    waits: Mutex<FxHashMap<UnitId, WaitsFor>>,
    pub wait_count: AtomicU64,
    pub deadlock_count: AtomicU64,
}

impl LockTable {
    pub(crate) fn new() -> LockTable {
        LockTable {
            shards: (0..SHARDS).map(|_| Mutex::new(FxHashMap::default())).collect(),
            waits: Mutex::new(FxHashMap::default()),
            wait_count: AtomicU64::new(0),
            deadlock_count: AtomicU64::new(0),
        }
    }

    /// Takes the lock or queues for it as `wait` allows. `resource` names the table in inquiries about the wait.
    pub(crate) fn lock(&self, unit: UnitId, name: &LockName, resource: &str, wait: LockWait<'_>) -> Result<Locked, StoreError> {
        let waiting = {
            let mut shard = self.shards[name.shard()].lock();
            match shard.entry(name.clone()) {
                MapEntry::Vacant(vacant) => {
                    vacant.insert(Entry { owner: unit, retained: false, since: coarse_now(), queue: VecDeque::new() });
                    return Ok(Locked::New);
                }
                MapEntry::Occupied(mut occupied) => {
                    let entry = occupied.get_mut();
                    if entry.owner == unit {
                        return Ok(Locked::AlreadyOwned);
                    }
                    if entry.retained {
                        return Err(StoreError::Retained(entry.owner));
                    }
                    if wait.no_suspend {
                        return Err(StoreError::Busy(entry.owner));
                    }
                    let waker = wait.waiter.waker();
                    let waiting = Arc::new(Waiting { unit, waker, granted: AtomicBool::new(false), since: coarse_now() });
                    entry.queue.push_back(waiting.clone());
                    waiting
                }
            }
        };
        self.wait_count.fetch_add(1, Ordering::Relaxed);
        if let Some(other) = self.register_wait(unit, WaitsFor::Lock(name.clone()))
            && !self.leave_queue(name, &waiting)
        {
            self.waits.lock().remove(&unit);
            self.deadlock_count.fetch_add(1, Ordering::Relaxed);
            return Err(StoreError::Deadlock(other));
        }
        let result = self.wait_for_grant(name, resource, &waiting, wait);
        self.waits.lock().remove(&unit);
        result
    }

    fn wait_for_grant(&self, name: &LockName, resource: &str, waiting: &Arc<Waiting>, wait: LockWait<'_>) -> Result<Locked, StoreError> {
        let deadline = wait.timeout.map(|timeout| Instant::now() + timeout);
        let reason = WaitReason { kind: WaitKind::RecordLock, resource };
        while !waiting.granted.load(Ordering::Acquire) {
            let end = wait.waiter.wait(reason, deadline);
            if end == WaitEnd::Woken {
                if let Some(owner) = self.retained_by(name)
                    && !self.leave_queue(name, waiting)
                {
                    return Err(StoreError::Retained(owner));
                }
                continue;
            }
            let granted = self.leave_queue(name, waiting);
            match (end, granted) {
                (WaitEnd::Cancelled, true) => {
                    self.unlock(waiting.unit, name);
                    return Err(StoreError::Purged);
                }
                (_, true) => return Ok(Locked::New),
                (WaitEnd::Cancelled, false) => return Err(StoreError::Purged),
                (_, false) => return Err(StoreError::LockTimeout(self.owner(name).unwrap_or(waiting.unit))),
            }
        }
        Ok(Locked::New)
    }

    /// The owners a unit of work waits for. A unit that has been granted its lock but does not run yet waits for no one.
    fn owners_of(&self, unit: UnitId, waits_for: &WaitsFor) -> SmallVec<[UnitId; 4]> {
        let mut owners = match waits_for {
            WaitsFor::Lock(name) => self.owner(name).into_iter().collect(),
            WaitsFor::Owners(owners) => owners.owners(),
        };
        owners.retain(|owner| *owner != unit);
        owners
    }

    /// Notes what `unit` waits for; if that closes a circle, returns a unit of work in it.
    fn register_wait(&self, unit: UnitId, waits_for: WaitsFor) -> Option<UnitId> {
        let mut waits = self.waits.lock();
        let firsts = self.owners_of(unit, &waits_for);
        let before = waits.insert(unit, waits_for);
        debug_assert!(before.is_none(), "unit of work {unit} waits for two things at a time");
        let mut seen = FxHashSet::default();
        for first in firsts {
            let mut next = vec![first];
            while let Some(current) = next.pop() {
                if current == unit {
                    return Some(first);
                }
                if seen.len() < CHAIN_MAX && seen.insert(current) {
                    next.extend(waits.get(&current).map(|waits_for| self.owners_of(current, waits_for)).unwrap_or_default());
                }
            }
        }
        None
    }

    /// Waits as `wait` allows for the owners of another resource; fails at once if that closes a circle.
    pub(crate) fn wait_for_owners(
        &self,
        unit: UnitId,
        owners: Arc<dyn Owners>,
        wait: impl FnOnce() -> WaitEnd,
    ) -> Result<WaitEnd, StoreError> {
        let circle = self.register_wait(unit, WaitsFor::Owners(owners));
        let end = match circle {
            Some(other) => {
                self.deadlock_count.fetch_add(1, Ordering::Relaxed);
                Err(StoreError::Deadlock(other))
            }
            None => Ok(wait()),
        };
        self.waits.lock().remove(&unit);
        end
    }

    /// Removes a waiter from the queue; true if it had already been granted the lock.
    fn leave_queue(&self, name: &LockName, waiting: &Arc<Waiting>) -> bool {
        let mut shard = self.shards[name.shard()].lock();
        if waiting.granted.load(Ordering::Acquire) {
            return true;
        }
        if let Some(entry) = shard.get_mut(name) {
            entry.queue.retain(|other| !Arc::ptr_eq(other, waiting));
        }
        false
    }

    /// Releases a lock the unit of work owns and hands it to the first waiter.
    pub(crate) fn unlock(&self, unit: UnitId, name: &LockName) {
        let mut shard = self.shards[name.shard()].lock();
        let MapEntry::Occupied(mut occupied) = shard.entry(name.clone()) else { return };
        if occupied.get().owner != unit {
            return;
        }
        match occupied.get_mut().queue.pop_front() {
            None => {
                occupied.remove();
            }
            Some(next) => {
                debug_assert!(next.unit != unit && !next.granted.load(Ordering::Acquire), "a lock is handed to one that waits for it");
                let entry = occupied.get_mut();
                (entry.owner, entry.retained, entry.since) = (next.unit, false, coarse_now());
                next.granted.store(true, Ordering::Release);
                drop(shard);
                next.waker.wake_by_ref();
            }
        }
    }

    fn retained_by(&self, name: &LockName) -> Option<UnitId> {
        self.shards[name.shard()].lock().get(name).filter(|entry| entry.retained).map(|entry| entry.owner)
    }

    /// Makes locks of a unit of work retained, and rejects the requests that wait for them.
    pub(crate) fn retain(&self, unit: UnitId, names: &[LockName]) {
        for name in names {
            let mut shard = self.shards[name.shard()].lock();
            let Some(entry) = shard.get_mut(name).filter(|entry| entry.owner == unit) else { continue };
            (entry.retained, entry.since) = (true, coarse_now());
            let waiting: Vec<Waker> = entry.queue.iter().map(|waiting| waiting.waker.clone()).collect();
            drop(shard);
            waiting.iter().for_each(Waker::wake_by_ref);
        }
    }

    /// Takes the locks of a unit of work of an earlier run, before anyone else can have them.
    pub(crate) fn restore(&self, unit: UnitId, names: &[LockName]) {
        for name in names {
            let entry = Entry { owner: unit, retained: true, since: coarse_now(), queue: VecDeque::new() };
            let before = self.shards[name.shard()].lock().insert(name.clone(), entry);
            assert!(before.is_none_or(|before| before.owner == unit), "two units of work in doubt have one lock");
        }
    }

    pub(crate) fn owner(&self, name: &LockName) -> Option<UnitId> {
        self.shards[name.shard()].lock().get(name).map(|entry| entry.owner)
    }

    /// Every lock now held, for INQUIRE UOWENQ.
    pub(crate) fn view(&self) -> Vec<LockView> {
        let now = coarse_now();
        let mut views = Vec::new();
        for shard in &self.shards {
            for (name, entry) in shard.lock().iter() {
                views.push(LockView {
                    table: name.table,
                    key: name.key.to_vec(),
                    owner: entry.owner,
                    retained: entry.retained,
                    held_for: now.saturating_sub(entry.since),
                    waiters: entry.queue.iter().map(|waiting| (waiting.unit, now.saturating_sub(waiting.since))).collect(),
                });
            }
        }
        views
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::wait::ThreadWaiter;

    fn name(key: &str) -> LockName {
        LockName::new(TableId(1), key.as_bytes())
    }

    #[test]
    fn busy_timeout_and_handover_in_order() {
        let locks = Arc::new(LockTable::new());
        let waiter = ThreadWaiter::new();
        let (one, two) = (UnitId(1), UnitId(2));
        assert_eq!(locks.lock(one, &name("A"), "T", LockWait::never(&waiter)).unwrap(), Locked::New);
        assert_eq!(locks.lock(one, &name("A"), "T", LockWait::never(&waiter)).unwrap(), Locked::AlreadyOwned);
        let busy = locks.lock(two, &name("A"), "T", LockWait::never(&waiter));
        assert!(matches!(busy, Err(StoreError::Busy(owner)) if owner == one));
        let late = locks.lock(two, &name("A"), "T", LockWait::up_to(&waiter, Duration::from_millis(10)));
        assert!(matches!(late, Err(StoreError::LockTimeout(owner)) if owner == one));

        let order = Arc::new(Mutex::new(Vec::new()));
        let threads: Vec<_> = (3..6u64)
            .map(|unit| {
                let (own, order) = (locks.clone(), order.clone());
                let thread = thread::spawn(move || {
                    let waiter = ThreadWaiter::new();
                    own.lock(UnitId(unit), &name("A"), "T", LockWait::forever(&waiter)).unwrap();
                    order.lock().push(unit);
                    own.unlock(UnitId(unit), &name("A"));
                });
                testing::eventually("the unit of work waits", || locks.view()[0].waiters.len() == (unit - 2) as usize);
                thread
            })
            .collect();
        locks.unlock(one, &name("A"));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(*order.lock(), [3, 4, 5]);
        assert!(locks.view().is_empty());
        assert!(locks.waits.lock().is_empty());
    }

    #[test]
    fn a_circle_of_three_fails_exactly_the_request_that_closes_it() {
        let locks = Arc::new(LockTable::new());
        let waiter = ThreadWaiter::new();
        for (unit, key) in [(1, "A"), (2, "B"), (3, "C")] {
            locks.lock(UnitId(unit), &name(key), "T", LockWait::never(&waiter)).unwrap();
        }
        let threads: Vec<_> = [(1u64, "B"), (2, "C")]
            .into_iter()
            .map(|(unit, key)| {
                let locks = locks.clone();
                thread::spawn(move || {
                    let waiter = ThreadWaiter::new();
                    locks.lock(UnitId(unit), &name(key), "T", LockWait::forever(&waiter)).unwrap();
                    for own in ["A", "B", "C"] {
                        locks.unlock(UnitId(unit), &name(own));
                    }
                })
            })
            .collect();
        while locks.waits.lock().len() < 2 {
            thread::yield_now();
        }
        let closing = locks.lock(UnitId(3), &name("A"), "T", LockWait::forever(&waiter));
        assert!(matches!(closing, Err(StoreError::Deadlock(_))));
        assert_eq!(locks.deadlock_count.load(Ordering::Relaxed), 1);
        locks.unlock(UnitId(3), &name("C"));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert!(locks.view().is_empty());
    }
}
