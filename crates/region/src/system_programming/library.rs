//! INQUIRE, SET, CREATE and DISCARD LIBRARY.

use super::{TaskState, application};
use crate::control_blocks::application::Application;
use crate::control_blocks::options::NULL_POINTER;
use crate::figures::ResourceType;
use crate::inquiry::{attribute, checked, either, is_browse, step_over};
use crate::name::Name8;
use crate::program_manager::{Library, STATIC_LIBRARY, search_position};
use crate::statistics::recording;
use crate::{Arguments, Outcome, Raised, Task, creation, raise};
use exec::resp2::libraries as resp2;
use exec::{OptionId, condition, cvda, option};
use std::sync::Arc;

/// Characters of a data set name.
const DSNAME_LENGTH: usize = 44;

const DSNAMES: [OptionId; 16] = [
    option::DSNAME01,
    option::DSNAME02,
    option::DSNAME03,
    option::DSNAME04,
    option::DSNAME05,
    option::DSNAME06,
    option::DSNAME07,
    option::DSNAME08,
    option::DSNAME09,
    option::DSNAME10,
    option::DSNAME11,
    option::DSNAME12,
    option::DSNAME13,
    option::DSNAME14,
    option::DSNAME15,
    option::DSNAME16,
];

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let application = application::of_command(task, arguments)?;
    let programs = task.region.programs();
    let all = |application: Option<&Arc<Application>>| match application {
        Some(application) => programs.private_names(application).1,
        None => programs.libraries(),
    };
    let found = |(application, name): &Row| {
        let libraries = all(application.as_ref());
        let library = libraries.iter().find(|library| library.name == name.as_str())?;
        Some((library.clone(), search_position(&libraries, &library.name)))
    };
    let row = if is_browse(arguments) {
        let rows = || {
            let own = application.as_ref().map(|own| (Some(own.clone()), all(Some(own))));
            let of = |(application, libraries): (Option<Arc<Application>>, Vec<Library>)| {
                libraries.into_iter().map(move |library| (application.clone(), Name8::new(&library.name)))
            };
            let mut rows: Vec<Row> = own.into_iter().chain([(None, all(None))]).flat_map(of).collect();
            rows.sort_by_key(|(_, name)| arguments.code_page().encode_name(name));
            rows.into()
        };
        let slot = &mut TaskState::of_mut(&mut task.parts).libraries;
        let Some(row) = step_over(arguments, slot, rows, |row| found(row).is_some())? else { return Ok(()) };
        arguments.set_name(option::LIBRARY, &row.1)?;
        row
    } else {
        let name = arguments.name(option::LIBRARY)?.unwrap_or_default();
        let own = (application.clone(), name);
        if application.is_some() && found(&own).is_some() { own } else { (None, name) }
    };
    let Some((library, position)) = found(&row) else { return raise(condition::NOTFND, resp2::NO_LIBRARY) };
    describe(task, &library, position.into(), row.0.as_deref(), arguments)?;
    crate::inquiry::give_signature(task.region, arguments, "LIBRARY", row.1.as_str(), cvda::GRPLIST)
}

/// A library of a browse, and the application that it is private to.
pub type Row = (Option<Arc<Application>>, Name8);

fn describe(task: &mut Task, library: &Library, position: i64, application: Option<&Application>, arguments: &mut Arguments) -> Outcome {
    arguments.set_integers([
        (option::CRITICALST, either(library.is_critical, cvda::CRITICAL, cvda::NONCRITICAL)),
        (option::ENABLESTATUS, either(library.is_enabled, cvda::ENABLED, cvda::DISABLED)),
        (option::NUMDSNAMES, library.data_sets.len() as i64),
        (option::RANKING, library.ranking.into()),
        (option::SEARCHPOS, position),
    ]);
    application::give(arguments, application)?;
    let name_at = |at: usize| library.data_sets.get(at).map_or("", |data_set| data_set.name.as_str());
    for (at, option) in DSNAMES.into_iter().enumerate() {
        arguments.set_fixed_text(option, name_at(at), DSNAME_LENGTH)?;
    }
    if arguments.has(option::DSNAMELIST) {
        let mut list = vec![task.region.code_page.space(); library.data_sets.len() * DSNAME_LENGTH];
        for (at, place) in list.chunks_mut(DSNAME_LENGTH).enumerate() {
            task.region.code_page.fill(name_at(at), place);
        }
        let address = if list.is_empty() { NULL_POINTER } else { task.level_storage(&list)? as i64 };
        arguments.set_integer(option::DSNAMELIST, address);
    }
    Ok(())
}

/// The library that a command is to change or discard: not DFHRPL.
fn named(task: &Task, arguments: &Arguments) -> Result<(Name8, Library), Raised> {
    let name: Name8 = arguments.name(option::LIBRARY)?.unwrap_or_default();
    let library = task.region.programs().libraries().into_iter().find(|library| library.name == name.as_str());
    match library {
        None => raise(condition::NOTFND, resp2::NO_LIBRARY),
        Some(_) if name.as_str() == STATIC_LIBRARY => raise(condition::INVREQ, resp2::STATIC),
        Some(library) => Ok((name, library)),
    }
}

/// Data sets of libraries are looked for, opened and closed on RO.
pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.on_resource_owning_tcb(|task| change(task, arguments))
}

fn change(task: &mut Task, arguments: &Arguments) -> Outcome {
    let (name, library) = named(task, arguments)?;
    let states = [(option::ENABLED, cvda::ENABLED), (option::DISABLED, cvda::DISABLED)];
    let status = checked(arguments, option::ENABLESTATUS, &states, resp2::ENABLESTATUS)?;
    let states = [(option::CRITICAL, cvda::CRITICAL), (option::NONCRITICAL, cvda::NONCRITICAL)];
    let critical = checked(arguments, option::CRITICALST, &states, resp2::CRITICALST)?;
    let ranking = attribute(arguments, option::RANKING, ("LIBRARY", "RANKING"), resp2::RANKING)?;
    if status == Some(cvda::ENABLED) && library.missing().is_some() {
        return raise(condition::INVREQ, resp2::UNAVAILABLE);
    }
    task.region.programs().change_library(name, |library| {
        library.is_enabled = status.map_or(library.is_enabled, |value| value == cvda::ENABLED);
        library.is_critical = critical.map_or(library.is_critical, |value| value == cvda::CRITICAL);
        library.ranking = ranking.map_or(library.ranking, |value| value as u32);
    });
    Ok(())
}

pub(super) fn create(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.on_resource_owning_tcb(|task| creation::create(task, arguments, "LIBRARY", option::LIBRARY))
}

/// A library that is enabled is in use.
pub(super) fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.on_resource_owning_tcb(|task| discard_named(task, arguments))
}

fn discard_named(task: &mut Task, arguments: &Arguments) -> Outcome {
    let (name, library) = named(task, arguments)?;
    if library.is_enabled {
        return raise(condition::INVREQ, resp2::ENABLED);
    }
    let region = task.region;
    recording::replaced(region, ResourceType::Library, name.as_str(), || region.programs().discard_library(name));
    region.installed.write().remove("LIBRARY", name.as_str());
    Ok(())
}
