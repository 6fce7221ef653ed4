//! Secrets that were right a short while ago, so that a client which sends its password with every request does not cost a hash each time.
//!
//! Invariants: what is kept is a code of the secret under a random key of this process, with the hash it was compared with, so that a changed
//! password is not taken by it; it is never written anywhere. A wrong secret is never found here, so guessing costs what it did.

use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit, Mac};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use sha2::Sha512;
use subtle::ConstantTimeEq;

use crate::name::UserId8;
use crate::secret::{HashedSecret, Secret, random};

/// How long a secret is remembered.
const REMEMBERED: Duration = Duration::from_secs(300);
/// Users whose secrets are remembered.
const USERS_MAX: usize = 4096;
const KEY_BYTES: usize = 64;

struct Entry {
    code: [u8; KEY_BYTES],
    hash: HashedSecret,
    until: Instant,
}

pub(crate) struct Verified {
    key: Hmac<Sha512>,
    entries: Mutex<FxHashMap<UserId8, Entry>>,
}

impl Verified {
    pub fn new() -> std::io::Result<Verified> {
        let key: [u8; KEY_BYTES] = random()?;
        Ok(Verified { key: Hmac::new_from_slice(&key).expect("HMAC takes keys of any length"), entries: Mutex::default() })
    }

    fn code(&self, secret: &Secret) -> [u8; KEY_BYTES] {
        self.key.clone().chain_update(secret.text()).finalize().into_bytes().into()
    }

    /// Whether the secret was found to be the one of this hash a short while ago.
    pub fn is_known(&self, user: UserId8, hash: &HashedSecret, secret: &Secret) -> bool {
        let code = self.code(secret);
        let entries = self.entries.lock();
        let known = entries.get(&user).filter(|entry| entry.hash == *hash && Instant::now() < entry.until);
        known.is_some_and(|entry| bool::from(entry.code.ct_eq(&code)))
    }

    /// Remembers that the secret is the one of this hash.
    pub fn remember(&self, user: UserId8, hash: &HashedSecret, secret: &Secret) {
        let entry = Entry { code: self.code(secret), hash: hash.clone(), until: Instant::now() + REMEMBERED };
        let mut entries = self.entries.lock();
        if entries.len() >= USERS_MAX {
            entries.retain(|_, entry| Instant::now() < entry.until);
        }
        if entries.len() < USERS_MAX || entries.contains_key(&user) {
            entries.insert(user, entry);
        }
    }
}
