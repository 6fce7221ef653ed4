//! Many tasks use one data set at once: a committed change is visible to everyone from then on, whatever splits, keypoints and the applier
//! do meanwhile; nothing is lost, seen twice or seen before it is committed.

mod browsing;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use vsam::catalog::{Attributes, Organization, SpaceUnit};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::*;

const RECOVERABLE: OpenOptions = OpenOptions { recoverable: Some(true), reset: false };

struct Fixture {
    data_sets: Arc<DataSets>,
    _directory: tempfile::TempDir,
}

fn fixture() -> Fixture {
    let directory = tempfile::tempdir().unwrap();
    let config = StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 32, ..StoreConfig::default() };
    let store = Store::open(directory.path(), config).unwrap();
    Fixture { data_sets: DataSets::new(store).unwrap(), _directory: directory }
}

impl Fixture {
    fn unit(&self) -> UnitOfWork {
        self.data_sets.store().begin()
    }
}

/// Browses until the end; answers the records.
fn browse(file: &File, unit: &UnitOfWork, start: &str, forward: bool) -> Vec<String> {
    browsing::browse(file, unit, start, forward).into_iter().map(|(record, _)| record).collect()
}

/// Requests on the file wait until a split is done: a concurrent browse, forward or back, by the base or an alternate index, finds every
/// record once and in order.
#[test]
fn no_reader_sees_a_split_in_progress() {
    let f = fixture();
    let small = |key_offset| Attributes {
        ci_size: 512,
        space_unit: SpaceUnit::Tracks,
        space_secondary: 1,
        ..Attributes::new(8, key_offset, 100, 100)
    };
    f.data_sets.define_cluster("SPLIT", Organization::Ksds, small(0)).unwrap();
    f.data_sets.define_index("SPLIT.AIX", "SPLIT", true, true, small(8)).unwrap();
    f.data_sets.define_path("SPLIT.PATH", "SPLIT.AIX", true).unwrap();
    let [file, path] = ["SPLIT", "SPLIT.PATH"].map(|name| f.data_sets.open(name, RECOVERABLE).unwrap());
    let write = |number: u32, waiter: &ThreadWaiter| {
        let unit = f.unit();
        let record = format!("{number:08}{number:08}{:84}", "");
        file.write(&unit, None, record.as_bytes(), false, LockWait::never(waiter)).unwrap();
        unit.commit(waiter).unwrap();
    };
    let waiter = ThreadWaiter::new();
    (0..500).for_each(|number| write(number * 100, &waiter));
    let done = AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            let waiter = ThreadWaiter::new();
            (0..3000).for_each(|number| write(number * 37 % 500 * 100 + 1 + number / 500, &waiter));
            done.store(true, Ordering::Release);
        });
        while !done.load(Ordering::Acquire) {
            for (file, forward) in [(&file, true), (&file, false), (&path, true), (&path, false)] {
                let start = if forward { "00000000" } else { "00049900" };
                let mut seen: Vec<u32> =
                    browse(file, &f.unit(), start, forward).iter().map(|record| record[..8].parse().unwrap()).collect();
                if !forward {
                    seen.reverse();
                }
                assert!(seen.is_sorted_by(|left, right| left < right));
                assert_eq!(seen.iter().filter(|number| *number % 100 == 0).count(), 500, "forward: {forward}");
            }
        }
    });
    assert!(file.statistics().ci_splits > 300, "{}", file.statistics().ci_splits);
}

/// Records that are counters, and how far each has been committed at least.
struct Counters {
    file: File,
    path: Option<File>,
    ids: Vec<Vec<u8>>,
    committed: Vec<AtomicU64>,
}

const COUNTERS: u64 = 12;
const UPDATES: u64 = 250;
const UPDATERS: u64 = 3;

impl Counters {
    fn new(f: &Fixture, name: &str, organization: Organization) -> Counters {
        let key_length = if organization == Organization::Ksds { 8 } else { 0 };
        f.data_sets.define_cluster(name, organization, Attributes::new(key_length, 0, 100, 100)).unwrap();
        let keyed = matches!(organization, Organization::Ksds | Organization::Esds);
        if keyed {
            f.data_sets.define_index(&format!("{name}.AIX"), name, true, true, Attributes::new(8, 8, 50, 100)).unwrap();
            f.data_sets.define_path(&format!("{name}.PATH"), &format!("{name}.AIX"), true).unwrap();
        }
        let file = f.data_sets.open(name, RECOVERABLE).unwrap();
        let path = keyed.then(|| f.data_sets.open(&format!("{name}.PATH"), RECOVERABLE).unwrap());
        let waiter = ThreadWaiter::new();
        let unit = f.unit();
        let ids = (0..COUNTERS).map(|number| {
            let id = (number as u32 + 1).to_be_bytes();
            let at = matches!(organization, Organization::Rrds | Organization::Vrrds).then_some(RecordId::Rrn(number as u32 + 1));
            let found = file.write(&unit, at, &record(number, 0), false, LockWait::never(&waiter)).unwrap();
            match organization {
                Organization::Ksds => format!("{number:08}").into_bytes(),
                Organization::Esds => found.number.to_be_bytes().to_vec(),
                _ => id.to_vec(),
            }
        });
        let ids = ids.collect();
        unit.commit(&waiter).unwrap();
        Counters { file, path, ids, committed: (0..COUNTERS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The file and the identifier of a counter: by the path every other time.
    fn way(&self, number: u64, by_path: bool) -> (&File, Vec<u8>) {
        match &self.path {
            Some(path) if by_path => (path, format!("{number:08}").into_bytes()),
            _ => (&self.file, self.ids[number as usize].clone()),
        }
    }

    /// A read by a task without locks: it sees at least the changes committed before it.
    fn look(&self, f: &Fixture, number: u64, by_path: bool) -> u64 {
        let (file, id) = self.way(number, by_path);
        let least = self.committed[number as usize].load(Ordering::Acquire);
        let mut data = Vec::new();
        file.read(&f.unit(), id_of(&id), Search::EQUAL, &mut data).unwrap();
        let count = count_of(&data);
        assert!(count >= least, "counter {number} by path {by_path}: {count}, {least} were committed");
        count
    }

    fn update(&self, f: &Fixture, number: u64, by_path: bool, keep: bool, waiter: &ThreadWaiter) {
        let (file, id) = self.way(number, by_path);
        let (unit, mut data) = (f.unit(), Vec::new());
        let (_, token) = file.read_update(&unit, id_of(&id), Search::EQUAL, LockWait::forever(waiter), &mut data).unwrap();
        let count = count_of(&data);
        file.rewrite(&unit, token, &record(number, count + 1), LockWait::forever(waiter)).unwrap();
        if keep {
            unit.commit(waiter).unwrap();
            self.committed[number as usize].fetch_max(count + 1, Ordering::AcqRel);
        } else {
            unit.backout();
        }
    }
}

fn record(number: u64, count: u64) -> Vec<u8> {
    format!("{number:08}{number:08}{count:084}").into_bytes()
}

fn count_of(record: &[u8]) -> u64 {
    std::str::from_utf8(&record[16..]).unwrap().parse().unwrap()
}

/// Keys have eight digits; RBAs begin with zeros, and record numbers have four bytes.
fn id_of(id: &[u8]) -> RecordId<'_> {
    match (id.len(), id[0]) {
        (4, _) => RecordId::Rrn(u32::from_be_bytes(id.try_into().unwrap())),
        (_, 0) => RecordId::Rba(u64::from_be_bytes(id.try_into().unwrap())),
        _ => RecordId::Key(id),
    }
}

/// Tasks add to counters under locks, some back out; others read without locks, until all is done.
fn count_together(organization: Organization) {
    let f = fixture();
    let counters = Counters::new(&f, "COUNT", organization);
    let (running, kept) = (AtomicU64::new(UPDATERS), AtomicU64::new(0));
    std::thread::scope(|threads| {
        for updater in 0..UPDATERS {
            let (counters, f, running, kept) = (&counters, &f, &running, &kept);
            threads.spawn(move || {
                let waiter = ThreadWaiter::new();
                for turn in 0..UPDATES {
                    let keep = (turn + updater) % 4 != 0;
                    counters.update(f, (turn * (updater + 1) + updater) % COUNTERS, turn % 3 == 0, keep, &waiter);
                    kept.fetch_add(u64::from(keep), Ordering::Relaxed);
                }
                running.fetch_sub(1, Ordering::AcqRel);
            });
        }
        let mut last = [0; COUNTERS as usize];
        while running.load(Ordering::Acquire) > 0 {
            for number in 0..COUNTERS {
                for by_path in [false, true] {
                    let count = counters.look(&f, number, by_path);
                    assert!(count >= last[number as usize], "counter {number} went back");
                    last[number as usize] = count;
                }
            }
        }
    });
    let total: u64 = (0..COUNTERS).map(|number| counters.look(&f, number, false)).sum();
    assert_eq!(total, kept.into_inner());
}

#[test]
fn counters_of_a_ksds() {
    count_together(Organization::Ksds);
}

#[test]
fn counters_of_an_esds() {
    count_together(Organization::Esds);
}

#[test]
fn counters_of_an_rrds() {
    count_together(Organization::Rrds);
}

#[test]
fn counters_of_a_vrrds() {
    count_together(Organization::Vrrds);
}

/// Records are added and removed; between a commit and the next change of a record every reader sees the committed state, by key, by the
/// alternate key and browsing.
#[test]
fn committed_changes_are_visible_to_all_readers() {
    let f = fixture();
    let attributes = |key_offset| Attributes::new(8, key_offset, 100, 100);
    f.data_sets.define_cluster("COME", Organization::Ksds, attributes(0)).unwrap();
    f.data_sets.define_index("COME.AIX", "COME", true, true, attributes(8)).unwrap();
    f.data_sets.define_path("COME.PATH", "COME.AIX", true).unwrap();
    std::thread::scope(|threads| {
        for task in 0..3_u64 {
            let f = &f;
            threads.spawn(move || {
                let [file, path] = ["COME", "COME.PATH"].map(|name| f.data_sets.open(name, RECOVERABLE).unwrap());
                let waiter = ThreadWaiter::new();
                for turn in 0..400 {
                    let number = task * 1000 + turn % 40;
                    let key = format!("{number:08}");
                    let change = |work: &dyn Fn(&UnitOfWork)| {
                        let unit = f.unit();
                        work(&unit);
                        unit.commit(&waiter).unwrap();
                    };
                    let is_there =
                        |file: &File| file.read(&f.unit(), RecordId::Key(key.as_bytes()), Search::EQUAL, &mut Vec::new()).is_ok();
                    let next = |file: &File| {
                        let mut data = Vec::new();
                        let unit = f.unit();
                        let mut browse = file.start_browse(&unit, RecordId::Key(key.as_bytes()), Search::GTEQ).ok()?;
                        browse.next(&unit, RecordId::Key(key.as_bytes()), &mut data).ok()?;
                        Some(data[..8].to_vec())
                    };
                    change(&|unit| {
                        file.write(unit, None, &record(number, turn), false, LockWait::forever(&waiter)).unwrap();
                    });
                    assert_eq!([&file, &path].map(is_there), [true, true], "{key} was added");
                    assert_eq!([&file, &path].map(next), [(); 2].map(|()| Some(key.clone().into_bytes())));
                    change(&|unit| file.delete_record(unit, RecordId::Key(key.as_bytes()), LockWait::forever(&waiter)).unwrap());
                    assert_eq!([&file, &path].map(is_there), [false, false], "{key} was deleted");
                    assert!([&file, &path].map(next).iter().all(|found| found.as_deref() != Some(key.as_bytes())));
                }
            });
        }
    });
}

/// Tasks add, change and delete records of the same few keys, with changing alternate keys, and a third is backed out: in the end the
/// alternate indexes have exactly the records of the base, and an entry-sequenced log contains every committed change.
#[test]
fn indexes_and_base_stay_in_step() {
    let f = fixture();
    let alternate = |offset, length| Attributes::new(length, offset, 100, 4000);
    f.data_sets.define_cluster("STEP", Organization::Ksds, Attributes::new(8, 0, 100, 100)).unwrap();
    f.data_sets.define_index("STEP.MANY", "STEP", false, true, alternate(8, 4)).unwrap();
    f.data_sets.define_path("STEP.PATH", "STEP.MANY", true).unwrap();
    f.data_sets.define_cluster("STEP.LOG", Organization::Esds, Attributes::new(0, 0, 30, 30)).unwrap();
    let logged = AtomicU64::new(0);
    std::thread::scope(|threads| {
        for task in 0..4_u64 {
            let (f, logged) = (&f, &logged);
            threads.spawn(move || {
                let [file, log] = ["STEP", "STEP.LOG"].map(|name| f.data_sets.open(name, RECOVERABLE).unwrap());
                let waiter = ThreadWaiter::new();
                let mut random = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(task + 1);
                let mut next = |below: u64| {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    random % below
                };
                for turn in 0..600 {
                    let (number, group) = (next(60), next(7));
                    let key = format!("{number:08}");
                    let record = format!("{key}{group:04}{turn:08}").into_bytes();
                    let (unit, wait) = (f.unit(), LockWait::forever(&waiter));
                    let mut data = Vec::new();
                    let done = match file.read_update(&unit, RecordId::Key(key.as_bytes()), Search::EQUAL, wait, &mut data) {
                        Ok((_, token)) if next(3) == 0 => file.delete(&unit, token, wait),
                        Ok((_, token)) => file.rewrite(&unit, token, &record, wait),
                        Err(FileError::NotFound) => file.write(&unit, None, &record, false, wait).map(|_| ()),
                        Err(error) => Err(error),
                    };
                    match done {
                        Ok(()) => {}
                        // Added by another task between the read and the write.
                        Err(FileError::DuplicateRecord) => continue,
                        Err(error) => panic!("{error}"),
                    }
                    log.write(&unit, None, format!("{task}-{turn:08}").as_bytes(), true, wait).unwrap();
                    if turn % 3 == 0 {
                        unit.backout();
                    } else {
                        unit.commit(&waiter).unwrap();
                        logged.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let [file, path] = ["STEP", "STEP.PATH"].map(|name| f.data_sets.open(name, RECOVERABLE).unwrap());
    let mut by_base = browse(&file, &f.unit(), "00000000", true);
    let by_path = browse(&path, &f.unit(), "0000", true);
    assert!(by_path.is_sorted_by_key(|record| record[8..12].to_string()));
    let mut in_order = by_path.clone();
    in_order.sort_unstable();
    by_base.sort_unstable();
    assert_eq!(in_order, by_base);
    let log = f.data_sets.open("STEP.LOG", RECOVERABLE).unwrap();
    assert_eq!(log.record_count().unwrap(), logged.into_inner());
}
