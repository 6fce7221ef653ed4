//! The command line of CEMT: verb, resource with names, options.

use super::perform;
use super::resources::{self, Resource};
use super::tracing;
use exec::CommandSpec;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    Discard,
    Inquire,
    Perform,
    Set,
}

impl Verb {
    pub const ALL: [(Verb, &'static str); 4] =
        [(Verb::Discard, "Discard"), (Verb::Inquire, "Inquire"), (Verb::Perform, "Perform"), (Verb::Set, "Set")];

    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(verb, _)| *verb == self).map_or("", |(_, name)| name)
    }

    fn by_word(word: &str) -> Option<Verb> {
        Self::ALL.into_iter().find(|(_, name)| name.to_ascii_uppercase().starts_with(word)).map(|(verb, _)| verb)
    }
}

/// An option as typed: a keyword, perhaps with a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    pub keyword: String,
    pub value: Option<String>,
}

impl Word {
    /// As it was typed.
    fn typed(&self) -> String {
        self.value.as_ref().map_or_else(|| self.keyword.clone(), |value| format!("{}({value})", self.keyword))
    }
}

#[derive(Debug)]
pub enum Command {
    /// Nothing, or a verb without a resource: shows the choices. So does the beginning of several resources, for those.
    Menu(Option<Verb>, String),
    /// The syntax of a PERFORM command.
    PerformSyntax(&'static CommandSpec),
    Resource {
        verb: Verb,
        resource: &'static Resource,
        names: Vec<String>,
        words: Vec<Word>,
    },
    /// PERFORM and the words after it.
    Perform(Vec<Word>),
    /// A command of CICS that this region does not have.
    Unavailable(&'static CommandSpec),
    /// A question mark: shows the syntax without executing.
    Syntax(Verb, &'static Resource),
}

/// An unknown word, and the one that was probably meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown(pub String, pub Option<&'static str>);

impl Unknown {
    pub fn of(word: &str, candidates: impl Iterator<Item = &'static str>) -> Unknown {
        let candidates: Vec<&'static str> = candidates.collect();
        Unknown(word.to_string(), exec::nearest(word, candidates.iter().copied()))
    }
}

/// Splits `TRA(A,B) ENA` at blanks outside parentheses.
pub fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find([' ', '(', ',']).unwrap_or(rest.len());
        let keyword = rest[..end].to_ascii_uppercase();
        rest = rest[end..].trim_start();
        let mut value = None;
        if let Some(inner) = rest.strip_prefix('(') {
            let close = inner.find(')').unwrap_or(inner.len());
            value = Some(inner[..close].trim().trim_matches('\'').to_string());
            rest = inner[close..].strip_prefix(')').unwrap_or("").trim_start();
        }
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        if !keyword.is_empty() || value.is_some() {
            words.push(Word { keyword, value });
        }
    }
    words
}

/// The command of a line. The error is the word that is not valid, and the verb before it.
pub fn parse(text: &str) -> Result<Command, (Unknown, Option<Verb>)> {
    let mut words = words(text);
    if words.first().is_some_and(|word| word.keyword == "CEMT") {
        words.remove(0);
    }
    let asks = words.iter().any(|word| word.keyword.contains('?') || word.value.as_deref().is_some_and(|value| value.contains('?')));
    for word in &mut words {
        word.keyword.retain(|c| c != '?');
    }
    words.retain(|word| !word.keyword.is_empty() || word.value.as_deref().is_some_and(|value| !value.contains('?')));
    if words.is_empty() {
        return Ok(Command::Menu(None, String::new()));
    }
    let first = words.remove(0);
    const VERBS: [&str; 4] = ["DISCARD", "INQUIRE", "PERFORM", "SET"];
    // A value belongs to no verb, and to a resource only behind its keyword.
    let verb = Verb::by_word(&first.keyword).filter(|_| !first.keyword.is_empty() && first.value.is_none());
    let verb = verb.ok_or_else(|| (Unknown::of(&first.typed(), VERBS.into_iter()), None))?;
    if verb == Verb::Perform {
        let Some(first) = words.first() else { return Ok(Command::Menu(Some(verb), String::new())) };
        return Ok(match perform::command_of(&first.keyword).filter(|_| asks) {
            Some(spec) => Command::PerformSyntax(spec),
            None if asks => Command::Menu(Some(verb), String::new()),
            None => Command::Perform(words),
        });
    }
    if words.is_empty() {
        return Ok(Command::Menu(Some(verb), String::new()));
    }
    let second = words.remove(0);
    let Some(resource) = resources::by_word(&second.keyword).filter(|resource| resource.takes(verb)) else {
        let alike = resources::all().any(|resource| resource.takes(verb) && resource.begins_with(&second.keyword));
        if alike && second.value.is_none() {
            return Ok(Command::Menu(Some(verb), second.keyword));
        }
        return unavailable(verb, &second.keyword).map(Command::Unavailable).ok_or_else(|| {
            let known = resources::all().filter(|resource| resource.takes(verb));
            (Unknown::of(&second.keyword, known.map(|resource| resource.keyword)), Some(verb))
        });
    };
    if asks {
        return Ok(Command::Syntax(verb, resource));
    }
    let mut names: Vec<String> = Vec::new();
    if let Some(value) = second.value {
        names.extend(value.split([',', ' ']).filter(|name| !name.is_empty()).map(|name| name.trim_matches('\'').to_ascii_uppercase()));
    }
    // ALL of AUXTRACE is a switch, not all that there is.
    words.retain(|word| word.keyword != "ALL" || word.value.is_some() || resource.keyword == "AUXTRACE");
    for word in words.iter_mut().filter(|word| word.value.is_none()) {
        if let Some(option) = tracing::option_of(resource.keyword, &word.keyword) {
            word.keyword = option.to_string();
        }
    }
    Ok(Command::Resource { verb, resource, names, words })
}

/// Letters that tell the commands apart that this region does not have.
const UNAVAILABLE_LETTERS_MIN: usize = 3;

/// The command of CICS that a verb and a word name, if this region does not have it.
pub fn unavailable(verb: Verb, word: &str) -> Option<&'static CommandSpec> {
    let full = resources::by_word(word).and_then(|resource| resource.inquire.spec().words.get(1).copied());
    let is_meant = |known: &str| full == Some(known) || word.len() >= UNAVAILABLE_LETTERS_MIN && known.starts_with(word);
    let of_verb = exec::commands_of_verb(&verb.name().to_ascii_uppercase());
    of_verb.iter().find(|spec| !spec.implemented && spec.words.get(1).is_some_and(|known| is_meant(known)))
}

/// Whether a name matches a pattern: `*` is any characters, `+` is one.
pub fn fits(pattern: &str, name: &str) -> bool {
    fn at(pattern: &[u8], name: &[u8]) -> bool {
        match pattern.split_first() {
            None => name.is_empty(),
            Some((b'*', rest)) => (0..=name.len()).any(|skipped| at(rest, &name[skipped..])),
            Some((b'+', rest)) => name.split_first().is_some_and(|(_, name)| at(rest, name)),
            Some((byte, rest)) => name.split_first().is_some_and(|(first, name)| first.eq_ignore_ascii_case(byte) && at(rest, name)),
        }
    }
    at(pattern.as_bytes(), name.as_bytes())
}

/// Whether a name is a pattern.
pub fn is_generic(name: &str) -> bool {
    name.contains(['*', '+'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        let Ok(Command::Resource { verb, resource, names, words }) = parse("cemt s tra(ab*, cd) pri(5) dis") else { panic!() };
        assert_eq!((verb, resource.keyword), (Verb::Set, "TRANSACTION"));
        assert_eq!(names, ["AB*", "CD"]);
        assert_eq!(words[0], Word { keyword: "PRI".to_string(), value: Some("5".to_string()) });
        assert_eq!(words[1], Word { keyword: "DIS".to_string(), value: None });
        assert!(matches!(parse(""), Ok(Command::Menu(None, _))));
        assert!(matches!(parse("I"), Ok(Command::Menu(Some(Verb::Inquire), _))));
        assert!(matches!(parse("I T"), Ok(Command::Menu(Some(Verb::Inquire), prefix)) if prefix == "T"));
        assert_eq!(parse("INQ XYZ").unwrap_err().0, Unknown("XYZ".to_string(), None));
        for (text, name) in [("I CONN", "INQUIRE CONNECTION"), ("S CONN(A)", "SET CONNECTION"), ("D CONN(A)", "DISCARD CONNECTION")] {
            assert!(matches!(parse(text), Ok(Command::Unavailable(spec)) if spec.name == name), "{text}");
        }
        // Not in CICS either.
        assert_eq!(parse("DISCARD TASK(1)").unwrap_err().0.0, "TASK");
        for (text, unknown) in [("(X) FILE(Y)", "(X)"), ("()", "()"), ("I (CEMT)", "I(CEMT)")] {
            assert_eq!(parse(text).unwrap_err().0.0, unknown, "{text}");
        }
        assert_eq!(parse("FOO").unwrap_err().0, Unknown("FOO".to_string(), None));
        assert_eq!(parse("INQ PROGRMA").unwrap_err().0, Unknown("PROGRMA".to_string(), Some("PROGRAM")));
        for (text, verb) in [("I TASK ?", Verb::Inquire), ("? S TASK", Verb::Set), ("S TASK?", Verb::Set), ("I TASK(?)", Verb::Inquire)] {
            assert!(matches!(parse(text), Ok(Command::Syntax(asked, resource)) if asked == verb && resource.keyword == "TASK"), "{text}");
        }
        assert!(matches!(parse("?"), Ok(Command::Menu(None, _))));
        assert!(matches!(parse("?I TASK"), Ok(Command::Syntax(Verb::Inquire, _))));
        assert!(matches!(parse("P SHUT ?"), Ok(Command::PerformSyntax(spec)) if spec.name == "PERFORM SHUTDOWN"));
        assert!(matches!(parse("P ?"), Ok(Command::Menu(Some(Verb::Perform), _))));
        assert!(matches!(parse("P SHUT"), Ok(Command::Perform(words)) if words[0].keyword == "SHUT"));
        let Ok(Command::Resource { names, .. }) = parse("I TA ALL") else { panic!() };
        assert!(names.is_empty());
    }

    #[test]
    fn patterns() {
        assert!(fits("*", "ANY") && fits("C*", "CEMT") && fits("C+MT", "CEMT") && fits("*MT", "CEMT") && fits("A*B*C", "AXBYC"));
        assert!(!fits("C+T", "CEMT") && !fits("C", "CEMT") && !fits("+", ""));
    }
}
