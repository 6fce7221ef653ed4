//! Transient data: WRITEQ, READQ and DELETEQ TD over intrapartition, extrapartition and indirect queues; triggers.

mod commands;

pub use commands::handlers;

use crate::recovery_manager::{self, Participant};

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskState {}

/// This domain's part of the region.
#[derive(Default)]
pub struct TransientData {}

/// What this domain does at the end of a unit of work.
pub fn participant() -> Participant {
    recovery_manager::idle("transient_data")
}

/// Installs a definition.
pub fn install(_region: &'static crate::region::Region, _definition: crate::resources::TdQueueDefinition) -> Result<(), String> {
    Ok(())
}

/// Closes everything, at the end of the region.
pub fn shutdown(_region: &'static crate::region::Region) {}

/// Writes a line of text to a queue on behalf of the region (messages, DISPLAY). A queue that is not there drops it.
pub fn write_text(_region: &'static crate::region::Region, _queue: crate::name::Name4, _text: &str) {}
