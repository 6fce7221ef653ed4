//! System dumps: a dump of the region, each a file of its own.
//!
//! The task that asks for one moves to QR, so that no other program of QR runs, copies the region's storage and tables, and is suspended while
//! the thread of the dumps writes the file. Invariants: one system dump is taken at a time, and another request waits for it no longer than
//! DURETRY; at most [`FILES_MAX`] files are kept, and a request that would make one more is refused like one for which the disk is full; a
//! file that could not be completed is removed.

use super::codes::{DumpTables, Suppressor, TableKind};
use super::exits::{Requested, Response};
use super::{DumpNumbers, Dumping, Turn, components, file};
use crate::dump_sections::{Dump, DumpKind, Header, Section};
use crate::name::Name8;
use crate::{Region, Task};
use kernel::{Mode, Wait};
use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use vsam::disk::names::{Letters, file_name};
use vsam::disk::private;
use vsam::store::Charge;

/// Most files of system dumps in the directory of dumps.
const FILES_MAX: usize = 10;
/// The directory of dumps, in the data directory.
pub const DIRECTORY: &str = "dumps";
const PREFIX: &str = "SYSDUMP-";
const EXTENSION: &str = ".dump";
/// How often a task looks whether another dump has ended.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What is to be dumped, and for whom.
#[derive(Default)]
pub struct Request {
    pub title: String,
    pub caller: String,
    pub symptoms: String,
    pub message: String,
    /// Sections of the task that asks, besides those of the region.
    pub sections: Vec<Section>,
}

/// Why no dump was taken that the tables allow.
#[derive(Debug)]
pub enum Failure {
    /// Another is being taken.
    Busy,
    /// No memory for the copy.
    Storage,
    /// The disk is full, or there are [`FILES_MAX`] files.
    NoSpace(String),
    Io(String),
}

#[derive(Debug)]
pub enum Taken {
    Written { id: String, path: PathBuf },
    Suppressed(Suppressor),
    Failed(Failure),
}

/// Requests a system dump by the system dump table.
pub fn request(task: &mut Task, code: Name8, request: Request) -> Taken {
    let requested = Requested::system(code);
    let taken = match requested.is_suppressed(task) {
        true => suppressed(task.region, code, Suppressor::Exit),
        false => by_table(task, code, request),
    };
    let (response, id) = match &taken {
        Taken::Written { id, .. } => (Response::Taken, id.as_str()),
        Taken::Suppressed(_) => (Response::Suppressed, ""),
        Taken::Failed(_) => (Response::Failed, ""),
    };
    requested.ended(task, response, id);
    taken
}

fn by_table(task: &mut Task, code: Name8, request: Request) -> Taken {
    let region = task.region;
    let tables = DumpTables::of(region);
    let verdict = tables.request(region, TableKind::System, code);
    let taken = match verdict.system_dump {
        Err(suppressor) => suppressed(region, code, suppressor),
        Ok(()) if tables.is_duplicate(code, &request.symptoms) => {
            region.messages.send("DFHDU0208", &[("code", code.as_str())]);
            Taken::Suppressed(Suppressor::Table)
        }
        Ok(()) => {
            let symptoms = request.symptoms.clone();
            let taken = take(task, TableKind::System, code, request);
            if matches!(taken, Taken::Written { .. }) {
                tables.remember(symptoms);
            }
            taken
        }
    };
    if verdict.shutdown {
        region.messages.send("DFHDU0309", &[("kind", "system"), ("code", code.as_str())]);
        tables.terminate(region);
    }
    taken
}

/// Tells that a system dump is not taken.
pub fn suppressed(region: &Region, code: Name8, suppressor: Suppressor) -> Taken {
    let id = match suppressor {
        Suppressor::Table => "DFHDU0205",
        Suppressor::Global => "DFHDU0206",
        Suppressor::Exit => "DFHDU0207",
    };
    region.messages.send(id, &[("code", code.as_str())]);
    Taken::Suppressed(suppressor)
}

/// Takes a dump that one of the tables allows, with its messages.
pub fn take(task: &mut Task, kind: TableKind, code: Name8, request: Request) -> Taken {
    let region = task.region;
    let id = DumpNumbers::of(region).next();
    let values = [("code", code.as_str()), ("dumpid", id.as_str())];
    region.messages.send("DFHDU0201", &values);
    let outcome = copied_and_written(task, code, &id, request);
    let outcome_text = match &outcome {
        Ok(_) => "complete".to_string(),
        Err(failure) => format!("not complete: {}", failure.text()),
    };
    region.messages.send("DFHDU0202", &[("code", code.as_str()), ("dumpid", id.as_str()), ("outcome", &outcome_text)]);
    match outcome {
        Ok(path) => {
            DumpTables::of(region).taken(kind, code, true);
            Taken::Written { id, path }
        }
        Err(failure) => Taken::Failed(failure),
    }
}

impl Failure {
    pub fn text(&self) -> String {
        match self {
            Failure::Busy => "another system dump is being taken".to_string(),
            Failure::Storage => "there is no memory for a copy of the region".to_string(),
            Failure::NoSpace(reason) | Failure::Io(reason) => reason.clone(),
        }
    }
}

fn copied_and_written(task: &mut Task, code: Name8, id: &str, request: Request) -> Result<PathBuf, Failure> {
    let region = task.region;
    let dumping = Dumping::of(region);
    let retry = Duration::from_secs(u64::from(region.sit.number("DURETRY")));
    let Some(_turn) = wait_for_turn(task, retry) else { return Err(Failure::Busy) };
    let (directory, name) = (directory(region), format!("{PREFIX}{}-{code}", id.replace('/', "-")));
    let has_room = is_within_files(&directory);
    has_room.and_then(|()| copied(task, code, id, request)).and_then(|(mut dump, charges)| {
        let written = dumping.thread.run(task, move || {
            let _charges = charges;
            // Sorting the trace table takes longer than the copy, and entries made since do no harm.
            dump.sections.push(components::trace(kernel::trace::snapshot()));
            write(&directory, &name, &dump)
        });
        written.unwrap_or_else(|| Err(Failure::Io("the thread of the dumps failed".to_string())))
    })
}

/// `None`: another dump has not ended within the time.
fn wait_for_turn(task: &Task, most: Duration) -> Option<Turn<'static>> {
    let begun = Instant::now();
    loop {
        let turn = Dumping::of(task.region).begin_system_dump();
        if turn.is_some() || begun.elapsed() >= most {
            return turn;
        }
        task.kernel.suspend(&Wait::new("DMWTQUEU").protected().timeout(LOOK_EVERY));
    }
}

/// The copy, on QR.
fn copied(task: &mut Task, code: Name8, id: &str, request: Request) -> Result<(Dump, Vec<Charge>), Failure> {
    let region = task.region;
    let before = task.kernel.mode();
    let moved = before != Mode::Qr && task.kernel.change_mode(Mode::Qr).is_ok();
    let begun = Instant::now();
    // Whatever is wrong with the region: its dump does no further harm.
    let taken = catch_unwind(AssertUnwindSafe(|| (components::storage(region), components::sections(region))));
    let copied = begun.elapsed();
    if moved {
        let _ = task.kernel.change_mode(before);
    }
    let (storage, tables) = taken.map_err(|_| Failure::Io("the copy of the region failed".to_string()))?;
    let mut sections = request.sections;
    sections.extend(tables);
    let storage = storage.map_err(|_| Failure::Storage)?;
    sections.extend(storage.sections);
    let mut header = header(task, DumpKind::System, code.as_str(), id);
    header.title = if request.title.is_empty() { region.applid.to_string() } else { request.title };
    (header.caller, header.symptoms, header.message) = (request.caller, request.symptoms, request.message);
    header.copied_microseconds = copied.as_micros() as u64;
    tracing::info!(target: "region::dump", id, code = %code, microseconds = header.copied_microseconds, "copied");
    Ok((Dump { header, sections }, storage.charges))
}

/// The head of a dump that a task asks for.
pub fn header(task: &Task, kind: DumpKind, code: &str, id: &str) -> Header {
    let (region, now) = (task.region, crate::clock::now_local());
    Header {
        kind,
        id: id.to_string(),
        code: code.to_string(),
        applid: region.applid.to_string(),
        sysid: region.sysid.to_string(),
        date: now.date_text(),
        time: now.time_text(),
        ccsid: region.sit.local_ccsid(),
        transid: task.transid.to_string(),
        task: task.number,
        terminal: task.terminal_name().to_string(),
        user: task.user_id.to_string(),
        program: task.program_name().to_string(),
        title: String::new(),
        caller: String::new(),
        symptoms: String::new(),
        message: String::new(),
        copied_microseconds: 0,
    }
}

/// Where dumps are, in the data directory.
pub fn directory(region: &Region) -> PathBuf {
    region.data_directory.join(DIRECTORY)
}

/// Writes a file of its own; an incomplete one is removed.
fn write(directory: &Path, name: &str, dump: &Dump) -> Result<PathBuf, Failure> {
    private::create_directory(directory).map_err(|error| failure(&error))?;
    is_within_files(directory)?;
    let path = directory.join(file_name(name, Letters::Kept, EXTENSION).map_err(|error| failure(&error))?);
    // Outside of what removes a file: that of another dump of this name stays.
    let file = private::open(private::open_options().write(true).create_new(true), &path).map_err(|error| failure(&error))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let written = out.write_all(file::MAGIC).and_then(|()| file::write(&mut out, dump)).and_then(|_| out.flush());
    match written {
        Ok(()) => Ok(std::path::absolute(&path).unwrap_or(path)),
        Err(error) => {
            let _ = std::fs::remove_file(&path);
            Err(failure(&error))
        }
    }
}

/// Whether one more file may be there.
fn is_within_files(directory: &Path) -> Result<(), Failure> {
    if kept(directory) < FILES_MAX {
        return Ok(());
    }
    let reason = format!("there are {FILES_MAX} system dumps in {}: remove those that nobody needs", directory.display());
    Err(Failure::NoSpace(reason))
}

/// The files of system dumps there are.
fn kept(directory: &Path) -> usize {
    let is_dump = |name: &str| name.starts_with(PREFIX) && name.ends_with(EXTENSION);
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name().to_str().is_some_and(is_dump)).count()
}

pub(super) fn failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Failure::NoSpace(error.to_string()),
        _ => Failure::Io(error.to_string()),
    }
}

/// The code of the system dump for a program check: SR0001 when the program is in user key, AP0001 when it is in CICS key ("Suppressing system
/// dumps that precede ASRx abends"). A region that asks for storage protection on a machine without it has the codes of one that has it.
pub fn program_check_code(task: &Task) -> Name8 {
    let is_user_key = task.level().is_some_and(|level| level.execkey == csd::Key::User);
    Name8::new(if is_user_key && task.region.sit.storage_protection() { "SR0001" } else { "AP0001" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dump() -> Dump {
        Dump { header: Header::of_system("TEST"), sections: Vec::new() }
    }

    #[test]
    fn so_many_files_are_kept_and_no_more() {
        let directory = tempfile::tempdir().unwrap();
        for number in 1..=FILES_MAX {
            write(directory.path(), &format!("{PREFIX}1-{number:04}-TEST"), &dump()).unwrap();
        }
        let refused = write(directory.path(), &format!("{PREFIX}1-9999-TEST"), &dump());
        assert!(matches!(refused, Err(Failure::NoSpace(_))), "{refused:?}");
        std::fs::remove_file(directory.path().join(format!("{PREFIX}1-0001-TEST{EXTENSION}"))).unwrap();
        write(directory.path(), &format!("{PREFIX}1-9999-TEST"), &dump()).unwrap();
        // A dump never replaces another.
        let (other, name) = (tempfile::tempdir().unwrap(), format!("{PREFIX}1-0002-TEST"));
        let path = write(other.path(), &name, &dump()).unwrap();
        let first = std::fs::read(&path).unwrap();
        assert!(write(other.path(), &name, &Dump { header: Header::of_system("LATE"), sections: Vec::new() }).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), first);
    }
}
