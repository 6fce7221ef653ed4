//! Work that suspended tasks leave to idle workers.

mod dispatcher_support;

use dispatcher_support::{LONG, stop};
use kernel::{AttachRequest, Config, Dispatcher, Ecb, IdleWork, Wait};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Wake, Waker};
use testing::eventually;

#[derive(Default)]
struct Posted(Ecb);

impl Wake for Posted {
    fn wake(self: Arc<Self>) {
        self.0.post(0);
    }
}

/// A log without a disk: its waiters, and which thread did the work.
#[derive(Default)]
struct Log {
    offered: AtomicBool,
    waiting: Mutex<Vec<Waker>>,
    runs: AtomicU32,
    left: AtomicU32,
    /// A run lasts until this is set.
    may_end: AtomicBool,
    threads: Mutex<Vec<String>>,
}

struct Shared(Arc<Log>);

impl IdleWork for Shared {
    fn is_offered(&self) -> bool {
        self.0.offered.load(Ordering::SeqCst)
    }

    fn run(&self) -> Vec<Waker> {
        if !self.0.offered.swap(false, Ordering::SeqCst) {
            return Vec::new();
        }
        let thread = std::thread::current().name().unwrap_or_default().to_string();
        self.0.threads.lock().unwrap().push(thread);
        self.0.runs.fetch_add(1, Ordering::SeqCst);
        eventually("the run may end", || self.0.may_end.load(Ordering::SeqCst));
        std::mem::take(&mut *self.0.waiting.lock().unwrap())
    }

    fn leave(&self) {
        if self.0.offered.swap(false, Ordering::SeqCst) {
            self.0.left.fetch_add(1, Ordering::SeqCst);
            let waiting = std::mem::take(&mut *self.0.waiting.lock().unwrap());
            std::thread::spawn(move || waiting.into_iter().for_each(Waker::wake));
        }
    }
}

fn start_with(workers: usize) -> (Dispatcher, Arc<Log>) {
    let config = Config { workers, spare_workers: 0, ..Config::default() };
    let (dispatcher, log) = (Dispatcher::start(config).unwrap(), Arc::new(Log::default()));
    dispatcher.set_idle_work(Box::new(Shared(log.clone())));
    (dispatcher, log)
}

/// A task that waits for the log once.
fn committing(log: &Arc<Log>) -> AttachRequest {
    let log = log.clone();
    AttachRequest::new("COMM", move |task| {
        let posted = Arc::new(Posted::default());
        log.waiting.lock().unwrap().push(Waker::from(posted.clone()));
        log.offered.store(true, Ordering::SeqCst);
        task.wait_ecb(&posted.0, &Wait::new("LGFREVER"));
    })
}

#[test]
fn an_idle_worker_does_the_work_while_others_run_what_becomes_ready() {
    let (dispatcher, log) = start_with(2);
    // Both workers sleep.
    std::thread::sleep(std::time::Duration::from_millis(20));
    let committing = dispatcher.attach(committing(&log)).unwrap();
    eventually("a worker does it", || log.runs.load(Ordering::SeqCst) == 1);
    let other = dispatcher.attach(AttachRequest::new("OTHR", |_| ())).unwrap();
    assert!(other.join(LONG), "nobody runs other tasks during the work");
    log.may_end.store(true, Ordering::SeqCst);
    assert!(committing.join(LONG));
    assert_eq!(log.left.load(Ordering::SeqCst), 0);
    let threads = log.threads.lock().unwrap().clone();
    assert!(threads.len() == 1 && threads[0].starts_with("worker-"), "{threads:?}");
    stop(dispatcher);
}

#[test]
fn a_worker_that_is_alone_leaves_the_work() {
    let (dispatcher, log) = start_with(1);
    let task = dispatcher.attach(committing(&log)).unwrap();
    assert!(task.join(LONG));
    assert_eq!((log.runs.load(Ordering::SeqCst), log.left.load(Ordering::SeqCst)), (0, 1));
    stop(dispatcher);
}

#[test]
fn while_all_other_workers_run_tasks_the_work_is_left() {
    let (dispatcher, log) = start_with(2);
    let (inside, busy) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(true)));
    let (is_inside, is_busy) = (inside.clone(), busy.clone());
    let busy_task = AttachRequest::new("BUSY", move |task| {
        task.change_mode(kernel::Mode::L8).unwrap();
        is_inside.store(true, Ordering::SeqCst);
        eventually("told to end", || !is_busy.load(Ordering::SeqCst));
    });
    let busy_task = dispatcher.attach(busy_task).unwrap();
    eventually("the task is under L8", || inside.load(Ordering::SeqCst));
    let committing = dispatcher.attach(committing(&log)).unwrap();
    assert!(committing.join(LONG), "nobody did the work");
    assert_eq!((log.runs.load(Ordering::SeqCst), log.left.load(Ordering::SeqCst)), (0, 1));
    busy.store(false, Ordering::SeqCst);
    assert!(busy_task.join(LONG));
    stop(dispatcher);
}
