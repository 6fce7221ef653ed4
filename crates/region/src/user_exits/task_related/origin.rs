//! What is stored of a unit of work that a resource manager has prepared: the task it was of, and the qualifier of the resource manager.
//!
//! It is part of the unit of work (table `rmi.origins`), so it is there exactly if that was committed; a syncpoint manager's call that is the
//! result of RESYNC has it in its parameters 2 to 8 ("CICS syncpoint manager parameters").

use crate::name::Name8;
use crate::resource_manager::Caller;
use crate::{ExitArgument, Region, Task};
use vsam::{Change, StoreError, Table};

const NUMBER: std::ops::Range<usize> = 8..12;
const TRANSACTION: std::ops::Range<usize> = 12..16;
const TERMINAL: std::ops::Range<usize> = 16..20;
const OPERATOR: std::ops::Range<usize> = 20..23;
const DATE: std::ops::Range<usize> = 23..27;
const TIME: std::ops::Range<usize> = 27..31;
const BYTES: usize = TIME.end;

fn table(region: &Region) -> Result<Table, StoreError> {
    region.store.table("rmi.origins")
}

fn key(unit: u64, manager: Name8) -> Vec<u8> {
    [&unit.to_be_bytes()[..], manager.as_bytes()].concat()
}

pub fn store(task: &mut Task, unit: u64, manager: Name8, qualifier: [u8; 8]) -> Result<(), StoreError> {
    let region = task.region;
    let (time, date) = crate::clock::eib_time_and_date();
    let packed = |value: u32| {
        let mut bytes = [0; 4];
        crate::control_blocks::packed::pack(&mut bytes, value.into());
        bytes
    };
    let page = &region.code_page;
    let mut bytes = qualifier.to_vec();
    bytes.extend(packed(task.number));
    bytes.extend(page.encode_name(&task.transid));
    bytes.extend(page.encode_name(&task.terminal_name()));
    bytes.extend(&page.encode_name(&task.user_id)[..OPERATOR.len()]);
    bytes.extend(packed(date));
    bytes.extend(packed(time));
    debug_assert_eq!(bytes.len(), BYTES);
    task.unit_of_work().put(&table(region)?, &key(unit, manager), &bytes)
}

fn get(region: &Region, unit: u64, manager: Name8) -> Option<Vec<u8>> {
    let found = table(region).and_then(|table| region.store.get(&table, &key(unit, manager)));
    found.ok().flatten().filter(|bytes| bytes.len() == BYTES)
}

/// The qualifier with which a unit of work was prepared, in the region's code page; `None` if nothing is known of it.
pub fn qualifier(region: &Region, unit: u64, manager: Name8) -> Option<Vec<u8>> {
    Some(get(region, unit, manager)?[..NUMBER.start].to_vec())
}

/// Parameters 2 to 8 of a call of the syncpoint manager: task number, transaction, terminal, operator, date, time; the last has no value.
pub fn parameters(region: &Region, unit: u64, manager: Name8) -> Vec<ExitArgument> {
    let Some(bytes) = get(region, unit, manager) else { return vec![ExitArgument::Absent; 7] };
    let parts = [NUMBER, TRANSACTION, TERMINAL, OPERATOR, DATE, TIME].into_iter().map(|part| ExitArgument::bytes(&bytes[part]));
    parts.chain([ExitArgument::Absent]).collect()
}

pub fn forget(caller: &Caller, unit: u64, manager: Name8) {
    let region = caller.region();
    let forgotten = table(region).and_then(|table| {
        let change = Change { table, key: key(unit, manager), value: None };
        region.store.publish(vec![change], &*caller.waiter())
    });
    if let Err(error) = forgotten {
        tracing::warn!(target: "region::rmi", %error, "the origin of a unit of work stays in the store");
    }
}
