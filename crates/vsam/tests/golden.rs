//! Data directories written by earlier releases stay readable.
//!
//! `golden/N` is a directory as release format N left it when its process died: pages, and log records not yet in the pages. Log segments
//! are kept without the zeros at their end. Never change one; when a format changes, add a new directory with `cargo test -p vsam --test
//! golden -- --ignored`, which writes `golden/new`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use vsam::idcams::{DdResolver, DdTarget, IdcamsOptions};
use vsam::*;

/// Segment size of the kept stores, whose segments are cut to the part in use.
const SEGMENT_BYTES: u64 = 4 << 20;

const DEFINITIONS: &str = "
  DEFINE CLUSTER (NAME(GOLD.KSDS) INDEXED KEYS(4 0) RECORDSIZE(30 80) TRACKS(10 1) CISZ(4096) LOG(UNDO) OWNER(SMITH))
  DEFINE ALTERNATEINDEX (NAME(GOLD.UNIQUE) RELATE(GOLD.KSDS) KEYS(2 4) UNIQUEKEY UPGRADE TRACKS(1 1))
  DEFINE ALTERNATEINDEX (NAME(GOLD.DUPS) RELATE(GOLD.KSDS) KEYS(1 6) NONUNIQUEKEY UPGRADE TRACKS(1 1))
  DEFINE PATH (NAME(GOLD.UNIQUE.PATH) PATHENTRY(GOLD.UNIQUE))
  DEFINE PATH (NAME(GOLD.DUPS.PATH) PATHENTRY(GOLD.DUPS) NOUPDATE)
  DEFINE CLUSTER (NAME(GOLD.ESDS) NONINDEXED RECORDSIZE(100 2000) TRACKS(10 1) CISZ(4096))
  DEFINE CLUSTER (NAME(GOLD.RRDS) NUMBERED RECORDSIZE(10 10) TRACKS(10 1) CISZ(4096))
  DEFINE CLUSTER (NAME(GOLD.VRRDS) NUMBERED RECORDSIZE(10 50) TRACKS(10 1) CISZ(4096))
  DEFINE GENERATIONDATAGROUP (NAME(GOLD.GROUP) LIMIT(5) SCRATCH)
  DEFINE NONVSAM (NAME(GOLD.FLAT) DEVICETYPES(3390) VOLUMES(VOL001))
  DEFINE ALIAS (NAME(GOLD.ALIAS) RELATE(GOLD.KSDS))
";
/// Additional definitions in format 3.
const DEFINITIONS_3: &str = "
  DEFINE CLUSTER (NAME(GOLD.PACKED) INDEXED KEYS(4 0) RECORDSIZE(100 200) TRACKS(10 1) CISZ(4096) COMPRESSED)
  DEFINE PATH (NAME(GOLD.PACKED.PATH) PATHENTRY(GOLD.PACKED) TO(1999366))
  DEFINE NONVSAM (NAME(GOLD.KEPT) DEVICETYPES(3390) VOLUMES(VOL001) FOR(9999))
  DEFINE GENERATIONDATAGROUP (NAME(GOLD.PURGED) LIMIT(5) SCRATCH PURGE)
";
const RECORDS: u32 = 400;

struct NoDds;

impl DdResolver for NoDds {
    fn resolve_dd(&self, _name: &str) -> Option<DdTarget> {
        None
    }
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn config() -> StoreConfig {
    StoreConfig { segment_size: SEGMENT_BYTES, map_size: 1 << 30, ..StoreConfig::default() }
}

fn keyed_record(number: u32) -> Vec<u8> {
    let mut record = format!("{number:04}").into_bytes();
    record.extend_from_slice(&(number as u16).to_be_bytes());
    record.push(b'A' + (number % 3) as u8);
    record.resize(30 + number as usize % 50, b'.');
    record
}

/// A record that compression makes smaller, except every tenth.
fn long_record(number: u32) -> Vec<u8> {
    let mut record = keyed_record(number);
    if !number.is_multiple_of(10) {
        record.resize(180, b' ');
    }
    record
}

fn slot(number: u32) -> Vec<u8> {
    format!("slot{number:06}").into_bytes()
}

/// Writes the records of numbers in `range` to every data set.
fn fill(sets: &Arc<DataSets>, range: std::ops::Range<u32>) {
    let waiter = ThreadWaiter::new();
    let wait = LockWait::never(&waiter);
    let unit = sets.store().begin();
    let open = |name: &str| sets.open(name, OpenOptions { recoverable: Some(true), reset: false }).unwrap();
    let (ksds, esds, rrds, vrrds) = (open("GOLD.KSDS"), open("GOLD.ESDS"), open("GOLD.RRDS"), open("GOLD.VRRDS"));
    let packed = open("GOLD.PACKED");
    for number in range {
        // Scattered, so that control intervals split.
        let number = number * 7 % RECORDS;
        ksds.write(&unit, None, &keyed_record(number), false, wait).unwrap();
        packed.write(&unit, None, &long_record(number), false, wait).unwrap();
        esds.write(&unit, None, &keyed_record(number), false, wait).unwrap();
        rrds.write(&unit, Some(RecordId::Rrn(number + 1)), &slot(number), false, wait).unwrap();
        vrrds.write(&unit, Some(RecordId::Rrn(number + 1)), &slot(number)[..8], false, wait).unwrap();
    }
    unit.commit(&waiter).unwrap();
}

#[test]
#[ignore = "writes a new golden directory"]
fn write() {
    let directory = golden().join("new");
    let _ = std::fs::remove_dir_all(&directory);
    let store = Store::open(&directory, config()).unwrap();
    let sets = DataSets::new(store.clone()).unwrap();
    let outcome = idcams::run(&sets, &[DEFINITIONS, DEFINITIONS_3].concat(), &NoDds, &IdcamsOptions { ccsid: 819, progress: None });
    assert_eq!(outcome.condition_code, 0, "{}", outcome.listing);
    fill(&sets, 0..RECORDS - 20);
    sets.save_statistics().unwrap();
    store.keypoint().unwrap();
    // The last of it is only in the log.
    fill(&sets, RECORDS - 20..RECORDS);
    store.abandon();
    drop((sets, store));
    for segment in std::fs::read_dir(directory.join("log")).unwrap() {
        let path = segment.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| (last + 1).next_multiple_of(4096));
        std::fs::write(&path, &bytes[..used]).unwrap();
    }
    let _ = std::fs::remove_file(directory.join("pages/lock.mdb"));
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
            continue;
        }
        std::fs::copy(&path, &target).unwrap();
        if path.extension().is_some_and(|extension| extension == "log") {
            std::fs::File::options().write(true).open(&target).unwrap().set_len(SEGMENT_BYTES).unwrap();
        }
    }
}

#[test]
fn every_earlier_format_is_read() {
    let mut formats = 0;
    for entry in std::fs::read_dir(golden()).unwrap() {
        let directory = entry.unwrap().path();
        let scratch = tempfile::tempdir().unwrap();
        copy(&directory, scratch.path());
        let store = Store::open(scratch.path(), config()).unwrap();
        let report = store.restart_report();
        assert!(!report.clean && !report.created && report.units_replayed >= 1, "{report:?}");
        let sets = DataSets::new(store.clone()).unwrap();
        let (_, damage) = store.check();
        assert!(damage.is_empty(), "{}: {damage:?}", directory.display());
        check(&sets);
        if directory.file_name().is_some_and(|name| name != "1" && name != "2") {
            check_3(&sets);
        }
        formats += 1;
    }
    assert!(formats >= 1);
}

fn check_3(sets: &Arc<DataSets>) {
    let unit = sets.store().begin();
    let packed = sets.open("GOLD.PACKED.PATH", OpenOptions::default()).unwrap();
    let mut data = Vec::new();
    for number in 0..RECORDS {
        let key = format!("{number:04}");
        packed.read(&unit, RecordId::Key(key.as_bytes()), Search::EQUAL, &mut data).unwrap();
        assert_eq!(data, long_record(number));
    }
    let listing = idcams::run(sets, " LISTCAT LEVEL(GOLD) ALL", &NoDds, &IdcamsOptions::default()).listing;
    for text in ["COMP-FORMT", "EXPIRATION------1999.366", "EXPIRATION------1999.365", " PURGE "] {
        assert!(listing.contains(text), "{text}: {listing}");
    }
}

fn check(sets: &Arc<DataSets>) {
    let unit = sets.store().begin();
    let open = |name: &str| sets.open(name, OpenOptions::default()).unwrap();
    let ksds = open("GOLD.ALIAS");
    assert!(ksds.attributes().recoverable && ksds.attributes().base == "GOLD.KSDS");
    let (unique, duplicate) = (open("GOLD.UNIQUE.PATH"), open("GOLD.DUPS.PATH"));
    let (esds, rrds, vrrds) = (open("GOLD.ESDS"), open("GOLD.RRDS"), open("GOLD.VRRDS"));
    let mut data = Vec::new();
    for number in 0..RECORDS {
        let key = format!("{number:04}");
        ksds.read(&unit, RecordId::Key(key.as_bytes()), Search::EQUAL, &mut data).unwrap();
        assert_eq!(data, keyed_record(number));
        unique.read(&unit, RecordId::Key(&(number as u16).to_be_bytes()), Search::EQUAL, &mut data).unwrap();
        assert_eq!(data, keyed_record(number));
        rrds.read(&unit, RecordId::Rrn(number + 1), Search::EQUAL, &mut data).unwrap();
        assert_eq!(data, slot(number));
        vrrds.read(&unit, RecordId::Rrn(number + 1), Search::EQUAL, &mut data).unwrap();
        assert_eq!(data, slot(number)[..8]);
    }
    let mut browse = esds.start_browse(&unit, RecordId::Rba(0), Search::EQUAL).unwrap();
    let mut rba = 0;
    for number in 0..RECORDS {
        rba = browse.next(&unit, RecordId::Rba(rba), &mut data).unwrap().number;
        assert_eq!(data, keyed_record(number * 7 % RECORDS));
    }
    // Duplicates in the order they were written.
    let mut browse = duplicate.start_browse(&unit, RecordId::Key(b"B"), Search::EQUAL).unwrap();
    for number in (0..RECORDS).map(|number| number * 7 % RECORDS).filter(|number| number % 3 == 1) {
        browse.next(&unit, RecordId::Key(b"B"), &mut data).unwrap();
        assert_eq!(data, keyed_record(number));
    }
    let listing = idcams::run(sets, " LISTCAT LEVEL(GOLD) ALL", &NoDds, &IdcamsOptions::default());
    assert_eq!(listing.condition_code, 0, "{}", listing.listing);
    for text in ["GOLD.GROUP", "GOLD.FLAT", "NOUPDATE", "OWNER"] {
        assert!(listing.listing.contains(text), "{text}");
    }
}
