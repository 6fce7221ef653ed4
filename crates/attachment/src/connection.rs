//! The connection to the database: definitions, start, loss, standby, end, and the cycles in which unused threads are purged.
//!
//! All of it runs on threads that may block; a task that connects or disconnects is suspended meanwhile. Invariants: units of work that the
//! database may have committed are resolved before a task can use a new connection; every connection has an epoch of its own, and a session
//! of another epoch is closed as soon as nobody uses it.

use crate::Attachment;
use crate::housekeeping::Housekeeper;
use crate::parts::Parts;
use crate::session::Session;
use crate::state::{Ended, Entry, Status};
use csd::{Db2ConnDefinition, Db2EntryDefinition, Db2TranDefinition, Definition, StandbyMode};
use kernel::Purge;
use kernel::name::Name8;
use region::Region;
use region::changes::Change;
use std::sync::atomic::Ordering;
use std::time::{Duration, UNIX_EPOCH};
use vsam::StoreError;

/// In standby the database is looked for after this time, and after twice the time before at each further try.
const RETRY_FIRST: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_secs(8);
/// Units of work in doubt are asked for this long after a session was lost, and again while the database does not tell their outcome.
const RESOLVE_AFTER: Duration = Duration::from_secs(1);
const RESOLVE_AGAIN: Duration = Duration::from_secs(8);
/// Why a region does not connect that has no database.
const NO_DATABASE: &str = "the start of the region named no database: no program has EXEC SQL, and regent.toml has no [database]";
/// Marker rows are deleted this long after the first of them was no longer needed, or when there are this many.
const FORGET_AFTER: Duration = Duration::from_secs(1);
const FORGOTTEN_MAX: usize = 5_000;
/// The connection of a region whose CSD has none.
const OWN_CONNECTION: &str = "DFHDB2";
const OWN_GROUP: &str = "DFHDB2";
/// The threads of such a connection: what a server admits by default, with some left for others.
const OWN_TCB_LIMIT: &str = "80";
const OWN_THREAD_LIMIT: &str = "70";

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotConnected {
    NoDefinition,
    /// The start of the region names no database.
    NoDatabase,
    /// It is being disconnected, or was while it was made.
    Disconnecting,
    /// The database is not there, and is awaited if STANDBYMODE says so.
    Unavailable(String),
}

/// Sends a message to the console and to the queues of the connection; answers its text.
pub fn tell(region: &'static Region, id: &'static str, values: &[(&str, &str)]) -> String {
    let queues = Attachment::of(region).state.lock().connection.as_ref().map(|connection| connection.message_queues);
    let message = region.messages.send(id, values);
    for queue in queues.into_iter().flatten().filter(|queue| !queue.is_blank()) {
        region.registry.write_text(region, queue, &message.line());
    }
    tell_status(region);
    message.line()
}

/// Tells a change of the status of the connection since it was told last.
fn tell_status(region: &'static Region) {
    let attachment = Attachment::of(region);
    let (now, name) = {
        let state = attachment.state.lock();
        (state.status, state.connection.as_ref().map(|connection| connection.name).unwrap_or_default())
    };
    let before = std::mem::replace(&mut *attachment.told.lock(), now);
    if before != now {
        region.changes.tell(region, Change::Db2Connection { connection: name.as_str(), from: before.name(), to: now.name() });
    }
}

/// Installs a DB2CONN. It takes the place of another one that is not in use, with all of that one's entries.
pub fn install(region: &'static Region, definition: &Definition) -> Result<(), String> {
    let connection = Db2ConnDefinition::from(definition);
    let attachment = Attachment::of(region);
    let mut state = attachment.state.lock();
    if state.status != Status::NotConnected {
        return Err("the attachment is connected: the DB2CONN cannot be replaced".to_string());
    }
    let other = state.connection.as_ref().map(|present| present.name).filter(|name| *name != connection.name);
    if other.is_some() {
        state.entries.clear();
        state.transactions.clear();
    }
    state.pool.limit = connection.pool.limit;
    state.command.limit = connection.command_limit;
    state.connection = Some(connection);
    drop(state);
    if let Some(name) = other {
        let mut installed = region.installed.write();
        installed.remove("DB2CONN", name.as_str().trim_end());
    }
    Ok(())
}

pub fn install_entry(region: &'static Region, definition: &Definition) -> Result<(), String> {
    own_definition(region);
    let entry = Db2EntryDefinition::from(definition);
    let mut state = Attachment::of(region).state.lock();
    if state.connection.is_none() {
        return Err("no DB2CONN is installed".to_string());
    }
    let in_use = state.entries.get(&entry.name).is_some_and(|present| present.enabled || present.threads.in_use.current != 0);
    if in_use && region.stage() >= region::Stage::Running {
        return Err("the DB2ENTRY is enabled or in use".to_string());
    }
    state.entries.insert(entry.name, Entry::new(entry));
    Ok(())
}

pub fn install_transaction(region: &'static Region, definition: &Definition) -> Result<(), String> {
    own_definition(region);
    let transaction = Db2TranDefinition::from(definition);
    let mut state = Attachment::of(region).state.lock();
    if state.connection.is_none() {
        return Err("no DB2CONN is installed".to_string());
    }
    let other = state.transactions.values().find(|known| known.transid == transaction.transid && known.name != transaction.name);
    if let Some(other) = other {
        return Err(format!("DB2TRAN {} is installed for the same TRANSID", other.name));
    }
    state.transactions.insert(transaction.name, transaction);
    Ok(())
}

/// Gives a region that has a database and no DB2CONN one.
fn own_definition(region: &'static Region) {
    let attachment = Attachment::of(region);
    if attachment.settings.get().is_none() || attachment.state.lock().connection.is_some() {
        return;
    }
    let definition = Definition::new("DB2CONN", OWN_CONNECTION, OWN_GROUP)
        .with("DESCRIPTION", "Made by the region for its database")
        .with("TCBLIMIT", OWN_TCB_LIMIT)
        .with("THREADLIMIT", OWN_THREAD_LIMIT);
    if let Err(reason) = region.install(&definition) {
        tracing::error!(target: "region::db2", "{reason}");
    }
}

/// Connects at the start of the region.
pub fn start(region: &'static Region) -> Result<(), StoreError> {
    let attachment = Attachment::of(region);
    own_definition(region);
    let wanted = attachment.settings.get().is_some() || region.sit.is("DB2CONN", "YES");
    if wanted && attachment.state.lock().connection.is_some() {
        let _ = connect(region);
    }
    Ok(())
}

/// The subsystem of the connection, for messages.
pub fn subsystem(region: &Region) -> String {
    let state = Attachment::of(region).state.lock();
    let connection = state.connection.as_ref();
    let named = connection.map(|connection| if connection.subsystem.is_blank() { connection.sharing_group } else { connection.subsystem });
    named.filter(|name| !name.is_blank()).map_or_else(|| "DB2".to_string(), |name| name.as_str().trim_end().to_string())
}

/// Connects, by a thread that may block. If the database is not there, STANDBYMODE decides whether it is awaited.
pub fn connect(region: &'static Region) -> Result<(), NotConnected> {
    let attachment = Attachment::of(region);
    {
        let mut state = attachment.state.lock();
        match (state.status, &state.connection) {
            (_, None) => return Err(NotConnected::NoDefinition),
            (Status::Connected, _) => return Ok(()),
            (Status::Disconnecting, _) => return Err(NotConnected::Disconnecting),
            (Status::NotConnected | Status::Connecting, Some(_)) => {}
        }
        if attachment.settings.get().is_none() {
            state.reason = NO_DATABASE.to_string();
            drop(state);
            tell(region, "DFHDB2018", &[("subsystem", &subsystem(region)), ("reason", NO_DATABASE)]);
            return Err(NotConnected::NoDatabase);
        }
        state.status = Status::Connecting;
    }
    let made = establish(region, 0);
    if let Err(NotConnected::Unavailable(reason)) = &made {
        stand_by(region, reason, 0);
    }
    made
}

/// Makes the connection: finds the database, own session, resynchronization, then the others may come.
fn establish(region: &'static Region, tries: u32) -> Result<(), NotConnected> {
    let attachment = Attachment::of(region);
    let _alone = attachment.establishing.lock();
    let epoch = {
        let mut state = attachment.state.lock();
        match state.status {
            // Another has made it meanwhile.
            Status::Connected => return Ok(()),
            Status::NotConnected | Status::Disconnecting => return Err(NotConnected::Disconnecting),
            Status::Connecting => state.epoch += 1,
        }
        state.epoch
    };
    let made = prepare(region, tries, epoch).map_err(NotConnected::Unavailable);
    let made = made.and_then(|release| match attachment.state.lock().begin(epoch, release) {
        true => Ok(()),
        false => Err(NotConnected::Disconnecting),
    });
    if made.is_err() {
        attachment.housekeeper.lock().take_if(|own| own.epoch == epoch);
        return made;
    }
    tell(region, "DFHDB2023", &[("subsystem", &subsystem(region))]);
    schedule_purge(region, epoch);
    if is_in_doubt(region) {
        resolve_later(region, RESOLVE_AGAIN);
    }
    Ok(())
}

/// Everything before the first task may use it; answers the release of the server.
fn prepare(region: &'static Region, tries: u32, epoch: u32) -> Result<String, String> {
    let attachment = Attachment::of(region);
    let settings = attachment.settings.get().ok_or(NO_DATABASE)?;
    let config = (settings.find)(tries)?;
    let mut housekeeper = Housekeeper::connect(&config, epoch)?;
    let release = housekeeper.release()?;
    *attachment.config.lock() = Some(config);
    *attachment.housekeeper.lock() = Some(housekeeper);
    region.register_resource_manager(attachment.agent().clone()).map_err(|error| error.to_string())?;
    forget_earlier(region)?;
    Ok(release)
}

/// Units of work of this run of the region have greater numbers.
pub fn started(region: &Region) -> u64 {
    region.started_at().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros() as u64
}

/// Rows of earlier runs of the region are needed for units of work in doubt only.
fn forget_earlier(region: &'static Region) -> Result<(), String> {
    let in_doubt: Vec<u64> = region.recovery().owners().iter().map(|owner| owner.id).collect();
    match Attachment::of(region).housekeeper.lock().as_mut() {
        Some(housekeeper) => housekeeper.forget_before(region.applid.as_str(), started(region), &in_doubt),
        None => Ok(()),
    }
}

/// The database is not there, after a number of tries before this one. The first of them is told.
fn stand_by(region: &'static Region, reason: &str, tries: u32) {
    let attachment = Attachment::of(region);
    let (waits, attempt, is_news) = {
        let mut state = attachment.state.lock();
        if state.status != Status::Connecting {
            return;
        }
        let waits = state.connection.as_ref().is_some_and(|connection| connection.standby != StandbyMode::NoConnect);
        if !waits {
            state.status = Status::NotConnected;
        }
        let is_news = tries == 0 || state.reason != reason;
        state.reason = reason.to_string();
        // A try that waits for its turn is overtaken by this one.
        state.attempt = state.attempt.wrapping_add(1);
        (waits, state.attempt, is_news)
    };
    if is_news {
        let id = if waits { "DFHDB2037" } else { "DFHDB2018" };
        tell(region, id, &[("subsystem", &subsystem(region)), ("reason", reason)]);
    }
    if waits {
        let pause = RETRY_FIRST.saturating_mul(1 << tries.min(8)).min(RETRY_MAX);
        region.dispatcher.after(pause, move || region.dispatcher.spawn_blocking(move || retry(region, attempt, tries + 1)));
    }
}

fn retry(region: &'static Region, attempt: u32, tries: u32) {
    let is_wanted = {
        let state = Attachment::of(region).state.lock();
        state.status == Status::Connecting && state.attempt == attempt
    };
    if is_wanted && let Err(NotConnected::Unavailable(reason)) = establish(region, tries) {
        stand_by(region, &reason, tries);
    }
}

/// A session was lost: looks, on a thread of its own, whether the database is still there.
pub fn verify(region: &'static Region) {
    let attachment = Attachment::of(region);
    if attachment.is_verifying.swap(true, Ordering::AcqRel) {
        return;
    }
    region.dispatcher.spawn_blocking(move || {
        let (epoch, answers) = is_alive(region);
        attachment.is_verifying.store(false, Ordering::Release);
        match answers {
            true => resolve_later(region, RESOLVE_AFTER),
            false => lost(region, epoch),
        }
    });
}

/// The epoch of the connection, and whether its database answers. The epoch comes first: the answer may be that of a later connection.
fn is_alive(region: &'static Region) -> (u32, bool) {
    let attachment = Attachment::of(region);
    let (epoch, is_connected) = {
        let state = attachment.state.lock();
        (state.epoch, state.status == Status::Connected)
    };
    // One that is being made has no session yet, or one that is at work.
    (epoch, !is_connected || attachment.housekeeper.lock().as_mut().is_some_and(Housekeeper::is_alive))
}

fn resolve_later(region: &'static Region, pause: Duration) {
    region.dispatcher.after(pause, move || region.dispatcher.spawn_blocking(move || resolve_doubts(region)));
}

/// A unit of work waits for its outcome.
fn is_in_doubt(region: &'static Region) -> bool {
    let agent = Attachment::of(region).agent();
    region.recovery().owners().iter().any(|owner| owner.coordinator == agent.name())
}

/// The database is there, but a session was lost that may have been at its commit: units of work in doubt are resolved.
fn resolve_doubts(region: &'static Region) {
    let attachment = Attachment::of(region);
    // It may have been about to end when it answered.
    let (epoch, answers) = is_alive(region);
    if !answers {
        lost(region, epoch);
        return;
    }
    let is_connected = || attachment.state.lock().status == Status::Connected;
    if !is_in_doubt(region) || !is_connected() {
        return;
    }
    if let Err(error) = region.register_resource_manager(attachment.agent().clone()) {
        tracing::error!(target: "region::db2", %error, "units of work in doubt cannot be resolved");
    }
    if is_in_doubt(region) && is_connected() {
        resolve_later(region, RESOLVE_AGAIN);
    }
}

/// The database has gone. STANDBYMODE(RECONNECT) awaits it. Nothing is lost if that connection has ended meanwhile.
fn lost(region: &'static Region, epoch: u32) {
    let attachment = Attachment::of(region);
    let Some((status, ended)) = attachment.state.lock().lose(epoch) else { return };
    clear(region, ended);
    tell(region, "DFHDB2025", &[("subsystem", &subsystem(region))]);
    if status == Status::Connecting {
        stand_by(region, "the connection was lost", 0);
    }
}

/// Closes what a connection leaves behind, and lets those who wait for a thread look again.
fn clear(region: &'static Region, ended: Ended) {
    for waker in ended.waiting {
        waker.resume_with(DISMISSED);
    }
    close(ended.sessions);
    // That of a later connection stays.
    Attachment::of(region).housekeeper.lock().take_if(|own| own.epoch < ended.epoch);
}

/// What a waiting task is told that must look again.
pub const DISMISSED: u32 = 1;

/// How a connection is ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// The present tasks end their units of work.
    Quiesce,
    /// They are force-purged.
    Force,
}

/// Begins to end the connection; true if it has ended already, because nobody uses it.
pub fn disconnect(region: &'static Region, manner: Manner) -> bool {
    let users = {
        let mut state = Attachment::of(region).state.lock();
        match state.status {
            Status::NotConnected => return true,
            Status::Connecting => {
                let ended = state.end(Status::NotConnected);
                drop(state);
                finish(region, ended);
                return true;
            }
            Status::Connected | Status::Disconnecting => {
                state.status = Status::Disconnecting;
                state.quiesced.reset();
                state.users.keys().copied().collect::<Vec<u32>>()
            }
        }
    };
    if users.is_empty() {
        finish_disconnect(region);
        return true;
    }
    if manner == Manner::Force {
        for shared in users.into_iter().filter_map(|number| region.transactions().task(number)) {
            if let Some(kernel) = shared.kernel.lock().clone() {
                kernel.purge(Purge::ForcePurge);
            }
        }
    }
    false
}

/// The last user has gone, or there was none.
pub fn finish_disconnect(region: &'static Region) {
    let ended = {
        let mut state = Attachment::of(region).state.lock();
        if state.status != Status::Disconnecting || !state.users.is_empty() {
            return;
        }
        state.end(Status::NotConnected)
    };
    finish(region, ended);
    tell(region, "DFHDB2025", &[("subsystem", &subsystem(region))]);
}

fn finish(region: &'static Region, ended: Ended) {
    flush_forgotten(region);
    clear(region, ended);
    Attachment::of(region).state.lock().quiesced.post(0);
}

/// The end of the region: its tasks have ended.
pub fn stop(region: &'static Region, _immediate: bool) {
    let state = Attachment::of(region).state.lock().status;
    if state != Status::NotConnected {
        Attachment::of(region).state.lock().users.clear();
        disconnect(region, Manner::Quiesce);
    }
}

/// Closes sessions; a goodbye is sent and not waited for.
pub fn close<S: Into<Box<Session>>>(sessions: impl IntoIterator<Item = S>) {
    sessions.into_iter().for_each(drop);
}

fn schedule_purge(region: &'static Region, epoch: u32) {
    let cycle = {
        let state = Attachment::of(region).state.lock();
        let seconds = state.connection.as_ref().map_or(30, |connection| connection.purge_minutes * 60 + connection.purge_seconds);
        Duration::from_secs(u64::from(seconds.max(5)))
    };
    region.dispatcher.after(cycle, move || {
        region.dispatcher.spawn_blocking(move || {
            let closed = {
                let mut state = Attachment::of(region).state.lock();
                if state.epoch != epoch {
                    return;
                }
                state.purge_cycle()
            };
            close(closed);
            schedule_purge(region, epoch);
        });
    });
}

/// The region does not need the outcome of a unit of work any more: its marker row is deleted with others, in a while.
pub fn forget(region: &'static Region, unit: u64) {
    let count = {
        let mut forgotten = Attachment::of(region).forgotten.lock();
        forgotten.push(unit);
        forgotten.len()
    };
    match count {
        1 => drop(region.dispatcher.after(FORGET_AFTER, move || region.dispatcher.spawn_blocking(move || flush_forgotten(region)))),
        FORGOTTEN_MAX => region.dispatcher.spawn_blocking(move || flush_forgotten(region)),
        _ => {}
    }
}

fn flush_forgotten(region: &'static Region) {
    let attachment = Attachment::of(region);
    let mut units = std::mem::take(&mut *attachment.forgotten.lock());
    units.retain(|unit| !Parts::of(region).keeps(*unit));
    if units.is_empty() {
        return;
    }
    let deleted = match attachment.housekeeper.lock().as_mut() {
        Some(housekeeper) => housekeeper.forget(region.applid.as_str(), &units, started(region)),
        None => Ok(()),
    };
    // A later start of the region deletes what is left.
    if let Err(error) = deleted {
        tracing::warn!(target: "region::db2", %error, "rows of committed units of work are not deleted");
    }
}

/// The name of the installed DB2CONN.
pub fn name(region: &Region) -> Option<Name8> {
    Attachment::of(region).state.lock().connection.as_ref().map(|connection| connection.name)
}
