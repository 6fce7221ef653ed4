//! Whom a trace entry is about: what every entry says of the task that runs, kept where any code finds it without a lock.
//!
//! Invariant: the numbers are set before the task first runs; the rest may change at any time, and a reader sees the old or the new value.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// Which trace points of a task are written: TRACING of INQUIRE TRANSACTION.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Tracing {
    /// Those of standard tracing (STANTRACE).
    #[default]
    Standard = 0,
    /// Those of special tracing (SPECTRACE).
    Special = 1,
    /// None but exceptions (SPRSTRACE, SINGLEOFF).
    Suppressed = 2,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct TracedTask {
    /// EIBTASKN; 0: no task.
    number: AtomicU32,
    /// KE_NUM.
    kernel_number: AtomicU32,
    transaction: AtomicU32,
    terminal: AtomicU32,
    mode: AtomicU8,
    tracing: AtomicU8,
}

/// What an entry says of its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub number: u32,
    pub kernel_number: u32,
    pub transaction: [u8; 4],
    pub terminal: [u8; 4],
    /// Index of the TCB mode; [`NO_MODE`]: none.
    pub mode: u8,
    pub tracing: Tracing,
}

/// Of code that runs in no task.
const NO_MODE: u8 = u8::MAX;

impl Identity {
    pub const NONE: Identity =
        Identity { number: 0, kernel_number: 0, transaction: *b"    ", terminal: *b"    ", mode: NO_MODE, tracing: Tracing::Standard };
}

impl TracedTask {
    pub const fn new() -> TracedTask {
        const BLANK: u32 = u32::from_ne_bytes(*b"    ");
        TracedTask {
            number: AtomicU32::new(0),
            kernel_number: AtomicU32::new(0),
            transaction: AtomicU32::new(BLANK),
            terminal: AtomicU32::new(BLANK),
            mode: AtomicU8::new(NO_MODE),
            tracing: AtomicU8::new(Tracing::Standard as u8),
        }
    }

    pub fn set_task(&self, number: u32, kernel_number: u32, transaction: &[u8; 4]) {
        self.number.store(number, Ordering::Relaxed);
        self.kernel_number.store(kernel_number, Ordering::Relaxed);
        self.transaction.store(u32::from_ne_bytes(*transaction), Ordering::Relaxed);
    }

    pub fn set_terminal(&self, terminal: &[u8; 4]) {
        self.terminal.store(u32::from_ne_bytes(*terminal), Ordering::Relaxed);
    }

    #[inline]
    pub fn set_mode(&self, mode: u8) {
        self.mode.store(mode, Ordering::Relaxed);
    }

    pub fn set_tracing(&self, tracing: Tracing) {
        self.tracing.store(tracing as u8, Ordering::Relaxed);
    }

    pub fn tracing(&self) -> Tracing {
        match self.tracing.load(Ordering::Relaxed) {
            0 => Tracing::Standard,
            1 => Tracing::Special,
            _ => Tracing::Suppressed,
        }
    }

    #[inline]
    pub fn identity(&self) -> Identity {
        Identity {
            number: self.number.load(Ordering::Relaxed),
            kernel_number: self.kernel_number.load(Ordering::Relaxed),
            transaction: self.transaction.load(Ordering::Relaxed).to_ne_bytes(),
            terminal: self.terminal.load(Ordering::Relaxed).to_ne_bytes(),
            mode: self.mode.load(Ordering::Relaxed),
            tracing: self.tracing(),
        }
    }
}
