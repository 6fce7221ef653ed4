//! System programming: INQUIRE, SET, DISCARD and PERFORM for programs, transactions, tasks, classes, units of work, the dispatcher and the system.
//!
//! The commands for files, queues and terminals are in their own domains; the common parts are in `inquiry`.

mod application;
mod association;
mod association_list;
mod dispatcher;
mod library;
mod mvs_tcb;
mod network;
mod program;
mod storage;
mod system;
mod task;
mod transaction;
mod unit_of_work;

use crate::inquiry::either;
use crate::name::Name8;
use crate::program_manager::Program;
use crate::{Domain, Handler, Region};
use csd::ProfileDefinition;
use exec::{CommandId, command, cvda};
use std::collections::VecDeque;
use std::sync::Arc;

crate::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "system programming", commands: &[handlers], slots: &[&IN_TASK], ..Domain::NONE };

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::INQUIRE_PROGRAM, program::inquire),
        (command::SET_PROGRAM, program::set),
        (command::DISCARD_PROGRAM, program::discard),
        (command::INQUIRE_LIBRARY, library::inquire),
        (command::SET_LIBRARY, library::set),
        (command::CREATE_LIBRARY, library::create),
        (command::DISCARD_LIBRARY, library::discard),
        (command::INQUIRE_TRANSACTION, transaction::inquire),
        (command::SET_TRANSACTION, transaction::set),
        (command::DISCARD_TRANSACTION, transaction::discard),
        (command::INQUIRE_TRANCLASS, transaction::inquire_class),
        (command::SET_TRANCLASS, transaction::set_class),
        (command::DISCARD_TRANCLASS, transaction::discard_class),
        (command::INQUIRE_TCLASS, transaction::inquire_numbered_class),
        (command::SET_TCLASS, transaction::set_numbered_class),
        (command::INQUIRE_ASSOCIATION, association::inquire),
        (command::INQUIRE_ASSOCIATION_LIST, association_list::inquire),
        (command::SET_ASSOCIATION_USERCORRDATA, association_list::set),
        (command::INQUIRE_TASK, task::inquire),
        (command::INQUIRE_TASK_LIST, task::inquire_list),
        (command::SET_TASK, task::set),
        (command::INQUIRE_STORAGE, storage::inquire),
        (command::INQUIRE_STORAGE64, storage::inquire),
        (command::INQUIRE_SUBPOOL, storage::inquire_subpool),
        (command::INQUIRE_MVSTCB, mvs_tcb::inquire),
        (command::INQUIRE_RRMS, system::inquire_rrms),
        (command::INQUIRE_SYSTEM, system::inquire),
        (command::SET_SYSTEM, system::set),
        (command::PERFORM_SHUTDOWN, system::shutdown),
        (command::PERFORM_SHUTDOWN_IMMEDIATE, system::shutdown),
        (command::INQUIRE_UOW, unit_of_work::inquire_uow),
        (command::INQUIRE_UOWENQ, unit_of_work::inquire_uowenq),
        // Another name of the same command.
        (command::INQUIRE_ENQ, unit_of_work::inquire_uowenq),
        (command::INQUIRE_UOWLINK, unit_of_work::inquire_uowlink),
        (command::SET_UOW, unit_of_work::set_uow),
        (command::SET_UOWLINK, unit_of_work::set_uowlink),
        (command::INQUIRE_IRC, network::inquire_irc),
        (command::SET_IRC, network::set_irc),
        (command::PERFORM_ENDAFFINITY, network::end_affinity),
        (command::PERFORM_RESETTIME, network::reset_time),
        (command::INQUIRE_DISPATCHER, dispatcher::inquire),
        (command::SET_DISPATCHER, dispatcher::set),
    ]
}

/// SCRNSIZE and RTIMEOUT of a profile; one that is not installed has the defaults.
fn screen_and_timeout(region: &Region, profile: Name8) -> (i64, i64) {
    let installed = region.installed.read();
    let definition = installed.get("PROFILE", profile.as_str().trim_end()).map(ProfileDefinition::from);
    match definition {
        Some(ProfileDefinition { alternate_screen, read_timeout_seconds, .. }) => {
            (either(alternate_screen, cvda::ALTERNATE, cvda::DEFAULT), read_timeout_seconds.into())
        }
        None => (cvda::DEFAULT, 0),
    }
}

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    units: unit_of_work::Browses,
    programs: Option<VecDeque<Arc<Program>>>,
    libraries: Option<VecDeque<library::Row>>,
    /// Identifiers of the threads that a browse has left.
    threads: Option<VecDeque<u32>>,
    /// Storage of the lists that the last inquiry returned.
    lists: Vec<usize>,
}
