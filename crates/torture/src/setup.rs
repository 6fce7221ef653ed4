//! The data sets and resources used by every round.

use csd::Definition;
use region::Region;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use vsam::disk::Disk;
use vsam::idcams::{DdResolver, DdTarget, IdcamsOptions};
use vsam::{DataSets, Store, StoreConfig};

/// Small, so that units of work cross segments.
const SEGMENT_BYTES: u64 = 256 << 10;
const MAP_BYTES: usize = 1 << 32;

/// BASE: key 8, group (not unique) 4, a dot, unique 6. Records: ESDS ENTRY, RRDS SLOT, markers UNITS (key 12). ENTRY only grows, so it is REUSE.
const CLUSTERS: &str = "
  DEFINE CLUSTER (NAME(TORTURE.UNITS) INDEXED KEYS(12 0) RECORDSIZE(16 16) CYLINDERS(1 1))
  DEFINE CLUSTER (NAME(TORTURE.BASE) INDEXED KEYS(8 0) RECORDSIZE(60 4000) CYLINDERS(1 1) COMPRESSED -
         LOG(ALL) LOGSTREAMID(TORTURE.LOG) LOGREPLICATE)
  DEFINE ALTERNATEINDEX (NAME(TORTURE.GROUP) RELATE(TORTURE.BASE) KEYS(4 8) NONUNIQUEKEY UPGRADE CYLINDERS(1 1))
  DEFINE PATH (NAME(TORTURE.GROUP.PATH) PATHENTRY(TORTURE.GROUP))
  DEFINE ALTERNATEINDEX (NAME(TORTURE.UNIQUE) RELATE(TORTURE.BASE) KEYS(6 13) UNIQUEKEY UPGRADE CYLINDERS(1 1))
  DEFINE PATH (NAME(TORTURE.UNIQUE.PATH) PATHENTRY(TORTURE.UNIQUE))
  DEFINE CLUSTER (NAME(TORTURE.ENTRY) NONINDEXED REUSE RECORDSIZE(40 4000) CYLINDERS(1 1))
  DEFINE CLUSTER (NAME(TORTURE.SLOT) NUMBERED RECORDSIZE(40 40) CYLINDERS(1 1))
";

/// FILE names and their data sets.
pub const FILES: [(&str, &str); 7] = [
    ("UNITS", "TORTURE.UNITS"),
    ("BASE", "TORTURE.BASE"),
    (SECOND_BASE, "TORTURE.BASE"),
    ("GROUP", "TORTURE.GROUP.PATH"),
    ("UNIQUE", "TORTURE.UNIQUE.PATH"),
    (ENTRY, "TORTURE.ENTRY"),
    ("SLOT", "TORTURE.SLOT"),
];

pub const TS_QUEUES: [&str; 3] = ["RECQA", "RECQB", "RECQC"];
/// Another file over the base.
pub const SECOND_BASE: &str = "BASE2";
/// A coupling facility data table, recoverable.
pub const POOL_TABLE: &str = "POOLED";
pub const COUNTER: &str = "TORTURE";
/// The file of entries, whose records nobody can delete.
pub const ENTRY: &str = "ENTRY";
/// Queues that follow the unit of work, and one that does not.
pub const TD_LOGICAL: [&str; 2] = ["LOGA", "LOGB"];
pub const TD_PHYSICAL: &str = "PHYS";
pub const JOURNAL: &str = "TORTJ";

struct NoDds;

impl DdResolver for NoDds {
    fn resolve_dd(&self, _name: &str) -> Option<DdTarget> {
        None
    }
}

pub fn store_config(disk: Arc<dyn Disk>, apply_milliseconds: u64) -> StoreConfig {
    StoreConfig {
        segment_size: SEGMENT_BYTES,
        map_size: MAP_BYTES,
        apply_interval: Duration::from_millis(apply_milliseconds),
        // A disk that fails for good is not waited for.
        apply_retry_pause: Duration::from_millis(1),
        disk,
        ..StoreConfig::default()
    }
}

/// Makes the data sets in a new store.
pub fn create(directory: &Path) -> Result<(), String> {
    let disk = Arc::new(vsam::disk::RealDisk);
    let store = Store::open(directory, store_config(disk, 100)).map_err(|error| error.to_string())?;
    let data_sets = DataSets::new(store.clone()).map_err(|error| error.to_string())?;
    let outcome = vsam::idcams::run(&data_sets, CLUSTERS, &NoDds, &IdcamsOptions { ccsid: 37, progress: None });
    if outcome.condition_code != 0 {
        return Err(outcome.listing);
    }
    drop(data_sets);
    store.close().map_err(|error| error.to_string())
}

/// Installs files and queues.
pub fn install(region: &'static Region) -> Result<(), String> {
    for (name, data_set) in FILES {
        let mut definition = Definition::new("FILE", name, "TORTURE").with("DSNAME", data_set).with("STRINGS", "50");
        for service in ["ADD", "BROWSE", "DELETE", "READ", "UPDATE"] {
            definition = definition.with(service, "YES");
        }
        region.install(&definition.with("RECOVERY", "BACKOUTONLY"))?;
    }
    let table = Definition::new("FILE", POOL_TABLE, "TORTURE").with("TABLE", "CF").with("CFDTPOOL", "TORTPOOL").with("LOAD", "NO");
    let table = table.with("KEYLENGTH", "8").with("RECORDSIZE", "4000").with("UPDATEMODEL", "LOCKING").with("RECOVERY", "BACKOUTONLY");
    region.install(&["ADD", "BROWSE", "DELETE", "READ", "UPDATE"].into_iter().fold(table, |table, service| table.with(service, "YES")))?;
    let model = Definition::new("TSMODEL", "RECMODEL", "TORTURE").with("PREFIX", "REC").with("RECOVERY", "YES");
    region.install(&model.with("LOCATION", "AUXILIARY"))?;
    let queue = |name: &str, recovery: &str| {
        region.install(&Definition::new("TDQUEUE", name, "TORTURE").with("TYPE", "INTRA").with("RECOVSTATUS", recovery))
    };
    TD_LOGICAL.iter().try_for_each(|name| queue(name, "LOGICAL"))?;
    queue(TD_PHYSICAL, "PHYSICAL")
}
