//! INQUIRE and SET.

use crate::exec_interface::Handler;
use exec::CommandId;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[]
}

/// Browses in progress of a task.
#[derive(Default)]
pub struct TaskState {}
