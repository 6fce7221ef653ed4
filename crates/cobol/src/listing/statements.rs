//! The listing's parts about statements: VBREF, OFFSET and LIST.

use super::GeneratedCode;
use crate::lexer::{Token, TokenKind};
use crate::program::{Program, Span, Statement, each_statement};
use crate::source::SourceMap;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Entries of the OFFSET part on one line.
const OFFSETS_IN_A_LINE: usize = 3;
const PLACES_IN_A_LINE: usize = 12;

/// The words that begin statements, by their place.
pub struct Verbs<'a> {
    words: FxHashMap<Span, &'a str>,
}

impl<'a> Verbs<'a> {
    pub fn new(tokens: &'a [Token]) -> Verbs<'a> {
        let words = tokens.iter().filter_map(|token| match &token.kind {
            TokenKind::Word(word) => Some((token.span, &**word)),
            TokenKind::Exec(_) => Some((token.span, "EXEC")),
            _ => None,
        });
        Verbs { words: words.collect() }
    }

    /// The verb of a statement; a statement added by the compiler has none.
    fn of(&self, statement: &Statement) -> Option<&'a str> {
        self.words.get(&statement.span).copied()
    }
}

/// VBREF: every verb, with the number and places of its uses.
pub fn verb_reference(text: &mut String, program: &Program, verbs: &Verbs<'_>, sources: &SourceMap) {
    let mut places: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for procedure in &program.procedures {
        each_statement(&procedure.statements, &mut |statement| {
            if let Some(verb) = verbs.of(statement) {
                places.entry(verb).or_default().push(statement.span);
            }
        });
    }
    let _ = writeln!(text, "  {:>5}  {:<14} used in lines", "count", "verb");
    for (verb, mut spans) in places {
        spans.sort_unstable();
        spans.dedup();
        let shown: Vec<String> = spans.iter().map(|span| sources.show_line(*span)).collect();
        for (index, lines) in shown.chunks(PLACES_IN_A_LINE).enumerate() {
            let (count, verb) = if index == 0 { (shown.len().to_string(), verb) } else { (String::new(), "") };
            let _ = writeln!(text, "  {count:>5}  {verb:<14} {}", lines.join(" "));
        }
    }
}

/// OFFSET: line, offset of its code from the start of the program, and verb, in the order of the code. A statement is listed each time its
/// code begins.
pub fn offsets(text: &mut String, code: &GeneratedCode, program: &Program, verbs: &Verbs<'_>, sources: &SourceMap) {
    let mut statements: FxHashMap<u32, &Statement> = FxHashMap::default();
    for procedure in &program.procedures {
        each_statement(&procedure.statements, &mut |statement| {
            // Of an expanded statement the first part names the verb.
            statements.entry(statement.number).or_insert(statement);
        });
    }
    let mut entries = Vec::new();
    let mut last = None;
    for place in &code.places {
        let Some(statement) = statements.get(&place.statement) else { continue };
        let verb = verbs.of(statement);
        if last != Some(place.statement) {
            entries.push(format!("{:>6}  {:06X}  {:<14}", sources.show_line(statement.span), place.offset, verb.unwrap_or("")));
        }
        last = Some(place.statement);
    }
    let heading = ["  LINE  HEXLOC  VERB          "; OFFSETS_IN_A_LINE].join("  ");
    let _ = writeln!(text, "  {}", heading.trim_end());
    for line in entries.chunks(OFFSETS_IN_A_LINE) {
        let _ = writeln!(text, "  {}", line.join("  ").trim_end());
    }
}
