//! What inquiries and reports show of the dispatcher: tasks (INQUIRE TASK) and statistics (the dispatcher, TCB mode, TCB pool, transaction
//! manager and transaction class reports of DFHSTUP).
//!
//! Everything here is a copy taken at one moment; the figures of different tasks or modes may belong to different moments.

use crate::mode::{MODE_COUNT, Mode, POOL_COUNT, Pool};
use crate::name::{Name, Name8, Name16};
use crate::processors::Processors;
use crate::wait::Purge;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Identifies a task for the life of the region; never reused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TaskId(pub u64);

impl TaskId {
    /// The task number of EIBTASKN: 1 to 9,999,999, then again from 1.
    pub const fn number(self) -> u32 {
        ((self.0 - 1) % 9_999_999 + 1) as u32
    }
}

/// RUNSTATUS of INQUIRE TASK, and the two states before the first dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunState {
    /// Attached, held back by its transaction class.
    QueuedForClass,
    /// Attached, held back by MXT.
    QueuedForMaxTasks,
    /// Ready, waiting for its TCB mode or a worker.
    Dispatchable,
    Running,
    Suspended,
    Ended,
}

/// A clock of monitoring: a time, and the number of periods it was measured in.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Clock {
    pub time: Duration,
    pub count: u64,
}

impl Clock {
    /// One more period.
    pub fn add(&mut self, time: Duration) {
        self.time += time;
        self.count += 1;
    }

    pub fn and(self, other: Clock) -> Clock {
        Clock { time: self.time + other.time, count: self.count + other.count }
    }
}

/// Dispatch and CPU time under one mode.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct ModeTimes {
    pub dispatch: Duration,
    pub cpu: Duration,
    /// Times the task began or went on to run under the mode.
    pub dispatches: u64,
    /// Times the task was switched to the mode.
    pub switches: u64,
    /// From the end of each wait to the dispatch under this mode (QRMODDLY, ROMODDLY, SOMODDLY).
    pub delay: Clock,
}

/// How the time of a task was spent. Response time = waits before the first dispatch + dispatch + suspend.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct TaskTimes {
    /// Since the attach (until the end, for an ended task).
    pub elapsed: Duration,
    /// Held by the transaction class (TCLDELAY).
    pub class_delay: Duration,
    /// Held by MXT (MXTDELAY).
    pub max_tasks_delay: Duration,
    /// From attach to the first dispatch, the two above included (DSPDELAY).
    pub first_dispatch_delay: Duration,
    /// All modes (USRDISPT).
    pub dispatch: Duration,
    /// All modes (USRCPUT).
    pub cpu: Duration,
    /// From suspend to dispatch, all waits after the first dispatch (SUSPTIME less DSPDELAY).
    pub suspend: Duration,
    /// The part of `suspend` after the resume, waiting for the mode or a worker (DISPWTT): the delays of all modes.
    pub dispatch_wait: Clock,
    /// Waiting for a TCB mode in change mode (DSCHMDLY). A change of mode that finds the mode free does not wait.
    pub change_mode_delay: Clock,
    /// Waiting for a free TCB of a pool at its limit, by [`Pool`] (MAXOTDLY, MAXSTDLY, MAXXTDLY, MAXTTDLY).
    pub pool_delays: [Clock; POOL_COUNT],
    /// Waits.
    pub suspends: u64,
    /// Times dispatched.
    pub dispatches: u64,
    /// Change mode operations (CHMODECT).
    pub change_modes: u64,
    /// Most open TCBs held at once (DSTCBHWM).
    pub open_tcbs_peak: u32,
    /// TCBs attached for the task (TCBATTCT).
    pub tcb_attaches: u32,
    /// User tasks that had passed MXT when it was attached (CURTASKS), and MXT (MAXTASKS).
    pub active_tasks: u32,
    pub max_tasks: u32,
    pub modes: [ModeTimes; MODE_COUNT],
}

/// One task as INQUIRE TASK sees it.
#[derive(Clone, Debug)]
pub struct TaskInfo {
    pub id: TaskId,
    pub number: u32,
    pub transaction: Name<4>,
    pub class: Name8,
    pub system: bool,
    pub priority: u8,
    pub purgeable: bool,
    pub state: RunState,
    pub mode: Mode,
    /// Of the wait, while suspended or held back (SUSPENDTYPE, SUSPENDVALUE).
    pub resource_type: Name8,
    pub resource_name: Name16,
    /// Time in the present wait (SUSPENDTIME).
    pub suspended_for: Duration,
    pub attached_at: SystemTime,
    pub runaway: Duration,
    pub purge_pending: Option<Purge>,
    pub times: TaskTimes,
}

/// Figures of one TCB mode.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModeStatistics {
    /// Whether its TCBs are open TCBs, of a pool. None: unknown, because the mode was never used (Open=Unk in the report).
    pub open: Option<bool>,
    pub pool: Option<Pool>,
    pub attached_current: u32,
    pub attached_peak: u32,
    pub in_use_current: u32,
    pub in_use_peak: u32,
    pub attaches: u64,
    /// Only kept for modes of a single TCB, like the average.
    pub queue_current: u32,
    pub queue_peak: u32,
    pub queue_average: f64,
    pub dispatch: Duration,
    pub cpu: Duration,
    pub switches: u64,
}

/// Figures of one TCB pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct PoolStatistics {
    pub limit: u32,
    pub attached_current: u32,
    pub attached_peak: u32,
    pub in_use_current: u32,
    pub in_use_peak: u32,
    pub delayed_total: u64,
    pub delay_total: Duration,
    pub delayed_current: u32,
    pub delayed_peak: u32,
    pub delay_current: Duration,
    pub limit_reached_at: Option<SystemTime>,
    /// TCBs detached to make room for another mode of the pool.
    pub mismatches: u64,
}

/// Figures of the MXT gate.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaxTasksStatistics {
    pub limit: u32,
    pub active_current: u32,
    pub active_peak: u32,
    pub queued_current: u32,
    pub queued_peak: u32,
    pub queued_total: u64,
    /// Time spent by tasks that have left the queue.
    pub queue_time_total: Duration,
    pub queue_time_current: Duration,
    /// Times the limit was reached.
    pub at_limit: u64,
    pub limit_reached_at: Option<SystemTime>,
    pub limit_set_at: Option<SystemTime>,
    /// User transactions attached.
    pub attaches_user: u64,
    pub attaches_system: u64,
}

/// Figures of one transaction class.
#[derive(Clone, Debug)]
pub struct ClassStatistics {
    pub name: Name8,
    pub active_max: u32,
    pub purge_threshold: Option<u32>,
    pub active_current: u32,
    pub active_peak: u32,
    pub queued_current: u32,
    pub queued_peak: u32,
    pub queued_total: u64,
    pub queue_time_total: Duration,
    pub queue_time_current: Duration,
    pub attaches: u64,
    /// Attaches that found neither limit reached.
    pub accepted_at_once: u64,
    /// Attaches refused because the queue had reached the purge threshold.
    pub purged_at_once: u64,
    /// Queued tasks purged by request.
    pub purged_queued: u64,
    /// Times MAXACTIVE was reached.
    pub at_limit: u64,
    /// Times the purge threshold was reached.
    pub at_purge_threshold: u64,
}

/// The stacks of tasks: what CICS calls the kernel stack of a TCB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackStatistics {
    /// Of one stack; a page of it takes memory when it is first used.
    pub bytes: usize,
    /// Stacks that have been made, and of these in use. A stack is kept for the next task.
    pub stacks: usize,
    pub in_use: usize,
}

/// The effect of reading statistics on peaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Peaks {
    Keep,
    /// A statistics interval begins: the peaks read are over, from now on they are the present values. Read and begun in one step, so a
    /// peak is in one interval or in the next.
    Begin,
}

impl Peaks {
    /// Reads a peak that is kept together with its present value.
    pub fn read(self, peak: &AtomicU64, present: impl Fn() -> u64) -> u64 {
        if self == Peaks::Keep {
            return peak.load(Ordering::SeqCst);
        }
        let over = peak.swap(present(), Ordering::SeqCst);
        // An increase between the read and the swap.
        peak.fetch_max(present(), Ordering::SeqCst);
        over
    }

    /// As `read`, of 32 bits.
    pub fn read_u32(self, peak: &AtomicU32, present: impl Fn() -> u32) -> u32 {
        if self == Peaks::Keep {
            return peak.load(Ordering::SeqCst);
        }
        let over = peak.swap(present(), Ordering::SeqCst);
        peak.fetch_max(present(), Ordering::SeqCst);
        over
    }

    /// Reads a peak under the lock it is changed under.
    pub(crate) fn take<T: Copy>(self, peak: &mut T, present: T) -> T {
        let over = *peak;
        if self == Peaks::Begin {
            *peak = present;
        }
        over
    }
}

/// Everything the dispatcher counts.
#[derive(Clone, Debug)]
pub struct DispatcherStatistics {
    pub started_at: SystemTime,
    pub tasks_current: u32,
    pub tasks_peak: u32,
    pub icv: Duration,
    pub terminal_scan_delay: Duration,
    pub runaway: Duration,
    pub priority_aging: Duration,
    pub mro_batch: u32,
    pub address_space_cpu: Duration,
    pub address_space_system_cpu: Duration,
    pub excess_scans: u64,
    pub excess_scans_none_detached: u64,
    pub excess_detached: u64,
    pub excess_scan_at: Option<SystemTime>,
    pub excess_scan_none_detached_at: Option<SystemTime>,
    pub processors: Processors,
    pub workers: u32,
    pub spare_workers_started: u64,
    pub runaways: u64,
    /// Times an idle worker looked for work because ICV had passed.
    pub region_exits: u64,
    pub stacks: StackStatistics,
    pub modes: [ModeStatistics; MODE_COUNT],
    pub pools: [PoolStatistics; POOL_COUNT],
    pub max_tasks: MaxTasksStatistics,
    pub classes: Vec<ClassStatistics>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_numbers_wrap_at_seven_digits() {
        assert_eq!(TaskId(1).number(), 1);
        assert_eq!(TaskId(9_999_999).number(), 9_999_999);
        assert_eq!(TaskId(10_000_000).number(), 1);
    }
}
