//! The part of YAML that files of resources use: mappings, sequences and scalars, each with its place in the file.
//!
//! A scalar is the text that stands in the file, so NO is NO and 0010 is 0010: the table of attributes says what it means. Invariants: a key
//! is in a mapping once; nesting is bounded by `DEPTH_MAX`.

use saphyr_parser::{Event, Parser, ScanError, Span, StrInput};

/// A group has types, names, attributes and values.
const DEPTH_MAX: usize = 8;

/// Line and column in a file, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// What is wrong at a place, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub place: Place,
    pub text: String,
}

impl Fault {
    pub fn new(place: Place, text: impl Into<String>) -> Fault {
        Fault { place, text: text.into() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    pub text: String,
    pub place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    Scalar(Scalar),
    Sequence(Place, Vec<Node>),
    Mapping(Place, Vec<(Scalar, Node)>),
}

impl Node {
    pub fn place(&self) -> Place {
        match self {
            Node::Scalar(scalar) => scalar.place,
            Node::Sequence(place, _) | Node::Mapping(place, _) => *place,
        }
    }

    /// A key without anything behind it.
    pub fn is_empty(&self) -> bool {
        matches!(self, Node::Scalar(scalar) if scalar.text.is_empty())
    }
}

/// The node of a text's only document; `None` if there is nothing but comments.
pub fn compose(text: &str) -> Result<Option<Node>, Fault> {
    let mut composer = Composer { parser: Parser::new_from_str(text) };
    let mut found = None;
    loop {
        let (event, place) = composer.next()?;
        match event {
            Event::StreamEnd => return Ok(found),
            Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
            event if found.is_none() => found = Some(composer.node(event, place, 0)?),
            _ => return Err(Fault::new(place, "a second document: a file has one group or list; put the other into a file of its own")),
        }
    }
}

struct Composer<'a> {
    parser: Parser<'a, StrInput<'a>>,
}

fn place(span: Span) -> Place {
    Place { line: span.start.line(), column: span.start.col() + 1 }
}

fn unreadable(error: &ScanError) -> Fault {
    let place = Place { line: error.marker().line(), column: error.marker().col() + 1 };
    Fault::new(place, format!("this is not YAML: {}", error.info()))
}

impl<'a> Composer<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Place), Fault> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, place(span))),
            Some(Err(error)) => Err(unreadable(&error)),
            None => Ok((Event::StreamEnd, Place { line: 1, column: 1 })),
        }
    }

    fn node(&mut self, event: Event<'a>, place: Place, depth: usize) -> Result<Node, Fault> {
        if depth > DEPTH_MAX {
            return Err(Fault::new(place, format!("nested deeper than {DEPTH_MAX} levels")));
        }
        match event {
            Event::Scalar(text, ..) => Ok(Node::Scalar(Scalar { text: text.into_owned(), place })),
            Event::SequenceStart(..) => self.sequence(place, depth),
            Event::MappingStart(..) => self.mapping(place, depth),
            Event::Alias(_) => Err(Fault::new(place, "an alias is not expanded: write the attributes in each definition")),
            other => Err(Fault::new(place, format!("{other:?} is not expected"))),
        }
    }

    fn sequence(&mut self, place: Place, depth: usize) -> Result<Node, Fault> {
        let mut items = Vec::new();
        loop {
            let (event, at) = self.next()?;
            match event {
                Event::SequenceEnd => return Ok(Node::Sequence(place, items)),
                Event::StreamEnd => return Err(Fault::new(at, "the sequence has no end")),
                event => items.push(self.node(event, at, depth + 1)?),
            }
        }
    }

    fn mapping(&mut self, place: Place, depth: usize) -> Result<Node, Fault> {
        let mut entries: Vec<(Scalar, Node)> = Vec::new();
        loop {
            let (event, at) = self.next()?;
            let key = match event {
                Event::MappingEnd => return Ok(Node::Mapping(place, entries)),
                Event::StreamEnd => return Err(Fault::new(at, "the mapping has no end")),
                Event::Scalar(text, ..) => Scalar { text: text.into_owned(), place: at },
                _ => return Err(Fault::new(at, "a key is a word")),
            };
            if let Some((first, _)) = entries.iter().find(|(known, _)| known.text == key.text) {
                let text = format!("{} is there twice: it is in line {} already; keep one of them", key.text, first.place.line);
                return Err(Fault::new(at, text));
            }
            let (event, at) = self.next()?;
            entries.push((key, self.node(event, at, depth + 1)?));
        }
    }
}

/// A text as a scalar that every reader of YAML takes for this text; `is_number` if it may be one.
pub fn scalar(text: &str, is_number: bool) -> String {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() && (text == "0" || !text.starts_with('0'));
    if is_number && is_decimal || is_plain(text) { text.to_string() } else { quoted(text) }
}

/// Words that readers of YAML 1.1 take for logical values or for none.
const SPECIAL: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];

/// Begins with a letter, has no character with a meaning of its own, and is no special word.
fn is_plain(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || "$@_./ -()".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(inner)
        && !text.ends_with(' ')
        && !text.contains(" -")
        && !SPECIAL.contains(&text.to_ascii_lowercase().as_str())
}

fn quoted(text: &str) -> String {
    if text.chars().any(char::is_control) {
        return serde_json::Value::from(text).to_string();
    }
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (usize, usize, String) {
        let fault = compose(text).unwrap_err();
        (fault.place.line, fault.place.column, fault.text)
    }

    #[test]
    fn scalars_are_the_text_of_the_file_and_have_their_places() {
        let Some(Node::Mapping(_, entries)) = compose("# a comment\ngroup: PAY\nFILE:\n  F1: {ADD: NO, JOURNAL: 010}\n").unwrap() else {
            panic!("a mapping")
        };
        let Node::Mapping(_, files) = &entries[1].1 else { panic!("a mapping") };
        let Node::Mapping(_, attributes) = &files[0].1 else { panic!("a mapping") };
        let texts: Vec<_> = attributes.iter().map(|(key, value)| (key.text.as_str(), value.clone())).collect();
        let scalar = |text: &str, column| Node::Scalar(Scalar { text: text.to_string(), place: Place { line: 4, column } });
        assert_eq!(texts, [("ADD", scalar("NO", 13)), ("JOURNAL", scalar("010", 26))]);
        assert_eq!(compose("# nothing\n").unwrap(), None);
    }

    #[test]
    fn faults_have_a_place_and_a_remedy() {
        let (line, column, text) = fault("group: PAY\nFILE: {}\nFILE: {}\n");
        assert!((line, column) == (3, 1) && text.contains("line 2"), "{text}");
        let (line, _, text) = fault("a: &x 1\nb: *x\n");
        assert!(line == 2 && text.contains("alias"), "{text}");
        assert_eq!(fault("a: 1\n---\nb: 1\n").0, 3);
        assert!(fault("a: [1\n").2.starts_with("this is not YAML"));
        assert!(fault(&"[".repeat(40)).2.contains("nested deeper"));
    }

    #[test]
    fn every_reader_takes_a_written_scalar_for_the_text() {
        for text in
            ["", "NO", "y", "010", "1E5", "1", "A: b", "#x", "Teller's (main) menu", "- a", "a -b", "'", " x", "x ", "é", "~", "a\tb"]
        {
            let written = scalar(text, false);
            let Some(Node::Mapping(_, entries)) = compose(&format!("a: {written}\n")).unwrap() else { panic!("{written}") };
            assert!(matches!(&entries[0].1, Node::Scalar(scalar) if scalar.text == text), "{written}");
            assert!(written.starts_with(['\'', '"']), "{text:?} is {written}");
        }
        assert_eq!([scalar("255", true), scalar("PAY.FILE", true), scalar("THREADSAFE", false)], ["255", "PAY.FILE", "THREADSAFE"]);
    }
}
