//! The waits of a task: how one is opened, slept through and ended.
//!
//! Invariants: those of the wait word, the only place where a wait begins, ends and is matched with its waker; a suspended task holds no
//! lock of the region and none of the kernel (both asserted).
//!
//! `unsafe` here lends a caller's stack frame to a thread of the blocking pool: the protected wait is ended only by the waker, which the
//! job uses as its last action (asserted), and a suspended task is never unwound. `tests/waits.rs` covers it.

use super::core::{Action, Core, Task, TaskRef, Waker};
use super::coroutine::{SwitchOff, erase_lifetime};
use super::current::current;
use super::wake::Ecb;
use crate::task::wait_word::Fired;
use crate::trace::{self, Value, points};
use crate::wait::{Purge, Resumed, Wait};
use std::time::Duration;

/// How the time is accounted in which a task has given up control to others (GVUPWAIT). It is dispatchable meanwhile.
const GIVEN_UP: Wait = Wait::new("GIVEUP");

impl Task {
    /// Own task. Opens a new wait: the waker is handed to the code that will resume the task, then [`Task::suspend`] waits.
    pub fn waker(&self) -> Waker {
        self.assert_own();
        Waker { task: self.self_ref(), sequence: self.wait.open() }
    }

    fn self_ref(&self) -> TaskRef {
        current().expect("a task makes wakers for itself")
    }

    /// Own task. Abandons the wait opened by [`Task::waker`] without suspending; the waker has no further effect. False if it had already
    /// been used.
    pub fn abandon_wait(&self) -> bool {
        self.wait.close().is_none()
    }

    /// Own task. Waits until the waker of this wait is used, the timeout passes or a purge arrives.
    #[inline]
    pub fn suspend(&self, wait: &Wait) -> Resumed {
        trace_suspend("SUSPEND", wait);
        let resumed = self.sleep(wait);
        trace_resumed("SUSPEND", resumed);
        resumed
    }

    fn sleep(&self, wait: &Wait) -> Resumed {
        self.assert_own();
        self.assert_no_lock();
        if self.wait.is_idle() {
            self.wait.open();
        }
        self.note_wait(wait);
        if self.wait.has_fired() {
            return self.wait.close().expect("only the task closes its wait");
        }
        if let Some(purge) = self.applicable_purge() {
            return self.wait.close().unwrap_or_else(|| {
                self.exec_state().purge_delivered();
                Resumed::Purged(purge)
            });
        }
        let timer = wait.timeout.map(|timeout| {
            let sequence = self.wait.sequence();
            self.core.wake_after(timeout, Waker { task: self.self_ref(), sequence })
        });
        self.account().suspends.add(1);
        let before = self.account().suspend.get();
        self.body.switch_off(SwitchOff::Wait);
        self.count_wait(wait, self.account().suspend.get() - before);
        let reason = self.wait.close().expect("a task that sleeps is resumed by the end of its wait");
        if let Some(timer) = timer
            && reason != Resumed::TimedOut
        {
            self.core.timers.cancel(timer);
        }
        if matches!(reason, Resumed::Purged(_)) {
            self.exec_state().purge_delivered();
        }
        reason
    }

    /// Own task. Waits until the block is posted.
    pub fn wait_ecb(&self, ecb: &Ecb, wait: &Wait) -> Resumed {
        self.wait_any(&[ecb], wait)
    }

    /// Own task. Waits until one of the blocks is posted; the value of [`Resumed::Posted`] is its index.
    pub fn wait_any(&self, ecbs: &[&Ecb], wait: &Wait) -> Resumed {
        let waker = self.waker();
        for (index, ecb) in ecbs.iter().enumerate() {
            if !ecb.register(&waker, index as u32) {
                self.wait.close();
                return Resumed::Posted(index as u32);
            }
        }
        self.suspend(wait)
    }

    /// Own task. Waits for a time; [`Resumed::TimedOut`] is the normal end.
    pub fn delay(&self, wait: &Wait, time: Duration) -> Resumed {
        self.suspend(&wait.timeout(time))
    }

    /// Own task. Yields to tasks of the same or higher priority (EXEC CICS SUSPEND).
    pub fn relinquish(&self) {
        self.assert_own();
        self.assert_no_lock();
        let before = self.account().suspend.get();
        self.body.switch_off(SwitchOff::Relinquish);
        self.count_wait(&GIVEN_UP, self.account().suspend.get() - before);
    }

    /// Own task. As [`Task::relinquish`], for a program that waits for its turn: a purge that it is open to ends the wait, as it ends others.
    pub fn relinquish_purgeable(&self) -> Option<Purge> {
        self.relinquish();
        let purge = self.exec_state().pending_purge().filter(|purge| *purge > Purge::Purge || self.is_purgeable())?;
        self.exec_state().purge_delivered();
        Some(purge)
    }

    pub(super) fn assert_no_lock(&self) {
        debug_assert_eq!(self.exec_state().locks.get(), 0, "suspend while a lock is held");
    }

    /// Own task. Runs `work` on a separate thread while the task is suspended under `wait`, which is never purged. The work may block and
    /// may borrow from the caller. A panic in it continues in the task.
    pub fn run_blocking<R: Send>(&self, wait: &Wait, work: impl FnOnce() -> R + Send) -> R {
        let waker = self.waker();
        let mut result = None;
        let slot = &mut result;
        let job: Box<dyn FnOnce() + Send + '_> = Box::new(move || {
            *slot = Some(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)));
            waker.resume();
        });
        // The wait below ends only by the waker, which the job uses as its last action.
        self.core.blocking.submit(unsafe { erase_lifetime(job) });
        let wait = Wait { timeout: None, ..wait.protected() };
        let reason = self.suspend(&wait);
        assert!(matches!(reason, Resumed::Posted(_)), "a protected wait ends by its waker");
        match result.expect("the job stores its result before it wakes the task") {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// A task begins to wait.
#[inline]
pub(super) fn trace_suspend(function: &str, wait: &Wait) {
    trace::point_with(&points::DS_SUSPEND_ENTRY, || {
        [Value::Text(function), Value::Text(wait.resource_type.as_str()), Value::Text(wait.resource_name.as_str())]
    });
}

/// A task has waited.
#[inline]
pub(super) fn trace_resumed(function: &str, resumed: Resumed) {
    trace::point_with(&points::DS_SUSPEND_EXIT, || {
        let response = match resumed {
            Resumed::Posted(_) => "OK",
            Resumed::TimedOut => "TIMED_OUT",
            Resumed::Purged(_) => "PURGED",
        };
        [Value::Text(function), Value::Text(response)]
    });
}

impl TaskRef {
    /// Ends the wait `sequence` for `reason`, unless it has ended; makes a sleeping task ready.
    pub(super) fn fire(&self, sequence: u64, reason: Resumed) -> bool {
        let fired = self.wait.fire(sequence, reason);
        if fired == Fired::Asleep {
            self.core.make_ready(self.clone());
        }
        fired != Fired::TooLate
    }
}

impl Core {
    fn wake_after(&self, delay: Duration, waker: Waker) -> u64 {
        self.timers.insert(delay, Action::Wake(waker))
    }
}
