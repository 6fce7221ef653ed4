//! Runs the programs of one phase in sequence: a task (CPLT) links to each, or the task that issued PERFORM SHUTDOWN links to all of them.
//!
//! A missing program or one that abends is reported in a message, and the next one runs; CICS would ask the operator, but no one could
//! reply here. Only an abend in the task of PERFORM SHUTDOWN backs that task out and ends its list.

use crate::name::{Name4, Name8};
use crate::program_manager::{LinkRequest, RunsAs, run_level};
use crate::storage_access::Area;
use crate::{Abend, AttachRequest, Raised, Region, StartCode, TASKS_LOOK_EVERY, Task};
use csd::{Definition, ProgramDefinition};

/// The group of the transaction and its program.
pub const GROUP: &str = "DFHPLT";
/// The transaction under which the programs run.
const TRANSACTION: &str = "CPLT";

/// When the programs run, and the state of the region then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Before the resources of the CSD are installed, and when only the region is left: programs need no definition.
    SystemOnly,
    /// After the start has installed the resources, and while user tasks still end.
    WithResources,
}

/// Runs programs to their end. Called from any thread that is not a worker.
pub fn run(region: &'static Region, programs: &[Name8], phase: Phase) {
    for program in programs {
        if region.is_hastened() {
            return;
        }
        define(region, *program, phase);
        let mut request = AttachRequest::new(Name4::new(TRANSACTION), StartCode::System);
        request.commarea = program.as_bytes().to_vec();
        request.user_id = match region.sit.get("PLTPIUSR") {
            "" => region.default_user,
            user => Name8::new(user),
        };
        match region.attach(request) {
            Ok(number) => wait_for_end(region, number),
            Err(failure) => tell(region, *program, &failure.message.text),
        }
    }
}

/// Runs programs as part of a task. False if one has abended: then the task's changes since its last syncpoint are backed out.
pub fn run_in(task: &mut Task, programs: &[Name8], phase: Phase) -> bool {
    for program in programs {
        define(task.region, *program, phase);
        if link(task, *program).is_err() {
            task.rollback();
            return false;
        }
    }
    true
}

fn define(region: &Region, program: Name8, phase: Phase) {
    if phase == Phase::SystemOnly && region.programs().find(program).is_none() {
        region.programs().install(system_definition(program));
    }
}

/// The attributes of a program that is installed because the table names it.
fn system_definition(program: Name8) -> ProgramDefinition {
    let attributes = [("EXECKEY", "CICS"), ("CEDF", "NO"), ("DATALOCATION", "BELOW"), ("EXECUTIONSET", "FULLAPI")];
    let definition = Definition::new("PROGRAM", program.as_str(), "");
    ProgramDefinition::from(&attributes.iter().fold(definition, |definition, (name, value)| definition.with(name, value)))
}

/// A shutdown that has been hastened waits for no program.
fn wait_for_end(region: &Region, number: u32) {
    while region.dispatcher.task_by_number(number).is_some() && !region.is_hastened() {
        std::thread::sleep(TASKS_LOOK_EVERY);
    }
}

fn tell(region: &Region, program: Name8, reason: &str) {
    region.messages.send("DFHSI1526", &[("program", program.as_str()), ("reason", reason)]);
}

/// The program of the transaction: links to the program the table names.
pub fn link_program(task: &mut Task) -> Result<(), Raised> {
    let commarea = task.level().map_or(Area::new(0, 0), |level| level.commarea);
    let name = Name8::from_bytes(&commarea.read()?);
    link(task, name).map_err(|abend| Raised::Abend(Box::new(abend)))
}

/// Links to a program; a missing one is reported and skipped, an abend is reported and returned.
fn link(task: &mut Task, name: Name8) -> Result<(), Abend> {
    let region = task.region;
    let program = match task.ready_program(name) {
        Ok(program) => program,
        Err(fault) => {
            tell(region, name, &format!("it is not available ({fault:?})"));
            return Ok(());
        }
    };
    let request = LinkRequest { program, commarea: Area::new(0, 0), channel: None, input_message: None, runs_as: RunsAs::System };
    run_level(task, request).map_err(|abend| {
        tell(region, name, &format!("abend {}", abend.code_text()));
        *abend
    })
}
