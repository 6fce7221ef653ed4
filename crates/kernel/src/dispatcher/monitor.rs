//! The monitor thread: runaway tasks, spare workers, surplus TCBs.
//!
//! Invariants: only CPU time used in one dispatch makes a task a runaway. The stop signal carries the number of that dispatch, so it cannot
//! hit another one; once the task has been notified, the interval begins again under a new number. A spare worker is started only when
//! every worker has been in the same dispatch for a whole tick while work was waiting. A stop that finds the task inside the run time is
//! repeated at the shortest tick, so that it soon finds the program.
//!
//! `unsafe` here is the system call that queues a signal to a thread; the signal information has the layout of the operating system. The
//! runaway and purge tests of `tests/guard/runaway.rs` cover it.

use super::core::{Core, Task};
use super::worker_slot::{WORKERS_MAX, WorkerSlot};
use crate::clock::{cpu_clock_ns, ticks};
use crate::inquire::TaskId;
use crate::traps::{attention, stop_signal, stop_value};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

const TICK_MAX: Duration = Duration::from_millis(50);
const TICK_MIN: Duration = Duration::from_millis(2);

/// When to look at a running task again.
fn tick(runaway_ns: u64, is_stop_pending: bool) -> Duration {
    match runaway_ns {
        _ if is_stop_pending => TICK_MIN,
        0 => TICK_MAX,
        _ => Duration::from_nanos(runaway_ns / 4).clamp(TICK_MIN, TICK_MAX),
    }
}

/// The monitor's observations of a worker since the last tick.
#[derive(Clone, Copy, Default)]
struct Seen {
    dispatch: u64,
    cpu_ns: u64,
    stopped: bool,
}

impl Core {
    /// The monitor thread.
    pub(super) fn run_monitor(self: &Arc<Core>) {
        let mut seen = [Seen::default(); WORKERS_MAX];
        let mut last_scan = ticks();
        while !self.is_halted() {
            let mut shortest = TICK_MAX;
            let mut all_busy = true;
            for (slot, seen) in self.workers.iter().zip(&mut seen) {
                if slot.started.load(Ordering::Relaxed) {
                    all_busy &= self.look_at(slot, seen, &mut shortest);
                }
            }
            if all_busy && self.has_work() {
                self.start_spare();
            }
            if self.excess_scan_ticks != 0 && ticks().saturating_sub(last_scan) >= self.excess_scan_ticks {
                last_scan = ticks();
                self.pools.scan_excess();
            }
            self.monitor_sleep(shortest);
        }
    }

    /// True if the worker has been in the same dispatch since the last tick.
    fn look_at(&self, slot: &WorkerSlot, seen: &mut Seen, shortest: &mut Duration) -> bool {
        let dispatch = slot.dispatch.load(Ordering::Relaxed);
        let running = slot.task_id.load(Ordering::Acquire) != 0;
        let limit_ns = slot.runaway_ns.load(Ordering::Relaxed);
        if running {
            *shortest = (*shortest).min(tick(limit_ns, false));
        }
        if !running || dispatch != seen.dispatch {
            let cpu_ns = if running && limit_ns != 0 { cpu_clock_ns(slot.cpu_clock.load(Ordering::Relaxed)) } else { 0 };
            *seen = Seen { dispatch, cpu_ns, stopped: false };
            return false;
        }
        let mut is_stop_pending = self.repeat_stop(slot, dispatch);
        if limit_ns != 0 {
            let used_ns = cpu_clock_ns(slot.cpu_clock.load(Ordering::Relaxed)).saturating_sub(seen.cpu_ns);
            if used_ns >= limit_ns {
                if !seen.stopped {
                    self.runaways.fetch_add(1, Ordering::Relaxed);
                }
                seen.stopped = true;
                is_stop_pending = true;
                send_stop(slot, dispatch, attention::RUNAWAY);
            }
        }
        *shortest = (*shortest).min(tick(limit_ns, is_stop_pending));
        true
    }

    /// A force-purge or kill that reached the task inside the run time is repeated until it reaches the program or a gate. False if none
    /// is pending.
    fn repeat_stop(&self, slot: &WorkerSlot, dispatch: u64) -> bool {
        let Some(task) = self.task(TaskId(slot.task_id.load(Ordering::Acquire))) else { return false };
        let pending = task.exec_state().attention.load(Ordering::Relaxed);
        let stop = [attention::KILL, attention::FORCE_PURGE].into_iter().find(|bit| pending & bit != 0);
        if let Some(bit) = stop {
            send_stop(slot, dispatch, bit);
        }
        stop.is_some()
    }

    fn monitor_sleep(&self, time: Duration) {
        let mut guard = self.monitor.lock();
        if !self.is_halted() {
            self.monitor_changed.wait_for(&mut guard, time);
        }
    }

    fn start_spare(self: &Arc<Core>) {
        let spares = self.workers.iter().skip(self.base_workers).take(self.spare_workers_max);
        let free = spares.enumerate().find(|(_, slot)| !slot.started.load(Ordering::SeqCst));
        if let Some((index, _)) = free
            && self.start_worker(self.base_workers + index, true).is_ok()
        {
            self.spares_started.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The dispatch in which a task runs, and the processor time of its worker's thread; `None` while it does not run.
    pub(super) fn running(&self, task: &Task) -> Option<(u64, Duration)> {
        let worker = task.worker.load(Ordering::SeqCst).checked_sub(1)?;
        let slot = self.workers.get(worker as usize)?;
        let dispatch = slot.dispatch.load(Ordering::Acquire);
        let runs = slot.task_id.load(Ordering::Acquire) == task.id().0;
        runs.then(|| (dispatch, Duration::from_nanos(cpu_clock_ns(slot.cpu_clock.load(Ordering::Relaxed)))))
    }

    /// Force-purge or kill of a running task: stops it if it is in program code.
    pub(super) fn stop_running(&self, task: &Task, bits: u32) {
        let worker = task.worker.load(Ordering::SeqCst);
        if worker == 0 {
            return;
        }
        let slot = &self.workers[worker as usize - 1];
        let dispatch = slot.dispatch.load(Ordering::Acquire);
        if slot.task_id.load(Ordering::Acquire) == task.id().0 {
            send_stop(slot, dispatch, bits);
        }
    }
}

fn send_stop(slot: &WorkerSlot, dispatch: u64, bits: u32) {
    let thread = slot.thread_id.load(Ordering::Relaxed);
    unsafe {
        // The layout of the kernel's siginfo for queued signals: number, errno, code, then pid, uid and the value.
        let mut info: libc::siginfo_t = std::mem::zeroed();
        info.si_signo = stop_signal();
        info.si_code = libc::SI_QUEUE;
        #[repr(C)]
        struct Queued {
            head: [i32; 4],
            pid: i32,
            uid: u32,
            value: usize,
        }
        const { assert!(std::mem::size_of::<Queued>() <= std::mem::size_of::<libc::siginfo_t>()) };
        let queued = &raw mut info as *mut Queued;
        (*queued).pid = libc::getpid();
        (*queued).uid = libc::getuid();
        (*queued).value = stop_value(dispatch, bits);
        libc::syscall(libc::SYS_rt_tgsigqueueinfo, libc::getpid(), thread, stop_signal(), &info);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tick_is_a_quarter_of_the_limit_and_the_shortest_while_a_stop_is_pending() {
        let limit = |milliseconds: u64| milliseconds * 1_000_000;
        for (runaway_ns, expected) in [(0, TICK_MAX), (limit(40), Duration::from_millis(10)), (limit(5_000), TICK_MAX), (1, TICK_MIN)] {
            assert_eq!(tick(runaway_ns, false), expected, "{runaway_ns} ns");
            assert_eq!(tick(runaway_ns, true), TICK_MIN, "{runaway_ns} ns");
        }
    }
}
