//! Automatic transaction initiation: a queue that has reached its trigger level starts its transaction.
//!
//! Invariant: after it has requested a task, a queue requests no other until it was read to its end (QZERO) or the task has ended.

use super::queue::Queue;
use crate::transient_data::TaskState;
use crate::transient_data::TransientData;
use csd::{AtiFacility, TdQueueType, TdRecovery};
use region::facility::{Facility, StartForTerminal};
use region::name::{Name4, Name8};
use region::{AttachRequest, Region, StartCode, Task};
use std::sync::atomic::Ordering;

/// Starts the queue's transaction if it is time.
pub(super) fn look(region: &'static Region, queue: &Queue) {
    let definition = queue.definition();
    let level = i64::from(definition.trigger_level);
    let due = definition.queue_type == TdQueueType::Intrapartition
        && level > 0
        && !definition.transid.is_blank()
        && queue.is_enabled()
        && queue.items() >= level;
    if !due || queue.triggered.swap(true, Ordering::AcqRel) {
        return;
    }
    queue.triggers.fetch_add(1, Ordering::Relaxed);
    let user_id = if definition.user_id.is_blank() { region.default_user } else { definition.user_id };
    let started = match definition.facility {
        AtiFacility::Terminal => start_at_terminal(region, queue, user_id),
        AtiFacility::System => Err(no_connection(queue)),
        AtiFacility::File => {
            let mut attach = AttachRequest::new(definition.transid, StartCode::TransientData);
            attach.user_id = user_id;
            attach.queue = Some(queue.name);
            attach.facility = Facility::Queue(queue.name);
            region.attach(attach).map(|_| ()).map_err(|failure| failure.message.text)
        }
    };
    if let Err(reason) = started {
        queue.triggered.store(false, Ordering::Release);
        let (name, transid) = (queue.name, definition.transid);
        let values = [("queue", name.as_str()), ("transid", transid.as_str()), ("reason", reason.as_str())];
        region.messages.send("DFHTD0340", &values);
    }
}

/// The terminal or connection of a queue: FACILITYID, which is the queue's name by default.
fn facility_of(queue: &Queue) -> Name4 {
    let definition = queue.definition();
    if definition.facility_id.is_blank() { queue.name } else { definition.facility_id }
}

/// The transaction's principal facility is to be a session of a connection, and no region has connections.
fn no_connection(queue: &Queue) -> String {
    format!("connection {} is not there", facility_of(queue))
}

fn start_at_terminal(region: &'static Region, queue: &Queue, user_id: Name8) -> Result<(), String> {
    let definition = queue.definition();
    let facility = facility_of(queue);
    let terminal = region.terminals.find(facility).ok_or_else(|| format!("terminal {facility} is not there"))?;
    terminal.start(StartForTerminal { transid: definition.transid, data: None, user_id, queue: Some(queue.name) });
    Ok(())
}

/// A READQ found the queue empty: the next time it reaches its level, a task is started. Of a logically recoverable queue only after the task it
/// has started has ended ("Automatic transaction initiation (ATI)").
pub(super) fn emptied(task: &mut Task, queue: &Queue) {
    if queue.definition().recovery != TdRecovery::Logical {
        queue.triggered.store(false, Ordering::Release);
    }
    if task.queue == Some(queue.name) {
        TaskState::of_mut(&mut task.parts).trigger_reset = true;
    }
}

/// A task triggered by a queue has ended. If it is for a terminal, has ended normally and has not read the queue to its end, it is started
/// again. Otherwise the next WRITEQ checks the trigger level, and for a logically recoverable queue so do those issued after the task had
/// read the queue to its end.
pub fn task_ended(task: &mut Task) {
    let Some(name) = task.queue else { return };
    let region = task.region;
    let Some(queue) = TransientData::of(region).find(name) else { return };
    let definition = queue.definition();
    let (logical, emptied) = (definition.recovery == TdRecovery::Logical, TaskState::of(&task.parts).trigger_reset);
    if emptied && !logical {
        return;
    }
    queue.triggered.store(false, Ordering::Release);
    let ended_well = task.abend_information.code == [0; 4];
    if ended_well && (emptied || definition.facility == AtiFacility::Terminal) {
        look(region, &queue);
    }
}

/// A restart has restored the records of a queue. Its task is requested again if it is for a terminal or a connection; for other queues the
/// next WRITEQ checks the trigger level.
pub(super) fn look_after_restart(region: &'static Region, queue: &Queue) {
    if queue.definition().facility != AtiFacility::File {
        look(region, queue);
    }
}
