//! The kernel of a region: dispatcher (tasks, TCB modes, waits, timers), guarded calls and traps, storage manager, trace.
//!
//! This crate knows tasks, the right to run, storage and faults. It knows nothing of programs, commands or resources.
//!
//! The modules in layers; each uses only those above it in the list:
//!
//! | modules | contents |
//! | --- | --- |
//! | [`name`], [`clock`], [`mode`], [`wait`], [`inquire`], [`processors`], `traced_task` | vocabulary: names, times, TCB modes, reasons to wait, results of inquiries, the processors, the task of a trace entry |
//! | `words`, `lock_order` | the atomic words that threads share, the order of the locks, checked by assertions |
//! | [`keys`] | storage keys by the processor's protection keys, transaction isolation |
//! | `addresses`, `stack` | the address space of the DSAs; the stacks of tasks |
//! | `traps` ([`guard`]) | recovery points, abends, signal handlers, access to program addresses |
//! | [`sync`], `task` | locks that count their guards; the task control block |
//! | [`trace`] | the trace table and its destinations |
//! | [`dispatcher`] | which task runs, and when |
//! | [`storage`] | the storage manager, whose callers may wait |
//!
//! `unsafe` code is kept in `clock`, `keys`, `addresses`, `stack`, `traps`, in `coroutine`, `current`, `waits`, `worker`, `worker_slot` and
//! `monitor` of the dispatcher, and in `user_memory` and the code mappings of `storage`; each module head lists the invariants it relies
//! on.

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("the kernel needs Linux on x86-64 or aarch64");

pub mod clock;
pub mod dispatcher;
pub mod inquire;
pub mod keys;
pub mod machine;
mod mode;
pub mod name;
pub mod processors;
pub mod storage;
pub mod sync;
pub mod threads;
pub mod trace;
pub mod wait;

mod addresses;
#[cfg(test)]
mod interleave;
mod lock_order;
mod stack;
mod task;
mod traced_task;
mod traps;
mod words;

pub use addresses::{PREFIX, PREFIX_BYTES, as_program_knows};
pub use dispatcher::{
    AttachError, AttachRequest, ClassDefinition, Code, Config, Dispatcher, Ecb, IdleWork, ServiceTcb, Stop, Task, TaskRef, TimerId, Waker,
    current, with_current,
};
pub use guard::{Abend, AbendKind, Departure, Interrupt, Trap, guarded_call, raise, raise_exit};
pub use inquire::{Clock, DispatcherStatistics, ModeTimes, Peaks, RunState, TaskId, TaskInfo, TaskTimes};
pub use keys::isolation::{Subspace, is_available as can_isolate};
pub use mode::{Mode, OpenPriority, Pool};
pub use name::{Name, Name8, Name16};
pub use storage::UserMemory;
pub use task::ControlBlock;
pub use traps::{attention, can_enter_user_key, guard, refuse_system_calls, tell_of_missing_pages};
pub use wait::{Purge, Resumed, Wait};
