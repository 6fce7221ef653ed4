//! XAPADMGR: exit programs add user correlation data to the association data of a task at its point of origin.

use crate::control_blocks::exit_structure::ExitRecord;
use crate::control_blocks::origin::{Origin, UserCorrelation};
use crate::{Abend, ExitArgument, Raised, Task};
use exec::exit_point;
use std::sync::Arc;

/// Calls the exit programs for a task that no other has started: "at the attach of nonsystem tasks for which no input Origin Descriptor Record
/// is provided" (Application association data exit in the AP domain).
///
/// # Errors
///
/// An abend that passes over the exits of the task, such as a purge.
#[inline]
pub(super) fn correlate(task: &mut Task) -> Result<(), Abend> {
    if !task.has_exit(exit_point::XAPADMGR) || task.shared.ancestry.is_some() || task.shared.is_system() {
        return Ok(());
    }
    call(task)
}

#[cold]
fn call(task: &mut Task) -> Result<(), Abend> {
    let block = association(task);
    let length = (block.len() as u32).to_be_bytes();
    let none: UserCorrelation = [0; size_of::<UserCorrelation>()];
    let mut arguments = [ExitArgument::Bytes(block), ExitArgument::bytes(&length), ExitArgument::bytes(&none)];
    match task.call_exit(exit_point::XAPADMGR, &mut arguments) {
        Err(Raised::Abend(abend)) => return Err(*abend),
        Err(_) => return Ok(()),
        Ok(_) => {}
    }
    let [_, _, given] = arguments;
    let given: Option<UserCorrelation> = given.get().try_into().ok().filter(|given| *given != none);
    if let Some(given) = given {
        *task.shared.user_correlation.lock() = Some(Arc::new(given));
    }
    Ok(())
}

/// The association data that exit programs see.
fn association(task: &Task) -> Vec<u8> {
    let origin = Origin::of(&task.shared);
    let client = origin.client.map(|client| client.ip().to_string()).unwrap_or_default();
    ExitRecord::new("DFHMNADS", &task.region.code_page)
        .text("MNADS_APPLID", task.region.applid.as_str())
        .text("MNADS_TRANSACTION_ID", origin.transid.as_str())
        .number("MNADS_TASK_NUMBER", origin.number.into())
        .text("MNADS_USERID", origin.user_id.as_str())
        .text("MNADS_PROGRAM", task.definition.program.as_str())
        .text("MNADS_FACILITY_NAME", origin.facility_name.as_str())
        .number("MNADS_FACILITY_TYPE", origin.facility_type as u64)
        .text("MNADS_LUNAME", origin.netname.as_str())
        .number("MNADS_CLIENT_PORT", origin.client.map_or(0, |client| u64::from(client.port())))
        .text("MNADS_CLIENT_IP_ADDRESS", &client)
        .into_bytes()
}
