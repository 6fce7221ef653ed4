//! `regent bench bank`: the sample bank under load. One thread of this process drives the terminals over loopback sockets; the cost of the
//! driver is part of the result.
//!
//! A terminal answers a screen as soon as it has checked it, without think time. Sign-on is not measured.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use le::code_page::CodePage;
use region::Region;
use serde_json::{Value, json};
use tn3270::{ClientConfig, Driver, DriverEvent};

use super::screens::Teller;
use super::{Arguments, marks::Mark};
use crate::console::Console;
use crate::output::OutputFormat;
use crate::up;

/// Longest time without any answer.
const STALL: Duration = Duration::from_secs(30);
/// Terminals that keep the processors busy.
const BUSY: usize = 100;
/// Ran before what is measured, so that caches and stacks are there.
const WARM_UP: Duration = Duration::from_secs(1);

pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let (region, address) = start(arguments, scratch)?;
    let mut rows = Vec::new();
    for &terminals in &arguments.terminals {
        rows.push(measure(region, address, terminals, Duration::from_secs(arguments.seconds.max(1)))?);
    }
    // The data is scratch: no orderly shutdown, only no more writing.
    region.store.abandon();
    Ok(Value::Array(rows))
}

/// Of the numbers of terminals that were asked for, the one nearest to what keeps the processors busy.
pub(super) fn busy_terminals(arguments: &Arguments) -> usize {
    arguments.terminals.iter().copied().min_by_key(|count| count.abs_diff(BUSY)).unwrap_or(BUSY)
}

/// The bank without trace, with monitoring, and the address of its listener.
pub(super) fn start(arguments: &Arguments, scratch: &Path) -> Result<(&'static Region, SocketAddr), String> {
    start_at(arguments, scratch, "127.0.0.1:0")
}

pub(super) fn start_at(arguments: &Arguments, scratch: &Path, listener: &str) -> Result<(&'static Region, SocketAddr), String> {
    let workers = arguments.workers.first().copied().unwrap_or(0);
    let mut sit = vec!["INTTR=OFF".to_string(), "MN=ON".to_string(), "MNPER=ON".to_string()];
    sit.extend(arguments.sit.iter().cloned());
    let console = Console::new(OutputFormat::Json);
    let up_arguments = up::Arguments::of(arguments.directory.clone(), scratch.to_path_buf(), sit, workers);
    let parts = up::prepare(&up_arguments, &console)?;
    let region = up::start_region(parts)?;
    let address = terminals::terminal_control::listen(region, listener).map_err(|error| error.to_string())?;
    Ok((region, address))
}

#[derive(Default)]
pub(super) struct Counts {
    pub(super) answered: u64,
    pub(super) errors: u64,
    pub(super) closed: u64,
    /// Response times in nanoseconds.
    pub(super) times: Vec<u32>,
    pub(super) first_error: Option<String>,
}

/// Terminals at work.
pub(super) struct Load {
    driver: Driver,
    tellers: Vec<Teller>,
    sent: Vec<Instant>,
    pub(super) counts: Counts,
}

fn measure(region: &'static Region, address: SocketAddr, terminals: usize, time: Duration) -> Result<Value, String> {
    let mut load = Load::warm(region.code_page.page(), address, terminals)?;
    let (commits, syncs) = (region.store.statistics().commits, region.store.statistics().log_syncs);
    load.counts = Counts::default();
    let (start, cpu, driver) = (Instant::now(), kernel::clock::process_cpu(), Mark::now());
    load.drive_until(start + time)?;
    let (elapsed, driver_ns) = (start.elapsed().as_secs_f64(), driver.to(&Mark::now()));
    let used = kernel::clock::process_cpu();
    let cpu_ns = (used.0 + used.1 - cpu.0 - cpu.1).as_nanos() as f64;
    let after = region.store.statistics();
    load.finish()?;
    let counts = &mut load.counts;
    let answered = counts.answered.max(1) as f64;
    counts.times.sort_unstable();
    let quantile = |share: f64| {
        counts.times.get(((counts.times.len() as f64 * share) as usize).min(counts.times.len().saturating_sub(1))).copied().unwrap_or(0)
    };
    Ok(json!({
        "terminals": terminals,
        "protection": region.storage_protection,
        "isolation": region.transaction_isolation,
        "frames": region::statistics::peak_frames(),
        "per_second": answered / elapsed,
        "cpu_us": cpu_ns / answered / 1e3,
        "driver_us": driver_ns / answered / 1e3,
        "kernel_share": (used.1 - cpu.1).as_nanos() as f64 / cpu_ns,
        "p50_us": f64::from(quantile(0.5)) / 1e3,
        "p99_us": f64::from(quantile(0.99)) / 1e3,
        "p999_us": f64::from(quantile(0.999)) / 1e3,
        "commits_per_sync": (after.commits - commits) as f64 / (after.log_syncs - syncs).max(1) as f64,
        "answers": counts.answered,
        "errors": counts.errors + counts.closed,
        "first_error": counts.first_error,
    }))
}

impl Load {
    /// Terminals that have signed on and worked for a moment.
    pub(super) fn warm(page: &'static CodePage, address: SocketAddr, terminals: usize) -> Result<Load, String> {
        let mut load = Load {
            driver: Driver::new().map_err(|error| error.to_string())?,
            tellers: (0..terminals).map(|number| Teller::new(number, page)).collect(),
            sent: vec![Instant::now(); terminals],
            counts: Counts::default(),
        };
        for _ in 0..terminals {
            load.driver.connect(address, ClientConfig::default()).map_err(|error| error.to_string())?;
        }
        load.sign_on()?;
        load.begin()?;
        load.drive_until(Instant::now() + WARM_UP)?;
        Ok(load)
    }

    /// Every terminal to the menu.
    fn sign_on(&mut self) -> Result<(), String> {
        let mut waiting = self.tellers.len();
        let mut last = Instant::now();
        let Load { driver, tellers, counts, .. } = self;
        while waiting > 0 {
            let mut input = Vec::new();
            let events = driver.poll(Duration::from_millis(100), |terminal, event, out| match event {
                DriverEvent::Record(record) if unlocks(record) => {
                    let teller = &mut tellers[terminal];
                    if !teller.accepts(record) {
                        counts.first_error.get_or_insert(describe(teller, record));
                    } else if teller.is_at_menu() {
                        waiting -= 1;
                    } else {
                        input.clear();
                        teller.next(&mut input);
                        out.data(&input);
                    }
                }
                DriverEvent::Closed(reason) => drop(counts.first_error.get_or_insert(format!("terminal {terminal} closed: {reason}"))),
                _ => {}
            });
            if events.map_err(|error| error.to_string())? > 0 {
                last = Instant::now();
            }
            if let Some(error) = counts.first_error.take() {
                return Err(format!("sign-on: {error}"));
            }
            if last.elapsed() > STALL {
                return Err(format!("sign-on: {waiting} terminals get no answer"));
            }
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), String> {
        for terminal in 0..self.tellers.len() {
            let mut input = Vec::new();
            self.tellers[terminal].next(&mut input);
            self.sent[terminal] = Instant::now();
            self.driver.send(terminal, &input).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Answers every screen until a moment.
    pub(super) fn drive_until(&mut self, end: Instant) -> Result<(), String> {
        let mut last = Instant::now();
        while Instant::now() < end {
            if self.step(true)? {
                last = Instant::now();
            } else if last.elapsed() > STALL {
                return Err("no answer from the region".to_string());
            }
        }
        Ok(())
    }

    /// Takes outstanding answers, so that no task is left.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        let (answered, errors) = (self.counts.answered, self.counts.errors);
        let times = self.counts.times.len();
        while self.step(false)? {}
        for terminal in 0..self.tellers.len() {
            self.driver.close(terminal);
        }
        self.counts.times.truncate(times);
        (self.counts.answered, self.counts.errors) = (answered, errors);
        Ok(())
    }

    fn step(&mut self, go_on: bool) -> Result<bool, String> {
        let Load { driver, tellers, sent, counts } = self;
        let mut input = Vec::with_capacity(64);
        let events = driver.poll(Duration::from_millis(200), |terminal, event, out| match event {
            DriverEvent::Record(record) if unlocks(record) => {
                let now = Instant::now();
                counts.answered += 1;
                counts.times.push((now - sent[terminal]).as_nanos().min(u128::from(u32::MAX)) as u32);
                let teller = &mut tellers[terminal];
                if !teller.accepts(record) {
                    counts.errors += 1;
                    counts.first_error.get_or_insert(describe(teller, record));
                }
                if go_on {
                    input.clear();
                    teller.next(&mut input);
                    sent[terminal] = now;
                    out.data(&input);
                }
            }
            DriverEvent::Closed(reason) => {
                counts.closed += 1;
                counts.first_error.get_or_insert(format!("terminal {terminal} closed: {reason}"));
            }
            _ => {}
        });
        Ok(events.map_err(|error| error.to_string())? > 0)
    }
}

/// True for a write that frees the keyboard: the answer is complete.
pub fn unlocks(record: &[u8]) -> bool {
    record.get(1).is_some_and(|control| control & bms::constants::WCC_KEYBOARD_RESTORE_BIT != 0)
}

fn describe(teller: &Teller, record: &[u8]) -> String {
    let text = le::code_page::by_ccsid(37).map(|page| page.decode(record)).unwrap_or_default();
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    format!("at {}: {text}", teller.step_name())
}
