//! The text of commands: lines joined by continuation, comments removed, operands with arguments in parentheses (z/OS TSO/E Command Reference,
//! Syntax).
//!
//! Invariant: no text makes this fail other than by an error; length, count and depth are bounded.

use super::report::{CommandError, failed};

/// The longest command, in bytes.
pub const COMMAND_LENGTH_MAX: usize = 32_767;
/// Parentheses within parentheses.
const DEPTH_MAX: usize = 4;

/// A word or string with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Operand {
    /// Empty for a list in parentheses that no word precedes.
    pub word: String,
    /// Whether it stood in quotation marks, which keep its case.
    pub is_quoted: bool,
    pub arguments: Option<Vec<Operand>>,
}

/// Joins the lines of a file to commands: a hyphen or plus sign at the end continues a line, a plus sign without the blanks before the next.
/// The number of the first line of each stands with it. Blank lines and those of comments alone are left out.
pub fn commands_of_lines(text: &str) -> Vec<(usize, String)> {
    let mut commands = Vec::new();
    let mut open: Option<(usize, String, bool)> = None;
    for (number, line) in text.lines().enumerate() {
        let (first, mut joined, strips) = open.take().unwrap_or((number + 1, String::new(), false));
        joined.push_str(if strips { line.trim_start() } else { line });
        let trimmed = joined.trim_end();
        match trimmed.strip_suffix(['-', '+']).filter(|_| !ends_in_comment(trimmed)) {
            Some(continued) => open = Some((first, continued.to_string(), trimmed.ends_with('+'))),
            None => commands.push((first, joined)),
        }
    }
    commands.extend(open.map(|(number, joined, _)| (number, joined)));
    commands.retain(|(_, command)| !without_comments(command).trim().is_empty());
    commands
}

/// Whether a text ends within a comment, where a hyphen continues nothing.
fn ends_in_comment(text: &str) -> bool {
    text.rfind("/*").is_some_and(|start| !text[start..].contains("*/"))
}

/// The text with a blank for each comment outside quotation marks. A comment that is not closed reaches to the end.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let (mut rest, mut is_quoted) = (text, false);
    while let Some(character) = rest.chars().next() {
        if !is_quoted && rest.starts_with("/*") {
            rest = rest.get(2..).and_then(|inside| inside.split_once("*/")).map_or("", |(_, behind)| behind);
            kept.push(' ');
            continue;
        }
        is_quoted ^= character == '\'';
        kept.push(character);
        rest = &rest[character.len_utf8()..];
    }
    kept
}

/// The name of a command and its operands.
pub(crate) fn parse(text: &str) -> Result<(String, Vec<Operand>), CommandError> {
    if text.len() > COMMAND_LENGTH_MAX {
        return Err(failed(TOO_LONG, format!("THE COMMAND IS LONGER THAN {COMMAND_LENGTH_MAX} BYTES")));
    }
    let text = without_comments(text);
    let mut scanner = Scanner { rest: &text };
    let mut operands = scanner.operands(0)?.into_iter();
    let name = operands.next().filter(|first| first.arguments.is_none() && !first.word.is_empty());
    let name = name.ok_or_else(|| failed(SYNTAX, "A COMMAND IS EXPECTED"))?;
    Ok((name.word.to_ascii_uppercase(), operands.collect()))
}

const SYNTAX: u16 = 1;
const TOO_LONG: u16 = 2;

struct Scanner<'a> {
    rest: &'a str,
}

impl Scanner<'_> {
    /// Operands up to the end or the closing parenthesis.
    fn operands(&mut self, depth: usize) -> Result<Vec<Operand>, CommandError> {
        let mut operands = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches(|character: char| character.is_whitespace() || character == ',');
            match self.rest.chars().next() {
                None if depth > 0 => return Err(failed(SYNTAX, "A CLOSING PARENTHESIS IS MISSING")),
                None => return Ok(operands),
                Some(')') if depth == 0 => return Err(failed(SYNTAX, "A CLOSING PARENTHESIS HAS NO OPENING ONE")),
                Some(')') => {
                    self.rest = &self.rest[1..];
                    return Ok(operands);
                }
                Some('\'') => {
                    let word = self.string()?;
                    operands.push(Operand { word, is_quoted: true, arguments: None });
                }
                Some(_) => {
                    let word = self.word();
                    let arguments = if self.rest.starts_with('(') { Some(self.arguments(depth)?) } else { None };
                    operands.push(Operand { word, is_quoted: false, arguments });
                }
            }
        }
    }

    fn arguments(&mut self, depth: usize) -> Result<Vec<Operand>, CommandError> {
        if depth == DEPTH_MAX {
            return Err(failed(SYNTAX, "TOO MANY PARENTHESES WITHIN PARENTHESES"));
        }
        self.rest = &self.rest[1..];
        self.operands(depth + 1)
    }

    fn word(&mut self) -> String {
        let end = self.rest.find(|character: char| character.is_whitespace() || "(),".contains(character)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.to_string()
    }

    /// A string in quotation marks, two of which stand for one.
    fn string(&mut self) -> Result<String, CommandError> {
        let mut text = String::new();
        let mut rest = &self.rest[1..];
        loop {
            let (part, behind) = rest.split_once('\'').ok_or_else(|| failed(SYNTAX, "A CLOSING QUOTATION MARK IS MISSING"))?;
            text.push_str(part);
            rest = behind;
            match rest.strip_prefix('\'') {
                Some(behind) => {
                    text.push('\'');
                    rest = behind;
                }
                None => break,
            }
        }
        self.rest = rest;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(operands: &[Operand]) -> String {
        let one = |operand: &Operand| match &operand.arguments {
            Some(arguments) => format!("{}[{}]", operand.word, shown(arguments)),
            None => operand.word.clone(),
        };
        operands.iter().map(one).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn operands_have_arguments_and_strings() {
        let (name, operands) = parse("adduser (alice,BOB) name('O''HARA') /* a comment */ CICS(OPCLASS(1 2)) special").unwrap();
        assert_eq!(name, "ADDUSER");
        assert_eq!(shown(&operands), "[alice|BOB]|name[O'HARA]|CICS[OPCLASS[1|2]]|special");
        let (_, operands) = parse("RDEF TCICSTRN (CEMT CESN) UACC(NONE)").unwrap();
        assert_eq!(shown(&operands), "TCICSTRN|[CEMT|CESN]|UACC[NONE]");
        for wrong in ["", "  ", "(A)", "A B(", "A B)", "A 'B", "A B((((((C))))))", "/* A"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse(&format!("A B{}C{}", "(".repeat(DEPTH_MAX), ")".repeat(DEPTH_MAX))).is_ok());
        assert!(parse(&format!("A B{}C{}", "(".repeat(DEPTH_MAX + 1), ")".repeat(DEPTH_MAX + 1))).is_err());
        let long = |length: usize| format!("A {}", "B".repeat(length - 2));
        assert!(parse(&long(COMMAND_LENGTH_MAX)).is_ok() && parse(&long(COMMAND_LENGTH_MAX + 1)).is_err());
    }

    #[test]
    fn lines_are_continued() {
        let text = "/* users */\nADDUSER ALICE -\n  DFLTGRP(SYS1)\n\nADDUSER BO+\n   B NAME('B - C')\nLU * /* x -\nEND -";
        let expected = [(2, "ADDUSER ALICE   DFLTGRP(SYS1)"), (5, "ADDUSER BOB NAME('B - C')"), (7, "LU * /* x -"), (8, "END ")];
        assert_eq!(commands_of_lines(text), expected.map(|(number, text)| (number, text.to_string())));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in "[A-Z '(),*/\\-+\n]{0,200}") {
            for (_, command) in commands_of_lines(&text) {
                let _ = parse(&command);
            }
        }

        #[test]
        fn any_characters_are_parsed_or_refused(text in ".{0,200}") {
            for (_, command) in commands_of_lines(&text) {
                let _ = parse(&command);
            }
        }
    }
}
