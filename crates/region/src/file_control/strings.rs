//! Strings of a file (STRINGS): how many requests it takes at a time.
//!
//! A request holds a string while it is executed, a browse from STARTBR to ENDBR, a record read for update until it is rewritten, deleted or
//! let go. A task without a string waits for one (FCPSWAIT) in the order of arrival. RLS files have no strings.
//!
//! Invariant: nobody waits for a string while holding one of any file, or a record lock; such a task gets one beyond the limit, so strings
//! alone never make tasks wait for each other in a circle.

use super::FileResource;
use crate::exec_interface::{Abend, Outcome, Raised};
use crate::transaction_manager::Task;
use kernel::{Name16, Resumed, Wait, Waker};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

#[derive(Default)]
pub(super) struct Strings {
    in_use: AtomicU32,
    waiting: Mutex<VecDeque<Waker>>,
    /// Length of `waiting`, to see without its lock that there is nobody.
    waiters: AtomicU32,
    pub waits: AtomicU64,
    pub waits_peak: AtomicU64,
}

impl Strings {
    #[inline]
    fn try_take(&self, limit: u32) -> bool {
        let take = |used: u32| (used < limit).then_some(used + 1);
        self.in_use.fetch_update(Ordering::AcqRel, Ordering::Relaxed, take).is_ok()
    }

    fn wait(&self, waker: Waker) {
        let mut waiting = self.waiting.lock();
        waiting.push_back(waker);
        self.waiters.store(waiting.len() as u32, Ordering::SeqCst);
        self.waits_peak.fetch_max(waiting.len() as u64, Ordering::Relaxed);
    }

    #[inline]
    fn give(&self) {
        self.in_use.fetch_sub(1, Ordering::SeqCst);
        if self.waiters.load(Ordering::SeqCst) > 0 {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        let mut waiting = self.waiting.lock();
        // A task that has given up waiting cannot be woken: the next one is.
        while let Some(waker) = waiting.pop_front() {
            if waker.resume() {
                break;
            }
        }
        self.waiters.store(waiting.len() as u32, Ordering::SeqCst);
    }
}

/// Executes a request with a string of its own; what it started (a browse, an update) keeps it.
#[inline]
pub(super) fn with_string(task: &mut Task, at: usize, request: impl FnOnce(&mut Task) -> Outcome) -> Outcome {
    let used = &mut task.file_control.uses[at];
    if used.definition.rls {
        return request(task);
    }
    if used.resource.strings.try_take(used.definition.strings.max(1)) {
        used.strings += 1;
    } else {
        wait_for_string(task, at)?;
    }
    let outcome = request(task);
    settle(task, at);
    outcome
}

/// Gives back the strings that no browse and no update of the task needs any more.
#[inline]
pub(super) fn settle(task: &mut Task, at: usize) {
    let used = &mut task.file_control.uses[at];
    let needed = (used.holds.len() + used.browses.len()) as u32;
    while used.strings > needed {
        used.strings -= 1;
        used.resource.strings.give();
    }
}

/// Gives back all strings of a task's use of a file.
pub(super) fn give_all(resource: &FileResource, strings: u32) {
    for _ in 0..strings {
        resource.strings.give();
    }
}

#[cold]
fn wait_for_string(task: &mut Task, at: usize) -> Outcome {
    let resource = task.file_control.uses[at].resource.clone();
    let limit = task.file_control.uses[at].definition.strings.max(1);
    let holds_something =
        task.file_control.uses.iter().any(|used| used.strings > 0) || task.open_unit_of_work().is_some_and(|unit| unit.lock_count() > 0);
    if holds_something {
        resource.strings.in_use.fetch_add(1, Ordering::AcqRel);
        task.file_control.uses[at].strings += 1;
        return Ok(());
    }
    resource.strings.waits.fetch_add(1, Ordering::Relaxed);
    let mut wait = Wait::new("FCPSWAIT").named(Name16::new(resource.name.as_str()));
    let seconds = task.definition.deadlock_timeout_seconds;
    if seconds > 0 {
        wait = wait.timeout(Duration::from_secs(u64::from(seconds)));
    }
    loop {
        resource.strings.wait(task.kernel.waker());
        if resource.strings.try_take(limit) {
            break;
        }
        let resumed = task.suspend(&wait);
        if resource.strings.try_take(limit) {
            break;
        }
        if resumed? == Resumed::TimedOut {
            let abend = Abend::new("AFCY").because(format!("DTIMOUT: no string of file {} became free", resource.name));
            return Err(Raised::Abend(Box::new(abend)));
        }
    }
    task.file_control.uses[at].strings += 1;
    Ok(())
}
