//! The command line of CEDA: a verb, operands with values in parentheses, and attributes of one resource.

use super::messages::{Message, error, severe};
use super::vocabulary::{self, Meant, Operand, Verb};
use csd::attributes::{Attribute, ResourceType};

/// A command as far as it is typed.
#[derive(Clone, Debug, Default)]
pub struct Command {
    pub verb: Option<Verb>,
    /// The type and name that the command is about.
    pub resource: Option<(&'static ResourceType, String)>,
    pub operands: Vec<(Operand, String)>,
    /// Values as typed.
    pub attributes: Vec<(&'static Attribute, String)>,
}

impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        self.verb == other.verb && self.operands == other.operands && self.resource_text() == other.resource_text()
    }
}

impl Command {
    fn resource_text(&self) -> Option<(&'static str, &str)> {
        self.resource.as_ref().map(|(of, name)| (of.name, name.as_str()))
    }

    pub fn has(&self, operand: Operand) -> bool {
        self.operands.iter().any(|(known, _)| *known == operand)
    }

    /// The value of an operand that has one.
    pub fn value(&self, operand: Operand) -> Option<&str> {
        self.operands.iter().find(|(known, _)| *known == operand).map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    pub fn set(&mut self, operand: Operand, value: &str) {
        self.operands.retain(|(known, _)| *known != operand);
        self.operands.push((operand, value.to_string()));
    }
}

/// Words and their values in parentheses, which may nest; quotes protect them.
fn words(text: &str) -> Vec<(String, Option<String>)> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find([' ', '(', ',']).unwrap_or(rest.len());
        let word = rest[..end].to_ascii_uppercase();
        rest = rest[end..].trim_start_matches([' ', ',']);
        let mut value = None;
        if let Some(inner) = rest.strip_prefix('(') {
            let close = closing(inner);
            value = Some(inner[..close].trim().to_string());
            rest = inner.get(close + 1..).unwrap_or("").trim_start_matches([' ', ',']);
        }
        if !word.is_empty() || value.is_some() {
            words.push((word, value));
        }
    }
    words
}

/// The place of the parenthesis that closes a value; its end if none does.
fn closing(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The command of a line, and what is wrong with it. `of`: the transaction.
pub fn parse(text: &str, allowed: &[Verb]) -> (Command, Vec<Message>) {
    let mut command = Command::default();
    let mut messages = Vec::new();
    let mut words = words(text).into_iter();
    let Some((first, value)) = words.next() else { return (command, messages) };
    match vocabulary::verb(&first).filter(|verb| value.is_none() && allowed.contains(verb)) {
        Some(verb) => command.verb = Some(verb),
        None => {
            let known = || allowed.iter().map(|verb| verb.name());
            let near = exec::nearest(&first, known()).map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
            messages.push(error(&format!("'{first}' is not valid and is ignored.{near}")));
            return (command, messages);
        }
    }
    for (word, value) in words {
        take(&mut command, &word, value, &mut messages);
    }
    (command, messages)
}

/// One operand or attribute.
fn take(command: &mut Command, word: &str, value: Option<String>, messages: &mut Vec<Message>) {
    let Some(verb) = command.verb else { return };
    // Behind the resource of a panel of attributes, its attributes come first.
    if let Some((of, _)) = command.resource.as_ref().filter(|_| verb.has_attributes()) {
        if vocabulary::only(word, vocabulary::attribute_names(of)) == Some("GROUP") {
            return command.set(Operand::Group, &value.unwrap_or_default().to_ascii_uppercase());
        }
        if let Some(attribute) = vocabulary::attribute(of, word) {
            return match value {
                Some(value) => command.attributes.push((attribute, unquoted(&value))),
                None => messages.push(severe(&format!("{} has no value.", attribute.name))),
            };
        }
    }
    match vocabulary::operand(verb, word) {
        Some(Meant::Operand(operand)) => {
            let value = value.unwrap_or_default();
            // The type of the resource decides whether its names have small letters.
            command.set(operand, &if operand == Operand::As { value } else { value.to_ascii_uppercase() });
        }
        Some(Meant::Type(of)) if command.resource.is_none() => command.resource = Some((of, of.folded(&value.unwrap_or_default()))),
        Some(Meant::Type(of)) => messages.push(error(&format!("{} is a second resource, and is ignored.", of.name))),
        None => {
            let known = vocabulary::operand_names(verb);
            let near = exec::nearest(word, known).map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
            messages.push(error(&format!("'{word}' is not valid and is ignored.{near}")));
        }
    }
}

fn unquoted(value: &str) -> String {
    let quoted = value.len() >= 2 && value.starts_with('\'') && value.ends_with('\'');
    if quoted { value[1..value.len() - 1].replace("''", "'") } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Command, Vec<Message>) {
        parse(text, &Verb::ALL)
    }

    #[test]
    fn commands_are_abbreviated() {
        let (command, messages) = parsed("def prog(payroll) g(pay) l(cobol) de(Pays (monthly)) execk(cics)");
        assert!(messages.is_empty(), "{messages:?}");
        assert_eq!(command.verb, Some(Verb::Define));
        let (of, name) = command.resource.as_ref().unwrap();
        assert_eq!((of.name, name.as_str(), command.value(Operand::Group)), ("PROGRAM", "PAYROLL", Some("PAY")));
        let attributes: Vec<(&str, &str)> = command.attributes.iter().map(|(attribute, value)| (attribute.name, value.as_str())).collect();
        assert_eq!(attributes, [("LANGUAGE", "cobol"), ("DESCRIPTION", "Pays (monthly)"), ("EXECKEY", "cics")]);
        let (command, _) = parsed("COPY PROGRAM(A*) G(X) TO(Y) AS(B*) REP");
        assert!(command.has(Operand::Replace) && command.value(Operand::To) == Some("Y") && command.value(Operand::As) == Some("B*"));
    }

    #[test]
    fn words_that_are_not_valid_are_named() {
        let (command, messages) = parsed("EXPAND GROUPS(X)");
        assert!(
            command.verb == Some(Verb::Expand) && messages[0].text.starts_with("'GROUPS' is not valid and is ignored."),
            "{messages:?}"
        );
        let (command, messages) = parse("INSTALL GROUP(X)", &[Verb::View]);
        assert!(command.verb.is_none() && messages[0].text.starts_with("'INSTALL' is not valid"));
    }
}
