//! Asynchronous services (AS domain): RUN TRANSID starts a child task, FETCH CHILD and FETCH ANY get its response, FREE CHILD gives it up.
//!
//! A child is a task of its own, with its own unit of work. Its principal facility is its [`family::Child`], through which the end of the
//! task reaches the parent. The channel of the child belongs to this domain from the end of the child until the parent fetches it.
//!
//! Invariants: a token is known to the task that ran the child, and to no other; the channel of a child is fetched once; the end of the
//! parent frees its children, and the end of a freed child leaves nothing behind.

mod commands;
mod family;
mod flow_control;
mod records;

pub use commands::handlers;

use crate::dump_sections::{BRIEF, Section};
use crate::{Domain, Task};
use family::Family;
use flow_control::FlowControl;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

crate::region_part!(AsynchronousServices);
crate::task_part!(TaskState);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "asynchronous services",
    commands: &[handlers],
    slots: &[&IN_REGION, &IN_TASK],
    task_ended: Some(task_ended),
    records: &[&records::RECORD],
    task_dump: Some(task_dump),
    ..Domain::NONE
};

/// The domain's part of the region.
#[derive(Default)]
pub struct AsynchronousServices {
    runs: AtomicU64,
    fetches: AtomicU64,
    frees: AtomicU64,
    /// Children ever run: the number in a token.
    numbers: AtomicU64,
    flow: Arc<FlowControl>,
}

/// The domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    /// The children of this task, once it has run one.
    family: Option<Arc<Family>>,
    /// Channels fetched by this task: the number in the name of the next.
    channels_fetched: u32,
}

fn task_ended(task: &mut Task) {
    if let Some(family) = TaskState::of_mut(&mut task.parts).family.take() {
        family.free_all();
    }
}

/// AS: the children of a parent.
fn task_dump(task: &Task) -> Vec<Section> {
    let children = TaskState::of(&task.parts).family.as_ref().map(|family| family.summary()).unwrap_or_default();
    if children.is_empty() {
        return Vec::new();
    }
    vec![Section::lines("AS", BRIEF, "ASYNCHRONOUS CHILD SUMMARY", children)]
}
