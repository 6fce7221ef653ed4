//! The installed resources: the definitions a region took from its groups, typed where a domain works with them.
//!
//! The domains own their running state (use counts, open files ...); this module keeps the order and the text of the installed definitions.
//! Invariant: a later installation of a name replaces the earlier one unless the resource is in use, which the owning domain decides.
//!
//! Other processes see what is installed in a record of it, which `record` keeps.

use crate::file::{Csd, Definition, Key};
use crate::record::Record;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

/// A problem during installation that the user should see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallFault {
    pub group: String,
    pub reason: String,
}

/// How a resource came to be installed (INSTALLAGENT).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// EXEC CICS CSD INSTALL, and CEDA INSTALL.
    CsdApi,
    /// EXEC CICS CREATE.
    CreateSpi,
}

/// Who installed a resource at run time, how and when. Others are installed at start, from group lists.
#[derive(Debug, Clone)]
pub struct Installer {
    pub agent: Agent,
    pub user: String,
    pub at: SystemTime,
    /// The program that created the resource.
    pub program: Option<String>,
}

impl Installer {
    /// A user who installs from the CSD at this moment.
    pub fn of_csd(user: &str) -> Installer {
        Installer { agent: Agent::CsdApi, user: user.to_string(), at: SystemTime::now(), program: None }
    }

    /// A program that creates a resource at this moment.
    pub fn of_program(program: &str, user: &str) -> Installer {
        Installer { agent: Agent::CreateSpi, program: Some(program.to_string()), ..Installer::of_csd(user) }
    }
}

#[derive(Debug, Default)]
pub struct Installed {
    definitions: BTreeMap<Key, Definition>,
    installers: BTreeMap<Key, Installer>,
    record: Option<Record>,
}

impl Installed {
    /// Keeps a record of what is installed in a file from now on.
    pub fn record_to(&mut self, path: &Path) -> std::io::Result<()> {
        self.record = Some(Record::new(path, self.definitions.values())?);
        Ok(())
    }

    /// A record that cannot be written any more ends: a wrong one would be worse than none.
    fn recorded(&mut self, before: Option<&Definition>, after: Option<&Definition>) {
        let Some(mut record) = self.record.take() else { return };
        self.record = record.change(before, after, self.definitions.values()).map(|()| record).ok();
    }

    /// Keeps the definition, replacing one of the same type and name.
    pub fn put(&mut self, definition: Definition) {
        self.put_by(definition, None);
    }

    /// As `put`, of an installation at run time.
    pub fn put_by(&mut self, definition: Definition, installer: Option<Installer>) {
        let key = (definition.resource.name, definition.name.clone());
        match installer {
            Some(installer) => drop(self.installers.insert(key.clone(), installer)),
            None => drop(self.installers.remove(&key)),
        }
        let before = self.definitions.insert(key, definition.clone());
        self.recorded(before.as_ref(), Some(&definition));
    }

    pub fn remove(&mut self, resource: &'static str, name: &str) -> Option<Definition> {
        let key = (resource, name.to_string());
        self.installers.remove(&key);
        let removed = self.definitions.remove(&key);
        self.recorded(removed.as_ref(), None);
        removed
    }

    /// Who installed a resource at run time.
    pub fn installer(&self, resource: &'static str, name: &str) -> Option<&Installer> {
        self.installers.get(&(resource, name.to_string()))
    }

    pub fn get(&self, resource: &'static str, name: &str) -> Option<&Definition> {
        self.definitions.get(&(resource, name.to_string()))
    }

    pub fn of_type(&self, resource: &'static str) -> impl Iterator<Item = &Definition> {
        self.definitions.values().filter(move |definition| definition.resource.name == resource)
    }

    pub fn len(&self) -> usize {
        self.definitions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }
}

/// The definitions of a list or group in the order to install them: by the rank of their types, lowest first.
pub fn in_install_order<'a>(csd: &'a Csd, names: &[String], rank: impl Fn(&str) -> usize) -> (Vec<&'a Definition>, Vec<InstallFault>) {
    let mut faults = Vec::new();
    let mut chosen: BTreeMap<Key, &Definition> = BTreeMap::new();
    for name in names {
        let groups: Vec<String> = match csd.list(name) {
            Some(groups) => groups.to_vec(),
            None => vec![name.clone()],
        };
        for group in groups {
            if !csd.has_group(&group) {
                let reason = match *name == group {
                    true => "it is no list or group in the CSD".to_string(),
                    false => format!("list {name} names it, but it is no group in the CSD"),
                };
                faults.push(InstallFault { group, reason });
                continue;
            }
            for definition in csd.group(&group) {
                chosen.insert((definition.resource.name, definition.name.clone()), definition);
            }
        }
    }
    let mut ordered: Vec<&Definition> = chosen.into_values().collect();
    ordered.sort_by_key(|definition| rank(definition.resource.name));
    (ordered, faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_groups_win_and_references_come_first() {
        let mut csd = Csd::default();
        csd.put(Definition::new("TRANSACTION", "T1", "A").with("PROGRAM", "OLD"));
        csd.put(Definition::new("TRANSACTION", "T1", "B").with("PROGRAM", "NEW"));
        csd.put(Definition::new("PROGRAM", "NEW", "B"));
        csd.add_to_list("L", "A");
        csd.add_to_list("L", "B");
        let (ordered, faults) = in_install_order(&csd, &["L".to_string(), "NONE".to_string()], |name| usize::from(name != "PROGRAM"));
        assert_eq!(ordered.len(), 2);
        assert_eq!(ordered[0].resource.name, "PROGRAM");
        assert_eq!(ordered[1].get("PROGRAM"), "NEW");
        assert_eq!(faults, [InstallFault { group: "NONE".into(), reason: "it is no list or group in the CSD".into() }]);
    }
}
