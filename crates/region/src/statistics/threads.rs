//! The threads of the region in the statistics report: what the TCBs of the address space are on z/OS.
//!
//! TCBs of CICS are the threads that run tasks and those that are service TCBs of a mode (SL); others belong to the log, the store, the timer and the
//! libraries. The dynamic storage areas belong to the first thread, as those of CICS do to the job step TCB; it is none of the dispatcher's.

use super::report::number;
use crate::Region;
use crate::clock::local_from_system;
use crate::figures::Report;
use kernel::DispatcherStatistics;
use kernel::storage::Line;
use kernel::threads::{Thread, threads};
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

pub(super) fn write(region: &'static Region, figures: &DispatcherStatistics, report: &mut Report) {
    let all = threads();
    let of_cics = region.dispatcher.tcb_threads();
    let is_of_cics = |thread: &Thread| of_cics.contains(&thread.id);
    report.heading("MVS TCBs");
    let text = &mut report.text;
    totals(&all, &is_of_cics, figures, text);
    storage(region, text);
    table(&all, &is_of_cics, text);
}

fn line(text: &mut String, title: &str, value: impl std::fmt::Display) {
    let _ = writeln!(text, "  {title:.<48}: {value:>24}");
}

fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{:02}:{:02}:{:02}.{:06}", seconds / 3600, seconds / 60 % 60, seconds % 60, time.subsec_micros())
}

fn totals(all: &[Thread], is_of_cics: &dyn Fn(&Thread) -> bool, figures: &DispatcherStatistics, text: &mut String) {
    for (title, wanted) in [("CICS TCBs", true), ("non-CICS TCBs", false)] {
        let of_kind = || all.iter().filter(|thread| is_of_cics(thread) == wanted);
        line(text, &format!("Current number of {title}"), number(of_kind().count() as u64));
        line(text, &format!("CPU time of {title}"), duration(of_kind().map(|thread| thread.cpu).sum()));
    }
    // What the threads of CICS used outside of tasks: the dispatcher, which looks for work and switches.
    let of_cics: Duration = all.iter().filter(|thread| is_of_cics(thread)).map(|thread| thread.cpu).sum();
    let of_tasks: Duration = figures.modes.iter().map(|mode| mode.cpu).sum();
    line(text, "CPU time of the dispatcher (DS CPU)", duration(of_cics.saturating_sub(of_tasks)));
}

/// The areas below 2 GB are those of 31 bits.
fn storage(region: &Region, text: &mut String) {
    let extents = region.storage.extents();
    for (title, wanted) in [("below 16 MB", Line::Below16M), ("from 16 MB to 2 GB", Line::Below2G)] {
        let of_line = || extents.iter().filter(|extent| extent.dsa.line() == wanted);
        line(text, &format!("Private storage allocated {title}"), number(of_line().map(|extent| extent.length as u64).sum()));
        line(text, &format!("Private storage in use {title}"), number(of_line().map(|extent| extent.used as u64).sum()));
    }
    text.push('\n');
}

/// Since the start of the system.
fn up_time() -> Duration {
    let text = std::fs::read_to_string("/proc/uptime").unwrap_or_default();
    let seconds = text.split_whitespace().next().and_then(|seconds| seconds.parse::<f64>().ok()).unwrap_or(0.0);
    Duration::from_secs_f64(seconds.max(0.0))
}

fn table(all: &[Thread], is_of_cics: &dyn Fn(&Thread) -> bool, text: &mut String) {
    let _ = writeln!(
        text,
        "  TCB       Name             CICS Status  Start                   OS Waits        Wait Time    Dispatch Time         CPU Time"
    );
    let (now, up) = (SystemTime::now(), up_time());
    for thread in all {
        let age = up.saturating_sub(thread.started);
        let dispatch = thread.cpu + thread.ready;
        let start = now
            .checked_sub(age)
            .map(local_from_system)
            .map_or_else(String::new, |local| format!("{} {}", local.date_text(), local.time_text()));
        let _ = writeln!(
            text,
            "  {:<9} {:<16} {:<4} {:<7} {start:<19} {:>12} {:>16} {:>16} {:>16}",
            thread.id,
            thread.name,
            if is_of_cics(thread) { "Yes" } else { "No" },
            if thread.is_running { "Running" } else { "Waiting" },
            number(thread.waits),
            duration(age.saturating_sub(dispatch)),
            duration(dispatch),
            duration(thread.cpu)
        );
    }
    text.push('\n');
}
