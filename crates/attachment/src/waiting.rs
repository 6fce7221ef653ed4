//! How a task waits for its database session.
//!
//! A lone statement is answered in some tens of microseconds, which is what two hand-overs between threads cost. So the worker first waits
//! for the socket itself, if it has nothing else to do, another worker is free, and the task holds no single mode
//! ([`kernel::Task::wait_in_place`]). A longer wait, and every wait of a busy region, suspends the task, and the poller resumes it.

use crate::poller::Poller;
use kernel::{Name16, Resumed, Task, TaskRef, Wait};
use postgres::{Interest, Interrupted};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::BorrowedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a worker blocks for an answer before it gives the task up.
const IN_PLACE_NANOSECONDS_MAX: i64 = 200_000;

/// The wait of a task that is in the database.
const IN_DATABASE: Wait = Wait::new("DB2").named(Name16::new("LOT_ECB"));

/// The waits of one task for one statement, commit or backout.
pub struct TaskWait {
    task: TaskRef,
    poller: Arc<Poller>,
    /// A purge does not end it: the outcome of the unit of work is at stake.
    is_protected: bool,
    /// The time waited.
    pub waited: Duration,
    pub purged: bool,
}

impl TaskWait {
    pub fn new(task: TaskRef, poller: Arc<Poller>) -> TaskWait {
        TaskWait { task, poller, is_protected: false, waited: Duration::ZERO, purged: false }
    }

    pub fn protected(task: TaskRef, poller: Arc<Poller>) -> TaskWait {
        TaskWait { is_protected: true, ..TaskWait::new(task, poller) }
    }

    /// True if the socket is ready, or the deadline has passed while the worker waited for it.
    fn in_place(&self, task: &Task, socket: BorrowedFd<'_>, interest: Interest, deadline: Option<Instant>) -> bool {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()).as_nanos() as i64);
        let nanoseconds = left.unwrap_or(IN_PLACE_NANOSECONDS_MAX).min(IN_PLACE_NANOSECONDS_MAX);
        let timeout = Timespec { tv_sec: 0, tv_nsec: nanoseconds as _ };
        let ready = task.wait_in_place(&IN_DATABASE, || poll(&mut [PollFd::from_borrowed_fd(socket, flags_of(interest))], Some(&timeout)));
        match ready {
            Some(Ok(count)) => count > 0 || left.is_some_and(|left| left <= IN_PLACE_NANOSECONDS_MAX),
            // A signal ended it, or there was no time for it.
            Some(Err(_)) | None => false,
        }
    }

    fn suspended(&mut self, socket: BorrowedFd<'_>, interest: Interest, deadline: Option<Instant>) -> Result<(), Interrupted> {
        let mut wait = if self.is_protected { IN_DATABASE.protected() } else { IN_DATABASE };
        if let Some(deadline) = deadline {
            wait = wait.timeout(deadline.saturating_duration_since(Instant::now()));
        }
        let waker = self.task.waker();
        if let Err(error) = self.poller.arm(socket, interest, waker) {
            self.task.abandon_wait();
            tracing::error!(target: "region::db2", %error, "a socket of the database cannot be waited for");
            return Err(Interrupted::Cancelled);
        }
        let resumed = self.task.suspend(&wait);
        match resumed {
            Resumed::Posted(_) => Ok(()),
            Resumed::TimedOut => {
                self.poller.disarm(socket);
                Err(Interrupted::TimedOut)
            }
            Resumed::Purged(_) => {
                self.poller.disarm(socket);
                self.purged = true;
                Err(Interrupted::Cancelled)
            }
        }
    }
}

impl postgres::Wait for TaskWait {
    fn ready(&mut self, socket: BorrowedFd<'_>, interest: Interest, deadline: Option<Instant>) -> Result<(), Interrupted> {
        let begun = Instant::now();
        let ended = match self.in_place(&self.task, socket, interest, deadline) {
            true => Ok(()),
            false => self.suspended(socket, interest, deadline),
        };
        self.waited += begun.elapsed();
        ended
    }
}

fn flags_of(interest: Interest) -> PollFlags {
    match interest {
        Interest::Read => PollFlags::IN,
        Interest::Write => PollFlags::OUT,
        Interest::ReadOrWrite => PollFlags::IN | PollFlags::OUT,
    }
}
