//! Damage of the system log: the reported place is correct, and damage to parts no longer needed does not prevent a start.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use vsam::store::SEGMENT_SIZE_MIN;
use vsam::{Store, StoreConfig, StoreError, ThreadWaiter};

/// Nothing reaches the pages by itself, so that everything stays in the log.
fn try_open(directory: &Path) -> Result<Arc<Store>, StoreError> {
    let apply_interval = Duration::from_secs(3600);
    Store::open(directory, StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 28, apply_interval, ..StoreConfig::default() })
}

/// Commits units of work of some length and leaves the store as a crash would.
fn crashed(units: u8, length: usize) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let store = try_open(directory.path()).unwrap();
    let table = store.table("t").unwrap();
    for number in 0..units {
        let unit = store.begin();
        unit.put(&table, &[number], &vec![number; length]).unwrap();
        unit.commit(&ThreadWaiter::new()).unwrap();
    }
    store.abandon();
    directory
}

/// The numbered segments, in order.
fn segments(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory.join("log")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|extension| extension == "log")).collect();
    paths.sort();
    paths
}

fn flip(path: &Path, offset: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[offset] ^= 0x40;
    std::fs::write(path, bytes).unwrap();
}

fn refusal(directory: &Path) -> String {
    try_open(directory).map(drop).expect_err("the start is refused").to_string()
}

#[test]
fn a_damaged_unused_segment_header_does_not_prevent_a_start() {
    for offset in [0, 9, 13, 17, 25, 33] {
        let directory = crashed(10, 100);
        let names = segments(directory.path());
        assert_eq!(names.len(), 2, "one in use, one prepared");
        flip(&names[1], offset);
        let store = try_open(directory.path()).unwrap_or_else(|error| panic!("offset {offset}: {error}"));
        assert_eq!(store.restart_report().units_replayed, 10);
        // The data after it is as safe as ever.
        let table = store.table("t").unwrap();
        let unit = store.begin();
        unit.put(&table, b"more", &vec![7; 100_000]).unwrap();
        unit.commit(&ThreadWaiter::new()).unwrap();
        store.abandon();
        drop((unit, table, store));
        let store = try_open(directory.path()).unwrap();
        assert!(store.get(&store.table("t").unwrap(), b"more").unwrap().is_some());
        store.abandon();
    }
}

#[test]
fn a_truncated_prepared_segment_does_not_prevent_a_start() {
    let directory = crashed(10, 100);
    let names = segments(directory.path());
    std::fs::File::options().write(true).open(&names[1]).unwrap().set_len(100).unwrap();
    let store = try_open(directory.path()).unwrap();
    assert_eq!(store.restart_report().units_replayed, 10);
    store.abandon();
}

#[test]
fn a_damaged_header_of_a_segment_in_use_is_named_with_what_to_do() {
    let directory = crashed(20, 50_000);
    let names = segments(directory.path());
    assert!(names.len() > 3, "{names:?}");
    for used in &names[..names.len() - 2] {
        flip(used, 17);
        let message = refusal(directory.path());
        assert!(message.contains(&used.display().to_string()) && message.contains("header"), "{message}");
        assert!(!message.contains("later records are intact"), "nobody has looked: {message}");
        assert!(message.contains("restore"), "what to do is said: {message}");
        flip(used, 17);
    }
    assert_eq!(try_open(directory.path()).unwrap().restart_report().units_replayed, 20);
}

#[test]
fn a_segment_in_use_that_is_cut_short_is_named() {
    let directory = crashed(20, 50_000);
    let names = segments(directory.path());
    let whole = std::fs::read(&names[1]).unwrap();
    std::fs::write(&names[1], &whole[..whole.len() / 2]).unwrap();
    let message = refusal(directory.path());
    assert!(message.contains(&names[1].display().to_string()) && message.contains("bytes"), "{message}");
    assert!(message.contains("restore") && !message.contains("later records are intact"), "{message}");
}

#[test]
fn damage_before_a_damaged_segment_header_is_located() {
    let directory = crashed(20, 50_000);
    let names = segments(directory.path());
    // The first record, and the header of the next segment: the record is reported first.
    let offset = 4096;
    flip(&names[0], offset + 3);
    flip(&names[1], 17);
    let message = refusal(directory.path());
    assert!(message.contains(&names[0].display().to_string()) && message.contains(&format!("offset {offset}")), "{message}");
    assert!(message.contains("later records are intact") && message.contains("restore"), "{message}");
}

#[test]
fn a_missing_segment_is_reported_with_advice() {
    let directory = crashed(20, 50_000);
    let names = segments(directory.path());
    std::fs::remove_file(&names[1]).unwrap();
    let message = refusal(directory.path());
    assert!(message.contains(&names[1].display().to_string()) && message.contains("restore"), "{message}");
}
