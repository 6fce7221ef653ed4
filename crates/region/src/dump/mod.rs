//! Dumps of transactions and of the region: what a region and a task keep for them. A service like the messages, which every domain may use.
//!
//! * `cause`       the cause of a task's failure, in one line;
//! * `snapshot`    the data of its programs, kept for the dump; `values` the values of data items in readable form;
//! * `transaction` takes the dump of a task, whose readable part is `summary`; `system` that of the region, whose parts are in `components`;
//! * `program_check`  the system dump of a program check;
//! * `codes`       the dump tables, which decide what happens when a dump is requested;
//! * `exits`       XDUREQ and XDUREQC; `output_exits` XDUOUT and XDUCLSE;
//! * `data_sets`   the two data sets of transaction dumps; `file` a file of dumps; `format` the readable form of one; `thread` who writes it; `trace_lines` the trace in it.

pub mod cause;
pub mod codes;
mod components;
pub mod data_sets;
mod exits;
pub mod file;
pub mod format;
pub mod output_exits;
pub mod program_check;
pub mod snapshot;
mod summary;
pub mod system;
mod thread;
mod trace_lines;
pub mod transaction;
pub mod values;

use crate::slots::AnySlot;
use crate::{Region, Task};
use snapshot::ProgramSnapshot;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use vsam::{Change, StoreError, ThreadWaiter};

crate::region_part!(Dumping);
crate::task_part!(TaskState);

/// For the domain that takes dumps at a program's request.
pub const SLOTS: &[&dyn AnySlot] = &[&IN_REGION, &IN_TASK, codes::SLOT, data_sets::SLOT];

/// The part of a region.
#[derive(Default)]
pub struct Dumping {
    numbers: DumpNumbers,
    thread: thread::DumpThread,
    /// A system dump is being taken.
    is_busy: AtomicBool,
}

impl Dumping {
    /// The right to take a system dump; `None`: another is being taken.
    fn begin_system_dump(&self) -> Option<Turn<'_>> {
        self.is_busy.compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed).is_ok().then(|| Turn(self))
    }

    /// Work of the thread that writes dumps, after the dumps there are.
    pub fn run<R: Send + 'static>(&self, task: &Task, work: impl FnOnce() -> R + Send + 'static) -> Option<R> {
        self.thread.run(task, work)
    }

    /// The dumps that are being written are finished.
    pub fn finish(&self) {
        self.thread.finish();
    }
}

/// The part of a task.
#[derive(Default)]
pub struct TaskState {
    /// The data of the programs that an abend has left, innermost first, for the dump.
    pub snapshots: Vec<ProgramSnapshot>,
}

/// The right to take a system dump, until it is dropped.
struct Turn<'a>(&'a Dumping);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let was_busy = self.0.is_busy.swap(false, Ordering::AcqRel);
        debug_assert!(was_busy, "a system dump ends once");
    }
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
    pub fn of(region: &Region) -> &DumpNumbers {
        &Dumping::of(region).numbers
    }

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
