//! The gauge of task rules: counts what a task requests and compares it, and what it has, with the limits of the rules in force.
//!
//! A task shares the rules as they are arranged, until it exceeds a limit or not all rules are for it: then it has limits of its own. What a
//! rule wants to know of a command is in its plan. A command that no rule counts costs one test: of its plan, of the number of commands, of the
//! time and of the storage of the task. Amounts (storage, bytes) are compared before and after a command, only if a rule limits them, and only
//! when the storage of the task has changed or the command is one that changes amounts. A rule acts once in a task. Source: CICS TS 5.5,
//! "Policy task rules".
//!
//! Invariant: the limit of an item is the lowest threshold that the task has not yet exceeded, or [`NO_LIMIT`].

use crate::counted::CommandPlan;
use crate::limits::{NO_LIMIT, ScopedRule, TaskRules, is_held, ticks_max};
use crate::policy::task_rule::{ITEM_COUNT, ITEMS, Item};
use crate::policy::{Action, Rule, Threshold};
use crate::{TaskPolicies, action, time};
use exec::{command, option};
use kernel::TaskRef;
use kernel::clock::ticks;
use kernel::storage::{Line, TaskStorage};
use region::gauge::Gauge;
use region::recycled::Recycled;
use region::{Arguments, Outcome, Performance, Task};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What shared storage above the bar is counted in.
const PAGE: u64 = 4096;

/// The limits of a task and what it has used.
pub struct Watch {
    rules: Arc<TaskRules>,
    /// The task's own limits; none while they are those of the rules.
    own: Option<Recycled<OwnLimits>>,
    counts: [u64; ITEM_COUNT],
    /// The number of commands that is one too many is above this.
    commands_max: u64,
    /// When the first rule about time can be exceeded, in ticks of the region clock.
    time_due: u64,
    /// What the task's storage had as its count of changes when it was last added up.
    storage_changes: u64,
    /// A WRITEQ TS in progress: its bytes, and the requests before it.
    writing: Option<Writing>,
    /// The command in progress adds to amounts other than what the task holds.
    is_adding: bool,
    /// It is in the list of tasks that use too much time.
    is_listed: bool,
    has_ended: bool,
}

/// The limits of a task that has exceeded one, or that not all rules are for.
struct OwnLimits {
    limits: [u64; ITEM_COUNT],
    /// For each item, how many of its rules the task has passed.
    passed: [u16; ITEM_COUNT],
    /// How many it had passed when it got its initial application context: of these only rules about applications still count.
    passed_before: [u16; ITEM_COUNT],
}

#[derive(Clone, Copy)]
struct Writing {
    bytes: u64,
    main: u64,
    auxiliary: u64,
}

static GAUGE: Gauge = Gauge { before, after, before_sql, entered };

/// Gives a task its limits.
pub fn attach(task: &mut Task, rules: Arc<TaskRules>) {
    let mut watch = Watch {
        own: None,
        counts: [0; ITEM_COUNT],
        commands_max: rules.limits[Item::Commands as usize],
        time_due: task.kernel.attached_at().saturating_add(rules.ticks_max),
        storage_changes: 0,
        writing: None,
        is_adding: false,
        is_listed: false,
        has_ended: false,
        rules,
    };
    if watch.rules.is_filtered && !watch.filter(task) {
        return;
    }
    if watch.rules.ticks_max != u64::MAX {
        time::start(task.region);
    }
    watch.is_listed = watch.rules.abends_for_time && time::list(task, &watch.rules);
    TaskPolicies::of_mut(&mut task.parts).watch = Some(watch);
    task.gauge = Some(&GAUGE);
}

impl Watch {
    /// The lowest threshold of the item that the task has not yet exceeded.
    #[inline]
    fn limit(&self, item: Item) -> u64 {
        match &self.own {
            None => self.rules.limits[item as usize],
            Some(own) => own.limits[item as usize],
        }
    }

    /// Counts a request; whether the limit is exceeded.
    #[inline]
    fn counted(&mut self, item: Item) -> bool {
        let count = &mut self.counts[item as usize];
        *count += 1;
        *count > self.limit(item)
    }

    /// Takes the rules that are for the task; false if none is, and none can be later.
    fn filter(&mut self, task: &Task) -> bool {
        ITEMS.iter().for_each(|item| self.limit_next(*item, task));
        let has_limit = ITEMS.iter().any(|item| self.limit(*item) != NO_LIMIT);
        // The task may enter an application later.
        has_limit || self.rules.is_scoped
    }

    fn own(&mut self) -> &mut OwnLimits {
        let rules = &self.rules;
        self.own.get_or_insert_with(|| {
            Recycled::new(OwnLimits { limits: rules.limits, passed: [0; ITEM_COUNT], passed_before: [0; ITEM_COUNT] })
        })
    }

    /// The rule of the item that the task reaches next.
    fn next_rule(&mut self, item: Item, task: &Task) -> Option<Arc<Rule>> {
        let all = self.rules.clone();
        let rules = &all.by_item[item as usize];
        let own = self.own();
        let before = own.passed_before[item as usize];
        let passed = &mut own.passed[item as usize];
        let is_over = |at: u16, rule: &ScopedRule| !rule.accepts(task) || at < before && rule.scope.is_region();
        while rules.get(usize::from(*passed)).is_some_and(|rule| is_over(*passed, rule)) {
            *passed += 1;
        }
        rules.get(usize::from(*passed)).map(|scoped| scoped.rule.clone())
    }

    /// The task has other limits from now on.
    fn limit_next(&mut self, item: Item, task: &Task) {
        let limit = self.next_rule(item, task).map_or(NO_LIMIT, |rule| threshold(&rule).limit);
        self.own().limits[item as usize] = limit;
        match item {
            Item::Commands => self.commands_max = limit,
            Item::CpuTime | Item::ElapsedTime => self.time_due = task.kernel.attached_at().saturating_add(ticks_max(&self.own().limits)),
            _ => {}
        }
    }
}

/// The task has its initial application context: rules about it count from now on, with what the task has used before. One whose threshold
/// the task has exceeded acts with the next request; rules for all tasks that have acted do not act again.
fn entered(task: &mut Task) {
    let Some(mut watch) = TaskPolicies::of_mut(&mut task.parts).watch.take() else { return };
    if watch.rules.is_scoped {
        for item in ITEMS {
            let own = watch.own();
            own.passed_before[*item as usize] = std::mem::take(&mut own.passed[*item as usize]);
            watch.limit_next(*item, task);
        }
        // What the task holds is compared with the new limits, even if it has not changed.
        watch.storage_changes = u64::MAX;
        watch.is_listed |= time::list(task, &watch.rules);
    }
    TaskPolicies::of_mut(&mut task.parts).watch = Some(watch);
}

fn threshold(rule: &Rule) -> &Threshold {
    rule.threshold().expect("the rules of an item are task rules")
}

/// The command is one that a rule counts, or time, storage or the number of commands may be too much: most commands are none of these.
fn before(task: &mut Task, arguments: &Arguments) -> Outcome {
    let (commands, changes) = (task.performance.commands, task.storage.changes());
    let Some(watch) = &TaskPolicies::of(&task.parts).watch else { return Ok(()) };
    let plan = watch.rules.plan(arguments.command);
    let is_due = commands > watch.commands_max || is_time(&task.kernel, watch.time_due);
    if !plan.is_watched && !is_due && changes == watch.storage_changes {
        return Ok(());
    }
    watched(task, arguments, plan)
}

fn watched(task: &mut Task, arguments: &Arguments, plan: CommandPlan) -> Outcome {
    let requests = &task.performance;
    let Some(watch) = &mut TaskPolicies::of_mut(&mut task.parts).watch else { return Ok(()) };
    let is_many = requests.commands > watch.commands_max;
    let item = if arguments.has(option::UPDATE) { plan.counted_with_update } else { plan.counted };
    let exceeded = item.filter(|item| watch.counted(*item));
    watch.is_adding = plan.is_adding;
    if plan.is_adding && arguments.command == command::WRITEQ_TS {
        watch.writing = Some(writing(arguments, requests));
    }
    let is_time = is_time(&task.kernel, watch.time_due);
    if is_many {
        watch.counts[Item::Commands as usize] = requests.commands;
        exceeds(task, Item::Commands)?;
    }
    if let Some(item) = exceeded {
        exceeds(task, item)?;
    }
    if is_time {
        compare_times(task)?;
    }
    compare_amounts(task)
}

fn before_sql(task: &mut Task) -> Outcome {
    let Some(watch) = &mut TaskPolicies::of_mut(&mut task.parts).watch else { return Ok(()) };
    let is_time = is_time(&task.kernel, watch.time_due);
    if watch.counted(Item::Sql) {
        exceeds(task, Item::Sql)?;
    }
    if is_time {
        compare_times(task)?;
    }
    compare_amounts(task)
}

/// A rule about time may be exceeded. The clock is not read: the beginning of the present dispatch and the last look at all tasks will do.
#[inline]
fn is_time(kernel: &TaskRef, time_due: u64) -> bool {
    kernel.dispatched_at().max(time::looked_at()) > time_due
}

fn after(task: &mut Task) -> Outcome {
    let (requests, changes) = (&task.performance, task.storage.changes());
    let Some(watch) = &mut TaskPolicies::of_mut(&mut task.parts).watch else { return Ok(()) };
    if !watch.is_adding && changes == watch.storage_changes {
        return Ok(());
    }
    if let Some(Writing { bytes, main, auxiliary }) = watch.writing.take() {
        if requests.ts_puts_main > main {
            watch.counts[Item::BytesTsMain as usize] += bytes;
        } else if requests.ts_puts_auxiliary > auxiliary {
            watch.counts[Item::BytesTsAuxiliary as usize] += bytes;
        }
    }
    let compared = compare_amounts(task);
    if let Some(watch) = &mut TaskPolicies::of_mut(&mut task.parts).watch {
        watch.is_adding = false;
    }
    compared
}

/// The task has ended: amounts that it reached with its last command.
pub fn detach(task: &mut Task) {
    let [evaluated, acted] = &task.shared.system_rules;
    task.performance.policy_system_rules_evaluated = evaluated.load(Ordering::Relaxed).into();
    task.performance.policy_system_rules_acted = acted.load(Ordering::Relaxed).into();
    if task.gauge.take().is_none() {
        return;
    }
    let Some(watch) = &mut TaskPolicies::of_mut(&mut task.parts).watch else { return };
    watch.has_ended = true;
    watch.is_adding = true;
    let is_time = watch.time_due != u64::MAX && ticks() > watch.time_due;
    if watch.is_listed {
        time::remove(task);
    }
    let times = if is_time { compare_times(task) } else { Ok(()) };
    let compared = times.and_then(|()| compare_amounts(task));
    debug_assert!(compared.is_ok(), "a task that has ended does not abend");
    TaskPolicies::of_mut(&mut task.parts).watch = None;
}

fn writing(arguments: &Arguments, requests: &Performance) -> Writing {
    let area = arguments.area(option::FROM).map_or(0, |area| area.length as u64);
    let length = arguments.integer(option::LENGTH).and_then(|length| u64::try_from(length).ok());
    Writing { bytes: length.unwrap_or(area), main: requests.ts_puts_main, auxiliary: requests.ts_puts_auxiliary }
}

/// Compares the amounts that a rule limits, if one may have changed.
#[inline]
fn compare_amounts(task: &mut Task) -> Outcome {
    let changes = task.storage.changes();
    let Some(watch) = &mut TaskPolicies::of_mut(&mut task.parts).watch else { return Ok(()) };
    let has_changed = std::mem::replace(&mut watch.storage_changes, changes) != changes;
    if has_changed || watch.is_adding { compare_changed(task, has_changed) } else { Ok(()) }
}

fn compare_changed(task: &mut Task, has_changed: bool) -> Outcome {
    let mut next = 0;
    loop {
        let (counted, storage) = (&task.performance, &task.storage);
        let Some(watch) = &mut TaskPolicies::of_mut(&mut task.parts).watch else { return Ok(()) };
        let is_compared = |item: &Item| has_changed || !is_held(*item);
        let mut amounts = watch.rules.amounts[next..].iter().enumerate().filter(|(_, item)| is_compared(item));
        let exceeded = amounts.find_map(|(at, item)| {
            let amount = amount(counted, storage, &watch.counts, *item);
            (amount > watch.limit(*item)).then_some((at, *item, amount))
        });
        let Some((at, item, amount)) = exceeded else { return Ok(()) };
        next += at + 1;
        watch.counts[item as usize] = amount;
        exceeds(task, item)?;
    }
}

/// Compares the times that a rule limits. Processor time is not read before the task is as old as its limit, because it cannot be more.
#[cold]
fn compare_times(task: &mut Task) -> Outcome {
    let age = task.kernel.age().as_micros() as u64;
    compare(task, Item::ElapsedTime, age)?;
    let limit = TaskPolicies::of(&task.parts).watch.as_ref().map_or(NO_LIMIT, |watch| watch.limit(Item::CpuTime));
    if age > limit { compare(task, Item::CpuTime, task.kernel.cpu_time().as_micros() as u64) } else { Ok(()) }
}

fn compare(task: &mut Task, item: Item, amount: u64) -> Outcome {
    let Some(watch) = &mut TaskPolicies::of_mut(&mut task.parts).watch else { return Ok(()) };
    if amount <= watch.limit(item) {
        return Ok(());
    }
    watch.counts[item as usize] = amount;
    exceeds(task, item)
}

/// How much of something a task has, or has requested, by its other counters.
fn amount(counted: &Performance, storage: &TaskStorage, counts: &[u64; ITEM_COUNT], item: Item) -> u64 {
    match item {
        Item::StorageTask24 => storage.held(Line::Below16M) as u64,
        Item::StorageTask31 => storage.held(Line::Below2G) as u64,
        Item::StorageTask64 => storage.held(Line::Above) as u64,
        Item::StorageShared24 => counted.shared_bytes_got_24,
        Item::StorageShared31 => counted.shared_bytes_got_31,
        Item::StorageShared64 => counted.shared_pages_got_64 * PAGE,
        Item::GetmainTask24 => counted.getmains_udsa + counted.getmains_cdsa,
        Item::GetmainTask31 => counted.getmains_eudsa + counted.getmains_ecdsa,
        Item::GetmainTask64 => counted.getmains_gudsa + counted.getmains_gcdsa,
        Item::GetmainShared24 => counted.getmains_shared_24,
        Item::GetmainShared31 => counted.getmains_shared_31,
        Item::GetmainShared64 => counted.getmains_shared_64,
        Item::WriteTsMain => counted.ts_puts_main,
        Item::WriteTsAuxiliary => counted.ts_puts_auxiliary,
        other => counts[other as usize],
    }
}

/// Takes the actions of all rules that the task has exceeded, in the order of their thresholds.
#[cold]
fn exceeds(task: &mut Task, item: Item) -> Outcome {
    loop {
        let Some(mut watch) = TaskPolicies::of_mut(&mut task.parts).watch.take() else { return Ok(()) };
        let current = watch.counts[item as usize];
        let rule = watch.next_rule(item, task).filter(|rule| current > threshold(rule).limit);
        if rule.is_some() {
            watch.own().passed[item as usize] += 1;
        }
        watch.limit_next(item, task);
        let has_ended = watch.has_ended;
        TaskPolicies::of_mut(&mut task.parts).watch = Some(watch);
        let Some(rule) = rule else { return Ok(()) };
        // It is too late for an abend: what it would back out has been committed.
        if matches!(rule.action, Action::Abend(_)) && (has_ended || time::has_acted(task, &rule)) {
            continue;
        }
        task.performance.policy_thresholds += 1;
        action::exceeded(task, &rule, threshold(&rule), current)?;
    }
}
