//! The wait word of a task: the only place where a wait begins, ends and is matched with its waker.
//!
//! Layout: sequence (32 bits), value (24), reason (4), phase (4); which all change together. Invariants: the word goes idle -> open ->
//! (asleep ->) fired -> idle; only the task opens and closes a wait, and only while it runs, so the word is never asleep then; only its
//! worker puts it to sleep; any thread may fire it, but only with the sequence number of the wait that is open or asleep. The number grows
//! with each opening, so the number of a late waker no longer matches. The thread that moves the word from asleep to fired, and no other,
//! makes the task ready.
//!
//! Asserted at each change. In the tests below threads race for a word, also under Miri; `dispatcher::model` runs every order of their steps.

use crate::wait::{Purge, Resumed};
use crate::words::AtomicU64;
use std::sync::atomic::Ordering;

const IDLE: u64 = 0;
const OPEN: u64 = 1;
const ASLEEP: u64 = 2;
const FIRED: u64 = 3;

const POSTED: u64 = 0;
const TIMED_OUT: u64 = 1;
/// Plus the strength.
const PURGED: u64 = 4;
const VALUE_MAX: u32 = 0xFF_FFFF;
const SEQUENCE_MAX: u64 = 0xFFFF_FFFF;

const fn phase(word: u64) -> u64 {
    word & 0xF
}

const fn sequence(word: u64) -> u64 {
    word >> 32
}

const fn make(sequence: u64, value: u32, reason: u64, phase: u64) -> u64 {
    sequence << 32 | ((value & VALUE_MAX) as u64) << 8 | reason << 4 | phase
}

/// The reason that a fired word passes to the task.
fn resumed(word: u64) -> Resumed {
    debug_assert_eq!(phase(word), FIRED);
    match word >> 4 & 0xF {
        POSTED => Resumed::Posted((word >> 8) as u32 & VALUE_MAX),
        TIMED_OUT => Resumed::TimedOut,
        reason => {
            debug_assert!(reason > PURGED && reason <= PURGED + Purge::Kill as u64, "a purge has a strength");
            Resumed::Purged(Purge::from_strength((reason - PURGED) as u8).unwrap_or(Purge::Purge))
        }
    }
}

/// The result of firing a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fired {
    /// Nothing: the wait had ended.
    TooLate,
    /// Ended a wait the task is not asleep in yet.
    Awake,
    /// Ended the wait of a sleeping task, which the caller must make ready.
    Asleep,
}

#[derive(Default)]
pub(crate) struct WaitWord(AtomicU64);

impl WaitWord {
    /// Own task. Opens a new wait, dropping one that was opened and not closed; returns its sequence number.
    #[inline]
    pub fn open(&self) -> u64 {
        let before = self.0.load(Ordering::Relaxed);
        debug_assert_ne!(phase(before), ASLEEP, "a task that runs is not asleep");
        let sequence = (sequence(before) + 1) & SEQUENCE_MAX;
        // A running task cannot be put to sleep; a late waker of the previous wait has no effect.
        self.0.store(make(sequence, 0, 0, OPEN), Ordering::Release);
        sequence
    }

    /// Own task. Closes the wait: later wakers of it have no effect. Returns the reason it was fired with.
    #[inline]
    pub fn close(&self) -> Option<Resumed> {
        let mut now = self.0.load(Ordering::Acquire);
        loop {
            debug_assert_ne!(phase(now), ASLEEP, "a task that runs is not asleep");
            let closed = make(sequence(now), 0, 0, IDLE);
            match self.0.compare_exchange_weak(now, closed, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return (phase(now) == FIRED).then(|| resumed(now)),
                Err(other) => now = other,
            }
        }
    }

    /// No wait is open.
    #[inline]
    pub fn is_idle(&self) -> bool {
        phase(self.0.load(Ordering::Acquire)) == IDLE
    }

    #[inline]
    pub fn has_fired(&self) -> bool {
        phase(self.0.load(Ordering::Acquire)) == FIRED
    }

    /// The number of the wait opened last.
    pub fn sequence(&self) -> u64 {
        sequence(self.0.load(Ordering::Relaxed))
    }

    /// The number of the wait the task sleeps in.
    pub fn asleep(&self) -> Option<u64> {
        let now = self.0.load(Ordering::SeqCst);
        (phase(now) == ASLEEP).then(|| sequence(now))
    }

    /// The wait `number` has neither ended nor been abandoned.
    #[inline]
    pub fn is_live(&self, number: u64) -> bool {
        let now = self.0.load(Ordering::Acquire);
        sequence(now) == number && matches!(phase(now), OPEN | ASLEEP)
    }

    /// Worker: the task sleeps from now on. False if its wait has ended meanwhile.
    #[inline]
    pub fn fall_asleep(&self) -> bool {
        let now = self.0.load(Ordering::Acquire);
        debug_assert!(matches!(phase(now), OPEN | FIRED), "a task suspends in a wait that it has opened");
        let asleep = make(sequence(now), 0, 0, ASLEEP);
        phase(now) == OPEN && self.0.compare_exchange(now, asleep, Ordering::SeqCst, Ordering::Acquire).is_ok()
    }

    /// Ends the wait `number` for `reason`, unless it has ended.
    #[inline]
    pub fn fire(&self, number: u64, reason: Resumed) -> Fired {
        let (value, code) = match reason {
            Resumed::Posted(value) => (value, POSTED),
            Resumed::TimedOut => (0, TIMED_OUT),
            Resumed::Purged(purge) => (0, PURGED + purge as u64),
        };
        debug_assert!(value <= VALUE_MAX, "a waker carries 24 bits");
        let fired = make(number, value, code, FIRED);
        let mut now = self.0.load(Ordering::Acquire);
        loop {
            let phase = phase(now);
            if sequence(now) != number || !matches!(phase, OPEN | ASLEEP) {
                return Fired::TooLate;
            }
            match self.0.compare_exchange_weak(now, fired, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) if phase == ASLEEP => return Fired::Asleep,
                Ok(_) => return Fired::Awake,
                Err(other) => now = other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::AtomicU32;

    #[test]
    fn the_wait_word_keeps_its_parts() {
        let packed = make(SEQUENCE_MAX, VALUE_MAX, PURGED + 3, FIRED);
        assert_eq!((sequence(packed), resumed(packed)), (SEQUENCE_MAX, Resumed::Purged(Purge::Kill)));
        assert_eq!(resumed(make(1, VALUE_MAX, POSTED, FIRED)), Resumed::Posted(VALUE_MAX));
        assert_eq!(resumed(make(1, 0, TIMED_OUT, FIRED)), Resumed::TimedOut);
    }

    #[test]
    fn a_waker_ends_its_own_wait_once() {
        let word = WaitWord::default();
        let first = word.open();
        assert!(word.is_live(first) && !word.has_fired());
        assert_eq!(word.fire(first, Resumed::Posted(5)), Fired::Awake);
        assert_eq!(word.fire(first, Resumed::TimedOut), Fired::TooLate);
        assert!(!word.fall_asleep());
        assert_eq!(word.close(), Some(Resumed::Posted(5)), "the first reason counts");
        let second = word.open();
        assert_ne!(first, second);
        assert_eq!(word.fire(first, Resumed::Posted(6)), Fired::TooLate);
        assert!(word.fall_asleep());
        assert_eq!((word.asleep(), word.fire(second, Resumed::Purged(Purge::ForcePurge))), (Some(second), Fired::Asleep));
        assert_eq!(word.close(), Some(Resumed::Purged(Purge::ForcePurge)));
        assert!(word.is_idle() && word.close().is_none());
        assert_eq!(word.fire(second, Resumed::Posted(0)), Fired::TooLate);
    }

    #[test]
    fn the_number_begins_again_after_the_greatest() {
        let word = WaitWord(AtomicU64::new(make(SEQUENCE_MAX, 0, 0, IDLE)));
        assert_eq!(word.open(), 0);
        assert!(!word.is_live(SEQUENCE_MAX));
    }

    /// Exactly one of two wakers that race with the worker ends each wait, and the task is made ready at most once for it: by the waker
    /// that found it asleep.
    #[test]
    fn one_of_racing_wakers_wins() {
        let waits = if cfg!(miri) { 100 } else { 20_000 };
        let word = WaitWord::default();
        let (opened, ready) = (AtomicU64::new(0), AtomicU32::new(0));
        let wake = |reason: Resumed| {
            let (mut wins, mut last) = (0, 0);
            while last < waits {
                let number = opened.load(Ordering::SeqCst);
                if number == last {
                    std::thread::yield_now();
                    continue;
                }
                last = number;
                let fired = word.fire(number, reason);
                wins += (fired != Fired::TooLate) as u64;
                if fired == Fired::Asleep {
                    assert_eq!(ready.swap(1, Ordering::SeqCst), 0, "a task is made ready once");
                }
            }
            wins
        };
        let won = std::thread::scope(|scope| {
            let wakers = [Resumed::Posted(1), Resumed::TimedOut].map(|reason| scope.spawn(move || wake(reason)));
            for _ in 0..waits {
                let number = word.open();
                opened.store(number, Ordering::SeqCst);
                if word.fall_asleep() {
                    while ready.swap(0, Ordering::SeqCst) == 0 {
                        std::thread::yield_now();
                    }
                }
                while !word.has_fired() {
                    std::thread::yield_now();
                }
                assert!(matches!(word.close(), Some(Resumed::Posted(1) | Resumed::TimedOut)));
            }
            wakers.map(|waker| waker.join().unwrap()).iter().sum::<u64>()
        });
        assert_eq!(won, waits);
    }
}
