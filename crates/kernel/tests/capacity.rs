//! The laws of a region at its limits: QR serves one task at a time, so its throughput ends at 1000 / (milliseconds of QR per transaction),
//! and after a stall at MXT the queue is worked off.

mod dispatcher_support;

use dispatcher_support::{LONG, USER, start, stop};
use kernel::{AttachRequest, Config, Dispatcher, Ecb, Mode, RunState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use testing::eventually;

/// QR time of one transaction.
const QR_PER_TRANSACTION: Duration = Duration::from_millis(2);

/// What a closed population of terminals got: transactions per second, mean response time, and the part of the time QR was dispatched.
struct Load {
    throughput: f64,
    response: Duration,
    qr_busy: f64,
    /// QR CPU to dispatch ratio: below 0.8 the machine keeps the region from running.
    qr_cpu: f64,
}

/// Each of the terminals thinks, and then has a transaction that needs QR for a fixed time, on more workers than it needs.
fn load(terminals: usize, think: Duration) -> Load {
    let dispatcher = start(2);
    let stopped = Arc::new(AtomicBool::new(false));
    let (done, response) = (Arc::new(AtomicU64::new(0)), Arc::new(Mutex::new(Duration::ZERO)));
    let all: Vec<_> = (0..terminals)
        .map(|_| {
            let (stopped, done, response) = (stopped.clone(), done.clone(), response.clone());
            let request = AttachRequest::new("TERM", move |task| {
                task.change_mode(Mode::L8).unwrap();
                while !stopped.load(Ordering::Relaxed) {
                    task.waker();
                    task.suspend(&USER.timeout(think));
                    let since = Instant::now();
                    task.change_mode(Mode::Qr).unwrap();
                    let until = Instant::now() + QR_PER_TRANSACTION;
                    while Instant::now() < until {
                        std::hint::spin_loop();
                    }
                    task.change_mode(Mode::L8).unwrap();
                    done.fetch_add(1, Ordering::SeqCst);
                    *response.lock().unwrap() += since.elapsed();
                }
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    std::thread::sleep(Duration::from_millis(100));
    let before = (Instant::now(), done.load(Ordering::SeqCst), *response.lock().unwrap(), qr_times(&dispatcher));
    std::thread::sleep(Duration::from_millis(1000));
    let after = (Instant::now(), done.load(Ordering::SeqCst), *response.lock().unwrap(), qr_times(&dispatcher));
    stopped.store(true, Ordering::SeqCst);
    assert!(all.iter().all(|task| task.join(LONG) && !task.has_panicked()));
    stop(dispatcher);
    let (seconds, transactions) = ((after.0 - before.0).as_secs_f64(), after.1 - before.1);
    Load {
        throughput: transactions as f64 / seconds,
        response: (after.2 - before.2) / transactions.max(1) as u32,
        qr_busy: (after.3.0 - before.3.0).as_secs_f64() / seconds,
        qr_cpu: (after.3.1 - before.3.1).as_secs_f64() / (after.3.0 - before.3.0).as_secs_f64(),
    }
}

/// Dispatch and CPU time of QR.
fn qr_times(dispatcher: &Dispatcher) -> (Duration, Duration) {
    let qr = dispatcher.statistics().modes[Mode::Qr as usize];
    (qr.dispatch, qr.cpu)
}

/// The ceiling is 1000 / 2 = 500 transactions a second. Beyond it QR is always dispatched, more terminals get no more throughput, and the
/// response time grows with their number.
#[test]
fn qr_saturates_at_its_capacity() {
    let ceiling = 1.0 / QR_PER_TRANSACTION.as_secs_f64();
    let light = load(2, Duration::from_millis(20));
    let heavy = load(16, Duration::from_millis(1));
    let twice = load(32, Duration::from_millis(1));
    assert!(light.qr_busy < 0.7 && light.throughput < 0.5 * ceiling, "{} {}", light.qr_busy, light.throughput);
    for full in [&heavy, &twice] {
        assert!(full.throughput <= 1.02 * ceiling, "{}", full.throughput);
        // On a machine with other work, the worker that takes QR over may have to wait for a processor.
        let least = if full.qr_cpu > 0.97 { 0.99 } else { 0.3 };
        assert!(full.qr_busy > least, "{} {}", full.qr_busy, full.qr_cpu);
    }
    assert!(heavy.response > 2 * light.response, "{:?} {:?}", heavy.response, light.response);
    if heavy.qr_cpu.min(twice.qr_cpu) < 0.9 {
        return;
    }
    let growth = twice.response.as_secs_f64() / heavy.response.as_secs_f64();
    assert!((1.3..4.0).contains(&growth), "{:?} {:?}", twice.response, heavy.response);
}

/// A stall holds as many tasks as MXT allows, and the others queue. When it ends, all of them run, at once as many as MXT.
#[test]
fn a_region_recovers_from_a_stall_at_mxt() {
    const MAX_TASKS: u32 = 8;
    const TASKS: usize = 200;
    let dispatcher = Dispatcher::start(Config { workers: 2, max_tasks: MAX_TASKS, ..Config::default() }).unwrap();
    let stall = Ecb::new();
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| {
            let stall = stall.clone();
            let request = AttachRequest::new("STAL", move |task| {
                task.wait_ecb(&stall, &USER);
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    eventually("the limit is reached", || tasks.iter().filter(|task| task.state() == RunState::Suspended).count() == MAX_TASKS as usize);
    let used = || dispatcher.statistics().modes.iter().map(|mode| mode.dispatch).sum::<Duration>();
    let (during, figures) = (used(), dispatcher.statistics().max_tasks);
    assert_eq!((figures.active_current, figures.queued_current), (MAX_TASKS, TASKS as u32 - MAX_TASKS));
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(used(), during, "a stalled region uses no processor");
    stall.post(0);
    assert!(tasks.iter().all(|task| task.join(LONG)));
    let figures = dispatcher.statistics().max_tasks;
    assert_eq!((figures.active_current, figures.active_peak, figures.queued_current), (0, MAX_TASKS, 0));
    assert_eq!((figures.queued_peak, figures.queued_total), (TASKS as u32 - MAX_TASKS, TASKS as u64 - u64::from(MAX_TASKS)));
    assert!(used() > during, "the queue is worked off");
    assert!(tasks.last().unwrap().times().max_tasks_delay >= Duration::from_millis(50), "the wait for MXT is in its account");
    stop(dispatcher);
}

/// DSP-67: a region that may use one processor has one worker, and its tasks use no more than that processor, on QR and on open TCBs together.
#[test]
fn on_one_processor_a_region_uses_one_at_a_time() {
    let test = std::env::current_exe().unwrap();
    let arguments = ["--exact", "child_on_one_processor", "--nocapture", "--include-ignored"];
    let output = std::process::Command::new("taskset").args(["-c", "0"]).arg(test).args(arguments).env(CHILD, "1").output().unwrap();
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}

const CHILD: &str = "REGENT_TEST_ONE_PROCESSOR";

#[test]
#[ignore = "run by the test of one processor"]
fn child_on_one_processor() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let dispatcher = start(0);
    let figures = dispatcher.statistics();
    assert_eq!((figures.processors.allowed, figures.workers), (1, 1));
    let stopped = Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = [Mode::Qr, Mode::L8, Mode::L9]
        .into_iter()
        .map(|mode| {
            let stopped = stopped.clone();
            let request = AttachRequest::new("SPIN", move |task| {
                task.change_mode(mode).unwrap();
                while !stopped.load(Ordering::Relaxed) {
                    let until = Instant::now() + Duration::from_millis(1);
                    while Instant::now() < until {
                        std::hint::spin_loop();
                    }
                    task.relinquish();
                }
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    let used = || dispatcher.statistics().modes.iter().map(|mode| mode.dispatch).sum::<Duration>();
    std::thread::sleep(Duration::from_millis(50));
    let (before, since) = (used(), Instant::now());
    std::thread::sleep(Duration::from_millis(300));
    let dispatched = (used() - before).as_secs_f64() / since.elapsed().as_secs_f64();
    stopped.store(true, Ordering::SeqCst);
    assert!(tasks.iter().all(|task| task.join(LONG)));
    assert!((0.5..=1.05).contains(&dispatched), "{dispatched}");
    stop(dispatcher);
}

/// XM-03: nothing is allocated for tasks that MXT only allows.
#[test]
fn a_large_mxt_costs_nothing_until_there_are_tasks() {
    let dispatcher = Dispatcher::start(Config { workers: 1, max_tasks: 2_000, ..Config::default() }).unwrap();
    let figures = dispatcher.statistics();
    assert_eq!((figures.max_tasks.limit, figures.stacks.stacks, figures.stacks.in_use), (2_000, 0, 0));
    assert!(dispatcher.attach(AttachRequest::new("ONE", |_| ())).unwrap().join(LONG));
    assert!(dispatcher.statistics().stacks.stacks < 2_000);
    stop(dispatcher);
}
