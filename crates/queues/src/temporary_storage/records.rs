//! The statistics record of temporary storage.

use super::TemporaryStorage;
use region::figures::{Reading, Record, RecordType, ResourceType};
use region::statistics::{Shown, shown};

pub(super) static RECORD: RecordType =
    RecordType { of: ResourceType::TsQueue, one: |reading, _| Some(record(reading)), ..RecordType::NONE };

fn record(reading: &Reading) -> Record {
    const FIELDS: Shown = &[
        ("TSGSTA5F", "put_requests_main"),
        ("TSGNMG", "get_requests_main"),
        ("TSGSTA7F", "put_requests_auxiliary"),
        ("TSGNAG", "get_requests_auxiliary"),
        ("TSGQNUMH", "names_peak"),
        ("TSGQINH", "longest_queue_items"),
        ("TSGSTA3F", "queues_created"),
        ("TSGSTA8F", "times_auxiliary_exhausted"),
        ("TSGQNUM", "names"),
        ("TSGLAR", "longest_auxiliary_item_bytes"),
        ("TSGCSZ", "interval_bytes"),
        ("TSGSTABF", "writes_longer_than_interval"),
        ("TSGNCI", "intervals"),
        ("TSGNCIA", "intervals_in_use"),
        ("TSGNCIAH", "intervals_in_use_peak"),
        ("TSGNBCA", "buffers"),
        ("TSGBWTN", "buffer_waits"),
        ("TSGBUWT", "buffer_waiting"),
        ("TSGBUWTH", "buffer_waiting_peak"),
        ("TSGTWTN", "buffer_writes"),
        ("TSGTWTNR", "forced_writes"),
        ("TSGTRDN", "buffer_reads"),
        ("TSGTWTNF", "format_writes"),
        ("TSGNVCA", "strings"),
        ("TSGNVCAH", "strings_in_use_peak"),
        ("TSGVWTN", "string_waits"),
        ("TSGVUWT", "string_waiting"),
        ("TSGVUWTH", "string_waiting_peak"),
        ("TSGSTAAF", "auxiliary_errors"),
        ("TSGSTA9F", "compressions"),
        ("TSGNAVB", "interval_bytes_available"),
        ("TSGSPCI", "interval_segments"),
        ("TSGBPSEG", "segment_bytes"),
        ("TSGSHPDF", "shared_pools"),
        ("TSGSHPCN", "shared_pools_connected"),
        ("TSGSHRDS", "shared_reads"),
        ("TSGSHWTS", "shared_writes"),
        ("TSGTSLHT", "times_at_main_limit"),
        ("TSGTSMLM", "main_bytes_limit"),
        ("TSGTSMUS", "main_bytes"),
        ("TSGTSMAX", "main_bytes_peak"),
        ("TSGTSQDL", "queues_expired"),
        ("TSGTSCTR", "expiry_scans"),
    ];
    shown(Record::new("DFHTSGDS", ""), &TemporaryStorage::of(reading.region).read_statistics(reading.peaks), FIELDS)
}
