//! The task rules in force, arranged for the tasks that begin.
//!
//! Invariant: an arrangement never changes.

use crate::policy::task_rule::{ITEM_COUNT, ITEMS, Item, Unit};
use crate::policy::{Policy, Rule};
use std::sync::Arc;

/// The place of an item that no rule limits.
pub const NO_LIMIT: u64 = u64::MAX;

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
    pub fn of(policies: &[Arc<Policy>]) -> TaskRules {
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
        let amounts: Vec<Item> = ITEMS.iter().copied().filter(|item| limits[*item as usize] != NO_LIMIT && is_amount(*item)).collect();
        TaskRules { by_item, limits, is_filtered, has_amounts: !amounts.is_empty(), amounts }
    }
}

/// Whether an item is compared as an amount; the others are counted with each request.
fn is_amount(item: Item) -> bool {
    let row = item.row();
    row.unit != Unit::Requests || row.kind == "storagerequest" || matches!(item, Item::WriteTsMain | Item::WriteTsAuxiliary)
}
