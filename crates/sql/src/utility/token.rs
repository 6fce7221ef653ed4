//! Tokens of utility statements.

use crate::diagnostic::Diagnostic;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// In upper case.
    Word(String),
    /// "name".
    Delimited(String),
    /// 'text'.
    Text(String),
    /// X'00'.
    Hexadecimal(Vec<u8>),
    Number(u32),
    Symbol(char),
    End,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: Kind,
    pub offset: usize,
    /// It is the first of its line.
    pub begins_line: bool,
}

pub struct Tokens {
    tokens: Vec<Token>,
    at: usize,
}

impl Tokens {
    pub fn new(text: &str) -> Result<Tokens, Diagnostic> {
        let mut scanner = Scanner { text, at: 0, tokens: Vec::new() };
        scanner.scan()?;
        Ok(Tokens { tokens: scanner.tokens, at: 0 })
    }

    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    pub fn kind(&self) -> &Kind {
        &self.token().kind
    }

    pub fn begins_line(&self) -> bool {
        self.token().begins_line
    }

    pub fn at_end(&self) -> bool {
        *self.kind() == Kind::End
    }

    /// Takes the current token.
    pub fn next(&mut self) -> Kind {
        let kind = self.kind().clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        kind
    }

    pub fn at_word(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Word(own) if own == word)
    }

    pub fn at_symbol(&self, symbol: char) -> bool {
        *self.kind() == Kind::Symbol(symbol)
    }

    pub fn take(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.next();
        }
        found
    }

    pub fn take_symbol(&mut self, symbol: char) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.next();
        }
        found
    }

    pub fn expect(&mut self, word: &str) -> Result<(), Diagnostic> {
        if self.take(word) { Ok(()) } else { Err(self.unexpected(word)) }
    }

    pub fn expect_symbol(&mut self, symbol: char) -> Result<(), Diagnostic> {
        if self.take_symbol(symbol) { Ok(()) } else { Err(self.unexpected(&symbol.to_string())) }
    }

    pub fn number(&mut self) -> Result<u32, Diagnostic> {
        let Kind::Number(number) = *self.kind() else { return Err(self.unexpected("a number")) };
        self.next();
        Ok(number)
    }

    /// A word or delimited name.
    pub fn name(&mut self) -> Result<String, Diagnostic> {
        match self.kind().clone() {
            Kind::Word(name) | Kind::Delimited(name) => {
                self.next();
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    pub fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = match self.kind() {
            Kind::Word(word) | Kind::Delimited(word) => word.clone(),
            Kind::Text(text) => format!("'{text}'"),
            Kind::Hexadecimal(_) => "X'..'".to_string(),
            Kind::Number(number) => number.to_string(),
            Kind::Symbol(symbol) => symbol.to_string(),
            Kind::End => "the end".to_string(),
        };
        let text = format!("{found} is not expected here");
        Diagnostic { offset: self.token().offset, warning: false, text, expected: Some(expected.to_string()) }
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '@' | '#' | '$')
}

impl Scanner<'_> {
    fn scan(&mut self) -> Result<(), Diagnostic> {
        let mut begins_line = true;
        while let Some(first) = self.text[self.at..].chars().next() {
            let offset = self.at;
            let rest = &self.text[self.at..];
            if first.is_whitespace() {
                begins_line |= first == '\n';
                self.at += first.len_utf8();
                continue;
            }
            if rest.starts_with("--") {
                self.at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            let kind = self.kind(first)?;
            self.tokens.push(Token { kind, offset, begins_line });
            begins_line = false;
        }
        self.tokens.push(Token { kind: Kind::End, offset: self.text.len(), begins_line });
        Ok(())
    }

    fn kind(&mut self, first: char) -> Result<Kind, Diagnostic> {
        let rest = &self.text[self.at..];
        let is_hexadecimal = first.eq_ignore_ascii_case(&'X') && rest[1..].starts_with('\'');
        if is_hexadecimal {
            self.at += 1;
            let digits = self.quoted('\'')?;
            return hexadecimal(&digits).map(Kind::Hexadecimal).ok_or_else(|| self.invalid("a hexadecimal constant"));
        }
        match first {
            '\'' => Ok(Kind::Text(self.quoted('\'')?)),
            '"' => Ok(Kind::Delimited(self.quoted('"')?)),
            _ if first.is_ascii_digit() => {
                let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                self.at += length;
                match rest[..length].parse() {
                    Ok(number) => Ok(Kind::Number(number)),
                    Err(_) => Ok(Kind::Word(rest[..length].to_uppercase())),
                }
            }
            _ if is_word(first) => {
                let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                self.at += length;
                Ok(Kind::Word(rest[..length].to_uppercase()))
            }
            _ => {
                self.at += first.len_utf8();
                Ok(Kind::Symbol(first))
            }
        }
    }

    /// A text in quotes; two of them stand for one.
    fn quoted(&mut self, quote: char) -> Result<String, Diagnostic> {
        let mut text = String::new();
        let mut rest = &self.text[self.at + 1..];
        loop {
            let Some(end) = rest.find(quote) else { return Err(self.invalid("a closing quote")) };
            text.push_str(&rest[..end]);
            rest = &rest[end + 1..];
            match rest.strip_prefix(quote) {
                Some(more) => {
                    text.push(quote);
                    rest = more;
                }
                None => break,
            }
        }
        self.at = self.text.len() - rest.len();
        Ok(text)
    }

    fn invalid(&self, expected: &str) -> Diagnostic {
        let text = "the constant is not valid".to_string();
        Diagnostic { offset: self.at.min(self.text.len()), warning: false, text, expected: Some(expected.to_string()) }
    }
}

fn hexadecimal(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(pair).collect())?
}
