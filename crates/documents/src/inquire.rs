//! INQUIRE, SET, DISCARD and CREATE DOCTEMPLATE.

use crate::source::Unread;
use crate::template::{Source, Template, library};
use crate::{Documents, text};
use exec::resp2::doctemplates as resp2;
use exec::{CommandId, command, condition, cvda, option};
use region::inquiry::{BrowseStep, checked, either, give_signature};
use region::name::Name8;
use region::{Arguments, Handler, Outcome, Raised, Task, creation, raise};
use std::sync::Arc;

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[
        (command::INQUIRE_DOCTEMPLATE, inquire),
        (command::SET_DOCTEMPLATE, set),
        (command::DISCARD_DOCTEMPLATE, discard),
        (command::CREATE_DOCTEMPLATE, create),
    ]
}

fn type_cvda(source: &Source) -> i64 {
    match source {
        Source::File(_) => cvda::FILE,
        Source::TsQueue(_) => cvda::TSQ,
        Source::TdQueue(_) => cvda::TDQ,
        Source::Program(_) => cvda::PROGRAM,
        Source::ExitProgram(_) => cvda::EXIT,
        Source::Member { .. } => cvda::PDSMEMBER,
        Source::HfsFile(_) => cvda::HFSFILE,
    }
}

fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let templates = &Documents::of(region).templates;
    let step = task.browse_step(arguments, option::DOCTEMPLATE, || templates.names(), |name: Name8| templates.find(name).is_some())?;
    let BrowseStep::One(name) = step else { return Ok(()) };
    let Some(template) = templates.find(name) else { return raise(condition::NOTFND, resp2::NOT_FOUND) };
    arguments.set_integers([
        (option::APPENDCRLF, either(template.appends_crlf, cvda::APPEND, cvda::NOAPPEND)),
        (option::CACHESIZE, template.cached_bytes() as i64),
        (option::TEMPLATETYPE, type_cvda(&template.source)),
        (option::TYPE, either(template.is_binary, cvda::BINARY, cvda::EBCDIC)),
    ]);
    arguments.set_text(option::TEMPLATENAME, &template.template_name)?;
    give_source(task, arguments, &template)?;
    give_signature(region, arguments, "DOCTEMPLATE", name.as_str(), cvda::GRPLIST)
}

/// The names of the source; those of other types are blank.
fn give_source(task: &Task, arguments: &mut Arguments, template: &Template) -> Outcome {
    const NAMES: [exec::OptionId; 9] = [
        option::FILE,
        option::TSQUEUE,
        option::TDQUEUE,
        option::PROGRAM,
        option::EXITPGM,
        option::DDNAME,
        option::MEMBER,
        option::DSNAME,
        option::HFSFILE,
    ];
    arguments.set_blank(&NAMES)?;
    match &template.source {
        Source::File(file) => arguments.set_name(option::FILE, file),
        Source::TsQueue(queue) => arguments.set_name(option::TSQUEUE, queue),
        Source::TdQueue(queue) => arguments.set_name(option::TDQUEUE, queue),
        Source::Program(program) => arguments.set_name(option::PROGRAM, program),
        Source::ExitProgram(program) => arguments.set_name(option::EXITPGM, program),
        Source::HfsFile(path) => arguments.set_text(option::HFSFILE, path),
        Source::Member { ddname, member } => {
            arguments.set_text(option::DDNAME, ddname)?;
            arguments.set_name(option::MEMBER, member)?;
            let directory = library(task.region, ddname).map(|path| path.display().to_string()).unwrap_or_default();
            arguments.set_text(option::DSNAME, &directory)
        }
    }
}

fn named(task: &Task, arguments: &Arguments) -> Result<Arc<Template>, Raised> {
    let name: Name8 = arguments.name(option::DOCTEMPLATE)?.unwrap_or_default();
    Documents::of(task.region).templates.find(name).ok_or(Raised::new(condition::NOTFND, resp2::NOT_FOUND))
}

fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let template = named(task, arguments)?;
    if checked(arguments, option::COPY, &[(option::NEWCOPY, cvda::NEWCOPY)], resp2::COPY)?.is_none() {
        return Ok(());
    }
    match text::new_copy(task, &template) {
        Ok(()) => Ok(()),
        Err(Unread::Raised(raised)) => Err(raised),
        Err(unread) => {
            let reason = if let Unread::Failed(reason) = unread { reason } else { "it is not there".to_string() };
            task.region.messages.send("DFHDH0507", &[("template", &template.template_name), ("reason", &reason)]);
            raise(condition::INVREQ, resp2::NOT_COPIED)
        }
    }
}

fn discard(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let template = named(task, arguments)?;
    Documents::of(region).templates.discard(region, template.name);
    region.installed.write().remove("DOCTEMPLATE", template.name.as_str());
    Ok(())
}

fn create(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    creation::create(task, arguments, "DOCTEMPLATE", option::DOCTEMPLATE)
}
