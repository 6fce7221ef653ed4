//! Temporary storage in the statistics report.
//!
//! The names are those of DFHSTUP (Reference, "Temporary storage: Summary global statistics"). Figures that only DFH0STAT has (control
//! intervals, buffers and strings) have its names.

use super::{BUFFER_SUBPOOL, QueueView, TemporaryStorage};
use region::Region;
use region::figures::Report;
use region::statistics::report::number;
use std::fmt::Write as _;

pub(super) fn write(region: &'static Region, report: &mut Report) {
    report.heading("Temporary Storage");
    temporary_storage(region, &mut report.text);
    report.heading("Tsqueue Totals");
    temporary_storage_totals(region, &mut report.text);
    report.heading("Temporary Storage Queues by Shared TS Pool");
    shared_queues(region, &mut report.text);
}

/// Names of DFHSTUP and the counters behind them.
const TEMPORARY_STORAGE: [(&str, &str); 43] = [
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
    ("Peak temporary storage names in use", "names_peak"),
    ("Current temporary storage names in use", "names"),
    ("Number of entries in longest queue", "longest_queue_items"),
    ("Times queues created", "queues_created"),
    ("Longest auxiliary temp storage record", "longest_auxiliary_item_bytes"),
    ("Times auxiliary storage exhausted", "times_auxiliary_exhausted"),
    ("Control interval size", "interval_bytes"),
    ("Control intervals in the DFHTEMP dataset", "intervals"),
    ("Peak control intervals used", "intervals_in_use_peak"),
    ("Current control intervals in use", "intervals_in_use"),
    ("Available bytes per control interval", "interval_bytes_available"),
    ("Segments per control interval", "interval_segments"),
    ("Bytes per segment", "segment_bytes"),
    ("Writes bigger than control interval size", "writes_longer_than_interval"),
    ("Number Temporary storage compressions", "compressions"),
    ("Temporary storage strings", "strings"),
    ("Peak Temporary storage strings in use", "strings_in_use_peak"),
    ("Temporary storage string waits", "string_waits"),
    ("Peak users waiting on string", "string_waiting_peak"),
    ("Current users waiting on string", "string_waiting"),
    ("Temporary storage buffers", "buffers"),
    ("Temporary storage buffer waits", "buffer_waits"),
    ("Peak users waiting on buffer", "buffer_waiting_peak"),
    ("Current users waiting on buffer", "buffer_waiting"),
    ("Temporary storage buffer reads", "buffer_reads"),
    ("Temporary storage buffer writes", "buffer_writes"),
    ("Forced buffer writes for recovery", "forced_writes"),
    ("Format writes", "format_writes"),
    ("I/O errors on the DFHTEMP dataset", "auxiliary_errors"),
    ("Shared pools defined", "shared_pools"),
    ("Shared pools currently connected", "shared_pools_connected"),
    ("Shared read requests", "shared_reads"),
    ("Shared write requests", "shared_writes"),
];

fn temporary_storage(region: &'static Region, text: &mut String) {
    let counters = TemporaryStorage::of(region).statistics();
    for (name, counter) in TEMPORARY_STORAGE {
        let _ = writeln!(text, "{name:.<44}:{:>16}", number(counters.counter(counter)));
    }
    let subpools = region.storage.statistics().subpools;
    if let Some(subpool) = subpools.iter().find(|subpool| subpool.name.as_str() == BUFFER_SUBPOOL) {
        let _ = writeln!(text, "{:.<44}:{:>16}", "'TSBUFFRS' Storage Subpool Location", format!("{:?}", subpool.dsa).to_ascii_uppercase());
        let figures = [
            ("Getmain Requests", subpool.figures.getmains),
            ("Freemain Requests", subpool.figures.freemains),
            ("Current Elements", subpool.figures.elements),
            ("Current Element Storage", subpool.figures.bytes as u64),
        ];
        for (name, figure) in figures {
            let _ = writeln!(text, "{name:.<44}:{:>16}", number(figure));
        }
    }
    text.push('\n');
}

/// Queues and items of one location, by the names of the Tsqueue Totals report.
fn totals_of(location: &str, views: &[&QueueView], text: &mut String) {
    let items: u64 = views.iter().map(|view| u64::from(view.items)).sum();
    let average = items.checked_div(views.len() as u64).unwrap_or(0);
    let figures = [
        (format!("Current {location} temporary storage queues"), views.len() as u64),
        (format!("Current items in {location} temporary storage queues"), items),
        (format!("Average items per {location} temporary storage queue"), average),
    ];
    for (name, figure) in figures {
        let _ = writeln!(text, "{name:.<60}:{:>16}", number(figure));
    }
}

/// The Tsqueue Totals report, from INQUIRE TSQUEUE.
fn temporary_storage_totals(region: &'static Region, text: &mut String) {
    let views = match TemporaryStorage::of(region).views(region) {
        Ok(views) => views,
        Err(error) => {
            let _ = writeln!(text, "The queues cannot be read: {error}\n");
            return;
        }
    };
    let (main, auxiliary): (Vec<&QueueView>, Vec<&QueueView>) = views.iter().partition(|view| view.main);
    let _ = writeln!(text, "{:.<60}:{:>16}", "Current temporary storage queues", number(views.len() as u64));
    totals_of("auxiliary", &auxiliary, text);
    totals_of("main", &main, text);
    text.push('\n');
}

/// The Temporary Storage Queues by Shared TS Pool report, from INQUIRE TSPOOL and INQUIRE TSQNAME POOLNAME.
fn shared_queues(region: &'static Region, text: &mut String) {
    let heads = ["Items", "Min item", "Max item", "Flength", "Last used"];
    let heads: String = heads.iter().map(|head| format!("{head:>14}")).collect();
    let _ = writeln!(text, "{:10}{:12}{:18}{:6}{heads}", "Pool", "Connection", "Tsqueue name", "Tran");
    for (pool, connected) in TemporaryStorage::of(region).pools() {
        let status = if connected { "CONNECTED" } else { "UNCONNECTED" };
        let views = match TemporaryStorage::of(region).pool_views(region, pool) {
            Ok(views) => views,
            Err(error) => {
                let _ = writeln!(text, "{:10}{status:12}The queues cannot be read: {error}", pool.as_str());
                continue;
            }
        };
        if views.is_empty() {
            let _ = writeln!(text, "{:10}{status:12}", pool.as_str());
        }
        for view in views {
            let name = region.code_page.name::<16>(&view.name);
            let values = [u64::from(view.items), u64::from(view.shortest), u64::from(view.longest), view.bytes, view.seconds_since_use];
            let values: String = values.iter().map(|value| format!("{:>14}", number(*value))).collect();
            let _ = writeln!(text, "{:10}{status:12}{:18}{:6}{values}", pool.as_str(), name.as_str(), view.transid.as_str());
        }
    }
    text.push('\n');
}
