//! Trace entries of a dump: taken from the trace table, and shown abbreviated, one line for each, or extended.

use crate::dump_sections::TraceLine;
use kernel::clock::ticks_to_duration;
use kernel::trace::TraceEntry;

/// The entries as a dump keeps them, oldest first.
pub fn taken(entries: &[TraceEntry]) -> Vec<TraceLine> {
    let first = entries.first().map_or(0, |entry| entry.ticks);
    let line = |entry: &TraceEntry| TraceLine {
        component: entry.component.name().to_string(),
        mode: entry.mode.map_or("", kernel::Mode::name).to_string(),
        number: entry.number,
        task: entry.task,
        thread: entry.thread,
        nanoseconds: ticks_to_duration(entry.ticks.saturating_sub(first)).as_nanos() as u64,
        first: entry.first,
        second: entry.second,
        text: entry.text.clone(),
    };
    entries.iter().map(line).collect()
}

fn microseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1000.0
}

/// `0000042 QR AP 00E1 READ                     000000120000002A 0000000000000011 =000123= 12.3`, the last the time since the entry before.
pub fn abbreviated(entries: &[TraceLine], number: usize) -> Vec<String> {
    let mut before = entries.first().map_or(0, |entry| entry.nanoseconds);
    let line = |(at, entry): (usize, &TraceLine)| {
        let since = microseconds(entry.nanoseconds.saturating_sub(before));
        before = entry.nanoseconds;
        let TraceLine { component, mode, number: point, task, first, second, text, .. } = entry;
        format!("{task:07} {mode:<2} {component:<2} {point:04X} {text:<24} {first:016X} {second:016X} ={:06}= {since:.1}", number + at)
    };
    entries.iter().enumerate().map(line).collect()
}

pub fn extended(entries: &[TraceLine], number: usize) -> Vec<String> {
    let lines = |(at, entry): (usize, &TraceLine)| {
        let TraceLine { component, mode, number: point, task, thread, nanoseconds, first, second, text } = entry;
        let time = microseconds(*nanoseconds);
        [
            format!("{component} {point:04X} {text}").trim_end().to_string(),
            format!("     TASK-{task:07} TCB-{mode:<2} THREAD-{thread} TIME-{time:.3} US ={:06}=", number + at),
            format!("       1-{first:016X}  2-{second:016X}"),
        ]
    };
    entries.iter().enumerate().flat_map(lines).collect()
}
