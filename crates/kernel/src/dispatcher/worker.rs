//! Workers: the threads that run tasks, how they find work and how they sleep.
//!
//! Invariants: a worker that finds no work sets its idle bit and then checks once more, and a thread that makes work available checks the
//! bits afterwards; so either the worker sees the work or the other thread sees the bit. A wake goes to one worker, through a word of its
//! own. A worker never stops searching while a wanted token is free or the ready queue has a task. Only the worker writes its slot, except
//! for the wake word and, by the task it runs, the number of the dispatch.
//!
//! While one worker searches, no other is woken: the searching worker will find the work. When it stops searching, it checks whether more
//! work is left and wakes the next one, so no worker is woken in vain. A worker counts as searching from the moment its task switches off,
//! or from the decision to wake it. One worker at a time polls for a few microseconds before it sleeps, because a sleep and a wake cost
//! more.
//!
//! `unsafe` here reads the identifier and the CPU clock of the current thread, the clock into a local variable. The runaway tests of
//! `tests/guard/runaway.rs` cover it: a thread is timed and stopped by these.

use super::core::{Core, TaskRef};
use super::coroutine::{SwitchOff, Switched};
use super::idle_work::IdleWork;
use super::queues::Turn;
use super::worker_slot::WorkerSlot;
use crate::clock::ticks;
use crate::inquire::RunState;
use crate::task::account::reset_cpu_base;
use crate::traps::{leave_signals_to_others, prepare_thread, run_as};
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};
use std::task::Waker;
use std::time::Duration;

/// A spare worker ends after this time without work.
const SPARE_IDLE_MAX: Duration = Duration::from_secs(1);

impl Core {
    /// Starts the thread of a worker slot.
    pub(super) fn start_worker(self: &Arc<Core>, index: usize, spare: bool) -> std::io::Result<()> {
        self.workers[index].started.store(true, Ordering::SeqCst);
        let core = self.clone();
        let spawned = std::thread::Builder::new().name(format!("worker-{index}")).spawn(move || core.run_worker(index, spare));
        match spawned {
            Ok(thread) => {
                let mut threads = self.threads.lock();
                threads.retain(|thread| !thread.is_finished());
                threads.push(thread);
                Ok(())
            }
            Err(error) => {
                self.workers[index].started.store(false, Ordering::SeqCst);
                Err(error)
            }
        }
    }

    fn run_worker(self: &Arc<Core>, index: usize, spare: bool) {
        prepare_thread();
        leave_signals_to_others();
        let slot = &self.workers[index];
        let mut clock = 0;
        unsafe {
            slot.thread_id.store(libc::syscall(libc::SYS_gettid) as i32, Ordering::Relaxed);
            libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock);
        }
        slot.cpu_clock.store(clock, Ordering::Relaxed);
        reset_cpu_base(ticks());
        let mut turn = 0u32;
        self.searching.fetch_add(1, Ordering::SeqCst);
        loop {
            turn = turn.wrapping_add(1);
            let found = self.find_task(Turn::of(turn));
            if self.serve_idle_work(found.is_some()) {
                continue;
            }
            match found.or_else(|| self.linger()) {
                Some(task) => {
                    self.stop_searching();
                    self.dispatch(index, task);
                }
                None if self.is_halted() => break,
                None if self.sleep(slot, index, spare) => reset_cpu_base(ticks()),
                None => break,
            }
        }
        slot.started.store(false, Ordering::SeqCst);
    }

    /// Called by a worker that counts as searching. True if it did work for waiting tasks and should search for tasks again.
    #[inline]
    fn serve_idle_work(&self, has_task: bool) -> bool {
        match self.idle_work.get() {
            Some(work) if work.is_offered() => self.run_or_leave(work.as_ref(), has_task),
            _ => false,
        }
    }

    #[cold]
    fn run_or_leave(&self, work: &dyn IdleWork, has_task: bool) -> bool {
        let others_free = self.idle.load(Ordering::SeqCst) != 0 || self.searching.load(Ordering::SeqCst) > 1;
        if has_task || !others_free {
            work.leave();
            return false;
        }
        self.stop_searching();
        let woken = work.run();
        self.searching.fetch_add(1, Ordering::SeqCst);
        reset_cpu_base(ticks());
        woken.into_iter().for_each(Waker::wake);
        true
    }

    /// Polls a little longer, unless another worker already does.
    #[cold]
    fn linger(&self) -> Option<TaskRef> {
        if self.lingering.swap(true, Ordering::Acquire) {
            return None;
        }
        let end = ticks() + self.linger_ticks;
        let mut found = None;
        while found.is_none() && ticks() < end && !self.is_halted() {
            std::hint::spin_loop();
            if self.has_work() {
                found = self.find_task(Turn::Usual);
            }
        }
        self.lingering.store(false, Ordering::Release);
        found
    }

    /// The worker has a task. Work that arrived while it searched was left to it, so it wakes another worker if there is more than that
    /// task.
    fn stop_searching(&self) {
        self.searching.fetch_sub(1, Ordering::SeqCst);
        if self.idle.load(Ordering::SeqCst) | self.in_place.load(Ordering::SeqCst) != 0 {
            fence(Ordering::SeqCst);
            if self.has_work() {
                self.notify_worker();
            }
        }
    }

    /// Sleeps until woken or ICV has passed, and searches again; false if a spare worker has slept long enough to end.
    fn sleep(&self, slot: &WorkerSlot, index: usize, spare: bool) -> bool {
        debug_assert_eq!(slot.task_id.load(Ordering::Relaxed), 0, "a worker that sleeps runs no task");
        let bit = 1u64 << index;
        self.idle.fetch_or(bit, Ordering::SeqCst);
        self.searching.fetch_sub(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let mut timed_out = false;
        if !self.has_work() && !self.is_halted() {
            let time_max = if spare { SPARE_IDLE_MAX } else { Duration::from_nanos(self.icv_ns.load(Ordering::Relaxed)) };
            timed_out = slot.wait_for_wake((!time_max.is_zero()).then_some(time_max));
        }
        let before = self.idle.fetch_and(!bit, Ordering::SeqCst);
        // If the bit was already cleared, another thread has chosen this worker for its work, and counted it as searching.
        let chosen = before & bit == 0;
        if timed_out && !chosen && spare {
            return false;
        }
        if !chosen {
            self.region_exits.fetch_add(u64::from(timed_out), Ordering::Relaxed);
            self.searching.fetch_add(1, Ordering::SeqCst);
        }
        true
    }

    /// Runs a task that this worker took from a queue, together with the token of its mode, until it switches off.
    fn dispatch(self: &Arc<Core>, index: usize, task: TaskRef) {
        let slot = &self.workers[index];
        let now = ticks();
        let account = task.account();
        let state = task.exec_state();
        if account.dispatches.get() == 0
            && let Err(error) = task.body.prepare(&task.0, state, &self.stacks)
        {
            tracing::error!(%error, "no stack for task {}", task.number());
            return self.end_unstarted(index, task);
        }
        let mode = task.mode();
        debug_assert!(!mode.is_single() || self.tokens[mode as usize].is_held(), "a task is dispatched with the token of its mode");
        debug_assert!(mode.is_single() || task.open_tcbs.load(Ordering::Relaxed) & 1 << mode as u32 != 0, "or with a TCB of it");
        debug_assert_eq!(task.worker.load(Ordering::SeqCst), 0, "one worker runs a task");
        account.dispatched(mode, now);
        task.set_state(RunState::Running);
        let dispatch = slot.dispatch.load(Ordering::Relaxed) + 1;
        state.dispatch.store((&raw const slot.dispatch).cast_mut(), Ordering::Relaxed);
        slot.runaway_ns.store(task.runaway().as_nanos() as u64, Ordering::Relaxed);
        slot.dispatch.store(dispatch, Ordering::Relaxed);
        slot.open.store(if mode.is_single() { 0 } else { task.open_priority() as u8 + 1 }, Ordering::Relaxed);
        slot.task_id.store(task.id().0, Ordering::Release);
        task.worker.store(index as u32 + 1, Ordering::SeqCst);
        run_as(Some(state));
        let switched = task.body.resume(state);
        run_as(None);
        // Before the task's token is released: this worker will find the work that others queue for it.
        self.searching.fetch_add(1, Ordering::SeqCst);
        task.worker.store(0, Ordering::SeqCst);
        slot.open.store(0, Ordering::Relaxed);
        slot.task_id.store(0, Ordering::Release);
        match switched {
            Switched::Off(off) => self.switched_off(task, off),
            Switched::Ended(panic) => {
                if let Some(panic) = panic {
                    task.set_panicked();
                    let text = panic.downcast_ref::<String>().map(String::as_str);
                    let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("");
                    tracing::error!("task {} ({}) panicked: {text}", task.number(), task.transaction());
                }
                self.end_task(index, task);
            }
        }
    }

    fn switched_off(self: &Arc<Core>, task: TaskRef, off: SwitchOff) {
        let mode = task.mode();
        let now = ticks();
        let account = task.account();
        match off {
            SwitchOff::Mode => {
                // Charged and released already: the task holds no token and queues for one.
                account.ready_at.set(now);
                task.set_state(RunState::Dispatchable);
                self.queue_ready(task, now);
            }
            SwitchOff::Relinquish => {
                account.charge(mode, now);
                account.ready_at.set(now);
                task.set_state(RunState::Dispatchable);
                self.queue_ready(task, now);
                self.release_mode(mode);
            }
            SwitchOff::Wait => {
                account.charge(mode, now);
                task.set_state(RunState::Suspended);
                self.release_mode(mode);
                if task.wait.fall_asleep() {
                    // A purger that came before the sleep has left the purge pending.
                    task.purge_asleep();
                } else {
                    self.make_ready(task);
                }
            }
        }
    }

    fn end_task(self: &Arc<Core>, index: usize, task: TaskRef) {
        let now = ticks();
        let (account, mode) = (task.account(), task.mode());
        account.charge(mode, now);
        account.ended_at.set(now);
        self.release_mode(mode);
        self.close_tcbs(&task);
        let slot = &self.workers[index];
        for (total, counters) in slot.totals.iter().zip(&account.modes) {
            if counters.switches.get() != 0 || counters.dispatch.get() != 0 {
                total[0].add(counters.dispatch.get());
                total[1].add(counters.cpu.get());
                total[2].add(counters.switches.get());
            }
        }
        slot.ended.add(1);
        self.finish(task, true);
    }

    /// The task never got a stack.
    fn end_unstarted(self: &Arc<Core>, index: usize, task: TaskRef) {
        self.searching.fetch_add(1, Ordering::SeqCst);
        task.set_panicked();
        task.account().since.set(ticks());
        self.end_task(index, task);
    }
}
