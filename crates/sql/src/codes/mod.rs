//! SQLCODEs: their SQLSTATEs and texts, the errors of the database server in Db2's terms, and the lines of DSNTIAR.
//!
//! Invariants: every code that this crate gives is a row of `tables/sqlcodes.tsv`; a table row names its tokens `${1}`, `${2}` ... and an
//! error has at least as many tokens as its row names.

mod message;
mod server;

pub use message::{Communication, DsntiarError, dsntiar, message_text};
pub use server::{ErrorContext, ServerError, TOKEN_SEPARATOR, from_server};

use std::collections::HashMap;
use std::sync::OnceLock;

const TABLE: &str = include_str!("../../tables/sqlcodes.tsv");

/// What a row of the table says of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SqlCode {
    pub code: i32,
    pub state: &'static str,
    /// With `${n}` where token n stands.
    pub text: &'static str,
}

/// An outcome other than success, as the SQLCA shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SqlError {
    pub code: i32,
    pub state: [u8; 5],
    /// SQLERRMC, one by one.
    pub tokens: Vec<String>,
    /// What the server said, for traces and logs; empty if the error is not the server's.
    pub cause: String,
    pub place: Place,
}

/// Where an error is, and what it is in words for people.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Of the byte in the statement, if it is known.
    pub offset: Option<usize>,
    /// A sentence; empty: the text of the code says it all.
    pub text: String,
}

impl SqlError {
    /// An error with the SQLSTATE of the table, or 58004 for a code that the table does not have.
    pub fn new(code: i32, tokens: &[&str]) -> SqlError {
        let state = find(code).map_or("58004", |row| row.state);
        SqlError::with_state(code, state, tokens)
    }

    pub fn with_state(code: i32, state: &str, tokens: &[&str]) -> SqlError {
        let state = state.as_bytes().try_into().unwrap_or(*b"58004");
        SqlError { code, state, tokens: tokens.iter().map(ToString::to_string).collect(), cause: String::new(), place: Place::default() }
    }

    /// The module that Db2 would name in SQLERRP: eight characters.
    pub fn procedure(&self) -> &'static str {
        match self.code {
            100 | -811 => "DSNXRFCH",
            -803 | -530 | -407 | -545 => "DSNXRINS",
            -531 => "DSNXRUFK",
            -532 => "DSNXRDFK",
            -199..=-101 => "DSNHPARS",
            -551 | -552 => "DSNXOAUT",
            -299..=-200 | -601 => "DSNXOTL ",
            -913 | -911 | -904 => "DSNXRRC ",
            -926..=-922 | -30081 => "DSNAPRH ",
            -819..=-800 => "DSNXRRP ",
            _ => "DSNXERT ",
        }
    }
}

impl std::fmt::Display for SqlError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = String::from_utf8_lossy(&self.state);
        let text = if self.place.text.is_empty() { message_text(self.code, &self.tokens) } else { self.place.text.clone() };
        write!(f, "SQLCODE {}, SQLSTATE {state}: {text}", self.code)
    }
}

impl std::error::Error for SqlError {}

/// The row of a code.
pub fn find(code: i32) -> Option<SqlCode> {
    static ROWS: OnceLock<HashMap<i32, SqlCode>> = OnceLock::new();
    ROWS.get_or_init(|| rows().map(|row| (row.code, row)).collect()).get(&code).copied()
}

/// All rows of the table in its order.
pub fn rows() -> impl Iterator<Item = SqlCode> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut fields = line.split('\t');
        let code = fields.next()?.parse().ok()?;
        Some(SqlCode { code, state: fields.next()?, text: fields.next()? })
    })
}
