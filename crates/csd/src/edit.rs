//! What users do to the groups, lists and definitions of a CSD, and why it is refused.
//!
//! Invariants: a refused change changes nothing; the supplied groups and lists stay as they are; a group or list that a user has locked is
//! changed by this user only (CEDA LOCK); no group is empty, and no list; groups and lists have different names.

use crate::file::{Csd, Definition, Owner, Part, is_supplied};
use crate::{attributes::ResourceType, rules};

/// Longest name of a group or list.
const NAME_LENGTH_MAX: usize = 8;
/// The group of the definitions that USERDEFINE takes its defaults from, and their name.
const USER_DEFAULTS: (&str, &str) = ("USERDEF", "USER");

/// Who changes a CSD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Editor {
    /// DFHCSDUP, which owns no lock.
    Utility,
    User(Owner),
}

/// Why a change is refused. Names are those of the group or list, or of the type and name of the definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    Locked(Part, String, Owner),
    Supplied(Part, String),
    /// The name of a new group or list is that of a list or group.
    NameInUse(Part, String),
    DefinitionExists(&'static str, String),
    GroupInList(String),
    NoGroup(String),
    NoList(String),
    NoDefinition(&'static str, String),
    GroupNotInList(String),
    /// The group to place another before or behind is not in the list.
    NoPlace(String),
    Incomplete(rules::Fault),
}

/// Where a group goes in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    End,
    Before(&'a str),
    After(&'a str),
}

/// What a copy does with definitions that are in the target group already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplicates {
    Refuse,
    Keep,
    Replace,
}

/// A definition in a group.
#[derive(Debug, Clone, Copy)]
pub struct In<'a> {
    pub group: &'a str,
    pub resource: &'static ResourceType,
    pub name: &'a str,
}

/// Whether it can be the name of a group or list: 1 to 8 letters, digits and national characters.
pub fn is_name(name: &str) -> bool {
    (1..=NAME_LENGTH_MAX).contains(&name.len()) && name.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || b"$@#".contains(&c))
}

impl Csd {
    /// Whether a user may change a group or list, which need not exist.
    pub fn may_change(&self, part: Part, name: &str, editor: &Editor) -> Result<(), Refused> {
        if is_supplied(name) {
            return Err(Refused::Supplied(part, name.to_string()));
        }
        match self.lock_of(part, name) {
            Some(owner) if *editor != Editor::User(owner.clone()) => Err(Refused::Locked(part, name.to_string(), owner.clone())),
            _ => Ok(()),
        }
    }

    /// A name that no group or list of the other kind has.
    fn check_free(&self, part: Part, name: &str) -> Result<(), Refused> {
        let in_use = match part {
            Part::Group => self.lists.contains_key(name),
            Part::List => self.groups.contains_key(name),
        };
        if in_use { Err(Refused::NameInUse(part, name.to_string())) } else { Ok(()) }
    }

    fn find(&self, wanted: In) -> Result<&Definition, Refused> {
        if !self.has_group(wanted.group) {
            return Err(Refused::NoGroup(wanted.group.to_string()));
        }
        let found = self.definition(wanted.group, wanted.resource.name, wanted.name);
        found.ok_or_else(|| Refused::NoDefinition(wanted.resource.name, wanted.name.to_string()))
    }

    /// The definition whose attributes are the defaults of USERDEFINE for a type.
    pub fn user_defaults(&self, resource: &ResourceType) -> Option<&Definition> {
        let (group, name) = USER_DEFAULTS;
        self.definition(group, resource.name, name)
    }

    /// Puts a new definition into its group.
    pub fn define(&mut self, definition: Definition, editor: &Editor) -> Result<(), Refused> {
        self.may_change(Part::Group, &definition.group, editor)?;
        self.check_free(Part::Group, &definition.group)?;
        if self.definition(&definition.group, definition.resource.name, &definition.name).is_some() {
            return Err(Refused::DefinitionExists(definition.resource.name, definition.name));
        }
        rules::check(&definition).map_err(Refused::Incomplete)?;
        self.put_now(definition);
        Ok(())
    }

    /// Replaces a definition by what `change` makes of it.
    pub fn alter<E: From<Refused>>(
        &mut self,
        wanted: In,
        editor: &Editor,
        change: impl FnOnce(&mut Definition) -> Result<(), E>,
    ) -> Result<(), E> {
        self.may_change(Part::Group, wanted.group, editor)?;
        let mut definition = self.find(wanted)?.clone();
        change(&mut definition)?;
        rules::check(&definition).map_err(Refused::Incomplete)?;
        self.put_now(definition);
        Ok(())
    }

    /// Deletes a definition; with the last one goes the group, and with `from_lists` its place in lists.
    pub fn delete_definition(&mut self, wanted: In, from_lists: bool, editor: &Editor) -> Result<(), Refused> {
        self.may_change(Part::Group, wanted.group, editor)?;
        self.find(wanted)?;
        let group = self.groups.get_mut(wanted.group).expect("it is there");
        group.remove(&(wanted.resource.name, wanted.name.to_string()));
        if group.is_empty() {
            self.drop_group(wanted.group, from_lists);
        }
        Ok(())
    }

    pub fn delete_group(&mut self, name: &str, from_lists: bool, editor: &Editor) -> Result<(), Refused> {
        self.may_change(Part::Group, name, editor)?;
        if !self.has_group(name) {
            return Err(Refused::NoGroup(name.to_string()));
        }
        self.drop_group(name, from_lists);
        Ok(())
    }

    pub(crate) fn drop_group(&mut self, name: &str, from_lists: bool) {
        self.groups.remove(name);
        if from_lists {
            self.lists.values_mut().for_each(|groups| groups.retain(|group| group != name));
            self.lists.retain(|_, groups| !groups.is_empty());
        }
    }

    /// Deletes a list; its groups stay.
    pub fn delete_list(&mut self, name: &str, editor: &Editor) -> Result<(), Refused> {
        self.may_change(Part::List, name, editor)?;
        self.lists.remove(name).map(drop).ok_or_else(|| Refused::NoList(name.to_string()))
    }

    /// Adds a group, which need not exist, to a list.
    pub fn add(&mut self, group: &str, list: &str, place: Place, editor: &Editor) -> Result<(), Refused> {
        self.may_change(Part::List, list, editor)?;
        if !self.has_group(group) {
            self.check_free(Part::Group, group)?;
        }
        if !self.lists.contains_key(list) {
            self.check_free(Part::List, list)?;
        }
        let groups = self.lists.get(list).map_or(&[][..], |groups| &groups[..]);
        if groups.iter().any(|known| known == group) {
            return Err(Refused::GroupInList(group.to_string()));
        }
        let position = |other: &str| groups.iter().position(|known| known == other).ok_or_else(|| Refused::NoPlace(other.to_string()));
        let at = match place {
            Place::End => groups.len(),
            Place::Before(other) => position(other)?,
            Place::After(other) => position(other)? + 1,
        };
        self.lists.entry(list.to_string()).or_default().place(at, group);
        Ok(())
    }

    /// Removes a group from a list; with the last one goes the list.
    pub fn remove(&mut self, group: &str, list: &str, editor: &Editor) -> Result<(), Refused> {
        self.may_change(Part::List, list, editor)?;
        let groups = self.lists.get_mut(list).ok_or_else(|| Refused::NoList(list.to_string()))?;
        if !groups.iter().any(|known| known == group) {
            return Err(Refused::GroupNotInList(group.to_string()));
        }
        groups.retain(|known| known != group);
        if groups.is_empty() {
            self.lists.remove(list);
        }
        Ok(())
    }

    /// Adds the groups of a list to the end of another, which is made if it is not there.
    pub fn append(&mut self, from: &str, to: &str, editor: &Editor) -> Result<(), Refused> {
        self.may_change(Part::List, to, editor)?;
        let groups = self.lists.get(from).cloned().ok_or_else(|| Refused::NoList(from.to_string()))?;
        if !self.lists.contains_key(to) {
            self.check_free(Part::List, to)?;
        }
        for group in groups.iter() {
            self.add_to_list(to, group);
        }
        Ok(())
    }

    /// Copies a definition to a group under a name.
    pub fn copy_definition(&mut self, from: In, to: &str, name: &str, duplicates: Duplicates, editor: &Editor) -> Result<(), Refused> {
        self.may_change(Part::Group, to, editor)?;
        self.check_free(Part::Group, to)?;
        let mut definition = self.find(from)?.clone();
        (definition.group, definition.name) = (to.to_string(), name.to_string());
        self.put_copy(definition, duplicates)
    }

    /// Copies all definitions of a group.
    pub fn copy_group(&mut self, from: &str, to: &str, duplicates: Duplicates, editor: &Editor) -> Result<(), Refused> {
        self.may_change(Part::Group, to, editor)?;
        self.check_free(Part::Group, to)?;
        if !self.has_group(from) {
            return Err(Refused::NoGroup(from.to_string()));
        }
        let definitions: Vec<Definition> = self.group(from).cloned().collect();
        if duplicates == Duplicates::Refuse
            && let Some(twice) =
                definitions.iter().find(|definition| self.definition(to, definition.resource.name, &definition.name).is_some())
        {
            return Err(Refused::DefinitionExists(twice.resource.name, twice.name.clone()));
        }
        definitions.into_iter().try_for_each(|mut definition| {
            definition.group = to.to_string();
            self.put_copy(definition, duplicates)
        })
    }

    fn put_copy(&mut self, definition: Definition, duplicates: Duplicates) -> Result<(), Refused> {
        let exists = self.definition(&definition.group, definition.resource.name, &definition.name).is_some();
        match duplicates {
            Duplicates::Refuse if exists => Err(Refused::DefinitionExists(definition.resource.name, definition.name)),
            Duplicates::Keep if exists => Ok(()),
            _ => {
                self.put_now(definition);
                Ok(())
            }
        }
    }

    /// Gives a definition another name in its group, or moves it to another group.
    pub fn rename(&mut self, from: In, to: &str, name: &str, duplicates: Duplicates, editor: &Editor) -> Result<(), Refused> {
        self.may_change(Part::Group, from.group, editor)?;
        self.copy_definition(from, to, name, duplicates, editor)?;
        self.delete_definition(from, false, editor)
    }

    /// Locks a group or list, which need not exist, for a user.
    pub fn lock(&mut self, part: Part, name: &str, owner: &Owner) -> Result<(), Refused> {
        self.may_change(part, name, &Editor::User(owner.clone()))?;
        self.check_free(part, name)?;
        self.locks.insert((part, name.to_string()), owner.clone());
        Ok(())
    }

    /// Releases the lock of a group or list; one that is not locked stays so.
    pub fn unlock(&mut self, part: Part, name: &str, owner: &Owner) -> Result<(), Refused> {
        self.may_change(part, name, &Editor::User(owner.clone()))?;
        self.check_free(part, name)?;
        self.locks.remove(&(part, name.to_string()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::resource_type;

    fn user(name: &str) -> Owner {
        Owner { applid: "REGENT1".to_string(), user: name.to_string() }
    }

    fn editor(name: &str) -> Editor {
        Editor::User(user(name))
    }

    fn program(name: &str) -> Definition {
        Definition::new("PROGRAM", name, "APP")
    }

    fn named(name: &str) -> In<'_> {
        In { group: "APP", resource: resource_type("PROGRAM").unwrap(), name }
    }

    fn csd() -> Csd {
        let mut csd = Csd::default();
        csd.define(program("P1"), &editor("ANNA")).unwrap();
        csd.add("APP", "APPLIST", Place::End, &editor("ANNA")).unwrap();
        csd
    }

    #[test]
    fn a_locked_group_is_changed_by_its_owner_only() {
        let mut csd = csd();
        csd.lock(Part::Group, "APP", &user("ANNA")).unwrap();
        let locked = Refused::Locked(Part::Group, "APP".to_string(), user("ANNA"));
        for refused in [editor("BERT"), Editor::Utility] {
            assert_eq!(csd.define(program("P2"), &refused), Err(locked.clone()));
            assert_eq!(csd.delete_definition(named("P1"), false, &refused), Err(locked.clone()));
            assert_eq!(csd.rename(named("P1"), "APP", "P9", Duplicates::Refuse, &refused), Err(locked.clone()));
            assert_eq!(csd.delete_group("APP", true, &refused), Err(locked.clone()));
            // Anyone may copy it, and add it to a list.
            csd.copy_group("APP", "COPY", Duplicates::Replace, &refused).unwrap();
        }
        assert_eq!(csd.lock(Part::Group, "APP", &user("BERT")), Err(locked.clone()));
        assert_eq!(csd.unlock(Part::Group, "APP", &user("BERT")), Err(locked));
        csd.define(program("P2"), &editor("ANNA")).unwrap();
        csd.delete_group("APP", true, &editor("ANNA")).unwrap();
        assert!(csd.lock_of(Part::Group, "APP").is_some(), "only UNLOCK releases it");
        csd.unlock(Part::Group, "APP", &user("ANNA")).unwrap();
        csd.define(program("P1"), &editor("BERT")).unwrap();
    }

    #[test]
    fn groups_and_lists_have_different_names() {
        let mut csd = csd();
        let anna = editor("ANNA");
        let in_use = |part, name: &str| Err(Refused::NameInUse(part, name.to_string()));
        assert_eq!(csd.add("NEW", "APP", Place::End, &anna), in_use(Part::List, "APP"));
        assert_eq!(csd.add("APPLIST", "OTHER", Place::End, &anna), in_use(Part::Group, "APPLIST"));
        assert_eq!(csd.define(Definition::new("PROGRAM", "P", "APPLIST"), &anna), in_use(Part::Group, "APPLIST"));
        assert_eq!(csd.copy_group("APP", "APPLIST", Duplicates::Refuse, &anna), in_use(Part::Group, "APPLIST"));
        assert_eq!(csd.append("APPLIST", "APP", &anna), in_use(Part::List, "APP"));
        assert_eq!(csd.lock(Part::Group, "APPLIST", &user("ANNA")), in_use(Part::Group, "APPLIST"));
        assert_eq!(csd.unlock(Part::List, "APP", &user("ANNA")), in_use(Part::List, "APP"));
    }

    #[test]
    fn groups_are_placed_in_lists_and_removed() {
        let mut csd = csd();
        let anna = editor("ANNA");
        csd.add("G2", "APPLIST", Place::Before("APP"), &anna).unwrap();
        csd.add("G3", "APPLIST", Place::After("G2"), &anna).unwrap();
        assert_eq!(csd.list("APPLIST").unwrap(), ["G2", "G3", "APP"]);
        assert_eq!(csd.add("G4", "APPLIST", Place::After("G9"), &anna), Err(Refused::NoPlace("G9".to_string())));
        assert_eq!(csd.add("G3", "APPLIST", Place::End, &anna), Err(Refused::GroupInList("G3".to_string())));
        csd.append("APPLIST", "L2", &anna).unwrap();
        csd.append("APPLIST", "L2", &anna).unwrap();
        assert_eq!(csd.list("L2").unwrap(), ["G2", "G3", "APP"]);
        csd.delete_group("APP", true, &anna).unwrap();
        assert_eq!(csd.list("L2").unwrap(), ["G2", "G3"]);
        csd.remove("G2", "L2", &anna).unwrap();
        csd.remove("G3", "L2", &anna).unwrap();
        assert_eq!(csd.remove("G3", "L2", &anna), Err(Refused::NoList("L2".to_string())));
        assert_eq!(csd.remove("G9", "APPLIST", &anna), Err(Refused::GroupNotInList("G9".to_string())));
    }

    #[test]
    fn a_refused_change_changes_nothing() {
        let mut csd = csd();
        let anna = editor("ANNA");
        csd.define(program("P2"), &anna).unwrap();
        csd.copy_definition(named("P2"), "COPY", "P2", Duplicates::Refuse, &anna).unwrap();
        let before = csd.statements();
        let exists = Err(Refused::DefinitionExists("PROGRAM", "P2".to_string()));
        assert_eq!(csd.copy_group("APP", "COPY", Duplicates::Refuse, &anna), exists);
        assert_eq!(csd.rename(named("P1"), "APP", "P2", Duplicates::Refuse, &anna), exists);
        let incomplete = csd.alter(named("P1"), &anna, |definition| {
            definition.attributes.insert("API", "OPENAPI".to_string());
            Ok::<(), Refused>(())
        });
        assert!(matches!(incomplete, Err(Refused::Incomplete(rules::Fault::Conflict(_)))));
        assert_eq!(csd.delete_definition(named("P9"), false, &anna), Err(Refused::NoDefinition("PROGRAM", "P9".to_string())));
        assert_eq!(csd.delete_group("DFHOPER", false, &anna), Err(Refused::Supplied(Part::Group, "DFHOPER".to_string())));
        assert_eq!(csd.statements(), before);
        csd.rename(named("P1"), "APP", "P3", Duplicates::Refuse, &anna).unwrap();
        csd.delete_definition(named("P2"), false, &anna).unwrap();
        csd.delete_definition(named("P3"), false, &anna).unwrap();
        assert!(!csd.has_group("APP") && csd.list("APPLIST").is_some(), "the group has gone with its last definition");
    }

    #[test]
    fn names_have_1_to_8_characters() {
        for (name, accepted) in
            [("A", true), ("A$@#1234", true), ("A$@#12345", false), ("", false), ("a", false), ("A*", false), ("A B", false)]
        {
            assert_eq!(is_name(name), accepted, "{name}");
        }
    }
}
