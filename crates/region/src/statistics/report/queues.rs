//! Temporary storage and transient data queues in the statistics report.
//!
//! The names are those of DFHSTUP (Reference, "Temporary storage: Summary global statistics" and "Transient data: resource statistics"). What
//! they say of control intervals and buffers is not there: queues are in the store, which has neither.

use super::{Counters, number};
use crate::name::Name4;
use crate::region::Region;
use crate::resources::TdQueueType;
use std::fmt::Write as _;

/// Names of DFHSTUP and the counters behind them.
const TEMPORARY_STORAGE: [(&str, &str); 13] = [
    ("Put/Putq main storage requests", "put_requests_main"),
    ("Get/Getq main storage requests", "get_requests_main"),
    ("Current TSMAINLIMIT setting", "main_bytes_limit"),
    ("Times at TSMAINLIMIT", "times_at_main_limit"),
    ("Current storage used for TSMAINLIMIT", "main_bytes"),
    ("Peak storage used for TSMAINLIMIT", "main_bytes_peak"),
    ("Number of queues auto deleted", "queues_expired"),
    ("Count of clean up task runs", "expiry_scans"),
    ("Put/Putq auxiliary storage requests", "put_requests_auxiliary"),
    ("Get/Getq auxiliary storage requests", "get_requests_auxiliary"),
    ("Number of entries in longest queue", "longest_queue_items"),
    ("Times queues created", "queues_created"),
    ("Longest auxiliary temp storage record", "longest_auxiliary_item_bytes"),
];

pub(super) fn temporary_storage(region: &'static Region, text: &mut String) {
    let counters = Counters(region.temporary_storage.statistics());
    for (name, counter) in TEMPORARY_STORAGE {
        let _ = writeln!(text, "{name:.<44}:{:>16}", number(counters.get(counter)));
    }
    text.push('\n');
}

fn kind_of(queue_type: TdQueueType) -> &'static str {
    match queue_type {
        TdQueueType::Intrapartition => "Intrapartition",
        TdQueueType::Extrapartition => "Extrapartition",
        TdQueueType::Indirect => "Indirect",
        TdQueueType::Remote => "Remote",
    }
}

pub(super) fn transient_data(region: &'static Region, text: &mut String) {
    let heads = ["Writes", "Reads", "Deletes", "Triggers", "Current items", "Peak items"];
    let _ = writeln!(text, "{:10}{:16}{}", "Queue id", "Type", heads.iter().map(|head| format!("{head:>14}")).collect::<String>());
    for queue in region.transient_data.statistics() {
        let counters = Counters(queue);
        let name = &counters.0.name;
        let kind = region.transient_data.find(Name4::new(name)).map_or("", |queue| kind_of(queue.definition().queue_type));
        let values = ["writes", "reads", "deletes", "triggers", "items", "items_peak"].map(|counter| number(counters.get(counter)));
        let values: String = values.iter().map(|value| format!("{value:>14}")).collect();
        let _ = writeln!(text, "{name:10}{kind:16}{values}");
    }
    text.push('\n');
}
