//! Threads for blocking work, so that no worker blocks.
//!
//! Invariants: a submitted job runs exactly once; a thread is started only when none is idle and the limit allows it, and ends after some
//! time without work. Jobs catch their own panics.

use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

pub(super) type Job = Box<dyn FnOnce() + Send>;

const IDLE_MAX: Duration = Duration::from_secs(30);

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
    stopping: bool,
}

pub(super) struct BlockingPool {
    state: Mutex<State>,
    changed: Condvar,
    threads_max: usize,
}

impl BlockingPool {
    pub fn new(threads_max: usize) -> Arc<BlockingPool> {
        Arc::new(BlockingPool { state: Mutex::default(), changed: Condvar::new(), threads_max: threads_max.max(1) })
    }

    pub fn submit(self: &Arc<BlockingPool>, job: Job) {
        let mut state = self.state.lock();
        state.jobs.push_back(job);
        if state.idle >= state.jobs.len() {
            self.changed.notify_one();
        } else if state.threads < self.threads_max {
            state.threads += 1;
            drop(state);
            self.start_thread();
        }
    }

    fn start_thread(self: &Arc<BlockingPool>) {
        let pool = self.clone();
        let started = std::thread::Builder::new().name("blocking".into()).spawn(move || pool.run());
        if started.is_err() {
            // The jobs wait for another thread; if there is none at all, the caller does the work.
            let mut state = self.state.lock();
            state.threads -= 1;
            let jobs = if state.threads == 0 { std::mem::take(&mut state.jobs) } else { VecDeque::new() };
            drop(state);
            jobs.into_iter().for_each(|job| job());
        }
    }

    fn run(&self) {
        crate::traps::prepare_thread();
        let mut state = self.state.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                drop(state);
                job();
                state = self.state.lock();
                continue;
            }
            if state.stopping {
                break;
            }
            state.idle += 1;
            let timed_out = self.changed.wait_for(&mut state, IDLE_MAX).timed_out();
            state.idle -= 1;
            debug_assert!(state.idle < state.threads && state.threads <= self.threads_max);
            if timed_out && state.jobs.is_empty() {
                break;
            }
        }
        state.threads -= 1;
    }

    pub fn stop(&self) {
        self.state.lock().stopping = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_job_runs_once_within_the_limit() {
        let pool = BlockingPool::new(3);
        let done = Arc::new(AtomicUsize::new(0));
        for _ in 0..50 {
            let done = done.clone();
            pool.submit(Box::new(move || {
                done.fetch_add(1, Ordering::SeqCst);
            }));
        }
        testing::eventually("all jobs are done", || done.load(Ordering::SeqCst) == 50);
        assert!(pool.state.lock().threads <= 3);
        pool.stop();
    }
}
