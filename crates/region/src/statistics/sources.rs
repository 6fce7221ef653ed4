//! The records of the resource types: from the counters their owners keep.
//!
//! A field that is not given here has no value in this region: it is zero or blank.

use super::record::Record;
use super::{Reading, ResourceStatistics};
use crate::file_control::FileControl;
use crate::file_control::FileResource;
use crate::journaling::Journaling;
use crate::name::{Name4, Name8};
use crate::region::Region;
use crate::resources::{AtiFacility, TdQueueType, TdRecovery, TransactionDefinition};
use crate::temporary_storage::TemporaryStorage;
use crate::transient_data::Queue;
use crate::transient_data::TransientData;
use exec::cvda;
use kernel::storage::{Dsa, DsaStatistics, Line};
use std::sync::atomic::Ordering;

/// Names of counters and the fields that show them.
type Shown = &'static [(&'static str, &'static str)];

fn shown(record: Record, from: &ResourceStatistics, fields: Shown) -> Record {
    let value = |counter: &str| from.counters.iter().find(|(name, _)| *name == counter).map_or(0, |(_, value)| *value);
    record.numbers(fields.iter().map(|(field, counter)| (*field, value(counter))))
}

/// The resource signature, as INQUIRE shows it.
fn signed(record: Record, region: &Region, prefix: &str, resource: &'static str, name: &str) -> Record {
    let group = region.installed.read().get(resource, name).map(|definition| definition.group.clone()).unwrap_or_default();
    let user = region.default_user.to_string();
    let field = |suffix: &str| format!("{prefix}_{suffix}");
    record
        .text(&field("DEFINE_SOURCE"), group)
        .time_local(&field("CHANGE_TIME"), Some(region.started_at()))
        .text(&field("CHANGE_USERID"), user.clone())
        .number(&field("CHANGE_AGENT"), cvda::CSDBATCH as u64)
        .number(&field("INSTALL_AGENT"), cvda::GRPLIST as u64)
        .time_local(&field("INSTALL_TIME"), Some(region.started_at()))
        .text(&field("INSTALL_USERID"), user)
}

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

pub fn file(reading: &Reading, file: &FileResource) -> Record {
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
        let kind = if attributes.path { "PATH" } else { attributes.organisation.name() };
        record = record.text("A17DSNAM", attributes.data_set).text("A17DSTYP", kind);
        if attributes.path {
            record = record.text("A17BDSNM", attributes.base);
        }
    }
    signed(record, region, "A17_FILE", "FILE", &name)
}

/// Separate buffers for data and index.
const SEPARATE_BUFFERS: u8 = 0x80;

pub fn lsr_pools(reading: &Reading) -> Vec<Record> {
    let pools = FileControl::of(reading.region).pools.reports(reading.peaks);
    pools.into_iter().map(|(pool, buffers)| lsr_pool(&pool, &buffers)).collect()
}

pub fn lsr_pool(pool: &ResourceStatistics, buffers: &[crate::file_control::BufferCounts]) -> Record {
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
        let sum =
            |of: fn(&crate::file_control::BufferCounts) -> u64| buffers.iter().filter(|each| each.index == index).map(of).sum::<u64>();
        record = record
            .number(&format!("A08TOBFN_{component}"), sum(|each| each.buffers.into()))
            .number(&format!("A08TOBFF_{component}"), sum(|each| each.lookasides))
            .number(&format!("A08TOFRD_{component}"), sum(|each| each.reads))
            .number(&format!("A08TOUIW_{component}"), sum(|each| each.user_writes));
    }
    // The eleven sizes for data, then for the index.
    for index in [false, true] {
        for size in crate::file_control::BUFFER_SIZES {
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

pub fn temporary_storage(reading: &Reading) -> Record {
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

pub fn td_queue(reading: &Reading, queue: &Queue) -> Record {
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
    signed(record, reading.region, "TQR", "TDQUEUE", &name)
}

pub fn transaction_manager(reading: &Reading) -> Record {
    let figures = &reading.dispatcher().max_tasks;
    let at_limit = figures.active_current >= figures.limit;
    Record::new("DFHXMGDS", "")
        .number("XMGNUM", figures.attaches_user + figures.attaches_system)
        .number("XMGMXT", figures.limit)
        .number("XMGCAT", figures.active_current)
        .number("XMGCQT", figures.queued_current)
        .number("XMGTAMXT", figures.at_limit)
        .number("XMGPAT", figures.active_peak)
        .number("XMGPQT", figures.queued_peak)
        .number("XMGTAT", figures.attaches_user)
        .number("XMGTDT", figures.queued_total)
        .interval("XMGTQTME", figures.queue_time_total)
        .interval("XMGCQTME", figures.queue_time_current)
        .number("XMGTNUM", reading.region.statistics.transactions_before())
        .time_gmt("XMGGSMXT", figures.limit_set_at)
        .time_local("XMGLSMXT", figures.limit_set_at)
        .time_gmt("XMGGAMXT", figures.limit_reached_at)
        .time_local("XMGLAMXT", figures.limit_reached_at)
        .number("XMGATMXT", u8::from(at_limit))
}

pub fn transaction(region: &Region, name: Name4) -> Option<Record> {
    let transaction = region.transactions.find(name)?;
    let definition = transaction.definition();
    let TransactionDefinition { name, .. } = *definition;
    let yes = |on: bool| if on { "Y" } else { "N" };
    let record = Record::new("DFHXMRDS", name.to_string())
        .text("XMRTI", name.to_string())
        .text("XMRPN", definition.program.to_string())
        .text("XMRTCL", definition.tranclass.to_string())
        .text("XMRRNAM", definition.remote_name.to_string())
        .text("XMRRSYS", definition.remote_system.to_string())
        .number("XMRPRTY", definition.priority)
        .text("XMRDYN", yes(definition.dynamic))
        .number("XMRAC", transaction.attaches.load(Ordering::Relaxed))
        .number("XMRRC", transaction.restarts.load(Ordering::Relaxed))
        .number("XMRAENDC", transaction.abends.load(Ordering::Relaxed))
        .number("XMRITOV", definition.indoubt_wait_minutes)
        .text("XMRIWTOP", yes(definition.indoubt_wait))
        .text("XMRIACTN", if definition.indoubt_commit { "C" } else { "B" });
    Some(signed(record, region, "XMR_TRAN", "TRANSACTION", name.as_str()))
}

pub fn transaction_class(reading: &Reading, name: Name8) -> Option<Record> {
    let region = reading.region;
    let class = region.transactions.class(name)?;
    let statistics = reading.dispatcher();
    let transactions = region.transactions.names().into_iter().filter_map(|name| region.transactions.find(name));
    let members = transactions.filter(|transaction| transaction.definition().tranclass == name).count() as u64;
    let record = Record::new("DFHXMCDS", name.to_string())
        .text("XMCTCL", name.to_string())
        .number("XMCMXT", class.active_max)
        .number("XMCTH", class.purge_threshold)
        .number("XMCITD", members);
    let record = match statistics.classes.iter().find(|figures| figures.name == name) {
        None => record,
        Some(figures) => record
            .number("XMCTAT", figures.attaches)
            .number("XMCPI", figures.purged_at_once)
            .number("XMCTQ", figures.queued_total)
            .number("XMCAI", figures.accepted_at_once)
            .number("XMCAAQ", figures.queued_total.saturating_sub(figures.purged_queued))
            .number("XMCPWQ", figures.purged_queued)
            .number("XMCPAT", figures.active_peak)
            .number("XMCPQT", figures.queued_peak)
            .number("XMCTAMA", figures.at_limit)
            .number("XMCTAPT", figures.at_purge_threshold)
            .number("XMCCAT", figures.active_current)
            .number("XMCCQT", figures.queued_current)
            .interval("XMCTQTME", figures.queue_time_total)
            .interval("XMCCQTME", figures.queue_time_current),
    };
    Some(signed(record, region, "XMC_TCLASS", "TRANCLASS", name.as_str()))
}

pub fn dispatcher(reading: &Reading) -> Record {
    let (region, figures) = (reading.region, reading.dispatcher());
    let milliseconds = |time: std::time::Duration| time.as_millis() as u64;
    let record = Record::new("DFHDSGDS", "");
    let global = record.structure.length() as u64;
    let record = record
        .number("DSGGLEN", global)
        .number("DSGASIZE", figures.modes.len() as u64)
        .number("DSGPSIZE", figures.pools.len() as u64)
        .number("DSGICVT", milliseconds(figures.icv))
        .number("DSGICVRT", milliseconds(figures.runaway))
        .number("DSGICVSD", region.sit.number("ICVTSD"))
        .number("DSGPRIAG", milliseconds(figures.priority_aging))
        .number("DSGSTSKS", region.sit.number("SUBTSKS"))
        .number("DSGMBTCH", figures.mro_batch)
        .number("DSGCNT", figures.tasks_current)
        .number("DSGPNT", figures.tasks_peak)
        .time_gmt("DSGSTART", Some(figures.started_at))
        .time_local("DSGLSTRT", Some(figures.started_at))
        .interval("DSGEJST", figures.address_space_cpu)
        .interval("DSGSRBT", figures.address_space_system_cpu)
        .number("DSGXSCNS", figures.excess_scans)
        .number("DSGXSCNN", figures.excess_scans_none_detached)
        .number("DSGXTCBD", figures.excess_detached)
        .time_gmt("DSGGXSCN", figures.excess_scan_at)
        .time_local("DSGLXSCN", figures.excess_scan_at)
        .time_gmt("DSGGXSND", figures.excess_scan_none_detached_at)
        .time_local("DSGLXSND", figures.excess_scan_none_detached_at);
    let modes = kernel::Mode::ALL.iter().zip(&figures.modes).map(|(mode, of)| {
        Record::new("DSGTCBM", "")
            .text("DSGTCBNM", mode.name())
            .number("DSGTCBMD", *mode as u64)
            .number("DSGTCBMP", of.pool.map_or(0, |pool| pool as u64 + 1))
            .number("DSGTCBCA", of.attached_current)
            .number("DSGTCBPA", of.attached_peak)
            .number("DSGTCBCU", of.in_use_current)
            .number("DSGTCBPU", of.in_use_peak)
            .number("DSGNTCBA", of.attaches)
            .number("DSGTMCDQ", of.queue_current)
            .number("DSGTMPDQ", of.queue_peak)
            .interval("DSGTDT", of.dispatch)
            .interval("DSGACT", of.cpu)
    });
    let pools = figures.pools.iter().enumerate().map(|(at, of)| {
        Record::new("DSGTCBP", "")
            .number("DSGTCBPN", at as u64 + 1)
            .number("DSGMXTCB", of.limit)
            .number("DSGCNUAT", of.attached_current)
            .number("DSGPNUAT", of.attached_peak)
            .number("DSGCNUUS", of.in_use_current)
            .number("DSGPNUUS", of.in_use_peak)
            .interval("DSGTOTWL", of.delay_total)
            .interval("DSGCURWT", of.delay_current)
            .number("DSGTOTNW", of.delayed_total)
            .number("DSGCURNW", of.delayed_current)
            .number("DSGPEANW", of.delayed_peak)
            .number("DSGMMWTS", of.mismatches)
            .time_gmt("DSGGTCBL", of.limit_reached_at)
            .time_local("DSGLTCBL", of.limit_reached_at)
    });
    modes.chain(pools).fold(record, Record::part)
}

pub fn storage(reading: &Reading) -> Record {
    let region = reading.region;
    let figures = region.storage.read_statistics(reading.peaks);
    let line = |line: Line| figures.lines.iter().find(|of| of.line == line);
    let of = |which: Line, value: fn(&kernel::storage::LineStatistics) -> usize| line(which).map_or(0, value) as u64;
    let record = Record::new("DFHSMSDS", "");
    let global = record.structure.length() as u64;
    let record = record
        .number("SMSGBLLEN", global)
        .number("SMSNPAGP", figures.dsas.len() as u64)
        .number("SMSSTGPROT", u8::from(region.storage_protection))
        .number("SMSRENTPGM", u8::from(figures.protect_reentrant))
        .number("SMSTRANISO", u8::from(region.transaction_isolation))
        .number("SMSDSALIMIT", of(Line::Below16M, |line| line.limit))
        .number("SMSEDSALIMIT", of(Line::Below2G, |line| line.limit))
        .number("SMSDSATOTAL", of(Line::Below16M, |line| line.allocated))
        .number("SMSEDSATOTAL", of(Line::Below2G, |line| line.allocated))
        .number("SMSHWMDSATOTAL", of(Line::Below16M, |line| line.allocated_peak))
        .number("SMSHWMEDSATOTAL", of(Line::Below2G, |line| line.allocated_peak))
        .number("SMSMEMLIMIT", of(Line::Above, |line| line.limit) >> 20)
        .number("SMSGDSAALLOC", of(Line::Above, |line| line.allocated))
        .number("SMSHWMGDSAALLOC", of(Line::Above, |line| line.allocated_peak));
    figures.dsas.iter().fold(record, |record, of| {
        let part = dsa(of, figures.subpools.iter().filter(|subpool| subpool.dsa == of.dsa).count());
        record.part(match line(of.dsa.line()) {
            Some(line) => part.number("SMSSOS", line.times_short).interval("SMSTSOS", line.time_short),
            None => part,
        })
    })
}

fn dsa(of: &DsaStatistics, subpools: usize) -> Record {
    let location: u8 = match of.dsa.line() {
        Line::Below16M => 1,
        Line::Below2G => 2,
        Line::Above => 3,
    };
    let name = format!("{:?}", of.dsa).to_ascii_uppercase();
    // CICS key, user key or read only, by the letter of the name.
    let access: u8 = match of.dsa {
        Dsa::Rdsa | Dsa::Erdsa => 3,
        Dsa::Udsa | Dsa::Eudsa | Dsa::Gudsa | Dsa::Sdsa | Dsa::Esdsa | Dsa::Gsdsa => 2,
        _ => 1,
    };
    Record::new("SMSBODY", "")
        .text("SMSDSANAME", name)
        .number("SMSLOCN", location)
        .number("SMSACCESS", access)
        .number("SMSDSAINDEX", of.dsa as u64 + 1)
        .number("SMSDSASZ", of.size as u64)
        .number("SMSHWMDSASZ", of.size_peak as u64)
        .number("SMSCSIZE", of.cushion as u64)
        .number("SMSGMREQ", of.getmains)
        .number("SMSFMREQ", of.freemains)
        .number("SMSCRISS", of.no_storage)
        .number("SMSUCSS", of.suspended_total)
        .number("SMSCSS", of.suspended_current)
        .number("SMSCSUBP", subpools as u64)
        .number("SMSFSTG", of.free as u64)
        .number("SMSLFA", of.largest_free as u64)
        .number("SMSSV", of.violations)
        .number("SMSEXTS", of.extents as u64)
        .number("SMSEXTSA", of.extents_added)
        .number("SMSEXTSR", of.extents_released)
}

pub fn program(region: &Region, name: Name8) -> Option<Record> {
    let program = region.programs.find(name)?;
    Some(
        Record::new("DFHLDRDS", name.to_string())
            .text("LDRPNAME", name.to_string())
            .number("LDRTU", program.use_count.load(Ordering::Relaxed))
            .number("LDRFC", program.fetches.load(Ordering::Relaxed))
            .number("LDRTN", program.new_copies.load(Ordering::Relaxed))
            .number("LDRPSIZE", program.length() as u64)
            .text("LDRLBNM", program.library()),
    )
}

pub fn journal(region: &Region, name: Name8) -> Option<Record> {
    const FIELDS: Shown = &[("LGRWRITES", "writes"), ("LGRBYTES", "bytes"), ("LGRBUFLSH", "flushes")];
    use crate::journaling::JournalType;
    let journal = Journaling::of(region).find(name)?;
    let kind: u8 = match journal.kind {
        JournalType::Mvs => 1,
        JournalType::Smf => 2,
        JournalType::Dummy => 3,
    };
    let record = shown(Record::new("DFHLGRDS", name.to_string()), &journal.statistics(), FIELDS);
    Some(record.text("LGRJNLNAME", name.to_string()).number("LGRJTYPE", kind).text("LGRSTREAM", journal.stream_name.clone()))
}
