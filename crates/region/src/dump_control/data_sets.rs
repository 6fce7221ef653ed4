//! INQUIRE and SET DUMPDS.

use crate::dump::Dumping;
use crate::dump::data_sets::{DataSets, Designator, Initial, Switching};
use crate::dump::output_exits;
use crate::inquiry::{self, either};
use crate::{Arguments, Outcome, Raised, Task, raise};
use exec::resp2::dump_data_sets as resp2;
use exec::{condition, cvda, option};
use std::io;
use vsam::ThreadWaiter;

/// INITIALDDS of the data set that was not current when the region ended.
const NOT_IN_USE: &str = "X";

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let data_sets = DataSets::of(task.region);
    let switching = match data_sets.switching() {
        Switching::No => cvda::NOSWITCH,
        Switching::Next => cvda::SWITCHNEXT,
        Switching::All => cvda::SWITCHALL,
    };
    arguments
        .set_integers([(option::OPENSTATUS, either(data_sets.is_open(), cvda::OPEN, cvda::CLOSED)), (option::SWITCHSTATUS, switching)]);
    let initial = data_sets.initial().map_or(NOT_IN_USE.to_string(), |initial| initial.letter().to_string());
    arguments.set_fixed_text(option::INITIALDDS, &initial, 1)?;
    arguments.set_fixed_text(option::CURRENTDDS, &data_sets.current().letter().to_string(), 1)
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let initial = initial_of(arguments)?;
    let keywords = [(option::NOSWITCH, cvda::NOSWITCH), (option::SWITCHNEXT, cvda::SWITCHNEXT), (option::SWITCHALL, cvda::SWITCHALL)];
    let switching = inquiry::checked(arguments, option::SWITCHSTATUS, &keywords, resp2::SWITCHSTATUS)?.map(|value| match value {
        cvda::SWITCHNEXT => Switching::Next,
        cvda::SWITCHALL => Switching::All,
        _ => Switching::No,
    });
    let keywords = [(option::OPEN, cvda::OPEN), (option::CLOSED, cvda::CLOSED), (option::SWITCH, cvda::SWITCH)];
    let status = inquiry::checked(arguments, option::OPENSTATUS, &keywords, resp2::OPENSTATUS)?;
    // The thread of the dumps, so that a dump which is being written is completed first.
    let work = move || -> io::Result<()> {
        let data_sets = DataSets::of(region);
        if initial.is_some() || switching.is_some() {
            data_sets.set(region, initial, switching, &ThreadWaiter::new()).map_err(io::Error::other)?;
        }
        match status {
            Some(cvda::OPEN) => data_sets.open(region),
            Some(cvda::CLOSED) => {
                data_sets.close(region);
                Ok(())
            }
            Some(cvda::SWITCH) => data_sets.switch(region, &ThreadWaiter::new()),
            _ => Ok(()),
        }
    };
    let done = task.on_resource_owning_tcb(|task| Dumping::of(region).run(task, work));
    output_exits::data_sets_closed(task);
    match done {
        Some(Ok(())) => Ok(()),
        _ => raise(condition::IOERR, resp2::NOT_CHANGED),
    }
}

fn initial_of(arguments: &Arguments) -> Result<Option<Initial>, Raised> {
    let Some(text) = arguments.text(option::INITIALDDS)? else { return Ok(None) };
    match text.as_str() {
        "A" => Ok(Some(Some(Designator::A))),
        "B" => Ok(Some(Some(Designator::B))),
        NOT_IN_USE => Ok(Some(None)),
        _ => raise(condition::INVREQ, resp2::INITIALDDS),
    }
}
