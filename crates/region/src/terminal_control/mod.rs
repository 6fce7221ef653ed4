//! Terminal control: the terminals of the region as the other domains use them, and SEND, RECEIVE, CONVERSE, ISSUE ...
//!
//! * `terminal`     what the region asks of a terminal (a trait), and what RETURN TRANSID and START leave at it;
//! * `display`      the 3270 display, on whatever carries its data streams; `conversation` what starts its tasks;
//! * `identify`     which transaction an input is for; `message` how the region's own messages look on a screen;
//! * `listener`     TN3270: connect, autoinstall, disconnect; `autoinstall` the models and names;
//! * `input`, `output` the two directions as a task uses them; `commands` the commands, `issue` those of ISSUE,
//!   `inquire` those for operators.
//!
//! Invariants: a terminal belongs to at most one task at a time; input that arrives without a task starts one, by the terminal's
//! next transaction or the first characters of the input; a task for a terminal (START TERMID, trigger) waits until it is free;
//! what a task sends without WAIT leaves no earlier than its next request to the terminal or its syncpoint, and never if it abends.

mod assign;
mod autoinstall;
mod commands;
mod conversation;
pub mod display;
mod identify;
pub mod input;
mod inquire;
mod issue;
mod listener;
mod message;
pub mod output;
pub mod terminal;

pub use commands::handlers;
pub use display::{DisplayTerminal, Link, Service};
pub use input::Input;
pub use listener::listen;
pub use terminal::{NextTransaction, StartForTerminal, Terminal, TerminalAttributes};

use crate::domain::{Domain, Life, ResourceType};
use crate::name::{Name4, Name8};
use crate::region::Region;
use crate::resources::{Definition, ProfileDefinition};
use crate::transaction_manager::Task;
use bms::text::Translation;
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

crate::task_part!(TaskState);

crate::region_part!(TerminalControl);

/// What this domain is made of.
pub static DOMAIN: Domain = Domain {
    name: "terminal control",
    commands: &[handlers],
    slots: &[&IN_REGION, &IN_TASK],
    resources: &[
        ResourceType { name: "TYPETERM", install: None },
        ResourceType { name: "PROFILE", install: Some(install_profile) },
        ResourceType { name: "TERMINAL", install: None },
    ],
    life: Life {
        quiesce: Some(|region, message| TerminalControl::of(region).quiesce(message)),
        stop: Some(|region, _| TerminalControl::of(region).shutdown()),
        ..Life::NONE
    },
    assign: Some(assign::assign),
    ..Domain::NONE
};

/// Terminal control's part of a task: what of the conversation belongs to the task and not to the terminal.
#[derive(Default)]
pub struct TaskState {
    /// What RECEIVE NOTRUNCATE left for the next one.
    pub(crate) remainder: Option<Vec<u8>>,
    /// Output deferred until a WAIT, another request to the terminal or the end of the unit of work: a whole record.
    pub(crate) deferred_output: Vec<u8>,
    /// SEND LAST was done.
    pub last: bool,
    /// ISSUE DISCONNECT, or sign-off with LOGOFF: the session ends with the task.
    pub disconnect: bool,
    /// The profile of the transaction, looked up at first use.
    profile: Option<Profile>,
}

/// What of a PROFILE concerns terminals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Profile {
    pub alternate_screen: bool,
    pub uppercase: bool,
    pub read_timeout_seconds: u32,
}

/// The terminals of the region.
#[derive(Default)]
pub struct TerminalControl {
    terminals: RwLock<FxHashMap<Name4, Arc<dyn Terminal>>>,
    profiles: RwLock<FxHashMap<Name8, Profile>>,
    servers: Mutex<Vec<tn3270::Server>>,
    translation: OnceLock<Option<Translation>>,
}

impl TerminalControl {
    pub fn find(&self, name: Name4) -> Option<Arc<dyn Terminal>> {
        self.terminals.read().get(&name).cloned()
    }

    pub fn find_by_netname(&self, netname: Name8) -> Option<Arc<dyn Terminal>> {
        self.terminals.read().values().find(|terminal| terminal.netname() == netname).cloned()
    }

    /// False if the name is taken.
    pub fn add(&self, terminal: Arc<dyn Terminal>) -> bool {
        let mut terminals = self.terminals.write();
        let name = terminal.name();
        if terminals.contains_key(&name) {
            return false;
        }
        terminals.insert(name, terminal);
        true
    }

    pub fn remove(&self, name: Name4) -> Option<Arc<dyn Terminal>> {
        self.terminals.write().remove(&name)
    }

    /// By name, for inquiry.
    pub fn all(&self) -> Vec<Arc<dyn Terminal>> {
        let mut all: Vec<_> = self.terminals.read().values().cloned().collect();
        all.sort_by_key(|terminal| terminal.name());
        all
    }

    /// A profile that is not installed has the defaults.
    pub fn profile(&self, name: Name8) -> Profile {
        self.profiles.read().get(&name).copied().unwrap_or_default()
    }

    /// Conversion between 3270 text and the region's data, where the region's data is not EBCDIC.
    pub fn translation(&self, region: &Region) -> Option<&Translation> {
        let data = region.code_page.page();
        let make = || (!data.is_ebcdic()).then(|| Translation::between(region.code_page.terminal(), data));
        self.translation.get_or_init(make).as_ref()
    }

    /// Terminals without a task get the message.
    pub fn quiesce(&self, message: &crate::messages::Message) {
        for terminal in self.all() {
            if let Some(display) = display::display_of(&*terminal) {
                display.quiesce(message);
            }
        }
    }

    /// Ends the sessions of all terminals; a task that uses one gets TERMERR from its next request to it.
    pub fn end_sessions(&self) {
        for terminal in self.all() {
            if let Some(display) = display::display_of(&*terminal) {
                display.disconnect();
            }
        }
    }

    /// Ends all sessions, at the end of the region.
    pub fn shutdown(&self) {
        let servers = std::mem::take(&mut *self.servers.lock());
        for server in servers {
            server.stop();
        }
    }

    pub(crate) fn keep_server(&self, server: tn3270::Server) {
        self.servers.lock().push(server);
    }

    /// Sessions there are now.
    pub fn session_count(&self) -> usize {
        self.servers.lock().iter().map(tn3270::Server::session_count).sum()
    }
}

fn install_profile(region: &'static Region, definition: &Definition) -> Result<(), String> {
    let definition = ProfileDefinition::from(definition);
    let profile = Profile {
        alternate_screen: definition.alternate_screen,
        uppercase: definition.uppercase,
        read_timeout_seconds: definition.read_timeout_seconds,
    };
    TerminalControl::of(region).profiles.write().insert(definition.name, profile);
    Ok(())
}

/// A blank on a 3270.
pub const EBCDIC_SPACE: u8 = 0x40;

impl Task {
    /// The profile of the task's transaction.
    pub(crate) fn profile(&mut self) -> Profile {
        match TaskState::of(&self.parts).profile {
            Some(profile) => profile,
            None => {
                let profile = TerminalControl::of(self.region).profile(self.definition.profile);
                TaskState::of_mut(&mut self.parts).profile = Some(profile);
                profile
            }
        }
    }
}
