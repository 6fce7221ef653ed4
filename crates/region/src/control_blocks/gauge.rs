//! The gauge of a task: what compares its use of resources with limits, around each command and SQL statement (policy task rules).
//!
//! A task has a gauge from its attach to its end, or none. Invariant: a task without a gauge pays one load for it, with each command.

use super::raised::Outcome;
use crate::{Arguments, Task};

/// The calls around a command. Each may end the command, and with it the program, with an abend.
pub struct Gauge {
    /// The command is about to be executed, or has been answered in place of its execution. It is not executed if this fails.
    pub before: fn(&mut Task, &Arguments) -> Outcome,
    /// The command has been executed, whatever came of it, and control goes back to the program.
    pub after: fn(&mut Task) -> Outcome,
    /// A statement is about to go to the SQL database. It does not if this fails.
    pub before_sql: fn(&mut Task) -> Outcome,
    /// The task has got its initial application context.
    pub entered: fn(&mut Task),
}
