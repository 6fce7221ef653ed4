//! Waits: why a task is suspended, how it is resumed, and event control blocks.
//!
//! Invariants: a wakeup is never lost (a resume that comes before the suspend is remembered by the task's wait word, and
//! one that comes for an earlier wait is ignored, because every wait has its own sequence number); a task is resumed at
//! most once for each wait; the reason it is resumed for is the first one that arrived.

use crate::name::{Name8, Name16};
use crate::task::TaskRef;
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;

/// What a task waits for, as INQUIRE TASK shows it, and the terms of the wait.
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    /// SUSPENDTYPE, for example FCIOWAIT, ICWAIT, ENQUEUE.
    pub resource_type: Name8,
    /// SUSPENDVALUE: the resource within the type.
    pub resource_name: Name16,
    /// The wait ends as [`Resumed::TimedOut`] after this time.
    pub timeout: Option<Duration>,
    /// A plain purge may end the wait (a force-purge ends every wait but a [`Wait::protected`] one).
    pub purgeable: bool,
    /// Nothing but a resume or the timeout ends the wait.
    pub protected: bool,
}

impl Wait {
    pub const fn new(resource_type: &str) -> Wait {
        Wait { resource_type: Name8::new(resource_type), resource_name: Name16::BLANK, timeout: None, purgeable: true, protected: false }
    }

    pub const fn named(mut self, resource_name: Name16) -> Wait {
        self.resource_name = resource_name;
        self
    }

    pub const fn timeout(mut self, timeout: Duration) -> Wait {
        self.timeout = Some(timeout);
        self
    }

    /// A plain purge leaves the task waiting.
    pub const fn not_purgeable(mut self) -> Wait {
        self.purgeable = false;
        self
    }

    /// Neither purge nor force-purge nor kill ends the wait.
    pub const fn protected(mut self) -> Wait {
        self.purgeable = false;
        self.protected = true;
        self
    }
}

/// Strength of a purge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Purge {
    Purge = 1,
    ForcePurge = 2,
    Kill = 3,
}

/// Why a suspended task runs again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resumed {
    /// Somebody resumed or posted; the value is the poster's (completion code or index of the ECB).
    Posted(u32),
    /// [`Wait::timeout`] passed.
    TimedOut,
    /// The task is being purged.
    Purged(Purge),
}

/// The right to end one particular wait of a task, usable once from any thread; later uses do nothing.
#[derive(Clone, Debug)]
pub struct Waker {
    pub(crate) task: TaskRef,
    pub(crate) sequence: u64,
}

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
        self.task.wait_is_live(self.sequence)
    }
}

/// Event control block: posted once, seen by every task that waits on it now or later, until reset.
#[derive(Clone, Default, Debug)]
pub struct Ecb(Arc<Mutex<EcbState>>);

#[derive(Default, Debug)]
struct EcbState {
    posted: Option<u32>,
    waiters: Vec<(Waker, u32)>,
}

impl Ecb {
    pub fn new() -> Ecb {
        Ecb::default()
    }

    /// Posts with a completion code and resumes the waiters. A second post changes nothing.
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
