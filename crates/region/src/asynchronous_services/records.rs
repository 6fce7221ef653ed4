//! The statistics record of asynchronous services.

use super::AsynchronousServices;
use crate::figures::{Reading, Record, RecordType, ResourceType, count};
use kernel::Peaks;

pub(super) static RECORD: RecordType =
    RecordType { of: ResourceType::AsynchronousServices, one: |reading, _| Some(record(reading)), ..RecordType::NONE };

fn record(reading: &Reading) -> Record {
    let services = AsynchronousServices::of(reading.region);
    let flow = &services.flow;
    let begins = matches!(reading.peaks, Peaks::Begin);
    Record::new("DFHASGDS", "")
        .number("ASG_RUN_COUNT", count(&services.runs))
        .number("ASG_FETCH_COUNT", count(&services.fetches))
        .number("ASG_FREE_COUNT", count(&services.frees))
        .number("ASG_RUN_DELAY_COUNT", count(&flow.delays))
        .number("ASG_PARENTS_DELAYED_CUR", flow.delayed.current())
        .number("ASG_PARENTS_DELAYED_PEAK", flow.delayed.peak(begins))
        .number("ASG_CHILDREN_CUR", flow.children.current())
        .number("ASG_CHILDREN_PEAK", flow.children.peak(begins))
}
