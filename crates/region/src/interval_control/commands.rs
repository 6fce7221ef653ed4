//! DELAY, START, START CHANNEL, START ATTACH, RETRIEVE, CANCEL and POST.

use super::drop_post;
use super::exits::{self, DataFunction, ExpiredElement};
use super::pending::Cancelled;
use super::pending::Issuer;
use super::start::StartRequest;
use super::times::{Due, due};
use crate::changes::{self, Change};
use crate::clock::{Abstime, now_local};
use crate::control_blocks::origin::Ancestry;
use crate::interval_control::IntervalControl;
use crate::interval_control::TaskState;
use crate::name::{Name4, Name8, resized};
use crate::{Arguments, Handler, Outcome, Raised, Region, StartData, Task, raise, raise_length};
use exec::resp2::interval_control as resp2;
use exec::{CommandId, command, condition, eib, option};
use kernel::storage::Getmain;
use kernel::{Name16, Resumed, Wait};
use std::sync::Arc;
use std::time::Duration;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::INQUIRE_REQID, super::inquire::inquire),
        (command::DELAY, delay),
        (command::START, start),
        (command::START_CHANNEL, start),
        (command::START_ATTACH, start_attach),
        (command::RETRIEVE, retrieve),
        (command::CANCEL, cancel),
        (command::POST, post),
    ]
}

/// Longest START data: a halfword length.
const DATA_BYTES_MAX: i64 = 32_763;

fn set_request_id(task: &mut Task, id: Name8) {
    task.eib.set_name(eib::EIBREQID, &id, &task.region.code_page);
}

fn delay(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.interval_total += 1;
    let now = now_local();
    let wake_at = match due(arguments, now)? {
        Due::Now => {
            return task.give_way();
        }
        Due::Expired => return raise(condition::EXPIRED, resp2::NONE),
        Due::At(time) => time,
    };
    drop_post(task);
    let interval = &IntervalControl::of(task.region);
    let id: Name8 = arguments.name(option::REQID)?.unwrap_or_else(|| interval.new_request_id());
    let time = Duration::from_millis((wake_at.0 - now.0).max(0) as u64);
    let wait = Wait::new("ICWAIT").named(resized::<8, 16>(&id)).timeout(time);
    // CANCEL REQID ends the wait early; that raises no condition.
    let waker = task.kernel.waker();
    let issuer = Issuer { transid: task.transid, user_id: task.user_id, due: wake_at };
    interval.add_delay(id, waker, issuer);
    let resumed = task.kernel.suspend(&wait);
    interval.remove_delay(id);
    set_request_id(task, id);
    match resumed {
        Resumed::Purged(_) => Err(Raised::Abend(Box::new(Task::purge_abend()))),
        Resumed::TimedOut => exits::call_expired(task, &ExpiredElement::of_task(id)),
        Resumed::Posted(_) => Ok(()),
    }
}

/// One more automatic initiate descriptor, for the rules that are about their number.
fn tell_aids(region: &'static Region, transid: Name4) {
    if region.changes.is_watched(changes::kind::AIDS) {
        let queued: usize = region.terminals.all().iter().map(|terminal| terminal.starts_queued().len()).sum();
        let count = u32::try_from(queued + 1).unwrap_or(u32::MAX);
        region.changes.tell(region, Change::Aids { transid: transid.as_str(), count });
    }
}

fn start(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.starts += 1;
    task.performance.interval_total += 1;
    let transid: Name4 = arguments.name(option::TRANSID)?.unwrap_or_default();
    let due = match due(arguments, now_local())? {
        Due::Now | Due::Expired => None,
        Due::At(time) => Some(time),
    };
    let region = task.region;
    let terminal: Option<Name4> = arguments.name(option::TERMID)?;
    if terminal.is_some_and(|name| region.terminals.find(name).is_none()) {
        return raise(condition::TERMIDERR, resp2::NONE);
    }
    startable(task, transid)?;
    let data = start_data(task, arguments)?;
    let request_id = data.request_id;
    let is_protected = TaskState::of(&task.parts).protected.iter().any(|request| request.request_id == request_id);
    if is_protected || IntervalControl::of(region).is_pending(request_id) {
        return raise(condition::IOERR, resp2::NONE);
    }
    drop_post(task);
    // A START for a terminal runs under the user signed on there; any other under the starter's user unless USERID is given.
    let named = named_user(task, arguments)?;
    let user_id = named.unwrap_or(if terminal.is_some() { Name8::BLANK } else { task.user_id });
    // A task started at a terminal is a new point of origin (Intercommunication, "Origin data characteristics").
    let ancestry = if terminal.is_some() { None } else { Some(Arc::new(Ancestry::from(&task.shared))) };
    if terminal == Some(task.terminal_name()) && due.is_none() && arguments.has(option::FROM) {
        tell_aids(region, transid);
    }
    let request = StartRequest { request_id, transid, terminal, user_id, ancestry, data, due };
    set_request_id(task, request_id);
    let kept = exits::data_function(task, DataFunction::Put, request_id, request.data.data.as_deref())?;
    if arguments.has(option::PROTECT) {
        TaskState::of_mut(&mut task.parts).protected.push(request);
        task.touch_unit_of_work();
    } else {
        IntervalControl::of(region).schedule(region, request);
    }
    kept.ended(task)
}

/// USERID of START, for whom the task may start work.
fn named_user(task: &Task, arguments: &Arguments) -> Result<Option<Name8>, Raised> {
    let named: Option<Name8> = arguments.name(option::USERID)?;
    if let (Some(user), Some(authority)) = (named, task.region.extensions.authority()) {
        authority.may_start_for(task, user)?;
    }
    Ok(named)
}

/// The transaction is there, and may still be started when the region is being shut down.
fn startable(task: &Task, transid: Name4) -> Outcome {
    let Some(transaction) = task.region.transactions().find(transid) else { return raise(condition::TRANSIDERR, resp2::NONE) };
    if task.region.transactions().is_quiescing() && !transaction.definition().shutdown_enabled {
        return raise(condition::INVREQ, resp2::SHUTDOWN);
    }
    Ok(())
}

fn start_data(task: &mut Task, arguments: &Arguments) -> Result<StartData, Raised> {
    let mut data = StartData {
        request_id: arguments.name(option::REQID)?.unwrap_or_else(|| IntervalControl::of(task.region).new_request_id()),
        return_transid: arguments.name(option::RTRANSID)?,
        return_terminal: arguments.name(option::RTERMID)?,
        queue: arguments.name(option::QUEUE)?,
        function_management_header: arguments.has(option::FMH),
        ..StartData::default()
    };
    if let Some(area) = arguments.area(option::FROM) {
        let length = arguments.integer(option::LENGTH).unwrap_or(area.length as i64);
        if !(1..=DATA_BYTES_MAX).contains(&length) {
            return raise(condition::LENGERR, resp2::NONE);
        }
        data.data = arguments.bytes_of_length(option::FROM, length as usize)?;
    }
    if let Some(name) = arguments.name(option::CHANNEL)? {
        let channel = task.channel_to_pass(name)?;
        data.channel = Some(task.copied_channel(&channel)?);
    }
    data.element = Some(super::element::obtain(task, data.data.as_ref().map_or(0, Vec::len))?);
    Ok(data)
}

/// START ATTACH: attaches a task at once, outside interval control.
fn start_attach(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let transid: Name4 = arguments.name(option::TRANSID)?.unwrap_or_default();
    startable(task, transid)?;
    let data = start_data(task, arguments)?;
    let (request_id, user_id) = (data.request_id, task.user_id);
    let request = StartRequest { request_id, transid, terminal: None, user_id, ancestry: None, data, due: None };
    task.performance.starts += 1;
    request.expire(task.region);
    Ok(())
}

/// The next data for this task: its own START's, then that of later STARTs for the same transaction and terminal.
fn next_data(task: &mut Task) -> Option<StartData> {
    if let Some(data) = TaskState::of_mut(&mut task.parts).retrievable.pop_front() {
        return Some(data);
    }
    let transid = task.transid;
    let data = task.facility.terminal().and_then(|terminal| terminal.take_start_data(transid))?;
    super::persistent::started_by(task, &data);
    Some(data)
}

fn retrieve(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.interval_total += 1;
    // A task without a terminal has only the data of its own START, so it never waits.
    let waits = arguments.has(option::WAIT) && task.facility.terminal().is_some();
    let mut found = next_data(task);
    let data = loop {
        found = match found {
            Some(data) if data.has_data() => break data,
            Some(_) => next_data(task),
            None if waits && !task.region.transactions().is_quiescing() => wait_for_data(task)?,
            None => return raise(condition::ENDDATA, resp2::NONE),
        }
    };
    set_request_id(task, data.request_id);
    TaskState::of_mut(&mut task.parts).retrieved |= data.data.is_some() && !data.persistent;
    // Requesting an option that the START did not give is an error of the pair of programs.
    let asked = |option, given: bool| arguments.has(option) && !given;
    let missing = asked(option::INTO, data.data.is_some())
        || asked(option::SET, data.data.is_some())
        || asked(option::RTRANSID, data.return_transid.is_some())
        || asked(option::RTERMID, data.return_terminal.is_some())
        || asked(option::QUEUE, data.queue.is_some());
    if missing {
        return raise(condition::ENVDEFERR, resp2::NONE);
    }
    if let Some(name) = &data.return_transid {
        arguments.set_name(option::RTRANSID, name)?;
    }
    if let Some(name) = &data.return_terminal {
        arguments.set_name(option::RTERMID, name)?;
    }
    if let Some(name) = &data.queue {
        arguments.set_name(option::QUEUE, name)?;
    }
    let bytes = data.data.as_deref().unwrap_or_default();
    let function = if arguments.has(option::SET) { DataFunction::GetReleaseSet } else { DataFunction::GetRelease };
    let given = exits::data_function(task, function, data.request_id, data.data.as_deref())?;
    let delivered = deliver(task, arguments, bytes);
    given.ended(task)?;
    delivered
}

/// RETRIEVE WAIT: waits until a START for this transaction and terminal is due, or the region stops.
fn wait_for_data(task: &mut Task) -> Result<Option<StartData>, Raised> {
    let region = task.region;
    let terminal = task.terminal_name();
    IntervalControl::of(region).add_retriever(terminal, task.transid, task.kernel.waker());
    // Data that arrived before the task was registered notified no one.
    let data = next_data(task);
    if data.is_some() || region.transactions().is_quiescing() {
        task.kernel.abandon_wait();
        return Ok(data);
    }
    task.suspend_until_deadlock_timeout(Wait::new("ICWAIT").named(Name16::new(task.transid.as_str())))?;
    Ok(None)
}

fn deliver(task: &mut Task, arguments: &mut Arguments, data: &[u8]) -> Outcome {
    if arguments.has(option::SET) {
        let address = task.level_storage(data)?;
        arguments.set_integer(option::SET, address as i64);
        arguments.set_integer(option::LENGTH, data.len() as i64);
        return Ok(());
    }
    let Some(area) = arguments.area(option::INTO) else { return Ok(()) };
    let room = arguments.integer(option::LENGTH).unwrap_or(area.length as i64).max(0) as usize;
    arguments.set_bytes_unbounded(option::INTO, &data[..data.len().min(room)])?;
    arguments.set_integer(option::LENGTH, data.len() as i64);
    if data.len() > room { raise_length(resp2::NONE, room as i64, data.len() as i64) } else { Ok(()) }
}

fn cancel(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.interval_total += 1;
    // The forms of business transaction services cancel an activity or a process, of which there are none.
    if [option::ACTIVITY, option::ACQACTIVITY, option::ACQPROCESS].into_iter().any(|option| arguments.has(option)) {
        return raise(condition::ACTIVITYERR, resp2::NO_ACTIVITY);
    }
    let own_post = TaskState::of(&task.parts).post;
    let id = arguments.name(option::REQID)?.or(own_post);
    let Some(id) = id else { return raise(condition::INVREQ, resp2::NONE) };
    if own_post == Some(id) {
        // The effect is as if the task had never issued its POST, whether or not it has expired.
        drop_post(task);
        set_request_id(task, id);
        return Ok(());
    }
    set_request_id(task, id);
    // A START with PROTECT can be cancelled only when it has been committed.
    let has_data = IntervalControl::of(task.region).has_data(id);
    let released = exits::data_function(task, DataFunction::Release, id, has_data.then_some(&[][..]))?;
    let cancelled = match IntervalControl::of(task.region).cancel(task.region, id) {
        Cancelled::Yes => Ok(()),
        Cancelled::NotFound => raise(condition::NOTFND, resp2::NONE),
        Cancelled::Persistent => super::persistent::remove_cancelled(task, id),
    };
    released.ended(task)?;
    cancelled
}

fn post(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.interval_total += 1;
    let now = now_local();
    let due = match due(arguments, now)? {
        Due::Expired => return raise(condition::EXPIRED, resp2::NONE),
        Due::Now => Abstime(now.0),
        Due::At(time) => time,
    };
    drop_post(task);
    let request = Getmain { length: 8, line: task.set_line(), key: task.data_key(), initial: Some(0) };
    let area = task.getmain(request, false)?;
    let region = task.region;
    let request_id: Name8 = arguments.name(option::REQID)?.unwrap_or_else(|| IntervalControl::of(region).new_request_id());
    let issuer = Issuer { transid: task.transid, user_id: task.user_id, due };
    IntervalControl::of(region).add_post(region, request_id, area, issuer);
    TaskState::of_mut(&mut task.parts).post = Some(request_id);
    crate::event_wait::TaskState::of_mut(&mut task.parts).timer_area = Some(area);
    set_request_id(task, request_id);
    arguments.set_integer(option::SET, area as i64);
    Ok(())
}
