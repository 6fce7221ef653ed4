//! `regent bench vsam-tuning`: measured studies of VSAM tuning on files of this machine.
//!
//! Look-asides, reads, splits and waits are counted by control interval, as in the statistics of a region; times are those of this store,
//! which reads no control intervals.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde_json::{Map, Value, json};
use torture::Random;
use vsam::buffers::{BUFFER_SIZES, BufferPool, BufferStatistics, PoolShape};
use vsam::catalog::{Attributes, Organization};
use vsam::{DataSets, File, LockWait, OpenContext, OpenOptions, RecordId, Resources, Search, Store, StoreConfig, ThreadWaiter};

use crate::console::Console;

const KEY_BYTES: usize = 8;
const RECORD_BYTES: usize = 120;
/// Records of the look-aside study: a file of some 1,500 intervals of 4 KB.
const RECORDS: u64 = 50_000;
const READS: u64 = 100_000;
/// The place of 4 KB in the sizes of buffers.
const SIZE_4K: usize = 3;
const INDEX_BUFFERS: u32 = 100;
const TAIL_REQUESTS: u64 = 4_000;
const TAIL_TASKS: [u64; 3] = [1, 4, 16];

/// One question, its table, and the conclusion.
pub struct Study {
    name: &'static str,
    question: &'static str,
    columns: &'static [&'static str],
    rows: Vec<Vec<Value>>,
}

pub fn run(scratch: &Path) -> Result<Vec<Study>, String> {
    let sets = open_sets(&scratch.join("tuning"))?;
    Ok(vec![look_aside(&sets)?, shared_names(&sets)?, interval_size(&sets)?, hot_tail(&sets)?])
}

pub fn print(studies: &[Study], console: &Console) {
    for study in studies {
        if console.is_json() {
            for row in &study.rows {
                let cells = study.columns.iter().map(|column| column.to_string()).zip(row.iter().cloned());
                let mut members: Map<String, Value> = cells.collect();
                members.insert("study".into(), json!(study.name));
                console.event("vsam-tuning", Value::Object(members));
            }
            continue;
        }
        console.line(&format!("{}: {}", study.name, study.question));
        console.line(&study.columns.iter().map(|column| format!("{column:>18}")).collect::<String>());
        for row in &study.rows {
            console.line(&row.iter().map(|cell| format!("{:>18}", shown(cell))).collect::<String>());
        }
        console.line("");
    }
}

fn shown(cell: &Value) -> String {
    match cell {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => format!("{:.1}", number.as_f64().unwrap_or(f64::NAN)),
        other => other.to_string(),
    }
}

fn open_sets(directory: &Path) -> Result<Arc<DataSets>, String> {
    let store = Store::open(directory, StoreConfig::default()).map_err(|error| error.to_string())?;
    DataSets::new(store).map_err(|error| error.to_string())
}

fn text(error: vsam::FileError) -> String {
    error.to_string()
}

fn key(number: u64) -> Vec<u8> {
    format!("{number:08}").into_bytes()
}

fn record(number: u64) -> Vec<u8> {
    let mut record = key(number);
    record.resize(RECORD_BYTES, b'.');
    record
}

fn define(sets: &Arc<DataSets>, name: &str, organization: Organization, ci_size: u32) -> Result<(), String> {
    let key_bytes = if organization == Organization::Esds { 0 } else { KEY_BYTES as u32 };
    let attributes = Attributes { ci_size, ..Attributes::new(key_bytes, 0, RECORD_BYTES as u32, RECORD_BYTES as u32) };
    sets.define_cluster(name, organization, attributes).map_err(text)
}

/// Records with the keys 0, 10, 20 ... loaded in sequence.
fn load(sets: &Arc<DataSets>, name: &str, records: u64) -> Result<(), String> {
    let mut load = sets.sequential_load(name).map_err(text)?.ok_or("the data set cannot be loaded in sequence")?;
    for number in 0..records {
        load.put(&record(number * 10)).map_err(|error| format!("{error:?}"))?;
    }
    load.finish().map(|_| ()).map_err(|error| format!("{error:?}"))
}

fn open(sets: &Arc<DataSets>, name: &str, pool: Option<Arc<BufferPool>>, keep_control: bool) -> Result<File, String> {
    let resources = if pool.is_some() { Resources::Shared } else { Resources::Own };
    let options = OpenOptions { recoverable: Some(true), reset: false };
    sets.open_in(name, options, OpenContext { pool, resources, keep_control, ..OpenContext::default() }).map_err(text)
}

fn pool(data: u32, index: u32) -> Arc<BufferPool> {
    let mut shape = PoolShape::default();
    (shape.data[SIZE_4K], shape.index[SIZE_4K]) = (data, index);
    Arc::new(BufferPool::new(&shape))
}

/// Buffers of every size.
fn wide_pool() -> Arc<BufferPool> {
    Arc::new(BufferPool::new(&PoolShape { data: [50; BUFFER_SIZES.len()], index: [50; BUFFER_SIZES.len()] }))
}

/// Look-asides x 100 / (look-asides + reads) of data or index buffers since `before`.
fn percentage(before: &[BufferStatistics], after: &[BufferStatistics], index: bool) -> f64 {
    let sum =
        |all: &[BufferStatistics], of: fn(&BufferStatistics) -> u64| -> u64 { all.iter().filter(|row| row.index == index).map(of).sum() };
    let lookasides = sum(after, |row| row.lookasides) - sum(before, |row| row.lookasides);
    let reads = sum(after, |row| row.reads) - sum(before, |row| row.reads);
    100.0 * lookasides as f64 / (lookasides + reads).max(1) as f64
}

fn read(file: &File, sets: &DataSets, number: u64) -> Result<(), String> {
    let unit = sets.store().begin();
    file.read(&unit, RecordId::Key(&key(number)), Search::EQUAL, &mut Vec::new()).map(|_| ()).map_err(text)
}

fn browse_all(file: &File, sets: &DataSets) -> Result<u64, String> {
    let unit = sets.store().begin();
    let mut browse = file.start_browse(&unit, RecordId::Key(&key(0)), Search::GTEQ).map_err(text)?;
    let (mut ridfld, mut data, mut records) = (key(0), Vec::new(), 0);
    while let Ok(found) = browse.next(&unit, RecordId::Key(&ridfld), &mut data) {
        ridfld = found.key;
        records += 1;
    }
    Ok(records)
}

fn look_aside(sets: &Arc<DataSets>) -> Result<Study, String> {
    define(sets, "TUNING.LOOKASID", Organization::Ksds, 4096)?;
    load(sets, "TUNING.LOOKASID", RECORDS)?;
    let intervals = RECORDS.div_ceil((4096 - 10) / RECORD_BYTES as u64);
    let mut rows = Vec::new();
    for percent in [1, 5, 10, 25, 50, 75, 100, 150] {
        let buffers = (intervals * percent / 100).max(3) as u32;
        let mut cells = vec![json!(buffers), json!(percent)];
        // Every record alike; four reads of five to a fifth of the file; from end to end.
        for pattern in 0..3 {
            let pool = pool(buffers, INDEX_BUFFERS);
            let file = open(sets, "TUNING.LOOKASID", Some(pool.clone()), false)?;
            let mut random = Random::new(percent * 31 + pattern);
            let mut request = |count: u64| -> Result<(), String> {
                for _ in 0..count {
                    let hot = pattern == 1 && random.below(5) < 4;
                    read(&file, sets, random.below(if hot { RECORDS / 5 } else { RECORDS }) * 10)?;
                }
                Ok(())
            };
            // The buffers are filled before anything counts.
            if pattern < 2 {
                request(READS)?
            } else {
                browse_all(&file, sets).map(|_| ())?
            }
            let before = pool.statistics();
            if pattern < 2 {
                request(READS)?
            } else {
                browse_all(&file, sets).map(|_| ())?
            }
            let after = pool.statistics();
            cells.push(json!(percentage(&before, &after, false)));
            if pattern == 0 {
                cells.push(json!(100.0_f64.min(percent as f64)));
                cells.push(json!(percentage(&before, &after, true)));
            }
        }
        rows.push(cells);
    }
    let columns = &["data buffers", "% of intervals", "random %", "(expected %)", "index %", "80/20 %", "browse %"];
    Ok(Study { name: "look-aside", question: "how much do more buffers of an LSR pool help?", columns, rows })
}

fn shared_names(sets: &Arc<DataSets>) -> Result<Study, String> {
    let mut rows = Vec::new();
    for (how, pools) in [("a pool for each FILE", 2), ("one pool", 1)] {
        let all: Vec<_> = (0..pools).map(|_| pool(300, INDEX_BUFFERS)).collect();
        let first = open(sets, "TUNING.LOOKASID", Some(all[0].clone()), false)?;
        let second = open(sets, "TUNING.LOOKASID", Some(all[pools - 1].clone()), false)?;
        let mut random = Random::new(97);
        for number in 0..READS {
            let file = if number % 2 == 0 { &first } else { &second };
            read(file, sets, random.below(RECORDS / 5) * 10)?;
        }
        let reads: u64 = all.iter().flat_map(|pool| pool.statistics()).filter(|row| !row.index).map(|row| row.reads).sum();
        rows.push(vec![json!(how), json!(READS), json!(reads), json!(reads as f64 * 100.0 / READS as f64)]);
    }
    let columns = &["two FILEs", "READs", "data reads", "per 100 READs"];
    let question = "what does it save when FILEs of one data set share their buffers (DSNSHARING)?";
    Ok(Study { name: "data set name sharing", question, columns, rows })
}

fn interval_size(sets: &Arc<DataSets>) -> Result<Study, String> {
    const INSERTS: u64 = 20_000;
    let mut rows = Vec::new();
    for ci_size in [2048, 4096, 8192, 16_384] {
        let name = format!("TUNING.CISZ{ci_size}");
        define(sets, &name, Organization::Ksds, ci_size)?;
        load(sets, &name, INSERTS)?;
        let pool = wide_pool();
        let file = open(sets, &name, Some(pool.clone()), false)?;
        let waiter = ThreadWaiter::new();
        let (mut random, begin) = (Random::new(11), Instant::now());
        let mut inserted = 0u64;
        while inserted < INSERTS {
            let unit = sets.store().begin();
            for _ in 0..100 {
                let number = random.below(INSERTS) * 10 + 1 + random.below(9);
                inserted += u64::from(file.write(&unit, None, &record(number), false, LockWait::never(&waiter)).is_ok());
            }
            unit.commit(&waiter).map_err(|error| error.to_string())?;
        }
        let elapsed = begin.elapsed();
        let statistics = file.statistics();
        let before = pool.statistics();
        let begin = Instant::now();
        let records = browse_all(&file, sets)?;
        let browse = begin.elapsed();
        let reads = |all: &[BufferStatistics]| -> u64 { all.iter().filter(|row| !row.index).map(|row| row.reads).sum() };
        rows.push(vec![
            json!(ci_size),
            json!(statistics.ci_splits),
            json!(statistics.ca_splits),
            json!(statistics.data_excps + statistics.index_excps),
            json!(elapsed.as_nanos() as f64 / inserted as f64),
            json!(reads(&pool.statistics()) - reads(&before)),
            json!(browse.as_nanos() as f64 / records as f64),
        ]);
    }
    let columns = &["CISZ", "CI splits", "CA splits", "EXCPs", "insert ns", "browse reads", "browse ns"];
    let question = "20,000 random inserts into 20,000 records without free space, then a browse: what does the CI size change?";
    Ok(Study { name: "control interval size", question, columns, rows })
}

/// Tasks that read for update and rewrite (CILOCK=YES), all at the end of the file or all over it.
fn hot_tail(sets: &Arc<DataSets>) -> Result<Study, String> {
    let mut rows = Vec::new();
    for tasks in TAIL_TASKS {
        for (place, spread) in [("tail", 30), ("anywhere", RECORDS)] {
            let file = open(sets, "TUNING.LOOKASID", Some(pool(2_000, INDEX_BUFFERS)), true)?;
            let (next, begin) = (AtomicU64::new(0), Instant::now());
            std::thread::scope(|scope| {
                let workers: Vec<_> = (0..tasks)
                    .map(|task| {
                        scope.spawn({
                            let (file, next) = (&file, &next);
                            move || update_records(sets, file, next, spread, task)
                        })
                    })
                    .collect();
                workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a thread ended by a panic".to_string())?)
            })?;
            let waits = file.statistics().exclusive_waits;
            let each = begin.elapsed().as_nanos() as f64 / TAIL_REQUESTS as f64;
            rows.push(vec![json!(tasks), json!(place), json!(waits as f64 * 100.0 / TAIL_REQUESTS as f64), json!(each / 1e3)]);
        }
    }
    let columns = &["tasks", "records", "waits per 100", "us each"];
    let question = "how often does READ UPDATE wait for exclusive control of an interval (CILOCK=YES), each with a durable SYNCPOINT?";
    Ok(Study { name: "exclusive control", question, columns, rows })
}

fn update_records(sets: &Arc<DataSets>, file: &File, next: &AtomicU64, spread: u64, task: u64) -> Result<(), String> {
    let (waiter, mut random) = (ThreadWaiter::new(), Random::new(task * 7919 + 3));
    while next.fetch_add(1, Ordering::Relaxed) < TAIL_REQUESTS {
        let unit = sets.store().begin();
        let wait = LockWait::forever(&waiter);
        let number = (RECORDS - 1 - random.below(spread)) * 10;
        let mut data = Vec::new();
        let (_, token) = file.read_update(&unit, RecordId::Key(&key(number)), Search::EQUAL, wait, &mut data).map_err(text)?;
        data[RECORD_BYTES - 1] = data[RECORD_BYTES - 1].wrapping_add(1);
        file.rewrite(&unit, token, &data, wait).map_err(text)?;
        unit.commit(&waiter).map_err(|error| error.to_string())?;
    }
    Ok(())
}
