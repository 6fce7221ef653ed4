//! A server session as its users see it: its properties, and sending to it from any thread. Invariants: records are sent in the order of
//! the `send` calls, each as a whole; at most `send_queue_length_max` bytes are queued, twice that with the host's own messages; after a
//! close nothing is sent, and no sender waits for room.

use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bms::Capabilities;
use bms::constants::*;
use mio::net::TcpStream;
use parking_lot::Mutex;

use crate::loop_control::LoopControl;
use crate::telnet::push_record;

/// What is known of a terminal once it is connected.
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
}

/// What a record is.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CloseReason {
    #[error("closed by the client")]
    Client,
    #[error("closed by the host")]
    Host,
    #[error("connection lost")]
    Lost,
    #[error("protocol error")]
    Protocol,
    #[error("client too slow")]
    Timeout,
    #[error("server stopped")]
    Stopped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    #[error("the session is closed")]
    Closed,
    #[error("the client does not take its data")]
    QueueFull,
}

/// How full the queue may be for a record to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// Output of programs, which can wait: see [`Session::when_there_is_room`].
    Usual,
    /// What cannot wait and is of little number and length: a message of the host, the release of the keyboard.
    Reserve,
}

#[derive(Default)]
struct SendQueue {
    bytes: Vec<u8>,
    /// Already written.
    start: usize,
    sequence: u16,
    /// The socket has been full since.
    stalled_since: Option<Instant>,
    /// No more sends; close when empty.
    closing: bool,
    /// Called once there is room again, or none ever will be.
    waiting: Vec<Box<dyn FnOnce() + Send>>,
}

impl SendQueue {
    fn length(&self) -> usize {
        self.bytes.len() - self.start
    }
}

pub(crate) struct Shared {
    pub id: u64,
    pub stream: TcpStream,
    pub peer: SocketAddr,
    pub info: OnceLock<SessionInfo>,
    pub closed: AtomicBool,
    queue: Mutex<SendQueue>,
    queue_length_max: usize,
    control: Arc<LoopControl>,
    tag: AtomicU64,
}

/// Handle of a session; clones are the same session. It stays valid after the session has ended (sends then fail).
#[derive(Clone)]
pub struct Session {
    pub(crate) shared: Arc<Shared>,
}

impl Session {
    pub(crate) fn new(id: u64, stream: TcpStream, peer: SocketAddr, queue_length_max: usize, control: Arc<LoopControl>) -> Session {
        let shared = Shared {
            id,
            stream,
            peer,
            queue_length_max,
            control,
            info: OnceLock::new(),
            closed: AtomicBool::new(false),
            queue: Mutex::new(SendQueue::default()),
            tag: AtomicU64::new(0),
        };
        Session { shared: Arc::new(shared) }
    }

    pub fn id(&self) -> u64 {
        self.shared.id
    }

    /// None until the session is connected.
    pub fn info(&self) -> Option<&SessionInfo> {
        self.shared.info.get()
    }

    pub fn peer(&self) -> SocketAddr {
        self.shared.peer
    }

    pub fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::Acquire)
    }

    /// A word for the owner's use (index of its terminal entry).
    pub fn tag(&self) -> u64 {
        self.shared.tag.load(Ordering::Relaxed)
    }

    pub fn set_tag(&self, tag: u64) {
        self.shared.tag.store(tag, Ordering::Relaxed);
    }

    /// Sends a 3270 record (command, WCC, orders). Never blocks.
    pub fn send(&self, record: &[u8]) -> Result<(), SendError> {
        self.send_with(record, Room::Usual)
    }

    pub fn send_with(&self, record: &[u8], room: Room) -> Result<(), SendError> {
        self.send_record(TN3270E_DT_3270_DATA, TN3270E_RSF_NO_RESPONSE, record, room).map(|_| ())
    }

    /// Calls back once half of the queue is free, or the session has ended: at once if it is so already. After
    /// [`SendError::QueueFull`].
    pub fn when_there_is_room(&self, call: impl FnOnce() + Send + 'static) {
        let mut queue = self.shared.queue.lock();
        if queue.closing || self.is_closed() || queue.length() <= self.shared.queue_length_max / 2 {
            drop(queue);
            call();
            return;
        }
        queue.waiting.push(Box::new(call));
    }

    /// Sends a record whose receipt the client must answer (TN3270E RESPONSES); the answer comes as `RecordKind::Response`
    /// with this sequence number. None when the session has no responses: the record is sent without.
    pub fn send_requesting_response(&self, record: &[u8]) -> Result<Option<u16>, SendError> {
        let responses = self.info().is_some_and(|info| info.functions.contains(&TN3270E_FUNC_RESPONSES));
        let flag = if responses { TN3270E_RSF_ALWAYS_RESPONSE } else { TN3270E_RSF_NO_RESPONSE };
        let sequence = self.send_record(TN3270E_DT_3270_DATA, flag, record, Room::Usual)?;
        Ok(responses.then_some(sequence))
    }

    /// Sends SSCP-LU text (after SYS REQ); plain 3270 data on a TN3270 session is not affected and an error there.
    pub fn send_sscp_lu(&self, text: &[u8]) -> Result<(), SendError> {
        if !self.info().is_some_and(|info| info.tn3270e) {
            return Err(SendError::Closed);
        }
        self.send_record(TN3270E_DT_SSCP_LU_DATA, TN3270E_RSF_NO_RESPONSE, text, Room::Reserve).map(|_| ())
    }

    fn send_record(&self, kind: u8, response: u8, data: &[u8], room: Room) -> Result<u16, SendError> {
        let mut queue = self.shared.queue.lock();
        self.check_room(&queue, data.len(), room)?;
        let sequence = queue.sequence;
        if self.info().is_some_and(|info| info.tn3270e) {
            queue.sequence = (queue.sequence + 1) & 0x7FFF;
            let [high, low] = sequence.to_be_bytes();
            push_record(&mut queue.bytes, &[kind, 0, response, high, low], data);
        } else {
            push_record(&mut queue.bytes, &[], data);
        }
        self.flush_locked(&mut queue)?;
        Ok(sequence)
    }

    /// Telnet bytes as they are.
    pub(crate) fn send_raw(&self, bytes: &[u8]) -> Result<(), SendError> {
        let mut queue = self.shared.queue.lock();
        self.check_room(&queue, bytes.len(), Room::Reserve)?;
        queue.bytes.extend_from_slice(bytes);
        self.flush_locked(&mut queue)
    }

    /// A record that is longer than all the room there is goes into an empty queue.
    fn check_room(&self, queue: &SendQueue, length: usize, room: Room) -> Result<(), SendError> {
        if queue.closing || self.is_closed() {
            return Err(SendError::Closed);
        }
        let length_max = match room {
            Room::Usual => self.shared.queue_length_max,
            Room::Reserve => 2 * self.shared.queue_length_max,
        };
        if queue.length() > 0 && queue.length() + length > length_max {
            return Err(SendError::QueueFull);
        }
        Ok(())
    }

    /// Writes what the socket takes; the event loop goes on when it becomes writable.
    fn flush_locked(&self, queue: &mut SendQueue) -> Result<(), SendError> {
        while queue.start < queue.bytes.len() {
            match (&self.shared.stream).write(&queue.bytes[queue.start..]) {
                Ok(0) => return self.write_failed(queue),
                Ok(count) => {
                    queue.start += count;
                    queue.stalled_since = None;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    queue.stalled_since.get_or_insert_with(Instant::now);
                    let start = queue.start;
                    queue.bytes.drain(..start);
                    queue.start = 0;
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return self.write_failed(queue),
            }
        }
        queue.bytes.clear();
        queue.start = 0;
        Ok(())
    }

    fn write_failed(&self, queue: &mut SendQueue) -> Result<(), SendError> {
        queue.closing = true;
        queue.bytes = Vec::new();
        queue.start = 0;
        self.shared.control.request_close(self.shared.id);
        Err(SendError::Closed)
    }

    /// The event loop's part of writing. True when nothing is left.
    pub(crate) fn flush(&self) -> bool {
        let mut queue = self.shared.queue.lock();
        let _ = self.flush_locked(&mut queue);
        let is_empty = queue.bytes.is_empty();
        let has_room = queue.closing || queue.length() <= self.shared.queue_length_max / 2;
        let waiting = if has_room { std::mem::take(&mut queue.waiting) } else { Vec::new() };
        drop(queue);
        waiting.into_iter().for_each(|call| call());
        is_empty
    }

    pub(crate) fn stalled_since(&self) -> Option<Instant> {
        self.shared.queue.lock().stalled_since
    }

    /// Ends the session after what is queued has been sent. `SessionHandler::disconnected` follows on the event loop thread.
    pub fn close(&self) {
        self.shared.queue.lock().closing = true;
        self.shared.control.request_close(self.shared.id);
    }

    pub(crate) fn shut(&self) {
        self.shared.closed.store(true, Ordering::Release);
        let mut queue = self.shared.queue.lock();
        queue.closing = true;
        queue.bytes = Vec::new();
        queue.start = 0;
        let waiting = std::mem::take(&mut queue.waiting);
        drop(queue);
        let _ = self.shared.stream.shutdown(std::net::Shutdown::Both);
        waiting.into_iter().for_each(|call| call());
    }
}
