//! Commands that native programs issue apart from files and queues: storage, enqueues, units of work, containers, program levels, START, and
//! the definitions of programs, transactions and classes.
//!
//! Expected conditions and RESP2 values are those of the command reference. One region serves all tests of this binary, because the
//! storage areas have fixed addresses.

mod containers;
mod definitions;
mod enqueues;
mod levels;
mod program_definitions;
#[path = "../scratch/mod.rs"]
mod scratch;
mod starts;
mod storage;
mod storage_owners;
#[allow(dead_code)]
#[path = "../files/support.rs"]
mod support;
mod units;
