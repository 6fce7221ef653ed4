//! LISTCAT: entries by name, level or all, in the layout of the access method services listing.
//!
//! Fields are `NAME---...---value`, 24 columns wide, four to a line. Invariant: statistics are those of the store at the moment of the
//! command; an attribute without a counterpart here (volumes' tracks, passwords, RLS state) is listed with the value of a fresh data set.

use super::mask::matches;
use super::parser::Command;
use super::{Done, Failure, Run, name_of};
use crate::catalog::EntryKind;
use crate::catalog::*;
use crate::data_sets::generations::GenerationStatus;

const CATALOG_NAME: &str = "CATALOG.REGENT";
pub(super) const DEFAULT_VOLUME: &str = "REGENT";
pub(super) const FIELD_WIDTH: usize = 24;
pub(super) const INDENT: &str = "       ";

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(super) enum Detail {
    Name,
    History,
    Volume,
    Allocation,
    All,
}

pub(super) fn field(name: &str, value: &str) -> String {
    let dashes = FIELD_WIDTH.saturating_sub(name.len() + value.len()).max(1);
    format!("{name}{}{value}", "-".repeat(dashes))
}

pub(super) fn number(name: &str, value: u64) -> String {
    field(name, &value.to_string())
}

pub(super) fn or_null(text: &str) -> &str {
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
    let moment = crate::moment::Moment::at(seconds);
    let (hour, minute, second) = (moment.seconds / 3600, moment.seconds / 60 % 60, moment.seconds % 60);
    format!("{:02}{:03} {hour:02}:{minute:02}:{second:02}.0", moment.year % 100, moment.day_of_year)
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
        let expires = crate::catalog::retention::comparable(entry.expires());
        let before = |days: u32| crate::moment::Moment::before_days(days).ordinal();
        let within = |days: u32| crate::moment::Moment::after_days(days).ordinal();
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
                // Kinds of entries that do not exist here, and the only catalog.
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

    pub(super) fn title(&mut self, label: &str, name: &str, component: bool) {
        let dashes = 15usize.saturating_sub(label.len() + 1).max(3);
        let indent = if component { "   " } else { "" };
        self.listing.line(&format!("{indent}{label} {} {name}", "-".repeat(dashes.saturating_sub(indent.len()))));
        self.listing.line(&format!("     IN-CAT --- {CATALOG_NAME}"));
    }

    pub(super) fn section(&mut self, title: &str) {
        self.listing.line(&format!("     {title}"));
    }

    pub(super) fn fields(&mut self, fields: &[String]) {
        self.listing.line(&format!("{INDENT}{}", fields.join("     ")));
    }

    pub(super) fn history(&mut self, owner: &str, created: u32, expires: u32) {
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

    /// The status of a data set with the name of a generation in its group.
    fn list_status(&mut self, name: &str) -> Done {
        let status = match self.data_sets.generation_status(name)? {
            None => return Ok(()),
            Some(GenerationStatus::Active) => "ACTIVE",
            Some(GenerationStatus::Deferred) => "DEFERRED",
            Some(GenerationStatus::RolledOff) => "ROLLED-OFF",
        };
        self.fields(&[field("STATUS", status)]);
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
            if group.extended { "EXTENDED" } else { "NOEXTENDED" },
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
