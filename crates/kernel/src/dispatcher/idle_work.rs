//! Short blocking work that a task leaves behind when it is suspended. A worker with nothing to run does it at once, so that no other
//! thread has to be woken for it.
//!
//! Invariants: a task offers work only while a worker runs it, so that worker sees the offer before it runs another task or sleeps. A
//! worker does such work only while another worker is free for tasks that become ready meanwhile, and does not count as searching while it
//! does.

use std::task::Waker;

/// Work that the owner of a dispatcher lets idle workers do: see `Dispatcher::set_idle_work`.
pub trait IdleWork: Send + Sync {
    /// True if there is work. Called after every dispatch.
    fn is_offered(&self) -> bool;

    /// Does it, blocking the thread; answers whom to wake.
    fn run(&self) -> Vec<Waker>;

    /// The worker has tasks to run, so another thread must do the work.
    fn leave(&self);
}
