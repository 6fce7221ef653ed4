//! Relative and indexed files of batch programs, and sequential ones on entry-sequenced data sets: VSAM data sets of a data directory,
//! through the interface of [`program::batch`].
//!
//! A batch job has no syncpoints: changes are made at once and are not backed out, also when the data set is recoverable for a region. The
//! store is opened when a program first opens a data set, so other programs need no data directory.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use program::batch::{AccessStatus, FileStatus, Met, Mode, RecordFile, RecordFiles, RecordKey, Relation, relative_generation, status};
use program::module::{FileInfo, FileKey, Organization as FileOrganization};
use vsam::catalog::{Attributes, Entry};
use vsam::feedback::Feedback;
use vsam::{
    Browse, DataSets, File, FileError, Found, LockWait, OpenOptions, Organization, RecordId, Search, Store, ThreadWaiter, UnitOfWork,
};

use crate::idcams::open_store;
use crate::sequential::{scratch_sequential, sequential_path};
use crate::work_directory::WorkDirectory;

/// The data sets of a data directory.
pub struct VsamRecords {
    directory: PathBuf,
    opened: Option<(Arc<Store>, Arc<DataSets>)>,
    /// The store was opened here, and is closed at the end.
    is_own: bool,
    /// Relative generations this step has used: a number means the same one to its end.
    generations: BTreeMap<String, String>,
    /// Generations this step makes; they are cataloged at its end.
    made: Vec<String>,
    /// The VSAM codes of the last open.
    feedback: Feedback,
}

const NEVER_LOADED: &str = "the data set is empty";

impl VsamRecords {
    pub fn new(directory: PathBuf) -> VsamRecords {
        VsamRecords { directory, opened: None, is_own: true, generations: BTreeMap::new(), made: Vec::new(), feedback: Feedback::default() }
    }

    /// Those of a store that is open and stays open.
    pub fn opened(directory: PathBuf, data_sets: Arc<DataSets>) -> VsamRecords {
        let mut records = VsamRecords::new(directory);
        records.opened = Some((data_sets.store().clone(), data_sets));
        records.is_own = false;
        records
    }

    fn data_sets(&mut self) -> Result<Arc<DataSets>, FileStatus> {
        if let Some((_, data_sets)) = &self.opened {
            return Ok(data_sets.clone());
        }
        let opened = open_store(&self.directory).and_then(|store| {
            let data_sets = DataSets::new(store.clone()).map_err(|error| error.to_string())?;
            Ok((store, data_sets))
        });
        match opened {
            Ok((store, data_sets)) => {
                self.opened = Some((store, data_sets.clone()));
                Ok(data_sets)
            }
            Err(message) => {
                eprintln!("regent: {message}");
                Err(status::IN_USE)
            }
        }
    }
}

impl VsamRecords {
    /// A name, made absolute if it is that of a relative generation. One to come is made by this step.
    fn absolute(&mut self, name: &str) -> Result<String, FileStatus> {
        let Some(relative) = relative_generation(name) else { return Ok(name.to_string()) };
        if let Some(known) = self.generations.get(name) {
            return Ok(known.clone());
        }
        let absolute = self.data_sets()?.absolute_name(name).map_err(|error| {
            eprintln!("regent: {error}");
            status::NOT_FOUND
        })?;
        self.generations.insert(name.to_string(), absolute.clone());
        if relative > 0 {
            self.made.push(absolute.clone());
        }
        Ok(absolute)
    }

    fn path_of(&self, name: &str) -> PathBuf {
        sequential_path(&WorkDirectory::of_store(&self.directory), name)
    }

    /// The end of the step: what it made is cataloged, in the order of the generations' numbers, and what rolls off goes.
    fn catalog_generations(&mut self) {
        let mut made = std::mem::take(&mut self.made);
        made.sort();
        for name in made.into_iter().filter(|name| self.path_of(name).is_file()) {
            let Some((_, data_sets)) = &self.opened else { return };
            match data_sets.catalog_sequential(&name) {
                Ok(scratched) => scratched.iter().for_each(|gone| {
                    let _ = scratch_sequential(&WorkDirectory::of_store(&self.directory), gone);
                }),
                Err(error) => eprintln!("regent: {name}: {error}"),
            }
        }
    }
}

impl Drop for VsamRecords {
    fn drop(&mut self) {
        self.catalog_generations();
        if let Some((store, _)) = self.opened.take()
            && self.is_own
            && let Err(error) = store.close()
        {
            eprintln!("regent: {error}");
        }
    }
}

impl RecordFiles for VsamRecords {
    fn sequential(&mut self, name: &str, new: bool) -> Result<Option<PathBuf>, FileStatus> {
        let name = self.absolute(name)?;
        let entry = self.data_sets()?.catalog().resolve(&name).map_err(|error| failed(FileError::Store(error)))?;
        if matches!(entry, Some((_, Entry::Cluster(_) | Entry::AlternateIndex(_) | Entry::Path(_)))) {
            return Ok(None);
        }
        let path = self.path_of(&name);
        if new && let Some(parent) = path.parent() {
            vsam::disk::private::create_directory(parent).map_err(|_| status::PERMANENT_ERROR)?;
        }
        Ok((new || path.is_file()).then_some(path))
    }

    fn open(
        &mut self,
        name: &str,
        new: bool,
        alternates: &[Option<String>],
        file: &FileInfo,
        mode: Mode,
    ) -> Result<Box<dyn RecordFile>, FileStatus> {
        self.feedback = Feedback::default();
        let name = &self.absolute(name)?;
        let data_sets = self.data_sets()?;
        let entry = data_sets.catalog().resolve(name).map_err(|error| failed(FileError::Store(error)))?;
        let absent = entry.is_none();
        match entry {
            None if !new || mode == Mode::Input || mode != Mode::Output && !file.optional => {
                return Err(self.refused(file, FileError::DataSetNotFound(name.clone())));
            }
            None => define(&data_sets, name, file)?,
            Some(_) if new && mode == Mode::Output => {
                data_sets.delete(name).map_err(failed)?;
                define(&data_sets, name, file)?;
            }
            Some(_) => {}
        }
        let options = OpenOptions { recoverable: Some(false), reset: mode == Mode::Output };
        let base = data_sets.open(name, options).map_err(|error| self.refused(file, error))?;
        check_attributes(&base, file)?;
        // A data set that has never had a record is not available: only OUTPUT, or OPTIONAL, makes it so.
        let never_loaded = mode != Mode::Output && base.has_never_had_a_record().map_err(failed)?;
        if never_loaded && (!file.optional || mode == Mode::Input) {
            return Err(self.unavailable(file, name));
        }
        if mode != Mode::Input {
            base.prime().map_err(failed)?;
        }
        let absent = absent || never_loaded;
        let options = OpenOptions { reset: false, ..options };
        let mut views = vec![base];
        for (key, given) in file.keys.iter().skip(1).zip(alternates) {
            views.push(alternate(&data_sets, &file.assignment, &views[0], key, given.as_deref(), options)?);
        }
        let unit = data_sets.store().begin();
        let (cursor, waiter, feedback) = (Cursor::Start, ThreadWaiter::new(), Cell::default());
        Ok(Box::new(VsamFile { views, unit, waiter, key: 0, cursor, keys: file.keys.clone(), absent, feedback }))
    }

    fn feedback(&self) -> AccessStatus {
        self.feedback.bytes()
    }
}

impl VsamRecords {
    /// The status of an OPEN of a data set that has never had a record.
    fn unavailable(&mut self, file: &FileInfo, name: &str) -> FileStatus {
        if !file.optional {
            self.refused(file, FileError::NotAllowed(NEVER_LOADED));
            eprintln!("regent: {name} has never had a record: open it for OUTPUT, or load it");
        }
        status::NOT_FOUND
    }

    /// The status of an OPEN that failed; what is wrong is said as VSAM says it.
    fn refused(&mut self, file: &FileInfo, error: FileError) -> FileStatus {
        self.feedback = error.open_feedback();
        let Feedback { return_code, reason, .. } = self.feedback;
        let meaning = self.feedback.open_meaning();
        eprintln!("IEC161I {} OPEN failed, return code {return_code}, error X'{reason:02X}' ({meaning}): {error}", file.assignment);
        match error {
            FileError::NotAllowed(_) => status::MODE_NOT_POSSIBLE,
            error => failed(error),
        }
    }
}

/// The view of an alternate key: the path or index named by a DD, else the index of the cluster that has this key.
fn alternate(
    data_sets: &Arc<DataSets>,
    assignment: &str,
    base: &File,
    key: &FileKey,
    given: Option<&str>,
    options: OpenOptions,
) -> Result<File, FileStatus> {
    let names = match (given, data_sets.catalog().get(&base.attributes().base)) {
        (Some(name), _) => vec![name.to_string()],
        (None, Ok(Some(Entry::Cluster(cluster)))) => cluster.indexes,
        _ => Vec::new(),
    };
    for name in names {
        let is_index = matches!(data_sets.catalog().get(&name), Ok(Some(Entry::AlternateIndex(_))));
        let view = if is_index { data_sets.open_through_index(&name, options) } else { data_sets.open(&name, options) };
        let view = view.map_err(failed)?;
        let attributes = view.attributes();
        if attributes.key_position == key.offset as usize && attributes.key_length == key.length as usize {
            // Whether keys are unique is the index's own attribute: OPEN does not compare it with the DUPLICATES phrase.
            return Ok(view);
        }
    }
    let (length, offset) = (key.length, key.offset);
    eprintln!("{assignment} OPEN failed, file status 39: no alternate index has a key of {length} bytes at offset {offset}");
    Err(status::ATTRIBUTES)
}

/// The data set must match the program: organization, keys and record length (file status 39).
fn check_attributes(base: &File, file: &FileInfo) -> Result<(), FileStatus> {
    let attributes = base.attributes();
    let organization = match attributes.organization {
        _ if attributes.path => file.organization == FileOrganization::Indexed,
        Organization::Ksds => file.organization == FileOrganization::Indexed,
        Organization::Rrds | Organization::Vrrds => file.organization == FileOrganization::Relative,
        Organization::Esds => file.organization == FileOrganization::Sequential,
        Organization::Linear => false,
    };
    let key =
        file.keys.first().is_none_or(|key| (attributes.key_position, attributes.key_length) == (key.offset as usize, key.length as usize));
    let (own, actual) = (file.record_maximum as usize, attributes.record_length_max);
    let why = match file.keys.first() {
        _ if !organization => format!("the data set is organized as {:?}", attributes.organization),
        Some(own) if !key && file.organization == FileOrganization::Indexed => format!(
            "the program's key has {} bytes at offset {}, the data set's {} at offset {}",
            own.length, own.offset, attributes.key_length, attributes.key_position
        ),
        _ if own != actual => format!("the program's record has {own} bytes, the data set's {actual}"),
        _ => return Ok(()),
    };
    eprintln!("{} OPEN failed, file status 39: {why}", file.assignment);
    Err(status::ATTRIBUTES)
}

/// DEFINE CLUSTER, and DEFINE ALTERNATEINDEX for each alternate key, from what the program says of the file.
fn define(data_sets: &Arc<DataSets>, name: &str, file: &FileInfo) -> Result<(), FileStatus> {
    let fixed = file.record_minimum == file.record_maximum;
    let average = if fixed { file.record_maximum } else { file.record_minimum.max(1) };
    let (organization, key) = match file.organization {
        FileOrganization::Sequential => (Organization::Esds, None),
        FileOrganization::Relative if fixed => (Organization::Rrds, None),
        FileOrganization::Relative => (Organization::Vrrds, None),
        _ => (Organization::Ksds, file.keys.first()),
    };
    let (key_length, key_position) = key.map_or((0, 0), |key| (key.length, key.offset));
    let attributes = Attributes::new(key_length, key_position, average, file.record_maximum);
    data_sets.define_cluster(name, organization, attributes).map_err(failed)?;
    let base_key_length = key_length.max(4);
    for (number, key) in file.keys.iter().enumerate().skip(1).filter(|_| organization == Organization::Ksds) {
        // An index record: 5 bytes of control, the key, and one record key or many.
        let record = 5 + key.length + base_key_length;
        let attributes = Attributes::new(key.length, key.offset, record, INDEX_RECORD_MAX.max(record));
        data_sets.define_index(&format!("{name}.AIX{number}"), name, !key.duplicates, true, attributes).map_err(failed)?;
    }
    Ok(())
}

const INDEX_RECORD_MAX: u32 = 4_086;

fn failed(error: FileError) -> FileStatus {
    if let FileError::Store(error) = &error {
        eprintln!("regent: {error}");
    }
    let Feedback { return_code, reason, .. } = error.feedback();
    status::of_feedback(return_code, reason)
}

fn record_id(key: RecordKey<'_>) -> RecordId<'_> {
    match key {
        RecordKey::Bytes(bytes) => RecordId::Key(bytes),
        RecordKey::Number(number) => RecordId::Rrn(number),
    }
}

/// Where sequential reading stands.
enum Cursor {
    /// Before the first record.
    Start,
    Browsing(Box<Browse>),
    /// After the record with this key (of the view).
    After(Vec<u8>),
}

struct VsamFile {
    /// The base, then a view for each alternate key of the program.
    views: Vec<File>,
    unit: UnitOfWork,
    waiter: ThreadWaiter,
    /// The key of reference.
    key: usize,
    cursor: Cursor,
    keys: Vec<FileKey>,
    absent: bool,
    /// The VSAM codes of the last request.
    feedback: Cell<Feedback>,
}

/// RPLCMPON: what was being processed.
const ALTERNATE_INDEX: u8 = 2;
const UPGRADE_SET: u8 = 4;
/// Reason code with return code 0: another record has the alternate key.
const DUPLICATE_ALTERNATE_KEY: u8 = 8;

impl VsamFile {
    /// The status of a request that failed.
    fn failed(&self, error: FileError) -> FileStatus {
        let through_index = self.views[self.key].attributes().path;
        let component = if through_index { ALTERNATE_INDEX } else { 0 };
        self.feedback.set(Feedback { component, ..error.feedback() });
        failed(error)
    }

    /// Notes that a request went well.
    fn succeeded(&self, met: Met) -> Met {
        let duplicate = Feedback { return_code: 0, component: 0, reason: DUPLICATE_ALTERNATE_KEY };
        self.feedback.set(if met.duplicate { duplicate } else { Feedback::default() });
        met
    }

    fn organization(&self) -> Organization {
        self.views[0].attributes().organization
    }

    fn keyed(&self) -> bool {
        self.views[0].attributes().path || self.organization() == Organization::Ksds
    }

    /// Identifies a record of the key of reference by its key as the view shows it.
    fn identified<'a>(&self, key: &'a [u8]) -> RecordId<'a> {
        match (self.keyed(), self.organization()) {
            (true, _) => RecordId::Key(key),
            (_, Organization::Esds) => RecordId::Rba(u64::from_be_bytes(key.try_into().unwrap_or_default())),
            _ => RecordId::Rrn(u32::from_be_bytes(key.try_into().unwrap_or_default())),
        }
    }

    fn browse(&self, id: RecordId<'_>, search: Search) -> Result<Browse, FileError> {
        self.views[self.key].start_browse(&self.unit, id, search)
    }

    /// The browse from the cursor on.
    fn browsing(&mut self) -> Result<Browse, FileError> {
        match std::mem::replace(&mut self.cursor, Cursor::Start) {
            Cursor::Browsing(browse) => Ok(*browse),
            Cursor::Start => {
                let lowest = vec![0; self.views[self.key].attributes().key_length];
                let id = match (self.keyed(), self.organization()) {
                    (true, _) => RecordId::Key(&lowest),
                    (_, Organization::Esds) => RecordId::Rba(0),
                    _ => RecordId::Rrn(1),
                };
                self.browse(id, Search::GTEQ)
            }
            Cursor::After(key) => {
                let mut browse = match self.browse(self.identified(&key), Search::EQUAL) {
                    Ok(browse) => browse,
                    // Deleted meanwhile: the next one is the first at or after its key.
                    Err(FileError::NotFound) => return self.browse(self.identified(&key), Search::GTEQ),
                    Err(error) => return Err(error),
                };
                step(&self.unit, &mut browse, true, self.keyed(), &mut Vec::new())?;
                Ok(browse)
            }
        }
    }

    fn step(&mut self, forward: bool, record: &mut Vec<u8>) -> Result<Met, FileStatus> {
        let at_end = |file: &VsamFile, error| match error {
            FileError::NotFound | FileError::EndOfFile => file.failed(FileError::EndOfFile),
            error => file.failed(error),
        };
        let mut browse = self.browsing().map_err(|error| at_end(self, error))?;
        let found = step(&self.unit, &mut browse, forward, self.keyed(), record);
        self.cursor = Cursor::Browsing(Box::new(browse));
        found.map(|found| self.succeeded(met(found))).map_err(|error| at_end(self, error))
    }

    /// A browse of the key of reference that begins behind the last record.
    fn browse_from_end(&self) -> Result<Browse, FileError> {
        let highest = vec![0xFF; self.views[self.key].attributes().key_length];
        let end = if self.keyed() { RecordId::Key(&highest) } else { RecordId::Rrn(u32::MAX) };
        self.browse(end, Search::GTEQ)
    }

    /// The record before the first one at or after a key (or before the end).
    fn before(&mut self, at: Option<RecordId<'_>>, search: Search) -> Result<Found, FileError> {
        let (mut browse, from_end) = match at.map(|id| self.browse(id, search)) {
            Some(Ok(browse)) => (browse, false),
            Some(Err(FileError::NotFound)) | None => (self.browse_from_end()?, true),
            Some(Err(error)) => return Err(error),
        };
        let mut record = Vec::new();
        if !from_end {
            // Forward to the record and back to it: a change of direction gives the same record again.
            step(&self.unit, &mut browse, true, self.keyed(), &mut record)?;
            step(&self.unit, &mut browse, false, self.keyed(), &mut record)?;
        }
        step(&self.unit, &mut browse, false, self.keyed(), &mut record)
    }

    /// Whether another record has one of the alternate keys of a record just written.
    fn duplicates(&self, record: &[u8]) -> Result<bool, FileError> {
        for (view, key) in self.views.iter().zip(&self.keys).skip(1).filter(|(view, _)| view.attributes().duplicates) {
            let Some(value) = record.get(key.offset as usize..(key.offset + key.length) as usize) else {
                continue;
            };
            if view.read(&self.unit, RecordId::Key(value), Search::EQUAL, &mut Vec::new())?.duplicate_key {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The status of a change that failed: it is by the record key, and a duplicate that is none of the record key is one of an index.
    fn of_the_base(&self, error: FileError, record: &[u8]) -> FileStatus {
        let is_there = |key| self.views[0].read(&self.unit, RecordId::Key(key), Search::EQUAL, &mut Vec::new()).is_ok();
        let of_an_index = matches!(error, FileError::DuplicateRecord) && !self.views[0].key_in(record).is_some_and(is_there);
        let component = if of_an_index && self.keyed() { UPGRADE_SET } else { 0 };
        self.feedback.set(Feedback { component, ..error.feedback() });
        failed(error)
    }

    fn wait(&self) -> LockWait<'_> {
        LockWait::forever(&self.waiter)
    }
}

/// READNEXT or READPREV from where the browse is.
fn step(unit: &UnitOfWork, browse: &mut Browse, forward: bool, keyed: bool, record: &mut Vec<u8>) -> Result<Found, FileError> {
    let ridfld = browse.ridfld().to_vec();
    let id = match ridfld.len() {
        _ if keyed => RecordId::Key(&ridfld),
        8 => RecordId::Rba(u64::from_be_bytes(ridfld[..].try_into().unwrap_or_default())),
        _ => RecordId::Rrn(u32::from_be_bytes(ridfld[..].try_into().unwrap_or_default())),
    };
    if forward { browse.next(unit, id, record) } else { browse.previous(unit, id, record) }
}

fn met(found: Found) -> Met {
    Met { number: u32::try_from(found.number).unwrap_or(u32::MAX), duplicate: found.duplicate_key }
}

/// The least key greater than every key that begins with these bytes.
fn successor(key: &[u8]) -> Option<Vec<u8>> {
    let end = key.iter().rposition(|byte| *byte != 0xFF)?;
    let mut next = key.to_vec();
    next[end] += 1;
    next[end + 1..].fill(0);
    Some(next)
}

impl RecordFile for VsamFile {
    fn start(&mut self, key: usize, at: RecordKey<'_>, relation: Relation) -> Result<(), FileStatus> {
        self.key = key;
        let full = self.views[key].attributes().key_length;
        let next = match (at, relation) {
            (_, Relation::Equal | Relation::GreaterOrEqual | Relation::Less) => None,
            (RecordKey::Bytes(bytes), _) => successor(bytes),
            (RecordKey::Number(_), _) => None,
        };
        let search = |length: usize, greater_or_equal| Search { greater_or_equal, generic: (length < full).then_some(length) };
        let length = if let RecordKey::Bytes(bytes) = at { bytes.len() } else { full };
        let number = if let RecordKey::Number(number) = at { number.checked_add(1) } else { None };
        let after = next.as_deref().map(RecordId::Key).or(number.map(RecordId::Rrn));
        let browse = match relation {
            Relation::Equal => self.browse(record_id(at), search(length, false)),
            Relation::GreaterOrEqual => self.browse(record_id(at), search(length, true)),
            Relation::Greater => match after {
                Some(id) => self.browse(id, search(length, true)),
                None => Err(FileError::NotFound),
            },
            Relation::Less | Relation::LessOrEqual => {
                let id = if relation == Relation::Less { Some(record_id(at)) } else { after };
                self.before(id, search(length, true)).and_then(|found| self.browse(self.identified(&found.key), Search::EQUAL))
            }
        };
        match browse {
            Ok(browse) => {
                self.cursor = Cursor::Browsing(Box::new(browse));
                self.succeeded(Met::default());
                Ok(())
            }
            Err(FileError::EndOfFile) => Err(self.failed(FileError::NotFound)),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn next(&mut self, record: &mut Vec<u8>) -> Result<Met, FileStatus> {
        self.step(true, record)
    }

    fn previous(&mut self, record: &mut Vec<u8>) -> Result<Met, FileStatus> {
        self.step(false, record)
    }

    fn read(&mut self, key: usize, at: RecordKey<'_>, record: &mut Vec<u8>) -> Result<Met, FileStatus> {
        self.key = key;
        let found = self.views[key].read(&self.unit, record_id(at), Search::EQUAL, record);
        let found = found.map_err(|error| self.failed(error))?;
        self.cursor = Cursor::After(found.key.clone());
        Ok(self.succeeded(met(found)))
    }

    fn write(&mut self, number: Option<u32>, record: &[u8]) -> Result<Met, FileStatus> {
        let id = number.map(RecordId::Rrn);
        let written = self.views[0].write(&self.unit, id, record, false, self.wait());
        let found = written.map_err(|error| self.of_the_base(error, record))?;
        let duplicate = self.duplicates(record).map_err(|error| self.failed(error))?;
        Ok(self.succeeded(Met { duplicate, ..met(found) }))
    }

    fn rewrite(&mut self, at: RecordKey<'_>, record: &[u8]) -> Result<Met, FileStatus> {
        let at = match at {
            RecordKey::Number(number) if self.organization() == Organization::Esds => RecordId::Rba(number.into()),
            at => record_id(at),
        };
        let (base, wait) = (&self.views[0], self.wait());
        let held = base.read_update(&self.unit, at, Search::EQUAL, wait, &mut Vec::new());
        let (_, token) = held.map_err(|error| self.of_the_base(error, record))?;
        if let Err(error) = base.rewrite(&self.unit, token, record, wait) {
            base.unlock(&self.unit, token).map_err(failed)?;
            return Err(self.of_the_base(error, record));
        }
        let duplicate = self.duplicates(record).map_err(|error| self.failed(error))?;
        Ok(self.succeeded(Met { duplicate, ..Met::default() }))
    }

    fn delete(&mut self, at: RecordKey<'_>) -> Result<(), FileStatus> {
        let deleted = self.views[0].delete_record(&self.unit, record_id(at), self.wait());
        self.succeeded(Met::default());
        deleted.map_err(|error| self.of_the_base(error, &[]))
    }

    fn last(&mut self, record: &mut Vec<u8>) -> Result<Option<Met>, FileStatus> {
        self.key = 0;
        if self.organization() == Organization::Esds {
            return Ok(None);
        }
        let mut browse = self.browse_from_end().map_err(failed)?;
        match step(&self.unit, &mut browse, false, self.keyed(), record) {
            Ok(found) => Ok(Some(met(found))),
            Err(FileError::EndOfFile | FileError::NotFound) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn is_new(&self) -> bool {
        self.absent
    }

    fn feedback(&self) -> AccessStatus {
        self.feedback.get().bytes()
    }
}
