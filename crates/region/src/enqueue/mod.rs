//! Enqueue domain: ENQ and DEQ, and the region's own enqueues.
//!
//! Invariants: a resource has one owner; a task may enqueue several times and must dequeue as often; enqueues of lifetime UOW end with the
//! unit of work, those of lifetime TASK with the task; waiters get the resource in the order of their requests. ENQMODELs (`model`) say
//! which resources ENQ may name, and the scope of their enqueues; `inquire` has their commands. A resource is the value of an area when
//! LENGTH is given, else its address; the two kinds never match each other.

mod commands;
mod inquire;
mod model;
mod records;

pub use commands::handlers;

use crate::code_page::RegionCodePage;
use crate::domain::ResourceType;
use crate::name::{Name4, Name16};
use crate::{Abend, Decision, Domain, Participant, Raised, Region, Task};
use csd::Definition;
use csd::EnqModelDefinition;
use kernel::{Resumed, Wait, Waker};
use model::{Models, Refused};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use vsam::store::{Account, Tally};

crate::task_part!(TaskState);

crate::region_part!(EnqueueManager);

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "enqueue",
    commands: &[handlers],
    slots: &[&IN_REGION, &IN_TASK],
    resources: &[ResourceType { name: "ENQMODEL", install: Some(install), ..ResourceType::NONE }],
    unit_of_work: Some(Participant { after: unit_of_work_ended, ..Participant::NONE }),
    task_ended: Some(task_ended),
    records: &[&records::RECORD],
    ..Domain::NONE
};

/// Longest resource name.
pub const RESOURCE_BYTES_MAX: i64 = 255;
/// Memory of an enqueue without the name of its resource.
const ENTRY_BYTES: u64 = 200;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Resource {
    Value(Vec<u8>),
    Address(usize),
}

impl Resource {
    /// Memory of an enqueue on it: it is in the table of the region and in the list of its owner.
    fn enqueued_bytes(&self) -> u64 {
        match self {
            Resource::Value(bytes) => ENTRY_BYTES + 2 * bytes.len() as u64,
            Resource::Address(_) => ENTRY_BYTES,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    UnitOfWork,
    Task,
}

struct Waiter {
    task: u32,
    lifetime: Lifetime,
    waker: Waker,
    since: Instant,
}

struct Entry {
    owner: u32,
    /// When the owner got it.
    since: Instant,
    /// Enqueues of each lifetime not dequeued.
    unit_of_work: u32,
    task: u32,
    waiters: VecDeque<Waiter>,
}

impl Entry {
    fn of(owner: u32) -> Entry {
        Entry { owner, since: Instant::now(), unit_of_work: 0, task: 0, waiters: VecDeque::new() }
    }
}

/// The domain's part of a task: the enqueues it owns.
#[derive(Default)]
pub struct TaskState {
    owned: Vec<Resource>,
    /// The memory of these.
    tally: Tally,
}

impl TaskState {
    fn add(&mut self, resource: Resource, account: &Account) {
        self.tally.change(account, resource.enqueued_bytes(), 0);
        self.owned.push(resource);
    }

    fn remove(&mut self, resource: &Resource, account: &Account) {
        if let Some(at) = self.owned.iter().rposition(|owned| owned == resource) {
            self.owned.remove(at);
            self.tally.change(account, 0, resource.enqueued_bytes());
        }
    }
}

/// The pools in statistics: enqueues on addresses, and on values.
const POOLS: [&str; 2] = ["EXECADDR", "EXECSTRN"];

/// The counters of the enqueues of a pool.
#[derive(Default)]
struct PoolCounters {
    issued: AtomicU64,
    waited: AtomicU64,
    wait_nanoseconds: AtomicU64,
    refused_busy: AtomicU64,
    purged: AtomicU64,
    timed_out: AtomicU64,
}

/// The counters of a pool, and its present waiters.
pub struct PoolStatistics {
    pub name: &'static str,
    pub issued: u64,
    pub waited: u64,
    pub wait_time: Duration,
    pub waiting: u64,
    pub waiting_time: Duration,
    pub refused_busy: u64,
    pub purged: u64,
    pub timed_out: u64,
}

#[derive(Default)]
pub struct EnqueueManager {
    entries: Mutex<FxHashMap<Resource, Entry>>,
    pools: [PoolCounters; POOLS.len()],
    models: Mutex<Models>,
    /// A model waits for enqueues to end.
    model_waits: AtomicBool,
}

/// One row of INQUIRE UOWENQ: resource, owner, waiting tasks.
pub struct EnqueueInfo {
    pub resource: Resource,
    /// ENQSCOPE of its model; blank: local to the region.
    pub scope: Name4,
    pub owner: u32,
    pub held_for: Duration,
    /// Tasks that wait, and how long.
    pub waiting: Vec<(u32, Duration)>,
}

fn install(region: &'static Region, definition: &Definition) -> Result<(), String> {
    EnqueueManager::of(region).install(EnqModelDefinition::from(definition), &region.code_page)
}

impl EnqueueManager {
    /// Installs an ENQMODEL. An ENQSCOPE names the regions that share its enqueues: with those of this region alone they are as local ones.
    pub fn install(&self, definition: EnqModelDefinition, code_page: &RegionCodePage) -> Result<(), String> {
        self.change_models(|models| models.install(definition, code_page)).map_err(|refused| match refused {
            Refused::Nested(by) => format!("DFHNQ0107 ENQMODEL {by}, which is the same or more generic, is enabled"),
            Refused::NotInstalled | Refused::Waiting => "it is waiting for enqueues to end".to_string(),
        })
    }

    /// Changes the models; changes that need not wait for an enqueue to end take effect at once.
    fn change_models(&self, change: impl FnOnce(&mut Models) -> Result<(), Refused>) -> Result<(), Refused> {
        let changed = change(&mut self.models.lock());
        self.settle_models();
        changed
    }

    /// Gives waiting models their new state if the enqueues they wait for have ended.
    fn settle_models(&self) {
        let mut models = self.models.lock();
        let entries = self.entries.lock();
        models.settle(|model| entries.keys().any(|resource| matches!(resource, Resource::Value(bytes) if model.matches(bytes))));
        self.model_waits.store(models.any_waiting(), Ordering::Release);
    }

    fn pool(&self, resource: &Resource) -> &PoolCounters {
        match resource {
            Resource::Address(_) => &self.pools[0],
            Resource::Value(_) => &self.pools[1],
        }
    }

    /// By pool.
    pub fn statistics(&self) -> Vec<PoolStatistics> {
        let mut waiting = [(0, Duration::ZERO); POOLS.len()];
        for (resource, entry) in self.entries.lock().iter() {
            let (count, time) = &mut waiting[usize::from(matches!(resource, Resource::Value(_)))];
            *count += entry.waiters.len() as u64;
            *time += entry.waiters.iter().map(|waiter| waiter.since.elapsed()).sum::<Duration>();
        }
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let of = |(at, pool): (usize, &PoolCounters)| PoolStatistics {
            name: POOLS[at],
            issued: get(&pool.issued),
            waited: get(&pool.waited),
            wait_time: Duration::from_nanos(get(&pool.wait_nanoseconds)),
            waiting: waiting[at].0,
            waiting_time: waiting[at].1,
            refused_busy: get(&pool.refused_busy),
            purged: get(&pool.purged),
            timed_out: get(&pool.timed_out),
        };
        self.pools.iter().enumerate().map(of).collect()
    }

    pub fn inquire(&self) -> Vec<EnqueueInfo> {
        let models = self.models.lock();
        let entries = self.entries.lock();
        let scope = |resource: &Resource| match resource {
            Resource::Value(bytes) => models.scope_of(bytes),
            // An address has no meaning in another region.
            Resource::Address(_) => Name4::BLANK,
        };
        let info = |(resource, entry): (&Resource, &Entry)| EnqueueInfo {
            resource: resource.clone(),
            scope: scope(resource),
            owner: entry.owner,
            held_for: entry.since.elapsed(),
            waiting: entry.waiters.iter().map(|waiter| (waiter.task, waiter.since.elapsed())).collect(),
        };
        entries.iter().map(info).collect()
    }

    /// Takes the resource if it is free or already owned by the task.
    fn try_take(&self, resource: &Resource, task: u32, lifetime: Lifetime) -> Taken {
        let mut entries = self.entries.lock();
        let entry = entries.entry(resource.clone()).or_insert_with(|| Entry::of(task));
        if entry.owner != task {
            return Taken::Busy;
        }
        let first = entry.unit_of_work + entry.task == 0;
        match lifetime {
            Lifetime::UnitOfWork => entry.unit_of_work += 1,
            Lifetime::Task => entry.task += 1,
        }
        if first { Taken::New } else { Taken::Again }
    }

    /// Joins the queue; false if the resource has become free meanwhile.
    fn join(&self, resource: &Resource, waiter: Waiter) -> bool {
        let mut entries = self.entries.lock();
        match entries.get_mut(resource) {
            Some(entry) if entry.owner != waiter.task => {
                entry.waiters.push_back(waiter);
                true
            }
            _ => false,
        }
    }

    /// Leaves the queue after a wait that did not obtain the resource; true if it was granted at the last moment.
    fn abandon(&self, resource: &Resource, task: u32) -> bool {
        let mut entries = self.entries.lock();
        let Some(entry) = entries.get_mut(resource) else { return false };
        entry.waiters.retain(|waiter| waiter.task != task);
        entry.owner == task
    }

    /// Releases one enqueue, or with `lifetime` all of that lifetime. True if the task no longer owns the resource.
    fn give(&self, resource: &Resource, task: u32, lifetime: Option<Lifetime>) -> bool {
        let mut entries = self.entries.lock();
        let Some(entry) = entries.get_mut(resource).filter(|entry| entry.owner == task) else { return true };
        match lifetime {
            Some(Lifetime::UnitOfWork) => entry.unit_of_work = 0,
            Some(Lifetime::Task) => (entry.unit_of_work, entry.task) = (0, 0),
            None if entry.unit_of_work > 0 => entry.unit_of_work -= 1,
            None => entry.task = entry.task.saturating_sub(1),
        }
        if entry.unit_of_work + entry.task > 0 {
            return false;
        }
        while let Some(next) = entry.waiters.pop_front() {
            (entry.owner, entry.since, entry.unit_of_work, entry.task) = (next.task, Instant::now(), 0, 0);
            match next.lifetime {
                Lifetime::UnitOfWork => entry.unit_of_work = 1,
                Lifetime::Task => entry.task = 1,
            }
            if next.waker.resume() {
                return true;
            }
        }
        entries.remove(resource);
        drop(entries);
        if self.model_waits.load(Ordering::Acquire) {
            self.settle_models();
        }
        true
    }
}

#[derive(PartialEq, Eq)]
enum Taken {
    New,
    Again,
    Busy,
}

impl Task {
    /// Takes an enqueue; `Ok(false)`: busy, and the task may not wait.
    pub fn enqueue(&mut self, resource: Resource, lifetime: Lifetime, no_suspend: bool) -> Result<bool, Raised> {
        let manager = &EnqueueManager::of(self.region);
        let counters = manager.pool(&resource);
        counters.issued.fetch_add(1, Ordering::Relaxed);
        if lifetime == Lifetime::UnitOfWork {
            self.touch_unit_of_work();
        }
        let account = self.region.store.account();
        account.check_room(resource.enqueued_bytes() as usize).map_err(Task::no_memory)?;
        loop {
            match manager.try_take(&resource, self.number, lifetime) {
                Taken::New => {
                    TaskState::of_mut(&mut self.parts).add(resource, account);
                    return Ok(true);
                }
                Taken::Again => return Ok(true),
                Taken::Busy if no_suspend => {
                    counters.refused_busy.fetch_add(1, Ordering::Relaxed);
                    return Ok(false);
                }
                Taken::Busy => {}
            }
            let waker = self.kernel.waker();
            if !manager.join(&resource, Waiter { task: self.number, lifetime, waker, since: Instant::now() }) {
                continue;
            }
            let wait = Wait { timeout: self.definition.deadlock_timeout(), ..Wait::new("ENQUEUE").named(wait_name(&resource)) };
            let begun = Instant::now();
            let resumed = self.kernel.suspend(&wait);
            counters.waited.fetch_add(1, Ordering::Relaxed);
            counters.wait_nanoseconds.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
            match resumed {
                Resumed::Posted(_) => {
                    TaskState::of_mut(&mut self.parts).add(resource, account);
                    return Ok(true);
                }
                ended => {
                    if manager.abandon(&resource, self.number) {
                        manager.give(&resource, self.number, Some(Lifetime::Task));
                    }
                    let timed_out = ended == Resumed::TimedOut;
                    let counter = if timed_out { &counters.timed_out } else { &counters.purged };
                    counter.fetch_add(1, Ordering::Relaxed);
                    let abend = if timed_out {
                        Abend::new("AKCS").because("DTIMOUT: a wait for an enqueue took too long")
                    } else {
                        Task::purge_abend()
                    };
                    return Err(Raised::Abend(Box::new(abend)));
                }
            }
        }
    }

    /// Releases one enqueue; one the task does not hold is not an error.
    pub fn dequeue(&mut self, resource: &Resource) {
        if EnqueueManager::of(self.region).give(resource, self.number, None) {
            let account = self.region.store.account();
            TaskState::of_mut(&mut self.parts).remove(resource, account);
        }
    }
}

fn wait_name(resource: &Resource) -> Name16 {
    match resource {
        Resource::Address(address) => Name16::new(&format!("{address:08X}")),
        Resource::Value(bytes) if bytes.iter().all(|byte| (b' '..=b'~').contains(byte)) => Name16::from_bytes(bytes),
        // A value of the program's code page may not be readable: its first bytes are shown in hexadecimal.
        Resource::Value(bytes) => Name16::new(&bytes.iter().take(8).map(|byte| format!("{byte:02X}")).collect::<String>()),
    }
}

/// Gives up everything of a lifetime.
fn release(task: &mut Task, lifetime: Lifetime) {
    let (region, number) = (task.region, task.number);
    let (manager, account) = (&EnqueueManager::of(region), region.store.account());
    let TaskState { owned, tally } = TaskState::of_mut(&mut task.parts);
    owned.retain(|resource| {
        let gone = manager.give(resource, number, Some(lifetime));
        if gone {
            tally.change(account, 0, resource.enqueued_bytes());
        }
        !gone
    });
    if owned.is_empty() {
        *owned = Vec::new();
        tally.clear(account);
    }
}

fn unit_of_work_ended(task: &mut Task, _decision: Decision) {
    release(task, Lifetime::UnitOfWork);
}

/// Everything the task still owns is free.
pub fn task_ended(task: &mut Task) {
    release(task, Lifetime::Task);
}
