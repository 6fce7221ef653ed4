//! The records of the dispatcher and of storage, from the counters of the kernel; and the common parts of the records of all domains.
//!
//! A field that is missing from a record has no value in this region: it is zero or blank.

use crate::figures::Record;
use crate::figures::{Reading, RecordType, ResourceStatistics, ResourceType};
use kernel::storage::{Dsa, DsaStatistics, Line, SubpoolStatistics};

pub(super) static DISPATCHER: RecordType =
    RecordType { of: ResourceType::Dispatcher, one: |reading, _| Some(dispatcher(reading)), ..RecordType::NONE };

pub(super) static STORAGE: RecordType =
    RecordType { of: ResourceType::Storage, one: |reading, name| name.is_empty().then(|| storage(reading)), ..RecordType::NONE };

/// A name that is in several DSAs has a record for each; the first is found by the name.
pub(super) static SUBPOOL: RecordType = RecordType {
    of: ResourceType::Subpool,
    one: |reading, name| {
        let subpools = reading.region.storage.subpools();
        subpools.iter().find(|subpool| subpool.name.as_str() == name).map(subpool)
    },
    names: |_| Vec::new(),
    all: Some(|reading| reading.region.storage.read_subpools(reading.peaks).iter().map(subpool).collect()),
};

/// The storage of all tasks together, by DSA.
pub(super) static TASK_SUBPOOL: RecordType =
    RecordType { of: ResourceType::TaskSubpool, one: |reading, _| Some(task_subpools(reading)), ..RecordType::NONE };

pub(super) static STATISTICS: RecordType = RecordType {
    of: ResourceType::Statistics,
    one: |reading, _| Some(reading.region.statistics().own(reading.region)),
    ..RecordType::NONE
};

/// Fields and the names of the counters they show.
pub type Shown = &'static [(&'static str, &'static str)];

/// A record with the counters an owner keeps under these names.
pub fn shown(record: Record, from: &ResourceStatistics, fields: Shown) -> Record {
    record.numbers(fields.iter().map(|(field, counter)| (*field, from.counter(counter))))
}

fn dispatcher(reading: &Reading) -> Record {
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
        .number("DSGICVSD", milliseconds(figures.terminal_scan_delay))
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

fn storage(reading: &Reading) -> Record {
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
        .number("SMSUSSCUR", figures.unique_subspaces.current)
        .number("SMSUSSCUM", figures.unique_subspaces.total)
        .number("SMSUSSHWM", figures.unique_subspaces.peak)
        .number("SMSCSSCUR", figures.common_subspace.current)
        .number("SMSCSSCUM", figures.common_subspace.total)
        .number("SMSCSSHWM", figures.common_subspace.peak)
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

/// SMSLOCN and SMDLOCN.
fn location(dsa: Dsa) -> u8 {
    match dsa.line() {
        Line::Below16M => 1,
        Line::Below2G => 2,
        Line::Above => 3,
    }
}

/// SMSDSAINDEX and SMTDSAINDEX: the DSAs of a line are numbered one after the other.
fn index(dsa: Dsa) -> u64 {
    const CDSA: u64 = 0x01;
    const ECDSA: u64 = 0x09;
    const GCDSA: u64 = 0x11;
    let (first, number) = match dsa.line() {
        Line::Below16M => (Dsa::Cdsa, CDSA),
        Line::Below2G => (Dsa::Ecdsa, ECDSA),
        Line::Above => (Dsa::Gcdsa, GCDSA),
    };
    number + (dsa as u64 - first as u64)
}

/// SMSACCESS and SMDACCESS.
fn access(dsa: Dsa) -> u8 {
    match access_of(dsa) {
        Access::Cics => 1,
        Access::User => 2,
        Access::ReadOnly => 3,
    }
}

/// Who may write into a DSA, by the letter of its name.
#[derive(Clone, Copy)]
pub(super) enum Access {
    Cics,
    User,
    ReadOnly,
}

pub(super) fn access_of(dsa: Dsa) -> Access {
    match dsa {
        Dsa::Rdsa | Dsa::Erdsa => Access::ReadOnly,
        Dsa::Udsa | Dsa::Eudsa | Dsa::Gudsa | Dsa::Sdsa | Dsa::Esdsa | Dsa::Gsdsa => Access::User,
        Dsa::Cdsa | Dsa::Ecdsa | Dsa::Gcdsa => Access::Cics,
    }
}

/// Elements of a subpool have any length, and lie on this boundary.
const BOUNDARY: u32 = 16;

fn subpool(of: &SubpoolStatistics) -> Record {
    Record::new("DFHSMDDS", of.name.to_string())
        .text("SMDSPN", of.name.to_string())
        .text("SMDDSANAME", of.dsa.name())
        .number("SMDETYPE", 2u8)
        .number("SMDELCHN", 2u8)
        .number("SMDLOCN", location(of.dsa))
        .number("SMDACCESS", access(of.dsa))
        .number("SMDBNDRY", BOUNDARY)
        .number("SMDGMREQ", of.figures.getmains)
        .number("SMDFMREQ", of.figures.freemains)
        .number("SMDCELEM", of.figures.elements)
        .number("SMDCES", of.figures.bytes as u64)
        .number("SMDCPS", of.figures.page_bytes as u64)
        .number("SMDHWMPS", of.figures.page_bytes_peak as u64)
}

fn task_subpools(reading: &Reading) -> Record {
    let figures = super::storage::task_subpools(reading.region, reading.peaks);
    let record = Record::new("DFHSMTDS", "").number("SMTNTASK", figures.len() as u64);
    figures.into_iter().fold(record, |record, of| {
        let part = Record::new("SMTBODY", "")
            .text("SMTDSANAME", of.dsa.name())
            .number("SMTDSAINDEX", index(of.dsa))
            .number("SMTLOCN", location(of.dsa))
            .number("SMTACCESS", access(of.dsa))
            .number("SMTGMREQ", of.getmains)
            .number("SMTFMREQ", of.freemains)
            .number("SMTCNE", of.elements)
            .number("SMTCES", of.bytes as u64)
            .number("SMTCPS", of.page_bytes as u64)
            .number("SMTHWMPS", of.page_peak_bytes as u64);
        record.part(part)
    })
}

fn dsa(of: &DsaStatistics, subpools: usize) -> Record {
    Record::new("SMSBODY", "")
        .text("SMSDSANAME", of.dsa.name())
        .number("SMSLOCN", location(of.dsa))
        .number("SMSACCESS", access(of.dsa))
        .number("SMSDSAINDEX", index(of.dsa))
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
