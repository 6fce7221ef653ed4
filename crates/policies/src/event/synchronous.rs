//! Synchronous emission: the task that captures an event emits it, in its unit of work.
//!
//! A queue is written to, and the program of a custom adapter linked to, at once; a transaction is started when the unit of work commits, or at
//! once if its adapter is not transactional. An event that cannot be emitted makes the unit of work be backed out at its syncpoint. Source:
//! CICS TS 5.5, "Synchronous event emission", message DFHEC1028. Invariant: the command in progress finds its EIB as it was.

use super::adapter::{Adapter, Destination};
use super::captured::Event;
use super::emit::{self, CHANNEL, fill_for_custom, write_to_queue};
use super::unit;
use crate::message::tell;
use crate::{Policies, TaskPolicies};
use exec::{command, option};
use region::channel::{Channel, Lookup};
use region::exec_interface::{Call, Response};
use region::{Raised, Task};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Emits an event now.
///
/// # Errors
///
/// The task abends.
pub fn emit(task: &mut Task, adapter: &Arc<Adapter>, event: &Arc<Event>) -> Result<(), Raised> {
    let region = task.region;
    let figures = &Policies::of(region).processing.figures;
    figures.synchronous.fetch_add(1, Ordering::Relaxed);
    if let Destination::Transaction { transid } = &adapter.destination {
        if region.transactions().find(*transid).is_none() {
            failed(task, adapter, &format!("transaction {transid} is not defined"));
        } else if adapter.is_transactional {
            unit::hold(task, adapter.clone(), event.clone());
        } else {
            emit::dispatch(region, adapter, event);
        }
        return Ok(());
    }
    emit::count(region, adapter, event);
    let kept = (*task.eib.bytes(), task.frame, task.line, task.command);
    TaskPolicies::of_mut(&mut task.parts).events.is_emitting = true;
    let response = match &adapter.destination {
        Destination::Custom { .. } => link(task, adapter, event),
        _ => write_to_queue(task, adapter, &event.flattened(region)),
    };
    TaskPolicies::of_mut(&mut task.parts).events.is_emitting = false;
    let (eib, frame, line, command) = kept;
    task.eib.set(0, &eib);
    (task.frame, task.line, task.command) = (frame, line, command);
    match response? {
        Some(response) if !response.is_normal() => {
            failed(task, adapter, &format!("{} with RESP2 {}", response.condition.name(), response.resp2));
        }
        _ => {}
    }
    Ok(())
}

fn failed(task: &mut Task, adapter: &Adapter, reason: &str) {
    let figures = &Policies::of(task.region).processing.figures;
    figures.synchronous_failed.fetch_add(1, Ordering::Relaxed);
    tell(task.region, "DFHEP0114", &[("adapter", &adapter.name), ("reason", reason)]);
    unit::fail(task, format!("a synchronous event for adapter {} could not be emitted: {reason}", adapter.name));
}

/// Links to the program of a custom adapter.
fn link(task: &mut Task, adapter: &Adapter, event: &Event) -> Result<Option<Response>, Raised> {
    let Destination::Custom { program, .. } = &adapter.destination else { return Ok(None) };
    let region = task.region;
    let channel = Arc::new(Channel::new(CHANNEL, Lookup::default()));
    fill_for_custom(region, &channel, adapter, event);
    let mut call = Call::new(command::LINK);
    let page = &region.code_page;
    call.bytes(option::PROGRAM, &page.encode_name(program)).bytes(option::CHANNEL, &page.encode_name(&CHANNEL));
    // The channel of the program itself, if it has one of this name, is not that of the event.
    task.level_mut().channels.insert(0, channel);
    let response = call.execute(task);
    if let Some(level) = task.levels.last_mut() {
        level.channels.remove(0);
    }
    response.map(Some)
}
