//! The behaviour of the store when the device fails. Fault points are global to the process, so there is only one test.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use vsam::fault::{self, Action};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::{Store, StoreConfig, StoreError, ThreadWaiter};

fn open(directory: &Path) -> Arc<Store> {
    let apply_interval = Duration::from_millis(10);
    let config = StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 30, apply_interval, ..StoreConfig::default() };
    Store::open(directory, config).unwrap()
}

fn put(store: &Arc<Store>, key: &str) -> Result<(), StoreError> {
    let unit = store.begin();
    unit.put(&store.table("t")?, key.as_bytes(), b"value")?;
    unit.commit(&ThreadWaiter::new())
}

fn has(store: &Store, key: &str) -> bool {
    store.get(&store.table("t").unwrap(), key.as_bytes()).unwrap().is_some()
}

#[test]
fn failures_of_log_and_pages() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    put(&store, "before").unwrap();

    // The pages fail a few times: committed work stays readable and reaches them later.
    for _ in 0..3 {
        fault::arm("pages.commit", 1, Action::Error);
    }
    put(&store, "pages").unwrap();
    assert!(has(&store, "pages"));
    store.keypoint().unwrap();
    fault::disarm();
    let (records, damage) = store.check();
    assert!(records == 2 && damage.is_empty());

    // The log fails once: that commit is refused, and nothing more is accepted.
    fault::arm("log.sync", 1, Action::Error);
    assert!(matches!(put(&store, "failed"), Err(StoreError::Io { .. })));
    fault::disarm();
    assert!(matches!(put(&store, "after"), Err(StoreError::Stopped(_))));
    assert!(matches!(store.keypoint(), Err(StoreError::Stopped(_))));
    assert!(matches!(store.close(), Err(StoreError::Stopped(_))));
    drop(store);

    // The restart finds everything acknowledged.
    let store = open(directory.path());
    assert!(has(&store, "before") && has(&store, "pages") && !has(&store, "after"));
    put(&store, "after").unwrap();
}
