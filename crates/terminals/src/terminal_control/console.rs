//! Consoles: an operator of the system enters transactions in lines of text (the MODIFY command), and gets lines back.
//!
//! A console is a terminal of 24 by 80 characters without extended attributes, whose screens are printed: what is on it when it is erased, and
//! when its task has ended or waits for input. A TERMINAL with its name (CONSNAME) defines it; any other console is made when it is first used.
//! Invariants: a console carries out one line at a time; what it prints for a line is bounded; it stays until its session is ended
//! (ISSUE DISCONNECT, SET TERMINAL RELEASED) or the region stops.

use super::autoinstall;
use super::display::{DisplayTerminal, Identity, Link, LinkError, Owner};
use super::released::{self, Lasting};
use bms::constants::{AID_ENTER, CMD_EW, CMD_EWA, SNA_CMD_EW, SNA_CMD_EWA};
use bms::{Capabilities, Model, Screen};
use csd::TerminalDefinition;
use kernel::Waker;
use parking_lot::Mutex;
use region::Region;
use region::facility::Partner;
use region::name::{Name4, Name8};
use rustc_hash::FxHashMap;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};
use tn3270::Room;

/// Lines that are printed for one line of input.
const LINES_MAX: usize = 10_000;
/// Cursor address 0, as a terminal sends it.
const HOME: [u8; 2] = [0x40, 0x40];
/// How often an end of the task is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The consoles that are in use, by name.
#[derive(Default)]
pub struct Consoles(Mutex<FxHashMap<Name8, Arc<Console>>>);

struct Console {
    terminal: Arc<DisplayTerminal>,
    paper: Arc<Paper>,
    /// Held while a line is carried out.
    turn: Mutex<()>,
}

/// What a console prints.
struct Paper {
    sheet: Mutex<Sheet>,
    terminal: OnceLock<Weak<DisplayTerminal>>,
}

struct Sheet {
    screen: Screen,
    lines: Vec<String>,
}

impl Sheet {
    /// Takes a record of output.
    fn write(&mut self, record: &[u8]) {
        if record.first().is_some_and(|command| [SNA_CMD_EW, SNA_CMD_EWA, CMD_EW, CMD_EWA].contains(command)) {
            self.print();
        }
        // A data stream that is not valid shows nothing at a terminal either.
        let _ = self.screen.apply(record);
    }

    /// Moves what is on the screen to the lines.
    fn print(&mut self) {
        let rows = self.screen.rows();
        let written = rows.iter().map(|row| row.trim_end()).filter(|row| !row.is_empty());
        let room = LINES_MAX.saturating_sub(self.lines.len());
        self.lines.extend(written.take(room).map(str::to_string));
        let _ = self.screen.apply(&[SNA_CMD_EW, bms::outbound::Wcc::RESTORE_KEYBOARD.byte()]);
    }
}

struct ConsoleLink(Arc<Paper>);

impl Link for ConsoleLink {
    fn send(&self, record: &[u8], _room: Room) -> Result<(), LinkError> {
        self.0.sheet.lock().write(record);
        Ok(())
    }

    fn when_there_is_room(&self, waker: Waker) {
        waker.resume();
    }

    fn close(&self) {
        if let Some(terminal) = self.0.terminal.get().and_then(Weak::upgrade) {
            terminal.disconnected();
        }
    }

    fn peer(&self) -> Option<SocketAddr> {
        None
    }
}

/// Enters a line at a console; the lines that have been printed when its task has ended or waits for input.
///
/// # Errors
///
/// No terminal can be made for the console, or the task has not ended within the limit of time.
pub fn modify(region: &'static Region, name: Name8, line: &str, limit: Duration) -> Result<Vec<String>, String> {
    let consoles = &super::TerminalControl::of(region).consoles;
    let console = consoles.find_or_make(region, name).ok_or_else(|| format!("no terminal can be made for console {name}"))?;
    let _turn = console.turn.lock();
    {
        let mut sheet = console.paper.sheet.lock();
        sheet.print();
        sheet.lines.clear();
    }
    let text = bms::text::encode(console.terminal.page(), line);
    console.terminal.received(&[&[AID_ENTER], &HOME[..], &text].concat());
    let until = Instant::now() + limit;
    while !console.terminal.is_at_rest() {
        if Instant::now() >= until {
            return Err(format!("the transaction has not ended after {} seconds", limit.as_secs()));
        }
        std::thread::sleep(LOOK_EVERY);
    }
    let mut sheet = console.paper.sheet.lock();
    sheet.print();
    Ok(std::mem::take(&mut sheet.lines))
}

impl Consoles {
    fn find_or_make(&self, region: &'static Region, name: Name8) -> Option<Arc<Console>> {
        let mut all = self.0.lock();
        all.retain(|_, console| !console.terminal.is_closed());
        if let Some(known) = all.get(&name) {
            return Some(known.clone());
        }
        let made = make(region, name)?;
        all.insert(name, made.clone());
        Some(made)
    }
}

fn make(region: &'static Region, name: Name8) -> Option<Arc<Console>> {
    let defined = {
        let installed = region.installed.read();
        let mut terminals = installed.of_type("TERMINAL").map(TerminalDefinition::from);
        terminals.find(|terminal| terminal.console == name)
    };
    let token = match &defined {
        Some(definition) => autoinstall::preset_user(region, definition)?,
        None => None,
    };
    let typeterm = autoinstall::typeterm(region, defined.as_ref().map_or(Name8::BLANK, |terminal| terminal.typeterm));
    let capabilities = Capabilities::of_model(Model::Two, false);
    let screen = Screen::new(&capabilities, region.code_page.terminal());
    let paper = Arc::new(Paper { sheet: Mutex::new(Sheet { screen, lines: Vec::new() }), terminal: OnceLock::new() });
    let mut names = defined.iter().map(|terminal| terminal.name).chain(autoinstall::generated(0));
    let terminal = names.find_map(|termid| {
        if region.terminals.find(termid).is_some() {
            return None;
        }
        let identity = Identity {
            name: termid,
            netname: Name8::BLANK,
            console: Some(name),
            typeterm: typeterm.clone(),
            permanent_transaction: Name4::BLANK,
            user_id: defined.as_ref().map_or(Name8::BLANK, |terminal| terminal.user_id),
            token: token.clone(),
            autoinstalled: false,
            definition: defined.as_ref().map(|terminal| terminal.definition.clone()),
        };
        let lasting = Lasting::new(region, &typeterm, defined.as_ref());
        let user_area = lasting.user_area;
        let link = Box::new(ConsoleLink(paper.clone()));
        let terminal = DisplayTerminal::new(region, identity, capabilities.clone(), lasting, link);
        let is_added = region.terminals.add(terminal.clone());
        if !is_added {
            released::free(region, user_area);
        }
        is_added.then_some(terminal)
    })?;
    let _ = paper.terminal.set(Arc::downgrade(&terminal));
    let termid = terminal.name();
    region.messages.send("DFHZC3461", &[("termid", termid.as_str()), ("netname", name.as_str())]);
    Some(Arc::new(Console { terminal, paper, turn: Mutex::new(()) }))
}

impl DisplayTerminal {
    /// The terminal is a console.
    pub fn is_console(&self) -> bool {
        self.identity.console.is_some()
    }

    /// Nothing is done for the terminal now: it has no task, or its task waits for input.
    fn is_at_rest(&self) -> bool {
        let state = self.state.lock();
        let is_free = state.owner == Owner::None && state.input.is_empty() && (state.starts.is_empty() || !state.service.ati);
        state.closed || is_free || state.waiter.is_some() && state.input.is_empty()
    }
}
