//! WRITEQ TS, READQ TS and DELETEQ TS.

use super::queue::{self, Refused, Written};
use super::shared::{self, SharedName};
use super::{ITEM_BYTES_MAX, QueueName, TemporaryStorage, inquire, main_limit, recoverable, resources};
use crate::temporary_storage::TaskState;
use exec::resp2::temporary_storage as resp2;
use exec::{CommandId, command, condition, option};
use kernel::Wait;
use kernel::storage::StoredData;
use region::exec_interface::delivery::deliver;
use region::recovery_manager::queue_failure;
use region::{About, Arguments, Handler, Outcome, Raised, Task, TaskWaiter, raise, storage_access};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use vsam::StoreError;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::WRITEQ_TS, write),
        (command::READQ_TS, read),
        (command::DELETEQ_TS, delete),
        (command::INQUIRE_TSQUEUE, inquire::inquire),
        (command::INQUIRE_TSQNAME, inquire::inquire),
        (command::SET_TSQUEUE, inquire::set),
        (command::SET_TSQNAME, inquire::set),
        (command::INQUIRE_TSMODEL, resources::inquire_model),
        (command::DISCARD_TSMODEL, resources::discard_model),
        (command::INQUIRE_TSPOOL, resources::inquire_pool),
        (command::INQUIRE_TEMPSTORAGE, main_limit::inquire),
        (command::SET_TEMPSTORAGE, main_limit::set),
    ]
}

/// The queue a command names, of this region.
pub(super) fn name_of(task: &mut Task, arguments: &Arguments) -> Result<QueueName, Raised> {
    let area = arguments.area(option::QNAME).map(|area| area.truncated(16));
    let area = area.or_else(|| arguments.area(option::QUEUE).map(|area| area.truncated(8)));
    let mut name = [task.region.code_page.space(); 16];
    if let Some(area) = area {
        storage_access::read(area.address, &mut name[..area.length])?;
    }
    // Names consisting only of X'00' are reserved for the region.
    let given = area.map_or(0, |area| area.length);
    if given > 0 && name[..given].iter().all(|byte| *byte == 0) { raise(condition::INVREQ, resp2::NONE) } else { Ok(name) }
}

/// The conditions of the commands for the errors of a queue, and `of_store` for those of the store.
#[cold]
fn raised_by(reason: Refused, of_store: impl FnOnce(StoreError) -> Raised) -> Raised {
    match reason {
        Refused::Gone => Raised::new(condition::QIDERR, resp2::NONE),
        Refused::Item => Raised::new(condition::ITEMERR, resp2::NONE),
        Refused::NoSpace => Raised::new(condition::NOSPACE, resp2::NONE),
        Refused::Store(error) => of_store(error),
    }
}

fn refused(storage: &TemporaryStorage, reason: Refused) -> Raised {
    raised_by(reason, |error| {
        let raised = queue_failure(error);
        let exhausted = matches!(raised, Raised::Condition { condition: condition::NOSPACE, .. });
        let failed = matches!(raised, Raised::Condition { condition: condition::IOERR, .. });
        storage.counters.auxiliary_exhausted.fetch_add(u64::from(exhausted), Ordering::Relaxed);
        storage.counters.auxiliary_errors.fetch_add(u64::from(failed), Ordering::Relaxed);
        raised
    })
}

/// As `refused`, for a queue of a shared pool.
fn refused_shared(reason: Refused) -> Raised {
    raised_by(reason, |error| match queue_failure(error) {
        Raised::Condition { condition: condition::IOERR, .. } => Raised::new(condition::IOERR, resp2::SHARED_QUEUE_ERROR),
        raised => raised,
    })
}

fn write(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.ts_total += 1;
    let name = name_of(task, arguments)?;
    let Some(area) = arguments.area(option::FROM) else { return raise(condition::LENGERR, resp2::NONE) };
    let length = arguments.integer(option::LENGTH).unwrap_or(area.length as i64);
    if !(1..=ITEM_BYTES_MAX as i64).contains(&length) {
        return raise(condition::LENGERR, resp2::NONE);
    }
    let mut data = vec![0; length as usize];
    storage_access::read(area.address, &mut data)?;
    let rewrite = arguments.has(option::REWRITE).then(|| arguments.integer(option::ITEM).unwrap_or(0));
    let Written { item, items } = match TemporaryStorage::of(task.region).shared(name) {
        Some((queue, model)) => {
            task.performance.ts_puts_shared += 1;
            let written = shared::write(task, queue, &model, &data, rewrite).map_err(refused_shared)?;
            written.ok_or(Raised::new(condition::QIDERR, resp2::NONE))?
        }
        None => write_item(task, arguments, name, &data, rewrite)?,
    };
    if rewrite.is_none() {
        arguments.set_integer(option::ITEM, i64::from(item));
    }
    arguments.set_integer(option::NUMITEMS, i64::from(items));
    Ok(())
}

/// How the task waits for auxiliary storage; the wait shows the queue.
fn waiter_for(task: &Task, name: &QueueName) -> Arc<TaskWaiter> {
    let waiter = task.waiter();
    waiter.about(About::new("ENQUEUE", task.region.code_page.name(name)).with_access_type("TSIO"));
    waiter
}

fn write_item(task: &mut Task, arguments: &Arguments, name: QueueName, data: &[u8], rewrite: Option<i64>) -> Result<Written, Raised> {
    let region = task.region;
    let storage = &TemporaryStorage::of(region);
    let waiter = waiter_for(task, &name);
    // A program that handles NOSPACE gets it at once instead of waiting.
    let no_suspend = arguments.has(option::NOSUSPEND) || task.handles(arguments, condition::NOSPACE);
    loop {
        let model = TemporaryStorage::of(task.region).model(&name);
        let present = storage.find(&name);
        let is_recoverable = match &present {
            Some(_) => false,
            None => {
                model.as_ref().is_some_and(|model| model.definition.recoverable && !model.definition.main)
                    || recoverable::header(task, &name).map_err(queue_failure)?.is_some()
            }
        };
        if is_recoverable {
            task.performance.ts_puts_auxiliary += 1;
            storage.counters.puts_auxiliary.fetch_add(1, Ordering::Relaxed);
            let written = task.on_io_subtask(|task| recoverable::write(task, &name, model.as_ref(), data, rewrite));
            let written = written.map_err(|reason| refused(storage, reason))?;
            return written.ok_or(Raised::new(condition::QIDERR, resp2::NONE));
        }
        let queue = match present {
            Some(queue) => queue,
            None if rewrite.is_some() => return raise(condition::QIDERR, resp2::NONE),
            None => {
                // The model decides; without one the command does, and AUXILIARY is the default.
                let main = model.as_ref().map_or(arguments.has(option::MAIN), |model| model.definition.main);
                let transid = task.transid;
                let obtain = |_: &mut Task| queue::obtain(region, name, main, model.as_ref(), transid, &*waiter);
                let obtained = if main { obtain(task) } else { task.on_io_subtask(obtain) };
                obtained.map_err(|reason| refused(storage, reason))?
            }
        };
        let stored = if queue.main { Some(in_main_storage(task, data, no_suspend)?) } else { None };
        let write = |_: &mut Task| queue.write(region, data, stored, rewrite, &*waiter);
        match if queue.main { write(task) } else { task.on_io_subtask(write) } {
            Err(Refused::Gone) if rewrite.is_none() => task.kernel.relinquish(),
            Err(other) => {
                let full = matches!(other, Refused::NoSpace);
                storage.counters.times_at_limit.fetch_add(u64::from(full), Ordering::Relaxed);
                if full {
                    storage.tell_exceeded(region);
                }
                if !full || no_suspend {
                    return Err(refused(storage, other));
                }
                wait_for_space(task, &name, data.len())?;
            }
            Ok(written) => {
                let (counter, total) = match queue.main {
                    true => (&mut task.performance.ts_puts_main, &storage.counters.puts_main),
                    false => (&mut task.performance.ts_puts_auxiliary, &storage.counters.puts_auxiliary),
                };
                *counter += 1;
                total.fetch_add(1, Ordering::Relaxed);
                return Ok(written);
            }
        }
    }
}

/// A copy of the data in main storage. While the region is short of 64-bit storage the task waits, as for any storage.
fn in_main_storage(task: &Task, data: &[u8], no_suspend: bool) -> Result<StoredData, Raised> {
    let subpool = TemporaryStorage::of(task.region).main_subpool();
    task.obtain(no_suspend, || subpool.store(data)).map_err(|raised| match raised {
        Raised::Condition { condition: condition::NOSTG, .. } => Raised::new(condition::NOSPACE, resp2::NONE),
        other => other,
    })
}

/// Waits until main storage has been freed.
fn wait_for_space(task: &mut Task, name: &QueueName, bytes: usize) -> Outcome {
    let storage = &TemporaryStorage::of(task.region);
    storage.space_waiters.lock().push(task.kernel.waker());
    if storage.has_room(bytes) {
        task.kernel.abandon_wait();
        return Ok(());
    }
    let wait = Wait::new("TSMAINLM").named(task.region.code_page.name(name));
    task.suspend_until_deadlock_timeout(wait)
}

fn read(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.ts_total += 1;
    let name = name_of(task, arguments)?;
    let region = task.region;
    let storage = &TemporaryStorage::of(region);
    let item = arguments.integer(option::ITEM);
    let mut data = Vec::new();
    if let Some((queue, _)) = storage.shared(name) {
        task.performance.ts_gets_shared += 1;
        let items = shared::read(region, queue, item, &mut data).map_err(refused_shared)?;
        arguments.set_integer(option::NUMITEMS, i64::from(items.ok_or(Raised::new(condition::QIDERR, resp2::NONE))?));
        return deliver(task, arguments, &data, |task| &mut TaskState::of_mut(&mut task.parts).storage);
    }
    task.performance.ts_gets += 1;
    let items = match storage.find(&name) {
        Some(queue) => {
            let counter = if queue.main { &storage.counters.gets_main } else { &storage.counters.gets_auxiliary };
            counter.fetch_add(1, Ordering::Relaxed);
            let mut read = |_: &mut Task| queue.read(region, item, &mut data);
            let read = if queue.main { read(task) } else { task.on_io_subtask(read) };
            read.map_err(|reason| refused(storage, reason))?
        }
        None => {
            storage.counters.gets_auxiliary.fetch_add(1, Ordering::Relaxed);
            let read = task.on_io_subtask(|task| recoverable::read(task, &name, item, &mut data));
            match read.map_err(|reason| refused(storage, reason))? {
                Some(items) => items,
                None => return raise(condition::QIDERR, resp2::NONE),
            }
        }
    };
    arguments.set_integer(option::NUMITEMS, i64::from(items));
    deliver(task, arguments, &data, |task| &mut TaskState::of_mut(&mut task.parts).storage)
}

fn delete(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.ts_total += 1;
    let name = name_of(task, arguments)?;
    match TemporaryStorage::of(task.region).shared(name) {
        Some((queue, _)) => delete_shared(task, queue),
        None => delete_queue(task, &name),
    }
}

/// Deletes a queue of a shared pool.
pub(super) fn delete_shared(task: &mut Task, queue: SharedName) -> Outcome {
    let deleted = shared::delete(task, queue).map_err(refused_shared)?;
    if deleted { Ok(()) } else { raise(condition::QIDERR, resp2::NONE) }
}

/// Deletes a queue of this region, whatever its kind.
pub(super) fn delete_queue(task: &mut Task, name: &QueueName) -> Outcome {
    let region = task.region;
    let deleted = match TemporaryStorage::of(region).find(name) {
        Some(queue) => {
            let waiter = waiter_for(task, name);
            let delete = |_: &mut Task| queue::delete(region, &queue, &*waiter);
            if queue.main { delete(task) } else { task.on_io_subtask(delete) }
        }
        None => task.on_io_subtask(|task| recoverable::delete(task, name)),
    };
    let deleted = deleted.map_err(queue_failure)?;
    if deleted { Ok(()) } else { raise(condition::QIDERR, resp2::NONE) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};
    use vsam::StoreError;

    /// A pool has room as long as the disk has; RESP2 5 of IOERR indicates a shared queue.
    #[test]
    fn a_shared_queue_has_conditions_of_its_own() {
        let failure = |kind: ErrorKind| Refused::Store(StoreError::Io { path: "log".into(), source: Error::from(kind) });
        for (reason, expected) in [
            (failure(ErrorKind::StorageFull), (condition::NOSPACE, 0)),
            (failure(ErrorKind::InvalidData), (condition::IOERR, 5)),
            (Refused::Store(StoreError::Invalid("damaged".into())), (condition::IOERR, 5)),
            (Refused::Item, (condition::ITEMERR, 0)),
        ] {
            let Raised::Condition { condition, resp2, .. } = refused_shared(reason) else { panic!("no condition") };
            assert_eq!((condition, resp2), expected);
        }
    }

    #[test]
    fn a_full_disk_is_counted_and_no_other_refusal() {
        let storage = TemporaryStorage::default();
        let failure = |kind: ErrorKind| Refused::Store(StoreError::Io { path: "log".into(), source: Error::from(kind) });
        let reasons = [
            (failure(ErrorKind::StorageFull), condition::NOSPACE, 1),
            (failure(ErrorKind::InvalidData), condition::IOERR, 1),
            (Refused::NoSpace, condition::NOSPACE, 1),
            (failure(ErrorKind::StorageFull), condition::NOSPACE, 2),
        ];
        for (reason, expected, count) in reasons {
            assert!(matches!(refused(&storage, reason), Raised::Condition { condition, .. } if condition == expected));
            assert_eq!(storage.counters.auxiliary_exhausted.load(Ordering::Relaxed), count);
        }
        assert_eq!(storage.counters.auxiliary_errors.load(Ordering::Relaxed), 1);
    }
}
