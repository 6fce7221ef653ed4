//! The store through its public interface: isolation, durability over restarts, damage, limits.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use vsam::store::{KEY_LENGTH_MAX, SEGMENT_SIZE_MIN, VALUE_LENGTH_MAX};
use vsam::{Change, Direction, LockWait, Store, StoreConfig, StoreError, Table, ThreadWaiter};

fn config() -> StoreConfig {
    StoreConfig { segment_size: 4 << 20, map_size: 1 << 32, ..StoreConfig::default() }
}

/// A configuration whose applier does nothing by itself, so that everything stays in the log.
fn lazy() -> StoreConfig {
    StoreConfig { apply_interval: Duration::from_secs(3600), ..config() }
}

fn open(directory: &Path) -> Arc<Store> {
    Store::open(directory, lazy()).unwrap()
}

fn put(store: &Arc<Store>, table: &Table, key: &str, value: &[u8]) {
    let unit = store.begin();
    unit.put(table, key.as_bytes(), value).unwrap();
    unit.commit(&ThreadWaiter::new()).unwrap();
}

fn get(store: &Store, table: &Table, key: &str) -> Option<Vec<u8>> {
    store.get(table, key.as_bytes()).unwrap()
}

#[test]
fn changes_are_private_until_commit_and_gone_after_backout() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let (one, two) = (store.begin(), store.begin());
    one.put(&table, b"a", b"1").unwrap();
    assert_eq!(one.get(&table, b"a").unwrap().as_deref(), Some(&b"1"[..]));
    assert_eq!(two.get(&table, b"a").unwrap(), None);
    one.commit(&ThreadWaiter::new()).unwrap();
    assert_eq!(two.get(&table, b"a").unwrap().as_deref(), Some(&b"1"[..]));
    two.delete(&table, b"a").unwrap();
    assert_eq!(two.get(&table, b"a").unwrap(), None);
    two.backout();
    assert!(matches!(two.get(&table, b"a"), Err(StoreError::Ended)));
    assert_eq!(get(&store, &table, "a").as_deref(), Some(&b"1"[..]));
}

#[test]
fn a_scan_merges_own_changes_committed_changes_and_pages() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    for key in ["b", "d", "f"] {
        put(&store, &table, key, b"pages");
    }
    store.keypoint().unwrap();
    put(&store, &table, "c", b"overlay");
    put(&store, &table, "d", b"overlay");
    let unit = store.begin();
    unit.put(&table, b"a", b"own").unwrap();
    unit.delete(&table, b"f").unwrap();
    let seen = |from: Option<&[u8]>, direction| {
        let mut seen = String::new();
        unit.scan(&table, from, direction, &mut |key, value| {
            seen.push(key[0] as char);
            seen.push(value[0] as char);
            true
        })
        .unwrap();
        seen
    };
    assert_eq!(seen(None, Direction::Forward), "aobpcodo");
    assert_eq!(seen(None, Direction::Backward), "docobpao");
    assert_eq!(seen(Some(b"c"), Direction::Forward), "codo");
    assert_eq!(seen(Some(b"c"), Direction::Backward), "cobpao");
    assert_eq!(seen(Some(b"bb"), Direction::Backward), "bpao");
}

#[test]
fn committed_work_survives_a_crash_and_an_orderly_close() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    assert!(store.restart_report().created);
    let table = store.table("t").unwrap();
    put(&store, &table, "kept", b"1");
    let open_unit = store.begin();
    open_unit.put(&table, b"lost", b"1").unwrap();
    store.abandon();
    drop((open_unit, store));

    let store = open(directory.path());
    assert!(!store.restart_report().clean);
    assert_eq!(store.restart_report().units_replayed, 1);
    let table = store.table("t").unwrap();
    assert_eq!(get(&store, &table, "kept").as_deref(), Some(&b"1"[..]));
    assert_eq!(get(&store, &table, "lost"), None);
    put(&store, &table, "second", b"2");
    store.close().unwrap();
    let refused = store.begin();
    refused.put(&table, b"x", b"y").unwrap();
    assert!(matches!(refused.commit(&ThreadWaiter::new()), Err(StoreError::Stopped(_))));
    drop((refused, store));

    let store = open(directory.path());
    assert!(store.restart_report().clean);
    assert_eq!(store.restart_report().units_replayed, 0);
    assert_eq!(get(&store, &store.table("t").unwrap(), "second").as_deref(), Some(&b"2"[..]));
}

#[test]
fn a_second_open_is_refused_while_the_first_lives() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let second = Store::open(directory.path(), config());
    assert!(matches!(second, Err(StoreError::InUse(_, process)) if process == std::process::id()));
    drop(store);
    open(directory.path());
}

#[test]
fn limits_of_keys_and_values() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let unit = store.begin();
    assert!(matches!(unit.put(&table, b"", b"v"), Err(StoreError::KeyLength(0))));
    assert!(matches!(unit.put(&table, &[1; KEY_LENGTH_MAX + 1], b"v"), Err(StoreError::KeyLength(_))));
    assert!(matches!(unit.put(&table, b"k", &vec![0; VALUE_LENGTH_MAX + 1]), Err(StoreError::ValueLength(_))));
    unit.put(&table, &[1; KEY_LENGTH_MAX], &vec![7; VALUE_LENGTH_MAX]).unwrap();
    unit.put(&table, b"empty", b"").unwrap();
    unit.commit(&ThreadWaiter::new()).unwrap();
    for _ in 0..2 {
        assert_eq!(store.get(&table, &[1; KEY_LENGTH_MAX]).unwrap().unwrap(), vec![7; VALUE_LENGTH_MAX]);
        assert_eq!(get(&store, &table, "empty").as_deref(), Some(&b""[..]));
        store.keypoint().unwrap();
    }
}

#[test]
fn a_unit_larger_than_a_segment_is_atomic_over_a_crash() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let unit = store.begin();
    for index in 0..400u32 {
        unit.put(&table, &index.to_be_bytes(), &vec![index as u8; 32_760]).unwrap();
    }
    unit.commit(&ThreadWaiter::new()).unwrap();
    store.abandon();
    drop((unit, store));
    let store = open(directory.path());
    assert_eq!(store.restart_report().units_replayed, 1);
    let table = store.table("t").unwrap();
    assert_eq!(store.check_table(&table).unwrap(), 400);
    assert_eq!(store.get(&table, &399u32.to_be_bytes()).unwrap().unwrap(), vec![143; 32_760]);
}

/// Writes units "0" to "9", one sync each, and leaves the store as a crash would. Answers the log segment.
fn ten_units(directory: &Path) -> PathBuf {
    let store = open(directory);
    let table = store.table("t").unwrap();
    for index in 0..10 {
        put(&store, &table, &index.to_string(), &[b'v'; 100]);
    }
    store.abandon();
    drop(store);
    directory.join("log/0000000000000001.log")
}

/// Offsets of the ten records: 4096 and then each 32 (header) + 16 + 12 + 1 + 8 + 100 bytes, padded to 8.
fn record_offset(index: usize) -> usize {
    4096 + index * 176
}

#[test]
fn a_torn_tail_is_cut_at_any_byte() {
    for cut in [1, 31, 32, 100, 168] {
        let directory = tempfile::tempdir().unwrap();
        let segment = ten_units(directory.path());
        let mut bytes = std::fs::read(&segment).unwrap();
        bytes[record_offset(9) + cut..].fill(0);
        std::fs::write(&segment, bytes).unwrap();
        let store = open(directory.path());
        assert_eq!(store.restart_report().units_replayed, 9, "cut at {cut}");
        let table = store.table("t").unwrap();
        assert!(get(&store, &table, "8").is_some());
        assert_eq!(get(&store, &table, "9"), None);
        put(&store, &table, "9", b"again");
        store.abandon();
        drop(store);
        let store = open(directory.path());
        assert_eq!(get(&store, &store.table("t").unwrap(), "9").as_deref(), Some(&b"again"[..]));
    }
}

#[test]
fn a_damaged_middle_refuses_the_start_and_names_the_record() {
    for offset in [0, 5, 9, 17, 24, 29, 32, 60, 150] {
        let directory = tempfile::tempdir().unwrap();
        let segment = ten_units(directory.path());
        let mut bytes = std::fs::read(&segment).unwrap();
        bytes[record_offset(4) + offset] ^= 0x10;
        std::fs::write(&segment, &bytes).unwrap();
        let message = match Store::open(directory.path(), lazy()) {
            Err(error @ StoreError::LogDamaged { .. }) => error.to_string(),
            other => panic!("offset {offset}: {:?}", other.err()),
        };
        assert!(message.contains("0000000000000001.log") && message.contains(&record_offset(4).to_string()), "{message}");
        bytes[record_offset(4) + offset] ^= 0x10;
        std::fs::write(&segment, &bytes).unwrap();
        assert_eq!(open(directory.path()).restart_report().units_replayed, 10);
    }
}

#[test]
fn a_missing_segment_refuses_the_start() {
    let directory = tempfile::tempdir().unwrap();
    let segment = ten_units(directory.path());
    std::fs::remove_file(&segment).unwrap();
    assert!(matches!(Store::open(directory.path(), lazy()), Err(StoreError::LogSegmentMissing(path)) if path == segment));
}

#[test]
fn a_flipped_bit_in_the_pages_is_an_error_never_data() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let unit = store.begin();
    for index in 0..50 {
        unit.put(&table, format!("key{index:03}").as_bytes(), &[b'Q'; 64]).unwrap();
    }
    unit.commit(&ThreadWaiter::new()).unwrap();
    store.close().unwrap();
    drop((unit, store));
    let pages = directory.path().join("pages/data.mdb");
    let mut bytes = std::fs::read(&pages).unwrap();
    let victim = b"key025";
    let places: Vec<usize> = (0..bytes.len() - 6).filter(|&at| &bytes[at..at + 6] == victim).collect();
    assert!(!places.is_empty());
    for place in places {
        bytes[place + 6 + 8 + 20] ^= 0x01;
    }
    std::fs::write(&pages, bytes).unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    assert!(matches!(store.get(&table, victim), Err(StoreError::RecordDamaged { .. })));
    assert!(matches!(store.check_table(&table), Err(StoreError::RecordDamaged { .. })));
    assert!(get(&store, &table, "key024").is_some());
}

#[test]
fn log_segments_are_recycled() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    store.set_keypoint_frequency(1);
    let table = store.table("t").unwrap();
    for round in 0..12u8 {
        let unit = store.begin();
        for key in 0..60u32 {
            unit.put(&table, &key.to_be_bytes(), &vec![round; 32_760]).unwrap();
        }
        unit.commit(&ThreadWaiter::new()).unwrap();
        store.keypoint().unwrap();
    }
    let files = std::fs::read_dir(directory.path().join("log")).unwrap().count();
    assert!(files <= 6, "{files} files");
    drop(store);
    let store = open(directory.path());
    assert_eq!(store.get(&store.table("t").unwrap(), &59u32.to_be_bytes()).unwrap().unwrap(), vec![11; 32_760]);
}

/// AKPFREQ=50, the lowest there is but zero: the fiftieth log record since the last keypoint brings the next.
#[test]
fn a_keypoint_is_taken_at_the_keypoint_frequency() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    store.set_keypoint_frequency(50);
    let table = store.table("t").unwrap();
    store.keypoint().unwrap();
    let before = store.statistics();
    let mut written = before.log_records;
    for number in 1..=101 {
        put(&store, &table, &number.to_string(), b"value");
        store.keypoint().unwrap();
        let now = store.statistics();
        assert_eq!(now.log_records, written + 1);
        written = now.log_records;
        assert_eq!(now.keypoints - before.keypoints, number / 50, "{number} records");
    }
}

#[test]
fn keypoints_follow_the_number_of_log_records() {
    for (frequency, expected) in [(10, 3), (1, 30), (0, 0)] {
        let directory = tempfile::tempdir().unwrap();
        let store = open(directory.path());
        store.set_keypoint_frequency(frequency);
        let table = store.table("t").unwrap();
        let before = store.statistics();
        for number in 0..30 {
            // One log record each.
            put(&store, &table, &number.to_string(), b"value");
            store.keypoint().unwrap();
        }
        let after = store.statistics();
        assert_eq!(after.log_records - before.log_records, 30);
        assert_eq!(after.keypoints - before.keypoints, expected, "AKPFREQ {frequency}");
    }
}

#[test]
fn published_changes_are_visible_at_once_and_durable_after_a_keypoint() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let change = |key: &str, value: Option<&str>| Change { table: table.clone(), key: key.into(), value: value.map(|value| value.into()) };
    let waiter = ThreadWaiter::new();
    store.publish(vec![change("a", Some("1")), change("b", Some("2"))], &waiter).unwrap();
    store.publish(vec![change("a", None)], &waiter).unwrap();
    assert_eq!(get(&store, &table, "a"), None);
    store.keypoint().unwrap();
    store.publish(vec![change("c", Some("3"))], &waiter).unwrap();
    store.abandon();
    drop(store);
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    assert_eq!(get(&store, &table, "b").as_deref(), Some(&b"2"[..]));
    assert_eq!(get(&store, &table, "c"), None);
}

#[test]
fn bulk_loads_sorted_and_unsorted() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    put(&store, &table, "0500", b"old");
    let mut load = store.bulk_load(&table).unwrap();
    for index in (500..1000).chain(0..500) {
        load.put(format!("{index:04}").as_bytes(), b"new").unwrap();
    }
    assert_eq!(load.finish().unwrap(), 1000);
    assert_eq!(store.check_table(&table).unwrap(), 1000);
    assert_eq!(get(&store, &table, "0500").as_deref(), Some(&b"new"[..]));
}

#[test]
fn dropped_tables_give_their_numbers_back_empty() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let first = store.table("first").unwrap();
    put(&store, &first, "k", b"v");
    store.drop_table("first").unwrap();
    let second = store.table("second").unwrap();
    assert_eq!(second.id(), first.id());
    assert_eq!(get(&store, &second, "k"), None);
    store.abandon();
    drop(store);
    let store = open(directory.path());
    assert!(store.existing_table("first").is_none());
    assert_eq!(store.check_table(&store.existing_table("second").unwrap()).unwrap(), 0);
}

#[test]
fn locks_end_with_the_unit_of_work() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let waiter = ThreadWaiter::new();
    let (one, two) = (store.begin(), store.begin());
    assert!(one.lock(&table, b"k", LockWait::never(&waiter)).unwrap());
    assert!(!one.lock(&table, b"k", LockWait::never(&waiter)).unwrap());
    assert!(matches!(two.lock(&table, b"k", LockWait::never(&waiter)), Err(StoreError::Busy(owner)) if owner == one.id()));
    one.commit(&waiter).unwrap();
    assert!(two.lock(&table, b"k", LockWait::never(&waiter)).unwrap());
    drop(two);
    assert_eq!(store.lock_owner(&table, b"k"), None);
}

/// A waiter like that of a dispatcher: the log's own thread must do the syncs.
struct TaskLike(ThreadWaiter);

impl vsam::Waiter for TaskLike {
    fn waker(&self) -> std::task::Waker {
        self.0.waker()
    }

    fn wait(&self, reason: vsam::WaitReason<'_>, deadline: Option<std::time::Instant>) -> vsam::WaitEnd {
        self.0.wait(reason, deadline)
    }
}

#[test]
fn tasks_that_may_not_block_share_the_syncs_of_the_log_thread() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), config()).unwrap();
    let table = store.table("t").unwrap();
    std::thread::scope(|scope| {
        for thread in 0..16u32 {
            let (store, table) = (&store, &table);
            scope.spawn(move || {
                let blocking = ThreadWaiter::new();
                let waiter = TaskLike(ThreadWaiter::new());
                for round in 0..20u32 {
                    let unit = store.begin();
                    unit.put(table, &(thread * 1000 + round).to_be_bytes(), b"value").unwrap();
                    if round % 7 == 3 { unit.commit(&blocking).unwrap() } else { unit.commit(&waiter).unwrap() }
                }
            });
        }
    });
    let statistics = store.statistics();
    assert_eq!(statistics.commits, 320);
    assert!(statistics.log_syncs < 320, "{} syncs", statistics.log_syncs);
    store.abandon();
    drop(store);
    let store = open(directory.path());
    assert_eq!(store.check_table(&store.table("t").unwrap()).unwrap(), 320);
}

#[test]
fn two_units_of_work_that_lock_crosswise_end_in_one_deadlock_error() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let waiter = ThreadWaiter::new();
    let one = store.begin();
    one.lock(&table, b"a", LockWait::forever(&waiter)).unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let other = {
        let (store, table) = (store.clone(), table.clone());
        std::thread::spawn(move || {
            let waiter = ThreadWaiter::new();
            let two = store.begin();
            two.lock(&table, b"b", LockWait::forever(&waiter)).unwrap();
            sender.send(()).unwrap();
            let result = two.lock(&table, b"a", LockWait::forever(&waiter));
            two.backout();
            matches!(result, Err(StoreError::Deadlock(_)))
        })
    };
    receiver.recv().unwrap();
    let failed_here = matches!(one.lock(&table, b"b", LockWait::forever(&waiter)), Err(StoreError::Deadlock(_)));
    one.backout();
    assert!(other.join().unwrap() ^ failed_here);
    assert_eq!(store.statistics().deadlocks, 1);
    assert!(store.locks().is_empty());
}

#[test]
fn a_store_with_lost_pages_is_not_recreated() {
    let directory = tempfile::tempdir().unwrap();
    let open = || Store::open(directory.path(), StoreConfig { segment_size: SEGMENT_SIZE_MIN, ..StoreConfig::default() });
    let pages = directory.path().join("pages/data.mdb");
    let store = open().unwrap();
    store.table("t").unwrap();
    store.close().unwrap();
    drop(store);
    let kept = std::fs::read(&pages).unwrap();
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(directory.path().join("log")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let log = names();
    std::fs::write(&pages, []).unwrap();
    for _ in 0..2 {
        let refused = open().map(drop).unwrap_err().to_string();
        assert!(refused.contains("pages/data.mdb has no data") && refused.contains("restore the data directory"), "{refused}");
        assert_eq!(names(), log, "the log stays");
        let _ = std::fs::remove_file(&pages);
    }
    std::fs::write(&pages, kept).unwrap();
    assert!(open().unwrap().existing_table("t").is_some());
}

#[test]
fn an_opening_that_made_a_segment_and_no_more_is_begun_again() {
    let directory = tempfile::tempdir().unwrap();
    let open = || Store::open(directory.path(), StoreConfig { segment_size: SEGMENT_SIZE_MIN, ..StoreConfig::default() });
    std::fs::create_dir_all(directory.path().join("log")).unwrap();
    for _ in 0..2 {
        std::fs::write(directory.path().join("log/0000000000000001.log"), vec![0; SEGMENT_SIZE_MIN as usize]).unwrap();
        let _ = std::fs::remove_dir_all(directory.path().join("pages"));
        let _ = std::fs::remove_file(directory.path().join("log/0000000000000002.log"));
        let store = open().unwrap();
        store.table("t").unwrap();
        store.close().unwrap();
    }
}

#[test]
fn a_backout_needs_no_pages() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let unit = store.begin();
    unit.put(&table, b"damaged", b"the record as it was").unwrap();
    unit.commit(&ThreadWaiter::new()).unwrap();
    store.keypoint().unwrap();
    let waiter = ThreadWaiter::new();
    let unit = store.begin();
    unit.lock(&table, b"damaged", LockWait::never(&waiter)).unwrap();
    unit.put(&table, b"damaged", b"changed").unwrap();
    // The page of the record is damaged between the change and the backout.
    let pages = directory.path().join("pages/data.mdb");
    let bytes = std::fs::read(&pages).unwrap();
    let places: Vec<usize> = (0..bytes.len() - 20).filter(|at| bytes[*at..].starts_with(b"the record as it was")).collect();
    assert!(!places.is_empty());
    let file = std::fs::File::options().write(true).open(&pages).unwrap();
    places.iter().for_each(|at| std::os::unix::fs::FileExt::write_all_at(&file, b"X", *at as u64).unwrap());
    unit.backout();
    assert!(unit.is_ended() && store.lock_owner(&table, b"damaged").is_none());
    assert!(matches!(store.get(&table, b"damaged"), Err(StoreError::RecordDamaged { .. })), "it is as damaged as it was, and said to be");
    put_one(&store, &table);
}

/// Other work goes on.
fn put_one(store: &Arc<Store>, table: &Table) {
    let unit = store.begin();
    unit.put(table, b"other", b"value").unwrap();
    unit.commit(&ThreadWaiter::new()).unwrap();
    assert!(store.is_working());
}

/// A unit of work may have a quarter of the limit, all together the whole of it. What ends gives its memory back.
#[test]
fn uncommitted_changes_are_counted_and_limited() {
    const ENTRY: usize = 80;
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    let table = store.table("t").unwrap();
    let (account, waiter) = (store.account(), ThreadWaiter::new());
    account.set_limit(400_000);
    let units: Vec<_> = (0..5).map(|_| store.begin()).collect();
    units[0].admit(100_000 - ENTRY).unwrap();
    assert!(matches!(units[0].admit(100_000 - ENTRY + 1), Err(StoreError::UnitLimit(100_000))));
    for (number, unit) in units[..4].iter().enumerate() {
        unit.put(&table, &[number as u8], &[0; 99_000]).unwrap();
        // A change of the same key takes the place of the first.
        unit.put(&table, &[number as u8], &[1; 99_000]).unwrap();
        let used = account.used() as usize / (number + 1);
        assert!((99_001..100_000 - ENTRY).contains(&used), "{used}");
        unit.admit(100_000 - ENTRY - used).unwrap();
        assert!(unit.admit(100_000 - ENTRY - used + 1).is_err_and(|error| error.is_no_room()));
    }
    let left = 400_000 - account.used() as usize;
    units[4].admit(left - ENTRY).unwrap();
    assert!(matches!(units[4].admit(left - ENTRY + 1), Err(StoreError::MemoryLimit(400_000))));
    units[0].commit(&waiter).unwrap();
    units[1].backout();
    units[4].admit(100_000 - ENTRY).unwrap();
    drop(units);
    assert_eq!(account.used(), 0);
    assert_eq!(get(&store, &table, "\0").as_deref(), Some(&[1; 99_000][..]));
}
