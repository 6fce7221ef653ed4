//! The statistics record of the recovery manager.

use crate::Region;
use crate::figures::{Record, RecordType, ResourceType, count, nanoseconds};

pub(super) static RECORD: RecordType =
    RecordType { of: ResourceType::Recovery, one: |reading, _| Some(record(reading.region)), ..RecordType::NONE };

fn record(region: &Region) -> Record {
    let counters = &region.recovery().counters;
    let (shunted, shunted_for) = region.recovery().shunted_now();
    Record::new("DFHRMGDS", "")
        .number("RMGSYFWD", count(&counters.forward))
        .number("RMGSYBWD", count(&counters.backward))
        .number("RMGRESYN", count(&counters.resynchronizations))
        .number("RMGTSHIN", count(&counters.shunts_ended))
        .interval("RMGTSHTI", nanoseconds(&counters.shunted_nanoseconds))
        .number("RMGCSHIN", shunted)
        .interval("RMGCSHTI", shunted_for)
        .number("RMGIAFTR", count(&counters.forced_by_definition))
        .number("RMGIAFTI", count(&counters.forced_by_time))
        .number("RMGIAFOP", count(&counters.forced_by_operator))
}
