//! The users of subspaces: the tasks whose storage is in one, for the statistics of transaction isolation.

use super::figures::SubspaceUsers;
use crate::inquire::Peaks;
use std::sync::atomic::{AtomicU64, Ordering};

/// The tasks of one kind of subspace.
#[derive(Default, Debug)]
pub(super) struct Users {
    current: AtomicU64,
    total: AtomicU64,
    peak: AtomicU64,
}

impl Users {
    pub fn enter(&self) {
        self.total.fetch_add(1, Ordering::Relaxed);
        let now = self.current.fetch_add(1, Ordering::Relaxed) + 1;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    pub fn leave(&self) {
        let before = self.current.fetch_sub(1, Ordering::Relaxed);
        debug_assert!(before > 0, "a task leaves the subspace it is in");
    }

    pub fn statistics(&self, peaks: Peaks) -> SubspaceUsers {
        let now = || self.current.load(Ordering::Relaxed);
        SubspaceUsers { current: now(), total: self.total.load(Ordering::Relaxed), peak: peaks.read(&self.peak, now) }
    }
}

/// Unique subspaces, one for each isolated task, and the common one.
#[derive(Default, Debug)]
pub(super) struct Subspaces {
    pub unique: Users,
    pub common: Users,
}

impl Subspaces {
    pub fn of(&self, is_unique: bool) -> &Users {
        if is_unique { &self.unique } else { &self.common }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_counted_now_in_all_and_at_most() {
        let users = Users::default();
        (0..3).for_each(|_| users.enter());
        (0..2).for_each(|_| users.leave());
        assert_eq!(users.statistics(Peaks::Begin), SubspaceUsers { current: 1, total: 3, peak: 3 });
        assert_eq!(users.statistics(Peaks::Keep), SubspaceUsers { current: 1, total: 3, peak: 1 });
    }
}
