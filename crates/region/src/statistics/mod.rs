//! Statistics: the counters of the resources since the last reset, collected from their owners on request.
//!
//! * `record`     a record as programs see it; `sources` the common fields of all records, and the records of the kernel. Each domain has
//!   its own records in its folder, and names them in its description;
//! * `recording`  intervals, the end of the day and resets; `output` the file records are written to, and XSTOUT;
//! * `commands`   COLLECT, EXTRACT, PERFORM, INQUIRE and SET STATISTICS; `report` transaction STAT, `dispatcher`
//!   its sections of the dispatcher, `storage` those of the dynamic storage areas.
//!
//! The owners of counters never reset them. A reset remembers their values as the base for the next interval, and sets their peaks to the
//! present values. The recorded and the remembered values come from one reading, so every count is in exactly one interval.

mod commands;
mod dispatcher;
pub mod output;
pub mod recording;
pub mod report;
mod sources;
mod storage;
mod threads;

pub use commands::handlers;
pub use recording::Statistics;
pub use sources::{Shown, shown};
pub use storage::peak_frames;

use crate::figures::Reading;
use crate::figures::Record;
use crate::figures::RecordType;
use crate::figures::ResourceStatistics;
use crate::figures::ResourceType;
use crate::{Domain, Life, Region};
use serde::Serialize;

crate::region_part!(Statistics);

impl Region {
    pub fn statistics(&self) -> &Statistics {
        Statistics::of(self)
    }
}

/// The description of this domain.
pub static DOMAIN: Domain = Domain {
    name: "statistics",
    slots: &[&IN_REGION],
    commands: &[handlers],
    records: &[&sources::DISPATCHER, &sources::STORAGE, &sources::SUBPOOL, &sources::TASK_SUBPOOL, &sources::STATISTICS],
    report: Some(|region, report| {
        dispatcher::write(region, report);
        storage::write(region, report);
    }),
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

/// Everything collected at one moment.
#[derive(Clone, Debug, Serialize)]
pub struct Collection {
    pub at: String,
    pub resources: Vec<ResourceStatistics>,
}

/// Collects the figures of all domains.
pub fn collect(region: &'static Region) -> Collection {
    let now = crate::clock::now_local();
    let domains = region.registry.domains().iter().filter_map(|domain| domain.statistics);
    let resources = domains.flat_map(|statistics| statistics(region)).collect();
    Collection { at: format!("{} {}", now.date_text(), now.time_text()), resources }
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
