//! Program manager: PROGRAM, MAPSET and LIBRARY resources, loading, LINK, XCTL, RETURN, LOAD, RELEASE and the levels of a task.
//!
//! * `program`  the table of installed programs and their code;
//! * `library`  the directories load modules come from;
//! * `ready`    programs a task has found and keeps for its next use of them;
//! * `run`      how a level runs, and where abends go;
//! * `host`     what compiled programs ask of the region (the `program` crate's `Host`);
//! * `commands` LINK, XCTL, RETURN, LOAD, RELEASE, ABEND;
//! * `dump`     transaction dumps; `run_time_message` what Language Environment writes.
//!
//! Invariants: a program runs at exactly one level of a task at a time, and its code is the copy that was current when the level began
//! (NEWCOPY and PHASEIN never change code under a running program); a use count is given back when the level ends, whatever ended it.

mod commands;
pub mod dump;
mod host;
mod library;
mod program;
mod ready;
mod records;
mod run;
mod run_time_message;

pub use commands::handlers;
pub use library::Library;
pub use program::{Code, NativeProgram, NewCopy, NewCopyFault, Program, ProgramFault, ProgramManager};
pub use ready::{ReadyProgram, Spare};
pub use run::{LinkRequest, run_first, run_level};

use crate::domain::{Domain, ResourceType};
use crate::region::Region;
use crate::resources::{Definition, LibraryDefinition, ProgramDefinition};
use crate::transaction_manager::Task;

/// What this domain is made of.
pub static DOMAIN: Domain = Domain {
    name: "program manager",
    commands: &[handlers],
    resources: &[
        ResourceType { name: "LIBRARY", install: Some(install_library) },
        ResourceType { name: "PROGRAM", install: Some(install) },
        ResourceType { name: "MAPSET", install: Some(install) },
        ResourceType { name: "PARTITIONSET", install: Some(install) },
    ],
    task_ended: Some(task_ended),
    statistics: Some(|region| region.programs.statistics()),
    records: &[&records::PROGRAMS, &records::LOADER],
    ..Domain::NONE
};

/// The domain's part of a task: what it has LOADed without HOLD.
#[derive(Default)]
pub struct TaskState {
    loaded: Vec<crate::name::Name8>,
    /// The program at the highest level is to return, and all below it.
    is_ending: bool,
    /// What the main function of a C program that has just ended returned.
    return_value: Option<i32>,
    /// Condition handlers that are running: the depth of levels they run at, and the abend they handle.
    handling: Vec<(usize, Option<Box<crate::exec_interface::Abend>>)>,
    /// The data of the programs that an abend has left, innermost first, for the dump.
    pub(crate) snapshots: Vec<crate::diagnostics::snapshot::ProgramSnapshot>,
}

impl TaskState {
    /// The program runs on behalf of a user-written condition handler of its level.
    pub fn is_handling_condition(&self, level: usize) -> bool {
        self.handling.last().is_some_and(|(at, _)| *at == level)
    }
}

/// Gives back what the task still holds.
fn task_ended(task: &mut Task) {
    for name in std::mem::take(&mut task.programs.loaded) {
        task.region.programs.release(name);
    }
}

fn install(region: &'static Region, definition: &Definition) -> Result<(), String> {
    region.programs.install(ProgramDefinition::from(definition));
    Ok(())
}

fn install_library(region: &'static Region, definition: &Definition) -> Result<(), String> {
    region.programs.install_library(&LibraryDefinition::from(definition));
    Ok(())
}
