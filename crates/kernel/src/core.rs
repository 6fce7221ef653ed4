//! State shared by all threads of a dispatcher, and the life of a task from attach to end.
//!
//! Invariants: a task that is attached ends exactly once, is found by its identifier until then, and is in one place at a time:
//! a gate's queue, a ready queue, a worker, or asleep behind its wait word. A task starts under QR.

use crate::blocking::{BlockingPool, Job};
use crate::clock::{duration_to_ticks, ticks, ticks_to_duration};
use crate::gate::{Admission, Gates};
use crate::idle_work::IdleWork;
use crate::inquire::{ModeStatistics, Peaks};
use crate::mode::{MODE_COUNT, Mode, POOL_COUNT, SINGLE_MODE_COUNT};
use crate::pools::{Pools, TcbCounts};
use crate::ready::{ReadyQueue, Token};
use crate::request::{AttachError, AttachRequest, Config};
use crate::stack::StackPool;
use crate::task::{Task, TaskId, TaskRef};
use crate::timer::{Action, Timers};
use crate::wait::{Purge, Resumed, Wait, Waker};
use crate::worker::{LINGER_MAX, WORKERS_MAX, WorkerSlot};
use parking_lot::{Condvar, Mutex};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const REGISTRY_SHARDS: usize = 16;
pub(crate) const OPEN: u32 = 0;
pub(crate) const REFUSING: u32 = 1;
pub(crate) const HALTED: u32 = 2;

/// State shared by all threads of a dispatcher.
pub(crate) struct Core {
    pub workers: Box<[WorkerSlot]>,
    /// Idle workers, by bit.
    pub idle: AtomicU64,
    /// Workers awake that run no task, or about to be so.
    pub searching: AtomicI32,
    /// A worker looks for work a little longer before it sleeps.
    pub lingering: AtomicBool,
    pub linger_ticks: u64,
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
    pub gates: Gates,
    pub timers: Arc<Timers>,
    blocking: Arc<BlockingPool>,
    pub idle_work: OnceLock<Box<dyn IdleWork>>,
    registry: [Mutex<FxHashMap<u64, TaskRef>>; REGISTRY_SHARDS],
    next_id: AtomicU64,
    pub tasks_current: AtomicU32,
    pub tasks_peak: AtomicU32,
    pub runaway_ns: AtomicU64,
    pub config: Mutex<Config>,
    pub phase: AtomicU32,
    pub started_at: u64,
    ends: Mutex<()>,
    ended: Condvar,
    /// Threads that want to hear of every end; who waits for one task marks that task.
    waiting_for_ends: AtomicU32,
    monitor: Mutex<()>,
    monitor_changed: Condvar,
    used_single_modes: [AtomicBool; SINGLE_MODE_COUNT],
}

impl Core {
    /// A core without threads.
    pub(crate) fn new(config: Config) -> Arc<Core> {
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
        let base_workers = if config.workers == 0 { processors } else { config.workers }.clamp(1, WORKERS_MAX);
        let core = Arc::new(Core {
            workers: (0..WORKERS_MAX).map(|_| WorkerSlot::default()).collect(),
            idle: AtomicU64::new(0),
            searching: AtomicI32::new(0),
            lingering: AtomicBool::new(false),
            // With one processor, the work that is waited for cannot come while the worker looks.
            linger_ticks: if processors > 1 { duration_to_ticks(LINGER_MAX) } else { 0 },
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
            timers: Arc::new(Timers::new()),
            blocking: BlockingPool::new(config.blocking_threads),
            idle_work: OnceLock::new(),
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
        });
        core.used_single_modes[Mode::Qr as usize].store(true, Ordering::Relaxed);
        core
    }

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

    pub(crate) fn all_tasks(&self) -> Vec<TaskRef> {
        self.registry.iter().flat_map(|shard| shard.lock().values().cloned().collect::<Vec<_>>()).collect()
    }

    pub(crate) fn attach(self: &Arc<Core>, request: AttachRequest) -> Result<TaskRef, AttachError> {
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
        let awaited = task.set_ended();
        if awaited || self.waiting_for_ends.load(Ordering::SeqCst) > 0 {
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

    /// Waits for a condition that the end of any task may bring about.
    pub(crate) fn wait_for_end(&self, timeout: Duration, is_reached: impl FnMut() -> bool) -> bool {
        self.waiting_for_ends.fetch_add(1, Ordering::SeqCst);
        let reached = self.sleep_until(timeout, is_reached);
        self.waiting_for_ends.fetch_sub(1, Ordering::SeqCst);
        reached
    }

    /// Looks at the condition now and whenever `finish` says that a task somebody waits for has ended.
    pub(crate) fn sleep_until(&self, timeout: Duration, mut is_reached: impl FnMut() -> bool) -> bool {
        let deadline = Instant::now() + timeout.min(Duration::from_secs(1 << 30));
        let mut guard = self.ends.lock();
        let mut reached = is_reached();
        while !reached && !self.ended.wait_until(&mut guard, deadline).timed_out() {
            reached = is_reached();
        }
        reached || is_reached()
    }

    pub(crate) fn monitor_sleep(&self, time: Duration) {
        let mut guard = self.monitor.lock();
        if !self.is_halted() {
            self.monitor_changed.wait_for(&mut guard, time);
        }
    }

    pub(crate) fn halt(&self) {
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
    pub(crate) fn mode_totals(&self) -> [[u64; 3]; MODE_COUNT] {
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

    pub(crate) fn mode_statistics(&self, counts: &[TcbCounts; MODE_COUNT], peaks: Peaks) -> [ModeStatistics; MODE_COUNT] {
        let totals = self.mode_totals();
        Mode::ALL.map(|mode| {
            let index = mode as usize;
            let [dispatch, cpu, switches] = totals[index];
            let times = ModeStatistics {
                pool: mode.pool(),
                dispatch: ticks_to_duration(dispatch),
                cpu: ticks_to_duration(cpu),
                switches,
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
            let queue = token.queue().figures(peaks);
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
