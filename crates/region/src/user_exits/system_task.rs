//! The task of the region that calls exit programs for what happens outside of tasks: messages, ends of intervals, statistics.
//!
//! These come from any thread, and an exit program needs a task. While exit programs are enabled at such a point, a task of transaction CSSY does
//! what has been given to it, in its order. Invariants: what is given is done exactly once, with the task or without it; what that task itself
//! brings about does not wait for it.

use super::table::Exits;
use crate::control_blocks::exits::ExitWork;
use crate::name::Name4;
use crate::{AttachRequest, Raised, Region, StartCode, Task};
use std::collections::VecDeque;

/// The transaction of the task, and what tells its program what it is for.
pub const TRANSACTION: &str = "CSSY";
pub const WORK: u8 = 0;
/// Most that waits for the task; more is done without it.
const WAITING_MAX: usize = 10_000;

/// What waits for the task.
#[derive(Default)]
pub struct Waiting {
    work: VecDeque<ExitWork>,
    /// A task has been asked for, or runs.
    is_served: bool,
    /// The number of the task while it runs.
    task: u32,
}

/// Gives something to the task. A region that ends does without.
pub fn give(region: &'static Region, work: ExitWork) {
    if region.transactions().is_quiescing() {
        return work(None);
    }
    let mut waiting = Exits::of(region).waiting.lock();
    let is_own = kernel::current().is_some_and(|task| waiting.task != 0 && task.number() == waiting.task);
    if is_own || waiting.work.len() >= WAITING_MAX {
        drop(waiting);
        return work(None);
    }
    waiting.work.push_back(work);
    let is_first = !std::mem::replace(&mut waiting.is_served, true);
    drop(waiting);
    if is_first {
        // The sender may hold locks that an attach needs.
        region.dispatcher.spawn_blocking(move || serve(region));
    }
}

fn serve(region: &'static Region) {
    let mut request = AttachRequest::new(Name4::new(TRANSACTION), StartCode::System);
    request.commarea = vec![WORK];
    if region.attach(request).is_err() {
        let mut waiting = Exits::of(region).waiting.lock();
        waiting.is_served = false;
        let left = std::mem::take(&mut waiting.work);
        drop(waiting);
        left.into_iter().for_each(|work| work(None));
    }
}

/// The task that serves. If it ends in another way than by having nothing left to do, another takes its place.
struct Serving {
    region: &'static Region,
    task: u32,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let region = self.region;
        let mut waiting = Exits::of(region).waiting.lock();
        if waiting.task == self.task {
            (waiting.task, waiting.is_served) = (0, true);
            drop(waiting);
            region.dispatcher.spawn_blocking(move || serve(region));
        }
    }
}

/// What the task does: until nothing waits.
pub fn run(task: &mut Task) -> Result<(), Raised> {
    let region = task.region;
    let _serving = Serving { region, task: task.number };
    loop {
        let work = {
            let mut waiting = Exits::of(region).waiting.lock();
            let work = waiting.work.pop_front();
            waiting.task = if work.is_some() { task.number } else { 0 };
            waiting.is_served = work.is_some();
            work
        };
        let Some(work) = work else { return Ok(()) };
        work(Some(task));
    }
}
