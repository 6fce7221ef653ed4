//! The gate of the resource manager interface: what surrounds a request of an application to a task-related user exit (DFHRMCAL).
//!
//! The exit program runs on the TCB that its ENABLE PROGRAM says; afterwards the application continues as after a command for Db2 (tables 4-1
//! to 4-3 of [`crate::change_mode`]). Invariant: as for a command, nothing is left of a request when control returns to compiled code.

use super::gate::{attention_abend, fail, leave};
use crate::Task;
use crate::change_mode::Home;
use crate::control_blocks::raised::{Abend, Raised};
use kernel::Departure;
use kernel::trace::{self, Value, points};
use program::rununit::{ExecOutcome, FrameId, ResourceManagerService};

/// One request of the program in `frame`; the result is the response of the resource manager.
pub fn call(task: &mut Task, frame: FrameId, service: ResourceManagerService, arguments: &[u32]) -> Result<i32, Departure> {
    let line = frame.call_place().map_or(0, |place| place.line);
    (task.frame, task.line, task.command) = (Some(frame), line, None);
    let program = task.program_name();
    trace::point_with(&points::RI_SQL_ENTRY, || [Value::Text("CALL"), Value::Text(program.as_str()), Value::Number(line.into())]);
    let outcome = request(task, service, arguments);
    trace::point_with(&points::RI_SQL_EXIT, || [Value::Text("CALL"), Value::Text(if outcome.is_ok() { "OK" } else { "EXCEPTION" })]);
    // What the exit program has run on is not the statement that called it.
    (task.frame, task.line, task.command) = (Some(frame), line, None);
    let response = match outcome {
        Ok(response) => response,
        Err(Raised::Abend(abend)) => return Err(departure(task, *abend)),
        Err(Raised::Condition { condition, .. }) => return Err(departure(task, Abend::new(condition.abend_code().unwrap_or("AKEA")))),
        Err(Raised::Leave | Raised::Goto(_)) => return Err(departure(task, Abend::new("AKEA"))),
    };
    if task.level().is_some_and(|level| level.home != Home::Any)
        && let Err(abend) = leave(task)
    {
        return Err(departure(task, abend));
    }
    if task.kernel.attention() != 0
        && let Some(abend) = attention_abend(task)
    {
        return Err(departure(task, abend));
    }
    Ok(response)
}

fn request(task: &mut Task, service: ResourceManagerService, arguments: &[u32]) -> Result<i32, Raised> {
    match task.region.extensions.exits.caller() {
        Some(caller) => caller.resource_manager(task, service, arguments),
        None => Err(Raised::Abend(Box::new(Abend::new("AEY9").because("no task-related user exit has been enabled")))),
    }
}

fn departure(task: &mut Task, abend: Abend) -> Departure {
    match fail(task, abend) {
        ExecOutcome::Abend(abend) => Departure::Abend(abend),
        _ => Departure::Exit(0),
    }
}
