//! INQUIRE CAPTURESPEC, CAPDATAPRED, CAPINFOSRCE and CAPOPTPRED.
//!
//! The capture specifications of a binding are inquired by name or browsed; predicates and sources are browsed only. Source: CICS TS 5.5, the
//! commands. What PRIMPREDTYPE returns is unverified: the CVDA with the name of the option, NONE if there is no such CVDA, and CONTEXT if the
//! primary predicate is about the current program. Invariant: a browse keeps names, so it never holds a discarded binding.

use super::commands::find;
use super::point::When;
use super::predicate::Comparison;
use super::{Field, Item, Source, Specification};
use crate::TaskPolicies;
use crate::browse::CaptureRow;
use exec::resp2::event_bindings as resp2;
use exec::{OptionId, condition, cvda, option};
use region::inquiry::{is_browse, step};
use region::{Arguments, Outcome, Raised, Task, raise};
use std::collections::VecDeque;
use std::sync::Arc;

/// A capture specification and the number of one of its predicates or sources.
type Reached = (Arc<Specification>, usize);

fn given(arguments: &Arguments, option: OptionId) -> Result<String, Raised> {
    let name = arguments.text(option)?.unwrap_or_default();
    if name.is_empty() { raise(condition::INVREQ, resp2::NO_BINDING) } else { Ok(name) }
}

/// The specifications of a binding.
fn specifications(task: &Task, binding: &str) -> Result<Vec<Arc<Specification>>, Raised> {
    match find(task.region, binding) {
        Some(binding) => Ok(binding.specifications.clone()),
        None => raise(condition::NOTFND, resp2::NOT_FOUND),
    }
}

fn of_names(task: &Task, binding: &str, name: &str) -> Result<Arc<Specification>, Raised> {
    let found = specifications(task, binding)?.into_iter().find(|specification| specification.name == name);
    found.ok_or(Raised::new(condition::NOTFND, resp2::NO_SPECIFICATION))
}

/// The binding and the specification that a command names.
fn named(task: &Task, arguments: &Arguments) -> Result<(String, Arc<Specification>), Raised> {
    let binding = given(arguments, option::EVENTBINDING)?;
    specifications(task, &binding)?;
    let specification = of_names(task, &binding, &given(arguments, option::CAPTURESPEC)?)?;
    Ok((binding, specification))
}

/// What a browse of the command reaches; `None` at START and END. A specification that has been discarded meanwhile is not found.
fn reached(
    task: &mut Task,
    arguments: &Arguments,
    rows: impl FnOnce(&Task) -> Result<VecDeque<CaptureRow>, Raised>,
) -> Result<Option<Reached>, Raised> {
    let rows = if arguments.has(option::START) { rows(task)? } else { VecDeque::new() };
    let browses = &mut TaskPolicies::of_mut(&mut task.parts).browses.captures;
    let slot = browses.entry(arguments.command).or_default();
    let Some((binding, name, number)) = step(arguments, slot, || rows)? else { return Ok(None) };
    Ok(Some((of_names(task, &binding, &name)?, number)))
}

pub fn specification(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    if !is_browse(arguments) {
        let (_, specification) = named(task, arguments)?;
        return give(arguments, &specification);
    }
    let all = |task: &Task| {
        let binding = given(arguments, option::EVENTBINDING)?;
        Ok(specifications(task, &binding)?.iter().map(|specification| (binding.clone(), specification.name.clone(), 0)).collect())
    };
    let Some((specification, _)) = reached(task, arguments, all)? else { return Ok(()) };
    arguments.set_text(option::CAPTURESPEC, &specification.name)?;
    give(arguments, &specification)
}

fn give(arguments: &mut Arguments, specification: &Specification) -> Outcome {
    let point = specification.point;
    let context = &specification.context;
    let kind = match specification.when {
        When::Before => cvda::PRECOMMAND,
        When::After => cvda::POSTCOMMAND,
        When::Start => cvda::PROGRAMINIT,
    };
    let off = Comparison::OFF;
    let of_option =
        |name: &str| specification.options.iter().find(|(option, _)| *option == name).map_or(&off, |(_, comparison)| comparison);
    let (primary, primary_kind) = match point.primary {
        Some(option) if specification.point.is_program_start() => (of_option(option), cvda::PROGRAM),
        Some(option) => (of_option(option), exec::cvda::value_of(option).unwrap_or(cvda::NONE)),
        None => (&context.program, cvda::CONTEXT),
    };
    let count = |count: usize| count as i64;
    arguments.set_integers([
        (option::CAPTUREPTYPE, kind),
        (option::CURRPGMOP, context.program.cvda()),
        (option::CURRTRANIDOP, context.transaction.cvda()),
        (option::CURRUSERIDOP, context.user.cvda()),
        (option::NUMDATAPRED, count(specification.data.len())),
        (option::NUMINFOSRCE, count(specification.items.len())),
        (option::NUMOPTPRED, count(compared(specification).count())),
        (option::PRIMPREDOP, primary.cvda()),
        (option::PRIMPREDTYPE, primary_kind),
    ]);
    arguments.set_text(option::CAPTUREPOINT, point.name)?;
    arguments.set_text(option::CURRPGM, value(&context.program))?;
    arguments.set_text(option::CURRTRANID, value(&context.transaction))?;
    arguments.set_text(option::CURRUSERID, value(&context.user))?;
    arguments.set_text(option::EVENTNAME, &specification.event)?;
    arguments.set_text(option::PRIMPRED, value(primary))
}

/// What is compared with; an operator that is off compares with nothing.
fn value(comparison: &Comparison) -> &str {
    if comparison.is_off() { "" } else { &comparison.value }
}

/// The predicates of options that are not off.
fn compared(specification: &Specification) -> impl Iterator<Item = &(&'static str, Comparison)> {
    specification.options.iter().filter(|(_, comparison)| !comparison.is_off())
}

/// The rows of one specification: a browse that begins names it.
fn rows_of(task: &mut Task, arguments: &Arguments, count: fn(&Specification) -> usize) -> Result<Option<Reached>, Raised> {
    if !is_browse(arguments) {
        return raise(condition::INVREQ, resp2::ONLY_A_BROWSE);
    }
    let all = |task: &Task| {
        let (binding, specification) = named(task, arguments)?;
        Ok((0..count(&specification)).map(|number| (binding.clone(), specification.name.clone(), number)).collect())
    };
    reached(task, arguments, all)
}

pub fn option_predicates(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some((specification, number)) = rows_of(task, arguments, |specification| compared(specification).count())? else { return Ok(()) };
    let Some((name, comparison)) = compared(&specification).nth(number) else { return Ok(()) };
    arguments.set_integer(option::OPERATOR, comparison.cvda());
    arguments.set_text(option::OPTIONNAME, name)?;
    arguments.set_text(option::FILTERVALUE, &comparison.value)
}

pub fn data_predicates(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some((specification, number)) = rows_of(task, arguments, |specification| specification.data.len())? else { return Ok(()) };
    let Some(predicate) = specification.data.get(number) else { return Ok(()) };
    arguments.set_integer(option::OPERATOR, predicate.comparison.cvda());
    arguments.set_text(option::FILTERVALUE, value(&predicate.comparison))?;
    give_field(arguments, &predicate.field)
}

pub fn sources(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some((specification, number)) = rows_of(task, arguments, |specification| specification.items.len())? else { return Ok(()) };
    let Some(Item { name, source, .. }) = specification.items.get(number) else { return Ok(()) };
    arguments.set_text(option::ITEMNAME, name)?;
    let place = match source {
        Source::Data(field) => return give_field(arguments, field),
        Source::Option(option) => option,
        Source::Context(item) => item.name(),
    };
    arguments.set_integers([(option::FIELDLENGTH, 0), (option::FIELDOFFSET, 0)]);
    arguments.set_text(option::LOCATION, place)?;
    arguments.set_blank(&[option::CONTAINER, option::FILENAME, option::STRUCTNAME, option::VARIABLENAME])
}

fn give_field(arguments: &mut Arguments, field: &Field) -> Outcome {
    arguments.set_integers([(option::FIELDLENGTH, field.length as i64), (option::FIELDOFFSET, field.offset as i64)]);
    arguments.set_text(option::CONTAINER, &field.container)?;
    arguments.set_text(option::LOCATION, field.place.name())?;
    arguments.set_text(option::FILENAME, &field.imported.file)?;
    arguments.set_text(option::STRUCTNAME, &field.imported.structure)?;
    arguments.set_text(option::VARIABLENAME, &field.imported.variable)
}
