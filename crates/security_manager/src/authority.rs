//! The answers of the security manager to the region: who may run which transaction, issue which command, use which resource, and start work
//! for whom.
//!
//! Invariant: a resource without a profile is refused. "If RACF cannot find a matching profile, CICS treats it as a negative decision"
//! (Transaction security).

use crate::categories::is_exempt;
use crate::checks;
use crate::manager::{Checked, Manager, SecurityManager, TaskState};
use crate::settings::Parameter;
use crate::surrogates::{self, Purpose, is_surrogate};
use crate::user::{User, UserKey};
use crate::violation::Violation;
use csd::{Definition, TransactionDefinition};
use exec::resp2::{authorization, interval_control};
use exec::{CommandId, CommandSpec, command, condition, option};
use region::control_blocks::target::Target;
use region::extensions::{Authority, NotAuthorized, UserToken};
use region::name::{Name, Name4, Name8};
use region::{Arguments, AttachRequest, Outcome, Region, Task, raise};
use security::{Level, Reason, Refusal};
use std::borrow::Cow;
use std::sync::Arc;

/// Commands that read a record, with UPDATE to change it.
const READS: [CommandId; 3] = [command::READ, command::READNEXT, command::READPREV];

/// The authority of a region with SEC=YES.
pub struct Answers;

/// The security manager of a region whose authority is asked.
fn manager_of(region: &Region) -> &Manager {
    SecurityManager::active(region).expect("the authority is installed by the security manager")
}

impl Authority for Answers {
    #[inline]
    fn allows(&self, task: &Task, spec: &CommandSpec, target: Option<&Target>, arguments: &Arguments) -> Outcome {
        let Some(check) = checks::of(spec.id) else { return Ok(()) };
        let manager = manager_of(task.region);
        let Some(checked) = TaskState::checked(task, &manager.settings) else { return Ok(()) };
        if checked.commands
            && let Some((resource, level)) = check.command
            && let Some(class) = manager.settings.class(Parameter::Xcmd)
            && !is_allowed(manager, task, &checked, class, resource, level)
        {
            return raise(condition::NOTAUTH, authorization::COMMAND);
        }
        // "If the command associates a user ID with a resource, a surrogate check might follow the command check."
        for user_id in surrogates::users_of(task, spec.id, arguments)? {
            if !is_surrogate(manager, task, &checked, user_id, Purpose::Install) {
                return raise(condition::NOTAUTH, authorization::SURROGATE);
            }
        }
        match (check.resource, target) {
            (Some((parameter, level)), Some(target)) if checked.resources => {
                uses(manager, task, &checked, (parameter, level), target, spec.id, arguments)
            }
            _ => Ok(()),
        }
    }

    fn attaches(
        &self,
        region: &'static Region,
        request: &AttachRequest,
        user_id: Name8,
        definition: &TransactionDefinition,
    ) -> Result<Option<UserToken>, NotAuthorized> {
        let manager = manager_of(region);
        manager.synchronize(region);
        let user = match user_of(manager, request, user_id) {
            Ok(user) => user,
            Err(refusal) => return Err(refused(region, request, user_id, refusal)),
        };
        if is_exempt(definition.name) {
            return Ok(Some(user));
        }
        let Some(class) = manager.settings.class(Parameter::Xtran) else { return Ok(Some(user)) };
        let resource = manager.settings.protected_name(definition.name.as_str());
        let decision = manager.esm.access(&user.identity(), class, &resource, Level::Read);
        if decision.allows(Level::Read) {
            return Ok(Some(user));
        }
        let (transid, facility) = (request.transid, &request.facility);
        Violation { user_id, transid, facility, class, resource: &resource, intent: Level::Read }.tell(region, manager, &decision);
        tell_attach(region, request, user_id);
        Err(NotAuthorized)
    }

    fn may_run(&self, task: &Task, definition: &TransactionDefinition) -> bool {
        let manager = manager_of(task.region);
        let Some(checked) = TaskState::checked(task, &manager.settings) else { return true };
        match manager.settings.class(Parameter::Xtran) {
            Some(class) if !is_exempt(definition.name) => {
                let resource = manager.settings.protected_name(definition.name.as_str());
                is_allowed_name(manager, task, &checked, class, &resource, Level::Read)
            }
            _ => true,
        }
    }

    fn may_start_for(&self, task: &Task, user_id: Name8) -> Outcome {
        let manager = manager_of(task.region);
        manager.synchronize(task.region);
        if manager.user_named(user_id).is_err() {
            return raise(condition::USERIDERR, interval_control::USER_UNKNOWN);
        }
        let Some(checked) = TaskState::checked(task, &manager.settings) else { return Ok(()) };
        match is_surrogate(manager, task, &checked, user_id, Purpose::Start) {
            true => Ok(()),
            false => raise(condition::NOTAUTH, interval_control::NO_SURROGATE),
        }
    }

    fn may_read(&self, task: &Task, resource: &'static str, name: &str) -> bool {
        let manager = manager_of(task.region);
        let Some(checked) = TaskState::checked(task, &manager.settings).filter(|checked| checked.resources) else { return true };
        let class = Parameter::of_type(resource).and_then(|parameter| manager.settings.class(parameter));
        class.is_none_or(|class| is_allowed(manager, task, &checked, class, &format!("{resource}.{name}"), Level::Read))
    }

    fn may_install(&self, task: &Task, definition: &Definition) -> bool {
        let manager = manager_of(task.region);
        let Some(checked) = TaskState::checked(task, &manager.settings) else { return true };
        let (resource, name) = (definition.resource.name, definition.name.as_str());
        let check = exec::command_by_name(&format!("CREATE {resource}")).and_then(|spec| checks::of(spec.id));
        if let Some((command, level)) = check.and_then(|check| check.command).filter(|_| checked.commands)
            && let Some(class) = manager.settings.class(Parameter::Xcmd)
            && !is_allowed(manager, task, &checked, class, command, level)
        {
            return false;
        }
        if let Some((parameter, level)) = check.and_then(|check| check.resource).filter(|_| checked.resources)
            && let Some(class) = manager.settings.class(parameter)
            && !is_allowed(manager, task, &checked, class, &protected(parameter, resource, name), level)
        {
            return false;
        }
        let users = surrogates::users_in(task, definition);
        users.into_iter().all(|user_id| is_surrogate(manager, task, &checked, user_id, Purpose::Install))
    }

    fn preset(
        &self,
        region: &'static Region,
        (terminal, netname): (Name4, Name8),
        user_id: Name8,
    ) -> Result<Option<UserToken>, NotAuthorized> {
        let manager = manager_of(region);
        let found = match manager.settings.shared_preset {
            true => manager.user_named(user_id),
            // A user of the terminal's own, with the terminal as his entry.
            false => {
                let key = UserKey { id: user_id, group: Name8::BLANK, entry: netname };
                manager.esm.identify(key).map(|identity| Arc::new(User::new(key, identity)))
            }
        };
        let values = [("termid", terminal.as_str()), ("userid", user_id.as_str())];
        match found {
            Ok(user) => {
                region.messages.send("DFHSN1400", &values);
                Ok(Some(user))
            }
            Err(refusal) => {
                let reason = refusal.to_string();
                region.messages.send("DFHSN1401", &[values[0], values[1], ("reason", reason.as_str())]);
                Err(NotAuthorized)
            }
        }
    }

    fn shows(&self, task: &Task, command: CommandId, name: &Name<16>) -> bool {
        let manager = manager_of(task.region);
        let Some(checked) = TaskState::checked(task, &manager.settings).filter(|checked| checked.resources) else { return true };
        let resource = checks::of(command).and_then(|check| check.resource);
        let Some((parameter, level)) = resource else { return true };
        let Some(class) = manager.settings.class(parameter) else { return true };
        let resource = manager.settings.protected_name(name.as_str());
        manager.esm.access(checked.identity, class, &resource, level).allows(level)
    }
}

/// Whether the task may use the resource of its command.
fn uses(
    manager: &Manager,
    task: &Task,
    checked: &Checked,
    (parameter, level): (Parameter, Level),
    target: &Target,
    command: CommandId,
    arguments: &Arguments,
) -> Outcome {
    let Some(class) = manager.settings.class(parameter) else { return Ok(()) };
    // A browse is not about the resource in the area; what it comes to is looked at one by one.
    if region::inquiry::is_browse(arguments) || !task.region.registry.is_protected(task.region, target) {
        return Ok(());
    }
    let reads_for_update = READS.contains(&command) && arguments.has(option::UPDATE);
    let level = if reads_for_update { level.max(Level::Update) } else { level };
    let name: Name<16> = target.name(&task.region.code_page);
    match is_allowed(manager, task, checked, class, &protected(parameter, target.resource, name.as_str()), level) {
        true => Ok(()),
        false => raise(condition::NOTAUTH, resp2_of(command)),
    }
}

/// The name of a resource in its class: class XRES has several types of resources.
fn protected<'a>(parameter: Parameter, resource: &str, name: &'a str) -> Cow<'a, str> {
    match parameter {
        Parameter::Xres => Cow::Owned(format!("{resource}.{name}")),
        _ => Cow::Borrowed(name),
    }
}

/// RESP2 of a resource that the task may not use.
fn resp2_of(command: CommandId) -> i32 {
    match command {
        command::START | command::START_ATTACH | command::START_CHANNEL | command::RUN_TRANSID => interval_control::NOT_AUTHORIZED,
        _ => authorization::RESOURCE,
    }
}

/// Whether the user of the task has access to the resource; what is refused is told.
fn is_allowed(manager: &Manager, task: &Task, checked: &Checked, class: Name8, resource: &str, level: Level) -> bool {
    match manager.settings.has_prefix() {
        true => is_allowed_name(manager, task, checked, class, &manager.settings.protected_name(resource), level),
        false => is_allowed_name(manager, task, checked, class, resource, level),
    }
}

fn is_allowed_name(manager: &Manager, task: &Task, checked: &Checked, class: Name8, resource: &str, level: Level) -> bool {
    let decision = manager.esm.access(checked.identity, class, resource, level);
    if decision.allows(level) {
        return true;
    }
    let (user_id, transid, facility) = (task.user_id, task.transid, &task.facility);
    Violation { user_id, transid, facility, class, resource, intent: level }.tell(task.region, manager, &decision);
    false
}

/// The user of a task that is to be attached: the one signed on at its terminal, or the one whose name the request has.
fn user_of(manager: &Manager, request: &AttachRequest, user_id: Name8) -> Result<Arc<User>, Refusal> {
    let token = || request.facility.partner().and_then(|partner| partner.user_token());
    let known = request.token.clone().or_else(token).and_then(|token| User::of(&token)).filter(|user| user.key.id == user_id);
    match known {
        Some(user) => {
            if manager.is_outdated(&user) {
                user.make_stale();
            }
            manager.users.refresh(&manager.esm, &user).map(|()| user)
        }
        None => manager.user_named(user_id),
    }
}

/// The user may not work any more: who had signed on at the terminal is signed off.
fn refused(region: &'static Region, request: &AttachRequest, user_id: Name8, refusal: Refusal) -> NotAuthorized {
    tell_attach(region, request, user_id);
    if let Some(terminal) = request.facility.terminal().filter(|terminal| terminal.is_signed_on() && !terminal.is_preset()) {
        let name = terminal.name();
        let id = if refusal.reason == Reason::UserRevoked { "DFHSN1106" } else { "DFHSN1101" };
        let reason = refusal.to_string();
        region.messages.send(id, &[("termid", name.as_str()), ("userid", user_id.as_str()), ("reason", reason.as_str())]);
        terminal.sign_off();
    }
    NotAuthorized
}

fn tell_attach(region: &Region, request: &AttachRequest, user_id: Name8) {
    let terminal = request.facility.terminal().map(|terminal| terminal.name()).unwrap_or_default();
    let values = [("termid", terminal.as_str()), ("transid", request.transid.as_str()), ("userid", user_id.as_str())];
    region.messages.send("DFHAC2003", &values);
}
