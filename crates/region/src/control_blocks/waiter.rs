//! How a task waits inside the data crate (record locks, log forces): the crate's `Waiter` over the kernel's waits.

use kernel::trace::{self, Value, points};
use kernel::{Ecb, Name16, Resumed, TaskRef, Wait};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::task::{Wake, Waker};
use std::time::Instant;
use vsam::{Flusher, WaitEnd, WaitReason, Waiter};

/// One per task. The event control block keeps a wake-up that comes before the wait.
pub struct TaskWaiter {
    task: TaskRef,
    permit: Arc<Permit>,
    waker: Waker,
    /// The resource of the next waits for record locks, if the caller knows it better than the store.
    about: Mutex<Option<About>>,
    record_waits: AtomicU32,
    /// Microseconds waited for record locks, and for control intervals.
    record_wait: AtomicU64,
    interval_wait: AtomicU64,
}

#[derive(Clone, Copy)]
struct About {
    resource_type: &'static str,
    name: Name16,
    file: Name16,
    /// Waits for the log as well.
    all: bool,
}

/// The flushes of the system log, for the workers of the dispatcher.
pub struct LogFlushes(pub vsam::LogFlushes);

impl kernel::IdleWork for LogFlushes {
    fn is_offered(&self) -> bool {
        self.0.is_offered()
    }

    fn run(&self) -> Vec<Waker> {
        self.0.flush()
    }

    fn leave(&self) {
        self.0.leave_to_log_thread();
    }
}

struct Permit(Ecb);

impl Wake for Permit {
    fn wake(self: Arc<Self>) {
        self.0.post(0);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.post(0);
    }
}

impl TaskWaiter {
    pub fn new(task: TaskRef) -> Self {
        let permit = Arc::new(Permit(Ecb::new()));
        let waker = Waker::from(permit.clone());
        let (record_wait, interval_wait) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { task, waker, permit, about: Mutex::new(None), record_waits: AtomicU32::new(0), record_wait, interval_wait }
    }

    /// Sets the type and name of the resource for later waits for record locks.
    pub fn about(&self, resource_type: &'static str, name: Name16) {
        self.about_file(resource_type, name, name);
    }

    /// As `about`, with the name of the file for waits for its control intervals.
    pub fn about_file(&self, resource_type: &'static str, name: Name16, file: Name16) {
        *self.about.lock() = Some(About { resource_type, name, file, all: false });
    }

    /// As `about`, for the waits for the log as well: until `about_nothing`.
    pub fn about_all(&self, resource_type: &'static str, name: Name16) {
        *self.about.lock() = Some(About { resource_type, name, file: name, all: true });
    }

    pub fn about_nothing(&self) {
        *self.about.lock() = None;
    }

    /// Microseconds waited for record locks since the last call.
    pub fn take_record_wait(&self) -> u64 {
        self.record_wait.swap(0, Ordering::Relaxed)
    }

    /// Microseconds waited for control intervals since the last call.
    pub fn take_interval_wait(&self) -> u64 {
        self.interval_wait.swap(0, Ordering::Relaxed)
    }

    /// The number of waits for record locks since the last call.
    pub fn take_record_waits(&self) -> u32 {
        match self.record_waits.load(Ordering::Relaxed) {
            0 => 0,
            _ => self.record_waits.swap(0, Ordering::Relaxed),
        }
    }
}

impl Waiter for TaskWaiter {
    fn waker(&self) -> Waker {
        self.waker.clone()
    }

    fn flusher(&self) -> Flusher {
        Flusher::Dispatcher
    }

    fn wait(&self, reason: WaitReason<'_>, deadline: Option<Instant>) -> WaitEnd {
        let mut about = (reason.kind.resource_type(), Name16::new(reason.resource));
        if reason.kind == vsam::WaitKind::RecordLock {
            self.record_waits.fetch_add(1, Ordering::Relaxed);
        }
        let control = reason.kind == vsam::WaitKind::ExclusiveControl;
        match *self.about.lock() {
            Some(of) if of.all || reason.kind == vsam::WaitKind::RecordLock => about = (of.resource_type, of.name),
            Some(of) if control => about.1 = of.file,
            _ => {}
        }
        let mut wait = Wait::new(about.0).named(about.1);
        if reason.kind != vsam::WaitKind::RecordLock && !control {
            // The log decides whether the unit of work is committed: not even a purge may leave that undecided.
            wait = wait.protected();
        }
        if let Some(deadline) = deadline {
            wait = wait.timeout(deadline.saturating_duration_since(Instant::now()));
        }
        let timed = match reason.kind {
            vsam::WaitKind::ExclusiveControl => Some(&self.interval_wait),
            vsam::WaitKind::RecordLock => Some(&self.record_wait),
            _ => None,
        };
        let timed = timed.map(|total| (total, Instant::now()));
        let resumed = match reason.kind {
            vsam::WaitKind::RecordLock => traced(about, || self.task.wait_ecb(&self.permit.0, &wait)),
            _ => self.task.wait_ecb(&self.permit.0, &wait),
        };
        if let Some((total, begun)) = timed {
            total.fetch_add(begun.elapsed().as_micros() as u64, Ordering::Relaxed);
        }
        self.permit.0.reset();
        match resumed {
            Resumed::Posted(_) => WaitEnd::Woken,
            Resumed::TimedOut => WaitEnd::TimedOut,
            Resumed::Purged(_) => WaitEnd::Cancelled,
        }
    }
}

/// A lock that another task holds, as the lock manager's entries have it; one that is free is taken without an entry.
fn traced((kind, name): (&'static str, Name16), wait: impl FnOnce() -> Resumed) -> Resumed {
    trace::point(&points::LM_LOCK_ENTRY, &[Value::Text("LOCK"), Value::Text(kind), Value::Text(name.as_str())]);
    let resumed = wait();
    trace::point_with(&points::LM_LOCK_EXIT, || {
        let response = match resumed {
            Resumed::Posted(_) => "OK",
            Resumed::TimedOut => "TIMED_OUT",
            Resumed::Purged(_) => "PURGED",
        };
        [Value::Text("LOCK"), Value::Text(response)]
    });
    resumed
}
