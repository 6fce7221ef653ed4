//! Interval control: DELAY, START, RETRIEVE, CANCEL, POST.
//!
//! Invariants: the request identifier of a START is unique among the pending requests; its data lives until a RETRIEVE takes it or its task
//! ends; a START with PROTECT takes effect only when the unit of work that issued it commits.

mod commands;
pub mod element;
mod exits;
mod inquire;
mod pending;
mod persistent;
mod start;
mod times;

pub use commands::handlers;
pub use pending::{Cancelled, IntervalControl};
pub use start::StartRequest;
pub use times::{Due, due};

use crate::name::Name8;
use crate::{AttachRequest, Decision, Domain, Life, Participant, StartData, Task, event_wait};

crate::region_part!(IntervalControl);
crate::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "interval control",
    commands: &[handlers],
    slots: &[&IN_REGION, &IN_TASK],
    unit_of_work: Some(Participant {
        before: persistent::unit_of_work_ending,
        after: pending::unit_of_work_ended,
        resolved: Some(|region, decision| match decision {
            Decision::Commit => persistent::unit_of_work_resolved(region),
            Decision::Backout => Ok(()),
        }),
        ..Participant::NONE
    }),
    life: Life {
        installed: Some(persistent::restart),
        running: Some(|region| IntervalControl::of(region).begin(region)),
        quiesce: Some(|region, _| IntervalControl::of(region).stop(region)),
        ..Life::NONE
    },
    task_attached: Some(task_attached),
    may_restart: Some(|task| !data_is_gone(task)),
    task_ended: Some(task_ended),
    statistics: Some(|region| IntervalControl::of(region).statistics().into_iter().collect()),
    ..Domain::NONE
};

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// Data that RETRIEVE has not yet taken.
    retrievable: std::collections::VecDeque<StartData>,
    /// STARTs with PROTECT of this unit of work.
    pub protected: Vec<StartRequest>,
    /// Requests of the store this task was started by; they go with its unit of work.
    pub started_by: Vec<Name8>,
    /// A RETRIEVE has taken data that is not recoverable.
    pub retrieved: bool,
    /// The request identifier of the task's POST; at most one is in effect.
    post: Option<Name8>,
}

/// The task's START cannot be repeated: it had data, which was retrieved, and no backout restores it.
fn data_is_gone(task: &Task) -> bool {
    TaskState::of(&task.parts).retrieved
}

/// A task has at most one POST. Its area is there until the task ends or issues another POST, a DELAY, a local START, or the CANCEL
/// of the POST (command POST).
fn drop_post(task: &mut Task) {
    let request_id = TaskState::of_mut(&mut task.parts).post.take();
    let area = event_wait::TaskState::of_mut(&mut task.parts).timer_area.take();
    if let (Some(request_id), Some(area)) = (request_id, area) {
        IntervalControl::of(task.region).forget_post(task.region, request_id, area);
        task.freemain(area);
    }
}

/// The task finds the data of the STARTs that attached it.
fn task_attached(task: &mut Task, request: &mut AttachRequest) {
    for data in &request.start_data {
        persistent::started_by(task, data);
    }
    TaskState::of_mut(&mut task.parts).retrievable = std::mem::take(&mut request.start_data);
}

/// Takes the data of the START that created the task, for one of the region's own programs.
pub fn retrieve(task: &mut Task) -> Option<StartData> {
    TaskState::of_mut(&mut task.parts).retrievable.pop_front()
}

/// A POST ends with its task: the timer event control area is the task's storage.
fn task_ended(task: &mut Task) {
    drop_post(task);
}
