//! A model of the buffers of local shared resources (LSR) pools and of files without a pool (NSR).
//!
//! Records come from the store, which has its own cache; the model tracks which control intervals VSAM would hold in its buffers, so that
//! an administrator sees look-asides and reads as CICS counts them. Rules: a pool has separate buffers for index components if any are
//! defined, else data buffers serve both; a control interval uses the buffers of the smallest size that holds it; a control interval found
//! in a buffer counts as a look-aside; any other is read into the least recently used buffer (by second chance); LSR writes a changed
//! buffer at once (user write).
//!
//! Invariants: a pool never tracks more buffers than it has; it knows control intervals, never records. An interval in `recent` is in a
//! buffer and was used since the last search for a free buffer passed it, so using it again changes only a count.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Sizes of buffers in bytes.
pub const BUFFER_SIZES: [u32; 11] = [512, 1024, 2048, 4096, 8192, 12_288, 16_384, 20_480, 24_576, 28_672, 32_768];

/// Entries of an index record: the number of index records on the level below that one stands for.
const INDEX_FAN_OUT: u64 = 58;

/// Which component a control interval belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Component {
    Data,
    Index,
}

/// How many buffers a pool has of each size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolShape {
    pub data: [u32; BUFFER_SIZES.len()],
    /// All zero: the data buffers serve index components too.
    pub index: [u32; BUFFER_SIZES.len()],
}

/// Counters of the buffers of one size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferStatistics {
    pub size: u32,
    pub index: bool,
    pub buffers: u32,
    pub lookasides: u64,
    pub reads: u64,
    pub user_writes: u64,
}

/// Counts that VSAM keeps once for all files that share a data set: control intervals read and written, and splits.
#[derive(Default)]
pub struct DataSetCounts([AtomicU64; 4]);

/// Values of `DataSetCounts`, or amounts to be added to them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counted {
    pub data_excps: u64,
    pub index_excps: u64,
    pub ci_splits: u64,
    pub ca_splits: u64,
}

impl DataSetCounts {
    pub(crate) fn add(&self, more: Counted) {
        let more = [more.data_excps, more.index_excps, more.ci_splits, more.ca_splits];
        for (counter, more) in self.0.iter().zip(more).filter(|(_, more)| *more > 0) {
            counter.fetch_add(more, Ordering::Relaxed);
        }
    }

    pub(crate) fn since(&self, before: Counted) -> Counted {
        let get = |counter: usize| self.0[counter].load(Ordering::Relaxed);
        Counted {
            data_excps: get(0) - before.data_excps,
            index_excps: get(1) - before.index_excps,
            ci_splits: get(2) - before.ci_splits,
            ca_splits: get(3) - before.ca_splits,
        }
    }
}

/// Places of `recent`: some more than buffers, so that few share one; a large pool's are bounded.
const RECENT_MAX: usize = 1 << 16;

#[derive(Default)]
struct Clock {
    slots: Vec<(Interval, bool)>,
    places: FxHashMap<Interval, u32>,
    hand: usize,
}

/// A control interval: number of the component's tables and place in it.
type Interval = (u32, Component, u64);

/// Hashes of intervals that are certainly in a buffer, for lookups without the lock.
struct Recent(Box<[AtomicU64]>);

impl Recent {
    fn new(buffers: u32) -> Recent {
        let places = (buffers as usize * 2).next_power_of_two().clamp(8, RECENT_MAX);
        Recent((0..places).map(|_| AtomicU64::new(0)).collect())
    }

    /// Never 0, which means no interval. With 64 bits, equal hashes of two intervals in use are not to be expected.
    fn hash((number, component, place): Interval) -> u64 {
        let mixed =
            place.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (u64::from(number) << 1 | component as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) | 1
    }

    fn place(&self, hash: u64) -> &AtomicU64 {
        &self.0[(hash >> 40) as usize & (self.0.len() - 1)]
    }

    fn has(&self, hash: u64) -> bool {
        self.place(hash).load(Ordering::Relaxed) == hash
    }

    /// With the clock locked, as `forget`.
    fn note(&self, hash: u64) {
        self.place(hash).store(hash, Ordering::Relaxed);
    }

    fn forget(&self, hash: u64) {
        if self.has(hash) {
            self.place(hash).store(0, Ordering::Relaxed);
        }
    }
}

impl Clock {
    /// Returns whether the control interval was in a buffer; afterwards it is.
    fn touch(&mut self, interval: Interval, buffers: usize, recent: &Recent) -> bool {
        recent.note(Recent::hash(interval));
        if let Some(at) = self.places.get(&interval) {
            self.slots[*at as usize].1 = true;
            return true;
        }
        if self.slots.len() < buffers {
            self.places.insert(interval, self.slots.len() as u32);
            self.slots.push((interval, true));
            return false;
        }
        // Ends after at most one round, because it clears the second chances on the way.
        while std::mem::replace(&mut self.slots[self.hand].1, false) {
            recent.forget(Recent::hash(self.slots[self.hand].0));
            self.hand = (self.hand + 1) % self.slots.len();
        }
        let old = std::mem::replace(&mut self.slots[self.hand], (interval, true));
        self.places.remove(&old.0);
        self.places.insert(interval, self.hand as u32);
        self.hand = (self.hand + 1) % self.slots.len();
        false
    }
}

struct Buffers {
    size: u32,
    index: bool,
    count: u32,
    clock: Mutex<Clock>,
    recent: Recent,
    lookasides: AtomicU64,
    reads: AtomicU64,
    user_writes: AtomicU64,
}

impl Buffers {
    fn new(size: u32, index: bool, count: u32) -> Buffers {
        let zero = || AtomicU64::new(0);
        let (clock, recent) = (Mutex::default(), Recent::new(count));
        Buffers { size, index, count, clock, recent, lookasides: zero(), reads: zero(), user_writes: zero() }
    }

    fn statistics(&self) -> BufferStatistics {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        BufferStatistics {
            size: self.size,
            index: self.index,
            buffers: self.count,
            lookasides: get(&self.lookasides),
            reads: get(&self.reads),
            user_writes: get(&self.user_writes),
        }
    }
}

/// A pool of buffers.
pub struct BufferPool {
    data: Vec<Buffers>,
    index: Vec<Buffers>,
}

impl BufferPool {
    pub fn new(shape: &PoolShape) -> BufferPool {
        let of = |counts: &[u32; BUFFER_SIZES.len()], index| {
            let sizes = BUFFER_SIZES.iter().zip(counts).filter(|(_, count)| **count > 0);
            sizes.map(|(size, count)| Buffers::new(*size, index, *count)).collect()
        };
        BufferPool { data: of(&shape.data, false), index: of(&shape.index, true) }
    }

    fn buffers(&self, component: Component, ci_size: u32) -> Option<&Buffers> {
        let own = if component == Component::Index && !self.index.is_empty() { &self.index } else { &self.data };
        own.iter().find(|buffers| buffers.size >= ci_size)
    }

    /// Whether the pool has buffers large enough for a control interval; a file with larger intervals cannot be opened.
    pub fn holds(&self, component: Component, ci_size: u32) -> bool {
        self.buffers(component, ci_size).is_some()
    }

    /// Size and number of the buffers an interval uses.
    pub fn buffers_for(&self, component: Component, ci_size: u32) -> Option<(u32, u32)> {
        self.buffers(component, ci_size).map(|buffers| (buffers.size, buffers.count))
    }

    /// A request needs a control interval: true if it was in a buffer, false if it was read.
    pub fn touch(&self, number: u32, component: Component, ci_size: u32, place: u64) -> bool {
        self.need((number, component, place), ci_size, false)
    }

    /// As `touch`; one that is in a buffer is read again for all that if it is to be fresh.
    pub(crate) fn need(&self, interval: Interval, ci_size: u32, fresh: bool) -> bool {
        let Some(buffers) = self.buffers(interval.1, ci_size) else { return false };
        let found =
            buffers.recent.has(Recent::hash(interval)) || buffers.clock.lock().touch(interval, buffers.count as usize, &buffers.recent);
        let lookaside = found && !fresh;
        if lookaside { &buffers.lookasides } else { &buffers.reads }.fetch_add(1, Ordering::Relaxed);
        lookaside
    }

    /// A request needs the records of an index that lead to a control area, from the top. Answers how many were read.
    pub(crate) fn touch_levels(&self, number: u32, ci_size: u32, (area, areas): (u64, u64), fresh: bool) -> u64 {
        // Levels of the index above the sequence set, of which a record stands for a control area.
        let (mut width, mut level, mut covered) = (areas.max(1), 1u64, 1u64);
        while width > 1 {
            (width, level, covered) = (width.div_ceil(INDEX_FAN_OUT), level + 1, covered * INDEX_FAN_OUT);
        }
        let mut reads = 0;
        while level > 0 {
            reads += !self.need((number, Component::Index, (level << 48) | (area / covered)), ci_size, fresh) as u64;
            (level, covered) = (level - 1, covered / INDEX_FAN_OUT);
        }
        reads
    }

    /// A request has changed a control interval.
    pub fn written(&self, component: Component, ci_size: u32) {
        if let Some(buffers) = self.buffers(component, ci_size) {
            buffers.user_writes.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Data buffers first, each in order of size.
    pub fn statistics(&self) -> Vec<BufferStatistics> {
        self.data.iter().chain(&self.index).map(Buffers::statistics).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(data: &[(usize, u32)], index: &[(usize, u32)]) -> BufferPool {
        let mut shape = PoolShape::default();
        data.iter().for_each(|(at, count)| shape.data[*at] = *count);
        index.iter().for_each(|(at, count)| shape.index[*at] = *count);
        BufferPool::new(&shape)
    }

    #[test]
    fn a_buffer_found_is_a_lookaside_and_the_longest_unused_one_is_taken() {
        let pool = pool(&[(3, 3)], &[]);
        let touch = |place| pool.touch(1, Component::Data, 4096, place);
        assert_eq!([touch(1), touch(2), touch(3), touch(1)], [false, false, false, true]);
        // All had their second chance: the fourth interval replaces the first, and the second is next.
        assert!(!touch(4));
        assert_eq!([touch(3), touch(4)], [true, true]);
        assert!(!touch(1));
        let statistics = pool.statistics()[0];
        assert_eq!((statistics.lookasides, statistics.reads, statistics.buffers), (3, 5, 3));
    }

    /// Intervals noted as recent change no count: the same requests with and without them.
    #[test]
    fn recent_intervals_are_counted_as_the_clock_would() {
        let pool = pool(&[(3, 16)], &[]);
        let buffers = &pool.data[0];
        let (mut plain, nothing) = (Clock::default(), Recent::new(16));
        let mut random = testing::Random::new(12345);
        let mut expected = 0;
        for _ in 0..20_000 {
            let seed = random.number();
            // Some intervals much more often than others.
            let place = (seed >> 33) % if seed >> 60 < 12 { 12 } else { 60 };
            expected += u64::from(plain.touch((1, Component::Data, place), 16, &nothing));
            pool.touch(1, Component::Data, 4096, place);
            nothing.0.iter().for_each(|place| place.store(0, Ordering::Relaxed));
        }
        assert_eq!(buffers.statistics().lookasides, expected);
        assert!(buffers.recent.0.iter().any(|place| place.load(Ordering::Relaxed) != 0));
    }

    #[test]
    fn the_smallest_size_that_holds_the_interval_and_the_right_component() {
        let pool = pool(&[(2, 1), (4, 1)], &[(0, 1)]);
        assert!(pool.holds(Component::Data, 8192) && !pool.holds(Component::Data, 8193) && !pool.holds(Component::Index, 1024));
        pool.touch(1, Component::Data, 2048, 0);
        pool.touch(1, Component::Data, 4096, 0);
        pool.touch(1, Component::Index, 512, 0);
        let reads: Vec<(u32, bool, u64)> = pool.statistics().iter().map(|b| (b.size, b.index, b.reads)).collect();
        assert_eq!(reads, [(2048, false, 1), (8192, false, 1), (512, true, 1)]);
    }
}
