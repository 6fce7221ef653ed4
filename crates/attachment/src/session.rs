//! One Db2 thread: a session of the database, with the identity that its present or last user had.

use kernel::name::{Name4, Name8};

/// Whose limits a thread counts for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Pool,
    Entry(Name8),
}

impl Group {
    /// As messages and waits name it.
    pub fn name(self) -> Name8 {
        match self {
            Group::Pool => Name8::new("*POOL"),
            Group::Entry(name) => name,
        }
    }
}

/// What a thread is signed on with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Identity {
    pub plan: Name8,
    pub authorization_id: Name8,
    pub transid: Name4,
}

pub struct Session {
    pub thread: db2::Thread,
    /// The connection it belongs to: sessions of an earlier one are closed when they are released.
    pub epoch: u32,
    pub group: Group,
    pub identity: Identity,
    /// The tasks or units of work it has served.
    pub uses: u32,
}

/// A session that no task uses.
pub struct Parked {
    pub session: Box<Session>,
    /// Kept for its entry by PROTECTNUM.
    pub is_protected: bool,
    /// Purge cycles that have ended since it was parked.
    pub cycles: u32,
}
