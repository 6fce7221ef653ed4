//! Dumps of transactions: what a region and a task keep for them. A service like the messages, which every domain may use.
//!
//! * `cause`       the cause of a task's failure, in one line;
//! * `snapshot`    the data of its programs, kept for the dump; `values` the values of data items in readable form;
//! * `transaction` writes the dump.

pub mod cause;
pub mod snapshot;
pub mod transaction;
pub mod values;

use crate::slots::AnySlot;
use crate::{Region, Task};
use snapshot::ProgramSnapshot;
use std::sync::atomic::{AtomicU32, Ordering};
use vsam::{Change, StoreError, ThreadWaiter};

crate::region_part!(DumpNumbers);
crate::task_part!(TaskState);

/// For the domain that writes dumps at a program's request.
pub const SLOTS: &[&dyn AnySlot] = &[&IN_REGION, &IN_TASK];

/// The part of a task.
#[derive(Default)]
pub struct TaskState {
    /// The data of the programs that an abend has left, innermost first, for the dump.
    pub snapshots: Vec<ProgramSnapshot>,
}

/// An abend has reached an exit: the data of the programs it has left will not be dumped.
pub fn forget_programs(task: &mut Task) {
    TaskState::of_mut(&mut task.parts).snapshots.clear();
}

/// Dump identifiers, `run/count`: the run number is incremented at each start of the region, so identifiers of different runs never
/// coincide (Troubleshooting, "dump identifiers").
#[derive(Default)]
pub struct DumpNumbers {
    run: AtomicU32,
    last: AtomicU32,
}

/// The run number has four digits.
const RUN_MAX: u32 = 9999;
const RUN_KEY: &[u8] = b"run";

impl DumpNumbers {
    /// Takes the next run number and stores it, as four bytes, big endian.
    pub fn begin_run(&self, region: &Region) -> Result<(), StoreError> {
        let table = region.store.table("diagnostics")?;
        let last = region.store.get(&table, RUN_KEY)?.and_then(|value| value.try_into().ok()).map_or(0, u32::from_be_bytes);
        let run = last % RUN_MAX + 1;
        self.run.store(run, Ordering::Relaxed);
        let change = Change { table, key: RUN_KEY.to_vec(), value: Some(run.to_be_bytes().to_vec()) };
        region.store.publish(vec![change], &ThreadWaiter::new())
    }

    pub fn next(&self) -> String {
        let count = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        format!("{}/{count:04}", self.run.load(Ordering::Relaxed))
    }
}
