//! The interface of an event loop to other threads: a queue of requests, and a wake-up. Invariant: a thread that queues a request wakes the
//! loop afterwards, so no request waits for the next check of the time limits.

use std::net::SocketAddr;

use mio::Waker;
use mio::net::TcpStream;
use parking_lot::Mutex;

pub(crate) struct LoopControl {
    waker: Waker,
    inbox: Mutex<Inbox>,
}

/// The requests of other threads to the loop.
#[derive(Default)]
pub(crate) struct Inbox {
    /// Connections that the listening loop has accepted for this one.
    pub accepted: Vec<(TcpStream, SocketAddr)>,
    /// Connections to close, by id.
    pub closes: Vec<u64>,
}

impl LoopControl {
    pub fn new(waker: Waker) -> LoopControl {
        LoopControl { waker, inbox: Mutex::new(Inbox::default()) }
    }

    pub fn wake(&self) {
        let _ = self.waker.wake();
    }

    pub fn request_close(&self, id: u64) {
        self.inbox.lock().closes.push(id);
        self.wake();
    }

    /// Passes a connection that another loop has accepted to this loop.
    pub fn hand_over(&self, stream: TcpStream, peer: SocketAddr) {
        self.inbox.lock().accepted.push((stream, peer));
        self.wake();
    }

    pub fn take_inbox(&self) -> Inbox {
        std::mem::take(&mut *self.inbox.lock())
    }
}
