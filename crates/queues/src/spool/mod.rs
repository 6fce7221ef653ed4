//! The interface to the spool (SPOOLOPEN, SPOOLREAD, SPOOLWRITE, SPOOLCLOSE): reports in directories in place of those of JES.
//!
//! A report is a file of records below `spool` in the data directory: `spool/NODE/USERID/CLASS/NUMBER.records`, and beside it
//! `NUMBER.report`, lines of text that say what the report is. The node of this machine is `LOCAL`. A report is in `spool/open` until it is closed.
//! Programs of the machine take reports from there, and put reports there for SPOOLOPEN INPUT; numbers grow, and the lowest is read first.
//!
//! * `directory`  where reports are; `report` a report that is open; `commands` the commands.
//!
//! Source: CICS TS 5.5, "CICS and JES", SPOOLOPEN INPUT and OUTPUT, SPOOLREAD, SPOOLWRITE, SPOOLCLOSE. Invariants: a report with a name is complete;
//! one task at a time reads from the spool, as JES has a single thread for input; a report that a task leaves open is closed for it.

mod commands;
mod directory;
mod report;

pub use commands::handlers;

use parking_lot::Mutex;
use region::{Decision, Domain, Participant, Region, Task};
use report::Report;
use std::sync::atomic::AtomicU64;

region::region_part!(Spool);
region::task_part!(TaskSpool);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "spool",
    commands: &[handlers],
    slots: &[&IN_REGION, &IN_TASK],
    unit_of_work: Some(Participant { after: |task, decision| at_syncpoint(task, decision), ..Participant::NONE }),
    task_ended: Some(|task| close_all(task, |_| true)),
    ..Domain::NONE
};

/// This domain's part of the region.
#[derive(Default)]
pub struct Spool {
    /// The number of the task that reads a report.
    reader: Mutex<Option<u32>>,
    /// Reports opened since the region's start.
    opened: AtomicU64,
}

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskSpool {
    reports: Vec<Report>,
}

/// Whether the region has the interface: SPOOL=YES.
fn is_there(region: &Region) -> bool {
    region.sit.is("SPOOL", "YES")
}

/// A report that is read is closed at a syncpoint, and kept.
fn at_syncpoint(task: &mut Task, _decision: Decision) {
    if !TaskSpool::of(&task.parts).reports.is_empty() {
        close_all(task, Report::is_input);
    }
}

/// Closes reports that the program has left open: one that is read is kept, one that is written is deleted.
fn close_all(task: &mut Task, which: impl Fn(&Report) -> bool) {
    let reports = std::mem::take(&mut TaskSpool::of_mut(&mut task.parts).reports);
    let (left, kept): (Vec<Report>, Vec<Report>) = reports.into_iter().partition(&which);
    TaskSpool::of_mut(&mut task.parts).reports = kept;
    for report in left {
        let disposition = if report.is_input() { "KEEP" } else { "DELETE" };
        let token = String::from_utf8_lossy(&report.token).into_owned();
        let values = [("transid", task.transid.as_str()), ("token", &token), ("disposition", disposition)];
        task.region.messages.send("DFHPS0110", &values);
        commands::release(task, &report);
        if let Err(error) = report.close(report_is_kept(disposition)) {
            tracing::error!(target: "region::spool", %error, "a report cannot be closed");
        }
    }
}

fn report_is_kept(disposition: &str) -> bool {
    disposition == "KEEP"
}
