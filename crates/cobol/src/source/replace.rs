//! Replacement of text words: COPY REPLACING and REPLACE.
//!
//! Invariants: what a replacement puts in is not searched again by the same list; comparison is without regard to case except in
//! literals; separator commas and semicolons in the text compare as a blank; a word put in stands where the first word it replaces
//! stood, so messages point at the text the programmer sees.

use super::words::{TextWord, WordKind};

/// What a replacement looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Match {
    /// Whole text words, one after the other.
    Whole,
    /// The beginning of a word.
    Leading,
    /// The end of a word.
    Trailing,
}

/// One `x BY y`.
#[derive(Clone, Debug)]
pub struct Replacement {
    pub how: Match,
    pub from: Vec<TextWord>,
    pub to: Vec<TextWord>,
}

impl Replacement {
    /// A pair ready for use; `None` when there is nothing to look for or a partial word is not one word.
    pub fn new(how: Match, from: Vec<TextWord>, to: Vec<TextWord>) -> Option<Replacement> {
        let from: Vec<TextWord> = significant(from);
        let fits = match how {
            Match::Whole => !from.is_empty(),
            Match::Leading | Match::Trailing => from.len() == 1 && from[0].kind == WordKind::Word && to.len() <= 1,
        };
        fits.then_some(Replacement { how, from, to })
    }
}

/// Without separator commas and semicolons.
fn significant(words: Vec<TextWord>) -> Vec<TextWord> {
    let separator: Vec<bool> = (0..words.len()).map(|index| is_separator(&words, index)).collect();
    let mut at = 0;
    let mut kept = words;
    kept.retain(|_| {
        at += 1;
        !separator[at - 1]
    });
    kept
}

/// Whether the word is a comma or semicolon followed by a blank.
fn is_separator(words: &[TextWord], index: usize) -> bool {
    let word = &words[index];
    (word.is_symbol(',') || word.is_symbol(';')) && words.get(index + 1).is_none_or(|next| next.spaced)
}

fn same(a: &TextWord, b: &TextWord) -> bool {
    a.kind == b.kind && if a.kind == WordKind::Literal { same_literal(&a.text, &b.text) } else { a.text.eq_ignore_ascii_case(&b.text) }
}

/// Literals are the same when their values are, whichever quotation mark they use; the prefix is without regard to case.
fn same_literal(a: &str, b: &str) -> bool {
    let (prefix_a, body_a) = a.split_at(a.find(['\'', '"']).unwrap_or(0));
    let (prefix_b, body_b) = b.split_at(b.find(['\'', '"']).unwrap_or(0));
    if !prefix_a.eq_ignore_ascii_case(prefix_b) {
        return false;
    }
    body_a == body_b || (literal_value(body_a) == literal_value(body_b))
}

fn literal_value(body: &str) -> String {
    let Some(quote) = body.chars().next() else { return String::new() };
    let inner = body.strip_prefix(quote).unwrap_or(body);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    inner.replace(&format!("{quote}{quote}"), &quote.to_string())
}

/// Applies a list of replacements to text.
pub fn replace(words: Vec<TextWord>, list: &[Replacement]) -> Vec<TextWord> {
    if list.is_empty() {
        return words;
    }
    let mut out = Vec::with_capacity(words.len());
    let (mut index, mut owed_space) = (0, false);
    while index < words.len() {
        if let Some((replacement, used)) = find(&words, index, list) {
            put(&mut out, &words[index], replacement, &mut owed_space);
            index += used;
        } else {
            let mut word = words[index].clone();
            word.spaced |= std::mem::take(&mut owed_space);
            out.push(word);
            index += 1;
        }
    }
    out
}

/// The first replacement that fits at an index, and how many words it takes.
fn find<'a>(words: &[TextWord], index: usize, list: &'a [Replacement]) -> Option<(&'a Replacement, usize)> {
    list.iter().find_map(|replacement| fits(words, index, replacement).map(|used| (replacement, used)))
}

fn fits(words: &[TextWord], index: usize, replacement: &Replacement) -> Option<usize> {
    let word = &words[index];
    match replacement.how {
        Match::Whole => {
            let mut at = index;
            for (number, wanted) in replacement.from.iter().enumerate() {
                while number > 0 && at < words.len() && is_separator(words, at) && !same(&words[at], wanted) {
                    at += 1;
                }
                if !words.get(at).is_some_and(|found| same(found, wanted)) {
                    return None;
                }
                at += 1;
            }
            Some(at - index)
        }
        Match::Leading => {
            let part = &replacement.from[0].text;
            let head = word.text.get(..part.len())?;
            (word.kind == WordKind::Word && head.eq_ignore_ascii_case(part)).then_some(1)
        }
        Match::Trailing => {
            let part = &replacement.from[0].text;
            let tail = word.text.get(word.text.len().checked_sub(part.len())?..)?;
            (word.kind == WordKind::Word && tail.eq_ignore_ascii_case(part)).then_some(1)
        }
    }
}

fn put(out: &mut Vec<TextWord>, matched: &TextWord, replacement: &Replacement, owed_space: &mut bool) {
    let partial = replacement.to.first().map_or("", |word| &word.text);
    let part = replacement.from[0].text.len();
    let text: Option<String> = match replacement.how {
        Match::Whole => None,
        Match::Leading => Some(format!("{partial}{}", &matched.text[part..])),
        Match::Trailing => Some(format!("{}{partial}", &matched.text[..matched.text.len() - part])),
    };
    if let Some(text) = text {
        let mut word = TextWord { text: text.into_boxed_str(), ..matched.clone() };
        word.spaced |= std::mem::take(owed_space);
        if !word.text.is_empty() {
            out.push(word);
        } else {
            *owed_space = word.spaced;
        }
        return;
    }
    if replacement.to.is_empty() {
        *owed_space |= matched.spaced;
    }
    for (number, word) in replacement.to.iter().enumerate() {
        let mut word = TextWord { span: matched.span, debug: matched.debug, ..word.clone() };
        if number == 0 {
            word.spaced = matched.spaced | std::mem::take(owed_space);
            (word.first_on_line, word.area_a) = (matched.first_on_line, matched.area_a);
        } else {
            word.area_a = false;
        }
        out.push(word);
    }
}
