//! A user as the region keeps him: who he is, in which group and from where, and what the security database said of him last.
//!
//! Invariants: the name, group and entry of a user never change; what was said of him is replaced as a whole, so a task keeps what it was
//! attached with.

use crate::scope::Claim;
use parking_lot::Mutex;
use region::extensions::UserToken;
use region::name::Name8;
use security::{Identity, Secret};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What tells users apart: "A user-domain representation of a user can be shared if the following attributes are identical" (Interpreting
/// user domain statistics).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UserKey {
    pub id: Name8,
    /// Blank: the default group.
    pub group: Name8,
    /// The netname of the terminal; blank for a user without one.
    pub entry: Name8,
}

/// What a user signs on with.
pub struct Credentials {
    pub user: Name8,
    /// Blank: the default group.
    pub group: Name8,
    pub secret: Secret,
    pub new: Option<Secret>,
    /// What an operator identification card says.
    pub card: Option<Secret>,
}

impl Credentials {
    /// "You cannot use a 1- to 8-character password to change a password phrase", nor the other way about (CHANGE PHRASE, SIGNON).
    pub fn is_consistent(&self) -> bool {
        self.new.as_ref().is_none_or(|new| new.is_phrase() == self.secret.is_phrase())
    }
}

/// A user signed on at a terminal: what the terminal keeps of him.
pub struct SignedOn {
    pub user: Arc<User>,
    #[expect(dead_code, reason = "held as long as the user is signed on")]
    pub claim: Option<Claim>,
}

pub struct User {
    pub key: UserKey,
    identity: Mutex<Arc<Identity>>,
    /// The security database is asked again at his next request.
    is_stale: AtomicBool,
    used: Mutex<Instant>,
}

impl User {
    pub fn new(key: UserKey, identity: Identity) -> User {
        User { key, identity: Mutex::new(Arc::new(identity)), is_stale: AtomicBool::new(false), used: Mutex::new(Instant::now()) }
    }

    /// The user of a token of the region: one of a task, of a preset terminal, or signed on at a terminal.
    pub fn of(token: &UserToken) -> Option<Arc<User>> {
        if let Some(signed_on) = token.downcast_ref::<SignedOn>() {
            return Some(signed_on.user.clone());
        }
        token.clone().downcast().ok()
    }

    pub fn identity(&self) -> Arc<Identity> {
        self.identity.lock().clone()
    }

    /// The security database has said something new.
    pub fn renew(&self, identity: Identity) {
        *self.identity.lock() = Arc::new(identity);
    }

    /// Whether the security database is to be asked again, which the caller does then. What changes while it answers is asked about the next
    /// time.
    pub fn take_stale(&self) -> bool {
        self.is_stale.load(Ordering::Acquire) && self.is_stale.swap(false, Ordering::AcqRel)
    }

    pub fn make_stale(&self) {
        self.is_stale.store(true, Ordering::Release);
    }

    pub fn touch(&self) {
        *self.used.lock() = Instant::now();
    }

    pub fn unused_for(&self) -> Duration {
        self.used.lock().elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_while_the_database_answers_is_asked_about_again() {
        let directory = tempfile::tempdir().unwrap();
        let database = security::Database::open(directory.path()).unwrap();
        database.create_administrator().unwrap();
        let id = security::Name8::new(security::DEFAULT_USER).unwrap();
        let identify = || database.identify(id, None, security::Moment::now()).unwrap();
        let user = User::new(UserKey { id: Name8::new(id.as_str()), group: Name8::BLANK, entry: Name8::BLANK }, identify());
        assert!(!user.take_stale());
        user.make_stale();
        assert!(user.take_stale());
        let answer = identify();
        user.make_stale();
        user.renew(answer);
        assert!(user.take_stale() && !user.take_stale());
    }
}
