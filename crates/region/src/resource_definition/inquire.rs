//! Inquiries about the CSD, and its browses: of all lists, of all groups, of the groups in a list, of the definitions in a group.
//!
//! Invariants: a browse covers what there was when it began; a task has one browse of a kind, not both of all lists and of all groups, and
//! not both of a list and of a group ("Rules for concurrent browses", CSD STARTBRGROUP).

use super::names::{definition as named, group as group_of, name, type_value};
use super::refusals::Failure;
use crate::{Arguments, Outcome, Raised, Task, raise, raise_length};
use csd::{Csd, Definition, Refused, attribute_text};
use exec::resp2::csd as resp2;
use exec::{condition, option};
use std::collections::VecDeque;
use std::sync::Arc;

/// The domain's part of a task: what is left of each browse.
#[derive(Default)]
pub struct TaskState {
    lists: Option<VecDeque<String>>,
    groups: Option<VecDeque<String>>,
    groups_in_list: Option<VecDeque<String>>,
    definitions: Option<VecDeque<Definition>>,
    /// The attributes that SET has returned.
    returned: Option<usize>,
}

fn snapshot(task: &mut Task) -> Result<Arc<Csd>, Raised> {
    let region = task.region;
    Ok(task.on_resource_owning_tcb(|_| region.csd.snapshot())?)
}

fn refused<T>(task: &Task, refused: Refused) -> Result<T, Raised> {
    Err(Failure::from(refused).raised(task.region, None))
}

/// INQUIREGROUP: whether a group is in the CSD, or in a list.
pub(super) fn group(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let group = group_of(arguments)?;
    let list = name(arguments, option::LIST, resp2::LIST)?;
    let csd = snapshot(task)?;
    match list {
        None if csd.has_group(&group) => Ok(()),
        None => refused(task, Refused::NoGroup(group)),
        Some(list) => match csd.list(&list) {
            None => refused(task, Refused::NoList(list)),
            Some(groups) if groups.contains(&group) => Ok(()),
            Some(_) => refused(task, Refused::GroupNotInList(group)),
        },
    }
}

/// INQUIRELIST: whether a list is in the CSD.
pub(super) fn list(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let list = super::names::list(arguments)?;
    if snapshot(task)?.list(&list).is_some() { Ok(()) } else { refused(task, Refused::NoList(list)) }
}

/// INQUIRERSRCE: the attributes of a definition.
pub(super) fn definition(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some((resource, name)) = named(arguments)? else { return raise(condition::INVREQ, resp2::RESTYPE) };
    let group = group_of(arguments)?;
    let csd = snapshot(task)?;
    if !csd.has_group(&group) {
        return refused(task, Refused::NoGroup(group));
    }
    match csd.definition(&group, resource.name, &name) {
        Some(definition) => give_attributes(task, arguments, definition),
        None => refused(task, Refused::NoDefinition(resource.name, name)),
    }
}

/// ATTRIBUTES or SET, and ATTRLEN.
fn give_attributes(task: &mut Task, arguments: &mut Arguments, definition: &Definition) -> Outcome {
    let bytes = arguments.code_page().encode(&attribute_text::text(definition));
    let length = bytes.len() as i64;
    if arguments.has(option::SET) {
        if let Some(earlier) = TaskState::of(&task.parts).returned {
            task.freemain(earlier);
        }
        let address = task.set_storage(&bytes)?;
        TaskState::of_mut(&mut task.parts).returned = Some(address);
        arguments.set_integer(option::SET, address as i64);
        arguments.set_integer(option::ATTRLEN, length);
        return Ok(());
    }
    let Some(area) = arguments.area(option::ATTRIBUTES) else { return Ok(()) };
    let room = arguments.integer(option::ATTRLEN).unwrap_or(area.length as i64);
    if room < 0 {
        return raise(condition::LENGERR, resp2::ATTRLEN);
    }
    arguments.set_integer(option::ATTRLEN, length);
    let fits = usize::try_from(room).unwrap_or(0).min(bytes.len());
    arguments.set_bytes_unbounded(option::ATTRIBUTES, &bytes[..fits])?;
    if length > room { raise_length(resp2::ATTRLEN, room, length) } else { Ok(()) }
}

/// Begins a browse; its place in the task must be free, and that of the browse it excludes.
fn start<T>(place: &mut Option<VecDeque<T>>, excluded: bool, rows: impl FnOnce() -> VecDeque<T>) -> Outcome {
    if place.is_some() || excluded {
        return raise(condition::ILLOGIC, resp2::BROWSES_EXCLUDE);
    }
    *place = Some(rows());
    Ok(())
}

fn next<T>(place: &mut Option<VecDeque<T>>) -> Result<T, Raised> {
    match place {
        None => raise(condition::ILLOGIC, resp2::NO_BROWSE),
        Some(left) => left.pop_front().map_or(raise(condition::END, resp2::NO_MORE), Ok),
    }
}

pub(super) fn start_lists(task: &mut Task, _: &mut Arguments) -> Outcome {
    let csd = snapshot(task)?;
    let state = TaskState::of_mut(&mut task.parts);
    start(&mut state.lists, state.groups.is_some(), || csd.lists().map(str::to_string).collect())
}

pub(super) fn start_groups(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let list = name(arguments, option::LIST, resp2::LIST)?;
    let csd = snapshot(task)?;
    let state = TaskState::of_mut(&mut task.parts);
    match list {
        None => start(&mut state.groups, state.lists.is_some(), || csd.groups().map(str::to_string).collect()),
        Some(list) => match csd.list(&list) {
            None => refused(task, Refused::NoList(list)),
            Some(groups) => start(&mut state.groups_in_list, state.definitions.is_some(), || groups.to_vec().into()),
        },
    }
}

pub(super) fn start_definitions(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let group = group_of(arguments)?;
    let csd = snapshot(task)?;
    if !csd.has_group(&group) {
        return refused(task, Refused::NoGroup(group));
    }
    let state = TaskState::of_mut(&mut task.parts);
    start(&mut state.definitions, state.groups_in_list.is_some(), || csd.group(&group).cloned().collect())
}

pub(super) fn next_list(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let list = next(&mut TaskState::of_mut(&mut task.parts).lists)?;
    arguments.set_text(option::LIST, &list)
}

/// With LIST it is the browse of the groups in a list.
pub(super) fn next_group(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let state = TaskState::of_mut(&mut task.parts);
    let group = if arguments.has(option::LIST) { next(&mut state.groups_in_list)? } else { next(&mut state.groups)? };
    arguments.set_text(option::GROUP, &group)
}

pub(super) fn next_definition(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let definition = next(&mut TaskState::of_mut(&mut task.parts).definitions)?;
    arguments.set_integer(option::RESTYPE, type_value(definition.resource));
    arguments.set_text(option::RESID, &definition.name)?;
    arguments.set_text(option::GROUP, &definition.group)?;
    give_attributes(task, arguments, &definition)
}

pub(super) fn end_lists(task: &mut Task, _: &mut Arguments) -> Outcome {
    TaskState::of_mut(&mut task.parts).lists = None;
    Ok(())
}

pub(super) fn end_groups(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let state = TaskState::of_mut(&mut task.parts);
    if arguments.has(option::LIST) {
        state.groups_in_list = None;
    } else {
        state.groups = None;
    }
    Ok(())
}

pub(super) fn end_definitions(task: &mut Task, _: &mut Arguments) -> Outcome {
    TaskState::of_mut(&mut task.parts).definitions = None;
    Ok(())
}

/// DISCONNECT: the task has no browse any more; a syncpoint is part of it. The CSD is open for the time of a command only.
pub(super) fn disconnect(task: &mut Task, _: &mut Arguments) -> Outcome {
    let state = TaskState::of_mut(&mut task.parts);
    (state.lists, state.groups, state.groups_in_list, state.definitions) = (None, None, None, None);
    task.syncpoint()
}
