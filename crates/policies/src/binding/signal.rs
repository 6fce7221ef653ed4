//! SIGNAL EVENT: a place in a program at which events are captured.
//!
//! The command checks its names; what captures its events is the observer of commands, as for every other command. Source: CICS TS 5.5,
//! "SIGNAL EVENT".

use super::NAME_LENGTH_MAX;
use exec::resp2::signal_event as resp2;
use exec::{condition, option};
use region::channel::is_valid_name;
use region::name::{Name, Name16};
use region::{Arguments, Outcome, Task, raise};

pub fn signal(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let event: Name<NAME_LENGTH_MAX> = arguments.name(option::EVENT)?.unwrap_or_default();
    if !is_valid(event.as_str().trim_end()) {
        return raise(condition::INVREQ, resp2::NAME);
    }
    if arguments.integer(option::FROMLENGTH).is_some_and(|length| length < 0) {
        return raise(condition::LENGERR, resp2::LENGTH);
    }
    let channel: Option<Name16> = arguments.name(option::FROMCHANNEL)?;
    match channel {
        Some(channel) if !is_valid_name(&channel) => raise(condition::CHANNELERR, resp2::CHANNEL_NAME),
        Some(channel) if task.visible_channel(channel).is_none() => raise(condition::CHANNELERR, resp2::NO_CHANNEL),
        _ => Ok(()),
    }
}

/// The characters of an event's name.
fn is_valid(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "$@#/%&?!:|\"=,;<>.-_".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_blanks() {
        assert!(is_valid("Order.Placed-1") && !is_valid("") && !is_valid("A B") && !is_valid(" A"));
    }
}
