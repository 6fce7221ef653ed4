//! The lexer: text words to tokens.
//!
//! Contents: words, numbers, literals, picture strings and the EXEC blocks, which are tokenized in place. The parser decides by context
//! which words are reserved.
//!
//! Invariants: words are upper case; separators comma and semicolon are removed; debugging lines are removed unless the program is compiled
//! WITH DEBUGGING MODE; every token's span is that of its first character in the file it came from; the last token is `EndOfSource`; EXEC
//! blocks do not nest.

mod literal;
mod token;

pub use token::*;

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::options::Options;
use crate::source::{CopyResolver, SourceMap, TextWord, WordKind, preprocess};
use crate::span::Span;
use crate::words;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A program as tokens, with the source it came from.
#[derive(Clone, Debug, Default)]
pub struct TokenStream {
    pub tokens: Vec<Token>,
    pub sources: SourceMap,
}

/// The longest user-defined word.
const WORD_CHARACTERS_MAX: usize = 30;
/// The longest picture string.
const PICTURE_CHARACTERS_MAX: usize = 50;

/// Reads a program: decodes, expands COPY and REPLACE, applies CBL and PROCESS statements to `options`, and produces tokens.
pub fn tokenize(
    name: &str,
    bytes: &[u8],
    options: &mut Options,
    resolver: &dyn CopyResolver,
    diagnostics: &mut Diagnostics,
) -> TokenStream {
    let text = preprocess(name, bytes, options, resolver, diagnostics);
    let tokens = tokens_of(&text.words, options.debugging_lines, diagnostics);
    TokenStream { tokens, sources: text.sources }
}

fn tokens_of(words: &[TextWord], debugging: bool, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut lexer =
        Lexer { words, at: 0, debugging, decimal_comma: false, noise: false, pending: None, interned: FxHashSet::default(), diagnostics };
    let mut tokens: Vec<Token> = Vec::with_capacity(words.len() + 1);
    while let Some(token) = lexer.next_token(&tokens) {
        lexer.note_environment(&tokens, &token);
        tokens.push(token);
    }
    let span = words.last().map_or(Span::NONE, |word| word.span);
    tokens.push(Token { kind: TokenKind::EndOfSource, span, spaced: true, first_on_line: true, area_a: true });
    tokens
}

struct Lexer<'a> {
    words: &'a [TextWord],
    at: usize,
    debugging: bool,
    decimal_comma: bool,
    /// A separator comma or semicolon was just passed.
    noise: bool,
    /// The second of two tokens made from one text word.
    pending: Option<Token>,
    interned: FxHashSet<Arc<str>>,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Lexer<'a> {
    fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(found) = self.interned.get(text) {
            return found.clone();
        }
        let new: Arc<str> = text.into();
        self.interned.insert(new.clone());
        new
    }

    /// The word so many after the present one, if it touches everything between.
    fn touching(&self, ahead: usize) -> Option<&'a TextWord> {
        let word = self.words.get(self.at + ahead)?;
        (!word.spaced && !word.first_on_line).then_some(word)
    }

    fn touching_symbol(&self, ahead: usize, symbol: char) -> bool {
        self.touching(ahead).is_some_and(|word| word.is_symbol(symbol))
    }

    fn token(&self, kind: TokenKind, word: &TextWord) -> Token {
        Token {
            kind,
            span: word.span,
            spaced: word.spaced || word.first_on_line || self.noise,
            first_on_line: word.first_on_line,
            area_a: word.area_a,
        }
    }

    fn next_token(&mut self, before: &[Token]) -> Option<Token> {
        if let Some(token) = self.pending.take() {
            return Some(token);
        }
        self.noise = false;
        loop {
            let word = self.words.get(self.at)?;
            if word.debug && !self.debugging {
                self.at += 1;
                continue;
            }
            if let Some(token) = self.token_at(word, before) {
                return Some(token);
            }
            self.noise = true;
        }
    }

    /// The token at the present word, which is consumed; `None` for a separator.
    fn token_at(&mut self, word: &'a TextWord, before: &[Token]) -> Option<Token> {
        // A period directly followed by a character begins the string (`PIC .99`); any other period ends the entry.
        let ends = word.is_symbol('.') && self.words.get(self.at + 1).is_none_or(|next| next.spaced || next.first_on_line);
        // `PICTURE SYMBOL` is part of the CURRENCY SIGN clause.
        if expects_picture(before) && !word.is_word("SYMBOL") && word.kind != WordKind::Literal && !word.is_word("IS") && !ends {
            return Some(self.picture(word));
        }
        match word.kind {
            WordKind::Literal => {
                let token = self.literal_token(word);
                self.at += 1;
                Some(token)
            }
            WordKind::PseudoDelimiter => {
                self.at += 1;
                self.diagnostics.error("LX0006", word.span, "`==` stands outside COPY and REPLACE; `=` is assumed");
                Some(self.token(TokenKind::Equal, word))
            }
            WordKind::Symbol => self.symbol(word),
            WordKind::Word => {
                if (word.is_word("EXEC") || word.is_word("EXECUTE")) && self.begins_exec() {
                    return Some(self.exec_block(word));
                }
                Some(self.word_or_number(word))
            }
        }
    }

    /// Two words after EXEC distinguish a block from a data name.
    fn begins_exec(&self) -> bool {
        self.words.get(self.at + 1).is_some_and(|next| next.kind == WordKind::Word && (next.spaced || next.first_on_line))
    }

    fn literal_token(&mut self, word: &TextWord) -> Token {
        let literal = literal::parse(&word.text).unwrap_or_else(|problem| {
            self.diagnostics.severe("LX0004", word.span, problem.text);
            problem.literal
        });
        self.token(TokenKind::Literal(literal), word)
    }

    fn symbol(&mut self, word: &'a TextWord) -> Option<Token> {
        let character = word.text.chars().next().unwrap_or(' ');
        let pair = |second: char| self.touching_symbol(1, second);
        let (kind, length) = match character {
            '.' if !self.decimal_comma && self.begins_fraction(word) => return Some(self.number(word)),
            ',' if self.decimal_comma && self.begins_fraction(word) => return Some(self.number(word)),
            ',' | ';' => {
                self.at += 1;
                return None;
            }
            '.' => (TokenKind::Period, 1),
            '(' => (TokenKind::LeftParenthesis, 1),
            ')' => (TokenKind::RightParenthesis, 1),
            ':' => (TokenKind::Colon, 1),
            '+' => (TokenKind::Plus, 1),
            '-' => (TokenKind::Minus, 1),
            '*' if pair('*') => (TokenKind::Power, 2),
            '*' => (TokenKind::Asterisk, 1),
            '/' => (TokenKind::Slash, 1),
            '<' if pair('=') => (TokenKind::LessEqual, 2),
            '<' if pair('>') => (TokenKind::NotEqual, 2),
            '>' if pair('=') => (TokenKind::GreaterEqual, 2),
            '<' => (TokenKind::Less, 1),
            '>' => (TokenKind::Greater, 1),
            '=' => (TokenKind::Equal, 1),
            '&' => (TokenKind::Ampersand, 1),
            other => {
                self.diagnostics.error("LX0005", word.span, format!("the character `{other}` is not one of COBOL's"));
                (TokenKind::Other(other), 1)
            }
        };
        let token = self.token(kind, word);
        self.at += length;
        Some(token)
    }

    /// A decimal point with digits immediately after it and none immediately before.
    fn begins_fraction(&self, word: &TextWord) -> bool {
        let free = word.spaced || word.first_on_line || self.at.checked_sub(1).is_none_or(|last| self.words[last].kind == WordKind::Symbol);
        free && self.touching(1).is_some_and(|next| is_digits(next) || (next.kind == WordKind::Word && self.is_mantissa(&next.text)))
    }

    /// The digits behind the point of a floating-point literal, with its exponent: `.345E+06`.
    fn is_mantissa(&self, text: &str) -> bool {
        let is_signed = || self.touching_symbol(2, '+') || self.touching_symbol(2, '-');
        split_exponent(text).is_some_and(|(_, power)| power.is_some() || is_signed())
    }

    /// A COBOL word or a numeric literal; pieces that touch are one word.
    fn word_or_number(&mut self, word: &'a TextWord) -> Token {
        if is_number_start(word) && !self.touching(1).is_some_and(|next| next.kind == WordKind::Word) {
            return self.number(word);
        }
        let mut text = std::borrow::Cow::Borrowed(&*word.text);
        let mut length = 1;
        while let Some(next) = self.touching(length).filter(|next| next.kind == WordKind::Word) {
            text.to_mut().push_str(&next.text);
            length += 1;
        }
        // A hyphen at the beginning or end is an operator written without its blank.
        if let Some(rest) = text.strip_prefix('-').filter(|rest| length == 1 && !rest.is_empty()) {
            return self.split_sign(word, rest);
        }
        self.at += length;
        if text.bytes().any(|byte| byte.is_ascii_lowercase()) {
            text.to_mut().make_ascii_uppercase();
        }
        if text.len() > WORD_CHARACTERS_MAX && text.chars().count() > WORD_CHARACTERS_MAX {
            self.diagnostics.error("LX0007", word.span, format!("the word {text} has more than {WORD_CHARACTERS_MAX} characters"));
        }
        if text.ends_with('-') {
            self.diagnostics.error("LX0010", word.span, format!("the word {text} ends with a hyphen"));
        }
        if is_digits_text(&text) {
            let number = self.integer(&text);
            return self.token(TokenKind::Number(number), word);
        }
        let kind = TokenKind::Word(self.intern(&text));
        self.token(kind, word)
    }

    fn integer(&mut self, text: &str) -> Number {
        let text = self.intern(text);
        Number { digits: text.clone(), text, scale: 0, exponent: None }
    }

    /// `-NAME` immediately after a parenthesis or colon, without partial replacement: an operator and a name.
    fn split_sign(&mut self, word: &'a TextWord, rest: &str) -> Token {
        self.at += 1;
        let text = rest.to_ascii_uppercase();
        let kind = if is_digits_text(&text) { TokenKind::Number(self.integer(&text)) } else { TokenKind::Word(self.intern(&text)) };
        let mut second = self.token(kind, word);
        second.span.column = second.span.column.saturating_add(1);
        (second.spaced, second.first_on_line, second.area_a) = (false, false, false);
        self.pending = Some(second);
        self.token(TokenKind::Minus, word)
    }

    /// A numeric literal, from its digits or its decimal point.
    fn number(&mut self, word: &'a TextWord) -> Token {
        let point = if self.decimal_comma { ',' } else { '.' };
        let (mut whole, mut fraction, mut exponent) = (String::new(), String::new(), None);
        let mut length = 0;
        if word.kind == WordKind::Word {
            whole.push_str(&word.text);
            length = 1;
        }
        let has_point = word.kind == WordKind::Symbol || self.touching_symbol(1, point);
        if !has_point {
            let number = self.integer(&word.text);
            self.at += 1;
            return self.token(TokenKind::Number(number), word);
        }
        let digits = if length == 0 { 1 } else { 2 };
        if has_point && let Some(next) = self.touching(digits).filter(|next| next.kind == WordKind::Word) {
            let sign = self.touching(digits + 1).filter(|sign| sign.is_symbol('+') || sign.is_symbol('-')).is_some();
            if is_digits(next) {
                fraction.push_str(&next.text);
                length = digits + 1;
            } else if let Some((part, power)) = split_exponent(&next.text) {
                fraction.push_str(part);
                length = digits + 1;
                exponent = power;
                if power.is_none()
                    && sign
                    && let Some(last) = self.touching(digits + 2).filter(|last| is_digits(last))
                {
                    let minus = self.touching_symbol(digits + 1, '-');
                    exponent = last.text.parse::<i16>().ok().map(|value| if minus { -value } else { value });
                    length = digits + 3;
                }
            }
        }
        let mut text = whole.clone();
        if !fraction.is_empty() {
            text = format!("{whole}.{fraction}");
        }
        if let Some(power) = exponent {
            text = format!("{text}E{power}");
        }
        let scale = u8::try_from(fraction.len()).unwrap_or(u8::MAX);
        let number = Number { text: text.into(), digits: format!("{whole}{fraction}").into(), scale, exponent };
        let token = self.token(TokenKind::Number(number), word);
        self.at += length.max(1);
        token
    }

    /// The string after PICTURE: everything up to a blank, without a separator at its end.
    fn picture(&mut self, word: &'a TextWord) -> Token {
        let mut end = self.at + 1;
        while self.words.get(end).is_some_and(|next| !next.spaced && !next.first_on_line && next.kind != WordKind::Literal) {
            end += 1;
        }
        let last = &self.words[end - 1];
        if end > self.at + 1 && (last.is_symbol('.') || last.is_symbol(',') || last.is_symbol(';')) {
            end -= 1;
        }
        let text: String = self.words[self.at..end].iter().map(|piece| piece.text.as_ref()).collect();
        self.at = end;
        if text.chars().count() > PICTURE_CHARACTERS_MAX {
            let message = format!("the PICTURE string has more than {PICTURE_CHARACTERS_MAX} characters");
            self.diagnostics.severe("LX0009", word.span, message);
        }
        let kind = TokenKind::Picture(self.intern(&text.to_ascii_uppercase()));
        self.token(kind, word)
    }

    /// DECIMAL-POINT IS COMMA and WITH DEBUGGING MODE change how the rest of the source is read.
    fn note_environment(&mut self, before: &[Token], token: &Token) {
        if token.is_word("COMMA") {
            let skip = usize::from(before.last().is_some_and(|last| last.is_word("IS")));
            let point = before.len().checked_sub(1 + skip).and_then(|index| before.get(index));
            self.decimal_comma |= point.is_some_and(|point| point.is_word("DECIMAL-POINT"));
        } else if token.is_word("MODE") && before.last().is_some_and(|last| last.is_word("DEBUGGING")) {
            self.debugging = true;
        } else if token.is_word("PROGRAM") && before.last().is_some_and(|last| last.is_word("END")) {
            self.decimal_comma = false;
        }
    }

    /// EXEC language ... END-EXEC.
    fn exec_block(&mut self, word: &'a TextWord) -> Token {
        let name = self.words[self.at + 1].text.to_ascii_uppercase();
        let language = match name.as_str() {
            "CICS" => ExecLanguage::Cics,
            "SQL" => ExecLanguage::Sql,
            _ => ExecLanguage::Other(self.intern(&name)),
        };
        let (token_place, start) = (self.token(TokenKind::Period, word), self.at + 2);
        self.at = start;
        let mark = self.diagnostics.mark();
        let (mut tokens, end) = (Vec::new(), self.exec_end(start));
        let closed = self.words.get(end).is_some_and(|last| last.is_word("END-EXEC"));
        let all = self.words;
        self.words = &all[..end];
        while let Some(token) = self.next_token(&[]) {
            tokens.push(token);
        }
        self.words = all;
        self.at = end + usize::from(closed);
        if language != ExecLanguage::Cics {
            self.diagnostics.rewind(mark);
        }
        let mut last = all.get(end.min(all.len().saturating_sub(1))).map_or(word.span, |last| last.span);
        if !closed {
            let text = format!("EXEC {name} is not closed");
            self.diagnostics.push(Diagnostic::new(Severity::Severe, "LX0010", word.span, text).expected("END-EXEC"));
            last = word.span;
        }
        let (text, places) = self.text_between(start, end);
        let places = if language == ExecLanguage::Sql { places } else { Vec::new() };
        let block = ExecBlock { language, tokens, text, places, end: last };
        Token { kind: TokenKind::Exec(Box::new(block)), ..token_place }
    }

    /// Index of the END-EXEC, or of a token that shows it is missing: another EXEC, or a division or paragraph in area A, or before them a
    /// line that begins a statement of COBOL.
    fn exec_end(&self, start: usize) -> usize {
        let mut index = start;
        let mut statement = None;
        while let Some(word) = self.words.get(index) {
            let again = (word.is_word("EXEC") || word.is_word("EXECUTE"))
                && self.words.get(index + 1).is_some_and(|next| next.is_word("CICS") || next.is_word("SQL"));
            // A period inside a name (`OWNER.TABLE`) ends no paragraph's.
            let ends = |at: usize| self.words.get(at).is_none_or(|next| next.spaced || next.first_on_line);
            let period = self.words.get(index + 1).is_some_and(|next| next.is_symbol('.')) && ends(index + 2);
            let paragraph = word.area_a && word.kind == WordKind::Word && period;
            if word.is_word("END-EXEC") {
                return index;
            }
            if again || (paragraph && index > start) {
                break;
            }
            if index > start && self.begins_statement(index) {
                statement = statement.or(Some(index));
            }
            index += 1;
        }
        statement.unwrap_or(index)
    }

    /// The first word of a line is a verb, and not an option with its argument.
    fn begins_statement(&self, index: usize) -> bool {
        let word = &self.words[index];
        let is_verb = word.first_on_line && word.kind == WordKind::Word && words::is_verb(&word.text.to_ascii_uppercase());
        is_verb && self.words.get(index + 1).is_some_and(|next| !next.first_on_line && !next.is_symbol('('))
    }

    /// The text of words, and where each begins in it.
    fn text_between(&self, start: usize, end: usize) -> (Arc<str>, Vec<(u32, Span)>) {
        let (mut text, mut places) = (String::new(), Vec::new());
        for word in self.words[start.min(end)..end].iter().filter(|word| !word.debug || self.debugging) {
            if !text.is_empty() && (word.spaced || word.first_on_line) {
                text.push(' ');
            }
            places.push((text.len() as u32, word.span));
            text.push_str(&word.text);
        }
        (text.into(), places)
    }
}

/// Whether the last tokens are PIC or PICTURE [IS].
fn expects_picture(before: &[Token]) -> bool {
    let is_picture = |token: &Token| matches!(token.word(), Some("PIC" | "PICTURE"));
    match before {
        [.., word, is] if is.is_word("IS") => is_picture(word),
        [.., word] => is_picture(word),
        [] => false,
    }
}

fn is_digits_text(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_digits(word: &TextWord) -> bool {
    word.kind == WordKind::Word && is_digits_text(&word.text)
}

fn is_number_start(word: &TextWord) -> bool {
    is_digits(word)
}

/// `5E3`, `5E-3` or `5E` (the sign and digits follow): the digits and the exponent if it is there.
fn split_exponent(text: &str) -> Option<(&str, Option<i16>)> {
    let at = text.find(['E', 'e'])?;
    let (digits, power) = (&text[..at], &text[at + 1..]);
    if !is_digits_text(digits) {
        return None;
    }
    if power.is_empty() {
        return Some((digits, None));
    }
    power.parse::<i16>().ok().map(|power| (digits, Some(power)))
}

#[cfg(test)]
mod tests;
