//! `regent resources apply`: makes the groups and lists of the CSD what their files say.
//!
//! Invariants: everything is applied, or nothing is; what CEDA and DFHCSDUP refuse is refused here: supplied groups, and groups and lists
//! that a user has locked. Definitions that do not change keep the time of their last change.

use csd::edit::{In, Place};
use csd::rules::Fault;
use csd::{Csd, Editor, Owner, Part, Refused};

use super::difference::{Change, Difference};
use super::read::{Contents, File};

/// Applies the differences of a file.
pub fn file(csd: &mut Csd, file: &File, differences: &[Difference]) -> Result<(), Refused> {
    let editor = Editor::Utility;
    match &file.contents {
        Contents::Group(_) => group(csd, file, differences, &editor),
        Contents::List(groups) if !differences.is_empty() => {
            if csd.list(&file.name).is_some() {
                csd.delete_list(&file.name, &editor)?;
            }
            groups.iter().try_for_each(|group| csd.add(group, &file.name, Place::End, &editor))
        }
        Contents::List(_) => Ok(()),
    }
}

/// New definitions first: a group whose last definition goes would be gone from its lists.
fn group(csd: &mut Csd, file: &File, differences: &[Difference], editor: &Editor) -> Result<(), Refused> {
    let written = |difference: &Difference| {
        let is_same = |definition: &&csd::Definition| definition.resource.name == difference.kind && definition.name == difference.name;
        file.definitions().iter().map(|written| &written.definition).find(is_same)
    };
    for difference in differences {
        match (&difference.change, written(difference)) {
            (Change::Add, Some(definition)) => csd.define(definition.clone(), editor)?,
            (Change::Alter(_), Some(definition)) => {
                let wanted = In { group: &file.name, resource: definition.resource, name: &definition.name };
                csd.alter(wanted, editor, |kept| {
                    kept.attributes.clone_from(&definition.attributes);
                    Ok::<(), Refused>(())
                })?;
            }
            _ => {}
        }
    }
    for difference in differences.iter().filter(|difference| difference.change == Change::Delete) {
        let resource = csd::attributes::resource_type(difference.kind).expect("a type of the table");
        csd.delete_definition(In { group: &file.name, resource, name: &difference.name }, false, editor)?;
    }
    Ok(())
}

/// Deletes a group with its places in lists, or a list.
pub fn delete(csd: &mut Csd, part: Part, name: &str) -> Result<(), Refused> {
    match part {
        Part::Group => csd.delete_group(name, true, &Editor::Utility),
        Part::List => csd.delete_list(name, &Editor::Utility),
    }
}

/// Why a change is refused, and what to do.
pub fn reason(refused: &Refused) -> String {
    match refused {
        Refused::Locked(part, name, Owner { applid, user }) => format!(
            "{} {name} is locked by user {user} of region {applid}; this user releases it with CEDA UNLOCK {}({name})",
            part.name().to_lowercase(),
            part.name()
        ),
        Refused::Supplied(_, name) => format!("{name} is supplied with the system and cannot be changed"),
        Refused::NameInUse(Part::Group, name) => format!("{name} is the name of a list; give the group another"),
        Refused::NameInUse(Part::List, name) => format!("{name} is the name of a group; give the list another"),
        Refused::DefinitionExists(kind, name) => format!("{kind} {name} is in the group already"),
        Refused::GroupInList(group) => format!("group {group} is in the list already"),
        Refused::NoGroup(group) => format!("group {group} is not in the CSD any more; try again"),
        Refused::NoList(list) => format!("list {list} is not in the CSD any more; try again"),
        Refused::NoDefinition(kind, name) => format!("{kind} {name} is not in the group any more; try again"),
        Refused::GroupNotInList(group) | Refused::NoPlace(group) => format!("group {group} is not in the list"),
        Refused::Incomplete(Fault::Missing(attribute)) => format!("{attribute} is missing; add it"),
        Refused::Incomplete(Fault::Conflict(reason)) => reason.clone(),
    }
}
