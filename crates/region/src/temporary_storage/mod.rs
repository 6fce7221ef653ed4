//! Temporary storage: WRITEQ, READQ and DELETEQ TS over main and auxiliary queues; TSMODELs decide location and recovery.

mod commands;

pub use commands::handlers;

use crate::recovery_manager::{self, Participant};

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskState {}

/// This domain's part of the region.
#[derive(Default)]
pub struct TemporaryStorage {}

/// What this domain does at the end of a unit of work.
pub fn participant() -> Participant {
    recovery_manager::idle("temporary_storage")
}

/// Installs a definition.
pub fn install(_region: &'static crate::region::Region, _definition: crate::resources::TsModelDefinition) -> Result<(), String> {
    Ok(())
}

/// Closes everything, at the end of the region.
pub fn shutdown(_region: &'static crate::region::Region) {}
