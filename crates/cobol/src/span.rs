//! Positions in the source. Every token, statement, operand and data item carries a [`Span`].
//!
//! Invariants: `file` indexes the table of source files of the compilation, in which each COPY has an entry of its own
//! (a copybook copied twice has two), so a span is never ambiguous; `line` and `column` count from 1; a span never
//! crosses a line (a longer construct is given by the span of its first word).

/// A place in the source: file inclusion, line, column and length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Span {
    /// Index into the compilation's table of source file inclusions; 0 is the main source file.
    pub file: u16,
    /// Column of the first character, from 1; 0 where the whole line is meant.
    pub column: u16,
    /// Line in that file, from 1.
    pub line: u32,
    /// Characters covered on the line; 0 where unknown.
    pub length: u16,
}

impl Span {
    pub const NONE: Span = Span { file: 0, column: 0, line: 0, length: 0 };

    pub const fn new(file: u16, line: u32, column: u16, length: u16) -> Span {
        Span { file, column, line, length }
    }
}
