//! The commands that change the CSD. Each is a syncpoint.

use super::names::{definition, definition_name, editor, group, list, name, owner, type_of};
use super::refusals::Failure;
use crate::inquiry::{checked, switch};
use crate::{Arguments, Outcome, Raised, Task, creation, raise};
use csd::attributes::ResourceType;
use csd::edit::{Duplicates, In, Place};
use csd::{Csd, Definition, Editor, Part, attribute_text};
use exec::resp2::csd as resp2;
use exec::{condition, cvda, option};

/// Changes the CSD on a thread that may wait for its file, and ends the unit of work.
fn change(
    task: &mut Task,
    about: Option<(&'static ResourceType, &str)>,
    change: impl FnOnce(&mut Csd, &Editor) -> Result<(), Failure>,
) -> Outcome {
    let (region, editor) = (task.region, editor(task));
    let changed = task.on_resource_owning_tcb(|_| region.csd.change(|csd| change(csd, &editor)));
    match changed {
        Ok(()) => task.syncpoint(),
        Err(failure) => {
            task.rollback();
            Err(failure.raised(region, about))
        }
    }
}

pub(super) fn add(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let (group, list) = (group(arguments)?, list(arguments)?);
    let before = name(arguments, option::BEFORE, resp2::BEFORE)?;
    let after = name(arguments, option::AFTER, resp2::AFTER)?;
    let place = match (&before, &after) {
        (Some(before), _) => Place::Before(before),
        (_, Some(after)) => Place::After(after),
        _ => Place::End,
    };
    change(task, None, |csd, editor| Ok(csd.add(&group, &list, place, editor)?))
}

pub(super) fn remove(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let (group, list) = (group(arguments)?, list(arguments)?);
    change(task, None, |csd, editor| Ok(csd.remove(&group, &list, editor)?))
}

pub(super) fn append(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let from = list(arguments)?;
    let to = name(arguments, option::TO, resp2::TO)?.unwrap_or_default();
    change(task, None, |csd, editor| Ok(csd.append(&from, &to, editor)?))
}

/// COMPATMODE: whether attributes of earlier releases are accepted.
fn accepts_obsolete(arguments: &Arguments) -> Result<bool, Raised> {
    let modes = ((option::COMPAT, cvda::COMPAT), (option::NOCOMPAT, cvda::NOCOMPAT));
    Ok(switch(arguments, option::COMPATMODE, modes.0, modes.1, resp2::COMPATMODE)?.unwrap_or(false))
}

pub(super) fn define(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    make(task, arguments, |_, _| Ok(Default::default()))
}

/// As DEFINE, with the attributes of definition USER in group USERDEF as defaults.
pub(super) fn user_define(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    make(task, arguments, |csd, resource| {
        csd.user_defaults(resource).map(|defaults| defaults.attributes.clone()).ok_or(Failure::NoUserDefaults)
    })
}

type Attributes = std::collections::BTreeMap<&'static str, String>;

fn make(
    task: &mut Task,
    arguments: &Arguments,
    defaults: impl FnOnce(&Csd, &'static ResourceType) -> Result<Attributes, Failure>,
) -> Outcome {
    let Some((resource, name)) = definition(arguments)? else { return raise(condition::INVREQ, resp2::RESTYPE) };
    let group = group(arguments)?;
    let (text, obsolete) = (creation::attributes_text(arguments, resp2::ATTRLEN)?, accepts_obsolete(arguments)?);
    change(task, Some((resource, &name)), |csd, editor| {
        let mut definition = Definition::new(resource.name, &name, &group);
        definition.attributes = defaults(csd, resource)?;
        attribute_text::apply(&mut definition, &text, obsolete).map_err(Failure::Attributes)?;
        Ok(csd.define(definition, editor)?)
    })
}

pub(super) fn alter(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some((resource, name)) = definition(arguments)? else { return raise(condition::INVREQ, resp2::RESTYPE) };
    let group = group(arguments)?;
    let (text, obsolete) = (creation::attributes_text(arguments, resp2::ATTRLEN)?, accepts_obsolete(arguments)?);
    change(task, Some((resource, &name)), |csd, editor| {
        csd.alter(In { group: &group, resource, name: &name }, editor, |definition| {
            attribute_text::apply(definition, &text, obsolete).map_err(Failure::Attributes)
        })
    })
}

pub(super) fn delete(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let wanted = definition(arguments)?;
    let group = group(arguments)?;
    let from_lists = checked(arguments, option::LISTACTION, &[(option::REMOVE, cvda::REMOVE)], resp2::LISTACTION)?.is_some();
    change(task, None, |csd, editor| {
        match &wanted {
            Some((resource, name)) => csd.delete_definition(In { group: &group, resource, name }, from_lists, editor)?,
            None => csd.delete_group(&group, from_lists, editor)?,
        }
        Ok(())
    })
}

/// DUPACTION: what happens to definitions that are in the target group.
fn duplicates(arguments: &Arguments) -> Result<Duplicates, Raised> {
    let keywords = [(option::DUPERROR, cvda::DUPERROR), (option::DUPNOREPLACE, cvda::DUPNOREPLACE), (option::DUPREPLACE, cvda::DUPREPLACE)];
    Ok(match checked(arguments, option::DUPACTION, &keywords, resp2::DUPACTION)? {
        Some(cvda::DUPREPLACE) => Duplicates::Replace,
        Some(cvda::DUPNOREPLACE) => Duplicates::Keep,
        _ => Duplicates::Refuse,
    })
}

pub(super) fn copy(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let wanted = definition(arguments)?;
    let (from, to) = (group(arguments)?, name(arguments, option::TO, resp2::TO)?);
    let new_name = match type_of(arguments)? {
        Some(of) => definition_name(arguments, option::AS, of, resp2::AS)?,
        None => None,
    };
    let duplicates = duplicates(arguments)?;
    change(task, None, |csd, editor| {
        let to = to.as_deref().unwrap_or(&from);
        match &wanted {
            Some((resource, name)) => {
                let from = In { group: &from, resource, name };
                csd.copy_definition(from, to, new_name.as_deref().unwrap_or(name), duplicates, editor)?;
            }
            None => csd.copy_group(&from, to, duplicates, editor)?,
        }
        Ok(())
    })
}

pub(super) fn rename(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some((resource, name)) = definition(arguments)? else { return raise(condition::INVREQ, resp2::RESTYPE) };
    let group = group(arguments)?;
    let new_name = definition_name(arguments, option::AS, resource, resp2::AS)?.unwrap_or_default();
    change(task, None, |csd, editor| {
        let from = In { group: &group, resource, name: &name };
        Ok(csd.rename(from, &group, &new_name, Duplicates::Refuse, editor)?)
    })
}

/// The group or list that LOCK and UNLOCK name.
fn part(arguments: &Arguments) -> Result<(Part, String), Raised> {
    match name(arguments, option::GROUP, resp2::GROUP)? {
        Some(group) => Ok((Part::Group, group)),
        None => Ok((Part::List, list(arguments)?)),
    }
}

pub(super) fn lock(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let ((part, name), owner) = (part(arguments)?, owner(task));
    change(task, None, |csd, _| Ok(csd.lock(part, &name, &owner)?))
}

pub(super) fn unlock(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let ((part, name), owner) = (part(arguments)?, owner(task));
    change(task, None, |csd, _| Ok(csd.unlock(part, &name, &owner)?))
}
