//! The start type of a region's next start: a utility run in between does not change it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use vsam::store::{Run, SEGMENT_SIZE_MIN};
use vsam::{Store, StoreConfig, ThreadWaiter};

fn open(directory: &Path, run: Run) -> Arc<Store> {
    let apply_interval = Duration::from_secs(3600);
    let config = StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 28, apply_interval, run, ..StoreConfig::default() };
    Store::open(directory, config).unwrap()
}

fn put(store: &Arc<Store>, key: &str) {
    let unit = store.begin();
    unit.put(&store.table("t").unwrap(), key.as_bytes(), b"value").unwrap();
    unit.commit(&ThreadWaiter::new()).unwrap();
}

/// The information for a region: whether the last one ended in an orderly way, whether there was none, and the number of units of work
/// replayed.
fn told(directory: &Path) -> (bool, bool, u64) {
    let store = open(directory, Run::Region);
    let report = store.restart_report().clone();
    store.abandon();
    (report.clean, report.created, report.units_replayed)
}

#[test]
fn a_utility_between_a_failure_and_the_next_start_leaves_it_an_emergency_start() {
    for utilities in 1..3 {
        let directory = tempfile::tempdir().unwrap();
        let store = open(directory.path(), Run::Region);
        put(&store, "a");
        put(&store, "b");
        store.abandon();
        drop(store);
        for number in 0..utilities {
            let utility = open(directory.path(), Run::Utility);
            assert!(!utility.restart_report().clean);
            if number == 1 {
                put(&utility, "c");
            }
            utility.close().unwrap();
        }
        assert_eq!(told(directory.path()), (false, false, 2), "{utilities} utilities");
        // The previous end has been reported; what follows concerns this start.
        assert_eq!(told(directory.path()), (false, false, 0));
    }
}

#[test]
fn a_utility_after_an_orderly_shutdown_keeps_the_warm_start() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path(), Run::Region);
    put(&store, "a");
    store.close().unwrap();
    drop(store);
    let utility = open(directory.path(), Run::Utility);
    put(&utility, "b");
    utility.abandon();
    drop(utility);
    let store = open(directory.path(), Run::Region);
    let report = store.restart_report();
    assert!(report.clean && !report.created && report.units_replayed == 1, "{report:?}");
    assert!(store.get(&store.table("t").unwrap(), b"b").unwrap().is_some());
}

#[test]
fn data_that_only_utilities_have_made_is_started_initially() {
    let directory = tempfile::tempdir().unwrap();
    for key in ["a", "b"] {
        let utility = open(directory.path(), Run::Utility);
        put(&utility, key);
        utility.close().unwrap();
    }
    assert_eq!(told(directory.path()), (true, true, 0));
    assert_eq!(told(directory.path()), (false, false, 0));
}

#[test]
fn a_utility_that_becomes_a_region_ends_as_one() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path(), Run::Utility);
    store.begin_run().unwrap();
    store.abandon();
    drop(store);
    let store = open(directory.path(), Run::Utility);
    assert!(!store.restart_report().clean && !store.restart_report().created);
    store.begin_run().unwrap();
    store.close().unwrap();
    drop(store);
    assert_eq!(told(directory.path()), (true, false, 0));
}
