//! Statistics: the counters of the resources since the last reset, collected from their owners on request.
//!
//! The owners keep the counters; this module defines the common shape and the reset. Reports are written from these figures.

pub mod report;

use crate::region::Region;
use serde::Serialize;

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
    let mut resources = region.programs.statistics();
    resources.extend(region.transactions.statistics());
    resources.extend(region.interval.statistics());
    resources.extend(region.journaling.statistics());
    resources.extend(region.files.statistics());
    resources.push(region.temporary_storage.statistics());
    resources.extend(region.transient_data.statistics());
    Collection { at: format!("{} {}", now.date_text(), now.time_text()), resources }
}
