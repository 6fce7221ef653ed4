//! Recoverable queues: everything happens in the task's unit of work.
//!
//! A change takes the lock of the queue's name to the end of the unit of work, so other tasks that would change the queue wait for the
//! syncpoint. Readers do not wait: they see their own changes, and otherwise committed data.

use super::auxiliary::Change;
use super::header::{Header, item_key, seconds_now};
use super::model::Model;
use super::queue::{Refused, Written};
use super::{ITEMS_MAX, QueueName};
use crate::temporary_storage::TaskState;
use crate::temporary_storage::TemporaryStorage;
use region::{About, Region, Task};
use std::sync::atomic::Ordering;
use vsam::StoreError;

/// The header as the task sees it.
pub(super) fn header(task: &mut Task, name: &QueueName) -> Result<Option<Header>, StoreError> {
    let region = task.region;
    let tables = TemporaryStorage::of(region).tables();
    let stored = match task.open_unit_of_work() {
        Some(unit) => unit.get(&tables.headers, name)?,
        None => region.store.get(&tables.headers, name)?,
    };
    Ok(stored.as_deref().and_then(Header::decode).filter(|header| header.recoverable))
}

fn lock(task: &mut Task, name: &QueueName) -> Result<(), StoreError> {
    let region = task.region;
    let waiter = task.waiter();
    waiter.about(About::new("ENQUEUE", region.code_page.name(name)));
    let wait = task.lock_wait(&waiter, false);
    task.recovery.unit(&region.store).lock(&TemporaryStorage::of(region).tables().headers, name, wait).map(|_| ())
}

/// Adds an item to the queue, which is created if necessary, or replaces item `rewrite`.
pub(super) fn write(
    task: &mut Task,
    name: &QueueName,
    model: Option<&Model>,
    data: &[u8],
    rewrite: Option<i64>,
) -> Result<Option<Written>, Refused> {
    lock(task, name)?;
    let region = task.region;
    let tables = TemporaryStorage::of(region).tables();
    let now = seconds_now();
    let present = header(task, name)?;
    let is_new = present.is_none();
    if is_new && rewrite.is_some() {
        return Ok(None);
    }
    let mut header = present.unwrap_or_else(|| Header {
        recoverable: true,
        number: region.store.next_arrival(),
        transid: task.transid,
        created_at: now,
        expiry_minutes: 0,
        model: model.map(|model| model.definition.name).unwrap_or_default(),
        ..Header::default()
    });
    let unit = task.recovery.unit(&region.store);
    let item = match rewrite {
        Some(item) if item >= 1 && item <= i64::from(header.items) => item as u16,
        Some(_) => return Err(Refused::Item),
        None if usize::from(header.items) >= ITEMS_MAX => return Err(Refused::Item),
        None => {
            header.items += 1;
            header.items
        }
    };
    let key = item_key(header.number, item);
    let replaced = match rewrite {
        Some(_) => unit.get(&tables.items, &key)?.map(|old| old.len()),
        None => None,
    };
    header.count(data.len(), replaced);
    header.used_at = now;
    unit.admit(data.len())?;
    unit.put(&tables.items, &key, data)?;
    unit.put(&tables.headers, name, &header.encode())?;
    let (change, transfer) = TemporaryStorage::of(region).auxiliary().put_recoverable(header.number, item, data.len());
    TaskState::of_mut(&mut task.parts).changes.push(change);
    drop(transfer);
    let counters = &TemporaryStorage::of(region).counters;
    counters.longest_queue.fetch_max(u64::from(header.items), Ordering::Relaxed);
    counters.longest_item.fetch_max(data.len() as u64, Ordering::Relaxed);
    if is_new {
        TaskState::of_mut(&mut task.parts).new_names += 1;
        counters.queues_created.fetch_add(1, Ordering::Relaxed);
    }
    Ok(Some(Written { item, items: header.items }))
}

/// Reads an item into `data`; returns the number of items, or `None` if there is no such queue.
pub(super) fn read(task: &mut Task, name: &QueueName, item: Option<i64>, data: &mut Vec<u8>) -> Result<Option<u16>, Refused> {
    let Some(header) = header(task, name)? else { return Ok(None) };
    let region = task.region;
    let cursors = &TemporaryStorage::of(region).cursors;
    let wanted = item.unwrap_or_else(|| i64::from(cursors.lock().get(name).copied().unwrap_or(0)) + 1);
    if wanted < 1 || wanted > i64::from(header.items) {
        return Err(Refused::Item);
    }
    let key = item_key(header.number, wanted as u16);
    let _transfer = TemporaryStorage::of(region).auxiliary().get(header.number, wanted as u16);
    let unit = task.recovery.unit(&region.store);
    if !unit.read(&TemporaryStorage::of(region).tables().items, &key, data)? {
        return Err(Refused::Item);
    }
    cursors.lock().insert(*name, wanted as u16);
    Ok(Some(header.items))
}

/// Deletes the queue in a separate unit of work, if no unit of work has changed it (else `StoreError::Busy`); false if there is none.
pub(super) fn delete_apart(task: &mut Task, name: &QueueName) -> Result<bool, StoreError> {
    let region: &'static Region = task.region;
    let storage = &TemporaryStorage::of(region);
    let tables = storage.tables();
    let waiter = task.waiter();
    let unit = region.store.begin();
    unit.lock(&tables.headers, name, task.lock_wait(&waiter, true))?;
    let stored = unit.get(&tables.headers, name)?;
    let Some(header) = stored.as_deref().and_then(Header::decode).filter(|header| header.recoverable) else { return Ok(false) };
    for item in 1..=header.items {
        unit.delete(&tables.items, &item_key(header.number, item))?;
    }
    unit.delete(&tables.headers, name)?;
    unit.commit(&*waiter)?;
    storage.auxiliary().ended(vec![Change::Delete { queue: header.number }], true);
    storage.counters.names_change(-1);
    storage.cursors.lock().remove(name);
    Ok(true)
}

/// Deletes the queue; false if there is none.
pub(super) fn delete(task: &mut Task, name: &QueueName) -> Result<bool, StoreError> {
    if header(task, name)?.is_none() {
        return Ok(false);
    }
    lock(task, name)?;
    // The previous holder of the lock may have deleted it.
    let Some(header) = header(task, name)? else { return Ok(false) };
    let region: &'static Region = task.region;
    let tables = TemporaryStorage::of(region).tables();
    let unit = task.recovery.unit(&region.store);
    for item in 1..=header.items {
        unit.delete(&tables.items, &item_key(header.number, item))?;
    }
    unit.delete(&tables.headers, name)?;
    TaskState::of_mut(&mut task.parts).new_names -= 1;
    TaskState::of_mut(&mut task.parts).changes.push(Change::Delete { queue: header.number });
    TemporaryStorage::of(region).cursors.lock().remove(name);
    Ok(true)
}
