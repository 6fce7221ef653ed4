//! Templates: symbols are replaced by their values, and embedded commands are carried out.
//!
//! `&NAME;` and `<!--#echo var=NAME-->` become the value of the symbol, or stay as they are if it has none. `<!--#set var=NAME value='V'-->`
//! gives a symbol its default, and `<!--#include template=NAME-->` is another template. Symbols in other comments are left alone. Source: CICS TS
//! 5.5, "Embedded template commands", "Symbols and symbol lists". Invariant: includes nest to [`LEVELS_MAX`] levels.

use crate::document::Element;
use crate::symbols::{self, SymbolTable};
use codepage::CodePage;

/// How deep templates may include each other.
pub const LEVELS_MAX: usize = 32;

/// Why a template cannot be used.
#[derive(Debug)]
pub enum Fault<E> {
    /// The embedded command at this offset of its template is not valid.
    Command(usize),
    /// Too many levels of includes.
    Levels,
    /// The template to be included cannot be read.
    Include(E),
}

/// The text of a template that is included: `Err` if it is data that is not parsed.
pub type Included = Result<Vec<u8>, Vec<u8>>;

/// What an embedded command is.
enum Command<'a> {
    Echo(&'a [u8]),
    Set(&'a [u8], &'a [u8]),
    Include(&'a [u8]),
}

/// A template being expanded.
pub struct Expansion<'a, F> {
    pub page: &'static CodePage,
    pub symbols: &'a mut SymbolTable,
    /// Reads a template by its name.
    pub include: F,
    pub elements: Vec<Element>,
}

impl<E, F: FnMut(&str) -> Result<Included, E>> Expansion<'_, F> {
    /// Appends a template; `level` is that of the includes.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub fn template(&mut self, text: &[u8], level: usize) -> Result<(), Fault<E>> {
        let page = self.page;
        let [opening, closing, command] = ["<!--", "-->", "#"].map(|mark| page.encode(mark));
        let (ampersand, semicolon) = (page.ascii(b'&'), page.ascii(b';'));
        let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
        while let Some(&byte) = text.get(at) {
            let rest = &text[at..];
            if let Some(comment) = rest.strip_prefix(opening.as_slice()) {
                let end = find(comment, &closing);
                let whole = end.map_or(rest.len(), |end| opening.len() + end + closing.len());
                let inside = end.map_or(comment, |end| &comment[..end]);
                match inside.strip_prefix(command.as_slice()).map(|inside| parse(inside, page)) {
                    Some(Parsed::Command(_)) if end.is_none() => return Err(Fault::Command(at)),
                    Some(Parsed::Command(found)) => self.embedded(found, (at, &rest[..whole]), level, &mut out)?,
                    Some(Parsed::Invalid) => return Err(Fault::Command(at)),
                    Some(Parsed::Other) | None => out.extend(&rest[..whole]),
                }
                at += whole;
                continue;
            }
            if byte == ampersand
                && let Some(end) = rest.iter().take(symbols_end(rest.len())).position(|byte| *byte == semicolon)
                && let Some(value) = symbols::name_of(&rest[1..end], page).and_then(|name| self.symbols.get(&name))
            {
                out.extend(value);
                at += end + 1;
                continue;
            }
            out.push(byte);
            at += 1;
        }
        self.append(out);
        Ok(())
    }

    fn append(&mut self, text: Vec<u8>) {
        if !text.is_empty() {
            self.elements.push(Element::Text(self.page, text));
        }
    }

    /// Carries out the embedded command at an offset.
    fn embedded(&mut self, command: Command, (at, whole): (usize, &[u8]), level: usize, out: &mut Vec<u8>) -> Result<(), Fault<E>> {
        let name_of = |bytes: &[u8]| symbols::name_of(bytes, self.page).ok_or(Fault::Command(at));
        match command {
            Command::Echo(name) => match self.symbols.get(&name_of(name)?) {
                Some(value) => out.extend(value),
                None => out.extend(whole),
            },
            Command::Set(name, value) => {
                let name = name_of(name)?;
                self.symbols.set_default(name, value.to_vec());
            }
            Command::Include(_) if level == LEVELS_MAX => return Err(Fault::Levels),
            Command::Include(name) => {
                let name = self.page.decode(name);
                self.append(std::mem::take(out));
                match (self.include)(name.trim()).map_err(Fault::Include)? {
                    Ok(text) => self.template(&text, level + 1)?,
                    Err(data) => self.elements.push(Element::Binary(data)),
                }
            }
        }
        Ok(())
    }
}

/// A reference to a symbol ends within so many bytes.
fn symbols_end(length: usize) -> usize {
    const REFERENCE_BYTES_MAX: usize = 34;
    length.min(REFERENCE_BYTES_MAX)
}

fn find(text: &[u8], mark: &[u8]) -> Option<usize> {
    text.windows(mark.len()).position(|window| window == mark)
}

enum Parsed<'a> {
    Command(Command<'a>),
    /// A command of the document handler that is wrong.
    Invalid,
    /// Of another server: it stays in the text.
    Other,
}

/// The command between `<!--#` and `-->`.
fn parse<'a>(inside: &'a [u8], page: &CodePage) -> Parsed<'a> {
    let is_space = |byte: &u8| page.to_ascii(*byte).is_ascii_whitespace();
    let end = inside.iter().position(is_space).unwrap_or(inside.len());
    let (keyword, rest) = inside.split_at(end);
    let Some(operands) = operands(rest, page) else { return Parsed::Invalid };
    let operand = |wanted: &str| operands.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| *value);
    let command = match page.decode(keyword).to_ascii_lowercase().as_str() {
        "echo" => operand("var").map(Command::Echo),
        "set" => operand("var").zip(operand("value")).map(|(name, value)| Command::Set(name, value)),
        "include" => operand("template").map(Command::Include),
        _ => return Parsed::Other,
    };
    command.map_or(Parsed::Invalid, Parsed::Command)
}

/// The operands of a command: names, equals signs and values, which may be in quotes; `None` if one is not complete.
fn operands<'a>(mut rest: &'a [u8], page: &CodePage) -> Option<Vec<(String, &'a [u8])>> {
    let is_space = |byte: &u8| page.to_ascii(*byte).is_ascii_whitespace();
    let mut operands = Vec::new();
    loop {
        let begin = rest.iter().position(|byte| !is_space(byte)).unwrap_or(rest.len());
        rest = &rest[begin..];
        if rest.is_empty() {
            return Some(operands);
        }
        let equals = rest.iter().position(|byte| *byte == page.ascii(b'='))?;
        let name = page.decode(&rest[..equals]).trim().to_string();
        rest = &rest[equals + 1..];
        let begin = rest.iter().position(|byte| !is_space(byte))?;
        rest = &rest[begin..];
        let quote = [b'\'', b'"'].map(|quote| page.ascii(quote)).into_iter().find(|quote| rest[0] == *quote);
        let (value, after) = match quote {
            Some(quote) => {
                let end = 1 + rest[1..].iter().position(|byte| *byte == quote)?;
                (&rest[1..end], &rest[end + 1..])
            }
            None => rest.split_at(rest.iter().position(is_space).unwrap_or(rest.len())),
        };
        operands.push((name, value));
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codepage::CCSID_037;

    /// Expands with symbol A set to 1; templates INNER and RAW can be included.
    fn expanded(text: &str) -> Result<String, Fault<()>> {
        let mut symbols = SymbolTable::default();
        symbols.set("A".into(), CCSID_037.encode("1"));
        let include = |name: &str| match name {
            "INNER" => Ok(Ok(CCSID_037.encode("[&B;]"))),
            "RAW" => Ok(Err(CCSID_037.encode("&A;"))),
            "LOOP" => Ok(Ok(CCSID_037.encode("<!--#include template=LOOP-->"))),
            _ => Err(()),
        };
        let mut expansion = Expansion { page: &CCSID_037, symbols: &mut symbols, include, elements: Vec::new() };
        expansion.template(&CCSID_037.encode(text), 0)?;
        Ok(expansion.elements.iter().map(|element| CCSID_037.decode(element.data())).collect())
    }

    #[test]
    fn symbols_and_commands_are_replaced() {
        for (template, text) in [
            ("x&A;y", "x1y"),
            ("&B; & &A", "&B; & &A"),
            ("&a;", "&a;"),
            ("<!--#echo var=A-->!", "1!"),
            ("<!--#echo var=B-->", "<!--#echo var=B-->"),
            ("<!--#set var=B value='b c'-->&B;", "b c"),
            ("<!--#set var=A value=\"2\"-->&A;", "1"),
            ("<!--#set var=B value=x--><!--#include template=INNER-->.", "[x]."),
            ("<!--#include template=\"RAW\"-->", "&A;"),
            ("<!-- &A; -->&A;", "<!-- &A; -->1"),
            ("<!--#exec cmd=ls-->", "<!--#exec cmd=ls-->"),
            ("<!-- &A;", "<!-- &A;"),
        ] {
            assert_eq!(expanded(template).unwrap(), text, "{template}");
        }
    }

    #[test]
    fn faults_are_told_with_their_place() {
        let command = |template: &str| match expanded(template) {
            Err(Fault::Command(at)) => Some(at),
            _ => None,
        };
        assert_eq!(command("ab<!--#set var=B-->"), Some(2));
        assert_eq!(command("<!--#echo var='A-->"), Some(0));
        assert_eq!(command("abc<!--#include template=INNER"), Some(3));
        assert_eq!(command("<!--#echo var=A B-->"), Some(0));
        assert!(matches!(expanded("<!--#include template=NONE-->"), Err(Fault::Include(()))));
        assert!(matches!(expanded("<!--#include template=LOOP-->"), Err(Fault::Levels)));
    }
}
