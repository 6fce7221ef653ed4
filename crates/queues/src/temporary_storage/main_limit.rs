//! TSMAINLIMIT: the limit on main storage for queues, the messages about it, and INQUIRE and SET TEMPSTORAGE.
//!
//! Rules ("SET TEMPSTORAGE", "Main temporary storage: monitoring and tuning"): 1 MB to 32 GB in whole megabytes, and no more than a quarter
//! of MEMLIMIT. A lowered limit leaves at least a quarter of itself free above the storage in use. From 75 percent on, each further five
//! percent is reported once, until usage falls below 75 percent again.

use super::TemporaryStorage;
use exec::resp2::ts_queues as resp2;
use exec::{condition, option};
use region::{Arguments, Outcome, Region, Task, raise};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use vsam::StoreError;

const MEGABYTE: u64 = 1 << 20;
const BYTES_MIN: u64 = MEGABYTE;
const BYTES_MAX: u64 = 32_768 * MEGABYTE;
const MEMLIMIT_DIVISOR: u64 = 4;
const PERCENT_TOLD_FIRST: u64 = 75;
const PERCENT_STEP: u64 = 5;
/// Represents an attempt to exceed the limit.
const EXCEEDED: u32 = 101;

#[derive(Default)]
pub struct MainLimit {
    bytes: AtomicU64,
    /// The highest percentage reported since usage was last below the first one.
    told: AtomicU32,
}

impl MainLimit {
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether this percentage must be reported now, because it was not reported before.
    fn is_news(&self, percent: u32) -> bool {
        self.told.load(Ordering::Relaxed) < percent && self.told.fetch_max(percent, Ordering::Relaxed) < percent
    }

    /// Records the present usage; returns the percentage to report, if any.
    fn used(&self, used: u64) -> Option<u32> {
        let percent = (used * 100 / self.bytes().max(1)).min(100);
        if percent < PERCENT_TOLD_FIRST {
            if self.told.load(Ordering::Relaxed) != 0 {
                self.told.store(0, Ordering::Relaxed);
            }
            return None;
        }
        // The limit itself is reported by the requests that would exceed it.
        let step = (percent / PERCENT_STEP * PERCENT_STEP).min(100 - PERCENT_STEP) as u32;
        self.is_news(step).then_some(step)
    }

    /// The limit that results from a request while this much is in use, which always leaves some storage free.
    fn lowered(now: u64, wanted: u64, used: u64) -> u64 {
        let with_room = (used + used.div_ceil(3)).next_multiple_of(MEGABYTE);
        wanted.max(with_room).min(now)
    }
}

/// The limit of the system initialization parameters.
pub(super) fn start(region: &Region) -> Result<(), StoreError> {
    let (limit, memory) = (region.sit.size("TSMAINLIMIT"), region.sit.size("MEMLIMIT"));
    if !(BYTES_MIN..=BYTES_MAX).contains(&limit) {
        return Err(StoreError::Invalid(format!("TSMAINLIMIT={} is not from 1M to 32G", region.sit.get("TSMAINLIMIT"))));
    }
    if limit > memory / MEMLIMIT_DIVISOR {
        let (limit, memory) = (region.sit.get("TSMAINLIMIT"), region.sit.get("MEMLIMIT"));
        return Err(StoreError::Invalid(format!("DFHTS1608 TSMAINLIMIT={limit} is more than a quarter of MEMLIMIT={memory}")));
    }
    TemporaryStorage::of(region).main_limit.bytes.store(limit, Ordering::Relaxed);
    Ok(())
}

impl TemporaryStorage {
    /// Reports how much of the limit is in use, if necessary. No lock of a queue is held.
    pub(super) fn tell_use(&self, region: &Region) {
        if let Some(percent) = self.main_limit.used(self.counters.main_bytes.load(Ordering::Relaxed)) {
            region.messages.send("DFHTS1601", &[("percent", &percent.to_string())]);
        }
    }

    /// A request has found main storage full.
    pub(super) fn tell_exceeded(&self, region: &Region) {
        if self.main_limit.is_news(EXCEEDED) {
            region.messages.send("DFHTS1602", &[]);
        }
    }
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let storage = &TemporaryStorage::of(task.region);
    arguments.set_integer(option::TSMAININUSE, storage.counters.main_bytes.load(Ordering::Relaxed) as i64);
    arguments.set_integer(option::TSMAINLIMIT, storage.main_limit.bytes() as i64);
    Ok(())
}

pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let storage = &TemporaryStorage::of(region);
    let Some(wanted) = arguments.integer(option::TSMAINLIMIT) else { return Ok(()) };
    let wanted = u64::try_from(wanted).unwrap_or(0);
    if !(BYTES_MIN..=BYTES_MAX).contains(&wanted) {
        return raise(condition::INVREQ, resp2::LIMIT);
    }
    let wanted = wanted / MEGABYTE * MEGABYTE;
    let limit = &storage.main_limit;
    let now = limit.bytes();
    if wanted > now && wanted > region.sit.size("MEMLIMIT") / MEMLIMIT_DIVISOR {
        return raise(condition::INVREQ, resp2::LIMIT_OF_MEMORY);
    }
    let used = storage.counters.main_bytes.load(Ordering::Relaxed);
    let new = if wanted > now { wanted } else { MainLimit::lowered(now, wanted, used) };
    limit.bytes.store(new, Ordering::Relaxed);
    storage.space_freed();
    storage.tell_use(region);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_five_percent_step_is_reported_once() {
        let limit = MainLimit { bytes: AtomicU64::new(1_000), ..MainLimit::default() };
        let told = [749, 750, 799, 760, 849, 900, 990, 1_000, 960, 755].map(|used| limit.used(used));
        assert_eq!(told, [None, Some(75), None, None, Some(80), Some(90), Some(95), None, None, None]);
        assert_eq!((limit.is_news(EXCEEDED), limit.is_news(EXCEEDED)), (true, false));
        assert_eq!((limit.used(749), limit.used(950), limit.is_news(EXCEEDED)), (None, Some(95), true));
    }

    #[test]
    fn a_lowered_limit_leaves_a_quarter_free() {
        let megabytes = |now: u64, wanted: u64, used: u64| MainLimit::lowered(now << 20, wanted << 20, used << 20) >> 20;
        assert_eq!(megabytes(64, 8, 6), 8, "two of eight are free");
        assert_eq!((megabytes(64, 7, 6), megabytes(64, 1, 12)), (8, 16));
        assert_eq!(megabytes(64, 1, 0), 1);
        assert_eq!(megabytes(64, 32, 60), 64, "less than a quarter is free now");
    }
}
