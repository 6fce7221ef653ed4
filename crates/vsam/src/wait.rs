//! How this crate waits: it never suspends a task itself, but asks the caller's [`Waiter`].
//!
//! Invariants: a wake-up is a permit and never lost (a wake-up before the wait makes the wait return at once) and may be spurious (every
//! waiting loop here checks its own condition); no lock of this crate is held across `wait`.

use std::sync::Arc;
use std::task::{Wake, Waker};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// What a task is waiting for, for INQUIRE TASK and the dispatcher's accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitKind {
    /// A record (or other key) is locked by another unit of work.
    RecordLock,
    /// Another request has control of the control interval.
    ExclusiveControl,
    /// Another request splits a control interval of the data set.
    Split,
    /// Control intervals of the data set are being written, and there is no room for more changed ones until they are: too much that is not
    /// logged is not yet in the pages.
    Transfer,
    /// The system log is being forced.
    LogForce,
    /// Too much committed data is not yet in the pages; the applier must catch up.
    Backlog,
}

impl WaitKind {
    /// The resource type shown for the suspended task.
    pub fn resource_type(self) -> &'static str {
        match self {
            WaitKind::RecordLock => "ENQUEUE",
            WaitKind::ExclusiveControl => "FCXCSUSP",
            WaitKind::Split => "FCCIWAIT",
            WaitKind::Transfer => "FCIOWAIT",
            WaitKind::LogForce => "LGFREVER",
            WaitKind::Backlog => "LGSTREAM",
        }
    }
}

/// The reason of a wait: its kind and the name of the resource (a table or data set name).
#[derive(Clone, Copy, Debug)]
pub struct WaitReason<'a> {
    pub kind: WaitKind,
    pub resource: &'a str,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitEnd {
    Woken,
    TimedOut,
    /// The task is being purged; the request fails with `Purged`.
    Cancelled,
}

/// The thread that writes and syncs the log for a waiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flusher {
    /// The caller, whose thread may block for the time of a sync.
    Caller,
    /// The dispatcher thread that the waiting task leaves, if it has nothing else to run: see `LogFlushes`. Waking another thread costs a
    /// good part of a sync.
    Dispatcher,
    /// The log's own thread.
    LogThread,
}

/// The caller's way to suspend itself. A region implements it over its dispatcher, batch uses [`ThreadWaiter`].
pub trait Waiter: Send + Sync {
    /// A handle any thread may wake; it gives the waiting caller (or its next wait) one permit.
    fn waker(&self) -> Waker;

    /// Suspends the caller until a permit is there, `deadline` has passed or the task is cancelled.
    fn wait(&self, reason: WaitReason<'_>, deadline: Option<Instant>) -> WaitEnd;

    /// The thread that writes and syncs the log for a caller if no thread is doing so.
    fn flusher(&self) -> Flusher {
        Flusher::LogThread
    }
}

struct Permit {
    given: Mutex<bool>,
    changed: Condvar,
}

impl Wake for Permit {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        *self.given.lock() = true;
        self.changed.notify_one();
    }
}

/// A waiter that blocks the calling thread. One per thread (or per unit of work).
pub struct ThreadWaiter {
    permit: Arc<Permit>,
    waker: Waker,
}

impl ThreadWaiter {
    pub fn new() -> ThreadWaiter {
        let permit = Arc::new(Permit { given: Mutex::new(false), changed: Condvar::new() });
        ThreadWaiter { waker: Waker::from(permit.clone()), permit }
    }
}

impl Default for ThreadWaiter {
    fn default() -> Self {
        ThreadWaiter::new()
    }
}

impl Waiter for ThreadWaiter {
    fn waker(&self) -> Waker {
        self.waker.clone()
    }

    fn wait(&self, _reason: WaitReason<'_>, deadline: Option<Instant>) -> WaitEnd {
        let mut given = self.permit.given.lock();
        while !*given {
            match deadline {
                None => self.permit.changed.wait(&mut given),
                Some(deadline) => {
                    if self.permit.changed.wait_until(&mut given, deadline).timed_out() && !*given {
                        return WaitEnd::TimedOut;
                    }
                }
            }
        }
        *given = false;
        WaitEnd::Woken
    }

    fn flusher(&self) -> Flusher {
        Flusher::Caller
    }
}

/// How long a request may wait for a lock.
#[derive(Clone, Copy)]
pub struct LockWait<'a> {
    pub waiter: &'a dyn Waiter,
    /// NOSUSPEND: fail with a busy error instead of waiting.
    pub no_suspend: bool,
    /// DTIMOUT; `None` waits for ever.
    pub timeout: Option<Duration>,
}

impl<'a> LockWait<'a> {
    /// Waits without limit.
    pub fn forever(waiter: &'a dyn Waiter) -> Self {
        LockWait { waiter, no_suspend: false, timeout: None }
    }

    /// Does not wait.
    pub fn never(waiter: &'a dyn Waiter) -> Self {
        LockWait { waiter, no_suspend: true, timeout: None }
    }

    /// Waits for up to `timeout`.
    pub fn up_to(waiter: &'a dyn Waiter, timeout: Duration) -> Self {
        LockWait { waiter, no_suspend: false, timeout: Some(timeout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permit_given_before_the_wait_is_not_lost() {
        let waiter = ThreadWaiter::new();
        let reason = WaitReason { kind: WaitKind::LogForce, resource: "DFHLOG" };
        waiter.waker().wake();
        assert_eq!(waiter.wait(reason, None), WaitEnd::Woken);
        let soon = Instant::now() + Duration::from_millis(5);
        assert_eq!(waiter.wait(reason, Some(soon)), WaitEnd::TimedOut);
    }
}
