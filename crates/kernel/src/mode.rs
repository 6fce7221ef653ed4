//! TCB modes and TCB pools: what a task is dispatched *as*.
//!
//! A mode is a role, not a thread: the worker thread keeps the task, and only the right to run under a mode changes hands. Invariants:
//! there are exactly 18 modes and 4 pools, in the order of the dispatcher statistics; a mode is exclusive (one holder in the region),
//! counted by a pool, or unlimited; only L8, L9, X8 and X9 stay with a task until it ends.

/// The TCB modes, in the order the dispatcher statistics report them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Mode {
    /// Quasi-reentrant: all QUASIRENT programs, every command that is not threadsafe, start and end of a task.
    Qr = 0,
    /// Resource-owning: program loads off an open TCB, library data sets, open and close.
    Ro = 1,
    /// Concurrent input and output (SUBTSKS=1).
    Co = 2,
    /// FEPI secondary terminals.
    Sz = 3,
    /// ONC/RPC support.
    Rp = 4,
    /// File-owning: open and close of user data sets.
    Fo = 5,
    /// Sockets listener.
    Sl = 6,
    /// Sockets calls.
    So = 7,
    /// Owner of the SSL pool.
    Sp = 8,
    /// Event processing.
    Ep = 9,
    /// Owner of the JVM server pool.
    Tp = 10,
    /// DB2 housekeeping.
    D2 = 11,
    /// TLS handshake, encryption, decryption.
    S8 = 12,
    /// Open, CICS key.
    L8 = 13,
    /// Open, user key.
    L9 = 14,
    /// XPLINK, CICS key.
    X8 = 15,
    /// XPLINK, user key.
    X9 = 16,
    /// A thread of a JVM server.
    T8 = 17,
}

/// The number of TCB modes.
pub const MODE_COUNT: usize = 18;
/// The number of modes that are a single exclusive TCB ([`Mode::is_single`]); they come first in [`Mode::ALL`].
pub const SINGLE_MODE_COUNT: usize = 9;
/// The number of TCB pools.
pub const POOL_COUNT: usize = 4;

impl Mode {
    /// Every mode in the order of the statistics.
    pub const ALL: [Mode; MODE_COUNT] = [
        Mode::Qr,
        Mode::Ro,
        Mode::Co,
        Mode::Sz,
        Mode::Rp,
        Mode::Fo,
        Mode::Sl,
        Mode::So,
        Mode::Sp,
        Mode::Ep,
        Mode::Tp,
        Mode::D2,
        Mode::S8,
        Mode::L8,
        Mode::L9,
        Mode::X8,
        Mode::X9,
        Mode::T8,
    ];

    /// The two-character name, as INQUIRE TASK and the statistics show it.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; MODE_COUNT] =
            ["QR", "RO", "CO", "SZ", "RP", "FO", "SL", "SO", "SP", "EP", "TP", "D2", "S8", "L8", "L9", "X8", "X9", "T8"];
        NAMES[self as usize]
    }

    /// One TCB exists in the region; the task dispatched under it excludes all others.
    pub const fn is_single(self) -> bool {
        (self as usize) < SINGLE_MODE_COUNT
    }

    /// An open mode: many tasks run under it at the same time, each on its own TCB.
    pub const fn is_open(self) -> bool {
        !self.is_single()
    }

    /// The pool whose limit counts TCBs of this mode.
    pub const fn pool(self) -> Option<Pool> {
        match self {
            Mode::L8 | Mode::L9 => Some(Pool::Open),
            Mode::X8 | Mode::X9 => Some(Pool::Xp),
            Mode::S8 => Some(Pool::Ssl),
            Mode::T8 => Some(Pool::Thrd),
            _ => None,
        }
    }

    /// Once allocated the TCB belongs to the task until the task ends; other pooled TCBs go back on leaving the mode.
    pub const fn is_held_for_task(self) -> bool {
        matches!(self, Mode::L8 | Mode::L9 | Mode::X8 | Mode::X9)
    }

    /// The mode with the given two-character name.
    pub fn from_name(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// The TCB pools, in the order the dispatcher statistics report them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Pool {
    /// L8 and L9, limited by MAXOPENTCBS.
    Open = 0,
    /// S8, limited by MAXSSLTCBS.
    Ssl = 1,
    /// X8 and X9, limited by MAXXPTCBS.
    Xp = 2,
    /// T8, limited by the THREADLIMITs of the JVM servers.
    Thrd = 3,
}

impl Pool {
    pub const ALL: [Pool; POOL_COUNT] = [Pool::Open, Pool::Ssl, Pool::Xp, Pool::Thrd];

    pub const fn name(self) -> &'static str {
        match self {
            Pool::Open => "OPEN",
            Pool::Ssl => "SSL",
            Pool::Xp => "XP",
            Pool::Thrd => "THRD",
        }
    }

    /// The mode whose TCB attaches the TCBs of the pool; the TCBs of the other pools are attached by the task that needs one.
    pub const fn owner(self) -> Option<Mode> {
        match self {
            Pool::Ssl => Some(Mode::Sp),
            Pool::Thrd => Some(Mode::Tp),
            Pool::Open | Pool::Xp => None,
        }
    }
}

/// The priority of open TCBs in relation to QR: PRIORITY of DB2CONN and DB2ENTRY. In the order in which they are served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum OpenPriority {
    High = 0,
    Equal = 1,
    Low = 2,
}

impl OpenPriority {
    pub(crate) const ALL: [OpenPriority; 3] = [OpenPriority::High, OpenPriority::Equal, OpenPriority::Low];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example 6-2 of the performance report.
    #[test]
    fn there_are_eighteen_modes_and_four_pools_in_the_order_of_the_statistics() {
        let names = Mode::ALL.map(Mode::name).join(" ");
        assert_eq!(names, "QR RO CO SZ RP FO SL SO SP EP TP D2 S8 L8 L9 X8 X9 T8");
        assert_eq!(Pool::ALL.map(Pool::name), ["OPEN", "SSL", "XP", "THRD"]);
        let in_pools = Mode::ALL.into_iter().filter_map(|mode| Some(format!("{} {}", mode.name(), mode.pool()?.name())));
        assert_eq!(in_pools.collect::<Vec<_>>(), ["S8 SSL", "L8 OPEN", "L9 OPEN", "X8 XP", "X9 XP", "T8 THRD"]);
    }

    #[test]
    fn modes_are_in_the_order_of_the_statistics() {
        for (index, mode) in Mode::ALL.into_iter().enumerate() {
            assert_eq!(mode as usize, index);
            assert_eq!(Mode::from_name(mode.name()), Some(mode));
        }
        assert_eq!(Mode::ALL.iter().filter(|mode| mode.is_single()).count(), SINGLE_MODE_COUNT);
        assert_eq!(Mode::from_name("ZZ"), None);
    }

    #[test]
    fn pooled_modes() {
        let open: Vec<_> = Mode::ALL.into_iter().filter(|mode| mode.pool() == Some(Pool::Open)).collect();
        assert_eq!(open, [Mode::L8, Mode::L9]);
        assert!(Mode::ALL.into_iter().all(|mode| !mode.is_held_for_task() || mode.pool().is_some()));
        assert!(Mode::ALL.into_iter().all(|mode| mode.pool().is_none() || mode.is_open()));
    }
}
