//! One event loop thread: its connections from accept to end. Sockets are registered once, edge-triggered, for reading and writing; so a
//! sending thread writes by itself, and only a full socket makes work for the loop. Invariants: each accepted connection is ended exactly
//! once; at most `READ_BUDGET` bytes of a connection are read per turn; time limits are checked every `SWEEP_INTERVAL`.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};
use rustc_hash::FxHashMap;

use crate::common::Common;
use crate::connection::Connection;
use crate::loop_control::LoopControl;
use crate::protocol::{CloseReason, Conversation, End};
use crate::tls::Tls;

const LISTENER: Token = Token(usize::MAX);
const WAKER: Token = Token(usize::MAX - 1);
const READ_BUDGET: usize = 256 * 1024;
const READ_LENGTH: usize = 32 * 1024;
const SWEEP_INTERVAL: Duration = Duration::from_millis(250);
/// Time for a closing connection to send queued bytes.
const LINGER: Duration = Duration::from_secs(3);
/// The pause after an accept that failed for lack of descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A connection with the event loop's state for it.
struct Served {
    connection: Connection,
    conversation: Box<dyn Conversation>,
    /// Ends when the queue is empty, or at this time.
    closing: Option<(CloseReason, Instant)>,
    /// The client will send no more: read to the end even after a short read.
    hung_up: bool,
}

pub(crate) struct EventLoop {
    poll: Poll,
    common: Arc<Common>,
    control: Arc<LoopControl>,
    listener: Option<TcpListener>,
    /// Loops that take turns in getting connections (only the loop that listens has them).
    peers: Vec<Arc<LoopControl>>,
    next_peer: usize,
    accept_again_at: Option<Instant>,
    connections: FxHashMap<usize, Served>,
    /// Connections with more to read than their budget allowed.
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
        let watched = self.common.config.thread_watch.as_ref().map(|watch| watch.begin());
        while !self.common.stopping.load(Ordering::Acquire) {
            let timeout = if self.unfinished.is_empty() { SWEEP_INTERVAL } else { Duration::ZERO };
            watched.iter().for_each(|thread| thread.waits());
            let polled = self.poll.poll(&mut events, Some(timeout));
            watched.iter().for_each(|thread| thread.runs());
            if let Err(error) = polled
                && error.kind() != ErrorKind::Interrupted
            {
                tracing::error!(%error, "sockets: poll failed");
                std::thread::sleep(ACCEPT_PAUSE);
            }
            let ready = self.look_at(&events);
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

    /// Accepts connections and writes where possible; returns the connections to read from.
    fn look_at(&mut self, events: &Events) -> Vec<usize> {
        let mut ready = std::mem::take(&mut self.unfinished);
        for event in events {
            match event.token() {
                LISTENER => self.accept(),
                WAKER => {}
                token => {
                    if event.is_writable() {
                        self.writable(token.0);
                    }
                    let hung_up = event.is_read_closed() || event.is_error();
                    if let Some(served) = self.connections.get_mut(&token.0).filter(|_| hung_up) {
                        served.hung_up = true;
                    }
                    if event.is_readable() || hung_up {
                        ready.push(token.0);
                    }
                }
            }
        }
        ready
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
                    // Out of descriptors: no further edge will be signalled, so retry after a pause.
                    if self.common.shortage.is_due() {
                        tracing::warn!("sockets: connections cannot be accepted at the moment: {error}");
                    }
                    self.accept_again_at = Some(Instant::now() + ACCEPT_PAUSE);
                    return;
                }
            }
        }
    }

    fn begin(&mut self, mut stream: TcpStream, peer: SocketAddr) {
        let (config, statistics) = (&self.common.config, &self.common.statistics);
        let current = statistics.connections_current.fetch_add(1, Ordering::Relaxed) + 1;
        if current > config.connections_max {
            statistics.connections_current.fetch_sub(1, Ordering::Relaxed);
            statistics.connections_refused.fetch_add(1, Ordering::Relaxed);
            if config.tls.is_none() {
                let _ = io::Write::write(&mut stream, config.no_room_text);
            }
            return self.report_refusal();
        }
        statistics.connections_accepted.fetch_add(1, Ordering::Relaxed);
        statistics.connections_peak.fetch_max(current, Ordering::Relaxed);
        let id = self.common.next_id.fetch_add(1, Ordering::Relaxed);
        let _ = stream.set_nodelay(true);
        let registered = self.poll.registry().register(&mut stream, Token(id as usize), Interest::READABLE | Interest::WRITABLE);
        let session = config.tls.as_ref().map(|tls: &Tls| tls.session(&[])).transpose();
        let begun = registered.and(session).ok().and_then(|session| {
            let connection = Connection::new(id, (stream, peer), config.send_queue_length_max, session, self.control.clone());
            guard(|| self.common.protocol.begin(&connection)).map(|conversation| (connection, conversation))
        });
        let Some((connection, conversation)) = begun else {
            statistics.connections_current.fetch_sub(1, Ordering::Relaxed);
            return;
        };
        self.connections.insert(id as usize, Served { connection, conversation, closing: None, hung_up: false });
    }

    fn report_refusal(&self) {
        if !self.common.shortage.is_due() {
            return;
        }
        let most = self.common.config.connections_max;
        let files = self.common.files_max.map_or("is not limited".to_string(), |limit| format!("is {limit}"));
        tracing::warn!(
            "sockets: {most} clients are connected, and there is no room for more: others are refused. The limit on open files {files} \
             (ulimit -n, LimitNOFILE= of systemd), and part of it is kept for the files of the region"
        );
    }

    fn writable(&mut self, id: usize) {
        let Some(served) = self.connections.get_mut(&id) else { return };
        let empty = served.connection.flush();
        if empty && let Some((reason, _)) = served.closing {
            self.end(id, reason);
        }
    }

    fn readable(&mut self, id: usize) {
        let mut budget = READ_BUDGET;
        loop {
            let Some(served) = self.connections.get_mut(&id) else { return };
            let hung_up = served.hung_up;
            match served.connection.read(&mut self.buffer) {
                Ok(0) => return self.end(id, CloseReason::Client),
                Ok(count) => {
                    if served.closing.is_none() {
                        let (conversation, bytes) = (&mut served.conversation, &self.buffer[..count]);
                        let taken = guard(|| conversation.received(bytes));
                        self.go_on(id, taken);
                    }
                    // The conversation may have ended, or gone over to TLS.
                    let Some(served) = self.connections.get(&id) else { return };
                    // A short read emptied the socket, and the next bytes bring a new edge.
                    if count < self.buffer.len() && !hung_up && served.connection.is_emptied_by_short_read() {
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

    /// Carries out the request of a conversation; `None` if it panicked.
    fn go_on(&mut self, id: usize, asked: Option<Result<(), End>>) {
        match asked {
            Some(Ok(())) => {}
            Some(Err(End::AfterSending(reason))) => self.close_gently(id, reason),
            Some(Err(End::AtOnce(reason))) => self.end(id, reason),
            None => self.end(id, CloseReason::Protocol),
        }
    }

    fn close_gently(&mut self, id: usize, reason: CloseReason) {
        let Some(served) = self.connections.get_mut(&id) else { return };
        served.connection.begin_to_close();
        if served.connection.flush() {
            return self.end(id, reason);
        }
        served.closing.get_or_insert((reason, Instant::now() + LINGER));
    }

    fn end(&mut self, id: usize, reason: CloseReason) {
        let Some(served) = self.connections.remove(&id) else { return };
        served.connection.shut();
        self.common.statistics.connections_current.fetch_sub(1, Ordering::Relaxed);
        guard(|| served.conversation.ended(reason));
    }

    fn sweep(&mut self) {
        let now = Instant::now();
        self.swept_at = now;
        if self.accept_again_at.is_some_and(|time| now >= time) {
            self.accept_again_at = None;
            self.accept();
        }
        let send_timeout = self.common.config.send_timeout;
        let mut asked = Vec::new();
        for (&id, served) in &mut self.connections {
            let answer = served.time_has_passed(now, send_timeout);
            if answer != Some(Ok(())) {
                asked.push((id, answer));
            }
        }
        for (id, answer) in asked {
            self.go_on(id, answer);
        }
    }
}

impl Served {
    fn time_has_passed(&mut self, now: Instant, send_timeout: Duration) -> Option<Result<(), End>> {
        if let Some((reason, deadline)) = self.closing {
            return Some(if now >= deadline { Err(End::AtOnce(reason)) } else { Ok(()) });
        }
        if self.connection.stalled_since().is_some_and(|since| now.duration_since(since) > send_timeout) {
            return Some(Err(End::AtOnce(CloseReason::Timeout)));
        }
        let conversation = &mut self.conversation;
        guard(|| conversation.time_has_passed(now))
    }
}

/// A panic of a conversation ends that conversation, not the loop.
fn guard<R>(call: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(call)).ok()
}
