//! The task of the region that calls exit programs for what happens outside of tasks: messages, ends of intervals, statistics.
//!
//! These come from any thread, and an exit program needs a task. While exit programs are enabled at such a point, a task of transaction CSSY does
//! what has been given to it, in its order. The task has its [`Server`] as its facility, which learns how the task ends: it may abend before it
//! runs its program. Invariants: what is given is done exactly once, with the task or without it; there is one such task at a time; what that
//! task itself brings about does not wait for it.

use super::table::Exits;
use crate::control_blocks::exits::ExitWork;
use crate::facility::{Facility, Partner, PartnerKind};
use crate::messages::Message;
use crate::name::{Name4, Name8};
use crate::{AttachRequest, Raised, Region, StartCode, Task};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;

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
    /// The number of the task, from its beginning to its end.
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
    request.facility = Facility::Partner(PartnerKind::Region, Arc::new(Server(region)));
    if region.attach(request).is_err() {
        do_without(region);
    }
}

/// What the task does: until nothing waits. What an exit program has updated is committed before the next one is called.
pub fn run(task: &mut Task) -> Result<(), Raised> {
    let waiting = &Exits::of(task.region).waiting;
    loop {
        let next = waiting.lock().work.pop_front();
        let Some(work) = next else { return Ok(()) };
        work(Some(task));
        task.syncpoint()?;
    }
}

/// The task has ended well. What has been given since it found nothing more is for another.
fn go_on(region: &'static Region) {
    let mut waiting = Exits::of(region).waiting.lock();
    waiting.task = 0;
    waiting.is_served = !waiting.work.is_empty();
    let is_more = waiting.is_served;
    drop(waiting);
    if is_more {
        region.dispatcher.spawn_blocking(move || serve(region));
    }
}

/// There is no task, and another would fail too: does what waits, until nothing does.
fn do_without(region: &'static Region) {
    loop {
        let mut waiting = Exits::of(region).waiting.lock();
        if waiting.work.is_empty() {
            (waiting.is_served, waiting.task) = (false, 0);
            return;
        }
        let left = std::mem::take(&mut waiting.work);
        drop(waiting);
        left.into_iter().for_each(|work| work(None));
    }
}

/// The facility of the task.
struct Server(&'static Region);

impl Partner for Server {
    fn name(&self) -> Name4 {
        Name4::BLANK
    }

    fn user_id(&self) -> Name8 {
        self.0.default_user
    }

    fn task_started(&self, task: &Task) {
        Exits::of(self.0).waiting.lock().task = task.number;
    }

    fn task_ended(&self, _: &mut Task, failure: Option<&Message>) {
        match failure {
            None => go_on(self.0),
            Some(_) => do_without(self.0),
        }
    }

    fn task_restarts(&self) {}

    fn not_started(&self, _: &Message) {
        do_without(self.0);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
