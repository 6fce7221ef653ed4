//! The order of the kernel's locks, checked by assertions.
//!
//! Invariant: a thread takes a lock only if its rank is above the ranks of all locks it holds. So no two threads can wait for each other,
//! and locks of one rank are never held together. In builds with assertions every `lock` checks this; other builds pay nothing. A task that
//! gives up its worker holds none of these locks ([`none_held`]).
//!
//! The locks that a thread sleeps with (timer wheel, blocking pool, ends of tasks, monitor) are plain mutexes outside this order: no lock
//! of the order is held when one of them is taken.
//!
//! The test below checks the order, and so does every test of the workspace in a build with assertions.

use std::ops::{Deref, DerefMut};

/// The ranks, from the outermost lock to the innermost.
pub(crate) mod rank {
    /// The list of subpools of a region's storage.
    pub const SUBPOOLS: u32 = 0;
    /// The arena of one subpool. Freeing storage under it resumes tasks, so its rank is below that of the dispatcher's locks.
    pub const ARENA: u32 = 1;
    /// Spare arenas, spare chunks, the waiters for storage, and the times of shortages.
    pub const STORAGE_LISTS: u32 = 2;
    /// The pages of one DSA.
    pub const PAGES: u32 = 3;
    /// The extents of one line.
    pub const EXTENTS: u32 = 4;
    /// The assignment of isolation keys, then the pages of one subspace, or the owner of one slot.
    pub const ISOLATION: u32 = 5;
    pub const SUBSPACE: u32 = 6;
    /// An event control block.
    pub const EVENT: u32 = 7;
    /// Registry of tasks, admission, pools of TCBs, ready queues.
    pub const DISPATCHER: u32 = 8;
    /// Stacks that are free, pieces of user memory, the registry of program code.
    pub const MEMORY: u32 = 9;
    /// One block of the trace table: any code may trace, whatever it holds.
    pub const TRACE: u32 = 10;
}

#[cfg(debug_assertions)]
mod held {
    use std::cell::Cell;

    thread_local! {
        /// Ranks held by this thread, by bit.
        static HELD: Cell<u32> = const { Cell::new(0) };
    }

    // Never inlined: the address of a thread-local is not kept across a suspend.
    #[inline(never)]
    pub fn change(change: impl FnOnce(u32) -> u32) {
        let _ = HELD.try_with(|held| held.set(change(held.get())));
    }
}

/// Checks that a lock of this rank may be taken, and records that it is.
#[inline]
fn enter(rank: u32) {
    #[cfg(debug_assertions)]
    held::change(|held| {
        assert!(held >> rank == 0, "a lock of rank {rank} is taken while those of ranks {held:#b} are held");
        held | 1 << rank
    });
    let _ = rank;
}

#[inline]
fn leave(rank: u32) {
    #[cfg(debug_assertions)]
    held::change(|held| {
        assert!(held & 1 << rank != 0, "a guard is dropped by the thread that took it");
        held & !(1 << rank)
    });
    let _ = rank;
}

/// Asserts that this thread holds no lock of the order.
#[inline]
pub(crate) fn none_held() {
    #[cfg(debug_assertions)]
    held::change(|held| {
        assert_eq!(held, 0, "a task gives its worker back while the kernel holds a lock");
        held
    });
}

/// A mutex with a place in the order.
#[derive(Default, Debug)]
pub(crate) struct Ordered<T, const RANK: u32>(parking_lot::Mutex<T>);

pub(crate) struct OrderedGuard<'a, T, const RANK: u32>(parking_lot::MutexGuard<'a, T>);

impl<T, const RANK: u32> Ordered<T, RANK> {
    pub const fn new(value: T) -> Ordered<T, RANK> {
        Ordered(parking_lot::Mutex::new(value))
    }

    #[inline]
    pub fn lock(&self) -> OrderedGuard<'_, T, RANK> {
        enter(RANK);
        #[cfg(test)]
        if let Some(guard) = crate::interleave::wait_until(|| self.0.try_lock()) {
            return OrderedGuard(guard);
        }
        OrderedGuard(self.0.lock())
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }
}

impl<T, const RANK: u32> Deref for OrderedGuard<'_, T, RANK> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T, const RANK: u32> DerefMut for OrderedGuard<'_, T, RANK> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T, const RANK: u32> Drop for OrderedGuard<'_, T, RANK> {
    #[inline]
    fn drop(&mut self) {
        leave(RANK);
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn locks_are_taken_outermost_first() {
        let outer: Ordered<u32, { rank::ARENA }> = Ordered::new(1);
        let inner: Ordered<u32, { rank::PAGES }> = Ordered::new(2);
        let same: Ordered<u32, { rank::PAGES }> = Ordered::default();
        {
            let (first, mut second) = (outer.lock(), inner.lock());
            *second += *first;
            assert!(catch_unwind(AssertUnwindSafe(|| same.lock())).is_err(), "two of one rank");
            assert!(catch_unwind(none_held).is_err());
        }
        none_held();
        let held = inner.lock();
        assert!(catch_unwind(AssertUnwindSafe(|| outer.lock())).is_err(), "the outer one second");
        drop(held);
        let outer = *outer.lock();
        let inner = *inner.lock();
        assert_eq!((outer, inner, *same.lock()), (1, 3, 0));
    }
}
