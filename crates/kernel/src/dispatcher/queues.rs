//! The ready queues and tokens of a region together: which tasks become ready, which runs next, and which worker is woken for it.
//!
//! Invariant: a thread that makes work available checks the idle bits afterwards, and a worker that finds no work sets its bit and then
//! checks once more. So either the worker sees the work or the other thread sees the bit.

use super::core::{Core, TaskRef};
use super::ready::ReadyQueue;
use super::worker_slot::WorkerSlot;
use crate::clock::ticks;
use crate::inquire::RunState;
use crate::mode::{Mode, OpenPriority};
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Who is served first. Otherwise QR and the other single modes go ahead of open TCBs, those by their priority.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Open TCBs of high priority.
    Usual,
    /// The others, each at an interval of its own, so that none waits for ever.
    Single,
    Equal,
    Low,
}

/// In dispatches of a worker. Each is a multiple of the next.
const LOW_INTERVAL: u32 = 16;
const SINGLE_INTERVAL: u32 = 8;
const EQUAL_INTERVAL: u32 = 4;

impl Turn {
    #[inline]
    pub fn of(dispatch: u32) -> Turn {
        match dispatch {
            _ if dispatch.is_multiple_of(LOW_INTERVAL) => Turn::Low,
            _ if dispatch.is_multiple_of(SINGLE_INTERVAL) => Turn::Single,
            _ if dispatch.is_multiple_of(EQUAL_INTERVAL) => Turn::Equal,
            _ => Turn::Usual,
        }
    }
}

/// Clears the bit of one of these workers that has it set; answers which. It is this caller's then, and no other's.
pub(super) fn claim(bits: &AtomicU64, workers: u64) -> Option<usize> {
    let mut set = bits.load(Ordering::SeqCst) & workers;
    while set != 0 {
        let bit = set & set.wrapping_neg();
        let before = bits.fetch_and(!bit, Ordering::SeqCst);
        if before & bit != 0 {
            return Some(bit.trailing_zeros() as usize);
        }
        set = before & workers & !bit;
    }
    None
}

impl Core {
    #[inline]
    pub(super) fn try_take_token(&self, mode: Mode) -> bool {
        if mode != Mode::Qr {
            self.used_single_modes[mode as usize].store(true, Ordering::Relaxed);
        }
        self.tokens[mode as usize].try_take()
    }

    /// A running task leaves a single mode and continues; if other tasks want the mode, a worker is woken for it.
    #[inline]
    pub(super) fn release_token(&self, mode: Mode) {
        if self.tokens[mode as usize].release() {
            self.notify_worker();
        }
    }

    /// The next task for a worker: by the priority of its TCB, in the usual turn. A priority that another worker serves needs no turn: QR
    /// has a processor to itself while there is another one for open TCBs.
    #[inline]
    pub(super) fn find_task(&self, turn: Turn) -> Option<TaskRef> {
        let first = match turn {
            Turn::Single => None,
            Turn::Equal if !self.is_served(OpenPriority::Equal) => self.open[OpenPriority::Equal as usize].pop(),
            Turn::Low if !self.is_served(OpenPriority::Low) => self.open[OpenPriority::Low as usize].pop(),
            Turn::Usual | Turn::Equal | Turn::Low => self.open[OpenPriority::High as usize].pop(),
        };
        let found = first.or_else(|| self.take_single());
        found.or_else(|| self.open.iter().find_map(ReadyQueue::pop))
    }

    /// Some worker runs a task that began on an open TCB of this priority.
    fn is_served(&self, priority: OpenPriority) -> bool {
        self.workers[..self.base_workers].iter().any(|worker| worker.open.load(Ordering::Relaxed) == priority as u8 + 1)
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

    pub(super) fn has_work(&self) -> bool {
        let mut wanted = self.wanted.load(Ordering::Acquire);
        while wanted != 0 {
            if self.tokens[wanted.trailing_zeros() as usize].has_work() {
                return true;
            }
            wanted &= wanted - 1;
        }
        self.open.iter().any(|queue| !queue.is_empty())
    }

    /// Wakes one worker, if no worker is searching: an idle one, or else one whose task waits in its thread. Called after work was made
    /// available.
    #[inline]
    pub(super) fn notify_worker(&self) {
        fence(Ordering::SeqCst);
        let idle = self.idle.load(Ordering::SeqCst);
        let in_place = if idle == 0 { self.in_place.load(Ordering::SeqCst) } else { 0 };
        if idle | in_place == 0 || self.searching.load(Ordering::SeqCst) > 0 {
            return;
        }
        if idle != 0 { self.wake_one() } else { self.interrupt(u64::MAX) }
    }

    #[cold]
    fn wake_one(&self) {
        if let Some(worker) = claim(&self.idle, u64::MAX) {
            // On behalf of the worker, which may be faster: for a moment the count can be too low, never too high.
            self.searching.fetch_add(1, Ordering::SeqCst);
            self.workers[worker].wake();
        }
    }

    /// At the end of the dispatcher.
    pub(super) fn wake_all_workers(&self) {
        self.workers.iter().for_each(WorkerSlot::wake);
    }

    #[inline]
    pub(super) fn release_mode(&self, mode: Mode) {
        if mode.is_single() {
            // This worker looks for work next, so no other needs to be woken.
            self.tokens[mode as usize].release();
        }
    }

    /// A suspended task may run again. Any thread.
    pub(super) fn make_ready(&self, task: TaskRef) {
        let now = ticks();
        task.account().ready_at.set(now);
        task.set_state(RunState::Dispatchable);
        self.queue_ready(task, now);
    }

    pub(super) fn queue_ready(&self, task: TaskRef, now: u64) {
        let mode = task.mode();
        if !mode.is_single() {
            let priority = task.priority();
            let queue = &self.open[task.open_priority() as usize];
            queue.push(task, priority, now);
            return self.notify_worker();
        }
        let (bit, priority) = (1u32 << mode as u32, task.priority());
        let set = || {
            self.wanted.fetch_or(bit, Ordering::AcqRel);
        };
        if self.tokens[mode as usize].enqueue(task, priority, now, set) {
            self.notify_worker();
        }
    }
}
