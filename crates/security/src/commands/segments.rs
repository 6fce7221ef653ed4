//! The segments of users that CICS reads: CICS and LANGUAGE.

use super::operands::{Operands, wrong};
use super::report::CommandError;
use crate::user::{CicsSegment, LanguageSegment, OPERATOR_CLASS_MAX};

/// The longest operator identification.
const OPIDENT_LENGTH_MAX: usize = 3;
/// Keys of RSLKEY and TSLKEY; 99 stands for all.
const KEYS: std::ops::RangeInclusive<u32> = 1..=24;
const ALL_KEYS: u32 = 99;
/// TIMEOUT: up to 99 hours and 59 minutes, or 60 minutes.
const TIMEOUT_HOURS_MAX: u32 = 99;

pub(super) fn alter_cics(segment: &mut Option<CicsSegment>, operands: &Operands) -> Result<(), CommandError> {
    if operands.has("NOCICS") {
        *segment = None;
    }
    let Some(given) = operands.segment("CICS") else { return Ok(()) };
    let cics = segment.get_or_insert_default();
    let defaults = CicsSegment::default();
    if let Some(text) = given.text("OPIDENT") {
        if text.chars().count() > OPIDENT_LENGTH_MAX {
            return Err(wrong("OPIDENT", &text));
        }
        cics.operator_identification = text;
    }
    let class_bits = |classes: Vec<u32>| classes.into_iter().fold(0, |bits, class| bits | 1 << (class - 1));
    let classes = |operand| Ok::<_, CommandError>(given.numbers(operand, 1..=u32::from(OPERATOR_CLASS_MAX))?.map(class_bits));
    cics.operator_classes = classes("OPCLASS")?.unwrap_or(cics.operator_classes);
    cics.operator_classes |= classes("ADDOPCLASS")?.unwrap_or(0);
    cics.operator_classes &= !classes("DELOPCLASS")?.unwrap_or(0);
    if let Some(priority) = given.number("OPPRTY", 0..=255)? {
        cics.operator_priority = priority as u8;
    }
    if let Some(text) = given.text("TIMEOUT") {
        cics.timeout_minutes = timeout_minutes(&text).ok_or_else(|| wrong("TIMEOUT", &text))?;
    }
    if let Some(by_force) = given.one_of("XRFSOFF", &[("FORCE", true), ("NOFORCE", false)])? {
        cics.signed_off_by_force = by_force;
    }
    alter_keys(&mut cics.resource_keys, given, "RSLKEY")?;
    alter_keys(&mut cics.transaction_keys, given, "TSLKEY")?;
    for name in given.names() {
        match name {
            "NOOPIDENT" => cics.operator_identification.clear(),
            "NOOPCLASS" => cics.operator_classes = defaults.operator_classes,
            "NOOPPRTY" => cics.operator_priority = 0,
            "NOTIMEOUT" => cics.timeout_minutes = 0,
            "NOXRFSOFF" => cics.signed_off_by_force = false,
            "NORSLKEY" => cics.resource_keys.clear(),
            "NOTSLKEY" => cics.transaction_keys.clear(),
            _ => {}
        }
    }
    Ok(())
}

/// Minutes of hhmm with one to four digits: fewer than 60 minutes, or 60 without hours.
fn timeout_minutes(text: &str) -> Option<u16> {
    let number: u32 = text.parse().ok().filter(|_| text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit()))?;
    let (hours, minutes) = (number / 100, number % 100);
    let is_valid = hours <= TIMEOUT_HOURS_MAX && (minutes < 60 || minutes == 60 && hours == 0);
    is_valid.then_some((hours * 60 + minutes) as u16)
}

fn alter_keys(keys: &mut Vec<u8>, given: &Operands, operand: &str) -> Result<(), CommandError> {
    let numbers = |operand: &str| -> Result<Option<Vec<u8>>, CommandError> {
        let Some(numbers) = given.numbers(operand, 0..=ALL_KEYS)? else { return Ok(None) };
        let is_key = |number: &u32| *number == 0 || *number == ALL_KEYS || KEYS.contains(number);
        match numbers.iter().find(|number| !is_key(number)) {
            Some(number) => Err(wrong(operand, &number.to_string())),
            None => Ok(Some(numbers.into_iter().map(|number| number as u8).collect())),
        }
    };
    if let Some(all) = numbers(operand)? {
        *keys = all;
    }
    keys.extend(numbers(&format!("ADD{operand}"))?.unwrap_or_default());
    let removed = numbers(&format!("DEL{operand}"))?.unwrap_or_default();
    keys.retain(|key| !removed.contains(key));
    keys.sort_unstable();
    keys.dedup();
    Ok(())
}

pub(super) fn alter_language(segment: &mut Option<LanguageSegment>, operands: &Operands) -> Result<(), CommandError> {
    if operands.has("NOLANGUAGE") {
        *segment = None;
    }
    let Some(given) = operands.segment("LANGUAGE") else { return Ok(()) };
    let languages = segment.get_or_insert_default();
    if let Some(language) = language(given, "PRIMARY")? {
        languages.primary = Some(language);
    }
    if let Some(language) = language(given, "SECONDARY")? {
        languages.secondary = Some(language);
    }
    if given.has("NOPRIMARY") {
        languages.primary = None;
    }
    if given.has("NOSECONDARY") {
        languages.secondary = None;
    }
    Ok(())
}

/// A language has a code of three letters.
pub(super) fn language(given: &Operands, operand: &str) -> Result<Option<String>, CommandError> {
    let is_code = |text: &String| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    let code = |text: String| Some(text.clone()).filter(is_code).ok_or_else(|| wrong(operand, &text));
    given.text(operand).map(code).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_hours_and_minutes() {
        for (text, minutes) in [
            ("0", Some(0)),
            ("5", Some(5)),
            ("60", Some(60)),
            ("61", None),
            ("130", Some(90)),
            ("160", None),
            ("9959", Some(5999)),
            ("12345", None),
        ] {
            assert_eq!(timeout_minutes(text), minutes, "{text}");
        }
    }
}
