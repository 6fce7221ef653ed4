//! Recovery manager: the unit of work of a task, SYNCPOINT and ROLLBACK.
//!
//! All recoverable data of the region (files, temporary storage, transient data, protected STARTs) changes inside one
//! `vsam::UnitOfWork`, which commits atomically; the domains take part only to keep their own state in step.
//! Invariants: a unit of work is begun at the first use after attach or syncpoint; at syncpoint every domain is asked in the same
//! order; locks (ENQ UOW, records) are released only after the store has committed or backed out.

mod commands;
mod restart;
mod waiter;

pub use commands::handlers;
pub use restart::{StartType, restart};
pub use waiter::TaskWaiter;

use crate::exec_interface::{Abend, Raised};
use crate::transaction_manager::Task;
use std::sync::Arc;
use vsam::{LockWait, Store, StoreError, UnitOfWork};

/// How a unit of work ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    Commit,
    Backout,
}

/// What a domain does around the end of a unit of work. `before` runs while the unit is open (last changes go in here);
/// `after` when the store has committed or backed out (drop positions, tell others).
#[derive(Clone, Copy)]
pub struct Participant {
    pub name: &'static str,
    pub before: fn(&mut Task, Decision) -> Result<(), Raised>,
    pub after: fn(&mut Task, Decision),
}

/// The domains with a part in units of work, in the order they are called.
fn participants() -> [Participant; 6] {
    [
        crate::file_control::participant(),
        crate::temporary_storage::participant(),
        crate::transient_data::participant(),
        crate::interval_control::participant(),
        crate::basic_mapping::participant(),
        crate::enqueue::participant(),
    ]
}

/// The recovery manager's part of a task.
pub struct TaskState {
    waiter: Arc<TaskWaiter>,
    unit: Option<UnitOfWork>,
    /// Identifies the unit of work in INQUIRE TASK and messages; counts up at every syncpoint.
    pub sequence: u32,
    /// A domain has changed something: the syncpoint has work to do.
    pub touched: bool,
}

impl TaskState {
    pub fn new(task: kernel::TaskRef) -> Self {
        Self { waiter: Arc::new(TaskWaiter::new(task)), unit: None, sequence: 1, touched: false }
    }

    /// As [`Task::unit_of_work`], for a domain that also borrows its own part of the task.
    #[inline]
    pub fn unit(&mut self, store: &Arc<Store>) -> &UnitOfWork {
        self.touched = true;
        self.unit.get_or_insert_with(|| store.begin())
    }
}

impl Task {
    /// The task's unit of work, begun now if there is none.
    pub fn unit_of_work(&mut self) -> &UnitOfWork {
        self.recovery.touched = true;
        let store = &self.region.store;
        self.recovery.unit.get_or_insert_with(|| store.begin())
    }

    /// The unit of work if one has been begun.
    pub fn open_unit_of_work(&self) -> Option<&UnitOfWork> {
        self.recovery.unit.as_ref()
    }

    /// How this task waits inside the data crate. Clone it before borrowing the unit of work.
    pub fn waiter(&self) -> Arc<TaskWaiter> {
        self.recovery.waiter.clone()
    }

    /// The terms of a lock wait: DTIMOUT of the transaction.
    pub fn lock_wait<'a>(&self, waiter: &'a TaskWaiter, no_suspend: bool) -> LockWait<'a> {
        let seconds = self.definition.deadlock_timeout_seconds;
        let timeout = (seconds > 0).then(|| std::time::Duration::from_secs(u64::from(seconds)));
        LockWait { waiter, no_suspend, timeout }
    }

    /// Marks that something must be told at the end of the unit of work.
    pub fn touch_unit_of_work(&mut self) {
        self.recovery.touched = true;
    }

    /// Commits the unit of work of the task. An error has backed everything out.
    pub fn syncpoint(&mut self) -> Result<(), Raised> {
        self.performance.syncpoints += 1;
        if !self.recovery.touched {
            return Ok(());
        }
        for participant in participants() {
            if let Err(raised) = (participant.before)(self, Decision::Commit) {
                self.rollback();
                return Err(raised);
            }
        }
        let waiter = self.waiter();
        let committed = match self.recovery.unit.take() {
            Some(unit) => unit.commit(&*waiter),
            None => Ok(()),
        };
        match committed {
            Ok(()) => {
                self.ended(Decision::Commit);
                Ok(())
            }
            Err(error) => {
                self.ended(Decision::Backout);
                Err(commit_failure(error))
            }
        }
    }

    /// Backs out the unit of work of the task.
    pub fn rollback(&mut self) {
        self.performance.rollbacks += 1;
        if !self.recovery.touched {
            return;
        }
        for participant in participants() {
            // A domain that cannot do its part in a backout has said so in its own message; the others go on.
            let _ = (participant.before)(self, Decision::Backout);
        }
        if let Some(unit) = self.recovery.unit.take() {
            unit.backout();
        }
        self.ended(Decision::Backout);
    }

    fn ended(&mut self, decision: Decision) {
        for participant in participants() {
            (participant.after)(self, decision);
        }
        self.recovery.touched = false;
        self.recovery.sequence += 1;
    }
}

fn commit_failure(error: StoreError) -> Raised {
    Raised::Abend(Box::new(Abend::new("ASPB").because(format!("the unit of work could not be committed: {error}"))))
}

/// A participant that has nothing to do, for domains without units of work.
pub const fn idle(name: &'static str) -> Participant {
    Participant { name, before: |_, _| Ok(()), after: |_, _| {} }
}
