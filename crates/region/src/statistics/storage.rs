//! Storage in the statistics report: the dynamic storage areas of each line, the subpools, the real storage of the process.

use super::report::number;
use super::sources::{Access, access_of};
use crate::Region;
use crate::figures::Report;
use kernel::Peaks;
use kernel::storage::{DsaStatistics, Line, LineStatistics, StorageStatistics, TaskSubpoolStatistics};
use std::fmt::Write as _;

/// Bytes of a frame of real storage, as z/OS counts them.
const FRAME_BYTES: u64 = 4096;

pub(super) fn write(region: &'static Region, report: &mut Report) {
    let figures = region.storage.statistics();
    for (title, line) in [("Storage below 16MB", Line::Below16M), ("Storage above 16MB", Line::Below2G), ("Storage above 2GB", Line::Above)]
    {
        report.heading(title);
        areas(&figures, line, &mut report.text);
    }
    report.heading("Storage - Domain Subpools");
    subpools(&figures, &mut report.text);
    report.heading("Storage - Task Subpools");
    write_task_subpools(&task_subpools(region, Peaks::Keep), &mut report.text);
    report.heading("Transaction Isolation");
    isolation(&figures, region.transaction_isolation, &mut report.text);
    report.heading("Real Storage");
    real_storage(&mut report.text);
}

fn line(text: &mut String, title: &str, value: impl std::fmt::Display) {
    let _ = writeln!(text, "  {title:.<48}: {value:>24}");
}

fn kilobytes(bytes: usize) -> String {
    format!("{}K", number(bytes as u64 / 1024))
}

/// One row of the table of DSAs: its name, and the figure of a DSA.
type Row = (&'static str, fn(&DsaStatistics) -> String);

const ROWS: [Row; 18] = [
    ("Page Size", |of| kilobytes(of.units.page_bytes)),
    ("Extent Size", |of| kilobytes(of.units.extent_bytes)),
    ("Current DSA Size", |of| kilobytes(of.size)),
    ("Current DSA Used", |of| kilobytes(of.used)),
    ("Peak DSA Used", |of| kilobytes(of.used_peak)),
    ("Peak DSA Size", |of| kilobytes(of.size_peak)),
    ("Cushion Size", |of| kilobytes(of.cushion)),
    ("Free Storage (inc. Cushion)", |of| kilobytes(of.free)),
    ("Largest Free Area", |of| kilobytes(of.largest_free)),
    ("Current Number of Extents", |of| number(of.extents as u64)),
    ("Number of Extents Added", |of| number(of.extents_added)),
    ("Number of Extents Released", |of| number(of.extents_released)),
    ("Getmain Requests", |of| number(of.getmains)),
    ("Freemain Requests", |of| number(of.freemains)),
    ("Times no storage returned", |of| number(of.no_storage)),
    ("Times request suspended", |of| number(of.suspended_total)),
    ("Current requests suspended", |of| number(of.suspended_current.into())),
    ("Storage Violations", |of| number(of.violations)),
];

fn areas(figures: &StorageStatistics, which: Line, text: &mut String) {
    let Some(of_line) = figures.lines.iter().find(|of| of.line == which) else { return };
    limits(of_line, text);
    let areas: Vec<&DsaStatistics> = figures.dsas.iter().filter(|of| of.dsa.line() == which).collect();
    let cells = |title: &str, cell: &dyn Fn(&DsaStatistics) -> String| {
        areas.iter().fold(format!("  {title:<32}"), |row, of| row + &format!("{:>16}", cell(of)))
    };
    let _ = writeln!(text, "\n{}", cells("", &|of| of.dsa.name().to_string()));
    for (title, cell) in ROWS {
        let _ = writeln!(text, "{}", cells(title, &cell));
    }
    let _ = writeln!(text, "{}\n", cells("Access", &|of| access_name(access_of(of.dsa)).to_string()));
}

fn limits(of: &LineStatistics, text: &mut String) {
    let limit = match of.line {
        Line::Below16M => "Current DSA Limit",
        Line::Below2G => "Current EDSA Limit",
        Line::Above => "MEMLIMIT Size",
    };
    line(text, limit, kilobytes(of.limit));
    line(text, "Current Allocation for DSAs", kilobytes(of.allocated));
    line(text, "Peak Allocation for DSAs", kilobytes(of.allocated_peak));
    line(text, "Times Short-On-Storage", number(of.times_short));
    line(text, "Total time Short-On-Storage", format!("{:.6}", of.time_short.as_secs_f64()));
}

fn access_name(access: Access) -> &'static str {
    match access {
        Access::Cics => "CICS",
        Access::User => "USER",
        Access::ReadOnly => "READONLY",
    }
}

fn subpools(figures: &StorageStatistics, text: &mut String) {
    let _ = writeln!(
        text,
        "  {:8} {:8} {:8}{:>12}{:>12}{:>12}{:>12}{:>14}{:>14}{:>14}{:>14}",
        "Subpool", "Location", "Access", "Getmain", "Freemain", "Current", "Peak", "Current", "Peak", "Current", "Peak"
    );
    let _ = writeln!(
        text,
        "  {:8} {:8} {:8}{:>12}{:>12}{:>12}{:>12}{:>14}{:>14}{:>14}{:>14}",
        "Name", "", "", "Requests", "Requests", "Elements", "Elements", "Elem Stg", "Elem Stg", "Page Stg", "Page Stg"
    );
    for of in &figures.subpools {
        let figures = of.figures;
        let _ = writeln!(
            text,
            "  {:8} {:8} {:8}{:>12}{:>12}{:>12}{:>12}{:>14}{:>14}{:>14}{:>14}",
            of.name.to_string(),
            of.dsa.name(),
            access_name(access_of(of.dsa)),
            number(figures.getmains),
            number(figures.freemains),
            number(figures.elements),
            number(figures.elements_peak),
            number(figures.bytes as u64),
            number(figures.peak_bytes as u64),
            kilobytes(figures.page_bytes),
            kilobytes(figures.page_bytes_peak),
        );
    }
    text.push('\n');
}

/// The task subpools of the tasks there are and of those that have ended.
pub(super) fn task_subpools(region: &Region, peaks: Peaks) -> Vec<TaskSubpoolStatistics> {
    let tasks = region.transactions().tasks();
    region.storage.task_subpools(tasks.iter().map(|task| &task.elements), peaks)
}

fn write_task_subpools(all: &[TaskSubpoolStatistics], text: &mut String) {
    let mut row = |cells: [String; 8]| {
        let [dsa, access, getmains, freemains, elements, bytes, pages, peak] = cells;
        let _ = writeln!(text, "  {dsa:8} {access:8}{getmains:>14}{freemains:>14}{elements:>12}{bytes:>16}{pages:>14}{peak:>14}");
    };
    row(["DSA", "Access", "Getmain", "Freemain", "Current", "Current", "Current", "Peak"].map(String::from));
    row(["Name", "", "Requests", "Requests", "Elements", "Elem Stg", "Page Stg", "Page Stg"].map(String::from));
    for of in all {
        row([
            of.dsa.name().to_string(),
            access_name(access_of(of.dsa)).to_string(),
            number(of.getmains),
            number(of.freemains),
            number(of.elements),
            number(of.bytes as u64),
            kilobytes(of.page_bytes),
            kilobytes(of.page_peak_bytes),
        ]);
    }
    text.push('\n');
}

fn isolation(figures: &StorageStatistics, is_active: bool, text: &mut String) {
    line(text, "Transaction isolation", if is_active { "Active" } else { "Inactive" });
    for (name, users) in [("unique subspace", figures.unique_subspaces), ("common subspace", figures.common_subspace)] {
        line(text, &format!("Current {name} users"), number(users.current));
        line(text, &format!("Total {name} users"), number(users.total));
        line(text, &format!("Peak {name} users"), number(users.peak));
    }
    text.push('\n');
}

/// Real storage of the process, which is all of the region: program storage, control blocks, buffers, code.
fn real_storage(text: &mut String) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for (title, field) in [
        ("Real storage frames in use", "VmRSS"),
        ("Peak real storage frames in use", "VmHWM"),
        ("Frames that files back", "RssFile"),
        ("Auxiliary storage slots in use", "VmSwap"),
    ] {
        let bytes = status_bytes(&status, field);
        line(text, title, bytes.map_or_else(|| "N/A".to_string(), |bytes| number(bytes / FRAME_BYTES)));
    }
    text.push('\n');
}

/// The most frames of real storage that the process has had.
pub fn peak_frames() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(status_bytes(&status, "VmHWM")? / FRAME_BYTES)
}

/// A field of `/proc/PID/status`, which is in kilobytes (proc(5)).
fn status_bytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_the_process_status_are_kilobytes() {
        let status = "Name:\tregent\nVmHWM:\t    1024 kB\nVmRSS:\t     516 kB\nThreads:\t5\n";
        assert_eq!(status_bytes(status, "VmRSS"), Some(516 * 1024));
        assert_eq!(status_bytes(status, "VmHWM"), Some(1 << 20));
        assert_eq!((status_bytes(status, "VmSwap"), status_bytes(status, "Threads")), (None, None));
    }
}
