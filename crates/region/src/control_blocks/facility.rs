//! Principal facilities: what started a task and what it converses with, as the region sees them.
//!
//! A task has one facility for its life: a terminal, a transient data queue that has reached its trigger level, another partner, or none.
//! The implementation of [`Partner`] handles the device or connection (a 3270 display, an HTTP connection, a session with another region);
//! the region attaches tasks for it and notifies it when they begin and end. Partners that are [`Terminal`]s are found by name in
//! [`Terminals`].
//!
//! Invariants: a name belongs to one terminal at a time; between `task_started` and `task_ended` (or `task_restarts`) a terminal belongs to
//! one task.

use super::extensions::UserToken;
use crate::channel::Channel;
use crate::messages::Message;
use crate::name::{Name3, Name4, Name8};
use crate::storage_access::Area;
use crate::{StartData, Task};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The principal facility of a task.
#[derive(Clone, Default)]
pub enum Facility {
    /// START without TERMID, programs of a program list table, tasks of the region itself.
    #[default]
    None,
    Terminal(Arc<dyn Terminal>),
    /// The transient data queue that triggered the task, which has no terminal.
    Queue(Name4),
    Partner(PartnerKind, Arc<dyn Partner>),
}

/// Partners that are no terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartnerKind {
    /// The other end of an HTTP or socket request.
    WebClient,
    /// A session with another region.
    Session,
    /// The parent that waits for this task: it issued RUN TRANSID.
    Parent,
    /// The region itself, which gave the task something to do. To programs such a task has no facility.
    Region,
}

impl Facility {
    #[inline]
    pub fn terminal(&self) -> Option<&Arc<dyn Terminal>> {
        match self {
            Facility::Terminal(terminal) => Some(terminal),
            Facility::None | Facility::Queue(_) | Facility::Partner(..) => None,
        }
    }

    /// Whoever is told of the task's life.
    pub fn partner(&self) -> Option<&dyn Partner> {
        match self {
            Facility::Terminal(terminal) => Some(&**terminal),
            Facility::Partner(_, partner) => Some(&**partner),
            Facility::None | Facility::Queue(_) => None,
        }
    }

    /// Its name, blank for none (ASSIGN FACILITY, INQUIRE TASK FACILITY).
    pub fn name(&self) -> Name4 {
        match self {
            Facility::None => Name4::BLANK,
            Facility::Terminal(terminal) => terminal.name(),
            Facility::Queue(queue) => *queue,
            Facility::Partner(_, partner) => partner.name(),
        }
    }

    /// The amount it adds to the priority of its tasks.
    pub fn priority(&self) -> u8 {
        self.terminal().map_or(0, |terminal| terminal.attributes().priority)
    }
}

/// A user as an operator of terminals: what ASSIGN OPID and OPCLASS return, and ROUTE addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operator {
    pub id: Name3,
    /// A bit for each of the classes 24 to 1, from the left.
    pub classes: [u8; 3],
}

impl Operator {
    /// Without an external security manager a user has no CICS segment: the identifier is the beginning of the user's name, and there are no
    /// classes.
    pub fn of_user(user_id: Name8) -> Self {
        Self { id: crate::name::resized(&user_id), classes: [0; 3] }
    }

    pub fn is_in_any(&self, classes: [u8; 3]) -> bool {
        self.classes.iter().zip(classes).any(|(own, wanted)| own & wanted != 0)
    }
}

/// The data a program left for the next task at the terminal (RETURN TRANSID).
#[derive(Default)]
pub struct NextTransaction {
    pub transid: Name4,
    pub commarea: Vec<u8>,
    pub channel: Option<Arc<Channel>>,
    /// RETURN IMMEDIATE: the task is started now, without waiting for input.
    pub immediate: bool,
    /// RETURN INPUTMSG: data the next task RECEIVEs first.
    pub input_message: Option<Vec<u8>>,
}

/// A START or trigger for the terminal.
pub struct StartForTerminal {
    pub transid: Name4,
    pub data: Option<StartData>,
    /// Data is fetched by RETRIEVE (START with FROM and such); without, the start code is S.
    pub user_id: Name8,
    /// By a transient data trigger: the start code is QD and the queue name is this.
    pub queue: Option<Name4>,
}

/// Device types of ASSIGN TERMCODE: a console, a 3270 display and a 3270 printer.
pub const CONSOLE: u8 = 0x08;
pub const DISPLAY_3270: u8 = 0x91;
pub const PRINTER_3270: u8 = 0x93;
/// Terminal model of 24 by 80 characters.
pub const MODEL_2: u8 = 2;

/// The attributes of a terminal for ASSIGN and INQUIRE TERMINAL.
#[derive(Clone, Debug)]
pub struct TerminalAttributes {
    /// Rows and columns of the default, alternate and present screen.
    pub default_screen: (u16, u16),
    pub alternate_screen: (u16, u16),
    pub current_screen: (u16, u16),
    pub extended_data_stream: bool,
    pub color: bool,
    pub highlight: bool,
    pub programmed_symbols: bool,
    pub validation: bool,
    pub outline: bool,
    pub sosi: bool,
    pub apl_keyboard: bool,
    pub apl_text: bool,
    pub katakana: bool,
    pub magnetic_reader: bool,
    pub partitions: bool,
    pub text_keyboard: bool,
    pub text_print: bool,
    pub background_transparency: bool,
    /// A terminal of no person (ASSIGN UNATTEND).
    pub unattended: bool,
    /// Graphic character set global identifier: character set and code page.
    pub gchars: u16,
    pub gcodes: u16,
    pub typeterm: Name8,
    pub priority: u8,
    /// Device type and TERMMODEL of the terminal (ASSIGN TERMCODE).
    pub term_code: [u8; 2],
    /// IP address and port of a TN3270 client.
    pub tn_address: Option<std::net::SocketAddr>,
    pub uppercase: bool,
    /// The name of a console, blank for other terminals.
    pub console: Name8,
}

impl Default for TerminalAttributes {
    fn default() -> Self {
        Self {
            default_screen: (24, 80),
            alternate_screen: (24, 80),
            current_screen: (24, 80),
            extended_data_stream: false,
            color: false,
            highlight: false,
            programmed_symbols: false,
            validation: false,
            outline: false,
            sosi: false,
            apl_keyboard: false,
            apl_text: false,
            katakana: false,
            magnetic_reader: false,
            partitions: false,
            text_keyboard: false,
            text_print: false,
            background_transparency: false,
            unattended: false,
            gchars: 0,
            gcodes: 0,
            typeterm: Name8::BLANK,
            priority: 0,
            term_code: [DISPLAY_3270, MODEL_2],
            tn_address: None,
            uppercase: false,
            console: Name8::BLANK,
        }
    }
}

/// What is done about a user who is idle longer than his TIMEOUT (SIGNOFF of the TYPETERM).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtTimeout {
    SignOff,
    Nothing,
    /// He is signed off and the session ends.
    LogOff,
}

/// What a task converses with.
pub trait Partner: Send + Sync + Any {
    /// As ASSIGN FACILITY and INQUIRE TASK FACILITY name it; blank for none.
    fn name(&self) -> Name4;
    /// The user whose work its tasks are: the one signed on, or the default user.
    fn user_id(&self) -> Name8;
    /// The same user as the authority keeps him; `None` if it has not been asked yet.
    fn user_token(&self) -> Option<UserToken> {
        None
    }

    /// The task runs now and the partner is its own.
    fn task_started(&self, task: &Task);
    /// The task is over; `failure` is the message for the person or program at the other end when it did not end well.
    fn task_ended(&self, task: &mut Task, failure: Option<&Message>);
    /// The task has ended and is attached again: the partner stays with it.
    fn task_restarts(&self);
    /// The task asked for was purged before it ran.
    fn not_started(&self, message: &Message);
    /// The region's own code has failed in the task, which has not ended by itself.
    fn task_failed(&self, message: &Message) {
        self.not_started(message);
    }

    /// For the implementation's own commands.
    fn as_any(&self) -> &dyn Any;
}

/// A partner that commands of terminal control and BMS know.
pub trait Terminal: Partner {
    fn netname(&self) -> Name8;

    /// A client is connected: false for a terminal that is only defined.
    fn has_session(&self) -> bool {
        true
    }

    fn attributes(&self) -> TerminalAttributes;

    fn is_signed_on(&self) -> bool;
    /// The definition names its user, for whom nobody signs on or off (USERID of TERMINAL).
    fn is_preset(&self) -> bool;
    fn at_timeout(&self) -> AtTimeout {
        AtTimeout::SignOff
    }

    /// Time from its last task or input to a moment; `None` while it has a task.
    fn idle_at(&self, now: Instant) -> Option<Duration>;
    /// The user signed on has been idle for too long: transaction CEGN decides what comes next, unless the definition has SIGNOFF(NO).
    fn good_night(&self);
    /// Tasks that it starts have special tracing (SET TERMINAL TRACING).
    fn is_traced_specially(&self) -> bool;
    /// The terminal's tasks run for the user from now on; `token` as the authority keeps him.
    fn sign_on(&self, user_id: Name8, token: Option<UserToken>);
    /// The default user is that of the terminal again.
    fn sign_off(&self);

    /// The terminal's user area (TCTUA); length 0 if it has none.
    fn user_area(&self) -> Area;

    /// Keeps the data of RETURN TRANSID. Called at the end of the task, after its syncpoint; `None` ends the conversation.
    fn set_next_transaction(&self, next: Option<NextTransaction>);
    fn next_transid(&self) -> Option<Name4>;

    /// Queues a task for the terminal; it is attached when the terminal is free and allows ATI.
    fn start(&self, start: StartForTerminal);
    /// Data for RETRIEVE of a running task of this transaction at this terminal: a START that has expired meanwhile.
    fn take_start_data(&self, transid: Name4) -> Option<StartData>;

    /// Whether a START or a trigger level has queued a task of this transaction for the terminal.
    fn is_awaited_by(&self, transid: Name4) -> bool {
        self.starts_queued().contains(&transid)
    }

    /// The transactions queued for it: its automatic initiate descriptors.
    fn starts_queued(&self) -> Vec<Name4>;

    /// The number of the task that owns the terminal.
    fn task_number(&self) -> Option<u32>;

    /// Shows a message when no task owns the terminal.
    fn show(&self, message: &Message);

    /// The region begins to stop: the message is shown when no task owns the terminal.
    fn quiesce(&self, message: &Message);
    /// Ends the session; a task that uses the terminal gets TERMERR from its next request to it.
    fn end_session(&self);

    /// The name of the attention key (`DFHPF1`) pressed for the task attached next, if a key was pressed.
    fn attention_key(&self) -> Option<&'static str>;
}

/// The terminals of a region, by name.
#[derive(Default)]
pub struct Terminals(RwLock<FxHashMap<Name4, Arc<dyn Terminal>>>);

impl Terminals {
    pub fn find(&self, name: Name4) -> Option<Arc<dyn Terminal>> {
        self.0.read().get(&name).cloned()
    }

    pub fn find_by_netname(&self, netname: Name8) -> Option<Arc<dyn Terminal>> {
        self.0.read().values().find(|terminal| terminal.netname() == netname).cloned()
    }

    /// False if the name is taken.
    pub fn add(&self, terminal: Arc<dyn Terminal>) -> bool {
        let mut terminals = self.0.write();
        let name = terminal.name();
        if terminals.contains_key(&name) {
            return false;
        }
        terminals.insert(name, terminal);
        true
    }

    pub fn remove(&self, name: Name4) -> Option<Arc<dyn Terminal>> {
        self.0.write().remove(&name)
    }

    /// Replaces the terminal of a name, or removes it; the one there was.
    pub fn swap(&self, name: Name4, by: Option<Arc<dyn Terminal>>) -> Option<Arc<dyn Terminal>> {
        let mut terminals = self.0.write();
        match by {
            Some(terminal) => terminals.insert(name, terminal),
            None => terminals.remove(&name),
        }
    }

    /// Removes a terminal that has no session.
    pub fn remove_released(&self, name: Name4) {
        let mut terminals = self.0.write();
        if terminals.get(&name).is_some_and(|terminal| !terminal.has_session()) {
            terminals.remove(&name);
        }
    }

    /// By name, for inquiry.
    pub fn all(&self) -> Vec<Arc<dyn Terminal>> {
        let mut all: Vec<_> = self.0.read().values().cloned().collect();
        all.sort_by_key(|terminal| terminal.name());
        all
    }

    /// Terminals without a task get the message.
    pub fn quiesce(&self, message: &Message) {
        self.all().iter().for_each(|terminal| terminal.quiesce(message));
    }

    pub fn end_sessions(&self) {
        self.all().iter().for_each(|terminal| terminal.end_session());
    }
}
