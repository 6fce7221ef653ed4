//! TN3270 sessions become terminals: a connect causes autoinstall and the good morning message, a record is input, a disconnect deletes the
//! terminal.

use super::autoinstall::{self, Choice};
use super::control_program;
use super::display::{DisplayTerminal, Link, LinkError};
use super::printing;
use crate::terminal_control::TerminalControl;
use bms::Capabilities;
use kernel::trace::{self, Value, points};
use kernel::{Mode, ServiceTcb, Waker};
use parking_lot::RwLock;
use region::Region;
use region::facility::Partner;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use tn3270::{
    CloseReason, Encryption, LuAssignment, LuRefusal, LuRequest, Record, RecordKind, Room, SendError, Server, Session, SessionHandler,
    SessionInfo, ThreadWatch, WatchedThread,
};

/// Accepts terminals at an address; port 0 takes a free one. Returns the address on which the region listens. Sessions are not limited by
/// MXT: a terminal without a task costs no task.
pub fn listen(region: &'static Region, address: impl ToSocketAddrs) -> io::Result<SocketAddr> {
    listen_with(region, address, Encryption::None)
}

/// As [`listen`], with or without TLS.
pub fn listen_with(region: &'static Region, address: impl ToSocketAddrs, encryption: Encryption) -> io::Result<SocketAddr> {
    let handler = Arc::new(Sessions { region, sessions: Arc::default() });
    let application_name = region.applid.as_str().to_string();
    let thread_watch: Option<Arc<dyn ThreadWatch>> = Some(Arc::new(ListenerTcb(region)));
    let config = tn3270::Config { application_name, thread_watch, encryption, ..tn3270::Config::default() };
    let server = Server::listen(address, config, handler)?;
    let local = server.local_address();
    TerminalControl::of(region).keep_server(server);
    Ok(local)
}

/// The thread that waits for connections and input is the sockets listener TCB (SL).
struct ListenerTcb(&'static Region);

impl std::fmt::Debug for ListenerTcb {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "ListenerTcb({})", self.0.applid)
    }
}

impl ThreadWatch for ListenerTcb {
    fn begin(&self) -> Box<dyn WatchedThread> {
        Box::new(Listening(self.0.dispatcher.attach_service_tcb(Mode::Sl)))
    }
}

struct Listening(ServiceTcb);

impl WatchedThread for Listening {
    fn waits(&self) {
        self.0.waits();
    }

    fn runs(&self) {
        self.0.runs();
    }
}

/// What a session has come to.
enum Stage {
    /// It has no terminal yet: the control program may be asked about it.
    Connected,
    Installed(Arc<DisplayTerminal>),
}

/// Sessions by their identifiers.
type BySession = Arc<RwLock<FxHashMap<u64, Stage>>>;

struct Sessions {
    region: &'static Region,
    sessions: BySession,
}

impl Sessions {
    fn terminal(&self, session: &Session) -> Option<Arc<DisplayTerminal>> {
        match self.sessions.read().get(&session.id()) {
            Some(Stage::Installed(terminal)) => Some(terminal.clone()),
            Some(Stage::Connected) | None => None,
        }
    }
}

/// Makes the terminal of a session and greets it; without a terminal the session ends. False: no terminal could be made.
fn install(region: &'static Region, sessions: &BySession, session: &Session, info: &SessionInfo, choice: Option<&Choice>) -> bool {
    let made = autoinstall::install(region, info, choice, |capabilities| Box::new(TnLink::new(session, capabilities)));
    let Some(terminal) = made else {
        session.close();
        return false;
    };
    let is_there = match sessions.write().get_mut(&session.id()) {
        Some(stage) => {
            *stage = Stage::Installed(terminal.clone());
            true
        }
        None => false,
    };
    if !is_there {
        // The client has gone while the terminal was made: nobody else deletes it.
        terminal.disconnected();
        return true;
    }
    let (name, address) = (terminal.name(), info.peer.to_string());
    trace::point(&points::SO_CONNECTED, &[Value::Text("ACCEPT"), Value::Text(name.as_str()), Value::Text(&address)]);
    if terminal.identity.typeterm.logon_message && !terminal.capabilities.printer {
        terminal.greet()
    } else {
        terminal.unlock()
    }
    // Tasks have waited for the client.
    terminal.proceed();
    terminal.offer_messages();
    true
}

/// The control program has answered.
fn decided(region: &'static Region, sessions: &BySession, session: &Session, info: &SessionInfo, choice: Option<Choice>) {
    let Some(choice) = choice else { return session.close() };
    let is_there = sessions.read().contains_key(&session.id());
    if !is_there || !install(region, sessions, session, info, Some(&choice)) {
        control_program::deleted(region, choice.name);
    }
}

impl SessionHandler for Sessions {
    fn assign_lu(&self, _request: &LuRequest) -> Result<LuAssignment, LuRefusal> {
        if self.region.transactions().is_quiescing() || TerminalControl::of(self.region).access.is_closed() {
            Err(LuRefusal::Unavailable)
        } else {
            Ok(LuAssignment::Default)
        }
    }

    fn is_scs_printer(&self, lu: &str) -> bool {
        autoinstall::is_scs_printer(self.region, lu)
    }

    fn connected(&self, session: &Session, info: &SessionInfo) {
        self.sessions.write().insert(session.id(), Stage::Connected);
        let is_defined = autoinstall::is_defined(self.region, info);
        let control = &TerminalControl::of(self.region).autoinstall;
        if !is_defined && !control.begin(self.region) {
            control_program::refuse(self.region, info, "MAXREQS of SET AUTOINSTALL, or AIQMAX, is reached");
            return session.close();
        }
        let program = control_program::of(self.region).filter(|_| !is_defined);
        let Some(program) = program else {
            install(self.region, &self.sessions, session, info, None);
            if !is_defined {
                control.end();
            }
            return;
        };
        let (region, sessions, asking, about) = (self.region, self.sessions.clone(), session.clone(), info.clone());
        control_program::ask(region, program, info.clone(), move |choice| {
            decided(region, &sessions, &asking, &about, choice);
            TerminalControl::of(region).autoinstall.end();
        });
    }

    fn received(&self, session: &Session, record: Record<'_>) {
        if let RecordKind::Response { positive, .. } = record.kind
            && let Some(terminal) = self.terminal(session)
        {
            terminal.responded(positive);
        }
        // ATTN and SYS REQ have no meaning for a display with a single application.
        if record.kind == RecordKind::Data
            && let Some(terminal) = self.terminal(session)
        {
            // Not the data itself, which may be a password.
            let name = terminal.name();
            trace::point_with(&points::SO_RECEIVED, || {
                [Value::Text("RECEIVE"), Value::Text(name.as_str()), Value::Number(record.data.len() as u64)]
            });
            terminal.received(record.data);
        }
    }

    fn disconnected(&self, session: &Session, _reason: CloseReason) {
        let stage = self.sessions.write().remove(&session.id());
        if let Some(Stage::Installed(terminal)) = stage {
            let name = terminal.name();
            trace::point(&points::SO_CLOSED, &[Value::Text("CLOSE"), Value::Text(name.as_str())]);
            terminal.disconnected();
        }
    }
}

struct TnLink {
    session: Session,
    /// Of a printer of LU type 1, whose page its definition gives; it gets SCS data.
    scs: Option<Box<Capabilities>>,
}

impl TnLink {
    fn new(session: &Session, capabilities: &Capabilities) -> Self {
        let is_scs = session.info().is_some_and(|info| info.scs);
        Self { session: session.clone(), scs: is_scs.then(|| Box::new(capabilities.clone())) }
    }

    /// What is sent. `None`: nothing to print, or a request for input, which a printer does not have.
    fn outgoing<'a>(&self, record: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        match &self.scs {
            None => Some(Cow::Borrowed(record)),
            Some(capabilities) => printing::scs(record, capabilities).map(Cow::Owned),
        }
    }
}

fn link_error(error: SendError) -> LinkError {
    match error {
        SendError::Closed => LinkError::Closed,
        SendError::QueueFull => LinkError::Full,
    }
}

impl Link for TnLink {
    fn send(&self, record: &[u8], room: Room) -> Result<(), LinkError> {
        let Some(record) = self.outgoing(record) else { return Ok(()) };
        self.session.send_with(&record, room).map_err(link_error)
    }

    fn send_to_confirm(&self, record: &[u8], room: Room) -> Result<bool, LinkError> {
        let Some(record) = self.outgoing(record) else { return Ok(false) };
        self.session.send_requesting_response(&record, room).map(|sequence| sequence.is_some()).map_err(link_error)
    }

    fn when_there_is_room(&self, waker: Waker) {
        self.session.when_there_is_room(move || {
            waker.resume();
        });
    }

    fn close(&self) {
        self.session.close();
    }

    fn peer(&self) -> Option<SocketAddr> {
        Some(self.session.peer())
    }
}
