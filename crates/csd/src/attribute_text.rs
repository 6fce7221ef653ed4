//! The attributes of CREATE and CSD commands: `NAME(value)` in any order, in one string ("The ATTRIBUTES option", System Programming
//! Reference).
//!
//! Invariant: a fault says where it is: a syntax error by its offset in the string, a fault in a value by the number of its attribute.

use crate::attributes::{Attribute, Match, ResourceType};
use crate::file::Definition;
use crate::rules;

/// What is wrong with the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Delimiter,
    UnknownKeyword,
    AmbiguousKeyword,
    /// A required attribute is not there.
    Missing,
    /// An attribute has no value.
    NoValue,
    /// An attribute is there twice.
    Duplicate,
    Value,
    /// Values contradict each other.
    Conflict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: Kind,
    /// Characters before it in the string, or the number of the attribute among those of its type, from 1.
    pub at: usize,
    /// In words.
    pub reason: String,
}

/// Gives a definition the attributes of a text. Names of earlier releases are accepted if `obsolete` are.
///
/// A definition that has a fault is left half changed: the caller drops it.
pub fn apply(definition: &mut Definition, text: &str, obsolete: bool) -> Result<(), Fault> {
    let resource = definition.resource;
    let mut given: Vec<&'static str> = Vec::new();
    let characters: Vec<char> = text.chars().collect();
    let mut scanner = Scanner { characters: &characters, at: 0 };
    while let Some((keyword, at)) = scanner.keyword()? {
        let value = scanner.value()?;
        let is_earlier = !resource.attributes.iter().any(|attribute| attribute.name == keyword) && resource.is_obsolete(&keyword);
        let unknown = || Fault { kind: Kind::UnknownKeyword, at, reason: format!("{keyword} is not an attribute of {}", resource.name) };
        match resource.attribute(&keyword) {
            _ if is_earlier && !obsolete => return Err(unknown()),
            Match::Ignored => {}
            Match::Unknown => return Err(unknown()),
            Match::Ambiguous(names) => {
                let reason = format!("{keyword} may be {}", names.join(", "));
                return Err(Fault { kind: Kind::AmbiguousKeyword, at, reason });
            }
            Match::Attribute(attribute) => {
                let fault = |kind, reason| Fault { kind, at: number_of(resource, attribute), reason };
                let Some(value) = value else { return Err(fault(Kind::NoValue, format!("{} has no value", attribute.name))) };
                if given.contains(&attribute.name) {
                    return Err(fault(Kind::Duplicate, format!("{} is given twice", attribute.name)));
                }
                given.push(attribute.name);
                let value = attribute.check(&value).map_err(|reason| fault(Kind::Value, reason))?;
                definition.attributes.insert(attribute.name, value);
            }
        }
    }
    Ok(())
}

/// As `apply`, and the definition is complete then.
pub fn complete(definition: &mut Definition, text: &str, obsolete: bool) -> Result<(), Fault> {
    apply(definition, text, obsolete)?;
    rules::check(definition).map_err(|fault| incomplete(definition.resource, fault))
}

/// A fault of the whole definition, as one of its text.
pub fn incomplete(resource: &ResourceType, fault: rules::Fault) -> Fault {
    match fault {
        rules::Fault::Missing(name) => {
            let at = resource.attributes.iter().position(|attribute| attribute.name == name).map_or(0, |at| at + 1);
            Fault { kind: Kind::Missing, at, reason: format!("{name} is missing") }
        }
        rules::Fault::Conflict(reason) => Fault { kind: Kind::Conflict, at: 0, reason },
    }
}

fn number_of(resource: &ResourceType, attribute: &Attribute) -> usize {
    resource.attributes.iter().position(|candidate| std::ptr::eq(candidate, attribute)).map_or(0, |at| at + 1)
}

/// The attributes of a definition as text that `apply` takes: those that are given, in the order of the table.
pub fn text(definition: &Definition) -> String {
    let given =
        definition.resource.attributes.iter().filter_map(|attribute| Some((attribute.name, definition.attributes.get(attribute.name)?)));
    given.map(|(name, value)| format!("{name}({})", quoted(value))).collect::<Vec<_>>().join(" ")
}

/// A value as it is between parentheses; quotes protect parentheses and leading blanks.
fn quoted(value: &str) -> String {
    let doubled = value.replace('\'', "''");
    if value.contains(['(', ')', '\'']) || value.starts_with(' ') { format!("'{doubled}'") } else { doubled }
}

struct Scanner<'a> {
    characters: &'a [char],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn delimiter<T>(&self, at: usize, reason: &str) -> Result<T, Fault> {
        Err(Fault { kind: Kind::Delimiter, at, reason: reason.to_string() })
    }

    /// The next keyword in capital letters, and its offset.
    fn keyword(&mut self) -> Result<Option<(String, usize)>, Fault> {
        self.skip_blanks();
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            self.at += 1;
        }
        match self.peek() {
            None if start == self.at => Ok(None),
            Some(c) if start == self.at || !(c.is_whitespace() || c == '(') => self.delimiter(self.at, &format!("{c:?} is not expected")),
            _ => Ok(Some((self.characters[start..self.at].iter().collect::<String>().to_ascii_uppercase(), start))),
        }
    }

    /// The value behind a keyword, if there is one. Two quotes stand for one.
    fn value(&mut self) -> Result<Option<String>, Fault> {
        self.skip_blanks();
        if self.peek() != Some('(') {
            return Ok(None);
        }
        let open = self.at;
        self.at += 1;
        self.skip_blanks();
        let value = if self.peek() == Some('\'') { self.quoted(open)? } else { self.plain(open)? };
        self.at += 1;
        Ok(Some(value))
    }

    fn quoted(&mut self, open: usize) -> Result<String, Fault> {
        let mut value = String::new();
        self.at += 1;
        loop {
            match (self.peek(), self.characters.get(self.at + 1)) {
                (None, _) => return self.delimiter(open, "the quote has no end"),
                (Some('\''), Some('\'')) => self.at += 1,
                (Some('\''), _) => break,
                _ => {}
            }
            value.extend(self.peek());
            self.at += 1;
        }
        self.at += 1;
        self.skip_blanks();
        if self.peek() == Some(')') { Ok(value) } else { self.delimiter(self.at, "a parenthesis is expected") }
    }

    fn plain(&mut self, open: usize) -> Result<String, Fault> {
        let mut value = String::new();
        let mut depth = 0;
        loop {
            match (self.peek(), self.characters.get(self.at + 1)) {
                (None, _) => return self.delimiter(open, "the parenthesis is not closed"),
                (Some('('), _) => depth += 1,
                (Some(')'), _) if depth == 0 => return Ok(value.trim_end().to_string()),
                (Some(')'), _) => depth -= 1,
                (Some('\''), Some('\'')) => self.at += 1,
                _ => {}
            }
            value.extend(self.peek());
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Result<Definition, (Kind, usize)> {
        let mut definition = Definition::new("PROGRAM", "P1", "G1");
        complete(&mut definition, text, false).map(|()| definition).map_err(|fault| (fault.kind, fault.at))
    }

    #[test]
    fn attributes_are_in_any_order_with_blanks_where_they_may_be() {
        let definition = program(" execkey (CICS)DESCRIPTION( Teller''s (main) menu )   Concurrency( threadsafe ) ").unwrap();
        assert_eq!(definition.get("EXECKEY"), "CICS");
        assert_eq!(definition.get("CONCURRENCY"), "THREADSAFE");
        assert_eq!(definition.get("DESCRIPTION"), "Teller's (main) menu");
        assert_eq!(program("DESCRIPTION('A ) b')").unwrap().get("DESCRIPTION"), "A ) b");
        assert_eq!(program("DESCRIPTION()").unwrap().get("DESCRIPTION"), "");
        assert_eq!(program("").unwrap().attributes.len(), 0);
    }

    #[test]
    fn a_fault_says_where_it_is() {
        let number = |name: &str| {
            let position = Definition::new("PROGRAM", "P", "G").resource.attributes.iter().position(|attribute| attribute.name == name);
            position.unwrap() + 1
        };
        for (text, fault) in [
            ("EXECKEY(CICS),API(CICSAPI)", (Kind::Delimiter, 13)),
            ("EXECKEY(CICS", (Kind::Delimiter, 7)),
            ("EXECKEY)", (Kind::Delimiter, 7)),
            ("DESCRIPTION('A", (Kind::Delimiter, 11)),
            ("DESCRIPTION('A'B)", (Kind::Delimiter, 15)),
            ("EXECKEY(CICS) COLOUR(RED)", (Kind::UnknownKeyword, 14)),
            ("RSL(1)", (Kind::UnknownKeyword, 0)),
            (" RE(NO)", (Kind::AmbiguousKeyword, 1)),
            ("EXECKEY", (Kind::NoValue, number("EXECKEY"))),
            ("EXECKEY(CICS) EXECKEY(USER)", (Kind::Duplicate, number("EXECKEY"))),
            ("API(SOME)", (Kind::Value, number("API"))),
            ("API(OPENAPI)", (Kind::Conflict, 0)),
        ] {
            assert_eq!(program(text).map(|_| ()), Err(fault), "{text}");
        }
        let mut definition = Definition::new("TRANSACTION", "T1", "G1");
        assert_eq!(complete(&mut definition, "PRIORITY(1)", false).map_err(|fault| fault.kind), Err(Kind::Missing));
    }

    #[test]
    fn obsolete_attributes_are_accepted_on_request() {
        let mut definition = Definition::new("PROGRAM", "P1", "G1");
        assert_eq!(apply(&mut definition, "RSL(1) EXECKEY(CICS)", true), Ok(()));
        assert_eq!(definition.attributes.len(), 1);
    }

    #[test]
    fn the_text_of_a_definition_makes_it_again() {
        let definition = program("DESCRIPTION(Teller''s (main) menu) EXECKEY(CICS)").unwrap();
        assert_eq!(text(&definition), "DESCRIPTION('Teller''s (main) menu') EXECKEY(CICS)");
        assert_eq!(program(&text(&definition)).unwrap().attributes, definition.attributes);
    }
}
