//! Completed messages on their way to the terminals of a route.

use super::Route;
use crate::terminal_control::pages::{PagedMessage, next_id};
use crate::terminal_control::waiting::Waiting;
use crate::terminal_control::{DisplayTerminal, TerminalControl, display::display_of};
use bms::page::Page;
use region::Region;
use region::clock::now_local;
use region::name::{Name4, Name8};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::Duration;

/// Whether all pages go to the terminal automatically: for printers always, for displays never.
pub fn is_automatic(display: &DisplayTerminal) -> bool {
    display.capabilities.printer
}

/// Queues a message for its terminals; each is offered it when it is due. `pages`: for each type of terminal. False: too many wait.
pub fn send(region: &'static Region, route: &Route, request_id: Name8, pages: &[Arc<Vec<Page>>]) -> bool {
    debug_assert_eq!(route.types.len(), pages.len(), "there are pages for each type");
    let waiting = &TerminalControl::of(region).waiting;
    // The message has one identifier, whatever terminals it goes to.
    let id = next_id();
    let mut terminals = FxHashSet::default();
    let mut has_room = true;
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
        has_room &= waiting.add(destination.terminal, Waiting { message, receiver, is_routed: true, due, error_terminal });
        terminals.insert(destination.terminal);
    }
    let delay = route.due.0 - now_local().0;
    if delay <= 0 {
        offer(region, &terminals);
    } else {
        region.dispatcher.after(Duration::from_millis(delay as u64), move || offer(region, &terminals));
    }
    has_room
}

/// A terminal that is not there now is offered its messages when it comes.
fn offer(region: &Region, terminals: &FxHashSet<Name4>) {
    for name in terminals {
        let terminal = region.terminals.find(*name);
        if let Some(display) = terminal.as_deref().and_then(display_of) {
            display.offer_messages();
        }
    }
}
