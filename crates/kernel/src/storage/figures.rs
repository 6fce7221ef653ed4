//! Counters of the storage manager, for the storage manager, DSA and subpool reports of the statistics.

use super::dsa::{Dsa, Units};
use crate::addresses::Line;
use crate::name::Name8;
use std::time::{Duration, SystemTime};

/// One extent of a DSA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    pub dsa: Dsa,
    pub address: usize,
    pub length: usize,
    /// Bytes of it in runs that are handed out.
    pub used: usize,
}

/// Figures of one DSA.
#[derive(Clone, Copy, Debug)]
pub struct DsaStatistics {
    pub dsa: Dsa,
    /// Sizes of pages and extents.
    pub units: Units,
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
    pub elements_peak: u64,
    pub bytes: usize,
    pub peak_bytes: usize,
    /// Of the pages that hold the elements.
    pub page_bytes: usize,
    pub page_bytes_peak: usize,
}

impl ArenaFigures {
    pub(super) fn count_getmain(&mut self, length: usize) {
        self.getmains += 1;
        self.elements += 1;
        self.elements_peak = self.elements_peak.max(self.elements);
        self.bytes += length;
        self.peak_bytes = self.peak_bytes.max(self.bytes);
    }

    pub(super) fn count_freemain(&mut self, length: usize) {
        self.freemains += 1;
        self.elements -= 1;
        self.bytes -= length;
    }

    pub(super) fn count_pages(&mut self, taken: usize) {
        self.page_bytes += taken;
        self.page_bytes_peak = self.page_bytes_peak.max(self.page_bytes);
    }

    /// A statistics interval begins: the peaks are the present values.
    pub(super) fn begin_interval(&mut self) {
        self.elements_peak = self.elements;
        self.peak_bytes = self.bytes;
        self.page_bytes_peak = self.page_bytes;
    }
}

/// Task storage of one DSA: the task subpools of all tasks together, those that have ended included.
#[derive(Clone, Copy, Debug)]
pub struct TaskSubpoolStatistics {
    pub dsa: Dsa,
    pub getmains: u64,
    pub freemains: u64,
    pub elements: u64,
    pub bytes: usize,
    pub page_bytes: usize,
    pub page_peak_bytes: usize,
}

/// Tasks whose storage is in a subspace of a kind.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct SubspaceUsers {
    pub current: u64,
    pub total: u64,
    pub peak: u64,
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
    /// Of unique subspaces and of the common one.
    pub unique_subspaces: SubspaceUsers,
    pub common_subspace: SubspaceUsers,
    pub dsas: Vec<DsaStatistics>,
    pub lines: Vec<LineStatistics>,
    pub subpools: Vec<SubpoolStatistics>,
}
