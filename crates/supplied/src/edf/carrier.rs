//! How a display reaches its terminal: over the screen of the tested task, or by a relay to another terminal.

use super::super::panel::{Answer, Panel};
use super::super::{cebr, ceci};
use super::control::Subject;
use super::relay::{Relay, Request};
use bms::address::Addressing;
use exec::condition;
use region::name::Name4;
use region::{Raised, Task};
use std::sync::Arc;
use terminals::terminal_control::display::display_of;
use terminals::terminal_control::input::{display, facility};
use terminals::terminal_control::output;

/// Why a display is not answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// The terminal has gone: EDF is over.
    Terminal,
    /// The tested task has been purged.
    Purged,
}

impl From<Raised> for Lost {
    fn from(raised: Raised) -> Self {
        match raised {
            Raised::Condition { condition: condition::TERMERR, .. } => Lost::Terminal,
            Raised::Abend(abend) if abend.code == *b"AEXY" => Lost::Purged,
            _ => Lost::Terminal,
        }
    }
}

pub enum Carrier {
    /// The terminal of the tested task.
    Own,
    Other(Arc<Relay>),
}

impl Carrier {
    /// For a task and the terminal that is to show its displays.
    pub fn to(task: &Task, screen: Name4, subject: Subject) -> Result<Carrier, Lost> {
        if task.terminal_name() == screen {
            return Ok(Carrier::Own);
        }
        Relay::open(task.region, screen, subject).map(Carrier::Other)
    }

    pub fn is_own(&self) -> bool {
        matches!(self, Carrier::Own)
    }

    /// An empty panel of the terminal's size.
    pub fn panel(&self, task: &Task) -> Result<Panel, Lost> {
        let terminal = match self {
            Carrier::Own => facility(task)?,
            Carrier::Other(relay) => task.region.terminals.find(relay.screen()).ok_or(Lost::Terminal)?,
        };
        Ok(Panel::new(display_of(&*terminal).ok_or(Lost::Terminal)?.cover_size()))
    }

    /// Shows a panel and waits for the answer.
    pub fn converse(&self, task: &mut Task, panel: Panel) -> Result<Answer, Lost> {
        match self {
            Carrier::Own => {
                let terminal = facility(task)?;
                let display = display(&*terminal)?;
                let addressing: Addressing = display.capabilities.addressing_for(panel.size);
                let input = display.converse_over(task, &panel.stream(display.page(), addressing, false))?;
                Ok(panel.answer(&input, display))
            }
            Carrier::Other(relay) => {
                // The user of the tested terminal sees what has been sent so far.
                if let Some(display) = task.facility.terminal().cloned().as_deref().and_then(display_of) {
                    let _ = output::flush(task, display);
                }
                relay.ask(task, Request::Show(Box::new(panel)))
            }
        }
    }

    /// Lets the operator see the screen of the task, until a key is pressed.
    pub fn show_user_screen(&self, task: &mut Task) -> Result<(), Lost> {
        if self.is_own() {
            let terminal = facility(task)?;
            display(&*terminal)?.show_covered(task)?;
        }
        Ok(())
    }

    /// CEBR or CECI at the terminal of the displays.
    pub fn run(&self, task: &mut Task, request: Request) -> Result<(), Lost> {
        match self {
            Carrier::Own => {
                let terminal = facility(task)?;
                let program = if matches!(request, Request::Browse) { cebr::browse } else { ceci::interpret };
                display(&*terminal)?.over(task, |task| aside(task, program))??;
                Ok(())
            }
            Carrier::Other(relay) => relay.ask(task, request).map(|_| ()),
        }
    }

    /// The session is over.
    pub fn close(self, farewell: String) {
        if let Carrier::Other(relay) = self {
            relay.close(farewell);
        }
    }
}

/// Runs a program of the region inside the tested task, which finds its own state again afterwards.
fn aside(task: &mut Task, program: region::NativeProgram) -> Result<(), Raised> {
    let eib = *task.eib.bytes();
    let conversation = std::mem::take(&mut task.conversation);
    let position = (task.frame, task.line, task.command, task.aid_received);
    let ended = program(task);
    task.eib.set(0, &eib);
    task.conversation = conversation;
    (task.frame, task.line, task.command, task.aid_received) = position;
    task.eib.flush()?;
    match ended {
        Err(Raised::Leave | Raised::Goto(_)) => Ok(()),
        ended => ended,
    }
}
