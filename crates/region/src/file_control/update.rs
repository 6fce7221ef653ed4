//! WRITE, REWRITE, DELETE and UNLOCK.

use super::IdKind;
use super::request::{Request, file_of, id_kind, identification, raised, record_from, token_of, waiter_for};
use super::strings::{settle, with_string};
use crate::exec_interface::{Arguments, Outcome, Raised, raise};
use crate::transaction_manager::Task;
use exec::{condition, option};
use vsam::{FileError, Organisation};

pub(super) fn write(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.file_adds += 1;
    let at = file_of(task, arguments)?;
    with_string(task, at, |task| write_record(task, arguments, at))
}

fn write_record(task: &mut Task, arguments: &mut Arguments, at: usize) -> Outcome {
    let waiter = waiter_for(task, at);
    let used = &task.file_control.uses[at];
    used.allow(Request::Add)?;
    let wait = task.lock_wait(&waiter, used.no_suspend(arguments)?);
    let mass_insert = arguments.has(option::MASSINSERT);
    let state = &mut task.file_control;
    let used = &mut state.uses[at];
    record_from(used, arguments, &mut state.record)?;
    used.check_room()?;
    // RIDFLD of an ESDS is where the new RBA goes, not where it comes from.
    let esds = used.file.attributes().organisation == Organisation::Esds && !used.file.attributes().path;
    let identification = if esds { None } else { identification(used, arguments, false)? };
    used.mass_insert |= mass_insert;
    task.performance.file_access_method += 1;
    let unit = task.recovery.unit(&task.region.store);
    let id = identification.as_ref().map(|identification| identification.id());
    let written = used.file.write(unit, id, &state.record, mass_insert, wait);
    used.resource.count_waits(&waiter);
    let found = written.map_err(|error| match error {
        FileError::Length(_) => Raised::new(condition::LENGERR, 12),
        error => raised(error, used.definition.rls),
    })?;
    used.count_records(1);
    match id_kind(arguments) {
        IdKind::Rba if esds => arguments.set_bytes(option::RIDFLD, &(found.number as u32).to_be_bytes()),
        IdKind::Xrba if esds => arguments.set_bytes(option::RIDFLD, &found.number.to_be_bytes()),
        _ => Ok(()),
    }
}

pub(super) fn rewrite(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.file_puts += 1;
    let at = file_of(task, arguments)?;
    let waiter = waiter_for(task, at);
    let used = &task.file_control.uses[at];
    used.allow(Request::Update)?;
    let wait = task.lock_wait(&waiter, used.no_suspend(arguments)?);
    let token = token_of(arguments)?;
    let Some(hold) = used.hold_for(token) else {
        return raise(condition::INVREQ, if token.is_some() { 47 } else { 30 });
    };
    let state = &mut task.file_control;
    let used = &mut state.uses[at];
    record_from(used, arguments, &mut state.record)?;
    task.performance.file_access_method += 1;
    let unit = task.recovery.unit(&task.region.store);
    let token = used.lock_held(hold, unit, wait);
    let token = match token {
        Ok(token) => token,
        Err(raised) => {
            // CHANGED, or gone: the record is not held any more.
            used.drop_hold(hold);
            settle(task, at);
            return Err(raised);
        }
    };
    let rewritten = used.file.rewrite(unit, token, &state.record, wait);
    used.resource.count_waits(&waiter);
    if rewritten.is_err() && used.holds[hold].image.is_some() {
        let _ = used.file.unlock(unit, token);
    }
    rewritten.map_err(|error| match error {
        FileError::Length(_) => Raised::new(condition::LENGERR, 12),
        FileError::KeyChanged => Raised::new(condition::INVREQ, 46),
        error => raised(error, used.definition.rls),
    })?;
    used.drop_hold(hold);
    settle(task, at);
    Ok(())
}

pub(super) fn delete(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.file_deletes += 1;
    let at = file_of(task, arguments)?;
    if arguments.has(option::RIDFLD) {
        with_string(task, at, |task| delete_record(task, arguments, at))
    } else {
        let outcome = delete_record(task, arguments, at);
        settle(task, at);
        outcome
    }
}

fn delete_record(task: &mut Task, arguments: &mut Arguments, at: usize) -> Outcome {
    let waiter = waiter_for(task, at);
    let used = &task.file_control.uses[at];
    used.allow(Request::Delete)?;
    let attributes = used.file.attributes();
    if attributes.organisation == Organisation::Esds {
        return raise(condition::INVREQ, 21);
    }
    if arguments.has(option::GENERIC) && attributes.organisation != Organisation::Ksds {
        return raise(condition::INVREQ, 22);
    }
    let wait = task.lock_wait(&waiter, used.no_suspend(arguments)?);
    let token = token_of(arguments)?;
    let identification = identification(used, arguments, false)?;
    let hold = used.hold_for(token);
    task.performance.file_access_method += 1;
    let used = &mut task.file_control.uses[at];
    let unit = task.recovery.unit(&task.region.store);
    let rls = used.definition.rls;
    match (identification, token, hold) {
        (Some(identification), None, _) => match identification.generic {
            Some(length) => {
                let deleted = used.file.delete_generic(unit, &identification.bytes, length, wait);
                used.resource.count_waits(&waiter);
                let deleted = deleted.map_err(|error| raised(error, rls))?;
                used.count_records(-i64::from(deleted));
                arguments.set_integer(option::NUMREC, i64::from(deleted));
                Ok(())
            }
            None => {
                let deleted = used.file.delete_record(unit, identification.id(), wait);
                used.resource.count_waits(&waiter);
                deleted.map_err(|error| raised(error, rls))?;
                used.count_records(-1);
                arguments.set_integer(option::NUMREC, 1);
                Ok(())
            }
        },
        (_, _, Some(hold)) => {
            let deleted = match used.lock_held(hold, unit, wait) {
                Ok(token) => used.file.delete(unit, token, wait).map_err(|error| raised(error, rls)),
                Err(raised) => {
                    used.drop_hold(hold);
                    return Err(raised);
                }
            };
            deleted?;
            used.count_records(-1);
            used.drop_hold(hold);
            Ok(())
        }
        (_, Some(_), None) => raise(condition::INVREQ, 47),
        (None, None, None) => raise(condition::INVREQ, 31),
    }
}

/// Lets go of the record of the token, or without TOKEN of the one read for update without; also ends a mass insert. Having nothing to let
/// go of is no error without TOKEN.
pub(super) fn unlock(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let at = file_of(task, arguments)?;
    let token = token_of(arguments)?;
    let used = &mut task.file_control.uses[at];
    let unit = task.recovery.unit(&task.region.store);
    match (used.hold_for(token), token) {
        (Some(hold), _) => {
            if used.holds[hold].image.is_none() {
                used.file.unlock(unit, used.holds[hold].token).map_err(|error| raised(error, used.definition.rls))?;
            }
            used.drop_hold(hold);
        }
        (None, Some(_)) => return raise(condition::INVREQ, 47),
        (None, None) => {}
    }
    if token.is_none() && std::mem::take(&mut used.mass_insert) {
        used.file.end_mass_insert(unit);
    }
    settle(task, at);
    Ok(())
}
