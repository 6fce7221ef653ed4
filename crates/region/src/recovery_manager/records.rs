//! The statistics record of the recovery manager.

use crate::Region;
use crate::figures::{Record, RecordType, ResourceType};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(super) static RECORD: RecordType =
    RecordType { of: ResourceType::Recovery, one: |reading, _| Some(record(reading.region)), ..RecordType::NONE };

fn get(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

fn nanoseconds(counter: &AtomicU64) -> Duration {
    Duration::from_nanos(get(counter))
}

fn record(region: &Region) -> Record {
    let counters = &region.recovery().counters;
    let (shunted, shunted_for) = region.recovery().shunted_now();
    Record::new("DFHRMGDS", "")
        .number("RMGSYFWD", get(&counters.forward))
        .number("RMGSYBWD", get(&counters.backward))
        .number("RMGRESYN", get(&counters.resynchronizations))
        .number("RMGTSHIN", get(&counters.shunts_ended))
        .interval("RMGTSHTI", nanoseconds(&counters.shunted_nanoseconds))
        .number("RMGCSHIN", shunted)
        .interval("RMGCSHTI", shunted_for)
        .number("RMGIAFTR", get(&counters.forced_by_definition))
        .number("RMGIAFTI", get(&counters.forced_by_time))
        .number("RMGIAFOP", get(&counters.forced_by_operator))
}
