//! The other side of a wait: wakers, and event control blocks.
//!
//! Invariants: a wakeup is never lost: the wait word of the task remembers a resume that comes before the suspend. A resume for an earlier
//! wait is ignored, because every wait has its own sequence number. A task is resumed at most once for each wait, and for the reason that
//! arrived first.

use super::core::{TaskRef, Waker};
use super::pools::Requester;
use crate::lock_order::{Ordered, rank};
use crate::wait::Resumed;
use std::sync::Arc;

impl Waker {
    /// Ends the wait. False if the wait has already ended.
    pub fn resume(&self) -> bool {
        self.resume_with(0)
    }

    /// Ends the wait and hands `value` to the task as [`Resumed::Posted`].
    pub fn resume_with(&self, value: u32) -> bool {
        self.task.fire(self.sequence, Resumed::Posted(value))
    }

    pub fn task(&self) -> &TaskRef {
        &self.task
    }

    /// The wait this waker belongs to has neither ended nor been abandoned.
    pub fn is_live(&self) -> bool {
        self.task.wait.is_live(self.sequence)
    }
}

impl Requester for Waker {
    fn is_live(&self) -> bool {
        Waker::is_live(self)
    }

    fn resume(&self) -> bool {
        Waker::resume(self)
    }
}

/// Event control block: posted once, seen by every task that waits on it now or later, until reset.
#[derive(Clone, Default, Debug)]
pub struct Ecb(Arc<Ordered<EcbState, { rank::EVENT }>>);

#[derive(Default, Debug)]
struct EcbState {
    posted: Option<u32>,
    waiters: Vec<(Waker, u32)>,
}

impl Ecb {
    pub fn new() -> Ecb {
        Ecb::default()
    }

    /// Posts with a completion code and resumes the waiters. A second post has no effect.
    pub fn post(&self, code: u32) {
        let waiters = {
            let mut state = self.0.lock();
            if state.posted.is_some() {
                return;
            }
            state.posted = Some(code);
            std::mem::take(&mut state.waiters)
        };
        for (waker, value) in waiters {
            waker.resume_with(value);
        }
    }

    /// The completion code, if posted.
    pub fn posted(&self) -> Option<u32> {
        self.0.lock().posted
    }

    /// Makes the block unposted again.
    pub fn reset(&self) {
        self.0.lock().posted = None;
    }

    /// Registers a waker to be resumed with `value`; false if the block is posted already.
    pub fn register(&self, waker: &Waker, value: u32) -> bool {
        let mut state = self.0.lock();
        if state.posted.is_some() {
            return false;
        }
        state.waiters.retain(|(waker, _)| waker.is_live());
        state.waiters.push((waker.clone(), value));
        true
    }
}
