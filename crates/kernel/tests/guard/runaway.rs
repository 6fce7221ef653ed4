//! Programs that run too long are stopped, in their own code and in the run time, and so are those that an operator purges.

use super::{LONG, abend_of, call, in_task, place, start};
use kernel::guard::{self, RunTime};
use kernel::{Abend, AbendKind, AttachRequest, Interrupt, Purge, RunState, Stop, Wait, attention, raise};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[test]
fn a_repeated_runaway_without_a_yield_is_detected() {
    let dispatcher = start(1, Duration::from_millis(60));
    let (values, elapsed) = in_task(&dispatcher, |task| {
        let started = Instant::now();
        let mut values = vec![abend_of(call("loop", [0; 4])).value, abend_of(call("loop", [0; 4])).value];
        let elapsed = started.elapsed();
        task.relinquish();
        values.push(abend_of(call("loop", [0; 4])).value);
        (values, elapsed)
    });
    assert_eq!(values, [0, guard::RAN_AWAY_AGAIN, 0]);
    assert!(elapsed >= Duration::from_millis(110), "each time has an interval of its own: {elapsed:?}");
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn a_looping_program_is_stopped_and_others_are_not() {
    let dispatcher = start(2, Duration::from_millis(100));
    let started = Instant::now();
    let abend = in_task(&dispatcher, |_| abend_of(call("loop", [0; 4])));
    let elapsed = started.elapsed();
    assert_eq!((abend.kind, abend.code_text()), (AbendKind::Runaway, "AICA"));
    let trap = abend.trap.unwrap();
    assert_eq!((trap.interrupt, trap.offset), (Interrupt::Stopped, place("loop")));
    assert!(elapsed >= Duration::from_millis(90), "{elapsed:?}");
    assert_eq!(dispatcher.statistics().runaways, 1);
    // A task that works longer in total but gives up control is not a runaway; nor is one without a limit.
    in_task(&dispatcher, |task| {
        let until = Instant::now() + Duration::from_millis(300);
        while Instant::now() < until {
            let slice = Instant::now() + Duration::from_millis(10);
            while Instant::now() < slice {}
            task.relinquish();
            assert_eq!(task.attention(), 0);
        }
        task.set_runaway(Duration::ZERO);
    });
    let unlimited = AttachRequest::new("FREE", |task| {
        let until = Instant::now() + Duration::from_millis(300);
        while Instant::now() < until {}
        assert_eq!(task.attention(), 0);
    });
    let task = dispatcher.attach(unlimited.runaway(Duration::ZERO)).unwrap();
    assert!(task.join(LONG) && !task.has_panicked());
    assert_eq!(dispatcher.statistics().runaways, 1);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

static CALLS: AtomicU32 = AtomicU32::new(0);

/// A gate that spends its time in the run time, and checks the attention word at its exit.
unsafe extern "C" fn slow_gate(_: usize, _: usize, _: usize, _: usize) -> u64 {
    CALLS.fetch_add(1, Ordering::SeqCst);
    {
        let _run_time = RunTime::enter();
        let until = Instant::now() + Duration::from_millis(20);
        while Instant::now() < until {}
    }
    let word = unsafe { &*guard::attention_word() };
    if word.load(Ordering::SeqCst) & attention::RUNAWAY != 0 {
        unsafe { raise(Box::new(Abend::new("AICA", 1))) }
    }
    0
}

#[test]
fn a_runaway_in_the_run_time_is_deferred_to_the_gate() {
    let dispatcher = start(1, Duration::from_millis(100));
    let abend = in_task(&dispatcher, |_| abend_of(call("call for ever", [slow_gate as *const () as usize, 0, 0, 0])));
    // Not a stop inside the run time: the gate found the bit and raised this.
    assert_eq!((abend.code_text(), abend.kind, abend.value), ("AICA", AbendKind::Raised, 1));
    assert!(CALLS.load(Ordering::SeqCst) >= 1);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

/// A light helper that works until a stop is requested, and then stops by its illegal instruction.
unsafe extern "C" fn asking_helper(_: usize, _: usize, _: usize, _: usize) -> u64 {
    let word = unsafe { &*guard::attention_word() };
    while word.load(Ordering::SeqCst) & attention::STOPS == 0 {}
    unsafe { std::arch::asm!("ud2", options(noreturn)) }
}

#[test]
fn a_light_helper_that_gives_up_is_stopped_as_a_runaway() {
    let dispatcher = start(1, Duration::from_millis(100));
    let abend = in_task(&dispatcher, |task| {
        let abend = abend_of(call("call", [asking_helper as *const () as usize, 0, 0, 0]));
        assert_eq!(task.attention(), 0, "it was delivered");
        abend
    });
    assert_eq!((abend.code_text(), abend.kind, abend.value), ("AICA", AbendKind::Runaway, 0));
    assert!(abend.trap.is_some_and(|trap| trap.interrupt == Interrupt::Stopped && trap.in_run_time && trap.code_id == 4711));
    // A gate asks for the abend and raises it itself.
    let abend = in_task(&dispatcher, |_| {
        let word = unsafe { &*guard::attention_word() };
        assert!(guard::pending_stop().is_none());
        while word.load(Ordering::SeqCst) & attention::STOPS == 0 {}
        guard::pending_stop().map(|departure| abend_of(Err(departure))).expect("a stop is pending")
    });
    assert_eq!((abend.code_text(), abend.kind), ("AICA", AbendKind::Runaway));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

#[test]
fn force_purge_stops_a_looping_program() {
    let dispatcher = start(1, Duration::ZERO);
    let result = Arc::new(Mutex::new(None));
    let stored = result.clone();
    let request = AttachRequest::new("PRGL", move |task| {
        let abend = abend_of(call("loop", [0; 4]));
        *stored.lock().unwrap() = Some(abend.kind);
        // The purge has been delivered: waits of abend processing go on.
        task.delay(&Wait::new("USERWAIT"), Duration::from_millis(1));
        assert_eq!((task.attention(), task.take_purge()), (0, None));
    });
    let task = dispatcher.attach(request).unwrap();
    while task.state() != RunState::Running {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(task.purge(Purge::Purge), "noted for the next wait");
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(task.state(), RunState::Running);
    assert!(task.purge(Purge::ForcePurge));
    // The signal may hit the moment before the program runs; the operator tries again.
    while !task.join(Duration::from_millis(50)) {
        task.purge(Purge::ForcePurge);
    }
    assert!(!task.has_panicked());
    assert_eq!(*result.lock().unwrap(), Some(AbendKind::Purged(Purge::ForcePurge)));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}
