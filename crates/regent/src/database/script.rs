//! SQL scripts, as DSNTIAD and DSNTEP2 run them: each statement translated and executed, with Db2's messages, and results as tables.

use db2::BindOptions;
use postgres::{Message, Session, ThreadWait};
use sql::{DynamicKind, DynamicOptions, ErrorContext, ServerError, SqlError};

/// SQL text with where it comes from.
pub struct Script {
    /// For messages: a file, or a job step.
    pub title: String,
    pub text: String,
    pub terminator: char,
}

/// What became of a script.
#[derive(Default)]
pub struct Outcome {
    pub statements: usize,
    /// Statements that failed, with line and message.
    pub failures: Vec<(usize, String)>,
    /// Clauses without effect, each once.
    pub notes: Vec<String>,
    /// Results of queries and messages, as DSNTEP2 prints them.
    pub listing: String,
}

/// SQLCODEs of DDL that finds its work done: the object is there, or is not there to be dropped.
const ALREADY_DONE: [i32; 2] = [-601, -204];

/// What a script's errors mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The objects of an application: what is there stays, and what is not there need not be dropped.
    SetUp,
    /// Every error counts.
    Plain,
}

/// Executes every statement; each is committed for itself.
pub fn execute(session: &mut Session, script: &Script, bind: &BindOptions, mode: Mode) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    let options = DynamicOptions { ebcdic_order: bind.ebcdic_order, ..DynamicOptions::default() };
    if !bind.qualifier.is_empty() {
        super::run(session, &search_path(&bind.qualifier))?;
    }
    for statement in sql::script(&script.text, script.terminator) {
        outcome.statements += 1;
        let translated = match sql::translate(&statement.text, &options) {
            Ok(translated) => translated,
            Err(error) => {
                fail(&mut outcome, statement.line, &error);
                continue;
            }
        };
        match translated.kind {
            DynamicKind::NoEffect { reason } => note(&mut outcome, reason),
            DynamicKind::Commit | DynamicKind::Rollback => {}
            DynamicKind::SetRegister { register, value } if matches!(register.as_str(), "CURRENT SQLID" | "CURRENT SCHEMA") => {
                super::run(session, &search_path(value.trim_matches('\'')))?;
            }
            DynamicKind::SetRegister { .. } => {}
            kind => {
                let is_definition = matches!(kind, DynamicKind::Definition { .. });
                match one(session, &translated.text, &mut outcome.listing)? {
                    Some(error) if mode == Mode::SetUp && is_definition && ALREADY_DONE.contains(&error.code) => {}
                    Some(error) => fail(&mut outcome, statement.line, &error),
                    None => {}
                }
            }
        }
    }
    Ok(outcome)
}

/// Unqualified names are of this schema.
fn search_path(schema: &str) -> String {
    format!("SET search_path TO {}, sysibm, db2", schema.to_lowercase())
}

fn note(outcome: &mut Outcome, note: String) {
    if !outcome.notes.contains(&note) {
        outcome.notes.push(note);
    }
}

fn fail(outcome: &mut Outcome, line: usize, error: &SqlError) {
    let text = format!("SQLCODE {}: {}", error.code, sql::message_text(error.code, &error.tokens));
    outcome.listing.push_str(&text);
    outcome.listing.push('\n');
    outcome.failures.push((line, text));
}

/// One statement; its result is added to the listing. `Err`: the session is lost.
fn one(session: &mut Session, text: &str, listing: &mut String) -> Result<Option<SqlError>, String> {
    session.query(text);
    let mut failed = None;
    let (mut names, mut rows): (Vec<String>, Vec<Vec<String>>) = Default::default();
    loop {
        match session.receive(&mut ThreadWait).map_err(|error| error.to_string())? {
            Message::ReadyForQuery(_) => break,
            Message::Error(error) => failed = Some(sql::from_server(&server_error(*error), ErrorContext::default())),
            Message::RowDescription(description) => names = description.columns().map(|column| column.name.to_uppercase()).collect(),
            Message::DataRow(row) => rows.push(row.columns().map(shown).collect()),
            Message::CommandComplete(tag) if names.is_empty() => {
                listing.push_str(tag);
                listing.push('\n');
            }
            _ => {}
        }
    }
    if !names.is_empty() {
        table(&names, &rows, listing);
    }
    Ok(failed)
}

fn server_error(error: postgres::ServerError) -> ServerError {
    ServerError {
        code: error.code,
        message: error.message,
        detail: error.detail,
        hint: error.hint,
        context: error.context,
        schema: error.schema,
        table: error.table,
        column: error.column,
        data_type: error.data_type,
        constraint: error.constraint,
        severity: error.severity,
        position: error.position.to_string(),
    }
}

fn shown(value: Option<&[u8]>) -> String {
    value.map_or_else(|| "?".to_string(), |value| String::from_utf8_lossy(value).trim_end().to_string())
}

/// As DSNTEP2 prints a result: columns under their names, then the count of rows.
fn table(names: &[String], rows: &[Vec<String>], listing: &mut String) {
    let width = |at: usize| {
        let values = rows.iter().filter_map(|row| row.get(at));
        values.chain(names.get(at)).map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    for row in std::iter::once(names).chain(rows.iter().map(Vec::as_slice)) {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(text, width)| format!("{text:<width$}")).collect();
        listing.push_str(cells.join(" | ").trim_end());
        listing.push('\n');
    }
    listing.push_str(&format!("{} row(s)\n", rows.len()));
}
