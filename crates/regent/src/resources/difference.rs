//! What differs between files of resources and a CSD, or the resources that a running region has installed.
//!
//! Invariant: attributes are compared by the values in force, so a default that one side writes and the other leaves out is no difference.

use csd::file::is_supplied;
use csd::{Csd, Definition, Part};
use serde_json::{Value, json};

use super::read::{Contents, File, Written};

/// One attribute: its name, the value there, and the value of the file.
pub type Attribute = (&'static str, String, String);

#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    Add,
    Alter(Vec<Attribute>),
    Delete,
}

/// A definition, or a list as a whole, that is otherwise in the file.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    /// A type of resource, or LIST.
    pub kind: &'static str,
    pub name: String,
    /// The line of the file that has it.
    pub line: Option<usize>,
    pub change: Change,
}

impl Difference {
    /// `+ PROGRAM PAYNEW`, `~ TRANSACTION PAY1: PRIORITY 1 -> 9`
    pub fn text(&self) -> String {
        let Difference { kind, name, change, .. } = self;
        match change {
            Change::Add => format!("+ {kind} {name}"),
            Change::Delete => format!("- {kind} {name}"),
            Change::Alter(attributes) => {
                let changes =
                    attributes.iter().map(|(attribute, before, after)| format!("{attribute} {} -> {}", shown(before), shown(after)));
                format!("~ {kind} {name}: {}", changes.collect::<Vec<_>>().join(", "))
            }
        }
    }

    pub fn json(&self) -> Value {
        let Difference { kind, name, line, change } = self;
        let (change, attributes) = match change {
            Change::Add => ("add", Vec::new()),
            Change::Delete => ("delete", Vec::new()),
            Change::Alter(attributes) => {
                let attributes =
                    attributes.iter().map(|(name, before, after)| json!({ "attribute": name, "before": before, "after": after }));
                ("alter", attributes.collect())
            }
        };
        json!({ "change": change, "type": kind, "name": name, "line": line, "attributes": attributes })
    }
}

fn shown(value: &str) -> String {
    if value.is_empty() || value.contains(' ') { format!("'{value}'") } else { value.to_string() }
}

/// The attributes whose values in force differ.
pub fn attributes(before: &Definition, after: &Definition) -> Vec<Attribute> {
    let names = before.resource.attributes.iter().map(|attribute| attribute.name);
    let differing = names.filter(|name| before.get(name) != after.get(name));
    differing.map(|name| (name, before.get(name).to_string(), after.get(name).to_string())).collect()
}

/// What would make the CSD like the file.
pub fn of_file(file: &File, csd: &Csd) -> Vec<Difference> {
    match &file.contents {
        Contents::Group(definitions) => of_group(&file.name, definitions, csd),
        Contents::List(groups) => {
            let (kind, name) = (Part::List.name(), file.name.clone());
            let change = match csd.list(&file.name) {
                None => Change::Add,
                Some(before) if before == groups => return Vec::new(),
                Some(before) => Change::Alter(vec![("GROUPS", before.join(" "), groups.join(" "))]),
            };
            vec![Difference { kind, name, line: None, change }]
        }
    }
}

fn of_group(group: &str, definitions: &[Written], csd: &Csd) -> Vec<Difference> {
    let mut differences = Vec::new();
    for Written { definition, place, .. } in definitions {
        let change = match csd.definition(group, definition.resource.name, &definition.name) {
            None => Change::Add,
            Some(before) => Change::Alter(attributes(before, definition)),
        };
        if change != Change::Alter(Vec::new()) {
            differences.push(difference(definition, Some(place.line), change));
        }
    }
    let is_written = |definition: &&Definition| {
        let is_same =
            |written: &Written| written.definition.resource.name == definition.resource.name && written.definition.name == definition.name;
        definitions.iter().any(is_same)
    };
    let gone = csd.group(group).filter(|definition| !is_written(definition));
    differences.extend(gone.map(|definition| difference(definition, None, Change::Delete)));
    differences
}

fn difference(definition: &Definition, line: Option<usize>, change: Change) -> Difference {
    Difference { kind: definition.resource.name, name: definition.name.clone(), line, change }
}

/// The groups and lists of the CSD that no file has; the supplied ones are nobody's.
pub fn without_file(files: &[File], csd: &Csd) -> Vec<(Part, String)> {
    let groups = csd.groups().map(|name| (Part::Group, name));
    let lists = csd.lists().map(|name| (Part::List, name));
    let others = groups
        .chain(lists)
        .filter(|(part, name)| !is_supplied(name) && !files.iter().any(|file| file.part() == *part && file.name == *name));
    others.map(|(part, name)| (part, name.to_string())).collect()
}

/// A resource that a region has installed otherwise than the files define it.
#[derive(Debug, PartialEq, Eq)]
pub enum Installed {
    Missing,
    Otherwise(Vec<Attribute>),
    /// From another group than the file's.
    From(String),
    /// It is installed from the group, which does not define it any more.
    NotDefined,
}

/// Compares a group with what a region has installed: type, name, difference.
pub fn of_region(file: &File, installed: &Csd) -> Vec<(&'static str, String, Installed)> {
    let find = |resource: &'static str, name: &str| {
        let groups = installed.groups().filter(|group| !is_supplied(group));
        groups.filter_map(|group| installed.definition(group, resource, name)).next()
    };
    let mut differences = Vec::new();
    for Written { definition, .. } in file.definitions() {
        let found = match find(definition.resource.name, &definition.name) {
            None => Installed::Missing,
            Some(other) if other.group != file.name => Installed::From(other.group.clone()),
            Some(other) => match attributes(other, definition) {
                none if none.is_empty() => continue,
                attributes => Installed::Otherwise(attributes),
            },
        };
        differences.push((definition.resource.name, definition.name.clone(), found));
    }
    let gone = of_group(&file.name, file.definitions(), installed).into_iter().filter(|difference| difference.change == Change::Delete);
    differences.extend(gone.map(|difference| (difference.kind, difference.name, Installed::NotDefined)));
    differences
}

impl Installed {
    pub fn text(&self, kind: &str, name: &str) -> String {
        match self {
            Installed::Missing => format!("{kind} {name} is not installed"),
            Installed::From(group) => format!("{kind} {name} is installed from group {group}"),
            Installed::NotDefined => format!("{kind} {name} is installed and not defined"),
            Installed::Otherwise(attributes) => {
                let texts =
                    attributes.iter().map(|(attribute, is, defined)| format!("{attribute} is {}, defined {}", shown(is), shown(defined)));
                format!("{kind} {name} is installed otherwise: {}", texts.collect::<Vec<_>>().join("; "))
            }
        }
    }

    pub fn json(&self, kind: &str, name: &str) -> Value {
        let (state, attributes, group) = match self {
            Installed::Missing => ("not installed", Vec::new(), None),
            Installed::From(group) => ("other group", Vec::new(), Some(group)),
            Installed::NotDefined => ("not defined", Vec::new(), None),
            Installed::Otherwise(attributes) => {
                let attributes =
                    attributes.iter().map(|(name, is, defined)| json!({ "attribute": name, "installed": is, "defined": defined }));
                ("otherwise", attributes.collect(), None)
            }
        };
        json!({ "type": kind, "name": name, "state": state, "attributes": attributes, "group": group })
    }
}
