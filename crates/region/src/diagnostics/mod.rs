//! Diagnostics that a program requests (DUMP TRANSACTION, ENTER TRACENUM, MONITOR), and the region's trace settings.
//!
//! * `cause`     the cause of a task's failure, in one line; `dump` transaction dumps;
//! * `snapshot`  the data of its programs, kept for the dump; `values` the values of data items in readable form.

pub mod cause;
pub mod dump;
pub mod snapshot;
pub mod values;

use crate::system_initialization::SystemInitialization;
use crate::{Abend, Arguments, Domain, Handler, Outcome, Region, Task, raise};
use exec::resp2::diagnostics as resp2;
use exec::{CommandId, command, condition, option};
use kernel::trace::{self, Component};
use snapshot::ProgramSnapshot;
use std::sync::atomic::{AtomicU32, Ordering};
use vsam::{Change, StoreError, ThreadWaiter};

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "dump and trace", commands: &[handlers], slots: &[&IN_REGION, &IN_TASK], ..Domain::NONE };

crate::region_part!(DumpNumbers);
crate::task_part!(TaskState);

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// The data of the programs that an abend has left, innermost first, for the dump.
    snapshots: Vec<ProgramSnapshot>,
}

/// An abend has reached an exit: the data of the programs it has left will not be dumped.
pub fn forget_programs(task: &mut Task) {
    TaskState::of_mut(&mut task.parts).snapshots.clear();
}

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::DUMP_TRANSACTION, dump_transaction), (command::ENTER_TRACENUM, enter_tracenum), (command::MONITOR, monitor)]
}

/// Dump identifiers, `run/count`: the run number is incremented at each start of the region, so identifiers of different runs never
/// coincide (Troubleshooting, "dump identifiers").
#[derive(Default)]
pub struct DumpNumbers {
    run: AtomicU32,
    last: AtomicU32,
}

/// The run number has four digits.
const RUN_MAX: u32 = 9999;
const RUN_KEY: &[u8] = b"run";

impl DumpNumbers {
    /// Takes the next run number and stores it, as four bytes, big endian.
    pub fn begin_run(&self, region: &Region) -> Result<(), StoreError> {
        let table = region.store.table("diagnostics")?;
        let last = region.store.get(&table, RUN_KEY)?.and_then(|value| value.try_into().ok()).map_or(0, u32::from_be_bytes);
        let run = last % RUN_MAX + 1;
        self.run.store(run, Ordering::Relaxed);
        let change = Change { table, key: RUN_KEY.to_vec(), value: Some(run.to_be_bytes().to_vec()) };
        region.store.publish(vec![change], &ThreadWaiter::new())
    }

    pub fn next(&self) -> String {
        let count = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        format!("{}/{count:04}", self.run.load(Ordering::Relaxed))
    }
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
    dump::write(region, task, &request, &id);
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
