//! The LOAD utility, and its opposite, DSNTIAUL: records become rows by COPY in binary format, in the conversions of host variables.
//!
//! The session is the caller's, and so are the schema of unqualified names and the records. Each table is one COPY, in a transaction of its own
//! load: an error leaves the tables as they were.

mod record;
mod unload;

use crate::convert::Page;
use crate::errors::{code, of_server};
use crate::link::Column;
use postgres::{FinishError, Message, Session, Target, Wait};
use record::Layout;
use sql::names::delimited;
use sql::utility::{Encoding, IntoTable, Load};
use sql::{ErrorContext, SqlError};
pub use unload::{Unloaded, unload};

/// What became of the records.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Loaded {
    /// Rows of each INTO TABLE, in order.
    pub rows: Vec<u64>,
    /// Records that are a row of no table.
    pub discarded: u64,
}

/// Why nothing was loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{0}")]
    Sql(SqlError),
    /// A record is not what the statement says: number of the record, from 1, field, and why.
    #[error("record {record}, field {field}: {why}")]
    Record { record: usize, field: String, why: String },
    #[error("table {0} has rows; LOAD needs REPLACE, or RESUME YES")]
    NotEmpty(String),
    #[error("{0}")]
    Session(String),
}

const CCSID_EBCDIC: u16 = 37;
const CCSID_ASCII: u16 = 819;
const CCSID_UNICODE: u16 = 1208;

/// What COPY in binary format begins and ends with.
const COPY_HEADER: &[u8] = b"PGCOPY\n\xFF\r\n\0\0\0\0\0\0\0\0\0";
const COPY_TRAILER: [u8; 2] = (-1i16).to_be_bytes();
/// Bytes queued before they are sent.
const QUEUED_BYTES_MAX: usize = 1 << 20;

/// Loads the records. `ccsid` is that of EBCDIC data of the installation.
pub fn load(session: &mut Session, load: &Load, ccsid: u16, records: &[Vec<u8>], wait: &mut dyn Wait) -> Result<Loaded, LoadError> {
    let page = Page::of(load.ccsid.unwrap_or(match load.encoding {
        Encoding::Ebcdic if ccsid == 0 => CCSID_EBCDIC,
        Encoding::Ebcdic => ccsid,
        Encoding::Ascii => CCSID_ASCII,
        Encoding::Unicode => CCSID_UNICODE,
    }));
    let mut task = Task { session, wait };
    task.run("BEGIN")?;
    match task.tables(load, page, records) {
        Ok(loaded) => task.run("COMMIT").map(|_| loaded),
        Err(error) => {
            let _ = task.run("ROLLBACK");
            Err(error)
        }
    }
}

struct Task<'a> {
    session: &'a mut Session,
    wait: &'a mut dyn Wait,
}

impl Task<'_> {
    fn tables(&mut self, load: &Load, page: &'static Page, records: &[Vec<u8>]) -> Result<Loaded, LoadError> {
        let mut loaded = Loaded::default();
        let mut used = vec![false; records.len()];
        for into in &load.into {
            let table = table_name(into)?;
            if load.replace || into.replace {
                self.run(&format!("DELETE FROM {table}"))?;
            } else if !load.resume && !into.resume && self.run(&format!("SELECT 1 FROM {table} LIMIT 1"))? > 0 {
                return Err(LoadError::NotEmpty(into.table.join(".")));
            }
            loaded.rows.push(self.table(load, into, &table, page, records, &mut used)?);
        }
        loaded.discarded = used.iter().filter(|used| !**used).count() as u64;
        Ok(loaded)
    }

    fn table(
        &mut self,
        load: &Load,
        into: &IntoTable,
        table: &str,
        page: &'static Page,
        records: &[Vec<u8>],
        used: &mut [bool],
    ) -> Result<u64, LoadError> {
        let names: Vec<String> = into.fields.iter().filter(|field| !field.is_ignored).map(|field| folded(&field.name)).collect();
        let list = if names.is_empty() { "*".to_string() } else { names.join(", ") };
        let columns = self.describe(&format!("SELECT {list} FROM {table}"))?;
        let layout = Layout::new(load, into, &columns, page);
        let list: Vec<String> = columns.iter().map(|column| delimited(&column.name)).collect();
        self.session.query(&format!("COPY {table} ({}) FROM STDIN (FORMAT binary)", list.join(", ")));
        self.await_copy()?;
        let mut buffer = COPY_HEADER.to_vec();
        let mut rows = 0;
        let mut failure = None;
        for (index, record) in records.iter().enumerate() {
            match layout.put_row(record, &mut buffer) {
                Ok(true) => {
                    used[index] = true;
                    rows += 1;
                }
                Ok(false) => {}
                Err((field, why)) => {
                    failure = Some(LoadError::Record { record: index + 1, field, why });
                    break;
                }
            }
            if buffer.len() > QUEUED_BYTES_MAX {
                self.session.copy_data(&buffer);
                self.session.send_all(self.wait).map_err(|broken| LoadError::Session(broken.to_string()))?;
                buffer.clear();
            }
        }
        if let Some(failure) = failure {
            self.session.copy_fail("a record is not valid");
            let _ = self.finish("COPY");
            return Err(failure);
        }
        buffer.extend_from_slice(&COPY_TRAILER);
        self.session.copy_data(&buffer);
        self.session.copy_done();
        self.finish("COPY")?;
        Ok(rows)
    }

    /// Executes a statement; returns how many rows it gave.
    fn run(&mut self, text: &str) -> Result<u64, LoadError> {
        self.session.query(text);
        self.finish(text)
    }

    fn finish(&mut self, text: &str) -> Result<u64, LoadError> {
        let mut rows = 0;
        self.answers(text, |message| rows += u64::from(matches!(message, Message::DataRow(_))))?;
        Ok(rows)
    }

    /// Reads up to the server's readiness for the rows.
    fn await_copy(&mut self) -> Result<(), LoadError> {
        let mut failure = None;
        loop {
            match self.session.receive(self.wait).map_err(|broken| LoadError::Session(broken.to_string()))? {
                Message::CopyIn => return Ok(()),
                Message::Error(error) => failure = Some(sql_error(*error, "COPY")),
                Message::ReadyForQuery(_) => return Err(failure.unwrap_or_else(|| LoadError::Session("no COPY".to_string()))),
                _ => {}
            }
        }
    }

    fn describe(&mut self, text: &str) -> Result<Vec<Column>, LoadError> {
        self.session.parse("", text, &[]);
        self.session.describe(Target::Statement, "");
        self.session.sync();
        let mut columns = Vec::new();
        self.answers(text, |message| {
            if let Message::RowDescription(fields) = message {
                columns = fields.columns().map(Column::of).collect();
            }
        })?;
        Ok(columns)
    }

    fn answers(&mut self, text: &str, take: impl FnMut(Message<'_>)) -> Result<(), LoadError> {
        self.session.finish(self.wait, take).map_err(|failure| match failure {
            FinishError::Refused(error) => sql_error(*error, text),
            FinishError::Broken(broken) => LoadError::Session(broken.to_string()),
        })
    }
}

fn sql_error(error: postgres::ServerError, text: &str) -> LoadError {
    LoadError::Sql(of_server(error, ErrorContext { statement: text, ..ErrorContext::default() }))
}

/// Names of a control statement are in lower case at the server.
fn folded(name: &str) -> String {
    delimited(&name.to_lowercase())
}

fn table_name(into: &IntoTable) -> Result<String, LoadError> {
    if sql::is_protected_table(&into.table) {
        return Err(LoadError::Sql(SqlError::new(code::NOT_PERMITTED, &["*N", "LOAD", &into.table.join(".")])));
    }
    // A location in front of schema and table is this server.
    let parts: Vec<String> = into.table.iter().rev().take(2).rev().map(|part| folded(part)).collect();
    Ok(parts.join("."))
}
