//! The cross reference: every data name and procedure name, its definition and the lines that mention it. XREF(SHORT) leaves out names that
//! are never mentioned.
//!
//! It is sorted by name: a name defined twice has a line for each definition, and both show all places where the name is written.

use crate::lexer::{Token, TokenKind};
use crate::options::CrossReference;
use crate::program::{ProcedureKind, Program, Span};
use crate::source::SourceMap;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Width of the column of line numbers.
const PLACES_WIDTH: usize = 84;

pub fn render(text: &mut String, program: &Program, tokens: &[Token], sources: &SourceMap, extent: CrossReference) {
    let mut defined: BTreeSet<(&str, &str, Span)> = BTreeSet::new();
    for item in program.items.iter().filter(|item| &*item.name != "FILLER" && item.span.line > 0) {
        defined.insert((&item.name, "data", item.span));
    }
    for condition in &program.condition_names {
        defined.insert((&condition.name, "condition", condition.span));
    }
    for procedure in program.procedures.iter().filter(|procedure| !procedure.name.is_empty()) {
        let kind = if procedure.kind == ProcedureKind::Section { "section" } else { "paragraph" };
        defined.insert((&procedure.name, kind, procedure.span));
    }
    let mut mentions: FxHashMap<&str, Vec<Span>> = FxHashMap::default();
    collect(tokens, &mut mentions);
    let _ = writeln!(text, "  {:<32} {:<10} {:>8}  mentioned in lines", "name", "kind", "defined");
    for (name, kind, span) in defined {
        let others: Vec<String> =
            mentions.get(name).into_iter().flatten().filter(|place| **place != span).map(|place| sources.show_line(*place)).collect();
        if others.is_empty() && extent == CrossReference::Short {
            continue;
        }
        let _ = write!(text, "  {name:<32} {kind:<10} {:>8} ", sources.show_line(span));
        let mut width = 0;
        for place in dedup(others) {
            if width > 0 && width + place.len() + 1 > PLACES_WIDTH {
                let _ = write!(text, "\n{:55}", "");
                width = 0;
            }
            let _ = write!(text, " {place}");
            width += place.len() + 1;
        }
        text.push('\n');
    }
    let copied: Vec<_> = sources.files().iter().enumerate().skip(1).collect();
    if !copied.is_empty() {
        let _ = writeln!(text, "  copied members:");
        for (number, file) in copied {
            let _ = writeln!(text, "  {number:>4}: {}", file.name);
        }
    }
}

fn dedup(mut places: Vec<String>) -> Vec<String> {
    places.dedup();
    places
}

fn collect<'a>(tokens: &'a [Token], mentions: &mut FxHashMap<&'a str, Vec<Span>>) {
    for token in tokens {
        match &token.kind {
            TokenKind::Word(word) => mentions.entry(word).or_default().push(token.span),
            TokenKind::Number(number) => mentions.entry(&number.text).or_default().push(token.span),
            TokenKind::Exec(block) => collect(&block.tokens, mentions),
            _ => {}
        }
    }
}
