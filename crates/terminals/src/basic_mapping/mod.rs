//! Basic mapping support: SEND MAP, RECEIVE MAP, SEND TEXT, SEND CONTROL, logical messages; mapsets.
//!
//! The mapping itself is in crate `bms`; this module has the mapsets from the libraries, the options of the commands, and the terminal.
//!
//! * `mapset`   mapsets by name, loaded at first use;
//! * `exits`    XBMIN and XBMOUT; `validation` the validation of input (BMS 3270 Intrusion Detection Service);
//! * `options`  the common options of the commands;
//! * `send`, `receive`, `text` the commands; `message` the logical message that ACCUM and PAGING build and SEND PAGE completes;
//! * `page_list` the pages that SET returns; `paging` the pages an operator retrieves; `routing` messages for other terminals;
//! * `partitions` the partitions of the task's terminal.
//!
//! Invariants: a task has at most one logical message; it is completed at the latest by the task's syncpoint and dropped by a backout.

mod exits;
mod mapset;
mod message;
mod options;
mod page_list;
pub mod paging;
mod partitions;
mod receive;
pub mod routing;
mod send;
mod text;
mod validation;

pub use mapset::BasicMapping;

use crate::terminal_control::waiting::Waiting;
use crate::terminal_control::{DisplayTerminal, kept_messages};
use bms::partition::PartitionSet;
use csd::ProgramType;
use exec::resp2::assign as resp2;
use exec::{CommandId, OptionId, command, option};
use region::name::Name4;
use region::{Assigned, Decision, Domain, Handler, Life, Outcome, Participant, Task};
use std::sync::Arc;

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// The logical message built by ACCUM.
    message: Option<message::Message>,
    /// A ROUTE whose message has not been begun.
    route: Option<routing::Route>,
    /// The partition set of SEND PARTNSET, or of the transaction once it is known; `None` within: the base state.
    partition_set: Option<Option<Arc<PartitionSet>>>,
    /// Routed messages that are recovered: they are queued when the unit of work is committed.
    uncommitted: Vec<(Name4, Waiting)>,
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

region::region_part!(BasicMapping);
region::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "basic mapping support",
    commands: &[handlers],
    slots: &[&IN_REGION, &IN_TASK],
    unit_of_work: Some(Participant { before: unit_of_work_ends, after: unit_of_work_ended, ..Participant::NONE }),
    new_copy: Some(|region, of, name| (of == ProgramType::Mapset).then(|| BasicMapping::of(region).new_copy(region, name))),
    assign: Some(assign),
    life: Life { installed: Some(kept_messages::restart), running: Some(routing::cleanup::begin), ..Life::NONE },
    ..Domain::NONE
};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::SEND_MAP, send::send_map),
        (command::SEND_CONTROL, send::send_control),
        (command::SEND_TEXT, text::send_text),
        (command::SEND_TEXT_NOEDIT, text::send_text_no_edit),
        (command::SEND_TEXT_MAPPED, text::send_text_mapped),
        (command::SEND_MAP_MAPPINGDEV, send::send_map_mappingdev),
        (command::SEND_PARTNSET, partitions::send_partnset),
        (command::RECEIVE_MAP, receive::receive_map),
        (command::RECEIVE_MAP_MAPPINGDEV, receive::receive_map_mappingdev),
        (command::RECEIVE_PARTN, partitions::receive_partn),
        (command::SEND_PAGE, message::send_page),
        (command::PURGE_MESSAGE, message::purge_message),
        (command::ROUTE, routing::route),
    ]
}

/// An uncompleted logical message is completed by an implied SEND PAGE.
fn unit_of_work_ends(task: &mut Task, decision: Decision) -> Outcome {
    match decision {
        Decision::Commit => message::complete(task),
        Decision::Backout => {
            let state = TaskState::of_mut(&mut task.parts);
            (state.message, state.route) = (None, None);
            Ok(())
        }
    }
}

/// Deferred output leaves when the changes are committed.
fn unit_of_work_ended(task: &mut Task, decision: Decision) {
    let messages = std::mem::take(&mut TaskState::of_mut(&mut task.parts).uncommitted);
    if decision == Decision::Commit && !messages.is_empty() {
        // Messages that find no room come back at the next start.
        let _ = routing::delivery::queue(task.region, messages);
    }
    if decision == Decision::Commit
        && let Some(terminal) = task.facility.terminal().cloned()
        && let Some(display) = crate::terminal_control::display::display_of(&*terminal)
    {
        crate::terminal_control::output::flush_committed(task, display);
    }
}

/// Options of ASSIGN about maps, pages and routing. RESP2: 2 no map has been positioned, 3 no batch data interchange.
fn assign(task: &Task, option: OptionId) -> Option<Assigned> {
    match option {
        option::PARTNSET => Some(Assigned::Text(partitions::set_name(task).unwrap_or_default())),
        option::INPARTN => Some(assigned(display_of_task(task, partitions::input_name))),
        option::PARTNPAGE => Some(assigned(TaskState::of(&task.parts).message.as_ref().and_then(message::Message::partition_page))),
        option::DESTCOUNT => Some(destination_count(task)),
        option::DESTID | option::DESTIDLENG => Some(Assigned::Unavailable(resp2::NO_BATCH_DATA_INTERCHANGE)),
        _ => position(task, option).map(Assigned::Number),
    }
}

fn assigned(name: Option<String>) -> Assigned {
    name.map_or(Assigned::Unavailable(resp2::NO_MAP), Assigned::Text)
}

fn display_of_task<T>(task: &Task, of: impl Fn(&DisplayTerminal) -> Option<T>) -> Option<T> {
    task.facility.terminal().and_then(|terminal| of(crate::terminal_control::display::display_of(&**terminal)?))
}

/// After a ROUTE: how many types of terminals its message is built for; after OVERFLOW, the number of the type that has overflowed.
fn destination_count(task: &Task) -> Assigned {
    let state = TaskState::of(&task.parts);
    let of_route = state.route.as_ref().map(|route| route.types.len());
    let of_message = state.message.as_ref().map(message::Message::destination_count);
    of_route.or(of_message).map_or(Assigned::Unavailable(resp2::NO_BATCH_DATA_INTERCHANGE), |count| Assigned::Number(count as i64))
}

fn position(task: &Task, option: OptionId) -> Option<i64> {
    if option == option::PAGENUM {
        return TaskState::of(&task.parts).message.as_ref().map(|message| message.page_number() as i64);
    }
    let position = TaskState::of(&task.parts).position?;
    Some(i64::from(match option {
        option::MAPLINE => position.line,
        option::MAPCOLUMN => position.column,
        option::MAPHEIGHT => position.height,
        option::MAPWIDTH => position.width,
        _ => return None,
    }))
}
