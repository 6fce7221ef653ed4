//! TCBs beside those of plain tasks: owners of pools, threads of the region, the sleep of an idle region, and the stacks of tasks.

mod dispatcher_support;

use dispatcher_support::{LONG, USER, start, stop};
use kernel::{AttachRequest, Config, Dispatcher, Ecb, Mode, Pool, RunState};
use std::time::{Duration, Instant};
use testing::eventually;

/// The TCBs of the pools SSL and THRD are attached on SP and TP, which own them; a TCB that is free is used without its owner.
#[test]
fn the_owner_of_a_pool_attaches_its_tcbs() {
    for (mode, owner) in [(Mode::S8, Mode::Sp), (Mode::T8, Mode::Tp)] {
        let dispatcher = start(2);
        let figures = |of: Mode| dispatcher.statistics().modes[of as usize];
        assert_eq!([figures(mode).open, figures(owner).open], [None, None], "not used yet");
        let trip = || {
            let request = AttachRequest::new("POOL", move |task| {
                task.change_mode(mode).unwrap();
                task.change_mode(Mode::Qr).unwrap();
            });
            let task = dispatcher.attach(request).unwrap();
            assert!(task.join(LONG) && !task.has_panicked());
            task.times()
        };
        let first = trip();
        assert_eq!((first.change_modes, first.modes[owner as usize].switches), (3, 1), "QR, the owner, the new TCB, QR");
        let second = trip();
        assert_eq!((second.change_modes, second.modes[owner as usize].switches), (2, 0));
        assert_eq!([figures(mode).open, figures(owner).open], [Some(true), Some(false)]);
        assert_eq!((figures(mode).attaches, figures(mode).attached_current, figures(owner).attached_current), (1, 1, 1));
        stop(dispatcher);
    }
}

/// A purge while the pool is at its limit leaves the task where it was, and the owner free.
#[test]
fn a_purged_request_for_a_pool_gives_its_owner_back() {
    let dispatcher = Dispatcher::start(Config { workers: 2, pool_limits: [1, 1, 1, 1], ..Config::default() }).unwrap();
    let gate = Ecb::new();
    let attach = || {
        let gate = gate.clone();
        let request = AttachRequest::new("SSLP", move |task| {
            if task.change_mode(Mode::S8).is_err() {
                assert_eq!(task.mode(), Mode::Qr);
                return;
            }
            task.wait_ecb(&gate, &USER);
            task.change_mode(Mode::Qr).unwrap();
        });
        dispatcher.attach(request).unwrap()
    };
    let waits_for = |task: &kernel::TaskRef, kind: &str| {
        let info = task.info();
        info.state == RunState::Suspended && info.resource_type.as_str() == kind
    };
    let holder = attach();
    eventually("one holds the TCB", || waits_for(&holder, "USERWAIT"));
    let waiting = [attach(), attach()];
    eventually("two wait for the pool", || waiting.iter().all(|task| waits_for(task, "SSLPOOL")));
    assert!(waiting[0].purge(kernel::Purge::Purge));
    assert!(waiting[0].join(LONG) && !waiting[0].has_panicked());
    gate.post(0);
    assert!([&holder, &waiting[1]].iter().all(|task| task.join(LONG) && !task.has_panicked()));
    let statistics = dispatcher.statistics();
    assert_eq!((statistics.pools[Pool::Ssl as usize].in_use_current, statistics.modes[Mode::Sp as usize].in_use_current), (0, 0));
    stop(dispatcher);
}

/// A thread of the region's own is the TCB of its mode: it is attached, runs or waits, and its time is that of the mode.
#[test]
fn a_service_thread_is_reported_as_the_tcb_of_its_mode() {
    let dispatcher = start(1);
    let listener = |dispatcher: &Dispatcher| dispatcher.statistics().modes[Mode::Sl as usize];
    assert_eq!(listener(&dispatcher).open, None);
    let thread = {
        let dispatcher = dispatcher.clone();
        std::thread::spawn(move || {
            let tcb = dispatcher.attach_service_tcb(Mode::Sl);
            let until = Instant::now() + Duration::from_millis(50);
            while Instant::now() < until {
                std::hint::spin_loop();
            }
            let running = listener(&dispatcher);
            tcb.waits();
            let waiting = listener(&dispatcher);
            std::thread::sleep(Duration::from_millis(50));
            tcb.runs();
            (running, waiting, listener(&dispatcher))
        })
    };
    let (running, waiting, again) = thread.join().unwrap();
    assert_eq!((running.open, running.attached_current, running.in_use_current, running.attaches), (Some(false), 1, 1, 1));
    assert_eq!((waiting.attached_current, waiting.in_use_current), (1, 0));
    assert!(waiting.dispatch >= Duration::from_millis(50) && waiting.cpu > Duration::ZERO && waiting.cpu <= waiting.dispatch * 2);
    assert!(again.in_use_current == 1 && again.dispatch < waiting.dispatch + Duration::from_millis(40), "the wait is not dispatch time");
    let ended = listener(&dispatcher);
    assert_eq!((ended.attached_current, ended.attached_peak, ended.attaches), (0, 1, 1), "its figures stay");
    // The TCBs that are left are the worker, and a spare one for a while.
    let names = |id: u32| kernel::threads::threads().into_iter().find(|thread| thread.id == id).map(|thread| thread.name);
    let named: Vec<String> = dispatcher.tcb_threads().into_iter().filter_map(names).collect();
    assert!(named.contains(&"worker-0".to_string()) && named.iter().all(|name| name.starts_with("worker-")), "{named:?}");
    assert!(ended.dispatch >= waiting.dispatch && ended.cpu >= waiting.cpu);
    stop(dispatcher);
}

/// ICV: the region sleeps no longer than this with nothing to do.
#[test]
fn an_idle_region_looks_for_work_when_icv_has_passed() {
    let exits_in = |icv: Duration| {
        let dispatcher = Dispatcher::start(Config { workers: 1, icv, ..Config::default() }).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        let exits = dispatcher.statistics().region_exits;
        // A sleep that has begun keeps its length.
        dispatcher.set_icv(Duration::from_millis(10));
        assert_eq!(dispatcher.statistics().icv, Duration::from_millis(10));
        stop(dispatcher);
        exits
    };
    let short = exits_in(Duration::from_millis(20));
    assert!((1..=15).contains(&short), "{short}");
    assert_eq!(exits_in(Duration::from_secs(60)), 0);
}

/// DSP-58: the stacks of tasks are counted, and kept for the next ones.
#[test]
fn stacks_of_tasks_are_counted() {
    let dispatcher = start(2);
    let stacks = || dispatcher.statistics().stacks;
    assert_eq!((stacks().bytes, stacks().in_use), (64 * 1024, 0));
    let gate = Ecb::new();
    let tasks: Vec<_> = (0..70)
        .map(|_| {
            let gate = gate.clone();
            let request = AttachRequest::new("STAK", move |task| {
                task.wait_ecb(&gate, &USER);
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    eventually("all have a stack", || stacks().in_use == 70);
    let made = stacks().stacks;
    assert!(made >= 70);
    gate.post(0);
    assert!(tasks.iter().all(|task| task.join(LONG)));
    drop(tasks);
    eventually("the stacks are free", || stacks().in_use == 0);
    assert_eq!(stacks().stacks, made);
    stop(dispatcher);
}
