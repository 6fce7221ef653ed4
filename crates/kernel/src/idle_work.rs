//! Work that blocks a thread for a moment, and that tasks leave behind when they are suspended: a worker that has nothing to
//! run does it at once, instead of another thread that would have to be woken first.
//!
//! Invariants: a task offers work only while a worker runs it, so that worker sees the offer before it runs another task or
//! sleeps; it does the work only while another worker is free for what becomes ready meanwhile, and does not count as
//! searching then.

use crate::accounting::reset_cpu_base;
use crate::clock::ticks;
use crate::core::Core;
use std::sync::atomic::Ordering;
use std::task::Waker;

/// What the owner of a dispatcher lets idle workers do: see `Dispatcher::set_idle_work`.
pub trait IdleWork: Send + Sync {
    /// There is some. Asked after every dispatch.
    fn is_offered(&self) -> bool;

    /// Does it, blocking the thread; answers whom to wake.
    fn run(&self) -> Vec<Waker>;

    /// The worker has something else to do: another thread must.
    fn leave(&self);
}

impl Core {
    /// Called by a worker that counts as searching. True if it did work for waiting tasks and should look for tasks again.
    #[inline]
    pub(crate) fn serve_idle_work(&self, has_task: bool) -> bool {
        match self.idle_work.get() {
            Some(work) if work.is_offered() => self.run_or_leave(work.as_ref(), has_task),
            _ => false,
        }
    }

    #[cold]
    fn run_or_leave(&self, work: &dyn IdleWork, has_task: bool) -> bool {
        let others_free = self.idle.load(Ordering::SeqCst) != 0 || self.searching.load(Ordering::SeqCst) > 1;
        if has_task || !others_free {
            work.leave();
            return false;
        }
        self.stop_searching();
        let woken = work.run();
        self.searching.fetch_add(1, Ordering::SeqCst);
        reset_cpu_base(ticks());
        woken.into_iter().for_each(Waker::wake);
        true
    }
}
