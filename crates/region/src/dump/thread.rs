//! The thread that writes dumps. A task that asks for one copies what is to be dumped and is then suspended until the file is written, so
//! that other tasks run meanwhile: QR is held no longer than the copy takes.
//!
//! Invariants: one job runs at a time, in the order of the requests; a job that has been taken over is finished before the region ends; a
//! panic of a job is an error of its caller and does not end the thread.

use crate::Task;
use kernel::Wait;
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

type Job = Box<dyn FnOnce() + Send>;

/// SUSPENDTYPE of a task whose dump is being written.
const WAIT_TYPE: &str = "DMWTQUEU";

#[derive(Default)]
pub struct DumpThread {
    running: Mutex<Option<(Sender<Job>, JoinHandle<()>)>>,
}

impl DumpThread {
    /// Runs the work on the thread while the task is suspended; nothing ends the wait but the end of the work. `None`: the work panicked.
    pub fn run<R: Send + 'static>(&self, task: &Task, work: impl FnOnce() -> R + Send + 'static) -> Option<R> {
        let result = Arc::new(Mutex::new(None));
        let (given, waker) = (result.clone(), task.kernel.waker());
        let job: Job = Box::new(move || {
            let done = catch_unwind(AssertUnwindSafe(work)).ok();
            *given.lock() = done;
            waker.resume();
        });
        self.submit(job);
        task.kernel.suspend(&Wait::new(WAIT_TYPE).protected());
        result.lock().take()
    }

    fn submit(&self, job: Job) {
        let mut running = self.running.lock();
        if running.is_none() {
            let (sender, jobs) = channel::<Job>();
            let started = std::thread::Builder::new().name("dump".to_string()).spawn(move || jobs.iter().for_each(|job| job()));
            match started {
                Ok(handle) => *running = Some((sender, handle)),
                Err(error) => {
                    tracing::warn!(target: "region::dump", %error, "there is no thread for dumps: the task writes its own");
                    drop(running);
                    return job();
                }
            }
        }
        let (sender, _) = running.as_ref().expect("it runs");
        if let Err(unsent) = sender.send(job) {
            drop(running);
            (unsent.0)();
        }
    }

    /// Waits for the jobs there are. Later ones start a thread anew.
    pub fn finish(&self) {
        if let Some((sender, handle)) = self.running.lock().take() {
            drop(sender);
            let _ = handle.join();
        }
    }
}
