//! User exits: the programs that ENABLE PROGRAM makes global user exits, and their calls at the exit points of the domains.
//!
//! * `table`        the enabled exit programs, their status and work areas;
//! * `commands`     ENABLE PROGRAM, DISABLE PROGRAM, EXTRACT EXIT; `inquire` INQUIRE EXITPROGRAM;
//! * `call`         the call of exit programs: return code, the state of the task around it; `parameter_list` what they are given;
//! * `observer`     the exit points around commands, `command_list` the parameter list of a command;
//! * `domain_requests` the exit points at the gates of the domains, `message_exits` XMEOUT;
//! * `system_task`  the task that calls exit programs for what happens outside of tasks;
//! * `task_related` task-related user exits, and `resource_manager_exits` the exit points around them.
//!
//! An exit program is a program of the application's language: it gets the parameter list as its communication area, and its return code is
//! RETURN-CODE, or the value of `main`. Invariants: an exit program that is running keeps its work area, also after DISABLE PROGRAM; the EIB of
//! the application is the same before and after an exit program; nothing that an exit program leaves in its parameter list is used as an address
//! without a check.

mod call;
mod command_list;
mod commands;
mod domain_requests;
mod inquire;
mod message_exits;
mod observer;
mod parameter_list;
mod resource_manager_exits;
mod system_task;
mod table;
mod task_related;

pub use task_related::qualifier;

use crate::storage_access::Area;
use crate::{Domain, Life, Raised, Task};
use exec::ExitPoint;
use std::collections::VecDeque;
use table::Exits;

crate::region_part!(Exits);
crate::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "user exits",
    slots: &[&IN_REGION, &IN_TASK],
    commands: &[commands::handlers, inquire::handlers],
    programs: &[("DFHRMXN3", task_related::resync::program), ("DFHAPATT", attached)],
    task_ended: Some(task_related::end_task),
    life: Life { ending: Some(task_related::end_region), ..Life::NONE },
    ..Domain::NONE
};

/// The program of transaction CSSY: a task of the region that calls exit programs.
fn attached(task: &mut Task) -> Result<(), Raised> {
    let commarea = task.level().map_or(Area::new(0, 0), |level| level.commarea).read()?;
    match commarea.first() {
        Some(&system_task::WORK) => system_task::run(task),
        Some(&code) => task_related::terminate(task, code),
        None => Ok(()),
    }
}

/// A token of four bytes that exit programs leave for each other.
type Token = [u8; 4];

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// Points whose exit programs are running, outermost first.
    running: Vec<ExitPoint>,
    /// Storage for parameter lists, for the next call: addresses and lengths.
    areas: Vec<(usize, usize)>,
    /// Names that an exit program has put in place of those of the last request of interval control.
    names: Option<(usize, usize)>,
    /// Tokens that live as long as the task, by the domain of the points.
    tokens: Vec<(&'static str, Token)>,
    /// Tokens of commands in progress, by the depth of the level.
    command_tokens: Vec<(usize, Token)>,
    /// Task-related user exits that the task has called.
    ties: Vec<task_related::Tie>,
    /// Its connections to resource managers.
    connections: Vec<task_related::Connection>,
    browse: Option<VecDeque<table::Key>>,
}
