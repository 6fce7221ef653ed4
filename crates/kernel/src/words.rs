//! The atomic words that tasks, workers and wakers share: those of the standard library, or in the unit tests of this crate words that are
//! accessed in every order (`interleave`).

#[cfg(test)]
pub(crate) use crate::interleave::{AtomicU8, AtomicU32, AtomicU64};
#[cfg(not(test))]
pub(crate) use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};
