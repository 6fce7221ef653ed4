//! Pages with damaged slots: LMDB has no checksum that would detect them, so the order and number of the keys must.

use std::path::Path;
use std::sync::Arc;

use vsam::idcams::{self, DdResolver, DdTarget, IdcamsOptions};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::{DataSets, Direction, FileError, LockWait, OpenOptions, RecordId, Search, Store, StoreConfig, StoreError, Table, ThreadWaiter};

const RECORDS: usize = 12;
const PAGE_BYTES: usize = 4096;
// LMDB 0.9, mdb.c, MDB_page and MDB_node: a page begins with its number (8 bytes), two bytes of padding, flags, lower and upper bound of
// its free space (two bytes each); offsets of nodes of two bytes each follow. A node begins with eight bytes, the last two the key's length.
const FLAGS_AT: usize = 10;
const LOWER_AT: usize = 12;
const SLOTS_AT: usize = 16;
const LEAF: u16 = 0x02;
const NODE_HEAD_LENGTH: usize = 8;

fn open(directory: &Path) -> Arc<Store> {
    Store::open(directory, StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 28, ..StoreConfig::default() }).unwrap()
}

fn key(number: usize) -> Vec<u8> {
    format!("KEY{number:03}").into_bytes()
}

fn half(page: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([page[at], page[at + 1]])
}

fn set_half(page: &mut [u8], at: usize, value: u16) {
    page[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

/// The position of the offset of the node with this key in a leaf page.
fn slot_of(page: &[u8], key: &[u8]) -> Option<usize> {
    let slots = (half(page, LOWER_AT) as usize).checked_sub(SLOTS_AT)? / 2;
    (0..slots).map(|slot| SLOTS_AT + slot * 2).find(|at| {
        let node = half(page, *at) as usize;
        let length = page.get(node + 6..node + 8).map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]) as usize);
        page.get(node + NODE_HEAD_LENGTH..node + NODE_HEAD_LENGTH + length) == Some(key)
    })
}

/// Changes every leaf page that contains both keys, including free pages. `damage` gets the page and the positions of their slots.
fn damage_leaves(directory: &Path, keys: [&[u8]; 2], damage: impl Fn(&mut [u8], usize, usize)) {
    let file = directory.join("pages/data.mdb");
    let mut bytes = std::fs::read(&file).unwrap();
    let mut damaged = 0;
    for page in bytes.chunks_exact_mut(PAGE_BYTES).filter(|page| half(page, FLAGS_AT) == LEAF) {
        if let (Some(first), Some(second)) = (slot_of(page, keys[0]), slot_of(page, keys[1])) {
            damage(page, first, second);
            damaged += 1;
        }
    }
    assert!(damaged > 0, "no page has the keys");
    std::fs::write(&file, bytes).unwrap();
}

/// The slot of the second key leads to its neighbour, the first.
fn doubled(page: &mut [u8], first: usize, second: usize) {
    let offset = half(page, first);
    set_half(page, second, offset);
}

/// The second key is gone and the page counts one node less.
fn lost(page: &mut [u8], _: usize, second: usize) {
    let lower = half(page, LOWER_AT);
    page.copy_within(second + 2..lower as usize, second);
    set_half(page, LOWER_AT, lower - 2);
}

fn prepared() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let unit = store.begin();
    for number in 0..RECORDS {
        unit.put(&table, &key(number), b"the record").unwrap();
    }
    unit.commit(&ThreadWaiter::new()).unwrap();
    store.close().unwrap();
    directory
}

fn count(store: &Store, table: &Table, from: Option<&[u8]>, direction: Direction) -> Result<usize, StoreError> {
    let mut records = 0;
    store.scan(table, from, direction, &mut |_, _| {
        records += 1;
        true
    })?;
    Ok(records)
}

#[test]
fn a_key_that_does_not_ascend_is_damage_in_either_direction() {
    for at in 0..RECORDS - 1 {
        let directory = prepared();
        damage_leaves(directory.path(), [&key(at), &key(at + 1)], doubled);
        let store = open(directory.path());
        let table = store.table("t").unwrap();
        for direction in [Direction::Forward, Direction::Backward] {
            let error = count(&store, &table, None, direction).unwrap_err();
            assert!(matches!(error, StoreError::RecordDamaged { .. }), "{at} {direction:?}: {error}");
            assert!(error.to_string().contains("order"), "{error}");
        }
        assert!(store.check_table(&table).is_err(), "{at}");
        store.abandon();
    }
}

#[test]
fn a_record_that_is_missing_from_its_page_is_missed() {
    let directory = prepared();
    damage_leaves(directory.path(), [&key(4), &key(5)], lost);
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let error = store.check_table(&table).unwrap_err().to_string();
    assert!(error.contains("11") && error.contains("12"), "the numbers are named: {error}");
    store.abandon();
}

const CLUSTER: &str = " DEFINE CLUSTER (NAME(A.B) INDEXED KEYS(6 0) RECORDSIZE(10 20) TRACKS(1 1))\n";

struct NoDds;

impl DdResolver for NoDds {
    fn resolve_dd(&self, _: &str) -> Option<DdTarget> {
        None
    }
}

fn data_sets(store: &Arc<Store>) -> Arc<DataSets> {
    DataSets::new(store.clone()).unwrap()
}

/// A key-sequenced data set of `records` records.
fn cluster(records: usize) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let sets = data_sets(&store);
    assert_eq!(idcams::run(&sets, CLUSTER, &NoDds, &IdcamsOptions { ccsid: 37, progress: None }).condition_code, 0);
    let file = sets.open("A.B", OpenOptions { recoverable: Some(true), ..Default::default() }).unwrap();
    let (unit, waiter) = (store.begin(), ThreadWaiter::new());
    for number in 0..records {
        let record = [key(number), b"some data".to_vec()].concat();
        file.write(&unit, None, &record, false, LockWait::never(&waiter)).unwrap();
    }
    unit.commit(&waiter).unwrap();
    drop((file, sets));
    store.close().unwrap();
    directory
}

#[test]
fn a_browse_reports_keys_out_of_order_at_any_block_boundary() {
    const LONG: usize = 60;
    for at in 0..LONG - 1 {
        let directory = cluster(LONG);
        damage_leaves(directory.path(), [&key(at), &key(at + 1)], doubled);
        let store = open(directory.path());
        let sets = data_sets(&store);
        let file = sets.open("A.B", Default::default()).unwrap();
        let unit = store.begin();
        let mut browse = file.start_browse(&unit, RecordId::Key(&key(0)), Search::EQUAL).unwrap();
        let (mut record, mut ridfld, mut seen) = (Vec::new(), key(0), Vec::new());
        let error = loop {
            match browse.next(&unit, RecordId::Key(&ridfld), &mut record) {
                Ok(found) => ridfld = found.key.to_vec(),
                Err(error) => break error,
            }
            seen.push(ridfld.clone());
        };
        assert!(matches!(error, FileError::Store(StoreError::RecordDamaged { .. })), "{at}: {error}, {} records", seen.len());
        assert!(seen.is_sorted_by(|one, other| one < other), "{at}: a record was given twice");
        drop((browse, file));
        let report = sets.check_cluster("A.B").unwrap();
        assert!(report.faults.iter().any(|fault| fault.contains("order")), "{at}: {report:?}");
        drop((unit, sets));
        store.abandon();
    }
}

#[test]
fn a_check_compares_the_number_of_records_with_what_it_reads() {
    let directory = cluster(30);
    damage_leaves(directory.path(), [&key(4), &key(5)], lost);
    let store = open(directory.path());
    let sets = data_sets(&store);
    let report = sets.check_cluster("A.B").unwrap();
    assert!(report.faults.iter().any(|fault| fault.contains("29") && fault.contains("30")), "{report:?}");
    store.abandon();
}
