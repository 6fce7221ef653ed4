//! File control: READ, WRITE, REWRITE, DELETE, UNLOCK and browses over the data sets of the store; FILE resources and their states.

mod commands;

pub use commands::handlers;

use crate::recovery_manager::{self, Participant};

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskState {}

/// This domain's part of the region.
#[derive(Default)]
pub struct FileControl {}

/// What this domain does at the end of a unit of work.
pub fn participant() -> Participant {
    recovery_manager::idle("file_control")
}

/// Installs a definition.
pub fn install(_region: &'static crate::region::Region, _definition: crate::resources::FileDefinition) -> Result<(), String> {
    Ok(())
}

/// Closes everything, at the end of the region.
pub fn shutdown(_region: &'static crate::region::Region) {}
