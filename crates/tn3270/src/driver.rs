//! Many terminals on one thread, for load: raw records, no screen unless the caller keeps one. Sockets are non-blocking and
//! edge-triggered; a record is handed to the caller straight from the receive buffer and its answer is written at once.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::Duration;

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::client_protocol::{ClientConfig, ClientEvent, ClientProtocol, Outgoing};
use crate::session::RecordKind;

/// An event on a session.
#[derive(Debug)]
pub enum DriverEvent<'a> {
    Connected,
    /// 3270 data: command, WCC, orders.
    Record(&'a [u8]),
    /// The session has ended; nothing more comes.
    Closed(String),
}

/// Connections begun and not yet negotiated. More at once overflow the host's backlog.
const CONNECTING_COUNT_MAX: usize = 256;

struct DriverSession {
    /// None while the session waits for its turn to connect.
    stream: Option<TcpStream>,
    connecting: bool,
    protocol: ClientProtocol,
    out: Vec<u8>,
    /// Already written.
    out_start: usize,
    closed: bool,
}

pub struct Driver {
    poll: Poll,
    events: Events,
    sessions: Vec<DriverSession>,
    /// Sessions that wait for their turn.
    waiting: VecDeque<(usize, SocketAddr)>,
    connecting_count: usize,
    buffer: Vec<u8>,
    open_count: usize,
}

impl Driver {
    pub fn new() -> io::Result<Driver> {
        Ok(Driver {
            poll: Poll::new()?,
            events: Events::with_capacity(1024),
            sessions: Vec::new(),
            waiting: VecDeque::new(),
            connecting_count: 0,
            buffer: vec![0; 64 * 1024],
            open_count: 0,
        })
    }

    /// Begins a connection, or queues it behind others; its number counts from 0. `DriverEvent::Connected` or `Closed` follows.
    pub fn connect(&mut self, address: SocketAddr, config: ClientConfig) -> io::Result<usize> {
        let id = self.sessions.len();
        self.sessions.push(DriverSession {
            stream: None,
            connecting: false,
            protocol: ClientProtocol::new(config),
            out: Vec::new(),
            out_start: 0,
            closed: false,
        });
        self.open_count += 1;
        self.waiting.push_back((id, address));
        self.start_waiting()?;
        Ok(id)
    }

    fn start_waiting(&mut self) -> io::Result<()> {
        while self.connecting_count < CONNECTING_COUNT_MAX
            && let Some((id, address)) = self.waiting.pop_front()
        {
            if self.sessions[id].closed {
                continue;
            }
            let mut stream = TcpStream::connect(address)?;
            let _ = stream.set_nodelay(true);
            self.poll.registry().register(&mut stream, Token(id), Interest::READABLE | Interest::WRITABLE)?;
            self.sessions[id].stream = Some(stream);
            self.sessions[id].connecting = true;
            self.connecting_count += 1;
        }
        Ok(())
    }

    /// Sessions not closed.
    pub fn open_count(&self) -> usize {
        self.open_count
    }

    pub fn lu(&self, session: usize) -> Option<&str> {
        self.sessions.get(session)?.protocol.lu()
    }

    /// Sends a record (AID, cursor, fields) on a session.
    pub fn send(&mut self, session: usize, record: &[u8]) -> io::Result<()> {
        let session = self.sessions.get_mut(session).ok_or(ErrorKind::NotFound)?;
        if session.closed {
            return Err(ErrorKind::NotConnected.into());
        }
        session.protocol.push_data(record, &mut session.out);
        session.flush()
    }

    pub fn close(&mut self, session: usize) {
        if let Some(session) = self.sessions.get_mut(session).filter(|session| !session.closed) {
            session.closed = true;
            self.open_count -= 1;
            self.connecting_count -= std::mem::take(&mut session.connecting) as usize;
            if let Some(stream) = &session.stream {
                let _ = stream.shutdown(std::net::Shutdown::Both);
            }
        }
    }

    /// Waits up to `timeout` and handles what came. The sink may answer through `Outgoing`. Returns the number of events
    /// handed out.
    pub fn poll(&mut self, timeout: Duration, mut sink: impl FnMut(usize, DriverEvent, &mut Outgoing)) -> io::Result<usize> {
        match self.poll.poll(&mut self.events, Some(timeout)) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(0),
            Err(error) => return Err(error),
        }
        let mut handed_out = 0;
        for event in &self.events {
            let id = event.token().0;
            let session = &mut self.sessions[id];
            if session.closed {
                continue;
            }
            let hung_up = event.is_read_closed() || event.is_error();
            let mut fault = None;
            if event.is_writable() {
                fault = session.flush().err().map(|error| error.to_string());
            }
            if fault.is_none() && (event.is_readable() || hung_up) {
                fault = session.read(&mut self.buffer, hung_up, |event, outgoing| {
                    handed_out += 1;
                    sink(id, event, outgoing);
                });
            }
            if session.connecting && (session.protocol.is_connected() || fault.is_some()) {
                session.connecting = false;
                self.connecting_count -= 1;
            }
            if let Some(reason) = fault {
                session.closed = true;
                self.open_count -= 1;
                handed_out += 1;
                let (mut nowhere, mut sequence) = (Vec::new(), 0);
                sink(id, DriverEvent::Closed(reason), &mut Outgoing::nowhere(&mut nowhere, &mut sequence));
            }
        }
        self.start_waiting()?;
        Ok(handed_out)
    }
}

impl DriverSession {
    fn flush(&mut self) -> io::Result<()> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        while self.out_start < self.out.len() {
            match stream.write(&self.out[self.out_start..]) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => self.out_start += count,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::NotConnected) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.out.clear();
        self.out_start = 0;
        Ok(())
    }

    /// Reads until the socket is empty. The reason when the session is over.
    fn read(&mut self, buffer: &mut [u8], hung_up: bool, mut sink: impl FnMut(DriverEvent, &mut Outgoing)) -> Option<String> {
        loop {
            let stream = self.stream.as_mut()?;
            let count = match stream.read(buffer) {
                Ok(0) => return Some(format!("closed by the host {}", self.protocol.host_text())),
                Ok(count) => count,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::NotConnected) => return None,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Some(error.to_string()),
            };
            let mut refused = None;
            let fed = self.protocol.feed(&buffer[..count], &mut self.out, |event, outgoing| match event {
                ClientEvent::Connected { .. } => sink(DriverEvent::Connected, outgoing),
                ClientEvent::Record { kind: RecordKind::Data, data } => match data {
                    // The host queries the terminal's capabilities: nothing beyond its model.
                    [bms::constants::SNA_CMD_WSF | bms::constants::CMD_WSF, ..] => outgoing.data(NULL_QUERY_REPLY),
                    data => sink(DriverEvent::Record(data), outgoing),
                },
                ClientEvent::Record { .. } => {}
                ClientEvent::Refused { reason } => refused = Some(format!("refused (reason {reason})")),
            });
            if let Err(error) = fed {
                return Some(error.to_string());
            }
            if let Err(error) = self.flush() {
                return Some(error.to_string());
            }
            if refused.is_some() {
                return refused;
            }
            if count < buffer.len() && !hung_up {
                return None;
            }
        }
    }
}

/// AID 88 with a Null query reply.
const NULL_QUERY_REPLY: &[u8] = &[bms::constants::AID_STRF, 0x00, 0x04, bms::constants::SFID_QREPLY, bms::constants::QR_NULL];
