//! Events in a unit of work: those of transactional adapters wait for its end, and a synchronous event that fails backs it out.
//!
//! Source: CICS TS 5.5, "SET EVENTPROCESS", "Assured event emission", message DFHEC1028. Invariant: the list of a task is empty between units
//! of work.

use super::adapter::Adapter;
use super::captured::Event;
use super::processing::Status;
use super::queue;
use crate::{Policies, TaskPolicies};
use region::{Abend, Decision, Participant, Raised, Task};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The abend of a syncpoint whose unit of work cannot be committed.
const ABEND_CODE: &str = "ASP7";

/// The events of a task's unit of work.
#[derive(Default)]
pub struct UnitEvents {
    waiting: Vec<(Arc<Adapter>, Arc<Event>)>,
    /// A synchronous event could not be emitted.
    failed: Option<String>,
    /// A program of an adapter is running: its commands are not captured.
    pub is_emitting: bool,
}

/// The part of the domain in a unit of work.
pub const PARTICIPANT: Participant = Participant { before, after, ..Participant::NONE };

/// Keeps an event until the unit of work ends.
pub fn hold(task: &mut Task, adapter: Arc<Adapter>, event: Arc<Event>) {
    let figures = &Policies::of(task.region).processing.figures;
    figures.held();
    TaskPolicies::of_mut(&mut task.parts).events.waiting.push((adapter, event));
    task.touch_unit_of_work();
}

/// The unit of work cannot be committed, because a synchronous event could not be emitted.
pub fn fail(task: &mut Task, reason: String) {
    TaskPolicies::of_mut(&mut task.parts).events.failed = Some(reason);
    task.touch_unit_of_work();
}

fn before(task: &mut Task, decision: Decision) -> Result<(), Raised> {
    let events = &mut TaskPolicies::of_mut(&mut task.parts).events;
    match events.failed.take() {
        Some(reason) if decision == Decision::Commit => Err(Raised::Abend(Box::new(Abend::new(ABEND_CODE).because(reason)))),
        _ => Ok(()),
    }
}

fn after(task: &mut Task, decision: Decision) {
    let waiting = std::mem::take(&mut TaskPolicies::of_mut(&mut task.parts).events.waiting);
    if waiting.is_empty() {
        return;
    }
    let region = task.region;
    let processing = &Policies::of(region).processing;
    let figures = &processing.figures;
    figures.released(waiting.len() as u64);
    let is_committed = decision == Decision::Commit;
    let counter = if is_committed { &figures.commits_forward } else { &figures.commits_backward };
    counter.fetch_add(1, Ordering::Relaxed);
    // Transactional events count as captured from the syncpoint on, and nothing is captured while event processing ends.
    if !is_committed || processing.status() != Status::Started {
        figures.transactional_discarded.fetch_add(waiting.len() as u64, Ordering::Relaxed);
        return;
    }
    for (adapter, event) in waiting {
        queue::add(region, adapter, event);
    }
}
