//! The statistics record of the enqueue domain.

use super::EnqueueManager;
use crate::Region;
use crate::figures::{Record, RecordType, ResourceType};

pub(super) static RECORD: RecordType =
    RecordType { of: ResourceType::Enqueue, one: |reading, _| Some(record(reading.region)), ..RecordType::NONE };

fn record(region: &Region) -> Record {
    let pools = EnqueueManager::of(region).statistics();
    let record = Record::new("DFHNQGDS", "").number("NQGNPOOL", pools.len() as u64);
    pools.into_iter().fold(record, |record, pool| {
        record.part(
            Record::new("NQGBODY", "")
                .text("NQGPOOL", pool.name)
                .number("NQGTNQSI", pool.issued)
                .number("NQGTNQSW", pool.waited)
                .interval("NQGTNQWT", pool.wait_time)
                .number("NQGCNQSW", pool.waiting)
                .interval("NQGCNQWT", pool.waiting_time)
                .number("NQGTIRJB", pool.refused_busy)
                .number("NQGTWPOP", pool.purged)
                .number("NQGTWPTO", pool.timed_out),
        )
    })
}
