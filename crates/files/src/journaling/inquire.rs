//! INQUIRE, SET and DISCARD of JOURNALNAME and JOURNALMODEL, INQUIRE STREAMNAME.

use super::journal::{JournalType, Status};
use super::{Model, SYSTEM_LOG, model};
use crate::journaling::Journaling;
use exec::resp2::journals as resp2;
use exec::{condition, cvda, option};
use region::figures::ResourceType;
use region::inquiry::{BrowseStep, either, give_signature};
use region::name::{Name, Name8};
use region::statistics::recording;
use region::{Arguments, Outcome, Region, Task, raise};

fn type_cvda(kind: JournalType) -> i64 {
    match kind {
        JournalType::Mvs => cvda::MVS,
        JournalType::Smf => cvda::SMF,
        JournalType::Dummy => cvda::DUMMY,
    }
}

fn status_cvda(status: Status) -> i64 {
    match status {
        Status::Enabled => cvda::ENABLED,
        Status::Disabled => cvda::DISABLED,
        Status::Failed => cvda::FAILED,
    }
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let journals = &Journaling::of(region);
    let system_log = Name8::new(SYSTEM_LOG);
    let names = || std::iter::once(system_log).chain(journals.names()).collect();
    let exists = |name: Name8| name == system_log || journals.find(name).is_some();
    let step = task.browse_step(arguments, option::JOURNALNAME, names, exists)?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let (status, kind, stream) = match journals.find(name) {
        Some(journal) => (journal.status(), journal.kind, journal.stream_name.clone()),
        None if name == system_log => {
            let status = if region.store.is_working() { Status::Enabled } else { Status::Failed };
            (status, JournalType::Mvs, model::default_stream(region, name))
        }
        None => return raise(condition::JIDERR, resp2::NO_JOURNAL),
    };
    arguments.set_integer(option::STATUS, status_cvda(status));
    arguments.set_integer(option::TYPE, type_cvda(kind));
    arguments.set_text(option::STREAMNAME, &stream)
}

/// An unknown journal is connected to its stream by the best model for it.
pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::JOURNALNAME)?.unwrap_or_default();
    if name.as_str().trim_end() == SYSTEM_LOG {
        return raise(condition::INVREQ, resp2::SYSTEM_LOG);
    }
    let status = arguments.chosen(option::STATUS, &[(option::ENABLED, cvda::ENABLED), (option::DISABLED, cvda::DISABLED)]);
    let action = arguments.chosen(option::ACTION, &[(option::FLUSH, cvda::FLUSH), (option::RESET, cvda::RESET)]);
    match (status, action) {
        (Some(_), Some(_)) => raise(condition::INVREQ, resp2::BOTH_GIVEN),
        (None, Some(action)) => act(task, name, action),
        (status, None) => set_status(task, name, status),
    }
}

fn act(task: &mut Task, name: Name8, action: i64) -> Outcome {
    let region = task.region;
    if !matches!(action, cvda::FLUSH | cvda::RESET) {
        return raise(condition::INVREQ, resp2::ACTION_CVDA);
    }
    let Some(journal) = Journaling::of(region).find(name) else { return raise(condition::INVREQ, resp2::NOT_CONNECTED) };
    if action == cvda::FLUSH {
        let written = journal.written();
        return journal.force(task, written);
    }
    // Like a log stream that is available again after a failure: reopened at its end.
    let connected = task.on_resource_owning_tcb(|_| {
        recording::replaced(region, ResourceType::JournalName, name.as_str(), || Journaling::of(region).discard(name));
        Journaling::of(region).obtain(region, name)
    });
    connected.map(|_| ()).or_else(|_| raise(condition::IOERR, resp2::CANNOT_CONNECT))
}

fn set_status(task: &mut Task, name: Name8, status: Option<i64>) -> Outcome {
    if !matches!(status, None | Some(cvda::ENABLED | cvda::DISABLED)) {
        return raise(condition::INVREQ, resp2::STATUS_CVDA);
    }
    let Ok(journal) = Journaling::connect(task, name) else { return raise(condition::IOERR, resp2::CANNOT_CONNECT) };
    match status {
        Some(cvda::ENABLED) => journal.enable(true),
        Some(cvda::DISABLED) => {
            let written = journal.written();
            journal.force(task, written)?;
            journal.enable(false);
        }
        _ => {}
    }
    Ok(())
}

pub(super) fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let name: Name8 = arguments.name(option::JOURNALNAME)?.unwrap_or_default();
    if name.as_str().trim_end() == SYSTEM_LOG {
        return raise(condition::INVREQ, resp2::DISCARD_SYSTEM_LOG);
    }
    let Some(journal) = Journaling::of(region).find(name) else { return raise(condition::JIDERR, resp2::NO_JOURNAL) };
    let written = journal.written();
    journal.force(task, written)?;
    task.on_resource_owning_tcb(|_| {
        recording::replaced(region, ResourceType::JournalName, name.as_str(), || Journaling::of(region).discard(name));
    });
    Ok(())
}

fn model_named(region: &Region, name: Name8) -> Option<Model> {
    Journaling::of(region).models.read().iter().find(|model| model.name == name).cloned()
}

pub(super) fn inquire_model(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let names = || {
        let mut names: Vec<Name8> = Journaling::of(region).models.read().iter().map(|model| model.name).collect();
        names.sort_unstable();
        names
    };
    let step = task.browse_step(arguments, option::JOURNALMODEL, names, |name| model_named(region, name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(model) = model_named(region, name) else { return raise(condition::NOTFND, resp2::NO_MODEL) };
    arguments.set_integer(option::TYPE, type_cvda(model.kind));
    give_signature(region, arguments, "JOURNALMODEL", name.as_str(), cvda::GRPLIST)?;
    arguments.set_text(option::JOURNALNAME, &model.pattern)?;
    arguments.set_text(option::STREAMNAME, &model.stream)
}

pub(super) fn discard_model(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let name: Name8 = arguments.name(option::JOURNALMODEL)?.unwrap_or_default();
    let mut models = Journaling::of(region).models.write();
    let before = models.len();
    models.retain(|model| model.name != name);
    if models.len() == before {
        return raise(condition::NOTFND, resp2::NO_MODEL);
    }
    drop(models);
    region.installed.write().remove("JOURNALMODEL", name.as_str());
    Ok(())
}

/// The streams in use, the system log's first; names are cut to the length of browse entries.
fn streams(region: &Region) -> Vec<(String, i64, bool)> {
    let mut streams = vec![(model::default_stream(region, Name8::new(SYSTEM_LOG)), 1, true)];
    for name in Journaling::of(region).names() {
        let Some(journal) = Journaling::of(region).find(name).filter(|journal| journal.kind == JournalType::Mvs) else { continue };
        match streams.iter_mut().find(|(stream, ..)| *stream == journal.stream_name) {
            Some((_, users, _)) => *users += 1,
            None => streams.push((journal.stream_name.clone(), 1, false)),
        }
    }
    streams
}

pub(super) fn inquire_stream(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    // A browse goes over numbers, because names of streams are longer than those of other resources.
    let browsing = [option::START, option::NEXT, option::END].into_iter().any(|option| arguments.has(option));
    let stream = if browsing {
        let names = || (0..streams(region).len()).map(|index| Name::<16>::new(&format!("{index:04}"))).collect();
        let step = task.browse_step(arguments, option::STREAMNAME, names, |_| true)?;
        let BrowseStep::One(index) = step else { return Ok(()) };
        index.as_str().trim_end().parse::<usize>().ok().and_then(|index| streams(region).into_iter().nth(index))
    } else {
        let wanted = arguments.text(option::STREAMNAME)?.unwrap_or_default();
        streams(region).into_iter().find(|(stream, ..)| *stream == wanted.trim_end())
    };
    let Some((name, users, is_system_log)) = stream else { return raise(condition::NOTFND, resp2::NO_STREAM) };
    arguments.set_text(option::STREAMNAME, &name)?;
    arguments.set_integer(option::STATUS, either(region.store.is_working(), cvda::OK, cvda::FAILED));
    arguments.set_integer(option::SYSTEMLOG, either(is_system_log, cvda::SYSLOG, cvda::NOSYSLOG));
    arguments.set_integer(option::USECOUNT, users);
    Ok(())
}
