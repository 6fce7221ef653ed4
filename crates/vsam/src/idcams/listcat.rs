//! LISTCAT: entries by name, level or all, in the layout of the access method services listing.
//!
//! Fields are `NAME---...---value`, 24 columns wide, four to a line. Invariant: statistics are those of the store at the moment of
//! the command; what has no counterpart here (volumes' tracks, passwords, RLS state) is listed with the value of a fresh data set.

use super::mask::matches;
use super::parser::Command;
use super::{Done, Failure, Run, name_of};
use crate::catalog::*;
use crate::component::ComponentStatistics;
use crate::define::EntryKind;

const CATALOG_NAME: &str = "CATALOG.REGENT";
const DEFAULT_VOLUME: &str = "REGENT";
const FIELD_WIDTH: usize = 24;
const WIDE_WIDTH: usize = 53;
const INDENT: &str = "       ";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Detail {
    Name,
    History,
    Volume,
    Allocation,
    All,
}

fn field(name: &str, value: &str) -> String {
    let dashes = FIELD_WIDTH.saturating_sub(name.len() + value.len()).max(1);
    format!("{name}{}{value}", "-".repeat(dashes))
}

fn number(name: &str, value: u64) -> String {
    field(name, &value.to_string())
}

/// A field across the places of two, for numbers of bytes.
fn wide(name: &str, value: u64) -> String {
    let value = value.to_string();
    let dashes = WIDE_WIDTH.saturating_sub(name.len() + value.len()).max(1);
    format!("{name}{}{value}", "-".repeat(dashes))
}

fn or_null(text: &str) -> &str {
    if text.is_empty() { "(NULL)" } else { text }
}

fn date(ordinal: u32) -> String {
    format!("{:04}.{:03}", ordinal / 1000, ordinal % 1000)
}

/// Year and day, and time of day, of a moment in seconds since 1970.
fn timestamp(seconds: u64) -> String {
    if seconds == 0 {
        return "00000 00:00:00.0".to_string();
    }
    let moment = super::listing::Moment::at(seconds);
    let (hour, minute, second) = (moment.seconds / 3600, moment.seconds / 60 % 60, moment.seconds % 60);
    format!("{:02}{:03} {hour:02}:{minute:02}:{second:02}.0", moment.year % 100, moment.day_of_year)
}

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

/// CREATION and EXPIRATION: created that many days ago or before, expiring in that many days or before.
#[derive(Default)]
struct Days {
    created: Option<u32>,
    expires: Option<u32>,
}

impl Days {
    fn admit(&self, entry: &Entry) -> bool {
        let created = match entry {
            Entry::NonVsam(entry) => entry.created,
            Entry::GenerationGroup(group) => group.created,
            other => other.attributes().map_or(0, |attributes| attributes.created),
        };
        let expires = crate::retention::comparable(entry.expires());
        let before = |days: u32| super::listing::Moment::before_days(days).ordinal();
        let within = |days: u32| super::listing::Moment::after_days(days).ordinal();
        self.created.is_none_or(|days| created <= before(days)) && self.expires.is_none_or(|days| expires <= within(days))
    }
}

impl Run<'_> {
    pub(super) fn listcat(&mut self, command: &Command) -> Done {
        let mut entries: Vec<String> = Vec::new();
        let mut level = None;
        let mut kinds: Vec<EntryKind> = Vec::new();
        let mut detail = Detail::Name;
        let (mut days, mut outfile, mut nothing) = (Days::default(), None, false);
        for parameter in &command.parameters {
            match parameter.word() {
                "ENTRIES" | "ENTRY" | "ENT" => {
                    for argument in parameter.arguments.as_deref().unwrap_or_default() {
                        entries.push(name_of(argument)?);
                    }
                }
                "LEVEL" | "LVL" => level = Some(super::one_name(parameter)?),
                "ALL" => detail = Detail::All,
                "NAME" => detail = Detail::Name,
                "HISTORY" | "HIST" => detail = Detail::History,
                "VOLUME" | "VOL" => detail = Detail::Volume,
                "ALLOCATION" | "ALLOC" => detail = Detail::Allocation,
                "CLUSTER" | "CL" => kinds.push(EntryKind::Cluster),
                "DATA" => kinds.push(EntryKind::Data),
                "INDEX" | "IX" => kinds.push(EntryKind::Index),
                "ALTERNATEINDEX" | "AIX" => kinds.push(EntryKind::AlternateIndex),
                "PATH" => kinds.push(EntryKind::Path),
                "NONVSAM" | "NVSAM" => kinds.push(EntryKind::NonVsam),
                "GENERATIONDATAGROUP" | "GDG" => kinds.push(EntryKind::GenerationGroup),
                "ALIAS" => kinds.push(EntryKind::Alias),
                "CREATION" | "CREAT" => days.created = Some(super::numbers(parameter, 1, 1)?[0]),
                "EXPIRATION" | "EXPIR" => days.expires = Some(super::numbers(parameter, 1, 1)?[0]),
                "OUTFILE" | "OFILE" => outfile = Some(parameter),
                // Kinds of entries there are none of here, and the one catalog.
                "USERCATALOG" | "UCAT" => nothing = true,
                "SPACE" | "SPC" | "PAGESPACE" | "PGSPC" | "LIBRARYENTRIES" | "VOLUMEENTRIES" => nothing = true,
                "CATALOG" | "CAT" | "FILE" | "LIBRARY" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        // Records committed a moment ago count.
        self.data_sets.store().keypoint()?;
        let mut names = self.listed_names(&entries, level.as_deref())?;
        names.retain(|(_, entry)| !(nothing && kinds.is_empty()) && days.admit(entry));
        let start = self.listing.text.len();
        self.listing.line(&format!("{:30}LISTING FROM CATALOG -- {CATALOG_NAME}", ""));
        let mut listed = Vec::new();
        for (name, entry) in names {
            self.list_entry(&name, &entry, detail, &kinds, &mut listed)?;
        }
        self.list_totals(&listed);
        self.divert(start, outfile)
    }

    /// The entries to list, components left to their clusters unless named themselves.
    fn listed_names(&mut self, entries: &[String], level: Option<&str>) -> Result<Vec<(String, Entry)>, Failure> {
        let catalog = self.data_sets.catalog();
        let mut names = Vec::new();
        if entries.is_empty() {
            let prefix = level.map(|level| level.split('*').next().unwrap_or_default());
            let pattern = level.map(|level| format!("{level}.**"));
            catalog.for_each(prefix, |name, entry| {
                let fits = pattern.as_deref().is_none_or(|pattern| matches(pattern, name) && Some(name) != level);
                if fits && !matches!(entry, Entry::Component(..)) {
                    names.push((name.to_string(), entry));
                }
            })?;
            if let (true, Some(level)) = (names.is_empty(), level) {
                return Err(super::not_found(level));
            }
            return Ok(names);
        }
        let mut missing = Vec::new();
        for pattern in entries {
            let before = names.len();
            if super::is_generic(pattern) {
                let prefix = pattern.split(['*', '%']).next().unwrap_or_default();
                catalog.for_each(Some(prefix), |name, entry| {
                    if matches(pattern, name) && !matches!(entry, Entry::Component(..)) {
                        names.push((name.to_string(), entry));
                    }
                })?;
            } else if let Some(entry) = catalog.get(pattern)? {
                names.push((pattern.clone(), entry));
            }
            if names.len() == before {
                missing.push(pattern.clone());
            }
        }
        for name in missing {
            let failure = super::not_found(&name);
            for line in &failure.lines {
                self.listing.line(line);
            }
            self.listing.message(4, &format!("IDC1566I ** {name} NOT LISTED"));
        }
        Ok(names)
    }

    fn title(&mut self, label: &str, name: &str, component: bool) {
        let dashes = 15usize.saturating_sub(label.len() + 1).max(3);
        let indent = if component { "   " } else { "" };
        self.listing.line(&format!("{indent}{label} {} {name}", "-".repeat(dashes.saturating_sub(indent.len()))));
        self.listing.line(&format!("     IN-CAT --- {CATALOG_NAME}"));
    }

    fn section(&mut self, title: &str) {
        self.listing.line(&format!("     {title}"));
    }

    fn fields(&mut self, fields: &[String]) {
        self.listing.line(&format!("{INDENT}{}", fields.join("     ")));
    }

    fn history(&mut self, owner: &str, created: u32, expires: u32) {
        self.section("HISTORY");
        self.fields(&[field("DATASET-OWNER", or_null(owner)), field("CREATION", &date(created))]);
        self.fields(&[field("RELEASE", "2"), field("EXPIRATION", &date(expires))]);
    }

    fn list_entry(&mut self, name: &str, entry: &Entry, detail: Detail, kinds: &[EntryKind], listed: &mut Vec<EntryKind>) -> Done {
        let wanted = |kind: EntryKind| kinds.is_empty() || kinds.contains(&kind);
        let full = detail != Detail::Name;
        if let Entry::Component(owner, data) = entry {
            let Some(owner_entry) = self.data_sets.catalog().get(owner)? else { return Ok(()) };
            return self.list_component(owner, &owner_entry, (*data, false), detail, listed);
        }
        if wanted(entry.kind()) {
            listed.push(entry.kind());
            match entry {
                Entry::Cluster(cluster) => self.list_cluster(name, cluster, detail)?,
                Entry::AlternateIndex(index) => self.list_index(name, index, detail),
                Entry::Path(path) => self.list_path(name, path, detail)?,
                Entry::NonVsam(entry) => {
                    self.title("NONVSAM", name, false);
                    if full {
                        self.history("", entry.created, entry.expires);
                        self.list_status(name)?;
                    }
                    if detail >= Detail::Volume {
                        self.section("VOLUMES");
                        let volume = entry.volumes.first().map_or(DEFAULT_VOLUME, String::as_str);
                        self.fields(&[field("VOLSER", volume), field("DEVTYPE", "X'3010200F'"), number("FSEQN", 0)]);
                        self.section("ASSOCIATIONS--------(NULL)");
                    }
                }
                Entry::GenerationGroup(group) => self.list_group(name, group, full),
                Entry::Alias(target) => {
                    self.title("ALIAS", name, false);
                    if full {
                        self.section("ASSOCIATIONS");
                        self.listing.line(&format!("{INDENT}ENTRY----{target}"));
                    }
                }
                Entry::Component(..) => {}
            }
        }
        for (kind, data) in [(EntryKind::Data, true), (EntryKind::Index, false)] {
            let present = entry.attributes().is_some_and(|a| if data { !a.data_name.is_empty() } else { !a.index_name.is_empty() });
            if present && wanted(kind) {
                self.list_component(name, entry, (data, wanted(entry.kind())), detail, listed)?;
            }
        }
        Ok(())
    }

    fn list_cluster(&mut self, name: &str, cluster: &ClusterEntry, detail: Detail) -> Done {
        let a = &cluster.attributes;
        self.title("CLUSTER", name, false);
        if detail == Detail::Name {
            return Ok(());
        }
        self.history(&a.owner, a.created, a.expires);
        if detail != Detail::All {
            return Ok(());
        }
        self.section("SMSDATA");
        self.fields(&[format!("STORAGECLASS {:->11}", or_null(&a.storage_class)), field("MANAGEMENTCLASS", or_null(&a.management_class))]);
        self.fields(&[format!("DATACLASS {:->14}", or_null(&a.data_class)), "LBACKUP ---0000.000.0000".to_string()]);
        self.fields(&[field("CA-RECLAIM", "(YES)")]);
        self.fields(&[field("EATTR", "(NULL)")]);
        let backup = match a.backup {
            BackupOption::Undefined => "(NULL)",
            BackupOption::No => "NO",
            BackupOption::TypeCics => "TYPECICS",
            BackupOption::TypeIms => "TYPEIMS",
            BackupOption::TypeOther => "TYPEOTHER",
        };
        let state = self.data_sets.backup_state_of(a.number)?;
        // The three flags are the first of eight bits.
        let status = format!("BWO STATUS------{:08b}", state.status << 5);
        self.fields(&[status, format!("BWO TIMESTAMP---{}", timestamp(state.recovery_point))]);
        self.fields(&[format!("BWO{backup:->21}")]);
        self.section("RLSDATA");
        let log = match a.log {
            LogOption::Undefined => "(NULL)",
            LogOption::None => "NONE",
            LogOption::Undo => "UNDO",
            LogOption::All => "ALL",
        };
        self.listing.line(&format!("{INDENT}LOG {log:->22}   RECOVERY REQUIRED --(NO)     FRLOG ------------(NULL)"));
        let replicate = format!("LOGREPLICATE{:->17}", if a.log_replicate { "(YES)" } else { "(NO)" });
        self.listing.line(&format!("{INDENT}VSAM QUIESCED -------(NO)    RLS IN USE ---------(NO)     {replicate}"));
        self.listing.line(&format!("{INDENT}LOGSTREAMID{:->35}", or_null(&a.log_stream)));
        self.listing.line(&format!("{INDENT}RECOVERY TIMESTAMP LOCAL-----X'{:016X}'", 0));
        self.listing.line(&format!("{INDENT}RECOVERY TIMESTAMP GMT-------X'{:016X}'", 0));
        self.section("ENCRYPTIONDATA");
        self.listing.line(&format!("{INDENT}DATA SET ENCRYPTION-----(NO)"));
        self.section("PROTECTION-PSWD-----(NULL)     RACF----------------(NO)");
        self.section("ASSOCIATIONS");
        self.associations(a, &cluster.indexes, &cluster.paths, None);
        Ok(())
    }

    fn associations(&mut self, a: &Attributes, indexes: &[String], paths: &[String], base: Option<&str>) {
        let mut line = |label: &str, name: &str| {
            if !name.is_empty() {
                self.listing.line(&format!("{INDENT}{label:-<9}{name}"));
            }
        };
        line("DATA", &a.data_name);
        line("INDEX", &a.index_name);
        line("CLUSTER", base.unwrap_or_default());
        indexes.iter().for_each(|index| line("AIX", index));
        paths.iter().for_each(|path| line("PATH", path));
    }

    fn list_index(&mut self, name: &str, index: &IndexEntry, detail: Detail) {
        self.title("AIX", name, false);
        if detail == Detail::Name {
            return;
        }
        self.history(&index.attributes.owner, index.attributes.created, index.attributes.expires);
        if detail == Detail::All {
            self.section("PROTECTION-PSWD-----(NULL)     RACF----------------(NO)");
            self.section("ATTRIBUTES");
            self.listing.line(&format!("{INDENT}{}", if index.upgrade { "UPGRADE" } else { "NOUPGRADE" }));
            self.section("ASSOCIATIONS");
            self.associations(&index.attributes, &[], &index.paths, Some(&index.base));
        }
    }

    fn list_path(&mut self, name: &str, path: &PathEntry, detail: Detail) -> Done {
        self.title("PATH", name, false);
        if detail == Detail::Name {
            return Ok(());
        }
        let through = self.data_sets.catalog().get(&path.entry)?;
        let attributes = through.as_ref().and_then(Entry::attributes);
        self.history("", attributes.map_or(0, |a| a.created), path.expires);
        if detail != Detail::All {
            return Ok(());
        }
        self.section("PROTECTION-PSWD-----(NULL)     RACF----------------(NO)");
        self.section("ASSOCIATIONS");
        match through {
            Some(Entry::AlternateIndex(index)) => {
                self.listing.line(&format!("{INDENT}AIX------{}", path.entry));
                self.associations(&index.attributes, &[], &[], None);
                if let Some(Entry::Cluster(cluster)) = self.data_sets.catalog().get(&index.base)? {
                    self.associations(&cluster.attributes, &[], &[], None);
                }
            }
            Some(Entry::Cluster(cluster)) => {
                self.listing.line(&format!("{INDENT}CLUSTER--{}", path.entry));
                self.associations(&cluster.attributes, &[], &[], None);
            }
            _ => {}
        }
        self.section("ATTRIBUTES");
        self.listing.line(&format!("{INDENT}{}", if path.update { "UPDATE" } else { "NOUPDATE" }));
        Ok(())
    }

    /// Whether a data set with the name of a generation is in its group.
    fn list_status(&mut self, name: &str) -> Done {
        let Some((base, _)) = crate::generations::group_of(name) else { return Ok(()) };
        if let Some(Entry::GenerationGroup(group)) = self.data_sets.catalog().get(base)? {
            let active = group.generations.iter().any(|generation| generation == name);
            self.fields(&[field("STATUS", if active { "ACTIVE" } else { "ROLLED-OFF" })]);
        }
        Ok(())
    }

    fn list_group(&mut self, name: &str, group: &GenerationGroupEntry, full: bool) {
        self.title("GDG BASE", name, false);
        if !full {
            return;
        }
        self.history("", group.created, group.expires);
        self.section("ATTRIBUTES");
        let flags = [
            if group.purge { "PURGE" } else { "NOPURGE" },
            if group.scratch { "SCRATCH" } else { "NOSCRATCH" },
            if group.empty { "EMPTY" } else { "NOEMPTY" },
            if group.fifo { "FIFO" } else { "LIFO" },
        ];
        self.listing.line(&format!("{INDENT}{}     {}", number("LIMIT", group.limit.into()), flags.join("     ")));
        if group.generations.is_empty() {
            self.section("ASSOCIATIONS--------(NULL)");
            return;
        }
        self.section("ASSOCIATIONS");
        for generation in &group.generations {
            self.listing.line(&format!("{INDENT}NONVSAM--{generation}"));
        }
    }

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
    fn list_component(
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
        let (organisation, key_position) = match entry {
            Entry::Cluster(cluster) => (cluster.organisation, a.key_position),
            // In the alternate index's own records the key comes after five bytes of control information.
            _ => (Organisation::Ksds, 5),
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
        let kind = match organisation {
            Organisation::Ksds => "INDEXED",
            Organisation::Esds => "NONINDEXED",
            Organisation::Linear => "LINEAR",
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

    fn list_totals(&mut self, listed: &[EntryKind]) {
        let count = |kind: EntryKind| listed.iter().filter(|other| **other == kind).count();
        self.listing.line("         THE NUMBER OF ENTRIES PROCESSED WAS:");
        for (label, total) in [
            ("AIX", count(EntryKind::AlternateIndex)),
            ("ALIAS", count(EntryKind::Alias)),
            ("CLUSTER", count(EntryKind::Cluster)),
            ("DATA", count(EntryKind::Data)),
            ("GDG", count(EntryKind::GenerationGroup)),
            ("INDEX", count(EntryKind::Index)),
            ("NONVSAM", count(EntryKind::NonVsam)),
            ("PAGESPACE", 0),
            ("PATH", count(EntryKind::Path)),
            ("SPACE", 0),
            ("USERCATALOG", 0),
            ("TAPELIBRARY", 0),
            ("TAPEVOLUME", 0),
            ("TOTAL", listed.len()),
        ] {
            let value = total.to_string();
            let dashes = FIELD_WIDTH.saturating_sub(label.len() + 1 + value.len());
            self.listing.line(&format!("{:19}{label} {}{value}", "", "-".repeat(dashes)));
        }
        self.listing.line("         THE NUMBER OF PROTECTED ENTRIES SUPPRESSED WAS 0");
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

/// Bytes allocated and extents: the primary, then secondaries until what is used fits.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_24_columns_wide() {
        assert_eq!(number("KEYLEN", 11), "KEYLEN----------------11");
        assert_eq!(field("DATASET-OWNER", "(NULL)"), "DATASET-OWNER-----(NULL)");
        assert_eq!(number("HI-A-RBA", 829_440), "HI-A-RBA----------829440");
    }
}
