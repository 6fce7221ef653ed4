//! A mutex whose guards are counted in the execution state, so that a suspend or a diverted trap while a guard is alive is detected. The
//! locks of the region are of this type.
//!
//! Invariant: a guard is dropped on the stack (task or thread) that took it; it is not `Send`, and a task may not suspend while it holds
//! one.

use crate::traps::{ExecState, state};
use std::ops::{Deref, DerefMut};

#[derive(Default, Debug)]
pub struct Mutex<T>(parking_lot::Mutex<T>);

pub struct MutexGuard<'a, T> {
    guard: parking_lot::MutexGuard<'a, T>,
    held: Held<'a>,
}

/// One count in the execution state of the holder.
struct Held<'a>(&'a ExecState);

impl<'a> Held<'a> {
    fn new() -> Held<'a> {
        let state = state();
        state.locks.set(state.locks.get() + 1);
        Held(state)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.locks.set(self.0.locks.get().saturating_sub(1));
    }
}

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Mutex<T> {
        Mutex(parking_lot::Mutex::new(value))
    }

    pub fn lock(&self) -> MutexGuard<'_, T> {
        let held = Held::new();
        MutexGuard { guard: self.0.lock(), held }
    }

    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let guard = self.0.try_lock()?;
        Some(MutexGuard { guard, held: Held::new() })
    }

    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        debug_assert!(self.held.0.is_in_force() && self.held.0.locks.get() > 0, "a guard is dropped where it was taken");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_are_counted() {
        let mutex = Mutex::new(1);
        let before = state().locks.get();
        {
            let mut guard = mutex.lock();
            *guard += 1;
            assert_eq!(state().locks.get(), before + 1);
            assert!(mutex.try_lock().is_none());
        }
        assert_eq!(state().locks.get(), before);
        assert_eq!(mutex.into_inner(), 2);
    }
}
