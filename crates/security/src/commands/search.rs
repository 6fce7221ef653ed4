//! SEARCH (z/OS Security Server RACF Command Language Reference).

use super::Request;
use super::operands::{Operands, folded, name_of, wrong};
use super::report::{CommandError, Report, failed};
use super::resources::class_named;
use super::text::Operand;
use crate::generic;
use crate::level::Level;
use crate::name::Name8;
use crate::state::State;

const NOTHING_FOUND: u16 = 124;

/// Names of profiles, of users (CLASS(USER)) or groups (CLASS(GROUP)): all, those a filter matches, or those that begin with a text and
/// contain another; with USER those that give a user access.
pub(super) fn search(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let operands = Operands::read("SEARCH", operands)?;
    let class = Operands::required("CLASS", operands.value("CLASS"))?;
    let fits = filter(&operands)?;
    let user = operands.name("USER")?;
    let names: Vec<String> = request.database.with_state(|state| match name_of("CLASS", class)?.as_str() {
        "USER" => Ok(state.users.keys().map(Name8::to_string).collect()),
        "GROUP" => Ok(state.groups.keys().map(Name8::to_string).collect()),
        _ => names_in_class(state, class),
    })?;
    let mut found = names.into_iter().filter(|name| fits(name)).peekable();
    let identity = user.map(|user| request.database.identify(user, None, request.now));
    let identity = identity.transpose().map_err(|refusal| failed(NOTHING_FOUND, refusal.to_string().to_uppercase()))?;
    let has_access = |name: &str| {
        let level = identity.as_ref().map(|identity| request.database.access(identity, &class.word, name.trim_end_matches(" (G)")).level);
        level.is_none_or(|level| level.is_some_and(|level| level >= Level::Read))
    };
    if found.peek().is_none() {
        report.warn(NOTHING_FOUND, "NO ENTRIES MEET THE SEARCH CRITERIA");
    }
    found.filter(|name| has_access(name)).for_each(|name| report.line(name));
    Ok(())
}

fn names_in_class(state: &State, class: &Operand) -> Result<Vec<String>, CommandError> {
    let class = class_named(state, Some(class))?;
    let shown =
        |profile: &std::sync::Arc<crate::profile::Profile>| format!("{}{}", profile.name, if profile.generic { " (G)" } else { "" });
    Ok(state.profiles(class.name).map(shown).collect())
}

/// What FILTER or MASK selects.
fn filter(operands: &Operands) -> Result<Box<dyn Fn(&str) -> bool>, CommandError> {
    if operands.has("FILTER") && operands.has("MASK") {
        return Err(wrong("FILTER", "TOGETHER WITH MASK"));
    }
    if let Some(pattern) = operands.text("FILTER") {
        return Ok(Box::new(move |name| generic::matches(&pattern, name.trim_end_matches(" (G)"))));
    }
    match operands.values("MASK") {
        None => Ok(Box::new(|_| true)),
        Some([first]) => {
            let first = folded(first);
            Ok(Box::new(move |name| name.starts_with(&first)))
        }
        Some([first, second]) => {
            let (first, second) = (folded(first), folded(second));
            Ok(Box::new(move |name| {
                let start = if first == "*" { Some(name) } else { name.strip_prefix(first.as_str()) };
                start.is_some_and(|rest| rest.contains(&second))
            }))
        }
        Some(_) => Err(wrong("MASK", "OF MORE THAN TWO TEXTS")),
    }
}
