//! Resource managers beside the store (a database, queues, another region): how they take part in units of work.
//!
//! The region coordinates by two-phase commit with presumed abort. It writes its decision to commit into the same log record as its own
//! changes, with the names of the managers that are prepared (table `rm.commits`), and forgets it when all have committed; a manager
//! that asks for a unit of work that is not there is told to back out. A manager that has one phase only is the last agent: the
//! store prepares, the manager commits and so decides, and if its answer is lost the unit of work is shunted until it can be asked.

use crate::name::Name8;

/// What a manager says to phase one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vote {
    /// It will commit or back out, as it is told, whatever happens.
    Prepared,
    /// It has nothing to commit and need not be told more.
    ReadOnly,
    /// It has backed out.
    No,
}

/// What became of a unit of work in a manager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Committed,
    BackedOut,
    /// No contact: to be asked again.
    Unknown,
}

/// A resource manager. `unit` is the region's identifier of the unit of work. Calls may come again after a loss of contact or a restart, and
/// answer the same.
pub trait ResourceManager: Send + Sync {
    fn name(&self) -> Name8;

    /// It has no phase one: `commit` decides, and `outcome` tells later.
    fn is_last_agent(&self) -> bool {
        false
    }

    fn prepare(&self, unit: u64) -> Vote;
    fn commit(&self, unit: u64) -> Outcome;
    fn backout(&self, unit: u64) -> Outcome;

    /// Of a last agent: what it decided. One that does not know the unit of work has backed it out for good.
    fn outcome(&self, unit: u64) -> Outcome;

    /// Units of work it holds prepared, when contact is made (again).
    fn prepared(&self) -> Vec<u64>;
}
