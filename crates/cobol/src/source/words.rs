//! Text words: what COPY and REPLACE compare, before there are tokens.
//!
//! A text word is a run of letters, digits, hyphens and underscores, a literal with its prefix and quotes, the delimiter `==`, or any other
//! single character. Adjacent words remember that (`spaced` is false), so that `WS-` and `NAME` left side by side by a partial replacement,
//! or the pieces of a PICTURE string, can be put together again by the lexer.
//!
//! Invariants: no text word is blank; a literal's text begins with its prefix or quote and ends with its quote.

use super::format::{LineKind, LogicalLine};
use crate::diagnostics::Diagnostics;
use crate::span::Span;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WordKind {
    Word,
    Literal,
    /// One character that is neither.
    Symbol,
    /// `==`
    PseudoDelimiter,
}

/// One text word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextWord {
    pub kind: WordKind,
    pub text: Box<str>,
    pub span: Span,
    pub spaced: bool,
    pub first_on_line: bool,
    pub area_a: bool,
    /// From a debugging line.
    pub debug: bool,
}

impl TextWord {
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == WordKind::Word && self.text.eq_ignore_ascii_case(word)
    }

    pub fn is_symbol(&self, symbol: char) -> bool {
        self.kind == WordKind::Symbol && self.text.starts_with(symbol)
    }
}

/// What the scanner must know from the words before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScanState {
    /// Inside EXEC SQL: two hyphens begin a comment.
    pub sql: bool,
}

const LITERAL_PREFIXES: &[&str] = &["X", "N", "NX", "Z", "G", "U", "UX", "B", "BX", "H"];

fn is_word_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || (!character.is_ascii() && character.is_alphanumeric())
}

/// Appends the text words of a logical line.
pub fn scan_line(line: &LogicalLine, file: u16, state: &mut ScanState, words: &mut Vec<TextWord>, diagnostics: &mut Diagnostics) {
    let characters = &line.characters;
    let (mut index, mut spaced, start) = (0, true, words.len());
    while let Some(&character) = characters.get(index) {
        if character.is_whitespace() || character == '\0' {
            (index, spaced) = (index + 1, true);
            continue;
        }
        if spaced && character == '*' && characters.get(index + 1) == Some(&'>') {
            return;
        }
        if state.sql && character == '-' && characters.get(index + 1) == Some(&'-') {
            return;
        }
        let (kind, end) = scan_word(line, index, file, diagnostics);
        let (number, column) = line.place(index);
        let mut text = String::with_capacity(end - index);
        text.extend(&characters[index..end]);
        let word = TextWord {
            kind,
            span: Span::new(file, number, column, u16::try_from(end - index).unwrap_or(u16::MAX)),
            text: text.into_boxed_str(),
            spaced,
            first_on_line: words.len() == start,
            area_a: line.area_a && words.len() == start,
            debug: line.kind == LineKind::Debug,
        };
        note_exec(words.last(), &word, state);
        words.push(word);
        (index, spaced) = (end, false);
    }
}

/// Keeps track of EXEC SQL.
fn note_exec(last: Option<&TextWord>, word: &TextWord, state: &mut ScanState) {
    if word.is_word("SQL") && last.is_some_and(|last| last.is_word("EXEC") || last.is_word("EXECUTE")) {
        state.sql = true;
    } else if word.is_word("END-EXEC") {
        state.sql = false;
    }
}

/// Kind of the word at an index, and where it ends.
fn scan_word(line: &LogicalLine, index: usize, file: u16, diagnostics: &mut Diagnostics) -> (WordKind, usize) {
    let characters = &line.characters;
    let character = characters[index];
    if matches!(character, '\'' | '"') {
        return (WordKind::Literal, literal_end(line, index, file, diagnostics));
    }
    if character == '=' && characters.get(index + 1) == Some(&'=') {
        return (WordKind::PseudoDelimiter, index + 2);
    }
    // `:TAG:-NAME` and `TRAILING ==-NAME==` have parts of words that begin with a hyphen.
    let after_tag = index > 0 && matches!(characters[index - 1], ':' | ')');
    let after_delimiter = index > 1 && characters[index - 2..index] == ['=', '='];
    let next = characters.get(index + 1).copied().unwrap_or(' ');
    let partial = character == '-' && ((after_tag && is_word_character(next)) || (after_delimiter && next.is_alphabetic()));
    if !is_word_character(character) && !partial {
        return (WordKind::Symbol, index + 1);
    }
    let mut end = index + 1;
    while characters.get(end).is_some_and(|next| is_word_character(*next) || *next == '-') {
        end += 1;
    }
    if matches!(characters.get(end), Some('\'' | '"')) && end - index <= 2 {
        let prefix: String = characters[index..end].iter().collect::<String>().to_ascii_uppercase();
        if LITERAL_PREFIXES.contains(&prefix.as_str()) {
            return (WordKind::Literal, literal_end(line, end, file, diagnostics));
        }
    }
    (WordKind::Word, end)
}

/// The end of the literal whose opening quote is at an index. An unclosed one ends with the line; its text then lacks the quote.
fn literal_end(line: &LogicalLine, open: usize, file: u16, diagnostics: &mut Diagnostics) -> usize {
    let characters = &line.characters;
    let quote = characters[open];
    let mut index = open + 1;
    while let Some(&character) = characters.get(index) {
        if character == quote {
            if characters.get(index + 1) != Some(&quote) {
                return index + 1;
            }
            index += 1;
        }
        index += 1;
    }
    // A debugging line is a comment unless the program asks for it, which is not known yet.
    if line.kind == LineKind::Debug {
        return characters.len();
    }
    let (number, column) = line.place(open);
    let length = u16::try_from(characters.len() - open).unwrap_or(u16::MAX);
    diagnostics.error("LX0003", Span::new(file, number, column, length), format!("the literal is not closed by {quote} on this line"));
    characters.len()
}
