//! The shutdown of the region: who requests it, its stages, and what makes it immediate.
//!
//! * this file: the stages, as described in "Normal shutdown" and "Immediate shutdown" of Recovery;
//! * `assist`: the shutdown assist transaction, which ends the tasks that hold up a shutdown.
//!
//! Invariants: only the first shutdown request is carried out; the shutdown does not wait for a task once it has been hastened; the domains
//! are stopped once, the store last.

pub mod assist;

use crate::name::Name8;
use crate::program_list::{self, Phase, ProgramList};
use crate::{Domain, Region, Stage, TASKS_LOOK_EVERY, Task};
use assist::{Assist, Intervals};
use kernel::{Stop, Wait};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "shutdown", slots: &[&IN_REGION], programs: &[("DFHCESD", assist::program)], ..Domain::NONE };

/// The time purged tasks have for their backout, and again as long after a message about those that are left.
const PURGE_TIME: Duration = Duration::from_secs(2);
/// Time for tasks that are attached while the last ones end.
const LAST_TASKS_TIME: Duration = Duration::from_secs(2);
/// A shutdown that waits longer reports the tasks it waits for.
const SILENT_TIME: Duration = Duration::from_secs(1);
/// Tasks that one message names.
const TASKS_NAMED_MAX: usize = 8;
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// A shutdown request.
pub struct Request {
    pub immediate: bool,
    /// Programs to run, in place of those of PLTSD.
    pub programs: Option<ProgramList>,
    pub assist: Assist,
    /// The requester: the assist transaction runs for the same user.
    pub user_id: Name8,
}

/// The domain's state.
#[derive(Default)]
pub struct Shutdown {
    immediate: AtomicBool,
    stopping: AtomicBool,
    intervals: OnceLock<Intervals>,
}

crate::region_part!(Shutdown);

impl Shutdown {
    /// How patient the assist transaction is.
    pub fn configure(&self, intervals: Intervals) {
        let first = self.intervals.set(intervals).is_ok();
        debug_assert!(first, "the intervals are set when the region starts");
    }

    fn intervals(&self) -> Intervals {
        self.intervals.get().cloned().unwrap_or_default()
    }

    /// The shutdown was requested with IMMEDIATE, or has become immediate.
    pub fn is_immediate(&self) -> bool {
        self.immediate.load(Ordering::Acquire)
    }
}

impl Region {
    /// Stops the region: user tasks end, the programs of PLTSD run, files close, the store is closed. An immediate shutdown purges the
    /// tasks at once. True if no task had to be purged. Called from any thread that is not a worker; a second call waits for the first, and
    /// hastens it if `immediate` is set.
    pub fn shutdown(&'static self, immediate: bool) -> bool {
        let assist = if immediate { Assist::None } else { Assist::Parameter };
        self.shutdown_as(Request { immediate, programs: None, assist, user_id: self.default_user })
    }

    /// Stops the region as the request says.
    pub fn shutdown_as(&'static self, request: Request) -> bool {
        // Before the wait for the end of the initialization, because the programs of PLTPI are not waited for either.
        if request.immediate && request.assist == Assist::None {
            self.hastened.store(true, Ordering::Release);
        }
        if !self.claim_shutdown() {
            if request.immediate {
                self.hasten_shutdown();
            }
            self.wait_until_stopped();
            return false;
        }
        Shutdown::of(self).immediate.store(request.immediate, Ordering::Release);
        self.quiesce(request.immediate);
        self.start_assist(&request);
        let programs = request.programs.or_else(|| self.program_list("PLTSD").ok()).filter(|_| !request.immediate);
        if let Some(programs) = &programs {
            program_list::run(self, &programs.first, Phase::WithResources);
        }
        let quiet = self.wait_for_user_tasks();
        if quiet && let Some(programs) = programs.filter(|programs| !programs.second.is_empty()) {
            self.enter(Stage::SecondQuiesce);
            program_list::run(self, &programs.second, Phase::SystemOnly);
        }
        self.stop() && quiet
    }

    /// PERFORM SHUTDOWN of a task: the programs run in that task (System programming, "General considerations when writing
    /// initialization and shutdown programs"), and the region stops when the task has ended. The caller ends it. `last` is what the
    /// task does when its programs have run.
    pub fn shutdown_by(&'static self, task: &mut Task, programs: ProgramList, assist: Assist, last: fn(&mut Task)) {
        let request = Request { immediate: false, programs: Some(programs), assist, user_id: task.user_id };
        // A program of PLTPI must end before the region can be shut down; one shutdown is enough.
        if self.stage() < Stage::Running || !self.claim_shutdown() {
            last(task);
            std::thread::spawn(move || self.shutdown_as(request));
            return;
        }
        self.quiesce(false);
        self.start_assist(&request);
        let Some(programs) = &request.programs else { return };
        if program_list::run_in(task, &programs.first, Phase::WithResources) && !programs.second.is_empty() {
            self.wait_for_tasks_beside(task);
            if !self.is_hastened() {
                self.enter(Stage::SecondQuiesce);
                program_list::run_in(task, &programs.second, Phase::SystemOnly);
            }
        }
        last(task);
        std::thread::spawn(move || {
            self.wait_for_user_tasks();
            self.stop()
        });
    }

    /// Makes a shutdown in progress immediate: its tasks are purged now.
    pub fn hasten_shutdown(&'static self) {
        Shutdown::of(self).immediate.store(true, Ordering::Release);
        self.hastened.store(true, Ordering::Release);
        self.stop();
    }

    /// No new work from here on.
    fn quiesce(&'static self, immediate: bool) {
        self.messages.send("DFHTM1700", &[("kind", if immediate { "IMMEDIATE" } else { "NORMAL" })]);
        let stopping = self.messages.send("DFHTM1715", &[]);
        self.transactions().quiesce();
        self.registry.each(|life| life.quiesce).for_each(|quiesce| quiesce(self, &stopping));
    }

    /// Ends the remaining tasks and everything else; true if none was left.
    fn stop(&'static self) -> bool {
        if Shutdown::of(self).stopping.swap(true, Ordering::AcqRel) {
            self.wait_until_stopped();
            return false;
        }
        let hastened = self.is_hastened();
        let quiet = !self.has_user_tasks();
        let immediate = Shutdown::of(self).is_immediate();
        self.registry.each(|life| life.ending).for_each(|ending| ending(self, immediate));
        let stopped = self.dispatcher.stop(if hastened { Stop::Immediate(PURGE_TIME) } else { Stop::Quiesce(LAST_TASKS_TIME) });
        if !stopped {
            let left = self.transactions().tasks().len().to_string();
            self.messages.send("DFHTM1748", &[("tasks", &left)]);
            self.dispatcher.stop(Stop::Immediate(PURGE_TIME));
        }
        let immediate = Shutdown::of(self).is_immediate();
        self.registry.each(|life| life.stop).for_each(|stop| stop(self, immediate));
        if let Err(error) = self.store.close() {
            tracing::error!(target: "region", %error, "the store did not close");
        }
        self.messages.send("DFHKE1799", &[]);
        self.enter(Stage::Stopped);
        quiet && stopped
    }

    /// Tasks that a shutdown waits for; the region's own tasks are excluded.
    pub(crate) fn user_tasks(&self) -> Vec<kernel::TaskRef> {
        self.dispatcher.task_references().into_iter().filter(|task| !task.is_system()).collect()
    }

    fn has_user_tasks(&self) -> bool {
        !self.user_tasks().is_empty()
    }

    /// Waits until the last of them has ended, without limit (Recovery, "First quiesce stage"). False if no task is to be waited for any
    /// more.
    fn wait_for_user_tasks(&self) -> bool {
        let begun = Instant::now();
        let mut told = false;
        while self.has_user_tasks() {
            if self.is_hastened() {
                return false;
            }
            if !told && begun.elapsed() > SILENT_TIME {
                told = true;
                self.tell_tasks_waited_for();
            }
            std::thread::sleep(LOOK_EVERY);
        }
        true
    }

    fn tell_tasks_waited_for(&self) {
        let tasks = self.user_tasks();
        self.messages.send("DFHTM1781", &[("count", &tasks.len().to_string()), ("tasks", &self.names_of(&tasks))]);
    }

    /// Some of the tasks, for a message.
    fn names_of(&self, tasks: &[kernel::TaskRef]) -> String {
        let named =
            |task: &kernel::TaskRef| match self.transactions().task(task.number()).and_then(|shared| shared.facility.terminal().cloned()) {
                Some(terminal) => format!("{} {} at {}", task.transaction(), task.number(), terminal.name()),
                None => format!("{} {}", task.transaction(), task.number()),
            };
        let mut names: Vec<String> = tasks.iter().take(TASKS_NAMED_MAX).map(named).collect();
        if tasks.len() > TASKS_NAMED_MAX {
            names.push("...".to_string());
        }
        names.join(", ")
    }

    /// The same for a task, which is not waited for.
    fn wait_for_tasks_beside(&self, task: &Task) {
        let others = || self.user_tasks().iter().any(|other| other.number() != task.number);
        let look_again = Wait { timeout: Some(TASKS_LOOK_EVERY), ..Wait::new("SHUTDOWN") };
        while others() && !self.is_hastened() && task.suspend(&look_again).is_ok() {}
    }
}
