//! The users that the region keeps (the user domain): they are found again without a question to the security database.
//!
//! A user whom nothing uses is kept for USRDELAY. With RACFSYNC=YES a user whose authority has changed is asked about again at his next
//! request; tasks that run go on as they are. Invariant: there is one user of a key, except for preset terminals with SNPRESET=UNIQUE, whose
//! users the table does not have.

use crate::esm::Esm;
use crate::user::{User, UserKey};
use parking_lot::RwLock;
use region::name::Name8;
use rustc_hash::FxHashMap;
use security::{Refusal, Touched};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[derive(Default)]
pub struct Users {
    table: RwLock<FxHashMap<UserKey, Arc<User>>>,
    /// The generation of the database up to which changes have been looked at.
    generation: AtomicU64,
    pub figures: Figures,
}

/// What the region counts of its users.
#[derive(Default)]
pub struct Figures {
    /// Users found again while something used them.
    pub directory_reuses: AtomicU64,
    /// Users found again whom nothing used.
    pub delayed_reuses: AtomicU64,
    /// Users removed because nothing had used them for USRDELAY.
    pub timeouts: AtomicU64,
    /// Users about whom the security database was asked.
    pub added: AtomicU64,
}

impl Users {
    /// The user of a key; the security database is asked if he is not there, or has changed.
    ///
    /// # Errors
    ///
    /// The refusal of the security database.
    pub fn find(&self, esm: &Esm, key: UserKey) -> Result<Arc<User>, Refusal> {
        if let Some(user) = self.known(&key) {
            let reuses = if Arc::strong_count(&user) > 2 { &self.figures.directory_reuses } else { &self.figures.delayed_reuses };
            reuses.fetch_add(1, Ordering::Relaxed);
            self.refresh(esm, &user)?;
            return Ok(user);
        }
        self.figures.added.fetch_add(1, Ordering::Relaxed);
        let identity = esm.identify(key)?;
        Ok(self.add(User::new(key, identity)))
    }

    fn known(&self, key: &UserKey) -> Option<Arc<User>> {
        self.table.read().get(key).cloned()
    }

    /// Adds a user whom the security database has just identified, or renews the one that is there.
    pub fn add(&self, user: User) -> Arc<User> {
        let mut table = self.table.write();
        match table.get(&user.key) {
            Some(known) => {
                known.renew((*user.identity()).clone());
                known.touch();
                known.clone()
            }
            None => {
                let user = Arc::new(user);
                table.insert(user.key, user.clone());
                user
            }
        }
    }

    /// Asks the security database about a user who has changed.
    ///
    /// # Errors
    ///
    /// He may not work any more.
    pub fn refresh(&self, esm: &Esm, user: &User) -> Result<(), Refusal> {
        user.touch();
        if !user.take_stale() {
            return Ok(());
        }
        match esm.identify(user.key) {
            Ok(identity) => {
                user.renew(identity);
                Ok(())
            }
            Err(refusal) => {
                // A terminal or task that still has the user is refused again.
                user.make_stale();
                self.table.write().remove(&user.key);
                Err(refusal)
            }
        }
    }

    /// Notes whose authority has changed since the last look; the identifiers of those that are kept.
    pub fn notice_changes(&self, esm: &Esm) -> Vec<Name8> {
        let generation = esm.generation();
        let before = self.generation.swap(generation, Ordering::AcqRel);
        if before == generation {
            return Vec::new();
        }
        let touched = esm.changes_since(before);
        let is_touched = |user: &User| match &touched {
            Touched::Anyone => true,
            Touched::Users(names) => names.iter().any(|name| name.as_str() == user.key.id.as_str()),
        };
        let table = self.table.read();
        let mut names: Vec<Name8> = Vec::new();
        for user in table.values().filter(|user| is_touched(user)) {
            user.make_stale();
            if !names.contains(&user.key.id) {
                names.push(user.key.id);
            }
        }
        names.sort_unstable();
        names
    }

    /// Everything up to now has been looked at.
    pub fn begin(&self, esm: &Esm) {
        self.generation.store(esm.generation(), Ordering::Release);
    }

    /// Removes the users whom nothing has used for a time; they are returned.
    pub fn expire(&self, delay: Duration) -> Vec<Arc<User>> {
        let mut table = self.table.write();
        let is_unused = |user: &Arc<User>| Arc::strong_count(user) == 1 && user.unused_for() >= delay;
        let expired: Vec<Arc<User>> = table.values().filter(|user| is_unused(user)).cloned().collect();
        expired.iter().for_each(|user| drop(table.remove(&user.key)));
        self.figures.timeouts.fetch_add(expired.len() as u64, Ordering::Relaxed);
        expired
    }
}
