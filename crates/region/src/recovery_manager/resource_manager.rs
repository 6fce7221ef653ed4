//! Resource managers other than the store (a database, queues, another region): how they take part in units of work.
//!
//! The region coordinates by two-phase commit with presumed abort. It writes its decision to commit into the same log record as its own
//! changes, with the names of the prepared managers (table `rm.commits`), and forgets it when all have committed; a manager that asks about
//! an unknown unit of work is told to back out. A manager with only one phase is the last agent: the store prepares, the manager commits
//! and so decides, and if its answer is lost the unit of work is shunted until it can be asked.

use crate::ResourceManager;
use crate::name::Name8;
use parking_lot::RwLock;
use std::sync::Arc;

/// The managers the region knows.
#[derive(Default)]
pub struct ResourceManagers(RwLock<Vec<Arc<dyn ResourceManager>>>);

impl ResourceManagers {
    pub fn find(&self, name: Name8) -> Option<Arc<dyn ResourceManager>> {
        self.0.read().iter().find(|manager| manager.name() == name).cloned()
    }

    /// Replaces one of the same name: contact was made again.
    pub(super) fn add(&self, manager: Arc<dyn ResourceManager>) {
        let mut managers = self.0.write();
        managers.retain(|known| known.name() != manager.name());
        managers.push(manager);
    }
}
