//! CREATE, INQUIRE, SET and DISCARD DB2CONN.

use crate::Attachment;
use crate::attributes::{
    AUTHORIZATION_TYPE, COMMAND_AUTHORIZATION_TYPE, Choices, cvda_of, given, inquire as inquire_threads, name_given, name4_given,
    set as set_threads,
};
use crate::connection::{self, Manner, NotConnected};
use crate::state::Status;
use csd::{Db2ConnDefinition, StandbyMode, ThreadError};
use exec::resp2::db2 as resp2;
use exec::{CommandId, command, condition, cvda, option};
use kernel::name::{Name4, Name8};
use kernel::{Mode, Wait};
use region::creation;
use region::inquiry::{attribute, checked, either, give_signature, number, switch};
use region::{Arguments, Handler, Outcome, Raised, Task, raise};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::CREATE_DB2CONN, create_connection),
        (command::DISCARD_DB2CONN, discard),
        (command::INQUIRE_DB2CONN, inquire),
        (command::SET_DB2CONN, set),
    ]
}

const STANDBY: Choices<StandbyMode> = &[
    (option::NOCONNECT, cvda::NOCONNECT, StandbyMode::NoConnect),
    (option::CONNECT, cvda::CONNECT, StandbyMode::Connect),
    (option::RECONNECT, cvda::RECONNECT, StandbyMode::Reconnect),
];

fn create_connection(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    creation::create(task, arguments, "DB2CONN", option::DB2CONN)
}

/// The entries and transactions go with it.
fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let name: Name8 = arguments.name(option::DB2CONN)?.unwrap_or_default();
    let (entries, transactions) = {
        let mut state = Attachment::of(region).state.lock();
        if state.connection.as_ref().is_none_or(|connection| connection.name != name) {
            return raise(condition::NOTFND, resp2::NOT_FOUND);
        }
        if state.status != Status::NotConnected {
            return raise(condition::INVREQ, resp2::CONNECTED);
        }
        state.connection = None;
        (std::mem::take(&mut state.entries), std::mem::take(&mut state.transactions))
    };
    {
        let mut installed = region.installed.write();
        installed.remove("DB2CONN", name.as_str().trim_end());
        entries.keys().for_each(|name| drop(installed.remove("DB2ENTRY", name.as_str().trim_end())));
        transactions.keys().for_each(|name| drop(installed.remove("DB2TRAN", name.as_str().trim_end())));
    }
    region.messages.send("DFHDB2103", &[("name", name.as_str().trim_end())]);
    Ok(())
}

fn status_cvda(status: Status) -> i64 {
    match status {
        Status::NotConnected => cvda::NOTCONNECTED,
        Status::Connecting => cvda::CONNECTING,
        Status::Connected => cvda::CONNECTED,
        Status::Disconnecting => cvda::DISCONNING,
    }
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let (connection, status, release, tcbs, threads, commands) = {
        let state = Attachment::of(region).state.lock();
        let Some(connection) = state.connection.clone() else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
        let numbers = (state.tcbs.current, state.pool.in_use.current, state.command.in_use.current);
        (connection, state.status, state.release.clone(), numbers.0, numbers.1, numbers.2)
    };
    inquire_threads(arguments, &connection.pool)?;
    let command_type = match connection.command_authorization_id.is_blank() {
        true => cvda_of(COMMAND_AUTHORIZATION_TYPE, connection.command_authorization_type),
        false => cvda::NOTAPPLIC,
    };
    arguments.set_integers([
        (option::COMAUTHTYPE, command_type),
        (option::COMTHREADLIM, connection.command_limit.into()),
        (option::COMTHREADS, commands.into()),
        (option::CONNECTERROR, either(connection.connect_error_abends, cvda::ABEND, cvda::SQLCODE)),
        (option::CONNECTST, status_cvda(status)),
        (option::NONTERMREL, either(connection.non_terminal_release, cvda::RELEASE, cvda::NORELEASE)),
        (option::PURGECYCLEM, connection.purge_minutes.into()),
        (option::PURGECYCLES, connection.purge_seconds.into()),
        (option::RESYNCMEMBER, either(connection.resynchronize_member, cvda::RESYNC, cvda::NORESYNC)),
        (option::REUSELIMIT, connection.reuse_limit.into()),
        (option::STANDBYMODE, cvda_of(STANDBY, connection.standby)),
        (option::TCBLIMIT, connection.tcb_limit.into()),
        (option::TCBS, tcbs.into()),
        (option::THREADERROR, thread_error_cvda(connection.thread_error)),
        (option::THREADS, threads.into()),
    ]);
    arguments.set_name(option::COMAUTHID, &connection.command_authorization_id)?;
    arguments.set_name(option::DB2ID, &connection.subsystem)?;
    arguments.set_name(option::DB2GROUPID, &connection.sharing_group)?;
    // The version in the form of four digits, as 1100.
    let release = if status == Status::Connected { format!("{release:0<4}") } else { String::new() };
    arguments.set_text(option::DB2RELEASE, &release)?;
    for (option, queue) in [option::MSGQUEUE1, option::MSGQUEUE2, option::MSGQUEUE3].into_iter().zip(&connection.message_queues) {
        arguments.set_name(option, queue)?;
    }
    let sign_id = if connection.sign_id.is_blank() { &region.applid } else { &connection.sign_id };
    arguments.set_name(option::SIGNID, sign_id)?;
    arguments.set_name(option::STATSQUEUE, &connection.statistics_queue)?;
    give_signature(region, arguments, "DB2CONN", connection.name.as_str().trim_end(), cvda::GRPLIST)
}

fn thread_error_cvda(error: ThreadError) -> i64 {
    match error {
        ThreadError::DumpAndCode => cvda::N906D,
        ThreadError::Code => cvda::N906,
        ThreadError::Abend => cvda::ABEND,
    }
}

/// Whether a busy resource is waited for, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Busy {
    Wait,
    NoWait,
    Force,
}

pub const BUSY: Choices<Busy> =
    &[(option::WAIT, cvda::WAIT, Busy::Wait), (option::NOWAIT, cvda::NOWAIT, Busy::NoWait), (option::FORCE, cvda::FORCE, Busy::Force)];

fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let attachment = Attachment::of(region);
    let (present, status) = {
        let state = attachment.state.lock();
        (state.connection.clone(), state.status)
    };
    let Some(mut connection) = present else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    let busy = given(arguments, option::BUSY, BUSY, resp2::BUSY)?.unwrap_or(Busy::Wait);
    let connects = switch(
        arguments,
        option::CONNECTST,
        (option::CONNECTED, cvda::CONNECTED),
        (option::NOTCONNECTED, cvda::NOTCONNECTED),
        resp2::CONNECTST,
    )?;
    change(arguments, &mut connection, status)?;
    change_names(arguments, &mut connection)?;
    {
        let mut state = attachment.state.lock();
        state.pool.limit = connection.pool.limit;
        state.command.limit = connection.command_limit;
        state.connection = Some(connection);
        state.admit_by_limits();
    }
    match connects {
        None => Ok(()),
        Some(true) => connect(task),
        Some(false) => disconnect(task, busy),
    }
}

/// The attributes of a connection that have numbers and CVDAs.
fn change(arguments: &Arguments, connection: &mut Db2ConnDefinition, status: Status) -> Outcome {
    set_threads(arguments, &mut connection.pool, "DB2CONN")?;
    if connection.pool.wait == csd::ThreadWait::Pool {
        return raise(condition::INVREQ, resp2::THREADWAIT);
    }
    let error = (option::ABEND, cvda::ABEND);
    if let Some(abends) = switch(arguments, option::CONNECTERROR, error, (option::SQLCODE, cvda::SQLCODE), resp2::CONNECTERROR)? {
        connection.connect_error_abends = abends;
    }
    let release = (option::RELEASE, cvda::RELEASE);
    if let Some(release) = switch(arguments, option::NONTERMREL, release, (option::NORELEASE, cvda::NORELEASE), resp2::NONTERMREL)? {
        connection.non_terminal_release = release;
    }
    let resync = (option::RESYNC, cvda::RESYNC);
    if let Some(resync) = switch(arguments, option::RESYNCMEMBER, resync, (option::NORESYNC, cvda::NORESYNC), resp2::RESYNCMEMBER)? {
        connection.resynchronize_member = resync;
    }
    if let Some(standby) = given(arguments, option::STANDBYMODE, STANDBY, resp2::STANDBYMODE)? {
        connection.standby = standby;
    }
    // SECURITY(REBUILD) signs users on again: a session has no sign-on to be renewed.
    let _ = checked(arguments, option::SECURITY, &[(option::SECURITY, cvda::REBUILD)], resp2::SECURITY)?;
    let of_connection = |name| ("DB2CONN", name);
    if let Some(limit) = attribute(arguments, option::TCBLIMIT, of_connection("TCBLIMIT"), resp2::TCBLIMIT)? {
        connection.tcb_limit = limit as u32;
    }
    if let Some(limit) = attribute(arguments, option::REUSELIMIT, of_connection("REUSELIMIT"), resp2::REUSELIMIT)? {
        connection.reuse_limit = limit as u32;
    }
    if let Some(limit) = attribute(arguments, option::COMTHREADLIM, of_connection("COMTHREADLIM"), resp2::COMTHREADLIM)? {
        connection.command_limit = limit as u32;
    }
    let below_60 = |value: u64| (value < 60).then_some(value);
    if let Some(minutes) = number(arguments, option::PURGECYCLEM, resp2::PURGECYCLEM, below_60)? {
        connection.purge_minutes = minutes as u32;
    }
    if let Some(seconds) = number(arguments, option::PURGECYCLES, resp2::PURGECYCLES, below_60)? {
        connection.purge_seconds = seconds as u32;
    }
    let renames = arguments.has(option::DB2ID) || arguments.has(option::DB2GROUPID);
    if renames && status != Status::NotConnected {
        return raise(condition::INVREQ, resp2::CONNECTED);
    }
    Ok(())
}

fn change_names(arguments: &Arguments, connection: &mut Db2ConnDefinition) -> Outcome {
    match (
        name_given(arguments, option::COMAUTHID)?,
        given(arguments, option::COMAUTHTYPE, COMMAND_AUTHORIZATION_TYPE, resp2::COMAUTHTYPE)?,
    ) {
        (Some(_), Some(_)) => return raise(condition::INVREQ, resp2::AUTHID_AND_AUTHTYPE),
        (Some(id), None) => connection.command_authorization_id = id,
        (None, Some(kind)) => (connection.command_authorization_id, connection.command_authorization_type) = (Name8::BLANK, kind),
        (None, None) => {}
    }
    debug_assert_eq!(AUTHORIZATION_TYPE.len(), COMMAND_AUTHORIZATION_TYPE.len());
    match (name4_given(arguments, option::DB2ID)?, name4_given(arguments, option::DB2GROUPID)?) {
        (Some(_), Some(_)) => return raise(condition::INVREQ, resp2::DB2ID_AND_GROUP),
        (Some(id), None) => (connection.subsystem, connection.sharing_group) = (id, Name4::BLANK),
        (None, Some(group)) => (connection.subsystem, connection.sharing_group) = (Name4::BLANK, group),
        (None, None) => {}
    }
    for (at, option) in [option::MSGQUEUE1, option::MSGQUEUE2, option::MSGQUEUE3].into_iter().enumerate() {
        if let Some(queue) = name4_given(arguments, option)? {
            connection.message_queues[at] = queue;
        }
    }
    if let Some(queue) = name4_given(arguments, option::STATSQUEUE)? {
        connection.statistics_queue = queue;
    }
    if let Some(id) = name_given(arguments, option::SIGNID)? {
        connection.sign_id = id;
    }
    Ok(())
}

/// Connects, in the mode of the attachment's housekeeping.
pub fn connect(task: &mut Task) -> Outcome {
    let region = task.region;
    let wait = Wait::new("DB2INIT");
    match in_d2(task, |task| task.kernel.run_blocking(&wait, || connection::connect(region))) {
        Ok(()) => Ok(()),
        Err(NotConnected::NoDefinition) => raise(condition::NOTFND, resp2::NOT_FOUND),
        Err(NotConnected::Disconnecting) => raise(condition::INVREQ, resp2::DISCONNECTING),
        Err(NotConnected::NoDatabase) => raise(condition::INVREQ, resp2::NO_DATABASE),
        Err(NotConnected::Unavailable(_)) => match Attachment::of(region).state.lock().status {
            // In standby: it connects when the database is there.
            Status::Connecting | Status::Connected => Ok(()),
            _ => raise(condition::INVREQ, resp2::NO_DATABASE),
        },
    }
}

fn in_d2<R>(task: &mut Task, work: impl FnOnce(&mut Task) -> R) -> R {
    let before = task.kernel.change_mode(Mode::D2);
    let result = work(task);
    if let Ok(before) = before {
        let _ = task.kernel.change_mode(before);
    }
    result
}

/// Disconnects. With WAIT and FORCE the task waits for the last user to go, except if it is one itself.
pub fn disconnect(task: &mut Task, busy: Busy) -> Outcome {
    let region = task.region;
    let (name, uses_it) = {
        let state = Attachment::of(region).state.lock();
        (state.connection.as_ref().map_or(Name8::BLANK, |connection| connection.name), state.users.contains_key(&task.number))
    };
    if uses_it && busy != Busy::NoWait {
        return raise(condition::INVREQ, resp2::USED_BY_TASK);
    }
    let manner = if busy == Busy::Force { Manner::Force } else { Manner::Quiesce };
    let wait = Wait::new("DB2CDISC");
    let ended = in_d2(task, |task| task.kernel.run_blocking(&wait, || connection::disconnect(region, manner)));
    if ended || busy == Busy::NoWait {
        return Ok(());
    }
    let quiesced = Attachment::of(region).state.lock().quiesced.clone();
    wait_until(task, &quiesced, wait.named(kernel::Name16::new(name.as_str().trim_end())))
}

/// Waits until a resource is not used any more.
pub fn wait_until(task: &mut Task, quiesced: &kernel::Ecb, wait: Wait) -> Outcome {
    match task.kernel.wait_ecb(quiesced, &wait) {
        kernel::Resumed::Posted(_) => Ok(()),
        _ => Err(Raised::Abend(Box::new(Task::purge_abend()))),
    }
}
