//! The end of a region.

use super::{Region, Stage, TASKS_LOOK_EVERY};
use crate::program_list::{self, Phase, ProgramList};
use crate::transaction_manager::Task;
use kernel::{Stop, Wait};
use std::time::Duration;

/// Longest time user tasks have to end in a normal shutdown.
const QUIESCE_TIME: Duration = Duration::from_secs(30);

impl Region {
    /// Blocks the calling thread (never a task's) until a shutdown, whoever asked for it, has finished.
    pub fn wait_until_stopped(&self) {
        let mut stage = self.stage.lock();
        while *stage != Stage::Stopped {
            self.stage_changed.wait(&mut stage);
        }
    }

    /// Stops the region: user tasks end, the programs of PLTSD run, files close, the store is closed. True if no task had to be purged.
    /// From any thread that is not a worker; a second call waits for the first, and makes it immediate if it asks for that.
    pub fn shutdown(&'static self, immediate: bool) -> bool {
        let programs = self.program_list("PLTSD").ok().filter(|_| !immediate);
        self.shutdown_with(programs)
    }

    /// Stops the region; without programs, at once.
    pub fn shutdown_with(&'static self, programs: Option<ProgramList>) -> bool {
        if !self.claim_shutdown() {
            if programs.is_none() {
                self.dispatcher.stop(Stop::Immediate(Duration::from_secs(2)));
            }
            self.wait_until_stopped();
            return false;
        }
        self.quiesce(programs.is_none());
        if let Some(programs) = &programs {
            program_list::run(self, &programs.first, Phase::WithResources);
            if !programs.second.is_empty() {
                self.wait_for_user_tasks();
                self.enter(Stage::SecondQuiesce);
                program_list::run(self, &programs.second, Phase::SystemOnly);
            }
        }
        self.stop(programs.is_none())
    }

    /// PERFORM SHUTDOWN of a task: the programs run in that task (System programming, "General considerations when writing
    /// initialization and shutdown programs"), and the region stops when the task has ended. The caller ends it.
    pub fn shutdown_by(&'static self, task: &mut Task, programs: ProgramList) {
        // A program of PLTPI must end before there is anything to shut down; one shutdown is enough.
        if self.stage() < Stage::Running || !self.claim_shutdown() {
            std::thread::spawn(move || self.shutdown_with(Some(programs)));
            return;
        }
        self.quiesce(false);
        if program_list::run_in(task, &programs.first, Phase::WithResources) && !programs.second.is_empty() {
            self.wait_for_tasks_beside(task);
            self.enter(Stage::SecondQuiesce);
            program_list::run_in(task, &programs.second, Phase::SystemOnly);
        }
        std::thread::spawn(move || self.stop(false));
    }

    /// True for the first who asks for a shutdown; waits for the end of the initialization.
    fn claim_shutdown(&self) -> bool {
        let mut stage = self.stage.lock();
        // A program of PLTPI may ask for it.
        while *stage < Stage::Running {
            self.stage_changed.wait(&mut stage);
        }
        let first = *stage == Stage::Running;
        if first {
            *stage = Stage::FirstQuiesce;
        }
        first
    }

    /// No new work from here on.
    fn quiesce(&'static self, immediate: bool) {
        self.messages.send("DFHTM1700", &[("kind", if immediate { "IMMEDIATE" } else { "NORMAL" })]);
        let stopping = self.messages.send("DFHTM1715", &[]);
        self.transactions.quiesce();
        self.registry.each(|life| life.quiesce).for_each(|quiesce| quiesce(self, &stopping));
    }

    /// Ends the tasks that are left and everything else; true if no task had to be purged.
    fn stop(&'static self, immediate: bool) -> bool {
        let wait = if immediate { Duration::from_secs(2) } else { QUIESCE_TIME };
        let quiet = self.dispatcher.stop(if immediate { Stop::Immediate(wait) } else { Stop::Quiesce(wait) });
        if !quiet {
            let left = self.transactions.tasks().len().to_string();
            self.messages.send("DFHTM1748", &[("tasks", &left)]);
            self.dispatcher.stop(Stop::Immediate(Duration::from_secs(5)));
        }
        self.registry.each(|life| life.stop).for_each(|stop| stop(self, immediate));
        if let Err(error) = self.store.close() {
            tracing::error!(target: "region", %error, "the store did not close");
        }
        self.messages.send("DFHKE1799", &[]);
        self.enter(Stage::Stopped);
        quiet
    }

    /// Until the last of them has ended or their time is over.
    fn wait_for_user_tasks(&self) {
        let until = std::time::Instant::now() + QUIESCE_TIME;
        while !self.transactions.tasks().is_empty() && std::time::Instant::now() < until {
            std::thread::sleep(TASKS_LOOK_EVERY);
        }
    }

    /// The same for a task, which is not waited for.
    fn wait_for_tasks_beside(&self, task: &Task) {
        let until = std::time::Instant::now() + QUIESCE_TIME;
        let others = || self.transactions.tasks().iter().any(|other| other.number != task.number);
        let look_again = Wait { timeout: Some(TASKS_LOOK_EVERY), ..Wait::new("SHUTDOWN") };
        while others() && std::time::Instant::now() < until && task.suspend(&look_again).is_ok() {}
    }
}
