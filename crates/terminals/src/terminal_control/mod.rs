//! Terminal control: the terminals of the region as the other domains use them, and SEND, RECEIVE, CONVERSE, ISSUE ...
//!
//! * `display`      the 3270 display, on any carrier of its data streams, `state` what changes of it; `conversation` starts its tasks;
//! * `identify`     the transaction for an input; `message` the display of the region's own messages;
//! * `listener`     TN3270: connect, autoinstall, disconnect; `autoinstall` the models and names, `control_program` the program that decides;
//! * `console`      consoles, whose screens are printed;
//! * `access_method` whether terminals may connect: INQUIRE VTAM and SET VTAM;
//! * `autoinstall_control` INQUIRE and SET AUTOINSTALL; `definitions` INQUIRE and DISCARD of profiles, terminals and models;
//! * `exits`        XZCATT, XZCIN and XZCOUT;
//! * `effects`      what the attributes of definitions do; `released` defined terminals without a session;
//! * `hardcopy`     the screen on the printer of the terminal: ISSUE PRINT and the print key;
//! * `cover`        a second screen over the one of a task; `good_night` the end of a session by a time limit;
//! * `partitions`   the partitions of a display;
//! * `intrusion`    whether input is validated (BMS 3270 Intrusion Detection Service), and its counts;
//! * `printing`     the data of printers of LU type 1;
//! * `pages`        messages that are displayed page by page, and the paging commands; `waiting` the messages that wait for terminals,
//!   `kept_messages` those of them that a restart brings back;
//! * `input`, `output` the two directions as a task uses them, `confirmation` the responses to output; `commands` the commands, `issue` the ISSUE
//!   commands, `inquire` the INQUIRE and SET commands.
//!
//! Invariants: a terminal belongs to at most one task at a time; input that arrives without a task starts one, by the terminal's next
//! transaction or the first characters of the input; a task for a terminal (START TERMID, trigger) waits until it is free; output sent
//! without WAIT leaves no earlier than the task's next request to the terminal or its syncpoint, and never if the task abends.

mod access_method;
mod assign;
pub(crate) mod autoinstall;
mod autoinstall_control;
mod commands;
mod confirmation;
pub mod console;
mod control_program;
mod conversation;
mod cover;
mod definitions;
pub mod display;
mod effects;
mod exits;
mod good_night;
mod hardcopy;
mod identify;
pub mod input;
mod inquire;
mod inquire_definition;
mod intrusion;
mod issue;
pub(crate) mod kept_messages;
mod listener;
mod message;
pub mod output;
pub mod pages;
mod partitions;
mod printing;
mod records;
pub(crate) mod released;
mod state;
mod user;
pub mod waiting;

pub use commands::handlers;
pub use display::{DisplayTerminal, Link, Service};
pub use exits::good_morning;
pub(crate) use exits::terminal_entry;
pub use input::Input;
pub(crate) use intrusion::{Intrusion, Outcome as IntrusionOutcome};
pub use listener::{listen, listen_with};
pub use message::in_whole_words;
pub use tn3270::Encryption;

use bms::text::Translation;
use csd::{Definition, ProfileDefinition};
use parking_lot::{Mutex, RwLock};
use region::domain::ResourceType;
use region::name::Name8;
use region::{Domain, Life, Region, Task};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;

region::task_part!(TaskState);

region::region_part!(TerminalControl);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "terminal control",
    commands: &[handlers],
    slots: &[&IN_REGION, &IN_TASK],
    resources: &[
        ResourceType { name: "TYPETERM", install: Some(|_, definition| effects::check(definition)), ..ResourceType::NONE },
        ResourceType { name: "PROFILE", install: Some(install_profile), ..ResourceType::NONE },
        ResourceType { name: "TERMINAL", install: Some(install_terminal), ..ResourceType::NONE },
    ],
    life: Life {
        quiesce: Some(|region, message| region.terminals.quiesce(message)),
        stop: Some(|region, _| TerminalControl::of(region).shutdown()),
        ..Life::NONE
    },
    task_attached: Some(|task, _| task_attached(task)),
    task_begins: Some(exits::task_begins),
    programs: &[("DFHZATA", control_program::install), ("DFHZATD", control_program::delete)],
    assign: Some(assign::assign),
    records: &[&records::TERMINALS],
    report: Some(records::report),
    statistics: Some(|region| vec![TerminalControl::of(region).intrusion.statistics(region)]),
    ..Domain::NONE
};

/// Terminal control's part of a task: the state of the conversation that belongs to the task and not to the terminal.
#[derive(Default)]
pub struct TaskState {
    /// The data that RECEIVE NOTRUNCATE left for the next one.
    pub(crate) remainder: Option<Vec<u8>>,
    /// Output deferred until a WAIT, another request to the terminal or the end of the unit of work: a whole record.
    pub deferred_output: Vec<u8>,
    /// DEFRESP: the next output is confirmed by the terminal.
    pub(crate) definite_response: bool,
    /// SEND LAST was done.
    pub last: bool,
    /// ISSUE DISCONNECT, or sign-off with LOGOFF: the session ends with the task.
    pub disconnect: bool,
    /// The profile of the transaction, looked up at first use.
    profile: Option<Profile>,
}

/// The terminal attributes of a PROFILE.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Profile {
    pub alternate_screen: bool,
    pub uppercase: bool,
    pub read_timeout_seconds: u32,
    /// ONEWTE: a task sends once.
    pub one_write: bool,
    /// MSGINTEG: the terminal confirms each output.
    pub message_integrity: bool,
    /// PRINTERCOMP: lines of SEND TEXT on a printer begin without a blank.
    pub printer_compatible: bool,
}

/// Terminal control's part of the region: profiles, and the servers terminals connect to.
#[derive(Default)]
pub struct TerminalControl {
    profiles: RwLock<FxHashMap<Name8, Profile>>,
    servers: Mutex<Vec<tn3270::Server>>,
    translation: OnceLock<Option<Translation>>,
    access: access_method::Access,
    pub(crate) autoinstall: autoinstall_control::Control,
    pub(crate) intrusion: Intrusion,
    pub waiting: waiting::WaitingMessages,
    pub(crate) consoles: console::Consoles,
    /// Number of the next generated name of a terminal.
    generated_names: AtomicUsize,
}

impl TerminalControl {
    /// A profile that is not installed has the defaults.
    pub fn profile(&self, name: Name8) -> Profile {
        self.profiles.read().get(&name).copied().unwrap_or_default()
    }

    /// Conversion between 3270 text and the region's data, if the region's data is not EBCDIC.
    pub fn translation(&self, region: &Region) -> Option<&Translation> {
        let data = region.code_page.page();
        let make = || (!data.is_ebcdic()).then(|| Translation::between(region.code_page.terminal(), data));
        self.translation.get_or_init(make).as_ref()
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

    /// Terminals can connect.
    pub(crate) fn listens(&self) -> bool {
        !self.servers.lock().is_empty()
    }

    /// Sessions there is room for.
    fn sessions_max(&self) -> usize {
        self.servers.lock().iter().map(tn3270::Server::sessions_max).max().unwrap_or(0)
    }

    /// Sessions there are now.
    pub fn session_count(&self) -> usize {
        self.servers.lock().iter().map(tn3270::Server::session_count).sum()
    }
}

/// Sessions that the listeners of the region have room for.
pub fn sessions_max(region: &Region) -> usize {
    TerminalControl::of(region).sessions_max()
}

/// The task finds in its EIB the key and the cursor address of the input it was attached for.
fn task_attached(task: &mut Task) {
    if let Some(display) = task.facility.terminal().cloned().as_deref().and_then(display::display_of) {
        let attention = display.attention();
        task.eib.set_byte(exec::eib::EIBAID, attention.aid);
        task.eib.set_half(exec::eib::EIBCPOSN, attention.cursor);
    }
}

fn install_terminal(region: &'static Region, definition: &Definition) -> Result<(), String> {
    effects::check(definition)?;
    released::install(region, definition);
    Ok(())
}

fn install_profile(region: &'static Region, definition: &Definition) -> Result<(), String> {
    effects::check(definition)?;
    let definition = ProfileDefinition::from(definition);
    let profile = Profile {
        alternate_screen: definition.alternate_screen,
        uppercase: definition.uppercase,
        read_timeout_seconds: definition.read_timeout_seconds,
        one_write: definition.one_write,
        message_integrity: definition.message_integrity,
        printer_compatible: definition.printer_compatible,
    };
    TerminalControl::of(region).profiles.write().insert(definition.name, profile);
    Ok(())
}

/// A blank on a 3270.
pub const EBCDIC_SPACE: u8 = 0x40;

/// The profile of the task's transaction.
pub(crate) fn profile_of(task: &mut Task) -> Profile {
    match TaskState::of(&task.parts).profile {
        Some(profile) => profile,
        None => {
            let profile = TerminalControl::of(task.region).profile(task.definition.profile);
            TaskState::of_mut(&mut task.parts).profile = Some(profile);
            profile
        }
    }
}
