//! Tokens of Db2's SQL, with their byte offsets.
//!
//! Invariants: offsets rise; the last token is [`TokenKind::End`] at the length of the text; ordinary words are in upper case; comments are gone.
//! Time is linear in the length of the text.

mod host;
mod number;
mod scan;

use crate::options::UnitOptions;
use crate::problem::Problem;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub offset: usize,
    /// The offset behind the token's last byte.
    pub end: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An ordinary identifier or keyword in upper case.
    Word(String),
    /// A delimited identifier, without its delimiters.
    Delimited(String),
    /// 'text', and the form of constant.
    Literal(Literal),
    /// `:name`, `:name:indicator`, `:name INDICATOR :indicator`.
    Host {
        name: Vec<String>,
        indicator: Option<Vec<String>>,
        /// Offset of the indicator; of the name, without one.
        indicator_offset: usize,
    },
    /// A parameter marker.
    Marker,
    /// An operator or delimiter in its usual spelling: `<>` for `!=`, `||` for `!!`.
    Symbol(&'static str),
    End,
}

/// A constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    Integer(String),
    /// Digits with a point.
    Decimal(String),
    /// With an exponent.
    Float(String),
    String(String),
    /// X'..': bytes in the code page of the program.
    Hexadecimal(Vec<u8>),
    /// BX'..'.
    Binary(Vec<u8>),
    /// G'..', N'..', and GX'..', UX'..' decoded from UTF-16.
    Graphic(String),
}

/// The tokens of `text`.
pub fn tokens(text: &str, options: &UnitOptions) -> Result<Vec<Token>, Problem> {
    scan::Scanner::new(text, options).tokens()
}

impl Token {
    pub fn is_word(&self, word: &str) -> bool {
        matches!(&self.kind, TokenKind::Word(own) if own == word)
    }

    pub fn is_symbol(&self, symbol: &str) -> bool {
        matches!(&self.kind, TokenKind::Symbol(own) if *own == symbol)
    }

    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }
}
