//! Statistics records of files and LSR pools.

use super::{BUFFER_SIZES, BufferCounts, FileControl, FileResource};
use region::figures::{Reading, Record, RecordType, ResourceStatistics, ResourceType};
use region::name::Name8;
use region::statistics::{Shown, shown};

pub(super) static FILES: RecordType = RecordType {
    of: ResourceType::File,
    one: |reading, name| FileControl::of(reading.region).find(Name8::new(name)).map(|resource| file(reading, &resource)),
    names: |region| FileControl::of(region).names().iter().map(ToString::to_string).collect(),
    ..RecordType::NONE
};

/// All at once, because a reading that resets peaks must read each pool only once.
pub(super) static LSR_POOLS: RecordType = RecordType {
    of: ResourceType::LsrPool,
    one: |reading, name| lsr_pools(reading).into_iter().find(|pool| pool.name == name),
    all: Some(lsr_pools),
    ..RecordType::NONE
};

const FILE: Shown = &[
    ("A17DSRD", "get_requests"),
    ("A17DSGU", "get_update_requests"),
    ("A17DSBR", "browse_requests"),
    ("A17DSBRU", "browse_update_requests"),
    ("A17DSWRA", "add_requests"),
    ("A17DSWRU", "update_requests"),
    ("A17DSDEL", "delete_requests"),
    ("A17DSXCP", "data_excps"),
    ("A17DSIXP", "index_excps"),
    ("A17DSTSW", "string_waits"),
    ("A17DSHSW", "string_waits_peak"),
    ("A17DTRDS", "table_reads"),
    ("A17DTRNF", "table_source_reads"),
    ("A17DTAVR", "table_adds_by_load"),
    ("A17DTADS", "table_adds"),
    ("A17DTATF", "table_adds_full"),
    ("A17DTRWS", "table_rewrites"),
    ("A17DTDLS", "table_deletes"),
    ("A17DTSHI", "table_records_peak"),
    ("A17DTSIZ", "table_records"),
    ("A17STRNO", "strings"),
    ("A17POOL", "lsrpool"),
    ("A17DSASC", "strings_active"),
    ("A17FCXCC", "exclusive_control_waits"),
];

pub(super) fn file(reading: &Reading, file: &FileResource) -> Record {
    let region = reading.region;
    let definition = file.definition();
    let name = file.name.to_string();
    let (opened, closed) = file.times();
    let mut record = shown(Record::new("DFHA17DS", name.clone()), &file.read_statistics(reading.peaks), FILE)
        .text("A17FNAM", name.clone())
        .text("A17DSNAM", definition.dataset.clone())
        .number("A17DSDNB", definition.data_buffers)
        .number("A17DSINB", definition.index_buffers)
        .text("A17RNAME", definition.remote_name.to_string())
        .text("A17RSYS", definition.remote_system.to_string())
        .number("A17DSASW", file.string_waiters())
        .time_local("A17LOPNT", opened)
        .time_gmt("A17GOPNT", opened)
        .time_local("A17LCLST", closed)
        .time_gmt("A17GCLST", closed);
    if !definition.remote_system.is_blank() {
        record = record.text("A17FLOC", "R");
    }
    if definition.rls {
        record = record.text("A17DSRLS", "R");
    }
    if let Some(attributes) = file.attributes() {
        let kind = if attributes.path { "PATH" } else { attributes.organization.name() };
        record = record.text("A17DSNAM", attributes.data_set).text("A17DSTYP", kind);
        if attributes.path {
            record = record.text("A17BDSNM", attributes.base);
        }
    }
    record.signed(region, "A17_FILE", "FILE", &name)
}

/// Separate buffers for data and index.
const SEPARATE_BUFFERS: u8 = 0x80;

fn lsr_pools(reading: &Reading) -> Vec<Record> {
    let pools = FileControl::of(reading.region).pools.reports(reading.peaks);
    pools.into_iter().map(|(pool, buffers)| lsr_pool(&pool, &buffers)).collect()
}

pub(super) fn lsr_pool(pool: &ResourceStatistics, buffers: &[BufferCounts]) -> Record {
    const POOL: Shown = &[
        ("A08BKKYL", "key_length_max"),
        ("A08BKSTN", "strings"),
        ("A08BKHSW", "string_waits_peak"),
        ("A08BKTSW", "string_waits"),
        ("A08BKHAS", "strings_active_peak"),
    ];
    let separate = buffers.iter().any(|buffers| buffers.index);
    let mut record = shown(Record::new("DFHA08DS", pool.name.clone()), pool, POOL)
        .number("A08SRPID", pool.name.parse::<u64>().unwrap_or(0))
        .number("A08FLAGS", if separate { SEPARATE_BUFFERS } else { 0 });
    for (index, component) in [(false, "DATA"), (true, "INDX")] {
        let sum = |of: fn(&BufferCounts) -> u64| buffers.iter().filter(|each| each.index == index).map(of).sum::<u64>();
        record = record
            .number(&format!("A08TOBFN_{component}"), sum(|each| each.buffers.into()))
            .number(&format!("A08TOBFF_{component}"), sum(|each| each.lookasides))
            .number(&format!("A08TOFRD_{component}"), sum(|each| each.reads))
            .number(&format!("A08TOUIW_{component}"), sum(|each| each.user_writes));
    }
    // The eleven sizes for data, then for the index.
    for index in [false, true] {
        for size in BUFFER_SIZES {
            let part = Record::new("A08BSSDS", "").number("A08BKBSZ", size);
            let found = buffers.iter().find(|each| each.index == index && each.size == size);
            record = record.part(match found {
                None => part,
                Some(each) => part
                    .number("A08BKBFN", each.buffers)
                    .number("A08BKBFF", each.lookasides)
                    .number("A08BKFRD", each.reads)
                    .number("A08BKUIW", each.user_writes),
            });
        }
    }
    record
}
