//! Changes of TCB mode: requested by the code of a task, carried out on the thread that runs it.
//!
//! Invariants: a task that runs under a single mode holds the token of that mode, and a task that runs under an open mode holds no token. A
//! task holds a TCB of each open mode in its `open_tcbs`, and of the mode it runs under if that mode is open.

use super::core::{Core, Task};
use super::coroutine::SwitchOff;
use super::pools::Acquired;
use crate::clock::ticks;
use crate::mode::{Mode, POOL_COUNT, Pool};
use crate::trace::{self, Value, points};
use crate::wait::{Purge, Resumed, Wait};
use std::sync::atomic::Ordering;

impl Task {
    /// Own task. Switches to `mode`, waiting for it if need be; returns the mode before. Only the wait for a pooled TCB can be
    /// purged; the mode is then unchanged.
    #[inline]
    pub fn change_mode(&self, mode: Mode) -> Result<Mode, Purge> {
        self.assert_own();
        let before = self.mode();
        if before == mode {
            return Ok(before);
        }
        trace::point_with(&points::DS_CHANGE_MODE_ENTRY, || [Value::Text("CHANGE_MODE"), Value::Text(mode.name())]);
        let changed = self.change(before, mode);
        trace::point_with(&points::DS_CHANGE_MODE_EXIT, || {
            [Value::Text("CHANGE_MODE"), Value::Text(if changed.is_ok() { "OK" } else { "PURGED" }), Value::Text(before.name())]
        });
        changed.map(|()| before)
    }

    #[inline]
    fn change(&self, before: Mode, mode: Mode) -> Result<(), Purge> {
        debug_assert!(!before.is_single() || self.core.tokens[before as usize].is_held(), "a task under a single mode holds its token");
        let mut before = before;
        if !mode.is_single() && self.open_tcbs.load(Ordering::Relaxed) & (1 << mode as u32) == 0 {
            before = self.acquire(before, mode)?;
        }
        let now = ticks();
        self.account().charge(before, now);
        self.account().change_modes.add(1);
        self.account().modes[mode as usize].switches.add(1);
        self.set_mode(mode);
        if before.is_single() {
            self.core.release_token(before);
        } else if !before.is_held_for_task() {
            self.core.close_tcb(self, before);
        }
        if mode.is_single() && !self.core.try_take_token(mode) {
            self.wait_for_mode(now);
        }
        Ok(())
    }

    /// Gets an open TCB of the mode, and answers the mode the task is in now. The TCBs of SSL and THRD are attached on the TCB that owns
    /// their pool (SP, TP), one at a time; from there the task goes on to its new TCB.
    fn acquire(&self, before: Mode, mode: Mode) -> Result<Mode, Purge> {
        // A task that would give up an open TCB for the owner's might not get it back.
        let owner = mode.pool().and_then(Pool::owner).filter(|_| before.is_single() || before.is_held_for_task());
        let Some(owner) = owner.filter(|_| self.core.pools.has_none_free(mode)) else {
            return self.core.open_tcb(self, mode).map(|()| before);
        };
        self.change(before, owner)?;
        match self.core.open_tcb(self, mode) {
            Ok(()) => Ok(owner),
            Err(purge) => {
                self.change(owner, before)?;
                Err(purge)
            }
        }
    }

    #[cold]
    fn wait_for_mode(&self, since: u64) {
        debug_assert_eq!(self.exec_state().locks.get(), 0, "change mode while a lock is held");
        self.body.switch_off(SwitchOff::Mode);
        let account = self.account();
        account.change_mode_delay.add(account.since.get().saturating_sub(since));
        account.modes[self.mode() as usize].switches_delayed.add(1);
    }

    /// Own task. Runs `work` on the stack of the worker thread, for code that needs a big stack or a thread's own. `work`
    /// must not suspend; it keeps its mode and blocks the worker.
    pub fn on_thread_stack<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.assert_own();
        let limit = self.exec_state().stack_limit.replace(0);
        let has_task_stack = self.exec_state().has_task_stack.replace(false);
        let result = self.body.on_thread_stack(work);
        self.exec_state().has_task_stack.set(has_task_stack);
        self.exec_state().stack_limit.set(limit);
        result
    }
}

impl Core {
    /// Own task: gets an open TCB of the mode, waiting if its pool is at the limit.
    fn open_tcb(&self, task: &Task, mode: Mode) -> Result<(), Purge> {
        let acquired = self.pools.acquire_or_wait(mode, || task.waker());
        task.account().tcb_attaches.add(u64::from(acquired == Acquired::Attached));
        if acquired == Acquired::Waits {
            const NAMES: [&str; POOL_COUNT] = ["OPENPOOL", "SSLPOOL", "XPPOOL", "THRDPOOL"];
            let pool = mode.pool().expect("only pooled modes wait");
            let since = ticks();
            let reason = task.suspend(&Wait::new(NAMES[pool as usize]).named(mode.name().into()));
            task.account().pool_delays[pool as usize].add(ticks().saturating_sub(since));
            if let Resumed::Purged(purge) = reason {
                return Err(purge);
            }
        }
        let held = task.open_tcbs.fetch_or(1 << mode as u32, Ordering::Relaxed) | 1 << mode as u32;
        let peak = task.account().open_tcbs_peak.get().max(held.count_ones() as u64);
        task.account().open_tcbs_peak.set(peak);
        Ok(())
    }

    /// Gives one open TCB of the task back.
    fn close_tcb(&self, task: &Task, mode: Mode) {
        let held = task.open_tcbs.fetch_and(!(1 << mode as u32), Ordering::Relaxed);
        assert!(held & 1 << mode as u32 != 0, "a task gives back what it holds");
        self.pools.release(mode);
    }

    /// Returns all open TCBs of an ended task.
    pub(super) fn close_tcbs(&self, task: &Task) {
        let mut held = task.open_tcbs.swap(0, Ordering::Relaxed);
        while held != 0 {
            self.pools.release(Mode::ALL[held.trailing_zeros() as usize]);
            held &= held - 1;
        }
    }
}
