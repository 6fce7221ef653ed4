//! Where this thread is: the task it runs and the execution state that guarded calls and signal handlers use.
//!
//! Invariants that make the `unsafe` here sound:
//! * the thread-local pointers are read and written only by the functions below, which are never inlined, so no compiler may
//!   keep the address of a thread-local across a suspend, after which the task may be on another thread;
//! * `TASK` and `STATE` are set by a worker just before it resumes a task and reset just after, and the worker holds a
//!   reference to the task all that time, so the pointers are valid whenever they are not null;
//! * an [`ExecState`] is touched only by the thread that runs its task, and by a signal handler on that same thread; other
//!   threads touch only its atomics.

use crate::guard::{Abend, Trap};
use crate::task::{Task, TaskRef};
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// What the innermost guarded call runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Domain {
    /// Code of the region: a fault is the region's own.
    RunTime = 0,
    /// Program code, or a light helper on its behalf that owns nothing: a fault on a program address is the program's.
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
    /// The abend on its way to the recovery point.
    pub abend: Cell<Option<Box<Abend>>>,
    /// Filled by the signal handler, which must not allocate.
    pub trap: UnsafeCell<Trap>,
    /// Bits of [`crate::task::attention`].
    pub attention: AtomicU32,
    /// Number of the dispatch that is running; a runaway signal for another one is stale.
    pub dispatch: AtomicU64,
    /// The stack has the user key: it is a task's.
    pub has_task_stack: Cell<bool>,
    /// Lowest usable address of the stack, and the bytes of guard below it; 0 if not known.
    pub stack_limit: Cell<usize>,
    pub stack_guard_bytes: Cell<usize>,
    /// The reserve of the stack has been opened for region code that ran out of stack.
    pub reserve_opened: Cell<bool>,
}

impl ExecState {
    pub fn new() -> ExecState {
        ExecState {
            recover_sp: UnsafeCell::new(0),
            domain: Cell::new(Domain::RunTime),
            locks: Cell::new(0),
            abend: Cell::new(None),
            trap: UnsafeCell::new(Trap::NONE),
            attention: AtomicU32::new(0),
            dispatch: AtomicU64::new(0),
            has_task_stack: Cell::new(false),
            stack_limit: Cell::new(0),
            stack_guard_bytes: Cell::new(0),
            reserve_opened: Cell::new(false),
        }
    }
}

thread_local! {
    static TASK: Cell<*const TaskRef> = const { Cell::new(std::ptr::null()) };
    static STATE: Cell<*const ExecState> = const { Cell::new(std::ptr::null()) };
    static OWN: ThreadState = const { ThreadState { state: Cell::new(std::ptr::null_mut()), stack: Cell::new(0) } };
}

/// State and alternate stack of the thread itself, freed with the thread.
struct ThreadState {
    state: Cell<*mut ExecState>,
    stack: Cell<usize>,
}

impl Drop for ThreadState {
    fn drop(&mut self) {
        let _ = STATE.try_with(|state| state.set(std::ptr::null()));
        crate::signals::free_alternate_stack(self.stack.get());
        if !self.state.get().is_null() {
            drop(unsafe { Box::from_raw(self.state.get()) });
        }
    }
}

/// The execution state in force, or null on a thread that has none.
#[inline(never)]
pub(crate) fn state_pointer() -> *const ExecState {
    STATE.try_with(|state| state.get()).unwrap_or(std::ptr::null())
}

/// The execution state in force; gives the thread one if it has none.
#[inline]
pub(crate) fn state<'a>() -> &'a ExecState {
    let pointer = state_pointer();
    if !pointer.is_null() {
        return unsafe { &*pointer };
    }
    prepare_thread();
    unsafe { &*state_pointer() }
}

/// Gives the thread an execution state unless one is in force.
#[inline]
pub(crate) fn prepare_thread_once() {
    if state_pointer().is_null() {
        prepare_thread();
    }
}

/// Gives this thread an execution state and an alternate signal stack, once.
#[inline(never)]
pub(crate) fn prepare_thread() {
    OWN.with(|own| {
        if own.state.get().is_null() {
            crate::keys::prepare_thread();
            let state = ExecState::new();
            if let Some((limit, guard_bytes)) = crate::stack::of_this_thread() {
                state.stack_limit.set(limit);
                state.stack_guard_bytes.set(guard_bytes);
            }
            own.state.set(Box::into_raw(Box::new(state)));
            own.stack.set(crate::signals::install_alternate_stack());
            STATE.with(|state| state.set(own.state.get()));
        }
    });
}

/// Makes `task` the one this thread runs, or none. Only workers call it, around a resume.
#[inline(never)]
pub(crate) fn set_task(task: Option<&TaskRef>) {
    TASK.with(|cell| cell.set(task.map_or(std::ptr::null(), |task| task as *const TaskRef)));
    let state = match task {
        Some(task) => task.exec_state() as *const ExecState,
        None => OWN.with(|own| own.state.get() as *const ExecState),
    };
    STATE.with(|cell| cell.set(state));
}

#[inline(never)]
fn task_pointer() -> *const TaskRef {
    TASK.with(|cell| cell.get())
}

/// The task this code runs in, if any.
pub fn current() -> Option<TaskRef> {
    let pointer = task_pointer();
    if pointer.is_null() { None } else { Some(unsafe { (*pointer).clone() }) }
}

/// Calls `work` with the task this code runs in, without counting a reference. `work` may suspend.
pub fn with_current<R>(work: impl FnOnce(&Task) -> R) -> Option<R> {
    let pointer = task_pointer();
    // The reference outlives a suspend because the task cannot end while its own code is running.
    if pointer.is_null() { None } else { Some(work(unsafe { &*pointer })) }
}

/// Address of the running task's control block, for assertions.
pub(crate) fn current_address() -> *const Task {
    let pointer = task_pointer();
    if pointer.is_null() { std::ptr::null() } else { unsafe { std::sync::Arc::as_ptr(&(*pointer).0) } }
}
