//! Measures the kernel's hot paths: `cargo run --release -p kernel --example paths [NAME]...`
//!
//! Times are in nanoseconds, the best of several runs: thread CPU time for single-threaded cases, wall time for contended ones.

use kernel::storage::{Getmain, Storage, StorageConfig};
use kernel::{AttachRequest, Config, Dispatcher, Mode, Resumed, Stop, Task, Wait};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(600);
const USER: Wait = Wait::new("USERWAIT");

fn start(workers: usize, max_tasks: u32) -> Dispatcher {
    Dispatcher::start(Config { workers, max_tasks, ..Config::default() }).unwrap()
}

/// Best nanoseconds of CPU time for one of `count` iterations, of 7 runs.
fn best_cpu(count: u64, mut work: impl FnMut(u64)) -> f64 {
    (0..7)
        .map(|_| {
            let start = kernel::clock::thread_cpu_ns();
            work(count);
            (kernel::clock::thread_cpu_ns() - start) as f64 / count as f64
        })
        .fold(f64::MAX, f64::min)
}

fn in_task(dispatcher: &Dispatcher, work: impl FnOnce(&Task) -> f64 + Send + 'static) -> f64 {
    let result = Arc::new(Mutex::new(0.0));
    let stored = result.clone();
    let request = AttachRequest::new("BNCH", move |task| *stored.lock().unwrap() = work(task)).runaway(Duration::ZERO);
    let task = dispatcher.attach(request).unwrap();
    assert!(task.join(LONG) && !task.has_panicked());
    let figure = result.lock().unwrap();
    *figure
}

fn report(name: &str, figure: f64, target: Option<f64>) {
    let verdict = match target {
        Some(target) if figure <= target => format!("target {target:.0}: met"),
        Some(target) => format!("target {target:.0}: MISSED"),
        None => String::new(),
    };
    println!("{name:<58} {figure:>9.1} ns  {verdict}");
}

fn change_mode() {
    let dispatcher = start(1, 500);
    let trip = in_task(&dispatcher, |task| {
        best_cpu(2_000_000, |count| {
            for _ in 0..count {
                task.change_mode(Mode::L8).unwrap();
                task.change_mode(Mode::Qr).unwrap();
            }
        })
    });
    report("change mode QR-L8-QR, nobody waiting", trip, Some(60.0));
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
    for (workers, tasks, qr_work, open_work) in [(2, 2, 0, 0), (2, 64, 0, 0), (2, 1000, 0, 0), (2, 64, 2000, 5000)] {
        let name = format!("  {tasks} tasks, {workers} workers, {qr_work} ns on QR, {open_work} ns on L8");
        report(&name, contended(workers, tasks, qr_work, open_work), None);
    }
}

fn spin(time_ns: u64) {
    if time_ns > 0 {
        let start = Instant::now();
        while (start.elapsed().as_nanos() as u64) < time_ns {}
    }
}

/// Process CPU time for one trip.
fn contended(workers: usize, tasks: u64, qr_work: u64, open_work: u64) -> f64 {
    let dispatcher = start(workers, 20_000);
    let trips = (400_000 / tasks / if qr_work > 0 { 10 } else { 1 }).max(10);
    let process_cpu = || {
        let (user, system) = kernel::clock::process_cpu();
        (user + system).as_nanos() as f64
    };
    let before = process_cpu();
    let all: Vec<_> = (0..tasks)
        .map(|_| {
            let request = AttachRequest::new("CONT", move |task| {
                for _ in 0..trips {
                    spin(qr_work);
                    task.change_mode(Mode::L8).unwrap();
                    spin(open_work);
                    task.change_mode(Mode::Qr).unwrap();
                }
            });
            dispatcher.attach(request).unwrap()
        })
        .collect();
    assert!(all.iter().all(|task| task.join(LONG)));
    let used = process_cpu() - before;
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
    used / (tasks * trips) as f64
}

fn suspend() {
    let dispatcher = start(1, 500);
    let round = in_task(&dispatcher, |task| {
        best_cpu(500_000, |count| {
            for _ in 0..count {
                task.relinquish();
            }
        })
    });
    report("relinquish and be dispatched again (QR)", round, None);
    let early = in_task(&dispatcher, |task| {
        best_cpu(1_000_000, |count| {
            for _ in 0..count {
                task.waker().resume();
                assert_eq!(task.suspend(&USER), Resumed::Posted(0));
            }
        })
    });
    report("wait that was resumed before it began", early, None);
    let timer = best_cpu(300_000, |count| {
        for _ in 0..count {
            let id = dispatcher.after(Duration::from_secs(10), || ());
            assert!(dispatcher.cancel(id));
        }
    });
    report("timer set and cancelled", timer, None);
    report("two tasks resume each other: one suspend and resume", ping_pong(&dispatcher), None);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

/// Wall time of a suspend that another task of the same worker ends.
fn ping_pong(dispatcher: &Dispatcher) -> f64 {
    const TURNS: u64 = 500_000;
    let wakers: Arc<[Mutex<Option<kernel::Waker>>; 2]> = Arc::default();
    let time = Arc::new(AtomicU64::new(0));
    let tasks: Vec<_> = (0..2usize)
        .map(|side| {
            let (wakers, time) = (wakers.clone(), time.clone());
            let request = AttachRequest::new("PING", move |task| {
                let start = Instant::now();
                for _ in 0..TURNS {
                    *wakers[side].lock().unwrap() = Some(task.waker());
                    let other = wakers[1 - side].lock().unwrap().take();
                    if let Some(other) = other {
                        other.resume();
                    }
                    task.suspend(&USER.timeout(Duration::from_secs(5)));
                }
                let other = wakers[1 - side].lock().unwrap().take();
                if let Some(other) = other {
                    other.resume();
                }
                time.fetch_max(start.elapsed().as_nanos() as u64, Ordering::SeqCst);
            });
            dispatcher.attach(request.runaway(Duration::ZERO)).unwrap()
        })
        .collect();
    assert!(tasks.iter().all(|task| task.join(LONG) && !task.has_panicked()));
    time.load(Ordering::SeqCst) as f64 / (2 * TURNS) as f64
}

fn attach() {
    // One task attaches all the others, on one worker: CPU time of attach, dispatch, run and end.
    let dispatcher = start(1, 20_000);
    let empty = in_task(&dispatcher, |task| {
        let dispatcher = task.dispatcher();
        best_cpu(100_000, |count| {
            for _ in 0..count {
                dispatcher.attach(AttachRequest::new("NULL", |_| ())).unwrap();
                task.relinquish();
            }
        })
    });
    report("attach to end, empty task", empty, Some(1000.0));
    let storage = Storage::start(StorageConfig::default()).unwrap();
    let working = in_task(&dispatcher, move |task| {
        let dispatcher = task.dispatcher();
        best_cpu(100_000, |count| {
            for _ in 0..count {
                let storage = storage.clone();
                let request = AttachRequest::new("WORK", move |task| {
                    let mut own = storage.task(task.number());
                    black_box(own.getmain(Getmain { initial: Some(0), ..Getmain::user(16 * 1024) }).unwrap());
                });
                dispatcher.attach(request).unwrap();
                task.relinquish();
            }
        })
    });
    report("attach to end with 16 KB of initialized storage", working, None);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
    let dispatcher = start(2, 20_000);
    let done = Arc::new(AtomicUsize::new(0));
    const TASKS: usize = 200_000;
    let start = Instant::now();
    for _ in 0..TASKS {
        let done = done.clone();
        let request = AttachRequest::new("FLOD", move |_| {
            done.fetch_add(1, Ordering::Relaxed);
        });
        dispatcher.attach(request).unwrap();
    }
    while done.load(Ordering::Relaxed) < TASKS {
        std::thread::yield_now();
    }
    report("attach to end, flood from outside (wall)", start.elapsed().as_nanos() as f64 / TASKS as f64, None);
    assert!(dispatcher.stop(Stop::Quiesce(LONG)));
}

fn storage() {
    let storage = Storage::start(StorageConfig::default()).unwrap();
    let mut task = storage.task(1);
    for length in [16, 100, 1000, 4096] {
        let pair = best_cpu(1_000_000, |count| {
            for _ in 0..count {
                let address = task.getmain(Getmain::user(black_box(length))).unwrap();
                task.freemain(address).unwrap();
            }
        });
        report(&format!("getmain and freemain of {length} bytes"), pair, Some(50.0));
    }
    let get_only = best_cpu(1_000_000, |count| {
        for index in 0..count {
            task.getmain(Getmain::user(black_box(64))).unwrap();
            if index % 200 == 199 {
                task.end();
            }
        }
    });
    report("getmain of 64 bytes, freed at task end", get_only, Some(50.0));
    let cycle = best_cpu(200_000, |count| {
        for _ in 0..count {
            let mut task = storage.task(2);
            black_box(task.getmain(Getmain::user(16 * 1024)).unwrap());
            task.end();
        }
    });
    report("task storage of 16 KB, got and freed with the task", cycle, None);
    let big = best_cpu(200_000, |count| {
        for _ in 0..count {
            let address = task.getmain(Getmain::user(200 * 1024)).unwrap();
            task.freemain(address).unwrap();
        }
    });
    report("getmain and freemain of 200 KB", big, None);
}

unsafe extern "C" fn identity(value: usize, _: usize, _: usize, _: usize) -> u64 {
    value as u64
}

unsafe extern "C" fn exits(value: usize, _: usize, _: usize, _: usize) -> u64 {
    unsafe { kernel::raise_exit(value as u64) }
}

unsafe extern "C" fn raises(value: usize, _: usize, _: usize, _: usize) -> u64 {
    unsafe { kernel::raise(Box::new(kernel::Abend::new("AEI0", value as u64))) }
}

unsafe extern "C" fn faults(address: usize, _: usize, _: usize, _: usize) -> u64 {
    unsafe { (address as *const u64).read_volatile() }
}

fn guard() {
    let call = |function: kernel::guard::GuardedFunction, argument: usize| unsafe {
        kernel::guarded_call(black_box(function), [argument, 0, 0, 0])
    };
    let cases: [(&str, kernel::guard::GuardedFunction, u64); 4] = [
        ("guarded call and return", identity, 5_000_000),
        ("guarded call left by exit", exits, 2_000_000),
        ("guarded call left by abend", raises, 1_000_000),
        ("guarded call left by a trap (SIGSEGV)", faults, 100_000),
    ];
    for (name, function, count) in cases {
        let figure = best_cpu(count, |count| {
            for _ in 0..count {
                let _ = black_box(call(function, 8));
            }
        });
        report(name, figure, None);
    }
    let mut buffer = [0u8; 64];
    let source = Box::leak(Box::new([1u8; 64])).as_ptr() as usize;
    let copy = best_cpu(2_000_000, |count| {
        for _ in 0..count {
            unsafe { kernel::guard::copy_in(black_box(source), &mut buffer) }.unwrap();
        }
    });
    report("copy 64 bytes of program storage", copy, None);
}

fn trace() {
    use kernel::trace::{Component, Selection, Value, change_flags, point, points, set_levels};
    let off = best_cpu(10_000_000, |count| {
        for index in 0..count {
            point(&points::EI_EXIT, &[Value::Text("READ"), Value::Text("NORMAL"), Value::Number(black_box(index))]);
        }
    });
    report("trace point, off", off, None);
    set_levels(Selection::Standard, Component::Ei, 1);
    change_flags(|flags| (flags.system, flags.internal) = (true, true));
    let on = best_cpu(1_000_000, |count| {
        for index in 0..count {
            point(&points::EI_EXIT, &[Value::Text("READ"), Value::Text("NORMAL"), Value::Number(black_box(index))]);
        }
    });
    set_levels(Selection::Standard, Component::Ei, 0);
    report("trace point, on", on, None);
    let ticks = best_cpu(10_000_000, |count| {
        for _ in 0..count {
            black_box(kernel::clock::ticks());
        }
    });
    report("reading the clock", ticks, None);
}

fn main() {
    let cases: [(&str, fn()); 6] =
        [("change_mode", change_mode), ("suspend", suspend), ("attach", attach), ("storage", storage), ("guard", guard), ("trace", trace)];
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (name, run) in cases {
        if wanted.is_empty() || wanted.iter().any(|one| one == name) {
            run();
        }
    }
}
