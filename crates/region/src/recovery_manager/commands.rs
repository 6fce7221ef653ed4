//! SYNCPOINT and SYNCPOINT ROLLBACK.

use crate::{Arguments, Handler, Outcome, Raised, Task};
use exec::resp2;
use exec::{CommandId, command, condition};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::SYNCPOINT, syncpoint), (command::SYNCPOINT_ROLLBACK, rollback)]
}

fn syncpoint(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    let unit = task.recovery.identity.id();
    let ended = task.syncpoint();
    next_unit(task, unit);
    match ended {
        // The unit of work was backed out: the program may go on and is told so.
        Err(Raised::Abend(abend)) if matches!(&abend.code, b"ASPB" | b"ASP7" | b"ASP3") => {
            Err(Raised::new(condition::ROLLEDBACK, resp2::NONE))
        }
        Ok(()) => {
            task.region.monitoring().syncpoint_taken(task);
            Ok(())
        }
        other => other,
    }
}

fn rollback(task: &mut Task, _arguments: &mut Arguments) -> Outcome {
    let unit = task.recovery.identity.id();
    task.rollback();
    next_unit(task, unit);
    Ok(())
}

/// The command begins another unit of work, also after one that had changed nothing.
fn next_unit(task: &mut Task, ended: u64) {
    if task.recovery.identity.id() == ended {
        task.recovery.sequence += 1;
        task.recovery.identity.next();
    }
}
