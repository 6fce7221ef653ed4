//! Diagnostics that a program requests: MONITOR. Dumps are in `dump_control`, trace entries in `trace`.

use crate::{Arguments, Domain, Handler, Outcome, Task, raise};
use exec::resp2::diagnostics as resp2;
use exec::{CommandId, command, condition, option};

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "diagnostics", commands: &[handlers], ..Domain::NONE };

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::MONITOR, monitor)]
}

/// MONITOR: user event monitoring points. No control table defines any, so a valid one has no effect.
fn monitor(_task: &mut Task, arguments: &mut Arguments) -> Outcome {
    match arguments.integer(option::POINT) {
        Some(0..=255) => Ok(()),
        _ => raise(condition::INVREQ, resp2::POINT),
    }
}
