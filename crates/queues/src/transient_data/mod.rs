//! Transient data: WRITEQ, READQ and DELETEQ TD over intrapartition, extrapartition and indirect queues; triggers.
//!
//! * `intrapartition` queues in the store, by the three kinds of recovery; `intervals` a model of their control intervals, for statistics;
//! * `extrapartition` sequential files outside the region;
//! * `queue`     a TDQUEUE resource and its states; `trigger` automatic transaction initiation;
//! * `commands`  the commands; `inquire` INQUIRE and SET TDQUEUE; `messages` the region's messages to CSMT and others.
//!
//! Invariants: a record is read once; records are read in the order they were written, those of a logically recoverable queue in the order
//! of the units of work that wrote them; a queue that has requested a task requests no other before it was read to its end or that task has
//! ended.

mod commands;
mod extrapartition;
mod inquire;
pub mod intervals;
mod intrapartition;
mod messages;
mod queue;
mod records;
mod report;
mod trigger;

pub use commands::handlers;
use intervals::Intrapartition;
pub use messages::write_text;
pub use queue::{Queue, QueueView};
use region::control_blocks::target::Target;
use region::domain::ResourceType as Installs;
use region::{Decision, Domain, Life, Participant, Region, Stage, StartType, Task};
pub use trigger::task_ended;

use csd::{TdQueueDefinition, TdQueueType, TdRecovery};
use parking_lot::RwLock;
use region::figures::{ResourceStatistics, ResourceType};
use region::name::Name4;
use region::statistics::recording;
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use vsam::disk::names::is_plain_name;
use vsam::{StoreError, Table};

region::task_part!(TaskState);

region::region_part!(TransientData);

fn system_of(region: &Region, target: &Target) -> Option<Name4> {
    let queue = TransientData::of(region).resolve(target.name(&region.code_page))?;
    let definition = queue.definition();
    (definition.queue_type == TdQueueType::Remote).then_some(definition.remote_system)
}

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "transient data",
    commands: &[handlers],
    slots: &[&IN_REGION, &IN_TASK],
    resources: &[Installs {
        name: "TDQUEUE",
        install: Some(|region, definition| install(region, TdQueueDefinition::from(definition))),
        system: Some(system_of),
        ..Installs::NONE
    }],
    unit_of_work: Some(Participant {
        after: unit_of_work_ended,
        resolved: Some(|region, _| unit_of_work_resolved(region)),
        ..Participant::NONE
    }),
    life: Life { recover: Some(start), running: Some(region_runs), stop: Some(|region, _| shutdown(region)), ..Life::NONE },
    task_ended: Some(trigger::task_ended),
    statistics: Some(|region| TransientData::of(region).statistics()),
    text_sink: Some(write_text),
    records: &[&records::QUEUES, &records::ALL],
    report: Some(report::write),
    ..Domain::NONE
};

/// Longest record.
pub const RECORD_BYTES_MAX: usize = 32_763;
/// Indirect queues that lead to indirect queues are followed this far.
const INDIRECTIONS_MAX: usize = 8;

/// A change of the number of records that waits for the unit of work.
struct Pending {
    queue: Arc<Queue>,
    added: i64,
    /// Sequence number behind the last record read.
    read_to: u64,
    /// Records written and records read.
    written: usize,
    read: usize,
}

/// This domain's part of a task.
#[derive(Default)]
pub struct TaskState {
    pending: Vec<Pending>,
    storage: Option<(usize, usize)>,
    /// The task has read the queue that triggered it to its end.
    trigger_reset: bool,
}

/// Tables of the store: records by queue and sequence number; names to lock.
struct Tables {
    records: Table,
    locks: Table,
}

/// This domain's part of the region.
#[derive(Default)]
pub struct TransientData {
    queues: RwLock<FxHashMap<Name4, Arc<Queue>>>,
    tables: OnceLock<Tables>,
    pub counters: Counters,
    intervals: OnceLock<Intrapartition>,
}

/// Counters for all queues together.
#[derive(Default)]
pub struct Counters {
    /// Requests that found the disk full, and that failed otherwise.
    pub no_space: AtomicU64,
    pub errors: AtomicU64,
}

impl TransientData {
    fn tables(&self) -> &Tables {
        self.tables.get().expect("transient data is started with the region")
    }

    /// The control intervals of intrapartition queues.
    pub fn intervals(&self) -> &Intrapartition {
        self.intervals.get().expect("transient data is started with the region")
    }

    /// The queue of that name, an indirect one as itself.
    pub fn find(&self, name: Name4) -> Option<Arc<Queue>> {
        self.queues.read().get(&name).cloned()
    }

    /// The queue a name leads to.
    pub fn resolve(&self, name: Name4) -> Option<Arc<Queue>> {
        let mut queue = self.find(name)?;
        for _ in 0..INDIRECTIONS_MAX {
            let definition = queue.definition();
            if definition.queue_type != TdQueueType::Indirect {
                return Some(queue);
            }
            queue = self.find(definition.indirect)?;
        }
        None
    }

    fn discard(&self, name: Name4) -> Option<Arc<Queue>> {
        self.queues.write().remove(&name)
    }

    /// In order, for inquiry.
    pub fn names(&self) -> Vec<Name4> {
        let mut names: Vec<Name4> = self.queues.read().keys().copied().collect();
        names.sort_unstable();
        names
    }

    pub fn statistics(&self) -> Vec<ResourceStatistics> {
        self.names().into_iter().filter_map(|name| self.find(name)).map(|queue| queue.statistics()).collect()
    }
}

/// Records written by a committed unit of work can be read by all, and may trigger.
fn unit_of_work_ended(task: &mut Task, decision: Decision) {
    for pending in std::mem::take(&mut TaskState::of_mut(&mut task.parts).pending) {
        let intervals = TransientData::of(task.region).intervals();
        intervals.ended(pending.queue.name, pending.written, pending.read, decision == Decision::Commit);
        if decision == Decision::Commit {
            pending.queue.committed(pending.added, pending.read_to);
            if pending.added > 0 {
                trigger::look(task.region, &pending.queue);
            }
        }
    }
}

/// Opens the tables and restores the queues that survive a restart of this type. Queues find their records when they are installed.
pub fn start(region: &'static Region, start_type: StartType) -> Result<(), StoreError> {
    let tables = Tables { records: region.store.table("td.records")?, locks: region.store.table("td.locks")? };
    if start_type.is_cold() || region.sit.is_alone("TDINTRA", "EMPTY") {
        region.store.clear_table(&tables.records)?;
    }
    let _ = TransientData::of(region).tables.set(tables);
    let (buffers, strings) = (region.sit.part_number("TD", 0), region.sit.part_number("TD", 1));
    let _ = TransientData::of(region).intervals.set(Intrapartition::new(buffers, strings, region.store.account()));
    for definition in messages::supplied_queues() {
        if let Err(reason) = install(region, definition) {
            tracing::warn!(target: "region::td", reason, "a supplied queue could not be installed");
        }
    }
    messages::add_sink(region);
    region.messages.send("DFHTD0100", &[]);
    Ok(())
}

/// A unit of work without a task has ended: the queues read the state of their records again.
fn unit_of_work_resolved(region: &'static Region) -> Result<(), StoreError> {
    for name in TransientData::of(region).names() {
        if let Some(queue) = TransientData::of(region).find(name)
            && queue.definition().recovery == TdRecovery::Logical
            && queue.definition().queue_type == TdQueueType::Intrapartition
        {
            queue.load(region, false)?;
            trigger::look(region, &queue);
        }
    }
    Ok(())
}

/// Installs a definition.
pub fn install(region: &'static Region, definition: TdQueueDefinition) -> Result<(), String> {
    let name = definition.name;
    let ddname = definition.ddname.as_str().trim_end();
    if !is_plain_name(ddname) {
        return Err(format!("DDNAME({ddname}): a DD name has 1 to 8 letters, digits, $ @ #"));
    }
    let emergency = StartType::of(region) == StartType::Emergency;
    let queue = Arc::new(Queue::new(definition));
    let known = TransientData::of(region).find(name).is_some();
    if queue.definition().queue_type == TdQueueType::Intrapartition {
        queue.load(region, emergency && !known).map_err(|error| error.to_string())?;
    }
    let old = recording::replaced(region, ResourceType::TdQueue, name.as_str(), || {
        TransientData::of(region).queues.write().insert(name, queue.clone())
    });
    if let Some(old) = old {
        old.close();
    }
    if queue.definition().queue_type == TdQueueType::Extrapartition && queue.definition().open_at_startup {
        // A queue that cannot be opened has reported it; requests get NOTOPEN.
        let _ = queue.open(region);
    }
    if !known && region.stage() == Stage::Running {
        trigger::look_after_restart(region, &queue);
    }
    Ok(())
}

/// The region runs: queues that a restart has brought back at their trigger level ask for their tasks.
fn region_runs(region: &'static Region) {
    for queue in TransientData::of(region).names().into_iter().filter_map(|name| TransientData::of(region).find(name)) {
        trigger::look_after_restart(region, &queue);
    }
}

/// Closes everything, at the end of the region.
pub fn shutdown(region: &'static Region) {
    for name in TransientData::of(region).names() {
        if let Some(queue) = TransientData::of(region).find(name) {
            queue.close();
        }
    }
}
