//! How a task waits inside the data crate (record locks, log forces): the crate's `Waiter` over the kernel's waits.

use kernel::trace::{self, Value, points};
use kernel::{Ecb, Name16, Resumed, TaskRef, Wait};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Wake, Waker};
use std::time::Instant;
use vsam::{Flusher, WaitEnd, WaitKind, WaitReason, Waiter};

/// One per task. The event control block keeps a wake-up that comes before the wait.
pub struct TaskWaiter {
    task: TaskRef,
    permit: Arc<Permit>,
    waker: Waker,
    /// What the next waits are for, if the caller knows it better than the store.
    about: Mutex<Option<About>>,
    record_waits: AtomicU32,
}

/// The resources that the waits of a request show.
#[derive(Clone, Copy)]
pub struct About {
    /// Of waits for record locks.
    resource_type: &'static str,
    name: Name16,
    /// Under which type those are accounted, if it is another.
    clock: Option<&'static str>,
    /// The file whose control intervals are waited for, and the type of such a wait; `None`: its kind's own.
    file: Option<Name16>,
    access_type: Option<&'static str>,
    /// Waits for the log show the same as those for record locks.
    all: bool,
}

impl About {
    /// Waits for record locks show this type and name.
    pub const fn new(resource_type: &'static str, name: Name16) -> About {
        About { resource_type, name, clock: None, file: None, access_type: None, all: false }
    }

    /// Waits for control intervals and for input and output show the name of the file.
    pub const fn of_file(self, file: Name16) -> About {
        About { file: Some(file), ..self }
    }

    /// Waits for input and output show this type.
    pub const fn with_access_type(self, access_type: &'static str) -> About {
        About { access_type: Some(access_type), ..self }
    }

    /// Waits for record locks are accounted under this type.
    pub const fn accounted_as(self, clock: &'static str) -> About {
        About { clock: Some(clock), ..self }
    }

    /// All waits, also those for the log, show the type and name.
    pub const fn all(self) -> About {
        About { all: true, ..self }
    }

    /// The wait that a reason shows.
    fn wait(about: Option<About>, reason: &WaitReason<'_>) -> Wait {
        let shown = (reason.kind.resource_type(), Name16::new(reason.resource));
        let Some(about) = about else { return Wait::new(shown.0).named(shown.1) };
        let file = about.file.unwrap_or(shown.1);
        let (resource_type, name) = match reason.kind {
            _ if about.all => (about.resource_type, about.name),
            WaitKind::RecordLock => (about.resource_type, about.name),
            WaitKind::ExclusiveControl => (shown.0, file),
            WaitKind::Split | WaitKind::Transfer => (about.access_type.unwrap_or(shown.0), about.file.unwrap_or(about.name)),
            WaitKind::LogForce | WaitKind::Backlog => shown,
        };
        let wait = Wait::new(resource_type).named(name);
        match about.clock {
            Some(clock) if reason.kind == WaitKind::RecordLock => wait.accounted_as(clock),
            _ => wait,
        }
    }
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
        Self { task, waker, permit, about: Mutex::new(None), record_waits: AtomicU32::new(0) }
    }

    /// Sets what the waits of the next request show, until it is set anew.
    pub fn about(&self, about: About) {
        *self.about.lock() = Some(about);
    }

    pub fn about_nothing(&self) {
        *self.about.lock() = None;
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
        if reason.kind == WaitKind::RecordLock {
            self.record_waits.fetch_add(1, Ordering::Relaxed);
        }
        let mut wait = About::wait(*self.about.lock(), &reason);
        if !matches!(reason.kind, WaitKind::RecordLock | WaitKind::ExclusiveControl | WaitKind::Split) {
            // The log decides whether the unit of work is committed: not even a purge may leave that undecided.
            wait = wait.protected();
        }
        if let Some(deadline) = deadline {
            wait = wait.timeout(deadline.saturating_duration_since(Instant::now()));
        }
        let resumed = match reason.kind {
            WaitKind::RecordLock => traced(&wait, || self.task.wait_ecb(&self.permit.0, &wait)),
            _ => self.task.wait_ecb(&self.permit.0, &wait),
        };
        self.permit.0.reset();
        match resumed {
            Resumed::Posted(_) => WaitEnd::Woken,
            Resumed::TimedOut => WaitEnd::TimedOut,
            Resumed::Purged(_) => WaitEnd::Cancelled,
        }
    }
}

/// A lock that another task holds, as the lock manager's entries have it; one that is free is taken without an entry.
fn traced(about: &Wait, wait: impl FnOnce() -> Resumed) -> Resumed {
    let (kind, name) = (about.resource_type.as_str(), about.resource_name.as_str());
    trace::point(&points::LM_LOCK_ENTRY, &[Value::Text("LOCK"), Value::Text(kind), Value::Text(name)]);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(about: Option<About>, kind: WaitKind) -> String {
        let wait = About::wait(about, &WaitReason { kind, resource: "DATA.SET" });
        let clock = wait.clock.map_or(String::new(), |clock| format!(" as {}", clock.as_str()));
        format!("{} {}{clock}", wait.resource_type.as_str(), wait.resource_name.as_str())
    }

    #[test]
    fn waits_show_the_resource_of_their_kind() {
        let file = About::new("ENQUEUE", Name16::new("FCDSRECD")).of_file(Name16::new("FILEA"));
        let kinds = [WaitKind::RecordLock, WaitKind::ExclusiveControl, WaitKind::Split, WaitKind::Transfer, WaitKind::LogForce];
        let of = |about: Option<About>| kinds.map(|kind| shown(about, kind));
        assert_eq!(of(Some(file)), ["ENQUEUE FCDSRECD", "FCXCSUSP FILEA", "FCCIWAIT FILEA", "FCIOWAIT FILEA", "LGFREVER DATA.SET"]);
        let shared = About::new("FCRVWAIT", Name16::new("FILEA")).of_file(Name16::new("FILEA")).with_access_type("FCRVWAIT");
        assert_eq!(of(Some(shared))[..4], ["FCRVWAIT FILEA", "FCXCSUSP FILEA", "FCRVWAIT FILEA", "FCRVWAIT FILEA"]);
        let queue = About::new("ENQUEUE", Name16::new("QUEUE")).accounted_as("TDILWTT");
        assert_eq!([shown(Some(queue), kinds[0]), shown(Some(queue), kinds[4])], ["ENQUEUE QUEUE as TDILWTT", "LGFREVER DATA.SET"]);
        assert_eq!(shown(Some(queue.all()), kinds[4]), "ENQUEUE QUEUE");
        assert_eq!(shown(None, kinds[3]), "FCIOWAIT DATA.SET");
    }
}
