//! COBOL as tokens, made from text and from tokens of the program.

use crate::lexer::{Literal, LiteralKind, Number, Token, TokenKind};
use crate::span::Span;

pub struct Code {
    pub tokens: Vec<Token>,
    span: Span,
}

impl Code {
    pub fn new(span: Span) -> Code {
        Code { tokens: Vec::new(), span }
    }

    pub fn at(&mut self, span: Span) {
        self.span = span;
    }

    fn push(&mut self, kind: TokenKind) {
        let first = matches!(self.tokens.last().map(|token| &token.kind), None | Some(TokenKind::Period));
        self.tokens.push(Token { kind, span: self.span, spaced: true, first_on_line: first, area_a: first });
    }

    /// Words, unsigned integers, periods, parentheses and the relation `=`, separated by blanks. After PIC comes a picture.
    pub fn text(&mut self, text: &str) {
        for word in text.split_ascii_whitespace() {
            let after_picture = self.tokens.last().is_some_and(|token| token.is_word("PIC"));
            let kind = match word {
                _ if after_picture => TokenKind::Picture(word.into()),
                "." => TokenKind::Period,
                "(" => TokenKind::LeftParenthesis,
                ")" => TokenKind::RightParenthesis,
                "+" => TokenKind::Plus,
                "-" => TokenKind::Minus,
                ">" => TokenKind::Greater,
                "<" => TokenKind::Less,
                "=" => TokenKind::Equal,
                _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                    TokenKind::Number(Number { text: word.into(), digits: word.into(), scale: 0, exponent: None })
                }
                _ => TokenKind::Word(word.into()),
            };
            self.push(kind);
        }
    }

    pub fn literal(&mut self, text: &str) {
        let literal = Literal { kind: LiteralKind::Alphanumeric, text: text.into(), bytes: [].into(), quote: '\'' };
        self.push(TokenKind::Literal(literal));
    }

    /// Tokens of the program. LINE-COUNTER and PAGE-COUNTER without qualification are those of the report.
    pub fn copy(&mut self, tokens: &[Token], report: &str) {
        for (at, token) in tokens.iter().enumerate() {
            self.tokens.push(Token { first_on_line: false, ..token.clone() });
            let counter = matches!(token.word(), Some("LINE-COUNTER" | "PAGE-COUNTER"));
            if counter && !tokens.get(at + 1).is_some_and(|next| matches!(next.word(), Some("OF" | "IN"))) {
                self.text(&format!("OF {report}"));
            }
        }
    }
}
