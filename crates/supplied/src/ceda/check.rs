//! CHECK: whether the definitions of a group, or of the groups of lists, fit together ("The CEDA CHECK command").

use super::messages::{Message, warning};
use csd::{Csd, Definition};

/// An attribute of a type that names a resource of another type.
struct Reference {
    of: &'static str,
    attribute: &'static str,
    to: &'static str,
}

const fn reference(of: &'static str, attribute: &'static str, to: &'static str) -> Reference {
    Reference { of, attribute, to }
}

const REFERENCES: &[Reference] = &[
    reference("TRANSACTION", "PROGRAM", "PROGRAM"),
    reference("TRANSACTION", "PROFILE", "PROFILE"),
    reference("TRANSACTION", "TRANCLASS", "TRANCLASS"),
    reference("TRANSACTION", "PARTITIONSET", "PARTITIONSET"),
    reference("TERMINAL", "TYPETERM", "TYPETERM"),
    reference("SESSIONS", "CONNECTION", "CONNECTION"),
    reference("DB2TRAN", "ENTRY", "DB2ENTRY"),
];
/// The beginning of the names of supplied resources.
const SUPPLIED: &str = "DFH";

/// What the groups lack, and what they have twice. `place` is "group" or "list". `system` is the region for which is checked: a definition
/// that names it as its remote system is local there, and needs what local ones need ("The CEDA CHECK command", REMOTESYSTEM).
pub fn check(csd: &Csd, groups: &[String], place: &str, system: &str) -> Vec<Message> {
    let definitions: Vec<&Definition> = groups.iter().flat_map(|group| csd.group(group)).collect();
    let mut messages = Vec::new();
    for group in groups.iter().filter(|group| !csd.has_group(group)) {
        messages.push(warning(&format!("Group {group} not found.")));
    }
    for definition in &definitions {
        messages.extend(lacking(definition, &definitions, place, system));
    }
    messages.extend(twice(&definitions));
    messages
}

fn lacking(definition: &Definition, all: &[&Definition], place: &str, system: &str) -> Vec<Message> {
    let remote = definition.get("REMOTESYSTEM").trim_end();
    let is_remote = !remote.is_empty() && remote != system;
    let named = REFERENCES.iter().filter(|reference| !is_remote && reference.of == definition.resource.name);
    let missing = named.filter_map(|reference| {
        let name = definition.get(reference.attribute);
        let is_name = !name.is_empty() && !name.starts_with(SUPPLIED) && name != "NO";
        let is_there = all.iter().any(|other| other.resource.name == reference.to && other.name == name);
        (is_name && !is_there).then(|| {
            let (kind, group) = (definition.resource.name, &definition.group);
            warning(&format!("{} {name} named by {kind} {} in group {group} is not in the {place}.", reference.to, definition.name))
        })
    });
    missing.collect()
}

fn twice(all: &[&Definition]) -> Vec<Message> {
    let mut messages = Vec::new();
    for (at, definition) in all.iter().enumerate() {
        let is_same = |other: &&&Definition| other.resource.name == definition.resource.name && other.name == definition.name;
        if let Some(other) = all[..at].iter().find(is_same) {
            let (kind, name) = (definition.resource.name, &definition.name);
            messages.push(warning(&format!("{kind} {name} is in group {} and in group {}.", other.group, definition.group)));
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_there_twice_is_named() {
        let mut csd = Csd::default();
        csd.put(Definition::new("TRANSACTION", "PAY1", "PAY").with("PROGRAM", "PAYPGM").with("TRANCLASS", "PAYCLASS"));
        csd.put(Definition::new("TRANSACTION", "PAY2", "PAY").with("PROGRAM", "HERE"));
        csd.put(Definition::new("PROGRAM", "HERE", "PAY"));
        csd.put(Definition::new("PROGRAM", "HERE", "OTHER"));
        let texts = |groups: &[&str]| {
            let groups: Vec<String> = groups.iter().map(|group| (*group).to_string()).collect();
            check(&csd, &groups, "group", "CICS").into_iter().map(|message| message.text).collect::<Vec<_>>()
        };
        assert_eq!(
            texts(&["PAY"]),
            [
                "PROGRAM PAYPGM named by TRANSACTION PAY1 in group PAY is not in the group.",
                "TRANCLASS PAYCLASS named by TRANSACTION PAY1 in group PAY is not in the group.",
            ]
        );
        assert!(texts(&["PAY", "OTHER", "NONE"]).contains(&"PROGRAM HERE is in group PAY and in group OTHER.".to_string()));
        assert!(texts(&["NONE"]) == ["Group NONE not found."]);
    }

    /// A shared group with a definition of two purposes: remote in one region, local in the other.
    #[test]
    fn a_definition_is_local_in_the_region_that_it_names() {
        let mut csd = Csd::default();
        csd.put(Definition::new("TRANSACTION", "PAY1", "PAY").with("PROGRAM", "PAYPGM").with("REMOTESYSTEM", "AOR1"));
        let texts = |system: &str| check(&csd, &["PAY".to_string()], "group", system).len();
        assert_eq!((texts("TOR1"), texts("AOR1")), (0, 1));
    }
}
