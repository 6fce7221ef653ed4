//! The common options of SEND MAP, SEND TEXT and SEND CONTROL.

use crate::terminal_control::TerminalControl;
use crate::terminal_control::autoinstall::capabilities_of;
use crate::terminal_control::display::{DisplayTerminal, display_of};
use crate::terminal_control::output;
use bms::model::{Control, PrintLine};
use bms::send_map::{CursorOption, Erase, ScreenUse, SendOptions};
use bms::{Capabilities, ScreenSize};
use csd::TypetermDefinition;
use exec::resp2;
use exec::{OptionId, condition, option};
use region::facility::Terminal;
use region::name::Name8;
use region::{Abend, Arguments, Raised, Task, raise};
use std::sync::Arc;

/// Where the output of a command goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Disposition {
    #[default]
    Terminal,
    /// The program gets the data stream.
    Set,
    /// The operator retrieves it page by page.
    Paging,
}

/// Suffix of mapsets made for TERM=3270-2.
const SUFFIX_MODEL_2: char = 'M';
/// Positions of the largest screen: CURSOR of a message that is routed to screens of several sizes is below this.
const POSITIONS_MAX: usize = 16_384;

/// What output is formatted for: a display, or one type of the terminals that a message is routed to.
#[derive(Clone)]
pub struct Surface {
    pub capabilities: Capabilities,
    /// ALTSUFFIX of the TYPETERM.
    pub alternate_suffix: Option<char>,
    /// Of a partition (MAPSFX).
    pub partition_suffix: Option<char>,
}

impl Surface {
    pub fn of(display: &DisplayTerminal) -> Self {
        Self::with(display.capabilities.clone(), &display.identity.typeterm)
    }

    /// Of a terminal without a session: as its definition says.
    pub fn of_definition(typeterm: &TypetermDefinition) -> Self {
        Self::with(capabilities_of(typeterm), typeterm)
    }

    fn with(capabilities: Capabilities, typeterm: &TypetermDefinition) -> Self {
        let suffix = typeterm.definition.get("ALTSUFFIX").chars().next().filter(|suffix| *suffix != ' ');
        Self { capabilities, alternate_suffix: suffix, partition_suffix: None }
    }

    /// The suffix of mapsets for the screen in use.
    pub fn suffix(&self, alternate: bool) -> Option<char> {
        if self.partition_suffix.is_some() {
            return self.partition_suffix;
        }
        if alternate {
            return self.alternate_suffix;
        }
        (self.capabilities.default_size == ScreenSize::MODEL2).then_some(SUFFIX_MODEL_2)
    }

    /// The screen as needed by the mapping functions.
    pub fn screen<'a>(&'a self, task: &Task, alternate: bool) -> ScreenUse<'a> {
        screen_of(task, &self.capabilities, alternate)
    }
}

/// A send request: how, and to which screen.
pub struct Send {
    pub options: SendOptions,
    /// The alternate screen is in use, or will be by ERASE. Of a message that is routed each type of terminal has its own.
    pub alternate: bool,
    pub accumulate: bool,
    pub wait: bool,
    pub disposition: Disposition,
    /// REQID: the prefix of the message's temporary storage.
    pub request_id: Option<Name8>,
}

/// The terminal of the task; a task without one cannot use BMS.
pub fn facility(task: &Task) -> Result<Arc<dyn Terminal>, Raised> {
    task.facility.terminal().cloned().map_or_else(|| raise(condition::INVREQ, resp2::NONE), Ok)
}

pub fn display(terminal: &dyn Terminal) -> Result<&DisplayTerminal, Raised> {
    display_of(terminal).map_or_else(|| raise(condition::INVREQ, resp2::NONE), Ok)
}

/// The screen as needed by the mapping functions.
pub fn screen<'a>(task: &Task, display: &'a DisplayTerminal, alternate: bool) -> ScreenUse<'a> {
    screen_of(task, &display.capabilities, alternate)
}

fn screen_of<'a>(task: &Task, capabilities: &'a Capabilities, alternate: bool) -> ScreenUse<'a> {
    let control = TerminalControl::of(task.region);
    let full_lines = capabilities.printer && control.profile(task.definition.profile).printer_compatible;
    ScreenUse { capabilities, alternate, translation: control.translation(task.region), full_lines }
}

/// Where a command sends: to the terminal of the task, or, with PAGING, SET or ACCUM after a ROUTE, to the terminals of the route (`None`).
pub fn destination(task: &Task, arguments: &Arguments) -> Result<Option<Arc<dyn Terminal>>, Raised> {
    let is_for_route = super::message::is_routing(task) && IN_ROUTE.into_iter().any(|option| arguments.has(option));
    if is_for_route { Ok(None) } else { facility(task).map(Some) }
}

/// Options of text pages, which imply ACCUM.
const OF_TEXT_PAGES: [OptionId; 5] = [option::HEADER, option::TRAILER, option::JUSTIFY, option::JUSFIRST, option::JUSLAST];
/// Options of a command that belongs to a routed message ("Interleaving a conversation with message routing").
const IN_ROUTE: [OptionId; 8] =
    [option::ACCUM, option::PAGING, option::SET, option::HEADER, option::TRAILER, option::JUSTIFY, option::JUSFIRST, option::JUSLAST];

impl Send {
    /// `display`: that of the task; `None` for a message that is routed.
    pub fn of(task: &mut Task, display: Option<&DisplayTerminal>, arguments: &Arguments) -> Result<Self, Raised> {
        // Logical device components belong to logical units with several devices; a display has none.
        if arguments.has(option::LDC) {
            return raise(condition::INVLDC, resp2::NONE);
        }
        let has = |option| arguments.has(option);
        let erase = if has(option::ERASE) {
            Erase::Screen
        } else if has(option::ERASEAUP) {
            Erase::Unprotected
        } else {
            Erase::None
        };
        let alternate = match (erase, display) {
            (_, None) => false,
            (Erase::Screen, Some(display)) => output::erase_alternate(task, display, has(option::DEFAULT), has(option::ALTERNATE)),
            (_, Some(display)) => output::is_alternate(task, display),
        };
        let positions = display.map_or(POSITIONS_MAX, |display| display.capabilities.size(alternate).positions());
        let cursor = cursor(arguments, positions)?;
        let options = SendOptions { erase, control: control(arguments), cursor, form_feed: has(option::FORMFEED) };
        crate::terminal_control::TaskState::of_mut(&mut task.parts).last |= has(option::LAST);
        let disposition = match (has(option::SET), has(option::PAGING)) {
            (true, _) => Disposition::Set,
            (_, true) => Disposition::Paging,
            _ => Disposition::Terminal,
        };
        let accumulate = has(option::ACCUM) || OF_TEXT_PAGES.into_iter().any(has);
        let request_id = arguments.name(option::REQID)?;
        Ok(Self { options, alternate, accumulate, wait: has(option::WAIT), disposition, request_id })
    }
}

/// `None` if the command has no control option: then the map's CTRL applies.
fn control(arguments: &Arguments) -> Option<Control> {
    let has = |option| arguments.has(option);
    let print_line = if has(option::L40) {
        PrintLine::Columns40
    } else if has(option::L64) {
        PrintLine::Columns64
    } else if has(option::L80) {
        PrintLine::Columns80
    } else {
        PrintLine::NewLineOrEndOfMedium
    };
    let control = Control {
        print: has(option::PRINT),
        print_line,
        free_keyboard: has(option::FREEKB),
        alarm: has(option::ALARM),
        reset_mdt: has(option::FRSET),
    };
    let given = [option::PRINT, option::L40, option::L64, option::L80, option::HONEOM, option::FREEKB, option::ALARM, option::FRSET];
    given.into_iter().any(has).then_some(control)
}

/// CURSOR. A position that is not on the screen abends the task ABMB.
fn cursor(arguments: &Arguments, positions: usize) -> Result<CursorOption, Raised> {
    if !arguments.has(option::CURSOR) {
        return Ok(CursorOption::Absent);
    }
    match arguments.integer(option::CURSOR) {
        None => Ok(CursorOption::Symbolic),
        Some(address) if (0..positions as i64).contains(&address) => Ok(CursorOption::At(address as u16)),
        Some(address) => {
            let reason = format!("cursor position {address} is not on the screen of {positions} positions");
            Err(Raised::Abend(Box::new(Abend::new("ABMB").because(reason))))
        }
    }
}
