//! The driver: turns the bytes of a program into one sequence of text words, with COPY and REPLACE carried out.
//!
//! Invariants: reading is line by line in source order, so a directive in a copybook affects what follows the COPY; a copybook that copies
//! itself, directly or through others, is reported and left out; the amount of text is bounded ([`Budget`]).

use super::budget::Budget;
use super::conditional::Conditional;
use super::copy::{CopyStatement, Found, ReplaceStatement, copy_statement, replace_statement, sql_include};
use super::detect::{Detected, detect};
use super::format::{Format, LineKind, LineReader, LogicalLine};
use super::replace::Replacer;
use super::words::{ScanState, TextWord, WordKind, scan_line};
use super::{CopyMember, CopyResolver, FileKind, SourceFile, SourceMap, supplied_member, supplied_names, text};
use crate::diagnostics::{Diagnostic, Diagnostics, MEMBER_MISSING, MEMBER_NOT_FOUND, Severity, meant};
use crate::options::{Options, SourceFormat};
use crate::span::Span;
use std::sync::Arc;

/// The deepest nesting of COPY.
const COPY_DEPTH_MAX: usize = 64;

/// A program after COPY and REPLACE.
pub struct Preprocessed {
    pub words: Vec<TextWord>,
    pub sources: SourceMap,
}

/// The rest of a line that is too long is not compiled.
fn refuse_cut_lines(format: Format, file: u16, lines: &[Box<str>], diagnostics: &mut Diagnostics) {
    for line in text::cut_lines(lines).filter(|_| format == Format::Free) {
        diagnostics.severe("LX0013", Span::new(file, line, 0, 0), "the line is too long: its rest is not compiled; divide it");
    }
}

/// Reads a program and everything it copies.
pub fn preprocess(
    name: &str,
    bytes: &[u8],
    options: &mut Options,
    resolver: &dyn CopyResolver,
    diagnostics: &mut Diagnostics,
) -> Preprocessed {
    let lines: Arc<[Box<str>]> = text::split_lines(&text::decode(bytes)).into();
    let detected = if options.format == SourceFormat::Detect { detect(&lines, None) } else { Detected::default() };
    let format = match options.format {
        SourceFormat::Fixed => Format::Fixed,
        SourceFormat::Free => Format::Free,
        SourceFormat::Detect => detected.format.unwrap_or(Format::Fixed),
    };
    detected.warn(format, 0, &lines, diagnostics);
    refuse_cut_lines(format, 0, &lines, diagnostics);
    let mut state = Preprocessor {
        sources: SourceMap::new(),
        options,
        resolver,
        diagnostics,
        conditional: Conditional::default(),
        open_members: Vec::new(),
        budget: Budget::default(),
        in_identification: true,
        comment_entry: false,
        comment_from_area_a: false,
    };
    let file = SourceFile {
        name: name.to_string(),
        kind: FileKind::Main,
        included_at: None,
        included_end_line: 0,
        suppressed: false,
        fixed: format == Format::Fixed,
        lines: lines.clone(),
        numbers: Vec::new(),
        excluded: Vec::new(),
    };
    state.sources.add(file);
    if !state.budget.take_lines(lines.len(), Span::new(0, 1, 0, 0), state.diagnostics) {
        return Preprocessed { words: Vec::new(), sources: state.sources };
    }
    let (start, more) = state.process_cards(&lines);
    state.sources.number(0, state.options.listing.numbers);
    if format == Format::Fixed && state.options.sequence {
        check_sequence(&lines, state.diagnostics);
    }
    state.conditional = Conditional::with_parameters(&state.options.defines);
    let mut reader = LineReader::new(lines, 0, format);
    reader.skip_to(start);
    reader.blank_out(more);
    let words = state.read_file(reader, 0);
    let words = replace_all(words, &mut state.budget, state.diagnostics);
    // A message about a part of a program would be worthless.
    let words = if state.budget.is_spent() { Vec::new() } else { words };
    Preprocessed { words, sources: state.sources }
}

struct Preprocessor<'a> {
    sources: SourceMap,
    options: &'a mut Options,
    resolver: &'a dyn CopyResolver,
    diagnostics: &'a mut Diagnostics,
    conditional: Conditional,
    /// Upper-case names of the members being read.
    open_members: Vec<String>,
    budget: Budget,
    /// Before the ENVIRONMENT, DATA or PROCEDURE DIVISION: comment entries are possible.
    in_identification: bool,
    comment_entry: bool,
    /// Its paragraph began in area A.
    comment_from_area_a: bool,
}

/// How far the words of a file have been searched for COPY.
#[derive(Default)]
struct Search {
    from: usize,
    in_exec: bool,
    /// How far the words behind an unfinished statement have been searched for its period, and whether that is inside pseudo-text.
    looked: usize,
    in_pseudo_text: bool,
}

/// An unfinished statement of so few words is simply read again with each line.
const REREAD_WORDS_MAX: usize = 64;

impl Search {
    /// Whether an unfinished COPY may be completed by the words read since the last attempt. Reading it again with each line would take
    /// time quadratic in its length.
    fn may_be_complete(&mut self, words: &[TextWord]) -> bool {
        let start = std::mem::replace(&mut self.looked, words.len()).clamp(self.from, words.len());
        let mut period = false;
        for (word, next) in words[start..].iter().zip(words[start..].iter().skip(1).map(Some).chain([None])) {
            self.in_pseudo_text ^= word.kind == WordKind::PseudoDelimiter;
            period |= !self.in_pseudo_text && word.is_symbol('.') && next.is_none_or(|next| next.spaced);
        }
        period || words.len() - self.from < REREAD_WORDS_MAX
    }

    /// Continues behind the words already read.
    fn advance(&mut self, count: usize) {
        self.from += count;
        (self.looked, self.in_pseudo_text) = (self.from, false);
    }
}

impl Preprocessor<'_> {
    /// Applies CBL and PROCESS statements at the head of the program; returns the index of the first line after the leading ones.
    fn process_cards(&mut self, lines: &[Box<str>]) -> (usize, Vec<usize>) {
        let (mut start, mut cards) = (0, Vec::new());
        for (index, line) in lines.iter().enumerate() {
            let text: String = line.chars().take(72).collect();
            let text = match text.get(..6) {
                Some(head) if !head.trim().is_empty() && head.trim().chars().all(|c| c.is_ascii_digit()) => text[6..].trim(),
                _ => text.trim(),
            };
            let (word, rest) = text.split_once([' ', ',']).unwrap_or((text, ""));
            if word.eq_ignore_ascii_case("CBL") || word.eq_ignore_ascii_case("PROCESS") {
                let (deck, span) = (self.options.deck, Span::new(0, index as u32 + 1, 0, 0));
                let unknown = self.options.apply(rest);
                if self.options.deck != deck {
                    self.options.deck = deck;
                    self.diagnostics.error("OP0002", span, "MDECK cannot be specified in a CBL or PROCESS statement; it is discarded");
                }
                for unknown in unknown {
                    self.diagnostics.error("OP0001", span, format!("{unknown} is not a compiler option; it is discarded"));
                }
                cards.push(index);
                start = if start == index { index + 1 } else { start };
            } else if !text.is_empty() && !text.starts_with('*') && line.chars().nth(6) != Some('*') {
                break;
            }
        }
        (start, cards)
    }

    /// The text words of a file with its copies.
    fn read_file(&mut self, mut reader: LineReader, file: u16) -> Vec<TextWord> {
        let mut words = Vec::new();
        let (mut scan, mut search) = (ScanState::default(), Search::default());
        let depth = self.conditional.depth();
        let mut left_out = (!self.conditional.active()).then_some(1);
        while let Some(line) = reader.next_line(self.diagnostics) {
            if line.kind == LineKind::Directive {
                self.leave_out(&mut left_out, file, line.first_line());
                self.directive(&line, file, &mut reader);
                left_out = (!self.conditional.active()).then_some(line.first_line() + 1);
                continue;
            }
            if !self.conditional.active() || is_listing_control(&line) || self.is_comment_entry(&line, reader.format) {
                continue;
            }
            let before = words.len();
            scan_line(&line, file, &mut scan, &mut words, self.diagnostics);
            let span = Span::new(file, line.first_line(), 0, 0);
            self.budget.take_words(&words[before..], span, self.diagnostics);
            self.copy_all(&mut words, &mut search, false, reader.format);
            if self.budget.is_spent() {
                return words;
            }
        }
        let last = self.sources.file(file).map_or(0, |file| file.lines.len() as u32);
        self.leave_out(&mut left_out, file, last + 1);
        self.copy_all(&mut words, &mut search, true, reader.format);
        if self.conditional.depth() != depth {
            self.diagnostics.severe("CD0002", Span::new(file, last, 0, 0), ">>IF or >>EVALUATE is not closed in this file");
            self.conditional.close_to(depth);
        }
        words
    }

    /// Notes the lines from the last directive up to this one when they are not compiled.
    fn leave_out(&mut self, from: &mut Option<u32>, file: u16, to: u32) {
        if let Some(from) = from.take() {
            self.sources.exclude(file, from, to - 1);
        }
    }

    /// A `>>` or `$` line.
    fn directive(&mut self, line: &LogicalLine, file: u16, reader: &mut LineReader) {
        let mark = self.diagnostics.mark();
        let mut words = Vec::new();
        scan_line(line, file, &mut ScanState::default(), &mut words, self.diagnostics);
        let body: Vec<TextWord> = words.into_iter().skip_while(|word| word.is_symbol('>') || word.is_symbol('$')).collect();
        let (number, column) = line.place(0);
        let span = Span::new(file, number, column, 2);
        let Some(first) = body.first() else { return };
        if first.is_word("SOURCE") || first.is_word("SET") {
            if self.conditional.active() {
                set_format(&body, reader);
                self.sources.set_fixed(file, reader.format == Format::Fixed);
            }
            self.diagnostics.rewind(mark);
            return;
        }
        match self.conditional.directive(&body) {
            Some(Ok(())) => {}
            Some(Err(text)) => self.diagnostics.severe("CD0001", span, text),
            // PAGE, LISTING, CALLINTERFACE, TURN, IMP and the like do not affect the program's meaning.
            None => self.diagnostics.rewind(mark),
        }
    }

    /// Whether a line belongs to AUTHOR, INSTALLATION, DATE-WRITTEN, DATE-COMPILED, SECURITY or REMARKS, whose text is free.
    fn is_comment_entry(&mut self, line: &LogicalLine, format: Format) -> bool {
        if !self.in_identification {
            return false;
        }
        let text: String = line.characters.iter().take(80).collect::<String>().to_ascii_uppercase();
        let first = text.split([' ', '.']).next().unwrap_or("");
        let rest = text[first.len()..].trim_start();
        let header = matches!(first, "AUTHOR" | "INSTALLATION" | "DATE-WRITTEN" | "DATE-COMPILED" | "SECURITY" | "REMARKS");
        let in_area_a = line.area_a && format == Format::Fixed;
        // A comment-entry may hold anything in area B, division headers included. Division headers are recognized there only if the
        // paragraph header of the comment-entry is itself in area B.
        if self.comment_entry && self.comment_from_area_a && !in_area_a {
            return true;
        }
        if header && rest.starts_with('.') {
            (self.comment_entry, self.comment_from_area_a) = (true, in_area_a);
            return true;
        }
        let division = rest.starts_with("DIVISION") || rest.starts_with("SECTION") || first == "PROGRAM-ID";
        if division && matches!(first, "ENVIRONMENT" | "DATA" | "PROCEDURE") {
            self.in_identification = false;
        }
        if self.comment_entry && (division || in_area_a) {
            self.comment_entry = false;
        }
        self.comment_entry
    }

    /// Replaces the COPY and INCLUDE statements that are complete by their text.
    fn copy_all(&mut self, words: &mut Vec<TextWord>, search: &mut Search, at_end: bool, format: Format) {
        while search.from < words.len() {
            let word = &words[search.from];
            let (mut found, mark) = (Found::No, self.diagnostics.mark());
            if word.kind == WordKind::Word && word.text.len() <= 8 {
                let issue = search.from > 0 && words[search.from - 1].is_word("ISSUE");
                if word.is_word("COPY") && !issue {
                    if !search.may_be_complete(words) && !at_end {
                        return;
                    }
                    found = copy_statement(&words[search.from..], search.in_exec, at_end, self.diagnostics);
                } else if word.is_word("EXEC") || word.is_word("EXECUTE") {
                    found = sql_include(&words[search.from..], at_end);
                    search.in_exec |= matches!(found, Found::No);
                } else if word.is_word("END-EXEC") {
                    search.in_exec = false;
                }
            }
            match found {
                Found::Incomplete => {
                    self.diagnostics.rewind(mark);
                    return;
                }
                Found::No => search.advance(1),
                Found::Yes(statement, length) => {
                    let included = statement.map(|statement| self.include(statement, format)).unwrap_or_default();
                    let count = included.len();
                    words.splice(search.from..search.from + length, included);
                    search.advance(count);
                }
            }
        }
    }

    /// The text of a COPY statement.
    fn include(&mut self, statement: CopyStatement, format: Format) -> Vec<TextWord> {
        let span = statement.span;
        let name = statement.name.to_uppercase();
        if self.open_members.len() >= COPY_DEPTH_MAX {
            self.diagnostics.severe("LI0007", span, format!("COPY is nested more than {COPY_DEPTH_MAX} deep; {name} is not copied"));
            return Vec::new();
        }
        if self.open_members.contains(&name) {
            self.diagnostics.severe("LI0007", span, format!("{name} copies itself; this COPY is ignored"));
            return Vec::new();
        }
        let Some((member, kind)) = self.find_member(&statement) else {
            let place = statement.library.as_ref().map(|library| format!(" of {library}")).unwrap_or_default();
            if self.diagnostics.member_is_missing(&name) {
                let searched = match self.resolver.searched() {
                    places if places.is_empty() => String::new(),
                    places => format!("; searched {}", places.join(", ")),
                };
                let known: Vec<String> = self.resolver.names().into_iter().chain(supplied_names()).collect();
                let near = meant(&name, known.iter().map(String::as_str));
                let text = match self.resolver.why_missing(&name) {
                    Some(why) => format!("{MEMBER_MISSING}{name}{place} was not found: {why}"),
                    None => format!("{MEMBER_MISSING}{name}{place} was not found{searched}{near}"),
                };
                self.diagnostics.push(Diagnostic::new(Severity::Severe, MEMBER_NOT_FOUND, statement.name_span, text));
            }
            return Vec::new();
        };
        let lines: Arc<[Box<str>]> = text::split_lines(&text::decode(&member.bytes)).into();
        let detected = detect(&lines, Some(format));
        let format = match (kind, self.options.format) {
            (FileKind::Supplied, _) => Format::Fixed,
            (_, SourceFormat::Fixed) => Format::Fixed,
            (_, SourceFormat::Free) => Format::Free,
            (_, SourceFormat::Detect) => detected.format.unwrap_or(format),
        };
        let file = SourceFile {
            name: member.name,
            kind,
            included_at: Some(span),
            included_end_line: statement.end_line,
            suppressed: statement.suppressed,
            fixed: format == Format::Fixed,
            lines: lines.clone(),
            numbers: Vec::new(),
            excluded: Vec::new(),
        };
        let Some(number) = self.sources.add(file) else {
            self.diagnostics.push(Diagnostic::new(Severity::Unrecoverable, "LI0009", span, "the program copies too many members"));
            return Vec::new();
        };
        self.sources.number(number, self.options.listing.numbers);
        if self.options.format == SourceFormat::Detect {
            detected.warn(format, number, &lines, self.diagnostics);
        }
        refuse_cut_lines(format, number, &lines, self.diagnostics);
        if !self.budget.take_lines(lines.len(), span, self.diagnostics) {
            return Vec::new();
        }
        self.open_members.push(name);
        let words = self.read_file(LineReader::new(lines, number, format), number);
        self.open_members.pop();
        if statement.replacing.is_empty() {
            return words;
        }
        let mut out = Vec::with_capacity(words.len());
        Replacer::new(statement.replacing).replace(&words, &mut out, &mut self.budget, self.diagnostics);
        out
    }

    fn find_member(&self, statement: &CopyStatement) -> Option<(CopyMember, FileKind)> {
        if let Some(member) = self.resolver.resolve(&statement.name, statement.library.as_deref()) {
            return Some((member, FileKind::Copybook));
        }
        let text = supplied_member(&statement.name)?;
        Some((CopyMember { name: statement.name.to_uppercase(), bytes: text.into_bytes() }, FileKind::Supplied))
    }
}

/// SEQUENCE: columns 1 to 6 must ascend in the EBCDIC sequence where they are not blank; one message reports how often they do not.
/// (Programming Guide, SEQUENCE option; message IGYLI0095.)
fn check_sequence(lines: &[Box<str>], diagnostics: &mut Diagnostics) {
    let page = &le::code_page::CCSID_037;
    let mut last: Option<Vec<u8>> = None;
    let (mut errors, mut first) = (0, 0);
    // A comment that begins in the sequence area has no sequence number.
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim_start().starts_with("*>")) {
        let Some(head) = line.get(..6).filter(|head| !head.trim().is_empty() && line.len() > 6) else { continue };
        let own = page.encode(head);
        if last.as_ref().is_some_and(|last| own <= *last) {
            errors += 1;
            first = if first == 0 { index as u32 + 1 } else { first };
        }
        last = Some(own);
    }
    if errors > 0 {
        let text =
            format!("{errors} sequence errors were found in columns 1 to 6; this is the first line that does not follow the one before it");
        diagnostics.warning("LI0095", Span::new(0, first, 1, 6), text);
    }
}

/// EJECT, SKIP1, SKIP2, SKIP3 and TITLE alone on a line, and *CBL or *CONTROL: they steer the listing.
fn is_listing_control(line: &LogicalLine) -> bool {
    let head = |index: usize| line.characters.get(index).map_or(' ', char::to_ascii_uppercase);
    if line.characters.len() > 80 || !matches!((head(0), head(1)), ('E', 'J') | ('S', 'K') | ('T', 'I') | ('*', 'C')) {
        return false;
    }
    let text: String = line.characters.iter().collect::<String>().to_ascii_uppercase();
    let bare = text.trim_end_matches('.').trim_end();
    matches!(bare, "EJECT" | "SKIP1" | "SKIP2" | "SKIP3")
        || text.starts_with("*CBL")
        || text.starts_with("*CONTROL")
        || text.strip_prefix("TITLE ").is_some_and(|rest| rest.trim_start().starts_with(['\'', '"']))
}

/// >>SOURCE [FORMAT] [IS] FREE | FIXED, and $SET SOURCEFORMAT"FREE".
fn set_format(words: &[TextWord], reader: &mut LineReader) {
    for word in &words[1..] {
        let text = word.text.trim_matches(['\'', '"', '(', ')']);
        if text.eq_ignore_ascii_case("FREE") {
            reader.format = Format::Free;
        } else if text.eq_ignore_ascii_case("FIXED") || text.eq_ignore_ascii_case("VARIABLE") {
            reader.format = Format::Fixed;
        }
    }
}

/// Carries out the REPLACE statements.
fn replace_all(words: Vec<TextWord>, budget: &mut Budget, diagnostics: &mut Diagnostics) -> Vec<TextWord> {
    if !words.iter().any(|word| word.is_word("REPLACE")) {
        return words;
    }
    let mut out: Vec<TextWord> = Vec::with_capacity(words.len());
    let mut active = Replacer::default();
    let (mut start, mut index) = (0, 0);
    while index < words.len() && !budget.is_spent() {
        let found = if words[index].is_word("REPLACE") { replace_statement(&words[index..], diagnostics) } else { Found::No };
        let Found::Yes(statement, length) = found else {
            index += 1;
            continue;
        };
        active.replace(&words[start..index], &mut out, budget, diagnostics);
        match statement {
            Some(ReplaceStatement::Replace { list, also: true }) => active.push(list),
            Some(ReplaceStatement::Replace { list, also: false }) => {
                active.clear();
                active.push(list);
            }
            Some(ReplaceStatement::Off { last: true }) => active.pop(),
            Some(ReplaceStatement::Off { last: false }) => active.clear(),
            None => {}
        }
        index += length;
        start = index;
    }
    active.replace(&words[start..], &mut out, budget, diagnostics);
    out
}

#[cfg(test)]
mod tests;
