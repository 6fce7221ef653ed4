//! The unit of work of a task, and its identification for inquiries by others.
//!
//! Invariant: identifiers always grow, also over restarts: they are microseconds of the clock, and none is used twice.

use super::resource_manager::ResourceManager;
use super::waiter::TaskWaiter;
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use vsam::{Store, UnitId, UnitOfWork};

/// How a unit of work ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    Commit,
    Backout,
}

/// The unit of work of a task, as the recovery manager keeps it.
pub struct UnitOfWorkState {
    /// Made at first use.
    pub waiter: OnceCell<Arc<TaskWaiter>>,
    pub unit: Option<UnitOfWork>,
    /// The identification of the unit of work for others.
    pub identity: Arc<UnitIdentity>,
    /// Resource managers with a part in the unit of work.
    pub enlisted: Vec<Arc<dyn ResourceManager>>,
    /// Identifies the unit of work in INQUIRE TASK and messages; counts up at every syncpoint.
    pub sequence: u32,
    /// A domain has changed something: the syncpoint has work to do.
    pub touched: bool,
}

impl UnitOfWorkState {
    pub fn new(identity: Arc<UnitIdentity>) -> Self {
        let waiter = OnceCell::new();
        Self { waiter, unit: None, identity, enlisted: Vec::new(), sequence: 1, touched: false }
    }

    /// How the task waits inside the store.
    pub fn waiter_of(&self, kernel: &kernel::TaskRef) -> Arc<TaskWaiter> {
        self.waiter.get_or_init(|| Arc::new(TaskWaiter::new(kernel.clone()))).clone()
    }

    /// As [`Task::unit_of_work`], for a domain that also borrows its own part of the task.
    #[inline]
    pub fn unit(&mut self, store: &Arc<Store>) -> &UnitOfWork {
        self.touched = true;
        let identity = &self.identity;
        self.unit.get_or_insert_with(|| {
            let unit = store.begin();
            identity.uses(unit.id());
            unit
        })
    }
}

static LAST: AtomicU64 = AtomicU64::new(0);

pub fn microseconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_micros() as u64)
}

/// A new identifier.
fn new_id() -> u64 {
    let now = microseconds_now();
    let before = LAST.fetch_max(now, Ordering::Relaxed);
    if before < now { now } else { LAST.fetch_add(1, Ordering::Relaxed) + 1 }
}

/// The identification of a running task's unit of work, shared with inquiries.
#[derive(Debug)]
pub struct UnitIdentity {
    id: AtomicU64,
    /// The unit of work of the store; 0 until the task has used the store.
    store_unit: AtomicU64,
}

impl UnitIdentity {
    pub fn new() -> UnitIdentity {
        UnitIdentity { id: AtomicU64::new(new_id()), store_unit: AtomicU64::new(0) }
    }

    pub fn id(&self) -> u64 {
        self.id.load(Ordering::Relaxed)
    }

    /// Seconds since the unit of work began.
    pub fn age_seconds(&self) -> u64 {
        age_seconds(self.id())
    }

    pub fn store_unit(&self) -> Option<UnitId> {
        Some(UnitId(self.store_unit.load(Ordering::Relaxed))).filter(|unit| unit.0 != 0)
    }

    pub fn uses(&self, unit: UnitId) {
        self.store_unit.store(unit.0, Ordering::Relaxed);
    }

    /// The task continues in its next unit of work.
    pub fn next(&self) {
        self.store_unit.store(0, Ordering::Relaxed);
        self.id.store(new_id(), Ordering::Relaxed);
    }
}

impl Default for UnitIdentity {
    fn default() -> Self {
        UnitIdentity::new()
    }
}

/// Seconds since a unit of work with this identifier began.
pub fn age_seconds(id: u64) -> u64 {
    microseconds_now().saturating_sub(id) / 1_000_000
}
