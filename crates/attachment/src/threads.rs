//! The threads of the pool or of one entry: limit, counters, and the tasks that wait.
//!
//! Invariants: `in_use` plus the protected threads never exceed the limit, unless the limit was lowered; a thread that is handed to a waiting
//! task stays in use.

use kernel::Waker;
use std::collections::VecDeque;

/// The counters of statistics.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counters {
    pub calls: u64,
    pub signons: u64,
    pub partial_signons: u64,
    pub commits: u64,
    pub aborts: u64,
    pub single_phase: u64,
    pub creates: u64,
    pub reuses: u64,
    pub terminates: u64,
    pub waits_or_overflows: u64,
    pub tasks: u64,
}

/// A number and the highest it has been.
#[derive(Clone, Copy, Default, Debug)]
pub struct Level {
    pub current: u32,
    pub peak: u32,
}

impl Level {
    pub fn rise(&mut self) {
        self.current += 1;
        self.peak = self.peak.max(self.current);
    }

    pub fn fall(&mut self) {
        debug_assert!(self.current > 0, "what ends has begun");
        self.current -= 1;
    }

    pub fn set(&mut self, current: u32) {
        self.current = current;
        self.peak = self.peak.max(current);
    }
}

#[derive(Default)]
pub struct Threads {
    pub limit: u32,
    /// Threads that tasks use.
    pub in_use: Level,
    /// Parked threads that PROTECTNUM keeps.
    pub protected: Level,
    pub tasks: Level,
    pub ready_queue: Level,
    pub counters: Counters,
    waiting: VecDeque<Waker>,
}

impl Threads {
    /// A free place, or one in which a protected thread is parked.
    pub fn has_room(&self) -> bool {
        self.in_use.current < self.limit
    }

    pub fn queue(&mut self, waker: Waker) {
        self.waiting.retain(Waker::is_live);
        self.waiting.push_back(waker);
        self.ready_queue.set(self.waiting.len() as u32);
    }

    /// Gives the place of a thread to a waiting task; false if none waits.
    pub fn hand_over(&mut self) -> bool {
        let mut handed = false;
        while let Some(waker) = self.waiting.pop_front() {
            if waker.resume() {
                handed = true;
                break;
            }
        }
        self.ready_queue.current = self.waiting.len() as u32;
        handed
    }

    /// The limit was raised: places for those who wait; answers how many.
    pub fn admit(&mut self) -> u32 {
        let before = self.in_use.current;
        while self.has_room() && self.hand_over() {
            self.in_use.rise();
        }
        self.in_use.current - before
    }

    /// Those who wait look again at what they wait for.
    pub fn dismiss(&mut self) -> Vec<Waker> {
        self.ready_queue.current = 0;
        self.waiting.drain(..).collect()
    }

    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}
