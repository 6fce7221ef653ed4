//! CREATE, INQUIRE, SET and DISCARD BUNDLE, and INQUIRE BUNDLEPART.

use super::availability::{self, Fault};
use super::part::{Content, Part, Status};
use super::{Bundle, life};
use crate::browse::{PartRow, browse};
use crate::manifest::Class;
use crate::{Policies, TaskPolicies, signature};
use exec::resp2::bundles as resp2;
use exec::{CommandId, command, condition, cvda, option};
use region::creation;
use region::inquiry::{NULL_NUMBER, checked, either, is_browse, step, switch};
use region::{Arguments, Handler, Outcome, Task, raise};

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::CREATE_BUNDLE, create_bundle),
        (command::DISCARD_BUNDLE, discard),
        (command::INQUIRE_BUNDLE, inquire),
        (command::INQUIRE_BUNDLEPART, inquire_part),
        (command::SET_BUNDLE, set),
    ]
}

fn create_bundle(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    creation::create(task, arguments, "BUNDLE", option::BUNDLE)
}

fn number(value: Option<u32>) -> i64 {
    value.map_or(NULL_NUMBER, i64::from)
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let policies = Policies::of(region);
    let Some(name) = browse(task, arguments, option::BUNDLE, || policies.bundles.lock().keys().cloned().collect())? else { return Ok(()) };
    let bundles = policies.bundles.lock();
    let Some(bundle) = bundles.get(&name) else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    give(arguments, bundle)?;
    let agent = if bundle.is_created { cvda::CREATESPI } else { cvda::GRPLIST };
    signature::give(region, arguments, "BUNDLE", &name, agent, bundle.installed_at)
}

fn give(arguments: &mut Arguments, bundle: &Bundle) -> Outcome {
    let [major, minor, micro] = bundle.manifest.version;
    arguments.set_integers([
        (option::AVAILSTATUS, availability_of(bundle)),
        (option::ENABLESTATUS, either(bundle.is_enabled, cvda::ENABLED, cvda::DISABLED)),
        (option::MAJORVERSION, number(major)),
        (option::MINORVERSION, number(minor)),
        (option::MICROVERSION, number(micro)),
        (option::PARTCOUNT, bundle.parts.len() as i64),
        (option::TARGETCOUNT, bundle.targets().count() as i64),
        (option::ENABLEDCOUNT, bundle.enabled_count() as i64),
    ]);
    arguments.set_text(option::BASESCOPE, &bundle.base_scope)?;
    arguments.set_text(option::BUNDLEDIR, &bundle.directory.display().to_string())?;
    arguments.set_text(option::BUNDLEID, &bundle.manifest.id)?;
    arguments.set_text(option::MGMTPART, "")
}

fn availability_of(bundle: &Bundle) -> i64 {
    if bundle.has_entry_points() { either(bundle.is_available, cvda::AVAILABLE, cvda::UNAVAILABLE) } else { cvda::NONE }
}

fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name = arguments.text(option::BUNDLE)?.unwrap_or_default();
    let available = [(option::AVAILABLE, cvda::AVAILABLE), (option::UNAVAILABLE, cvda::UNAVAILABLE)];
    let availability = checked(arguments, option::AVAILSTATUS, &available, resp2::AVAILSTATUS)?;
    let enables =
        switch(arguments, option::ENABLESTATUS, (option::ENABLED, cvda::ENABLED), (option::DISABLED, cvda::DISABLED), resp2::ENABLESTATUS)?;
    let copy = checked(arguments, option::COPY, &[(option::PHASEIN, cvda::PHASEIN)], resp2::COPY)?;
    if !Policies::of(task.region).bundles.lock().contains_key(&name) {
        return raise(condition::NOTFND, resp2::NOT_FOUND);
    }
    if [availability.is_some(), enables.is_some(), copy.is_some()].into_iter().filter(|given| *given).count() > 1 {
        return raise(condition::INVREQ, resp2::MORE_THAN_ONE);
    }
    if let Some(availability) = availability {
        return match availability::set(task.region, &name, availability == cvda::AVAILABLE) {
            Ok(()) => Ok(()),
            Err(Fault::NoEntryPoints) => raise(condition::INVREQ, resp2::NO_ENTRY_POINTS),
            Err(Fault::NotEnabled) => raise(condition::INVREQ, resp2::NOT_ENABLED),
            Err(Fault::NotChanged) => raise(condition::INVREQ, resp2::NOT_CHANGED),
        };
    }
    if copy.is_some() {
        // Only OSGi bundles are phased in.
        return raise(condition::INVREQ, resp2::NO_OSGI_BUNDLES);
    }
    let is_available = Policies::of(task.region).bundles.lock().get(&name).is_some_and(|bundle| bundle.is_available);
    match enables {
        // Users lose access first.
        Some(false) if is_available => raise(condition::INVREQ, resp2::AVAILABLE),
        Some(enable) if !life::set_enabled(task, &name, enable)? => raise(condition::INVREQ, resp2::NOT_CHANGED),
        _ => Ok(()),
    }
}

fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name = arguments.text(option::BUNDLE)?.unwrap_or_default();
    let is_enabled = Policies::of(task.region).bundles.lock().get(&name).map(|bundle| bundle.is_enabled);
    match is_enabled {
        None => raise(condition::NOTFND, resp2::NOT_FOUND),
        Some(true) => raise(condition::INVREQ, resp2::NOT_DISABLED),
        Some(false) if !life::discard(task, &name)? => raise(condition::INVREQ, resp2::IN_USE),
        Some(false) => Ok(()),
    }
}

fn rows(bundle: &Bundle) -> impl Iterator<Item = PartRow> {
    let row = |part: &Part| PartRow {
        bundle: bundle.name.clone(),
        name: part.entry.name.clone(),
        kind: part.entry.kind.clone(),
        file: part.entry.path.clone(),
        availability: if matches!(part.content, Content::EntryPoint { .. }) { availability_of(bundle) } else { cvda::NONE },
        class: match part.entry.class {
            Class::Definition => cvda::DEFINITION,
            Class::Import => cvda::IMPORT,
            Class::Export => cvda::EXPORT,
            Class::EntryPoint => cvda::ENTRYPOINT,
            Class::PolicyScope => cvda::POLICYSCOPE,
        },
        status: match part.status {
            Status::Unusable => cvda::UNUSABLE,
            Status::Enabled => cvda::ENABLED,
            Status::Disabled => cvda::DISABLED,
        },
    };
    bundle.parts.iter().map(row)
}

/// INQUIRE BUNDLEPART is a browse only. START names the bundle; without a name it is of all bundles.
fn inquire_part(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let policies = Policies::of(task.region);
    if !is_browse(arguments) {
        return raise(condition::INVREQ, resp2::ONLY_A_BROWSE);
    }
    let name = if arguments.has(option::START) { arguments.text(option::BUNDLE)? } else { None };
    if name.as_ref().is_some_and(|name| !policies.bundles.lock().contains_key(name)) {
        return raise(condition::NOTFND, resp2::NOT_FOUND);
    }
    let all = || {
        let bundles = policies.bundles.lock();
        bundles.values().filter(|bundle| name.as_ref().is_none_or(|name| *name == bundle.name)).flat_map(rows).collect()
    };
    let slot = &mut TaskPolicies::of_mut(&mut task.parts).browses.parts;
    let Some(row) = step(arguments, slot, all)? else { return Ok(()) };
    arguments.set_integers([(option::AVAILSTATUS, row.availability), (option::ENABLESTATUS, row.status), (option::PARTCLASS, row.class)]);
    arguments.set_text(option::BUNDLE, &row.bundle)?;
    arguments.set_text(option::BUNDLEPART, &row.name)?;
    arguments.set_text(option::METADATAFILE, &row.file)?;
    arguments.set_text(option::PARTTYPE, &row.kind)
}
