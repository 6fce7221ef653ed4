//! A server session as its users see it: what it is, and sending to it from any thread. Invariant: records go out whole, in the order of
//! `send` calls, numbered in that order.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, OnceLock};

use bms::Capabilities;
use bms::constants::*;
use sockets::{Connection, Room, SendError};

use crate::telnet::push_record;

/// Information about a connected terminal.
#[derive(Debug, Clone)]
pub struct SessionInfo {
    pub id: u64,
    pub peer: SocketAddr,
    /// LU name, requested or assigned.
    pub lu: String,
    pub terminal_type: String,
    pub capabilities: Capabilities,
    pub tn3270e: bool,
    /// TN3270E functions in use.
    pub functions: Vec<u8>,
    /// A printer of LU type 1: its records are SCS data.
    pub scs: bool,
}

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// 3270 data: AID, cursor, fields.
    Data,
    /// TN3270E SSCP-LU data (after SYSREQ).
    SscpLu,
    /// The client's answer to a record sent with `send_requesting_response`.
    Response { sequence: u16, positive: bool },
    /// ATTN key (IAC BREAK or IP).
    Attention,
    /// SYS REQ key (IAC AO).
    SystemRequest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    pub kind: RecordKind,
    pub data: &'a [u8],
}

struct Shared {
    info: OnceLock<SessionInfo>,
    /// Of the next record; changed under the lock of the connection's queue.
    sequence: AtomicU16,
}

/// Handle of a session; clones are the same session. It stays valid after the session has ended (sends then fail).
#[derive(Clone)]
pub struct Session {
    connection: Connection,
    shared: Arc<Shared>,
}

impl Session {
    pub(crate) fn new(connection: Connection) -> Session {
        Session { connection, shared: Arc::new(Shared { info: OnceLock::new(), sequence: AtomicU16::new(0) }) }
    }

    pub fn id(&self) -> u64 {
        self.connection.id()
    }

    /// None until the session is connected.
    pub fn info(&self) -> Option<&SessionInfo> {
        self.shared.info.get()
    }

    pub(crate) fn set_info(&self, info: SessionInfo) -> &SessionInfo {
        self.shared.info.get_or_init(|| info)
    }

    pub fn peer(&self) -> SocketAddr {
        self.connection.peer()
    }

    pub fn is_closed(&self) -> bool {
        self.connection.is_closed()
    }

    /// Sends a 3270 record (command, WCC, orders), or SCS data. Never blocks.
    pub fn send(&self, record: &[u8]) -> Result<(), SendError> {
        self.send_with(record, Room::Usual)
    }

    pub fn send_with(&self, record: &[u8], room: Room) -> Result<(), SendError> {
        self.send_record(TN3270E_RSF_NO_RESPONSE, record, room).map(|_| ())
    }

    /// Calls back once half of the queue is free, or the session has ended: at once if it is so already. After
    /// [`SendError::QueueFull`].
    pub fn when_there_is_room(&self, call: impl FnOnce() + Send + 'static) {
        self.connection.when_there_is_room(call);
    }

    /// Sends a record whose receipt the client must answer (TN3270E RESPONSES); the answer comes as `RecordKind::Response`
    /// with this sequence number. None when the session has no responses: the record is sent without.
    pub fn send_requesting_response(&self, record: &[u8], room: Room) -> Result<Option<u16>, SendError> {
        let responses = self.info().is_some_and(|info| info.functions.contains(&TN3270E_FUNC_RESPONSES));
        let flag = if responses { TN3270E_RSF_ALWAYS_RESPONSE } else { TN3270E_RSF_NO_RESPONSE };
        let sequence = self.send_record(flag, record, room)?;
        Ok(responses.then_some(sequence))
    }

    /// The answer is the record's number.
    fn send_record(&self, response: u8, data: &[u8], room: Room) -> Result<u16, SendError> {
        let is_scs = self.info().is_some_and(|info| info.scs);
        let kind = if is_scs { TN3270E_DT_SCS_DATA } else { TN3270E_DT_3270_DATA };
        let tn3270e = self.info().is_some_and(|info| info.tn3270e);
        self.connection.send_with(data.len(), room, |queue| {
            let sequence = self.shared.sequence.load(Ordering::Relaxed);
            if tn3270e {
                self.shared.sequence.store((sequence + 1) & 0x7FFF, Ordering::Relaxed);
                let [high, low] = sequence.to_be_bytes();
                push_record(queue, &[kind, 0, response, high, low], data);
            } else {
                push_record(queue, &[], data);
            }
            sequence
        })
    }

    /// From now on the session is encrypted; `received`: what the client has sent of it.
    pub(crate) fn start_tls(&self, tls: &sockets::Tls, received: &[u8]) -> std::io::Result<()> {
        self.connection.start_tls(tls, received)
    }

    /// Telnet bytes as they are.
    pub(crate) fn send_raw(&self, bytes: &[u8]) {
        // Nobody to tell: a connection that has failed ends on its event loop.
        let _ = self.connection.send(bytes, Room::Reserve);
    }

    /// Ends the session after queued records have been sent. `SessionHandler::disconnected` follows on the event loop thread.
    pub fn close(&self) {
        self.connection.close();
    }
}
