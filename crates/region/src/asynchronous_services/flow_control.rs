//! Flow control: a parent that would run a child while the region is at MXT is delayed (ASPARENT) until a child ends.
//!
//! The manuals say that parents are suspended "if a region becomes overloaded" and resumed "when the workload level in the region drops"
//! (Managing performance with the asynchronous API), and give no figures. Here a RUN TRANSID is delayed while MXT is reached and a child
//! runs that is not delayed itself; so the delay ends, because a running child ends. It is also delayed while as many children wait for
//! their turn as tasks may run: children that run children without end would otherwise fill the memory. A child may itself wait for
//! something that the delayed parent has; no parent is therefore delayed longer than [`DELAY_MAX`].

use crate::facility::{Facility, PartnerKind};
use crate::name::Name16;
use crate::{Outcome, Task};
use kernel::{Wait, Waker};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The longest delay of one RUN TRANSID.
const DELAY_MAX: Duration = Duration::from_secs(5);
/// A delayed parent looks at the region again after this time, although no child has ended.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// Current and most of something that comes and goes.
#[derive(Default)]
pub struct Level {
    current: AtomicU64,
    peak: AtomicU64,
}

impl Level {
    fn rise(&self) {
        let now = self.current.fetch_add(1, Ordering::Relaxed) + 1;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    fn fall(&self) {
        let before = self.current.fetch_sub(1, Ordering::Relaxed);
        debug_assert!(before > 0, "what falls has risen");
    }

    pub fn current(&self) -> u64 {
        self.current.load(Ordering::Relaxed)
    }

    /// The most since the last time that `begins` was true.
    pub fn peak(&self, begins: bool) -> u64 {
        if begins { self.peak.swap(self.current(), Ordering::Relaxed) } else { self.peak.load(Ordering::Relaxed) }
    }
}

#[derive(Default)]
pub struct FlowControl {
    /// Children that run.
    pub children: Level,
    /// Children that are attached and do not run yet.
    queued: Level,
    /// Parents that are delayed.
    pub delayed: Level,
    pub delays: AtomicU64,
    /// Those of the delayed parents that are children themselves.
    delayed_children: Level,
    waiting: Mutex<Vec<Waker>>,
}

impl FlowControl {
    pub fn child_queued(&self) {
        self.queued.rise();
    }

    /// It runs, or it never will.
    pub fn child_unqueued(&self) {
        self.queued.fall();
    }

    pub fn child_started(&self) {
        self.children.rise();
    }

    pub fn child_stopped(&self) {
        self.children.fall();
    }

    /// One delayed parent may look again.
    pub fn child_ended(&self) {
        if self.delayed.current() > 0
            && let Some(waker) = self.waiting.lock().pop()
        {
            waker.resume();
        }
    }

    /// A child runs, and is not a delayed parent itself.
    fn will_drop(&self) -> bool {
        self.children.current() > self.delayed_children.current()
    }

    /// Delays the task that issued RUN TRANSID as long as the region has too much to do.
    pub fn regulate(&self, task: &mut Task) -> Outcome {
        if !self.is_overloaded(task) {
            return Ok(());
        }
        let since = Instant::now();
        self.delays.fetch_add(1, Ordering::Relaxed);
        let is_child = matches!(task.facility, Facility::Partner(PartnerKind::Parent, _));
        let levels = [Some(&self.delayed), is_child.then_some(&self.delayed_children)];
        levels.into_iter().flatten().for_each(Level::rise);
        let ended = self.wait(task, since);
        levels.into_iter().flatten().for_each(Level::fall);
        task.performance.asynchronous_run_delay.add(since.elapsed());
        ended
    }

    fn is_overloaded(&self, task: &Task) -> bool {
        let dispatcher = &task.region.dispatcher;
        dispatcher.is_at_max_tasks() && (self.will_drop() || self.queued.current() >= u64::from(dispatcher.max_tasks()))
    }

    fn wait(&self, task: &mut Task, since: Instant) -> Outcome {
        let wait = Wait::new("ASPARENT").named(Name16::new(task.transid.as_str())).timeout(LOOK_AGAIN);
        while since.elapsed() < DELAY_MAX && self.is_overloaded(task) {
            self.waiting.lock().push(task.kernel.waker());
            let resumed = task.suspend(&wait);
            self.waiting.lock().retain(Waker::is_live);
            resumed?;
        }
        Ok(())
    }
}
