//! Waits through the public interface: wakeups, event control blocks, timers, purge.

mod dispatcher_support;

use dispatcher_support::{LONG, USER, start, stop};
use kernel::{AttachRequest, Ecb, Mode, Purge, Resumed, RunState, Wait};
use rustix::event::PollFlags;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use testing::eventually;

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
                    // The other side may not yet have opened its wait.
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
    eventually("the task waits", || task.state() == RunState::Suspended);
    let info = task.info();
    assert_eq!((info.resource_type.as_str(), info.mode), ("USERWAIT", Mode::Qr));
    second.post(42);
    assert!(task.join(LONG) && !task.has_panicked());
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
    eventually("the timer fires", || fired.load(Ordering::SeqCst) > 0);
    std::thread::sleep(Duration::from_millis(10));
    assert_eq!(fired.load(Ordering::SeqCst), 1);
    assert!(!dispatcher.cancel(kept));
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
        eventually("it waits", || task.state() == RunState::Suspended);
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
fn a_task_attached_while_workers_fall_asleep_is_not_left_waiting() {
    // Pauses close to the time a worker polls before it sleeps, so that tasks arrive at every moment of that.
    for workers in [1, 3] {
        let dispatcher = start(workers);
        for round in 0..4_000u32 {
            let pause = Duration::from_nanos(u64::from(round % 100) * 200);
            let begin = Instant::now();
            while begin.elapsed() < pause {
                std::hint::spin_loop();
            }
            // The second one runs under an open mode: it may need its own worker.
            let task = dispatcher.attach(AttachRequest::new("WAKE", |task| {
                let other = AttachRequest::new("NEXT", |task| {
                    task.change_mode(Mode::L8).unwrap();
                    task.relinquish();
                });
                task.dispatcher().attach(other).unwrap();
            }));
            assert!(task.unwrap().join(LONG), "round {round} with {workers} workers");
        }
        eventually("all ended", || dispatcher.statistics().tasks_current == 0);
        stop(dispatcher);
    }
}

/// Whether one of some waits of a task in `mode`, for a socket that is ready or for one that is not, ended with the socket ready.
fn waits_in_place(workers: usize, mode: Mode, is_answered: bool) -> bool {
    let dispatcher = start(workers);
    let (asking, mut answering) = std::os::unix::net::UnixStream::pair().unwrap();
    if is_answered {
        std::io::Write::write_all(&mut answering, b"answer").unwrap();
    }
    let (sender, receiver) = std::sync::mpsc::channel();
    let request = AttachRequest::new("PLAC", move |task| {
        task.change_mode(mode).unwrap();
        let ready = (0..50).any(|_| {
            // The other worker may still be starting.
            task.delay(&USER, Duration::from_millis(1));
            task.wait_in_place(&USER, asking.as_fd(), PollFlags::IN, Some(Duration::from_millis(1)))
        });
        sender.send(ready).unwrap();
    });
    let task = dispatcher.attach(request).unwrap();
    assert!(task.join(LONG) && !task.has_panicked());
    stop(dispatcher);
    receiver.recv().unwrap()
}

#[test]
fn a_task_waits_for_a_socket_in_its_thread_if_another_worker_is_free() {
    assert!(waits_in_place(2, Mode::L8, true));
    assert!(!waits_in_place(2, Mode::L8, false), "the time has passed");
    assert!(!waits_in_place(2, Mode::Qr, true), "it would hold QR");
    assert!(!waits_in_place(1, Mode::L8, true), "no other worker is there");
}
