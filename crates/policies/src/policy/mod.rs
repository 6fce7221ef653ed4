//! Policies: rules with a condition and an action, read from the `.policy` parts of bundles.
//!
//! * `task_rule`    what a task rule can limit, from `tables/task_rules.tsv`;
//! * `system_rule`  what a system rule is about, from `tables/system_rules.tsv`;
//! * `filter`       comparisons with names and states;
//! * `parse`        policy XML to rules.
//!
//! Invariant: a policy never changes; the counters of its rules do.

pub mod filter;
pub mod parse;
pub mod system_rule;
pub mod task_rule;

use filter::ContextFilter;
use kernel::trace::{self, Value, points};
use region::figures::count;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use system_rule::SystemCondition;
use task_rule::Item;

/// Longest name of a policy and of a rule.
pub const NAME_LENGTH_MAX: usize = 64;

/// Longest name of an event adapter and of a set of them (INQUIRE EPADAPTER).
pub const ADAPTER_LENGTH_MAX: usize = 32;

/// What belongs to all rules of a policy.
#[derive(Debug)]
pub struct Identity {
    pub policy: String,
    /// Up to eight characters by which reports group policies.
    pub user_tag: String,
    /// The BUNDLE resource, its identifier in the manifest, and its directory.
    pub bundle: String,
    pub bundle_id: String,
    pub directory: String,
}

/// A policy of an installed bundle.
#[derive(Debug)]
pub struct Policy {
    pub identity: Arc<Identity>,
    pub rules: Vec<Arc<Rule>>,
}

/// Where an event goes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Receiver {
    Adapter(String),
    Set(String),
}

/// What CICS does when the condition of a rule is met. In the order in which rules with the same threshold act.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    Message,
    Event(Receiver),
    /// The code, four characters.
    Abend(String),
}

impl Action {
    /// As statistics name it.
    pub fn name(&self) -> &'static str {
        match self {
            Action::Message => "message",
            Action::Event(_) => "event",
            Action::Abend(_) => "abend",
        }
    }
}

/// A limit on what a task uses.
#[derive(Debug)]
pub struct Threshold {
    pub item: Item,
    /// In requests, bytes or microseconds: more than this is too much.
    pub limit: u64,
    /// As the policy writes it.
    pub value: String,
    pub unit: String,
}

/// The condition of a rule.
#[derive(Debug)]
pub enum Condition {
    Task(Threshold),
    System(SystemCondition),
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    pub identity: Arc<Identity>,
    pub name: String,
    pub condition: Condition,
    pub context: ContextFilter,
    pub action: Action,
    pub taken: Taken,
}

/// How often and when the action of a rule was taken.
#[derive(Debug, Default)]
pub struct Taken {
    total: AtomicU64,
    /// Microseconds since 1970; zero: never.
    last: AtomicU64,
}

impl Taken {
    fn now(&self) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros() as u64;
        self.total.fetch_add(1, Ordering::Relaxed);
        self.last.store(now, Ordering::Relaxed);
    }

    /// Since the rule was installed.
    pub fn total(&self) -> u64 {
        count(&self.total)
    }

    pub fn last(&self) -> Option<SystemTime> {
        match count(&self.last) {
            0 => None,
            microseconds => Some(UNIX_EPOCH + Duration::from_micros(microseconds)),
        }
    }
}

impl Rule {
    /// Counts and traces the action that is taken now.
    pub fn act(&self) {
        self.taken.now();
        trace::point(
            &points::MP_ACTION,
            &[Value::Text("ACTION"), Value::Text(&self.identity.policy), Value::Text(&self.name), Value::Text(self.action.name())],
        );
    }

    /// The type and the subtype, as policy XML has them.
    pub fn kind(&self) -> (&'static str, &'static str) {
        match &self.condition {
            Condition::Task(threshold) => {
                let row = threshold.item.row();
                (row.kind, row.item)
            }
            Condition::System(condition) => (condition.kind.row().kind, ""),
        }
    }

    /// The threshold of a task rule.
    pub fn threshold(&self) -> Option<&Threshold> {
        match &self.condition {
            Condition::Task(threshold) => Some(threshold),
            Condition::System(_) => None,
        }
    }
}
