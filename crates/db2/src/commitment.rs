//! The end of a unit of work, in all databases that a thread is connected to.
//!
//! | changed | commit |
//! | --- | --- |
//! | one database, and nothing waits for a decision | one commit there; the others only end |
//! | the local database alone, and others wait for its decision | one commit there, with the marker |
//! | otherwise | the locations that changed prepare their parts; the local database commits with the marker and so decides; they commit |
//!
//! A location that refuses has the whole unit of work backed out. A part that does not hear of the decision stays prepared, and is ended by
//! who finds it ([`crate::prepared`]).

use crate::connections::{Connections, LOCAL};
use crate::errors::{SqlError, Stop, code};
use crate::prepared::{NOT_THERE, UnitOfWorkMarker};
use crate::rows::Rows;
use crate::state::State;
use crate::unit_commands;
use postgres::{Wait, binary};
use std::time::Duration;

/// A unit of work was not committed.
#[derive(Debug, thiserror::Error)]
pub enum CommitFailure {
    /// It is backed out.
    #[error("{0}")]
    BackedOut(SqlError),
    /// The session was lost before the answer: nobody knows.
    #[error("the session was lost before the answer, and the outcome is not known")]
    Lost,
}

/// The session is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lost;

/// Whose decision it is.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// Names the unit of work. Without a name only one database can have changed.
    pub marker: Option<&'a UnitOfWorkMarker>,
    /// Other resource managers wait for the decision of the local database.
    pub decides: bool,
    pub keeps_prepared: bool,
}

/// True if a commit on these terms needs parts that are prepared.
pub fn has_parts(connections: &Connections, decides: bool) -> bool {
    let changed = changed(connections);
    changed.iter().any(|index| *index != LOCAL) && (decides || changed.len() > 1)
}

/// The connections whose data the unit of work has changed.
fn changed(connections: &Connections) -> Vec<usize> {
    (0..connections.all.len()).filter(|index| connections.all[*index].state.link.unit.has_changed()).collect()
}

pub fn commit(connections: &mut Connections, terms: Terms, wait: &mut dyn Wait) -> Result<(), CommitFailure> {
    connections.report = Default::default();
    let done = match (connections.must_back_out, has_parts(connections, terms.decides)) {
        (true, _) => Err(CommitFailure::BackedOut(SqlError::new(code::LOST_IN_UNIT, &[]))),
        (false, false) => in_one_phase(connections, terms, wait),
        (false, true) => in_two_phases(connections, terms, wait),
    };
    if done.is_err() {
        let _ = roll_back_open(connections, wait);
    }
    connections.unit_ended(done.is_ok());
    done
}

/// Rolls back in all databases.
pub fn rollback(connections: &mut Connections, wait: &mut dyn Wait) -> Result<(), Lost> {
    connections.report = Default::default();
    let local = roll_back_open(connections, wait);
    connections.unit_ended(false);
    local
}

/// A location that does not answer in this time when the outcome is decided is given up: its server, or who finds its part, ends the rest.
const DECIDED_MAX: Duration = Duration::from_secs(10);

/// The answer is that of the local database. The server of a session that is lost rolls back by itself.
fn roll_back_open(connections: &mut Connections, wait: &mut dyn Wait) -> Result<(), Lost> {
    let mut local = Ok(());
    for (index, connection) in connections.all.iter_mut().enumerate() {
        connection.state.link.limit_waits((index != LOCAL).then_some(DECIDED_MAX));
        let done = unit_commands::rollback(&mut connection.state, wait);
        connection.state.link.limit_waits(None);
        if index == LOCAL && done.is_err() {
            local = Err(Lost);
        }
    }
    local
}

fn failure(stop: Stop, state: &mut State) -> CommitFailure {
    match stop {
        Stop::Sql(error) => CommitFailure::BackedOut(error),
        _ => {
            unit_commands::ended(state, false, false);
            CommitFailure::Lost
        }
    }
}

fn in_one_phase(connections: &mut Connections, terms: Terms, wait: &mut dyn Wait) -> Result<(), CommitFailure> {
    let decider = changed(connections).first().copied().unwrap_or(LOCAL);
    let text = terms.marker.filter(|_| terms.decides).map(|marker| marker.statement(&[]));
    let state = &mut connections.all[decider].state;
    match unit_commands::commit(state, text.as_deref(), terms.keeps_prepared, wait) {
        Ok(()) | Err(Stop::Moved) => {}
        Err(stop) => return Err(failure(stop, state)),
    }
    connections.report.is_marked = text.is_some();
    end_readers(connections, terms.keeps_prepared, wait);
    Ok(())
}

/// The decision has been made: those that have only read end their transactions.
fn end_readers(connections: &mut Connections, keeps_prepared: bool, wait: &mut dyn Wait) {
    for connection in &mut connections.all {
        if connection.state.link.unit.is_open() {
            // One that fails is found broken by the next statement.
            let _ = unit_commands::commit(&mut connection.state, None, keeps_prepared, wait);
        }
    }
}

/// Parts could not be told from those of another database's units of work.
const NO_IDENTITY: &str = "the application's own database has not told its identity";

fn in_two_phases(connections: &mut Connections, terms: Terms, wait: &mut dyn Wait) -> Result<(), CommitFailure> {
    let locations: Vec<usize> = changed(connections).into_iter().filter(|index| *index != LOCAL).collect();
    let Some(marker) = terms.marker.filter(|marker| !marker.origin.is_empty()) else {
        let name = connections.all[locations[0]].name().to_string();
        connections.report.refusal = Some((name.clone(), NO_IDENTITY.to_string()));
        return Err(CommitFailure::BackedOut(SqlError::new(code::NOT_AVAILABLE, &["IDENTITY", "DATABASE", &name])));
    };
    let mut prepared = Vec::with_capacity(locations.len());
    for index in &locations {
        match prepare(connections, *index, marker, wait) {
            Ok(()) => prepared.push(*index),
            Err(error) => {
                end_parts(connections, &prepared, marker, (false, false), wait);
                return Err(CommitFailure::BackedOut(error));
            }
        }
    }
    let names: Vec<String> = prepared.iter().map(|index| connections.all[*index].name().to_string()).collect();
    let local = connections.local_mut();
    match unit_commands::commit(local, Some(&marker.statement(&names)), terms.keeps_prepared, wait) {
        Ok(()) | Err(Stop::Moved) => {}
        Err(stop) => {
            let failure = failure(stop, local);
            match failure {
                CommitFailure::BackedOut(_) => end_parts(connections, &prepared, marker, (false, false), wait),
                CommitFailure::Lost => connections.report.unresolved = names,
            }
            return Err(failure);
        }
    }
    connections.report.is_marked = true;
    end_parts(connections, &prepared, marker, (true, terms.keeps_prepared), wait);
    end_readers(connections, terms.keeps_prepared, wait);
    Ok(())
}

/// Phase one at a location. One that refuses has rolled back.
fn prepare(connections: &mut Connections, index: usize, marker: &UnitOfWorkMarker, wait: &mut dyn Wait) -> Result<(), SqlError> {
    let connection = &mut connections.all[index];
    let name = connection.name().to_string();
    let own = connection.own_user.as_deref();
    let stranger = own.filter(|user| connection.location.as_ref().is_some_and(|location| location.config.user != *user));
    let (error, why) = if let Some(user) = stranger {
        // A part can be ended by the user who has prepared it, and the password of this one is not kept.
        let why = format!("the program has signed on as {user}, and a unit of work of several databases needs the location's own user");
        (SqlError::new(code::NOT_AVAILABLE, &[&why, "USER", &name]), why)
    } else {
        unit_commands::close_complete(&mut connection.state);
        match connection.state.link.prepare_transaction(&marker.part(&name), wait) {
            Ok(()) => return Ok(()),
            Err(Stop::Sql(error)) => described(error, &mut connection.state, &name, wait),
            Err(Stop::Lost(why)) => (lost(connections, &name), why),
            Err(_) => (lost(connections, &name), "the wait for its answer was ended".to_string()),
        }
    };
    connections.report.refusal = Some((name, why));
    Err(error)
}

/// The answer of a location was lost: it may have prepared its part.
fn lost(connections: &mut Connections, name: &str) -> SqlError {
    connections.report.unresolved.push(name.to_string());
    SqlError::new(code::CONNECTION_LOST, &["TCPIP", "SOCKETS", name, "RECEIVE", "*", "*", "*"])
}

/// The setting that decides how many parts a server can hold.
const SETTING: &str = "max_prepared_transactions";

/// Why a server has not prepared its part, with the setting if that is the reason.
fn described(error: SqlError, state: &mut State, name: &str, wait: &mut dyn Wait) -> (SqlError, String) {
    if !error.cause.contains(&format!(" {NOT_READY}:")) && !error.cause.contains(&format!(" {OUT_OF_MEMORY}:")) {
        let why = error.cause.clone();
        return (error, why);
    }
    let mut rows = Rows::default();
    let asked = state.link.run_text(&format!("SELECT pg_catalog.current_setting('{SETTING}')::pg_catalog.int4"), &mut rows, wait);
    let value = asked.ok().and_then(|_| rows.take()).and_then(|mut row| row.next().flatten().and_then(binary::decode_i32));
    let Some(value) = value else {
        let why = error.cause.clone();
        return (error, why);
    };
    let setting = format!("{SETTING} = {value}");
    let why = format!("its server has {setting}; a unit of work that changes several databases needs one for each session at its commit");
    (SqlError { cause: error.cause, ..SqlError::new(code::NOT_AVAILABLE, &[&setting, "SETTING", name]) }, why)
}

/// SQLSTATEs of PREPARE TRANSACTION: it is disabled; there are as many as the server can hold.
const NOT_READY: &str = "55000";
const OUT_OF_MEMORY: &str = "53200";

/// Phase two. A part that does not hear of the decision is left to others.
fn end_parts(
    connections: &mut Connections,
    prepared: &[usize],
    marker: &UnitOfWorkMarker,
    (commits, keeps_prepared): (bool, bool),
    wait: &mut dyn Wait,
) {
    for index in prepared {
        let connection = &mut connections.all[*index];
        let name = connection.name().to_string();
        connection.state.link.limit_waits(Some(DECIDED_MAX));
        let ended = connection.state.link.end_prepared(&marker.part(&name), commits, wait);
        connection.state.link.limit_waits(None);
        unit_commands::ended(&mut connection.state, commits, keeps_prepared);
        let is_ended = match ended {
            Ok(()) => true,
            Err(Stop::Sql(error)) => error.cause.contains(&format!(" {NOT_THERE}:")),
            Err(_) => false,
        };
        if !is_ended {
            connections.report.unresolved.push(name);
        }
    }
}
