//! The requirements of a thread before it runs program code or touches program storage: an execution state, an alternate signal stack, open
//! keys.
//!
//! Invariants that make the `unsafe` here sound: the thread's own state is created once and freed when the thread ends, after it is no
//! longer in force; a reference to the state in force is used only by the code that runs under it, so it is not kept when a worker puts
//! another state in force.
//!
//! `tests/guard/traps.rs` covers it on plain threads and tasks.

use super::execution::{ExecState, put_in_force, state_pointer};
use super::{signals, system_calls};
use std::cell::Cell;

/// State and alternate stack of the thread itself, freed with the thread.
struct ThreadState {
    state: Cell<*mut ExecState>,
    stack: Cell<usize>,
}

impl Drop for ThreadState {
    fn drop(&mut self) {
        put_in_force(std::ptr::null());
        signals::free_alternate_stack(self.stack.get());
        if !self.state.get().is_null() {
            drop(unsafe { Box::from_raw(self.state.get()) });
        }
    }
}

thread_local! {
    static OWN: ThreadState = const { ThreadState { state: Cell::new(std::ptr::null_mut()), stack: Cell::new(0) } };
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

/// Installs the signal handlers (once per process), and gives this thread an execution state and an alternate signal stack. Workers do it
/// themselves; other threads (batch runs, tests) may call it early, and otherwise [`super::guard::guarded_call`] does it.
#[inline(never)]
pub fn prepare_thread() {
    OWN.with(|own| {
        if own.state.get().is_null() {
            crate::keys::prepare_thread();
            let state = ExecState::new();
            if let Some((limit, guard_bytes)) = crate::stack::of_this_thread() {
                state.stack_limit.set(limit);
                state.stack_guard_bytes.set(guard_bytes);
            }
            own.state.set(Box::into_raw(Box::new(state)));
            own.stack.set(signals::install_alternate_stack());
            put_in_force(own.state.get());
        }
    });
}

/// Puts the state of a task in force, or the thread's own again. Called only by workers, around a resume.
#[inline(never)]
pub(crate) fn run_as(task: Option<&ExecState>) {
    let state = match task {
        Some(state) => {
            system_calls::refuse_if_wanted();
            state as *const ExecState
        }
        None => OWN.with(|own| own.state.get() as *const ExecState),
    };
    put_in_force(state);
}

/// True if this thread can run a program in user key: there are keys, and it runs on a task's stack, which has the user key.
pub fn can_enter_user_key() -> bool {
    crate::keys::is_available() && state().has_task_stack.get()
}
