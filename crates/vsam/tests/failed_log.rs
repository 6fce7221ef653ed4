//! Log files that are deleted, cut short or overwritten: a change that was not acknowledged is seen by nobody, and a start is refused only if
//! committed work may be lost.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use vsam::store::SEGMENT_SIZE_MIN;
use vsam::{Direction, Store, StoreConfig, StoreError, Table, ThreadWaiter};

/// Committed changes reach the pages when the store is closed, and not before.
fn try_open(directory: &Path) -> Result<Arc<Store>, StoreError> {
    let apply_interval = Duration::from_secs(3600);
    Store::open(directory, StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 28, apply_interval, ..StoreConfig::default() })
}

fn put(store: &Arc<Store>, table: &Table, key: &str, value: &str) -> Result<(), StoreError> {
    let unit = store.begin();
    unit.put(table, key.as_bytes(), value.as_bytes())?;
    unit.commit(&ThreadWaiter::new())
}

fn records(store: &Store, table: &Table) -> Vec<String> {
    let mut found = Vec::new();
    let mut visit = |key: &[u8], value: &[u8]| {
        found.push(format!("{}={}", String::from_utf8_lossy(key), String::from_utf8_lossy(value)));
        true
    };
    store.scan(table, None, Direction::Forward, &mut visit).unwrap();
    found
}

#[test]
fn changes_whose_sync_failed_are_seen_by_nobody() {
    for name in ["pages/data.mdb", "log/0000000000000001.log"] {
        let directory = tempfile::tempdir().unwrap();
        let store = try_open(directory.path()).unwrap();
        let table = store.table("t").unwrap();
        for key in ["changed", "deleted", "kept"] {
            put(&store, &table, key, "old").unwrap();
        }
        std::fs::remove_file(directory.path().join(name)).unwrap();
        let (unit, late) = (store.begin(), store.begin());
        unit.put(&table, b"added", b"new").unwrap();
        unit.put(&table, b"changed", b"new").unwrap();
        unit.delete(&table, b"deleted").unwrap();
        assert!(unit.commit(&ThreadWaiter::new()).is_err(), "{name}");
        assert_eq!(records(&store, &table), ["changed=old", "deleted=old", "kept=old"], "{name}");
        // Neither does a unit of work that began before the failure and goes on.
        assert_eq!(late.get(&table, b"changed").unwrap().as_deref(), Some(&b"old"[..]), "{name}");
        assert!(late.put(&table, b"late", b"new").and_then(|()| late.commit(&ThreadWaiter::new())).is_err(), "{name}");
        assert_eq!(store.get(&table, b"added").unwrap(), None, "{name}");
        assert_eq!(records(&store, &table).len(), 3, "{name}");
        store.abandon();
    }
}

#[test]
fn none_of_the_units_of_work_that_share_a_failed_sync_is_seen() {
    let directory = tempfile::tempdir().unwrap();
    let store = try_open(directory.path()).unwrap();
    let table = store.table("t").unwrap();
    put(&store, &table, "before", "old").unwrap();
    std::fs::remove_file(directory.path().join("pages/data.mdb")).unwrap();
    std::thread::scope(|scope| {
        for number in 0..16 {
            let (store, table) = (&store, &table);
            scope.spawn(move || {
                assert!(put(store, table, "before", "new").is_err());
                assert!(put(store, table, &format!("own{number}"), "new").is_err());
                assert_eq!(records(store, table), ["before=old"]);
            });
        }
    });
    store.abandon();
}

fn truncate(path: &Path, length: u64) {
    std::fs::OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

#[test]
fn a_commit_is_not_acknowledged_when_its_log_segment_was_cut_short() {
    for length in [0, 100, 5000] {
        let directory = tempfile::tempdir().unwrap();
        let store = try_open(directory.path()).unwrap();
        let table = store.table("t").unwrap();
        put(&store, &table, "before", "old").unwrap();
        truncate(&directory.path().join("log/0000000000000001.log"), length);
        let refused = put(&store, &table, "after", "new").unwrap_err().to_string();
        assert!(refused.contains("0000000000000001.log was given") && refused.contains("restore it"), "{refused}");
        assert_eq!(records(&store, &table), ["before=old"]);
        assert!(!store.is_working());
        store.abandon();
    }
}

/// A store with one record, ended in order or like a crash; returns its log segments.
fn ended(directory: &Path, is_orderly: bool) -> Vec<PathBuf> {
    let store = try_open(directory).unwrap();
    let table = store.table("t").unwrap();
    put(&store, &table, "kept", "value").unwrap();
    if is_orderly {
        store.close().unwrap()
    } else {
        store.abandon()
    }
    std::fs::read_dir(directory.join("log")).unwrap().map(|entry| entry.unwrap().path()).collect()
}

type Damage = (&'static str, fn(&Path));

const DAMAGES: [Damage; 4] = [
    ("cut short", |path| truncate(path, 5000)),
    ("emptied", |path| truncate(path, 0)),
    ("overwritten", |path| std::fs::write(path, vec![0xFF; 65536]).unwrap()),
    ("deleted", |path| std::fs::remove_file(path).unwrap()),
];

#[test]
fn a_damaged_log_does_not_matter_after_an_orderly_end_with_everything_in_the_pages() {
    for (what, damage) in DAMAGES {
        let directory = tempfile::tempdir().unwrap();
        ended(directory.path(), true).iter().for_each(|segment| damage(segment));
        // The first of these starts passes the log over, the second one reads a log again, the third replays it.
        for key in ["first", "second", "third"] {
            let store = try_open(directory.path()).unwrap_or_else(|error| panic!("{what}: {error}"));
            let table = store.table("t").unwrap();
            assert!(records(&store, &table).contains(&"kept=value".to_string()), "{what}");
            put(&store, &table, key, "new").unwrap();
            if key == "second" { store.abandon() } else { store.close().unwrap() }
        }
        let store = try_open(directory.path()).unwrap();
        assert_eq!(records(&store, &store.table("t").unwrap()), ["first=new", "kept=value", "second=new", "third=new"], "{what}");
    }
}

#[test]
fn a_damaged_log_refuses_the_start_after_a_failure() {
    for (what, damage) in DAMAGES {
        let directory = tempfile::tempdir().unwrap();
        ended(directory.path(), false).iter().for_each(|segment| damage(segment));
        let refused = try_open(directory.path()).map(drop).unwrap_err();
        assert!(matches!(refused, StoreError::SegmentDamaged { .. } | StoreError::LogSegmentMissing(_)), "{what}: {refused}");
    }
}

#[test]
fn pages_older_than_the_log_do_not_let_a_damaged_log_be_passed_over() {
    let directory = tempfile::tempdir().unwrap();
    let (pages, copy) = (directory.path().join("pages/data.mdb"), directory.path().join("copy"));
    ended(directory.path(), true);
    std::fs::copy(&pages, &copy).unwrap();
    // Later work, in a later segment of the log only.
    for segment in ended(directory.path(), false) {
        if segment.ends_with("0000000000000001.log") {
            truncate(&segment, 0);
        }
    }
    std::fs::copy(&copy, &pages).unwrap();
    let refused = try_open(directory.path()).map(drop).unwrap_err();
    assert!(matches!(refused, StoreError::SegmentDamaged { .. } | StoreError::LogSegmentMissing(_)), "{refused}");
}
