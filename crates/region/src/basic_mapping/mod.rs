//! Basic mapping support: SEND MAP, RECEIVE MAP, SEND TEXT, SEND CONTROL, logical messages; mapsets.
//!
//! The mapping itself is the `bms` crate's; here are mapsets from the libraries, the options of the commands, and the terminal.
//!
//! * `mapset`   mapsets by name, loaded at first use;
//! * `options`  the options the commands have in common;
//! * `send`, `receive`, `text` the commands; `message` the logical message that ACCUM and PAGING build and SEND PAGE completes;
//! * `page_list` what SET gives; `paging` the pages an operator retrieves.
//!
//! Invariants: a task has at most one logical message; it is completed at the latest by the task's syncpoint and dropped by a backout.

mod mapset;
mod message;
mod options;
mod page_list;
pub mod paging;
mod receive;
mod send;
mod text;

pub use mapset::BasicMapping;

use crate::exec_interface::Handler;
use crate::recovery_manager::{Decision, Participant};
use crate::transaction_manager::Task;
use exec::{CommandId, OptionId, command, option};

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// What ACCUM has built.
    message: Option<message::Message>,
    /// The map positioned last.
    position: Option<Position>,
}

/// Where a map was put, for ASSIGN.
#[derive(Clone, Copy, Debug)]
struct Position {
    line: u16,
    column: u16,
    height: u16,
    width: u16,
}

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::SEND_MAP, send::send_map),
        (command::SEND_CONTROL, send::send_control),
        (command::SEND_TEXT, text::send_text),
        (command::SEND_TEXT_NOEDIT, text::send_text_no_edit),
        (command::SEND_TEXT_MAPPED, text::send_text_mapped),
        (command::SEND_MAP_MAPPINGDEV, send::send_map_mappingdev),
        (command::SEND_PARTNSET, send::send_partnset),
        (command::RECEIVE_MAP, receive::receive_map),
        (command::RECEIVE_MAP_MAPPINGDEV, receive::receive_map_mappingdev),
        (command::RECEIVE_PARTN, receive::receive_partn),
        (command::SEND_PAGE, message::send_page),
        (command::PURGE_MESSAGE, message::purge_message),
    ]
}

/// What this domain does at the end of a unit of work: an uncompleted logical message is completed by an implied SEND PAGE, and what has
/// been deferred leaves when the changes are committed.
pub fn participant() -> Participant {
    Participant {
        name: "basic_mapping",
        before: |task, decision| match decision {
            Decision::Commit => message::complete(task),
            Decision::Backout => {
                task.basic_mapping.message = None;
                Ok(())
            }
        },
        after: |task, decision| {
            if decision == Decision::Commit
                && let Some(terminal) = task.terminal.clone()
                && let Some(display) = crate::terminal_control::display::display_of(&*terminal)
            {
                // A client that has gone away is the next request's error.
                let _ = crate::terminal_control::output::flush(task, display);
            }
        },
    }
}

/// The value ASSIGN gives for MAPCOLUMN, MAPHEIGHT, MAPLINE, MAPWIDTH, PAGENUM, ...; `None`: no map has been positioned.
pub fn assign(task: &Task, option: OptionId) -> Option<i64> {
    if option == option::PAGENUM {
        return task.basic_mapping.message.as_ref().map(|message| message.page_number() as i64);
    }
    let position = task.basic_mapping.position?;
    Some(i64::from(match option {
        option::MAPLINE => position.line,
        option::MAPCOLUMN => position.column,
        option::MAPHEIGHT => position.height,
        option::MAPWIDTH => position.width,
        _ => return None,
    }))
}
