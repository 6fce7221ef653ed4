//! The dispatcher from the outside: exclusivity, fairness, priority, migration, accounting, stop.

mod dispatcher_support;

use dispatcher_support::{LONG, USER, start, stop};
use kernel::{
    AttachError, AttachRequest, Code, Config, Dispatcher, Ecb, Mode, OpenPriority, Peaks, Pool, Resumed, RunState, Stop, Task, Wait,
};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use testing::eventually;

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

/// Counts its run and its end.
struct Counting {
    ran: Arc<AtomicU32>,
    ended: Arc<AtomicU32>,
}

impl Code<Task> for Counting {
    fn run(&self, task: &Task) {
        assert_eq!(task.mode(), Mode::Qr);
        assert_eq!(task.transaction().as_str(), "TRN1");
        assert_eq!(kernel::current().unwrap().id(), task.id());
        self.ran.fetch_add(task.number(), Ordering::SeqCst);
    }

    fn ended(&self, task: &Task) {
        assert_eq!(task.times().dispatches, 1);
        self.ended.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn a_task_runs_and_ends() {
    let dispatcher = start(2);
    let (ran, ended) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let code = Counting { ran: ran.clone(), ended: ended.clone() };
    let task = dispatcher.attach(AttachRequest::with_code("TRN1", Arc::new(code))).unwrap();
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
    eventually("the holder runs", || holder.state() == RunState::Running);
    let tasks = [attach("LOW", 1), attach("HIGH", 200), attach("MID", 100)];
    gate.post(0);
    tasks.iter().for_each(|task| assert!(task.join(LONG)));
    assert_eq!(*order.lock().unwrap(), ["HIGH", "MID", "LOW"]);
    stop(dispatcher);
}

/// Tasks that could run and wait for the one TCB of a mode: how many now, at most and on average; none are counted for open modes.
#[test]
fn tasks_queued_for_a_single_tcb_are_counted() {
    let dispatcher = start(2);
    let gate = Ecb::new();
    let opened = gate.clone();
    let holder = dispatcher
        .attach(AttachRequest::new("HOLD", move |_| {
            while opened.posted().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }))
        .unwrap();
    eventually("the holder runs", || holder.state() == RunState::Running);
    let tasks: Vec<_> = (0..3).map(|_| dispatcher.attach(AttachRequest::new("QUEU", |_| ())).unwrap()).collect();
    let queue = |peaks| {
        let qr = dispatcher.read_statistics(peaks).modes[Mode::Qr as usize];
        (qr.queue_current, qr.queue_peak, qr.queue_average)
    };
    eventually("three are queued", || queue(Peaks::Keep).0 == 3);
    gate.post(0);
    tasks.iter().for_each(|task| assert!(task.join(LONG)));
    let (current, peak, average) = queue(Peaks::Begin);
    assert_eq!((current, peak), (0, 3));
    assert!((0.5..=3.0).contains(&average), "{average}");
    assert_eq!(queue(Peaks::Keep), (0, 0, 0.0), "the next interval");
    stop(dispatcher);
}

/// The priority of a task that waits for the processor rises by one for each PRTYAGE.
#[test]
fn a_task_that_waits_long_goes_before_one_of_a_little_more_priority() {
    for (aging, expected) in [(Duration::from_millis(10), ["URGENT", "OLD", "NEW"]), (Duration::ZERO, ["URGENT", "NEW", "OLD"])] {
        let dispatcher = Dispatcher::start(Config { workers: 1, priority_aging: aging, ..Config::default() }).unwrap();
        assert_eq!(dispatcher.statistics().priority_aging, aging);
        let order = Arc::new(Mutex::new(Vec::new()));
        let attach = |name: &'static str, priority: u8| {
            let order = order.clone();
            let request = AttachRequest::new(name, move |_| order.lock().unwrap().push(name)).priority(priority);
            dispatcher.attach(request).unwrap()
        };
        let gate = Ecb::new();
        let opened = gate.clone();
        let holder = dispatcher
            .attach(AttachRequest::new("HOLD", move |_| {
                while opened.posted().is_none() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }))
            .unwrap();
        eventually("the holder runs", || holder.state() == RunState::Running);
        let old = attach("OLD", 100);
        // Ten intervals at least: more than the five points between the two.
        std::thread::sleep(Duration::from_millis(100));
        let tasks = [old, attach("NEW", 105), attach("URGENT", 255)];
        gate.post(0);
        tasks.iter().for_each(|task| assert!(task.join(LONG)));
        assert_eq!(*order.lock().unwrap(), expected, "{aging:?}");
        stop(dispatcher);
    }
}

/// PRIORITY of a DB2CONN or DB2ENTRY: HIGH goes ahead of QR, EQUAL and LOW behind it; what is low behind waits, but not for ever.
#[test]
fn open_tcbs_are_served_by_their_priority_in_relation_to_qr() {
    let dispatcher = start(1);
    let order = Arc::new(Mutex::new(String::new()));
    let gate = Ecb::new();
    let attach = |name: &'static str, priority: Option<OpenPriority>| {
        let (order, gate) = (order.clone(), gate.clone());
        let code = move |task: &Task| {
            if let Some(priority) = priority {
                task.set_open_priority(priority);
                task.change_mode(Mode::L8).unwrap();
            }
            let wait = Wait::new("TEST");
            if gate.register(&task.waker(), 0) {
                task.suspend(&wait);
            }
            order.lock().unwrap().push_str(name);
        };
        dispatcher.attach(AttachRequest::new(name, code)).unwrap()
    };
    const EACH: usize = 40;
    let kinds = [("L", Some(OpenPriority::Low)), ("E", Some(OpenPriority::Equal)), ("Q", None), ("H", Some(OpenPriority::High))];
    let tasks: Vec<_> = kinds.into_iter().flat_map(|(name, priority)| (0..EACH).map(move |_| (name, priority))).collect();
    let tasks: Vec<_> = tasks.into_iter().map(|(name, priority)| attach(name, priority)).collect();
    let all_wait = || tasks.iter().all(|task| task.state() == RunState::Suspended);
    eventually("all wait", all_wait);
    let (held, release) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (holds, released) = (held.clone(), release.clone());
    let holder = dispatcher
        .attach(AttachRequest::new("HOLD", move |_| {
            holds.store(true, Ordering::SeqCst);
            while !released.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }))
        .unwrap();
    eventually("the holder has the only worker", || held.load(Ordering::SeqCst));
    gate.post(0);
    eventually("all are ready", || tasks.iter().all(|task| task.state() == RunState::Dispatchable));
    release.store(true, Ordering::SeqCst);
    assert!(holder.join(LONG) && tasks.iter().all(|task| task.join(LONG)));
    let order = order.lock().unwrap().clone();
    let mean = |kind: char| order.match_indices(kind).map(|(at, _)| at).sum::<usize>() / EACH;
    let means = ['H', 'Q', 'E', 'L'].map(mean);
    assert!(means.is_sorted(), "{means:?} {order}");
    assert!(order[..EACH].matches('H').count() > EACH / 2, "{order}");
    for kind in ["Q", "E", "L"] {
        assert!(order[..EACH].contains(kind), "{kind} waits for ever: {order}");
    }
    stop(dispatcher);
}

/// An open TCB is of one task until the task ends, and then the next task's; what nobody needed between two scans is detached.
#[test]
fn an_open_tcb_is_used_again_until_a_scan_finds_it_in_excess() {
    let excess_scan_interval = Duration::from_millis(300);
    let dispatcher = Dispatcher::start(Config { workers: 2, excess_scan_interval, ..Config::default() }).unwrap();
    let attach = || {
        let request = AttachRequest::new("OPEN", |task| {
            task.change_mode(Mode::L8).unwrap();
            task.change_mode(Mode::Qr).unwrap();
            let pool = task.dispatcher().statistics().pools[Pool::Open as usize];
            assert_eq!(pool.in_use_current, 1, "it stays the task's");
        });
        let task = dispatcher.attach(request).unwrap();
        assert!(task.join(LONG) && !task.has_panicked());
    };
    attach();
    attach();
    let statistics = dispatcher.statistics();
    let l8 = statistics.modes[Mode::L8 as usize];
    assert_eq!((l8.attaches, l8.in_use_current, l8.open, l8.pool), (1, 0, Some(true), Some(Pool::Open)));
    eventually("it is detached", || dispatcher.statistics().excess_detached == 1);
    let statistics = dispatcher.statistics();
    assert_eq!(statistics.pools[Pool::Open as usize].attached_current, 0);
    assert!(statistics.excess_scans >= 1 && statistics.excess_scan_at.is_some());
    // The next scan finds none, and the first may have.
    eventually("a scan finds none", || {
        let now = dispatcher.statistics();
        now.excess_scans_none_detached >= 1 && now.excess_scan_none_detached_at.is_some()
    });
    let statistics = dispatcher.statistics();
    assert_eq!(statistics.excess_scans, statistics.excess_scans_none_detached + 1);
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
                // On a loaded machine the other workers may take some time.
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
    eventually("a task shows its wait", || tasks.iter().any(|task| task.info().resource_name.as_str() == "MASTER"));
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
    eventually("it is stuck", || stuck.mode() == Mode::L8);
    let other = dispatcher.attach(AttachRequest::new("OTHR", |_| ())).unwrap();
    assert!(other.join(LONG), "QR is free, but no worker came");
    assert!(dispatcher.statistics().spare_workers_started >= 1);
    release.store(true, Ordering::SeqCst);
    stop(dispatcher);
}

/// DISPWTT by mode, DSCHMDLY, and the waits by type: each with the number of its periods.
#[test]
fn delays_are_accounted_by_mode_and_counted() {
    let dispatcher = start(2);
    let gate = Ecb::new();
    let (holds, release) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let owner = {
        let (holds, release) = (holds.clone(), release.clone());
        let request = AttachRequest::new("OWNR", move |task| {
            task.change_mode(Mode::Ro).unwrap();
            holds.store(true, Ordering::SeqCst);
            while !release.load(Ordering::SeqCst) {
                std::hint::spin_loop();
            }
        });
        dispatcher.attach(request).unwrap()
    };
    eventually("a task has RO", || holds.load(Ordering::SeqCst));
    let delayed = {
        let gate = gate.clone();
        let request = AttachRequest::new("DLAY", move |task| {
            task.wait_ecb(&gate, &USER);
            task.change_mode(Mode::Ro).unwrap();
            task.relinquish();
        });
        dispatcher.attach(request).unwrap()
    };
    eventually("it waits", || delayed.state() == RunState::Suspended);
    let busy = AttachRequest::new("BUSY", move |_| {
        gate.post(0);
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(30) {}
    });
    dispatcher.attach(busy).unwrap();
    eventually("it waits for RO", || delayed.mode() == Mode::Ro && delayed.state() == RunState::Dispatchable);
    std::thread::sleep(Duration::from_millis(20));
    release.store(true, Ordering::SeqCst);
    assert!(owner.join(LONG) && delayed.join(LONG));
    let times = delayed.times();
    let [qr, ro] = [Mode::Qr, Mode::Ro].map(|mode| times.modes[mode as usize]);
    assert!(qr.delay.time >= Duration::from_millis(25) && qr.delay.count == 1, "{qr:?}");
    // The change to RO, and giving up control there.
    assert!(ro.delay.time >= Duration::from_millis(15) && ro.delay.count == 2, "{ro:?}");
    assert!(times.change_mode_delay.time >= Duration::from_millis(15) && times.change_mode_delay.count == 1, "{times:?}");
    assert_eq!(times.dispatch_wait, qr.delay.and(ro.delay));
    // The first dispatch and the one after the wait; the one after the change and the one after giving up control.
    assert_eq!([qr.dispatches, ro.dispatches, times.dispatches], [2, 2, 4]);
    let waits = delayed.waits();
    let counts: Vec<(&str, u64)> = waits.iter().map(|(of, waited)| (of.as_str(), waited.count)).collect();
    assert_eq!(counts, [(USER.resource_type.as_str(), 1), ("GIVEUP", 1)]);
    // The wait lasts to the redispatch.
    assert!(waits[0].1.time >= qr.delay.time, "{waits:?}");
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
    // Reading peaks for an interval resets them; totals are never reset.
    assert_eq!(dispatcher.read_statistics(Peaks::Begin).modes[Mode::L8 as usize].in_use_peak, 1);
    let modes = dispatcher.statistics().modes;
    assert_eq!((modes[Mode::L8 as usize].in_use_peak, modes[Mode::L8 as usize].switches), (0, 1));
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
    eventually("both wait", || user.state() == RunState::Suspended && system.state() == RunState::Suspended);
    let stopper = dispatcher.clone();
    let thread = std::thread::spawn(move || stopper.stop(Stop::Quiesce(LONG)));
    eventually("attaches are refused", || dispatcher.attach(AttachRequest::new("LATE", |_| ())).err() == Some(AttachError::Stopping));
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
    eventually("it waits", || task.state() == RunState::Suspended);
    assert!(!dispatcher.stop(Stop::Immediate(Duration::from_millis(100))));
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
