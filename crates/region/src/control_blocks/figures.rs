//! Statistics as domains supply them: figures, records, sections of the report.

pub use super::record::Record;

use super::region::Region;
use kernel::{DispatcherStatistics, Peaks};
use serde::Serialize;
use std::cell::OnceCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Figures of one resource: its type, its name, and named counters in a fixed order.
#[derive(Clone, Debug, Serialize)]
pub struct ResourceStatistics {
    pub resource: &'static str,
    pub name: String,
    pub counters: Vec<(&'static str, u64)>,
}

impl ResourceStatistics {
    /// The counter of this name, which the owner of the resource must keep.
    pub fn counter(&self, name: &str) -> u64 {
        let found = self.counters.iter().find(|(known, _)| *known == name);
        debug_assert!(found.is_some(), "{} has no counter {name}", self.resource);
        found.map_or(0, |(_, value)| *value)
    }

    /// Several counters together.
    pub fn sum(&self, names: &[&str]) -> u64 {
        names.iter().map(|name| self.counter(name)).sum()
    }
}

/// The types of resources with records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResourceType {
    AsynchronousServices,
    Bundle,
    /// A capture specification of an event binding.
    CaptureSpecification,
    Db2Connection,
    Db2Entry,
    Dispatcher,
    DocumentTemplate,
    Enqueue,
    EventAdapter,
    /// All event bindings together.
    EventBindings,
    EventProcess,
    File,
    JournalName,
    Library,
    /// All programs together.
    Loader,
    LsrPool,
    Monitor,
    /// A rule of a policy; not available to COLLECT and EXTRACT.
    PolicyRule,
    Program,
    Recovery,
    Statistics,
    Storage,
    /// The named subpools of the region.
    Subpool,
    /// Those of tasks, by DSA.
    TaskSubpool,
    SystemDumpCode,
    /// All system dumps together.
    SystemDumps,
    TdQueue,
    Terminal,
    Tranclass,
    Transaction,
    TransactionDumpCode,
    /// All transaction dumps together.
    TransactionDumps,
    TransactionManager,
    /// All queues of transient data together.
    TransientData,
    TsQueue,
}

impl ResourceType {
    pub const ALL: [ResourceType; 35] = [
        ResourceType::AsynchronousServices,
        ResourceType::Bundle,
        ResourceType::CaptureSpecification,
        ResourceType::Db2Connection,
        ResourceType::Db2Entry,
        ResourceType::Dispatcher,
        ResourceType::DocumentTemplate,
        ResourceType::Enqueue,
        ResourceType::EventAdapter,
        ResourceType::EventBindings,
        ResourceType::EventProcess,
        ResourceType::File,
        ResourceType::JournalName,
        ResourceType::Library,
        ResourceType::Loader,
        ResourceType::LsrPool,
        ResourceType::Monitor,
        ResourceType::PolicyRule,
        ResourceType::Program,
        ResourceType::Recovery,
        ResourceType::Statistics,
        ResourceType::Storage,
        ResourceType::Subpool,
        ResourceType::TaskSubpool,
        ResourceType::SystemDumpCode,
        ResourceType::SystemDumps,
        ResourceType::TdQueue,
        ResourceType::Terminal,
        ResourceType::Tranclass,
        ResourceType::Transaction,
        ResourceType::TransactionDumpCode,
        ResourceType::TransactionDumps,
        ResourceType::TransactionManager,
        ResourceType::TransientData,
        ResourceType::TsQueue,
    ];

    /// There is a record for each resource, and none for all together.
    pub fn is_by_name(self) -> bool {
        use ResourceType::*;
        matches!(
            self,
            Bundle
                | CaptureSpecification
                | Db2Entry
                | DocumentTemplate
                | EventAdapter
                | File
                | JournalName
                | Library
                | LsrPool
                | PolicyRule
                | Program
                | Subpool
                | SystemDumpCode
                | TdQueue
                | Terminal
                | Tranclass
                | Transaction
                | TransactionDumpCode
        )
    }

    /// The type for a command that gives a name, or none for all together.
    pub fn named(self, name: &str) -> ResourceType {
        match self {
            ResourceType::Program if name.is_empty() => ResourceType::Loader,
            ResourceType::SystemDumpCode if name.is_empty() => ResourceType::SystemDumps,
            ResourceType::TdQueue if name.is_empty() => ResourceType::TransientData,
            ResourceType::TransactionDumpCode if name.is_empty() => ResourceType::TransactionDumps,
            ResourceType::Transaction if name.is_empty() => ResourceType::TransactionManager,
            _ => self,
        }
    }
}

/// One reading of the region's counters. With `Peaks::Begin` it ends an interval, and must contain every record once.
pub struct Reading {
    pub region: &'static Region,
    pub peaks: Peaks,
    /// The dispatcher is read once; its counters are in several records.
    dispatcher: OnceCell<DispatcherStatistics>,
}

impl Reading {
    pub fn new(region: &'static Region, peaks: Peaks) -> Reading {
        Reading { region, peaks, dispatcher: OnceCell::new() }
    }

    /// The counters of the dispatcher, read once.
    pub fn dispatcher(&self) -> &DispatcherStatistics {
        self.dispatcher.get_or_init(|| self.region.dispatcher.read_statistics(self.peaks))
    }
}

pub fn count(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

pub fn nanoseconds(counter: &AtomicU64) -> Duration {
    Duration::from_nanos(count(counter))
}

/// Records of one type, as the domain that owns the resources gives them.
#[derive(Clone, Copy)]
pub struct RecordType {
    pub of: ResourceType,
    /// The record of one resource as its owner counts; of a type with a single record, that one.
    pub one: fn(&Reading, &str) -> Option<Record>,
    /// The existing resources; one without a name for a type with a single record.
    pub names: fn(&'static Region) -> Vec<String>,
    /// All records, where they cannot be read one by one.
    pub all: Option<fn(&Reading) -> Vec<Record>>,
}

impl RecordType {
    /// A single record, as the base of other descriptions.
    pub const NONE: RecordType = RecordType { of: ResourceType::Statistics, one: |_, _| None, names: |_| vec![String::new()], all: None };
}

/// A statistics report being written.
pub struct Report {
    pub text: String,
    /// Region, date and time, for the headings.
    place: String,
}

impl Report {
    pub fn new(place: String) -> Report {
        Report { text: String::new(), place }
    }

    /// Begins a section.
    pub fn heading(&mut self, title: &str) {
        self.text += &format!("{title:<72}{}\n\n", self.place);
    }
}
