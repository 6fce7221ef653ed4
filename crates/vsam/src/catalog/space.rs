//! Sizes on a 3390: control intervals, control areas and index records of a component.

use super::{Attributes, SpaceUnit};

/// The control interval size chosen by default: half a track of a 3390, as DFSMS does, or the size the record needs.
pub fn default_ci_size(record_max: u32, spanned: bool) -> u32 {
    const HALF_TRACK: u32 = 18_432;
    if spanned || record_max + 7 <= HALF_TRACK {
        return HALF_TRACK;
    }
    (record_max + 7).next_multiple_of(2048).min(32_768)
}

impl Attributes {
    /// Control intervals in a control area: the smaller of the allocations, at most a cylinder, on a 3390.
    pub fn cis_per_ca(&self) -> u32 {
        let records_per_ci = ((self.ci_size.saturating_sub(10)) / self.record_average.max(1)).max(1);
        let tracks = |amount: u32| -> u32 {
            let cis = match self.space_unit {
                SpaceUnit::Tracks => return amount,
                SpaceUnit::Cylinders => return amount.saturating_mul(TRACKS_PER_CYLINDER),
                SpaceUnit::Records => amount.div_ceil(records_per_ci),
                SpaceUnit::Kilobytes => (amount as u64 * 1024).div_ceil(self.ci_size as u64) as u32,
                SpaceUnit::Megabytes => (amount as u64 * 1_048_576).div_ceil(self.ci_size as u64) as u32,
            };
            cis.div_ceil(cis_per_track(self.ci_size))
        };
        let (primary, secondary) = (tracks(self.space_primary), tracks(self.space_secondary));
        let smaller = if secondary == 0 { primary } else { primary.min(secondary) };
        smaller.clamp(1, TRACKS_PER_CYLINDER) * cis_per_track(self.ci_size)
    }
}

const TRACKS_PER_CYLINDER: u32 = 15;

/// Control intervals on a track of a 3390, by size (physical blocks of the same size; half tracks above 24 KB).
pub(crate) fn cis_per_track(ci_size: u32) -> u32 {
    match ci_size {
        0..=512 => 49,
        513..=1024 => 33,
        1025..=1536 => 26,
        1537..=2048 => 21,
        2049..=2560 => 17,
        2561..=3072 => 15,
        3073..=3584 => 13,
        3585..=4096 => 12,
        4097..=6144 => 8,
        6145..=8192 => 6,
        8193..=12_288 => 4,
        12_289..=18_432 => 3,
        18_433..=26_624 => 2,
        _ => 1,
    }
}

/// Index records and levels for this many control areas: one sequence set record each, about 58 entries a record above.
pub(crate) fn index_shape(control_areas: u64) -> (u64, u64) {
    let (mut total, mut level, mut levels) = (control_areas, control_areas, 1);
    while level > 1 {
        level = level.div_ceil(58);
        total += level;
        levels += 1;
    }
    (total, levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_area_is_the_smaller_allocation_up_to_a_cylinder() {
        let mut attributes = Attributes::new(8, 0, 100, 100);
        assert_eq!((attributes.ci_size, attributes.cis_per_ca()), (18_432, 45));
        attributes.ci_size = 4096;
        assert_eq!(attributes.cis_per_ca(), 180);
        attributes.space_unit = SpaceUnit::Tracks;
        (attributes.space_primary, attributes.space_secondary) = (100, 3);
        assert_eq!(attributes.cis_per_ca(), 36);
        attributes.space_unit = SpaceUnit::Records;
        (attributes.space_primary, attributes.space_secondary) = (100, 10);
        assert_eq!(attributes.cis_per_ca(), 12);
    }
}
