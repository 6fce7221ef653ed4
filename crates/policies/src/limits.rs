//! The task rules in force, arranged for the tasks that begin.
//!
//! Invariant: an arrangement never changes.

use crate::policy::Rule;
use crate::policy::task_rule::{ITEM_COUNT, ITEMS, Item, Unit};
use crate::scope::{Scope, Scoped};
use region::Task;
use std::sync::Arc;

/// The place of an item that no rule limits.
pub const NO_LIMIT: u64 = u64::MAX;

/// The task rules in force.
#[derive(Clone)]
pub struct TaskRules {
    /// By item, in the order of thresholds; rules with the same threshold in the order of their actions.
    pub by_item: [Vec<ScopedRule>; ITEM_COUNT],
    /// The lowest threshold of each item.
    pub limits: [u64; ITEM_COUNT],
    /// A rule is not for all tasks.
    pub is_filtered: bool,
    /// A rule is for the tasks of an application or an operation.
    pub is_scoped: bool,
    /// The items that are compared as amounts, without those of time.
    pub amounts: Vec<Item>,
}

/// A task rule, and the scope of its policy.
#[derive(Clone)]
pub struct ScopedRule {
    pub rule: Arc<Rule>,
    pub scope: Arc<Scope>,
}

impl ScopedRule {
    fn is_for_all(&self) -> bool {
        self.rule.context.is_off() && self.scope.is_region()
    }

    pub fn accepts(&self, task: &Task) -> bool {
        self.is_for_all()
            || self.rule.context.accepts(task.transid.as_str(), task.user_id.as_str())
                && self.scope.accepts(task.shared.contexts.initial().map(|context| &**context))
    }
}

impl TaskRules {
    pub fn of(policies: &[Scoped]) -> TaskRules {
        let mut by_item: [Vec<ScopedRule>; ITEM_COUNT] = std::array::from_fn(|_| Vec::new());
        for (rule, scope) in policies.iter().flat_map(|scoped| scoped.policy.rules.iter().map(|rule| (rule, &scoped.scope))) {
            if let Some(threshold) = rule.threshold() {
                by_item[threshold.item as usize].push(ScopedRule { rule: rule.clone(), scope: scope.clone() });
            }
        }
        let limit_of = |scoped: &ScopedRule| scoped.rule.threshold().map_or(NO_LIMIT, |threshold| threshold.limit);
        for rules in &mut by_item {
            rules.sort_by(|one, other| (limit_of(one), &one.rule.action).cmp(&(limit_of(other), &other.rule.action)));
        }
        let limits = std::array::from_fn(|item| by_item[item].first().map_or(NO_LIMIT, limit_of));
        let is_filtered = by_item.iter().flatten().any(|rule| !rule.is_for_all());
        let is_scoped = by_item.iter().flatten().any(|rule| !rule.scope.is_region());
        let amounts = ITEMS.iter().copied().filter(|item| limits[*item as usize] != NO_LIMIT && is_amount(*item)).collect();
        TaskRules { by_item, limits, is_filtered, is_scoped, amounts }
    }
}

/// Whether an item is compared as an amount; the others are counted with each request, or are times.
fn is_amount(item: Item) -> bool {
    let row = item.row();
    !matches!(item, Item::CpuTime | Item::ElapsedTime)
        && (row.unit != Unit::Requests || row.kind == "storagerequest" || matches!(item, Item::WriteTsMain | Item::WriteTsAuxiliary))
}
