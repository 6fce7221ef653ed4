//! The account of the memory that requests of programs make the process keep: changes that are not committed, and what the layers above
//! reserve. Its limit keeps one program that loops from taking the memory of the whole process.
//!
//! Invariants: what was added is subtracted once, when the memory is given back; a refused reservation leaves the account as it was. All
//! counting is relaxed: nothing is ordered by the account.

use std::sync::atomic::{AtomicU64, Ordering};

use super::StoreError;

/// One unit of work may have this fraction (one n-th) of the limit. Its commit needs as much again for the log. This fraction is also left
/// to changes by everything else.
const UNIT_FRACTION: u64 = 4;
/// Committed changes that are not yet in the pages may have this fraction (one n-th) of the limit.
const OVERLAY_FRACTION: u64 = 4;

/// A tally is counted in the account when it has changed by more than this.
const TALLY_SLACK_BYTES: u64 = 4096;

/// The account of a store. Without `set_limit` it has no limit. It has a cache line of its own, because every thread writes to it.
#[derive(Debug)]
#[repr(align(64))]
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

    /// The limit for everything but changes. What outlives its unit of work, as STARTs and queues do, must not keep others from changing data.
    fn kept_limit(&self) -> u64 {
        self.limit() - self.unit_limit()
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

    /// As `reserve`, whatever the limit: for what is there and has to be kept.
    pub fn charge(&'static self, bytes: usize) -> Charge {
        self.add(bytes as u64);
        Charge { account: Some(self), bytes: bytes as u64 }
    }

    /// Refuses a request for which there is no room. It reserves nothing.
    pub fn check_room(&self, bytes: usize) -> Result<(), StoreError> {
        self.check(bytes, self.kept_limit())
    }

    fn check(&self, bytes: usize, limit: u64) -> Result<(), StoreError> {
        if self.used().saturating_add(bytes as u64) > limit { Err(StoreError::MemoryLimit(limit)) } else { Ok(()) }
    }

    /// Refuses a request of a unit of work that has changes of `of_unit` bytes and would add `bytes`.
    pub(super) fn admit(&self, of_unit: u64, bytes: usize) -> Result<(), StoreError> {
        let unit_limit = self.unit_limit();
        if of_unit.saturating_add(bytes as u64) > unit_limit {
            return Err(StoreError::UnitLimit(unit_limit));
        }
        self.check(bytes, self.limit())
    }

    /// Counts memory whatever the limit; returns what was in use.
    fn add(&self, bytes: u64) -> u64 {
        self.used.fetch_add(bytes, Ordering::Relaxed)
    }

    fn subtract(&self, bytes: u64) {
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
            let (more, limit) = (bytes - self.bytes, account.kept_limit());
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

/// Memory that changes often and by little: it is exact here, and the account follows when it has changed by more than a few kilobytes. So
/// most changes cost the account nothing. The owner clears it in the end.
#[derive(Debug, Default)]
pub struct Tally {
    bytes: u64,
    counted: u64,
}

impl Tally {
    /// What it is exactly.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Counts a change, whatever the limit.
    pub fn change(&mut self, account: &Account, added: u64, removed: u64) {
        debug_assert!(self.bytes + added >= removed, "what was added is removed once");
        self.bytes = self.bytes + added - removed;
        if self.bytes > self.counted + TALLY_SLACK_BYTES {
            account.add(self.bytes - self.counted);
            self.counted = self.bytes;
        } else if self.bytes + TALLY_SLACK_BYTES < self.counted || (self.bytes == 0 && self.counted > 0) {
            account.subtract(self.counted - self.bytes);
            self.counted = self.bytes;
        }
    }

    pub fn clear(&mut self, account: &Account) {
        let counted = std::mem::take(self).counted;
        if counted > 0 {
            account.subtract(counted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_ends_when_it_is_dropped() {
        static ACCOUNT: Account = Account::new();
        // Three quarters of it are for charges.
        ACCOUNT.set_limit(133);
        assert_eq!(ACCOUNT.kept_limit(), 100);
        let mut first = ACCOUNT.reserve(60).unwrap();
        assert!(ACCOUNT.reserve(41).is_err());
        let second = ACCOUNT.reserve(40).unwrap();
        assert!(first.resize(61).is_err() && first.bytes() == 60, "a refused change changes nothing");
        first.resize(10).unwrap();
        assert_eq!(ACCOUNT.used(), 50);
        first.absorb(second);
        assert_eq!((first.bytes(), ACCOUNT.used()), (50, 50));
        drop(first);
        assert_eq!(ACCOUNT.used(), 0);
    }

    #[test]
    fn the_account_follows_a_tally_by_the_slack() {
        let account = Account::new();
        let mut tally = Tally::default();
        tally.change(&account, TALLY_SLACK_BYTES, 0);
        assert_eq!((tally.bytes(), account.used()), (TALLY_SLACK_BYTES, 0));
        tally.change(&account, 1, 0);
        assert_eq!(account.used(), TALLY_SLACK_BYTES + 1);
        tally.change(&account, 0, TALLY_SLACK_BYTES);
        assert_eq!((tally.bytes(), account.used()), (1, TALLY_SLACK_BYTES + 1));
        tally.change(&account, 0, 1);
        assert_eq!((tally.bytes(), account.used()), (0, 0));
        tally.change(&account, 10_000, 0);
        tally.change(&account, 5, 10);
        assert_eq!((tally.bytes(), account.used()), (9_995, 10_000));
        tally.change(&account, 0, TALLY_SLACK_BYTES - 5);
        assert_eq!(account.used(), 10_000);
        tally.change(&account, 0, 1);
        assert_eq!(account.used(), 10_000 - TALLY_SLACK_BYTES - 1);
        tally.clear(&account);
        assert_eq!((tally.bytes(), account.used()), (0, 0));
    }

    #[test]
    fn a_unit_of_work_is_limited_to_its_part() {
        let account = Account::new();
        account.set_limit(400);
        assert!(account.admit(60, 40).is_ok());
        assert!(matches!(account.admit(60, 41), Err(StoreError::UnitLimit(100))));
        account.add(350);
        assert!(account.admit(0, 50).is_ok());
        assert!(matches!(account.admit(0, 51), Err(StoreError::MemoryLimit(400))));
        assert!(matches!(account.check_room(1), Err(StoreError::MemoryLimit(300))));
        account.subtract(100);
        assert!(account.check_room(50).is_ok() && account.check_room(51).is_err());
    }
}
