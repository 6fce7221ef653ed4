//! Statistics records of transient data: for each queue, and for all together.

use super::intervals::INTERVAL_BYTES;
use super::{Queue, TransientData};
use csd::{AtiFacility, TdQueueType, TdRecovery};
use region::figures::{Reading, Record, RecordType, ResourceType, count};
use region::name::Name4;
use region::statistics::{Shown, shown};

pub(super) static QUEUES: RecordType = RecordType {
    of: ResourceType::TdQueue,
    one: |reading, name| TransientData::of(reading.region).find(Name4::new(name)).map(|queue| queue_record(reading, &queue)),
    names: |region| TransientData::of(region).names().iter().map(ToString::to_string).collect(),
    ..RecordType::NONE
};

pub(super) static ALL: RecordType =
    RecordType { of: ResourceType::TransientData, one: |reading, _| Some(all_queues(reading)), ..RecordType::NONE };

fn queue_record(reading: &Reading, queue: &Queue) -> Record {
    const FIELDS: Shown = &[
        ("TQRWRITE", "writes"),
        ("TQRREAD", "reads"),
        ("TQRDELET", "deletes"),
        ("TQRTRIGN", "triggers"),
        ("TQRCNITM", "items"),
        ("TQRPNITM", "items_peak"),
    ];
    let definition = queue.definition();
    let name = queue.name.to_string();
    let kind: u8 = match definition.queue_type {
        TdQueueType::Extrapartition => 1,
        TdQueueType::Intrapartition => 2,
        TdQueueType::Indirect => 3,
        TdQueueType::Remote => 4,
    };
    let recovery: u8 = match definition.recovery {
        TdRecovery::None => 1,
        TdRecovery::Physical => 2,
        TdRecovery::Logical => 3,
    };
    let facility: u8 = match definition.facility {
        AtiFacility::Terminal => 1,
        AtiFacility::System => 2,
        AtiFacility::File => 3,
    };
    let (intervals, intervals_peak) = TransientData::of(reading.region).intervals().of_queue(queue.name, reading.peaks);
    let record = shown(Record::new("DFHTQRDS", name.clone()), &queue.read_statistics(reading.peaks), FIELDS)
        .text("TQRQID", name.clone())
        .number("TQRCCIUS", intervals)
        .number("TQRPCIUS", intervals_peak)
        .number("TQRQTYPE", kind)
        .number("TQRTRIGL", definition.trigger_level)
        .number("TQRRTYPE", recovery)
        .number("TQRFTYPE", facility)
        .text("TQRFNAME", definition.facility_id.to_string())
        .text("TQRATRAN", definition.transid.to_string())
        .text("TQRRSYS", definition.remote_system.to_string())
        .text("TQRIQID", definition.indirect.to_string())
        .text("TQRDDNM", definition.ddname.to_string())
        .text("TQRDSNNM", definition.dataset.clone());
    record.signed(reading.region, "TQR", "TDQUEUE", &name)
}

fn all_queues(reading: &Reading) -> Record {
    let transient_data = &TransientData::of(reading.region);
    let figures = transient_data.intervals().statistics(reading.peaks);
    Record::new("DFHTQGDS", "")
        .number("TQGANBFA", figures.buffers)
        .number("TQGACNIU", figures.buffers_filled)
        .number("TQGAMXIU", figures.buffers_filled_peak)
        .number("TQGATNAL", figures.buffer_accesses)
        .number("TQGATNWT", figures.buffer_waits)
        .number("TQGACNWT", figures.buffer_waiting)
        .number("TQGAMXWT", figures.buffer_waiting_peak)
        .number("TQGACISZ", INTERVAL_BYTES)
        .number("TQGANCIS", figures.intervals)
        .number("TQGACTCI", figures.intervals_in_use)
        .number("TQGAMXCI", figures.intervals_in_use_peak)
        .number("TQGANOSP", count(&transient_data.counters.no_space))
        .number("TQGACTPT", figures.writes)
        .number("TQGACTGT", figures.reads)
        .number("TQGACTFT", figures.format_writes)
        .number("TQGACTIO", count(&transient_data.counters.errors))
        .number("TQGSNSTA", figures.strings)
        .number("TQGSTNAL", figures.string_accesses)
        .number("TQGSCNAL", figures.strings_in_use)
        .number("TQGSMXAL", figures.strings_in_use_peak)
        .number("TQGSTNWT", figures.string_waits)
        .number("TQGSCNWT", figures.string_waiting)
        .number("TQGSMXWT", figures.string_waiting_peak)
}
