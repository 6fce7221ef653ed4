//! Completed messages on their way to the terminals of a route.

use super::Route;
use crate::basic_mapping::TaskState;
use crate::terminal_control::pages::{PagedMessage, next_id};
use crate::terminal_control::waiting::Waiting;
use crate::terminal_control::{DisplayTerminal, TerminalControl, kept_messages};
use bms::page::Page;
use region::name::{Name4, Name8};
use region::{Raised, Region, Task};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Whether all pages go to the terminal automatically: for printers always, for displays never.
pub fn is_automatic(display: &DisplayTerminal) -> bool {
    display.capabilities.printer
}

/// Queues a message for its terminals; each is offered it when it is due. `pages`: for each type of terminal. A message that is recovered is queued
/// when the unit of work is committed. False: too many wait.
pub fn send(task: &mut Task, route: &Route, request_id: Name8, pages: &[Arc<Vec<Page>>]) -> Result<bool, Raised> {
    debug_assert_eq!(route.types.len(), pages.len(), "there are pages for each type");
    let is_kept = kept_messages::is_recoverable(task.region, request_id);
    // The message has one identifier, whatever terminals it goes to.
    let id = next_id();
    let mut messages = Vec::new();
    for destination in route.destinations.iter().filter(|destination| !pages[destination.of_type].is_empty()) {
        let message = PagedMessage {
            id,
            request_id,
            title: route.title.clone(),
            pages: pages[destination.of_type].clone(),
            operator_purges: false,
            automatic: route.types[destination.of_type].surface.capabilities.printer,
        };
        let (receiver, due, error_terminal) = (destination.receiver, route.due, route.error_terminal);
        messages.push((destination.terminal, Waiting { message, receiver, is_routed: true, due, error_terminal, kept: None }));
    }
    if !is_kept {
        return Ok(queue(task.region, messages));
    }
    for (terminal, waiting) in &mut messages {
        kept_messages::write(task, *terminal, waiting)?;
    }
    TaskState::of_mut(&mut task.parts).uncommitted.extend(messages);
    task.touch_unit_of_work();
    Ok(true)
}

/// Queues messages and offers them to their terminals. False: too many wait.
pub fn queue(region: &'static Region, messages: Vec<(Name4, Waiting)>) -> bool {
    let waiting = &TerminalControl::of(region).waiting;
    let mut terminals = FxHashMap::default();
    let mut has_room = true;
    for (terminal, message) in messages {
        terminals.insert(terminal, message.due);
        has_room &= waiting.add(terminal, message);
    }
    for (terminal, due) in terminals {
        kept_messages::offer_when_due(region, terminal, due);
    }
    has_room
}
