//! The debugger of COBOL programs: a server of the Debug Adapter Protocol in the region.
//!
//! A client, as VS Code, sets breakpoints in COBOL source, steps through statements and commands, and shows and changes the variables of a
//! running task by their pictures, for one user, terminal, transaction or program. Programs are compiled with the option TEST; while nobody
//! debugs, they look at one word before each statement. Programs in C stop at their EXEC CICS commands.
//!
//! Not here: the code that programs compiled with TEST have (`codegen`), what is known of their source (`program::module::debugging`), and
//! the command `regent debug`, which connects a client to the region.
//!
//! * [`protocol`] messages; `base64` the form of storage in them;
//! * `place` where a task is; `follow` how far it goes; `stop` what it does while it is stopped;
//! * `data`, `expression`, `assign`, `variables` the data of its programs;
//! * `breakpoints`, `client`, `tasks` which tasks stop where, and for whom; `commands` the commands of programs in C;
//! * `session` the requests of a client; [`door`] how it comes in.
#![deny(unsafe_code)]

mod assign;
mod base64;
mod breakpoints;
mod client;
mod commands;
mod data;
pub mod door;
mod expression;
mod follow;
mod place;
pub mod protocol;
mod session;
mod stop;
mod tasks;
mod variables;

use region::{Domain, Life, Region};

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "debugger",
    slots: &[tasks::SLOTS[0], tasks::SLOTS[1], door::SLOTS[0]],
    life: Life { installed: Some(install), running: Some(door::open), quiesce: Some(|region, _| door::close(region)), ..Life::NONE },
    task_ended: Some(tasks::ended),
    ..Domain::NONE
};

fn install(region: &'static Region) -> Result<(), vsam::StoreError> {
    let is_first = region.extensions.debug_by(Box::new(tasks::Watcher));
    debug_assert!(is_first, "a region has one debugger");
    Ok(())
}
