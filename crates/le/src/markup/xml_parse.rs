//! XML PARSE: turns a document into the events for its processing procedure (Language Reference, "XML-EVENT"; XML 1.0; Namespaces in XML).
//!
//! Invariants: events come in document order, the first is the start of the document, the last its end or an exception; nesting is bounded;
//! external entities are never read, and declared entities are accepted only if their text contains no markup. The reader gives up when the
//! program is to be stopped.

use super::pieces::PIECE;
pub use super::xml_event::{Event, EventKind, exception};
use super::xml_text::{is_character, is_name_character, is_name_start, is_space};
use crate::code_page::CodePage;
use crate::exception::{Exception, Result};
use crate::session::Session;
use std::collections::VecDeque;

/// Elements within each other.
const DEPTH_MAX: usize = 2048;
/// The text that all references to declared entities may give. A few bytes of document could otherwise take all memory.
const ENTITY_TEXT_MAX: usize = 16 << 20;

/// In place of an exception: the program is to be stopped.
const STOPPED: i32 = 0;

type Step<T = ()> = std::result::Result<T, i32>;

/// What is read next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Start,
    Declaration,
    /// What stands before the document element, the element itself, what stands behind it.
    Before,
    Content,
    After,
    Ended,
}

/// A document and how far it has been read.
pub struct Parser {
    text: String,
    at: usize,
    stage: Stage,
    /// Those that were read together and not given yet.
    events: VecDeque<Event>,
    /// Open elements by their names as written, and how many bindings there were before each.
    open: Vec<(String, usize)>,
    bindings: Vec<(String, String)>,
    entities: Vec<(String, String)>,
    /// Bytes that references to entities have given so far.
    entity_text: usize,
    page: &'static CodePage,
    compatible: bool,
    session: Session,
}

fn plain(kind: EventKind, text: String) -> Event {
    Event { kind, text, namespace: String::new(), prefix: String::new(), code: 0 }
}

impl Parser {
    /// `compatible`: as XMLPARSE(COMPAT) has it. `page` is what characters of the text registers must exist in.
    pub fn new(document: String, page: &'static CodePage, compatible: bool, session: &Session) -> Parser {
        Parser {
            text: document,
            at: 0,
            stage: Stage::Start,
            events: VecDeque::new(),
            open: Vec::new(),
            bindings: Vec::new(),
            entities: Vec::new(),
            entity_text: 0,
            page,
            compatible,
            session: *session,
        }
    }

    /// The next event, `None` at the end.
    pub fn next_event(&mut self) -> Result<Option<Event>> {
        while self.events.is_empty() && self.stage != Stage::Ended {
            self.session.check_stop()?;
            match self.advance() {
                Ok(()) => {}
                Err(STOPPED) => return Err(Exception::Stopped),
                Err(code) => {
                    self.stage = Stage::Ended;
                    let code = if self.compatible { code } else { exception::NOT_WELL_FORMED + code };
                    let read = self.text[..self.at].to_string();
                    self.events.push_back(Event { code, ..plain(EventKind::Exception, read) });
                }
            }
        }
        Ok(self.events.pop_front())
    }

    /// Gives up when the program is to be stopped.
    fn look(&self) -> Step {
        if self.session.is_stopped() { Err(STOPPED) } else { Ok(()) }
    }

    /// The same in a loop that passes each character.
    fn look_in_text(&self) -> Step {
        if self.at.is_multiple_of(PIECE) { self.look() } else { Ok(()) }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Passes a character.
    fn pass(&mut self, character: char) {
        self.at += character.len_utf8();
    }

    fn looking_at(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.looking_at(text);
        if found {
            self.at += text.len();
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
        self.events.push_back(plain(kind, text));
    }

    fn name(&mut self) -> Option<String> {
        let start = self.at;
        if !self.peek().is_some_and(|first| is_name_start(first) || first == ':') {
            return None;
        }
        while let Some(next) = self.peek().filter(|next| is_name_character(*next) || *next == ':') {
            self.pass(next);
        }
        Some(self.text[start..self.at].to_string())
    }

    /// The characters up to `end`, which is passed.
    fn until(&mut self, end: &str, missing: i32) -> Step<String> {
        self.look()?;
        let Some(length) = self.rest().find(end) else {
            self.at = self.text.len();
            return Err(missing);
        };
        let found = self.rest()[..length].to_string();
        self.at += length + end.len();
        Ok(found)
    }

    /// Reads on to the next events.
    fn advance(&mut self) -> Step {
        let stage = self.stage;
        match stage {
            Stage::Start => self.start(),
            Stage::Declaration if !self.declaration()? => self.stage = Stage::Before,
            Stage::Before if !self.outside(true)? => {
                if !self.looking_at("<") {
                    return Err(exception::NO_ROOT);
                }
                self.stage = Stage::Content;
            }
            Stage::Content => {
                self.content()?;
                if self.open.is_empty() {
                    self.stage = Stage::After;
                }
            }
            Stage::After if !self.outside(false)? => {
                if self.at < self.text.len() {
                    return Err(exception::MARKUP_OUTSIDE);
                }
                self.put(EventKind::EndOfDocument, String::new());
                self.stage = Stage::Ended;
            }
            Stage::Declaration | Stage::Before | Stage::After | Stage::Ended => {}
        }
        Ok(())
    }

    fn start(&mut self) {
        let whole = if self.compatible { self.text.clone() } else { String::new() };
        self.put(EventKind::StartOfDocument, whole);
        self.accept("\u{FEFF}");
        let is_declared = self.rest().strip_prefix("<?xml").is_some_and(|rest| rest.starts_with(is_space));
        self.stage = if is_declared { Stage::Declaration } else { Stage::Before };
    }

    /// A part of the XML declaration; whether there is more of it.
    fn declaration(&mut self) -> Step<bool> {
        self.accept("<?xml");
        self.skip_space();
        if self.accept("?>") {
            return Ok(false);
        }
        let name = self.name().ok_or(exception::END_IN_DECLARATION)?;
        self.skip_space();
        if !self.accept("=") {
            return Err(exception::END_IN_DECLARATION);
        }
        self.skip_space();
        let quote = self.quote().ok_or(exception::END_IN_DECLARATION)?;
        let value = self.until(quote, exception::END_IN_DECLARATION)?;
        let kind = match name.as_str() {
            "version" => EventKind::VersionInformation,
            "encoding" => EventKind::EncodingDeclaration,
            "standalone" => EventKind::StandaloneDeclaration,
            _ => return Err(exception::END_IN_DECLARATION),
        };
        self.put(kind, value);
        Ok(true)
    }

    /// The quotation mark that begins a value.
    fn quote(&mut self) -> Option<&'static str> {
        ["\"", "'"].into_iter().find(|quote| self.accept(quote))
    }

    /// A comment, processing instruction or document type and white space around the document element; whether there was one.
    fn outside(&mut self, before: bool) -> Step<bool> {
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
            return Ok(false);
        }
        Ok(true)
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
                Some('"' | '\'') => {
                    let quote = self.quote().ok_or(exception::END_OF_DOCUMENT)?;
                    self.until(quote, exception::END_OF_DOCUMENT)?;
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
            self.at += self.peek().map_or(0, char::len_utf8);
        }
        let text = self.text[start..self.at].to_string();
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
            if let Some(quote) = self.quote() {
                let value = self.until(quote, exception::END_OF_DOCUMENT)?;
                if !value.contains(['<', '&', '%']) {
                    self.entities.push((name, value));
                }
            }
        }
        self.until(">", exception::END_OF_DOCUMENT).map(|_| ())
    }

    /// A tag of the document element or of one in it, or something between two tags.
    fn content(&mut self) -> Step {
        if self.accept("</") {
            self.end_tag()
        } else if self.accept("<!--") {
            self.comment()
        } else if self.accept("<![CDATA[") {
            self.cdata()
        } else if self.looking_at("<?") {
            self.instruction()
        } else if self.looking_at("<!") {
            Err(exception::CONTENT_MARKUP)
        } else if self.accept("<") {
            self.start_tag()
        } else if self.at < self.text.len() {
            self.characters(false, "<")
        } else {
            Err(exception::END_IN_ROOT)
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
        let mut attributes: Vec<(String, VecDeque<Event>)> = Vec::new();
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

    fn attribute_value(&mut self) -> Step<VecDeque<Event>> {
        self.skip_space();
        if !self.accept("=") {
            return Err(exception::ATTRIBUTE_CHARACTER);
        }
        self.skip_space();
        let quote = self.quote().ok_or(exception::ATTRIBUTE_CHARACTER)?;
        let outer = std::mem::take(&mut self.events);
        let read = self.characters(true, quote);
        let value = std::mem::replace(&mut self.events, outer);
        read?;
        if !self.accept(quote) {
            return Err(exception::END_IN_ROOT);
        }
        Ok(value)
    }

    /// Namespaces of the tag's attributes apply to the tag itself, so its events are completed when it is read.
    fn finish_start(&mut self, place: usize, attributes: Vec<(String, VecDeque<Event>)>) -> Step {
        let text = |value: &VecDeque<Event>| value.iter().map(|event| event.text.as_str()).collect::<String>();
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
                    self.events.push_back(event);
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

    /// Characters and references up to markup or the quote that ends an attribute's value.
    fn characters(&mut self, attribute: bool, end: &str) -> Step {
        let kind = if attribute { EventKind::AttributeCharacters } else { EventKind::ContentCharacters };
        let mut text = String::new();
        while let Some(character) = self.peek() {
            self.look()?;
            match character {
                _ if self.looking_at(end) => break,
                '<' => return Err(exception::LESS_IN_ATTRIBUTE),
                '&' => self.reference(attribute, &mut text)?,
                ']' if !attribute && self.looking_at("]]>") => return Err(exception::CDATA_END),
                _ if !is_character(character) => {
                    return Err(if attribute { exception::ATTRIBUTE_CHARACTER } else { exception::CONTENT_CHARACTER });
                }
                // White space in an attribute's value is a space.
                _ if attribute && is_space(character) => {
                    self.pass(character);
                    text.push(' ');
                }
                _ => {
                    // All characters up to the next that may mean something, in one piece.
                    let rest = &self.text[self.at + character.len_utf8()..];
                    let more = rest.find(|next| !is_character(next) || is_space(next) && attribute || "<&]\"'".contains(next));
                    let length = character.len_utf8() + more.unwrap_or(rest.len());
                    text.push_str(&self.text[self.at..][..length]);
                    self.at += length;
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
