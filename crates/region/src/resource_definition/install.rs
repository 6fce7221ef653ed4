//! CSD INSTALL: a list, a group, or one definition.

use super::names::{definition, group, name};
use super::refusals::Failure;
use crate::extensions::NOT_AUTHORIZED;
use crate::{Arguments, Outcome, Raised, Task, raise};
use csd::attributes::ResourceType;
use csd::installed::Installer;
use csd::{Definition, Part, Refused};
use exec::condition;
use exec::option;
use exec::resp2::csd as resp2;

pub(super) fn install(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let wanted = definition(arguments)?;
    let list = name(arguments, option::LIST, resp2::LIST)?;
    let part = match list {
        Some(list) => (Part::List, list),
        None => (Part::Group, group(arguments)?),
    };
    let installer = Installer::of_csd(task.user_id.as_str().trim_end());
    let installed = task.on_resource_owning_tcb(|task| match &wanted {
        Some((resource, name)) => install_one(task, &part.1, resource, name, installer),
        None => install_part(task, part, &installer),
    });
    match installed {
        Ok(()) => task.syncpoint(),
        Err(raised) => {
            task.rollback();
            Err(raised)
        }
    }
}

/// What can be installed of a list or group is installed.
fn install_part(task: &mut Task, (part, name): (Part, String), installer: &Installer) -> Outcome {
    let region = task.region;
    let csd = region.csd.snapshot()?;
    let missing = match part {
        Part::List if csd.list(&name).is_none() => Some(Refused::NoList(name.clone())),
        Part::Group if !csd.has_group(&name) => Some(Refused::NoGroup(name.clone())),
        _ => None,
    };
    if let Some(refused) = missing {
        return Err(Failure::from(refused).raised(region, None));
    }
    let failures = region.install_parts(std::slice::from_ref(&name), Some((&*task, installer)))?;
    let values = [("part", part.name()), ("name", name.as_str())];
    if failures > 0 {
        region.messages.send("DFHAM4892", &values);
        return raise(condition::INCOMPLETE, resp2::NOT_ALL_INSTALLED);
    }
    region.messages.send("DFHAM4893", &values);
    Ok(())
}

fn install_one(task: &mut Task, group: &str, resource: &'static ResourceType, name: &str, installer: Installer) -> Outcome {
    let region = task.region;
    let csd = region.csd.snapshot()?;
    let missing = |refused: Refused| Err(Failure::from(refused).raised(region, None));
    if !csd.has_group(group) {
        return missing(Refused::NoGroup(group.to_string()));
    }
    let Some(definition) = csd.definition(group, resource.name, name) else {
        return missing(Refused::NoDefinition(resource.name, name.to_string()));
    };
    if is_in_pool(definition) {
        return raise(condition::INVREQ, resp2::OF_POOL);
    }
    if !region.extensions.may_install(task, definition) {
        region.report_install(definition, NOT_AUTHORIZED);
        return raise(condition::INVREQ, resp2::NOT_INSTALLED);
    }
    region.install_by(definition, installer).map_err(|reason| {
        region.report_install(definition, &reason);
        Raised::new(condition::INVREQ, resp2::NOT_INSTALLED)
    })
}

/// Connections, their sessions and the terminals of a pool are installed by group only.
fn is_in_pool(definition: &Definition) -> bool {
    match definition.resource.name {
        "CONNECTION" | "SESSIONS" => true,
        "TERMINAL" => !definition.get("POOL").is_empty(),
        _ => false,
    }
}
