//! RECEIVE MAP validates what a terminal sends: a protected field that comes back with other data than were sent has been changed by the
//! program at the terminal, not by its user ("BMS 3270 Intrusion Detection Service").
//!
//! DFHBMSX, if the site has one, decides what is done; otherwise DFHTF0200 is sent for the first field. Protected fields that the application
//! has sent with the modified data tag come back with every input, with the data that were sent.

use super::exits::Mapping;
use crate::terminal_control::{DisplayTerminal, IntrusionOutcome, TerminalControl};
use bms::inbound::{Body, Inbound};
use bms::send_map::{map_origin, screen_address};
use exec::exit_structure;
use kernel::storage::{Getmain, Key, Line};
use region::control_blocks::exit_structure::ExitRecord;
use region::facility::{Partner, Terminal};
use region::name::Name8;
use region::{Abend, Outcome, Raised, Task, storage_access};

/// The program of the site.
const PROGRAM: &str = "DFHBMSX";
/// Its communication area.
const STRUCTURE: &str = "DFHBMSX";
/// Fields that it is given.
const FIELDS_MAX: usize = 16;

/// A protected field that has been changed.
struct Changed {
    /// Of its first character.
    position: u16,
    length: u16,
    name: String,
}

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Action {
    outcome: IntrusionOutcome,
    tells_all: bool,
}

/// Validates the input of a RECEIVE MAP.
///
/// # Errors
///
/// Abend ABMX, if DFHBMSX asks for it.
pub fn validate(task: &mut Task, display: &DisplayTerminal, mapping: &Mapping, inbound: &Inbound) -> Outcome {
    let changed = changed_fields(display, mapping, inbound);
    if changed.is_empty() || !is_checked(task) {
        return Ok(());
    }
    let action = action(task, display, mapping, &changed);
    TerminalControl::of(task.region).intrusion.count(action.outcome);
    if action.outcome == IntrusionOutcome::Ignored {
        return Ok(());
    }
    let told = if action.tells_all { changed.len() } else { 1 };
    changed.iter().take(told).for_each(|field| tell(task, display, mapping, field));
    match action.outcome {
        IntrusionOutcome::Abended => {
            let reason = format!("terminal {} has changed a protected field of map {}", display.name(), mapping.map.name);
            Err(Raised::Abend(Box::new(Abend::new("ABMX").because(reason))))
        }
        _ => Ok(()),
    }
}

fn changed_fields(display: &DisplayTerminal, mapping: &Mapping, inbound: &Inbound) -> Vec<Changed> {
    let (Some(sent), Body::Fields(fields)) = (&display.sent, &inbound.body) else { return Vec::new() };
    let screen = sent.lock();
    let mut changed = Vec::new();
    for received in fields {
        let Some(field) = screen.field_at(received.address) else { continue };
        let cells = screen.cells();
        let as_sent = (0..field.length).map(|offset| cells[(usize::from(field.start) + usize::from(offset)) % cells.len()].code);
        let as_sent = without_nulls(as_sent);
        let mut folded = as_sent.clone();
        display.page().fold_upper(&mut folded);
        let came = without_nulls(received.data.iter().copied());
        // The letters of the input may have been folded (UCTRAN).
        if field.is_protected() && came != as_sent && came != folded {
            changed.push(Changed { position: field.start, length: field.length, name: name_at(mapping, field.address) });
        }
    }
    changed
}

/// A terminal sends no nulls.
fn without_nulls(codes: impl Iterator<Item = u8>) -> Vec<u8> {
    codes.filter(|code| *code != 0).collect()
}

/// The name of the field of the map whose attribute byte is at an address.
fn name_at(mapping: &Mapping, address: u16) -> String {
    let origin = map_origin(mapping.map, mapping.size, 1).unwrap_or(0);
    let is_there = |position: u16| screen_address(mapping.map, origin, position, mapping.size) == Some(address);
    let field = mapping.map.fields.iter().find(|field| is_there(field.position));
    field.map_or(String::new(), |field| field.name.clone())
}

fn own_program(task: &Task) -> Option<Name8> {
    let (name, programs) = (Name8::new(PROGRAM), task.region.programs());
    let is_there = programs.find(name).is_some() || programs.find_member(name, program::batch::MODULE_EXTENSION).is_some();
    is_there.then_some(name)
}

/// DFHBMSX is asked once whether input is validated. A program that fails leaves it on.
fn is_checked(task: &mut Task) -> bool {
    let intrusion = &TerminalControl::of(task.region).intrusion;
    if let Some(checks) = intrusion.checks.get() {
        return *checks;
    }
    let value = |name: &str| exit_structure(STRUCTURE).value(name);
    let checks = own_program(task).is_none_or(|program| {
        let page = &task.region.code_page;
        let area = ExitRecord::new(STRUCTURE, page)
            .text("BMSX_FUNCTION", value("BMSX_FUNCTION_INIT"))
            .text("BMSX_ACTION", value("BMSX_ACTION_NOCHECK"))
            .into_bytes();
        match task.link_replaceable(program, area) {
            Ok(answer) => ExitRecord::of_bytes(STRUCTURE, page, answer).is("BMSX_ACTION", "BMSX_ACTION_CHECK"),
            Err(_) => true,
        }
    });
    *intrusion.checks.get_or_init(|| checks)
}

fn action(task: &mut Task, display: &DisplayTerminal, mapping: &Mapping, changed: &[Changed]) -> Action {
    let standard = Action { outcome: IntrusionOutcome::Logged, tells_all: false };
    let Some(program) = own_program(task) else { return standard };
    let Some(answer) = asked(task, program, display, mapping, changed) else { return standard };
    let outcome = if answer.is("BMSX_ACTION", "BMSX_ACTION_ABEND") {
        IntrusionOutcome::Abended
    } else if answer.is("BMSX_ACTION", "BMSX_ACTION_IGNORE") {
        IntrusionOutcome::Ignored
    } else {
        IntrusionOutcome::Logged
    };
    Action { outcome, tells_all: answer.is("BMSX_LOGACTION", "BMSX_LOGACTION_ALL") }
}

/// What DFHBMSX answers to BMSX_FUNCTION_OVERWRITE; `None`: it has failed.
fn asked(
    task: &mut Task,
    program: Name8,
    display: &DisplayTerminal,
    mapping: &Mapping,
    changed: &[Changed],
) -> Option<ExitRecord<'static>> {
    let page = &task.region.code_page;
    let value = |name: &str| exit_structure(STRUCTURE).value(name);
    let field = |field: &Changed| {
        ExitRecord::new("DFHBMSXF", page)
            .number("BMSX_FIELD_POSITION", field.position.into())
            .number("BMSX_FIELD_LENGTH", field.length.into())
            .text("BMSX_FIELD_NAME", &field.name)
            .into_bytes()
    };
    let fields: Vec<u8> = changed.iter().take(FIELDS_MAX).flat_map(field).collect();
    let request = Getmain { length: fields.len(), line: Line::Below2G, key: Key::Cics, initial: None };
    let address = task.getmain(request, false).ok()?;
    storage_access::write(address, &fields).ok()?;
    let area = ExitRecord::new(STRUCTURE, page)
        .text("BMSX_FUNCTION", value("BMSX_FUNCTION_OVERWRITE"))
        .text("BMSX_ACTION", value("BMSX_ACTION_LOG"))
        .text("BMSX_LOGACTION", value("BMSX_LOGACTION_FIRST"))
        .text("BMSX_TRANSACTION", task.transid.as_str())
        .text("BMSX_TERMINAL", display.name().as_str())
        .text("BMSX_NETNAME", display.netname().as_str())
        .text("BMSX_USERID", task.user_id.as_str())
        .text("BMSX_PROGRAM", task.program_name().as_str())
        .text("BMSX_MAPSET", mapping.mapset.as_str())
        .text("BMSX_MAP", &mapping.map.name)
        .number("BMSX_FIELD_COUNT", changed.len() as u64)
        .number("BMSX_FIELD_PTR", address as u64)
        .into_bytes();
    let answer = task.link_replaceable(program, area);
    task.freemain(address);
    answer.ok().map(|answer| ExitRecord::of_bytes(STRUCTURE, page, answer))
}

fn tell(task: &Task, display: &DisplayTerminal, mapping: &Mapping, field: &Changed) {
    let (termid, netname, program) = (display.name(), display.netname(), task.program_name());
    let values = [
        ("termid", termid.as_str()),
        ("netname", netname.as_str()),
        ("userid", task.user_id.as_str()),
        ("transid", task.transid.as_str()),
        ("program", program.as_str()),
        ("mapset", mapping.mapset.as_str()),
        ("map", mapping.map.name.as_str()),
        ("field", if field.name.is_empty() { "without a name" } else { &field.name }),
        ("position", &field.position.to_string()),
    ];
    task.region.messages.send("DFHTF0200", &values);
}
