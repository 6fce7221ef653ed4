//! The types of the dispatcher that refer to each other: the task, its wakers, and the state shared by all threads.
//!
//! The parts they are built from know none of these types (`ready`, `admission`, `pools`, `timer`, `coroutine`, the task control block). Their
//! operations are in the modules above, each with its own `impl`: `attach`, `queues`, `worker`, `waits`, `wake`, `purge`, `change_mode`,
//! `monitor`, `figures`.
//!
//! Locks: a lock of rank `rank::DISPATCHER` is held for a few instructions only, and never while another of them is held. `ends` is held
//! while a condition over the registry is checked. No other lock is taken while a thread holds one of the mutexes it sleeps with.

use super::admission::Admissions;
use super::blocking::BlockingPool;
use super::coroutine::{Body, Code};
use super::idle_work::IdleWork;
use super::pools::Pools;
use super::ready::{ReadyQueue, Token};
use super::request::Config;
use super::service::Services;
use super::timer::Timers;
use super::worker_slot::{LINGER_MAX, WORKERS_MAX, WorkerSlot};
use crate::clock::{duration_to_ticks, ticks};
use crate::inquire::TaskId;
use crate::lock_order::{Ordered, rank};
use crate::mode::{Mode, OpenPriority, SINGLE_MODE_COUNT};
use crate::processors::Processors;
use crate::stack::StackPool;
use crate::task::ControlBlock;
use parking_lot::{Condvar, Mutex};
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

/// A task: its control block, its code and stack, and the dispatcher that runs it. Methods marked "own task" may be called only by the
/// code of the task itself.
pub struct Task {
    block: ControlBlock,
    pub(super) core: Arc<Core>,
    pub(super) body: Body<Task>,
}

impl Task {
    pub(super) fn new(core: Arc<Core>, block: ControlBlock, code: Arc<dyn Code<Task>>) -> Task {
        Task { block, core, body: Body::new(code) }
    }
}

impl Deref for Task {
    type Target = ControlBlock;
    #[inline]
    fn deref(&self) -> &ControlBlock {
        &self.block
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.block.fmt(formatter)
    }
}

/// A task, alive or ended, from any thread.
#[derive(Clone, Debug)]
pub struct TaskRef(pub(super) Arc<Task>);

impl Deref for TaskRef {
    type Target = Task;
    #[inline]
    fn deref(&self) -> &Task {
        &self.0
    }
}

impl AsRef<ControlBlock> for TaskRef {
    fn as_ref(&self) -> &ControlBlock {
        &self.0.block
    }
}

/// The right to end one particular wait of a task, usable once from any thread; later uses do nothing.
#[derive(Clone, Debug)]
pub struct Waker {
    pub(super) task: TaskRef,
    pub(super) sequence: u64,
}

/// The action of an expired timer.
pub(super) enum Action {
    Wake(Waker),
    Call(Box<dyn FnOnce() + Send>),
}

/// A part of the registry: tasks that have not ended, by identifier.
type Shard = Ordered<FxHashMap<u64, TaskRef>, { rank::DISPATCHER }>;

const REGISTRY_SHARDS: usize = 16;
/// Phases of [`Core::phase`], which only grows.
pub(super) const OPEN: u32 = 0;
pub(super) const REFUSING: u32 = 1;
pub(super) const HALTED: u32 = 2;

/// State shared by all threads of a dispatcher.
pub struct Core {
    pub(super) workers: Box<[WorkerSlot]>,
    /// Idle workers, by bit.
    pub(super) idle: AtomicU64,
    /// Workers whose task waits in their thread, by bit.
    pub(super) in_place: AtomicU64,
    /// Workers awake that run no task, or about to be so.
    pub(super) searching: AtomicI32,
    /// A worker is polling for work before it sleeps.
    pub(super) lingering: AtomicBool,
    pub(super) linger_ticks: u64,
    pub(super) tokens: [Token<TaskRef>; SINGLE_MODE_COUNT],
    /// Modes whose token a task is queued for, one bit each.
    pub(super) wanted: AtomicU32,
    /// Ready tasks under open modes, by [`crate::OpenPriority`].
    pub(super) open: [ReadyQueue<TaskRef>; OpenPriority::ALL.len()],
    pub(super) stacks: Arc<StackPool>,
    pub(super) pools: Pools<Waker>,
    pub(super) processors: Processors,
    pub(super) base_workers: usize,
    pub(super) spare_workers_max: usize,
    pub(super) spares_started: AtomicU64,
    pub(super) runaways: AtomicU64,
    pub(super) excess_scan_ticks: u64,
    pub(super) threads: Ordered<Vec<JoinHandle<()>>, { rank::DISPATCHER }>,
    pub(super) admissions: Admissions<TaskRef>,
    pub(super) timers: Arc<Timers<Action>>,
    pub(super) blocking: Arc<BlockingPool>,
    pub(super) idle_work: OnceLock<Box<dyn IdleWork>>,
    pub(super) registry: [Shard; REGISTRY_SHARDS],
    pub(super) next_id: AtomicU64,
    pub(super) tasks_current: AtomicU32,
    pub(super) tasks_peak: AtomicU32,
    pub(super) runaway_ns: AtomicU64,
    pub(super) config: Ordered<Config, { rank::DISPATCHER }>,
    pub(super) phase: AtomicU32,
    pub(super) started_at: u64,
    pub(super) ends: Mutex<()>,
    pub(super) ended: Condvar,
    /// Threads to be notified of every end of a task; a thread that waits for one task marks that task instead.
    pub(super) waiting_for_ends: AtomicU32,
    pub(super) monitor: Mutex<()>,
    pub(super) monitor_changed: Condvar,
    pub(super) used_single_modes: [AtomicBool; SINGLE_MODE_COUNT],
    pub(super) services: Ordered<Services, { rank::DISPATCHER }>,
    /// ICV in nanoseconds: the longest sleep of an idle worker.
    pub(super) icv_ns: AtomicU64,
    /// Times an idle worker looked for work because ICV had passed.
    pub(super) region_exits: AtomicU64,
}

impl Core {
    /// A core without threads.
    pub(super) fn new(config: Config) -> Arc<Core> {
        let processors = Processors::of_this_process();
        let base_workers = if config.workers == 0 { processors.threads() } else { config.workers }.clamp(1, WORKERS_MAX);
        let core = Arc::new(Core {
            workers: (0..WORKERS_MAX).map(|_| WorkerSlot::default()).collect(),
            idle: AtomicU64::new(0),
            in_place: AtomicU64::new(0),
            searching: AtomicI32::new(0),
            lingering: AtomicBool::new(false),
            // With one processor, the awaited work cannot arrive while the worker polls.
            linger_ticks: if processors.threads() > 1 { duration_to_ticks(LINGER_MAX) } else { 0 },
            tokens: Default::default(),
            wanted: AtomicU32::new(0),
            open: Default::default(),
            stacks: StackPool::new(config.stack_bytes),
            pools: Pools::new(config.pool_limits),
            processors,
            base_workers,
            spare_workers_max: config.spare_workers.min(WORKERS_MAX - base_workers),
            spares_started: AtomicU64::new(0),
            runaways: AtomicU64::new(0),
            excess_scan_ticks: duration_to_ticks(config.excess_scan_interval),
            threads: Ordered::default(),
            admissions: Admissions::new(config.max_tasks),
            timers: Arc::new(Timers::new()),
            blocking: BlockingPool::new(config.blocking_threads),
            idle_work: OnceLock::new(),
            registry: Default::default(),
            next_id: AtomicU64::new(1),
            tasks_current: AtomicU32::new(0),
            tasks_peak: AtomicU32::new(0),
            runaway_ns: AtomicU64::new(config.runaway.as_nanos() as u64),
            icv_ns: AtomicU64::new(config.icv.as_nanos() as u64),
            region_exits: AtomicU64::new(0),
            config: Ordered::new(config),
            phase: AtomicU32::new(OPEN),
            started_at: ticks(),
            ends: Mutex::new(()),
            ended: Condvar::new(),
            waiting_for_ends: AtomicU32::new(0),
            monitor: Mutex::new(()),
            monitor_changed: Condvar::new(),
            used_single_modes: Default::default(),
            services: Ordered::default(),
        });
        core.used_single_modes[Mode::Qr as usize].store(true, Ordering::Relaxed);
        core
    }

    pub(super) fn is_halted(&self) -> bool {
        self.phase.load(Ordering::SeqCst) == HALTED
    }

    pub(super) fn shard(&self, id: TaskId) -> &Shard {
        &self.registry[id.0 as usize % REGISTRY_SHARDS]
    }

    pub(super) fn task(&self, id: TaskId) -> Option<TaskRef> {
        self.shard(id).lock().get(&id.0).cloned()
    }

    pub(super) fn all_tasks(&self) -> Vec<TaskRef> {
        self.registry.iter().flat_map(|shard| shard.lock().values().cloned().collect::<Vec<_>>()).collect()
    }
}
