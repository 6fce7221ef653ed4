//! The task control block: what the kernel knows of a task, without the dispatcher that runs it.
//!
//! Invariants: settings another thread may change are atomic and take effect as their method says; methods marked "own task" are called by
//! the code of the task only; `life` records the end of the task once, as its last change. The wait word is in `wait_word`, the times are
//! in `account`; the operations on the dispatcher (waits, changes of mode, purge) are in `dispatcher`.

pub(crate) mod account;
pub(crate) mod wait_times;
pub(crate) mod wait_word;

use crate::clock::{ticks, ticks_to_duration, ticks_to_wall};
use crate::inquire::{Clock, RunState, TaskId, TaskInfo, TaskTimes};
use crate::mode::{Mode, OpenPriority};
use crate::name::{Name, Name8, Name16};
use crate::traced_task::Tracing;
use crate::traps::ExecState;
use crate::wait::{Purge, Wait};
use account::Account;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;
use wait_times::WaitTimes;
use wait_word::WaitWord;

/// Bits of `life`: the task has ended; a thread waits for the end.
const LIFE_ENDED: u8 = 1;
const LIFE_AWAITED: u8 = 2;

/// Bits of `wait_flags`.
const WAIT_PURGEABLE: u8 = 1;
const WAIT_PROTECTED: u8 = 2;

/// The attributes a task is attached with.
pub(crate) struct Attributes {
    pub id: TaskId,
    pub transaction: Name<4>,
    pub class: Name8,
    pub system: bool,
    pub priority: u8,
    pub purgeable: bool,
    pub runaway: Duration,
}

/// The state of a task. Methods marked "own task" may be called only by the code of the task itself.
pub struct ControlBlock {
    id: TaskId,
    transaction: Name<4>,
    class: Name8,
    system: bool,
    priority: AtomicU8,
    open_priority: AtomicU8,
    purgeable: AtomicBool,
    /// False: no wait of the task can be purged, only force-purged.
    waits_purgeable: AtomicBool,
    runaway_ns: AtomicU64,
    state: AtomicU8,
    mode: AtomicU8,
    /// Modes of which the task holds an open TCB, by bit.
    pub(crate) open_tcbs: AtomicU32,
    pub(crate) wait: WaitWord,
    wait_flags: AtomicU8,
    wait_text: [AtomicU64; 3],
    /// Worker that runs the task, plus one; 0 while it does not run.
    pub(crate) worker: AtomicU32,
    /// Place in the queue of a bound of admission; 0: none.
    pub(crate) queue_key: AtomicU64,
    exec: ExecState,
    account: Account,
    wait_times: WaitTimes,
    life: AtomicU8,
    panicked: AtomicBool,
}

impl fmt::Debug for ControlBlock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Task({} {} {:?} {})", self.number(), self.transaction, self.state(), self.mode().name())
    }
}

impl ControlBlock {
    pub(crate) fn new(attributes: Attributes) -> ControlBlock {
        let account = Account::default();
        let now = ticks();
        account.attached_at.set(now);
        account.since.set(now);
        let exec = ExecState::new();
        exec.traced.set_task(attributes.id.number(), attributes.id.0 as u32, attributes.transaction.as_bytes());
        exec.traced.set_mode(Mode::Qr as u8);
        ControlBlock {
            id: attributes.id,
            transaction: attributes.transaction,
            class: attributes.class,
            system: attributes.system,
            priority: AtomicU8::new(attributes.priority),
            open_priority: AtomicU8::new(OpenPriority::Equal as u8),
            purgeable: AtomicBool::new(attributes.purgeable),
            waits_purgeable: AtomicBool::new(true),
            runaway_ns: AtomicU64::new(nanoseconds(attributes.runaway)),
            state: AtomicU8::new(RunState::Dispatchable as u8),
            mode: AtomicU8::new(Mode::Qr as u8),
            open_tcbs: AtomicU32::new(0),
            wait: WaitWord::default(),
            wait_flags: AtomicU8::new(0),
            wait_text: [const { AtomicU64::new(0) }; 3],
            worker: AtomicU32::new(0),
            queue_key: AtomicU64::new(0),
            exec,
            account,
            wait_times: WaitTimes::default(),
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

    /// 0 to 255, the greater first.
    #[inline]
    pub fn priority(&self) -> u8 {
        self.priority.load(Ordering::Relaxed)
    }

    /// Takes effect the next time the task becomes ready.
    pub fn set_priority(&self, priority: u8) {
        self.priority.store(priority, Ordering::Relaxed);
    }

    /// That of its open TCBs in relation to QR.
    #[inline]
    pub fn open_priority(&self) -> OpenPriority {
        OpenPriority::ALL[self.open_priority.load(Ordering::Relaxed) as usize]
    }

    /// Takes effect the next time the task becomes ready under an open mode.
    pub fn set_open_priority(&self, priority: OpenPriority) {
        self.open_priority.store(priority as u8, Ordering::Relaxed);
    }

    pub fn is_purgeable(&self) -> bool {
        self.purgeable.load(Ordering::SeqCst)
    }

    /// Own task: whether its waits can be purged from now on, as far as they say so themselves; the answer is what held before. A purge
    /// that does not apply to a wait stays pending.
    pub fn set_waits_purgeable(&self, purgeable: bool) -> bool {
        self.waits_purgeable.swap(purgeable, Ordering::SeqCst)
    }

    /// RUNAWAY limit from the next dispatch on; zero: no limit.
    pub fn set_runaway(&self, limit: Duration) {
        self.runaway_ns.store(nanoseconds(limit), Ordering::Relaxed);
    }

    /// How often the task has been given control.
    #[inline]
    pub fn dispatches(&self) -> u64 {
        self.account.dispatches.get()
    }

    /// Own task, about to be abended as a runaway. Its interval begins again for the code that handles the abend. False if the task has not
    /// given up control since the last such abend.
    pub fn runaway_delivered(&self) -> bool {
        self.assert_own();
        self.exec.runaway_delivered()
    }

    /// RUNAWAY limit; zero: none.
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

    #[inline]
    pub(crate) fn set_state(&self, state: RunState) {
        debug_assert!(can_follow(self.state(), state), "a task that is {:?} becomes {state:?}", self.state());
        self.state.store(state as u8, Ordering::Relaxed);
    }

    /// The mode the task runs under.
    #[inline]
    pub fn mode(&self) -> Mode {
        Mode::ALL[self.mode.load(Ordering::Relaxed) as usize]
    }

    /// The terminal that its trace entries name.
    pub fn set_traced_terminal(&self, terminal: Name<4>) {
        self.exec.traced.set_terminal(terminal.as_bytes());
    }

    /// Which of its trace points are written.
    pub fn tracing(&self) -> Tracing {
        self.exec.traced.tracing()
    }

    pub fn set_tracing(&self, tracing: Tracing) {
        self.exec.traced.set_tracing(tracing);
    }

    /// Since it was attached.
    pub fn age(&self) -> Duration {
        ticks_to_duration(ticks().saturating_sub(self.account.attached_at.get()))
    }

    /// When it was attached, in ticks of the region clock.
    pub fn attached_at(&self) -> u64 {
        self.account.attached_at.get()
    }

    /// Own task: when its dispatch began, or its present mode, in ticks of the region clock. Never later than now.
    #[inline]
    pub fn dispatched_at(&self) -> u64 {
        self.account.since.get()
    }

    pub fn times(&self) -> TaskTimes {
        self.account.times(ticks())
    }

    /// The waits since the first dispatch, by resource type; see [`Wait::accounted_as`]. They end with the redispatch, as the clocks of CICS
    /// monitoring do ("Transaction wait (suspend) times"). Waits for a TCB in a change of mode are not among them.
    pub fn waits(&self) -> Vec<(Name8, Clock)> {
        self.wait_times.read()
    }

    /// Own task. Ticks from its attach until now that it was not suspended; its delay until the first dispatch counts.
    #[inline]
    pub fn ticks_not_suspended(&self) -> u64 {
        self.assert_own();
        ticks().saturating_sub(self.account.attached_at.get()).saturating_sub(self.account.suspend.get())
    }

    /// Own task. `times` with the segment that runs now, which is charged first.
    pub fn own_times(&self) -> TaskTimes {
        self.assert_own();
        let now = ticks();
        self.account.charge(self.mode(), now);
        self.account.times(now)
    }

    /// Own task: the processor time it has used up to now, in all modes.
    pub fn cpu_time(&self) -> Duration {
        self.assert_own();
        self.account.charge(self.mode(), ticks());
        ticks_to_duration(self.account.modes.iter().map(|mode| mode.cpu.get()).sum())
    }

    /// Everything an inquiry shows.
    pub fn info(&self) -> TaskInfo {
        let now = ticks();
        let state = self.state();
        let attached_at = self.account.attached_at.get();
        // A task that class or MXT holds back has waited since its attach.
        let (wait, since) = match state {
            RunState::Suspended => (Some(self.wait_text()), self.account.since.get()),
            RunState::QueuedForClass => (Some((Name8::new("TCLASS"), Name16::new(self.class.as_str()))), attached_at),
            RunState::QueuedForMaxTasks => (Some((Name8::new("MXT"), Name16::new("XM_HELD"))), attached_at),
            _ => (None, now),
        };
        let (resource_type, resource_name) = wait.unwrap_or_default();
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
            suspended_for: ticks_to_duration(now.saturating_sub(since)),
            attached_at: ticks_to_wall(attached_at),
            runaway: self.runaway(),
            purge_pending: self.exec.pending_purge(),
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

    /// Attention bits, which every gate checks before it returns to the program.
    #[inline]
    pub fn attention(&self) -> u32 {
        self.exec.attention.load(Ordering::Relaxed)
    }

    /// Clearing FORCE_PURGE or KILL means that the purge has been dealt with, as by [`ControlBlock::take_purge`].
    pub fn clear_attention(&self, bits: u32) {
        self.exec.clear_attention(bits);
    }

    /// Address of the attention word, for compiled code to poll. Valid while the task lives.
    pub fn attention_word(&self) -> *const AtomicU32 {
        &self.exec.attention
    }

    /// The entry of the task panicked.
    pub fn has_panicked(&self) -> bool {
        self.panicked.load(Ordering::SeqCst)
    }

    pub(crate) fn assert_own(&self) {
        debug_assert!(self.exec.is_in_force(), "only the task itself may call this");
    }

    /// Own task. A gate that noticed a purge in the attention bits takes it, and abends the task.
    pub fn take_purge(&self) -> Option<Purge> {
        let purge = self.exec.pending_purge();
        if purge.is_some() {
            self.exec.purge_delivered();
        }
        purge
    }

    // Functions for the dispatcher.

    /// Own task: records what it waits for, and on which terms.
    #[inline]
    pub(crate) fn note_wait(&self, wait: &Wait) {
        let name = wait.resource_name.as_bytes();
        let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
        self.wait_text[0].store(word(wait.resource_type.as_bytes()), Ordering::Relaxed);
        self.wait_text[1].store(word(&name[..8]), Ordering::Relaxed);
        self.wait_text[2].store(word(&name[8..]), Ordering::Relaxed);
        let purgeable = wait.purgeable && self.waits_purgeable.load(Ordering::SeqCst);
        let flags = if purgeable { WAIT_PURGEABLE } else { 0 } | if wait.protected { WAIT_PROTECTED } else { 0 };
        self.wait_flags.store(flags, Ordering::SeqCst);
    }

    /// The pending purge, if it applies to the wait recorded last.
    #[inline]
    pub(crate) fn applicable_purge(&self) -> Option<Purge> {
        let purge = self.exec.pending_purge()?;
        let flags = self.wait_flags.load(Ordering::SeqCst);
        let applies = match purge {
            Purge::Purge => flags & WAIT_PURGEABLE != 0 && self.is_purgeable(),
            _ => flags & WAIT_PROTECTED == 0,
        };
        applies.then_some(purge)
    }

    /// The wait the task sleeps in, and the pending purge, if that applies to it.
    pub(crate) fn purge_of_sleep(&self) -> Option<(u64, Purge)> {
        let sequence = self.wait.asleep()?;
        Some((sequence, self.applicable_purge()?))
    }

    /// Own task: the mode it runs under from now on.
    #[inline]
    pub(crate) fn set_mode(&self, mode: Mode) {
        self.mode.store(mode as u8, Ordering::Relaxed);
        self.exec.traced.set_mode(mode as u8);
    }

    #[inline]
    pub(crate) fn exec_state(&self) -> &ExecState {
        &self.exec
    }

    #[inline]
    pub(crate) fn account(&self) -> &Account {
        &self.account
    }

    /// Own task: a wait has ended.
    pub(crate) fn count_wait(&self, wait: &Wait, ticks: u64) {
        self.wait_times.add(wait.clock.unwrap_or(wait.resource_type), ticks);
    }

    /// Worker: the entry has panicked.
    pub(crate) fn set_panicked(&self) {
        self.panicked.store(true, Ordering::SeqCst);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.life.load(Ordering::SeqCst) & LIFE_ENDED != 0
    }

    /// Marks that a thread waits for the end of this task.
    pub(crate) fn await_end(&self) {
        self.life.fetch_or(LIFE_AWAITED, Ordering::SeqCst);
    }

    /// True if a thread waits for the end of this task.
    pub(crate) fn set_ended(&self) -> bool {
        self.set_state(RunState::Ended);
        let before = self.life.fetch_or(LIFE_ENDED, Ordering::SeqCst);
        debug_assert!(before & LIFE_ENDED == 0, "a task ends once");
        before & LIFE_AWAITED != 0
    }
}

/// The order of the states of a task. A worker that has no stack for a task ends it without running it, and so does a gate that refuses it.
fn can_follow(before: RunState, after: RunState) -> bool {
    use RunState::*;
    match before {
        Dispatchable => matches!(after, Dispatchable | QueuedForClass | QueuedForMaxTasks | Running | Ended),
        QueuedForClass => matches!(after, QueuedForMaxTasks | Dispatchable | Ended),
        QueuedForMaxTasks => matches!(after, Dispatchable | Ended),
        Running => matches!(after, Dispatchable | Suspended | Ended),
        Suspended => after == Dispatchable,
        Ended => false,
    }
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos().min(u64::MAX as u128) as u64
}
