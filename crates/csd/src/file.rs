//! The CSD: groups of resource definitions and lists of groups.
//!
//! On disk a CSD is the DFHCSDUP statements that create it, so it can be read, compared and corrected with any editor. Invariants: a
//! definition is unique by type and name in its group; attribute names are canonical and values validated; a list names each group once, in
//! the order they were added. The file is replaced as a whole, never changed in place. What statements cannot say (the locks of users, and
//! which parts come from the sources of an application) is in comments at the end, which DFHCSDUP ignores.

use crate::attributes::{self, Attribute, ResourceType};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::ops::Deref;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where a definition was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    pub source: String,
    pub line: usize,
}

/// One resource definition: the attributes given, the rest by default.
#[derive(Debug, Clone)]
pub struct Definition {
    pub resource: &'static ResourceType,
    pub name: String,
    pub group: String,
    pub attributes: BTreeMap<&'static str, String>,
    pub origin: Origin,
}

impl Definition {
    pub fn new(resource: &str, name: &str, group: &str) -> Self {
        let resource = attributes::resource_type(resource).unwrap_or_else(|| panic!("no resource type {resource}"));
        Self { resource, name: name.to_string(), group: group.to_string(), attributes: BTreeMap::new(), origin: Origin::default() }
    }

    pub fn with(mut self, attribute: &'static str, value: &str) -> Self {
        debug_assert!(self.definition_of(attribute).is_some(), "{} has no attribute {attribute}", self.resource.name);
        self.attributes.insert(attribute, value.to_string());
        self
    }

    /// The same for `NAME=value` pairs, separated by blanks; names that the type does not have are passed over.
    pub fn with_pairs(mut self, pairs: &str) -> Self {
        for (name, value) in pairs.split(' ').filter_map(|pair| pair.split_once('=')) {
            if let Some(attribute) = self.definition_of(name) {
                self.attributes.insert(attribute.name, value.to_string());
            }
        }
        self
    }

    fn definition_of(&self, attribute: &str) -> Option<&'static Attribute> {
        self.resource.attributes.iter().find(|candidate| candidate.name == attribute)
    }

    /// The value given, or the default of the table.
    pub fn get(&self, attribute: &str) -> &str {
        match self.attributes.get(attribute) {
            Some(value) => value,
            None => self.definition_of(attribute).map_or("", |attribute| attribute.default),
        }
    }

    pub fn is(&self, attribute: &str, value: &str) -> bool {
        self.get(attribute) == value
    }

    pub fn number(&self, attribute: &str) -> Option<u32> {
        self.get(attribute).parse().ok()
    }

    /// The DEFINE statement that makes this definition.
    pub fn statement(&self) -> String {
        let mut text = format!("DEFINE {}({}) GROUP({})", self.resource.name, self.name, self.group);
        for attribute in &self.resource.attributes {
            let Some(value) = self.attributes.get(attribute.name) else { continue };
            let quoted = value.contains(['(', ')', '\'']) || value.starts_with(' ');
            let value = if quoted { format!("'{}'", value.replace('\'', "''")) } else { value.clone() };
            let _ = write!(text, "\n       {}({value})", attribute.name);
        }
        text
    }
}

/// Names in an order of their own, each of them once.
#[derive(Debug, Default, Clone)]
pub(super) struct Names {
    ordered: Vec<String>,
    known: HashSet<String>,
}

impl Names {
    /// Adds a name at the end; false if it is there already.
    pub fn add(&mut self, name: &str) -> bool {
        let is_new = self.known.insert(name.to_string());
        if is_new {
            self.ordered.push(name.to_string());
        }
        is_new
    }

    /// Moves a name to this place among the others.
    pub fn place(&mut self, at: usize, name: &str) {
        self.retain(|other| other != name);
        self.known.insert(name.to_string());
        self.ordered.insert(at, name.to_string());
    }

    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.ordered.retain(|name| keep(name));
        self.known.retain(|name| keep(name));
    }

    pub fn into_ordered(self) -> Vec<String> {
        self.ordered
    }
}

impl Deref for Names {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.ordered
    }
}

/// Type and name of a definition.
pub type Key = (&'static str, String);

/// A group or a list. Their names are one name space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Group,
    List,
}

impl Part {
    pub fn name(self) -> &'static str {
        match self {
            Part::Group => "GROUP",
            Part::List => "LIST",
        }
    }
}

/// The owner of a lock: a user of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub applid: String,
    pub user: String,
}

#[derive(Debug, Default, Clone)]
pub struct Csd {
    pub(super) groups: BTreeMap<String, BTreeMap<Key, Definition>>,
    pub(super) lists: BTreeMap<String, Names>,
    /// The locks of users. They are there until the user releases them, even when the group or list is not.
    pub(super) locks: BTreeMap<(Part, String), Owner>,
    /// The parts made from the sources of an application, with the checksum of what they had then.
    pub(super) made: BTreeMap<(Part, String), u64>,
    /// When definitions of groups were made or changed last, in seconds since 1970; of those that a user has changed.
    pub(super) changed: BTreeMap<(String, Key), u64>,
}

impl Csd {
    pub fn list(&self, name: &str) -> Option<&[String]> {
        self.lists.get(name).map(|groups| &groups[..])
    }

    /// The definitions of a group, by type in the order of the table's names, then by name.
    pub fn group(&self, name: &str) -> impl Iterator<Item = &Definition> {
        self.groups.get(name).into_iter().flat_map(|group| group.values())
    }

    pub fn has_group(&self, name: &str) -> bool {
        self.groups.contains_key(name)
    }

    pub fn put(&mut self, definition: Definition) {
        let key = (definition.resource.name, definition.name.clone());
        self.groups.entry(definition.group.clone()).or_default().insert(key, definition);
    }

    /// The same, at this moment.
    pub(super) fn put_now(&mut self, definition: Definition) {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let key = (definition.resource.name, definition.name.clone());
        self.changed.insert((definition.group.clone(), key), seconds);
        self.put(definition);
    }

    /// When a definition was made or changed last; `None` if that was at the start of the region.
    pub fn changed_at(&self, definition: &Definition) -> Option<SystemTime> {
        let key = (definition.group.clone(), (definition.resource.name, definition.name.clone()));
        self.changed.get(&key).map(|seconds| UNIX_EPOCH + Duration::from_secs(*seconds))
    }

    pub fn add_to_list(&mut self, list: &str, group: &str) -> bool {
        self.lists.entry(list.to_string()).or_default().add(group)
    }

    /// The whole CSD without the supplied groups and lists, as statements.
    pub fn statements(&self) -> String {
        let mut text = String::from("* The CSD as DFHCSDUP statements; the supplied DFH groups are not repeated here.\n");
        for group in self.groups.keys().filter(|name| !is_supplied(name)) {
            for definition in self.group(group) {
                let _ = writeln!(text, "{}", definition.statement());
            }
        }
        for (list, groups) in self.lists.iter().filter(|(name, _)| !is_supplied(name)) {
            for group in groups.iter() {
                let _ = writeln!(text, "ADD GROUP({group}) LIST({list})");
            }
        }
        text
    }

    pub fn lists(&self) -> impl Iterator<Item = &str> {
        self.lists.keys().map(String::as_str)
    }

    pub fn groups(&self) -> impl Iterator<Item = &str> {
        self.groups.keys().map(String::as_str)
    }

    pub fn definition(&self, group: &str, resource: &'static str, name: &str) -> Option<&Definition> {
        self.groups.get(group)?.get(&(resource, name.to_string()))
    }

    pub fn lock_of(&self, part: Part, name: &str) -> Option<&Owner> {
        self.locks.get(&(part, name.to_string()))
    }
}

/// Whether a group or list is supplied with the system, so that nobody may change it.
pub fn is_supplied(name: &str) -> bool {
    name.starts_with("DFH")
}
