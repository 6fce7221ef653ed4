//! The text of a template for a program: from the cached copy, or read.

use crate::source::{self, Unread};
use crate::template::{Source, Template, library};
use crate::{Documents, exit_program};
use csd::Definition;
use exec::condition;
use region::name::Name8;
use region::{Raised, Task};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The DD name of the library of templates without a DOCTEMPLATE.
const DEFAULT_LIBRARY: &str = "DFHHTML";

/// The text of a template, ready for use.
pub struct Text {
    pub data: Arc<Vec<u8>>,
    /// It is inserted as it is, without conversion and symbols.
    pub is_binary: bool,
}

/// The text of the template that a program knows by this name. Without a DOCTEMPLATE it is the member of that name in the library DFHHTML.
///
/// # Errors
///
/// Why it cannot be read.
pub fn named(task: &mut Task, template_name: &str) -> Result<Text, Unread> {
    let templates = &Documents::of(task.region).templates;
    if let Some(template) = templates.by_template_name(template_name) {
        check_access(task, template.name.as_str())?;
        return text(task, &template);
    }
    if template_name.len() > Name8::BLANK.as_bytes().len() || library(task.region, DEFAULT_LIBRARY).is_none() {
        return Err(Unread::NotFound);
    }
    check_access(task, template_name)?;
    let definition = Definition::new("DOCTEMPLATE", template_name, "");
    let template = Template::from(&definition).map_err(Unread::Failed)?;
    text(task, &template).map_err(|unread| if let Unread::Failed(_) = unread { Unread::NotFound } else { unread })
}

/// "The shorter name of the DOCTEMPLATE resource definition is always used for security checking" (XRES).
fn check_access(task: &Task, name: &str) -> Result<(), Unread> {
    match task.region.extensions.may_read(task, "DOCTEMPLATE", name) {
        true => Ok(()),
        false => Err(Unread::Raised(Raised::new(condition::NOTAUTH, exec::resp2::authorization::RESOURCE))),
    }
}

fn text(task: &mut Task, template: &Template) -> Result<Text, Unread> {
    let counters = &template.counters;
    counters.uses.fetch_add(1, Ordering::Relaxed);
    let data = match template.cached() {
        Some(data) => {
            counters.cache_uses.fetch_add(1, Ordering::Relaxed);
            data
        }
        None => read(task, template)?,
    };
    Ok(Text { data, is_binary: template.is_binary })
}

/// Reads the text from its source, and keeps a copy if it may.
fn read(task: &mut Task, template: &Template) -> Result<Arc<Vec<u8>>, Unread> {
    template.counters.reads.fetch_add(1, Ordering::Relaxed);
    let (data, may_be_cached) = match &template.source {
        Source::ExitProgram(program) => exit_program::template(task, template, *program)?,
        Source::Program(_) => (source::read(task, template)?, false),
        _ => (source::read(task, template)?, true),
    };
    let data = Arc::new(data);
    template.keep(task.region, may_be_cached.then_some(&data));
    Ok(data)
}

/// SET DOCTEMPLATE NEWCOPY: the cached copy is replaced.
///
/// # Errors
///
/// Why the template cannot be read; there is no copy then.
pub fn new_copy(task: &mut Task, template: &Template) -> Result<(), Unread> {
    template.counters.new_copies.fetch_add(1, Ordering::Relaxed);
    template.keep(task.region, None);
    match template.source {
        // A program that is a template is looked up at each use.
        Source::Program(_) => Ok(()),
        _ => read(task, template).map(|_| ()),
    }
}
