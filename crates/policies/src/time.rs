//! Tasks that use too much time without giving a command.
//!
//! The gauge compares time with each command, by the clock that the thread of this module keeps. A loop gives no command, and neither does a
//! task that waits; so a task that a rule abends for its time is listed here, and the thread looks at the list every [`EVERY`]. Messages and
//! events wait for the next command. The processor time of a running task is what its worker has used since the thread first saw it there, so
//! it is never too much. Invariants: a task is listed at most from its attach to its end; a rule that has acted here does not act again with a
//! command of the task, such as one of its abend exit.

use crate::Policies;
use crate::action;
use crate::limits::{ScopedRule, TaskRules};
use crate::policy::task_rule::Item;
use crate::policy::{Action, Rule};
use kernel::clock::ticks;
use kernel::{Purge, TaskRef};
use parking_lot::Mutex;
use region::{Abend, Region, Stage, Task, TaskShared};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The time between two looks.
const EVERY: Duration = Duration::from_millis(50);

/// When the tasks were last looked at, in ticks: what a task takes for the present time as long as that is early enough for it.
static LOOKED_AT: AtomicU64 = AtomicU64::new(0);

/// The time of the last look, in ticks of the region clock.
#[inline]
pub fn looked_at() -> u64 {
    LOOKED_AT.load(Ordering::Relaxed)
}

/// Looks at the time, and at the listed tasks, from now on. Called for each task that has a rule about time.
pub fn start(region: &'static Region) {
    Policies::of(region).time.started.get_or_init(|| {
        let started = std::thread::Builder::new().name("policy-time".to_string()).spawn(move || run(region));
        if let Err(error) = started {
            tracing::error!(target: "region::policies", %error, "rules about time are compared with commands only");
        }
    });
}

/// What a worker had used when the task was first seen in a dispatch, since its last charge.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Seen {
    dispatch: u64,
    charged: Duration,
    worker: Duration,
}

/// A task that a rule abends for its time.
struct Limited {
    shared: Arc<TaskShared>,
    cpu: Option<Arc<Rule>>,
    elapsed: Option<Arc<Rule>>,
    seen: Seen,
    /// The rule that has abended it: no other is looked at.
    acted: Option<Arc<Rule>>,
}

/// The listed tasks, by number.
#[derive(Default)]
pub struct TimeWatch {
    tasks: Mutex<BTreeMap<u32, Limited>>,
    started: OnceLock<()>,
}

/// Lists a task if a rule abends it for its time, and says whether it has.
pub fn list(task: &Task, rules: &TaskRules) -> bool {
    let first = |item: Item| {
        let is_meant = |scoped: &&ScopedRule| matches!(scoped.rule.action, Action::Abend(_)) && scoped.accepts(task);
        rules.by_item[item as usize].iter().find(is_meant).map(|scoped| scoped.rule.clone())
    };
    let (cpu, elapsed) = (first(Item::CpuTime), first(Item::ElapsedTime));
    if cpu.is_none() && elapsed.is_none() {
        return false;
    }
    let watch = &Policies::of(task.region).time;
    watch.tasks.lock().insert(task.number, Limited { shared: task.shared.clone(), cpu, elapsed, seen: Seen::default(), acted: None });
    true
}

/// Whether the rule has abended the task for its time already.
pub fn has_acted(task: &Task, rule: &Arc<Rule>) -> bool {
    let tasks = Policies::of(task.region).time.tasks.lock();
    tasks.get(&task.number).and_then(|limited| limited.acted.as_ref()).is_some_and(|acted| Arc::ptr_eq(acted, rule))
}

/// Takes a task off the list.
pub fn remove(task: &Task) {
    Policies::of(task.region).time.tasks.lock().remove(&task.number);
}

fn run(region: &'static Region) {
    while region.stage() != Stage::Stopped {
        std::thread::sleep(EVERY);
        LOOKED_AT.store(ticks(), Ordering::Relaxed);
        look(region);
    }
}

fn look(region: &'static Region) {
    let watch = &Policies::of(region).time;
    let mut exceeded = Vec::new();
    watch.tasks.lock().retain(|_, limited| {
        let Some(kernel) = limited.shared.kernel.lock().clone() else { return false };
        if let Some((rule, used)) = limited.exceeded(region, &kernel) {
            limited.acted = Some(rule.clone());
            exceeded.push((limited.shared.clone(), kernel, rule, used));
        }
        true
    });
    for (shared, kernel, rule, used) in exceeded {
        let (Some(threshold), Action::Abend(code)) = (rule.threshold(), &rule.action) else { continue };
        let reason = action::tell_exceeded(region, &shared, &rule, threshold, used.as_micros() as u64);
        *shared.requested_abend.lock() = Some(Box::new(Abend::new(code).because(reason)));
        kernel.purge(Purge::ForcePurge);
    }
}

impl Limited {
    /// The rule that the task exceeds now, and what it has used.
    fn exceeded(&mut self, region: &Region, kernel: &TaskRef) -> Option<(Arc<Rule>, Duration)> {
        if self.acted.is_some() {
            return None;
        }
        let exceeds = |rule: &Option<Arc<Rule>>, used: Duration| {
            let rule = rule.as_ref()?;
            (used.as_micros() as u64 > rule.threshold()?.limit).then(|| (rule.clone(), used))
        };
        exceeds(&self.elapsed, kernel.age()).or_else(|| {
            self.cpu.as_ref()?;
            let used = self.used(region, kernel);
            exceeds(&self.cpu, used)
        })
    }

    /// What has been charged to the task, and what its worker has used since.
    fn used(&mut self, region: &Region, kernel: &TaskRef) -> Duration {
        let charged = kernel.times().cpu;
        let Some((dispatch, worker)) = region.dispatcher.running(kernel) else { return charged };
        if (self.seen.dispatch, self.seen.charged) != (dispatch, charged) {
            self.seen = Seen { dispatch, charged, worker };
        }
        charged + worker.saturating_sub(self.seen.worker)
    }
}
