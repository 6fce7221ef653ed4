//! The part of a worker that other threads may see, and how they wake it.
//!
//! Invariant: only the worker writes its slot (the task it runs also writes the number of its dispatch), except for the wake word and
//! the bell, which any thread sets and only the worker clears.
//!
//! `unsafe` here is the futex call on a word of the slot, which outlives the call because it is borrowed. `tests/stress.rs` covers it.

use super::in_place::Bell;
use crate::mode::MODE_COUNT;
use crate::task::account::Counter;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// Idle workers are bits of one word.
pub(super) const WORKERS_MAX: usize = 64;
/// How long a worker polls for work before it sleeps: about the cost of a sleep and a wake-up.
pub(super) const LINGER_MAX: Duration = Duration::from_micros(5);

/// The part of a worker that other threads may see.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct WorkerSlot {
    pub started: AtomicBool,
    pub thread_id: AtomicI32,
    pub cpu_clock: AtomicI32,
    /// Number of the dispatch; with `task_id` 0 the worker is between dispatches.
    pub dispatch: AtomicU64,
    pub task_id: AtomicU64,
    pub runaway_ns: AtomicU64,
    /// Of the open TCB that the dispatch began with: its priority and 1; otherwise 0.
    pub open: AtomicU8,
    /// Whether to wake up: written by others.
    wake: AtomicU32,
    pub bell: Bell,
    /// Figures of ended tasks, by mode: dispatch ticks, CPU ticks, switches.
    pub totals: [[Counter; 3]; MODE_COUNT],
    pub ended: Counter,
}

impl WorkerSlot {
    pub fn wake(&self) {
        self.wake.store(1, Ordering::SeqCst);
        unsafe {
            let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
            libc::syscall(libc::SYS_futex, self.wake.as_ptr(), operation, 1);
        }
    }

    /// True after the time has passed without a wake.
    pub fn wait_for_wake(&self, time_max: Option<Duration>) -> bool {
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
