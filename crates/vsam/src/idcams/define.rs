//! DEFINE: CLUSTER, ALTERNATEINDEX, PATH, GENERATIONDATAGROUP, NONVSAM, ALIAS; catalogs and page spaces are noted and ignored.
//!
//! The attributes of clusters, alternate indexes and paths are collected in a `Draft` (see `draft`).

use super::draft::{Draft, IGNORED, Level, expiration};
use super::parser::{Command, Parameter};
use super::{Done, Failure, Run, numbers, one_name, one_value, shown};
use crate::catalog::*;
use crate::moment::Moment;

/// Default RECORDSIZE of an alternate index.
const INDEX_RECORD_DEFAULT: (u32, u32) = (4086, 32_600);

/// Generations a group defined EXTENDED may have.
const GENERATIONS_EXTENDED_MAX: u32 = 999;
/// Of a group: its generations have nine characters more.
const GROUP_NAME_LENGTH_MAX: usize = 35;
/// Groups of attributes of which a command may give only one.
pub(super) const GROUP_EXCLUSIVE: &[&[&str]] = &[
    &["EMPTY", "EMP", "NOEMPTY", "NEMP"],
    &["SCRATCH", "SCR", "NOSCRATCH", "NSCR"],
    &["FIFO", "LIFO"],
    &["EXTENDED", "EXT", "NOEXTENDED", "NOEXT"],
    &["PURGE", "PRG", "NOPURGE", "NPRG"],
    &["TO", "FOR"],
];

/// Checks LIMIT against the maximum of the group.
pub(super) fn check_limit(group: &GenerationGroupEntry) -> Done {
    let most = if group.extended { GENERATIONS_EXTENDED_MAX } else { GENERATIONS_MAX };
    if (1..=most).contains(&group.limit) { Ok(()) } else { Err(Failure::syntax(format!("IDC3218I LIMIT IS FROM 1 TO {most}"))) }
}

impl Run<'_> {
    pub(super) fn define(&mut self, command: &Command) -> Done {
        let Some(object) = command.parameters.first() else { return Err(Failure::missing("TYPE OF OBJECT")) };
        match object.word() {
            "CLUSTER" | "CL" => self.define_data(command, false),
            "ALTERNATEINDEX" | "AIX" => self.define_data(command, true),
            "PATH" => self.define_path(object),
            "GENERATIONDATAGROUP" | "GDG" => self.define_group(object),
            "NONVSAM" | "NVSAM" => self.define_non_vsam(object),
            "ALIAS" => self.define_alias(object),
            "USERCATALOG" | "UCAT" | "MASTERCATALOG" | "MCAT" | "SPACE" | "SPC" | "PAGESPACE" | "PGSPC" => {
                self.listing.message(4, &format!("IDC2011I {} HAS NO MEANING HERE AND WAS NOT DEFINED", object.word()));
                Ok(())
            }
            _ => Err(Failure::improper(object)),
        }
    }

    fn define_data(&mut self, command: &Command, alternate_index: bool) -> Done {
        let mut draft = Draft::new();
        draft.alternate_index = alternate_index;
        draft.attributes.spanned = alternate_index;
        if alternate_index {
            (draft.attributes.record_average, draft.attributes.record_max) = INDEX_RECORD_DEFAULT;
        }
        for list in &command.parameters {
            let model = list.arguments.as_deref().unwrap_or_default().iter().find(|parameter| parameter.word() == "MODEL");
            if let Some(model) = model {
                draft.model(&self.model_entry(&one_name(model)?)?)?;
            }
        }
        for parameter in &command.parameters {
            match parameter.word() {
                "CLUSTER" | "CL" | "ALTERNATEINDEX" | "AIX" => draft.apply_all(parameter, Level::Cluster)?,
                "DATA" => draft.apply_all(parameter, Level::Data)?,
                "INDEX" | "IX" => draft.apply_all(parameter, Level::Index)?,
                "CATALOG" | "CAT" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        draft.finish()?;
        self.settle_compression(&mut draft)?;
        let (name, volume) = (draft.name.clone(), draft.attributes.volumes.first().cloned());
        if alternate_index {
            if draft.relate.is_empty() {
                return Err(Failure::missing("RELATE"));
            }
            let (unique, upgrade) = (draft.unique, draft.upgrade);
            self.data_sets.define_index(&name, &draft.relate, unique, upgrade, draft.attributes)?;
        } else {
            self.data_sets.define_cluster(&name, draft.organization, draft.attributes)?;
        }
        let indexed = alternate_index || draft.organization.has_index();
        let volume = volume.unwrap_or_else(|| "REGENT".to_string());
        self.listing.line(&format!("IDC0508I DATA ALLOCATION STATUS FOR VOLUME {volume} IS 0"));
        if indexed {
            self.listing.line(&format!("IDC0509I INDEX ALLOCATION STATUS FOR VOLUME {volume} IS 0"));
        }
        Ok(())
    }

    /// The entry MODEL names: of a component, its cluster's or alternate index's.
    fn model_entry(&self, name: &str) -> Result<Entry, Failure> {
        match self.data_sets.catalog().resolve(name)? {
            Some((_, Entry::Component(owner, _))) => self.model_entry(&owner),
            Some((_, entry)) => Ok(entry),
            None => Err(super::not_found(name)),
        }
    }

    fn define_path(&mut self, object: &Parameter) -> Done {
        let mut draft = Draft::new();
        let model = object.arguments.as_deref().unwrap_or_default().iter().find(|parameter| parameter.word() == "MODEL");
        if let Some(model) = model {
            match self.model_entry(&one_name(model)?)? {
                Entry::Path(path) => (draft.through, draft.update) = (path.entry, path.update),
                _ => return Err(Failure::new(12, ["IDC3007I MODEL: AN ENTRY OF ANOTHER TYPE".to_string()])),
            }
        }
        draft.apply_all(object, Level::Cluster)?;
        if draft.name.is_empty() {
            return Err(Failure::missing("NAME"));
        }
        if draft.through.is_empty() {
            return Err(Failure::missing("PATHENTRY"));
        }
        Ok(self.data_sets.define_path_until(&draft.name, &draft.through, draft.update, draft.attributes.expires)?)
    }

    fn define_group(&mut self, object: &Parameter) -> Done {
        let mut name = String::new();
        let mut group = GenerationGroupEntry {
            limit: 0,
            scratch: false,
            empty: false,
            fifo: false,
            generations: Vec::new(),
            created: Moment::now().ordinal(),
            expires: 0,
            purge: false,
            extended: false,
        };
        let arguments = object.arguments.as_deref().unwrap_or_default();
        super::exclusive(arguments, GROUP_EXCLUSIVE)?;
        for parameter in object.arguments.as_deref().unwrap_or_default() {
            match parameter.word() {
                "NAME" => name = one_name(parameter)?,
                "LIMIT" | "LIM" => group.limit = numbers(parameter, 1, 1)?[0],
                "SCRATCH" | "SCR" => group.scratch = true,
                "EMPTY" | "EMP" => group.empty = true,
                "FIFO" => group.fifo = true,
                "EXTENDED" | "EXT" => group.extended = true,
                "PURGE" | "PRG" => group.purge = true,
                "TO" | "FOR" => group.expires = expiration(parameter)?,
                "NOEXTENDED" | "NOEXT" | "NOPURGE" | "NPRG" | "OWNER" => {}
                word if IGNORED.contains(&word) => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        if name.is_empty() {
            return Err(Failure::missing("NAME"));
        }
        if !arguments.iter().any(|parameter| matches!(parameter.word(), "LIMIT" | "LIM")) {
            return Err(Failure::missing("LIMIT"));
        }
        check_limit(&group)?;
        if name.len() > GROUP_NAME_LENGTH_MAX {
            return Err(Failure::syntax(format!(
                "IDC3203I ITEM '{name}' DOES NOT ADHERE TO RESTRICTIONS: A GROUP HAS {GROUP_NAME_LENGTH_MAX} CHARACTERS AT MOST"
            )));
        }
        self.define_entry(&name, Entry::GenerationGroup(group))
    }

    fn define_non_vsam(&mut self, object: &Parameter) -> Done {
        let mut name = String::new();
        let created = Moment::now().ordinal();
        let mut entry = NonVsamEntry { device_types: String::new(), volumes: Vec::new(), created, expires: 0 };
        for parameter in object.arguments.as_deref().unwrap_or_default() {
            match parameter.word() {
                "NAME" => name = one_name(parameter)?,
                "DEVICETYPES" | "DEVT" | "DEVICETYPE" => entry.device_types = shown(one_value(parameter)?),
                "VOLUMES" | "VOLUME" | "VOL" => {
                    entry.volumes = parameter.arguments.as_deref().unwrap_or_default().iter().map(shown).collect();
                }
                "TO" | "FOR" => entry.expires = expiration(parameter)?,
                "OWNER" | "FILESEQUENCENUMBERS" | "FSEQN" => {}
                word if IGNORED.contains(&word) => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        if name.is_empty() {
            return Err(Failure::missing("NAME"));
        }
        self.define_entry(&name, Entry::NonVsam(entry))
    }

    fn define_alias(&mut self, object: &Parameter) -> Done {
        let (mut name, mut target) = (String::new(), String::new());
        for parameter in object.arguments.as_deref().unwrap_or_default() {
            match parameter.word() {
                "NAME" => name = one_name(parameter)?,
                "RELATE" | "REL" => target = one_name(parameter)?,
                _ => return Err(Failure::improper(parameter)),
            }
        }
        if name.is_empty() || target.is_empty() {
            return Err(Failure::missing("NAME AND RELATE"));
        }
        self.define_entry(&name, Entry::Alias(target))
    }

    /// Defines an entry without data. A new generation may roll others off.
    fn define_entry(&mut self, name: &str, entry: Entry) -> Done {
        let rolled_off = self.data_sets.define_entry(name, entry)?;
        self.list_rolled_off(&rolled_off);
        Ok(())
    }
}
