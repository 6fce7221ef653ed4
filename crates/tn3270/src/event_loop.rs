//! One event loop thread: its sessions from accept to end. Sockets are registered once, edge-triggered, for reading and writing; so a
//! sending thread writes by itself, and only a full socket makes work for the loop. Invariants: every accepted session is ended exactly
//! once and its LU name released; at most `READ_BUDGET` bytes of a session are read per turn; time limits are checked every
//! `SWEEP_INTERVAL`.

use std::io::{self, ErrorKind, Read};
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bms::constants::*;
use bms::inbound::Body;
use bms::{Capabilities, Inbound};
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};
use rustc_hash::FxHashMap;

use crate::common::Common;
use crate::loop_control::LoopControl;
use crate::negotiation::{Established, Negotiation, Outcome};
use crate::session::{CloseReason, Record, RecordKind, Session, SessionInfo};
use crate::telnet::{Telnet, TelnetError, TelnetEvent};

const LISTENER: Token = Token(usize::MAX);
const WAKER: Token = Token(usize::MAX - 1);
const READ_BUDGET: usize = 256 * 1024;
const READ_LENGTH: usize = 32 * 1024;
const SWEEP_INTERVAL: Duration = Duration::from_millis(250);
/// Time a closing session has to send what is queued.
const LINGER: Duration = Duration::from_secs(3);
/// After accept fails for want of descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

enum Phase {
    Negotiating,
    /// Negotiated; the Query has been sent.
    Querying {
        established: Established,
        capabilities: Capabilities,
        deadline: Instant,
    },
    Ready {
        tn3270e: bool,
    },
}

struct Connection {
    session: Session,
    telnet: Telnet,
    negotiation: Negotiation,
    phase: Phase,
    /// Name taken, to be released.
    lu: Option<String>,
    accepted_at: Instant,
    /// A record has been incomplete since.
    partial_since: Option<Instant>,
    heard_at: Instant,
    probed_at: Option<Instant>,
    /// Ends when the queue is empty, or at this time.
    closing: Option<(CloseReason, Instant)>,
    /// The client will send no more: read to the end even after a short read.
    hung_up: bool,
}

/// Why a session ends while its input is looked at.
enum Stop {
    Protocol,
    Rejected(String),
    Panicked,
}

impl From<TelnetError> for Stop {
    fn from(_: TelnetError) -> Stop {
        Stop::Protocol
    }
}

pub(crate) struct EventLoop {
    poll: Poll,
    common: Arc<Common>,
    control: Arc<LoopControl>,
    listener: Option<TcpListener>,
    /// Loops that take turns in getting sessions (only the loop that listens has them).
    peers: Vec<Arc<LoopControl>>,
    next_peer: usize,
    accept_again_at: Option<Instant>,
    connections: FxHashMap<usize, Connection>,
    /// Sessions with more to read than their budget allowed.
    unfinished: Vec<usize>,
    buffer: Vec<u8>,
    swept_at: Instant,
}

impl EventLoop {
    pub fn new(common: Arc<Common>) -> io::Result<EventLoop> {
        let poll = Poll::new()?;
        let waker = Waker::new(poll.registry(), WAKER)?;
        Ok(EventLoop {
            poll,
            common,
            control: Arc::new(LoopControl::new(waker)),
            listener: None,
            peers: Vec::new(),
            next_peer: 0,
            accept_again_at: None,
            connections: FxHashMap::default(),
            unfinished: Vec::new(),
            buffer: vec![0; READ_LENGTH],
            swept_at: Instant::now(),
        })
    }

    pub fn control(&self) -> Arc<LoopControl> {
        self.control.clone()
    }

    pub fn set_listener(&mut self, mut listener: TcpListener, peers: Vec<Arc<LoopControl>>) -> io::Result<()> {
        self.poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
        self.listener = Some(listener);
        self.peers = peers;
        Ok(())
    }

    pub fn run(mut self) {
        let mut events = Events::with_capacity(1024);
        while !self.common.stopping.load(Ordering::Acquire) {
            let timeout = if self.unfinished.is_empty() { SWEEP_INTERVAL } else { Duration::ZERO };
            if let Err(error) = self.poll.poll(&mut events, Some(timeout))
                && error.kind() != ErrorKind::Interrupted
            {
                tracing::error!(%error, "tn3270: poll failed");
                std::thread::sleep(ACCEPT_PAUSE);
            }
            let mut ready = std::mem::take(&mut self.unfinished);
            for event in &events {
                match event.token() {
                    LISTENER => self.accept(),
                    WAKER => {}
                    token => {
                        if event.is_writable() {
                            self.writable(token.0);
                        }
                        let hung_up = event.is_read_closed() || event.is_error();
                        if let Some(connection) = self.connections.get_mut(&token.0).filter(|_| hung_up) {
                            connection.hung_up = true;
                        }
                        if event.is_readable() || hung_up {
                            ready.push(token.0);
                        }
                    }
                }
            }
            self.take_inbox();
            for id in ready {
                self.readable(id);
            }
            if self.swept_at.elapsed() >= SWEEP_INTERVAL {
                self.sweep();
            }
        }
        let ids: Vec<usize> = self.connections.keys().copied().collect();
        for id in ids {
            self.end(id, CloseReason::Stopped);
        }
    }

    fn take_inbox(&mut self) {
        let inbox = self.control.take_inbox();
        for (stream, peer) in inbox.accepted {
            self.begin(stream, peer);
        }
        for id in inbox.closes {
            self.close_gently(id as usize, CloseReason::Host);
        }
    }

    fn accept(&mut self) {
        loop {
            let Some(listener) = &self.listener else { return };
            match listener.accept() {
                Ok((stream, peer)) => {
                    let index = self.next_peer % self.peers.len();
                    self.next_peer = self.next_peer.wrapping_add(1);
                    if Arc::ptr_eq(&self.peers[index], &self.control) {
                        self.begin(stream, peer);
                    } else {
                        self.peers[index].hand_over(stream, peer);
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error)
                    if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => {}
                Err(error) => {
                    // Out of descriptors: the edge is gone, so try again by time.
                    tracing::warn!(%error, "tn3270: accept failed");
                    self.accept_again_at = Some(Instant::now() + ACCEPT_PAUSE);
                    return;
                }
            }
        }
    }

    fn begin(&mut self, mut stream: TcpStream, peer: SocketAddr) {
        let statistics = &self.common.statistics;
        let current = statistics.sessions_current.fetch_add(1, Ordering::Relaxed) + 1;
        if current > self.common.config.sessions_max {
            statistics.sessions_current.fetch_sub(1, Ordering::Relaxed);
            statistics.sessions_refused.fetch_add(1, Ordering::Relaxed);
            let _ = io::Write::write(&mut stream, b"\r\nThe host has no room for another terminal.\r\n");
            return;
        }
        statistics.sessions_accepted.fetch_add(1, Ordering::Relaxed);
        statistics.sessions_peak.fetch_max(current, Ordering::Relaxed);
        let id = self.common.next_id.fetch_add(1, Ordering::Relaxed);
        let _ = stream.set_nodelay(true);
        if self.poll.registry().register(&mut stream, Token(id as usize), Interest::READABLE | Interest::WRITABLE).is_err() {
            statistics.sessions_current.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        let config = &self.common.config;
        let session = Session::new(id, stream, peer, config.send_queue_length_max, self.control.clone());
        let mut out = Vec::new();
        let negotiation = Negotiation::start(peer, config.tn3270e, &config.rejection_text, &mut out);
        let now = Instant::now();
        let connection = Connection {
            session: session.clone(),
            telnet: Telnet::new(config.record_length_max),
            negotiation,
            phase: Phase::Negotiating,
            lu: None,
            accepted_at: now,
            partial_since: None,
            heard_at: now,
            probed_at: None,
            closing: None,
            hung_up: false,
        };
        self.connections.insert(id as usize, connection);
        let _ = session.send_raw(&out);
    }

    fn writable(&mut self, id: usize) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let empty = connection.session.flush();
        if empty && let Some((reason, _)) = connection.closing {
            self.end(id, reason);
        }
    }

    fn readable(&mut self, id: usize) {
        let mut budget = READ_BUDGET;
        loop {
            let Some(connection) = self.connections.get_mut(&id) else { return };
            let hung_up = connection.hung_up;
            match (&connection.session.shared.stream).read(&mut self.buffer) {
                Ok(0) => return self.end(id, CloseReason::Client),
                Ok(count) => {
                    if connection.closing.is_none() && !self.take_bytes(id, count) {
                        return;
                    }
                    // A short read emptied the socket, and the next bytes bring a new edge.
                    if count < self.buffer.len() && !hung_up {
                        return;
                    }
                    budget = budget.saturating_sub(count);
                    if budget == 0 {
                        self.unfinished.push(id);
                        return;
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return self.end(id, CloseReason::Lost),
            }
        }
    }

    /// Looks at bytes just read. False when the session has ended.
    fn take_bytes(&mut self, id: usize, count: usize) -> bool {
        let Some(connection) = self.connections.get_mut(&id) else { return false };
        let now = Instant::now();
        connection.heard_at = now;
        connection.probed_at = None;
        let mut telnet = std::mem::take(&mut connection.telnet);
        let common = &self.common;
        let mut progress = false;
        let result = telnet.feed(&self.buffer[..count], |event| {
            progress = true;
            connection.event(event, common)
        });
        let since = connection.partial_since.filter(|_| !progress).unwrap_or(now);
        connection.partial_since = telnet.is_partial().then_some(since);
        connection.telnet = telnet;
        match result {
            Ok(()) => true,
            Err(Stop::Rejected(text)) => {
                let _ = connection.session.send_raw(format!("\r\n{text}\r\n").as_bytes());
                self.close_gently(id, CloseReason::Protocol);
                true
            }
            Err(Stop::Protocol | Stop::Panicked) => {
                self.common.statistics.protocol_errors.fetch_add(1, Ordering::Relaxed);
                self.end(id, CloseReason::Protocol);
                false
            }
        }
    }

    fn close_gently(&mut self, id: usize, reason: CloseReason) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        if connection.session.flush() {
            return self.end(id, reason);
        }
        connection.closing.get_or_insert((reason, Instant::now() + LINGER));
    }

    fn end(&mut self, id: usize, reason: CloseReason) {
        let Some(connection) = self.connections.remove(&id) else { return };
        connection.session.shut();
        self.common.statistics.sessions_current.fetch_sub(1, Ordering::Relaxed);
        if matches!(connection.phase, Phase::Ready { .. }) {
            let handler = &self.common.handler;
            let _ = catch_unwind(AssertUnwindSafe(|| handler.disconnected(&connection.session, reason)));
        }
        if let Some(lu) = &connection.lu {
            self.common.release_name(lu);
        }
    }

    fn sweep(&mut self) {
        let now = Instant::now();
        self.swept_at = now;
        if self.accept_again_at.is_some_and(|time| now >= time) {
            self.accept_again_at = None;
            self.accept();
        }
        let common = self.common.clone();
        let mut ends = Vec::new();
        for (&id, connection) in &mut self.connections {
            if let Some(reason) = connection.time_is_up(now, &common) {
                ends.push((id, reason));
            }
        }
        for (id, reason) in ends {
            self.end(id, reason);
        }
    }
}

impl Connection {
    fn time_is_up(&mut self, now: Instant, common: &Common) -> Option<CloseReason> {
        let config = &common.config;
        if let Some((reason, deadline)) = self.closing {
            return (now >= deadline).then_some(reason);
        }
        let late = |since: Option<Instant>, limit: Duration| since.is_some_and(|since| now.duration_since(since) > limit);
        if late(self.partial_since, config.record_timeout)
            || late(self.session.stalled_since(), config.send_timeout)
            || late(self.probed_at, config.probe_timeout)
        {
            return Some(CloseReason::Timeout);
        }
        if matches!(self.phase, Phase::Negotiating) && late(Some(self.accepted_at), config.negotiation_timeout) {
            return Some(CloseReason::Timeout);
        }
        // A terminal that does not answer the Query is used as its type says.
        let unanswered = matches!(self.phase, Phase::Querying { deadline, .. } if now >= deadline);
        if unanswered && self.connect(common).is_err() {
            return Some(CloseReason::Protocol);
        }
        if let Some(interval) = config.probe_interval
            && self.probed_at.is_none()
            && late(Some(self.heard_at), interval)
        {
            self.probed_at = Some(now);
            let _ = self.session.send_raw(&[TEL_IAC, TEL_DO, OPT_TIMING_MARK]);
        }
        None
    }

    fn event(&mut self, event: TelnetEvent, common: &Common) -> Result<(), Stop> {
        match event {
            TelnetEvent::Record(record) => self.record(record, common),
            TelnetEvent::Command(command) => self.command(command, common),
            event => self.negotiate(event, common),
        }
    }

    fn negotiate(&mut self, event: TelnetEvent, common: &Common) -> Result<(), Stop> {
        let mut out = Vec::new();
        let lu = &mut self.lu;
        let outcome = self.negotiation.event(&event, &mut out, &mut |request| {
            let name = common.assign(request)?;
            if let Some(earlier) = lu.replace(name.clone()) {
                common.release_name(&earlier);
            }
            Ok(name)
        });
        if !out.is_empty() {
            let _ = self.session.send_raw(&out);
        }
        match outcome {
            Outcome::Continue => Ok(()),
            Outcome::Rejected(text) => Err(Stop::Rejected(text)),
            Outcome::Established(established) if matches!(self.phase, Phase::Negotiating) => self.established(established, common),
            Outcome::Established(_) => Ok(()),
        }
    }

    fn established(&mut self, established: Established, common: &Common) -> Result<(), Stop> {
        let capabilities = Capabilities::of_model(established.model, established.extended);
        let query = common.config.query && established.extended && !capabilities.printer;
        let tn3270e = established.tn3270e;
        if established.functions.contains(&TN3270E_FUNC_BIND_IMAGE) {
            let mut out = Vec::new();
            let bind = crate::negotiation::bind_image(&common.config.application_name);
            crate::telnet::push_record(&mut out, &[TN3270E_DT_BIND_IMAGE, 0, 0, 0, 0], &bind);
            let _ = self.session.send_raw(&out);
        }
        self.phase = Phase::Querying { established, capabilities, deadline: Instant::now() + common.config.query_timeout };
        if !query {
            return self.connect(common);
        }
        let mut out = Vec::new();
        let header: &[u8] = if tn3270e { &[TN3270E_DT_3270_DATA, 0, 0, 0, 0] } else { &[] };
        crate::telnet::push_record(&mut out, header, &bms::outbound::query());
        let _ = self.session.send_raw(&out);
        Ok(())
    }

    /// Hands the session to its user.
    fn connect(&mut self, common: &Common) -> Result<(), Stop> {
        let Phase::Querying { established, capabilities, .. } = std::mem::replace(&mut self.phase, Phase::Negotiating) else {
            return Ok(());
        };
        let info = SessionInfo {
            id: self.session.id(),
            peer: self.session.peer(),
            lu: established.lu,
            terminal_type: established.terminal_type,
            capabilities,
            tn3270e: established.tn3270e,
            functions: established.functions,
        };
        self.phase = Phase::Ready { tn3270e: info.tn3270e };
        let info = self.session.shared.info.get_or_init(|| info);
        guard(|| common.handler.connected(&self.session, info))
    }

    fn record(&mut self, record: &[u8], common: &Common) -> Result<(), Stop> {
        common.statistics.records_in.fetch_add(1, Ordering::Relaxed);
        match &mut self.phase {
            Phase::Negotiating => Ok(()),
            Phase::Querying { established, capabilities, .. } => {
                let data = if established.tn3270e { record.get(EH_SIZE as usize..).unwrap_or_default() } else { record };
                let reply = data.first() == Some(&AID_SF)
                    && matches!(
                        Inbound::parse(data, usize::MAX, bms::address::Addressing::Bits12),
                        Ok(Inbound { body: Body::Structured(ref fields), .. }) if bms::query::apply_query_reply(capabilities, fields)
                    );
                self.connect(common)?;
                if reply { Ok(()) } else { self.record(record, common) }
            }
            Phase::Ready { tn3270e: false } => self.deliver(RecordKind::Data, record, common),
            Phase::Ready { tn3270e: true } => self.tn3270e_record(record, common),
        }
    }

    fn tn3270e_record(&mut self, record: &[u8], common: &Common) -> Result<(), Stop> {
        let Some((header, data)) = record.split_at_checked(EH_SIZE as usize) else { return Err(Stop::Protocol) };
        let sequence = u16::from_be_bytes([header[3], header[4]]);
        match header[0] {
            TN3270E_DT_3270_DATA => self.deliver(RecordKind::Data, data, common),
            TN3270E_DT_SSCP_LU_DATA => self.deliver(RecordKind::SscpLu, data, common),
            TN3270E_DT_RESPONSE => {
                let positive = header[2] == TN3270E_RSF_POSITIVE_RESPONSE;
                self.deliver(RecordKind::Response { sequence, positive }, data, common)
            }
            _ => Ok(()),
        }
    }

    fn deliver(&mut self, kind: RecordKind, data: &[u8], common: &Common) -> Result<(), Stop> {
        if data.is_empty() && kind == RecordKind::Data {
            return Ok(());
        }
        guard(|| common.handler.received(&self.session, Record { kind, data }))
    }

    fn command(&mut self, command: u8, common: &Common) -> Result<(), Stop> {
        let ready = matches!(self.phase, Phase::Ready { .. });
        match command {
            TEL_BREAK | TEL_IP if ready => self.deliver(RecordKind::Attention, &[], common),
            TEL_AO if ready => self.deliver(RecordKind::SystemRequest, &[], common),
            TEL_AYT => {
                let _ = self.session.send_raw(&[TEL_IAC, TEL_NOP]);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn guard(call: impl FnOnce()) -> Result<(), Stop> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|_| Stop::Panicked)
}
