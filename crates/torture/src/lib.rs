//! Crash rounds: a region under a random mix of work from many tasks dies, is restarted, and is compared with a model.
//!
//! Each round runs in its own process. It starts the region on the data of the round before, reports the data (`report`), then works
//! (`work`) until its disk loses power at a chosen write, sync, rename or page batch, or fails, or the process is killed from outside or
//! shut down. It tells the parent the changes of a unit of work just before its syncpoint, and its end afterwards, so the parent (`rounds`)
//! knows which data must exist, which must not, and which may (`model`). This crate only drives a region; it contains nothing that a region
//! needs to run.
#![forbid(unsafe_code)]

mod commands;
mod doubt;
mod model;
mod protocol;
mod replica;
mod report;
mod round;
mod rounds;
mod setup;
mod work;

pub use round::{RoundArguments, round};
pub use rounds::{Arguments, Summary, command, run};

/// A small random number generator, reproducible from its seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        // Seeds that differ in few bits give numbers that differ in many.
        for _ in 0..8 {
            random.below(2);
        }
        random
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    /// True one time in `odds`.
    pub fn one_in(&mut self, odds: u64) -> bool {
        self.below(odds) == 0
    }
}
