//! EXEC CICS CSD: groups, lists and resource definitions of the CSD, as programs maintain and install them.
//!
//! * `names`      the options that name groups, lists and definitions, and their types;
//! * `change`     the commands that change the CSD;
//! * `inquire`    INQUIREGROUP, INQUIRELIST, INQUIRERSRCE and the browses;
//! * `install`    INSTALL;
//! * `refusals`   what a refused command raises.
//!
//! Rules: "CSD ADD" to "CSD USERDEFINE" (System Programming Reference). Invariants: a command that changes the CSD has changed the file when
//! it ends, and is a syncpoint; one that fails changes nothing and backs the unit of work out, unless its options are wrong in themselves.

mod change;
mod inquire;
mod install;
mod names;
mod refusals;

use crate::{Domain, Handler};
use exec::{CommandId, command};

crate::task_part!(inquire::TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "resource definition", commands: &[handlers], slots: &[&IN_TASK], ..Domain::NONE };

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::CSD_ADD, change::add),
        (command::CSD_ALTER, change::alter),
        (command::CSD_APPEND, change::append),
        (command::CSD_COPY, change::copy),
        (command::CSD_DEFINE, change::define),
        (command::CSD_DELETE, change::delete),
        (command::CSD_DISCONNECT, inquire::disconnect),
        (command::CSD_ENDBRGROUP, inquire::end_groups),
        (command::CSD_ENDBRLIST, inquire::end_lists),
        (command::CSD_ENDBRRSRCE, inquire::end_definitions),
        (command::CSD_GETNEXTGROUP, inquire::next_group),
        (command::CSD_GETNEXTLIST, inquire::next_list),
        (command::CSD_GETNEXTRSRCE, inquire::next_definition),
        (command::CSD_INQUIREGROUP, inquire::group),
        (command::CSD_INQUIRELIST, inquire::list),
        (command::CSD_INQUIRERSRCE, inquire::definition),
        (command::CSD_INSTALL, install::install),
        (command::CSD_LOCK, change::lock),
        (command::CSD_REMOVE, change::remove),
        (command::CSD_RENAME, change::rename),
        (command::CSD_STARTBRGROUP, inquire::start_groups),
        (command::CSD_STARTBRLIST, inquire::start_lists),
        (command::CSD_STARTBRRSRCE, inquire::start_definitions),
        (command::CSD_UNLOCK, change::unlock),
        (command::CSD_USERDEFINE, change::user_define),
    ]
}
