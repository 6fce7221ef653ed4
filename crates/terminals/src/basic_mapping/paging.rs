//! Page retrieval: the messages that wait for a terminal and those it displays ([`pages`](crate::terminal_control::pages)), shown, kept and
//! purged on request of programs and by the operator's paging commands.

use super::options::screen;
use crate::terminal_control::pages::{Command, Other, PagedMessage, Which, command_of, next_id, other_input};
use crate::terminal_control::waiting::{Waiting, WaitingMessages};
use crate::terminal_control::{DisplayTerminal, Input, TerminalControl, input, output};
use bms::constants::{AID_CLEAR, WCC_KEYBOARD_RESTORE_BIT};
use bms::page::Page;
use region::facility::{Partner, Terminal};
use region::messages::Message;
use region::name::{Name4, Name8};
use region::{Outcome, Raised, Task};
use std::sync::Arc;

fn waiting(task: &Task) -> &'static WaitingMessages {
    &TerminalControl::of(task.region).waiting
}

/// Queues a message; CSPG shows it when the terminal is free. False: too many wait.
pub fn queue(display: &DisplayTerminal, message: PagedMessage) -> bool {
    let is_added = TerminalControl::of(display.region()).waiting.add(display.name(), Waiting::own(message));
    display.offer_messages();
    is_added
}

/// SEND PAGE RELEASE: the first page now; CSPG does the rest.
pub fn show_first(task: &mut Task, display: &DisplayTerminal, message: PagedMessage) -> Outcome {
    if message.automatic {
        return show_all(task, display, message);
    }
    display.paging.lock().push(message);
    show_current(task, display, false)
}

fn show_all(task: &mut Task, display: &DisplayTerminal, message: PagedMessage) -> Outcome {
    for page in &*message.pages {
        output::send(task, display, stream(task, display, page, false), true)?;
    }
    Ok(())
}

/// A page as the terminal takes it: it may have been made for terminals with more attributes.
fn stream(task: &Task, display: &DisplayTerminal, page: &Page, erase: bool) -> Vec<u8> {
    let made = page.stream(screen(task, display, page.alternate), erase);
    bms::reduce::to_supported(&made, &display.capabilities)
}

/// Sends the current page; the operator can always type.
fn show_current(task: &mut Task, display: &DisplayTerminal, erase: bool) -> Outcome {
    let made = {
        let paging = display.paging.lock();
        let Some(level) = paging.chain.get(paging.level) else { return Ok(()) };
        stream(task, display, &level.message.pages[level.page], erase)
    };
    output::send(task, display, with_keyboard(made), false)
}

fn with_keyboard(mut stream: Vec<u8>) -> Vec<u8> {
    if let Some(control) = stream.get_mut(1) {
        *control = bms::address::graphic((*control | WCC_KEYBOARD_RESTORE_BIT) & 0x3F);
    }
    stream
}

fn say(task: &mut Task, display: &DisplayTerminal, id: &'static str, values: &[(&str, &str)]) -> Outcome {
    output::flush(task, display)?;
    task.conversation.has_sent = true;
    display.show(&Message::new(id, values));
    Ok(())
}

/// SEND PAGE RETAIN: the operator pages within the task, until an input that is not a paging command, which a RECEIVE then gets.
pub fn retain(task: &mut Task, display: &DisplayTerminal, message: PagedMessage) -> Outcome {
    if message.automatic {
        return show_all(task, display, message);
    }
    display.paging.lock().push(message);
    show_current(task, display, false)?;
    while display.paging.lock().is_displaying() {
        let input = input::next(task, display, true)?;
        match command_of(display, input.aid, &input.data) {
            Some(Command::Chain { .. }) => say(task, display, "DFHTP4125", &[])?,
            Some(command) => execute(task, display, command)?,
            None if input.aid == AID_CLEAR => display.unlock(),
            None => match other_input(display) {
                Other::Refused => say(task, display, "DFHTP4126", &[])?,
                Other::Passes => {
                    display.offer_messages();
                    keep_input(task, input);
                }
            },
        }
    }
    task.aid_received = None;
    Ok(())
}

fn keep_input(task: &mut Task, input: Input) {
    task.conversation.initial_input = Some(input.data);
}

/// The program of CSPG: a command, or the first page of the next message that waits.
pub fn run(task: &mut Task, display: &DisplayTerminal, typed: Option<Input>) -> Result<(), Raised> {
    let Some(typed) = typed else { return show_waiting(task, display, false) };
    match command_of(display, typed.aid, &typed.data) {
        Some(command) => execute(task, display, command),
        None => say(task, display, "DFHTP4126", &[]),
    }
}

/// Begins to display the next message that waits.
fn show_waiting(task: &mut Task, display: &DisplayTerminal, asked: bool) -> Outcome {
    if display.paging.lock().is_displaying() {
        return Ok(());
    }
    match waiting(task).next(display) {
        Some(message) => show_first(task, display, message),
        None if asked => say(task, display, "DFHTP4104", &[]),
        None => Ok(()),
    }
}

pub fn execute(task: &mut Task, display: &DisplayTerminal, command: Command) -> Outcome {
    let displaying = display.paging.lock().is_displaying();
    match command {
        Command::Retrieve { id: Some(id), .. } => retrieve_waiting(task, display, id),
        Command::Retrieve { .. } if !displaying => show_waiting(task, display, true),
        Command::Retrieve { level, page, .. } => retrieve(task, display, level, page),
        Command::Query => query(task, display),
        Command::Automatic if displaying => say(task, display, "DFHTP4101", &[]),
        Command::Automatic => say(task, display, "DFHTP4104", &[]),
        Command::Purge { scope, id } => purge(task, display, scope, id),
        Command::Chain { .. } | Command::Copy { .. } if !displaying => say(task, display, "DFHTP4103", &[]),
        // Terminal control starts the transaction if the command is a separate input.
        Command::Chain { .. } => say(task, display, "DFHTP4125", &[]),
        Command::Copy { terminal } => copy(task, display, &terminal),
        Command::Invalid(text) => say(task, display, "DFHTP4106", &[("command", &text)]),
        Command::UndefinedKey(key) => say(task, display, "DFHTP4128", &[("command", key)]),
    }
}

fn retrieve(task: &mut Task, display: &DisplayTerminal, level: Which, page: Which) -> Outcome {
    let found = {
        let mut paging = display.paging.lock();
        let paging = &mut *paging;
        let wanted = level.resolve(paging.level, paging.chain.len());
        let place = wanted.and_then(|wanted| {
            let level = &paging.chain[wanted];
            page.resolve(level.page, level.message.pages.len()).map(|place| (wanted, place))
        });
        if let Some((wanted, place)) = place {
            paging.level = wanted;
            paging.chain[wanted].page = place;
        }
        place.is_some()
    };
    if found { show_current(task, display, page == Which::Current) } else { say(task, display, "DFHTP4107", &[]) }
}

fn retrieve_waiting(task: &mut Task, display: &DisplayTerminal, id: u32) -> Outcome {
    match waiting(task).take(display, id) {
        Some(message) => show_first(task, display, message),
        None => say(task, display, "DFHTP4105", &[]),
    }
}

fn query(task: &mut Task, display: &DisplayTerminal) -> Outcome {
    let shown = |message: &PagedMessage| format!("{:06X} {} {}", message.id, message.request_id, message.title).trim_end().to_string();
    let list = waiting(task).list(display, shown);
    say(task, display, "DFHTP4102", &[("count", &format!("{:05}", list.len())), ("messages", &list.join("  "))])
}

fn purge(task: &mut Task, display: &DisplayTerminal, scope: char, id: Option<u32>) -> Outcome {
    let (was_displaying, changed) = {
        let mut paging = display.paging.lock();
        let before = paging.chain.len();
        match scope {
            _ if id.is_some() => {}
            'A' | 'B' => paging.chain.clear(),
            'C' => {
                let level = paging.level;
                paging.chain.truncate(level);
            }
            'H' => paging.chain.truncate(1),
            _ => {}
        }
        paging.level = paging.level.min(paging.chain.len().saturating_sub(1));
        (before > 0, before != paging.chain.len())
    };
    let purged = if id.is_some() || scope == 'A' || scope == 'R' { waiting(task).purge(display, id) } else { 0 };
    // A base message without chained ones, or no waiting message, is not an error.
    let known = changed || purged > 0 || id.is_none() && (scope == 'R' || scope == 'H' && was_displaying);
    if !known {
        return say(task, display, if id.is_some() { "DFHTP4105" } else { "DFHTP4103" }, &[]);
    }
    let displaying = display.paging.lock().is_displaying();
    if displaying {
        return show_current(task, display, true);
    }
    say(task, display, "DFHTP4122", &[])?;
    display.offer_messages();
    Ok(())
}

/// The page as it is, on another display.
fn copy(task: &mut Task, display: &DisplayTerminal, name: &str) -> Outcome {
    let target = task.region.terminals.find(Name4::new(name));
    let Some(other) = target.as_deref().and_then(crate::terminal_control::display::display_of) else {
        return say(task, display, "DFHTP4110", &[("terminal", name)]);
    };
    let page = {
        let paging = display.paging.lock();
        paging.chain.get(paging.level).map(|level| level.message.pages[level.page].clone())
    };
    let Some(page) = page else { return Ok(()) };
    let copied = PagedMessage {
        id: next_id(),
        request_id: Name8::new("$$"),
        title: String::new(),
        pages: Arc::new(vec![page]),
        operator_purges: false,
        automatic: other.capabilities.printer,
    };
    let id = if queue(other, copied) { "DFHTP4123" } else { "DFHTP4111" };
    say(task, display, id, &[("terminal", name)])
}
