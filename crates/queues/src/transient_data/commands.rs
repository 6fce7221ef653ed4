//! WRITEQ TD, READQ TD and DELETEQ TD.

use super::extrapartition::ExternalFile;
use super::intrapartition::{self, Read};
use super::{Queue, RECORD_BYTES_MAX, inquire, trigger};
use crate::record::Format;
use crate::transient_data::TaskState;
use crate::transient_data::TransientData;
use csd::TdQueueType;
use exec::resp2;
use exec::{CommandId, command, condition, option};
use region::exec_interface::delivery::deliver;
use region::name::Name4;
use region::recovery_manager::queue_failure;
use region::{Arguments, Handler, Outcome, Raised, Region, Task, raise, storage_access};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use vsam::StoreError;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::WRITEQ_TD, write),
        (command::READQ_TD, read),
        (command::DELETEQ_TD, delete),
        (command::INQUIRE_TDQUEUE, inquire::inquire),
        (command::SET_TDQUEUE, inquire::set),
        (command::DISCARD_TDQUEUE, inquire::discard),
    ]
}

/// The queue a command names, of this region and enabled.
fn queue_of(task: &mut Task, arguments: &Arguments) -> Result<Arc<Queue>, Raised> {
    task.performance.td_total += 1;
    let name: Name4 = arguments.name(option::QUEUE)?.unwrap_or_default();
    let region = task.region;
    let Some(queue) = TransientData::of(region).resolve(name) else { return raise(condition::QIDERR, resp2::NONE) };
    if queue.definition().queue_type == TdQueueType::Remote {
        return raise(condition::SYSIDERR, resp2::NONE);
    }
    if queue.is_enabled() { Ok(queue) } else { raise(condition::DISABLED, resp2::NONE) }
}

fn write(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    task.performance.td_puts += 1;
    let queue = queue_of(task, arguments)?;
    let Some(area) = arguments.area(option::FROM) else { return raise(condition::LENGERR, resp2::NONE) };
    let length = arguments.integer(option::LENGTH).unwrap_or(area.length as i64);
    if !(1..=RECORD_BYTES_MAX as i64).contains(&length) {
        return raise(condition::LENGERR, resp2::NONE);
    }
    let mut data = vec![0; length as usize];
    storage_access::read(area.address, &mut data)?;
    if queue.definition().queue_type == TdQueueType::Extrapartition {
        write_external(task, &queue, &data)?;
    } else {
        let written = task.on_io_subtask(|task| intrapartition::write(task, &queue, &data));
        written.map_err(|error| failed(region, error))?;
        trigger::look(task.region, &queue);
    }
    queue.writes.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// What a failure of the store raises; counted for statistics.
#[cold]
fn failed(region: &Region, error: StoreError) -> Raised {
    let raised = queue_failure(error);
    let counters = &TransientData::of(region).counters;
    match &raised {
        Raised::Condition { condition, .. } if *condition == condition::NOSPACE => counters.no_space.fetch_add(1, Ordering::Relaxed),
        Raised::Condition { condition, .. } if *condition == condition::IOERR => counters.errors.fetch_add(1, Ordering::Relaxed),
        _ => 0,
    };
    raised
}

/// Does something with the open file of an extrapartition queue, which one task at a time has.
fn with_file<R>(task: &mut Task, queue: &Queue, action: impl FnOnce(&mut ExternalFile) -> Result<R, Raised>) -> Result<R, Raised> {
    let mut file = queue.file.try_lock().unwrap_or_else(|| {
        let begun = Instant::now();
        let file = queue.file.lock();
        task.performance.td_extrapartition_lock_wait.add(begun.elapsed());
        file
    });
    match file.as_mut() {
        Some(file) => action(file),
        None => raise(condition::NOTOPEN, resp2::NONE),
    }
}

fn write_external(task: &mut Task, queue: &Queue, data: &[u8]) -> Outcome {
    let definition = queue.definition();
    let longest = definition.record_bytes as usize;
    let code_page = &task.region.code_page;
    with_file(task, queue, |file| {
        if file.is_input() {
            return raise(condition::INVREQ, resp2::NONE);
        }
        match file.format() {
            Format::Fixed(length) if data.len() != length => return raise(condition::LENGERR, resp2::NONE),
            Format::Variable if longest > 0 && data.len() > longest => return raise(condition::LENGERR, resp2::NONE),
            _ => {}
        }
        file.write(data, code_page).map_err(|error| {
            let full = error.kind() == std::io::ErrorKind::StorageFull;
            Raised::new(if full { condition::NOSPACE } else { condition::IOERR }, resp2::NONE)
        })
    })
}

fn read(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    task.performance.td_gets += 1;
    let queue = queue_of(task, arguments)?;
    let mut data = Vec::new();
    if queue.definition().queue_type == TdQueueType::Extrapartition {
        let code_page = &task.region.code_page;
        let there = with_file(task, &queue, |file| {
            if !file.is_input() {
                return raise(condition::INVREQ, resp2::NONE);
            }
            file.read(&mut data, code_page).map_err(|_| Raised::new(condition::IOERR, resp2::NONE))
        })?;
        if !there {
            return raise(condition::QZERO, resp2::NONE);
        }
    } else {
        // A program that handles QBUSY gets it at once instead of waiting.
        let no_suspend = arguments.has(option::NOSUSPEND) || task.handles(arguments, condition::QBUSY);
        let found = task.on_io_subtask(|task| intrapartition::read(task, &queue, no_suspend, &mut data));
        match found.map_err(|error| failed(region, error))? {
            Read::Record => {}
            Read::Empty => {
                trigger::emptied(task, &queue);
                return raise(condition::QZERO, resp2::NONE);
            }
            Read::Busy => return raise(condition::QBUSY, resp2::NONE),
        }
    }
    queue.reads.fetch_add(1, Ordering::Relaxed);
    // Data that is too long is cut and lost.
    deliver(task, arguments, &data, |task| &mut TaskState::of_mut(&mut task.parts).storage)
}

fn delete(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    task.performance.td_purges += 1;
    let queue = queue_of(task, arguments)?;
    if queue.definition().queue_type != TdQueueType::Intrapartition {
        return raise(condition::INVREQ, resp2::NONE);
    }
    let deleted = task.on_io_subtask(|task| intrapartition::delete(task, &queue));
    deleted.map_err(|error| failed(region, error))?;
    queue.deletes.fetch_add(1, Ordering::Relaxed);
    Ok(())
}
