//! The region clock: processor ticks for accounting (about 10 ns to read), nanoseconds for timers, wall time for reports.
//!
//! Invariants: all three are views of one counter, so they never disagree; ticks never run backward on one thread. Where the
//! processor has no invariant time stamp counter, a tick is a nanosecond of CLOCK_MONOTONIC.
//!
//! `unsafe` here is the counter instruction, `cpuid`, and `clock_gettime` and `getrusage` into a local variable; none of them takes any
//! other address. The tests below cover it; Miri, which has no such counter, runs them on CLOCK_MONOTONIC.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, SystemTime};

struct Calibration {
    base_ticks: u64,
    base_wall: SystemTime,
    base_unix_ns: u64,
    /// Nanoseconds of a tick, times 2^32.
    scale: u64,
}

static CALIBRATION: OnceLock<Calibration> = OnceLock::new();
/// 0 unknown, 1 time stamp counter, 2 CLOCK_MONOTONIC.
static SOURCE: AtomicU8 = AtomicU8::new(0);

const SOURCE_COUNTER: u8 = 1;
const SOURCE_SYSTEM: u8 = 2;

/// The present reading of the counter.
#[inline]
pub fn ticks() -> u64 {
    match SOURCE.load(Ordering::Relaxed) {
        SOURCE_COUNTER => counter(),
        SOURCE_SYSTEM => system_ns(libc::CLOCK_MONOTONIC),
        _ => first_ticks(),
    }
}

#[cold]
fn first_ticks() -> u64 {
    let source = if counter_is_invariant() { SOURCE_COUNTER } else { SOURCE_SYSTEM };
    SOURCE.store(source, Ordering::Relaxed);
    ticks()
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
fn counter() -> u64 {
    unsafe { core::arch::x86_64::_rdtsc() }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn counter_is_invariant() -> bool {
    use core::arch::x86_64::__cpuid;
    __cpuid(0x8000_0000).eax >= 0x8000_0007 && __cpuid(0x8000_0007).edx & (1 << 8) != 0
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn counter() -> u64 {
    system_ns(libc::CLOCK_MONOTONIC)
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn counter_is_invariant() -> bool {
    false
}

fn system_ns(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Seconds since 1970 UTC as of the system's last timer interrupt: at most some milliseconds old, and cheap to read (about 5 ns).
pub fn coarse_unix_seconds() -> i64 {
    #[cfg(target_os = "linux")]
    const CLOCK: libc::clockid_t = libc::CLOCK_REALTIME_COARSE;
    #[cfg(not(target_os = "linux"))]
    const CLOCK: libc::clockid_t = libc::CLOCK_REALTIME;
    (system_ns(CLOCK) / 1_000_000_000) as i64
}

/// CPU time of the calling thread in nanoseconds (about 300 ns to read).
pub fn thread_cpu_ns() -> u64 {
    system_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// CPU time of another thread of this process by its CPU clock.
pub(crate) fn cpu_clock_ns(clock: libc::clockid_t) -> u64 {
    system_ns(clock)
}

/// User and system CPU time of the process.
pub fn process_cpu() -> (Duration, Duration) {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let time = |value: libc::timeval| Duration::new(value.tv_sec as u64, value.tv_usec as u32 * 1000);
    (time(usage.ru_utime), time(usage.ru_stime))
}

/// User and system CPU time of the children that have ended and been waited for, in nanoseconds.
pub fn children_cpu_ns() -> u64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage) };
    let time = |value: libc::timeval| value.tv_sec as u64 * 1_000_000_000 + value.tv_usec as u64 * 1000;
    time(usage.ru_utime) + time(usage.ru_stime)
}

fn calibration() -> &'static Calibration {
    CALIBRATION.get_or_init(calibrate)
}

/// Reads counter and system clock as close together as a few tries allow.
fn paired_reading() -> (u64, u64) {
    let mut best = (u64::MAX, 0, 0);
    for _ in 0..16 {
        let before = ticks();
        let system = system_ns(libc::CLOCK_MONOTONIC);
        let after = ticks();
        if after - before < best.0 {
            best = (after - before, before + (after - before) / 2, system);
        }
    }
    (best.1, best.2)
}

fn calibrate() -> Calibration {
    let (first_ticks, first_ns) = paired_reading();
    let base_wall = SystemTime::now();
    let base_unix_ns = base_wall.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    if SOURCE.load(Ordering::Relaxed) == SOURCE_SYSTEM {
        return Calibration { base_ticks: first_ticks, base_wall, base_unix_ns, scale: 1 << 32 };
    }
    std::thread::sleep(Duration::from_millis(10));
    let (last_ticks, last_ns) = paired_reading();
    assert!(last_ticks > first_ticks);
    let scale = (((last_ns - first_ns) as u128) << 32) / (last_ticks - first_ticks) as u128;
    Calibration { base_ticks: first_ticks, base_wall, base_unix_ns, scale: scale as u64 }
}

/// A difference of two readings in nanoseconds.
pub fn ticks_to_ns(ticks: u64) -> u64 {
    ((ticks as u128 * calibration().scale as u128) >> 32) as u64
}

/// A difference of two readings as a duration.
pub fn ticks_to_duration(ticks: u64) -> Duration {
    Duration::from_nanos(ticks_to_ns(ticks))
}

/// The number of ticks in a duration, rounded up, limited to u64::MAX.
pub fn duration_to_ticks(duration: Duration) -> u64 {
    let scale = calibration().scale as u128;
    let ticks = duration.as_nanos().saturating_mul(1 << 32).div_ceil(scale);
    ticks.min(u64::MAX as u128) as u64
}

/// Nanoseconds on the region clock: since the first use of the clock in this process.
pub fn now_ns() -> u64 {
    let calibration = calibration();
    ticks_to_ns(ticks().saturating_sub(calibration.base_ticks))
}

/// The present time in nanoseconds since 1970 UTC, for trace (about 15 ns).
#[inline]
pub fn unix_ns() -> u64 {
    let calibration = calibration();
    calibration.base_unix_ns + ticks_to_ns(ticks().saturating_sub(calibration.base_ticks))
}

/// The wall time of a reading.
pub fn ticks_to_wall(ticks: u64) -> SystemTime {
    let calibration = calibration();
    calibration.base_wall + ticks_to_duration(ticks.saturating_sub(calibration.base_ticks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_system_clock() {
        let (start, system) = (now_ns(), system_ns(libc::CLOCK_MONOTONIC));
        std::thread::sleep(Duration::from_millis(50));
        let (elapsed, expected) = (now_ns() - start, system_ns(libc::CLOCK_MONOTONIC) - system);
        let difference = elapsed.abs_diff(expected);
        assert!(difference < 2_000_000, "clock {elapsed} ns, system {expected} ns");
    }

    #[test]
    fn the_coarse_clock_is_not_a_second_behind() {
        let unix_seconds = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() as i64;
        let (before, coarse, after) = (unix_seconds(), coarse_unix_seconds(), unix_seconds());
        assert!((before - 1..=after).contains(&coarse), "{before} {coarse} {after}");
    }

    #[test]
    fn conversions_round_up_to_ticks() {
        let ticks = duration_to_ticks(Duration::from_millis(5));
        assert!(ticks_to_ns(ticks).abs_diff(5_000_000) < 1_000);
        assert_eq!(duration_to_ticks(Duration::ZERO), 0);
        assert_eq!(duration_to_ticks(Duration::MAX), u64::MAX);
    }
}
