//! `regent bench rtw`: the relational workload (`workloads/rtw`) at several rates, with QUASIRENT programs and with REQUIRED ones.
//!
//! Each variant runs in a process of its own, with its own region and database. One thread of the process drives the terminals over loopback
//! sockets. Every terminal has one transaction; it sends its next input at a fixed moment of a schedule, or at once if the answer came later
//! than that. CPU time of the region and of the database are measured apart.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use region::Region;
use region::monitoring::{Record, RecordSink};
use serde_json::{Value, json};
use tn3270::{ClientConfig, Driver, DriverEvent};

use super::Arguments;
use super::desk::Desk;
use super::marks::Mark;
use crate::console::Console;
use crate::output::OutputFormat;
use crate::up;

/// The application.
pub const DIRECTORY: &str = "workloads/rtw";
/// Terminals of a run.
const TERMINALS: usize = 210;
/// Longest time without any answer.
const STALL: Duration = Duration::from_secs(60);
/// Ran before what is measured: statements are prepared, caches filled.
const WARM_UP: Duration = Duration::from_secs(3);

/// Variants and their definitions of the programs.
pub const VARIANTS: [(&str, &str); 2] = [("QUASIRENT", "rtwq.csd"), ("REQUIRED", "rtwr.csd")];
/// It chooses one of them.
const CONFIGURATION: &str = "regent.toml";

/// One variant at all rates; `arguments.only` names it.
pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let workers = arguments.workers.first().copied().unwrap_or(0);
    let mut sit = ["INTTR=OFF", "MN=ON", "MNPER=ON", "MXT=300", "GMTEXT=RELATIONAL WORKLOAD"].map(str::to_string).to_vec();
    sit.extend(arguments.sit.iter().cloned());
    let console = Console::new(OutputFormat::Json);
    let variant = VARIANTS.iter().find(|(name, _)| arguments.only.iter().any(|only| only == name)).ok_or("a variant is named")?;
    let application = scratch.join("application");
    let is_other = |name: &str| VARIANTS.iter().any(|(_, other)| name == *other) && name != variant.1;
    copy(Path::new(DIRECTORY), &application, &|name| name == CONFIGURATION || is_other(name))?;
    let work = scratch.join("work");
    let up_arguments = up::Arguments::of(application, work.clone(), sit, workers);
    let parts = up::prepare(&up_arguments, &console)?;
    load(&work, arguments.scale)?;
    let region = up::start_region(parts)?;
    let tasks: Arc<Tasks> = Arc::default();
    region.monitoring().add_sink(tasks.clone());
    let address = terminals::terminal_control::listen(region, "127.0.0.1:0").map_err(|error| error.to_string())?;
    let mut load = Load::begin(region, address, arguments.scale, arguments.tables)?;
    let mut rows = Vec::new();
    for &rate in &arguments.rates {
        rows.push(load.measure(rate, Duration::from_secs(arguments.seconds.max(1)), &tasks)?);
    }
    load.finish();
    region.store.abandon();
    Ok(Value::Array(rows))
}

/// Sums of the monitoring records of the tasks that ended.
#[derive(Default)]
struct Tasks {
    ended: AtomicU64,
    change_modes: AtomicU64,
    qr_cpu_ns: AtomicU64,
    l8_cpu_ns: AtomicU64,
    qr_wait_ns: AtomicU64,
    sql_calls: AtomicU64,
}

impl RecordSink for Tasks {
    fn record(&self, record: &Record) {
        let cpu = |mode: kernel::Mode| record.times.modes[mode as usize].cpu.as_nanos() as u64;
        self.ended.fetch_add(1, Ordering::Relaxed);
        self.change_modes.fetch_add(record.times.change_modes, Ordering::Relaxed);
        self.qr_cpu_ns.fetch_add(cpu(kernel::Mode::Qr), Ordering::Relaxed);
        self.l8_cpu_ns.fetch_add(cpu(kernel::Mode::L8), Ordering::Relaxed);
        self.qr_wait_ns.fetch_add(record.times.modes[kernel::Mode::Qr as usize].delay.time.as_nanos() as u64, Ordering::Relaxed);
        self.sql_calls.fetch_add(record.counters.db2_requests, Ordering::Relaxed);
    }
}

impl Tasks {
    fn all(&self) -> [u64; 6] {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        [&self.ended, &self.change_modes, &self.qr_cpu_ns, &self.l8_cpu_ns, &self.qr_wait_ns, &self.sql_calls].map(of)
    }
}

#[derive(Default)]
struct Counts {
    answered: u64,
    errors: u64,
    /// Response times in nanoseconds.
    times: Vec<u64>,
    first_error: Option<String>,
}

struct Load {
    driver: Driver,
    desks: Vec<Desk>,
    /// When the present input was sent; `None`: the answer is there.
    sent: Vec<Option<Instant>>,
    due: Vec<Instant>,
    counts: Counts,
}

impl Load {
    /// Connects the terminals and begins their transactions.
    fn begin(region: &'static Region, address: SocketAddr, scale: u64, tables: u8) -> Result<Load, String> {
        let page = region.code_page.page();
        let now = Instant::now();
        let mut load = Load {
            driver: Driver::new().map_err(|error| error.to_string())?,
            desks: (0..TERMINALS).map(|number| Desk::new(number, scale, tables, page)).collect(),
            sent: vec![Some(now); TERMINALS],
            due: vec![now; TERMINALS],
            counts: Counts::default(),
        };
        for _ in 0..TERMINALS {
            load.driver.connect(address, ClientConfig::default()).map_err(|error| error.to_string())?;
        }
        load.until_idle()?;
        load.send_all()?;
        load.until_idle()?;
        match load.counts.first_error.take() {
            None => Ok(load),
            Some(error) => Err(format!("the first screens: {error}")),
        }
    }

    fn send_all(&mut self) -> Result<(), String> {
        (0..TERMINALS).try_for_each(|terminal| self.send(terminal))
    }

    fn send(&mut self, terminal: usize) -> Result<(), String> {
        let mut input = Vec::with_capacity(128);
        self.desks[terminal].next(&mut input);
        self.sent[terminal] = Some(Instant::now());
        self.driver.send(terminal, &input).map_err(|error| error.to_string())
    }

    /// Until every input has its answer.
    fn until_idle(&mut self) -> Result<(), String> {
        let mut last = Instant::now();
        while self.sent.iter().any(Option::is_some) {
            if self.step(Duration::from_millis(100))? {
                last = Instant::now();
            }
            if last.elapsed() > STALL {
                return Err("no answer from the region".to_string());
            }
        }
        Ok(())
    }

    /// Takes answers for at most `time`.
    fn step(&mut self, time: Duration) -> Result<bool, String> {
        let Load { driver, desks, sent, counts, .. } = self;
        let events = driver.poll(time, |terminal, event, _| match event {
            DriverEvent::Record(record) if super::bank::unlocks(record) => {
                let Some(at) = sent[terminal].take() else { return };
                counts.answered += 1;
                counts.times.push(at.elapsed().as_nanos() as u64);
                if !desks[terminal].accepts(record) {
                    counts.errors += 1;
                    counts.first_error.get_or_insert(desks[terminal].describe(record));
                }
            }
            DriverEvent::Closed(reason) => {
                counts.errors += 1;
                counts.first_error.get_or_insert(format!("terminal {terminal} closed: {reason}"));
                sent[terminal] = None;
            }
            _ => {}
        });
        Ok(events.map_err(|error| error.to_string())? > 0)
    }

    /// Inputs by the schedule of `rate` transactions a second until `end`.
    fn drive(&mut self, rate: f64, end: Instant) -> Result<(), String> {
        let interval = Duration::from_secs_f64(TERMINALS as f64 / rate);
        let start = Instant::now();
        for (number, due) in self.due.iter_mut().enumerate() {
            *due = start + interval.mul_f64(number as f64 / TERMINALS as f64);
        }
        let mut last = Instant::now();
        loop {
            let now = Instant::now();
            if now >= end {
                return Ok(());
            }
            let mut next = end;
            for terminal in 0..TERMINALS {
                if self.sent[terminal].is_some() {
                    continue;
                }
                if self.due[terminal] <= now {
                    // A terminal that is late goes on from now: it does not catch up.
                    self.due[terminal] = (self.due[terminal] + interval).max(now);
                    self.send(terminal)?;
                } else {
                    next = next.min(self.due[terminal]);
                }
            }
            let wait = next.saturating_duration_since(Instant::now()).clamp(Duration::from_micros(200), Duration::from_millis(50));
            if self.step(wait)? {
                last = Instant::now();
            } else if last.elapsed() > STALL {
                return Err("no answer from the region".to_string());
            }
        }
    }

    fn measure(&mut self, rate: f64, time: Duration, tasks: &Tasks) -> Result<Value, String> {
        self.drive(rate, Instant::now() + WARM_UP)?;
        self.counts = Counts::default();
        let (before, cpu, driver, database) = (tasks.all(), kernel::clock::process_cpu(), Mark::now(), super::database_cpu());
        let start = Instant::now();
        self.drive(rate, start + time)?;
        let (elapsed, driver_ns) = (start.elapsed().as_secs_f64(), driver.to(&Mark::now()));
        let (used, database_ns) = (kernel::clock::process_cpu(), super::database_cpu() - database);
        let after = tasks.all();
        self.until_idle()?;
        let counts = &mut self.counts;
        counts.times.sort_unstable();
        let answered = counts.answered.max(1) as f64;
        let quantile = |share: f64| counts.times.get((counts.times.len() as f64 * share) as usize).copied().unwrap_or(0) as f64 / 1e6;
        let region_ns = (used.0 + used.1 - cpu.0 - cpu.1).as_nanos() as f64 - driver_ns;
        let each: Vec<f64> = (1..6).map(|at| (after[at] - before[at]) as f64 / (after[0] - before[0]).max(1) as f64).collect();
        Ok(json!({
            "rate": rate,
            "per_second": answered / elapsed,
            "mean_ms": counts.times.iter().sum::<u64>() as f64 / counts.times.len().max(1) as f64 / 1e6,
            "p50_ms": quantile(0.5),
            "p99_ms": quantile(0.99),
            "region_us": region_ns / answered / 1e3,
            "database_us": database_ns as f64 / answered / 1e3,
            "driver_us": driver_ns / answered / 1e3,
            "change_modes": each[0],
            "qr_cpu_us": each[1] / 1e3,
            "l8_cpu_us": each[2] / 1e3,
            "qr_wait_us": each[3] / 1e3,
            "sql_calls": each[4],
            "errors": counts.errors,
            "first_error": counts.first_error,
        }))
    }

    fn finish(&mut self) {
        (0..TERMINALS).for_each(|terminal| self.driver.close(terminal));
    }
}

/// The application's directory, without files that `is_left_out`.
fn copy(from: &Path, to: &Path, is_left_out: &dyn Fn(&str) -> bool) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    std::fs::create_dir_all(to).map_err(failed)?;
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).map_err(failed)?;
        let target = to.join(&name);
        match path.is_dir() {
            true => copy(&path, &target, is_left_out)?,
            false if is_left_out(&name.to_string_lossy()) => {}
            false => std::fs::copy(&path, &target).map(drop).map_err(failed)?,
        }
    }
    Ok(())
}

/// Fills the tables by the batch program of the workload.
fn load(work: &Path, scale: u64) -> Result<(), String> {
    let executable = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = std::process::Command::new(executable);
    command
        .arg("run")
        .arg(format!("{DIRECTORY}/batch/RTWLOAD.cbl"))
        .args(["--app", DIRECTORY])
        .arg("--work")
        .arg(work)
        .args(["-I", "workloads/rtw/copy"]);
    let output = command.args(["--parm", &scale.to_string()]).output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("RTWLOAD: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))),
    }
}
