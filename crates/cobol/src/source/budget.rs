//! The bound on the text of a program: a small source can copy and replace itself to any size.
//!
//! Invariants: every line read and every text word made by COPY and REPLACE is counted once; the first one beyond the bound is reported
//! with its place, and reading and replacing stop there.

use super::words::TextWord;
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::span::Span;

/// Lines of a program with everything it copies. (Language Reference, Compiler limits: size of program 999,999 lines.)
pub const LINES_MAX: usize = 999_999;
/// Text words after COPY and REPLACE: four on each of those lines.
const WORDS_MAX: usize = 4_000_000;
/// Bytes of those words: as many as the text area of those lines holds (columns 8 to 72).
pub const BYTES_MAX: usize = LINES_MAX * 65;

/// The amount of text read, and whether it was too much.
#[derive(Default, Debug)]
pub struct Budget {
    lines: usize,
    words: usize,
    bytes: usize,
    spent: bool,
}

impl Budget {
    /// The limit is reached: reading must stop.
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Counts the lines of a file before it is read; false when they are too many.
    pub fn take_lines(&mut self, lines: usize, at: Span, diagnostics: &mut Diagnostics) -> bool {
        self.lines += lines;
        if self.lines > LINES_MAX {
            self.refuse(at, format!("the program has more than {LINES_MAX} lines with what it copies"), diagnostics);
        }
        !self.spent
    }

    /// Counts words read from a line or inserted by a replacement; false if there are too many.
    pub fn take_words(&mut self, words: &[TextWord], at: Span, diagnostics: &mut Diagnostics) -> bool {
        self.words += words.len();
        self.bytes += words.iter().map(|word| word.text.len()).sum::<usize>();
        if self.words > WORDS_MAX {
            self.refuse(at, format!("the program has more than {WORDS_MAX} words after COPY and REPLACE"), diagnostics);
        } else if self.bytes > BYTES_MAX {
            self.refuse(at, format!("the program has more than {BYTES_MAX} bytes after COPY and REPLACE"), diagnostics);
        }
        !self.spent
    }

    /// Reports the excess, once.
    fn refuse(&mut self, at: Span, what: String, diagnostics: &mut Diagnostics) {
        if !std::mem::replace(&mut self.spent, true) {
            let text = format!("{what}; nothing more is read");
            diagnostics.push(Diagnostic::new(Severity::Unrecoverable, "LI0010", at, text));
        }
    }
}
