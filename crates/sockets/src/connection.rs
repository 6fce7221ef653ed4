//! A connection as its users see it, and sending to it from any thread. Invariants: bytes are sent in the order of the `send` calls, those
//! of one call together; at most `send_queue_length_max` bytes are queued, twice that including the reserve; after a close nothing is sent,
//! and no sender waits for room.

use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use mio::net::TcpStream;
use parking_lot::Mutex;

use crate::loop_control::LoopControl;
use crate::tls::{Session, Tls};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    #[error("the session is closed")]
    Closed,
    #[error("the client does not take its data")]
    QueueFull,
}

/// How full the queue may be when a message is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// Output of programs, which can wait: see [`Connection::when_there_is_room`].
    Usual,
    /// Short and rare messages that cannot wait: a message of the host, the release of a keyboard.
    Reserve,
}

#[derive(Default)]
struct SendQueue {
    bytes: Vec<u8>,
    /// Already written.
    start: usize,
    /// The socket has been full since.
    stalled_since: Option<Instant>,
    /// No more sends; close when empty.
    closing: bool,
    /// Called once there is room again, or when there will never be any.
    waiting: Vec<Box<dyn FnOnce() + Send>>,
    tls: Option<Session>,
}

impl SendQueue {
    fn length(&self) -> usize {
        self.bytes.len() - self.start
    }

    fn begin_to_close(&mut self) {
        if !std::mem::replace(&mut self.closing, true)
            && let Some(session) = &mut self.tls
        {
            session.close(&mut self.bytes);
        }
    }
}

struct Shared {
    id: u64,
    stream: TcpStream,
    peer: SocketAddr,
    closed: AtomicBool,
    queue: Mutex<SendQueue>,
    queue_length_max: usize,
    is_encrypted: AtomicBool,
    control: Arc<LoopControl>,
}

/// Handle of a connection; clones are the same one. It stays valid after the connection has ended (sends then fail).
#[derive(Clone)]
pub struct Connection {
    shared: Arc<Shared>,
}

impl Connection {
    pub(crate) fn new(
        id: u64,
        (stream, peer): (TcpStream, SocketAddr),
        queue_length_max: usize,
        tls: Option<Session>,
        control: Arc<LoopControl>,
    ) -> Connection {
        let (closed, is_encrypted) = (AtomicBool::new(false), AtomicBool::new(tls.is_some()));
        let queue = Mutex::new(SendQueue { tls, ..SendQueue::default() });
        Connection { shared: Arc::new(Shared { id, stream, peer, closed, queue, queue_length_max, is_encrypted, control }) }
    }

    /// Unique among the connections of a server, from 1.
    pub fn id(&self) -> u64 {
        self.shared.id
    }

    pub fn peer(&self) -> SocketAddr {
        self.shared.peer
    }

    pub fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::Acquire)
    }

    /// Sends `length` bytes, which `fill` adds when there is room for them; it runs under the queue's lock, so that its counts are in the
    /// order of sending. Never blocks. A message longer than the whole queue goes into an empty one.
    pub fn send_with<R>(&self, length: usize, room: Room, fill: impl FnOnce(&mut Vec<u8>) -> R) -> Result<R, SendError> {
        let mut queue = self.shared.queue.lock();
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
        let SendQueue { bytes, tls, .. } = &mut *queue;
        let filled = match tls {
            Some(session) => session.encrypt(bytes, fill),
            None => fill(bytes),
        };
        self.flush_locked(&mut queue)?;
        Ok(filled)
    }

    pub fn send(&self, bytes: &[u8], room: Room) -> Result<(), SendError> {
        self.send_with(bytes.len(), room, |queue| queue.extend_from_slice(bytes))
    }

    /// From now on the connection is encrypted: the client begins the handshake, with what it has already sent behind its plain text. Only for
    /// its conversation, on the thread of the event loop.
    ///
    /// # Errors
    ///
    /// No session can be made; the connection must not be used any more.
    pub fn start_tls(&self, tls: &Tls, received: &[u8]) -> io::Result<()> {
        let session = tls.session(received)?;
        let mut queue = self.shared.queue.lock();
        debug_assert!(queue.tls.is_none(), "a connection is encrypted once");
        queue.tls = Some(session);
        self.shared.is_encrypted.store(true, Ordering::Release);
        Ok(())
    }

    pub fn is_encrypted(&self) -> bool {
        self.shared.is_encrypted.load(Ordering::Acquire)
    }

    /// Calls back once half of the queue is free, or the connection has ended: at once if it is so already. After
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

    /// Ends the connection after queued bytes have been sent. `Conversation::ended` follows on the event loop thread.
    pub fn close(&self) {
        self.shared.queue.lock().begin_to_close();
        self.shared.control.request_close(self.shared.id);
    }

    /// Writes as much as the socket accepts; the event loop continues when it becomes writable.
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

    /// The event loop's part of writing. True if nothing is left.
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

    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.is_encrypted() {
            return (&self.shared.stream).read(buffer);
        }
        let mut queue = self.shared.queue.lock();
        let SendQueue { bytes, tls: Some(session), .. } = &mut *queue else { return Ok(0) };
        let read = session.read(&self.shared.stream, buffer, bytes);
        let _ = self.flush_locked(&mut queue);
        read
    }

    /// A read that does not fill its buffer has emptied the socket. Not so with TLS, whose records are read one by one.
    pub(crate) fn is_emptied_by_short_read(&self) -> bool {
        !self.is_encrypted()
    }

    /// The connection ends as soon as its queue is empty.
    pub(crate) fn begin_to_close(&self) {
        self.shared.queue.lock().begin_to_close();
    }

    pub(crate) fn stalled_since(&self) -> Option<Instant> {
        self.shared.queue.lock().stalled_since
    }

    /// Closes the socket and drops queued bytes.
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
