//! Loss of power, and failure, at every operation of the disk: each write, sync, rename, removal and page batch in turn.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use vsam::disk::{Disk, FaultDisk, FaultKind, FaultPlan, RealDisk};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::{Store, StoreConfig, StoreError, Table, ThreadWaiter};

const UNITS: u64 = 12;

fn config(disk: Arc<dyn Disk>) -> StoreConfig {
    // Batches only on request, so that the order of operations is always the same.
    let apply_interval = Duration::from_secs(3600);
    let apply_retry_pause = Duration::from_micros(100);
    StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 28, apply_interval, apply_retry_pause, disk, ..StoreConfig::default() }
}

/// The report of a run, unit by unit: key and value, and whether its commit was acknowledged.
type Told = Vec<(u64, bool)>;

/// Twelve units of work, each with its own record and a common record, some so long that they need several log records, and keypoints in
/// between. Stops at the first failure.
fn work(store: &Arc<Store>, from: u64, told: &mut Told) -> Result<(), StoreError> {
    let table = store.table("t")?;
    let waiter = ThreadWaiter::new();
    for number in from..from + UNITS {
        let unit = store.begin();
        let length = if number % 4 == 3 { 90_000 } else { 50 };
        unit.put(&table, format!("own{number:04}").as_bytes(), &vec![number as u8; length])?;
        unit.put(&table, b"last", &number.to_be_bytes())?;
        told.push((number, false));
        unit.commit(&waiter)?;
        told.last_mut().expect("just told").1 = true;
        if number % 5 == 4 {
            store.keypoint()?;
        }
    }
    Ok(())
}

/// Every acknowledged unit exists, every existing unit is complete, and they form a sequence without gaps.
fn check(directory: &Path, told: &Told, what: &str) {
    let store = Store::open(directory, config(Arc::new(RealDisk))).unwrap_or_else(|error| panic!("{what}: the start failed: {error}"));
    let table = store.table("t").unwrap();
    let mut found = BTreeMap::new();
    store
        .scan(&table, Some(b"own"), vsam::Direction::Forward, &mut |key, value| {
            let number: u64 = String::from_utf8_lossy(&key[3..]).parse().unwrap();
            assert!(value.iter().all(|byte| *byte == number as u8), "{what}: unit {number} is damaged");
            found.insert(number, value.len());
            true
        })
        .unwrap();
    for (number, acknowledged) in told {
        assert!(!acknowledged || found.contains_key(number), "{what}: unit {number} was acknowledged and is lost");
    }
    let last = store.get(&table, b"last").unwrap().map(|bytes| u64::from_be_bytes(bytes.try_into().unwrap()));
    assert_eq!(last, found.keys().max().copied(), "{what}: half a unit");
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), (0..found.len() as u64).collect::<Vec<_>>(), "{what}: a gap");
    assert!(store.check().1.is_empty(), "{what}: damage");
    store.abandon();
}

fn memory_directory() -> tempfile::TempDir {
    let parent = if Path::new("/dev/shm").is_dir() { "/dev/shm".into() } else { std::env::temp_dir() };
    tempfile::Builder::new().prefix("power-loss").tempdir_in(parent).unwrap()
}

fn attempt(kind: FaultKind, at: u64, seed: u64) -> bool {
    let directory = memory_directory();
    let mut told = Told::new();
    let what = format!("{kind:?} at operation {at}, seed {seed}");
    // A first run, so that the failing one begins with a restart.
    let store = Store::open(directory.path(), config(Arc::new(RealDisk))).unwrap();
    store.set_keypoint_frequency(1);
    work(&store, 0, &mut told).unwrap();
    store.abandon();
    drop(store);
    let disk = FaultDisk::new(directory.path(), Some(FaultPlan { at_operation: at, kind, seed })).unwrap();
    let result = Store::open(directory.path(), config(Arc::new(disk.clone()))).and_then(|store| {
        store.set_keypoint_frequency(1);
        let result = work(&store, UNITS, &mut told);
        store.abandon();
        result
    });
    let failed = disk.failed_at().is_some();
    assert!(failed || result.is_ok(), "{what}: {result:?}");
    if matches!(kind, FaultKind::Full | FaultKind::ReadOnly | FaultKind::Failure) {
        // Data that the device had not been asked to keep is lost with the process.
        disk.lose_power();
    }
    drop(FaultDisk::new(directory.path(), None).unwrap());
    check(directory.path(), &told, &what);
    failed
}

fn every_operation(kind: FaultKind) {
    let mut at = 1;
    while attempt(kind, at, at * 31 + 7) {
        at += 1;
    }
    assert!(at > 40, "only {at} operations: the work tests little");
}

#[test]
fn a_loss_of_power_at_any_operation_loses_nothing() {
    every_operation(FaultKind::PowerLoss);
}

#[test]
fn a_full_disk_at_any_operation_loses_nothing() {
    every_operation(FaultKind::Full);
}

#[test]
fn a_read_only_disk_at_any_operation_loses_nothing() {
    every_operation(FaultKind::ReadOnly);
}

#[test]
fn a_failing_sync_loses_nothing_and_ends_the_work() {
    every_operation(FaultKind::Failure);
}

#[test]
fn the_condition_of_the_disk_is_named() {
    for (kind, words) in [(FaultKind::Full, "storage"), (FaultKind::ReadOnly, "read-only")] {
        let directory = tempfile::tempdir().unwrap();
        let disk = FaultDisk::new(directory.path(), None).unwrap();
        let store = Store::open(directory.path(), config(Arc::new(disk.clone()))).unwrap();
        let mut told = Told::new();
        work(&store, 0, &mut told).unwrap();
        disk.set_plan(Some(FaultPlan { at_operation: 1, kind, seed: 1 }));
        let error = work(&store, UNITS, &mut told).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert!(error.contains(".log"), "the file is named: {error}");
        assert!(!store.is_working());
        store.abandon();
    }
}

/// Empties two tables together and writes to both again; returns whether the disk failed meanwhile.
fn empty_two(kind: FaultKind, at: u64, seed: u64) -> bool {
    let directory = memory_directory();
    let what = format!("{kind:?} at operation {at}, seed {seed}");
    let open = |disk: Arc<dyn Disk>| {
        let store = Store::open(directory.path(), config(disk))?;
        let tables = [store.table("a")?, store.table("b")?];
        Ok::<_, StoreError>((store, tables))
    };
    let put = |store: &Arc<Store>, tables: &[Table], key: &[u8]| {
        let unit = store.begin();
        tables.iter().try_for_each(|table| unit.put(table, key, b"some data"))?;
        unit.commit(&ThreadWaiter::new())
    };
    let (store, tables) = open(Arc::new(RealDisk)).unwrap();
    put(&store, &tables, b"before").unwrap();
    store.abandon();
    drop((store, tables));
    let disk = FaultDisk::new(directory.path(), Some(FaultPlan { at_operation: at, kind, seed })).unwrap();
    let (mut emptied, mut written) = (false, false);
    if let Ok((store, tables)) = open(Arc::new(disk.clone())) {
        // A batch of this may fail and be tried again before the tables are emptied.
        emptied = put(&store, &tables, b"before").and_then(|()| store.clear_tables(&[&tables[0], &tables[1]])).is_ok();
        written = emptied && put(&store, &tables, b"after").and_then(|()| store.keypoint()).is_ok();
        store.abandon();
    }
    let failed = disk.failed_at().is_some();
    disk.lose_power();
    drop(FaultDisk::new(directory.path(), None).unwrap());
    let (store, tables) = open(Arc::new(RealDisk)).unwrap();
    let there = |key: &[u8]| tables.each_ref().map(|table| store.get(table, key).unwrap().is_some());
    let (before, after) = (there(b"before"), there(b"after"));
    assert!(before[0] == before[1] && after[0] == after[1], "{what}: half, {before:?} {after:?}");
    assert!(!emptied || !before[0], "{what}: what was emptied is back");
    assert!(!written || after[0], "{what}: what was written is lost");
    store.abandon();
    failed
}

#[test]
fn tables_emptied_together_are_empty_or_whole_after_a_failure() {
    for kind in [FaultKind::PowerLoss, FaultKind::Full, FaultKind::ReadOnly, FaultKind::Failure] {
        for seed in [3, 17, 29] {
            let operations = (1..).take_while(|at| empty_two(kind, *at, seed * at)).count();
            assert!(operations > 8, "only {operations} operations");
        }
    }
}
