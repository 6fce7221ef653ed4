//! The CICS-Db2 attachment with a database of its own: threads and their limits, units of work with files, TCB modes, failures of the server.
//!
//! A program of these tests issues a command, and an observer of the gate runs the body of the test in its place: the body executes the
//! statements of the program, which it gives as text of PostgreSQL.

mod inquiry;
mod locations;
mod modes;
#[path = "../scratch/mod.rs"]
mod scratch;
mod support;
mod threads;
mod units;
