//! The stages a command goes through, in order: find its row, resolve the resource it names, authorize, route, execute.
//!
//! Each stage is a function, and may end the command with a condition or an abend; the gate accounts for the outcome. Invariants: EIBRSRCE
//! (and EIBDS) name the resource before any stage can refuse it; a handler sees only commands for this system that the authority has
//! allowed.

use super::traced;
use crate::control_blocks::arguments::{Arguments, ResourceName};
use crate::control_blocks::dispatch::Entry;
use crate::control_blocks::options;
use crate::control_blocks::raised::{Outcome, Raised, raise};
use crate::control_blocks::target::NAME_BYTES_MAX;
use crate::control_blocks::target::Target;
use crate::name::Name4;
use crate::{Region, Task, storage_access};
use exec::{CommandId, CommandSpec, InEib, ResourceOption, condition, eib, option};

/// Where a command is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    Here,
    Other(Name4),
}

/// The row of a command.
#[inline]
pub fn find(region: &'static Region, command: CommandId) -> Option<&'static Entry> {
    region.registry.command(command)
}

/// The resource the command names, also set in the EIB. Names needed only by an authority or an observer are not read without one.
#[inline]
pub fn resolve(task: &mut Task, spec: &CommandSpec, arguments: &mut Arguments) -> Result<Option<Target>, Raised> {
    match &spec.resource {
        Some(row) if row.in_eib != InEib::Nothing || is_asked_for(task.region, row) => named(task, row, arguments),
        _ => Ok(None),
    }
}

/// An authority, an observer or the route needs the name.
#[inline]
fn is_asked_for(region: &Region, row: &ResourceOption) -> bool {
    !region.extensions.is_empty() || row.sysiderr_resp2.is_some() && region.has_remote_resources()
}

fn named(task: &mut Task, row: &ResourceOption, arguments: &mut Arguments) -> Result<Option<Target>, Raised> {
    let given = row.options.iter().find_map(|(option, length)| Some((*option, arguments.area(*option)?, usize::from(*length))));
    let Some((option, area, length)) = given else { return Ok(None) };
    let mut name = [task.region.code_page.space(); NAME_BYTES_MAX];
    let length = length.min(NAME_BYTES_MAX);
    let given_length = area.length.min(length);
    storage_access::read(area.address, &mut name[..given_length])?;
    if row.in_eib == InEib::ResourceAndDataSet {
        task.eib.set(eib::EIBDS, &name[..8]);
    }
    if row.in_eib != InEib::Nothing {
        task.eib.set(eib::EIBRSRCE, &name[..8]);
        // The handler reads it next, and these options are input only.
        arguments.keep_resource(ResourceName { option, length, bytes: name });
    }
    Ok(Some(Target { resource: row.resource, name }))
}

/// Asks the authority, if there is one.
#[inline]
pub fn authorize(task: &Task, spec: &CommandSpec, target: Option<&Target>, arguments: &Arguments) -> Outcome {
    match task.region.extensions.authority() {
        Some(authority) => authority.allows(task, spec, target, arguments),
        None => Ok(()),
    }
}

/// The destination of the command: by SYSID, or by the definition of the resource.
#[inline]
pub fn route(region: &Region, spec: &CommandSpec, target: Option<&Target>, arguments: &Arguments) -> Result<Route, Raised> {
    let may_be_remote = spec.resource.as_ref().is_some_and(|row| row.sysiderr_resp2.is_some());
    if !may_be_remote {
        return Ok(Route::Here);
    }
    if arguments.has(option::SYSID) {
        let system: Name4 = arguments.name(option::SYSID)?.unwrap_or_default();
        return Ok(if region.is_local(system) { Route::Here } else { Route::Other(system) });
    }
    if !region.has_remote_resources() {
        return Ok(Route::Here);
    }
    let system = target.and_then(|target| region.registry.system_of(region, target));
    Ok(system.filter(|system| !region.is_local(*system)).map_or(Route::Here, Route::Other))
}

/// Executes the command where it belongs.
#[inline]
pub fn execute(task: &mut Task, entry: &Entry, target: Option<&Target>, route: Route, arguments: &mut Arguments) -> Outcome {
    match (route, entry.handler) {
        (Route::Other(system), _) => ship(task, entry.spec, system, target, arguments),
        (Route::Here, Some(handler)) => {
            if !entry.without_value.is_empty() {
                options::give_null(arguments, entry.spec, entry.without_value)?;
            }
            match entry.gate {
                Some(gate) if kernel::trace::is_on(gate.entry.component, gate.entry.level) => {
                    traced::at_gate(gate, entry.spec.name, target, || handler(task, arguments))
                }
                _ => handler(task, arguments),
            }
        }
        (Route::Here, None) => super::gate::without_handler(task, entry.spec, arguments.nohandle),
    }
}

/// A system without a known way to it cannot be reached.
#[cold]
fn ship(task: &mut Task, spec: &CommandSpec, system: Name4, target: Option<&Target>, arguments: &mut Arguments) -> Outcome {
    let shipped = task.region.extensions.shipping().and_then(|shipping| shipping.ship(task, system, target, arguments));
    let resp2 = spec.resource.as_ref().and_then(|row| row.sysiderr_resp2).unwrap_or(0);
    shipped.unwrap_or_else(|| raise(condition::SYSIDERR, resp2))
}
