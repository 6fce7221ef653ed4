//! Reads JSON text (RFC 8259).
//!
//! Invariants: nesting is bounded; names keep their order and their duplicates. The reader gives up when the program is to be stopped.

use super::pieces::{PIECE, characters};
use crate::session::Session;

/// Objects and arrays within each other.
const DEPTH_MAX: u32 = 512;

#[derive(Clone, PartialEq, Debug)]
pub enum Json {
    Null,
    Boolean(bool),
    /// As written.
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Why a text is not read: where, in characters from 0, and what kind of trouble.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    Empty,
    Invalid(usize),
    /// Something follows the outermost value.
    Superfluous(usize),
    /// The program is to be stopped.
    Stopped,
}

pub fn read(text: &str, session: &Session) -> Result<Json, Trouble> {
    let characters = characters(text, session).or(Err(Trouble::Stopped))?;
    let mut reader = Reader { text: &characters, at: 0, session };
    reader.skip_space();
    if reader.at == characters.len() {
        return Err(Trouble::Empty);
    }
    let Some(value) = reader.value(0) else {
        return Err(if session.is_stopped() { Trouble::Stopped } else { Trouble::Invalid(reader.at) });
    };
    reader.skip_space();
    if reader.at < characters.len() {
        return Err(Trouble::Superfluous(reader.at));
    }
    Ok(value)
}

struct Reader<'a> {
    text: &'a [char],
    at: usize,
    session: &'a Session,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
    }

    fn accept(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += found as usize;
        found
    }

    fn word(&mut self, wanted: &str, value: Json) -> Option<Json> {
        wanted.chars().all(|character| self.accept(character)).then_some(value)
    }

    fn value(&mut self, depth: u32) -> Option<Json> {
        if depth > DEPTH_MAX || self.session.is_stopped() {
            return None;
        }
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            '"' => self.string().map(Json::String),
            't' => self.word("true", Json::Boolean(true)),
            'f' => self.word("false", Json::Boolean(false)),
            'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: u32) -> Option<Json> {
        self.at += 1;
        let mut members = Vec::new();
        self.skip_space();
        if self.accept('}') {
            return Some(Json::Object(members));
        }
        loop {
            self.skip_space();
            let name = if self.peek() == Some('"') { self.string()? } else { return None };
            self.skip_space();
            if !self.accept(':') {
                return None;
            }
            self.skip_space();
            members.push((name, self.value(depth + 1)?));
            self.skip_space();
            if self.accept('}') {
                return Some(Json::Object(members));
            }
            if !self.accept(',') {
                return None;
            }
        }
    }

    fn array(&mut self, depth: u32) -> Option<Json> {
        self.at += 1;
        let mut values = Vec::new();
        self.skip_space();
        if self.accept(']') {
            return Some(Json::Array(values));
        }
        loop {
            self.skip_space();
            values.push(self.value(depth + 1)?);
            self.skip_space();
            if self.accept(']') {
                return Some(Json::Array(values));
            }
            if !self.accept(',') {
                return None;
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let character = self.peek()?;
            if u32::from(character) < 0x20 || (self.at.is_multiple_of(PIECE) && self.session.is_stopped()) {
                return None;
            }
            self.at += 1;
            match character {
                '"' => return Some(text),
                '\\' => text.push(self.escape()?),
                other => text.push(other),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += 1;
        Some(match character {
            '"' | '\\' | '/' => character,
            'b' => '\u{08}',
            'f' => '\u{0C}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let unit = self.unit()?;
                if !(0xD800..0xDC00).contains(&unit) {
                    return char::from_u32(unit);
                }
                if !(self.accept('\\') && self.accept('u')) {
                    return None;
                }
                let low = self.unit()?;
                if !(0xDC00..0xE000).contains(&low) {
                    return None;
                }
                char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))?
            }
            _ => return None,
        })
    }

    fn unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit * 16 + self.peek()?.to_digit(16)?;
            self.at += 1;
        }
        Some(unit)
    }

    fn digits(&mut self, out: &mut String) -> bool {
        let before = out.len();
        while let Some(digit @ '0'..='9') = self.peek() {
            out.push(digit);
            self.at += 1;
        }
        out.len() > before
    }

    fn number(&mut self) -> Option<Json> {
        let mut text = String::new();
        if self.accept('-') {
            text.push('-');
        }
        if self.accept('0') {
            text.push('0');
        } else if !self.digits(&mut text) {
            return None;
        }
        if self.accept('.') {
            text.push('.');
            if !self.digits(&mut text) {
                return None;
            }
        }
        if let Some('e' | 'E') = self.peek() {
            self.at += 1;
            text.push('E');
            if let Some(sign @ ('+' | '-')) = self.peek() {
                self.at += 1;
                text.push(sign);
            }
            if !self.digits(&mut text) {
                return None;
            }
        }
        Some(Json::Number(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Json, Trouble> {
        super::read(text, &Session::ebcdic())
    }

    #[test]
    fn json_values_are_read_and_errors_reported() {
        let parsed = read(r#" {"a":[1,-2.5e+3,true,null],"b":"x\u00e9\ud83d\ude00\n"} "#).unwrap();
        let Json::Object(members) = parsed else { panic!() };
        let number = |text: &str| Json::Number(text.into());
        assert_eq!(members[0].1, Json::Array(vec![number("1"), number("-2.5E+3"), Json::Boolean(true), Json::Null]));
        assert_eq!(members[1].1, Json::String("xé😀\n".into()));
        assert_eq!(read("  "), Err(Trouble::Empty));
        assert_eq!(read("{} x"), Err(Trouble::Superfluous(3)));
        for wrong in ["{", "{\"a\"}", "[1,]", "01", "1.", "\"\t\"", "{\"a\":1 2}", "tru", "\"\\ud83d\""] {
            assert!(matches!(read(wrong), Err(Trouble::Invalid(_) | Trouble::Superfluous(_))), "{wrong}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(&nested(DEPTH_MAX as usize + 1)).is_ok());
        assert!(matches!(read(&nested(DEPTH_MAX as usize + 2)), Err(Trouble::Invalid(_))));
    }
}
