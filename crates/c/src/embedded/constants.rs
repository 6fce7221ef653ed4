//! Constant expressions in declarations: lengths of arrays, from numbers, macros and enumerations.
//!
//! Invariant: an evaluation takes a bounded number of steps, whatever macros lead to.

use crate::scan::{Unit, units};
use std::collections::HashMap;

/// Steps of one evaluation, over all macros it leads to.
const STEPS_MAX: usize = 10_000;
const DEPTH_MAX: usize = 64;

/// What names stand for.
#[derive(Default, Debug)]
pub struct Constants {
    macros: HashMap<String, String>,
    values: HashMap<String, i64>,
}

impl Constants {
    /// `#define name text`; one with parameters stands for nothing here.
    pub fn define(&mut self, directive: &str) {
        let rest = directive.trim_start_matches(['#', ' ', '\t']);
        let Some(rest) = rest.strip_prefix("define").map(str::trim_start) else { return };
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (name, body) = rest.split_at(length);
        if !body.starts_with('(') {
            self.macros.insert(name.to_string(), body.replace("\\\n", " ").trim().to_string());
        }
    }

    pub fn set(&mut self, name: &str, value: i64) {
        self.values.insert(name.to_string(), value);
    }

    /// The text of a macro without parameters.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.macros.get(name).map(String::as_str)
    }

    /// The value of an expression; `size` tells sizeof of what stands in its parentheses.
    pub fn value(&self, text: &str, size: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        let mut steps = STEPS_MAX;
        self.evaluate(text, size, &mut steps, 0)
    }

    fn evaluate(&self, text: &str, size: &dyn Fn(&str) -> Option<i64>, steps: &mut usize, depth: usize) -> Option<i64> {
        if depth > DEPTH_MAX {
            return None;
        }
        let mut tokens = Vec::new();
        *steps = steps.checked_sub(1)?;
        for (unit, text) in units(text) {
            *steps = steps.checked_sub(1)?;
            if unit != Unit::Space {
                tokens.push((unit, text));
            }
        }
        let mut expression = Expression { constants: self, size, tokens: &tokens, at: 0, depth };
        let value = expression.binary(0, steps)?;
        (expression.at == tokens.len()).then_some(value)
    }
}

struct Expression<'a> {
    constants: &'a Constants,
    size: &'a dyn Fn(&str) -> Option<i64>,
    tokens: &'a [(Unit, &'a str)],
    at: usize,
    depth: usize,
}

impl Expression<'_> {
    fn next(&mut self) -> Option<(Unit, &str)> {
        let token = self.tokens.get(self.at).copied();
        self.at += 1;
        token
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |(_, text)| text)
    }

    /// Operators of this rank and above.
    fn binary(&mut self, rank: u8, steps: &mut usize) -> Option<i64> {
        let mut left = self.unary(steps)?;
        loop {
            let (operator, own_rank) = match self.peek() {
                "<" | ">" => ("shift", 1),
                "+" => ("+", 2),
                "-" => ("-", 2),
                "*" => ("*", 3),
                "/" => ("/", 3),
                "%" => ("%", 3),
                _ => return Some(left),
            };
            if own_rank < rank {
                return Some(left);
            }
            let first = self.next()?.1.to_string();
            if operator == "shift" && self.next()?.1 != first {
                return None;
            }
            let right = self.binary(own_rank + 1, steps)?;
            left = match (operator, first.as_str()) {
                ("shift", "<") => left.checked_shl(u32::try_from(right).ok()?)?,
                ("shift", _) => left.checked_shr(u32::try_from(right).ok()?)?,
                ("+", _) => left.checked_add(right)?,
                ("-", _) => left.checked_sub(right)?,
                ("*", _) => left.checked_mul(right)?,
                ("/", _) => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
    }

    fn unary(&mut self, steps: &mut usize) -> Option<i64> {
        *steps = steps.checked_sub(1)?;
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        let value = self.primary(steps);
        self.depth -= 1;
        value
    }

    fn primary(&mut self, steps: &mut usize) -> Option<i64> {
        let (unit, text) = self.next()?;
        let text = text.to_string();
        match (unit, text.as_str()) {
            (Unit::Number, _) => number(&text),
            (Unit::Other('-'), _) => self.unary(steps)?.checked_neg(),
            (Unit::Other('+'), _) => self.unary(steps),
            (Unit::Other('('), _) => {
                let value = self.binary(0, steps)?;
                (self.next()?.1 == ")").then_some(value)
            }
            (Unit::Word, "sizeof") => {
                let inner = self.parenthesized()?;
                (self.size)(&inner)
            }
            (Unit::Word, name) => match self.constants.values.get(name) {
                Some(value) => Some(*value),
                None => self.constants.evaluate(self.constants.text(name)?, self.size, steps, self.depth + 1),
            },
            _ => None,
        }
    }

    fn parenthesized(&mut self) -> Option<String> {
        if self.next()?.1 != "(" {
            return None;
        }
        let (mut depth, mut text) = (1usize, String::new());
        loop {
            let next = self.next()?.1;
            match next {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(text);
            }
            text.push_str(next);
            text.push(' ');
        }
    }
}

fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_macros_and_numbers_have_values() {
        let mut constants = Constants::default();
        constants.define("#define LEN 20");
        constants.define("#  define ROOM (LEN + 1)");
        constants.define("#define CALL(x) x");
        constants.define("#define LOOP LOOP + LOOP");
        constants.set("RED", 3);
        let value = |text: &str| constants.value(text, &|inner| (inner.trim() == "int").then_some(4));
        assert_eq!(value("ROOM"), Some(21));
        assert_eq!(value("2 * ROOM - 1"), Some(41));
        assert_eq!(value("0x10 + 010"), Some(24));
        assert_eq!(value("1 << 10"), Some(1024));
        assert_eq!(value("RED * sizeof(int)"), Some(12));
        assert_eq!(value("10 - 2 - 3"), Some(5));
        for unknown in ["", "CALL", "CALL(1)", "LOOP", "1 +", "x", "1 / 0", "9999999999999 * 99999999999"] {
            assert_eq!(value(unknown), None, "{unknown}");
        }
        assert_eq!(value(&"(".repeat(10_000)), None);
    }
}
