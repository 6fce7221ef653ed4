//! The task rules in force, arranged for the tasks that begin.
//!
//! Everything that does not depend on the task is worked out here, once: what each command is counted as, if a rule limits that; which amounts
//! are compared; when the first limit of time is reached. Invariant: an arrangement never changes.

use crate::counted::{self, CommandPlan};
use crate::policy::task_rule::{ITEM_COUNT, ITEMS, Item, Unit};
use crate::policy::{Action, Rule};
use crate::scope::{Scope, Scoped};
use exec::CommandId;
use kernel::clock::duration_to_ticks;
use region::Task;
use std::sync::Arc;
use std::time::Duration;

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
    /// By command: what a rule wants to know of it.
    by_command: Vec<CommandPlan>,
    /// The age at which the first rule about time can be exceeded, in ticks of the region clock.
    pub ticks_max: u64,
    /// A rule abends tasks for their time.
    pub abends_for_time: bool,
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
        let amounts: Vec<Item> = ITEMS.iter().copied().filter(|item| limits[*item as usize] != NO_LIMIT && is_amount(*item)).collect();
        let by_command = counted::plans(|item| limits[item as usize] != NO_LIMIT, amounts.iter().any(|item| !is_held(*item)));
        let times = [Item::CpuTime, Item::ElapsedTime].map(|item| item as usize);
        let abends_for_time =
            times.iter().flat_map(|item| &by_item[*item]).any(|scoped: &ScopedRule| matches!(scoped.rule.action, Action::Abend(_)));
        TaskRules { ticks_max: ticks_max(&limits), by_item, limits, is_filtered, is_scoped, amounts, by_command, abends_for_time }
    }

    /// What is to be done around a command.
    #[inline]
    pub fn plan(&self, command: CommandId) -> CommandPlan {
        self.by_command.get(usize::from(command.0)).copied().unwrap_or_default()
    }
}

/// How old a task is, in ticks, when it reaches the lowest of its limits of time, in microseconds.
pub fn ticks_max(limits: &[u64; ITEM_COUNT]) -> u64 {
    match limits[Item::CpuTime as usize].min(limits[Item::ElapsedTime as usize]) {
        NO_LIMIT => u64::MAX,
        limit => duration_to_ticks(Duration::from_micros(limit)),
    }
}

/// Added up from the task's storage.
pub fn is_held(item: Item) -> bool {
    matches!(item, Item::StorageTask24 | Item::StorageTask31 | Item::StorageTask64)
}

/// Whether an item is compared as an amount; the others are counted with each request, or are times.
fn is_amount(item: Item) -> bool {
    let row = item.row();
    !matches!(item, Item::CpuTime | Item::ElapsedTime)
        && (row.unit != Unit::Requests || row.kind == "storagerequest" || matches!(item, Item::WriteTsMain | Item::WriteTsAuxiliary))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Identity, parse};
    use exec::command;

    fn identity() -> Identity {
        let name = || "BENCH".to_string();
        Identity { policy: name(), user_tag: String::new(), bundle: name(), bundle_id: name(), directory: name() }
    }

    /// The rules of the benchmark, by the type of rule that is wanted.
    fn rules(wanted: &[&str]) -> TaskRules {
        let text = include_str!("../../../bench/policy/limits.policy");
        let mut policy = parse::parse(text, identity()).expect("the policy of the benchmark is correct");
        policy.rules.retain(|rule| wanted.contains(&rule.kind().0) || wanted.is_empty());
        TaskRules::of(&[Scoped { policy: Arc::new(policy), scope: Arc::default() }])
    }

    #[test]
    fn a_command_that_no_rule_counts_is_not_watched() {
        let all = rules(&[]);
        for watched in [command::READ, command::WRITE, command::LINK, command::GETMAIN, command::WRITEQ_TS, command::READQ_TS] {
            assert!(all.plan(watched).is_watched, "{watched:?}");
        }
        for other in [command::SEND_MAP, command::RECEIVE_MAP, command::ASKTIME, command::RETURN, command::DELETE, command::STARTBR] {
            assert_eq!(all.plan(other), CommandPlan::default(), "{other:?}");
        }
        assert_eq!(
            (all.plan(command::READ).counted, all.plan(command::READ).counted_with_update),
            (Some(Item::Read), Some(Item::ReadUpdate))
        );
        let files = rules(&["filerequest"]);
        assert!(
            !files.plan(command::GETMAIN).is_watched && !files.plan(command::WRITEQ_TS).is_watched && !files.plan(command::LINK).is_watched
        );
    }

    #[test]
    fn without_rules_about_time_no_age_is_too_much() {
        assert_eq!((rules(&["filerequest"]).ticks_max, rules(&["filerequest"]).abends_for_time), (u64::MAX, false));
        assert_eq!(rules(&["time"]).ticks_max, duration_to_ticks(Duration::from_secs(86_400)));
    }
}
