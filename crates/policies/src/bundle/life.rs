//! The life of a bundle: installed, enabled, disabled, discarded.
//!
//! A bundle that is installed while the region starts has no task, so its resources are installed as definitions; later changes of status
//! are commands of the task that asks for them. Messages are those of the resource life-cycle domain (DFHRL).

use super::Bundle;
use super::part::{Content, Part, Place, Status};
use super::records;
use crate::Policies;
use crate::manifest;
use crate::message::tell;
use csd::Definition;
use exec::{CommandId, OptionId, command, option};
use region::changes::Change;
use region::exec_interface::Call;
use region::{Raised, Region, Task};
use std::path::PathBuf;
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
    let id = if manifest.id.is_empty() { name.clone() } else { manifest.id.clone() };
    let place = Place { region, bundle: &name, bundle_id: &id, directory: &directory };
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
        create(region, &name, part, is_enabled);
    }
    let is_created = definition.group.is_empty();
    let base_scope = definition.get("BASESCOPE").to_string();
    let installed_at = SystemTime::now();
    let is_enabled = is_enabled && parts.iter().all(|part| part.status != Status::Unusable);
    let bundle = Bundle { name: name.clone(), directory, base_scope, manifest, parts, is_created, installed_at, is_enabled };
    policies.bundles.lock().insert(name.clone(), bundle);
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
    region.messages.send("DFHRL0110", &values);
    Content::Nothing
}

/// Creates what a part defines.
fn create(region: &'static Region, bundle: &str, part: &mut Part, is_enabled: bool) {
    let status = if is_enabled { Status::Enabled } else { Status::Disabled };
    match (&part.content, part.status) {
        (_, Status::Unusable) => {}
        (Content::Resource(definition), _) => {
            let word = if is_enabled { "ENABLED" } else { "DISABLED" };
            match region.install(&definition.clone().with("STATUS", word)) {
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

/// Puts the policies of enabled parts in force, and gives adapters the status of their parts.
pub fn put_in_force(region: &Region) {
    let policies = Policies::of(region);
    policies.in_force.replace(region, || {
        list_adapters(policies);
        let bundles = policies.bundles.lock();
        let parts = bundles.values().flat_map(|bundle| &bundle.parts).filter(|part| part.status == Status::Enabled);
        parts.filter_map(|part| if let Content::Policy(policy) = &part.content { Some(policy.clone()) } else { None }).collect()
    });
}

/// The adapters of installed bundles, for events and commands. An adapter that SET changed keeps its status while its bundle has one.
fn list_adapters(policies: &Policies) {
    let bundles = policies.bundles.lock();
    let (mut adapters, mut sets) = (policies.adapters.lock(), policies.adapter_sets.lock());
    let of_bundles = || bundles.values().flat_map(|bundle| &bundle.parts);
    adapters.clear();
    adapters.extend(of_bundles().filter_map(|part| match &part.content {
        Content::Adapter(adapter) => Some((adapter.name.clone(), adapter.clone())),
        _ => None,
    }));
    sets.clear();
    sets.extend(of_bundles().filter_map(|part| match &part.content {
        Content::AdapterSet(set) => Some((set.name.clone(), set.clone())),
        _ => None,
    }));
}

/// The resources of a bundle that a change of status is about: their places, types and names.
fn resources(task: &Task, name: &str) -> Vec<(usize, &'static str, String)> {
    let bundles = Policies::of(task.region).bundles.lock();
    let Some(bundle) = bundles.get(name) else { return Vec::new() };
    let of = |(place, part): (usize, &Part)| match &part.content {
        Content::Resource(definition) => Some((place, definition.resource.name, definition.name.clone())),
        Content::Nothing | Content::Policy(_) | Content::Adapter(_) | Content::AdapterSet(_) => None,
    };
    bundle.parts.iter().enumerate().filter_map(of).collect()
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
    for (place, resource, of) in resources(task, name) {
        let commands = commands(resource);
        let mut call = Call::new(commands.set);
        call.text(task, commands.name, &of).flag(if enable { option::ENABLED } else { option::DISABLED });
        if !call.execute(task)?.is_normal() {
            failed.push(place);
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
    for (place, resource, of) in resources(task, name) {
        let commands = commands(resource);
        let mut call = Call::new(commands.discard);
        call.text(task, commands.name, &of);
        if call.execute(task)?.is_normal() {
            // Another task may have replaced the bundle meanwhile.
            let mut bundles = Policies::of(region).bundles.lock();
            if let Some(part) = bundles.get_mut(name).and_then(|bundle| bundle.parts.get_mut(place)) {
                part.content = Content::Nothing;
            }
        } else {
            all = false;
        }
    }
    if all {
        records::remove(region, name);
        region.installed.write().remove("BUNDLE", name);
        put_in_force(region);
        region.messages.send("DFHRL0117", &[("bundle", name)]);
    }
    Ok(all)
}
