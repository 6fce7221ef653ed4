//! What the tests of several crates share: random numbers that are the same in every run, and waiting with a deadline. Crates use it as a
//! dev-dependency. What may not live here: anything that needs another crate of this workspace; helpers of that kind are modules of the tests
//! of the highest crate they need.
#![forbid(unsafe_code)]

mod random;
mod wait;

pub use random::Random;
pub use wait::{eventually, eventually_within};
