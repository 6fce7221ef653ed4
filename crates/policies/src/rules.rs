//! The rules in force: those of the policies of enabled bundles.
//!
//! Invariant: a task keeps the task rules that were in force when it began.

use crate::Policies;
use crate::gauge;
use crate::limits::{NO_LIMIT, TaskRules};
use crate::scope::Scoped;
use crate::system::SystemRules;
use parking_lot::{Mutex, RwLock};
use region::transaction_manager::is_supplied;
use region::{AttachRequest, Region, StartCode, Task};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The program of CECI: the one supplied transaction at a terminal that task rules are for.
const COMMAND_INTERPRETER: &str = "DFHECIP";

/// The rules of a region.
#[derive(Default)]
pub struct InForce {
    any: AtomicBool,
    task: RwLock<Option<Arc<TaskRules>>>,
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
        *self.task.write() = any.then(|| Arc::new(rules));
        self.any.store(any, Ordering::Release);
    }

    /// A task begins: it gets its limits, unless task rules are not for it.
    pub fn begin(&self, task: &mut Task, request: &AttachRequest) {
        self.system.tasks_changed(task, false);
        if !self.any.load(Ordering::Acquire) || !is_user_task(task, request) {
            return;
        }
        let rules = self.task.read().clone();
        if let Some(rules) = rules {
            gauge::attach(task, rules);
        }
    }
}

/// System tasks, supplied transactions other than CECI and tasks that an event started have no limits ("Policy task rules", "Where policy task rules apply").
fn is_user_task(task: &Task, request: &AttachRequest) -> bool {
    let is_own = request.start_code == StartCode::System || task.kernel.is_system();
    let is_of_event = request.channel.as_ref().is_some_and(|channel| Policies::of(task.region).events.has(channel));
    !is_own && !is_of_event && (!is_supplied(&task.definition) || task.definition.program.as_str() == COMMAND_INTERPRETER)
}
