//! A split in progress, and the requests that wait for it (FCCIWAIT).
//!
//! The request that splits a control interval reads the records of the interval and moves the intervals of a control area, which takes it much
//! longer than a request that only counts its record. Others that need the counts are suspended meanwhile; their threads serve other tasks.
//!
//! Invariants: the requester that splits has the lock of the counts, and never waits; whoever waits is woken when the split ends; no lock is held
//! while a request waits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Waker;

use parking_lot::{Mutex, MutexGuard};

use crate::error::FileError;
use crate::wait::{WaitEnd, WaitKind, WaitReason, Waiter};

/// How a request waits for a split, and the name of the data set that the wait shows.
#[derive(Clone, Copy)]
pub(crate) struct SplitWait<'a> {
    pub waiter: &'a dyn Waiter,
    pub data_set: &'a str,
}

#[derive(Default)]
pub(super) struct Splitting {
    is_in_progress: AtomicBool,
    waiting: Mutex<Vec<Waker>>,
}

impl Splitting {
    /// The lock of the counts, once no other request splits.
    pub(super) fn lock<'a, T>(&self, counts: &'a Mutex<T>, by: SplitWait<'_>) -> Result<MutexGuard<'a, T>, FileError> {
        loop {
            if let Some(guard) = counts.try_lock() {
                return Ok(guard);
            }
            if !self.is_in_progress.load(Ordering::SeqCst) {
                // The other request only counts.
                return Ok(counts.lock());
            }
            {
                let mut waiting = self.waiting.lock();
                if !self.is_in_progress.load(Ordering::SeqCst) {
                    continue;
                }
                waiting.push(by.waiter.waker());
            }
            let reason = WaitReason { kind: WaitKind::Split, resource: by.data_set };
            if by.waiter.wait(reason, None) == WaitEnd::Cancelled {
                return Err(FileError::Purged);
            }
        }
    }

    /// The owner of the lock begins a split, which ends when the result is dropped.
    pub(super) fn begin(&self) -> SplitInProgress<'_> {
        let before = self.is_in_progress.swap(true, Ordering::SeqCst);
        debug_assert!(!before, "one request at a time splits, because it has the lock of the counts");
        SplitInProgress(self)
    }
}

pub(super) struct SplitInProgress<'a>(&'a Splitting);

impl Drop for SplitInProgress<'_> {
    fn drop(&mut self) {
        let woken = {
            let mut waiting = self.0.waiting.lock();
            self.0.is_in_progress.store(false, Ordering::SeqCst);
            std::mem::take(&mut *waiting)
        };
        woken.into_iter().for_each(Waker::wake);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wait::ThreadWaiter;
    use std::sync::Arc;
    use std::time::Instant;

    /// Notes its waits, and can be told that it is purged.
    #[derive(Default)]
    struct Noting {
        waiter: ThreadWaiter,
        waits: Mutex<Vec<WaitKind>>,
        is_purged: AtomicBool,
    }

    impl Waiter for Noting {
        fn waker(&self) -> Waker {
            self.waiter.waker()
        }

        fn wait(&self, reason: WaitReason<'_>, deadline: Option<Instant>) -> WaitEnd {
            self.waits.lock().push(reason.kind);
            match self.is_purged.load(Ordering::SeqCst) {
                true => WaitEnd::Cancelled,
                false => self.waiter.wait(reason, deadline),
            }
        }
    }

    #[test]
    fn a_request_waits_for_a_split_and_not_for_a_count() {
        let (splitting, counts) = (Arc::new(Splitting::default()), Arc::new(Mutex::new(0)));
        let waiter = Arc::new(Noting::default());
        let request = {
            let (splitting, counts, waiter) = (splitting.clone(), counts.clone(), waiter.clone());
            move || *splitting.lock(&counts, SplitWait { waiter: &*waiter, data_set: "A.B" }).unwrap() += 1
        };
        // The lock is held, but not for a split: the thread waits for the lock.
        let guard = counts.lock();
        let other = std::thread::spawn(request.clone());
        std::thread::sleep(std::time::Duration::from_millis(20));
        drop(guard);
        other.join().unwrap();
        assert_eq!(*waiter.waits.lock(), []);
        // A split: the waiter is asked.
        let mut guard = counts.lock();
        let split = splitting.begin();
        let other = std::thread::spawn(request);
        while waiter.waits.lock().is_empty() {
            std::thread::yield_now();
        }
        *guard += 10;
        drop(guard);
        drop(split);
        other.join().unwrap();
        assert_eq!((*counts.lock(), waiter.waits.lock()[0]), (12, WaitKind::Split));
        // A purge ends the wait, and leaves the lock alone.
        waiter.is_purged.store(true, Ordering::SeqCst);
        let _guard = counts.lock();
        let _split = splitting.begin();
        let refused = splitting.lock(&counts, SplitWait { waiter: &*waiter, data_set: "A.B" });
        assert!(matches!(refused, Err(FileError::Purged)));
    }
}
