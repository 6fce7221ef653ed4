//! The stack switch: a task's code as a coroutine, resumed on any worker.
//!
//! Invariants that make the `unsafe` here sound:
//! * the cells of a [`Body`] are touched only by the worker that has dispatched the task (which took the task from a queue; a task is in at
//!   most one queue) or by the task's own code, which runs on that worker;
//! * a coroutine moves between threads only while it is suspended in [`Body::switch_off`], reached through the methods of
//!   [`crate::Task`]; code that suspends holds no lock guard (asserted) and no reference to a thread-local, and values of
//!   the code of tasks are `Send`;
//! * a suspended coroutine is never unwound or freed: program frames have no unwind tables. A task abandoned at an
//!   immediate stop is leaked with its stack.
//!
//! `tests/stress.rs` moves tasks between workers with assertions on; Miri cannot run the stack switch.

use crate::lock_order;
use crate::stack::{GUARD_BYTES, PooledStack, StackPool};
use crate::traps::ExecState;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use parking_lot::Mutex;
use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The code of a task.
pub trait Code<T>: Send + Sync {
    /// The task's own work, started under QR; called at most once.
    fn run(&self, task: &T);

    /// After the end of the task, off the task, on a worker; it must not block. Also called for a task purged before it started
    /// ([`crate::TaskTimes::dispatches`] is then 0), but not when the attach itself fails.
    fn ended(&self, _task: &T) {}
}

/// A closure as code that does nothing at its end.
pub(super) struct Once<F>(Mutex<Option<F>>);

impl<F> Once<F> {
    pub fn new(closure: F) -> Once<F> {
        Once(Mutex::new(Some(closure)))
    }
}

impl<T, F: FnOnce(&T) + Send> Code<T> for Once<F> {
    fn run(&self, task: &T) {
        let closure = self.0.lock().take();
        if let Some(closure) = closure {
            closure(task);
        }
    }
}

/// Why a task gave up its worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SwitchOff {
    /// To wait for its waker.
    Wait,
    /// To wait for the single TCB mode it is set to.
    Mode,
    /// To let others run.
    Relinquish,
}

/// How a resume came back.
pub(super) enum Switched {
    Off(SwitchOff),
    /// The entry returned, or panicked with this payload.
    Ended(Option<Box<dyn Any + Send>>),
}

type TaskCoroutine = Coroutine<(), SwitchOff, Option<Box<dyn Any + Send>>, PooledStack>;

pub(super) struct Body<T> {
    code: UnsafeCell<Option<Arc<dyn Code<T>>>>,
    coroutine: UnsafeCell<Option<TaskCoroutine>>,
    yielder: Cell<*const Yielder<(), SwitchOff>>,
}

// See the first two invariants.
unsafe impl<T> Send for Body<T> {}
unsafe impl<T> Sync for Body<T> {}

impl<T: 'static> Body<T> {
    pub fn new(code: Arc<dyn Code<T>>) -> Body<T> {
        Body { code: UnsafeCell::new(Some(code)), coroutine: UnsafeCell::new(None), yielder: Cell::new(std::ptr::null()) }
    }

    /// Worker, before the first resume: gives a stack to the task with this body and state.
    pub fn prepare(&self, task: &Arc<T>, state: &ExecState, stacks: &Arc<StackPool>) -> io::Result<()> {
        assert!(unsafe { (*self.coroutine.get()).is_none() }, "a task is prepared once");
        let stack = stacks.take()?;
        state.has_task_stack.set(true);
        state.stack_limit.set(stack.limit_address());
        state.stack_guard_bytes.set(GUARD_BYTES);
        let code = unsafe { (*self.code.get()).clone() }.expect("a task has its code until it ends");
        let task = Arc::as_ptr(task);
        state.owner.set(task.cast());
        let own_yielder = &raw const self.yielder;
        let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<(), SwitchOff>, ()| {
            // The worker holds a reference to the task, of which this body is a part, during every resume.
            let task = unsafe {
                (*own_yielder).set(yielder);
                &*task
            };
            catch_unwind(AssertUnwindSafe(|| code.run(task))).err()
        });
        unsafe { *self.coroutine.get() = Some(coroutine) };
        Ok(())
    }

    /// Worker: runs the task until it switches off or ends; at the end its stack returns to the pool.
    pub fn resume(&self, state: &ExecState) -> Switched {
        let coroutine = unsafe { (*self.coroutine.get()).as_mut() }.expect("a task is prepared before it is resumed");
        match coroutine.resume(()) {
            CoroutineResult::Yield(off) => Switched::Off(off),
            CoroutineResult::Return(panic) => {
                let stack = unsafe { (*self.coroutine.get()).take() }.map(Coroutine::into_stack);
                if state.reserve_opened.get()
                    && let Some(stack) = stack
                {
                    stack.close_reserve();
                }
                Switched::Ended(panic)
            }
        }
    }

    /// Own task: gives up the worker; returns when the task is dispatched again, perhaps on another thread.
    #[inline(never)]
    pub fn switch_off(&self, off: SwitchOff) {
        lock_order::none_held();
        unsafe { (*self.yielder.get()).suspend(off) };
    }

    /// Own task: runs `work` on the worker's stack.
    pub fn on_thread_stack<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        unsafe { (*self.yielder.get()).on_parent_stack(work) }
    }

    /// Takes the code of a task that has ended or will never run.
    pub fn take_code(&self) -> Option<Arc<dyn Code<T>>> {
        unsafe { (*self.code.get()).take() }
    }
}

impl<T> Drop for Body<T> {
    fn drop(&mut self) {
        if let Some(coroutine) = self.coroutine.get_mut().take() {
            std::mem::forget(coroutine);
        }
    }
}

/// Runs work that borrows from the caller's frame on another thread, which must finish it before the caller's frame continues.
///
/// # Safety
/// The caller must not return, unwind or be abandoned before the returned closure has run or been dropped.
pub(super) unsafe fn erase_lifetime<'a>(work: Box<dyn FnOnce() + Send + 'a>) -> Box<dyn FnOnce() + Send + 'static> {
    unsafe { std::mem::transmute(work) }
}
