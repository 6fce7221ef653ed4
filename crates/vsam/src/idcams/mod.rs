//! Draft of the IDCAMS interface.
use std::path::PathBuf;
use std::sync::Arc;
use crate::file::DataSets;

/// How records lie in a flat file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// Records of this length one after the other.
    Fixed(usize),
    /// Each record is preceded by a record descriptor word (length + 4, two zero bytes), as V and VB data sets are downloaded.
    Variable,
    /// Lines of UTF-8 text, translated to the listing's code page.
    Text,
}

/// What a DD name stands for.
#[derive(Clone, Debug)]
pub enum DdTarget {
    /// A data set of the catalog.
    DataSet(String),
    File { path: PathBuf, format: RecordFormat },
    /// In-stream data.
    Records(Vec<Vec<u8>>),
    Dummy,
}

/// Resolves DD names (INFILE, OUTFILE) of a job step, and data set names that are not in the catalog (sequential files).
pub trait DdResolver {
    fn resolve_dd(&self, name: &str) -> Option<DdTarget>;
    fn resolve_data_set(&self, name: &str) -> Option<DdTarget> {
        let _ = name;
        None
    }
}

/// Result of a run of IDCAMS.
pub struct Outcome {
    /// The listing (SYSPRINT), lines without carriage control.
    pub listing: String,
    /// MAXCC: 0, 4, 8, 12 or 16.
    pub condition_code: u32,
}

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct IdcamsOptions {
    /// Code page of character data in records: 37 or 1047 (EBCDIC), 819 (ASCII). Keys in statements and PRINT CHARACTER use it.
    pub ccsid: u32,
    /// Records done, for progress bars.
    pub progress: Option<fn(&str, u64)>,
}

/// Runs control statements against the data sets.
pub fn run(_data_sets: &Arc<DataSets>, _statements: &str, _dds: &dyn DdResolver, _options: &IdcamsOptions) -> Outcome { unimplemented!() }
