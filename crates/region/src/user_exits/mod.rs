//! User exits: the programs that ENABLE PROGRAM makes global user exits, and their calls at the exit points of the domains.
//!
//! * `table`        the enabled exit programs, their status and work areas;
//! * `commands`     ENABLE PROGRAM, DISABLE PROGRAM, EXTRACT EXIT; `inquire` INQUIRE EXITPROGRAM;
//! * `call`         the call of exit programs: parameter list, return code, the state of the task around it;
//! * `observer`     the exit points around commands, `command_list` the parameter list of a command.
//!
//! An exit program is a program of the application's language: it gets the parameter list as its communication area, and its return code is
//! RETURN-CODE, or the value of `main`. Invariants: an exit program that is running keeps its work area, also after DISABLE PROGRAM; the EIB of
//! the application is the same before and after an exit program; nothing that an exit program leaves in its parameter list is used as an address
//! without a check.

mod call;
mod command_list;
mod commands;
mod inquire;
mod observer;
mod table;

use crate::Domain;
use exec::ExitPoint;
use std::collections::VecDeque;
use table::Exits;

crate::region_part!(Exits);
crate::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain =
    Domain { name: "user exits", slots: &[&IN_REGION, &IN_TASK], commands: &[commands::handlers, inquire::handlers], ..Domain::NONE };

/// A token of four bytes that exit programs leave for each other.
type Token = [u8; 4];

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// Points whose exit programs are running, outermost first.
    running: Vec<ExitPoint>,
    /// Storage for parameter lists, for the next call: addresses and lengths.
    areas: Vec<(usize, usize)>,
    /// Tokens that live as long as the task, by the domain of the points.
    tokens: Vec<(&'static str, Token)>,
    /// Tokens of commands in progress, by the depth of the level.
    command_tokens: Vec<(usize, Token)>,
    browse: Option<VecDeque<table::Key>>,
}
