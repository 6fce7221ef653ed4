//! Temporary storage: WRITEQ, READQ and DELETEQ TS over main and auxiliary queues; TSMODELs decide location and recovery.
//!
//! * `model`     TSMODELs and which of them a queue name matches;
//! * `queue`     queues that are not recoverable: main storage, and auxiliary with its items in the store;
//! * `recoverable` queues inside units of work; `shared` queues of shared pools; `header` the record of a queue in the store;
//! * `auxiliary` a model of the control intervals and buffers of auxiliary storage, for statistics;
//! * `main_limit` the limit on main storage for queues;
//! * `commands`  the commands; `inquire` INQUIRE and SET TSQUEUE and TSQNAME; `resources` TSMODEL and TSPOOL.
//!
//! Invariants: at any time a name denotes one queue of one kind; items are numbered from 1 without gaps; the read cursor of a queue belongs
//! to the queue and not to a task; a recoverable queue is changed only by the unit of work that holds the lock of its name. Restart: all
//! auxiliary queues survive an orderly shutdown, only the recoverable ones a failure, and none START=COLD or INITIAL; shared queues always
//! survive.

mod auxiliary;
mod commands;
mod header;
mod inquire;
mod main_limit;
mod model;
mod queue;
mod records;
mod recoverable;
mod report;
mod resources;
mod shared;

pub use commands::handlers;
pub use inquire::QueueView;

use auxiliary::{Auxiliary, BYTES_AVAILABLE, INTERVAL_BYTES, SEGMENT_BYTES, SEGMENTS};
use csd::{Prefix, TsModelDefinition};
use kernel::storage::{Dsa, Subpool};
use kernel::{Peaks, Waker};
use main_limit::MainLimit;
use model::Model;
use parking_lot::{Mutex, RwLock};
use queue::Queue;
use region::control_blocks::target::Target;
use region::domain::ResourceType;
use region::exec_interface::delivery::SetStorage;
use region::figures::ResourceStatistics;
use region::name::{Name4, Name8};
use region::{Decision, Domain, Life, Participant, Region, StartType, Task};
use rustc_hash::{FxHashMap, FxHashSet};
use shared::{Pools, SharedName};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;
use vsam::{Direction, StoreError, Table};

region::task_part!(TaskState);

region::region_part!(TemporaryStorage);

/// By the model of its name.
fn system_of(region: &Region, target: &Target) -> Option<Name4> {
    TemporaryStorage::of(region).model(target.bytes()).map(|model| model.definition.remote_system)
}

/// A queue is protected by the model of its name, with SECURITY(YES).
fn is_protected(region: &Region, target: &Target) -> bool {
    TemporaryStorage::of(region).model(target.bytes()).is_some_and(|model| model.definition.security)
}

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "temporary storage",
    commands: &[handlers],
    slots: &[&IN_REGION, &IN_TASK],
    resources: &[
        ResourceType {
            name: "TSMODEL",
            install: Some(|region, definition| install(region, TsModelDefinition::from(definition))),
            ..ResourceType::NONE
        },
        ResourceType { name: "TSQUEUE", system: Some(system_of), is_protected: Some(is_protected), ..ResourceType::NONE },
    ],
    unit_of_work: Some(Participant {
        after: unit_of_work_ended,
        resolved: Some(|region, _| unit_of_work_resolved(region)),
        ..Participant::NONE
    }),
    life: Life { recover: Some(start), stop: Some(|region, _| shutdown(region)), ..Life::NONE },
    statistics: Some(|region| vec![TemporaryStorage::of(region).statistics()]),
    records: &[&records::RECORD],
    report: Some(report::write),
    ..Domain::NONE
};

/// Longest item.
pub const ITEM_BYTES_MAX: usize = 32_763;
/// Most items of a queue.
pub const ITEMS_MAX: usize = 32_767;
/// The interval at which expired queues are searched for.
const EXPIRY_SCAN: Duration = Duration::from_secs(60);

/// A queue's name as the program wrote it: sixteen bytes of the region's code page, blank padded. Names need not be readable.
pub type QueueName = [u8; 16];

/// This domain's part of a task: the storage of READQ SET, and the number of recoverable queues its unit of work has created less those it
/// has deleted.
#[derive(Default)]
pub struct TaskState {
    storage: SetStorage,
    new_names: i64,
    /// Changes of its unit of work to recoverable queues.
    changes: Vec<auxiliary::Change>,
    /// Browses of INQUIRE TSQUEUE and of INQUIRE TSQNAME.
    browses: [inquire::QueueBrowse; 2],
}

struct Tables {
    pub headers: Table,
    pub items: Table,
}

#[derive(Default)]
struct Counters {
    pub main_bytes: AtomicU64,
    pub main_bytes_max: AtomicU64,
    pub puts_main: AtomicU64,
    pub puts_auxiliary: AtomicU64,
    pub gets_main: AtomicU64,
    pub gets_auxiliary: AtomicU64,
    /// Writes that found main storage full.
    pub times_at_limit: AtomicU64,
    pub expiry_scans: AtomicU64,
    /// Number of existing queues, without those of open units of work.
    pub names: AtomicI64,
    pub names_max: AtomicU64,
    /// Requests on auxiliary queues that found the disk full.
    pub auxiliary_exhausted: AtomicU64,
    /// Those that failed otherwise.
    pub auxiliary_errors: AtomicU64,
    pub queues_created: AtomicU64,
    pub queues_expired: AtomicU64,
    pub longest_queue: AtomicU64,
    /// Of auxiliary storage.
    pub longest_item: AtomicU64,
}

impl Counters {
    fn names_change(&self, by: i64) {
        let now = self.names.fetch_add(by, Ordering::Relaxed) + by;
        self.names_max.fetch_max(now.max(0) as u64, Ordering::Relaxed);
    }

    /// The number of names has been recounted.
    fn names_are(&self, now: usize) {
        self.names.store(now as i64, Ordering::Relaxed);
        self.names_max.fetch_max(now as u64, Ordering::Relaxed);
    }
}

/// This domain's part of the region.
#[derive(Default)]
pub struct TemporaryStorage {
    models: RwLock<Vec<Model>>,
    queues: RwLock<FxHashMap<QueueName, Arc<Queue>>>,
    /// Read cursors of the recoverable queues.
    cursors: Mutex<FxHashMap<QueueName, u16>>,
    tables: OnceLock<Tables>,
    main_limit: MainLimit,
    main_subpool: OnceLock<Subpool>,
    auxiliary: OnceLock<Auxiliary>,
    /// Tasks whose WRITEQ found main storage full.
    space_waiters: Mutex<Vec<Waker>>,
    pools: Pools,
    /// Some model names a pool.
    has_pools: AtomicBool,
    counters: Counters,
}

impl TemporaryStorage {
    fn tables(&self) -> &Tables {
        self.tables.get().expect("temporary storage is started with the region")
    }

    fn auxiliary(&self) -> &Auxiliary {
        self.auxiliary.get().expect("temporary storage is started with the region")
    }

    /// Where the items of queues in main storage are.
    fn main_subpool(&self) -> &Subpool {
        self.main_subpool.get().expect("temporary storage is started with the region")
    }

    /// The model for a name: the most specific of those whose prefix matches.
    fn model(&self, name: &QueueName) -> Option<Model> {
        let models = self.models.read();
        models.iter().filter(|model| model.matches(name)).max_by_key(|model| model.weight()).cloned()
    }

    /// Names of the pools: those in models, and those that were used.
    pub fn pool_names(&self) -> Vec<Name8> {
        let mut names = self.pools.connected();
        names.extend(self.models.read().iter().map(|model| model.definition.pool).filter(|pool| !pool.is_blank()));
        names.into_iter().collect()
    }

    /// The pools, and whether they are connected.
    pub fn pools(&self) -> Vec<(Name8, bool)> {
        self.pool_names().into_iter().map(|pool| (pool, self.pools.is_connected(pool))).collect()
    }

    /// The queues of a pool, by name.
    pub fn pool_views(&self, region: &Region, pool: Name8) -> Result<Vec<QueueView>, StoreError> {
        self.pools.views(region, pool)
    }

    /// The queue of a pool for a name, and the model that assigns it.
    fn shared(&self, name: QueueName) -> Option<(SharedName, Model)> {
        if !self.has_pools.load(Ordering::Relaxed) {
            return None;
        }
        let model = self.model(&name)?;
        let pool = model.definition.pool;
        (!pool.is_blank()).then_some((SharedName { pool, name }, model))
    }

    fn model_names(&self) -> Vec<Name8> {
        let mut names: Vec<Name8> = self.models.read().iter().map(|model| model.definition.name).collect();
        names.sort_unstable();
        names
    }

    fn model_named(&self, name: Name8) -> Option<Arc<TsModelDefinition>> {
        self.models.read().iter().find(|model| model.definition.name == name).map(|model| model.definition.clone())
    }

    /// Removes a model; queues created by it are unchanged. False if there is none.
    fn discard_model(&self, name: Name8) -> bool {
        let mut models = self.models.write();
        let before = models.len();
        models.retain(|model| model.definition.name != name);
        self.look_for_pools(&models);
        models.len() < before
    }

    fn look_for_pools(&self, models: &[Model]) {
        self.has_pools.store(models.iter().any(|model| !model.definition.pool.is_blank()), Ordering::Relaxed);
    }

    fn find(&self, name: &QueueName) -> Option<Arc<Queue>> {
        self.queues.read().get(name).cloned()
    }

    /// Whether so many more bytes of main storage may be used (TSMAINLIMIT).
    fn has_room(&self, bytes: usize) -> bool {
        self.counters.main_bytes.load(Ordering::Relaxed) + bytes as u64 <= self.main_limit.bytes()
    }

    /// Main storage was freed: the waiters try again, in the order of their requests.
    fn space_freed(&self) {
        for waiter in std::mem::take(&mut *self.space_waiters.lock()) {
            waiter.resume();
        }
    }

    pub fn statistics(&self) -> ResourceStatistics {
        self.read_statistics(Peaks::Keep)
    }

    /// As `statistics`; with `Peaks::Begin` a statistics interval begins and the longest queue and item are reset.
    pub fn read_statistics(&self, peaks: Peaks) -> ResourceStatistics {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counters = &self.counters;
        let auxiliary = self.auxiliary.get().map(|auxiliary| auxiliary.statistics(peaks)).unwrap_or_default();
        let names = || counters.names.load(Ordering::SeqCst).max(0) as u64;
        ResourceStatistics {
            resource: "TEMPORARY STORAGE",
            name: String::new(),
            counters: vec![
                ("put_requests_main", get(&counters.puts_main)),
                ("put_requests_auxiliary", get(&counters.puts_auxiliary)),
                ("get_requests_main", get(&counters.gets_main)),
                ("get_requests_auxiliary", get(&counters.gets_auxiliary)),
                ("main_bytes_limit", self.main_limit.bytes()),
                ("times_at_main_limit", get(&counters.times_at_limit)),
                ("main_bytes", get(&counters.main_bytes)),
                ("main_bytes_peak", peaks.read(&counters.main_bytes_max, || counters.main_bytes.load(Ordering::SeqCst))),
                ("names", names()),
                ("names_peak", peaks.read(&counters.names_max, names)),
                ("times_auxiliary_exhausted", get(&counters.auxiliary_exhausted)),
                ("queues_created", get(&counters.queues_created)),
                ("queues_expired", get(&counters.queues_expired)),
                ("expiry_scans", get(&counters.expiry_scans)),
                ("longest_queue_items", peaks.read(&counters.longest_queue, || 0)),
                ("longest_auxiliary_item_bytes", peaks.read(&counters.longest_item, || 0)),
                ("interval_bytes", INTERVAL_BYTES.into()),
                ("interval_bytes_available", BYTES_AVAILABLE.into()),
                ("interval_segments", SEGMENTS.into()),
                ("segment_bytes", SEGMENT_BYTES.into()),
                ("writes_longer_than_interval", auxiliary.long_writes),
                ("intervals", auxiliary.intervals),
                ("intervals_in_use", auxiliary.intervals_in_use),
                ("intervals_in_use_peak", auxiliary.intervals_in_use_peak),
                ("format_writes", auxiliary.format_writes),
                ("compressions", auxiliary.compressions),
                ("auxiliary_errors", get(&counters.auxiliary_errors)),
                ("buffers", auxiliary.buffers.into()),
                ("buffer_waits", auxiliary.buffer_waits),
                ("buffer_waiting", auxiliary.buffer_waiting.into()),
                ("buffer_waiting_peak", auxiliary.buffer_waiting_peak.into()),
                ("buffer_reads", auxiliary.buffer_reads),
                ("buffer_writes", auxiliary.buffer_writes),
                ("forced_writes", auxiliary.forced_writes),
                ("strings", auxiliary.strings.into()),
                ("strings_in_use_peak", auxiliary.strings_in_use_peak.into()),
                ("string_waits", auxiliary.string_waits),
                ("string_waiting", auxiliary.string_waiting.into()),
                ("string_waiting_peak", auxiliary.string_waiting_peak.into()),
                ("shared_pools", self.pool_names().len() as u64),
                ("shared_pools_connected", self.pools.connected().len() as u64),
                ("shared_reads", get(&self.pools.reads)),
                ("shared_writes", get(&self.pools.writes)),
            ],
        }
    }
}

/// The store holds everything, so the domain only counts names.
fn unit_of_work_ended(task: &mut Task, decision: Decision) {
    let changes = std::mem::take(&mut TaskState::of_mut(&mut task.parts).changes);
    if !changes.is_empty() {
        TemporaryStorage::of(task.region).auxiliary().ended(changes, decision == Decision::Commit);
    }
    let names = std::mem::take(&mut TaskState::of_mut(&mut task.parts).new_names);
    if decision == Decision::Commit && names != 0 {
        TemporaryStorage::of(task.region).counters.names_change(names);
    }
}

/// A unit of work without a task has ended: its queues now exist, or are deleted.
fn unit_of_work_resolved(region: &Region) -> Result<(), StoreError> {
    let storage = &TemporaryStorage::of(region);
    // Changes from here on are not mistaken for deletions: new queues are recognized by their numbers, changes of open units of work by
    // these.
    let next = region.store.next_arrival();
    let uncommitted = storage.auxiliary().uncommitted();
    storage.counters.names_are(storage.views(region)?.len());
    let mut there = FxHashSet::default();
    region.store.scan(&storage.tables().items, Some(&[0]), Direction::Forward, &mut |key, value| {
        if let Some((queue, item)) = header::item_of(key) {
            storage.auxiliary().found(queue, item, value.len());
            there.insert(queue);
        }
        true
    })?;
    there.extend(storage.queues.read().values().map(|queue| queue.header().number));
    storage.auxiliary().retain(|queue| queue >= next || there.contains(&queue) || uncommitted.contains(&queue));
    Ok(())
}

/// The subpool of main storage: "Storage for main temporary storage" (CICS subpools in the GCDSA).
const MAIN_SUBPOOL: &str = "TSMAIN";

/// The subpool of the buffers.
pub const BUFFER_SUBPOOL: &str = "TSBUFFRS";

/// Buffers and strings from the system initialization parameter TS; their storage is fixed until the region ends.
fn make_buffers(region: &'static Region) -> Result<Auxiliary, StoreError> {
    let (buffers, strings) = (region.sit.part_number("TS", 1), region.sit.part_number("TS", 2));
    let bytes = buffers as usize * INTERVAL_BYTES as usize;
    let subpool = region.storage.subpool(BUFFER_SUBPOOL.into(), Dsa::Ecdsa);
    let got = subpool.getmain(bytes);
    got.map_err(|error| StoreError::Invalid(format!("no storage for {buffers} buffers of temporary storage (TS): {error:?}")))?;
    Ok(Auxiliary::new(buffers, strings, region.store.account()))
}

/// Opens the tables and restores the queues that survive a restart of this type.
pub fn start(region: &'static Region, start_type: StartType) -> Result<(), StoreError> {
    let cold = start_type.is_cold() || region.sit.is_alone("TS", "COLD");
    let temporary_storage = &TemporaryStorage::of(region);
    let _ = temporary_storage.auxiliary.set(make_buffers(region)?);
    let _ = temporary_storage.main_subpool.set(region.storage.subpool(MAIN_SUBPOOL.into(), Dsa::Gcdsa));
    let tables = Tables { headers: region.store.table("ts.headers")?, items: region.store.table("ts.items")? };
    main_limit::start(region)?;
    if cold {
        region.store.clear_tables(&[&tables.headers, &tables.items])?;
    }
    let _ = temporary_storage.tables.set(tables);
    shared::start(region)?;
    if !cold {
        queue::load(region, start_type == StartType::Emergency)?;
        unit_of_work_resolved(region)?;
    }
    region.messages.send("DFHTS0100", &[]);
    scan_later(region);
    Ok(())
}

/// Deletes expired queues now and then.
fn scan_later(region: &'static Region) {
    region.dispatcher.after(EXPIRY_SCAN, move || {
        clean_up(region);
        scan_later(region);
    });
}

/// One run of the clean up task: expired queues are deleted.
pub fn clean_up(region: &'static Region) {
    TemporaryStorage::of(region).counters.expiry_scans.fetch_add(1, Ordering::Relaxed);
    queue::delete_expired(region);
}

/// Installs a definition.
pub fn install(region: &'static Region, definition: TsModelDefinition) -> Result<(), String> {
    if matches!(&definition.prefix, Prefix::Text(text) if text.is_empty()) {
        return Err("PREFIX or XPREFIX is needed".into());
    }
    let mut models = TemporaryStorage::of(region).models.write();
    models.retain(|model| model.definition.name != definition.name);
    models.push(Model::new(definition, &region.code_page));
    TemporaryStorage::of(region).look_for_pools(&models);
    Ok(())
}

/// All auxiliary queues are already in the store, and shared ones except for the last moves of cursors.
pub fn shutdown(region: &'static Region) {
    shared::store_cursors(region);
}
