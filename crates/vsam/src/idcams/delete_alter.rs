//! DELETE and ALTER.

use super::parser::{Command, Parameter};
use super::{Done, Failure, Run, name_of, numbers, one_name, shown};
use crate::catalog::{Entry, LogOption};
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
                    "PURGE" | "PRG" | "NOPURGE" | "NPRG" | "ERASE" | "ERAS" | "NOERASE" | "NERAS" | "FORCE" | "FRC" | "NOFORCE"
                    | "NFRC" | "SCRATCH" | "SCR" | "NOSCRATCH" | "NSCR" | "RECOVERY" | "RCVRY" | "NORECOVERY" | "NRCVRY" | "FILE"
                    | "CATALOG" | "CAT" | "MASK" | "NOMASK" => {}
                    _ => return Err(Failure::improper(parameter)),
                }
            }
        }
        if names.is_empty() {
            return Err(Failure::missing("ENTRYNAME"));
        }
        for parameter in names {
            let name = name_of(parameter)?;
            for name in self.expand(&name)? {
                self.delete_one(&name, kinds);
            }
        }
        Ok(())
    }

    /// Names a generic name (with `*` for one qualifier) stands for; the name itself if it has no `*`.
    fn expand(&self, name: &str) -> Result<Vec<String>, Failure> {
        if !name.contains('*') {
            return Ok(vec![name.to_string()]);
        }
        let prefix = name.split('*').next().unwrap_or_default();
        let mut names = Vec::new();
        self.data_sets.catalog().for_each(Some(prefix), |candidate, entry| {
            if !matches!(entry, Entry::Component(..)) && super::listcat::matches(name, candidate) {
                names.push(candidate.to_string());
            }
        })?;
        if names.is_empty() { Err(super::not_found(name)) } else { Ok(names) }
    }

    fn delete_one(&mut self, name: &str, kinds: Option<&[EntryKind]>) {
        let result = match self.data_sets.catalog().get(name) {
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

    pub(super) fn alter(&mut self, command: &Command) -> Done {
        let Some(first) = command.parameters.first() else { return Err(Failure::missing("ENTRYNAME")) };
        let name = name_of(first)?;
        let mut new_name = None;
        let changes = &command.parameters[1..];
        for parameter in changes {
            if matches!(parameter.word(), "NEWNAME" | "NEWNM") {
                new_name = Some(one_name(parameter)?);
            }
        }
        let mut problem = None;
        self.data_sets
            .alter(&name, |entry| {
                for parameter in changes {
                    if let Err(failure) = alter_entry(entry, parameter) {
                        problem = Some(failure);
                        return Err(FileError::NotAllowed("ALTER"));
                    }
                }
                Ok(())
            })
            .map_err(|error| problem.unwrap_or_else(|| error.into()))?;
        if let Some(new_name) = new_name {
            self.data_sets.rename(&name, &new_name)?;
        }
        self.listing.line(&format!("IDC0531I ENTRY {name} ALTERED"));
        Ok(())
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
        ("LIMIT" | "LIM", Entry::GenerationGroup(group)) => group.limit = numbers(parameter, 1, 1)?[0],
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
                "LOGSTREAMID" | "LSID" => attributes.log_stream = shown(super::one_value(parameter)?),
                "LOG" => {
                    attributes.log = match super::one_value(parameter)?.word() {
                        "NONE" => LogOption::None,
                        "UNDO" => LogOption::Undo,
                        "ALL" => LogOption::All,
                        _ => return Err(Failure::improper(parameter)),
                    }
                }
                "NULLIFY" | "NULL" | "BWO" | "TO" | "FOR" | "EMPTY" | "NOEMPTY" | "SCRATCH" | "NOSCRATCH" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
    }
    Ok(())
}
