//! Counters of the storage manager, for the storage manager, DSA and subpool reports of the statistics.

use super::dsa::Dsa;
use crate::addresses::Line;
use crate::name::Name8;
use std::time::{Duration, SystemTime};

/// Figures of one DSA.
#[derive(Clone, Copy, Debug)]
pub struct DsaStatistics {
    pub dsa: Dsa,
    /// Extents held.
    pub size: usize,
    pub size_peak: usize,
    /// In runs handed out, chunks kept for reuse not counted.
    pub used: usize,
    pub used_peak: usize,
    pub cushion: usize,
    pub free: usize,
    pub largest_free: usize,
    pub extents: usize,
    pub extents_added: u64,
    pub extents_released: u64,
    pub getmains: u64,
    pub freemains: u64,
    /// Requests refused for want of storage.
    pub no_storage: u64,
    /// Requests that suspended their task.
    pub suspended_total: u64,
    pub suspended_current: u32,
    pub violations: u64,
}

/// Figures of one line (DSALIM, EDSALIM, MEMLIMIT).
#[derive(Clone, Copy, Debug)]
pub struct LineStatistics {
    pub line: Line,
    pub limit: usize,
    pub allocated: usize,
    pub allocated_peak: usize,
    pub short_on_storage: bool,
    pub times_short: u64,
    pub time_short: Duration,
    pub last_short_at: Option<SystemTime>,
}

/// Bytes and counts of one arena.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct ArenaFigures {
    pub getmains: u64,
    pub freemains: u64,
    pub elements: u64,
    pub bytes: usize,
    pub peak_bytes: usize,
}

/// Figures of one named subpool.
#[derive(Clone, Copy, Debug)]
pub struct SubpoolStatistics {
    pub name: Name8,
    pub dsa: Dsa,
    pub figures: ArenaFigures,
}

#[derive(Clone, Debug)]
pub struct StorageStatistics {
    /// STGPROT as it is in force.
    pub protection: bool,
    pub protect_reentrant: bool,
    pub dsas: Vec<DsaStatistics>,
    pub lines: Vec<LineStatistics>,
    pub subpools: Vec<SubpoolStatistics>,
}
