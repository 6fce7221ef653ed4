//! Measures the store and files: cached reads, browse, durable commits at 1 and many threads against the device's sync, bulk load, restart
//! with 1 GB of log. `cargo run --release -p vsam --example store [directory] [records] [restart]`; with the last word, only the restart is
//! measured.

use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use testing::Random;
use vsam::catalog::{Attributes, Organization};
use vsam::*;

const RECORD_BYTES: usize = 116;
const RESTART_LOG_BYTES: u64 = 1 << 30;
const RECOVERABLE: OpenOptions = OpenOptions { recoverable: Some(true), reset: false };
const NOT_RECOVERABLE: OpenOptions = OpenOptions { recoverable: Some(false), reset: false };

fn record(number: u64) -> Vec<u8> {
    let mut record = format!("{number:016}").into_bytes();
    record.resize(RECORD_BYTES, b'x');
    record
}

fn key(number: u64) -> [u8; 16] {
    let mut key = [b'0'; 16];
    let (mut at, mut rest) = (16, number);
    while rest > 0 {
        at -= 1;
        key[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    key
}

/// Processor time of this thread in ns, so that the cost is also measured on a busy machine.
fn thread_time() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0)
}

fn each(label: &str, count: u64, mut body: impl FnMut(u64)) {
    let (begin, before) = (Instant::now(), thread_time());
    (0..count).for_each(&mut body);
    let (elapsed, used) = (begin.elapsed(), thread_time() - before);
    let (per, processor) = (elapsed.as_nanos() as f64 / count as f64, used as f64 / count as f64);
    println!("{label:<42} {per:>9.0} ns elapsed {processor:>9.0} ns processor");
}

fn sync_rate(directory: &Path) -> f64 {
    let path = directory.join("raw-sync");
    let file = std::fs::File::create(&path).unwrap();
    file.write_all_at(&vec![0; 8 << 20], 0).unwrap();
    file.sync_all().unwrap();
    let begin = Instant::now();
    let mut count = 0u64;
    while begin.elapsed() < Duration::from_secs(2) {
        file.write_all_at(&[1; 512], count % 16_000 * 512).unwrap();
        file.sync_data().unwrap();
        count += 1;
    }
    let rate = count as f64 / begin.elapsed().as_secs_f64();
    std::fs::remove_file(&path).unwrap();
    rate
}

fn committers(sets: &Arc<DataSets>, threads: usize, records: u64, options: OpenOptions, seconds: u64) -> (f64, f64) {
    let stop = AtomicBool::new(false);
    let done = AtomicU64::new(0);
    let before = sets.store().statistics();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (sets, stop, done) = (sets.clone(), &stop, &done);
            scope.spawn(move || {
                let file = sets.open("BENCH.KSDS", options).unwrap();
                let waiter = ThreadWaiter::new();
                let mut random = Random::new(thread as u64 * 7919 + 17);
                let mut buffer = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    let unit = sets.store().begin();
                    let wait = LockWait::forever(&waiter);
                    let key = key(random.below(records));
                    let (_, token) = file.read_update(&unit, RecordId::Key(&key), Search::EQUAL, wait, &mut buffer).unwrap();
                    buffer[20] = buffer[20].wrapping_add(1);
                    file.rewrite(&unit, token, &buffer, wait).unwrap();
                    unit.commit(&waiter).unwrap();
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        std::thread::sleep(Duration::from_secs(seconds));
        stop.store(true, Ordering::Relaxed);
    });
    let elapsed = begin.elapsed().as_secs_f64();
    let after = sets.store().statistics();
    let commits = done.load(Ordering::Relaxed) as f64;
    (commits / elapsed, commits / (after.log_syncs - before.log_syncs).max(1) as f64)
}

fn load(sets: &Arc<DataSets>, records: u64) {
    sets.define_cluster("BENCH.KSDS", Organization::Ksds, Attributes::new(16, 0, 116, 116)).unwrap();
    let begin = Instant::now();
    let mut load = sets.sequential_load("BENCH.KSDS").unwrap().unwrap();
    let mut record = record(0);
    for number in 0..records {
        record[..16].copy_from_slice(&key(number));
        load.put(&record).unwrap();
    }
    load.finish().unwrap();
    println!("bulk load: {:.0} records/s", records as f64 / begin.elapsed().as_secs_f64());
}

fn reads(sets: &Arc<DataSets>, records: u64) {
    let file = sets.open("BENCH.KSDS", RECOVERABLE).unwrap();
    let unit = sets.store().begin();
    let table = sets.store().existing_table("vsam.1.data").unwrap();
    let mut buffer = Vec::new();
    let mut random = Random::new(42);
    for (label, set) in [("all records", records), ("20,000 hot records", records.min(20_000))] {
        each(&format!("store get, {label}"), 500_000, |_| {
            assert!(unit.read(&table, &key(random.below(set)), &mut buffer).unwrap());
        });
        each(&format!("READ by key, {label}"), 500_000, |_| {
            file.read(&unit, RecordId::Key(&key(random.below(set))), Search::EQUAL, &mut buffer).unwrap();
        });
    }
    each("STARTBR + 20 READNEXT + ENDBR", 20_000, |_| {
        let mut ridfld = key(random.below(records - 20)).to_vec();
        let mut browse = file.start_browse(&unit, RecordId::Key(&ridfld), Search::GTEQ).unwrap();
        for _ in 0..20 {
            ridfld = browse.next(&unit, RecordId::Key(&ridfld), &mut buffer).unwrap().key;
        }
    });
    let mut ridfld = key(0).to_vec();
    let mut browse = file.start_browse(&unit, RecordId::Key(&ridfld), Search::GTEQ).unwrap();
    each("READNEXT in a long browse", records.min(1_000_000), |_| {
        ridfld = browse.next(&unit, RecordId::Key(&ridfld), &mut buffer).unwrap().key;
    });
    let waiter = ThreadWaiter::new();
    each("lock + unlock", 500_000, |_| {
        let key = key(random.below(records));
        unit.lock(&table, &key, LockWait::never(&waiter)).unwrap();
        unit.unlock(&table, &key);
    });
    let plain = sets.open("BENCH.KSDS", NOT_RECOVERABLE).unwrap();
    each("READ UPDATE + REWRITE, not recoverable", 200_000, |_| {
        let wait = LockWait::forever(&waiter);
        let key = key(random.below(records));
        let (_, token) = plain.read_update(&unit, RecordId::Key(&key), Search::EQUAL, wait, &mut buffer).unwrap();
        plain.rewrite(&unit, token, &buffer, wait).unwrap();
    });
    sets.store().keypoint().unwrap();
}

fn restart(directory: PathBuf, sets: Arc<DataSets>) {
    let store = sets.store().clone();
    let table = store.existing_table("vsam.1.data").unwrap();
    let waiter = ThreadWaiter::new();
    let before = store.statistics().log_bytes;
    let mut round = 0;
    while store.statistics().log_bytes - before < RESTART_LOG_BYTES {
        let unit = store.begin();
        for number in 0..500 {
            unit.put(&table, &key(round % 10_000 * 500 + number), &record(number)).unwrap();
        }
        unit.commit(&waiter).unwrap();
        round += 1;
    }
    let bytes = store.statistics().log_bytes - before;
    store.abandon();
    drop((sets, store));
    let store = Store::open(&directory, StoreConfig::default()).unwrap();
    let report = store.restart_report();
    println!("restart: {} units of work in {:?} ({} MB of log written before)", report.units_replayed, report.elapsed, bytes >> 20);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let temporary = tempfile::tempdir().unwrap();
    let directory = arguments.next().map_or_else(|| temporary.path().join("bench"), PathBuf::from);
    let records: u64 = arguments.next().map_or(1_000_000, |text| text.parse().unwrap());
    std::fs::create_dir_all(&directory).unwrap();
    if arguments.next().as_deref() != Some("restart") {
        requests(&directory, records);
    }
    // No part of the log reaches the pages before the crash.
    let config = StoreConfig { apply_interval: Duration::from_secs(3600), overlay_bytes_max: 8 << 30, ..Default::default() };
    let store = Store::open(&directory.join("restart"), config).unwrap();
    let sets = DataSets::new(store).unwrap();
    sets.define_cluster("BENCH.KSDS", Organization::Ksds, Attributes::new(16, 0, 116, 116)).unwrap();
    restart(directory.join("restart"), sets);
}

fn requests(directory: &Path, records: u64) {
    let raw = sync_rate(directory);
    println!("raw write of 512 bytes and fdatasync: {raw:.0}/s");
    let store = Store::open(&directory.join("store"), StoreConfig::default()).unwrap();
    let sets = DataSets::new(store).unwrap();
    load(&sets, records);
    reads(&sets, records);
    for threads in [1, 8, 64] {
        let (rate, grouping) = committers(&sets, threads, records, RECOVERABLE, 4);
        println!(
            "READ UPDATE + REWRITE + SYNCPOINT durable, {threads:>2} threads: {rate:>8.0}/s, {grouping:.1} commits a sync, {:.2} x raw sync rate",
            rate / raw
        );
    }
    let (rate, _) = committers(&sets, 64, 1, RECOVERABLE, 3);
    println!("the same, 64 threads, one hot record: {rate:.0}/s");
    let statistics = sets.store().statistics();
    println!("{statistics:?}");
}
