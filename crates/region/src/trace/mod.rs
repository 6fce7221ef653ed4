//! Trace: what the system initialization parameters say of it, the data sets and the stream of the region, and the commands of trace.
//!
//! The table, the levels and the destinations are the kernel's ([`kernel::trace`]). Here are their parameters (INTTR, AUXTR, AUXTRSW, GTFTR, SYSTR,
//! USERTR, TRTABSZ, STNTR, STNTRxx, SPCTR, SPCTRxx), `commands` (INQUIRE and SET of TRACEDEST, TRACEFLAG and TRACETYPE), `user` (ENTER TRACENUM and
//! TRACEID). Which trace points of a task are written is in `control_blocks::tracing`.

mod commands;
mod user;

use crate::system_initialization::SystemInitialization;
use crate::{Domain, Handler, Life, Region};
use exec::{CommandId, command};
use kernel::trace::auxiliary::{Configuration, Event, Switch};
use kernel::trace::{self, Component, Selection, writer};

/// The description of this domain.
pub static DOMAIN: Domain =
    Domain { name: "trace", commands: &[handlers], life: Life { stop: Some(|_, _| writer::end()), ..Life::NONE }, ..Domain::NONE };

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::ENTER_TRACENUM, user::enter_tracenum),
        (command::ENTER_TRACEID, user::enter_traceid),
        (command::INQUIRE_TRACEDEST, commands::inquire_destinations),
        (command::SET_TRACEDEST, commands::set_destinations),
        (command::INQUIRE_TRACEFLAG, commands::inquire_flags),
        (command::SET_TRACEFLAG, commands::set_flags),
        (command::INQUIRE_TRACETYPE, commands::inquire_type),
        (command::SET_TRACETYPE, commands::set_type),
    ]
}

/// Below the region's data directory.
const DIRECTORY: &str = "trace";

/// The levels, the flags and the size of the table; before anything can be traced.
pub fn set_up(sit: &SystemInitialization) {
    trace::set_table_bytes(sit.number("TRTABSZ") as usize * 1024);
    for &component in Component::ALL {
        trace::set_levels(Selection::Standard, component, sit.trace_levels("STNTR", component));
        trace::set_levels(Selection::Special, component, sit.trace_levels("SPCTR", component));
    }
    trace::change_flags(|flags| {
        flags.system = sit.is("SYSTR", "ON");
        flags.user = sit.is("USERTR", "ON");
        flags.internal = sit.is("INTTR", "ON");
        flags.stream = sit.is("GTFTR", "ON");
    });
}

/// Gives the trace its place in the data directory, and starts auxiliary trace with AUXTR=ON.
pub fn open_destinations(region: &'static Region, auxiliary_bytes_max: u64) {
    let sit = &region.sit;
    let switch = match sit.get("AUXTRSW") {
        "ALL" => Switch::All,
        "NEXT" => Switch::Next,
        _ => Switch::No,
    };
    let configuration = Configuration {
        directory: region.data_directory.join(DIRECTORY),
        bytes_max: auxiliary_bytes_max,
        applid: region.applid,
        ccsid: sit.local_ccsid(),
        offset_minutes: offset_minutes(),
        switch,
        tell: Box::new(|event| tell(region, &event)),
    };
    if let Err(error) = writer::configure(configuration) {
        region.messages.send("DFHTR0114", &[("reason", &error.to_string())]);
    }
    if sit.is("AUXTR", "ON") {
        // A failure has been told.
        let _ = writer::start_auxiliary_with_region();
    }
}

/// From UTC to local time, as the region begins.
fn offset_minutes() -> i16 {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs() as i64);
    (crate::clock::utc_offset_seconds(now) / 60) as i16
}

fn tell(region: &Region, event: &Event) {
    let messages = &region.messages;
    match event {
        Event::Opened(data_set) => messages.send("DFHTR0113", &[("dataset", data_set.name())]),
        Event::Closed(data_set) => messages.send("DFHTR0115", &[("dataset", data_set.name())]),
        Event::Full(data_set) => messages.send("DFHTR0111", &[("dataset", data_set.name())]),
        Event::Switched(from, to) => messages.send("DFHTR0112", &[("dataset", from.name()), ("other", to.name())]),
        Event::Failed(data_set, error) => messages.send("DFHTR0110", &[("dataset", data_set.name()), ("reason", &error.to_string())]),
    };
}
