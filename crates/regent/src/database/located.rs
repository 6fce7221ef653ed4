//! Where in its input a statement failed, and the message that says so, in the form of a compiler's.

use std::fmt;

use sql::{ScriptStatement, SqlError};

/// The place of an error of SQL in a file or another input.
pub struct Located<'a> {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    source: &'a str,
    pub error: &'a SqlError,
}

impl<'a> Located<'a> {
    /// `first_line`: that of the input, where it is a part of a file. An error whose place is not known is at the first word.
    pub fn new(input: &'a str, first_line: usize, statement: &ScriptStatement, error: &'a SqlError) -> Located<'a> {
        let wanted = statement.offset + error.place.offset.unwrap_or(0).min(statement.text.len());
        let at = (0..=wanted.min(input.len())).rev().find(|at| input.is_char_boundary(*at)).unwrap_or(0);
        let begin = input[..at].rfind('\n').map_or(0, |end| end + 1);
        let source = input[begin..].lines().next().unwrap_or_default();
        let line = first_line + input[..begin].matches('\n').count();
        Located { line, column: input[begin..at].chars().count() + 1, source, error }
    }
}

impl fmt::Display for Located<'_> {
    /// `LINE:COLUMN: SQLCODE ...`, the source line, and a mark below the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Located { line, column, source, error } = self;
        let blanks: String = source.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        write!(f, "{line}:{column}: {error}\n{line:>6} | {source}\n{:>6} | {blanks}^", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_that_of_the_error_in_its_line() {
        let input = "-- X\nCREATE TABLE T (A INTEGER,\n  B VARCHER(20));\n";
        let statements = sql::script(input, ';');
        let error = sql::translate(&statements[0].text, &sql::DynamicOptions::default()).unwrap_err();
        let located = Located::new(input, 10, &statements[0], &error);
        let expected = "12:5: SQLCODE -204, SQLSTATE 42704: VARCHER is not a data type; did you mean VARCHAR?\n    12 |   B VARCHER(20));\n       |     ^";
        assert_eq!(located.to_string(), expected);
    }
}
