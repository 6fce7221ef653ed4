//! Compressed clusters: by the keyword COMPRESSED of VSE/VSAM, or by a data class with COMPACTION, as SMS has them.
//!
//! Rules (z/OS DFSMS Using Data Sets, "Compressed Data"): key-sequenced base clusters only; the longest record extends at least 40 bytes
//! beyond the key, and unless spanned is at least ten bytes shorter than the control interval; the key of a spanned record ends 15 bytes
//! before the end of the control interval. A data class requires 5 MB of primary space, 8 MB without secondary space. If the rules are not
//! met, the data set is allocated without compression.

use super::draft::Draft;
use super::{Done, Failure, Run};
use crate::catalog::{Attributes, Organization, SpaceUnit};

const BEHIND_KEY_MIN: u32 = 40;
const INTERVAL_OVERHEAD: u32 = 10;
const INTERVAL_OVERHEAD_SPANNED: u32 = 15;
const MEGABYTE: u64 = 1 << 20;
const PRIMARY_MIN: u64 = 5 * MEGABYTE;
const PRIMARY_ALONE_MIN: u64 = 8 * MEGABYTE;
/// A track and a cylinder of a 3390.
const TRACK_BYTES: u64 = 56_664;
const CYLINDER_BYTES: u64 = 15 * TRACK_BYTES;

/// The properties of a data class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataClass {
    /// COMPACTION: data sets of the class are compressed.
    pub compaction: bool,
}

/// Why a cluster cannot be compressed.
pub(super) fn unfit(organization: Organization, a: &Attributes) -> Option<&'static str> {
    let key_end = a.key_position.saturating_add(a.key_length);
    if organization != Organization::Ksds {
        Some("ONLY A KEY-SEQUENCED DATA SET IS COMPRESSED")
    } else if a.record_max < key_end.saturating_add(BEHIND_KEY_MIN) {
        Some("THE LONGEST RECORD HAS LESS THAN 40 BYTES BEHIND THE KEY")
    } else if !a.spanned && a.record_max + INTERVAL_OVERHEAD > a.ci_size {
        Some("THE LONGEST RECORD IS LONGER THAN THE CONTROL INTERVAL LESS 10 BYTES")
    } else if a.spanned && key_end + INTERVAL_OVERHEAD_SPANNED > a.ci_size {
        Some("THE KEY ENDS BEHIND THE CONTROL INTERVAL LESS 15 BYTES")
    } else {
        None
    }
}

/// Whether a data class compresses a data set of this size.
fn is_large(a: &Attributes) -> bool {
    let unit = match a.space_unit {
        SpaceUnit::Tracks => TRACK_BYTES,
        SpaceUnit::Cylinders => CYLINDER_BYTES,
        SpaceUnit::Records => a.record_average.into(),
        SpaceUnit::Kilobytes => 1 << 10,
        SpaceUnit::Megabytes => MEGABYTE,
    };
    u64::from(a.space_primary) * unit >= if a.space_secondary == 0 { PRIMARY_ALONE_MIN } else { PRIMARY_MIN }
}

impl Run<'_> {
    /// Decides whether a cluster is compressed, after all other attributes are known.
    pub(super) fn settle_compression(&mut self, draft: &mut Draft) -> Done {
        if draft.alternate_index {
            draft.attributes.compressed = false;
            return Ok(());
        }
        let unfit = unfit(draft.organization, &draft.attributes);
        let class = self.dds.data_class(&draft.attributes.data_class).unwrap_or_default();
        // The model's attribute applies unless the command overrides it.
        let of_model = draft.attributes.compressed;
        draft.attributes.compressed = match (draft.compressed, unfit) {
            (Some(false), _) => false,
            (Some(true), None) => true,
            (Some(true), Some(why)) => return Err(Failure::new(12, [format!("IDC3007I COMPRESSED: {why}")])),
            (None, unfit) => unfit.is_none() && (of_model || class.compaction && is_large(&draft.attributes)),
        };
        if draft.compressed.is_none() && (of_model || class.compaction) && !draft.attributes.compressed {
            self.listing.line(&format!("IGD17163I COMPRESSION REQUEST NOT HONORED FOR DATA SET {}", draft.name));
            self.listing.line("BECAUSE DATA SET CHARACTERISTICS DO NOT MEET COMPRESSION CRITERIA, ALLOCATION CONTINUES");
        }
        Ok(())
    }
}
