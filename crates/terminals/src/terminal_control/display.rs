//! The 3270 display as a terminal of the region.
//!
//! Invariants: `State` is locked for moments only, never while a task waits and never while a task is attached; `Owner` is set before an
//! attach and cleared when the task has ended or was refused; the size of the screen in use is that of the last erase/write sent; a closed
//! terminal starts no task and is deleted when it has none.

use super::autoinstall;
use super::cover::Cover;
use super::message::{self, Look, Place};
use super::output;
use super::partitions::Partitions;
use super::released::Lasting;
pub use super::state::Attention;
pub(super) use super::state::Owner;
use super::state::{Confirmation, State};
use super::user::TerminalUser;
use crate::terminal_control::TaskState;
use bms::attribute::Extended;
use bms::{Capabilities, ScreenSize};
use csd::{Definition, TerminalDefinition, TypetermDefinition};
use kernel::Waker;
use parking_lot::Mutex;
use region::extensions::UserToken;
use region::facility::{AtTimeout, NextTransaction, Partner, StartForTerminal, Terminal, TerminalAttributes};
use region::messages::Message;
use region::name::{Name4, Name8};
use region::storage_access::Area;
use region::{Region, StartData, Task};
use std::any::Any;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime};
use tn3270::Room;

/// Why a record does not go out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    #[error("the session has ended")]
    Closed,
    /// As much waits for the client as may: see [`Link::when_there_is_room`].
    #[error("the client reads too slowly")]
    Full,
}

/// The transport of a terminal's data streams.
pub trait Link: Send + Sync {
    fn send(&self, record: &[u8], room: Room) -> Result<(), LinkError>;
    /// As [`Link::send`]; the client is asked to confirm the record. False: it cannot, and there will be no answer.
    fn send_to_confirm(&self, record: &[u8], room: Room) -> Result<bool, LinkError> {
        self.send(record, room).map(|()| false)
    }
    /// Resumes the waker when a record may be sent again, or the session has ended.
    fn when_there_is_room(&self, waker: Waker);
    /// Ends the session after pending output has been sent.
    fn close(&self);
    fn peer(&self) -> Option<SocketAddr>;
}

/// The identity of a terminal.
pub struct Identity {
    pub name: Name4,
    pub netname: Name8,
    /// The name of a console (CONSNAME); `None` for other terminals.
    pub console: Option<Name8>,
    pub typeterm: TypetermDefinition,
    /// The transaction of the TERMINAL definition.
    pub permanent_transaction: Name4,
    /// Of a preset user, or blank.
    pub user_id: Name8,
    /// The preset user as the authority keeps him.
    pub token: Option<UserToken>,
    pub autoinstalled: bool,
    /// The TERMINAL definition; `None`: autoinstalled, or a console without one.
    pub definition: Option<Definition>,
}

/// Which letters are folded on input (UCTRAN).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uppercase {
    No,
    TransactionOnly,
    Yes,
}

/// The settings of SET TERMINAL.
#[derive(Clone, Copy, Debug)]
pub struct Service {
    pub in_service: bool,
    pub ati: bool,
    pub tti: bool,
    pub uppercase: Uppercase,
    pub autopage: bool,
    /// Special tracing of the tasks that it starts.
    pub special_tracing: bool,
    /// TERMPRIORITY.
    pub priority: u8,
    /// The printer for the screen, and the one in its place when it is not available; blank: none.
    pub printers: [Name4; 2],
    /// DISCREQ: requests of users and programs to end the session are honoured.
    pub disconnects: bool,
}

impl Service {
    /// As the definitions say; a terminal that is autoinstalled has no TERMINAL.
    pub fn of(typeterm: &TypetermDefinition, terminal: Option<&TerminalDefinition>) -> Self {
        let uppercase = match (typeterm.uppercase, typeterm.uppercase_transid_only) {
            (true, _) => Uppercase::Yes,
            (_, true) => Uppercase::TransactionOnly,
            _ => Uppercase::No,
        };
        Self {
            in_service: terminal.is_none_or(|terminal| terminal.in_service),
            ati: typeterm.ati,
            tti: typeterm.tti,
            uppercase,
            autopage: typeterm.autopage,
            special_tracing: false,
            priority: terminal.map_or(0, |terminal| terminal.priority),
            printers: terminal.map_or([Name4::BLANK; 2], |terminal| autoinstall::printers_of(&terminal.definition)),
            disconnects: typeterm.disconnects,
        }
    }
}

/// The counters of a terminal for statistics.
#[derive(Default, Debug)]
pub struct TerminalCounters {
    pub input_messages: AtomicU64,
    pub output_messages: AtomicU64,
    pub transactions: AtomicU64,
    pub transaction_errors: AtomicU64,
}

pub struct DisplayTerminal {
    pub(super) region: &'static Region,
    pub identity: Identity,
    pub capabilities: Capabilities,
    user_area: Area,
    pub(super) link: Box<dyn Link>,
    pub(super) state: Mutex<State>,
    pub counters: TerminalCounters,
    pub logged_on_at: SystemTime,
    /// What has been sent to the screen, if input is validated.
    pub(crate) sent: Option<Mutex<bms::Screen>>,
    /// Messages to be displayed page by page.
    pub(crate) paging: Mutex<super::pages::PagingState>,
    me: Weak<DisplayTerminal>,
}

/// The display of a terminal, if it is one.
pub fn display_of(terminal: &dyn Terminal) -> Option<&DisplayTerminal> {
    terminal.as_any().downcast_ref::<DisplayTerminal>()
}

impl DisplayTerminal {
    pub fn new(
        region: &'static Region,
        identity: Identity,
        capabilities: Capabilities,
        lasting: Lasting,
        link: Box<dyn Link>,
    ) -> Arc<Self> {
        let Lasting { user_area, service, starts } = lasting;
        let state = State {
            owner: Owner::None,
            next: None,
            starts,
            input: std::collections::VecDeque::new(),
            waiter: None,
            good_morning_due: false,
            greeting: false,
            good_night_due: false,
            good_night: false,
            buffer_waiter: None,
            confirmation: Confirmation::None,
            delayed: std::collections::VecDeque::new(),
            prints: false,
            buffer: None,
            alternate: false,
            keyboard_locked: true,
            message_start: None,
            closed: false,
            user: TerminalUser::of(&identity, region.default_user),
            service,
            transid: Name4::BLANK,
            attention: Attention::default(),
            cover: Cover::default(),
            partitions: Partitions::default(),
        };
        let keeps_sent = super::TerminalControl::of(region).intrusion.is_on(region);
        Arc::new_cyclic(|me| Self {
            region,
            identity,
            sent: keeps_sent.then(|| Mutex::new(bms::Screen::new(&capabilities, region.code_page.terminal()))),
            capabilities,
            user_area,
            link,
            state: Mutex::new(state),
            counters: TerminalCounters::default(),
            logged_on_at: SystemTime::now(),
            paging: Mutex::default(),
            me: me.clone(),
        })
    }

    pub(super) fn me(&self) -> Option<Arc<dyn Terminal>> {
        self.me.upgrade().map(|me| me as Arc<dyn Terminal>)
    }

    pub fn region(&self) -> &'static Region {
        self.region
    }

    /// Screen size in use.
    pub fn size(&self) -> ScreenSize {
        self.capabilities.size(self.state.lock().alternate)
    }

    /// The screen in use is the alternate one.
    pub fn is_alternate(&self) -> bool {
        self.state.lock().alternate
    }

    pub fn service(&self) -> Service {
        self.state.lock().service
    }

    /// Applies SET TERMINAL; a task that waited for ATI may start.
    pub fn change_service(&self, change: impl FnOnce(&mut Service)) {
        change(&mut self.state.lock().service);
        self.proceed();
    }

    pub fn is_closed(&self) -> bool {
        self.state.lock().closed
    }

    /// The transaction that uses the terminal now; blank when none does.
    pub fn current_transaction(&self) -> Name4 {
        let state = self.state.lock();
        if state.owner == Owner::None { Name4::BLANK } else { state.transid }
    }

    pub fn peer(&self) -> Option<SocketAddr> {
        self.link.peer()
    }

    /// Key and cursor address of the input that the terminal's task was attached for.
    pub fn attention(&self) -> Attention {
        self.state.lock().attention
    }

    pub fn cancel_starts(&self) {
        self.state.lock().starts.clear();
    }

    /// The next record is the answer to a read of the buffer.
    pub(super) fn want_buffer(&self, waiter: Option<Waker>) {
        self.state.lock().buffer_waiter = waiter;
    }

    pub(super) fn take_buffer(&self) -> Option<Vec<u8>> {
        self.state.lock().buffer.take()
    }

    /// Ends the session.
    pub fn disconnect(&self) {
        self.link.close();
    }

    /// Ends the session on request of its user or of a program, unless DISCREQ(NO) forbids it.
    fn disconnect_on_request(&self) {
        if self.service().disconnects {
            self.disconnect();
        }
    }

    /// The definition stays when the session ends.
    pub(super) fn is_defined(&self) -> bool {
        !self.identity.autoinstalled && !self.is_console()
    }

    /// What the terminal keeps when its session has ended.
    pub(super) fn take_lasting(&self) -> Lasting {
        let mut state = self.state.lock();
        Lasting { user_area: self.user_area, service: state.service, starts: std::mem::take(&mut state.starts) }
    }

    /// Sends a record of the region itself, or one whose answer a task waits for. Output of programs goes through `output`, which waits for
    /// slow clients.
    pub fn transmit(&self, record: &[u8]) -> Result<(), LinkError> {
        self.transmit_with(record, Room::Reserve)
    }

    pub(super) fn transmit_with(&self, record: &[u8], room: Room) -> Result<(), LinkError> {
        self.transmit_by(record, |link| link.send(record, room))
    }

    /// Sends a record by a function of the link.
    pub(super) fn transmit_by<T: Default>(
        &self,
        record: &[u8],
        send: impl FnOnce(&dyn Link) -> Result<T, LinkError>,
    ) -> Result<T, LinkError> {
        if record.is_empty() {
            return Ok(T::default());
        }
        self.send_delayed();
        if !self.make_way(record)? {
            return send(&*self.link);
        }
        // Recorded before it is sent, because the answer may come at once.
        let (alternate, locked) = {
            let mut state = self.state.lock();
            if state.closed {
                return Err(LinkError::Closed);
            }
            let before = (state.alternate, state.keyboard_locked);
            state.note_output(record);
            before
        };
        let sent = send(&*self.link);
        match &sent {
            Ok(_) => {
                self.counters.output_messages.fetch_add(1, Ordering::Relaxed);
                if let Some(screen) = &self.sent {
                    // What the terminal does with a data stream that is not valid is not known either.
                    let _ = screen.lock().apply(record);
                }
            }
            Err(_) => {
                let mut state = self.state.lock();
                state.alternate = alternate;
                state.keyboard_locked |= locked;
            }
        }
        sent
    }

    /// Sends output of a task when the terminal scan delay has passed, or before the next output.
    pub(super) fn send_later(&self, record: Vec<u8>, delay: Duration) {
        self.state.lock().delayed.push_back(record);
        let me = self.me.clone();
        self.region.dispatcher.after(delay, move || {
            if let Some(me) = me.upgrade() {
                me.send_delayed();
            }
        });
    }

    fn send_delayed(&self) {
        let delayed = std::mem::take(&mut self.state.lock().delayed);
        for record in delayed {
            // No task is left that could be told of a failure.
            let _ = self.transmit(&record);
        }
    }

    /// Sends a request for the contents of the screen, whether it is covered or not.
    pub(super) fn request(&self, record: &[u8]) -> Result<(), LinkError> {
        self.send_delayed();
        if self.is_closed() { Err(LinkError::Closed) } else { self.link.send(record, Room::Reserve) }
    }

    /// Unlocks the keyboard if the last input has locked it and nothing has unlocked it since. A keyboard locked by an input that waits for the
    /// next task stays locked: that task's answer unlocks it.
    pub fn unlock(&self) {
        let (locked, alternate) = {
            let state = self.state.lock();
            (state.keyboard_locked && state.input.is_empty(), state.alternate)
        };
        if locked {
            let record = message::unlock(&self.capabilities, self.capabilities.size(alternate));
            let _ = self.transmit(&self.for_partition(record, false));
        }
    }

    /// The code page of the terminal.
    pub fn page(&self) -> &'static codepage::CodePage {
        self.region.code_page.terminal()
    }

    /// Shows a line of text to the user of the terminal. `home`: the typed input is no longer needed.
    pub(super) fn show_text(&self, text: &str, home: bool) {
        let typeterm = &self.identity.typeterm;
        let place = if typeterm.error_last_line { Place::LastLine(Look::of(&typeterm.definition)) } else { Place::Cursor };
        let text = bms::text::encode(self.page(), text);
        let before = self.state.lock().message_start;
        let (stream, start) = message::stream(&text, &self.capabilities, self.size(), place, before, typeterm.alarm, home);
        let _ = self.transmit(&self.for_partition(stream, true));
        self.state.lock().message_start = start;
    }
}

impl Partner for DisplayTerminal {
    fn name(&self) -> Name4 {
        self.identity.name
    }

    fn user_id(&self) -> Name8 {
        self.state.lock().user.id
    }

    fn user_token(&self) -> Option<UserToken> {
        self.state.lock().user.token.clone()
    }

    fn task_started(&self, task: &Task) {
        let mut state = self.state.lock();
        debug_assert!(matches!(state.owner, Owner::Attaching { .. }), "a terminal has one task at a time");
        let conversational = !matches!(state.owner, Owner::Attaching { conversational: false });
        state.owner = Owner::Task { number: task.number, conversational };
        state.transid = task.transid;
        self.counters.transactions.fetch_add(1, Ordering::Relaxed);
    }

    fn task_ended(&self, task: &mut Task, failure: Option<&Message>) {
        let output = std::mem::take(&mut TaskState::of_mut(&mut task.parts).deferred_output);
        match failure {
            // The screen the program would have shown describes changes that were backed out.
            Some(message) => {
                self.counters.transaction_errors.fetch_add(1, Ordering::Relaxed);
                self.show_text(&message.line(), false);
            }
            None => {
                output::send_last(task, self, output);
                self.uncover();
                // A greeting that leaves the keyboard locked would make the terminal unusable.
                let greeting = std::mem::take(&mut self.state.lock().greeting);
                if greeting || !task.conversation.has_sent {
                    self.unlock();
                }
            }
        }
        if TaskState::of(&task.parts).disconnect {
            self.disconnect_on_request();
        }
        self.release();
    }

    fn task_restarts(&self) {
        let mut state = self.state.lock();
        let conversational = !matches!(state.owner, Owner::Task { conversational: false, .. });
        state.owner = Owner::Attaching { conversational };
        state.waiter = None;
    }

    fn not_started(&self, message: &Message) {
        self.show_text(&message.line(), true);
        self.release();
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Terminal for DisplayTerminal {
    fn netname(&self) -> Name8 {
        self.identity.netname
    }

    fn attributes(&self) -> TerminalAttributes {
        let capabilities = &self.capabilities;
        let screen = |size: ScreenSize| (size.rows, size.columns);
        let (alternate, service) = {
            let state = self.state.lock();
            (state.alternate, state.service)
        };
        let supports = |kind| capabilities.supports(kind);
        TerminalAttributes {
            default_screen: screen(capabilities.default_size),
            alternate_screen: screen(capabilities.alternate_size),
            current_screen: screen(capabilities.size(alternate)),
            extended_data_stream: capabilities.extended_data_stream,
            color: supports(Extended::Color),
            highlight: supports(Extended::Highlight),
            programmed_symbols: supports(Extended::ProgrammedSymbols),
            validation: supports(Extended::Validation),
            outline: supports(Extended::Outline),
            sosi: supports(Extended::Sosi),
            background_transparency: supports(Extended::Transparency),
            partitions: capabilities.partitions,
            typeterm: self.identity.typeterm.name,
            priority: service.priority,
            term_code: autoinstall::term_code(self.is_console(), capabilities.printer),
            console: self.identity.console.unwrap_or_default(),
            tn_address: self.link.peer(),
            uppercase: service.uppercase == Uppercase::Yes,
            ..autoinstall::attributes_of(&self.identity.typeterm)
        }
    }

    fn is_signed_on(&self) -> bool {
        self.state.lock().user.is_signed_on
    }

    fn is_traced_specially(&self) -> bool {
        self.state.lock().service.special_tracing
    }

    fn is_preset(&self) -> bool {
        !self.identity.user_id.is_blank()
    }

    fn at_timeout(&self) -> AtTimeout {
        match self.identity.typeterm.definition.get("SIGNOFF") {
            "NO" => AtTimeout::Nothing,
            "LOGOFF" => AtTimeout::LogOff,
            _ => AtTimeout::SignOff,
        }
    }

    fn idle_at(&self, now: Instant) -> Option<Duration> {
        let state = self.state.lock();
        (state.owner == Owner::None).then(|| now.saturating_duration_since(state.user.active_at))
    }

    fn good_night(&self) {
        self.good_night_is_due();
    }

    fn sign_on(&self, user_id: Name8, token: Option<UserToken>) {
        self.state.lock().user.sign_on(user_id, token);
        self.offer_messages();
    }

    fn sign_off(&self) {
        self.state.lock().user.sign_off(self.region.default_user);
    }

    fn user_area(&self) -> Area {
        self.user_area
    }

    /// A task that ATI started between two of a conversation leaves the conversation unchanged, unless it names a transaction itself.
    fn set_next_transaction(&self, next: Option<NextTransaction>) {
        let mut state = self.state.lock();
        let conversational = !matches!(state.owner, Owner::Task { conversational: false, .. });
        if conversational || next.is_some() {
            state.next = next;
        }
    }

    fn next_transid(&self) -> Option<Name4> {
        let state = self.state.lock();
        state.next.as_ref().map(|next| next.transid).filter(|transid| !transid.is_blank())
    }

    fn start(&self, start: StartForTerminal) {
        let closed = {
            let mut state = self.state.lock();
            // Those of a defined terminal wait for its next session.
            if !state.closed || self.is_defined() {
                state.starts.push_back(start);
            }
            state.closed
        };
        if !closed {
            self.proceed();
        }
    }

    fn starts_queued(&self) -> Vec<Name4> {
        self.state.lock().starts.iter().map(|start| start.transid).collect()
    }

    fn take_start_data(&self, transid: Name4) -> Option<StartData> {
        let mut state = self.state.lock();
        let at = state.starts.iter().position(|start| start.transid == transid && start.data.as_ref().is_some_and(StartData::has_data))?;
        state.starts.remove(at)?.data
    }

    fn task_number(&self) -> Option<u32> {
        match self.state.lock().owner {
            Owner::Task { number, .. } => Some(number),
            _ => None,
        }
    }

    fn show(&self, message: &Message) {
        self.show_text(&message.line(), true);
    }

    fn quiesce(&self, message: &Message) {
        if self.state.lock().owner == Owner::None {
            self.show_text(&message.line(), false);
        }
    }

    fn end_session(&self) {
        self.disconnect();
    }

    fn attention_key(&self) -> Option<&'static str> {
        exec::aid::name_of(self.attention().aid)
    }
}
