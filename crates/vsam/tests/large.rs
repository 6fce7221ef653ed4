//! Data sets beyond 100 GB that take little disk space: addresses, record numbers and pages are real, and the space before them is a hole.

use std::fs::{File as SystemFile, OpenOptions as SystemOptions};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;

use vsam::catalog::{Attributes, Organization};
use vsam::*;

const GIGABYTES_100: u64 = 100 << 30;
const PAGE_BYTES: u64 = 4096;
/// The first two pages are meta pages: a page header of 16 bytes, then magic number and version (4 bytes each), address and size of the map
/// (8 each), two table descriptions of 48 bytes, and the number of the last page in use (LMDB, mdb.c, MDB_meta).
const LAST_PAGE_OFFSET: u64 = 16 + 4 + 4 + 8 + 8 + 2 * 48;
/// The memory limit for a process of this test, however large the addresses of its data.
const RESIDENT_KB_MAX: u64 = 512 << 10;

fn open(directory: &Path) -> Arc<DataSets> {
    DataSets::new(Store::open(directory, StoreConfig::default()).unwrap()).unwrap()
}

fn define(data_sets: &Arc<DataSets>, name: &str, organization: Organization, key_length: u32) {
    let attributes = Attributes { ci_size: 4096, ..Attributes::new(key_length, 0, 100, 100) };
    data_sets.define_cluster(name, organization, attributes).unwrap();
}

fn open_file(data_sets: &Arc<DataSets>, name: &str) -> File {
    data_sets.open(name, OpenOptions { recoverable: Some(true), reset: false }).unwrap()
}

fn record(number: u64) -> Vec<u8> {
    let mut record = format!("{number:016}").into_bytes();
    record.resize(100, b'.');
    record
}

/// Numbers and records of a browse from `from` to its end.
fn browse(file: &File, unit: &UnitOfWork, from: RecordId<'_>) -> Vec<(u64, Vec<u8>)> {
    let mut browse = file.start_browse(unit, from, Search::GTEQ).unwrap();
    let (mut seen, mut data, mut key) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let at = match (from, seen.last()) {
            (RecordId::Rba(_), Some((number, _))) => RecordId::Rba(*number),
            (RecordId::Rrn(_), Some((number, _))) => RecordId::Rrn(*number as u32),
            (RecordId::Key(_), Some(_)) => RecordId::Key(&key),
            (first, None) => first,
        };
        match browse.next(unit, at, &mut data) {
            Ok(found) => {
                seen.push((found.number, data.clone()));
                key = found.key;
            }
            Err(FileError::EndOfFile) => return seen,
            Err(error) => panic!("{error}"),
        }
    }
}

fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// An ESDS whose last record so far begins the control interval at 100 GB gets 40 more, then the region dies.
fn write_behind_100_gb(directory: &Path, waiter: &ThreadWaiter) {
    let data_sets = open(directory);
    define(&data_sets, "LARGE.E", Organization::Esds, 0);
    let store = data_sets.store();
    let name = store.table_names().into_iter().find(|name| data_sets.name_of_table(name).as_deref() == Some("LARGE.E"));
    let table = store.table(&name.expect("a data set has a table")).unwrap();
    let unit = store.begin();
    unit.put(&table, &GIGABYTES_100.to_be_bytes(), &record(0)).unwrap();
    unit.commit(waiter).unwrap();
    let file = open_file(&data_sets, "LARGE.E");
    let unit = store.begin();
    for number in 1..=40 {
        file.write(&unit, None, &record(number), false, LockWait::never(waiter)).unwrap();
    }
    unit.commit(waiter).unwrap();
    store.abandon();
}

#[test]
fn an_esds_continues_beyond_100_gb() {
    let directory = tempfile::tempdir().unwrap();
    let waiter = ThreadWaiter::new();
    write_behind_100_gb(directory.path(), &waiter);

    // The state that the log restores after a failure. (4096 - 4 - 6) / 100 = 40 records fill a control interval.
    let data_sets = open(directory.path());
    let file = open_file(&data_sets, "LARGE.E");
    let unit = data_sets.store().begin();
    let expected: Vec<u64> = (0..40).map(|number| GIGABYTES_100 + number * 100).chain([GIGABYTES_100 + 4096]).collect();
    let seen = browse(&file, &unit, RecordId::Rba(GIGABYTES_100));
    assert_eq!(seen.iter().map(|(rba, _)| *rba).collect::<Vec<_>>(), expected);
    assert!(seen.iter().enumerate().all(|(number, (_, data))| *data == record(number as u64)));
    let mut data = Vec::new();
    file.read(&unit, RecordId::Rba(expected[40]), Search::EQUAL, &mut data).unwrap();
    assert_eq!(data, record(40));
    // An address is not cut to four bytes: this one would be that of the first record.
    let cut = file.read(&unit, RecordId::Rba(GIGABYTES_100 + (1 << 32)), Search::EQUAL, &mut data);
    assert!(matches!(cut, Err(FileError::NotFound)));
    let (_, token) = file.read_update(&unit, RecordId::Rba(expected[39]), Search::EQUAL, LockWait::never(&waiter), &mut data).unwrap();
    file.rewrite(&unit, token, &record(4711), LockWait::never(&waiter)).unwrap();
    unit.commit(&waiter).unwrap();
    let unit = data_sets.store().begin();
    file.read(&unit, RecordId::Rba(expected[39]), Search::EQUAL, &mut data).unwrap();
    assert_eq!(data, record(4711));
    assert!(resident_kb() < RESIDENT_KB_MAX, "{} KB", resident_kb());
}

#[test]
fn an_rrds_has_a_record_at_every_number_of_four_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let data_sets = open(directory.path());
    define(&data_sets, "LARGE.R", Organization::Rrds, 0);
    let file = open_file(&data_sets, "LARGE.R");
    let waiter = ThreadWaiter::new();
    let unit = data_sets.store().begin();
    // 39 slots of 100 bytes and a descriptor of 3 in 4092 bytes: the last record is beyond 400 GB.
    let numbers = [1, 1_100_000_000, u32::MAX - 1];
    for number in numbers {
        file.write(&unit, Some(RecordId::Rrn(number)), &record(u64::from(number)), false, LockWait::never(&waiter)).unwrap();
    }
    unit.commit(&waiter).unwrap();
    let unit = data_sets.store().begin();
    let seen = browse(&file, &unit, RecordId::Rrn(1));
    assert_eq!(seen.iter().map(|(number, _)| *number as u32).collect::<Vec<_>>(), numbers);
    let slot = |number: u32| u64::from(number - 1);
    for number in numbers {
        let rba = file.rba(&unit, &number.to_be_bytes()).unwrap();
        assert_eq!(rba, slot(number) / 39 * 4096 + slot(number) % 39 * 100);
        let mut data = Vec::new();
        file.read(&unit, RecordId::Rba(rba), Search::EQUAL, &mut data).unwrap();
        assert_eq!(data, record(u64::from(number)));
    }
    assert!(file.rba(&unit, &numbers[1].to_be_bytes()).unwrap() > GIGABYTES_100);
    file.delete_record(&unit, RecordId::Rrn(numbers[2]), LockWait::never(&waiter)).unwrap();
    let gone = file.read(&unit, RecordId::Rrn(numbers[2]), Search::EQUAL, &mut Vec::new());
    assert!(matches!(gone, Err(FileError::NotFound)));
}

/// Marks every page below 110 GB as in use in both meta pages, and extends the file accordingly without writing to it.
fn fill_with_a_hole(directory: &Path) {
    let pages: SystemFile = SystemOptions::new().read(true).write(true).open(directory.join("pages/data.mdb")).unwrap();
    let last = (GIGABYTES_100 + (10 << 30)) / PAGE_BYTES;
    for meta in 0..2 {
        pages.write_all_at(&last.to_le_bytes(), meta * PAGE_BYTES + LAST_PAGE_OFFSET).unwrap();
    }
    pages.set_len((last + 1) * PAGE_BYTES).unwrap();
    pages.sync_all().unwrap();
}

#[test]
fn pages_behind_100_gb_hold_records_as_others_do() {
    const RECORDS: u64 = 50_000;
    let directory = tempfile::tempdir().unwrap();
    let data_sets = open(directory.path());
    define(&data_sets, "LARGE.K", Organization::Ksds, 16);
    data_sets.store().close().unwrap();
    drop(data_sets);
    fill_with_a_hole(directory.path());

    let data_sets = open(directory.path());
    let mut load = data_sets.sequential_load("LARGE.K").unwrap().unwrap();
    (0..RECORDS).for_each(|number| load.put(&record(number * 2)).unwrap());
    load.finish().unwrap();
    let file = open_file(&data_sets, "LARGE.K");
    let waiter = ThreadWaiter::new();
    for number in (1..RECORDS * 2).step_by(997) {
        let unit = data_sets.store().begin();
        let key = record(number)[..16].to_vec();
        if number % 2 == 1 {
            file.write(&unit, Some(RecordId::Key(&key)), &record(number), false, LockWait::never(&waiter)).unwrap();
        } else {
            file.delete_record(&unit, RecordId::Key(&key), LockWait::never(&waiter)).unwrap();
        }
        unit.commit(&waiter).unwrap();
    }
    drop(file);
    data_sets.store().close().unwrap();
    drop(data_sets);

    let data_sets = open(directory.path());
    let file = open_file(&data_sets, "LARGE.K");
    let changed = |number: u64| number % 997 == 1;
    let expected: Vec<u64> = (0..RECORDS * 2).filter(|number| (number % 2 == 0) != changed(*number)).collect();
    let unit = data_sets.store().begin();
    let seen = browse(&file, &unit, RecordId::Key(&record(0)[..16]));
    assert!(seen.iter().map(|(_, data)| data).eq(expected.iter().map(|number| record(*number)).collect::<Vec<_>>().iter()));
    assert!(data_sets.store().check().1.is_empty(), "damage");
    let pages = std::fs::metadata(directory.path().join("pages/data.mdb")).unwrap();
    assert!(pages.len() > GIGABYTES_100, "{} bytes", pages.len());
    assert!(pages.blocks() * 512 < 1 << 30, "the hole takes {} blocks", pages.blocks());
    assert!(resident_kb() < RESIDENT_KB_MAX, "{} KB", resident_kb());
}
