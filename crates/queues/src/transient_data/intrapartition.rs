//! Intrapartition queues: records in the store.
//!
//! * Not recoverable: a change is visible to all at once, stays when the unit of work is backed out, and is lost after a failure.
//! * Physically recoverable: the same, but each change is made durable before the request ends.
//! * Logically recoverable: changes belong to the unit of work. Writers of a queue wait for each other until their syncpoints, and so do
//!   readers; a reader that finds no committed record while a task is writing waits for that task (or gets QBUSY).

use super::queue::Queue;
use super::{Pending, Tables};
use crate::transient_data::TaskState;
use crate::transient_data::TransientData;
use csd::TdRecovery;
use region::{About, Region, Task, TaskWaiter};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use vsam::{Change, Direction, LockWait, StoreError, ThreadWaiter, Waiter};

/// Names of the two ends of a queue in the table of locks.
const WRITE_END: u8 = b'W';
const READ_END: u8 = b'R';

fn lock_name(queue: &Queue, end: u8) -> [u8; 5] {
    let mut name = [end; 5];
    name[..4].copy_from_slice(queue.name.as_bytes());
    name
}

/// The pending changes of this unit of work to a queue.
fn pending_of<'a>(task: &'a mut Task, queue: &Arc<Queue>) -> &'a mut Pending {
    let pending = &mut TaskState::of_mut(&mut task.parts).pending;
    let at = match pending.iter().position(|pending| Arc::ptr_eq(&pending.queue, queue)) {
        Some(at) => at,
        None => {
            pending.push(Pending { queue: queue.clone(), added: 0, read_to: 0, written: 0, read: 0 });
            pending.len() - 1
        }
    };
    &mut pending[at]
}

/// How the task waits for the ends of a queue; the wait shows its name.
fn waiter_for(task: &Task, queue: &Queue) -> Arc<TaskWaiter> {
    let waiter = task.waiter();
    waiter.about(About::new("ENQUEUE", region::name::resized(&queue.name)).with_access_type("MRCB_IO").accounted_as("TDILWTT"));
    waiter
}

/// Adds a record. Of a logically recoverable queue it counts when the unit of work commits.
pub(super) fn write(task: &mut Task, queue: &Arc<Queue>, data: &[u8]) -> Result<(), StoreError> {
    let region = task.region;
    let tables = TransientData::of(region).tables();
    let waiter = waiter_for(task, queue);
    if queue.definition().recovery == TdRecovery::Logical {
        let wait = task.lock_wait(&waiter, false);
        let unit = task.recovery.unit(&region.store);
        unit.lock(&tables.locks, &lock_name(queue, WRITE_END), wait)?;
        unit.admit(data.len())?;
        unit.put(&tables.records, &queue.key(region.store.next_arrival()), data)?;
        drop(TransientData::of(region).intervals().write(queue.name, data.len(), false));
        let pending = pending_of(task, queue);
        pending.added += 1;
        pending.written += 1;
        return Ok(());
    }
    region.store.account().check_room(data.len())?;
    append(region, tables, queue, data, &*waiter)
}

/// Adds a record to a queue that is not logically recoverable.
fn append(region: &Region, tables: &Tables, queue: &Queue, data: &[u8], waiter: &dyn Waiter) -> Result<(), StoreError> {
    let sequence = region.store.next_arrival();
    let physical = queue.definition().recovery == TdRecovery::Physical;
    let intervals = TransientData::of(region).intervals();
    let transfer = intervals.write(queue.name, data.len(), physical);
    let written = if physical {
        let unit = region.store.begin();
        unit.put(&tables.records, &queue.key(sequence), data).and_then(|_| unit.commit(waiter))
    } else {
        let key = queue.key(sequence).to_vec();
        region.store.publish(vec![Change { table: tables.records.clone(), key, value: Some(data.to_vec()) }], waiter)
    };
    drop(transfer);
    if written.is_err() {
        intervals.ended(queue.name, 1, 0, false);
    }
    written?;
    let mut records = queue.records.lock();
    // Records published at the same time may arrive here in another order.
    let at = records.iter().rposition(|earlier| *earlier < sequence).map_or(0, |at| at + 1);
    records.insert(at, sequence);
    queue.counted(1);
    Ok(())
}

/// Adds a record for the region itself, from a thread that is not a task. It commits at once, whatever the recovery of the queue.
pub(super) fn write_outside_task(region: &Region, queue: &Queue, data: &[u8]) -> Result<(), StoreError> {
    let tables = TransientData::of(region).tables();
    let waiter = ThreadWaiter::new();
    if queue.definition().recovery != TdRecovery::Logical {
        return append(region, tables, queue, data, &waiter);
    }
    let unit = region.store.begin();
    unit.lock(&tables.locks, &lock_name(queue, WRITE_END), LockWait::forever(&waiter))?;
    unit.put(&tables.records, &queue.key(region.store.next_arrival()), data)?;
    let intervals = TransientData::of(region).intervals();
    let transfer = intervals.write(queue.name, data.len(), false);
    unit.commit(&waiter)?;
    drop(transfer);
    intervals.ended(queue.name, 1, 0, true);
    queue.committed(1, 0);
    Ok(())
}

/// The result of a read.
pub(super) enum Read {
    Record,
    Empty,
    Busy,
}

/// Takes the first record into `data`.
pub(super) fn read(task: &mut Task, queue: &Arc<Queue>, no_suspend: bool, data: &mut Vec<u8>) -> Result<Read, StoreError> {
    let region = task.region;
    let tables = TransientData::of(region).tables();
    let waiter = waiter_for(task, queue);
    if queue.definition().recovery == TdRecovery::Logical {
        return match read_logical(task, queue, no_suspend, data, &waiter) {
            Err(StoreError::Busy(_)) => Ok(Read::Busy),
            other => other,
        };
    }
    let Some(sequence) = queue.records.lock().pop_front() else { return Ok(Read::Empty) };
    queue.counted(-1);
    let _transfer = TransientData::of(region).intervals().read(queue.name, false);
    let key = queue.key(sequence);
    match region.store.get(&tables.records, &key)? {
        Some(stored) => *data = stored,
        None => return Ok(Read::Empty),
    }
    remove(region, tables, queue, &[sequence], &waiter)?;
    Ok(Read::Record)
}

fn remove(region: &Region, tables: &Tables, queue: &Queue, sequences: &[u64], waiter: &TaskWaiter) -> Result<(), StoreError> {
    if queue.definition().recovery == TdRecovery::Physical {
        let unit = region.store.begin();
        for sequence in sequences {
            unit.delete(&tables.records, &queue.key(*sequence))?;
        }
        return unit.commit(waiter);
    }
    let changes =
        sequences.iter().map(|sequence| Change { table: tables.records.clone(), key: queue.key(*sequence).to_vec(), value: None });
    region.store.publish(changes.collect(), waiter)
}

fn read_logical(
    task: &mut Task,
    queue: &Arc<Queue>,
    no_suspend: bool,
    data: &mut Vec<u8>,
    waiter: &TaskWaiter,
) -> Result<Read, StoreError> {
    let region = task.region;
    let tables = TransientData::of(region).tables();
    let wait: LockWait<'_> = task.lock_wait(waiter, no_suspend);
    // Behind the records read by committed units of work and by this one.
    let own =
        TaskState::of(&task.parts).pending.iter().find(|pending| Arc::ptr_eq(&pending.queue, queue)).map_or(0, |pending| pending.read_to);
    let head = queue.head.load(Ordering::Relaxed).max(own);
    let unit = task.recovery.unit(&region.store);
    unit.lock(&tables.locks, &lock_name(queue, READ_END), wait)?;
    let mut write_end_free = false;
    loop {
        let found = unit.first(&tables.records, &queue.key(head), data)?.and_then(|key| queue.sequence_of(&key));
        if let Some(sequence) = found {
            unit.delete(&tables.records, &queue.key(sequence))?;
            let pending = pending_of(task, queue);
            pending.added -= 1;
            pending.read += 1;
            drop(TransientData::of(region).intervals().read(queue.name, true));
            pending.read_to = pending.read_to.max(sequence + 1);
            return Ok(Read::Record);
        }
        if write_end_free {
            return Ok(Read::Empty);
        }
        // Nothing is committed: if a task is writing, wait until it has ended and look again.
        let name = lock_name(queue, WRITE_END);
        if unit.lock(&tables.locks, &name, wait)? {
            unit.unlock(&tables.locks, &name);
        }
        write_end_free = true;
    }
}

/// Deletes all records.
pub(super) fn delete(task: &mut Task, queue: &Arc<Queue>) -> Result<(), StoreError> {
    let region = task.region;
    let tables = TransientData::of(region).tables();
    let waiter = waiter_for(task, queue);
    if queue.definition().recovery != TdRecovery::Logical {
        let sequences: Vec<u64> = std::mem::take(&mut *queue.records.lock()).into();
        queue.counted(-(sequences.len() as i64));
        TransientData::of(region).intervals().clear(queue.name);
        return if sequences.is_empty() { Ok(()) } else { remove(region, tables, queue, &sequences, &waiter) };
    }
    let wait = task.lock_wait(&waiter, false);
    let unit = task.recovery.unit(&region.store);
    unit.lock(&tables.locks, &lock_name(queue, READ_END), wait)?;
    unit.lock(&tables.locks, &lock_name(queue, WRITE_END), wait)?;
    let mut sequences = Vec::new();
    unit.scan(&tables.records, Some(&queue.key(0)), Direction::Forward, &mut |key, _| match queue.sequence_of(key) {
        Some(sequence) => {
            sequences.push(sequence);
            true
        }
        None => false,
    })?;
    for sequence in &sequences {
        unit.delete(&tables.records, &queue.key(*sequence))?;
    }
    let pending = pending_of(task, queue);
    pending.added -= sequences.len() as i64;
    pending.read += sequences.len();
    Ok(())
}
