//! Executes statements of scripts, as DSNTIAD and DSNTEP2 do: each is translated, executed and committed.
//!
//! Registers that a script sets last to its end: a script begins with the registers of the plan.

use std::time::{Duration, Instant};

use db2::load::Unloaded;
use postgres::{FinishError, Message, Session, ThreadWait};
use sql::names::{delimited, string};
use sql::utility::Load;
use sql::{DynamicKind, DynamicOptions, ErrorContext, SqlError};

use super::listing::Listing;
use super::{Database, GiveUp, Order};

/// SQLSTATE of PostgreSQL: the schema of a new object is not there. Db2 needs none to be created.
const NO_SCHEMA: &str = "3F000";

/// The analysis of a statement takes no longer, if the server is there.
const CHECK_MAX: Duration = Duration::from_secs(10);

/// A session that runs scripts.
pub struct Executor {
    session: Session,
    wait: GiveUp,
    schema: String,
    options: DynamicOptions,
    /// Schema of unqualified names now.
    pub current_schema: String,
}

/// A statement that was executed.
#[derive(Debug)]
pub enum Finished {
    /// It changed or returned rows, or defined something.
    Done,
    /// It has no effect here: why.
    NoEffect(String),
}

#[derive(Debug)]
pub enum Failure {
    Sql(SqlError),
    /// The session is lost.
    Lost(String),
}

impl Executor {
    pub fn new(database: &Database, schema: &str) -> Result<Executor, String> {
        let options = DynamicOptions { ebcdic_order: database.order() == Order::Ebcdic, ..DynamicOptions::default() };
        let (session, wait) = (database.session()?, database.wait());
        let mut executor = Executor { session, wait, schema: schema.to_string(), options, current_schema: String::new() };
        executor.begin()?;
        Ok(executor)
    }

    /// Begins a script.
    pub fn begin(&mut self) -> Result<(), String> {
        self.set_schema(&self.schema.clone()).map_err(|failure| failure.to_string())
    }

    /// Unloads the rows of a query as DSNTIAUL does. `place` is the table and the number of the data set for its LOAD statement.
    pub fn unload(
        &mut self,
        text: &str,
        place: (&str, usize),
        ccsid: u16,
        put: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<Unloaded, String> {
        let translated = sql::translate(text, &self.options).map_err(|error| error.to_string())?;
        if !matches!(translated.kind, DynamicKind::Select) {
            return Err(format!("`{text}` is no query"));
        }
        if !translated.check.is_empty() {
            self.plain(&translated.check).map_err(|failure| failure.to_string())?;
        }
        db2::load::unload(&mut self.session, (&translated.text, &translated.columns), place, ccsid, put, &mut ThreadWait)
            .map_err(|error| error.to_string())
    }

    /// Carries a LOAD statement out; returns the number of rows.
    pub fn load(&mut self, load: &Load, ccsid: u16, records: &[Vec<u8>]) -> Result<u64, String> {
        let loaded = db2::load::load(&mut self.session, load, ccsid, records, &mut ThreadWait).map_err(|error| error.to_string())?;
        Ok(loaded.rows.iter().sum())
    }

    fn set_schema(&mut self, schema: &str) -> Result<(), Failure> {
        let path = sql::search_path(schema).map_err(Failure::Sql)?;
        self.current_schema = schema.to_uppercase();
        self.plain(&format!("SET search_path TO {path}"))
    }

    /// One statement without its terminator. `record` is SQL text that is executed in the same transaction, after it.
    pub fn statement(&mut self, text: &str, record: Option<&str>, listing: &mut Listing) -> Result<Finished, Failure> {
        let translated = sql::translate(text, &self.options).map_err(Failure::Sql)?;
        match translated.kind {
            DynamicKind::SetRegister { register, value } => return self.set_register(&register, &value),
            DynamicKind::Commit | DynamicKind::Rollback => {
                return Ok(Finished::NoEffect("no effect: each statement is committed as it ends".to_string()));
            }
            DynamicKind::NoEffect { reason } => return Ok(Finished::NoEffect(reason)),
            _ => {}
        }
        let parts = [translated.check.as_str(), translated.text.as_str(), record.unwrap_or_default()];
        let whole = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(";\n");
        match self.query(&whole, text, listing) {
            Err(Problem::NoSchema(name)) => {
                // Another process may create it at the same time, which is as good.
                self.plain(&format!("CREATE SCHEMA IF NOT EXISTS {}", identifier(&name)))?;
                self.query(&whole, text, listing).map_err(Problem::failure)?;
            }
            other => other.map_err(Problem::failure)?,
        }
        Ok(Finished::Done)
    }

    /// What is wrong with a statement that is translated already; it is analysed, not executed. `statement` is its text in Db2's SQL.
    /// `names` checks its names ahead of it, if it is not empty. A server that does not answer is lost.
    pub fn check(&mut self, names: &str, text: &str, statement: &str) -> Result<Option<SqlError>, String> {
        let mut done = Ok(());
        self.session.set_deadline(Some(Instant::now() + CHECK_MAX));
        if !names.is_empty() {
            self.session.query(names);
            done = self.session.finish(&mut self.wait, |_| {});
        }
        if done.is_ok() {
            self.session.parse("", text, &[]);
            self.session.sync();
            done = self.session.finish(&mut self.wait, |_| {});
        }
        self.session.set_deadline(None);
        match done {
            Ok(()) => Ok(None),
            Err(FinishError::Broken(broken)) => Err(broken.to_string()),
            Err(FinishError::Refused(error)) => {
                let context = ErrorContext { statement, text, has_inputs: true, ..ErrorContext::default() };
                Ok(Some(db2::of_server(*error, context)))
            }
        }
    }

    /// Text of PostgreSQL, whose rows are given as text.
    pub fn rows(&mut self, text: &str) -> Result<Vec<Vec<String>>, Failure> {
        let mut listing = Listing::default();
        self.query(text, text, &mut listing).map_err(Problem::failure)?;
        Ok(listing.take_rows())
    }

    /// Text of PostgreSQL that returns nothing of interest.
    pub fn plain(&mut self, text: &str) -> Result<(), Failure> {
        self.query(text, text, &mut Listing::default()).map_err(Problem::failure)
    }

    fn set_register(&mut self, register: &str, value: &str) -> Result<Finished, Failure> {
        match register {
            "CURRENT SQLID" | "CURRENT SCHEMA" => self.set_schema(value)?,
            _ => self.plain(&format!("SELECT db2.set_register({}, {})", string(register), string(value)))?,
        }
        Ok(Finished::NoEffect(format!("{register} = {value}")))
    }

    fn query(&mut self, text: &str, statement: &str, listing: &mut Listing) -> Result<(), Problem> {
        self.session.query(text);
        listing.begin();
        let done = self.session.finish(&mut self.wait, |message| match message {
            Message::RowDescription(description) => listing.describe(&description),
            Message::DataRow(row) => listing.row(&row),
            Message::CommandComplete(tag) => listing.complete(tag),
            _ => {}
        });
        let error = match done {
            Ok(()) => return Ok(()),
            Err(FinishError::Broken(broken)) => return Err(Problem::Lost(broken.to_string())),
            Err(FinishError::Refused(error)) => *error,
        };
        if error.code == NO_SCHEMA
            && let Some(name) = error.message.split('"').nth(1)
        {
            return Err(Problem::NoSchema(name.to_string()));
        }
        let context = ErrorContext { statement, text, ..ErrorContext::default() };
        Err(Problem::Sql(db2::of_server(error, context)))
    }
}

enum Problem {
    NoSchema(String),
    Sql(SqlError),
    Lost(String),
}

impl Problem {
    fn failure(self) -> Failure {
        match self {
            Problem::NoSchema(name) => Failure::Sql(SqlError::new(UNDEFINED, &[&name])),
            Problem::Sql(error) => Failure::Sql(error),
            Problem::Lost(why) => Failure::Lost(why),
        }
    }
}

/// SQLCODE of an undefined name.
const UNDEFINED: i32 = -204;

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Sql(error) => error.fmt(f),
            Failure::Lost(why) => write!(f, "the session with the database is lost: {why}"),
        }
    }
}

/// A name of Db2 as one of PostgreSQL: ordinary names are in lower case there.
fn identifier(name: &str) -> String {
    delimited(&name.trim().to_lowercase())
}
