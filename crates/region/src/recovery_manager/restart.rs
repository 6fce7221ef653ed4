//! Restart of the recoverable domains: what START and the state of the store mean for queues and STARTs.
//!
//! | start | files, named counters | recoverable queues, protected STARTs | other auxiliary and intrapartition queues |
//! | --- | --- | --- | --- |
//! | cold, initial | kept | removed | removed |
//! | warm (orderly shutdown before) | kept | kept | kept |
//! | emergency (failure before) | kept | kept | removed |
//!
//! The store itself has replayed its log when it was opened, so nothing of an unfinished unit of work is there any more.

use crate::region::Region;
use crate::system_initialization::SystemInitialization;
use exec::cvda;
use vsam::StoreError;
use vsam::store::RestartReport;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartType {
    Cold,
    Warm,
    Emergency,
}

impl StartType {
    /// How this region started.
    pub fn of(region: &Region) -> StartType {
        Self::from(region.store.restart_report(), &region.sit)
    }

    /// START=COLD and INITIAL say it, AUTO goes by how the region ended.
    pub fn from(report: &RestartReport, sit: &SystemInitialization) -> StartType {
        if report.created || sit.is("START", "COLD") || sit.is("START", "INITIAL") {
            StartType::Cold
        } else if report.clean {
            StartType::Warm
        } else {
            StartType::Emergency
        }
    }

    /// As messages say it.
    pub fn text(self) -> &'static str {
        match self {
            StartType::Cold => "COLD",
            StartType::Warm => "WARM",
            StartType::Emergency => "EMERGENCY",
        }
    }

    /// STARTUP of INQUIRE SYSTEM.
    pub fn cvda(self) -> i64 {
        match self {
            StartType::Cold => cvda::COLDSTART,
            StartType::Warm => cvda::WARMSTART,
            StartType::Emergency => cvda::EMERGENCY,
        }
    }
}

/// Brings the domains' data to where the start type says, before anything is installed or runs.
pub fn restart(region: &'static Region) -> Result<(), StoreError> {
    let start_type = StartType::of(region);
    region.recovery.restart(region)?;
    crate::temporary_storage::start(region, start_type)?;
    crate::transient_data::start(region, start_type)?;
    crate::named_counters::start(region)
}
