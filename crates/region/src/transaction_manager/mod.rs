//! Transaction manager: TRANSACTION and TRANCLASS resources, attach, the task from its first instruction to its end.
//!
//! Invariants: a task has a number unique among the running ones; it is known to inquiry from attach to end; its storage, locks and
//! unit of work are gone before its terminal is free for the next one; it ends on QR.

mod attach;
mod commands;
mod level;
mod restart;
mod task;
mod termination;
mod transaction;

pub use attach::{AttachFailure, AttachReason, AttachRequest, StartCode};
pub use commands::handlers;
pub use level::{Leaving, Level};
pub use task::{AbendInformation, Task, TaskShared};
pub use transaction::{Transaction, TransactionManager};
