//! Waits for storage, and the tasks that wait for it in vain.
//!
//! Invariants: a task registers as a waiter before each attempt, so storage freed after the attempt resumes it; while it waits, the line
//! knows how much of the line it holds. A wait without a time limit ends as stalled if it has lasted for the time of a stall, the waiting
//! tasks hold at least half of the line, and no waiting task holds more: such tasks wait for each other, and nothing else would end it.

use super::Storage;
use super::dsa::Dsa;
use super::request::StorageError;
use crate::addresses::Line;
use crate::dispatcher::Task;
use crate::name::Name16;
use crate::wait::{Purge, Resumed, Wait};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A wait of this time without DTIMOUT is a stall, if the waiting tasks hold the storage themselves.
const STALL: Duration = Duration::from_secs(10);

/// The terms on which a task waits for storage.
#[derive(Clone, Copy, Debug)]
pub struct StorageWait<'a> {
    /// The caller's own task.
    pub task: &'a Task,
    pub dsa: Dsa,
    /// Bytes of the line of the DSA that the end of the task would free.
    pub held: usize,
    /// DTIMOUT.
    pub timeout: Option<Duration>,
}

/// Why a wait ended without storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotObtained {
    /// For another reason than want of storage.
    Refused(StorageError),
    Purged(Purge),
    TimedOut,
    /// The tasks that wait hold the storage, and this one the most.
    Stalled,
}

impl Storage {
    /// Own task, after an attempt that was refused for want of storage: suspends until the attempt succeeds.
    pub fn wait_for_storage<T>(&self, wait: &StorageWait<'_>, attempt: impl FnMut() -> Result<T, StorageError>) -> Result<T, NotObtained> {
        let line = &self.0.lines[wait.dsa.line() as usize];
        line.waiting.lock().push((wait.held, wait.task.number()));
        let obtained = self.suspend_until_obtained(wait, attempt);
        line.waiting.lock().retain(|(_, number)| *number != wait.task.number());
        obtained
    }

    fn suspend_until_obtained<T>(
        &self,
        wait: &StorageWait<'_>,
        mut attempt: impl FnMut() -> Result<T, StorageError>,
    ) -> Result<T, NotObtained> {
        let since = Instant::now();
        loop {
            self.0.add_waiter(wait.dsa.line(), wait.task.waker());
            let obtained = attempt();
            if !matches!(obtained, Err(StorageError::NoStorage(_))) {
                wait.task.abandon_wait();
                return obtained.map_err(NotObtained::Refused);
            }
            let end = match (wait.timeout, since.elapsed()) {
                (Some(timeout), waited) if waited >= timeout => Err(NotObtained::TimedOut),
                (Some(timeout), waited) => Ok(timeout - waited),
                (None, waited) if waited < STALL => Ok(STALL - waited),
                (None, _) if self.is_stalled(wait) => Err(NotObtained::Stalled),
                (None, _) => Ok(STALL),
            };
            let time = end.inspect_err(|_| _ = wait.task.abandon_wait())?;
            if let Resumed::Purged(purge) = self.suspend(wait, time) {
                return Err(NotObtained::Purged(purge));
            }
        }
    }

    fn suspend(&self, wait: &StorageWait<'_>, time: Duration) -> Resumed {
        let state = &self.0.dsas[wait.dsa as usize];
        state.suspended_total.fetch_add(1, Ordering::Relaxed);
        state.suspended_current.fetch_add(1, Ordering::Relaxed);
        let resumed = wait.task.suspend(&Wait::new(wait.dsa.name()).named(Name16::new("SMSYSTEM")).timeout(time));
        state.suspended_current.fetch_sub(1, Ordering::Relaxed);
        resumed
    }

    fn is_stalled(&self, wait: &StorageWait<'_>) -> bool {
        let line = wait.dsa.line();
        let waiting = self.0.lines[line as usize].waiting.lock();
        let held: usize = waiting.iter().map(|(held, _)| held).sum();
        let largest = waiting.iter().max();
        held >= self.0.limit_of(line) / 2 && largest == Some(&(wait.held, wait.task.number()))
    }

    /// Resumes the tasks that wait for storage of the line: an owner of storage has made room in what it keeps.
    pub fn room_was_made(&self, line: Line) {
        self.0.wake_waiters(line);
    }
}
