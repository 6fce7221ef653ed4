//! Token access and error recovery of the parser.
//!
//! Invariants: `at` never passes the last token, which is `EndOfSource`; every loop of the parser consumes a token or ends.

use super::Parser;
use super::words;
use crate::lexer::{Token, TokenKind};
use crate::program::Span;

/// The construct at hand is wrong and has been reported; the caller recovers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed;

/// Result of parsing a construct.
pub type Parsed<T> = Result<T, Failed>;

impl<'a> Parser<'a> {
    pub fn token(&self) -> &'a Token {
        &self.tokens[self.at]
    }

    /// The token `ahead` places further on; the last one when there are fewer.
    pub fn peek(&self, ahead: usize) -> &'a Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub fn span(&self) -> Span {
        self.token().span
    }

    pub fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// The current word, or nothing if the token is not a word.
    pub fn word(&self) -> &'a str {
        self.token().word().unwrap_or("")
    }

    pub fn peek_word(&self, ahead: usize) -> &'a str {
        self.peek(ahead).word().unwrap_or("")
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.word() == word
    }

    pub fn is(&self, kind: &TokenKind) -> bool {
        self.token().kind == *kind
    }

    pub fn at_end(&self) -> bool {
        self.token().is_end()
    }

    pub fn at_period(&self) -> bool {
        matches!(self.token().kind, TokenKind::Period)
    }

    /// Takes the word if it is next.
    pub fn accept(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Takes one of the words if it is next and returns it.
    pub fn accept_any(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let word = self.word();
        let found = words.iter().copied().find(|candidate| *candidate == word)?;
        self.advance();
        Some(found)
    }

    /// Takes the keyword at hand, which begins a clause, and those of the optional words that follow it in this order.
    pub fn begin_clause(&mut self, optional: &[&str]) {
        self.advance();
        for word in optional {
            self.accept(word);
        }
    }

    /// Takes both words if they are next in this order.
    pub fn accept_pair(&mut self, first: &str, second: &str) -> bool {
        let found = self.is_word(first) && self.peek_word(1) == second;
        if found {
            self.advance();
            self.advance();
        }
        found
    }

    pub fn accept_kind(&mut self, kind: &TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.accept(word) { Ok(()) } else { self.fail(word) }
    }

    pub fn expect_kind(&mut self, kind: &TokenKind) -> Parsed<()> {
        if self.accept_kind(kind) { Ok(()) } else { self.fail(&format!("'{kind}'")) }
    }

    /// Takes a period; if it is missing, reports that and continues.
    pub fn expect_period(&mut self, after: &str) {
        if !self.accept_kind(&TokenKind::Period) {
            let span = self.span();
            self.report.error(span, format!("a period is missing after {after}; assumed"));
        }
    }

    /// Reports that something else was expected here.
    pub fn fail<T>(&mut self, expected: &str) -> Parsed<T> {
        let token = self.token();
        self.report.expected(token.span, &quoted(token), expected);
        Err(Failed)
    }

    /// Reports a message at the place and fails.
    pub fn fail_at<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.report.severe(span, message);
        Err(Failed)
    }

    /// An integer literal.
    pub fn integer(&mut self) -> Option<u32> {
        let TokenKind::Number(number) = &self.token().kind else { return None };
        let value = u32::try_from(number.integer()?).ok()?;
        self.advance();
        Some(value)
    }

    pub fn expect_integer(&mut self, what: &str) -> Parsed<u32> {
        match self.integer() {
            Some(value) => Ok(value),
            None => self.fail(what),
        }
    }

    /// A user-defined word: any word that is not reserved.
    pub fn user_word(&mut self) -> Option<(&'a str, Span)> {
        let token = self.token();
        let word = token.word()?;
        if words::is_reserved(word) {
            return None;
        }
        self.advance();
        Some((word, token.span))
    }

    pub fn expect_user_word(&mut self, what: &str) -> Parsed<(&'a str, Span)> {
        match self.user_word() {
            Some(word) => Ok(word),
            None => self.fail(what),
        }
    }

    /// Skips to the next period, taking it.
    pub fn skip_sentence(&mut self) {
        while !self.at_end() && !self.at_period() {
            if self.at_division() {
                return;
            }
            self.advance();
        }
        self.accept_kind(&TokenKind::Period);
    }

    /// A division header or the end of the program is next; recovery never passes it.
    pub fn at_division(&self) -> bool {
        match self.word() {
            "IDENTIFICATION" | "ID" | "ENVIRONMENT" | "DATA" | "PROCEDURE" => self.peek_word(1) == "DIVISION",
            "END" => matches!(self.peek_word(1), "PROGRAM" | "FUNCTION" | "CLASS" | "METHOD"),
            _ => self.at_end(),
        }
    }

    /// Skips to the next statement, phrase, scope terminator or period of the procedure division.
    pub fn skip_statement(&mut self) {
        while !self.at_end() && !self.at_period() && !self.at_division() {
            match &self.token().kind {
                TokenKind::Exec(_) => return,
                TokenKind::Word(word) if words::is_verb(word) || word.starts_with("END-") || &**word == "ELSE" || &**word == "WHEN" => {
                    return;
                }
                _ => self.advance(),
            }
        }
    }

    /// The index of the parenthesis that closes the one at `open`, if it comes before a period.
    pub fn matching_parenthesis(&self, open: usize) -> Option<usize> {
        let mut depth = 0_u32;
        for (offset, token) in self.tokens[open..].iter().enumerate() {
            match token.kind {
                TokenKind::LeftParenthesis => depth += 1,
                TokenKind::RightParenthesis => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(open + offset);
                    }
                }
                TokenKind::Period | TokenKind::EndOfSource => return None,
                _ => {}
            }
        }
        None
    }
}

/// A token as a message shows it.
pub fn quoted(token: &Token) -> String {
    match &token.kind {
        TokenKind::EndOfSource => "the end of the source".to_string(),
        TokenKind::Word(word) => word.to_string(),
        kind => format!("'{kind}'"),
    }
}
