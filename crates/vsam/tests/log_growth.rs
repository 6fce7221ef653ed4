//! Log segments grow with use: a store with little work takes little room, and a busy one gets long segments.

use std::path::Path;
use std::sync::Arc;

use vsam::{Store, StoreConfig, ThreadWaiter};

const MIB: u64 = 1 << 20;

fn open(directory: &Path, segment_size: u64) -> Arc<Store> {
    Store::open(directory, StoreConfig { segment_size, map_size: 1 << 30, ..StoreConfig::default() }).unwrap()
}

fn put(store: &Arc<Store>, key: u32, length: usize) {
    let unit = store.begin();
    unit.put(&store.table("t").unwrap(), &key.to_be_bytes(), &vec![key as u8; length]).unwrap();
    unit.commit(&ThreadWaiter::new()).unwrap();
}

fn log_files(directory: &Path) -> Vec<u64> {
    std::fs::read_dir(directory.join("log")).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).collect()
}

#[test]
fn seven_records_take_little_room() {
    let directory = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let store = open(directory.path(), StoreConfig::default().segment_size);
        (0..7).for_each(|key| put(&store, key, 80));
        store.close().unwrap();
        drop(store);
        let bytes: u64 = log_files(directory.path()).iter().sum();
        assert!(bytes <= 6 * MIB, "{bytes} bytes of log for seven records");
    }
}

#[test]
fn segments_become_longer_while_much_is_written_and_all_of_it_is_replayed() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path(), 8 * MIB);
    // Nothing is cut, so that all of it is replayed.
    store.set_keypoint_frequency(0);
    let mut first = Vec::new();
    for key in 0..400 {
        // Some records are longer than the next segment is by then.
        put(&store, key, if key % 100 == 3 { 1_000_000 } else { 50_000 + key as usize });
        if key == 2 {
            first = log_files(directory.path());
        }
    }
    store.abandon();
    drop(store);
    let grown = log_files(directory.path());
    assert!(first.iter().all(|length| *length < MIB), "{first:?}");
    assert_eq!(grown.iter().max(), Some(&(8 * MIB)), "{grown:?}");
    let store = open(directory.path(), 8 * MIB);
    let table = store.table("t").unwrap();
    for key in 0..400u32 {
        let record = store.get(&table, &key.to_be_bytes()).unwrap().unwrap_or_default();
        assert!(!record.is_empty() && record.iter().all(|byte| *byte == key as u8), "record {key}");
    }
}
