//! Open TCBs: counted slots by mode, limited by pool.
//!
//! Invariants: for each mode, attached = in use + free. An attach never takes a pool above its limit (a lowered limit may leave the pool
//! above it until TCBs are freed). A free TCB of another mode of the pool is detached before a request waits. Waiting requests are served
//! in order, and a TCB given back goes to the first of them. The counts are asserted after each change.

use crate::clock::{ticks, ticks_to_duration, ticks_to_wall};
use crate::inquire::{Peaks, PoolStatistics};
use crate::lock_order::{Ordered, rank};
use crate::mode::{MODE_COUNT, Mode, POOL_COUNT, Pool};
use std::collections::VecDeque;

#[derive(Clone, Copy, Default, Debug)]
pub(super) struct TcbCounts {
    pub attached: u32,
    pub attached_peak: u32,
    pub in_use: u32,
    pub in_use_peak: u32,
    pub attaches: u64,
}

impl TcbCounts {
    fn free(&self) -> u32 {
        self.attached - self.in_use
    }

    fn attach(&mut self) {
        self.attached += 1;
        self.attached_peak = self.attached_peak.max(self.attached);
        self.attaches += 1;
    }

    fn use_one(&mut self) {
        assert!(self.in_use < self.attached);
        self.in_use += 1;
        self.in_use_peak = self.in_use_peak.max(self.in_use);
    }
}

/// The answer to a request for a TCB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Acquired {
    /// One that was free.
    Free,
    /// One that was attached for the request.
    Attached,
    /// None: the request waits.
    Waits,
}

/// The requester that waits for a TCB.
pub(super) trait Requester {
    /// It still waits.
    fn is_live(&self) -> bool;

    /// The TCB is its own. False if it waits no more.
    fn resume(&self) -> bool;
}

struct Waiting<W> {
    waker: W,
    mode: Mode,
    since: u64,
}

struct PoolState<W> {
    limit: u32,
    waiting: VecDeque<Waiting<W>>,
    figures: PoolFigures,
}

#[derive(Default)]
struct PoolFigures {
    attached_peak: u32,
    in_use_peak: u32,
    delayed_total: u64,
    delay_ticks: u64,
    delayed_peak: u32,
    limit_reached_at: u64,
    mismatches: u64,
}

#[derive(Default, Clone, Copy)]
pub(super) struct ScanFigures {
    pub scans: u64,
    pub none_detached: u64,
    pub detached: u64,
    pub at: u64,
    pub none_detached_at: u64,
}

pub(super) struct PoolsReading {
    pub counts: [TcbCounts; MODE_COUNT],
    pub pools: [PoolStatistics; POOL_COUNT],
    pub scans: ScanFigures,
}

struct State<W> {
    counts: [TcbCounts; MODE_COUNT],
    pools: [PoolState<W>; POOL_COUNT],
    /// In-use peaks since the last scan: the number of TCBs the scan keeps.
    recent_peak: [u32; MODE_COUNT],
    scans: ScanFigures,
}

pub(super) struct Pools<W>(Ordered<State<W>, { rank::DISPATCHER }>);

impl<W: Requester> State<W> {
    /// Invariants that hold whenever the lock is free.
    fn check(&self) {
        if cfg!(debug_assertions) {
            assert!(self.counts.iter().all(|counts| counts.in_use <= counts.attached && counts.attached <= counts.attached_peak));
            for pool in Pool::ALL {
                let is_over = self.pool_attached(pool) > self.pools[pool as usize].limit;
                assert!(!is_over || self.pool_attached(pool) == self.pool_in_use(pool), "above its limit a pool keeps no free TCB");
            }
        }
    }

    fn pool_attached(&self, pool: Pool) -> u32 {
        modes_of(pool).map(|mode| self.counts[mode as usize].attached).sum()
    }

    fn pool_in_use(&self, pool: Pool) -> u32 {
        modes_of(pool).map(|mode| self.counts[mode as usize].in_use).sum()
    }

    /// Takes a TCB of the mode if the limit allows.
    fn try_acquire(&mut self, mode: Mode) -> bool {
        if self.counts[mode as usize].free() == 0 && !self.try_attach(mode) {
            return false;
        }
        self.counts[mode as usize].use_one();
        let in_use = self.counts[mode as usize].in_use;
        self.recent_peak[mode as usize] = self.recent_peak[mode as usize].max(in_use);
        if let Some(pool) = mode.pool() {
            let in_use = self.pool_in_use(pool);
            let figures = &mut self.pools[pool as usize].figures;
            figures.in_use_peak = figures.in_use_peak.max(in_use);
        }
        true
    }

    fn try_attach(&mut self, mode: Mode) -> bool {
        if let Some(pool) = mode.pool() {
            let attached = self.pool_attached(pool);
            if attached >= self.pools[pool as usize].limit {
                let Some(surplus) = modes_of(pool).find(|other| self.counts[*other as usize].free() > 0) else {
                    return false;
                };
                self.counts[surplus as usize].attached -= 1;
                self.pools[pool as usize].figures.mismatches += 1;
            }
        }
        self.counts[mode as usize].attach();
        if let Some(pool) = mode.pool() {
            let attached = self.pool_attached(pool);
            let state = &mut self.pools[pool as usize];
            state.figures.attached_peak = state.figures.attached_peak.max(attached);
            if attached >= state.limit {
                state.figures.limit_reached_at = ticks();
            }
        }
        true
    }

    /// Serves waiting requests while the limit allows; returns those to be resumed.
    fn serve(&mut self, pool: Pool) -> Vec<Waiting<W>> {
        let mut served = Vec::new();
        while let Some(mode) = self.first_waiting(pool) {
            if !self.try_acquire(mode) {
                break;
            }
            served.extend(self.pools[pool as usize].waiting.pop_front());
        }
        served
    }

    /// The mode the first request waits for, dropping requests that have been purged.
    fn first_waiting(&mut self, pool: Pool) -> Option<Mode> {
        let waiting = &mut self.pools[pool as usize].waiting;
        while waiting.front().is_some_and(|first| !first.waker.is_live()) {
            waiting.pop_front();
        }
        waiting.front().map(|first| first.mode)
    }
}

fn modes_of(pool: Pool) -> impl Iterator<Item = Mode> {
    Mode::ALL.into_iter().filter(move |mode| mode.pool() == Some(pool))
}

impl<W: Requester> Pools<W> {
    pub fn new(limits: [u32; POOL_COUNT]) -> Pools<W> {
        let pools = limits.map(|limit| PoolState { limit: limit.max(1), waiting: VecDeque::new(), figures: PoolFigures::default() });
        let counts = [TcbCounts::default(); MODE_COUNT];
        Pools(Ordered::new(State { counts, pools, recent_peak: [0; MODE_COUNT], scans: ScanFigures::default() }))
    }

    /// No TCB of the mode is free: a request attaches one, or waits.
    pub fn has_none_free(&self, mode: Mode) -> bool {
        self.0.lock().counts[mode as usize].free() == 0
    }

    /// Takes a TCB. If the pool is at its limit, queues the waker that `make_waker` creates; the waker is resumed when a TCB has been taken
    /// for it.
    pub fn acquire_or_wait(&self, mode: Mode, make_waker: impl FnOnce() -> W) -> Acquired {
        let mut state = self.0.lock();
        let waits = mode.pool().is_some_and(|pool| state.first_waiting(pool).is_some());
        let attaches = state.counts[mode as usize].attaches;
        if !waits && state.try_acquire(mode) {
            state.check();
            return if state.counts[mode as usize].attaches > attaches { Acquired::Attached } else { Acquired::Free };
        }
        let pool = mode.pool().expect("only pooled modes have a limit");
        let pool_state = &mut state.pools[pool as usize];
        pool_state.waiting.push_back(Waiting { waker: make_waker(), mode, since: ticks() });
        pool_state.figures.delayed_total += 1;
        pool_state.figures.delayed_peak = pool_state.figures.delayed_peak.max(pool_state.waiting.len() as u32);
        Acquired::Waits
    }

    /// Gives back one TCB of the mode.
    pub fn release(&self, mode: Mode) {
        {
            let mut state = self.0.lock();
            let counts = &mut state.counts[mode as usize];
            assert!(counts.in_use > 0, "only a TCB in use is given back");
            counts.in_use -= 1;
            let Some(pool) = mode.pool() else { return };
            // Lowered limit: detach instead of keeping it free.
            if state.pool_attached(pool) > state.pools[pool as usize].limit {
                state.counts[mode as usize].attached -= 1;
            }
            state.check();
            if state.pools[pool as usize].waiting.is_empty() {
                return;
            }
        }
        self.serve_waiting(mode.pool().expect("checked above"));
    }

    fn serve_waiting(&self, pool: Pool) {
        let served = self.0.lock().serve(pool);
        let now = ticks();
        for waiting in served {
            let delay = now.saturating_sub(waiting.since);
            self.0.lock().pools[pool as usize].figures.delay_ticks += delay;
            if !waiting.waker.resume() {
                // The waiter was purged between the check and the resume: the TCB goes to the next one.
                self.release(waiting.mode);
            }
        }
    }

    pub fn set_limit(&self, pool: Pool, limit: u32) {
        {
            let mut state = self.0.lock();
            state.pools[pool as usize].limit = limit.max(1);
            for mode in modes_of(pool) {
                while state.pool_attached(pool) > limit.max(1) && state.counts[mode as usize].free() > 0 {
                    state.counts[mode as usize].attached -= 1;
                }
            }
            state.check();
        }
        self.serve_waiting(pool);
    }

    /// The excess TCB scan: detaches free TCBs beyond the peak use since the last scan.
    pub fn scan_excess(&self) -> u32 {
        let mut state = self.0.lock();
        let mut detached = 0;
        for mode in Mode::ALL.into_iter().filter(|mode| mode.is_open()) {
            let keep = state.recent_peak[mode as usize];
            let counts = &mut state.counts[mode as usize];
            let excess = counts.attached.saturating_sub(keep.max(counts.in_use));
            counts.attached -= excess;
            detached += excess;
            state.recent_peak[mode as usize] = state.counts[mode as usize].in_use;
        }
        state.check();
        let now = ticks();
        let scans = &mut state.scans;
        scans.scans += 1;
        scans.at = now;
        scans.detached += detached as u64;
        if detached == 0 {
            scans.none_detached += 1;
            scans.none_detached_at = now;
        }
        detached
    }

    /// Everything counted, at one moment.
    pub fn read(&self, peaks: Peaks) -> PoolsReading {
        let mut state = self.0.lock();
        let now = ticks();
        let pools = Pool::ALL.map(|pool| {
            let (attached, in_use) = (state.pool_attached(pool), state.pool_in_use(pool));
            let PoolState { limit, waiting, figures } = &mut state.pools[pool as usize];
            let live = || waiting.iter().filter(|one| one.waker.is_live());
            let waited = live().map(|one| now.saturating_sub(one.since)).sum();
            PoolStatistics {
                limit: *limit,
                attached_current: attached,
                attached_peak: peaks.take(&mut figures.attached_peak, attached),
                in_use_current: in_use,
                in_use_peak: peaks.take(&mut figures.in_use_peak, in_use),
                delayed_total: figures.delayed_total,
                delay_total: ticks_to_duration(figures.delay_ticks),
                delayed_current: live().count() as u32,
                delayed_peak: peaks.take(&mut figures.delayed_peak, waiting.len() as u32),
                delay_current: ticks_to_duration(waited),
                limit_reached_at: (figures.limit_reached_at != 0).then(|| ticks_to_wall(figures.limit_reached_at)),
                mismatches: figures.mismatches,
            }
        });
        let counts = state.counts;
        for counts in &mut state.counts {
            peaks.take(&mut counts.attached_peak, counts.attached);
            peaks.take(&mut counts.in_use_peak, counts.in_use);
        }
        PoolsReading { counts, pools, scans: state.scans }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Requester for () {
        fn is_live(&self) -> bool {
            true
        }

        fn resume(&self) -> bool {
            true
        }
    }

    fn never() {
        unreachable!("the limit allows it")
    }

    #[test]
    fn free_tcbs_are_reused_and_stolen() {
        let pools = Pools::new([2, 1, 1, 1]);
        assert_ne!(pools.acquire_or_wait(Mode::L8, never), Acquired::Waits);
        pools.release(Mode::L8);
        assert_ne!(pools.acquire_or_wait(Mode::L8, never), Acquired::Waits);
        assert_eq!(pools.read(Peaks::Keep).counts[Mode::L8 as usize].attaches, 1);
        assert_ne!(pools.acquire_or_wait(Mode::L9, never), Acquired::Waits);
        pools.release(Mode::L9);
        // At the limit of two with one L9 free: it is detached for a second L8.
        assert_ne!(pools.acquire_or_wait(Mode::L8, never), Acquired::Waits);
        let open = pools.read(Peaks::Keep).pools[Pool::Open as usize];
        assert_eq!((open.mismatches, open.attached_current, open.in_use_current, open.attached_peak), (1, 2, 2, 2));
        assert!(open.limit_reached_at.is_some());
    }

    #[test]
    fn the_scan_detaches_unused_tcbs() {
        let pools = Pools::new([5, 1, 1, 1]);
        for _ in 0..3 {
            assert_ne!(pools.acquire_or_wait(Mode::L8, never), Acquired::Waits);
        }
        for _ in 0..3 {
            pools.release(Mode::L8);
        }
        let scans = || pools.read(Peaks::Keep).scans;
        assert_eq!((scans().at, scans().none_detached_at), (0, 0), "no scan yet");
        assert_eq!(pools.scan_excess(), 0);
        let first = scans();
        assert!(first.at > 0 && first.none_detached_at == first.at);
        assert_eq!(pools.scan_excess(), 3);
        let figures = scans();
        assert_eq!((figures.scans, figures.none_detached, figures.detached), (2, 1, 3));
        assert!(figures.at > first.at && figures.none_detached_at == first.at);
        // What a task has is no excess.
        assert_ne!(pools.acquire_or_wait(Mode::L8, never), Acquired::Waits);
        assert_eq!([pools.scan_excess(), pools.scan_excess()], [0, 0]);
        assert_eq!((scans().scans, scans().none_detached, scans().detached), (4, 3, 3));
    }

    #[test]
    fn modes_without_a_pool_have_no_limit() {
        let pools = Pools::new([1, 1, 1, 1]);
        for _ in 0..10 {
            assert_ne!(pools.acquire_or_wait(Mode::Ep, never), Acquired::Waits);
        }
        assert_eq!(pools.read(Peaks::Keep).counts[Mode::Ep as usize].in_use, 10);
    }
}
