//! `regent bench kernel`: the cost of the paths every transaction takes, measured in COBOL programs that loop.

use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use region::name::{Name4, Name8};
use region::{AttachRequest, Region, StartCode};
use serde_json::{Value, json};

use super::harness::Brought;
use super::{Arguments, marks};

const BROUGHT: Brought = Brought {
    programs: &[
        ("KBLOOP", include_str!("../../../../bench/kernel/KBLOOP.cbl")),
        ("KBNULL", include_str!("../../../../bench/kernel/KBNULL.cbl")),
        ("KBWAIT", include_str!("../../../../bench/kernel/KBWAIT.cbl")),
    ],
    definitions: (include_str!("../../../../bench/kernel/kernel.csd"), "kernel.csd"),
};
const DATA_SETS: &str = include_str!("../../../../bench/kernel/define.idcams");

/// Records of the measured files: all of them stay in memory.
const RECORDS: u32 = 10_000;
/// The best of this many runs counts, because disturbances only make a run longer.
const RUNS: usize = 5;
/// Tasks that commit at once.
const TASKS: u32 = 64;

/// The file whose changes are durable, and its data set.
const RECOVERABLE_FILE: &str = "KBFILER";
const RECOVERABLE_DATA_SET: &str = "BENCH.RECOVER";
const RECORD_BYTES: usize = 100;
/// The distance between the records of one task's units of work in a large file, so that each is in another page.
const STEP: u32 = 7_919;
/// Units of work of a task after which its speed is known well enough to compute how many fill the time.
const TRIAL: u32 = 100;

pub(super) struct Bench {
    region: &'static Region,
}

/// A path whose cost is processors' time.
struct Measured {
    name: &'static str,
    target: Option<f64>,
    limit: &'static str,
    /// The loop whose cost is subtracted.
    baseline: Baseline,
    measure: fn(&Bench) -> Result<f64, String>,
}

#[derive(Clone, Copy)]
enum Baseline {
    None,
    /// The loop that does nothing.
    Empty,
    /// The loop that only makes keys.
    Keys,
}

const PATHS: [Measured; 10] = [
    Measured {
        name: "EXEC CICS ASSIGN",
        target: Some(150.0),
        limit: "instructions of the gate and the EIB",
        baseline: Baseline::Empty,
        measure: |bench| bench.best("ASSIGN", "", 1_000_000),
    },
    Measured {
        name: "LINK and RETURN, 100-byte COMMAREA",
        target: Some(500.0),
        limit: "a new level: recovery point, WORKING-STORAGE",
        baseline: Baseline::Empty,
        measure: |bench| bench.best("LINK", "", 200_000),
    },
    Measured {
        name: "change mode QR-L8-QR, free",
        target: Some(200.0),
        limit: "two atomic operations on the QR token",
        baseline: Baseline::None,
        measure: |bench| bench.modes(1, 500_000),
    },
    Measured {
        name: "change mode QR-L8-QR, 64 tasks contend",
        target: None,
        limit: "the QR token: one task at a time",
        baseline: Baseline::None,
        measure: |bench| bench.modes(TASKS, 5_000),
    },
    Measured {
        name: "task, attach to end, worker busy",
        target: Some(3_000.0),
        limit: "storage, run unit, unit of work of a task",
        baseline: Baseline::None,
        measure: |bench| bench.attaches(true),
    },
    Measured {
        name: "task, attach to end, worker asleep",
        target: Some(3_000.0),
        limit: "the same, and locks two threads want",
        baseline: Baseline::None,
        measure: |bench| bench.attaches(false),
    },
    Measured {
        name: "security check: a transaction among 1,000 profiles",
        target: Some(500.0),
        limit: "two look-ups by hash, of the profile and of its access list",
        baseline: Baseline::None,
        measure: |bench| security_check(bench.region),
    },
    Measured {
        name: "security at an attach: has the database changed",
        target: Some(2_000.0),
        limit: "a call of the system, no lock",
        baseline: Baseline::None,
        measure: |bench| security_changes(bench.region),
    },
    Measured {
        name: "READ of a cached record, KSDS",
        target: Some(2_000.0),
        limit: "B-tree descent in memory, checksum",
        baseline: Baseline::Keys,
        measure: |bench| bench.best("READ", "KBFILE", 100_000),
    },
    Measured {
        name: "READ UPDATE, REWRITE, SYNCPOINT, not recoverable",
        target: None,
        limit: "log append and overlay, no sync",
        baseline: Baseline::Keys,
        measure: |bench| bench.best("UPDATE", "KBFILE", 5_000),
    },
];
const DURABLE: &str = "READ UPDATE, REWRITE, SYNCPOINT, durable";
const DURABLE_SHARED: &str = "the same, 64 tasks at once";

/// Rows: name, nanoseconds, target, and what else is known.
pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let workers = arguments.workers.first().copied().unwrap_or(1);
    let is_wanted = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|text| name.contains(text.as_str()));
    let bench = Bench { region: start(arguments, scratch, workers, 0)? };
    bench.load("KBFILE")?;
    bench.load(RECOVERABLE_FILE)?;
    let empty = bench.best("EMPTY", "", 1_000_000)?;
    let keys = bench.best("KEYS", "KBFILE", 200_000)?;
    let mut rows = Vec::new();
    for path in PATHS.iter().filter(|path| is_wanted(path.name)) {
        let baseline = match path.baseline {
            Baseline::None => 0.0,
            Baseline::Empty => empty,
            Baseline::Keys => keys,
        };
        rows.push(row(path.name, (path.measure)(&bench)? - baseline, path.target, path.limit));
    }
    if is_wanted(DURABLE) || is_wanted(DURABLE_SHARED) {
        let sync_ns = raw_sync(scratch)?;
        rows.push(row("fdatasync of the device, 4 KiB", sync_ns, None, "the device"));
        rows.push(bench.durable(1, 500, DURABLE, sync_ns)?);
        rows.push(bench.durable(TASKS, 200, DURABLE_SHARED, sync_ns)?);
    }
    bench.abandon();
    Ok(Value::Array(rows))
}

/// Durable units of work a second.
pub struct CommitRates {
    pub one_task: f64,
    /// The time of a write and sync of the log meanwhile.
    pub log_us: f64,
    pub many_tasks: f64,
}

/// What one task and 64 commit in a file of so many records, all over it.
pub fn commit_rates(arguments: &Arguments, scratch: &Path) -> Result<CommitRates, String> {
    let workers = arguments.workers.first().copied().unwrap_or(0);
    let records = u32::try_from(arguments.records).map_err(|error| error.to_string())?;
    let bench = Bench { region: start(arguments, scratch, workers, records)? };
    let rate = |tasks: u32| -> Result<f64, String> {
        let keys = records / tasks;
        let step = STEP.min(keys - 1);
        let trial = bench.updates(tasks, TRIAL, keys, step)?;
        let count = (arguments.seconds as f64 * 1e9 / trial / f64::from(tasks)) as u32;
        Ok(1e9 / bench.updates(tasks, count.max(TRIAL), keys, step)?)
    };
    let before = bench.region.store.statistics();
    let one_task = rate(1)?;
    let log_us = super::vsam::flush_us(&before, &bench.region.store.statistics());
    let rates = CommitRates { one_task, log_us, many_tasks: rate(TASKS)? };
    bench.region.store.abandon();
    Ok(rates)
}

fn row(name: &str, ns: f64, target: Option<f64>, limit: &str) -> Value {
    json!({ "name": name, "ns": ns, "target": target, "limit": limit })
}

/// Loads the recoverable data set with the records 1 to `records`, as KBLOOP makes them.
fn load_recoverable(data_sets: &std::sync::Arc<vsam::DataSets>, records: u32) -> Result<(), String> {
    let code_page = region::code_page::RegionCodePage::new(&le::code_page::CCSID_037);
    let load = data_sets.sequential_load(RECOVERABLE_DATA_SET).map_err(|error| error.to_string())?;
    let mut load = load.ok_or("the data set cannot be loaded in sequence")?;
    for number in 1..=records {
        let mut record = code_page.encode(&format!("{number:016}"));
        record.resize(RECORD_BYTES, 0);
        load.put(&record).map_err(|error| format!("{error:?}"))?;
    }
    load.finish().map(|_| ()).map_err(|error| format!("{error:?}"))
}

/// Starts a region; with `records` its recoverable file has as many.
fn start(arguments: &Arguments, scratch: &Path, workers: usize, records: u32) -> Result<&'static Region, String> {
    let store = crate::idcams::open_store(&scratch.join("data"))?;
    let data_sets = vsam::DataSets::new(store.clone()).map_err(|error| error.to_string())?;
    let options = vsam::idcams::IdcamsOptions { ccsid: 37, progress: None };
    let outcome = vsam::idcams::run(&data_sets, DATA_SETS, &crate::dd::DdArguments { dds: &[], data: None, data_classes: &[] }, &options);
    if outcome.condition_code > 0 {
        return Err(outcome.listing);
    }
    if records > 0 {
        load_recoverable(&data_sets, records)?;
    }
    drop(data_sets);
    let region = BROUGHT.start(arguments, scratch, workers, store)?;
    region.programs().install_native(Name8::new("KBMODE"), marks::change_modes);
    region.programs().install_native(Name8::new("KBATCH"), marks::attach_batch);
    Ok(region)
}

impl Bench {
    /// A region with the programs and data sets of the benchmark.
    pub(super) fn start(arguments: &Arguments, scratch: &Path) -> Result<Bench, String> {
        let workers = arguments.workers.first().copied().unwrap_or(0);
        Ok(Bench { region: start(arguments, scratch, workers, 0)? })
    }

    pub(super) fn region(&self) -> &'static Region {
        self.region
    }

    /// The data is scratch: no orderly shutdown, only no more writing.
    pub(super) fn abandon(&self) {
        self.region.store.abandon();
    }

    pub(super) fn attach(&self, transid: &str, commarea: Vec<u8>) -> Result<u32, String> {
        let mut request = AttachRequest::new(Name4::new(transid), StartCode::Start);
        request.commarea = commarea;
        self.region.attach(request).map_err(|failure| failure.message.line())
    }

    /// Starts a loop of `count` commands over `keys` records from `first` on, each so many behind the one before.
    fn start_loop(&self, case: &str, file: &str, count: u32, (first, keys, step): (u32, u32, u32)) -> Result<(), String> {
        let mut commarea = self.region.code_page.encode(&format!("{case:<8}{file:<8}"));
        for number in [count, first, keys, step] {
            commarea.extend(number.to_be_bytes());
        }
        self.attach("KBLP", commarea).map(drop)
    }

    fn load(&self, file: &str) -> Result<(), String> {
        self.start_loop("LOAD", file, RECORDS, (1, RECORDS, 1))?;
        marks::take(2).map(drop)
    }

    /// Nanoseconds of one round of a loop.
    fn best(&self, case: &str, file: &str, count: u32) -> Result<f64, String> {
        let mut best = f64::MAX;
        for _ in 0..RUNS {
            self.start_loop(case, file, count, (1, RECORDS - 1, 1))?;
            let marks = marks::take(2)?;
            best = best.min(marks[0].to(&marks[1]) / f64::from(count));
        }
        Ok(best)
    }

    /// Nanoseconds of one change to L8 and back. With many tasks: the processors' time for one trip.
    pub(super) fn modes(&self, tasks: u32, trips: u32) -> Result<f64, String> {
        marks::set_trips(u64::from(trips));
        let mut best = f64::MAX;
        for _ in 0..RUNS {
            let before = process_cpu_ns();
            for _ in 0..tasks {
                self.attach("KBMD", Vec::new())?;
            }
            let marks = marks::take(2 * tasks as usize)?;
            let spent = if tasks == 1 { marks[0].to(&marks[1]) } else { process_cpu_ns() - before };
            best = best.min(spent / f64::from(trips) / f64::from(tasks));
        }
        Ok(best)
    }

    /// The processors' time for a task that runs a COBOL program which returns at once, the attaching thread's included.
    /// With `busy`, the worker that attaches them runs them; otherwise another thread attaches and may have to wake a worker each time.
    fn attaches(&self, busy: bool) -> Result<f64, String> {
        use marks::BATCH;
        const BATCHES: u32 = 50;
        let mut best = f64::MAX;
        for _ in 0..RUNS {
            let before = process_cpu_ns();
            for _ in 0..BATCHES {
                let mut last = 0;
                if busy {
                    self.attach("KBAT", Vec::new())?;
                    marks::take(1)?;
                    last = marks::last_of_batch();
                } else {
                    for _ in 0..BATCH {
                        last = self.attach("KBNL", Vec::new())?;
                    }
                }
                if let Some(task) = self.region.dispatcher.task_by_number(last) {
                    task.join(Duration::from_secs(60));
                }
            }
            best = best.min((process_cpu_ns() - before) / f64::from(BATCH * BATCHES));
        }
        Ok(best)
    }

    /// Wall time of a unit of work as a task sees it, and commits a sync of the log.
    fn durable(&self, tasks: u32, count: u32, name: &str, sync_ns: f64) -> Result<Value, String> {
        let before = self.region.store.statistics();
        let ns = self.updates(tasks, count, RECORDS / TASKS, 1)?;
        let after = self.region.store.statistics();
        let commits = (after.commits - before.commits) as f64;
        let syncs = (after.log_syncs - before.log_syncs).max(1) as f64;
        let mut row = row(name, ns, None, "the device's sync, shared by the tasks that wait for it");
        row["commits_per_sync"] = json!(commits / syncs);
        row["syncs"] = json!(syncs);
        row["ratio_to_sync"] = json!(ns / sync_ns);
        Ok(row)
    }

    /// Wall nanoseconds of one of the units of work of all tasks, each with `keys` records of its own.
    fn updates(&self, tasks: u32, count: u32, keys: u32, step: u32) -> Result<f64, String> {
        for task in 0..tasks {
            self.start_loop("UPDATE", RECOVERABLE_FILE, count, (task * keys + 1, keys - 1, step))?;
        }
        let marks = marks::take(2 * tasks as usize)?;
        let first = marks.iter().map(|mark| mark.at).min().unwrap_or_else(Instant::now);
        let last = marks.iter().map(|mark| mark.at).max().unwrap_or_else(Instant::now);
        Ok((last - first).as_nanos() as f64 / (f64::from(tasks) * f64::from(count)))
    }
}

/// A security database with a profile for each of a thousand transactions, and its default user.
fn security_database(region: &Region) -> Result<(security::Database, security::Identity), String> {
    let text = |error: security::Error| error.to_string();
    let database = security::Database::open(&region.data_directory).map_err(text)?;
    if database.create_administrator().map_err(text)?.is_some() {
        let members: Vec<String> = (0..1000).map(|number| format!("B{number:03}")).collect();
        let command = format!("RDEFINE GCICSTRN BENCH ADDMEM({}) UACC(READ)", members.join(" "));
        let report = database.execute(&command, security::Moment::now());
        if report.return_code > 0 {
            return Err(report.lines.join(" "));
        }
    }
    let user = security::Name8::new(security::DEFAULT_USER).map_err(|error| error.to_string())?;
    let identity = database.identify(user, None, security::Moment::now()).map_err(|error| error.to_string())?;
    Ok((database, identity))
}

/// Nanoseconds of a decision that an attach asks for.
fn security_check(region: &Region) -> Result<f64, String> {
    let (database, identity) = security_database(region)?;
    let names: Vec<String> = (0..1000).map(|number| format!("B{number:03}")).collect();
    let allowed = |name: &String| database.access(&identity, "TCICSTRN", name).allows(security::Level::Read);
    if !names.iter().all(allowed) {
        return Err("a profile is not in effect".to_string());
    }
    Ok(best_of(|| names.iter().all(|name| std::hint::black_box(allowed(name)))) / names.len() as f64)
}

/// Nanoseconds of the question that RACFSYNC=YES asks at each attach.
fn security_changes(region: &Region) -> Result<f64, String> {
    const QUESTIONS: u32 = 1000;
    let (database, _) = security_database(region)?;
    Ok(best_of(|| (0..QUESTIONS).all(|_| std::hint::black_box(database.generation()) > 0)) / f64::from(QUESTIONS))
}

/// The time of the fastest of many rounds, in nanoseconds.
fn best_of(round: impl Fn() -> bool) -> f64 {
    const ROUNDS: u32 = 200;
    let timed = |_| {
        let start = Instant::now();
        assert!(round(), "every round does its work");
        start.elapsed().as_nanos() as f64
    };
    (0..ROUNDS).map(timed).fold(f64::MAX, f64::min)
}

fn process_cpu_ns() -> f64 {
    let (user, system) = kernel::clock::process_cpu();
    (user + system).as_nanos() as f64
}

/// Mean time of fdatasync after a write of 4 KiB into a file that has its length already.
fn raw_sync(scratch: &Path) -> Result<f64, String> {
    const COUNT: u64 = 200;
    let text = |error: std::io::Error| error.to_string();
    let file = std::fs::File::create(scratch.join("sync")).map_err(text)?;
    let block = [0x5A; 4096];
    file.write_all_at(&vec![0; 4096 * COUNT as usize], 0).map_err(text)?;
    file.sync_all().map_err(text)?;
    let mut times: Vec<f64> = Vec::new();
    for place in 0..COUNT {
        let start = Instant::now();
        file.write_all_at(&block, place * 4096).map_err(text)?;
        file.sync_data().map_err(text)?;
        times.push(start.elapsed().as_nanos() as f64);
    }
    Ok(times.iter().sum::<f64>() / times.len() as f64)
}
