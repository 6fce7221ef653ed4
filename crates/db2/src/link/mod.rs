//! The session with the server: batches of messages that end with one Sync, and the reading of their answers.
//!
//! A batch is sent and read in one round trip. It begins with the transaction commands that the unit of work needs ([`crate::unit`]) and with
//! the closing of portals that nobody uses any more; so neither costs a round trip of its own. The answer of a batch may be left unread
//! (COMMIT of a unit that only read): it is read with that of the next.
//!
//! Invariant: when a function of the link returns, the server has been asked for nothing more, except for `unread` batches.

mod ahead;

use self::ahead::Ahead;
use crate::convert::ColumnType;
use crate::errors::{Done, SqlError, Stop, of_server};
use crate::rows::Rows;
use crate::statistics::Statistics;
use crate::traces::Traces;
use crate::types::Oid;
use crate::unit::{Prefix, Status, Unit, Utility};
use postgres::{CancelToken, Config, ConnectError, Message, Session, Target, TransactionStatus, Wait};
use rustc_hash::FxHashMap;
use sql::ErrorContext;
use sql::names::string;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A column of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    pub name: String,
    pub kind: ColumnType,
    /// Table and number of the column that it is; zero: an expression.
    pub table: Oid,
    pub number: i16,
}

impl Column {
    pub fn of(field: postgres::Column) -> Column {
        let kind = ColumnType { oid: field.data_type, modifier: field.modifier };
        Column { name: field.name.to_string(), kind, table: field.table, number: field.number }
    }

    /// A parameter, as DESCRIBE INPUT shows it.
    pub fn of_parameter(oid: Oid) -> Column {
        Column { name: String::new(), kind: ColumnType { oid, modifier: -1 }, table: 0, number: 0 }
    }
}

/// A statement as the server has prepared it.
#[derive(Debug, Default)]
pub struct Described {
    pub name: String,
    pub text: String,
    pub parameters: Vec<Oid>,
    pub columns: Vec<Column>,
    traces: Traces,
}

/// Identifies a prepared statement: a text, and what was made of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    pub id: u32,
    pub form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// The statement itself.
    Plain,
    /// A query with row identifiers, or an UPDATE or DELETE of a row by its identifier.
    ByRow,
    /// DECLARE of the cursor with this number, with the statement as its query.
    Declare(u32),
    DeclareByRow(u32),
}

/// How a batch went.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Answer {
    /// Rows of the last command.
    pub count: i64,
    /// The limit of rows was reached: there may be more.
    pub suspended: bool,
}

pub struct Link {
    session: Session,
    prepared: FxHashMap<Key, Arc<Described>>,
    /// Names given to prepared statements.
    names: u64,
    pub unit: Unit,
    /// Batches whose answers were not read.
    unread: u32,
    /// Changes whose answers are read with that of the next statement.
    ahead: Vec<Ahead>,
    /// Of the changes in `ahead`, one behind another.
    ahead_parameters: Vec<u8>,
    /// The first of them that failed.
    failed_ahead: Option<(usize, SqlError)>,
    /// Portals to close with the next batch.
    closes: Vec<String>,
    /// Settings to send with the next batch: name and value.
    settings: Vec<(String, String)>,
    /// Settings sent in this unit of work: a rollback takes them back, and they are sent again.
    sent: Vec<(String, String)>,
    pub statistics: Statistics,
    /// What the present user has left in the session.
    pub traces: Traces,
    /// Of the rules, for the conditions of errors: a deadlock rolls back the unit, and whose authorization is in question.
    pub rolls_back: bool,
    pub authorization: String,
    /// The statement in execution has input values: one that is too long may be one of them.
    has_inputs: bool,
    /// The connection is of no use any more.
    pub broken: bool,
}

/// Sends a setting; the name of its prepared statement.
const SETTING: (&str, &str) = ("setting", "SELECT pg_catalog.set_config($1::text, $2::text, false)");

impl Link {
    pub fn connect(config: &Config, wait: &mut dyn Wait) -> Result<Link, ConnectError> {
        let session = Session::connect(config, wait)?;
        let mut link = Link {
            session,
            prepared: FxHashMap::default(),
            names: 0,
            unit: Unit::default(),
            unread: 0,
            ahead: Vec::new(),
            ahead_parameters: Vec::new(),
            failed_ahead: None,
            closes: Vec::new(),
            settings: Vec::new(),
            sent: Vec::new(),
            statistics: Statistics::default(),
            traces: Traces::default(),
            rolls_back: true,
            authorization: String::new(),
            has_inputs: false,
            broken: false,
        };
        for utility in Utility::ALL {
            let (name, text) = utility.statement();
            link.session.parse(name, text, &[]);
        }
        link.session.parse(SETTING.0, SETTING.1, &[]);
        link.session.sync();
        link.unread += 1;
        Ok(link)
    }

    /// Queues what goes ahead of a statement; returns how many commands that are.
    fn begin(&mut self, repeatable: bool) -> u32 {
        let prefix: Prefix = self.unit.prefix(repeatable);
        let mut commands = 0;
        for utility in prefix.into_iter().flatten() {
            self.utility(utility);
            commands += 1;
        }
        for portal in self.closes.drain(..) {
            self.session.close(Target::Portal, &portal);
        }
        for setting in self.settings.drain(..) {
            let both = [setting.0.as_bytes(), setting.1.as_bytes()];
            let Ok(()) = self.session.bind("", SETTING.0, both.len(), |number, out| {
                out.extend_from_slice(both[number]);
                Ok::<bool, Infallible>(true)
            });
            self.session.execute("", 0);
            self.sent.push(setting);
            commands += 1;
        }
        commands
    }

    fn utility(&mut self, utility: Utility) {
        bind(&mut self.session, "", utility.statement().0, 0, &[]);
        self.session.execute("", 0);
    }

    /// Queues a setting of the session for the next batch.
    pub fn set(&mut self, name: &str, value: &str) {
        self.settings.retain(|setting| setting.0 != name);
        self.settings.push((name.to_string(), value.to_string()));
    }

    /// The server has taken back the settings of this unit of work.
    fn resend(&mut self) {
        for (name, value) in std::mem::take(&mut self.sent) {
            if !self.settings.iter().any(|setting| setting.0 == name) {
                self.settings.push((name, value));
            }
        }
    }

    pub fn close_portal(&mut self, name: &str) {
        self.closes.push(name.to_string());
    }

    /// The prepared statement of this text; the server prepares it if it is new, behind what checks it.
    pub fn prepare(&mut self, key: Key, (text, check): (&str, &str), repeatable: bool, wait: &mut dyn Wait) -> Done<Arc<Described>> {
        if let Some(described) = self.prepared.get(&key) {
            return Ok(Arc::clone(described));
        }
        self.settle(wait)?;
        self.begin(repeatable);
        if !check.is_empty() {
            self.text(check);
        }
        self.names += 1;
        let name = format!("s{}", self.names);
        self.session.parse(&name, text, &[]);
        self.session.describe(Target::Statement, &name);
        self.session.sync();
        self.statistics.prepares += 1;
        let mut described = Described { name, text: text.to_string(), traces: Traces::of(text, check), ..Described::default() };
        self.read(text, &mut Reading::Description(&mut described), wait)?;
        let described = Arc::new(described);
        self.prepared.insert(key, Arc::clone(&described));
        Ok(described)
    }

    /// Forgets a statement whose tables have changed.
    pub fn forget(&mut self, key: Key) {
        if let Some(described) = self.prepared.remove(&key) {
            self.session.close(Target::Statement, &described.name);
        }
    }

    /// Executes a prepared statement: binds it to the portal and asks for at most `rows_max` rows (0: all).
    pub fn run(&mut self, run: Run, rows: &mut Rows, wait: &mut dyn Wait) -> Done<Answer> {
        self.traces.add(run.described.traces);
        let skip = self.queue(run);
        let done = self.collect(&run.described.text, skip, rows, wait);
        if self.ahead.is_empty() || matches!(done, Err(Stop::Lost(_) | Stop::Departure(_))) {
            return done;
        }
        if !self.repair(wait)? {
            return done;
        }
        let skip = self.queue(run);
        self.collect(&run.described.text, skip, rows, wait)
    }

    /// Queues the execution of a prepared statement; returns how many commands go ahead of it.
    fn queue(&mut self, run: Run) -> u32 {
        let skip = self.begin(run.repeatable);
        self.has_inputs = !run.described.parameters.is_empty();
        bind(&mut self.session, run.portal, &run.described.name, run.described.parameters.len(), run.parameters);
        self.session.execute(run.portal, run.rows_max as i32);
        self.session.sync();
        skip
    }

    pub fn is_prepared(&self, key: Key) -> bool {
        self.prepared.contains_key(&key)
    }

    /// Executes a prepared statement once for each group of parameters, in one round trip; returns the rows that each changed.
    pub fn run_many(&mut self, described: &Described, groups: &[&[u8]], counts: &mut Vec<i64>, wait: &mut dyn Wait) -> Done<()> {
        self.traces.add(described.traces);
        let skip = self.begin(false);
        self.has_inputs = true;
        for group in groups {
            bind(&mut self.session, "", &described.name, described.parameters.len(), group);
            self.session.execute("", 0);
        }
        self.session.sync();
        let mut all = Vec::with_capacity(groups.len() + skip as usize);
        self.read(&described.text, &mut Reading::Counts(&mut all), wait)?;
        counts.extend(all.into_iter().skip(skip as usize));
        Ok(())
    }

    /// Asks a portal for more rows.
    pub fn more(&mut self, portal: &str, rows_max: u32, rows: &mut Rows, wait: &mut dyn Wait) -> Done<Answer> {
        let skip = self.begin(false);
        self.session.execute(portal, rows_max as i32);
        self.session.sync();
        self.collect("", skip, rows, wait)
    }

    /// Executes a prepared statement and then a text, whose rows are collected, in one round trip: DECLARE and FETCH.
    pub fn run_then(&mut self, run: Run, text: &str, rows: &mut Rows, wait: &mut dyn Wait) -> Done<Answer> {
        self.traces.add(run.described.traces);
        let skip = self.begin(run.repeatable);
        bind(&mut self.session, "", &run.described.name, run.described.parameters.len(), run.parameters);
        self.session.execute("", 0);
        self.text(text);
        self.has_inputs = !run.described.parameters.is_empty();
        self.session.sync();
        self.collect(&run.described.text, skip + 1, rows, wait)
    }

    /// Executes a text without parameters.
    pub fn run_text(&mut self, text: &str, rows: &mut Rows, wait: &mut dyn Wait) -> Done<Answer> {
        let skip = self.begin(false);
        self.text(text);
        self.session.sync();
        self.collect(text, skip, rows, wait)
    }

    /// Executes texts without parameters and results, in one round trip; an error skips those behind it.
    pub fn run_texts(&mut self, texts: &[String], wait: &mut dyn Wait) -> Done<()> {
        let skip = self.begin(false);
        for text in texts {
            self.traces.add(Traces::of(text, ""));
            self.text(text);
        }
        self.session.sync();
        let first = texts.first().map_or("", String::as_str);
        self.collect(first, skip, &mut Rows::default(), wait).map(|_| ())
    }

    /// A command on a savepoint of the program. Our own ends before it.
    pub fn savepoint(&mut self, text: &str, returns: bool, wait: &mut dyn Wait) -> Done<()> {
        let mut skip = 0;
        if !self.unit.is_open() || !returns {
            skip = self.begin(false);
            if let Some(release) = self.unit.drop_savepoint() {
                self.utility(release);
                skip += 1;
            }
        }
        self.text(text);
        self.session.sync();
        self.collect(text, skip, &mut Rows::default(), wait)?;
        if returns {
            self.unit.returned();
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        self.has_inputs = false;
        self.session.parse("", text, &[]);
        bind(&mut self.session, "", "", 0, &[]);
        self.session.execute("", 0);
    }

    /// Ends the transaction. `last`: a statement without parameters that is executed in the same batch, ahead of COMMIT.
    pub fn commit(&mut self, last: Option<&str>, wait: &mut dyn Wait) -> Done<()> {
        self.settle(wait)?;
        if self.unit.has_failed() || !self.unit.is_open() {
            // What the unit changed before the failed statement is kept; and `last` may be all that it changes.
            self.begin(false);
        }
        if let Some(text) = last {
            self.text(text);
        }
        let wanted = self.unit.has_changed() || last.is_some();
        if !wanted {
            self.sent.clear();
        }
        let ended = self.end(Utility::Commit, wanted, wait);
        if ended.is_ok() {
            self.sent.clear();
        }
        ended
    }

    pub fn rollback(&mut self, wait: &mut dyn Wait) -> Done<()> {
        self.resend();
        let ended = self.end(Utility::Rollback, true, wait);
        self.forget_ahead();
        ended
    }

    /// The session is given up when a wait for its server lasts longer; `None`: it waits for ever.
    pub fn limit_waits(&mut self, most: Option<Duration>) {
        self.session.set_deadline(most.map(|most| Instant::now() + most));
    }

    /// Ends the transaction by preparing it under a name. If the server refuses, it has rolled it back.
    pub fn prepare_transaction(&mut self, name: &str, wait: &mut dyn Wait) -> Done<()> {
        self.settle(wait)?;
        if self.unit.has_failed() {
            self.begin(false);
        }
        // Cursors that the program has closed would be in the way.
        for portal in self.closes.drain(..) {
            self.session.close(Target::Portal, &portal);
        }
        self.text(&format!("PREPARE TRANSACTION {}", string(name)));
        self.session.sync();
        self.unit.end();
        let prepared = self.collect("", 0, &mut Rows::default(), wait);
        if prepared.is_ok() {
            self.sent.clear();
        }
        prepared.map(|_| ())
    }

    /// Commits a prepared transaction, or rolls it back.
    pub fn end_prepared(&mut self, name: &str, commits: bool, wait: &mut dyn Wait) -> Done<()> {
        debug_assert!(!self.unit.is_open());
        self.text(&format!("{} PREPARED {}", if commits { "COMMIT" } else { "ROLLBACK" }, string(name)));
        self.session.sync();
        self.collect("", 0, &mut Rows::default(), wait).map(|_| ())
    }

    /// Whether the server still answers, after a time without use.
    pub fn is_alive(&mut self, wait: &mut dyn Wait) -> bool {
        self.session.sync();
        !self.broken && self.collect("", 0, &mut Rows::default(), wait).is_ok()
    }

    /// Removes what the user has left in the session, outside of a transaction. Nobody waits for it, and it is sent with the next batch if it
    /// can stay until then. True: the settings are those of a new session.
    pub fn clean(&mut self) -> Done<bool> {
        let traces = std::mem::take(&mut self.traces);
        if traces.cleaning().is_empty() {
            return Ok(false);
        }
        for text in traces.cleaning() {
            self.text(text);
        }
        self.session.sync();
        self.unread += 1;
        if traces.is_deep() {
            self.sent.clear();
            self.session.send().map_err(|broken| self.lost(&broken))?;
        }
        Ok(traces.is_deep())
    }

    /// A command that ends the transaction; its answer is read only if it matters.
    fn end(&mut self, utility: Utility, wanted: bool, wait: &mut dyn Wait) -> Done<()> {
        self.utility(utility);
        self.session.sync();
        self.unit.end();
        if !wanted {
            self.unread += 1;
            return self.session.send().map_err(|broken| self.lost(&broken));
        }
        self.collect("", 0, &mut Rows::default(), wait).map(|_| ())
    }

    fn collect(&mut self, text: &str, skip: u32, rows: &mut Rows, wait: &mut dyn Wait) -> Done<Answer> {
        let mut answer = Answer::default();
        self.read(text, &mut Reading::Rows(Collected { skip, rows, answer: &mut answer }), wait)?;
        Ok(answer)
    }

    /// Reads the answers up to that of the batch sent last.
    fn read(&mut self, text: &str, reading: &mut Reading, wait: &mut dyn Wait) -> Done<()> {
        let begun = Instant::now();
        let done = self.read_all(text, reading, wait);
        self.statistics.round_trips += 1;
        self.statistics.server_time += begun.elapsed();
        done
    }

    fn read_all(&mut self, text: &str, reading: &mut Reading, wait: &mut dyn Wait) -> Done<()> {
        let mut failure: Option<SqlError> = None;
        loop {
            let message = match self.session.receive(wait) {
                Ok(message) => message,
                Err(broken) => return Err(self.lost(&broken)),
            };
            match message {
                Message::ReadyForQuery(_) if self.unread > 0 => {
                    self.unread -= 1;
                    // An error of a batch that nobody waited for is of no consequence, if it only read.
                    let change = self.ahead.len().checked_sub(self.unread as usize + 1);
                    if let (Some(change), Some(error), None) = (change, failure.take(), &self.failed_ahead) {
                        self.failed_ahead = Some((change, error));
                    }
                }
                Message::ReadyForQuery(_) => {
                    self.unit.ready(status_of(self.session.transaction_status()));
                    if failure.is_some() && !self.sent.is_empty() {
                        self.resend();
                    }
                    return failure.map_or(Ok(()), |error| Err(Stop::Sql(error)));
                }
                Message::Error(error) => {
                    let (rolls_back, has_inputs, authorization) = (self.rolls_back, self.has_inputs, self.authorization.as_str());
                    let context = ErrorContext { rolls_back, has_inputs, statement: text, text, authorization };
                    failure = Some(of_server(*error, context));
                }
                Message::DataRow(_) | Message::CommandComplete(_) if self.unread > 0 => {}
                message => {
                    if let Message::DataRow(row) = &message {
                        self.statistics.rows += 1;
                        self.statistics.bytes += row.bytes().len() as u64;
                    }
                    reading.take(message);
                }
            }
        }
    }

    pub fn cancel_token(&self) -> Option<CancelToken> {
        self.session.cancel_token()
    }

    #[cold]
    fn lost(&mut self, broken: &postgres::Broken) -> Stop {
        self.broken = true;
        self.forget_ahead();
        self.unit.end();
        match kernel::guard::pending_stop() {
            Some(departure) => Stop::Departure(departure),
            None => Stop::Lost(broken.to_string()),
        }
    }
}

/// The execution of a prepared statement.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub described: &'a Described,
    pub parameters: &'a [u8],
    pub portal: &'a str,
    pub rows_max: u32,
    pub repeatable: bool,
}

struct Collected<'a> {
    /// Commands whose completion is not that of the statement.
    skip: u32,
    rows: &'a mut Rows,
    answer: &'a mut Answer,
}

/// What is done with the answers of a batch.
enum Reading<'a> {
    Description(&'a mut Described),
    Rows(Collected<'a>),
    Counts(&'a mut Vec<i64>),
}

impl Reading<'_> {
    fn take(&mut self, message: Message) {
        match (self, message) {
            (Reading::Description(described), Message::ParameterDescription(types)) => described.parameters = types.types().collect(),
            (Reading::Description(described), Message::RowDescription(fields)) => {
                described.columns = fields.columns().map(Column::of).collect();
            }
            (Reading::Rows(collected), Message::DataRow(row)) if collected.skip == 0 => collected.rows.push(row),
            (Reading::Rows(collected), Message::CommandComplete(tag)) => {
                if collected.skip > 0 {
                    collected.skip -= 1;
                } else {
                    collected.answer.count = rows_of(tag);
                }
            }
            (Reading::Rows(collected), Message::Suspended) => collected.answer.suspended = true,
            (Reading::Counts(counts), Message::CommandComplete(tag)) => counts.push(rows_of(tag)),
            _ => {}
        }
    }
}

/// Queues a Bind with parameters that are encoded: a fullword with the length (-1: null) and the value, each.
fn bind(session: &mut Session, portal: &str, statement: &str, count: usize, parameters: &[u8]) {
    let mut rest = parameters;
    let Ok(()) = session.bind(portal, statement, count, |_, out| {
        let Some((length, after)) = rest.split_first_chunk::<4>() else { return Ok::<bool, Infallible>(false) };
        let length = usize::try_from(i32::from_be_bytes(*length));
        let (value, after) = after.split_at(length.unwrap_or(0));
        out.extend_from_slice(value);
        rest = after;
        Ok(length.is_ok())
    });
}

/// The number at the end of a command's tag: `INSERT 0 3`, `UPDATE 3`.
fn rows_of(tag: &str) -> i64 {
    tag.rsplit(' ').next().and_then(|last| last.parse().ok()).unwrap_or(0)
}

fn status_of(status: TransactionStatus) -> Status {
    match status {
        TransactionStatus::Idle => Status::Idle,
        TransactionStatus::InTransaction => Status::InTransaction,
        TransactionStatus::Failed => Status::Failed,
    }
}
