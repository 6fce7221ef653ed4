//! The compiler listing: options, source with COPY expansion, messages, data map, cross reference, statistics.
//!
//! Invariants: a line is shown once for each time it was copied, under the line that copied it, with its own line number (the number that
//! messages and abends name); text suppressed by COPY SUPPRESS is not shown; the listing never changes what is compiled.

mod cross_reference;
mod data_map;

use crate::diagnostics::{Diagnostics, Severity};
use crate::lexer::{Token, TokenKind};
use crate::options::Options;
use crate::program::Program;
use crate::source::{FileKind, SourceMap};
use std::fmt::Write as _;

/// What a listing is made of.
#[derive(Clone, Copy)]
pub struct Listing<'a> {
    /// First words of the heading: compiler and release.
    pub title: &'a str,
    pub options: &'a Options,
    pub sources: &'a SourceMap,
    pub diagnostics: &'a Diagnostics,
    pub tokens: &'a [Token],
    /// The typed programs, as far as there are any.
    pub programs: &'a [Program],
}

impl Listing<'_> {
    /// The whole listing.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let name = self.programs.first().map_or("", |program| &program.name);
        let _ = writeln!(text, "{}  {name}  {}", self.title, self.sources.file_name(0));
        heading(&mut text, "Options in effect");
        for (word, effective) in self.options.in_effect() {
            let note = if effective { "" } else { "  (no effect)" };
            let _ = writeln!(text, "  {word}{note}");
        }
        heading(&mut text, "Source");
        self.source(&mut text, 0, 0);
        for program in self.programs {
            self.program(&mut text, program);
        }
        heading(&mut text, "Messages");
        text.push_str(&self.diagnostics.render(self.sources));
        heading(&mut text, "Statistics");
        self.statistics(&mut text);
        text
    }

    fn program(&self, text: &mut String, program: &Program) {
        heading(text, &format!("Data map of {}", program.name));
        data_map::render(text, program);
        heading(text, &format!("Cross reference of {}", program.name));
        cross_reference::render(text, program, self.tokens, self.sources);
        for nested in &program.nested {
            self.program(text, nested);
        }
    }

    /// The lines of a file, each copied file after the line on which its COPY ends.
    fn source(&self, text: &mut String, number: u16, depth: usize) {
        let Some(file) = self.sources.file(number) else { return };
        let mut copies: Vec<(u32, u16)> = Vec::new();
        for (index, copy) in self.sources.files().iter().enumerate() {
            if copy.included_at.is_some_and(|at| at.file == number) {
                copies.push((copy.included_end_line, index as u16));
            }
        }
        copies.sort_unstable();
        let mark = if depth == 0 { ' ' } else { 'C' };
        let mut copies = copies.into_iter().peekable();
        for (index, line) in file.lines.iter().enumerate() {
            let _ = writeln!(text, "{:>6}{mark} {}", index + 1, line.trim_end());
            while let Some((_, copied)) = copies.next_if(|(line, _)| *line <= index as u32 + 1) {
                self.copied(text, copied, depth);
            }
        }
        for (_, copied) in copies {
            self.copied(text, copied, depth);
        }
    }

    fn copied(&self, text: &mut String, number: u16, depth: usize) {
        let Some(file) = self.sources.file(number) else { return };
        let from = if file.kind == FileKind::Supplied { "supplied" } else { "copied" };
        if file.suppressed {
            let _ = writeln!(text, "      C   {} {from}, not listed", file.name);
        } else {
            let _ = writeln!(text, "      C   {} {from}", file.name);
            self.source(text, number, depth + 1);
        }
    }

    fn statistics(&self, text: &mut String) {
        let files = self.sources.files();
        let own = files.first().map_or(0, |file| file.lines.len());
        let copied: usize = files.iter().skip(1).map(|file| file.lines.len()).sum();
        let commands = self.tokens.iter().filter(|token| matches!(token.kind, TokenKind::Exec(_))).count();
        let mut row = |name: &str, value: usize| {
            let _ = writeln!(text, "  {name:<32}{value:>8}");
        };
        row("Source lines", own);
        row("Lines copied", copied);
        row("Members copied", files.len().saturating_sub(1));
        row("Tokens", self.tokens.len().saturating_sub(1));
        row("EXEC commands", commands);
        let (mut items, mut statements, mut procedures, mut storage) = (0, 0, 0, 0);
        let mut waiting: Vec<&Program> = self.programs.iter().collect();
        while let Some(program) = waiting.pop() {
            items += program.items.len();
            statements += program.statement_count as usize;
            procedures += program.procedures.len();
            storage += program.bases.iter().filter(|base| !base.image.is_empty()).map(|base| base.length as usize).sum::<usize>();
            waiting.extend(&program.nested);
        }
        row("Data items", items);
        row("Paragraphs and sections", procedures);
        row("Statements", statements);
        row("Bytes of initialised storage", storage);
        for severity in [Severity::Information, Severity::Warning, Severity::Error, Severity::Severe, Severity::Unrecoverable] {
            row(&format!("Messages of severity {}", severity.letter()), self.diagnostics.count(severity));
        }
        row("Return code", usize::from(self.diagnostics.return_code()));
    }
}

fn heading(text: &mut String, title: &str) {
    let _ = writeln!(text, "\n{title}\n{}", "-".repeat(title.chars().count()));
}

#[cfg(test)]
mod tests;
