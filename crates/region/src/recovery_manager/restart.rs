//! Restart of the recoverable domains: what START and the state of the store mean for queues and STARTs.
//!
//! | start | files | recoverable queues, protected STARTs | other auxiliary and intrapartition queues |
//! | --- | --- | --- | --- |
//! | cold, initial | kept | removed | removed |
//! | warm (orderly shutdown before) | kept | kept | kept |
//! | emergency (failure before) | kept | kept | removed |
//!
//! The store itself has replayed its log when it was opened, so nothing of an unfinished unit of work is there any more.

use crate::region::Region;
use vsam::StoreError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartType {
    Cold,
    Warm,
    Emergency,
}

impl StartType {
    /// How this region starts: START=COLD and INITIAL say it, AUTO goes by how the region ended.
    pub fn of(region: &Region) -> StartType {
        let report = region.store.restart_report();
        if report.created || region.sit.is("START", "COLD") || region.sit.is("START", "INITIAL") {
            StartType::Cold
        } else if report.clean {
            StartType::Warm
        } else {
            StartType::Emergency
        }
    }
}

/// Brings the domains' data to where the start type says, before anything is installed or runs.
pub fn restart(region: &'static Region) -> Result<(), StoreError> {
    let start_type = StartType::of(region);
    region.recovery.restart(region)?;
    crate::temporary_storage::start(region, start_type)?;
    crate::transient_data::start(region, start_type)
}
