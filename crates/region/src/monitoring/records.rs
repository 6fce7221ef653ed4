//! The statistics record of monitoring.

use crate::figures::{Reading, Record, RecordType, ResourceType};

pub(super) static RECORD: RecordType =
    RecordType { of: ResourceType::Monitor, one: |reading, _| Some(record(reading)), ..RecordType::NONE };

fn record(reading: &Reading) -> Record {
    let figures = reading.region.monitoring().statistics(reading.peaks);
    let average = figures.response_time.checked_div(figures.user_transactions as u32).unwrap_or_default();
    Record::new("DFHMNGDS", "")
        .number("MNGPR", figures.performance_records)
        .number("MNGUTNUM", figures.user_transactions_total)
        .number("MNGSTNUM", figures.system_transactions_total)
        .time_gmt("MNGGUTCL", figures.last_ended_at)
        .time_local("MNGLUTCL", figures.last_ended_at)
        .interval("MNGAUTRT", average)
        .interval("MNGPUTRT", figures.response_time_longest)
        .time_gmt("MNGGUTRT", figures.longest_at)
        .time_local("MNGLUTRT", figures.longest_at)
}
