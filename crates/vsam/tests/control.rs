//! Control of control intervals between READ UPDATE and REWRITE, kept (CILOCK=YES) and not kept.

use std::sync::Arc;

use vsam::buffers::{BUFFER_SIZES, BufferPool, PoolShape};
use vsam::idcams::{self, DdResolver, DdTarget, IdcamsOptions};
use vsam::{DataSets, File, FileError, LockWait, OpenContext, RecordId, Resources, Search, Store, StoreConfig, ThreadWaiter, UnitOfWork};

struct NoDds;

impl DdResolver for NoDds {
    fn resolve_dd(&self, _name: &str) -> Option<DdTarget> {
        None
    }
}

fn sets(directory: &std::path::Path) -> (Arc<Store>, Arc<DataSets>) {
    let store = Store::open(directory, StoreConfig::default()).unwrap();
    let sets = DataSets::new(store.clone()).unwrap();
    let define = "  DEFINE CLUSTER (NAME(T.C) INDEXED KEYS(4 0) RECORDSIZE(100 100) CISZ(512) TRACKS(1 1))\n";
    let outcome = idcams::run(&sets, define, &NoDds, &IdcamsOptions { ccsid: 37, progress: None });
    assert_eq!(outcome.condition_code, 0, "{}", outcome.listing);
    (store, sets)
}

fn open(sets: &Arc<DataSets>, resources: Resources, keep_control: bool) -> File {
    let pool = Some(Arc::new(BufferPool::new(&PoolShape { data: [9; BUFFER_SIZES.len()], ..PoolShape::default() })));
    let context = OpenContext { pool, resources, keep_control, ..OpenContext::default() };
    sets.open_in("T.C", Default::default(), context).unwrap()
}

fn record(key: &str) -> Vec<u8> {
    format!("{key:<100}").into_bytes()
}

/// Eight records of five to an interval (512 - 4 - 6 bytes): A001 to A005 in the first.
fn fill(store: &Arc<Store>, file: &File) {
    let waiter = ThreadWaiter::new();
    let unit = store.begin();
    for number in 1..=8 {
        file.write(&unit, None, &record(&format!("A{number:03}")), false, LockWait::forever(&waiter)).unwrap();
    }
    unit.commit(&waiter).unwrap();
}

fn update(file: &File, unit: &UnitOfWork, key: &str) -> Result<vsam::Token, FileError> {
    let waiter = ThreadWaiter::new();
    let wait = LockWait::never(&waiter);
    file.read_update(unit, RecordId::Key(key.as_bytes()), Search::EQUAL, wait, &mut Vec::new()).map(|(_, token)| token)
}

#[test]
fn a_kept_interval_keeps_other_records_of_it_until_rewrite() {
    let directory = tempfile::tempdir().unwrap();
    let (store, sets) = sets(directory.path());
    for resources in [Resources::Shared, Resources::Own] {
        let file = open(&sets, resources, true);
        if resources == Resources::Shared {
            fill(&store, &file);
        }
        let waiter = ThreadWaiter::new();
        let (one, two) = (store.begin(), store.begin());
        let token = update(&file, &one, "A001").unwrap();
        assert!(matches!(update(&file, &two, "A002"), Err(FileError::RecordBusy(owner)) if owner == one.id()), "{resources:?}");
        assert!(matches!(update(&file, &one, "A002"), Err(FileError::SelfDeadlock)), "its own interval");
        let other = update(&file, &two, "A008").expect("another interval");
        file.unlock(&two, other).unwrap();
        // A read of the interval waits for a pool's one copy only.
        assert_eq!(file.is_contended(), resources == Resources::Shared);
        let read = file.await_interval(&two, RecordId::Key(b"A003"), Search::EQUAL, LockWait::never(&waiter));
        assert_eq!(read.is_err(), resources == Resources::Shared);
        file.rewrite(&one, token, &record("A001"), LockWait::never(&waiter)).unwrap();
        let token = update(&file, &two, "A002").expect("the interval is free");
        assert!(file.statistics().exclusive_waits >= 1);
        file.unlock(&two, token).unwrap();
        // The end of a unit of work releases everything.
        update(&file, &one, "A003").unwrap();
        one.commit(&waiter).unwrap();
        update(&file, &two, "A003").unwrap();
        two.commit(&waiter).unwrap();
    }
}

#[test]
fn released_intervals_block_no_request() {
    let directory = tempfile::tempdir().unwrap();
    let (store, sets) = sets(directory.path());
    let file = open(&sets, Resources::Shared, false);
    fill(&store, &file);
    let (one, two) = (store.begin(), store.begin());
    update(&file, &one, "A001").unwrap();
    update(&file, &one, "A002").unwrap();
    update(&file, &two, "A003").unwrap();
    assert!(matches!(update(&file, &two, "A001"), Err(FileError::RecordBusy(_))), "the record is");
    assert_eq!(file.statistics().exclusive_waits, 0);
}
