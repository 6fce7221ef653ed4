//! SET of one resource, and what was typed over in its row.

use super::command::Word;
use super::engine::{Row, inquire, named};
use super::keywords;
use super::resources::{Resource, Shape};
use super::words::not_normal;
use exec::{ArgumentRule, CommandSpec, OptionSpec, RuleKind, cvda, option};
use region::exec_interface::call::{Call, Response};
use region::{Raised, Task};

/// The option of a command for a word: one with an argument if a value is given, else a keyword.
pub(super) fn option_of(spec: &'static CommandSpec, word: &Word) -> Option<&'static OptionSpec> {
    let with_value = word.value.is_some();
    let takes = |option: &&OptionSpec| (option.argument != ArgumentRule::None) == with_value;
    if let Some(found) = spec.option_by_name(&word.keyword).filter(takes) {
        return Some(found);
    }
    if spec.id == exec::command::SET_FILE
        && !with_value
        && let Some(cvda) = keywords::of_file(&word.keyword)
    {
        return spec.option_by_name(cvda);
    }
    let mut fitting = spec.options.iter().filter(takes).filter(|option| option.name.starts_with(&word.keyword));
    let first = fitting.next()?;
    let Some(second) = fitting.next() else { return Some(first) };
    // CEMT has EMPTYREQ, and not EMPTY of the command, which begins alike.
    (fitting.next().is_none() && first.name == "EMPTY" && second.name == "EMPTYREQ").then_some(second)
}

/// The option of SET for a word about a resource. As few letters are enough as tell it from CEMT's other keywords, which are those of its
/// display: INTERVAL of STATISTICS, and not INTERVALHRS of the command.
pub(super) fn option_for(resource: &Resource, word: &Word) -> Option<&'static OptionSpec> {
    let spec = resource.set.spec();
    if let Some(found) = option_of(spec, word) {
        return Some(found);
    }
    let takes = |option: &&OptionSpec| (option.argument != ArgumentRule::None) == word.value.is_some();
    let mut shown: Vec<&OptionSpec> = resource
        .columns()
        .filter(|column| column.option != resource.name_option && column.option.name().starts_with(&word.keyword))
        .filter_map(|column| spec.option(column.option).filter(takes))
        .collect();
    shown.dedup_by_key(|option| option.id);
    if let [only] = shown[..] { Some(only) } else { None }
}

/// Two options of a command that exclude each other, as OPEN and CLOSED.
pub(super) fn conflict(resource: &Resource, words: &[Word]) -> Option<(&'static OptionSpec, &'static OptionSpec)> {
    let spec = resource.set.spec();
    let given: Vec<&OptionSpec> = words.iter().filter_map(|word| option_for(resource, word)).collect();
    let exclusive = |rule: &&exec::Rule| matches!(rule.kind, RuleKind::AtMostOne | RuleKind::ExactlyOne);
    spec.rules.iter().filter(exclusive).find_map(|rule| {
        let mut of_rule = given.iter().filter(|option| rule.options.contains(&option.id));
        let first = of_rule.next()?;
        of_rule.find(|option| option.id != first.id).map(|second| (*first, *second))
    })
}

/// SET of one resource. `Ok(Err(..))`: the condition, as shown.
pub(super) fn set(task: &mut Task, resource: &'static Resource, name: &str, words: &[Word]) -> Result<Result<(), String>, Raised> {
    let mut call = Call::new(resource.set);
    named(task, &mut call, resource, name);
    for word in words {
        let Some(option) = option_for(resource, word) else { continue };
        if let Err(fault) = add_word(task, &mut call, option, word.value.as_deref()) {
            return Ok(Err(fault));
        }
    }
    match issue(task, &mut call)? {
        Ok(response) if response.is_normal() => Ok(Ok(())),
        Ok(response) => Ok(Err(not_normal(&call, response))),
        Err(text) => Ok(Err(text)),
    }
}

/// Issues a command for the operator. `Ok(Err(..))`: the release does not support it or one of its options. That abends a program (AEY9),
/// but is a line of text here, because an operator's input never abends CEMT.
pub(super) fn issue(task: &mut Task, call: &mut Call) -> Result<Result<Response, String>, Raised> {
    match call.execute(task) {
        Ok(response) => Ok(Ok(response)),
        Err(Raised::Abend(abend)) if abend.code == *b"AEY9" => {
            let reason = abend.reason.clone().unwrap_or_else(|| format!("{} is not available", call.command().name()));
            Ok(Err(reason.replace("EXEC CICS ", "").to_uppercase()))
        }
        Err(raised) => Err(raised),
    }
}

/// Adds an option to a command. The error is CEMT's message for a value that is not a number.
pub(super) fn add_word(task: &Task, call: &mut Call, option: &'static OptionSpec, value: Option<&str>) -> Result<(), String> {
    match value {
        None => {
            call.flag(option.id);
        }
        Some(value) if option.numeric.is_number() => {
            let number = value.parse().ok().or_else(|| cvda::value_of(&value.to_ascii_uppercase())).or_else(|| size(option, value));
            call.integer(option.id, number.ok_or_else(|| "NOT NUMERIC".to_string())?);
        }
        Some(value) => {
            let width = usize::from(option.length).max(value.len());
            call.text(task, option.id, &format!("{:width$}", value.to_ascii_uppercase()));
        }
    }
    Ok(())
}

/// Bytes with K or M, as limits of storage are given.
fn size(option: &OptionSpec, value: &str) -> Option<i64> {
    if !matches!(option.id, option::DSALIMIT | option::EDSALIMIT) {
        return None;
    }
    let folded = value.to_ascii_uppercase();
    let (digits, unit) = match folded.strip_suffix('K') {
        Some(digits) => (digits, 1024),
        None => (folded.strip_suffix('M')?, 1024 * 1024),
    };
    digits.parse::<i64>().ok()?.checked_mul(unit)
}

/// A column that was typed over.
#[derive(Clone, Debug)]
pub struct Overtyped {
    pub line: usize,
    pub column: usize,
    pub value: String,
}

/// SET for the changes typed over in one row, and the resulting row.
pub fn overtype(task: &mut Task, resource: &'static Resource, row: &Row, changes: &[Overtyped]) -> Result<Row, Raised> {
    let mut words = Vec::new();
    let mut fault = None;
    for change in changes {
        let column = &resource.lines[change.line][change.column];
        let typed = change.value.trim().to_string();
        match column.shape {
            Shape::Choice(accepted) | Shape::Action(accepted) => {
                let shown = row.cells.get(change.line).and_then(|line| line.get(change.column)).map(String::as_str).unwrap_or_default();
                if typed.is_empty() || !shown.is_empty() && keywords::short(shown).trim().eq_ignore_ascii_case(&typed) {
                    continue;
                }
                match keywords::chosen(&typed, accepted) {
                    Some(keyword) => words.push(Word { keyword: keyword.to_string(), value: None }),
                    None => fault = Some(format!("'{typed}' IS NOT VALID")),
                }
            }
            Shape::Number(_) => match typed.parse::<i64>() {
                Ok(number) => words.push(Word { keyword: column.option.name().to_string(), value: Some(number.to_string()) }),
                Err(_) => fault = Some(format!("'{typed}' IS NOT NUMERIC")),
            },
            Shape::Text(_) => words.push(Word { keyword: column.option.name().to_string(), value: Some(typed) }),
            Shape::Name(_) | Shape::Digits(_) | Shape::Hex(_) | Shape::Cvda | Shape::Time => {}
        }
    }
    let response = match fault {
        Some(text) => Err(text),
        None if words.is_empty() => return inquire(task, resource, &row.name, &row.inputs, &[]),
        None => {
            words.extend(row.inputs.iter().cloned());
            set(task, resource, &row.name, &words)?
        }
    };
    let mut fresh = inquire(task, resource, &row.name, &row.inputs, &[])?;
    match response {
        Ok(()) if fresh.failed => {}
        Ok(()) => fresh.response = Some("NORMAL".to_string()),
        Err(text) => (fresh.response, fresh.failed) = (Some(text), true),
    }
    Ok(fresh)
}
