//! Terminals and basic mapping support: 3270 displays as principal facilities of tasks, and the commands for them.
//!
//! Not here: telnet and TN3270E (crate `tn3270`), maps and data streams (crate `bms`).
#![deny(unsafe_code)]

pub mod basic_mapping;
pub mod terminal_control;
