//! The kernel of a region: dispatcher (tasks, TCB modes, waits, timers), guarded calls and traps, storage manager, trace.
//!
//! What lives here knows nothing of programs, commands or resources; it knows tasks, the right to run, storage and faults.
//! `unsafe` code is kept in the modules `current`, `coroutine`, `stack`, `guard`, `signals`, `access`, `code`, `keys`,
//! `clock` and `storage::{space, task}`, each of which opens with the invariants it relies on.
//!
//! Reading order: [`mode`] (what a task runs as), [`wait`] (why it does not), [`Dispatcher`], [`Task`], [`guard`]
//! (recovery points, abends, traps), [`storage`].

pub mod clock;
pub mod dispatcher;
pub mod guard;
pub mod inquire;
pub mod mode;
pub mod name;
pub mod storage;
pub mod task;
pub mod trace;
pub mod wait;

pub use dispatcher::{AttachError, AttachRequest, ClassDefinition, Config, Dispatcher, Stop, TimerId};
pub use guard::{Abend, AbendKind, Departure, Trap, guarded_call, raise, raise_exit};
pub use inquire::{DispatcherStatistics, ModeTimes, RunState, TaskInfo, TaskTimes};
pub use mode::{Mode, Pool};
pub use name::{Name, Name8, Name16};
pub use task::{Task, TaskId, TaskRef, attention, current, with_current};
pub use wait::{Ecb, Purge, Resumed, Wait, Waker};
