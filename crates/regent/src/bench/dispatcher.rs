//! `regent bench dispatcher`: a change of mode, open TCBs beside a saturated QR, and the memory of tasks that wait.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kernel::{AttachRequest, Mode, RunState};
use serde_json::{Value, json};

use super::Arguments;
use super::kernel_paths::Bench;

/// Changes there and back that are timed.
const TRIPS: u32 = 500_000;
/// Tasks that suspend, each running a COBOL program.
const WAITING: usize = 10_000;
/// Tasks that want QR, and tasks on L8, each computing for a moment and giving up control.
const ON_QR: usize = 8;
const ON_L8: usize = 4;
const MOMENT: Duration = Duration::from_micros(100);
const WAIT_MAX: Duration = Duration::from_secs(120);

/// Rows: name, figure, unit, and the target, which is the least or the most.
pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let bench =
        Bench::start(&Arguments { sit: [arguments.sit.clone(), vec!["EDSALIM=800M".to_string()]].concat(), ..arguments.clone() }, scratch)?;
    let change = bench.modes(1, TRIPS)? / 2.0;
    let (open, qr, cpu) = beside_qr(&bench, Duration::from_secs(arguments.seconds.clamp(1, 10)))?;
    let bytes = memory(&bench)?;
    bench.abandon();
    Ok(json!([
        { "name": "change mode, nobody waiting", "figure": change, "unit": "ns", "most": 30.0 },
        { "name": "QR dispatched, tasks queued for it", "figure": qr * 100.0, "unit": "%", "least": 95.0 },
        { "name": "another processor, tasks on L8 beside them", "figure": open * 100.0, "unit": "%", "least": 95.0 },
        { "name": "CPU time of QR to its dispatch time", "figure": cpu * 100.0, "unit": "%" },
        { "name": "memory of a task that waits, of 10,000", "figure": bytes / 1024.0, "unit": "KB", "most": 24.0 },
    ]))
}

/// The parts of a processor that L8 and QR are dispatched, and the ratio of QR's processor time to its dispatch time.
fn beside_qr(bench: &Bench, time: Duration) -> Result<(f64, f64, f64), String> {
    let dispatcher = &bench.region().dispatcher;
    let stop = Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = (0..ON_QR + ON_L8)
        .map(|number| {
            let stop = stop.clone();
            let request = AttachRequest::new("BUSY", move |task| {
                if number >= ON_QR && task.change_mode(Mode::L8).is_err() {
                    return;
                }
                while !stop.load(Ordering::Relaxed) {
                    let until = Instant::now() + MOMENT;
                    while Instant::now() < until {
                        std::hint::spin_loop();
                    }
                    task.relinquish();
                }
            });
            dispatcher.attach(request).map_err(|error| format!("{error:?}"))
        })
        .collect::<Result<_, _>>()?;
    std::thread::sleep(Duration::from_millis(200));
    let modes = || {
        let modes = dispatcher.statistics().modes;
        [Mode::L8, Mode::Qr].map(|mode| (modes[mode as usize].dispatch, modes[mode as usize].cpu))
    };
    let (before, since) = (modes(), Instant::now());
    std::thread::sleep(time);
    let (after, elapsed) = (modes(), since.elapsed().as_secs_f64());
    stop.store(true, Ordering::Relaxed);
    for task in tasks {
        task.join(WAIT_MAX);
    }
    let part = |at: usize| (after[at].0 - before[at].0).as_secs_f64();
    Ok((part(0) / elapsed, part(1) / elapsed, (after[1].1 - before[1].1).as_secs_f64() / part(1)))
}

/// Bytes of resident memory that one of many suspended tasks takes.
fn memory(bench: &Bench) -> Result<f64, String> {
    let region = bench.region();
    region.dispatcher.set_max_tasks(WAITING as u32 + 10);
    // The first one loads the program and makes what all of them share.
    wait_for(bench, 1)?;
    let before = resident()?;
    wait_for(bench, WAITING)?;
    Ok((resident()? - before) / (WAITING - 1) as f64)
}

/// Attaches tasks until so many of them wait.
fn wait_for(bench: &Bench, count: usize) -> Result<(), String> {
    let dispatcher = &bench.region().dispatcher;
    let tasks = || dispatcher.task_references().into_iter().filter(|task| task.transaction().as_str() == "KBWT").collect::<Vec<_>>();
    for _ in tasks().len()..count {
        bench.attach("KBWT", Vec::new())?;
    }
    let since = Instant::now();
    while tasks().iter().filter(|task| task.state() == RunState::Suspended).count() < count {
        if since.elapsed() > WAIT_MAX {
            return Err("the tasks do not come to their wait".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Bytes of this process in memory.
pub(super) fn resident() -> Result<f64, String> {
    let text = std::fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").trim().parse().map_err(|error| format!("{line}: {error}"))?;
    Ok(kilobytes * 1024.0)
}
