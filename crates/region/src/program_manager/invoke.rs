//! INVOKE APPLICATION: runs the entry point of an application for an operation, of the highest version or of one that is asked for.
//!
//! Rule: CICS TS 5.5, "INVOKE APPLICATION", "Invoking a multi-versioned application".

use super::commands::{channel, commarea, linked};
use super::private::{NoEntryPoint, Wanted};
use super::run::{LinkRequest, RunsAs};
use crate::{Arguments, Outcome, Raised, Task, raise};
use exec::resp2::applications as resp2;
use exec::{OptionId, condition, eib, option};

pub(super) fn invoke(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let text = |option: OptionId| Ok::<_, Raised>(arguments.text(option)?.unwrap_or_default().trim_end().to_string());
    let (name, operation) = (text(option::APPLICATION)?, text(option::OPERATION)?);
    let platform = match arguments.text(option::PLATFORM)? {
        Some(platform) => platform.trim_end().to_string(),
        // The current platform.
        None => task.context().map(|context| context.platform().to_string()).unwrap_or_default(),
    };
    if platform.is_empty() {
        return raise(condition::APPNOTFOUND, resp2::NO_PLATFORM);
    }
    let wanted = wanted(arguments)?;
    let commarea = commarea(arguments)?;
    let region = task.region;
    let found = region.programs().entry_point(&platform, &name, &operation, wanted);
    let (application, program) = match found {
        Ok(found) => found,
        Err(NoEntryPoint::Application) => return raise(condition::APPNOTFOUND, resp2::NO_APPLICATION),
        Err(NoEntryPoint::Version) => return raise(condition::APPNOTFOUND, resp2::NO_VERSION),
        Err(NoEntryPoint::Operation) => return raise(condition::APPNOTFOUND, resp2::NO_OPERATION),
    };
    let program = task.ready_program_of(Some(&application), program)?;
    let channel = channel(task, arguments)?;
    let resource = task.eib.name_bytes(eib::EIBRSRCE);
    task.performance.program_links += 1;
    if channel.is_some() {
        task.performance.program_channel_links += 1;
    }
    linked(task, LinkRequest { program, commarea, channel, input_message: None, runs_as: RunsAs::Application }, &resource)
}

/// MAJORVERSION and MINORVERSION go together; EXACTMATCH is the default.
fn wanted(arguments: &Arguments) -> Result<Wanted, Raised> {
    let number = |option: OptionId| match arguments.integer(option) {
        None => Ok(None),
        Some(number) => match u32::try_from(number) {
            Ok(number) => Ok(Some(number)),
            Err(_) => raise(condition::INVREQ, resp2::VERSION),
        },
    };
    match (number(option::MAJORVERSION)?, number(option::MINORVERSION)?) {
        (None, None) => Ok(Wanted::Highest),
        (Some(major), Some(minor)) if arguments.has(option::MINIMUM) => Ok(Wanted::AtLeast(major, minor)),
        (Some(major), Some(minor)) => Ok(Wanted::Exactly(major, minor)),
        _ => raise(condition::INVREQ, resp2::VERSION),
    }
}
