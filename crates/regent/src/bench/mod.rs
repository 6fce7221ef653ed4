//! `regent bench NAME`: measures this build on this machine and prints tables (`docs/performance.md` explains them).
//!
//! Every measurement runs in a scratch directory that is removed afterwards, and in a process of its own: a process can start only one
//! region, so the command runs itself once for each worker count to be compared.

mod asynchronous;
mod bank;
mod channels;
mod cobol_programs;
mod compile_speed;
mod conversions;
mod desk;
mod dispatcher;
mod harness;
mod instruments;
mod isolation;
mod kernel_paths;
mod marks;
mod passing;
mod policy;
mod rtw;
mod screens;
mod sessions;
mod sql;
mod sql_peers;
mod table;
mod vsam;
mod vsam_tuning;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::console::Console;

#[derive(Args, Clone)]
pub struct Arguments {
    name: Name,
    /// Numbers of terminals that `bank` drives, one run each.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 100, 2000])]
    terminals: Vec<usize>,
    /// Measured time of each run of `bank`, and of each instrument of `instruments`.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Number of records in the file of `vsam`.
    #[arg(long, default_value_t = 10_000_000)]
    records: u64,
    /// Worker counts, one run each; 0: one for each processor [default: 1,2 for kernel, 0 for bank].
    #[arg(long, value_delimiter = ',')]
    workers: Vec<usize>,
    /// System initialization parameter, NAME=VALUE.
    #[arg(long = "sit", value_name = "NAME=VALUE")]
    sit: Vec<String>,
    /// The bank's directory.
    #[arg(long, default_value = "samples/bank")]
    directory: PathBuf,
    /// Transactions a second of `rtw`, one measurement each.
    #[arg(long, value_delimiter = ',', default_values_t = [20.0, 60.0, 120.0, 240.0])]
    rates: Vec<f64>,
    /// Scale of the tables of `rtw`: 1 is 30,000 rows, 1000 is 30 million.
    #[arg(long, default_value_t = 1)]
    scale: u64,
    /// Tables of `rtw`: 16 or 20.
    #[arg(long, default_value_t = 16)]
    tables: u8,
    /// Directory for scratch data [default: the system's temporary directory].
    #[arg(long)]
    scratch: Option<PathBuf>,
    /// Compiler options of the programs of `cobol` and `compile`, as on a CBL statement.
    #[arg(long, default_value = "")]
    options: String,
    /// GnuCOBOL's options.
    #[arg(long, allow_hyphen_values = true, default_value = "-O2 -std=ibm -fno-arithmetic-osvs")]
    peer_options: String,
    /// Rounds of `channels`, `cobol`, `compile`, `isolation` and `passing`; the best one counts.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Paths of `kernel` to run: those with one of these texts in their name [default: all].
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Programs of `cobol` to run [default: all].
    #[arg(long, value_delimiter = ',')]
    programs: Vec<String>,
    /// Lines of the program that `compile` generates, one run each.
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000])]
    lines: Vec<usize>,
    /// Application whose programs `compile` compiles instead of a generated one.
    #[arg(long)]
    sources: Option<PathBuf>,
    /// Terminals that `sessions` connects.
    #[arg(long, default_value_t = 32_000)]
    sessions: usize,
    /// Those of them that are at work.
    #[arg(long, default_value_t = 2_000)]
    active: usize,
    /// Where the terminals of `sessions` connect to.
    #[arg(long, hide = true)]
    connect: Option<std::net::SocketAddr>,
    /// One run in this process, its rows as JSON.
    #[arg(long, hide = true)]
    one_run: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// Commands, LINK, change of mode, attach, file requests.
    Kernel,
    /// Change of mode, open TCBs beside a saturated QR, memory of tasks that wait.
    Dispatcher,
    /// Screen transactions of the sample bank over TN3270E.
    Bank,
    /// Many connected terminals, and some of them at work.
    Sessions,
    /// Trace off, internal and auxiliary, and policy rules, on the workload of `bank`.
    Instruments,
    /// Storage protection and transaction isolation, on the workload of `bank`.
    Isolation,
    /// Ten children by START and by RUN TRANSID.
    Asynchronous,
    /// Containers of a channel found by hash, and in a list; conversions between code pages.
    Channels,
    /// Data passed by LINK: in a communication area, a container, a temporary storage queue.
    Passing,
    /// Batch COBOL programs beside GnuCOBOL and the same loops in Rust.
    Cobol,
    /// The compiler: lines a second and the time of each phase.
    Compile,
    /// Files against LMDB, and against RocksDB, SQLite and redb in a build with the feature `engines`.
    Vsam,
    /// SQL statements in a region, through ECPG, GixSQL and by pgbench; with tokio-postgres in a build with the feature `engines`.
    Sql,
    /// The relational workload at several rates, QUASIRENT and REQUIRED.
    Rtw,
    /// Studies of what is tuned in VSAM: buffers, shared data sets, CI size, exclusive control.
    VsamTuning,
}

pub fn command(arguments: Arguments, console: &Console) -> Result<u8, String> {
    if arguments.one_run {
        return one_run(&arguments);
    }
    check_sources(&arguments)?;
    let workers = arguments.workers.first().copied().unwrap_or(0);
    let measured = |name: &str| run_apart(&arguments, name, workers);
    match arguments.name {
        Name::Kernel => kernel(&arguments, console)?,
        Name::Dispatcher => table::dispatcher(&measured("dispatcher")?, console),
        Name::Channels => {
            table::channels(&channels::run(arguments.rounds), console);
            table::conversions(&conversions::run(arguments.rounds), console);
        }
        Name::Vsam => table::vsam(&run_apart(&arguments, "vsam", 0)?, console),
        Name::Bank => {
            let rows = measured("bank")?;
            table::bank(&rows, console);
            let errors = rows.as_array().into_iter().flatten().filter_map(|row| row["errors"].as_u64()).sum::<u64>();
            return Ok(if errors == 0 { 0 } else { 8 });
        }
        Name::Sessions => table::sessions(&measured("sessions")?, console),
        Name::Instruments => table::instruments(&measured("instruments")?, console),
        Name::Passing => table::passing(&run_apart(&arguments, "passing", 1)?, console),
        Name::Isolation => table::isolation(&isolation::run(&arguments, workers)?, console),
        Name::Sql => table::sql(&measured("sql")?, console),
        Name::Asynchronous => table::asynchronous(&measured("asynchronous")?, console),
        Name::Rtw => relational(&arguments, workers, console)?,
        // Nothing of the others starts a region: one process does.
        Name::Cobol => {
            let scratch = Scratch::create(&arguments)?;
            table::cobol(&cobol_programs::run(&arguments, &scratch.path)?, console);
        }
        Name::VsamTuning => {
            let scratch = Scratch::create(&arguments)?;
            vsam_tuning::print(&vsam_tuning::run(&scratch.path)?, console);
        }
        Name::Compile => {
            let scratch = Scratch::create(&arguments)?;
            table::compile(&compile_speed::run(&arguments, &scratch.path, console)?, console);
        }
    }
    Ok(0)
}

/// With one and two workers, if no number is asked for.
fn kernel(arguments: &Arguments, console: &Console) -> Result<(), String> {
    let workers = if arguments.workers.is_empty() { vec![1, 2] } else { arguments.workers.clone() };
    let runs = workers.iter().map(|count| run_apart(arguments, "kernel", *count)).collect::<Result<Vec<Value>, String>>()?;
    table::kernel(&workers, &runs, console);
    Ok(())
}

/// Each variant of the relational workload in a process of its own.
fn relational(arguments: &Arguments, workers: usize, console: &Console) -> Result<(), String> {
    let runs = rtw::VARIANTS.iter().map(|(name, _)| {
        let only = vec![name.to_string()];
        Ok((*name, run_apart(&Arguments { only, ..arguments.clone() }, "rtw", workers)?))
    });
    table::rtw(&runs.collect::<Result<Vec<(&str, Value)>, String>>()?, console);
    Ok(())
}

/// The programs of some measurements are in the source tree.
fn check_sources(arguments: &Arguments) -> Result<(), String> {
    let directory = match arguments.name {
        Name::Bank | Name::Instruments | Name::Sessions => arguments.directory.as_path(),
        Name::Sql => Path::new(sql::DIRECTORY),
        Name::Asynchronous => Path::new(asynchronous::DIRECTORY),
        Name::Rtw => Path::new(rtw::DIRECTORY),
        _ => return Ok(()),
    };
    match directory.is_dir() {
        true => Ok(()),
        false => {
            Err(format!("{} is not here: run this measurement in the source tree of Regent, which has its programs", directory.display()))
        }
    }
}

/// One run of a measurement that starts a region, in the process created for it by `run_apart`.
fn one_run(arguments: &Arguments) -> Result<u8, String> {
    let run = match arguments.name {
        Name::Kernel => kernel_paths::run,
        Name::Dispatcher => dispatcher::run,
        Name::Bank => bank::run,
        Name::Sessions => sessions::run,
        Name::Asynchronous => asynchronous::run,
        Name::Vsam => vsam::run,
        Name::Sql => sql::run,
        Name::Rtw => rtw::run,
        Name::Passing => passing::run,
        Name::Instruments => instruments::run,
        Name::Channels | Name::Cobol | Name::Compile | Name::Isolation | Name::VsamTuning => {
            return Err("channels, cobol, compile, isolation and vsam-tuning have no runs of their own".into());
        }
    };
    let scratch = Scratch::create(arguments)?;
    let rows = run(arguments, &scratch.path);
    end_database(&scratch.path);
    println!("{}", rows?);
    Ok(0)
}

/// Ends the private cluster of a run, whose directory goes: the region that used it no longer does.
fn end_database(scratch: &std::path::Path) {
    let processes = database_processes();
    if let (Some(first), true) = (processes.first(), (scratch.join("database").exists() || scratch.join("work/database").exists()))
        && let Some(process) = i32::try_from(*first).ok().and_then(rustix::process::Pid::from_raw)
    {
        let _ = rustix::process::kill_process(process, rustix::process::Signal::INT);
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
}

/// The server that this process has started, then its processes.
fn database_processes() -> Vec<u32> {
    let own = std::process::id();
    let parent_of = |process: u32| -> Option<(u32, bool)> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let (name, rest) = stat.rsplit_once(')')?;
        Some((rest.split_whitespace().nth(1)?.parse().ok()?, name.contains("(postgres")))
    };
    let all: Vec<u32> =
        std::fs::read_dir("/proc").into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    let children = |of: u32| all.iter().copied().filter(move |process| parent_of(*process).is_some_and(|(parent, is)| is && parent == of));
    let Some(server) = children(own).next() else { return Vec::new() };
    std::iter::once(server).chain(children(server)).collect()
}

/// CPU time of the private cluster so far, in nanoseconds: its processes, and those that have ended.
fn database_cpu() -> u64 {
    /// Ticks of a second in `/proc`.
    const TICKS: u64 = 100;
    let mut ticks = 0;
    for process in database_processes() {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let fields: Vec<u64> =
            stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
        // utime, stime, cutime, cstime are fields 14 to 17 of proc(5).
        ticks += fields.get(11..15).map_or(0, |times| times.iter().sum::<u64>());
    }
    ticks * (1_000_000_000 / TICKS)
}

/// Runs one measurement in a separate process and returns its rows.
fn run_apart(arguments: &Arguments, name: &str, workers: usize) -> Result<Value, String> {
    let executable = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = std::process::Command::new(executable);
    let terminals = arguments.terminals.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    command.args(["bench", name, "--one-run", "--terminals", &terminals]);
    command.args(["--records", &arguments.records.to_string(), "--rounds", &arguments.rounds.to_string()]);
    command.args(["--sessions", &arguments.sessions.to_string(), "--active", &arguments.active.to_string()]);
    command.args(["--seconds", &arguments.seconds.to_string(), "--workers", &workers.to_string()]);
    let rates = arguments.rates.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    command.args(["--rates", &rates, "--scale", &arguments.scale.to_string(), "--tables", &arguments.tables.to_string()]);
    command.args(["--only", &arguments.only.join(",")]).arg("--directory").arg(&arguments.directory);
    for parameter in &arguments.sit {
        command.args(["--sit", parameter]);
    }
    if let Some(scratch) = &arguments.scratch {
        command.arg("--scratch").arg(scratch);
    }
    if std::env::var_os("REGENT_LOG").is_none() {
        command.env("REGENT_LOG", "warn");
    }
    let output = command.stderr(std::process::Stdio::inherit()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    if !output.status.success() {
        return Err(format!("bench {name} with {workers} workers ended with {}\n{text}", output.status));
    }
    serde_json::from_str(last).map_err(|error| format!("bench {name}: {error}: {text}"))
}

/// A directory for one run; it goes with the value.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn create(arguments: &Arguments) -> Result<Scratch, String> {
        let parent = arguments.scratch.clone().unwrap_or_else(std::env::temp_dir);
        let path = parent.join(format!("regent-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Scratch { path })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
