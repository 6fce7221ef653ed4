//! Where the database is: what the start of a region says, and not a definition of the CSD.

use crate::locations::Location;
use region::Region;
use std::sync::Arc;

/// How the database is found, each time that the region connects: its place, or why it is not there. The number counts the tries since a
/// connection was asked for or lost, from 0. It may take long, and may prepare the database: tasks have no thread before it has ended.
type Finder = Arc<dyn Fn(u32) -> Result<postgres::Config, String> + Send + Sync>;

/// The database of a region.
#[derive(Clone)]
pub struct Settings {
    pub find: Finder,
    /// The bind options of all programs.
    pub bind: Arc<db2::BindOptions>,
    /// Databases that programs may CONNECT to.
    pub locations: Vec<Location>,
}

impl Settings {
    /// A database that others start.
    pub fn new(config: postgres::Config) -> Settings {
        Settings { find: Arc::new(move |_| Ok(config.clone())), bind: Arc::default(), locations: Vec::new() }
    }
}

/// Names the database of a region, before its resources are installed. A region without a DB2CONN of its own then gets one with these
/// attributes, and is connected at its start.
pub fn configure(region: &'static Region, settings: Settings) {
    let first = crate::Attachment::of(region).settings.set(settings).is_ok();
    debug_assert!(first, "the database of a region is named once");
}
