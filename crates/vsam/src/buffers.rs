//! Buffers of local shared resources (LSR) pools and of files without (NSR), modelled.
//!
//! Records come from the store, which has its own cache; what VSAM would have found in its buffers is kept by control interval, so that an
//! administrator sees look-aside and reads as CICS counts them. Rules: a pool has separate buffers for index components if any are defined,
//! else data buffers serve both; a control interval uses the buffers of the smallest size that holds it; a buffer found is a look-aside,
//! else it is read into the one used longest ago (by second chance); LSR writes a changed buffer at once (user write).
//!
//! Invariants: never more buffers remembered than the pool has; a pool knows control intervals, never records.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Sizes of buffers in bytes.
pub const BUFFER_SIZES: [u32; 11] = [512, 1024, 2048, 4096, 8192, 12_288, 16_384, 20_480, 24_576, 28_672, 32_768];

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

#[derive(Default)]
struct Clock {
    slots: Vec<(Interval, bool)>,
    places: FxHashMap<Interval, u32>,
    hand: usize,
}

/// A control interval: number of the component's tables and place in it.
type Interval = (u32, Component, u64);

impl Clock {
    /// Whether the control interval was there; it is afterwards.
    fn touch(&mut self, interval: Interval, buffers: usize) -> bool {
        if let Some(at) = self.places.get(&interval) {
            self.slots[*at as usize].1 = true;
            return true;
        }
        if self.slots.len() < buffers {
            self.places.insert(interval, self.slots.len() as u32);
            self.slots.push((interval, true));
            return false;
        }
        // Ends after one round at most: it takes the second chances away on its way.
        while std::mem::replace(&mut self.slots[self.hand].1, false) {
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
    lookasides: AtomicU64,
    reads: AtomicU64,
    user_writes: AtomicU64,
}

impl Buffers {
    fn new(size: u32, index: bool, count: u32) -> Buffers {
        let zero = || AtomicU64::new(0);
        Buffers { size, index, count, clock: Mutex::default(), lookasides: zero(), reads: zero(), user_writes: zero() }
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

    /// Whether the pool has buffers a control interval fits into: a file whose intervals do not cannot be opened.
    pub fn holds(&self, component: Component, ci_size: u32) -> bool {
        self.buffers(component, ci_size).is_some()
    }

    /// A request needs a control interval: true if it was in a buffer, false if it was read.
    pub fn touch(&self, number: u32, component: Component, ci_size: u32, place: u64) -> bool {
        let Some(buffers) = self.buffers(component, ci_size) else { return false };
        let found = buffers.clock.lock().touch((number, component, place), buffers.count as usize);
        if found { &buffers.lookasides } else { &buffers.reads }.fetch_add(1, Ordering::Relaxed);
        found
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
        // All had their second chance: the fourth takes the place of the first, and the second is next.
        assert!(!touch(4));
        assert_eq!([touch(3), touch(4)], [true, true]);
        assert!(!touch(1));
        let statistics = pool.statistics()[0];
        assert_eq!((statistics.lookasides, statistics.reads, statistics.buffers), (3, 5, 3));
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
