//! ENQ and DEQ.

use crate::exec_interface::Handler;
use exec::CommandId;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[]
}
use crate::transaction_manager::Task;
#[derive(Default)]
pub struct TaskState {}
#[derive(Default)]
pub struct EnqueueManager {}
impl EnqueueManager {
    pub fn install(&self, _definition: crate::resources::EnqModelDefinition) {}
}
pub fn participant() -> crate::recovery_manager::Participant {
    crate::recovery_manager::idle("enqueue")
}
pub fn task_ended(_task: &mut Task) {}
