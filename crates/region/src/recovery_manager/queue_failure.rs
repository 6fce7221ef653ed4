//! The condition that a failure of the store raises for a command on a queue.

use crate::{Abend, Raised, Task};
use exec::condition;
use exec::resp2;
use vsam::StoreError;

/// The condition or abend: a wait that must end abends the task, a full disk is NOSPACE, everything else IOERR.
#[cold]
pub fn queue_failure(error: StoreError) -> Raised {
    match error {
        StoreError::Deadlock(owner) | StoreError::LockTimeout(owner) => {
            let reason = format!("deadlock or DTIMOUT: the queue is held by unit of work {owner}");
            Raised::Abend(Box::new(Abend::new("AKCS").because(reason)))
        }
        StoreError::Retained(_) => Raised::new(condition::LOCKED, resp2::NONE),
        StoreError::Purged => Raised::Abend(Box::new(Task::purge_abend())),
        error if error.is_no_room() => Raised::new(condition::NOSPACE, resp2::NONE),
        error => {
            tracing::error!(target: "region::queue", %error, "a request on a queue failed");
            Raised::new(condition::IOERR, resp2::NONE)
        }
    }
}
