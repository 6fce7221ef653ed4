//! Transaction dumps: what is copied of a task, and the request for a dump by the transaction dump table.
//!
//! The task copies its areas and is then suspended; the summary is made and the dump is written by the thread of the dumps. Invariant: a dump
//! of a task has at most [`STORAGE_BYTES_MAX`] bytes of its storage.

use super::codes::{DumpTables, TableKind};
use super::data_sets::{DataSets, Unwritten};
use super::exits::{Requested, Response};
use super::snapshot::ProgramSnapshot;
use super::system::{self, Taken};
use super::{DumpNumbers, Dumping, codes, output_exits, summary};
use crate::channel::Container;
use crate::dump_sections::{BRIEF, Dump, DumpKind, FULL, Header, Section};
use crate::storage_access::Area;
use crate::{Abend, Region, Task};
use exec::exit_point;
use kernel::trace::{self, Entry, Value, points};
use std::path::PathBuf;
use std::time::Instant;
use vsam::ThreadWaiter;

/// Most bytes of storage in the dump of a task, and of one area.
const STORAGE_BYTES_MAX: usize = 32 << 20;
const AREA_BYTES_MAX: usize = 8 << 20;

/// What a dump contains besides its summary.
#[derive(Clone, Default)]
pub struct Parts {
    /// The areas of the task and the input of its programs.
    pub task: bool,
    /// Its storage.
    pub storage: bool,
    pub programs: bool,
    pub terminal: bool,
    pub trace: bool,
    /// Tables, by resource type; SIT is the system initialization parameters.
    pub tables: Vec<&'static str>,
    /// Areas that the program names.
    pub segments: Vec<Area>,
}

impl Parts {
    /// What an abend dumps: everything that belongs to the task.
    pub fn of_task() -> Parts {
        Parts { task: true, storage: true, programs: true, terminal: true, trace: true, ..Parts::default() }
    }
}

/// The dump of a task.
#[derive(Debug)]
pub enum Outcome {
    Written {
        id: String,
        path: PathBuf,
    },
    /// The dump table keeps it from being taken.
    Suppressed,
    Failed {
        id: String,
        why: Unwritten,
    },
}

/// Requests a transaction dump by the transaction dump table, and the system dump and the end of the region that its entry has. A code that
/// is not valid has no entry, and its dump is always taken.
pub fn request(task: &mut Task, abend: &Abend, programs: Vec<ProgramSnapshot>, parts: Parts) -> Outcome {
    let requested = Requested::transaction(task, abend);
    let outcome = match requested.is_suppressed(task) {
        true => Outcome::Suppressed,
        false => by_table(task, abend, programs, parts),
    };
    let (response, id) = match &outcome {
        Outcome::Written { id, .. } => (Response::Taken, id.as_str()),
        Outcome::Suppressed => (Response::Suppressed, ""),
        Outcome::Failed { id, .. } => (Response::Failed, id.as_str()),
    };
    requested.ended(task, response, id);
    outcome
}

fn by_table(task: &mut Task, abend: &Abend, programs: Vec<ProgramSnapshot>, parts: Parts) -> Outcome {
    let region = task.region;
    let tables = DumpTables::of(region);
    let Some(code) = codes::of_abend(&abend.code) else { return take(task, abend, programs, parts) };
    let verdict = tables.request(region, TableKind::Transaction, code);
    let outcome = match verdict.transaction_dump {
        true => take(task, abend, programs, parts),
        false => Outcome::Suppressed,
    };
    if matches!(outcome, Outcome::Written { .. }) {
        tables.taken(TableKind::Transaction, code, false);
    }
    let asks_for_system_dump = tables.find(TableKind::Transaction, code).is_some_and(|entry| entry.actions.system_dump);
    match verdict.system_dump {
        Ok(()) => {
            let title = format!("Transaction {} abend {}", task.transid, abend.code_text());
            let symptoms = symptoms(abend);
            let taken = system::take(task, TableKind::Transaction, code, system::Request { title, symptoms, ..Default::default() });
            debug_assert!(!matches!(taken, Taken::Suppressed(_)), "the table has allowed it");
        }
        Err(suppressor) if asks_for_system_dump => drop(system::suppressed(region, code, suppressor)),
        Err(_) => {}
    }
    if verdict.shutdown {
        region.messages.send("DFHDU0309", &[("kind", "transaction"), ("code", code.as_str())]);
        tables.terminate(region);
    }
    outcome
}

fn symptoms(abend: &Abend) -> String {
    let offset = abend.offset.map_or(String::new(), |offset| format!(" ADRS/{offset:08X}"));
    let system = abend.interrupt.as_ref().map_or(String::new(), |interrupt| format!(" AB/S{:0>4}", interrupt.completion_code()));
    format!("AB/U{}{system} RIDS/{}{offset}", abend.code_text(), abend.program)
}

fn take(task: &mut Task, abend: &Abend, programs: Vec<ProgramSnapshot>, parts: Parts) -> Outcome {
    let region = task.region;
    let id = DumpNumbers::of(region).next();
    let code = abend.code_text();
    trace::point(&points::DU_DUMP_ENTRY, &[Value::Text("TAKE_TRANSACTION_DUMP"), Value::Text(&code)]);
    let begun = Instant::now();
    let sections = copied(task, &parts);
    let source = summary::Source::of(task, abend, programs);
    let mut header = system::header(task, DumpKind::Transaction, &abend.code_text(), &id);
    header.program = if abend.program.is_blank() { header.program } else { abend.program.to_string() };
    (header.symptoms, header.message) = (symptoms(abend), source.message());
    header.copied_microseconds = begun.elapsed().as_micros() as u64;
    let dump = Unmade { header, source, sections, task: task.number, has_trace: parts.trace, has_programs: parts.programs };
    let written = if task.has_exit(exit_point::XDUOUT) { write_past_exits(task, dump) } else { write(task, move || dump.made(region)) };
    output_exits::data_sets_closed(task);
    let response = if matches!(written, Some(Ok(_))) { "OK" } else { "EXCEPTION" };
    trace::point(&points::DU_DUMP_EXIT, &[Value::Text("TAKE_TRANSACTION_DUMP"), Value::Text(response), Value::Text(&id)]);
    match written {
        Some(Ok(path)) => {
            let values = [("abcode", abend.code_text()), ("dumpid", id.clone()), ("transid", task.transid.to_string())];
            region.messages.send("DFHDU0203", &values.each_ref().map(|(name, value)| (*name, value.as_str())));
            Outcome::Written { id, path }
        }
        Some(Err(why)) => Outcome::Failed { id, why },
        None => Outcome::Failed { id, why: Unwritten::Io("the thread of the dumps failed".to_string()) },
    }
}

/// A dump whose readable sections are not made yet.
struct Unmade {
    header: Header,
    source: summary::Source,
    sections: Vec<Section>,
    task: u32,
    has_trace: bool,
    has_programs: bool,
}

impl Unmade {
    fn made(self, region: &'static Region) -> Dump {
        let own = trace::snapshot_of(self.task);
        let mut all = self.source.sections(&region.code_page, &Entry::all(&own), self.has_programs);
        all.extend(self.sections);
        if self.has_trace {
            all.push(super::components::trace(of_transaction_dump(region, own)));
        }
        Dump { header: self.header, sections: all }
    }
}

/// Makes and writes a dump, on the thread of the dumps. `None`: that thread failed.
fn write(task: &Task, make: impl FnOnce() -> Dump + Send + 'static) -> Option<Result<PathBuf, Unwritten>> {
    let region = task.region;
    Dumping::of(region).thread.run(task, move || DataSets::of(region).write(region, &make(), &ThreadWaiter::new()))
}

/// The same with exit programs at XDUOUT: the task makes the sections, because the exit programs see each.
fn write_past_exits(task: &mut Task, dump: Unmade) -> Option<Result<PathBuf, Unwritten>> {
    let data_sets = DataSets::of(task.region);
    let mut dump = dump.made(task.region);
    dump.sections = output_exits::wanted(task, dump.sections);
    let before = data_sets.current();
    let written = write(task, move || dump)?;
    output_exits::ended(task, &written, data_sets.current() != before);
    Some(written)
}

/// The trace of a transaction dump: entries of the task, or all (TRTRANTY), as many of the newest as TRTRANSZ has room for.
fn of_transaction_dump(region: &Region, own: Vec<u8>) -> Vec<u8> {
    let entries = if region.sit.is("TRTRANTY", "ALL") { trace::snapshot() } else { own };
    trace::newest(&entries, region.sit.number("TRTRANSZ") as usize * 1024).to_vec()
}

/// The copies of a task's areas, by component.
fn copied(task: &Task, parts: &Parts) -> Vec<Section> {
    let region = task.region;
    let mut copies = Copies::new();
    if parts.task {
        copies.sections.push(Section::area("AP", "EXEC interface block", task.eib.address() as usize, task.eib.bytes().to_vec()));
        copies.area("AP", "Transaction work area", task.twa);
        copies.area("AP", "Common work area", region.cwa);
        copies.given_data(task);
        let domains = region.registry.domains().iter().filter_map(|domain| domain.task_dump);
        copies.sections.extend(domains.flat_map(|sections| sections(task)));
    }
    if parts.terminal {
        copies.sections.extend(terminal(task));
    }
    if parts.storage {
        copies.storage(task);
    }
    for (number, segment) in parts.segments.iter().enumerate() {
        copies.area("AP", &format!("Segment {}", number + 1), *segment);
    }
    for table in &parts.tables {
        copies.sections.push(super::components::table(region, table));
    }
    copies.finished()
}

/// The sections of a dump as they are copied. What does not fit is left out, with a line that says so.
struct Copies {
    sections: Vec<Section>,
    /// Bytes of storage that may still be copied.
    room: usize,
    left_out: usize,
}

impl Copies {
    fn new() -> Copies {
        Copies { sections: Vec::new(), room: STORAGE_BYTES_MAX, left_out: 0 }
    }

    /// As much of so many bytes as is copied: all or nothing, up to [`AREA_BYTES_MAX`].
    fn take_room(&mut self, length: usize) -> Option<usize> {
        let copied = length.min(AREA_BYTES_MAX);
        let has_room = copied <= self.room;
        self.left_out += if has_room { length - copied } else { length };
        self.room -= if has_room { copied } else { 0 };
        has_room.then_some(copied)
    }

    fn area(&mut self, component: &str, title: &str, area: Area) {
        if area.length == 0 {
            return;
        }
        let Some(length) = self.take_room(area.length) else { return };
        self.sections.push(match area.truncated(length).read() {
            Ok(bytes) => Section::area(component, title, area.address, bytes),
            Err(_) => {
                self.room += length;
                self.left_out -= area.length - length;
                let line = format!("{} bytes at {:08X}: not addressable", area.length, area.address);
                Section::lines(component, FULL, title, vec![line])
            }
        });
    }

    /// The input of the programs: their communication areas, and the channel of the running one.
    fn given_data(&mut self, task: &Task) {
        for (number, level) in task.levels.iter().enumerate() {
            self.area("AP", &format!("COMMAREA of {} (level {})", level.name, number + 1), level.commarea);
        }
        let Some(channel) = task.levels.last().and_then(|level| level.channel.as_ref()) else { return };
        for name in channel.container_names() {
            let copy = |container: &mut Container| Some(container.data[..self.take_room(container.data.len())?].to_vec());
            if let Some(data) = channel.with(name, copy).flatten() {
                self.sections.push(Section::area("AP", format!("Container {name} of channel {}", channel.name()), 0, data));
            }
        }
    }

    /// The storage of the task, element by element.
    fn storage(&mut self, task: &Task) {
        let elements = task.storage.elements();
        let mut lines = vec!["SUBPOOL  ADDRESS     LENGTH".to_string()];
        lines.extend(elements.iter().map(|(name, address, length)| format!("{name:<8} {address:08X} {length:9}")));
        self.sections.push(Section::lines("SM", BRIEF, "Transaction storage", lines));
        for (name, address, length) in elements {
            self.area("SM", &format!("Transaction storage, subpool {name}"), Area::new(address, length));
        }
    }

    fn finished(mut self) -> Vec<Section> {
        if self.left_out > 0 {
            let line = format!("{} bytes are not in the dump, which has room for {STORAGE_BYTES_MAX}", self.left_out);
            self.sections.push(Section::lines("SM", BRIEF, "Storage left out", vec![line]));
        }
        self.sections
    }
}

fn terminal(task: &Task) -> Option<Section> {
    let terminal = task.facility.terminal()?;
    let mut lines = vec![format!("Terminal {} of user {}", terminal.name(), task.user_id)];
    if let Some(input) = &task.conversation.initial_input {
        lines.push(format!("Input not received yet: {} bytes", input.len()));
    }
    Some(Section::lines("TCP", BRIEF, "Terminal", lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage_access::OwnedArea;

    /// The segments of DUMP TRANSACTION may overlap: a program could ask for any number of bytes.
    #[test]
    fn no_more_is_copied_than_a_dump_has_room_for() {
        let storage = OwnedArea::new(&[], AREA_BYTES_MAX, 0xC1);
        let copied = |count: usize, more: usize| {
            let mut copies = Copies::new();
            (0..count).for_each(|_| copies.area("AP", "Segment", storage.area()));
            copies.area("AP", "Segment", storage.area().truncated(more));
            copies.finished()
        };
        let fitting = STORAGE_BYTES_MAX / AREA_BYTES_MAX;
        assert_eq!(copied(fitting, 0).len(), fitting);
        let sections = copied(fitting + 2, 5);
        assert_eq!(sections.len(), fitting + 1);
        let line = format!("{} bytes are not in the dump, which has room for {STORAGE_BYTES_MAX}", 2 * AREA_BYTES_MAX + 5);
        assert_eq!(sections[fitting], Section::lines("SM", BRIEF, "Storage left out", vec![line]));
    }
}
