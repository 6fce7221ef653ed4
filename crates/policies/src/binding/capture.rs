//! The capture of events: an observer of commands and programs.
//!
//! Commands of the region's own programs are not captured, but for those that a user enters in CECI; nor are those of the programs of
//! synchronous adapters. Predicates are looked at in the order context, options, data, and the first that is false ends it. Source: CICS TS
//! 5.5, "Application events", messages DFHEC1007 and DFHEC1008. Invariant: a command is executed, and has its response, whatever becomes of
//! its events.

use super::force::Active;
use super::format;
use super::point::When;
use super::source::{Moment, Unreadable};
use super::{ContextItem, Field, Item, Source};
use crate::event::captured::{Description, Event, Item as EventItem, Names};
use crate::event::emit;
use crate::event::processing::Status;
use crate::message::tell;
use crate::{Policies, TaskPolicies};
use exec::block::Block;
use exec::{CommandId, condition};
use region::extensions::{Observer as RegionObserver, Verdict};
use region::storage_access;
use region::{Outcome, Raised, Task};
use std::sync::atomic::Ordering;

/// The program of CECI.
const COMMAND_INTERPRETER: &str = "DFHECIP";

/// Looks at commands and at the starts of programs for the region's event bindings.
pub struct Observer;

impl RegionObserver for Observer {
    fn before(&self, task: &mut Task, block: &mut Block) -> Verdict {
        if !Policies::of(task.region).captures.watches(Some(block.command), When::Before) {
            return Verdict::Execute;
        }
        match of_command(task, block, When::Before, condition::NORMAL.0) {
            Ok(()) => Verdict::Execute,
            Err(raised) => Verdict::Answer(Err(raised)),
        }
    }

    fn after(&self, task: &mut Task, block: &mut Block, outcome: &mut Outcome) {
        if !Policies::of(task.region).captures.watches(Some(block.command), When::After) {
            return;
        }
        let response = match outcome {
            Ok(()) => condition::NORMAL.0,
            Err(Raised::Condition { condition, .. }) => condition.0,
            // Control does not come back to the program.
            Err(_) => return,
        };
        if let Err(raised) = of_command(task, block, When::After, response) {
            *outcome = Err(raised);
        }
    }

    fn program_begins(&self, task: &mut Task) {
        if Policies::of(task.region).captures.watches(None, When::Start) && !is_own(task, task.program_name().as_str()) {
            let moment = Moment { arguments: Vec::new(), when: When::Start, response: condition::NORMAL.0 };
            // An adapter that abends makes the program's first command fail, as a purge does.
            let _ = capture(task, None, &moment);
        }
    }
}

/// The programs of the region itself have names that begin with DFH.
fn is_own(task: &Task, program: &str) -> bool {
    task.region.registry.has_program(program.trim_end())
}

fn of_command(task: &mut Task, block: &mut Block, when: When, response: u16) -> Result<(), Raised> {
    // A command of the region itself is given without a frame.
    if task.frame.is_none() && task.program_name().as_str().trim_end() != COMMAND_INTERPRETER {
        return Ok(());
    }
    let moment = Moment { arguments: storage_access::arguments_of(block).to_vec(), when, response };
    capture(task, Some(block.command), &moment)
}

fn capture(task: &mut Task, command: Option<CommandId>, moment: &Moment) -> Result<(), Raised> {
    let Policies { processing, captures, .. } = Policies::of(task.region);
    if processing.status() != Status::Started || TaskPolicies::of(&task.parts).events.is_emitting {
        return Ok(());
    }
    for active in captures.active(command, moment.when) {
        consider(task, &active, moment)?;
    }
    Ok(())
}

/// Compares a specification with the moment, and emits its event if all predicates are true.
fn consider(task: &mut Task, active: &Active, moment: &Moment) -> Result<(), Raised> {
    let specification = &active.specification;
    let figures = &Policies::of(task.region).processing.figures;
    figures.filters.fetch_add(1, Ordering::Relaxed);
    match is_met(task, active, moment) {
        Ok(true) => {}
        Ok(false) => return Ok(()),
        Err(Unreadable) => {
            figures.filters_failed.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
    }
    if !active.binding.is_enabled.load(Ordering::Relaxed) {
        figures.disabled.fetch_add(1, Ordering::Relaxed);
        return Ok(());
    }
    let Ok(items) = specification.items.iter().map(|item| item_of(task, item, moment)).collect::<Result<Vec<_>, _>>() else {
        figures.captures_failed.fetch_add(1, Ordering::Relaxed);
        specification.failed.fetch_add(1, Ordering::Relaxed);
        return Ok(());
    };
    figures.captured.fetch_add(1, Ordering::Relaxed);
    specification.captured.fetch_add(1, Ordering::Relaxed);
    let binding = &active.binding;
    let names = Names {
        binding: binding.name.clone(),
        event: specification.event.clone(),
        specification: specification.name.clone(),
        user_tag: binding.user_tag.clone(),
        schema: binding.schema,
    };
    let mut event = Event::of_application(task, names, moment.response.into());
    event.items = items;
    emit::emit_of(task, &binding.receiver, event)
}

fn is_met(task: &mut Task, active: &Active, moment: &Moment) -> Result<bool, Unreadable> {
    let specification = &active.specification;
    let page = &task.region.code_page;
    let context = &specification.context;
    let program = task.program_name();
    let eib = &task.eib;
    let is_of_context = context.transaction.accepts(page, Some(task.transid.as_str()))
        && context.program.accepts(page, Some(program.as_str()))
        && context.user.accepts(page, Some(task.user_id.as_str()))
        && context.response.accepts(moment.response.into())
        && context.aid.accepts(eib.byte(exec::eib::EIBAID).into())
        && context.cursor.accepts(eib.half(exec::eib::EIBCPOSN).into());
    if !is_of_context {
        return Ok(false);
    }
    for (option, comparison) in &specification.options {
        if comparison.is_off() {
            continue;
        }
        let value = moment.option(task, option)?;
        if !comparison.accepts(page, value.as_deref()) {
            return Ok(false);
        }
    }
    for predicate in &specification.data {
        let bytes = moment.data(task, &predicate.field)?;
        let value = match bytes.as_deref().map(|bytes| predicate.field.kind.decode(bytes)).transpose() {
            Ok(value) => value,
            Err(_) => {
                if active.binding.is_enabled.load(Ordering::Relaxed) {
                    invalid(task, active, &predicate.field, bytes.as_deref().unwrap_or_default());
                }
                return Err(Unreadable);
            }
        };
        if !predicate.comparison.accepts_data(page, predicate.field.precision, value.as_ref()).unwrap_or(false) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Tells that data of a filter is not a number.
fn invalid(task: &Task, active: &Active, field: &Field, bytes: &[u8]) {
    let data: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    let (offset, length) = (field.offset.to_string(), bytes.len().to_string());
    let kind = field.kind.name().to_ascii_lowercase();
    let variable = if field.imported.variable.is_empty() { field.place.name() } else { field.imported.variable.as_str() };
    let values = [
        ("type", kind.as_str()),
        ("data", &data),
        ("specification", &active.specification.name),
        ("binding", &active.binding.name),
        ("item", variable),
        ("offset", &offset),
        ("length", &length),
    ];
    tell(task.region, "DFHEC1007", &values);
}

/// An item with its data. Data that is not there, and numbers that are none, are formatted as blanks or asterisks.
fn item_of(task: &mut Task, item: &Item, moment: &Moment) -> Result<EventItem, Unreadable> {
    let region = task.region;
    let page = &region.code_page;
    let (raw, field) = match &item.source {
        Source::Data(field) => {
            let raw = moment.data(task, field)?;
            (raw, format::Field { kind: field.kind, length: field.length, precision: field.precision })
        }
        Source::Option(option) => (moment.option(task, option)?.map(|text| page.encode(&text)), format::Field::CHARACTERS),
        Source::Context(item) => (Some(page.encode(&context_value(task, *item, moment))), format::Field::CHARACTERS),
    };
    let value = raw.as_deref().and_then(|raw| field.kind.decode(raw).ok());
    let formatted = item.layout.format(page, field, value.as_ref());
    let description = Description {
        kind: field.kind.name(),
        precision: field.precision as u32,
        form: item.layout.form.name(),
        length: item.layout.length as u32,
        form_precision: item.layout.precision as u32,
    };
    Ok(EventItem { name: item.name.clone(), raw: raw.unwrap_or_default(), formatted, description })
}

fn context_value(task: &Task, item: ContextItem, moment: &Moment) -> String {
    match item {
        ContextItem::Transaction => task.transid.as_str().to_string(),
        ContextItem::Program => task.program_name().as_str().trim_end().to_string(),
        ContextItem::User => task.user_id.as_str().trim_end().to_string(),
        ContextItem::Response => moment.response.to_string(),
        ContextItem::Aid => {
            let byte = task.eib.byte(exec::eib::EIBAID);
            exec::aid::name_of(byte).map_or_else(|| format!("{byte:02X}"), |name| name.trim_start_matches("DFH").to_string())
        }
        ContextItem::Cursor => task.eib.half(exec::eib::EIBCPOSN).to_string(),
    }
}
