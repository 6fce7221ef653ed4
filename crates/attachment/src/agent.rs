//! The database in units of work: the last agent of the recovery manager.
//!
//! | the unit of work changed | how it is committed |
//! | --- | --- |
//! | nothing in a database | the region commits, then the transactions of the databases are ended |
//! | only one database | one commit of that database, nothing in the log |
//! | both | the region's changes are prepared in the log; the database commits with a marker row, and that decides |
//!
//! Where other databases (locations) were changed too, they prepare their parts before the region's database decides, and commit them after
//! it. If the answer to a commit is lost, the unit of work waits until the database can be asked ([`crate::housekeeping`]).

use crate::Attachment;
use crate::connection;
use crate::locations;
use crate::parts::Parts;
use crate::session::Session;
use crate::statement::{Held, TaskState, leave};
use crate::waiting::TaskWait;
use db2::{CommitFailure, UnitOfWorkMarker};
use kernel::Mode;
use kernel::name::Name8;
use region::resource_manager::{Caller, Outcome};
use region::{Decision, Region, ResourceManager, Task, Vote};
use std::time::Instant;

/// The name of the resource manager, as INQUIRE UOWLINK and messages have it.
pub const NAME: &str = "DB2";

pub struct Agent;

impl ResourceManager for Agent {
    fn name(&self) -> Name8 {
        Name8::new(NAME)
    }

    fn is_last_agent(&self) -> bool {
        true
    }

    fn has_changed(&self, task: &Task, _unit: u64) -> bool {
        let own = TaskState::of(&task.parts);
        own.is_lost || own.held.as_ref().is_some_and(|held| held.session.thread.has_changed())
    }

    fn prepare(&self, _caller: &mut Caller, _unit: u64) -> Vote {
        Vote::No
    }

    fn commit(&self, caller: &mut Caller, unit: u64) -> Outcome {
        match caller {
            Caller::Task(task) => commit(task, unit, true),
            Caller::Thread(_) => Outcome::Unknown,
        }
    }

    fn commit_alone(&self, caller: &mut Caller, unit: u64) -> Outcome {
        match caller {
            Caller::Task(task) => commit(task, unit, false),
            Caller::Thread(_) => Outcome::Unknown,
        }
    }

    fn backout(&self, caller: &mut Caller, _unit: u64) -> Outcome {
        if let Caller::Task(task) = caller {
            back_out(task);
        }
        Outcome::BackedOut
    }

    fn outcome(&self, caller: &mut Caller, unit: u64) -> Outcome {
        let region = caller.region();
        let answer = match Attachment::of(region).housekeeper.lock().as_mut() {
            Some(housekeeper) => housekeeper.outcome(region.applid.as_str(), unit),
            None => return Outcome::Unknown,
        };
        match answer {
            Ok(outcome) => {
                let said = if outcome == Outcome::Committed { "committed" } else { "backed out" };
                connection::tell(region, "DFHDB2110", &[("unit", &format!("{unit:016X}")), ("outcome", said)]);
                outcome
            }
            Err(error) => {
                tracing::error!(target: "region::db2", %error, unit, "the outcome of a unit of work cannot be asked for");
                Outcome::Unknown
            }
        }
    }

    fn forget(&self, region: &'static Region, unit: u64) {
        connection::forget(region, unit);
    }

    /// The database itself holds nothing prepared; locations do.
    fn prepared(&self, caller: &mut Caller) -> Vec<u64> {
        locations::connected(caller.region());
        Vec::new()
    }
}

/// Runs the end of a unit of work on L8, as statements do. The task has a TCB of that mode, so the change does not wait.
fn on_l8<R>(task: &mut Task, work: impl FnOnce(&mut Task) -> R) -> R {
    let before = task.kernel.change_mode(Mode::L8);
    let begun = Instant::now();
    let result = work(task);
    let time = begun.elapsed();
    task.performance.rmi_db2.add(time);
    task.performance.rmi_total.add(time);
    task.performance.resource_manager_time.add(time);
    if let Ok(before) = before {
        // Going back to where it was needs no TCB that the task does not have.
        let _ = task.kernel.change_mode(before);
    }
    result
}

fn protected_wait(task: &Task) -> TaskWait {
    TaskWait::protected(task.kernel.clone(), Attachment::of(task.region).poller())
}

/// `decides`: the region's own changes wait for the decision.
fn commit(task: &mut Task, unit: u64, decides: bool) -> Outcome {
    let own = TaskState::of_mut(&mut task.parts);
    if own.is_lost {
        return Outcome::BackedOut;
    }
    let Some(mut held) = own.held.take() else { return Outcome::Committed };
    let region = task.region;
    let has_parts = held.session.thread.has_parts(decides);
    if has_parts {
        Parts::of(region).begin(unit);
    }
    let (outcome, held) = on_l8(task, |task| {
        let mut wait = protected_wait(task);
        let outcome = match commit_thread(&mut held.session.thread, marker(region, unit, decides, has_parts).as_ref(), decides, &mut wait) {
            Ok(()) => Outcome::Committed,
            Err(CommitFailure::BackedOut(_)) => Outcome::BackedOut,
            Err(CommitFailure::Lost) => Outcome::Unknown,
        };
        if !wait.waited.is_zero() {
            task.performance.resource_manager_suspend.add(wait.waited);
        }
        (outcome, held)
    });
    let is_marked = held.session.thread.report().is_marked;
    {
        let mut state = Attachment::of(region).state.lock();
        let counters = &mut state.threads(held.group).counters;
        match (outcome, is_marked) {
            (Outcome::Committed, true) => counters.commits += 1,
            (Outcome::Committed, false) => counters.single_phase += 1,
            _ => counters.aborts += 1,
        }
    }
    if has_parts {
        locations::commit_ended(region, unit, held.session.thread.report());
    }
    if outcome == Outcome::Committed && is_marked && !decides {
        // The region knows nothing of the row.
        connection::forget(region, unit);
    }
    if outcome == Outcome::Unknown || held.session.thread.is_broken() {
        // Its unit of work may still end either way, so nobody else uses the session.
        leave(task, held.group, held.calls, None);
        connection::verify(region);
    } else {
        TaskState::of_mut(&mut task.parts).held = Some(held);
    }
    outcome
}

fn marker(region: &'static Region, unit: u64, decides: bool, has_parts: bool) -> Option<UnitOfWorkMarker> {
    let origin = if has_parts { Parts::of(region).origin() } else { String::new() };
    let name = || region.applid.as_str().trim_end().to_string();
    (decides || has_parts).then(|| UnitOfWorkMarker { region: name(), unit, origin })
}

fn commit_thread(
    thread: &mut db2::Thread,
    marker: Option<&UnitOfWorkMarker>,
    decides: bool,
    wait: &mut TaskWait,
) -> Result<(), CommitFailure> {
    match marker {
        Some(marker) if !decides => thread.commit_alone(marker, wait),
        marker => thread.commit(marker, wait),
    }
}

fn back_out(task: &mut Task) {
    let Some(mut held) = TaskState::of_mut(&mut task.parts).held.take() else { return };
    let (ended, held) = on_l8(task, |task| {
        let mut wait = protected_wait(task);
        (held.session.thread.rollback(&mut wait), held)
    });
    Attachment::of(task.region).state.lock().threads(held.group).counters.aborts += 1;
    if ended.is_err() {
        // The server ends the unit of work of a session that is gone.
        leave(task, held.group, held.calls, None);
        connection::verify(task.region);
    } else {
        TaskState::of_mut(&mut task.parts).held = Some(held);
    }
}

/// The unit of work has ended. A thread goes back, if the task has a terminal or NONTERMREL says so and nothing is held over the end.
pub fn ended(task: &mut Task, _decision: Decision) {
    let own = TaskState::of_mut(&mut task.parts);
    own.is_lost = false;
    own.is_refused = false;
    let Some(held) = &mut own.held else { return };
    held.enlisted = false;
    let keeps = held.session.thread.holds_over_commit();
    let releases = task.facility.terminal().is_some() || {
        let state = Attachment::of(task.region).state.lock();
        state.connection.as_ref().is_none_or(|connection| connection.non_terminal_release)
    };
    if releases && !keeps {
        release(task);
    }
}

/// The task has ended.
pub fn task_ended(task: &mut Task) {
    release(task);
    if let Some(group) = TaskState::of_mut(&mut task.parts).counted.take() {
        Attachment::of(task.region).state.lock().threads(group).tasks.fall();
    }
}

fn release(task: &mut Task) {
    let Some(Held { mut session, group, calls, .. }) = TaskState::of_mut(&mut task.parts).held.take() else { return };
    let session = reset(&mut session).then_some(session);
    leave(task, group, calls, session);
}

/// Makes a session ready for another user; false if it cannot be.
fn reset(session: &mut Session) -> bool {
    session.thread.reset().is_ok()
}
