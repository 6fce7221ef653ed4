//! DELETE and ALTER.

use super::define::{GENERATIONS_EXTENDED_MAX, GENERATIONS_MAX};
use super::parser::{Command, Parameter};
use super::{Done, Failure, Run, name_of, numbers, one_name, shown};
use crate::catalog::{BackupOption, Entry, KEY_LENGTH_MAX, LogOption};
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

    pub(super) fn alter(&mut self, command: &Command) -> Done {
        let Some(first) = command.parameters.first() else { return Err(Failure::missing("ENTRYNAME")) };
        let mut name = name_of(first)?;
        if super::is_generic(&name) {
            return Err(Failure::syntax(format!("IDC3203I ALTER OF THE GENERIC NAME '{name}' IS NOT THERE")));
        }
        let mut new_name = None;
        let changes = &command.parameters[1..];
        for parameter in changes {
            if matches!(parameter.word(), "NEWNAME" | "NEWNM") {
                new_name = Some(one_name(parameter)?);
            }
        }
        if let Some(new_name) = &new_name
            && self.data_sets.catalog().get(new_name)?.is_some()
        {
            return Err(FileError::DataSetExists(new_name.clone()).into());
        }
        let (entry_name, mut is_component) = (name.clone(), false);
        // The attributes of a component are kept with its cluster or alternate index.
        if let Some(Entry::Component(owner, _)) = self.data_sets.catalog().get(&name)? {
            (name, is_component) = (owner, true);
        }
        is_component &= changes.iter().all(|parameter| matches!(parameter.word(), "NEWNAME" | "NEWNM" | "CATALOG" | "CAT" | "FILE"));
        // What lies in the data set was written by these: they change only while it is empty.
        let shaped = |parameter: &Parameter| {
            matches!(parameter.word(), "KEYS" | "KEY" | "RECORDSIZE" | "RECSZ" | "UNIQUEKEY" | "UNQK" | "NONUNIQUEKEY" | "NUNQK")
        };
        if changes.iter().any(shaped) && !self.is_empty(&name)? {
            return Err(Failure::new(12, [format!("IDC3226I ALTER: {name} IS NOT EMPTY, KEYS AND RECORDSIZE STAY")]));
        }
        for parameter in changes.iter().filter(|parameter| matches!(parameter.word(), "INHIBIT" | "INH")) {
            self.without_meaning(parameter);
        }
        if !is_component {
            self.alter_attributes(&name, changes)?;
        }
        if let Some(new_name) = new_name {
            self.data_sets.rename(&entry_name, &new_name)?;
        }
        self.listing.line(&format!("IDC0531I ENTRY {entry_name} ALTERED"));
        Ok(())
    }

    /// All the changes of an entry, or none.
    fn alter_attributes(&self, name: &str, changes: &[Parameter]) -> Done {
        let mut problem = None;
        let altered = self.data_sets.alter(name, |entry| {
            changes.iter().try_for_each(|parameter| alter_entry(entry, parameter)).map_err(|failure| {
                problem = Some(failure);
                FileError::NotAllowed("ALTER")
            })
        });
        altered.map_err(|error| problem.unwrap_or_else(|| error.into()))
    }
}

fn alter_entry(entry: &mut Entry, parameter: &Parameter) -> Done {
    let word = parameter.word();
    match (word, &mut *entry) {
        ("NEWNAME" | "NEWNM" | "CATALOG" | "CAT" | "FILE", _) => return Ok(()),
        ("UPGRADE" | "UPG", Entry::AlternateIndex(index)) => index.upgrade = true,
        ("NOUPGRADE" | "NUPG", Entry::AlternateIndex(index)) => index.upgrade = false,
        ("UPDATE" | "UPD", Entry::Path(path)) => path.update = true,
        ("NOUPDATE" | "NUPD", Entry::Path(path)) => path.update = false,
        ("LIMIT" | "LIM", Entry::GenerationGroup(group)) => {
            // A group with more is one defined EXTENDED.
            let most = if group.limit > GENERATIONS_MAX { GENERATIONS_EXTENDED_MAX } else { GENERATIONS_MAX };
            match numbers(parameter, 1, 1)?[0] {
                limit if (1..=most).contains(&limit) => group.limit = limit,
                _ => return Err(Failure::syntax(format!("IDC3218I LIMIT IS FROM 1 TO {most}"))),
            }
        }
        ("FIFO", Entry::GenerationGroup(group)) => group.fifo = true,
        ("LIFO", Entry::GenerationGroup(group)) => group.fifo = false,
        ("INHIBIT" | "INH" | "UNINHIBIT" | "UNINH", _) => {}
        ("EMPTY" | "EMP", Entry::GenerationGroup(group)) => group.empty = true,
        ("NOEMPTY" | "NEMP", Entry::GenerationGroup(group)) => group.empty = false,
        ("SCRATCH" | "SCR", Entry::GenerationGroup(group)) => group.scratch = true,
        ("NOSCRATCH" | "NSCR", Entry::GenerationGroup(group)) => group.scratch = false,
        ("UNIQUEKEY" | "UNQK", Entry::AlternateIndex(index)) => index.unique = true,
        ("NONUNIQUEKEY" | "NUNQK", Entry::AlternateIndex(index)) => index.unique = false,
        (_, entry) => {
            let Some(attributes) = entry.attributes_mut() else { return Err(Failure::improper(parameter)) };
            match word {
                "FREESPACE" | "FSPC" => {
                    let values = numbers(parameter, 1, 2)?;
                    attributes.freespace_ci = values[0];
                    attributes.freespace_ca = values.get(1).copied().unwrap_or(0);
                }
                "SHAREOPTIONS" | "SHR" => {
                    let values = numbers(parameter, 1, 2)?;
                    attributes.share_cross_region = values[0];
                    attributes.share_cross_system = values.get(1).copied().unwrap_or(3);
                }
                "BUFFERSPACE" | "BUFSP" | "BUFSPC" => attributes.buffer_space = numbers(parameter, 1, 1)?[0],
                "ADDVOLUMES" | "AVOL" => {
                    attributes.volumes.extend(parameter.arguments.as_deref().unwrap_or_default().iter().map(shown));
                }
                "REMOVEVOLUMES" | "RVOL" => {
                    let gone: Vec<String> = parameter.arguments.as_deref().unwrap_or_default().iter().map(shown).collect();
                    attributes.volumes.retain(|volume| !gone.contains(volume));
                }
                "ERASE" | "ERAS" => attributes.erase = true,
                "NOERASE" | "NERAS" => attributes.erase = false,
                "REUSE" | "RUS" => attributes.reuse = true,
                "NOREUSE" | "NRUS" => attributes.reuse = false,
                "WRITECHECK" | "WCK" => attributes.write_check = true,
                "NOWRITECHECK" | "NWCK" => attributes.write_check = false,
                "OWNER" => attributes.owner = shown(super::one_value(parameter)?),
                "STORAGECLASS" | "STORCLAS" | "STORCLASS" | "SC" => attributes.storage_class = shown(super::one_value(parameter)?),
                "MANAGEMENTCLASS" | "MGMTCLAS" | "MGMTCLASS" | "MGC" => {
                    attributes.management_class = shown(super::one_value(parameter)?);
                }
                // As with DEFINE, of real volumes and SMS.
                "ACCOUNT" | "ACCT" | "EATTR" | "FRLOG" | "EXCEPTIONEXIT" | "EEXT" | "RLSENABLE" | "RLSQUIESCE" => {}
                "LOGSTREAMID" | "LSID" => attributes.log_stream = shown(super::one_value(parameter)?),
                "LOG" => {
                    attributes.log = match super::one_value(parameter)?.word() {
                        "NONE" => LogOption::None,
                        "UNDO" => LogOption::Undo,
                        "ALL" => LogOption::All,
                        _ => return Err(Failure::improper(parameter)),
                    }
                }
                "KEYS" | "KEY" => {
                    let values = numbers(parameter, 2, 2)?;
                    let end = values[0].saturating_add(values[1]);
                    if !(1..=KEY_LENGTH_MAX as u32).contains(&values[0]) || end > attributes.record_max {
                        return Err(Failure::new(12, ["IDC3007I KEYS: THE KEY LIES OUTSIDE THE RECORD".to_string()]));
                    }
                    (attributes.key_length, attributes.key_position) = (values[0], values[1]);
                }
                "RECORDSIZE" | "RECSZ" => {
                    let values = numbers(parameter, 2, 2)?;
                    let fits = attributes.spanned || values[1].saturating_add(7) <= attributes.ci_size;
                    if values[0] > values[1] || values[0] == 0 || !fits {
                        return Err(Failure::new(12, [format!("IDC3007I RECORDSIZE({} {}) NOT ALLOWED", values[0], values[1])]));
                    }
                    (attributes.record_average, attributes.record_max) = (values[0], values[1]);
                }
                "TO" | "FOR" => attributes.expires = super::define::expiration(parameter)?,
                "NULLIFY" | "NULL" => {
                    for what in parameter.arguments.as_deref().unwrap_or_default() {
                        match what.word() {
                            "OWNER" => attributes.owner.clear(),
                            "LOGSTREAMID" | "LSID" => attributes.log_stream.clear(),
                            "RETENTION" | "RETN" => attributes.expires = 0,
                            "BWO" => attributes.backup = BackupOption::Undefined,
                            "LOG" => attributes.log = LogOption::Undefined,
                            "AUTHORIZATION" | "AUTH" | "EXCEPTIONEXIT" | "EEXT" => {}
                            _ => return Err(Failure::improper(what)),
                        }
                    }
                }
                "BWO" => attributes.backup = super::define::backup(parameter)?,
                "LOGREPLICATE" => attributes.log_replicate = true,
                "NOLOGREPLICATE" => attributes.log_replicate = false,
                _ => return Err(Failure::improper(parameter)),
            }
        }
    }
    Ok(())
}
