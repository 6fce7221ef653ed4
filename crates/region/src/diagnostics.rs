//! Diagnostics that a program requests (ENTER TRACENUM, MONITOR), and the region's trace settings. Dumps are in `dump_control`.

use crate::system_initialization::SystemInitialization;
use crate::{Arguments, Domain, Handler, Outcome, Task, raise};
use exec::resp2::diagnostics as resp2;
use exec::{CommandId, command, condition, option};
use kernel::trace::{self, Component};

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "trace", commands: &[handlers], ..Domain::NONE };

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::ENTER_TRACENUM, enter_tracenum), (command::MONITOR, monitor)]
}

/// INTTR, SYSTR, USERTR, STNTR and TRTABSZ: the components traced, and the size of the table.
pub fn set_trace(sit: &SystemInitialization, workers: usize) {
    let on = sit.is("INTTR", "ON");
    let level = if on && sit.is("SYSTR", "ON") { sit.get("STNTR").parse().unwrap_or(1) } else { 0 };
    trace::set_table_bytes(sit.number("TRTABSZ") as usize * 1024, workers.max(1));
    trace::set_all_levels(level);
    trace::set_level(Component::User, u8::from(on && sit.is("USERTR", "ON")));
}

/// Highest number a program may use.
const TRACE_NUMBER_MAX: i64 = 199;

fn enter_tracenum(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let number = arguments.integer(option::TRACENUM).unwrap_or(-1);
    if !(0..=TRACE_NUMBER_MAX).contains(&number) {
        return raise(condition::INVREQ, resp2::TRACENUM);
    }
    let length = arguments.integer(option::FROMLENGTH).unwrap_or(arguments.area(option::FROM).map_or(0, |area| area.length as i64));
    if !(0..=4000).contains(&length) {
        return raise(condition::LENGERR, resp2::TRACE_LENGTH);
    }
    if !trace::is_on(Component::User, 1) && !arguments.has(option::EXCEPTION) {
        return Ok(());
    }
    let data = arguments.bytes_of_length(option::FROM, length as usize)?.unwrap_or_default();
    trace::write(Component::User, number as u16, u64::from(task.number), data.len() as u64, &data);
    Ok(())
}

/// MONITOR: user event monitoring points. No control table defines any, so a valid one has no effect.
fn monitor(_task: &mut Task, arguments: &mut Arguments) -> Outcome {
    match arguments.integer(option::POINT) {
        Some(0..=255) => Ok(()),
        _ => raise(condition::INVREQ, resp2::POINT),
    }
}
