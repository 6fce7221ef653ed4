//! WRITE, REWRITE, DELETE and UNLOCK.

use super::autojournal::{Event, journal};
use super::request::{Identification, Request, file_of, id_kind, identification, raised, record_from, token_of, waiter_for};
use super::strings::{settle, with_string};
use super::{FileUse, IdKind};
use crate::file_control::TaskState;
use exec::resp2::file_control as resp2;
use exec::{condition, option};
use region::{Arguments, Outcome, Raised, Task, TaskWaiter, raise};
use vsam::{FileError, Found, LockWait, Organization, Token, UnitOfWork};

pub(super) fn write(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.file_adds += 1;
    let at = file_of(task, arguments)?;
    with_string(task, at, |task| write_record(task, arguments, at))
}

fn write_record(task: &mut Task, arguments: &mut Arguments, at: usize) -> Outcome {
    let waiter = waiter_for(task, at);
    let used = &TaskState::of(&task.parts).uses[at];
    used.allow(Request::Add)?;
    let wait = task.lock_wait(&waiter, used.no_suspend(arguments)?);
    let mass_insert = arguments.has(option::MASSINSERT);
    let state = TaskState::of_mut(&mut task.parts);
    let used = &mut state.uses[at];
    record_from(used, arguments, &mut state.record)?;
    if mass_insert && used.is_own_table() {
        return raise(condition::INVREQ, resp2::NOT_FOR_DATA_TABLE);
    }
    if let Some(key) = used.file.key_in(&state.record) {
        used.check_loading(key)?;
    }
    used.check_room()?;
    // For an ESDS, RIDFLD receives the new RBA and is not an input.
    let esds = used.file.attributes().organization == Organization::Esds && !used.file.attributes().path;
    let identification = if esds { None } else { identification(used, arguments, false)? };
    used.mass_insert |= mass_insert;
    let given = identification.as_ref().map_or(&[][..], |identification| &identification.bytes[..]);
    journal(task, at, Event::WriteAdd { mass_insert }, given, &[])?;
    task.performance.file_access_method += 1;
    let id = identification.as_ref().map(|identification| identification.id());
    let insert = |task: &mut Task| {
        let state = TaskState::of_mut(&mut task.parts);
        let used = &mut state.uses[at];
        let written = used.file.write(task.recovery.unit(&task.region.store), id, &state.record, mass_insert, wait);
        used.resource.count_waits(&waiter);
        written
    };
    let written = if TaskState::of(&task.parts).uses[at].is_subtasked() { task.on_io_subtask(insert) } else { insert(task) };
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    let found = written.map_err(|error| match error {
        FileError::Length(_) => Raised::new(condition::LENGERR, resp2::RECORD_TOO_LONG),
        error => raised(error, used.definition.rls),
    })?;
    used.count_records(1);
    journal(task, at, Event::WriteAddComplete { mass_insert }, &journal_key(&found, given), &[])?;
    let used = &TaskState::of(&task.parts).uses[at];
    if used.load_mode && !used.mass_insert {
        let resource = used.resource.clone();
        resource.end_load_mode(task.region, task.number);
    }
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
    let used = &TaskState::of(&task.parts).uses[at];
    used.allow(Request::Update)?;
    let wait = task.lock_wait(&waiter, used.no_suspend(arguments)?);
    let token = token_of(arguments)?;
    let Some(hold) = used.hold_for(token) else {
        return raise(condition::INVREQ, if token.is_some() { resp2::TOKEN } else { resp2::NO_UPDATE_FOR_REWRITE });
    };
    let state = TaskState::of_mut(&mut task.parts);
    let used = &mut state.uses[at];
    record_from(used, arguments, &mut state.record)?;
    task.performance.file_access_method += 1;
    let unit = task.recovery.unit(&task.region.store);
    let token = used.lock_held(hold, unit, wait);
    let token = match token {
        Ok(token) => token,
        Err(raised) => {
            // CHANGED, or deleted: the record is no longer held.
            used.drop_hold(hold);
            settle(task, at);
            return Err(raised);
        }
    };
    let base_key = journaled_key(used, unit, token);
    let rewritten = used.file.rewrite(unit, token, &state.record, wait);
    used.resource.count_waits(&waiter);
    if rewritten.is_err() && used.holds[hold].image.is_some() {
        let _ = used.file.unlock(unit, token);
    }
    rewritten.map_err(|error| match error {
        FileError::Length(_) => Raised::new(condition::LENGERR, resp2::RECORD_TOO_LONG),
        FileError::KeyChanged => Raised::new(condition::INVREQ, resp2::KEY_CHANGED),
        error => raised(error, used.definition.rls),
    })?;
    used.count_rewrite();
    used.drop_hold(hold);
    settle(task, at);
    let Some(base_key) = base_key else { return Ok(()) };
    let key = file_key(task, at, &base_key);
    journal(task, at, Event::WriteUpdate, &key, &[])
}

/// The key of a record as the file's programs know it: of a path the alternate key in the record.
fn file_key(task: &Task, at: usize, base_key: &[u8]) -> Vec<u8> {
    let attributes = TaskState::of(&task.parts).uses[at].file.attributes();
    let end = attributes.key_position + attributes.key_length;
    let in_record = TaskState::of(&task.parts).record.get(attributes.key_position..end).filter(|_| attributes.path);
    in_record.unwrap_or(base_key).to_vec()
}

/// The base key of a held record, if the request will be journaled.
fn journaled_key(used: &FileUse, unit: &UnitOfWork, token: Token) -> Option<Vec<u8>> {
    used.definition.automatic_journal.wants_updates().then(|| used.file.held_key(unit, token)).flatten()
}

/// The identification of a new record: the key or address from the access method, else the one from the program.
fn journal_key(found: &Found, given: &[u8]) -> Vec<u8> {
    if found.key.is_empty() { given.to_vec() } else { found.key.clone() }
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
    let used = &TaskState::of(&task.parts).uses[at];
    used.allow(Request::Delete)?;
    let attributes = used.file.attributes();
    if attributes.organization == Organization::Esds {
        return raise(condition::INVREQ, resp2::DELETE_FROM_ESDS);
    }
    if arguments.has(option::GENERIC) && attributes.organization != Organization::Ksds {
        return raise(condition::INVREQ, resp2::GENERIC_DELETE_NOT_KSDS);
    }
    let wait = task.lock_wait(&waiter, used.no_suspend(arguments)?);
    let token = token_of(arguments)?;
    let identification = identification(used, arguments, false)?;
    if let Some(identification) = &identification {
        used.check_loading(&identification.bytes)?;
    }
    let hold = used.hold_for(token);
    task.performance.file_access_method += 1;
    match (identification, token, hold) {
        (Some(identification), None, _) => {
            let deleted = delete_identified(task, at, &identification, &waiter, wait)?;
            arguments.set_integer(option::NUMREC, i64::from(deleted));
            Ok(())
        }
        (_, _, Some(hold)) => delete_held(task, at, hold, wait),
        (_, Some(_), None) => raise(condition::INVREQ, resp2::TOKEN),
        (None, None, None) => raise(condition::INVREQ, resp2::NO_UPDATE_FOR_DELETE),
    }
}

/// DELETE without RIDFLD or with TOKEN: the record that was read for update.
fn delete_held(task: &mut Task, at: usize, hold: usize, wait: LockWait<'_>) -> Outcome {
    let state = TaskState::of_mut(&mut task.parts);
    let used = &mut state.uses[at];
    let unit = task.recovery.unit(&task.region.store);
    let rls = used.definition.rls;
    let token = match used.lock_held(hold, unit, wait) {
        Ok(token) => token,
        Err(raised) => {
            used.drop_hold(hold);
            return Err(raised);
        }
    };
    let base_key = journaled_key(used, unit, token);
    if base_key.is_some() {
        used.file.read_held(unit, token, &mut state.record).map_err(|error| raised(error, rls))?;
    }
    used.file.delete(unit, token, wait).map_err(|error| raised(error, rls))?;
    used.count_records(-1);
    used.drop_hold(hold);
    let Some(base_key) = base_key else { return Ok(()) };
    let path = used.file.attributes().path;
    let key = file_key(task, at, &base_key);
    journal(task, at, Event::WriteDelete, &key, if path { &base_key } else { &[] })
}

/// DELETE RIDFLD: one record, or all that begin with a generic key. Answers their number.
fn delete_identified(task: &mut Task, at: usize, wanted: &Identification, waiter: &TaskWaiter, wait: LockWait<'_>) -> Result<u32, Raised> {
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    if used.definition.automatic_journal.wants_updates() {
        return delete_each(task, at, wanted, wait);
    }
    let unit = task.recovery.unit(&task.region.store);
    let deleted = match wanted.generic {
        Some(length) => used.file.delete_generic(unit, &wanted.bytes, length, wait),
        None => used.file.delete_record(unit, wanted.id(), wait).map(|()| 1),
    };
    used.resource.count_waits(waiter);
    let deleted = deleted.map_err(|error| raised(error, used.definition.rls))?;
    used.count_records(-i64::from(deleted));
    Ok(deleted)
}

/// DELETE RIDFLD record by record, each with its journal record. Answers their number.
fn delete_each(task: &mut Task, at: usize, wanted: &Identification, wait: LockWait<'_>) -> Result<u32, Raised> {
    let mut deleted = 0;
    loop {
        let state = TaskState::of_mut(&mut task.parts);
        let used = &mut state.uses[at];
        let rls = used.definition.rls;
        let unit = task.recovery.unit(&task.region.store);
        let held = match used.file.read_update(unit, wanted.id(), wanted.search(false), wait, &mut state.record) {
            Err(FileError::NotFound) if deleted > 0 => return Ok(deleted),
            held => held.map_err(|error| raised(error, rls))?,
        };
        let (found, token) = held;
        let base_key = used.file.held_key(unit, token).unwrap_or_default();
        if let Err(error) = used.file.delete(unit, token, wait) {
            let _ = used.file.unlock(unit, token);
            return Err(raised(error, rls));
        }
        used.count_records(-1);
        deleted += 1;
        let path = used.file.attributes().path;
        journal(task, at, Event::WriteDelete, &found.key, if path { &base_key } else { &[] })?;
        if wanted.generic.is_none() {
            return Ok(deleted);
        }
    }
}

/// Releases the record of the token, or without TOKEN the one read for update without a token; also ends a mass insert. Without TOKEN,
/// having nothing to release is not an error.
pub(super) fn unlock(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let at = file_of(task, arguments)?;
    let token = token_of(arguments)?;
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    let unit = task.recovery.unit(&task.region.store);
    match (used.hold_for(token), token) {
        (Some(hold), _) => {
            if used.holds[hold].image.is_none() {
                used.file.unlock(unit, used.holds[hold].token).map_err(|error| raised(error, used.definition.rls))?;
            }
            used.drop_hold(hold);
        }
        (None, Some(_)) => return raise(condition::INVREQ, resp2::TOKEN),
        (None, None) => {}
    }
    if token.is_none() && std::mem::take(&mut used.mass_insert) {
        used.file.end_mass_insert(unit);
        if used.load_mode {
            let resource = used.resource.clone();
            resource.end_load_mode(task.region, task.number);
        }
    }
    settle(task, at);
    Ok(())
}
