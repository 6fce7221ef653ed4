//! Statistics of the user domain.

use crate::manager::SecurityManager;
use region::Region;
use region::figures::{ResourceStatistics, count};

/// "Interpreting user domain statistics": users found again, and users who were timed out. None with SEC=NO.
pub fn statistics(region: &'static Region) -> Vec<ResourceStatistics> {
    let Some(manager) = SecurityManager::active(region) else { return Vec::new() };
    let figures = &manager.users.figures;
    let counters = vec![
        ("directory reuses", count(&figures.directory_reuses)),
        ("timeout reuses", count(&figures.delayed_reuses)),
        ("timeouts", count(&figures.timeouts)),
        ("users added", count(&figures.added)),
    ];
    vec![ResourceStatistics { resource: "USER", name: String::new(), counters }]
}
