//! Diagnostics that a program requests (DUMP TRANSACTION, ENTER TRACENUM, MONITOR), and the region's trace settings.

use crate::dump::{self, DumpNumbers, TaskState, cause};
use crate::system_initialization::SystemInitialization;
use crate::{Abend, Arguments, Domain, Handler, Outcome, Task, raise};
use exec::resp2::diagnostics as resp2;
use exec::{CommandId, command, condition, option};
use kernel::trace::{self, Component};

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "dump and trace", commands: &[handlers], slots: dump::SLOTS, ..Domain::NONE };

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::DUMP_TRANSACTION, dump_transaction), (command::ENTER_TRACENUM, enter_tracenum), (command::MONITOR, monitor)]
}

/// INTTR, SYSTR, USERTR, STNTR and TRTABSZ: the components traced, and the size of the table.
pub fn set_trace(sit: &SystemInitialization, workers: usize) {
    let on = sit.is("INTTR", "ON");
    let level = if on && sit.is("SYSTR", "ON") { sit.get("STNTR").parse().unwrap_or(1) } else { 0 };
    trace::set_table_bytes(sit.number("TRTABSZ") as usize * 1024, workers.max(1));
    trace::set_all_levels(level);
    trace::set_level(Component::User, u8::from(on && sit.is("USERTR", "ON")));
}

fn dump_transaction(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let code = arguments.name::<4>(option::DUMPCODE)?.unwrap_or_default();
    if code.is_blank() || code.as_bytes().contains(&b' ') && code.as_str().contains(' ') {
        return raise(condition::INVREQ, resp2::DUMPCODE);
    }
    let region = task.region;
    let id = DumpNumbers::of(region).next();
    let mut request = Abend::new(code.as_str()).because("EXEC CICS DUMP TRANSACTION");
    request.program = task.program_name();
    request.line = arguments.line;
    let transid = task.transid;
    region.messages.send("DFHDU0203", &[("abcode", code.as_str()), ("dumpid", &id), ("transid", transid.as_str())]);
    let running = cause::running_programs(task);
    let before = std::mem::replace(&mut TaskState::of_mut(&mut task.parts).snapshots, running);
    dump::transaction::write(region, task, &request, &id);
    TaskState::of_mut(&mut task.parts).snapshots = before;
    arguments.set_text(option::DUMPID, &id)
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
