//! INQUIRE TASK, INQUIRE TASK LIST and SET TASK.

use super::screen_and_timeout;
use super::storage::{free_lists, give_lists};
use crate::clock::local_from_system;
use crate::facility::{Facility, PartnerKind};
use crate::inquiry::{self, checked, either};
use crate::{Arguments, Outcome, Region, Task, TaskShared, raise};
use csd::{Key, Runaway};
use exec::resp2::tasks as resp2;
use exec::{condition, cvda, option};
use kernel::{Mode, Purge, RunState, TaskInfo};

/// The CVDA of RUNSTATUS.
fn run_status(state: RunState) -> i64 {
    match state {
        RunState::Running => cvda::RUNNING,
        RunState::Dispatchable => cvda::DISPATCHABLE,
        _ => cvda::SUSPENDED,
    }
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let number = arguments.integer(option::TASK).unwrap_or(0);
    let shared = u32::try_from(number).ok().and_then(|number| task.region.transactions().attached_task(number));
    let info = shared.as_ref().and_then(|shared| shared.kernel.lock().as_ref().map(|kernel| kernel.info()));
    let (Some(shared), Some(info)) = (shared, info) else { return raise(condition::TASKIDERR, resp2::NO_TASK) };
    numbers(task.region, &shared, &info, arguments);
    names(task, &shared, &info, arguments)
}

fn numbers(region: &Region, shared: &TaskShared, info: &TaskInfo, arguments: &mut Arguments) {
    let definition = &shared.definition;
    let (screen_size, read_timeout) = screen_and_timeout(region, definition.profile);
    let facility_type = match shared.facility {
        Facility::Terminal(_) | Facility::Partner(PartnerKind::Session, _) => cvda::TERM,
        Facility::Queue(_) => cvda::DEST,
        Facility::None | Facility::Partner(PartnerKind::WebClient | PartnerKind::Parent | PartnerKind::Region, _) => cvda::TASK,
    };
    let runaway = match definition.runaway {
        Runaway::Milliseconds(value) => i64::from(value),
        _ => info.runaway.as_millis() as i64,
    };
    let values = [
        (option::ATTACHTIME, local_from_system(info.attached_at).0),
        (option::CMDSEC, either(definition.command_security, cvda::CMDSECYES, cvda::CMDSECNO)),
        (option::DTIMEOUT, i64::from(definition.deadlock_timeout_seconds)),
        (option::DUMPING, either(definition.dump, cvda::TRANDUMP, cvda::NOTRANDUMP)),
        (option::FACILITYTYPE, facility_type),
        (option::INDOUBT, either(definition.indoubt_commit, cvda::COMMIT, cvda::BACKOUT)),
        (option::INDOUBTMINS, i64::from(definition.indoubt_wait_minutes)),
        (option::INDOUBTWAIT, either(definition.indoubt_wait, cvda::WAIT, cvda::NOWAIT)),
        (option::ISOLATEST, either(definition.isolate, cvda::ISOLATE, cvda::NOISOLATE)),
        (option::PRIORITY, i64::from(info.priority)),
        (option::TRANPRIORITY, i64::from(definition.priority)),
        (option::PURGEABILITY, either(info.purgeable, cvda::PURGEABLE, cvda::NOTPURGEABLE)),
        (option::RESSEC, either(definition.resource_security, cvda::RESSECYES, cvda::RESSECNO)),
        (option::ROUTING, cvda::STATIC),
        (option::RTIMEOUT, read_timeout),
        (option::RUNAWAY, runaway),
        (option::RUNSTATUS, run_status(info.state)),
        (option::SCRNSIZE, screen_size),
        (option::SRRSTATUS, cvda::NOTAPPLIC),
        (option::STORAGECLEAR, either(definition.storage_clear, cvda::CLEAR, cvda::NOCLEAR)),
        (option::SUSPENDTIME, info.suspended_for.as_secs() as i64),
        (option::TASKDATAKEY, either(definition.task_data_key == Key::Cics, cvda::CICSDATAKEY, cvda::USERDATAKEY)),
        (option::TASKDATALOC, either(definition.task_data_anywhere, cvda::ANY, cvda::BELOW)),
        (option::TCB, tcb(info.mode)),
        (option::TRACING, cvda::STANTRACE),
        (option::TWASIZE, i64::from(definition.twa_bytes)),
        (option::IPFLISTSIZE, 0),
    ];
    arguments.set_integers(values);
}

fn names(task: &Task, shared: &TaskShared, info: &TaskInfo, arguments: &mut Arguments) -> Outcome {
    let definition = &shared.definition;
    arguments.set_name(option::CURRENTPROG, &shared.program.get())?;
    arguments.set_name(option::PROGRAM, &definition.program)?;
    arguments.set_name(option::FACILITY, &shared.facility.name())?;
    arguments.set_name(option::PROFILE, &definition.profile)?;
    arguments.set_name(option::TRANCLASS, &definition.tranclass)?;
    arguments.set_name(option::TCLASS, &definition.tranclass)?;
    arguments.set_name(option::TRANSACTION, &shared.transid)?;
    arguments.set_name(option::USERID, &shared.user_id)?;
    arguments.set_text(option::STARTCODE, shared.start_code.inquired())?;
    let suspended = run_status(info.state) == cvda::SUSPENDED;
    arguments.set_text(option::SUSPENDTYPE, if suspended { info.resource_type.as_str() } else { "" })?;
    arguments.set_text(option::SUSPENDVALUE, if suspended { info.resource_name.as_str() } else { "" })?;
    arguments.set_bytes(option::UOW, &shared.unit_of_work.id().to_be_bytes())?;
    let blank = [
        option::ACTIVITY,
        option::ACTIVITYID,
        option::BRFACILITY,
        option::BRIDGE,
        option::IDENTIFIER,
        option::PROCESS,
        option::PROCESSTYPE,
        option::REMOTENAME,
        option::REMOTESYSTEM,
        option::RESNAME,
        option::TRPROF,
    ];
    arguments.set_blank(&blank)?;
    arguments.set_name(option::DB2PLAN, &shared.db2_plan.get())?;
    debug_assert!(task.number > 0);
    Ok(())
}

pub(super) fn inquire_list(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let wanted = |state: RunState| {
        let any = [option::DISPATCHABLE, option::RUNNING, option::SUSPENDED].into_iter().all(|option| !arguments.has(option));
        any || match run_status(state) {
            cvda::RUNNING => arguments.has(option::RUNNING),
            cvda::DISPATCHABLE => arguments.has(option::DISPATCHABLE),
            _ => arguments.has(option::SUSPENDED),
        }
    };
    free_lists(task, arguments, &[option::SET, option::SETTRANSID]);
    let mut numbers = Vec::new();
    let mut transids = Vec::new();
    for shared in task.region.transactions().attached_tasks() {
        let state = shared.kernel.lock().as_ref().map(|kernel| kernel.state());
        if state.is_some_and(&wanted) {
            numbers.extend(crate::packed::<4>(shared.number.into()));
            transids.extend(task.region.code_page.encode_name(&shared.transid));
        }
    }
    arguments.set_integer(option::LISTSIZE, (numbers.len() / 4) as i64);
    give_lists(task, arguments, [(option::SET, numbers), (option::SETTRANSID, transids)])
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let number = u32::try_from(arguments.integer(option::TASK).unwrap_or(0)).unwrap_or(0);
    let Some(shared) = task.region.transactions().attached_task(number) else { return raise(condition::TASKIDERR, resp2::NO_TASK) };
    let Some(kernel) = shared.kernel.lock().clone() else { return raise(condition::TASKIDERR, resp2::NO_TASK) };
    let priority = inquiry::attribute(arguments, option::PRIORITY, ("TRANSACTION", "PRIORITY"), resp2::PRIORITY)?;
    let keywords = [(option::PURGE, cvda::PURGE), (option::FORCEPURGE, cvda::FORCEPURGE), (option::KILL, cvda::KILL)];
    let purge = match checked(arguments, option::PURGETYPE, &keywords, resp2::PURGETYPE)? {
        None => None,
        Some(cvda::PURGE) => Some(Purge::Purge),
        Some(cvda::FORCEPURGE) => Some(Purge::ForcePurge),
        Some(_) => Some(Purge::Kill),
    };
    if let Some(priority) = priority {
        kernel.set_priority(priority as u8);
    }
    let Some(purge) = purge else { return Ok(()) };
    // A task that is not purgeable, and a system task, is not purged.
    if kernel.purge(purge) { Ok(()) } else { raise(condition::INVREQ, resp2::NOT_PURGED) }
}

/// INQUIRE TASK TCB returns the kind of TCB: an open one by its key, and all those used only by the region as one kind.
fn tcb(mode: Mode) -> i64 {
    match mode {
        Mode::Qr => cvda::QR,
        Mode::L8 | Mode::X8 => cvda::CKOPEN,
        Mode::L9 | Mode::X9 => cvda::UKOPEN,
        _ => cvda::INTERNAL,
    }
}
