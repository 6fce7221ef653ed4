//! Prepared units of work: an in-doubt unit of work keeps its state and its locks over restarts and keypoints, until its outcome is known.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use vsam::store::SEGMENT_SIZE_MIN;
use vsam::{LockWait, Store, StoreConfig, StoreError, ThreadWaiter, UnitOfWork};

fn open(directory: &Path) -> Arc<Store> {
    let apply_interval = Duration::from_secs(3600);
    let config = StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 28, apply_interval, ..StoreConfig::default() };
    Store::open(directory, config).unwrap()
}

fn get(store: &Arc<Store>, key: &[u8]) -> Option<Vec<u8>> {
    store.get(&store.table("t").unwrap(), key).unwrap()
}

fn put(store: &Arc<Store>, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
    let (unit, waiter) = (store.begin(), ThreadWaiter::new());
    let table = store.table("t")?;
    unit.lock(&table, key, LockWait::up_to(&waiter, Duration::from_secs(5)))?;
    unit.put(&table, key, value)?;
    unit.commit(&waiter)
}

/// A unit of work with a change, a deletion, a lock and a value that needs several log records, prepared.
fn prepared(store: &Arc<Store>) -> UnitOfWork {
    put(store, b"changed", b"before").unwrap();
    put(store, b"deleted", b"before").unwrap();
    let (unit, waiter) = (store.begin(), ThreadWaiter::new());
    let table = store.table("t").unwrap();
    for key in [&b"changed"[..], b"deleted", b"large", b"only locked"] {
        unit.lock(&table, key, LockWait::never(&waiter)).unwrap();
    }
    unit.put(&table, b"changed", b"after").unwrap();
    unit.delete(&table, b"deleted").unwrap();
    unit.put(&table, b"large", &[7; 100_000]).unwrap();
    unit.prepare(b"whose it is", &waiter).unwrap();
    unit
}

fn is_undecided(store: &Arc<Store>) {
    assert_eq!(get(store, b"changed").as_deref(), Some(&b"before"[..]));
    assert!(get(store, b"deleted").is_some() && get(store, b"large").is_none());
    for key in [&b"changed"[..], b"deleted", b"large", b"only locked"] {
        assert!(matches!(put(store, key, b"other"), Err(StoreError::Retained(_))), "{key:?}");
    }
}

fn is_committed(store: &Arc<Store>) {
    assert_eq!(get(store, b"changed").as_deref(), Some(&b"after"[..]));
    assert!(get(store, b"deleted").is_none());
    assert_eq!(get(store, b"large").unwrap(), [7; 100_000]);
}

/// The one unit of work in doubt.
fn in_doubt(store: &Arc<Store>) -> UnitOfWork {
    let mut units = store.take_in_doubt().unwrap();
    assert_eq!(units.len(), 1);
    let (unit, description) = units.remove(0);
    assert_eq!(description, b"whose it is");
    unit
}

fn crash(store: Arc<Store>, units: Vec<UnitOfWork>) {
    store.abandon();
    drop(units);
    drop(store);
}

#[test]
fn a_prepared_unit_stays_in_doubt_over_a_restart_until_resolved() {
    for keypoint in [false, true] {
        let directory = tempfile::tempdir().unwrap();
        let store = open(directory.path());
        store.set_keypoint_frequency(1);
        let unit = prepared(&store);
        unit.retain_locks();
        is_undecided(&store);
        if keypoint {
            // The log is cut behind the prepared unit, so it is now in the pages.
            for round in 0..12u8 {
                put(&store, b"filler", &[round; 100_000]).unwrap();
                store.keypoint().unwrap();
            }
        }
        crash(store, vec![unit]);

        // Twice in doubt, because there was no decision.
        let store = open(directory.path());
        assert_eq!(store.restart_report().units_in_doubt, 1);
        // Also for openers that do not ask for it, such as a batch job.
        is_undecided(&store);
        let unit = in_doubt(&store);
        is_undecided(&store);
        crash(store, vec![unit]);
        let store = open(directory.path());
        let unit = in_doubt(&store);
        is_undecided(&store);
        unit.commit(&ThreadWaiter::new()).unwrap();
        is_committed(&store);
        put(&store, b"only locked", b"free").unwrap();
        crash(store, vec![unit]);

        let store = open(directory.path());
        assert_eq!(store.restart_report().units_in_doubt, 0);
        is_committed(&store);
        store.keypoint().unwrap();
        crash(store, Vec::new());
        is_committed(&open(directory.path()));
    }
}

#[test]
fn a_backout_after_prepare_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let unit = prepared(&store);
    unit.backout();
    put(&store, b"changed", b"by another").unwrap();
    crash(store, vec![unit]);
    let store = open(directory.path());
    assert_eq!(store.restart_report().units_in_doubt, 0);
    assert_eq!(get(&store, b"changed").as_deref(), Some(&b"by another"[..]));
    assert!(get(&store, b"large").is_none());
}

#[test]
fn a_prepared_unit_takes_no_more_changes() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let unit = prepared(&store);
    let table = store.table("t").unwrap();
    assert!(matches!(unit.put(&table, b"more", b"x"), Err(StoreError::Ended)));
    assert!(matches!(unit.prepare(b"", &ThreadWaiter::new()), Err(StoreError::Ended)));
    unit.commit(&ThreadWaiter::new()).unwrap();
    is_committed(&store);
}

#[test]
fn waiters_for_a_lock_that_becomes_retained_are_rejected() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let unit = prepared(&store);
    let waiting = {
        let store = store.clone();
        std::thread::spawn(move || put(&store, b"changed", b"other"))
    };
    testing::eventually("the other unit of work waits", || store.locks().iter().any(|lock| !lock.waiters.is_empty()));
    unit.retain_locks();
    assert!(matches!(waiting.join().unwrap(), Err(StoreError::Retained(owner)) if owner == unit.id()));
    unit.backout();
    put(&store, b"changed", b"other").unwrap();
}
