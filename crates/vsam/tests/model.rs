//! Random sequences of file requests on a KSDS with a unique and a non-unique alternate index, against a model in plain maps
//! written from the documentation: contents, conditions, browse positions, syncpoints, backouts and crashes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use testing::Random;
use vsam::catalog::{Attributes, Organization};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::*;

const RECOVERABLE: OpenOptions = OpenOptions { recoverable: Some(true), reset: false };

fn key(random: &mut Random) -> Vec<u8> {
    (0..4).map(|_| b'A' + random.below(4) as u8).collect()
}

/// A record is: key 0-3, unique alternate key 4-5, non-unique alternate key 6, filler.
#[derive(Clone, Default)]
struct Model {
    records: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Non-unique entries in (alternate key, arrival) order, to the primary key.
    arrivals: BTreeMap<(u8, u64), Vec<u8>>,
    arrival: u64,
}

fn unique_of(record: &[u8]) -> Option<&[u8]> {
    record.get(4..6)
}

impl Model {
    fn unique_owner(&self, alternate: &[u8]) -> Option<&Vec<u8>> {
        self.records.iter().find(|(_, record)| unique_of(record) == Some(alternate)).map(|(key, _)| key)
    }

    fn conflict(&self, record: &[u8], key: &[u8]) -> bool {
        unique_of(record).and_then(|unique| self.unique_owner(unique)).is_some_and(|owner| owner != key)
    }

    fn enter(&mut self, record: &[u8]) {
        if let Some(alternate) = record.get(6) {
            self.arrival += 1;
            self.arrivals.insert((*alternate, self.arrival), record[..4].to_vec());
        }
    }

    fn leave(&mut self, key: &[u8]) {
        self.arrivals.retain(|_, other| other != key);
    }

    fn write(&mut self, record: &[u8]) -> bool {
        if self.records.contains_key(&record[..4]) || self.conflict(record, &record[..4]) {
            return false;
        }
        self.records.insert(record[..4].to_vec(), record.to_vec());
        self.enter(record);
        true
    }

    fn rewrite(&mut self, record: &[u8]) -> bool {
        if self.conflict(record, &record[..4]) {
            return false;
        }
        let old = self.records.insert(record[..4].to_vec(), record.to_vec()).unwrap();
        if old.get(6) != record.get(6) {
            self.leave(&record[..4]);
            self.enter(record);
        }
        true
    }

    fn delete(&mut self, key: &[u8]) -> bool {
        self.leave(key);
        self.records.remove(key).is_some()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum View {
    Base,
    Unique,
    NonUnique,
}

/// Position of a browse in the model: a sort key and direction, or behind the end.
#[derive(Clone, Debug)]
enum At {
    Start(Vec<u8>),
    End,
    Record(Vec<u8>, u64, bool),
}

impl Model {
    /// The view's records in order: (view key, arrival, record).
    fn list(&self, view: View) -> Vec<(Vec<u8>, u64, Vec<u8>)> {
        match view {
            View::Base => self.records.iter().map(|(key, record)| (key.clone(), 0, record.clone())).collect(),
            View::Unique => {
                let with_key = self.records.values().filter(|record| unique_of(record).is_some());
                let mut list: Vec<_> = with_key.map(|record| (record[4..6].to_vec(), 0, record.clone())).collect();
                list.sort();
                list
            }
            View::NonUnique => {
                self.arrivals.iter().map(|((alternate, arrival), key)| (vec![*alternate], *arrival, self.records[key].clone())).collect()
            }
        }
    }

    /// The record a READNEXT or READPREV returns from a position, and if DUPKEY is raised.
    fn step(&self, view: View, at: &At, forward: bool) -> Option<((Vec<u8>, u64, Vec<u8>), bool)> {
        let list = self.list(view);
        let first_of = |key: &Vec<u8>| list.iter().find(|entry| entry.0 == *key);
        let before = |key: &Vec<u8>| list.iter().rfind(|entry| entry.0 < *key).and_then(|entry| first_of(&entry.0));
        let found = match (at, forward) {
            (At::Start(key), true) => list.iter().find(|entry| entry.0 >= *key),
            (At::Start(key), false) => first_of(key),
            (At::End, true) => None,
            (At::End, false) => list.last().and_then(|entry| first_of(&entry.0)),
            (At::Record(key, arrival, true), true) => list.iter().find(|e| (&e.0, e.1) > (key, *arrival)),
            (At::Record(key, _, false), true) => list.iter().find(|entry| entry.0 >= *key),
            (At::Record(key, _, true), false) => first_of(key).or_else(|| before(key)),
            (At::Record(key, arrival, false), false) => list.iter().find(|e| e.0 == *key && e.1 > *arrival).or_else(|| before(key)),
        }?;
        let duplicate = view == View::NonUnique && list.iter().any(|e| e.0 == found.0 && e.1 > found.1);
        Some((found.clone(), duplicate))
    }
}

struct Run {
    directory: tempfile::TempDir,
    data_sets: Option<Arc<DataSets>>,
    files: Vec<File>,
    unit: Option<UnitOfWork>,
    waiter: ThreadWaiter,
    model: Model,
    committed: Model,
    random: Random,
    browse: Option<(View, Browse, At, Vec<u8>)>,
}

fn config() -> StoreConfig {
    let apply_interval = Duration::from_millis(3);
    StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 30, apply_interval, ..StoreConfig::default() }
}

impl Run {
    fn new(seed: u64) -> Run {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), config()).unwrap();
        let sets = DataSets::new(store).unwrap();
        // Every other one has its data compressed.
        let attributes = Attributes { ci_size: 512, space_primary: 1, compressed: seed % 2 == 1, ..Attributes::new(4, 0, 20, 60) };
        sets.define_cluster("M", Organization::Ksds, attributes).unwrap();
        sets.define_index("M.U", "M", true, true, Attributes::new(2, 4, 20, 60)).unwrap();
        sets.define_index("M.N", "M", false, true, Attributes::new(1, 6, 20, 60)).unwrap();
        sets.define_path("M.UPATH", "M.U", true).unwrap();
        sets.define_path("M.NPATH", "M.N", true).unwrap();
        let mut run = Run {
            directory,
            data_sets: Some(sets),
            files: Vec::new(),
            unit: None,
            waiter: ThreadWaiter::new(),
            model: Model::default(),
            committed: Model::default(),
            random: Random::new(seed * 2_654_435_761 + 88_172_645_463_325_252),
            browse: None,
        };
        run.open();
        run
    }

    fn open(&mut self) {
        let sets = self.data_sets.as_ref().unwrap();
        self.files = ["M", "M.UPATH", "M.NPATH"].map(|name| sets.open(name, RECOVERABLE).unwrap()).to_vec();
        self.unit = Some(sets.store().begin());
    }

    fn file(&self, view: View) -> &File {
        &self.files[view as usize]
    }

    fn unit(&self) -> &UnitOfWork {
        self.unit.as_ref().unwrap()
    }

    fn record(&mut self) -> Vec<u8> {
        let mut record = key(&mut self.random);
        let length = 4 + self.random.below(50) as usize;
        record.push(b'a' + self.random.below(6) as u8);
        record.push(b'a' + self.random.below(6) as u8);
        record.push(b'm' + self.random.below(3) as u8);
        record.resize(length.max(4), b'.');
        record.truncate(length);
        record
    }

    fn some_key(&mut self) -> Vec<u8> {
        let count = self.model.records.len() as u64;
        if count == 0 || self.random.below(3) == 0 {
            return key(&mut self.random);
        }
        let nth = self.random.below(count) as usize;
        self.model.records.keys().nth(nth).unwrap().clone()
    }

    fn write(&mut self) {
        let record = self.record();
        let expected = self.model.write(&record);
        let wait = LockWait::never(&self.waiter);
        let mass = record[0] == b'D';
        match self.file(View::Base).write(self.unit(), None, &record, mass, wait) {
            Ok(found) => assert!(expected && found.key == record[..4], "{record:?}"),
            Err(FileError::DuplicateRecord) => assert!(!expected, "{record:?}"),
            Err(error) => panic!("{error}"),
        }
    }

    fn update(&mut self) {
        let key = self.some_key();
        let mut new = self.record();
        new[..4].copy_from_slice(&key);
        let wait = LockWait::never(&self.waiter);
        let mut old = Vec::new();
        let held = self.file(View::Base).read_update(self.unit(), RecordId::Key(&key), Search::EQUAL, wait, &mut old);
        let Ok((_, token)) = held else {
            assert!(!self.model.records.contains_key(&key));
            return;
        };
        assert_eq!(self.model.records.get(&key), Some(&old));
        match self.random.below(4) {
            0 => self.file(View::Base).unlock(self.unit(), token).unwrap(),
            1 => {
                self.file(View::Base).delete(self.unit(), token, LockWait::never(&self.waiter)).unwrap();
                assert!(self.model.delete(&key));
            }
            _ => {
                let expected = self.model.rewrite(&new);
                match self.file(View::Base).rewrite(self.unit(), token, &new, LockWait::never(&self.waiter)) {
                    Ok(()) => assert!(expected),
                    Err(FileError::DuplicateRecord) => {
                        assert!(!expected);
                        self.file(View::Base).unlock(self.unit(), token).unwrap();
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }

    fn generic_delete(&mut self) {
        let key = self.some_key();
        let gone: Vec<_> = self.model.records.keys().filter(|other| other.starts_with(&key[..3])).cloned().collect();
        let wait = LockWait::never(&self.waiter);
        match self.file(View::Base).delete_generic(self.unit(), &key, 3, wait) {
            Ok(count) => assert_eq!(count as usize, gone.len()),
            Err(FileError::NotFound) => assert!(gone.is_empty()),
            Err(error) => panic!("{error}"),
        }
        gone.iter().for_each(|key| assert!(self.model.delete(key)));
    }

    fn view_and_key(&mut self) -> (View, Vec<u8>) {
        match self.random.below(3) {
            0 => (View::Base, self.some_key()),
            1 => (View::Unique, vec![b'a' + self.random.below(7) as u8, b'a' + self.random.below(7) as u8]),
            _ => (View::NonUnique, vec![b'l' + self.random.below(5) as u8]),
        }
    }

    fn read(&mut self) {
        let (view, key) = self.view_and_key();
        let (search, expected) = match self.random.below(3) {
            0 => (Search::EQUAL, self.model.step(view, &At::Start(key.clone()), false)),
            1 => (Search::GTEQ, self.model.step(view, &At::Start(key.clone()), true)),
            _ => {
                let length = self.random.below(key.len() as u64) as usize;
                let found = self.model.step(view, &At::Start(key[..length].to_vec()), true);
                (Search::generic(length, false), found.filter(|found| found.0.0.starts_with(&key[..length])))
            }
        };
        let mut record = Vec::new();
        match (self.file(view).read(self.unit(), RecordId::Key(&key), search, &mut record), expected) {
            (Ok(found), Some(((shown, _, data), duplicate))) => {
                assert_eq!((found.key, found.duplicate_key, record), (shown, duplicate, data), "{view:?} {search:?}");
            }
            (Err(FileError::NotFound), None) => {}
            other => panic!("{view:?} {key:?} {search:?}: {other:?}"),
        }
    }

    fn start_browse(&mut self) {
        let (view, mut key) = self.view_and_key();
        if self.random.below(5) == 0 {
            key.fill(0xFF);
        }
        let high = key.iter().all(|byte| *byte == 0xFF);
        let exists = self.model.step(view, &At::Start(key.clone()), true).is_some();
        match self.file(view).start_browse(self.unit(), RecordId::Key(&key), Search::GTEQ) {
            Ok(browse) => {
                assert!(high || exists);
                let at = if high { At::End } else { At::Start(key.clone()) };
                self.browse = Some((view, browse, at, key));
            }
            Err(FileError::NotFound) => assert!(!exists && !high),
            Err(error) => panic!("{error}"),
        }
    }

    fn step_browse(&mut self) {
        let Some((view, mut browse, at, ridfld)) = self.browse.take() else { return self.start_browse() };
        let forward = self.random.below(3) > 0;
        let mut record = Vec::new();
        // READPREV right after STARTBR needs the record to have existed then: the model's Start keeps only the key.
        let refused = !forward && matches!(&at, At::Start(key) if self.model.list(view).iter().all(|e| e.0 != *key));
        if refused {
            return;
        }
        let expected = self.model.step(view, &at, forward);
        let unit = self.unit.as_ref().unwrap();
        let result = match forward {
            true => browse.next(unit, RecordId::Key(&ridfld), &mut record),
            false => browse.previous(unit, RecordId::Key(&ridfld), &mut record),
        };
        match (result, expected) {
            (Ok(found), Some(((key, arrival, data), duplicate))) => {
                assert_eq!((&found.key, found.duplicate_key, &record), (&key, duplicate, &data), "{view:?} {at:?} {forward}");
                self.browse = Some((view, browse, At::Record(key, arrival, forward), found.key));
            }
            (Err(FileError::EndOfFile), None) => self.browse = Some((view, browse, at, ridfld)),
            // The record STARTBR found equal was written after it: refused as documented, position kept.
            (Err(FileError::NotFound), Some(_)) if matches!(at, At::Start(_)) && !forward => {}
            other => panic!("{view:?} {at:?} forward {forward}: {other:?}"),
        }
    }

    fn end_unit(&mut self, commit: bool) {
        let unit = self.unit.take().unwrap();
        if commit {
            unit.commit(&self.waiter).unwrap();
            self.committed = self.model.clone();
        } else {
            unit.backout();
            let arrival = self.model.arrival;
            self.model = self.committed.clone();
            self.model.arrival = arrival;
            // The position's arrival may have been backed out; the model does not follow that.
            self.browse = None;
        }
        self.unit = Some(self.data_sets.as_ref().unwrap().store().begin());
    }

    fn restart(&mut self, crash: bool) {
        self.browse = None;
        self.files.clear();
        let store = self.data_sets.take().unwrap().store().clone();
        if crash {
            store.abandon()
        } else {
            store.close().unwrap()
        }
        self.unit = None;
        drop(store);
        let store = Store::open(self.directory.path(), config()).unwrap();
        self.data_sets = Some(DataSets::new(store).unwrap());
        let arrival = self.model.arrival;
        self.model = self.committed.clone();
        self.model.arrival = arrival;
        self.open();
        self.check();
    }

    /// Compares everything, also as another unit of work sees it.
    fn check(&self) {
        let other = self.data_sets.as_ref().unwrap().store().begin();
        for (unit, model) in [(self.unit(), &self.model), (&other, &self.committed)] {
            for view in [View::Base, View::Unique, View::NonUnique] {
                let expected: Vec<Vec<u8>> = model.list(view).into_iter().map(|entry| entry.2).collect();
                let mut seen = Vec::new();
                let mut id = Vec::new();
                let start = self.file(view).start_browse(unit, RecordId::Key(&id), Search::generic(0, true));
                if let Ok(mut browse) = start {
                    let mut record = Vec::new();
                    while let Ok(found) = browse.next(unit, RecordId::Key(&id), &mut record) {
                        id = found.key;
                        seen.push(record.clone());
                    }
                }
                assert_eq!(seen, expected, "{view:?}");
            }
        }
    }

    fn step(&mut self) {
        match self.random.below(1000) {
            0..250 => self.write(),
            250..450 => self.update(),
            450..465 => self.generic_delete(),
            465..650 => self.read(),
            650..690 => self.start_browse(),
            690..960 => self.step_browse(),
            960..980 => self.end_unit(true),
            980..990 => self.end_unit(false),
            990..994 => self.data_sets.as_ref().unwrap().store().keypoint().unwrap(),
            994..998 => self.check(),
            998 => self.restart(true),
            _ => self.restart(false),
        }
    }
}

#[test]
fn random_requests_agree_with_the_model() {
    let steps: u64 = std::env::var("MODEL_STEPS").ok().and_then(|text| text.parse().ok()).unwrap_or(6000);
    for seed in 1..=4 {
        let mut run = Run::new(seed);
        for step in 0..steps / 4 {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run.step()));
            assert!(result.is_ok(), "seed {seed}, step {step}");
        }
        run.check();
    }
}
