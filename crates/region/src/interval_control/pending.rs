//! Pending requests.
use crate::recovery_manager::Decision;
use crate::region::Region;
use crate::transaction_manager::Task;

#[derive(Default)]
pub struct IntervalControl {}

impl IntervalControl {
    pub fn stop(&self, _region: &'static Region) {}
    pub fn statistics(&self) -> Vec<crate::statistics::ResourceStatistics> {
        Vec::new()
    }
}

pub(super) fn unit_of_work_ended(_task: &mut Task, _decision: Decision) {}
