//! Installed profiles, terminals and autoinstall models: INQUIRE and DISCARD.
//!
//! Rules: "DISCARD PROFILE", "DISCARD TERMINAL", "DISCARD AUTINSTMODEL", "INQUIRE PROFILE" (System Programming Reference). Invariants: what is
//! supplied with the system stays; a profile stays while a transaction names it; a terminal that is in service or has a task stays.

use super::TerminalControl;
use super::display::display_of;
use super::released::{self, ReleasedTerminal, released_of};
use csd::TerminalDefinition;
use exec::resp2::terminals as resp2;
use exec::{condition, cvda, option};
use region::inquiry::{BrowseStep, give_signature};
use region::name::{Name4, Name8};
use region::{Arguments, Outcome, Region, Task, raise};

/// Names that begin with this are supplied.
const SUPPLIED: &str = "DFH";

fn is_profile(region: &Region, name: Name8) -> bool {
    region.installed.read().get("PROFILE", name.as_str().trim_end()).is_some()
}

pub(super) fn inquire_profile(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let names = || region.installed.read().of_type("PROFILE").map(|profile| Name8::new(&profile.name)).collect();
    let BrowseStep::One(name) = task.browse_step(arguments, option::PROFILE, names, |name| is_profile(region, name))? else {
        return Ok(());
    };
    if !is_profile(region, name) {
        return raise(condition::PROFILEIDERR, resp2::NO_PROFILE);
    }
    give_signature(region, arguments, "PROFILE", name.as_str().trim_end(), cvda::GRPLIST)
}

pub(super) fn discard_profile(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let name: Name8 = arguments.name(option::PROFILE)?.unwrap_or_default();
    if !is_profile(region, name) {
        return raise(condition::PROFILEIDERR, resp2::NO_PROFILE);
    }
    if name.as_str().starts_with(SUPPLIED) {
        return raise(condition::INVREQ, resp2::SUPPLIED_PROFILE);
    }
    if region.transactions().is_profile_of_any(name) {
        return raise(condition::INVREQ, resp2::PROFILE_IS_NAMED);
    }
    TerminalControl::of(region).profiles.write().remove(&name);
    region.installed.write().remove("PROFILE", name.as_str().trim_end());
    Ok(())
}

/// A terminal goes with its session. The discard is a syncpoint.
pub(super) fn discard_terminal(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let name: Name4 = arguments.name(option::TERMINAL)?.unwrap_or_default();
    let connected = region.terminals.find(name);
    let is_installed = region.installed.read().get("TERMINAL", name.as_str().trim_end()).is_some();
    if connected.is_none() && !is_installed {
        return raise(condition::TERMIDERR, resp2::NO_TERMINAL_TO_DISCARD);
    }
    if let Some(terminal) = &connected {
        let released = released_of(&**terminal);
        if released.and_then(ReleasedTerminal::service).is_some_and(|service| service.in_service) {
            return raise(condition::INVREQ, resp2::IN_SERVICE);
        }
        if let Some(lasting) = released.and_then(ReleasedTerminal::take) {
            released::free(region, lasting.user_area);
            region.terminals.remove_released(name);
        }
        if display_of(&**terminal).is_some_and(|display| display.service().in_service) {
            return raise(condition::INVREQ, resp2::IN_SERVICE);
        }
        if terminal.task_number().is_some() {
            return raise(condition::INVREQ, resp2::HAS_TASK);
        }
        terminal.end_session();
    }
    region.installed.write().remove("TERMINAL", name.as_str().trim_end());
    task.syncpoint()
}

/// The names of the models.
fn models(region: &Region) -> Vec<Name8> {
    let installed = region.installed.read();
    let models = installed.of_type("TERMINAL").map(TerminalDefinition::from).map(|terminal| terminal.autoinstall_name);
    models.filter(|name| !name.is_blank()).collect()
}

pub(super) fn inquire_model(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let exists = |name: Name8| models(region).contains(&name);
    let BrowseStep::One(name) = task.browse_step(arguments, option::AUTINSTMODEL, || models(region), exists)? else { return Ok(()) };
    if exists(name) { Ok(()) } else { raise(condition::MODELIDERR, resp2::NO_MODEL) }
}

/// A TERMINAL that is only a model goes; one that is also a terminal is a model no more.
pub(super) fn discard_model(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let name: Name8 = arguments.name(option::AUTINSTMODEL)?.unwrap_or_default();
    let mut installed = task.region.installed.write();
    let found = installed.of_type("TERMINAL").map(TerminalDefinition::from).find(|terminal| terminal.autoinstall_name == name);
    let Some(model) = found.filter(|_| !name.is_blank()) else { return raise(condition::MODELIDERR, resp2::NO_MODEL) };
    if name.as_str().starts_with(SUPPLIED) {
        return raise(condition::INVREQ, resp2::SUPPLIED_MODEL);
    }
    if model.model_only {
        installed.remove("TERMINAL", model.name.as_str().trim_end());
    } else {
        let definition = installed.get("TERMINAL", model.name.as_str().trim_end()).cloned().expect("it is there");
        installed.put(definition.with("AUTINSTMODEL", "NO"));
    }
    Ok(())
}
