//! SETROPTS (z/OS Security Server RACF Command Language Reference).

use std::collections::BTreeSet;

use super::Request;
use super::list_options;
use super::operands::{Operands, folded, name_of, wrong};
use super::report::{CommandError, Report, failed};
use super::segments::language;
use super::text::Operand;
use super::unknown;
use crate::change::Change;
use crate::database::Update;
use crate::name::Name8;
use crate::secret::PASSWORD_LENGTH_MAX;
use crate::settings::{Content, HISTORY_MAX, INTERVAL_DAYS_MAX, PasswordOptions, PasswordRule, REVOKE_MAX, RULES_MAX, Settings};
use crate::state::State;

const NOT_LISTED: u16 = 121;
const NOTHING_TO_REFRESH: u16 = 122;
const RULE_INCOMPLETE: u16 = 123;

pub(super) fn set(request: &Request, operands: Vec<Operand>, report: &mut Report) -> Result<(), CommandError> {
    let operands = Operands::read("SETROPTS", operands)?;
    request.database.update(|state| {
        let mut settings = (*state.settings).clone();
        let mut changes = Vec::new();
        alter_classes(state, &mut settings, &operands)?;
        alter_listed(state, &mut settings, &operands, &mut changes)?;
        if let Some(given) = operands.segment("PASSWORD") {
            alter_password(&mut settings.password, given)?;
        }
        if let Some(given) = operands.segment("LANGUAGE") {
            settings.language_primary = language(given, "PRIMARY")?.unwrap_or(settings.language_primary);
            settings.language_secondary = language(given, "SECONDARY")?.unwrap_or(settings.language_secondary);
        }
        settings.group_list = operands.flag("GRPLIST").unwrap_or(settings.group_list);
        settings.special_audit = operands.flag("SAUDIT").unwrap_or(settings.special_audit);
        if let Some(days) = operands.number("INACTIVE", 1..=255)? {
            settings.inactive_days = days as u16;
        }
        if operands.has("NOINACTIVE") {
            settings.inactive_days = 0;
        }
        if let Some(undefined) = operands.one_of("TERMINAL", &[("READ", true), ("NONE", false)])? {
            settings.undefined_terminals = undefined;
        }
        if settings != *state.settings {
            changes.insert(0, Change::Settings(Box::new(settings)));
        }
        Ok::<_, CommandError>(Update { changes, touched: Vec::new(), result: () })
    })?;
    if operands.has("LIST") {
        request.database.with_state(|state| list_options::list(state, report));
    }
    Ok(())
}

/// The classes of an operand; all for an asterisk. Of classes that the installation defines, those with the same number too.
fn classes_of(state: &State, operands: &Operands, operand: &str) -> Result<Vec<Name8>, CommandError> {
    let mut classes = Vec::new();
    for value in operands.values(operand).unwrap_or_default() {
        if folded(value) == "*" {
            classes.extend(state.classes().map(|class| class.name));
            continue;
        }
        let name = name_of(operand, value)?;
        let class = state.class(name).ok_or_else(|| unknown("CLASS", name))?;
        classes.push(name);
        if class.position.is_some() {
            classes.extend(state.classes().filter(|other| other.position == class.position).map(|other| other.name));
        }
    }
    Ok(classes)
}

fn alter_classes(state: &State, settings: &mut Settings, operands: &Operands) -> Result<(), CommandError> {
    let users_and_groups = ["USER", "GROUP"].map(Name8::constant);
    for (operand, set) in [
        ("CLASSACT", &mut settings.active),
        ("GENERIC", &mut settings.generic),
        ("GLOBAL", &mut settings.global),
        ("AUDIT", &mut settings.audit),
    ] {
        // GENERIC and GLOBAL with REFRESH read profiles again; here all changes of classes that are not in RACLIST are in effect at once.
        let is_audit = operand == "AUDIT";
        let named = |name: &str| -> Result<Vec<Name8>, CommandError> {
            let values = operands.values(name).unwrap_or_default();
            let special = users_and_groups.iter().filter(|class| is_audit && values.iter().any(|value| folded(value) == class.as_str()));
            let special: Vec<Name8> = special.copied().collect();
            if !special.is_empty() && special.len() == values.len() { Ok(special) } else { classes_of(state, operands, name) }
        };
        let added = named(operand)?;
        let can_be_generic = |name: &Name8| operand != "GENERIC" || state.class(*name).is_some_and(|class| class.generic);
        set.extend(added.into_iter().filter(can_be_generic));
        let removed: BTreeSet<Name8> = named(&format!("NO{operand}"))?.into_iter().collect();
        set.retain(|class| !removed.contains(class));
    }
    Ok(())
}

/// RACLIST puts the profiles of classes in effect as they are, and from then on only REFRESH does.
fn alter_listed(state: &State, settings: &mut Settings, operands: &Operands, changes: &mut Vec<Change>) -> Result<(), CommandError> {
    let refreshes = operands.has("REFRESH");
    if refreshes && !["RACLIST", "GENERIC", "GLOBAL"].iter().any(|operand| operands.has(operand)) {
        return Err(failed(NOTHING_TO_REFRESH, "REFRESH NEEDS RACLIST, GENERIC OR GLOBAL"));
    }
    let member = |name: Name8| state.class(name).and_then(|class| class.member).unwrap_or(name);
    for class in classes_of(state, operands, "RACLIST")?.into_iter().map(member).collect::<BTreeSet<Name8>>() {
        if refreshes && !settings.listed.contains(&class) {
            return Err(failed(NOT_LISTED, format!("CLASS {class} IS NOT IN RACLIST")));
        }
        settings.listed.insert(class);
        changes.push(Change::Refresh(class));
    }
    for class in classes_of(state, operands, "NORACLIST")?.into_iter().map(member) {
        settings.listed.remove(&class);
    }
    Ok(())
}

fn alter_password(options: &mut PasswordOptions, given: &Operands) -> Result<(), CommandError> {
    let days = u32::from(INTERVAL_DAYS_MAX);
    options.interval_days = given.number("INTERVAL", 1..=days)?.map_or(options.interval_days, |days| days as u16);
    options.minimum_change_days = given.number("MINCHANGE", 0..=days)?.map_or(options.minimum_change_days, |days| days as u16);
    if options.minimum_change_days > options.interval_days {
        return Err(wrong("MINCHANGE", "GREATER THAN INTERVAL"));
    }
    for (operand, option, maximum) in [("HISTORY", &mut options.history, HISTORY_MAX), ("REVOKE", &mut options.revoke_after, REVOKE_MAX)] {
        *option = given.number(operand, 1..=u32::from(maximum))?.map_or(*option, |number| number as u8);
        if given.has(&format!("NO{operand}")) {
            *option = 0;
        }
    }
    options.mixed_case = given.flag("MIXEDCASE").unwrap_or(options.mixed_case);
    options.special_characters = given.flag("SPECIALCHARS").unwrap_or(options.special_characters);
    for number in 1..=RULES_MAX {
        if let Some(rule) = given.segment(&format!("RULE{number}")) {
            options.rules[number - 1] = Some(password_rule(rule)?);
        }
        if given.has(&format!("NORULE{number}")) || given.has("NORULES") {
            options.rules[number - 1] = None;
        }
    }
    Ok(())
}

/// The words of contents.
pub(super) const CONTENTS: [(&str, Content); 12] = [
    ("ALPHA", Content::Alpha),
    ("ALPHANUM", Content::Alphanum),
    ("CONSONANT", Content::Consonant),
    ("MIXEDALL", Content::MixedAll),
    ("MIXEDCONSONANT", Content::MixedConsonant),
    ("MIXEDNUM", Content::MixedNum),
    ("MIXEDVOWEL", Content::MixedVowel),
    ("NATIONAL", Content::National),
    ("NOVOWEL", Content::NoVowel),
    ("NUMERIC", Content::Numeric),
    ("SPECIAL", Content::Special),
    ("VOWEL", Content::Vowel),
];

/// LENGTH(m1:m2) and for each content its positions.
fn password_rule(given: &Operands) -> Result<PasswordRule, CommandError> {
    let length = given.text("LENGTH").ok_or_else(|| failed(RULE_INCOMPLETE, "A RULE NEEDS LENGTH"))?;
    let (length_min, length_max) = range("LENGTH", &length)?;
    let mut contents = vec![None; length_max];
    for (word, content) in CONTENTS {
        for value in given.values(word).unwrap_or_default() {
            let (first, last) = range(word, &value.word)?;
            if last > length_max {
                return Err(wrong(word, &value.word));
            }
            for position in &mut contents[first - 1..last] {
                match position {
                    None => *position = Some(content),
                    Some(_) => return Err(wrong(word, &value.word)),
                }
            }
        }
    }
    Ok(PasswordRule { length_min: length_min as u8, length_max: length_max as u8, contents })
}

/// Positions of a password: `n` or `m:n`.
fn range(operand: &str, text: &str) -> Result<(usize, usize), CommandError> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let position = |text: &str| text.parse::<usize>().ok().filter(|position| (1..=PASSWORD_LENGTH_MAX).contains(position));
    match (position(first), position(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err(wrong(operand, text)),
    }
}
