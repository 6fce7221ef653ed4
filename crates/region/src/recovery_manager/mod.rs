//! Recovery manager: the unit of work of a task, SYNCPOINT and ROLLBACK.
//!
//! All recoverable data of the region (files, temporary storage, transient data, protected STARTs) changes inside one `vsam::UnitOfWork`,
//! which commits atomically; the domains take part only to keep their own state consistent with it. Invariants: a unit of work is begun at
//! the first use after attach or syncpoint; at syncpoint the domains are called in the same order every time; locks (ENQ UOW, records) are
//! released only after the store has committed or backed out.
//!
//! * `two_phase`, `resource_manager`  other resource managers in a unit of work; `shunted` units of work whose outcome is not yet known;
//!   `forced` those that were ended without their coordinator;
//! * `resync`    what a manager is told that asks for the outcome of a unit of work;
//! * `identity`  the identification of a unit of work;
//! * `restart`   start types; `commands` SYNCPOINT; `waiter` how a task waits inside the data crate.

mod commands;
mod forced;
mod identity;
mod queue_failure;
mod records;
mod resource_manager;
mod restart;
mod resync;
mod shunted;
mod two_phase;

pub use commands::handlers;
pub use identity::{NETWORK, Owner, network_name};
pub use queue_failure::queue_failure;
pub use restart::restart;
pub use resync::Disposition;
pub use shunted::{EndedBy, RecoveryManager};
pub use two_phase::pending_commits;

use crate::resource_manager::Caller;
use crate::{Abend, Decision, Domain, Raised, Region, Task, TaskWaiter};
use kernel::clock::ticks_to_duration;
use kernel::trace::{self, Value, points};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use two_phase::Ended;
use vsam::{LockWait, StoreError, UnitOfWork};

/// The description of this domain.
pub static DOMAIN: Domain =
    Domain { name: "recovery manager", commands: &[handlers], slots: &[&IN_REGION], records: &[&records::RECORD], ..Domain::NONE };

crate::region_part!(RecoveryManager);

impl Region {
    pub fn recovery(&self) -> &RecoveryManager {
        RecoveryManager::of(self)
    }
}

impl Task {
    /// The task's unit of work, begun now if there is none.
    pub fn unit_of_work(&mut self) -> &UnitOfWork {
        self.recovery.unit(&self.region.store)
    }

    /// The unit of work if one has been begun.
    pub fn open_unit_of_work(&self) -> Option<&UnitOfWork> {
        self.recovery.unit.as_ref()
    }

    /// How this task waits inside the data crate. Clone it before borrowing the unit of work.
    pub fn waiter(&self) -> Arc<TaskWaiter> {
        self.recovery.waiter_of(&self.kernel)
    }

    /// The terms of a lock wait: DTIMOUT of the transaction.
    pub fn lock_wait<'a>(&self, waiter: &'a TaskWaiter, no_suspend: bool) -> LockWait<'a> {
        LockWait { waiter, no_suspend, timeout: self.definition.deadlock_timeout() }
    }

    /// Marks that domains must be notified at the end of the unit of work.
    pub fn touch_unit_of_work(&mut self) {
        self.recovery.touched = true;
    }

    /// Commits the unit of work of the task. An error has backed everything out.
    pub fn syncpoint(&mut self) -> Result<(), Raised> {
        trace::point(&points::RM_SYNCPOINT_ENTRY, &[Value::Text("COMMIT_UOW")]);
        let committed = self.timed(Self::commit);
        let response = if committed.is_ok() { "OK" } else { "ROLLED_BACK" };
        trace::point(&points::RM_SYNCPOINT_EXIT, &[Value::Text("COMMIT_UOW"), Value::Text(response)]);
        committed
    }

    fn commit(&mut self) -> Result<(), Raised> {
        self.performance.syncpoints += 1;
        self.region.recovery().counters.forward.fetch_add(1, Ordering::Relaxed);
        if !self.recovery.touched {
            return Ok(());
        }
        for participant in self.region.registry.participants() {
            if let Err(raised) = (participant.before)(self, Decision::Commit) {
                self.traced_backout();
                return Err(raised);
            }
        }
        let managers = std::mem::take(&mut self.recovery.enlisted);
        let ended = if managers.is_empty() { self.commit_alone() } else { self.commit_with(managers) };
        match ended {
            Ended::Committed => {
                self.ended(Decision::Commit);
                Ok(())
            }
            // As after a backout, changes of a shunted unit of work are not visible; but its locks are kept.
            Ended::BackedOut(raised) | Ended::Shunted(raised) => {
                self.ended(Decision::Backout);
                Err(raised)
            }
        }
    }

    fn commit_alone(&mut self) -> Ended {
        let waiter = self.waiter();
        match self.recovery.unit.take().map_or(Ok(()), |unit| unit.commit(&*waiter)) {
            Ok(()) => Ended::Committed,
            Err(error) => Ended::BackedOut(commit_failure(error)),
        }
    }

    /// Measures a syncpoint: the time that the task is dispatched in it.
    fn timed<T>(&mut self, run: impl FnOnce(&mut Task) -> T) -> T {
        let since = self.kernel.ticks_not_suspended();
        let done = run(self);
        let ticks = self.kernel.ticks_not_suspended().saturating_sub(since);
        self.performance.syncpoint_time.add(ticks_to_duration(ticks));
        done
    }

    /// Backs out the unit of work of the task.
    pub fn rollback(&mut self) {
        self.timed(Self::traced_backout);
    }

    fn traced_backout(&mut self) {
        trace::point(&points::RM_SYNCPOINT_ENTRY, &[Value::Text("BACKOUT_UOW")]);
        self.back_out();
        trace::point(&points::RM_SYNCPOINT_EXIT, &[Value::Text("BACKOUT_UOW"), Value::Text("OK")]);
    }

    fn back_out(&mut self) {
        self.performance.rollbacks += 1;
        self.region.recovery().counters.backward.fetch_add(1, Ordering::Relaxed);
        if !self.recovery.touched {
            return;
        }
        for participant in self.region.registry.participants() {
            // A domain that cannot do its part in a backout has reported it in its own message; the others continue.
            let _ = (participant.before)(self, Decision::Backout);
        }
        let id = self.recovery.identity.id();
        let managers = std::mem::take(&mut self.recovery.enlisted);
        two_phase::back_out(&mut Caller::Task(self), id, managers.iter());
        if let Some(unit) = self.recovery.unit.take() {
            self.region.registry.back_out(self.region, &unit);
        }
        self.ended(Decision::Backout);
    }

    fn ended(&mut self, decision: Decision) {
        for participant in self.region.registry.participants() {
            (participant.after)(self, decision);
        }
        // A resource manager that is a program of the application may have begun the next unit of work.
        self.recovery.touched = self.recovery.unit.is_some();
        self.recovery.sequence += 1;
        self.recovery.identity.next();
    }
}

fn commit_failure(error: StoreError) -> Raised {
    Raised::Abend(Box::new(Abend::new("ASPB").because(format!("the unit of work could not be committed: {error}"))))
}
