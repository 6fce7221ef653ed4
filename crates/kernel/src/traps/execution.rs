//! The execution state: what guarded calls and signal handlers need to know of the running task or thread.
//!
//! Invariants that make the `unsafe` here sound:
//! * the thread-local pointer is read and written only by the functions below, which are never inlined, so no compiler may
//!   keep the address of a thread-local across a suspend, after which the task may be on another thread;
//! * the pointer is null or leads to a live state: a worker sets it to its task's state just before it resumes the task, resets it just
//!   after, and holds a reference to the task all that time; otherwise the state is the thread's own, freed when the thread ends;
//! * an [`ExecState`] is touched only by the thread that runs its task, and by a signal handler on that same thread; other
//!   threads touch only its atomics;
//! * [`ExecState::dispatch`] is null or points to the dispatch number of the worker that runs the task, which lives as long as the
//!   dispatcher and so outlives the task.
//!
//! `tests/stress.rs` moves tasks between threads with assertions on, `tests/guard/traps.rs` covers the signal handlers, and the test below also
//! runs under Miri.

use super::abend::{Abend, Trap};
use crate::traced_task::{Identity, TracedTask};
use crate::wait::Purge;
use crate::words::AtomicU8;
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Bits of the attention word, which a gate checks before it returns to the program.
pub mod attention {
    /// The task ran too long without giving up control (AICA).
    pub const RUNAWAY: u32 = 1;
    pub const PURGE: u32 = 2;
    pub const FORCE_PURGE: u32 = 4;
    pub const KILL: u32 = 8;
    /// Region code ran out of stack on behalf of the task and uses the reserve: the program should be abended.
    pub const STACK: u32 = 16;
    /// The requests that stop a program wherever it is.
    pub const STOPS: u32 = RUNAWAY | FORCE_PURGE | KILL;
}

/// The kind of code the innermost guarded call runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Domain {
    /// Code of the region: a fault is the region's own.
    RunTime = 0,
    /// Program code, or a light helper on its behalf that owns nothing: a fault on a program address belongs to the program.
    Program = 1,
    /// A gate at work on data of the program: a fault on a program address is the program's, any other the region's own.
    ProgramData = 2,
}

/// Recovery state of one task, or of one thread that is not a worker.
pub(crate) struct ExecState {
    /// Stack pointer of the innermost recovery point, 0 if none. Assembly reads and writes it.
    pub recover_sp: UnsafeCell<usize>,
    pub domain: Cell<Domain>,
    /// Guards of [`crate::sync::Mutex`] alive on this stack.
    pub locks: Cell<u32>,
    /// The abend being passed to the recovery point.
    pub abend: Cell<Option<Box<Abend>>>,
    /// Filled by the signal handler, which must not allocate.
    pub trap: UnsafeCell<Trap>,
    /// Bits of [`attention`].
    pub attention: AtomicU32,
    /// Strength of the purge that the task has not yet seen; 0: none.
    pub purge_pending: AtomicU8,
    /// The dispatch number of the running dispatch, in its worker; a stop for another one is stale. Null before the first dispatch.
    pub dispatch: AtomicPtr<AtomicU64>,
    /// The dispatch in which the task was last notified that it is a runaway: the address of its worker's number, and the value at that
    /// time.
    runaway_told: Cell<(*const AtomicU64, u64)>,
    /// The task this state belongs to, as [`crate::dispatcher::current`] reads it; null for a thread's own.
    pub owner: Cell<*const ()>,
    /// The stack has the user key: it is a task's.
    pub has_task_stack: Cell<bool>,
    /// Lowest usable address of the stack, and the bytes of guard below it; 0 if not known.
    pub stack_limit: Cell<usize>,
    pub stack_guard_bytes: Cell<usize>,
    /// The reserve of the stack has been opened for region code that ran out of stack.
    pub reserve_opened: Cell<bool>,
    /// What trace entries say of the task.
    pub traced: TracedTask,
}

// See the third invariant.
unsafe impl Send for ExecState {}
unsafe impl Sync for ExecState {}

impl ExecState {
    pub fn new() -> ExecState {
        ExecState {
            recover_sp: UnsafeCell::new(0),
            domain: Cell::new(Domain::RunTime),
            locks: Cell::new(0),
            abend: Cell::new(None),
            trap: UnsafeCell::new(Trap::NONE),
            attention: AtomicU32::new(0),
            purge_pending: AtomicU8::new(0),
            dispatch: AtomicPtr::new(std::ptr::null_mut()),
            runaway_told: Cell::new((std::ptr::null(), 0)),
            owner: Cell::new(std::ptr::null()),
            has_task_stack: Cell::new(false),
            stack_limit: Cell::new(0),
            stack_guard_bytes: Cell::new(0),
            reserve_opened: Cell::new(false),
            traced: TracedTask::new(),
        }
    }

    /// True if this is the state in force on this thread.
    pub fn is_in_force(&self) -> bool {
        std::ptr::eq(state_pointer(), self)
    }

    /// The stack pointer of the innermost recovery point, 0 if none. For the running code and handlers on its thread.
    pub fn recovery_point(&self) -> usize {
        unsafe { *self.recover_sp.get() }
    }

    /// The number of the running dispatch.
    pub fn dispatch_number(&self) -> Option<u64> {
        let number = unsafe { self.dispatch.load(Ordering::Relaxed).as_ref() }?;
        Some(number.load(Ordering::Relaxed))
    }

    /// A purge that the task has not seen yet.
    #[inline]
    pub fn pending_purge(&self) -> Option<Purge> {
        Purge::from_strength(self.purge_pending.load(Ordering::SeqCst))
    }

    /// The purge has reached the task: waits of its abend processing are not purged by it again.
    pub fn purge_delivered(&self) {
        self.clear_attention(attention::PURGE | attention::FORCE_PURGE | attention::KILL);
    }

    /// Clearing FORCE_PURGE or KILL means that the purge has been dealt with.
    pub fn clear_attention(&self, bits: u32) {
        if bits & (attention::FORCE_PURGE | attention::KILL) != 0 {
            self.purge_pending.store(0, Ordering::SeqCst);
        }
        self.attention.fetch_and(!bits, Ordering::SeqCst);
    }

    /// The running task has waited on its worker's thread: it begins a new interval, as by a dispatch.
    pub fn begin_interval(&self) {
        if let Some(number) = unsafe { self.dispatch.load(Ordering::Relaxed).as_ref() } {
            debug_assert!(self.is_in_force(), "only the task itself waits");
            number.store(number.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
    }

    /// The running task is notified that it is a runaway: a pending stop is stale from here on, and the interval begins again under a new
    /// number. False if the task has not given up control since the last notification.
    pub fn runaway_delivered(&self) -> bool {
        let dispatch = self.dispatch.load(Ordering::Relaxed);
        let Some(number) = (unsafe { dispatch.as_ref() }) else { return true };
        debug_assert!(self.is_in_force(), "only the task itself is told");
        // The worker writes it otherwise, and it is running this code.
        let before = number.load(Ordering::Relaxed);
        number.store(before + 1, Ordering::Relaxed);
        self.clear_attention(attention::RUNAWAY);
        self.runaway_told.replace((dispatch, before + 1)) != (dispatch.cast_const(), before)
    }
}

thread_local! {
    static STATE: Cell<*const ExecState> = const { Cell::new(std::ptr::null()) };
}

/// The execution state in force, or null on a thread that has none.
#[inline(never)]
pub(crate) fn state_pointer() -> *const ExecState {
    STATE.try_with(|state| state.get()).unwrap_or(std::ptr::null())
}

/// What a trace entry of the running code says of its task.
#[inline]
pub(crate) fn traced_identity() -> Identity {
    // The state in force outlives the code that runs under it.
    unsafe { state_pointer().as_ref() }.map_or(Identity::NONE, |state| state.traced.identity())
}

/// Puts a state in force, or none. At the end of a thread its thread-local storage may already be gone.
#[inline(never)]
pub(super) fn put_in_force(state: *const ExecState) {
    let _ = STATE.try_with(|cell| cell.set(state));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runaway_is_notified_once_per_dispatch() {
        let (first, second) = (AtomicU64::new(7), AtomicU64::new(8));
        let state = ExecState::new();
        assert!(state.runaway_delivered(), "outside any task");
        let dispatch_by = |worker: &AtomicU64| {
            worker.fetch_add(1, Ordering::Relaxed);
            state.dispatch.store((&raw const *worker).cast_mut(), Ordering::Relaxed);
        };
        put_in_force(&state);
        dispatch_by(&first);
        state.attention.store(attention::RUNAWAY | attention::STACK, Ordering::Relaxed);
        assert!(state.runaway_delivered());
        assert_eq!((state.dispatch_number(), state.attention.load(Ordering::Relaxed)), (Some(9), attention::STACK));
        assert!(!state.runaway_delivered() && !state.runaway_delivered(), "it has not given up control");
        assert_eq!(state.dispatch_number(), Some(11));
        // Dispatched by another worker with the same number by chance, and by the first one again.
        second.store(10, Ordering::Relaxed);
        dispatch_by(&second);
        assert_eq!(state.dispatch_number(), Some(11));
        assert!(state.runaway_delivered());
        dispatch_by(&first);
        assert!(state.runaway_delivered());
        put_in_force(std::ptr::null());
    }
}
