//! The rules of COBOL for relative and indexed files: which statement is allowed when, and the resulting file status. A [`RecordFile`]
//! stores the records; the creator of the [`super::BatchHost`] provides it (VSAM data sets).
//!
//! Rules: Enterprise COBOL for z/OS Language Reference, "File status key" and the statements' "Indexed files" and
//! "Relative files".
//!
//! `unsafe` here copies between a record and the record area of the request, which lies in the program's storage for its full length.
//! `regent/tests/batch_files.rs` covers it.

use super::files::{Mode, status};
use crate::module::{Access, FileInfo, Organization};
use crate::requests::{FileOperation, FileRequest};
use std::path::PathBuf;

/// A file status: two characters.
pub type FileStatus = [u8; 2];
/// The second item of FILE STATUS: return code, component and reason code of VSAM.
pub type AccessStatus = [u8; 6];

/// Which record is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKey<'a> {
    /// A key of an indexed file; START may give its leading bytes only.
    Bytes(&'a [u8]),
    /// A relative record number.
    Number(u32),
}

/// Where START positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Relation {
    /// From the compiler's number of the relation operator.
    fn of(number: u32) -> Option<Relation> {
        [
            Some(Relation::Equal),
            None,
            Some(Relation::Less),
            Some(Relation::LessOrEqual),
            Some(Relation::Greater),
            Some(Relation::GreaterOrEqual),
        ]
        .get(number as usize)
        .copied()
        .flatten()
    }
}

/// The description of the record that a request found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Met {
    /// Relative record number, or 0.
    pub number: u32,
    /// Another record has the same alternate key (reading: the next record).
    pub duplicate: bool,
}

/// An open data set with keys or record numbers. Keys are numbered: 0 the record key, then the alternate keys of the program.
pub trait RecordFile {
    /// Position for [`RecordFile::next`] without reading; `23` when no record satisfies.
    fn start(&mut self, key: usize, at: RecordKey<'_>, relation: Relation) -> Result<(), FileStatus>;
    /// The next record from the position, in the order of the key last used; `10` at the end.
    fn next(&mut self, record: &mut Vec<u8>) -> Result<Met, FileStatus>;
    fn previous(&mut self, record: &mut Vec<u8>) -> Result<Met, FileStatus>;
    /// A record by its key, which also becomes the position; `23` if there is none.
    fn read(&mut self, key: usize, at: RecordKey<'_>, record: &mut Vec<u8>) -> Result<Met, FileStatus>;
    /// A new record; `22` if its key is in use. The number is given for relative files.
    fn write(&mut self, number: Option<u32>, record: &[u8]) -> Result<Met, FileStatus>;
    /// The record of that key; the position stays.
    fn rewrite(&mut self, at: RecordKey<'_>, record: &[u8]) -> Result<Met, FileStatus>;
    fn delete(&mut self, at: RecordKey<'_>) -> Result<(), FileStatus>;
    /// Key (indexed) and number (relative) of the last record.
    fn last(&mut self, record: &mut Vec<u8>) -> Result<Option<Met>, FileStatus>;
    /// Whether the data set was created at this open.
    fn is_new(&self) -> bool;
    /// The VSAM codes of the last request.
    fn feedback(&self) -> AccessStatus;
}

/// Opens data sets for programs.
pub trait RecordFiles {
    /// `name` is a data set name, from the DD or from the program's assignment. `new`: create it if it does not exist; the alternate keys
    /// may be found under DD names composed of the DD name and 1, 2, 3 (`alternates`).
    fn open(
        &mut self,
        name: &str,
        new: bool,
        alternates: &[Option<String>],
        file: &FileInfo,
        mode: Mode,
    ) -> Result<Box<dyn RecordFile>, FileStatus>;

    /// The file of a sequential data set that is not VSAM; `None`: the name is that of a VSAM data set, or of no data set and `new` is not
    /// given. The file exists unless `new`.
    fn sequential(&mut self, name: &str, new: bool) -> Result<Option<PathBuf>, FileStatus>;

    /// The VSAM codes of the last open.
    fn feedback(&self) -> AccessStatus;
}

/// A relative or indexed file, or a sequential one on an entry-sequenced data set, while it is open.
pub(super) struct Keyed {
    file: Box<dyn RecordFile>,
    mode: Mode,
    /// The record last read in sequential access, for REWRITE and DELETE: its record key or number.
    current: Option<OwnedKey>,
    /// Writing in sequence: the highest key or number so far.
    highest: Option<OwnedKey>,
    /// The last sequential READ found no record: the next one is an error until a START or a READ by key.
    ended: bool,
    /// The last START or READ by key failed: there is no position.
    lost: bool,
    buffer: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd)]
enum OwnedKey {
    Bytes(Vec<u8>),
    Number(u32),
}

impl OwnedKey {
    fn as_key(&self) -> RecordKey<'_> {
        match self {
            OwnedKey::Bytes(bytes) => RecordKey::Bytes(bytes),
            OwnedKey::Number(number) => RecordKey::Number(*number),
        }
    }
}

type Outcome = Result<FileStatus, FileStatus>;

impl Keyed {
    pub(super) fn open(mut file: Box<dyn RecordFile>, info: &FileInfo, mode: Mode) -> Result<Keyed, FileStatus> {
        let mut buffer = Vec::new();
        let mut highest = None;
        if mode == Mode::Extend {
            highest = file.last(&mut buffer)?.map(|met| identity(info, &buffer, met.number));
        }
        Ok(Keyed { file, mode, current: None, highest, ended: false, lost: false, buffer })
    }

    pub(super) fn is_new(&self) -> bool {
        self.file.is_new()
    }

    pub(super) fn operate(&mut self, info: &FileInfo, request: &mut FileRequest) -> FileStatus {
        let outcome = match request.operation {
            FileOperation::Read => self.read(info, request),
            FileOperation::Write => self.write(info, request),
            FileOperation::Rewrite => self.rewrite(info, request),
            FileOperation::Delete => self.delete(info, request),
            FileOperation::Start => self.start(info, request),
            FileOperation::Open | FileOperation::Close => Ok(status::SUCCESSFUL),
        };
        let status = outcome.unwrap_or_else(|status| status);
        // Errors found by the run time itself never reached VSAM.
        let asked = status[0] != b'4' && status != status::NUMBER_TOO_LONG;
        request.feedback = if asked { self.file.feedback() } else { AccessStatus::default() };
        status
    }

    fn read(&mut self, info: &FileInfo, request: &mut FileRequest) -> Outcome {
        if !matches!(self.mode, Mode::Input | Mode::InputOutput) {
            return Err(status::NOT_OPEN_INPUT);
        }
        self.current = None;
        let mut buffer = std::mem::take(&mut self.buffer);
        let sequential = request.mode != BY_KEY || info.access == Access::Sequential;
        let met = match sequential {
            true => self.read_next(request.mode == PREVIOUS, &mut buffer),
            false => self.read_key(info, request, &mut buffer),
        };
        self.buffer = buffer;
        let met = met?;
        if !fits(info, met.number) {
            return Err(status::NUMBER_TOO_LONG);
        }
        self.current = Some(identity(info, &self.buffer, met.number));
        let room = request.record_length as usize;
        let moved = self.buffer.len().min(room);
        // The record area is the program's own, at least `record_length` long.
        unsafe { std::ptr::copy_nonoverlapping(self.buffer.as_ptr(), request.record, moved) };
        request.record_length = moved as u32;
        request.relative = met.number.into();
        if self.buffer.len() > room {
            return Ok(status::LENGTH_CONFLICT);
        }
        Ok(if met.duplicate { status::DUPLICATE_KEY } else { status::SUCCESSFUL })
    }

    fn read_next(&mut self, backward: bool, buffer: &mut Vec<u8>) -> Result<Met, FileStatus> {
        if self.ended || self.lost {
            return Err(status::NO_NEXT_RECORD);
        }
        let met = if backward { self.file.previous(buffer) } else { self.file.next(buffer) };
        self.ended = met == Err(status::AT_END);
        met
    }

    fn read_key(&mut self, info: &FileInfo, request: &FileRequest, buffer: &mut Vec<u8>) -> Result<Met, FileStatus> {
        let met = match given_key(info, request, None) {
            Some(key) => self.file.read(request.key as usize, key, buffer),
            None => Err(status::NO_RECORD),
        };
        self.ended = false;
        self.lost = met.is_err();
        met
    }

    fn start(&mut self, info: &FileInfo, request: &FileRequest) -> Outcome {
        if !matches!(self.mode, Mode::Input | Mode::InputOutput) {
            return Err(status::NOT_OPEN_INPUT);
        }
        self.current = None;
        let length = (request.key_length > 0).then_some(request.key_length as usize);
        let result = match (given_key(info, request, length), Relation::of(request.mode)) {
            (Some(key), Some(relation)) => self.file.start(request.key as usize, key, relation),
            // Relative record 0 is before all.
            (None, Some(Relation::Greater | Relation::GreaterOrEqual)) => {
                self.file.start(0, RecordKey::Number(1), Relation::GreaterOrEqual)
            }
            _ => Err(status::NO_RECORD),
        };
        self.ended = false;
        self.lost = result.is_err();
        result.map(|()| status::SUCCESSFUL)
    }

    fn write(&mut self, info: &FileInfo, request: &mut FileRequest) -> Outcome {
        let sequential = !info.organization.is_sequential() && (info.access == Access::Sequential || self.mode == Mode::Extend);
        match self.mode {
            Mode::Output | Mode::Extend => {}
            Mode::InputOutput if info.access != Access::Sequential => {}
            _ => return Err(status::NOT_OPEN_OUTPUT),
        }
        let record = record_of(info, request)?;
        let number = match info.organization {
            Organization::Relative if sequential => Some(self.next_number()?),
            Organization::Relative => Some(u32::try_from(request.relative).ok().filter(|number| *number > 0).ok_or(status::BOUNDARY)?),
            _ => None,
        };
        if number.is_some_and(|number| !fits(info, number)) {
            return Err(status::BOUNDARY);
        }
        let key = identity(info, record, number.unwrap_or(0));
        if sequential && self.highest.as_ref().is_some_and(|highest| *highest >= key) {
            return Err(status::SEQUENCE);
        }
        let met = self.file.write(number, record)?;
        if sequential {
            self.highest = Some(key);
        }
        if let Some(number) = number {
            request.relative = number.into();
        }
        Ok(if met.duplicate { status::DUPLICATE_KEY } else { status::SUCCESSFUL })
    }

    fn next_number(&self) -> Result<u32, FileStatus> {
        match self.highest {
            Some(OwnedKey::Number(number)) => number.checked_add(1).ok_or(status::BOUNDARY),
            _ => Ok(1),
        }
    }

    fn rewrite(&mut self, info: &FileInfo, request: &FileRequest) -> Outcome {
        if self.mode != Mode::InputOutput {
            return Err(status::NOT_OPEN_IO);
        }
        let record = record_of(info, request)?;
        let met = if info.access == Access::Sequential {
            let current = self.current.take().ok_or(status::NO_READ)?;
            let same = info.organization == Organization::Relative || identity(info, record, 0) == current;
            if !same && !info.keys.is_empty() {
                return Err(status::SEQUENCE);
            }
            self.file.rewrite(current.as_key(), record)?
        } else {
            let key = given_key(info, request, None).ok_or(status::NO_RECORD)?;
            self.file.rewrite(key, record)?
        };
        Ok(if met.duplicate { status::DUPLICATE_KEY } else { status::SUCCESSFUL })
    }

    fn delete(&mut self, info: &FileInfo, request: &FileRequest) -> Outcome {
        if self.mode != Mode::InputOutput {
            return Err(status::NOT_OPEN_IO);
        }
        if info.access == Access::Sequential {
            let current = self.current.take().ok_or(status::NO_READ)?;
            self.file.delete(current.as_key())?;
        } else {
            let key = given_key(info, request, None).ok_or(status::NO_RECORD)?;
            self.file.delete(key)?;
        }
        Ok(status::SUCCESSFUL)
    }
}

/// READ modes of [`FileRequest::mode`].
const PREVIOUS: u32 = 1;
pub(super) const BY_KEY: u32 = 2;

/// The record to be written, whose length must be valid for the file.
fn record_of<'a>(info: &FileInfo, request: &FileRequest) -> Result<&'a [u8], FileStatus> {
    if !(info.record_minimum..=info.record_maximum).contains(&request.record_length) {
        return Err(status::BOUNDARY_VIOLATION);
    }
    // The record is the program's own, `record_length` long; it lives longer than the request.
    Ok(unsafe { std::slice::from_raw_parts(request.record, request.record_length as usize) })
}

/// The key in the record area, or the relative key; `None`: record number 0 or too large.
fn given_key<'a>(info: &FileInfo, request: &FileRequest, length: Option<usize>) -> Option<RecordKey<'a>> {
    if info.organization == Organization::Relative {
        return u32::try_from(request.relative).ok().filter(|number| *number > 0).map(RecordKey::Number);
    }
    let key = info.keys.get(request.key as usize)?;
    let length = length.unwrap_or(key.length as usize).min(key.length as usize);
    // Keys lie within the record area.
    Some(RecordKey::Bytes(unsafe { std::slice::from_raw_parts(request.record.add(key.offset as usize), length) }))
}

/// Whether a relative record number has no more digits than the relative key.
fn fits(info: &FileInfo, number: u32) -> bool {
    info.relative_digits == 0 || 10u64.checked_pow(info.relative_digits.into()).is_none_or(|limit| u64::from(number) < limit)
}

/// The identity of a record: its record key, or its number.
fn identity(info: &FileInfo, record: &[u8], number: u32) -> OwnedKey {
    match info.keys.first() {
        Some(key) if info.organization != Organization::Relative => {
            let end = (key.offset + key.length) as usize;
            OwnedKey::Bytes(record.get(key.offset as usize..end).unwrap_or_default().to_vec())
        }
        _ => OwnedKey::Number(number),
    }
}
