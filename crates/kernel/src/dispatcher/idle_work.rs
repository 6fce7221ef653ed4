//! Work that blocks a thread for a moment, and that tasks leave behind when they are suspended: a worker that has nothing to
//! run does it at once, instead of another thread that would have to be woken first.
//!
//! Invariants: a task offers work only while a worker runs it, so that worker sees the offer before it runs another task or
//! sleeps; it does the work only while another worker is free for what becomes ready meanwhile, and does not count as
//! searching then.

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
