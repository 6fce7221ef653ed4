//! The dispatcher in the statistics report: the whole of it with the scan for excess TCBs, the TCB modes, the TCB pools.

use super::report::{number, percent, ratio};
use crate::Region;
use crate::clock::local_from_system;
use crate::figures::Report;
use kernel::machine::Machine;
use kernel::{DispatcherStatistics, Mode, Pool};
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

pub(super) fn write(region: &'static Region, report: &mut Report) {
    let figures = region.dispatcher.statistics();
    report.heading("Dispatcher");
    global(&figures, &mut report.text);
    report.heading("Dispatcher TCB Modes");
    modes(&figures, &mut report.text);
    report.heading("TCB CPU and Dispatch Time");
    mode_times(&figures, &mut report.text);
    report.heading("Processors");
    processors(&figures, &mut report.text);
    report.heading("Dispatcher TCB Pools");
    pools(&figures, &mut report.text);
    super::threads::write(region, &figures, report);
}

fn line(text: &mut String, title: &str, value: impl std::fmt::Display) {
    let _ = writeln!(text, "  {title:.<48}: {value:>24}");
}

/// Date and time; empty for what never was.
fn moment(time: Option<SystemTime>) -> String {
    time.map(local_from_system).map_or_else(String::new, |local| format!("{} {}", local.date_text(), local.time_text()))
}

fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{:02}:{:02}:{:02}.{:06}", seconds / 3600, seconds / 60 % 60, seconds % 60, time.subsec_micros())
}

fn global(figures: &DispatcherStatistics, text: &mut String) {
    line(text, "Dispatcher Start Date and Time", moment(Some(figures.started_at)));
    line(text, "Address Space CPU Time", duration(figures.address_space_cpu));
    line(text, "Address Space SRB Time", duration(figures.address_space_system_cpu));
    line(text, "Current number of dispatcher tasks", number(figures.tasks_current.into()));
    line(text, "Peak number of dispatcher tasks", number(figures.tasks_peak.into()));
    line(text, "Current ICV time (msec)", figures.icv.as_millis());
    line(text, "Current ICVR time (msec)", figures.runaway.as_millis());
    line(text, "Current ICVTSD time (msec)", figures.terminal_scan_delay.as_millis());
    line(text, "Current PRTYAGE time (msec)", figures.priority_aging.as_millis());
    line(text, "Current MRO (QR) Batching (MROBTCH) value", figures.mro_batch);
    line(text, "Last Excess TCB Scan", moment(figures.excess_scan_at));
    line(text, "Number of Excess TCB Scans", number(figures.excess_scans));
    line(text, "Last Excess TCB Scan - No TCB Detached", moment(figures.excess_scan_none_detached_at));
    line(text, "Excess TCB Scans - No TCB Detached", number(figures.excess_scans_none_detached));
    line(text, "Number of Excess TCBs Detached", number(figures.excess_detached));
    line(text, "Average Excess TCBs Detached per Scan", ratio(figures.excess_detached as f64, figures.excess_scans as f64));
    line(text, "Number of CICS TCB MODEs", figures.modes.len());
    line(text, "Number of CICS TCB POOLs", figures.pools.len());
    text.push('\n');
}

fn modes(figures: &DispatcherStatistics, text: &mut String) {
    let _ = writeln!(text, "  TCB       TCB   < TCBs Attached >  <- TCBs In Use ->         TCB    <-  Dispatchable Queue  ->");
    let _ = writeln!(text, "  Mode Open Pool   Current     Peak   Current     Peak    Attaches    Current     Peak   Average");
    for (mode, of) in Mode::ALL.into_iter().zip(&figures.modes) {
        let open = match of.open {
            Some(true) => "Yes",
            Some(false) => "No",
            None => "Unk",
        };
        // A mode that nobody has used is in no pool yet.
        let pool = of.open.and(of.pool).map_or("N/A", pool_name);
        let _ = write!(
            text,
            "  {:4} {open:4} {pool:4}{:>10}{:>9}{:>10}{:>9}{:>12}",
            mode.name(),
            of.attached_current,
            of.attached_peak,
            of.in_use_current,
            of.in_use_peak,
            number(of.attaches),
        );
        if mode.is_single() {
            let _ = write!(text, "{:>11}{:>9}{:>10.2}", of.queue_current, of.queue_peak, of.queue_average);
        }
        text.push('\n');
    }
    let attached: u32 = figures.modes.iter().map(|of| of.attached_current).sum();
    let in_use: u32 = figures.modes.iter().map(|of| of.in_use_current).sum();
    let attaches: u64 = figures.modes.iter().map(|of| of.attaches).sum();
    let _ = writeln!(text, "  {:14}{attached:>10}{:>9}{in_use:>10}{:>9}{:>12}\n", "Totals", "", "", number(attaches));
}

/// What the process may use, and how much of what it used the TCB modes account for.
fn processors(figures: &DispatcherStatistics, text: &mut String) {
    let captured = captured(figures);
    let machine = Machine::of_this_process();
    line(text, "Machine (LPARNAME)", machine.name);
    line(text, "Machine type (CECMCHTP)", machine.architecture);
    line(text, "Processor model (CECMDLID)", machine.model);
    line(text, "Runs on", machine.host.text());
    line(text, "Processors allowed", figures.processors.allowed);
    line(text, "Processor quota", figures.processors.quota.map_or_else(|| "None".to_string(), |quota| format!("{quota:.2}")));
    line(text, "NUMA nodes", figures.processors.nodes);
    line(text, "Worker threads", figures.workers);
    line(text, "Address Space CPU Time", duration(figures.address_space_cpu));
    line(text, "CPU time of CICS TCBs", duration(captured));
    line(text, "CPU capture ratio", percent(captured.as_micros() as u64, figures.address_space_cpu.as_micros() as u64));
    line(text, "Stack of a task (bytes)", number(figures.stacks.bytes as u64));
    line(text, "Stacks made", number(figures.stacks.stacks as u64));
    line(text, "Stacks in use", number(figures.stacks.in_use as u64));
    // An open TCB has no UNIX process of its own that could be released when it goes back to its pool.
    line(text, "UNIX processes released", number(0));
    text.push('\n');
}

/// What tasks used under the TCB modes. The rest of the address space's time is that of listeners, of the log, of the store, and of the
/// dispatcher between two tasks.
fn captured(figures: &DispatcherStatistics) -> Duration {
    figures.modes.iter().map(|of| of.cpu).sum()
}

/// The modes that were used. A low ratio of the CPU time to the dispatch time of QR says that the system keeps it from running.
fn mode_times(figures: &DispatcherStatistics, text: &mut String) {
    let _ = writeln!(text, "  TCB    Change Mode     TCB Dispatch Time          TCB CPU Time    CPU/Dispatch");
    let _ = writeln!(text, "  Mode      Requests                                                       Ratio");
    for (mode, of) in Mode::ALL.into_iter().zip(&figures.modes).filter(|(_, of)| of.open.is_some()) {
        let ratio = percent(of.cpu.as_micros() as u64, of.dispatch.as_micros() as u64);
        let _ = writeln!(
            text,
            "  {:4}{:>14}{:>22}{:>22}{ratio:>16}",
            mode.name(),
            number(of.switches),
            duration(of.dispatch),
            duration(of.cpu)
        );
    }
    text.push('\n');
}

fn pool_name(pool: Pool) -> &'static str {
    match pool {
        Pool::Open => "Open",
        of => of.name(),
    }
}

/// All four, used or not.
fn pools(figures: &DispatcherStatistics, text: &mut String) {
    for (pool, of) in Pool::ALL.into_iter().zip(&figures.pools) {
        let limit = match pool {
            Pool::Open => "Max TCB Pool limit (MAXOPENTCBS)",
            Pool::Ssl => "Max TCB Pool limit (MAXSSLTCBS)",
            Pool::Xp => "Max TCB Pool limit (MAXXPTCBS)",
            Pool::Thrd => "Max TCB Pool limit",
        };
        line(text, "TCB Pool", pool.name());
        line(text, "Current TCBs attached in this TCB Pool", number(of.attached_current.into()));
        line(text, "Peak TCBs attached in this TCB Pool", number(of.attached_peak.into()));
        line(text, limit, number(of.limit.into()));
        line(text, "Time Max TCB Pool Limit last reached", moment(of.limit_reached_at));
        line(text, "Total Requests delayed by Max TCB Pool Limit", number(of.delayed_total));
        line(text, "Total Max TCB Pool Limit delay time", duration(of.delay_total));
        line(text, "Current Requests delayed by Max TCB Pool Limit", number(of.delayed_current.into()));
        line(text, "Current Max TCB Pool Limit delay time", duration(of.delay_current));
        line(text, "Peak Requests delayed by Max TCB Pool Limit", number(of.delayed_peak.into()));
        text.push('\n');
    }
}
