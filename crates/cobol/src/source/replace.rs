//! Replacement of text words: COPY REPLACING and REPLACE.
//!
//! Invariants: inserted text is not searched again by the same list; comparison is without regard to case except in literals; separator
//! commas and semicolons in the text compare as a blank; an inserted word takes the place of the first word it replaces, so messages point
//! at the text the programmer sees. All lists in force are one tree of words, so the work for a word of the text does not grow with the
//! number of replacements, and inserted text is counted ([`Budget`]).

use super::budget::Budget;
use super::words::{TextWord, WordKind};
use crate::diagnostics::Diagnostics;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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

/// What a word is compared by: its kind and its text in upper case, for a literal its prefix and its value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key(WordKind, Box<str>);

fn key(word: &TextWord) -> Key {
    let text = match word.kind {
        // Literals are the same when their values are, whichever quotation mark they use; the prefix is without regard to case.
        WordKind::Literal => {
            let (prefix, body) = word.text.split_at(word.text.find(['\'', '"']).unwrap_or(0));
            prefix.to_ascii_uppercase() + "'" + &literal_value(body)
        }
        _ => word.text.to_ascii_uppercase(),
    };
    Key(word.kind, text.into())
}

fn literal_value(body: &str) -> String {
    let Some(quote) = body.chars().next() else { return String::new() };
    let inner = body.strip_prefix(quote).unwrap_or(body);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    inner.replace(&format!("{quote}{quote}"), &quote.to_string())
}

/// Which list a replacement is from and its number there. The list given last comes first, in it the pair written first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    list: usize,
    pair: usize,
}

impl Place {
    fn is_before(self, other: Place) -> bool {
        self.list > other.list || (self.list == other.list && self.pair < other.pair)
    }
}

/// The replacements that look for the same text, the one in force last.
type Places = Vec<Place>;

/// Parts of words by their text in upper case, and the lengths that occur.
#[derive(Default, Debug)]
struct Parts {
    places: FxHashMap<Box<str>, Places>,
    lengths: Vec<usize>,
}

impl Parts {
    fn add(&mut self, part: &str, place: Place) {
        note(self.places.entry(part.to_ascii_uppercase().into()).or_default(), place);
        if let Err(at) = self.lengths.binary_search(&part.len()) {
            self.lengths.insert(at, part.len());
        }
    }

    fn remove(&mut self, part: &str, list: usize) {
        if let Some(places) = self.places.get_mut(part.to_ascii_uppercase().as_str()) {
            places.pop_if(|place| place.list == list);
        }
    }

    /// The first replacement in force that looks for a part of the word; `part` gives the part of a length.
    fn find<'a>(&self, part: impl Fn(usize) -> Option<&'a str>) -> Option<Place> {
        let found = self.lengths.iter().map_while(|length| Some((*length, part(*length))).filter(|(_, part)| part.is_some()));
        let places = found.filter_map(|(_, part)| self.places.get(part?)?.last().copied());
        places.reduce(|best, place| if place.is_before(best) { place } else { best })
    }
}

/// Puts a replacement on top of those that look for the same text; the second of one list is never used.
fn note(places: &mut Places, place: Place) {
    if places.last().is_none_or(|last| last.list != place.list) {
        places.push(place);
    }
}

/// The replacements in force.
#[derive(Default, Debug)]
pub struct Replacer {
    lists: Vec<Vec<Replacement>>,
    /// A tree of words: from a node and a word to the next node. Node 0 is the root.
    edges: FxHashMap<(usize, Key), usize>,
    /// The replacements that end at a node.
    ends: Vec<Places>,
    leading: Parts,
    trailing: Parts,
}

impl Replacer {
    pub fn new(list: Vec<Replacement>) -> Replacer {
        let mut replacer = Replacer::default();
        replacer.push(list);
        replacer
    }

    /// A list that comes before those in force.
    pub fn push(&mut self, list: Vec<Replacement>) {
        if self.ends.is_empty() {
            self.ends.push(Places::new());
        }
        for (pair, replacement) in list.iter().enumerate() {
            let place = Place { list: self.lists.len(), pair };
            match replacement.how {
                Match::Leading => self.leading.add(&replacement.from[0].text, place),
                Match::Trailing => self.trailing.add(&replacement.from[0].text, place),
                Match::Whole => {
                    let mut node = 0;
                    for word in &replacement.from {
                        let new = self.ends.len();
                        node = *self.edges.entry((node, key(word))).or_insert(new);
                        if node == new {
                            self.ends.push(Places::new());
                        }
                    }
                    note(&mut self.ends[node], place);
                }
            }
        }
        self.lists.push(list);
    }

    /// Ends the list given last.
    pub fn pop(&mut self) {
        let Some(list) = self.lists.pop() else { return };
        let number = self.lists.len();
        for replacement in list {
            match replacement.how {
                Match::Leading => self.leading.remove(&replacement.from[0].text, number),
                Match::Trailing => self.trailing.remove(&replacement.from[0].text, number),
                Match::Whole => {
                    let next = |node, word| self.edges.get(&(node, key(word))).copied();
                    let end = replacement.from.iter().try_fold(0, next).expect("a list in force is in the tree");
                    self.ends[end].pop_if(|place| place.list == number);
                }
            }
        }
    }

    /// Ends all lists.
    pub fn clear(&mut self) {
        *self = Replacer::default();
    }

    /// Appends the text with its replacements to `out`, as far as the budget goes.
    pub fn replace(&self, words: &[TextWord], out: &mut Vec<TextWord>, budget: &mut Budget, diagnostics: &mut Diagnostics) {
        if self.lists.iter().all(Vec::is_empty) {
            out.extend_from_slice(words);
            return;
        }
        let (mut index, mut owed_space) = (0, false);
        while let Some(word) = words.get(index) {
            let start = out.len();
            let Some((place, used)) = self.find(words, index) else {
                let spaced = word.spaced | std::mem::take(&mut owed_space);
                out.push(TextWord { spaced, ..word.clone() });
                index += 1;
                continue;
            };
            put(out, word, &self.lists[place.list][place.pair], &mut owed_space);
            if !budget.take_words(&out[start..], word.span, diagnostics) {
                return;
            }
            index += used;
        }
    }

    /// The first replacement that fits at an index, and how many words it takes.
    fn find(&self, words: &[TextWord], index: usize) -> Option<(Place, usize)> {
        let mut best = None;
        let mut consider = |place: Option<Place>, used: usize| {
            if let Some(place) = place.filter(|place| best.is_none_or(|(best, _)| place.is_before(best))) {
                best = Some((place, used));
            }
        };
        let word = &words[index];
        if word.kind == WordKind::Word && !(self.leading.lengths.is_empty() && self.trailing.lengths.is_empty()) {
            let text = word.text.to_ascii_uppercase();
            consider(self.leading.find(|length| text.get(..length)), 1);
            consider(self.trailing.find(|length| text.get(text.len().checked_sub(length)?..)), 1);
        }
        // Where a separator is a word of one list and not of another, both ways are followed: a list that has it takes it.
        let mut ways: SmallVec<[_; 2]> = SmallVec::from_slice(&[(0, index, 0_u8)]);
        while let Some((mut node, mut at, mut passed)) = ways.pop() {
            while let Some(word) = words.get(at) {
                let separator = if node > 0 && is_separator(words, at) { 1 + u8::from(word.is_symbol(';')) } else { 0 };
                match self.edges.get(&(node, key(word))).filter(|_| passed & separator == 0) {
                    Some(next) => {
                        if separator > 0 {
                            ways.push((node, at + 1, passed | separator));
                        }
                        (node, passed) = (*next, 0);
                        consider(self.ends[node].last().copied(), at + 1 - index);
                    }
                    None if separator > 0 => {}
                    None => break,
                }
                at += 1;
            }
        }
        best
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
