//! The waits of a task: how one is opened, slept through and ended.
//!
//! Invariants: the wait word is the only place where a wait begins, ends and is matched with its waker; it goes idle ->
//! open -> (asleep ->) fired -> idle, and its sequence number grows with each opening. A task is made ready by exactly the
//! thread that moved the word from asleep to fired.

use super::{Task, TaskRef, current};
use crate::coroutine::{SwitchOff, erase_lifetime};
use crate::wait::{Ecb, Resumed, Wait, Waker};
use crate::wait_word::{self as word, resumed};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Bits of [`Task::wait_flags`].
pub(super) const WAIT_PURGEABLE: u8 = 1;
pub(super) const WAIT_PROTECTED: u8 = 2;

impl Task {
    fn note_wait(&self, wait: &Wait) {
        let name = wait.resource_name.as_bytes();
        let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
        self.wait_text[0].store(word(wait.resource_type.as_bytes()), Ordering::Relaxed);
        self.wait_text[1].store(word(&name[..8]), Ordering::Relaxed);
        self.wait_text[2].store(word(&name[8..]), Ordering::Relaxed);
        let flags = if wait.purgeable { WAIT_PURGEABLE } else { 0 } | if wait.protected { WAIT_PROTECTED } else { 0 };
        self.wait_flags.store(flags, Ordering::SeqCst);
    }

    /// Own task. Opens a new wait: the waker may be given to whoever will resume the task, then [`Task::suspend`] waits.
    pub fn waker(&self) -> Waker {
        self.assert_own();
        Waker { task: self.self_ref(), sequence: self.open_wait() }
    }

    fn self_ref(&self) -> TaskRef {
        current().expect("a task makes wakers for itself")
    }

    fn open_wait(&self) -> u64 {
        let sequence = (word::sequence(self.word.load(Ordering::Relaxed)) + 1) & 0xFFFF_FFFF;
        // Nothing else writes the word of a task that runs, once the former wait is closed.
        self.word.store(word::make(sequence, 0, 0, word::OPEN), Ordering::Release);
        sequence
    }

    /// Closes the wait; later wakers of it do nothing. Returns the word.
    fn close_wait(&self) -> u64 {
        let mut now = self.word.load(Ordering::Acquire);
        loop {
            let closed = word::make(word::sequence(now), 0, 0, word::IDLE);
            match self.word.compare_exchange_weak(now, closed, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return now,
                Err(other) => now = other,
            }
        }
    }

    /// Own task. Gives up the wait opened by [`Task::waker`] without suspending; the waker does nothing any more. False if
    /// it had been used already.
    pub fn abandon_wait(&self) -> bool {
        word::phase(self.close_wait()) != word::FIRED
    }

    /// Own task. Waits until the waker of this wait is used, the timeout passes or a purge arrives.
    pub fn suspend(&self, wait: &Wait) -> Resumed {
        self.assert_own();
        debug_assert_eq!(self.exec.locks.get(), 0, "suspend while a lock is held");
        if word::phase(self.word.load(Ordering::Acquire)) == word::IDLE {
            self.open_wait();
        }
        self.note_wait(wait);
        if word::phase(self.word.load(Ordering::Acquire)) == word::FIRED {
            return resumed(self.close_wait());
        }
        if let Some(purge) = self.applicable_purge() {
            let closed = self.close_wait();
            if word::phase(closed) == word::FIRED {
                return resumed(closed);
            }
            self.purge_delivered();
            return Resumed::Purged(purge);
        }
        let timer = wait.timeout.map(|timeout| {
            let sequence = word::sequence(self.word.load(Ordering::Relaxed));
            self.core.wake_after(timeout, Waker { task: self.self_ref(), sequence })
        });
        self.account.suspends.add(1);
        self.body.switch_off(SwitchOff::Wait);
        let reason = resumed(self.close_wait());
        if let Some(timer) = timer
            && reason != Resumed::TimedOut
        {
            self.core.cancel_timer(timer);
        }
        if matches!(reason, Resumed::Purged(_)) {
            self.purge_delivered();
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
                self.close_wait();
                return Resumed::Posted(index as u32);
            }
        }
        self.suspend(wait)
    }

    /// Own task. Waits for a time; [`Resumed::TimedOut`] is the normal end.
    pub fn delay(&self, wait: &Wait, time: Duration) -> Resumed {
        self.suspend(&wait.timeout(time))
    }

    /// Own task. Gives up control to tasks of the same or higher priority (EXEC CICS SUSPEND).
    pub fn relinquish(&self) {
        self.assert_own();
        debug_assert_eq!(self.exec.locks.get(), 0, "suspend while a lock is held");
        self.body.switch_off(SwitchOff::Relinquish);
    }

    /// Own task. Runs `work` on a thread of its own while the task is suspended under `wait`, which is never purged. The
    /// work may block and may borrow from the caller. A panic in it goes on in the task.
    pub fn run_blocking<R: Send>(&self, wait: &Wait, work: impl FnOnce() -> R + Send) -> R {
        let waker = self.waker();
        let mut result = None;
        let slot = &mut result;
        let job: Box<dyn FnOnce() + Send + '_> = Box::new(move || {
            *slot = Some(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)));
            waker.resume();
        });
        // The wait below ends only by the waker, which the job uses as its last act.
        self.core.submit_blocking(unsafe { erase_lifetime(job) });
        let wait = Wait { timeout: None, ..wait.protected() };
        let reason = self.suspend(&wait);
        assert!(matches!(reason, Resumed::Posted(_)), "a protected wait ends by its waker");
        match result.expect("the job stores its result before it wakes the task") {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    /// The wait `sequence` has neither ended nor been abandoned.
    pub(crate) fn wait_is_live(&self, sequence: u64) -> bool {
        let now = self.word.load(Ordering::Acquire);
        word::sequence(now) == sequence && matches!(word::phase(now), word::OPEN | word::ASLEEP)
    }

    /// Worker: the task sleeps from now on. False if its wait has ended meanwhile.
    pub(crate) fn fall_asleep(&self) -> bool {
        let now = self.word.load(Ordering::Acquire);
        debug_assert!(matches!(word::phase(now), word::OPEN | word::FIRED));
        let asleep = word::make(word::sequence(now), 0, 0, word::ASLEEP);
        word::phase(now) == word::OPEN && self.word.compare_exchange(now, asleep, Ordering::SeqCst, Ordering::Acquire).is_ok()
    }
}

impl TaskRef {
    /// Ends the wait `sequence` for `reason`, unless it has ended; makes a sleeping task ready.
    pub(crate) fn fire(&self, sequence: u64, reason: Resumed) -> bool {
        let (value, code) = match reason {
            Resumed::Posted(value) => (value, word::POSTED),
            Resumed::TimedOut => (0, word::TIMED_OUT),
            Resumed::Purged(purge) => (0, word::PURGED + purge as u64),
        };
        debug_assert!(value <= word::VALUE_MAX, "a waker carries 24 bits");
        let fired = word::make(sequence, value, code, word::FIRED);
        let mut now = self.word.load(Ordering::Acquire);
        loop {
            let phase = word::phase(now);
            if word::sequence(now) != sequence || !matches!(phase, word::OPEN | word::ASLEEP) {
                return false;
            }
            match self.word.compare_exchange_weak(now, fired, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) if phase == word::ASLEEP => {
                    self.core.make_ready(self.clone());
                    return true;
                }
                Ok(_) => return true,
                Err(other) => now = other,
            }
        }
    }
}
