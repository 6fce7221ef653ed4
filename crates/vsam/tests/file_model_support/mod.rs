//! Drives files and model with the same requests.

mod model;

use std::sync::Arc;
use std::time::Duration;

use model::*;
use testing::Random;
use vsam::catalog::{Attributes, Organization};
use vsam::disk::RealDisk;
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::*;

/// A number whose step never agrees, to test the shortening.
pub const NEVER_AGREES: u64 = u64::MAX;
const RECOVERABLE: OpenOptions = OpenOptions { recoverable: Some(true), reset: false };

/// A view of a file: the base or one of its indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct View {
    file: usize,
    index: Option<usize>,
}

/// Where a browse is in the model.
#[derive(Clone, Debug)]
enum At {
    Start { key: Vec<u8> },
    End,
    Record { key: Vec<u8>, arrival: u64, forward: bool },
}

struct ModelBrowse {
    view: View,
    browse: Browse,
    at: At,
    ridfld: Vec<u8>,
    generic: bool,
}

/// A record a unit of work holds for update without a token.
struct Hold {
    view: View,
    key: Vec<u8>,
    /// The lock came with it.
    new_lock: bool,
}

struct Driver {
    // Files and units go before the store they belong to.
    files: Vec<(View, File)>,
    units: Vec<UnitOfWork>,
    browses: Vec<Option<ModelBrowse>>,
    holds: Vec<Option<Hold>>,
    sets: Arc<DataSets>,
    model: Model,
    waiter: ThreadWaiter,
    last_rba: Option<u64>,
    trace: Option<Vec<String>>,
    _directory: tempfile::TempDir,
}

fn config() -> StoreConfig {
    StoreConfig {
        segment_size: SEGMENT_SIZE_MIN,
        map_size: 1 << 28,
        apply_interval: Duration::from_millis(2),
        disk: Arc::new(RealDisk),
        ..StoreConfig::default()
    }
}

fn answer<T>(result: &Result<T, FileError>) -> Answer {
    result.as_ref().err().map(condition)
}

impl Driver {
    fn new() -> Driver {
        let parent = if std::path::Path::new("/dev/shm").is_dir() { "/dev/shm".into() } else { std::env::temp_dir() };
        let directory = tempfile::Builder::new().prefix("file-model").tempdir_in(parent).unwrap();
        let sets = DataSets::new(Store::open(directory.path(), config()).unwrap()).unwrap();
        let small = |attributes: Attributes| Attributes { ci_size: 512, space_primary: 1, ..attributes };
        sets.define_cluster("K", Organization::Ksds, small(Attributes::new(4, 0, 20, 60))).unwrap();
        sets.define_index("K.U", "K", true, true, Attributes::new(2, 4, 20, 60)).unwrap();
        sets.define_index("K.N", "K", false, true, Attributes::new(1, 6, 20, 60)).unwrap();
        sets.define_cluster("E", Organization::Esds, small(Attributes::new(0, 0, 20, 60))).unwrap();
        sets.define_index("E.N", "E", false, true, Attributes::new(1, 0, 20, 60)).unwrap();
        for index in ["K.U", "K.N", "E.N"] {
            sets.define_path(&format!("{index}.PATH"), index, true).unwrap();
        }
        sets.define_cluster("R", Organization::Rrds, small(Attributes::new(0, 0, 20, 20))).unwrap();
        sets.define_cluster("V", Organization::Vrrds, small(Attributes::new(0, 0, 20, 60))).unwrap();
        let unique = IndexRule { position: 4, length: 2, unique: true };
        let file = |kind, indexes: Vec<IndexRule>, length_max| {
            let (committed, changes) = (Default::default(), Default::default());
            FileModel { kind, indexes, length_max, committed, changes }
        };
        let not_unique = |position| IndexRule { position, length: 1, unique: false };
        let model = Model {
            files: vec![
                file(Kind::Ksds, vec![unique, not_unique(6)], 60),
                file(Kind::Esds, vec![not_unique(0)], 60),
                file(Kind::Rrds, vec![], 20),
                file(Kind::Vrrds, vec![], 60),
            ],
            locks: Default::default(),
            arrivals: 0,
        };
        let names = [
            ("K", 0, None),
            ("K.U.PATH", 0, Some(0)),
            ("K.N.PATH", 0, Some(1)),
            ("E", 1, None),
            ("E.N.PATH", 1, Some(0)),
            ("R", 2, None),
            ("V", 3, None),
        ];
        let files = names.iter().map(|(name, file, index)| (View { file: *file, index: *index }, sets.open(name, RECOVERABLE).unwrap()));
        let files = files.collect();
        let units = (0..UNITS).map(|_| sets.store().begin()).collect();
        Driver {
            files,
            units,
            browses: (0..UNITS).map(|_| None).collect(),
            holds: (0..UNITS).map(|_| None).collect(),
            sets,
            model,
            waiter: ThreadWaiter::new(),
            last_rba: None,
            trace: None,
            _directory: directory,
        }
    }

    fn file(&self, view: View) -> File {
        self.files.iter().find(|(known, _)| *known == view).expect("every view is open").1.clone()
    }

    fn note(&mut self, text: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.push(text());
        }
    }

    fn expect(&mut self, what: String, real: Answer, expected: Answer) -> Result<(), String> {
        self.note(|| format!("{what}: {real:?}"));
        if real == expected { Ok(()) } else { Err(format!("{what}: answered {real:?}, the model says {expected:?}")) }
    }

    fn some_view(&self, random: &mut Random) -> View {
        self.files[random.index(self.files.len())].0
    }

    fn data(&self, file: usize, key: &[u8], random: &mut Random) -> Vec<u8> {
        let letter = |random: &mut Random, count| b'a' + random.index(count) as u8;
        let kind = self.model.files[file].kind;
        let mut data = if kind == Kind::Ksds { key.to_vec() } else { Vec::new() };
        data.extend([letter(random, 5), letter(random, 5), letter(random, 3)]);
        let length = match random.index(20) {
            0 => 61,
            1 if kind == Kind::Ksds => KEY_LENGTH + random.index(4),
            _ if kind == Kind::Rrds => 20,
            _ => 7 + random.index(50),
        };
        let filler = b'0' + random.index(10) as u8;
        data.resize(length, filler);
        data
    }

    /// A key of a base: often an existing one.
    fn base_key(&self, unit: usize, file: usize, random: &mut Random) -> Vec<u8> {
        let model = &self.model.files[file];
        let keys = model.keys(unit);
        if !keys.is_empty() && (model.kind == Kind::Esds || random.index(3) > 0) {
            return keys[random.index(keys.len())].clone();
        }
        match model.kind {
            Kind::Ksds => (0..KEY_LENGTH).map(|_| b'A' + random.index(3) as u8).collect(),
            Kind::Esds => u64::MAX.to_be_bytes()[..7].iter().copied().chain([0xFE]).collect(),
            Kind::Rrds | Kind::Vrrds => (1 + random.index(25) as u32).to_be_bytes().to_vec(),
        }
    }

    /// A key of a view.
    fn view_key(&self, unit: usize, view: View, random: &mut Random) -> Vec<u8> {
        let Some(index) = view.index else { return self.base_key(unit, view.file, random) };
        let rule = self.model.files[view.file].indexes[index];
        if self.model.files[view.file].kind == Kind::Esds || !rule.unique {
            return vec![b'a' + random.index(6) as u8];
        }
        vec![b'a' + random.index(6) as u8, b'a' + random.index(6) as u8]
    }

    fn write(&mut self, unit: usize, random: &mut Random) -> Result<(), String> {
        let file = random.index(self.model.files.len());
        let view = View { file, index: None };
        let kind = self.model.files[file].kind;
        let key = self.base_key(unit, file, random);
        let data = self.data(file, &key, random);
        let id = match kind {
            Kind::Ksds | Kind::Esds => None,
            Kind::Rrds | Kind::Vrrds => Some(record_id(kind, None, &key)),
        };
        let mass_insert = kind == Kind::Ksds && random.index(6) == 0;
        let result = self.file(view).write(&self.units[unit], id, &data, mass_insert, LockWait::never(&self.waiter));
        let mut key = key;
        if let (Kind::Esds, Ok(found)) = (kind, &result) {
            if self.last_rba.is_some_and(|last| found.number <= last) {
                return Err(format!("RBA {} after {:?}", found.number, self.last_rba));
            }
            self.last_rba = Some(found.number);
            key = found.number.to_be_bytes().to_vec();
        }
        let expected = self.model.write(unit, file, &key, &data);
        self.expect(format!("unit {unit} WRITE {kind:?} {key:?} length {}", data.len()), answer(&result), expected)
    }

    fn read(&mut self, unit: usize, random: &mut Random) -> Result<(), String> {
        let view = self.some_view(random);
        let key = self.view_key(unit, view, random);
        let kind = self.model.files[view.file].kind;
        let keyed = view.index.is_some() || kind == Kind::Ksds;
        let search = match random.index(3) {
            0 => Search::GTEQ,
            1 if keyed => Search::generic(random.index(key.len()), random.index(2) == 0),
            _ => Search::EQUAL,
        };
        let mut record = Vec::new();
        let result = self.file(view).read(&self.units[unit], record_id(kind, view.index, &key), search, &mut record);
        let entries = self.model.files[view.file].view(unit, view.index);
        let wanted = &key[..search.generic.unwrap_or(key.len())];
        let found = entries.iter().find(|entry| entry.0.as_slice() >= wanted);
        let found = found.filter(|entry| search.greater_or_equal || entry.0.starts_with(wanted)).cloned();
        let what = format!("unit {unit} READ {view:?} {key:?} {search:?}");
        self.expect(what.clone(), answer(&result), if found.is_some() { None } else { NOT_FOUND })?;
        if let (Ok(shown), Some(entry)) = (result, found) {
            self.compare(&what, unit, view, &shown, &record, &entry, &entries)?;
        }
        Ok(())
    }

    /// Compares key, data and DUPKEY of a record read.
    #[allow(clippy::too_many_arguments)]
    fn compare(
        &self,
        what: &str,
        unit: usize,
        view: View,
        shown: &Found,
        record: &[u8],
        entry: &ViewEntry,
        entries: &[ViewEntry],
    ) -> Result<(), String> {
        let data = &self.model.files[view.file].get(unit, &entry.2).expect("listed").data;
        let duplicates = view.index.is_some_and(|index| !self.model.files[view.file].indexes[index].unique);
        let duplicate_key = duplicates && entries.iter().any(|other| other.0 == entry.0 && other.1 > entry.1);
        let same = shown.key == entry.0 && record == data && shown.duplicate_key == duplicate_key;
        if same {
            return Ok(());
        }
        Err(format!(
            "{what}: got {:?} {:?} dup {}, the model says {:?} {:?} dup {duplicate_key}",
            shown.key, record, shown.duplicate_key, entry.0, data
        ))
    }

    fn read_update(&mut self, unit: usize, random: &mut Random) -> Result<(), String> {
        if self.holds[unit].is_some() {
            return self.use_hold(unit, random);
        }
        let view = self.some_view(random);
        let key = self.view_key(unit, view, random);
        let kind = self.model.files[view.file].kind;
        let mut record = Vec::new();
        let id = record_id(kind, view.index, &key);
        let result = self.file(view).read_update(&self.units[unit], id, Search::EQUAL, LockWait::never(&self.waiter), &mut record);
        let entries = self.model.files[view.file].view(unit, view.index);
        let entry = entries.iter().find(|entry| entry.0 == key).cloned();
        let base = match (&entry, view.index) {
            (Some(entry), _) => Some(entry.2.clone()),
            // The key is locked before it is searched for.
            (None, None) => Some(key.clone()),
            (None, Some(_)) => None,
        };
        let owned = base.as_ref().is_some_and(|base| self.model.lock_owner(view.file, None, base) == Some(unit));
        let expected = base.as_ref().map_or(NOT_FOUND, |base| self.model.read_update(unit, view.file, base));
        let what = format!("unit {unit} READ UPDATE {view:?} {key:?}");
        self.expect(what.clone(), answer(&result), expected)?;
        if let (Ok((shown, _)), Some(entry)) = (result, entry) {
            self.compare(&what, unit, view, &shown, &record, &entry, &entries)?;
            self.holds[unit] = Some(Hold { view, key: entry.2, new_lock: !owned });
        }
        Ok(())
    }

    /// REWRITE, DELETE or UNLOCK of the record held, or without one.
    fn use_hold(&mut self, unit: usize, random: &mut Random) -> Result<(), String> {
        let Some(hold) = self.holds[unit].take() else { return self.without_hold(unit, random) };
        let view = hold.view;
        let file = self.file(view);
        let token = file.held(&self.units[unit]).ok_or("the record is not held any more")?;
        let wait = LockWait::never(&self.waiter);
        let mut result = Ok(());
        let mut expected = None;
        let what;
        match random.index(5) {
            0 => {
                what = format!("unit {unit} UNLOCK {:?}", hold.key);
                file.unlock(&self.units[unit], token).map_err(|error| error.to_string())?;
            }
            1 => {
                what = format!("unit {unit} DELETE held {view:?} {:?}", hold.key);
                result = file.delete(&self.units[unit], token, wait);
                let esds = self.model.files[view.file].kind == Kind::Esds;
                expected = if esds { ESDS_DELETE } else { self.model.delete(unit, view.file, &hold.key) };
            }
            _ => {
                let mut key = hold.key.clone();
                if random.index(12) == 0 {
                    key[0] ^= 1;
                }
                let mut data = self.data(view.file, &key, random);
                if self.model.files[view.file].kind == Kind::Esds && random.index(4) > 0 {
                    let length = self.model.files[view.file].get(unit, &hold.key).map_or(1, |stored| stored.data.len());
                    data.resize(length, b'.');
                }
                what = format!("unit {unit} REWRITE {view:?} {:?} length {}", hold.key, data.len());
                result = file.rewrite(&self.units[unit], token, &data, wait);
                expected = self.model.rewrite(unit, view.file, &hold.key, view.index, &data);
            }
        }
        if result.is_err() {
            // The record stays held: the program unlocks it.
            file.unlock(&self.units[unit], token).map_err(|error| error.to_string())?;
        }
        if hold.new_lock && !self.model.has_changed(unit, view.file, &hold.key) {
            self.model.unlock(view.file, &hold.key);
        }
        self.expect(what, answer(&result), expected)
    }

    fn without_hold(&mut self, unit: usize, random: &mut Random) -> Result<(), String> {
        let view = self.some_view(random);
        let file = self.file(view);
        let result = file.rewrite(&self.units[unit], Token(0), b"nothing is held", LockWait::never(&self.waiter));
        self.expect(format!("unit {unit} REWRITE {view:?} without READ UPDATE"), answer(&result), NO_UPDATE)
    }

    /// DELETE RIDFLD of the base.
    fn delete(&mut self, unit: usize, random: &mut Random) -> Result<(), String> {
        let file = random.index(self.model.files.len());
        let view = View { file, index: None };
        let key = self.base_key(unit, file, random);
        let kind = self.model.files[file].kind;
        // Records held for update are covered by another test.
        if self.holds[unit].as_ref().is_some_and(|hold| hold.view.file == file && hold.key == key) {
            return Ok(());
        }
        let result = self.file(view).delete_record(&self.units[unit], record_id(kind, None, &key), LockWait::never(&self.waiter));
        let expected = if kind == Kind::Esds {
            ESDS_DELETE
        } else {
            let owned = self.model.lock_owner(file, None, &key) == Some(unit);
            let mut expected = self.model.read_update(unit, file, &key);
            if expected.is_none() {
                expected = self.model.delete(unit, file, &key);
                if expected.is_some() && !owned {
                    self.model.unlock(file, &key);
                }
            }
            expected
        };
        self.expect(format!("unit {unit} DELETE {kind:?} {key:?}"), answer(&result), expected)
    }

    fn start_browse(&mut self, unit: usize, random: &mut Random) -> Result<(), String> {
        let view = self.some_view(random);
        let kind = self.model.files[view.file].kind;
        let mut key = self.view_key(unit, view, random);
        let keyed = view.index.is_some() || kind == Kind::Ksds;
        let search = match random.index(5) {
            0 if keyed => Search::generic(random.index(key.len()), true),
            1 => Search::EQUAL,
            _ => Search::GTEQ,
        };
        let high = keyed && search.generic.is_none() && random.index(5) == 0;
        if high {
            key.fill(0xFF);
        }
        let entries = self.model.files[view.file].view(unit, view.index);
        let wanted = key[..search.generic.unwrap_or(key.len())].to_vec();
        let first = entries.iter().find(|entry| entry.0 >= wanted);
        let found = first.filter(|entry| search.greater_or_equal || entry.0.starts_with(&wanted));
        let result = self.file(view).start_browse(&self.units[unit], record_id(kind, view.index, &key), search);
        let expected = if found.is_some() || high { None } else { NOT_FOUND };
        self.expect(format!("unit {unit} STARTBR {view:?} {key:?} {search:?}"), answer(&result), expected)?;
        if let Ok(browse) = result {
            let at = if high { At::End } else { At::Start { key: wanted } };
            self.browses[unit] = Some(ModelBrowse { view, browse, at, ridfld: key, generic: search.generic.is_some() });
        }
        Ok(())
    }

    fn step_browse(&mut self, unit: usize, random: &mut Random) -> Result<(), String> {
        let Some(mut position) = self.browses[unit].take() else { return self.start_browse(unit, random) };
        let forward = random.index(3) > 0;
        let view = position.view;
        let kind = self.model.files[view.file].kind;
        let entries = self.model.files[view.file].view(unit, view.index);
        let expected = if !forward && position.generic {
            Err(GENERIC_PREVIOUS)
        } else if !forward && matches!(&position.at, At::Start { key } if entries.iter().all(|entry| entry.0 != *key)) {
            // READPREV right after STARTBR needs a record with that very key.
            Err(NOT_FOUND)
        } else {
            next_entry(&entries, &position.at, forward).ok_or(END_OF_FILE)
        };
        let id = record_id(kind, view.index, &position.ridfld);
        let mut record = Vec::new();
        let result = if forward {
            position.browse.next(&self.units[unit], id, &mut record)
        } else {
            position.browse.previous(&self.units[unit], id, &mut record)
        };
        let what = format!("unit {unit} {} {view:?} from {:?}", if forward { "READNEXT" } else { "READPREV" }, position.at);
        self.expect(what.clone(), answer(&result), expected.as_ref().err().copied().flatten())?;
        if let (Ok(shown), Ok(entry)) = (result, expected) {
            self.compare(&what, unit, view, &shown, &record, &entry, &entries)?;
            position.ridfld = shown.key;
            position.at = At::Record { key: entry.0, arrival: entry.1, forward };
        }
        self.browses[unit] = Some(position);
        Ok(())
    }

    fn end(&mut self, unit: usize, commit: bool) -> Result<(), String> {
        self.note(|| format!("unit {unit} {}", if commit { "SYNCPOINT" } else { "SYNCPOINT ROLLBACK" }));
        // A browse of a view whose order of arrival was backed out has lost its position; programs end browses before syncpoints.
        self.browses[unit] = None;
        self.holds[unit] = None;
        let old = std::mem::replace(&mut self.units[unit], self.sets.store().begin());
        if commit {
            old.commit(&self.waiter).map_err(|error| error.to_string())?;
        } else {
            old.backout();
        }
        self.model.end(unit, commit);
        Ok(())
    }

    fn step(&mut self, number: u64) -> Result<(), String> {
        if number == NEVER_AGREES {
            return Err("this step never agrees".into());
        }
        let mut random = Random::new(number);
        let unit = random.index(UNITS);
        match random.index(100) {
            0..24 => self.write(unit, &mut random),
            24..40 => self.read(unit, &mut random),
            40..62 => self.read_update(unit, &mut random),
            62..64 => self.without_hold(unit, &mut random),
            64..70 => self.delete(unit, &mut random),
            70..74 => self.start_browse(unit, &mut random),
            74..95 => self.step_browse(unit, &mut random),
            95..98 => self.end(unit, true),
            _ => self.end(unit, false),
        }
    }

    /// Every view, as every unit of work sees it.
    fn check(&self) -> Result<(), String> {
        for unit in 0..UNITS {
            for (view, file) in &self.files {
                let kind = self.model.files[view.file].kind;
                let entries = self.model.files[view.file].view(unit, view.index);
                let first = match (kind, view.index) {
                    (Kind::Rrds | Kind::Vrrds, None) => 1u32.to_be_bytes().to_vec(),
                    (Kind::Esds, None) => vec![0; 8],
                    (_, Some(index)) => vec![0; self.model.files[view.file].indexes[index].length],
                    _ => vec![0; KEY_LENGTH],
                };
                let mut id = first;
                let mut seen = Vec::new();
                if let Ok(mut browse) = file.start_browse(&self.units[unit], record_id(kind, view.index, &id), Search::GTEQ) {
                    let mut record = Vec::new();
                    while let Ok(found) = browse.next(&self.units[unit], record_id(kind, view.index, &id), &mut record) {
                        id = found.key;
                        seen.push(record.clone());
                    }
                }
                let expected: Vec<_> =
                    entries.iter().map(|entry| self.model.files[view.file].get(unit, &entry.2).expect("listed").data.clone()).collect();
                if seen != expected {
                    return Err(format!("unit {unit} sees {view:?} as {seen:?}, the model {expected:?}"));
                }
            }
        }
        Ok(())
    }
}

/// The record that READNEXT or READPREV reaches.
fn next_entry(entries: &[ViewEntry], at: &At, forward: bool) -> Option<ViewEntry> {
    // READPREV also returns records of one alternate key in the order they were written: it moves to the first one of the previous key.
    let first_of = |key: &[u8]| entries.iter().find(|entry| entry.0 == key);
    let before = |key: &[u8]| entries.iter().rfind(|entry| entry.0.as_slice() < key).and_then(|entry| first_of(&entry.0));
    let found = match (at, forward) {
        (At::Start { key }, true) => entries.iter().find(|entry| entry.0 >= *key),
        (At::Start { key }, false) => first_of(key),
        (At::End, true) => None,
        (At::End, false) => entries.last().and_then(|entry| first_of(&entry.0)),
        (At::Record { key, arrival, forward: true }, true) => entries.iter().find(|entry| (&entry.0, entry.1) > (key, *arrival)),
        (At::Record { key, forward: false, .. }, true) => entries.iter().find(|entry| entry.0 >= *key),
        (At::Record { key, forward: true, .. }, false) => first_of(key).or_else(|| before(key)),
        (At::Record { key, arrival, forward: false }, false) => {
            entries.iter().find(|entry| entry.0 == *key && entry.1 > *arrival).or_else(|| before(key))
        }
    };
    found.cloned()
}

fn record_id(kind: Kind, index: Option<usize>, key: &[u8]) -> RecordId<'_> {
    let number = || key.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    match kind {
        _ if index.is_some() => RecordId::Key(key),
        Kind::Ksds => RecordId::Key(key),
        Kind::Esds => RecordId::Rba(number()),
        Kind::Rrds | Kind::Vrrds => RecordId::Rrn(number() as u32),
    }
}

fn drive(driver: &mut Driver, numbers: &[u64]) -> Result<(), String> {
    for (step, number) in numbers.iter().enumerate() {
        driver.step(*number).map_err(|why| format!("step {step}: {why}"))?;
        if step % 500 == 499 {
            driver.check().map_err(|why| format!("step {step}: {why}"))?;
        }
    }
    driver.check()
}

/// Runs a sequence; the error describes the difference between files and model.
pub fn run(numbers: &[u64]) -> Result<(), String> {
    drive(&mut Driver::new(), numbers)
}

/// As `run`, with the result of each step.
pub fn traced(numbers: &[u64]) -> (Result<(), String>, Vec<String>) {
    let mut driver = Driver::new();
    driver.trace = Some(Vec::new());
    let result = drive(&mut driver, numbers);
    let mut trace = driver.trace.take().unwrap_or_default();
    trace.extend(result.as_ref().err().cloned());
    (result, trace)
}

/// Leaves out steps as long as the sequence still fails: halves first, then quarters, down to single steps.
pub fn shorten(numbers: &[u64]) -> Vec<u64> {
    let mut shortest = numbers.to_vec();
    let mut chunk = shortest.len().div_ceil(2);
    loop {
        let mut at = 0;
        while at < shortest.len() {
            let mut candidate = shortest.clone();
            candidate.drain(at..(at + chunk).min(candidate.len()));
            if run(&candidate).is_err() {
                shortest = candidate;
            } else {
                at += chunk;
            }
        }
        if chunk == 1 {
            return shortest;
        }
        chunk = chunk.div_ceil(2);
    }
}
