//! Strings of a file (STRINGS): the number of requests it processes concurrently.
//!
//! A request holds a string while it is executed, a browse from STARTBR to ENDBR, a READ UPDATE until the record is rewritten, deleted or
//! unlocked. A task without a string waits for one (FCPSSUSP) in order of arrival. RLS files have no strings. A string of an LSR pool
//! (FCSRSUSP) also needs a buffer of the file's size from the pool (FCBFSUSP), counted in the same way.
//!
//! Invariant: no task waits for a string while it holds a string of any file or a record lock; such a task gets one beyond the limit, so
//! strings alone never cause a deadlock.

use super::{FileUse, LsrPool};
use crate::file_control::TaskState;
use kernel::{Name16, Peaks, Resumed, Wait, Waker};
use parking_lot::Mutex;
use region::{Abend, Outcome, Raised, Task};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

#[derive(Default)]
pub struct Strings {
    in_use: AtomicU32,
    waiting: Mutex<VecDeque<Waker>>,
    /// Length of `waiting`, readable without its lock.
    waiters: AtomicU32,
    peak: AtomicU32,
    pub waits: AtomicU64,
    waits_peak: AtomicU64,
}

impl Strings {
    #[inline]
    fn try_take(&self, limit: u32) -> bool {
        let take = |used: u32| (used < limit).then_some(used + 1);
        let taken = self.in_use.fetch_update(Ordering::AcqRel, Ordering::Relaxed, take);
        if let Ok(before) = taken
            && before >= self.peak.load(Ordering::Relaxed)
        {
            self.peak.fetch_max(before + 1, Ordering::Relaxed);
        }
        taken.is_ok()
    }

    pub fn active(&self) -> u32 {
        self.in_use.load(Ordering::Relaxed)
    }

    pub fn active_peak(&self, peaks: Peaks) -> u32 {
        peaks.read_u32(&self.peak, || self.active())
    }

    /// The most requests that waited.
    pub fn waits_peak(&self, peaks: Peaks) -> u64 {
        peaks.read(&self.waits_peak, || self.waiting().into())
    }

    /// Requests that wait now.
    pub fn waiting(&self) -> u32 {
        self.waiters.load(Ordering::Relaxed)
    }

    fn wait(&self, waker: Waker) {
        let mut waiting = self.waiting.lock();
        waiting.push_back(waker);
        self.waiters.store(waiting.len() as u32, Ordering::SeqCst);
        self.waits_peak.fetch_max(waiting.len() as u64, Ordering::Relaxed);
    }

    #[inline]
    fn give(&self) {
        let in_use = self.in_use.fetch_sub(1, Ordering::SeqCst);
        debug_assert!(in_use > 0, "a string that is given back was in use");
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

/// Executes a request with its own string; a browse or update that it starts keeps the string.
#[inline]
pub(super) fn with_string(task: &mut Task, at: usize, request: impl FnOnce(&mut Task) -> Outcome) -> Outcome {
    let used = &TaskState::of(&task.parts).uses[at];
    if used.definition.rls {
        return request(task);
    }
    let limit = used.definition.strings.max(1);
    if !used.resource.strings.try_take(limit) {
        let resource = used.resource.clone();
        wait_for_string(task, &resource.strings, limit, Wait::new("FCPSSUSP").named(Name16::new(resource.name.as_str())))?;
    }
    if TaskState::of(&task.parts).uses[at].pool.is_some()
        && let Err(raised) = take_from_pool(task, at)
    {
        TaskState::of(&task.parts).uses[at].resource.strings.give();
        return Err(raised);
    }
    TaskState::of_mut(&mut task.parts).uses[at].strings += 1;
    let outcome = request(task);
    settle(task, at);
    outcome
}

/// A string of the file's pool, and a buffer if there are fewer of them than strings.
#[inline]
fn take_from_pool(task: &mut Task, at: usize) -> Outcome {
    let used = &TaskState::of(&task.parts).uses[at];
    let Some(pool) = &used.pool else { return Ok(()) };
    let name = |pool: &LsrPool| Name16::new(&format!("LSRPOOL{}", pool.number));
    if !pool.strings.try_take(pool.string_limit()) {
        let pool = pool.clone();
        wait_for_string(task, &pool.strings, pool.string_limit(), Wait::new("FCSRSUSP").named(name(&pool)))?;
    }
    let used = &TaskState::of(&task.parts).uses[at];
    if let (Some(pool), Some(size)) = (&used.pool, used.buffers)
        && !pool.buffers_in_use[size].try_take(pool.buffer_limit(size))
    {
        let pool = pool.clone();
        let waited = wait_for_string(task, &pool.buffers_in_use[size], pool.buffer_limit(size), Wait::new("FCBFSUSP").named(name(&pool)));
        if waited.is_err() {
            pool.strings.give();
        }
        return waited;
    }
    Ok(())
}

/// Returns the strings no longer needed by a browse or update of the task.
#[inline]
pub(super) fn settle(task: &mut Task, at: usize) {
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    let needed = (used.holds.len() + used.browses.len()) as u32;
    while used.strings > needed {
        used.strings -= 1;
        give(used);
    }
}

fn give(used: &FileUse) {
    used.resource.strings.give();
    if let Some(pool) = &used.pool {
        pool.strings.give();
        if let Some(size) = used.buffers {
            pool.buffers_in_use[size].give();
        }
    }
}

/// Returns all strings of a task's use of a file.
pub(super) fn give_all(used: &FileUse) {
    for _ in 0..used.strings {
        give(used);
    }
}

#[cold]
fn wait_for_string(task: &mut Task, strings: &Strings, limit: u32, wait: Wait) -> Outcome {
    let holds_something = TaskState::of(&task.parts).uses.iter().any(|used| used.strings > 0)
        || task.open_unit_of_work().is_some_and(|unit| unit.lock_count() > 0);
    if holds_something {
        strings.in_use.fetch_add(1, Ordering::AcqRel);
        return Ok(());
    }
    strings.waits.fetch_add(1, Ordering::Relaxed);
    let wait = Wait { timeout: task.definition.deadlock_timeout(), ..wait };
    loop {
        strings.wait(task.kernel.waker());
        if strings.try_take(limit) {
            return Ok(());
        }
        let resumed = task.suspend(&wait);
        if strings.try_take(limit) {
            return Ok(());
        }
        if resumed? == Resumed::TimedOut {
            let abend = Abend::new("AFCY").because("DTIMOUT: no string or buffer of the file or its LSR pool became free".to_string());
            return Err(Raised::Abend(Box::new(abend)));
        }
    }
}
