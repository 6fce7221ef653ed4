//! The gauge of task rules: counts what a task requests and compares it, and what it has, with the limits of the rules in force.
//!
//! A task takes the limits when it is attached, into an array with one place for each item, so that a command costs one addition and one
//! comparison for each of its items, however many rules there are. Amounts (storage, bytes) are compared only if a rule limits them, before
//! and after each command, and only when the storage of the task has changed or the command is one that changes amounts. Time is looked at before each command, and costs one
//! reading of the clock until the task is as old as the lowest of its limits. A rule acts once in a task. Source: CICS TS 5.5, "Policy task
//! rules".
//!
//! Invariant: `limits[item]` is the lowest threshold of the item that the task has not yet exceeded, or [`NO_LIMIT`].

use crate::limits::{NO_LIMIT, ScopedRule, TaskRules};
use crate::policy::task_rule::{ITEM_COUNT, ITEMS, Item};
use crate::policy::{Action, Rule, Threshold};
use crate::{TaskPolicies, action, time};
use exec::{CommandId, command, option};
use kernel::clock::{duration_to_ticks, ticks};
use kernel::storage::Line;
use region::gauge::Gauge;
use region::recycled::Recycled;
use region::{Arguments, Outcome, Performance, Task};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// What shared storage above the bar is counted in.
const PAGE: u64 = 4096;

/// The limits of a task and what it has used.
pub struct Watch {
    rules: Arc<TaskRules>,
    counts: [u64; ITEM_COUNT],
    limits: [u64; ITEM_COUNT],
    /// For each item, how many of its rules the task has passed.
    passed: [u16; ITEM_COUNT],
    /// How many it had passed when it got its initial application context: of these only rules about applications still count.
    passed_before: [u16; ITEM_COUNT],
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

#[derive(Clone, Copy)]
struct Writing {
    bytes: u64,
    main: u64,
    auxiliary: u64,
}

static GAUGE: Gauge = Gauge { before, after, before_sql, entered };

/// Gives a task its limits.
pub fn attach(task: &mut Task, rules: Arc<TaskRules>) {
    let mut watch = Recycled::new(Watch {
        counts: [0; ITEM_COUNT],
        limits: rules.limits,
        passed: [0; ITEM_COUNT],
        passed_before: [0; ITEM_COUNT],
        time_due: 0,
        storage_changes: 0,
        writing: None,
        is_adding: false,
        is_listed: false,
        has_ended: false,
        rules,
    });
    if watch.rules.is_filtered {
        for item in ITEMS {
            watch.limit_next(*item, task);
        }
    }
    // The task may enter an application later.
    if watch.limits.iter().all(|limit| *limit == NO_LIMIT) && !watch.rules.is_scoped {
        return;
    }
    watch.time_due = time_due(task.kernel.attached_at(), &watch.limits);
    watch.is_listed = time::list(task, &watch.rules);
    TaskPolicies::of_mut(&mut task.parts).watch = Some(watch);
    task.gauge = Some(&GAUGE);
}

impl Watch {
    /// Counts a request; whether the limit is exceeded.
    #[inline]
    fn counted(&mut self, item: Item) -> bool {
        let count = &mut self.counts[item as usize];
        *count += 1;
        *count > self.limits[item as usize]
    }

    /// The rule of the item that the task reaches next.
    fn next_rule(&mut self, item: Item, task: &Task) -> Option<&Arc<Rule>> {
        let rules = &self.rules.by_item[item as usize];
        let passed = &mut self.passed[item as usize];
        let before = self.passed_before[item as usize];
        let is_over = |at: u16, rule: &ScopedRule| !rule.accepts(task) || at < before && rule.scope.is_region();
        while rules.get(usize::from(*passed)).is_some_and(|rule| is_over(*passed, rule)) {
            *passed += 1;
        }
        rules.get(usize::from(*passed)).map(|scoped| &scoped.rule)
    }

    fn limit_next(&mut self, item: Item, task: &Task) {
        self.limits[item as usize] = self.next_rule(item, task).map_or(NO_LIMIT, |rule| threshold(rule).limit);
    }
}

/// The task has its initial application context: rules about it count from now on, with what the task has used before. One whose threshold
/// the task has exceeded acts with the next request; rules for all tasks that have acted do not act again.
fn entered(task: &mut Task) {
    let Some(mut watch) = TaskPolicies::of_mut(&mut task.parts).watch.take() else { return };
    if watch.rules.is_scoped {
        for item in ITEMS {
            let passed = &mut watch.passed[*item as usize];
            watch.passed_before[*item as usize] = std::mem::take(passed);
            watch.limit_next(*item, task);
        }
        watch.time_due = time_due(task.kernel.attached_at(), &watch.limits);
        // What the task holds is compared with the new limits, even if it has not changed.
        watch.storage_changes = u64::MAX;
        watch.is_listed |= time::list(task, &watch.rules);
    }
    TaskPolicies::of_mut(&mut task.parts).watch = Some(watch);
}

fn threshold(rule: &Rule) -> &Threshold {
    rule.threshold().expect("the rules of an item are task rules")
}

/// The item that counts each command; READ has another one with UPDATE.
fn item_of(arguments: &Arguments) -> Option<Item> {
    static ITEMS_OF_COMMANDS: OnceLock<Vec<Option<Item>>> = OnceLock::new();
    let items = ITEMS_OF_COMMANDS.get_or_init(|| {
        let mut items = vec![None; exec::commands().len()];
        for (command, item) in COUNTED {
            items[usize::from(command.0)] = Some(*item);
        }
        items
    });
    match items.get(usize::from(arguments.command.0)).copied().flatten() {
        Some(Item::Read) if arguments.has(option::UPDATE) => Some(Item::ReadUpdate),
        item => item,
    }
}

/// Commands that are counted when they are given, whatever comes of them.
const COUNTED: &[(CommandId, Item)] = &[
    (command::RUN_TRANSID, Item::RunTransid),
    (command::DELETE, Item::Delete),
    (command::READ, Item::Read),
    (command::READNEXT, Item::ReadNext),
    (command::READPREV, Item::ReadPrev),
    (command::REWRITE, Item::Rewrite),
    (command::STARTBR, Item::StartBrowse),
    (command::WRITE, Item::Write),
    (command::GET_COUNTER, Item::GetCounter),
    (command::GET_DCOUNTER, Item::GetDcounter),
    (command::LINK, Item::Link),
    (command::INVOKE_APPLICATION, Item::Link),
    (command::START, Item::Start),
    (command::START_CHANNEL, Item::Start),
    (command::SYNCPOINT, Item::Syncpoint),
    (command::SYNCPOINT_ROLLBACK, Item::Syncpoint),
    (command::READQ_TD, Item::ReadTd),
    (command::WRITEQ_TD, Item::WriteTd),
    (command::READQ_TS, Item::ReadTs),
];

/// Commands that add to what is compared besides the storage that the task holds.
const ADDING: [CommandId; 3] = [command::GETMAIN, command::GETMAIN64, command::WRITEQ_TS];

fn before(task: &mut Task, arguments: &Arguments) -> Outcome {
    let item = item_of(arguments);
    let requests = &task.performance;
    let Some(watch) = TaskPolicies::of_mut(&mut task.parts).watch.as_deref_mut() else { return Ok(()) };
    let many = watch.counted(Item::Commands);
    let exceeded = item.filter(|item| watch.counted(*item));
    watch.is_adding = ADDING.contains(&arguments.command);
    if arguments.command == command::WRITEQ_TS {
        watch.writing = Some(writing(arguments, requests));
    }
    let is_time = ticks() > watch.time_due;
    if many {
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
    let Some(watch) = TaskPolicies::of_mut(&mut task.parts).watch.as_deref_mut() else { return Ok(()) };
    let is_time = ticks() > watch.time_due;
    if watch.counted(Item::Sql) {
        exceeds(task, Item::Sql)?;
    }
    if is_time {
        compare_times(task)?;
    }
    compare_amounts(task)
}

fn after(task: &mut Task) -> Outcome {
    let requests = &task.performance;
    let Some(watch) = TaskPolicies::of_mut(&mut task.parts).watch.as_deref_mut() else { return Ok(()) };
    if let Some(Writing { bytes, main, auxiliary }) = watch.writing.take() {
        if requests.ts_puts_main > main {
            watch.counts[Item::BytesTsMain as usize] += bytes;
        } else if requests.ts_puts_auxiliary > auxiliary {
            watch.counts[Item::BytesTsAuxiliary as usize] += bytes;
        }
    }
    compare_amounts(task)
}

/// The task has ended: amounts that it reached with its last command.
pub fn detach(task: &mut Task) {
    let [evaluated, acted] = &task.shared.system_rules;
    task.performance.policy_system_rules_evaluated = evaluated.load(Ordering::Relaxed).into();
    task.performance.policy_system_rules_acted = acted.load(Ordering::Relaxed).into();
    if task.gauge.take().is_none() {
        return;
    }
    let Some(watch) = TaskPolicies::of_mut(&mut task.parts).watch.as_deref_mut() else { return };
    watch.has_ended = true;
    watch.is_adding = true;
    let is_time = ticks() > watch.time_due;
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

/// Compares the amounts that a rule limits.
#[inline]
fn compare_amounts(task: &mut Task) -> Outcome {
    let Some(watch) = TaskPolicies::of_mut(&mut task.parts).watch.as_deref_mut() else { return Ok(()) };
    let storage_changes = task.storage.changes();
    let has_changed = std::mem::replace(&mut watch.storage_changes, storage_changes) != storage_changes;
    if !has_changed && !watch.is_adding {
        return Ok(());
    }
    let mut next = 0;
    loop {
        let Some(watch) = TaskPolicies::of(&task.parts).watch.as_deref() else { return Ok(()) };
        let Some(item) = watch.rules.amounts.get(next).copied() else { return Ok(()) };
        next += 1;
        if has_changed || !is_held(item) {
            compare(task, item, amount(task, item))?;
        }
    }
}

/// Compares the times that a rule limits. Processor time is not read before the task is as old as its limit, because it cannot be more.
#[cold]
fn compare_times(task: &mut Task) -> Outcome {
    let age = task.kernel.age().as_micros() as u64;
    compare(task, Item::ElapsedTime, age)?;
    let limit = TaskPolicies::of(&task.parts).watch.as_deref().map_or(NO_LIMIT, |watch| watch.limits[Item::CpuTime as usize]);
    if age > limit {
        compare(task, Item::CpuTime, task.kernel.cpu_time().as_micros() as u64)?;
    }
    if let Some(watch) = TaskPolicies::of_mut(&mut task.parts).watch.as_deref_mut() {
        watch.time_due = time_due(task.kernel.attached_at(), &watch.limits);
    }
    Ok(())
}

/// When a task that was attached then is older than the lowest of its limits of time, in microseconds.
fn time_due(attached_at: u64, limits: &[u64; ITEM_COUNT]) -> u64 {
    let limit = limits[Item::CpuTime as usize].min(limits[Item::ElapsedTime as usize]);
    attached_at.saturating_add(duration_to_ticks(Duration::from_micros(limit)))
}

#[inline]
fn compare(task: &mut Task, item: Item, amount: u64) -> Outcome {
    let Some(watch) = TaskPolicies::of_mut(&mut task.parts).watch.as_deref_mut() else { return Ok(()) };
    if amount <= watch.limits[item as usize] {
        return Ok(());
    }
    watch.counts[item as usize] = amount;
    exceeds(task, item)
}

/// Added up from the task's storage.
fn is_held(item: Item) -> bool {
    matches!(item, Item::StorageTask24 | Item::StorageTask31 | Item::StorageTask64)
}

/// How much of something a task has, or has requested, by its other counters.
fn amount(task: &Task, item: Item) -> u64 {
    let (counted, storage) = (&task.performance, &task.storage);
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
        counted => TaskPolicies::of(&task.parts).watch.as_ref().map_or(0, |watch| watch.counts[counted as usize]),
    }
}

/// Takes the actions of all rules that the task has exceeded, in the order of their thresholds.
#[cold]
fn exceeds(task: &mut Task, item: Item) -> Outcome {
    loop {
        let Some(mut watch) = TaskPolicies::of_mut(&mut task.parts).watch.take() else { return Ok(()) };
        let current = watch.counts[item as usize];
        let rule = watch.next_rule(item, task).filter(|rule| current > threshold(rule).limit).cloned();
        if rule.is_some() {
            watch.passed[item as usize] += 1;
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
