//! The task that runs the current code.
//!
//! Invariants that make the `unsafe` here sound: the owner of a task's execution state is the task, and is set before the task first runs;
//! the state is in force only while a worker runs the task, and the worker holds a reference to the task all that time. Tasks exist only
//! behind a [`TaskRef`].
//!
//! `tests/stress.rs` covers this: its tasks ask for the current task on every thread they run on.

use super::core::{Task, TaskRef};
use crate::traps::state_pointer;
use std::sync::Arc;

fn owner() -> *const Task {
    let state = state_pointer();
    if state.is_null() { std::ptr::null() } else { unsafe { (*state).owner.get().cast() } }
}

/// The task this code runs in, if any.
pub fn current() -> Option<TaskRef> {
    let task = owner();
    if task.is_null() {
        return None;
    }
    // Counts one reference more than the worker's.
    unsafe { Arc::increment_strong_count(task) };
    Some(TaskRef(unsafe { Arc::from_raw(task) }))
}

/// Calls `work` with the task this code runs in, without counting a reference. `work` may suspend.
pub fn with_current<R>(work: impl FnOnce(&Task) -> R) -> Option<R> {
    let task = owner();
    // The reference outlives a suspend because the task cannot end while its own code is running.
    if task.is_null() { None } else { Some(work(unsafe { &*task })) }
}
