//! The source text by file and line, for messages and the listing.
//!
//! Invariants: file 0 is the main source; each inclusion of a copybook is a separate file, so a place is never ambiguous; the text kept is
//! the decoded line with tabs expanded, so columns mean the same everywhere.

use crate::span::Span;
use std::sync::Arc;

/// What a file inclusion is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    Main,
    /// A member found by the copy resolver.
    Copybook,
    /// A member supplied by the compiler (DFHAID, DFHBMSCA, DFHEIBLK, SQLCA).
    Supplied,
}

/// One inclusion of a source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As it is shown: a path, or a member name for supplied text.
    pub name: String,
    pub kind: FileKind,
    /// The COPY statement that included it.
    pub included_at: Option<Span>,
    /// The line on which that COPY statement ends.
    pub included_end_line: u32,
    /// COPY SUPPRESS: not listed.
    pub suppressed: bool,
    /// Fixed format: text is read up to column 72.
    pub fixed: bool,
    /// Lines with tabs expanded; line 1 is at index 0.
    pub lines: Arc<[Box<str>]>,
    /// NUMBER: what each line is called; empty: by its place in the file.
    pub numbers: Vec<u32>,
    /// First and last line of each part that conditional compilation leaves out.
    pub excluded: Vec<(u32, u32)>,
}

impl SourceFile {
    /// Conditional compilation leaves the line out.
    pub fn is_excluded(&self, line: u32) -> bool {
        self.excluded.iter().any(|(first, last)| (*first..=*last).contains(&line))
    }
}

/// NUMBER: the sequence numbers of lines in columns 1 to 6. A line whose number is none, or not greater than the one before, follows
/// that one. (Programming Guide, NUMBER option.)
fn sequence_numbers(lines: &[Box<str>]) -> Vec<u32> {
    let mut last = 0;
    lines
        .iter()
        .map(|line| {
            let own = line.get(..6).filter(|head| head.bytes().all(|byte| byte.is_ascii_digit())).and_then(|head| head.parse().ok());
            last = own.filter(|own| *own > last).unwrap_or(last + 1);
            last
        })
        .collect()
}

/// All source of a compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file and gives its number; `None` when there are too many.
    pub fn add(&mut self, file: SourceFile) -> Option<u16> {
        let number = u16::try_from(self.files.len()).ok()?;
        self.files.push(file);
        Some(number)
    }

    /// Calls the lines of a file by the numbers written on them.
    pub(crate) fn number(&mut self, number: u16, by_sequence: bool) {
        if let Some(file) = self.files.get_mut(usize::from(number)).filter(|_| by_sequence) {
            file.numbers = sequence_numbers(&file.lines);
        }
    }

    pub(crate) fn exclude(&mut self, number: u16, first: u32, last: u32) {
        if let Some(file) = self.files.get_mut(usize::from(number)).filter(|_| first <= last) {
            file.excluded.push((first, last));
        }
    }

    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    pub fn file(&self, number: u16) -> Option<&SourceFile> {
        self.files.get(usize::from(number))
    }

    pub fn file_name(&self, number: u16) -> &str {
        self.file(number).map_or("?", |file| &file.name)
    }

    /// Text of a line; empty when there is none.
    pub fn line_text(&self, file: u16, line: u32) -> &str {
        let line = (line as usize).wrapping_sub(1);
        self.file(file).and_then(|file| file.lines.get(line)).map_or("", |text| text)
    }

    /// What a line of fixed format has behind column 72, when a word or literal runs across that column.
    pub(crate) fn cut_text(&self, span: Span) -> Option<String> {
        const TEXT_END: usize = 72;
        self.file(span.file).filter(|file| file.fixed)?;
        let mut around = self.line_text(span.file, span.line).trim_end().chars().skip(TEXT_END - 1);
        let kept = around.next().filter(|kept| !kept.is_whitespace())?;
        let rest: String = around.collect();
        let cut = rest.chars().next().is_some_and(|first| !first.is_whitespace()) && kept != '.';
        cut.then_some(rest)
    }

    /// Reading goes on in the other reference format.
    pub(crate) fn set_fixed(&mut self, number: u16, fixed: bool) {
        if let Some(file) = self.files.get_mut(usize::from(number)) {
            file.fixed = fixed;
        }
    }

    /// Counts the lines of a file from behind its first `count`, which somebody put before it.
    pub fn count_behind(&mut self, file: u16, count: u32) {
        if let Some(file) = self.files.get_mut(usize::from(file)) {
            file.numbers = (1..=file.lines.len() as u32).map(|line| line.saturating_sub(count).max(1)).collect();
        }
    }

    /// What a line is called in messages and in the listing.
    pub fn line_number(&self, file: u16, line: u32) -> u32 {
        let index = (line as usize).wrapping_sub(1);
        self.file(file).and_then(|file| file.numbers.get(index)).copied().unwrap_or(line)
    }

    /// A line of the main source, or a line of a copied member as `member:line`.
    pub fn show_line(&self, span: Span) -> String {
        let line = self.line_number(span.file, span.line);
        if span.file == 0 { line.to_string() } else { format!("{}:{line}", span.file) }
    }

    /// The COPY statements that lead to a file, innermost first.
    pub fn copy_chain(&self, file: u16) -> Vec<Span> {
        let mut chain = Vec::new();
        let mut at = self.file(file).and_then(|file| file.included_at);
        while let Some(span) = at {
            chain.push(span);
            at = self.file(span.file).and_then(|file| file.included_at);
        }
        chain
    }

    /// A key that sorts places in the order in which the expanded source is read.
    pub(crate) fn position_key(&self, span: Span) -> Vec<(u32, u16, u16)> {
        let mut key: Vec<_> = self.copy_chain(span.file).into_iter().map(|at| (at.line, at.column, at.file)).collect();
        key.reverse();
        key.push((span.line, span.column, span.file));
        key
    }
}
