//! An installed transaction, and the state that domains keep for it between its tasks.

use super::application::Context;
use super::slots::{Block, OfTransaction};
use csd::TransactionDefinition;
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// An installed transaction.
pub struct Transaction {
    definition: RwLock<Arc<TransactionDefinition>>,
    pub attaches: AtomicU64,
    pub abends: AtomicU64,
    /// Tasks run again after a deadlock.
    pub restarts: AtomicU64,
    /// It is an application entry point.
    entry_point: RwLock<Option<Arc<Context>>>,
    /// What an application defines as its entry point cannot be used before the application is available.
    is_withheld: AtomicBool,
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
            entry_point: RwLock::default(),
            is_withheld: AtomicBool::new(false),
            parts: Block::new(),
        }
    }

    pub fn definition(&self) -> Arc<TransactionDefinition> {
        self.definition.read().clone()
    }

    /// The context that its tasks get.
    pub fn entry_point(&self) -> Option<Arc<Context>> {
        self.entry_point.read().clone()
    }

    /// Makes it an application entry point, or no longer one.
    pub fn declare(&self, entry_point: Option<Arc<Context>>) {
        *self.entry_point.write() = entry_point;
    }

    /// The application that defines it is not available.
    pub fn is_withheld(&self) -> bool {
        self.is_withheld.load(Ordering::Relaxed)
    }

    pub fn withhold(&self, is_withheld: bool) {
        self.is_withheld.store(is_withheld, Ordering::Relaxed);
    }

    /// Changes the definition; running tasks keep the one they were attached with.
    pub fn change(&self, change: impl FnOnce(&mut TransactionDefinition)) {
        let mut definition = self.definition.write();
        let mut changed = (**definition).clone();
        change(&mut changed);
        *definition = Arc::new(changed);
    }
}
