//! The record shares of readers with read integrity (RLS mode), besides the store's exclusive locks.
//!
//! Invariants: a share is noted only by a unit of work that holds the record's exclusive lock at that moment, and a writer checks the
//! shares only when it holds that lock, so neither misses the other; `held` counts the shares, so a writer can see without the lock that
//! there are none.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Waker;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Owners, UnitId};

#[derive(Default)]
struct Entry {
    holders: SmallVec<[UnitId; 2]>,
    waiting: Vec<Waker>,
}

/// The shares of a sphere's records, by table key.
#[derive(Default)]
pub(crate) struct Shares {
    held: AtomicU32,
    entries: Mutex<FxHashMap<Vec<u8>, Entry>>,
}

impl Shares {
    /// Whether any unit of work shares a record of the sphere.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.held.load(Ordering::Acquire) > 0
    }

    /// The units of work that share a record, except the given one.
    fn others(&self, key: &[u8], unit: UnitId) -> SmallVec<[UnitId; 4]> {
        let entries = self.entries.lock();
        let holders = entries.get(key).map(|entry| &entry.holders[..]).unwrap_or_default();
        holders.iter().copied().filter(|holder| *holder != unit).collect()
    }

    /// Another unit of work that shares the record, if there is one: then the waker is called when a share is released.
    pub(crate) fn in_the_way(&self, key: &[u8], unit: UnitId, waker: impl FnOnce() -> Waker) -> Option<UnitId> {
        let mut entries = self.entries.lock();
        let entry = entries.get_mut(key)?;
        let other = entry.holders.iter().copied().find(|holder| *holder != unit)?;
        entry.waiting.push(waker());
        Some(other)
    }

    /// Notes a share; `None` if the unit of work already has one.
    pub(crate) fn take(self: &Arc<Self>, key: &[u8], unit: UnitId) -> Option<Share> {
        let mut entries = self.entries.lock();
        let entry = entries.entry(key.to_vec()).or_default();
        if entry.holders.contains(&unit) {
            return None;
        }
        entry.holders.push(unit);
        self.held.fetch_add(1, Ordering::AcqRel);
        Some(Share { shares: self.clone(), key: key.to_vec(), unit })
    }

    fn let_go(&self, key: &[u8], unit: UnitId) {
        let mut entries = self.entries.lock();
        let Some(entry) = entries.get_mut(key) else { return };
        debug_assert_eq!(entry.holders.iter().filter(|holder| **holder == unit).count(), 1, "a unit of work has a record's share once");
        entry.holders.retain(|holder| *holder != unit);
        let held = self.held.fetch_sub(1, Ordering::AcqRel);
        debug_assert!(held > 0, "more shares end than were noted");
        let waiting = std::mem::take(&mut entry.waiting);
        if entry.holders.is_empty() {
            entries.remove(key);
        }
        drop(entries);
        waiting.iter().for_each(Waker::wake_by_ref);
    }
}

/// A unit of work's share of a record; it ends when this is dropped.
pub(crate) struct Share {
    shares: Arc<Shares>,
    key: Vec<u8>,
    unit: UnitId,
}

impl Share {
    pub(crate) fn key_length(&self) -> usize {
        self.key.len()
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shares.let_go(&self.key, self.unit);
    }
}

/// The readers a unit of work waits for, evaluated at each call.
pub(crate) struct Readers {
    pub shares: Arc<Shares>,
    pub key: Vec<u8>,
    pub unit: UnitId,
}

impl Owners for Readers {
    fn owners(&self) -> SmallVec<[UnitId; 4]> {
        self.shares.others(&self.key, self.unit)
    }
}
