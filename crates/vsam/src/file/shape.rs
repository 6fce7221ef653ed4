//! The shape of an open file's data set, for reports.

use crate::catalog::index_shape;
use crate::error::FileError;
use crate::file::File;

/// Present sizes of a base cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataSetShape {
    pub ci_size: u32,
    /// 0 where there is no index.
    pub index_ci_size: u32,
    /// Control intervals in a control area.
    pub cis_per_ca: u32,
    /// Cross-region SHAREOPTIONS.
    pub share_options: u32,
    /// The data is compressed.
    pub compressed: bool,
    /// As of the last keypoint.
    pub records: u64,
    /// Index records: one for each control area and those of higher levels; 0 without an index.
    pub index_records: u64,
    /// Since the data set was defined or emptied.
    pub ci_splits: u64,
    pub ca_splits: u64,
}

impl File {
    /// The shape of the base cluster.
    pub fn shape(&self) -> Result<DataSetShape, FileError> {
        let sphere = &self.0.sphere;
        let attributes = &sphere.attributes;
        let statistics = sphere.statistics();
        let has_index = sphere.organization.has_index();
        Ok(DataSetShape {
            ci_size: attributes.ci_size,
            index_ci_size: if has_index { attributes.index_ci_size } else { 0 },
            cis_per_ca: attributes.cis_per_ca(),
            share_options: attributes.share_cross_region,
            compressed: attributes.compressed,
            records: sphere.store.table_size(&sphere.data)?.records,
            index_records: if has_index { index_shape(statistics.ca_count.max(1)).0 } else { 0 },
            ci_splits: statistics.ci_splits,
            ca_splits: statistics.ca_splits,
        })
    }
}
