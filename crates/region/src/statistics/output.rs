//! Statistics records as they are written: lines of the file, and XSTOUT, the exit point before them.

use super::recording::{self, Reason, hhmmss_of};
use crate::clock::{Date, local_from_system};
use crate::control_blocks::record::Record;
use crate::name::{Name4, Name8};
use crate::{ExitArgument, Region, Task};
use exec::exit_point;
use serde_json::json;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use vsam::disk::private;

/// Where statistics are written, in the data directory.
pub const DIRECTORY: &str = "statistics";
pub const FILE: &str = "DFHSTATS";
/// Bytes of the records that an exit program gets at a time, unless one alone has more.
const BUFFER_BYTES_MAX: usize = 32_767;

/// Why and when records were collected.
#[derive(Clone, Copy)]
pub struct Collected {
    pub reason: Reason,
    /// The recording interval, and the number of those that have ended.
    pub interval: Duration,
    pub interval_number: u32,
}

/// The task that has asked for the records.
struct Requester {
    transid: Name4,
    user_id: Name8,
    terminal: Name4,
    program: Name8,
}

impl Requester {
    /// The task that runs on this thread.
    fn current(region: &Region) -> Option<Requester> {
        let number = kernel::current()?.number();
        let shared = region.transactions().task(number)?;
        Some(Requester {
            transid: shared.transid,
            user_id: shared.user_id,
            terminal: shared.facility.terminal().map_or(Name4::BLANK, |terminal| terminal.name()),
            program: shared.program.get(),
        })
    }
}

/// Records of one collection, each a line.
pub struct Batch {
    lines: Vec<String>,
    at: SystemTime,
    collected: Collected,
    requester: Option<Requester>,
}

impl Batch {
    pub fn of(region: &Region, records: &[Record], since: SystemTime, collected: Collected) -> Batch {
        let moment = |time: SystemTime| {
            let local = local_from_system(time);
            format!("{} {}", local.date_text(), local.time_text())
        };
        let (at, applid) = (SystemTime::now(), region.applid.to_string());
        let (at_text, since) = (moment(at), moment(since));
        let line = |record: &Record| {
            let line = json!({
                "at": at_text, "since": since, "applid": applid, "reason": collected.reason.name(),
                "stid": record.structure.identifier, "record": record.structure.name, "name": record.name, "fields": record.json(),
            });
            format!("{line}\n")
        };
        let is_requested = matches!(collected.reason, Reason::Requested | Reason::RequestedReset);
        let requester = if is_requested { Requester::current(region) } else { None };
        Batch { lines: records.iter().map(line).collect(), at, collected, requester }
    }

    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Writes what the exit programs at XSTOUT let pass, in the task of the region that calls them.
    pub fn pass_exits(self, region: &'static Region) {
        region.at_exit_point(exit_point::XSTOUT, move |task| match task {
            None => recording::put_later(region, &self.lines, self.collected.reason),
            Some(task) => {
                for buffer in buffers(&self.lines) {
                    if self.is_wanted(task, buffer) {
                        recording::put_later(region, buffer, self.collected.reason);
                    }
                }
            }
        });
    }

    fn is_wanted(&self, task: &mut Task, lines: &[String]) -> bool {
        let point = exit_point::XSTOUT;
        if !task.has_exit(point) {
            return true;
        }
        let page = &task.region.code_page;
        let records = page.encode(&lines.concat());
        let at = local_from_system(self.at);
        let Date { year, month, day, .. } = at.date();
        let is_interval = self.collected.reason == Reason::Interval;
        let interval = if is_interval { hhmmss_of(self.collected.interval.as_secs() as u32) } else { 0 };
        let text = |text: String| ExitArgument::bytes(&page.encode(&text));
        let number = |number: u32| ExitArgument::bytes(&number.to_be_bytes());
        let requester = self.requester.as_ref();
        let name4 = |name: Option<Name4>| name.map_or(ExitArgument::Absent, |name| ExitArgument::bytes(&page.encode_name(&name)));
        let name8 = |name: Option<Name8>| name.map_or(ExitArgument::Absent, |name| ExitArgument::bytes(&page.encode_name(&name)));
        let mut arguments = task.exit_arguments(point, |parameter| {
            Some(match parameter {
                "UEPTRANID" => name4(requester.map(|requester| requester.transid)),
                "UEPUSER" => name8(requester.map(|requester| requester.user_id)),
                "UEPTERM" => name4(requester.map(|requester| requester.terminal).filter(|name| !name.is_blank())),
                "UEPPROG" => name8(requester.map(|requester| requester.program)),
                "UEPSTATS" => ExitArgument::bytes(&records),
                "UEPSRLEN" => number(records.len() as u32),
                "UEPSTYPE" => text(self.collected.reason.name().to_string()),
                "UEPSDATE" => text(format!("{month:02}{day:02}{:02}", year % 100)),
                "UEPSCLD" => text(format!("{month:02}{day:02}{year:04}")),
                "UEPSTIME" => text(format!("{:06}", at.hhmmss())),
                "UEPSIVAL" => text(format!("{interval:06}")),
                "UEPSIVN" => number(if is_interval { self.collected.interval_number } else { 0 }),
                _ => return None,
            })
        });
        task.call_exit(point, &mut arguments).map_or(true, |code| !code.is("UERCBYP"))
    }
}

/// The lines, in groups of at most [`BUFFER_BYTES_MAX`] bytes.
fn buffers(lines: &[String]) -> Vec<&[String]> {
    let (mut all, mut begin, mut bytes) = (Vec::new(), 0, 0);
    for (at, line) in lines.iter().enumerate() {
        if at > begin && bytes + line.len() > BUFFER_BYTES_MAX {
            all.push(&lines[begin..at]);
            (begin, bytes) = (at, 0);
        }
        bytes += line.len();
    }
    if begin < lines.len() {
        all.push(&lines[begin..]);
    }
    all
}

/// Adds lines to the file; their bytes.
pub fn append(region: &Region, lines: &[String]) -> std::io::Result<u64> {
    let directory: PathBuf = region.data_directory.join(DIRECTORY);
    private::create_directory(&directory)?;
    let text = lines.concat();
    private::open(private::open_options().create(true).append(true), &directory.join(FILE))?.write_all(text.as_bytes())?;
    Ok(text.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_given_in_buffers_of_whole_lines() {
        let line = |length: usize| "x".repeat(length);
        let full = [line(BUFFER_BYTES_MAX - 1), line(1)];
        assert_eq!(buffers(&full).len(), 1);
        let more = [line(BUFFER_BYTES_MAX - 1), line(2), line(BUFFER_BYTES_MAX * 2), line(1)];
        let lengths: Vec<usize> = buffers(&more).iter().map(|buffer| buffer.len()).collect();
        assert_eq!(lengths, [1, 1, 1, 1]);
        assert!(buffers(&[]).is_empty());
    }
}
