//! Forward recovery: a lost data set is rebuilt from a backup and the log of its after-images.

use std::sync::Arc;

use vsam::catalog::{Attributes, Organization};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::*;

fn open_store(directory: &std::path::Path) -> (Arc<Store>, Arc<DataSets>) {
    let config = StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 32, ..StoreConfig::default() };
    let store = Store::open(directory, config).unwrap();
    (store.clone(), DataSets::new(store).unwrap())
}

fn open(sets: &Arc<DataSets>, name: &str) -> File {
    let context = OpenContext { forward_log: Some("DFHJ02".into()), ..OpenContext::default() };
    sets.open_in(name, OpenOptions { recoverable: Some(true), reset: false }, context).unwrap()
}

fn contents(sets: &Arc<DataSets>, name: &str) -> Vec<String> {
    let file = sets.open(name, OpenOptions::default()).unwrap();
    let unit = sets.store().begin();
    let length = file.attributes().key_length;
    let (mut key, mut data, mut all) = (vec![0; length], Vec::new(), Vec::new());
    let Ok(mut browse) = file.start_browse(&unit, RecordId::Key(&key), Search::GTEQ) else { return all };
    while let Ok(found) = browse.next(&unit, RecordId::Key(&key), &mut data) {
        key = found.key;
        all.push(String::from_utf8(data.clone()).unwrap());
    }
    all
}

#[test]
fn a_lost_data_set_is_recovered_from_its_backup_and_the_log() {
    let directory = tempfile::tempdir().unwrap();
    let (store, sets) = open_store(directory.path());
    sets.define_cluster("A.K", Organization::Ksds, Attributes::new(4, 0, 20, 40)).unwrap();
    sets.define_index("A.K.AIX", "A.K", false, true, Attributes::new(1, 4, 20, 40)).unwrap();
    sets.define_path("A.K.PATH", "A.K.AIX", true).unwrap();
    sets.define_cluster("A.OTHER", Organization::Ksds, Attributes::new(4, 0, 20, 40)).unwrap();
    let waiter = ThreadWaiter::new();
    let wait = LockWait::never(&waiter);
    let (file, other) = (open(&sets, "A.K"), open(&sets, "A.OTHER"));
    let write = |unit: &UnitOfWork, file: &File, record: &str| file.write(unit, None, record.as_bytes(), false, wait).unwrap();

    let mut unit = store.begin();
    for number in 0..10 {
        write(&unit, &file, &format!("{number:04}Aold"));
    }
    unit.commit(&waiter).unwrap();
    let backup = contents(&sets, "A.K");

    // After the backup: changes, deletions, additions, some of them backed out.
    unit = store.begin();
    let mut data = Vec::new();
    let (_, token) = file.read_update(&unit, RecordId::Key(b"0003"), Search::EQUAL, wait, &mut data).unwrap();
    file.rewrite(&unit, token, b"0003Bnew", wait).unwrap();
    file.delete_record(&unit, RecordId::Key(b"0005"), wait).unwrap();
    write(&unit, &file, "0042Cadded");
    write(&unit, &other, "0001Xother");
    unit.commit(&waiter).unwrap();
    unit = store.begin();
    write(&unit, &file, "0099Zbacked out");
    file.delete_record(&unit, RecordId::Key(b"0000"), wait).unwrap();
    unit.backout();
    // The first image of one record, then, after a restart, another.
    drop((file, other));
    assert_eq!(sets.carry_forward_logs().unwrap(), 14);
    drop((unit, sets));
    store.abandon();
    drop(store);
    let (store, sets) = open_store(directory.path());
    let file = open(&sets, "A.K");
    let unit = store.begin();
    let (_, token) = file.read_update(&unit, RecordId::Key(b"0042"), Search::EQUAL, wait, &mut data).unwrap();
    file.rewrite(&unit, token, b"0042Dadded later", wait).unwrap();
    unit.commit(&waiter).unwrap();
    drop(file);
    let (expected, expected_path) = (contents(&sets, "A.K"), contents(&sets, "A.K.PATH"));
    assert_eq!(sets.forward_logs(), ["DFHJ02"]);
    sets.carry_forward_logs().unwrap();
    assert_eq!(sets.carry_forward_logs().unwrap(), 0);

    // The data set is lost; the backup is loaded, then the log applied.
    sets.delete("A.K").unwrap();
    sets.define_cluster("A.K", Organization::Ksds, Attributes::new(4, 0, 20, 40)).unwrap();
    sets.define_index("A.K.AIX", "A.K", false, true, Attributes::new(1, 4, 20, 40)).unwrap();
    sets.define_path("A.K.PATH", "A.K.AIX", true).unwrap();
    let mut load = sets.sequential_load("A.K").unwrap().unwrap();
    for record in &backup {
        load.put(record.as_bytes()).unwrap();
    }
    load.finish().unwrap();
    let log = sets.forward_directory("DFHJ02");
    let applied = sets.recover_forward("A.K", &log, None).unwrap();
    // The carry lost in the crash is repeated, so images occur at most twice, and each counts once.
    assert_eq!(applied, 10 + 3 + 1);
    assert_eq!(contents(&sets, "A.K"), expected);
    assert_eq!(contents(&sets, "A.K.PATH"), expected_path);
    assert!(contents(&sets, "A.K.PATH").contains(&"0042Dadded later".to_string()));
    assert_eq!(contents(&sets, "A.OTHER"), ["0001Xother"]);

    // A flipped bit in the log is reported, a frame cut short at its end is not damage.
    let path = log.join("00000001.fwd");
    let good = std::fs::read(&path).unwrap();
    std::fs::write(&path, &good[..good.len() - 3]).unwrap();
    assert_eq!(sets.recover_forward("A.K", &log, None).unwrap(), applied - 1);
    let mut bad = good.clone();
    bad[40] ^= 1;
    std::fs::write(&path, &bad).unwrap();
    assert!(sets.recover_forward("A.K", &log, None).unwrap_err().to_string().contains("damaged at offset 0"));
}

#[test]
fn tables_of_a_pool_outlive_a_restart_and_keep_their_lengths() {
    let directory = tempfile::tempdir().unwrap();
    let (store, sets) = open_store(directory.path());
    sets.define_cluster("A.K", Organization::Ksds, Attributes::new(4, 0, 20, 40)).unwrap();
    let waiter = ThreadWaiter::new();
    let wait = LockWait::never(&waiter);
    let source = sets.open("A.K", OpenOptions::default()).unwrap();
    let mut unit = store.begin();
    for number in 0..5 {
        source.write(&unit, None, format!("{number:04}source").as_bytes(), false, wait).unwrap();
    }
    let shape = data_tables::TableShape { key_length: 4, key_position: 0, record_max: 40 };
    let name = ("POOL1", "TABLE1");
    let (table, load) = sets.open_pool_table(name, shape, Some("A.K"), true, 3).unwrap();
    // After an interruption by a full table, the load continues behind the last record.
    let progress = data_tables::LoadProgress::default();
    assert_eq!(load.unwrap().run(&progress).unwrap(), data_tables::LoadEnd::Full);
    assert!(progress.has_reached(b"0002") && !progress.has_reached(b"0003"));
    table.delete_record(&unit, RecordId::Key(b"0000"), wait).unwrap();
    unit.commit(&waiter).unwrap();
    unit = store.begin();
    drop(table);
    let (table, load) = sets.open_pool_table(name, shape, Some("A.K"), true, u64::MAX).unwrap();
    let (rest, progress) = (load.unwrap(), data_tables::LoadProgress::default());
    rest.begin(&progress);
    assert!(progress.has_reached(b"0002") && !progress.has_reached(b"0003"));
    assert_eq!((rest.run(&progress).unwrap(), progress.records()), (data_tables::LoadEnd::Complete, 2));
    drop(rest);
    table.write(&unit, None, b"0009table", false, wait).unwrap();
    unit.commit(&waiter).unwrap();
    let (user, load) = sets.open_user_table("FILEU", "A.K", false, u64::MAX).unwrap();
    assert_eq!(user.record_count().unwrap(), 0);
    let progress = data_tables::LoadProgress::default();
    assert_eq!((load.run(&progress).unwrap(), progress.records()), (data_tables::LoadEnd::Complete, 5));
    unit = store.begin();
    user.delete_record(&unit, RecordId::Key(b"0001"), wait).unwrap();
    assert_eq!((user.record_count().unwrap(), source.record_count().unwrap(), table.record_count().unwrap()), (4, 5, 5));
    let (small, few) = sets.open_user_table("FILEV", "A.K", false, 4).unwrap();
    let progress = data_tables::LoadProgress::default();
    assert_eq!((few.run(&progress).unwrap(), small.record_count().unwrap()), (data_tables::LoadEnd::Full, 4));
    progress.stop();
    assert_eq!(load.run(&progress).unwrap(), data_tables::LoadEnd::Stopped);
    drop((unit, source, table, user, small, few, load, sets));
    store.close().unwrap();
    drop(store);
    let (_store, sets) = open_store(directory.path());
    let (table, load) = sets.open_pool_table(name, shape, Some("A.K"), true, u64::MAX).unwrap();
    assert!(load.is_none());
    assert_eq!(table.record_count().unwrap(), 5);
    let other = data_tables::TableShape { record_max: 41, ..shape };
    assert!(sets.open_pool_table(name, other, None, true, u64::MAX).is_err());
    assert_eq!(sets.pool_tables().unwrap(), [("POOL1.TABLE1".to_string(), shape)]);
}

fn open_replicated(sets: &Arc<DataSets>, recoverable: bool) -> File {
    let context = OpenContext { replication_log: Some("REPLOG".into()), ..OpenContext::default() };
    sets.open_in("A.K", OpenOptions { recoverable: Some(recoverable), reset: false }, context).unwrap()
}

/// The records of the replication log in order: kind and unit of work.
fn replicated(sets: &Arc<DataSets>) -> Vec<(forward::ImageKind, u64)> {
    sets.carry_forward_logs().unwrap();
    let images = forward::read_log(&sets.forward_directory("REPLOG")).unwrap();
    images.values().map(|image| (image.kind, image.unit)).collect()
}

#[test]
fn a_replication_log_has_all_of_a_unit_of_work_and_its_end_or_nothing() {
    use forward::ImageKind::{Absent, After, Backout, Commit};
    let directory = tempfile::tempdir().unwrap();
    let (store, sets) = open_store(directory.path());
    sets.define_cluster("A.K", Organization::Ksds, Attributes::new(4, 0, 20, 40)).unwrap();
    let file = open_replicated(&sets, true);
    let waiter = ThreadWaiter::new();
    let wait = LockWait::never(&waiter);
    let begin = |record: &str| {
        let unit = store.begin();
        file.write(&unit, None, record.as_bytes(), false, wait).unwrap();
        unit
    };
    let unit = begin("0001committed");
    let committed = unit.id().0;
    sets.log_commit(&unit).unwrap();
    unit.commit(&waiter).unwrap();
    drop(unit);
    let unit = begin("0002backed out");
    let backed_out = unit.id().0;
    sets.back_out(&unit).unwrap();
    let doubtful = ["0003in doubt", "0004in doubt"].map(|record| {
        let unit = begin(record);
        sets.log_commit(&unit).unwrap();
        unit.prepare(b"", &waiter).unwrap();
        unit
    });
    let lost = begin("0005in flight");
    store.keypoint().unwrap();
    let mut expected = Vec::new();
    for (unit, end) in [(committed, Commit), (backed_out, Backout)] {
        expected.extend([(Absent, unit), (After, unit), (end, unit)]);
    }
    assert_eq!(replicated(&sets), expected);
    drop((unit, lost, doubtful, file, sets));
    store.abandon();
    drop(store);

    let (store, sets) = open_store(directory.path());
    assert_eq!(replicated(&sets), expected);
    for (unit, end) in store.take_in_doubt().unwrap().into_iter().map(|(unit, _)| unit).zip([Commit, Backout]) {
        match end {
            Commit => unit.commit(&waiter).unwrap(),
            _ => sets.back_out(&unit).unwrap(),
        }
        let number = unit.id().0;
        expected.extend([(Absent, number), (After, number), (end, number)]);
    }
    let mut found = replicated(&sets);
    // Their changes have earlier numbers than their ends.
    found.sort_by_key(|(_, unit)| expected.iter().position(|(_, other)| other == unit));
    assert_eq!(found, expected);
}

#[test]
fn changes_in_the_log_files_survive_any_failure() {
    let directory = tempfile::tempdir().unwrap();
    let later = StoreConfig { apply_interval: std::time::Duration::from_secs(3600), map_size: 1 << 32, ..StoreConfig::default() };
    let store = Store::open(directory.path(), later).unwrap();
    let sets = DataSets::new(store.clone()).unwrap();
    sets.define_cluster("A.K", Organization::Ksds, Attributes::new(4, 0, 20, 40)).unwrap();
    // Not recoverable: the change leaves nothing in the system log.
    let file = open_replicated(&sets, false);
    let waiter = ThreadWaiter::new();
    let unit = store.begin();
    file.write(&unit, None, b"0001not logged", false, LockWait::never(&waiter)).unwrap();
    assert_eq!(sets.carry_forward_logs().unwrap(), 2);
    drop((unit, file, sets));
    store.abandon();
    drop(store);
    let (_store, sets) = open_store(directory.path());
    assert_eq!(contents(&sets, "A.K"), ["0001not logged"]);
}

#[test]
fn a_torn_log_write_is_cut_and_later_records_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let (store, sets) = open_store(directory.path());
    sets.define_cluster("A.K", Organization::Ksds, Attributes::new(4, 0, 20, 40)).unwrap();
    let commit = |store: &Arc<Store>, sets: &Arc<DataSets>, record: &str| {
        let (file, waiter) = (open_replicated(sets, true), ThreadWaiter::new());
        let unit = store.begin();
        file.write(&unit, None, record.as_bytes(), false, LockWait::never(&waiter)).unwrap();
        sets.log_commit(&unit).unwrap();
        unit.commit(&waiter).unwrap();
        sets.carry_forward_logs().unwrap();
    };
    commit(&store, &sets, "0001first");
    let path = sets.forward_directory("REPLOG").join("00000001.fwd");
    let whole = std::fs::read(&path).unwrap();
    drop(sets);
    store.close().unwrap();
    drop(store);
    // The process died in the middle of a frame, or when the file had been extended but not yet written.
    for (number, torn) in [&whole[..50], &[0; 50]].into_iter().enumerate() {
        let before = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&before[..], torn].concat()).unwrap();
        let (store, sets) = open_store(directory.path());
        assert_eq!(replicated(&sets).len(), 3 * (number + 1), "before anything follows");
        commit(&store, &sets, &format!("000{}more", number + 2));
        assert_eq!(replicated(&sets).len(), 3 * (number + 2));
        drop(sets);
        store.close().unwrap();
    }
}

#[test]
fn a_data_set_that_a_unit_of_work_in_doubt_has_changed_is_in_use() {
    let directory = tempfile::tempdir().unwrap();
    let (store, sets) = open_store(directory.path());
    let reuse = Attributes { reuse: true, ..Attributes::new(4, 0, 20, 40) };
    sets.define_cluster("A.K", Organization::Ksds, reuse).unwrap();
    sets.define_cluster("A.OTHER", Organization::Ksds, Attributes::new(4, 0, 20, 40)).unwrap();
    let (file, waiter) = (open(&sets, "A.K"), ThreadWaiter::new());
    let unit = store.begin();
    file.write(&unit, None, b"0001in doubt", false, LockWait::never(&waiter)).unwrap();
    unit.prepare(b"", &waiter).unwrap();
    drop((unit, file));
    let is_kept = |sets: &Arc<DataSets>| {
        let in_use = |outcome: Result<(), FileError>| matches!(outcome, Err(FileError::InUse(name)) if name == "A.K");
        assert!(in_use(sets.delete("A.K").map(drop)));
        assert!(in_use(sets.open("A.K", OpenOptions { recoverable: None, reset: true }).map(drop)));
        assert!(in_use(sets.empty_cluster("A.K")));
        assert!(sets.sequential_load("A.K").unwrap().is_none());
    };
    is_kept(&sets);
    // Another data set does not matter.
    sets.delete("A.OTHER").unwrap();
    drop(sets);
    store.close().unwrap();
    drop(store);
    let (store, sets) = open_store(directory.path());
    is_kept(&sets);
    let (unit, _) = store.take_in_doubt().unwrap().remove(0);
    unit.commit(&waiter).unwrap();
    assert_eq!(contents(&sets, "A.K"), ["0001in doubt"]);
    sets.delete("A.K").unwrap();
}
