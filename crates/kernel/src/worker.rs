//! Workers: the threads that run tasks, how they find work and how they sleep.
//!
//! Invariants: a worker that finds nothing publishes its idle bit before it looks once more, and whoever makes work
//! available looks at the bits after; so either the worker sees the work or the other sees the bit. One wake goes to one
//! worker, by a word of its own. A worker never gives up the search while a token is free and wanted or the ready queue has
//! a task. The slot of a worker is written by it alone, except the wake word.
//!
//! Nobody is woken while a worker searches: it will find the work, and when it stops searching it looks whether more is left for
//! another one, so workers wake each other one by one and none in vain. A worker counts as searching from the moment its task
//! switched off, or from the moment somebody decided to wake it. One worker at a time lingers before it sleeps: to sleep and be
//! woken costs more than to look for a few microseconds.

use crate::accounting::{Counter, reset_cpu_base};
use crate::clock::ticks;
use crate::core::Core;
use crate::coroutine::{SwitchOff, Switched};
use crate::current;
use crate::inquire::RunState;
use crate::mode::{MODE_COUNT, Mode};
use crate::task::TaskRef;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering, fence};
use std::time::Duration;

/// Idle workers are bits of one word.
pub(crate) const WORKERS_MAX: usize = 64;
/// Every so many dispatches the open modes are served before QR.
const OPEN_FIRST_INTERVAL: u32 = 4;
/// How long a worker looks for work before it sleeps: about what a sleep and a wake-up cost.
pub(crate) const LINGER_MAX: Duration = Duration::from_micros(5);
/// A spare worker ends after this time without work.
const SPARE_IDLE_MAX: Duration = Duration::from_secs(1);

/// What others may know of a worker.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct WorkerSlot {
    pub started: AtomicBool,
    pub thread_id: AtomicI32,
    pub cpu_clock: AtomicI32,
    /// Number of the dispatch; with `task_id` 0 the worker is between dispatches.
    pub dispatch: AtomicU64,
    pub task_id: AtomicU64,
    pub runaway_ns: AtomicU64,
    wake: AtomicU32,
    /// Figures of ended tasks, by mode: dispatch ticks, CPU ticks, switches.
    pub totals: [[Counter; 3]; MODE_COUNT],
    pub ended: Counter,
}

impl Core {
    /// Starts the thread of a worker slot.
    pub(crate) fn start_worker(self: &Arc<Core>, index: usize, spare: bool) -> std::io::Result<()> {
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
        current::prepare_thread();
        crate::signals::leave_signals_to_others();
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
            let found = self.find_task(turn.is_multiple_of(OPEN_FIRST_INTERVAL));
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

    fn find_task(&self, open_first: bool) -> Option<TaskRef> {
        let found = if open_first { self.ready.pop() } else { None };
        let found = found.or_else(|| self.take_single());
        found.or_else(|| self.ready.pop())
    }

    /// Looks a little longer, if no other worker does.
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
                found = self.find_task(false);
            }
        }
        self.lingering.store(false, Ordering::Release);
        found
    }

    /// The worker has a task. What came while it searched was left to it, so it passes on what is more than that task.
    pub(crate) fn stop_searching(&self) {
        self.searching.fetch_sub(1, Ordering::SeqCst);
        if self.idle.load(Ordering::SeqCst) != 0 {
            fence(Ordering::SeqCst);
            if self.has_work() {
                self.notify_worker();
            }
        }
    }

    /// A task for the first free token that is wanted.
    fn take_single(&self) -> Option<TaskRef> {
        let mut wanted = self.wanted.load(Ordering::Acquire);
        while wanted != 0 {
            let mode = wanted.trailing_zeros();
            let clear = || {
                self.wanted.fetch_and(!(1 << mode), Ordering::AcqRel);
            };
            if let Some(task) = self.tokens[mode as usize].take_queued(clear) {
                return Some(task);
            }
            wanted &= wanted - 1;
        }
        None
    }

    pub(crate) fn has_work(&self) -> bool {
        let mut wanted = self.wanted.load(Ordering::Acquire);
        while wanted != 0 {
            if self.tokens[wanted.trailing_zeros() as usize].has_work() {
                return true;
            }
            wanted &= wanted - 1;
        }
        !self.ready.is_empty()
    }

    /// Wakes one idle worker, if there is one and none searches. Called after work was made available.
    #[inline]
    pub(crate) fn notify_worker(&self) {
        fence(Ordering::SeqCst);
        let idle = self.idle.load(Ordering::SeqCst);
        if idle != 0 && self.searching.load(Ordering::SeqCst) <= 0 {
            self.wake_one(idle);
        }
    }

    #[cold]
    fn wake_one(&self, mut idle: u64) {
        while idle != 0 {
            let bit = idle & idle.wrapping_neg();
            let before = self.idle.fetch_and(!bit, Ordering::SeqCst);
            if before & bit != 0 {
                // On behalf of the worker, which may be faster: for a moment the count can be too low, never too high.
                self.searching.fetch_add(1, Ordering::SeqCst);
                self.workers[bit.trailing_zeros() as usize].wake();
                return;
            }
            idle = before & !bit;
        }
    }

    /// At the end of the dispatcher.
    pub(crate) fn wake_all_workers(&self) {
        self.workers.iter().for_each(WorkerSlot::wake);
    }

    /// Sleeps until woken, and searches again; false if a spare worker has slept long enough to end.
    fn sleep(&self, slot: &WorkerSlot, index: usize, spare: bool) -> bool {
        let bit = 1u64 << index;
        self.idle.fetch_or(bit, Ordering::SeqCst);
        self.searching.fetch_sub(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let mut timed_out = false;
        if !self.has_work() && !self.is_halted() {
            timed_out = slot.wait_for_wake(spare.then_some(SPARE_IDLE_MAX));
        }
        let before = self.idle.fetch_and(!bit, Ordering::SeqCst);
        // If the bit was gone, somebody has chosen this worker for his work, and counted it as searching.
        let chosen = before & bit == 0;
        if timed_out && !chosen {
            return false;
        }
        if !chosen {
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
            && let Err(error) = task.body().prepare(&task, state, &self.stacks)
        {
            tracing::error!(%error, "no stack for task {}", task.number());
            return self.end_unstarted(index, task);
        }
        account.dispatched(task.mode(), now);
        task.set_state(RunState::Running);
        let dispatch = slot.dispatch.load(Ordering::Relaxed) + 1;
        state.dispatch.store(dispatch, Ordering::Relaxed);
        slot.runaway_ns.store(task.runaway().as_nanos() as u64, Ordering::Relaxed);
        slot.dispatch.store(dispatch, Ordering::Relaxed);
        slot.task_id.store(task.id().0, Ordering::Release);
        task.worker.store(index as u32 + 1, Ordering::SeqCst);
        current::set_task(Some(&task));
        let switched = task.body().resume(state);
        current::set_task(None);
        // Before the task's token is released: this worker will find what others queue for it.
        self.searching.fetch_add(1, Ordering::SeqCst);
        task.worker.store(0, Ordering::SeqCst);
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
                if task.fall_asleep() {
                    // A purger that came before the sleep has left the purge pending.
                    task.purge_asleep();
                } else {
                    self.make_ready(task);
                }
            }
        }
    }

    fn release_mode(&self, mode: Mode) {
        if mode.is_single() {
            // This worker looks for work next, so nobody need be woken.
            self.tokens[mode as usize].release();
        }
    }

    /// A suspended task may run again. Any thread.
    pub(crate) fn make_ready(&self, task: TaskRef) {
        let now = ticks();
        task.account().ready_at.set(now);
        task.set_state(RunState::Dispatchable);
        self.queue_ready(task, now);
    }

    fn queue_ready(&self, task: TaskRef, now: u64) {
        let mode = task.mode();
        if !mode.is_single() {
            self.ready.push(task, now);
            return self.notify_worker();
        }
        let bit = 1u32 << mode as u32;
        let set = || {
            self.wanted.fetch_or(bit, Ordering::AcqRel);
        };
        if self.tokens[mode as usize].enqueue(task, now, set) {
            self.notify_worker();
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
        task.body().abandon();
        task.set_panicked();
        task.account().since.set(ticks());
        self.end_task(index, task);
    }
}

impl WorkerSlot {
    fn wake(&self) {
        self.wake.store(1, Ordering::SeqCst);
        unsafe {
            let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
            libc::syscall(libc::SYS_futex, self.wake.as_ptr(), operation, 1);
        }
    }

    /// True after the time has passed without a wake.
    fn wait_for_wake(&self, time_max: Option<Duration>) -> bool {
        let timeout = time_max.map(|time| libc::timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos() as i64 });
        let pointer = timeout.as_ref().map_or(std::ptr::null(), |timeout| timeout as *const libc::timespec);
        let mut timed_out = false;
        while self.wake.load(Ordering::SeqCst) == 0 && !timed_out {
            let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
            let result = unsafe { libc::syscall(libc::SYS_futex, self.wake.as_ptr(), operation, 0, pointer) };
            timed_out = result != 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ETIMEDOUT);
        }
        self.wake.store(0, Ordering::SeqCst);
        timed_out
    }
}
