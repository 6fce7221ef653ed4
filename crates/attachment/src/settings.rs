//! Where the database is: what the start of a region says, and not a definition of the CSD.

use region::Region;

/// The database of a region.
#[derive(Clone)]
pub struct Settings {
    pub config: postgres::Config,
    /// The bind options of all programs.
    pub bind: db2::BindOptions,
}

impl Settings {
    pub fn new(config: postgres::Config) -> Settings {
        Settings { config, bind: db2::BindOptions::default() }
    }
}

/// Names the database of a region, before its resources are installed. A region without a DB2CONN of its own then gets one with these
/// attributes, and is connected at its start.
pub fn configure(region: &'static Region, settings: Settings) {
    let first = crate::Attachment::of(region).settings.set(settings).is_ok();
    debug_assert!(first, "the database of a region is named once");
}
