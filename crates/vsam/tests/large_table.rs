//! The size of a data table: it is not limited to 2 GB.

use vsam::catalog::{Attributes, Organization};
use vsam::data_tables::{LoadEnd, LoadProgress};
use vsam::*;

const RECORDS: u32 = 66_000;
const RECORD_BYTES: usize = 32_700;
/// The limit of a signed 32-bit number.
const GIGABYTES_2: u64 = 1 << 31;

/// A key of eight digits, a filler that distinguishes the record from others, and the key again in its last eight bytes.
fn record(number: u32) -> Vec<u8> {
    let key = format!("{number:08}").into_bytes();
    let mut record = key.clone();
    record.resize(RECORD_BYTES - key.len(), (number % 251) as u8);
    record.extend_from_slice(&key);
    record
}

fn read(file: &File, unit: &UnitOfWork, number: u32) -> Result<Vec<u8>, FileError> {
    let mut data = Vec::new();
    file.read(unit, RecordId::Key(&record(number)[..8]), Search::EQUAL, &mut data).map(|_| data)
}

#[test]
fn a_user_maintained_table_continues_beyond_2_gb() {
    // In memory if possible: two gigabytes are written without using the device.
    let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let data_sets = DataSets::new(Store::open(directory.path(), StoreConfig::default()).unwrap()).unwrap();
    // The source is compressed, so that the bytes are on the disk once.
    let attributes = Attributes { ci_size: 32_768, compressed: true, ..Attributes::new(8, 0, RECORD_BYTES as u32, RECORD_BYTES as u32) };
    data_sets.define_cluster("LARGE.SOURCE", Organization::Ksds, attributes).unwrap();
    let mut load = data_sets.sequential_load("LARGE.SOURCE").unwrap().unwrap();
    (0..RECORDS).for_each(|number| load.put(&record(number)).unwrap());
    load.finish().unwrap();

    let (table, load) = data_sets.open_user_table("LARGE", "LARGE.SOURCE", true, u64::MAX).unwrap();
    let progress = LoadProgress::default();
    assert_eq!(load.run(&progress).unwrap(), LoadEnd::Complete);
    assert_eq!(progress.records(), u64::from(RECORDS));
    let pages = std::fs::metadata(directory.path().join("pages/data.mdb")).unwrap().len();
    assert!(pages > u64::from(RECORDS) * RECORD_BYTES as u64, "{pages} bytes are not the records");

    let behind = (GIGABYTES_2 / RECORD_BYTES as u64) as u32 + 1;
    let waiter = ThreadWaiter::new();
    let unit = data_sets.store().begin();
    for number in [0, behind, RECORDS - 1] {
        assert!(read(&table, &unit, number).unwrap() == record(number), "{number}");
    }
    assert!(matches!(read(&table, &unit, RECORDS), Err(FileError::NotFound)));
    // It changes there, and its source does not.
    let key = record(behind)[..8].to_vec();
    let (_, token) = table.read_update(&unit, RecordId::Key(&key), Search::EQUAL, LockWait::never(&waiter), &mut Vec::new()).unwrap();
    let changed = [&key[..], b"changed"].concat();
    table.rewrite(&unit, token, &changed, LockWait::never(&waiter)).unwrap();
    table.write(&unit, None, &record(RECORDS), false, LockWait::never(&waiter)).unwrap();
    unit.commit(&waiter).unwrap();
    let unit = data_sets.store().begin();
    assert_eq!(read(&table, &unit, behind).unwrap(), changed);
    assert!(read(&table, &unit, RECORDS).unwrap() == record(RECORDS));
    let source = data_sets.open("LARGE.SOURCE", OpenOptions::default()).unwrap();
    assert!(read(&source, &unit, behind).unwrap() == record(behind));

    // A CICS-maintained table takes every record, too.
    let progress = LoadProgress::default();
    assert_eq!(data_sets.load_cics_table(&source, u64::MAX).run(&progress).unwrap(), LoadEnd::Complete);
    assert!(progress.records() * RECORD_BYTES as u64 > GIGABYTES_2);
}
