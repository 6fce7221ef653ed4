//! The statistics of dumps: records of all dumps and of each dump code, and the sections of the report.

use crate::Region;
use crate::dump::codes::{Counts, DumpTables, Entry, TableKind};
use crate::figures::{Record, RecordType, Report, ResourceType};
use crate::name::Name8;
use crate::statistics::report::number;
use std::fmt::Write as _;

pub(super) static SYSTEM_DUMPS: RecordType = RecordType {
    of: ResourceType::SystemDumps,
    one: |reading, _| Some(system(totals(reading.region, TableKind::System, TableKind::Transaction))),
    ..RecordType::NONE
};

pub(super) static TRANSACTION_DUMPS: RecordType = RecordType {
    of: ResourceType::TransactionDumps,
    one: |reading, _| Some(transaction(DumpTables::of(reading.region).totals(TableKind::Transaction))),
    ..RecordType::NONE
};

pub(super) static SYSTEM_DUMP_CODES: RecordType = RecordType {
    of: ResourceType::SystemDumpCode,
    one: |reading, name| found(reading.region, TableKind::System, name).map(|entry| system_code(&entry)),
    names: |region| names(region, TableKind::System),
    ..RecordType::NONE
};

pub(super) static TRANSACTION_DUMP_CODES: RecordType = RecordType {
    of: ResourceType::TransactionDumpCode,
    one: |reading, name| found(reading.region, TableKind::Transaction, name).map(|entry| transaction_code(&entry)),
    names: |region| names(region, TableKind::Transaction),
    ..RecordType::NONE
};

fn found(region: &Region, kind: TableKind, name: &str) -> Option<Entry> {
    DumpTables::of(region).find(kind, Name8::new(name))
}

fn names(region: &Region, kind: TableKind) -> Vec<String> {
    DumpTables::of(region).entries(kind).iter().map(|entry| entry.code.to_string()).collect()
}

/// System dumps of both tables: a transaction dump code may take one, too.
fn totals(region: &Region, own: TableKind, other: TableKind) -> (u64, u64) {
    let tables = DumpTables::of(region);
    let (own, other) = (tables.totals(own), tables.totals(other));
    (own.system_taken + other.system_taken, own.system_suppressed + other.system_suppressed)
}

fn system((taken, suppressed): (u64, u64)) -> Record {
    Record::new("DFHSDGDS", "").number("SYS_DUMPS_TAKEN", taken).number("SYS_DUMPS_SUPPR", suppressed)
}

fn transaction(counts: Counts) -> Record {
    let record = Record::new("DFHTDGDS", "");
    record.number("TRANS_DUMP_TAKEN", counts.transaction_taken).number("TRANS_DUMP_SUPP", counts.transaction_suppressed)
}

fn system_code(entry: &Entry) -> Record {
    let record = Record::new("DFHSDRDS", entry.code.to_string()).text("SDRCODE", entry.code.to_string());
    record.number("SDRSTKN", entry.counts.system_taken).number("SDRSSUPR", entry.counts.system_suppressed)
}

fn transaction_code(entry: &Entry) -> Record {
    Record::new("DFHTDRDS", entry.code.to_string())
        .text("TDRCODE", entry.code.to_string())
        .number("TDRTTKN", entry.counts.transaction_taken)
        .number("TDRTSUPR", entry.counts.transaction_suppressed)
        .number("TDRSTKN", entry.counts.system_taken)
        .number("TDRSSUPR", entry.counts.system_suppressed)
}

/// The sections of the report, for codes with requests.
pub(super) fn report(region: &'static Region, report: &mut Report) {
    let tables = DumpTables::of(region);
    report.heading("System Dumps");
    let (taken, suppressed) = totals(region, TableKind::System, TableKind::Transaction);
    let text = &mut report.text;
    let _ = writeln!(text, "  Dumps taken {}, suppressed {}\n", number(taken), number(suppressed));
    let _ = writeln!(text, "  Dumpcode  Maximum  Requests     Dumps  Suppressed");
    for entry in tables.entries(TableKind::System).iter().filter(|entry| entry.current > 0) {
        let Counts { system_taken, system_suppressed, .. } = entry.counts;
        let (taken, suppressed) = (number(system_taken), number(system_suppressed));
        let _ = writeln!(text, "  {:<8} {:8} {:9} {taken:>9} {suppressed:>11}", entry.code, entry.actions.maximum, entry.current);
    }
    text.push('\n');
    report.heading("Transaction Dumps");
    let totals = tables.totals(TableKind::Transaction);
    let text = &mut report.text;
    let (taken, suppressed) = (number(totals.transaction_taken), number(totals.transaction_suppressed));
    let _ = writeln!(text, "  Dumps taken {taken}, suppressed {suppressed}\n");
    let _ = writeln!(text, "  Dumpcode  Maximum  Requests     Dumps  Suppressed  System Dumps  Suppressed");
    for entry in tables.entries(TableKind::Transaction).iter().filter(|entry| entry.current > 0) {
        let Counts { transaction_taken, transaction_suppressed, system_taken, system_suppressed } = entry.counts;
        let [taken, suppressed, system, not] = [transaction_taken, transaction_suppressed, system_taken, system_suppressed].map(number);
        let (code, maximum, current) = (entry.code, entry.actions.maximum, entry.current);
        let _ = writeln!(text, "  {code:<8} {maximum:8} {current:9} {taken:>9} {suppressed:>11} {system:>13} {not:>11}");
    }
    text.push('\n');
}
