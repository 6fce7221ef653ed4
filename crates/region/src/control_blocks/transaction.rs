//! An installed transaction, and the state that domains keep for it between its tasks.

use super::slots::{Block, OfTransaction};
use csd::TransactionDefinition;
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// An installed transaction.
pub struct Transaction {
    definition: RwLock<Arc<TransactionDefinition>>,
    pub attaches: AtomicU64,
    pub abends: AtomicU64,
    /// Tasks run again after a deadlock.
    pub restarts: AtomicU64,
    /// The parts of the domains in the transaction, for its next tasks; only their owners access them.
    pub parts: Block<OfTransaction>,
}

impl Transaction {
    pub fn new(definition: TransactionDefinition) -> Self {
        Self {
            definition: RwLock::new(Arc::new(definition)),
            attaches: AtomicU64::new(0),
            abends: AtomicU64::new(0),
            restarts: AtomicU64::new(0),
            parts: Block::new(),
        }
    }

    pub fn definition(&self) -> Arc<TransactionDefinition> {
        self.definition.read().clone()
    }

    /// Changes the definition; running tasks keep the one they were attached with.
    pub fn change(&self, change: impl FnOnce(&mut TransactionDefinition)) {
        let mut definition = self.definition.write();
        let mut changed = (**definition).clone();
        change(&mut changed);
        *definition = Arc::new(changed);
    }
}
