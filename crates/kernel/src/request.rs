//! What the dispatcher is asked: how to start, what to attach, which classes to keep, how to stop.

use crate::coroutine::Entry;
use crate::mode::POOL_COUNT;
#[cfg(doc)]
use crate::mode::Pool;
use crate::name::{Name, Name8};
use crate::task::Task;
use std::time::Duration;

/// How to start a dispatcher. The default has the defaults of the system initialisation parameters.
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
    /// ICV, for inquiry only: idle workers sleep until there is work.
    pub icv: Duration,
    /// MROBTCH, for inquiry only.
    pub mro_batch: u32,
    /// MAXOPENTCBS, MAXSSLTCBS, MAXXPTCBS and the T8 limit, in the order of [`Pool::ALL`].
    pub pool_limits: [u32; POOL_COUNT],
    /// SCANDELAY: interval of the excess TCB scan; zero: none.
    pub scan_delay: Duration,
    /// Threads for [`Task::run_blocking`].
    pub blocking_threads: usize,
}

impl Default for Config {
    fn default() -> Config {
        let max_tasks = 500;
        Config {
            workers: 0,
            spare_workers: 8,
            stack_bytes: 256 * 1024,
            max_tasks,
            priority_aging: Duration::from_millis(1000),
            runaway: Duration::from_millis(5000),
            icv: Duration::from_millis(1000),
            mro_batch: 1,
            // The open and XP limits follow MXT as CICS sets them when they are not given: 2 x MXT + 32, and MXT.
            pool_limits: [2 * max_tasks + 32, 32, max_tasks, 2000],
            scan_delay: Duration::from_secs(30 * 60),
            blocking_threads: 32,
        }
    }
}

/// A task to be attached.
pub struct AttachRequest {
    pub transaction: Name<4>,
    /// Transaction class; blank: none.
    pub class: Name8,
    pub priority: u8,
    /// A system task is counted by neither MXT nor class.
    pub system: bool,
    /// SPURGE
    pub purgeable: bool,
    /// RUNAWAY; None: the region's ICVR; zero: no limit.
    pub runaway: Option<Duration>,
    /// First value of [`Task::user_data`].
    pub user_data: *mut (),
    /// The code of the task, started under QR.
    pub entry: Entry,
    /// Called after the end of the task, off the task, on a worker; it must not block. Also called for a task purged before it
    /// started ([`crate::TaskTimes::dispatches`] is then 0), but not when the attach itself fails.
    pub on_end: Option<Entry>,
}

// `user_data` is only carried.
unsafe impl Send for AttachRequest {}

impl AttachRequest {
    pub fn new(transaction: &str, entry: impl FnOnce(&Task) + Send + 'static) -> AttachRequest {
        AttachRequest {
            transaction: Name::new(transaction),
            class: Name8::BLANK,
            priority: 1,
            system: false,
            purgeable: true,
            runaway: None,
            user_data: std::ptr::null_mut(),
            entry: Box::new(entry),
            on_end: None,
        }
    }

    pub fn class(mut self, class: Name8) -> AttachRequest {
        self.class = class;
        self
    }

    pub fn priority(mut self, priority: u8) -> AttachRequest {
        self.priority = priority;
        self
    }

    pub fn system(mut self) -> AttachRequest {
        self.system = true;
        self
    }

    pub fn runaway(mut self, limit: Duration) -> AttachRequest {
        self.runaway = Some(limit);
        self
    }

    pub fn purgeable(mut self, purgeable: bool) -> AttachRequest {
        self.purgeable = purgeable;
        self
    }

    pub fn on_end(mut self, on_end: impl FnOnce(&Task) + Send + 'static) -> AttachRequest {
        self.on_end = Some(Box::new(on_end));
        self
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
    /// PURGETHRESH: the queue length at which attaches are refused; None or 0: no limit.
    pub purge_threshold: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimerId(pub(crate) u64);

/// How to stop. Afterwards the dispatcher accepts nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No new user tasks; waits for the present ones at most this long, then goes on as `Immediate`.
    Quiesce(Duration),
    /// Force-purges everything and waits at most this long; tasks left are abandoned.
    Immediate(Duration),
}
