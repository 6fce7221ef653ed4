//! QUERY SECURITY: which accesses a user has to a resource.
//!
//! All levels of a command are answered by one decision, so a command never costs a switch for each (DSP-48). "QUERY SECURITY is not affected by
//! the RESSEC and CMDSEC settings" of the transaction.

use crate::checks;
use crate::manager::{Manager, SecurityManager, TaskState};
use crate::settings::Parameter;
use crate::surrogates::{Purpose, is_surrogate};
use crate::violation::Violation;
use exec::resp2::query_security as resp2;
use exec::{OptionId, condition, cvda, option};
use region::name::{Name4, Name8};
use region::{Arguments, Outcome, Raised, Region, Task, raise};
use security::{Decision, Identity, Level, PROFILE_NAME_LENGTH_MAX};
use std::sync::Arc;

/// The levels a program may ask for, with what it is told.
const LEVELS: [(OptionId, Level, i64, i64); 4] = [
    (option::READ, Level::Read, cvda::READABLE, cvda::NOTREADABLE),
    (option::UPDATE, Level::Update, cvda::UPDATABLE, cvda::NOTUPDATABLE),
    (option::CONTROL, Level::Control, cvda::CTRLABLE, cvda::NOTCTRLABLE),
    (option::ALTER, Level::Alter, cvda::ALTERABLE, cvda::NOTALTERABLE),
];

/// What is asked about.
struct Question {
    class: Name8,
    resource: String,
    /// By RESCLASS: a resource that no profile protects is told apart.
    is_by_class: bool,
}

pub fn query(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let logs = match arguments.integer(option::LOGMESSAGE) {
        None | Some(cvda::LOG) => true,
        Some(cvda::NOLOG) => false,
        Some(_) => return raise(condition::INVREQ, resp2::LOGMESSAGE),
    };
    let asked = question(task, arguments)?;
    let Some(manager) = SecurityManager::active(task.region) else { return give(arguments, |_| true) };
    let other = other_user(task, manager, arguments)?;
    let identity = other.as_deref().or(TaskState::identity(task));
    let Some((question, identity)) = asked.zip(identity) else { return give(arguments, |_| true) };
    let highest = LEVELS.iter().rev().find(|(option, ..)| arguments.has(*option)).map_or(Level::Read, |(_, level, ..)| *level);
    let decision = match logs {
        true => manager.esm.access(identity, question.class, &question.resource, highest),
        false => manager.esm.look(identity, question.class.as_str(), &question.resource),
    };
    if question.is_by_class && decision.level.is_none() {
        return raise(condition::NOTFND, resp2::NOT_PROTECTED);
    }
    if logs {
        tell(task, manager, arguments, &question, &decision);
    }
    give(arguments, |level| decision.allows(level))
}

/// The user of USERID, if he is not the one of the task.
fn other_user(task: &Task, manager: &Manager, arguments: &Arguments) -> Result<Option<Arc<Identity>>, Raised> {
    let Some(user_id) = arguments.name(option::USERID)?.filter(|user: &Name8| *user != task.user_id && !user.is_blank()) else {
        return Ok(None);
    };
    manager.synchronize(task.region);
    let Ok(user) = manager.user_named(user_id) else { return raise(condition::USERIDERR, resp2::USER_UNKNOWN) };
    let checked = TaskState::checked(task, &manager.settings);
    match checked.is_none_or(|checked| is_surrogate(manager, task, &checked, user_id, Purpose::Query)) {
        true => Ok(Some(user.identity())),
        false => raise(condition::NOTAUTH, resp2::NO_SURROGATE),
    }
}

/// Tells the accesses asked for that the user does not have, by the lowest.
fn tell(task: &Task, manager: &Manager, arguments: &Arguments, question: &Question, decision: &Decision) {
    let refused = LEVELS.iter().find(|(option, level, ..)| arguments.has(*option) && !decision.allows(*level));
    if let Some((_, intent, ..)) = refused {
        let (user_id, transid, facility) = (task.user_id, task.transid, &task.facility);
        let violation = Violation { user_id, transid, facility, class: question.class, resource: &question.resource, intent: *intent };
        violation.tell(task.region, manager, decision);
    }
}

fn give(arguments: &mut Arguments, allows: impl Fn(Level) -> bool) -> Outcome {
    for (option, level, yes, no) in LEVELS {
        arguments.set_integer(option, if allows(level) { yes } else { no });
    }
    Ok(())
}

/// The class and the name of the resource; `None`: nothing protects resources of the type.
fn question(task: &Task, arguments: &Arguments) -> Result<Option<Question>, Raised> {
    if let Some(class) = arguments.text(option::RESCLASS)? {
        return by_class(task, arguments, &class).map(Some);
    }
    let restype = arguments.text(option::RESTYPE)?.unwrap_or_default();
    let Some(parameter) = Parameter::of_type(&restype) else { return raise(condition::NOTFND, resp2::RESTYPE) };
    let resource = resource_of(arguments, longest_name(&restype))?;
    match parameter {
        Parameter::Xcmd if !checks::is_command_resource(&resource) => return raise(condition::NOTFND, resp2::NO_COMMAND),
        Parameter::Xcmd => {}
        Parameter::Xdct if !leads_somewhere(task.region, &resource) => return raise(condition::QIDERR, resp2::NO_INDIRECT_QUEUE),
        _ if !is_there(task.region, &restype, &resource) => return raise(condition::NOTFND, resp2::NO_RESOURCE),
        _ => {}
    }
    let Some(manager) = SecurityManager::active(task.region) else { return Ok(None) };
    let Some(class) = manager.settings.class(parameter) else { return Ok(None) };
    let resource = if parameter == Parameter::Xres { format!("{restype}.{resource}") } else { resource };
    Ok(Some(Question { class, resource: manager.settings.protected_name(&resource), is_by_class: false }))
}

/// "The class name identified by RESCLASS is treated literally with no translation", and so is the name.
fn by_class(task: &Task, arguments: &Arguments, class: &str) -> Result<Question, Raised> {
    let length = arguments.integer(option::RESIDLENGTH).unwrap_or(0);
    let length = match usize::try_from(length) {
        Ok(length) if (1..=PROFILE_NAME_LENGTH_MAX).contains(&length) => length,
        _ => return raise(condition::LENGERR, resp2::RESID_LENGTH),
    };
    let resource = resource_of(arguments, length)?;
    let is_known = SecurityManager::active(task.region).is_none_or(|manager| manager.esm.is_class(class));
    match is_known {
        true => Ok(Question { class: Name8::new(class), resource, is_by_class: true }),
        false => raise(condition::NOTFND, resp2::CLASS_UNKNOWN),
    }
}

/// RESID; a blank ends it.
fn resource_of(arguments: &Arguments, length: usize) -> Result<String, Raised> {
    let area = arguments.area(option::RESID).map_or(0, |area| area.length);
    let bytes = arguments.bytes_of_length(option::RESID, if area == 0 { 0 } else { area.min(length).max(1) })?.unwrap_or_default();
    let text = arguments.code_page().text(&bytes);
    let name = text.split([' ', '\0']).next().unwrap_or_default();
    match name.is_empty() || !name.chars().all(|letter| letter.is_ascii_graphic()) {
        true => raise(condition::INVREQ, resp2::RESID_BLANK),
        false => Ok(name.to_string()),
    }
}

fn longest_name(restype: &str) -> usize {
    match restype {
        "TRANSACTION" | "TRANSATTACH" | "TDQUEUE" => 4,
        "TSQNAME" => 16,
        "SPCOMMAND" => 12,
        _ => 8,
    }
}

/// An indirect queue leads to another, perhaps by way of more.
fn leads_somewhere(region: &Region, queue: &str) -> bool {
    let installed = region.installed.read();
    let next = |queue: &String| {
        let definition = installed.get("TDQUEUE", queue).filter(|definition| definition.is("TYPE", "INDIRECT"))?;
        Some(definition.get("INDIRECTNAME").to_string())
    };
    const STEPS_MAX: usize = 100;
    let mut others = std::iter::successors(Some(queue.to_string()), next).skip(1).take(STEPS_MAX);
    others.all(|other| installed.get("TDQUEUE", &other).is_some())
}

/// "CICS checks that the resource is installed" before it asks. Queues of temporary storage need no definition.
fn is_there(region: &Region, restype: &str, resource: &str) -> bool {
    match restype {
        "TRANSACTION" | "TRANSATTACH" => region.transactions().find(Name4::new(resource)).is_some(),
        "PROGRAM" => region.programs().find(Name8::new(resource)).is_some(),
        "TSQUEUE" | "TSQNAME" | "JOURNALNAME" | "JOURNALNUM" => true,
        "FILE" => region.installed.read().get("FILE", resource).is_some(),
        "TDQUEUE" => region.installed.read().get("TDQUEUE", resource).is_some(),
        "DB2ENTRY" => region.installed.read().get("DB2ENTRY", resource).is_some(),
        "BUNDLE" => region.installed.read().get("BUNDLE", resource).is_some(),
        "DOCTEMPLATE" => region.installed.read().get("DOCTEMPLATE", resource).is_some(),
        _ => false,
    }
}
