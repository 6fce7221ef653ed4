//! REPRO: copying between data sets and flat files, with ranges, SKIP, COUNT, REPLACE and REUSE.
//!
//! An empty target that is not open elsewhere is loaded in bulk; otherwise each record is written by its own request, which takes effect at
//! once. Invariant: the number reported is the number of records that this command put into the target.

use super::dd::{FlatReader, FlatWriter};
use super::parser::{Command, Parameter};
use super::print::printable;
use super::range::Range;
use super::{DdTarget, Done, Failure, RecordFormat, Run, numbers, one_name};
use crate::catalog::{Entry, Organization};
use crate::data_sets::load::{LoadError, SequentialLoad};
use crate::error::FileError;
use crate::feedback::{logical, open};
use crate::file::browse::Browse;
use crate::file::{File, OpenOptions, RecordId, Search};
use crate::holds::openers::Opener;
use crate::store::UnitOfWork;
use crate::wait::{LockWait, ThreadWaiter};
use codepage::CodePage;

/// Errors of single records after which a copy stops.
const ERROR_LIMIT: u32 = 4;
const PROGRESS_RECORDS: u64 = 8192;

/// Where records come from.
pub(super) enum Source {
    Data { file: File, unit: Box<UnitOfWork>, browse: Option<Browse>, ridfld: Vec<u8>, by_address: bool },
    Flat(FlatReader),
    Records(std::vec::IntoIter<Vec<u8>>),
    Empty,
}

/// A record read: its key and number, for PRINT.
#[derive(Default)]
pub(super) struct Place {
    pub key: Vec<u8>,
    pub number: u64,
}

/// What a REPRO command asks for; source and target with the names they were given by.
struct Request {
    input: (String, DdTarget),
    output: (String, DdTarget),
    range: Range,
    replace: bool,
    reuse: bool,
    error_limit: u32,
}

pub(super) enum Target {
    Load(Box<SequentialLoad>),
    Data { file: File, unit: Box<UnitOfWork>, waiter: ThreadWaiter, next_number: u32 },
    Flat(FlatWriter),
    Dummy,
}

fn open_failure(name: &str, why: &str) -> Failure {
    Failure::new(12, [format!("IDC3300I ERROR OPENING {name}"), format!("IDC3351I ** {why}")])
}

/// A data set that is opened for input and has never had a record.
pub(super) fn empty(name: &str) -> Failure {
    open_failure(name, "VSAM OPEN RETURN CODE IS 160")
}

fn action_failure(name: &str, why: &str) -> Failure {
    Failure::new(12, [format!("IDC3302I ACTION ERROR ON {name}"), format!("IDC3351I ** {why}")])
}

impl Source {
    /// A data set that has never had a record cannot be opened for input.
    pub(super) fn must_be_available(&self) -> Done {
        match self {
            Source::Data { file, .. } if file.has_never_had_a_record()? => Err(empty(&file.attributes().data_set)),
            _ => Ok(()),
        }
    }

    fn start(&mut self, range: &Range) -> Done {
        let Source::Data { file, unit, browse, ridfld, by_address, .. } = self else { return Ok(()) };
        let attributes = file.attributes();
        range.check(attributes)?;
        let keyed = attributes.path || attributes.organization == Organization::Ksds;
        let result = match (keyed, &range.from_key, attributes.organization) {
            (true, Some(key), _) if key.len() >= attributes.key_length => {
                file.start_browse(unit, RecordId::Key(&key[..attributes.key_length]), Search::GTEQ)
            }
            (true, Some(key), _) => file.start_browse(unit, RecordId::Key(key), Search::generic(key.len(), true)),
            // Addresses of a KSDS: in the physical order of the records.
            (true, None, _) if range.by_address && !attributes.path => {
                *by_address = true;
                file.start_browse(unit, RecordId::Rba(range.from_number.unwrap_or(0)), Search::EQUAL)
            }
            (true, None, _) => file.start_browse(unit, RecordId::Key(&[]), Search::generic(0, true)),
            (false, _, Organization::Esds | Organization::Linear) => {
                let search = if range.from_number.is_some() { Search::EQUAL } else { Search::GTEQ };
                file.start_browse(unit, RecordId::Rba(range.from_number.unwrap_or(0)), search)
            }
            (false, ..) => {
                let number = range.from_number.unwrap_or(1).max(1) as u32;
                file.start_browse(unit, RecordId::Rrn(number), Search::GTEQ)
            }
        };
        match result {
            Ok(started) => {
                *ridfld = started.ridfld().to_vec();
                *browse = Some(started);
                Ok(())
            }
            // There is a record at the address, or it is not an address of this data set.
            Err(FileError::NotFound) if range.by_address && range.from_number.is_some() => {
                Err(action_failure(&attributes.data_set, &format!("VSAM (POINT) I/O RETURN CODE IS {}", logical::INVALID_RBA)))
            }
            Err(FileError::NotFound) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the next record; false at the end.
    pub(super) fn next(&mut self, record: &mut Vec<u8>, place: &mut Place) -> Result<bool, Failure> {
        place.number += 1;
        match self {
            Source::Empty => Ok(false),
            Source::Records(records) => match records.next() {
                Some(next) => {
                    *record = next;
                    Ok(true)
                }
                None => Ok(false),
            },
            Source::Flat(reader) => reader.next(record).map_err(|why| action_failure("INPUT", &why)),
            Source::Data { file, unit, browse, ridfld, by_address } => {
                let Some(browse) = browse else { return Ok(false) };
                let attributes = file.attributes();
                let id = match attributes.organization {
                    _ if attributes.path => RecordId::Key(ridfld),
                    Organization::Ksds if !*by_address => RecordId::Key(ridfld),
                    Organization::Ksds | Organization::Esds | Organization::Linear => RecordId::Rba(crate::sphere::rba_of(ridfld)),
                    _ => RecordId::Rrn(crate::sphere::rrn_of(ridfld)),
                };
                match browse.next(unit, id, record) {
                    Ok(found) => {
                        place.number = found.number;
                        place.key.clone_from(&found.key);
                        *ridfld = found.key;
                        Ok(true)
                    }
                    Err(FileError::EndOfFile) => Ok(false),
                    Err(error) => Err(action_failure(&attributes.data_set, &error.to_string())),
                }
            }
        }
    }

    fn past_end(&self, range: &Range, place: &Place) -> bool {
        let Source::Data { .. } = self else { return false };
        let past_key = range.to_key.as_ref().is_some_and(|to| {
            let length = to.len().min(place.key.len());
            place.key[..length] > to[..length]
        });
        past_key || range.to_number.is_some_and(|to| place.number > to)
    }

    /// Whether this is a relative record data set, whose record numbers must be kept.
    fn is_numbered(&self) -> bool {
        matches!(self, Source::Data { file, .. } if matches!(file.attributes().organization, Organization::Rrds | Organization::Vrrds))
    }

    fn is_keyed_data(&self) -> bool {
        matches!(self, Source::Data { .. })
    }

    /// Calls `each` with every record of the range until it answers false.
    pub(super) fn for_each(&mut self, range: &Range, each: &mut dyn FnMut(&[u8], &Place) -> Result<bool, Failure>) -> Done {
        if !self.is_keyed_data() && (range.from_key.is_some() || range.to_key.is_some() || range.from_number.is_some()) {
            return Err(Failure::syntax("IDC3211I A RANGE OF KEYS OR ADDRESSES NEEDS A VSAM DATA SET"));
        }
        self.start(range)?;
        let (mut record, mut place) = (Vec::new(), Place::default());
        let mut done = 0;
        let mut skip = range.skip;
        while range.count.is_none_or(|count| done < count) && self.next(&mut record, &mut place)? {
            if self.past_end(range, &place) {
                break;
            }
            if skip > 0 {
                skip -= 1;
                continue;
            }
            if !each(&record, &place)? {
                break;
            }
            done += 1;
        }
        Ok(())
    }
}

impl Run<'_> {
    /// The target of an INFILE, INDATASET, OUTFILE or OUTDATASET parameter.
    pub(super) fn dd(&self, parameter: &Parameter, data_set: bool) -> Result<(String, DdTarget), Failure> {
        let name = match parameter.arguments.as_deref() {
            Some([first, ..]) if data_set => super::absolute_name(self.data_sets, first)?,
            _ => one_name(parameter)?,
        };
        let target = if data_set {
            match self.data_sets.catalog().resolve(&name)? {
                Some((_, Entry::NonVsam(_) | Entry::GenerationGroup(_))) | None => self.dds.resolve_data_set(&name),
                Some(_) => Some(DdTarget::DataSet(name.clone())),
            }
        } else {
            self.dds.resolve_dd(&name)
        };
        match target {
            // A DD of a data set the catalog does not know may be a sequential file known by name.
            Some(DdTarget::DataSet(set)) if self.data_sets.catalog().resolve(&set)?.is_none() => {
                let target = self.dds.resolve_data_set(&set).ok_or_else(|| super::not_found(&set))?;
                Ok((set, target))
            }
            Some(target) => Ok((name, target)),
            None if data_set => Err(super::not_found(&name)),
            None => Err(open_failure(&name, "THE DD STATEMENT IS MISSING")),
        }
    }

    pub(super) fn source(&self, name: &str, target: DdTarget, other_length: usize) -> Result<Source, Failure> {
        match target {
            DdTarget::DataSet(set) => {
                let options = OpenOptions { recoverable: Some(false), reset: false };
                let file = self.data_sets.open_as(&set, options, Some(Opener { user: self.user, output: false }))?;
                let unit = self.data_sets.store().begin();
                Ok(Source::Data { file, unit: Box::new(unit), browse: None, ridfld: Vec::new(), by_address: false })
            }
            DdTarget::File { path, format } => {
                let format = with_length(format, other_length);
                let reader = FlatReader::open(&path, format, self.page);
                reader.map(Source::Flat).map_err(|why| open_failure(name, &why))
            }
            DdTarget::Records(records) => Ok(Source::Records(records.into_iter())),
            DdTarget::Dummy => Ok(Source::Empty),
        }
    }

    pub(super) fn target(&self, name: &str, target: &DdTarget, other_length: usize, reuse: bool) -> Result<Target, Failure> {
        match target {
            DdTarget::DataSet(set) => {
                if let Some((base, Entry::Cluster(_))) = self.data_sets.catalog().resolve(set)? {
                    if reuse {
                        let options = OpenOptions { recoverable: Some(false), reset: true };
                        self.data_sets.open(&base, options).map(drop).map_err(|error| match error {
                            FileError::NotReusable(_) => open_failure(name, &format!("VSAM OPEN RETURN CODE IS {}", open::NOT_REUSABLE)),
                            other => other.into(),
                        })?;
                    }
                    if let Some(load) = self.data_sets.sequential_load(&base)? {
                        return Ok(Target::Load(Box::new(load)));
                    }
                }
                let options = OpenOptions { recoverable: Some(false), reset: false };
                let file = self.data_sets.open_as(set, options, Some(Opener { user: self.user, output: true }))?;
                let unit = self.data_sets.store().begin();
                Ok(Target::Data { file, unit: Box::new(unit), waiter: ThreadWaiter::new(), next_number: 1 })
            }
            DdTarget::File { path, format } => {
                let writer = FlatWriter::create(path, with_length(*format, other_length), self.page);
                writer.map(Target::Flat).map_err(|why| open_failure(name, &why))
            }
            DdTarget::Records(_) => Err(open_failure(name, "IN-STREAM DATA CANNOT BE WRITTEN")),
            DdTarget::Dummy => Ok(Target::Dummy),
        }
    }

    /// The length of the records of a data set, for a flat file on the other side; and whether all records have it.
    fn record_length(&self, target: &DdTarget) -> Result<(usize, bool), Failure> {
        let DdTarget::DataSet(set) = target else {
            return Ok(match target {
                DdTarget::File { format: RecordFormat::Fixed(length), .. } => (*length, true),
                _ => (80, false),
            });
        };
        let file = self.data_sets.open(set, OpenOptions::default())?;
        Ok((file.attributes().record_length_max, file.attributes().fixed))
    }

    fn request(&self, command: &Command) -> Result<Request, Failure> {
        super::exclusive(&command.parameters, Range::EXCLUSIVE)?;
        let (mut input, mut output) = (None, None);
        let mut range = Range::default();
        let (mut replace, mut reuse, mut error_limit) = (false, false, ERROR_LIMIT);
        for parameter in &command.parameters {
            match parameter.word() {
                "INFILE" | "IFILE" => input = Some(self.dd(parameter, false)?),
                "INDATASET" | "IDS" => input = Some(self.dd(parameter, true)?),
                "OUTFILE" | "OFILE" => output = Some(self.dd(parameter, false)?),
                "OUTDATASET" | "ODS" => output = Some(self.dd(parameter, true)?),
                "REPLACE" | "REP" => replace = true,
                "NOREPLACE" | "NREP" => replace = false,
                "REUSE" | "RUS" => reuse = true,
                "NOREUSE" | "NRUS" => reuse = false,
                "ERRORLIMIT" | "ELIMIT" => error_limit = numbers(parameter, 1, 1)?[0],
                _ if range.apply(self, parameter)? => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        let input = input.ok_or_else(|| Failure::missing("INFILE OR INDATASET"))?;
        let output = output.ok_or_else(|| Failure::missing("OUTFILE OR OUTDATASET"))?;
        Ok(Request { input, output, range, replace, reuse, error_limit })
    }

    pub(super) fn repro(&mut self, command: &Command) -> Done {
        let Request { input: (input_name, input), output: (output_name, output), range, replace, reuse, error_limit } =
            self.request(command)?;
        if let (DdTarget::DataSet(from), DdTarget::DataSet(to)) = (&input, &output)
            && self.base_of(from)?.0 == self.base_of(to)?.0
        {
            return Err(FileError::NotShared(to.clone()).into());
        }
        let (input_length, _) = self.record_length(&input)?;
        let (output_length, pad) = self.record_length(&output)?;
        let is_text = matches!(input, DdTarget::File { format: RecordFormat::Text, .. } | DdTarget::Records(_));
        let pad_to = if is_text && pad { output_length } else { 0 };
        let mut source = self.source(&input_name, input, output_length)?;
        source.must_be_available()?;
        let mut target = self.target(&output_name, &output, input_length, reuse)?;
        let mut copy = Copy::new(&output_name, replace, error_limit, self.page);
        let (blank, progress) = (self.page.space, self.options.progress);
        let mut padded = Vec::new();
        let keeps_numbers = source.is_numbered();
        let result = source.for_each(&range, &mut |record, place| {
            let record = if record.len() < pad_to {
                padded.clear();
                padded.extend_from_slice(record);
                padded.resize(pad_to, blank);
                &padded[..]
            } else {
                record
            };
            let number = keeps_numbers.then_some(place.number as u32);
            let go_on = copy.put(&mut target, record, number)?;
            if let Some(progress) = progress
                && copy.done.is_multiple_of(PROGRESS_RECORDS)
            {
                progress(copy.name, copy.done);
            }
            Ok(go_on)
        });
        let (mut done, errors, stopped) = (copy.done, copy.errors, copy.errors >= error_limit && copy.errors > 0);
        for line in std::mem::take(&mut copy.lines) {
            self.listing.line(&line);
        }
        let is_load = matches!(target, Target::Load(_));
        let finished = finish(target, &output_name);
        if let (true, true, DdTarget::DataSet(set)) = (is_load, finished.is_err(), &output) {
            // The last batch of a failed load left no records.
            done = self.data_sets.open(set, OpenOptions::default())?.record_count()?;
        }
        if errors > 0 {
            self.listing.code(if stopped { 12 } else { 8 });
        }
        if stopped {
            self.listing.line("IDC31467I MAXIMUM ERROR LIMIT REACHED.");
        }
        let result = result.and(finished);
        if let Err(failure) = result {
            self.fail(failure);
        }
        if let Some(progress) = progress {
            progress(&output_name, done);
        }
        self.listing.line(&format!("IDC0005I NUMBER OF RECORDS PROCESSED WAS {done}"));
        Ok(())
    }
}

fn with_length(format: RecordFormat, other_length: usize) -> RecordFormat {
    match format {
        RecordFormat::Fixed(0) => RecordFormat::Fixed(other_length),
        other => other,
    }
}

pub(super) fn finish(target: Target, name: &str) -> Done {
    match target {
        Target::Load(load) => load.finish().map(|_| ()).map_err(|error| action_failure(name, &error.to_string())),
        Target::Data { unit, waiter, .. } => unit.commit(&waiter).map_err(|error| action_failure(name, &error.to_string())),
        Target::Flat(writer) => writer.finish().map_err(|why| action_failure(name, &why)),
        Target::Dummy => Ok(()),
    }
}

/// A copy in progress: the records copied and refused.
pub(super) struct Copy<'a> {
    name: &'a str,
    replace: bool,
    errors: u32,
    error_limit: u32,
    page: &'static CodePage,
    pub done: u64,
    /// Messages about records that were refused.
    pub lines: Vec<String>,
}

impl<'a> Copy<'a> {
    pub(super) fn new(name: &'a str, replace: bool, error_limit: u32, page: &'static CodePage) -> Copy<'a> {
        Copy { name, replace, errors: 0, error_limit, page, done: 0, lines: Vec::new() }
    }

    /// The message about a record that a load refuses, with the record's key.
    fn refusal(&self, load: &SequentialLoad, record: &[u8], what: &str) -> String {
        match load.key_of(record) {
            Some(key) => format!("{what} - KEY OF RECORD - {}", printable(self.page, key)),
            None => what.to_string(),
        }
    }

    /// Writes a record, one of an RRDS into an RRDS at its own number; false when too many were refused.
    pub(super) fn put(&mut self, target: &mut Target, record: &[u8], number: Option<u32>) -> Result<bool, Failure> {
        let refused = match target {
            Target::Dummy => None,
            Target::Flat(writer) => match writer.refuses(record) {
                Some(why) => Some(format!("IDC3351I ** {why}")),
                None => {
                    writer.put(record).map_err(|why| action_failure(self.name, &why))?;
                    None
                }
            },
            Target::Load(load) => match load.put_at(number.unwrap_or(load.next_number()), record) {
                Ok(()) => None,
                Err(LoadError::Duplicate) => Some(self.refusal(load, record, "IDC3308I ** DUPLICATE RECORD")),
                Err(LoadError::OutOfSequence) => Some(self.refusal(load, record, "IDC3314I ** RECORD OUT OF SEQUENCE")),
                Err(LoadError::Length(length)) => Some(length_message(length)),
                Err(LoadError::File(error)) => return Err(action_failure(self.name, &error.to_string())),
            },
            Target::Data { file, unit, waiter, next_number } => {
                let wait = LockWait::forever(waiter);
                *next_number = number.unwrap_or(*next_number);
                match write_record(file, unit, record, self.replace, next_number, wait) {
                    Ok(()) => None,
                    Err(FileError::DuplicateRecord) => Some("IDC3308I ** DUPLICATE RECORD".to_string()),
                    Err(FileError::Length(length)) => Some(length_message(length)),
                    Err(error) => return Err(action_failure(self.name, &error.to_string())),
                }
            }
        };
        match refused {
            None => self.done += 1,
            Some(message) => {
                self.errors += 1;
                self.lines.push(format!("IDC3302I ACTION ERROR ON {}", self.name));
                self.lines.push(message);
            }
        }
        Ok(self.errors < self.error_limit || self.errors == 0)
    }
}

fn length_message(length: usize) -> String {
    format!("IDC3351I ** VSAM (PUT) I/O RETURN CODE IS 108: RECORD LENGTH {length}")
}

fn write_record(
    file: &File,
    unit: &UnitOfWork,
    record: &[u8],
    replace: bool,
    next_number: &mut u32,
    wait: LockWait<'_>,
) -> Result<(), FileError> {
    let organization = file.attributes().organization;
    let slot = matches!(organization, Organization::Rrds | Organization::Vrrds);
    let id = slot.then_some(RecordId::Rrn(*next_number));
    if slot {
        *next_number += 1;
    }
    match file.write(unit, id, record, true, wait) {
        Err(FileError::DuplicateRecord) if replace => {
            let key;
            let id = match id {
                Some(id) => id,
                None => {
                    let attributes = file.attributes();
                    let end = attributes.key_position + attributes.key_length;
                    key = record.get(attributes.key_position..end).ok_or(FileError::Length(record.len()))?;
                    RecordId::Key(key)
                }
            };
            let (_, token) = match file.read_update(unit, id, Search::EQUAL, wait, &mut Vec::new()) {
                // The duplicate is in a unique alternate index, not the record itself.
                Err(FileError::NotFound) => return Err(FileError::DuplicateRecord),
                other => other?,
            };
            let result = file.rewrite(unit, token, record, wait);
            if result.is_err() {
                file.unlock(unit, token)?;
            }
            result
        }
        other => other.map(|_| ()),
    }
}
