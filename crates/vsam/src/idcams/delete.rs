//! DELETE.

use super::parser::{Command, Parameter};
use super::{Done, Failure, Run, name_of};
use crate::catalog::Entry;
use crate::define::EntryKind;
use crate::error::FileError;

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

impl Run<'_> {
    pub(super) fn delete(&mut self, command: &Command) -> Done {
        let mut names: Vec<&Parameter> = Vec::new();
        let mut kinds: Option<&[EntryKind]> = None;
        let (mut force, mut purge, mut mask) = (false, false, false);
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
                    "FORCE" | "FRC" | "RECOVERY" | "RCVRY" => force = true,
                    "MASK" => mask = true,
                    "NOMASK" => mask = false,
                    "TEST" => test = true,
                    "EXCLUDE" | "EXCL" => {
                        for argument in parameter.arguments.as_deref().unwrap_or_default() {
                            excluded.push(name_of(argument)?);
                        }
                    }
                    "PURGE" | "PRG" => purge = true,
                    "NOPURGE" | "NPRG" | "ERASE" | "ERAS" | "NOERASE" | "NERAS" | "NOFORCE" | "NFRC" | "SCRATCH" | "SCR" | "NOSCRATCH"
                    | "NSCR" | "NORECOVERY" | "NRCVRY" | "NODISCONNECT" | "FILE" | "CATALOG" | "CAT" => {}
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
                if force && let Ok(Some(Entry::GenerationGroup(_))) = self.data_sets.catalog().get(&name) {
                    self.data_sets.delete_group(&name)?;
                }
                self.delete_one(&name, kinds, purge);
            }
        }
        Ok(())
    }

    /// Names a generic name stands for; the name itself if it is not generic. A filter key needs MASK, and means clusters and non-VSAM
    /// data sets where no type is given.
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

    pub(super) fn delete_one(&mut self, name: &str, kinds: Option<&[EntryKind]>, purge: bool) {
        let today = super::listing::Moment::now().ordinal();
        let retained = |entry: &Entry| entry.attributes().is_some_and(|attributes| attributes.expires > today);
        let result = match self.data_sets.catalog().get(name) {
            Ok(Some(entry)) if !purge && retained(&entry) => {
                self.fail(Failure::new(8, ["IDC3019I INVALID OPERATION: UNEXPIRED PURGE DATE".to_string()]));
                self.listing.line(&format!("IDC0551I ** ENTRY {name} NOT DELETED"));
                return;
            }
            // Of the wrong type is as good as not there.
            Ok(Some(entry)) if kinds.is_some_and(|kinds| !kinds.contains(&entry.kind())) => {
                Err(FileError::DataSetNotFound(name.to_string()))
            }
            // An entry deleted with its cluster just before, by a generic name.
            Ok(_) => self.data_sets.delete(name),
            Err(error) => Err(error.into()),
        };
        match result {
            Ok(gone) => {
                for (kind, name) in gone {
                    self.listing.line(&format!("IDC0550I ENTRY ({}) {name} DELETED", kind.letter()));
                }
            }
            Err(error) => {
                self.fail(Failure { code: 8, ..error.into() });
                self.listing.line(&format!("IDC0551I ** ENTRY {name} NOT DELETED"));
            }
        }
    }

    /// Whether the tables of a cluster or alternate index hold nothing.
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
