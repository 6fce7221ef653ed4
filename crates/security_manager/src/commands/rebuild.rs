//! PERFORM SECURITY REBUILD: the region takes in what has changed in the security database, on the resource owning TCB.

use crate::manager::SecurityManager;
use exec::resp2::security_rebuild as resp2;
use exec::{condition, option};
use region::{Arguments, Outcome, Task, raise};

/// Return code of a request for a list of profiles that cannot be made.
const FAILED: i64 = 8;

pub fn rebuild(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(manager) = SecurityManager::active(task.region) else { return raise(condition::INVREQ, resp2::NOT_INITIALIZED) };
    let refreshed = task.on_resource_owning_tcb(|task| {
        let refreshed = manager.esm.refresh();
        manager.synchronize(task.region);
        refreshed
    });
    arguments.set_integer(option::ESMRESP, if refreshed.is_ok() { 0 } else { FAILED });
    match refreshed {
        Ok(()) => Ok(()),
        Err(_) => raise(condition::INVREQ, resp2::NOT_REBUILT),
    }
}
