//! The call of the exit programs of a point.

use super::parameter_list::{List, keep_area};
use super::table::{Exit, Exits};
use super::{TaskState, Token};
use crate::change_mode::{self, Home};
use crate::control_blocks::exits::{CallExits, ExitWork, RequestDisplay};
use crate::extensions::ResourceRequest;
use crate::program_manager::{LinkRequest, ReadyProgram, RunsAs, run_level};
use crate::storage_access::{self, Area};
use crate::{Abend, ExitArgument, ExitCode, Raised, Region, Task};
use csd::{Key, ProgramDefinition};
use exec::{ExitPoint, STANDARD_EXIT_PARAMETERS, exit_parameters};
use kernel::storage::Line;
use kernel::trace::{self, Value, points};
use program::rununit::ResourceManagerService;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Calls of one point within each other; deeper ones pass over its exit programs.
const RECURSION_MAX: usize = 8;
/// The place of UEPCRCA in the list.
pub const RETURN_CODE: usize = 3;

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
        let mut code = Ok(None);
        for exit in Exits::of(task.region).at(point) {
            let Ok(before) = code else { break };
            code = run(task, &exit, point, before, arguments).map(Some);
        }
        let left = TaskState::of_mut(&mut task.parts).running.pop();
        debug_assert_eq!(left, Some(point), "calls end in the opposite order of their beginnings");
        code.map(|code| code.unwrap_or(ExitCode::NORMAL))
    }

    fn in_system_task(&self, region: &'static Region, work: ExitWork) {
        super::system_task::give(region, work);
    }

    fn resource_manager(&self, task: &mut Task, service: ResourceManagerService, arguments: &[u32]) -> Result<i32, Raised> {
        match service {
            ResourceManagerService::Request => super::task_related::request(task, arguments),
            ResourceManagerService::Exchange => super::task_related::exchange(task, arguments),
        }
    }

    fn display_of(&self, task: &mut Task, request: &ResourceRequest) -> RequestDisplay {
        super::task_related::display_of(task, request)
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

/// The values of the standard parameters, in their order. The first is what the exit program is called for.
pub fn standard(task: &Task, exit: &Exit, called: &[u8], before: ExitCode) -> Vec<ExitArgument> {
    let length = |name: &str| exit_parameters().iter().find(|parameter| parameter.name == name).and_then(|parameter| parameter.length);
    let zeros = |name: &str| ExitArgument::Bytes(vec![0; length(name).unwrap_or(0)]);
    let (area, area_length) =
        exit.area.as_ref().map_or((ExitArgument::Absent, 0), |area| (ExitArgument::Address(area.address), area.length));
    let facts = [task.data_line() == Line::Below2G, task.data_key() == kernel::storage::Key::Cics, task.storage.subspace().is_some()];
    let indicators = facts.iter().zip(INDICATORS).map(|(fact, bit)| if *fact { bit } else { 0 });
    let values = vec![
        ExitArgument::bytes(called),
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

/// Runs one exit program. `before` is the return code of the exit program before it, if it is not the first.
fn run(
    task: &mut Task,
    exit: &Arc<Exit>,
    point: ExitPoint,
    before: Option<ExitCode>,
    arguments: &mut [ExitArgument],
) -> Result<ExitCode, Raised> {
    let current = before.unwrap_or(ExitCode::NORMAL);
    let program = match task.ready_program(exit.key.program) {
        Ok(program) => program,
        Err(fault) => {
            tell(task, exit, point, &format!("the program cannot be used: {}", fault.text()));
            return Ok(current);
        }
    };
    let standard = standard(task, exit, &[point.0], current);
    let all: Vec<&ExitArgument> = standard.iter().chain(arguments.iter()).collect();
    let list = List::write(task, &all)?;
    exit.uses.fetch_add(1, Ordering::Relaxed);
    let (program_name, point_name) = (exit.key.program, point.spec().name);
    trace::point(&points::UE_PROGRAM_ENTRY, &[Value::Text("CALL_EXIT"), Value::Text(program_name.as_str()), Value::Text(point_name)]);
    let home = home(task, exit, &program);
    let ended = run_program(task, program, list.as_area(), home, Returns::ToMode);
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
    list.read_back(STANDARD_EXIT_PARAMETERS, arguments)?;
    let stored = stored_code(list.place(RETURN_CODE))?;
    keep_area(task, list.area);
    // A program without RETURN-CODE may store it where the one of the program before is.
    let code = if code == 0 && stored != current { i32::from(stored.0) } else { code };
    Ok(agreed(accepted(task, exit, point, code), before, stored))
}

/// What becomes of a return code: one that differs from that of the exit program before is ignored with it, unless the exit program has stored
/// it at UEPCRCA too ("Invoking more than one exit program at a single exit").
fn agreed(code: ExitCode, before: Option<ExitCode>, stored: ExitCode) -> ExitCode {
    if before.is_none_or(|before| before == code) || stored == code { code } else { ExitCode::NORMAL }
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

/// The halfword at UEPCRCA.
fn stored_code(address: usize) -> Result<ExitCode, Raised> {
    let mut bytes = [0; 2];
    storage_access::read(address, &mut bytes)?;
    Ok(ExitCode(u16::from_be_bytes(bytes)))
}

/// The return code, if it is one of the point's: otherwise UERCNORM, with a message.
fn accepted(task: &Task, exit: &Exit, point: ExitPoint, code: i32) -> ExitCode {
    let known = u16::try_from(code).ok().filter(|code| point.spec().return_codes.iter().any(|known| known.value == *code));
    known.map(ExitCode).unwrap_or_else(|| {
        tell(task, exit, point, &format!("its return code {code} is not one of the exit point; UERCNORM is taken"));
        ExitCode::NORMAL
    })
}

/// Which TCB the task is on when an exit program has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// That of its caller.
    ToMode,
    /// That of the exit program.
    AsItEnded,
}

/// Runs the program at a level of its own; what it leaves in the EIB is not the application's.
pub fn run_program(task: &mut Task, program: ReadyProgram, list: Area, home: Home, returns: Returns) -> Result<i32, Box<Abend>> {
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
    if returns == Returns::ToMode && task.kernel.mode() != mode {
        task.kernel.change_mode(mode).map_err(|_| Box::new(Task::purge_abend()))?;
    }
    ended.map(|()| code)
}

/// The TCB of the exit program: it runs in CICS key, so an open one is L8.
pub fn home(task: &Task, exit: &Exit, program: &ReadyProgram) -> Home {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// "Invoking more than one exit program at a single exit".
    #[test]
    fn a_return_code_that_differs_from_the_one_before_must_be_stored_too() {
        let [normal, bypass, other] = [0, 4, 8].map(ExitCode);
        for (code, before, stored, expected) in [
            (bypass, None, normal, bypass),
            (bypass, Some(bypass), bypass, bypass),
            (other, Some(bypass), bypass, normal),
            (bypass, Some(normal), normal, normal),
            (normal, Some(bypass), bypass, normal),
            (other, Some(bypass), other, other),
        ] {
            assert_eq!(agreed(code, before, stored), expected, "{code:?} after {before:?}, stored {stored:?}");
        }
    }
}
