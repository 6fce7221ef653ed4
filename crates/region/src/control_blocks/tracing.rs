//! Which trace points of a task are written.

use crate::facility::Facility;
use csd::TransactionDefinition;
use kernel::trace::Tracing;

/// Which trace points of a task are written: a suppressed transaction is not traced, otherwise special tracing of the transaction or of the
/// terminal makes it special ("Selecting tracing by transaction or terminal": table of the combinations).
pub fn of_task(definition: &TransactionDefinition, facility: &Facility) -> Tracing {
    match definition.tracing {
        Tracing::Standard if facility.terminal().is_some_and(|terminal| terminal.is_traced_specially()) => Tracing::Special,
        tracing => tracing,
    }
}

/// As [`of_task`], for a task that asks for tracing itself (SINGLEON), whatever its transaction says.
pub fn of_switched_on(definition: &TransactionDefinition, facility: &Facility) -> Tracing {
    match of_task(definition, facility) {
        Tracing::Special => Tracing::Special,
        _ => Tracing::Standard,
    }
}
