//! The event dispatcher: events of asynchronous adapters wait in two queues, by their priority, until a task of CEPD passes them on.
//!
//! The dispatcher task (program DFHEPDS) runs on a TCB of mode EP while there are events, those of high priority first. In a region without
//! CEPD the task that adds an event passes it on. Source: CICS TS 5.5, "Event processing dispatcher", "EVENTPROCESS: Global statistics".
//! Invariant: at most [`PENDING_MAX`] events wait.

use super::adapter::Adapter;
use super::captured::Event;
use super::emit::{self, PENDING_MAX};
use super::processing::Status;
use crate::Policies;
use kernel::Mode;
use parking_lot::Mutex;
use region::name::Name4;
use region::{AttachRequest, Raised, Region, StartCode, Task};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The transaction of the dispatcher.
const DISPATCHER: Name4 = Name4::new("CEPD");

struct Waiting {
    adapter: Arc<Adapter>,
    event: Arc<Event>,
}

#[derive(Default)]
struct Waits {
    normal: VecDeque<Waiting>,
    high: VecDeque<Waiting>,
    /// The number of the dispatcher task.
    dispatcher: Option<u32>,
}

/// The queues.
#[derive(Default)]
pub struct Queues(Mutex<Waits>);

impl Queues {
    pub fn len(&self) -> usize {
        let waits = self.0.lock();
        waits.normal.len() + waits.high.len()
    }

    pub fn is_dispatching(&self) -> bool {
        self.0.lock().dispatcher.is_some()
    }

    /// Drops all events.
    pub fn clear(&self) {
        let mut waits = self.0.lock();
        waits.normal.clear();
        waits.high.clear();
    }

    /// The next event; without one the dispatcher ends.
    fn next(&self) -> Option<Waiting> {
        let mut waits = self.0.lock();
        let next = waits.high.pop_front().or_else(|| waits.normal.pop_front());
        if next.is_none() {
            waits.dispatcher = None;
        }
        next
    }
}

/// Adds an event for an adapter.
pub fn add(region: &'static Region, adapter: Arc<Adapter>, event: Arc<Event>) {
    let processing = &Policies::of(region).processing;
    if processing.status() == Status::Stopped {
        return emit::lost(region, &adapter.name, "event processing is stopped");
    }
    let figures = &processing.figures;
    let is_dispatching = {
        let mut waits = processing.queues.0.lock();
        let length = waits.normal.len() + waits.high.len();
        if length >= PENDING_MAX {
            drop(waits);
            return emit::lost(region, &adapter.name, "too many events are on their way");
        }
        figures.added(adapter.is_high, length as u64 + 1);
        let queue = if adapter.is_high { &mut waits.high } else { &mut waits.normal };
        queue.push_back(Waiting { adapter, event });
        waits.dispatcher.is_some_and(|number| region.dispatcher.task_by_number(number).is_some())
    };
    if !is_dispatching {
        start(region);
    }
}

/// Starts a dispatcher, or does its work.
fn start(region: &'static Region) {
    let attached = match region.transactions().find(DISPATCHER) {
        Some(_) => region.attach(AttachRequest::new(DISPATCHER, StartCode::System)).ok(),
        None => None,
    };
    let Some(number) = attached else { return pass_on(region) };
    let processing = &Policies::of(region).processing;
    processing.figures.dispatchers.fetch_add(1, Ordering::Relaxed);
    let mut waits = processing.queues.0.lock();
    // It may have emptied the queues and ended already.
    if waits.normal.len() + waits.high.len() > 0 {
        waits.dispatcher = Some(number);
    }
}

fn pass_on(region: &'static Region) {
    while let Some(Waiting { adapter, event }) = Policies::of(region).processing.queues.next() {
        emit::dispatch(region, &adapter, &event);
    }
}

/// The program of the dispatcher.
///
/// # Errors
///
/// None: what cannot be dispatched is told.
pub fn run(task: &mut Task) -> Result<(), Raised> {
    let before = task.kernel.mode();
    let changed = task.kernel.change_mode(Mode::Ep);
    pass_on(task.region);
    let changed_back = task.kernel.change_mode(before);
    debug_assert!(changed.is_ok() && changed_back.is_ok(), "EP has no limit, and the program begins on QR");
    Ok(())
}
