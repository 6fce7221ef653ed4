//! The compiler listing: options, source with COPY expansion, messages, data map, cross reference, statistics.
//!
//! Invariants: a line is shown once for each time it was copied, under the line that copied it, with its own line number (the number that
//! messages and abends name); text suppressed by COPY SUPPRESS is not shown; the listing never changes what is compiled.

mod cross_reference;
mod data_map;
mod pages;
mod statements;

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::lexer::{Token, TokenKind};
use crate::options::Options;
use crate::program::Program;
use crate::source::{FileKind, SourceMap};
use statements::Verbs;
use std::fmt::Write as _;

/// The input of a listing.
#[derive(Clone, Copy)]
pub struct Listing<'a> {
    /// First words of the heading: compiler and release.
    pub title: &'a str,
    pub options: &'a Options,
    pub sources: &'a SourceMap,
    pub diagnostics: &'a Diagnostics,
    pub tokens: &'a [Token],
    /// The typed programs, as far as they exist.
    pub programs: &'a [Program],
    /// The generated code of each program, nested ones after the one that contains them. Empty if none was generated.
    pub code: &'a [GeneratedCode],
}

/// The code of one program, as the OFFSET and LIST parts show it.
#[derive(Clone, Debug, Default)]
pub struct GeneratedCode {
    /// By offset.
    pub places: Vec<CodePlace>,
    /// The intermediate code of its functions.
    pub text: String,
}

/// From this offset of the program on the code is that of the statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodePlace {
    pub offset: u32,
    pub statement: u32,
}

impl Listing<'_> {
    /// The whole listing, in pages.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let name = self.programs.first().map_or("", |program| &program.name);
        heading(&mut text, "Options in effect");
        for (word, reason) in self.options.in_effect() {
            let note = if reason.is_empty() { String::new() } else { format!("  (no effect: {reason})") };
            let _ = writeln!(text, "  {word}{note}");
        }
        if self.options.listing.source {
            heading(&mut text, "Source");
            self.source(&mut text, 0, 0);
        }
        let verbs = Verbs::new(self.tokens);
        let mut number = 0;
        for program in self.programs {
            self.program(&mut text, program, &verbs, &mut number);
        }
        heading(&mut text, "Messages");
        text.push_str(&self.diagnostics.render_flagged(self.sources, self.options));
        heading(&mut text, "Statistics");
        self.statistics(&mut text);
        let title = format!("{}  {name}  {}", self.title, self.sources.file_name(0));
        pages::paginate(&text, &title, self.options.listing.page_lines)
    }

    /// The parts about one program and those nested in it; `number` counts programs.
    fn program(&self, text: &mut String, program: &Program, verbs: &Verbs<'_>, number: &mut usize) {
        let (listing, name) = (&self.options.listing, &program.name);
        if let Some(form) = listing.map {
            heading(text, &format!("Data map of {name}"));
            data_map::render(text, program, form);
        }
        if let Some(extent) = listing.cross_reference {
            heading(text, &format!("Cross reference of {name}"));
            cross_reference::render(text, program, self.tokens, self.sources, extent);
        }
        if listing.verbs {
            heading(text, &format!("Verbs of {name}"));
            statements::verb_reference(text, program, verbs, self.sources);
        }
        if let Some(code) = self.code.get(*number) {
            if listing.offsets {
                heading(text, &format!("Offsets of {name}"));
                statements::offsets(text, code, program, verbs, self.sources);
            }
            if listing.code {
                heading(text, &format!("Generated code of {name}"));
                text.push_str(&code.text);
            }
        }
        *number += 1;
        for nested in &program.nested {
            self.program(text, nested, verbs, number);
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
        let mut embedded = self.embedded(number).into_iter().peekable();
        let mark = if depth == 0 { ' ' } else { 'C' };
        let mut copies = copies.into_iter().peekable();
        for (index, line) in file.lines.iter().enumerate() {
            let shown = self.sources.line_number(number, index as u32 + 1);
            let excluded = file.is_excluded(index as u32 + 1);
            if excluded && !self.options.listing.excluded {
                continue;
            }
            if excluded || !self.listing_control(text, line) {
                let line = if excluded { as_comment(line) } else { line.to_string() };
                let _ = writeln!(text, "{shown:>6}{mark} {}", line.trim_end());
                text.push_str(&"\n".repeat(self.options.listing.spacing.saturating_sub(1) as usize));
            }
            while let Some(message) = embedded.next_if(|message| message.span.line <= index as u32 + 1) {
                self.embed(text, message, shown);
            }
            while let Some((_, copied)) = copies.next_if(|(line, _)| *line <= index as u32 + 1) {
                self.copied(text, copied, depth);
            }
        }
        for (_, copied) in copies {
            self.copied(text, copied, depth);
        }
    }

    /// EJECT, SKIP1 to SKIP3 and TITLE are carried out and not shown.
    fn listing_control(&self, text: &mut String, line: &str) -> bool {
        let words = line.get(7..72.min(line.len())).unwrap_or("").trim().trim_end_matches('.');
        let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
        match first.to_ascii_uppercase().as_str() {
            "EJECT" if rest.is_empty() => text.push_str(&format!("{}\n", pages::NEW_PAGE)),
            "SKIP1" if rest.is_empty() => text.push('\n'),
            "SKIP2" if rest.is_empty() => text.push_str("\n\n"),
            "SKIP3" if rest.is_empty() => text.push_str("\n\n\n"),
            "TITLE" if rest.trim_start().starts_with(['\'', '"']) => {
                let _ = writeln!(text, "{}{}", pages::NEW_TITLE, rest.trim().trim_matches(['\'', '"']));
            }
            _ => return false,
        }
        true
    }

    /// FLAG(x,y): the messages of a file that are shown at their lines. Those of compiler options and of COPY are not.
    fn embedded(&self, number: u16) -> Vec<&Diagnostic> {
        let Some(least) = self.options.flag.and_then(|flag| flag.embedded) else { return Vec::new() };
        let sorted = self.diagnostics.sorted(self.sources);
        let shown = |message: &&Diagnostic| {
            let early = message.code.starts_with("OP") || message.code.starts_with("LI");
            message.span.file == number && !early && message.severity >= least && message.severity < Severity::Unrecoverable
        };
        sorted.into_iter().filter(shown).collect()
    }

    fn embed(&self, text: &mut String, message: &Diagnostic, line: u32) {
        let _ = writeln!(text, "=={line:06}==> {}  {}", message.identifier(), message.shown_text(self.options));
    }

    fn copied(&self, text: &mut String, number: u16, depth: usize) {
        let Some(file) = self.sources.file(number) else { return };
        let from = if file.kind == FileKind::Supplied { "supplied" } else { "copied" };
        if file.suppressed && self.options.listing.suppress {
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
        row("Bytes of initialized storage", storage);
        for severity in [Severity::Information, Severity::Warning, Severity::Error, Severity::Severe, Severity::Unrecoverable] {
            row(&format!("Messages of severity {}", severity.letter()), self.diagnostics.count(severity));
        }
        row("Return code", usize::from(self.diagnostics.return_code()));
    }
}

/// CONDCOMP(NOSKIPSRC): an uncompiled line, shown with the indicator of comments.
fn as_comment(line: &str) -> String {
    const INDICATOR: usize = 6;
    let blank = |(at, character): (usize, char)| if at == INDICATOR && character == ' ' { '*' } else { character };
    line.chars().enumerate().map(blank).collect()
}

fn heading(text: &mut String, title: &str) {
    let _ = writeln!(text, "\n{title}\n{}", "-".repeat(title.chars().count()));
}

#[cfg(test)]
mod tests;
