//! State of a storage manager: DSAs within the limits of their lines, and the subpools over them.
//!
//! Invariants: the extents counted as allocated of a line are those its DSAs hold or are about to take, and never exceed
//! the limit by a new one; a refusal leaves the line short on storage until something of it is freed; whoever waits
//! registered before its last try, so a shortage that ends resumes it. Locks are taken one at a time.

use super::arena::{Arena, ArenaFigures};
use super::dsa::{NoPages, Pages};
use super::figures::{DsaStatistics, LineStatistics};
use super::{DSA_COUNT, Dsa, Line, StorageConfig, StorageError};
use crate::dispatcher::Waker;
use crate::inquire::Peaks;
use crate::name::Name8;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// One line: the extents of its DSAs against the limit.
#[derive(Debug)]
pub(crate) struct LineState {
    pub limit: AtomicUsize,
    pub allocated: AtomicUsize,
    pub allocated_peak: AtomicU64,
    pub short: AtomicBool,
    shortage: Mutex<Shortage>,
    pub waiters: Mutex<Vec<Waker>>,
    pub has_waiters: AtomicBool,
}

/// Times short on storage, ticks in the ended ones, and start of the last one.
#[derive(Default, Debug)]
struct Shortage {
    times: u64,
    ticks: u64,
    since: u64,
}

/// One DSA: its pages, chunks kept for reuse, and counts.
#[derive(Debug)]
pub(crate) struct DsaState {
    pub pages: Mutex<Pages>,
    /// Chunks kept for reuse, with their pages resident.
    pub chunks: Mutex<Vec<usize>>,
    pub getmains: AtomicU64,
    pub freemains: AtomicU64,
    pub no_storage: AtomicU64,
    pub suspended_total: AtomicU64,
    pub suspended_current: AtomicU64,
    pub violations: AtomicU64,
}

/// State shared by all clones and all task storage.
#[derive(Debug)]
pub(crate) struct Shared {
    pub lines: [LineState; 3],
    pub dsas: [DsaState; DSA_COUNT],
    // Boxed, because task storage holds them boxed and only the pointers move.
    #[allow(clippy::vec_box)]
    pub arenas: Mutex<Vec<Box<Arena>>>,
    pub subpools: Mutex<Vec<Arc<SubpoolState>>>,
    pub protected: bool,
    pub protect_reentrant: bool,
}

/// Arenas kept for reuse.
const SPARE_ARENAS_MAX: usize = 4096;

impl DsaState {
    fn new(dsa: Dsa) -> DsaState {
        DsaState {
            pages: Mutex::new(Pages::new(dsa)),
            chunks: Mutex::default(),
            getmains: AtomicU64::new(0),
            freemains: AtomicU64::new(0),
            no_storage: AtomicU64::new(0),
            suspended_total: AtomicU64::new(0),
            suspended_current: AtomicU64::new(0),
            violations: AtomicU64::new(0),
        }
    }
}

impl Shared {
    pub fn new(config: &StorageConfig, protected: bool) -> Shared {
        let below_2g_max = (0x8000_0000u64 - 0x0100_0000).min(config.edsa_limit);
        Shared {
            lines: [LineState::new(config.dsa_limit.min(0x0100_0000)), LineState::new(below_2g_max), LineState::new(config.memory_limit)],
            dsas: Dsa::ALL.map(DsaState::new),
            arenas: Mutex::default(),
            subpools: Mutex::default(),
            protected,
            protect_reentrant: config.protect_reentrant,
        }
    }

    pub fn limit_of(&self, line: Line) -> usize {
        self.lines[line as usize].limit.load(Ordering::Relaxed)
    }

    /// A chunk of the DSA, with resident pages if one was used before.
    pub fn take_chunk(&self, dsa: Dsa, system: bool) -> Result<usize, StorageError> {
        if let Some(chunk) = self.dsas[dsa as usize].chunks.lock().pop() {
            return Ok(chunk);
        }
        self.take_pages(dsa, dsa.chunk_bytes(), system).map(|(address, _)| address)
    }

    pub fn give_back_chunks(&self, dsa: Dsa, chunks: &mut Vec<usize>) {
        if chunks.is_empty() {
            return;
        }
        self.dsas[dsa as usize].chunks.lock().append(chunks);
        self.storage_freed(dsa.line());
    }

    /// A run of pages of at least the length; returns its address and its length.
    pub fn take_pages(&self, dsa: Dsa, length: usize, system: bool) -> Result<(usize, usize), StorageError> {
        if let Some(run) = self.try_take_pages(dsa, length, system) {
            return Ok(run);
        }
        // What other DSAs of the line and the reuse lists keep without need may be enough.
        self.trim(dsa.line());
        if let Some(run) = self.try_take_pages(dsa, length, system) {
            return Ok(run);
        }
        self.dsas[dsa as usize].no_storage.fetch_add(1, Ordering::Relaxed);
        self.lines[dsa.line() as usize].begin_shortage();
        Err(StorageError::NoStorage(dsa))
    }

    fn try_take_pages(&self, dsa: Dsa, length: usize, system: bool) -> Option<(usize, usize)> {
        let line = &self.lines[dsa.line() as usize];
        let mut pages = self.dsas[dsa as usize].pages.lock();
        let rounded = pages.round(length);
        let needed = match pages.take(rounded) {
            Ok(address) => return Some((address, rounded)),
            Err(NoPages::NeedsExtents(needed)) => needed,
        };
        let kept = if system { 0 } else { dsa.cushion_bytes() };
        if !line.reserve(needed, kept) {
            return None;
        }
        if !pages.add_extents(needed) {
            line.allocated.fetch_sub(needed, Ordering::SeqCst);
            return None;
        }
        pages.take(rounded).ok().map(|address| (address, rounded))
    }

    pub fn give_back_pages(&self, dsa: Dsa, address: usize, length: usize) {
        self.dsas[dsa as usize].pages.lock().give_back(address, length);
        self.storage_freed(dsa.line());
    }

    /// Returns what the line holds and does not use to the address space.
    pub fn trim(&self, line: Line) {
        for dsa in Dsa::ALL.into_iter().filter(|dsa| dsa.line() == line) {
            let state = &self.dsas[dsa as usize];
            let chunks = std::mem::take(&mut *state.chunks.lock());
            let mut pages = state.pages.lock();
            chunks.into_iter().for_each(|chunk| pages.give_back(chunk, dsa.chunk_bytes()));
            let released = pages.release_empty();
            self.lines[line as usize].allocated.fetch_sub(released, Ordering::SeqCst);
        }
    }

    #[inline]
    pub fn storage_freed(&self, line: Line) {
        let line = &self.lines[line as usize];
        if line.has_waiters.load(Ordering::SeqCst) || line.short.load(Ordering::Relaxed) {
            line.end_shortage();
        }
    }

    pub fn add_waiter(&self, line: Line, waker: Waker) {
        let line = &self.lines[line as usize];
        let mut waiters = line.waiters.lock();
        waiters.retain(Waker::is_live);
        waiters.push(waker);
        line.has_waiters.store(true, Ordering::SeqCst);
    }

    pub fn count_violation(&self, dsa: Dsa) {
        self.dsas[dsa as usize].violations.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds the figures of an arena that closes.
    pub fn count_closed(&self, dsa: Dsa, figures: &ArenaFigures) {
        let state = &self.dsas[dsa as usize];
        state.getmains.fetch_add(figures.getmains, Ordering::Relaxed);
        state.freemains.fetch_add(figures.freemains, Ordering::Relaxed);
    }

    pub fn take_arena(&self) -> Box<Arena> {
        let spare = self.arenas.lock().pop();
        spare.unwrap_or_else(|| Box::new(Arena::new()))
    }

    pub fn return_arena(&self, arena: Box<Arena>) {
        let mut arenas = self.arenas.lock();
        if arenas.len() < SPARE_ARENAS_MAX {
            arenas.push(arena);
        }
    }

    pub fn dsa_statistics(&self, dsa: Dsa, peaks: Peaks) -> DsaStatistics {
        let state = &self.dsas[dsa as usize];
        let spare = state.chunks.lock().len() * dsa.chunk_bytes();
        let (mut getmains, mut freemains) = (state.getmains.load(Ordering::Relaxed), state.freemains.load(Ordering::Relaxed));
        for subpool in self.subpools.lock().iter().filter(|subpool| subpool.dsa == dsa) {
            let figures = subpool.arena.lock().figures;
            getmains += figures.getmains;
            freemains += figures.freemains;
        }
        let mut pages = state.pages.lock();
        let (used_bytes, size_bytes) = (pages.used_bytes, pages.size_bytes);
        let used_peak = peaks.take(&mut pages.used_peak_bytes, used_bytes);
        let size_peak = peaks.take(&mut pages.size_peak_bytes, size_bytes);
        let used = pages.used_bytes - spare.min(pages.used_bytes);
        DsaStatistics {
            dsa,
            size: pages.size_bytes,
            size_peak,
            used,
            used_peak,
            cushion: dsa.cushion_bytes(),
            free: pages.size_bytes - used,
            largest_free: pages.largest_free(),
            extents: pages.extent_count(),
            extents_added: pages.extents_added,
            extents_released: pages.extents_released,
            getmains,
            freemains,
            no_storage: state.no_storage.load(Ordering::Relaxed),
            suspended_total: state.suspended_total.load(Ordering::Relaxed),
            suspended_current: state.suspended_current.load(Ordering::Relaxed) as u32,
            violations: state.violations.load(Ordering::Relaxed),
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.dsas.iter_mut().for_each(|state| state.pages.get_mut().clear());
    }
}

impl LineState {
    fn new(limit: u64) -> LineState {
        LineState {
            limit: AtomicUsize::new(limit as usize),
            allocated: AtomicUsize::new(0),
            allocated_peak: AtomicU64::new(0),
            short: AtomicBool::new(false),
            shortage: Mutex::default(),
            waiters: Mutex::default(),
            has_waiters: AtomicBool::new(false),
        }
    }

    /// Counts new extents against the limit, leaving `kept` bytes of it.
    fn reserve(&self, needed: usize, kept: usize) -> bool {
        let limit = self.limit.load(Ordering::SeqCst);
        let fits = |allocated: usize| {
            let after = allocated.checked_add(needed)?;
            (after.checked_add(kept)? <= limit).then_some(after)
        };
        match self.allocated.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fits) {
            Ok(before) => {
                self.allocated_peak.fetch_max((before + needed) as u64, Ordering::Relaxed);
                true
            }
            Err(_) => false,
        }
    }

    #[cold]
    fn begin_shortage(&self) {
        if !self.short.swap(true, Ordering::SeqCst) {
            let mut shortage = self.shortage.lock();
            shortage.times += 1;
            shortage.since = crate::clock::ticks();
        }
    }

    #[cold]
    fn end_shortage(&self) {
        if self.short.swap(false, Ordering::SeqCst) {
            let mut shortage = self.shortage.lock();
            shortage.ticks += crate::clock::ticks().saturating_sub(shortage.since);
        }
        let waiters = {
            let mut waiters = self.waiters.lock();
            self.has_waiters.store(false, Ordering::SeqCst);
            std::mem::take(&mut *waiters)
        };
        for waker in waiters {
            waker.resume();
        }
    }

    pub fn statistics(&self, line: Line, peaks: Peaks) -> LineStatistics {
        let shortage = self.shortage.lock();
        let short = self.short.load(Ordering::SeqCst);
        let present = if short { crate::clock::ticks().saturating_sub(shortage.since) } else { 0 };
        LineStatistics {
            line,
            limit: self.limit.load(Ordering::Relaxed),
            allocated: self.allocated.load(Ordering::Relaxed),
            allocated_peak: peaks.read(&self.allocated_peak, || self.allocated.load(Ordering::SeqCst) as u64) as usize,
            short_on_storage: short,
            times_short: shortage.times,
            time_short: crate::clock::ticks_to_duration(shortage.ticks + present),
            last_short_at: (shortage.times > 0).then(|| crate::clock::ticks_to_wall(shortage.since)),
        }
    }
}

#[derive(Debug)]
pub(crate) struct SubpoolState {
    pub name: Name8,
    pub dsa: Dsa,
    pub arena: Mutex<Arena>,
}

impl SubpoolState {
    pub fn new(name: Name8, dsa: Dsa) -> SubpoolState {
        let mut arena = Arena::new();
        arena.open(dsa, name, *name.as_bytes(), 0);
        SubpoolState { name, dsa, arena: Mutex::new(arena) }
    }
}
