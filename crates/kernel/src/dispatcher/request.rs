//! The parameters of the dispatcher: how it starts, which classes it has, how it stops. Parameters of an attach are in `attach`.

use crate::mode::POOL_COUNT;
#[cfg(doc)]
use crate::mode::Pool;
use crate::name::Name8;
use std::time::Duration;

/// How to start a dispatcher. The default is for tests, except for what no system initialization parameter sets.
#[derive(Clone, Debug)]
pub struct Config {
    /// Worker threads; 0: one for each processor. At most 64 with the spare ones.
    pub workers: usize,
    /// Additional workers the monitor may start while all are busy for long and work waits.
    pub spare_workers: usize,
    pub stack_bytes: usize,
    /// MXT
    pub max_tasks: u32,
    /// PRTYAGE; zero: no ageing.
    pub priority_aging: Duration,
    /// ICVR; zero: no limit.
    pub runaway: Duration,
    /// ICV: the longest sleep of an idle worker, which then looks for work although nobody has woken it.
    pub icv: Duration,
    /// ICVTSD, for inquiry only: output to terminals is sent at once.
    pub terminal_scan_delay: Duration,
    /// MROBTCH, for inquiry only: every event wakes a worker.
    pub mro_batch: u32,
    /// MAXOPENTCBS, MAXSSLTCBS, MAXXPTCBS and the T8 limit, in the order of [`Pool::ALL`].
    pub pool_limits: [u32; POOL_COUNT],
    /// Interval of the scan for excess TCBs; zero: no scan.
    pub excess_scan_interval: Duration,
    /// Threads for [`crate::Task::run_blocking`].
    pub blocking_threads: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            workers: 0,
            spare_workers: 8,
            stack_bytes: 256 * 1024,
            max_tasks: 500,
            priority_aging: Duration::from_millis(1000),
            runaway: Duration::from_millis(5000),
            icv: Duration::from_millis(1000),
            terminal_scan_delay: Duration::ZERO,
            mro_batch: 1,
            pool_limits: [1000; POOL_COUNT],
            excess_scan_interval: Duration::from_secs(30 * 60),
            blocking_threads: 32,
        }
    }
}

/// Why an attach failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttachError {
    /// The queue of the class has reached its purge threshold (AKCC).
    ClassQueueFull,
    UnknownClass,
    /// User tasks are no longer accepted.
    Stopping,
}

/// A transaction class.
#[derive(Clone, Debug)]
pub struct ClassDefinition {
    pub name: Name8,
    /// MAXACTIVE
    pub active_max: u32,
    /// PURGETHRESH: an attach that would make the queue as long as this is refused, so 1 queues nothing; None or 0: no limit.
    pub purge_threshold: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimerId(pub(super) u64);

/// How to stop. Afterwards the dispatcher accepts nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No new user tasks; waits at most this long for the present ones, then continues as `Immediate`.
    Quiesce(Duration),
    /// Force-purges everything and waits at most this long; tasks left are abandoned.
    Immediate(Duration),
}
