//! The shutdown assist transaction: SDTRAN, CESD and its program DFHCESD.
//!
//! It ends the tasks that a shutdown waits for, with stronger means at each step, as the topic "Shutdown assist program (DFHCESD)"
//! describes: a normal purge, then the end of all sessions, then an immediate shutdown. It counts the tasks in intervals, and goes to the
//! next step only when their number has not gone down over eight of these samples, four if the shutdown is immediate. A normal shutdown
//! gives the tasks two minutes before the first sample.
//!
//! It is a system task, so a shutdown does not wait for it.

use super::{Region, Request};
use crate::name::Name4;
use crate::{AttachRequest, Raised, StartCode, Task};
use kernel::{Purge, Resumed, Wait};
use std::time::{Duration, Instant};

/// The assist transaction of a shutdown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assist {
    /// The value of the system initialization parameter SDTRAN.
    Parameter,
    /// SDTRAN of the request.
    Transaction(Name4),
    /// NOSDTRAN: tasks have unlimited time; those of an immediate shutdown have none.
    None,
}

/// How patient DFHCESD is. A site with other wishes changes its source; here they are settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Intervals {
    /// The time for tasks before the first sample of a normal shutdown.
    pub wait: Duration,
    /// From one sample to the next.
    pub sample: Duration,
}

impl Default for Intervals {
    fn default() -> Self {
        Self { wait: Duration::from_secs(120), sample: Duration::from_secs(2) }
    }
}

/// Samples without progress before the next step.
const SAMPLES_NORMAL: u32 = 8;
const SAMPLES_IMMEDIATE: u32 = 4;
/// How soon the program notices that no task is left.
const NOTICE_WITHIN: Duration = Duration::from_millis(50);

impl Region {
    /// The transaction to start; `None` if the shutdown has none.
    fn assist_transaction(&self, assist: Assist) -> Option<Name4> {
        match assist {
            Assist::None => None,
            Assist::Transaction(name) => Some(name),
            Assist::Parameter => Some(self.sit.get("SDTRAN")).filter(|name| !name.eq_ignore_ascii_case("NO")).map(Name4::new),
        }
    }

    /// Starts it. If that fails, the shutdown waits for the user tasks without limit; the message gives the reason.
    pub(super) fn start_assist(&'static self, request: &Request) {
        let Some(name) = self.assist_transaction(request.assist) else { return };
        let mut attach = AttachRequest::new(name, StartCode::System);
        attach.user_id = request.user_id;
        // A refusal has been told in a message.
        let _ = self.attach(attach);
    }
}

/// The steps after the first, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Purge,
    EndSessions,
    Immediate,
}

/// DFHCESD.
pub fn program(task: &mut Task) -> Result<(), Raised> {
    let region = task.region;
    let immediate = super::Shutdown::of(region).is_immediate();
    if !region.transactions().is_quiescing() {
        // The transaction was started by hand: there is no shutdown to assist.
        tell(task, "there is no shutdown to assist");
        return Ok(());
    }
    let (kind, samples) = if immediate { ("IMMEDIATE", SAMPLES_IMMEDIATE) } else { ("NORMAL", SAMPLES_NORMAL) };
    tell(task, &format!("shutdown assist transaction {} starts. The shutdown is {kind}", task.transid));
    if !immediate && !is_needed_after(task, super::Shutdown::of(region).intervals().wait) {
        return Ok(());
    }
    for step in [Step::Purge, Step::EndSessions, Step::Immediate] {
        if !wait_without_progress(task, samples) {
            return Ok(());
        }
        take(task, step);
    }
    Ok(())
}

/// Samples until the number of tasks has not decreased for that many samples. False if the program is no longer needed.
fn wait_without_progress(task: &Task, samples_max: u32) -> bool {
    let region = task.region;
    let (mut fewest, mut samples) = (region.user_tasks().len(), 0);
    while samples < samples_max {
        if !is_needed_after(task, super::Shutdown::of(region).intervals().sample) {
            return false;
        }
        let now = region.user_tasks().len();
        (fewest, samples) = if now < fewest { (now, 0) } else { (fewest, samples + 1) };
    }
    true
}

/// Waits. False if no user task is left, or the region is stopped without the program's help.
fn is_needed_after(task: &Task, time: Duration) -> bool {
    let until = Instant::now() + time;
    loop {
        if task.region.user_tasks().is_empty() {
            return false;
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        let wait = Wait::new("SHUTDOWN").timeout(left.min(NOTICE_WITHIN));
        if matches!(task.kernel.suspend(&wait), Resumed::Purged(_)) {
            return false;
        }
    }
}

fn take(task: &Task, step: Step) {
    let region = task.region;
    match step {
        Step::Purge => {
            let left = region.user_tasks();
            tell(task, &format!("tasks are purged: {}", region.names_of(&left)));
            for task in left {
                task.purge(Purge::Purge);
            }
        }
        Step::EndSessions => {
            tell(task, "the sessions of all terminals are ended");
            region.terminals.end_sessions();
        }
        Step::Immediate => {
            tell(task, "the shutdown becomes immediate");
            std::thread::spawn(move || region.hasten_shutdown());
        }
    }
}

fn tell(task: &Task, text: &str) {
    task.region.messages.send("DFHCESD", &[("text", text)]);
}
