//! Transient data queues in the statistics report. The names are those of DFHSTUP (Reference, "Transient data: resource statistics").

use super::TransientData;
use csd::TdQueueType;
use region::Region;
use region::figures::Report;
use region::name::Name4;
use region::statistics::report::number;
use std::fmt::Write as _;

pub(super) fn write(region: &'static Region, report: &mut Report) {
    report.heading("Transient Data Queues");
    transient_data(region, &mut report.text);
}

fn kind_of(queue_type: TdQueueType) -> &'static str {
    match queue_type {
        TdQueueType::Intrapartition => "Intrapartition",
        TdQueueType::Extrapartition => "Extrapartition",
        TdQueueType::Indirect => "Indirect",
        TdQueueType::Remote => "Remote",
    }
}

fn transient_data(region: &'static Region, text: &mut String) {
    let heads = ["Writes", "Reads", "Deletes", "Triggers", "Current items", "Peak items"];
    let _ = writeln!(text, "{:10}{:16}{}", "Queue id", "Type", heads.iter().map(|head| format!("{head:>14}")).collect::<String>());
    for counters in TransientData::of(region).statistics() {
        let name = &counters.name;
        let kind = TransientData::of(region).find(Name4::new(name)).map_or("", |queue| kind_of(queue.definition().queue_type));
        let values = ["writes", "reads", "deletes", "triggers", "items", "items_peak"].map(|counter| number(counters.counter(counter)));
        let values: String = values.iter().map(|value| format!("{value:>14}")).collect();
        let _ = writeln!(text, "{name:10}{kind:16}{values}");
    }
    text.push('\n');
}
