//! The tokens of COBOL.

use crate::span::Span;
use std::sync::Arc;

/// One token.
#[derive(Clone, PartialEq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// It is preceded by a blank, a line end, or a separator comma or semicolon.
    pub spaced: bool,
    /// It is the first on its line.
    pub first_on_line: bool,
    /// It begins in area A of a fixed-format line (columns 8 to 11).
    pub area_a: bool,
}

/// The kind of a token.
#[derive(Clone, PartialEq, Debug)]
pub enum TokenKind {
    /// A COBOL word in upper case: reserved, a name, or a system name. May begin with a digit (`100-MAIN`).
    Word(Arc<str>),
    /// An unsigned numeric literal. Also a paragraph name of digits only, or a level number.
    Number(Number),
    Literal(Literal),
    /// The string after PICTURE or PIC [IS], in upper case except for a currency symbol, without a terminating separator period.
    Picture(Arc<str>),
    /// A separator period.
    Period,
    LeftParenthesis,
    RightParenthesis,
    Colon,
    Plus,
    Minus,
    Asterisk,
    /// `**`
    Power,
    Slash,
    Equal,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    /// `<>`
    NotEqual,
    Ampersand,
    /// A character that does not belong to COBOL; reported outside EXEC SQL.
    Other(char),
    Exec(Box<ExecBlock>),
    EndOfSource,
}

/// An unsigned numeric literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// As written, with the decimal point as a period.
    pub text: Arc<str>,
    /// Digits without the decimal point.
    pub digits: Arc<str>,
    /// Digits after the decimal point.
    pub scale: u8,
    /// The exponent of a floating-point literal.
    pub exponent: Option<i16>,
}

impl Number {
    /// Value of an integer that fits; `None` with a decimal point, an exponent or too many digits.
    pub fn integer(&self) -> Option<i64> {
        if self.scale > 0 || self.exponent.is_some() { None } else { self.digits.parse().ok() }
    }
}

/// Which literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralKind {
    /// `'...'` or `"..."`.
    Alphanumeric,
    /// `Z'...'`: a byte of zero follows.
    NullTerminated,
    /// `X'...'`: `bytes` are the value.
    Hexadecimal,
    /// `N'...'`
    National,
    /// `NX'...'`: `bytes` are UTF-16BE.
    NationalHexadecimal,
    /// `G'...'`
    Dbcs,
    /// `U'...'`
    Utf8,
    /// `UX'...'`: `bytes` are UTF-8.
    Utf8Hexadecimal,
    /// `B'...'` of bits: `bytes` hold it left-justified.
    Boolean,
}

/// A literal with its quotes removed and doubled quotes undone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Literal {
    pub kind: LiteralKind,
    /// The characters; for hexadecimal forms, the digits.
    pub text: Arc<str>,
    /// The value of hexadecimal and boolean forms.
    pub bytes: Arc<[u8]>,
    /// `'` or `"`.
    pub quote: char,
}

/// For whom an EXEC block is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExecLanguage {
    Cics,
    Sql,
    /// DLI and others.
    Other(Arc<str>),
}

/// EXEC language ... END-EXEC.
#[derive(Clone, PartialEq, Debug)]
pub struct ExecBlock {
    pub language: ExecLanguage,
    /// The tokens between the language and END-EXEC.
    pub tokens: Vec<Token>,
    /// The same as text: blanks compressed outside literals, for messages, CEDF and SQL.
    pub text: Arc<str>,
    /// Of EXEC SQL: where each word of `text` begins in it, and its place in the source.
    pub places: Vec<(u32, Span)>,
    /// The END-EXEC.
    pub end: Span,
}

impl ExecBlock {
    /// The place in the source of the byte at `offset` of `text`; `None`: the block is empty.
    pub fn span_at(&self, offset: usize) -> Option<Span> {
        let index = self.places.partition_point(|(start, _)| *start as usize <= offset).saturating_sub(1);
        let (start, span) = *self.places.get(index)?;
        let skipped = self.text.get(start as usize..offset).map_or(0, |text| text.chars().count());
        let skipped = u16::try_from(skipped).unwrap_or(0).min(span.length.saturating_sub(1));
        Some(Span { column: span.column + skipped, length: span.length - skipped, ..span })
    }
}

impl Token {
    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    pub fn is_end(&self) -> bool {
        self.kind == TokenKind::EndOfSource
    }

    /// The token as a message quotes it.
    pub fn describe(&self) -> String {
        self.kind.to_string()
    }
}

impl std::fmt::Display for TokenKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fixed = match self {
            TokenKind::Word(word) => return f.write_str(word),
            TokenKind::Number(number) => return f.write_str(&number.text),
            TokenKind::Picture(picture) => return f.write_str(picture),
            TokenKind::Other(character) => return write!(f, "{character}"),
            TokenKind::Literal(literal) => {
                let prefix = match literal.kind {
                    LiteralKind::Alphanumeric => "",
                    LiteralKind::NullTerminated => "Z",
                    LiteralKind::Hexadecimal => "X",
                    LiteralKind::National => "N",
                    LiteralKind::NationalHexadecimal => "NX",
                    LiteralKind::Dbcs => "G",
                    LiteralKind::Utf8 => "U",
                    LiteralKind::Utf8Hexadecimal => "UX",
                    LiteralKind::Boolean => "B",
                };
                return write!(f, "{prefix}{1}{0}{1}", literal.text, literal.quote);
            }
            TokenKind::Exec(block) => match &block.language {
                ExecLanguage::Cics => "EXEC CICS",
                ExecLanguage::Sql => "EXEC SQL",
                ExecLanguage::Other(name) => return write!(f, "EXEC {name}"),
            },
            TokenKind::Period => ".",
            TokenKind::LeftParenthesis => "(",
            TokenKind::RightParenthesis => ")",
            TokenKind::Colon => ":",
            TokenKind::Plus => "+",
            TokenKind::Minus => "-",
            TokenKind::Asterisk => "*",
            TokenKind::Power => "**",
            TokenKind::Slash => "/",
            TokenKind::Equal => "=",
            TokenKind::Less => "<",
            TokenKind::Greater => ">",
            TokenKind::LessEqual => "<=",
            TokenKind::GreaterEqual => ">=",
            TokenKind::NotEqual => "<>",
            TokenKind::Ampersand => "&",
            TokenKind::EndOfSource => "end of source",
        };
        f.write_str(fixed)
    }
}
