//! How the caller of a session waits for its socket.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

/// What the socket is to be ready for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interest {
    Read,
    Write,
    ReadOrWrite,
}

/// Why a wait ended without the socket being ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupted {
    TimedOut,
    /// The caller gives up: its task is purged, or the region ends.
    Cancelled,
}

/// Waits until a socket is ready. It may return early: the session then tries again.
pub trait Wait {
    fn ready(&mut self, socket: BorrowedFd<'_>, interest: Interest, deadline: Option<Instant>) -> Result<(), Interrupted>;
}

/// Blocks the thread.
#[derive(Clone, Copy, Default, Debug)]
pub struct ThreadWait;

impl Wait for ThreadWait {
    fn ready(&mut self, socket: BorrowedFd<'_>, interest: Interest, deadline: Option<Instant>) -> Result<(), Interrupted> {
        let flags = match interest {
            Interest::Read => PollFlags::IN,
            Interest::Write => PollFlags::OUT,
            Interest::ReadOrWrite => PollFlags::IN | PollFlags::OUT,
        };
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Err(Interrupted::TimedOut);
        }
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        // An error, a signal among them, shows at the next read or write.
        let _ = poll(&mut [PollFd::new(&socket, flags)], left.as_ref());
        Ok(())
    }
}
