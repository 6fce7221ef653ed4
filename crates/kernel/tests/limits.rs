//! The limits of the dispatcher at n and n + 1: MXT, transaction classes, open TCBs.

mod dispatcher_support;

use dispatcher_support::{LONG, USER, start, stop};
use kernel::{AttachError, AttachRequest, ClassDefinition, Config, Dispatcher, Ecb, Mode, Name8, Pool, Purge, Resumed, RunState};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testing::eventually;

#[test]
fn max_tasks_at_n_and_n_plus_one() {
    let dispatcher = Dispatcher::start(Config { workers: 2, max_tasks: 3, ..Config::default() }).unwrap();
    let gate = Ecb::new();
    let attach = |system: bool| {
        let gate = gate.clone();
        let request = AttachRequest::new("MAXT", move |task| {
            task.wait_ecb(&gate, &USER);
        });
        dispatcher.attach(if system { request.system() } else { request }).unwrap()
    };
    let active: Vec<_> = (0..3).map(|_| attach(false)).collect();
    eventually("three wait", || active.iter().all(|task| task.state() == RunState::Suspended));
    let figures = dispatcher.statistics().max_tasks;
    assert_eq!((figures.active_current, figures.queued_current, figures.at_limit), (3, 0, 1));
    let fourth = attach(false);
    let system = attach(true);
    eventually("a system task is not held", || system.state() == RunState::Suspended);
    assert_eq!(fourth.state(), RunState::QueuedForMaxTasks);
    assert_eq!(dispatcher.statistics().max_tasks.queued_current, 1);
    let fifth = attach(false);
    dispatcher.set_max_tasks(4);
    eventually("the fourth starts", || fourth.state() == RunState::Suspended);
    assert_eq!(fifth.state(), RunState::QueuedForMaxTasks);
    assert!(fifth.purge(Purge::Purge));
    assert!(fifth.join(LONG));
    assert_eq!(fifth.times().dispatches, 0);
    gate.post(0);
    assert!(active.iter().chain([&fourth, &system]).all(|task| task.join(LONG)));
    assert!(fourth.times().max_tasks_delay > Duration::ZERO);
    let figures = dispatcher.statistics().max_tasks;
    assert_eq!((figures.active_current, figures.queued_current, figures.queued_peak, figures.queued_total), (0, 0, 2, 2));
    stop(dispatcher);
}

#[test]
fn transaction_classes_at_n_and_n_plus_one() {
    let dispatcher = start(2);
    let name = Name8::new("DFHTCL01");
    // One more than the tasks that may wait (SET TRANCLASS).
    dispatcher.define_class(ClassDefinition { name, active_max: 2, purge_threshold: Some(2) });
    let gate = Ecb::new();
    let attach = || {
        let gate = gate.clone();
        let request = AttachRequest::new("CLSS", move |task| {
            task.wait_ecb(&gate, &USER);
        });
        dispatcher.attach(request.class(name))
    };
    let active = [attach().unwrap(), attach().unwrap()];
    let queued = attach().unwrap();
    assert_eq!(queued.state(), RunState::QueuedForClass);
    assert_eq!(attach().unwrap_err(), AttachError::ClassQueueFull);
    let unknown = AttachRequest::new("NONE", |_| ()).class("NOCLASS".into());
    assert_eq!(dispatcher.attach(unknown).unwrap_err(), AttachError::UnknownClass);
    let class = &dispatcher.statistics().classes[0];
    assert_eq!((class.active_current, class.queued_current, class.purged_at_once, class.at_purge_threshold), (2, 1, 1, 1));
    // A queued member does not count against MXT.
    assert_eq!(dispatcher.statistics().max_tasks.active_current, 2);
    assert!(!dispatcher.discard_class(name));
    // A threshold of 1 queues nothing more, and what waits goes on waiting.
    dispatcher.define_class(ClassDefinition { name, active_max: 2, purge_threshold: Some(1) });
    assert_eq!(attach().unwrap_err(), AttachError::ClassQueueFull);
    assert_eq!(queued.state(), RunState::QueuedForClass);
    dispatcher.define_class(ClassDefinition { name, active_max: 3, purge_threshold: None });
    eventually("the queued one starts", || queued.state() == RunState::Suspended);
    let more: Vec<_> = (0..5).map(|_| attach().unwrap()).collect();
    gate.post(0);
    assert!(active.iter().chain([&queued]).chain(&more).all(|task| task.join(LONG)));
    assert!(queued.times().class_delay > Duration::ZERO);
    assert!(dispatcher.discard_class(name));
    assert_eq!(dispatcher.statistics().max_tasks.active_current, 0);
    stop(dispatcher);
}

#[test]
fn open_tcb_limit_at_n_and_n_plus_one() {
    let dispatcher = Dispatcher::start(Config { workers: 2, pool_limits: [2, 1, 1, 1], ..Config::default() }).unwrap();
    let gate = Ecb::new();
    let attach = |mode: Mode| {
        let gate = gate.clone();
        let request = AttachRequest::new("OPEN", move |task| {
            if task.change_mode(mode).is_err() {
                assert_eq!(task.mode(), Mode::Qr);
                return;
            }
            // Returning to QR does not release the TCB.
            task.change_mode(Mode::Qr).unwrap();
            task.wait_ecb(&gate, &USER);
            task.change_mode(mode).unwrap();
        });
        dispatcher.attach(request).unwrap()
    };
    let waits_for = |task: &kernel::TaskRef, kind: &str| {
        let info = task.info();
        info.state == RunState::Suspended && info.resource_type.as_str() == kind
    };
    let holders = [attach(Mode::L8), attach(Mode::L9)];
    eventually("two hold", || holders.iter().all(|task| waits_for(task, "USERWAIT")));
    let third = attach(Mode::L8);
    eventually("the third waits for the pool", || waits_for(&third, "OPENPOOL"));
    let purged = attach(Mode::L8);
    eventually("the fourth waits too", || waits_for(&purged, "OPENPOOL"));
    let pool = dispatcher.statistics().pools[Pool::Open as usize];
    assert_eq!((pool.attached_current, pool.in_use_current, pool.delayed_current, pool.delayed_total), (2, 2, 2, 2));
    assert!(pool.delay_current > Duration::ZERO && pool.delay_total == Duration::ZERO);
    // Another pool has a limit of its own.
    let xplink = attach(Mode::X8);
    eventually("a TCB of the other pool is there at once", || waits_for(&xplink, "USERWAIT"));
    let other = dispatcher.statistics().pools[Pool::Xp as usize];
    assert_eq!((other.limit, other.attached_current, other.in_use_current, other.delayed_total), (1, 1, 1, 0));
    assert!(purged.purge(Purge::Purge));
    assert!(purged.join(LONG) && !purged.has_panicked());
    gate.post(0);
    assert!(holders.iter().chain([&third, &xplink]).all(|task| task.join(LONG) && !task.has_panicked()));
    let pool = dispatcher.statistics().pools[Pool::Open as usize];
    assert_eq!((pool.in_use_current, pool.delayed_current, pool.delayed_peak, pool.delayed_total), (0, 0, 2, 2));
    assert_eq!((pool.attached_peak, pool.delay_current), (2, Duration::ZERO));
    assert!(pool.delay_total > Duration::ZERO && pool.limit_reached_at.is_some());
    let times = third.times();
    let [open, others @ ..] = times.pool_delays;
    assert!(open.time > Duration::ZERO && open.count == 1, "{open:?}");
    assert_eq!(others, [Default::default(); 3], "only the pool that the task waited for");
    assert_eq!(times.tcb_attaches, 0, "it got the TCB of another task");
    assert_eq!(holders[0].times().open_tcbs_peak, 1);
    stop(dispatcher);
}

#[test]
fn ten_thousand_tasks_alive() {
    let dispatcher = start(2);
    let gate = Ecb::new();
    let passed = Arc::new(AtomicUsize::new(0));
    const TASKS: usize = 10_000;
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| {
            let (gate, passed) = (gate.clone(), passed.clone());
            let request = AttachRequest::new("MANY", move |task| {
                assert_eq!(task.wait_ecb(&gate, &USER), Resumed::Posted(0));
                passed.fetch_add(1, Ordering::SeqCst);
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    eventually("all wait", || tasks.iter().all(|task| task.state() == RunState::Suspended));
    assert_eq!(dispatcher.tasks().len(), TASKS);
    assert_eq!(dispatcher.statistics().max_tasks.active_current, TASKS as u32);
    gate.post(0);
    tasks.iter().for_each(|task| assert!(task.join(LONG) && !task.has_panicked()));
    assert_eq!(passed.load(Ordering::SeqCst), TASKS);
    assert_eq!(dispatcher.statistics().tasks_peak, TASKS as u32);
    stop(dispatcher);
}
