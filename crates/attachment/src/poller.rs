//! The thread that waits for the sockets of all database sessions, and resumes the task that waits for one.
//!
//! Invariants: a socket is armed for one event only, by the task that waits for it, so a session that is in use elsewhere wakes nobody; a
//! socket that is ready already when it is armed is reported all the same (the events are level-triggered). The waker of a wait that has
//! ended otherwise has no effect, and neither has an event without a waker.

use kernel::Waker;
use parking_lot::Mutex;
use postgres::Interest;
use rustc_hash::FxHashMap;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::fd::{AsRawFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::io;
use std::sync::Arc;

/// Events taken from the kernel in one call.
const EVENTS_MAX: usize = 64;

pub struct Poller {
    epoll: OwnedFd,
    /// The tasks that wait, by the number of their socket.
    waiting: Mutex<FxHashMap<u64, Waker>>,
}

impl Poller {
    pub fn start() -> io::Result<Arc<Poller>> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let poller = Arc::new(Poller { epoll, waiting: Mutex::default() });
        let own = poller.clone();
        std::thread::Builder::new().name("database".into()).spawn(move || own.run())?;
        Ok(poller)
    }

    /// Resumes the task when its socket is ready.
    pub fn arm(&self, socket: BorrowedFd<'_>, interest: Interest, waker: Waker) -> io::Result<()> {
        let key = key_of(socket);
        self.waiting.lock().insert(key, waker);
        let (data, flags) = (EventData::new_u64(key), flags_of(interest) | EventFlags::ONESHOT);
        let armed = match epoll::modify(&self.epoll, socket, data, flags) {
            Err(Errno::NOENT) => epoll::add(&self.epoll, socket, data, flags),
            modified => modified,
        };
        if let Err(error) = armed {
            self.disarm(socket);
            return Err(error.into());
        }
        Ok(())
    }

    /// The wait has ended.
    pub fn disarm(&self, socket: BorrowedFd<'_>) {
        self.waiting.lock().remove(&key_of(socket));
    }

    fn run(&self) {
        let mut events = Vec::with_capacity(EVENTS_MAX);
        let mut woken = Vec::new();
        loop {
            events.clear();
            match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => {
                    tracing::error!(target: "region::db2", %error, "no socket of the database can be waited for");
                    return;
                }
            }
            {
                let mut waiting = self.waiting.lock();
                woken.extend(events.iter().filter_map(|event| waiting.remove(&event.data.u64())));
            }
            for waker in woken.drain(..) {
                waker.resume();
            }
        }
    }
}

fn key_of(socket: BorrowedFd<'_>) -> u64 {
    socket.as_raw_fd() as u64
}

fn flags_of(interest: Interest) -> EventFlags {
    match interest {
        Interest::Read => EventFlags::IN,
        Interest::Write => EventFlags::OUT,
        Interest::ReadOrWrite => EventFlags::IN | EventFlags::OUT,
    }
}
