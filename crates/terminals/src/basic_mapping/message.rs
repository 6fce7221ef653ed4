//! Logical messages: ACCUM and PAGING build them, SEND PAGE completes them and PURGE MESSAGE drops them.
//!
//! Rules (CICS, "Building logical messages"): one message at a time; disposition, ACCUM and REQID are those of its first command; another
//! disposition or ACCUM raises INVREQ, another REQID raises IGREQID; maps and text cannot be mixed. A page goes to its disposition as soon
//! as it is complete. A syncpoint completes the message as SEND PAGE would, but loses the last page of one built with ACCUM.

use super::options::{Disposition, Send, display, facility, screen};
use super::page_list;
use super::paging;
use super::send::{map_error, note_position};
use crate::basic_mapping::TaskState;
use crate::terminal_control::pages::{PagedMessage, next_id};
use crate::terminal_control::{DisplayTerminal, output};
use bms::layout::MapLayout;
use bms::model::Map;
use bms::page::{Building, MapPages, Page, Placed};
use bms::send_map::{CursorOption, MapData};
use bms::text_page::{Block, TextError, TextOptions, TextPages};
use exec::resp2;
use exec::{condition, option};
use region::facility::NextTransaction;
use region::name::{Name4, Name8};
use region::{Abend, Arguments, Outcome, Raised, Task, raise};

/// Pages of one logical message.
const PAGE_COUNT_MAX: usize = 32_767;
/// REQID when none is given.
const REQUEST_ID_DEFAULT: &str = "**";

enum Pages {
    Maps(MapPages),
    Text(TextPages),
}

/// The message a task is building.
pub struct Message {
    pages: Pages,
    disposition: Disposition,
    accumulate: bool,
    request_id: Name8,
    /// Of PAGING.
    stored: Vec<Page>,
    /// Of SET: not given to the program yet.
    returned: Vec<Page>,
    completed: usize,
}

impl Message {
    /// The number of the page being built.
    pub fn page_number(&self) -> usize {
        self.completed + 1
    }
}

/// A map to be placed.
pub struct Placing<'a> {
    pub map: &'a Map,
    pub layout: &'a MapLayout,
    pub data: MapData<'a>,
    pub trailer_lines: u16,
}

/// The command begins a logical message or belongs to one.
pub fn is_logical(task: &Task, send: &Send) -> bool {
    TaskState::of(&task.parts).message.is_some() || send.accumulate || send.disposition == Disposition::Paging
}

/// Takes the message the command belongs to; a new one begins with `pages`.
fn join(task: &mut Task, send: &Send, pages: Pages) -> Result<Message, Raised> {
    let given = send.request_id.unwrap_or(Name8::new(REQUEST_ID_DEFAULT));
    let Some(message) = &TaskState::of(&task.parts).message else {
        return Ok(Message {
            pages,
            disposition: send.disposition,
            accumulate: send.accumulate,
            request_id: given,
            stored: Vec::new(),
            returned: Vec::new(),
            completed: 0,
        });
    };
    let mixed = std::mem::discriminant(&message.pages) != std::mem::discriminant(&pages);
    if mixed || message.disposition != send.disposition || message.accumulate != send.accumulate {
        return raise(condition::INVREQ, resp2::NONE);
    }
    if send.request_id.is_some() && message.request_id != given {
        return raise(condition::IGREQID, resp2::NONE);
    }
    match TaskState::of_mut(&mut task.parts).message.take() {
        Some(message) => Ok(message),
        None => raise(condition::INVREQ, resp2::NONE),
    }
}

/// Keeps the message for the next command, and gives the program the completed pages.
fn keep(task: &mut Task, arguments: &mut Arguments, display: &DisplayTerminal, mut message: Message) -> Outcome {
    let returned = std::mem::take(&mut message.returned);
    TaskState::of_mut(&mut task.parts).message = Some(message);
    task.touch_unit_of_work();
    give_back(task, arguments, display, &returned)
}

fn give_back(task: &mut Task, arguments: &mut Arguments, display: &DisplayTerminal, pages: &[Page]) -> Outcome {
    let streams: Vec<Vec<u8>> = pages.iter().map(|page| page.stream(screen(task, display, page.alternate), false)).collect();
    page_list::give(task, arguments, &streams)
}

/// A page is complete.
fn deliver(task: &mut Task, display: &DisplayTerminal, message: &mut Message, page: Page) -> Outcome {
    if message.completed >= PAGE_COUNT_MAX {
        return raise(condition::TSIOERR, resp2::NONE);
    }
    message.completed += 1;
    match message.disposition {
        Disposition::Terminal => output::send(task, display, page.stream(screen(task, display, page.alternate), false), false)?,
        Disposition::Set => message.returned.push(page),
        Disposition::Paging => message.stored.push(page),
    }
    Ok(())
}

pub fn add_map(task: &mut Task, arguments: &mut Arguments, display: &DisplayTerminal, placing: &Placing, send: &Send) -> Outcome {
    let intercept = task.intercepts(arguments, condition::OVERFLOW);
    let building = Building { accumulate: send.accumulate, intercept, trailer_lines: placing.trailer_lines };
    let mut message = join(task, send, Pages::Maps(MapPages::default()))?;
    let usage = screen(task, display, send.alternate);
    let Pages::Maps(pages) = &mut message.pages else { return raise(condition::INVREQ, resp2::NONE) };
    let placed = pages.add(placing.map, placing.layout, placing.data, &send.options, usage, building);
    let (placed, origin) = match placed {
        Ok(placed) => placed,
        Err(error) => {
            TaskState::of_mut(&mut task.parts).message = Some(message);
            return Err(map_error(error));
        }
    };
    if placed == Placed::Overflow {
        keep(task, arguments, display, message)?;
        return raise(condition::OVERFLOW, resp2::NONE);
    }
    note_position(task, placing.map, origin, display.capabilities.size(send.alternate));
    if let Placed::Completed(page) = placed {
        deliver(task, display, &mut message, page)?;
    }
    keep_or_complete(task, arguments, display, message)
}

/// With SET and without ACCUM a page is ready at once.
fn keep_or_complete(task: &mut Task, arguments: &mut Arguments, display: &DisplayTerminal, mut message: Message) -> Outcome {
    if message.disposition == Disposition::Set && !message.accumulate {
        finish(task, display, &mut message, None)?;
        return give_back(task, arguments, display, &message.returned);
    }
    keep(task, arguments, display, message)
}

pub fn add_text(
    task: &mut Task,
    arguments: &mut Arguments,
    display: &DisplayTerminal,
    text: &[u8],
    options: &TextOptions,
    send: &Send,
) -> Outcome {
    let mut message = join(task, send, Pages::Text(TextPages::default()))?;
    let usage = screen(task, display, send.alternate);
    let Pages::Text(pages) = &mut message.pages else { return raise(condition::INVREQ, resp2::NONE) };
    let completed = match pages.add(text, options, &send.options, usage, send.accumulate) {
        Ok(completed) => completed,
        Err(error) => return Err(text_abend(error)),
    };
    for page in completed {
        deliver(task, display, &mut message, page)?;
    }
    keep_or_complete(task, arguments, display, message)
}

fn text_abend(error: TextError) -> Raised {
    let code = match error {
        TextError::Header => "ABM6",
        TextError::Trailer => "ABM7",
        TextError::Justify(_) => "ABM8",
    };
    Raised::Abend(Box::new(Abend::new(code).because(error.to_string())))
}

/// A ready data stream as a page (SEND TEXT NOEDIT PAGING, SEND TEXT MAPPED PAGING).
pub fn add_stream(task: &mut Task, arguments: &mut Arguments, display: &DisplayTerminal, page: Page, send: &Send) -> Outcome {
    let mut message = join(task, send, Pages::Text(TextPages::default()))?;
    finish(task, display, &mut message, None)?;
    deliver(task, display, &mut message, page)?;
    keep(task, arguments, display, message)
}

pub fn add_control(task: &mut Task, arguments: &mut Arguments, display: &DisplayTerminal, send: &Send) -> Outcome {
    let begins = match &TaskState::of(&task.parts).message {
        Some(Message { pages: Pages::Text(_), .. }) => Pages::Text(TextPages::default()),
        _ => Pages::Maps(MapPages::default()),
    };
    let mut message = join(task, send, begins)?;
    let cursor = match send.options.cursor {
        CursorOption::At(address) => Some(address),
        CursorOption::Symbolic => Some(0),
        CursorOption::Absent => None,
    };
    match &mut message.pages {
        Pages::Maps(pages) => pages.add_control(&send.options, cursor, send.alternate),
        Pages::Text(pages) => pages.add_control(&send.options, cursor, send.alternate),
    }
    keep(task, arguments, display, message)
}

/// Completes the page being built.
fn finish(task: &mut Task, display: &DisplayTerminal, message: &mut Message, trailer: Option<&Block>) -> Outcome {
    let alternate = output::erase_alternate(task, display, false, false);
    let usage = screen(task, display, alternate);
    let page = match &mut message.pages {
        Pages::Maps(pages) => pages.finish(),
        Pages::Text(pages) => pages.finish(trailer, usage),
    };
    match page {
        Some(page) => deliver(task, display, message, page),
        None => Ok(()),
    }
}

pub fn send_page(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let trailer = super::text::block(arguments, option::TRAILER, task.region.code_page.space())?;
    let Some(message) = &TaskState::of(&task.parts).message else { return raise(condition::INVREQ, resp2::NONE) };
    let maps = matches!(message.pages, Pages::Maps(_));
    if trailer.is_some() && maps || arguments.has(option::SET) != (message.disposition == Disposition::Set) {
        return raise(condition::INVREQ, resp2::NONE);
    }
    let Some(mut message) = TaskState::of_mut(&mut task.parts).message.take() else { return raise(condition::INVREQ, resp2::NONE) };
    finish(task, display, &mut message, trailer.as_ref())?;
    crate::terminal_control::TaskState::of_mut(&mut task.parts).last |= arguments.has(option::LAST);
    if message.disposition == Disposition::Set {
        return give_back(task, arguments, display, &message.returned);
    }
    let (release, retain) = (arguments.has(option::RELEASE), arguments.has(option::RETAIN));
    if message.disposition == Disposition::Paging && !message.stored.is_empty() {
        let paged = PagedMessage {
            id: next_id(),
            request_id: message.request_id,
            pages: message.stored,
            operator_purges: arguments.has(option::OPERPURGE),
            automatic: automatic(display),
        };
        if retain {
            return paging::retain(task, display, paged);
        }
        if release {
            paging::show_first(task, display, paged)?;
        } else if !paging::queue(display, paged) {
            return raise(condition::TSIOERR, resp2::NONE);
        }
    }
    if release { release_task(task, arguments) } else { Ok(()) }
}

/// Whether all pages go to the terminal automatically: for printers always, for displays never.
fn automatic(display: &DisplayTerminal) -> bool {
    display.capabilities.printer
}

/// RELEASE: the task ends as if the program at the highest level had returned.
fn release_task(task: &mut Task, arguments: &Arguments) -> Outcome {
    let transid: Option<Name4> = arguments.name(option::TRANSID)?;
    task.next_transaction = transid.map(|transid| NextTransaction { transid, ..NextTransaction::default() });
    task.end_from_here();
    Err(Raised::Leave)
}

/// The implied SEND PAGE of a syncpoint.
pub fn complete(task: &mut Task) -> Outcome {
    let Some(mut message) = TaskState::of_mut(&mut task.parts).message.take() else { return Ok(()) };
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    if !message.accumulate {
        finish(task, display, &mut message, None)?;
    }
    if message.disposition == Disposition::Paging && !message.stored.is_empty() {
        let automatic = automatic(display);
        let (request_id, pages) = (message.request_id, message.stored);
        let paged = PagedMessage { id: next_id(), request_id, pages, operator_purges: false, automatic };
        if !paging::queue(display, paged) {
            return raise(condition::TSIOERR, resp2::NONE);
        }
    }
    Ok(())
}

pub fn purge_message(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    facility(task)?;
    TaskState::of_mut(&mut task.parts).message = None;
    Ok(())
}
