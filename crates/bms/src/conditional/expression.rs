//! Expressions of conditional assembly: logical, arithmetic and character expressions. Nesting is bounded; any text gives a value or a message.

use super::{Variables, is_of_name};
use crate::source::ATTRIBUTES;

const NESTING_MAX: usize = 16;
/// Characters of a value, as the assembler bounds it.
const TEXT_LENGTH_MAX: usize = 1_024;

/// Why a statement cannot be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure(pub String);

/// Expressions with the present values of variable symbols.
pub(crate) struct Expressions<'a> {
    variables: &'a Variables,
}

/// The place in an expression.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    variables: &'a Variables,
}

/// The byte offset of the parenthesis that closes one opened before the text.
pub(crate) fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0usize, false);
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        match character {
            // The apostrophe of K'&X does not open a text.
            '\'' if !quoted && ATTRIBUTES.contains(before) && text[at + 1..].starts_with('&') => {}
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted && depth == 0 => return Some(at),
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        before = character.to_ascii_uppercase();
    }
    None
}

/// The text inside one pair of parentheses around all of it.
pub(crate) fn without_parentheses(text: &str) -> &str {
    let text = text.trim();
    match text.strip_prefix('(') {
        Some(inner) if closing(inner) == Some(inner.len() - 1) => &inner[..inner.len() - 1],
        _ => text,
    }
}

impl<'a> Expressions<'a> {
    pub fn new(variables: &'a Variables) -> Self {
        Self { variables }
    }

    fn reader(&self, text: &'a str) -> Reader<'a> {
        Reader { text, at: 0, depth: 0, variables: self.variables }
    }

    pub fn logical(&self, text: &'a str) -> Result<bool, Failure> {
        let mut reader = self.reader(text);
        let value = reader.alternatives()?;
        reader.end()?;
        Ok(value)
    }

    pub fn number(&self, text: &'a str) -> Result<i64, Failure> {
        let mut reader = self.reader(text);
        let value = reader.sum()?;
        reader.end()?;
        Ok(value)
    }

    pub fn text(&self, text: &'a str) -> Result<String, Failure> {
        let mut reader = self.reader(text);
        let value = reader.joined()?;
        reader.end()?;
        Ok(value)
    }

    /// A text with the values of its variables.
    pub fn substituted(&self, text: &str) -> Result<String, Failure> {
        substitute(text, self.variables)
    }
}

fn substitute(text: &str, variables: &Variables) -> Result<String, Failure> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('&') {
            out.push('&');
            rest = after;
            continue;
        }
        let length = rest.find(|character| !is_of_name(character)).unwrap_or(rest.len());
        let name = rest[..length].to_uppercase();
        let value = variables.get(&name).ok_or_else(|| Failure(format!("variable symbol &{name} has no value")))?;
        out.push_str(value);
        rest = &rest[length..];
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if out.len() > TEXT_LENGTH_MAX {
            return Err(Failure(format!("a text of more than {TEXT_LENGTH_MAX} characters")));
        }
    }
    out.push_str(rest);
    Ok(out)
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn expected(&self, what: &str) -> Failure {
        let found = if self.rest().is_empty() { "the end".to_string() } else { format!("{:?}", self.rest()) };
        Failure(format!("expected {what}, found {found}"))
    }

    fn end(&mut self) -> Result<(), Failure> {
        self.blanks();
        if self.rest().is_empty() { Ok(()) } else { Err(self.expected("the end of the expression")) }
    }

    /// Takes a word that no name continues.
    fn word(&mut self, word: &str) -> bool {
        self.blanks();
        let rest = self.rest();
        let is_there =
            rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)) && !rest[word.len()..].starts_with(is_of_name);
        if is_there {
            self.at += word.len();
        }
        is_there
    }

    fn symbol(&mut self, symbol: char) -> bool {
        let is_there = self.rest().starts_with(symbol);
        if is_there {
            self.at += symbol.len_utf8();
        }
        is_there
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Failure>) -> Result<T, Failure> {
        self.depth += 1;
        if self.depth > NESTING_MAX {
            return Err(Failure("parentheses are nested too deep".to_string()));
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn alternatives(&mut self) -> Result<bool, Failure> {
        let mut value = self.all()?;
        while self.word("OR") {
            value |= self.all()?;
        }
        Ok(value)
    }

    fn all(&mut self) -> Result<bool, Failure> {
        let mut value = self.condition()?;
        while self.word("AND") {
            value &= self.condition()?;
        }
        Ok(value)
    }

    fn condition(&mut self) -> Result<bool, Failure> {
        if self.word("NOT") {
            return self.deeper(Self::condition).map(|value| !value);
        }
        self.blanks();
        if let Some(inner) = self.rest().strip_prefix('(')
            && let Some(end) = closing(inner)
            && !continues_arithmetic(&inner[end + 1..])
        {
            self.at += 1;
            let value = self.deeper(Self::alternatives)?;
            self.blanks();
            return if self.symbol(')') { Ok(value) } else { Err(self.expected("a closing parenthesis")) };
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<bool, Failure> {
        self.blanks();
        if self.rest().starts_with('\'') || self.rest().starts_with(['&']) && self.is_text_compared() {
            let left = self.joined()?;
            let Some(relation) = self.relation() else { return Err(self.expected("EQ, NE, LT, LE, GT or GE")) };
            self.blanks();
            let right = self.joined()?;
            // The assembler takes a shorter text for the lesser one.
            return Ok(relation(left.len().cmp(&right.len()).then_with(|| left.cmp(&right))));
        }
        let left = self.sum()?;
        match self.relation() {
            Some(relation) => {
                let right = self.sum()?;
                Ok(relation(left.cmp(&right)))
            }
            None => Ok(left != 0),
        }
    }

    /// A variable that is compared with a text is a text.
    fn is_text_compared(&self) -> bool {
        let rest = self.rest();
        let after = rest[1..].trim_start_matches(is_of_name).trim_start();
        after.get(2..).is_some_and(|operand| operand.trim_start().starts_with('\''))
    }

    fn relation(&mut self) -> Option<fn(std::cmp::Ordering) -> bool> {
        type Relation = fn(std::cmp::Ordering) -> bool;
        let relations: [(&str, Relation); 6] = [
            ("EQ", |order| order.is_eq()),
            ("NE", |order| order.is_ne()),
            ("LT", |order| order.is_lt()),
            ("LE", |order| order.is_le()),
            ("GT", |order| order.is_gt()),
            ("GE", |order| order.is_ge()),
        ];
        relations.into_iter().find(|(word, _)| self.word(word)).map(|(_, relation)| relation)
    }

    fn sum(&mut self) -> Result<i64, Failure> {
        let mut value = self.product()?;
        loop {
            self.blanks();
            if self.symbol('+') {
                value = checked(value.checked_add(self.product()?))?;
            } else if self.symbol('-') {
                value = checked(value.checked_sub(self.product()?))?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<i64, Failure> {
        let mut value = self.factor()?;
        loop {
            self.blanks();
            if self.symbol('*') {
                value = checked(value.checked_mul(self.factor()?))?;
            } else if self.symbol('/') {
                let divisor = self.factor()?;
                // The assembler's rule: division by zero gives zero.
                value = if divisor == 0 { 0 } else { checked(value.checked_div(divisor))? };
            } else {
                return Ok(value);
            }
        }
    }

    fn factor(&mut self) -> Result<i64, Failure> {
        self.blanks();
        if self.symbol('-') {
            return self.deeper(Self::factor).map(|value| -value);
        }
        if self.symbol('(') {
            let value = self.deeper(Self::sum)?;
            self.blanks();
            return if self.symbol(')') { Ok(value) } else { Err(self.expected("a closing parenthesis")) };
        }
        if self.rest().get(..3).is_some_and(|start| start.eq_ignore_ascii_case("K'&")) {
            self.at += 2;
            return Ok(self.variable()?.chars().count() as i64);
        }
        if self.rest().get(1..2) == Some("'") {
            return Err(Failure(format!("the attribute {}' is not supported", &self.rest()[..1])));
        }
        if self.rest().starts_with('&') {
            let value = self.variable()?;
            return value.trim().parse().map_err(|_| Failure(format!("{value:?} is not a number")));
        }
        let digits = self.rest().len() - self.rest().trim_start_matches(|character: char| character.is_ascii_digit()).len();
        let value = self.rest()[..digits].parse().map_err(|_| self.expected("a number"))?;
        self.at += digits;
        Ok(value)
    }

    /// The value of the variable symbol that begins here.
    fn variable(&mut self) -> Result<String, Failure> {
        let length = 1 + self.rest()[1..].find(|character| !is_of_name(character)).unwrap_or(self.rest().len() - 1);
        let value = substitute(&self.rest()[..length], self.variables)?;
        self.at += length;
        Ok(value)
    }

    /// Texts joined by periods.
    fn joined(&mut self) -> Result<String, Failure> {
        let mut value = self.piece()?;
        while self.symbol('.') {
            value.push_str(&self.piece()?);
            if value.len() > TEXT_LENGTH_MAX {
                return Err(Failure(format!("a text of more than {TEXT_LENGTH_MAX} characters")));
            }
        }
        Ok(value)
    }

    /// `'text'`, `'text'(start,length)`, `(count)'text'`, or a variable.
    fn piece(&mut self) -> Result<String, Failure> {
        let mut count = 1;
        if self.symbol('(') {
            count = usize::try_from(self.deeper(Self::sum)?)
                .map_err(|_| Failure("a text is repeated a negative number of times".to_string()))?;
            if !self.symbol(')') {
                return Err(self.expected("a closing parenthesis"));
            }
        }
        if self.rest().starts_with('&') {
            return self.variable();
        }
        if !self.symbol('\'') {
            return Err(self.expected("a text in quotes"));
        }
        let mut text = String::new();
        loop {
            let Some(character) = self.rest().chars().next() else { return Err(Failure("the text is not closed".to_string())) };
            self.at += character.len_utf8();
            if character == '\'' && !self.symbol('\'') {
                break;
            }
            text.push(character);
        }
        let mut text = substitute(&text, self.variables)?;
        if self.symbol('(') {
            let (start, length) = self.pair()?;
            text = text.chars().skip(start - 1).take(length).collect();
        }
        if text.len().saturating_mul(count) > TEXT_LENGTH_MAX {
            return Err(Failure(format!("a text of more than {TEXT_LENGTH_MAX} characters")));
        }
        Ok(text.repeat(count))
    }

    fn pair(&mut self) -> Result<(usize, usize), Failure> {
        let start = self.deeper(Self::sum)?;
        self.blanks();
        let length = if self.symbol(',') { self.deeper(Self::sum)? } else { return Err(self.expected("a comma")) };
        self.blanks();
        if !self.symbol(')') {
            return Err(self.expected("a closing parenthesis"));
        }
        match (usize::try_from(start), usize::try_from(length)) {
            (Ok(start), Ok(length)) if start >= 1 => Ok((start, length)),
            _ => Err(Failure(format!("there is no part of a text from {start} of length {length}"))),
        }
    }
}

/// Whether what follows a parenthesis belongs to an arithmetic expression or a comparison.
fn continues_arithmetic(after: &str) -> bool {
    let after = after.trim_start();
    let word: String = after.chars().take_while(|character| character.is_ascii_alphabetic()).collect();
    after.starts_with(['+', '-', '*', '/', '\'']) || ["EQ", "NE", "LT", "LE", "GT", "GE"].contains(&word.to_ascii_uppercase().as_str())
}

fn checked(value: Option<i64>) -> Result<i64, Failure> {
    value.filter(|value| i32::try_from(*value).is_ok()).ok_or_else(|| Failure("the number is too large".to_string()))
}
