//! The calls of task-related user exits at the start and the end of tasks, and at the end of the region.

use super::TaskRelatedManager;
use super::constants::{byte, flag, function};
use super::invoke::{Call, invoke_for_region};
use crate::extensions::{Observer, Verdict};
use crate::name::Name4;
use crate::user_exits::TaskState;
use crate::user_exits::system_task::TRANSACTION;
use crate::user_exits::table::{Exit, Exits, Switch};
use crate::{AttachRequest, ExitArgument, Outcome, Raised, Region, StartCode, TASKS_LOOK_EVERY, Task};
use exec::block::Block;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time that the exits of an immediate shutdown have.
const IMMEDIATE_TIME: Duration = Duration::from_secs(2);

/// Calls the exits with TASKSTART at the start of tasks. It is installed when one is first enabled.
pub struct TaskStarts;

impl TaskStarts {
    pub fn install(region: &'static Region) {
        if !Exits::of(region).sees_task_starts.swap(true, std::sync::atomic::Ordering::AcqRel) {
            region.extensions.observe(Arc::new(TaskStarts));
        }
    }
}

impl Observer for TaskStarts {
    fn before(&self, _task: &mut Task, _block: &mut Block) -> Verdict {
        Verdict::Execute
    }

    fn after(&self, _task: &mut Task, _block: &mut Block, _outcome: &mut Outcome) {}

    fn task_begins(&self, task: &mut Task) {
        if task.start_code == StartCode::System {
            return;
        }
        for exit in started(task.region, Switch::TaskStart) {
            let list = vec![ExitArgument::bytes(&[byte::start_of_task()])];
            invoke_for_region(task, &exit, &mut Call::new(function::task_manager(), list));
            // An exit may ask to be called by the syncpoint manager in every task. That fails only for a second last agent, which it is not.
            let _ = TaskRelatedManager::enlist_if_scheduled(task, &exit);
        }
    }
}

fn started(region: &Region, switch: Switch) -> impl Iterator<Item = Arc<Exit>> {
    Exits::of(region).all().into_iter().filter(move |exit| exit.is_started() && exit.is_on(switch))
}

/// The task has ended, and its unit of work: the exits that have scheduled the task manager are called.
pub fn end_task(task: &mut Task) {
    let is_scheduled = |tie: &&super::Tie| tie.flags & flag::task_manager() != 0;
    let exits: Vec<Arc<Exit>> = TaskState::of(&task.parts).ties.iter().filter(is_scheduled).map(|tie| tie.exit.clone()).collect();
    for exit in exits {
        let next = task.next_transaction.as_ref().map_or([0; 4], |next| task.region.code_page.encode_name(&next.transid));
        let list = vec![ExitArgument::bytes(&[byte::end_of_task()]), ExitArgument::bytes(&next)];
        invoke_for_region(task, &exit, &mut Call::new(function::task_manager(), list));
    }
}

/// User tasks have ended, unless the shutdown is immediate: a task calls the exits with SHUTDOWN.
pub fn end_region(region: &'static Region, immediate: bool) {
    if started(region, Switch::Shutdown).next().is_none() {
        return;
    }
    let mut request = AttachRequest::new(Name4::new(TRANSACTION), StartCode::System);
    request.commarea = vec![if immediate { byte::immediate() } else { byte::orderly() }];
    let Ok(number) = region.attach(request) else { return };
    let begun = Instant::now();
    while region.dispatcher.task_by_number(number).is_some() && !(region.is_hastened() && begun.elapsed() > IMMEDIATE_TIME) {
        std::thread::sleep(TASKS_LOOK_EVERY);
    }
}

/// What that task does.
pub fn terminate(task: &mut Task, code: u8) -> Result<(), Raised> {
    for exit in started(task.region, Switch::Shutdown) {
        let list = vec![ExitArgument::bytes(&[code])];
        invoke_for_region(task, &exit, &mut Call::new(function::termination(), list));
    }
    Ok(())
}
