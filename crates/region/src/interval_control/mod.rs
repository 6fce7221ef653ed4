//! Interval control: DELAY, START, RETRIEVE, CANCEL, POST.
//!
//! Invariants: a START has a request identifier unique among the pending ones; its data lives until a RETRIEVE takes it or its task
//! ends; a START with PROTECT takes effect only when the unit of work that issued it commits.

mod commands;
mod pending;
mod persistent;
mod start;
mod times;

pub use commands::handlers;
pub use pending::{Cancelled, IntervalControl};
pub(crate) use persistent::started_by;
pub use persistent::{restart, unit_of_work_resolved};
pub use start::StartRequest;

use crate::channels::Channel;
use crate::name::{Name4, Name8};
use crate::recovery_manager::Participant;
use crate::transaction_manager::Task;
use std::sync::Arc;

/// What a START carries for RETRIEVE.
#[derive(Clone, Debug, Default)]
pub struct StartData {
    pub request_id: Name8,
    pub data: Option<Vec<u8>>,
    pub return_transid: Option<Name4>,
    pub return_terminal: Option<Name4>,
    pub queue: Option<Name8>,
    pub channel: Option<Arc<Channel>>,
    pub function_management_header: bool,
    /// The store has the request until a task it started has committed.
    pub persistent: bool,
}

impl StartData {
    /// Whether RETRIEVE finds anything (start code SD rather than S).
    pub fn has_data(&self) -> bool {
        self.data.is_some() || self.return_transid.is_some() || self.return_terminal.is_some() || self.queue.is_some()
    }
}

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// What RETRIEVE has not taken yet.
    pub retrievable: std::collections::VecDeque<StartData>,
    /// STARTs with PROTECT of this unit of work.
    pub protected: Vec<StartRequest>,
    /// Requests of the store this task was started by; they go with its unit of work.
    pub started_by: Vec<Name8>,
    /// A RETRIEVE has taken data that are not recoverable.
    pub retrieved: bool,
    /// The task has abended and will be restarted: its START is not done with.
    pub restarting: bool,
    /// The POST of this task; at most one is in effect.
    post: Option<Post>,
}

/// The task's START cannot be carried out again: it had data, they were retrieved, and no backout brings them back.
pub(crate) fn data_is_gone(task: &Task) -> bool {
    task.interval.retrieved
}

/// A POST and its timer event control area, posted or not.
#[derive(Clone, Copy)]
struct Post {
    request_id: Name8,
    area: usize,
}

impl TaskState {
    /// The timer event control area, which nobody but the region posts.
    pub fn timer_area(&self) -> Option<usize> {
        self.post.map(|post| post.area)
    }
}

/// A task has at most one POST. Its area is there until the task ends or issues another POST, a DELAY, a local START, or the CANCEL
/// of the POST (command POST).
fn drop_post(task: &mut Task) {
    if let Some(post) = task.interval.post.take() {
        task.region.interval.forget_post(task.region, post.request_id, post.area);
        let _ = task.storage.freemain(post.area);
    }
}

/// A POST ends with its task: the timer event control area is the task's storage.
pub fn task_ended(task: &mut Task) {
    drop_post(task);
}

pub fn participant() -> Participant {
    Participant { name: "interval_control", before: persistent::unit_of_work_ending, after: pending::unit_of_work_ended }
}
