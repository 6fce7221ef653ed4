//! Splits the input of SPUFI, DSNTEP2, DSNTEP4 and DSNTIAD into statements.
//!
//! A statement ends at the terminator, `;` unless `--#SET TERMINATOR c` in a line of its own changes it, or at the end of the text. Strings,
//! delimited names and comments may contain it. A line with an asterisk in its first column, between statements, is a comment. Where records
//! have sequence numbers in columns 73 to 80, the caller takes them away first.

/// One statement of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptStatement {
    /// Without the terminator and without the comments before its first word.
    pub text: String,
    /// Of its first byte in the input.
    pub offset: usize,
    /// Line of its first word, from 1.
    pub line: usize,
}

const SET_TERMINATOR: &str = "--#SET TERMINATOR";

/// The statements of `text` in order, empty ones left out.
pub fn script(text: &str, terminator: char) -> Vec<ScriptStatement> {
    let mut splitter = Splitter { text, at: 0, begin: None, end: 0, terminator, statements: Vec::new() };
    while splitter.at < text.len() {
        splitter.step();
    }
    splitter.finish();
    splitter.statements
}

struct Splitter<'a> {
    text: &'a str,
    at: usize,
    /// First byte of the current statement, once it has one.
    begin: Option<usize>,
    /// After its last byte that is not blank or comment.
    end: usize,
    terminator: char,
    statements: Vec<ScriptStatement>,
}

impl Splitter<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let first = rest.chars().next().expect("a caller checks the end");
        let is_line_start = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
        if rest.starts_with("--") {
            self.directive(rest);
            self.at += line_length(rest);
        } else if is_line_start && first == '*' && self.begin.is_none() {
            self.at += line_length(rest);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            // A comment that is not closed is an error of the statement, if there is one.
            self.at += comment.find("*/").map_or(rest.len(), |at| at + 4);
        } else if first == self.terminator {
            self.finish();
            self.at += first.len_utf8();
        } else if first == '\'' || first == '"' {
            let length = rest[1..].find(first).map_or(rest.len(), |at| at + 2);
            self.advance(length);
        } else if first.is_whitespace() {
            self.at += first.len_utf8();
        } else {
            self.advance(first.len_utf8());
        }
    }

    fn advance(&mut self, length: usize) {
        self.begin.get_or_insert(self.at);
        self.at += length;
        self.end = self.at;
    }

    /// `--#SET TERMINATOR c`; other directives, and comments, have no effect here.
    fn directive(&mut self, rest: &str) {
        let line = &rest[..line_length(rest)];
        let head = line.get(..SET_TERMINATOR.len()).unwrap_or_default();
        if head.eq_ignore_ascii_case(SET_TERMINATOR)
            && let Some(terminator) = line[SET_TERMINATOR.len()..].trim().chars().next()
        {
            self.finish();
            self.terminator = terminator;
        }
    }

    fn finish(&mut self) {
        let Some(begin) = self.begin.take() else { return };
        let line = self.text[..begin].matches('\n').count() + 1;
        self.statements.push(ScriptStatement { text: self.text[begin..self.end].to_string(), offset: begin, line });
    }
}

/// Bytes of the first line without its end.
fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}
