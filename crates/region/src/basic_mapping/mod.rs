//! Basic mapping support: SEND MAP, RECEIVE MAP, SEND TEXT, SEND CONTROL, paging and routing; mapsets.

mod commands;

pub use commands::handlers;

use crate::recovery_manager::{self, Participant};

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskState {}

/// This domain's part of the region.
#[derive(Default)]
pub struct BasicMapping {}

/// What this domain does at the end of a unit of work.
pub fn participant() -> Participant {
    recovery_manager::idle("basic_mapping")
}
