//! Logical messages: ACCUM and PAGING build them, SEND PAGE completes them and PURGE MESSAGE drops them.
//!
//! Rules (CICS, "Building logical messages"): one message at a time; disposition, ACCUM and REQID are those of its first command; another
//! disposition or ACCUM raises INVREQ, another REQID raises IGREQID; maps and text cannot be mixed. A page goes to its disposition as soon
//! as it is complete. A syncpoint completes the message as SEND PAGE would, but loses the last page of one built with ACCUM.
//!
//! A message that is routed is built for each type of terminal among its destinations ("Message routing"). OVERFLOW is raised for one type at
//! a time: headers and trailers then go to the page of that type, and the map sent again goes to it and to the types that have not had it.

use super::exits::Mapping;
use super::options::{Disposition, Send, Surface, display, facility};
use super::partitions::{self, Place};
use super::routing::{Route, delivery};
use super::send::{self, map_error, no_such_map, note_position};
use super::{mapset, page_list, paging};
use crate::basic_mapping::TaskState;
use crate::terminal_control::pages::{PagedMessage, next_id};
use crate::terminal_control::{DisplayTerminal, TerminalControl, output};
use bms::page::{Building, MapPages, Page, Placed};
use bms::send_map::CursorOption;
use bms::text_page::{Block, TextError, TextOptions, TextPages};
use exec::resp2;
use exec::{condition, option};
use region::facility::NextTransaction;
use region::name::{Name4, Name8};
use region::{Abend, Arguments, Outcome, Raised, Task, raise};
use std::sync::Arc;

/// Pages of one logical message.
const PAGE_COUNT_MAX: usize = 32_767;
/// REQID when none is given.
const REQUEST_ID_DEFAULT: &str = "**";

enum Pages {
    Maps(MapPages),
    Text(TextPages),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Maps,
    Text,
}

impl Pages {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Maps => Pages::Maps(MapPages::default()),
            Kind::Text => Pages::Text(TextPages::default()),
        }
    }

    fn kind(&self) -> Kind {
        if matches!(self, Pages::Maps(_)) { Kind::Maps } else { Kind::Text }
    }
}

/// The message as it is made for one type of terminal, or for one partition.
struct Target {
    surface: Surface,
    /// The partition it is for.
    place: Option<Place>,
    /// Which screen a type of terminal of a route uses; at the task's own terminal each command says it.
    alternate: Option<bool>,
    pages: Pages,
    /// Of PAGING.
    stored: Vec<Page>,
    completed: usize,
}

impl Target {
    fn is_alternate(&self, otherwise: bool) -> bool {
        self.alternate.unwrap_or(otherwise)
    }
}

/// The message a task is building.
pub struct Message {
    targets: Vec<Target>,
    disposition: Disposition,
    accumulate: bool,
    request_id: Name8,
    /// Of SET: not given to the program yet.
    returned: Vec<Vec<u8>>,
    /// The target that the next map is placed for first: those before it have the map already.
    next: usize,
    /// OVERFLOW has been raised for this target.
    overflowed: Option<usize>,
    route: Option<Route>,
}

impl Message {
    /// The number of the page being built, for the type of terminal that has overflowed.
    pub fn page_number(&self) -> usize {
        self.targets[self.overflowed.unwrap_or(0)].completed + 1
    }

    /// ASSIGN DESTCOUNT: the number of the type of terminal that has overflowed, or how many types there are.
    pub fn destination_count(&self) -> usize {
        self.overflowed.map_or(self.targets.len(), |overflowed| overflowed + 1)
    }

    fn kind(&self) -> Kind {
        self.targets[0].pages.kind()
    }

    /// ASSIGN PARTNPAGE: the partition whose page has overflowed.
    pub fn partition_page(&self) -> Option<String> {
        self.overflowed.and_then(|of| self.targets[of].place.as_ref()).map(|place| place.name().to_string())
    }

    /// The targets that a command is for: all types of terminals of a route, or the partition.
    fn targets_of(&self, place: Option<&Place>) -> std::ops::Range<usize> {
        let is_for = |target: &Target| target.place.as_ref().map(|place| place.id) == place.map(|place| place.id);
        match self.targets.iter().position(is_for) {
            Some(at) if place.is_some() => at..at + 1,
            _ => self.next..self.targets.len(),
        }
    }
}

/// A ROUTE is in effect: its message has not been completed.
pub fn is_routing(task: &Task) -> bool {
    let state = TaskState::of(&task.parts);
    state.route.is_some() || state.message.as_ref().is_some_and(|message| message.route.is_some())
}

/// The command begins a logical message or belongs to one.
pub fn is_logical(task: &Task, send: &Send) -> bool {
    let is_building = TaskState::of(&task.parts).message.is_some() && !is_routing(task);
    is_building || send.accumulate || send.disposition == Disposition::Paging
}

/// Where a command sends: to the display of the task, or one of its partitions; `None`: to the terminals of a route.
#[derive(Clone, Copy)]
struct To<'a> {
    display: Option<&'a DisplayTerminal>,
    place: Option<&'a Place>,
}

/// The targets of a new message.
fn targets(task: &Task, to: To, route: Option<&Route>, kind: Kind) -> Result<Vec<Target>, Raised> {
    let target =
        |surface: Surface, alternate| Target { surface, place: None, alternate, pages: Pages::new(kind), stored: Vec::new(), completed: 0 };
    match (route, to.display) {
        (Some(route), _) => Ok(route.types.iter().map(|of| target(of.surface.clone(), Some(of.alternate))).collect()),
        (None, Some(display)) => match to.place {
            Some(place) => Ok(vec![Target { place: Some(place.clone()), ..target(place.surface(display), Some(false)) }]),
            None => Ok(vec![target(Surface::of(display), None)]),
        },
        (None, None) => {
            debug_assert!(!is_routing(task), "without a display there is a route");
            raise(condition::INVREQ, resp2::NONE)
        }
    }
}

/// Takes the message the command belongs to, or begins one.
fn join(task: &mut Task, send: &Send, to: To, kind: Kind) -> Result<Message, Raised> {
    let given = send.request_id.unwrap_or(Name8::new(REQUEST_ID_DEFAULT));
    let is_for_route = to.display.is_none();
    // Page retrieval shows whole screens.
    if to.place.is_some() && send.disposition == Disposition::Paging {
        return raise(condition::INVREQ, resp2::NONE);
    }
    let Some(message) = &TaskState::of(&task.parts).message else {
        if is_for_route && send.disposition == Disposition::Terminal {
            return raise(condition::INVREQ, resp2::NONE);
        }
        let route = if is_for_route { TaskState::of_mut(&mut task.parts).route.take() } else { None };
        let request_id = send.request_id.or(route.as_ref().and_then(|route| route.request_id)).unwrap_or(given);
        return Ok(Message {
            targets: targets(task, to, route.as_ref(), kind)?,
            disposition: send.disposition,
            accumulate: send.accumulate,
            request_id,
            returned: Vec::new(),
            next: 0,
            overflowed: None,
            route,
        });
    };
    // Each partition has text or maps.
    let known =
        to.place.map_or(Some(0), |place| message.targets.iter().position(|target| target.place.as_ref().map(|of| of.id) == Some(place.id)));
    let is_other_kind = known.is_some_and(|at| message.targets[at].pages.kind() != kind);
    let differs = is_other_kind || message.route.is_some() != is_for_route;
    if differs || message.disposition != send.disposition || message.accumulate != send.accumulate {
        return raise(condition::INVREQ, resp2::NONE);
    }
    if send.request_id.is_some() && message.request_id != given {
        return raise(condition::IGREQID, resp2::NONE);
    }
    let new = if known.is_none() { targets(task, to, None, kind)? } else { Vec::new() };
    match TaskState::of_mut(&mut task.parts).message.take() {
        Some(mut message) => {
            message.targets.extend(new);
            Ok(message)
        }
        None => raise(condition::INVREQ, resp2::NONE),
    }
}

/// Keeps the message for the next command, and gives the program the completed pages.
fn keep(task: &mut Task, arguments: &mut Arguments, mut message: Message) -> Outcome {
    let returned = std::mem::take(&mut message.returned);
    TaskState::of_mut(&mut task.parts).message = Some(message);
    task.touch_unit_of_work();
    page_list::give(task, arguments, &returned)
}

/// A page for a target is complete.
fn deliver(task: &mut Task, message: &mut Message, of: usize, page: Page) -> Outcome {
    let target = &mut message.targets[of];
    if target.completed >= PAGE_COUNT_MAX {
        return raise(condition::TSIOERR, resp2::NONE);
    }
    target.completed += 1;
    if message.disposition == Disposition::Paging {
        target.stored.push(page);
        return Ok(());
    }
    let stream = page.stream(target.surface.screen(task, page.alternate), false);
    if message.disposition == Disposition::Set {
        message.returned.push(stream);
        return Ok(());
    }
    let place = target.place.clone();
    let terminal = facility(task)?;
    partitions::transmit(task, display(&*terminal)?, place.as_ref(), stream, false)
}

pub fn add_map(
    task: &mut Task,
    arguments: &mut Arguments,
    display: Option<&DisplayTerminal>,
    place: Option<Place>,
    names: (Name8, Name8),
    send: &Send,
) -> Outcome {
    let intercepts = task.intercepts(arguments, condition::OVERFLOW);
    let to = To { display, place: place.as_ref() };
    let mut message = join(task, send, to, Kind::Maps)?;
    let request = MapRequest { to, names, send, intercepts };
    match request.place_everywhere(task, arguments, &mut message) {
        Ok(Overflow::No) => keep_or_complete(task, arguments, message),
        Ok(Overflow::Yes) => {
            keep(task, arguments, message)?;
            raise(condition::OVERFLOW, resp2::NONE)
        }
        Err(raised) => {
            TaskState::of_mut(&mut task.parts).message = Some(message);
            Err(raised)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Overflow {
    No,
    Yes,
}

/// A SEND MAP that belongs to a message.
struct MapRequest<'a> {
    to: To<'a>,
    names: (Name8, Name8),
    send: &'a Send,
    /// The program wants to know of OVERFLOW.
    intercepts: bool,
}

impl MapRequest<'_> {
    fn place_everywhere(&self, task: &mut Task, arguments: &Arguments, message: &mut Message) -> Result<Overflow, Raised> {
        for of in message.targets_of(self.to.place) {
            let (placed, is_block) = self.place(task, arguments, message, of)?;
            match placed {
                Placed::Overflow => {
                    (message.next, message.overflowed) = (of, Some(of));
                    return Ok(Overflow::Yes);
                }
                Placed::Completed(page) => deliver(task, message, of, page)?,
                Placed::OnPage => {}
            }
            if is_block && message.overflowed.is_some() {
                return Ok(Overflow::No);
            }
            message.overflowed = None;
        }
        message.next = 0;
        Ok(Overflow::No)
    }

    /// Places the map on the page of a target; whether it is a header or trailer.
    fn place(&self, task: &mut Task, arguments: &Arguments, message: &mut Message, of: usize) -> Result<(Placed, bool), Raised> {
        let (map_name, mapset_name) = self.names;
        let accumulate = message.accumulate;
        let Target { surface, alternate, pages: Pages::Maps(pages), .. } = &mut message.targets[of] else {
            return raise(condition::INVREQ, resp2::NONE);
        };
        let alternate = alternate.unwrap_or(self.send.alternate);
        let mapset = mapset::for_task(task, mapset_name, surface.suffix(alternate))?;
        let Some((map, layout)) = mapset.map(map_name.as_str()) else { return Err(no_such_map(map_name, mapset_name, &mapset)) };
        let area = send::symbolic_map(arguments, layout)?;
        let data = send::data(arguments, area.as_deref())?;
        let size = surface.capabilities.size(alternate);
        let translation = TerminalControl::of(task.region).translation(task.region);
        let mapping = Mapping { mapset: mapset_name, map, layout, size, translation };
        let changed = mapping.sent(task, self.to.display, data)?;
        let data = send::as_changed(data, changed.as_deref());
        let trailer_lines = bms::page::trailer_lines(&mapset.set.maps);
        let building = Building { accumulate, intercept: self.intercepts, trailer_lines };
        let placed = pages.add(map, layout, data, &self.send.options, surface.screen(task, alternate), building);
        let (placed, origin) = placed.map_err(map_error)?;
        if placed != Placed::Overflow {
            note_position(task, map, origin, size);
        }
        Ok((placed, map.header || map.trailer))
    }
}

/// With SET and without ACCUM a page is ready at once.
fn keep_or_complete(task: &mut Task, arguments: &mut Arguments, mut message: Message) -> Outcome {
    if message.disposition == Disposition::Set && !message.accumulate {
        finish(task, &mut message, None)?;
        let returned = std::mem::take(&mut message.returned);
        if message.route.is_some() {
            // The route stays in effect until SEND PAGE.
            TaskState::of_mut(&mut task.parts).message = Some(message);
        }
        return page_list::give(task, arguments, &returned);
    }
    keep(task, arguments, message)
}

pub fn add_text(
    task: &mut Task,
    arguments: &mut Arguments,
    display: Option<&DisplayTerminal>,
    place: Option<Place>,
    text: &[u8],
    options: &TextOptions,
    send: &Send,
) -> Outcome {
    let mut message = join(task, send, To { display, place: place.as_ref() }, Kind::Text)?;
    for of in message.targets_of(place.as_ref()) {
        let target = &mut message.targets[of];
        let usage = target.surface.screen(task, target.is_alternate(send.alternate));
        let Pages::Text(pages) = &mut target.pages else { return raise(condition::INVREQ, resp2::NONE) };
        let completed = pages.add(text, options, &send.options, usage, send.accumulate).map_err(text_abend)?;
        for page in completed {
            deliver(task, &mut message, of, page)?;
        }
    }
    keep_or_complete(task, arguments, message)
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
pub fn add_stream(
    task: &mut Task,
    arguments: &mut Arguments,
    display: Option<&DisplayTerminal>,
    place: Option<Place>,
    page: Page,
    send: &Send,
) -> Outcome {
    let mut message = join(task, send, To { display, place: place.as_ref() }, Kind::Text)?;
    finish(task, &mut message, None)?;
    for of in message.targets_of(place.as_ref()) {
        let alternate = message.targets[of].is_alternate(page.alternate);
        deliver(task, &mut message, of, Page { alternate, ..page.clone() })?;
    }
    keep(task, arguments, message)
}

pub fn add_control(
    task: &mut Task,
    arguments: &mut Arguments,
    display: Option<&DisplayTerminal>,
    place: Option<Place>,
    send: &Send,
) -> Outcome {
    let kind = TaskState::of(&task.parts).message.as_ref().map_or(Kind::Maps, Message::kind);
    let mut message = join(task, send, To { display, place: place.as_ref() }, kind)?;
    let cursor = match send.options.cursor {
        CursorOption::At(address) => Some(address),
        CursorOption::Symbolic => Some(0),
        CursorOption::Absent => None,
    };
    let range = message.targets_of(place.as_ref());
    for target in &mut message.targets[range] {
        let alternate = target.is_alternate(send.alternate);
        match &mut target.pages {
            Pages::Maps(pages) => pages.add_control(&send.options, cursor, alternate),
            Pages::Text(pages) => pages.add_control(&send.options, cursor, alternate),
        }
    }
    keep(task, arguments, message)
}

/// Completes the pages being built.
fn finish(task: &mut Task, message: &mut Message, trailer: Option<&Block>) -> Outcome {
    for of in 0..message.targets.len() {
        let own = match message.targets[of].alternate {
            Some(alternate) => alternate,
            None => {
                let terminal = facility(task)?;
                output::erase_alternate(task, display(&*terminal)?, false, false)
            }
        };
        let target = &mut message.targets[of];
        let usage = target.surface.screen(task, own);
        let page = match &mut target.pages {
            Pages::Maps(pages) => pages.finish(),
            Pages::Text(pages) => pages.finish(trailer, usage),
        };
        if let Some(page) = page {
            deliver(task, message, of, page)?;
        }
    }
    Ok(())
}

pub fn send_page(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let trailer = super::text::block(arguments, option::TRAILER, task.region.code_page.space())?;
    let Some(message) = &TaskState::of(&task.parts).message else {
        facility(task)?;
        return raise(condition::INVREQ, resp2::NONE);
    };
    let is_of_maps = message.kind() == Kind::Maps;
    if trailer.is_some() && is_of_maps || arguments.has(option::SET) != (message.disposition == Disposition::Set) {
        return raise(condition::INVREQ, resp2::NONE);
    }
    let Some(mut message) = TaskState::of_mut(&mut task.parts).message.take() else { return raise(condition::INVREQ, resp2::NONE) };
    finish(task, &mut message, trailer.as_ref())?;
    crate::terminal_control::TaskState::of_mut(&mut task.parts).last |= arguments.has(option::LAST);
    if message.disposition == Disposition::Set {
        return page_list::give(task, arguments, &message.returned);
    }
    let (release, retain) = (arguments.has(option::RELEASE), arguments.has(option::RETAIN));
    if message.disposition == Disposition::Paging {
        if message.route.is_some() {
            deliver_routed(task, message)?;
        } else if !message.targets[0].stored.is_empty() {
            let terminal = facility(task)?;
            let display = display(&*terminal)?;
            let paged = paged(display, message, arguments.has(option::OPERPURGE));
            if retain {
                return paging::retain(task, display, paged);
            }
            if release {
                paging::show_first(task, display, paged)?;
            } else if !paging::queue(display, paged) {
                return raise(condition::TSIOERR, resp2::NONE);
            }
        }
    }
    if release { release_task(task, arguments) } else { Ok(()) }
}

/// The message for the task's own terminal.
fn paged(display: &DisplayTerminal, mut message: Message, operator_purges: bool) -> PagedMessage {
    PagedMessage {
        id: next_id(),
        request_id: message.request_id,
        title: String::new(),
        pages: Arc::new(std::mem::take(&mut message.targets[0].stored)),
        operator_purges,
        automatic: delivery::is_automatic(display),
    }
}

fn deliver_routed(task: &mut Task, message: Message) -> Outcome {
    let Message { targets, request_id, route: Some(route), .. } = message else { return Ok(()) };
    let pages = targets.into_iter().map(|target| Arc::new(target.stored)).collect::<Vec<_>>();
    if delivery::send(task, &route, request_id, &pages)? { Ok(()) } else { raise(condition::TSIOERR, resp2::NONE) }
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
    if !message.accumulate {
        finish(task, &mut message, None)?;
    }
    if message.disposition != Disposition::Paging {
        return Ok(());
    }
    if message.route.is_some() {
        return deliver_routed(task, message);
    }
    if message.targets[0].stored.is_empty() {
        return Ok(());
    }
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    if paging::queue(display, paged(display, message, false)) { Ok(()) } else { raise(condition::TSIOERR, resp2::NONE) }
}

/// PURGE MESSAGE: drops the message, and the route it was meant for.
pub fn purge_message(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    if !is_routing(task) {
        facility(task)?;
    }
    let state = TaskState::of_mut(&mut task.parts);
    (state.message, state.route) = (None, None);
    Ok(())
}
