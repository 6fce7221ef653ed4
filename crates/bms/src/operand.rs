//! Operands of a macro call: `KEY=value` with words, quoted strings (`''` and `&&` stand for one), typed strings (`X'41'`) and
//! sublists in parentheses. Nesting is bounded; any input ends in operands and messages, never a panic.

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Mark, Statement};

const NESTING_MAX: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// Upper case; empty for a positional operand.
    pub key: String,
    pub value: Value,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Upper case.
    Word(String),
    /// Contents of a quoted string; `kind` is the letter before it (X, C, G) in upper case or empty.
    Text {
        kind: String,
        text: String,
    },
    List(Vec<Value>),
}

impl Value {
    /// Words of a list, or the one word.
    pub fn words(&self) -> Option<Vec<&str>> {
        match self {
            Value::Word(word) => Some(vec![word]),
            Value::List(items) => items.iter().map(Value::word).collect(),
            Value::Text { .. } => None,
        }
    }

    pub fn word(&self) -> Option<&str> {
        if let Value::Word(word) = self { Some(word) } else { None }
    }

    pub fn number(&self) -> Option<u32> {
        self.word()?.parse().ok()
    }
}

/// The operands of a statement; faults are reported and the operand left out.
pub fn operands(file: &str, statement: &Statement, diagnostics: &mut Vec<Diagnostic>) -> Vec<Operand> {
    let mut parser = Parser { file, marks: &statement.operands, next: 0, diagnostics };
    let mut operands = Vec::new();
    while parser.next < parser.marks.len() {
        if parser.marks[parser.next].character == ',' {
            parser.next += 1;
            continue;
        }
        if let Some(operand) = parser.operand() {
            operands.push(operand);
        }
        parser.skip_to_separator();
    }
    operands
}

struct Parser<'a> {
    file: &'a str,
    marks: &'a [Mark],
    next: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.marks.get(self.next).map(|mark| mark.character)
    }

    fn error(&mut self, at: usize, operand: &str, message: &str) {
        let mark = self.marks.get(at).or(self.marks.last()).copied().unwrap_or(Mark { character: ' ', line: 1, column: 1 });
        self.diagnostics.push(Diagnostic {
            severity: Severity::Error,
            file: self.file.to_string(),
            line: mark.line,
            column: mark.column,
            operand: operand.to_string(),
            message: message.to_string(),
        });
    }

    /// Skips the rest of a faulty operand.
    fn skip_to_separator(&mut self) {
        let mut quoted = false;
        while let Some(character) = self.peek() {
            if character == ',' && !quoted {
                return;
            }
            quoted ^= character == '\'';
            self.next += 1;
        }
    }

    fn operand(&mut self) -> Option<Operand> {
        let start = self.next;
        let mark = self.marks[start];
        let mut key = String::new();
        while let Some(character) = self.peek().filter(|character| character.is_alphanumeric() || "#@$_".contains(*character)) {
            key.extend(character.to_uppercase());
            self.next += 1;
        }
        if self.peek() == Some('=') && !key.is_empty() {
            self.next += 1;
        } else {
            self.next = start;
            key.clear();
        }
        let value = self.value(&key, 0)?;
        if self.peek().is_some_and(|character| character != ',') {
            self.error(self.next, &key, "expected a comma here");
        }
        Some(Operand { key, value, line: mark.line, column: mark.column })
    }

    fn value(&mut self, key: &str, depth: usize) -> Option<Value> {
        match self.peek() {
            Some('(') => self.list(key, depth),
            Some('\'') => self.text(key, String::new()),
            _ => {
                let mut word = String::new();
                while let Some(character) = self.peek().filter(|character| !",()'".contains(*character)) {
                    word.extend(character.to_uppercase());
                    self.next += 1;
                }
                if self.peek() == Some('\'') {
                    return self.text(key, word);
                }
                Some(Value::Word(word))
            }
        }
    }

    fn list(&mut self, key: &str, depth: usize) -> Option<Value> {
        let open = self.next;
        if depth >= NESTING_MAX {
            self.error(open, key, "parentheses are nested too deep");
            return None;
        }
        self.next += 1;
        let mut items = Vec::new();
        loop {
            items.push(self.value(key, depth + 1)?);
            match self.peek() {
                Some(',') => self.next += 1,
                Some(')') => {
                    self.next += 1;
                    return Some(Value::List(items));
                }
                Some(_) => {
                    self.error(self.next, key, "expected a comma or a closing parenthesis here");
                    return None;
                }
                None => {
                    self.error(open, key, "the parenthesis is not closed");
                    return None;
                }
            }
        }
    }

    fn text(&mut self, key: &str, kind: String) -> Option<Value> {
        let open = self.next;
        self.next += 1;
        let mut text = String::new();
        loop {
            let Some(character) = self.peek() else {
                self.error(open, key, "the quoted string is not closed");
                return None;
            };
            self.next += 1;
            match character {
                '\'' if self.peek() == Some('\'') => self.next += 1,
                '\'' => return Some(Value::Text { kind, text }),
                '&' if self.peek() == Some('&') => self.next += 1,
                _ => {}
            }
            text.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Vec<Operand>, Vec<Diagnostic>) {
        let marks = text.chars().enumerate().map(|(index, character)| Mark { character, line: 1, column: index as u32 + 1 }).collect();
        let statement = Statement { label: String::new(), operation: "DFHMDF".into(), operands: marks, line: 1 };
        let mut diagnostics = Vec::new();
        let operands = operands("t.bms", &statement, &mut diagnostics);
        (operands, diagnostics)
    }

    fn word(text: &str) -> Value {
        Value::Word(text.into())
    }

    #[test]
    fn values() {
        let (operands, diagnostics) = parse("pos=(1,2),INITIAL='it''s R&&D, ok',PS=X'41',ATTRB=ASKIP,PARTN=((A),ACTIVATE)");
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(operands[0].key, "POS");
        assert_eq!(operands[0].value, Value::List(vec![word("1"), word("2")]));
        assert_eq!(operands[1].value, Value::Text { kind: String::new(), text: "it's R&D, ok".into() });
        assert_eq!(operands[2].value, Value::Text { kind: "X".into(), text: "41".into() });
        assert_eq!(operands[3].value.words(), Some(vec!["ASKIP"]));
        assert_eq!(operands[4].value, Value::List(vec![Value::List(vec![word("A")]), word("ACTIVATE")]));
    }

    #[test]
    fn faults() {
        let (operands, diagnostics) = parse("POS=(1,2,LENGTH=4");
        assert!(operands.len() <= 1);
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(diagnostics[0].operand, "POS");
        let (operands, diagnostics) = parse("A=(((((1))))),B=2");
        assert_eq!((diagnostics.len(), operands.last().unwrap().key.as_str()), (1, "B"));
        let (operands, diagnostics) = parse("A=1)2,B=2");
        assert_eq!((diagnostics.len(), operands.len()), (1, 2));
    }
}
