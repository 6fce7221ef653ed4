//! INQUIRE CFDTPOOL: the pools of coupling facility data tables.
//!
//! A pool is known as long as a file names it, and connected while a file of it is open ("INQUIRE CFDTPOOL"; a region connects to a pool when it
//! first opens one of its tables).

use super::{FileControl, OpenStatus};
use csd::TableKind;
use exec::resp2::cfdt_pools as resp2;
use exec::{condition, cvda, option};
use region::inquiry::{BrowseStep, either};
use region::name::Name8;
use region::{Arguments, Outcome, Region, Task, raise};
use std::collections::BTreeMap;

/// The pools, and whether each is connected.
fn pools(region: &Region) -> BTreeMap<Name8, bool> {
    let control = FileControl::of(region);
    let mut pools = BTreeMap::new();
    for file in control.names().into_iter().filter_map(|name| control.find(name)) {
        let definition = file.definition();
        if definition.table == TableKind::CouplingFacility && !definition.pool.is_blank() {
            *pools.entry(definition.pool).or_insert(false) |= file.open_status() == OpenStatus::Open;
        }
    }
    pools
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let pools = pools(task.region);
    let names = || pools.keys().copied().collect();
    let step = task.browse_step(arguments, option::CFDTPOOL, names, |name: Name8| pools.contains_key(&name))?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(is_connected) = pools.get(&name) else { return raise(condition::NOTFND, resp2::NO_POOL) };
    arguments.set_integer(option::CONNSTATUS, either(*is_connected, cvda::CONNECTED, cvda::UNCONNECTED));
    Ok(())
}
