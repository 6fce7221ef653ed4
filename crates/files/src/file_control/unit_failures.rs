//! INQUIRE UOWDSNFAIL: data sets of in-doubt units of work only. A backout drops changes that no data set has seen yet, so it cannot fail,
//! and a commit that cannot be logged stops the region. A browse covers what existed at START.

use super::{FileControl, TaskState};
use exec::{cvda, option};
use region::inquiry::{either, step};
use region::{Arguments, Outcome, Region, Task};
use std::collections::VecDeque;

/// A data set with records that a unit of work in doubt keeps locked.
pub(super) struct Failure {
    id: u64,
    data_set: String,
}

fn failures(region: &Region) -> VecDeque<Failure> {
    let tables = region.store.table_names();
    let tables: Vec<_> = tables.into_iter().filter_map(|name| Some((region.store.existing_table(&name)?.id(), name))).collect();
    let locked = region.store.locks().into_iter().filter(|lock| lock.retained).filter_map(|lock| {
        let (_, table) = tables.iter().find(|(id, _)| *id == lock.table)?;
        Some((region.recovery().owner_of(lock.owner)?.id, region.data_sets.name_of_table(table)?))
    });
    let distinct: std::collections::BTreeSet<(u64, String)> = locked.collect();
    distinct.into_iter().map(|(id, data_set)| Failure { id, data_set }).collect()
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let row = step(arguments, &mut TaskState::of_mut(&mut task.parts).failures, || failures(region))?;
    let Some(row) = row else { return Ok(()) };
    let rls = FileControl::of(region).is_accessed_in_rls(&row.data_set);
    // The coordinator that cannot be reached is a resource manager, which has no name in the network.
    arguments.set_integer(option::CAUSE, cvda::CONNECTION);
    arguments.set_integer(option::REASON, cvda::INDOUBT);
    arguments.set_integer(option::RLSACCESS, either(rls, cvda::RLS, cvda::NOTRLS));
    arguments.set_bytes(option::UOW, &row.id.to_be_bytes())?;
    arguments.set_text(option::DSNAME, &row.data_set)?;
    arguments.set_text(option::NETNAME, "")?;
    arguments.set_text(option::SYSID, "")
}
