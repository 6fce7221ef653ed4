//! INQUIRE MONITOR and SET MONITOR.
//!
//! Rules: "SET MONITOR" (System Programming Reference). Of the classes of monitoring data there is the performance class, so the others are off;
//! records have no compression. A record is written if monitoring and the class are on when it ends.

use super::{Cause, Monitoring};
use crate::inquiry::{either, switch};
use crate::{Arguments, Handler, Outcome, Task};
use exec::resp2::monitoring as resp2;
use exec::{CommandId, command, cvda, option};

pub(super) fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::INQUIRE_MONITOR, inquire), (command::SET_MONITOR, set)]
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let monitoring = Monitoring::of(task.region);
    arguments.set_integers([
        (option::STATUS, either(monitoring.is_active(), cvda::ON, cvda::OFF)),
        (option::PERFCLASS, either(monitoring.has_performance_class(), cvda::PERF, cvda::NOPERF)),
        (option::RMIST, either(monitoring.has_rmi(), cvda::RMI, cvda::NORMI)),
        (option::APPLNAMEST, cvda::NOAPPLNAME),
        (option::COMPRESSST, cvda::NOCOMPRESS),
        (option::CONVERSEST, either(monitoring.is_chosen(Cause::Converse), cvda::CONVERSE, cvda::NOCONVERSE)),
        (option::EXCEPTCLASS, cvda::NOEXCEPT),
        (option::IDNTYCLASS, cvda::NOIDNTY),
        (option::RESRCECLASS, cvda::NORESRCE),
        (option::SYNCPOINTST, either(monitoring.is_chosen(Cause::Syncpoint), cvda::SYNCPOINT, cvda::NOSYNCPOINT)),
        (option::TIME, cvda::LOCAL),
    ]);
    // Limits of resources in records of the resource class, and the interval of records of tasks that run long: there are none.
    let none = [
        option::DPLLIMIT,
        option::FILELIMIT,
        option::FREQUENCY,
        option::FREQUENCYHRS,
        option::FREQUENCYMINS,
        option::FREQUENCYSECS,
        option::TSQUEUELIMIT,
        option::URIMAPLIMIT,
        option::WEBSERVLIMIT,
    ];
    arguments.set_integers(none.map(|option| (option, 0)));
    Ok(())
}

fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let status = switch(arguments, option::STATUS, (option::ON, cvda::ON), (option::OFF, cvda::OFF), resp2::STATUS)?;
    let performance = switch(arguments, option::PERFCLASS, (option::PERF, cvda::PERF), (option::NOPERF, cvda::NOPERF), resp2::PERFCLASS)?;
    let conversing = (option::CONVERSE, cvda::CONVERSE);
    let converse = switch(arguments, option::CONVERSEST, conversing, (option::NOCONVERSE, cvda::NOCONVERSE), resp2::CONVERSEST)?;
    let syncpoints = (option::SYNCPOINT, cvda::SYNCPOINT);
    let syncpoint = switch(arguments, option::SYNCPOINTST, syncpoints, (option::NOSYNCPOINT, cvda::NOSYNCPOINT), resp2::SYNCPOINTST)?;
    let monitoring = Monitoring::of(task.region);
    for (cause, chosen) in [(Cause::Converse, converse), (Cause::Syncpoint, syncpoint)] {
        if let Some(on) = chosen {
            monitoring.choose(cause, on);
        }
    }
    if let Some(on) = status {
        monitoring.activate(on);
    }
    if let Some(on) = performance {
        monitoring.choose_performance_class(on);
    }
    Ok(())
}
