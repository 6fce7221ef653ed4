//! How a task waits inside the data crate (record locks, log forces): the crate's `Waiter` over the kernel's waits.

use kernel::{Ecb, Name8, Name16, Resumed, TaskRef, Wait};
use std::sync::Arc;
use std::task::{Wake, Waker};
use std::time::Instant;
use vsam::{WaitEnd, WaitReason, Waiter};

/// One per task. A wake-up that comes before the wait is kept by the event control block.
pub struct TaskWaiter {
    task: TaskRef,
    permit: Arc<Permit>,
    waker: Waker,
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
        Self { task, waker: Waker::from(permit.clone()), permit }
    }
}

impl Waiter for TaskWaiter {
    fn waker(&self) -> Waker {
        self.waker.clone()
    }

    fn wait(&self, reason: WaitReason<'_>, deadline: Option<Instant>) -> WaitEnd {
        let mut wait = Wait::new(reason.kind.resource_type()).named(Name16::new(reason.resource));
        debug_assert!(!Name8::new(reason.kind.resource_type()).is_blank());
        if reason.kind != vsam::WaitKind::RecordLock {
            // The log decides whether the unit of work is committed: not even a purge may leave that open.
            wait = wait.protected();
        }
        if let Some(deadline) = deadline {
            wait = wait.timeout(deadline.saturating_duration_since(Instant::now()));
        }
        let resumed = self.task.wait_ecb(&self.permit.0, &wait);
        self.permit.0.reset();
        match resumed {
            Resumed::Posted(_) => WaitEnd::Woken,
            Resumed::TimedOut => WaitEnd::TimedOut,
            Resumed::Purged(_) => WaitEnd::Cancelled,
        }
    }
}
