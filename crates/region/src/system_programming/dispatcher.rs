//! INQUIRE DISPATCHER and SET DISPATCHER.

use crate::resources::runaway_milliseconds;
use crate::{Arguments, Outcome, Task, raise};
use exec::resp2::system as resp2;
use exec::{condition, option};
use kernel::Pool;
use std::time::Duration;

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let statistics = task.region.dispatcher.statistics();
    let pool = |pool: Pool| &statistics.pools[pool as usize];
    let values = [
        (option::ACTOPENTCBS, pool(Pool::Open).attached_current),
        (option::ACTSSLTCBS, pool(Pool::Ssl).attached_current),
        (option::ACTTHRDTCBS, pool(Pool::Thrd).attached_current),
        (option::ACTXPTCBS, pool(Pool::Xp).attached_current),
        (option::MAXOPENTCBS, pool(Pool::Open).limit),
        (option::MAXSSLTCBS, pool(Pool::Ssl).limit),
        (option::MAXTHRDTCBS, pool(Pool::Thrd).limit),
        (option::MAXXPTCBS, pool(Pool::Xp).limit),
        (option::MROBATCH, statistics.mro_batch),
        (option::PRTYAGING, statistics.priority_aging.as_millis() as u32),
        (option::RUNAWAY, statistics.runaway.as_millis() as u32),
        (option::SCANDELAY, task.region.sit.number("ICVTSD")),
        (option::SUBTASKS, task.region.sit.number("SUBTSKS")),
        (option::TIME, statistics.icv.as_millis() as u32),
    ];
    arguments.set_integers(values.map(|(option, value)| (option, i64::from(value))));
    Ok(())
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    apply(task, arguments)
}

/// The dispatcher's limits, for SET DISPATCHER and SET SYSTEM alike.
pub(super) fn apply(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let dispatcher = &task.region.dispatcher;
    let pools =
        [(option::MAXOPENTCBS, Pool::Open, 1, 4032), (option::MAXSSLTCBS, Pool::Ssl, 1, 1024), (option::MAXXPTCBS, Pool::Xp, 1, 2000)];
    for (option, pool, low, high) in pools {
        match arguments.integer(option) {
            Some(value) if (low..=high).contains(&value) => dispatcher.set_pool_limit(pool, value as u32),
            Some(_) => return raise(condition::INVREQ, resp2::TCB_LIMIT),
            None => {}
        }
    }
    match arguments.integer(option::PRTYAGING) {
        Some(value @ 0..=65_535) => dispatcher.set_priority_aging(Duration::from_millis(value as u64)),
        Some(_) => return raise(condition::INVREQ, resp2::PRTYAGING),
        None => {}
    }
    if let Some(value) = arguments.integer(option::RUNAWAY) {
        let Some(milliseconds) = runaway_milliseconds(value) else { return raise(condition::INVREQ, resp2::RUNAWAY) };
        dispatcher.set_runaway(Duration::from_millis(milliseconds.into()));
    }
    Ok(())
}
