//! The COPY and REPLACE statements and EXEC SQL INCLUDE, read from text words.
//!
//! Invariants: a statement is recognized only when it is complete (its period has been read), so that reading line by line never accepts
//! part of one; a malformed statement is reported and dropped up to its period.

use super::replace::{Match, Replacement};
use super::words::{TextWord, WordKind};
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::span::Span;

/// Words a COPY statement may have before it is given up as unfinished.
const STATEMENT_WORDS_MAX: usize = 20_000;

/// A complete COPY (or EXEC SQL INCLUDE) statement.
#[derive(Debug)]
pub struct CopyStatement {
    pub name: String,
    pub library: Option<String>,
    pub suppressed: bool,
    pub replacing: Vec<Replacement>,
    pub span: Span,
    /// Where the member's name stands.
    pub name_span: Span,
    /// Line of its last word.
    pub end_line: u32,
}

/// The result of searching for a COPY, INCLUDE or REPLACE.
#[derive(Debug)]
pub enum Found<T> {
    /// Not such a statement.
    No,
    /// More text is needed.
    Incomplete,
    /// A statement of that many words; `None` if it is malformed.
    Yes(Option<T>, usize),
}

/// A name as a text word: without quotes.
fn member_name(word: &TextWord) -> Option<String> {
    match word.kind {
        WordKind::Word => Some(word.text.to_string()),
        WordKind::Literal => Some(word.text.trim_matches(['\'', '"']).to_string()),
        _ => None,
    }
}

/// Reads the COPY statement whose COPY is the first of the words.
pub fn copy_statement(words: &[TextWord], in_exec: bool, at_end: bool, diagnostics: &mut Diagnostics) -> Found<CopyStatement> {
    let Some(name_word) = words.get(1) else { return if at_end { Found::No } else { Found::Incomplete } };
    let Some(name) = member_name(name_word) else {
        if !in_exec {
            let text = "COPY is not followed by the name of a member";
            diagnostics.push(Diagnostic::new(Severity::Error, "LI0001", words[0].span, text).expected("COPY member-name."));
        }
        return Found::No;
    };
    let mut statement = CopyStatement {
        name,
        library: None,
        suppressed: false,
        replacing: Vec::new(),
        span: words[0].span,
        name_span: name_word.span,
        end_line: words[0].span.line,
    };
    let mut at = 2;
    while let Some(word) = words.get(at) {
        if word.is_word("OF") || word.is_word("IN") {
            let Some(library) = words.get(at + 1) else { break };
            statement.library = member_name(library);
            at += 2;
        } else if word.is_word("SUPPRESS") {
            statement.suppressed = true;
            at += 1;
        } else if word.is_word("REPLACING") {
            match replacements(words, at + 1, diagnostics) {
                None => break,
                Some((list, end)) => {
                    statement.replacing = list;
                    at = end;
                }
            }
        } else if word.is_symbol('.') {
            statement.end_line = word.span.line;
            return Found::Yes(Some(statement), at + 1);
        } else if in_exec {
            return Found::No;
        } else {
            let text = format!("COPY {} is not ended by a period", statement.name);
            diagnostics.push(Diagnostic::new(Severity::Error, "LI0002", word.span, text).expected("a period"));
            statement.end_line = words[at - 1].span.line;
            return Found::Yes(Some(statement), at);
        }
    }
    if !at_end && words.len() < STATEMENT_WORDS_MAX {
        return Found::Incomplete;
    }
    if in_exec {
        return Found::No;
    }
    diagnostics.severe("LI0003", statement.span, format!("COPY {} is not ended by a period", statement.name));
    if statement.replacing.is_empty() && words[2..].iter().any(|word| word.is_word("REPLACING")) {
        return Found::Yes(None, words.len());
    }
    let end = at.min(words.len());
    Found::Yes(Some(statement), end)
}

/// Reads `x BY y ...` from an index; returns the index of the period (or of the word that ends the list). `None`: more text is needed.
fn replacements(words: &[TextWord], mut at: usize, diagnostics: &mut Diagnostics) -> Option<(Vec<Replacement>, usize)> {
    let mut list = Vec::new();
    loop {
        let first = words.get(at)?;
        if first.is_symbol('.') {
            return Some((list, at));
        }
        if first.is_symbol(',') || first.is_symbol(';') {
            at += 1;
            continue;
        }
        let how = if first.is_word("LEADING") {
            Match::Leading
        } else if first.is_word("TRAILING") {
            Match::Trailing
        } else {
            Match::Whole
        };
        at += usize::from(how != Match::Whole);
        let (from, end) = operand(words, at)?;
        let by = words.get(end)?;
        if !by.is_word("BY") {
            let text = format!("`{}` stands where BY belongs in REPLACING", by.text);
            diagnostics.push(Diagnostic::new(Severity::Severe, "LI0004", by.span, text).expected("BY"));
            let end = words[at..].iter().position(|word| word.is_symbol('.')).map(|offset| at + offset)?;
            return Some((list, end));
        }
        let (to, end) = operand(words, end + 1)?;
        match Replacement::new(how, from, to) {
            Some(replacement) => list.push(replacement),
            None => diagnostics.severe("LI0005", first.span, "the text to be replaced is empty, or a partial word is not one word"),
        }
        at = end;
    }
}

/// An operand of REPLACING: pseudo-text, a literal, or an identifier with its qualifiers and subscripts. `None`: more text is needed.
fn operand(words: &[TextWord], at: usize) -> Option<(Vec<TextWord>, usize)> {
    let first = words.get(at)?;
    if first.kind == WordKind::PseudoDelimiter {
        let length = words[at + 1..].iter().position(|word| word.kind == WordKind::PseudoDelimiter)?;
        return Some((words[at + 1..at + 1 + length].to_vec(), at + length + 2));
    }
    let mut end = at + 1;
    if first.kind == WordKind::Symbol && matches!(first.text.as_ref(), "+" | "-" | ".") {
        end += usize::from(words.get(end)?.kind == WordKind::Word);
    }
    if first.kind == WordKind::Word {
        loop {
            let next = words.get(end)?;
            let qualified = next.is_word("OF") || next.is_word("IN");
            let point = (next.is_symbol('.') || next.is_symbol(',')) && !next.spaced;
            let digits = |word: &TextWord| !word.spaced && word.text.starts_with(|c: char| c.is_ascii_digit());
            if !(qualified || point && words.get(end + 1).is_some_and(digits)) {
                break;
            }
            end += 2;
        }
        if words.get(end)?.is_symbol('(') {
            let length = words[end..].iter().position(|word| word.is_symbol(')'))?;
            end += length + 1;
        }
    }
    Some((words.get(at..end)?.to_vec(), end))
}

/// Reads EXEC SQL INCLUDE member END-EXEC when the first of the words is EXEC; a period after it belongs to it.
pub fn sql_include(words: &[TextWord], at_end: bool) -> Found<CopyStatement> {
    let pattern = ["", "SQL", "INCLUDE", "", "END-EXEC"];
    for (index, wanted) in pattern.iter().enumerate() {
        match words.get(index) {
            None if at_end => return Found::No,
            None => return Found::Incomplete,
            Some(word) if !wanted.is_empty() && !word.is_word(wanted) => return Found::No,
            Some(_) => {}
        }
    }
    let Some(name) = member_name(&words[3]) else { return Found::No };
    let period = words.get(5).is_some_and(|word| word.is_symbol('.'));
    let statement = CopyStatement {
        name,
        library: None,
        suppressed: false,
        replacing: Vec::new(),
        span: words[0].span,
        name_span: words[3].span,
        end_line: words[4].span.line,
    };
    Found::Yes(Some(statement), 5 + usize::from(period))
}

/// A REPLACE statement.
#[derive(Debug)]
pub enum ReplaceStatement {
    Replace { list: Vec<Replacement>, also: bool },
    Off { last: bool },
}

/// Reads the REPLACE statement whose REPLACE is the first of the words (all text is there).
pub fn replace_statement(words: &[TextWord], diagnostics: &mut Diagnostics) -> Found<ReplaceStatement> {
    let Some(next) = words.get(1) else { return Found::No };
    let last = next.is_word("LAST");
    if next.is_word("OFF") || last {
        let mut length = 2 + usize::from(last);
        length += usize::from(words.get(length).is_some_and(|word| word.is_symbol('.')));
        return Found::Yes(Some(ReplaceStatement::Off { last }), length.min(words.len()));
    }
    let also = next.is_word("ALSO");
    let at = 1 + usize::from(also);
    let begins =
        words.get(at).is_some_and(|word| word.kind == WordKind::PseudoDelimiter || word.is_word("LEADING") || word.is_word("TRAILING"));
    if !begins {
        return Found::No;
    }
    match replacements(words, at, diagnostics) {
        Some((list, end)) => Found::Yes(Some(ReplaceStatement::Replace { list, also }), (end + 1).min(words.len())),
        None => {
            diagnostics.severe("LI0006", words[0].span, "the REPLACE statement is not ended by a period");
            Found::Yes(None, words.len())
        }
    }
}
