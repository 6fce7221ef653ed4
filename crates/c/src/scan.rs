//! The text of a C source, character by character: the positions of comments, strings and EXEC blocks, by line and column.

use cobol::lexer::{Literal, LiteralKind, Number, Token, TokenKind};
use cobol::span::Span;

/// A place in the text: offset in bytes, line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub offset: usize,
    pub line: u32,
    pub column: u16,
    /// Number of the source file.
    pub file: u16,
}

impl Place {
    pub fn span(self, length: usize) -> Span {
        Span::new(self.file, self.line, self.column, u16::try_from(length).unwrap_or(u16::MAX))
    }
}

/// A lexical unit of C, as far as the translator has to know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Word,
    Number,
    String,
    Character,
    /// A comment, or blanks and line ends.
    Space,
    /// A preprocessor directive to the end of its line.
    Directive,
    Other(char),
    End,
}

pub struct Scanner<'a> {
    text: &'a str,
    pub at: Place,
    /// Only blanks precede it on the line: a `#` begins a directive.
    line_start: bool,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner::of_file(text, 0)
    }

    pub fn of_file(text: &'a str, file: u16) -> Scanner<'a> {
        Scanner { text, at: Place { offset: 0, line: 1, column: 1, file }, line_start: true }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at.offset..]
    }

    fn advance(&mut self, bytes: usize) {
        for character in self.rest()[..bytes].chars() {
            self.at.offset += character.len_utf8();
            if character == '\n' {
                self.at.line += 1;
                self.at.column = 1;
            } else {
                self.at.column = self.at.column.saturating_add(1);
            }
        }
    }

    /// The next unit, its text and where it begins.
    pub fn next(&mut self) -> (Unit, &'a str, Place) {
        let (start, rest) = (self.at, self.rest());
        let (unit, length) = self.measure(rest);
        self.advance(length);
        self.line_start = match unit {
            Unit::Space => self.line_start || rest[..length].contains('\n'),
            Unit::Directive => true,
            _ => false,
        };
        (unit, &rest[..length], start)
    }

    fn measure(&self, rest: &str) -> (Unit, usize) {
        let Some(first) = rest.chars().next() else { return (Unit::End, 0) };
        let while_true = |test: fn(char) -> bool| rest.find(|c: char| !test(c)).unwrap_or(rest.len());
        match first {
            c if c.is_whitespace() => (Unit::Space, while_true(char::is_whitespace)),
            '/' if rest.starts_with("/*") => (Unit::Space, rest[2..].find("*/").map_or(rest.len(), |at| at + 4)),
            '/' if rest.starts_with("//") => (Unit::Space, rest.find('\n').unwrap_or(rest.len())),
            '#' if self.line_start => (Unit::Directive, directive_length(rest)),
            '"' => (Unit::String, quoted_length(rest, '"')),
            '\'' => (Unit::Character, quoted_length(rest, '\'')),
            c if is_word(c) && !c.is_ascii_digit() => (Unit::Word, while_true(is_word)),
            c if c.is_ascii_digit() => (Unit::Number, while_true(|c| is_word(c) || c == '.')),
            c => (Unit::Other(c), c.len_utf8()),
        }
    }
}

/// Letters of C words. EXEC CICS options have no others; `$`, `#` and `@` only stand in names, which are strings.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// To the end of the line, or of the last continuation line.
fn directive_length(rest: &str) -> usize {
    let mut from = 0;
    loop {
        match rest[from..].find('\n') {
            None => return rest.len(),
            Some(at) if rest[..from + at].trim_end_matches('\r').ends_with('\\') => from += at + 1,
            Some(at) => return from + at,
        }
    }
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The units of a text with their texts, spaces too.
pub fn units(text: &str) -> impl Iterator<Item = (Unit, &str)> {
    let mut scanner = Scanner::new(text);
    std::iter::from_fn(move || {
        let (unit, text, _) = scanner.next();
        (unit != Unit::End).then_some((unit, text))
    })
}

/// The unit as a token of the command translator, which both languages share.
pub fn token(unit: Unit, text: &str, place: Place) -> Option<Token> {
    let kind = match unit {
        Unit::Space | Unit::Directive | Unit::End => return None,
        Unit::Word => TokenKind::Word(text.to_ascii_uppercase().into()),
        Unit::Number => TokenKind::Number(Number { text: text.into(), digits: text.into(), scale: 0, exponent: None }),
        Unit::String => {
            let inner = text.strip_prefix('"').unwrap_or(text);
            let inner = inner.strip_suffix('"').unwrap_or(inner);
            TokenKind::Literal(Literal { kind: LiteralKind::Alphanumeric, text: inner.into(), bytes: [].into(), quote: '"' })
        }
        Unit::Character => TokenKind::Other('\''),
        Unit::Other('(') => TokenKind::LeftParenthesis,
        Unit::Other(')') => TokenKind::RightParenthesis,
        Unit::Other(other) => TokenKind::Other(other),
    };
    Some(Token { kind, span: place.span(text.chars().count()), spaced: true, first_on_line: false, area_a: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<(Unit, &str)> {
        let mut scanner = Scanner::new(text);
        std::iter::from_fn(|| Some(scanner.next()).filter(|(unit, ..)| *unit != Unit::End)).map(|(unit, text, _)| (unit, text)).collect()
    }

    #[test]
    fn lexical_units_of_c_are_distinguished() {
        let found = units("#define A \\\n 1\nx = \"a\\\"/*\" /* \"c */ + 'a' + 0x1F; // end");
        assert_eq!(found[0], (Unit::Directive, "#define A \\\n 1"));
        assert!(found.contains(&(Unit::String, "\"a\\\"/*\"")));
        assert!(found.contains(&(Unit::Space, "/* \"c */")));
        assert!(found.contains(&(Unit::Number, "0x1F")));
        assert_eq!(found.last(), Some(&(Unit::Space, "// end")));
    }

    #[test]
    fn places_count_lines_and_characters() {
        let mut scanner = Scanner::new("ä\n  b");
        scanner.next();
        scanner.next();
        let (_, text, place) = scanner.next();
        assert_eq!((text, place.line, place.column), ("b", 2, 3));
    }

    #[test]
    fn unfinished_text_ends_with_the_source() {
        for text in ["/* no end", "\"no end", "'", "#pragma x \\", ""] {
            assert!(units(text).len() <= 1, "{text}");
        }
    }
}
