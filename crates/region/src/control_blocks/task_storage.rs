//! Storage and memory that a task obtains: GETMAIN, the wait for storage while its DSA is short, and the account of the process's memory.

use crate::{Abend, Raised, Region, Task, raise};
use csd::TransactionDefinition;
use exec::resp2::storage_control as resp2;
use kernel::TaskRef;
use kernel::storage::{Dsa, Getmain, Key, Line, NotObtained, StorageError, StorageWait};
use vsam::store::Charge;

/// Storage above the bar is measured in pages.
const PAGE_BYTES: u64 = 4096;

impl Task {
    /// Storage of task lifetime, for the region's own areas of the task and for GETMAIN. SOS suspends the task.
    pub fn getmain(&mut self, request: Getmain, no_suspend: bool) -> Result<usize, Raised> {
        let obtained = self.storage.getmain(request);
        let Some(dsa) = shortage(&obtained).filter(|_| !no_suspend) else { return obtained.or_else(refused) };
        self.region.short_of_storage(dsa);
        let wait = terms(&self.kernel, &self.definition, dsa, self.storage.held(dsa.line()));
        let storage = &mut self.storage;
        let obtained = self.region.storage.wait_for_storage(&wait, || storage.getmain(request));
        self.region.tell_recovered_storage();
        obtained.or_else(|end| not_obtained(end, wait.held))
    }

    /// Frees storage that the region obtained for the task. The operator is told of a program that wrote beyond it.
    pub fn freemain(&mut self, address: usize) {
        if let Err(StorageError::Violation(violation)) = self.storage.freemain(address) {
            self.region.storage_violation(self.number, &violation);
        }
    }

    /// Storage that is not of task lifetime, by an attempt. SOS suspends the task.
    pub fn obtain<T>(&self, no_suspend: bool, mut attempt: impl FnMut() -> Result<T, StorageError>) -> Result<T, Raised> {
        let obtained = attempt();
        let Some(dsa) = shortage(&obtained).filter(|_| !no_suspend) else { return obtained.or_else(refused) };
        self.region.short_of_storage(dsa);
        let wait = terms(&self.kernel, &self.definition, dsa, self.storage.held(dsa.line()));
        let obtained = self.region.storage.wait_for_storage(&wait, attempt);
        self.region.tell_recovered_storage();
        obtained.or_else(|end| not_obtained(end, wait.held))
    }

    /// The most storage the task has had of each DSA, for its performance record.
    pub fn note_storage_peaks(&mut self) {
        for of in self.storage.figures() {
            let bytes = of.figures.peak_bytes as u64;
            let counters = &mut self.performance;
            let (peak, unit) = match (of.line, of.key) {
                (Line::Below16M, Key::User) => (&mut counters.storage_peak_udsa, 1),
                (Line::Below16M, Key::Cics) => (&mut counters.storage_peak_cdsa, 1),
                (Line::Below2G, Key::User) => (&mut counters.storage_peak_eudsa, 1),
                (Line::Below2G, Key::Cics) => (&mut counters.storage_peak_ecdsa, 1),
                (Line::Above, Key::User) => (&mut counters.storage_peak_gudsa, PAGE_BYTES),
                (Line::Above, Key::Cics) => (&mut counters.storage_peak_gcdsa, PAGE_BYTES),
            };
            *peak = bytes.next_multiple_of(unit);
        }
    }

    /// Memory of the process for what the task makes the region keep, until the charge is dropped.
    pub fn reserve(&self, bytes: usize) -> Result<Charge, Raised> {
        self.region.reserve(bytes)
    }

    /// The abend of a task for which the region has no memory. Waiting would be in vain: it may be the task itself that has all of it.
    #[cold]
    pub fn no_memory(limit: vsam::StoreError) -> Raised {
        abend(&format!("no storage: {limit}"))
    }
}

impl Region {
    /// [`Task::reserve`], where the task is borrowed.
    pub fn reserve(&'static self, bytes: usize) -> Result<Charge, Raised> {
        self.store.account().reserve(bytes).map_err(Task::no_memory)
    }
}

fn terms<'a>(task: &'a TaskRef, definition: &TransactionDefinition, dsa: Dsa, held: usize) -> StorageWait<'a> {
    StorageWait { task, dsa, held, timeout: definition.deadlock_timeout() }
}

/// The DSA that was short.
fn shortage<T>(obtained: &Result<T, StorageError>) -> Option<Dsa> {
    match obtained {
        Err(StorageError::NoStorage(dsa)) => Some(*dsa),
        _ => None,
    }
}

#[cold]
fn refused<T>(error: StorageError) -> Result<T, Raised> {
    match error {
        StorageError::NoStorage(_) => raise(exec::condition::NOSTG, resp2::NO_STORAGE),
        StorageError::Length => raise(exec::condition::LENGERR, resp2::LENGTH),
        _ => raise(exec::condition::INVREQ, resp2::REQUEST),
    }
}

#[cold]
fn not_obtained<T>(end: NotObtained, held: usize) -> Result<T, Raised> {
    Err(match end {
        NotObtained::Refused(error) => return refused(error),
        NotObtained::Purged(_) => Raised::Abend(Box::new(Task::purge_abend())),
        NotObtained::TimedOut => Raised::Abend(Box::new(Task::deadlock_timeout_abend())),
        NotObtained::Stalled => {
            abend(&format!("no storage: the tasks that wait for storage hold most of it, and this one {held} bytes, more than any other"))
        }
    })
}

fn abend(reason: &str) -> Raised {
    Raised::Abend(Box::new(Abend::new("AKCS").because(reason)))
}
