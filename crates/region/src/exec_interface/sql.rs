//! The gate of EXEC SQL: what surrounds a statement that a program gives to the SQL database, as the gate of commands does for EXEC CICS.
//!
//! A statement runs on an L8 TCB (tables 4-1 to 4-3 of [`crate::change_mode`]). Invariant: as for a command, nothing is left of a statement
//! when control returns to compiled code.

use super::gate::{attention_abend, enter, fail, leave};
use crate::Task;
use crate::change_mode::{Home, Need};
use crate::control_blocks::domain::SqlFailure;
use crate::control_blocks::raised::{Abend, Raised};
use kernel::Departure;
use kernel::trace::{self, Value, points};
use program::requests::{SqlOutcome, SqlRequest};
use program::rununit::{ExecOutcome, FrameId};

/// Executes one statement of the program in `frame`.
pub fn execute(task: &mut Task, frame: FrameId, request: &SqlRequest) -> Result<SqlOutcome, Departure> {
    task.frame = Some(frame);
    task.line = request.line;
    task.command = None;
    let Some(sql) = task.region.registry.sql() else {
        return Err(departure(task, Abend::new("AEY9").because("no domain of this region executes SQL")));
    };
    let region = task.region;
    region.extensions.tell(|observer| observer.before_sql(task, request));
    if let Some(gauge) = task.gauge
        && let Err(Raised::Abend(abend)) = (gauge.before_sql)(task)
    {
        return Err(departure(task, *abend));
    }
    if let Err(abend) = enter(task, Need::L8) {
        return Err(departure(task, abend));
    }
    let program = task.program_name();
    trace::point_with(&points::RI_SQL_ENTRY, || [Value::Text("CALL"), Value::Text(program.as_str()), Value::Number(request.line.into())]);
    let outcome = sql(task, frame, request);
    trace::point_with(&points::RI_SQL_EXIT, || [Value::Text("CALL"), Value::Text(if outcome.is_ok() { "OK" } else { "EXCEPTION" })]);
    if task.level().is_some_and(|level| level.home != Home::Any)
        && let Err(abend) = leave(task)
    {
        return Err(departure(task, abend));
    }
    if let Ok(outcome) = &outcome {
        region.extensions.tell(|observer| observer.after_sql(task, request, outcome));
    }
    match outcome {
        Ok(outcome) if task.kernel.attention() != 0 => match attention_abend(task) {
            Some(abend) => Err(departure(task, abend)),
            None => Ok(outcome),
        },
        Ok(outcome) => Ok(outcome),
        Err(SqlFailure::Departure(departure)) => Err(departure),
        Err(SqlFailure::Raised(raised)) => Err(match raised {
            Raised::Abend(abend) => departure(task, *abend),
            Raised::Condition { condition, .. } => departure(task, Abend::new(condition.abend_code().unwrap_or("AKEA"))),
            Raised::Leave | Raised::Goto(_) => departure(task, Abend::new("AKEA")),
        }),
    }
}

fn departure(task: &mut Task, abend: Abend) -> Departure {
    match fail(task, abend) {
        ExecOutcome::Abend(abend) => Departure::Abend(abend),
        _ => Departure::Exit(0),
    }
}
