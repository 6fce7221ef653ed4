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

/// The value ASSIGN gives for MAPCOLUMN, MAPHEIGHT, MAPLINE, MAPWIDTH, PAGENUM, ...; `None`: no map has been positioned.
pub fn assign(_task: &crate::transaction_manager::Task, _option: exec::OptionId) -> Option<i64> {
    None
}
