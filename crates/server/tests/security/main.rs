//! A region with SEC=YES: sign-on, the attach of transactions, checks of resources and commands, the commands of the security manager; and
//! attempts to get around all of them.
//!
//! One region serves all tests of this binary, because the storage areas have fixed addresses. Users and profiles are those of
//! `support::DEFINITIONS`; each test that changes a user has its own.

#[path = "../cobol_support/mod.rs"]
mod cobol_support;
#[path = "../scratch/mod.rs"]
mod scratch;

mod attacks;
mod checks;
mod commands;
mod modes;
mod query;
mod support;
mod terminals;
mod users;
