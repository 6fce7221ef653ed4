//! System rules: what happens in the region is compared with the rules in force, and they act by a message or an event.
//!
//! Changes of state come from the domains (`region::changes`), messages from a sink, the number of tasks from their begin and end. A rule is
//! for the task that makes the change, if one does. Source: CICS TS 5.5, "Policy system rules"; message DFHMP3009. Invariant: while no rule
//! is about a kind of change, that kind costs one load.

use crate::Policies;
use crate::event::captured::Event;
use crate::event::emit;
use crate::message::{QUEUES, tell};
use crate::policy::system_rule::{Comparison, Kind};
use crate::policy::{Action, Condition, Rule};
use crate::population::Population;
use crate::scope::Scoped;
use kernel::trace::{self, Value, points};
use parking_lot::{Mutex, RwLock};
use region::changes::{Change, kind};
use region::messages::{Message, Sink};
use region::name::Name8;
use region::{Region, Task, TaskShared};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Messages of the rules themselves: no rule is about them.
const OWN_MESSAGES: [&str; 3] = ["DFHMP", "DFHEC", "DFHEP"];

/// The system rules in force.
#[derive(Default)]
pub struct SystemRules {
    rules: RwLock<Arc<Vec<Arc<Rule>>>>,
    /// Rules are about messages, about the number of tasks, about those of transaction classes.
    watches_messages: AtomicBool,
    watches_tasks: AtomicBool,
    watches_classes: AtomicBool,
    /// The active tasks of each class; of the region, without a name. Locked while they are counted, so that each crossing is seen once.
    populations: Mutex<BTreeMap<Name8, Population>>,
}

impl SystemRules {
    pub fn replace(&self, region: &Region, policies: &[Scoped]) {
        // "For policies that define system rules, regardless of how the policies are deployed, the rules apply to all tasks" (Policy scopes).
        let all = policies.iter().flat_map(|scoped| &scoped.policy.rules);
        let rules: Vec<Arc<Rule>> = all.filter(|rule| kind_of(rule).is_some()).cloned().collect();
        let has = |kind: Kind| rules.iter().any(|rule| kind_of(rule) == Some(kind));
        let watched = CHANGES.iter().filter(|(kind, _)| has(*kind)).fold(0, |watched, (_, bit)| watched | bit);
        self.watches_messages.store(has(Kind::Message), Ordering::Relaxed);
        self.watches_tasks.store(has(Kind::TaskThreshold), Ordering::Relaxed);
        self.watches_classes.store(has(Kind::TranclassTaskThreshold), Ordering::Relaxed);
        *self.rules.write() = Arc::new(rules);
        region.changes.watch(watched, changed);
    }

    /// A task begins, or is about to end.
    pub fn tasks_changed(&self, task: &Task, is_ending: bool) {
        let (all, classes) = (self.watches_tasks.load(Ordering::Relaxed), self.watches_classes.load(Ordering::Relaxed));
        // Tasks of the region itself are not counted.
        if !(all || classes) || task.kernel.is_system() {
            return;
        }
        let ending = u32::from(is_ending);
        let dispatcher = &task.region.dispatcher;
        if all {
            self.moved(task, Kind::TaskThreshold, Name8::BLANK, ending, || Some(dispatcher.active_and_max_tasks()));
        }
        let class = task.definition.tranclass;
        if classes && !class.is_blank() {
            self.moved(task, Kind::TranclassTaskThreshold, class, ending, || dispatcher.active_and_limit_of_class(class));
        }
    }

    /// The number of active tasks of the region, or of a class, has changed: `count` has it with its limit, and those that are ending.
    fn moved(&self, task: &Task, kind: Kind, class: Name8, ending: u32, count: impl Fn() -> Option<(u32, u32)>) {
        let (crossed, before, now) = {
            let mut populations = self.populations.lock();
            let Some((active, limit)) = count() else { return };
            let population = populations.entry(class).or_default();
            let before = population.percent();
            (population.moved(active.saturating_sub(ending), limit), before.to_string(), population.percent().to_string())
        };
        for rule in self.rules.read().clone().iter().filter(|rule| kind_of(rule) == Some(kind)) {
            let Condition::System(condition) = &rule.condition else { continue };
            let Comparison::Crossing(filter, crossing) = &condition.comparison else { continue };
            let is_crossed = crossed.contains(crossing) && filter.accepts(class.as_str());
            consider(task.region, rule, Some(&task.shared), is_crossed, [class.as_str(), &before, &now]);
        }
    }
}

const CHANGES: [(Kind, u32); 8] = [
    (Kind::FileOpen, kind::FILE_OPEN),
    (Kind::FileEnable, kind::FILE_ENABLE),
    (Kind::ProgramEnable, kind::PROGRAM_ENABLE),
    (Kind::BundleEnable, kind::BUNDLE_ENABLE),
    (Kind::BundleAvailable, kind::BUNDLE_AVAILABLE),
    (Kind::Db2Connection, kind::DB2_CONNECTION),
    (Kind::UnhandledAbend, kind::ABEND),
    (Kind::AidThreshold, kind::AIDS),
];

fn kind_of(rule: &Rule) -> Option<Kind> {
    match &rule.condition {
        Condition::System(condition) => Some(condition.kind),
        Condition::Task(_) => None,
    }
}

/// A change of a kind that a rule is about.
fn changed(region: &'static Region, change: &Change) {
    let (kind, values) = match *change {
        Change::FileOpen { file, from, to } => (Kind::FileOpen, [file, from, to]),
        Change::FileEnable { file, from, to } => (Kind::FileEnable, [file, from, to]),
        Change::ProgramEnable { program, from, to } => (Kind::ProgramEnable, [program, from, to]),
        Change::BundleEnable { bundle, from, to } => (Kind::BundleEnable, [bundle, from, to]),
        Change::BundleAvailable { bundle, from, to } => (Kind::BundleAvailable, [bundle, from, to]),
        Change::Db2Connection { connection, from, to } => (Kind::Db2Connection, [connection, from, to]),
        Change::Abend { code, program } => (Kind::UnhandledAbend, [code, program, ""]),
        Change::Aids { transid, count } => return aids(region, transid, count),
    };
    compare(region, kind, values);
}

/// The task that makes the change, if one does.
fn current_task(region: &Region) -> Option<Arc<TaskShared>> {
    kernel::current().and_then(|kernel| region.transactions().task(kernel.number()))
}

/// A START adds an automatic initiate descriptor to the terminal of its task.
fn aids(region: &'static Region, transid: &str, count: u32) {
    let task = current_task(region);
    let rules = Policies::of(region).in_force.system.rules.read().clone();
    for rule in rules.iter() {
        let Condition::System(condition) = &rule.condition else { continue };
        let Comparison::MoreThan(limit) = condition.comparison else { continue };
        let (before, now) = (count.saturating_sub(1).to_string(), count.to_string());
        consider(region, rule, task.as_deref(), count > limit, [transid, &before, &now]);
    }
}

fn compare(region: &'static Region, kind: Kind, values: [&str; 3]) {
    let task = current_task(region);
    // A message of such a task would trigger the next one.
    if task.as_ref().and_then(|task| task.queue).is_some_and(|queue| QUEUES.contains(&queue.as_str().trim_end())) {
        return;
    }
    let rules = Policies::of(region).in_force.system.rules.read().clone();
    for rule in rules.iter().filter(|rule| kind_of(rule) == Some(kind)) {
        let Condition::System(condition) = &rule.condition else { continue };
        consider(region, rule, task.as_deref(), condition.accepts(kind, values), values);
    }
}

/// Counts the evaluation of a rule, and lets it act if its condition is met and it is for the task.
fn consider(region: &'static Region, rule: &Rule, task: Option<&TaskShared>, is_met: bool, values: [&str; 3]) {
    if let Some(task) = task {
        task.system_rules[0].fetch_add(1, Ordering::Relaxed);
    }
    let (transid, user) = task.map_or(("", ""), |task| (task.transid.as_str(), task.user_id.as_str()));
    trace::point_with(&points::MP_EVALUATION, || {
        [Value::Text("EVALUATE"), Value::Text(&rule.name), Value::Text(if is_met { "TRUE" } else { "FALSE" })]
    });
    if !is_met || !rule.context.accepts(transid, user) {
        return;
    }
    if let Some(task) = task {
        task.system_rules[1].fetch_add(1, Ordering::Relaxed);
    }
    act(region, rule, task, values);
}

fn act(region: &'static Region, rule: &Rule, task: Option<&TaskShared>, [name, from, to]: [&str; 3]) {
    rule.act();
    let (kind, _) = rule.kind();
    let number = task.map_or_else(|| "-----".to_string(), |task| format!("{:05}", task.number));
    let transid = task.map_or("----", |task| task.transid.as_str());
    match &rule.action {
        Action::Event(receiver) => {
            let mut event = Event::of(region, task, rule, kind);
            event.add(region, "name", name, 32);
            event.add(region, "from", from, 16);
            event.add(region, "to", to, 16);
            emit::emit(region, receiver, event);
        }
        Action::Message | Action::Abend(_) => {
            let what = [("", name), ("FROM=", from), ("TO=", to)].into_iter().filter(|(_, value)| !value.is_empty());
            let what: Vec<String> = what.map(|(label, value)| format!("{label}{}", value.trim_end())).collect();
            let what = what.join(", ");
            let values = [
                ("task", number.as_str()),
                ("transid", transid),
                ("type", kind),
                ("rule", &rule.name),
                ("what", &what),
                ("policy", &rule.identity.policy),
                ("bundle", &rule.identity.bundle),
            ];
            tell(region, "DFHMP3009", &values);
        }
    }
}

struct Messages(&'static Region);

impl Sink for Messages {
    fn message(&self, message: &Message) {
        let is_own = OWN_MESSAGES.iter().any(|own| message.id.starts_with(own));
        if !is_own && !message.is_consequence && Policies::of(self.0).in_force.system.watches_messages.load(Ordering::Relaxed) {
            compare(self.0, Kind::Message, [message.id, "", ""]);
        }
    }
}

/// Hears the region's messages from its start on.
pub fn start(region: &'static Region) {
    region.messages.add_sink(Arc::new(Messages(region)));
}
