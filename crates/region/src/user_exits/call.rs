//! The call of the exit programs of a point.

use super::table::{Exit, Exits};
use super::{TaskState, Token};
use crate::change_mode::{self, Home};
use crate::control_blocks::exits::CallExits;
use crate::program_manager::{LinkRequest, ReadyProgram, RunsAs, run_level};
use crate::storage_access::{self, Area};
use crate::{Abend, ExitArgument, ExitCode, Raised, Task};
use csd::{Key, ProgramDefinition};
use exec::{EXIT_ADDRESS_BYTES, ExitPoint, STANDARD_EXIT_PARAMETERS, exit_parameters};
use kernel::storage::{Getmain, Line};
use kernel::trace::{self, Value, points};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Calls of one point within each other; deeper ones pass over its exit programs.
const RECURSION_MAX: usize = 8;
/// Areas for parameter lists that a task keeps.
const AREAS_MAX: usize = 8;
/// The boundary of each value behind a parameter list.
const BOUNDARY: usize = 8;

/// UEPGIND: a byte each for storage above 16 MB, in CICS key, and isolated.
const INDICATORS: [u8; 3] = [0x01, 0x02, 0x04];

/// Runs the exit programs of this domain's table.
pub struct Caller;

impl CallExits for Caller {
    fn call(&self, task: &mut Task, point: ExitPoint, arguments: &mut [ExitArgument]) -> Result<ExitCode, Raised> {
        let depth = TaskState::of(&task.parts).running.iter().filter(|running| **running == point).count();
        // A point without the counter cannot tell its exit programs that they are called for what they do themselves.
        let limit = if point.spec().parameter("UEPRECUR").is_some() { RECURSION_MAX } else { 1 };
        if depth >= limit {
            return Ok(ExitCode::NORMAL);
        }
        TaskState::of_mut(&mut task.parts).running.push(point);
        let mut code = Ok(ExitCode::NORMAL);
        for exit in Exits::of(task.region).at(point) {
            let Ok(before) = code else { break };
            code = run(task, &exit, point, before, arguments);
        }
        let left = TaskState::of_mut(&mut task.parts).running.pop();
        debug_assert_eq!(left, Some(point), "calls end in the opposite order of their beginnings");
        code
    }
}

impl TaskState {
    /// Calls of the point in progress, besides the present one: UEPRECUR.
    pub(super) fn recursion(&self, point: ExitPoint) -> u16 {
        self.running.iter().filter(|running| **running == point).count() as u16
    }

    /// The token of the task for the points of a domain: UEPTSTOK.
    pub(super) fn token(&mut self, domain: &'static str) -> &mut Token {
        let at = self.tokens.iter().position(|(of, _)| *of == domain).unwrap_or_else(|| {
            self.tokens.push((domain, Token::default()));
            self.tokens.len() - 1
        });
        &mut self.tokens[at].1
    }
}

/// Storage of the task for a parameter list, which it keeps for the next one.
pub(super) fn take_area(task: &mut Task, length: usize) -> Result<(usize, usize), Raised> {
    let areas = &mut TaskState::of_mut(&mut task.parts).areas;
    if let Some(at) = areas.iter().position(|(_, held)| *held >= length) {
        return Ok(areas.swap_remove(at));
    }
    let length = length.next_multiple_of(BOUNDARY);
    let request = Getmain { length, line: Line::Below2G, key: kernel::storage::Key::Cics, initial: None };
    Ok((task.getmain(request, false)?, length))
}

pub(super) fn keep_area(task: &mut Task, area: (usize, usize)) {
    let areas = &mut TaskState::of_mut(&mut task.parts).areas;
    if areas.len() < AREAS_MAX {
        areas.push(area);
    } else {
        let _ = task.storage.freemain(area.0);
    }
}

/// A parameter list with the values behind it, at its place in storage.
struct List {
    area: (usize, usize),
    /// Addresses of the list.
    count: usize,
    /// Where the copies are.
    copies: Vec<(usize, usize)>,
    return_code: usize,
}

/// The values of the standard parameters, in their order.
fn standard(task: &Task, exit: &Exit, point: ExitPoint, before: ExitCode) -> Vec<ExitArgument> {
    let length = |name: &str| exit_parameters().iter().find(|parameter| parameter.name == name).and_then(|parameter| parameter.length);
    let zeros = |name: &str| ExitArgument::Bytes(vec![0; length(name).unwrap_or(0)]);
    let (area, area_length) =
        exit.area.as_ref().map_or((ExitArgument::Absent, 0), |area| (ExitArgument::Address(area.address), area.length));
    let facts = [task.data_line() == Line::Below2G, task.data_key() == kernel::storage::Key::Cics, task.storage.subspace().is_some()];
    let indicators = facts.iter().zip(INDICATORS).map(|(fact, bit)| if *fact { bit } else { 0 });
    let values = vec![
        ExitArgument::bytes(&[point.0]),
        area,
        ExitArgument::bytes(&(area_length as u16).to_be_bytes()),
        ExitArgument::bytes(&before.0.to_be_bytes()),
        ExitArgument::Absent,
        ExitArgument::Absent,
        zeros("UEPEPSA"),
        zeros("UEPHMSA"),
        ExitArgument::Bytes(indicators.collect()),
        ExitArgument::Absent,
        zeros("UEPXSTOR"),
        zeros("UEPTRACE"),
    ];
    debug_assert_eq!(values.len(), STANDARD_EXIT_PARAMETERS);
    values
}

/// The place of UEPCRCA in the list.
const RETURN_CODE: usize = 3;

impl List {
    fn write(task: &mut Task, values: &[&ExitArgument]) -> Result<List, Raised> {
        let length_of = |value: &ExitArgument| value.get().len().next_multiple_of(BOUNDARY);
        let addresses = (values.len() * EXIT_ADDRESS_BYTES).next_multiple_of(BOUNDARY);
        let length = addresses + values.iter().map(|value| length_of(value)).sum::<usize>();
        let area = take_area(task, length)?;
        let (mut bytes, mut copies, mut next) = (vec![0; length], Vec::with_capacity(values.len()), addresses);
        for (at, value) in values.iter().enumerate() {
            let address = match value {
                ExitArgument::Absent => 0,
                ExitArgument::Address(address) => *address,
                ExitArgument::Bytes(copy) => {
                    bytes[next..next + copy.len()].copy_from_slice(copy);
                    area.0 + next
                }
            };
            copies.push((area.0 + next, value.get().len()));
            next += length_of(value);
            let place = at * EXIT_ADDRESS_BYTES;
            bytes[place..place + EXIT_ADDRESS_BYTES].copy_from_slice(&(address as u32).to_be_bytes());
        }
        storage_access::write(area.0, &bytes)?;
        let return_code = copies[RETURN_CODE].0;
        Ok(List { area, count: values.len(), copies, return_code })
    }
}

/// Runs one exit program.
fn run(task: &mut Task, exit: &Arc<Exit>, point: ExitPoint, before: ExitCode, arguments: &mut [ExitArgument]) -> Result<ExitCode, Raised> {
    let program = match task.ready_program(exit.key.program) {
        Ok(program) => program,
        Err(fault) => {
            tell(task, exit, point, &format!("the program cannot be used: {}", fault.text()));
            return Ok(before);
        }
    };
    let standard = standard(task, exit, point, before);
    let all: Vec<&ExitArgument> = standard.iter().chain(arguments.iter()).collect();
    let list = List::write(task, &all)?;
    exit.uses.fetch_add(1, Ordering::Relaxed);
    let (program_name, point_name) = (exit.key.program, point.spec().name);
    trace::point(&points::UE_PROGRAM_ENTRY, &[Value::Text("CALL_EXIT"), Value::Text(program_name.as_str()), Value::Text(point_name)]);
    let ended = run_program(task, exit, program, Area::new(list.area.0, list.count * EXIT_ADDRESS_BYTES));
    let (response, returned) = ended.as_ref().map_or(("ABEND", 0), |code| ("OK", *code));
    trace::point(&points::UE_PROGRAM_EXIT, &[Value::Text("CALL_EXIT"), Value::Text(response), Value::Number(returned as u32 as u64)]);
    let code = match ended {
        Ok(code) => code,
        Err(abend) if abend.cancel_exits => return Err(Raised::Abend(abend)),
        Err(abend) => {
            keep_area(task, list.area);
            abended(task, exit, point, &abend);
            return Ok(ExitCode::NORMAL);
        }
    };
    for (argument, (address, length)) in arguments.iter_mut().zip(&list.copies[STANDARD_EXIT_PARAMETERS..]) {
        if let ExitArgument::Bytes(bytes) = argument {
            *bytes = Area::new(*address, *length).read()?;
        }
    }
    let code = match code {
        // A program without RETURN-CODE may store it where the one of the program before is.
        0 => stored_code(list.return_code, before)?,
        code => code,
    };
    keep_area(task, list.area);
    Ok(accepted(task, exit, point, code))
}

/// An exit program has abended: CICS "returns a zero return code to the exit point" (DFHAP0703), and the application goes on.
fn abended(task: &Task, exit: &Exit, point: ExitPoint, abend: &Abend) {
    let values = [
        ("abcode", &*abend.code_text()),
        ("program", exit.key.program.as_str()),
        ("point", point.spec().name),
        ("cause", &crate::dump::cause::line(abend)),
    ];
    task.region.messages.send("DFHAP0701", &values);
}

/// The halfword at UEPCRCA, if the program has changed it.
fn stored_code(address: usize, before: ExitCode) -> Result<i32, Raised> {
    let mut bytes = [0; 2];
    storage_access::read(address, &mut bytes)?;
    let stored = u16::from_be_bytes(bytes);
    Ok(if stored == before.0 { 0 } else { i32::from(stored) })
}

/// The return code, if it is one of the point's: otherwise UERCNORM, with a message.
fn accepted(task: &Task, exit: &Exit, point: ExitPoint, code: i32) -> ExitCode {
    let known = u16::try_from(code).ok().filter(|code| point.spec().return_codes.iter().any(|known| known.value == *code));
    known.map(ExitCode).unwrap_or_else(|| {
        tell(task, exit, point, &format!("its return code {code} is not one of the exit point; UERCNORM is taken"));
        ExitCode::NORMAL
    })
}

/// Runs the program at a level of its own; what it leaves in the EIB and the TCB it ends on are not the application's.
fn run_program(task: &mut Task, exit: &Exit, program: ReadyProgram, list: Area) -> Result<i32, Box<Abend>> {
    let home = home(task, exit, &program);
    let (eib, mode) = (*task.eib.bytes(), task.kernel.mode());
    let (pending, information) = (task.pending_abend.take(), task.abend_information.clone());
    let request = LinkRequest { program, commarea: list, channel: None, input_message: None, runs_as: RunsAs::Exit(home) };
    let ended = run_level(task, request);
    let code = task.return_code();
    if ended.is_err() {
        crate::dump::forget_programs(task);
    }
    (task.pending_abend, task.abend_information) = (pending, information);
    task.eib.set(0, &eib);
    let _ = task.eib.flush();
    if task.kernel.mode() != mode {
        task.kernel.change_mode(mode).map_err(|_| Box::new(Task::purge_abend()))?;
    }
    ended.map(|()| code)
}

/// The TCB of the exit program: it runs in CICS key, so an open one is L8.
fn home(task: &Task, exit: &Exit, program: &ReadyProgram) -> Home {
    let mut definition = ProgramDefinition { execkey: Key::Cics, ..(*program.program.definition()).clone() };
    if let Some(given) = exit.concurrency {
        (definition.concurrency, definition.api) = (given.concurrency, given.api);
    }
    change_mode::home(&definition, task.region.storage_protection, task.region.force_qr)
}

fn tell(task: &Task, exit: &Exit, point: ExitPoint, what: &str) {
    let values = [("program", exit.key.program.as_str()), ("point", point.spec().name), ("what", what)];
    task.region.messages.send("DFHAP0700", &values);
}
