//! The dispatcher from the outside: exclusivity, fairness, wakeups, limits, timers, purge, migration.

use kernel::{
    AttachError, AttachRequest, ClassDefinition, Config, Dispatcher, Ecb, Mode, Name8, Pool, Purge, Resumed, RunState, Stop, Wait,
};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(60);
const USER: Wait = Wait::new("USERWAIT");

fn start(workers: usize) -> Dispatcher {
    Dispatcher::start(Config { workers, max_tasks: 20_000, stack_bytes: 64 * 1024, ..Config::default() }).unwrap()
}

fn stop(dispatcher: Dispatcher) {
    assert!(dispatcher.stop(Stop::Quiesce(LONG)), "{dispatcher:?}");
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + LONG;
    while !condition() {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A counter that is only right if its users exclude each other.
#[derive(Default)]
struct Unprotected {
    inside: AtomicBool,
    count: AtomicU64,
}

impl Unprotected {
    fn step(&self) {
        assert!(!self.inside.swap(true, Ordering::SeqCst), "two tasks under a single TCB");
        self.count.store(self.count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        self.inside.store(false, Ordering::SeqCst);
    }
}

#[test]
fn a_task_runs_and_ends() {
    let dispatcher = start(2);
    let (ran, ended) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let (inner, after) = (ran.clone(), ended.clone());
    let request = AttachRequest::new("TRN1", move |task| {
        assert_eq!(task.mode(), Mode::Qr);
        assert_eq!(task.transaction().as_str(), "TRN1");
        assert_eq!(kernel::current().unwrap().id(), task.id());
        inner.fetch_add(task.number(), Ordering::SeqCst);
    });
    let task = dispatcher.attach(request.on_end(move |task| {
        assert_eq!(task.times().dispatches, 1);
        after.fetch_add(1, Ordering::SeqCst);
    }));
    let task = task.unwrap();
    assert!(task.join(LONG));
    assert_eq!((ran.load(Ordering::SeqCst), ended.load(Ordering::SeqCst)), (1, 1));
    assert_eq!(task.state(), RunState::Ended);
    assert!(dispatcher.task(task.id()).is_none());
    stop(dispatcher);
}

#[test]
fn single_modes_exclude_under_stress() {
    let dispatcher = start(4);
    let guarded: Arc<[Unprotected; 3]> = Arc::default();
    const TASKS: u64 = 100;
    const TRIPS: u64 = 500;
    let tasks: Vec<_> = (0..TASKS)
        .map(|seed| {
            let guarded = guarded.clone();
            let request = AttachRequest::new("EXCL", move |task| {
                let modes = [Mode::Qr, Mode::Ro, Mode::Fo];
                for trip in 0..TRIPS {
                    let choice = ((seed + trip) % 3) as usize;
                    task.change_mode(modes[choice]).unwrap();
                    guarded[choice].step();
                    if trip % 7 == 0 {
                        task.change_mode(Mode::L8).unwrap();
                    }
                    if trip % 31 == 0 {
                        task.relinquish();
                    }
                }
                task.change_mode(Mode::Qr).unwrap();
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    tasks.iter().for_each(|task| assert!(task.join(LONG) && !task.has_panicked()));
    let total: u64 = guarded.iter().map(|one| one.count.load(Ordering::SeqCst)).sum();
    assert_eq!(total, TASKS * TRIPS);
    let statistics = dispatcher.statistics();
    assert_eq!(statistics.pools[Pool::Open as usize].in_use_current, 0);
    assert_eq!(statistics.modes[Mode::Fo as usize].open, Some(false));
    assert_eq!(statistics.modes[Mode::Co as usize].open, None);
    stop(dispatcher);
}

#[test]
fn a_busy_task_cannot_keep_qr_from_a_queued_one() {
    // One worker: the first task leaves and retakes QR in a loop; the second must still get its turn soon.
    let dispatcher = start(1);
    let second_ran = Arc::new(AtomicBool::new(false));
    let seen = second_ran.clone();
    let turns = Arc::new(AtomicU64::new(0));
    let counted = turns.clone();
    let first = AttachRequest::new("LOOP", move |task| {
        let waiting = seen.clone();
        let other = AttachRequest::new("NEXT", move |_| waiting.store(true, Ordering::SeqCst));
        task.dispatcher().attach(other).unwrap();
        while !seen.load(Ordering::SeqCst) {
            task.change_mode(Mode::L8).unwrap();
            task.change_mode(Mode::Qr).unwrap();
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    assert!(dispatcher.attach(first).unwrap().join(LONG));
    assert!(turns.load(Ordering::SeqCst) <= 10, "{} turns before the queued task", turns.load(Ordering::SeqCst));
    stop(dispatcher);
}

#[test]
fn priority_orders_the_qr_queue_and_age_lifts() {
    let dispatcher = start(1);
    let order = Arc::new(Mutex::new(Vec::new()));
    let gate = Ecb::new();
    let attach = |name: &'static str, priority: u8| {
        let order = order.clone();
        let request = AttachRequest::new(name, move |_| order.lock().unwrap().push(name)).priority(priority);
        dispatcher.attach(request).unwrap()
    };
    let opened = gate.clone();
    let holder = dispatcher
        .attach(AttachRequest::new("HOLD", move |_| {
            while opened.posted().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }))
        .unwrap();
    wait_until("the holder runs", || holder.state() == RunState::Running);
    let tasks = [attach("LOW", 1), attach("HIGH", 200), attach("MID", 100)];
    gate.post(0);
    tasks.iter().for_each(|task| assert!(task.join(LONG)));
    assert_eq!(*order.lock().unwrap(), ["HIGH", "MID", "LOW"]);
    stop(dispatcher);
}

#[test]
fn no_wakeup_is_lost() {
    // Pairs of tasks pass a ball as fast as they can; a lost wakeup hangs the pair.
    let dispatcher = start(4);
    const PAIRS: usize = 50;
    const PASSES: u32 = 400;
    let mut tasks = Vec::new();
    for _ in 0..PAIRS {
        let wakers: Arc<[Mutex<Option<kernel::Waker>>; 2]> = Arc::default();
        for side in 0..2usize {
            let wakers = wakers.clone();
            let request = AttachRequest::new("PING", move |task| {
                task.change_mode(Mode::L8).unwrap();
                for pass in 0..PASSES {
                    if pass as usize % 2 != side {
                        *wakers[side].lock().unwrap() = Some(task.waker());
                        assert_eq!(task.suspend(&USER), Resumed::Posted(pass));
                        continue;
                    }
                    // The other side may not have opened its wait yet.
                    while !wakers[1 - side].lock().unwrap().take().is_some_and(|waker| waker.resume_with(pass)) {
                        task.relinquish();
                    }
                }
            });
            tasks.push(dispatcher.attach(request).unwrap());
        }
    }
    tasks.iter().for_each(|task| assert!(task.join(LONG), "{task:?}"));
    assert!(tasks.iter().all(|task| !task.has_panicked()));
    stop(dispatcher);
}

#[test]
fn resume_before_suspend_is_remembered_and_stale_wakers_do_nothing() {
    let dispatcher = start(2);
    let task = dispatcher
        .attach(AttachRequest::new("EARL", |task| {
            let early = task.waker();
            assert!(early.resume_with(7));
            assert!(!early.resume_with(8), "a waker works once");
            assert_eq!(task.suspend(&USER), Resumed::Posted(7));
            assert!(!early.is_live());
            let stale = task.waker();
            let fresh = task.waker();
            assert!(!stale.resume());
            fresh.resume_with(1);
            assert_eq!(task.suspend(&USER), Resumed::Posted(1));
            assert_eq!(task.delay(&USER, Duration::from_millis(1)), Resumed::TimedOut);
        }))
        .unwrap();
    assert!(task.join(LONG) && !task.has_panicked());
    stop(dispatcher);
}

#[test]
fn event_control_blocks() {
    let dispatcher = start(2);
    let (first, second) = (Ecb::new(), Ecb::new());
    let waited = [first.clone(), second.clone()];
    let task = dispatcher
        .attach(AttachRequest::new("ECBS", move |task| {
            let [first, second] = &waited;
            assert_eq!(task.wait_any(&[first, second], &USER), Resumed::Posted(1));
            assert_eq!(second.posted(), Some(42));
            assert_eq!(task.wait_ecb(second, &USER), Resumed::Posted(0), "posted stays posted");
            second.reset();
            assert_eq!(task.wait_ecb(second, &USER.timeout(Duration::from_millis(2))), Resumed::TimedOut);
            first.post(1);
            first.post(2);
            assert_eq!(first.posted(), Some(1), "a second post changes nothing");
            assert_eq!(task.wait_any(&[first, second], &USER), Resumed::Posted(0));
        }))
        .unwrap();
    wait_until("the task waits", || task.state() == RunState::Suspended);
    let info = task.info();
    assert_eq!((info.resource_type.as_str(), info.mode), ("USERWAIT", Mode::Qr));
    second.post(42);
    assert!(task.join(LONG) && !task.has_panicked());
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
    wait_until("all wait", || tasks.iter().all(|task| task.state() == RunState::Suspended));
    assert_eq!(dispatcher.tasks().len(), TASKS);
    assert_eq!(dispatcher.statistics().max_tasks.active_current, TASKS as u32);
    gate.post(0);
    tasks.iter().for_each(|task| assert!(task.join(LONG) && !task.has_panicked()));
    assert_eq!(passed.load(Ordering::SeqCst), TASKS);
    assert_eq!(dispatcher.statistics().tasks_peak, TASKS as u32);
    stop(dispatcher);
}

#[test]
fn timers_are_accurate_and_never_early() {
    let dispatcher = start(2);
    let late = Arc::new(Mutex::new(Vec::new()));
    let tasks: Vec<_> = [1u64, 2, 5, 10, 20, 50, 100, 300]
        .into_iter()
        .map(|delay_ms| {
            let late = late.clone();
            let request = AttachRequest::new("DLAY", move |task| {
                let (start, delay) = (Instant::now(), Duration::from_millis(delay_ms));
                assert_eq!(task.delay(&Wait::new("ICWAIT"), delay), Resumed::TimedOut);
                let elapsed = start.elapsed();
                assert!(elapsed >= delay, "{elapsed:?} for {delay:?}");
                late.lock().unwrap().push(elapsed - delay);
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    tasks.iter().for_each(|task| assert!(task.join(LONG) && !task.has_panicked()));
    let mut late = late.lock().unwrap().clone();
    late.sort();
    assert!(late[late.len() / 2] < Duration::from_millis(20), "{late:?}");
    let fired = Arc::new(AtomicU32::new(0));
    let (one, two) = (fired.clone(), fired.clone());
    let kept = dispatcher.after(Duration::from_millis(5), move || one.store(1, Ordering::SeqCst));
    let dropped = dispatcher.after(Duration::from_millis(5), move || two.store(10, Ordering::SeqCst));
    assert!(dispatcher.cancel(dropped));
    wait_until("the timer fires", || fired.load(Ordering::SeqCst) > 0);
    std::thread::sleep(Duration::from_millis(10));
    assert_eq!(fired.load(Ordering::SeqCst), 1);
    assert!(!dispatcher.cancel(kept));
    stop(dispatcher);
}

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
    wait_until("three wait", || active.iter().all(|task| task.state() == RunState::Suspended));
    let figures = dispatcher.statistics().max_tasks;
    assert_eq!((figures.active_current, figures.queued_current, figures.at_limit), (3, 0, 1));
    let fourth = attach(false);
    let system = attach(true);
    wait_until("a system task is not held", || system.state() == RunState::Suspended);
    assert_eq!(fourth.state(), RunState::QueuedForMaxTasks);
    assert_eq!(dispatcher.statistics().max_tasks.queued_current, 1);
    let fifth = attach(false);
    dispatcher.set_max_tasks(4);
    wait_until("the fourth starts", || fourth.state() == RunState::Suspended);
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
    dispatcher.define_class(ClassDefinition { name, active_max: 2, purge_threshold: Some(1) });
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
    dispatcher.define_class(ClassDefinition { name, active_max: 3, purge_threshold: None });
    wait_until("the queued one starts", || queued.state() == RunState::Suspended);
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
            // Going back to QR does not give the TCB up.
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
    wait_until("two hold", || holders.iter().all(|task| waits_for(task, "USERWAIT")));
    let third = attach(Mode::L8);
    wait_until("the third waits for the pool", || waits_for(&third, "OPENPOOL"));
    let purged = attach(Mode::L8);
    wait_until("the fourth waits too", || waits_for(&purged, "OPENPOOL"));
    let pool = dispatcher.statistics().pools[Pool::Open as usize];
    assert_eq!((pool.attached_current, pool.in_use_current, pool.delayed_current, pool.delayed_total), (2, 2, 2, 2));
    assert!(purged.purge(Purge::Purge));
    assert!(purged.join(LONG) && !purged.has_panicked());
    gate.post(0);
    assert!(holders.iter().chain([&third]).all(|task| task.join(LONG) && !task.has_panicked()));
    let pool = dispatcher.statistics().pools[Pool::Open as usize];
    assert_eq!((pool.in_use_current, pool.delayed_current, pool.delayed_peak), (0, 0, 2));
    assert!(pool.delay_total > Duration::ZERO && pool.limit_reached_at.is_some());
    assert!(third.times().pool_delay > Duration::ZERO);
    assert_eq!(holders[0].times().open_tcbs_peak, 1);
    stop(dispatcher);
}

#[test]
fn purge_ends_the_waits_it_may() {
    let dispatcher = start(2);
    let gate = Ecb::new();
    let attach = |wait: Wait, purgeable: bool| {
        let gate = gate.clone();
        let result = Arc::new(Mutex::new(None));
        let stored = result.clone();
        let request = AttachRequest::new("PURG", move |task| {
            *stored.lock().unwrap() = Some(task.wait_ecb(&gate, &wait));
            // The waits of abend processing are left alone.
            assert_eq!(task.delay(&USER, Duration::from_millis(2)), Resumed::TimedOut);
        });
        let task = dispatcher.attach(request.purgeable(purgeable)).unwrap();
        wait_until("it waits", || task.state() == RunState::Suspended);
        (task, result)
    };
    let result_of = |result: &Mutex<Option<Resumed>>| *result.lock().unwrap();
    let (plain, plain_result) = attach(USER, true);
    assert!(plain.purge(Purge::Purge));
    assert!(plain.join(LONG) && !plain.has_panicked());
    assert_eq!(result_of(&plain_result), Some(Resumed::Purged(Purge::Purge)));
    let (firm, firm_result) = attach(USER, false);
    assert!(!firm.purge(Purge::Purge), "SPURGE(NO)");
    assert_eq!(firm.state(), RunState::Suspended);
    assert!(firm.purge(Purge::ForcePurge));
    assert!(firm.join(LONG));
    assert_eq!(result_of(&firm_result), Some(Resumed::Purged(Purge::ForcePurge)));
    let (protected, protected_result) = attach(USER.protected(), true);
    assert!(protected.purge(Purge::Kill));
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(protected.state(), RunState::Suspended);
    assert_eq!(protected.info().purge_pending, Some(Purge::Kill));
    gate.post(0);
    assert!(protected.join(LONG));
    assert_eq!(result_of(&protected_result), Some(Resumed::Posted(0)));
    stop(dispatcher);
}

#[test]
fn purge_races_with_the_wait() {
    let dispatcher = start(3);
    for round in 0..2000 {
        let task = dispatcher
            .attach(AttachRequest::new("RACE", |task| {
                assert!(matches!(task.suspend(&USER), Resumed::Purged(_)));
            }))
            .unwrap();
        if round % 2 == 0 {
            std::thread::yield_now();
        }
        assert!(task.purge(Purge::Purge));
        assert!(task.join(LONG), "{task:?} {:?}", task.info());
    }
    stop(dispatcher);
}

#[test]
fn tasks_migrate_between_workers() {
    let dispatcher = start(4);
    let moved = Arc::new(AtomicU32::new(0));
    let tasks: Vec<_> = (0..64)
        .map(|seed| {
            let moved = moved.clone();
            let request = AttachRequest::new("MOVE", move |task| {
                task.change_mode(Mode::L8).unwrap();
                let values: Vec<u64> = (0..64).map(|index| seed * 1000 + index).collect();
                let mut thread = std::thread::current().id();
                let mut rounds = 0;
                // On a loaded machine the other workers may take their time.
                while rounds < 200 || (moved.load(Ordering::Relaxed) == 0 && rounds < 1_000_000) {
                    rounds += 1;
                    task.relinquish();
                    let now = std::thread::current().id();
                    moved.fetch_add((now != thread) as u32, Ordering::Relaxed);
                    thread = now;
                    assert_eq!(kernel::current().unwrap().id(), task.id());
                    assert!(values.iter().enumerate().all(|(index, &value)| value == seed * 1000 + index as u64));
                }
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    tasks.iter().for_each(|task| assert!(task.join(LONG) && !task.has_panicked()));
    assert!(moved.load(Ordering::Relaxed) > 0, "no task ever changed its thread");
    stop(dispatcher);
}

#[test]
fn blocking_work_does_not_hold_the_workers() {
    let dispatcher = start(1);
    let at_once = Arc::new(AtomicU32::new(0));
    let peak = Arc::new(AtomicU32::new(0));
    let tasks: Vec<_> = (0..8u32)
        .map(|number| {
            let (at_once, peak) = (at_once.clone(), peak.clone());
            let request = AttachRequest::new("BLCK", move |task| {
                let text = format!("task {number}");
                let answer = task.run_blocking(&Wait::new("FCIOWAIT").named("MASTER".into()), || {
                    peak.fetch_max(at_once.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(30));
                    at_once.fetch_sub(1, Ordering::SeqCst);
                    text.len() as u32 + number
                });
                assert_eq!(answer, 6 + number);
                assert_eq!(task.mode(), Mode::Qr);
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    wait_until("a task shows its wait", || tasks.iter().any(|task| task.info().resource_name.as_str() == "MASTER"));
    tasks.iter().for_each(|task| assert!(task.join(LONG) && !task.has_panicked()));
    assert!(peak.load(Ordering::SeqCst) > 1);
    stop(dispatcher);
}

#[test]
fn a_panic_ends_only_its_task() {
    let dispatcher = start(1);
    let bad = dispatcher.attach(AttachRequest::new("PANC", |_| panic!("on purpose"))).unwrap();
    let blocked = dispatcher.attach(AttachRequest::new("PANB", |task| task.run_blocking(&USER, || panic!("in blocking work")))).unwrap();
    let good = dispatcher.attach(AttachRequest::new("GOOD", |_| ())).unwrap();
    assert!(bad.join(LONG) && blocked.join(LONG) && good.join(LONG));
    assert!(bad.has_panicked() && blocked.has_panicked() && !good.has_panicked());
    stop(dispatcher);
}

#[test]
fn spare_workers_help_when_all_are_stuck() {
    let dispatcher = start(1);
    let release = Arc::new(AtomicBool::new(false));
    let seen = release.clone();
    let stuck = dispatcher
        .attach(AttachRequest::new("STCK", move |task| {
            task.change_mode(Mode::L8).unwrap();
            while !seen.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }))
        .unwrap();
    wait_until("it is stuck", || stuck.mode() == Mode::L8);
    let other = dispatcher.attach(AttachRequest::new("OTHR", |_| ())).unwrap();
    assert!(other.join(LONG), "QR is free, but no worker came");
    assert!(dispatcher.statistics().spare_workers_started >= 1);
    release.store(true, Ordering::SeqCst);
    stop(dispatcher);
}

#[test]
fn accounting_adds_up() {
    let dispatcher = start(2);
    let task = dispatcher
        .attach(AttachRequest::new("ACCT", |task| {
            let busy = |time: Duration| {
                let start = Instant::now();
                while start.elapsed() < time {}
            };
            busy(Duration::from_millis(10));
            task.change_mode(Mode::L8).unwrap();
            busy(Duration::from_millis(20));
            task.delay(&USER, Duration::from_millis(30));
            task.change_mode(Mode::Qr).unwrap();
        }))
        .unwrap();
    assert!(task.join(LONG));
    let times = task.times();
    let parts = times.first_dispatch_delay + times.dispatch + times.suspend;
    let gap = times.elapsed.abs_diff(parts);
    assert!(gap < Duration::from_millis(2), "{times:?}");
    assert!(times.cpu <= times.dispatch);
    assert!(times.modes[Mode::Qr as usize].dispatch >= Duration::from_millis(10));
    assert!(times.modes[Mode::L8 as usize].dispatch >= Duration::from_millis(20));
    // A task that is preempted between setting its timer and giving up control waits for less than the delay.
    assert!(times.suspend > Duration::ZERO && times.elapsed >= Duration::from_millis(60));
    assert_eq!((times.change_modes, times.suspends, times.open_tcbs_peak), (2, 1, 1));
    let modes = dispatcher.statistics().modes;
    assert_eq!((modes[Mode::L8 as usize].switches, modes[Mode::Qr as usize].switches), (1, 1));
    assert!(modes[Mode::L8 as usize].dispatch >= Duration::from_millis(20));
    dispatcher.reset_statistics();
    assert_eq!(dispatcher.statistics().modes[Mode::L8 as usize].dispatch, Duration::ZERO);
    stop(dispatcher);
}

#[test]
fn quiesce_waits_and_refuses_and_immediate_purges() {
    let dispatcher = start(2);
    let gate = Ecb::new();
    let waited = gate.clone();
    let user = dispatcher
        .attach(AttachRequest::new("USER", move |task| {
            task.wait_ecb(&waited, &USER);
        }))
        .unwrap();
    let system =
        dispatcher.attach(AttachRequest::new("CSYS", |task| assert!(matches!(task.suspend(&USER), Resumed::Purged(_)))).system()).unwrap();
    wait_until("both wait", || user.state() == RunState::Suspended && system.state() == RunState::Suspended);
    let stopper = dispatcher.clone();
    let thread = std::thread::spawn(move || stopper.stop(Stop::Quiesce(LONG)));
    wait_until("attaches are refused", || dispatcher.attach(AttachRequest::new("LATE", |_| ())).err() == Some(AttachError::Stopping));
    assert_eq!(user.state(), RunState::Suspended);
    gate.post(0);
    assert!(thread.join().unwrap());
    assert!(system.join(Duration::ZERO) && !system.has_panicked());

    let dispatcher = start(2);
    let tasks: Vec<_> = (0..5)
        .map(|_| dispatcher.attach(AttachRequest::new("WAIT", |task| assert!(matches!(task.suspend(&USER), Resumed::Purged(_))))).unwrap())
        .collect();
    assert!(dispatcher.stop(Stop::Immediate(LONG)));
    assert!(tasks.iter().all(|task| task.state() == RunState::Ended));
}

#[test]
fn a_task_that_ignores_purge_is_abandoned() {
    let dispatcher = start(1);
    let task = dispatcher
        .attach(AttachRequest::new("DEAF", |task| {
            loop {
                task.suspend(&USER.protected());
            }
        }))
        .unwrap();
    wait_until("it waits", || task.state() == RunState::Suspended);
    assert!(!dispatcher.stop(Stop::Immediate(Duration::from_millis(100))));
}

#[test]
#[cfg(debug_assertions)]
fn a_lock_held_over_a_suspend_is_found() {
    let dispatcher = start(1);
    let task = dispatcher
        .attach(AttachRequest::new("LOCK", |task| {
            let mutex = kernel::sync::Mutex::new(0);
            let _guard = mutex.lock();
            task.suspend(&USER.timeout(Duration::from_millis(1)));
        }))
        .unwrap();
    assert!(task.join(LONG));
    assert!(task.has_panicked());
    stop(dispatcher);
}

#[test]
fn on_thread_stack_has_the_room_of_a_thread() {
    let dispatcher = Dispatcher::start(Config { workers: 1, stack_bytes: 32 * 1024, ..Config::default() }).unwrap();
    let task = dispatcher
        .attach(AttachRequest::new("DEEP", |task| {
            let sum = task.on_thread_stack(|| {
                let big = [1u8; 512 * 1024];
                std::hint::black_box(&big).iter().map(|&byte| byte as u64).sum::<u64>()
            });
            assert_eq!(sum, 512 * 1024);
        }))
        .unwrap();
    assert!(task.join(LONG) && !task.has_panicked());
    stop(dispatcher);
}
