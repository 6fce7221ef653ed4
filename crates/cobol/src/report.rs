//! The parser's interface to the diagnostics: the only place that assigns message codes.
//!
//! Codes: the two letters name the division (ID, EN, DS, PS, XL, SQ), the number the class of problem; the text gives the details.

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::span::Span;

/// Diagnostics with the part of the program that is being compiled.
#[derive(Debug, Default)]
pub struct Report {
    pub diagnostics: Diagnostics,
    part: Part,
}

/// The part of the program messages are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Part {
    #[default]
    Identification,
    Environment,
    Data,
    Procedure,
    Command,
    Sql,
}

impl Part {
    fn code(self, severity: Severity) -> &'static str {
        let codes = match self {
            Part::Identification => ["ID1000", "ID1004", "ID1008", "ID1012"],
            Part::Environment => ["EN1000", "EN1004", "EN1008", "EN1012"],
            Part::Data => ["DS1000", "DS1004", "DS1008", "DS1012"],
            Part::Procedure => ["PS1000", "PS1004", "PS1008", "PS1012"],
            Part::Command => ["XL1000", "XL1004", "XL1008", "XL1012"],
            Part::Sql => ["SQ1000", "SQ1004", "SQ1008", "SQ1012"],
        };
        codes[(severity as usize).min(3)]
    }
}

impl Report {
    pub fn new(diagnostics: Diagnostics) -> Report {
        Report { diagnostics, part: Part::Identification }
    }

    /// From here on messages are about this part; returns the previous one.
    pub fn enter(&mut self, part: Part) -> Part {
        std::mem::replace(&mut self.part, part)
    }

    pub fn add(&mut self, severity: Severity, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(severity, self.part.code(severity), span, message));
    }

    pub fn information(&mut self, span: Span, message: impl Into<String>) {
        self.add(Severity::Information, span, message);
    }

    pub fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.add(Severity::Warning, span, message);
    }

    /// Wrong, but the program can be compiled under the assumption the message states.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.add(Severity::Error, span, message);
    }

    /// Wrong; no program.
    pub fn severe(&mut self, span: Span, message: impl Into<String>) {
        self.add(Severity::Severe, span, message);
    }

    /// Something is missing that a copy member may define; no program.
    pub fn unresolved(&mut self, span: Span, message: impl Into<String>) {
        let code = self.part.code(Severity::Severe);
        let message = Diagnostic::new(Severity::Severe, code, span, message);
        self.diagnostics.push(Diagnostic { unresolved: true, ..message });
    }

    /// A map without the data items that the copy of its mapset defines.
    pub fn unresolved_map(&mut self, span: Span, message: String, expected: String) {
        let code = self.part.code(Severity::Severe);
        let message = Diagnostic::new(Severity::Severe, code, span, message).expected(expected);
        self.diagnostics.push(Diagnostic { unresolved: true, ..message });
    }

    /// Found something else than expected.
    pub fn expected(&mut self, span: Span, found: &str, expected: &str) {
        let code = self.part.code(Severity::Severe);
        self.diagnostics.push(Diagnostic::new(Severity::Severe, code, span, format!("{found} is not valid here")).expected(expected));
    }

    /// Wrong in this way; what would be right.
    pub fn expected_at(&mut self, span: Span, message: &str, expected: &str) {
        let code = self.part.code(Severity::Severe);
        self.diagnostics.push(Diagnostic::new(Severity::Severe, code, span, message).expected(expected));
    }

    /// An error, with a second relevant place.
    pub fn related(&mut self, span: Span, message: impl Into<String>, other: Span, note: impl Into<String>) {
        let code = self.part.code(Severity::Severe);
        self.diagnostics.push(Diagnostic::new(Severity::Severe, code, span, message).related(other, note));
    }

    pub fn is_full(&self) -> bool {
        self.diagnostics.is_full()
    }
}
