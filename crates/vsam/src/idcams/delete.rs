//! The DELETE command.
//!
//! Rules: an entry that has not expired needs PURGE. A non-VSAM data set is also scratched (its flat file is removed) unless NOSCRATCH is
//! given; so is a generation that rolls off a group with SCRATCH. FORCE deletes a generation group together with its generations, RECOVERY
//! without them.

use super::parser::{Command, Parameter};
use super::{Done, Failure, Run, name_of};
use crate::catalog::Entry;
use crate::catalog::EntryKind;
use crate::data_sets::generations::RolledOff;

/// The type keyword of DELETE and the entries it allows.
fn kind_of(word: &str) -> Option<&'static [EntryKind]> {
    Some(match word {
        "CLUSTER" | "CL" => &[EntryKind::Cluster],
        "ALTERNATEINDEX" | "AIX" => &[EntryKind::AlternateIndex],
        "PATH" => &[EntryKind::Path],
        "NONVSAM" | "NVSAM" => &[EntryKind::NonVsam],
        "GENERATIONDATAGROUP" | "GDG" => &[EntryKind::GenerationGroup],
        "ALIAS" => &[EntryKind::Alias],
        _ => return None,
    })
}

/// How entries are deleted.
pub(super) struct Deletion<'a> {
    /// Kinds of entries to delete; `None`: any.
    pub kinds: Option<&'a [EntryKind]>,
    pub purge: bool,
    pub scratch: bool,
}

impl Run<'_> {
    pub(super) fn delete(&mut self, command: &Command) -> Done {
        let mut names: Vec<&Parameter> = Vec::new();
        let mut kinds: Option<&[EntryKind]> = None;
        let (mut force, mut recovery, mut mask) = (false, false, false);
        let (mut purge, mut scratch) = (false, true);
        let (mut test, mut excluded) = (false, Vec::new());
        for (position, parameter) in command.parameters.iter().enumerate() {
            if position == 0 {
                match &parameter.arguments {
                    Some(list) if parameter.word().is_empty() => names.extend(list),
                    _ => names.push(parameter),
                }
            } else if let Some(allowed) = kind_of(parameter.word()) {
                kinds = Some(allowed);
            } else {
                match parameter.word() {
                    "FORCE" | "FRC" => force = true,
                    "RECOVERY" | "RCVRY" => recovery = true,
                    "SCRATCH" | "SCR" => scratch = true,
                    "NOSCRATCH" | "NSCR" => scratch = false,
                    "MASK" => mask = true,
                    "NOMASK" => mask = false,
                    "TEST" => test = true,
                    "EXCLUDE" | "EXCL" => {
                        for argument in parameter.arguments.as_deref().unwrap_or_default() {
                            excluded.push(name_of(argument)?);
                        }
                    }
                    "PURGE" | "PRG" => purge = true,
                    "NOPURGE" | "NPRG" | "ERASE" | "ERAS" | "NOERASE" | "NERAS" | "NOFORCE" | "NFRC" | "NORECOVERY" | "NRCVRY"
                    | "NODISCONNECT" | "FILE" | "CATALOG" | "CAT" => {}
                    _ => return Err(Failure::improper(parameter)),
                }
            }
        }
        if names.is_empty() {
            return Err(Failure::missing("ENTRYNAME"));
        }
        if mask && names.len() > 1 {
            let why = "IDC2900I MASK PARAMETER NOT ALLOWED FOR MORE THAN ONE ENTRY-NAME TO BE SPECIFIED IN ONE DELETE COMMAND";
            return Err(Failure::new(8, [why.to_string()]));
        }
        let deletion = Deletion { kinds, purge, scratch };
        for parameter in names {
            let name = super::absolute_name(self.data_sets, parameter)?;
            for name in self.expand(&name, mask, kinds)? {
                if excluded.iter().any(|pattern| super::mask::matches(pattern, &name)) {
                    continue;
                }
                if test {
                    self.listing.line(&format!("IDC0552I ENTRY {name} WOULD BE DELETED"));
                    continue;
                }
                if let Ok(Some(Entry::GenerationGroup(group))) = self.data_sets.catalog().get(&name) {
                    if recovery {
                        self.data_sets.delete_group(&name)?;
                    } else if force {
                        let all = Deletion { kinds: None, ..deletion };
                        group.generations.iter().for_each(|generation| self.delete_one(generation, &all));
                    }
                }
                self.delete_one(&name, &deletion);
            }
        }
        Ok(())
    }

    /// The names that a generic name matches; the name itself if it is not generic. A filter key needs MASK, and matches clusters and
    /// non-VSAM data sets if no type is given.
    fn expand(&self, name: &str, mask: bool, kinds: Option<&[EntryKind]>) -> Result<Vec<String>, Failure> {
        if !super::is_generic(name) {
            return Ok(vec![name.to_string()]);
        }
        if !mask && super::mask::is_filter_key(name) {
            return Err(Failure::syntax(format!("IDC3203I '{name}' IS ALLOWED WITH MASK ONLY")));
        }
        let wanted = |entry: &Entry| match (kinds, entry.kind()) {
            (Some(kinds), kind) => kinds.contains(&kind),
            (None, EntryKind::Data | EntryKind::Index) => false,
            (None, EntryKind::Cluster | EntryKind::NonVsam) => true,
            (None, _) => !mask,
        };
        let prefix = name.split(['*', '%']).next().unwrap_or_default();
        let mut names = Vec::new();
        self.data_sets.catalog().for_each(Some(prefix), |candidate, entry| {
            if wanted(&entry) && super::mask::matches(name, candidate) {
                names.push(candidate.to_string());
            }
        })?;
        if names.is_empty() { Err(super::not_found(name)) } else { Ok(names) }
    }

    pub(super) fn delete_one(&mut self, name: &str, how: &Deletion<'_>) {
        match self.try_delete(name, how) {
            Ok(gone) => {
                for (kind, name) in gone {
                    self.listing.line(&format!("IDC0550I ENTRY ({}) {name} DELETED", kind.letter()));
                }
            }
            Err(failure) => {
                self.fail(Failure { code: 8, ..failure });
                self.listing.line(&format!("IDC0551I ** ENTRY {name} NOT DELETED"));
            }
        }
    }

    fn try_delete(&self, name: &str, how: &Deletion<'_>) -> Result<Vec<(EntryKind, String)>, Failure> {
        // An entry of the wrong type counts as missing. An entry may already have been deleted with its cluster by the same generic name.
        let wanted = |entry: &Entry| how.kinds.is_none_or(|kinds| kinds.contains(&entry.kind()));
        let Some(entry) = self.data_sets.catalog().get(name)?.filter(wanted) else { return Err(super::not_found(name)) };
        if !how.purge && crate::catalog::retention::keeps(entry.expires()) {
            let lines = ["IDC3023I UNEXPIRED PURGE DATE", "IDC3009I ** VSAM CATALOG RETURN CODE IS 84"];
            return Err(Failure::new(8, lines.map(String::from)));
        }
        // The file first: if it cannot be removed the entry stays.
        if how.scratch && matches!(entry, Entry::NonVsam(_)) {
            self.scratch(name)?;
        }
        Ok(self.data_sets.delete(name)?)
    }

    fn scratch(&self, name: &str) -> Done {
        let failed =
            |error: std::io::Error| Failure::new(8, [format!("IDC3302I ACTION ERROR ON {name}: {}", error.to_string().to_uppercase())]);
        self.dds.scratch(name).map(drop).map_err(failed)
    }

    /// Lists the generations that a new one or a lower LIMIT has rolled off, and removes the files of those that are scratched.
    pub(super) fn list_rolled_off(&mut self, rolled_off: &RolledOff) {
        for name in &rolled_off.scratched {
            self.listing.line(&format!("IDC0550I ENTRY ({}) {name} DELETED", EntryKind::NonVsam.letter()));
            if let Err(failure) = self.scratch(name) {
                self.fail(failure);
            }
        }
        for name in &rolled_off.recataloged {
            self.listing.line(&format!("IDC0531I ENTRY {name} ALTERED: ROLLED OFF AND RECATALOGED"));
        }
    }

    /// Whether the tables of a cluster or alternate index are empty.
    pub(super) fn is_empty(&self, name: &str) -> Result<bool, Failure> {
        let entry = self.data_sets.catalog().get(name)?;
        let Some(attributes) = entry.as_ref().and_then(Entry::attributes) else { return Ok(true) };
        let table = self.data_sets.store().table(&crate::catalog::data_table(attributes.number))?;
        let mut empty = true;
        self.data_sets.store().scan(&table, None, crate::store::Direction::Forward, &mut |_, _| {
            empty = false;
            false
        })?;
        Ok(empty)
    }
}
