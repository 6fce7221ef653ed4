//! The rules in force: those of the policies of enabled bundles, arranged for the tasks that begin.
//!
//! Invariant: an arrangement never changes; tasks keep the one they began with.

use crate::event::emit;
use crate::gauge::{self, NO_LIMIT};
use crate::policy::task_rule::{ITEM_COUNT, ITEMS, Item};
use crate::policy::{Policy, Rule};
use crate::system::SystemRules;
use parking_lot::RwLock;
use region::transaction_manager::is_supplied;
use region::{AttachRequest, Region, StartCode, Task};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The program of CECI: the one supplied transaction at a terminal that task rules are for.
const COMMAND_INTERPRETER: &str = "DFHECIP";

/// The task rules in force.
pub struct TaskRules {
    /// By item, in the order of thresholds; rules with the same threshold in the order of their actions.
    pub by_item: [Vec<Arc<Rule>>; ITEM_COUNT],
    /// The lowest threshold of each item.
    pub limits: [u64; ITEM_COUNT],
    /// A rule is not for all tasks.
    pub is_filtered: bool,
    /// The items that are compared as amounts, and whether there are any.
    pub amounts: Vec<Item>,
    pub has_amounts: bool,
}

impl TaskRules {
    fn of(policies: &[Arc<Policy>]) -> TaskRules {
        let mut by_item: [Vec<Arc<Rule>>; ITEM_COUNT] = std::array::from_fn(|_| Vec::new());
        for rule in policies.iter().flat_map(|policy| &policy.rules) {
            if let Some(threshold) = rule.threshold() {
                by_item[threshold.item as usize].push(rule.clone());
            }
        }
        let limit_of = |rule: &Arc<Rule>| rule.threshold().map_or(NO_LIMIT, |threshold| threshold.limit);
        for rules in &mut by_item {
            rules.sort_by(|one, other| (limit_of(one), &one.action).cmp(&(limit_of(other), &other.action)));
        }
        let limits = std::array::from_fn(|item| by_item[item].first().map_or(NO_LIMIT, limit_of));
        let is_filtered = by_item.iter().flatten().any(|rule| !rule.context.is_off());
        let amounts: Vec<Item> =
            ITEMS.iter().copied().filter(|item| limits[*item as usize] != NO_LIMIT && gauge::is_amount(*item)).collect();
        TaskRules { by_item, limits, is_filtered, has_amounts: !amounts.is_empty(), amounts }
    }
}

/// The rules of a region.
#[derive(Default)]
pub struct InForce {
    any: AtomicBool,
    task: RwLock<Option<Arc<TaskRules>>>,
    pub system: SystemRules,
}

impl InForce {
    /// Puts the rules of these policies in force, in place of all others.
    pub fn replace(&self, region: &Region, policies: &[Arc<Policy>]) {
        self.system.replace(region, policies);
        let rules = TaskRules::of(policies);
        let any = rules.limits.iter().any(|limit| *limit != NO_LIMIT);
        *self.task.write() = any.then(|| Arc::new(rules));
        self.any.store(any, Ordering::Release);
    }

    /// A task begins: it gets its limits, unless task rules are not for it.
    pub fn begin(&self, task: &mut Task, request: &AttachRequest) {
        self.system.tasks_changed(task, 0);
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
    let is_of_event = request.channel.as_ref().is_some_and(|channel| channel.name() == emit::CHANNEL);
    !is_own && !is_of_event && (!is_supplied(&task.definition) || task.definition.program.as_str() == COMMAND_INTERPRETER)
}
