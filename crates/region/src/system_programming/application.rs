//! Application contexts in the commands of programs, libraries, transactions and association data.

use crate::control_blocks::application::{Application, Context};
use crate::{Arguments, Outcome, Raised, Task, raise};
use exec::resp2::applications as resp2;
use exec::{OptionId, condition, option};
use std::sync::Arc;

const VERSION: [OptionId; 3] = [option::APPLMAJORVER, option::APPLMINORVER, option::APPLMICROVER];

/// The application whose private resources a command is about: the one that START of a browse names, or that of the task.
///
/// # Errors
///
/// INVREQ: only a part of the application is named.
pub(super) fn of_command(task: &Task, arguments: &Arguments) -> Result<Option<Arc<Application>>, Raised> {
    let own = || task.context().and_then(|context| context.application.clone());
    if !arguments.has(option::START) || !arguments.has(option::APPLICATION) {
        return Ok(own());
    }
    let text = |option: OptionId| Ok::<_, Raised>(arguments.text(option)?.filter(|text| !text.is_empty()));
    let number = |option: OptionId| arguments.integer(option).and_then(|number| u32::try_from(number).ok());
    let (name, platform) = (text(option::APPLICATION)?, text(option::PLATFORM)?);
    match (name, platform, VERSION.map(number)) {
        (Some(name), Some(platform), [Some(major), Some(minor), Some(micro)]) => {
            Ok(Some(Arc::new(Application { platform, name, version: [major, minor, micro] })))
        }
        _ => raise(condition::INVREQ, resp2::CONTEXT),
    }
}

/// APPLICATION, its version and PLATFORM of a resource; blank and -1 for a public one.
pub(super) fn give(arguments: &mut Arguments, application: Option<&Application>) -> Outcome {
    let version = application.map_or([-1; 3], |application| application.version.map(i64::from));
    arguments.set_integers(VERSION.into_iter().zip(version));
    arguments.set_text(option::APPLICATION, application.map_or("", |application| &application.name))?;
    arguments.set_text(option::PLATFORM, application.map_or("", |application| &application.platform))
}

/// The same with OPERATION, of a resource that may be an entry point.
pub(super) fn give_entry_point(arguments: &mut Arguments, context: Option<&Context>, owner: Option<&Arc<Application>>) -> Outcome {
    let application = context.and_then(|context| context.application.as_deref()).or(owner.map(|owner| &**owner));
    give(arguments, application)?;
    arguments.set_text(option::OPERATION, context.map_or("", |context| &context.operation))
}

/// The current application context of a task: ACAPPLNAME and so on of INQUIRE ASSOCIATION. Without one, blank and -1.
pub(super) fn give_association(arguments: &mut Arguments, context: Option<&Context>) -> Outcome {
    let version = context.map_or([-1; 3], Context::version);
    arguments.set_integers([option::ACMAJORVER, option::ACMINORVER, option::ACMICROVER].into_iter().zip(version));
    arguments.set_text(option::ACAPPLNAME, context.map_or("", Context::name))?;
    arguments.set_text(option::ACPLATNAME, context.map_or("", Context::platform))?;
    arguments.set_text(option::ACOPERNAME, context.map_or("", |context| &context.operation))
}
