//! Files of batch programs by DD name: OPEN, CLOSE, and the choice of the implementation for all other statements.
//!
//! A DD name is resolved by the names the caller gave ([`Files::names`]), then by the environment variable `DD_NAME`. Without either, a
//! sequential file is the file of that name in the working directory, and any other file the data set of that name.

use super::dd::{DataDefinition, FileFormat};
use super::keyed::{AccessStatus, BY_KEY, FileStatus, Keyed, RecordFiles};
use super::sequential::{self, Sequential};
use crate::module::{Access, FileInfo, attributes};
use crate::requests::{FileOperation, FileRequest, NOT_OPEN, close_options};
use crate::rununit::{FileOutcome, FrameId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::PathBuf;

/// File status values (Enterprise COBOL for z/OS Language Reference, "File status key").
pub mod status {
    use super::FileStatus;

    pub const SUCCESSFUL: FileStatus = *b"00";
    pub const DUPLICATE_KEY: FileStatus = *b"02";
    pub const LENGTH_CONFLICT: FileStatus = *b"04";
    pub const OPTIONAL_ABSENT: FileStatus = *b"05";
    /// CLOSE with a phrase for reels on a file that has no reels.
    pub const NO_REEL: FileStatus = *b"07";
    pub const AT_END: FileStatus = *b"10";
    /// The relative record number has more digits than the relative key.
    pub const NUMBER_TOO_LONG: FileStatus = *b"14";
    pub const SEQUENCE: FileStatus = *b"21";
    pub const DUPLICATE: FileStatus = *b"22";
    pub const NO_RECORD: FileStatus = *b"23";
    pub const BOUNDARY: FileStatus = *b"24";
    pub const PERMANENT_ERROR: FileStatus = *b"30";
    pub const BOUNDARY_SEQUENTIAL: FileStatus = *b"34";
    pub const NOT_FOUND: FileStatus = *b"35";
    pub const MODE_NOT_POSSIBLE: FileStatus = *b"37";
    pub const LOCKED: FileStatus = *b"38";
    pub const ATTRIBUTES: FileStatus = *b"39";
    pub const OPEN_ALREADY: FileStatus = *b"41";
    pub const NOT_OPEN: FileStatus = *b"42";
    pub const NO_READ: FileStatus = *b"43";
    pub const BOUNDARY_VIOLATION: FileStatus = *b"44";
    pub const NO_NEXT_RECORD: FileStatus = *b"46";
    pub const NOT_OPEN_INPUT: FileStatus = *b"47";
    pub const NOT_OPEN_OUTPUT: FileStatus = *b"48";
    pub const NOT_OPEN_IO: FileStatus = *b"49";
    /// No further information.
    pub const OTHER: FileStatus = *b"90";
    pub const IN_USE: FileStatus = *b"93";

    /// The status of a request or an OPEN that VSAM refused: by return code and reason or error code (Macro Instructions for Data Sets, "VSAM
    /// macro return and reason codes").
    pub fn of_feedback(return_code: u8, reason: u8) -> FileStatus {
        match (return_code, reason) {
            (12, _) => PERMANENT_ERROR,
            (8, 4) => AT_END,
            (8, 8) => DUPLICATE,
            // No such record, or no record of this relative record number.
            (8, 16 | 32) => NO_RECORD,
            (8, 28) => BOUNDARY,
            (8, 92) => NO_READ,
            (8, 96) => SEQUENCE,
            (8, 108) => BOUNDARY_VIOLATION,
            (8, 148) => NOT_FOUND,
            (8, 168) => IN_USE,
            (8, 188 | 232) => MODE_NOT_POSSIBLE,
            _ => OTHER,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn vsam_results_map_to_file_statuses() {
            for (return_code, reason, status) in [
                (8, 16, b"23"),
                (8, 4, b"10"),
                (8, 144, b"90"),
                (8, 72, b"90"),
                (8, 148, b"35"),
                (8, 168, b"93"),
                (12, 4, b"30"),
                (0, 0, b"90"),
            ] {
                assert_eq!(of_feedback(return_code, reason), *status, "{return_code} {reason}");
            }
        }
    }
}

/// OPEN modes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Input,
    Output,
    InputOutput,
    Extend,
}

impl Mode {
    /// From [`FileRequest::mode`].
    fn of(number: u32) -> Mode {
        [Mode::Input, Mode::Output, Mode::InputOutput].get(number as usize).copied().unwrap_or(Mode::Extend)
    }
}

/// A file that is open.
struct Open {
    mode: Mode,
    connected: Connected,
}

enum Connected {
    Sequential(Sequential),
    Keyed(Keyed),
    /// DD DUMMY, or a missing optional file: at its end from the beginning.
    Empty {
        /// A READ has found the end.
        ended: bool,
    },
}

/// A file belongs to the frame at this address; the number is its own there.
type Connector = (usize, u32);

/// The owner of EXTERNAL files: every program that has one of a name has the same.
const EXTERNAL: usize = usize::MAX;

/// The connector of a program's file. The record of an EXTERNAL file is no part of the program's storage.
fn connector(owner: FrameId, file: &FileInfo, number: u32) -> Connector {
    if file.record_offset != u32::MAX {
        return (owner.as_ptr() as usize, number);
    }
    let name = file.name.to_ascii_uppercase();
    (EXTERNAL, crc32fast::hash(name.as_bytes()))
}

#[derive(Default)]
pub struct Files {
    /// DD names (upper case) and their definitions.
    pub names: FxHashMap<String, DataDefinition>,
    /// Access to data sets; without it relative and indexed files cannot be opened.
    pub records: Option<Box<dyn RecordFiles>>,
    /// Data sets not named in a DD are created if they do not exist.
    pub make_data_sets: bool,
    open: FxHashMap<Connector, Open>,
    /// Closed WITH LOCK.
    locked: FxHashSet<Connector>,
}

impl Files {
    /// The definition of a DD name, if it was given.
    pub(super) fn definition(&self, name: &str) -> Option<DataDefinition> {
        let name = name.to_ascii_uppercase();
        if let Some(definition) = self.names.get(&name) {
            return Some(definition.clone());
        }
        std::env::var(format!("DD_{name}")).ok()?.parse().ok()
    }

    pub fn close_all(&mut self) {
        for (_, open) in self.open.drain() {
            if let Connected::Sequential(mut stream) = open.connected {
                stream.close();
            }
        }
    }

    pub(super) fn operate(&mut self, owner: FrameId, file: &FileInfo, request: &mut FileRequest) -> FileOutcome {
        let connector = connector(owner, file, request.file);
        let ccsid = owner.module().programs[owner.program()].options.ccsid;
        let page = le::code_page::by_ccsid(ccsid).unwrap_or(&le::code_page::CCSID_037);
        let mut end_of_page = false;
        let open = self.open.get_mut(&connector);
        request.open_mode = match (&open, request.operation) {
            (Some(open), _) => open.mode as u32,
            (None, FileOperation::Open) => request.mode,
            (None, _) => NOT_OPEN,
        };
        let open = open.map(|open| (open.mode, &mut open.connected));
        request.feedback = AccessStatus::default();
        request.status = match (request.operation, open) {
            (FileOperation::Open, Some(_)) => status::OPEN_ALREADY,
            (FileOperation::Open, None) => {
                let status = self.open_file(connector, file, request);
                let refused = !matches!(status[0], b'0' | b'4');
                let records = self.records.as_ref().filter(|_| refused);
                request.feedback = records.map_or(AccessStatus::default(), |records| records.feedback());
                status
            }
            (FileOperation::Close, Some(_)) => self.close(connector, request.mode),
            (_, None) => closed(request.operation),
            (_, Some((mode, Connected::Empty { ended }))) => empty(mode, ended, file, request),
            (_, Some((_, Connected::Keyed(keyed)))) => keyed.operate(file, request),
            (_, Some((_, Connected::Sequential(stream)))) => {
                let status = stream.operate(file, request, page);
                end_of_page = stream.end_of_page();
                // VLR(COMPAT).
                let program = &owner.module().programs[owner.program()];
                let hidden = status == status::LENGTH_CONFLICT && program.attributes & attributes::LENGTH_CONFLICT_HIDDEN != 0;
                if hidden { status::SUCCESSFUL } else { status }
            }
        };
        match request.status[0] {
            b'0' if end_of_page => FileOutcome::EndOfPage,
            b'0' => FileOutcome::Successful,
            b'1' => FileOutcome::AtEnd,
            b'2' => FileOutcome::InvalidKey,
            _ => FileOutcome::Error,
        }
    }

    fn close(&mut self, connector: Connector, options: u32) -> FileStatus {
        if options & close_options::REEL != 0 {
            // A file on disk has one volume: it stays open.
            return status::NO_REEL;
        }
        if options & close_options::LOCK != 0 {
            self.locked.insert(connector);
        }
        match self.open.remove(&connector).map(|open| open.connected) {
            Some(Connected::Sequential(mut stream)) => match stream.close() {
                status::SUCCESSFUL if options & close_options::NO_REWIND != 0 => status::NO_REEL,
                status => status,
            },
            _ => status::SUCCESSFUL,
        }
    }

    fn open_file(&mut self, connector: Connector, file: &FileInfo, request: &FileRequest) -> FileStatus {
        if self.locked.contains(&connector) {
            return status::LOCKED;
        }
        let mode = Mode::of(request.mode);
        let definition = self.definition(&file.assignment);
        match self.connect(definition, file, mode, request) {
            Ok((connected, status)) => {
                self.open.insert(connector, Open { mode, connected });
                status
            }
            Err(status::NOT_FOUND) if file.optional && mode == Mode::Input => {
                self.open.insert(connector, Open { mode, connected: Connected::Empty { ended: false } });
                status::OPTIONAL_ABSENT
            }
            Err(status) => status,
        }
    }

    fn connect(
        &mut self,
        definition: Option<DataDefinition>,
        file: &FileInfo,
        mode: Mode,
        request: &FileRequest,
    ) -> Result<(Connected, FileStatus), FileStatus> {
        let stream = file.organization.is_sequential();
        let new = self.make_data_sets;
        match definition {
            Some(DataDefinition::Dummy) => Ok((Connected::Empty { ended: false }, status::SUCCESSFUL)),
            Some(DataDefinition::DataSet { name, new }) => match self.sequential_data_set(&name, new, file)? {
                Some(path) => Sequential::open(path, FileFormat::Unspecified, file, mode, request)
                    .map(|(stream, status)| (Connected::Sequential(stream), status)),
                None => self.open_data_set(&name, new, file, mode),
            },
            Some(DataDefinition::File { path, format }) if stream => {
                Sequential::open(path, format, file, mode, request).map(|(stream, status)| (Connected::Sequential(stream), status))
            }
            None if stream => {
                let path = PathBuf::from(&file.assignment);
                Sequential::open(path, FileFormat::Unspecified, file, mode, request)
                    .map(|(stream, status)| (Connected::Sequential(stream), status))
            }
            None => self.open_data_set(&file.assignment.to_ascii_uppercase(), new, file, mode),
            Some(DataDefinition::File { path, .. }) => {
                let reason =
                    format!("{} is a plain file, and the program's file is not sequential; it needs a VSAM data set", path.display());
                Err(sequential::mode_not_possible(file, &reason))
            }
        }
    }

    /// The file of a cataloged sequential data set.
    pub(super) fn data_set_path(&mut self, name: &str, new: bool) -> Option<PathBuf> {
        self.records.as_mut()?.sequential(name, new).ok()?
    }

    fn sequential_data_set(&mut self, name: &str, new: bool, file: &FileInfo) -> Result<Option<PathBuf>, FileStatus> {
        match &mut self.records {
            Some(records) if file.organization.is_sequential() && !file.entry_sequenced => records.sequential(name, new),
            _ => Ok(None),
        }
    }

    fn open_data_set(&mut self, name: &str, new: bool, file: &FileInfo, mode: Mode) -> Result<(Connected, FileStatus), FileStatus> {
        let alternates: Vec<Option<String>> = (1..file.keys.len().max(1))
            .map(|number| match self.definition(&format!("{}{number}", file.assignment)) {
                Some(DataDefinition::DataSet { name, .. }) => Some(name),
                _ => None,
            })
            .collect();
        let records = self.records.as_mut().ok_or(status::NOT_FOUND)?;
        let keyed = Keyed::open(records.open(name, new, &alternates, file, mode)?, file, mode)?;
        let absent = file.optional && keyed.is_new() && mode != Mode::Output;
        Ok((Connected::Keyed(keyed), if absent { status::OPTIONAL_ABSENT } else { status::SUCCESSFUL }))
    }
}

/// A statement on a file that is not open.
fn closed(operation: FileOperation) -> FileStatus {
    match operation {
        FileOperation::Read | FileOperation::Start => status::NOT_OPEN_INPUT,
        FileOperation::Write => status::NOT_OPEN_OUTPUT,
        FileOperation::Rewrite | FileOperation::Delete => status::NOT_OPEN_IO,
        FileOperation::Open | FileOperation::Close => status::NOT_OPEN,
    }
}

/// A statement on a file without records.
fn empty(mode: Mode, ended: &mut bool, file: &FileInfo, request: &FileRequest) -> FileStatus {
    let by_key = request.mode == BY_KEY && file.access != Access::Sequential && !file.organization.is_sequential();
    match (request.operation, mode) {
        (FileOperation::Read, Mode::Input | Mode::InputOutput) if by_key => status::NO_RECORD,
        (FileOperation::Read, Mode::Input | Mode::InputOutput) if std::mem::replace(ended, true) => status::NO_NEXT_RECORD,
        (FileOperation::Read, Mode::Input | Mode::InputOutput) => status::AT_END,
        (FileOperation::Start, Mode::Input | Mode::InputOutput) => status::NO_RECORD,
        (FileOperation::Write, Mode::Output | Mode::Extend) => status::SUCCESSFUL,
        (operation, _) => closed(operation),
    }
}
