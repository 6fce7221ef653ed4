//! Db2 at run time: executes compiled SQL statements for programs whose host variables are in storage, on a session of PostgreSQL.
//!
//! What belongs here is what a program sees of Db2 while it runs: the SQLCA, cursors, units of work, dynamic SQL, conversions between host
//! variables and columns. The language is crate `sql`'s, the protocol `postgres`'s; who has a thread and when a unit of work ends is decided
//! above.
//!
//! The path of a statement: [`Thread::execute`] decodes it once for the process (`compiled`), takes its inputs from storage (`host`, `storage`),
//! converts them to the types that the server expects (`convert`), sends one batch and reads its answer (`link`, `unit`), converts the results,
//! and stores them and the SQLCA. A statement that the thread has executed before is one round trip, without text and without preparation.

mod bind;
mod command;
mod commitment;
mod compiled;
mod conditions;
mod connections;
mod context;
mod convert;
mod cursor;
mod diagnostics;
mod dynamic;
mod dynamic_table;
mod errors;
mod execute;
mod fetch;
mod host;
mod link;
pub mod load;
mod location;
mod locators;
mod multirow;
mod open;
mod positioned;
pub mod prepared;
mod procedure;
mod registers;
mod rows;
mod rowset;
pub mod sqlca;
mod sqlda;
mod state;
mod statistics;
mod storage;
mod thread;
mod traces;
mod types;
mod unit;
mod unit_commands;

pub use bind::BindOptions;
pub use commitment::{CommitFailure, Lost};
pub use compiled::Compiled;
pub use context::{Context, Rules};
pub use convert::{DateFormat, DateTimeOptions, TimeFormat};
pub use errors::of_server;
pub use location::{Location, Locations, NoLocation, NoLocations, Report};
pub use prepared::UnitOfWorkMarker;
pub use sql::SqlError;
pub use statistics::Statistics;
pub use thread::{ConnectFailure, Thread};
