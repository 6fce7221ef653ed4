//! A task: the kernel part of the task control area.
use crate::dispatcher::Dispatcher;
use crate::inquire::{RunState, TaskInfo, TaskTimes};
use crate::mode::Mode;
use crate::name::{Name, Name8};
use crate::wait::{Ecb, Purge, Resumed, Wait, Waker};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Identifies a task for the life of the region; never reused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TaskId(pub u64);

impl TaskId {
    /// The task number of EIBTASKN: 1 to 9,999,999, then again from 1.
    pub const fn number(self) -> u32 {
        ((self.0 - 1) % 9_999_999 + 1) as u32
    }
}

/// Bits of [`Task::attention`]: what a gate must look at before it returns to the program.
pub mod attention {
    /// The task ran too long without giving up control (AICA).
    pub const RUNAWAY: u32 = 1;
    pub const PURGE: u32 = 2;
    pub const FORCE_PURGE: u32 = 4;
    pub const KILL: u32 = 8;
}

/// A task, alive or ended, from any thread.
#[derive(Clone, Debug)]
pub struct TaskRef(pub(crate) Arc<Task>);

impl std::ops::Deref for TaskRef {
    type Target = Task;
    fn deref(&self) -> &Task {
        &self.0
    }
}

/// The kernel part of a task. Methods marked "own task" may be called only by the code of the task itself.
#[derive(Debug)]
pub struct Task {}

impl Task {
    pub fn id(&self) -> TaskId { unimplemented!() }
    pub fn number(&self) -> u32 { self.id().number() }
    pub fn transaction(&self) -> Name<4> { unimplemented!() }
    pub fn class(&self) -> Name8 { unimplemented!() }
    pub fn is_system(&self) -> bool { unimplemented!() }
    pub fn dispatcher(&self) -> &Dispatcher { unimplemented!() }
    /// 0 to 255, the greater first.
    pub fn priority(&self) -> u8 { unimplemented!() }
    pub fn set_priority(&self, _priority: u8) { unimplemented!() }
    /// SPURGE: a plain purge may abend the task.
    pub fn set_purgeable(&self, _purgeable: bool) { unimplemented!() }
    /// RUNAWAY limit; zero: none.
    pub fn set_runaway(&self, _limit: Duration) { unimplemented!() }
    pub fn state(&self) -> RunState { unimplemented!() }
    pub fn info(&self) -> TaskInfo { unimplemented!() }
    pub fn times(&self) -> TaskTimes { unimplemented!() }
    /// The mode the task runs under.
    pub fn mode(&self) -> Mode { unimplemented!() }
    /// Own task. Switches to `mode`, waiting for it if need be; returns the mode before. Only the wait for a pooled TCB can be
    /// purged; the mode is then unchanged.
    pub fn change_mode(&self, _mode: Mode) -> Result<Mode, Purge> { unimplemented!() }
    /// Own task. Opens a new wait: the waker may be given to whoever will resume the task, then [`Task::suspend`] waits.
    pub fn waker(&self) -> Waker { unimplemented!() }
    /// Own task. Waits until the waker of this wait is used, the timeout passes or a purge arrives.
    pub fn suspend(&self, _wait: &Wait) -> Resumed { unimplemented!() }
    /// Own task. Waits until the block is posted.
    pub fn wait_ecb(&self, _ecb: &Ecb, _wait: &Wait) -> Resumed { unimplemented!() }
    /// Own task. Waits until one of the blocks is posted; the value of [`Resumed::Posted`] is its index.
    pub fn wait_any(&self, _ecbs: &[&Ecb], _wait: &Wait) -> Resumed { unimplemented!() }
    /// Own task. Waits for a time.
    pub fn delay(&self, _wait: &Wait, _time: Duration) -> Resumed { unimplemented!() }
    /// Own task. Gives up control to tasks of the same or higher priority (EXEC CICS SUSPEND).
    pub fn relinquish(&self) { unimplemented!() }
    /// Own task. Runs `work` on a thread of its own while the task is suspended under `wait` (never purged). Work may block.
    pub fn run_blocking<R: Send>(&self, _wait: &Wait, _work: impl FnOnce() -> R + Send) -> R { unimplemented!() }
    /// Own task. Runs `work` on the stack of the worker thread, for code that needs a big or a thread's own stack. `work` must not suspend.
    pub fn on_thread_stack<R>(&self, _work: impl FnOnce() -> R) -> R { unimplemented!() }
    /// Asks the task to end: its wait ends as purged if the purge is strong enough for wait and task, or its attention bits are set.
    /// False if a plain purge does not apply to the task (not purgeable).
    pub fn purge(&self, _purge: Purge) -> bool { unimplemented!() }
    /// Attention bits, to be looked at by every gate before it returns to the program.
    pub fn attention(&self) -> u32 { unimplemented!() }
    pub fn clear_attention(&self, _bits: u32) { unimplemented!() }
    /// Address of the attention word, for compiled code to poll.
    pub fn attention_word(&self) -> *const AtomicU32 { unimplemented!() }
    /// The owner's extension of the task.
    pub fn user_data(&self) -> *mut () { unimplemented!() }
    pub fn set_user_data(&self, _pointer: *mut ()) { unimplemented!() }
    /// Any other thread: waits until the task has ended. False after the timeout.
    pub fn join(&self, _timeout: Duration) -> bool { unimplemented!() }

    pub(crate) fn fire(&self, _sequence: u64, _reason: Resumed) -> bool { unimplemented!() }
    pub(crate) fn wait_is_live(&self, _sequence: u64) -> bool { unimplemented!() }
}

/// The task this code runs in, if any.
pub fn current() -> Option<TaskRef> { unimplemented!() }
/// Calls `work` with the task this code runs in, without counting a reference. `work` may suspend.
pub fn with_current<R>(_work: impl FnOnce(&Task) -> R) -> Option<R> { unimplemented!() }
