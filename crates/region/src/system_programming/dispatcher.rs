//! INQUIRE DISPATCHER and SET DISPATCHER.

use crate::{Arguments, Outcome, Raised, Task, inquiry};
use exec::option;
use exec::resp2::system as resp2;
use kernel::{Dispatcher, Pool};
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
        (option::SCANDELAY, statistics.terminal_scan_delay.as_millis() as u32),
        (option::SUBTASKS, task.region.sit.number("SUBTSKS")),
        (option::TIME, statistics.icv.as_millis() as u32),
    ];
    arguments.set_integers(values.map(|(option, value)| (option, i64::from(value))));
    Ok(())
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    Changes::of(arguments)?.apply(&task.region.dispatcher);
    Ok(())
}

/// What SET DISPATCHER and SET SYSTEM ask of the dispatcher, checked.
pub(super) struct Changes {
    pools: [(Pool, Option<u64>); 3],
    mro_batch: Option<u64>,
    priority_aging: Option<Duration>,
    runaway: Option<Duration>,
    terminal_scan_delay: Option<Duration>,
    icv: Option<Duration>,
}

impl Changes {
    pub(super) fn of(arguments: &Arguments) -> Result<Self, Raised> {
        let pool = |option, parameter| inquiry::parameter(arguments, option, parameter, resp2::TCB_LIMIT);
        let time = |option, parameter, fault| {
            let milliseconds = inquiry::parameter(arguments, option, parameter, fault)?;
            Ok::<_, Raised>(milliseconds.map(Duration::from_millis))
        };
        Ok(Self {
            pools: [
                (Pool::Open, pool(option::MAXOPENTCBS, "MAXOPENTCBS")?),
                (Pool::Ssl, pool(option::MAXSSLTCBS, "MAXSSLTCBS")?),
                (Pool::Xp, pool(option::MAXXPTCBS, "MAXXPTCBS")?),
            ],
            mro_batch: inquiry::parameter(arguments, option::MROBATCH, "MROBTCH", resp2::MROBATCH)?,
            priority_aging: time(option::PRTYAGING, "PRTYAGE", resp2::PRTYAGING)?,
            runaway: time(option::RUNAWAY, "ICVR", resp2::RUNAWAY)?,
            terminal_scan_delay: time(option::SCANDELAY, "ICVTSD", resp2::SCANDELAY)?,
            icv: time(option::TIME, "ICV", resp2::TIME)?,
        })
    }

    pub(super) fn apply(&self, dispatcher: &Dispatcher) {
        for (pool, limit) in self.pools {
            limit.into_iter().for_each(|limit| dispatcher.set_pool_limit(pool, limit as u32));
        }
        self.mro_batch.into_iter().for_each(|events| dispatcher.set_mro_batch(events as u32));
        self.priority_aging.into_iter().for_each(|aging| dispatcher.set_priority_aging(aging));
        self.runaway.into_iter().for_each(|limit| dispatcher.set_runaway(limit));
        self.terminal_scan_delay.into_iter().for_each(|delay| dispatcher.set_terminal_scan_delay(delay));
        self.icv.into_iter().for_each(|interval| dispatcher.set_icv(interval));
    }
}
