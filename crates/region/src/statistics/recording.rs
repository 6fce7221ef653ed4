//! The statistics domain: when statistics are recorded and reset, and where they are written.
//!
//! A record is a line of the file `statistics/DFHSTATS` in the data directory. Kinds (Monitoring, "Types of statistics data"): INT at the end of an
//! interval, EOD at the end of the day and of the region, REQ on request, RRT by a requested reset, USS when a resource is closed.
//!
//! Invariants: intervals are aligned so that a whole number of them is left until the end of the day; at the end of the day statistics are
//! recorded and reset whether recording is on or not; the base of a reset is exactly what it has recorded, unless the operator asks for a
//! reset alone. Locks are taken in this order: the file, the counts at the last reset, the owners and the domain's state. Recordings wait
//! for each other at the file, so their lines stay together and in order; nothing else waits for a write.

use super::output::{self, Batch, Collected};
use super::{one, present};
use crate::Region;
use crate::clock::now_local;
use crate::control_blocks::record::{Baseline, Record};
use crate::figures::{Reading, ResourceType};
use exec::exit_point;
use kernel::{Peaks, TimerId};
use parking_lot::{Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

pub const SECONDS_PER_DAY: u32 = 86_400;
/// An interval has at least a minute.
pub const INTERVAL_SECONDS_MIN: u32 = 60;

/// Why statistics are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    Interval,
    EndOfDay,
    Requested,
    RequestedReset,
    Unsolicited,
}

impl Reason {
    pub(super) fn name(self) -> &'static str {
        match self {
            Reason::Interval => "INT",
            Reason::EndOfDay => "EOD",
            Reason::Requested => "REQ",
            Reason::RequestedReset => "RRT",
            Reason::Unsolicited => "USS",
        }
    }
}

/// The settings of INQUIRE and SET STATISTICS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub recording: bool,
    pub interval_seconds: u32,
    /// Of the local day.
    pub end_of_day_seconds: u32,
}

impl Settings {
    /// Seconds from a moment of the day to the end of the interval, and whether that is the end of the day.
    fn next_after(self, seconds_of_day: u32) -> (u32, bool) {
        let to_end = (self.end_of_day_seconds + SECONDS_PER_DAY - seconds_of_day - 1) % SECONDS_PER_DAY + 1;
        if !self.recording {
            return (to_end, true);
        }
        let to_interval = (to_end - 1) % self.interval_seconds + 1;
        (to_interval, to_interval == to_end)
    }
}

/// hhmmss as seconds; `None` if it is not a time of day (24:00:00 counts as one).
pub fn seconds_of(hhmmss: i64) -> Option<u32> {
    let (hours, minutes, seconds) = (hhmmss / 10_000, hhmmss / 100 % 100, hhmmss % 100);
    let total = hours * 3600 + minutes * 60 + seconds;
    let is_time = hhmmss >= 0 && minutes < 60 && seconds < 60 && total <= i64::from(SECONDS_PER_DAY);
    is_time.then_some(total as u32)
}

/// Seconds as hhmmss.
pub fn hhmmss_of(seconds: u32) -> i64 {
    i64::from(seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60)
}

/// The domain's counters of its own work.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    collections: u64,
    written: u64,
    bytes: u64,
    errors: u64,
    by_reason: [u64; 5],
}

struct State {
    settings: Settings,
    last_reset: SystemTime,
    /// When statistics are recorded next, in seconds of the local day.
    next_seconds: u32,
    timer: Option<TimerId>,
    counts: Counts,
    /// Intervals that have ended.
    intervals: u32,
    /// Transactions attached until the last reset.
    transactions_before: u64,
    ended: bool,
}

/// This domain's part of the region.
#[derive(Default)]
pub struct Statistics {
    state: Mutex<State>,
    /// The counters at the last reset. A comparison holds the lock while it reads the counters.
    baseline: Mutex<Baseline>,
    file: Mutex<()>,
}

impl Default for State {
    fn default() -> Self {
        State {
            settings: Settings { recording: false, interval_seconds: INTERVAL_SECONDS_MIN, end_of_day_seconds: 0 },
            last_reset: SystemTime::now(),
            next_seconds: 0,
            timer: None,
            counts: Counts::default(),
            intervals: 0,
            transactions_before: 0,
            ended: false,
        }
    }
}

impl Statistics {
    /// STATRCD, STATINT and STATEOD.
    pub fn configure(&self, recording: bool, interval: u32, end_of_day: u32) {
        let seconds = |hhmmss: u32| seconds_of(hhmmss.into()).unwrap_or(0);
        self.state.lock().settings = Settings {
            recording,
            interval_seconds: seconds(interval).max(INTERVAL_SECONDS_MIN),
            end_of_day_seconds: seconds(end_of_day) % SECONDS_PER_DAY,
        };
    }

    pub fn settings(&self) -> Settings {
        self.state.lock().settings
    }

    pub fn last_reset(&self) -> SystemTime {
        self.state.lock().last_reset
    }

    pub fn next_seconds(&self) -> u32 {
        self.state.lock().next_seconds
    }

    pub fn transactions_before(&self) -> u64 {
        self.state.lock().transactions_before
    }

    /// The record as it is since the last reset.
    pub fn since_reset(&self, read: impl FnOnce() -> Option<Record>) -> Option<Record> {
        let baseline = self.baseline.lock();
        read().map(|record| record.since_reset(&baseline))
    }

    /// The domain's own record, since the last reset.
    pub fn own(&self, region: &Region) -> Record {
        let state = self.state.lock();
        let [interval, end_of_day, requested, reset, unsolicited] = state.counts.by_reason;
        let day = state.settings.end_of_day_seconds;
        Record::new("DFHSTGDS", "")
            .number("STGNC", state.counts.collections)
            .number("STGSMFW", state.counts.written)
            .number("STGLDW", state.counts.bytes)
            .number("STGSMFE", state.counts.errors)
            .number("STGINTR", interval)
            .number("STGEODR", end_of_day)
            .number("STGUSSR", unsolicited)
            .number("STGREQR", requested)
            .number("STGRRTR", reset)
            .time_local("STGCSTRT", Some(region.started_at()))
            .time_local("STGLRT", Some(state.last_reset))
            .interval("STGINTVL", Duration::from_secs(state.settings.interval_seconds.into()))
            .text("STGEODT", format!("{:02}:{:02}:{:02}", day / 3600, day / 60 % 60, day % 60))
            .number("STGSTRCD", u8::from(state.settings.recording))
    }
}

/// Begins the first interval.
pub fn begin(region: &'static Region) {
    arm(region);
}

/// Sets the timer for the end of the present interval.
fn arm(region: &'static Region) {
    let mut state = region.statistics().state.lock();
    if let Some(timer) = state.timer.take() {
        region.dispatcher.cancel(timer);
    }
    if state.ended {
        return;
    }
    let now = now_local();
    let (seconds, is_end_of_day) = state.settings.next_after(now.seconds_of_day());
    state.next_seconds = (now.seconds_of_day() + seconds) % SECONDS_PER_DAY;
    let into_second = (now.milliseconds_of_day() % 1000) as u64;
    let delay = Duration::from_millis(u64::from(seconds) * 1000 - into_second);
    let timer = region.dispatcher.after(delay, move || {
        region.dispatcher.spawn_blocking(move || {
            let reason = if is_end_of_day { Reason::EndOfDay } else { Reason::Interval };
            record_and_reset(region, reason);
            arm(region);
        });
    });
    state.timer = Some(timer);
}

/// Applies SET STATISTICS; the current interval is adjusted.
pub fn change(region: &'static Region, settings: Settings) {
    region.statistics().state.lock().settings = settings;
    arm(region);
}

/// At an orderly end of the region its statistics are those of the end of a day.
pub fn shutdown(region: &'static Region) {
    record(region, &ResourceType::ALL, Reason::EndOfDay);
    let mut state = region.statistics().state.lock();
    state.ended = true;
    if let Some(timer) = state.timer.take() {
        region.dispatcher.cancel(timer);
    }
}

/// Writes the statistics of resource types. False if they could not be written.
pub fn record(region: &'static Region, types: &[ResourceType], reason: Reason) -> bool {
    let file = region.statistics().file.lock();
    let since = region.statistics().last_reset();
    let records: Vec<Record> = {
        let baseline = region.statistics().baseline.lock();
        let reading = Reading::new(region, Peaks::Keep);
        types.iter().flat_map(|of| present(&reading, *of)).map(|record| record.since_reset(&baseline)).collect()
    };
    write(region, file, &records, since, reason)
}

/// Writes all statistics and resets them to the written values. False if they could not be written: then they are lost.
pub fn record_and_reset(region: &'static Region, reason: Reason) -> bool {
    let file = region.statistics().file.lock();
    let since = region.statistics().last_reset();
    let records = begin_anew(region);
    write(region, file, &records, since, reason)
}

/// Resets all counters; peaks are set to the present values.
pub fn reset(region: &'static Region) {
    begin_anew(region);
}

/// The counts until now, from the one reading that is the base of the next interval.
fn begin_anew(region: &'static Region) -> Vec<Record> {
    let mut baseline = region.statistics().baseline.lock();
    let reading = Reading::new(region, Peaks::Begin);
    let present: Vec<Record> = ResourceType::ALL.iter().flat_map(|of| present(&reading, *of)).collect();
    let written = present.iter().map(|record| record.clone().since_reset(&baseline)).collect();
    baseline.clear();
    present.iter().for_each(|record| record.reset(&mut baseline));
    let attached = present.iter().find_map(|record| record.get("XMGNUM")).unwrap_or(0);
    let mut state = region.statistics().state.lock();
    state.transactions_before = attached;
    state.last_reset = SystemTime::now();
    written
}

/// A resource is closed: its counts are written and reset.
pub fn unsolicited(region: &'static Region, read: impl FnOnce(&Reading) -> Record) {
    write_unsolicited(region, |baseline| {
        let present = read(&Reading::new(region, Peaks::Keep));
        let written = present.clone().since_reset(baseline);
        present.reset(baseline);
        Some(written)
    });
}

/// A resource is removed: its counts are written; a new one of its name counts from zero. `go` removes it and returns its counts, or that
/// it stays.
pub fn unsolicited_at_end(region: &'static Region, go: impl FnOnce(&Reading) -> Option<Record>) {
    write_unsolicited(region, |baseline| {
        let last = go(&Reading::new(region, Peaks::Keep))?;
        let written = last.clone().since_reset(baseline);
        last.forget(baseline);
        Some(written)
    });
}

/// As `unsolicited_at_end` for a resource of a type, if one of that name exists.
pub fn replaced<R>(region: &'static Region, of: ResourceType, name: &str, replace: impl FnOnce() -> Option<R>) -> Option<R> {
    let mut done = None;
    unsolicited_at_end(region, |reading| {
        let last = one(reading, of, name);
        done = replace();
        last.filter(|_| done.is_some())
    });
    done
}

fn write_unsolicited(region: &'static Region, take: impl FnOnce(&mut Baseline) -> Option<Record>) {
    let statistics = &region.statistics();
    let file = statistics.file.lock();
    let since = statistics.last_reset();
    let taken = take(&mut statistics.baseline.lock());
    if let Some(record) = taken
        && !statistics.state.lock().ended
    {
        write(region, file, &[record], since, Reason::Unsolicited);
    }
}

/// Writes records of the counts since a point in time, or lets exit programs see them first: then they are written later. The caller has the
/// lock of the file until here.
fn write(region: &'static Region, file: MutexGuard<'_, ()>, records: &[Record], since: SystemTime, reason: Reason) -> bool {
    let statistics = region.statistics();
    let interval_number = {
        let mut state = statistics.state.lock();
        if matches!(reason, Reason::Interval | Reason::EndOfDay) {
            state.counts.collections += 1;
        }
        if reason == Reason::Interval {
            state.intervals += 1;
        }
        state.intervals
    };
    let interval = Duration::from_secs(statistics.settings().interval_seconds.into());
    let batch = Batch::of(region, records, since, Collected { reason, interval, interval_number });
    if region.extensions.exits.is_active(exit_point::XSTOUT) {
        drop(file);
        batch.pass_exits(region);
        return true;
    }
    put(region, &file, batch.lines(), reason)
}

/// Writes lines that exit programs have let pass.
pub(super) fn put_later(region: &Region, lines: &[String], reason: Reason) {
    let file = region.statistics().file.lock();
    put(region, &file, lines, reason);
}

fn put(region: &Region, _file: &MutexGuard<'_, ()>, lines: &[String], reason: Reason) -> bool {
    let written = output::append(region, lines);
    let mut state = region.statistics().state.lock();
    match &written {
        Ok(bytes) => {
            state.counts.written += lines.len() as u64;
            state.counts.bytes += bytes;
            state.counts.by_reason[reason as usize] += lines.len() as u64;
        }
        Err(error) => {
            state.counts.errors += 1;
            tracing::error!(target: "region::statistics", %error, "statistics could not be written");
        }
    }
    written.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of SET STATISTICS: ENDOFDAY(000000), INTERVALHRS(03), then INTERVAL(020000), then ENDOFDAYHRS(17).
    #[test]
    fn a_whole_number_of_intervals_is_left_until_the_end_of_the_day() {
        let hour = 3600;
        let settings = |interval: u32, end_of_day: u32| Settings {
            recording: true,
            interval_seconds: interval * hour,
            end_of_day_seconds: end_of_day * hour,
        };
        assert_eq!(settings(3, 0).next_after(8 * hour), (hour, false));
        assert_eq!(settings(3, 0).next_after(9 * hour), (3 * hour, false));
        assert_eq!(settings(2, 0).next_after(9 * hour), (hour, false));
        assert_eq!(settings(2, 17).next_after(12 * hour + 1), (hour - 1, false));
        assert_eq!(settings(2, 17).next_after(15 * hour), (2 * hour, true));
        assert_eq!(settings(3, 0).next_after(0), (3 * hour, false));
        assert_eq!(settings(24, 0).next_after(0), (24 * hour, true));
        let off = Settings { recording: false, ..settings(3, 0) };
        assert_eq!(off.next_after(20 * hour), (4 * hour, true));
    }

    #[test]
    fn times_are_hhmmss() {
        assert_eq!((seconds_of(30_000), seconds_of(240_000), seconds_of(235_959)), (Some(10_800), Some(86_400), Some(86_399)));
        assert_eq!((seconds_of(240_001), seconds_of(6000), seconds_of(60), seconds_of(-1)), (None, None, None, None));
        assert_eq!((hhmmss_of(10_800), hhmmss_of(86_399)), (30_000, 235_959));
    }
}
