//! The vocabulary of waits: why a task is suspended, on which terms, and why it runs again. The implementation is in `task::wait_word` (one
//! wait), `dispatcher::waits` (the side of the task) and `dispatcher::wake` (the side of the waker).

use crate::name::{Name8, Name16};
use std::time::Duration;

/// What a task waits for, as INQUIRE TASK shows it, and the terms of the wait.
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    /// SUSPENDTYPE, for example FCIOWAIT, ICWAIT, ENQUEUE.
    pub resource_type: Name8,
    /// SUSPENDVALUE: the resource within the type.
    pub resource_name: Name16,
    /// The wait ends as [`Resumed::TimedOut`] after this time.
    pub timeout: Option<Duration>,
    /// A plain purge may end the wait (a force-purge ends every wait but a [`Wait::protected`] one).
    pub purgeable: bool,
    /// Only a resume or the timeout ends the wait.
    pub protected: bool,
    /// The type under which the wait is accounted; `None`: the resource type.
    pub clock: Option<Name8>,
}

impl Wait {
    pub const fn new(resource_type: &str) -> Wait {
        Wait {
            resource_type: Name8::new(resource_type),
            resource_name: Name16::BLANK,
            timeout: None,
            purgeable: true,
            protected: false,
            clock: None,
        }
    }

    pub const fn named(mut self, resource_name: Name16) -> Wait {
        self.resource_name = resource_name;
        self
    }

    /// Accounts the wait under another type than the one that is shown.
    pub const fn accounted_as(mut self, clock: &str) -> Wait {
        self.clock = Some(Name8::new(clock));
        self
    }

    pub const fn timeout(mut self, timeout: Duration) -> Wait {
        self.timeout = Some(timeout);
        self
    }

    /// A plain purge leaves the task waiting.
    pub const fn not_purgeable(mut self) -> Wait {
        self.purgeable = false;
        self
    }

    /// Neither purge nor force-purge nor kill ends the wait.
    pub const fn protected(mut self) -> Wait {
        self.purgeable = false;
        self.protected = true;
        self
    }
}

/// Strength of a purge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Purge {
    Purge = 1,
    ForcePurge = 2,
    Kill = 3,
}

impl Purge {
    /// A purge from its strength as stored in a byte; 0: none.
    pub(crate) const fn from_strength(strength: u8) -> Option<Purge> {
        match strength {
            1 => Some(Purge::Purge),
            2 => Some(Purge::ForcePurge),
            3 => Some(Purge::Kill),
            _ => None,
        }
    }
}

/// Why a suspended task runs again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resumed {
    /// A resume or a post; the value is the poster's (completion code or index of the ECB).
    Posted(u32),
    /// [`Wait::timeout`] passed.
    TimedOut,
    /// The task is being purged.
    Purged(Purge),
}
