//! ROUTE: a logical message for other terminals and operators.
//!
//! Rules (CICS, "Message routing", "Message destinations", command ROUTE): a destination is a terminal, an operator, or the terminals at which
//! operators of some classes are signed on; without LIST and OPCLASS it is every terminal. The terminals are found at the ROUTE. RTEFAIL: none is
//! left, or only the one of the task itself; no route is in effect then. RTESOME: an entry of the list was skipped.
//!
//! * `list`      the route list in the program's storage;
//! * `delivery`  completed messages on their way to the terminals;
//! * `cleanup`   CSPQ, which purges what could not be delivered.
//!
//! Invariant: a route has at least one destination, and each destination belongs to one of its types of terminals.

pub mod cleanup;
pub mod delivery;
mod list;

use super::TaskState;
use super::options::Surface;
use crate::terminal_control::display::display_of;
use crate::terminal_control::profile_of;
use crate::terminal_control::released::released_of;
use crate::terminal_control::waiting::Receiver;
use bms::attribute::ExtendedSet;
use csd::TypetermDefinition;
use exec::resp2;
use exec::{condition, option};
use list::{Entry, Fault};
use region::clock::{Abstime, now_local};
use region::facility::{Operator, Partner, Terminal};
use region::interval_control::{Due, due};
use region::name::{Name4, Name8};
use region::{Abend, Arguments, Outcome, Raised, Region, Task, raise};
use std::sync::Arc;

/// Destinations of a route.
const DESTINATIONS_MAX: usize = 65_536;
/// Bytes of the length in front of a title, which it includes, and of both together.
const TITLE_PREFIX_LENGTH: usize = 2;
const TITLE_LENGTH_MAX: usize = 64;
const CLASSES_LENGTH: usize = 3;

/// A type of terminal that a message is made for: those of one screen size. They share the attributes that any of them has.
pub struct TerminalType {
    pub surface: Surface,
    pub alternate: bool,
}

pub struct Destination {
    pub terminal: Name4,
    pub receiver: Receiver,
    /// Place in `Route::types`.
    pub of_type: usize,
}

/// The destinations of the message that the task is about to build.
pub struct Route {
    pub types: Vec<TerminalType>,
    pub destinations: Vec<Destination>,
    pub due: Abstime,
    pub error_terminal: Option<Name4>,
    pub title: String,
    pub request_id: Option<Name8>,
}

/// ROUTE.
pub fn route(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    if TaskState::of(&task.parts).message.is_some() {
        return raise(condition::INVREQ, resp2::NONE);
    }
    // There is no table of logical device codes, so no mnemonic is in it.
    if arguments.has(option::LDC) {
        return raise(condition::INVLDC, resp2::NONE);
    }
    let now = now_local();
    let due = match due(arguments, now)? {
        Due::Now | Due::Expired => now,
        Due::At(time) => time,
    };
    let error_terminal = error_terminal(task, arguments)?;
    let title = title(task, arguments)?;
    let request_id = arguments.name(option::REQID)?;
    let classes = arguments.bytes_of_length(option::OPCLASS, CLASSES_LENGTH)?.and_then(|bytes| bytes.try_into().ok());
    let alternate = profile_of(task).alternate_screen;
    let mut found = Found { alternate, types: Vec::new(), destinations: Vec::new(), is_entry_skipped: false };
    match arguments.area(option::LIST) {
        Some(area) => list::read(task, area.address, |task, entry| found.add_entry(task.region, entry, classes))?,
        None => found.add_all(task.region, classes)?,
    }
    let own = task.facility.terminal().map(|terminal| terminal.name());
    let Found { types, destinations, is_entry_skipped, .. } = found;
    let is_for_others = destinations.iter().any(|destination| Some(destination.terminal) != own);
    TaskState::of_mut(&mut task.parts).route =
        is_for_others.then_some(Route { types, destinations, due, error_terminal, title, request_id });
    match (is_for_others, is_entry_skipped) {
        (false, _) => raise(condition::RTEFAIL, resp2::NONE),
        (true, true) => raise(condition::RTESOME, resp2::NONE),
        (true, false) => Ok(()),
    }
}

/// ERRTERM: the terminal it names, or the task's own.
fn error_terminal(task: &Task, arguments: &Arguments) -> Result<Option<Name4>, Raised> {
    if !arguments.has(option::ERRTERM) {
        return Ok(None);
    }
    let named: Option<Name4> = arguments.name(option::ERRTERM)?.filter(|name: &Name4| !name.is_blank());
    let name = named.or(task.facility.terminal().map(|terminal| terminal.name()));
    let terminal = name.and_then(|name| task.region.terminals.find(name));
    match terminal.filter(|terminal| display_of(&**terminal).is_some()) {
        Some(terminal) => Ok(Some(terminal.name())),
        None => raise(condition::INVERRTERM, resp2::NONE),
    }
}

/// TITLE: a halfword with the length, which it includes, and the title.
fn title(task: &Task, arguments: &Arguments) -> Result<String, Raised> {
    let Some(prefix) = arguments.bytes_of_length(option::TITLE, TITLE_PREFIX_LENGTH)? else { return Ok(String::new()) };
    let length = usize::from(u16::from_be_bytes([prefix[0], prefix[1]]));
    if !(TITLE_PREFIX_LENGTH..=TITLE_LENGTH_MAX).contains(&length) {
        return raise(condition::INVREQ, resp2::NONE);
    }
    let all = arguments.bytes_of_length(option::TITLE, length)?.unwrap_or_default();
    Ok(task.region.code_page.text(&all[TITLE_PREFIX_LENGTH..]).trim_end().to_string())
}

/// The destinations found so far.
struct Found {
    alternate: bool,
    types: Vec<TerminalType>,
    destinations: Vec<Destination>,
    is_entry_skipped: bool,
}

impl Found {
    /// Without a list: all terminals, or those with an operator of one of the classes.
    fn add_all(&mut self, region: &Region, classes: Option<[u8; CLASSES_LENGTH]>) -> Outcome {
        for terminal in region.terminals.all() {
            let Some(display) = display_of(&*terminal).filter(|display| takes_routed(&display.identity.typeterm, false)) else { continue };
            let is_in = |classes| display.is_signed_on() && Operator::of_user(display.user_id()).is_in_any(classes);
            if classes.is_none_or(is_in) {
                self.add(display.name(), Surface::of(display), classes.map_or(Receiver::Anyone, Receiver::Classes))?;
            }
        }
        Ok(())
    }

    /// An entry of the list; what is wrong with it. OPCLASS restricts entries without an operator.
    fn add_entry(&mut self, region: &Region, entry: &Entry, classes: Option<[u8; CLASSES_LENGTH]>) -> Result<Option<Fault>, Raised> {
        let (terminal, fault) = match located(region, entry) {
            Ok((terminal, fault)) => (terminal, fault),
            Err(fault) => {
                self.is_entry_skipped = true;
                return Ok(Some(fault));
            }
        };
        let receiver = match (entry.operator, classes) {
            (Some(id), _) => Receiver::Operator(id),
            (None, Some(classes)) => Receiver::Classes(classes),
            (None, None) => Receiver::Anyone,
        };
        if let Some((_, surface)) = supported(&*terminal) {
            self.add(terminal.name(), surface, receiver)?;
        }
        Ok(fault)
    }

    fn add(&mut self, terminal: Name4, surface: Surface, receiver: Receiver) -> Outcome {
        if self.destinations.len() >= DESTINATIONS_MAX {
            let reason = format!("a message is routed to {DESTINATIONS_MAX} destinations at most");
            return Err(Raised::Abend(Box::new(Abend::new("ABMC").because(reason))));
        }
        let of_type = self.type_of(surface);
        self.destinations.push(Destination { terminal, receiver, of_type });
        Ok(())
    }

    /// The type of a terminal: its screen, its suffix, and whether it prints.
    fn type_of(&mut self, surface: Surface) -> usize {
        let alternate = self.alternate;
        let key = |of: &Surface| (of.capabilities.page(alternate), of.suffix(alternate), of.capabilities.printer);
        let known = self.types.iter().position(|of| key(&of.surface) == key(&surface));
        let Some(at) = known else {
            self.types.push(TerminalType { surface, alternate });
            return self.types.len() - 1;
        };
        let (shared, own) = (&mut self.types[at].surface.capabilities, &surface.capabilities);
        shared.extended = ExtendedSet(shared.extended.0 | own.extended.0);
        shared.extended_data_stream |= own.extended_data_stream;
        shared.alternate_size = if own.alternate_size.positions() < shared.alternate_size.positions() && !alternate {
            own.alternate_size
        } else {
            shared.alternate_size
        };
        at
    }
}

/// ROUTEDMSGS of the TYPETERM: SPECIFIC takes only messages whose list names the terminal or its operator, NONE takes none.
fn takes_routed(typeterm: &TypetermDefinition, is_named: bool) -> bool {
    match typeterm.definition.get("ROUTEDMSGS") {
        "NONE" => false,
        "SPECIFIC" => is_named,
        _ => true,
    }
}

/// A terminal that BMS supports: its TYPETERM, and what is formatted for it. One without a session gets its messages when its client connects.
fn supported(terminal: &dyn Terminal) -> Option<(&TypetermDefinition, Surface)> {
    match display_of(terminal) {
        Some(display) => Some((&display.identity.typeterm, Surface::of(display))),
        None => released_of(terminal).map(|released| (&released.typeterm, Surface::of_definition(&released.typeterm))),
    }
}

/// The terminal of an entry, with what is worth telling of it although it is used; or why the entry is skipped.
fn located(region: &Region, entry: &Entry) -> Result<(Arc<dyn Terminal>, Option<Fault>), Fault> {
    let is_operator = |terminal: &Arc<dyn Terminal>| {
        entry.operator.is_some_and(|id| terminal.is_signed_on() && Operator::of_user(terminal.user_id()).id == id)
    };
    let is_supported = |terminal: &Arc<dyn Terminal>| supported(&**terminal).is_some_and(|(typeterm, _)| takes_routed(typeterm, true));
    if entry.has_device_code {
        return Err(Fault::device_code());
    }
    if let Some(name) = entry.terminal {
        let terminal = region.terminals.find(name).ok_or(Fault::no_terminal())?;
        if !is_supported(&terminal) {
            return Err(Fault::not_supported());
        }
        let is_absent = entry.operator.is_some() && !is_operator(&terminal);
        return Ok((terminal, is_absent.then(Fault::operator_not_at_terminal)));
    }
    if entry.operator.is_none() {
        return Err(Fault::format());
    }
    let mut terminals = region.terminals.all();
    terminals.retain(is_operator);
    match terminals.iter().find(|terminal| is_supported(terminal)) {
        Some(terminal) => Ok((terminal.clone(), None)),
        None => Err(terminals.first().map_or(Fault::operator_not_signed_on(), |terminal| Fault::operator_elsewhere(terminal.name()))),
    }
}
