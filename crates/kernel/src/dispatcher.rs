//! The dispatcher.
use crate::inquire::{DispatcherStatistics, TaskInfo};
use crate::mode::Pool;
use crate::name::{Name, Name8};
use crate::task::{Task, TaskId, TaskRef};
use std::time::Duration;

/// How to start a dispatcher. `Config::default()` has the defaults of the system initialisation parameters.
#[derive(Clone, Debug)]
pub struct Config {
    /// Worker threads; 0: one for each processor.
    pub workers: usize,
    /// Additional workers the monitor may start while all are busy and work waits.
    pub spare_workers: usize,
    pub stack_bytes: usize,
    /// MXT
    pub max_tasks: u32,
    /// PRTYAGE; zero: no ageing.
    pub priority_aging: Duration,
    /// ICVR
    pub runaway: Duration,
    /// ICV
    pub icv: Duration,
    /// MROBTCH
    pub mro_batch: u32,
    /// MAXOPENTCBS, MAXSSLTCBS, MAXXPTCBS, T8 limit, by [`Pool`].
    pub pool_limits: [u32; crate::mode::POOL_COUNT],
    /// Threads for [`Task::run_blocking`].
    pub blocking_threads: usize,
}
impl Default for Config {
    fn default() -> Config { unimplemented!() }
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
    pub user_data: *mut (),
    pub entry: Box<dyn FnOnce(&Task) + Send>,
    /// Called after the end of the task, off the task, with its final figures.
    pub on_end: Option<Box<dyn FnOnce(&Task) + Send>>,
}
impl AttachRequest {
    pub fn new(_transaction: &str, _entry: impl FnOnce(&Task) + Send + 'static) -> AttachRequest { unimplemented!() }
}

/// Why an attach failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttachError {
    /// The queue of the class has reached its purge threshold.
    ClassQueueFull,
    UnknownClass,
    Stopping,
}

#[derive(Clone, Debug)]
pub struct ClassDefinition {
    pub name: Name8,
    pub active_max: u32,
    /// PURGETHRESH; None: no limit of the queue.
    pub purge_threshold: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimerId(pub(crate) u64);

/// How to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No new user tasks; wait for the present ones, at most this long.
    Quiesce(Duration),
    /// Force-purge everything, wait at most this long.
    Immediate(Duration),
}

#[derive(Clone, Debug)]
pub struct Dispatcher {}
impl Dispatcher {
    pub fn start(_config: Config) -> std::io::Result<Dispatcher> { unimplemented!() }
    pub fn attach(&self, _request: AttachRequest) -> Result<TaskRef, AttachError> { unimplemented!() }
    pub fn task(&self, _id: TaskId) -> Option<TaskRef> { unimplemented!() }
    pub fn task_by_number(&self, _number: u32) -> Option<TaskRef> { unimplemented!() }
    pub fn tasks(&self) -> Vec<TaskInfo> { unimplemented!() }
    pub fn statistics(&self) -> DispatcherStatistics { unimplemented!() }
    pub fn reset_statistics(&self) { unimplemented!() }
    pub fn set_max_tasks(&self, _limit: u32) { unimplemented!() }
    pub fn set_priority_aging(&self, _aging: Duration) { unimplemented!() }
    pub fn set_runaway(&self, _limit: Duration) { unimplemented!() }
    pub fn set_pool_limit(&self, _pool: Pool, _limit: u32) { unimplemented!() }
    /// Defines a class or changes its limits.
    pub fn define_class(&self, _class: ClassDefinition) { unimplemented!() }
    /// False while tasks are active or queued in it.
    pub fn discard_class(&self, _name: Name8) -> bool { unimplemented!() }
    /// Calls `action` on the timer thread after `delay`; it must not block.
    pub fn after(&self, _delay: Duration, _action: impl FnOnce() + Send + 'static) -> TimerId { unimplemented!() }
    /// False if it has run or was cancelled.
    pub fn cancel(&self, _timer: TimerId) -> bool { unimplemented!() }
    /// Stops; true if no task is left.
    pub fn stop(&self, _stop: Stop) -> bool { unimplemented!() }
}
