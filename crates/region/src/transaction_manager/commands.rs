//! SUSPEND and CHANGE TASK.

use crate::{Arguments, Handler, Outcome, Task, raise, set_values};
use exec::resp2::task_control as resp2;
use exec::{CommandId, command, condition, option};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::SUSPEND, suspend), (command::CHANGE_TASK, change_task)]
}

fn suspend(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    if [option::ACQACTIVITY, option::ACQPROCESS, option::ACTIVITY].into_iter().any(|option| arguments.has(option)) {
        return raise(condition::ACTIVITYERR, resp2::NO_ACTIVITY);
    }
    task.give_way()
}

fn change_task(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let priority = set_values::attribute(arguments, option::PRIORITY, ("TRANSACTION", "PRIORITY"), resp2::PRIORITY)?;
    // Without PRIORITY, and with -1, nothing changes and control is not given up ("CHANGE TASK").
    if let Some(priority) = priority {
        task.kernel.set_priority(priority as u8);
        task.kernel.relinquish();
    }
    Ok(())
}
