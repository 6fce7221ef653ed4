//! LISTCAT of data and index components: attributes, statistics, allocation, volume.

use super::listcat::{DEFAULT_VOLUME, Detail, FIELD_WIDTH, INDENT, field, number, or_null};
use super::{Done, Failure, Run};
use crate::catalog::EntryKind;
use crate::catalog::*;
use crate::component::ComponentStatistics;

const WIDE_WIDTH: usize = 53;

/// Sizes of a data component.
struct Sizes {
    statistics: ComponentStatistics,
    records: u64,
    high_used: u64,
    high_allocated: u64,
    extents: u64,
    free: u64,
    /// Bytes of a compressed data set's records, as written and as stored.
    record_bytes: Option<(u64, u64)>,
}

/// A field across the places of two, for numbers of bytes.
fn wide(name: &str, value: u64) -> String {
    let value = value.to_string();
    let dashes = WIDE_WIDTH.saturating_sub(name.len() + value.len()).max(1);
    format!("{name}{}{value}", "-".repeat(dashes))
}

impl Run<'_> {
    fn sizes(&self, owner: &str, entry: &Entry) -> Result<Sizes, Failure> {
        let (base, a) = match entry {
            Entry::Cluster(cluster) => (owner, &cluster.attributes),
            Entry::AlternateIndex(index) => (index.base.as_str(), &index.attributes),
            _ => return Err(super::not_found(owner)),
        };
        let sphere = self.data_sets.sphere(base)?;
        let ca_size = a.ci_size as u64 * a.cis_per_ca() as u64;
        let (statistics, records, high_used, used_cis) = match entry {
            Entry::Cluster(_) => {
                let statistics = sphere.statistics();
                let records = self.data_sets.store().table_size(&sphere.data)?.records;
                let high_used = sphere.high_used_rba()?;
                let used = if statistics.ci_count > 0 { statistics.ci_count } else { high_used / a.ci_size as u64 };
                (statistics, records, high_used, used)
            }
            _ => {
                let index = sphere.indexes.iter().find(|index| index.name == owner);
                let index = index.ok_or_else(|| super::not_found(owner))?;
                let entries = self.data_sets.store().table_size(&index.table)?.records;
                let pointers = if index.unique { entries } else { entries / 2 };
                let bytes = pointers * (index.key_length as u64 + 5 + sphere.key_length() as u64);
                let used = bytes.div_ceil(a.ci_size as u64);
                (ComponentStatistics::default(), pointers, (used * a.ci_size as u64).next_multiple_of(ca_size), used)
            }
        };
        let (high_allocated, extents) = allocation(a, ca_size, high_used);
        let free = high_allocated.saturating_sub(used_cis * a.ci_size as u64);
        let record_bytes = if a.compressed { Some(self.data_sets.store().record_bytes(&sphere.data)?) } else { None };
        Ok(Sizes { statistics, records, high_used, high_allocated, extents, free, record_bytes })
    }

    /// The data or index component, under its owner's entry or alone.
    pub(super) fn list_component(
        &mut self,
        owner: &str,
        entry: &Entry,
        (data, under_owner): (bool, bool),
        detail: Detail,
        listed: &mut Vec<EntryKind>,
    ) -> Done {
        let Some(a) = entry.attributes() else { return Ok(()) };
        let (label, name) = if data { ("DATA", &a.data_name) } else { ("INDEX", &a.index_name) };
        listed.push(if data { EntryKind::Data } else { EntryKind::Index });
        self.title(label, name, under_owner);
        if detail == Detail::Name {
            return Ok(());
        }
        self.history(&a.owner, a.created, a.expires);
        if data {
            self.listing.line(&format!("{INDENT}ACCOUNT-INFO{:->41}", or_null("")));
        }
        let sizes = self.sizes(owner, entry)?;
        if detail == Detail::All {
            self.section("PROTECTION-PSWD-----(NULL)     RACF----------------(NO)");
            self.section("ASSOCIATIONS");
            let kind = if matches!(entry, Entry::Cluster(_)) { "CLUSTER--" } else { "AIX------" };
            self.listing.line(&format!("{INDENT}{kind}{owner}"));
            self.attributes(entry, a, data);
            if data { self.data_statistics(a, &sizes) } else { self.index_statistics(a, &sizes) }
        }
        if detail >= Detail::Allocation {
            self.allocation(a, &sizes, data);
        }
        if detail >= Detail::Volume {
            self.volume(a, &sizes, data);
        }
        Ok(())
    }

    fn attributes(&mut self, entry: &Entry, a: &Attributes, data: bool) {
        self.section("ATTRIBUTES");
        let (average, max, ci_size, buffers) = if data {
            (a.record_average, a.record_max, a.ci_size, 2 * a.ci_size + a.index_ci_size)
        } else {
            (0, a.index_ci_size - 7, a.index_ci_size, 0)
        };
        let buffers = if data && a.buffer_space > 0 { a.buffer_space } else { buffers };
        let (organization, key_position) = match entry {
            Entry::Cluster(cluster) => (cluster.organization, a.key_position),
            // In the alternate index's own records the key follows five bytes of control information.
            _ => (Organization::Ksds, 5),
        };
        let cis_per_ca = if data { a.cis_per_ca() } else { 49 };
        self.fields(&[
            number("KEYLEN", a.key_length.into()),
            number("AVGLRECL", average.into()),
            number("BUFSPACE", buffers.into()),
            number("CISIZE", ci_size.into()),
        ]);
        self.fields(&[
            number("RKP", key_position.into()),
            number("MAXLRECL", max.into()),
            field("EXCPEXIT", "(NULL)"),
            number("CI/CA", cis_per_ca.into()),
        ]);
        if data && matches!(entry, Entry::AlternateIndex(_)) {
            self.fields(&[number("AXRKP", a.key_position.into())]);
        }
        let share = format!("SHROPTNS({},{})", a.share_cross_region, a.share_cross_system);
        let speed = if a.speed { "SPEED" } else { "RECOVERY" };
        let erase = if a.erase && data { "ERASE" } else { "NOERASE" };
        let kind = match organization {
            Organization::Ksds => "INDEXED",
            Organization::Esds => "NONINDEXED",
            Organization::Linear => "LINEAR",
            _ => "NUMBERED",
        };
        let check = if a.write_check { "WRITECHECK" } else { "NOWRITECHK" };
        let reuse = if a.reuse { "REUSE" } else { "NOREUSE" };
        let kind = if data { format!("{kind:<14}") } else { String::new() };
        self.listing.line(&format!("{INDENT}{share:<16}{speed:<13}UNIQUE{erase:>18}     {kind}{check}     UNORDERED     {reuse:>10}"));
        if data {
            let unique = match entry {
                Entry::AlternateIndex(index) if index.unique => "     UNIQUEKEY",
                Entry::AlternateIndex(_) => "     NONUNIQKEY",
                _ => "",
            };
            let spanned = if a.spanned { "SPANNED" } else { "NONSPANNED" };
            let compressed = if a.compressed { "     COMP-FORMT     EXTENDED" } else { "" };
            self.listing.line(&format!("{INDENT}{spanned}{unique}{compressed}"));
        }
    }

    fn data_statistics(&mut self, a: &Attributes, sizes: &Sizes) {
        let s = &sizes.statistics;
        self.section("STATISTICS");
        self.fields(&[number("REC-TOTAL", sizes.records), number("SPLITS-CI", s.ci_splits), number("EXCPS", s.excps)]);
        self.fields(&[number("REC-DELETED", s.records_deleted), number("SPLITS-CA", s.ca_splits), number("EXTENTS", sizes.extents)]);
        let timestamp = "SYSTEM-TIMESTAMP:".to_string();
        self.fields(&[number("REC-INSERTED", s.records_inserted), number("FREESPACE-%CI", a.freespace_ci.into()), timestamp]);
        let changed = clock(s.changed_at);
        self.fields(&[number("REC-UPDATED", s.records_updated), number("FREESPACE-%CA", a.freespace_ca.into()), changed]);
        self.fields(&[number("REC-RETRIEVED", s.records_retrieved), number("FREESPC", sizes.free)]);
        if let Some((written, kept)) = sizes.record_bytes {
            self.fields(&[wide("USER-DATA-SIZE", written)]);
            self.fields(&[wide("COMP-USER-DATA-SIZE", kept)]);
            self.fields(&[field("SIZES-VALID", "(YES)")]);
        }
    }

    fn index_statistics(&mut self, a: &Attributes, sizes: &Sizes) {
        let (records, levels) = index_shape(sizes.statistics.ca_count.max(1));
        self.section("STATISTICS");
        self.fields(&[number("REC-TOTAL", records), number("SPLITS-CI", 0), number("EXCPS", 0), "INDEX:".to_string()]);
        self.fields(&[number("REC-DELETED", 0), number("SPLITS-CA", 0), number("EXTENTS", 1), number("LEVELS", levels)]);
        let per_section = (a.cis_per_ca() as f64).sqrt() as u64;
        // The second record of an index that has more than one is the first of the next level.
        let high_level = if levels > 1 { u64::from(a.index_ci_size) } else { 0 };
        let (high_allocated, high_used) = component_rbas(a, sizes, false);
        let entries = field("ENTRIES/SECT", &per_section.to_string());
        let timestamp = format!("{:<FIELD_WIDTH$}", "SYSTEM-TIMESTAMP:");
        let clock = format!("{:<FIELD_WIDTH$}", clock(sizes.statistics.changed_at));
        self.fields(&[number("REC-INSERTED", 0), number("FREESPACE-%CI", 0), timestamp, entries]);
        self.fields(&[number("REC-UPDATED", 0), number("FREESPACE-%CA", 0), clock, number("SEQ-SET-RBA", 0)]);
        let free = number("FREESPC", high_allocated.saturating_sub(high_used));
        self.fields(&[number("REC-RETRIEVED", 0), free, " ".repeat(FIELD_WIDTH), number("HI-LEVEL-RBA", high_level)]);
    }

    fn allocation(&mut self, a: &Attributes, sizes: &Sizes, data: bool) {
        self.section("ALLOCATION");
        let (kind, primary, secondary) = if data {
            let kind = match a.space_unit {
                SpaceUnit::Tracks => "TRACK",
                SpaceUnit::Cylinders => "CYLINDER",
                SpaceUnit::Records => "RECORD",
                SpaceUnit::Kilobytes => "KILOBYTE",
                SpaceUnit::Megabytes => "MEGABYTE",
            };
            (kind, a.space_primary, a.space_secondary)
        } else {
            ("TRACK", 1, 1)
        };
        let (high_allocated, high_used) = component_rbas(a, sizes, data);
        self.fields(&[field("SPACE-TYPE", kind), number("HI-A-RBA", high_allocated)]);
        self.fields(&[number("SPACE-PRI", primary.into()), number("HI-U-RBA", high_used)]);
        self.fields(&[number("SPACE-SEC", secondary.into())]);
    }

    fn volume(&mut self, a: &Attributes, sizes: &Sizes, data: bool) {
        self.section("VOLUME");
        let volume = a.volumes.first().map_or(DEFAULT_VOLUME, String::as_str);
        let ci_size = if data { a.ci_size } else { a.index_ci_size };
        let (high_allocated, high_used) = component_rbas(a, sizes, data);
        self.fields(&[
            field("VOLSER", volume),
            number("PHYREC-SIZE", ci_size.into()),
            number("HI-A-RBA", high_allocated),
            number("EXTENT-NUMBER", if data { sizes.extents } else { 1 }),
        ]);
        self.fields(&[
            field("DEVTYPE", "X'3010200F'"),
            number("PHYRECS/TRK", cis_per_track(ci_size).into()),
            number("HI-U-RBA", high_used),
            field("EXTENT-TYPE", "X'00'"),
        ]);
        let tracks = if data { a.cis_per_ca() / cis_per_track(a.ci_size) } else { 1 };
        self.fields(&[field("VOLFLAG", "PRIME"), number("TRACKS/CA", tracks.into())]);
    }
}

/// A moment as the clock of z/Architecture shows it: microseconds in bit 51, from 1900.
fn clock(seconds: u64) -> String {
    let clock = if seconds == 0 { 0 } else { ((seconds + 2_208_988_800) * 1_000_000) << 12 };
    format!("     X'{clock:016X}'")
}

fn component_rbas(a: &Attributes, sizes: &Sizes, data: bool) -> (u64, u64) {
    if data {
        return (sizes.high_allocated, sizes.high_used);
    }
    let track = a.index_ci_size as u64 * cis_per_track(a.index_ci_size) as u64;
    let (records, _) = index_shape(sizes.statistics.ca_count.max(1));
    let used = records * a.index_ci_size as u64;
    (used.next_multiple_of(track), used)
}

/// Bytes allocated and extents: the primary, then secondaries until the used space fits.
fn allocation(a: &Attributes, ca_size: u64, high_used: u64) -> (u64, u64) {
    let bytes = |amount: u32| -> u64 {
        let track = a.ci_size as u64 * cis_per_track(a.ci_size) as u64;
        let bytes = match a.space_unit {
            SpaceUnit::Tracks => amount as u64 * track,
            SpaceUnit::Cylinders => amount as u64 * track * 15,
            SpaceUnit::Records => amount as u64 * a.record_average as u64,
            SpaceUnit::Kilobytes => amount as u64 * 1024,
            SpaceUnit::Megabytes => amount as u64 * 1_048_576,
        };
        bytes.max(1).next_multiple_of(ca_size)
    };
    let (primary, secondary) = (bytes(a.space_primary), bytes(a.space_secondary.max(1)));
    let more = high_used.saturating_sub(primary).div_ceil(secondary);
    (primary + more * secondary, 1 + more)
}
