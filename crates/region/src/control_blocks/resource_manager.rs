//! Resource managers other than the store (a database, queues, another region): how they take part in units of work.
//!
//! The region coordinates by two-phase commit with presumed abort. It writes its decision to commit into the same log record as its own
//! changes, with the names of the prepared managers (table `rm.commits`), and forgets it when all have committed; a manager that asks about
//! an unknown unit of work is told to back out. A manager with only one phase is the last agent: the store prepares, the manager commits
//! and so decides, and if its answer is lost the unit of work is shunted until it can be asked.

use crate::name::Name8;
use crate::{Region, Task};
use kernel::Wait;
use std::sync::Arc;
use vsam::{ThreadWaiter, Waiter};

/// A manager's answer in phase one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vote {
    /// It will commit or back out as instructed, whatever happens.
    Prepared,
    /// It has nothing to commit and needs no further call.
    ReadOnly,
    /// It has backed out.
    No,
}

/// The outcome of a unit of work in a manager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Committed,
    BackedOut,
    /// No contact: to be asked again.
    Unknown,
}

/// The caller of a resource manager, which determines how it may wait.
pub enum Caller<'a> {
    /// A task at a syncpoint, a backout or its end. The manager may suspend it and change its TCB mode, but not block its thread.
    Task(&'a mut Task),
    /// A thread for blocking work: resynchronization, and units of work whose task has ended.
    Thread(&'static Region),
}

impl Caller<'_> {
    pub fn region(&self) -> &'static Region {
        match self {
            Caller::Task(task) => task.region,
            Caller::Thread(region) => region,
        }
    }

    /// Does work that blocks its thread (a request to a server and the wait for its answer): a task is suspended meanwhile, and a purge does
    /// not end the wait, because the unit of work must not be left half ended.
    pub fn blocking<R: Send>(&mut self, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Caller::Task(task) => task.kernel.run_blocking(&Wait::new("RMI").protected(), work),
            Caller::Thread(_) => work(),
        }
    }

    /// How the store waits for the caller.
    pub fn waiter(&self) -> Arc<dyn Waiter> {
        match self {
            Caller::Task(task) => task.recovery.waiter_of(&task.kernel),
            Caller::Thread(_) => Arc::new(ThreadWaiter::new()),
        }
    }
}

/// A resource manager. `unit` is the region's identifier of the unit of work. Calls may be repeated after a loss of contact or a restart,
/// and must return the same result.
pub trait ResourceManager: Send + Sync {
    fn name(&self) -> Name8;

    /// It has no phase one: `commit` decides, and `outcome` reports the decision later.
    fn is_last_agent(&self) -> bool {
        false
    }

    /// Whether the task's unit of work has changed anything in it. One that has not changed anything needs no decision.
    fn has_changed(&self, _task: &Task, _unit: u64) -> bool {
        true
    }

    /// It has two phases, and can commit in one if nothing else has changed anything (single-update protocol).
    fn commits_alone(&self, _task: &Task, _unit: u64) -> bool {
        false
    }

    /// It keeps a prepared unit of work as long as the outcome is in doubt. If one cannot, the definition of the transaction decides at once.
    fn waits_in_doubt(&self) -> bool {
        true
    }

    /// The outcome of a unit of work that it has prepared is in doubt, and the task ends.
    fn wait(&self, _caller: &mut Caller, _unit: u64) {}

    fn prepare(&self, caller: &mut Caller, unit: u64) -> Vote;
    fn commit(&self, caller: &mut Caller, unit: u64) -> Outcome;
    fn backout(&self, caller: &mut Caller, unit: u64) -> Outcome;

    /// For a last agent: commits a unit of work in which nothing else, or nothing of the agent, was changed. Its outcome is not asked for
    /// later.
    fn commit_alone(&self, caller: &mut Caller, unit: u64) -> Outcome {
        self.commit(caller, unit)
    }

    /// For a last agent: its decision. One that does not know the unit of work has finally backed it out.
    fn outcome(&self, caller: &mut Caller, unit: u64) -> Outcome;

    /// For a last agent: the region has recorded the end of the unit of work, and does not ask for its outcome again.
    fn forget(&self, _region: &'static Region, _unit: u64) {}

    /// The units of work it holds prepared, when contact is established (again).
    fn prepared(&self, caller: &mut Caller) -> Vec<u64>;
}
