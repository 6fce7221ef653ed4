//! The Db2 for z/OS dialect of SQL: its grammar, its translation to PostgreSQL, the description of compiled statements, SQLCODEs.
//!
//! What belongs here is language and tables only: no connection, no storage of programs. Two crates use it: the COBOL and C front ends, which
//! compile static statements, and `db2`, which translates dynamic ones at run time.
//!
//! The path of a static statement: [`parse`] finds its host references; the front end resolves them to [`Variable`]s of the program;
//! [`Unit::compile`] translates it, with the cursors and tables that the unit has declared, to a [`Statement`], which travels in the load
//! module as bytes ([`Statement::encode`]).

#![forbid(unsafe_code)]

mod ast;
pub mod codes;
mod column_guard;
mod datetime;
mod ddl;
mod diagnostic;
mod dynamic;
mod functions;
mod guard;
mod lexer;
pub mod names;
mod options;
mod parse;
mod problem;
mod reference;
mod registers;
mod script;
mod statement;
mod support;
mod translate;
mod unit;
pub mod utility;

pub use ast::{Whenever, WheneverCondition};
pub use codes::{ErrorContext, ServerError, SqlError, from_server, message_text};
pub use diagnostic::*;
pub use dynamic::{Dynamic, DynamicKind, KnownColumn, procedure, translate};
pub use guard::{is_foreign, is_protected_table, search_path};
pub use options::*;
pub use parse::{Parsed, parse};
pub use reference::*;
pub use script::{ScriptStatement, script};
pub use statement::*;
pub use support::{SUPPORT, SUPPORT_VERSION, support_grants};
pub use unit::*;
