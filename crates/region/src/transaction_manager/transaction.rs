//! Installed transactions and classes, and the tasks that run them.

use crate::figures::ResourceStatistics;
use crate::name::{Name4, Name8};
use crate::{TaskShared, Transaction};
use csd::{TranclassDefinition, TransactionDefinition};
use kernel::{ClassDefinition, Dispatcher};
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The transaction manager of a region.
#[derive(Default)]
pub struct TransactionManager {
    transactions: RwLock<FxHashMap<Name4, Arc<Transaction>>>,
    classes: RwLock<FxHashMap<Name8, TranclassDefinition>>,
    tasks: Mutex<FxHashMap<u32, Arc<TaskShared>>>,
    /// Tasks that class or MXT holds back, and their number, readable without the lock.
    queued: Mutex<FxHashMap<u32, Arc<TaskShared>>>,
    queued_count: AtomicU32,
    /// New user tasks are refused, except SHUTDOWN(ENABLED) ones.
    pub(super) quiescing: AtomicBool,
}

impl TransactionManager {
    /// Installs or replaces; true if it is new.
    pub fn install(&self, definition: TransactionDefinition) -> bool {
        let mut transactions = self.transactions.write();
        match transactions.get(&definition.name) {
            Some(existing) => {
                existing.change(|current| *current = definition);
                false
            }
            None => {
                transactions.insert(definition.name, Arc::new(Transaction::new(definition)));
                true
            }
        }
    }

    pub fn discard(&self, name: Name4) -> bool {
        self.transactions.write().remove(&name).is_some()
    }

    /// By its own name or an ALIAS.
    pub fn find(&self, name: Name4) -> Option<Arc<Transaction>> {
        let transactions = self.transactions.read();
        if let Some(found) = transactions.get(&name) {
            return Some(found.clone());
        }
        transactions.values().find(|transaction| !name.is_blank() && transaction.definition().alias == name).cloned()
    }

    pub fn names(&self) -> Vec<Name4> {
        let mut names: Vec<Name4> = self.transactions.read().keys().copied().collect();
        names.sort_unstable();
        names
    }

    pub fn install_class(&self, dispatcher: &Dispatcher, definition: TranclassDefinition) {
        let class = ClassDefinition {
            name: definition.name,
            active_max: definition.active_max,
            purge_threshold: (definition.purge_threshold > 0).then_some(definition.purge_threshold),
        };
        dispatcher.define_class(class);
        self.classes.write().insert(definition.name, definition);
    }

    /// False while tasks are active or queued in it, or if it is not defined.
    pub fn discard_class(&self, dispatcher: &Dispatcher, name: Name8) -> bool {
        dispatcher.discard_class(name) && self.classes.write().remove(&name).is_some()
    }

    /// Whether any transaction belongs to the class.
    pub fn is_class_of_any(&self, name: Name8) -> bool {
        self.transactions.read().values().any(|transaction| transaction.definition().tranclass == name)
    }

    /// Whether any transaction has the profile.
    pub fn is_profile_of_any(&self, name: Name8) -> bool {
        self.transactions.read().values().any(|transaction| transaction.definition().profile == name)
    }

    pub fn class(&self, name: Name8) -> Option<TranclassDefinition> {
        self.classes.read().get(&name).cloned()
    }

    pub fn class_names(&self) -> Vec<Name8> {
        let mut names: Vec<Name8> = self.classes.read().keys().copied().collect();
        names.sort_unstable();
        names
    }

    pub(super) fn register(&self, task: Arc<TaskShared>) {
        self.tasks.lock().insert(task.number, task);
    }

    pub(super) fn unregister(&self, number: u32) {
        self.tasks.lock().remove(&number);
    }

    /// A task is held back, if `shared` still has something to tell of it: until it runs or is purged. The count goes ahead of the
    /// question, so who takes the answer away afterwards sees it.
    pub(super) fn register_queued(&self, number: u32, shared: impl FnOnce() -> Option<TaskShared>) {
        self.queued_count.fetch_add(1, Ordering::SeqCst);
        let mut queued = self.queued.lock();
        match shared() {
            Some(shared) => drop(queued.insert(number, Arc::new(shared))),
            None => drop(self.queued_count.fetch_sub(1, Ordering::SeqCst)),
        }
    }

    /// A task is held back no longer.
    #[inline]
    pub(super) fn unregister_queued(&self, number: u32) {
        if self.queued_count.load(Ordering::SeqCst) > 0 && self.queued.lock().remove(&number).is_some() {
            self.queued_count.fetch_sub(1, Ordering::SeqCst);
        }
    }

    pub fn task(&self, number: u32) -> Option<Arc<TaskShared>> {
        self.tasks.lock().get(&number).cloned()
    }

    /// A task that runs, or that class or MXT holds back: what INQUIRE TASK and SET TASK know.
    pub fn attached_task(&self, number: u32) -> Option<Arc<TaskShared>> {
        self.task(number).or_else(|| self.queued.lock().get(&number).cloned()).or_else(|| self.task(number))
    }

    /// As `tasks`, with those held back.
    pub fn attached_tasks(&self) -> Vec<Arc<TaskShared>> {
        let queued: Vec<_> = self.queued.lock().values().cloned().collect();
        let mut tasks = self.tasks();
        tasks.extend(queued);
        tasks.sort_by_key(|task| task.number);
        // One that was let go between the two.
        tasks.dedup_by_key(|task| task.number);
        tasks
    }

    /// Tasks that have begun, by number.
    pub fn tasks(&self) -> Vec<Arc<TaskShared>> {
        let mut tasks: Vec<_> = self.tasks.lock().values().cloned().collect();
        tasks.sort_by_key(|task| task.number);
        tasks
    }

    pub fn quiesce(&self) {
        self.quiescing.store(true, Ordering::Release);
    }

    pub fn is_quiescing(&self) -> bool {
        self.quiescing.load(Ordering::Acquire)
    }

    /// Tasks attached since the start of the region.
    pub fn attaches(&self) -> u64 {
        self.transactions.read().values().map(|transaction| transaction.attaches.load(Ordering::Relaxed)).sum()
    }

    pub fn statistics(&self) -> Vec<ResourceStatistics> {
        let transactions = self.transactions.read();
        let mut all: Vec<ResourceStatistics> = transactions
            .iter()
            .map(|(name, transaction)| ResourceStatistics {
                resource: "TRANSACTION",
                name: name.to_string(),
                counters: vec![
                    ("attaches", transaction.attaches.load(Ordering::Relaxed)),
                    ("abends", transaction.abends.load(Ordering::Relaxed)),
                    ("restarts", transaction.restarts.load(Ordering::Relaxed)),
                ],
            })
            .collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }
}
