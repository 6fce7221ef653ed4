//! XML PARSE: turns a document into the events for its processing procedure (Language Reference, "XML-EVENT"; XML 1.0; Namespaces in XML).
//!
//! Invariants: events come in document order, the first is the start of the document, the last its end or an exception; nesting is bounded;
//! external entities are never read, and declared entities are accepted only if their text contains no markup. The reader gives up when the
//! program is to be stopped.

use super::pieces::{PIECE, characters};
pub use super::xml_event::{Event, EventKind, exception};
use super::xml_text::{is_character, is_name_character, is_name_start, is_space};
use crate::code_page::CodePage;
use crate::session::Session;

/// Elements within each other.
const DEPTH_MAX: usize = 2048;

/// Events of one document.
pub struct Parser {
    events: std::vec::IntoIter<Event>,
}

impl Parser {
    /// Reads a document. `compatible`: as XMLPARSE(COMPAT) has it. `page` is what characters of the text registers must exist in.
    pub fn new(document: &str, page: &CodePage, compatible: bool, session: &Session) -> crate::Result<Parser> {
        let text = characters(document, session)?;
        let mut reader = Reader {
            text: &text,
            at: 0,
            events: vec![],
            open: vec![],
            bindings: vec![],
            entities: vec![],
            entity_text: 0,
            page,
            compatible,
            session,
        };
        let outcome = reader.document();
        session.check_stop()?;
        if let Err(code) = outcome {
            let read = reader.at.min(text.len());
            let code = if compatible { code } else { exception::NOT_WELL_FORMED + code };
            let event = Event { code, ..plain(EventKind::Exception, text[..read].iter().collect()) };
            reader.events.push(event);
        }
        Ok(Parser { events: reader.events.into_iter() })
    }
}

impl Iterator for Parser {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.events.next()
    }
}

fn plain(kind: EventKind, text: String) -> Event {
    Event { kind, text, namespace: String::new(), prefix: String::new(), code: 0 }
}

type Step<T = ()> = Result<T, i32>;

/// The text that all references to declared entities may give. A few bytes of document could otherwise take all memory.
const ENTITY_TEXT_MAX: usize = 16 << 20;

/// In place of an exception: the program is to be stopped.
const STOPPED: i32 = 0;

struct Reader<'a> {
    text: &'a [char],
    at: usize,
    events: Vec<Event>,
    /// Open elements by their names as written, and how many bindings there were before each.
    open: Vec<(String, usize)>,
    bindings: Vec<(String, String)>,
    entities: Vec<(String, String)>,
    /// Bytes that references to entities have given so far.
    entity_text: usize,
    page: &'a CodePage,
    compatible: bool,
    session: &'a Session,
}

impl Reader<'_> {
    /// Gives up when the program is to be stopped.
    fn look(&self) -> Step {
        if self.session.is_stopped() { Err(STOPPED) } else { Ok(()) }
    }

    /// The same in a loop that passes each character.
    fn look_in_text(&self) -> Step {
        if self.at.is_multiple_of(PIECE) { self.look() } else { Ok(()) }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn looking_at(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(offset, character)| self.text.get(self.at + offset) == Some(&character))
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.looking_at(text);
        if found {
            self.at += text.chars().count();
        }
        found
    }

    fn skip_space(&mut self) -> bool {
        let before = self.at;
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
        self.at > before
    }

    fn put(&mut self, kind: EventKind, text: String) {
        self.events.push(plain(kind, text));
    }

    fn name(&mut self) -> Option<String> {
        let start = self.at;
        if !self.peek().is_some_and(|first| is_name_start(first) || first == ':') {
            return None;
        }
        while self.peek().is_some_and(|next| is_name_character(next) || next == ':') {
            self.at += 1;
        }
        Some(self.text[start..self.at].iter().collect())
    }

    /// The characters up to `end`, which is passed.
    fn until(&mut self, end: &str, missing: i32) -> Step<String> {
        let start = self.at;
        while self.at < self.text.len() {
            self.look_in_text()?;
            if self.looking_at(end) {
                let found = self.text[start..self.at].iter().collect();
                self.accept(end);
                return Ok(found);
            }
            self.at += 1;
        }
        Err(missing)
    }

    fn document(&mut self) -> Step {
        let whole = if self.compatible { self.text.iter().collect() } else { String::new() };
        self.put(EventKind::StartOfDocument, whole);
        if self.peek() == Some('\u{FEFF}') {
            self.at += 1;
        }
        if self.looking_at("<?xml") && self.text.get(self.at + 5).copied().is_some_and(is_space) {
            self.declaration()?;
        }
        self.outside(true)?;
        if !self.looking_at("<") {
            return Err(exception::NO_ROOT);
        }
        self.elements()?;
        self.outside(false)?;
        if self.at < self.text.len() {
            return Err(exception::MARKUP_OUTSIDE);
        }
        self.put(EventKind::EndOfDocument, String::new());
        Ok(())
    }

    fn declaration(&mut self) -> Step {
        self.accept("<?xml");
        loop {
            self.skip_space();
            if self.accept("?>") {
                return Ok(());
            }
            let name = self.name().ok_or(exception::END_IN_DECLARATION)?;
            self.skip_space();
            if !self.accept("=") {
                return Err(exception::END_IN_DECLARATION);
            }
            self.skip_space();
            let quote = self.peek().filter(|quote| matches!(quote, '"' | '\'')).ok_or(exception::END_IN_DECLARATION)?;
            self.at += 1;
            let value = self.until(&quote.to_string(), exception::END_IN_DECLARATION)?;
            let kind = match name.as_str() {
                "version" => EventKind::VersionInformation,
                "encoding" => EventKind::EncodingDeclaration,
                "standalone" => EventKind::StandaloneDeclaration,
                _ => return Err(exception::END_IN_DECLARATION),
            };
            self.put(kind, value);
        }
    }

    /// Comments, processing instructions, the document type and white space around the document element.
    fn outside(&mut self, before: bool) -> Step {
        loop {
            self.look()?;
            self.skip_space();
            if self.accept("<!--") {
                self.comment()?;
            } else if self.looking_at("<?") {
                self.instruction()?;
            } else if before && self.looking_at("<!DOCTYPE") {
                self.document_type()?;
            } else if self.peek().is_some_and(|next| next != '<') {
                return Err(exception::SPACE_CHARACTER);
            } else {
                return Ok(());
            }
        }
    }

    fn comment(&mut self) -> Step {
        let text = self.until("--", exception::END_OF_DOCUMENT)?;
        if !self.accept(">") {
            return Err(exception::COMMENT_DASHES);
        }
        if !text.chars().all(is_character) {
            return Err(exception::COMMENT_CHARACTER);
        }
        self.put(EventKind::Comment, text);
        Ok(())
    }

    fn instruction(&mut self) -> Step {
        self.accept("<?");
        let target = self.name().ok_or(exception::INSTRUCTION_TARGET)?;
        if target.eq_ignore_ascii_case("xml") {
            return Err(exception::INSTRUCTION_TARGET);
        }
        self.skip_space();
        let data = self.until("?>", exception::END_OF_DOCUMENT)?;
        if !data.chars().all(is_character) {
            return Err(exception::INSTRUCTION_CHARACTER);
        }
        self.put(EventKind::InstructionTarget, target);
        self.put(EventKind::InstructionData, data);
        Ok(())
    }

    fn document_type(&mut self) -> Step {
        let start = self.at;
        let mut subset = false;
        loop {
            self.look_in_text()?;
            match self.peek() {
                None => return Err(exception::END_OF_DOCUMENT),
                Some('[') => subset = true,
                Some(']') => subset = false,
                Some(quote @ ('"' | '\'')) => {
                    self.at += 1;
                    self.until(&quote.to_string(), exception::END_OF_DOCUMENT)?;
                    continue;
                }
                Some('<') if subset && self.looking_at("<!ENTITY") => {
                    self.entity()?;
                    continue;
                }
                Some('>') if !subset => {
                    self.at += 1;
                    break;
                }
                _ => {}
            }
            self.at += 1;
        }
        let text = self.text[start..self.at].iter().collect();
        self.put(EventKind::DocumentTypeDeclaration, text);
        Ok(())
    }

    /// `<!ENTITY name "value">`; other forms are passed over.
    fn entity(&mut self) -> Step {
        self.look()?;
        self.accept("<!ENTITY");
        self.skip_space();
        if let Some(name) = self.name() {
            self.skip_space();
            if let Some(quote @ ('"' | '\'')) = self.peek() {
                self.at += 1;
                let value = self.until(&quote.to_string(), exception::END_OF_DOCUMENT)?;
                if !value.contains(['<', '&', '%']) {
                    self.entities.push((name, value));
                }
            }
        }
        self.until(">", exception::END_OF_DOCUMENT).map(|_| ())
    }

    /// The document element with all its content.
    fn elements(&mut self) -> Step {
        loop {
            self.look()?;
            if self.accept("</") {
                self.end_tag()?;
            } else if self.accept("<!--") {
                self.comment()?;
            } else if self.accept("<![CDATA[") {
                self.cdata()?;
            } else if self.looking_at("<?") {
                self.instruction()?;
            } else if self.looking_at("<!") {
                return Err(exception::CONTENT_MARKUP);
            } else if self.accept("<") {
                self.start_tag()?;
            } else if self.at < self.text.len() {
                self.content()?;
            } else {
                return Err(exception::END_IN_ROOT);
            }
            if self.open.is_empty() {
                return Ok(());
            }
        }
    }

    fn cdata(&mut self) -> Step {
        self.put(EventKind::StartOfCdata, if self.compatible { "<![CDATA[".to_string() } else { String::new() });
        let text = self.until("]]>", exception::END_IN_ROOT)?;
        if !text.chars().all(is_character) {
            return Err(exception::CONTENT_CHARACTER);
        }
        if !text.is_empty() {
            self.put(EventKind::ContentCharacters, text);
        }
        self.put(EventKind::EndOfCdata, if self.compatible { "]]>".to_string() } else { String::new() });
        Ok(())
    }

    fn start_tag(&mut self) -> Step {
        let name = self.name().ok_or(exception::CONTENT_MARKUP)?;
        if self.open.len() >= DEPTH_MAX {
            return Err(exception::CONTENT_MARKUP);
        }
        self.open.push((name.clone(), self.bindings.len()));
        let place = self.events.len();
        self.put(EventKind::StartOfElement, name.clone());
        let mut attributes: Vec<(String, Vec<Event>)> = Vec::new();
        loop {
            self.look()?;
            let spaced = self.skip_space();
            if self.accept("/>") {
                self.finish_start(place, attributes)?;
                return self.close(name);
            }
            if self.accept(">") {
                return self.finish_start(place, attributes);
            }
            let attribute = self.name().filter(|_| spaced).ok_or(exception::ATTRIBUTE_CHARACTER)?;
            if attributes.iter().any(|(known, _)| *known == attribute) {
                return Err(exception::DUPLICATE_ATTRIBUTE);
            }
            let value = self.attribute_value()?;
            attributes.push((attribute, value));
        }
    }

    fn attribute_value(&mut self) -> Step<Vec<Event>> {
        self.skip_space();
        if !self.accept("=") {
            return Err(exception::ATTRIBUTE_CHARACTER);
        }
        self.skip_space();
        let quote = self.peek().filter(|quote| matches!(quote, '"' | '\'')).ok_or(exception::ATTRIBUTE_CHARACTER)?;
        self.at += 1;
        let outer = std::mem::take(&mut self.events);
        let read = self.characters(true, quote);
        let value = std::mem::replace(&mut self.events, outer);
        read?;
        if !self.accept(&quote.to_string()) {
            return Err(exception::END_IN_ROOT);
        }
        Ok(value)
    }

    /// Namespaces of the tag's attributes apply to the tag itself, so its events are completed when it is read.
    fn finish_start(&mut self, place: usize, attributes: Vec<(String, Vec<Event>)>) -> Step {
        let text = |value: &[Event]| value.iter().map(|event| event.text.as_str()).collect::<String>();
        let mut rest = Vec::new();
        for (name, value) in attributes {
            let declared = match name.split_once(':') {
                None if name == "xmlns" => Some(String::new()),
                Some(("xmlns", prefix)) => Some(prefix.to_string()),
                _ => None,
            };
            match declared {
                Some(prefix) if !self.compatible => {
                    let namespace = text(&value);
                    self.bindings.push((prefix.clone(), namespace.clone()));
                    let event = Event { namespace, prefix, ..plain(EventKind::NamespaceDeclaration, String::new()) };
                    self.events.push(event);
                }
                _ => rest.push((name, value)),
            }
        }
        self.qualify(place, true)?;
        for (name, value) in rest {
            self.look()?;
            let at = self.events.len();
            self.put(EventKind::AttributeName, name);
            self.qualify(at, false)?;
            if value.is_empty() {
                self.put(EventKind::AttributeCharacters, String::new());
            }
            self.events.extend(value);
        }
        Ok(())
    }

    /// Splits the name of an event and finds its namespace. Attributes without a prefix are in none.
    fn qualify(&mut self, place: usize, default: bool) -> Step {
        if self.compatible {
            return Ok(());
        }
        let name = self.events[place].text.clone();
        let (prefix, local) = name.split_once(':').unwrap_or(("", &name));
        if prefix.is_empty() && !default {
            return Ok(());
        }
        let bound = self.bindings.iter().rev().find(|(known, _)| known == prefix).map(|(_, namespace)| namespace.clone());
        let namespace = match bound {
            Some(namespace) => namespace,
            None if prefix == "xml" => "http://www.w3.org/XML/1998/namespace".to_string(),
            None if prefix.is_empty() => String::new(),
            None => return Err(exception::UNDECLARED_PREFIX),
        };
        let event = &mut self.events[place];
        (event.text, event.prefix, event.namespace) = (local.to_string(), prefix.to_string(), namespace);
        Ok(())
    }

    fn end_tag(&mut self) -> Step {
        let name = self.name().ok_or(exception::CONTENT_MARKUP)?;
        self.skip_space();
        if !self.accept(">") {
            return Err(exception::CONTENT_MARKUP);
        }
        self.close(name)
    }

    fn close(&mut self, name: String) -> Step {
        let (open, bindings) = self.open.last().cloned().ok_or(exception::TAG_MISMATCH)?;
        if open != name {
            return Err(exception::TAG_MISMATCH);
        }
        let place = self.events.len();
        self.put(EventKind::EndOfElement, name);
        self.qualify(place, true)?;
        self.bindings.truncate(bindings);
        self.open.pop();
        Ok(())
    }

    fn content(&mut self) -> Step {
        self.characters(false, '<')
    }

    /// Characters and references up to markup or the quote that ends an attribute's value.
    fn characters(&mut self, attribute: bool, end: char) -> Step {
        let kind = if attribute { EventKind::AttributeCharacters } else { EventKind::ContentCharacters };
        let mut text = String::new();
        while let Some(character) = self.peek() {
            self.look_in_text()?;
            match character {
                _ if character == end => break,
                '<' => return Err(exception::LESS_IN_ATTRIBUTE),
                '&' => self.reference(attribute, &mut text)?,
                ']' if !attribute && self.looking_at("]]>") => return Err(exception::CDATA_END),
                _ if !is_character(character) => {
                    return Err(if attribute { exception::ATTRIBUTE_CHARACTER } else { exception::CONTENT_CHARACTER });
                }
                // White space in an attribute's value is a space.
                _ if attribute && is_space(character) => {
                    self.at += 1;
                    text.push(' ');
                }
                _ => {
                    self.at += 1;
                    text.push(character);
                }
            }
        }
        self.flush(kind, &mut text);
        Ok(())
    }

    fn flush(&mut self, kind: EventKind, text: &mut String) {
        if !text.is_empty() {
            let text = std::mem::take(text);
            self.put(kind, text);
        }
    }

    fn reference(&mut self, attribute: bool, text: &mut String) -> Step {
        // An entity is searched for, and its text may be long.
        self.look()?;
        let kinds = match attribute {
            true => (EventKind::AttributeCharacters, EventKind::AttributeCharacter, EventKind::AttributeNationalCharacter),
            false => (EventKind::ContentCharacters, EventKind::ContentCharacter, EventKind::ContentNationalCharacter),
        };
        self.at += 1;
        if self.accept("#") {
            let character = self.character_reference()?;
            // The compatible parser gives each as a national character; the other only what the code page does not have.
            let known = self.page.try_encode(character.encode_utf8(&mut [0; 4])).is_ok();
            if known && !self.compatible {
                text.push(character);
            } else {
                self.flush(kinds.0, text);
                self.put(kinds.2, character.to_string());
            }
            return Ok(());
        }
        let name = self.name().ok_or(exception::ENTITY_NAME)?;
        if !self.accept(";") {
            return Err(exception::ENTITY_NAME);
        }
        let predefined = match name.as_str() {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => None,
        };
        match predefined {
            Some(character) if self.compatible => {
                self.flush(kinds.0, text);
                self.put(kinds.1, character.to_string());
            }
            Some(character) => text.push(character),
            None => match self.entities.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => {
                    self.entity_text += value.len();
                    if self.entity_text > ENTITY_TEXT_MAX {
                        return Err(exception::ENTITY_NAME);
                    }
                    text.push_str(value);
                }
                None => {
                    self.flush(kinds.0, text);
                    self.put(EventKind::UnresolvedReference, name);
                }
            },
        }
        Ok(())
    }

    fn character_reference(&mut self) -> Step<char> {
        let (radix, wrong) = match self.accept("x") {
            true => (16, exception::HEXADECIMAL_DIGIT),
            false => (10, exception::DECIMAL_DIGIT),
        };
        let mut code = 0u32;
        let mut digits = 0;
        while !self.accept(";") {
            let digit = self.peek().and_then(|next| next.to_digit(radix)).ok_or(wrong)?;
            code = code.saturating_mul(radix).saturating_add(digit);
            digits += 1;
            self.at += 1;
        }
        let character = char::from_u32(code).filter(|character| digits > 0 && is_character(*character));
        character.ok_or(exception::REFERENCE_CHARACTER)
    }
}

#[cfg(test)]
#[path = "xml_parse_tests.rs"]
mod tests;
