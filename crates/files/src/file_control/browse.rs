//! STARTBR, READNEXT, READPREV, RESETBR and ENDBR.
//!
//! A browse is identified by file and REQID (default 0). STARTBR reads nothing. RIDFLD belongs to the program: its value at a request is
//! compared with the value the last request stored there, and a difference repositions the browse.

use super::autojournal::{Event, journal};
use super::request::{
    BROWSE_BYTES, HOLD_BYTES, Identification, Request, deliver, duplicate, file_of, give_token, id_kind, identification, raised, record_id,
    storage_for, waiter_for,
};
use super::strings::{settle, with_string};
use super::table_load::or_loading;
use super::{FileUse, Hold, IdKind, OpenBrowse};
use crate::file_control::TaskState;
use csd::ReadIntegrity;
use exec::resp2::file_control as resp2;
use exec::{condition, option};
use region::exec_interface::delivery::lies;
use region::{Arguments, Outcome, Raised, Task, raise, storage_access};
use smallvec::SmallVec;
use vsam::store::Charge;
use vsam::{Direction, FileError, Found, Search};

fn request_id(arguments: &Arguments) -> i64 {
    arguments.integer(option::REQID).unwrap_or(0)
}

fn browse_of(used: &FileUse, arguments: &Arguments, missing: i32) -> Result<usize, Raised> {
    let wanted = request_id(arguments);
    let found = used.browses.iter().position(|browse| browse.request_id == wanted);
    found.ok_or(Raised::new(condition::INVREQ, missing))
}

/// GTEQ is the default by key and record number; an address is that of a record, or the beginning or end.
fn greater_or_equal(arguments: &Arguments, kind: IdKind) -> bool {
    matches!(kind, IdKind::Key | IdKind::Rrn) && !arguments.has(option::EQUAL)
}

pub(super) fn start(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let at = file_of(task, arguments)?;
    with_string(task, at, |task| start_browse(task, arguments, at))
}

fn start_browse(task: &mut Task, arguments: &mut Arguments, at: usize) -> Outcome {
    task.performance.file_access_method += 1;
    let waiter = waiter_for(task, at);
    let wait = task.lock_wait(&waiter, false);
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    used.allow(Request::Browse)?;
    if browse_of(used, arguments, resp2::NONE).is_ok() {
        return raise(condition::INVREQ, resp2::REQID_IN_USE);
    }
    let Some(identification) = identification(used, arguments, true)? else { return raise(condition::INVREQ, resp2::KEY_LENGTH) };
    used.check_loaded()?;
    used.check_loading(&identification.bytes)?;
    let charge = used.charge_for(task.region, used.browses.len(), BROWSE_BYTES)?;
    let greater_or_equal = greater_or_equal(arguments, identification.kind);
    let search = identification.search(greater_or_equal);
    let unit = task.recovery.unit(&task.region.store);
    let started = used.file.start_browse(unit, identification.id(), search).and_then(|mut browse| {
        browse.settle_control(unit, wait, &mut Vec::new())?;
        Ok(browse)
    });
    let browse = started.map_err(|error| raised(error, used.definition.rls))?;
    used.browses.push(OpenBrowse {
        request_id: request_id(arguments),
        browse,
        kind: identification.kind,
        generic: identification.generic.is_some(),
        greater_or_equal,
        storage: None,
        token: None,
        _charge: charge,
    });
    Ok(())
}

pub(super) fn reset(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let at = file_of(task, arguments)?;
    task.performance.file_access_method += 1;
    let waiter = waiter_for(task, at);
    let wait = task.lock_wait(&waiter, false);
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    used.allow(Request::Browse)?;
    let which = browse_of(used, arguments, resp2::NO_BROWSE_FOR_RESETBR)?;
    let Some(identification) = identification(used, arguments, true)? else { return raise(condition::INVREQ, resp2::KEY_LENGTH) };
    let unit = task.recovery.unit(&task.region.store);
    let open = &mut used.browses[which];
    // Without EQUAL or GTEQ the browse restarts with the defaults.
    let greater_or_equal = greater_or_equal(arguments, identification.kind);
    let result = open.browse.reset(unit, identification.id(), identification.search(greater_or_equal));
    let result = result.and_then(|()| open.browse.settle_control(unit, wait, &mut Vec::new()));
    result.map_err(|error| raised(error, used.definition.rls))?;
    open.kind = identification.kind;
    open.generic = identification.generic.is_some();
    open.greater_or_equal = greater_or_equal;
    Ok(())
}

pub(super) fn end(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let at = file_of(task, arguments)?;
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    let which = browse_of(used, arguments, resp2::NO_BROWSE_FOR_ENDBR)?;
    let_go_of_token(task, at, which)?;
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    let ended = used.browses.swap_remove(which);
    used.spare_storage.extend(ended.storage);
    settle(task, at);
    Ok(())
}

/// A browse has one TOKEN at a time: that of its last request with UPDATE is valid until the next request or ENDBR. A record held by it
/// that was neither rewritten nor deleted is released.
fn let_go_of_token(task: &mut Task, at: usize, which: usize) -> Outcome {
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    let Some(token) = used.browses[which].token.take() else { return Ok(()) };
    let Some(hold) = used.hold_for(Some(token)) else { return Ok(()) };
    let unit = task.recovery.unit(&task.region.store);
    used.file.unlock(unit, token).map_err(|error| raised(error, used.definition.rls))?;
    used.drop_hold(hold);
    Ok(())
}

pub(super) fn next(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    advance(task, arguments, Direction::Forward)
}

pub(super) fn previous(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    advance(task, arguments, Direction::Backward)
}

/// One READNEXT or READPREV.
fn advance(task: &mut Task, arguments: &mut Arguments, direction: Direction) -> Outcome {
    task.performance.file_browses += 1;
    let at = file_of(task, arguments)?;
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    used.allow(Request::Browse)?;
    let which = browse_of(
        used,
        arguments,
        if direction == Direction::Forward { resp2::NO_BROWSE_FOR_READNEXT } else { resp2::NO_BROWSE_FOR_READPREV },
    )?;
    let by_token = arguments.has(option::TOKEN);
    let update = by_token || arguments.has(option::UPDATE);
    if update && !used.definition.rls {
        return raise(condition::INVREQ, resp2::UPDATE_WITHOUT_RLS);
    }
    if update {
        used.allow(Request::Update)?;
    }
    if update && !by_token && used.hold_for(None).is_some() {
        return raise(condition::INVREQ, resp2::UPDATE_HELD);
    }
    let no_suspend = used.no_suspend(arguments)?;
    let integrity = used.integrity(arguments)?;
    if id_kind(arguments) != used.browses[which].kind {
        return raise(condition::INVREQ, resp2::IDENTIFICATION_CHANGED);
    }
    if direction == Direction::Backward && used.browses[which].generic {
        return raise(condition::INVREQ, resp2::PREVIOUS_AFTER_GENERIC);
    }
    let Some(area) = arguments.area(option::RIDFLD) else { return raise(condition::INVREQ, resp2::KEY_LENGTH) };
    let fixed = used.definition.fixed;
    let_go_of_token(task, at, which)?;
    let key = position(task, arguments, at, which, area.address)?;
    let wanted = Wanted { key, direction, update, by_token, integrity, no_suspend };
    let found = step(task, arguments, at, which, &wanted)?;
    journal(task, at, if update { Event::ReadUpdate } else { Event::ReadOnly }, &found.key, &[])?;
    give_id(TaskState::of(&task.parts).uses[at].browses[which].kind, &found, area.address)?;
    let address = if arguments.has(option::SET) { Some(storage(task, at, which, update)?) } else { None };
    let delivered = deliver(arguments, &TaskState::of(&task.parts).record, fixed, address)?;
    delivered?;
    duplicate(&found)
}

struct Wanted {
    key: Identification,
    direction: Direction,
    update: bool,
    by_token: bool,
    integrity: ReadIntegrity,
    no_suspend: bool,
}

/// The value of RIDFLD. A KEYLENGTH other than the full key's makes a generic browse start again at a generic key of that length.
fn position(task: &mut Task, arguments: &Arguments, at: usize, which: usize, address: usize) -> Result<Identification, Raised> {
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    let rls = used.definition.rls;
    let open = &mut used.browses[which];
    let length = match open.kind {
        IdKind::Key => used.key_length,
        IdKind::Xrba => 8,
        IdKind::Rba | IdKind::Rrn => 4,
    };
    let mut bytes: SmallVec<[u8; 64]> = SmallVec::from_elem(0, length);
    if storage_access::read(address, &mut bytes).is_err() {
        // A generic RIDFLD item may be shorter than the key: its readable part is used.
        let readable = arguments.area(option::RIDFLD).map_or(0, |area| area.length.min(length));
        storage_access::read(address, &mut bytes[..readable])?;
    }
    let identification = Identification { kind: open.kind, bytes, generic: None };
    if open.kind == IdKind::Key
        && let Some(key_length) = arguments.integer(option::KEYLENGTH)
        && key_length != length as i64
    {
        if !open.generic {
            return raise(condition::INVREQ, resp2::KEY_LENGTH);
        }
        if key_length < 0 {
            return raise(condition::INVREQ, resp2::GENERIC_KEY_NEGATIVE);
        }
        if key_length > length as i64 {
            return raise(condition::INVREQ, resp2::GENERIC_KEY_TOO_LONG);
        }
        let unit = task.recovery.unit(&task.region.store);
        let search = Search { greater_or_equal: open.greater_or_equal, generic: Some(key_length as usize) };
        open.browse.reset(unit, identification.id(), search).map_err(|error| raised(error, rls))?;
    }
    Ok(identification)
}

fn step(task: &mut Task, arguments: &mut Arguments, at: usize, which: usize, wanted: &Wanted) -> Result<Found, Raised> {
    task.performance.file_access_method += 1;
    let waiter = waiter_for(task, at);
    let wait = task.lock_wait(&waiter, wanted.no_suspend);
    let state = TaskState::of_mut(&mut task.parts);
    let used = &mut state.uses[at];
    let rls = used.definition.rls;
    let unit = task.recovery.unit(&task.region.store);
    let charge = if wanted.update { used.charge_for(task.region, used.holds.len(), HOLD_BYTES)? } else { Charge::default() };
    let browse = &mut used.browses[which].browse;
    let id = record_id(wanted.key.kind, &wanted.key.bytes);
    let record = &mut state.record;
    let loading = &used.loading;
    let failed = |error: FileError| raised(or_loading(loading.as_deref(), error), rls);
    if !wanted.update && wanted.integrity == ReadIntegrity::Uncommitted {
        let found = match wanted.direction {
            Direction::Forward => browse.next(unit, id, record),
            Direction::Backward => browse.previous(unit, id, record),
        };
        let found = found.and_then(|found| browse.settle_control(unit, wait, record).map(|()| found));
        return found.map_err(failed);
    }
    if !wanted.update {
        let how = (wanted.direction, wanted.integrity == ReadIntegrity::Repeatable);
        let found = browse.step_shared(unit, id, how, wait, record).map_err(failed)?;
        used.resource.count_waits(&waiter);
        return Ok(found);
    }
    let (found, token) = match wanted.direction {
        Direction::Forward => browse.next_update(unit, id, wait, record),
        Direction::Backward => browse.previous_update(unit, id, wait, record),
    }
    .map_err(failed)?;
    used.resource.count_waits(&waiter);
    used.holds.push(Hold { token, by_token: wanted.by_token, storage: None, image: None, _charge: charge });
    if wanted.by_token {
        used.browses[which].token = Some(token);
        give_token(arguments, token)?;
    }
    Ok(found)
}

/// RIDFLD gets the identification of the record found.
fn give_id(kind: IdKind, found: &Found, address: usize) -> Outcome {
    match kind {
        IdKind::Key => storage_access::write(address, &found.key)?,
        IdKind::Rba => storage_access::write(address, &(found.number as u32).to_be_bytes())?,
        IdKind::Xrba => storage_access::write(address, &found.number.to_be_bytes())?,
        IdKind::Rrn => storage_access::write(address, &(found.number as u32).to_be_bytes())?,
    }
    Ok(())
}

/// The SET storage of the record: each browse has its own, and so has a record held for update.
fn storage(task: &mut Task, at: usize, which: usize, update: bool) -> Result<usize, Raised> {
    let line = task.set_line();
    if !update && let Some(address) = TaskState::of(&task.parts).uses[at].browses[which].storage.filter(|address| lies(*address, line)) {
        return Ok(address);
    }
    let address = storage_for(task, at)?;
    let used = &mut TaskState::of_mut(&mut task.parts).uses[at];
    match used.holds.last_mut() {
        Some(hold) if update => hold.storage = Some(address),
        _ => used.spare_storage.extend(used.browses[which].storage.replace(address)),
    }
    Ok(address)
}
