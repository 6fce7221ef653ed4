//! System programming: INQUIRE, SET and PERFORM for programs, transactions, tasks, classes, the dispatcher and the system.
//!
//! Files, queues and terminals are inquired through their own domains. Common rules: a browse (START, NEXT, END) is over the names known
//! at START; NEXT skips what has gone; options that do not apply give blanks, zero or NOTAPPLIC.

mod browse;
mod dispatcher;
mod program;
mod signature;
mod system;
mod task;
mod transaction;

pub use browse::{Browse, BrowseStep, NULL_NUMBER, chosen};
pub use signature::give as give_signature;

use crate::domain::Domain;
use crate::exec_interface::Handler;
use exec::{CommandId, command};

crate::task_part!(TaskState);

/// What this domain is made of.
pub static DOMAIN: Domain = Domain { name: "system programming", commands: &[handlers], slots: &[&IN_TASK], ..Domain::NONE };

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::INQUIRE_PROGRAM, program::inquire),
        (command::SET_PROGRAM, program::set),
        (command::INQUIRE_TRANSACTION, transaction::inquire),
        (command::SET_TRANSACTION, transaction::set),
        (command::INQUIRE_TRANCLASS, transaction::inquire_class),
        (command::SET_TRANCLASS, transaction::set_class),
        (command::INQUIRE_TASK, task::inquire),
        (command::INQUIRE_TASK_LIST, task::inquire_list),
        (command::SET_TASK, task::set),
        (command::INQUIRE_RRMS, system::inquire_rrms),
        (command::INQUIRE_SYSTEM, system::inquire),
        (command::SET_SYSTEM, system::set),
        (command::PERFORM_SHUTDOWN, system::shutdown),
        (command::PERFORM_SHUTDOWN_IMMEDIATE, system::shutdown),
        (command::INQUIRE_DISPATCHER, dispatcher::inquire),
        (command::SET_DISPATCHER, dispatcher::set),
    ]
}

/// The domain's part of a task: browses in progress, by the command that browses.
#[derive(Default)]
pub struct TaskState {
    pub browses: Vec<(CommandId, Browse)>,
}
