//! The life of a bundle: installed, enabled, disabled, discarded.
//!
//! A bundle that is installed while the region starts has no task, so its resources are installed as definitions; later changes of status
//! are commands of the task that asks for them. Messages are those of the resource life-cycle domain (DFHRL).

use super::Bundle;
use super::part::{Content, Part, Place, Status, is_private};
use super::{availability, records};
use crate::Policies;
use crate::binding::commands::installed;
use crate::manifest;
use crate::message::tell;
use crate::scope::{Scope, Scoped};
use csd::{Definition, LibraryDefinition, ProgramDefinition};
use exec::{CommandId, OptionId, command, option};
use region::application::Application;
use region::changes::Change;
use region::exec_interface::Call;
use region::name::Name8;
use region::{Raised, Region, Task};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

/// Installs a BUNDLE. One that is already there is replaced if it is disabled.
///
/// # Errors
///
/// The bundle cannot be read, or one of this name is enabled.
pub fn install(region: &'static Region, definition: &Definition) -> Result<(), String> {
    let policies = Policies::of(region);
    let name = definition.name.clone();
    let directory = PathBuf::from(definition.get("BUNDLEDIR"));
    if policies.bundles.lock().contains_key(&name) {
        return Err(format!("BUNDLE {name} is already installed: discard it first"));
    }
    region.messages.send("DFHRL0107", &[("bundle", &name)]);
    let manifest = manifest::read(&directory)?;
    let base_scope = definition.get("BASESCOPE").to_string();
    let application = Application::of_scope(&base_scope)?.map(Arc::new);
    let id = if manifest.id.is_empty() { name.clone() } else { manifest.id.clone() };
    let place = Place { region, bundle: &name, bundle_id: &id, directory: &directory, application: application.as_ref() };
    let mut parts: Vec<Part> = Vec::new();
    for entry in &manifest.entries {
        let read = Part::read(entry, &place);
        let status = if read.is_ok() { Status::Disabled } else { Status::Unusable };
        let content = read.unwrap_or_else(|reason| refused(region, &name, &entry.kind, &entry.name, &reason));
        parts.push(Part { entry: entry.clone(), status, content });
    }
    let asked = definition.is("STATUS", "ENABLED");
    let is_enabled = asked && parts.iter().all(|part| part.status != Status::Unusable);
    for part in &mut parts {
        create(&place, part, is_enabled);
    }
    let is_created = definition.group.is_empty();
    let installed_at = SystemTime::now();
    let is_enabled = is_enabled && parts.iter().all(|part| part.status != Status::Unusable);
    let bundle = Bundle {
        name: name.clone(),
        directory: directory.clone(),
        base_scope,
        application,
        manifest,
        parts,
        is_created,
        installed_at,
        is_enabled,
        is_available: false,
    };
    policies.bundles.lock().insert(name.clone(), bundle);
    availability::withhold(region, &name);
    put_in_force(region);
    let status = if is_enabled { "enabled" } else { "disabled" };
    region.messages.send("DFHRL0109", &[("bundle", &name), ("status", status)]);
    Ok(())
}

fn refused(region: &'static Region, bundle: &str, kind: &str, name: &str, reason: &str) -> Content {
    let values = [("bundle", bundle), ("type", kind), ("name", name), ("reason", reason)];
    if kind.ends_with("/POLICY") {
        tell(region, "DFHMP2003", &[("policy", name), ("bundle", bundle), ("reason", reason)]);
    }
    if kind.ends_with("/EVENTBINDING") {
        tell(region, "DFHEC1011", &[("binding", name), ("bundle", bundle), ("reason", reason)]);
    }
    region.messages.send("DFHRL0110", &values);
    Content::Nothing
}

/// Creates what a part defines.
fn create(place: &Place, part: &mut Part, is_enabled: bool) {
    let (region, bundle) = (place.region, place.bundle);
    let status = if is_enabled { Status::Enabled } else { Status::Disabled };
    match (&part.content, part.status) {
        (_, Status::Unusable) => {}
        (Content::Resource(definition), _) => {
            let word = if is_enabled { "ENABLED" } else { "DISABLED" };
            let definition = definition.clone().with("STATUS", word);
            let installed = match (place.application, definition.resource.name) {
                (Some(application), "PROGRAM") => region.programs().install_private(application, ProgramDefinition::from(&definition)),
                (Some(application), "LIBRARY") => {
                    region.programs().install_private_library(region, application, &LibraryDefinition::from(&definition))
                }
                _ => region.install(&definition),
            };
            match installed {
                Ok(()) => part.status = status,
                Err(reason) => {
                    part.content = refused(region, bundle, &part.entry.kind, &part.entry.name, &reason);
                    part.status = Status::Unusable;
                }
            }
        }
        _ => part.set_status(status),
    }
}

/// Puts the policies of enabled parts and the event bindings in force, and gives adapters the status of their parts.
pub fn put_in_force(region: &Region) {
    let policies = Policies::of(region);
    policies.captures.replace(region, installed(region).into_iter());
    policies.in_force.replace(region, || {
        list_adapters(policies);
        let bundles = policies.bundles.lock();
        gather(bundles.values())
    });
}

/// The policies of enabled parts, with their scopes. A policy and its scope may be in different bundles of one application.
fn gather<'a>(bundles: impl Iterator<Item = &'a Bundle> + Clone) -> Vec<Scoped> {
    let enabled = |bundle: &'a Bundle| bundle.parts.iter().filter(|part| part.status == Status::Enabled).map(move |part| (bundle, part));
    let parts = bundles.flat_map(enabled);
    let mut scoped = Vec::new();
    for (bundle, part) in parts.clone() {
        let Content::Policy(policy) = &part.content else { continue };
        let name = &policy.identity.policy;
        let operations = parts.clone().filter_map(|(of, part)| match &part.content {
            Content::PolicyScope if of.application == bundle.application && part.entry.name == *name => Some(part.entry.operation.clone()),
            _ => None,
        });
        let scope = Scope::of(bundle.application.clone(), operations.collect());
        scoped.push(Scoped { policy: policy.clone(), scope: Arc::new(scope) });
    }
    scoped
}

/// The adapters of installed bundles, for events and commands. An adapter that SET changed keeps its status while its bundle has one.
fn list_adapters(policies: &Policies) {
    let bundles = policies.bundles.lock();
    let (mut adapters, mut sets) = (policies.adapters.lock(), policies.adapter_sets.lock());
    let of_bundles = || bundles.values().flat_map(|bundle| &bundle.parts);
    adapters.clear();
    adapters.extend(of_bundles().filter_map(|part| part.content.adapter()).map(|adapter| (adapter.name.clone(), adapter.clone())));
    sets.clear();
    sets.extend(of_bundles().filter_map(|part| match &part.content {
        Content::AdapterSet(set) => Some((set.name.clone(), set.clone())),
        _ => None,
    }));
}

/// A resource of a bundle that a change of status is about.
struct Created {
    /// The place of its part.
    place: usize,
    resource: &'static str,
    name: String,
    /// The application that it is private to.
    owner: Option<Arc<Application>>,
}

fn resources(task: &Task, name: &str) -> Vec<Created> {
    let bundles = Policies::of(task.region).bundles.lock();
    let Some(bundle) = bundles.get(name) else { return Vec::new() };
    let of = |(place, part): (usize, &Part)| match &part.content {
        Content::Resource(definition) => {
            let resource = definition.resource.name;
            let owner = bundle.application.clone().filter(|_| is_private(resource));
            Some(Created { place, resource, name: definition.name.clone(), owner })
        }
        _ => None,
    };
    bundle.parts.iter().enumerate().filter_map(of).collect()
}

/// Enables or disables a resource; false if that is not possible now.
fn set_resource(task: &mut Task, of: &Created, enable: bool) -> Result<bool, Raised> {
    let programs = task.region.programs();
    match &of.owner {
        Some(owner) if of.resource == "LIBRARY" => Ok(programs.enable_private_library(owner, &of.name, enable)),
        Some(owner) => Ok(programs.enable_private(owner, Name8::new(&of.name), enable)),
        None => {
            let commands = commands(of.resource);
            let mut call = Call::new(commands.set);
            call.text(task, commands.name, &of.name).flag(if enable { option::ENABLED } else { option::DISABLED });
            Ok(call.execute(task)?.is_normal())
        }
    }
}

/// Discards a resource; false if it is in use.
fn discard_resource(task: &mut Task, of: &Created) -> Result<bool, Raised> {
    let programs = task.region.programs();
    match &of.owner {
        Some(owner) if of.resource == "LIBRARY" => {
            programs.discard_private_library(owner, &of.name);
            Ok(true)
        }
        Some(owner) => Ok(programs.discard_private(owner, Name8::new(&of.name))),
        None => {
            let commands = commands(of.resource);
            let mut call = Call::new(commands.discard);
            call.text(task, commands.name, &of.name);
            Ok(call.execute(task)?.is_normal())
        }
    }
}

/// The commands that change a resource of a bundle.
struct Commands {
    name: OptionId,
    set: CommandId,
    discard: CommandId,
}

fn commands(resource: &str) -> Commands {
    match resource {
        "FILE" => Commands { name: option::FILE, set: command::SET_FILE, discard: command::DISCARD_FILE },
        "LIBRARY" => Commands { name: option::LIBRARY, set: command::SET_LIBRARY, discard: command::DISCARD_LIBRARY },
        "PROGRAM" => Commands { name: option::PROGRAM, set: command::SET_PROGRAM, discard: command::DISCARD_PROGRAM },
        _ => Commands { name: option::TRANSACTION, set: command::SET_TRANSACTION, discard: command::DISCARD_TRANSACTION },
    }
}

/// Enables or disables an installed bundle with all its parts. False if a part is unusable, or could not be changed.
///
/// # Errors
///
/// The task abends.
pub fn set_enabled(task: &mut Task, name: &str, enable: bool) -> Result<bool, Raised> {
    let region = task.region;
    let (usable, was_enabled) = {
        let bundles = Policies::of(region).bundles.lock();
        let Some(bundle) = bundles.get(name) else { return Ok(false) };
        (bundle.parts.iter().all(|part| part.status != Status::Unusable), bundle.is_enabled)
    };
    if enable && !usable {
        return Ok(false);
    }
    let mut failed = Vec::new();
    for of in resources(task, name) {
        if !set_resource(task, &of, enable)? {
            failed.push(of.place);
        }
    }
    if let Some(bundle) = Policies::of(region).bundles.lock().get_mut(name) {
        let status = if enable { Status::Enabled } else { Status::Disabled };
        for (place, part) in bundle.parts.iter_mut().enumerate() {
            if part.status != Status::Unusable && !failed.contains(&place) {
                part.set_status(status);
            }
        }
        bundle.is_enabled = if failed.is_empty() { enable } else { bundle.is_enabled };
    }
    put_in_force(region);
    let word = |enabled: bool| if enabled { "ENABLED" } else { "DISABLED" };
    if was_enabled != enable && failed.is_empty() {
        region.changes.tell(region, Change::BundleEnable { bundle: name, from: word(was_enabled), to: word(enable) });
    }
    if failed.is_empty() {
        region.messages.send("DFHRL0109", &[("bundle", name), ("status", if enable { "enabled" } else { "disabled" })]);
    }
    Ok(failed.is_empty())
}

/// Discards a disabled bundle with what it created. False if a resource is in use: the bundle then stays, and can be discarded again.
///
/// # Errors
///
/// The task abends.
pub fn discard(task: &mut Task, name: &str) -> Result<bool, Raised> {
    let region = task.region;
    let mut all = true;
    for of in resources(task, name) {
        if discard_resource(task, &of)? {
            // Another task may have replaced the bundle meanwhile.
            let mut bundles = Policies::of(region).bundles.lock();
            if let Some(part) = bundles.get_mut(name).and_then(|bundle| bundle.parts.get_mut(of.place)) {
                part.content = Content::Nothing;
            }
        } else {
            all = false;
        }
    }
    if all {
        let application = Policies::of(region).bundles.lock().get(name).and_then(|bundle| bundle.application.clone());
        records::remove(region, name);
        if let Some(application) = application {
            let bundles = Policies::of(region).bundles.lock();
            if !bundles.values().any(|other| other.application.as_ref() == Some(&application)) {
                region.programs().discard_application(&application);
            }
        }
        region.installed.write().remove("BUNDLE", name);
        put_in_force(region);
        region.messages.send("DFHRL0117", &[("bundle", name)]);
    }
    Ok(all)
}
