//! The CSD: groups of resource definitions and lists of groups.
//!
//! On disk a CSD is the DFHCSDUP statements that create it, so it can be read, compared and corrected with any editor. Invariants: a
//! definition is unique by type and name in its group; attribute names are canonical and values validated; a list names each group once, in
//! the order they were added. The file is replaced as a whole, never changed in place.

use crate::attributes::{self, Attribute, ResourceType};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::ops::Deref;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The CSD is for its owner.
const FILE_MODE: u32 = 0o600;

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

#[derive(Debug, Default, Clone)]
pub struct Csd {
    pub(super) groups: BTreeMap<String, BTreeMap<Key, Definition>>,
    pub(super) lists: BTreeMap<String, Names>,
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

    pub fn add_to_list(&mut self, list: &str, group: &str) -> bool {
        self.lists.entry(list.to_string()).or_default().add(group)
    }

    /// The whole CSD without the supplied groups, as statements.
    pub fn statements(&self) -> String {
        let mut text = String::from("* The CSD as DFHCSDUP statements; the supplied DFH groups are not repeated here.\n");
        for group in self.groups.keys().filter(|name| !name.starts_with("DFH")) {
            for definition in self.group(group) {
                let _ = writeln!(text, "{}", definition.statement());
            }
        }
        for (list, groups) in self.lists.iter().filter(|(name, _)| *name != "DFHLIST") {
            for group in groups.iter() {
                let _ = writeln!(text, "ADD GROUP({group}) LIST({list})");
            }
        }
        text
    }

    /// Replaces the CSD file; either the old or the new one is there after a failure at any point. Only its owner may read it.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        let scratch = path.with_extension("new");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(FILE_MODE).open(&scratch)?;
        file.write_all(self.statements().as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&scratch, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_csd_reads_back_the_same() {
        let mut csd = Csd::initialized();
        csd.put(Definition::new("PROGRAM", "P1", "G1").with("DESCRIPTION", "Teller's (main) menu").with("EXECKEY", "CICS"));
        csd.put(Definition::new("TRANSACTION", "Ab12", "G1").with("PROGRAM", "P1"));
        csd.add_to_list("L1", "G1");
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("csd");
        csd.save(&path).unwrap();
        let (again, report) = Csd::load(&path).unwrap();
        assert_eq!(report.return_code, 0, "{}", report.text);
        assert_eq!(again.statements(), csd.statements());
        let program = again.group("G1").find(|definition| definition.resource.name == "PROGRAM").unwrap();
        assert_eq!(program.get("DESCRIPTION"), "Teller's (main) menu");
        assert_eq!(program.get("CONCURRENCY"), "QUASIRENT");
    }
}
