//! Statistics: the counters of the resources since the last reset, collected from their owners on request.
//!
//! * `record`     a record as programs see it; `sources` what records of all types have in common, and those of the kernel; each domain has its
//!   own beside it and names them in its description;
//! * `recording`  intervals, the end of the day, resets, and the file records are written to;
//! * `commands`   COLLECT, EXTRACT, PERFORM, INQUIRE and SET STATISTICS; `report` transaction STAT.
//!
//! The owners only count; they never begin anew. A reset remembers what they had counted, and makes their peaks the present values. What
//! is recorded at a reset and what is remembered is one reading, so every count is in one interval and in no other.

mod commands;
mod record;
pub mod recording;
pub mod report;
mod sources;

pub use commands::handlers;
pub use record::Record;
pub use recording::Statistics;
pub use sources::{Shown, shown, signed};

use crate::domain::{Domain, Life};
use crate::region::Region;
use kernel::{DispatcherStatistics, Peaks};
use serde::Serialize;
use std::cell::OnceCell;

/// What this domain is made of.
pub static DOMAIN: Domain = Domain {
    name: "statistics",
    commands: &[handlers],
    records: &[&sources::DISPATCHER, &sources::STORAGE, &sources::STATISTICS],
    life: Life {
        running: Some(recording::begin),
        stop: Some(|region, immediate| {
            if !immediate {
                recording::shutdown(region)
            }
        }),
        ..Life::NONE
    },
    ..Domain::NONE
};

/// Figures of one resource: its type, its name, and named counters in a fixed order.
#[derive(Clone, Debug, Serialize)]
pub struct ResourceStatistics {
    pub resource: &'static str,
    pub name: String,
    pub counters: Vec<(&'static str, u64)>,
}

/// Everything collected at one moment.
#[derive(Clone, Debug, Serialize)]
pub struct Collection {
    pub at: String,
    pub resources: Vec<ResourceStatistics>,
}

/// Collects the figures of all domains.
pub fn collect(region: &'static Region) -> Collection {
    let now = crate::time_of_day::now_local();
    let domains = region.registry.domains().iter().filter_map(|domain| domain.statistics);
    let resources = domains.flat_map(|statistics| statistics(region)).collect();
    Collection { at: format!("{} {}", now.date_text(), now.time_text()), resources }
}

/// What there are records of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResourceType {
    Dispatcher,
    Enqueue,
    File,
    JournalName,
    /// All programs together.
    Loader,
    LsrPool,
    Monitor,
    Program,
    Recovery,
    Statistics,
    Storage,
    TdQueue,
    Terminal,
    Tranclass,
    Transaction,
    TransactionManager,
    /// All queues of transient data together.
    TransientData,
    TsQueue,
}

impl ResourceType {
    pub const ALL: [ResourceType; 18] = [
        ResourceType::Dispatcher,
        ResourceType::Enqueue,
        ResourceType::File,
        ResourceType::JournalName,
        ResourceType::Loader,
        ResourceType::LsrPool,
        ResourceType::Monitor,
        ResourceType::Program,
        ResourceType::Recovery,
        ResourceType::Statistics,
        ResourceType::Storage,
        ResourceType::TdQueue,
        ResourceType::Terminal,
        ResourceType::Tranclass,
        ResourceType::Transaction,
        ResourceType::TransactionManager,
        ResourceType::TransientData,
        ResourceType::TsQueue,
    ];

    /// There is a record of each resource, and none of all together.
    fn is_by_name(self) -> bool {
        use ResourceType::*;
        matches!(self, File | JournalName | LsrPool | Program | TdQueue | Terminal | Tranclass | Transaction)
    }

    /// What a command means that gives a name, or none for all together.
    fn named(self, name: &str) -> ResourceType {
        match self {
            ResourceType::Program if name.is_empty() => ResourceType::Loader,
            ResourceType::TdQueue if name.is_empty() => ResourceType::TransientData,
            ResourceType::Transaction if name.is_empty() => ResourceType::TransactionManager,
            _ => self,
        }
    }
}

/// One look at the counters of the region. With `Peaks::Begin` it is the last of an interval: it is to have every record once.
pub struct Reading {
    pub region: &'static Region,
    pub peaks: Peaks,
    /// The dispatcher is looked at once; what it counts is in several records.
    dispatcher: OnceCell<DispatcherStatistics>,
}

impl Reading {
    pub fn new(region: &'static Region, peaks: Peaks) -> Reading {
        Reading { region, peaks, dispatcher: OnceCell::new() }
    }

    /// What the dispatcher counts, read once.
    pub fn dispatcher(&self) -> &DispatcherStatistics {
        self.dispatcher.get_or_init(|| self.region.dispatcher.read_statistics(self.peaks))
    }
}

/// Records of one type, as the domain that owns the resources gives them.
#[derive(Clone, Copy)]
pub struct RecordType {
    pub of: ResourceType,
    /// The record of one resource as its owner counts; of a type with a single record, that one.
    pub one: fn(&Reading, &str) -> Option<Record>,
    /// The resources there are; one without a name for a type with a single record.
    pub names: fn(&'static Region) -> Vec<String>,
    /// All records, where they cannot be read one by one.
    pub all: Option<fn(&Reading) -> Vec<Record>>,
}

impl RecordType {
    /// A single record, to say of others only what differs.
    pub const NONE: RecordType = RecordType { of: ResourceType::Statistics, one: |_, _| None, names: |_| vec![String::new()], all: None };
}

fn type_of(region: &Region, of: ResourceType) -> Option<&'static RecordType> {
    region.registry.domains().iter().flat_map(|domain| domain.records).copied().find(|records| records.of == of)
}

/// The record of one resource as its owner counts; of a type with a single record, that one.
fn one(reading: &Reading, of: ResourceType, name: &str) -> Option<Record> {
    (type_of(reading.region, of)?.one)(reading, name)
}

/// Every record of a type as the owners count.
fn present(reading: &Reading, of: ResourceType) -> Vec<Record> {
    let Some(records) = type_of(reading.region, of) else { return Vec::new() };
    match records.all {
        Some(all) => all(reading),
        None => (records.names)(reading.region).iter().filter_map(|name| (records.one)(reading, name)).collect(),
    }
}
