//! The connections of a thread: the local database, which is always there, and those that the program has made with CONNECT. Cursors,
//! prepared statements and the like belong to the connection that they were made at.
//!
//! The rules are those of CONNECT type 2 with SQLRULES(DB2): CONNECT to an existing connection makes it current; a connection that was
//! RELEASEd ends at the next commit; what ended the current connection leaves the program unconnected, until it connects again.
//!
//! Invariants: the first connection is the local one; a connection that is lost is left out of everything, and removed before the next
//! statement. A session that its last user has left clean is kept for the next one that connects to its location.

use crate::compiled::Call;
use crate::context::{Context, Rules};
use crate::errors::{Done, SqlError, Stop, code};
use crate::link::Link;
use crate::location::{Location, NoLocation, Report};
use crate::state::State;
use postgres::{Config, ConnectError, Password};
use sql::{Action, Text};
use std::sync::Arc;
use std::time::Duration;

/// A session that was not in use must answer in this time, or another is begun.
const ANSWER_MAX: Duration = Duration::from_secs(5);
/// The connection to the local database.
pub const LOCAL: usize = 0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    Connected,
    /// It ends at the next commit.
    ReleasePending,
    /// Of the local one: it has ended, until the program connects again.
    Ended,
    /// The session was lost.
    Lost,
}

pub struct Connection {
    /// `None`: the local database.
    pub location: Option<Arc<Location>>,
    pub state: State,
    pub standing: Standing,
    /// The program has signed on as this user.
    pub own_user: Option<String>,
}

impl Connection {
    pub fn is_usable(&self) -> bool {
        matches!(self.standing, Standing::Connected | Standing::ReleasePending)
    }

    pub fn name(&self) -> &str {
        self.location.as_ref().map_or("", |location| &location.name)
    }
}

pub struct Connections {
    pub all: Vec<Connection>,
    /// `None`: unconnected.
    current: Option<usize>,
    /// Sessions of earlier users.
    idle: Vec<(Arc<Location>, State)>,
    /// A connection was lost that had changed data: only a rollback can follow.
    pub must_back_out: bool,
    /// How the last unit of work ended.
    pub report: Report,
}

impl Connections {
    pub fn new(local: State) -> Connections {
        let local = Connection { location: None, state: local, standing: Standing::Connected, own_user: None };
        Connections { all: vec![local], current: Some(LOCAL), idle: Vec::new(), must_back_out: false, report: Report::default() }
    }

    pub fn current(&self) -> Option<usize> {
        self.current
    }

    pub fn local(&self) -> &State {
        &self.all[LOCAL].state
    }

    pub fn local_mut(&mut self) -> &mut State {
        &mut self.all[LOCAL].state
    }

    /// Removes connections that were lost; the local one stays.
    pub fn sweep(&mut self) {
        if self.all[1..].iter().any(|connection| connection.standing == Standing::Lost) {
            self.remove(|connection| connection.standing == Standing::Lost);
        }
    }

    fn remove(&mut self, ends: impl Fn(&Connection) -> bool) {
        let mut index = self.all.len();
        while index > 1 {
            index -= 1;
            if ends(&self.all[index]) {
                self.all.remove(index);
                self.current = match self.current {
                    Some(current) if current == index => None,
                    Some(current) if current > index => Some(current - 1),
                    other => other,
                };
            }
        }
    }

    /// The session of a location was lost. `had_changed`: in a unit of work that had changed its data.
    pub fn lose(&mut self, index: usize, had_changed: bool) {
        debug_assert!(index != LOCAL);
        self.all[index].standing = Standing::Lost;
        self.must_back_out |= had_changed;
        if self.current == Some(index) {
            self.current = None;
        }
    }

    /// The unit of work has ended. A commit ends the connections that were released.
    pub fn unit_ended(&mut self, committed: bool) {
        self.must_back_out = false;
        for connection in &mut self.all[1..] {
            if connection.state.link.broken {
                connection.standing = Standing::Lost;
            }
        }
        self.sweep();
        if !committed {
            return;
        }
        self.remove(|connection| connection.standing == Standing::ReleasePending);
        let local = &mut self.all[LOCAL];
        if local.standing == Standing::ReleasePending {
            local.standing = Standing::Ended;
            if self.current == Some(LOCAL) {
                self.current = None;
            }
        }
    }

    /// Only the local one is left, for another user. `clean` makes a session ready for another user; false: it cannot be.
    pub fn reset(&mut self, mut clean: impl FnMut(&mut State) -> bool) {
        for mut connection in self.all.drain(1..) {
            let is_kept = connection.is_usable() && connection.own_user.is_none() && clean(&mut connection.state);
            if let (true, Some(location)) = (is_kept, connection.location) {
                self.idle.push((location, connection.state));
            }
        }
        self.all[LOCAL].standing = Standing::Connected;
        self.current = Some(LOCAL);
        self.must_back_out = false;
    }

    /// CONNECT, SET CONNECTION, RELEASE. Host variables are taken by the connection `at`.
    pub fn manage(&mut self, call: &Call, at: usize, context: &mut Context) -> Done<()> {
        match &call.statement().action {
            Action::Connect { server: None, user: None, .. } => {}
            Action::Connect { server, user, password } => {
                let sign_on = self.sign_on(call, at, user.as_ref(), password.as_ref())?;
                let name = match server {
                    Some(server) => self.named(call, at, server)?,
                    None => context.bind.location().to_string(),
                };
                self.connect(&name, sign_on, context)?;
            }
            Action::ConnectReset => self.connect_local(),
            Action::SetConnection { server } => {
                let name = self.named(call, at, server)?;
                let existing = self.existing(&name, context).ok_or_else(|| Stop::sql(code::NO_SUCH_CONNECTION, &[]))?;
                self.current = Some(existing);
            }
            Action::ReleaseConnection { server: Text::Literal(keyword) } if ["ALL", "ALL SQL"].contains(&keyword.as_str()) => {
                self.all.iter_mut().filter(|connection| connection.is_usable()).for_each(|one| one.standing = Standing::ReleasePending);
                return Ok(());
            }
            // Regent has no private connections.
            Action::ReleaseConnection { server: Text::Literal(keyword) } if keyword == "ALL PRIVATE" => return Ok(()),
            Action::ReleaseConnection { server } => {
                let released = match server {
                    Text::Literal(keyword) if keyword == "CURRENT" => self.current.ok_or_else(|| Stop::sql(code::UNCONNECTED, &[]))?,
                    server => {
                        let name = self.named(call, at, server)?;
                        self.existing(&name, context).ok_or_else(|| Stop::sql(code::NO_SUCH_CONNECTION, &[]))?
                    }
                };
                self.all[released].standing = Standing::ReleasePending;
                return Ok(());
            }
            _ => return Err(Stop::sql(code::UNSUPPORTED, &[])),
        }
        self.all[at].state.area.tell_product(self.current.is_some());
        Ok(())
    }

    /// The location that a statement names, in capital letters.
    fn named(&mut self, call: &Call, at: usize, server: &Text) -> Done<String> {
        Ok(self.all[at].state.text(call, server)?.trim().to_uppercase())
    }

    /// USER and USING.
    fn sign_on(&mut self, call: &Call, at: usize, user: Option<&Text>, password: Option<&Text>) -> Done<Option<(String, String)>> {
        let (Some(user), Some(password)) = (user, password) else { return Ok(None) };
        let state = &mut self.all[at].state;
        let user = state.text(call, user)?.trim().to_string();
        let password = state.text(call, password)?.trim_end().to_string();
        Ok(Some((user, password)))
    }

    fn existing(&self, name: &str, context: &Context) -> Option<usize> {
        let is_meant = |connection: &Connection| match &connection.location {
            None => context.bind.location().eq_ignore_ascii_case(name),
            Some(location) => location.name == name,
        };
        self.all.iter().position(|connection| connection.is_usable() && is_meant(connection))
    }

    fn connect_local(&mut self) {
        let local = &mut self.all[LOCAL];
        if local.standing == Standing::Ended {
            local.standing = Standing::Connected;
        }
        self.current = Some(LOCAL);
    }

    fn connect(&mut self, name: &str, sign_on: Option<(String, String)>, context: &mut Context) -> Done<()> {
        let is_local = context.bind.location().eq_ignore_ascii_case(name);
        if is_local && sign_on.is_some() && context.rules == Rules::Cics {
            return Err(Stop::sql(code::SECURITY, &["17", "UNSUPPORTED FUNCTION"]));
        }
        if let Some(existing) = self.existing(name, context) {
            if sign_on.is_some() {
                return Err(Stop::sql(code::CONNECTION_EXISTS, &[name]));
            }
            self.current = Some(existing);
            return Ok(());
        }
        if is_local {
            if sign_on.is_some() {
                return Err(Stop::sql(code::SECURITY, &["17", "UNSUPPORTED FUNCTION"]));
            }
            self.connect_local();
            return Ok(());
        }
        let location = context.locations.find(name).map_err(|reason| match reason {
            NoLocation::Unknown => Stop::sql(code::LOCATION_UNKNOWN, &[name]),
            NoLocation::Unavailable(why) => Stop::Sql(unreachable(name, &why)),
        })?;
        let own_user = sign_on.as_ref().map(|(user, _)| user.clone());
        let state = match sign_on {
            Some((user, password)) => {
                let config = Config { user, password: Password::Value(password), ..location.config.clone() };
                begin(name, &config, context)?
            }
            None => match self.idle(&location, context) {
                Some(state) => state,
                None => begin(name, &location.config, context)?,
            },
        };
        self.all.push(Connection { location: Some(location), state, standing: Standing::Connected, own_user });
        self.current = Some(self.all.len() - 1);
        Ok(())
    }

    /// The session of an earlier user, if its server still answers.
    fn idle(&mut self, location: &Arc<Location>, context: &mut Context) -> Option<State> {
        while let Some(index) = self.idle.iter().position(|(known, _)| known.name == location.name) {
            let (known, mut state) = self.idle.swap_remove(index);
            state.link.limit_waits(Some(ANSWER_MAX));
            let is_alive = Arc::ptr_eq(&known, location) && state.link.is_alive(context.wait);
            state.link.limit_waits(None);
            if is_alive {
                return Some(state);
            }
        }
        None
    }
}

fn begin(name: &str, config: &Config, context: &mut Context) -> Done<State> {
    match Link::connect(config, context.wait) {
        Ok(link) => Ok(State::new(link)),
        Err(error) => match kernel::guard::pending_stop() {
            Some(departure) => Err(Stop::Departure(departure)),
            None => Err(Stop::Sql(refused(name, &error))),
        },
    }
}

/// SQLSTATEs of a server: the class of authorization errors, and a database that is not there.
const AUTHORIZATION: &str = "28";
const NO_DATABASE: &str = "3D000";

fn refused(name: &str, error: &ConnectError) -> SqlError {
    match error {
        ConnectError::Refused(server) if server.code.starts_with(AUTHORIZATION) => invalid_user(error),
        ConnectError::NoPassword { .. } | ConnectError::Authentication(_) => invalid_user(error),
        ConnectError::Refused(server) if server.code == NO_DATABASE => {
            SqlError { cause: error.to_string(), ..SqlError::new(code::DATABASE_UNKNOWN, &[name]) }
        }
        other => unreachable(name, &other.to_string()),
    }
}

fn invalid_user(error: &ConnectError) -> SqlError {
    SqlError { cause: error.to_string(), ..SqlError::new(code::SECURITY, &["24", "USERNAME AND/OR PASSWORD INVALID"]) }
}

fn unreachable(name: &str, why: &str) -> SqlError {
    SqlError { cause: why.to_string(), ..SqlError::new(code::CONNECTION_LOST, &["TCPIP", "SOCKETS", name, "CONNECT", "*", "*", why]) }
}
