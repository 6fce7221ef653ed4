//! The kernel of a region: dispatcher (tasks, TCB modes, waits, timers), guarded calls and traps, storage manager, trace.
//!
//! What lives here knows nothing of programs, commands or resources; it knows tasks, the right to run, storage and faults.
//! `unsafe` code is kept in `clock`, `current`, `coroutine`, `stack`, `guard`, `access`, `signals`, `code`, `keys`,
//! `isolation`, `user_memory`, and the address space and check zones of `storage`; each module opens with the invariants it relies on.
//!
//! Reading order: [`mode`] (what a task runs as), [`wait`] (why it does not), [`dispatcher`] and [`task`], [`guard`]
//! (recovery points, abends, traps), [`storage`], [`trace`].

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("the kernel needs Linux on x86-64 or aarch64");

pub mod clock;
pub mod dispatcher;
pub mod guard;
pub mod inquire;
pub mod keys;
pub mod mode;
pub mod name;
pub mod storage;
pub mod sync;
pub mod task;
pub mod trace;
pub mod wait;

mod access;
mod accounting;
mod blocking;
mod code;
mod core;
mod coroutine;
mod current;
mod gate;
mod idle_work;
mod isolation;
mod monitor;
mod pools;
mod ready;
mod request;
mod signals;
mod stack;
mod timer;
mod user_memory;
mod wait_word;
mod worker;

pub use dispatcher::{AttachError, AttachRequest, ClassDefinition, Config, Dispatcher, Stop, TimerId};
pub use guard::{Abend, AbendKind, Departure, Interrupt, Trap, guarded_call, raise, raise_exit};
pub use idle_work::IdleWork;
pub use inquire::{DispatcherStatistics, ModeTimes, Peaks, RunState, TaskInfo, TaskTimes};
pub use isolation::{Subspace, is_available as can_isolate};
pub use mode::{Mode, Pool};
pub use name::{Name, Name8, Name16};
pub use task::{Task, TaskId, TaskRef, attention, current, with_current};
pub use user_memory::UserMemory;
pub use wait::{Ecb, Purge, Resumed, Wait, Waker};
