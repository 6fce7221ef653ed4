//! A full device: the store of a region waits for room, loses nothing and continues by itself; at shutdown it reports what it could not
//! write.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use vsam::disk::{Disk, FaultDisk, FaultKind, FaultPlan, RealDisk};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::{Store, StoreConfig, StoreError, ThreadWaiter};

const PATIENCE: Duration = Duration::from_secs(60);

fn open(directory: &Path, disk: Arc<dyn Disk>) -> Arc<Store> {
    let apply_retry_pause = Duration::from_millis(5);
    let config = StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 28, apply_retry_pause, disk, ..StoreConfig::default() };
    let store = Store::open(directory, config).unwrap();
    store.begin_run().unwrap();
    store
}

fn put(store: &Arc<Store>, key: &str, value: &[u8]) -> Result<(), StoreError> {
    let unit = store.begin();
    unit.put(&store.table("t")?, key.as_bytes(), value)?;
    unit.commit(&ThreadWaiter::new())
}

fn has(store: &Store, key: &str) -> bool {
    store.get(&store.existing_table("t").unwrap(), key.as_bytes()).unwrap().is_some()
}

/// Waits until the store has noticed that there is no room.
fn wait_for_shortage(store: &Store) {
    testing::eventually_within(PATIENCE, "a full device", || {
        assert!(store.is_working());
        store.lacks_room().is_some()
    });
}

/// The first unit of work that finds the log full: it is in the log's memory and can only wait.
fn one_that_waits(store: &Arc<Store>, disk: &FaultDisk) -> std::thread::JoinHandle<Result<(), StoreError>> {
    full(disk);
    let waiting = {
        let store = store.clone();
        std::thread::spawn(move || put(&store, "waiting", b"2"))
    };
    wait_for_shortage(store);
    waiting
}

fn full(disk: &FaultDisk) {
    disk.set_plan(Some(FaultPlan { at_operation: 1, kind: FaultKind::Full, seed: 1 }));
}

#[test]
fn units_of_work_wait_for_room_and_the_store_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let disk = FaultDisk::new(directory.path(), None).unwrap();
    let store = open(directory.path(), Arc::new(disk.clone()));
    put(&store, "before", b"1").unwrap();
    let waiting = one_that_waits(&store, &disk);
    assert!(put(&store, "refused", b"3").is_err_and(|error| error.is_no_room()), "no other waits for ever");
    assert!(store.is_working() && !waiting.is_finished());
    assert!(has(&store, "before"), "reading goes on");
    disk.mend();
    waiting.join().unwrap().unwrap();
    put(&store, "after", b"4").unwrap();
    store.keypoint().unwrap();
    store.close().unwrap();
    assert_eq!(store.failure(), None);
    drop(store);
    let store = open(directory.path(), Arc::new(RealDisk));
    assert!(store.restart_report().clean);
    assert!(has(&store, "before") && has(&store, "waiting") && has(&store, "after") && !has(&store, "refused"));
}

#[test]
fn a_device_that_fills_again_and_again_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let disk = FaultDisk::new(directory.path(), None).unwrap();
    let store = open(directory.path(), Arc::new(disk.clone()));
    store.table("t").unwrap();
    let stop = AtomicBool::new(false);
    let done: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..6)
            .map(|worker| {
                let (store, stop) = (&store, &stop);
                scope.spawn(move || work(store, &worker.to_string(), stop))
            })
            .collect();
        for round in 0..20 {
            std::thread::sleep(Duration::from_millis(20));
            disk.set_plan(Some(FaultPlan { at_operation: 1 + round % 7, kind: FaultKind::Full, seed: round }));
            std::thread::sleep(Duration::from_millis(30));
            disk.mend();
        }
        stop.store(true, Ordering::Relaxed);
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(done.len() > 20, "only {} units of work", done.len());
    assert!(store.is_working());
    store.abandon();
    disk.lose_power();
    drop(store);
    drop(FaultDisk::new(directory.path(), None).unwrap());
    let store = open(directory.path(), Arc::new(RealDisk));
    let lost: Vec<&String> = done.iter().filter(|key| !has(&store, key)).collect();
    assert!(lost.is_empty(), "{} of {} are lost: {:?}", lost.len(), done.len(), &lost[..lost.len().min(5)]);
    assert!(store.check().1.is_empty());
}

#[test]
fn a_shutdown_without_room_reports_and_loses_no_commit() {
    let directory = tempfile::tempdir().unwrap();
    let disk = FaultDisk::new(directory.path(), None).unwrap();
    let store = open(directory.path(), Arc::new(disk.clone()));
    put(&store, "before", b"1").unwrap();
    let waiting = one_that_waits(&store, &disk);
    assert!(store.close().is_err());
    assert!(waiting.join().unwrap().is_err(), "nobody waits for ever");
    assert!(store.failure().is_some_and(|why| why.contains("storage") || why.contains("space")), "{:?}", store.failure());
    drop(store);
    disk.mend();
    let store = open(directory.path(), Arc::new(RealDisk));
    assert!(!store.restart_report().clean && has(&store, "before"));
}

/// A separate file system in memory, if this user may mount one.
struct SmallDevice(tempfile::TempDir);

impl SmallDevice {
    fn mount(bytes: usize) -> Option<SmallDevice> {
        let directory = tempfile::tempdir().unwrap();
        let options = format!("size={bytes}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(directory.path()).status();
        mounted.is_ok_and(|status| status.success()).then_some(SmallDevice(directory))
    }

    /// Takes all the room there is.
    fn fill(&self) -> std::path::PathBuf {
        let path = self.0.path().join("ballast");
        let mut file = std::fs::File::create(&path).unwrap();
        while std::io::Write::write(&mut file, &[1; 4096]).is_ok_and(|count| count > 0) {}
        path
    }
}

impl Drop for SmallDevice {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
fn a_real_device_that_is_full_and_has_room_again() {
    let Some(device) = SmallDevice::mount(24 << 20) else {
        eprintln!("this user may not mount a file system: not tested");
        return;
    };
    let data = device.0.path().join("data");
    let store = open(&data, Arc::new(RealDisk));
    put(&store, "before", b"1").unwrap();
    for round in 0..3 {
        let ballast = device.fill();
        let stop = AtomicBool::new(false);
        let done: Vec<String> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..3)
                .map(|worker| {
                    scope.spawn({
                        let (store, stop) = (&store, &stop);
                        move || work(store, &format!("{round}-{worker}"), stop)
                    })
                })
                .collect();
            wait_for_shortage(&store);
            assert!(has(&store, "before"), "reading goes on");
            std::fs::remove_file(&ballast).unwrap();
            testing::eventually_within(PATIENCE, "room again", || {
                assert!(store.is_working());
                store.lacks_room().is_none()
            });
            stop.store(true, Ordering::Relaxed);
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        put(&store, "after", b"3").unwrap();
        store.keypoint().unwrap();
        assert!(!done.is_empty() && done.iter().all(|key| has(&store, key)));
        if round == 2 {
            store.abandon();
            drop(store);
            let store = open(&data, Arc::new(RealDisk));
            assert!(has(&store, "before") && done.iter().all(|key| has(&store, key)));
            assert!(store.check().1.is_empty());
            return store.close().unwrap();
        }
        // Room for the next round.
        store.clear_table(&store.table("t").unwrap()).unwrap();
        put(&store, "before", b"1").unwrap();
    }
}

/// Commits until told to stop; returns the acknowledged keys.
fn work(store: &Arc<Store>, prefix: &str, stop: &AtomicBool) -> Vec<String> {
    let mut done = Vec::new();
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let key = format!("{prefix}-{number:06}");
        match put(store, &key, &vec![b'x'; 2_000 + number % 9_000]) {
            Ok(()) => done.push(key),
            Err(error) => {
                assert!(error.is_no_room(), "{error}");
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
    done
}
