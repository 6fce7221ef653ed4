//! Reference formats: physical lines to logical lines.
//!
//! Fixed format: columns 1 to 6 sequence area, 7 indicator, 8 to 72 text, 73 on identification. Free format: the whole line. A logical line
//! is a line with its continuations joined; comments and blank lines produce no logical line.
//!
//! Invariants: a logical line is never blank; each character of it can be traced to its line and column ([`LogicalLine::place`]);
//! continuation skips comment lines and blank lines.

use crate::diagnostics::Diagnostics;
use crate::span::Span;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Fixed,
    Free,
}

/// Index of column 7 and the end of column 72, from 0.
pub const INDICATOR: usize = 6;
pub const TEXT: usize = 7;
const TEXT_END: usize = 72;
/// The end of the identification area, where a line of a source library ends.
const LINE_END: usize = 80;
/// Area A is columns 8 to 11.
const AREA_B: usize = 11;

/// The number of lines named in the message about lost text.
const DROPPED_SHOWN_MAX: usize = 5;

/// The character in column 7.
fn indicator(line: &str) -> Option<char> {
    match line.as_bytes().get(..=INDICATOR) {
        Some(head) if head.is_ascii() => Some(char::from(head[INDICATOR])),
        _ => line.chars().nth(INDICATOR),
    }
}

/// Columns 8 to 72 without the blanks at both ends, the index of the first character in them, and how many characters they hold;
/// `None` for the first when they are blank.
fn text_area(line: &str) -> (Option<(usize, Vec<char>)>, usize) {
    let bytes = line.as_bytes();
    let bytes = &bytes[..bytes.len().min(TEXT_END)];
    if bytes.is_ascii() && (bytes.len() == TEXT_END || bytes.len() == line.len()) {
        let text = bytes.get(TEXT..).unwrap_or_default();
        let Some(first) = text.iter().position(|byte| *byte != b' ') else { return (None, text.len()) };
        let last = text.iter().rposition(|byte| *byte != b' ').unwrap_or(first);
        return (Some((first, text[first..=last].iter().map(|byte| char::from(*byte)).collect())), text.len());
    }
    let text: Vec<char> = line.chars().skip(TEXT).take(TEXT_END - TEXT).collect();
    let Some(first) = text.iter().position(|c| *c != ' ') else { return (None, text.len()) };
    let last = text.iter().rposition(|c| *c != ' ').unwrap_or(first);
    (Some((first, text[first..=last].to_vec())), text.len())
}

/// The kind of a logical line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineKind {
    Code,
    /// Column 7 is D (or the line begins `>>D`).
    Debug,
    /// Begins with `>>` or is a `$` line.
    Directive,
}

/// A run of characters from one physical line.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    line: u32,
    column: usize,
}

/// A line with its continuations.
#[derive(Clone, Debug)]
pub struct LogicalLine {
    pub kind: LineKind,
    pub characters: Vec<char>,
    pieces: Vec<Piece>,
    /// The first character stands in area A.
    pub area_a: bool,
}

impl LogicalLine {
    /// Line and column (from 1) of the character at an index.
    pub fn place(&self, index: usize) -> (u32, u16) {
        let piece = self.pieces[self.pieces.partition_point(|piece| piece.start <= index).saturating_sub(1)];
        let column = piece.column + index.saturating_sub(piece.start) + 1;
        (piece.line, u16::try_from(column).unwrap_or(u16::MAX))
    }

    pub fn first_line(&self) -> u32 {
        self.pieces[0].line
    }
}

/// Reads the logical lines of a file.
pub struct LineReader {
    lines: Arc<[Box<str>]>,
    next: usize,
    file: u16,
    pub format: Format,
    /// Lines whose text continues beyond column 72, the first with the lost text.
    dropped: Vec<u32>,
    first_dropped: String,
}

/// A physical line, taken apart.
struct Physical {
    kind: Option<LineKind>,
    continuation: bool,
    characters: Vec<char>,
    /// Index of the first character in the physical line.
    column: usize,
    /// The text fills the line to column 72.
    full: bool,
}

impl LineReader {
    pub fn new(lines: Arc<[Box<str>]>, file: u16, format: Format) -> LineReader {
        LineReader { lines, next: 0, file, format, dropped: Vec::new(), first_dropped: String::new() }
    }

    /// Begins at a line (index from 0).
    pub fn skip_to(&mut self, index: usize) {
        self.next = index;
    }

    /// Treats lines as blank: they have been dealt with.
    pub fn blank_out(&mut self, indexes: Vec<usize>) {
        if indexes.iter().any(|index| *index >= self.next) {
            let mut lines = self.lines.to_vec();
            indexes.into_iter().for_each(|index| lines[index] = "".into());
            self.lines = lines.into();
        }
    }

    /// The next logical line.
    pub fn next_line(&mut self, diagnostics: &mut Diagnostics) -> Option<LogicalLine> {
        while self.next < self.lines.len() {
            let number = self.next;
            self.next += 1;
            let Some(line) = self.take_apart(number, diagnostics) else { continue };
            let Some(kind) = line.kind else { continue };
            self.note_dropped(number);
            let area_a = self.format == Format::Fixed && line.column < AREA_B;
            let piece = Piece { start: 0, line: number as u32 + 1, column: line.column };
            let mut logical = LogicalLine { kind, characters: line.characters, pieces: vec![piece], area_a };
            if kind != LineKind::Directive && self.format == Format::Fixed {
                self.join_continuations(&mut logical, line.full, diagnostics);
            }
            return Some(logical);
        }
        self.warn_of_dropped(diagnostics);
        None
    }

    /// Notes a line whose text does not end before column 73. That is the identification area, which may hold anything; but a word that
    /// continues into it, or text beyond the end of a line, was meant to be read.
    fn note_dropped(&mut self, number: usize) {
        let line: &str = &self.lines[number];
        if self.format != Format::Fixed || line.len() <= TEXT_END {
            return;
        }
        let characters: Vec<char> = line.trim_end().chars().collect();
        let Some(rest) = characters.get(TEXT_END..).filter(|rest| !rest.is_empty()) else { return };
        let is_word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let goes_on = is_word(rest[0]) || matches!(rest[0], '\'' | '"');
        let crosses = is_word(characters[TEXT_END - 1]) && goes_on && !rest.iter().all(char::is_ascii_digit);
        // A literal that is continued fills its line.
        let continued = (number + 1..self.lines.len()).find(|next| !self.is_skipped(*next)).and_then(|next| indicator(&self.lines[next]));
        if (crosses && continued != Some('-')) || characters.len() > LINE_END {
            if self.dropped.is_empty() {
                self.first_dropped = rest.iter().collect::<String>().trim().to_string();
            }
            self.dropped.push(number as u32 + 1);
        }
    }

    /// Reports all such lines in one message.
    fn warn_of_dropped(&mut self, diagnostics: &mut Diagnostics) {
        let dropped = std::mem::take(&mut self.dropped);
        let [first, others @ ..] = dropped.as_slice() else { return };
        let numbers: Vec<String> = others.iter().take(DROPPED_SHOWN_MAX).map(u32::to_string).collect();
        let others = match (others.len(), numbers.join(", ")) {
            (0, _) => String::new(),
            (1, number) => format!("; the same on line {number}"),
            (count, numbers) if count > DROPPED_SHOWN_MAX => format!("; the same on {count} more lines: {numbers} ..."),
            (count, numbers) => format!("; the same on {count} more lines: {numbers}"),
        };
        let text = format!("text behind column 72 is not read in fixed format: `{}`{others}", self.first_dropped);
        let length = u16::try_from(self.first_dropped.chars().count()).unwrap_or(u16::MAX);
        diagnostics.warning("LX0012", Span::new(self.file, *first, TEXT_END as u16 + 1, length), text);
    }

    fn take_apart(&self, number: usize, diagnostics: &mut Diagnostics) -> Option<Physical> {
        match self.format {
            Format::Fixed => self.take_apart_fixed(number, diagnostics),
            Format::Free => self.take_apart_free(number),
        }
    }

    fn take_apart_fixed(&self, number: usize, diagnostics: &mut Diagnostics) -> Option<Physical> {
        let line: &str = &self.lines[number];
        let indicator = indicator(line)?;
        // In sources made for another compiler a comment may also begin in the sequence area.
        if matches!(indicator, '*' | '/') || line.trim_start().starts_with("*>") {
            return None;
        }
        let (text, length) = text_area(line);
        let starts = |pattern: [char; 2]| text.as_ref().is_some_and(|(_, characters)| characters.starts_with(&pattern));
        let mut kind = match indicator {
            'D' | 'd' => LineKind::Debug,
            '$' => LineKind::Directive,
            '>' if text.as_ref().is_some_and(|(first, characters)| *first == 0 && characters[0] == '>') => LineKind::Directive,
            ' ' | '-' => LineKind::Code,
            _ => {
                text.as_ref()?;
                let span = Span::new(self.file, number as u32 + 1, INDICATOR as u16 + 1, 1);
                diagnostics.error("LX0001", span, format!("`{indicator}` in column 7 is not an indicator; a blank is assumed"));
                LineKind::Code
            }
        };
        if starts(['*', '>']) {
            return None;
        }
        if starts(['>', '>']) && kind == LineKind::Code {
            kind = LineKind::Directive;
        }
        let (first, characters) = text?;
        let filled = length == TEXT_END - TEXT && first + characters.len() == length;
        Some(Physical { kind: Some(kind), continuation: indicator == '-', characters, column: TEXT + first, full: filled })
    }

    fn take_apart_free(&self, number: usize) -> Option<Physical> {
        let line: &str = &self.lines[number];
        let column = line.chars().position(|c| c != ' ')?;
        let text = line.trim();
        if text.starts_with("*>") || (column == 0 && text.starts_with('*')) {
            return None;
        }
        let mut kind = if text.starts_with(">>") || text.starts_with('$') { LineKind::Directive } else { LineKind::Code };
        let (mut skip, upper) = (0, text.get(..4).unwrap_or("").to_ascii_uppercase());
        if upper == ">>D " {
            (kind, skip) = (LineKind::Debug, 4);
        }
        Some(Physical {
            kind: Some(kind),
            continuation: false,
            characters: text.chars().skip(skip).collect(),
            column: column + skip,
            full: false,
        })
    }

    /// Appends the continuation lines that follow (column 7 is a hyphen), skipping comments and blank lines between.
    fn join_continuations(&mut self, logical: &mut LogicalLine, mut full: bool, diagnostics: &mut Diagnostics) {
        let mut open = open_literal(None, &logical.characters);
        loop {
            let mut at = self.next;
            while at < self.lines.len() && self.is_skipped(at) {
                at += 1;
            }
            if at >= self.lines.len() || indicator(&self.lines[at]) != Some('-') {
                return;
            }
            let Some(line) = self.take_apart_fixed(at, diagnostics).filter(|line| line.continuation) else { return };
            self.next = at + 1;
            self.note_dropped(at);
            let span = Span::new(self.file, at as u32 + 1, line.column as u16 + 1, 1);
            let (mut skip, first) = (0, line.characters.first().copied());
            match open {
                Some(quote) => {
                    // A literal runs to column 72; the continuation begins with a quotation mark that is not part of it.
                    let piece = *logical.pieces.last().expect("a logical line has a piece");
                    let width = TEXT_END.saturating_sub(piece.column);
                    let target = piece.start + width;
                    if logical.characters.len() < target {
                        logical.characters.resize(target, ' ');
                    }
                    if first == Some(quote) {
                        skip = 1;
                    } else {
                        let text = "the continued literal does not begin with a quotation mark";
                        diagnostics.error("LX0002", span, text);
                    }
                }
                None => {
                    let last = logical.characters.last().copied();
                    let doubled = full && matches!(last, Some('\'' | '"')) && first == last && line.characters.get(1) == last.as_ref();
                    skip = usize::from(doubled);
                }
            }
            let piece = Piece { start: logical.characters.len(), line: at as u32 + 1, column: line.column + skip };
            logical.pieces.push(piece);
            open = open_literal(open, &line.characters[skip..]);
            logical.characters.extend_from_slice(&line.characters[skip..]);
            full = line.full;
        }
    }

    /// Whether a line is blank or a comment, in fixed format.
    fn is_skipped(&self, number: usize) -> bool {
        let line: &str = &self.lines[number];
        match indicator(line) {
            None | Some('*' | '/') => true,
            Some(' ') if line.as_bytes().get(TEXT).is_some_and(u8::is_ascii_alphanumeric) => false,
            _ => {
                let mut text = line.chars().skip(TEXT).take(TEXT_END - TEXT).skip_while(|c| c.is_whitespace());
                match text.next() {
                    None => true,
                    Some('*') => text.next() == Some('>'),
                    Some(_) => false,
                }
            }
        }
    }
}

/// The quotation mark of a literal that is still open after these characters, when `open` was before them.
fn open_literal(mut open: Option<char>, characters: &[char]) -> Option<char> {
    for (index, character) in characters.iter().enumerate() {
        match open {
            Some(quote) if *character == quote => open = None,
            None if matches!(character, '\'' | '"') => open = Some(*character),
            None if *character == '*' && characters.get(index + 1) == Some(&'>') => return None,
            _ => {}
        }
    }
    open
}

#[cfg(test)]
mod tests;
