//! Statistics: the counters of the resources since the last reset, collected from their owners on request.
//!
//! * `record`     a record as programs see it; `sources` and `domains` the records of each resource type, from the counters of the owners;
//! * `recording`  intervals, the end of the day, resets, and the file records are written to;
//! * `commands`   COLLECT, EXTRACT, PERFORM, INQUIRE and SET STATISTICS; `report` transaction STAT.
//!
//! The owners only count; they never begin anew. A reset remembers what they had counted, and makes their peaks the present values. What
//! is recorded at a reset and what is remembered is one reading, so every count is in one interval and in no other.

mod commands;
mod domains;
mod record;
pub mod recording;
pub mod report;
mod sources;

pub use commands::handlers;
pub use domains::terminal as terminal_record;
pub use recording::Statistics;
pub use sources::{file as file_record, lsr_pool as lsr_pool_record};

use crate::domain::{Domain, Life};
use crate::file_control::FileControl;
use crate::journaling::Journaling;
use crate::name::{Name4, Name8};
use crate::region::Region;
use crate::terminal_control::TerminalControl;
use crate::transient_data::TransientData;
use kernel::{DispatcherStatistics, Peaks};
use record::Record;
use serde::Serialize;
use std::cell::OnceCell;

/// What this domain is made of.
pub static DOMAIN: Domain = Domain {
    name: "statistics",
    commands: &[handlers],
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
    region: &'static Region,
    peaks: Peaks,
    /// The dispatcher is looked at once; what it counts is in several records.
    dispatcher: OnceCell<DispatcherStatistics>,
}

impl Reading {
    pub fn new(region: &'static Region, peaks: Peaks) -> Reading {
        Reading { region, peaks, dispatcher: OnceCell::new() }
    }

    fn dispatcher(&self) -> &DispatcherStatistics {
        self.dispatcher.get_or_init(|| self.region.dispatcher.read_statistics(self.peaks))
    }
}

/// The record of one resource as its owner counts; of a type with a single record, that one.
fn one(reading: &Reading, of: ResourceType, name: &str) -> Option<Record> {
    let region = reading.region;
    match of {
        ResourceType::Dispatcher => Some(sources::dispatcher(reading)),
        ResourceType::Enqueue => Some(domains::enqueue(region)),
        ResourceType::File => FileControl::of(region).find(Name8::new(name)).map(|file| sources::file(reading, &file)),
        ResourceType::Loader => Some(domains::loader(region)),
        ResourceType::Monitor => Some(domains::monitoring(reading)),
        ResourceType::Recovery => Some(domains::recovery_manager(region)),
        ResourceType::Terminal => domains::terminal(region, Name4::new(name)),
        ResourceType::TransientData => Some(domains::transient_data(reading)),
        ResourceType::JournalName => sources::journal(region, Name8::new(name)),
        ResourceType::LsrPool => sources::lsr_pools(reading).into_iter().find(|pool| pool.name == name),
        ResourceType::Program => sources::program(region, Name8::new(name)),
        ResourceType::Statistics => Some(region.statistics.own(region)),
        // Subpools have no records.
        ResourceType::Storage => name.is_empty().then(|| sources::storage(reading)),
        ResourceType::TdQueue => TransientData::of(region).find(Name4::new(name)).map(|queue| sources::td_queue(reading, &queue)),
        ResourceType::Tranclass => sources::transaction_class(reading, Name8::new(name)),
        ResourceType::Transaction => sources::transaction(region, Name4::new(name)),
        ResourceType::TransactionManager => Some(sources::transaction_manager(reading)),
        ResourceType::TsQueue => Some(sources::temporary_storage(reading)),
    }
}

/// Every record of a type as the owners count.
fn present(reading: &Reading, of: ResourceType) -> Vec<Record> {
    let region = reading.region;
    let names: Vec<String> = match of {
        ResourceType::File => FileControl::of(region).names().iter().map(ToString::to_string).collect(),
        ResourceType::JournalName => Journaling::of(region).names().iter().map(ToString::to_string).collect(),
        ResourceType::LsrPool => return sources::lsr_pools(reading),
        ResourceType::Program => region.programs.names().iter().map(ToString::to_string).collect(),
        ResourceType::TdQueue => TransientData::of(region).names().iter().map(ToString::to_string).collect(),
        ResourceType::Terminal => TerminalControl::of(region).all().iter().map(|terminal| terminal.name().to_string()).collect(),
        ResourceType::Tranclass => region.transactions.class_names().iter().map(ToString::to_string).collect(),
        ResourceType::Transaction => region.transactions.names().iter().map(ToString::to_string).collect(),
        _ => vec![String::new()],
    };
    names.iter().filter_map(|name| one(reading, of, name)).collect()
}
