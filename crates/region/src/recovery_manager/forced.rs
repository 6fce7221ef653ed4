//! Units of work that were ended without their coordinator, by an operator, by WAITTIME or by the definition of their transaction.
//!
//! They are kept in table `rm.forced` (identifier; name of the coordinator and the decision) until the coordinator can be asked what it
//! did. If it did the other thing, a message names the unit of work whose data disagree.

use super::identity::Owner;
use crate::name::Name8;
use crate::resource_manager::{Caller, Outcome, ResourceManager};
use std::sync::Arc;
use vsam::{Change, Direction, StoreError, Table};

const COMMITTED: u8 = b'C';
const BACKED_OUT: u8 = b'B';

fn table(caller: &Caller) -> Result<Table, StoreError> {
    caller.region().store.table("rm.forced")
}

fn store(caller: &Caller, id: u64, value: Option<Vec<u8>>) -> Result<(), StoreError> {
    let table = table(caller)?;
    caller.region().store.publish(vec![Change { table, key: id.to_be_bytes().to_vec(), value }], &*caller.waiter())
}

/// Records a decision made without the coordinator.
pub(super) fn record(caller: &Caller, owner: &Owner, commit: bool) {
    let mut value = owner.coordinator.as_bytes().to_vec();
    value.push(if commit { COMMITTED } else { BACKED_OUT });
    if let Err(error) = store(caller, owner.id, Some(value)) {
        tracing::warn!(target: "region::rm", %error, "a forced decision will not be compared with that of its coordinator");
    }
}

/// Contact with a coordinator is there: compares the decisions.
pub(super) fn compare(caller: &mut Caller, manager: &Arc<dyn ResourceManager>) -> Result<(), StoreError> {
    let region = caller.region();
    let mut forced: Vec<(u64, bool)> = Vec::new();
    region.store.scan(&table(caller)?, Some(&[0]), Direction::Forward, &mut |key, value| {
        if let (Ok(key), Some((decision, name))) = (<[u8; 8]>::try_from(key), value.split_last())
            && Name8::from_bytes(name) == manager.name()
        {
            forced.push((u64::from_be_bytes(key), *decision == COMMITTED));
        }
        true
    })?;
    for (id, committed) in forced {
        let outcome = manager.outcome(caller, id);
        if outcome == Outcome::Unknown {
            continue;
        }
        let said = |committed: bool| if committed { "committed" } else { "backed out" };
        let (here, there) = (said(committed), said(outcome == Outcome::Committed));
        let (unit, name) = (format!("{id:016X}"), manager.name());
        let values = [("unit", unit.as_str()), ("here", here), ("there", there), ("manager", name.as_str().trim_end())];
        region.messages.send(if here == there { "DFHRM0112" } else { "DFHRM0113" }, &values);
        store(caller, id, None)?;
        manager.forget(region, id);
    }
    Ok(())
}
