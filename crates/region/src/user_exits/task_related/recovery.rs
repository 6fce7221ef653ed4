//! The resource manager of a task-related user exit in units of work.
//!
//! The exit program schedules the syncpoint manager after recoverable work (UEFMSYNC), and says in UEPSYNCA what the resource manager can do
//! ("Increasing efficiency: single-update and read-only protocols"):
//!
//! | unit of work | calls |
//! | --- | --- |
//! | read-only in this resource manager | UERTELUW |
//! | nothing else has changed, and UEPSUPDR is set | UERTONLY |
//! | otherwise | UERTPREP, then UERTCOMM or UERTBACK |
//! | the coordinator is lost, and the exit has INDOUBTWAIT | UERTPREP, UERTWAIT, and later UERTCOMM or UERTBACK in a task of its own |

use super::constants::{answer, byte, flag, function, operation};
use super::invoke::{Call, Called, invoke_for_region};
use super::{Tie, origin, resync};
use crate::name::Name8;
use crate::resource_manager::{Caller, Outcome};
use crate::user_exits::TaskState;
use crate::user_exits::table::{Exit, Switch};
use crate::{ExitArgument, Raised, ResourceManager, Task, Vote};
use std::sync::Arc;

/// The syncpoint manager's parameter list has ten entries.
const PARAMETERS: usize = 10;

/// The resource manager behind an exit.
pub struct TaskRelatedManager {
    exit: Arc<Exit>,
}

impl TaskRelatedManager {
    pub fn of(exit: &Arc<Exit>) -> Arc<dyn ResourceManager> {
        Arc::new(TaskRelatedManager { exit: exit.clone() })
    }

    /// Adds it to the unit of work of the task, if its exit program has scheduled the syncpoint manager.
    pub fn enlist_if_scheduled(task: &mut Task, exit: &Arc<Exit>) -> Result<(), Raised> {
        let tie = TaskState::of_mut(&mut task.parts).tie(exit);
        match tie {
            Some(tie) if tie.flags & flag::syncpoint() != 0 => task.enlist(&TaskRelatedManager::of(exit)),
            _ => Ok(()),
        }
    }

    fn tie<'a>(&self, task: &'a Task) -> Option<&'a Tie> {
        TaskState::of(&task.parts).ties.iter().find(|tie| Arc::ptr_eq(&tie.exit, &self.exit))
    }

    /// A call of the syncpoint manager for the unit of work of the task: the operation bytes.
    fn call(&self, task: &mut Task, first: u8, second: u8) -> Option<Called> {
        // A task without a program left is at its last syncpoint.
        let last = if task.levels.is_empty() { operation::last() } else { 0 };
        let mut list = vec![ExitArgument::Bytes(vec![0]); PARAMETERS];
        list[1..PARAMETERS - 1].fill(ExitArgument::Absent);
        list[0] = ExitArgument::bytes(&[first | last]);
        if last != 0 {
            let page = &task.region.code_page;
            let code = task.next_transaction.as_ref().map_or(vec![0; 4], |next| page.encode_name(&next.transid).to_vec());
            list[PARAMETERS - 2] = ExitArgument::Bytes(code);
        }
        list[PARAMETERS - 1] = ExitArgument::bytes(&[second]);
        let called = invoke_for_region(task, &self.exit, &mut Call::new(function::syncpoint(), list));
        called.filter(|called| called.code != 0 || second == operation::read_only() || first == operation::wait())
    }
}

impl ResourceManager for TaskRelatedManager {
    fn name(&self) -> Name8 {
        self.exit.key.entry
    }

    fn has_changed(&self, task: &Task, _unit: u64) -> bool {
        self.tie(task).is_none_or(|tie| tie.has_changed)
    }

    fn commits_alone(&self, task: &Task, _unit: u64) -> bool {
        self.tie(task).is_some_and(|tie| tie.synchronization & byte::single_update() != 0)
    }

    fn waits_in_doubt(&self) -> bool {
        self.exit.is_on(Switch::InDoubtWait)
    }

    fn prepare(&self, caller: &mut Caller, unit: u64) -> Vote {
        let Caller::Task(task) = caller else { return Vote::No };
        if !self.has_changed(task, unit) {
            self.call(task, 0, operation::read_only());
            return Vote::ReadOnly;
        }
        match self.call(task, operation::prepare(), 0) {
            Some(called) if called.code == answer::prepared() => {
                let qualifier = self.tie(task).map_or([0; 8], |tie| tie.qualifier);
                match origin::store(task, unit, self.name(), qualifier) {
                    Ok(()) => Vote::Prepared,
                    Err(_) => {
                        self.call(task, operation::back_out(), 0);
                        Vote::No
                    }
                }
            }
            _ => Vote::No,
        }
    }

    fn wait(&self, caller: &mut Caller, _unit: u64) {
        if let Caller::Task(task) = caller {
            self.call(task, operation::wait(), 0);
        }
    }

    fn commit_alone(&self, caller: &mut Caller, _unit: u64) -> Outcome {
        let Caller::Task(task) = caller else { return Outcome::Unknown };
        match self.call(task, 0, operation::only()) {
            Some(called) if called.code == answer::committed() => Outcome::Committed,
            Some(called) if called.code == answer::backed_out() => Outcome::BackedOut,
            _ => Outcome::Unknown,
        }
    }

    fn commit(&self, caller: &mut Caller, unit: u64) -> Outcome {
        let task = match caller {
            Caller::Task(task) => task,
            Caller::Thread(region) => {
                resync::attach(region, self.name(), unit, operation::commit() | operation::last());
                return Outcome::Unknown;
            }
        };
        match self.call(task, operation::commit(), 0) {
            Some(called) if called.code == answer::done() => {
                origin::forget(caller, unit, self.name());
                Outcome::Committed
            }
            _ => Outcome::Unknown,
        }
    }

    fn backout(&self, caller: &mut Caller, unit: u64) -> Outcome {
        let region = caller.region();
        region.recovery().hold_backout(unit, self.name());
        match caller {
            Caller::Task(task) => {
                if self.call(task, operation::back_out(), 0).is_some_and(|called| called.code == answer::done()) {
                    region.recovery().acknowledge(caller, unit, self.name());
                }
            }
            Caller::Thread(region) => resync::attach(region, self.name(), unit, operation::back_out() | operation::last()),
        }
        Outcome::BackedOut
    }

    fn outcome(&self, _caller: &mut Caller, _unit: u64) -> Outcome {
        Outcome::Unknown
    }

    /// It asks by RESYNC.
    fn prepared(&self, _caller: &mut Caller) -> Vec<u64> {
        Vec::new()
    }
}
