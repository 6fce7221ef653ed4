//! READ, with and without UPDATE.

use super::Hold;
use super::autojournal::{Event, journal};
use super::request::{
    HOLD_BYTES, Identification, Request, deliver, duplicate, file_of, give_token, identification, raised, storage_for, waiter_for,
};
use super::strings::with_string;
use super::table_load::Place;
use crate::file_control::TaskState;
use csd::ReadIntegrity;
use exec::resp2::file_control as resp2;
use exec::{condition, option};
use region::exec_interface::delivery::lies;
use region::{Arguments, Outcome, Raised, Task, raise};
use vsam::{Found, Search};

pub(super) fn read(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.file_gets += 1;
    let at = file_of(task, arguments)?;
    with_string(task, at, |task| read_record(task, arguments, at))
}

fn read_record(task: &mut Task, arguments: &mut Arguments, at: usize) -> Outcome {
    let used = &TaskState::of(&task.parts).uses[at];
    used.allow(Request::Read)?;
    let by_token = arguments.has(option::TOKEN);
    let update = by_token || arguments.has(option::UPDATE);
    if update {
        used.allow(Request::Update)?;
    }
    let no_suspend = used.no_suspend(arguments)?;
    let integrity = used.integrity(arguments)?;
    let fixed = used.definition.fixed;
    let Some(identification) = identification(used, arguments, false)? else { return raise(condition::INVREQ, resp2::KEY_LENGTH) };
    if update && !by_token && used.hold_for(None).is_some() {
        return raise(condition::INVREQ, resp2::UPDATE_HELD);
    }
    used.check_loaded()?;
    let exact = identification.generic.is_none() && !arguments.has(option::GTEQ);
    let source = if update {
        used.check_table_update(exact)?;
        used.check_loading(&identification.bytes)?;
        None
    } else {
        match used.place_of_read(&identification.bytes, exact)? {
            Place::Source(source) => Some(source),
            Place::Table => None,
        }
    };
    let wants_storage = arguments.has(option::SET);
    let found = if let Some(source) = source {
        let unit = task.recovery.unit(&task.region.store);
        let read = source.read(unit, identification.id(), vsam::Search::EQUAL, &mut TaskState::of_mut(&mut task.parts).record);
        read.map_err(|error| raised(error, false))?
    } else if update && used.by_contention() {
        let found = read_plain(task, at, arguments.has(option::GTEQ), &identification)?;
        let state = TaskState::of_mut(&mut task.parts);
        let token = state.uses[at].hold_by_contention(task.region, (&found.key, &state.record), by_token)?;
        if by_token {
            give_token(arguments, token)?;
        }
        found
    } else if update {
        read_for_update(task, arguments, at, &identification, Purpose { by_token, no_suspend })?
    } else if integrity != ReadIntegrity::Uncommitted {
        let search = identification.search(arguments.has(option::GTEQ));
        read_shared(task, at, search, &identification, integrity == ReadIntegrity::Repeatable, no_suspend)?
    } else {
        read_plain(task, at, arguments.has(option::GTEQ), &identification)?
    };
    journal(task, at, if update { Event::ReadUpdate } else { Event::ReadOnly }, &found.key, &[])?;
    let address = if wants_storage { Some(storage(task, at, update)?) } else { None };
    let delivered = deliver(arguments, &TaskState::of(&task.parts).record, fixed, address)?;
    delivered?;
    duplicate(&found)
}

/// The SET storage of the record: an update has its own, other reads share theirs.
fn storage(task: &mut Task, at: usize, update: bool) -> Result<usize, Raised> {
    if !update {
        let line = task.set_line();
        if let Some(address) = TaskState::of(&task.parts).uses[at].storage.filter(|address| lies(*address, line)) {
            return Ok(address);
        }
        let address = storage_for(task, at)?;
        let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
        used.spare_storage.extend(used.storage.replace(address));
        return Ok(address);
    }
    let address = storage_for(task, at)?;
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    match used.holds.last_mut() {
        Some(hold) => hold.storage = Some(address),
        None => used.spare_storage.push(address),
    }
    Ok(address)
}

#[inline]
fn read_plain(task: &mut Task, at: usize, greater_or_equal: bool, wanted: &Identification) -> Result<Found, Raised> {
    task.performance.file_access_method += 1;
    if TaskState::of(&task.parts).uses[at].file.is_contended() {
        await_interval(task, at, greater_or_equal, wanted)?;
    }
    let state = TaskState::of_mut(&mut task.parts);
    let used = &state.uses[at];
    let unit = task.recovery.unit(&task.region.store);
    let search = wanted.search(greater_or_equal);
    let read = used.file.read(unit, wanted.id(), search, &mut state.record);
    read.map_err(|error| raised(used.or_loading(error), used.definition.rls))
}

/// Waits while another task has exclusive control of the interval of the record.
#[cold]
fn await_interval(task: &mut Task, at: usize, greater_or_equal: bool, wanted: &Identification) -> Outcome {
    let waiter = waiter_for(task, at);
    let wait = task.lock_wait(&waiter, false);
    let used = &TaskState::of(&task.parts).uses[at];
    let unit = task.recovery.unit(&task.region.store);
    let free = used.file.await_interval(unit, wanted.id(), wanted.search(greater_or_equal), wait);
    free.map_err(|error| raised(error, used.definition.rls))
}

/// How a record is read for update.
struct Purpose {
    by_token: bool,
    no_suspend: bool,
}

/// READ UPDATE: the record is locked until it is rewritten or released.
fn read_for_update(
    task: &mut Task,
    arguments: &mut Arguments,
    at: usize,
    wanted: &Identification,
    purpose: Purpose,
) -> Result<Found, Raised> {
    task.performance.file_access_method += 1;
    let waiter = waiter_for(task, at);
    let wait = task.lock_wait(&waiter, purpose.no_suspend);
    let state = TaskState::of_mut(&mut task.parts);
    let used = &mut state.uses[at];
    let rls = used.definition.rls;
    let unit = task.recovery.unit(&task.region.store);
    let charge = used.charge_for(task.region, used.holds.len(), HOLD_BYTES)?;
    let search = wanted.search(arguments.has(option::GTEQ));
    let result = used.file.read_update(unit, wanted.id(), search, wait, &mut state.record);
    used.resource.count_waits(&waiter);
    let (found, token) = result.map_err(|error| raised(error, rls))?;
    used.holds.push(Hold { token, by_token: purpose.by_token, storage: None, image: None, _charge: charge });
    if purpose.by_token {
        give_token(arguments, token)?;
    }
    Ok(found)
}

/// A read with integrity shares the record with other readers: REPEATABLE to the end of the unit of work, CONSISTENT while it is read.
fn read_shared(
    task: &mut Task,
    at: usize,
    search: Search,
    wanted: &Identification,
    repeatable: bool,
    no_suspend: bool,
) -> Result<Found, Raised> {
    task.performance.file_access_method += 1;
    let waiter = waiter_for(task, at);
    let wait = task.lock_wait(&waiter, no_suspend);
    let state = TaskState::of_mut(&mut task.parts);
    let used = &mut state.uses[at];
    let unit = task.recovery.unit(&task.region.store);
    let found = used.file.read_shared(unit, wanted.id(), search, repeatable, wait, &mut state.record);
    used.resource.count_waits(&waiter);
    found.map_err(|error| raised(error, used.definition.rls))
}
