//! The records of domains that count for all of a resource type together, and of terminals.
//!
//! As in `sources`, a field that is not given has no value in this region.

use super::Reading;
use super::record::Record;
use crate::enqueue::EnqueueManager;
use crate::name::Name4;
use crate::region::Region;
use crate::terminal_control::TerminalControl;
use crate::terminal_control::display::display_of;
use crate::transient_data::TransientData;
use crate::transient_data::intervals::INTERVAL_BYTES;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Times of the loader are in units of so many microseconds.
const LOADER_UNIT_MICROSECONDS: u64 = 16;

fn get(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

fn nanoseconds(counter: &AtomicU64) -> Duration {
    Duration::from_nanos(get(counter))
}

pub fn enqueue(region: &Region) -> Record {
    let pools = EnqueueManager::of(region).statistics();
    let record = Record::new("DFHNQGDS", "").number("NQGNPOOL", pools.len() as u64);
    pools.into_iter().fold(record, |record, pool| {
        record.part(
            Record::new("NQGBODY", "")
                .text("NQGPOOL", pool.name)
                .number("NQGTNQSI", pool.issued)
                .number("NQGTNQSW", pool.waited)
                .interval("NQGTNQWT", pool.wait_time)
                .number("NQGCNQSW", pool.waiting)
                .interval("NQGCNQWT", pool.waiting_time)
                .number("NQGTIRJB", pool.refused_busy)
                .number("NQGTWPOP", pool.purged)
                .number("NQGTWPTO", pool.timed_out),
        )
    })
}

pub fn loader(region: &Region) -> Record {
    let programs = &region.programs;
    Record::new("DFHLDGDS", "")
        .number("LDGLLR", get(&programs.loads))
        .number("LDGLLT", nanoseconds(&programs.load_nanoseconds).as_micros() as u64 / LOADER_UNIT_MICROSECONDS)
        .number("LDGPUSES", programs.uses())
        .number("LDGLBSOU", get(&programs.library_changes))
}

pub fn monitoring(reading: &Reading) -> Record {
    let figures = reading.region.monitoring.statistics(reading.peaks);
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

pub fn recovery_manager(region: &Region) -> Record {
    let counters = &region.recovery.counters;
    let (shunted, shunted_for) = region.recovery.shunted_now();
    Record::new("DFHRMGDS", "")
        .number("RMGSYFWD", get(&counters.forward))
        .number("RMGSYBWD", get(&counters.backward))
        .number("RMGRESYN", get(&counters.resynchronizations))
        .number("RMGTSHIN", get(&counters.shunts_ended))
        .interval("RMGTSHTI", nanoseconds(&counters.shunted_nanoseconds))
        .number("RMGCSHIN", shunted)
        .interval("RMGCSHTI", shunted_for)
        .number("RMGIAFTR", get(&counters.forced_by_definition))
        .number("RMGIAFTI", get(&counters.forced_by_time))
        .number("RMGIAFOP", get(&counters.forced_by_operator))
}

pub fn terminal(region: &Region, name: Name4) -> Option<Record> {
    let terminal = TerminalControl::of(region).find(name)?;
    let record = Record::new("DFHA06DS", name.to_string())
        .text("A06TETI", name.to_string())
        .number("A06TETT", terminal.attributes().term_code[0])
        .text("A06LUNAM", terminal.netname().to_string())
        .text("A06SYSID", region.sysid.to_string());
    let Some(display) = display_of(&*terminal) else { return Some(record) };
    let counters = &display.counters;
    let logon = display.identity.autoinstalled.then_some(display.logged_on_at);
    Some(
        record
            .number("A06TENI", get(&counters.input_messages))
            .number("A06TENO", get(&counters.output_messages))
            .number("A06TEOT", get(&counters.transactions))
            .number("A06TEOE", get(&counters.transaction_errors))
            .number("A06PRTY", display.identity.priority)
            .time_local("A06ONTM", logon)
            .time_gmt("A06GONTM", logon),
    )
}

pub fn transient_data(reading: &Reading) -> Record {
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
        .number("TQGANOSP", get(&transient_data.counters.no_space))
        .number("TQGACTPT", figures.writes)
        .number("TQGACTGT", figures.reads)
        .number("TQGACTFT", figures.format_writes)
        .number("TQGACTIO", get(&transient_data.counters.errors))
        .number("TQGSNSTA", figures.strings)
        .number("TQGSTNAL", figures.string_accesses)
        .number("TQGSCNAL", figures.strings_in_use)
        .number("TQGSMXAL", figures.strings_in_use_peak)
        .number("TQGSTNWT", figures.string_waits)
        .number("TQGSCNWT", figures.string_waiting)
        .number("TQGSMXWT", figures.string_waiting_peak)
}
