//! Commands about the ways to other systems, of which this region has none, and about the clock: INQUIRE IRC, SET IRC, PERFORM ENDAFFINITY and
//! PERFORM RESETTIME.

use crate::inquiry::checked;
use crate::{Arguments, Outcome, Task, raise};
use exec::resp2::network as resp2;
use exec::{condition, cvda, eib, option};

/// The group of regions that this one would join.
pub(super) fn inquire_irc(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    arguments.set_integer(option::OPENSTATUS, cvda::CLOSED);
    arguments.set_text(option::XCFGROUP, task.region.sit.get("XCFGROUP"))
}

/// Interregion communication is closed, and is not opened without a connection that uses it.
pub(super) fn set_irc(_: &mut Task, arguments: &mut Arguments) -> Outcome {
    let states = [(option::OPEN, cvda::OPEN), (option::CLOSED, cvda::CLOSED), (option::IMMCLOSE, cvda::IMMCLOSE)];
    match checked(arguments, option::OPENSTATUS, &states, resp2::OPENSTATUS)? {
        Some(cvda::OPEN) => raise(condition::INVREQ, resp2::NO_CONNECTIONS),
        _ => Ok(()),
    }
}

/// Affinities are those of generic resources: the region owns none.
pub(super) fn end_affinity(_: &mut Task, arguments: &mut Arguments) -> Outcome {
    // Both name a logical unit.
    let _names = (arguments.name::<8>(option::NETNAME)?, arguments.name::<8>(option::NETID)?);
    raise(condition::INVREQ, resp2::NO_AFFINITY)
}

/// RESETTIME takes the time of the operating system, which the region asks for whenever it needs the time; the task gets it at once.
pub(super) fn reset_time(task: &mut Task, _: &mut Arguments) -> Outcome {
    let now = crate::clock::now_local();
    task.eib.set_packed(eib::EIBTIME, now.hhmmss());
    task.eib.set_packed(eib::EIBDATE, now.cyyddd());
    Ok(())
}
