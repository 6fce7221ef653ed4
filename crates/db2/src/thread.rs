//! A thread: the session with the local database and those that the program has connected to, and everything that the programs using it have
//! open.
//!
//! [`Thread::execute`] is one EXEC SQL statement. Its inputs are taken from storage before anything is sent, and its outputs and the
//! SQLCA are stored at the end, in one access.

use crate::command::Command;
use crate::commitment::{self, CommitFailure, Lost, Terms};
use crate::compiled::{Call, Compiled, Operands};
use crate::connections::{Connections, LOCAL};
use crate::context::{Context, Rules};
use crate::errors::{Done, SqlError, Stop, code, is_contention};
use crate::execute;
use crate::link::Link;
use crate::location::Report;
use crate::locators::Locators;
use crate::prepared::UnitOfWorkMarker;
use crate::sqlda::{Descriptor, REASON_COUNT};

use crate::state::State;
use crate::statistics::Statistics;
use crate::{diagnostics, dynamic, fetch, multirow, open, positioned, procedure, registers, rowset, storage, unit_commands};
use kernel::Departure;
use postgres::{CancelToken, Config, ConnectError, ThreadWait, Wait};
use program::requests::{SqlOutcome, SqlRequest, SqlVariable};
use program::rununit::FrameId;
use sql::Action;
use std::sync::Arc;
use std::time::Duration;

/// Stands for a token of a message that nobody knew.
const UNKNOWN_TOKEN: &str = "*N";

/// Before each request to cancel a statement.
const CANCEL_DELAYS: [Duration; 3] = [Duration::ZERO, Duration::from_millis(200), Duration::from_secs(2)];

pub struct Thread {
    connections: Connections,
    /// The unit of work was rolled back by a deadlock, and nobody has asked yet.
    deadlock: bool,
    places: Vec<SqlVariable>,
    application: Arc<str>,
}

/// No session could be begun.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConnectFailure(ConnectError);

impl ConnectFailure {
    /// The server is there, and refuses.
    pub fn is_refused(&self) -> bool {
        matches!(self.0, ConnectError::Refused(_) | ConnectError::Authentication(_) | ConnectError::NoPassword { .. })
    }
}

impl Thread {
    pub fn connect(config: &Config, wait: &mut dyn Wait) -> Result<Thread, ConnectFailure> {
        let link = Link::connect(config, wait).map_err(ConnectFailure)?;
        Ok(Thread { connections: Connections::new(State::new(link)), deadlock: false, places: Vec::new(), application: Arc::default() })
    }

    /// For whom the statements that follow are executed, as the server's log and `pg_stat_activity` show it.
    pub fn tell_application(&mut self, application: &str) {
        if *self.application != *application {
            self.application = application.into();
        }
    }

    /// Executes a statement of the program in `frame`.
    pub fn execute(&mut self, frame: FrameId, request: &SqlRequest, context: &mut Context) -> Result<SqlOutcome, Departure> {
        let info = frame.program_info();
        let ccsid = info.options.ccsid;
        let compiled = info.sql.get(request.statement as usize).and_then(|text| Compiled::of(text, ccsid));
        let Some(compiled) = compiled else {
            let error = SqlError::new(code::STATEMENT_UNKNOWN, &[&info.name, context.plan.as_str(), "01"]);
            return crate::sqlca::store(frame, request, &error);
        };
        let package = Arc::as_ptr(frame.module()) as usize;
        self.execute_compiled(&compiled, package, request, context)
    }

    /// Executes a compiled statement. `package` tells the program from others.
    pub fn execute_compiled(
        &mut self,
        compiled: &Arc<Compiled>,
        package: usize,
        request: &SqlRequest,
        context: &mut Context,
    ) -> Result<SqlOutcome, Departure> {
        let mut places = std::mem::take(&mut self.places);
        let taken = storage::places_of(request, compiled.hosts.len(), &mut places);
        let outcome = taken.and_then(|()| {
            let call = Call { compiled, places: &places, package };
            self.perform(&call, request, context)
        });
        self.places = places;
        outcome
    }

    fn perform(&mut self, call: &Call, request: &SqlRequest, context: &mut Context) -> Result<SqlOutcome, Departure> {
        self.connections.sweep();
        // Who is unconnected is told so by the local one.
        let mut at = self.connections.current().unwrap_or(LOCAL);
        let state = &mut self.connections.all[at].state;
        state.area.clear();
        state.delivery.clear();
        state.link.statistics.calls += 1;
        state.link.rolls_back = context.rolls_back_deadlock;
        let had_changed = state.link.unit.has_changed();
        let is_diagnostics = matches!(call.statement().action, Action::GetDiagnostics { .. });
        if !is_diagnostics {
            state.diagnostics.conditions.clear();
        }
        let done = match call.places.len() == call.compiled.hosts.len() {
            true => self.act(call, at, context),
            false => Err(Stop::sql(code::SQLDA_INVALID, &[REASON_COUNT])),
        };
        let done = match done {
            Err(Stop::End { commits }) => {
                let done = self.end(commits, context);
                // The connection that the statement began at may have ended.
                at = LOCAL;
                let local = self.connections.local_mut();
                local.area.clear();
                local.diagnostics.conditions.clear();
                done
            }
            done => done,
        };
        match done {
            Ok(()) | Err(Stop::Moved | Stop::End { .. }) => {}
            Err(Stop::Departure(departure)) => return Err(departure),
            Err(Stop::Sql(error)) => at = self.refuse(at, error, context),
            Err(Stop::Lost(reason)) => self.lose(at, &reason, had_changed, context),
        }
        let state = &mut self.connections.all[at].state;
        if !is_diagnostics {
            state.diagnostics.note(&state.area);
        }
        let (area, delivery) = (&state.area, &state.delivery);
        let outcome = area.deliver(request, call.compiled.page, |memory| delivery.copy(memory));
        self.carry_diagnostics(at);
        outcome
    }

    /// GET DIAGNOSTICS at another connection tells of the statement that has led there.
    fn carry_diagnostics(&mut self, at: usize) {
        let now = self.connections.current().unwrap_or(LOCAL);
        if now != at {
            let diagnostics = std::mem::take(&mut self.connections.all[at].state.diagnostics);
            self.connections.all[now].state.diagnostics = diagnostics;
        }
    }

    /// Executes a statement at the current connection, or one about connections.
    fn act(&mut self, call: &Call, at: usize, context: &mut Context) -> Done<()> {
        let connections = &mut self.connections;
        let action = &call.statement().action;
        match action {
            Action::GetDiagnostics { .. } | Action::NoEffect { .. } | Action::Rollback => {}
            _ if connections.must_back_out => return Err(Stop::sql(code::LOST_IN_UNIT, &[])),
            Action::Connect { .. } | Action::ConnectReset | Action::SetConnection { .. } | Action::ReleaseConnection { .. } => {
                return connections.manage(call, at, context);
            }
            Action::Commit => {}
            _ if connections.current().is_none() => return Err(Stop::sql(code::UNCONNECTED, &[])),
            _ => {}
        }
        let connection = &mut connections.all[at];
        let location = connection.location.clone();
        let mut there = Context {
            wait: &mut *context.wait,
            rules: context.rules,
            plan: context.plan,
            authorization_id: context.authorization_id,
            rolls_back_deadlock: context.rolls_back_deadlock,
            bind: location.as_ref().map_or(context.bind, |location| &location.bind),
            locations: context.locations,
        };
        if connection.state.link.has_ahead() && !action.takes_changes_along() {
            connection.state.link.settle(there.wait)?;
        }
        registers::tell(&mut connection.state, &there);
        registers::tell_application(&mut connection.state, &self.application);
        let done = dispatch(&mut connection.state, call, &mut there);
        if connection.state.link.has_ahead() && !call.statement().is_unobserved {
            // The statement ended before it was sent.
            connection.state.link.settle(there.wait)?;
        }
        done
    }

    /// COMMIT and ROLLBACK of a batch program.
    fn end(&mut self, commits: bool, context: &mut Context) -> Done<()> {
        if !commits {
            return commitment::rollback(&mut self.connections, context.wait).map_err(|_| Stop::Lost("the session was lost".to_string()));
        }
        let marker = commitment::has_parts(&self.connections, false).then(|| context.locations.next_unit()).flatten();
        let terms = Terms { marker: marker.as_ref(), decides: false, keeps_prepared: context.bind.keep_dynamic };
        let done = commitment::commit(&mut self.connections, terms, context.wait);
        if marker.is_some() {
            context.locations.unit_ended(&self.connections.report);
        }
        done.map_err(|failure| match failure {
            CommitFailure::BackedOut(error) => Stop::Sql(error),
            CommitFailure::Lost => Stop::Lost("the session was lost at the commit".to_string()),
        })
    }

    /// The statement ends with an SQLCODE; answers which connection has it.
    #[cold]
    fn refuse(&mut self, at: usize, mut error: SqlError, context: &mut Context) -> usize {
        let state = &mut self.connections.all[at].state;
        if error.code == code::NOT_PERMITTED
            && let Some(whose) = error.tokens.first_mut().filter(|whose| *whose == UNKNOWN_TOKEN)
        {
            whose.clone_from(&state.link.authorization);
        }
        if error.code < 0 {
            // A statement that fails sets no host variable; one that found no row sets none either.
            state.delivery.clear();
        }
        let contention = is_contention(&error);
        state.area.set(error);
        if !contention {
            return at;
        }
        state.link.statistics.deadlocks += 1;
        if !context.rolls_back_deadlock {
            return at;
        }
        let area = std::mem::take(&mut state.area);
        let done = commitment::rollback(&mut self.connections, context.wait);
        self.deadlock = true;
        self.connections.local_mut().area = area;
        if done.is_err() {
            self.lose(LOCAL, "the session was lost", false, context);
        }
        LOCAL
    }

    #[cold]
    fn lose(&mut self, at: usize, reason: &str, had_changed: bool, context: &Context) {
        let connection = &mut self.connections.all[at];
        connection.state.delivery.clear();
        unit_commands::ended(&mut connection.state, false, false);
        let error = match connection.location.clone() {
            Some(location) => {
                self.connections.lose(at, had_changed);
                SqlError::new(code::CONNECTION_LOST, &["TCPIP", "SOCKETS", &location.name, "RECEIVE", "*", "*", reason])
            }
            None => match context.rules {
                Rules::Cics => SqlError::new(context.rules.lost(), &["CICS-DB2", "00F30002", "00000800", context.bind.location()]),
                Rules::Batch => {
                    SqlError::new(context.rules.lost(), &["TCPIP", "SOCKETS", context.bind.location(), "RECEIVE", "*", "*", reason])
                }
            },
        };
        self.connections.all[at].state.area.set(error);
    }

    /// Commits the unit of work; with the marker, if one is given, because others wait for the decision of the local database.
    pub fn commit(&mut self, marker: Option<&UnitOfWorkMarker>, wait: &mut dyn Wait) -> Result<(), CommitFailure> {
        let terms = Terms { marker, decides: marker.is_some(), keeps_prepared: false };
        commitment::commit(&mut self.connections, terms, wait)
    }

    /// Commits a unit of work in which only databases were changed: with the marker if there are several.
    pub fn commit_alone(&mut self, marker: &UnitOfWorkMarker, wait: &mut dyn Wait) -> Result<(), CommitFailure> {
        let terms = Terms { marker: Some(marker), decides: false, keeps_prepared: false };
        commitment::commit(&mut self.connections, terms, wait)
    }

    /// Whether a commit prepares parts at locations. `decides`: others wait for the decision of the local database.
    pub fn has_parts(&self, decides: bool) -> bool {
        commitment::has_parts(&self.connections, decides)
    }

    /// What the last commit has left behind.
    pub fn report(&self) -> &Report {
        &self.connections.report
    }

    pub fn rollback(&mut self, wait: &mut dyn Wait) -> Result<(), Lost> {
        commitment::rollback(&mut self.connections, wait)
    }

    /// The unit of work has changed data, or can only be backed out. One that has not needs no marker, and its commit costs no wait.
    pub fn has_changed(&self) -> bool {
        let connections = &self.connections;
        connections.must_back_out || connections.all.iter().any(|connection| connection.state.link.unit.has_changed())
    }

    pub fn in_unit(&self) -> bool {
        self.connections.all.iter().any(|connection| connection.state.link.unit.is_open())
    }

    /// A cursor, a locator, a declared temporary table or a connection lives beyond the unit of work, so the thread stays with its task.
    pub fn holds_over_commit(&mut self) -> bool {
        let holds =
            |state: &mut State| state.cursors.all_open().next().is_some() || !state.locators.is_empty() || state.link.traces.temporary;
        self.connections.all.len() > 1
            || self.connections.current() != Some(LOCAL)
            || self.connections.all.iter_mut().any(|connection| holds(&mut connection.state))
    }

    /// The last deadlock or time-out rolled back the unit of work. Told once.
    pub fn take_deadlock(&mut self) -> bool {
        std::mem::take(&mut self.deadlock)
    }

    /// The session of the local database is lost.
    pub fn is_broken(&self) -> bool {
        self.connections.local().link.broken
    }

    /// Ready for another user: nothing of the last one is left.
    pub fn reset(&mut self) -> Result<(), Lost> {
        if self.is_broken() {
            return Err(Lost);
        }
        // The server rolls back a location's session that is given up.
        self.connections.reset(|state| !state.link.broken && !state.link.unit.is_open() && clean(state).is_ok());
        self.deadlock = false;
        let done = if self.in_unit() { self.rollback(&mut ThreadWait) } else { Ok(()) };
        clean(self.connections.local_mut())?;
        done
    }

    /// Asks the server to give up the statement that it is executing, of a thread that is not used any more.
    pub fn cancel(&self) {
        if let Some(token) = self.cancel_token() {
            // Another connection carries the request, and nobody waits for it. The server forgets a request that comes before the statement,
            // and one for a session that has ended has no effect.
            std::thread::spawn(move || {
                for delay in CANCEL_DELAYS {
                    std::thread::sleep(delay);
                    // A server that cannot be reached has lost the session as well.
                    let _ = token.cancel(&mut ThreadWait);
                }
            });
        }
    }

    pub fn cancel_token(&self) -> Option<CancelToken> {
        self.connections.all[self.connections.current().unwrap_or(LOCAL)].state.link.cancel_token()
    }

    /// Of the local database.
    pub fn statistics(&self) -> Statistics {
        self.connections.local().link.statistics
    }
}

/// Makes a session ready for another user; it is in no unit of work.
fn clean(state: &mut State) -> Result<(), Lost> {
    for portal in state.cursors.close_all() {
        state.link.close_portal(&portal);
    }
    unit_commands::ended(state, false, false);
    let is_as_new = state.link.clean().map_err(|_| Lost)?;
    registers::reset(state, is_as_new);
    Ok(())
}

/// Statements with host variables that a descriptor may describe; the others.
fn dispatch(state: &mut State, call: &Call, context: &mut Context) -> Done<()> {
    let action = &call.statement().action;
    // The descriptor of a FETCH or EXECUTE stands apart from its variables.
    let apart = match action {
        Action::Fetch { descriptor: Some(index), .. } | Action::ExecutePrepared { descriptor: Some(index), .. } => {
            std::slice::from_ref(index)
        }
        _ => &[],
    };
    let apart = State::descriptor(call, Operands { order: apart, ..call.inputs() })?;
    let (for_inputs, for_outputs) = match action {
        Action::Fetch { .. } => (None, apart),
        Action::ExecutePrepared { .. } => (apart, State::descriptor(call, call.outputs())?),
        _ => (State::descriptor(call, call.inputs())?, None),
    };
    let inputs = for_inputs.as_ref().map_or_else(|| call.inputs(), Descriptor::operands);
    let outputs = for_outputs.as_ref().map_or_else(|| call.outputs(), Descriptor::operands);
    match action {
        Action::Execute { rows: None, .. } => execute::execute(state, Command::of(call), inputs, context),
        Action::Execute { rows: Some(rows), atomic, .. } => {
            let count = state.number(call, rows)?;
            multirow::execute(state, Command::of(call), inputs, count, *atomic, context)
        }
        Action::SelectInto { .. } => execute::select_into(state, Command::of(call), inputs, outputs, context),
        Action::Positioned { cursor, row } => {
            let row = row.as_ref().map(|row| state.number(call, row)).transpose()?;
            positioned::execute(state, Command::of(call), inputs, (call.package, cursor), row, context)
        }
        Action::Open { cursor } => open::open(state, call, cursor, inputs, context),
        Action::Fetch { cursor, orientation, rows: None, .. } => fetch::fetch(state, call, cursor, orientation, outputs, context),
        Action::Fetch { cursor, orientation, rows: Some(rows), .. } => {
            rowset::fetch(state, call, cursor, orientation, rows, outputs, context)
        }
        Action::Close { cursor } => open::close(state, call.package, cursor),
        Action::ExecutePrepared { name, rows, .. } => {
            dynamic::execute_prepared(state, call, name, rows.as_ref(), [inputs, outputs], context)
        }
        Action::Call { procedure } => procedure::call(state, call, procedure, inputs, outputs, context),
        _ => manage(state, call, context),
    }
}

/// Statements about statements, units of work and the session.
fn manage(state: &mut State, call: &Call, context: &mut Context) -> Done<()> {
    match &call.statement().action {
        Action::Prepare { name, from, into, attributes } => {
            dynamic::prepare(state, call, name, (from, attributes.as_ref()), *into, context)
        }
        Action::ExecuteImmediate { from } => dynamic::execute_immediate(state, call, from, context),
        Action::Describe { name, input, into } => dynamic::describe(state, call, name, *input, *into, context),
        Action::DescribeTable { table, into } => dynamic::describe_table(state, call, table, *into, context),
        Action::DescribeCursor { cursor, into } => dynamic::describe_cursor(state, call, cursor, *into, context),
        Action::Ddl { texts, .. } => execute::define(state, texts, context),
        Action::Commit => unit_commands::end(true, context),
        Action::Rollback => unit_commands::end(false, context),
        Action::Savepoint { name, unique } => unit_commands::savepoint(state, name, *unique, context),
        Action::RollbackTo { name } => unit_commands::rollback_to(state, name.as_deref(), context),
        Action::Release { name } => unit_commands::release(state, name, context),
        Action::SetRegister { register, value } => {
            let value = state.text(call, value)?;
            registers::set(state, register, &value)
        }
        Action::GetDiagnostics { items, .. } => diagnostics::get(state, call, items, context),
        Action::NoEffect { .. } => Ok(()),
        Action::FreeLocator { locators } => each_locator(state, call, locators, Locators::free),
        Action::HoldLocator { locators } => each_locator(state, call, locators, Locators::hold),
        _ => Err(Stop::sql(code::UNSUPPORTED, &[])),
    }
}

/// FREE LOCATOR and HOLD LOCATOR.
fn each_locator(state: &mut State, call: &Call, locators: &[u16], each: impl Fn(&mut Locators, &[u8]) -> bool) -> Done<()> {
    for index in locators {
        state.take_one(call, *index)?;
        if !each(&mut state.locators, state.gathered.bytes(0)) {
            return Err(Stop::sql(code::LOCATOR_INVALID, &[&call.compiled.hosts[usize::from(*index)].variable.name]));
        }
    }
    Ok(())
}
