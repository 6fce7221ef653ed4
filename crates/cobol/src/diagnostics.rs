//! The compiler's messages about a program, each with a severity, a place and the source line; and the return code.
//!
//! A message has an identifier in the manner of the host compiler, `RGTxxnnnn-S`: two letters for the part that found it (LI copy library,
//! DS data division, PS procedure division, XL command translator ...), a number and the severity. The wording is ours. Invariants:
//! [`Diagnostics::sorted`] is in source order; at most as many messages as the error limit are kept (the rest are counted); two equal
//! messages at one place count as one; the return code is that of the most severe message, kept or not.

use crate::options::Options;
pub use crate::severity::Severity;
use crate::source_map::SourceMap;
use crate::span::Span;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Letters of the shortest name for which another is suggested: shorter ones are like too many others.
const NEAR_LENGTH_MIN: usize = 4;

/// What to add to the message about an unknown name: the known name that was probably meant.
pub fn meant<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let near = (name.len() >= NEAR_LENGTH_MIN).then(|| exec::nearest(name, known)).flatten();
    exec::did_you_mean(near)
}

/// One message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    /// Two letters and four digits: `PS0101`.
    pub code: &'static str,
    pub span: Span,
    /// The error, in one sentence without a final period.
    pub text: String,
    /// The correct form, if it is short.
    pub expected: Option<String>,
    /// Another relevant place (a first definition, the start of an unfinished construct), with its description.
    pub related: Option<(Span, String)>,
    /// A name is missing that a copy member may define: not shown when a copy member was not found.
    pub unresolved: bool,
}

impl Diagnostic {
    pub fn new(severity: Severity, code: &'static str, span: Span, text: impl Into<String>) -> Diagnostic {
        Diagnostic { severity, code, span, text: text.into(), expected: None, related: None, unresolved: false }
    }

    /// Adds what was expected.
    pub fn expected(mut self, expected: impl Into<String>) -> Diagnostic {
        self.expected = Some(expected.into());
        self
    }

    /// Points at another place.
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related = Some((span, text.into()));
        self
    }

    /// The text in the form of LANGUAGE(ENGLISH) or LANGUAGE(UPPERENGLISH).
    pub fn shown_text(&self, options: &Options) -> String {
        if options.listing.upper_case { self.text.to_uppercase() } else { self.text.clone() }
    }

    /// `RGTPS0101-S`.
    pub fn identifier(&self) -> String {
        format!("RGT{}-{}", self.code, self.severity.letter())
    }
}

/// A message as its parts, for programs that read messages.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Located {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 for the whole line.
    pub column: u32,
    /// In a word: `warning`, `error`, `severe` ...
    pub severity: String,
    /// `RGTPS0101-S`; empty where messages have no identifiers.
    pub code: String,
    pub text: String,
}

/// The message about a copy member that is not found, and its first words; the name of the member follows.
pub(crate) const MEMBER_NOT_FOUND: &str = "LI0008";
pub(crate) const MEMBER_MISSING: &str = "the copy member ";

impl Located {
    /// The copy member that was not found, if that is what the message says.
    pub fn missing_member(&self) -> Option<&str> {
        let rest = self.text.strip_prefix(MEMBER_MISSING).filter(|_| self.code.contains(MEMBER_NOT_FOUND))?;
        rest.split_whitespace().next()
    }
}

/// The messages of a compilation.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    messages: Vec<Diagnostic>,
    limit: usize,
    dropped: usize,
    worst: Option<Severity>,
    /// Upper-case names of the copy members that were not found.
    missing_members: Vec<String>,
    /// Messages left out because a copy member was not found.
    following: usize,
}

/// The position in the messages, for [`Diagnostics::rewind`].
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    messages: usize,
    dropped: usize,
    worst: Option<Severity>,
    missing_members: usize,
    following: usize,
}

impl Default for Diagnostics {
    fn default() -> Diagnostics {
        Diagnostics::new(500)
    }
}

impl Diagnostics {
    /// Keeps up to `limit` messages.
    pub fn new(limit: u32) -> Diagnostics {
        Diagnostics {
            messages: Vec::new(),
            limit: limit.max(1) as usize,
            dropped: 0,
            worst: None,
            missing_members: Vec::new(),
            following: 0,
        }
    }

    /// Notes a copy member that was not found; false when it was missing before. From here on names that are not defined are
    /// counted only: the member may define them.
    pub fn member_is_missing(&mut self, name: &str) -> bool {
        let new = !self.missing_members.iter().any(|missing| missing == name);
        if new {
            self.missing_members.push(name.to_string());
        }
        new
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.worst = self.worst.max(Some(diagnostic.severity));
        if diagnostic.unresolved && !self.missing_members.is_empty() {
            self.following += 1;
            return;
        }
        if self.messages.len() < self.limit {
            let recent = self.messages.len().saturating_sub(64);
            if !self.messages[recent..].contains(&diagnostic) {
                self.messages.push(diagnostic);
            }
        } else {
            self.dropped += 1;
        }
    }

    pub fn information(&mut self, code: &'static str, span: Span, text: impl Into<String>) {
        self.push(Diagnostic::new(Severity::Information, code, span, text));
    }

    pub fn warning(&mut self, code: &'static str, span: Span, text: impl Into<String>) {
        self.push(Diagnostic::new(Severity::Warning, code, span, text));
    }

    /// A warning that is given once for all places where it applies.
    pub fn warning_once(&mut self, code: &'static str, span: Span, text: impl Into<String>) {
        let text = text.into();
        if !self.messages.iter().any(|message| message.code == code && message.text == text) {
            self.warning(code, span, text);
        }
    }

    pub fn error(&mut self, code: &'static str, span: Span, text: impl Into<String>) {
        self.push(Diagnostic::new(Severity::Error, code, span, text));
    }

    pub fn severe(&mut self, code: &'static str, span: Span, text: impl Into<String>) {
        self.push(Diagnostic::new(Severity::Severe, code, span, text));
    }

    /// Whether the error limit was reached, so that compilation should stop.
    pub fn is_full(&self) -> bool {
        self.dropped > 0
    }

    /// Whether a message forbids producing a program.
    pub fn forbids_code(&self) -> bool {
        self.reaches(Severity::Severe)
    }

    /// Whether there is a message of this severity or a worse one.
    pub fn reaches(&self, severity: Severity) -> bool {
        self.worst >= Some(severity)
    }

    /// 0, 4, 8, 12 or 16.
    pub fn return_code(&self) -> u8 {
        self.worst.map_or(0, Severity::return_code)
    }

    pub fn len(&self) -> usize {
        self.messages.len()
    }

    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Messages that were counted but not kept.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    pub fn count(&self, severity: Severity) -> usize {
        self.messages.iter().filter(|message| message.severity == severity).count()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.messages.iter()
    }

    /// Messages that were left out because a copy member was not found.
    pub fn following(&self) -> usize {
        self.following
    }

    /// A position for [`Diagnostics::rewind`], for trying one reading and then another.
    pub fn mark(&self) -> Mark {
        Mark {
            messages: self.messages.len(),
            dropped: self.dropped,
            worst: self.worst,
            missing_members: self.missing_members.len(),
            following: self.following,
        }
    }

    /// Drops the messages reported since the mark.
    pub fn rewind(&mut self, mark: Mark) {
        self.messages.truncate(mark.messages);
        self.missing_members.truncate(mark.missing_members);
        (self.dropped, self.worst, self.following) = (mark.dropped, mark.worst, mark.following);
    }

    /// Adds to each message about a fixed-format line with text beyond column 72 that the rest is not read.
    pub fn name_cut_text(&mut self, sources: &SourceMap) {
        for message in self.messages.iter_mut().filter(|message| message.severity >= Severity::Error) {
            if let Some(rest) = sources.cut_text(message.span) {
                let _ = write!(message.text, " (text of a line ends in column 72: `{rest}` from column 73 on is not read)");
            }
        }
    }

    /// In the order of the source (a copybook's messages at its COPY), the most severe first at one place.
    pub fn sorted<'a>(&'a self, sources: &SourceMap) -> Vec<&'a Diagnostic> {
        let mut keyed: Vec<_> = self.messages.iter().map(|message| (sources.position_key(message.span), message)).collect();
        keyed.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.severity.cmp(&a.1.severity)));
        keyed.into_iter().map(|(_, message)| message).collect()
    }

    /// All messages as readable text, with source lines and a last line of counts.
    pub fn render(&self, sources: &SourceMap) -> String {
        self.render_those(sources, &|_| true, &|message| message.text.clone())
    }

    /// The messages selected by FLAG, in the LANGUAGE requested. Messages about the options themselves are always shown.
    pub fn render_flagged(&self, sources: &SourceMap, options: &Options) -> String {
        let wanted =
            |message: &Diagnostic| message.code.starts_with("OP") || options.flag.is_some_and(|flag| message.severity >= flag.listed);
        self.render_those(sources, &wanted, &|message| message.shown_text(options))
    }

    fn render_those(&self, sources: &SourceMap, wanted: &dyn Fn(&Diagnostic) -> bool, words: &dyn Fn(&Diagnostic) -> String) -> String {
        let mut text = String::new();
        for message in self.sorted(sources).into_iter().filter(|message| wanted(message)) {
            render_one(&mut text, message, &words(message), sources);
        }
        if self.dropped > 0 {
            let _ = writeln!(text, "{} more messages are not shown", self.dropped);
        }
        if self.following > 0 {
            let (s, they) = if self.following == 1 { ("", "it may follow") } else { ("s", "they may follow") };
            let (are, copies) = if self.following == 1 { ("is", self.missing_members.len()) } else { ("are", self.missing_members.len()) };
            let members = if copies == 1 { "member that was" } else { "members that were" };
            let _ = writeln!(text, "{} more message{s} {are} not shown: {they} from the copy {members} not found", self.following);
        }
        text
    }

    /// The messages selected by FLAG, in parts; all of them without options.
    pub fn located(&self, sources: &SourceMap, options: Option<&Options>) -> Vec<Located> {
        let wanted = |message: &&Diagnostic| {
            message.code.starts_with("OP") || options.is_none_or(|options| options.flag.is_some_and(|flag| message.severity >= flag.listed))
        };
        let located = |message: &Diagnostic| Located {
            file: sources.file_name(message.span.file).to_string(),
            line: sources.line_number(message.span.file, message.span.line),
            column: u32::from(message.span.column),
            severity: message.severity.word().to_string(),
            code: message.identifier(),
            text: match &message.expected {
                Some(expected) => format!("{}; expected {expected}", message.text),
                None => message.text.clone(),
            },
        };
        self.sorted(sources).into_iter().filter(wanted).map(located).collect()
    }

    /// All messages as a JSON array.
    pub fn to_json(&self, sources: &SourceMap) -> serde_json::Value {
        let place = |span: Span| JsonPlace {
            file: sources.file_name(span.file).to_string(),
            line: span.line,
            column: span.column,
            length: span.length,
        };
        let list: Vec<JsonDiagnostic> = self
            .sorted(sources)
            .into_iter()
            .map(|message| JsonDiagnostic {
                id: message.identifier(),
                severity: message.severity.letter(),
                place: place(message.span),
                text: &message.text,
                expected: message.expected.as_deref(),
                source: sources.line_text(message.span.file, message.span.line).to_string(),
                copied_from: sources.copy_chain(message.span.file).into_iter().map(place).collect(),
                related: message.related.as_ref().map(|(span, text)| JsonRelated { place: place(*span), text }),
            })
            .collect();
        serde_json::to_value(list).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct JsonPlace {
    file: String,
    line: u32,
    column: u16,
    length: u16,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    #[serde(flatten)]
    place: JsonPlace,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    id: String,
    severity: char,
    #[serde(flatten)]
    place: JsonPlace,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
    source: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    copied_from: Vec<JsonPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    related: Option<JsonRelated<'a>>,
}

fn render_one(text: &mut String, message: &Diagnostic, words: &str, sources: &SourceMap) {
    let span = message.span;
    let _ = write!(text, "{}:{}", sources.file_name(span.file), sources.line_number(span.file, span.line));
    if span.column > 0 {
        let _ = write!(text, ":{}", span.column);
    }
    let _ = write!(text, ": {} {words}", message.identifier());
    if let Some(expected) = &message.expected {
        let _ = write!(text, "; expected {expected}");
    }
    text.push('\n');
    render_line(text, span, sources);
    for place in sources.copy_chain(span.file) {
        let _ = writeln!(text, "      copied at {}:{}", sources.file_name(place.file), sources.line_number(place.file, place.line));
    }
    if let Some((span, note)) = &message.related {
        let line = sources.line_number(span.file, span.line);
        let _ = writeln!(text, "  {}:{line}:{}: {note}", sources.file_name(span.file), span.column);
        render_line(text, *span, sources);
    }
}

/// The source line and a caret under the place.
fn render_line(text: &mut String, span: Span, sources: &SourceMap) {
    let line = sources.line_text(span.file, span.line);
    if line.trim().is_empty() {
        return;
    }
    let _ = writeln!(text, "{:>6} | {}", sources.line_number(span.file, span.line), line.trim_end());
    if span.column > 0 {
        let left = line.chars().count().saturating_sub(usize::from(span.column) - 1);
        let carets = usize::from(span.length.max(1)).min(left.max(1));
        let _ = writeln!(text, "{:>6} | {}{}", "", " ".repeat(usize::from(span.column) - 1), "^".repeat(carets));
    }
}

#[cfg(test)]
mod tests;
