//! Restart of the recoverable domains: the effect of START and the state of the store on queues and STARTs.
//!
//! | start | files, named counters | recoverable queues, protected STARTs | other auxiliary and intrapartition queues |
//! | --- | --- | --- | --- |
//! | cold, initial | kept | removed | removed |
//! | warm (orderly shutdown before) | kept | kept | kept |
//! | emergency (failure before) | kept | kept | removed |
//!
//! The store replays its log when it is opened, so no change of an unfinished unit of work is left at this point.

use crate::{Region, StartType};
use vsam::StoreError;

/// Brings the domains' data to the state for the start type, before anything is installed or runs.
pub fn restart(region: &'static Region) -> Result<(), StoreError> {
    let start_type = StartType::of(region);
    super::resync::started(region, start_type)?;
    region.recovery().restart(region)?;
    region.registry.each(|life| life.recover).try_for_each(|recover| recover(region, start_type))
}
