//! The DSAs within the limit of their line.
//!
//! Invariants: the allocated extents counted for a line are those that its DSAs hold or are about to take, and a new extent never takes the
//! count above the limit. A refusal leaves the line short on storage until some of its storage is freed. A waiter registers before its last
//! attempt (`waits`), so storage freed after that attempt always resumes it.

use super::dsa::{DSA_COUNT, Dsa, Units};
use super::figures::{ArenaFigures, LineStatistics};
use super::pages::{NoPages, Pages};
use super::request::{StorageConfig, StorageError};
use crate::addresses::Line;
use crate::dispatcher::Waker;
use crate::inquire::Peaks;
use crate::lock_order::{Ordered, rank};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// One line: the extents of its DSAs against the limit.
#[derive(Debug)]
pub(crate) struct LineState {
    pub limit: AtomicUsize,
    pub allocated: AtomicUsize,
    pub allocated_peak: AtomicU64,
    pub short: AtomicBool,
    shortage: Ordered<Shortage, { rank::STORAGE_LISTS }>,
    pub waiters: Ordered<Vec<Waker>, { rank::STORAGE_LISTS }>,
    pub has_waiters: AtomicBool,
    /// The tasks that wait: bytes of the line that they hold, and task number.
    pub waiting: Ordered<Vec<(usize, u32)>, { rank::STORAGE_LISTS }>,
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
    pub units: Units,
    pub pages: Ordered<Pages, { rank::PAGES }>,
    /// Chunks kept for reuse, with their pages resident.
    pub chunks: Ordered<Vec<usize>, { rank::STORAGE_LISTS }>,
    pub getmains: AtomicU64,
    pub freemains: AtomicU64,
    pub no_storage: AtomicU64,
    pub suspended_total: AtomicU64,
    pub suspended_current: AtomicU64,
    pub violations: AtomicU64,
    /// Pages of task storage, and the most there were.
    task_page_bytes: AtomicUsize,
    task_page_peak_bytes: AtomicU64,
}

/// The DSAs of a region, and their lines.
#[derive(Debug)]
pub(crate) struct Areas {
    pub lines: [LineState; 3],
    pub dsas: [DsaState; DSA_COUNT],
}

impl DsaState {
    fn new(dsa: Dsa, units: Units) -> DsaState {
        DsaState {
            units,
            pages: Ordered::new(Pages::new(dsa, units)),
            chunks: Ordered::default(),
            getmains: AtomicU64::new(0),
            freemains: AtomicU64::new(0),
            no_storage: AtomicU64::new(0),
            suspended_total: AtomicU64::new(0),
            suspended_current: AtomicU64::new(0),
            violations: AtomicU64::new(0),
            task_page_bytes: AtomicUsize::new(0),
            task_page_peak_bytes: AtomicU64::new(0),
        }
    }

    /// Task storage has taken pages.
    pub fn count_task_pages(&self, bytes: usize) {
        let now = self.task_page_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if now as u64 > self.task_page_peak_bytes.load(Ordering::Relaxed) {
            self.task_page_peak_bytes.fetch_max(now as u64, Ordering::Relaxed);
        }
    }

    /// Task storage has given pages back.
    pub fn uncount_task_pages(&self, bytes: usize) {
        let before = self.task_page_bytes.fetch_sub(bytes, Ordering::Relaxed);
        debug_assert!(before >= bytes, "pages of task storage are given back once");
    }

    /// Bytes of the pages of task storage, now and at most.
    pub fn task_pages(&self, peaks: Peaks) -> (usize, usize) {
        let now = || self.task_page_bytes.load(Ordering::Relaxed);
        (now(), peaks.read(&self.task_page_peak_bytes, || now() as u64) as usize)
    }
}

impl Areas {
    /// `isolation`: transaction isolation is in force.
    pub fn new(config: &StorageConfig, isolation: bool) -> Areas {
        let below_2g_max = (0x8000_0000u64 - 0x0100_0000).min(config.edsa_limit);
        Areas {
            lines: [LineState::new(config.dsa_limit.min(0x0100_0000)), LineState::new(below_2g_max), LineState::new(config.memory_limit)],
            dsas: Dsa::ALL.map(|dsa| DsaState::new(dsa, dsa.units(isolation))),
        }
    }

    pub fn limit_of(&self, line: Line) -> usize {
        self.lines[line as usize].limit.load(Ordering::Relaxed)
    }

    /// A chunk of the DSA, with resident pages if one was used before.
    pub fn take_chunk(&self, dsa: Dsa, system: bool) -> Result<usize, StorageError> {
        let state = &self.dsas[dsa as usize];
        if let Some(chunk) = state.chunks.lock().pop() {
            return Ok(chunk);
        }
        self.take_pages(dsa, state.units.chunk_bytes, system).map(|(address, _)| address)
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
        // Storage that other DSAs of the line and the reuse lists keep without need may be enough.
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
            line.release(needed);
            drop(pages);
            // Others may have been refused for what was counted here.
            self.wake_waiters(dsa.line());
            return None;
        }
        pages.take(rounded).ok().map(|address| (address, rounded))
    }

    pub fn give_back_pages(&self, dsa: Dsa, address: usize, length: usize) {
        self.dsas[dsa as usize].pages.lock().give_back(address, length);
        self.storage_freed(dsa.line());
    }

    /// Returns unused storage of the line to the address space.
    pub fn trim(&self, line: Line) {
        for dsa in Dsa::ALL.into_iter().filter(|dsa| dsa.line() == line) {
            let state = &self.dsas[dsa as usize];
            let chunks = std::mem::take(&mut *state.chunks.lock());
            let were_chunks = !chunks.is_empty();
            let mut pages = state.pages.lock();
            chunks.into_iter().for_each(|chunk| pages.give_back(chunk, state.units.chunk_bytes));
            let released = pages.release_empty();
            drop(pages);
            self.lines[line as usize].release(released);
            if released > 0 || were_chunks {
                // Others may have been refused while it was on its way.
                self.wake_waiters(line);
            }
        }
    }

    #[inline]
    pub fn storage_freed(&self, line: Line) {
        let line = &self.lines[line as usize];
        if line.has_waiters.load(Ordering::SeqCst) || line.short.load(Ordering::Relaxed) {
            line.end_shortage();
        }
    }

    /// Resumes the tasks that wait for storage of the line; whether it is short on storage will show at their next attempts.
    #[inline]
    pub fn wake_waiters(&self, line: Line) {
        let line = &self.lines[line as usize];
        if line.has_waiters.load(Ordering::SeqCst) {
            line.wake_waiters();
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

    /// GETMAINs and FREEMAINs of the task storage that has been given back.
    pub fn closed(&self, dsa: Dsa) -> (u64, u64) {
        let state = &self.dsas[dsa as usize];
        (state.getmains.load(Ordering::Relaxed), state.freemains.load(Ordering::Relaxed))
    }

    /// Adds the figures of an arena that closes.
    pub fn count_closed(&self, dsa: Dsa, figures: &ArenaFigures) {
        let state = &self.dsas[dsa as usize];
        state.getmains.fetch_add(figures.getmains, Ordering::Relaxed);
        state.freemains.fetch_add(figures.freemains, Ordering::Relaxed);
    }
}

impl Drop for Areas {
    fn drop(&mut self) {
        for line in [Line::Below16M, Line::Below2G, Line::Above] {
            let held = |dsa: Dsa| if dsa.line() == line { self.dsas[dsa as usize].pages.lock().size_bytes } else { 0 };
            let held: usize = Dsa::ALL.into_iter().map(held).sum();
            let allocated = self.lines[line as usize].allocated.load(Ordering::SeqCst);
            debug_assert_eq!(held, allocated, "what is counted of a line is what its DSAs hold");
        }
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
            shortage: Ordered::default(),
            waiters: Ordered::default(),
            has_waiters: AtomicBool::new(false),
            waiting: Ordered::default(),
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

    /// Extents of the line are returned, or were not taken after all.
    fn release(&self, bytes: usize) {
        let before = self.allocated.fetch_sub(bytes, Ordering::SeqCst);
        assert!(before >= bytes, "what was counted is given back once");
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
        self.wake_waiters();
    }

    #[cold]
    fn wake_waiters(&self) {
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
