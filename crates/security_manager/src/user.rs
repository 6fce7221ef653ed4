//! A user as the region keeps him: who he is, in which group and from where, and what the security database said of him last.
//!
//! Invariants: the name, group and entry of a user never change; what was said of him is replaced as a whole, so a task keeps what it was
//! attached with.

use parking_lot::Mutex;
use region::extensions::UserToken;
use region::name::Name8;
use security::Identity;
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

    /// The user of a token of the region.
    pub fn of(token: &UserToken) -> Option<Arc<User>> {
        token.clone().downcast().ok()
    }

    pub fn identity(&self) -> Arc<Identity> {
        self.identity.lock().clone()
    }

    /// The security database has said something new.
    pub fn renew(&self, identity: Identity) {
        *self.identity.lock() = Arc::new(identity);
        self.is_stale.store(false, Ordering::Release);
    }

    pub fn is_stale(&self) -> bool {
        self.is_stale.load(Ordering::Acquire)
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
