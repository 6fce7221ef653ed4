//! A thread: one session with the database, and everything that the programs using it have open.
//!
//! [`Thread::execute`] is one EXEC SQL statement. Its inputs are taken from storage before anything is sent, and its outputs and the
//! SQLCA are stored at the end, in one access.

use crate::command::Command;
use crate::compiled::{Call, Compiled, Operands};
use crate::context::{Context, Rules};
use crate::errors::{Done, SqlError, Stop, code, is_contention};
use crate::execute;
use crate::link::Link;
use crate::locators::Locators;
use crate::sqlda::{Descriptor, REASON_COUNT};

use crate::state::State;
use crate::statistics::Statistics;
use crate::{diagnostics, dynamic, fetch, multirow, open, positioned, procedure, registers, rowset, storage, unit_commands};
use kernel::Departure;
use postgres::{CancelToken, Config, ConnectError, ThreadWait, Wait};
use program::requests::{SqlOutcome, SqlRequest};
use program::rununit::FrameId;
use sql::Action;
use sql::names::string;
use std::sync::Arc;

/// Stands for a token of a message that nobody knew.
const UNKNOWN_TOKEN: &str = "*N";

pub struct Thread {
    state: State,
    /// The unit of work was rolled back by a deadlock, and nobody has asked yet.
    deadlock: bool,
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

/// The row that the database keeps of a unit of work, if other resource managers took part: in table `db2.units_of_work`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitOfWorkMarker {
    pub region: String,
    pub unit: u64,
}

impl UnitOfWorkMarker {
    fn statement(&self) -> String {
        let region = string(self.region.trim_end());
        format!("INSERT INTO db2.units_of_work (region, unit, outcome) VALUES ({region}, {}, 'C')", self.unit)
    }
}

/// A unit of work was not committed.
#[derive(Debug)]
pub enum CommitFailure {
    /// It is backed out.
    BackedOut(SqlError),
    /// The session was lost before the answer: nobody knows.
    Lost,
}

/// The session is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lost;

impl Thread {
    pub fn connect(config: &Config, wait: &mut dyn Wait) -> Result<Thread, ConnectFailure> {
        let link = Link::connect(config, wait).map_err(ConnectFailure)?;
        Ok(Thread { state: State::new(link), deadlock: false })
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
        let state = &mut self.state;
        let mut places = std::mem::take(&mut state.places);
        let taken = storage::places_of(request, compiled.hosts.len(), &mut places);
        let outcome = taken.and_then(|()| {
            let call = Call { compiled, places: &places, package };
            self.perform(&call, request, context)
        });
        self.state.places = places;
        outcome
    }

    fn perform(&mut self, call: &Call, request: &SqlRequest, context: &mut Context) -> Result<SqlOutcome, Departure> {
        let state = &mut self.state;
        state.area.clear();
        state.delivery.clear();
        state.link.statistics.calls += 1;
        state.link.rolls_back = context.rolls_back_deadlock;
        let is_diagnostics = matches!(call.statement().action, Action::GetDiagnostics { .. });
        if !is_diagnostics {
            state.diagnostics.conditions.clear();
        }
        registers::tell(state, context);
        let done = match call.places.len() == call.compiled.hosts.len() {
            true => dispatch(state, call, context),
            false => Err(Stop::sql(code::SQLDA_INVALID, &[REASON_COUNT])),
        };
        match done {
            Ok(()) | Err(Stop::Moved) => {}
            Err(Stop::Departure(departure)) => return Err(departure),
            Err(Stop::Sql(error)) => self.refuse(error, context),
            Err(Stop::Lost(reason)) => self.lose(&reason, context),
        }
        let state = &mut self.state;
        if !is_diagnostics {
            state.diagnostics.note(&state.area);
        }
        let (area, delivery) = (&state.area, &state.delivery);
        area.deliver(request, call.compiled.page, |memory| delivery.copy(memory))
    }

    /// The statement ends with an SQLCODE.
    #[cold]
    fn refuse(&mut self, mut error: SqlError, context: &mut Context) {
        let state = &mut self.state;
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
            return;
        }
        state.link.statistics.deadlocks += 1;
        if context.rolls_back_deadlock {
            let done = unit_commands::rollback(state, context.wait);
            self.deadlock = true;
            if let Err(Stop::Lost(reason)) = done {
                self.lose(&reason, context);
            }
        }
    }

    #[cold]
    fn lose(&mut self, reason: &str, context: &Context) {
        let state = &mut self.state;
        state.delivery.clear();
        unit_commands::ended(state, false, false);
        let lost = context.rules.lost();
        let error = match context.rules {
            Rules::Cics => SqlError::new(lost, &["CICS-DB2", "00F30002", "00000800", context.bind.location()]),
            Rules::Batch => SqlError::new(lost, &["TCPIP", "SOCKETS", context.bind.location(), "RECEIVE", "*", "*", reason]),
        };
        state.area.set(error);
    }

    /// Commits the unit of work; the marker, if one is given, in the same transaction.
    pub fn commit(&mut self, marker: Option<&UnitOfWorkMarker>, wait: &mut dyn Wait) -> Result<(), CommitFailure> {
        let text = marker.map(UnitOfWorkMarker::statement);
        let state = &mut self.state;
        match unit_commands::commit(state, text.as_deref(), false, wait) {
            Ok(()) | Err(Stop::Moved) => Ok(()),
            Err(Stop::Sql(error)) => {
                let _ = unit_commands::rollback(state, wait);
                Err(CommitFailure::BackedOut(error))
            }
            Err(Stop::Lost(_) | Stop::Departure(_)) => {
                unit_commands::ended(state, false, false);
                Err(CommitFailure::Lost)
            }
        }
    }

    pub fn rollback(&mut self, wait: &mut dyn Wait) -> Result<(), Lost> {
        unit_commands::rollback(&mut self.state, wait).map_err(|_| Lost)
    }

    /// The unit of work has changed data. One that has not needs no marker, and its commit costs no wait.
    pub fn has_changed(&self) -> bool {
        self.state.link.unit.has_changed()
    }

    pub fn in_unit(&self) -> bool {
        self.state.link.unit.is_open()
    }

    /// A cursor, a locator or a declared temporary table lives beyond the unit of work, so the thread stays with its task.
    pub fn holds_over_commit(&mut self) -> bool {
        self.state.cursors.all_open().next().is_some() || !self.state.locators.is_empty() || self.state.link.traces.temporary
    }

    /// The last deadlock or time-out rolled back the unit of work. Told once.
    pub fn take_deadlock(&mut self) -> bool {
        std::mem::take(&mut self.deadlock)
    }

    pub fn is_broken(&self) -> bool {
        self.state.link.broken
    }

    /// Ready for another user: nothing of the last one is left.
    pub fn reset(&mut self) -> Result<(), Lost> {
        if self.is_broken() {
            return Err(Lost);
        }
        let done = if self.in_unit() { self.rollback(&mut ThreadWait) } else { Ok(()) };
        for portal in self.state.cursors.close_all() {
            self.state.link.close_portal(&portal);
        }
        unit_commands::ended(&mut self.state, false, false);
        self.deadlock = false;
        let is_as_new = self.state.link.clean().map_err(|_| Lost)?;
        registers::reset(&mut self.state, is_as_new);
        done
    }

    /// Asks the server to give up the statement that it is executing.
    pub fn cancel(&self) {
        if let Some(token) = self.cancel_token() {
            // Another connection carries the request, and nobody waits for it.
            std::thread::spawn(move || token.cancel(&mut ThreadWait));
        }
    }

    pub fn cancel_token(&self) -> Option<CancelToken> {
        self.state.link.cancel_token()
    }

    pub fn statistics(&self) -> Statistics {
        self.state.link.statistics
    }
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
        Action::Commit => unit_commands::end(state, true, context),
        Action::Rollback => unit_commands::end(state, false, context),
        Action::Savepoint { name, unique } => unit_commands::savepoint(state, name, *unique, context),
        Action::RollbackTo { name } => unit_commands::rollback_to(state, name.as_deref(), context),
        Action::Release { name } => unit_commands::release(state, name, context),
        Action::SetRegister { register, value } => {
            let value = state.text(call, value)?;
            registers::set(state, register, &value)
        }
        Action::GetDiagnostics { items, .. } => diagnostics::get(state, call, items, context),
        Action::Connect { server, .. } => {
            let server = server.as_ref().map(|server| state.text(call, server)).transpose()?;
            registers::check_server(server.as_deref().unwrap_or_default(), context)
        }
        Action::SetConnection { server } => {
            let server = state.text(call, server)?;
            registers::check_server(&server, context)
        }
        Action::ReleaseConnection { server } => registers::check_server(server, context),
        Action::ConnectReset | Action::NoEffect { .. } => Ok(()),
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
