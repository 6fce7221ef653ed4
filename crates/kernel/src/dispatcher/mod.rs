//! The dispatcher: tasks, TCB modes, waits, timers. This file is its public interface: start, attach, limits, timers, inquiry, stop.
//!
//! The modules, from the bottom: `ready` (queues and tokens), `admission` (classes and MXT), `pools` (open TCBs), `timer`, `coroutine`,
//! `blocking`, `idle_work`, `worker_slot` and `request` know a task only by its control block. `core` holds the types that refer to each
//! other. Their operations are above it: `attach`, `queues`, `waits`, `in_place`, `wake`, `purge`, `change_mode`, `worker`, `monitor`, `service`,
//! `figures`, `current`.
//!
//! Invariants: threads of the dispatcher end only after [`Dispatcher::stop`]; a setting changed at run time (MXT, classes, pools, ageing)
//! also takes effect for tasks already queued where CICS says so.

mod admission;
mod attach;
mod blocking;
mod change_mode;
mod core;
mod coroutine;
mod current;
mod figures;
mod idle_work;
mod in_place;
#[cfg(test)]
mod model;
mod monitor;
mod pools;
mod purge;
mod queues;
mod ready;
mod request;
mod service;
mod timer;
mod waits;
mod wake;
mod worker;
mod worker_slot;

use self::core::{Action, Core, HALTED, REFUSING};
use crate::clock::duration_to_ticks;
use crate::inquire::{RunState, TaskId, TaskInfo};
use crate::mode::Pool;
use crate::name::Name8;
use crate::wait::{Purge, Resumed};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

pub use self::attach::AttachRequest;
pub use self::core::{Task, TaskRef, Waker};
pub use self::coroutine::Code;
pub use self::current::{current, with_current};
pub use self::idle_work::IdleWork;
pub use self::request::{AttachError, ClassDefinition, Config, Stop, TimerId};
pub use self::service::ServiceTcb;
pub use self::wake::Ecb;

/// The dispatcher of a region. Clones share it.
#[derive(Clone)]
pub struct Dispatcher(Arc<Core>);

impl std::fmt::Debug for Dispatcher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Dispatcher({} tasks)", self.0.tasks_current.load(Ordering::Relaxed))
    }
}

impl Dispatcher {
    /// Starts workers, timer and monitor. Storage with keys must have been started before.
    pub fn start(config: Config) -> std::io::Result<Dispatcher> {
        let core = Core::new(config);
        let dispatcher = Dispatcher(core.clone());
        let aging = core.config.lock().priority_aging;
        dispatcher.set_priority_aging(aging);
        if let Err(error) = dispatcher.start_threads() {
            core.halt();
            return Err(error);
        }
        Ok(dispatcher)
    }

    fn start_threads(&self) -> std::io::Result<()> {
        let core = self.0.clone();
        let timers = core.timers.clone();
        let timer = std::thread::Builder::new().name("timer".into()).spawn(move || timers.run(perform))?;
        core.threads.lock().push(timer);
        for index in 0..core.base_workers {
            core.start_worker(index, false)?;
        }
        let monitored = core.clone();
        let monitor = std::thread::Builder::new().name("monitor".into()).spawn(move || monitored.run_monitor())?;
        core.threads.lock().push(monitor);
        Ok(())
    }

    /// Sets the work that idle workers do for tasks that are suspended. Called once, before such a task is attached.
    pub fn set_idle_work(&self, work: Box<dyn IdleWork>) {
        let is_first = self.0.idle_work.set(work).is_ok();
        assert!(is_first, "a dispatcher has one kind of idle work");
    }

    /// Creates a task. It starts under QR as soon as class and MXT admit it.
    pub fn attach(&self, request: AttachRequest) -> Result<TaskRef, AttachError> {
        self.0.attach(request)
    }

    /// A task that has not ended.
    pub fn task(&self, id: TaskId) -> Option<TaskRef> {
        self.0.task(id)
    }

    pub fn task_by_number(&self, number: u32) -> Option<TaskRef> {
        self.task(TaskId(number as u64)).or_else(|| self.0.all_tasks().into_iter().find(|task| task.number() == number))
    }

    /// All tasks that have not ended, by identifier.
    pub fn tasks(&self) -> Vec<TaskInfo> {
        let mut tasks: Vec<_> = self.0.all_tasks().iter().map(|task| task.info()).collect();
        tasks.retain(|task| task.state != RunState::Ended);
        tasks.sort_by_key(|task| task.id);
        tasks
    }

    /// Tasks that have not ended, for the owner's own walk.
    pub fn task_references(&self) -> Vec<TaskRef> {
        self.0.all_tasks()
    }

    /// The present settings.
    pub fn config(&self) -> Config {
        self.0.config.lock().clone()
    }

    /// MXT
    pub fn set_max_tasks(&self, limit: u32) {
        self.0.config.lock().max_tasks = limit;
        self.0.admissions.set_max_tasks(limit).into_iter().for_each(|task| self.0.make_ready(task));
    }

    /// PRTYAGE
    pub fn set_priority_aging(&self, aging: Duration) {
        self.0.config.lock().priority_aging = aging;
        let aging_ticks = duration_to_ticks(aging);
        self.0.tokens.iter().for_each(|token| token.queue().set_aging(aging_ticks));
        self.0.open.iter().for_each(|queue| queue.set_aging(aging_ticks));
    }

    /// ICVR
    pub fn runaway(&self) -> Duration {
        Duration::from_nanos(self.0.runaway_ns.load(Ordering::Relaxed))
    }

    /// MXT
    pub fn max_tasks(&self) -> u32 {
        self.0.config.lock().max_tasks
    }

    /// The number of the dispatch in which a task runs, and the processor time that the thread of its worker has used in its life; `None`
    /// while the task does not run.
    pub fn running(&self, task: &TaskRef) -> Option<(u64, Duration)> {
        self.0.running(task)
    }

    /// User tasks that have passed MXT, and MXT.
    pub fn active_and_max_tasks(&self) -> (u32, u32) {
        self.0.admissions.active_and_max_tasks()
    }

    /// Active tasks of a class, and its limit; `None` if it is not defined.
    pub fn active_and_limit_of_class(&self, name: Name8) -> Option<(u32, u32)> {
        self.0.admissions.active_and_limit_of_class(name)
    }

    /// MXT is reached: a task attached now is queued.
    pub fn is_at_max_tasks(&self) -> bool {
        self.0.admissions.is_at_max_tasks()
    }

    /// ICVR, for tasks attached from now on.
    pub fn set_runaway(&self, limit: Duration) {
        self.0.config.lock().runaway = limit;
        self.0.runaway_ns.store(limit.as_nanos() as u64, Ordering::Relaxed);
    }

    /// ICV, for sleeps that begin from now on.
    pub fn set_icv(&self, interval: Duration) {
        self.0.config.lock().icv = interval;
        self.0.icv_ns.store(interval.as_nanos() as u64, Ordering::Relaxed);
    }

    /// ICVTSD: how long output that no task waits for may wait.
    pub fn set_terminal_scan_delay(&self, delay: Duration) {
        self.0.config.lock().terminal_scan_delay = delay;
    }

    pub fn terminal_scan_delay(&self) -> Duration {
        self.0.config.lock().terminal_scan_delay
    }

    /// MROBTCH, kept for inquiry.
    pub fn set_mro_batch(&self, events: u32) {
        self.0.config.lock().mro_batch = events;
    }

    pub fn set_pool_limit(&self, pool: Pool, limit: u32) {
        self.0.config.lock().pool_limits[pool as usize] = limit;
        self.0.pools.set_limit(pool, limit);
    }

    /// Runs the excess TCB scan now; returns how many were detached.
    pub fn scan_excess_tcbs(&self) -> u32 {
        self.0.pools.scan_excess()
    }

    /// Defines a class or changes its limits.
    pub fn define_class(&self, class: ClassDefinition) {
        self.0.admissions.define_class(class).into_iter().for_each(|task| self.0.make_ready(task));
    }

    /// False while tasks are active or queued in it, or if it is not defined.
    pub fn discard_class(&self, name: Name8) -> bool {
        self.0.admissions.discard_class(name)
    }

    /// Calls `action` on the timer thread after `delay`; it must not block.
    pub fn after(&self, delay: Duration, action: impl FnOnce() + Send + 'static) -> TimerId {
        TimerId(self.0.timers.insert(delay, Action::Call(Box::new(action))))
    }

    /// False if it has run or was cancelled.
    pub fn cancel(&self, timer: TimerId) -> bool {
        self.0.timers.cancel(timer.0)
    }

    /// Runs `work` on a blocking thread, outside any task.
    pub fn spawn_blocking(&self, work: impl FnOnce() + Send + 'static) {
        self.0.blocking.submit(Box::new(move || {
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err() {
                tracing::error!("blocking work panicked");
            }
        }));
    }

    /// Stops the dispatcher and its threads; true if no task was abandoned. Must not be called by a task.
    pub fn stop(&self, stop: Stop) -> bool {
        debug_assert!(current().is_none(), "a task cannot stop its own dispatcher");
        let core = &self.0;
        core.phase.fetch_max(REFUSING, Ordering::SeqCst);
        let none_left = |core: &Core| core.tasks_current.load(Ordering::SeqCst) == 0;
        let timeout = match stop {
            Stop::Quiesce(timeout) => {
                core.wait_for_end(timeout, || core.all_tasks().iter().all(|task| task.is_system()));
                Duration::from_secs(2)
            }
            Stop::Immediate(timeout) => timeout,
        };
        let deadline = Instant::now() + timeout;
        loop {
            for task in core.all_tasks() {
                task.purge(Purge::ForcePurge);
            }
            // A task may shrug off one purge; it gets another every so often.
            let pause = Duration::from_millis(50).min(deadline.saturating_duration_since(Instant::now()));
            if core.wait_for_end(pause, || none_left(core)) || Instant::now() >= deadline {
                break;
            }
        }
        core.halt();
        let threads = std::mem::take(&mut *core.threads.lock());
        let finished = none_left(core);
        for thread in threads {
            // A worker stuck in an abandoned task is left running.
            if finished || thread.is_finished() {
                let _ = thread.join();
            }
        }
        finished
    }

    /// Tasks queued at a bound (not started).
    pub fn queued(&self) -> Vec<TaskRef> {
        self.0.admissions.queued_tasks()
    }
}

impl Task {
    pub fn dispatcher(&self) -> Dispatcher {
        Dispatcher(self.core.clone())
    }
}

impl Core {
    fn halt(&self) {
        {
            let _monitor = self.monitor.lock();
            self.phase.store(HALTED, Ordering::SeqCst);
            self.monitor_changed.notify_all();
        }
        self.timers.stop();
        self.blocking.stop();
        self.wake_all_workers();
    }
}

/// Performs an action of the timer thread when it is due.
fn perform(action: Action) {
    match action {
        Action::Wake(waker) => {
            waker.task.fire(waker.sequence, Resumed::TimedOut);
        }
        Action::Call(call) => {
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err() {
                tracing::error!("a timer action panicked");
            }
        }
    }
}
