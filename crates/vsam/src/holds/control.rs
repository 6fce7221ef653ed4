//! Control of control intervals (CI): which requests of a region must wait for each other because VSAM serializes by control interval.
//!
//! Rules, for files not in RLS mode. A request that changes a record needs its CI exclusively; a browse has shared control of the CI it is
//! positioned in. With shared resources (LSR) there is one copy of a CI: exclusive control excludes everybody else, and shared control
//! excludes exclusive control. With nonshared resources (NSR) a reader has its own copy: exclusive control excludes only exclusive control.
//! Exclusive control outlives its request in a mass insert, and for a record read for update where the region keeps it (CILOCK=YES). A
//! waiter is woken when a holder releases control, and tries again. Requests of one unit of work that exclude each other can never
//! continue.
//!
//! Invariants: a CI without holders and waiters has no entry; `held` and `exclusive` count the holders, so a request can see without the
//! lock that there are none. Control belongs to the place an interval had when control was taken: a split moves records, not control. The
//! lock is never held across a wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::task::Waker;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Owners, UnitId};

/// The resources that a file's requests share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Resources {
    /// No control by interval: RLS, data tables, batch.
    #[default]
    Uncontrolled,
    /// NSR: strings and buffers of the file's own.
    Own,
    /// LSR: a pool, so one copy of an interval.
    Shared,
}

#[derive(Debug)]
struct Holder {
    number: u64,
    unit: UnitId,
    exclusive: bool,
    resources: Resources,
}

/// A request's need for an interval.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub interval: u64,
    pub unit: UnitId,
    pub exclusive: bool,
    pub resources: Resources,
}

impl Wanted {
    fn is_excluded_by(&self, holder: &Holder) -> bool {
        let shared = self.resources == Resources::Shared && holder.resources == Resources::Shared;
        match (holder.exclusive, self.exclusive) {
            (true, true) => self.resources == holder.resources,
            (false, false) => false,
            _ => shared,
        }
    }
}

#[derive(Default)]
struct Entry {
    holders: SmallVec<[Holder; 2]>,
    waiting: Vec<Waker>,
}

/// The controlled intervals of a sphere.
#[derive(Default)]
pub(crate) struct Intervals {
    held: AtomicU32,
    exclusive: AtomicU32,
    next: AtomicU64,
    entries: Mutex<FxHashMap<u64, Entry>>,
}

impl Intervals {
    #[inline]
    pub(crate) fn any_held(&self) -> bool {
        self.held.load(Ordering::Acquire) > 0
    }

    #[inline]
    pub(crate) fn any_exclusive(&self) -> bool {
        self.exclusive.load(Ordering::Acquire) > 0
    }

    /// The units of work that exclude a request from an interval, its own included.
    fn excluding(&self, wanted: &Wanted) -> SmallVec<[UnitId; 4]> {
        let entries = self.entries.lock();
        let holders = entries.get(&wanted.interval).map(|entry| &entry.holders[..]).unwrap_or_default();
        holders.iter().filter(|holder| wanted.is_excluded_by(holder)).map(|holder| holder.unit).collect()
    }

    /// Takes control if nothing conflicts; otherwise the waker is called when control is released. Returns one conflicting unit of work,
    /// preferably the requester.
    pub(crate) fn try_take(
        self: &Arc<Self>,
        wanted: &Wanted,
        keep: bool,
        waker: impl FnOnce() -> Waker,
    ) -> Result<Option<Control>, UnitId> {
        let mut entries = self.entries.lock();
        if let Some(entry) = entries.get_mut(&wanted.interval) {
            debug_assert!(!entry.holders.is_empty(), "an interval nobody has control of has an entry");
            let mut others = entry.holders.iter().filter(|holder| wanted.is_excluded_by(holder)).map(|holder| holder.unit);
            if let Some(first) = others.next() {
                let own = first == wanted.unit || others.any(|other| other == wanted.unit);
                if !own {
                    entry.waiting.push(waker());
                }
                return Err(if own { wanted.unit } else { first });
            }
        }
        if !keep {
            return Ok(None);
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let Wanted { interval, unit, exclusive, resources } = *wanted;
        entries.entry(interval).or_default().holders.push(Holder { number, unit, exclusive, resources });
        self.held.fetch_add(1, Ordering::AcqRel);
        self.exclusive.fetch_add(u32::from(exclusive), Ordering::AcqRel);
        Ok(Some(Control { intervals: self.clone(), interval, number }))
    }

    fn let_go(&self, interval: u64, number: u64) {
        let mut entries = self.entries.lock();
        let Some(entry) = entries.get_mut(&interval) else { return };
        let Some(at) = entry.holders.iter().position(|holder| holder.number == number) else { return };
        let holder = entry.holders.swap_remove(at);
        let held = self.held.fetch_sub(1, Ordering::AcqRel);
        let exclusive = self.exclusive.fetch_sub(u32::from(holder.exclusive), Ordering::AcqRel);
        debug_assert!(held > 0 && exclusive >= u32::from(holder.exclusive), "more let go of intervals than have them");
        let waiting = std::mem::take(&mut entry.waiting);
        if entry.holders.is_empty() {
            entries.remove(&interval);
        }
        drop(entries);
        waiting.iter().for_each(Waker::wake_by_ref);
    }
}

/// Control of an interval; it ends when this is dropped.
pub(crate) struct Control {
    intervals: Arc<Intervals>,
    pub interval: u64,
    number: u64,
}

impl Drop for Control {
    fn drop(&mut self) {
        self.intervals.let_go(self.interval, self.number);
    }
}

impl std::fmt::Debug for Control {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "control of interval {:X}", self.interval)
    }
}

/// The owners that a unit of work waits for to get an interval, evaluated at each call.
pub(crate) struct WaitsForInterval {
    pub intervals: Arc<Intervals>,
    pub wanted: Wanted,
}

impl Owners for WaitsForInterval {
    fn owners(&self) -> SmallVec<[UnitId; 4]> {
        self.intervals.excluding(&self.wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(unit: u64, exclusive: bool, resources: Resources) -> Wanted {
        Wanted { interval: 7, unit: UnitId(unit), exclusive, resources }
    }

    /// Whether the second of two requests gets an interval that the first has.
    fn second_gets_it(first: (bool, Resources), second: (bool, Resources)) -> bool {
        let intervals = Arc::new(Intervals::default());
        let take = |unit, (exclusive, resources)| intervals.try_take(&wanted(unit, exclusive, resources), true, || Waker::noop().clone());
        let first = take(1, first).expect("nobody has it");
        let second = take(2, second);
        let given = second.is_ok();
        drop((first, second));
        assert!(!intervals.any_held() && !intervals.any_exclusive());
        given
    }

    #[test]
    fn compatibility_of_control_requests() {
        use Resources::{Own, Shared};
        // Holder, requester (exclusive or not), and whether both are allowed.
        let cases = [
            ((true, Shared), (true, Shared), false),
            ((true, Shared), (false, Shared), false),
            ((false, Shared), (true, Shared), false),
            ((false, Shared), (false, Shared), true),
            ((true, Own), (true, Own), false),
            ((true, Own), (false, Own), true),
            ((false, Own), (true, Own), true),
            ((true, Shared), (true, Own), true),
        ];
        for (first, second, both) in cases {
            assert_eq!(second_gets_it(first, second), both, "{first:?} {second:?}");
        }
    }

    #[test]
    fn a_unit_of_work_that_blocks_itself_gets_an_error() {
        let intervals = Arc::new(Intervals::default());
        let waker = || Waker::noop().clone();
        let browse = |unit| intervals.try_take(&wanted(unit, false, Resources::Shared), true, waker).unwrap();
        let (_other, _own) = (browse(1), browse(2));
        let update = |unit| intervals.try_take(&wanted(unit, true, Resources::Shared), true, waker).err();
        assert_eq!((update(2), update(3)), (Some(UnitId(2)), Some(UnitId(1))));
    }
}
