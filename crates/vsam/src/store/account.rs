//! The account of the memory that requests of programs make the process keep: changes that are not committed, and what the layers above
//! reserve. Its limit keeps one program that loops from taking the memory of the whole process.
//!
//! Invariants: what was added is subtracted once, when the memory is given back; a refused reservation leaves the account as it was. All
//! counting is relaxed: nothing is ordered by the account.

use std::sync::atomic::{AtomicU64, Ordering};

use super::StoreError;

/// One unit of work may have this fraction (one n-th) of the limit. Its commit needs as much again for the log.
const UNIT_FRACTION: u64 = 4;
/// Committed changes that are not yet in the pages may have this fraction (one n-th) of the limit.
const OVERLAY_FRACTION: u64 = 4;

/// The account of a store. Without `set_limit` it has no limit.
#[derive(Debug)]
pub struct Account {
    used: AtomicU64,
    limit: AtomicU64,
}

impl Default for Account {
    fn default() -> Account {
        Account::new()
    }
}

impl Account {
    pub const fn new() -> Account {
        Account { used: AtomicU64::new(0), limit: AtomicU64::new(u64::MAX) }
    }

    pub fn set_limit(&self, bytes: u64) {
        self.limit.store(bytes, Ordering::Relaxed);
    }

    pub fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The limit of the changes of one unit of work.
    pub fn unit_limit(&self) -> u64 {
        self.limit() / UNIT_FRACTION
    }

    /// The limit of changes that are committed and not yet in the pages.
    pub(super) fn overlay_limit(&self) -> u64 {
        self.limit() / OVERLAY_FRACTION
    }

    /// Reserves memory until the charge is dropped.
    pub fn reserve(&'static self, bytes: usize) -> Result<Charge, StoreError> {
        let mut charge = Charge { account: Some(self), bytes: 0 };
        charge.resize(bytes)?;
        Ok(charge)
    }

    /// Refuses a request of a unit of work that has changes of `of_unit` bytes and would add `bytes`.
    pub(super) fn admit(&self, of_unit: u64, bytes: usize) -> Result<(), StoreError> {
        let bytes = bytes as u64;
        let (limit, unit_limit) = (self.limit(), self.unit_limit());
        if of_unit.saturating_add(bytes) > unit_limit {
            return Err(StoreError::UnitLimit(unit_limit));
        }
        if self.used().saturating_add(bytes) > limit { Err(StoreError::MemoryLimit(limit)) } else { Ok(()) }
    }

    /// Counts memory whatever the limit; returns what was in use.
    pub(super) fn add(&self, bytes: u64) -> u64 {
        self.used.fetch_add(bytes, Ordering::Relaxed)
    }

    pub(super) fn subtract(&self, bytes: u64) {
        let used = self.used.fetch_sub(bytes, Ordering::Relaxed);
        debug_assert!(used >= bytes, "what was added is subtracted once");
    }
}

/// Memory that counts in an account until this is dropped. The default counts in none.
#[derive(Debug, Default)]
pub struct Charge {
    account: Option<&'static Account>,
    bytes: u64,
}

impl Charge {
    pub fn bytes(&self) -> usize {
        self.bytes as usize
    }

    /// Makes it a charge of this many bytes. After an error it is what it was.
    pub fn resize(&mut self, bytes: usize) -> Result<(), StoreError> {
        let bytes = bytes as u64;
        let Some(account) = self.account else { return Ok(()) };
        if bytes <= self.bytes {
            account.subtract(self.bytes - bytes);
        } else {
            let (more, limit) = (bytes - self.bytes, account.limit());
            if account.add(more).saturating_add(more) > limit {
                account.subtract(more);
                return Err(StoreError::MemoryLimit(limit));
            }
        }
        self.bytes = bytes;
        Ok(())
    }

    /// Adds another charge of the same account.
    pub fn absorb(&mut self, mut other: Charge) {
        let bytes = std::mem::take(&mut other.bytes);
        self.account = self.account.or(other.account);
        self.bytes += bytes;
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if let Some(account) = self.account {
            account.subtract(self.bytes);
        }
    }
}
