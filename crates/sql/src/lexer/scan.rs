//! The scanner: blanks and comments, words, strings and symbols.

use super::{Literal, Token, TokenKind};
use crate::options::UnitOptions;
use crate::problem::Problem;

pub struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    options: &'a UnitOptions,
    tokens: Vec<Token>,
}

/// Spellings of operators, longest first, and the token of each.
const SYMBOLS: &[(&str, &str)] = &[
    ("¬=", "<>"),
    ("¬<", ">="),
    ("¬>", "<="),
    ("!=", "<>"),
    ("!<", ">="),
    ("!>", "<="),
    ("^=", "<>"),
    ("^<", ">="),
    ("^>", "<="),
    ("<>", "<>"),
    ("<=", "<="),
    (">=", ">="),
    ("=>", "=>"),
    ("||", "||"),
    ("!!", "||"),
    ("¦¦", "||"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    (".", "."),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    (";", ";"),
    ("[", "["),
    ("]", "]"),
];

pub(super) fn starts_word(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '#' | '@' | '$' | '_' | '£' | '§')
}

pub(super) fn continues_word(c: char) -> bool {
    starts_word(c) || c.is_ascii_digit()
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str, options: &'a UnitOptions) -> Scanner<'a> {
        Scanner { text, at: 0, options, tokens: Vec::new() }
    }

    pub fn tokens(mut self) -> Result<Vec<Token>, Problem> {
        loop {
            self.skip_blanks()?;
            let offset = self.at;
            let kind = match self.peek() {
                None => TokenKind::End,
                Some(c) => self.token(c)?,
            };
            debug_assert!(self.at > offset || kind == TokenKind::End, "a token has a byte");
            let end = kind == TokenKind::End;
            self.tokens.push(Token { kind, offset, end: self.at });
            if end {
                return Ok(self.tokens);
            }
        }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes characters while they satisfy `wanted`.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Passes blanks and comments.
    pub(super) fn skip_blanks(&mut self) -> Result<(), Problem> {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest().starts_with("--") {
                self.take_while(|c| c != '\n');
            } else if self.rest().starts_with("/*") {
                self.bracketed_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Bracketed comments nest.
    fn bracketed_comment(&mut self) -> Result<(), Problem> {
        let start = self.at;
        let mut depth = 0;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return Ok(());
                }
            } else if let Some(c) = rest.chars().next() {
                self.at += c.len_utf8();
            } else {
                return Err(Problem::unexpected(start, "/*", "*/"));
            }
        }
    }

    fn token(&mut self, c: char) -> Result<TokenKind, Problem> {
        let (string, delimiter) = if self.options.quote_sql { ('"', '\'') } else { ('\'', '"') };
        if c == string {
            return Ok(TokenKind::Literal(Literal::String(self.quoted(c)?)));
        }
        if c == delimiter {
            let offset = self.at;
            let name = self.quoted(c)?;
            let name = name.trim_end().to_string();
            if name.is_empty() {
                return Err(Problem::unexpected(offset, "\"\"", "<IDENTIFIER>"));
            }
            return Ok(TokenKind::Delimited(name));
        }
        if starts_word(c) {
            return self.word(string);
        }
        let next = self.rest()[c.len_utf8()..].chars().next();
        if c.is_ascii_digit() || (c == '.' && next.is_some_and(|n| n.is_ascii_digit()) && !self.follows_a_name()) {
            return self.number();
        }
        match c {
            ':' => self.host_variable(),
            '?' => {
                self.at += 1;
                Ok(TokenKind::Marker)
            }
            _ => self.symbol(c),
        }
    }

    /// A point that follows a name at once qualifies, it does not begin a number.
    fn follows_a_name(&self) -> bool {
        self.tokens.last().is_some_and(|token| {
            token.end == self.at && matches!(token.kind, TokenKind::Word(_) | TokenKind::Delimited(_) | TokenKind::Host { .. })
        })
    }

    /// A comma between two digits is a decimal point if the program says so.
    pub(super) fn comma_is_point(&self) -> bool {
        self.options.comma
    }

    fn symbol(&mut self, c: char) -> Result<TokenKind, Problem> {
        let rest = self.rest();
        match SYMBOLS.iter().find(|(spelling, _)| rest.starts_with(spelling)) {
            Some((spelling, symbol)) => {
                self.at += spelling.len();
                Ok(TokenKind::Symbol(symbol))
            }
            None => Err(Problem::new(-7, "42601", self.at, &[&c.to_string()], format!("{c} is not a character of SQL"))),
        }
    }

    /// A word, or a constant that a letter begins: X'..', G'..'.
    fn word(&mut self, quote: char) -> Result<TokenKind, Problem> {
        let offset = self.at;
        let word = self.take_while(continues_word).to_uppercase();
        if self.peek() != Some(quote) || !matches!(word.as_str(), "X" | "BX" | "GX" | "UX" | "G" | "N") {
            return Ok(TokenKind::Word(word));
        }
        let text = self.quoted(quote)?;
        let literal = match word.as_str() {
            "G" | "N" => Literal::Graphic(text.trim_matches(['\u{e}', '\u{f}']).to_string()),
            "X" => Literal::Hexadecimal(bytes(&text, 1).ok_or_else(|| hexadecimal(offset, &text))?),
            "BX" => Literal::Binary(bytes(&text, 1).ok_or_else(|| hexadecimal(offset, &text))?),
            _ => {
                let bytes = bytes(&text, 2).ok_or_else(|| hexadecimal(offset, &text))?;
                let units: Vec<u16> = bytes.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
                Literal::Graphic(String::from_utf16(&units).map_err(|_| hexadecimal(offset, &text))?)
            }
        };
        Ok(TokenKind::Literal(literal))
    }

    /// Text between two `quote`; a doubled quote stands for one.
    fn quoted(&mut self, quote: char) -> Result<String, Problem> {
        let start = self.at;
        self.at += quote.len_utf8();
        let mut text = String::new();
        loop {
            text.push_str(self.take_while(|c| c != quote));
            if self.peek().is_none() {
                return Err(Problem::new(-10, "42603", start, &[], "the string constant is not terminated"));
            }
            self.at += quote.len_utf8();
            if self.peek() != Some(quote) {
                return Ok(text);
            }
            text.push(quote);
            self.at += quote.len_utf8();
        }
    }
}

/// The bytes that hexadecimal digits denote; their number is a multiple of `unit`.
fn bytes(digits: &str, unit: usize) -> Option<Vec<u8>> {
    let digits: Vec<u8> = digits.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    if !digits.len().is_multiple_of(2 * unit) {
        return None;
    }
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

fn hexadecimal(offset: usize, text: &str) -> Problem {
    Problem::new(-110, "42606", offset, &[text], "the hexadecimal constant does not consist of pairs of hexadecimal digits")
}
