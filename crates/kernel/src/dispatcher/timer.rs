//! The timer wheel: one thread, a tick of a millisecond, any number of timers.
//!
//! Invariants: a timer never fires early; a timer fires at most once, and never after it was cancelled. Insert and cancel take constant
//! time: four levels of 256 slots, each slot a list through a slab. An identifier carries the generation of its slab entry, so a late
//! cancel of a reused entry does nothing. Assertions check the lists, the occupied slots and the end of each list; the tests below also run
//! under Miri.

use parking_lot::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

const TICK_NS: u64 = 1_000_000;
const LEVELS: usize = 4;
const SLOT_BITS: u32 = 8;
const SLOTS: usize = 1 << SLOT_BITS;
const NONE: u32 = u32::MAX;
/// Longer delays are split: after this many ticks (49 days) the timer is inserted again for the rest.
const HORIZON_TICKS: u64 = (1 << (SLOT_BITS * LEVELS as u32)) - SLOTS as u64;

struct Entry<A> {
    due_tick: u64,
    action: Option<A>,
    previous: u32,
    next: u32,
    level: u8,
    slot: u8,
    generation: u32,
}

struct Wheel<A> {
    now_tick: u64,
    heads: [[u32; SLOTS]; LEVELS],
    /// Which slots have entries.
    occupied: [[u64; SLOTS / 64]; LEVELS],
    entries: Vec<Entry<A>>,
    free: u32,
    count: usize,
    wake_tick: u64,
    stopping: bool,
}

impl<A> Wheel<A> {
    fn new(now_tick: u64) -> Wheel<A> {
        Wheel {
            now_tick,
            heads: [[NONE; SLOTS]; LEVELS],
            occupied: [[0; SLOTS / 64]; LEVELS],
            entries: Vec::new(),
            free: NONE,
            count: 0,
            wake_tick: u64::MAX,
            stopping: false,
        }
    }

    fn insert(&mut self, due_tick: u64, action: A) -> u64 {
        let index = if self.free == NONE {
            self.entries.push(Entry { due_tick, action: None, previous: NONE, next: NONE, level: 0, slot: 0, generation: 1 });
            self.entries.len() as u32 - 1
        } else {
            let index = self.free;
            self.free = self.entries[index as usize].next;
            index
        };
        let entry = &mut self.entries[index as usize];
        debug_assert!(entry.action.is_none(), "an entry has one timer at a time");
        entry.due_tick = due_tick.max(self.now_tick + 1);
        entry.action = Some(action);
        let id = (entry.generation as u64) << 32 | index as u64;
        self.count += 1;
        self.link(index);
        id
    }

    /// Puts an entry into the slot for its distance.
    fn link(&mut self, index: u32) {
        let due = self.entries[index as usize].due_tick.min(self.now_tick + HORIZON_TICKS);
        let distance = due.saturating_sub(self.now_tick).max(1);
        let level = ((63 - distance.leading_zeros()) / SLOT_BITS) as usize;
        let slot = (due >> (SLOT_BITS * level as u32)) as usize % SLOTS;
        debug_assert!(due > self.now_tick && (level > 0 || distance < SLOTS as u64), "a slot comes up when its entries are due, or before");
        let head = self.heads[level][slot];
        debug_assert_eq!(head != NONE, self.is_occupied(level, slot));
        if head != NONE {
            self.entries[head as usize].previous = index;
        }
        let entry = &mut self.entries[index as usize];
        (entry.level, entry.slot, entry.previous, entry.next) = (level as u8, slot as u8, NONE, head);
        self.heads[level][slot] = index;
        self.occupied[level][slot / 64] |= 1 << (slot % 64);
    }

    fn is_occupied(&self, level: usize, slot: usize) -> bool {
        self.occupied[level][slot / 64] & 1 << (slot % 64) != 0
    }

    fn unlink(&mut self, index: u32) {
        let entry = &self.entries[index as usize];
        let (level, slot, previous, next) = (entry.level as usize, entry.slot as usize, entry.previous, entry.next);
        if previous == NONE {
            debug_assert_eq!(self.heads[level][slot], index, "an entry is in the list of its slot");
            self.heads[level][slot] = next;
            if next == NONE {
                self.occupied[level][slot / 64] &= !(1 << (slot % 64));
            }
        } else {
            self.entries[previous as usize].next = next;
        }
        if next != NONE {
            self.entries[next as usize].previous = previous;
        }
    }

    fn release(&mut self, index: u32) -> Option<A> {
        let free = self.free;
        let entry = &mut self.entries[index as usize];
        entry.generation = entry.generation.wrapping_add(1);
        entry.next = free;
        self.free = index;
        self.count -= 1;
        let action = entry.action.take();
        debug_assert!(action.is_some(), "a timer ends once");
        action
    }

    fn cancel(&mut self, id: u64) -> Option<A> {
        let index = id as u32;
        let entry = self.entries.get(index as usize)?;
        if entry.generation != (id >> 32) as u32 || entry.action.is_none() {
            return None;
        }
        self.unlink(index);
        self.release(index)
    }

    /// Takes all entries of a slot out of the wheel.
    fn drain(&mut self, level: usize, slot: usize) -> Vec<u32> {
        let mut found = Vec::new();
        let mut index = std::mem::replace(&mut self.heads[level][slot], NONE);
        self.occupied[level][slot / 64] &= !(1 << (slot % 64));
        while index != NONE {
            found.push(index);
            index = self.entries[index as usize].next;
        }
        found
    }

    /// Moves the wheel to `tick`, collecting entries that are due.
    fn advance(&mut self, tick: u64, due: &mut Vec<A>) {
        while self.now_tick < tick {
            let next = self.next_event().min(tick);
            debug_assert!(next > self.now_tick);
            self.now_tick = next;
            for level in (1..LEVELS).rev() {
                let shift = SLOT_BITS * level as u32;
                if self.now_tick & ((1 << shift) - 1) == 0 {
                    let slot = (self.now_tick >> shift) as usize % SLOTS;
                    for index in self.drain(level, slot) {
                        self.settle(index, due);
                    }
                }
            }
            let slot = self.now_tick as usize % SLOTS;
            for index in self.drain(0, slot) {
                self.settle(index, due);
            }
        }
    }

    fn settle(&mut self, index: u32, due: &mut Vec<A>) {
        if self.entries[index as usize].due_tick <= self.now_tick {
            due.extend(self.release(index));
        } else {
            self.link(index);
        }
    }

    /// The next tick at which a slot with entries is reached, to fire or to distribute them; u64::MAX if there is none.
    fn next_event(&self) -> u64 {
        let mut next = u64::MAX;
        for level in 0..LEVELS {
            let shift = SLOT_BITS * level as u32;
            let position = self.now_tick >> shift;
            if let Some(distance) = self.next_occupied(level, (position as usize + 1) % SLOTS) {
                next = next.min((position + 1 + distance as u64) << shift);
            }
        }
        next
    }

    /// How far after slot `from`, going round, the next occupied slot is.
    fn next_occupied(&self, level: usize, from: usize) -> Option<usize> {
        let words = &self.occupied[level];
        if words.iter().all(|&word| word == 0) {
            return None;
        }
        (0..SLOTS).find(|distance| self.is_occupied(level, (from + distance) % SLOTS))
    }
}

/// The wheel and its thread's sleep.
pub(super) struct Timers<A> {
    wheel: Mutex<Wheel<A>>,
    changed: Condvar,
}

fn tick_of(now_ns: u64) -> u64 {
    now_ns / TICK_NS
}

impl<A> Timers<A> {
    pub fn new() -> Timers<A> {
        Timers { wheel: Mutex::new(Wheel::new(tick_of(crate::clock::now_ns()))), changed: Condvar::new() }
    }

    /// Locks the wheel; an explored thread takes its turn.
    fn lock(&self) -> MutexGuard<'_, Wheel<A>> {
        #[cfg(test)]
        if let Some(wheel) = crate::interleave::wait_until(|| self.wheel.try_lock()) {
            return wheel;
        }
        self.wheel.lock()
    }

    /// Arranges for `action` after `delay`, rounded up to the tick.
    pub fn insert(&self, delay: Duration, action: A) -> u64 {
        let delay_ns = delay.as_nanos().min(1 << 62) as u64;
        // Up to the next tick boundary, so that never early holds.
        let due_tick = (crate::clock::now_ns().saturating_add(delay_ns)).div_ceil(TICK_NS);
        let mut wheel = self.lock();
        let id = wheel.insert(due_tick, action);
        if due_tick < wheel.wake_tick {
            wheel.wake_tick = due_tick;
            self.changed.notify_one();
        }
        id
    }

    /// True if the timer had not fired.
    pub fn cancel(&self, id: u64) -> bool {
        let action = self.lock().cancel(id);
        action.is_some()
    }

    /// Takes the actions that are due when this time has passed out of the wheel, as the timer thread does.
    #[cfg(test)]
    pub fn take_due(&self, after: Duration) -> Vec<A> {
        let mut due = Vec::new();
        let tick = tick_of(crate::clock::now_ns().saturating_add(after.as_nanos() as u64)) + 1;
        self.lock().advance(tick, &mut due);
        due
    }

    /// Timers that have neither fired nor been cancelled.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.wheel.lock().count
    }

    pub fn stop(&self) {
        self.lock().stopping = true;
        self.changed.notify_one();
    }

    /// The timer thread: passes each action to `perform` when it is due.
    pub fn run(&self, perform: fn(A)) {
        let mut due = Vec::new();
        let mut wheel = self.wheel.lock();
        while !wheel.stopping {
            wheel.advance(tick_of(crate::clock::now_ns()), &mut due);
            if !due.is_empty() {
                drop(wheel);
                due.drain(..).for_each(perform);
                wheel = self.wheel.lock();
                continue;
            }
            wheel.wake_tick = wheel.next_event();
            if wheel.wake_tick == u64::MAX {
                self.changed.wait(&mut wheel);
            } else {
                let wait_ns = (wheel.wake_tick * TICK_NS).saturating_sub(crate::clock::now_ns());
                self.changed.wait_for(&mut wheel, Duration::from_nanos(wait_ns));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    use std::sync::Arc;

    type Action = Box<dyn FnOnce() + Send>;

    fn call(fired: &Arc<AtomicU64>, value: u64) -> Action {
        let fired = fired.clone();
        Box::new(move || fired.store(value, Ordering::SeqCst))
    }

    fn fire_tick(start: u64, delay: u64) -> u64 {
        let mut wheel = Wheel::new(start);
        let fired = Arc::new(AtomicU64::new(0));
        wheel.insert(start + delay, call(&fired, 1));
        let mut due = Vec::new();
        loop {
            let next = wheel.next_event();
            assert_ne!(next, u64::MAX);
            wheel.advance(next, &mut due);
            if !due.is_empty() {
                assert_eq!(wheel.count, 0);
                return wheel.now_tick;
            }
        }
    }

    #[test]
    fn fires_at_its_tick_at_every_distance() {
        for start in [0, 1, 255, 256, 65_535, 16_777_000, 4_294_967_000] {
            for delay in [1, 2, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537, 100_000, 16_777_216, 20_000_000] {
                assert_eq!(fire_tick(start, delay), start + delay, "start {start} delay {delay}");
            }
        }
    }

    #[test]
    fn beyond_the_horizon() {
        assert_eq!(fire_tick(7, HORIZON_TICKS + 1000), 7 + HORIZON_TICKS + 1000);
    }

    #[test]
    fn one_long_step_fires_everything_in_between() {
        let mut wheel = Wheel::new(0);
        let fired = Arc::new(AtomicU64::new(0));
        for delay in 1..=1000 {
            wheel.insert(delay * 7, call(&fired, delay));
        }
        let mut due = Vec::new();
        wheel.advance(7 * 999, &mut due);
        assert_eq!(due.len(), 999);
        wheel.advance(7 * 1000, &mut due);
        assert_eq!(due.len(), 1000);
    }

    #[test]
    fn cancel_is_final_and_late_cancel_is_harmless() {
        let mut wheel = Wheel::new(0);
        let fired = Arc::new(AtomicU64::new(0));
        let first = wheel.insert(5, call(&fired, 1));
        assert!(wheel.cancel(first).is_some());
        assert!(wheel.cancel(first).is_none());
        let second = wheel.insert(5, call(&fired, 2));
        assert_ne!(first, second, "the entry is reused under another generation");
        assert!(wheel.cancel(first).is_none());
        let mut due = Vec::new();
        wheel.advance(10, &mut due);
        assert_eq!(due.len(), 1);
    }
}
