//! How a task waits for its database session.
//!
//! A lone statement is answered in some tens of microseconds, which is what two hand-overs between threads cost. So the worker first waits
//! for the socket itself, as long as nobody else needs it ([`kernel::Task::wait_in_place`]). A longer wait, and every wait of a busy region,
//! suspends the task, and the poller resumes it.

use crate::poller::Poller;
use kernel::{Name16, Resumed, TaskRef, Wait};
use postgres::{Interest, Interrupted};
use rustix::event::PollFlags;
use rustix::fd::BorrowedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

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

    fn wait(&self) -> Wait {
        if self.is_protected { IN_DATABASE.protected() } else { IN_DATABASE }
    }

    fn suspended(&mut self, socket: BorrowedFd<'_>, interest: Interest, deadline: Option<Instant>) -> Result<(), Interrupted> {
        let mut wait = self.wait();
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
        let left = deadline.map(|deadline| deadline.saturating_duration_since(begun));
        let ended = match self.task.wait_in_place(&self.wait(), socket, flags_of(interest), left) {
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
