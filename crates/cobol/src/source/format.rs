//! Reference formats: physical lines to logical lines.
//!
//! Fixed format: columns 1 to 6 sequence area, 7 indicator, 8 to 72 text, 73 on identification. Free format: the whole line. A logical
//! line is a line with its continuations joined; comments and blank lines are none.
//!
//! Invariants: a logical line is never blank; each character of it can be traced to its line and column ([`LogicalLine::place`]);
//! continuation never joins across a comment-only or blank line's content, it skips them.

use crate::diagnostics::Diagnostics;
use crate::span::Span;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Fixed,
    Free,
}

/// Index of column 7 and the end of column 72, from 0.
const INDICATOR: usize = 6;
const TEXT: usize = 7;
const TEXT_END: usize = 72;
/// Area A is columns 8 to 11.
const AREA_B: usize = 11;

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

/// What a logical line is.
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
        LineReader { lines, next: 0, file, format }
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
            let area_a = self.format == Format::Fixed && line.column < AREA_B;
            let piece = Piece { start: 0, line: number as u32 + 1, column: line.column };
            let mut logical = LogicalLine { kind, characters: line.characters, pieces: vec![piece], area_a };
            if kind != LineKind::Directive && self.format == Format::Fixed {
                self.join_continuations(&mut logical, line.full, diagnostics);
            }
            return Some(logical);
        }
        None
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
        if matches!(indicator, '*' | '/') {
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

/// Whether text that may be either is in free format: lines that fixed format cannot have, against lines that only it has.
pub fn detect(lines: &[Box<str>]) -> Option<Format> {
    let (mut fixed, mut free) = (0_u32, 0_u32);
    for line in lines.iter().filter(|line| !line.trim().is_empty()).take(400) {
        let head: Vec<char> = line.chars().take(TEXT + 1).collect();
        let text = line.trim_start();
        if text.starts_with(">>") {
            continue;
        }
        if text.starts_with("*>") && head.len() - text.chars().count().min(head.len()) < INDICATOR {
            free += 1;
            continue;
        }
        if head.len() <= INDICATOR {
            free += u32::from(head[0].is_alphabetic());
            continue;
        }
        let sequence = &head[..INDICATOR];
        let blank = sequence.iter().all(|c| *c == ' ');
        let marked = matches!(head[INDICATOR], '*' | '/' | '-');
        let plausible = marked || matches!(head[INDICATOR], ' ' | 'D' | 'd' | '$' | '>');
        if !plausible {
            free += 1;
        } else if blank {
            fixed += u32::from(marked);
        } else if sequence.iter().all(|c| c.is_ascii_digit() || *c == ' ') {
            fixed += 1;
        } else if head[0] == ' ' {
            free += 1;
        } else if sequence.windows(2).any(|pair| pair[0] == ' ' && pair[1].is_alphanumeric()) {
            free += 1;
        }
    }
    match fixed.cmp(&free) {
        std::cmp::Ordering::Less => Some(Format::Free),
        std::cmp::Ordering::Greater => Some(Format::Fixed),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests;
