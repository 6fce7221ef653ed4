//! The rules in force: those of the policies of enabled bundles.
//!
//! Every task that begins takes the task rules, so each worker has a copy of their arrangement: a lock and a count that all workers change for
//! every task would cost more than the rules themselves. Invariant: a task keeps the task rules that were in force when it began.

use crate::Policies;
use crate::gauge;
use crate::limits::{NO_LIMIT, TaskRules};
use crate::scope::Scoped;
use crate::system::SystemRules;
use parking_lot::{Mutex, RwLock};
use region::transaction_manager::is_supplied;
use region::{AttachRequest, Region, StartCode, Task};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The program of CECI: the one supplied transaction at a terminal that task rules are for.
const COMMAND_INTERPRETER: &str = "DFHECIP";

/// Numbers arrangements of task rules, of all regions.
static ARRANGEMENTS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The arrangement that this worker has used last, and its number.
    static OF_WORKER: RefCell<Option<(u64, Arc<TaskRules>)>> = const { RefCell::new(None) };
}

/// The rules of a region.
#[derive(Default)]
pub struct InForce {
    /// The number of the arrangement in force; 0: there are no task rules.
    arrangement: AtomicU64,
    task: RwLock<Option<TaskRules>>,
    /// Held while the policies are gathered and put in force, so that the last one to do so has all of them.
    replacing: Mutex<()>,
    pub system: SystemRules,
}

impl InForce {
    /// Puts the rules of the policies that are `gathered` in force, in place of all others.
    pub fn replace(&self, region: &Region, gathered: impl FnOnce() -> Vec<Scoped>) {
        let _alone = self.replacing.lock();
        let policies = &gathered();
        self.system.replace(region, policies);
        let rules = TaskRules::of(policies);
        let any = rules.limits.iter().any(|limit| *limit != NO_LIMIT);
        *self.task.write() = any.then_some(rules);
        let number = if any { ARRANGEMENTS.fetch_add(1, Ordering::Relaxed) + 1 } else { 0 };
        self.arrangement.store(number, Ordering::Release);
    }

    /// A task begins: it gets its limits, unless task rules are not for it.
    pub fn begin(&self, task: &mut Task, request: &AttachRequest) {
        self.system.tasks_changed(task, false);
        let arrangement = self.arrangement.load(Ordering::Acquire);
        if arrangement != 0
            && is_user_task(task, request)
            && let Some(rules) = self.of_worker(arrangement)
        {
            gauge::attach(task, rules);
        }
    }

    /// This worker's copy of the arrangement. Not inlined, because a task may continue on another thread.
    #[inline(never)]
    fn of_worker(&self, arrangement: u64) -> Option<Arc<TaskRules>> {
        OF_WORKER.with_borrow_mut(|kept| {
            if kept.as_ref().is_none_or(|(number, _)| *number != arrangement) {
                // If they have been replaced meanwhile, the newer ones are taken again under their own number.
                *kept = self.task.read().clone().map(|rules| (arrangement, Arc::new(rules)));
            }
            kept.as_ref().map(|(_, rules)| rules.clone())
        })
    }
}

/// System tasks, supplied transactions other than CECI and tasks that an event started have no limits ("Policy task rules", "Where policy task rules apply").
fn is_user_task(task: &Task, request: &AttachRequest) -> bool {
    let is_own = request.start_code == StartCode::System || task.kernel.is_system();
    let is_of_event = request.channel.as_ref().is_some_and(|channel| Policies::of(task.region).events.has(channel));
    !is_own && !is_of_event && (!is_supplied(&task.definition) || task.definition.program.as_str() == COMMAND_INTERPRETER)
}
