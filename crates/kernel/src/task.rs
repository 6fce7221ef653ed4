//! A task: the kernel part of the task control area.
//!
//! Invariants: settings another thread may change are atomic and take effect as their method says; methods marked "own task" are called
//! by the code of the task only; `life` tells once, and last of all, that the task has ended. Its waits are in `waits`, purge in `purge`.

mod purge;
mod waits;

use crate::accounting::Account;
use crate::clock::ticks;
use crate::core::Core;
use crate::coroutine::{Body, Entry, SwitchOff};
use crate::current::ExecState;
use crate::dispatcher::Dispatcher;
use crate::inquire::{RunState, TaskInfo, TaskTimes};
use crate::mode::Mode;
use crate::name::{Name, Name8, Name16};
use crate::request::AttachRequest;
use crate::wait::Purge;
use crate::wait_word::purge_of;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

pub use crate::current::{current, with_current};

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
    /// Region code ran out of stack on behalf of the task and uses the reserve: the program should be abended.
    pub const STACK: u32 = 16;
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

/// Bits of [`Task::life`]: it has ended; somebody waits for that.
const LIFE_ENDED: u8 = 1;
const LIFE_AWAITED: u8 = 2;

/// The kernel part of a task. Methods marked "own task" may be called only by the code of the task itself.
pub struct Task {
    id: TaskId,
    transaction: Name<4>,
    class: Name8,
    system: bool,
    core: Arc<Core>,
    priority: AtomicU8,
    purgeable: AtomicBool,
    runaway_ns: AtomicU64,
    /// The dispatch in which the task was told last that it ran away; 0: never.
    runaway_told: AtomicU64,
    state: AtomicU8,
    mode: AtomicU8,
    /// Modes of which the task holds an open TCB, by bit.
    pub(crate) open_tcbs: AtomicU32,
    word: AtomicU64,
    wait_flags: AtomicU8,
    wait_text: [AtomicU64; 3],
    purge_pending: AtomicU8,
    /// Worker that runs the task, plus one; 0 while it does not run.
    pub(crate) worker: AtomicU32,
    /// Place in the queue of a gate; 0: none.
    pub(crate) gate_key: AtomicU64,
    exec: ExecState,
    account: Account,
    body: Body,
    on_end: parking_lot::Mutex<Option<Entry>>,
    user_data: AtomicPtr<()>,
    life: AtomicU8,
    panicked: AtomicBool,
}

// The cells inside are those of `Body` and `ExecState`, whose modules state who touches them.
unsafe impl Send for Task {}
unsafe impl Sync for Task {}

impl fmt::Debug for Task {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Task({} {} {:?} {})", self.number(), self.transaction, self.state(), self.mode().name())
    }
}

impl Task {
    pub(crate) fn new(core: Arc<Core>, id: TaskId, request: AttachRequest, runaway: Duration) -> Task {
        let account = Account::default();
        let now = ticks();
        account.attached_at.set(now);
        account.since.set(now);
        Task {
            id,
            transaction: request.transaction,
            class: request.class,
            system: request.system,
            core,
            priority: AtomicU8::new(request.priority),
            purgeable: AtomicBool::new(request.purgeable),
            runaway_ns: AtomicU64::new(runaway.as_nanos().min(u64::MAX as u128) as u64),
            runaway_told: AtomicU64::new(0),
            state: AtomicU8::new(RunState::Dispatchable as u8),
            mode: AtomicU8::new(Mode::Qr as u8),
            open_tcbs: AtomicU32::new(0),
            word: AtomicU64::new(0),
            wait_flags: AtomicU8::new(0),
            wait_text: [const { AtomicU64::new(0) }; 3],
            purge_pending: AtomicU8::new(0),
            worker: AtomicU32::new(0),
            gate_key: AtomicU64::new(0),
            exec: ExecState::new(),
            account,
            body: Body::new(request.entry),
            on_end: parking_lot::Mutex::new(request.on_end),
            user_data: AtomicPtr::new(request.user_data),
            life: AtomicU8::new(0),
            panicked: AtomicBool::new(false),
        }
    }

    pub fn id(&self) -> TaskId {
        self.id
    }

    pub fn number(&self) -> u32 {
        self.id.number()
    }

    pub fn transaction(&self) -> Name<4> {
        self.transaction
    }

    pub fn class(&self) -> Name8 {
        self.class
    }

    pub fn is_system(&self) -> bool {
        self.system
    }

    pub fn dispatcher(&self) -> Dispatcher {
        Dispatcher::of(self.core.clone())
    }

    /// 0 to 255, the greater first.
    pub fn priority(&self) -> u8 {
        self.priority.load(Ordering::Relaxed)
    }

    /// Takes effect the next time the task becomes ready.
    pub fn set_priority(&self, priority: u8) {
        self.priority.store(priority, Ordering::Relaxed);
    }

    /// SPURGE: a plain purge may end the task's waits.
    pub fn set_purgeable(&self, purgeable: bool) {
        self.purgeable.store(purgeable, Ordering::SeqCst);
    }

    pub fn is_purgeable(&self) -> bool {
        self.purgeable.load(Ordering::SeqCst)
    }

    /// RUNAWAY limit from the next dispatch on; zero: none.
    pub fn set_runaway(&self, limit: Duration) {
        self.runaway_ns.store(limit.as_nanos().min(u64::MAX as u128) as u64, Ordering::Relaxed);
    }

    /// Own task, about to be abended for running away. Its interval begins again for whoever handles the abend. False if it has not given
    /// up control since it was told last.
    pub fn runaway_delivered(&self) -> bool {
        self.assert_own();
        let dispatches = self.account.dispatches.get();
        self.core.restart_runaway_interval(self);
        self.runaway_told.swap(dispatches, Ordering::Relaxed) != dispatches
    }

    pub fn runaway(&self) -> Duration {
        Duration::from_nanos(self.runaway_ns.load(Ordering::Relaxed))
    }

    pub fn state(&self) -> RunState {
        match self.state.load(Ordering::Relaxed) {
            0 => RunState::QueuedForClass,
            1 => RunState::QueuedForMaxTasks,
            2 => RunState::Dispatchable,
            3 => RunState::Running,
            4 => RunState::Suspended,
            _ => RunState::Ended,
        }
    }

    pub(crate) fn set_state(&self, state: RunState) {
        self.state.store(state as u8, Ordering::Relaxed);
    }

    /// The mode the task runs under.
    #[inline]
    pub fn mode(&self) -> Mode {
        Mode::ALL[self.mode.load(Ordering::Relaxed) as usize]
    }

    /// Since it was attached.
    pub fn age(&self) -> Duration {
        crate::clock::ticks_to_duration(ticks().saturating_sub(self.account.attached_at.get()))
    }

    pub fn times(&self) -> TaskTimes {
        self.account.times(ticks())
    }

    /// Everything an inquiry shows.
    pub fn info(&self) -> TaskInfo {
        let now = ticks();
        let state = self.state();
        let suspended = state == RunState::Suspended;
        let (resource_type, resource_name) = if suspended { self.wait_text() } else { Default::default() };
        let since = self.account.since.get();
        TaskInfo {
            id: self.id,
            number: self.number(),
            transaction: self.transaction,
            class: self.class,
            system: self.system,
            priority: self.priority(),
            purgeable: self.is_purgeable(),
            state,
            mode: self.mode(),
            resource_type,
            resource_name,
            suspended_for: if suspended { crate::clock::ticks_to_duration(now.saturating_sub(since)) } else { Duration::ZERO },
            attached_at: crate::clock::ticks_to_wall(self.account.attached_at.get()),
            runaway: self.runaway(),
            purge_pending: purge_of(self.purge_pending.load(Ordering::Relaxed)),
            times: self.account.times(now),
        }
    }

    fn wait_text(&self) -> (Name8, Name16) {
        let [kind, first, second] = [0, 1, 2].map(|index| self.wait_text[index].load(Ordering::Relaxed).to_ne_bytes());
        let mut name = [0; 16];
        name[..8].copy_from_slice(&first);
        name[8..].copy_from_slice(&second);
        (Name8::from_bytes(&kind), Name16::from_bytes(&name))
    }

    /// Own task. Switches to `mode`, waiting for it if need be; returns the mode before. Only the wait for a pooled TCB can be
    /// purged; the mode is then unchanged.
    #[inline]
    pub fn change_mode(&self, mode: Mode) -> Result<Mode, Purge> {
        self.assert_own();
        let before = self.mode();
        if before == mode {
            return Ok(before);
        }
        if !mode.is_single() && self.open_tcbs.load(Ordering::Relaxed) & (1 << mode as u32) == 0 {
            self.core.open_tcb(self, mode)?;
        }
        let now = ticks();
        self.account.charge(before, now);
        self.account.change_modes.add(1);
        self.account.modes[mode as usize].switches.add(1);
        self.mode.store(mode as u8, Ordering::Relaxed);
        if before.is_single() {
            self.core.release_token(before);
        } else if !before.is_held_for_task() {
            self.core.close_tcb(self, before);
        }
        if mode.is_single() && !self.core.try_take_token(mode) {
            self.wait_for_mode(now);
        }
        Ok(before)
    }

    #[cold]
    fn wait_for_mode(&self, since: u64) {
        debug_assert_eq!(self.exec.locks.get(), 0, "change mode while a lock is held");
        self.body.switch_off(SwitchOff::Mode);
        self.account.change_mode_delay.add(self.account.since.get().saturating_sub(since));
    }

    /// Own task. Runs `work` on the stack of the worker thread, for code that needs a big stack or a thread's own. `work`
    /// must not suspend; it keeps its mode and blocks the worker.
    pub fn on_thread_stack<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.assert_own();
        let limit = self.exec.stack_limit.replace(0);
        let has_task_stack = self.exec.has_task_stack.replace(false);
        let result = self.body.on_thread_stack(work);
        self.exec.has_task_stack.set(has_task_stack);
        self.exec.stack_limit.set(limit);
        result
    }

    /// Attention bits, to be looked at by every gate before it returns to the program.
    #[inline]
    pub fn attention(&self) -> u32 {
        self.exec.attention.load(Ordering::Relaxed)
    }

    /// Clearing FORCE_PURGE or KILL means that the purge has been dealt with, as by [`Task::take_purge`].
    pub fn clear_attention(&self, bits: u32) {
        if bits & (attention::FORCE_PURGE | attention::KILL) != 0 {
            self.purge_pending.store(0, Ordering::SeqCst);
        }
        self.exec.attention.fetch_and(!bits, Ordering::SeqCst);
    }

    /// Address of the attention word, for compiled code to poll. Valid while the task lives.
    pub fn attention_word(&self) -> *const AtomicU32 {
        &self.exec.attention
    }

    /// The owner's extension of the task.
    #[inline]
    pub fn user_data(&self) -> *mut () {
        self.user_data.load(Ordering::Acquire)
    }

    pub fn set_user_data(&self, pointer: *mut ()) {
        self.user_data.store(pointer, Ordering::Release);
    }

    /// The entry of the task panicked.
    pub fn has_panicked(&self) -> bool {
        self.panicked.load(Ordering::SeqCst)
    }

    /// Any other thread: waits until the task has ended. False after the timeout.
    pub fn join(&self, timeout: Duration) -> bool {
        let has_ended = || self.life.load(Ordering::SeqCst) & LIFE_ENDED != 0;
        has_ended() || {
            self.life.fetch_or(LIFE_AWAITED, Ordering::SeqCst);
            self.core.sleep_until(timeout, has_ended)
        }
    }

    fn assert_own(&self) {
        debug_assert!(std::ptr::eq(crate::current::current_address(), self), "only the task itself may call this");
    }

    // What the dispatcher needs.

    pub(crate) fn exec_state(&self) -> &ExecState {
        &self.exec
    }

    pub(crate) fn account(&self) -> &Account {
        &self.account
    }

    pub(crate) fn body(&self) -> &Body {
        &self.body
    }

    /// Worker: the entry has returned.
    pub(crate) fn set_panicked(&self) {
        self.panicked.store(true, Ordering::SeqCst);
    }

    pub(crate) fn take_on_end(&self) -> Option<Entry> {
        self.on_end.lock().take()
    }

    /// True if somebody waits for the end of this task.
    pub(crate) fn set_ended(&self) -> bool {
        self.set_state(RunState::Ended);
        self.life.fetch_or(LIFE_ENDED, Ordering::SeqCst) & LIFE_AWAITED != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_numbers_wrap_at_seven_digits() {
        assert_eq!(TaskId(1).number(), 1);
        assert_eq!(TaskId(9_999_999).number(), 9_999_999);
        assert_eq!(TaskId(10_000_000).number(), 1);
    }
}
