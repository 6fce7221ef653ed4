//! `regent bench sessions`: many terminals that are connected, and some of them at work.
//!
//! The region has a process of its own; the terminals are in others, so that neither takes the other's descriptors. Each idle terminal has had the
//! greeting and does nothing more, but its client answers. The number of terminals is what was asked for, or what the limit on open files of the
//! region has room for. Memory is that of the region's process; the buffers of sockets in the kernel are not part of it.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tn3270::{ClientConfig, Driver, DriverEvent};

use super::bank::{self, Counts, Load};
use super::{Arguments, dispatcher};

/// Descriptors of a client's process that are no terminals.
const SPARE: usize = 100;
/// Longest time until all terminals are connected.
const CONNECT_MAX: Duration = Duration::from_secs(300);
/// How long idle terminals are watched.
const IDLE_TIME: Duration = Duration::from_secs(5);
/// All loopback addresses lead to the region. Each process of clients uses one of its own, so that it has its own ports.
const FIRST_HOST: u8 = 2;

/// The row: figures of the whole run.
pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    if let Some(address) = arguments.connect {
        return terminals(arguments, address);
    }
    let (region, port) = bank::start_at(arguments, scratch, "0.0.0.0:0").map(|(region, address)| (region, address.port()))?;
    let room = terminals::terminal_control::sessions_max(region);
    let working = arguments.active.min(room / 2);
    let idle = arguments.sessions.min(room).saturating_sub(working);
    // What is there once is there before it is measured.
    let first = Clients::start(port, 0, "work", 10, 1)?;
    first.result()?;
    let before = dispatcher::resident()?;
    let began = Instant::now();
    let limit = sockets::raise_file_limit().unwrap_or(usize::MAX);
    let clients = connect_idle(port, idle, limit)?;
    let connect_seconds = began.elapsed().as_secs_f64();
    let bytes = (dispatcher::resident()? - before) / idle.max(1) as f64;
    let cpu = kernel::clock::process_cpu();
    std::thread::sleep(IDLE_TIME);
    let after = kernel::clock::process_cpu();
    let idle_share = (after.0 + after.1 - cpu.0 - cpu.1).as_secs_f64() / IDLE_TIME.as_secs_f64();
    let worked = Clients::start(port, clients.len(), "work", working, arguments.seconds)?.result()?;
    drop(clients);
    region.store.abandon();
    Ok(json!({
        "asked": arguments.sessions,
        "limit": limit,
        "idle": idle,
        "active": working,
        "connect_seconds": connect_seconds,
        "session_bytes": bytes,
        "idle_cpu": idle_share,
        "per_second": worked["per_second"],
        "p50_us": worked["p50_us"],
        "p99_us": worked["p99_us"],
        "errors": worked["errors"],
    }))
}

fn connect_idle(port: u16, idle: usize, limit: usize) -> Result<Vec<Clients>, String> {
    let each = limit.saturating_sub(SPARE).max(1);
    let mut clients = Vec::new();
    let mut left = idle;
    while left > 0 {
        let count = left.min(each);
        clients.push(Clients::start(port, clients.len(), "idle", count, 0)?);
        left -= count;
    }
    clients.iter_mut().try_for_each(Clients::wait_connected)?;
    Ok(clients)
}

/// A process of terminals. It ends when its standard input does.
struct Clients(Child);

impl Clients {
    fn start(port: u16, number: usize, what: &str, count: usize, seconds: u64) -> Result<Clients, String> {
        let executable = std::env::current_exe().map_err(|error| error.to_string())?;
        let host = usize::from(FIRST_HOST) + number;
        let mut command = Command::new(executable);
        command.args(["bench", "sessions", "--one-run", "--connect", &format!("127.0.0.{host}:{port}"), "--only", what]);
        command.args(["--terminals", &count.to_string(), "--seconds", &seconds.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().map(Clients).map_err(|error| error.to_string())
    }

    fn wait_connected(&mut self) -> Result<(), String> {
        let mut line = String::new();
        let output = self.0.stdout.as_mut().ok_or("a process without output")?;
        BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
        if line.trim() == "connected" { Ok(()) } else { Err(format!("the terminals are not connected: {line}")) }
    }

    /// What the terminals at work have measured.
    fn result(mut self) -> Result<Value, String> {
        let mut text = String::new();
        let output = self.0.stdout.as_mut().ok_or("a process without output")?;
        output.read_to_string(&mut text).map_err(|error| error.to_string())?;
        serde_json::from_str(text.lines().last().unwrap_or_default()).map_err(|error| format!("terminals at work: {error}: {text}"))
    }
}

impl Drop for Clients {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// The part of a process of terminals.
fn terminals(arguments: &Arguments, address: SocketAddr) -> Result<Value, String> {
    sockets::raise_file_limit();
    let count = arguments.terminals.first().copied().unwrap_or(1);
    if arguments.only.iter().any(|what| what == "work") {
        return work(address, count, Duration::from_secs(arguments.seconds.max(1)));
    }
    hold(address, count)
}

/// Terminals that are connected until standard input ends.
fn hold(address: SocketAddr, count: usize) -> Result<Value, String> {
    let mut driver = Driver::new().map_err(|error| error.to_string())?;
    for _ in 0..count {
        driver.connect(address, ClientConfig::default()).map_err(|error| error.to_string())?;
    }
    let mut greeted = vec![false; count];
    let mut waiting = count;
    let ended = std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
    });
    let deadline = Instant::now() + CONNECT_MAX;
    while !ended.is_finished() {
        let mut closed = None;
        let polled = driver.poll(Duration::from_millis(100), |terminal, event, _| match event {
            DriverEvent::Record(_) if !std::mem::replace(&mut greeted[terminal], true) => {
                waiting -= 1;
                if waiting == 0 {
                    println!("connected");
                }
            }
            DriverEvent::Closed(reason) => closed = Some(format!("terminal {terminal} closed: {reason}")),
            _ => {}
        });
        polled.map_err(|error| error.to_string())?;
        if let Some(reason) = closed {
            return Err(reason);
        }
        if waiting > 0 && Instant::now() > deadline {
            return Err(format!("{waiting} of {count} terminals are not connected"));
        }
    }
    Ok(Value::Null)
}

/// Tellers without think time.
fn work(address: SocketAddr, count: usize, time: Duration) -> Result<Value, String> {
    let page = le::code_page::by_ccsid(37).ok_or("no code page 037")?;
    let mut load = Load::warm(page, address, count)?;
    load.counts = Counts::default();
    let start = Instant::now();
    load.drive_until(start + time)?;
    let elapsed = start.elapsed().as_secs_f64();
    load.finish()?;
    let counts = &mut load.counts;
    counts.times.sort_unstable();
    let quantile = |share: f64| {
        let at = (counts.times.len() as f64 * share) as usize;
        counts.times.get(at.min(counts.times.len().saturating_sub(1))).map_or(f64::NAN, |time| f64::from(*time) / 1e3)
    };
    Ok(json!({
        "per_second": counts.answered as f64 / elapsed,
        "p50_us": quantile(0.5),
        "p99_us": quantile(0.99),
        "errors": counts.errors + counts.closed,
    }))
}
