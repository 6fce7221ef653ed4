//! The resource managers that the region knows.

use crate::ResourceManager;
use crate::name::Name8;
use parking_lot::RwLock;
use std::sync::Arc;

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
