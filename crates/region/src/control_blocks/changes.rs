//! Changes of state that something outside the domains watches (policy system rules).
//!
//! A domain tells a change after it has happened, with no lock held. Invariant: while nothing watches a kind of change, telling it costs one
//! load.

use super::region::Region;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A change, with the names of the states before and after it.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    FileOpen {
        file: &'a str,
        from: &'static str,
        to: &'static str,
    },
    FileEnable {
        file: &'a str,
        from: &'static str,
        to: &'static str,
    },
    ProgramEnable {
        program: &'a str,
        from: &'static str,
        to: &'static str,
    },
    BundleEnable {
        bundle: &'a str,
        from: &'static str,
        to: &'static str,
    },
    BundleAvailable {
        bundle: &'a str,
        from: &'static str,
        to: &'static str,
    },
    Db2Connection {
        connection: &'a str,
        from: &'static str,
        to: &'static str,
    },
    /// A task ends with an abend that none of its exits dealt with.
    Abend {
        code: &'a str,
        program: &'a str,
    },
    /// A START with data, for the terminal of its task and at once, adds an automatic initiate descriptor: so many there are then.
    Aids {
        transid: &'a str,
        count: u32,
    },
}

/// The kinds of changes, as bits of a set.
pub mod kind {
    pub const FILE_OPEN: u32 = 1;
    pub const FILE_ENABLE: u32 = 2;
    pub const PROGRAM_ENABLE: u32 = 4;
    pub const BUNDLE_ENABLE: u32 = 8;
    pub const DB2_CONNECTION: u32 = 16;
    pub const ABEND: u32 = 32;
    pub const AIDS: u32 = 64;
    pub const BUNDLE_AVAILABLE: u32 = 128;
}

impl Change<'_> {
    fn kind(&self) -> u32 {
        match self {
            Change::FileOpen { .. } => kind::FILE_OPEN,
            Change::FileEnable { .. } => kind::FILE_ENABLE,
            Change::ProgramEnable { .. } => kind::PROGRAM_ENABLE,
            Change::BundleEnable { .. } => kind::BUNDLE_ENABLE,
            Change::BundleAvailable { .. } => kind::BUNDLE_AVAILABLE,
            Change::Db2Connection { .. } => kind::DB2_CONNECTION,
            Change::Abend { .. } => kind::ABEND,
            Change::Aids { .. } => kind::AIDS,
        }
    }
}

/// Called with each change of a kind that is watched, on the thread that made it.
pub type Watcher = fn(&'static Region, &Change);

/// Who watches a region's changes, and which.
#[derive(Default)]
pub struct Changes {
    watched: AtomicU32,
    watcher: OnceLock<Watcher>,
}

impl Changes {
    /// Watches these kinds of changes from now on, instead of those before.
    pub fn watch(&self, kinds: u32, watcher: Watcher) {
        let _ = self.watcher.set(watcher);
        self.watched.store(kinds, Ordering::Release);
    }

    /// Whether somebody watches changes of this kind: for those that cost something to put together.
    #[inline]
    pub fn is_watched(&self, kind: u32) -> bool {
        self.watched.load(Ordering::Relaxed) & kind != 0
    }

    #[inline]
    pub fn tell(&self, region: &'static Region, change: Change) {
        if self.is_watched(change.kind())
            && let Some(watcher) = self.watcher.get()
        {
            watcher(region, &change);
        }
    }
}
