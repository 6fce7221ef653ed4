//! The dispatcher: attach, limits, timers, inquiry, stop.
//!
//! Invariants: a task that is attached ends exactly once, is found by its identifier until then, and is in one place at a time: a gate's
//! queue, a ready queue, a worker, or asleep behind its wait word. A task starts under QR. Threads of the dispatcher end only after
//! [`Dispatcher::stop`].

use crate::blocking::{BlockingPool, Job};
use crate::clock::{duration_to_ticks, ticks, ticks_to_duration, ticks_to_wall};
use crate::coroutine::Entry;
use crate::gate::{Admission, Gates};
use crate::inquire::{DispatcherStatistics, ModeStatistics, RunState, TaskInfo};
use crate::mode::{MODE_COUNT, Mode, POOL_COUNT, Pool, SINGLE_MODE_COUNT};
use crate::name::{Name, Name8};
use crate::pools::Pools;
use crate::ready::{ReadyQueue, Token};
use crate::stack::StackPool;
use crate::task::{Task, TaskId, TaskRef};
use crate::timer::{Action, Timers};
use crate::wait::{Purge, Resumed, Wait, Waker};
use crate::worker::{WORKERS_MAX, WorkerSlot};
use parking_lot::{Condvar, Mutex};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How to start a dispatcher. The default has the defaults of the system initialisation parameters.
#[derive(Clone, Debug)]
pub struct Config {
    /// Worker threads; 0: one for each processor. At most 64 with the spare ones.
    pub workers: usize,
    /// Additional workers the monitor may start while all are busy for long and work waits.
    pub spare_workers: usize,
    pub stack_bytes: usize,
    /// MXT
    pub max_tasks: u32,
    /// PRTYAGE; zero: no ageing.
    pub priority_aging: Duration,
    /// ICVR; zero: no limit.
    pub runaway: Duration,
    /// ICV, for inquiry only: idle workers sleep until there is work.
    pub icv: Duration,
    /// MROBTCH, for inquiry only.
    pub mro_batch: u32,
    /// MAXOPENTCBS, MAXSSLTCBS, MAXXPTCBS and the T8 limit, in the order of [`Pool::ALL`].
    pub pool_limits: [u32; POOL_COUNT],
    /// SCANDELAY: interval of the excess TCB scan; zero: none.
    pub scan_delay: Duration,
    /// Threads for [`Task::run_blocking`].
    pub blocking_threads: usize,
}

impl Default for Config {
    fn default() -> Config {
        let max_tasks = 500;
        Config {
            workers: 0,
            spare_workers: 8,
            stack_bytes: 256 * 1024,
            max_tasks,
            priority_aging: Duration::from_millis(1000),
            runaway: Duration::from_millis(5000),
            icv: Duration::from_millis(1000),
            mro_batch: 1,
            // The open and XP limits follow MXT as CICS sets them when they are not given: 2 x MXT + 32, and MXT.
            pool_limits: [2 * max_tasks + 32, 32, max_tasks, 2000],
            scan_delay: Duration::from_secs(30 * 60),
            blocking_threads: 32,
        }
    }
}

/// A task to be attached.
pub struct AttachRequest {
    pub transaction: Name<4>,
    /// Transaction class; blank: none.
    pub class: Name8,
    pub priority: u8,
    /// A system task is counted by neither MXT nor class.
    pub system: bool,
    /// SPURGE
    pub purgeable: bool,
    /// RUNAWAY; None: the region's ICVR; zero: no limit.
    pub runaway: Option<Duration>,
    /// First value of [`Task::user_data`].
    pub user_data: *mut (),
    /// The code of the task, started under QR.
    pub entry: Entry,
    /// Called after the end of the task, off the task, on a worker; it must not block. Also called for a task purged before it
    /// started ([`crate::TaskTimes::dispatches`] is then 0), but not when the attach itself fails.
    pub on_end: Option<Entry>,
}

// `user_data` is only carried.
unsafe impl Send for AttachRequest {}

impl AttachRequest {
    pub fn new(transaction: &str, entry: impl FnOnce(&Task) + Send + 'static) -> AttachRequest {
        AttachRequest {
            transaction: Name::new(transaction),
            class: Name8::BLANK,
            priority: 1,
            system: false,
            purgeable: true,
            runaway: None,
            user_data: std::ptr::null_mut(),
            entry: Box::new(entry),
            on_end: None,
        }
    }

    pub fn class(mut self, class: Name8) -> AttachRequest {
        self.class = class;
        self
    }

    pub fn priority(mut self, priority: u8) -> AttachRequest {
        self.priority = priority;
        self
    }

    pub fn system(mut self) -> AttachRequest {
        self.system = true;
        self
    }

    pub fn runaway(mut self, limit: Duration) -> AttachRequest {
        self.runaway = Some(limit);
        self
    }

    pub fn purgeable(mut self, purgeable: bool) -> AttachRequest {
        self.purgeable = purgeable;
        self
    }

    pub fn on_end(mut self, on_end: impl FnOnce(&Task) + Send + 'static) -> AttachRequest {
        self.on_end = Some(Box::new(on_end));
        self
    }
}

/// Why an attach failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttachError {
    /// The queue of the class has reached its purge threshold (AKCC).
    ClassQueueFull,
    UnknownClass,
    /// User tasks are no longer accepted.
    Stopping,
}

/// A transaction class.
#[derive(Clone, Debug)]
pub struct ClassDefinition {
    pub name: Name8,
    /// MAXACTIVE
    pub active_max: u32,
    /// PURGETHRESH: the queue length at which attaches are refused; None or 0: no limit.
    pub purge_threshold: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimerId(pub(crate) u64);

/// How to stop. Afterwards the dispatcher accepts nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No new user tasks; waits for the present ones at most this long, then goes on as `Immediate`.
    Quiesce(Duration),
    /// Force-purges everything and waits at most this long; tasks left are abandoned.
    Immediate(Duration),
}

const REGISTRY_SHARDS: usize = 16;
const OPEN: u32 = 0;
const REFUSING: u32 = 1;
const HALTED: u32 = 2;

/// State shared by all threads of a dispatcher.
pub(crate) struct Core {
    pub workers: Box<[WorkerSlot]>,
    /// Idle workers, by bit.
    pub idle: AtomicU64,
    pub tokens: [Token; SINGLE_MODE_COUNT],
    /// Modes whose token somebody is queued for, by bit.
    pub wanted: AtomicU32,
    /// Ready tasks under open modes.
    pub ready: ReadyQueue,
    pub stacks: Arc<StackPool>,
    pub pools: Pools,
    pub base_workers: usize,
    pub spare_workers_max: usize,
    pub spares_started: AtomicU64,
    pub runaways: AtomicU64,
    pub scan_delay_ticks: AtomicU64,
    pub threads: Mutex<Vec<JoinHandle<()>>>,
    gates: Gates,
    timers: Arc<Timers>,
    blocking: Arc<BlockingPool>,
    registry: [Mutex<FxHashMap<u64, TaskRef>>; REGISTRY_SHARDS],
    next_id: AtomicU64,
    tasks_current: AtomicU32,
    tasks_peak: AtomicU32,
    runaway_ns: AtomicU64,
    config: Mutex<Config>,
    phase: AtomicU32,
    started_at: u64,
    ends: Mutex<()>,
    ended: Condvar,
    waiting_for_ends: AtomicU32,
    monitor: Mutex<()>,
    monitor_changed: Condvar,
    used_single_modes: [AtomicBool; SINGLE_MODE_COUNT],
    baseline: Mutex<[[u64; 3]; MODE_COUNT]>,
}

impl Core {
    pub(crate) fn is_halted(&self) -> bool {
        self.phase.load(Ordering::SeqCst) == HALTED
    }

    #[inline]
    pub(crate) fn try_take_token(&self, mode: Mode) -> bool {
        if mode != Mode::Qr {
            self.used_single_modes[mode as usize].store(true, Ordering::Relaxed);
        }
        self.tokens[mode as usize].try_take()
    }

    /// A running task leaves a single mode and goes on: if others want it, a worker must look.
    #[inline]
    pub(crate) fn release_token(&self, mode: Mode) {
        if self.tokens[mode as usize].release() {
            self.notify_worker();
        }
    }

    /// Own task: gets an open TCB of the mode, waiting if its pool is at the limit.
    pub(crate) fn open_tcb(&self, task: &Task, mode: Mode) -> Result<(), Purge> {
        if !self.pools.acquire_or_wait(mode, || task.waker()) {
            const NAMES: [&str; POOL_COUNT] = ["OPENPOOL", "SSLPOOL", "XPPOOL", "THRDPOOL"];
            let pool = mode.pool().expect("only pooled modes wait");
            let since = ticks();
            let reason = task.suspend(&Wait::new(NAMES[pool as usize]).named(mode.name().into()));
            task.account().pool_delay.add(ticks().saturating_sub(since));
            if let Resumed::Purged(purge) = reason {
                return Err(purge);
            }
        }
        let held = task.open_tcbs.fetch_or(1 << mode as u32, Ordering::Relaxed) | 1 << mode as u32;
        let peak = task.account().open_tcbs_peak.get().max(held.count_ones() as u64);
        task.account().open_tcbs_peak.set(peak);
        Ok(())
    }

    /// Gives one open TCB of the task back.
    pub(crate) fn close_tcb(&self, task: &Task, mode: Mode) {
        task.open_tcbs.fetch_and(!(1 << mode as u32), Ordering::Relaxed);
        self.pools.release(mode);
    }

    /// Gives all open TCBs of an ended task back.
    pub(crate) fn close_tcbs(&self, task: &Task) {
        let mut held = task.open_tcbs.swap(0, Ordering::Relaxed);
        while held != 0 {
            self.pools.release(Mode::ALL[held.trailing_zeros() as usize]);
            held &= held - 1;
        }
    }

    pub(crate) fn wake_after(&self, delay: Duration, waker: Waker) -> u64 {
        self.timers.insert(delay, Action::Wake(waker))
    }

    pub(crate) fn cancel_timer(&self, id: u64) -> bool {
        self.timers.cancel(id)
    }

    pub(crate) fn submit_blocking(&self, job: Job) {
        self.blocking.submit(job);
    }

    fn shard(&self, id: TaskId) -> &Mutex<FxHashMap<u64, TaskRef>> {
        &self.registry[id.0 as usize % REGISTRY_SHARDS]
    }

    pub(crate) fn task(&self, id: TaskId) -> Option<TaskRef> {
        self.shard(id).lock().get(&id.0).cloned()
    }

    fn all_tasks(&self) -> Vec<TaskRef> {
        self.registry.iter().flat_map(|shard| shard.lock().values().cloned().collect::<Vec<_>>()).collect()
    }

    fn attach(self: &Arc<Core>, request: AttachRequest) -> Result<TaskRef, AttachError> {
        if self.phase.load(Ordering::SeqCst) >= if request.system { HALTED } else { REFUSING } {
            return Err(AttachError::Stopping);
        }
        let runaway = request.runaway.unwrap_or(Duration::from_nanos(self.runaway_ns.load(Ordering::Relaxed)));
        let id = TaskId(self.next_id.fetch_add(1, Ordering::Relaxed));
        let task = TaskRef(Arc::new(Task::new(self.clone(), id, request, runaway)));
        self.shard(id).lock().insert(id.0, task.clone());
        let current = self.tasks_current.fetch_add(1, Ordering::SeqCst) + 1;
        if current > self.tasks_peak.load(Ordering::Relaxed) {
            self.tasks_peak.fetch_max(current, Ordering::Relaxed);
        }
        match self.gates.enter(&task) {
            Ok(Admission::Ready) => self.make_ready(task.clone()),
            Ok(Admission::Queued) => (),
            Err(error) => {
                task.body().abandon();
                self.forget(&task);
                task.set_ended();
                return Err(error);
            }
        }
        Ok(task)
    }

    fn forget(&self, task: &TaskRef) {
        self.shard(task.id()).lock().remove(&task.id().0);
        self.tasks_current.fetch_sub(1, Ordering::SeqCst);
    }

    /// The task has ended; `passed` if it had passed the gates.
    pub(crate) fn finish(&self, task: TaskRef, passed: bool) {
        if let Some(on_end) = task.take_on_end()
            && std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| on_end(&task))).is_err()
        {
            tracing::error!("the end routine of task {} panicked", task.number());
        }
        self.forget(&task);
        if passed {
            self.gates.leave(&task).into_iter().for_each(|ready| self.make_ready(ready));
        }
        task.set_ended();
        std::sync::atomic::fence(Ordering::SeqCst);
        if self.waiting_for_ends.load(Ordering::SeqCst) > 0 {
            drop(self.ends.lock());
            self.ended.notify_all();
        }
    }

    /// Drops a purged task that waits at a gate; false if it does not.
    pub(crate) fn purge_queued(&self, task: &Task) -> bool {
        if task.gate_key.load(Ordering::SeqCst) == 0 {
            return false;
        }
        let Some(task) = self.task(task.id()) else { return false };
        let Some(ready) = self.gates.remove(&task) else { return false };
        ready.into_iter().for_each(|ready| self.make_ready(ready));
        task.body().abandon();
        task.account().ended_at.set(ticks());
        self.finish(task, false);
        true
    }

    /// Waits for a condition that the end of some task brings about.
    fn wait_for_end(&self, timeout: Duration, mut is_reached: impl FnMut() -> bool) -> bool {
        let deadline = Instant::now() + timeout.min(Duration::from_secs(1 << 30));
        self.waiting_for_ends.fetch_add(1, Ordering::SeqCst);
        let mut guard = self.ends.lock();
        let mut reached = is_reached();
        while !reached && !self.ended.wait_until(&mut guard, deadline).timed_out() {
            reached = is_reached();
        }
        reached = reached || is_reached();
        drop(guard);
        self.waiting_for_ends.fetch_sub(1, Ordering::SeqCst);
        reached
    }

    pub(crate) fn join(&self, ended: &AtomicBool, timeout: Duration) -> bool {
        ended.load(Ordering::SeqCst) || self.wait_for_end(timeout, || ended.load(Ordering::SeqCst))
    }

    pub(crate) fn monitor_sleep(&self, time: Duration) {
        let mut guard = self.monitor.lock();
        if !self.is_halted() {
            self.monitor_changed.wait_for(&mut guard, time);
        }
    }

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

    /// Ticks and switches by mode of all tasks, ended and alive.
    fn mode_totals(&self) -> [[u64; 3]; MODE_COUNT] {
        let mut totals = [[0u64; 3]; MODE_COUNT];
        let mut add = |mode: usize, figure: usize, value: u64| totals[mode][figure] += value;
        for slot in &self.workers {
            for (mode, figures) in slot.totals.iter().enumerate() {
                (0..3).for_each(|figure| add(mode, figure, figures[figure].get()));
            }
        }
        for task in self.all_tasks() {
            for (mode, counters) in task.account().modes.iter().enumerate() {
                add(mode, 0, counters.dispatch.get());
                add(mode, 1, counters.cpu.get());
                add(mode, 2, counters.switches.get());
            }
        }
        totals
    }

    fn mode_statistics(&self) -> [ModeStatistics; MODE_COUNT] {
        let totals = self.mode_totals();
        let baseline = *self.baseline.lock();
        let counts = self.pools.counts();
        Mode::ALL.map(|mode| {
            let index = mode as usize;
            let since = |figure: usize| totals[index][figure].saturating_sub(baseline[index][figure]);
            let times = ModeStatistics {
                pool: mode.pool(),
                dispatch: ticks_to_duration(since(0)),
                cpu: ticks_to_duration(since(1)),
                switches: since(2),
                ..ModeStatistics::default()
            };
            if !mode.is_single() {
                let tcbs = counts[index];
                return ModeStatistics {
                    open: (tcbs.attached_peak > 0).then_some(true),
                    attached_current: tcbs.attached,
                    attached_peak: tcbs.attached_peak,
                    in_use_current: tcbs.in_use,
                    in_use_peak: tcbs.in_use_peak,
                    attaches: tcbs.attaches,
                    ..times
                };
            }
            let used = self.used_single_modes[index].load(Ordering::Relaxed);
            let token = &self.tokens[index];
            let queue = token.queue().figures();
            ModeStatistics {
                open: used.then_some(false),
                attached_current: used as u32,
                attached_peak: used as u32,
                in_use_current: token.is_held() as u32,
                in_use_peak: used as u32,
                queue_current: queue.current,
                queue_peak: queue.peak,
                queue_average: queue.average,
                ..times
            }
        })
    }
}

/// The dispatcher of a region. Clones share it.
#[derive(Clone)]
pub struct Dispatcher(Arc<Core>);

impl std::fmt::Debug for Dispatcher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Dispatcher({} tasks)", self.0.tasks_current.load(Ordering::Relaxed))
    }
}

impl Dispatcher {
    pub(crate) fn of(core: Arc<Core>) -> Dispatcher {
        Dispatcher(core)
    }

    /// Starts workers, timer and monitor. Storage with keys must have been started before.
    pub fn start(config: Config) -> std::io::Result<Dispatcher> {
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
        let base_workers = if config.workers == 0 { processors } else { config.workers }.clamp(1, WORKERS_MAX);
        let timers = Arc::new(Timers::new());
        let core = Arc::new(Core {
            workers: (0..WORKERS_MAX).map(|_| WorkerSlot::default()).collect(),
            idle: AtomicU64::new(0),
            tokens: Default::default(),
            wanted: AtomicU32::new(0),
            ready: ReadyQueue::default(),
            stacks: StackPool::new(config.stack_bytes),
            pools: Pools::new(config.pool_limits),
            base_workers,
            spare_workers_max: config.spare_workers.min(WORKERS_MAX - base_workers),
            spares_started: AtomicU64::new(0),
            runaways: AtomicU64::new(0),
            scan_delay_ticks: AtomicU64::new(duration_to_ticks(config.scan_delay)),
            threads: Mutex::default(),
            gates: Gates::new(config.max_tasks),
            timers: timers.clone(),
            blocking: BlockingPool::new(config.blocking_threads),
            registry: Default::default(),
            next_id: AtomicU64::new(1),
            tasks_current: AtomicU32::new(0),
            tasks_peak: AtomicU32::new(0),
            runaway_ns: AtomicU64::new(config.runaway.as_nanos() as u64),
            config: Mutex::new(config),
            phase: AtomicU32::new(OPEN),
            started_at: ticks(),
            ends: Mutex::new(()),
            ended: Condvar::new(),
            waiting_for_ends: AtomicU32::new(0),
            monitor: Mutex::new(()),
            monitor_changed: Condvar::new(),
            used_single_modes: Default::default(),
            baseline: Mutex::new([[0; 3]; MODE_COUNT]),
        });
        core.used_single_modes[Mode::Qr as usize].store(true, Ordering::Relaxed);
        let dispatcher = Dispatcher(core.clone());
        let aging = core.config.lock().priority_aging;
        dispatcher.set_priority_aging(aging);
        if let Err(error) = dispatcher.start_threads(timers) {
            core.halt();
            return Err(error);
        }
        Ok(dispatcher)
    }

    fn start_threads(&self, timers: Arc<Timers>) -> std::io::Result<()> {
        let core = self.0.clone();
        let timer = crate::timer::start(timers)?;
        core.threads.lock().push(timer);
        for index in 0..core.base_workers {
            core.start_worker(index, false)?;
        }
        let monitored = core.clone();
        let monitor = std::thread::Builder::new().name("monitor".into()).spawn(move || monitored.run_monitor())?;
        core.threads.lock().push(monitor);
        Ok(())
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

    /// Everything the dispatcher counts.
    pub fn statistics(&self) -> DispatcherStatistics {
        let core = &self.0;
        let config = self.config();
        let (user, system) = crate::clock::process_cpu();
        let scans = core.pools.scan_figures();
        let wall = |ticks: u64| (ticks != 0).then(|| ticks_to_wall(ticks));
        DispatcherStatistics {
            started_at: ticks_to_wall(core.started_at),
            tasks_current: core.tasks_current.load(Ordering::Relaxed),
            tasks_peak: core.tasks_peak.load(Ordering::Relaxed),
            icv: config.icv,
            runaway: config.runaway,
            priority_aging: config.priority_aging,
            mro_batch: config.mro_batch,
            address_space_cpu: user + system,
            address_space_system_cpu: system,
            excess_scans: scans.scans,
            excess_scans_none_detached: scans.none_detached,
            excess_detached: scans.detached,
            excess_scan_at: wall(scans.at),
            excess_scan_none_detached_at: wall(scans.none_detached_at),
            workers: core.workers.iter().filter(|slot| slot.started.load(Ordering::Relaxed)).count() as u32,
            spare_workers_started: core.spares_started.load(Ordering::Relaxed),
            runaways: core.runaways.load(Ordering::Relaxed),
            modes: core.mode_statistics(),
            pools: core.pools.statistics(),
            max_tasks: core.gates.max_tasks_statistics(),
            classes: core.gates.class_statistics(),
        }
    }

    /// Begins a statistics interval: totals to zero, peaks to the present values.
    pub fn reset_statistics(&self) {
        let core = &self.0;
        *core.baseline.lock() = core.mode_totals();
        core.tasks_peak.store(core.tasks_current.load(Ordering::SeqCst), Ordering::SeqCst);
        core.runaways.store(0, Ordering::Relaxed);
        core.spares_started.store(0, Ordering::Relaxed);
        core.pools.reset_statistics();
        core.gates.reset_statistics();
        core.tokens.iter().for_each(|token| token.queue().reset_figures());
    }

    /// MXT
    pub fn set_max_tasks(&self, limit: u32) {
        self.0.config.lock().max_tasks = limit;
        self.0.gates.set_max_tasks(limit).into_iter().for_each(|task| self.0.make_ready(task));
    }

    /// PRTYAGE
    pub fn set_priority_aging(&self, aging: Duration) {
        self.0.config.lock().priority_aging = aging;
        let aging_ticks = duration_to_ticks(aging);
        self.0.tokens.iter().for_each(|token| token.queue().set_aging(aging_ticks));
        self.0.ready.set_aging(aging_ticks);
    }

    /// ICVR, for tasks attached from now on.
    pub fn set_runaway(&self, limit: Duration) {
        self.0.config.lock().runaway = limit;
        self.0.runaway_ns.store(limit.as_nanos() as u64, Ordering::Relaxed);
    }

    /// ICV and MROBTCH, kept for inquiry.
    pub fn set_intervals(&self, icv: Duration, mro_batch: u32) {
        let mut config = self.0.config.lock();
        config.icv = icv;
        config.mro_batch = mro_batch;
    }

    /// SCANDELAY
    pub fn set_scan_delay(&self, delay: Duration) {
        self.0.config.lock().scan_delay = delay;
        self.0.scan_delay_ticks.store(duration_to_ticks(delay), Ordering::Relaxed);
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
        self.0.gates.define_class(class).into_iter().for_each(|task| self.0.make_ready(task));
    }

    /// False while tasks are active or queued in it, or if it is not defined.
    pub fn discard_class(&self, name: Name8) -> bool {
        self.0.gates.discard_class(name)
    }

    /// Calls `action` on the timer thread after `delay`; it must not block.
    pub fn after(&self, delay: Duration, action: impl FnOnce() + Send + 'static) -> TimerId {
        TimerId(self.0.timers.insert(delay, Action::Call(Box::new(action))))
    }

    /// False if it has run or was cancelled.
    pub fn cancel(&self, timer: TimerId) -> bool {
        self.0.cancel_timer(timer.0)
    }

    /// Runs `work` on a blocking thread, outside any task.
    pub fn spawn_blocking(&self, work: impl FnOnce() + Send + 'static) {
        self.0.submit_blocking(Box::new(move || {
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err() {
                tracing::error!("blocking work panicked");
            }
        }));
    }

    /// Stops the dispatcher and its threads; true if no task was abandoned. Must not be called by a task.
    pub fn stop(&self, stop: Stop) -> bool {
        debug_assert!(crate::current::current().is_none(), "a task cannot stop its own dispatcher");
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
            // A worker stuck in an abandoned task is left behind.
            if finished || thread.is_finished() {
                let _ = thread.join();
            }
        }
        finished
    }

    /// Tasks queued at the gates (not started).
    pub fn queued(&self) -> Vec<TaskRef> {
        self.0.gates.queued_tasks()
    }
}
