//! `regent bench vsam`: files of a region compared with storage engines driven directly, in one run on the same records.
//!
//! The file's requests are those of file control below the EXEC interface, with locks and units of work; the engines do without. LMDB is
//! always measured, RocksDB, SQLite and redb in a build with the feature `engines`. Times are the best of several rounds, because
//! disturbances only make a round longer. Commits from 64 users are measured twice: by threads of the system, as by the engines, and by
//! tasks of a region that run a COBOL program.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use engines::{Engine, KEY_BYTES};
use serde_json::{Value, json};
use torture::Random;
use vsam::catalog::{Attributes, Organization};
use vsam::store::StoreStatistics;
use vsam::{DataSets, File, LockWait, OpenOptions, RecordId, Search, Store, StoreConfig, ThreadWaiter};

use super::Arguments;

const RECORD_BYTES: usize = 116;
const BROWSE_RECORDS: usize = 20;
const READS: u64 = 200_000;
const BROWSES: u64 = 20_000;
const ROUNDS: usize = 3;
const RESTART_LOG_BYTES: u64 = 1 << 30;
const TASKS_ROW: &str = "KSDS, tasks of a region";
const RECOVERABLE: OpenOptions = OpenOptions { recoverable: Some(true), reset: false };

fn key(number: u64) -> [u8; KEY_BYTES] {
    let mut key = [b'0'; KEY_BYTES];
    let (mut at, mut rest) = (KEY_BYTES, number);
    while rest > 0 {
        at -= 1;
        key[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    key
}

fn record(number: u64) -> Vec<u8> {
    let mut record = key(number).to_vec();
    record.resize(RECORD_BYTES, b'x');
    record
}

/// A recoverable KSDS, with the interface of the engines it is compared with.
struct Ksds {
    sets: Arc<DataSets>,
    /// Opened at the first request: an open data set is not loaded in sequence.
    file: OnceLock<File>,
}

impl Ksds {
    fn open(directory: &Path) -> Result<Ksds, String> {
        let store = Store::open(directory, StoreConfig::default()).map_err(|error| error.to_string())?;
        let sets = DataSets::new(store).map_err(|error| error.to_string())?;
        let attributes = Attributes::new(KEY_BYTES as u32, 0, RECORD_BYTES as u32, RECORD_BYTES as u32);
        sets.define_cluster("BENCH.KSDS", Organization::Ksds, attributes).map_err(|error| error.to_string())?;
        Ok(Ksds { sets, file: OnceLock::new() })
    }

    fn file(&self) -> Result<&File, String> {
        if self.file.get().is_none() {
            let file = self.sets.open("BENCH.KSDS", RECOVERABLE).map_err(|error| error.to_string())?;
            let _ = self.file.set(file);
        }
        self.file.get().ok_or_else(|| "the file was just opened".to_string())
    }
}

impl Engine for Ksds {
    fn name(&self) -> &'static str {
        "KSDS"
    }

    fn load(&self, records: &mut dyn Iterator<Item = ([u8; KEY_BYTES], Vec<u8>)>) -> Result<(), String> {
        let load = self.sets.sequential_load("BENCH.KSDS").map_err(|error| error.to_string())?;
        let mut load = load.ok_or("the data set cannot be loaded in sequence")?;
        for (_, record) in records {
            load.put(&record).map_err(|error| format!("{error:?}"))?;
        }
        load.finish().map(|_| ()).map_err(|error| format!("{error:?}"))
    }

    fn read(&self, keys: &mut dyn Iterator<Item = [u8; KEY_BYTES]>) -> Result<u64, String> {
        let (file, unit) = (self.file()?, self.sets.store().begin());
        let mut record = Vec::new();
        let mut bytes = 0;
        for key in keys {
            file.read(&unit, RecordId::Key(&key), Search::EQUAL, &mut record).map_err(|error| error.to_string())?;
            bytes += record.len() as u64;
        }
        Ok(bytes)
    }

    fn browse(&self, from: &[u8; KEY_BYTES], count: usize) -> Result<usize, String> {
        let (file, unit) = (self.file()?, self.sets.store().begin());
        let mut browse = file.start_browse(&unit, RecordId::Key(from), Search::GTEQ).map_err(|error| error.to_string())?;
        let (mut ridfld, mut record) = (from.to_vec(), Vec::new());
        for seen in 0..count {
            match browse.next(&unit, RecordId::Key(&ridfld), &mut record) {
                Ok(found) => ridfld = found.key,
                Err(_) => return Ok(seen),
            }
        }
        Ok(count)
    }

    fn update(&self, key: &[u8; KEY_BYTES]) -> Result<(), String> {
        thread_local! {
            static WAITER: ThreadWaiter = ThreadWaiter::new();
        }
        let file = self.file()?;
        WAITER.with(|waiter| {
            let unit = self.sets.store().begin();
            let wait = LockWait::forever(waiter);
            let mut record = Vec::new();
            let text = |error: vsam::FileError| error.to_string();
            let (_, token) = file.read_update(&unit, RecordId::Key(key), Search::EQUAL, wait, &mut record).map_err(text)?;
            record[20] = record[20].wrapping_add(1);
            file.rewrite(&unit, token, &record, wait).map_err(text)?;
            unit.commit(waiter).map_err(|error| error.to_string())
        })
    }
}

/// Measures every engine; rows of name, and numbers by column.
pub fn run(arguments: &Arguments, scratch: &Path) -> Result<Value, String> {
    let records = arguments.records;
    let sync = sync_rate(scratch, Duration::from_secs(2))?;
    let ksds = Ksds::open(&scratch.join("store"))?;
    let store = ksds.sets.store().clone();
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(ksds)];
    engines.extend(engines::all(scratch)?);
    let mut rows = vec![json!({ "name": "fdatasync of 512 bytes", "commits_1": sync })];
    let mut loads = Vec::new();
    for engine in &engines {
        let begin = Instant::now();
        engine.load(&mut (0..records).map(|number| (key(number), record(number))))?;
        loads.push(records as f64 / begin.elapsed().as_secs_f64());
    }
    // Round by round over all engines, so that disturbances of the machine affect all of them.
    let mut best = vec![(f64::MAX, f64::MAX); engines.len()];
    for round in 0..ROUNDS {
        for (engine, best) in engines.iter().zip(&mut best) {
            best.0 = best.0.min(read_ns(&**engine, records, round as u64)?);
            best.1 = best.1.min(browse_ns(&**engine, records, round as u64)?);
        }
    }
    let mut log_us = 0.0;
    for ((engine, load), (read, browse)) in engines.iter().zip(loads).zip(best) {
        let before = store.statistics();
        let one = commits(&**engine, 1, records, arguments.seconds)?;
        let after = store.statistics();
        if after.log_syncs > before.log_syncs {
            log_us = flush_us(&before, &after);
        }
        let many = commits(&**engine, 64, records, arguments.seconds)?;
        rows.push(json!({
            "name": engine.name(), "read_ns": read, "browse_ns": browse, "commits_1": one, "commits_64": many, "load": load,
        }));
    }
    drop((engines, store));
    rows.push(json!({ "name": "write and sync of the log while one thread commits", "log_us": log_us, "alone_us": 1e6 / sync }));
    let sync = sync_rate(scratch, Duration::from_secs(2))?;
    let rates = super::kernel_paths::commit_rates(arguments, &scratch.join("region"))?;
    rows.push(json!({ "name": TASKS_ROW, "commits_1": rates.one_task, "commits_64": rates.many_tasks }));
    rows.push(json!({ "name": "write and sync of the log while one task commits", "log_us": rates.log_us, "alone_us": 1e6 / sync }));
    let (seconds, bytes, units) = restart(&scratch.join("restart"))?;
    rows.push(json!({ "name": "restart after a crash", "seconds": seconds, "log_bytes": bytes, "units": units }));
    Ok(Value::Array(rows))
}

/// Mean time of a write and sync of the log between two looks at the statistics.
pub fn flush_us(before: &StoreStatistics, after: &StoreStatistics) -> f64 {
    let syncs = (after.log_syncs - before.log_syncs) as f64;
    (after.log_flush_time - before.log_flush_time).as_secs_f64() * 1e6 / syncs.max(1.0)
}

fn read_ns(engine: &dyn Engine, records: u64, round: u64) -> Result<f64, String> {
    let mut random = Random::new(round * 7 + 42);
    // Hot records: what a cache holds.
    let hot = records.min(20_000);
    let begin = Instant::now();
    let bytes = engine.read(&mut (0..READS).map(|_| key(random.below(hot))))?;
    let elapsed = begin.elapsed().as_nanos() as f64;
    if bytes == READS * RECORD_BYTES as u64 { Ok(elapsed / READS as f64) } else { Err(format!("{} read {bytes} bytes", engine.name())) }
}

/// For one record of a browse of twenty.
fn browse_ns(engine: &dyn Engine, records: u64, round: u64) -> Result<f64, String> {
    let mut random = Random::new(round * 11 + 5);
    let begin = Instant::now();
    for _ in 0..BROWSES {
        let seen = engine.browse(&key(random.below(records - BROWSE_RECORDS as u64)), BROWSE_RECORDS)?;
        if seen != BROWSE_RECORDS {
            return Err(format!("{} saw {seen} records", engine.name()));
        }
    }
    Ok(begin.elapsed().as_nanos() as f64 / (BROWSES * BROWSE_RECORDS as u64) as f64)
}

/// Durable commits a second from so many threads.
fn commits(engine: &dyn Engine, threads: u64, records: u64, seconds: u64) -> Result<f64, String> {
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let (stop, done) = (&stop, &done);
                scope.spawn(move || -> Result<(), String> {
                    let mut random = Random::new(thread * 7919 + 17);
                    while !stop.load(Ordering::Relaxed) {
                        engine.update(&key(random.below(records)))?;
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                    Ok(())
                })
            })
            .collect();
        std::thread::sleep(Duration::from_secs(seconds));
        stop.store(true, Ordering::Relaxed);
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a thread ended by a panic".to_string())?)
    })?;
    Ok(done.load(Ordering::Relaxed) as f64 / begin.elapsed().as_secs_f64())
}

/// The speed of the device: writes of 512 bytes one after the other, each synced.
fn sync_rate(directory: &Path, length: Duration) -> Result<f64, String> {
    use std::os::unix::fs::FileExt;
    let io = |error: std::io::Error| error.to_string();
    let path = directory.join("raw-sync");
    let file = std::fs::File::create(&path).map_err(io)?;
    file.write_all_at(&vec![0; 8 << 20], 0).map_err(io)?;
    file.sync_all().map_err(io)?;
    let begin = Instant::now();
    let mut count = 0u64;
    while begin.elapsed() < length {
        file.write_all_at(&[1; 512], count % 16_000 * 512).map_err(io)?;
        file.sync_data().map_err(io)?;
        count += 1;
    }
    let rate = count as f64 / begin.elapsed().as_secs_f64();
    std::fs::remove_file(&path).map_err(io)?;
    Ok(rate)
}

/// Writes a log of 1 GB that the pages do not have, crashes, and starts: seconds, bytes of log, units of work replayed.
fn restart(directory: &Path) -> Result<(f64, u64, u64), String> {
    let text = |error: vsam::StoreError| error.to_string();
    let config = StoreConfig { apply_interval: Duration::from_secs(86_400), overlay_bytes_max: 8 << 30, ..StoreConfig::default() };
    let store = Store::open(directory, config).map_err(text)?;
    let table = store.table("bench").map_err(text)?;
    let waiter = ThreadWaiter::new();
    let mut number = 0;
    while store.statistics().log_bytes < RESTART_LOG_BYTES {
        let unit = store.begin();
        for _ in 0..500 {
            unit.put(&table, &key(number % 5_000_000), &record(number)).map_err(text)?;
            number += 1;
        }
        unit.commit(&waiter).map_err(text)?;
    }
    let bytes = store.statistics().log_bytes;
    store.abandon();
    drop((table, store));
    let begin = Instant::now();
    let store = Store::open(directory, StoreConfig::default()).map_err(text)?;
    let elapsed = begin.elapsed().as_secs_f64();
    let units = store.restart_report().units_replayed;
    store.abandon();
    Ok((elapsed, bytes, units))
}
