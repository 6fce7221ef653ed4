//! Reads JSON text (RFC 8259).
//!
//! Invariants: nesting is bounded; names keep their order and their duplicates; nothing is kept of what was read, so memory is that of one
//! name or value, however long the text is. The reader gives up when the program is to be stopped.

use super::pieces::PIECE;
use crate::session::Session;
use std::borrow::Cow;

/// Objects and arrays within each other.
const DEPTH_MAX: u32 = 512;

/// A value, read up to its end; of an array or an object, only the character that begins it.
#[derive(Clone, PartialEq, Debug)]
pub enum Json<'a> {
    Null,
    Boolean(bool),
    /// As written.
    Number(&'a str),
    String(Cow<'a, str>),
    Array,
    Object,
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

/// Checks a text; returns the bytes of its longest name or value.
pub fn check(text: &str, session: &Session) -> Result<usize, Trouble> {
    let mut reader = Reader::new(text, session);
    let place = |at: usize| text[..at].chars().count();
    reader.skip_space();
    if reader.at == text.len() {
        return Err(Trouble::Empty);
    }
    if reader.skip_within(0).is_none() {
        return Err(if session.is_stopped() { Trouble::Stopped } else { Trouble::Invalid(place(reader.at)) });
    }
    reader.skip_space();
    if reader.at < text.len() {
        return Err(Trouble::Superfluous(place(reader.at)));
    }
    Ok(reader.longest)
}

/// A place in a text. The methods return `None` where the text is not valid, and when the program is to be stopped.
#[derive(Clone)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    session: &'a Session,
    longest: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str, session: &'a Session) -> Reader<'a> {
        Reader { text, at: 0, session, longest: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn accept(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += found as usize;
        found
    }

    fn word(&mut self, wanted: &str, value: Json<'a>) -> Option<Json<'a>> {
        wanted.bytes().all(|byte| self.accept(byte)).then_some(value)
    }

    /// The next value.
    pub fn value(&mut self) -> Option<Json<'a>> {
        self.skip_space();
        match self.peek()? {
            b'{' => self.word("{", Json::Object),
            b'[' => self.word("[", Json::Array),
            b'"' => self.string().map(Json::String),
            b't' => self.word("true", Json::Boolean(true)),
            b'f' => self.word("false", Json::Boolean(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number().map(Json::Number),
        }
    }

    /// Passes the end of an array or object, or the comma before its next element; whether there is one.
    pub fn next(&mut self, end: u8) -> Option<bool> {
        // What begins it is the byte before its first element.
        let is_first = matches!(self.text.as_bytes().get(self.at.wrapping_sub(1)), Some(b'{' | b'['));
        self.skip_space();
        if self.accept(end) {
            return Some(false);
        }
        if !is_first && !self.accept(b',') {
            return None;
        }
        self.skip_space();
        Some(true)
    }

    /// The name of a member and the colon.
    pub fn name(&mut self) -> Option<Cow<'a, str>> {
        let name = self.string()?;
        self.colon().then_some(name)
    }

    fn colon(&mut self) -> bool {
        self.skip_space();
        let found = self.accept(b':');
        self.skip_space();
        found
    }

    /// Passes a value.
    pub fn skip(&mut self) -> Option<()> {
        self.skip_space();
        self.skip_within(0)
    }

    fn skip_within(&mut self, depth: u32) -> Option<()> {
        if depth > DEPTH_MAX || self.session.is_stopped() {
            return None;
        }
        match self.peek()? {
            b'"' => self.read_string(None),
            opening @ (b'{' | b'[') => {
                self.at += 1;
                let end = opening + 2;
                while self.next(end)? {
                    if end == b'}' {
                        self.read_string(None)?;
                        if !self.colon() {
                            return None;
                        }
                    }
                    self.skip_within(depth + 1)?;
                }
                Some(())
            }
            _ => self.value().map(|_| ()),
        }
    }

    /// Passes what is left of an array; returns its number of elements.
    pub fn skip_elements(&mut self) -> Option<usize> {
        let mut count = 0;
        while self.next(b']')? {
            self.skip()?;
            count += 1;
        }
        Some(count)
    }

    /// Whether the value here is that at an earlier place.
    pub fn repeats(&self, mut other: Reader<'a>) -> Option<bool> {
        let (mut this, mut depth) = (self.clone(), 0);
        loop {
            let (left, right) = (this.token()?, other.token()?);
            if left != right || self.session.is_stopped() {
                return (!self.session.is_stopped()).then_some(false);
            }
            match left {
                Token::Mark(b'{' | b'[') => depth += 1,
                Token::Mark(b'}' | b']') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(true);
            }
        }
    }

    fn token(&mut self) -> Option<Token<'a>> {
        self.skip_space();
        Some(match self.peek()? {
            mark @ (b'{' | b'}' | b'[' | b']' | b',' | b':') => {
                self.at += 1;
                Token::Mark(mark)
            }
            b'"' => Token::String(self.string()?),
            _ => {
                let from = self.at;
                self.value()?;
                Token::Plain(self.text[from..self.at].to_ascii_uppercase())
            }
        })
    }

    fn string(&mut self) -> Option<Cow<'a, str>> {
        let from = self.at + 1;
        let mut plain = self.clone();
        plain.read_string(None)?;
        let raw = &self.text[from..plain.at - 1];
        if !raw.contains('\\') {
            *self = plain;
            return Some(Cow::Borrowed(raw));
        }
        let mut text = String::with_capacity(raw.len());
        self.read_string(Some(&mut text))?;
        Some(Cow::Owned(text))
    }

    /// Passes a string; its characters go to `out`.
    fn read_string(&mut self, mut out: Option<&mut String>) -> Option<()> {
        if !self.accept(b'"') {
            return None;
        }
        let begin = self.at;
        loop {
            let from = self.at;
            while self.peek().is_some_and(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
                self.at += 1;
                if self.at.is_multiple_of(PIECE) && self.session.is_stopped() {
                    return None;
                }
            }
            let plain = &self.text[from..self.at];
            out.iter_mut().for_each(|out| out.push_str(plain));
            if self.accept(b'"') {
                self.longest = self.longest.max(self.at - begin);
                return Some(());
            }
            if !self.accept(b'\\') {
                return None;
            }
            let character = self.escape()?;
            out.iter_mut().for_each(|out| out.push(character));
        }
    }

    fn escape(&mut self) -> Option<char> {
        let byte = self.peek().filter(u8::is_ascii)?;
        self.at += 1;
        Some(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{08}',
            b'f' => '\u{0C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                if !(0xD800..0xDC00).contains(&unit) {
                    return char::from_u32(unit);
                }
                if !(self.accept(b'\\') && self.accept(b'u')) {
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
            unit = unit * 16 + char::from(self.peek()?).to_digit(16)?;
            self.at += 1;
        }
        Some(unit)
    }

    fn digits(&mut self) -> Option<()> {
        let from = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > from).then_some(())
    }

    fn number(&mut self) -> Option<&'a str> {
        let from = self.at;
        self.accept(b'-');
        if !self.accept(b'0') {
            self.digits()?;
        }
        if self.accept(b'.') {
            self.digits()?;
        }
        if self.accept(b'e') || self.accept(b'E') {
            let _ = self.accept(b'+') || self.accept(b'-');
            self.digits()?;
        }
        self.longest = self.longest.max(self.at - from);
        Some(&self.text[from..self.at])
    }
}

/// A part of a value, as it is compared with another.
#[derive(PartialEq)]
enum Token<'a> {
    Mark(u8),
    String(Cow<'a, str>),
    /// A number or a word, in capitals.
    Plain(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<usize, Trouble> {
        super::check(text, &Session::ebcdic())
    }

    #[test]
    fn json_values_are_read_and_errors_reported() {
        let session = Session::ebcdic();
        let text = r#" {"a":[1,-2.5e+3,true,null],"b":"x\u00e9\ud83d\ude00\n" , "c":{}} "#;
        assert_eq!(check(text), Ok(22));
        let mut reader = Reader::new(text, &session);
        assert_eq!((reader.value(), reader.next(b'}')), (Some(Json::Object), Some(true)));
        assert_eq!((reader.name().as_deref(), reader.value()), (Some("a"), Some(Json::Array)));
        for expected in [Json::Number("1"), Json::Number("-2.5e+3"), Json::Boolean(true), Json::Null] {
            assert_eq!((reader.next(b']'), reader.value()), (Some(true), Some(expected)));
        }
        assert_eq!((reader.next(b']'), reader.next(b'}'), reader.name().as_deref()), (Some(false), Some(true), Some("b")));
        assert_eq!((reader.value(), reader.next(b'}')), (Some(Json::String("xé😀\n".into())), Some(true)));
        assert_eq!((reader.name().as_deref(), reader.skip(), reader.next(b'}')), (Some("c"), Some(()), Some(false)));
        assert_eq!(check("  "), Err(Trouble::Empty));
        assert_eq!(check("{} x"), Err(Trouble::Superfluous(3)));
        assert_eq!(check("[\"é\",x"), Err(Trouble::Invalid(5)));
        for wrong in ["{", "{\"a\"}", "[1,]", "[,1]", "{,}", "01", "1.", "\"\t\"", "{\"a\":1 2}", "tru", "\"\\ud83d\"", "\"\\é\""] {
            assert!(matches!(check(wrong), Err(Trouble::Invalid(_) | Trouble::Superfluous(_))), "{wrong}");
        }
    }

    #[test]
    fn values_are_equal_whatever_their_spelling() {
        let session = Session::ebcdic();
        let equal = |left: &str, right: &str| {
            let text = format!("[{left}, {right}]");
            let mut reader = Reader::new(&text, &session);
            reader.value();
            reader.next(b']');
            let first = reader.clone();
            reader.skip();
            reader.next(b']');
            reader.repeats(first).unwrap()
        };
        assert!(equal(r#"{"a": [1e3, "x"], "b": null}"#, r#"{"a":[1E3,"\u0078"],"b":null}"#));
        assert!(equal("1", "1") && !equal("1", "2") && !equal("1", "\"1\"") && !equal("[1]", "[1,2]") && !equal("{}", "[]"));
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(check(&nested(DEPTH_MAX as usize + 1)).is_ok());
        assert!(matches!(check(&nested(DEPTH_MAX as usize + 2)), Err(Trouble::Invalid(_))));
    }
}
