//! The wait word: sequence (32 bits), value (24), reason (4), phase (4).
//!
//! Invariant: phase and reason are read and changed together with the sequence number they belong to.

use crate::wait::{Purge, Resumed};

pub const IDLE: u64 = 0;
pub const OPEN: u64 = 1;
pub const ASLEEP: u64 = 2;
pub const FIRED: u64 = 3;
pub const POSTED: u64 = 0;
pub const TIMED_OUT: u64 = 1;
/// Plus the strength.
pub const PURGED: u64 = 4;
pub const VALUE_MAX: u32 = 0xFF_FFFF;

pub const fn phase(word: u64) -> u64 {
    word & 0xF
}
pub const fn reason(word: u64) -> u64 {
    word >> 4 & 0xF
}
pub const fn value(word: u64) -> u32 {
    (word >> 8) as u32 & VALUE_MAX
}
pub const fn sequence(word: u64) -> u64 {
    word >> 32
}
pub const fn make(sequence: u64, value: u32, reason: u64, phase: u64) -> u64 {
    sequence << 32 | ((value & VALUE_MAX) as u64) << 8 | reason << 4 | phase
}

/// What a fired word tells the task.
pub fn resumed(word: u64) -> Resumed {
    debug_assert_eq!(phase(word), FIRED);
    match reason(word) {
        POSTED => Resumed::Posted(value(word)),
        TIMED_OUT => Resumed::TimedOut,
        reason => Resumed::Purged(purge_of((reason - PURGED) as u8).unwrap_or(Purge::Purge)),
    }
}

/// A strength as it is kept in a byte; 0: none.
pub fn purge_of(strength: u8) -> Option<Purge> {
    match strength {
        1 => Some(Purge::Purge),
        2 => Some(Purge::ForcePurge),
        3 => Some(Purge::Kill),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_word_keeps_its_parts() {
        let packed = make(0xFFFF_FFFF, VALUE_MAX, PURGED + 3, FIRED);
        assert_eq!(sequence(packed), 0xFFFF_FFFF);
        assert_eq!(value(packed), VALUE_MAX);
        assert_eq!(resumed(packed), Resumed::Purged(Purge::Kill));
    }
}
