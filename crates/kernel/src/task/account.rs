//! The accounting of a task's time.
//!
//! Invariants: the counters of a task are written only by the thread that runs or switches it, so a plain load and store is
//! enough; inquiries read them at any time. Every tick from attach to end is in exactly one of dispatch (by mode) and wait
//! (before the first dispatch, suspended, dispatchable). CPU time never exceeds dispatch time.

use crate::clock::{thread_cpu_ns, ticks_to_duration, ticks_to_ns};
use crate::inquire::{Clock, ModeTimes, TaskTimes};
use crate::mode::{MODE_COUNT, Mode, POOL_COUNT};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A counter with one writer at a time.
#[derive(Default, Debug)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    #[inline]
    pub fn add(&self, amount: u64) {
        self.0.store(self.0.load(Ordering::Relaxed).wrapping_add(amount), Ordering::Relaxed);
    }

    #[inline]
    pub fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Ticks and counts under one mode.
#[derive(Default, Debug)]
pub(crate) struct ModeCounters {
    pub dispatch: Counter,
    pub cpu: Counter,
    pub switches: Counter,
    /// Of `switches`, those that had to wait for the mode.
    pub switches_delayed: Counter,
    /// From a resume to the dispatch under this mode, after the first dispatch of the task.
    pub delay: Counter,
    pub redispatches: Counter,
}

/// A time waited, and how often.
#[derive(Default, Debug)]
pub(crate) struct WaitCounters {
    pub time: Counter,
    pub count: Counter,
}

impl WaitCounters {
    pub fn add(&self, ticks: u64) {
        self.time.add(ticks);
        self.count.add(1);
    }

    fn clock(&self) -> Clock {
        Clock { time: ticks_to_duration(self.time.get()), count: self.count.get() }
    }
}

/// The clocks of one task, in ticks.
#[derive(Default, Debug)]
pub(crate) struct Account {
    /// Start of the running segment, or of the present wait.
    pub since: Counter,
    /// When the task was last made ready.
    pub ready_at: Counter,
    pub attached_at: Counter,
    pub ended_at: Counter,
    pub class_delay: Counter,
    pub max_tasks_delay: Counter,
    pub first_dispatch_delay: Counter,
    pub suspend: Counter,
    pub change_mode_delay: WaitCounters,
    /// By [`crate::Pool`].
    pub pool_delays: [WaitCounters; POOL_COUNT],
    pub suspends: Counter,
    pub dispatches: Counter,
    pub change_modes: Counter,
    pub open_tcbs_peak: Counter,
    pub tcb_attaches: Counter,
    /// User tasks that had passed MXT when it was attached, and MXT.
    pub active_tasks: Counter,
    pub max_tasks: Counter,
    pub modes: [ModeCounters; MODE_COUNT],
}

thread_local! {
    static CPU_BASE: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// A dispatch segment longer than this (about 100 us) is checked against the thread's CPU clock.
const LONG_SEGMENT_TICKS: u64 = 200_000;

/// Worker: dispatch time and CPU time agree from `now` on (start of the thread, end of an idle time).
#[inline(never)]
pub(crate) fn reset_cpu_base(now: u64) {
    CPU_BASE.with(|base| base.set((now, thread_cpu_ns())));
}

/// The thread has slept for this time, outside any segment.
#[inline(never)]
pub(crate) fn skip_cpu_base(slept: u64) {
    CPU_BASE.with(|base| {
        let (ticks, cpu_ns) = base.get();
        base.set((ticks + slept, cpu_ns));
    });
}

/// CPU ticks of a long segment that ends now: CPU time the thread did not get since the last check is deducted.
#[cold]
#[inline(never)]
fn cpu_of_long_segment(segment: u64, now: u64) -> u64 {
    CPU_BASE.with(|base| {
        let (base_ticks, base_cpu_ns) = base.get();
        let cpu_ns = thread_cpu_ns();
        base.set((now, cpu_ns));
        let wall_ns = ticks_to_ns(now.saturating_sub(base_ticks));
        let lost_ns = wall_ns.saturating_sub(cpu_ns.saturating_sub(base_cpu_ns));
        let segment_ns = ticks_to_ns(segment).max(1);
        let kept = segment_ns.saturating_sub(lost_ns);
        (segment as u128 * kept as u128 / segment_ns as u128) as u64
    })
}

impl Account {
    /// Charges the running segment to `mode` and begins the next one at `now`.
    #[inline]
    pub fn charge(&self, mode: Mode, now: u64) {
        let segment = now.saturating_sub(self.since.get());
        self.since.set(now);
        let counters = &self.modes[mode as usize];
        counters.dispatch.add(segment);
        let cpu = if segment < LONG_SEGMENT_TICKS { segment } else { cpu_of_long_segment(segment, now) };
        counters.cpu.add(cpu);
    }

    /// The task is dispatched at `now`: closes the wait.
    #[inline]
    pub fn dispatched(&self, mode: Mode, now: u64) {
        let waited = now.saturating_sub(self.since.get());
        let ready = now.saturating_sub(self.ready_at.get());
        if self.dispatches.get() == 0 {
            self.first_dispatch_delay.set(now.saturating_sub(self.attached_at.get()));
        } else {
            self.suspend.add(waited);
            let counters = &self.modes[mode as usize];
            counters.delay.add(ready);
            counters.redispatches.add(1);
        }
        self.dispatches.add(1);
        self.since.set(now);
    }

    /// A copy in the terms of the reports.
    pub fn times(&self, now: u64) -> TaskTimes {
        let duration = |counter: &Counter| ticks_to_duration(counter.get());
        let end = if self.ended_at.get() == 0 { now } else { self.ended_at.get() };
        let first = self.dispatches.get().min(1);
        let modes: [ModeTimes; MODE_COUNT] = std::array::from_fn(|index| {
            let counters = &self.modes[index];
            let (switches, redispatches) = (counters.switches.get(), counters.redispatches.get());
            // A change of mode that waits is a redispatch, any other goes on at once. The first dispatch is on QR.
            let changed = switches.saturating_sub(counters.switches_delayed.get());
            ModeTimes {
                dispatch: duration(&counters.dispatch),
                cpu: duration(&counters.cpu),
                dispatches: changed + redispatches + if index == Mode::Qr as usize { first } else { 0 },
                switches,
                delay: Clock { time: duration(&counters.delay), count: redispatches },
            }
        });
        TaskTimes {
            elapsed: ticks_to_duration(end.saturating_sub(self.attached_at.get())),
            class_delay: duration(&self.class_delay),
            max_tasks_delay: duration(&self.max_tasks_delay),
            first_dispatch_delay: duration(&self.first_dispatch_delay),
            dispatch: modes.iter().map(|mode| mode.dispatch).sum(),
            cpu: modes.iter().map(|mode| mode.cpu).sum::<Duration>(),
            suspend: duration(&self.suspend),
            dispatch_wait: modes.iter().fold(Clock::default(), |all, mode| all.and(mode.delay)),
            change_mode_delay: self.change_mode_delay.clock(),
            pool_delays: std::array::from_fn(|pool| self.pool_delays[pool].clock()),
            suspends: self.suspends.get(),
            dispatches: self.dispatches.get(),
            change_modes: self.change_modes.get(),
            open_tcbs_peak: self.open_tcbs_peak.get() as u32,
            tcb_attaches: self.tcb_attaches.get() as u32,
            active_tasks: self.active_tasks.get() as u32,
            max_tasks: self.max_tasks.get() as u32,
            modes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tick_is_charged_once() {
        let account = Account::default();
        account.attached_at.set(100);
        account.since.set(100);
        account.ready_at.set(120);
        account.dispatched(Mode::Qr, 150);
        assert_eq!(account.first_dispatch_delay.get(), 50);
        account.charge(Mode::Qr, 200);
        account.charge(Mode::L8, 260);
        assert_eq!(account.modes[Mode::Qr as usize].dispatch.get(), 50);
        assert_eq!(account.modes[Mode::L8 as usize].dispatch.get(), 60);
        account.ready_at.set(300);
        account.dispatched(Mode::Qr, 330);
        let qr = &account.modes[Mode::Qr as usize];
        assert_eq!((account.suspend.get(), qr.delay.get(), qr.redispatches.get()), (70, 30, 1));
        let times = account.times(400);
        assert_eq!(times.dispatch_wait, times.modes[Mode::Qr as usize].delay);
        // The first dispatch, and the one after the wait.
        assert_eq!(times.modes[Mode::Qr as usize].dispatches, 2);
    }

    #[test]
    fn sleep_in_a_segment_is_dispatch_but_not_cpu() {
        let account = Account::default();
        let start = crate::clock::ticks();
        reset_cpu_base(start);
        account.since.set(start);
        std::thread::sleep(Duration::from_millis(20));
        account.charge(Mode::L8, crate::clock::ticks());
        let times = account.times(crate::clock::ticks());
        assert!(times.dispatch >= Duration::from_millis(19));
        assert!(times.cpu <= Duration::from_millis(10), "cpu {:?}", times.cpu);
    }
}
