//! XXMATT: the exit point at the attach of a task, where an exit program may choose another transaction for it.
//!
//! Exit programs need a task, so they are called in the new one, before its first program; the tasks of the region itself do not pass. The new
//! task keeps the priority and the transaction class of the attach. A transaction that is not there or is disabled is not taken.

use crate::control_blocks::application::TaskContexts;
use crate::control_blocks::task::PublishedName;
use crate::name::{Name4, Name8};
use crate::{Abend, ExitArgument, Raised, StartCode, Task, TaskShared};
use exec::{exit_constant, exit_point};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Calls the exit programs; true: the task has another transaction now.
pub(super) fn changes_transaction(task: &mut Task) -> Result<bool, Abend> {
    let point = exit_point::XXMATT;
    if task.start_code == StartCode::System || !task.has_exit(point) {
        return Ok(false);
    }
    let page = &task.region.code_page;
    let identifier = page.encode_name(&task.transid);
    let constant = |name: &str| ExitArgument::bytes(&[exit_constant(name) as u8]);
    let mut arguments = task.exit_arguments(point, |name| {
        Some(match name {
            "UEPATPTI" | "UEPATOTI" => ExitArgument::bytes(&identifier),
            "UEPATTPL" | "UEPATTPA" => ExitArgument::bytes(&[0; 4]),
            "UEPATTTK" => ExitArgument::bytes(&[0; 8]),
            "UEPATLOC" => constant("UEATFND"),
            "UEPATTST" => constant("UEATENAB"),
            _ => return None,
        })
    });
    match task.call_exit(point, &mut arguments) {
        Err(Raised::Abend(abend)) => return Err(*abend),
        Err(_) => return Ok(false),
        Ok(_) => {}
    }
    let primary = point.spec().parameter("UEPATPTI").map_or(&[][..], |at| arguments[at].get());
    if primary == identifier {
        return Ok(false);
    }
    let chosen = Name4::new(task.region.code_page.text(primary).trim_end());
    Ok(take(task, chosen))
}

/// Makes the task one of another transaction.
fn take(task: &mut Task, transid: Name4) -> bool {
    let region = task.region;
    let Some(transaction) = region.transactions().find(transid) else { return false };
    let definition = transaction.definition();
    let is_authorized = region.extensions.authority().is_none_or(|authority| authority.may_run(task, &definition));
    if !definition.enabled || !is_authorized {
        return false;
    }
    transaction.attaches.fetch_add(1, Ordering::Relaxed);
    let old = task.shared.clone();
    let shared = Arc::new(TaskShared {
        number: old.number,
        transid,
        kernel: Mutex::new(old.kernel.lock().clone()),
        facility: old.facility.clone(),
        user_id: old.user_id,
        start_code: old.start_code,
        definition: definition.clone(),
        program: PublishedName::new(definition.program),
        db2_plan: PublishedName::new(Name8::BLANK),
        queue: old.queue,
        ancestry: old.ancestry.clone(),
        contexts: TaskContexts::inherited(old.contexts.handed_on().as_ref()),
        user_correlation: Default::default(),
        requested_abend: Default::default(),
        system_rules: Default::default(),
        unit_of_work: old.unit_of_work.clone(),
        elements: task.storage.shared_elements(),
    });
    if let Some(entry_point) = transaction.entry_point() {
        shared.contexts.enter(&entry_point);
    }
    region.transactions().register(shared.clone());
    (task.transid, task.transaction, task.definition, task.shared) = (transid, transaction, definition, shared);
    true
}
