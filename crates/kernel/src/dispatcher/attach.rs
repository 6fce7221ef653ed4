//! The life of a task from attach to end.
//!
//! Invariants: an attached task ends exactly once, and until then is found by its identifier. It is in one place at a time: the queue of a
//! gate, a ready queue, a worker, or asleep behind its wait word. A task starts under QR. Assertions check each change of its run state.

use super::admission::Admission;
use super::core::{Core, HALTED, REFUSING, Task, TaskRef};
use super::coroutine::{Code, Once};
use super::request::AttachError;
use crate::clock::ticks;
use crate::inquire::TaskId;
use crate::name::{Name, Name8};
use crate::task::{Attributes, ControlBlock};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A task to be attached.
pub struct AttachRequest {
    pub transaction: Name<4>,
    /// Transaction class; blank: none.
    pub class: Name8,
    pub priority: u8,
    /// A system task is counted by neither MXT nor class.
    pub system: bool,
    /// SPURGE
    pub purgeable: bool,
    /// RUNAWAY. None: the region's ICVR; zero: no limit.
    pub runaway: Option<Duration>,
    pub code: Arc<dyn Code<Task>>,
}

impl AttachRequest {
    /// A task of a closure.
    pub fn new(transaction: &str, closure: impl FnOnce(&Task) + Send + 'static) -> AttachRequest {
        AttachRequest::with_code(transaction, Arc::new(Once::new(closure)))
    }

    pub fn with_code(transaction: &str, code: Arc<dyn Code<Task>>) -> AttachRequest {
        AttachRequest {
            transaction: Name::new(transaction),
            class: Name8::BLANK,
            priority: 1,
            system: false,
            purgeable: true,
            runaway: None,
            code,
        }
    }

    pub fn class(mut self, class: Name8) -> AttachRequest {
        self.class = class;
        self
    }

    pub fn priority(mut self, priority: u8) -> AttachRequest {
        self.priority = priority;
        self
    }

    pub fn system(mut self) -> AttachRequest {
        self.system = true;
        self
    }

    pub fn runaway(mut self, limit: Duration) -> AttachRequest {
        self.runaway = Some(limit);
        self
    }

    pub fn purgeable(mut self, purgeable: bool) -> AttachRequest {
        self.purgeable = purgeable;
        self
    }
}

impl Core {
    pub(super) fn attach(self: &Arc<Core>, request: AttachRequest) -> Result<TaskRef, AttachError> {
        if self.phase.load(Ordering::SeqCst) >= if request.system { HALTED } else { REFUSING } {
            return Err(AttachError::Stopping);
        }
        let runaway = request.runaway.unwrap_or(Duration::from_nanos(self.runaway_ns.load(Ordering::Relaxed)));
        let id = TaskId(self.next_id.fetch_add(1, Ordering::Relaxed));
        let AttachRequest { transaction, class, priority, system, purgeable, code, .. } = request;
        let block = ControlBlock::new(Attributes { id, transaction, class, system, priority, purgeable, runaway });
        let task = TaskRef(Arc::new(Task::new(self.clone(), block, code)));
        self.shard(id).lock().insert(id.0, task.clone());
        let current = self.tasks_current.fetch_add(1, Ordering::SeqCst) + 1;
        if current > self.tasks_peak.load(Ordering::Relaxed) {
            self.tasks_peak.fetch_max(current, Ordering::Relaxed);
        }
        match self.admissions.enter(&task) {
            Ok(Admission::Ready) => self.make_ready(task.clone()),
            Ok(Admission::Queued) => (),
            Err(error) => {
                drop(task.body.take_code());
                self.forget(&task);
                task.set_ended();
                return Err(error);
            }
        }
        Ok(task)
    }

    fn forget(&self, task: &TaskRef) {
        let known = self.shard(task.id()).lock().remove(&task.id().0);
        debug_assert!(known.is_some(), "a task is found until it ends");
        let before = self.tasks_current.fetch_sub(1, Ordering::SeqCst);
        debug_assert!(before > 0, "who ends was attached");
    }

    /// The task has ended; `passed` if it had been admitted.
    pub(super) fn finish(&self, task: TaskRef, passed: bool) {
        if let Some(code) = task.body.take_code()
            && std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| code.ended(&task))).is_err()
        {
            tracing::error!("the end routine of task {} panicked", task.number());
        }
        self.forget(&task);
        if passed {
            self.admissions.leave(&task).into_iter().for_each(|ready| self.make_ready(ready));
        }
        let awaited = task.set_ended();
        if awaited || self.waiting_for_ends.load(Ordering::SeqCst) > 0 {
            drop(self.ends.lock());
            self.ended.notify_all();
        }
    }

    /// Drops a purged task that waits at a gate; false if it does not.
    pub(super) fn purge_queued(&self, task: &Task) -> bool {
        if task.queue_key.load(Ordering::SeqCst) == 0 {
            return false;
        }
        let Some(task) = self.task(task.id()) else { return false };
        let Some(ready) = self.admissions.remove(&task) else { return false };
        ready.into_iter().for_each(|ready| self.make_ready(ready));
        task.account().ended_at.set(ticks());
        self.finish(task, false);
        true
    }

    /// Waits for a condition that the end of any task may bring about.
    pub(super) fn wait_for_end(&self, timeout: Duration, is_reached: impl FnMut() -> bool) -> bool {
        self.waiting_for_ends.fetch_add(1, Ordering::SeqCst);
        let reached = self.sleep_until(timeout, is_reached);
        self.waiting_for_ends.fetch_sub(1, Ordering::SeqCst);
        reached
    }

    /// Checks the condition now and whenever `finish` reports the end of a task that is being waited for.
    fn sleep_until(&self, timeout: Duration, mut is_reached: impl FnMut() -> bool) -> bool {
        let deadline = Instant::now() + timeout.min(Duration::from_secs(1 << 30));
        let mut guard = self.ends.lock();
        let mut reached = is_reached();
        while !reached && !self.ended.wait_until(&mut guard, deadline).timed_out() {
            reached = is_reached();
        }
        reached || is_reached()
    }
}

impl Task {
    /// Any other thread: waits until the task has ended. False after the timeout.
    pub fn join(&self, timeout: Duration) -> bool {
        self.has_ended() || {
            self.await_end();
            self.core.sleep_until(timeout, || self.has_ended())
        }
    }
}
